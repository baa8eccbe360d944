//! The arrangement of pieces before a game with secrets: exchanges of two own pieces, and a button that ends them.
//!
//! An exchange is a ply of its own, of which others see nothing but that there was one.

use std::sync::Arc;

use kernel::{Eyes, Side};

use super::MOST_STEPS;
use super::hidden::{GONE, Hidden};
use crate::position::{Jingbanqi, Move, PROMOTED, READY};

impl Jingbanqi {
    /// Returns true if a colour still arranges its pieces.
    pub(super) fn arranges(&self, colour: Side) -> bool {
        let secrets = self.second.as_ref().and_then(|progress| progress.secrets.as_ref());
        secrets.is_some_and(|secrets| secrets.arranging[colour.index()])
    }

    /// Passes the exchanges of the side to move, in the order of squares, then the end of its arrangement.
    pub(super) fn each_arrangement(&self, mut play: impl FnMut(Move)) {
        let Some(secrets) = self.second.as_ref().and_then(|progress| progress.secrets.as_ref()) else {
            return;
        };
        if !secrets.eyes.sees(self.turn) && secrets.eyes != Eyes::All {
            return;
        }
        // The last step of a turn is left for the end of the arrangement.
        if secrets.exchanges + 1 < MOST_STEPS {
            let stands = |one: &&Hidden| one.side == self.turn && one.at != GONE;
            for one in secrets.hidden.iter().filter(stands) {
                for other in secrets.hidden.iter().filter(stands) {
                    if self.may_exchange((one.at, one.kind), (other.at, other.kind)) {
                        play(Move::new(one.at, other.at));
                    }
                }
            }
        }
        play(Move::pressed(READY));
    }

    /// Returns true if two pieces may change places: they differ, look alike from behind, and each may stand where the
    /// other does.
    fn may_exchange(&self, (at, kind): (u16, u16), (other_at, other): (u16, u16)) -> bool {
        let Some((_, compiled)) = self.book.level2() else { return false };
        let [one, two] = [kind, other].map(|kind| &compiled.kinds[usize::from(kind) - 1]);
        kind != other && one.back == two.back && self.may_begin(kind, other_at) && self.may_begin(other, at)
    }

    /// Returns true if a piece of a kind may begin on a square: within its places, or where the map puts it.
    pub(super) fn may_begin(&self, kind: u16, at: u16) -> bool {
        let Some((_, compiled)) = self.book.level2() else { return false };
        let within = compiled.kinds[usize::from(kind) - 1].within.as_ref();
        let begins = self.book.map().start[usize::from(at)] == kind;
        begins || within.is_none_or(|within| within.contains(at))
    }

    /// Plays a ply of the arrangement.
    pub(super) fn arrange(&mut self, m: Move) {
        let book = Arc::clone(&self.book);
        let (Some((rules, _)), Some(mut progress)) = (book.level2(), self.second.take()) else { return };
        let side = self.turn;
        if let Some(secrets) = progress.secrets.as_deref_mut() {
            if m.pick == READY {
                secrets.arranging[side.index()] = false;
                secrets.exchanges = 0;
                let other = side.other();
                let is_last = !secrets.arranging[other.index()];
                let order = &rules.turns.order;
                self.turn = if is_last { order.side(0) } else { other };
                let place = (0..order.places()).find(|&place| order.side(place) == self.turn);
                progress.place = place.unwrap_or(0) as u16;
            } else {
                secrets.exchanges += 1;
                self.cells.swap(usize::from(m.from), usize::from(m.to));
                for at in [m.from, m.to] {
                    let kind = self.cells[usize::from(at)] & !PROMOTED;
                    secrets.on(at).into_iter().for_each(|one| one.kind = kind);
                }
            }
        }
        self.second = Some(progress);
        self.begin_past();
    }
}
