//! The state of a table, and the effect of an event on it. All changes are made in [`State::apply`]; a state is the
//! result of its log.

use std::hash::{DefaultHasher, Hash, Hasher};

use kernel::{AnyGame, Problem, Side};
use wire::{EventKind, Happened, Offer, Outcome, Patch, Player, PlyInfo, ServerMessage, TableInfo, View};

use crate::clock::Clock;
use crate::ended::Ended;
use crate::entry::{Command, Entry, Event, Secret, Setup, Stage, Standing};
use crate::first::{FirstTurn, first_move_ms};
use crate::offers::OfferHistory;

/// An offer that waits for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offered {
    /// The side that offers.
    pub by: Side,
    /// The kind of offer.
    pub what: Offer,
    /// The version of the event that offered it.
    pub ver: u64,
}

/// The state of a table.
pub struct State {
    /// The id of the table, which is the last part of its link.
    pub id: String,
    /// The agreed settings of the game.
    pub setup: Setup,
    /// True if moves may be taken back at all: the author of a map may forbid it.
    pub takes_back: bool,
    /// The game in its current position, with its history.
    pub game: Box<dyn AnyGame>,
    /// The view that clients draw now.
    pub view: View,
    /// The plies so far: moves, movers, times, names.
    pub record: Vec<PlyInfo>,
    /// The time that each side has left.
    pub clock: Clock,
    /// The first turn that is under way, where it has a time limit.
    pub first: Option<FirstTurn>,
    /// The moment since which each player has not been at the table, as far as the caller has said.
    pub gone_ms: [Option<u64>; 2],
    /// The time of the last change of the turn, in Unix milliseconds.
    pub(crate) turned_ms: u64,
    /// The players of the first and the second side.
    pub seats: [Option<Player>; 2],
    /// The offers that are open.
    pub offers: Vec<Offered>,
    /// Earlier offers of each side.
    pub(crate) asked: [OfferHistory; 2],
    /// The outcome of the game; `None` while it goes on.
    pub end: Option<Outcome>,
    /// The secret from which chance is decided; it is not shown before the end.
    pub(crate) secret: Option<Secret>,
    /// The number of draws so far, those of plies that were taken back among them.
    pub(crate) drawn: u32,
    /// The plies of the record that drew something, by their number from 0, each with the number of its draw.
    pub draws: Vec<(u32, u32)>,
    /// The opening that was drawn for this game, in the words of its federation; set by the code that opens the
    /// table.
    pub opening: Option<String>,
    /// The table where the rematch is played.
    pub next: Option<String>,
    /// The number of events so far.
    pub ver: u64,
    /// The version of the last event that changed board or seats: a wish that rests on an older one is stale.
    pub settled: u64,
    /// The moment of the last event, in Unix milliseconds.
    pub at_ms: u64,
    /// The moment at which both seats were first taken, in Unix milliseconds.
    pub(crate) begun_ms: Option<u64>,
    /// The moment of the end, and the side whose clock ran then: its last ply may be withdrawn.
    ended: Option<(u64, Option<Side>)>,
    /// A hash of the command that each event fulfilled, or 0: a wish that is sent twice is done once.
    done: Vec<u64>,
}

/// The effect of an entry on a table.
pub struct Applied {
    /// The entry as it is to be stored: a move is named by its machine text.
    pub entry: Entry,
    /// The values that clients have to set. [`State::told`] adds the clocks when it is told.
    pub change: Happened,
    /// The stage and the seats, when they changed.
    pub standing: Option<Standing>,
    /// The game, when this entry has ended it.
    pub ended: Option<Box<Ended>>,
}

