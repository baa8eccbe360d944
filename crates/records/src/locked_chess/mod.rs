//! The saved games of the locked chess reference program.
//!
//! Writing is [`locked::json::state_json`]; reading is [`load`], whose inner texts are Python literals that
//! [`literal`] reads and never evaluates.

pub mod literal;

pub mod load;

pub use literal::Literal;
pub use load::loads_game;
