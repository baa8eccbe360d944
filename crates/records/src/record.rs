//! One recorded game: players, facts, and a tree of moves.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

use jingbanqi::extension::Source;
use kernel::{AnyGame, Outcome, Problem, Side, view};

use crate::Format;
use crate::text::one_line;

/// The longest file read, in bytes. A thousand-move game with comments takes a hundredth of it.
pub const MOST_BYTES: usize = 4 << 20;
/// The most plies of a tree, variations included: a third more than the largest opening trees that are met. Such a tree
/// takes some 200 bytes a ply.
pub const MOST_PLIES: usize = 300_000;
/// The longest comment, in bytes.
pub const MOST_COMMENT: usize = 16 << 10;
/// The longest start FEN, in bytes; user-made games have long ones.
pub const MOST_FEN: usize = 64 << 10;
/// The longest name, date, clock, reason or game key, in bytes.
pub const MOST_TEXT: usize = 400;
/// The longest move text, in bytes.
pub const MOST_MOVE: usize = 100;
/// The most bytes of a JSON file: it may hold a map and its extensions, in Base64.
pub const MOST_JSON: usize = 14 << 20;
/// The most files of extensions.
const MOST_EXTENSIONS: usize = jingbanqi::extension::MOST_EXTENSIONS;
/// The most options of a game.
pub const MOST_OPTIONS: usize = 64;
/// The most tags of a record.
pub const MOST_TAGS: usize = 64;
/// The most signs of judgement at one ply.
pub const MOST_NAGS: usize = 16;
/// Names that a tag cannot have, since the record has a place of its own for what they say.
const TAKEN: [&str; 9] = ["game", "map", "options", "start", "first", "second", "result", "clock", "date"];

/// One recorded game. An empty text means that the fact is unknown.
///
/// ```
/// use records::{Format, Ply, Record, Tree, write};
///
/// let mut record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
/// record.players = ["Ann", "Bo"].map(str::to_owned);
/// record.tree.add(Tree::START, Ply { text: "h8".to_owned(), ..Ply::default() });
/// let text = String::from_utf8(write(Format::Text, &record)?).unwrap();
/// assert_eq!(text, "Game: gomoku/freestyle\nFirst: Ann\nSecond: Bo\n\n1. h8\n");
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The game's key in the catalogue, such as `gomoku/standard`.
    pub game: String,
    /// The map it was played on, in games that come with one.
    pub map: Option<MapOf>,
    /// The options it was set up with, by key.
    pub options: BTreeMap<String, i64>,
    /// The start FEN; `None` is the usual start.
    pub start: Option<String>,
    /// The names of the players, in order of moving.
    pub players: [String; 2],
    /// The end of the game; `None` if it did not end.
    pub ending: Option<Ending>,
    /// The clock, in words or in figures such as `300+5`.
    pub clock: String,
    /// The day it was played, as `2026-11-21`, or as much of it as is known.
    pub date: String,
    /// The other facts of a file, by the names that PGN has for them: `Event`, `Site`, `Round`, `ECCO`.
    pub tags: BTreeMap<String, String>,
    /// The moves with their variations.
    pub tree: Tree,
}

/// The map of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MapOf {
    /// The hash of its files, which identifies it on a server; may be empty where the files are there.
    pub id: String,
    /// The name of the map.
    pub name: String,
    /// Its files, in formats that carry them.
    pub files: Option<Files>,
}

/// The files of a map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Files {
    /// The .xlsx file.
    pub map: Vec<u8>,
    /// Its extensions, in their order.
    pub extensions: Vec<Source>,
}

/// The end of a recorded game. Unlike `kernel::Outcome` it may come from an unknown file, so it may be false.
///
/// ```
/// use kernel::{Outcome, Side};
/// use records::{Ending, Score};
///
/// let ending = Ending::from(Outcome::Win(Side::Second, "checkmate"));
/// assert_eq!(ending, Ending { score: Score::Win(Side::Second), reason: "checkmate".to_owned() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner according to the record; it is not checked against the moves.
    pub score: Score,
    /// The reason: a key such as `five-in-a-row`; empty where the file does not say.
    pub reason: String,
}

