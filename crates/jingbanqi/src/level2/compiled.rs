//! Rules of level 2, prepared for play: sets of squares, and what each kind may take.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use kernel::Side;

use super::sheets::is_off;
use super::ways::{Course, Mode, Places, Spot, Term, Way};
use super::{BoardKind, KindRules, Level2, TurnsOver, UNLIMITED};
use crate::place::{Always, Squares};
use crate::rule::Place;
use crate::rulebook::{Map, Value};

/// The compiled rules of level 2 of a map.
#[derive(Clone, Debug)]
pub(crate) struct Compiled2 {
    /// Each kind's, in the order of the table.
    pub kinds: Vec<CompiledKind>,
    /// The cells that are no squares, by rising cell.
    pub gaps: Vec<u16>,
    /// The same as a set.
    pub off: Squares,
    /// The sides and kinds that hands may hold.
    pub droppable: Vec<(Side, u16)>,
    /// The number of each at the start.
    pub start: Vec<u16>,
    /// The places of goals, in the order of the map's.
    pub goals: Vec<Arc<Squares>>,
    /// The regions of connections, in the order of the map's.
    pub regions: Vec<[Arc<Squares>; 2]>,
    /// The places of each bag's pieces among all that bags hold.
    pub bags: Vec<Range<usize>>,
    /// The most kinds that a piece may turn into when it moves.
    pub most_turned: usize,
    /// The directions in which pieces touch, as bits.
    pub touching: u8,
    /// The kinds of each side that have a back, by rising row: sets of kinds are bits in this order.
    pub backed: [Vec<u16>; 2],
    /// True if a side may see something that the other does not.
    pub has_secrets: bool,
}

/// The compiled rules of a kind.
#[derive(Clone, Debug)]
pub(crate) struct CompiledKind {
    /// The ways to go: ordinary and promoted.
    pub ways: [Vec<CompiledWay>; 2],
    /// True if two ways may lead to the same square.
    pub may_meet: [bool; 2],
    /// The squares on which it promotes.
    pub promotes: Arc<Squares>,
    /// The squares it may move to; `None` for all.
    pub within: Option<Arc<Squares>>,
    /// The kinds it may take, as bits; `None` for all.
    pub takes: Option<Box<[u64]>>,
    /// Its index among those that hands may hold, once it is taken.
    pub hand: Option<usize>,
    /// The kinds it becomes when it promotes.
    pub becomes: Vec<u16>,
    /// The way in which it is turned over.
    pub turns: Option<TurnsOver>,
    /// The kind that is seen in its place.
    pub back: Option<u16>,
    /// The points that it counts, from the attribute of `score`.
    pub points: u32,
}

/// A compiled way to go.
#[derive(Clone, Debug)]
pub(crate) struct CompiledWay {
    pub mode: Mode,
    pub over: bool,
    pub lame: bool,
    pub course: Course,
    /// The squares from which it holds; `None` for all.
    pub when: Option<Arc<Squares>>,
}

impl Compiled2 {
    /// Returns true if there is something to see in hands: several kinds, or pieces that can be counted.
    fn has_hands(&self) -> bool {
        let is_counted = self.start.iter().any(|&count| count != UNLIMITED);
        let has_several = |side| self.droppable.iter().filter(|(owner, _)| *owner == side).count() > 1;
        is_counted || Side::BOTH.into_iter().any(has_several)
    }

    /// The side whose hand lies below the board: the one whose pieces begin nearer to it, or red. `None` without hands.
    pub fn hands_below(&self, map: &Map) -> Option<Side> {
        let row_of = |at: usize| at / usize::from(map.cols);
        let mean = |side: Side| {
            let owned = |kind: u16| kind > 0 && map.kinds[usize::from(kind) - 1].owner == Some(side);
            let rows =
                map.start.iter().enumerate().filter(|(_, kind)| owned(**kind)).map(|(at, _)| row_of(at));
            let (sum, count) = rows.fold((0, 0), |(sum, count), row| (sum + row, count + 1));
            sum as f64 / count.max(1) as f64
        };
        let below = if mean(Side::Second) > mean(Side::First) { Side::Second } else { Side::First };
        self.has_hands().then_some(below)
    }

