//! Recovery codes: eight texts that are shown once and restore access to an account when all else is lost. Each is
//! valid once.
//!
//! A code has 80 random bits, which cannot be guessed: its SHA-256 is kept without salt or slow hash.

use sha2::{Digest, Sha256};

use crate::secret::{ALPHABET, random_text};

/// The number of codes that are made together.
pub const CODES: usize = 8;
/// The number of letters of a code, 5 bits each.
const LETTERS: usize = 16;
/// The number of letters between hyphens.
const GROUP: usize = 4;
/// The prefix that is hashed before the public id of the owner and the code.
const RECOVERY: &[u8] = b"qiguan recovery 1\0";

/// One recovery code.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

impl Code {
    /// Makes eight new codes, from the system's source of random numbers.
    #[must_use]
    pub fn eight() -> [Code; CODES] {
        std::array::from_fn(|_| Code(random_text(LETTERS)))
    }

    /// Parses a code as a person typed it: case, spaces and hyphens do not matter. `None` when it does not have the
    /// form of a code.
    #[must_use]
    pub fn read(text: &str) -> Option<Code> {
        if text.len() > 100 {
            return None;
        }
        let letters: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '-')
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let fits = letters.len() == LETTERS && letters.bytes().all(|byte| ALPHABET.contains(&byte));
        fits.then_some(Code(letters))
    }

    /// Returns the hash that is stored, for the person with that public id.
    #[must_use]
    pub fn hash(&self, person: &str) -> [u8; 32] {
        let hash = Sha256::new().chain_update(RECOVERY).chain_update(person).chain_update(b"\0");
        hash.chain_update(&self.0).finalize().into()
    }

    /// Returns the text to show to its owner, once: groups of four letters.
    #[must_use]
    pub fn reveal(&self) -> String {
        let groups: Vec<&str> = (0..LETTERS).step_by(GROUP).map(|at| &self.0[at..at + GROUP]).collect();
        groups.join("-")
    }
}

/// Writes a placeholder without the code, which must not get into a log.
impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let codes = Code::eight();
        for code in &codes {
            let shown = code.reveal();
            assert_eq!(shown.len(), 19, "{shown}");
            for typed in [shown.clone(), shown.replace('-', ""), shown.to_uppercase().replace('-', " ")] {
                assert_eq!(Code::read(&typed).as_ref(), Some(code), "{typed}");
            }
            assert_eq!(codes.iter().filter(|other| *other == code).count(), 1);
        }
        for (name, text) in [
            ("nothing", ""),
            ("a letter too few", "aaaa-aaaa-aaaa-aaa"),
            ("a letter too many", "aaaa-aaaa-aaaa-aaaaa"),
            ("a letter that is not used", "aaaa-aaaa-aaaa-aaa0"),
            ("letters of two bytes", "aaaa-aaaa-aaaa-aaé"),
            ("long", &"-".repeat(101)),
        ] {
            assert_eq!(Code::read(text), None, "{name}");
        }
    }

    #[test]
    fn a_code_is_one_person_s() {
        let code = Code::read("aaaa-aaaa-aaaa-aaaa").expect("a code");
        assert_ne!(code.hash("ann"), code.hash("bob"));
        assert_ne!(code.hash("ann"), Code::read("aaaa-aaaa-aaaa-aaab").expect("a code").hash("ann"));
    }
}
