//! The learnable evaluations of our engine, by game.

pub use engine_core::learned::{Boards, Layout, Linear, Looked, Network, Shape, Weights};

use crate::FAMILIES;

/// Returns the network that the engine can learn for that game of the catalogue; `None`: it has none.
///
/// ```
/// use engine::learned::network;
///
/// assert!(network("xiangqi").is_some());
/// assert!(network("chess").is_none());
/// ```
#[must_use]
pub fn network(key: &str) -> Option<Box<dyn Network>> {
    FAMILIES.iter().find_map(|family| (family.network)(key))
}

/// Returns the sum of weights that the engine can learn for that game of the catalogue; `None`: it has none.
///
/// ```
/// use engine::learned::model;
///
/// assert!(model("chess").is_none());
/// let model = model("locked").expect("locked chess has a sum of weights");
/// assert_eq!(model.now().len(), model.shape().weights);
/// ```
#[must_use]
pub fn model(key: &str) -> Option<Box<dyn Linear>> {
    FAMILIES.iter().find_map(|family| (family.model)(key))
}
