//! DPXQ, the text of 东萍象棋网's board (DhtmlXQ, "UBB"): xiangqi with comments and variations, alone or in a page.
//!
//! ```text
//! [DhtmlXQ]
//! [DhtmlXQ_title]…[/DhtmlXQ_title]
//! [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
//! [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
//! [DhtmlXQ_move_0_2_1]7967[/DhtmlXQ_move_0_2_1]
//! [DhtmlXQ_comment1]…[/DhtmlXQ_comment1]
//! [/DhtmlXQ]
//! ```
//!
//! Facts from what its board and its clipboard write, and from the readers of other programs. A point is a file from
//! Red's left and a row from Black's side, both from 0; 99 is no place. `binit` has the points of Red's sixteen
//! pieces, then of Black's; `fen`, where there is one, goes before it. `move_P_S_B` is branch B: what might have been
//! played in branch P from ply S on, plies counted from 1 at the start whatever the branch, and branch 0 the list of
//! moves itself. `commentB_S` is about ply S of branch B, `commentS` about one of branch 0, ply 0 is the start; `||`
//! breaks a line. UTF-8 and GBK are read, and the tags of a page around which other text stands.

use std::collections::{BTreeMap, VecDeque};

use kernel::{Notation, Problem, Side};
use xiangqi::Xiangqi;

use crate::points::{IN_ORDER, Point, Points, move_text, opened, points_of, set_start, start_at};
use crate::record::{MOST_PLIES, within};
use crate::text::{one_line, place};
use crate::{Ending, NodeId, Ply, Record, Score, Tree, said};

/// The prefix of each of its names.
const MARK: &str = "[DhtmlXQ_";
/// The longest of its names, in bytes.
const LONGEST_NAME: usize = 40;
/// The most branches that are read.
const MOST_BRANCHES: usize = 5000;
/// The pieces of the usual start.
const USUAL: &str = "8979695949392919097717866646260600102030405060708012720323436383";
/// The format's names for facts that a record keeps as tags.
const TAGS: [(&str, &str); 12] = [
    ("title", "Title"),
    ("event", "Event"),
    ("place", "Site"),
    ("round", "Round"),
    ("redteam", "RedTeam"),
    ("blackteam", "BlackTeam"),
    ("redtime", "RedTime"),
    ("blacktime", "BlackTime"),
    ("open", "Opening"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("endtype", "Termination"),
];

/// Returns true if the bytes hold such a text, at their beginning or in a page.
pub(crate) fn begins_like_one(bytes: &[u8]) -> bool {
    let mark = b"[DhtmlXQ";
    match bytes.first() {
        Some(b'<') => bytes.windows(mark.len()).take(64 << 10).any(|part| part == mark),
        _ => bytes.starts_with(mark),
    }
}

/// A value and its position.
#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a str,
    at: usize, // byte
}

/// Reads a record of `xiangqi`.
///
/// ```
/// let text = "[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
/// let tree = records::dpxq::read(text)?.tree;
/// assert_eq!(tree.main_line().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `dpxq-…` with line and column of what does not fit; what the game says against the start.
pub fn read(text: &str) -> Result<Record, Problem> {
    let (record, fault) = read_part(text)?;
    fault.map_or(Ok(record), Err)
}

/// Reads a record, but keeps the part before a fault in the moves and returns the fault too.
pub(crate) fn read_part(text: &str) -> Result<(Record, Option<Problem>), Problem> {
    let values = values(text);
    if values.is_empty() {
        return Err(Problem::new("dpxq-none"));
    }
    let value = |name: &str| values.get(name).map_or("", |v| v.text.trim());
    let mut record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    record.players = [one_line(value("red")), one_line(value("black"))];
    record.date = said::date(value("date"));
    if record.date.bytes().all(|b| matches!(b, b'0' | b'-')) {
        record.date.clear(); // 0000-00-00 is not known
    }
    record.clock = one_line(value("timerule"));
    record.ending = ending(value("result"));
    TAGS.iter().for_each(|(name, tag)| record.tag(tag, value(name)));
    let mut branches =
        Branches { text, tree: Tree::default(), all: Vec::new(), by_number: BTreeMap::new(), fault: None };
    branches.read(&values)?;
    branches.comment(&values);
    let fault = branches.fault;
    if let Some(fault) = fault.as_ref().filter(|_| branches.tree.plies() == 0) {
        return Err(fault.clone());
    }
    record.tree = branches.tree;
    match values.get("fen").filter(|fen| !fen.text.trim().is_empty()) {
        Some(fen) => start_at(&mut record, &one_line(fen.text))?,
        None => set_start(&mut record, &pieces(text, values.get("binit"))?, Side::First)?,
    }
    Ok((record, fault))
}

