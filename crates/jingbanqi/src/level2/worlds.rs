//! Positions that look alike: what unseen pieces could be, filled in by lot.

use kernel::laws::Random;
use kernel::{Eyes, Position as _, Side};

use super::hidden::{GONE, bit_of};
use crate::position::Jingbanqi;

/// The most worlds that are tried where one is over and the game that is seen goes on.
const MOST_TRIES: usize = 64;
/// The number of exchanges for each unseen piece after a first world was found: it forgets how that was made.
const MIXED: usize = 8;

impl Jingbanqi {
    /// Returns a position without secrets that looks as this seen one does; see [`kernel::Notation::determinised`].
    #[must_use]
    pub fn determinised(&self, seed: u64) -> Jingbanqi {
        if self.eyes() == Eyes::All {
            return self.clone();
        }
        let mut random = Random(seed);
        let mut world = self.world(&mut random);
        for _ in 1..MOST_TRIES {
            if world.outcome().is_some() == self.end.is_some() {
                break;
            }
            world = self.world(&mut random);
        }
        world
    }

    fn world(&self, random: &mut Random) -> Jingbanqi {
        let mut world = self.clone();
        let (Some((rules, compiled)), Some(progress)) = (self.book.level2(), world.second.as_deref_mut())
        else {
            return world;
        };
        let Some(secrets) = progress.secrets.as_deref_mut() else { return world };
        secrets.eyes = Eyes::All;
        for side in Side::BOTH {
            let kinds = std::mem::take(&mut secrets.left[side.index()]);
            let unseen: Vec<usize> = (0..secrets.hidden.len())
                .filter(|&at| secrets.hidden[at].side == side && secrets.hidden[at].kind == 0)
                .collect();
            let could = |at: usize, kind: u16| {
                bit_of(compiled, side, kind).is_some_and(|bit| secrets.hidden[at].could[1] >> bit & 1 == 1)
            };
            let matched = matched(&unseen, &kinds, could, random);
            for (&at, kind) in unseen.iter().zip(matched) {
                let one = &mut secrets.hidden[at];
                one.kind = kind;
                if one.at != GONE {
                    world.cells[usize::from(one.at)] = kind;
                }
            }
        }
        for (bag, lost) in secrets.lost.iter_mut().enumerate() {
            for side in Side::BOTH {
                for _ in 0..std::mem::take(&mut lost[side.index()]) {
                    let places = compiled.bags[bag].clone();
                    let left: usize = places.clone().map(|place| usize::from(progress.bags[place])).sum();
                    let mut nth = if left == 0 { 0 } else { random.below(left) };
                    let drawn = places.into_iter().find(|&place| {
                        let count = usize::from(progress.bags[place]);
                        let is_it = nth < count;
                        nth = nth.saturating_sub(count);
                        is_it
                    });
                    if let Some(place) = drawn.filter(|&place| place < rules.in_bags.len()) {
                        progress.bags[place] -= 1;
                        secrets.drawn[place][side.index()] += 1;
                    }
                }
            }
        }
        world
    }
}

/// Gives each piece one of the kinds, in the order of the pieces: any that it could be, all kinds used. As many kinds as
/// pieces, and the truth is one such choice.
fn matched(
    pieces: &[usize],
    kinds: &[u16],
    could: impl Fn(usize, u16) -> bool,
    random: &mut Random,
) -> Vec<u16> {
    let count = pieces.len().min(kinds.len());
    let mut order: Vec<usize> = (0..count).collect();
    shuffle(&mut order, random);
    let mut kinds: Vec<u16> = kinds.to_vec();
    shuffle(&mut kinds, random);
    // The piece that has each kind so far.
    let mut holder: Vec<Option<usize>> = vec![None; kinds.len()];
    for &piece in &order {
        let mut met = vec![false; kinds.len()];
        augment(piece, &|piece, at| could(pieces[piece], kinds[at]), &mut holder, &mut met);
    }
    let mut given: Vec<u16> = vec![0; count];
    let mut spare = Vec::new();
    for (holder, &kind) in holder.iter().zip(&kinds) {
        match holder {
            Some(piece) => given[*piece] = kind,
            None => spare.push(kind),
        }
    }
    // Only where sets contradict each other, which a game does not bring about.
    for kind in given.iter_mut().filter(|kind| **kind == 0) {
        *kind = spare.pop().unwrap_or(kinds[0]);
    }
    for _ in 0..MIXED * count {
        let (one, other) = (random.below(count), random.below(count));
        if could(pieces[one], given[other]) && could(pieces[other], given[one]) {
            given.swap(one, other);
        }
    }
    given
}

/// Finds a kind for a piece, if need be by giving others to those that have one (Kuhn's augmenting paths).
fn augment(
    piece: usize,
    could: &impl Fn(usize, usize) -> bool,
    holder: &mut [Option<usize>],
    met: &mut [bool],
) -> bool {
    for at in 0..holder.len() {
        if met[at] || !could(piece, at) {
            continue;
        }
        met[at] = true;
        if holder[at].is_none_or(|other| augment(other, could, holder, met)) {
            holder[at] = Some(piece);
            return true;
        }
    }
    false
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}
