//! A position of a user's game: board, side to move, neutral counters.

use std::sync::Arc;

use kernel::{ByChance, Game, Outcome, Position, Side};

use crate::compiled::{OFF, Rulebook};
use crate::extension::{Details, Extensions, Fault, Present, Scene, Session, Start, World};
use crate::level2::Progress;
use crate::place::{Always, Among};
use crate::rule::PlaceRule;
use crate::rulebook::{BUILT_IN, OLD_BUILT_IN};

/// The bit of a cell that marks a promoted piece; the other bits are its id.
pub(crate) const PROMOTED: u16 = 1 << 15;
/// Neutral moves in a row after which a side must move something else.
pub(crate) const MOST_NEUTRAL: u32 = 2;

/// The most plies that are played again to find worlds that look the same so far.
const MOST_REPLAYED: usize = 600;

/// A move from one square to another; squares are numbered row by row from the top left, from 0. An extension may
/// move a piece to the square it stands on.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// use std::sync::Arc;
///
/// use jingbanqi::{Jingbanqi, Move, Rulebook};
/// use kernel::{Notation, Position};
///
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
/// let mut moves: Vec<Move> = Vec::new();
/// start.moves(&mut moves);
/// assert_eq!(start.path(moves[0]), [moves[0].from, moves[0].to]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    /// The square that the piece leaves.
    pub from: u16,
    /// The square that the piece goes to.
    pub to: u16,
    /// The kind, at level 2, that the piece becomes by choice, or that comes from the hand onto the square `from`, which
    /// is `to` then; [`DRAWN`] with the kind that a piece turns into, which chance decides; [`LOTS`] and what a taken piece was, too; [`CHOICE`] and the number of a
    /// choice that an extension offers; [`PASS`] or [`SWAP`]. Else 0.
    pub pick: u16,
}

/// The [`pick`](Move::pick) of a side that passes.
pub const PASS: u16 = u16::MAX;
/// The [`pick`](Move::pick) of a player who takes over the other's colour.
pub const SWAP: u16 = u16::MAX - 1;
/// The [`pick`](Move::pick) of a player whose pieces are arranged.
pub const READY: u16 = u16::MAX - 2;
/// The [`pick`](Move::pick) of a move of which one does not see what it was; never legal.
pub const HIDDEN: u16 = u16::MAX - 3;
/// The bits of the [`pick`](Move::pick) of a move that takes a piece which is turned over for the taker alone; the lower bits
/// say what was drawn, and are 0 for the player's choice.
pub const LOTS: u16 = 0x8000;
/// The [`pick`](Move::pick) of the first choice that an extension offers; those of the others follow.
pub const CHOICE: u16 = 0xC000;
/// The bit of the [`pick`](Move::pick) of a piece that is turned over; the other bits are the kind that was drawn. Without
/// them it is the player's choice, for which something is still to be drawn.
pub const DRAWN: u16 = 0x4000;
/// The bits that tell a drawn kind from everything else that is picked.
const NOT_A_KIND: u16 = 0xE000;

impl Move {
    /// Makes a move of a piece from one square to another.
    ///
    /// ```
    /// assert_eq!(jingbanqi::Move::new(3, 4).pick, 0);
    /// ```
    #[must_use]
    pub const fn new(from: u16, to: u16) -> Move {
        Move { from, to, pick: 0 }
    }

    /// Makes a move that touches no square: [`PASS`] or [`SWAP`].
    #[must_use]
    pub const fn pressed(pick: u16) -> Move {
        Move { from: 0, to: 0, pick }
    }

    /// Returns true if a piece comes from the hand.
    #[must_use]
    pub const fn is_drop(self) -> bool {
        self.pick != 0 && self.pick < DRAWN && self.from == self.to
    }

    /// Returns the number of the choice of an extension that was made; `None` for all other moves.
    #[must_use]
    pub const fn choice(self) -> Option<usize> {
        if self.pick >= CHOICE && !self.is_pressed() { Some((self.pick - CHOICE) as usize) } else { None }
    }