    pub fn of(map: &Map, level2: &Level2) -> Compiled2 {
        let mut areas = Areas::new(map, level2);
        let gaps: Vec<u16> =
            (0u16..).zip(&level2.terrain).filter(|(_, names)| is_off(names)).map(|(at, _)| at).collect();
        let mut off = Squares::none(map.squares());
        gaps.iter().for_each(|&at| off.add(at));
        let mut droppable: Vec<(Side, u16)> =
            level2.hands.iter().map(|hand| (hand.side, hand.kind)).collect();
        let mut start: Vec<u16> = level2.hands.iter().map(|hand| hand.count).collect();
        let mut met: HashMap<(Side, u16), usize> =
            droppable.iter().enumerate().map(|(at, &one)| (one, at)).collect();
        let standard = KindRules::default();
        let mut rows: HashMap<&str, Vec<u16>> = HashMap::new();
        for (row, kind) in (0u16..).zip(&map.kinds) {
            rows.entry(&kind.name).or_default().push(row);
        }
        let mut kinds = Vec::with_capacity(map.kinds.len());
        for kind in &map.kinds {
            let rules = kind.level2.as_deref().unwrap_or(&standard);
            let hand = kind.owner.zip(rules.hand).map(|(owner, held)| {
                let one = (owner.other(), held);
                *met.entry(one).or_insert_with(|| {
                    droppable.push(one);
                    start.push(0);
                    droppable.len() - 1
                })
            });
            let attribute = level2.turns.score.as_ref().and_then(|score| score.attribute.as_deref());
            let points = attribute.map_or(1, |name| {
                let value = kind.attributes.iter().find(|(heading, _)| heading == name);
                value.map_or(0, |(_, value)| points(value))
            });
            let ways = rules
                .ways
                .each_ref()
                .map(|ways| -> Vec<CompiledWay> { ways.iter().map(|way| areas.way(way)).collect() });
            kinds.push(CompiledKind {
                may_meet: ways.each_ref().map(|ways| may_meet(ways)),
                ways,
                promotes: areas.squares(&rules.promotes),
                within: rules.within.as_ref().map(|places| areas.squares(places)),
                takes: takes(map, rules, &rows).filter(|_| level2.turns.fight.is_none()),
                hand,
                becomes: rules.becomes.clone(),
                turns: rules.turns,
                back: rules.back,
                points,
            });
        }
        let turns = &level2.turns;
        let goals = turns.goals.iter().map(|goal| areas.squares(&goal.place)).collect();
        let region = |name: &String| {
            let spot = Spot::Terrain(vec![name.clone()]);
            Places(vec![vec![Term { not: false, spot }]])
        };
        let regions = turns
            .connections
            .iter()
            .map(|one| one.regions.each_ref().map(|name| areas.squares(&region(name))));
        let regions = regions.collect();
        // Six neighbours on a hex board; the four along rows and columns on others.
        let touching = if level2.board == BoardKind::Hex { 0b0111_1110 } else { 0b0101_1010 };
        let bags = super::bags::ranges(level2.bags.len(), &level2.in_bags);
        let most = |is_so: fn(&TurnsOver) -> bool| {
            let turned = kinds.iter().filter_map(|kind| kind.turns.filter(is_so));
            turned.map(|turns| bags[usize::from(turns.bag)].len()).max().unwrap_or(0)
        };
        let most_turned = most(|turns| turns.moves).max(1) * most(|turns| turns.taken).max(1);
        let most_turned = if most_turned == 1 { most(|turns| turns.moves) } else { most_turned };
        let backs: Vec<u16> = kinds.iter().filter_map(|kind| kind.back).collect();
        // Nobody knows of an unseen piece whether it may be taken.
        for takes in kinds.iter_mut().filter_map(|kind| kind.takes.as_mut()) {
            backs.iter().for_each(|back| takes[usize::from(back - 1) / 64] |= 1 << ((back - 1) % 64));
        }
        let of_side = |side: Side| {
            let rows = (1u16..).zip(kinds.iter().zip(&map.kinds));
            rows.filter(move |(_, (kind, table))| kind.back.is_some() && table.owner == Some(side))
                .map(|(row, _)| row)
        };
        let backed = Side::BOTH.map(|side| of_side(side).collect());
        let has_secrets = level2.has_secrets(&map.kinds);
        Compiled2 {
            kinds,
            gaps,
            off,
            droppable,
            start,
            goals,
            regions,
            bags,
            most_turned,
            touching,
            backed,
            has_secrets,
        }
    }
}

