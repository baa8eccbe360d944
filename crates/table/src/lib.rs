//! The state of one table as a value: decisions on wishes, and the effects of events.
//!
//! Values go in and values come out. There is no I/O here, no task and no clock of the system: the caller passes in
//! the time. Reading order: [`entry`] (the log), [`mod@decide`] (a wish becomes an event), [`state`] (an event
//! changes the table, and the change is told to clients as plain data), [`ended`] (the stored game), [`chance`] (the secret and the draws), [`clock`],
//! [`first`] (the first moves, before clocks run), [`gone`] (players who have left), [`program`] (the wishes of a
//! program that sits here), [`plan`] (conditional moves), [`premove`] (one move ahead), [`offers`] (the limits on
//! offers), [`mod@verify`] (the draws of a record, computed again).
//!
//! The caller does this with every wish: [`decide()`], [`State::apply`], store, [`State::told`]. Clients are told
//! only of events that are stored; when the store refuses, the state is read back from the log.

pub mod chance;
pub mod clock;
pub mod decide;
pub mod ended;
pub mod entry;
pub mod first;
pub mod gone;
pub mod offers;
pub mod plan;
pub mod premove;
pub mod program;
pub mod state;
pub mod verify;

pub use clock::Clock;
pub use decide::{ActRequest, Decision, MOST_EVENTS, decide};
pub use ended::Ended;
pub use entry::{Command, Entry, Event, Secret, Setup, Stage, Standing};
pub use first::FirstTurn;
pub use state::{Applied, Offered, State};
