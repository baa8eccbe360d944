//! Questions that extensions of level 2 ask about the board, and the changes they make to it.

use kernel::Side;

use super::UNLIMITED;
use super::hooked::MOST_STEPS;
use crate::live::{Handle, Hooks, Live, MOST_PIECES};

/// A set of squares of the largest board.
struct Met([u64; 64]);

impl Met {
    fn add(&mut self, at: u16) -> bool {
        let (word, bit) = (usize::from(at / 64), 1u64 << (at % 64));
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }
}

impl Live {
    /// Returns true if a square is part of the board: not off it by the sheet `terrain`.
    #[must_use]
    pub fn is_square(&self, at: u16) -> bool {
        usize::from(at) < self.book.map().squares()
            && self.book.level2().is_none_or(|(_, compiled)| !compiled.off.contains(at))
    }

    /// Returns the squares in a direction, 1 to 8, up to the border.
    #[must_use]
    pub fn line(&self, at: u16, direction: i64) -> Option<Vec<u16>> {
        let direction = u32::try_from(direction.checked_sub(1)?).ok()?;
        let direction = self.directions().find(|&known| known == direction)?;
        let pos = self.position();
        let mut squares = Vec::new();
        let mut next = pos.neighbour(at, direction);
        while let Some(to) = next {
            squares.push(to);
            next = pos.neighbour(to, direction);
        }
        Some(squares)
    }

    /// Returns the squares next to a square in all directions, by rising square.
    #[must_use]
    pub fn around(&self, at: u16) -> Vec<u16> {
        let pos = self.position();
        self.directions().filter_map(|direction| pos.neighbour(at, direction)).collect()
    }

    /// The directions of the board, from 0: a hex board has no first and no last.
    fn directions(&self) -> std::ops::Range<u32> {
        if self.is_hex() { 1..7 } else { 0..8 }
    }

    fn is_hex(&self) -> bool {
        self.book.level2().is_some_and(|(rules, _)| rules.board == super::BoardKind::Hex)
    }

    /// Returns the number of steps from one square to another on an empty board of that kind.
    #[must_use]
    pub fn distance(&self, one: u16, other: u16) -> u32 {
        let cols = i32::from(self.book.map().cols);
        let (one, other) = (i32::from(one), i32::from(other));
        let (down, right) = (other / cols - one / cols, other % cols - one % cols);
        // On a hex board two of the eight directions are missing.
        if self.is_hex() && (down < 0) == (right < 0) {
            (down.abs() + right.abs()) as u32
        } else {
            down.abs().max(right.abs()) as u32
        }
    }

    /// Returns the squares at most that many steps from a square, without it.
    #[must_use]
    pub fn near(&self, at: u16, steps: i64) -> Vec<u16> {
        let is_near = |&to: &u16| to != at && i64::from(self.distance(at, to)) <= steps;
        (0..self.book.map().squares() as u16).filter(|&to| self.is_square(to)).filter(is_near).collect()
    }

    /// Returns the squares of a terrain; `None` if no square has that name.
    #[must_use]
    pub fn zone(&self, name: &str) -> Option<Vec<u16>> {
        let (rules, _) = self.book.level2()?;
        let named = (0u16..).zip(&rules.terrain).filter(|(_, names)| names.iter().any(|one| one == name));
        Some(named.map(|(at, _)| at).collect()).filter(|squares: &Vec<u16>| !squares.is_empty())
    }

    /// Returns the names of terrain of a square.
    #[must_use]
    pub fn terrain(&self, at: u16) -> &[String] {
        let names = self.book.level2().and_then(|(rules, _)| rules.terrain.get(usize::from(at)));
        names.map_or(&[], Vec::as_slice)
    }

