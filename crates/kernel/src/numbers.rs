//! Moves and positions as numbers, for programs that learn.
//!
//! A game has a fixed number of **actions**, the same in all its positions: a legal move is one of them. What a position
//! looks like is a stack of **planes**, each a number from 0 to 1 for every cell of the board. `docs/python.md` describes
//! both game by game.

use std::borrow::Cow;

use crate::{AnyGame, Game, Notation, Side};

/// The number of a legal move that has no action: more than [`Notation::ALIKE`] moves share both their cells.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::numbers::NO_ACTION;
///
/// let mut actions = Vec::new();
/// kernel::any(Noughts::default()).legal_actions(&mut actions);
/// assert!(!actions.contains(&NO_ACTION));
/// ```
pub const NO_ACTION: u32 = u32::MAX;

/// The planes of a position behind those of its pieces, in this order: 1 everywhere when `First` is to move; the step
/// of the turn that comes next, as a fraction of all; the chosen piece; the progress of the nearest count towards a
/// draw; half the number of earlier occurrences of the position, at most 1.
pub const EXTRA_PLANES: [&str; 5] = ["turn", "step", "chosen", "counter", "stood-before"];

/// A sort of pieces with a plane of its own. An empty face stands for all of that owner that no other names.
pub type Face = (Option<Side>, Cow<'static, str>);

/// The action of each legal move, in the order of the moves; those that share their cells are told apart by that order.
pub(crate) fn legal_actions<P: Notation>(pos: &P, moves: &[P::Move], out: &mut Vec<u32>) {
    let first = out.len();
    out.extend(moves.iter().map(|&m| pos.action(m)));
    if P::ALIKE == 1 {
        return;
    }
    let actions = &mut out[first..];
    for i in (0..actions.len()).rev() {
        let shared = actions[i];
        let rank = actions[..i].iter().filter(|&&before| before == shared).count() as u32;
        actions[i] = if rank < P::ALIKE { shared * P::ALIKE + rank } else { NO_ACTION };
    }
}

/// A game that is played by the numbers of its moves: the legal moves are listed once a ply, and kept.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// let mut numbered = kernel::any(Noughts::default()).numbered();
/// while let Some(&action) = numbered.actions().last() {
///     let nth = numbered.actions().iter().position(|&a| a == action).unwrap();
///     assert!(numbered.play_nth(nth));
/// }
/// assert_eq!(numbered.game().record(), ["c1", "b1", "a1", "c2", "b2", "a2", "c3"]);
/// numbered.rewind();
/// assert_eq!(numbered.actions().len(), 9);
/// ```
pub trait Numbered: Send + Sync {
    /// The game as it stands.
    fn game(&self) -> &dyn AnyGame;
    /// The action of each legal move, in the order of [`AnyGame::moves`]; none once the game is over.
    fn actions(&self) -> &[u32];
    /// Plays the legal move of that number; false where there is none.
    fn play_nth(&mut self, nth: usize) -> bool;
    /// Gives memory back, as [`AnyGame::compact`].
    fn compact(&mut self);
    /// Goes back to the start.
    fn rewind(&mut self);
    /// A copy with the same past.
    fn boxed_clone(&self) -> Box<dyn Numbered>;
}

/// One implementation for all games.
#[derive(Clone)]
struct Listed<P: Notation> {
    game: Game<P>,
    /// The legal moves now; `actions` has the action of each.
    moves: Vec<P::Move>,
    actions: Vec<u32>,
}

/// The game, played by numbers.
pub(crate) fn numbered<P: Notation>(game: Game<P>) -> Box<dyn Numbered> {
    let mut listed = Listed { game, moves: Vec::new(), actions: Vec::new() };
    listed.list();
    Box::new(listed)
}

impl<P: Notation> Listed<P> {
    fn list(&mut self) {
        self.moves.clear();
        self.actions.clear();
        self.game.legal(&mut self.moves);
        legal_actions(self.game.position(), &self.moves, &mut self.actions);
    }
}

impl<P: Notation> Numbered for Listed<P> {
    fn game(&self) -> &dyn AnyGame {
        &self.game
    }

    fn actions(&self) -> &[u32] {
        &self.actions
    }

    fn play_nth(&mut self, nth: usize) -> bool {
        let m = self.moves.get(nth).copied();
        if let Some(m) = m {
            let uses_up = P::ALIKE == 1 && self.game.position().uses_up(m);
            self.game.play(m);
            if uses_up && self.game.outcome().is_none() {
                self.moves.remove(nth);
                self.actions.remove(nth);
            } else {
                self.list();
            }
        }
        m.is_some()
    }

    fn compact(&mut self) {
        AnyGame::compact(&mut self.game);
    }

    fn rewind(&mut self) {
        self.game.rewind();
        self.list();
    }

    fn boxed_clone(&self) -> Box<dyn Numbered> {
        Box::new(self.clone())
    }
}

/// Writes the planes of `faces` and the [`EXTRA_PLANES`] over `out`, which has a number for every cell of each.
pub(crate) fn planes<P: Notation>(game: &Game<P>, faces: &[Face], cells: usize, out: &mut [f32]) {
    let pos = game.position();
    out.fill(0.0);
    let (pieces, extra) = out.split_at_mut(faces.len() * cells);
    let diagram = pos.diagram();
    for piece in &diagram.pieces {
        let named = faces.iter().position(|(owner, face)| *owner == piece.owner && *face == piece.face);
        let other = || faces.iter().position(|(owner, face)| *owner == piece.owner && face.is_empty());
        if let Some(plane) = named.or_else(other) {
            pieces[plane * cells + usize::from(piece.at)] = 1.0;
        }
    }
    let mut extra = extra.chunks_exact_mut(cells);
    let mut next = |value: f32| {
        if let Some(plane) = extra.next() {
            plane.fill(value);
        }
    };
    next(f32::from(u8::from(pos.turn() == Side::First)));
    next(pos.prompt().map_or(0.0, |prompt| f32::from(prompt.step) / f32::from(prompt.of.max(1))));
    next(0.0);
    let counted =
        |part: f32, counter: crate::Counter| part.max(counter.now as f32 / counter.limit.max(1) as f32);
    next(pos.counters().into_iter().fold(0.0, counted).min(1.0));
    next((game.stood_before().min(2)) as f32 / 2.0);
    let chosen = (faces.len() + 2) * cells;
    for cell in diagram.marks.iter().filter(|mark| mark.kind == "chosen").flat_map(|mark| &mark.cells) {
        out[chosen + usize::from(*cell)] = 1.0;
    }
}

/// Returns the shape of a game's planes: sorts of pieces and [`EXTRA_PLANES`], ranks, files.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::numbers::{EXTRA_PLANES, shape};
///
/// let game = kernel::any(Noughts::default());
/// assert_eq!(shape(&*game), [2 + EXTRA_PLANES.len(), 3, 3]);
/// ```
#[must_use]
pub fn shape(game: &dyn AnyGame) -> [usize; 3] {
    let board = game.board();
    [game.faces().len() + EXTRA_PLANES.len(), usize::from(board.ranks), usize::from(board.files)]
}
