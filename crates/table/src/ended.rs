//! A finished game as a value, which is stored beside its log.

use wire::{How, Outcome, Player};

use crate::entry::Setup;
use crate::state::State;

/// A game that two players began and that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The id of its table.
    pub id: String,
    /// The agreed settings of the game.
    pub setup: Setup,
    /// The players of the first and the second side, by the names they had then.
    pub players: [Player; 2],
    /// The winner, and the reason.
    pub outcome: Outcome,
    /// The moment at which the second player sat down, in Unix milliseconds.
    pub begun_ms: u64,
    /// The moment at which it ended, in Unix milliseconds.
    pub ended_ms: u64,
    /// Machine texts of the plies, each with the thinking time that was charged, in milliseconds.
    pub plies: Vec<(String, Option<u64>)>,
}

impl State {
    /// Returns the game, if it has ended and is to be stored: both seats were taken, it was not played on one screen,
    /// and it did not begin with its end, as from a set-up position that is decided.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        let (ended_ms, begun_ms) = (self.ended_ms()?, self.begun_ms?);
        let [Some(first), Some(second)] = self.seats.clone() else { return None };
        if self.setup.how == How::Screen {
            return None;
        }
        let plies = self.record.iter().map(|ply| (ply.0.to_string(), ply.2)).collect();
        Some(Ended {
            id: self.id.clone(),
            setup: Setup { options: self.options(), ..self.setup.clone() },
            players: [first, second],
            outcome: self.end.clone()?,
            begun_ms,
            ended_ms,
            plies,
        })
    }
}
