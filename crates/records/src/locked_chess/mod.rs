//! The saved games of the locked chess reference program, and its Python API.
//!
//! Writing is [`locked::json::state_json`]; reading is [`load`], whose inner texts are Python literals that
//! [`literal`] reads and never evaluates, and whose values [`variables`] checks. [`facade`]
//! has the names, variables and error texts of the reference program, for those who have programs from there.

pub mod literal;

pub mod variables;

pub mod load;

pub mod facade;

pub use facade::LockedChessClass;
pub use literal::Literal;
pub use load::loads_game;
