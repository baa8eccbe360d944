//! The learned weights of a variant, and their inputs for each position of the current line.
//!
//! What the windows and the network read of a position is a sum over its pieces, so a move changes little of it.

use draughts::{Colour, Draughts, Move, Rules, Square, squares};

use engine_core::network::{Sums, add, replace, take};

use crate::network::{self, HIDDEN, Network};
use crate::windows::{self, NUMBERS, Reading, Windows};

/// The learned weights of a variant, laid out for reading.
#[derive(Debug)]
pub(super) struct Learned {
    pub(super) windows: Windows,
    /// The network whose output is added to the windows.
    network: Network,
    /// The contribution of each piece to the inputs, by its number in White's [view](views).
    pieces: Box<[Seen]>,
}

/// The inputs of a position: the reading of the windows, and the network's sums in White's view and in Black's.
type Seen = Sums<SEEN>;
const SEEN: usize = NUMBERS + 2 * HIDDEN;

/// The number of kinds of pieces on a square: White's man and king, Black's man and king.
pub(super) const KINDS: usize = 4;

/// The kind of a piece.
#[inline]
fn kind(colour: Colour, is_king: bool) -> usize {
    2 * usize::from(colour == Colour::Black) + usize::from(is_king)
}

/// All pieces of a position: what each is, and where.
pub(super) fn pieces<R: Rules>(pos: &Draughts<R>) -> impl Iterator<Item = (usize, Square)> {
    Colour::BOTH.into_iter().flat_map(|colour| {
        let men = pos.men(colour).map(move |at| (kind(colour, false), at));
        men.chain(pos.kings(colour).map(move |at| (kind(colour, true), at)))
    })
}

/// The number of a piece in White's view and in Black's, who sees the board turned and the colours exchanged.
#[inline]
pub(super) fn views<R: Rules>(kind: usize, at: Square) -> [usize; 2] {
    let squares = usize::from(squares::<R>());
    let place = usize::from(at.number() - 1);
    [kind * squares + place, (kind ^ 2) * squares + squares - 1 - place]
}

/// The positions of the current line. A move is only noted; the inputs of a position are computed when a score is
/// asked for, from the last position before it that has them.
#[derive(Clone, Debug)]
pub(super) struct InputStack<R: Rules> {
    steps: Vec<Step<R>>,
    /// The number of `steps` in the line; those behind are kept for their memory.
    len: usize,
}

#[derive(Clone, Debug)]
struct Step<R: Rules> {
    /// The move that led here, and where it was played; none at the start of the line.
    from: Option<(Draughts<R>, Move<R>)>,
    seen: Seen,
    /// True if `seen` is computed.
    ready: bool,
}

impl Learned {
    pub(super) fn new<R: Rules>(windows: Windows, network: Network) -> Learned {
        let mut pieces = vec![[0; SEEN]; KINDS * usize::from(squares::<R>())];
        for kind in 0..KINDS {
            for at in (1..=squares::<R>()).filter_map(Square::new::<R>) {
                let [white, black] = views::<R>(kind, at);
                pieces[white] = seen(windows.piece(white), [white, black].map(|input| network.input(input)));
            }
        }
        Learned { windows, network, pieces: pieces.into() }
    }

    /// Returns the score of a position by its windows, for White; and the network's addition, for the side to move.
    #[inline]
    pub(super) fn scores<R: Rules>(&self, pos: &Draughts<R>, seen: &Seen) -> (i32, i32) {
        let (reading, sums) = seen.split_first_chunk::<NUMBERS>().expect("as many numbers");
        let [white, black] = sums.as_chunks::<HIDDEN>().0 else { unreachable!("two views") };
        let windows = self.windows.score_read(pos, reading);
        (windows, network::score(&self.network, pos, [white, black], windows::pieces_of(reading)))
    }

    #[inline]
    fn piece<R: Rules>(&self, kind: usize, at: Square) -> &Seen {
        &self.pieces[views::<R>(kind, at)[0]]
    }

    /// Computes the inputs of a position from scratch.
    fn seen<R: Rules>(&self, pos: &Draughts<R>) -> Seen {
        let mut seen = seen(&Reading::default(), [self.network.bias(); 2]);
        pieces(pos).for_each(|(kind, at)| add(&mut seen, self.piece::<R>(kind, at)));
        seen
    }

