//! Sets of points of one board, by the number of their cell.

/// Words enough for 26 rows of 26 points.
const WORDS: usize = 11;

/// A set of cells, below 704.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cells {
    words: [u64; WORDS],
}

impl Cells {
    /// The set without cells.
    pub const EMPTY: Cells = Cells { words: [0; WORDS] };

    /// Returns true if the cell is in the set.
    #[must_use]
    #[inline]
    pub const fn has(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Puts a cell into the set.
    #[inline]
    pub const fn put(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// Takes a cell out of the set.
    #[inline]
    pub const fn take(&mut self, at: usize) {
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// The cells of either set.
    #[must_use]
    #[inline]
    pub fn or(&self, other: &Cells) -> Cells {
        Cells { words: std::array::from_fn(|i| self.words[i] | other.words[i]) }
    }

    /// The cells of this set that are not in the other.
    #[must_use]
    #[inline]
    pub fn without(&self, other: &Cells) -> Cells {
        Cells { words: std::array::from_fn(|i| self.words[i] & !other.words[i]) }
    }

    /// Returns true if the set has no cell.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the number of cells in the set.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cell with the least number.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<usize> {
        let word = self.words.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.words[word].trailing_zeros() as usize)
    }

    /// The cells from the least number up.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let words = self.words;
        let mut rest = words[0];
        let mut word = 0;
        std::iter::from_fn(move || {
            while rest == 0 {
                word += 1;
                rest = *words.get(word)?;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(word * 64 + bit)
        })
    }
}

impl FromIterator<usize> for Cells {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Cells {
        let mut set = Cells::EMPTY;
        cells.into_iter().for_each(|at| set.put(at));
        set
    }
}
