//! Secrets of sessions, tokens and workers, and public ids.
//!
//! A secret is a text of random letters that only its owner and, for a moment, the hall know. The store keeps its
//! [`hash`](Secret::hash) and its owner. **A well-formed secret proves nothing by itself**: it is valid only if the
//! store has its hash, because the hall has issued it. An id is public and follows from nothing: it reveals nothing
//! about a secret.

use std::fmt;

use sha2::{Digest, Sha256};

/// The digits and letters that are not mistaken for each other: 8 and 24, of 5 bits each.
pub(crate) const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
/// The number of letters of a secret: 160 bits.
const SECRET: usize = 32;
/// The number of letters of an id: the first is no digit (24 kinds), 19 others; 99 bits and a half. Among a million
/// million ids the chance that two are the same is less than one in a million.
const ID: usize = 20;
/// The number of letters of a guest's id in halls before ids were random.
const LEGACY_ID: usize = 12;
/// The prefix that is hashed before the secret of a session, so that the same text hashed for another purpose has
/// another hash.
const SESSION: &[u8] = b"qiguan session 1\0";
/// The prefix that is hashed before the secret of a token.
const TOKEN: &[u8] = b"qiguan token 1\0";
/// The prefix that is hashed before the key of a worker.
const WORKER: &[u8] = b"qiguan worker 1\0";
/// The scopes of a worker's key: the purposes of searches that a worker may do, in order of priority.
pub const WORKER_SCOPES: [&str; 3] = ["play", "study", "background"];
/// The first letters of a worker's key.
const WORKER_BEGINS: &str = "qw_";
/// The first letters of a token, by which scanners for leaked secrets recognize it.
const TOKEN_BEGINS: &str = "qg_";

/// The secret of a session: 160 random bits as 32 letters; or that of a token or a worker, which is the same after
/// `qg_` or `qw_`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Makes a new secret of a session, from the system's source of random numbers. It is valid once the store has
    /// its hash.
    #[must_use]
    pub fn new() -> Secret {
        Secret(random_text(SECRET))
    }

    /// Makes a new secret of a token.
    #[must_use]
    pub fn new_token() -> Secret {
        Secret(format!("{TOKEN_BEGINS}{}", random_text(SECRET)))
    }

    /// Makes a new key of a worker, a computer that runs the engine for the hall.
    #[must_use]
    pub fn new_worker() -> Secret {
        Secret(format!("{WORKER_BEGINS}{}", random_text(SECRET)))
    }

    /// Parses the key of a worker; `None` when it does not have the form.
    #[must_use]
    pub fn read_worker(text: &str) -> Option<Secret> {
        text.strip_prefix(WORKER_BEGINS).and_then(Secret::read).map(|_| Secret(text.to_owned()))
    }

    /// Parses the secret of a session; `None` when it does not have the form. The store knows whether it was ever
    /// issued.
    #[must_use]
    pub fn read(text: &str) -> Option<Secret> {
        let fits = text.len() == SECRET && text.bytes().all(|byte| ALPHABET.contains(&byte));
        fits.then(|| Secret(text.to_owned()))
    }

    /// Parses the secret of a session or of a token.
    #[must_use]
    pub fn read_bearer(text: &str) -> Option<Secret> {
        match text.strip_prefix(TOKEN_BEGINS) {
            Some(rest) => Secret::read(rest).map(|_| Secret(text.to_owned())),
            None => Secret::read(text),
        }
    }

    /// Returns true if it is the secret of a token.
    #[must_use]
    pub fn is_token(&self) -> bool {
        self.0.starts_with(TOKEN_BEGINS)
    }

    /// Returns the SHA-256 of `qiguan session 1`, `qiguan token 1` or `qiguan worker 1`, a zero byte and the secret:
    /// the key under which the store finds it. 160 bits cannot be guessed, so neither salt nor a slow hash is needed,
    /// and the time of the lookup reveals nothing.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        let purpose = if self.is_token() {
            TOKEN
        } else if self.0.starts_with(WORKER_BEGINS) {
            WORKER
        } else {
            SESSION
        };
        Sha256::new().chain_update(purpose).chain_update(&self.0).finalize().into()
    }

    /// Returns the public id that earlier halls derived from it: 60 bits of its plain SHA-256. For the migration
    /// alone: a visitor with a secret whose hash is not in the store, and whose old id is, and was not claimed
    /// before, is given a random id and a new secret. Since old ids were public and short, the first to present such
    /// a secret need not be its owner; a hall ends the migration after a while.
    #[must_use]
    pub fn legacy_id(&self) -> String {
        Sha256::digest(self.0.as_bytes()).iter().take(LEGACY_ID).map(|byte| letter(*byte)).collect()
    }

    /// Returns the text itself, for its owner only: in a cookie, or in the one answer that shows it to a program.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl Default for Secret {
    fn default() -> Self {
        Secret::new()
    }
}

