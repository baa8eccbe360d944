//! Turns and ends: the words of the sheet `rules2`.

use std::collections::HashMap;

use kernel::{Problem, Side};

use super::nearest::nearest;
use super::ways::{Places, places};
use super::{BoardKind, MARKS, MOST_COUNT};
use crate::rule::integer;
use crate::sheet::At;

/// The longest order of turns, in plies.
const LONGEST_ORDER: usize = 64;
/// The most aims of a map: rows of `goal` and `connect`.
const MOST_AIMS: usize = 64;

/// The rules of turns and ends. By default they are those of level 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Turns {
    /// The sides in the order in which they move.
    pub order: Order,
    /// True if a side may pass; two passes in a row end the game.
    pub pass: bool,
    /// True if a side that can take has to.
    pub must_take: bool,
    /// The fate of a side without a move.
    pub stuck: Stuck,
    /// True if a side without pieces wins, false if it loses; `None`: it goes on.
    pub bare_wins: Option<bool>,
    /// True if a side loses only with the last of its captains.
    pub all_captains: bool,
    /// True if a move is illegal that leaves an own captain attacked.
    pub safe: bool,
    /// The number of occurrences of a position that count, and what follows.
    pub repeat: Option<(u32, Repetition)>,
    /// Places that win for a piece that moves there.
    pub goals: Vec<Goal>,
    /// The number of own pieces in a row that win.
    pub line: Option<u32>,
    /// Regions that win for a side whose pieces connect them.
    pub connections: Vec<Connection>,
    /// The way points are counted.
    pub score: Option<Score>,
    /// The limit of plies.
    pub plies: Option<Limit>,
    /// The limit of plies without a capture.
    pub quiet: Option<Limit>,
    /// True if the second player may take over the first player's colour after the first turn.
    pub pie: bool,
    /// True if the first piece of a side that is turned over gives the player who did it that side's colour.
    pub claim: bool,
    /// The pieces that a side sees.
    pub sees: Sees,
    /// The way in which pieces fight; `None`: who moves takes.
    pub fight: Option<Fight>,
    /// True if each side first arranges its own pieces.
    pub setup: bool,
}

/// The pieces that a side sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sees {
    /// Every piece of both sides.
    #[default]
    All,
    /// Its own pieces, and of the others those that have no back or were shown.
    Own,
}

/// The way in which pieces fight: by rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fight {
    /// True if everybody sees from then on which pieces have fought.
    pub shows: bool,
}

/// The order in which sides move: once the first list, then for ever the second.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Order {
    /// The sides of the first round; may be empty.
    pub first: Vec<Side>,
    /// The sides of all later rounds; holds both.
    pub then: Vec<Side>,
}

impl Default for Order {
    fn default() -> Order {
        Order { first: Vec::new(), then: Side::BOTH.to_vec() }
    }
}

impl Order {
    /// The number of places: those of the first round, then those of the others.
    #[must_use]
    pub fn places(&self) -> usize {
        self.first.len() + self.then.len()
    }

    /// The side that moves at a place.
    #[must_use]
    pub fn side(&self, place: usize) -> Side {
        if place < self.first.len() { self.first[place] } else { self.then[place - self.first.len()] }
    }

    /// The place after a place.
    #[must_use]
    pub fn next(&self, place: usize) -> usize {
        if place + 1 < self.places() { place + 1 } else { self.first.len() }
    }

    /// The number of plies before the other side moves for the first time.
    #[must_use]
    pub fn lead(&self) -> usize {
        let first = self.side(0);
        (0..self.places()).take_while(|&place| self.side(place) == first).count()
    }
}

/// The fate of a side without a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stuck {
    /// The game is drawn.
    #[default]
    Draw,
    /// The side loses.
    Lose,
    /// The side wins.
    Win,
    /// The side passes.
    Pass,
}

/// The consequence of a repeated position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Repetition {
    /// The game is drawn.
    Draw,
    /// The side that repeats it loses.
    Lose,
    /// The move is illegal.
    Forbidden,
}

/// A place that wins for a piece that moves there.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Goal {
    /// The kinds of pieces, by row of the table from 1.
    pub kinds: Vec<u16>,
    /// The place that wins for these kinds.
    pub place: Places,
}

/// Two regions that win for a side whose pieces connect them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Connection {
    /// The side that connects them.
    pub side: Side,
    /// The names of the regions' terrain.
    pub regions: [String; 2],
}

