//! Play of level 2 where extensions have a say: the table of pieces in play, with the rules of this level.
//!
//! The rules see a [`Jingbanqi`] that is put together from the pieces in play and kept until something changes. A ply
//! is carried out by it, told to the pieces, and judged after `after_move`.

use std::rc::Rc;
use std::sync::Arc;

use kernel::{Outcome, Side};

use super::{Altered, MOST_COUNT, Progress};
use crate::Rulebook;
use crate::extension::{Choices, Detail};
use crate::live::{Groups, Handle, Hooks, Live};
use crate::position::{CHOICE, Jingbanqi, Move, PROMOTED, SWAP, Standing};

/// The most plies of a turn in which a side acts several times.
pub const MOST_STEPS: u16 = 64;

/// A ply that is being played.
#[derive(Clone, Debug, Default)]
pub struct Act {
    /// The pieces that were taken.
    pub captured: Vec<Handle>,
    /// The choice that was made.
    pub choice: Option<Arc<str>>,
    /// True while extensions act after the move.
    pub is_on: bool,
    /// True once an extension has taken a piece off the board.
    pub has_removed: bool,
    /// The request that the same side acts once more, and with the pieces on those squares only.
    pub again: Option<Option<Vec<u16>>>,
}

/// Returns true if hands, counters and turns are possible by those rules while that side is to move.
#[must_use]
pub fn fits(book: &Rulebook, progress: &Progress, turn: Side) -> bool {
    let Some((rules, compiled)) = book.level2() else { return false };
    let order = &rules.turns.order;
    let on_board = |at: u16| usize::from(at) < book.map().squares();
    progress.hands.len() == compiled.start.len()
        && usize::from(progress.place) < order.places()
        && order.side(progress.place.into()) == turn
        && progress.passes <= 2
        && (rules.turns.pie || rules.turns.claim || !progress.swapped)
        && progress.bags.len() == rules.in_bags.len()
        && progress.bags.iter().all(|&left| u32::from(left) <= MOST_COUNT)
        && (1..=MOST_STEPS).contains(&progress.step)
        && progress.only.iter().flatten().all(|&at| on_board(at))
        && progress.altered.iter().all(|one| on_board(one.at))
        && progress.altered.windows(2).all(|pair| pair[0].at < pair[1].at)
}

impl Live {
    /// Returns true if the map is of level 2.
    #[must_use]
    pub fn is_second(&self) -> bool {
        self.second.borrow().is_some()
    }

    /// Returns the position by the rules of level 2, without extensions.
    ///
    /// # Panics
    /// The map is of level 1.
    #[must_use]
    pub fn position(&self) -> Rc<Jingbanqi> {
        if let Some(seen) = &*self.seen.borrow() {
            return Rc::clone(seen);
        }
        let mut second = self.second.borrow().clone().expect("a map of level 2");
        second.altered.clear();
        let pieces = self.pieces.borrow();
        let cells = self.cells.borrow();
        let cell = |(at, handle): (u16, &Option<Handle>)| {
            let Some(handle) = *handle else { return 0 };
            let piece = &pieces[handle as usize];
            let (owner, captain) = (piece.owner, piece.captain);
            if (owner, captain) != (self.book.owner(piece.id), self.book.is_captain(piece.id)) {
                second.altered.push(Altered { at, owner, captain });
            }
            piece.id | if piece.promoted { PROMOTED } else { 0 }
        };
        let cells: Box<[u16]> = (0u16..).zip(cells.iter()).map(cell).collect();
        let state = (self.turn.get(), self.neutral.get(), self.end.get());
        let seen = Rc::new(Jingbanqi::assembled(Arc::clone(&self.book), cells, state, second));
        *self.seen.borrow_mut() = Some(Rc::clone(&seen));
        seen
    }

    /// Changes hands, counters or turns.
    pub(crate) fn progress<R>(&self, change: impl FnOnce(&mut Progress) -> R) -> R {
        self.stir();
        change(self.second.borrow_mut().as_mut().expect("a map of level 2"))
    }

    /// The squares that a piece may go to by the table, each a group.
    pub(crate) fn groups2(&self, at: u16) -> Groups {
        let mut groups = Vec::new();
        let pos = self.position();
        if let Some(piece) = pos.piece(at) {
            pos.destinations2(at, piece, |to| groups.push(vec![to]));
        }
        groups.into_iter().collect()
    }

