//! Searches as values: questions about a game, their execution, and the validation of answers from other machines.
//!
//! The server makes [`Search`]es for programs' turns, hints, analyses, reports, puzzles and balance.
//! [`Search::perform`] is the only place where they are executed, on the server's own threads or by a worker
//! elsewhere (`docs/workers.md`).
//!
//! Reading order: `search` (questions and answers), `told` (their messages to and from workers, and the
//! [validation](Search::believe) of answers), `pool` (external engines), [`memory`] (transposition tables).

pub mod memory;
mod pool;
mod search;
mod told;

pub use memory::Size;
pub use pool::{EnginePool, Foreign, plays};
pub use search::{Answer, Ask, GameSnapshot, Search, Thought, digest};
pub use told::{
    Disbelief, MOST_ANSWER_BYTES, MOST_MAP_BYTES, MOST_WEIGHTS_BYTES, PUZZLE_SECONDS, map_of, play_seconds,
    upload_of,
};
