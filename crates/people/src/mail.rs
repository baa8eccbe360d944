//! E-mail addresses of accounts, and the purposes of links in letters.
//!
//! Of what RFC 5321 allows, addresses are accepted that mail servers everywhere deliver to: a dot-atom of ASCII, `@`,
//! and a domain with a dot. No address contains a space, a quote or a control character, so none can add a line to a
//! letter.

use kernel::Problem;
use sha2::{Digest, Sha256};

use crate::secret::Secret;

/// The most bytes of an address (RFC 5321, 4.5.3.1.3, without its brackets).
const MOST: usize = 254;
/// The most bytes of the local part, before the `@` (RFC 5321, 4.5.3.1.1).
const MOST_LOCAL: usize = 64;
/// The most bytes of a label of a domain (RFC 1035, 2.3.4).
const MOST_LABEL: usize = 63;
/// The time for which a letter's link confirms an address, in milliseconds: a day.
pub const CONFIRM_MS: u64 = 86_400_000;
/// The time for which a letter's link sets a new password, in milliseconds: an hour.
pub const RECOVER_MS: u64 = 3_600_000;
/// The most accounts that one address may belong to.
pub const MOST_ACCOUNTS: u32 = 5;
/// The time for which a player must have been to move in a slow game, without a look at it, before it is in a digest,
/// in milliseconds: four hours.
pub const DIGEST_AFTER_MS: u64 = 4 * 3_600_000;
/// The least time between two digests, in milliseconds: a day.
pub const DIGEST_EVERY_MS: u64 = 86_400_000;
/// The prefix that is hashed before the secret of a link.
const LINK: &[u8] = b"qiguan mail link 1\0";

/// An e-mail address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(String);

impl Address {
    /// Parses an address as a person typed it; spaces around it are removed.
    ///
    /// # Errors
    /// `mail-address`.
    pub fn read(text: &str) -> Result<Address, Problem> {
        let wrong = || Problem::new("mail-address");
        let text = text.trim();
        if text.len() > MOST {
            return Err(wrong());
        }
        let (local, domain) = text.rsplit_once('@').ok_or_else(wrong)?;
        let is_local = local.len() <= MOST_LOCAL && local.split('.').all(is_atom);
        if is_local && is_domain(domain) {
            Ok(Address(format!("{local}@{}", domain.to_ascii_lowercase())))
        } else {
            Err(wrong())
        }
    }

    /// Returns the address, its domain in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the form in which two addresses of one mailbox are equal: in lower case. Servers may distinguish case;
    /// none is known that does.
    #[must_use]
    pub fn fold(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

/// Returns true for an atom of RFC 5322, 3.2.3.
fn is_atom(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
}

/// Returns true for a domain of at least two labels; the last is not a number, so that IP addresses are excluded.
fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= MOST_LABEL
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.contains('.') && text.split('.').all(is_label) && last.bytes().any(|b| b.is_ascii_alphabetic())
}

/// The purposes of a link in a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Confirms that the address belongs to the account's owner.
    Confirm,
    /// Sets a new password of an account.
    Recover,
}

impl Purpose {
    /// Returns the key under which the purpose is stored.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Purpose::Confirm => "confirm",
            Purpose::Recover => "recover",
        }
    }

    /// Returns the purpose with that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Purpose> {
        [Purpose::Confirm, Purpose::Recover].into_iter().find(|purpose| purpose.key() == key)
    }

    /// Returns the lifetime of such a link, in milliseconds.
    #[must_use]
    pub const fn lasts_ms(self) -> u64 {
        match self {
            Purpose::Confirm => CONFIRM_MS,
            Purpose::Recover => RECOVER_MS,
        }
    }
}

/// Returns the hash that is stored of the secret in a letter's link. 160 random bits need neither salt nor a slow
/// hash; a session's secret has another hash.
#[must_use]
pub fn link_hash(secret: &Secret) -> [u8; 32] {
    Sha256::new().chain_update(LINK).chain_update(secret.reveal()).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        let local = "x".repeat(64);
        let (long, longer) = (format!("{local}@example.org"), format!("{local}x@example.org"));
        let label = "x".repeat(63);
        let (most, more) = (
            format!("{local}@{label}.{label}.{}.org", "x".repeat(57)),
            format!("{local}@{label}.{label}.{}.org", "x".repeat(58)),
        );
        for (name, text, good) in [
            ("a usual one", "ada@example.org", true),
            ("spaces around it", "  ada@example.org\n", true),
            ("with a sign", "ada+qiguan@mail.example.org", true),
            ("dots", "a.d.a@example.org", true),
            ("64 bytes", &long, true),
            ("65 bytes", &longer, false),
            ("254 bytes", &most, true),
            ("255 bytes", &more, false),
            ("punycode", "ada@xn--fiqs8s.xn--fiqs8s", true),
            ("nothing", "", false),
            ("no at", "ada.example.org", false),
            ("nobody", "@example.org", false),
            ("nowhere", "ada@", false),
            ("two", "ada@example.org,bob@example.org", false),
            ("two ats", "ada@bob@example.org", false),
            ("a name before it", "Ada <ada@example.org>", false),
            ("a line", "ada@example.org\r\nBcc: bob@example.org", false),
            ("a line before the at", "ada\r\nBcc: x@example.org", false),
            ("a command", "ada@example.org>\r\nDATA", false),
            ("a zero byte", "ada\0@example.org", false),
            ("quoted", "\"ada lovelace\"@example.org", false),
            ("a comment", "ada(x)@example.org", false),
            ("two dots", "a..d@example.org", false),
            ("a dot first", ".ada@example.org", false),
            ("this machine", "root@localhost", false),
            ("an address of IPv4", "ada@127.0.0.1", false),
            ("an address in brackets", "ada@[127.0.0.1]", false),
            ("a hyphen first", "ada@-example.org", false),
            ("a dot last", "ada@example.org.", false),
            ("other letters", "阿达@例子.中国", false),
        ] {
            let read = Address::read(text);
            assert_eq!(read.is_ok(), good, "{name}: {read:?}");
            assert!(good || read.is_err_and(|why| why.key == "mail-address"), "{name}");
        }
        assert!(Address::read(&"x@".repeat(1 << 20)).is_err());
        let address = Address::read("Ada@Example.ORG").expect("reads");
        assert_eq!((address.as_str(), address.fold().as_str()), ("Ada@example.org", "ada@example.org"));
    }

    #[test]
    fn a_link_is_no_session() {
        let secret = Secret::new();
        assert_ne!(link_hash(&secret), secret.hash());
        for purpose in [Purpose::Confirm, Purpose::Recover] {
            assert_eq!(Purpose::from_key(purpose.key()), Some(purpose));
        }
    }
}
