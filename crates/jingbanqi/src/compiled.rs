//! Compilation of a map for play: the squares that each rule leads to from each square are computed once.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::Side;

use crate::level2::{BoardKind, Compiled2, Level2};
use crate::place::{Always, Where};
use crate::rule::{MoveRule, Place, PlaceRule, STEPS};
use crate::rulebook::{Map, PieceKind};

/// The number that stands for no square: the step leaves the board.
pub(crate) const OFF: u16 = u16::MAX;

/// The most entries of the tables together; a larger map evaluates its rules again at each move instead.
const MOST_ENTRIES: usize = 1 << 20;

/// The compiled rules of one game, shared by all its positions.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// use std::sync::Arc;
///
/// use jingbanqi::{Jingbanqi, Rulebook};
///
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// let book = Arc::new(Rulebook::new(map, false));
/// let game = kernel::any(Jingbanqi::new(book));
/// assert!(!game.moves().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Rulebook {
    map: Map,
    /// True if `D`, `R`, `T`, `NP` and `C` mean what the first published rules said.
    old_names: bool,
    /// The seed of the extensions' random numbers.
    seed: u128,
    /// The square that a step in each direction leads to, for each square; [`OFF`] for none.
    steps: Vec<[u16; 8]>,
    kinds: Vec<Compiled>,
    /// The different move rules of the map.
    rules: Vec<Ways>,
    /// True if some promotion depends on other pieces.
    restless: bool,
    /// The compiled rules of level 2, where the map has some.
    level2: Option<Arc<Compiled2>>,
}

/// The compiled rules of a kind of piece.
#[derive(Clone, Debug)]
struct Compiled {
    owner: Option<Side>,
    captain: bool,
    /// The ordinary and the promoted move rule: indices into `rules`.
    rule: [usize; 2],
    /// Squares on which it promotes whatever stands elsewhere: an entry for each square.
    promotes: Vec<bool>,
    /// The places of its promotion that depend on other pieces.
    promotes_if: PlaceRule,
}

/// A compiled move rule: directions as bits, direction 1 the lowest.
#[derive(Clone, Debug)]
struct Ways {
    /// The directions of a step and of any distance, for each square. Empty when the table would be too large.
    fixed: Vec<[u8; 2]>,
    /// The directions that have no condition.
    anywhere: [u8; 2],
    /// The directions that depend on other pieces, or on the square when the table would be too large.
    loose: Vec<Loose>,
}

#[derive(Clone, Debug)]
struct Loose {
    far: bool,
    bit: u8,
    when: PlaceRule,
}

/// Directions a piece may take now, as bits: one step, and any distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Directions {
    pub near: u8,
    pub far: u8,
}

impl Rulebook {
    /// Compiles a map. `old_names`: `D`, `R`, `T`, `NP` and `C` are known without an extension.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use jingbanqi::Rulebook;
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let book = Rulebook::new(map.clone(), false);
    /// assert_eq!((book.map(), book.old_names()), (&map, false));
    /// ```
    #[must_use]
    pub fn new(map: Map, old_names: bool) -> Self {
        let mut steps: Vec<[u16; 8]> = (0..map.squares()).map(|square| steps_from(&map, square)).collect();
        if let Some(level2) = &map.level2 {
            confine(&mut steps, level2);
        }
        let mut texts: Vec<&MoveRule> = Vec::new();
        let mut known: HashMap<&MoveRule, usize> = HashMap::new();
        let mut place_of = |rule| {
            *known.entry(rule).or_insert_with(|| {
                texts.push(rule);
                texts.len() - 1
            })
        };
        let places: Vec<[usize; 2]> =
            map.kinds.iter().map(|kind| [place_of(&kind.rule), place_of(&kind.promoted)]).collect();
        let tabled = (texts.len() + map.kinds.len()) * map.squares() <= MOST_ENTRIES;
        let shape = Always { rows: map.rows, cols: map.cols, old_names, tabled };
        let rules = texts.iter().map(|rule| ways(&shape, rule)).collect();
        let kinds: Vec<Compiled> =
            map.kinds.iter().zip(places).map(|(kind, rule)| compiled(&shape, kind, rule)).collect();
        let restless = kinds.iter().any(|kind| !kind.promotes_if.0.is_empty());
        let level2 = map.level2.as_deref().map(|level2| Arc::new(Compiled2::of(&map, level2)));
        Rulebook { old_names, seed: 0, steps, kinds, rules, restless, level2, map }
    }

    /// Returns the same rules for a game whose extensions draw other random numbers.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// use jingbanqi::Rulebook;
    ///
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// assert_eq!(Rulebook::new(map, false).with_seed(7).seed(), 7);
    /// ```
    #[must_use]
    pub fn with_seed(self, seed: u128) -> Self {
        Rulebook { seed, ..self }
    }

    /// Returns the seed of the extensions' random numbers: the same game has the same numbers wherever it is played
    /// again.
    #[must_use]
    pub fn seed(&self) -> u128 {
        self.seed
    }

