//! Several processes that are one hall: who owns which table, and what they tell each other.
//!
//! Each process is a *node*. A table has one owner at a time ([`store::claims`]); the others that have people at it
//! are its *edges*, each with a copy of the table that follows the owner's news
//! ([`table_task::remote`](crate::table_task)). An edge that gets no answer looks the owner up again. What the
//! nodes say goes over a bus that promises nothing, so all of it is either in the store as well, or said again
//! every few seconds. Each message is sealed with a key from the store, so that nobody but a node is believed.
//!
//! Reading order: [`talk`] (what is said), [`Cluster`], `serve` (answers to the others), `keep` (what is done again
//! and again), `keys` (who is believed).

mod keep;
mod keys;
mod serve;
pub mod talk;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bus::{BusError, Keys, Post, Signed};
pub use keys::{open_keys, renew_keys};
use store::NodeRow;
use tokio::sync::mpsc;

use talk::{Answer, Question, TableNews, Word};

/// How long a question waits for its answer.
pub const PATIENCE: Duration = Duration::from_secs(3);
/// Messages that may wait for the bus; what comes then is dropped, as a bus may.
const OUTBOX: usize = 4096;
/// Who was heard of so long ago is not here any more.
const HERE: Duration = Duration::from_secs(20);
/// Parts of the list of people at a node: room for 50 000.
const MOST_PARTS: u32 = 10;

/// This node among the others.
pub struct Cluster {
    /// This run's name, which is never used again.
    pub me: String,
    pub(crate) post: Post,
    keys: Arc<Keys>,
    outbox: mpsc::Sender<(String, String)>,
    /// Nodes that live, and when the database was asked for them; nobody has asked while it is `None`.
    nodes: Mutex<Option<(Instant, Vec<NodeRow>)>>,
    /// When this node last said that it lives, by its own monotonic clock.
    renewed: Mutex<Instant>,
    /// Others have buried this node.
    fenced: AtomicBool,
    /// The people who are connected elsewhere, by node and part of its list, and when that was heard.
    here: Mutex<HashMap<(String, u32), Heard>>,
    /// Tables that are listed because another node says so: which, and since when.
    listed: Mutex<HashMap<String, (String, Instant)>>,
    /// Tables that were adopted from nodes that died.
    pub adopted: AtomicU64,
}

/// A part of the list of who is connected to a node, and when it was heard.
type Heard = (Instant, HashSet<String>);

/// The subject where a node is asked.
fn at_node(incarnation: &str) -> String {
    // Names may have dots, which separate the words of a subject.
    format!("node.{}", incarnation.replace('.', "_"))
}

/// The subject of the news of a table.
#[must_use]
pub fn at_table(id: &str) -> String {
    format!("table.{id}")
}

/// Where all nodes tell what concerns the whole hall.
const HALL: &str = "hall";

impl Cluster {
    /// Joins the others on a bus, where those are believed who have the same keys.
    ///
    /// # Errors
    /// Where the bus cannot be reached.
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

    /// Whether this node may serve tables: it could say lately that it lives, and was not buried.
    #[must_use]
    pub fn serves(&self) -> bool {
        let stops = Duration::from_millis(store::claims::STOPS_MS);
        !self.fenced.load(Ordering::Relaxed) && lock(&self.renewed).elapsed() < stops
    }

    /// Whether others have buried this node.
    #[must_use]
    pub fn is_fenced(&self) -> bool {
        self.fenced.load(Ordering::Relaxed)
    }

    /// The nodes that live, as far as is known.
    #[must_use]
    pub fn nodes(&self) -> Vec<NodeRow> {
        lock(&self.nodes).as_ref().map(|(_, nodes)| nodes.clone()).unwrap_or_default()
    }

    /// Whether a node has died that lived at `since`: the database was asked after that, and does not know it any
    /// more.
    #[must_use]
    pub fn is_gone(&self, incarnation: &str, since: Instant) -> bool {
        let nodes = lock(&self.nodes);
        let Some((_, nodes)) = nodes.as_ref().filter(|(asked, _)| *asked > since) else { return false };
        // One that is only silent may have been cut off from the database, as this node was.
        !nodes.iter().any(|node| node.incarnation == incarnation)
    }

    /// The node whose business a thing is that only one should do: all nodes that see the same nodes say the same,
    /// and when a node comes or goes, only its things move. `None`: this one.
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

    /// Asks a node.
    ///
    /// # Errors
    /// [`BusError::Silence`] when no answer came in time, or one that cannot be read.
    pub async fn ask(&self, node: &str, question: &Question) -> Result<Answer, BusError> {
        let body = serde_json::to_string(question).expect("questions are plain data");
        let answer = self.post.ask(&at_node(node), body, PATIENCE).await?;
        serde_json::from_str(&answer).map_err(|_| BusError::Silence)
    }

    /// Tells the edges of a table.
    pub fn tell_table(&self, id: &str, news: &TableNews) {
        self.tell(at_table(id), serde_json::to_string(news).expect("news are plain data"));
    }

    /// Tells all nodes.
    pub fn tell_all(&self, word: Word) {
        let said = talk::Said { node: self.me.clone(), word };
        self.tell(HALL.to_owned(), serde_json::to_string(&said).expect("words are plain data"));
    }

    fn tell(&self, subject: String, body: String) {
        if self.outbox.try_send((subject, body)).is_err() {
            metrics::counter!("hall_bus_dropped_total").increment(1);
        }
    }

    /// Whether somebody is connected to another node.
    #[must_use]
    pub fn is_here(&self, person: &str) -> bool {
        lock(&self.here).values().any(|(at, people)| at.elapsed() < HERE && people.contains(person))
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
