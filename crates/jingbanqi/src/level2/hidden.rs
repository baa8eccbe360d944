//! The state of secrets in a position: pieces and draws that are hidden from a side.

use kernel::{Eyes, Side};

use super::compiled::Compiled2;

/// The square of a piece that was taken.
pub(super) const GONE: u16 = u16::MAX;

/// The pieces and draws that are hidden in a position, each from one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Secrets {
    /// The eyes that see this position; `All` for the truth.
    pub(super) eyes: Eyes,
    /// The sides that have not arranged their pieces yet.
    pub(super) arranging: [bool; 2],
    /// The number of exchanges that the side to move has made in its arrangement.
    pub(super) exchanges: u16,
    /// The pieces that the other side does not see, those that were taken unseen among them; in the order in which they began.
    pub(super) hidden: Vec<Hidden>,
    /// The kinds of each side's pieces that these eyes do not see, sorted; empty in the truth.
    pub(super) left: [Vec<u16>; 2],
    /// The number of pieces that each side alone has drawn, for each row of the bags.
    pub(super) drawn: Vec<[u16; 2]>,
    /// The number of pieces of each bag that each side has drawn and these eyes do not see; zeros in the truth.
    pub(super) lost: Vec<[u16; 2]>,
}

/// A piece that the other side does not see. Sets of kinds are bits in the order of the compiled rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hidden {
    /// Its square; [`GONE`] once it was taken.
    pub at: u16,
    /// The side that owns it.
    pub side: Side,
    /// Its kind; 0 where these eyes do not see it.
    pub kind: u16,
    /// The kinds that it could be, for everybody and for the other side.
    pub could: [u64; 2],
}

/// The ways a fight ends for the piece that attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fought {
    /// The piece that is attacked falls.
    Wins,
    /// The piece that attacks falls.
    Falls,
    /// Both pieces fall, which are equal.
    Both,
}

/// The place of a kind among those of its side that have a back.
pub(super) fn bit_of(compiled: &Compiled2, side: Side, kind: u16) -> Option<usize> {
    compiled.backed[side.index()].binary_search(&kind).ok()
}

/// The kinds of a side for which something holds, as a set.
pub(super) fn kinds_that(compiled: &Compiled2, side: Side, mut holds: impl FnMut(u16) -> bool) -> u64 {
    let bits = compiled.backed[side.index()].iter().enumerate().filter(|(_, kind)| holds(**kind));
    bits.fold(0, |set, (bit, _)| set | 1 << bit)
}

impl Secrets {
    /// The piece on a square that the other side does not see.
    pub(super) fn on(&mut self, at: u16) -> Option<&mut Hidden> {
        self.hidden.iter_mut().find(|one| one.at == at)
    }
}

/// The pieces that a ply takes off the board, by row of the table; 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Losses {
    /// The piece that was taken.
    pub taken: u16,
    /// The piece that moved and lost its fight.
    pub fallen: u16,
}