/// The way points are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score {
    /// The points of taken pieces that win; `None`: pieces on the board are counted at the end.
    pub first_to: Option<u32>,
    /// The attribute that holds a piece's points; `None`: one for each piece.
    pub attribute: Option<String>,
}

/// A limit of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limit {
    /// The number of plies.
    pub plies: u32,
    /// True if points are counted then; otherwise the game is drawn.
    pub counts: bool,
}

/// A word of `rules2`, in English and Chinese.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The English word.
    pub en: &'static str,
    /// The Chinese word.
    pub zh: &'static str,
}

const fn word(en: &'static str, zh: &'static str) -> Word {
    Word { en, zh }
}

/// The words that begin a row of `rules2`.
pub const WORDS: [Word; 23] = [
    word("board", "棋盘"),
    word("promote", "升变"),
    word("undo", "悔棋"),
    word("neutral", "中立"),
    word("order", "顺序"),
    word("pass", "可不走"),
    word("must take", "必吃"),
    word("stuck", "无子可动"),
    word("bare", "无子"),
    word("captains", "首领"),
    word("safe", "禁送"),
    word("repeat", "重复"),
    word("goal", "到达"),
    word("line", "连线"),
    word("connect", "连通"),
    word("score", "计分"),
    word("plies", "手数"),
    word("quiet", "无吃"),
    word("pie", "交换"),
    word("claim", "定色"),
    word("sees", "看见"),
    word("fight", "战斗"),
    word("setup", "布阵"),
];

/// The words that cannot stand beside `sees own`, with the reason: their answer would depend on what the mover does not see,
/// or tell it.
const TELLING: [&str; 6] = ["captains", "safe", "score", "must take", "pie", "claim"];

const YES_NO: [(Word, bool); 4] =
    [(word("yes", "是"), true), (word("no", "否"), false), (word("c", "c"), true), (word("n", "不"), false)];

/// The facts of the map that the words refer to.
pub(super) struct Facts<'a> {
    /// The names of the pieces, in the order of the table.
    pub pieces: &'a [String],
    /// The rows of the pieces of a name, from 1.
    rows: HashMap<&'a str, Vec<u16>>,
    /// The names of terrain on the board, sorted.
    terrain: &'a [String],
    /// The headings of attributes.
    attributes: &'a [String],
}

impl<'a> Facts<'a> {
    pub fn new(pieces: &'a [String], terrain: &'a [String], attributes: &'a [String]) -> Facts<'a> {
        let mut rows: HashMap<&str, Vec<u16>> = HashMap::new();
        for (row, name) in (1u16..).zip(pieces) {
            rows.entry(name).or_default().push(row);
        }
        Facts { pieces, rows, terrain, attributes }
    }

    /// The rows of the pieces of a name, from 1; a number names a row.
    pub fn kinds(&self, name: &str) -> Vec<u16> {
        let row = || integer(name).and_then(|row| u16::try_from(row).ok());
        let numbered = |row: &u16| (1..=self.pieces.len()).contains(&usize::from(*row));
        self.rows.get(name).cloned().unwrap_or_else(|| row().filter(numbered).into_iter().collect())
    }

    /// The problem of a name that no piece has.
    pub fn no_piece(&self, name: &str) -> Problem {
        let near = nearest(name, self.pieces.iter().map(String::as_str)).unwrap_or("-");
        Problem::new("map-unknown-piece").with("text", name).with("near", near)
    }

    /// The problem of a name that no terrain has; `None` if one has it.
    pub fn no_terrain(&self, name: &str) -> Option<Problem> {
        if self.terrain.binary_search_by(|one| one.as_str().cmp(name)).is_ok() {
            return None;
        }
        let near = nearest(name, self.terrain.iter().map(String::as_str)).unwrap_or("-");
        Some(Problem::new("map-unknown-terrain").with("text", name).with("near", near))
    }
}

/// The words of a sheet `rules2`, read.
#[derive(Default)]
pub(super) struct Rules2 {
    pub turns: Turns,
    pub board: BoardKind,
    pub promotion: bool,
    pub undo: bool,
    pub neutral_limit: bool,
    /// The rows of the words that were read.
    pub rows: Vec<(&'static str, u32)>,
    /// The problems and their cells.
    pub problems: Vec<(At, Problem)>,
}

impl Rules2 {
    /// The cell of a word, if the sheet has it.
    pub fn cell_of(&self, word: &str) -> Option<At> {
        self.rows.iter().find(|(known, _)| *known == word).map(|&(_, row)| (row, 0))
    }

