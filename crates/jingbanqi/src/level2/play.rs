//! Play by the rules of level 2.

use std::sync::Arc;

use kernel::{Eyes, Outcome, Position as _, Side};

use super::compiled::{Compiled2, CompiledKind, CompiledWay};
use super::hidden::{Fought, Losses, Secrets};
use super::turns::{Repetition, Sees, Stuck};
use super::ways::{ANY_DISTANCE, Course, Mode};
use super::{Level2, UNLIMITED};
use crate::compiled::OFF;
use crate::place::Squares;
use crate::position::{CHOICE, Jingbanqi, Move, PASS, PROMOTED, SWAP, Standing};
use crate::rule::STEPS;

/// The part of a position that only level 2 has. Sides are colours here: red is the first even after a swap.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// The place in the order of turns.
    pub place: u16,
    /// Plies since the start.
    pub ply: u32,
    /// Plies since the last capture.
    pub quiet: u32,
    /// Passes in a row.
    pub passes: u8,
    /// True if the players have exchanged colours.
    pub swapped: bool,
    /// The points of taken pieces, by the colour that took them.
    pub score: [u32; 2],
    /// The number of pieces in hands, in the order of the compiled rules.
    pub hands: Box<[u16]>,
    /// The number of pieces that are left in bags, in the order of the rules.
    pub bags: Box<[u16]>,
    /// The number of pieces that were turned over since the start, or since the FEN that the game began from.
    pub draws: u32,
    /// The number of this ply in the turn, from 1: an extension may let a side act several times.
    pub step: u16,
    /// The squares of the pieces that may act now; `None` for all. Set by extensions from the second step on.
    pub only: Option<Vec<u16>>,
    /// The pieces whose side or captaincy differs from the table's, by rising square.
    pub altered: Vec<Altered>,
    /// The positions since the last irreversible move, this one among them; kept where repetition counts.
    #[cfg_attr(feature = "serde", serde(skip))]
    past: Option<Arc<Past>>,
    /// The secrets of both sides; `None` in a map without secrets.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) secrets: Option<Box<Secrets>>,
}

impl Progress {
    /// The progress of a game that begins with a side.
    pub(crate) fn start(compiled: &Compiled2, level2: &Level2, turn: Side) -> Progress {
        let order = &level2.turns.order;
        let place = (0..order.places()).find(|&place| order.side(place) == turn).unwrap_or(0);
        Progress {
            place: place as u16,
            ply: 0,
            quiet: 0,
            passes: 0,
            swapped: false,
            score: [0; 2],
            hands: compiled.start.clone().into(),
            bags: level2.in_bags.iter().map(|one| one.count).collect(),
            draws: 0,
            step: 1,
            only: None,
            altered: Vec::new(),
            past: None,
            secrets: None,
        }
    }
}

/// A piece whose side or captaincy an extension has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Altered {
    /// The square of the piece.
    pub at: u16,
    /// The side that owns it; `None` for a neutral one.
    pub owner: Option<Side>,
    /// True if the side that takes this piece wins.
    pub captain: bool,
}

/// A list of keys of positions, the last first.
struct Past {
    key: u64,
    before: Option<Arc<Past>>,
}

impl std::fmt::Debug for Past {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Past").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Compares positions by their keys.
impl PartialEq for Past {
    fn eq(&self, other: &Past) -> bool {
        self.key == other.key && self.before.is_some() == other.before.is_some()
    }
}

/// One after the other, because a long list would need a long stack otherwise.
impl Drop for Past {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut past) = next.and_then(Arc::into_inner) {
            next = past.before.take();
        }
    }
}

impl Past {
    fn count(this: Option<&Arc<Past>>, key: u64) -> u32 {
        let mut next = this;
        let mut count = 0;
        while let Some(past) = next {
            count += u32::from(past.key == key);
            next = past.before.as_ref();
        }
        count
    }
}

/// The rules and the progress of a position of level 2.
#[derive(Clone, Copy)]
struct Play<'a> {
    rules: &'a Level2,
    compiled: &'a Compiled2,
    progress: &'a Progress,
}