    /// The map as its author wrote it.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Returns true if the old names of places are known without an extension.
    #[must_use]
    pub fn old_names(&self) -> bool {
        self.old_names
    }

    /// Returns true if a piece may have to promote that did not move.
    #[must_use]
    pub fn is_restless(&self) -> bool {
        self.restless
    }

    /// The rules of level 2 as the map has them, and compiled; `None` for a map of level 1.
    #[inline]
    pub(crate) fn level2(&self) -> Option<(&Level2, &Compiled2)> {
        let compiled = self.level2.as_deref()?;
        self.map.level2.as_deref().map(|level2| (level2, compiled))
    }

    #[inline]
    pub(crate) fn step(&self, from: u16, direction: u32) -> u16 {
        self.steps[usize::from(from)][direction as usize]
    }

    #[inline]
    pub(crate) fn owner(&self, id: u16) -> Option<Side> {
        self.kinds[usize::from(id) - 1].owner
    }

    #[inline]
    pub(crate) fn is_captain(&self, id: u16) -> bool {
        self.kinds[usize::from(id) - 1].captain
    }

    /// Returns the directions in which that piece may go from that square, by the square alone and by what `others`
    /// says.
    #[inline]
    pub(crate) fn directions(&self, id: u16, promoted: bool, from: u16, others: &impl Where) -> Directions {
        let rule = &self.rules[self.kinds[usize::from(id) - 1].rule[usize::from(promoted)]];
        let [mut near, mut far] = rule.fixed.get(usize::from(from)).copied().unwrap_or(rule.anywhere);
        for loose in &rule.loose {
            let bits = if loose.far { &mut far } else { &mut near };
            if *bits & loose.bit == 0 && others.holds(&loose.when, from) {
                *bits |= loose.bit;
            }
        }
        Directions { near, far }
    }

    /// Returns true if that piece promotes on that square.
    #[inline]
    pub(crate) fn promotes(&self, id: u16, at: u16, others: &impl Where) -> bool {
        let kind = &self.kinds[usize::from(id) - 1];
        kind.promotes.get(usize::from(at)).copied().unwrap_or(false)
            || (!kind.promotes_if.0.is_empty() && others.holds(&kind.promotes_if, at))
    }
}

fn steps_from(map: &Map, square: usize) -> [u16; 8] {
    let (rows, cols) = (i32::from(map.rows), i32::from(map.cols));
    let (row, col) = (square as i32 / cols, square as i32 % cols);
    STEPS.map(|(down, right)| {
        let (row, col) = (row + down, col + right);
        let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
        if inside { (row * cols + col) as u16 } else { OFF }
    })
}

/// Takes away the steps that a board of level 2 has not: those onto cells that are no squares, and on a hex board
/// directions 1 and 8.
fn confine(steps: &mut [[u16; 8]], level2: &Level2) {
    let is_off =
        |at: u16| level2.terrain.get(usize::from(at)).is_some_and(|names| crate::level2::is_off(names));
    for steps in steps {
        for (direction, to) in steps.iter_mut().enumerate() {
            let is_missing = level2.board == BoardKind::Hex && matches!(direction, 0 | 7);
            if *to != OFF && (is_missing || is_off(*to)) {
                *to = OFF;
            }
        }
    }
}

fn ways(shape: &Always, rule: &MoveRule) -> Ways {
    let squares = if shape.tabled { shape.squares() } else { 0 };
    let mut ways = Ways { fixed: vec![[0; 2]; squares], anywhere: [0; 2], loose: Vec::new() };
    for (far, section) in rule.sections.iter().take(2).enumerate() {
        // By direction: where the square alone lets it go.
        let mut places: [Vec<Place>; 8] = Default::default();
        for item in section {
            let direction = (item.direction - 1) as usize;
            let bit = 1u8 << direction;
            let Some(when) = &item.when else {
                ways.anywhere[far] |= bit;
                continue;
            };
            let (fixed, loose) = shape.split(when);
            places[direction].extend(fixed.0);
            if !loose.0.is_empty() {
                ways.loose.push(Loose { far: far == 1, bit, when: loose });
            }
        }
        for (direction, places) in places.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
            let on = shape.squares_of(places);
            for (square, bits) in (0u16..).zip(&mut ways.fixed) {
                bits[far] |= u8::from(on.contains(square)) << direction;
            }
        }
    }
    let anywhere = ways.anywhere;
    for bits in &mut ways.fixed {
        *bits = [bits[0] | anywhere[0], bits[1] | anywhere[1]];
    }
    ways
}

fn compiled(shape: &Always, kind: &PieceKind, rule: [usize; 2]) -> Compiled {
    let (fixed, loose) = shape.split(&kind.promotes);
    let on = shape.squares_of(&fixed.0);
    let squares = if shape.tabled { shape.squares() as u16 } else { 0 };
    let promotes = (0..squares).map(|square| on.contains(square)).collect();
    Compiled { owner: kind.owner, captain: kind.captain, rule, promotes, promotes_if: loose }
}
