//! Programs at a table: what they are asked, and what becomes of their answers.
//!
//! After everything that happens the table [attends](Table::attend) to them: it answers what people offer them, asks for a
//! move when it is a program's turn, and stops a search that the position has left behind. What a program wants is a wish like a
//! person's and goes the same way.

use std::time::Duration;

use engine::Stop;
use kernel::Side;
use tokio::sync::mpsc::WeakSender;
use tokio::time::Instant;
use wire::{Act, Event, How, Offer, Opponent, Player, ServerMessage};

use super::{AGAIN, Ask, State, Table, Why};
use crate::opponents::seat::{Answer, Question, budget};

/// So long a program takes at least for the first ply of a turn, that people see what it answers.
const PACE: Duration = Duration::from_millis(300);
/// And for the others.
const NEXT: Duration = Duration::from_millis(120);

/// What a program was asked, and the version of what it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// For a move, after the last change of board or seats.
    Move(u64),
    /// Whether it agrees to the draw that was offered as this version.
    Draw(u64),
}

/// What programs at this table are asked.
pub(super) struct Company {
    table: WeakSender<Ask>,
    /// Searches under way.
    searches: Vec<(Asked, Stop)>,
    /// When to ask again, after the store refused what a program wanted.
    pub(super) again: Option<Instant>,
}

impl Company {
    pub(super) fn new(table: WeakSender<Ask>) -> Company {
        Company { table, searches: Vec::new(), again: None }
    }

    pub(super) fn thinks(&self) -> bool {
        !self.searches.is_empty()
    }

    /// Ends the searches that nobody wants any more.
    fn keep(&mut self, wanted: impl Fn(Asked) -> bool) {
        for (_, stop) in self.searches.extract_if(.., |(asked, _)| !wanted(*asked)) {
            stop.stop();
        }
    }

    /// Whether that answer is still waited for; it is not any longer.
    fn take(&mut self, asked: Asked) -> bool {
        let known = self.searches.iter().position(|(other, _)| *other == asked);
        known.map(|i| self.searches.swap_remove(i)).is_some()
    }
}

impl Drop for Company {
    fn drop(&mut self) {
        self.keep(|_| false);
    }
}

impl Table {
    /// Looks after the programs that sit here.
    pub(super) async fn attend(&mut self) -> Result<(), Why> {
        if self.state.seats.iter().flatten().all(|player| player.engine.is_none()) {
            return Ok(());
        }
        let turn = self.state.turn();
        let mover = self.state.is_on().then(|| engine_at(&self.state, turn)).flatten();
        let wanted = mover.as_ref().map(|_| Asked::Move(self.state.settled));
        let draw = self.drawing().map(Asked::Draw);
        self.company.keep(|asked| Some(asked) == wanted || Some(asked) == draw);
        if self.company.again.is_some() {
            return Ok(());
        }
        if let Some((side, what)) = self.asked_of_engine() {
            return self.agree(side, what).await;
        }
        if let (Some(asked), Some((_, opponent))) = (wanted, mover) {
            self.ask_engine(asked, opponent, turn);
        }
        if let Some(asked) = draw {
            let side = engine_side(&self.state).expect("it was offered to one");
            let (_, opponent) = engine_at(&self.state, side).expect("it sits there");
            self.ask_engine(asked, opponent, side);
        }
        Ok(())
    }

    /// An offer that programs agree to without thinking, and who is asked.
    fn asked_of_engine(&self) -> Option<(Side, Offer)> {
        let engine = engine_side(&self.state)?;
        let mut offers = self.state.offers.iter();
        let (_, what) = offers.find(|&&(by, what)| by != engine && what != Offer::Draw)?;
        Some((engine, *what))
    }

    /// The version at which a person offered a draw that stands.
    fn drawing(&self) -> Option<u64> {
        let engine = engine_side(&self.state).filter(|_| self.state.is_on())?;
        if !self.state.offers.contains(&(engine.other(), Offer::Draw)) {
            return None;
        }
        let offered = |event: &Event| matches!(event, Event::Offer { what: Offer::Draw, .. });
        self.state.log.iter().rev().find(|entry| offered(&entry.event)).map(|entry| entry.ver)
    }

    async fn agree(&mut self, side: Side, what: Offer) -> Result<(), Why> {
        let Some((player, _)) = engine_at(&self.state, side) else { return Ok(()) };
        let cmd = format!("engine-agrees-{}", self.state.ver());
        self.act(&player, &cmd, &Act::Accept { what }).await?;
        // What it can not agree to it declines, so that nobody waits.
        if self.asked_of_engine() == Some((side, what)) {
            let cmd = format!("engine-declines-{}", self.state.ver());
            self.act(&player, &cmd, &Act::Decline { what }).await?;
        }
        Box::pin(self.attend()).await
    }

