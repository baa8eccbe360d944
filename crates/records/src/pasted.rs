//! A start position as people paste it: a FEN, or the text that the program had from which it comes.

use std::borrow::Cow;

use kernel::Problem;

use crate::{Format, detect, read};

/// The longest text looked at as something other than a FEN, in bytes.
const MOST: usize = 16 << 10;

/// Returns the FEN that `text` means for a game with that key; `None` for the usual start. A saved position of
/// another program that [`detect`] knows is read; any other text is taken as a FEN, which the game itself reads or
/// refuses.
///
/// ```
/// use records::pasted;
///
/// let fen = "3k5/9/9/9/9/9/9/9/4K4/R8 w";
/// assert_eq!(pasted("xiangqi", &format!(" {fen}\n"))?.as_deref(), Some(fen));
/// let board = "white:33 white_boss: black:77 black_boss:";
/// assert_eq!(pasted("xiangqi", board).unwrap_err().key, "pasted-other-game");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// All faults of a saved position, and `pasted-other-game` when it is of another game.
pub fn pasted<'a>(game: &str, text: &'a str) -> Result<Option<Cow<'a, str>>, Problem> {
    let text = text.trim();
    let fen = || Ok(Some(Cow::Borrowed(text)));
    if text.len() > MOST {
        return fen();
    }
    let lines = on_lines(text);
    let Some(format) = detect(lines.as_bytes()).filter(|f| f.is_position() && *f != Format::Fen) else {
        return fen();
    };
    let record = read(format, lines.as_bytes())?;
    if !format.is_for(game) {
        return Err(Problem::new("pasted-other-game").with("found", &record.game).with("game", game));
    }
    Ok(record.start.map(Cow::Owned))
}

/// The lists of a board of draughts on a line each: fields of one line take the line breaks out of what is pasted.
fn on_lines(text: &str) -> Cow<'_, str> {
    const LISTS: [&str; 6] = ["white:", "white_boss:", "black:", "black_boss:", "size:", "turn:"];
    if text.contains('\n') || !LISTS[..4].iter().any(|list| text.starts_with(list)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (at, sign) in text.char_indices() {
        if at > 0 && LISTS.iter().any(|list| text[at..].starts_with(list)) {
            out.push('\n');
        }
        out.push(sign);
    }
    Cow::Owned(out)
}
