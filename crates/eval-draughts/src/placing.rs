//! The placings of one side's pieces, numbered without gaps, for the endgame tables.
//!
//! Squares are seen by their own side, which plays up the board: numbers from 0, row by row from the top left. The other
//! side's are turned by 180°.

use draughts::{Colour, Draughts, Rules, Square, direction};

use super::endings::{VIEW, places};

/// The most pieces of one side, plus one.
const SIDE: usize = 4;
/// The most squares, plus one.
const SQUARES: usize = 73;

/// The board: its lines, and the numbers of sets of squares.
#[derive(Clone, Debug)]
pub(super) struct Ground<R: Rules> {
    /// The number of sets of k squares among n, as `choose[n][k]`.
    choose: [[u32; SIDE + 1]; SQUARES],
    /// The squares a man comes from, by the square it comes to.
    behind: Vec<Vec<u8>>,
    /// The squares a king comes from, by the square it comes to: lines, nearest first.
    lines: Vec<Vec<Vec<u8>>>,
    /// Squares of a row: men never stand on the last one.
    row: usize,
    rules: std::marker::PhantomData<R>,
}

/// The numbers of men and kings of one side, and all their placings.
pub(super) struct Group<R: Rules> {
    men: usize,
    kings: usize,
    pub(super) places: Vec<Placing<R>>,
}

/// The squares of one side's pieces; an invalid placing if two would stand on one square.
pub(super) struct Placing<R: Rules> {
    /// The men, then the kings, each by rising square.
    squares: [u8; SIDE],
    clash: bool,
    men: R::Bits,
    kings: R::Bits,
    /// The same, as the other side sees it.
    turned_men: R::Bits,
    turned_kings: R::Bits,
    /// The occupied squares as bits, by their numbers.
    filled: u128,
    turned: u128,
}

/// Returns the numbers of men and kings that a side can have among `pieces` on the board when the other side has at
/// least one.
pub(super) fn groups(pieces: usize) -> Vec<(usize, usize)> {
    let most = pieces.saturating_sub(1);
    let all = (0..=most).flat_map(|men| (0..=most).map(move |kings| (men, kings)));
    all.filter(|&(men, kings)| (1..=most).contains(&(men + kings))).collect()
}

