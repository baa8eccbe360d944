//! A search as a value: what is asked about a game, how it is worked out, and what is believed of an answer that comes from
//! another machine.
//!
//! The hall makes [`Search`]es, for programs' turns, hints, analyses, reports, puzzles and balance. [`Search::perform`] is the
//! only place where they are worked out, be it on the hall's own threads or by a worker elsewhere (`docs/workers.md`).
//!
//! Reading order: `search` (questions and answers), `told` (as workers are told, and [what is believed](Search::believe)),
//! `pool` (programs of others), [`memory`] (transposition tables).

pub mod memory;
mod pool;
mod search;
mod told;

pub use memory::Size;
pub use pool::{EnginePool, Foreign, plays};
pub use search::{Answer, Ask, Asked, Search, Thought, digest};
pub use told::{
    Disbelief, MOST_ANSWER_BYTES, MOST_MAP_BYTES, MOST_WEIGHTS_BYTES, PUZZLE_SECONDS, map_of, play_seconds,
    upload_of,
};
