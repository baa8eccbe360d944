//! Tables that wait for a player, and games to watch.
//!
//! Tables put their own lines in and take them out. A reader of the lobby gets the complete list once, and then, at
//! most twice a second, the changes: one text for all readers, made once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use edge::network::{Asker, Network};
use people::challenge::RatingRange;
use table::State;
use tokio::sync::broadcast;
use wire::{How, PoolLine, ServerMessage, TableLine, Tables};

use crate::alone::{Alone, Opener};
use crate::message::text;

/// Lines of each kind on the first page.
const MOST: usize = 100;
/// Lines of one person among the first: who opens a hundred rooms does not hide the others.
const MOST_EACH: usize = 3;
/// Lines of one address among the first, where it is known.
const MOST_ADDRESS: usize = 12;
/// The least time between two messages about changes.
pub const EVERY: Duration = Duration::from_millis(500);
/// A slow table that waits for an opponent is listed this long after it was opened, in milliseconds: 14 days.
pub const SLOW_WAITS_MS: u64 = 14 * 86_400_000;
/// The time for which an empty room is listed, in milliseconds; then the store forgets its name.
pub const ROOM_WAITS_MS: u64 = store::ROOMS_MS;
/// Changes that a reader may fall behind; beyond that it gets the complete list again.
const BEHIND: usize = 16;

/// Open tables, rooms and games to watch, and the news about them for everybody in the lobby.
pub struct Lobby {
    inside: Mutex<Inside>,
    news: broadcast::Sender<Utf8Bytes>,
}

#[derive(Default)]
struct Inside {
    lines: BTreeMap<String, TableLine>,
    /// The openers of tables, as far as these were opened at this node since it started.
    openers: HashMap<String, Opener>,
    /// Tables that wait without a player present.
    alone: Alone,
    /// The rating ranges that tables in memory ask for.
    ranges: HashMap<String, RatingRange>,
    /// Ids of lines that have changed since the last message.
    changed: BTreeSet<String>,
    /// Ids of this node's own lines that have changed since the other nodes were last told; only in a hall of several
    /// nodes.
    own_changed: Option<BTreeSet<String>>,
    /// The people who wait for an opponent, by the node that keeps their queues; this node has an empty name.
    pools: BTreeMap<String, Vec<PoolLine>>,
    /// True if they have changed since the last message.
    pools_changed: bool,
    /// The message with the complete list, as it was last made; made again on the first request after a change.
    first: Option<Utf8Bytes>,
}

impl Default for Lobby {
    fn default() -> Self {
        Lobby { inside: Mutex::default(), news: broadcast::channel(BEHIND).0 }
    }
}

impl Lobby {
    /// Keeps track from now on of changes at this node's own tables, for the other nodes.
    pub fn tell_others(&self) {
        self.lock().own_changed.get_or_insert_default();
    }

    /// Returns the changes at this node's own tables since the last call: new lines, and tables that are no longer
    /// listed.
    #[must_use]
    pub(crate) fn own_changes(&self) -> (Vec<TableLine>, Vec<String>) {
        let mut inside = self.lock();
        let changed = inside.own_changed.as_mut().map(std::mem::take).unwrap_or_default();
        let (mut put, mut gone) = (Vec::new(), Vec::new());
        for id in changed {
            match inside.lines.get(&id) {
                Some(line) => put.push(line.clone()),
                None => gone.push(id),
            }
        }
        (put, gone)
    }

    /// Sets or removes the line of a table that another node owns.
    pub(crate) fn set_from(&self, id: &str, line: Option<TableLine>) {
        self.put(id, line, false);
    }

    /// Sets or removes the line of a table.
    pub fn set(&self, id: &str, line: Option<TableLine>) {
        self.put(id, line, true);
    }

    fn put(&self, id: &str, line: Option<TableLine>, is_own: bool) {
        let mut inside = self.lock();
        // A visitor is there, or it is another node's table.
        inside.alone.remove(id);
        let range = inside.ranges.get(id).map(|range| [range.min, range.max]);
        let line = line.map(|line| {
            let waits = line.seats.iter().any(Option::is_none);
            TableLine { ratings: range.filter(|_| waits).or(line.ratings.filter(|_| !is_own)), ..line }
        });
        let known = match line {
            Some(line) if inside.lines.get(id) == Some(&line) => return,
            Some(line) => {
                inside.lines.insert(id.to_owned(), line);
                true
            }
            None => {
                inside.openers.remove(id);
                inside.lines.remove(id).is_some()
            }
        };
        if known {
            inside.changed.insert(id.to_owned());
            if let (true, Some(own)) = (is_own, &mut inside.own_changed) {
                own.insert(id.to_owned());
            }
            inside.first = None;
        }
    }