/// The result of a recorded game.
///
/// ```
/// use kernel::Side;
/// use records::Score;
///
/// assert_eq!(Score::keyed("second"), Some(Score::Win(Side::Second)));
/// assert_eq!(Score::Win(Side::First).turned().key(), "second");
/// assert_eq!(Score::Draw.turned(), Score::Draw);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// This side has won.
    Win(Side),
    /// The game is a draw.
    Draw,
    /// The game does not count.
    Void,
}

impl Score {
    /// `first`, `second`, `draw` or `void`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Score::Win(Side::First) => "first",
            Score::Win(Side::Second) => "second",
            Score::Draw => "draw",
            Score::Void => "void",
        }
    }

    /// The score with the sides exchanged.
    #[must_use]
    pub const fn turned(self) -> Score {
        match self {
            Score::Win(side) => Score::Win(side.other()),
            nobodys => nobodys,
        }
    }

    /// The score with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Score> {
        let all = [Score::Win(Side::First), Score::Win(Side::Second), Score::Draw, Score::Void];
        all.into_iter().find(|score| score.key() == key)
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        let score = match outcome {
            Outcome::Win(side, _) => Score::Win(side),
            Outcome::Draw(_) => Score::Draw,
            Outcome::Void(_) => Score::Void,
        };
        Ending { score, reason: outcome.reason().to_owned() }
    }
}

/// Converts the end of a game at a table, which may be one that no rules know.
impl From<&view::Outcome> for Ending {
    fn from(outcome: &view::Outcome) -> Self {
        let score = match outcome.winner {
            Some(side) => Score::Win(side),
            None if outcome.void => Score::Void,
            None => Score::Draw,
        };
        Ending { score, reason: outcome.reason.to_string() }
    }
}

impl From<&Ending> for view::Outcome {
    fn from(ending: &Ending) -> Self {
        let winner = match ending.score {
            Score::Win(side) => Some(side),
            Score::Draw | Score::Void => None,
        };
        view::Outcome { winner, reason: ending.reason.clone().into(), void: ending.score == Score::Void }
    }
}

impl Record {
    /// The record of a game as it stands, with its start FEN. Players, clock and date are for the caller.
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    /// use records::Record;
    ///
    /// let mut game = kernel::any(Gomoku::usual(Rule::Standard));
    /// game.play("h8").unwrap();
    /// let record = Record::of("gomoku/standard", &*game);
    /// assert_eq!((record.tree.plies(), record.ending), (1, None));
    /// ```
    #[must_use]
    pub fn of(key: &str, game: &dyn AnyGame) -> Record {
        let mut tree = Tree::default();
        let mut last = Tree::START;
        let mut before = None;
        for (text, mover) in game.record().into_iter().zip(game.movers()) {
            let same_turn = before.replace(mover) == Some(mover);
            last = tree.add(last, Ply { text, same_turn, ..Ply::default() });
        }
        Record {
            game: key.to_owned(),
            start: Some(game.start_fen()),
            ending: game.outcome().map(Ending::from),
            tree,
            ..Record::default()
        }
    }

    /// Keeps a fact of a file as a tag, on one line, unless it is empty, longer than a record may hold, or has a
    /// field of its own.
    ///
    /// ```
    /// use records::Record;
    ///
    /// let mut record = Record::default();
    /// record.tag("Event", "Spring\ncup");
    /// record.tag("Date", "2026");
    /// assert_eq!(record.tags["Event"], "Spring cup");
    /// assert!(!record.tags.contains_key("Date"), "a record has a field for it");
    /// ```
    pub fn tag(&mut self, name: &str, value: &str) {
        let value = one_line(value);
        let fits = is_tag(name) && value.len() <= MOST_COMMENT && self.tags.len() < MOST_TAGS;
        if fits && !value.is_empty() {
            self.tags.insert(name.to_owned(), value);
        }
    }

