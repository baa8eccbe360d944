//! Proofs about locked chess: positions in which a side is safe (docs/rules/locked.md §10).
//!
//! Reading order: [`board`] (squares, sets of stones, turns), [`safety`] (the safety game, solved), [`complete`] (small
//! boards, solved outright in another way), [`certificate`] (the result as a file), [`checker`] (plays by such a file, with
//! the rules of `locked`).

pub mod board;
pub mod certificate;
pub mod checker;
pub mod complete;
pub mod safety;
