//! Extensions through the border that games use: a map and files go in, positions come out.
#![cfg(feature = "extensions")]

mod golden;
mod hostile;
mod language;
mod load;
mod memory;
mod quick;
mod rehearsal;
mod second;
mod support;
mod system;
mod teacher;
mod three;
mod walks;
mod workers;