    /// Plays the main line on `game`, which must stand at this record's start, and returns it.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use records::{Format, read};
    ///
    /// let start = || kernel::any(Draughts::<International>::start());
    /// let record = read(Format::Pdn, b"1. 32-28 19-23 2. 28x19 *")?;
    /// assert_eq!(record.replay(start())?.plies(), 3);
    /// let wrong = read(Format::Text, b"Game: draughts/international\n\n1. 32-28 2. 32-27\n")?;
    /// assert_eq!(wrong.replay(start()).err().unwrap().arg("turn"), Some("1"));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// [`refused`].
    pub fn replay(&self, mut game: Box<dyn AnyGame>) -> Result<Box<dyn AnyGame>, Problem> {
        for id in self.tree.main_line() {
            let text = &self.tree[id].text;
            game.play(text).map_err(|why| refused(&*game, text, why.problem().key))?;
        }
        Ok(game)
    }

    /// Cuts the tree to the moves that `game`, which must stand at this record's start, allows: everything behind an
    /// impossible move is dropped, and with an impossible move of the main line its alternatives are dropped too.
    /// Returns the first problem, that of the main line if it is cut; the record is marked then, see
    /// [`mark_cut`](Record::mark_cut).
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    /// use records::{Format, read};
    ///
    /// let mut record = read(Format::Pos, b"h8i9h8j10")?;
    /// let problem = record.keep_possible(kernel::any(Gomoku::usual(Rule::Freestyle)))?;
    /// assert_eq!(problem.map(|problem| problem.key), Some("record-move-refused"));
    /// assert_eq!(record.tree.plies(), 2);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The fault in the first move of the main line, when nothing of it is left.
    pub fn keep_possible(&mut self, mut game: Box<dyn AnyGame>) -> Result<Option<Problem>, Problem> {
        game.play_past_draws(true);
        let mut path: Vec<NodeId> = Vec::new();
        let mut kept = vec![None; self.tree.nodes.len()];
        kept[0] = Some(Tree::START);
        let mut tree = Tree::default();
        tree[Tree::START] = self.tree[Tree::START].clone();
        let is_main: std::collections::HashSet<NodeId> = self.tree.main_line().collect();
        let (mut main, mut side) = (None, None);
        let mut cut_at = None; // where the main line is cut, nothing else is put in its place
        for id in self.tree.in_order() {
            let before = self.tree.before(id).unwrap_or(Tree::START);
            let Some(parent) = kept[before.0] else { continue };
            if cut_at == Some(before) {
                continue;
            }
            while path.last().is_some_and(|&last| last != before) {
                path.pop();
                game.undo();
            }
            let ply = &self.tree[id];
            match game.play(&ply.text) {
                Ok(()) => {
                    path.push(id);
                    kept[id.0] = Some(tree.add(parent, ply.clone()));
                }
                Err(why) => {
                    let of_main = is_main.contains(&id);
                    let problem = |line| refused(&*game, &ply.text, why.problem().key).with("where", line);
                    if of_main {
                        cut_at = Some(before);
                        main = Some(problem("main"));
                    } else if side.is_none() {
                        side = Some(problem("side"));
                    }
                }
            }
        }
        let Some(problem) = main.or(side) else { return Ok(None) };
        if tree.plies() == 0 {
            return Err(problem);
        }
        self.tree = tree;
        self.mark_cut(&problem);
        Ok(Some(problem))
    }

    /// Marks the record as cut: the tag `Cut` tells the place and the text that was there.
    ///
    /// ```
    /// use kernel::Problem;
    /// use records::Record;
    ///
    /// let mut record = Record::default();
    /// record.mark_cut(&Problem::new("record-move-refused").with("turn", 12).with("move", "h8"));
    /// assert_eq!(record.tags["Cut"], "12 h8");
    /// ```
    pub fn mark_cut(&mut self, problem: &Problem) {
        let part = |name| problem.arg(name).unwrap_or_default();
        let number = problem.arg("turn").or(problem.arg("line"));
        let words = [part("where"), number.unwrap_or_default(), part("move"), part("found")];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let words = words.join(" ");
        self.tag("Cut", if words.is_empty() { problem.key } else { &words });
    }