/// Writes a record of xiangqi.
///
/// Not kept: thinking times, signs of judgement, and tags that the format has no name for. Square brackets in texts
/// become full-width ones, since the format has no way to say them.
///
/// ```
/// use records::{dpxq, pgn};
///
/// let text = dpxq::write(&pgn::read("1. h2e2 h9g7 *")?)?;
/// assert!(text.contains("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `dpxq-game` for another game, `dpxq-refused` for a move that is none, and what the game says against the start.
pub fn write(record: &Record) -> Result<String, Problem> {
    if !matches!(record.game.as_str(), "xiangqi" | "xiangqi/free") {
        return Err(Problem::new("dpxq-game").with("found", &record.game));
    }
    let start = opened(&record.game, record.start.as_deref())?;
    let mut out = String::from("[DhtmlXQ]\n");
    let mut push = |name: &str, value: &str| {
        let value = value.replace('[', "［").replace(']', "］").replace('\n', "||");
        if !value.is_empty() {
            out.push_str(&format!("[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\n"));
        }
    };
    for (name, tag) in &TAGS {
        push(name, record.tags.get(*tag).map_or("", String::as_str));
    }
    push("red", &record.players[0]);
    push("black", &record.players[1]);
    push("date", &record.date);
    push("timerule", &record.clock);
    push(
        "result",
        match record.ending.as_ref().map(|ending| ending.score) {
            Some(Score::Win(Side::First)) => "红胜",
            Some(Score::Win(Side::Second)) => "黑胜",
            Some(Score::Draw) => "和棋",
            _ => "未知",
        },
    );
    if record.start.is_some() {
        push("fen", &start.fen());
    }
    push("binit", &binit(&start)?);
    let tree = &record.tree;
    push("comment0", tree[Tree::START].comment.trim());
    // Branches in the order in which their numbers are given: what is left, from which ply on, and the first move.
    let mut waiting: VecDeque<(usize, usize, NodeId)> = VecDeque::new();
    let mut branches = 0;
    waiting.extend(tree.next(Tree::START).first().map(|&id| (0, 1, id)));
    let beside = |id: NodeId| tree.next(id).iter().skip(1).copied();
    let mut starts: Vec<NodeId> = beside(Tree::START).collect();
    while let Some((base, first, id)) = waiting.pop_front() {
        let number = branches;
        branches += 1;
        let line: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| tree.next(id).first().copied()).collect();
        let mut moves = String::with_capacity(4 * line.len());
        for &id in &line {
            let text = &tree[id].text;
            let points = points_of(text).ok_or_else(|| Problem::new("dpxq-refused").with("move", text))?;
            points.iter().for_each(|p| moves.push_str(&format!("{}{}", p.file, p.row)));
        }
        match number {
            0 => push("movelist", &moves),
            _ => push(&format!("move_{base}_{first}_{number}"), &moves),
        }
        for (ply, &id) in (first..).zip(&line) {
            let name = if number == 0 { format!("comment{ply}") } else { format!("comment{number}_{ply}") };
            push(&name, tree[id].comment.trim());
            waiting.extend(beside(id).map(|other| (number, ply + 1, other)));
        }
        waiting.extend(starts.drain(..).map(|other| (0, 1, other)));
    }
    out.push_str("[/DhtmlXQ]\n");
    Ok(out)
}

/// The cells of the pieces, two digits each.
fn binit(start: &Xiangqi) -> Result<String, Problem> {
    let mut places = ["99"; 32].map(str::to_owned);
    for piece in start.all_pieces() {
        let kind = xiangqi::Kind::faced(&piece.face).map_or('p', xiangqi::Kind::letter);
        let letter = if piece.owner == Some(Side::First) { kind.to_ascii_uppercase() } else { kind } as u8;
        let free = IN_ORDER.iter().zip(&places).position(|(&l, place)| l == letter && place == "99");
        let free = free.ok_or_else(|| Problem::new("xqf-pieces").with("found", char::from(letter)))?;
        places[free] = format!("{}{}", piece.at % 9, piece.at / 9);
    }
    Ok(places.concat())
}

