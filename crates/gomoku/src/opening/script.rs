//! The state of an opening: its stones so far, the step, the offers.

use kernel::Side;

use super::shape::{STONES, shape};
use super::steps::{Ask, By, Choice, MOST_FIFTHS, Step, Zone};
use super::{Act, Opening};
use crate::{Gomoku, Point, Rule};

/// An opening in progress. Its few stones take the place of a whole board, so that the offers fit beside them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    pub opening: Opening,
    /// True if the first player plays White at present.
    pub swapped: bool,
    rule: Rule,
    passes: bool,
    drawn_at: u16, // stones
    files: u8,
    ranks: u8,
    at: u8, // index into the steps
    /// The number of fifth moves to be offered; 0 while it has not been declared.
    pub fifths: u8,
    stones: List<STONES>, // black, white, black …
    offers: List<{ MOST_FIFTHS as usize }>,
}

/// A few points in order.
#[derive(Clone, Copy, Debug)]
struct List<const N: usize> {
    points: [Point; N],
    len: u8,
}

impl<const N: usize> List<N> {
    const EMPTY: Self = List { points: [Point { row: 0, file: 0 }; N], len: 0 };

    fn as_slice(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    fn push(&mut self, at: Point) {
        self.points[usize::from(self.len)] = at;
        self.len += 1;
    }
}

/// The reasons a point may not be offered as a fifth move.
pub(crate) enum Refused {
    /// The point is offered already.
    Offered,
    /// The point leads to the same position as that offer.
    Same(Point),
}

impl Script {
    /// The first step on an empty board.
    pub fn new(opening: Opening, empty: &Gomoku) -> Self {
        Script {
            opening,
            swapped: false,
            rule: empty.rule(),
            passes: empty.has_passes(),
            drawn_at: empty.stone_limit().unwrap_or(0),
            files: empty.files(),
            ranks: empty.ranks(),
            at: 0,
            fifths: opening.fifths(),
            stones: List::EMPTY,
            offers: List::EMPTY,
        }
    }

    /// Returns the opening at that step, with those stones and offers, if it can reach that state.
    pub fn resume(
        mut self,
        at: usize,
        swapped: bool,
        fifths: u8,
        stones: &[Point],
        offers: &[Point],
    ) -> Option<Self> {
        let steps = self.opening.steps();
        let step = steps.get(at)?;
        let put = steps[..at].iter().filter(|step| matches!(step.ask, Ask::Stone(_))).count();
        // Ten fifth moves are offered instead of a fifth stone.
        let put = put.min(if matches!(step.ask, Ask::Offers | Ask::Pick) { STONES - 1 } else { STONES });
        let known = match self.opening.fifths() {
            0 => steps[..at].iter().find_map(|step| match step.ask {
                Ask::Choice(choices) if matches!(choices[0], Choice::Fifths(_)) => Some(choices.len()),
                _ => None,
            }),
            fixed => Some(usize::from(fixed)),
        };
        let fifths_fit = match known {
            None => fifths == 0,
            Some(most) if self.opening.fifths() == 0 => (1..=most).contains(&usize::from(fifths)),
            Some(fixed) => usize::from(fifths) == fixed,
        };
        let offers_fit = match step.ask {
            Ask::Offers => offers.len() < usize::from(fifths),
            Ask::Pick => offers.len() == usize::from(fifths),
            _ => offers.is_empty(),
        };
        if stones.len() != put || !fifths_fit || !offers_fit {
            return None;
        }
        self.at = at as u8;
        self.swapped = swapped;
        self.fifths = fifths;
        stones.iter().for_each(|&stone| self.stones.push(stone));
        for &offer in offers {
            if self.is_taken(offer) || self.refused(offer).is_some() {
                return None;
            }
            self.offers.push(offer);
        }
        Some(self)
    }

    /// Returns the current step of the opening.
    pub fn step(&self) -> &'static Step {
        &self.opening.steps()[usize::from(self.at)]
    }

    /// Returns the index of the current step.
    pub const fn at(&self) -> usize {
        self.at as usize
    }

    /// The stones so far, black and white in turn.
    pub fn stones(&self) -> &[Point] {
        self.stones.as_slice()
    }

    /// The colour of the next stone.
    pub fn next(&self) -> Side {
        Side::BOTH[self.stones().len() % 2]
    }

    /// The fifth moves offered so far, by rising point.
    pub fn offers(&self) -> Vec<Point> {
        let mut offers = self.offers.as_slice().to_vec();
        offers.sort_unstable();
        offers
    }

    /// Returns the board with the stones so far; the colour of the next stone is to move. Without the agreements on
    /// passes and draws: no opening ends a game.
    pub fn board(&self) -> Gomoku {
        self.put(
            Gomoku::new(self.rule, self.files, self.ranks)
                .expect("the opening began on a board of this size"),
        )
    }

    /// Returns the same board with the agreements on passes and draws.
    pub fn agreed(&self) -> Gomoku {
        let empty = Gomoku::new(self.rule, self.files, self.ranks);
        let empty = empty.expect("the opening began on a board of this size").drawn_at(self.drawn_at);
        self.put(if self.passes { empty.with_passes() } else { empty })
    }