    /// Checks that everything is within the limits, and that every move and option can be written in every format.
    ///
    /// ```
    /// use records::Record;
    ///
    /// let record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
    /// assert_eq!(record.check(), Ok(()));
    /// let long = Record { clock: "5".repeat(500), ..record };
    /// assert_eq!(long.check().unwrap_err().to_string(), r#"record-limit what="clock" found="500" most="400""#);
    /// ```
    ///
    /// # Errors
    /// `record-limit` with `what`, `found` and `most`; `record-game`, `record-move-text` and `record-option-name`.
    pub fn check(&self) -> Result<(), Problem> {
        if !is_word(&self.game) {
            return Err(Problem::new("record-game").with("found", &self.game));
        }
        within("plies", self.tree.plies(), MOST_PLIES)?;
        within("options", self.options.len(), MOST_OPTIONS)?;
        if let Some(map) = &self.map {
            within("map", map.id.len() + map.name.len(), MOST_TEXT)?;
            within(
                "extensions",
                map.files.as_ref().map_or(0, |files| files.extensions.len()),
                MOST_EXTENSIONS,
            )?;
        }
        within("start", self.start.as_ref().map_or(0, String::len), MOST_FEN)?;
        within("game", self.game.len(), MOST_TEXT)?;
        within("first", self.players[0].len(), MOST_TEXT)?;
        within("second", self.players[1].len(), MOST_TEXT)?;
        within("clock", self.clock.len(), MOST_TEXT)?;
        within("date", self.date.len(), MOST_TEXT)?;
        within("reason", self.ending.as_ref().map_or(0, |e| e.reason.len()), MOST_TEXT)?;
        within("tags", self.tags.len(), MOST_TAGS)?;
        for (name, value) in &self.tags {
            within("tag", value.len(), MOST_COMMENT)?;
            if !is_tag(name) {
                return Err(Problem::new("record-tag").with("found", name));
            }
        }
        for name in self.options.keys() {
            within("option", name.len(), MOST_TEXT)?;
            if !is_word(name) || name.contains('=') {
                return Err(Problem::new("record-option-name").with("found", name));
            }
        }
        self.tree.check()
    }
}

/// The most bytes of a game in that format.
pub(crate) const fn most_bytes(format: Format) -> usize {
    if matches!(format, Format::Json) { MOST_JSON } else { MOST_BYTES }
}

/// The problem of a move that is not possible where `game` stands: `record-move-refused` with `turn` and `by` (see
/// [`at_turn`]), the `move` text, and `because`, the key of the game's own problem.
///
/// ```
/// use gomoku::{Gomoku, Rule};
/// use records::record::refused;
///
/// let game = kernel::any(Gomoku::usual(Rule::Standard));
/// let problem = refused(&*game, "p1", "no-such-point");
/// assert_eq!((problem.key, problem.arg("turn")), ("record-move-refused", Some("1")));
/// ```
#[must_use]
pub fn refused(game: &dyn AnyGame, text: &str, because: &str) -> Problem {
    at_turn(Problem::new("record-move-refused"), game).with("move", text).with("because", because)
}

/// The problem with `turn`, the number of the move that comes next as players count, and `by`, the side that makes it:
/// `first` or `second`.
///
/// ```
/// use gomoku::{Gomoku, Rule};
/// use kernel::Problem;
/// use records::record::at_turn;
///
/// let mut game = kernel::any(Gomoku::usual(Rule::Standard));
/// game.play("h8").unwrap();
/// let problem = at_turn(Problem::new("strange"), &*game);
/// assert_eq!(problem.to_string(), r#"strange turn="1" by="second""#);
/// ```
#[must_use]
pub fn at_turn(problem: Problem, game: &dyn AnyGame) -> Problem {
    problem.with("turn", turn_after(game)).with("by", by(game.turn()))
}

