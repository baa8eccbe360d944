//! Evaluation by pieces and places: for maps on which taking decides.

use std::sync::{Arc, Mutex, OnceLock};

use engine_core::Method;
use jingbanqi::{Jingbanqi, Map, Move};
use kernel::{Position, Side};
use search::{Effort, Evaluator, Forced, Policy, QsearchKind, Score, score};

use crate::aims::AimEval;
use crate::terms::{self, Scratch, Sheet, labour};
use crate::{chosen, learned};

/// The evaluator of a map for the search.
#[derive(Clone, Debug)]
pub struct MapEval {
    known: Arc<MapParameters>,
    scratch: Scratch,
}

/// The weights and the search policy of a map.
#[derive(Debug)]
struct MapParameters {
    sheet: Sheet,
    policy: Policy,
}

/// The most labour a position of a map may take; a map that takes more is judged by pieces and places alone.
const MOST_LABOUR: u64 = 6_000;
/// The value of a captain in exchanges.
const CAPTAIN: i32 = 12_000;
/// The number of history indices, which moves share by piece and target.
pub(crate) const HISTORY_SIZE: usize = 1021;
/// The number of plies to look back for a repetition: the rules are silent about it, so it gains nothing.
pub(crate) const LOOK_BACK: usize = 40;
/// The number of plies beyond the horizon up to which captures are tried.
pub(crate) const TACTICAL_PLIES: usize = 8;
/// The number of plies beyond the horizon after which only captures that cannot lose material are tried.
const BOLD_PLIES: usize = 3;
/// The number of plies beyond the horizon up to which an attacked captain is defended.
const URGENT_PLIES: usize = 3;
/// The number of maps whose weights are kept; the oldest is dropped first, and its weights would be computed the same
/// again.
const MOST_MAPS: usize = 32;

/// The maps of this process.
static MAPS: Mutex<Vec<Arc<Remembered>>> = Mutex::new(Vec::new());

/// A map, and what is known of it once it was computed. A call in between waits.
pub(crate) struct Remembered {
    map: Map,
    old_names: bool,
    extended: bool,
    /// The number of its extensions' files.
    files: u64,
    /// The number by which its search is chosen.
    pub print: u64,
    known: OnceLock<Arc<MapParameters>>,
    aims: OnceLock<Option<AimEval>>,
    method: OnceLock<Method>,
}

impl Remembered {
    fn is_of(&self, pos: &Jingbanqi) -> bool {
        let (book, extended) = (pos.book(), pos.extensions().is_some());
        self.extended == extended
            && self.files == files(pos)
            && self.old_names == book.old_names()
            && self.map == *book.map()
    }

    /// The map of a position.
    pub fn of(pos: &Jingbanqi) -> Arc<Remembered> {
        let known = MAPS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(found) = known.iter().find(|one| one.is_of(pos)) {
            return Arc::clone(found);
        }
        drop(known);
        let book = pos.book();
        let new = Arc::new(Remembered {
            map: book.map().clone(),
            old_names: book.old_names(),
            extended: pos.extensions().is_some(),
            files: files(pos),
            print: chosen::print(pos),
            known: OnceLock::new(),
            aims: OnceLock::new(),
            method: OnceLock::new(),
        });
        let mut maps = MAPS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(found) = maps.iter().find(|one| one.is_of(pos)) {
            return Arc::clone(found);
        }
        if maps.len() == MOST_MAPS {
            maps.remove(0);
        }
        maps.push(Arc::clone(&new));
        new
    }

    /// The evaluator by aims; `None` for a map of level 1.
    pub fn aims(&self, pos: &Jingbanqi) -> Option<AimEval> {
        self.aims.get_or_init(|| AimEval::of(pos)).clone()
    }

    /// The search that plays the map.
    pub fn method(&self, pos: &Jingbanqi) -> Method {
        *self.method.get_or_init(|| chosen::of(pos).map_or(Method::AlphaBeta, |chosen| chosen.method()))
    }
}

fn files(pos: &Jingbanqi) -> u64 {
    pos.extensions().map_or(0, |extensions| extensions.print())
}

/// Forgets maps, so that what is known of them is found out again.
pub(crate) fn forget(is_gone: impl Fn(&Remembered) -> bool) {
    MAPS.lock().unwrap_or_else(std::sync::PoisonError::into_inner).retain(|map| !is_gone(map));
}

/// Forgets the map of a position.
pub(crate) fn forget_map_of(pos: &Jingbanqi) {
    forget(|map| map.is_of(pos));
}

impl MapParameters {
    fn of(pos: &Jingbanqi) -> MapParameters {
        let mut general = MapParameters::general(pos);
        match learned::of(pos) {
            Some(weights) if general.sheet.take(&weights) => {
                MapParameters::with(general.sheet, pos.extensions().is_some())
            }
            _ => general,
        }
    }

