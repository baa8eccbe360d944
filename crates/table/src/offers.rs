//! Limits on offers: an offer may be repeated only after a move and not for ever, and a player may refuse to get any.
//!
//! An offer takes the other side's attention: a player whose offer was declined makes a move before they ask again,
//! and the number of offers is limited.

use kernel::Problem;
use wire::Offer;

/// The most offers of one kind that a side may make in a game; those that were accepted are not counted.
pub const MOST_OFFERS: u8 = 5;
/// The most changes of that setting in a game, because each is an event in the log.
pub const MOST_CHANGES: u8 = 10;

/// A player's offers so far, and the setting to get none. It goes with the player when seats are exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OfferHistory {
    /// The number of offers of each kind that were not accepted.
    times: [u8; 4],
    /// Kinds that were declined since the player moved last.
    declined: [bool; 4],
    /// True if offers of the other side are refused.
    pub(crate) is_closed: bool,
    /// The number of changes of that setting so far.
    changes: u8,
}

impl OfferHistory {
    /// Checks whether the player may make that offer now.
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

    /// Checks whether the player may start, or stop, refusing offers.
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