    /// Returns the squares of pieces of one side that hang together with the piece on a square, by rising square, and
    /// the vacant squares that they touch. Both are empty where nothing stands.
    #[must_use]
    pub fn group(&self, at: u16) -> (Vec<u16>, Vec<u16>) {
        let Some(owner) = self.at(at).map(|handle| self.piece(handle).owner) else {
            return Default::default();
        };
        let pos = self.position();
        let mut met = Met([0; 64]);
        met.add(at);
        let (mut open, mut group, mut free) = (vec![at], Vec::new(), Vec::new());
        while let Some(at) = open.pop() {
            group.push(at);
            pos.touching(at, |to| match self.at(to) {
                None => {
                    if met.add(to) {
                        free.push(to);
                    }
                }
                Some(handle) => {
                    if self.piece(handle).owner == owner && met.add(to) {
                        open.push(to);
                    }
                }
            });
        }
        group.sort_unstable();
        free.sort_unstable();
        (group, free)
    }

    /// Returns true if pieces of a side that hang together stand in both zones.
    #[must_use]
    pub fn joined(&self, side: Side, one: &[u16], other: &[u16]) -> bool {
        let owns = |at: u16| self.at(at).is_some_and(|handle| self.piece(handle).owner == Some(side));
        one.iter().filter(|&&at| owns(at)).any(|&at| {
            let (group, _) = self.group(at);
            other.iter().any(|to| group.binary_search(to).is_ok())
        })
    }

    /// Returns the pieces on the board, by rising square: those of an owner, and with a name, where they are given.
    #[must_use]
    pub fn standing(&self) -> Vec<(u16, Handle)> {
        let cells = self.cells.borrow();
        (0u16..).zip(cells.iter()).filter_map(|(at, handle)| Some((at, (*handle)?))).collect()
    }

    /// Returns the squares that a piece may go to by the table, no hook asked.
    #[must_use]
    pub fn reach_by_table(&self, at: u16) -> Vec<u16> {
        self.groups2(at).iter().flatten().copied().collect()
    }

