//! Classes of stones along one line: one for each empty point, direction and colour.
//!
//! Only the points within reach of a row of five count, so a class depends on a short *key*, and every class is worked
//! out once, from the definitions below and nothing else, into a table:
//!
//! ```text
//!   . X . X p . O . . |     p: the empty point asked about; five points to each side (four in freestyle, where what
//!   └────────┘ └────────┘   lies beside a five does not matter), two bits each: empty, black, white, off the board
//! ```
//!
//! A class says how many stones more are needed and how the opponent could stop it. With the stone on p:
//!
//! - *five* wins at once by the rule played;
//! - *four*: one stone more makes five; *open four*: wherever the opponent answers, one still does;
//! - *three*: one stone more makes an open four; *strong three*: that stone has two places or more;
//! - *blocked three*: one stone more makes a four, but no open one;
//! - *two*, *strong two*, *blocked two*: the same, one stone earlier; *one*: anything earlier that is not *dead*;
//! - *overline* and *double four* are forbidden to Black in renju.

use std::sync::LazyLock;

use ::gomoku::Rule;
use kernel::Side;

/// The effect of a stone along one line. In this order a later class is worth more, up to [`Class::Five`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// The line can no longer become five.
    Dead,
    /// The line could be five with four stones more.
    One,
    /// Two stones more make a four.
    BlockedTwo,
    /// One stone more makes a three.
    Two,
    /// One stone more makes a strong three.
    StrongTwo,
    /// One stone more makes a four.
    BlockedThree,
    /// One stone more, in one place, makes an open four.
    Three,
    /// One stone more, in one of several places, makes an open four.
    StrongThree,
    /// One stone more makes five.
    Four,
    /// One stone more makes five, wherever the opponent answers.
    OpenFour,
    /// The stone wins.
    Five,
    /// Renju's Black: six or more.
    Overline,
    /// Renju's Black: two fours in one line.
    DoubleFour,
}

impl Class {
    /// Every class, in order.
    pub const ALL: [Class; 13] = [
        Class::Dead,
        Class::One,
        Class::BlockedTwo,
        Class::Two,
        Class::StrongTwo,
        Class::BlockedThree,
        Class::Three,
        Class::StrongThree,
        Class::Four,
        Class::OpenFour,
        Class::Five,
        Class::Overline,
        Class::DoubleFour,
    ];

    /// Returns the class with that number. Only for numbers from our tables: those beyond the last are no class.
    #[must_use]
    pub const fn numbered(number: u8) -> Class {
        Class::ALL[number as usize]
    }
}

/// The rows of five one colour wins with, and the rows forbidden to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Winning {
    /// Six or more are no five.
    exact: bool,
    /// A five between two stones of the opponent is none.
    unblocked: bool,
    /// Overlines and double fours lose.
    forbids: bool,
}

impl Winning {
    const fn of(rule: Rule, side: Side) -> Winning {
        let (exact, unblocked, forbids) = match (rule, side) {
            (Rule::Freestyle, _) | (Rule::Renju, Side::Second) => (false, false, false),
            (Rule::Standard, _) => (true, false, false),
            (Rule::Renju, Side::First) => (true, false, true),
            (Rule::Caro, _) => (false, true, false),
            (Rule::CaroExact, _) => (true, true, false),
        };
        Winning { exact, unblocked, forbids }
    }
}

/// The classes of one rule, by key: Black's in the low four bits, White's in the high four.
pub(super) struct Classes {
    table: Box<[u8]>,
    /// Points looked at on each side.
    pub(super) reach: usize,
}

