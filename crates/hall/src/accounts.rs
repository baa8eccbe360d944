//! What happens to accounts besides requests: sessions end everywhere at once, and what a closed account leaves is tidied up.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use people::Secret;
use people::account::{Act, device};
use people::secret::{new_id, random_text};
use store::accounts::{Change, NewSession, Note};
use store::{Account, Find, StoreError};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::oneshot;
use wire::Player;

use crate::cluster::talk::Word;
use crate::hall::Hall;
use crate::identity::Known;
use crate::network::Network;
use crate::table_task::{Ask, Wished};

/// How long it is enough to have proved whose a session is, in milliseconds: a quarter of an hour.
pub const PROOF_MS: u64 = 15 * 60_000;
/// How long a question to a browser, or a device's code, is good for, in milliseconds: five minutes.
pub const QUESTION_MS: u64 = 5 * 60_000;
/// Questions that are remembered; the oldest are forgotten where there are more.
const QUESTIONS: usize = 10_000;
/// Questions of one address that are remembered: its own oldest are forgotten first, not those of others.
const QUESTIONS_EACH: usize = 100;
/// New ids that are tried. They are random: one clash is a wonder.
const TRIES: usize = 4;
/// Whoever signs in waits this long for the games they had as a guest.
const BRINGS: Duration = Duration::from_secs(2);
/// Letters of a device's code: 40 bits, good for five minutes and for ten tries.
pub const CODE: usize = 8;

/// Questions that wait for their answers, by random ids; each is good for one answer.
pub struct Questions<T>(Mutex<Open<T>>);

struct Open<T> {
    all: HashMap<String, (u64, T)>,
    /// Ids, the oldest first; some are not open any more.
    order: VecDeque<(Network, String)>,
    /// The same for each address.
    each: HashMap<Network, VecDeque<String>>,
}

impl<T> Open<T> {
    /// Forgets what has expired, and what is too much for all or for the address `from`.
    fn make_room(&mut self, from: Network, now_ms: u64) {
        let Open { all, order, each } = self;
        while let Some((asker, oldest)) = order.front()
            && (all.len() >= QUESTIONS || all.get(oldest).is_none_or(|(until, _)| *until <= now_ms))
        {
            all.remove(oldest);
            if let Some(theirs) = each.get_mut(asker) {
                if theirs.front() == Some(oldest) {
                    theirs.pop_front();
                }
                if theirs.is_empty() {
                    each.remove(asker);
                }
            }
            order.pop_front();
        }
        let theirs = each.entry(from).or_default();
        if theirs.len() >= QUESTIONS_EACH {
            theirs.retain(|id| all.contains_key(id));
        }
        if theirs.len() >= QUESTIONS_EACH
            && let Some(oldest) = theirs.pop_front()
        {
            all.remove(&oldest);
        }
        // What was answered, or was too much for its address, would stay behind what still waits.
        if order.len() > 2 * all.len() + QUESTIONS_EACH {
            order.retain(|(_, id)| all.contains_key(id));
            each.retain(|_, ids| {
                ids.retain(|id| all.contains_key(id));
                !ids.is_empty()
            });
        }
    }
}

impl<T> Default for Questions<T> {
    fn default() -> Self {
        Questions(Mutex::new(Open { all: HashMap::new(), order: VecDeque::new(), each: HashMap::new() }))
    }
}

impl<T> Questions<T> {
    /// Remembers a question that came from that address; returns its id.
    pub fn put(&self, from: Network, value: T, now_ms: u64) -> String {
        let id = random_text(20);
        self.put_as(from, id.clone(), value, now_ms);
        id
    }

    /// Remembers a question under an id of one's own.
    pub fn put_as(&self, from: Network, id: String, value: T, now_ms: u64) {
        let mut open = self.lock();
        open.make_room(from, now_ms);
        open.order.push_back((from, id.clone()));
        open.each.entry(from).or_default().push_back(id.clone());
        open.all.insert(id, (now_ms + QUESTION_MS, value));
    }

    /// The question, which is not there any more afterwards; `None` when it was not asked, or too long ago.
    pub fn take(&self, id: &str, now_ms: u64) -> Option<T> {
        self.lock().all.remove(id).filter(|(until, _)| *until > now_ms).map(|(_, value)| value)
    }

