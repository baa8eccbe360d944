//! E-mail addresses that an account may have, and what a link in a letter is for.
//!
//! Of what RFC 5321 allows, an address is taken that mail servers everywhere deliver to: a dot-atom of ASCII, `@`, and a
//! domain with a dot. No address holds a space, a quote or a control character, so none can add a line to a letter.

use kernel::Problem;
use sha2::{Digest, Sha256};

use crate::secret::Secret;

/// Bytes of an address (RFC 5321, 4.5.3.1.3, without its brackets).
const MOST: usize = 254;
/// Bytes of what stands before the `@` (RFC 5321, 4.5.3.1.1).
const MOST_LOCAL: usize = 64;
/// Bytes of a part of a domain (RFC 1035, 2.3.4).
const MOST_LABEL: usize = 63;
/// How long a letter's link confirms an address, in milliseconds: a day.
pub const CONFIRM_MS: u64 = 86_400_000;
/// How long a letter's link sets a new password, in milliseconds: an hour.
pub const RECOVER_MS: u64 = 3_600_000;
/// Accounts that one address may belong to.
pub const MOST_ACCOUNTS: u32 = 5;
/// A slow game stands in a digest once its player has been to move, and has not looked, for this long, in milliseconds: four
/// hours.
pub const DIGEST_AFTER_MS: u64 = 4 * 3_600_000;
/// There is one digest in this time, in milliseconds: a day.
pub const DIGEST_EVERY_MS: u64 = 86_400_000;
/// What is hashed before the secret of a link.
const LINK: &[u8] = b"qiguan mail link 1\0";

/// An e-mail address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(String);

impl Address {
    /// Reads an address as somebody typed it; spaces around it do not matter.
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

    /// The address, its domain in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which two addresses of one mailbox are equal: in lower case. Servers may tell case apart; none is known
    /// that does.
    #[must_use]
    pub fn fold(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

/// RFC 5322, 3.2.3.
fn is_atom(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
}

/// At least two labels; the last is no number, so that no IP address is one.
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

/// What a link in a letter does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Confirms that the address is one's own.
    Confirm,
    /// Sets a new password of an account.
    Recover,
}

impl Purpose {
    /// As it is stored.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Purpose::Confirm => "confirm",
            Purpose::Recover => "recover",
        }
    }

    /// The purpose of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Purpose> {
        [Purpose::Confirm, Purpose::Recover].into_iter().find(|purpose| purpose.key() == key)
    }

    /// How long such a link counts, in milliseconds.
    #[must_use]
    pub const fn lasts_ms(self) -> u64 {
        match self {
            Purpose::Confirm => CONFIRM_MS,
            Purpose::Recover => RECOVER_MS,
        }
    }
}

/// What is kept of the secret in a letter's link. 160 random bits need neither salt nor a slow hash; that of a session is
/// another.
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
