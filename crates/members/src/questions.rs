//! Questions that wait for their answers, and devices that wait to be signed in.

use std::marker::PhantomData;

use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes256Gcm, KeyInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use edge::network::Network;
use people::Secret;
use people::secret::random_text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use store::questions::NewQuestion;
use store::{Store, StoreError};

/// The time for which a question to a browser, or a device's code, can be answered, in milliseconds: five minutes.
pub const QUESTION_MS: u64 = 5 * 60_000;
/// Questions that are remembered; the oldest are forgotten where there are more.
const QUESTIONS: u32 = 10_000;
/// Questions of one address that are remembered: its own oldest are forgotten first, not those of others.
const QUESTIONS_EACH: u32 = 100;
/// Letters of a device's code: 40 bits, good for five minutes and for ten tries.
pub const CODE: usize = 8;
/// A key seals one question, so there is one nonce.
const NONCE: [u8; 12] = [0; 12];

/// Questions of one sort that wait for their answers, by random ids; each is good for one answer, at any node.
///
/// The store keeps them encrypted, under the hash of the id, with a key that is derived from the id. Only the asker
/// has the id, so a reader of the database learns neither the id nor the question.
pub struct Questions<T> {
    kind: &'static str,
    holds: PhantomData<fn() -> T>,
}

/// Derives a hash from the id of a question: its place in the store, or the key that decrypts it.
fn derived(what: &str, kind: &str, id: &str) -> [u8; 32] {
    Sha256::digest(format!("qiguan question {what}\n{kind}\n{id}").as_bytes()).into()
}

impl<T> Clone for Questions<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Questions<T> {}

impl<T: Serialize + DeserializeOwned> Questions<T> {
    /// Returns the questions of a kind, which the store knows by that name.
    #[must_use]
    pub const fn of(kind: &'static str) -> Questions<T> {
        Questions { kind, holds: PhantomData }
    }

    /// Remembers a question that came from that address; returns its id.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn put(
        &self,
        store: &Store,
        from: Network,
        value: &T,
        now_ms: u64,
    ) -> Result<String, StoreError> {
        let id = random_text(20);
        let body = serde_json::to_vec(value).map_err(|why| StoreError::Failed(why.to_string()))?;
        let body = self.cipher(&id).encrypt(&NONCE.into(), &body[..]);
        let body = body.map_err(|_| StoreError::Failed("a question is too long to be sealed".to_owned()))?;
        let question = asked(self.kind, derived("place", self.kind, &id), from, BASE64.encode(body), now_ms);
        store.questions.ask_question(question).await.map(|()| id)
    }

    /// Takes out the question and returns it; `None` when it was not asked, or too long ago.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn take(&self, store: &Store, id: &str, now_ms: u64) -> Result<Option<T>, StoreError> {
        let hash = derived("place", self.kind, id);
        let body = store.questions.take_question(self.kind, hash, now_ms).await?;
        Ok(body.and_then(|body| self.opened(id, &body)))
    }

    /// Returns the question without taking it out; `None` as in [`take`](Questions::take).
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn look(&self, store: &Store, id: &str, now_ms: u64) -> Result<Option<T>, StoreError> {
        let hash = derived("place", self.kind, id);
        let body = store.questions.question(self.kind, hash, now_ms).await?;
        Ok(body.and_then(|body| self.opened(id, &body)))
    }

    /// Each id, and so each key, seals one body.
    fn cipher(&self, id: &str) -> Aes256Gcm {
        Aes256Gcm::new(&derived("key", self.kind, id).into())
    }

    fn opened(&self, id: &str, body: &str) -> Option<T> {
        let body = BASE64.decode(body).ok()?;
        let body = self.cipher(id).decrypt(&NONCE.into(), &body[..]).ok()?;
        serde_json::from_slice(&body).ok()
    }
}

fn asked(kind: &'static str, hash: [u8; 32], from: Network, body: String, now_ms: u64) -> NewQuestion {
    NewQuestion {
        kind,
        hash,
        asker: from.to_string(),
        body,
        until_ms: now_ms + QUESTION_MS,
        most: QUESTIONS,
        most_each: QUESTIONS_EACH,
        now_ms,
    }
}

/// Devices that wait to be signed in: by the hash of a secret of theirs, and by the hash of the code that they show.
/// The store's value is not secret: the person who was confirmed to be at the device.
pub mod devices {
    use super::{Network, Secret, Sha256, StoreError, asked};
    use sha2::Digest as _;
    use store::Store;

    const DEVICE: &str = "device";
    const CODE: &str = "code";

    fn hashed(code: &str) -> [u8; 32] {
        Sha256::digest(format!("qiguan device code\n{code}").as_bytes()).into()
    }