    /// Looks at a question and may change it; `None` as in [`take`](Questions::take).
    pub fn with<R>(&self, id: &str, now_ms: u64, look: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut open = self.lock();
        let (until, value) = open.all.get_mut(id)?;
        (*until > now_ms).then(|| look(value))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A device that waits to be signed in: who was confirmed to be at it.
#[derive(Default)]
pub struct Device {
    /// The public id of that person, once there is one.
    pub person: Option<String>,
}

/// Where a request comes from, as it is noted.
#[derive(Clone, Debug)]
pub struct Client {
    /// The network: an IPv4 address, or a /64 of IPv6.
    pub network: Network,
    /// What the device calls itself.
    pub device: Option<String>,
}

impl Client {
    /// From that network, with that `User-Agent`.
    #[must_use]
    pub fn new(network: Network, user_agent: &str) -> Client {
        Client { network, device: device(user_agent) }
    }

    /// What is noted: that act of that person, now.
    #[must_use]
    pub fn note(&self, person: &str, act: Act, now_ms: u64) -> Note {
        let (network, device) = (Some(self.network.to_string()), self.device.clone());
        Note { network, device, ..Note::new(person, act, now_ms) }
    }
}

impl Hall {
    /// The account of that name, or that had it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn account_named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        let folded = people::name::fold(name);
        Ok(self.store.account(Find::Name(&folded)).await?.filter(Account::is_account))
    }

    /// Opens a session for a person by a change that takes one; returns its secret.
    ///
    /// # Errors
    /// What the store refuses, or its failure.
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
            match self.store.change(change(session), Some(note.clone())).await {
                Ok(()) => return Ok(secret),
                Err(StoreError::Taken) => tried = StoreError::Taken,
                Err(why) => return Err(why),
            }
        }
        Err(tried)
    }

    /// A person's name, sessions or tokens changed: what is remembered is forgotten, and each of their connections looks
    /// whether it is still signed in.
    pub fn changed(&self, person: &str) {
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Changed { person: person.to_owned() });
        }
        self.changed_here(person);
    }

    /// The same, for who is connected to this node.
    pub(crate) fn changed_here(&self, person: &str) {
        self.recent.forget(person);
        // Fails when nobody is connected.
        let _ = self.signed_out.send(person.to_owned());
    }

    /// Ends when the secret of a connection does not count any more; with `network`, also when whoever comes from there with
    /// it may not do things any more.
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
        let mut rules = self.watch_rules();
        loop {
            rules.mark_unchanged();
            // At once, too: it may have happened while the connection began. A store that fails signs nobody out.
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
            // A store that fails keeps nobody out.
            Some(network) => {
                self.may_act(Some(known), network).await.is_err_and(|why| why.key != "hall-busy")
            }
            None => false,
        }
    }

    /// Ends the open games of closed accounts, and takes their names out of the logs. Goes on where an earlier run stopped.
    pub async fn finish_closing(self: &Arc<Self>) {
        for person in self.store.closing().await.unwrap_or_default() {
            self.leave_games(&person).await;
            self.forget_in_puzzles(&person).await;
            if let Err(why) = self.scrub(&person).await {
                tracing::warn!(%why, "the name of a closed account is still in logs");
            }
        }
    }

    /// Gives the games and maps of a guest to an account. Few games are there when this returns; many follow by and by.
    pub(crate) async fn bring(self: &Arc<Self>, guest: &str, account: &str) {
        if let Err(why) = self.store.merge(guest, account).await {
            tracing::warn!(%why, "a guest's games stay with the guest");
            return;
        }
        // Nothing is added from now on.
        self.changed(guest);
        let (hall, guest, account) = (Arc::clone(self), guest.to_owned(), account.to_owned());
        let moving = tokio::spawn(async move { hall.merge_all(&guest, &account).await });
        let _ = tokio::time::timeout(BRINGS, moving).await;
    }

    /// Goes on where an earlier run stopped to give guests' games to accounts.
    pub async fn finish_merging(&self) {
        for (guest, account) in self.store.merging().await.unwrap_or_default() {
            self.merge_all(&guest, &account).await;
        }
    }

    async fn merge_all(&self, guest: &str, account: &str) {
        self.follow_in_puzzles(guest, account).await;
        loop {
            match self.store.merge_part(guest).await {
                Ok(Some(tables)) => {
                    for table in &tables {
                        self.reload(table).await;
                    }
                }
                Ok(None) => return,
                Err(why) => return tracing::warn!(%why, "some of a guest's games wait with the guest"),
            }
        }
    }

    async fn scrub(&self, person: &str) -> Result<(), StoreError> {
        loop {
            let tables = self.store.scrub(person).await?;
            if tables.is_empty() {
                return Ok(());
            }
            for table in &tables {
                self.reload(table).await;
            }
            self.rename_in_library(tables).await;
        }
    }

    /// Leaves the tables that wait, and gives up the games that are on: the other side wins where both have moved.
    pub(crate) async fn leave_games(&self, person: &str) {
        const AT_ONCE: u32 = 100;
        let mut done = HashSet::new();
        loop {
            let open = self.store.playing(person, AT_ONCE).await.unwrap_or_default();
            let new: Vec<String> = open.into_iter().filter(|id| done.insert(id.clone())).collect();
            if new.is_empty() {
                return;
            }
            for table in new {
                self.leave(&table, person).await;
            }
        }
    }

    /// Somebody gives up a table, as far as its game has come: their seat, the game, or its result.
    pub(crate) async fn leave(&self, table: &str, person: &str) {
        let who = Player { id: person.to_owned(), name: None, engine: None, program: false };
        // Somebody may move in between.
        for _ in 0..TRIES {
            let looked = self.look(table, |state| (state.ver, state.started(), state.in_earnest())).await;
            let Ok((ver, started, in_earnest)) = looked else { return };
            let act = match (started, in_earnest) {
                (false, _) => wire::Act::Leave,
                (true, false) => wire::Act::Abort,
                (true, true) => wire::Act::Resign { side: None },
            };
            let cmd = new_id();
            let wish = |reply: oneshot::Sender<_>| {
                Ask::Do(Box::new(Wished {
                    who: who.clone(),
                    cmd: cmd.clone(),
                    ver,
                    act: act.clone(),
                    arrived_ms: self.time.now_ms(),
                    lag_ms: 0,
                    reply,
                    span: crate::traces::wish(table, &act, None),
                }))
            };
            match self.ask(table, wish).await {
                Ok((_, None)) => return,
                Ok((_, Some(_))) => {}
                Err(why) => {
                    tracing::warn!(%table, ?why, "a closed account could not leave a table");
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_good_for_one_answer_and_for_a_while() {
        let questions = Questions::default();
        let from = Network::nobody();
        let (one, other) = (questions.put(from, "one", 0), questions.put(from, "other", 1000));
        assert_eq!(questions.take(&one, 10), Some("one"));
        assert_eq!(questions.take(&one, 10), None);
        assert_eq!(questions.with(&other, QUESTION_MS + 999, |value| *value), Some("other"));
        assert_eq!(questions.take(&other, QUESTION_MS + 1000), None);
    }

    #[test]
    fn questions_without_answers_take_bounded_room() {
        let questions = Questions::default();
        let address = |n: usize| Network::of([10, 0, (n >> 8) as u8, n as u8].into());
        let first = questions.put(address(0), 0, 0);
        for n in 1..=QUESTIONS {
            questions.put(address(n / 10), n, 1);
        }
        assert_eq!(questions.lock().all.len(), QUESTIONS);
        assert_eq!(questions.take(&first, 1), None, "the oldest was forgotten");
        questions.put(address(0), 0, QUESTION_MS + 1);
        let open = questions.lock();
        assert_eq!((open.all.len(), open.order.len(), open.each.len()), (1, 1, 1), "what has expired goes");
    }

    /// Before, ten thousand questions of one address made a hall forget those of everybody.
    #[test]
    fn one_address_pushes_out_nobody_elses_questions() {
        let questions = Questions::default();
        let (mine, theirs) = (Network::of([192, 0, 2, 1].into()), Network::of([192, 0, 2, 2].into()));
        let (first, kept) = (questions.put(theirs, 0, 0), questions.put(mine, 1, 0));
        for n in 0..5 * QUESTIONS {
            let id = questions.put(theirs, n, 1);
            if n % 3 == 0 {
                questions.take(&id, 1);
            }
        }
        {
            let open = questions.lock();
            assert_eq!(open.all.len(), QUESTIONS_EACH + 1);
            assert!(open.order.len() <= 4 * QUESTIONS_EACH && open.each.len() == 2);
        }
        assert_eq!(questions.take(&first, 2), None, "their own oldest went");
        assert_eq!(questions.take(&kept, 2), Some(1));
    }
}
