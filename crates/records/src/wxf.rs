//! WXF files, which PlayOK and XieXie save: header lines and the moves of xiangqi in WXF's notation.
//!
//! ```text
//! FORMAT  WXF
//! RED     aaa ; 1137 ;;
//! BLACK   bbb ; 1177 ;;
//! RESULT  1-0
//! DATE    2021-01-23 16:20:58
//! EVENT   PlayOK Game ; 10m+0s
//! START{
//!  1. C2.5 h8+7   2. H2+3 r9.8
//! }END
//! ```
//!
//! A header line is a name in capitals and its value; behind a semicolon stand titles and ratings. The moves are read
//! as those of [`crate::pgn`] are, whatever notation they are in. Facts from files of those programs.

use kernel::Problem;

use crate::pgn::{self, Part, push_tag};

/// The names of the header, and the tags that say the same.
const TAGS: [(&str, &str); 12] = [
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("RESULT", "Result"),
    ("DATE", "Date"),
    ("EVENT", "Event"),
    ("SITE", "Site"),
    ("ROUND", "Round"),
    ("OPENING", "Opening"),
    ("ECCO", "ECCO"),
    ("FEN", "FEN"),
    ("TIME", "TimeControl"),
    ("GAME", "Title"),
];

/// Tells whether a line begins a game.
pub(crate) fn begins(line: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    let word = line.split(|b| b.is_ascii_whitespace() || *b == b':').next().unwrap_or_default();
    word.eq_ignore_ascii_case(b"FORMAT") && line.to_ascii_uppercase().ends_with(b"WXF")
}

/// Tells whether a text begins as such a file does.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').take(5).any(begins)
}

/// Reads the first game of a text. `keeps`: what comes before a fault is kept, and the fault is told besides.
///
/// # Errors
/// `wxf-none` without moves, and what [`pgn`] says of them.
pub(crate) fn read_part(text: &str, keeps: bool) -> Result<Part, Problem> {
    let text = &*pgn::plain(text);
    let begin = text.to_ascii_uppercase().find("START{").ok_or_else(|| Problem::new("wxf-none"))?;
    let (head, moves) = (&text[..begin], &text[begin + "START{".len()..]);
    let moves = moves.split("}END").next().unwrap_or_default();
    // Tags take the place of the header, a line for each of its lines, so that lines of problems are those of the file.
    let mut out = String::new();
    let mut lines = 0;
    for line in head.lines() {
        let (name, value) =
            line.trim().split_once(|c: char| c.is_whitespace() || c == ':').unwrap_or((line, ""));
        let known = TAGS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        lines += 1;
        let Some((_, tag)) = known else {
            out.push('\n');
            continue;
        };
        let (value, rest) = value.split_once(';').unwrap_or((value, ""));
        let rating = rest.split(';').next().unwrap_or_default().trim();
        let is_rating = matches!(*tag, "Red" | "Black") && rating.parse::<u32>().is_ok_and(|r| r > 0);
        push_tag(&mut out, tag, value.trim());
        if is_rating {
            // On the same line: it is no line of the file.
            out.pop();
            out.push(' ');
            push_tag(&mut out, &format!("{tag}Elo"), rating);
        }
    }
    let missing = head.matches('\n').count().saturating_sub(lines);
    out.extend(std::iter::repeat_n('\n', missing));
    out.push_str(moves);
    let part = pgn::read_part(&out, keeps)?;
    Ok(Part { rest: None, ..part })
}
