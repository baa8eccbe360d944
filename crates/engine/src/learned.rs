//! What our engines can learn, by game.

pub use engine_core::learned::{Boards, Layout, Linear, Looked, Network, Shape, Weights};

use crate::FAMILIES;

/// The network that the engine for that game of the catalogue can learn; `None`: it has none.
#[must_use]
pub fn network(key: &str) -> Option<Box<dyn Network>> {
    FAMILIES.iter().find_map(|family| (family.network)(key))
}

/// The sum of weights that the engine for that game of the catalogue can learn; `None`: it has none.
#[must_use]
pub fn model(key: &str) -> Option<Box<dyn Linear>> {
    FAMILIES.iter().find_map(|family| (family.model)(key))
}
