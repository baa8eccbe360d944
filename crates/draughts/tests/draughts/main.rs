//! The tests of draughts, in one program: seventeen variants are compiled once for all of them.

mod common;
mod laws;
mod moves;
mod pdn;
mod perft;
mod plain;
mod rules;
