//! Evaluations that are learned from the engine's own games as sums of weights, and the files of weights.
//!
//! An evaluation that can learn has a [`Linear`], which says which weights count in a position. The trainer (crate
//! `learn`) fits the weights to games. The result is kept in the `weights` folder of the evaluation's crate, which
//! reads it at first use.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::Compression;
use flate2::bufread::{ZlibDecoder, ZlibEncoder};
use kernel::{AnyGame, Problem, Side};

/// Training positions as *boards*: packed into so few bytes each that millions fit a disk.
pub trait Boards: Send + Sync {
    /// Returns the size of a packed board, in bytes.
    fn board(&self) -> usize;

    /// Packs the position into [`board`](Boards::board) bytes and returns the plies since the last irreversible
    /// change, 255 at most. `None`: nothing is learned from the position, as in the middle of an exchange, or where
    /// `next`, the best move found, is a capture.
    fn pack(&self, game: &dyn AnyGame, next: &str, out: &mut [u8]) -> Option<u8>;
}

/// An evaluation that is a sum of weights, as the trainer sees it.
///
/// Law: the sum of weight times count over [`features`](Linear::features) is the evaluator's score of the position,
/// except for terms that it adds beyond the weights; a test of each evaluation compares the two.
pub trait Linear: Boards {
    /// Returns the name of the layout, the number of weights and their unit.
    fn shape(&self) -> Shape;

    /// Appends the weights that count on a packed board, and how often each, seen from `turn`, the side to move: the
    /// sum of weight times count is the score in hundredths. A weight may be named twice. Returns `false` if the
    /// board is damaged; then nothing that was appended counts.
    fn features(&self, board: &[u8], turn: Side, out: &mut Vec<(u32, f32)>) -> bool;

    /// Validates weights, in the steps of their file: rejects those that the evaluation cannot work with.
    ///
    /// # Errors
    /// `weights-too-large` with the largest sum of these weights and the largest one possible.
    fn check(&self, _steps: &[i16]) -> Result<(), Problem> {
        Ok(())
    }

    /// Returns the built-in weights, in hundredths, from which further learning starts.
    fn now(&self) -> Vec<f32>;

    /// Returns the initial weights of learning, in hundredths. A weight that occurs in no game keeps its initial
    /// value.
    fn start(&self) -> Vec<f32> {
        vec![0.0; self.shape().weights]
    }
}

/// An evaluation that is a small network, as the trainer sees it: each side's view of the board is turned into sums
/// by the same weights; the sums, clipped to 0..1 and squared, make a score by a row of output weights.
pub trait Network: Boards {
    /// Returns the size of the network and the storage of its weights, in this order: inputs, sums, outputs (the
    /// mover's and the other's sums, row by row), rows.
    fn layout(&self) -> Layout;

    /// Writes the inputs that are active in the mover's view and in the other's; `None` for a damaged board.
    /// `exchanged`: the board with left and right exchanged, or otherwise changed so that it is worth the same.
    fn features(&self, board: &[u8], turn: Side, exchanged: bool, out: &mut [Vec<u16>; 2]) -> Option<Looked>;

    /// Returns the engine's score with these weights, for the side to move, in hundredths; `None` for another game.
    fn score(&self, weights: &Weights, game: &dyn AnyGame) -> Option<i32>;
}

/// The data about a board that a network uses besides its inputs.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Looked {
    /// The row of output weights to use.
    pub row: usize,
    /// The score of the evaluation beside the network, in hundredths for the side to move: the network learns what to
    /// add to it.
    pub base: f32,
}

/// The name, the number and the resolution of weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    /// The name of the layout. Weights of another layout are not read, so a change of what a weight means changes it.
    pub name: &'static str,
    /// The number of weights.
    pub weights: usize,
    /// The size of one step of the stored 16-bit numbers, in hundredths of a man.
    pub unit: f32,
}