    /// Returns the kind that was drawn for a piece which is turned over; 0 while nothing was drawn. `None` for all other
    /// moves.
    #[must_use]
    pub const fn turned(self) -> Option<u16> {
        if self.pick & NOT_A_KIND == DRAWN { Some(self.pick & !NOT_A_KIND) } else { None }
    }

    /// Returns what was drawn for a piece that is turned over as it is taken; `None` for all other moves.
    #[must_use]
    pub const fn lots(self) -> Option<u16> {
        if self.pick & CHOICE == LOTS { Some(self.pick & !CHOICE) } else { None }
    }

    /// Returns true if it touches no square.
    #[must_use]
    pub const fn is_pressed(self) -> bool {
        self.pick >= HIDDEN
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Standing {
    /// Its place in the table of pieces, from 1.
    pub id: u16,
    /// True if it has promoted.
    pub promoted: bool,
}

/// A position of a user's game.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// use std::sync::Arc;
///
/// use jingbanqi::{Jingbanqi, Rulebook};
/// use kernel::{Game, Position, Side};
///
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// let mut game = Game::new(Jingbanqi::new(Arc::new(Rulebook::new(map, false))));
/// let mut moves = Vec::new();
/// game.legal(&mut moves);
/// game.play(moves[0]);
/// assert_eq!(game.position().turn(), Side::Second);
/// assert!(game.position().piece(moves[0].to).is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Jingbanqi {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) cells: Box<[u16]>,
    pub(crate) turn: Side,
    /// Neutral moves in a row, of each side; kept only where they are limited.
    pub(crate) neutral: [u32; 2],
    pub(crate) end: Option<Outcome>,
    /// True if every piece has been tested for promotion since the start.
    asked: bool,
    /// The line and the scene of a game with extensions; all fields above then mirror the scene.
    extended: Option<Extended>,
    /// The hands, counters and past of a game of level 2.
    pub(crate) second: Option<Box<Progress>>,
}

/// A line of a game with extensions, and the state it leads to.
#[derive(Clone, Debug)]
struct Extended {
    extensions: Arc<dyn Extensions>,
    start: Arc<Start>,
    session: Arc<dyn Session>,
    line: Vec<Move>,
    scene: Arc<Scene>,
    /// The fault that ended the game.
    fault: Option<Arc<Fault>>,
}

impl Jingbanqi {
    /// The start of a game.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use std::sync::Arc;
    ///
    /// use jingbanqi::{Jingbanqi, Rulebook};
    /// use kernel::{Notation, Position, Side};
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let pieces = map.start.iter().filter(|&&id| id > 0).count();
    /// let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
    /// assert_eq!((start.turn(), start.diagram().pieces.len()), (Side::First, pieces));
    /// ```
    #[must_use]
    pub fn new(book: Arc<Rulebook>) -> Self {
        let cells = book.map().start.clone().into_boxed_slice();
        let turn = book.level2().map_or(Side::First, |(level2, _)| level2.turns.order.side(0));
        let second = Jingbanqi::started(&book, turn);
        let mut start =
            Jingbanqi { book, cells, turn, neutral: [0; 2], end: None, asked: false, extended: None, second };
        start.remember_start();
        start
    }

    /// The start of a game with extensions. Where they fail at once, the game is over.
    #[must_use]
    pub fn with_extensions(book: Arc<Rulebook>, extensions: Arc<dyn Extensions>) -> Self {
        Jingbanqi::new(book).begun(extensions)
    }

