//! Passkeys (WebAuthn): questions to a browser, and verification of its answers. The cryptography is webauthn-rs's.
//!
//! A browser makes passkeys for a domain name in a secure context: https, or `localhost`. A hall that is reached
//! under an IP address alone has none. A browser keeps the person's public id beside a key, so that no name has to be
//! typed to sign in; the hall asks for no name, and so does not reveal which names exist.
//!
//! Each question is good for one answer; the caller keeps it until then.

use kernel::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;
use uuid::Uuid;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Webauthn, WebauthnBuilder, WebauthnError,
};

use crate::secret::{ALPHABET, is_id};

/// Makes questions and verifies answers, for one domain name.
pub struct Passkeys(Webauthn);

/// A question to a browser that is to make a passkey. It can be serialized: only the hall may read it until it is
/// answered, and it is good for one answer.
#[derive(Serialize, Deserialize)]
pub struct Adding(PasskeyRegistration);

/// A question to a browser that is to use a passkey; kept like an [`Adding`].
#[derive(Serialize, Deserialize)]
pub struct Using(DiscoverableAuthentication);

/// A new passkey.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The id by which browser and hall name it.
    pub key: Vec<u8>,
    /// The part that the hall stores, as JSON: the public key and a counter.
    pub body: String,
}

/// An answer whose signature is not verified yet.
pub struct Answer {
    /// The public id of the person it claims to be from.
    pub person: String,
    /// The id of the passkey it claims to have been made with.
    pub key: Vec<u8>,
    answer: PublicKeyCredential,
}

fn refused(why: &WebauthnError) -> Problem {
    Problem::new("passkey-refused").with("detail", why)
}

impl Passkeys {
    /// Makes the passkeys of a hall that is reached at `public_url`; where that is not given, at `http://localhost`
    /// with any port. `None` where browsers make no passkeys: plain http, or an IP address.
    #[must_use]
    pub fn new(public_url: Option<&str>) -> Option<Passkeys> {
        let mut url = Url::parse(public_url.unwrap_or("http://localhost")).ok()?;
        // A passkey is one of the whole host.
        url.set_path("/");
        let domain = url.domain()?.to_owned();
        let is_local = domain == "localhost" || domain.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return None;
        }
        let builder = WebauthnBuilder::new(&domain, &url).ok()?.rp_name("Qiguan");
        builder.allow_any_port(is_local).build().ok().map(Passkeys)
    }

    /// Returns the question that makes a browser create a passkey for a person, as JSON for
    /// `navigator.credentials.create`. `known`: the stored passkeys of the person, of which no second one is made on
    /// the same device.
    ///
    /// # Errors
    /// `passkey-refused`, with the `detail`.
    pub fn add(&self, person: &str, name: &str, known: &[&str]) -> Result<(Value, Adding), Problem> {
        let keys: Vec<CredentialID> =
            known.iter().filter_map(|body| Some(read(body).ok()?.cred_id().clone())).collect();
        let asked = self.0.start_passkey_registration(handle(person), name, name, Some(keys));
        let (question, adding) = asked.map_err(|why| refused(&why))?;
        let mut question = serde_json::to_value(question).expect("questions are JSON");
        // So that it can be found without a name. What the hall checks does not depend on it.
        question["publicKey"]["authenticatorSelection"]["residentKey"] = "preferred".into();
        Ok((question, Adding(adding)))
    }

    /// Verifies the answer, and returns the passkey that a browser has made.
    ///
    /// # Errors
    /// `passkey-malformed`, or `passkey-refused` with the `detail`.
    pub fn added(&self, asked: &Adding, answer: Value) -> Result<Made, Problem> {
        let answer: RegisterPublicKeyCredential = parsed(answer)?;
        let made = self.0.finish_passkey_registration(&answer, &asked.0).map_err(|why| refused(&why))?;
        Ok(Made { key: made.cred_id().as_slice().to_vec(), body: write(&made) })
    }

    /// Returns the question that makes a browser sign in with a passkey, as JSON for `navigator.credentials.get`.
    ///
    /// # Errors
    /// `passkey-refused`, with the `detail`.
    pub fn ask(&self) -> Result<(Value, Using), Problem> {
        let (question, using) = self.0.start_discoverable_authentication().map_err(|why| refused(&why))?;
        let mut question = serde_json::to_value(question).expect("questions are JSON");
        // A button was pressed: the browser asks at once, not only when a field is filled in.
        question.as_object_mut().expect("an object").remove("mediation");
        Ok((question, Using(using)))
    }

    /// Parses an answer, with the person and the passkey it claims to be from.
    ///
    /// # Errors
    /// `passkey-malformed`, or `passkey-refused` with the `detail`.
    pub fn read(&self, answer: Value) -> Result<Answer, Problem> {
        let answer: PublicKeyCredential = parsed(answer)?;
        let (handle, key) =
            self.0.identify_discoverable_authentication(&answer).map_err(|why| refused(&why))?;
        let person = person(handle).ok_or_else(|| Problem::new("passkey-malformed"))?;
        Ok(Answer { person, key: key.to_vec(), answer })
    }

    /// Verifies an answer against the stored passkey. Returns the form to store from now on, if the counter went up.
    ///
    /// # Errors
    /// `passkey-refused`, with the `detail`.
    pub fn check(&self, asked: Using, answer: &Answer, kept: &str) -> Result<Option<String>, Problem> {
        let mut kept = read(kept)?;
        let checked = self.0.finish_discoverable_authentication_v2(&answer.answer, asked.0, &kept);
        let checked = checked.map_err(|why| refused(&why))?;
        Ok((kept.update_credential(&checked) == Some(true)).then(|| write(&kept)))
    }
}

