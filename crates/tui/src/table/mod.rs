//! The tables of this terminal: games played here or in a hall.
//!
//! [`Scene`] holds all that is drawn. [`Table`] has the actions of the user: [`Local`] is a game on this terminal,
//! and [`Remote`] a table of a hall. The screen and the plain lines treat both alike.

mod hall;
mod local;
mod opening;

pub use hall::{Destination, Visit, VisitError};
pub(crate) use hall::{HallEvent, PATIENCE, Remote};
pub(crate) use local::Local;
pub use opening::Opening;

use kernel::{AnyGame, Board, Side};
use texts::Language;
use wire::{ClockFace, ClockSpec, Offer, Outcome, PlyInfo, View};

use crate::clock::{self, Reading};

/// The reason why an action was refused: a key and its facts, from here or from a hall.
pub(crate) type Refusal = wire::Problem;

/// The displayed state of a game.
#[derive(Clone)]
pub(crate) struct Scene {
    /// The key of the game in the catalogue, such as `draughts/russian`.
    pub game: String,
    /// The name of its map, in games that come with one.
    pub map: Option<String>,
    /// The opening that was drawn, after which the game begins.
    pub opening: Option<String>,
    /// The names of the sides: the messages `side-<name>`.
    pub sides: [String; 2],
    pub board: Board,
    pub view: View,
    pub record: Vec<PlyInfo>,
    /// The notations of moves, the usual one first.
    pub notations: Vec<String>,
    /// The names of the players; empty: the seat is free, or the player has no name.
    pub players: [String; 2],
    pub clock: ClockSpec,
    /// The clocks, and the time at which they were correct, in milliseconds.
    pub face: Option<(ClockFace, u64)>,
    /// The end of the game, by the rules or by the players.
    pub end: Option<Outcome>,
    /// The sides that are played from this terminal.
    pub you: Vec<Side>,
    /// Offers that wait for an answer.
    pub offers: Vec<(Side, Offer)>,
    /// The data of a hall's table; `None` for a game on this terminal.
    pub away: Option<Away>,
    /// The comment of the record on the last move.
    pub comment: String,
}

/// The data of a hall's table.
#[derive(Clone, Default)]
pub(crate) struct Away {
    pub link: String,
    pub room: Option<String>,
    pub here: [bool; 2],
    pub seated: [bool; 2],
    /// The levels of the hall's engines that sit there.
    pub levels: [Option<u8>; 2],
    pub watchers: u32,
    pub connected: bool,
    /// The milliseconds left for the first move of the side to move, and the time at which that was so.
    pub first: Option<(u64, u64)>,
    /// The milliseconds until a win may be claimed because the other player has left, and the time at which that was
    /// so.
    pub claim: Option<(u64, u64)>,
    /// The id of the rematch's table.
    pub next: Option<String>,
    /// The reason why the hall cannot store anything at the moment.
    pub trouble: Option<Refusal>,
    /// The announcements of the hall's staff.
    pub announced: Vec<wire::AnnouncementLine>,
}

/// A request of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum UserAction {
    /// Play a move, in any notation.
    Play(String),
    /// Take back the last turn; at a hall, ask for a takeback.
    Undo,
    /// Play a move again that was taken back.
    Redo,
    /// Agree to a draw, or offer one.
    Draw,
    Resign,
    Rematch,
    Swap,
    Accept(Offer),
    Decline(Offer),
    /// Take a free seat.
    Sit,
    Abort,
    /// Claim the win, because the other player has left.
    Claim,
}

/// A game, wherever it is played.
pub(crate) trait Table {
    /// Returns the current scene.
    fn scene(&self) -> &Scene;
    /// Carries out a request, or sends it.
    ///
    /// # Errors
    /// The reason of a refusal.
    fn wish(&mut self, wish: UserAction, now_ms: u64) -> Result<(), Refusal>;
    /// Returns the game, if this program knows its rules.
    fn game(&self) -> Option<&dyn AnyGame>;
    /// Returns the view after `plies` plies; `None` if it is not known.
    fn view_at(&self, plies: usize) -> Option<View>;
    /// Updates clocks; returns true if anything changed.
    fn tick(&mut self, now_ms: u64) -> bool;
    /// Returns the time at which the request was sent that a hall has not answered yet.
    fn waits_since(&self) -> Option<u64> {
        None
    }
    /// Handles a message of the hall; fails with the reason if a pending request was refused.
    fn hear(&mut self, _heard: HallEvent, _now_ms: u64) -> Result<(), Refusal> {
        Ok(())
    }
    /// Returns the game on this terminal, which can be set up, saved and restarted.
    fn local(&mut self) -> Option<&mut Local> {
        None
    }
}

impl Scene {
    /// Returns the colour of a player: the name of the side, which a swap exchanges.
    pub fn tone(&self, side: Side) -> &str {
        &self.sides[side.index() ^ usize::from(self.view.swapped)]
    }

    /// Returns the name of the game, and the opening that was drawn for it.
    pub fn title(&self, language: Language) -> String {
        let name = self.map.clone().unwrap_or_else(|| texts::game(language, &self.game));
        self.opening.as_ref().map_or(name.clone(), |opening| format!("{name} · {opening}"))
    }

    /// Returns the name of a side.
    pub fn side(&self, language: Language, side: Side) -> String {
        texts::say(language, &format!("side-{}", self.tone(side)), &[])
    }

    pub fn turn(&self) -> Side {
        self.view.turn
    }

    /// Returns the display of the clock of `side`.
    pub fn reading(&self, side: Side, now_ms: u64) -> Option<Reading> {
        let (face, at_ms) = self.face.as_ref()?;
        let unix_ms = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
        let elapsed_ms = clock::counted(self.clock, now_ms.saturating_sub(*at_ms), unix_ms);
        Some(clock::read(self.clock, face, side, elapsed_ms))
    }

    /// Returns the time left for the first move of the side to move, in milliseconds; `None` if no such time runs.
    pub fn first_left_ms(&self, now_ms: u64) -> Option<u64> {
        let (left_ms, at_ms) = self.away.as_ref()?.first.filter(|_| self.end.is_none())?;
        Some(left_ms.saturating_sub(now_ms.saturating_sub(at_ms)))
    }

    /// Returns the milliseconds until this user may claim the win, 0: now; `None` unless the player to move has left.
    pub fn claim_left_ms(&self, now_ms: u64) -> Option<u64> {
        let (left_ms, at_ms) = self.away.as_ref()?.claim.filter(|_| self.end.is_none())?;
        let waits = self.you.len() == 1 && !self.you.contains(&self.turn());
        waits.then(|| left_ms.saturating_sub(now_ms.saturating_sub(at_ms)))
    }

    /// Returns true if a move may be made from this terminal now.
    pub fn may_move(&self) -> bool {
        self.end.is_none() && self.you.contains(&self.turn())
    }

    /// Returns the name of a ply in one of the notations, or its machine text.
    pub fn name(&self, ply: usize, notation: usize) -> &str {
        let PlyInfo(text, _, _, names) = &self.record[ply];
        names.get(notation).unwrap_or(text)
    }
}
