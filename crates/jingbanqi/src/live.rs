//! A game in play whose pieces and rules may change, for games with extensions.
//!
//! [`Jingbanqi`] compiles a map once and plays fast. Extensions change pieces, their rules and the course
//! of a ply while it is played, so a game with extensions is played here, on a table of pieces that have an identity, and in
//! exactly the order that extensions rely on. Their code is asked through [`Hooks`], and may call back: therefore every method
//! borrows the game only for a moment and leaves it whole before it asks.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use kernel::{Outcome, Side};

use crate::compiled::{OFF, Rulebook};
use crate::extension::{Choices, Detail, Details, Present, Scene, Start};
use crate::level2::{Act, Progress};
use crate::position::{Jingbanqi, MOST_NEUTRAL, Move};
use crate::terms::{Condition, LiveRule, Names, Term};

/// The most pieces a game may ever have had: extensions can add some at each ply.
pub const MOST_PIECES: usize = 1 << 16;

/// The index of a piece in the list of all pieces of the game; a piece that left the board keeps it.
pub type Handle = u32;

/// The interface through which a game in play calls extensions.
pub trait Hooks {
    /// The error of a failed call; it passes through extensions, which may catch it.
    type Error;

    /// Returns true if the place `name`, as numbered in [`Live::new`], holds for a square.
    ///
    /// # Errors
    /// The failure of a hook.
    fn place(&self, live: &Live, name: usize, args: &[i64], at: u16) -> Result<bool, Self::Error>;

    /// Returns the squares to which `check_can_go` of every extension lets the piece on `at` go, in order.
    ///
    /// # Errors
    /// The failure of a hook.
    fn reach(&self, live: &Live, groups: Groups, piece: Handle, at: u16) -> Result<Vec<u16>, Self::Error>;

    /// Passes the squares of [`reach`](Hooks::reach) to `each`, each square of the board once, if they are known
    /// before the rules are asked for groups. Returns true if they are.
    fn known_reach(&self, _live: &Live, _piece: Handle, _at: u16, _each: &mut dyn FnMut(u16)) -> bool {
        false
    }

    /// Acts after a ply.
    ///
    /// # Errors
    /// The failure of a hook.
    fn after_move(&self, live: &Live, m: Move) -> Result<(), Self::Error>;

    /// The move rule that extensions hold and may change at any time: see [`Ruled::Held`].
    ///
    /// # Errors
    /// The failure, or what is no rule.
    fn held_rule(&self, live: &Live, piece: Handle, promoted: bool) -> Result<Rc<LiveRule>, Self::Error>;

    /// Returns the places of a promotion that extensions hold and may change at any time: see [`Ruled::Held`].
    ///
    /// # Errors
    /// The failure, or what is no condition.
    fn held_promotion(&self, live: &Live, piece: Handle) -> Result<Rc<Condition>, Self::Error>;

    /// Returns the choices that go with a move of a piece, for maps of level 2; none: it is a plain move.
    ///
    /// # Errors
    /// The failure of a hook.
    fn choices(&self, _live: &Live, _piece: Handle, _m: Move) -> Result<Vec<Arc<str>>, Self::Error> {
        Ok(Vec::new())
    }

    /// Returns true if a piece of that kind may come from the hand onto a square, for maps of level 2.
    ///
    /// # Errors
    /// The failure of a hook.
    fn may_drop(&self, _live: &Live, _kind: u16, _at: u16) -> Result<bool, Self::Error> {
        Ok(true)
    }

    /// Returns the points that a side has when they are counted; `None`: those of the map. For maps of level 2.
    ///
    /// # Errors
    /// The failure of a hook.
    fn score(&self, _live: &Live, _side: Side) -> Result<Option<i64>, Self::Error> {
        Ok(None)
    }

    /// Makes the error for a game that cannot be played.
    fn broken(&self, what: Broken) -> Self::Error;

    /// Returns the attributes that extensions read and keep at a piece, as text.
    fn attributes(&self, live: &Live, piece: Handle) -> Vec<(String, String)> {
        let attributes = &live.book.map().kinds[usize::from(live.piece(piece).kind) - 1].attributes;
        attributes.iter().map(|(name, value)| (name.clone(), value.shown())).collect()
    }
}