pub(crate) const fn by(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The number of the move that comes next, as players count: two turns, one of each side, have one number.
///
/// ```
/// use gomoku::{Gomoku, Rule};
/// use records::record::turn_after;
///
/// let mut game = kernel::any(Gomoku::usual(Rule::Standard));
/// for (text, turn) in [("h8", 1), ("i9", 2), ("j10", 2)] {
///     game.play(text).unwrap();
///     assert_eq!(turn_after(&*game), turn);
/// }
/// ```
#[must_use]
pub fn turn_after(game: &dyn AnyGame) -> usize {
    let mut movers = game.movers();
    movers.push(game.turn());
    numbered(movers)
}

/// The number of the last move that these sides made, in the order in which they made them; at least one.
pub(crate) fn numbered(mut movers: Vec<Side>) -> usize {
    movers.dedup();
    let begins_second = movers.first() == Some(&Side::Second);
    (movers.len() + usize::from(begins_second)).div_ceil(2)
}

/// The number of the move that comes next after `plies` of games in which the sides take turns, `turn` being next.
pub(crate) const fn turn_number(plies: usize, turn: Side) -> usize {
    let begins_second = plies.is_multiple_of(2) != matches!(turn, Side::First);
    (plies + begins_second as usize) / 2 + 1
}

/// A refusal when `found` is more than `most`.
pub(crate) fn within(what: &'static str, found: usize, most: usize) -> Result<(), Problem> {
    if found <= most {
        return Ok(());
    }
    Err(Problem::new("record-limit").with("what", what).with("found", found).with("most", most))
}

/// Returns true if a text is one visible word, without spaces.
fn is_word(text: &str) -> bool {
    // Moves are ASCII.
    if text.is_ascii() {
        return !text.is_empty() && !text.bytes().any(|b| b <= b' ' || b == 0x7f);
    }
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// A name PGN allows, and not one of [`TAKEN`].
fn is_tag(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= 64
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !TAKEN.iter().any(|taken| name.eq_ignore_ascii_case(taken))
}

/// One ply of a tree, and what was said about it.
///
/// ```
/// use records::Ply;
///
/// let mut ply = Ply { text: "h8".to_owned(), ..Ply::default() };
/// ply.judge(1);
/// ply.remark("bold");
/// assert_eq!((ply.nags, ply.comment.as_str()), (vec![1], "bold"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ply {
    /// The move's machine text, without spaces; empty at the start.
    pub text: String,
    /// True if the side that made the ply before made this one too, in the same turn (locked chess). Never true right
    /// after the start.
    pub same_turn: bool,
    /// The comment on the ply.
    pub comment: String,
    /// Thinking time in milliseconds.
    pub spent_ms: Option<u64>,
    /// Signs of judgement by the numbers PGN gives them (its section 10), rising: 1 for `!`, 2 for `?`.
    pub nags: Vec<u8>,
}

impl Ply {
    /// Adds a sign of judgement; one that is there already, and one beyond the limit, change nothing.
    ///
    /// ```
    /// use records::Ply;
    ///
    /// let mut ply = Ply::default();
    /// [2, 1, 2].map(|nag| ply.judge(nag));
    /// assert_eq!(ply.nags, [1, 2]);
    /// ```
    pub fn judge(&mut self, nag: u8) {
        if let Err(at) = self.nags.binary_search(&nag)
            && self.nags.len() < MOST_NAGS
        {
            self.nags.insert(at, nag);
        }
    }

    /// Adds a remark, on a line of its own behind what is there.
    ///
    /// ```
    /// use records::Ply;
    ///
    /// let mut ply = Ply::default();
    /// ply.remark("bold");
    /// ply.remark("too bold");
    /// assert_eq!(ply.comment, "bold\ntoo bold");
    /// ```
    pub fn remark(&mut self, comment: &str) {
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(comment);
    }
}

/// A ply's place in its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(usize);

/// The moves of a record: a main line with variations, and variations of those.
///
/// Kept flat, so that no depth of variations can exhaust the stack. Two trees are equal when they read alike,
/// whatever the order in which they grew.
///
/// ```
/// use records::{Ply, Tree};
///
/// let ply = |text: &str| Ply { text: text.to_owned(), ..Ply::default() };
/// let mut tree = Tree::default();
/// let first = tree.add(Tree::START, ply("h8"));
/// let reply = tree.add(first, ply("i9"));
/// tree.add(first, ply("g9"));
/// assert_eq!((tree.plies(), tree.main_line().collect::<Vec<_>>()), (3, vec![first, reply]));
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>, // never empty; the first is the start; a parent comes before its children
}

#[derive(Clone, Debug, Default)]
struct Node {
    ply: Ply,
    parent: usize,
    next: Vec<NodeId>,
}

