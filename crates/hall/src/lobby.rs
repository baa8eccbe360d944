//! Tables that wait for a player, and games to watch.
//!
//! Tables put their own line in and take it out; whoever looks at the lobby is told at most twice a second.

use std::collections::BTreeMap;
use std::sync::Mutex;

use tokio::sync::watch;
use wire::{How, TableLine, Tables};

/// Lines of each kind that are shown at most.
const MOST: usize = 100;

/// The lobby.
pub struct Lobby {
    lines: Mutex<BTreeMap<String, TableLine>>,
    changed: watch::Sender<()>,
}

impl Default for Lobby {
    fn default() -> Self {
        Lobby { lines: Mutex::default(), changed: watch::channel(()).0 }
    }
}

impl Lobby {
    /// Puts a table's line in, or takes it out.
    pub fn set(&self, id: &str, line: Option<TableLine>) {
        let mut lines = self.lock();
        let before = match line {
            Some(line) if lines.get(id) == Some(&line) => return,
            Some(line) => lines.insert(id.to_owned(), line),
            None => lines.remove(id),
        };
        let known = lines.contains_key(id) || before.is_some();
        drop(lines);
        if known {
            self.changed.send_replace(());
        }
    }

    /// Takes the line of a table out whose task ends; a room that waits stays, it can be entered any time.
    pub fn remove_unless_waiting_room(&self, id: &str) {
        let waits = |line: &TableLine| line.how == How::Room && line.seats.iter().any(Option::is_none);
        if !self.lock().get(id).is_some_and(waits) {
            self.set(id, None);
        }
    }

    /// What is shown now: the newest first.
    #[must_use]
    pub fn tables(&self) -> Tables {
        let lines = self.lock();
        let (mut live, mut open): (Vec<_>, Vec<_>) =
            lines.values().cloned().partition(|line| line.seats.iter().all(Option::is_some));
        drop(lines);
        for part in [&mut live, &mut open] {
            part.sort_by_key(|line| std::cmp::Reverse(line.created_ms));
            part.truncate(MOST);
        }
        Tables { open, live }
    }

    /// All lines, the newest first.
    #[must_use]
    pub fn lines(&self) -> Vec<TableLine> {
        let mut lines: Vec<TableLine> = self.lock().values().cloned().collect();
        lines.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        lines
    }

    /// Wakes up whenever something changed.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, TableLine>> {
        self.lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
