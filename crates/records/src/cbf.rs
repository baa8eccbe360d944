//! CBF, the XML files of 象棋桥 (CCBridge): one game of xiangqi, read only.
//!
//! ```xml
//! <ChineseChessRecord Version="1.0">
//!  <Head><Name>…</Name><Red>…</Red><RecordResult>1</RecordResult><FEN>rnbakabnr/… w - - 0 1</FEN></Head>
//!  <MoveList>
//!   <Move value="00-00"><![CDATA[about the start]]></Move>
//!   <Move value="77-47" />
//!  </MoveList>
//! </ChineseChessRecord>
//! ```
//!
//! A point is a file from Red's left and a row from Black's side, both from 0. The first element of the list is no
//! move, but carries the remark on the start. Results are numbered as in XQF. Facts from files of that program and
//! from the reader of cchess. There is no public schema: other elements are passed over.

use kernel::{Problem, Side};

use crate::points::{Point, move_text, set_start, start_at};
use crate::record::{MOST_COMMENT, MOST_PLIES, within};
use crate::text::{one_line, place};
use crate::xqf::ending;
use crate::{Ply, Record, Tree, points, said};

/// The name of the outermost element.
const ROOT: &str = "<ChineseChessRecord";
/// The longest beginning of an element of the list, in bytes.
const LONGEST_ELEMENT: usize = 200;
/// The elements of the head that a record has tags for.
const TAGS: [(&str, &str); 14] = [
    ("Name", "Title"),
    ("ContestType", "Category"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Section"),
    ("Table", "Board"),
    ("Site", "Site"),
    ("RedTeam", "RedTeam"),
    ("RedRating", "RedElo"),
    ("BlackTeam", "BlackTeam"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("ECCO", "ECCO"),
    ("From", "Source"),
];

/// Tells whether a text begins as such a file does.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    text[..text.len().min(4096)].windows(ROOT.len()).any(|part| part.eq_ignore_ascii_case(ROOT.as_bytes()))
}

/// The encoding that the first line names.
pub(crate) fn declared(bytes: &[u8]) -> Option<&str> {
    let line = bytes[..bytes.len().min(200)].split(|&b| b == b'>').next()?;
    let line = std::str::from_utf8(line).ok()?;
    line.split_once("encoding=")?.1.get(1..)?.split(['"', '\'']).next()
}

/// Reads a record of `xiangqi`. The part before a fault in the moves is kept, and the fault is returned too.
///
/// # Errors
/// `cbf-none` without a list of moves, `cbf-move` with line and column for a first move that is none, and what the
/// game says against the start.
pub(crate) fn read_part(text: &str) -> Result<(Record, Option<Problem>), Problem> {
    let (head, list) = text.split_once("<MoveList").ok_or_else(|| Problem::new("cbf-none"))?;
    let element = |name: &str| {
        let inside = head.split_once(&format!("<{name}>")).map_or("", |(_, rest)| rest);
        one_line(&plain(inside.split_once("</").map_or("", |(inside, _)| inside)))
    };
    let mut record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    record.players = [element("Red"), element("Black")];
    record.date = said::date(&element("Date"));
    record.clock = element("TimeRule");
    TAGS.iter().for_each(|&(name, tag)| record.tag(tag, &element(name)));
    record.ending = element("RecordResult").parse().ok().and_then(ending);
    let mut tree = Tree::default();
    let (mut last, mut fault) = (Tree::START, None);
    let mut rest = list;
    while let Some((_, behind)) = rest.split_once("<Move ") {
        let at = text.len() - behind.len();
        let Some(end) = behind.bytes().take(LONGEST_ELEMENT).position(|b| b == b'>') else {
            rest = behind;
            continue;
        };
        let (attributes, after) = (&behind[..end], &behind[end + 1..]);
        let value =
            attributes.split_once("value=").and_then(|(_, value)| value.get(1..6)).unwrap_or_default();
        rest = after;
        // An element that is closed at once says nothing.
        let mut comment = String::new();
        let own = &after[..after.find("<Move ").unwrap_or(after.len())];
        if let Some((inside, _)) = own.split_once("</Move>").filter(|_| !attributes.ends_with('/')) {
            comment = plain(inside).trim().to_owned();
            rest = &after[inside.len()..];
        }
        within("comment", comment.len(), MOST_COMMENT)?;
        if value == "00-00" {
            if !comment.is_empty() {
                tree[last].remark(&comment);
            }
            continue;
        }
        let Some((from, to)) = points_of(value) else {
            let (line, column) = place(text, at);
            let problem = Problem::new("cbf-move").with("line", line).with("column", column);
            fault = Some(problem.with("found", value));
            break;
        };
        within("plies", tree.plies() + 1, MOST_PLIES)?;
        last = tree.add(last, Ply { text: move_text(from, to), comment, ..Ply::default() });
    }
    if let Some(fault) = fault.as_ref().filter(|_| tree.plies() == 0) {
        return Err(fault.clone());
    }
    record.tree = tree;
    match element("FEN") {
        fen if fen.is_empty() => set_start(&mut record, &points::Points::usual(), Side::First)?,
        fen => start_at(&mut record, &fen)?,
    }
    Ok((record, fault))
}

/// The points of `77-47`.
fn points_of(value: &str) -> Option<(Point, Point)> {
    let &[a, b, b'-', c, d] = value.as_bytes() else { return None };
    let point = |file: u8, row: u8| Point::new(file.checked_sub(b'0')?, row.checked_sub(b'0')?);
    Some((point(a, b)?, point(c, d)?))
}

/// The text of an element, without its CDATA marks and entities.
fn plain(text: &str) -> String {
    let text = text.trim();
    match text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")) {
        Some(inside) => inside.replace("\r\n", "\n"),
        None => quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), |text| text.into_owned()),
    }
}
