//! The kernel tried on three games that exist only here.
//!
//! Reading order: `pebbles`, `fill` and `wide` (the games), then one module of tests for each module of the kernel.

mod fill;
mod pebbles;
mod wide;

mod any;
mod chance;
mod game;
mod laws;
mod notation;
mod perft;
mod problem;
mod threads;
