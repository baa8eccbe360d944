//! Kinds of stones by all four directions together, for each empty point and colour, and the value of the point for
//! the evaluation.
//!
//! The four [classes](super::class) of a point, four bits each, are its *code*. Everything that follows from a code
//! alone is worked out once into a table. The order of the four directions does not matter, so there are 1820 different
//! *sorts* of codes, and the table has a row for each.

use std::sync::LazyLock;

use ::gomoku::Rule;
use kernel::Side;

use super::class::Class;
use super::network::Sight;
use super::terms;

/// The kind of a stone: the strongest thing it makes. Which of two is more urgent is the order of the search's
/// questions, not the order here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum StoneKind {
    /// The stone makes no threat that must be answered.
    Quiet,
    /// Two twos or blocked threes: threats come of it.
    Builder,
    /// A three in one direction.
    Three,
    /// Threes in two directions or more.
    DoubleThree,
    /// A four in one direction.
    Four,
    /// A four in one direction and a three in another.
    FourThree,
    /// An open four, or fours in two directions.
    OpenFour,
    /// Five: it wins.
    Five,
    /// An overline or a double four of renju's Black: it loses.
    Forbidden,
}

impl StoneKind {
    /// The number of kinds.
    pub const COUNT: usize = 9;
    /// Every kind, in order.
    pub const ALL: [StoneKind; StoneKind::COUNT] = [
        StoneKind::Quiet,
        StoneKind::Builder,
        StoneKind::Three,
        StoneKind::DoubleThree,
        StoneKind::Four,
        StoneKind::FourThree,
        StoneKind::OpenFour,
        StoneKind::Five,
        StoneKind::Forbidden,
    ];

    /// Returns true if it threatens something or is forbidden. Boards keep sets of such points only.
    #[must_use]
    #[inline]
    pub const fn is_threat(self) -> bool {
        self as u8 >= StoneKind::Three as u8
    }
}

/// The number of different sorts of four classes, whatever their directions: multisets of four out of 13 classes.
pub const SORTS: usize = 1820;

/// The properties of a sort of code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combined {
    /// The value of a stone there for the side that may put it: the order of candidates, in hundredths.
    pub(super) worth: i16,
    /// The contribution of the point to the evaluation, in quarters of a hundredth: for the side to move, and for the
    /// other.
    pub(super) value: [i16; 2],
    /// True if it counts in the evaluation at all.
    pub(super) judged: bool,
    pub(super) kind: StoneKind,
    /// The number of the kind if it is a [threat](StoneKind::is_threat), and 0 otherwise.
    pub(super) threat: u8,
    /// A coarser number than the sort: its two best classes; 0 where it does not count.
    pub(super) grade: u8,
    /// Set for renju's Black if there are threes in two lines or more, as far as the lines tell. Only the rules say
    /// whether they are real, and the point forbidden.
    pub(super) suspect: bool,
}

/// The tables of the properties of each code.
pub(super) struct Combinations {
    /// The sort of each code.
    sorts: Box<[u16; 1 << 16]>,
    /// The properties of each sort; the rows after the last sort are unused.
    rows: Box<[Combined; ROWS]>,
    /// The threat of each code: it is asked for far more often than the rest.
    threats: Box<[u8; 1 << 16]>,
}

/// The number of rows: the next power of two, so that no look-up needs a bounds check.
const ROWS: usize = SORTS.next_power_of_two();

impl Combinations {
    /// Returns the tables of a side under a rule.
    pub(super) fn of(rule: Rule, side: Side) -> &'static Combinations {
        macro_rules! once {
            ($rule:expr, $side:expr) => {{
                static ONCE: LazyLock<Combinations> = LazyLock::new(|| Combinations::build($rule, $side));
                &ONCE
            }};
        }
        match (rule, side) {
            (Rule::Freestyle, _) => once!(Rule::Freestyle, Side::First),
            (Rule::Renju, Side::First) => once!(Rule::Renju, Side::First),
            (Rule::Renju, Side::Second) => once!(Rule::Renju, Side::Second),
            // Caro differs by its classes alone.
            (Rule::Standard | Rule::Caro | Rule::CaroExact, _) => once!(Rule::Standard, Side::First),
        }
    }

    /// Returns the properties of a code.
    #[inline]
    pub(super) fn at(&self, code: usize) -> &Combined {
        &self.rows[self.sort(code) % ROWS]
    }

    /// The number of the kind of a code if it threatens, and 0 otherwise.
    #[inline]
    pub(super) fn threat(&self, code: usize) -> u8 {
        self.threats[code & 0xFFFF]
    }

    /// The sort of a code, where it counts in the judgement.
    #[inline]
    pub(super) fn judged(&self, code: usize) -> Option<usize> {
        let sort = self.sort(code);
        self.rows[sort % ROWS].judged.then_some(sort)
    }

    /// The sort of a code, and what follows from it.
    #[inline]
    pub(super) fn sight(&self, code: usize) -> Sight<'_> {
        let sort = self.sort(code);
        (sort, &self.rows[sort % ROWS])
    }

    /// The sort of a code, below [`SORTS`].
    #[inline]
    pub(super) fn sort(&self, code: usize) -> usize {
        usize::from(self.sorts[code & 0xFFFF])
    }

    fn build(rule: Rule, side: Side) -> Combinations {
        let numbered = &*NUMBERED;
        let forbids = rule == Rule::Renju && side == Side::First;
        let row = |(sort, &classes): (usize, &[Class; 4])| {
            let combined = combine(classes, forbids);
            let judged = counts(sort) && combined.kind != StoneKind::Forbidden;
            let value = if judged { terms::values(rule, side, sort) } else { [0; 2] };
            let grade = if judged { grade(&classes) } else { 0 };
            Combined { value, judged, grade, ..combined }
        };
        let nothing = row((0, &numbered.classes[0]));
        let mut rows = Box::new([nothing; ROWS]);
        for (sort, combined) in numbered.classes.iter().enumerate().map(row).enumerate() {
            rows[sort] = combined;
        }
        let mut threats = Box::new([0; 1 << 16]);
        for (threat, &sort) in threats.iter_mut().zip(&*numbered.sorts) {
            *threat = rows[usize::from(sort)].threat;
        }
        Combinations { sorts: numbered.sorts.clone(), rows, threats }
    }
}

