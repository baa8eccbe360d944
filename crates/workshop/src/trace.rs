//! Statistics of the board in games that were played: gathered in one walk through them.

use std::collections::HashMap;

use catalog::maps::{Map, Rules};
use jingbanqi::rule::STEPS;
use jingbanqi::{Jingbanqi, Move, PieceKind};
use kernel::{Game, Position, Side};

use crate::selfplay::Played;

/// A piece of the table, ordinary or promoted.
pub(crate) type Sort = (u16, bool);

/// An item of a move rule: of which piece, whether of its promoted rule, section from 0, place in it from 0.
pub(crate) type ItemKey = (u16, bool, usize, usize);

/// The number of plies between two positions whose pieces are counted: odd, so that both sides are to move in some.
const EVERY: usize = 3;

/// The statistics of the board in a set of games.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Twins of both sides, as one kind of piece.
    pub groups: Vec<Vec<u16>>,
    /// The positions that are counted.
    pub rows: Vec<Row>,
    /// The number of plies that ended on each square.
    pub visits: Vec<u32>,
    /// Plies and captures by each piece.
    pub acts: HashMap<Sort, [u32; 2]>,
    /// Pieces that stood on the board, ordinary or promoted.
    pub seen: HashMap<Sort, u32>,
    /// The number of plies at which each item gave a move, and of plies that it played.
    pub items: HashMap<ItemKey, [u32; 2]>,
    /// Plies at which the limit of neutral moves forbade some.
    pub limited: u32,
    /// Plies that no rule of the map explains: an extension made them.
    pub foreign: u32,
    /// The averages of each game: pieces on the board, the share of squares that held one, and the share of squares
    /// that ever held one.
    pub boards: Vec<[f64; 3]>,
}

/// A position of a game, by its pieces.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The index of the game.
    pub game: usize,
    /// The difference of pieces, red's less blue's, for each group, ordinary then promoted.
    pub ahead: Vec<i8>,
    /// The side to move.
    pub turn: Side,
}

impl Trace {
    /// Replays the games. A game that the map does not allow, as after a change of the program, is skipped; so is one
    /// that failed.
    pub fn of(rules: &Rules, games: &[Played]) -> Trace {
        let map = rules.map();
        let groups = groups(map);
        let mut group_of = vec![None; map.kinds.len() + 1];
        for (group, ids) in groups.iter().enumerate() {
            ids.iter().for_each(|&id| group_of[usize::from(id)] = Some(group));
        }
        let mut trace = Trace {
            groups,
            rows: Vec::new(),
            visits: vec![0; map.squares()],
            acts: HashMap::new(),
            seen: HashMap::new(),
            items: HashMap::new(),
            limited: 0,
            foreign: 0,
            boards: Vec::new(),
        };
        for (number, played) in games.iter().enumerate() {
            let Ok(opened) = Played::rules(rules, played.level, played.number).open(None) else { continue };
            let Some(game) = opened.as_any().downcast_ref::<Game<Jingbanqi>>() else { continue };
            trace.walk(map, &group_of, number, game.position().clone(), played);
        }
        trace
    }