/// Collects the values: the text between `[DhtmlXQ_name]` and `[/DhtmlXQ_name]`, or the next bracket where that is
/// missing; of two with one name the first.
fn values(text: &str) -> BTreeMap<&str, Value<'_>> {
    let mut found = BTreeMap::new();
    let mut at = 0;
    while let Some(from) = text[at..].find(MARK).map(|i| at + i + MARK.len()) {
        at = from;
        let Some(name) = name(&text[from..]) else { continue };
        let begin = from + name.len() + 1;
        let rest = &text[begin..];
        // A value does not reach beyond the next name, so that looking for its end stays cheap.
        let reach = rest.find(MARK).unwrap_or(rest.len());
        let end = rest[..reach].find("[/DhtmlXQ").or_else(|| rest[..reach].find('['));
        let end = begin + end.unwrap_or(reach);
        found.entry(name).or_insert(Value { text: &text[begin..end], at: begin });
        at = end;
    }
    found
}

/// The name in front of a bracket, which is looked for no further than the longest name reaches.
fn name(text: &str) -> Option<&str> {
    let mut signs = text.bytes().take(LONGEST_NAME + 1);
    let length = signs.position(|b| !(b.is_ascii_alphanumeric() || b == b'_'))?;
    (text.as_bytes()[length] == b']').then_some(&text[..length])
}

fn ending(text: &str) -> Option<Ending> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let score = said::score(&text).or_else(|| {
        if says(&["红胜", "红先胜", "紅勝", "1-0"]) {
            Some(Score::Win(Side::First))
        } else if says(&["黑胜", "红先负", "黑勝", "0-1"]) {
            Some(Score::Win(Side::Second))
        } else if says(&["和", "1/2"]) {
            Some(Score::Draw)
        } else {
            None
        }
    })?;
    Some(Ending { score, reason: String::new() })
}

fn pieces(text: &str, value: Option<&Value>) -> Result<Points, Problem> {
    let value = value.copied().filter(|v| !v.text.trim().is_empty()).unwrap_or(Value { text: USUAL, at: 0 });
    let numbers = value.text.trim().as_bytes();
    let wrong = |key| located(text, key, value.at);
    if numbers.len() != 64 {
        return Err(wrong("dpxq-pieces").with("found", numbers.len()));
    }
    let mut points = Points::empty();
    for (pair, &letter) in numbers.chunks(2).zip(IN_ORDER) {
        let Some(at) = point(pair) else { continue };
        if points.at(at).is_some() {
            return Err(wrong("dpxq-two-on-one").with("found", String::from_utf8_lossy(pair)));
        }
        points.put(at, Some(letter));
    }
    Ok(points)
}

/// Two digits: file and row.
fn point(pair: &[u8]) -> Option<Point> {
    let [file, row] = *pair else { return None };
    Point::new(file.checked_sub(b'0')?, row.checked_sub(b'0')?)
}

fn located(text: &str, key: &'static str, at: usize) -> Problem {
    let (line, column) = place(text, at);
    Problem::new(key).with("line", line).with("column", column)
}

/// A line of moves that leaves another one.
struct Branch {
    base: usize, // the branch it leaves, which was read before it; of the list of moves itself, nothing
    first: usize, // its first ply, counted from 1 at the start
    plies: Vec<NodeId>,
}

/// A branch that waits for the one it branches off.
struct Waiting<'a> {
    number: u32,
    base: u32,
    first: usize,
    value: Value<'a>,
}

/// The branches read so far. Each branches off one before it in `all`, so the way back to the list of moves has an
/// end.
struct Branches<'a> {
    text: &'a str,
    tree: Tree,
    all: Vec<Branch>,
    by_number: BTreeMap<u32, usize>,
    fault: Option<Problem>,
}

