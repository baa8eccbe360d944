//! Folded logs: the rows of a finished game as one compressed text of bytes.
//!
//! A folded log holds what its rows held, to the letter, but for their checksums, which follow from the rows. It is written in
//! columns, because what stands below each other is alike, and deflated. Each is marked with a format; one that was written stays
//! as it is, and a new format is a new number beside it, as in [`format`](crate::format).

use std::io::{Read as _, Write as _};

use crate::chain::Row as Link;

/// The format that is written.
pub const NEWEST: u32 = 1;
/// The longest log, in bytes before they are compressed, that is folded and read.
const MOST: u64 = 16 << 20;

/// A row of a log that is not borrowed from the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogRow {
    /// One more than the row before.
    pub ver: u64,
    /// The time at which the entry was stored, in Unix milliseconds.
    pub at_ms: u64,
    /// The sender of the command; empty where there is none.
    pub person: String,
    /// Id of the command.
    pub cmd: Option<String>,
    /// Thinking time charged, in milliseconds.
    pub spent_ms: Option<u64>,
    /// The format of the body.
    pub format: u32,
    /// The event as JSON of that format.
    pub body: String,
}

impl LogRow {
    /// The row as its checksum covers it.
    #[must_use]
    pub fn link(&self) -> Link<'_> {
        Link {
            ver: self.ver,
            at_ms: self.at_ms,
            person: &self.person,
            cmd: self.cmd.as_deref(),
            spent_ms: self.spent_ms,
            format: self.format,
            body: &self.body,
        }
    }
}

impl From<Link<'_>> for LogRow {
    fn from(link: Link<'_>) -> LogRow {
        let Link { ver, at_ms, person, cmd, spent_ms, format, body } = link;
        let (person, cmd, body) = (person.to_owned(), cmd.map(str::to_owned), body.to_owned());
        LogRow { ver, at_ms, person, cmd, spent_ms, format, body }
    }
}

/// Folds the rows of a log, which begin with version 1 and have no holes. `None` where they are too long or have holes: they stay
/// rows.
#[must_use]
pub fn fold(lines: &[LogRow]) -> Option<Vec<u8>> {
    if !lines.iter().zip(1..).all(|(line, ver)| line.ver == ver) {
        return None;
    }
    let mut people: Vec<&str> = Vec::new();
    for line in lines {
        if !people.contains(&line.person.as_str()) {
            people.push(&line.person);
        }
    }
    let mut raw = Vec::new();
    number(&mut raw, lines.len() as u64);
    number(&mut raw, people.len() as u64);
    people.iter().for_each(|person| text(&mut raw, person));
    let mut before = 0;
    for line in lines {
        number(&mut raw, zigzag(line.at_ms.wrapping_sub(before).cast_signed()));
        before = line.at_ms;
    }
    for line in lines {
        let at = people.iter().position(|person| *person == line.person);
        number(&mut raw, at.unwrap_or(0) as u64);
    }
    lines.iter().for_each(|line| number(&mut raw, line.format.into()));
    for line in lines {
        number(&mut raw, u64::from(line.spent_ms.is_some()));
        line.spent_ms.into_iter().for_each(|spent| number(&mut raw, spent));
    }
    for line in lines {
        number(&mut raw, line.cmd.as_ref().map_or(0, |cmd| cmd.len() as u64 + 1));
    }
    lines.iter().filter_map(|line| line.cmd.as_ref()).for_each(|cmd| raw.extend(cmd.as_bytes()));
    lines.iter().for_each(|line| number(&mut raw, line.body.len() as u64));
    lines.iter().for_each(|line| raw.extend(line.body.as_bytes()));
    if raw.len() as u64 > MOST {
        return None;
    }
    let mut out = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(&raw).and_then(|()| out.finish()).ok()
}

/// The rows of a folded log.
///
/// # Errors
/// The reason why it cannot be read, in words.
pub fn unfold(format: u32, body: &[u8]) -> Result<Vec<LogRow>, String> {
    if format != NEWEST {
        return Err(format!("it is folded in format {format}, which this program does not know"));
    }
    let mut raw = Vec::new();
    let mut inflated = flate2::read::DeflateDecoder::new(body).take(MOST + 1);
    inflated.read_to_end(&mut raw).map_err(|why| why.to_string())?;
    if raw.len() as u64 > MOST {
        return Err("it is longer than any log that was folded".to_owned());
    }
    let mut rest = Rest(&raw);
    rest.lines().filter(|_| rest.0.is_empty()).ok_or_else(|| "it is not what was folded".to_owned())
}

