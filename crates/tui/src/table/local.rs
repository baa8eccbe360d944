//! A game on this terminal: both sides, or one of them against an engine.

use std::path::Path;

use catalog::maps::Loader;
use kernel::{AnyGame, Piece, Problem, Side};
use records::{Ending, Record, Tree};
use wire::{Outcome, PlyInfo, View};

use super::{Opening, Refusal, Scene, Table, UserAction};
use crate::clock::Clock;
use crate::drawn::by_lot;
use crate::files;

/// A game, the moves taken back, and the clocks.
pub(crate) struct Local {
    opening: Opening,
    game: Box<dyn AnyGame>,
    /// The machine texts of moves taken back, the next one last.
    undone: Vec<String>,
    clock: Option<Clock>,
    scene: Scene,
    /// The time at which the turn began, in milliseconds.
    since_ms: u64,
    /// The comments of the record from which this game was loaded: at the start and after each ply.
    comments: Vec<String>,
}

impl Local {
    /// Starts a new game.
    ///
    /// # Errors
    /// The errors of [`Opening::open`].
    pub fn new(opening: Opening) -> Result<Local, Problem> {
        let game = opening.open()?;
        Ok(Local::at(opening, game))
    }

    fn at(opening: Opening, game: Box<dyn AnyGame>) -> Local {
        let scene = Scene {
            game: opening.key.clone(),
            map: opening.map_name().map(str::to_owned),
            opening: catalog::draws::told(&opening.key, &opening.options).filter(|_| opening.fen.is_none()),
            sides: opening.sides.clone(),
            board: game.board(),
            view: game.players_view(),
            record: Vec::new(),
            notations: game.notations().iter().map(|&key| key.to_owned()).collect(),
            players: Default::default(),
            clock: opening.clock,
            face: None,
            end: None,
            you: Side::BOTH.to_vec(),
            offers: Vec::new(),
            away: None,
            comment: String::new(),
        };
        let clock = Clock::new(opening.clock);
        let mut local =
            Local { opening, game, undone: Vec::new(), clock, scene, since_ms: 0, comments: Vec::new() };
        local.look(0);
        local
    }

    /// Loads the game of a record and plays all its moves.
    ///
    /// # Errors
    /// Fails when the game of the record is unknown, or one of its moves is illegal.
    pub fn of_record(record: &Record, loader: Option<&dyn Loader>) -> Result<Local, Problem> {
        let opening = Opening::of_record(record, loader)?;
        let start = opening.open()?;
        let mut local = Local::at(opening, start);
        local.comments.push(record.tree[Tree::START].comment.clone());
        for id in record.tree.main_line() {
            let played = &record.tree[id];
            let done = local.play(&played.text, 0);
            done.map_err(|why| records::record::refused(&*local.game, &played.text, why.key))?;
            local.scene.record.last_mut().expect("a ply was just played").2 = played.spent_ms;
            local.comments.push(played.comment.clone());
        }
        local.scene.players = record.players.clone();
        if let (Some(ending), None) = (&record.ending, &local.scene.end) {
            local.scene.end = Some(Outcome::from(ending));
        }
        local.look(0);
        Ok(local)
    }

    /// Saves the game to a file, with the moves up to now.
    ///
    /// # Errors
    /// The errors of [`files::save`].
    pub fn save(&self, path: &Path, own: &Path) -> Result<(), Problem> {
        let (record, fen) = self.written_down();
        files::save(path, own, &record, &fen)
    }

    /// Returns the record with the moves up to now, and the FEN of the position.
    pub fn written_down(&self) -> (Record, String) {
        let date = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
        (self.record(&date), self.game.fen())
    }

