//! Challenges by name: one person asks another for a game, who accepts or declines. They are kept by the store until
//! they are answered, withdrawn, or expire.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edge::network::Network;
use edge::time::Time;
use kernel::Problem;
use people::challenge::{Room, Sender, Waiting, room};
use people::secret::new_id;
use store::together::{Challenge, Deed};
use store::{PersonRow, Store, StoreError, StoredPersonKind};
use table::Setup;
use wire::{ChallengeLine, Player, Side};

use crate::accounts::who;
use crate::failed::busy;
use crate::handed::Handed;
use crate::identity::player;

/// Attempts to find a free random id; a collision is very unlikely.
const TRIES: usize = 4;
/// Origins of challenges that are remembered; when there are more, all are forgotten.
const ORIGINS: usize = 100_000;

/// Origins of open challenges, by their ids. The origins of challenges from before a restart are unknown; these count
/// as one share.
#[derive(Default)]
struct Origins(Mutex<HashMap<String, (Sender, Network)>>);

impl Origins {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Sender, Network)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, id: &str) -> Option<(Sender, Network)> {
        self.lock().get(id).copied()
    }

    fn note(&self, id: &str, sender: Sender, network: Network) {
        let mut known = self.lock();
        if known.len() >= ORIGINS {
            known.clear();
        }
        known.insert(id.to_owned(), (sender, network));
    }
}

/// A challenge that is about to be made.
pub struct ChallengeDraft {
    /// The challenger, as others see them.
    pub from: Player,
    /// The person who is challenged.
    pub to: PersonRow,
    /// The setup of the game.
    pub setup: Setup,
    /// The side that the challenger wants; `None`: by lot.
    pub side: Option<Side>,
    /// The time until which it stands, in Unix milliseconds.
    pub until_ms: u64,
}

/// A challenge that was made.
pub struct MadeChallenge {
    /// The challenge as both people see it.
    pub line: ChallengeLine,
    /// The challenge that was withdrawn to make room.
    pub gave_way: Option<ChallengeLine>,
}

/// The challenges between people.
pub struct Challenges {
    store: Arc<Store>,
    time: Time,
    origins: Origins,
}

