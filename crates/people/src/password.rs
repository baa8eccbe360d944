//! Passwords: their rules, and their hashes.
//!
//! A password is stored as its argon2id hash with a salt of its own, in the PHC text form that names its parameters.
//! Computing one takes tens of milliseconds and 19 MiB: callers must bound the number that are computed at a time.

use std::sync::OnceLock;

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use kernel::Problem;
use unicode_normalization::UnicodeNormalization;

use crate::name::fold;

/// The fewest letters of a new password.
pub const FEWEST: usize = 10;
/// The most letters of a password.
pub const MOST: usize = 200;
/// The fewest different letters of a new one.
const FEWEST_KINDS: usize = 5;
/// The fewest letters besides the name in a password that contains it.
const FEWEST_BESIDE_NAME: usize = 8;
/// The memory of one hash, in KiB. OWASP's Password Storage Cheat Sheet (2024): 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
/// The number of passes over that memory.
const PASSES: u32 = 2;

/// The most common passwords with ten letters or more, in lower case.
const WORST: &str = include_str!("../data/worst.txt");

/// A password as it was typed, in Unicode's normal form NFC, so that keyboards that compose letters differently give
/// the same one. Nothing else is changed: case and spaces count.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Reads a password for signing in. Only its length is checked: a password that was once accepted must stay
    /// valid.
    ///
    /// # Errors
    /// `password-too-long`, with the `limit`.
    pub fn read(text: &str) -> Result<Password, Problem> {
        let too_long = || Problem::new("password-too-long").with("limit", MOST);
        // A letter has at most four bytes, and composing never makes more letters.
        if text.len() > 4 * 3 * MOST {
            return Err(too_long());
        }
        let normal: String = text.nfc().collect();
        if normal.chars().count() > MOST { Err(too_long()) } else { Ok(Password(normal)) }
    }

    /// Validates a new password for the person of that name.
    ///
    /// # Errors
    /// `password-too-short` and `password-too-long`, with the `limit`; `password-simple` when it has too few different letters
    /// or counts up or down; `password-like-name`; `password-known` when it is among those that are guessed first.
    pub fn choose(text: &str, name: &str) -> Result<Password, Problem> {
        let password = Password::read(text)?;
        let letters: Vec<char> = password.0.chars().collect();
        if letters.len() < FEWEST {
            return Err(Problem::new("password-too-short").with("limit", FEWEST));
        }
        let small = password.0.to_lowercase();
        let mut kinds: Vec<char> = small.chars().collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() < FEWEST_KINDS || is_run(&small) {
            return Err(Problem::new("password-simple"));
        }
        let (folded, name) = (fold(&password.0), fold(name));
        if !name.is_empty()
            && folded.replace(&name, "").chars().count() < FEWEST_BESIDE_NAME
            && folded.contains(&name)
        {
            return Err(Problem::new("password-like-name"));
        }
        if WORST.lines().any(|known| known == small) {
            return Err(Problem::new("password-known"));
        }
        Ok(password)
    }

    /// Computes the hash for the store. Takes tens of milliseconds.
    #[must_use]
    pub fn hash(&self) -> String {
        let bytes: [u8; 16] = rand::random();
        let salt = SaltString::encode_b64(&bytes).expect("16 bytes are a salt");
        let hash = hasher().hash_password(self.0.as_bytes(), &salt).expect("the parameters are valid");
        hash.to_string()
    }

    /// Returns true if `kept` is the hash of this password. Where there is none, it is compared with the hash of a
    /// random password, so that the answer takes as long.
    #[must_use]
    pub fn is(&self, kept: Option<&str>) -> bool {
        let hash = PasswordHash::new(kept.unwrap_or(nobodys()));
        let same = hash.is_ok_and(|hash| hasher().verify_password(self.0.as_bytes(), &hash).is_ok());
        same && kept.is_some()
    }
}

/// Computes the hash of a random password in advance, so that the first unknown name is answered no later than
/// others. Takes tens of milliseconds, once.
pub fn prepare() {
    nobodys();
}

fn nobodys() -> &'static str {
    static NOBODYS: OnceLock<String> = OnceLock::new();
    NOBODYS.get_or_init(|| Password(crate::secret::random_text(32)).hash())
}

/// Writes a placeholder without the password, which must not get into a log.
impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).expect("the parameters are valid");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Returns true if most letters are the one before, the next or the previous of the alphabet: `abcdefghij`,
/// `9876543210`.
fn is_run(text: &str) -> bool {
    let letters: Vec<u32> = text.chars().map(u32::from).collect();
    let near = letters.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 1).count();
    near * 4 >= (letters.len() - 1) * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guessed_first_is_refused_with_the_reason() {
        for (name, person, text, wanted) in [
            ("four words", "Ada", "correct horse battery staple", None),
            ("ten letters", "Ada", "mn7 qx-p2z", None),
            ("Chinese", "Ada", "床前明月光疑是地上霜", None),
            ("nothing", "Ada", "", Some("password-too-short")),
            ("nine letters", "Ada", "mn7qx-p2z", Some("password-too-short")),
            ("nine letters and marks that compose", "Ada", "mn7qx-p2e\u{301}", Some("password-too-short")),
            ("one letter", "Ada", "aaaaaaaaaaaa", Some("password-simple")),
            ("four letters", "Ada", "ababcdcdabab", Some("password-simple")),
            ("counted up", "Ada", "abcdefghijkl", Some("password-simple")),
            ("counted down", "Ada", "0987654321", Some("password-simple")),
            ("well known", "Ada", "Password123", Some("password-known")),
            ("a keyboard's row", "Ada", "qwertyuiop", Some("password-known")),
            ("the name", "Lovelace9x", "lovelace9X", Some("password-like-name")),
            ("the name and a year", "Lovelace", "Lovelace1815", Some("password-like-name")),
            ("look-alikes of the name", "Lovelace", "L0velace1815", Some("password-like-name")),
            ("a name inside something long", "Ada", "the Ada of 1815 lives", None),
            ("201 letters", "Ada", &"mn7qx".repeat(41)[..201], Some("password-too-long")),
        ] {
            let key = Password::choose(text, person).err().map(|problem| problem.key);
            assert_eq!(key, wanted, "{name}");
        }
        assert!(Password::read(&"x".repeat(1 << 20)).is_err());
    }

    #[test]
    fn only_the_same_password_is_the_same() {
        let password = Password::choose("mn7 qx-p2é", "Ada").expect("is taken");
        let hash = password.hash();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, password.hash(), "each has a salt of its own");
        for (name, text, same) in [
            ("itself", "mn7 qx-p2é", true),
            ("composed otherwise", "mn7 qx-p2e\u{301}", true),
            ("a capital", "Mn7 qx-p2é", false),
            ("a space more", "mn7 qx-p2é ", false),
        ] {
            assert_eq!(Password::read(text).expect("reads").is(Some(&hash)), same, "{name}");
        }
        assert!(!password.is(None));
        assert!(!password.is(Some("no hash at all")));
    }

    #[test]
    fn the_list_of_the_worst_is_what_it_says() {
        for known in WORST.lines() {
            assert!(known.chars().count() >= FEWEST && known == known.to_lowercase(), "{known}");
        }
    }
}