impl State {
    /// Builds a table without events. `game` is at its start and follows from `setup`.
    #[must_use]
    pub fn new(id: String, setup: Setup, takes_back: bool, game: Box<dyn AnyGame>) -> State {
        let view = game.players_view();
        let end = view.outcome.clone();
        State {
            id,
            clock: Clock::new(setup.clock),
            at_ms: setup.created_ms,
            setup,
            takes_back,
            game,
            view,
            record: Vec::new(),
            first: None,
            gone_ms: [None; 2],
            turned_ms: 0,
            seats: [None, None],
            offers: Vec::new(),
            asked: [OfferHistory::default(); 2],
            end,
            secret: None,
            drawn: 0,
            draws: Vec::new(),
            opening: None,
            next: None,
            ver: 0,
            settled: 0,
            begun_ms: None,
            ended: None,
            done: Vec::new(),
        }
    }

    /// Applies the entries of a log, in order.
    ///
    /// # Errors
    /// Fails when the log does not fit the rules, as after a change of the rules. The table is then of no more use.
    pub fn replay(mut self, log: Vec<Entry>) -> Result<State, Problem> {
        for entry in log {
            let ver = entry.ver;
            self.apply(entry).map_err(|why| why.with("version", ver))?;
        }
        // Many tables are read and then hardly go on: no room is kept for what may come. A copy is as small as it can be.
        self.game.compact();
        self.game = self.game.boxed_clone();
        self.record.shrink_to_fit();
        self.done.shrink_to_fit();
        Ok(self)
    }

    /// Returns the version at which a command was fulfilled.
    #[must_use]
    pub fn done(&self, cmd: &Command) -> Option<u64> {
        // Once, commands were written down without their person.
        let (own, nobodys) = (hash_of(&cmd.person, &cmd.id), hash_of("", &cmd.id));
        let is_it = |done: &u64| *done == own || *done == nobodys;
        // Almost every command is new: all are compared without a branch before one is looked for.
        if !self.done.iter().fold(false, |found, done| found | is_it(done)) {
            return None;
        }
        let at = self.done.iter().rposition(is_it)?;
        Some(at as u64 + 1)
    }

    /// Returns true if both seats are taken.
    #[must_use]
    pub fn started(&self) -> bool {
        self.seats.iter().all(Option::is_some)
    }