    /// Sets the people who wait in the queues of a node; this node's name is empty. Returns true if that is news.
    pub(crate) fn set_pools(&self, node: &str, pools: Vec<PoolLine>) -> bool {
        let mut inside = self.lock();
        let is_news = inside.pools.get(node).map_or(!pools.is_empty(), |known| *known != pools);
        if is_news {
            if pools.is_empty() {
                inside.pools.remove(node);
            } else {
                inside.pools.insert(node.to_owned(), pools);
            }
            inside.pools_changed = true;
            inside.first = None;
        }
        is_news
    }

    /// Returns the people who wait in this node's queues.
    pub(crate) fn own_pools(&self) -> Vec<PoolLine> {
        self.lock().pools.get("").cloned().unwrap_or_default()
    }

    /// Forgets the people who wait at other nodes than those for which `lives` is true.
    pub(crate) fn keep_pools(&self, lives: impl Fn(&str) -> bool) {
        let mut inside = self.lock();
        let before = inside.pools.len();
        inside.pools.retain(|node, _| node.is_empty() || lives(node));
        if inside.pools.len() < before {
            inside.pools_changed = true;
            inside.first = None;
        }
    }

    /// Notes the rating range that a table asks for.
    pub(crate) fn set_range(&self, id: &str, range: RatingRange) {
        self.lock().ranges.insert(id.to_owned(), range);
    }

    /// Notes the person who opened a table that is listed.
    pub fn opened_by(&self, id: &str, asker: &Asker) {
        let mut inside = self.lock();
        if inside.lines.contains_key(id) {
            inside.openers.insert(id.to_owned(), asker.into());
            inside.first = None;
        }
    }

    /// Removes the line of a table whose task ends, except for a room or a slow table that waits, where a player can
    /// still sit down. When too many of them wait, the oldest of the person with the most is removed.
    pub(crate) fn remove_unless_waiting(&self, id: &str) {
        let gone = {
            let mut inside = self.lock();
            let Inside { lines, openers, alone, .. } = &mut *inside;
            match lines.get(id).filter(|line| waits_alone(line)) {
                Some(line) => {
                    let sits = || Opener { network: None, person: sits_first(line).to_owned() };
                    let opener = openers.get(id).cloned().unwrap_or_else(sits);
                    alone.put(id, opener, line.created_ms)
                }
                None => Some(id.to_owned()),
            }
        };
        if let Some(gone) = gone {
            self.remove(&gone);
        }
    }

    /// Removes the lines of slow tables that have waited longer than [`SLOW_WAITS_MS`], and of empty rooms that have
    /// waited longer than [`ROOM_WAITS_MS`].
    pub fn forget_old(&self, now_ms: u64) {
        let old: Vec<String> = {
            let inside = self.lock();
            let is_old = |line: &&TableLine| {
                let waits_ms = match line.how {
                    How::Room if inside.alone.has(&line.id) => ROOM_WAITS_MS,
                    How::Open => SLOW_WAITS_MS,
                    _ => return false,
                };
                waits_alone(line) && line.created_ms < now_ms.saturating_sub(waits_ms)
            };
            inside.lines.values().filter(is_old).map(|line| line.id.clone()).collect()
        };
        old.iter().for_each(|id| self.remove(id));
    }

    fn remove(&self, id: &str) {
        self.set(id, None);
        self.lock().ranges.remove(id);
    }

    /// Returns the newest lines of each kind. Those of people who have few come first.
    #[must_use]
    pub fn tables(&self) -> Tables {
        self.lock().tables()
    }

    /// Returns all lines, the newest first.
    #[must_use]
    pub fn lines(&self) -> Vec<TableLine> {
        let mut lines: Vec<TableLine> = self.lock().lines.values().cloned().collect();
        lines.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        lines
    }