fn parsed<T: serde::de::DeserializeOwned>(answer: Value) -> Result<T, Problem> {
    serde_json::from_value(answer).map_err(|_| Problem::new("passkey-malformed"))
}

fn read(body: &str) -> Result<Passkey, Problem> {
    serde_json::from_str(body).map_err(|_| Problem::new("passkey-malformed"))
}

fn write(passkey: &Passkey) -> String {
    serde_json::to_string(passkey).expect("passkeys are JSON")
}

/// Converts a public id to the 16 bytes that browsers keep: its letters are digits to the base 32.
fn handle(person: &str) -> Uuid {
    let digit = |byte: u8| ALPHABET.iter().position(|letter| *letter == byte).unwrap_or(0) as u128;
    Uuid::from_u128(person.bytes().fold(0, |all, byte| all << 5 | digit(byte)))
}

/// Returns the public id in those bytes.
fn person(handle: Uuid) -> Option<String> {
    let mut rest = handle.as_u128();
    let mut letters = [0; 20];
    for letter in letters.iter_mut().rev() {
        *letter = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    String::from_utf8(letters.to_vec()).ok().filter(|id| rest == 0 && is_id(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_keep_the_public_id() {
        for _ in 0..1000 {
            let id = crate::secret::new_id();
            assert_eq!(person(handle(&id)), Some(id));
        }
        for other in [0, 1, u128::MAX, 1 << 100] {
            assert_eq!(person(Uuid::from_u128(other)), None, "{other}");
        }
    }

    #[test]
    fn there_are_passkeys_where_browsers_make_them() {
        for (url, there) in [
            (None, true),
            (Some("https://hall.example"), true),
            (Some("https://hall.example:8443"), true),
            (Some("http://localhost:8080"), true),
            (Some("http://hall.example"), false),
            (Some("https://192.0.2.7"), false),
            (Some("http://127.0.0.1:8080"), false),
            (Some("https://[2001:db8::1]"), false),
            (Some("no address"), false),
        ] {
            assert_eq!(Passkeys::new(url).is_some(), there, "{url:?}");
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        let passkeys = Passkeys::new(None).expect("there are");
        let (question, adding) = passkeys.add(&crate::secret::new_id(), "Ada", &[]).expect("asks");
        assert_eq!(question["publicKey"]["rp"]["id"], "localhost");
        assert_eq!(question["publicKey"]["authenticatorSelection"]["residentKey"], "preferred");
        for answer in ["null", "[]", "{}", r#"{"id":"x","rawId":"eA","type":"public-key","response":{}}"#] {
            let answer: Value = serde_json::from_str(answer).expect("JSON");
            assert!(passkeys.added(&adding, answer.clone()).is_err(), "{answer}");
            assert!(passkeys.read(answer.clone()).is_err(), "{answer}");
        }
        let (question, _) = passkeys.ask().expect("asks");
        assert_eq!(question.get("mediation"), None);
    }
}
