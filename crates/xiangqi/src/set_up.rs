//! Checks of positions to be set up. One that no game could reach is refused, with the reason.
//!
//! docs/rules/xiangqi.md, the chapter on positions that were set up, has a paragraph for each question asked here.

use kernel::{Position, Problem, Side};

use crate::position::{in_palace, on_own_bank, paint};
use crate::{Kind, Piece, Rules, Square, Xiangqi};

/// Returns true if a piece of this side may ever stand on `square`.
///
/// ```
/// use kernel::Side;
/// use xiangqi::set_up::may_stand;
/// use xiangqi::{Kind, Piece, Square};
///
/// let elephant = Piece { side: Side::First, kind: Kind::Elephant };
/// assert!(may_stand(elephant, Square::named("e2").unwrap()));
/// assert!(!may_stand(elephant, Square::named("e6").unwrap()), "it does not cross the river");
/// ```
#[must_use]
pub fn may_stand(piece: Piece, square: Square) -> bool {
    let (file, side) = (square.file(), piece.side);
    // Rows behind a square, seen from its side: 0 is the back rank.
    let behind = match side {
        Side::First => 9 - square.row(),
        Side::Second => square.row(),
    };
    match piece.kind {
        Kind::General => in_palace(side, square),
        Kind::Advisor => in_palace(side, square) && (file + behind) % 2 == 1,
        Kind::Elephant => match behind {
            0 | 4 => file == 2 || file == 6,
            2 => file % 4 == 0,
            _ => false,
        },
        Kind::Soldier => !on_own_bank(side, square) || behind >= 3 && file % 2 == 0,
        Kind::Horse | Kind::Rook | Kind::Cannon => true,
    }
}

/// The first reason why no diagram shows this: pieces where the rules for moving have no answer for them, or a general
/// that is missing. Soldiers may stand anywhere: books line them up to show how their moves are called.
pub(crate) fn check_diagram(pos: &Xiangqi) -> Result<(), Problem> {
    places(pos, |piece| piece.kind != Kind::Soldier)?;
    // At home the side to move may just have lost its general: that is how games end there.
    let waiting = pos.turn().other();
    let lost =
        |side: &Side| pos.general(*side).is_none() && (pos.rules() == Rules::Asian || *side == waiting);
    Side::BOTH.into_iter().find(lost).map_or(Ok(()), |side| Err(about("xiangqi-no-general", side)))
}

/// The first reason why no game stands so. At home generals may face each other and be in danger.
pub(crate) fn check(pos: &Xiangqi) -> Result<(), Problem> {
    check_diagram(pos)?;
    places(pos, |piece| piece.kind == Kind::Soldier)?;
    let waiting = pos.turn().other();
    match pos.checkers(waiting).iter().next() {
        Some(at) if pos.rules() == Rules::Asian => Err(if pos.general(pos.turn()) == Some(at) {
            Problem::new("xiangqi-generals-facing")
        } else {
            about("xiangqi-check-unanswered", waiting).with("square", at)
        }),
        _ => Ok(()),
    }
}

/// Checks that each piece for which `asked` is true stands on a square it may stand on.
fn places(pos: &Xiangqi, asked: impl Fn(Piece) -> bool) -> Result<(), Problem> {
    for square in pos.occupied().iter() {
        let misplaced = |piece: &Piece| {
            asked(*piece) && !may_stand(*piece, square) && !has_conquered(pos, *piece, square)
        };
        if let Some(piece) = pos.piece_at(square).filter(misplaced) {
            return Err(about("xiangqi-off-limits", piece.side)
                .with("piece", piece.kind.face())
                .with("square", square));
        }
    }
    Ok(())
}

/// Returns true if this is a general that took the other one under the home rules, and stands on its square.
fn has_conquered(pos: &Xiangqi, piece: Piece, square: Square) -> bool {
    let enemy = piece.side.other();
    let alone = pos.rules() == Rules::Home && pos.general(enemy).is_none();
    alone && piece.kind == Kind::General && in_palace(enemy, square)
}

fn about(key: &'static str, side: Side) -> Problem {
    Problem::new(key).with("side", paint(side))
}
