//! Level 2 of the map language: more words for moves, turns, ends, hands and boards, beside the language that maps
//! always had.
//!
//! A workbook is of level 2 when it has a sheet `rules2` whose cell A1 is `棋馆 2` or `Qiguan 2`. Without that mark
//! nothing in this module is reached. The language is told in `docs/rules/jingbanqi.md`, section 10.
//!
//! Reading order: [`ways`] (the rules of moves and places), [`turns`] (the words of `rules2`), `sheets` (reading the
//! sheets), `compiled` (making it fast), `play` (playing), `bags` (the sheet of bags), `chance` (pieces that are turned
//! over), `lots` (pieces that are drawn for one side), `hidden` and `secrets` (what each side sees), `setup` (the arrangement of pieces),
//! `worlds` (positions that look alike), `hooked` (playing with extensions), `queries` (their questions), `text` (FEN and names of moves), `alike` (a map
//! of both levels).

mod alike;
mod bags;
mod chance;
mod compiled;
mod hidden;
mod hooked;
mod nearest;
mod play;
mod lots;
mod queries;
mod secrets;
mod setup;
mod sheets;
pub mod turns;
mod text;
pub mod ways;
mod worlds;

use kernel::Side;

pub use alike::alike;
pub use bags::{InBag, TurnsOver};
pub(crate) use compiled::Compiled2;
pub use hidden::Secrets;
pub use hooked::Act;
pub use hooked::{MOST_STEPS, fits};
pub use play::{Altered, Progress};
pub use queries::AgainError;
pub(crate) use sheets::{Second, is_marked, is_off, leads_to_level_2};
pub(crate) use text::ENDS;
pub(crate) use turns::is_mark;

use turns::Turns;
use ways::{Places, Way};

/// The mark of a map of level 2, in cell A1 of the sheet `rules2`, in both languages.
pub const MARKS: [&str; 2] = ["棋馆 2", "Qiguan 2"];
/// The most pieces of a kind in a hand, and the largest number of other counts of `rules2`.
pub const MOST_COUNT: u32 = 4096;
/// The most rows of the sheets `rules2`, `look`, `hand` and `bag` that are read.
pub const MOST_ROWS: u32 = 256;
/// The most columns of these sheets that are read.
pub const MOST_COLUMNS: u32 = 8;
/// The most kinds that a piece may choose from when it promotes.
pub const MOST_CHOICES: usize = 16;
/// The number of pieces in a hand that stands for any number of them.
pub const UNLIMITED: u16 = u16::MAX;

/// The rules of level 2 of one map.
///
/// ```
/// use jingbanqi::{Draft, DraftKind};
///
/// let [name, rule] = ["pawn", "m2,1,3;"].map(str::to_owned);
/// let pawn = DraftKind { name, rule, owner: Some(kernel::Side::First), ..DraftKind::default() };
/// let mut draft = Draft { rows: 3, cols: 3, cells: vec![0, 0, 0, 1], kinds: vec![pawn], ..Draft::default() };
/// draft.level2.rules2 = vec![vec!["Qiguan 2".to_owned()], vec!["stuck".to_owned(), "lose".to_owned()]];
/// let map = draft.read().map.expect("it has no errors");
/// assert!(map.level2.is_some());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level2 {
    /// The sheets as they were written: what a workbook of this map holds.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub sheets: Sheets2,
    /// The kind of board.
    pub board: BoardKind,
    /// The names of terrain on each square, row by row.
    pub terrain: Vec<Vec<String>>,
    /// The looks of terrain.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub looks: Vec<Look>,
    /// Turns and ends.
    pub turns: Turns,
    /// The pieces in hands at the start.
    pub hands: Vec<InHand>,
    /// The names of the bags that pieces are drawn from.
    pub bags: Vec<String>,
    /// The pieces in bags at the start, by bag.
    pub in_bags: Vec<InBag>,
    /// The same map by its sheet `rules`, which claims to play alike.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub first: Option<Box<crate::Map>>,
}

/// The sheets of level 2 as texts: rows of cells, without empty ones at the ends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheets2 {
    /// The sheet with the mark and the words of turns and ends; empty for a map of level 1.
    pub rules2: Vec<Vec<String>>,
    /// Names of terrain over the board, with `/` between them.
    pub terrain: Vec<Vec<String>>,
    /// The looks of terrain.
    pub look: Vec<Vec<String>>,
    /// The pieces in hands at the start.
    pub hand: Vec<Vec<String>>,
    /// The pieces in bags at the start.
    pub bag: Vec<Vec<String>>,
}