/// The bytes that have not been read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn lines(&mut self) -> Option<Vec<LogRow>> {
        // Each row takes more than a byte, so that no count asks for more room than there are bytes.
        let count = self.count()?;
        let people = self.count()?;
        let people: Vec<String> = (0..people).map(|_| self.text()).collect::<Option<_>>()?;
        let mut lines = Vec::with_capacity(count);
        let mut at_ms = 0_u64;
        for ver in (1..).take(count) {
            at_ms = at_ms.wrapping_add(unzigzag(self.number()?).cast_unsigned());
            let (person, body) = (String::new(), String::new());
            lines.push(LogRow { ver, at_ms, person, cmd: None, spent_ms: None, format: 0, body });
        }
        for line in &mut lines {
            line.person.clone_from(people.get(self.index()?)?);
        }
        for line in &mut lines {
            line.format = u32::try_from(self.number()?).ok()?;
        }
        for line in &mut lines {
            line.spent_ms = match self.number()? {
                0 => None,
                1 => Some(self.number()?),
                _ => return None,
            };
        }
        let lengths: Vec<usize> = (0..count).map(|_| self.index()).collect::<Option<_>>()?;
        for (line, length) in lines.iter_mut().zip(lengths) {
            line.cmd = match length.checked_sub(1) {
                Some(length) => Some(self.part(length)?),
                None => None,
            };
        }
        let lengths: Vec<usize> = (0..count).map(|_| self.index()).collect::<Option<_>>()?;
        for (line, length) in lines.iter_mut().zip(lengths) {
            line.body = self.part(length)?;
        }
        Some(lines)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn index(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn count(&mut self) -> Option<usize> {
        self.index().filter(|count| *count <= self.0.len())
    }

    fn part(&mut self, length: usize) -> Option<String> {
        let (part, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        std::str::from_utf8(part).ok().map(str::to_owned)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.index()?;
        self.part(length)
    }
}

/// Seven bits to a byte, the lowest first; the last byte is below 128.
fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend(text.as_bytes());
}

/// Small numbers of either sign as small numbers.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ver: u64, at_ms: u64, cmd: Option<&str>, spent_ms: Option<u64>, body: &str) -> LogRow {
        let person = if ver.is_multiple_of(2) { "k3m9q2w7x4y5" } else { "" };
        LogRow {
            ver,
            at_ms,
            person: person.to_owned(),
            cmd: cmd.map(str::to_owned),
            spent_ms,
            format: ver as u32 % 3,
            body: body.to_owned(),
        }
    }

    #[test]
    fn a_folded_log_reads_as_it_was() {
        let most = i64::MAX.cast_unsigned();
        for (name, lines) in [
            ("empty", vec![]),
            ("one", vec![line(1, 0, None, None, "")]),
            (
                "times that jump, and every kind of column",
                vec![
                    line(1, most, Some(""), Some(0), "{\"k\":\"draw\"}"),
                    line(2, 5, Some("棋"), Some(u64::MAX), "棋"),
                    line(3, 0, None, None, "x"),
                    line(4, 4_000_000_000_000, Some("k2Jd91mPqz4s"), Some(1), "y"),
                ],
            ),
        ] {
            let folded = fold(&lines).expect(name);
            assert_eq!(unfold(NEWEST, &folded), Ok(lines), "{name}");
        }
    }

    #[test]
    fn what_is_not_a_whole_log_is_not_folded_and_not_read() {
        assert_eq!(fold(&[line(2, 0, None, None, "")]), None, "a log begins with version 1");
        let long = "x".repeat(usize::try_from(MOST).expect("fits"));
        assert_eq!(fold(&[line(1, 0, None, None, &long)]), None, "too long");
        let whole =
            fold(&[line(1, 7, Some("a"), Some(2), "body"), line(2, 8, None, None, "b")]).expect("folds");
        assert!(unfold(NEWEST + 1, &whole).unwrap_err().contains("format"), "of a newer program");
        for end in 0..whole.len() {
            assert!(unfold(NEWEST, &whole[..end]).is_err(), "cut after {end} bytes");
        }
        for (at, bit) in (0..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bent = whole.clone();
            bent[at] ^= 1 << bit;
            // Either it cannot be read, or the checksums of the log tell.
            let _ = unfold(NEWEST, &bent);
        }
        // A count of rows that no text has.
        let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&[0xff, 0xff, 0xff, 0xff, 0x0f, 0]).expect("is written");
        assert!(unfold(NEWEST, &packed.finish().expect("is written")).is_err());
    }
}
