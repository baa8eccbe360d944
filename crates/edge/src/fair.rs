//! A queue for a bounded number of turns that is fair first between addresses, then between the people of one address.
//!
//! A person with a hundred requests waits for their own turns, and so do the others at their address; a person at
//! another address waits until one turn ends. The requests of one address that may wait are bounded, and an address
//! is refused for its own requests only, never because of others.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::network::Network;

/// The number of turns at the same time, and the requests that wait.
#[derive(Debug)]
pub struct Fair {
    bound: usize,
    state: Mutex<Waiting>,
}

/// The right to work; passed on when it is dropped.
#[derive(Debug)]
pub struct Turn {
    fair: Option<Arc<Fair>>,
    address: Network,
    person: String,
}

/// The error when an address has as many waiting requests as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

#[derive(Debug, Default)]
struct Waiting {
    free: usize,
    /// Turns that each address has now.
    running: HashMap<Network, usize>,
    /// Addresses with waiting requests; the first one is next among those with equally many turns.
    addresses: VecDeque<Address>,
}

#[derive(Debug)]
struct Address {
    network: Network,
    /// People with waiting requests; the first one is next.
    people: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
}

impl Address {
    fn waiting(&self) -> usize {
        self.people.iter().flat_map(|(_, wishes)| wishes).filter(|wish| !wish.is_closed()).count()
    }

    /// Takes out the next request that is still wanted. Its person goes to the end of the line.
    fn next(&mut self) -> Option<(String, oneshot::Sender<Turn>)> {
        while let Some((person, mut wishes)) = self.people.pop_front() {
            let next = std::iter::from_fn(|| wishes.pop_front()).find(|wish| !wish.is_closed());
            if !wishes.is_empty() {
                self.people.push_back((person.clone(), wishes));
            }
            if let Some(next) = next {
                return Some((person, next));
            }
        }
        None
    }
}

impl Waiting {
    /// Takes out the next request: of an address with the fewest turns, and of those the one that waits longest.
    fn next(&mut self) -> Option<(Network, String, oneshot::Sender<Turn>)> {
        loop {
            let turns = |a: &Address| self.running.get(&a.network).copied().unwrap_or(0);
            // `min_by_key` takes the first of equals.
            let (at, _) = self.addresses.iter().enumerate().min_by_key(|(_, a)| turns(a))?;
            let mut address = self.addresses.remove(at).expect("was just found");
            let next = address.next();
            let network = address.network;
            if !address.people.is_empty() {
                self.addresses.push_back(address);
            }
            if let Some((person, next)) = next {
                return Some((network, person, next));
            }
        }
    }

    fn end(&mut self, network: Network, person: &str) {
        if let Some(running) = self.running.get_mut(&network) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(&network);
            }
        }
        // An address or person that has just had a turn goes behind the others.
        if let Some(at) = self.addresses.iter().position(|a| a.network == network) {
            let mut address = self.addresses.remove(at).expect("was just found");
            if let Some(at) = address.people.iter().position(|(whose, _)| whose == person) {
                let line = address.people.remove(at).expect("was just found");
                address.people.push_back(line);
            }
            self.addresses.push_back(address);
        }
    }
}

impl Fair {
    /// Creates a queue with `slots` turns at the same time; `per_address_bound` requests of one address may wait for
    /// theirs.
    #[must_use]
    pub fn new(slots: usize, per_address_bound: usize) -> Arc<Fair> {
        let state = Mutex::new(Waiting { free: slots.max(1), ..Waiting::default() });
        Arc::new(Fair { bound: per_address_bound, state })
    }

