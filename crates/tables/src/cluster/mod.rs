//! Cluster of several processes that are one hall: the ownership of tables, and the messages between nodes.
//!
//! Each process is a *node*. A table has one owner at a time ([`store::claims`]); the others that have people at it
//! are its *edges*, each with a copy of the table that follows the owner's news
//! ([`table_task::remote`](crate::table_task)). An edge that gets no answer looks the owner up again. Messages
//! between nodes go over a bus that promises nothing, so all of it is either in the store as well, or sent again
//! every few seconds. Each message is sealed with a key from the store, so that only messages of nodes are accepted.
//!
//! Reading order: [`talk`] (the messages), [`Cluster`], `keep` (heartbeats), `listed` (the lobby and the people of the
//! others), `keys` (the keys of the bus). Their questions about tables are answered in [`nodes`](crate::nodes).

mod keep;
mod keys;
mod listed;
pub mod talk;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bus::{BusError, IncomingRequest, Keys, Post, Signed};
pub use keys::{open_keys, renew_keys};
use store::NodeRow;
use tokio::sync::mpsc;

use talk::{Answer, Question, TableNews, Word};

/// The timeout of a question to another node.
pub const PATIENCE: Duration = Duration::from_secs(3);
/// The most messages that wait for the bus; further ones are dropped, as a bus may.
const OUTBOX: usize = 4096;
/// The age at which a presence message expires.
const HERE: Duration = Duration::from_secs(20);
/// The most parts of the list of people at a node: room for 50 000.
pub(crate) const MOST_PARTS: u32 = 10;

/// This node of the cluster.
pub struct Cluster {
    /// The incarnation: the name of this run, which is never used again.
    pub me: String,
    /// The connection to the bus.
    pub post: Post,
    keys: Arc<Keys>,
    outbox: mpsc::Sender<(String, String)>,
    /// The live nodes, and the time at which they were read from the database; `None` before the first read.
    nodes: Mutex<Option<(Instant, Vec<NodeRow>)>>,
    /// The time of this node's last heartbeat, by its own monotonic clock.
    renewed: Mutex<Instant>,
    /// True once other nodes have declared this one dead.
    fenced: AtomicBool,
    /// The people who are connected elsewhere, by node and part of its list, with the time of the message.
    here: Mutex<HashMap<(String, u32), PeopleElsewhere>>,
    /// The tables that are listed for another node: its incarnation, and since when.
    listed: Mutex<HashMap<String, (String, Instant)>>,
    /// The number of tables that were adopted from dead nodes.
    pub adopted: AtomicU64,
}

/// A part of the list of people connected to a node, and the time of the message.
type PeopleElsewhere = (Instant, HashSet<String>);

/// Returns the subject for questions to a node.
fn at_node(incarnation: &str) -> String {
    // Names may have dots, which separate the words of a subject.
    format!("node.{}", incarnation.replace('.', "_"))
}

/// Returns the subject for news of a table.
#[must_use]
pub fn at_table(id: &str) -> String {
    format!("table.{id}")
}

/// The subject for news to all nodes about the whole hall.
const HALL: &str = "hall";

impl Cluster {
    /// Joins the other nodes on a bus, where only messages with the same keys are accepted.
    ///
    /// # Errors
    /// An error where the bus cannot be reached.
    pub async fn join(bus: Arc<dyn bus::Bus>, keys: Keys, me: String) -> Result<Cluster, BusError> {
        let keys = Arc::new(keys);
        let bus = Signed::new(bus, Arc::clone(&keys));
        bus.notice_unsealed(HALL).await?;
        let bus: Arc<dyn bus::Bus> = Arc::new(bus);
        let post = Post::open(Arc::clone(&bus)).await?;
        let (outbox, mut queue) = mpsc::channel::<(String, String)>(OUTBOX);
        tokio::spawn(async move {
            while let Some((subject, body)) = queue.recv().await {
                let Ok(bytes) = bus::Envelope::news(body).write() else { continue };
                if let Err(why) = bus.publish(&subject, bytes).await {
                    tracing::debug!(%why, "news were not told");
                }
            }
        });
        Ok(Cluster {
            me,
            post,
            keys,
            outbox,
            nodes: Mutex::default(),
            renewed: Mutex::new(Instant::now()),
            fenced: AtomicBool::new(false),
            here: Mutex::default(),
            listed: Mutex::default(),
            adopted: AtomicU64::new(0),
        })
    }