    /// Computes the general weights, which do not use those fitted for this map.
    fn general(pos: &Jingbanqi) -> MapParameters {
        let extended = pos.extensions().is_some();
        let pos = pos.by_the_map();
        MapParameters::with(Sheet::of(&pos, !extended && labour(&pos) <= MOST_LABOUR), extended)
    }

    fn with(sheet: Sheet, extended: bool) -> MapParameters {
        // With extensions each position is a call to the code of a map's author.
        let policy = Policy { poll_interval: if extended { 1 } else { 4 }, ..policy(&sheet) };
        MapParameters { sheet, policy }
    }
}

/// Returns the search policy: techniques that do little harm whatever the rules are.
fn policy(sheet: &Sheet) -> Policy {
    let most = sheet.piece.iter().flatten().copied().max().unwrap_or(0) / terms::UNIT;
    Policy {
        history_size: HISTORY_SIZE,
        lmr_first_move: Some(3),
        lmr_max: 3,
        iir: true,
        futility_margin: (most > 0).then_some(most / 3),
        futility_max_depth: 2,
        see_pruning: sheet.is_detailed,
        check_extensions: true,
        aspiration_window: 30,
        poll_interval: 4,
        max_depth: 60,
        ..Policy::PLAIN
    }
}

impl MapEval {
    /// Creates the evaluator of that map. The first one computes its weights; others of the same process share them.
    #[must_use]
    pub fn of(pos: &Jingbanqi) -> MapEval {
        let found = Remembered::of(pos);
        let known = Arc::clone(found.known.get_or_init(|| Arc::new(MapParameters::of(pos))));
        MapEval { known, scratch: Scratch::default() }
    }

    /// Creates the evaluator without the weights that others of this process have computed.
    #[must_use]
    pub fn afresh(pos: &Jingbanqi) -> MapEval {
        MapEval { known: Arc::new(MapParameters::of(pos)), scratch: Scratch::default() }
    }

    /// Returns the value of a piece of that id, ordinary and promoted, in hundredths; a captain's life is not
    /// counted.
    #[must_use]
    pub fn worth(&self, id: u16) -> [i32; 2] {
        self.sheet().piece[usize::from(id)].map(|weight| weight / terms::UNIT)
    }

    /// Creates the evaluator with the general weights, whatever was learned for this map.
    #[must_use]
    pub fn general(pos: &Jingbanqi) -> MapEval {
        MapEval { known: Arc::new(MapParameters::general(pos)), scratch: Scratch::default() }
    }

    /// Returns the number of the [`weights`](MapEval::weights) before those of squares.
    #[must_use]
    pub fn before_places(&self) -> usize {
        self.sheet().before_places()
    }

    /// Returns an evaluator of the same map with other weights, with or without those of squares; `None` when their
    /// number does not fit.
    #[must_use]
    pub fn with(&self, pos: &Jingbanqi, weights: &[i32]) -> Option<MapEval> {
        let mut sheet = self.sheet().clone();
        let fits = sheet.take(weights);
        let known = || Arc::new(MapParameters::with(sheet, pos.extensions().is_some()));
        fits.then(|| MapEval { known: known(), scratch: Scratch::default() })
    }

    /// Every weight, in sixteenths of a hundredth: the terms, then each id ordinary and promoted, then what each square
    /// adds to these. A map with very many squares and kinds has none for squares.
    #[must_use]
    pub fn weights(&self) -> Vec<i32> {
        self.sheet().weights()
    }

    /// Returns the count of each of the [`weights`](MapEval::weights) for red, less its count for blue.
    #[must_use]
    pub fn counts(&mut self, pos: &Jingbanqi) -> Vec<i32> {
        self.known.sheet.counts(pos, &mut self.scratch)
    }

    /// Returns true if no captain could be taken: other positions are of little use for learning.
    #[must_use]
    pub fn is_quiet(&self, pos: &Jingbanqi) -> bool {
        !self.is_attacked(pos, Side::First) && !self.is_attacked(pos, Side::Second)
    }

    fn sheet(&self) -> &Sheet {
        &self.known.sheet
    }

    fn value(&self, pos: &Jingbanqi, at: u16) -> i32 {
        pos.piece(at).map_or(0, |piece| {
            let sheet = self.sheet();
            if sheet.captain[usize::from(piece.id)] { CAPTAIN } else { sheet.worth(piece) }
        })
    }

    fn owner(&self, pos: &Jingbanqi, at: u16) -> Option<Side> {
        self.sheet().owner[usize::from(pos.piece(at)?.id)]
    }

