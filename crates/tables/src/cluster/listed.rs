//! The tables that are listed for other nodes, and the people who are connected there.

use std::collections::HashSet;
use std::time::Instant;

use super::{Cluster, HERE, MOST_PARTS, lock};

impl Cluster {
    /// Notes that a table is listed for that node.
    pub(crate) fn note_listed(&self, id: &str, node: &str) {
        lock(&self.listed).insert(id.to_owned(), (node.to_owned(), Instant::now()));
    }

    /// Notes that a table is not listed for another node any more.
    pub(crate) fn forget_listed(&self, id: &str) {
        lock(&self.listed).remove(id);
    }

    /// Removes and returns the tables that were listed for that node and are not in its new list.
    pub(crate) fn listed_but(&self, node: &str, lines: &[wire::TableLine]) -> Vec<String> {
        let mut listed = lock(&self.listed);
        let now: HashSet<&str> = lines.iter().map(|line| line.id.as_str()).collect();
        let gone = listed.iter().filter(|(id, (by, _))| by == node && !now.contains(id.as_str()));
        let gone: Vec<String> = gone.map(|(id, _)| id.clone()).collect();
        gone.iter().for_each(|id| drop(listed.remove(id)));
        gone
    }

    /// Removes and returns the tables that are listed for nodes that are dead.
    pub(crate) fn listed_by_the_dead(&self) -> Vec<String> {
        let mut listed = lock(&self.listed);
        let dead = listed.iter().filter(|(_, (by, since))| self.is_gone(by, *since));
        let dead: Vec<String> = dead.map(|(id, _)| id.clone()).collect();
        dead.iter().for_each(|id| drop(listed.remove(id)));
        dead
    }

    /// Returns true if a table is listed for another node.
    pub(crate) fn is_listed_elsewhere(&self, id: &str) -> bool {
        lock(&self.listed).contains_key(id)
    }

    /// Notes the people who are connected to another node: one part of its list.
    pub fn note_here(&self, node: String, part: u32, people: Vec<String>) {
        let heard = (Instant::now(), people.into_iter().collect());
        let mut here = lock(&self.here);
        here.retain(|_, (at, _)| at.elapsed() < HERE);
        if part < MOST_PARTS {
            here.insert((node, part), heard);
        }
    }
}