    /// Starts a search, unless it is under way.
    fn ask_engine(&mut self, asked: Asked, opponent: Opponent, side: Side) {
        if self.company.searches.iter().any(|(other, _)| *other == asked) {
            return;
        }
        let stop = Stop::default();
        self.company.searches.push((asked, stop.clone()));
        let state = &self.state;
        let face = state.clock.face(self.hall.time.now_ms()).filter(|_| state.clock.running().is_some());
        let guest = state.seats[side.other().index()].as_ref().map_or_else(String::new, |p| p.id.clone());
        let budget = budget(state.setup.clock, face, side.into());
        let question = Question {
            table: state.id.clone(),
            guest,
            opponent,
            rules: (state.setup.game.clone(), state.setup.options.clone(), state.setup.fen.clone()),
            game: state.game.boxed_clone(),
            budget,
            stop,
        };
        let pace = if state.last_mover() == Some(side) { NEXT } else { PACE };
        let pace = budget.map_or(pace, |budget| pace.min(budget / 4));
        let turns = state.turns();
        let (opponents, table) = (self.hall.opponents.clone(), self.company.table.clone());
        tokio::spawn(async move {
            let thinks = async {
                match asked {
                    Asked::Move(_) => opponents.think(question).await,
                    Asked::Draw(_) => opponents.agrees(question, side, turns).await,
                }
            };
            let (answer, ()) = tokio::join!(thinks, tokio::time::sleep(pace));
            // A table that has ended does not want it.
            if let Some(table) = table.upgrade() {
                let _ = table.send(Ask::Answered(asked, answer)).await;
            }
        });
    }

    /// What a program wants is decided like what a person wants.
    pub(super) async fn answered(&mut self, asked: Asked, answer: Answer) -> Result<(), Why> {
        if !self.company.take(asked) {
            return Ok(());
        }
        let Some(side) = engine_side(&self.state) else { return Ok(()) };
        let Some((player, _)) = engine_at(&self.state, side) else { return Ok(()) };
        let cmd = |what: &str, ver: u64| format!("engine-{what}-{ver}");
        match (asked, answer) {
            (Asked::Move(ver), Answer::Move(text)) => {
                let refused = self.act(&player, &cmd("move", ver), &Act::Move { text }).await?;
                // As at a table that takes no more events: then it gives up, which always may be done.
                if refused {
                    self.act(&player, &cmd("resigns", ver), &Act::Resign { side: None }).await?;
                }
                Ok(())
            }
            (Asked::Move(ver), Answer::Resigns) => {
                self.act(&player, &cmd("resigns", ver), &Act::Resign { side: None }).await.map(drop)
            }
            (Asked::Move(_), Answer::Failed(reason)) => {
                let event = Event::Forfeit { by: side.into(), reason: reason.to_owned() };
                if !self.commit(event, None, None).await? {
                    self.company.again = Some(Instant::now() + AGAIN);
                }
                Ok(())
            }
            (Asked::Draw(ver), answer) => {
                let what = Offer::Draw;
                let act =
                    if answer == Answer::Draw(true) { Act::Accept { what } } else { Act::Decline { what } };
                self.act(&player, &cmd("draw", ver), &act).await.map(drop)
            }
            (Asked::Move(_), Answer::Stopped | Answer::Draw(_)) => Ok(()),
        }
    }

    /// True when it was refused for good; what the store refused is tried again.
    async fn act(&mut self, player: &Player, cmd: &str, act: &Act) -> Result<bool, Why> {
        let answer = self.wish(player, cmd, self.state.ver(), act, 0).await?;
        let Some(ServerMessage::No { why, .. }) = answer else { return Ok(false) };
        tracing::warn!(table = %self.state.id, key = %why.key, ?act, "what a program wanted was refused");
        let passes = why.key == "not-stored";
        if passes {
            self.company.again = Some(Instant::now() + AGAIN);
        }
        Ok(!passes)
    }
}

/// The seat of the program that plays with a person; there is one at most.
fn engine_side(state: &State) -> Option<Side> {
    let alone = state.setup.how == How::Screen;
    Side::BOTH.into_iter().find(|&side| !alone && engine_at(state, side).is_some())
}

/// Which program sits there.
fn engine_at(state: &State, side: Side) -> Option<(Player, Opponent)> {
    let player = state.seats[side.index()].as_ref()?;
    Some((player.clone(), player.engine.clone()?))
}
