//! Tools that prove a hall, for `qiguan load`: no hall needs them to run.
//!
//! [`ledger`] compares what players were told with what is stored; [`sample`] makes up people and games, to measure a
//! large hall by.

pub mod ledger;
pub mod sample;