impl Challenges {
    /// Creates the handle; no origin is known yet.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Challenges {
        Challenges {
            store: Arc::clone(&handed.store),
            time: handed.time.clone(),
            origins: Origins::default(),
        }
    }

    /// Returns the person of that name or public id, if `from` may challenge them.
    ///
    /// # Errors
    /// `no-such-person`, `challenge-self`, `challenge-guest`, `blocked-by-you`, `challenge-refused` (the person blocks
    /// the challenger, or is away from the hall for good).
    pub async fn recipient(&self, from: &str, to: &str) -> Result<PersonRow, Problem> {
        let to = self.store.people.find_person(to).await.map_err(busy)?;
        let to = to.ok_or_else(|| Problem::new("no-such-person"))?;
        if to.id == from {
            return Err(Problem::new("challenge-self"));
        }
        match to.kind {
            StoredPersonKind::Account | StoredPersonKind::Program => {}
            StoredPersonKind::Guest => return Err(Problem::new("challenge-guest")),
            StoredPersonKind::Closed | StoredPersonKind::Suspended => {
                return Err(Problem::new("challenge-refused"));
            }
        }
        self.may_meet(from, &to.id).await?;
        Ok(to)
    }

    /// Makes a challenge, on a request from that network.
    ///
    /// # Errors
    /// `challenges-full`, `not-stored`, `hall-busy`.
    pub async fn make(&self, new: ChallengeDraft, network: Network) -> Result<MadeChallenge, Problem> {
        let ChallengeDraft { from, to, setup, side, until_ms } = new;
        let sender = self.sender(&from.id, &to.id).await?;
        let gives_way = self.make_room(&to.id, sender, network).await?;
        for _ in 0..TRIES {
            let challenge = Challenge {
                id: new_id(),
                from: from.id.clone(),
                to: to.id.clone(),
                setup: setup.clone(),
                side,
                until_ms,
            };
            match self.store.together.deed(Deed::Challenge(challenge.clone())).await {
                Ok(_) => {
                    self.origins.note(&challenge.id, sender, network);
                    let gave_way = match gives_way {
                        Some(old) => self.give_way(old).await,
                        None => None,
                    };
                    return Ok(MadeChallenge { line: line(challenge, from, player(to)), gave_way });
                }
                Err(StoreError::Taken) => {}
                Err(StoreError::Conflict) => return Err(Problem::new("challenges-full")),
                Err(why) => return Err(busy(why)),
            }
        }
        Err(Problem::new("not-stored"))
    }

    /// Returns the kind of sender that `from` is to `to`.
    async fn sender(&self, from: &str, to: &str) -> Result<Sender, Problem> {
        if self.store.together.relation(to, from).await.map_err(busy)?.follows {
            return Ok(Sender::Known);
        }
        let row = self.store.people.find_person(from).await.map_err(busy)?;
        Ok(match row.map(|row| row.kind) {
            Some(StoredPersonKind::Account | StoredPersonKind::Program) => Sender::Account,
            _ => Sender::Guest,
        })
    }

    /// Returns the challenge that must give way to one more from that origin, if any.
    async fn make_room(
        &self,
        to: &str,
        sender: Sender,
        network: Network,
    ) -> Result<Option<Challenge>, Problem> {
        let all = self.store.together.challenges(to, self.time.now_ms()).await.map_err(busy)?;
        let mut received: Vec<Challenge> = all.into_iter().filter(|challenge| challenge.to == to).collect();
        let mut waiting = Vec::with_capacity(received.len());
        for challenge in &received {
            let (sender, share) = match self.origins.of(&challenge.id) {
                Some(known) => known,
                None => (self.sender(&challenge.from, to).await?, Network::nobody()),
            };
            waiting.push(Waiting { sender, share });
        }
        match room(&waiting, sender, &network) {
            Room::Free => Ok(None),
            Room::InsteadOf(at) => Ok(Some(received.swap_remove(at))),
            Room::None => Err(Problem::new("challenges-full")),
        }
    }

    /// Withdraws a challenge for which there is no room any more.
    async fn give_way(&self, challenge: Challenge) -> Option<ChallengeLine> {
        // An answer or a withdrawal at the same moment has been faster.
        self.end(&challenge.id).await.ok()?;
        self.line(challenge).await.ok()
    }

    /// Checks that neither of two people blocks the other.
    ///
    /// # Errors
    /// `blocked-by-you`; `challenge-refused`, which does not say why.
    pub async fn may_meet(&self, one: &str, other: &str) -> Result<(), Problem> {
        if self.store.together.relation(one, other).await.map_err(busy)?.blocks {
            return Err(Problem::new("blocked-by-you"));
        }
        if self.store.together.relation(other, one).await.map_err(busy)?.blocks {
            return Err(Problem::new("challenge-refused"));
        }
        Ok(())
    }

    /// Returns the challenges that a person has received and sent, without those of people who have been blocked
    /// since.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn of(&self, person: &str) -> Result<wire::Challenges, Problem> {
        let all = self.store.together.challenges(person, self.time.now_ms()).await.map_err(busy)?;
        let (mut received, mut sent) = (Vec::new(), Vec::new());
        for challenge in all {
            let mine = challenge.from == person;
            let line = self.line(challenge).await?;
            if mine { sent.push(line) } else { received.push(line) }
        }
        Ok(wire::Challenges { received, sent })
    }

    /// Returns true if a challenge waits for this person's answer.
    pub async fn wait_for(&self, person: &str) -> bool {
        let challenges = self.store.together.challenges(person, self.time.now_ms()).await.unwrap_or_default();
        challenges.iter().any(|challenge| challenge.to == person)
    }

    /// Returns the challenge with its people, as others see them.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn line(&self, challenge: Challenge) -> Result<ChallengeLine, Problem> {
        let from = who(&self.store, &challenge.from).await?;
        let to = who(&self.store, &challenge.to).await?;
        Ok(line(challenge, from, to))
    }

    /// Returns the person who made a challenge, if they may still play.
    ///
    /// # Errors
    /// `no-such-challenge`, `hall-busy`.
    pub async fn challenger(&self, challenge: &Challenge) -> Result<Player, Problem> {
        let from = self.store.people.find_person(&challenge.from).await.map_err(busy)?;
        let from = from.filter(|row| {
            matches!(
                row.kind,
                StoredPersonKind::Account | StoredPersonKind::Program | StoredPersonKind::Guest
            )
        });
        Ok(player(from.ok_or_else(|| Problem::new("no-such-challenge"))?))
    }

    /// Returns the open challenge with that id if `of` accepts it.
    ///
    /// # Errors
    /// `no-such-challenge`, `hall-busy`.
    pub async fn open(&self, id: &str, of: impl Fn(&Challenge) -> bool) -> Result<Challenge, Problem> {
        let found = self.store.together.challenge(id, self.time.now_ms()).await.map_err(busy)?;
        found.filter(of).ok_or_else(|| Problem::new("no-such-challenge"))
    }

    /// Takes a challenge out; exactly one of those who try at the same time succeeds.
    ///
    /// # Errors
    /// `no-such-challenge`, `hall-busy`.
    pub async fn end(&self, id: &str) -> Result<(), Problem> {
        self.origins.lock().remove(id);
        self.store.together.deed(Deed::EndChallenge { id: id.to_owned() }).await.map(drop).map_err(|why| {
            match why {
                StoreError::Missing => Problem::new("no-such-challenge"),
                why => busy(why),
            }
        })
    }
}

fn line(challenge: Challenge, from: Player, to: Player) -> ChallengeLine {
    let Challenge { id, setup, side, until_ms, .. } = challenge;
    let Setup { game, options, map, clock, rated, created_ms: made_ms, .. } = setup;
    ChallengeLine { id, from, to, game, options, map, clock, side, rated, made_ms, until_ms }
}
