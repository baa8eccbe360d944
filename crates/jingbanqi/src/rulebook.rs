//! A user's game: board, pieces and switches, checked and ready to be compiled.

use std::collections::HashSet;

use kernel::{Problem, Side};

use crate::level2::turns::Turns;
use crate::level2::{KindRules, Level2};
use crate::rule::{MoveRule, PlaceRule};

/// The longest side of a board.
pub const MOST_SIDE: u32 = 64;
/// The most kinds of pieces.
pub const MOST_KINDS: usize = 4096;
/// The most columns of attributes.
pub const MOST_ATTRIBUTES: u32 = 256;

/// The most names of unknown places that a warning lists: a fact of a problem holds no more.
const MOST_NAMES_TOLD: usize = 40;

/// The names of places that the rules define.
pub const BUILT_IN: [&str; 3] = ["X", "Y", "P"];
/// The names of places that the first published rules also defined, and that an extension supplies since.
pub const OLD_BUILT_IN: [&str; 5] = ["D", "R", "T", "NP", "C"];

/// The map of a game as its author wrote it.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// assert_eq!(map.start.len(), usize::from(map.rows) * usize::from(map.cols));
/// assert!(map.kinds.iter().any(|kind| kind.captain));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map {
    /// The number of rows, 1 to 64.
    pub rows: u8,
    /// The number of columns, 1 to 64.
    pub cols: u8,
    /// The pieces; the k-th has id k, from 1.
    pub kinds: Vec<PieceKind>,
    /// Row by row: the id of the piece that starts there, 0 for none.
    pub start: Vec<u16>,
    /// True if pieces promote.
    pub promotion: bool,
    /// True if moves may be taken back without asking, on one screen.
    pub undo: bool,
    /// True if a third neutral move in a row is refused.
    pub neutral_limit: bool,
    /// The rules of level 2; `None` for a map of level 1.
    pub level2: Option<Box<Level2>>,
}

/// One piece of the table.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// let captains: Vec<_> = map.kinds.iter().filter(|kind| kind.captain).map(|kind| kind.owner).collect();
/// assert!(kernel::Side::BOTH.iter().all(|side| captains.contains(&Some(*side))));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PieceKind {
    /// The text on the piece.
    pub name: String,
    /// The side that owns it; `None` for a neutral one.
    pub owner: Option<Side>,
    /// True if the side that takes this piece wins.
    pub captain: bool,
    /// The move rule.
    pub rule: MoveRule,
    /// The places where it promotes; empty for none.
    pub promotes: PlaceRule,
    /// The move rule after promotion.
    pub promoted: MoveRule,
    /// The attributes that extensions read, by heading.
    pub attributes: Vec<(String, Value)>,
    /// The rules of level 2, by which it moves instead; `None` in a map of level 1.
    pub level2: Option<Box<KindRules>>,
}

impl PieceKind {
    /// Returns the move rule, the places of promotion and the promoted rule, as the table of pieces has them.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// assert_eq!(map.kinds[0].texts()[0], map.kinds[0].rule.to_string());
    /// ```
    #[must_use]
    pub fn texts(&self) -> [String; 3] {
        match &self.level2 {
            Some(rules) => rules.texts.clone(),
            None => [self.rule.to_string(), self.promotes.to_string(), self.promoted.to_string()],
        }
    }
}

/// The value of a cell.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Value {
    /// A text, without quotation marks.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number with a decimal point.
    Float(f64),
    /// True or false.
    Bool(bool),
}

impl Map {
    /// Returns the number of squares of the board.
    #[must_use]
    pub fn squares(&self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    /// Every name of a place that the map uses, each once, in order of first use.
    ///
    /// ```
    /// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
    /// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
    /// let built_in = jingbanqi::rulebook::BUILT_IN;
    /// assert!(map.names().all(|name| built_in.contains(&name)), "it needs no extension");
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let rules = self.kinds.iter().flat_map(|kind| {
            let items =
                [&kind.rule, &kind.promoted].into_iter().flat_map(|rule| rule.sections.iter().flatten());
            items.filter_map(|item| item.when.as_ref()).chain([&kind.promotes])
        });
        let mut met = HashSet::new();
        let names = rules.flat_map(|rule| &rule.0).map(|place| place.name.as_str());
        names.filter(move |&name| met.insert(name))
    }

    /// Lists the warnings for the author of a map that can be played: missing captains, and names of places that
    /// neither the rules nor `supplied` explain.
    ///
    /// ```
    /// use jingbanqi::{Draft, DraftKind};
    ///
    /// let [name, rule, promoted] = ["stone", "2(Q[1]);", ";"].map(str::to_owned);
    /// let stone = DraftKind { name, rule, promoted, ..DraftKind::default() };
    /// let map = Draft { rows: 3, cols: 3, kinds: vec![stone], ..Draft::default() }.read().map.unwrap();
    /// let keys = |supplied: &[&str]| map.warnings(supplied).iter().map(|w| w.key).collect::<Vec<_>>();
    /// assert_eq!(keys(&["Q"]), ["map-warn-no-captain", "map-warn-no-captain"]);
    /// assert_eq!(keys(&[]).last(), Some(&"map-uses-undefined-rule"));
    /// ```
    #[must_use]
    pub fn warnings(&self, supplied: &[&str]) -> Vec<Problem> {
        let mut warnings = Vec::new();
        // At level 2 a game may be won otherwise.
        if let Some(level2) = &self.level2
            && level2.turns != Turns::default()
        {
            return warnings;
        }
        for (side, name) in [(Side::First, "red"), (Side::Second, "blue")] {
            let has = |id: u16| {
                self.kinds[usize::from(id) - 1].owner == Some(side) && self.kinds[usize::from(id) - 1].captain
            };
            if !self.start.iter().any(|&id| id > 0 && has(id)) {
                warnings.push(Problem::new("map-warn-no-captain").with("place", name));
            }
        }
        let known: HashSet<&str> = BUILT_IN.iter().chain(supplied).copied().collect();
        let unknown = self.names().filter(|name| !known.contains(name));
        let unknown: Vec<&str> = unknown.take(MOST_NAMES_TOLD).collect();
        if !unknown.is_empty() {
            let list = unknown.join(", ");
            warnings
                .push(Problem::new("map-uses-undefined-rule").with("place", "chesses").with("text", list));
        }
        warnings
    }
}