impl Sheets2 {
    /// Takes away empty rows and cells at the ends.
    pub(crate) fn trim(&mut self) {
        for rows in [&mut self.rules2, &mut self.terrain, &mut self.look, &mut self.hand, &mut self.bag] {
            for cells in rows.iter_mut() {
                let filled = cells.iter().rposition(|text| !text.trim().is_empty());
                cells.truncate(filled.map_or(0, |last| last + 1));
            }
            let filled = rows.iter().rposition(|cells| !cells.is_empty());
            rows.truncate(filled.map_or(0, |last| last + 1));
        }
    }

    /// The sheets with their names in a workbook.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &Vec<Vec<String>>); 5] {
        [
            ("rules2", &self.rules2),
            ("terrain", &self.terrain),
            ("look", &self.look),
            ("hand", &self.hand),
            ("bag", &self.bag),
        ]
    }
}

/// The kinds of boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BoardKind {
    /// Pieces stand in squares.
    #[default]
    Squares,
    /// Pieces stand on crossings.
    Points,
    /// Rows are drawn half a square further to the right each, and directions 1 and 8 are missing.
    Hex,
}

/// The look of a terrain, for clients.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// The name of the terrain.
    pub name: String,
    /// One of [`COLOURS`], by its English name; `None` where the sheet names none.
    pub colour: Option<&'static str>,
    /// One of [`ICONS`], by its English name.
    pub icon: Option<&'static str>,
    /// The word that screen readers say; empty: the name.
    pub word: String,
}

/// Pieces of a kind in a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InHand {
    /// The side that may put them on the board.
    pub side: Side,
    /// Their row of the table of pieces, from 1.
    pub kind: u16,
    /// Their number; [`UNLIMITED`] for any number.
    pub count: u16,
}

/// The colours of looks, in English and Chinese.
pub const COLOURS: [[&str; 2]; 8] = [
    ["red", "红"],
    ["orange", "橙"],
    ["yellow", "黄"],
    ["green", "绿"],
    ["cyan", "青"],
    ["blue", "蓝"],
    ["purple", "紫"],
    ["grey", "灰"],
];

/// The icons of looks, in English and Chinese.
pub const ICONS: [[&str; 2]; 10] = [
    ["water", "水"],
    ["mountain", "山"],
    ["tree", "树"],
    ["palace", "宫"],
    ["gate", "门"],
    ["trap", "陷"],
    ["star", "星"],
    ["flag", "旗"],
    ["bridge", "桥"],
    ["den", "穴"],
];

/// The rules of a kind of piece at level 2.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KindRules {
    /// The cells of the move rule, the places of promotion and the promoted rule, as they were written.
    pub texts: [String; 3],
    /// The ways to go: ordinary and promoted.
    pub ways: [Vec<Way>; 2],
    /// The places where it promotes; without parts nowhere.
    pub promotes: Places,
    /// The squares it may move to; `None` for all.
    pub within: Option<Places>,
    /// The enemies it may take; `None` for all.
    pub takes: Option<Takes>,
    /// The rank, by which others may or may not take it.
    pub rank: i64,
    /// The kind that it becomes in the hand of the side that takes it, by row of the table.
    pub hand: Option<u16>,
    /// The kinds that it becomes when it promotes; empty: it keeps its kind and moves by the promoted rule.
    pub becomes: Vec<u16>,
    /// The way in which it is turned over; `None` if it is not.
    pub turns: Option<TurnsOver>,
    /// The piece that those see in its place who do not see it, by row of the table; `None`: it is always seen.
    pub back: Option<u16>,
}

/// The enemies that a kind may take.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Takes {
    /// True if the prey may not be of a higher rank.
    pub by_rank: bool,
    /// The names of the prey, where they are listed; empty with `by_rank`.
    pub names: Vec<String>,
    /// Names that are left out.
    pub except: Vec<String>,
    /// Names that are added.
    pub also: Vec<String>,
}

impl Level2 {
    /// Returns true if a side may see something that the other does not.
    #[must_use]
    pub fn has_secrets(&self, kinds: &[crate::PieceKind]) -> bool {
        let is_lot = |kind: &crate::PieceKind| {
            kind.level2.as_ref().and_then(|rules| rules.turns).is_some_and(|turns| turns.taken)
        };
        self.turns.sees == turns::Sees::Own || kinds.iter().any(is_lot)
    }
}

impl Takes {
    /// Returns true if a piece of rank `own` may take a piece of that name and rank.
    #[must_use]
    pub fn may(&self, own: i64, name: &str, rank: i64) -> bool {
        let has = |names: &[String]| names.iter().any(|one| one == name);
        let usual = match (self.by_rank, self.names.is_empty()) {
            (true, _) => rank <= own,
            // Only what is left out or added was written.
            (false, true) => !self.except.is_empty(),
            (false, false) => has(&self.names),
        };
        (usual && !has(&self.except)) || has(&self.also)
    }
}
