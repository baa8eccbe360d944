//! Who someone is: a guest, known by a secret in a cookie.
//!
//! The hall keeps no secrets, only what they hash to. Public ids are random and follow from nothing.

use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

const COOKIE: &str = "qiguan";
/// Letters and digits of a public id: 20 of 32 kinds, 100 bits.
const ID: usize = 20;
const SECURE_COOKIE: &str = "__Host-qiguan";
/// Letters and digits of a secret: 32 of 32 kinds, 160 bits.
const SECRET: usize = 32;
/// Digits and letters that are not mistaken for each other.
const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
const TWO_YEARS_S: u32 = 63_072_000;
/// Letters of a name at most.
const LONGEST_NAME: usize = 24;
/// Letters of a room's name at most.
const LONGEST_ROOM: usize = 40;

/// The secret that proves who a guest is.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one nobody has.
    #[must_use]
    pub fn new() -> Secret {
        Secret(random_text(SECRET))
    }

    /// The one a request carries: `Authorization: Bearer …` of a program, or the cookie of a page. Where the hall is reached
    /// over https (`secure`), only the cookie that nobody on the way can have set counts: a browser keeps the prefix
    /// `__Host-` for those.
    #[must_use]
    pub fn of(headers: &HeaderMap, secure: bool) -> Option<Secret> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
        let bearer = bearer.and_then(|v| v.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
        let cookie = cookies.flat_map(|v| v.split(';')).find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == if secure { SECURE_COOKIE } else { COOKIE }).then_some(value)
        });
        bearer.or(cookie).and_then(Secret::read)
    }

    fn read(text: &str) -> Option<Secret> {
        let fits = text.len() == SECRET && text.bytes().all(|b| ALPHABET.contains(&b));
        fits.then(|| Secret(text.to_owned()))
    }

    /// What the store keeps of it: the whole SHA-256. Nobody can tell the secret from it, nor a public id.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The public id that halls of earlier versions made from it.
    #[must_use]
    pub fn former_id(&self) -> String {
        text_from(&self.0, 12)
    }

    /// The cookie that makes a browser remember it. `secure`: the hall is reached over https.
    #[must_use]
    pub fn cookie(&self, secure: bool) -> HeaderValue {
        let (name, flag) = if secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
        let text = format!("{name}={}; Path=/; Max-Age={TWO_YEARS_S}; HttpOnly; SameSite=Lax{flag}", self.0);
        HeaderValue::from_str(&text).expect("letters and digits")
    }

    /// For the program it belongs to, and nobody else.
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

/// A random public id, of a person or a table: 100 bits.
#[must_use]
pub fn new_id() -> String {
    random_text(ID)
}

/// A public id that follows from `source`: 100 bits of its SHA-256.
#[must_use]
pub fn derived_id(source: &str) -> String {
    text_from(source, ID)
}

/// A text of random letters, hard to mistake.
#[must_use]
pub fn random_text(letters: usize) -> String {
    (0..letters).map(|_| letter(rand::random())).collect()
}

/// A text of at most 32 letters that follows from `source`, and from which nobody can tell what that was.
#[must_use]
pub fn text_from(source: &str, letters: usize) -> String {
    Sha256::digest(source.as_bytes()).iter().take(letters).map(|byte| letter(*byte)).collect()
}

fn letter(byte: u8) -> char {
    char::from(ALPHABET[usize::from(byte) % ALPHABET.len()])
}

/// A name or a room's name as people may choose it: printable, trimmed, not too long. `None` when nothing is left.
///
/// # Errors
/// `name-too-long`, `name-unprintable`.
fn tidy_name(text: &str, longest: usize) -> Result<Option<String>, kernel::Problem> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() > longest {
        return Err(kernel::Problem::new("name-too-long").with("limit", longest));
    }
    if name.chars().any(|c| c.is_control() || is_invisible(c)) {
        return Err(kernel::Problem::new("name-unprintable"));
    }
    Ok(Some(name).filter(|name| !name.is_empty()))
}

/// A person's name, tidied.
///
/// # Errors
/// `name-too-long`, `name-unprintable`.
pub fn tidy_person(text: &str) -> Result<Option<String>, kernel::Problem> {
    tidy_name(text, LONGEST_NAME)
}

/// A room's name, tidied.
///
/// # Errors
/// `name-too-long`, `name-unprintable`.
pub fn tidy_room(text: &str) -> Result<Option<String>, kernel::Problem> {
    tidy_name(text, LONGEST_ROOM)
}

/// Marks that turn the direction of writing or take no room: names made of them deceive.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_from_cookie_or_header_and_its_hash_is_the_guest() {
        let secret = Secret::new();
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, format!("a=b; qiguan={}; c=d", secret.reveal()).parse().unwrap());
        assert_eq!(Secret::of(&headers, false).map(|s| s.hash()), Some(secret.hash()));
        let program = Secret::new();
        headers.insert(header::AUTHORIZATION, format!("Bearer {}", program.reveal()).parse().unwrap());
        assert_eq!(
            Secret::of(&headers, false).map(|s| s.hash()),
            Some(program.hash()),
            "the header goes first"
        );
        assert_ne!(secret.hash(), program.hash());
    }

    /// S12: on https a plain cookie, which anybody on the way can set, went before the one with the prefix.
    #[test]
    fn each_scheme_has_its_own_cookie() {
        let (plain, secure) = (Secret::new(), Secret::new());
        let both = format!("qiguan={}; __Host-qiguan={}", plain.reveal(), secure.reveal());
        let only_plain = format!("qiguan={}", plain.reveal());
        for (name, cookie, https, wanted) in [
            ("both, over https", &both, true, Some(&secure)),
            ("both, over http", &both, false, Some(&plain)),
            ("the plain one, over https", &only_plain, true, None),
            ("the plain one, over http", &only_plain, false, Some(&plain)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, cookie.parse().unwrap());
            assert!(Secret::of(&headers, https).as_ref() == wanted, "{name}");
        }
    }

    #[test]
    fn what_is_not_a_secret_is_nobody() {
        for bad in ["", "short", "UPPERCASEUPPERCASEUPPERCASEUPPER", &"2".repeat(33)] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, format!("qiguan={bad}").parse().unwrap());
            assert!(Secret::of(&headers, false).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn names_are_tidied() {
        for (given, wanted) in [
            ("  Ada   Lovelace ", Ok(Some("Ada Lovelace".to_owned()))),
            ("棋手", Ok(Some("棋手".to_owned()))),
            ("   ", Ok(None)),
            ("a\u{202e}b", Err("name-unprintable")),
            ("0123456789012345678901234", Err("name-too-long")),
        ] {
            assert_eq!(tidy_person(given).map_err(|p| p.key), wanted, "{given:?}");
        }
    }
}
