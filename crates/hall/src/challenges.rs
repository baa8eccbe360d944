//! Challenges at work: the game that one asks for, the table that it opens, and the events that both people get.

use std::sync::Arc;

use edge::network::{Asker, Payer};
use kernel::Problem;
use members::challenges::{ChallengeDraft, MadeChallenge};
use people::challenge::{reason, stands_ms};
use store::{PersonRow, StoredPersonKind};
use table::Setup;
use tables::context::sittings;
use tables::persons::Persons as _;
use tables::remembered;
use wire::{ChallengeLine, How, NewChallenge, Player, Side, StreamEvent};

use crate::events::Happening;
use crate::hall::Hall;

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
        let challenges = &self.members.challenges;
        let to = challenges.recipient(&from.id, to).await?;
        let side = wish.side;
        let setup = self.challenged(wish, from, &to, asker.into()).await?;
        let until_ms = setup.created_ms + stands_ms(remembered::speed(&setup));
        let new = ChallengeDraft { from: from.clone(), to, setup, side, until_ms };
        let MadeChallenge { line, gave_way } = challenges.make(new, asker.network).await?;
        if let Some(old) = gave_way {
            self.tell_canceled(&old);
        }
        for person in [&line.from.id, &line.to.id] {
            let event = StreamEvent::Challenge { challenge: line.clone() };
            self.events.tell(person, Happening::Event(Arc::new(event)));
        }
        if !self.is_here(&line.to.id) {
            self.members.notices.challenged(&line.to.id, &line.id, until_ms);
        }
        Ok(line)
    }

    fn tell_canceled(&self, line: &ChallengeLine) {
        for person in [&line.from.id, &line.to.id] {
            let event = StreamEvent::ChallengeCanceled { challenge: line.clone() };
            self.events.tell(person, Happening::Event(Arc::new(event)));
        }
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
        let (map, options) = self.tables.on_map(options, &wish.options, map, How::Invite, payer).await?;
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
        self.tables.replayed("", setup.clone(), Vec::new(), payer).await?;
        if setup.rated {
            self.tables.may_be_rated(&setup, false, &from.id).await?;
            if to.kind != StoredPersonKind::Account {
                return Err(Problem::new("rated-needs-account"));
            }
        }
        Ok(setup)
    }

    /// Returns true if a challenge waits for this person's answer, or a correspondence game for their move.
    pub async fn waits_for(&self, person: &str) -> bool {
        self.members.challenges.wait_for(person).await
            || self.inbox_next(person, None).await.is_ok_and(|next| next.waiting > 0)
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
        let challenges = &self.members.challenges;
        let challenge = challenges.open(id, |challenge| challenge.to == who.id).await?;
        challenges.may_meet(&who.id, &challenge.from).await?;
        let speed = remembered::speed(&challenge.setup);
        let is_live = speed.is_some_and(|speed| speed != people::Speed::Correspondence);
        if is_live && !self.is_here(&challenge.from) {
            return Err(Problem::new("challenger-away"));
        }
        let from = challenges.challenger(&challenge).await?;
        if challenge.setup.rated {
            self.table_people.has_account(&from.id).await?;
            self.table_people.has_account(&who.id).await?;
            self.members.neighbours.begin_rated(&who.id, &from.id).await?;
        }
        self.has_room()?;
        challenges.end(id).await?;
        let by_lot = if rand::random() { Side::First } else { Side::Second };
        let mut seats = [Some(from.clone()), Some(who.clone())];
        if challenge.side.unwrap_or(by_lot) == Side::Second {
            seats.swap(0, 1);
        }
        let now_ms = self.time.now_ms();
        let setup = Setup { created_ms: now_ms, ..challenge.setup };
        let table = self.tables.store_new(setup, sittings(&seats, now_ms), payer).await?;
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
        let challenge = self.members.challenges.open(id, |challenge| challenge.to == who).await?;
        self.members.challenges.end(id).await?;
        let line = self.members.challenges.line(challenge).await?;
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
        let challenge = self.members.challenges.open(id, |challenge| challenge.from == who).await?;
        self.members.challenges.end(id).await?;
        self.tell_canceled(&self.members.challenges.line(challenge).await?);
        Ok(())
    }
}