    /// Returns true if both seats are taken and the game has not ended.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.started() && self.end.is_none()
    }

    /// The seats that person holds.
    #[must_use]
    pub fn seats_of(&self, person: &str) -> Vec<Side> {
        let holds = |side: &Side| self.seats[side.index()].as_ref().is_some_and(|p| p.id == person);
        Side::BOTH.into_iter().filter(holds).collect()
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.view.turn
    }

    /// The side that made the last ply.
    #[must_use]
    pub fn last_mover(&self) -> Option<Side> {
        self.record.last().map(|ply| ply.1)
    }

    /// Returns true if both sides have finished a turn; from then on clocks run and the game counts.
    #[must_use]
    pub fn in_earnest(&self) -> bool {
        self.finished_turns().nth(1).is_some()
    }

    /// Returns the number of turns that both sides together have finished.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.finished_turns().count()
    }

    fn finished_turns(&self) -> impl Iterator<Item = usize> {
        let next = |i: usize| self.record.get(i).map_or(self.view.turn, |ply| ply.1);
        (0..self.record.len()).filter(move |&i| self.record[i].1 != next(i + 1))
    }

    /// Returns the number of plies that a takeback of `side` takes back: to before the last turn in which it moved.
    #[must_use]
    pub fn takeback_plies(&self, side: Side) -> u32 {
        let other = |ply: &&PlyInfo| ply.1 != side;
        let theirs = self.record.iter().rev().take_while(other).count();
        let own = self.record.iter().rev().skip(theirs).take_while(|ply| !other(ply)).count();
        if own == 0 { 0 } else { u32::try_from(theirs + own).unwrap_or(u32::MAX) }
    }

    /// The side that offers `what`.
    #[must_use]
    pub fn offered(&self, what: Offer) -> Option<Side> {
        self.standing_offer(what).map(|offered| offered.by)
    }

    /// The offer of that kind; there is at most one.
    #[must_use]
    pub fn standing_offer(&self, what: Offer) -> Option<&Offered> {
        self.offers.iter().find(|offered| offered.what == what)
    }

    /// True for the first and the second player where they refuse all offers but for a rematch.
    #[must_use]
    pub fn no_offers(&self) -> [bool; 2] {
        self.asked.map(|asked| asked.is_closed)
    }

    /// Drops the offers for which `falls` is true; `declines`: they count as declined by the other side.
    fn drop_offers(&mut self, declines: bool, falls: impl Fn(&Offered) -> bool) {
        for offered in self.offers.extract_if(.., |offered| falls(offered)) {
            if declines {
                self.asked[offered.by.index()].declined(offered.what);
            }
        }
    }

    /// Returns the time that a move or a withdrawal costs that arrives at `arrived_ms`; after the end, too, when the
    /// last ply may be withdrawn.
    #[must_use]
    pub fn cost(&self, arrived_ms: u64, lag_ms: u64) -> u64 {
        match self.ended {
            Some((at, Some(_))) => arrived_ms.saturating_sub(at),
            _ => self.clock.cost(arrived_ms, lag_ms),
        }
    }

    /// Returns true if a withdrawal of that cost comes too late; after the end, on the clock that ran then.
    #[must_use]
    pub fn would_be_too_late(&self, cost_ms: u64) -> bool {
        let mut clock = self.clock.clone();
        if let Some((_, Some(side))) = self.ended {
            clock.run(side);
        }
        clock.too_late(cost_ms)
    }

    /// Returns the moment at which the game ended, in Unix milliseconds; `None` where it began with its end, too.
    #[must_use]
    pub(crate) fn ended_ms(&self) -> Option<u64> {
        self.ended.map(|(at_ms, _)| at_ms)
    }

    /// Returns the stage and the seats of the table, for the store.
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing { stage: self.stage(), seats: self.seats.clone().map(|seat| seat.map(|p| p.id)) }
    }

    /// Returns the stage of the game.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match (self.end.is_some(), self.started()) {
            (true, _) => Stage::Over,
            (false, true) => Stage::Playing,
            (false, false) => Stage::Waiting,
        }
    }

    /// Applies one entry: makes all changes of an event to a table.
    ///
    /// # Errors
    /// Fails when the move is not legal. The table is as it was.
    pub fn apply(&mut self, mut entry: Entry) -> Result<Applied, Problem> {
        let before = Before::of(self, &entry.event);
        let at = entry.at_ms;
        let mut change = Happened {
            v: entry.ver,
            cmd: None,
            k: kind(&entry.event),
            by: None,
            what: None,
            cut: None,
            ply: None,
            p: Patch::default(),
            clk: None,
            seats: None,
            started: false,
            offers: None,
            no_offers: None,
            end: None,
            chance: None,
            next: None,
            first_ms: None,
        };
        let mut looked_before = None;
        let turn = self.turn();
        match &mut entry.event {
            Event::Sit { side, who, secret } => {
                if let Some(secret) = *secret {
                    looked_before = self.begin_by(secret)?;
                }
                self.seats[side.index()] = Some(who.clone());
                if self.started() {
                    self.begun_ms.get_or_insert(at);
                    if self.is_slow() && self.end.is_none() {
                        self.run_clock();
                    }
                }
                change.by = Some(*side);
            }
            Event::Leave { side } => {
                self.seats[side.index()] = None;
                self.asked[side.index()] = OfferHistory::default();
                change.by = Some(*side);
                // No player is left to wait for an opponent: the table is given up, and its room's name is
                // free again.
                if self.seats.iter().all(Option::is_none) {
                    self.end = given_up();
                }
            }
            Event::Move { by, text, .. } => {
                let draws = self.game.chosen(text).is_some();
                self.game.play(text).map_err(kernel::PlayError::problem)?;
                if draws {
                    self.draws.push((self.record.len() as u32, self.drawn));
                    self.drawn += 1;
                }
                if let Some(exact) = self.game.last_move() {
                    *text = exact;
                }
                self.game.compact();
                let names = self.game.last_names().into_iter().map(Into::into).collect();
                let ply = PlyInfo(text.as_str().into(), *by, entry.spent_ms, names);
                self.record.push(ply.clone());
                change.ply = Some(ply);
                looked_before = Some(self.look());
                self.clock.charge(entry.spent_ms.unwrap_or(0), at);
                if self.turn() != *by && self.clock.running() == Some(*by) {
                    self.clock.settle(*by, true);
                }
                // A move declines what the other side offered and takes back one's own offers, but for a draw.
                self.asked[by.index()].moved();
                self.drop_offers(true, |offered| offered.by != *by);
                self.drop_offers(false, |offered| offered.what != Offer::Draw);
                self.end = self.view.outcome.clone();
                self.run_clock();
            }
            Event::Withdraw { by } => {
                change.by = Some(*by);
                if let Some((_, Some(side))) = self.ended {
                    self.clock.run(side);
                }
                self.clock.charge(entry.spent_ms.unwrap_or(0), at);
                looked_before = Some(self.go_back(1, Some(*by)));
            }
            Event::Takeback { by, plies } => {
                change.by = Some(*by);
                self.asked[by.index()].agreed(Offer::Takeback);
                looked_before = Some(self.go_back(*plies, None));
            }
            Event::Offer { by, what } => {
                (change.by, change.what) = (Some(*by), Some(*what));
                self.offers.push(Offered { by: *by, what: *what, ver: entry.ver });
                self.asked[by.index()].offered(*what);
            }
            Event::Decline { by, what } => {
                (change.by, change.what) = (Some(*by), Some(*what));
                let declines = self.offered(*what) != Some(*by);
                self.drop_offers(declines, |offered| offered.what == *what);
            }
            Event::Offers { by, taken } => {
                change.by = Some(*by);
                self.asked[by.index()].changed(*taken);
                if !*taken {
                    self.drop_offers(true, |offered| offered.by != *by && offered.what != Offer::Rematch);
                }
            }
            Event::Draw => self.end = agreed(None, "draw-agreed"),
            Event::Swap => {
                if let Some(by) = self.offered(Offer::Swap) {
                    self.asked[by.index()].agreed(Offer::Swap);
                }
                self.seats.swap(0, 1);
                self.asked.swap(0, 1);
                self.gone_ms.swap(0, 1);
                self.offers.clear();
            }
            Event::Resign { by } => {
                change.by = Some(*by);
                self.end = agreed(Some(by.other()), "resign");
            }
            Event::Flag { by } => {
                change.by = Some(*by);
                self.clock.run_out(*by);
                self.end = agreed(Some(by.other()), "flag");
            }
            Event::Abort { by } => {
                change.by = Some(*by);
                self.end = given_up();
            }
            Event::NotBegun { by } => {
                change.by = Some(*by);
                self.end = Some(Outcome { winner: None, reason: "not-begun".into(), void: true });
            }
            Event::Forfeit { by, reason } => {
                change.by = Some(*by);
                self.end = agreed(Some(by.other()), reason.clone());
            }
            Event::Rematch { table } => {
                self.next = Some(table.clone());
                self.offers.clear();
            }
            Event::Pause => {
                self.clock.charge(entry.spent_ms.unwrap_or(0), at);
                if let Some(side) = self.clock.running() {
                    self.clock.run(side);
                }
            }
        }
        if self.end.is_some() && before.stage != Stage::Over {
            self.ended = Some((at, self.clock.running()));
            self.clock.stop();
            self.offers.clear();
        }
        self.run_first_turn();
        if self.turn() != turn {
            self.turned_ms = at;
        }
        (self.ver, self.at_ms) = (entry.ver, at);
        if changes_board_or_seats(&entry.event) {
            self.settled = entry.ver;
        }
        self.remember(&entry);
        if let Some(view) = looked_before {
            change.p = Patch::between(&view, &self.view);
        }
        before.tell(self, &mut change);
        let standing = before.standing(self);
        let has_ended = before.stage != Stage::Over && self.stage() == Stage::Over;
        let ended = if has_ended { self.ended().map(Box::new) } else { None };
        Ok(Applied { entry, change, standing, ended })
    }

    /// Builds the message that tells clients of a change at `now_ms`: from now on the side to move is charged.
    pub fn told(&mut self, mut change: Happened, now_ms: u64) -> ServerMessage {
        self.clock.start(now_ms);
        self.start_first_turn(now_ms);
        if let Some(left_ms) = self.first_left_ms(now_ms) {
            change.first_ms = Some(Some(left_ms));
        }
        if touches_clocks(change.k) || self.is_slow() {
            change.clk = self.clock.face(now_ms);
        }
        ServerMessage::Ev(change)
    }

    /// Takes plies back. `stays`: the side whose turn goes on, so that its clock is not settled. Returns the previous
    /// view.
    fn go_back(&mut self, plies: u32, stays: Option<Side>) -> View {
        for _ in 0..plies {
            self.game.undo();
            self.record.pop();
        }
        self.draws.retain(|&(ply, _)| (ply as usize) < self.record.len());
        let before = self.look();
        if stays != Some(self.turn()) {
            self.clock.settle(self.turn().other(), false);
            self.clock.settle(self.turn(), false);
        }
        self.end = self.view.outcome.clone();
        self.ended = None;
        self.offers.clear();
        self.run_clock();
        before
    }

    /// Sets the clock of the side to move to run, once the game is in earnest; in a slow game from its beginning,
    /// because otherwise a player who never moves would keep the other waiting for ever.
    fn run_clock(&mut self) {
        let runs = self.in_earnest() || self.is_slow() && self.started();
        if runs { self.clock.run(self.turn()) } else { self.clock.stop() }
    }

    /// Starts the time limit of a first move: before the game is in earnest, the side to move has one, unless a
    /// program plays.
    fn run_first_turn(&mut self) {
        let people = self.seats.iter().flatten().all(|player| player.engine.is_none());
        let runs = self.is_on() && people && !self.in_earnest() && first_move_ms(&self.setup).is_some();
        self.first = runs.then(|| FirstTurn::goes_on(self.first, self.turn(), self.record.len()));
    }

    /// Starts the first turn of the side to move, which has just been told, if it has not been before.
    pub fn start_first_turn(&mut self, now_ms: u64) {
        if let Some(first) = &mut self.first {
            first.since_ms.get_or_insert(now_ms);
        }
    }

    /// The end of the time for the first move; `None` where none runs.
    #[must_use]
    pub fn first_deadline_ms(&self) -> Option<u64> {
        Some(self.first?.since_ms? + first_move_ms(&self.setup)?)
    }

    /// Returns the time left for the first move of the side to move; all of it where it has not been told yet.
    #[must_use]
    pub fn first_left_ms(&self, now_ms: u64) -> Option<u64> {
        let waited_ms = now_ms.saturating_sub(self.first?.since_ms.unwrap_or(now_ms));
        Some(first_move_ms(&self.setup)?.saturating_sub(waited_ms))
    }

    /// Returns true if the game is slow, with days for each turn.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        self.setup.clock.days_a_move().is_some()
    }

    /// Returns the event when the time of `by` is up: it loses, or the game is void where it had hardly begun.
    #[must_use]
    pub fn time_is_up(&self, by: Side) -> Event {
        if self.in_earnest() { Event::Flag { by } } else { Event::NotBegun { by } }
    }

    /// Recomputes the view of the board; returns the previous one.
    pub(crate) fn look(&mut self) -> View {
        std::mem::replace(&mut self.view, self.game.players_view())
    }

    fn remember(&mut self, entry: &Entry) {
        self.done.push(entry.cmd.as_ref().map_or(0, |cmd| hash_of(&cmd.person, &cmd.id)));
    }

    /// Returns the settings and the players of the table, for clients.
    #[must_use]
    pub fn info(&self) -> TableInfo {
        TableInfo {
            id: self.id.clone(),
            game: self.setup.game.clone(),
            options: self.setup.options.clone(),
            chance: self.chance(),
            map: self.setup.map.clone(),
            no_takebacks: !self.takes_back,
            no_offers: self.no_offers(),
            fen: self.setup.fen.clone(),
            how: self.setup.how,
            room: self.setup.room.clone(),
            clock: self.setup.clock,
            rated: self.setup.rated,
            board: self.game.board(),
            notations: self.game.notations().iter().map(|&n| n.to_owned()).collect(),
            seats: self.seats.clone(),
            started: self.started(),
            created_ms: self.setup.created_ms,
            next: self.next.clone(),
            heading: self.setup.heading.clone(),
            opening: self.opening.clone(),
        }
    }

    /// Builds the message with the full state of the table, as the person `you` sees it.
    #[must_use]
    pub fn full(&self, you: &str, here: [bool; 2], watchers: u32, now_ms: u64) -> ServerMessage {
        ServerMessage::Full {
            v: self.ver,
            table: self.info(),
            view: self.view.clone(),
            record: self.record.clone(),
            clk: self.clock.face(now_ms),
            offers: self.told_offers(),
            end: self.end.clone(),
            you: self.seats_of(you),
            here,
            watchers,
            first_ms: self.first_left_ms(now_ms),
        }
    }

    fn told_offers(&self) -> Vec<(wire::Side, Offer)> {
        self.offers.iter().map(|offered| (offered.by, offered.what)).collect()
    }
}