    /// Every legal move of the side to move.
    pub(crate) fn moves2<H: Hooks>(&self, hooks: &H) -> Result<Vec<Move>, H::Error> {
        let pos = self.position();
        let Some((_, compiled)) = self.book.level2() else { return Ok(Vec::new()) };
        let only = self.second.borrow().as_ref().and_then(|progress| progress.only.clone());
        let (mut moves, mut offered) = (Vec::with_capacity(64), Vec::new());
        for from in pos.squares() {
            if only.as_ref().is_some_and(|only| !only.contains(&from)) {
                continue;
            }
            let Some(handle) = self.at(from).filter(|&handle| self.is_mine(handle)) else { continue };
            let Some(piece) = pos.piece(from) else { continue };
            let kind = &compiled.kinds[usize::from(piece.id) - 1];
            let becomes = kind.becomes.len() > 1 && !piece.promoted && self.book.map().promotion;
            let turns = pos.turns_at(from);
            for to in self.destinations(hooks, handle, from)? {
                if compiled.off.contains(to) || (to == from && turns.is_some()) {
                    continue;
                }
                if let Some(turns) = turns.filter(|turns| turns.moves) {
                    pos.each_outcome(turns, (from, to), |m| moves.push(m));
                    continue;
                }
                if becomes && kind.promotes.contains(to) {
                    moves.extend(kind.becomes.iter().map(|&pick| Move { from, to, pick }));
                    continue;
                }
                let m = Move::new(from, to);
                let texts = hooks.choices(self, handle, m)?;
                if texts.is_empty() {
                    moves.push(m);
                } else {
                    let picks = (0..texts.len() as u16).map(|number| CHOICE + number);
                    moves.extend(picks.map(|pick| Move { from, to, pick }));
                    offered.push(Choices { from, to, texts });
                }
            }
            if let Some(turns) = turns.filter(|turns| !turns.moves) {
                pos.each_outcome(turns, (from, from), |m| moves.push(m));
            }
        }
        if only.is_none() {
            for m in pos.drops() {
                if hooks.may_drop(self, m.pick, m.to)? {
                    moves.push(m);
                }
            }
        }
        *self.offered.borrow_mut() = offered;
        Ok(pos.legal_of(moves))
    }

    /// Plays a ply, with `after_move`, and ends the turn unless the side acts again.
    pub(crate) fn play2<H: Hooks>(&self, hooks: &H, m: Move) -> Result<(), H::Error> {
        let before = self.position();
        let mover = self.turn.get();
        let choice = self.chosen(hooks, m)?;
        let mut after = Jingbanqi::clone(&before);
        after.advance(m);
        let stays = m.is_pressed() || m.is_drop() || m.from == m.to;
        let taken = if stays { None } else { self.at(m.to) };
        let takes_captain = taken.is_some_and(|taken| self.piece(taken).captain);
        let moved = before.moved(m);
        self.carry_out(m, &after);
        let actor = if m.is_pressed() { None } else { self.at(m.to) };
        let (place, turn) = self.take_over(&after);
        *self.act.borrow_mut() =
            Act { captured: taken.into_iter().collect(), choice, is_on: true, ..Act::default() };
        if !m.is_pressed() {
            hooks.after_move(self, m)?;
        }
        let act = std::mem::take(&mut *self.act.borrow_mut());
        let again = act.again.filter(|_| self.end.get().is_none());
        self.progress(|progress| {
            if act.has_removed {
                progress.quiet = 0;
            }
            match again {
                Some(only) => {
                    progress.step += 1;
                    progress.only = only;
                }
                None => {
                    (progress.step, progress.only) = (1, None);
                    progress.place = place;
                    self.turn.set(turn);
                }
            }
        });
        self.said_turn.set(self.turn.get().index() as i64 + 1);
        self.remember(act.has_removed);
        if m.pick != SWAP && self.end.get().is_none() {
            // What an extension has moved away has reached nothing.
            let stands = actor.is_some() && self.at(m.to) == actor;
            let moved = if stands { moved } else { 0 };
            let end = self.position().judged(mover, m, moved, takes_captain);
            self.end.set(match end {
                Some(end) if end.reason() == "points-counted" => Some(self.counted2(hooks, end)?),
                end => end,
            });
            self.stir();
        }
        Ok(())
    }

    /// Takes over hands and counters; returns the next place and side, which stay as they are until the ply is over.
    fn take_over(&self, after: &Jingbanqi) -> (u16, Side) {
        self.neutral.set(after.neutral());
        self.progress(|progress| {
            let place = progress.place;
            let next = after.second.as_deref().expect("a map of level 2");
            progress.clone_from(next);
            (std::mem::replace(&mut progress.place, place), after.colour())
        })
    }

    /// Puts the position into the list of those that count for repetition.
    fn remember(&self, is_irreversible: bool) {
        let mut pos = Jingbanqi::clone(&self.position());
        pos.remember_again(is_irreversible);
        if let Some(second) = pos.second {
            self.progress(|progress| *progress = *second);
        }
    }