    /// Returns the game as a record, with the moves up to now.
    fn record(&self, date: &str) -> Record {
        let mut record = Record::of(&self.scene.game, &*self.game);
        record.map = self.opening.told_map();
        record.options = self.opening.told_options();
        if let Some(opening) = &self.scene.opening {
            record.tag("Opening", opening);
        }
        record.players = self.scene.players.clone();
        date.clone_into(&mut record.date);
        let ids: Vec<_> = record.tree.main_line().collect();
        for (i, (id, ply)) in ids.into_iter().zip(&self.scene.record).enumerate() {
            record.tree[id].spent_ms = ply.2;
            record.tree[id].comment = self.comments.get(i + 1).cloned().unwrap_or_default();
        }
        record.tree[Tree::START].comment = self.comments.first().cloned().unwrap_or_default();
        record.ending = self.scene.end.as_ref().map(Ending::from).or(record.ending);
        record
    }

    /// Returns the same game from its start.
    ///
    /// # Errors
    /// The errors of [`Opening::open`].
    pub fn again(&self) -> Result<Local, Problem> {
        let mut again = Local::new(self.opening.clone())?;
        again.scene.you.clone_from(&self.scene.you);
        again.scene.players.clone_from(&self.scene.players);
        Ok(again)
    }

    /// Lets `side` begin, if the rules leave open who does and no move was played. Returns true if it now begins.
    pub fn begin_with(&mut self, side: Side, now_ms: u64) -> bool {
        if side == self.game.turn() || !self.may_begin_otherwise() {
            return false;
        }
        let Ok(game) = self.game.set_up(side, &self.game.view().pieces) else { return false };
        self.opening.fen = Some(game.start_fen());
        (self.game, self.undone) = (game, Vec::new());
        self.look(now_ms);
        true
    }

    /// Returns the machine text of a move of the second side, and lets that side begin, if the rules leave open who
    /// begins.
    pub fn begin_by(&mut self, text: &str, now_ms: u64) -> Option<String> {
        let other = self.game.turn().other();
        let begun =
            self.may_begin_otherwise().then(|| self.game.set_up(other, &self.game.view().pieces).ok());
        let machine = begun.flatten()?.read(text).ok()?;
        self.begin_with(other, now_ms).then_some(machine)
    }

    fn may_begin_otherwise(&self) -> bool {
        let fresh = self.scene.record.is_empty() && self.scene.end.is_none() && self.scene.you == Side::BOTH;
        fresh && catalog::find(&self.scene.game).is_ok_and(|entry| entry.either_begins)
    }

    /// Returns a game that starts with these pieces.
    ///
    /// # Errors
    /// The reason why such a position is impossible.
    pub fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Local, Problem> {
        let game = self.game.set_up(turn, pieces)?;
        let fen = game.start_fen();
        Local::new(Opening { fen: Some(fen), ..self.opening.clone() })
    }

    /// Returns a game that starts from that FEN.
    ///
    /// # Errors
    /// The problem of the FEN.
    pub fn at_fen(&self, fen: &str) -> Result<Local, Problem> {
        Local::new(Opening { fen: Some(fen.to_owned()), ..self.opening.clone() })
    }

    /// Sets the sides that are played from here, and the names of the players.
    pub fn seat(&mut self, you: &[Side], players: [String; 2]) {
        self.scene.you = you.to_vec();
        self.scene.players = players;
    }

    /// Plays a move, records its name and time, and starts the clock of the next side.
    fn play(&mut self, text: &str, now_ms: u64) -> Result<(), Problem> {
        if let Some(end) = &self.scene.end {
            return Err(Problem::new("game-over").with("reason", &end.reason));
        }
        let before = self.game.turn();
        self.game.play(text).map_err(kernel::PlayError::problem)?;
        let text = self.game.last_move().expect("a move was just played");
        let spent = self.clock.is_some().then(|| now_ms.saturating_sub(self.since_ms));
        self.since_ms = now_ms;
        let names = self.game.last_names().into_iter().map(Into::into).collect();
        self.scene.record.push(PlyInfo(text.into(), before, spent, names));
        if self.game.turn() != before {
            self.pass_clock(now_ms);
        }
        self.look(now_ms);
        Ok(())
    }

    fn pass_clock(&mut self, now_ms: u64) {
        let to = self.game.outcome().is_none().then(|| self.game.turn());
        if let Some(clock) = &mut self.clock {
            clock.pass_to(to, now_ms);
        }
    }