/// The reasons for which a game cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Broken {
    /// A rule with less than two sections.
    Sections,
    /// A direction other than 1 to 8 among the steps.
    Direction(i64),
    /// A piece that is not on the board was asked where it stands.
    Nowhere,
    /// More pieces than [`MOST_PIECES`].
    TooManyPieces,
}

/// The origin of a rule of a piece.
#[derive(Clone, Debug)]
pub enum Ruled<R> {
    /// The rule of the table of pieces.
    Table,
    /// A rule that an extension set, which will not change by itself.
    Own(Rc<R>),
    /// A rule that an extension holds and may change at any time: [`Hooks`] are asked each time.
    Held,
}

/// A piece of a game in play.
#[derive(Clone, Debug)]
pub struct Alive {
    /// Its row of the table of pieces, from 1: where its rules come from.
    pub kind: u16,
    /// The kind it counts as; the same as `kind` until an extension says otherwise.
    pub id: u16,
    /// The square of the piece; `None` if it has left the board.
    pub at: Option<u16>,
    /// The text on the piece, where it differs from the table's name.
    pub name: Option<Arc<str>>,
    /// The side that owns it; `None` for a neutral one.
    pub owner: Option<Side>,
    /// True if the side that takes this piece wins.
    pub captain: bool,
    /// True if it has promoted.
    pub promoted: bool,
    /// The move rules: ordinary and promoted.
    pub rules: [Ruled<LiveRule>; 2],
    /// The places where it promotes.
    pub promotes: Ruled<Condition>,
}

/// Groups of squares, as `check_can_go` takes them: each ray of three squares is three groups.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Groups {
    squares: Vec<u16>,
    ends: Vec<u32>,
}

impl FromIterator<Vec<u16>> for Groups {
    fn from_iter<T: IntoIterator<Item = Vec<u16>>>(groups: T) -> Groups {
        let mut made = Groups::default();
        for group in groups {
            made.squares.extend(group);
            made.ends.push(made.squares.len() as u32);
        }
        made
    }
}

impl Groups {
    /// The groups in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.squares[start as usize..end as usize])
    }

    /// Appends a group: a copy of the last `tail` squares, and one more.
    fn push(&mut self, tail: usize, square: u16) {
        let from = self.squares.len() - tail;
        self.squares.extend_from_within(from..);
        self.squares.push(square);
        self.ends.push(self.squares.len() as u32);
    }
}

/// The state of a game without the memory of extensions: all that decides its future otherwise.
#[derive(Clone, Debug)]
pub struct Memory {
    pieces: Vec<Alive>,
    cells: Vec<Option<Handle>>,
    turn: Side,
    said_turn: i64,
    neutral: [u32; 2],
    end: Option<Outcome>,
    second: Option<Box<Progress>>,
    act: Act,
}

impl Memory {
    /// Returns the number of neutral moves in a row that each side has made.
    #[must_use]
    pub fn neutral(&self) -> [u32; 2] {
        self.neutral
    }
}

/// A game in play.
#[derive(Debug)]
pub struct Live {
    pub(crate) book: Arc<Rulebook>,
    names: Names,
    /// Rules and promotions of the table, by kind.
    table: Vec<([Rc<LiveRule>; 2], Rc<Condition>)>,
    pub(crate) pieces: RefCell<Vec<Alive>>,
    pub(crate) cells: RefCell<Vec<Option<Handle>>>,
    pub(crate) turn: Cell<Side>,
    pub(crate) said_turn: Cell<i64>,
    pub(crate) neutral: Cell<[u32; 2]>,
    pub(crate) end: Cell<Option<Outcome>>,
    changed: RefCell<Changed>,
    /// Hands, counters and turns of level 2; `None` at level 1.
    pub(crate) second: RefCell<Option<Box<Progress>>>,
    /// The ply that is being played at level 2.
    pub(crate) act: RefCell<Act>,
    /// The choices among the moves that were listed last.
    pub(crate) offered: RefCell<Vec<Choices>>,
    /// The position that the rules of level 2 see, until something changes.
    pub(crate) seen: RefCell<Option<Rc<Jingbanqi>>>,
}