    /// Remembers a device, and the code that it shows.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn wait(
        store: &Store,
        from: Network,
        secret: &Secret,
        code: &str,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        let device = secret.hash();
        store.questions.ask_question(asked(DEVICE, device, from, String::new(), now_ms)).await?;
        let place: String = device.iter().map(|byte| format!("{byte:02x}")).collect();
        store.questions.ask_question(asked(CODE, hashed(code), from, place, now_ms)).await
    }

    /// Returns the device that shows a code, once.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn shown(store: &Store, code: &str, now_ms: u64) -> Result<Option<[u8; 32]>, StoreError> {
        let place = store.questions.take_question(CODE, hashed(code), now_ms).await?;
        let byte = |at: usize, place: &str| u8::from_str_radix(place.get(2 * at..2 * at + 2)?, 16).ok();
        Ok(place.and_then(|place| {
            let mut device = [0; 32];
            for (at, slot) in device.iter_mut().enumerate() {
                *slot = byte(at, &place)?;
            }
            Some(device)
        }))
    }

    /// Confirms the person at a device; returns false when it does not wait any more.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn confirm(
        store: &Store,
        device: [u8; 32],
        person: &str,
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        match store.questions.change_question(DEVICE, device, person.to_owned(), now_ms).await {
            Ok(()) => Ok(true),
            Err(StoreError::Missing) => Ok(false),
            Err(why) => Err(why),
        }
    }

    /// Returns the person at the device of that secret: `None` when it does not wait, `Some(None)` while no person
    /// has been confirmed. A person is returned once.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn told(
        store: &Store,
        secret: &Secret,
        now_ms: u64,
    ) -> Result<Option<Option<String>>, StoreError> {
        let device = secret.hash();
        match store.questions.question(DEVICE, device, now_ms).await? {
            None => Ok(None),
            Some(person) if person.is_empty() => Ok(Some(None)),
            Some(_) => Ok(store.questions.take_question(DEVICE, device, now_ms).await?.map(Some)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn opened() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).await.expect("opens");
        (folder, store)
    }

    #[tokio::test]
    async fn a_question_is_good_for_one_answer_and_for_a_while() {
        let (folder, store) = opened().await;
        let questions = Questions::<String>::of("test");
        let from = Network::nobody();
        let put = async |text: &str, now_ms| {
            questions.put(&store, from, &text.to_owned(), now_ms).await.expect("is kept")
        };
        let take = async |id: &str, now_ms| questions.take(&store, id, now_ms).await.expect("answers");
        let (one, other) = (put("a secret of one", 0).await, put("other", 1000).await);
        assert_eq!(Questions::<String>::of("else").take(&store, &one, 10).await, Ok(None), "another sort");
        assert_eq!(take(&one, 10).await.as_deref(), Some("a secret of one"));
        assert_eq!(take(&one, 10).await, None);
        let looked = questions.look(&store, &other, QUESTION_MS + 999).await.expect("answers");
        assert_eq!(looked.as_deref(), Some("other"));
        // A reader of the file finds neither the id nor the question.
        put("a secret of two", 1000).await;
        store.condition.close().await;
        for file in std::fs::read_dir(folder.path()).expect("reads") {
            let bytes = std::fs::read(file.expect("reads").path()).expect("reads");
            for secret in ["a secret of", other.as_str()] {
                assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{secret}");
            }
        }
        let store = Store::open(folder.path()).await.expect("opens");
        assert_eq!(questions.take(&store, &other, QUESTION_MS + 1000).await, Ok(None), "too late");
    }

    #[tokio::test]
    async fn a_device_is_confirmed_by_its_code_once() {
        let (_folder, store) = opened().await;
        let (secret, from) = (Secret::new(), Network::nobody());
        devices::wait(&store, from, &secret, "abcd2345", 0).await.expect("is kept");
        assert_eq!(devices::told(&store, &secret, 1).await, Ok(Some(None)));
        assert_eq!(devices::shown(&store, "abcd2346", 1).await, Ok(None));
        let device = devices::shown(&store, "abcd2345", 1).await.expect("answers").expect("waits");
        assert_eq!(device, secret.hash());
        assert_eq!(devices::shown(&store, "abcd2345", 1).await, Ok(None), "a code is good once");
        assert_eq!(devices::confirm(&store, device, "ann", 1).await, Ok(true));
        assert_eq!(devices::told(&store, &secret, 2).await, Ok(Some(Some("ann".to_owned()))));
        assert_eq!(devices::told(&store, &secret, 2).await, Ok(None), "and signs in once");
        assert_eq!(devices::confirm(&store, device, "eve", 3).await, Ok(false));
        assert_eq!(devices::told(&store, &Secret::new(), 2).await, Ok(None));
    }
}