    /// The same position as the start of a game with those extensions.
    fn begun(mut self, extensions: Arc<dyn Extensions>) -> Self {
        let pieces: Vec<Option<Standing>> = self.squares().map(|at| self.piece(at)).collect();
        let second = self.second.clone();
        let start = Start { pieces, turn: self.turn, neutral: self.neutral, end: self.end, second };
        let session = extensions.begin(start.clone());
        let (scene, fault) = match session.scene(&[]) {
            Ok(scene) => (scene, None),
            Err(fault) => (self.plain_scene(), Some(Arc::new(fault))),
        };
        self.extended = Some(Extended {
            extensions,
            start: Arc::new(start),
            session,
            line: Vec::new(),
            scene: Arc::new(scene),
            fault,
        });
        self.mirror();
        self
    }

    /// Returns the scene of this position without moves, as extensions would report it.
    fn plain_scene(&self) -> Scene {
        let present = |piece: Standing| Present {
            id: piece.id,
            promoted: piece.promoted,
            owner: self.book.owner(piece.id),
            captain: self.book.is_captain(piece.id),
            name: None,
        };
        Scene {
            pieces: self.squares().map(|at| self.piece(at).map(present)).collect(),
            turn: self.turn,
            neutral: self.neutral,
            end: self.end,
            moves: Vec::new(),
            fault: None,
            draws: 0,
            second: self.second.clone(),
            choices: Vec::new(),
        }
    }

    /// Copies from the scene the fields that positions without extensions have.
    fn mirror(&mut self) {
        let Some(extended) = &self.extended else { return };
        let scene = Arc::clone(&extended.scene);
        let cell = |piece: &Option<Present>| match piece {
            Some(piece) => piece.id | if piece.promoted { PROMOTED } else { 0 },
            None => 0,
        };
        self.cells = scene.pieces.iter().map(cell).collect();
        self.turn = scene.turn;
        self.neutral = scene.neutral;
        self.end = scene.end;
        self.second.clone_from(&scene.second);
    }

    /// Begins the game again from this position, if it has extensions.
    pub(crate) fn begun_again(&mut self) {
        if let Some(extensions) = self.extensions().cloned() {
            *self = self.by_the_map().begun(extensions);
        }
    }

    /// Returns the choices that extensions offer for a move of a piece.
    pub(crate) fn choices(&self, from: u16, to: u16) -> &[Arc<str>] {
        let choices = self.extended.as_ref().map_or(&[][..], |extended| &extended.scene.choices);
        choices.iter().find(|one| (one.from, one.to) == (from, to)).map_or(&[], |one| &one.texts)
    }

    /// Returns a position of these parts, without extensions.
    pub(crate) fn assembled(
        book: Arc<Rulebook>,
        cells: Box<[u16]>,
        (turn, neutral, end): (Side, [u32; 2], Option<Outcome>),
        second: Box<Progress>,
    ) -> Jingbanqi {
        let second = Some(second);
        Jingbanqi { book, cells, turn, neutral, end, asked: true, extended: None, second }
    }

    /// Returns the session of a game with extensions and its line of moves.
    pub(crate) fn extended_line(&self) -> Option<(&dyn Session, &[Move])> {
        self.extended.as_ref().map(|extended| (&*extended.session, extended.line.as_slice()))
    }

    /// Returns the position after those moves, of which extensions have told the scene.
    pub(crate) fn walked(&self, moves: impl Iterator<Item = Move>, scene: Scene) -> Jingbanqi {
        let mut after = self.clone();
        if let Some(extended) = &mut after.extended {
            extended.line.extend(moves);
            extended.scene = Arc::new(scene);
        }
        after.mirror();
        after
    }

    /// Returns true if extensions list the moves.
    pub(crate) fn is_extended(&self) -> bool {
        self.extended.is_some()
    }

    /// The extensions, if the game has some.
    #[must_use]
    pub fn extensions(&self) -> Option<&Arc<dyn Extensions>> {
        self.extended.as_ref().map(|extended| &extended.extensions)
    }

    /// The same pieces by the map alone, as if it had no extensions.
    #[must_use]
    pub fn by_the_map(&self) -> Jingbanqi {
        Jingbanqi { extended: None, ..self.clone() }
    }