    /// Returns true if a side could take a piece of the other side on a square, where it stands or, on a vacant square,
    /// stood. `reach` gives the squares that a piece may go to.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn attacked<E>(
        &self,
        at: u16,
        side: Side,
        reach: impl Fn(Handle, u16) -> Result<Vec<u16>, E>,
    ) -> Result<bool, E> {
        let is_vacant = self.at(at).is_none();
        let memory = is_vacant.then(|| self.memory());
        if is_vacant && !self.put_prey(at, side.other()) {
            return Ok(false);
        }
        let mut found = Ok(false);
        for (from, handle) in self.standing() {
            if from == at || self.piece(handle).owner != Some(side) {
                continue;
            }
            match reach(handle, from) {
                Ok(squares) if squares.contains(&at) => found = Ok(true),
                Ok(_) => continue,
                Err(error) => found = Err(error),
            }
            break;
        }
        if let Some(memory) = memory {
            self.recall(&memory);
        }
        found
    }

    /// Puts a piece of a side on a vacant square, an ordinary one if there is one; returns false if it has none.
    fn put_prey(&self, at: u16, side: Side) -> bool {
        let kinds = 1..=self.book.map().kinds.len() as u16;
        let own = kinds.filter(|&kind| self.book.owner(kind) == Some(side));
        let kind = own.clone().find(|&kind| !self.book.is_captain(kind)).or_else(|| own.clone().next());
        kind.is_some_and(|kind| {
            self.count() < MOST_PIECES && {
                self.put(kind, at);
                true
            }
        })
    }

    /// Takes a piece off the board, if one stands there.
    pub fn remove(&self, at: u16) -> Option<Handle> {
        let handle = self.cells.borrow_mut()[usize::from(at)].take()?;
        self.change(handle, |piece| piece.at = None);
        self.act.borrow_mut().has_removed = true;
        Some(handle)
    }

    /// Puts a piece back that has left the board; one that stood there leaves it.
    pub fn put_back(&self, handle: Handle, at: u16) {
        self.remove(at);
        self.cells.borrow_mut()[usize::from(at)] = Some(handle);
        self.change(handle, |piece| piece.at = Some(at));
    }

    /// Returns the row of the table of a piece's name: one of the side to move, if there are several.
    #[must_use]
    pub fn kind_named(&self, name: &str) -> Option<u16> {
        let named = || {
            let kinds = (1u16..).zip(&self.book.map().kinds);
            kinds.filter(|(_, kind)| kind.name == name).map(|(row, _)| row)
        };
        let own = named().find(|&row| self.book.owner(row) == Some(self.turn.get()));
        own.or_else(|| named().next())
    }

    /// Returns the pieces in the hand of a side: row of the table and number, -1 for any number.
    #[must_use]
    pub fn hand(&self, side: Side) -> Vec<(u16, i64)> {
        let hands = self.position().hands();
        let own = hands.into_iter().filter(|(owner, ..)| *owner == side);
        own.map(|(_, kind, count)| (kind, if count == UNLIMITED { -1 } else { count.into() })).collect()
    }

    /// Adds pieces to the hand of a side, or takes some away; false if the map has no such hand, or the hand not enough of them.
    #[must_use]
    pub fn give(&self, side: Side, kind: u16, count: i64) -> bool {
        let Some((_, compiled)) = self.book.level2() else { return false };
        let Some(held) = compiled.droppable.iter().position(|&one| one == (side, kind)) else { return false };
        self.progress(|progress| {
            let now = &mut progress.hands[held];
            if *now == UNLIMITED {
                return true;
            }
            let sum = count.checked_add(i64::from(*now)).and_then(|sum| u16::try_from(sum).ok());
            let sum = sum.filter(|&sum| sum < UNLIMITED);
            *now = sum.unwrap_or(*now);
            sum.is_some()
        })
    }

    /// Adds points to those of a side, or takes some away, and returns its points.
    pub fn add_score(&self, side: Side, points: i64) -> i64 {
        if points != 0 {
            self.progress(|progress| {
                let now = &mut progress.score[side.index()];
                *now = i64::from(*now).saturating_add(points).clamp(0, u32::MAX.into()) as u32;
            });
        }
        self.position().points()[side.index()].into()
    }

    /// Lets the same side act once more after this ply, with the pieces on those squares only.
    ///
    /// # Errors
    /// The reason for which it cannot, as one of [`AgainError`].
    pub fn act_again(&self, only: Option<Vec<u16>>) -> Result<(), AgainError> {
        let mut act = self.act.borrow_mut();
        if !act.is_on {
            return Err(AgainError::NotNow);
        }
        if self.step() >= MOST_STEPS {
            return Err(AgainError::TooLong);
        }
        act.again = Some(only);
        Ok(())
    }

    /// The number of this ply in the turn, from 1.
    #[must_use]
    pub fn step(&self) -> u16 {
        self.second.borrow().as_ref().map_or(1, |progress| progress.step)
    }

    /// The number of plies before this one.
    #[must_use]
    pub fn ply(&self) -> u32 {
        let ply = self.second.borrow().as_ref().map_or(0, |progress| progress.ply);
        ply - u32::from(self.act.borrow().is_on).min(ply)
    }

    /// The pieces that this ply has taken.
    #[must_use]
    pub fn captured(&self) -> Vec<Handle> {
        self.act.borrow().captured.clone()
    }

    /// The text of the choice that this ply made.
    #[must_use]
    pub fn choice(&self) -> Option<std::sync::Arc<str>> {
        self.act.borrow().choice.clone()
    }

    /// Every square that a piece may go to, hooks asked.
    ///
    /// # Errors
    /// The failure of a hook.
    pub fn reach_of<H: Hooks>(&self, hooks: &H, handle: Handle, at: u16) -> Result<Vec<u16>, H::Error> {
        let mut squares = self.destinations(hooks, handle, at)?;
        squares.retain(|&to| self.is_square(to));
        Ok(squares)
    }
}

/// The reasons for which a side cannot act once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgainError {
    /// The call came outside of `after_move`: only there is a turn to go on with.
    NotNow,
    /// The turn has [`MOST_STEPS`] plies.
    TooLong,
}
