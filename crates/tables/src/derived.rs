//! Ids and seeds that follow from other ids: derived again, they are the same.

use sha2::{Digest, Sha256};

/// Letters of an id that follows from another: 5 bits each.
const ID: usize = 20;
/// Digits and letters that are not mistaken for each other.
const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// Derives a public id from `source`: 100 bits of its SHA-256.
#[must_use]
pub(crate) fn derived_id(source: &str) -> String {
    text_from(source, ID)
}

/// Derives a seed for the random numbers of extensions from a table's id.
#[must_use]
pub(crate) fn seed_from(id: &str) -> i64 {
    let hash = Sha256::digest(format!("seed of {id}").as_bytes());
    i64::from(u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]))
}

/// Derives a text of at most 32 letters from `source`, from which the source cannot be recovered.
#[must_use]
pub fn text_from(source: &str, letters: usize) -> String {
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]);
    Sha256::digest(source.as_bytes()).iter().take(letters).map(letter).collect()
}