    /// Returns true if a side acts once more in its turn.
    #[must_use]
    pub fn is_again(&self) -> bool {
        self.end.get().is_none() && self.second.borrow().as_ref().is_some_and(|progress| progress.step > 1)
    }

    /// Ends the turn of a side that should act once more and cannot.
    pub fn end_turn(&self) {
        let Some((rules, _)) = self.book.level2() else { return };
        self.progress(|progress| {
            let place = rules.turns.order.next(usize::from(progress.place));
            progress.place = place as u16;
            (progress.step, progress.only) = (1, None);
            self.turn.set(rules.turns.order.side(place));
        });
        self.said_turn.set(self.turn.get().index() as i64 + 1);
        self.remember(false);
    }

    /// The end by points, where extensions may count otherwise.
    fn counted2<H: Hooks>(&self, hooks: &H, end: Outcome) -> Result<Outcome, H::Error> {
        let [red, blue] = self.position().points();
        let red = hooks.score(self, Side::First)?.unwrap_or(red.into());
        let blue = hooks.score(self, Side::Second)?.unwrap_or(blue.into());
        Ok(match red.cmp(&blue) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First, end.reason()),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second, end.reason()),
            std::cmp::Ordering::Equal => Outcome::Draw(end.reason()),
        })
    }

    /// The text of the choice that a move makes.
    fn chosen<H: Hooks>(&self, hooks: &H, m: Move) -> Result<Option<Arc<str>>, H::Error> {
        match (m.choice(), self.at(m.from)) {
            (Some(choice), Some(handle)) => Ok(hooks.choices(self, handle, m)?.get(choice).cloned()),
            _ if m.pick == 0 || m.is_pressed() || m.is_drop() || m.turned().is_some() => Ok(None),
            _ => Ok(Some(self.table_name(m.pick))),
        }
    }

    /// Moves, takes, puts and promotes pieces as a position after a move has them.
    fn carry_out(&self, m: Move, after: &Jingbanqi) {
        if m.is_pressed() {
            return;
        }
        if m.is_drop() {
            self.put(m.pick, m.to);
            self.stir();
            return;
        }
        self.shift_alone(m.from, m.to);
        let (Some(handle), Some(Standing { id, promoted })) = (self.at(m.to), after.piece(m.to)) else {
            return;
        };
        let (owner, captain) = (self.book.owner(id), self.book.is_captain(id));
        self.change(handle, |piece| {
            piece.promoted = promoted;
            if piece.id != id {
                (piece.id, piece.kind, piece.name) = (id, id, None);
                (piece.owner, piece.captain) = (owner, captain);
            }
        });
    }

    /// Moves a piece; what stood there leaves the board.
    fn shift_alone(&self, from: u16, to: u16) {
        if from == to {
            return;
        }
        let mut pieces = self.pieces.borrow_mut();
        let mut cells = self.cells.borrow_mut();
        let piece = cells[usize::from(from)].take();
        if let Some(taken) = std::mem::replace(&mut cells[usize::from(to)], piece) {
            pieces[taken as usize].at = None;
        }
        if let Some(handle) = piece {
            pieces[handle as usize].at = Some(to);
        }
        drop((pieces, cells));
        self.stir();
    }

    /// Moves a piece for an extension: no promotion, no counters; a captain that is taken ends the game.
    pub(crate) fn shift2(&self, from: u16, to: u16) {
        let taken = if from == to { None } else { self.at(to) };
        if taken.is_some_and(|taken| self.piece(taken).captain) {
            self.finish(Outcome::Win(self.turn.get(), "captain-taken"));
        }
        self.shift_alone(from, to);
    }

    /// Carries out a move by the table alone: no hook acts after it, the turn stays, nothing is judged.
    pub fn attempt(&self, from: u16, to: u16) {
        let m = Move::new(from, to);
        let mut after = Jingbanqi::clone(&self.position());
        after.advance(m);
        self.carry_out(m, &after);
        let ply = self.second.borrow().as_ref().map_or(0, |progress| progress.ply);
        self.take_over(&after);
        self.progress(|progress| progress.ply = ply);
    }

    /// The facts about a piece of level 2 that the board does not show; `None` at level 1.
    pub(crate) fn detail2<H: Hooks>(&self, hooks: &H, handle: Handle, at: u16) -> Option<Detail> {
        if !self.is_second() {
            return None;
        }
        let pos = self.position();
        let detail = pos.detail(at, pos.piece(at)?);
        Some(Detail { attributes: hooks.attributes(self, handle), ..detail })
    }
}
