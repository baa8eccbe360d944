//! Work on accounts besides requests: sessions end on every connection at once, and what a closed account leaves is
//! tidied up.

use std::collections::HashSet;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes256Gcm, KeyInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use edge::network::{Network, Payer};
use people::Secret;
use people::account::{Act, device};
use people::secret::{new_id, random_text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use store::accounts::{Change, NewSession, Note};
use store::questions::NewQuestion;
use store::{Account, Find, Store, StoreError};
use tables::cluster::talk::Word;
use tokio::sync::broadcast::error::RecvError;

use crate::hall::Hall;
use crate::identity::Known;

/// The time for which a proof of identity counts in a session, in milliseconds: a quarter of an hour.
pub const PROOF_MS: u64 = 15 * 60_000;
/// The time for which a question to a browser, or a device's code, can be answered, in milliseconds: five minutes.
pub const QUESTION_MS: u64 = 5 * 60_000;
/// Questions that are remembered; the oldest are forgotten where there are more.
const QUESTIONS: u32 = 10_000;
/// Questions of one address that are remembered: its own oldest are forgotten first, not those of others.
const QUESTIONS_EACH: u32 = 100;
/// Attempts to find a free random id; a collision is very unlikely.
const TRIES: usize = 4;
/// The most time for which a sign-in waits for the games that the person played as a guest.
const BRINGS: Duration = Duration::from_secs(2);
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

/// The network and the device of a request, as the audit log records them.
#[derive(Clone, Debug)]
pub struct Client {
    /// The network: an IPv4 address, or a /64 of IPv6.
    pub network: Network,
    /// The name of the device, from its `User-Agent`.
    pub device: Option<String>,
}

impl Client {
    /// Describes a request from that network with that `User-Agent`.
    #[must_use]
    pub fn new(network: Network, user_agent: &str) -> Client {
        Client { network, device: device(user_agent) }
    }

    /// Returns a note for the audit log: that person's act, at this time.
    #[must_use]
    pub fn note(&self, person: &str, act: Act, now_ms: u64) -> Note {
        let (network, device) = (Some(self.network.to_string()), self.device.clone());
        Note { network, device, ..Note::new(person, act, now_ms) }
    }
}

impl Hall {
    /// Returns the account of that name, or that had it.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn account_named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        let folded = people::name::fold(name);
        Ok(self.store.accounts.account(Find::Name(&folded)).await?.filter(Account::is_account))
    }

    /// Opens a session for a person by a change that takes one; returns its secret.
    ///
    /// # Errors
    /// The refusal of the store, or its failure.
    pub async fn open_session(
        &self,
        client: &Client,
        note: Note,
        change: impl Fn(NewSession) -> Change,
    ) -> Result<Secret, StoreError> {
        let mut tried = StoreError::Taken;
        for _ in 0..TRIES {
            let secret = Secret::new();
            let session = NewSession { hash: secret.hash(), id: new_id(), label: client.device.clone() };
            match self.store.accounts.change(change(session), Some(note.clone())).await {
                Ok(()) => return Ok(secret),
                Err(StoreError::Taken) => tried = StoreError::Taken,
                Err(why) => return Err(why),
            }
        }
        Err(tried)
    }

    /// Forgets what is remembered about a person whose name, sessions or tokens have changed, and has each of their
    /// connections check that it is still signed in.
    pub fn changed(&self, person: &str) {
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Changed { person: person.to_owned() });
        }
        self.changed_here(person);
    }

    /// The part of [`Hall::changed`] for this node's own connections of that person.
    pub(crate) fn changed_here(&self, person: &str) {
        self.recent.forget(person);
        // Fails if no connection listens.
        let _ = self.signed_out.send(person.to_owned());
    }

    /// Ends when the secret of a connection is no longer valid; with `network`, also when the person is kept out on
    /// requests from there.
    pub async fn until_signed_out(
        self: Arc<Self>,
        person: String,
        secret: Option<Secret>,
        network: Option<Network>,
    ) {
        let mut told = self.signed_out.subscribe();
        let lagged = |why| match why {
            RecvError::Lagged(_) => Ok(None),
            RecvError::Closed => Err(why),
        };
        let Some(secret) = secret else { return std::future::pending().await };
        let mut rules = self.staffed.watch_rules();
        loop {
            rules.mark_unchanged();
            // At once, too: it may have happened while the connection began. A store that fails signs no one
            // out.
            let expires_ms = match Box::pin(self.known(&secret)).await {
                Ok(None) => return,
                Ok(Some(known)) if self.keeps_out(&known, network).await => return,
                Ok(Some(known)) => known.token.map(|token| token.expires_ms),
                Err(_) => None,
            };
            let expired = async {
                match expires_ms {
                    Some(at_ms) => tokio::time::sleep_until(self.time.instant(at_ms)).await,
                    None => std::future::pending().await,
                }
            };
            let about_me = async {
                while let Ok(about) = told.recv().await.map(Some).or_else(lagged) {
                    if about.is_none_or(|about| about == person) {
                        break;
                    }
                }
            };
            tokio::select! {
                () = expired => {}
                () = about_me => {}
                Ok(()) = rules.changed(), if network.is_some() => {}
            }
        }
    }

    async fn keeps_out(&self, known: &Known, network: Option<Network>) -> bool {
        match network {
            // A store that fails keeps no one out.
            Some(network) => {
                self.may_act(Some(known), network).await.is_err_and(|why| why.key != "hall-busy")
            }
            None => false,
        }
    }

    /// Ends the open games of closed accounts, and takes their names out of the logs. Goes on where an earlier run stopped.
    pub async fn finish_closing(self: &Arc<Self>) {
        for person in self.store.accounts.closing().await.unwrap_or_default() {
            self.leave_games(&person).await;
            self.forget_in_puzzles(&person).await;
            if let Err(why) = self.scrub(&person).await {
                tracing::warn!(%why, "the name of a closed account is still in logs");
            }
        }
    }

    /// Gives the games and maps of a guest to an account. A few games are moved when this returns; many follow in the
    /// background.
    pub(crate) async fn bring(self: &Arc<Self>, guest: &str, account: &str) {
        if let Err(why) = self.store.accounts.merge(guest, account).await {
            tracing::warn!(%why, "a guest's games stay with the guest");
            return;
        }
        // Nothing is added from now on.
        self.changed(guest);
        let (hall, guest, account) = (Arc::clone(self), guest.to_owned(), account.to_owned());
        let moving = tokio::spawn(async move { hall.merge_all(&guest, &account).await });
        let _ = tokio::time::timeout(BRINGS, moving).await;
    }

    /// Continues to give guests' games to accounts where an earlier run stopped.
    pub async fn finish_merging(self: &Arc<Self>) {
        for (guest, account) in self.store.accounts.merging().await.unwrap_or_default() {
            self.merge_all(&guest, &account).await;
        }
    }

    async fn merge_all(self: &Arc<Self>, guest: &str, account: &str) {
        self.follow_in_puzzles(guest, account).await;
        loop {
            match self.store.accounts.merge_part(guest).await {
                Ok(Some(tables)) => {
                    for table in &tables {
                        self.tables.reload(table).await;
                    }
                }
                Ok(None) => return,
                Err(why) => return tracing::warn!(%why, "some of a guest's games wait with the guest"),
            }
        }
    }

    async fn scrub(self: &Arc<Self>, person: &str) -> Result<(), StoreError> {
        loop {
            let tables = self.store.accounts.scrub(person).await?;
            if tables.is_empty() {
                return Ok(());
            }
            for table in &tables {
                self.tables.reload(table).await;
            }
            self.rename_in_library(tables).await;
        }
    }

    /// Leaves the tables that wait, and gives up the games that are on: the other side wins where both have moved.
    pub(crate) async fn leave_games(&self, person: &str) {
        const AT_ONCE: u32 = 100;
        let mut done = HashSet::new();
        loop {
            let open = self.store.tables.playing(person, AT_ONCE).await.unwrap_or_default();
            let new: Vec<String> = open.into_iter().filter(|id| done.insert(id.clone())).collect();
            if new.is_empty() {
                return;
            }
            for table in new {
                self.tables.leave(&table, person, Payer::Hall).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::Store;

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
