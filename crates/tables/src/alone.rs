//! Tables that wait in the lobby without a player present, limited per person, per address, and in all.
//!
//! Where there are too many, the oldest table of the person with the most is taken out, never another person's.

use std::collections::HashMap;
use std::hash::Hash;

use edge::network::{Asker, Network};

/// Lines of one person.
const MOST_PERSON: usize = 30;
/// Lines of one address.
const MOST_ADDRESS: usize = 300;
/// Lines of all together.
const MOST: usize = 10_000;

/// The person who opened a table, and their address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opener {
    /// Their address; `None` when it is unknown, as after a restart.
    pub network: Option<Network>,
    /// Their public id.
    pub person: String,
}

impl From<&Asker> for Opener {
    fn from(asker: &Asker) -> Opener {
        Opener { network: Some(asker.network), person: asker.person.clone() }
    }
}

/// An address; a person from an unknown one counts as an address of their own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Address {
    Known(Network),
    Of(String),
}

impl Opener {
    fn address(&self) -> Address {
        self.network.map_or_else(|| Address::Of(self.person.clone()), Address::Known)
    }
}

#[derive(Debug)]
struct Waits {
    opener: Opener,
    created_ms: u64,
}

/// The tables, by id.
#[derive(Default, Debug)]
pub struct Alone {
    all: HashMap<String, Waits>,
    people: HashMap<String, usize>,
    addresses: HashMap<Address, usize>,
}

impl Alone {
    /// Puts a table in. Returns the one that goes for it, where that is one too many.
    pub fn put(&mut self, id: &str, opener: Opener, created_ms: u64) -> Option<String> {
        self.remove(id);
        let (person, address) = (opener.person.clone(), opener.address());
        let of_person = self.people.entry(person.clone()).or_default();
        *of_person += 1;
        let at_address = self.addresses.entry(address.clone()).or_default();
        *at_address += 1;
        let too_many = (*of_person > MOST_PERSON, *at_address > MOST_ADDRESS);
        self.all.insert(id.to_owned(), Waits { opener, created_ms });
        let gone = match too_many {
            (true, _) => self.oldest(|waits| waits.opener.person == person),
            (false, true) => self.oldest_at(&address),
            (false, false) if self.all.len() > MOST => {
                let (most, _) = self.addresses.iter().max_by_key(|(_, count)| **count)?;
                self.oldest_at(most)
            }
            (false, false) => None,
        }?;
        self.remove(&gone);
        Some(gone)
    }

    /// Takes a table out.
    pub fn remove(&mut self, id: &str) {
        let Some(Waits { opener, .. }) = self.all.remove(id) else { return };
        less(&mut self.addresses, &opener.address());
        less(&mut self.people, &opener.person);
    }

    /// Returns true if no player is present at that table.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.all.contains_key(id)
    }

    /// Returns the oldest table of the person with the most at that address.
    fn oldest_at(&self, address: &Address) -> Option<String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for waits in self.all.values().filter(|waits| waits.opener.address() == *address) {
            *counts.entry(&waits.opener.person).or_default() += 1;
        }
        let (person, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        self.oldest(|waits| waits.opener.person == person && waits.opener.address() == *address)
    }

    fn oldest(&self, is_meant: impl Fn(&Waits) -> bool) -> Option<String> {
        let meant = self.all.iter().filter(|(_, waits)| is_meant(waits));
        meant.min_by_key(|(id, waits)| (waits.created_ms, *id)).map(|(id, _)| id.clone())
    }
}

/// Reduces the count of `of` by one, and removes it at zero.
fn less<T: Eq + Hash>(counts: &mut HashMap<T, usize>, of: &T) {
    if let Some(count) = counts.get_mut(of) {
        *count -= 1;
        if *count == 0 {
            counts.remove(of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opener(address: Option<u16>, person: &str) -> Opener {
        let network = address.map(|n| Network::of([10, 0, n.to_be_bytes()[0], n.to_be_bytes()[1]].into()));
        Opener { network, person: person.to_owned() }
    }

    #[test]
    fn a_person_pushes_out_their_own() {
        for address in [None, Some(1)] {
            let mut alone = Alone::default();
            assert_eq!(alone.put("honest", opener(address, "ann"), 0), None);
            for n in 0..MOST_PERSON {
                assert_eq!(alone.put(&format!("eve{n:02}"), opener(address, "eve"), 10), None);
            }
            assert_eq!(alone.put("more", opener(address, "eve"), 20).as_deref(), Some("eve00"));
        }
    }

    #[test]
    fn an_address_pushes_out_its_own_and_whoever_has_most_there() {
        let mut alone = Alone::default();
        alone.put("far", opener(Some(2), "ann"), 0);
        alone.put("near", opener(Some(1), "bob"), 0);
        let mut gone = Vec::new();
        for n in 0..5 * MOST_ADDRESS as u64 {
            // Forty guests.
            gone.extend(alone.put(&format!("eve{n:04}"), opener(Some(1), &format!("eve{}", n % 40)), 10 + n));
        }
        assert_eq!(alone.addresses[&opener(Some(1), "").address()], MOST_ADDRESS);
        assert!(gone.iter().all(|id| id.starts_with("eve")) && alone.has("far") && alone.has("near"));
    }

    #[test]
    fn where_all_have_too_many_the_newcomer_is_listed() {
        let mut alone = Alone::default();
        let addresses = (MOST / MOST_ADDRESS) as u16;
        for (address, n) in (0..addresses).flat_map(|address| (0..MOST_ADDRESS).map(move |n| (address, n))) {
            let person = format!("eve{address}-{}", n / MOST_PERSON);
            assert_eq!(alone.put(&format!("{address:02}-{n:03}"), opener(Some(address), &person), 5), None);
        }
        for n in 0..200 {
            let gone = alone.put(&format!("honest{n}"), opener(None, &format!("ann{n}")), 9);
            assert_eq!(
                gone.is_some(),
                alone.all.len() == MOST && n >= MOST - addresses as usize * MOST_ADDRESS
            );
            assert!(gone.is_none_or(|gone| !gone.starts_with("honest")));
        }
        let ids: Vec<String> = alone.all.keys().cloned().collect();
        ids.iter().for_each(|id| alone.remove(id));
        assert!(alone.people.is_empty() && alone.addresses.is_empty(), "nothing is left behind");
    }
}
