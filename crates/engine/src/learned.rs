//! The learnable evaluations of our engine, by game.

pub use engine_core::learned::{Boards, Layout, Linear, Looked, Network, Shape, Weights};

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kernel::AnyGame;

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

/// A hash of the weights that are built in, by the key of each family: equal where two programs judge alike. FNV-1a, 64 bits, as
/// 16 hexadecimal digits.
#[must_use]
pub fn hashes() -> &'static BTreeMap<String, String> {
    static HASHES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let hash = |files: Vec<&[u8]>| {
            let bytes = files.into_iter().flatten();
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
            })
        };
        let told = FAMILIES.iter().map(|family| (family.key.to_owned(), hash((family.files)())));
        told.map(|(key, hash)| (key, format!("{hash:016x}"))).collect()
    });
    &HASHES
}

/// The hash of the weights that this process was given for the map of a game: the SHA-256 of their line. `None` where none were.
#[must_use]
pub fn brought(game: &dyn AnyGame) -> Option<String> {
    FAMILIES.iter().find_map(|family| (family.brought.hash)(game))
}

/// The line of weights with that hash, which this process was given.
#[must_use]
pub fn brought_line(hash: &str) -> Option<String> {
    FAMILIES.iter().find_map(|family| (family.brought.line)(hash))
}

/// Takes a line as the only weights for the map of a game, or none: [`brought`] says afterwards which ones count.
pub fn bring(game: &dyn AnyGame, line: Option<&str>) {
    FAMILIES.iter().for_each(|family| (family.brought.bring)(game, line));
}