impl Tree {
    /// The place before the first move. Its ply has no move, but may have a comment.
    pub const START: NodeId = NodeId(0);

    /// Adds a ply after `parent`: the main line if it is the first there, else a variation.
    ///
    /// ```
    /// use records::{Ply, Tree};
    ///
    /// let mut tree = Tree::default();
    /// let first = tree.add(Tree::START, Ply { text: "h8".to_owned(), ..Ply::default() });
    /// assert_eq!(tree[first].text, "h8");
    /// assert_eq!(tree.before(first), Some(Tree::START));
    /// ```
    pub fn add(&mut self, parent: NodeId, mut ply: Ply) -> NodeId {
        let id = NodeId(self.nodes.len());
        // Nothing comes before the first ply, so it begins a turn, or ends one that the record does not hold.
        ply.same_turn &= parent != Tree::START;
        self.nodes[parent.0].next.push(id);
        self.nodes.push(Node { ply, parent: parent.0, next: Vec::new() });
        id
    }

    /// Returns the plies played after `id`: the main line first, then the variations.
    ///
    /// ```
    /// use records::{Format, Tree, read};
    ///
    /// let tree = read(Format::Sgf, b"(;GM[4]SZ[15];B[hh](;W[ig])(;W[gg]))")?.tree;
    /// let replies: Vec<&str> = tree.next(tree.next(Tree::START)[0]).iter().map(|&id| &*tree[id].text).collect();
    /// assert_eq!(replies, ["i9", "g9"]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn next(&self, id: NodeId) -> &[NodeId] {
        &self.nodes[id.0].next
    }

    /// The place before `id`; `None` at the start.
    #[must_use]
    pub fn before(&self, id: NodeId) -> Option<NodeId> {
        (id != Tree::START).then(|| NodeId(self.nodes[id.0].parent))
    }

    /// Returns the number of plies, variations included.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The plies of the main line.
    ///
    /// ```
    /// use records::{Format, read};
    ///
    /// let tree = read(Format::Sgf, b"(;GM[4]SZ[15];B[hh](;W[ig])(;W[gg]))")?.tree;
    /// assert_eq!(tree.main_line().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["h8", "i9"]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        let first = |id| self.next(id).first().copied();
        std::iter::successors(first(Tree::START), move |&id| first(id))
    }

    /// Every ply, each line to its end before the variations beside it.
    ///
    /// ```
    /// use records::{Format, read};
    ///
    /// let tree = read(Format::Sgf, b"(;GM[4]SZ[15];B[hh](;W[ig];B[jf])(;W[gg]))")?.tree;
    /// assert_eq!(tree.in_order().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["h8", "i9", "j10", "g9"]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn in_order(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut waiting: Vec<NodeId> = self.next(Tree::START).iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let id = waiting.pop()?;
            waiting.extend(self.next(id).iter().rev());
            Some(id)
        })
    }

    fn check(&self) -> Result<(), Problem> {
        within("comment", self[Tree::START].comment.len(), MOST_COMMENT)?;
        for id in self.in_order() {
            let ply = &self[id];
            within("move", ply.text.len(), MOST_MOVE)?;
            within("comment", ply.comment.len(), MOST_COMMENT)?;
            within("nags", ply.nags.len(), MOST_NAGS)?;
            if !is_word(&ply.text) {
                return Err(Problem::new("record-move-text").with("found", &ply.text));
            }
        }
        Ok(())
    }
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node::default()] }
    }
}

impl Index<NodeId> for Tree {
    type Output = Ply;

    fn index(&self, id: NodeId) -> &Ply {
        &self.nodes[id.0].ply
    }
}

impl IndexMut<NodeId> for Tree {
    fn index_mut(&mut self, id: NodeId) -> &mut Ply {
        &mut self.nodes[id.0].ply
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        // Alike in order and in the number of ways on at each place is alike in shape.
        let alike =
            |(a, b): (NodeId, NodeId)| self[a] == other[b] && self.next(a).len() == other.next(b).len();
        self.plies() == other.plies()
            && alike((Tree::START, Tree::START))
            && self.in_order().zip(other.in_order()).all(alike)
    }
}

impl Eq for Tree {}