    /// Returns the fault of an extension, if one failed.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        let extended = self.extended.as_ref()?;
        extended.fault.as_deref().or(extended.scene.fault.as_ref())
    }

    /// Returns the number of random words drawn up to here, the listing of its moves included.
    #[must_use]
    pub fn drawn(&self) -> u64 {
        self.extended.as_ref().map_or(0, |extended| extended.scene.draws)
    }

    /// Returns the number of pieces that were turned over since the start of the game, or since the FEN it began from.
    #[must_use]
    pub fn turned_over(&self) -> u32 {
        self.second.as_ref().map_or(0, |progress| progress.draws)
    }

    /// Returns the start of this game with another seed of random numbers; `None` where nothing is left to chance.
    #[must_use]
    pub fn seeded(&self, seed: u128) -> Option<Jingbanqi> {
        let extended = self.extended.as_ref()?;
        let book = Arc::new(Rulebook::clone(&self.book).with_seed(seed));
        let extensions = extended.extensions.by_book(&book)?;
        let Start { pieces, turn, neutral, end, second } = Start::clone(&extended.start);
        let plain = Jingbanqi { book, extended: None, ..self.clone() };
        let start = plain.at(pieces, turn, neutral, end);
        Some(Jingbanqi { second, ..start }.begun(extensions))
    }

    /// Returns the position now, in `count` worlds that look the same so far and in which chance goes on otherwise:
    /// what a player may know of the future. `seed` gives numbers for them. Empty where nothing can be left to
    /// chance, or the game is over. Of a position that was [seen](kernel::Notation::seen) they are some that look so.
    ///
    /// Where something was drawn before, other games are begun and kept if everything that was seen came out the same: what
    /// an extension drew and has not shown yet differs in them. Where almost none do, chance differs from the next ply on.
    #[must_use]
    pub fn worlds(game: &Game<Jingbanqi>, count: usize, mut seed: impl FnMut() -> u128) -> Vec<Jingbanqi> {
        let pos = game.position();
        if pos.is_seen() && pos.end.is_none() {
            return (0..count).map(|_| pos.determinised(seed() as u64)).collect();
        }
        let Some(extended) = pos.extended.as_ref().filter(|_| pos.fault().is_none() && pos.end.is_none())
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut left = MOST_REPLAYED;
        let tries = if extended.scene.draws == 0 { 0 } else { 3 * count };
        for _ in 0..tries {
            if found.len() == count || left == 0 {
                break;
            }
            let Some(session) = extended.session.world(World { from: 0, seed: seed() }) else { break };
            if looks_the_same(&*session, game, &mut left) {
                found.push(pos.in_session(session));
            }
        }
        if found.len() < count.div_ceil(2) {
            let from = u32::try_from(extended.line.len()).unwrap_or(u32::MAX);
            while found.len() < count {
                let Some(session) = extended.session.world(World { from, seed: seed() }) else { break };
                found.push(pos.in_session(session));
            }
        }
        found
    }

    /// Returns the same position with another session.
    fn in_session(&self, session: Arc<dyn Session>) -> Jingbanqi {
        let mut pos = self.clone();
        if let Some(extended) = &mut pos.extended {
            extended.session = session;
        }
        pos
    }

    /// The piece on a square with what extensions have changed about it.
    #[must_use]
    pub fn present(&self, square: u16) -> Option<Present> {
        match &self.extended {
            Some(extended) => extended.scene.pieces[usize::from(square)].clone(),
            None => self.piece(square).map(|piece| Present {
                id: piece.id,
                promoted: piece.promoted,
                owner: self.book.owner(piece.id),
                captain: self.book.is_captain(piece.id),
                name: None,
            }),
        }
    }