impl<R: Rules> Ground<R> {
    pub(super) fn new() -> Ground<R> {
        let mut choose = [[0; SIDE + 1]; SQUARES];
        for n in 0..SQUARES {
            choose[n][0] = 1;
            for k in 1..=SIDE.min(n) {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        let all = || (1..=places::<R>() as u8).filter_map(Square::new::<R>);
        let line = |from: Square, d: u8, flies: bool| {
            let most = if flies { usize::from(R::SIDE) } else { 1 };
            let next = move |at: &Square| step::<R>(*at, d);
            let line = std::iter::successors(next(&from), next).take(most);
            line.map(|at| at.number() - 1).collect::<Vec<u8>>()
        };
        let each = |set: u8| (0..8).filter(move |d| set >> d & 1 == 1);
        let back = |d: u8| d ^ 4;
        Ground {
            choose,
            behind: all()
                .map(|at| each(R::MAN_MOVES).flat_map(|d| line(at, back(d), false)).collect())
                .collect(),
            lines: all().map(|at| each(R::KING_MOVES).map(|d| line(at, d, R::FLYING)).collect()).collect(),
            row: (1..=R::SIDE)
                .find(|&n| Square::new::<R>(n + 1).is_none_or(|at| at.row::<R>() > 0))
                .map_or(0, usize::from),
            rules: std::marker::PhantomData,
        }
    }

    /// Returns the number of placings of that many men and kings of a side.
    pub(super) fn size(&self, men: usize, kings: usize) -> usize {
        let all = places::<R>();
        self.choose[all - self.row][men] as usize * self.choose[all][kings] as usize
    }

    /// The number of a set of squares, which rise.
    fn set(&self, squares: impl Iterator<Item = usize>) -> usize {
        squares.enumerate().map(|(i, at)| self.choose[at][i + 1] as usize).sum()
    }

    /// Returns the number of a placing from those of its set of men and its set of kings, of which there are `kings`.
    fn number(&self, kings: usize, men_set: usize, king_set: usize) -> usize {
        men_set * self.choose[places::<R>()][kings] as usize + king_set
    }

    /// Returns the number of the placing of a colour's pieces.
    pub(super) fn index(&self, pos: &Draughts<R>, colour: Colour) -> usize {
        let last = places::<R>() - 1;
        let (mut squares, mut men, mut kings) = ([0; SIDE], 0, 0);
        for at in pos.men(colour) {
            squares[men] = usize::from(at.number()) - 1;
            men += 1;
        }
        for at in pos.kings(colour) {
            squares[men + kings] = usize::from(at.number()) - 1;
            kings += 1;
        }
        if colour != VIEW {
            squares[..men + kings].iter_mut().for_each(|at| *at = last - *at);
            squares[..men].reverse();
            squares[men..men + kings].reverse();
        }
        let men_set = self.set(squares[..men].iter().map(|at| at - self.row));
        self.number(kings, men_set, self.set(squares[men..men + kings].iter().copied()))
    }

    /// Returns all sets of `count` squares from `first` on, by number.
    fn sets(&self, first: usize, count: usize) -> Vec<Vec<u8>> {
        let mut sets = vec![Vec::new()];
        for _ in 0..count {
            let longer = |set: &Vec<u8>| {
                let from = set.last().map_or(first, |&at| usize::from(at) + 1);
                let set = set.clone();
                (from..places::<R>()).map(move |at| [&set[..], &[at as u8]].concat())
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        sets.sort_by_key(|set| self.set(set.iter().map(|&at| usize::from(at) - first)));
        sets
    }

    pub(super) fn group(&self, men: usize, kings: usize) -> Group<R> {
        let (men_sets, king_sets) = (self.sets(self.row, men), self.sets(0, kings));
        let placing = |m: &Vec<u8>, k: &Vec<u8>| Placing::new(m, k);
        let places = men_sets.iter().flat_map(|m| king_sets.iter().map(move |k| placing(m, k))).collect();
        Group { men, kings, places }
    }

    /// Writes the numbers of the placings from which a quiet move of one of these pieces leads to the current one,
    /// while the others stand there; returns how many there are.
    pub(super) fn before(
        &self,
        group: &Group<R>,
        now: usize,
        others: &Placing<R>,
        out: &mut [u32; 128],
    ) -> usize {
        let placing = &group.places[now];
        let filled = placing.filled | others.turned;
        let is_empty = |at: u8| filled >> at & 1 == 0;
        let (men, kings, count) = (group.men, group.kings, group.count());
        let set = |list: &[u8], shift: usize| self.set(list.iter().map(|&at| usize::from(at) - shift));
        let men_set = set(&placing.squares[..men], self.row);
        let king_set = set(&placing.squares[men..count], 0);
        let mut found = 0;
        for i in 0..men {
            for &from in &self.behind[usize::from(placing.squares[i])] {
                if is_empty(from) && usize::from(from) >= self.row {
                    let set = set(&replaced(&placing.squares, 0..men, i, from)[..men], self.row);
                    out[found] = self.number(kings, set, king_set) as u32;
                    found += 1;
                }
            }
        }
        for i in men..count {
            for line in &self.lines[usize::from(placing.squares[i])] {
                for &from in line.iter().take_while(|&&at| is_empty(at)) {
                    let set = set(&replaced(&placing.squares, men..count, i, from)[men..count], 0);
                    out[found] = self.number(kings, men_set, set) as u32;
                    found += 1;
                }
            }
        }
        found
    }
}

/// The list with its `i`th square replaced, rising again within `range`.
fn replaced(squares: &[u8; SIDE], range: std::ops::Range<usize>, i: usize, from: u8) -> [u8; SIDE] {
    let mut list = *squares;
    let mut i = i;
    list[i] = from;
    while i + 1 < range.end && list[i] > list[i + 1] {
        list.swap(i, i + 1);
        i += 1;
    }
    while i > range.start && list[i] < list[i - 1] {
        list.swap(i, i - 1);
        i -= 1;
    }
    list
}

/// The next square that is played on in direction `1 << d`.
fn step<R: Rules>(from: Square, d: u8) -> Option<Square> {
    let (file, row) = match 1 << d {
        direction::N => (0, -1),
        direction::NE => (1, -1),
        direction::E => (1, 0),
        direction::SE => (1, 1),
        direction::S => (0, 1),
        direction::SW => (-1, 1),
        direction::W => (-1, 0),
        _ => (-1, -1),
    };
    let to = |at: u8, by: i8| at.checked_add_signed(by);
    Square::at::<R>(to(from.file::<R>(), file)?, to(from.row::<R>(), row)?)
}

impl<R: Rules> Group<R> {
    /// Returns the number of pieces.
    pub(super) fn count(&self) -> usize {
        self.men + self.kings
    }
}

impl<R: Rules> Placing<R> {
    fn new(men: &[u8], kings: &[u8]) -> Placing<R> {
        let last = places::<R>() as u8 - 1;
        let bits = |list: &[u8], turned: bool| {
            let at = |&n: &u8| Square::new::<R>(if turned { last - n } else { n } + 1).expect("on the board");
            list.iter().map(at).fold(<R::Bits as draughts::Bits>::NONE, |set, at| set | at.set::<R>())
        };
        let list = [men, kings].concat();
        let mut squares = [0; SIDE];
        squares[..list.len()].copy_from_slice(&list);
        Placing {
            squares,
            clash: men.iter().any(|at| kings.contains(at)),
            men: bits(men, false),
            kings: bits(kings, false),
            turned_men: bits(men, true),
            turned_kings: bits(kings, true),
            filled: list.iter().fold(0, |set, at| set | 1 << at),
            turned: list.iter().fold(0, |set, at| set | 1 << (last - at)),
        }
    }

    /// The position with these pieces to move against those; `None` where there is none.
    pub(super) fn against(&self, them: &Placing<R>) -> Option<Draughts<R>> {
        if self.clash || them.clash || self.filled & them.turned != 0 {
            return None;
        }
        let kings = self.kings | them.turned_kings;
        Some(Draughts::of(VIEW, self.men | self.kings, them.turned_men | them.turned_kings, kings))
    }
}
