//! Training positions in a compact file: a head of text, then records of one length.
//!
//! A record is a packed board, a byte of [`flags`](Record::flags), the plies without progress, and the score in 16
//! bits: 32 bytes at xiangqi. The head names the source of the records. Only exact scores of quiet positions are
//! included.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use catalog::Ruleset;
use engine::learned::Boards;
use kernel::{PlayError, Problem, Side};
use sha2::{Digest, Sha256};

use crate::games::{Plan, Selfplay};

/// The first line of each file.
const MAGIC: &str = "qiguan positions 1";
/// The maximal length of a head, in bytes.
const MOST_HEAD: usize = 64 << 10;
/// The maximal length of a file, in bytes.
const MOST_BYTES: u64 = 256 << 30;
/// The length of a record beside its board, in bytes.
pub(crate) const TAIL: usize = 4;
/// The maximal length of a record, in bytes.
const MOST_RECORD: usize = 1 << 10;

/// A training position with its score and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// The board as packed by [`Boards::pack`].
    pub board: &'a [u8],
    /// The side to move.
    pub turn: Side,
    /// The result of the side to move, in half points.
    pub halves: u8,
    /// True if its game is held out, to measure generalisation.
    pub aside: bool,
    /// The number of plies since the last irreversible move.
    pub idle: u8,
    /// The score of the search, in hundredths for the side to move.
    pub worth: i16,
}

impl<'a> Record<'a> {
    /// Reads the bytes of one record; damaged bytes give some record, too.
    #[must_use]
    pub fn read(bytes: &'a [u8]) -> Record<'a> {
        let (board, tail) = bytes.split_at(bytes.len() - TAIL);
        Record {
            board,
            turn: if tail[0] & 1 == 0 { Side::First } else { Side::Second },
            halves: (tail[0] >> 1 & 3).min(2),
            aside: tail[0] >> 3 & 1 == 1,
            idle: tail[1],
            worth: i16::from_le_bytes([tail[2], tail[3]]),
        }
    }

    /// Returns the flags. Bit 0: the side to move; bits 1 and 2: half points of the side to move; bit 3: held out.
    #[must_use]
    pub fn flags(&self) -> u8 {
        u8::from(self.turn == Side::Second) | self.halves << 1 | u8::from(self.aside) << 3
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.board);
        out.extend_from_slice(&[self.flags(), self.idle]);
        out.extend_from_slice(&self.worth.to_le_bytes());
    }
}

/// The selection of positions from games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pack {
    /// The maximal score in hundredths; positions beyond it are won anyway.
    pub most: i32,
    /// The maximal number of plies without progress; beyond it, a score says more about the move count than about the
    /// board.
    pub idle: u8,
    /// The inverse share of held-out games: one game in this number.
    pub aside: usize,
}

impl Default for Pack {
    fn default() -> Pack {
        Pack { most: 1500, idle: 40, aside: 50 }
    }
}

impl Pack {
    /// Writes the positions of the games in some files to one file; returns the numbers of positions written and of
    /// all.
    ///
    /// # Errors
    /// The fault in a file; games of other rules.
    pub fn write(
        &self,
        boards: &dyn Boards,
        rules: &Ruleset,
        games: &[&Path],
        out: &Path,
        watch: &mut dyn FnMut(usize),
    ) -> Result<[u64; 2], Problem> {
        let unwritten =
            |why: std::io::Error| Problem::new("learn-file").with("file", out.display()).with("text", why);
        let length = boards.board() + TAIL;
        let mut file = BufWriter::new(File::create(out).map_err(unwritten)?);
        let mut head = format!(
            "{MAGIC}\ngame {}\nrecord {}\nmost {}\nidle {}\naside {}\n",
            rules.key, length, self.most, self.idle, self.aside
        );
        for path in games {
            let plan = arena::journal::settings::<Plan>(path)?;
            if plan.game != rules.key || plan.options != rules.options {
                let problem = Problem::new("learn-other-game").with("file", path.display());
                return Err(problem.with("found", plan.game).with("game", &rules.key));
            }
            head.push_str(&format!("plan {}\n", plan.told()));
        }
        head.push('\n');
        file.write_all(head.as_bytes()).map_err(unwritten)?;
        let (mut count, mut taken, mut seen) = (0_usize, 0, 0);
        let mut records = Vec::new();
        for path in games {
            let mut failed = None;
            arena::journal::each::<Plan, Selfplay>(path, &mut |played| {
                records.clear();
                let aside = count.is_multiple_of(self.aside.max(2));
                let step = self
                    .take(boards, rules, &played, aside, &mut records)
                    .and_then(|()| file.write_all(&records).map_err(unwritten));
                count += 1;
                seen += played.moves.len() as u64;
                taken += (records.len() / length) as u64;
                watch(count);
                failed = step.err();
                failed.is_none()
            })?;
            if let Some(problem) = failed {
                return Err(problem);
            }
        }
        file.flush().map_err(unwritten)?;
        Ok([taken, seen])
    }

