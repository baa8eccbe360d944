//! What a table is: the sum of its entries.
//!
//! [`State::apply`] is the only way a table changes, live and after a restart alike; it looks at nothing but the entry.
//! So a table read back from its log is the table that wrote it.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::{AnyGame, Problem, Side};
use wire::{Event, Offer, Outcome, Patch, Player, PlyInfo, ServerMessage, TableInfo, View};

use crate::clock::Clock;
use crate::maps::Loaded;
use crate::store::{Entry, Setup, Stage, Standing};

/// A table and everything that happened at it.
pub struct State {
    /// The last part of the link.
    pub id: String,
    /// What was agreed.
    pub setup: Setup,
    /// The map, in games that come with one.
    pub map: Option<Arc<Loaded>>,
    /// The game as it stands.
    pub game: Box<dyn AnyGame>,
    /// Its picture.
    pub view: View,
    /// Moves, movers, times.
    pub record: Vec<PlyInfo>,
    /// The clocks.
    pub clock: Clock,
    /// Who sits where.
    pub seats: [Option<Player>; 2],
    /// Offers that stand.
    pub offers: Vec<(Side, Offer)>,
    /// How the game ended.
    pub end: Option<Outcome>,
    /// The rematch.
    pub next: Option<String>,
    /// Everything that happened.
    pub log: Vec<Entry>,
    /// The version of the last event that changed board or seats.
    pub settled: u64,
    /// When the game ended, in the log's time, and whose clock ran then.
    ended: Option<(u64, Option<Side>)>,
    done: HashMap<String, u64>,
}

/// What one entry changed.
pub struct Change {
    /// Of the board.
    pub patch: Patch,
    /// Set when the entry ended the game.
    pub end: Option<Outcome>,
}

impl State {
    /// A table at which nothing has happened yet.
    ///
    /// # Errors
    /// What is wrong with game, options or start position.
    pub fn new(id: String, setup: Setup, map: Option<Arc<Loaded>>) -> Result<State, Problem> {
        let rules = map.as_ref().map(|map| &map.rules);
        let game = catalog::find(&setup.game)?.open(rules, &setup.options, setup.fen.as_deref())?;
        let view = View::from(game.view());
        let end = view.outcome.clone();
        Ok(State {
            id,
            clock: Clock::new(setup.clock),
            setup,
            map,
            game,
            view,
            record: Vec::new(),
            seats: [None, None],
            offers: Vec::new(),
            end,
            next: None,
            log: Vec::new(),
            settled: 0,
            ended: None,
            done: HashMap::new(),
        })
    }

    /// The table that this log adds up to.
    ///
    /// # Errors
    /// When the log does not fit the rules, as after a change of the rules; names the version.
    pub fn replayed(
        id: String,
        setup: Setup,
        map: Option<Arc<Loaded>>,
        log: Vec<Entry>,
    ) -> Result<State, Problem> {
        let mut state = State::new(id, setup, map)?;
        for entry in log {
            state.apply(entry)?;
        }
        Ok(state)
    }

    /// The number of events so far.
    #[must_use]
    pub fn ver(&self) -> u64 {
        self.log.len() as u64
    }

    /// The version at which a wish was fulfilled.
    #[must_use]
    pub fn done(&self, cmd: &str) -> Option<u64> {
        self.done.get(cmd).copied()
    }

    /// Both seats are taken.
    #[must_use]
    pub fn started(&self) -> bool {
        self.seats.iter().all(Option::is_some)
    }