    /// Subscribes to the questions of other nodes.
    ///
    /// # Errors
    /// An error where the bus cannot be reached.
    pub async fn questions(&self) -> Result<mpsc::Receiver<IncomingRequest>, BusError> {
        self.post.listen(&at_node(&self.me)).await
    }

    /// Subscribes to the messages to all nodes.
    ///
    /// # Errors
    /// An error where the bus cannot be reached.
    pub async fn messages(&self) -> Result<mpsc::Receiver<IncomingRequest>, BusError> {
        self.post.listen(HALL).await
    }

    /// Returns true if this node may serve tables: its last heartbeat is recent, and the others have not declared it
    /// dead.
    #[must_use]
    pub fn serves(&self) -> bool {
        let stops = Duration::from_millis(store::claims::STOPS_MS);
        !self.fenced.load(Ordering::Relaxed) && lock(&self.renewed).elapsed() < stops
    }

    /// Returns the live nodes, as of the last read.
    #[must_use]
    pub fn nodes(&self) -> Vec<NodeRow> {
        lock(&self.nodes).as_ref().map(|(_, nodes)| nodes.clone()).unwrap_or_default()
    }

    /// Returns true if a node that lived at `since` is dead: the list of nodes was read after that, and does not
    /// contain it.
    #[must_use]
    pub fn is_gone(&self, incarnation: &str, since: Instant) -> bool {
        let nodes = lock(&self.nodes);
        let Some((_, nodes)) = nodes.as_ref().filter(|(asked, _)| *asked > since) else { return false };
        // One that is only silent may have been cut off from the database, as this node was.
        !nodes.iter().any(|node| node.incarnation == incarnation)
    }

    /// Returns the node responsible for a thing that only one node should do (rendezvous hashing): all nodes that see
    /// the same nodes agree, and when a node comes or goes, only its things move. `None`: this one.
    #[must_use]
    pub fn keeper(&self, thing: &str) -> Option<String> {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let weight = |node: &str| {
            let mut hash = DefaultHasher::new();
            (node, thing).hash(&mut hash);
            hash.finish()
        };
        let nodes = self.nodes();
        let names: BTreeSet<&str> =
            nodes.iter().filter(|n| !n.is_expired()).map(|n| n.incarnation.as_str()).collect();
        let keeper = names.into_iter().max_by_key(|node| weight(node))?;
        (keeper != self.me).then(|| keeper.to_owned())
    }

    /// Sends a question to a node and waits for the answer.
    ///
    /// # Errors
    /// [`BusError::Silence`] when no answer came in time, or one that cannot be read.
    pub async fn ask(&self, node: &str, question: &Question) -> Result<Answer, BusError> {
        let body = serde_json::to_string(question).expect("questions are plain data");
        let answer = self.post.ask(&at_node(node), body, PATIENCE).await?;
        serde_json::from_str(&answer).map_err(|_| BusError::Silence)
    }

    /// Publishes news to the edges of a table.
    pub fn tell_table(&self, id: &str, news: &TableNews) {
        self.tell(at_table(id), serde_json::to_string(news).expect("news are plain data"));
    }

    /// Publishes a message to all nodes.
    pub fn tell_all(&self, word: Word) {
        let said = talk::NodeMessage { node: self.me.clone(), word };
        self.tell(HALL.to_owned(), serde_json::to_string(&said).expect("words are plain data"));
    }

    fn tell(&self, subject: String, body: String) {
        if self.outbox.try_send((subject, body)).is_err() {
            metrics::counter!("hall_bus_dropped_total").increment(1);
        }
    }

    /// Returns true if a person is connected to another node.
    #[must_use]
    pub fn is_here(&self, person: &str) -> bool {
        lock(&self.here).values().any(|(at, people)| at.elapsed() < HERE && people.contains(person))
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