/// The sorts in order: the number of each code's, and the classes of each.
struct Numbered {
    sorts: Box<[u16; 1 << 16]>,
    classes: Vec<[Class; 4]>,
}

static NUMBERED: LazyLock<Numbered> = LazyLock::new(|| {
    let mut numbers = vec![u16::MAX; 1 << 16];
    let mut sorts = Box::new([0; 1 << 16]);
    let mut found = Vec::with_capacity(SORTS);
    for (code, sort) in sorts.iter_mut().enumerate() {
        let mut sorted = classes(code as u32);
        sorted.sort_unstable();
        let key = sorted.iter().fold(0, |key, &class| key << 4 | class as usize);
        if numbers[key] == u16::MAX {
            numbers[key] = found.len() as u16;
            found.push(sorted);
        }
        *sort = numbers[key];
    }
    Numbered { sorts, classes: found }
});

/// Returns true if points of that sort count in the evaluation: something more than a single stone is to be made of
/// them.
pub(super) fn counts(sort: usize) -> bool {
    NUMBERED.classes[sort].iter().any(|&class| class > Class::One)
}

/// Returns the hand-written value of a point of that sort, in hundredths; 0 where it does not count.
pub(super) fn written(sort: usize) -> i16 {
    if counts(sort) { combine(NUMBERED.classes[sort], false).worth } else { 0 }
}

/// The classes of a code, by direction.
pub(super) fn classes(code: u32) -> [Class; 4] {
    // Three of the sixteen numbers are no class; no point has them.
    std::array::from_fn(|line| Class::numbered((code >> (4 * line) & 15).min(12) as u8))
}

/// The value of one class by itself, in hundredths. Round numbers: each step nearer to five is worth about twice the
/// step before, and an open shape twice a blocked one.
const WORTH: [i16; 13] = [0, 1, 3, 7, 9, 9, 20, 24, 26, 48, 60, 0, 0];

fn combine(classes: [Class; 4], forbids: bool) -> Combined {
    let count = |wanted: &[Class]| classes.iter().filter(|class| wanted.contains(class)).count();
    let open_fours = count(&[Class::OpenFour]);
    let fours = count(&[Class::Four]) + open_fours;
    let threes = count(&[Class::Three, Class::StrongThree]);
    let twos = count(&[Class::Two, Class::StrongTwo]);
    let blocked_threes = count(&[Class::BlockedThree]);
    let lost = count(&[Class::Overline, Class::DoubleFour]) > 0 || fours > 1;
    let kind = if count(&[Class::Five]) > 0 {
        StoneKind::Five
    } else if forbids && lost {
        StoneKind::Forbidden
    } else if open_fours > 0 || fours > 1 {
        StoneKind::OpenFour
    } else if fours > 0 {
        if threes > 0 { StoneKind::FourThree } else { StoneKind::Four }
    } else if threes > 1 {
        StoneKind::DoubleThree
    } else if threes > 0 {
        StoneKind::Three
    } else if twos + blocked_threes > 1 {
        StoneKind::Builder
    } else {
        StoneKind::Quiet
    };
    let suspect = forbids && threes > 1 && kind != StoneKind::Forbidden && kind != StoneKind::Five;
    let single: i16 = classes.iter().map(|&class| WORTH[class as usize]).sum();
    // Two things at once are worth more than each of them.
    let crossing = match kind {
        StoneKind::OpenFour => 40,
        StoneKind::FourThree => 50,
        StoneKind::DoubleThree if suspect => -20,
        StoneKind::DoubleThree => 24,
        StoneKind::Four | StoneKind::Three => 6 * (twos + blocked_threes) as i16,
        StoneKind::Builder => 4 * (twos + blocked_threes - 1) as i16,
        StoneKind::Quiet | StoneKind::Five | StoneKind::Forbidden => 0,
    };
    let worth = if kind == StoneKind::Forbidden { 0 } else { single + crossing };
    let threat = if kind.is_threat() { kind as u8 } else { 0 };
    Combined { worth, value: [0; 2], judged: false, kind, threat, grade: 0, suspect }
}

/// Grades of points.
pub(super) const GRADES: usize = 36;

/// The two best classes of a point as one number.
fn grade(classes: &[Class; 4]) -> u8 {
    let rank = |class: Class| match class {
        Class::Dead | Class::One | Class::Overline | Class::DoubleFour => 0,
        Class::BlockedTwo => 1,
        Class::Two | Class::StrongTwo => 2,
        Class::BlockedThree => 3,
        Class::Three | Class::StrongThree => 4,
        Class::Four => 5,
        Class::OpenFour => 6,
        Class::Five => 7_u8,
    };
    let mut ranks = classes.map(rank);
    ranks.sort_unstable();
    let (a, b) = (ranks[3], ranks[2]);
    a * (a + 1) / 2 + b
}