    /// Returns a move that takes a captain of that side, whichever side is to move.
    fn attack_on(&self, pos: &Jingbanqi, side: Side) -> Option<Move> {
        let sheet = self.sheet();
        let mut found = None;
        for at in 0..sheet.squares as u16 {
            let Some(piece) = pos.piece(at) else { continue };
            let id = usize::from(piece.id);
            if !sheet.captain[id] || sheet.owner[id] != Some(side) {
                continue;
            }
            pos.seers(at, |from, other| {
                if found.is_none() && sheet.owner[usize::from(other.id)] == Some(side.other()) {
                    found = Some(Move::new(from, at));
                }
            });
        }
        found
    }

    /// Returns true if a captain of that side could be taken.
    fn is_attacked(&self, pos: &Jingbanqi, side: Side) -> bool {
        pos.extensions().is_none() && self.attack_on(pos, side).is_some()
    }

    /// Returns the gain or loss of a move in the exchange on its target square (SEE), pieces behind pieces left out.
    fn exchange(&self, pos: &Jingbanqi, m: Move) -> Score {
        let Some(side) = self.owner(pos, m.from) else { return 0 };
        let mut seers = [[0; 8]; 2];
        let mut counts = [0; 2];
        pos.seers(m.to, |from, other| {
            if let (true, Some(owner)) = (from != m.from, self.sheet().owner[usize::from(other.id)]) {
                let owner = owner.index();
                seers[owner][counts[owner]] = self.value(pos, from);
                counts[owner] += 1;
            }
        });
        for (list, count) in seers.iter_mut().zip(counts) {
            list[..count].sort_unstable();
        }
        let mut gains = [0; 10];
        gains[0] = self.value(pos, m.to);
        let (mut last, mut stands, mut turn) = (0, self.value(pos, m.from), side.other().index());
        let mut next = [0; 2];
        while next[turn] < counts[turn] && last < 8 {
            last += 1;
            gains[last] = stands - gains[last - 1];
            stands = seers[turn][next[turn]];
            next[turn] += 1;
            turn = 1 - turn;
        }
        while last > 0 {
            gains[last - 1] = -gains[last].max(-gains[last - 1]);
            last -= 1;
        }
        gains[0].clamp(-CAPTAIN, CAPTAIN)
    }
}

impl Evaluator<Jingbanqi> for MapEval {
    fn score(&mut self, pos: &Jingbanqi) -> Score {
        self.known.sheet.score(pos, &mut self.scratch).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    fn policy(&self) -> &Policy {
        &self.known.policy
    }

    fn repetition_plies(&self, _pos: &Jingbanqi) -> usize {
        LOOK_BACK
    }

    fn is_tactical(&self, pos: &Jingbanqi, m: Move) -> bool {
        m.from != m.to && pos.piece(m.to).is_some()
    }

    fn see(&mut self, pos: &Jingbanqi, m: Move) -> Score {
        if self.sheet().is_detailed && pos.extensions().is_none() {
            self.exchange(pos, m)
        } else {
            // The prey, less a little for who takes it: the least first.
            self.value(pos, m.to) - self.value(pos, m.from) / 32
        }
    }

    fn see_quiet(&mut self, pos: &Jingbanqi, m: Move) -> Score {
        if pos.extensions().is_some() { 0 } else { self.exchange(pos, m).min(0) }
    }

    fn history_index(&self, pos: &Jingbanqi, m: Move) -> usize {
        let id = pos.piece(m.from).map_or(0, |piece| usize::from(piece.id));
        (id * self.sheet().squares + usize::from(m.to)) % HISTORY_SIZE
    }

    fn is_urgent(&mut self, pos: &Jingbanqi) -> bool {
        self.is_attacked(pos, pos.turn())
    }

    fn qsearch_kind(&mut self, pos: &Jingbanqi, qs_ply: usize) -> QsearchKind {
        if qs_ply < URGENT_PLIES && self.is_attacked(pos, pos.turn()) {
            QsearchKind::Urgent
        } else if qs_ply < TACTICAL_PLIES {
            QsearchKind::Tactical
        } else {
            QsearchKind::Quiet
        }
    }

    fn tactical_moves(&mut self, pos: &Jingbanqi, qs_ply: usize, out: &mut Vec<Move>) {
        let first = out.len();
        pos.moves(out);
        let mut kept = first;
        for i in first..out.len() {
            let m = out[i];
            let taken = m.from != m.to && pos.piece(m.to).is_some();
            if taken && (qs_ply < BOLD_PLIES || self.value(pos, m.to) >= self.value(pos, m.from)) {
                out[kept] = m;
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Returns a move that takes a captain, if there is one.
    fn forced(&mut self, pos: &Jingbanqi, _effort: Effort) -> Option<Forced<Move>> {
        if pos.extensions().is_some() {
            return None;
        }
        self.attack_on(pos, pos.turn().other()).map(|first| Forced { first, plies: 1 })
    }
}