impl Branches<'_> {
    fn read(&mut self, values: &BTreeMap<&str, Value>) -> Result<(), Problem> {
        let main = values.get("movelist").or_else(|| values.get("move_0_1_0"));
        let start = Value { text: "", at: 0 };
        self.add(0, 0, 1, main.copied().unwrap_or(start))?;
        let mut waiting: BTreeMap<u32, Vec<Waiting>> = BTreeMap::new(); // by the branch that is left
        for (name, &value) in values {
            if let Some((base, first, number)) = branch_name(name).filter(|&(.., number)| number > 0) {
                waiting.entry(base).or_default().push(Waiting { number, base, first, value });
            }
        }
        within("branches", waiting.values().map(Vec::len).sum(), MOST_BRANCHES)?;
        // A branch may stand before the one it leaves; each round reads what leaves those of the round before.
        let mut known = vec![0];
        while !known.is_empty() {
            let leaving = known.iter().filter_map(|number| waiting.remove(number));
            let mut ready: Vec<Waiting> = leaving.flatten().collect();
            ready.sort_by_key(|branch| branch.number);
            known.clear();
            for Waiting { number, base, first, value } in ready {
                // Of two with one number the first: the other could make a branch leave itself.
                if !self.by_number.contains_key(&number) {
                    self.add(number, self.by_number[&base], first, value)?;
                    known.extend(Some(number).filter(|number| self.by_number.contains_key(number)));
                }
            }
        }
        if let Some(lost) = waiting.into_values().flatten().min_by_key(|branch| branch.number) {
            self.note(located(self.text, "dpxq-branch", lost.value.at).with("found", lost.base));
        }
        Ok(())
    }

    /// Keeps the first fault.
    fn note(&mut self, problem: Problem) {
        self.fault.get_or_insert(problem);
    }

    fn add(&mut self, number: u32, base: usize, first: usize, value: Value) -> Result<(), Problem> {
        let from = if first == 1 { Some(Tree::START) } else { self.ply(base, first.saturating_sub(1)) };
        let Some(mut last) = from else {
            self.note(located(self.text, "dpxq-branch-ply", value.at).with("found", first));
            return Ok(());
        };
        let mut branch = Branch { base, first, plies: Vec::new() };
        let mut signs = value.text.char_indices().filter(|(_, c)| !c.is_whitespace()).peekable();
        while let Some(&(i, _)) = signs.peek() {
            let digits: String = signs.by_ref().take(4).map(|(_, c)| c).collect();
            let points =
                digits.as_bytes().split_at_checked(2).and_then(|(a, b)| Some((point(a)?, point(b)?)));
            // Behind what is no move nothing of this line fits any more.
            let Some((from, to)) = points else {
                self.note(located(self.text, "dpxq-move", value.at + i).with("found", &digits));
                break;
            };
            within("plies", self.tree.plies() + 1, MOST_PLIES)?;
            last = self.tree.add(last, Ply { text: move_text(from, to), ..Ply::default() });
            branch.plies.push(last);
        }
        self.by_number.insert(number, self.all.len());
        self.all.push(branch);
        Ok(())
    }

    /// Returns the node of ply `number` of that branch, which may be in a branch that it leaves; ply 0 is the start.
    fn ply(&self, branch: usize, number: usize) -> Option<NodeId> {
        if number == 0 {
            return Some(Tree::START);
        }
        let branch = &self.all[self.holder(branch, number)];
        branch.plies.get(number - branch.first).copied()
    }

    /// Returns the branch that holds ply `number` of `branch`: that branch, one that it leaves, or else the main line.
    fn holder(&self, mut branch: usize, number: usize) -> usize {
        while number < self.all[branch].first {
            branch = self.all[branch].base;
        }
        branch
    }

    /// Adds the comments to the nodes that they belong to.
    fn comment(&mut self, values: &BTreeMap<&str, Value>) {
        let mut told: Vec<(usize, usize, &Value)> = Vec::new(); // branch, ply, comment
        for (name, value) in values {
            let Some(about) = name.strip_prefix("comment") else { continue };
            let (branch, ply) = about.split_once('_').unwrap_or(("0", about));
            let branch = branch.parse().ok().and_then(|number: u32| self.by_number.get(&number));
            if let Some((&branch, ply)) = branch.zip(ply.parse().ok()) {
                told.push((branch, ply, value));
            }
        }
        // From the end of each branch, so that the way back through the branches before it is gone once.
        let mut order: Vec<usize> = (0..told.len()).collect();
        order.sort_by_key(|&i| (told[i].0, std::cmp::Reverse(told[i].1)));
        let mut places: Vec<Option<NodeId>> = vec![None; told.len()];
        for comments in order.chunk_by(|&a, &b| told[a].0 == told[b].0) {
            let mut at = told[comments[0]].0;
            for &i in comments {
                let ply = told[i].1;
                places[i] = self.ply(at, ply);
                at = if ply == 0 { at } else { self.holder(at, ply) };
            }
        }
        for ((.., value), place) in told.into_iter().zip(places) {
            let comment = value.text.replace("\r\n", "\n").replace("||", "\n");
            if let Some(id) = place.filter(|_| !comment.trim().is_empty()) {
                self.tree[id].remark(comment.trim());
            }
        }
    }
}

/// Returns the numbers in a name like `move_0_2_1`: the branch that it leaves, the ply from 1, its own number.
fn branch_name(name: &str) -> Option<(u32, usize, u32)> {
    let mut numbers = name.strip_prefix("move_")?.split('_');
    let all = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    (numbers.next().is_none() && all.1 > 0).then_some(all)
}