/// The size of a [`Network`] and the storage of its weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layout {
    /// The name, number and unit of the weights in their file.
    pub shape: Shape,
    /// The number of inputs of a view.
    pub inputs: usize,
    /// The number of sums (hidden units) of a view.
    pub hidden: usize,
    /// The number of rows of output weights.
    pub rows: usize,
    /// The steps of the stored numbers that make 1: for inputs and sums, for outputs, for rows.
    pub steps: [i32; 3],
    /// The most steps of an input's weight or a sum's bias, and of an output weight.
    pub most: [i16; 2],
}

/// Weights, and where they come from.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// One number for each weight, in steps of the shape's unit.
    pub steps: Vec<i16>,
    /// The origin of the weights: the seed, the hash of the games, the command.
    pub origin: BTreeMap<String, String>,
}

/// The first line of each file.
const MAGIC: &str = "qiguan weights 2";
/// The longest header read, in bytes.
const MOST_HEAD: usize = 64 << 10;

impl Weights {
    /// Creates weights from values in hundredths of a man, rounded to the steps of `shape`; `origin` records their
    /// origin.
    #[must_use]
    pub fn of(shape: &Shape, hundredths: &[f32], origin: BTreeMap<String, String>) -> Weights {
        let step = |w: &f32| (w / shape.unit).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
        Weights { steps: hundredths.iter().map(step).collect(), origin }
    }

    /// Returns the weights in hundredths of a man.
    #[must_use]
    pub fn hundredths(&self, shape: &Shape) -> Vec<f32> {
        self.steps.iter().map(|&step| f32::from(step) * shape.unit).collect()
    }

    /// Returns the content of a weights file: lines of text that end with an empty one, then the packed numbers.
    #[must_use]
    pub fn write(&self, shape: &Shape) -> Vec<u8> {
        let mut head =
            format!("{MAGIC}\nname {}\ncount {}\nunit {}\n", shape.name, self.steps.len(), shape.unit);
        head.push_str(&format!("packed {PACKED}\n"));
        for (key, value) in &self.origin {
            // A line break inside would end the head early.
            head.push_str(&format!("{key} {}\n", value.replace(['\n', '\r'], " ")));
        }
        head.push('\n');
        let mut bytes = head.into_bytes();
        bytes.extend(packed(&self.steps));
        bytes
    }

    /// Reads a file of that shape.
    ///
    /// # Errors
    /// `weights-file` with what is wrong with it.
    pub fn read(shape: &Shape, bytes: &[u8]) -> Result<Weights, Problem> {
        let wrong = |what: &str| Problem::new("weights-file").with("name", shape.name).with("text", what);
        let end = bytes.windows(2).take(MOST_HEAD).position(|pair| pair == b"\n\n");
        let end = end.ok_or_else(|| wrong("no head"))?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| wrong("no text in its head"))?;
        let mut lines = head.lines();
        if lines.next() != Some(MAGIC) {
            return Err(wrong("not a file of weights"));
        }
        let line = |line: &str| line.split_once(' ').map(|(key, value)| (key.to_owned(), value.to_owned()));
        let mut origin: BTreeMap<String, String> = lines.filter_map(line).collect();
        for (key, wanted) in [
            ("name", shape.name.to_owned()),
            ("count", shape.weights.to_string()),
            ("unit", shape.unit.to_string()),
        ] {
            let found = origin.remove(key).unwrap_or_default();
            if found != wanted {
                return Err(wrong(&format!("{key} {found} instead of {wanted}")));
            }
        }
        let body = &bytes[end + 2..];
        if origin.remove("packed").as_deref() != Some(PACKED) {
            return Err(wrong("numbers that are packed in another way"));
        }
        let steps = unpacked(body, shape.weights).ok_or_else(|| wrong("its numbers are damaged"))?;
        Ok(Weights { steps, origin })
    }
}