    fn walk(
        &mut self,
        map: &Map,
        group_of: &[Option<usize>],
        game: usize,
        mut pos: Jingbanqi,
        played: &Played,
    ) {
        use kernel::Notation as _;
        let counts = played.end.points().is_some();
        let (mut pieces, mut held) = (Vec::new(), vec![false; map.squares()]);
        let mut legal = Vec::new();
        for (ply, text) in played.moves.iter().enumerate() {
            let mut ahead = vec![0i8; self.groups.len() * 2];
            let mut standing = 0u32;
            for at in 0..map.squares() as u16 {
                let Some(piece) = pos.present(at) else { continue };
                held[usize::from(at)] = true;
                standing += 1;
                *self.seen.entry((piece.id, piece.promoted)).or_default() += 1;
                let Some(owner) = piece.owner else { continue };
                if let Some(group) = group_of[usize::from(piece.id)] {
                    let slot = &mut ahead[group * 2 + usize::from(piece.promoted)];
                    *slot = slot.saturating_add(if owner == Side::First { 1 } else { -1 });
                }
            }
            pieces.push(f64::from(standing));
            if counts && ply % EVERY == 0 {
                self.rows.push(Row { game, ahead, turn: pos.turn() });
            }
            legal.clear();
            pos.moves(&mut legal);
            let Some(m) = pos.read_move(text) else { break };
            self.offered(&pos, &legal, m);
            if map.neutral_limit && pos.neutral()[pos.turn().index()] >= 2 {
                self.limited += 1;
            }
            if let Some(piece) = pos.present(m.from).filter(|_| !m.is_pressed()) {
                let took = m.from != m.to && pos.present(m.to).is_some();
                let acts = self.acts.entry((piece.id, piece.promoted)).or_default();
                acts[0] += 1;
                acts[1] += u32::from(took);
            }
            self.visits[usize::from(m.to)] += u32::from(!m.is_pressed());
            pos.play(m);
        }
        let mean = crate::stats::mean(&pieces);
        let squares = map.squares() as f64;
        let held = held.iter().filter(|held| **held).count() as f64;
        self.boards.push([mean, mean / squares, held / squares]);
    }

    /// Records the items of the rules that gave the legal moves, and the one that was played.
    fn offered(&mut self, pos: &Jingbanqi, legal: &[Move], played: Move) {
        let map = pos.book().map();
        // The ways of level 2 are not taken apart.
        if map.level2.is_some() {
            return;
        }
        let mut given: Vec<ItemKey> = Vec::new();
        for &m in legal {
            let Some(piece) = pos.present(m.from) else { continue };
            let kind = &map.kinds[usize::from(piece.id) - 1];
            let before = given.len();
            explain(pos, kind, (piece.id, piece.promoted), m, &mut given);
            if m == played {
                self.foreign += u32::from(given.len() == before);
                for &key in &given[before..] {
                    self.items.entry(key).or_default()[1] += 1;
                }
            }
        }
        given.sort_unstable();
        given.dedup();
        for key in given {
            self.items.entry(key).or_default()[0] += 1;
        }
    }
}

/// Returns the items of a piece's rule that lead to its destination; a place that only an extension knows counts as
/// holding.
fn explain(pos: &Jingbanqi, kind: &PieceKind, (id, promoted): Sort, m: Move, found: &mut Vec<ItemKey>) {
    let cols = i32::from(pos.book().map().cols);
    let (from, to) = (i32::from(m.from), i32::from(m.to));
    let (down, right) = (to / cols - from / cols, to % cols - from % cols);
    let steps = down.abs().max(right.abs());
    let towards = (down.signum(), right.signum());
    let straight = down == 0 || right == 0 || down.abs() == right.abs();
    let Some(direction) = STEPS.iter().position(|&step| step == towards).filter(|_| straight) else { return };
    let rule = if promoted { &kind.promoted } else { &kind.rule };
    for (section, items) in rule.sections.iter().take(2).enumerate() {
        if section == 0 && steps != 1 {
            continue;
        }
        for (at, item) in items.iter().enumerate() {
            let holds = item.when.as_ref().is_none_or(|when| pos.is_among(when, m.from) != Some(false));
            if item.direction == direction as i64 + 1 && holds {
                found.push((id, promoted, section, at));
            }
        }
    }
}

