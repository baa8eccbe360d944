//! The queue of letters, with the times of the next attempts: a value, so that a test controls its clock.
//!
//! A letter that the server defers is retried on its own; a server that cannot be reached delays all of them. A
//! letter whose link has expired is dropped.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The most letters that wait, without those in the queue of requests.
pub const MOST: usize = 256;
/// The delays after a server could not be reached, in seconds; the last one is repeated.
const RESTS_S: [u64; 5] = [5, 30, 120, 600, 1800];
/// The delays before each retry of a letter that the server defers, in seconds. Servers that greylist unknown senders
/// do so for five minutes, mostly.
const RETRIES_S: [u64; 4] = [60, 330, 1200, 3600];

/// The outcome of an attempt to send a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The server has accepted it.
    Sent,
    /// The server rejects it for good.
    Refused(String),
    /// The server defers it.
    Later(String),
    /// The server cannot be reached, or accepts nothing from this hall.
    Down(String),
}

/// A letter in the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting<T> {
    /// The letter to send.
    pub letter: T,
    tries: usize,
    due: Instant,
    until: Instant,
}

/// The queue of letters.
#[derive(Debug)]
pub struct LetterQueue<T> {
    waiting: VecDeque<Waiting<T>>,
    rest_until: Option<Instant>,
    failures: usize,
}

impl<T> Default for LetterQueue<T> {
    fn default() -> Self {
        LetterQueue { waiting: VecDeque::new(), rest_until: None, failures: 0 }
    }
}

impl<T> LetterQueue<T> {
    /// Returns true if one more letter may wait.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.waiting.len() < MOST
    }

    /// Returns the number of letters that wait, with those that are tried again.
    #[must_use]
    pub fn count(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a new letter, which expires after `lasts`.
    pub fn push(&mut self, letter: T, lasts: Duration, now: Instant) {
        self.waiting.push_back(Waiting { letter, tries: 0, due: now, until: now + lasts });
    }

    /// Drops the expired letters, and returns their number.
    pub fn drop_expired(&mut self, now: Instant) -> usize {
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.until > now);
        before - self.waiting.len()
    }

    /// Takes out the letter to try now.
    pub fn next(&mut self, now: Instant) -> Option<Waiting<T>> {
        if self.rest_until.is_some_and(|until| until > now) {
            return None;
        }
        let at = self.waiting.iter().position(|waiting| waiting.due <= now)?;
        self.waiting.remove(at)
    }

    /// Returns the time of the next attempt; `None` when nothing waits.
    #[must_use]
    pub fn wake(&self) -> Option<Instant> {
        let due = self.waiting.iter().map(|waiting| waiting.due).min()?;
        Some(self.rest_until.map_or(due, |rest| rest.max(due)))
    }

    /// Handles the outcome of an attempt. Returns the delay for the whole server, if it is down.
    pub fn done(&mut self, mut waiting: Waiting<T>, outcome: &Outcome, now: Instant) -> Option<Duration> {
        if let Outcome::Down(_) = outcome {
            let rest = Duration::from_secs(RESTS_S[self.failures.min(RESTS_S.len() - 1)]);
            self.failures += 1;
            self.rest_until = Some(now + rest);
            self.waiting.push_front(waiting);
            return Some(rest);
        }
        self.failures = 0;
        self.rest_until = None;
        if let (Outcome::Later(_), Some(retry)) = (outcome, RETRIES_S.get(waiting.tries)) {
            waiting.tries += 1;
            waiting.due = now + Duration::from_secs(*retry);
            self.waiting.push_back(waiting);
        }
        None
    }
}

impl<T> LetterQueue<T> {
    /// Makes all letters due at once, including deferred ones and after failures of the server: for a change of
    /// servers.
    pub(crate) fn try_again(&mut self) {
        self.rest_until = None;
        self.failures = 0;
        for waiting in &mut self.waiting {
            waiting.due = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn later() -> Outcome {
        Outcome::Later("451".into())
    }

    fn down() -> Outcome {
        Outcome::Down("timed out".into())
    }

    #[test]
    fn one_that_has_to_wait_holds_up_no_other() {
        let start = Instant::now();
        let mut queue = LetterQueue::default();
        queue.push("a", HOUR, start);
        queue.push("b", HOUR, start);
        let a = queue.next(start).expect("is due");
        assert_eq!(queue.done(a, &later(), start), None);
        assert_eq!(queue.next(start).expect("is due").letter, "b");
        assert!(queue.next(start).is_none());
        assert_eq!(queue.count(), 1, "one that is tried again waits");
        let again = start + Duration::from_secs(RETRIES_S[0]);
        assert_eq!(queue.wake(), Some(again));
        assert_eq!(queue.next(again).expect("is due again").letter, "a");
    }

    #[test]
    fn another_server_is_tried_at_once() {
        let start = Instant::now();
        let mut queue = LetterQueue::default();
        queue.push("a", HOUR, start);
        let a = queue.next(start).expect("is due");
        assert!(queue.done(a, &down(), start).is_some() && queue.next(start).is_none());
        queue.try_again();
        assert_eq!(queue.next(Instant::now()).expect("is due").letter, "a");
    }

    #[test]
    fn a_letter_is_not_tried_for_ever() {
        let mut now = Instant::now();
        let mut queue = LetterQueue::default();
        queue.push("a", 100 * HOUR, now);
        let mut tries = 0;
        while let Some(wake) = queue.wake() {
            now = wake;
            let letter = queue.next(now).expect("is due");
            tries += 1;
            queue.done(letter, &later(), now);
        }
        assert_eq!(tries, 1 + RETRIES_S.len());
    }

    #[test]
    fn a_server_that_is_down_is_left_alone_longer_and_longer() {
        let mut now = Instant::now();
        let mut queue = LetterQueue::default();
        for letter in ["a", "b"] {
            queue.push(letter, 100 * HOUR, now);
        }
        let mut rests = Vec::new();
        for _ in 0..7 {
            let letter = queue.next(now).expect("the rest is over");
            assert_eq!(letter.letter, "a", "none is overtaken");
            let rest = queue.done(letter, &down(), now).expect("a rest");
            assert!(queue.next(now).is_none() && queue.wake() == Some(now + rest));
            rests.push(rest.as_secs());
            now += rest;
        }
        assert_eq!(rests, [5, 30, 120, 600, 1800, 1800, 1800]);
        let letter = queue.next(now).expect("the rest is over");
        queue.done(letter, &Outcome::Sent, now);
        assert_eq!(queue.next(now).expect("at once").letter, "b", "it answers again");
    }

    #[test]
    fn what_is_of_no_use_any_more_goes() {
        let start = Instant::now();
        let mut queue = LetterQueue::default();
        queue.push("soon", HOUR, start);
        queue.push("long", 24 * HOUR, start);
        let soon = queue.next(start).expect("is due");
        queue.done(soon, &down(), start);
        assert_eq!(queue.drop_expired(start + HOUR), 1);
        assert_eq!(queue.next(start + HOUR).expect("the other").letter, "long");
        for _ in 0..MOST {
            assert!(queue.has_room());
            queue.push("x", HOUR, start);
        }
        assert!(!queue.has_room());
    }
}
