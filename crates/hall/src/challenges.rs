//! Challenges by name: one person asks another for a game, who accepts or declines. They are kept by the store until they are
//! answered, withdrawn, or expire.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edge::network::{Asker, Network, Payer};
use kernel::Problem;
use members::failed::busy;
use members::identity::player;
use people::challenge::{Room, Sender, Waiting, reason, room, stands_ms};
use people::secret::new_id;
use store::together::{Challenge, Deed};
use store::{Kind, PersonRow, StoreError};
use table::Setup;
use wire::{ChallengeLine, Challenges, How, NewChallenge, Player, Side, StreamEvent};

use crate::events::Happening;
use crate::hall::{Hall, sittings};
use crate::remembered;

/// Attempts to find a free random id; a collision is very unlikely.
const TRIES: usize = 4;

/// Origins of challenges that are remembered; when there are more, all are forgotten.
const ORIGINS: usize = 100_000;

/// Origins of open challenges, by their ids. The origins of challenges from before a restart are unknown; these count
/// as one share.
#[derive(Default)]
pub struct Origins(Mutex<HashMap<String, (Sender, Network)>>);

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

impl Hall {
    /// Challenges a person, on a request from that network; returns the challenge.
    ///
    /// # Errors
    /// The fault in the request; `no-such-person`, `challenge-self`, `challenge-guest`, `blocked-by-you`,
    /// `challenge-refused` (the person blocks the challenger, or is away from the hall for good), `challenges-full`,
    /// `rated-needs-account`, `rated-not-usual`.
    pub async fn challenge(
        &self,
        wish: NewChallenge,
        from: &Player,
        to: &str,
        asker: &Asker,
    ) -> Result<ChallengeLine, Problem> {
        let network = asker.network;
        let to = self.store.people.find_person(to).await.map_err(busy)?;
        let to = to.ok_or_else(|| Problem::new("no-such-person"))?;
        if to.id == from.id {
            return Err(Problem::new("challenge-self"));
        }
        match to.kind {
            Kind::Account | Kind::Program => {}
            Kind::Guest => return Err(Problem::new("challenge-guest")),
            Kind::Closed | Kind::Suspended => return Err(Problem::new("challenge-refused")),
        }
        self.may_meet(&from.id, &to.id).await?;
        let setup = self.challenged(wish.clone(), from, &to, asker.into()).await?;
        let until_ms = setup.created_ms + stands_ms(remembered::speed(&setup));
        let sender = self.sender(&from.id, &to.id).await?;
        let gives_way = self.make_room(&to.id, sender, network).await?;
        for _ in 0..TRIES {
            let challenge = Challenge {
                id: new_id(),
                from: from.id.clone(),
                to: to.id.clone(),
                setup: setup.clone(),
                side: wish.side,
                until_ms,
            };
            match self.store.together.deed(Deed::Challenge(challenge.clone())).await {
                Ok(_) => {
                    self.origins.note(&challenge.id, sender, network);
                    if let Some(old) = gives_way {
                        self.give_way(old).await;
                    }
                    let line = line(challenge, from.clone(), player(to));
                    for person in [&line.from.id, &line.to.id] {
                        let event = StreamEvent::Challenge { challenge: line.clone() };
                        self.events.tell(person, Happening::Event(Arc::new(event)));
                    }
                    if !self.is_here(&line.to.id) {
                        self.members.notices.challenged(&line.to.id, &line.id, until_ms);
                    }
                    return Ok(line);
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
            Some(Kind::Account | Kind::Program) => Sender::Account,
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

    /// Removes a challenge for which there is no room any more; both people are told that it was withdrawn.
    async fn give_way(&self, challenge: Challenge) {
        // An answer or a withdrawal at the same moment has been faster.
        if self.end_challenge(&challenge.id).await.is_err() {
            return;
        }
        let Ok(line) = self.challenge_line(challenge).await else { return };
        self.tell_canceled(&line);
    }

    fn tell_canceled(&self, line: &ChallengeLine) {
        for person in [&line.from.id, &line.to.id] {
            let event = StreamEvent::ChallengeCanceled { challenge: line.clone() };
            self.events.tell(person, Happening::Event(Arc::new(event)));
        }
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

    /// Returns the setup of the game that a challenge asks for.
    async fn challenged(
        &self,
        wish: NewChallenge,
        from: &Player,
        to: &PersonRow,
        payer: Payer<'_>,
    ) -> Result<Setup, Problem> {
        let entry = catalog::find(&wish.game)?;
        table::clock::check(wish.clock)?;
        let options = entry.settle(&wish.options, catalog::Setting::Online)?;
        let map = wish.map.as_deref();
        let (map, options) = self.on_map(options, &wish.options, map, How::Invite, payer).await?;
        let setup = Setup {
            options,
            game: wish.game,
            map: map.map(|map| map.name()),
            fen: None,
            how: How::Invite,
            room: None,
            clock: wish.clock,
            rated: wish.rated,
            created_ms: self.time.now_ms(),
            heading: None,
        };
        self.replayed("", setup.clone(), Vec::new(), payer).await?;
        if setup.rated {
            self.may_be_rated(&setup, false, &from.id).await?;
            if to.kind != Kind::Account {
                return Err(Problem::new("rated-needs-account"));
            }
        }
        Ok(setup)
    }

    /// Returns the challenges that a person has received and sent, without those of people who have been blocked
    /// since.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn challenges(&self, person: &str) -> Result<Challenges, Problem> {
        let all = self.store.together.challenges(person, self.time.now_ms()).await.map_err(busy)?;
        let (mut received, mut sent) = (Vec::new(), Vec::new());
        for challenge in all {
            let mine = challenge.from == person;
            let line = self.challenge_line(challenge).await?;
            if mine { sent.push(line) } else { received.push(line) }
        }
        Ok(Challenges { received, sent })
    }

    /// Returns true if a challenge waits for this person's answer, or a correspondence game for their move.
    pub async fn waits_for(&self, person: &str) -> bool {
        let challenges = self.store.together.challenges(person, self.time.now_ms()).await.unwrap_or_default();
        if challenges.iter().any(|challenge| challenge.to == person) {
            return true;
        }
        self.inbox_next(person, None).await.is_ok_and(|next| next.waiting > 0)
    }

    async fn challenge_line(&self, challenge: Challenge) -> Result<ChallengeLine, Problem> {
        let from = self.who(&challenge.from).await?;
        let to = self.who(&challenge.to).await?;
        Ok(line(challenge, from, to))
    }

    /// Returns the person of that public id, as others see them.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn who(&self, id: &str) -> Result<Player, Problem> {
        let found = self.store.people.find_person(id).await.map_err(busy)?.filter(|row| row.id == id);
        let nobody = || Player { id: id.to_owned(), name: None, engine: None, program: false };
        Ok(found.map_or_else(nobody, player))
    }

    /// Returns the open challenge with that id if `of` accepts it.
    async fn open_challenge(&self, id: &str, of: impl Fn(&Challenge) -> bool) -> Result<Challenge, Problem> {
        let found = self.store.together.challenge(id, self.time.now_ms()).await.map_err(busy)?;
        found.filter(of).ok_or_else(|| Problem::new("no-such-challenge"))
    }

    /// Takes a challenge out; exactly one of those who try at the same time succeeds.
    async fn end_challenge(&self, id: &str) -> Result<(), Problem> {
        self.origins.lock().remove(id);
        self.store.together.deed(Deed::EndChallenge { id: id.to_owned() }).await.map(drop).map_err(|why| {
            match why {
                StoreError::Missing => Problem::new("no-such-challenge"),
                why => busy(why),
            }
        })
    }

    /// Accepts a challenge; returns the table.
    ///
    /// # Errors
    /// `no-such-challenge`; `challenger-away` where the game has a running clock and the challenger has left; what does
    /// not fit any more.
    pub async fn accept_challenge(
        &self,
        id: &str,
        who: &Player,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        let challenge = self.open_challenge(id, |challenge| challenge.to == who.id).await?;
        self.may_meet(&who.id, &challenge.from).await?;
        let speed = remembered::speed(&challenge.setup);
        let is_live = speed.is_some_and(|speed| speed != people::Speed::Correspondence);
        if is_live && !self.is_here(&challenge.from) {
            return Err(Problem::new("challenger-away"));
        }
        let from = self.store.people.find_person(&challenge.from).await.map_err(busy)?;
        let from = from.filter(|row| matches!(row.kind, Kind::Account | Kind::Program | Kind::Guest));
        let from = player(from.ok_or_else(|| Problem::new("no-such-challenge"))?);
        if challenge.setup.rated {
            self.has_account(&from.id).await?;
            self.has_account(&who.id).await?;
            self.members.neighbours.begin_rated(&who.id, &from.id).await?;
        }
        self.has_room()?;
        self.end_challenge(id).await?;
        let by_lot = if rand::random() { Side::First } else { Side::Second };
        let mut seats = [Some(from.clone()), Some(who.clone())];
        if challenge.side.unwrap_or(by_lot) == Side::Second {
            seats.swap(0, 1);
        }
        let now_ms = self.time.now_ms();
        let setup = Setup { created_ms: now_ms, ..challenge.setup };
        let table = self.store_new(setup, sittings(&seats, now_ms), payer).await?;
        for person in [&from.id, &who.id] {
            self.events.tell(person, Happening::Accepted(table.clone()));
        }
        Ok(table)
    }

    /// Declines a challenge, with a reason.
    ///
    /// # Errors
    /// `no-such-challenge`, `decline-reason`.
    pub async fn decline_challenge(&self, id: &str, who: &str, why: Option<&str>) -> Result<(), Problem> {
        let reason = reason(why)?.to_owned();
        let challenge = self.open_challenge(id, |challenge| challenge.to == who).await?;
        self.end_challenge(id).await?;
        let line = self.challenge_line(challenge).await?;
        for person in [&line.from.id, &line.to.id] {
            let event = StreamEvent::ChallengeDeclined { challenge: line.clone(), reason: reason.clone() };
            self.events.tell(person, Happening::Event(Arc::new(event)));
        }
        Ok(())
    }

    /// Withdraws a challenge.
    ///
    /// # Errors
    /// `no-such-challenge`.
    pub async fn cancel_challenge(&self, id: &str, who: &str) -> Result<(), Problem> {
        let challenge = self.open_challenge(id, |challenge| challenge.from == who).await?;
        self.end_challenge(id).await?;
        self.tell_canceled(&self.challenge_line(challenge).await?);
        Ok(())
    }
}

fn line(challenge: Challenge, from: Player, to: Player) -> ChallengeLine {
    let Challenge { id, setup, side, until_ms, .. } = challenge;
    let Setup { game, options, map, clock, rated, created_ms: made_ms, .. } = setup;
    ChallengeLine { id, from, to, game, options, map, clock, side, rated, made_ms, until_ms }
}