impl Classes {
    /// Returns the table of a rule; computed at the first call, in some hundredths of a second.
    pub(super) fn of(rule: Rule) -> &'static Classes {
        static TABLES: [LazyLock<Classes>; 5] = [
            LazyLock::new(|| Classes::build(Rule::Freestyle)),
            LazyLock::new(|| Classes::build(Rule::Standard)),
            LazyLock::new(|| Classes::build(Rule::Renju)),
            LazyLock::new(|| Classes::build(Rule::Caro)),
            LazyLock::new(|| Classes::build(Rule::CaroExact)),
        ];
        &TABLES[rule as usize]
    }

    /// The two classes of a key.
    #[inline]
    pub(super) fn at(&self, key: usize) -> u8 {
        self.table[key]
    }

    /// Returns the classes of all keys, where `REACH` points are looked at on each side.
    #[inline]
    pub(super) fn all<const REACH: usize>(&self) -> &[u8] {
        &self.table[..1 << (4 * REACH)]
    }

    fn build(rule: Rule) -> Classes {
        let reach = if rule == Rule::Freestyle { 4 } else { 5 };
        let mut lines = Side::BOTH.map(|side| Lines::new(Winning::of(rule, side), reach));
        let mut table = vec![0; 1 << (4 * reach)].into_boxed_slice();
        for behind in 0..=reach {
            for ahead in 0..=reach {
                let open = 2 * reach - behind - ahead;
                let walls = filled(WALL, behind) | filled(WALL, ahead) << (2 * (2 * reach - ahead));
                for number in 0..3_usize.pow(open as u32) {
                    let black_view = walls | spread(number, open) << (2 * behind);
                    let black = lines[0].class(black_view);
                    let white = lines[1].class(exchanged(black_view));
                    table[black_view] = black as u8 | (white as u8) << 4;
                }
            }
        }
        Classes { table, reach }
    }
}

/// The contents of a point of a key.
pub(super) const EMPTY: usize = 0;
const OWN: usize = 1;
const OTHER: usize = 2;
pub(super) const WALL: usize = 3;

/// Returns `points` points of the same content, as part of a key.
const fn filled(content: usize, points: usize) -> usize {
    let (mut key, mut i) = (0, 0);
    while i < points {
        key |= content << (2 * i);
        i += 1;
    }
    key
}

/// A number in base three as points of a key.
fn spread(mut number: usize, points: usize) -> usize {
    let mut key = 0;
    for i in 0..points {
        key |= (number % 3) << (2 * i);
        number /= 3;
    }
    key
}

/// The key with the colours exchanged: 1 and 2 swap, 0 and 3 stay.
const fn exchanged(key: usize) -> usize {
    const LOW: usize = 0x5555_5555;
    (key >> 1 & LOW) | (key & LOW) << 1
}

/// The computation of classes from one colour's view, each key once.
struct Lines {
    winning: Winning,
    reach: usize,
    known: Vec<u8>,
}

const UNKNOWN: u8 = 0xFF;

/// A key unfolded: the points from one end to the other, the stone asked about in the middle.
type Points = [usize; 11];

impl Lines {
    fn new(winning: Winning, reach: usize) -> Lines {
        Lines { winning, reach, known: vec![UNKNOWN; 1 << (4 * reach)] }
    }

    fn class(&mut self, key: usize) -> Class {
        if self.known[key] == UNKNOWN {
            self.known[key] = self.work_out(key) as u8;
        }
        Class::numbered(self.known[key])
    }

