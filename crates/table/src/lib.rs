//! One table as a value: what an event does to it, and what becomes of a wish.
//!
//! Values go in and values come out. There is no I/O here, no task and no clock of the system: whoever runs a table
//! says what time it is. [`entry`] holds what is written down.

pub mod entry;

pub use entry::{Command, Entry, Event, Setup, Stage, Standing};