/// Pieces of both sides that move alike, seen each from its own side, or have the same name, as one kind; captains and
/// neutral pieces are left out.
fn groups(map: &Map) -> Vec<Vec<u16>> {
    let plain = |kind: &PieceKind| kind.owner.is_some() && !kind.captain;
    // Each piece is compared with each, and a map may have thousands with long rules: equal ones get equal numbers.
    let (mut names, mut looks) = (HashMap::new(), HashMap::new());
    let name_of: Vec<usize> = map.kinds.iter().map(|kind| number(&mut names, kind.name.as_str())).collect();
    let looks_of: Vec<[usize; 2]> = map
        .kinds
        .iter()
        .map(|kind| {
            let texts = kind.level2.as_ref().map(|rules| &rules.texts);
            let look = |turned| (ways(kind, turned), texts, format!("{:?}", kind.attributes));
            [false, true].map(|turned| number(&mut looks, look(turned)))
        })
        .collect();
    let mut groups: Vec<Vec<u16>> = Vec::new();
    let mut taken = vec![false; map.kinds.len()];
    for (i, kind) in map.kinds.iter().enumerate() {
        if taken[i] || !plain(kind) {
            continue;
        }
        taken[i] = true;
        let mut group = vec![i as u16 + 1];
        let other = |j: &usize| !taken[*j] && plain(&map.kinds[*j]) && map.kinds[*j].owner != kind.owner;
        let candidates: Vec<usize> = (0..map.kinds.len()).filter(other).collect();
        let named = |j: &&usize| name_of[**j] == name_of[i];
        let alike = |j: &&usize| looks_of[**j][1] == looks_of[i][0];
        let twin = candidates.iter().find(|j| named(j) && alike(j));
        let twin = twin.or_else(|| candidates.iter().find(named)).or_else(|| candidates.iter().find(alike));
        if let Some(&twin) = twin {
            taken[twin] = true;
            group.push(twin as u16 + 1);
        }
        groups.push(group);
    }
    groups
}

/// The number of a key, from 0: the next one where it is new.
fn number<K: Eq + std::hash::Hash>(known: &mut HashMap<K, usize>, key: K) -> usize {
    let next = known.len();
    *known.entry(key).or_insert(next)
}

/// Section, direction and whether there is a condition, for each item of both rules; turned upside down for the other side.
fn ways(kind: &PieceKind, turned: bool) -> Vec<(bool, usize, i64, bool)> {
    // Up and down change places, left and right stay: 1 2 3 become 6 7 8.
    let seen = |direction: i64| match direction {
        1..=3 if turned => direction + 5,
        6..=8 if turned => direction - 5,
        _ => direction,
    };
    let mut ways: Vec<_> = [&kind.rule, &kind.promoted]
        .into_iter()
        .zip([false, true])
        .flat_map(|(rule, promoted)| {
            let sections = rule.sections.iter().enumerate();
            sections.flat_map(move |(section, items)| {
                items.iter().map(move |item| (promoted, section, seen(item.direction), item.when.is_some()))
            })
        })
        .collect();
    ways.sort_unstable();
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_of_the_built_in_maps_are_found() {
        for sample in catalog::maps::SAMPLES {
            let map = catalog::maps::check(&sample.package().map).map.expect("a good map");
            let found = groups(&map);
            assert!(found.iter().all(|group| group.len() == 2), "{}: {found:?}", sample.key);
            for group in &found {
                let owners = [0, 1].map(|i| map.kinds[usize::from(group[i]) - 1].owner);
                assert_eq!(owners, [Some(Side::First), Some(Side::Second)], "{}: {group:?}", sample.key);
            }
        }
    }

    /// The twins of the largest table are found in time; before, every piece was compared with every other, which
    /// took half a minute.
    #[test]
    fn twins_of_the_largest_table_are_found() {
        let kind = |number: usize| catalog::maps::DraftKind {
            name: number.to_string(),
            owner: Some(if number < 2048 { Side::First } else { Side::Second }),
            rule: format!("{};", "1,".repeat(100 + number % 20)),
            promoted: ";".to_owned(),
            ..Default::default()
        };
        let kinds: Vec<_> = (0..4096).map(kind).collect();
        let draft = catalog::maps::Draft { rows: 1, cols: 1, kinds, ..Default::default() };
        assert_eq!(groups(&draft.read().map.expect("a good map")).len(), 4096, "1 turned round is 6");
    }
}
