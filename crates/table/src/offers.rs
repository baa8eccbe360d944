//! Limits on offers: the same thing again after a move and not for ever, and none to who wants none.
//!
//! An offer takes the other side's attention: who was declined makes a move before they ask again, and asking has an end.

use kernel::Problem;
use wire::Offer;

/// Offers of one kind that a side may make in a game; those that were agreed to are not counted.
pub const MOST_OFFERS: u8 = 5;
/// Changes of that wish in a game at most, because each is an event in the log.
pub const MOST_CHANGES: u8 = 10;

/// A player's offers so far, and the wish to hear of none. It goes with the player when seats are exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Asked {
    /// The number of offers of each kind that were not accepted.
    times: [u8; 4],
    /// Kinds that were declined since the player moved last.
    declined: [bool; 4],
    /// Offers of the other side are refused.
    pub(crate) is_closed: bool,
    /// Changes of that so far.
    changes: u8,
}

impl Asked {
    /// Allows the player to offer that now, or says why not.
    ///
    /// # Errors
    /// `offer-declined`, `rematch-declined` or `offered-too-often`.
    pub(crate) fn may(&self, what: Offer) -> Result<(), Problem> {
        if self.times[index(what)] >= MOST_OFFERS {
            return Err(Problem::new("offered-too-often").with("limit", MOST_OFFERS));
        }
        match (self.declined[index(what)], what) {
            (false, _) => Ok(()),
            (true, Offer::Rematch) => Err(Problem::new("rematch-declined")),
            (true, _) => Err(Problem::new("offer-declined")),
        }
    }

    /// Allows the player to begin, or cease, to take offers, or says why not.
    ///
    /// # Errors
    /// `nothing-changes` or `changed-too-often`.
    pub(crate) fn may_change(&self, taken: bool) -> Result<(), Problem> {
        if self.is_closed != taken {
            return Err(Problem::new("nothing-changes"));
        }
        if self.changes >= MOST_CHANGES {
            return Err(Problem::new("changed-too-often").with("limit", MOST_CHANGES));
        }
        Ok(())
    }

    pub(crate) fn offered(&mut self, what: Offer) {
        let times = &mut self.times[index(what)];
        *times = times.saturating_add(1);
    }

    pub(crate) fn agreed(&mut self, what: Offer) {
        let times = &mut self.times[index(what)];
        *times = times.saturating_sub(1);
    }

    pub(crate) fn declined(&mut self, what: Offer) {
        self.declined[index(what)] = true;
    }

    pub(crate) fn moved(&mut self) {
        self.declined = [false; 4];
    }

    pub(crate) fn changed(&mut self, taken: bool) {
        self.is_closed = !taken;
        self.changes = self.changes.saturating_add(1);
    }
}

fn index(what: Offer) -> usize {
    match what {
        Offer::Takeback => 0,
        Offer::Draw => 1,
        Offer::Rematch => 2,
        Offer::Swap => 3,
    }
}
