//! Pieces that are turned over as they are taken, for the side that takes them alone.
//!
//! One [`pick`](Move::pick) holds both outcomes of a ply: what the piece that moves turns into, and what the taken one was. They
//! are places in the bags of the map, from 1; 0 where nothing is drawn, and one more than all bags have for what is not seen.

use kernel::Eyes;

use super::bags::TurnsOver;
use super::play::Progress;
use crate::position::{Jingbanqi, LOTS, Move, PROMOTED};

impl Jingbanqi {
    /// The number of rows of all bags.
    fn rows_of_bags(&self) -> usize {
        self.book.level2().map_or(0, |(rules, _)| rules.in_bags.len())
    }

    fn with_lots(&self, m: Move, moved: usize, taken: usize) -> Move {
        let base = self.rows_of_bags() + 2;
        Move { pick: LOTS | (moved * base + taken) as u16, ..m }
    }

    /// The places of what the piece that moves turns into, and of what the taken one was; `None` for other moves.
    pub(super) fn lots(&self, m: Move) -> Option<(usize, usize)> {
        let lots = usize::from(m.lots()?);
        let base = self.rows_of_bags() + 2;
        Some((lots / base, lots % base))
    }

    /// The kind at a place of the bags, from 1.
    pub(super) fn kind_at(&self, place: usize) -> Option<u16> {
        let (rules, _) = self.book.level2()?;
        rules.in_bags.get(place.checked_sub(1)?).map(|one| one.kind)
    }

    /// Returns the way in which the piece on a square is turned over if it is taken now; `None` if it is not.
    pub(super) fn turns_taken(&self, at: u16) -> Option<TurnsOver> {
        self.turns_at(at).filter(|turns| turns.taken)
    }

    /// Passes each outcome of a move that takes a piece which is turned over, by a piece that may be turned over itself.
    pub(super) fn each_lot(
        &self,
        moves: Option<TurnsOver>,
        taken: TurnsOver,
        m: Move,
        mut play: impl FnMut(Move),
    ) {
        let (Some((_, compiled)), Some(progress)) = (self.book.level2(), self.second.as_deref()) else {
            return;
        };
        let places = |turns: TurnsOver| compiled.bags[usize::from(turns.bag)].clone().map(|place| place + 1);
        let own: Vec<usize> = moves.map_or(vec![0], |turns| places(turns).collect());
        for moved in own {
            for taken in places(taken) {
                if weight(progress, moved, taken) > 0 {
                    play(self.with_lots(m, moved, taken));
                }
            }
        }
    }

    /// The choice that a move with lots is an outcome of, and its weight.
    pub(crate) fn lots_by_chance(&self, m: Move) -> Option<(Move, u32)> {
        let (moved, taken) = self.lots(m).filter(|&(_, taken)| taken > 0)?;
        let weight = weight(self.second.as_deref()?, moved, taken);
        (weight > 0).then(|| (self.with_lots(m, 0, 0), weight))
    }

    /// Returns the move as it is seen: the owner of the taken piece does not learn what it was.
    pub(super) fn seen_lots(&self, m: Move, eyes: Eyes) -> Move {
        match self.lots(m) {
            Some((moved, taken)) if taken > 0 && !eyes.sees(self.turn) => {
                self.with_lots(m, moved, self.rows_of_bags() + 1)
            }
            _ => m,
        }
    }

    /// Takes what was drawn out of the bags.
    pub(super) fn draw_lots(&self, progress: &mut Progress, taken: usize) {
        let Some(place) = taken.checked_sub(1).filter(|&place| place < progress.bags.len()) else { return };
        progress.bags[place] = progress.bags[place].saturating_sub(1);
        progress.draws = progress.draws.saturating_add(1);
        if let Some(secrets) = progress.secrets.as_deref_mut() {
            let count = &mut secrets.drawn[place][self.turn.index()];
            *count = count.saturating_add(1);
        }
    }

    /// The text behind a choice: `{马}` for the piece that moved, `{x车}` for the taken one, `{x?}` for one that is not seen.
    pub(super) fn lots_text(&self, m: Move) -> Option<String> {
        let (moved, taken) = self.lots(m)?;
        let own = self.kind_at(moved).map(|kind| format!("{{{}}}", self.drawn_label(m.from, kind)));
        let prey = match self.kind_at(taken) {
            Some(kind) => Some(format!("{{x{}}}", self.drawn_label(m.to, kind))),
            None => (taken > 0).then(|| "{x?}".to_owned()),
        };
        Some(own.into_iter().chain(prey).collect())
    }

    /// The number of the outcome among those of its choice, from 0.
    pub(super) fn lots_place(&self, m: Move) -> u32 {
        let place = || {
            let (_, compiled) = self.book.level2()?;
            let (moved, taken) = self.lots(m)?;
            let start = |at: u16| {
                let id = self.cells[usize::from(at)] & !PROMOTED;
                let turns = compiled.kinds[usize::from(id.checked_sub(1)?)].turns?;
                Some(compiled.bags[usize::from(turns.bag)].clone())
            };
            let preys = start(m.to)?;
            let own = if moved == 0 { 0 } else { (moved - 1).checked_sub(start(m.from)?.start)? };
            Some((own * preys.len() + (taken.checked_sub(1)?).checked_sub(preys.start)?) as u32)
        };
        place().unwrap_or(0)
    }
}

/// The weight of two places of the bags that are drawn one after the other; the first is 0 where the piece is not turned over.
fn weight(progress: &Progress, moved: usize, taken: usize) -> u32 {
    let count = |place: usize| {
        place.checked_sub(1).and_then(|place| progress.bags.get(place)).map_or(0, |&count| u32::from(count))
    };
    match moved {
        0 => count(taken),
        _ if moved == taken => count(moved) * count(taken).saturating_sub(1),
        _ => count(moved) * count(taken),
    }
}