/// Hashes a command; never 0. When two commands of a table have the same hash, the second is taken for done.
fn hash_of(person: &str, id: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    (person, id).hash(&mut hash);
    hash.finish().max(1)
}

/// The values that are compared to tell what changed.
struct Before {
    stage: Stage,
    started: bool,
    end: Option<Outcome>,
    secret: Option<Secret>,
    plies: usize,
    offers: usize,
    last_offer: Option<Offered>,
    no_offers: [bool; 2],
    next: bool,
    first: bool,
    /// The seats before the event, if the event is about seats.
    seats: Option<[Option<Player>; 2]>,
}

impl Before {
    fn of(state: &State, event: &Event) -> Before {
        let about_seats = matches!(event, Event::Sit { .. } | Event::Leave { .. } | Event::Swap);
        Before {
            stage: state.stage(),
            started: state.started(),
            end: state.end.clone(),
            secret: state.secret,
            plies: state.record.len(),
            offers: state.offers.len(),
            last_offer: state.offers.last().copied(),
            no_offers: state.no_offers(),
            next: state.next.is_some(),
            first: state.first.is_some(),
            seats: about_seats.then(|| state.seats.clone()),
        }
    }

    /// Writes the differences to the current state into `change`.
    fn tell(&self, state: &State, change: &mut Happened) {
        if state.record.len() < self.plies {
            change.cut = Some(u32::try_from(state.record.len()).unwrap_or(u32::MAX));
        }
        if self.others_sit(state) {
            change.seats = Some(state.seats.clone());
            change.started = state.started() && !self.started;
        }
        // Offers are only added at the end, or taken away.
        if state.offers.len() != self.offers || state.offers.last().copied() != self.last_offer {
            change.offers = Some(state.told_offers());
        }
        if state.no_offers() != self.no_offers {
            change.no_offers = Some(state.no_offers());
        }
        if state.end != self.end {
            change.end = Some(state.end.clone());
        }
        if state.secret.is_some() && (state.end != self.end || state.secret != self.secret) {
            change.chance = state.chance();
        }
        if state.next.is_some() && !self.next {
            change.next.clone_from(&state.next);
        }
        if self.first && state.first.is_none() {
            change.first_ms = Some(None);
        }
    }