    /// Finds words that do not go together where there are secrets. `has_lots`: some pieces are drawn for one side alone.
    fn check_secrets(&mut self, has_lots: bool) {
        let turns = &self.turns;
        let hides = turns.sees == Sees::Own;
        let mut found: Vec<(At, Problem)> = Vec::new();
        let own = |text: &str| Problem::new("map-sees-tells").with("text", text);
        for word in TELLING.into_iter().filter(|word| hides || (has_lots && matches!(*word, "pie" | "claim")))
        {
            found.extend(self.cell_of(word).map(|at| (at, own(word))));
        }
        if hides && matches!(turns.repeat, Some((_, Repetition::Forbidden))) {
            found.extend(self.cell_of("repeat").map(|at| (at, own("repeat"))));
        }
        if hides && self.cell_of("setup").is_none() {
            found.extend(self.cell_of("sees").map(|at| (at, Problem::new("map-sees-setup"))));
        }
        for (word, is_there) in [("fight", turns.fight.is_some()), ("setup", turns.setup)] {
            let is_said =
                self.cell_of("sees").is_some_and(|(row, _)| self.problems.iter().any(|(at, _)| at.0 == row));
            if is_there && !hides && !is_said {
                let problem = Problem::new("map-needs-sees").with("text", word);
                found.extend(self.cell_of(word).map(|at| (at, problem)));
            }
        }
        self.problems.extend(found);
    }
}

/// Reads the rows of a sheet `rules2`, the mark among them.
pub(super) fn read(rows: &[Vec<String>], facts: &Facts<'_>, has_lots: bool) -> Rules2 {
    let mut found = Rules2::default();
    let mut met: Vec<&'static str> = Vec::new();
    for (at, cells) in (0u32..).zip(rows) {
        let text = |col: usize| cells.get(col).map_or("", |text| text.trim());
        let extra = |from: usize| (from..cells.len()).find(|&col| !text(col).is_empty());
        if at == 0 {
            if let Some(col) = extra(1) {
                found
                    .problems
                    .push(((at, col as u32), Problem::new("map-rules2-extra").with("text", text(col))));
            }
            continue;
        }
        if text(0).is_empty() {
            if let Some(col) = extra(1) {
                let problem = Problem::new("map-rules2-word").with("text", "").with("near", "-");
                found.problems.push(((at, col as u32), problem));
            }
            continue;
        }
        let Some(word) = known(&WORDS, text(0)) else {
            found.problems.push(((at, 0), unknown(text(0))));
            continue;
        };
        let is_repeatable = matches!(word.en, "goal" | "connect");
        if met.contains(&word.en) && !is_repeatable {
            found.problems.push(((at, 0), Problem::new("map-rules2-twice").with("text", text(0))));
            continue;
        }
        met.push(word.en);
        found.rows.push((word.en, at));
        let values = Values { word, cells };
        match values.take(&mut found, facts) {
            Ok(used) => {
                if let Some(col) = extra(used + 1) {
                    let problem = Problem::new("map-rules2-extra").with("text", text(col));
                    found.problems.push(((at, col as u32), problem));
                }
            }
            Err((col, problem)) => found.problems.push(((at, col as u32), problem)),
        }
    }
    found.check_secrets(has_lots);
    found
}

fn known(words: &[Word], text: &str) -> Option<Word> {
    words.iter().copied().find(|word| word.zh == text || word.en.eq_ignore_ascii_case(text))
}

fn unknown(text: &str) -> Problem {
    let is_ascii = text.is_ascii();
    let words = WORDS.iter().map(|word| if is_ascii { word.en } else { word.zh });
    Problem::new("map-rules2-word").with("text", text).with("near", nearest(text, words).unwrap_or("-"))
}

/// A row of `rules2` whose word is known.
struct Values<'a> {
    word: Word,
    cells: &'a [String],
}

/// The column of a bad value, and what is wrong with it.
type BadValue = (usize, Problem);

impl Values<'_> {
    fn text(&self, col: usize) -> &str {
        self.cells.get(col).map_or("", |text| text.trim())
    }