    /// Makes a position by the same rules from its parts: the pieces on the squares, row by row; the side to move;
    /// the neutral moves in a row of each side; the end of the game, if it ended.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use std::sync::Arc;
    ///
    /// use jingbanqi::{Jingbanqi, Rulebook};
    /// use kernel::{Position, Side};
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
    /// let squares = 0..start.book().map().squares() as u16;
    /// let pieces: Vec<_> = squares.map(|square| start.piece(square)).collect();
    /// let passed = start.at(pieces, Side::Second, [0, 0], None);
    /// assert_eq!(passed.turn(), Side::Second);
    /// ```
    ///
    /// # Panics
    /// Later, when there is not one entry for each square, or an id is not of the map.
    #[must_use]
    pub fn at(
        &self,
        cells: Vec<Option<Standing>>,
        turn: Side,
        neutral: [u32; 2],
        end: Option<Outcome>,
    ) -> Self {
        let cell =
            |piece: Option<Standing>| piece.map_or(0, |p| p.id | if p.promoted { PROMOTED } else { 0 });
        let mut plain = Jingbanqi {
            second: Jingbanqi::started(&self.book, turn),
            book: Arc::clone(&self.book),
            cells: cells.into_iter().map(cell).collect(),
            turn,
            neutral,
            end,
            asked: false,
            extended: None,
        };
        plain.remember_start();
        match self.extensions() {
            Some(extensions) => plain.begun(Arc::clone(extensions)),
            None => plain,
        }
    }

    /// The rules that all positions of the game share.
    #[must_use]
    pub fn book(&self) -> &Rulebook {
        &self.book
    }

    /// Returns the piece on a square.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use std::sync::Arc;
    ///
    /// use jingbanqi::{Jingbanqi, Rulebook, Standing};
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let at = map.start.iter().position(|&id| id > 0).unwrap();
    /// let id = map.start[at];
    /// let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
    /// assert_eq!(start.piece(at as u16), Some(Standing { id, promoted: false }));
    /// ```
    #[must_use]
    pub fn piece(&self, square: u16) -> Option<Standing> {
        match self.cells[usize::from(square)] {
            0 => None,
            cell => Some(Standing { id: cell & !PROMOTED, promoted: cell & PROMOTED != 0 }),
        }
    }

    /// Returns the cell of a square: an id, with [`PROMOTED`] once the piece has, or 0.
    pub(crate) fn cell(&self, square: u16) -> u16 {
        self.cells[usize::from(square)]
    }

    /// Returns the facts that extensions state about the pieces; `None` without extensions.
    pub(crate) fn told_details(&self) -> Option<Details> {
        let extended = self.extended.as_ref()?;
        let known = if self.fault().is_some() { None } else { extended.session.details(&extended.line).ok() };
        Some(known.unwrap_or_default())
    }

    /// Returns the number of neutral moves in a row that each side has made, where they are limited.
    #[must_use]
    pub fn neutral(&self) -> [u32; 2] {
        self.neutral
    }

    pub(crate) fn end(&self) -> Option<Outcome> {
        self.end
    }

    /// Returns the sides whose captains are attacked: red's, blue's. For information only: no side has to answer.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use std::sync::Arc;
    ///
    /// use jingbanqi::{Jingbanqi, Rulebook};
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// assert_eq!(Jingbanqi::new(Arc::new(Rulebook::new(map, false))).checks(), [false, false]);
    /// ```
    #[must_use]
    pub fn checks(&self) -> [bool; 2] {
        if self.extended.is_some() {
            return self.details().checks;
        }
        if self.second.is_some() {
            return Side::BOTH.map(|side| self.is_attacked2(side));
        }
        let mut checks = [false; 2];
        for from in self.squares() {
            let Some(piece) = self.piece(from) else { continue };
            let Some(owner) = self.book.owner(piece.id) else { continue };
            self.destinations(from, piece, |to| {
                let taken = self.piece(to).is_some_and(|other| self.book.is_captain(other.id));
                checks[owner.other().index()] |= taken;
            });
        }
        checks
    }

    pub(crate) fn squares(&self) -> std::ops::Range<u16> {
        0..self.cells.len() as u16
    }

