//! A game as this terminal shows it, wherever it is played.
//!
//! [`Scene`] is all that is drawn. [`Table`] is what the user can do: [`Local`] is a game on this terminal, and
//! [`Remote`] a table of a hall. Neither the screen nor the plain lines know which of them they have.

mod hall;
mod local;
mod opening;

pub(crate) use hall::{Heard, PATIENCE, Remote};
pub use hall::{Visit, VisitError, Wanted};
pub(crate) use local::Local;
pub use opening::Opening;

use kernel::{AnyGame, Board, Side};
use texts::Language;
use wire::{ClockFace, ClockSpec, Offer, Outcome, PlyInfo, View};

use crate::clock::{self, Reading};

/// Why something was not done: a key and its facts, from here or from a hall.
pub(crate) type Refusal = wire::Problem;

/// Everything about a game that is shown.
#[derive(Clone)]
pub(crate) struct Scene {
    /// The key of the game in the catalogue, such as `draughts/russian`.
    pub game: String,
    /// What its map is called, in games that come with one.
    pub map: Option<String>,
    /// The opening that was drawn, behind which the game begins.
    pub opening: Option<String>,
    /// What the sides are called: the messages `side-<name>`.
    pub sides: [String; 2],
    pub board: Board,
    pub view: View,
    pub record: Vec<PlyInfo>,
    /// The notations moves are named in, the usual one first.
    pub notations: Vec<String>,
    /// Who sits there; empty: nobody, or nobody with a name.
    pub players: [String; 2],
    pub clock: ClockSpec,
    /// The clocks, and when they showed that.
    pub face: Option<(ClockFace, u64)>,
    /// How the game ended, by the rules or by the players.
    pub end: Option<Outcome>,
    /// The sides that are moved from this terminal.
    pub you: Vec<Side>,
    /// Offers that wait for an answer.
    pub offers: Vec<(Side, Offer)>,
    /// What only a hall knows; `None` for a game on this terminal.
    pub away: Option<Away>,
    /// A remark of the record on the last move.
    pub comment: String,
}

/// What only a hall knows.
#[derive(Clone, Default)]
pub(crate) struct Away {
    pub link: String,
    pub room: Option<String>,
    pub here: [bool; 2],
    pub seated: [bool; 2],
    /// The levels of programs of the hall that sit there.
    pub levels: [Option<u8>; 2],
    pub watchers: u32,
    pub connected: bool,
    /// The milliseconds left for the first move of the side to move, and when that was so.
    pub first: Option<(u64, u64)>,
    /// In how many milliseconds a win may be claimed because the other player has left, and when that was so.
    pub claim: Option<(u64, u64)>,
    /// The id of the rematch's table.
    pub next: Option<String>,
    /// Why the hall cannot store anything at the moment.
    pub trouble: Option<Refusal>,
    /// The announcements of the hall's staff.
    pub announced: Vec<wire::AnnouncementLine>,
}

/// A wish of the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    /// Play the move of that text, in any notation.
    Play(String),
    /// Take back: the last turn here, by agreement elsewhere.
    Undo,
    /// Play again what was taken back.
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
    /// What is shown now.
    fn scene(&self) -> &Scene;
    /// Carries out a wish, or sends it.
    ///
    /// # Errors
    /// Why not.
    fn wish(&mut self, wish: Wish, now_ms: u64) -> Result<(), Refusal>;
    /// The game, where this program knows its rules.
    fn game(&self) -> Option<&dyn AnyGame>;
    /// The picture after `plies` plies; `None` where that is not known.
    fn view_at(&self, plies: usize) -> Option<View>;
    /// Updates clocks; true when something changed.
    fn tick(&mut self, now_ms: u64) -> bool;
    /// When the wish was sent that a hall has not answered yet.
    fn waits_since(&self) -> Option<u64> {
        None
    }
    /// Takes in a message of the hall; why a pending wish was refused.
    fn hear(&mut self, _heard: Heard, _now_ms: u64) -> Result<(), Refusal> {
        Ok(())
    }
    /// A game on this terminal, which can be set up, saved and restarted.
    fn local(&mut self) -> Option<&mut Local> {
        None
    }
}

impl Scene {
    /// The colour that a player has: the name of the side, which a swap exchanges.
    pub fn tone(&self, side: Side) -> &str {
        &self.sides[side.index() ^ usize::from(self.view.swapped)]
    }

    /// Returns the name of the game, and the opening that was drawn for it.
    pub fn title(&self, language: Language) -> String {
        let name = self.map.clone().unwrap_or_else(|| texts::game(language, &self.game));
        self.opening.as_ref().map_or(name.clone(), |opening| format!("{name} · {opening}"))
    }

    /// What a side is called.
    pub fn side(&self, language: Language, side: Side) -> String {
        texts::say(language, &format!("side-{}", self.tone(side)), &[])
    }

    pub fn turn(&self) -> Side {
        self.view.turn
    }

    /// What the clock of `side` shows.
    pub fn reading(&self, side: Side, now_ms: u64) -> Option<Reading> {
        let (face, at_ms) = self.face.as_ref()?;
        let unix_ms = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
        let elapsed_ms = clock::counted(self.clock, now_ms.saturating_sub(*at_ms), unix_ms);
        Some(clock::read(self.clock, face, side, elapsed_ms))
    }

    /// The time left for the first move of the side to move, in milliseconds; `None` where no such time runs.
    pub fn first_left_ms(&self, now_ms: u64) -> Option<u64> {
        let (left_ms, at_ms) = self.away.as_ref()?.first.filter(|_| self.end.is_none())?;
        Some(left_ms.saturating_sub(now_ms.saturating_sub(at_ms)))
    }

    /// In how many milliseconds this user may claim the win, 0: now; `None` where nobody has left whose move it is.
    pub fn claim_left_ms(&self, now_ms: u64) -> Option<u64> {
        let (left_ms, at_ms) = self.away.as_ref()?.claim.filter(|_| self.end.is_none())?;
        let waits = self.you.len() == 1 && !self.you.contains(&self.turn());
        waits.then(|| left_ms.saturating_sub(now_ms.saturating_sub(at_ms)))
    }

    /// Whether a move may be made from this terminal now.
    pub fn may_move(&self) -> bool {
        self.end.is_none() && self.you.contains(&self.turn())
    }

    /// The name of a ply in one of the notations; its machine text where there is none.
    pub fn name(&self, ply: usize, notation: usize) -> &str {
        let PlyInfo(text, _, _, names) = &self.record[ply];
        names.get(notation).unwrap_or(text)
    }
}
