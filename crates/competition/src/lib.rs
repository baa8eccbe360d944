//! Competitions: who meets whom, what counts, and who is where in the ranking.
//!
//! Values in, values out: no clock, no chance, no input or output.

pub mod matching;