    fn bad(&self, col: usize, near: &str) -> BadValue {
        let problem = Problem::new("map-rules2-value").with("word", self.word.zh).with("en", self.word.en);
        (col, problem.with("text", self.text(col)).with("near", near))
    }

    /// One of some words.
    fn one_of<T: Copy>(&self, col: usize, choices: &[(Word, T)]) -> Result<T, BadValue> {
        let text = self.text(col);
        let found = choices.iter().find(|(word, _)| word.zh == text || word.en.eq_ignore_ascii_case(text));
        found.map(|(_, value)| *value).ok_or_else(|| {
            let is_ascii = text.is_ascii() && !text.is_empty();
            let words = choices.iter().map(|(word, _)| if is_ascii { word.en } else { word.zh });
            self.bad(col, nearest(text, words).unwrap_or("-"))
        })
    }

    fn number(&self, col: usize, least: u32) -> Result<u32, BadValue> {
        let number = integer(self.text(col)).and_then(|n| u32::try_from(n).ok());
        let fits = |n: &u32| (least..=MOST_COUNT).contains(n);
        number.filter(fits).ok_or_else(|| self.bad(col, &format!("{least}…{MOST_COUNT}")))
    }

    fn yes(&self, may_be_left_out: bool) -> Result<bool, BadValue> {
        if may_be_left_out && self.text(1).is_empty() { Ok(true) } else { self.one_of(1, &YES_NO) }
    }

    /// Sets what the row says; returns the number of values it has.
    fn take(&self, to: &mut Rules2, facts: &Facts<'_>) -> Result<usize, BadValue> {
        let turns = &mut to.turns;
        match self.word.en {
            "board" => to.board = self.board()?,
            "promote" => to.promotion = self.yes(false)?,
            "undo" => to.undo = self.yes(false)?,
            "neutral" => to.neutral_limit = self.yes(false)?,
            "order" => {
                turns.order = self.order()?;
                return Ok(2);
            }
            "pass" => turns.pass = self.yes(false)?,
            "must take" => turns.must_take = self.yes(false)?,
            "stuck" => {
                let choices = [
                    (word("draw", "和"), Stuck::Draw),
                    (word("lose", "负"), Stuck::Lose),
                    (word("win", "胜"), Stuck::Win),
                    (word("pass", "停"), Stuck::Pass),
                ];
                turns.stuck = self.one_of(1, &choices)?;
            }
            "bare" => {
                let choices = [(word("lose", "负"), false), (word("win", "胜"), true)];
                turns.bare_wins = Some(self.one_of(1, &choices)?);
            }
            "captains" => {
                turns.all_captains =
                    self.one_of(1, &[(word("one", "一"), false), (word("all", "全"), true)])?;
            }
            "safe" => turns.safe = self.yes(true)?,
            "repeat" => {
                let choices = [
                    (word("draw", "和"), Repetition::Draw),
                    (word("lose", "负"), Repetition::Lose),
                    (word("forbidden", "禁"), Repetition::Forbidden),
                ];
                turns.repeat = Some((self.number(1, 2)?, self.one_of(2, &choices)?));
                return Ok(2);
            }
            "goal" => {
                let goal = self.goal(facts)?;
                turns.goals.push(self.within(turns.goals.len(), goal)?);
                return Ok(2);
            }
            "line" => turns.line = Some(self.number(1, 2)?),
            "connect" => {
                let connection = self.connection(facts)?;
                turns.connections.push(self.within(turns.connections.len(), connection)?);
                return Ok(3);
            }
            "score" => {
                turns.score = Some(self.score(facts)?);
                return Ok(2);
            }
            "plies" => {
                turns.plies = Some(self.limit()?);
                return Ok(2);
            }
            "quiet" => {
                turns.quiet = Some(self.limit()?);
                return Ok(2);
            }
            "claim" => turns.claim = self.yes(true)?,
            "sees" => turns.sees = self.sees()?,
            "fight" => {
                self.one_of(1, &[(word("rank", "级"), ())])?;
                let choices = [(word("shown", "亮"), true), (word("not shown", "不亮"), false)];
                turns.fight = Some(Fight { shows: self.one_of(2, &choices)? });
                return Ok(2);
            }
            "setup" => {
                self.one_of(1, &[(word("exchange", "换位"), ())])?;
                turns.setup = true;
            }
            _ => turns.pie = self.yes(true)?,
        }
        Ok(1)
    }