    /// Returns all lines, each with true if it comes later because its opener, or their address, has many that are
    /// newer; those with false come first, the newest before others.
    #[must_use]
    pub fn fair_lines(&self) -> Vec<(bool, TableLine)> {
        self.lock().fair().into_iter().map(|(later, line)| (later, line.clone())).collect()
    }

    /// Returns the message with the complete list.
    #[must_use]
    pub fn first_words(&self) -> Utf8Bytes {
        let mut inside = self.lock();
        if let Some(first) = &inside.first {
            return first.clone();
        }
        let Tables { open, live } = inside.tables();
        let words = text(&ServerMessage::Lobby { open, live, pools: inside.pools() });
        inside.first = Some(words.clone());
        words
    }

    /// Subscribes to the messages about changes.
    #[must_use]
    pub fn watch(&self) -> broadcast::Receiver<Utf8Bytes> {
        self.news.subscribe()
    }

    /// Sends the changes since the last message.
    pub fn tell(&self) {
        let mut inside = self.lock();
        if inside.changed.is_empty() && !inside.pools_changed {
            return;
        }
        let pools = std::mem::take(&mut inside.pools_changed).then(|| inside.pools());
        let changed = std::mem::take(&mut inside.changed);
        if self.news.receiver_count() == 0 {
            return;
        }
        let (mut put, mut gone) = (Vec::new(), Vec::new());
        for id in changed {
            match inside.lines.get(&id) {
                Some(line) => put.push(line.clone()),
                None => gone.push(id),
            }
        }
        let words = text(&ServerMessage::LobbyChange { put, gone, pools });
        let _ = self.news.send(words);
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true if a table waits for a player, also while no player is present.
fn waits_alone(line: &TableLine) -> bool {
    // A player who leaves the seat of a slow table withdraws it.
    let is_slow =
        line.how == How::Open && line.clock.days_a_move().is_some() && line.seats.iter().any(Option::is_some);
    (is_slow || line.how == How::Room) && line.seats.iter().any(Option::is_none)
}

/// Returns the public id of the first player at a table, in the order of sides; empty if both seats are free.
fn sits_first(line: &TableLine) -> &str {
    line.seats.iter().flatten().next().map_or("", |player| player.id.as_str())
}

impl Inside {
    /// Returns the people who wait at all nodes, the most wanted first.
    fn pools(&self) -> Vec<PoolLine> {
        let mut all: Vec<PoolLine> = Vec::new();
        for line in self.pools.values().flatten() {
            let same = |other: &&mut PoolLine| {
                (&other.game, other.clock, other.rated) == (&line.game, line.clock, line.rated)
            };
            match all.iter_mut().find(same) {
                Some(known) => known.waiting = known.waiting.saturating_add(line.waiting),
                None => all.push(line.clone()),
            }
        }
        all.sort_by(|a, b| (b.waiting, &a.game).cmp(&(a.waiting, &b.game)));
        all.truncate(MOST);
        all
    }

    fn tables(&self) -> Tables {
        let (live, open): (Vec<_>, Vec<_>) =
            self.fair().into_iter().map(|(_, line)| line).partition(|line| is_full(line));
        let page = |lines: Vec<&TableLine>| lines.into_iter().take(MOST).cloned().collect();
        Tables { open: page(open), live: page(live) }
    }

    /// See [`Lobby::fair_lines`].
    fn fair(&self) -> Vec<(bool, &TableLine)> {
        let mut lines: Vec<&TableLine> = self.lines.values().collect();
        lines.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        let (mut each, mut addresses) = (HashMap::<&str, usize>::new(), HashMap::<Network, usize>::new());
        let (mut first, mut later) = (Vec::new(), Vec::new());
        for line in lines {
            let full = is_full(line);
            let count = each.entry(sits_first(line)).or_default();
            *count += 1;
            let mut is_first = *count <= MOST_EACH;
            // Games that are played show who came, and not who opened them.
            if let Some(network) = self.openers.get(&line.id).and_then(|opener| opener.network)
                && is_first
                && !full
            {
                let count = addresses.entry(network).or_default();
                *count += 1;
                is_first = *count <= MOST_ADDRESS;
            }
            if is_first { first.push((false, line)) } else { later.push((true, line)) }
        }
        first.append(&mut later);
        first
    }
}

/// Returns a table's line in the lobby.
#[must_use]
pub fn line(state: &State) -> TableLine {
    TableLine {
        id: state.id.clone(),
        game: state.setup.game.clone(),
        options: state.setup.options.clone(),
        map: state.setup.map.clone(),
        how: state.setup.how,
        room: state.setup.room.clone(),
        clock: state.setup.clock,
        rated: state.setup.rated,
        ratings: None,
        seats: state.seats.clone(),
        plies: u32::try_from(state.record.len()).unwrap_or(u32::MAX),
        created_ms: state.setup.created_ms,
    }
}

/// True when both seats of a table are taken.
#[must_use]
pub fn is_full(line: &TableLine) -> bool {
    line.seats.iter().all(Option::is_some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, who: &str, created_ms: u64) -> TableLine {
        let player = wire::Player { id: who.to_owned(), name: None, engine: None, program: false };
        TableLine {
            id: id.to_owned(),
            game: "gomoku/freestyle".to_owned(),
            options: std::collections::BTreeMap::new(),
            map: None,
            how: How::Room,
            room: Some(id.to_owned()),
            clock: wire::ClockSpec::None,
            rated: false,
            ratings: None,
            seats: [Some(player), None],
            plies: 0,
            created_ms,
        }
    }

    #[test]
    fn who_opens_hundreds_hides_nobody() {
        let lobby = Lobby::default();
        lobby.set("honest", Some(line("honest", "ann", 1)));
        for n in 0..500 {
            let id = format!("spam{n:03}");
            lobby.set(&id, Some(line(&id, "eve", 100 + n)));
        }
        let open = lobby.tables().open;
        assert_eq!(open.len(), MOST);
        assert_eq!(open[MOST_EACH].id, "honest");
    }

    #[test]
    fn what_waits_alone_stays_until_it_is_too_old() {
        let slow = wire::ClockSpec::per_move(3 * 86_400_000);
        let player = |id: &str| line("x", id, 1).seats[0].clone();
        for (name, how, clock, second, stays) in [
            ("a room", How::Room, wire::ClockSpec::None, None, true),
            ("an open table", How::Open, wire::ClockSpec::None, None, false),
            ("a slow one", How::Open, slow, None, true),
            ("a slow one that is taken", How::Open, slow, player("bob"), false),
            ("a slow one that is withdrawn", How::Open, slow, None, false),
            ("an invitation to a slow game", How::Invite, slow, None, false),
        ] {
            let lobby = Lobby::default();
            let first = player("ann").filter(|_| !name.ends_with("withdrawn"));
            lobby.set("a", Some(TableLine { how, clock, seats: [first, second], ..line("a", "ann", 1000) }));
            lobby.remove_unless_waiting("a");
            assert_eq!(lobby.lines().len(), usize::from(stays), "{name}");
            let waits_ms = if how == How::Room { ROOM_WAITS_MS } else { SLOW_WAITS_MS };
            lobby.forget_old(1000 + waits_ms);
            assert_eq!(lobby.lines().len(), usize::from(stays), "{name}: not old");
            lobby.forget_old(1001 + waits_ms);
            assert_eq!(lobby.lines().len(), 0, "{name}: old");
        }
    }

    #[test]
    fn an_old_room_stays_while_somebody_is_there() {
        let lobby = Lobby::default();
        let put = || lobby.set("a", Some(line("a", "ann", 1000)));
        put();
        lobby.remove_unless_waiting("a");
        put();
        lobby.forget_old(1001 + ROOM_WAITS_MS);
        assert_eq!(lobby.lines().len(), 1);
        lobby.remove_unless_waiting("a");
        lobby.forget_old(1001 + ROOM_WAITS_MS);
        assert_eq!(lobby.lines().len(), 0);
    }

    fn asker(address: u8, person: &str) -> Asker {
        Asker { network: Network::of([192, 0, 2, address].into()), person: person.to_owned() }
    }

    /// Opens a room and leaves it.
    fn leave(lobby: &Lobby, id: &str, address: u8, who: &str, created_ms: u64) {
        lobby.set(id, Some(line(id, who, created_ms)));
        lobby.opened_by(id, &asker(address, who));
        lobby.remove_unless_waiting(id);
    }

    /// Ten thousand rooms of one person do not keep others' rooms from being listed.
    #[test]
    fn one_address_takes_no_places_of_others() {
        let lobby = Lobby::default();
        leave(&lobby, "before", 1, "ann", 1);
        for n in 0..12_000 {
            leave(&lobby, &format!("spam{n}"), 2, &format!("eve{}", n / 3), 100 + n);
        }
        leave(&lobby, "after", 3, "bob", 50);
        let lines = lobby.lines();
        assert_eq!(lines.len(), 302);
        let open = lobby.tables().open;
        let at = |id: &str| open.iter().position(|line| line.id == id);
        assert!(at("before").is_some() && at("after").is_some(), "and on the first page");
        let inside = lobby.lock();
        assert_eq!((inside.openers.len(), inside.changed.len()), (302, 12_002));
    }

    #[test]
    fn changes_are_told_once_for_all() {
        let lobby = Lobby::default();
        let mut watchers = [lobby.watch(), lobby.watch()];
        lobby.set("a", Some(line("a", "ann", 1)));
        lobby.set("b", Some(line("b", "bob", 2)));
        lobby.set("b", None);
        lobby.tell();
        lobby.tell();
        for watcher in &mut watchers {
            let told = watcher.try_recv().expect("a change");
            let told: ServerMessage = serde_json::from_str(&told).expect("a message");
            let ServerMessage::LobbyChange { put, gone, pools: None } = told else { panic!("{told:?}") };
            assert_eq!((put, gone), (vec![line("a", "ann", 1)], vec!["b".to_owned()]));
            assert!(watcher.try_recv().is_err(), "told once");
        }
        lobby.set("a", Some(line("a", "ann", 1)));
        lobby.tell();
        assert!(watchers[0].try_recv().is_err(), "nothing changed");
    }

    fn pool(game: &str, rated: bool, waiting: u32) -> PoolLine {
        PoolLine { game: game.to_owned(), clock: wire::ClockSpec::None, rated, waiting }
    }

    #[test]
    fn who_waits_is_told_once_and_forgotten_with_their_node() {
        let lobby = Lobby::default();
        let mut watcher = lobby.watch();
        let mut told = |lobby: &Lobby| {
            lobby.tell();
            let words = watcher.try_recv().ok()?;
            match serde_json::from_str(&words).expect("a message") {
                ServerMessage::LobbyChange { put, gone, pools } if put.is_empty() && gone.is_empty() => pools,
                other => panic!("{other:?}"),
            }
        };
        let first = |lobby: &Lobby| match serde_json::from_str(&lobby.first_words()).expect("a message") {
            ServerMessage::Lobby { pools, .. } => pools,
            other => panic!("{other:?}"),
        };
        assert!(!lobby.set_pools("", Vec::new()), "nobody before, nobody now");
        assert_eq!(told(&lobby), None);
        assert!(lobby.set_pools("", vec![pool("xiangqi", false, 1), pool("xiangqi", true, 1)]));
        assert!(!lobby.set_pools("", vec![pool("xiangqi", false, 1), pool("xiangqi", true, 1)]), "no news");
        lobby.set_pools("other", vec![pool("xiangqi", false, 2)]);
        let all = vec![pool("xiangqi", false, 3), pool("xiangqi", true, 1)];
        assert_eq!((told(&lobby), first(&lobby)), (Some(all.clone()), all));
        assert_eq!(told(&lobby), None, "told once");
        lobby.keep_pools(|node| node != "other");
        assert_eq!(told(&lobby), Some(vec![pool("xiangqi", false, 1), pool("xiangqi", true, 1)]));
        lobby.set_pools("", Vec::new());
        assert_eq!((told(&lobby), first(&lobby)), (Some(Vec::new()), Vec::new()));
    }

    #[test]
    fn a_strangers_many_queues_are_a_bounded_list() {
        let lobby = Lobby::default();
        lobby.set_pools("", (0..5000).map(|n| pool(&format!("g{n}"), false, 1 + n % 7)).collect());
        let ServerMessage::Lobby { pools, .. } =
            serde_json::from_str(&lobby.first_words()).expect("a message")
        else {
            panic!("the complete list");
        };
        assert_eq!(pools.len(), MOST);
        assert!(pools.iter().all(|line| line.waiting == 7), "the most wanted first");
    }
}