/// The changes since the last query.
#[derive(Debug, Default)]
struct Changed {
    /// Squares on which something else stands, or stands promoted.
    squares: Vec<u16>,
    /// True if anything else about pieces changed, or more squares than are counted.
    pieces: bool,
}

/// The most changed squares that are recorded one by one.
const MOST_CHANGED: usize = 32;

impl Changed {
    fn square(&mut self, square: u16) {
        if self.squares.len() < MOST_CHANGED {
            self.squares.push(square);
        } else {
            self.pieces = true;
        }
    }
}

impl Live {
    /// A game that begins so; `names` are the places that extensions supply.
    #[must_use]
    pub fn new(book: Arc<Rulebook>, names: Vec<String>, start: &Start) -> Live {
        let names = Names::new(&book, names);
        let table = book.map().kinds.iter().map(|kind| {
            let rules = [&kind.rule, &kind.promoted].map(|rule| Rc::new(names.rule(rule.clone())));
            (rules, Rc::new(names.condition(&kind.promotes)))
        });
        let table = table.collect();
        let squares = book.map().squares();
        let second = book.level2().map(|(rules, compiled)| {
            let usual = || Box::new(Progress::start(compiled, rules, start.turn));
            start.second.clone().unwrap_or_else(usual)
        });
        let live = Live {
            book,
            names,
            table,
            pieces: RefCell::default(),
            cells: RefCell::new(vec![None; squares]),
            turn: Cell::new(start.turn),
            said_turn: Cell::new(start.turn.index() as i64 + 1),
            neutral: Cell::new(start.neutral),
            end: Cell::new(start.end),
            changed: RefCell::default(),
            second: RefCell::new(second),
            act: RefCell::default(),
            offered: RefCell::default(),
            seen: RefCell::default(),
        };
        for (at, piece) in (0u16..).zip(start.pieces.iter().take(squares)) {
            let Some(piece) = piece else { continue };
            live.put(piece.id, at);
            live.pieces.borrow_mut().last_mut().expect("just put").promoted = piece.promoted;
        }
        live
    }

    /// The rules that all positions of the game share.
    #[must_use]
    pub fn book(&self) -> &Arc<Rulebook> {
        &self.book
    }