/// The packing of the numbers: each number as groups of seven bits, the lowest first, its sign in the lowest bit;
/// then all of them compressed by zlib.
const PACKED: &str = "zlib";
/// The length of the longest number before compression, in bytes.
const A_NUMBER: u64 = 3;

fn packed(steps: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * steps.len());
    for &step in steps {
        let mut number = u32::from(step.unsigned_abs()) << 1 | u32::from(step < 0);
        while number >= 128 {
            bytes.push(number as u8 & 127 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    let mut out = Vec::new();
    // Reading from memory and writing to it cannot fail.
    let _ = ZlibEncoder::new(bytes.as_slice(), Compression::best()).read_to_end(&mut out);
    out
}

/// Unpacks `count` numbers; `None` if the data are damaged or hold another number of them.
fn unpacked(packed: &[u8], count: usize) -> Option<Vec<i16>> {
    let mut zlib = ZlibDecoder::new(packed);
    let mut bytes = Vec::new();
    zlib.by_ref().take(A_NUMBER * count as u64 + 1).read_to_end(&mut bytes).ok()?;
    if !zlib.into_inner().is_empty() {
        return None;
    }
    let mut bytes = bytes.into_iter();
    let mut number = || {
        let mut number = 0_u32;
        for shift in [0, 7, 14] {
            let byte = bytes.next()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                let size = i32::try_from(number >> 1).ok()?;
                return i16::try_from(if number & 1 == 1 { -size } else { size }).ok();
            }
        }
        None
    };
    let steps = (0..count).map(|_| number()).collect::<Option<Vec<i16>>>()?;
    bytes.next().is_none().then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { name: "test/one", weights: 3, unit: 0.25 };

    fn weights() -> Weights {
        let origin =
            BTreeMap::from([("seed".to_owned(), "7".to_owned()), ("command".to_owned(), "a b".to_owned())]);
        Weights::of(&SHAPE, &[1.0, -2.3, 1e9], origin)
    }

    #[test]
    fn weights_are_read_as_they_were_written() {
        let written = weights();
        assert_eq!(written.steps, [4, -9, i16::MAX]);
        assert_eq!(Weights::read(&SHAPE, &written.write(&SHAPE)), Ok(written));
    }

    /// A file whose weights are mostly 0 is short, and a damaged file is refused.
    #[test]
    fn nothing_takes_no_room() {
        let shape = Shape { weights: 100_000, ..SHAPE };
        let mut steps = vec![0; shape.weights];
        for (at, step) in [(0, 1), (1, -1), (300, i16::MAX), (70_000, i16::MIN + 1), (99_998, -64)] {
            steps[at] = step;
        }
        let sparse = Weights { steps, origin: BTreeMap::new() };
        let bytes = sparse.write(&shape);
        assert!(bytes.len() < 400, "{}", bytes.len());
        assert_eq!(Weights::read(&shape, &bytes), Ok(sparse.clone()));
        assert!(Weights::read(&Shape { weights: 99_998, ..shape }, &bytes).is_err());
        assert!(Weights::read(&shape, &bytes[..bytes.len() - 1]).is_err());
        assert!(Weights::read(&shape, &[&bytes[..], &[0]].concat()).is_err());
        let mut full = sparse;
        full.steps[99_999] = 5;
        assert_eq!(Weights::read(&shape, &full.write(&shape)), Ok(full));
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = weights().write(&SHAPE);
        for shape in
            [Shape { name: "test/two", ..SHAPE }, Shape { weights: 4, ..SHAPE }, Shape { unit: 0.5, ..SHAPE }]
        {
            assert!(Weights::read(&shape, &bytes).is_err(), "{shape:?}");
        }
        assert!(Weights::read(&SHAPE, &bytes[..bytes.len() - 1]).is_err());
        assert!(Weights::read(&SHAPE, &bytes[1..]).is_err());
        assert!(Weights::read(&SHAPE, b"").is_err());
    }
}
