//! Squares, and turns as they look from one turn to the next.
//!
//! A turn moves every stone by two steps across each other, and one stone by two more: so a stone is on squares of one
//! colour, as on a chessboard, whenever a turn begins, and two sides that began on different colours never meet there.
//! They meet half a step on: at the squares all stones are on after the first step, and the one a stone is on after the
//! fourth. Which of a side's turns are possible depends on whether the other side stands on those.

/// The number that stands for no square: one off the board.
pub(crate) const NONE: u8 = u8::MAX;

/// The stones of a side: squares of one colour by rising number, row by row from the top left, two columns to a number.
pub type Set<const K: usize> = [u8; K];

/// A square board with an even side.
#[derive(Clone, Debug)]
pub struct Board {
    size: u8,
    /// The squares beside a square, which have the other colour: up, down, left, right. By colour.
    beside: [Vec<[u8; 4]>; 2],
}

/// The colour of a square: whether column and row from 0 add up to an odd number.
#[must_use]
pub const fn colour(x: u8, y: u8) -> usize {
    ((x + y) % 2) as usize
}

impl Board {
    /// # Panics
    /// Panics if the size is odd, less than 4, or more than 12.
    #[must_use]
    pub fn new(size: u8) -> Board {
        assert!(size.is_multiple_of(2) && (4..=12).contains(&size), "a board of {size}x{size}");
        let mut board = Board { size, beside: [Vec::new(), Vec::new()] };
        for (colour, beside) in board.beside.iter_mut().enumerate() {
            *beside = (0..size * size / 2)
                .map(|number| {
                    let (x, y) = place(size, colour, number);
                    let number = |x: u8, y: u8| if x < size && y < size { (y * size + x) / 2 } else { NONE };
                    [
                        number(x, y.wrapping_sub(1)),
                        number(x, y + 1),
                        number(x.wrapping_sub(1), y),
                        number(x + 1, y),
                    ]
                })
                .collect();
        }
        board
    }

    /// Returns the number of columns, and of rows.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Returns the number of squares of each colour.
    #[must_use]
    pub const fn squares(&self) -> u8 {
        self.size * self.size / 2
    }

    /// The column and the row, from 0, of a square of that colour.
    #[must_use]
    pub fn place(&self, colour: usize, number: u8) -> (u8, u8) {
        place(self.size, colour, number)
    }

    /// The number of a square among those of its colour.
    #[must_use]
    pub const fn number(&self, x: u8, y: u8) -> u8 {
        (y * self.size + x) / 2
    }

    pub(crate) fn beside(&self, colour: usize, number: u8) -> &[u8; 4] {
        &self.beside[colour][usize::from(number)]
    }

    /// All stones one step on; `None` where one would leave the board. The order stays.
    pub(crate) fn shifted<const K: usize>(&self, colour: usize, set: &Set<K>, to: usize) -> Option<Set<K>> {
        let mut next = *set;
        for square in &mut next {
            *square = self.beside(colour, *square)[to];
            if *square == NONE {
                return None;
            }
        }
        Some(next)
    }

    /// Calls `each` with every turn of a side on squares of that colour that its own stones allow; the other side's
    /// are not looked at.
    pub(crate) fn turns<const K: usize>(&self, colour: usize, from: &Set<K>, mut each: impl FnMut(Turn<K>)) {
        for first in 0..4 {
            let Some(halfway) = self.shifted(colour, from, first) else { continue };
            for second in across(first) {
                let Some(shifted) = self.shifted(1 - colour, &halfway, second) else { continue };
                for chosen in 0..K {
                    for third in 0..4 {
                        let over = self.beside(colour, shifted[chosen])[third];
                        if over == NONE {
                            continue;
                        }
                        for fourth in across(third) {
                            let end = self.beside(1 - colour, over)[fourth];
                            if end != NONE && !shifted.contains(&end) {
                                each(Turn { halfway, over, to: with(shifted, chosen, end) });
                            }
                        }
                    }
                }
            }
        }
    }
}

fn place(size: u8, colour: usize, number: u8) -> (u8, u8) {
    let y = number / (size / 2);
    let x = number % (size / 2) * 2;
    (x + u8::from(self::colour(x, y) != colour), y)
}

/// The directions across a direction.
pub(crate) const fn across(direction: usize) -> [usize; 2] {
    if direction < 2 { [2, 3] } else { [0, 1] }
}

/// The set with another square instead of one of its own.
pub(crate) fn with<const K: usize>(mut set: Set<K>, which: usize, square: u8) -> Set<K> {
    set[which] = square;
    set.sort_unstable();
    set
}

/// A turn that the side's own stones allow.
pub(crate) struct Turn<const K: usize> {
    /// Squares of the other colour that the other side must not be on: all stones after the first step.
    pub(crate) halfway: Set<K>,
    /// The square of the other colour that one stone is on after the fourth step; the other side must not be on it
    /// either.
    pub(crate) over: u8,
    /// The stones after the turn.
    pub(crate) to: Set<K>,
}

/// The numbered sets of `K` squares out of a number of squares.
#[derive(Clone, Debug)]
pub struct Sets<const K: usize> {
    /// `ways[j][n]`: the ways to choose j + 1 of n.
    ways: [Vec<u32>; K],
    all: Vec<Set<K>>,
}

impl<const K: usize> Sets<K> {
    /// The sets of `K` out of `squares`.
    #[must_use]
    pub fn new(squares: u8) -> Sets<K> {
        let ways =
            std::array::from_fn(|j| (0..=u32::from(squares)).map(|n| choose(n, j as u32 + 1)).collect());
        let mut sets = Sets { ways, all: Vec::new() };
        sets.all = vec![[0; K]; choose(u32::from(squares), K as u32) as usize];
        let mut set: Set<K> = std::array::from_fn(|j| j as u8);
        loop {
            let number = sets.number(&set);
            sets.all[number] = set;
            // The next one, as an odometer turns.
            let Some(j) = (0..K).find(|&j| set[j] + 1 < *set.get(j + 1).unwrap_or(&squares)) else { break };
            set[j] += 1;
            for (lower, square) in set.iter_mut().enumerate().take(j) {
                *square = lower as u8;
            }
        }
        sets
    }

    /// Returns the number of sets.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The number of a set: the ways to choose 1 of its first square, 2 of its second, and so on, added up.
    #[must_use]
    pub fn number(&self, set: &Set<K>) -> usize {
        let mut number = 0;
        for (j, &square) in set.iter().enumerate() {
            number += self.ways[j][usize::from(square)];
        }
        number as usize
    }

    /// The set of that number.
    #[must_use]
    pub fn set(&self, number: usize) -> Set<K> {
        self.all[number]
    }
}

fn choose(n: u32, k: u32) -> u32 {
    (0..k).fold(1, |ways: u64, i| ways * u64::from(n.saturating_sub(i)) / u64::from(i + 1)) as u32
}
