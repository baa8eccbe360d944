//! One table as a value: what becomes of a wish, and what an event does.
//!
//! Values go in and values come out. There is no I/O here, no task and no clock of the system: whoever runs a table
//! says what time it is. Reading order: [`entry`] (what is written down), [`mod@decide`] (a wish becomes an event),
//! [`state`] (an event changes the table, and the change is told to clients as plain data), [`ended`] (what is remembered
//! of a game), [`clock`], [`first`] (what happens before clocks run), [`gone`] (who has left), [`program`] (what a
//! program that sits here wants), [`plan`] (moves that are played for somebody who is away), [`premove`] (one move
//! ahead), [`offers`] (how often one may ask).
//!
//! Whoever runs a table does this with every wish: [`decide()`], [`State::apply`], store, [`State::told`]. Nothing is
//! told that is not stored; when the store refuses, the state is read back from the log.

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

pub use clock::Clock;
pub use decide::{Decision, MOST_EVENTS, Wish, decide};
pub use ended::Ended;
pub use entry::{Command, Entry, Event, Secret, Setup, Stage, Standing};
pub use first::FirstTurn;
pub use state::{Applied, Offered, State};