    fn put(&self, mut board: Gomoku) -> Gomoku {
        self.stones().iter().for_each(|&at| board.put(at));
        board
    }

    /// The player who decides at a step.
    pub fn decides(&self, step: &Step) -> Side {
        let black = if self.swapped { Side::Second } else { Side::First };
        match step.by {
            By::Player(side) => side,
            By::Black => black,
            By::White => black.other(),
        }
    }

    /// Returns true if the last act was made by the player who decides now, so that the other player has not acted on
    /// it.
    pub fn withdraws(&self) -> bool {
        if self.offers.len > 0 {
            return matches!(self.step().ask, Ask::Offers);
        }
        self.step().part.0 > 1
    }

    /// The points that may be touched now, row by row.
    pub fn points(&self) -> Vec<Point> {
        match self.step().ask {
            Ask::Stone(zone) => self.empty().filter(|&at| self.lies(at, zone)).collect(),
            Ask::Offers => {
                let taken: Vec<_> = self.offers.as_slice().iter().filter_map(|&at| self.with(at)).collect();
                self.empty()
                    .filter(|&at| !self.with(at).is_some_and(|shape| taken.contains(&shape)))
                    .collect()
            }
            Ask::Pick => self.offers(),
            Ask::Choice(_) => Vec::new(),
        }
    }

    /// Returns true if that point may be touched now.
    pub fn allows(&self, at: Point) -> bool {
        match self.step().ask {
            Ask::Stone(zone) => !self.is_taken(at) && self.lies(at, zone),
            Ask::Offers => !self.is_taken(at) && self.refused(at).is_none(),
            Ask::Pick => self.offers.as_slice().contains(&at),
            Ask::Choice(_) => false,
        }
    }

    /// The choices there are now.
    pub fn choices(&self) -> &'static [Choice] {
        match self.step().ask {
            Ask::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// The middle of the board. Where there is none, the point right of it and below, as Gomocup's openings count.
    pub const fn centre(&self) -> Point {
        Point { row: self.ranks / 2, file: self.files / 2 }
    }

    /// Returns true if a point is in that zone.
    pub fn lies(&self, at: Point, zone: Zone) -> bool {
        let centre = self.centre();
        let distance = at.row.abs_diff(centre.row).max(at.file.abs_diff(centre.file));
        match zone {
            Zone::Anywhere => true,
            Zone::Within(most) => distance <= most,
            Zone::Beyond(least) => distance > least,
        }
    }

    /// Returns the reason that empty point cannot be offered; `None` if it can.
    pub fn refused(&self, at: Point) -> Option<Refused> {
        let offers = self.offers.as_slice();
        if offers.contains(&at) {
            return Some(Refused::Offered);
        }
        let shape = self.with(at);
        offers.iter().find(|&&offer| self.with(offer) == shape).map(|&offer| Refused::Same(offer))
    }

    /// The pattern that the four stones make with a fifth.
    fn with(&self, fifth: Point) -> Option<[u16; STONES]> {
        let &[one, two, three, four] = self.stones() else { return None };
        Some(shape([one, two, three, four, fifth]))
    }

    /// Plays `act`, which is one of the legal ones. Returns true if the opening is over.
    pub fn play(&mut self, act: Act) -> bool {
        let step = self.step();
        match act {
            Act::Pass => unreachable!("nobody passes in an opening"),
            Act::Choice(choice) => return self.choose(choice, step),
            Act::Stone(at) if step.ask == Ask::Offers => {
                self.offers.push(at);
                if self.offers.len < self.fifths {
                    return false;
                }
            }
            Act::Stone(at) => self.stones.push(at),
        }
        self.go_on(step)
    }

    fn choose(&mut self, choice: Choice, step: &Step) -> bool {
        let chooser = self.decides(step);
        match choice {
            Choice::Stay | Choice::Two => {}
            Choice::Swap => self.swapped = !self.swapped,
            Choice::Fifths(count) => self.fifths = count,
            Choice::Black | Choice::White => {
                let black = if choice == Choice::Black { chooser } else { chooser.other() };
                self.swapped = black == Side::Second;
                return true;
            }
            Choice::Ten => {
                let steps = self.opening.steps();
                let offers = steps.iter().position(|step| step.ask == Ask::Offers);
                self.at = offers.expect("who may offer has a step for it") as u8;
                return false;
            }
        }
        self.go_on(step)
    }

    const fn go_on(&mut self, step: &Step) -> bool {
        self.at += 1;
        step.last
    }

    /// Returns true if a stone stands there.
    pub fn is_taken(&self, at: Point) -> bool {
        self.stones().contains(&at)
    }

    fn empty(&self) -> impl Iterator<Item = Point> + '_ {
        let points = (0..self.ranks).flat_map(|row| (0..self.files).map(move |file| Point { row, file }));
        points.filter(|&at| !self.is_taken(at))
    }
}