    /// Both seats are taken and the game has not ended.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.started() && self.end.is_none()
    }

    /// The seats that person holds.
    #[must_use]
    pub fn seats_of(&self, who: &str) -> Vec<Side> {
        let holds = |side: &Side| self.seats[side.index()].as_ref().is_some_and(|p| p.id == who);
        Side::BOTH.into_iter().filter(holds).collect()
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.view.turn.into()
    }

    /// Who made the last ply.
    #[must_use]
    pub fn last_mover(&self) -> Option<Side> {
        self.record.last().map(|ply| ply.1.into())
    }

    /// Whether both sides have finished a turn; from then on clocks run and the game counts.
    #[must_use]
    pub fn in_earnest(&self) -> bool {
        let next = |i: usize| self.record.get(i).map_or(self.view.turn, |ply| ply.1);
        (0..self.record.len()).filter(|&i| self.record[i].1 != next(i + 1)).nth(1).is_some()
    }

    /// How many turns both sides have finished.
    #[must_use]
    pub fn turns(&self) -> usize {
        let next = |i: usize| self.record.get(i).map_or(self.view.turn, |ply| ply.1);
        (0..self.record.len()).filter(|&i| self.record[i].1 != next(i + 1)).count()
    }

    /// How many plies a takeback goes back that `side` asks for: to before the last turn in which it moved.
    #[must_use]
    pub fn takeback_plies(&self, side: Side) -> u32 {
        let other = |ply: &&PlyInfo| ply.1 != side.into();
        let theirs = self.record.iter().rev().take_while(other).count();
        let own = self.record.iter().rev().skip(theirs).take_while(|ply| !other(ply)).count();
        if own == 0 { 0 } else { u32::try_from(theirs + own).unwrap_or(u32::MAX) }
    }

    /// Whether moves may be taken back at all: the author of a map may forbid it.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        self.map.as_ref().is_none_or(|map| map.rules.takes_back())
    }

    /// Whether that legal move would end the game by the rules.
    pub fn would_end(&mut self, text: &str) -> bool {
        let played = self.game.play(text).is_ok();
        let ends = played && self.game.outcome().is_some();
        if played {
            self.game.undo();
        }
        ends
    }

    /// What a withdrawal or move at `now` costs; after the end too, when the last ply may be withdrawn.
    #[must_use]
    pub fn cost(&self, now_ms: u64, rtt_ms: u64) -> u64 {
        match self.ended {
            Some((at, Some(_))) => now_ms.saturating_sub(at),
            _ => self.clock.cost(now_ms, rtt_ms),
        }
    }

    /// Whether a withdrawal of that cost comes too late; after the end, on the clock that ran then.
    #[must_use]
    pub fn would_be_too_late(&self, cost_ms: u64) -> bool {
        let mut clock = self.clock.clone();
        if let Some((at, Some(side))) = self.ended {
            clock.run(side, at);
        }
        clock.too_late(cost_ms)
    }

    /// Where the table stands, for the store.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let stage = match (self.end.is_some(), self.started()) {
            (true, _) => Stage::Over,
            (false, true) => Stage::Playing,
            (false, false) => Stage::Waiting,
        };
        Standing { stage, seats: self.seats.clone().map(|seat| seat.map(|p| p.id)) }
    }

    /// Adds one entry.
    ///
    /// # Errors
    /// When the entry does not fit the table: a log from other rules. The table is then of no more use.
    pub fn apply(&mut self, entry: Entry) -> Result<Change, Problem> {
        let was_over = self.end.is_some();
        let before = self.take_effect(&entry)?;
        let patch = before.map(|before| Patch::between(&before, &self.view)).unwrap_or_default();
        if self.end.is_some() && !was_over {
            self.ended = Some((entry.at_ms, self.clock.running()));
            self.clock.stop();
            self.offers.clear();
        }
        if let Some(cmd) = &entry.cmd {
            self.done.insert(cmd.clone(), entry.ver);
        }
        if changes_board_or_seats(&entry.event) {
            self.settled = entry.ver;
        }
        self.log.push(entry);
        let end = if was_over { None } else { self.end.clone() };
        Ok(Change { patch, end })
    }

    /// Returns the view before, when the board changed.
    fn take_effect(&mut self, entry: &Entry) -> Result<Option<View>, Problem> {
        let at = entry.at_ms;
        let agreed = |winner: Option<Side>, reason: &'static str| {
            Some(Outcome { winner: winner.map(wire::Side::from), reason: reason.into(), void: false })
        };
        match &entry.event {
            Event::Sit { side, who } => self.seats[kernel::Side::from(*side).index()] = Some(who.clone()),
            Event::Leave { side } => {
                self.seats[Side::from(*side).index()] = None;
                // Nobody is left to wait for an opponent: the table is given up, and its room's name free again.
                if self.seats.iter().all(Option::is_none) {
                    self.end = given_up();
                }
            }
            Event::Move { by, text } => return self.moved((*by).into(), text, entry).map(Some),
            Event::Withdraw { by } => {
                if let Some((ended_at, Some(side))) = self.ended {
                    self.clock.run(side, ended_at);
                }
                self.clock.charge(entry.spent_ms.unwrap_or(0), at);
                return Ok(Some(self.go_back(1, Some((*by).into()), at)));
            }
            Event::Takeback { plies, .. } => return Ok(Some(self.go_back(*plies, None, at))),
            Event::Offer { by, what } => self.offers.push(((*by).into(), *what)),
            Event::Decline { what, .. } => self.offers.retain(|(_, offered)| offered != what),
            Event::Draw => self.end = agreed(None, "draw-agreed"),
            Event::Swap => {
                self.seats.swap(0, 1);
                self.offers.clear();
            }
            Event::Resign { by } => self.end = agreed(Some(Side::from(*by).other()), "resign"),
            Event::Flag { by } => {
                self.clock.run_out((*by).into());
                self.end = agreed(Some(Side::from(*by).other()), "flag");
            }
            Event::Abort { .. } => self.end = given_up(),
            Event::Forfeit { by, reason } => {
                let winner = Some(wire::Side::from(Side::from(*by).other()));
                self.end = Some(Outcome { winner, reason: reason.clone().into(), void: false });
            }
            Event::Rematch { table } => {
                self.next = Some(table.clone());
                self.offers.clear();
            }
            Event::Pause => {
                self.clock.charge(entry.spent_ms.unwrap_or(0), at);
                self.clock.forgive(at);
            }
        }
        Ok(None)
    }

    fn moved(&mut self, by: Side, text: &str, entry: &Entry) -> Result<View, Problem> {
        self.game.play(text).map_err(kernel::PlayError::problem)?;
        self.clock.charge(entry.spent_ms.unwrap_or(0), entry.at_ms);
        self.record.push(PlyInfo(text.to_owned(), by.into(), entry.spent_ms, self.game.last_names()));
        let before = self.look();
        if self.turn() != by && self.clock.running() == Some(by) {
            self.clock.settle(by, true);
        }
        self.offers.retain(|&(side, what)| what == Offer::Draw && side == by);
        self.end = self.view.outcome.clone();
        self.run_clock(entry.at_ms);
        Ok(before)
    }

    /// Takes plies back. `stays`: the side whose turn goes on, so that its clock is not settled.
    fn go_back(&mut self, plies: u32, stays: Option<Side>, at_ms: u64) -> View {
        for _ in 0..plies {
            self.game.undo();
            self.record.pop();
        }
        let before = self.look();
        if stays != Some(self.turn()) {
            self.clock.settle(self.turn().other(), false);
            self.clock.settle(self.turn(), false);
        }
        self.end = self.view.outcome.clone();
        self.ended = None;
        self.offers.clear();
        self.run_clock(at_ms);
        before
    }

    /// The clock of the side to move runs, once the game is in earnest.
    fn run_clock(&mut self, at_ms: u64) {
        if self.in_earnest() { self.clock.run(self.turn(), at_ms) } else { self.clock.stop() }
    }

    /// Looks at the board anew; returns the view before.
    fn look(&mut self) -> View {
        std::mem::replace(&mut self.view, View::from(self.game.view()))
    }

    /// Who and what, for clients.
    #[must_use]
    pub fn info(&self) -> TableInfo {
        TableInfo {
            id: self.id.clone(),
            game: self.setup.game.clone(),
            options: self.setup.options.clone(),
            map: self.setup.map.clone(),
            no_takebacks: !self.takes_back(),
            fen: self.setup.fen.clone(),
            how: self.setup.how,
            room: self.setup.room.clone(),
            clock: self.setup.clock,
            board: self.game.board().into(),
            notations: self.game.notations().iter().map(|&n| n.to_owned()).collect(),
            seats: self.seats.clone(),
            started: self.started(),
            created_ms: self.setup.created_ms,
            next: self.next.clone(),
        }
    }

    /// Everything, as `you` see it.
    #[must_use]
    pub fn full(&self, you: &str, here: [bool; 2], watchers: u32, now_ms: u64) -> ServerMessage {
        ServerMessage::Full {
            v: self.ver(),
            table: self.info(),
            view: self.view.clone(),
            record: self.record.clone(),
            clk: self.clock.face(now_ms),
            offers: self.offers.iter().map(|&(side, what)| (side.into(), what)).collect(),
            end: self.end.clone(),
            you: self.seats_of(you).into_iter().map(wire::Side::from).collect(),
            here,
            watchers,
        }
    }

    /// The message that tells clients of the last entry.
    #[must_use]
    pub fn told(&self, change: Change) -> ServerMessage {
        let entry = self.log.last().expect("an entry was just added");
        ServerMessage::Ev {
            v: entry.ver,
            cmd: entry.cmd.clone(),
            e: entry.event.clone(),
            names: match &entry.event {
                Event::Move { .. } => self.record.last().map(|ply| ply.3.clone()).unwrap_or_default(),
                _ => Vec::new(),
            },
            p: change.patch,
            clk: self.clock.face(entry.at_ms).filter(|_| touches_clocks(&entry.event)),
            spent: entry.spent_ms.filter(|_| self.clock.is_kept()),
            end: change.end,
        }
    }

    /// The messages of all events after `since`, as they were told when they happened.
    ///
    /// # Errors
    /// As [`State::replayed`].
    pub fn retold(&self, since: u64) -> Result<Vec<ServerMessage>, Problem> {
        let mut past = State::new(self.id.clone(), self.setup.clone(), self.map.clone())?;
        let mut told = Vec::new();
        for entry in &self.log {
            let change = past.apply(entry.clone())?;
            if entry.ver > since {
                told.push(past.told(change));
            }
        }
        Ok(told)
    }
}

/// The end of a game that counts for nobody.
fn given_up() -> Option<Outcome> {
    Some(Outcome { winner: None, reason: "abort".into(), void: true })
}

/// Whether a wish that rests on the time before this event may have meant another board.
fn changes_board_or_seats(event: &Event) -> bool {
    use Event::{Leave, Move, Sit, Swap, Takeback, Withdraw};
    matches!(event, Sit { .. } | Leave { .. } | Move { .. } | Withdraw { .. } | Takeback { .. } | Swap)
}

fn touches_clocks(event: &Event) -> bool {
    !matches!(event, Event::Offer { .. } | Event::Decline { .. } | Event::Rematch { .. } | Event::Sit { .. })
}
