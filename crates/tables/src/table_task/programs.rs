//! Programs at a table: they are asked for decisions, and their answers become requests like a person's.
//!
//! After everything that happens the table [attends](Table::attend) to them: it answers what people offer them, asks for
//! a move when it is a program's turn, and stops a search that the position has left behind.

use std::time::Duration;

use edge::network::Network;
use engine::Stop;
use table::program::{self, ProgramQuestion};
use table::{ActRequest, Event, Secret};
use tokio::sync::mpsc::WeakSender;
use tokio::time::Instant;
use tracing::Instrument;
use wire::{Act, Offer, ServerMessage};

use super::commit::Committed;
use super::{AGAIN, MOST_FOLLOWING, Table, Why};
use crate::ask::Ask;
use crate::opponents::seat::{Answer, Question, budget};
use crate::traces;

/// The least time of a program for the first ply of a turn, so that people see its answer.
const PACE: Duration = Duration::from_millis(300);
/// The least time of a program for the other plies of a turn.
const NEXT: Duration = Duration::from_millis(120);

/// The searches under way.
pub(super) struct Searches {
    table: WeakSender<Ask>,
    running: Vec<(ProgramQuestion, Stop)>,
}

impl Searches {
    pub(super) fn new(table: WeakSender<Ask>) -> Searches {
        Searches { table, running: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Ends the searches that are not wanted any more.
    fn keep(&mut self, wanted: impl Fn(ProgramQuestion) -> bool) {
        for (_, stop) in self.running.extract_if(.., |(asked, _)| !wanted(*asked)) {
            stop.stop();
        }
    }

    /// Removes a search from the list; returns true if its answer was still awaited.
    fn take(&mut self, asked: ProgramQuestion) -> bool {
        let known = self.running.iter().position(|(other, _)| *other == asked);
        known.map(|i| self.running.swap_remove(i)).is_some()
    }
}

impl Drop for Searches {
    fn drop(&mut self) {
        self.keep(|_| false);
    }
}

impl Table {
    /// Attends to the program that sits here, if any.
    pub(super) async fn attend(&mut self) -> Result<(), Why> {
        // Most tables have none, and should not keep room for what is done here.
        if program::side(&self.state).is_none() { Ok(()) } else { Box::pin(self.attend_to_program()).await }
    }

    async fn attend_to_program(&mut self) -> Result<(), Why> {
        let mut answered = 0;
        while self.again.is_none()
            && let Some((side, act)) = program::answer(&self.state, self.context.time.now_ms())
        {
            let before = self.state.ver;
            self.act(side, &act).await?;
            answered += 1;
            if self.again.is_none() && self.state.ver == before || answered > MOST_FOLLOWING {
                return Err(Why::Failed("a program answers without end"));
            }
        }
        // Without a clock and without visitors no one waits for the program's move.
        let needed = !self.is_empty() || self.state.clock.running().is_some();
        let wanted = program::to_think_about(&self.state).map(|asked| asked.filter(|_| needed));
        self.searches.keep(|asked| wanted.contains(&Some(asked)));
        // It would show them how to go on there. It answers when that game is over.
        if wanted.iter().any(Option::is_some) && self.is_rated_elsewhere() {
            self.searches.keep(|_| false);
            self.again.get_or_insert(Instant::now() + AGAIN);
        }
        if self.again.is_none() {
            for asked in wanted.into_iter().flatten() {
                self.ask_engine(asked);
            }
        }
        Ok(())
    }

    /// Returns true if a person here plays a rated game of the same rules now.
    fn is_rated_elsewhere(&self) -> bool {
        let people = self.state.seats.iter().flatten().filter(|player| player.engine.is_none());
        let (running, game) = (&self.context.running, &self.state.setup.game);
        people.into_iter().any(|player| running.plays_rated(&player.id, game))
    }

    /// Starts a search, unless it is under way.
    fn ask_engine(&mut self, asked: ProgramQuestion) {
        if self.searches.running.iter().any(|(other, _)| *other == asked) {
            return;
        }
        let state = &self.state;
        let Some(side) = program::side(state) else { return };
        let Some((_, opponent)) = program::at(state, side) else { return };
        let stop = Stop::default();
        let face = state.clock.face(self.context.time.now_ms()).filter(|_| state.clock.running().is_some());
        let person = state.seats[side.other().index()].as_ref().map_or_else(String::new, |p| p.id.clone());
        let network = self.network_of(&person);
        let budget = budget(state.setup.clock, face, side);
        let question = Question {
            table: state.id.clone(),
            person,
            network: network.unwrap_or_else(Network::nobody),
            opponent: opponent.clone(),
            rules: (state.setup.game.clone(), state.setup.options.clone(), state.setup.fen.clone()),
            map: state.setup.map.as_ref().map(|map| map.id.clone()),
            game: state.game.boxed_clone(),
            budget,
            seed: state.secret().map(Secret::of_program),
            stop: stop.clone(),
        };
        let pace = if state.last_mover() == Some(side) { NEXT } else { PACE };
        let pace = budget.map_or(pace, |budget| pace.min(budget / 4));
        let turns = state.turns();
        let (opponents, table) = (self.context.opponents.clone(), self.searches.table.clone());
        self.searches.running.push((asked, stop));
        let span = tracing::info_span!(target: traces::TARGET, parent: None, "think", table = state.id);
        let thinking = async move {
            let thinks = async {
                match asked {
                    ProgramQuestion::Move(_) => opponents.think(question).await,
                    ProgramQuestion::Draw(_) => opponents.agrees(question, side, turns).await,
                }
            };
            let (answer, ()) = tokio::join!(thinks, tokio::time::sleep(pace));
            // A table that has ended does not want it.
            if let Some(table) = table.upgrade() {
                let _ = table.send(Ask::Answered(Box::new((asked, answer)))).await;
            }
        };
        tokio::spawn(thinking.instrument(span));
    }

    /// Turns a program's answer into a request, unless the table has gone on.
    pub(super) async fn answered(&mut self, asked: ProgramQuestion, answer: Answer) -> Result<(), Why> {
        if !self.searches.take(asked) || !program::to_think_about(&self.state).contains(&Some(asked)) {
            return Ok(());
        }
        let Some(side) = program::side(&self.state) else { return Ok(()) };
        match (asked, answer) {
            (ProgramQuestion::Move(_), Answer::Move(text)) => {
                // What is drawn for it the table decides.
                let text = self.state.game.chosen(&text).unwrap_or(text);
                // As at a table that takes no more events: then it gives up, which always may be done.
                if self.act(side, &Act::Move { text, away: false }).await? {
                    self.act(side, &Act::Resign { side: None }).await?;
                }
            }
            (ProgramQuestion::Move(_), Answer::Resigns) => {
                self.act(side, &Act::Resign { side: None }).await?;
            }
            (ProgramQuestion::Move(_), Answer::Failed(reason)) => {
                let event = Event::Forfeit { by: side, reason: reason.to_owned() };
                let now_ms = self.context.time.now_ms();
                if !matches!(self.commit(event, None, None, now_ms).await?, Committed::Done) {
                    self.again = Some(Instant::now() + AGAIN);
                }
            }
            (ProgramQuestion::Draw(_), answer) => {
                let what = Offer::Draw;
                let agrees = answer == Answer::Draw(true);
                let act = if agrees { Act::Accept { what } } else { Act::Decline { what } };
                self.act(side, &act).await?;
            }
            // What was stopped is still wanted, or the answer would not have come this far.
            (ProgramQuestion::Move(_), Answer::Busy | Answer::Stopped) => {
                self.again = Some(Instant::now() + AGAIN)
            }
            (ProgramQuestion::Move(_), Answer::Draw(_)) => {}
        }
        Ok(())
    }

    /// Carries out a program's request. Returns true if it was refused for good; one that the store refused is
    /// retried.
    async fn act(&mut self, side: kernel::Side, act: &Act) -> Result<bool, Why> {
        let Some((who, _)) = program::at(&self.state, side) else { return Ok(true) };
        let who = who.clone();
        let arrived_ms = self.context.time.now_ms();
        let wish = ActRequest { who: &who, ver: self.state.ver, arrived_ms, lag_ms: 0, act };
        let Some(ServerMessage::No { why, .. }) = self.wish(wish, None).await? else { return Ok(false) };
        tracing::warn!(table = %self.state.id, key = %why.key, ?act, "what a program wanted was refused");
        let passes = ["not-stored", "hall-busy"].contains(&&*why.key);
        if passes {
            self.again = Some(Instant::now() + AGAIN);
        }
        Ok(!passes)
    }
}