    fn within<T>(&self, count: usize, one: T) -> Result<T, BadValue> {
        if count < MOST_AIMS { Ok(one) } else { Err(self.bad(0, &MOST_AIMS.to_string())) }
    }

    fn sees(&self) -> Result<Sees, BadValue> {
        if known(&[word("reach", "所及")], self.text(1)).is_some() {
            return Err((1, Problem::new("map-level2-later").with("text", self.text(1))));
        }
        self.one_of(1, &[(word("all", "全"), Sees::All), (word("own", "己"), Sees::Own)])
    }

    fn board(&self) -> Result<BoardKind, BadValue> {
        if known(&[word("graph", "图")], self.text(1)).is_some() {
            return Err((1, Problem::new("map-level2-later").with("text", self.text(1))));
        }
        let choices = [
            (word("squares", "格"), BoardKind::Squares),
            (word("points", "交叉"), BoardKind::Points),
            (word("hex", "六角"), BoardKind::Hex),
        ];
        self.one_of(1, &choices)
    }

    /// One or two rounds, in one cell or in two.
    fn order(&self) -> Result<Order, BadValue> {
        let whole = format!("{} {}", self.text(1), self.text(2));
        let side = |c: char| match c {
            'R' | 'r' | '红' => Some(Side::First),
            'B' | 'b' | '蓝' => Some(Side::Second),
            _ => None,
        };
        let rounds: Option<Vec<Vec<Side>>> =
            whole.split_whitespace().map(|round| round.chars().map(side).collect()).collect();
        let order = match rounds.unwrap_or_default().as_slice() {
            [then] => Order { first: Vec::new(), then: then.clone() },
            [first, then] => Order { first: first.clone(), then: then.clone() },
            _ => return Err(self.bad(1, "RB")),
        };
        let has_both = Side::BOTH.iter().all(|side| order.then.contains(side));
        if has_both && order.places() <= LONGEST_ORDER { Ok(order) } else { Err(self.bad(1, "RB")) }
    }

    fn goal(&self, facts: &Facts<'_>) -> Result<Goal, BadValue> {
        let mut kinds = Vec::new();
        for name in self.text(1).split('/').map(str::trim) {
            let found = facts.kinds(name);
            if found.is_empty() {
                return Err((1, facts.no_piece(name)));
            }
            kinds.extend(found);
        }
        let place = places(self.text(2)).map_err(|problem| (2, problem.with("text", self.text(2))))?;
        if place.0.is_empty() {
            return Err(self.bad(2, "X[1]"));
        }
        if let Some(problem) = place.terrain().find_map(|name| facts.no_terrain(name)) {
            return Err((2, problem));
        }
        Ok(Goal { kinds, place })
    }

    fn connection(&self, facts: &Facts<'_>) -> Result<Connection, BadValue> {
        let sides = [
            (word("1", "1"), Side::First),
            (word("2", "2"), Side::Second),
            (word("R", "红"), Side::First),
            (word("B", "蓝"), Side::Second),
        ];
        let side = self.one_of(1, &sides)?;
        let region = |col: usize| match facts.no_terrain(self.text(col)) {
            None => Ok(self.text(col).to_owned()),
            Some(problem) => Err((col, problem)),
        };
        Ok(Connection { side, regions: [region(2)?, region(3)?] })
    }

    fn score(&self, facts: &Facts<'_>) -> Result<Score, BadValue> {
        let counts = known(&[word("count", "数")], self.text(1)).is_some();
        let first_to = if counts { None } else { Some(self.number(1, 1)?) };
        let attribute = match self.text(2) {
            "" => None,
            text if facts.attributes.iter().any(|one| one == text) => Some(text.to_owned()),
            text => {
                let near =
                    nearest(text, facts.attributes.iter().map(String::as_str)).unwrap_or("-").to_owned();
                return Err(self.bad(2, &near));
            }
        };
        Ok(Score { first_to, attribute })
    }

    fn limit(&self) -> Result<Limit, BadValue> {
        let plies = self.number(1, 1)?;
        let choices = [(word("draw", "和"), false), (word("count", "数"), true)];
        let counts = !self.text(2).is_empty() && self.one_of(2, &choices)?;
        Ok(Limit { plies, counts })
    }
}

/// Returns true if a text is the mark of a map of level 2.
pub(crate) fn is_mark(text: &str) -> bool {
    MARKS.iter().any(|mark| text.trim().eq_ignore_ascii_case(mark))
}
