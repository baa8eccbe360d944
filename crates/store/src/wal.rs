//! Reader of the write-ahead log (WAL) of SQLite, which does not use SQLite.
//!
//! When SQLite opens a log it takes the whole part at the start and drops the rest silently. The rest may be a commit
//! that was being written when the machine stopped and was never acknowledged. It may also be commits that were
//! acknowledged, behind a damaged page; [`survey`] tells these from each other. The format:
//! <https://www.sqlite.org/fileformat2.html#walformat>.

use std::io::{self, Read};

/// The content of a write-ahead log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Survey {
    /// The file is empty or shorter than a header.
    Empty,
    /// The file does not begin as a log does.
    NoHeader,
    /// The log holds commits, whole or damaged.
    Commits {
        /// The number of commits that SQLite will find.
        whole: u64,
        /// The number of commits that end behind a damaged frame. One may have been unfinished; of two, the first was
        /// acknowledged.
        behind_damage: u64,
    },
}

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// Reads a log from its start. Takes as long as reading the file, and the memory of one page.
///
/// # Errors
/// An error when it cannot be read.
pub fn survey(mut log: impl Read) -> io::Result<Survey> {
    let mut header = [0; HEADER];
    if fill(&mut log, &mut header)? < HEADER {
        return Ok(Survey::Empty);
    }
    let page = word(&header, 8, Order::Big) as usize;
    let order = match word(&header, 0, Order::Big) {
        0x377f_0682 => Order::Little,
        0x377f_0683 => Order::Big,
        _ => return Ok(Survey::NoHeader),
    };
    let mut sum = add((0, 0), &header[..24], order);
    let is_page = page.is_power_of_two() && (512..=65_536).contains(&page);
    if !is_page || sum != (word(&header, 24, Order::Big), word(&header, 28, Order::Big)) {
        return Ok(Survey::NoHeader);
    }
    let (mut whole, mut behind_damage) = (0, 0);
    let mut is_whole = true;
    let mut frame = vec![0; FRAME_HEADER + page];
    while fill(&mut log, &mut frame)? == frame.len() {
        // Frames of the round before this one have other salts.
        if frame[8..16] != header[16..24] {
            is_whole = false;
            continue;
        }
        if is_whole {
            sum = add(add(sum, &frame[..8], order), &frame[FRAME_HEADER..], order);
            is_whole = sum == (word(&frame, 16, Order::Big), word(&frame, 20, Order::Big));
        }
        // The last frame of a commit says how large the database is.
        let ends_commit = word(&frame, 4, Order::Big) != 0;
        whole += u64::from(ends_commit && is_whole);
        behind_damage += u64::from(ends_commit && !is_whole);
    }
    Ok(Survey::Commits { whole, behind_damage })
}

#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
}

fn word(bytes: &[u8], at: usize, order: Order) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    match order {
        Order::Big => u32::from_be_bytes(four),
        Order::Little => u32::from_le_bytes(four),
    }
}

/// The running checksum after some more bytes, a multiple of eight.
fn add((mut a, mut b): (u32, u32), bytes: &[u8], order: Order) -> (u32, u32) {
    for at in (0..bytes.len()).step_by(8) {
        a = a.wrapping_add(word(bytes, at, order)).wrapping_add(b);
        b = b.wrapping_add(word(bytes, at + 4, order)).wrapping_add(a);
    }
    (a, b)
}

/// Fills `bytes` until they are full or the input ends; returns the number of bytes read.
fn fill(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match from.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(filled)
}