impl Jingbanqi {
    fn level2(&self) -> Option<Play<'_>> {
        let progress = self.second.as_deref()?;
        let (rules, compiled) = self.book.level2()?;
        Some(Play { rules, compiled, progress })
    }

    /// The progress of this game at its start; `None` at level 1.
    pub(crate) fn started(book: &crate::Rulebook, turn: Side) -> Option<Box<Progress>> {
        let (rules, compiled) = book.level2()?;
        Some(Box::new(Progress::start(compiled, rules, turn)))
    }

    /// Hides what is hidden, and begins the list of positions that count for repetition.
    pub(crate) fn remember_start(&mut self) {
        self.hide_start();
        self.begin_past();
    }

    /// Begins the list of positions that count for repetition.
    pub(crate) fn begin_past(&mut self) {
        let counts = self.level2().is_some_and(|play| play.rules.turns.repeat.is_some());
        let key = if counts { self.public_key() } else { 0 };
        if let Some(progress) = self.second.as_deref_mut().filter(|_| counts) {
            progress.past = Some(Arc::new(Past { key, before: None }));
        }
    }

    /// The colour that is to move: red is the first side, also after a swap.
    #[must_use]
    pub fn colour(&self) -> Side {
        self.turn
    }

    /// The player of a colour.
    #[must_use]
    pub fn player(&self, colour: Side) -> Side {
        if self.second.as_ref().is_some_and(|progress| progress.swapped) { colour.other() } else { colour }
    }

    /// The number of pieces in hands that each colour may put on the board, by row of the table;
    /// [`UNLIMITED`] for any number. Empty at level 1.
    #[must_use]
    pub fn hands(&self) -> Vec<(Side, u16, u16)> {
        let Some(play) = self.level2() else { return Vec::new() };
        let counts = play.compiled.droppable.iter().zip(&play.progress.hands);
        counts.filter(|(_, count)| **count > 0).map(|(&(side, kind), &count)| (side, kind, count)).collect()
    }

    /// The points that each colour has: those of taken pieces, or of pieces on the board where they count.
    #[must_use]
    pub fn points(&self) -> [u32; 2] {
        let Some(play) = self.level2() else { return [0; 2] };
        if play.rules.turns.score.as_ref().is_some_and(|score| score.first_to.is_some()) {
            return play.progress.score;
        }
        let mut points = play.progress.score;
        for at in self.squares() {
            let Some(piece) = self.piece(at) else { continue };
            if let Some(owner) = self.owner_at(at) {
                points[owner.index()] += play.compiled.kinds[usize::from(piece.id) - 1].points;
            }
        }
        points
    }

    /// Returns true if a square is one of the places of a goal, by its number.
    #[must_use]
    pub fn is_goal(&self, goal: usize, at: u16) -> bool {
        self.book
            .level2()
            .and_then(|(_, compiled)| compiled.goals.get(goal))
            .is_some_and(|goal| goal.contains(at))
    }

    fn altered(&self, at: u16) -> Option<&Altered> {
        let altered = &self.second.as_deref()?.altered;
        altered.iter().find(|one| one.at == at)
    }

    /// Returns the side that owns the piece on a square; `None` for a neutral one or none.
    pub(crate) fn owner_at(&self, at: u16) -> Option<Side> {
        match (self.cells[usize::from(at)] & !PROMOTED, self.altered(at)) {
            (0, _) => None,
            (_, Some(altered)) => altered.owner,
            (id, None) => self.book.owner(id),
        }
    }

    fn is_captain_at(&self, at: u16) -> bool {
        match (self.cells[usize::from(at)] & !PROMOTED, self.altered(at)) {
            (0, _) => false,
            (_, Some(altered)) => altered.captain,
            (id, None) => self.book.is_captain(id),
        }
    }

    /// The square next to a square in a direction, 0 to 7; `None` off the board.
    #[must_use]
    pub fn neighbour(&self, at: u16, direction: u32) -> Option<u16> {
        Some(self.book.step(at, direction)).filter(|&to| to != OFF)
    }

    /// Passes the squares that touch a square: six on a hex board of level 2, four on others.
    pub fn touching(&self, at: u16, each: impl FnMut(u16)) {
        let touching = self.book.level2().map_or(0b0101_1010, |(_, compiled)| compiled.touching);
        let directions = (0..STEPS.len() as u32).filter(|direction| touching >> direction & 1 == 1);
        directions.filter_map(|direction| self.neighbour(at, direction)).for_each(each);
    }

    /// Passes each square that the piece may go to by the rules of level 2, once.
    pub(crate) fn destinations2(&self, from: u16, piece: Standing, mut go: impl FnMut(u16)) {
        let Some((_, compiled)) = self.book.level2() else { return };
        let kind = &compiled.kinds[usize::from(piece.id) - 1];
        if kind.may_meet[usize::from(piece.promoted)] {
            let mut met = [0u64; 64];
            self.reach2(compiled, kind, from, piece, |to| {
                let (word, bit) = (usize::from(to / 64), 1u64 << (to % 64));
                if met[word] & bit == 0 {
                    met[word] |= bit;
                    go(to);
                }
            });
        } else {
            self.reach2(compiled, kind, from, piece, go);
        }
    }

    fn reach2(
        &self,
        compiled: &Compiled2,
        kind: &CompiledKind,
        from: u16,
        piece: Standing,
        mut go: impl FnMut(u16),
    ) {
        let owner = self.owner_at(from);
        let may_stand = |to: u16| kind.within.as_ref().is_none_or(|within| within.contains(to));
        let takes = |to: u16, id: u16| {
            owner.is_some_and(|side| self.owner_at(to) == Some(side.other()))
                && kind
                    .takes
                    .as_ref()
                    .is_none_or(|takes| takes[usize::from(id - 1) / 64] >> ((id - 1) % 64) & 1 == 1)
        };
        // Returns true where the way goes on.
        let mut land = |way: &CompiledWay, to: u16| match self.cells[usize::from(to)] & !PROMOTED {
            0 => {
                if way.mode != Mode::Take && may_stand(to) {
                    go(to);
                }
                true
            }
            id => {
                if way.mode != Mode::Walk && takes(to, id) && may_stand(to) {
                    go(to);
                }
                false
            }
        };
        for way in &kind.ways[usize::from(piece.promoted)] {
            if way.when.as_ref().is_some_and(|when| !when.contains(from)) {
                continue;
            }
            match way.course {
                Course::Leap(down, right) => {
                    if let Some(to) = self.leap(compiled, from, (down, right), way.lame) {
                        land(way, to);
                    }
                }
                Course::Line(direction, most) => {
                    // A step over a piece ends behind it.
                    let mut left = if way.over && most == 1 { 2 } else { most };
                    let mut is_over = !way.over;
                    let mut to = self.book.step(from, u32::from(direction));
                    while to != OFF && left > 0 {
                        if is_over {
                            if !land(way, to) {
                                break;
                            }
                        } else {
                            is_over = self.cells[usize::from(to)] != 0;
                        }
                        left -= u8::from(left != ANY_DISTANCE);
                        to = self.book.step(to, u32::from(direction));
                    }
                }
            }
        }
    }

    /// The square of a leap; `None` off the board, or where a piece is in the way: first straight, then slanted.
    fn leap(&self, compiled: &Compiled2, from: u16, (down, right): (i8, i8), lame: bool) -> Option<u16> {
        let (rows, cols) = (i32::from(self.book.map().rows), i32::from(self.book.map().cols));
        let (down, right) = (i32::from(down), i32::from(right));
        let (row, col) = (i32::from(from) / cols, i32::from(from) % cols);
        let square = |row: i32, col: i32| {
            let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
            inside.then(|| (row * cols + col) as u16)
        };
        let to = square(row + down, col + right).filter(|&to| !compiled.off.contains(to))?;
        if lame {
            let straight = (down.abs() - right.abs()).abs();
            let steps = down.abs().max(right.abs());
            let (mut row, mut col) = (row, col);
            for step in 0..steps - 1 {
                let is_straight = step < straight;
                if !is_straight || down.abs() > right.abs() {
                    row += down.signum();
                }
                if !is_straight || right.abs() > down.abs() {
                    col += right.signum();
                }
                if square(row, col).is_some_and(|at| self.cells[usize::from(at)] != 0) {
                    return None;
                }
            }
        }
        Some(to)
    }

    /// Returns true if a captain of a colour could be taken.
    pub(crate) fn is_attacked2(&self, colour: Side) -> bool {
        let mut found = false;
        for from in self.squares() {
            let Some(piece) = self.piece(from).filter(|_| !found) else { continue };
            if self.owner_at(from) == Some(colour.other()) {
                self.destinations2(from, piece, |to| {
                    found |= self.is_captain_at(to);
                });
            }
        }
        found
    }

    /// Passes every legal move, in the order of squares, then drops, then what is pressed.
    pub(crate) fn each_move2(&self, mut play: impl FnMut(Move)) {
        let Some(Play { rules, progress, .. }) = self.level2().filter(|_| self.end.is_none()) else { return };
        if let Some(secrets) = progress.secrets.as_deref() {
            if self.arranges(self.turn) {
                return self.each_arrangement(play);
            }
            match secrets.eyes {
                // Whatever may be played follows from what the mover sees.
                Eyes::All if rules.turns.sees == Sees::Own => {
                    return self.hidden_from(Eyes::Seat(self.turn)).each_move2(play);
                }
                eyes if !eyes.sees(self.turn) => return,
                _ => {}
            }
        }
        let turns = &rules.turns;
        let forbids = matches!(turns.repeat, Some((_, Repetition::Forbidden)));
        if turns.must_take || turns.safe || forbids {
            let mut moves = Vec::new();
            self.each_board_move(|m| moves.push(m));
            return self.legal_of(moves).into_iter().for_each(play);
        }
        let mut is_any = false;
        self.each_board_move(|m| {
            is_any = true;
            play(m);
        });
        if turns.pie && !progress.swapped && progress.ply as usize == turns.order.lead() {
            is_any = true;
            play(Move::pressed(SWAP));
        }
        if turns.pass || (turns.stuck == Stuck::Pass && !is_any) {
            play(Move::pressed(PASS));
        }
    }

    /// Leaves of moves of pieces and those from the hand the legal ones, and adds those that are pressed.
    pub(crate) fn legal_of(&self, mut moves: Vec<Move>) -> Vec<Move> {
        let Some(Play { rules, progress, .. }) = self.level2() else { return moves };
        let turns = &rules.turns;
        // Chance alone decides which of its outcomes a choice has: all of them are legal, or none.
        let is_one_choice = |a: &Move, b: &Move| {
            let is_drawn = |m: &Move| m.turned().is_some() || m.lots().is_some();
            (a.from, a.to) == (b.from, b.to) && is_drawn(a) && is_drawn(b)
        };
        let allowed = moves.chunk_by(is_one_choice).filter(|some| some.iter().any(|&m| self.is_allowed(m)));
        moves = allowed.flatten().copied().collect();
        let has_taken = turns.must_take && moves.iter().any(|&m| self.takes(m));
        if has_taken {
            moves.retain(|&m| self.takes(m));
        }
        if turns.pie && !progress.swapped && progress.ply as usize == turns.order.lead() && progress.step == 1
        {
            moves.push(Move::pressed(SWAP));
        }
        let may_pass = turns.pass || (turns.stuck == Stuck::Pass && moves.is_empty());
        if may_pass && !has_taken && self.is_allowed(Move::pressed(PASS)) {
            moves.push(Move::pressed(PASS));
        }
        moves
    }

    /// Returns true if a move takes a piece.
    fn takes(&self, m: Move) -> bool {
        m.from != m.to && self.cells[usize::from(m.to)] != 0
    }

    /// Returns true if a move leaves no own captain attacked and makes no forbidden repetition, where the map says so.
    fn is_allowed(&self, m: Move) -> bool {
        let Some(Play { rules, .. }) = self.level2() else { return true };
        let repeats = match rules.turns.repeat {
            Some((times, Repetition::Forbidden)) => Some(times),
            _ => None,
        };
        if !rules.turns.safe && repeats.is_none() {
            return true;
        }
        let mut next = self.clone();
        next.advance(m);
        let is_safe = !rules.turns.safe || !next.is_attacked2(self.turn);
        is_safe && repeats.is_none_or(|times| next.occurrences() < times)
    }

    /// Passes the moves of pieces and those from the hand, whatever they leave attacked.
    fn each_board_move(&self, mut play: impl FnMut(Move)) {
        let Some(Play { compiled, .. }) = self.level2() else { return };
        for from in self.squares() {
            let Some(piece) = self.piece(from).filter(|piece| self.is_mine(piece.id)) else { continue };
            let kind = &compiled.kinds[usize::from(piece.id) - 1];
            let chooses = kind.becomes.len() > 1 && !piece.promoted && self.book.map().promotion;
            let turns = self.turns_at(from);
            let turns_moving = turns.filter(|turns| turns.moves);
            self.destinations2(from, piece, |to| {
                if let Some(taken) = if compiled.has_secrets { self.turns_taken(to) } else { None } {
                    self.each_lot(turns_moving, taken, Move::new(from, to), &mut play);
                } else if let Some(turns) = turns_moving {
                    self.each_outcome(turns, (from, to), &mut play);
                } else if chooses && kind.promotes.contains(to) {
                    kind.becomes.iter().for_each(|&pick| play(Move { from, to, pick }));
                } else {
                    play(Move::new(from, to));
                }
            });
            if let Some(turns) = turns.filter(|turns| !turns.moves) {
                self.each_outcome(turns, (from, from), &mut play);
            }
        }
        self.each_drop(play);
    }

    fn each_drop(&self, mut play: impl FnMut(Move)) {
        let Some(Play { compiled, progress, .. }) = self.level2() else { return };
        for (&(side, pick), &count) in compiled.droppable.iter().zip(&progress.hands) {
            if side != self.turn || count == 0 {
                continue;
            }
            let within = compiled.kinds[usize::from(pick) - 1].within.as_ref();
            for at in
                self.squares().filter(|&at| self.cells[usize::from(at)] == 0 && !compiled.off.contains(at))
            {
                if within.is_none_or(|within| within.contains(at)) {
                    play(Move { from: at, to: at, pick });
                }
            }
        }
    }

    /// Returns the moves from the hand of the side to move.
    pub(crate) fn drops(&self) -> Vec<Move> {
        let mut drops = Vec::new();
        self.each_drop(|m| drops.push(m));
        drops
    }

    /// The number of times this position has stood, now included, as far as moves could be undone.
    fn occurrences(&self) -> u32 {
        let past = self.second.as_ref().and_then(|progress| progress.past.as_ref());
        past.map_or(0, |past| Past::count(Some(past), past.key))
    }

    pub(crate) fn play2(&mut self, m: Move) {
        let mover = self.turn;
        if self.arranges(mover) {
            return self.arrange(m);
        }
        // What comes from the hand does not stand there yet.
        let moved = self.moved(m);
        let losses = self.advance(m);
        if m.pick != SWAP {
            let is_captain = |id: u16| id != 0 && self.book.is_captain(id);
            self.end = match (is_captain(losses.taken), is_captain(losses.fallen)) {
                (true, true) => Some(Outcome::Draw("captain-taken")),
                (false, true) => Some(Outcome::Win(mover.other(), "captain-taken")),
                (takes, false) => self.judged(mover, m, if losses.fallen == 0 { moved } else { 0 }, takes),
            };
            if self.hides() {
                self.note_going_on(m, losses);
            }
        }
        // Later nothing could tell that a repetition was forbidden.
        let forbids = self
            .level2()
            .is_some_and(|play| matches!(play.rules.turns.repeat, Some((_, Repetition::Forbidden))));
        if self.end.is_none() && forbids && !self.can_move2() {
            self.end = Some(self.stuck2());
        }
    }

    /// The kind that moves, 0 for none; it may come from the hand, or be turned over.
    pub(crate) fn moved(&self, m: Move) -> u16 {
        match self.cells[usize::from(m.from)] & !PROMOTED {
            _ if m.is_pressed() => 0,
            _ if let Some(kind) = m.turned() => kind,
            _ if let Some(kind) = self.lots(m).and_then(|(moved, _)| self.kind_at(moved)) => kind,
            0 => m.pick,
            id => id,
        }
    }

    /// Puts this position into the list of those that count for repetition, in place of the last one.
    pub(crate) fn remember_again(&mut self, is_irreversible: bool) {
        if self.level2().is_none_or(|play| play.rules.turns.repeat.is_none()) {
            return;
        }
        let key = self.public_key();
        if let Some(progress) = self.second.as_deref_mut() {
            let before = progress.past.take().and_then(|past| past.before.clone());
            progress.past = Some(Arc::new(Past { key, before: before.filter(|_| !is_irreversible) }));
        }
    }

    /// Moves pieces, hands, counters and the turn; returns the pieces that left the board.
    pub(crate) fn advance(&mut self, m: Move) -> Losses {
        let book = Arc::clone(&self.book);
        let could = self.could_make(m);
        let lots = self.lots(m);
        let (Some((rules, compiled)), Some(mut progress)) = (book.level2(), self.second.take()) else {
            return Losses::default();
        };
        let mover = self.turn;
        let (mut taken, mut fallen) = (0, 0);
        let mut is_irreversible = m.pick != 0;
        let mut keeps_turn = false;
        if m.pick == SWAP {
            progress.swapped = true;
        } else if m.pick == PASS {
            progress.passes += 1;
            is_irreversible = false;
        } else if m.is_drop() {
            self.cells[usize::from(m.to)] = m.pick;
            let held = compiled.droppable.iter().position(|&one| one == (mover, m.pick));
            if let Some(count) =
                held.map(|held| &mut progress.hands[held]).filter(|count| **count != UNLIMITED)
            {
                *count -= 1;
            }
        } else {
            let piece = self.cells[usize::from(m.from)];
            if book.map().neutral_limit {
                let altered = progress.altered.iter().find(|one| one.at == m.from);
                let is_neutral = altered.map_or(book.owner(piece & !PROMOTED), |one| one.owner).is_none();
                let counter = &mut self.neutral[mover.index()];
                *counter = if is_neutral { counter.saturating_add(1) } else { 0 };
            }
            self.cells[usize::from(m.from)] = 0;
            let other = self.cells[usize::from(m.to)] & !PROMOTED;
            let fights = rules.turns.fight.is_some() && other != 0 && m.from != m.to;
            let fought = if fights { self.fight(piece & !PROMOTED, other) } else { Fought::Wins };
            if let Some(secrets) =
                progress.secrets.as_deref_mut().filter(|secrets| !secrets.hidden.is_empty())
            {
                let those = (could, piece & !PROMOTED, if m.from == m.to { 0 } else { other });
                self.note_move((rules, compiled), secrets, m, those, fought);
            }
            match fought {
                Fought::Wins => {
                    self.cells[usize::from(m.to)] = piece;
                    taken = other;
                }
                Fought::Falls => fallen = piece & !PROMOTED,
                Fought::Both => {
                    self.cells[usize::from(m.to)] = 0;
                    (taken, fallen) = (other, piece & !PROMOTED);
                }
            }
            is_irreversible |= fallen != 0;
            if m.from == m.to {
                taken = 0;
            } else {
                progress.altered.retain(|one| one.at != m.to);
                progress.altered.iter_mut().filter(|one| one.at == m.from).for_each(|one| one.at = m.to);
            }
            if taken != 0 {
                let prey = &compiled.kinds[usize::from(taken) - 1];
                if let Some(count) = prey.hand.map(|held| &mut progress.hands[held]) {
                    // Below the number that stands for any number.
                    *count = if *count == UNLIMITED { *count } else { (*count + 1).min(UNLIMITED - 1) };
                }
                if rules.turns.score.as_ref().is_some_and(|score| score.first_to.is_some()) {
                    let points = &mut progress.score[mover.index()];
                    *points = points.saturating_add(prey.points);
                }
                is_irreversible = true;
            }
            let turned = m.turned().or_else(|| self.kind_at(lots?.0));
            match turned.filter(|_| fallen == 0) {
                Some(kind) => {
                    keeps_turn = self.turn_over((rules, compiled), &mut progress, (m.to, kind));
                }
                None if fallen == 0 => is_irreversible |= self.promote2(compiled, m),
                None => {}
            }
            if let Some((_, prey)) = lots {
                self.draw_lots(&mut progress, prey);
            }
        }
        if m.pick != PASS && m.pick != SWAP {
            progress.passes = 0;
        }
        progress.ply = progress.ply.saturating_add(1);
        if m.pick != SWAP {
            let is_quiet = taken == 0 && fallen == 0 && m.turned().is_none();
            progress.quiet = if is_quiet { progress.quiet.saturating_add(1) } else { 0 };
        }
        // Whoever turned the other colour over has it from now on, and the other player moves with this one.
        if m.pick != SWAP && !keeps_turn {
            let order = &rules.turns.order;
            let place = order.next(usize::from(progress.place));
            progress.place = place as u16;
            self.turn = order.side(place);
        }
        let before = progress.past.take().filter(|_| !is_irreversible);
        self.second = Some(progress);
        if rules.turns.repeat.is_some() {
            let key = self.public_key();
            if let Some(progress) = self.second.as_deref_mut() {
                progress.past = Some(Arc::new(Past { key, before }));
            }
        }
        Losses { taken, fallen }
    }

    /// Promotes the piece that moved, where it does; returns true if it did.
    fn promote2(&mut self, compiled: &Compiled2, m: Move) -> bool {
        let cell = self.cells[usize::from(m.to)];
        let kind = &compiled.kinds[usize::from(cell & !PROMOTED) - 1];
        if !self.book.map().promotion || cell & PROMOTED != 0 || !kind.promotes.contains(m.to) {
            return false;
        }
        let pick = if m.lots().is_some() { 0 } else { m.pick };
        self.cells[usize::from(m.to)] = match (pick, kind.becomes.first()) {
            (0, None) => cell | PROMOTED,
            (0, Some(&only)) => only,
            (pick, _) if pick < CHOICE => pick,
            (_, Some(&only)) => only,
            (_, None) => cell | PROMOTED,
        };
        true
    }

    /// The end that a ply brings, by colour; `None` while the game goes on.
    pub(crate) fn judged(&self, mover: Side, m: Move, moved: u16, takes_captain: bool) -> Option<Outcome> {
        let Play { rules, compiled, progress } = self.level2()?;
        let turns = &rules.turns;
        let owner = if moved == 0 { None } else { self.owner_at(m.to) };
        if takes_captain {
            let is_last = !turns.all_captains || !self.has_captain(mover.other());
            if is_last {
                return Some(Outcome::Win(mover, "captain-taken"));
            }
        }
        if !m.is_pressed() {
            let is_there = |place: &Squares| place.contains(m.to);
            let reached = turns
                .goals
                .iter()
                .zip(&compiled.goals)
                .any(|(goal, at)| goal.kinds.contains(&moved) && is_there(at));
            if reached {
                return Some(Outcome::Win(owner.unwrap_or(mover), "goal-reached"));
            }
            if let Some(side) = owner {
                if turns.line.is_some_and(|length| self.has_line(m.to, side, length)) {
                    return Some(Outcome::Win(side, "line-made"));
                }
                let connects = |(one, regions): (&super::turns::Connection, &[Arc<Squares>; 2])| {
                    one.side == side && self.connects(m.to, side, regions)
                };
                if turns.connections.iter().zip(&compiled.regions).any(connects) {
                    return Some(Outcome::Win(side, "regions-connected"));
                }
            }
        }
        let first_to = turns.score.as_ref().and_then(|score| score.first_to);
        if first_to.is_some_and(|points| progress.score[mover.index()] >= points) {
            return Some(Outcome::Win(mover, "score-reached"));
        }
        if let Some(end) = turns.bare_wins.and_then(|wins| self.bare(wins)) {
            return Some(end);
        }
        if let Some((_, what)) = turns.repeat.filter(|(times, _)| self.occurrences() >= *times) {
            return Some(match what {
                Repetition::Lose => Outcome::Win(mover.other(), "position-repeated"),
                _ => Outcome::Draw("position-repeated"),
            });
        }
        if progress.passes >= 2 {
            return Some(if turns.score.is_some() { self.counted() } else { Outcome::Draw("two-passes") });
        }
        let over = |limit: Option<super::turns::Limit>, now: u32, reason| {
            let limit = limit.filter(|limit| now >= limit.plies)?;
            Some(if limit.counts { self.counted() } else { Outcome::Draw(reason) })
        };
        over(turns.plies, progress.ply, "ply-limit")
            .or_else(|| over(turns.quiet, progress.quiet, "quiet-limit"))
    }

    fn has_captain(&self, colour: Side) -> bool {
        let is_one = |kind: u16| self.book.is_captain(kind) && self.book.owner(kind) == Some(colour);
        self.squares().any(|at| self.is_captain_at(at) && self.owner_at(at) == Some(colour))
            || self.bags().iter().any(|&(_, kind, _)| is_one(kind))
    }

    /// The end when a side has no piece left: not on the board, not in its hand, and none that may still be drawn.
    fn bare(&self, wins: bool) -> Option<Outcome> {
        let Play { compiled, progress, .. } = self.level2()?;
        let held = |colour: Side| {
            let mut hands = compiled.droppable.iter().zip(&progress.hands);
            hands.any(|(&(side, _), &count)| side == colour && count > 0)
        };
        let bags = self.bags();
        let is_bare = |colour: Side| {
            let owns = |at| self.owner_at(at) == Some(colour);
            let may_draw = |&(_, kind, _): &(u16, u16, u16)| self.book.owner(kind) == Some(colour);
            !self.squares().any(owns) && !held(colour) && !bags.iter().any(may_draw)
        };
        let reason = if wins { "rid-of-all" } else { "no-pieces" };
        match Side::BOTH.map(is_bare) {
            [false, false] => None,
            [true, true] => Some(Outcome::Draw("no-pieces")),
            [red, _] => {
                let bare = if red { Side::First } else { Side::Second };
                Some(Outcome::Win(if wins { bare } else { bare.other() }, reason))
            }
        }
    }

    /// The end when points are counted.
    fn counted(&self) -> Outcome {
        let [red, blue] = self.points();
        match red.cmp(&blue) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First, "points-counted"),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second, "points-counted"),
            std::cmp::Ordering::Equal => Outcome::Draw("points-counted"),
        }
    }

    /// Returns true if pieces of a colour stand in a row of that length through a square.
    fn has_line(&self, at: u16, colour: Side, length: u32) -> bool {
        let run = |direction: u32| {
            let mut count = 0;
            let mut to = self.book.step(at, direction);
            while to != OFF && self.owner_at(to) == Some(colour) {
                count += 1;
                to = self.book.step(to, direction);
            }
            count
        };
        // Opposite directions add up to seven.
        (0..4).any(|direction| 1 + run(direction) + run(7 - direction) >= length)
    }

    /// Returns true if the pieces of a colour that hang together with the one on a square touch both regions.
    fn connects(&self, at: u16, colour: Side, regions: &[Arc<Squares>; 2]) -> bool {
        let mut met = [0u64; 64];
        let mut open = vec![at];
        let mut touches = [false; 2];
        met[usize::from(at / 64)] |= 1 << (at % 64);
        while let Some(at) = open.pop() {
            for (touches, region) in touches.iter_mut().zip(regions) {
                *touches |= region.contains(at);
            }
            if touches == [true; 2] {
                return true;
            }
            self.touching(at, |to| {
                let (word, bit) = (usize::from(to / 64), 1u64 << (to % 64));
                let is_own = self.owner_at(to) == Some(colour);
                if met[word] & bit == 0 && is_own {
                    met[word] |= bit;
                    open.push(to);
                }
            });
        }
        false
    }

    pub(crate) fn can_move2(&self) -> bool {
        if self.is_extended() {
            return self.count() > 0;
        }
        let Some(Play { rules, progress, .. }) = self.level2().filter(|_| self.end.is_none()) else {
            return false;
        };
        let turns = &rules.turns;
        if turns.safe
            || progress.secrets.is_some()
            || matches!(turns.repeat, Some((_, Repetition::Forbidden)))
        {
            let mut found = false;
            self.each_move2(|_| found = true);
            return found;
        }
        let may_swap = turns.pie && !progress.swapped && progress.ply as usize == turns.order.lead();
        turns.pass || turns.stuck == Stuck::Pass || may_swap || self.has_board_move()
    }

    /// Returns true if a piece can move or come from the hand, whatever that leaves attacked. The first that can is enough.
    fn has_board_move(&self) -> bool {
        let Some(Play { compiled, progress, .. }) = self.level2() else { return false };
        let goes = |from: u16| {
            let Some(piece) = self.piece(from).filter(|piece| self.is_mine(piece.id)) else { return false };
            let mut found = self.turns_at(from).is_some_and(|turns| !turns.moves);
            self.destinations2(from, piece, |_| found = true);
            found
        };
        let comes = |(&(side, kind), &count): (&(Side, u16), &u16)| {
            let within = compiled.kinds[usize::from(kind) - 1].within.as_ref();
            let is_free = |at: u16| self.cells[usize::from(at)] == 0 && !compiled.off.contains(at);
            side == self.turn
                && count > 0
                && self.squares().any(|at| is_free(at) && within.is_none_or(|within| within.contains(at)))
        };
        self.squares().any(goes) || compiled.droppable.iter().zip(&progress.hands).any(comes)
    }

    /// The end of a side that cannot move, by colour.
    pub(super) fn stuck2(&self) -> Outcome {
        let (safe, stuck) = self
            .level2()
            .map_or((false, Stuck::Draw), |play| (play.rules.turns.safe, play.rules.turns.stuck));
        if safe && self.is_attacked2(self.turn) {
            return Outcome::Win(self.turn.other(), "checkmate");
        }
        match stuck {
            Stuck::Lose => Outcome::Win(self.turn.other(), "stuck"),
            Stuck::Win => Outcome::Win(self.turn, "stuck"),
            Stuck::Draw | Stuck::Pass => Outcome::Draw("stuck"),
        }
    }

    /// The outcome, by player.
    pub(crate) fn outcome2(&self) -> Option<Outcome> {
        // Eyes that do not see everything are told when the game is over.
        let is_stuck = || self.eyes() == Eyes::All && !self.can_move2();
        let end = self.end.or_else(|| is_stuck().then(|| self.stuck2()))?;
        Some(match end {
            Outcome::Win(colour, reason) => Outcome::Win(self.player(colour), reason),
            other => other,
        })
    }

    /// Passes every number that tells positions of level 2 apart; plies and quiet plies are counters.
    pub(crate) fn mix2(&self, mut mix: impl FnMut(u64)) {
        let Some(Play { rules, progress, .. }) = self.level2() else { return };
        mix(u64::from(progress.place) << 8 | u64::from(progress.passes) << 1 | u64::from(progress.swapped));
        mix(u64::from(progress.score[0]) << 32 | u64::from(progress.score[1]));
        for four in progress.hands.chunks(4) {
            mix(four.iter().fold(0, |sum, &count| sum << 16 | u64::from(count)));
        }
        for four in progress.bags.chunks(4) {
            mix(four.iter().fold(0, |sum, &count| sum << 16 | u64::from(count)));
        }
        if progress.step > 1 {
            mix(u64::from(progress.step));
            progress.only.iter().flatten().for_each(|&at| mix(u64::from(at)));
        }
        for one in &progress.altered {
            let owner = one.owner.map_or(2, Side::index) as u64;
            mix(u64::from(one.at) << 8 | owner << 1 | u64::from(one.captain));
        }
        if let Some(secrets) = &progress.secrets {
            mix(u64::from(secrets.arranging[0]) << 1 | u64::from(secrets.arranging[1]));
        }
        if rules.turns.pie {
            let offered = progress.ply as usize == rules.turns.order.lead();
            mix(u64::from(offered));
        }
    }
}
