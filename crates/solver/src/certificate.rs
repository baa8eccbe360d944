//! The result of a safety game as a file.
//!
//! | bytes | what |
//! |---|---|
//! | 24 | `qiguan safety game 1` and line feeds |
//! | 1, 1, 1, 1 | side of the board, stones of each side, side of the formations' square, 1 when no further round changes anything |
//! | 4 | rounds that were played |
//! | 4 | number of formations that follow |
//! | 2 x stones, 4, … | each formation: column and row of each stone from 0; the length of its row; its row, by `deflate` |
//!
//! Numbers are little-endian. A row has a bit for every set of the attacker's stones, set where the defender is safe with the
//! attacker to move. The defender's squares are those whose column and row add up to an odd number, the attacker's the
//! others. Squares of a colour are numbered row by row from the top left, from 0; the set {a < b < c < d} has the number
//! C(a,1) + C(b,2) + C(c,3) + C(d,4). Bit n is bit n % 8 of byte n / 8. Formations that are pictures of an earlier one in
//! a diagonal or by half a turn are left out.

use std::io::{self, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::safety::{DEFENDER, Safety};

/// The first bytes of the file.
pub const MARK: &[u8; 24] = b"qiguan safety game 1\n\n\n\n";
/// The most bytes of a row that are read: all sets of four stones on half a board of 12x12.
const MOST_ROW: usize = 1_028_790_usize.div_ceil(8);

/// Writes what is safe after the rounds that were played; `is_final` when a further one would change nothing.
///
/// # Errors
/// The errors of the writer.
pub fn write<const K: usize>(
    safety: &Safety<K>,
    side: u8,
    is_final: bool,
    to: &mut impl Write,
) -> io::Result<()> {
    to.write_all(MARK)?;
    to.write_all(&[safety.board().size(), K as u8, side, u8::from(is_final)])?;
    to.write_all(&safety.rounds().to_le_bytes())?;
    to.write_all(&(safety.originals().count() as u32).to_le_bytes())?;
    let bytes = safety.sets().count().div_ceil(8);
    for (set, row) in safety.originals() {
        for (x, y) in set.map(|square| safety.board().place(DEFENDER, square)) {
            to.write_all(&[x, y])?;
        }
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
        let row: Vec<u8> = row.iter().flat_map(|word| word.to_le_bytes()).take(bytes).collect();
        packed.write_all(&row)?;
        let packed = packed.finish()?;
        to.write_all(&(packed.len() as u32).to_le_bytes())?;
        to.write_all(&packed)?;
    }
    to.flush()
}

/// A certificate that was read.
#[derive(Debug)]
pub struct Certificate {
    /// Columns and rows of the board.
    pub size: u8,
    /// Stones of each side.
    pub stones: u8,
    /// The number of columns and rows of the square that formations fit into.
    pub side: u8,
    /// True if a further round would change nothing: what is safe is safe for ever.
    pub is_final: bool,
    /// The number of rounds played: what is safe is safe for that many turns of the attacker.
    pub rounds: u32,
    /// A row for each formation.
    pub rows: Vec<Row>,
}

/// The safe sets of the attacker's stones against one formation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Column and row of each stone, from 0.
    pub formation: Vec<(u8, u8)>,
    /// A bit for every set of the attacker's stones.
    pub bits: Vec<u8>,
}

/// Reads a certificate that takes at most `most` bytes of memory. All formations of a square of 6 on a board of 12x12
/// take 1.9 GB.
///
/// # Errors
/// Fails when the bytes are no certificate, end too early, take more memory than `most`, or contradict themselves.
pub fn read(from: impl Read, most: u64) -> io::Result<Certificate> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut from = BufReader::new(from);
    let mut head = [0; 36];
    from.read_exact(&mut head)?;
    if &head[..24] != MARK {
        return Err(wrong("this is no certificate of a safety game".to_owned()));
    }
    let [size, stones, side, is_final] = [head[24], head[25], head[26], head[27]];
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (rounds, count) = (number(28), number(32));
    if !size.is_multiple_of(2) || !(4..=12).contains(&size) || !(2..=4).contains(&stones) || count > 1 << 20 {
        return Err(wrong(format!("a board of {size}x{size} with {stones} stones and {count} formations")));
    }
    let sets = (1..=u64::from(stones)).fold(1, |ways, j| ways * (u64::from(size * size / 2) - j + 1) / j);
    let bytes = (sets as usize).div_ceil(8);
    let needed = u64::from(count) * (bytes as u64 + 64);
    if needed > most {
        let mb = |bytes: u64| bytes / 1_000_000;
        return Err(wrong(format!("it takes {} MB of memory, and {} MB may be used", mb(needed), mb(most))));
    }
    let mut rows = Vec::new();
    for n in 0..count {
        let mut places = vec![0; usize::from(stones) * 2];
        from.read_exact(&mut places)?;
        let places: Vec<(u8, u8)> = places.chunks(2).map(|place| (place[0], place[1])).collect();
        if let Some((x, y)) = places.iter().find(|(x, y)| *x >= size || *y >= size) {
            return Err(wrong(format!("formation {n}: a stone in column {x} and row {y} of {size}, from 0")));
        }
        let mut length = [0; 4];
        from.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > 2 * MOST_ROW {
            return Err(wrong(format!("formation {n}: a row of {length} bytes")));
        }
        let mut packed = vec![0; length];
        from.read_exact(&mut packed)?;
        let mut row = Vec::with_capacity(bytes);
        DeflateDecoder::new(&*packed).take(bytes as u64 + 1).read_to_end(&mut row)?;
        if row.len() != bytes {
            return Err(wrong(format!("formation {n}: {} bytes instead of {bytes}", row.len())));
        }
        rows.push(Row { formation: places, bits: row });
    }
    Ok(Certificate { size, stones, side, is_final: is_final == 1, rounds, rows })
}