/// Writes a placeholder without the secret, which must not get into a log.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Returns a random public id of a person: 20 letters, the first of which is no digit; 99 bits.
#[must_use]
pub fn new_id() -> String {
    let first = std::iter::repeat_with(|| letter(rand::random())).find(char::is_ascii_alphabetic);
    first.into_iter().chain(std::iter::repeat_with(|| letter(rand::random()))).take(ID).collect()
}

/// Returns a random id of a table, of the same form; only people who were given the link know it.
#[must_use]
pub fn new_table_id() -> String {
    new_id()
}

/// Returns true if a text has the form of a random id.
#[must_use]
pub fn is_id(text: &str) -> bool {
    text.len() == ID
        && text.bytes().all(|byte| ALPHABET.contains(&byte))
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns a text of random letters, 5 bits each.
#[must_use]
pub fn random_text(letters: usize) -> String {
    (0..letters).map(|_| letter(rand::random())).collect()
}

/// Converts a random byte to a letter. 256 is a multiple of 32, so each letter is equally likely.
fn letter(byte: u8) -> char {
    char::from(ALPHABET[usize::from(byte) % ALPHABET.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const KNOWN: &str = "23456789abcdefghijkmnpqrstuvwxyz";

    /// Hashes stay the same in every version: cookies that browsers keep must stay valid.
    #[test]
    fn hashes_stay_what_they_are() {
        let secret = Secret::read(KNOWN).unwrap();
        let hex: String = secret.hash().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "9493752a96efdd99dcda734d29996ddb883a783b0344a031ff10796fad6afc2d");
        assert_eq!(secret.legacy_id(), "mxwpp8cpmfqg");
        assert_ne!(secret.hash()[..], Sha256::digest(KNOWN)[..]);
    }

    #[test]
    fn what_is_not_of_the_form_is_no_secret() {
        for text in [
            "",
            "short",
            "UPPERCASEUPPERCASEUPPERCASEUPPER",
            &"2".repeat(33),
            &"l".repeat(32),
            &"é".repeat(16),
        ] {
            assert!(Secret::read(text).is_none(), "{text:?}");
        }
        let new = Secret::new();
        assert_eq!(Secret::read(new.reveal()), Some(new.clone()));
        assert!(!format!("{new:?}").contains(new.reveal()));
    }

    #[test]
    fn a_token_is_no_session() {
        let token = Secret::new_token();
        assert_eq!(Secret::read_bearer(token.reveal()), Some(token.clone()));
        assert!(token.is_token() && Secret::read(token.reveal()).is_none(), "a cookie never holds a token");
        let session = Secret::read_bearer(KNOWN).expect("a session's");
        let same_letters = Secret::read_bearer(&format!("qg_{KNOWN}")).expect("a token's");
        assert!(!session.is_token() && session.hash() != same_letters.hash());
        for text in ["qg_", "qg_qg_", &format!("QG_{KNOWN}"), &format!("qg_{KNOWN}2")] {
            assert!(Secret::read_bearer(text).is_none(), "{text}");
        }
    }

    #[test]
    fn ids_are_random_and_of_one_form() {
        let ids: HashSet<String> =
            (0..2000).map(|_| new_id()).chain((0..2000).map(|_| new_table_id())).collect();
        assert_eq!(ids.len(), 4000);
        assert!(ids.iter().all(|id| is_id(id)));
        for position in 0..ID {
            let letters: HashSet<u8> = ids.iter().map(|id| id.as_bytes()[position]).collect();
            assert_eq!(letters.len(), if position == 0 { 24 } else { 32 }, "letter {position}");
        }
        for text in
            ["", "abc", "2bcdefghijkmnpqrstuv", "abcdefghijkmnpqrstuvw", "abcdefghijklmnpqrstu", "level-1"]
        {
            assert!(!is_id(text), "{text}");
        }
    }
}
