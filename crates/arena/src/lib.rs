//! Matches of engines: pairs of games, our rules as the referee, and statistics of the results.
//!
//! No engine is trusted: each move is checked against the rules, each answer is timed, and an engine that plays an
//! illegal move, too late, or no move has lost that game. Pairs share an opening with colours reversed.
//!
//! Reading order: [`tally`] and [`sprt`] (statistics), [`player`] (the engines), [`opening`] and [`suite`]
//! (openings), [`bout`] (one game), [`journal`] (the files on disk), [`contest`] (the match).

pub mod bout;
pub mod contest;
pub mod journal;
pub mod opening;
pub mod player;
pub mod random;
pub mod sprt;
pub mod suite;
pub mod tally;

pub use bout::{Control, Terms};
pub use contest::{Contest, Progress};
pub use journal::{Journal, Played, Settings};
pub use player::{Player, Spec};
pub use sprt::{Decision, Scale, Sprt};
pub use suite::{Opening, Suite};
pub use tally::{Points, Tally};