/// The points that an attribute gives.
fn points(value: &Value) -> u32 {
    let points = match value {
        Value::Int(n) => *n,
        Value::Float(n) => *n as i64,
        Value::Text(text) => crate::rule::integer(text).unwrap_or(0),
        Value::Bool(set) => i64::from(*set),
    };
    points.clamp(0, i64::from(super::MOST_COUNT)) as u32
}

/// The kinds that a kind may take, as bits.
fn takes(map: &Map, rules: &KindRules, rows: &HashMap<&str, Vec<u16>>) -> Option<Box<[u64]>> {
    let takes = rules.takes.as_ref()?;
    let mut bits = vec![0u64; map.kinds.len().div_ceil(64)];
    let whole = takes.names.is_empty();
    for (row, kind) in map.kinds.iter().enumerate().filter(|_| whole) {
        let rank = kind.level2.as_ref().map_or(0, |rules| rules.rank);
        if !takes.by_rank || rank <= rules.rank {
            bits[row / 64] |= 1 << (row % 64);
        }
    }
    for (names, is_in) in [(&takes.names, true), (&takes.except, false), (&takes.also, true)] {
        let names: HashSet<&String> = names.iter().collect();
        for &row in names.into_iter().filter_map(|name| rows.get(name.as_str())).flatten() {
            let (word, bit) = (usize::from(row / 64), 1u64 << (row % 64));
            if is_in { bits[word] |= bit } else { bits[word] &= !bit }
        }
    }
    Some(bits.into())
}

/// Returns true if two of the ways may lead to the same square.
fn may_meet(ways: &[CompiledWay]) -> bool {
    let meet = |a: &CompiledWay, b: &CompiledWay| {
        let apart = matches!((a.mode, b.mode), (Mode::Walk, Mode::Take) | (Mode::Take, Mode::Walk));
        !apart
            && match (a.course, b.course) {
                (Course::Line(one, _), Course::Line(other, _)) => one == other,
                (Course::Leap(..), Course::Leap(..)) => a.course == b.course,
                (Course::Leap(down, right), Course::Line(..))
                | (Course::Line(..), Course::Leap(down, right)) => {
                    down == 0 || right == 0 || down.abs() == right.abs()
                }
            }
    };
    ways.iter().enumerate().any(|(at, way)| ways[at + 1..].iter().any(|other| meet(way, other)))
}

/// The places of a map as sets of squares, each made once.
struct Areas<'a> {
    shape: Always,
    level2: &'a Level2,
    known: HashMap<Places, Arc<Squares>>,
}

impl<'a> Areas<'a> {
    fn new(map: &Map, level2: &'a Level2) -> Areas<'a> {
        let shape = Always { rows: map.rows, cols: map.cols, old_names: false, tabled: true };
        Areas { shape, level2, known: HashMap::new() }
    }

    fn way(&mut self, way: &Way) -> CompiledWay {
        let &Way { mode, over, lame, course, .. } = way;
        CompiledWay { mode, over, lame, course, when: way.when.as_ref().map(|places| self.squares(places)) }
    }

    fn squares(&mut self, places: &Places) -> Arc<Squares> {
        if let Some(known) = self.known.get(places) {
            return Arc::clone(known);
        }
        let mut whole = Squares::none(self.shape.squares());
        for part in &places.0 {
            let mut all = Squares::every(self.shape.squares());
            part.iter().for_each(|term| all.keep(&self.term(term)));
            whole.join(&all);
        }
        let whole = Arc::new(whole);
        self.known.insert(places.clone(), Arc::clone(&whole));
        whole
    }

    fn term(&self, term: &Term) -> Squares {
        let place = |name: &str, args: &[i64]| {
            self.shape.squares_of([&Place { name: name.to_owned(), args: args.to_vec() }])
        };
        let mut squares = match &term.spot {
            Spot::Rows(args) => place("X", args),
            Spot::Columns(args) => place("Y", args),
            Spot::Points(args) => place("P", args),
            Spot::Terrain(names) => {
                let names: HashSet<&String> = names.iter().collect();
                let mut on = Squares::none(self.shape.squares());
                for (at, here) in (0u16..).zip(&self.level2.terrain) {
                    if here.iter().any(|name| names.contains(name)) {
                        on.add(at);
                    }
                }
                on
            }
        };
        if term.not {
            squares.turn_round();
        }
        squares
    }
}
