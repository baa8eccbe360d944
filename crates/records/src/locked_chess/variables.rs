//! The five variables that make up a game of the reference program, and the checks they must pass.
//!
//! The checks go row by row through docs/rules/locked.md §8, each over all stones, so that the earliest row is named.

use kernel::Side;
use locked::position::FEWEST_STONES;
use locked::{Axis, Locked, LockedError, Square, Step, Stones};

use super::literal::Literal;

/// The value that stands for no direction or no stone.
pub const NONE: &str = "无";

/// The values that count as the whole number 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// The number `1` only.
    Whole,
    /// The number `1`, `1.0` and `True`, by Python's `==`; a stone's column and row may be `True` but not `1.0`.
    Loose,
}

impl Numbers {
    /// The whole number that `value` counts as.
    #[must_use]
    pub fn read(self, value: &Literal) -> Option<i64> {
        match (self, value) {
            (_, Literal::Int(n)) => Some(*n),
            (Numbers::Whole, _) => None,
            (Numbers::Loose, _) => value.whole(),
        }
    }

    fn coordinate(self, value: &Literal) -> Option<i64> {
        if matches!(value, Literal::Float(_)) { None } else { self.read(value) }
    }
}

/// A game as the reference program keeps it. Anything may stand in it until [`Variables::check`] has looked.
///
/// ```
/// use kernel::Position;
/// use records::locked_chess::variables::{Numbers, Variables};
///
/// let start = locked::Locked::default();
/// assert_eq!(Variables::from(&start).check(Numbers::Whole), Ok(start));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Variables {
    /// The set of stones, each `(x, y, '黑')`.
    pub game: Literal,
    /// The step, 1 to 5.
    pub operation_number: Literal,
    /// The side to act: `黑` or `白`.
    pub operation_oppsite: Literal,
    /// `无`, `上下` or `左右`.
    pub operation_last_direction: Literal,
    /// `无`, or the stone.
    pub choose_chess_locate: Literal,
}

/// A stone whose parts have been read: column, row and colour, and the value it was read from.
type Read<'a> = (Square, Side, &'a Literal);

impl Variables {
    /// The position they describe.
    ///
    /// # Errors
    /// The first row of docs/rules/locked.md §8 that they break: rows 2 to 13.
    pub fn check(&self, numbers: Numbers) -> Result<Locked, LockedError> {
        let stones = stones(&self.game, numbers)?;
        let found = || self.operation_number.to_string();
        let step = numbers.read(&self.operation_number).and_then(|n| Step::numbered(u8::try_from(n).ok()?));
        let step = step.ok_or_else(|| LockedError::BadStep { found: found() })?;
        let found = || self.operation_oppsite.to_string();
        let side =
            side_named(&self.operation_oppsite).ok_or_else(|| LockedError::BadSide { found: found() })?;
        let axis = self.axis(step)?;
        let chosen = self.chosen(step, numbers)?;
        if chosen.is_some_and(|(square, owner)| owner != side || !stones[side.index()].has(square)) {
            return Err(self.chosen_misfit(step));
        }
        Locked::at(stones, side, step, axis, chosen.map(|(square, _)| square))
    }

    fn axis(&self, step: Step) -> Result<Option<Axis>, LockedError> {
        let name = if let Literal::Str(name) = &self.operation_last_direction { name } else { "" };
        match (name, step.is_across()) {
            (NONE, false) => Ok(None),
            ("上下", true) => Ok(Some(Axis::Vertical)),
            ("左右", true) => Ok(Some(Axis::Horizontal)),
            _ => {
                let found = self.operation_last_direction.to_string();
                Err(LockedError::AxisMisfit { found, step: step.number() })
            }
        }
    }

    fn chosen(&self, step: Step, numbers: Numbers) -> Result<Option<(Square, Side)>, LockedError> {
        match (&self.choose_chess_locate, step.is_single()) {
            (Literal::Str(none), false) if none == NONE => Ok(None),
            (Literal::Tuple(parts), true) => match &parts[..] {
                [x, y, colour] => on_board(numbers.read(x), numbers.read(y)).zip(side_named(colour)),
                _ => None,
            }
            .map(Some)
            .ok_or_else(|| self.chosen_misfit(step)),
            _ => Err(self.chosen_misfit(step)),
        }
    }