    /// Waits for a turn. Dropping the future gives the place up.
    ///
    /// # Errors
    /// [`Busy`] when too many requests of that address wait already.
    pub async fn take(self: &Arc<Self>, address: Network, person: &str) -> Result<Turn, Busy> {
        let given = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                *state.running.entry(address).or_default() += 1;
                return Ok(Turn { fair: Some(Arc::clone(self)), address, person: person.to_owned() });
            }
            let at = state.addresses.iter().position(|a| a.network == address);
            if at.map_or(0, |at| state.addresses[at].waiting()) >= self.bound {
                return Err(Busy);
            }
            let (give, given) = oneshot::channel();
            let at = at.unwrap_or_else(|| {
                state.addresses.push_back(Address { network: address, people: VecDeque::new() });
                state.addresses.len() - 1
            });
            let people = &mut state.addresses[at].people;
            // Those who have left make room, so that coming and going fills no memory.
            people.retain_mut(|(_, wishes)| {
                wishes.retain(|wish| !wish.is_closed());
                !wishes.is_empty()
            });
            match people.iter_mut().find(|(whose, _)| whose == person) {
                Some((_, wishes)) => wishes.push_back(give),
                None => people.push_back((person.to_owned(), VecDeque::from([give]))),
            }
            given
        };
        let _counted = Counted::new();
        Ok(given.await.expect("whoever waits is given a turn, or leaves"))
    }

    /// Returns the number of requests that wait, of all addresses.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.lock().addresses.iter().map(Address::waiting).sum()
    }

    /// Ends a turn and gives it to the next request.
    fn end(self: &Arc<Self>, network: Network, person: &str) {
        self.lock().end(network, person);
        loop {
            let next = {
                let mut state = self.lock();
                let Some((address, person, wish)) = state.next() else {
                    state.free += 1;
                    return;
                };
                *state.running.entry(address).or_default() += 1;
                (address, person, wish)
            };
            let (address, person, wish) = next;
            let turn = Turn { fair: Some(Arc::clone(self)), address, person };
            match wish.send(turn) {
                Ok(()) => return,
                // They have just left: the slot is still to be given.
                Err(mut back) => {
                    back.fair = None;
                    self.lock().end(address, &back.person);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(fair) = self.fair.take() {
            fair.end(self.address, &self.person);
        }
    }
}

/// A waiting request, counted in the metric until it is dropped.
struct Counted;

impl Counted {
    fn new() -> Counted {
        metrics::gauge!("hall_turns_waiting").increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("hall_turns_waiting").decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Waker};

    fn network(n: u8) -> Network {
        Network::of([192, 0, 2, n].into())
    }

    /// Returns the outcome of the request if it has one now. Polls once, without a waker.
    fn ask(wish: &mut (impl Future<Output = Result<Turn, Busy>> + Unpin)) -> Option<Result<Turn, Busy>> {
        match std::pin::Pin::new(wish).poll(&mut Context::from_waker(Waker::noop())) {
            std::task::Poll::Ready(turn) => Some(turn),
            std::task::Poll::Pending => None,
        }
    }

    /// Queues all of these requests in this order, ends one turn after the other, and returns the order in which they
    /// were served.
    fn order(slots: usize, wishes: &[(u8, &str)]) -> Vec<(u8, String)> {
        let fair = Fair::new(slots, 100);
        let mut held: VecDeque<Turn> = VecDeque::new();
        let mut all: Vec<_> = wishes
            .iter()
            .map(|&(address, person)| {
                let (fair, person) = (Arc::clone(&fair), person.to_owned());
                let wish = Box::pin(async move { fair.take(network(address), &person).await });
                Some((address, wish))
            })
            .collect();
        let mut served = Vec::new();
        let mut poll = |held: &mut VecDeque<Turn>, served: &mut Vec<(u8, String)>| {
            for (i, slot) in all.iter_mut().enumerate() {
                let Some((address, wish)) = slot else { continue };
                if let Some(turn) = ask(wish) {
                    held.push_back(turn.expect("not busy"));
                    served.push((*address, wishes[i].1.to_owned()));
                    *slot = None;
                }
            }
        };
        poll(&mut held, &mut served);
        while let Some(turn) = held.pop_front() {
            drop(turn);
            poll(&mut held, &mut served);
        }
        served
    }

    #[test]
    fn turns_go_round_addresses_then_people() {
        for (name, slots, wishes, wanted) in [
            ("one after the other", 1, "1a 2b 3c", "1a 2b 3c"),
            ("a greedy person waits for their own", 1, "1a 1a 1a 2b", "1a 2b 1a 1a"),
            ("people of one address take turns", 1, "1a 1a 1a 1b 1b", "1a 1b 1a 1b 1a"),
            ("many people of one address count as one", 1, "1a 1b 1c 1d 2z 2z", "1a 2z 1b 2z 1c 1d"),
            ("fewest turns first", 2, "1a 1b 1c 1d 2z", "1a 1b 2z 1c 1d"),
        ] {
            let wishes: Vec<(u8, &str)> =
                wishes.split(' ').map(|w| (w.as_bytes()[0] - b'0', &w[1..])).collect();
            let served: Vec<String> = order(slots, &wishes).iter().map(|(a, p)| format!("{a}{p}")).collect();
            assert_eq!(served.join(" "), wanted, "{name}");
        }
    }

    /// Thirty guests of one address cost a person at another address the wait for one turn (S4).
    #[test]
    fn thirty_people_of_one_address_cost_another_one_turn() {
        let people: Vec<String> = (0..30).map(|n| format!("guest-{n}")).collect();
        let mut wishes: Vec<(u8, &str)> = people.iter().map(|p| (1, p.as_str())).collect();
        wishes.push((2, "honest"));
        let at = order(1, &wishes).iter().position(|(address, _)| *address == 2);
        assert_eq!(at, Some(1), "the turn that was running, and no other");
    }

    #[test]
    fn an_address_is_refused_on_its_own_account() {
        let fair = Fair::new(1, 2);
        let take = |n: u8| {
            let fair = Arc::clone(&fair);
            Box::pin(async move { fair.take(network(n), "p").await })
        };
        let running = ask(&mut take(1)).expect("free").expect("free");
        let (mut second, mut third) = (take(1), take(1));
        assert!(ask(&mut second).is_none() && ask(&mut third).is_none());
        assert_eq!(ask(&mut take(1)).expect("at once").err(), Some(Busy), "two wait already");
        let mut other = take(2);
        assert!(ask(&mut other).is_none(), "another address waits, and is not refused");
        drop(third);
        let mut again = take(1);
        assert!(ask(&mut again).is_none(), "whoever leaves makes room");
        assert_eq!(fair.waiting(), 3);
        drop(running);
        let other = ask(&mut other).expect("next").expect("not busy");
        assert!(ask(&mut second).is_none());
        drop(other);
        drop(ask(&mut second).expect("next"));
        drop(again);
        assert_eq!(fair.waiting(), 0);
        assert!(ask(&mut take(3)).is_some(), "the slot is free again");
    }

    #[test]
    fn who_leaves_with_a_turn_on_the_way_passes_it_on() {
        let fair = Fair::new(1, 9);
        let running = ask(&mut Box::pin(fair.take(network(1), "a"))).expect("free");
        {
            let mut leaves = pin!(fair.take(network(2), "b"));
            assert!(ask(&mut leaves).is_none());
            drop(running);
            // It has been given the turn and has not looked.
        }
        assert!(ask(&mut Box::pin(fair.take(network(3), "c"))).is_some());
    }
}