    /// Makes rules that extensions write ready to be asked.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.turn.get()
    }

    /// Returns the side to move as extensions see it, 1 or 2: they may write it, and it lasts until the ply is over.
    #[must_use]
    pub fn said_turn(&self) -> i64 {
        self.said_turn.get()
    }

    /// Sets the side to move as extensions see it.
    pub fn say_turn(&self, turn: i64) {
        self.said_turn.set(turn);
    }

    /// Returns the end of the game; `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<Outcome> {
        self.end.get()
    }

    /// Ends the game; a later end replaces an earlier one of the same ply.
    pub fn finish(&self, outcome: Outcome) {
        self.end.set(Some(outcome));
    }

    /// Returns the number of pieces there have ever been.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pieces.borrow().len()
    }

    /// Returns the piece on a square.
    #[must_use]
    pub fn at(&self, square: u16) -> Option<Handle> {
        self.cells.borrow()[usize::from(square)]
    }

    /// The piece of that handle as it is now.
    #[must_use]
    pub fn piece(&self, handle: Handle) -> Ref<'_, Alive> {
        Ref::map(self.pieces.borrow(), |pieces| &pieces[handle as usize])
    }

    /// Changes a piece; its square cannot be changed this way.
    pub fn change(&self, handle: Handle, change: impl FnOnce(&mut Alive)) {
        self.stir();
        change(&mut self.pieces.borrow_mut()[handle as usize]);
    }

    /// Notes that something changed which is not a square alone.
    pub(crate) fn stir(&self) {
        self.changed.borrow_mut().pieces = true;
        self.seen.borrow_mut().take();
    }

    /// Passes the changes since the last call: squares, and whether anything else changed.
    pub fn changes(&self, told: impl FnOnce(&[u16], bool)) {
        let mut changed = self.changed.borrow_mut();
        told(&changed.squares, changed.pieces);
        changed.squares.clear();
        changed.pieces = false;
    }

    /// Passes the squares on which the groups of a piece depend that moves by a plain rule of the table: steps, and
    /// lines up to the first occupied square.
    pub fn lines(&self, handle: Handle, from: u16, mut each: impl FnMut(u16)) {
        let cells = self.cells.borrow();
        let piece = self.piece(handle);
        let rule = &self.table[usize::from(piece.kind) - 1].0[usize::from(piece.promoted)];
        for (section, far) in rule.sections.iter().zip([false, true]) {
            for direction in section.iter().filter_map(|item| step(item.direction)) {
                let mut to = self.book.step(from, direction);
                while to != OFF {
                    each(to);
                    if !far || cells[usize::from(to)].is_some() {
                        break;
                    }
                    to = self.book.step(to, direction);
                }
            }
        }
    }

    /// Returns true if the rule that a piece moves by comes from the table and depends on the piece's own square
    /// only.
    #[must_use]
    pub fn goes_by_itself(&self, handle: Handle) -> bool {
        if self.is_second() {
            return false;
        }
        let piece = self.piece(handle);
        let promoted = usize::from(piece.promoted);
        matches!(piece.rules[promoted], Ruled::Table)
            && self.table[usize::from(piece.kind) - 1].0[promoted].is_plain()
    }

    /// Returns the square of the only piece with that id; `None` if there are several or none.
    #[must_use]
    pub fn single(&self, id: i64) -> Option<u16> {
        let pieces = self.pieces.borrow();
        let mut found = pieces.iter().filter(|piece| i64::from(piece.id) == id).filter_map(|piece| piece.at);
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// Puts a new piece on a square; a piece that stood there leaves the board.
    pub(crate) fn put(&self, kind: u16, at: u16) -> Handle {
        self.seen.borrow_mut().take();
        let mut pieces = self.pieces.borrow_mut();
        let handle = pieces.len() as Handle;
        pieces.push(Alive {
            kind,
            id: kind,
            at: Some(at),
            name: None,
            owner: self.book.owner(kind),
            captain: self.book.is_captain(kind),
            promoted: false,
            rules: [Ruled::Table, Ruled::Table],
            promotes: Ruled::Table,
        });
        self.changed.borrow_mut().square(at);
        if let Some(gone) = self.cells.borrow_mut()[usize::from(at)].replace(handle) {
            pieces[gone as usize].at = None;
        }
        handle
    }

    /// Puts a new piece on a square for an extension; this is no capture.
    ///
    /// # Errors
    /// [`Broken::TooManyPieces`].
    pub fn add<H: Hooks>(&self, hooks: &H, kind: u16, at: u16) -> Result<(), H::Error> {
        if self.count() >= MOST_PIECES {
            return Err(hooks.broken(Broken::TooManyPieces));
        }
        self.put(kind, at);
        Ok(())
    }

    /// Returns true if one piece may take the other.
    #[must_use]
    pub fn takes(&self, one: Handle, other: Handle) -> bool {
        let pieces = self.pieces.borrow();
        match (pieces[one as usize].owner, pieces[other as usize].owner) {
            (Some(mine), Some(theirs)) => mine != theirs,
            _ => false,
        }
    }

    /// Tests whether a condition holds for a square; its terms are asked in order.
    fn holds<H: Hooks>(&self, hooks: &H, condition: &Condition, at: u16) -> Result<bool, H::Error> {
        for term in &condition.terms {
            let holds = match term {
                Term::Squares(squares) => squares.contains(at),
                Term::Native(place) => {
                    let (pieces, cells) = (self.pieces.borrow(), self.cells.borrow());
                    let id_at = |at: u16| cells[usize::from(at)].map_or(0, |h| pieces[h as usize].id);
                    self.names.among(place, at, &id_at)
                }
                Term::Asked(name, args) => hooks.place(self, *name, args, at)?,
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The rule that a piece moves by now.
    fn rule_now<H: Hooks>(&self, hooks: &H, handle: Handle) -> Result<Rc<LiveRule>, H::Error> {
        let promoted = self.piece(handle).promoted;
        self.rule(hooks, handle, promoted)
    }

    /// One of a piece's two rules.
    fn rule<H: Hooks>(&self, hooks: &H, handle: Handle, promoted: bool) -> Result<Rc<LiveRule>, H::Error> {
        {
            let piece = self.piece(handle);
            match &piece.rules[usize::from(promoted)] {
                Ruled::Table => {
                    return Ok(Rc::clone(&self.table[usize::from(piece.kind) - 1].0[usize::from(promoted)]));
                }
                Ruled::Own(rule) => return Ok(Rc::clone(rule)),
                Ruled::Held => {}
            }
        }
        hooks.held_rule(self, handle, promoted)
    }

    fn promotion<H: Hooks>(&self, hooks: &H, handle: Handle) -> Result<Rc<Condition>, H::Error> {
        {
            let piece = self.piece(handle);
            match &piece.promotes {
                Ruled::Table => return Ok(Rc::clone(&self.table[usize::from(piece.kind) - 1].1)),
                Ruled::Own(condition) => return Ok(Rc::clone(condition)),
                Ruled::Held => {}
            }
        }
        hooks.held_promotion(self, handle)
    }

    /// The rules of the table as extensions may take them over: the ordinary, the promoted, and where it promotes.
    #[must_use]
    pub fn table(&self, kind: u16) -> (&[Rc<LiveRule>; 2], &Rc<Condition>) {
        let (rules, promotes) = &self.table[usize::from(kind) - 1];
        (rules, promotes)
    }

    /// The directions that hold now for a piece, section by section.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn now<H: Hooks>(&self, hooks: &H, handle: Handle) -> Result<Vec<Vec<i64>>, H::Error> {
        let rule = self.rule_now(hooks, handle)?;
        let at = self.piece(handle).at;
        let mut now = Vec::with_capacity(rule.sections.len());
        for section in &rule.sections {
            let mut directions = Vec::with_capacity(section.len());
            for item in section {
                let holds = match (&item.when, at) {
                    (None, _) => true,
                    (Some(when), Some(at)) => self.holds(hooks, when, at)?,
                    (Some(when), None) if when.terms.is_empty() => false,
                    (Some(_), None) => return Err(hooks.broken(Broken::Nowhere)),
                };
                if holds {
                    directions.push(item.direction);
                }
            }
            now.push(directions);
        }
        Ok(now)
    }

    /// The groups of squares that the rules themselves offer a piece.
    fn groups<H: Hooks>(&self, hooks: &H, handle: Handle, at: u16) -> Result<Groups, H::Error> {
        if self.is_second() {
            return Ok(self.groups2(at));
        }
        let now = self.now(hooks, handle)?;
        let [near, far, ..] = now.as_slice() else { return Err(hooks.broken(Broken::Sections)) };
        let mut groups = Groups { squares: Vec::with_capacity(64), ends: Vec::with_capacity(24) };
        let pieces = self.pieces.borrow();
        let cells = self.cells.borrow();
        let owner = pieces[handle as usize].owner;
        let stands = |to: u16| cells[usize::from(to)].map(|other| pieces[other as usize].owner);
        let takes = |other: Option<Side>| owner.is_some_and(|side| other == Some(side.other()));
        for &direction in near {
            let direction = step(direction).ok_or_else(|| hooks.broken(Broken::Direction(direction)))?;
            let to = self.book.step(at, direction);
            if to != OFF && stands(to).is_none_or(takes) {
                groups.push(0, to);
            }
        }
        for &direction in far {
            let direction = step(direction).ok_or_else(|| hooks.broken(Broken::Direction(direction)))?;
            let mut to = self.book.step(at, direction);
            let mut behind = 0;
            while to != OFF {
                let other = stands(to);
                if other.is_some_and(|other| !takes(other)) {
                    break;
                }
                groups.push(behind, to);
                if other.is_some() {
                    break;
                }
                behind += 1;
                to = self.book.step(to, direction);
            }
        }
        Ok(groups)
    }

    /// Every square that a piece on the board may go to, each once.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn destinations<H: Hooks>(&self, hooks: &H, handle: Handle, at: u16) -> Result<Vec<u16>, H::Error> {
        let mut squares = Vec::new();
        if hooks.known_reach(self, handle, at, &mut |to| squares.push(to)) {
            return Ok(squares);
        }
        squares = hooks.reach(self, self.groups(hooks, handle, at)?, handle, at)?;
        self.once_each(&mut squares);
        Ok(squares)
    }

    /// Removes numbers that are no squares of the board, and duplicates.
    pub fn once_each(&self, squares: &mut Vec<u16>) {
        let mut seen = Seen([0; 64]);
        squares.retain(|&to| usize::from(to) < self.book.map().squares() && seen.add(to));
    }

    /// Returns true if the side to move may move that piece.
    pub(crate) fn is_mine(&self, handle: Handle) -> bool {
        match self.piece(handle).owner {
            Some(side) => side == self.turn.get(),
            None => {
                let neutral = self.neutral.get()[self.turn.get().index()];
                !self.book.map().neutral_limit || neutral < MOST_NEUTRAL
            }
        }
    }

    /// Every move of the side to move; none after the end.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn moves<H: Hooks>(&self, hooks: &H) -> Result<Vec<Move>, H::Error> {
        let mut moves = Vec::with_capacity(64);
        if self.end.get().is_some() {
            return Ok(moves);
        }
        if self.is_second() {
            return self.moves2(hooks);
        }
        for from in 0..self.book.map().squares() as u16 {
            let Some(handle) = self.at(from).filter(|&handle| self.is_mine(handle)) else { continue };
            if hooks.known_reach(self, handle, from, &mut |to| moves.push(Move::new(from, to))) {
                continue;
            }
            let squares = self.destinations(hooks, handle, from)?;
            moves.extend(squares.into_iter().map(|to| Move::new(from, to)));
        }
        Ok(moves)
    }

    /// Returns the sides whose captains are attacked: red's, blue's.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn checks<H: Hooks>(&self, hooks: &H) -> Result<[bool; 2], H::Error> {
        let mut checks = [false; 2];
        for from in 0..self.book.map().squares() as u16 {
            let Some(handle) = self.at(from) else { continue };
            let Some(owner) = self.piece(handle).owner else { continue };
            let theirs = |to: u16| {
                self.at(to).is_some_and(|other| {
                    let other = self.piece(other);
                    other.captain && other.owner == Some(owner.other())
                })
            };
            let attacked = self.destinations(hooks, handle, from)?.into_iter().any(theirs);
            checks[owner.other().index()] |= attacked;
        }
        Ok(checks)
    }

    /// Carries out the first part of a ply, and `JBQ.move` of extensions: counters, the capture of a captain, the
    /// step, promotion. `apart`: the squares were written differently.
    ///
    /// # Errors
    /// The failure; then part of it is done.
    pub fn shift<H: Hooks>(&self, hooks: &H, from: u16, to: u16, apart: bool) -> Result<(), H::Error> {
        if self.is_second() {
            self.shift2(from, to);
            return Ok(());
        }
        let mover = if self.said_turn.get() == 1 { Side::First } else { Side::Second };
        let piece = self.at(from);
        if self.book.map().neutral_limit {
            let is_neutral = piece.is_some_and(|handle| self.piece(handle).owner.is_none());
            let mut neutral = self.neutral.get();
            let counter = &mut neutral[mover.index()];
            *counter = if is_neutral { counter.saturating_add(1) } else { 0 };
            self.neutral.set(neutral);
        }
        if apart && self.at(to).is_some_and(|taken| self.piece(taken).captain) {
            self.finish(Outcome::Win(mover, "captain-taken"));
        }
        if from != to {
            let mut changed = self.changed.borrow_mut();
            changed.square(from);
            changed.square(to);
            drop(changed);
            let mut pieces = self.pieces.borrow_mut();
            let mut cells = self.cells.borrow_mut();
            if let Some(taken) = std::mem::replace(&mut cells[usize::from(to)], piece) {
                pieces[taken as usize].at = None;
            }
            cells[usize::from(from)] = None;
            if let Some(handle) = piece {
                pieces[handle as usize].at = Some(to);
            }
        }
        if self.book.map().promotion { self.promote(hooks) } else { Ok(()) }
    }

    /// Promotes every piece that stands on a place of its promotion, square by square: a later promotion may depend
    /// on an earlier one.
    fn promote<H: Hooks>(&self, hooks: &H) -> Result<(), H::Error> {
        for at in 0..self.book.map().squares() as u16 {
            let Some(handle) = self.at(at).filter(|&handle| !self.piece(handle).promoted) else { continue };
            let condition = self.promotion(hooks, handle)?;
            if self.holds(hooks, &condition, at)? {
                self.changed.borrow_mut().square(at);
                self.pieces.borrow_mut()[handle as usize].promoted = true;
            }
        }
        Ok(())
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// The failure; then part of it is done, and [`Live::recall`] is due.
    pub fn play<H: Hooks>(&self, hooks: &H, m: Move) -> Result<(), H::Error> {
        if self.is_second() {
            return self.play2(hooks, m);
        }
        self.shift(hooks, m.from, m.to, m.from != m.to)?;
        hooks.after_move(self, m)?;
        self.turn.set(self.turn.get().other());
        self.said_turn.set(self.turn.get().index() as i64 + 1);
        Ok(())
    }

    /// Saves the state of the game without the memory of extensions.
    #[must_use]
    pub fn memory(&self) -> Memory {
        Memory {
            pieces: self.pieces.borrow().clone(),
            cells: self.cells.borrow().clone(),
            turn: self.turn.get(),
            said_turn: self.said_turn.get(),
            neutral: self.neutral.get(),
            end: self.end.get(),
            second: self.second.borrow().clone(),
            act: self.act.borrow().clone(),
        }
    }

    /// Restores a saved state.
    pub fn recall(&self, memory: &Memory) {
        self.stir();
        self.second.borrow_mut().clone_from(&memory.second);
        self.act.borrow_mut().clone_from(&memory.act);
        self.pieces.borrow_mut().clone_from(&memory.pieces);
        self.cells.borrow_mut().clone_from(&memory.cells);
        self.turn.set(memory.turn);
        self.said_turn.set(memory.said_turn);
        self.neutral.set(memory.neutral);
        self.end.set(memory.end);
    }

    /// Returns the state of the game, with those moves.
    #[must_use]
    pub fn scene(&self, moves: Vec<Move>) -> Scene {
        let pieces = self.cells.borrow().iter().map(|cell| cell.map(|handle| self.present(handle))).collect();
        let choices = if moves.is_empty() { Vec::new() } else { self.offered.borrow().clone() };
        Scene {
            second: self.is_second().then(|| self.position().second.clone()).flatten(),
            choices,
            pieces,
            turn: self.turn.get(),
            neutral: self.neutral.get(),
            end: self.end.get(),
            moves,
            fault: None,
            draws: 0,
        }
    }

    fn present(&self, handle: Handle) -> Present {
        let piece = self.piece(handle);
        let usual = &self.book.map().kinds[usize::from(piece.id) - 1].name;
        let called = piece
            .name
            .clone()
            .or_else(|| (piece.id != piece.kind).then(|| self.table_name(piece.kind)))
            .filter(|name| **name != **usual);
        Present {
            id: piece.id,
            promoted: piece.promoted,
            owner: piece.owner,
            captain: piece.captain,
            name: called,
        }
    }

    /// Returns the name of a piece in the table.
    #[must_use]
    pub fn table_name(&self, kind: u16) -> Arc<str> {
        Arc::from(self.book.map().kinds[usize::from(kind) - 1].name.as_str())
    }

    /// Returns the facts about the pieces that the board does not show.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn details<H: Hooks>(&self, hooks: &H) -> Result<Details, H::Error> {
        let mut pieces = Vec::new();
        for at in 0..self.book.map().squares() as u16 {
            let Some(handle) = self.at(at) else { continue };
            if let Some(detail) = self.detail2(hooks, handle, at) {
                pieces.push(detail);
                continue;
            }
            pieces.push(Detail {
                at,
                now: self.now(hooks, handle)?,
                rule: self.rule(hooks, handle, false)?.source.to_string(),
                promotes: self.promotion(hooks, handle)?.source.to_string(),
                promoted: self.rule(hooks, handle, true)?.source.to_string(),
                attributes: hooks.attributes(self, handle),
            });
        }
        Ok(Details { pieces, checks: self.checks(hooks)? })
    }
}

fn step(direction: i64) -> Option<u32> {
    (1..=8).contains(&direction).then(|| direction as u32 - 1)
}

/// A set of squares of the largest board: those met so far.
struct Seen([u64; 64]);

impl Seen {
    /// Adds a square and returns true if it is met for the first time.
    fn add(&mut self, square: u16) -> bool {
        let (word, bit) = (usize::from(square) / 64, 1 << (square % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }
}