    /// Returns true if the side to move may move that piece.
    #[inline]
    pub(crate) fn is_mine(&self, id: u16) -> bool {
        match self.book.owner(id) {
            Some(side) => side == self.turn,
            None => !self.book.map().neutral_limit || self.neutral[self.turn.index()] < MOST_NEUTRAL,
        }
    }

    /// Every square that piece may go to, each once: by one step and by any distance.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use std::sync::Arc;
    ///
    /// use jingbanqi::{Jingbanqi, Rulebook};
    /// use kernel::Position;
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
    /// let mut moves = Vec::new();
    /// start.moves(&mut moves);
    /// let (from, mut reached) = (moves[0].from, Vec::new());
    /// start.destinations(from, start.piece(from).unwrap(), |to| reached.push(to));
    /// assert!(reached.contains(&moves[0].to));
    /// ```
    #[inline]
    pub fn destinations(&self, from: u16, piece: Standing, mut go: impl FnMut(u16)) {
        if self.second.is_some() {
            return self.destinations2(from, piece, go);
        }
        let owner = self.book.owner(piece.id);
        let id_at = |at: u16| self.cells[usize::from(at)] & !PROMOTED;
        let among = Among { shape: self.shape(), squares: self.cells.len() as u16, id_at: &id_at };
        let ways = self.book.directions(piece.id, piece.promoted, from, &among);
        let takes = |id: u16| owner.is_some_and(|side| self.book.owner(id) == Some(side.other()));
        let mut left = ways.near | ways.far;
        while left != 0 {
            let direction = left.trailing_zeros();
            left &= left - 1;
            let far = ways.far >> direction & 1 == 1;
            let mut to = self.book.step(from, direction);
            while to != OFF {
                match self.cells[usize::from(to)] & !PROMOTED {
                    0 => go(to),
                    id => {
                        if takes(id) {
                            go(to);
                        }
                        break;
                    }
                }
                if !far {
                    break;
                }
                to = self.book.step(to, direction);
            }
        }
    }

    /// Passes every piece of a side that could go to that square if an enemy stood there: attackers of the piece
    /// there, or its defenders. By the map alone: extensions are not called. At level 2 only attackers of a piece that
    /// stands there.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use std::sync::Arc;
    ///
    /// use jingbanqi::{Jingbanqi, Rulebook};
    /// use kernel::{Position, Side};
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
    /// let (mut moves, mut seers) = (Vec::new(), Vec::new());
    /// start.moves(&mut moves);
    /// let owner = |id: u16| start.book().map().kinds[usize::from(id) - 1].owner;
    /// let is_own = |at: u16| start.piece(at).is_some_and(|piece| owner(piece.id) == Some(Side::First));
    /// let m = moves.iter().find(|m| is_own(m.from)).unwrap();
    /// start.seers(m.to, |from, _| seers.push(from));
    /// assert!(seers.contains(&m.from));
    /// ```
    #[inline]
    pub fn seers(&self, square: u16, mut see: impl FnMut(u16, Standing)) {
        if self.second.is_some() {
            for from in self.squares().filter(|&from| self.cells[usize::from(square)] != 0 && from != square)
            {
                let Some(piece) = self.piece(from) else { continue };
                self.destinations2(from, piece, |to| {
                    if to == square {
                        see(from, piece);
                    }
                });
            }
            return;
        }
        let id_at = |at: u16| self.cells[usize::from(at)] & !PROMOTED;
        let among = Among { shape: self.shape(), squares: self.cells.len() as u16, id_at: &id_at };
        for direction in 0..8 {
            let first = self.book.step(square, direction);
            let mut from = first;
            while from != OFF && self.cells[usize::from(from)] == 0 {
                from = self.book.step(from, direction);
            }
            let piece = if from == OFF { None } else { self.piece(from) };
            let Some(piece) = piece.filter(|piece| self.book.owner(piece.id).is_some()) else { continue };
            let ways = self.book.directions(piece.id, piece.promoted, from, &among);
            let bits = if from == first { ways.near | ways.far } else { ways.far };
            // Directions are numbered so that opposite ones add up to nine.
            if bits >> (7 - direction) & 1 == 1 {
                see(from, piece);
            }
        }
    }