    /// Adds the records of one game.
    fn take(
        &self,
        boards: &dyn Boards,
        rules: &Ruleset,
        played: &Selfplay,
        aside: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let mut board = vec![0; boards.board()];
        let mut game = rules.play(None, &played.opening)?;
        let mut doubtful = played.doubtful.iter().copied().peekable();
        for (ply, (text, &worth)) in played.moves.iter().zip(&played.worth).enumerate() {
            let is_doubtful = doubtful.next_if_eq(&ply).is_some();
            if !is_doubtful
                && worth.abs() < self.most
                && let Some(idle) = boards.pack(game.as_ref(), text, &mut board)
                && idle <= self.idle
            {
                let turn = game.turn();
                let own = if turn == Side::First { played.result } else { -played.result };
                let halves = (1 + own.clamp(-1, 1)) as u8;
                let worth = worth as i16;
                Record { board: &board, turn, halves, aside, idle, worth }.write(out);
            }
            game.play(text).map_err(PlayError::problem)?;
        }
        Ok(())
    }
}

/// A file of positions that is read in blocks, in any order.
#[derive(Debug)]
pub struct Positions {
    file: File,
    name: String,
    /// The offset of the records in the file, in bytes.
    start: u64,
    /// The length of a record, in bytes.
    record: usize,
    /// The number of records.
    len: u64,
    plans: Vec<String>,
}

impl Positions {
    /// Opens a file of positions of that game.
    ///
    /// # Errors
    /// `learn-positions` with what is wrong with the file.
    pub fn open(path: &Path, game: &str, boards: &dyn Boards) -> Result<Positions, Problem> {
        let name = path.display().to_string();
        let wrong = |what: &dyn std::fmt::Display| {
            Problem::new("learn-positions").with("file", &name).with("text", what)
        };
        let mut file = File::open(path).map_err(|why| wrong(&why))?;
        let size = file.metadata().map_err(|why| wrong(&why))?.len();
        if size > MOST_BYTES {
            return Err(wrong(&format!("{size} bytes, {MOST_BYTES} at most")));
        }
        let mut head = Vec::new();
        (&mut file).take(MOST_HEAD as u64).read_to_end(&mut head).map_err(|why| wrong(&why))?;
        let (start, record) = read_head(&head, game).map_err(|what| wrong(&what))?;
        if record != boards.board() + TAIL {
            return Err(wrong(&format!("records of {record} bytes")));
        }
        let head = String::from_utf8_lossy(&head[..start as usize]);
        let plans = head.lines().filter_map(|line| line.strip_prefix("plan ")).map(str::to_owned).collect();
        let body = size - start;
        if body == 0 || !body.is_multiple_of(record as u64) {
            return Err(wrong(&format!("{body} bytes of records of {record}")));
        }
        Ok(Positions { file, name, start, record, len: body / record as u64, plans })
    }

    /// Returns the commands that play the games of the file again, in their order.
    #[must_use]
    pub fn plans(&self) -> &[String] {
        &self.plans
    }

    /// Returns the number of records.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the length of a record, in bytes.
    #[must_use]
    pub const fn record(&self) -> usize {
        self.record
    }

    /// Appends the bytes of `many` records, beginning with number `from`; fewer at the end of the file.
    ///
    /// # Errors
    /// `learn-positions`.
    pub fn read(&mut self, from: u64, many: u64, out: &mut Vec<u8>) -> Result<(), Problem> {
        let many = many.min(self.len.saturating_sub(from)) as usize;
        let old = out.len();
        out.resize(old + many * self.record, 0);
        let at = SeekFrom::Start(self.start + from * self.record as u64);
        let done = self.file.seek(at).and_then(|_| self.file.read_exact(&mut out[old..]));
        done.map_err(|why| Problem::new("learn-positions").with("file", &self.name).with("text", why))
    }

    /// Returns the SHA-256 of the records, in hexadecimal.
    ///
    /// # Errors
    /// `learn-positions`.
    pub fn hash(&mut self) -> Result<String, Problem> {
        let (mut hash, mut buffer) = (Sha256::new(), Vec::new());
        for from in (0..self.len).step_by(1 << 15) {
            buffer.clear();
            self.read(from, 1 << 15, &mut buffer)?;
            hash.update(&buffer);
        }
        Ok(hex(&hash.finalize()))
    }
}

/// Reads a file's head; returns the offset of the records and the length of each, in bytes.
///
/// # Errors
/// A sentence that names the fault of the head.
pub fn read_head(bytes: &[u8], game: &str) -> Result<(u64, usize), String> {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or("no head")?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| "no text in its head")?;
    let mut lines = head.lines();
    if lines.next() != Some(MAGIC) {
        return Err("not a file of positions".to_owned());
    }
    let of = |key: &str| lines.clone().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    if of("game") != Some(game) {
        return Err(format!("positions of {}, not of {game}", of("game").unwrap_or_default()));
    }
    let record = of("record").and_then(|number| number.parse().ok());
    let record = record.filter(|record| (TAIL + 1..=MOST_RECORD).contains(record));
    Ok((end as u64 + 2, record.ok_or("no length of a record")?))
}

/// Returns the SHA-256 of some bytes, in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
