//! The queue of words that tables and challenges leave: the latest word about each subject, for each person.
//!
//! At any rate of moves, there is one word for each recipient and subject, and a batch that is taken out serves as
//! many people as possible: no person's words wait behind all those of another.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use people::notices::Topic;
use tokio::sync::Notify;

/// The most words about one person that wait; beyond that, their oldest is lost.
const MOST_EACH: usize = 1000;

/// A word about one subject, for one person.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Word {
    /// True if the person has looked, or had nothing to look at, before the notice in `tell`.
    pub looked: bool,
    /// The topic of the notice, and the time until which it is valid, in Unix milliseconds.
    pub tell: Option<(Topic, u64)>,
}

impl Word {
    /// Combines a word with the next one about the same subject.
    fn then(self, next: Word) -> Word {
        match (self.tell, next) {
            (_, next) if next.looked => next,
            // That the clock is nearly out was the stronger word.
            (Some((Topic::Clock, _)), _) => self,
            (_, next) => Word { looked: self.looked, tell: next.tell },
        }
    }
}

/// The words that wait to be stored.
#[derive(Default)]
pub(super) struct Words {
    waiting: Mutex<Waiting>,
    news: Notify,
}

#[derive(Default)]
struct Waiting {
    of: HashMap<String, Theirs>,
    /// The order in which people are served; each person with words is in it once.
    turns: VecDeque<String>,
}

#[derive(Default)]
struct Theirs {
    words: HashMap<String, Word>,
    /// The subjects of the person's words, the oldest first.
    order: VecDeque<String>,
}

impl Words {
    /// Leaves a word for `person` about `subject`, a table or a challenge.
    pub fn leave(&self, person: &str, subject: &str, word: Word) {
        let mut waiting = self.lock();
        let Waiting { of, turns } = &mut *waiting;
        if !of.contains_key(person) {
            turns.push_back(person.to_owned());
        }
        let theirs = of.entry(person.to_owned()).or_default();
        if let Some(known) = theirs.words.get_mut(subject) {
            *known = known.then(word);
            return;
        }
        theirs.words.insert(subject.to_owned(), word);
        theirs.order.push_back(subject.to_owned());
        if theirs.order.len() > MOST_EACH
            && let Some(oldest) = theirs.order.pop_front()
        {
            theirs.words.remove(&oldest);
            metrics::counter!("hall_notices_lost_total").increment(1);
        }
        self.news.notify_one();
    }

    /// Waits for words and takes out at most `most`: one of each person, then a second one.
    pub async fn take(&self, most: usize) -> Vec<(String, String, Word)> {
        loop {
            let taken = self.lock().take(most);
            if !taken.is_empty() {
                return taken;
            }
            self.news.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn take(&mut self, most: usize) -> Vec<(String, String, Word)> {
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(person) = self.turns.pop_front()
        {
            let Some(theirs) = self.of.get_mut(&person) else { continue };
            if let Some(subject) = theirs.order.pop_front()
                && let Some(word) = theirs.words.remove(&subject)
            {
                taken.push((person.clone(), subject, word));
            }
            if theirs.order.is_empty() {
                self.of.remove(&person);
            } else {
                self.turns.push_back(person);
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKED: Word = Word { looked: true, tell: None };

    fn tell(topic: Topic) -> Word {
        Word { looked: false, tell: Some((topic, 5)) }
    }

    #[test]
    fn the_latest_word_counts() {
        let (turn, clock) = (tell(Topic::Turn), tell(Topic::Clock));
        for (name, words, wanted) in [
            ("told", vec![turn], turn),
            ("told and seen", vec![turn, LOOKED], LOOKED),
            ("seen, and it is their turn again", vec![LOOKED, turn], Word { looked: true, ..turn }),
            ("again and again", vec![turn, LOOKED, turn, LOOKED, turn], Word { looked: true, ..turn }),
            ("the clock is nearly out", vec![turn, clock], clock),
            ("and still is", vec![clock, turn], clock),
            ("a new turn", vec![clock, LOOKED, turn], Word { looked: true, ..turn }),
        ] {
            let left = Words::default();
            words.into_iter().for_each(|word| left.leave("ann", "t", word));
            assert_eq!(left.lock().take(9), [("ann".to_owned(), "t".to_owned(), wanted)], "{name}");
        }
    }

    /// People who move fast take no places of others: two at a hundred tables once filled the one queue, and the
    /// words of others were lost.
    #[test]
    fn who_moves_fast_takes_no_places_of_others() {
        let left = Words::default();
        for round in 0..100 {
            for table in 0..100 {
                let words = if round % 2 == 0 { ["eve", "mallory"] } else { ["mallory", "eve"] };
                left.leave(words[0], &format!("t{table}"), tell(Topic::Turn));
                left.leave(words[1], &format!("t{table}"), LOOKED);
            }
        }
        left.leave("ann", "honest", tell(Topic::Challenge));
        let taken = left.lock().take(3);
        assert_eq!(taken[2].1, "honest", "with the first part");
        assert_eq!(left.lock().take(9999).len(), 198, "one word for each of a hundred tables of both");
        let waiting = left.lock();
        assert!(waiting.of.is_empty() && waiting.turns.is_empty());
    }

    #[test]
    fn one_person_is_owed_so_many_words() {
        let left = Words::default();
        left.leave("bob", "b", LOOKED);
        for table in 0..=MOST_EACH {
            left.leave("ann", &format!("t{table}"), LOOKED);
        }
        let taken = left.lock().take(9999);
        assert_eq!(taken.len(), MOST_EACH + 1);
        assert!(
            taken.iter().any(|(person, ..)| person == "bob") && taken.iter().all(|(_, id, _)| id != "t0")
        );
    }
}