    fn work_out(&mut self, key: usize) -> Class {
        let mut points = self.points(key);
        if self.wins(&points) {
            return Class::Five;
        }
        if self.winning.forbids && self.row(&points).len() > 5 {
            return Class::Overline;
        }
        let fives = self.completions(&mut points);
        if !fives.is_empty() {
            return self.four(&mut points, &fives);
        }
        // What one stone more would make of it.
        let next: Vec<Class> = self
            .near()
            .filter(|&at| points[at] == EMPTY)
            .map(|at| key | OWN << (2 * self.place(at)))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|key| self.class(key))
            .collect();
        let count = |wanted: &[Class]| next.iter().filter(|class| wanted.contains(class)).count();
        match count(&[Class::OpenFour]) {
            0 => {}
            1 => return Class::Three,
            _ => return Class::StrongThree,
        }
        if count(&[Class::Four]) > 0 {
            Class::BlockedThree
        } else if count(&[Class::StrongThree]) > 0 {
            Class::StrongTwo
        } else if count(&[Class::Three]) > 0 {
            Class::Two
        } else if count(&[Class::BlockedThree]) > 0 {
            Class::BlockedTwo
        } else if count(&[Class::StrongTwo, Class::Two, Class::BlockedTwo]) > 0 {
            Class::One
        } else {
            Class::Dead
        }
    }

    /// Returns the kind of four, when a stone on any of `fives` makes five.
    fn four(&self, points: &mut Points, fives: &[usize]) -> Class {
        if self.winning.forbids {
            // The same four stones, completed at either end, are one four: the straight one.
            let mut fours: Vec<Vec<usize>> = fives.iter().map(|&at| self.stones_of(points, at)).collect();
            fours.dedup();
            return match (fours.len(), fives.len()) {
                (1, 1) => Class::Four,
                (1, _) => Class::OpenFour,
                _ => Class::DoubleFour,
            };
        }
        let stopped = |at: usize, points: &mut Points| {
            points[at] = OTHER;
            let stopped = self.completions(points).is_empty();
            points[at] = EMPTY;
            stopped
        };
        let empty: Vec<usize> = (0..=2 * self.reach).filter(|&at| points[at] == EMPTY).collect();
        if empty.into_iter().any(|at| stopped(at, points)) { Class::Four } else { Class::OpenFour }
    }

    /// The four stones that a stone at `at` makes five.
    fn stones_of(&self, points: &mut Points, at: usize) -> Vec<usize> {
        points[at] = OWN;
        let row = self.row(points).filter(|&stone| stone != at).collect();
        points[at] = EMPTY;
        row
    }

    /// The empty points where a stone makes five with the middle one.
    fn completions(&self, points: &mut Points) -> Vec<usize> {
        let mut found = Vec::new();
        for at in self.near() {
            if points[at] == EMPTY {
                points[at] = OWN;
                if self.wins(points) {
                    found.push(at);
                }
                points[at] = EMPTY;
            }
        }
        found
    }

    fn wins(&self, points: &Points) -> bool {
        let row = self.row(points);
        match row.len() {
            5 if self.winning.unblocked => {
                let blocked = |at: Option<usize>| at.is_some_and(|at| points[at] == OTHER);
                // A row of five that holds the middle ends within reach.
                !(blocked(row.start.checked_sub(1)) && blocked(Some(row.end)))
            }
            5 => true,
            longer => longer > 5 && !self.winning.exact,
        }
    }

    /// The unbroken row through the middle.
    fn row(&self, points: &Points) -> std::ops::Range<usize> {
        let own = |at: &usize| points[*at] == OWN;
        let behind = (0..self.reach).rev().take_while(own).count();
        let ahead = (self.reach + 1..=2 * self.reach).take_while(own).count();
        self.reach - behind..self.reach + 1 + ahead
    }

    /// The points within four of the middle.
    fn near(&self) -> impl Iterator<Item = usize> + use<> {
        let middle = self.reach;
        (middle - 4..=middle + 4).filter(move |&at| at != middle)
    }

    fn points(&self, key: usize) -> Points {
        let mut points = [WALL; 11];
        for at in (0..=2 * self.reach).filter(|&at| at != self.reach) {
            points[at] = key >> (2 * self.place(at)) & 3;
        }
        points[self.reach] = OWN;
        points
    }

    /// The place of a point in a key, which leaves the middle out.
    const fn place(&self, at: usize) -> usize {
        if at > self.reach { at - 1 } else { at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class of the point `p` in a picture of a line, for X; outside it is off the board.
    fn class(rule: Rule, side: Side, picture: &str) -> Class {
        let classes = Classes::of(rule);
        let middle = picture.find('p').expect("a point is asked about") as isize;
        let reach = classes.reach as isize;
        let (own, other) = if side == Side::First { (1, 2) } else { (2, 1) };
        let key = (-reach..=reach).filter(|&i| i != 0).enumerate().fold(0, |key, (place, i)| {
            let content = match usize::try_from(middle + i).ok().and_then(|at| picture.as_bytes().get(at)) {
                Some(b'.') => EMPTY,
                Some(b'X') => own,
                Some(b'O') => other,
                _ => WALL,
            };
            key | content << (2 * place)
        });
        let both = classes.at(key);
        Class::numbered(if side == Side::First { both & 15 } else { both >> 4 })
    }

    #[test]
    fn classes_by_picture() {
        use Class::*;
        use Rule::*;
        let rows = [
            ("......XXXXp.....", [Five, Five, Five]),
            (".....XXXXXp.....", [Five, Dead, Overline]),
            ("......XXXpX.....", [Five, Five, Five]),
            ("......XXXp......", [OpenFour, OpenFour, OpenFour]),
            ("......XXpX......", [OpenFour, OpenFour, OpenFour]),
            ("....X.XpX.......", [Four, Four, Four]),
            (".....OXXXp......", [Four, Four, Four]),
            ("XXXp......", [Four, Four, Four]),
            ("......XpX.X.....", [Four, Four, Four]),
            ("....XX.pX.XX....", [OpenFour, OpenFour, DoubleFour]),
            ("...XXX.p.XXX....", [OpenFour, OpenFour, DoubleFour]),
            (".....X.XpX.X....", [OpenFour, OpenFour, DoubleFour]),
            ("......XXp.......", [StrongThree, StrongThree, StrongThree]),
            (".....O.XXp.O....", [BlockedThree, BlockedThree, BlockedThree]),
            (".....O.XXp..O...", [Three, Three, Three]),
            ("......X.Xp......", [Three, Three, Three]),
            ("....O.X.Xp......", [Three, Three, Three]),
            ("....OXX.p.......", [BlockedThree, BlockedThree, BlockedThree]),
            (".......Xp.......", [StrongTwo, StrongTwo, StrongTwo]),
            ("......OXp.......", [BlockedTwo, BlockedTwo, BlockedTwo]),
            (".......p........", [One, One, One]),
            (".......pO.......", [One, One, One]),
            ("...O...pO.......", [Dead, Dead, Dead]),
            ("...O..p.O.......", [Dead, Dead, Dead]),
        ];
        for (picture, wanted) in rows {
            for (rule, wanted) in [Freestyle, Standard, Renju].into_iter().zip(wanted) {
                assert_eq!(class(rule, Side::First, picture), wanted, "{picture} {rule:?}");
            }
            let mirrored: String = picture.chars().rev().collect();
            assert_eq!(class(Renju, Side::First, &mirrored), wanted[2], "{mirrored}");
            assert_eq!(class(Renju, Side::Second, picture), wanted[0], "White may do all: {picture}");
        }
    }

    #[test]
    fn caro_fives_need_an_end() {
        use Class::*;
        let rows = [
            ("...OXXXXpO....", Dead, Dead),
            ("...OXXXXp.....", Five, Five),
            ("XXXXpO.....", Five, Five),
            ("..OXXXXXpO....", Five, Dead),
            // A stone beyond the four's only end stops it as well as one on it: the five would be blocked.
            ("...OXXXp......", Four, Four),
            // Either answer leaves a five that the other end blocks.
            (".....O.XXXp.O....", Four, Four),
            // The answer on the right makes the other end's five blocked.
            (".....O.XXXp......", Four, Four),
            ("......XXXp......", OpenFour, OpenFour),
        ];
        for (picture, caro, exact) in rows {
            for side in Side::BOTH {
                assert_eq!(class(Rule::Caro, side, picture), caro, "{picture}");
                assert_eq!(class(Rule::CaroExact, side, picture), exact, "{picture} exactly five");
            }
        }
    }
}