    fn others_sit(&self, state: &State) -> bool {
        self.seats.as_ref().is_some_and(|seats| *seats != state.seats)
    }

    /// Returns the standing for the store, if it changed.
    fn standing(&self, state: &State) -> Option<Standing> {
        let changed = state.stage() != self.stage || self.others_sit(state);
        changed.then(|| state.standing())
    }
}

/// Builds the outcome of a game that counts for neither player.
fn given_up() -> Option<Outcome> {
    Some(Outcome { winner: None, reason: "abort".into(), void: true })
}

/// Builds an outcome that does not follow from the rules of the game.
fn agreed(winner: Option<Side>, reason: impl Into<std::borrow::Cow<'static, str>>) -> Option<Outcome> {
    Some(Outcome { winner, reason: reason.into(), void: false })
}

/// Returns true if a wish that rests on the time before this event may have meant another board.
fn changes_board_or_seats(event: &Event) -> bool {
    use Event::{Leave, Move, Sit, Swap, Takeback, Withdraw};
    matches!(event, Sit { .. } | Leave { .. } | Move { .. } | Withdraw { .. } | Takeback { .. } | Swap)
}

fn touches_clocks(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Offer | EventKind::Decline | EventKind::Offers | EventKind::Rematch | EventKind::Sit
    )
}