    /// Returns true if that piece promotes on that square, by the map, with all others on their squares.
    #[must_use]
    pub fn promotes(&self, id: u16, at: u16) -> bool {
        if let Some((_, compiled)) = self.book.level2() {
            return self.book.map().promotion && compiled.kinds[usize::from(id) - 1].promotes.contains(at);
        }
        let id_at = |at: u16| self.cells[usize::from(at)] & !PROMOTED;
        let among = Among { shape: self.shape(), squares: self.cells.len() as u16, id_at: &id_at };
        self.book.map().promotion && self.book.promotes(id, at, &among)
    }

    /// Returns true if a square is one of the places of that rule, with all pieces on their squares. `None` where it
    /// depends on names that only extensions explain.
    #[must_use]
    pub fn is_among(&self, places: &PlaceRule, at: u16) -> Option<bool> {
        let id_at = |at: u16| self.cells[usize::from(at)] & !PROMOTED;
        let among = Among { shape: self.shape(), squares: self.cells.len() as u16, id_at: &id_at };
        let known =
            |name: &str| BUILT_IN.contains(&name) || (self.book.old_names() && OLD_BUILT_IN.contains(&name));
        let holds = places.0.iter().any(|place| among.place(place, at));
        let foreign = self.extended.is_some() && places.0.iter().any(|place| !known(&place.name));
        if !holds && foreign { None } else { Some(holds) }
    }

    pub(crate) fn shape(&self) -> Always {
        let map = self.book.map();
        Always { rows: map.rows, cols: map.cols, old_names: self.book.old_names(), tabled: true }
    }

    fn each_move(&self, mut play: impl FnMut(Move)) {
        if let Some(extended) = &self.extended {
            if extended.fault.is_none() {
                extended.scene.moves.iter().copied().for_each(play);
            }
            return;
        }
        if self.second.is_some() {
            return self.each_move2(play);
        }
        if self.end.is_some() {
            return;
        }
        for from in self.squares() {
            let Some(piece) = self.piece(from) else { continue };
            if self.is_mine(piece.id) {
                self.destinations(from, piece, |to| play(Move::new(from, to)));
            }
        }
    }

    fn can_move(&self) -> bool {
        if let Some(extended) = &self.extended {
            return extended.fault.is_none() && !extended.scene.moves.is_empty();
        }
        if self.second.is_some() {
            return self.can_move2();
        }
        self.squares().any(|from| {
            let mut found = false;
            if let Some(piece) = self.piece(from).filter(|p| self.is_mine(p.id)) {
                self.destinations(from, piece, |_| found = true);
            }
            found
        })
    }

    /// Promotes every piece that stands on a place of its promotion: all pieces are tested at first, later only the
    /// one that moved, unless promotions depend on other pieces.
    fn promote(&mut self, moved: u16) {
        let all = !self.asked || self.book.is_restless();
        let squares = if all { self.squares() } else { moved..moved + 1 };
        let mut rising: Vec<u16> = Vec::new();
        for at in squares {
            if self.piece(at).is_some_and(|piece| !piece.promoted && self.promotes(piece.id, at)) {
                rising.push(at);
            }
        }
        for at in rising {
            self.cells[usize::from(at)] |= PROMOTED;
        }
        self.asked = true;
    }
}

/// Returns true if everything visible of a game is the same in another session; takes plies from `left`.
fn looks_the_same(session: &dyn Session, game: &Game<Jingbanqi>, left: &mut usize) -> bool {
    game.line().iter().all(|seen| {
        let Some(seen) = seen.extended.as_ref().filter(|_| *left > 0) else { return false };
        *left -= 1;
        let same = |told: &Scene| Scene { draws: told.draws, ..Scene::clone(&seen.scene) } == *told;
        session.scene(&seen.line).is_ok_and(|told| same(&told))
    })
}

