//! Competitions: who meets whom, what counts, and who is where in the ranking.
//!
//! Values in, values out: no clock, no chance, no input or output. Reading order: [`field`] (entrants, rounds, scores), [`swiss`], [`knockout`] and
//! [`robin`] (pairing), [`matching`] (what they share), [`ranking`], [`trf`] (the files of federations).

pub mod check;
pub mod field;
pub mod knockout;
pub mod matching;
pub mod ranking;
pub mod robin;
pub mod swiss;
pub mod trf;

pub use field::{Bye, Entrant, Field, Item, KeptApart, Pairing, Part, Points, Round, Score, Seat, Tenths};