/// Returns the kind of an event in messages to clients.
fn kind(event: &Event) -> EventKind {
    match event {
        Event::Sit { .. } => EventKind::Sit,
        Event::Leave { .. } => EventKind::Leave,
        Event::Move { .. } => EventKind::Move,
        Event::Withdraw { .. } => EventKind::Withdraw,
        Event::Offer { .. } => EventKind::Offer,
        Event::Decline { .. } => EventKind::Decline,
        Event::Offers { .. } => EventKind::Offers,
        Event::Takeback { .. } => EventKind::Takeback,
        Event::Draw => EventKind::Draw,
        Event::Swap => EventKind::Swap,
        Event::Resign { .. } => EventKind::Resign,
        Event::Flag { .. } => EventKind::Flag,
        Event::Abort { .. } | Event::NotBegun { .. } => EventKind::Abort,
        Event::Forfeit { .. } => EventKind::Forfeit,
        Event::Rematch { .. } => EventKind::Rematch,
        Event::Pause => EventKind::Pause,
    }
}

/// The event in the log of a table as clients get it.
impl From<&Event> for wire::Event {
    fn from(event: &Event) -> wire::Event {
        match event.clone() {
            // How chance decides is told at the end, and not by the log.
            Event::Sit { side, who, secret: _ } => wire::Event::Sit { side, who },
            Event::Leave { side } => wire::Event::Leave { side },
            Event::Move { by, text, .. } => wire::Event::Move { by, text },
            Event::Withdraw { by } => wire::Event::Withdraw { by },
            Event::Offer { by, what } => wire::Event::Offer { by, what },
            Event::Decline { by, what } => wire::Event::Decline { by, what },
            Event::Offers { by, taken } => wire::Event::Offers { by, taken },
            Event::Takeback { by, plies } => wire::Event::Takeback { by, plies },
            Event::Draw => wire::Event::Draw,
            Event::Swap => wire::Event::Swap,
            Event::Resign { by } => wire::Event::Resign { by },
            Event::Flag { by } => wire::Event::Flag { by },
            Event::Abort { by } | Event::NotBegun { by } => wire::Event::Abort { by },
            Event::Forfeit { by, reason } => wire::Event::Forfeit { by, reason },
            Event::Rematch { table } => wire::Event::Rematch { table },
            Event::Pause => wire::Event::Pause,
        }
    }
}