    /// Writes to `new` the inputs after a move, if `old` has those of the position in which it is played.
    #[inline]
    fn change<R: Rules>(&self, old: &Seen, new: &mut Seen, pos: &Draughts<R>, m: Move<R>) {
        let was = kind(pos.colour(), m.by_king());
        let is = kind(pos.colour(), m.by_king() || m.promotes());
        replace(old, new, self.piece::<R>(is, m.to()), self.piece::<R>(was, m.from()));
        for at in m.captured() {
            let kind = kind(pos.colour().other(), pos.is_king(at));
            take(new, self.piece::<R>(kind, at));
        }
    }
}

/// A reading and the sums of both views, one after the other.
fn seen(reading: &Reading, [white, black]: [&network::Sums; 2]) -> Seen {
    let all = reading.iter().chain(white).chain(black);
    let mut seen = [0; SEEN];
    seen.iter_mut().zip(all).for_each(|(place, &number)| *place = number);
    seen
}

impl<R: Rules> Default for InputStack<R> {
    fn default() -> Self {
        InputStack { steps: Vec::new(), len: 0 }
    }
}

impl<R: Rules> InputStack<R> {
    /// The line begins at `pos`.
    pub(super) fn reset(&mut self, learned: &Learned, pos: &Draughts<R>) {
        self.steps.clear();
        self.steps.push(Step { from: None, seen: learned.seen(pos), ready: true });
        self.len = 1;
    }

    /// A move was played in `before`.
    #[inline]
    pub(super) fn played(&mut self, before: &Draughts<R>, m: Move<R>) {
        let from = Some((*before, m));
        if let Some(step) = self.steps.get_mut(self.len) {
            (step.from, step.ready) = (from, false);
        } else {
            let seen = self.steps[self.len - 1].seen;
            self.steps.push(Step { from, seen, ready: false });
        }
        self.len += 1;
    }

    /// The last move is taken back.
    #[inline]
    pub(super) fn undone(&mut self) {
        self.len -= 1;
    }

    /// Returns the inputs of the last position.
    #[inline]
    pub(super) fn seen(&mut self, learned: &Learned) -> &Seen {
        let last = self.len - 1;
        let mut ready = last;
        while !self.steps[ready].ready {
            ready -= 1;
        }
        // Those between are worked out as well: what follows them next will ask for them again.
        for step in ready..last {
            let [old, new] = self.steps.get_disjoint_mut([step, step + 1]).expect("two steps");
            if let Some((before, m)) = &new.from {
                learned.change(&old.seen, &mut new.seen, before, *m);
            }
            new.ready = true;
        }
        &self.steps[last].seen
    }
}

#[cfg(test)]
mod tests {
    use draughts::{English, Frisian, International};
    use kernel::Position as _;

    use super::*;

    /// The inputs kept along a line are those of a line that begins at its last position, through whole games with
    /// kings and long captures.
    fn is_kept<R: Rules>() {
        let learned = crate::learned::<R>().expect("a variant with weights");
        for game in 0..30_usize {
            let (mut pos, mut line) = (Draughts::<R>::start(), InputStack::default());
            line.reset(learned, &pos);
            for ply in 0..150_usize {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                // A move that is taken back leaves nothing behind, whether it was looked at or not.
                line.played(&pos, moves[0]);
                if ply % 2 == 0 {
                    line.seen(learned);
                }
                line.undone();
                let m = moves[(game * 31 + ply * ply * 17) % moves.len()];
                line.played(&pos, m);
                pos.play(m);
                // Not every position of a line is asked for: those between are caught up with.
                if !(ply + game).is_multiple_of(3) {
                    assert_eq!(*line.seen(learned), learned.seen(&pos), "game {game}, ply {ply}: {pos:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_seen_is_kept_in_step() {
        is_kept::<International>();
        is_kept::<English>();
        is_kept::<Frisian>();
    }

    /// A board turned by 180° with colours exchanged gives each side the inputs of the other.
    #[test]
    fn both_sides_see_alike() {
        for at in (1..=squares::<International>()).filter_map(Square::new::<International>) {
            let turned =
                Square::new::<International>(squares::<International>() + 1 - at.number()).expect("a square");
            for kind in 0..KINDS {
                let [white, black] = views::<International>(kind, at);
                assert_eq!(views::<International>(kind ^ 2, turned), [black, white]);
            }
        }
    }
}
