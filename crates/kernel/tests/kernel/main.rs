//! The kernel tried on two games that exist only here.
//!
//! Reading order: `pebbles` and `fill` (the games), then one module of tests for each module of the kernel.

mod fill;
mod pebbles;

mod any;
mod game;
mod laws;
mod notation;
mod perft;
mod problem;