    fn chosen_misfit(&self, step: Step) -> LockedError {
        LockedError::ChosenMisfit { found: self.choose_chess_locate.to_string(), step: step.number() }
    }
}

/// A position as the reference program keeps it.
impl From<&Locked> for Variables {
    fn from(pos: &Locked) -> Variables {
        let side = kernel::Position::turn(pos);
        let members =
            Side::BOTH.into_iter().flat_map(|s| pos.stones(s).by_column().map(move |at| stone(at, s)));
        Variables {
            game: Literal::Set(members.collect()),
            operation_number: Literal::Int(pos.step().number().into()),
            operation_oppsite: Literal::from(locked::json::colour(side)),
            operation_last_direction: Literal::from(locked::json::axis_name(pos.axis())),
            choose_chess_locate: pos.chosen().map_or_else(|| NONE.into(), |at| stone(at, side)),
        }
    }
}

/// `(x, y, '黑')`.
#[must_use]
pub fn stone(at: Square, side: Side) -> Literal {
    let colour = locked::json::colour(side).to_owned();
    Literal::Tuple(vec![Literal::Int(at.x().into()), Literal::Int(at.y().into()), Literal::Str(colour)])
}

fn side_named(name: &Literal) -> Option<Side> {
    let Literal::Str(name) = name else { return None };
    Side::BOTH.into_iter().find(|&s| locked::json::colour(s) == name)
}

fn on_board(x: Option<i64>, y: Option<i64>) -> Option<Square> {
    Square::new(u8::try_from(x?).ok()?, u8::try_from(y?).ok()?)
}

/// Rows 2 to 9.
fn stones(game: &Literal, numbers: Numbers) -> Result<[Stones; 2], LockedError> {
    let Literal::Set(members) = game else {
        return Err(LockedError::StonesNotSet { found: game.to_string() });
    };
    let each = || members.iter().map(|m| (m, if let Literal::Tuple(parts) = m { &parts[..] } else { &[] }));
    let first =
        |is_bad: &dyn Fn(&[Literal]) -> bool| each().find(|(_, parts)| is_bad(parts)).map(|(m, _)| m.str());
    if let Some(odd) = members.iter().find(|m| !matches!(m, Literal::Tuple(_))) {
        return Err(LockedError::StoneNotTuple { found: odd.str() });
    }
    if let Some(found) = first(&|parts| parts.len() != 3) {
        return Err(LockedError::StoneNotTriple { found });
    }
    if let Some(found) = first(&|parts| parts[..2].iter().any(|n| numbers.coordinate(n).is_none())) {
        return Err(LockedError::CoordinateNotInt { found });
    }
    let square = |parts: &[Literal]| on_board(numbers.coordinate(&parts[0]), numbers.coordinate(&parts[1]));
    if let Some(found) = first(&|parts| square(parts).is_none()) {
        return Err(LockedError::OffBoard { found });
    }
    if let Some(found) = first(&|parts| side_named(&parts[2]).is_none()) {
        return Err(LockedError::UnknownColour { found });
    }
    place(each().filter_map(|(member, parts)| Some((square(parts)?, side_named(&parts[2])?, member))))
}

/// Rows 8 and 9. Equal members of a set are one stone.
fn place<'a>(all: impl Iterator<Item = Read<'a>>) -> Result<[Stones; 2], LockedError> {
    let mut stones = [Stones::NONE; 2];
    let mut seen: Vec<Read> = Vec::new();
    for (square, side, member) in all {
        if stones[side.other().index()].has(square) {
            let other = seen.iter().find(|s| s.0 == square).expect("the square was taken by one of these").2;
            let at = format!("({}, {})", square.x(), square.y());
            return Err(LockedError::SharedSquare { at, stones: format!("({other}, {member})") });
        }
        if !stones[side.index()].has(square) {
            stones[side.index()] = stones[side.index()].with(square);
            seen.push((square, side, member));
        }
    }
    let [black, white] = stones.map(Stones::len);
    if black.min(white) < FEWEST_STONES {
        return Err(LockedError::TooFewStones { black, white });
    }
    Ok(stones)
}