    /// Takes back the last turn, or only a choice that may be withdrawn.
    fn undo(&mut self, now_ms: u64) -> Result<(), Problem> {
        if self.game.plies() == 0 {
            return Err(Problem::new("nothing-to-undo"));
        }
        self.scene.end = None;
        // Against an engine, take back to one's own turn.
        loop {
            let text = self.game.last_move().expect("a ply is there");
            self.game.undo();
            self.scene.record.pop();
            self.undone.push(text);
            if self.game.plies() == 0 || self.scene.you.contains(&self.game.turn()) {
                break;
            }
        }
        self.pass_clock(now_ms);
        self.since_ms = now_ms;
        self.look(now_ms);
        Ok(())
    }

    fn redo(&mut self, now_ms: u64) -> Result<(), Problem> {
        let text = self.undone.pop().ok_or_else(|| Problem::new("nothing-to-redo"))?;
        let rest = std::mem::take(&mut self.undone);
        let done = self.play(&text, now_ms);
        self.undone = rest;
        done
    }

    fn end(&mut self, winner: Option<Side>, reason: &'static str, now_ms: u64) -> Result<(), Problem> {
        if let Some(end) = &self.scene.end {
            return Err(Problem::new("game-over").with("reason", &end.reason));
        }
        if let Some(clock) = &mut self.clock {
            clock.pass_to(None, now_ms);
        }
        self.scene.end = Some(Outcome { winner, reason: reason.into(), void: false });
        self.look(now_ms);
        Ok(())
    }

    fn fulfil(&mut self, wish: UserAction, now_ms: u64) -> Result<(), Problem> {
        let turn = self.game.turn();
        match wish {
            UserAction::Play(text) => {
                let text = by_lot(&*self.game, &text);
                self.play(&text, now_ms)?;
                self.undone.clear();
                self.comments.truncate(self.game.plies());
                Ok(())
            }
            UserAction::Undo => self.undo(now_ms),
            UserAction::Redo => self.redo(now_ms),
            UserAction::Draw => self.end(None, "draw-agreed", now_ms),
            UserAction::Resign => {
                let loser = if self.scene.you.contains(&turn) { turn } else { turn.other() };
                self.end(Some(loser.other()), "resign", now_ms)
            }
            UserAction::Rematch
            | UserAction::Swap
            | UserAction::Accept(_)
            | UserAction::Decline(_)
            | UserAction::Sit
            | UserAction::Abort
            | UserAction::Claim => Err(Problem::new("only-at-a-hall")),
        }
    }

    /// Updates the scene from the game.
    fn look(&mut self, now_ms: u64) {
        self.scene.view = self.game.players_view();
        if self.scene.end.is_none() {
            self.scene.end.clone_from(&self.scene.view.outcome);
        }
        self.scene.face = self.clock.as_ref().map(|clock| (clock.face(now_ms), now_ms));
        self.scene.comment = self.comments.get(self.game.plies()).cloned().unwrap_or_default();
    }
}

impl Table for Local {
    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn wish(&mut self, wish: UserAction, now_ms: u64) -> Result<(), Refusal> {
        self.fulfil(wish, now_ms).map_err(Refusal::from)
    }

    fn game(&self) -> Option<&dyn AnyGame> {
        Some(&*self.game)
    }

    fn view_at(&self, plies: usize) -> Option<View> {
        let mut past = self.game.boxed_clone();
        while past.plies() > plies && past.undo() {}
        Some(past.view())
    }

    fn tick(&mut self, now_ms: u64) -> bool {
        let fallen = self.clock.as_ref().filter(|_| self.scene.end.is_none()).and_then(|c| c.fallen(now_ms));
        match fallen {
            Some(side) => self.end(Some(side.other()), "flag", now_ms).is_ok(),
            None => false,
        }
    }

    fn local(&mut self) -> Option<&mut Local> {
        Some(self)
    }
}
