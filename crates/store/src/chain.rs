//! The checksums of a log: each covers its own row and the checksum before it.
//!
//! The first link covers the setup. The last one, the tip, is kept apart from the rows, so that a log cut short at
//! its end is noticed as well as a hole or a changed byte. The checksums find damage, not forgery: anyone who can
//! write the file can compute checksums.

use sha2::{Digest, Sha256};

/// A row of a log as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    /// The version of the entry: one more than that of the row before.
    pub ver: u64,
    /// The moment at which it was stored, in Unix milliseconds.
    pub at_ms: u64,
    /// Public id of the person who sent the command; empty where no person did, or where it was not recorded.
    pub person: &'a str,
    /// Id of the command.
    pub cmd: Option<&'a str>,
    /// Thinking time charged, in milliseconds.
    pub spent_ms: Option<u64>,
    /// The version of the format of the body.
    pub format: u32,
    /// The event as JSON of that format.
    pub body: &'a str,
}

/// The checksum before the first row.
#[must_use]
pub fn start(table: &str, format: u32, setup: &str) -> u64 {
    let mut hash = Sha256::new();
    text(&mut hash, table);
    hash.update(format.to_le_bytes());
    text(&mut hash, setup);
    short(hash)
}

/// The checksum after `row`, where `before` is the one before it.
#[must_use]
pub fn link(before: u64, table: &str, row: &Row) -> u64 {
    let mut hash = Sha256::new();
    hash.update(before.to_le_bytes());
    text(&mut hash, table);
    hash.update(row.ver.to_le_bytes());
    hash.update(row.at_ms.to_le_bytes());
    text(&mut hash, row.person);
    hash.update([u8::from(row.cmd.is_some()), u8::from(row.spent_ms.is_some())]);
    text(&mut hash, row.cmd.unwrap_or_default());
    hash.update(row.spent_ms.unwrap_or_default().to_le_bytes());
    hash.update(row.format.to_le_bytes());
    text(&mut hash, row.body);
    short(hash)
}

/// Hashes a text after its length, so that different lists of texts hash differently.
fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}

/// Shortens a hash to its first 64 bits.
fn short(hash: Sha256) -> u64 {
    let digest = hash.finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(first)
}