impl Position for Jingbanqi {
    type Move = Move;

    const MAY_DRAW: bool = true;

    /// Returns the player to move. After a swap at level 2 the first player has blue.
    fn turn(&self) -> Side {
        self.player(self.turn)
    }

    /// Square by square, and for each piece direction by direction.
    fn moves(&self, out: &mut Vec<Move>) {
        self.each_move(|m| out.push(m));
    }

    fn play(&mut self, m: Move) {
        if let Some(extended) = &mut self.extended {
            extended.line.push(m);
            match extended.session.scene(&extended.line) {
                Ok(scene) => extended.scene = Arc::new(scene),
                // The ply has not happened: the position is as it was, and over.
                Err(fault) => extended.fault = Some(Arc::new(fault)),
            }
            self.mirror();
            return;
        }
        if self.second.is_some() {
            return self.play2(m);
        }
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        let piece = self.cells[from];
        if self.book.map().neutral_limit {
            let counter = &mut self.neutral[self.turn.index()];
            *counter =
                if self.book.owner(piece & !PROMOTED).is_none() { counter.saturating_add(1) } else { 0 };
        }
        if from != to {
            let taken = self.cells[to] & !PROMOTED;
            if taken != 0 && self.book.is_captain(taken) {
                self.end = Some(Outcome::Win(self.turn, "captain-taken"));
            }
            self.cells[to] = piece;
            self.cells[from] = 0;
        }
        if self.book.map().promotion {
            self.promote(m.to);
        }
        self.turn = self.turn.other();
    }

    /// Returns the outcome: a captain was taken; or the side to move has no move, which the rules of the map do not
    /// call an end and this program counts as a draw.
    fn outcome(&self) -> Option<Outcome> {
        if self.fault().is_some() {
            return Some(Outcome::Void("extension-failed"));
        }
        if self.second.is_some() {
            return self.outcome2();
        }
        self.end.or_else(|| (!self.can_move()).then_some(Outcome::Draw("stuck")))
    }

    fn by_chance(&self, m: Move) -> Option<ByChance<Move>> {
        if let Some((choice, weight)) = self.lots_by_chance(m) {
            return Some(ByChance { choice, weight });
        }
        let kind = m.turned().filter(|&kind| kind != 0)?;
        self.odds(m.from, kind).map(|weight| ByChance { choice: Move { pick: DRAWN, ..m }, weight })
    }

    fn key(&self) -> u64 {
        let mut key = 0x9E37_79B9_7F4A_7C15 ^ self.turn.index() as u64;
        let mut mix = |value: u64| {
            key = (key ^ value).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            key ^= key >> 32;
        };
        for four in self.cells.chunks(4) {
            mix(four.iter().fold(0, |sum, &cell| sum << 16 | u64::from(cell)));
        }
        mix(u64::from(self.neutral[0]) << 32 | u64::from(self.neutral[1]));
        if let Some(extended) = &self.extended {
            // Changed names and owners are told apart; what extensions remember is not.
            for (at, piece) in (0u64..).zip(&extended.scene.pieces) {
                let Some(piece) = piece else { continue };
                let name = piece.name.iter().flat_map(|name| name.bytes());
                mix(at << 8 | piece.owner.map_or(2, Side::index) as u64 | u64::from(piece.captain) << 4);
                name.for_each(|byte| mix(u64::from(byte)));
            }
            mix(u64::from(self.fault().is_some()));
        }
        mix(self.end.map_or(0, |end| 1 + end.winner().map_or(2, Side::index) as u64));
        if self.second.is_some() {
            self.mix2(&mut mix);
        }
        key
    }

    fn count(&self) -> u64 {
        let mut count = 0;
        self.each_move(|_| count += 1);
        count
    }

    /// Returns 0, since the rules do not mention repetition.
    fn reversible(&self) -> usize {
        0
    }
}
