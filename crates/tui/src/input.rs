//! Reading lines of bounded length from a keyboard or a pipe.

use std::io::BufRead;

/// The most bytes kept of a line; no move is longer.
const LONGEST: usize = 4096;

/// Reads the next line without its line break; a longer line is cut, and invalid UTF-8 is replaced. `None` at the
/// end.
///
/// # Errors
/// Fails when the input breaks.
pub(crate) fn line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let part = input.fill_buf()?;
        if part.is_empty() {
            break;
        }
        any = true;
        let end = part.iter().position(|&b| b == b'\n');
        let kept = end.unwrap_or(part.len()).min(LONGEST - line.len());
        line.extend_from_slice(&part[..kept]);
        let taken = end.map_or(part.len(), |at| at + 1);
        input.consume(taken);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(any.then(|| String::from_utf8_lossy(&line).into_owned()))
}
