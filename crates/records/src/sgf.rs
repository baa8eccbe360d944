//! SGF, FF\[4\] GM\[4\]: gomoku among other programs.
//!
//! Source: the SGF specification of Arno Hollosi, red-bean.com/sgf (FF\[4\]), and what c-gomoku-cli writes: in `RU` the
//! rule's number in the Piskvork protocol. `SZ` is one number or `width:height`; a point is two letters, file from
//! the left and row from the top; no letters are a pass, and so is `tt` on boards up to 19. `AB`, `AW`, `AE` and `PL`
//! in the first node become the start FEN.
//!
//! Reading is lenient where files differ: any white space, small letters in property names (the long names of
//! FF\[3\]), unknown properties, text before and behind the game, a missing `SZ` (15) or `RU` (freestyle), points as
//! people write them (`h8`). A rule that is an opening or is not known is kept as the tag `Rules` of a game of
//! freestyle. `GM` may be missing where board or rule are those of gomoku, and a caller that names the game is
//! believed. Of a collection the first game is read. Not kept: thinking times, options, stones that are set up behind
//! the first move (which is reported), and reasons other than the few that SGF names.

use gomoku::{Gomoku, Rule};
use kernel::{Board, Notation, Position, Problem, Side};

use crate::record::{MOST_PLIES, within};
use crate::text::{one_line, place};
use crate::{Ending, NodeId, Ply, Record, Score, Tree, goban, said};

/// Reasons that `RE` has words for, as in `B+R` or `B+Resign`.
const REASONS: [(&str, &str, &str); 2] = [("R", "Resign", "resign"), ("T", "Time", "flag")];
/// The board of a file that does not say.
const USUAL_SIZE: &str = "15";
/// The largest board on which two letters `t` are a pass (FF\[3\]).
const LARGEST_WITH_TT: u8 = 19;
/// Nodes in a line of a written file; only for people's eyes.
const NODES_A_LINE: usize = 10;

/// Reads a record.
///
/// ```
/// use records::sgf;
///
/// let record = sgf::read("(;GM[4]SZ[15]PB[Wu]RE[B+R];B[hh]C[the middle];W[ig])")?;
/// let first = record.tree.main_line().next().unwrap();
/// assert_eq!((record.tree[first].text.as_str(), record.tree[first].comment.as_str()), ("h8", "the middle"));
/// assert_eq!(record.ending.unwrap().reason, "resign");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `sgf-…` with line and column, or the gomoku problem of a set-up that cannot be.
pub fn read(text: &str) -> Result<Record, Problem> {
    let (record, fault) = read_part(text, "", false)?;
    fault.map_or(Ok(record), Err)
}

/// The encoding that the file names in its first bytes.
pub(crate) fn declared(bytes: &[u8]) -> Option<&str> {
    let begin = &bytes[..bytes.len().min(4096)];
    let at = begin.windows(3).position(|three| three == b"CA[")? + 3;
    let length = begin[at..].iter().position(|&b| b == b']')?;
    std::str::from_utf8(&begin[at..at + length]).ok()
}

/// Reads a record of the game `named`, if that is not empty, whatever the file says. `keeps`: what comes before a
/// fault is kept, and the fault is told besides.
///
/// # Errors
/// The errors of [`read`], if nothing comes before the fault.
pub(crate) fn read_part(text: &str, named: &str, keeps: bool) -> Result<(Record, Option<Problem>), Problem> {
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    let at = game_at(text).ok_or_else(|| Problem::new("sgf-no-game"))?;
    let mut scanner = Scanner { text, at };
    let mut growing: Option<Growing> = None;
    let mut fault = read_nodes(&mut scanner, &mut growing, Rule::keyed(named.trim_start_matches("gomoku/")));
    match (&mut fault, &mut growing) {
        (Some(_), Some(growing)) if keeps && growing.record.tree.plies() > 0 => {}
        (Some(problem), _) => return Err(problem.clone()),
        (fault, Some(growing)) => *fault = growing.fault.take(),
        _ => {}
    }
    if let Some(problem) = fault.as_ref().filter(|_| !keeps) {
        return Err(problem.clone());
    }
    let record = growing.ok_or_else(|| Problem::new("sgf-no-game"))?.finish()?;
    Ok((record, fault))
}

/// Reads the nodes of one game; what is wrong where they end too early.
fn read_nodes<'a>(
    scanner: &mut Scanner<'a>,
    growing: &mut Option<Growing<'a>>,
    named: Option<Rule>,
) -> Option<Problem> {
    let mut open: Vec<NodeId> = Vec::new();
    // Behind what does not fit in a line of play the rest of the line is stepped over.
    let mut lost: Option<usize> = None;
    while let Some(sign) = scanner.next_sign() {
        match (sign, &mut *growing) {
            (b'(', growing) => open.push(growing.as_ref().map_or(Tree::START, |g| g.last)),
            (b')', Some(growing)) => {
                growing.last = open.pop().expect("a game is left when its last bracket closes");
                if lost.is_some_and(|depth| open.len() < depth) {
                    lost = None;
                }
                if open.is_empty() {
                    return None;
                }
            }
            (b';', None) => {
                let root = match scanner.properties() {
                    Ok(root) => root,
                    Err(problem) => return Some(problem),
                };
                match Growing::begin(scanner.text, &root, named) {
                    Ok(begun) => *growing = Some(begun),
                    Err(problem) => return Some(problem),
                }
            }
            (b';', Some(growing)) => {
                let node = match scanner.properties() {
                    Ok(node) => node,
                    Err(problem) => return Some(problem),
                };
                if lost.is_none()
                    && let Err(problem) = growing.node(&node)
                {
                    let limit = problem.key == "record-limit";
                    if growing.record.tree.plies() == 0 || limit {
                        return Some(problem);
                    }
                    growing.fault.get_or_insert(problem);
                    lost = Some(open.len());
                }
            }
            _ => return Some(scanner.problem("sgf-unexpected", scanner.at - 1)),
        }
    }
    if open.is_empty() { None } else { Some(scanner.problem("sgf-open", scanner.text.len())) }
}

/// Writes a record of gomoku.
///
/// ```
/// use records::{pos, sgf};
///
/// let text = sgf::write(&pos::read("h8i9")?)?;
/// assert!(text.contains(";B[hh]") && text.contains(";W[ig]"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `sgf-game` for another game, `sgf-move` for a move that is no point of the board, and the gomoku problem of a
/// start FEN that cannot be read.
pub fn write(record: &Record) -> Result<String, Problem> {
    let rule = goban::rule_of(record).ok_or_else(|| Problem::new("sgf-game").with("found", &record.game))?;
    let start = goban::start_of(record, rule)?;
    let board = start.board();
    let mut out = String::from("(;");
    write_root(&mut out, record, &start);
    let mut tasks = follow(&record.tree, Tree::START, start.turn());
    let mut nodes = 0;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Open => out.push_str("\n("),
            Task::Close => out.push(')'),
            Task::Node(id, side) => {
                let ply = &record.tree[id];
                let point = point_text(&board, &ply.text)
                    .ok_or_else(|| Problem::new("sgf-move").with("move", &ply.text))?;
                nodes += 1;
                out.push_str(if nodes % NODES_A_LINE == 1 { "\n;" } else { ";" });
                push(&mut out, letter(side), &point);
                push_known(&mut out, "C", &ply.comment);
                tasks.extend(follow(&record.tree, id, side.other()));
            }
        }
    }
    out.push_str(")\n");
    Ok(out)
}

/// Returns the position of the bracket that opens the first game: a `(` with a `;` behind it.
fn game_at(text: &str) -> Option<usize> {
    let opens = text.match_indices('(').map(|(at, _)| at);
    opens.into_iter().find(|at| text[at + 1..].trim_start().starts_with(';'))
}

/// Cuts the text into signs and properties.
struct Scanner<'a> {
    text: &'a str,
    at: usize, // byte
}

/// A property as it stands in a file.
struct Property {
    name: String,
    values: Vec<Value>,
}

/// The text between two brackets, without escapes.
struct Value {
    text: String,
    at: usize, // byte
}

impl<'a> Scanner<'a> {
    /// The next byte that is not white space, and steps over it. Meaningful signs are single bytes.
    fn next_sign(&mut self) -> Option<u8> {
        let sign = self.peek()?;
        self.at += 1;
        Some(sign)
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// The properties of one node.
    fn properties(&mut self) -> Result<Vec<Property>, Problem> {
        let mut found = Vec::new();
        while self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            let from = self.at;
            let rest = &self.text[from..];
            let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
            self.at += name.len();
            let mut values = Vec::new();
            while self.peek() == Some(b'[') {
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.problem("sgf-no-value", from).with("property", name));
            }
            found.push(Property { name: short_name(name), values });
        }
        Ok(found)
    }

    fn value(&mut self) -> Result<Value, Problem> {
        let at = self.at + 1;
        let mut text = String::new();
        let mut chars = self.text[at..].char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                ']' => {
                    self.at = at + i + 1;
                    return Ok(Value { text, at });
                }
                // A line break behind a backslash was only put there to keep lines short.
                '\\' => text.extend(chars.next().map(|(_, c)| c).filter(|&c| c != '\n')),
                c => text.push(c),
            }
        }
        Err(self.problem("sgf-open-value", self.at))
    }

    fn problem(&self, key: &'static str, at: usize) -> Problem {
        located(self.text, key, at)
    }
}

fn located(text: &str, key: &'static str, at: usize) -> Problem {
    let (line, column) = place(text, at);
    Problem::new(key).with("line", line).with("column", column)
}

/// The capitals of a name, as FF\[3\] shortens `SiZe` to `SZ`; a name without capitals is meant as one.
fn short_name(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals }
}

/// A record as it grows, node by node.
struct Growing<'a> {
    text: &'a str,
    record: Record,
    rule: Rule,
    board: Board,
    stones: Vec<Vec<char>>, // rows from the top: `b`, `w` or `.`
    turn: Option<Side>,     // at the start, once it is known
    last: NodeId,
    movers: Vec<(NodeId, Side)>, // of every ply, by rising place
    fault: Option<Problem>,      // what could not be kept
}

impl<'a> Growing<'a> {
    fn begin(text: &'a str, root: &[Property], named: Option<Rule>) -> Result<Self, Problem> {
        let value = |name| root.iter().find(|p| p.name == name).map(|p| &p.values[0]);
        let wrong = |key, value: Option<&Value>| {
            let problem = located(text, key, value.map_or(0, |v| v.at));
            problem.with("found", value.map_or("", |v| &v.text))
        };
        let game = value("GM");
        let size = value("SZ").map_or(USUAL_SIZE, |v| v.text.as_str());
        let told = value("RU").map_or("", |v| v.text.as_str());
        // A file of Go may leave GM out; boards of 15 and 20 lines and rules of gomoku are not its.
        let is_ours = |size: &str| matches!(size.trim(), "15" | "15:15" | "20" | "20:20");
        let like_ours =
            is_ours(size) && value("SZ").is_some() || (!told.is_empty() && read_rule(told).is_some());
        let known = game.map_or(like_ours, |v| v.text.trim() == "4");
        if !known && named.is_none() {
            return Err(wrong("sgf-other-game", game));
        }
        let rule = named.or_else(|| read_rule(told)).unwrap_or(Rule::Freestyle);
        let (files, ranks) = read_size(size).ok_or_else(|| wrong("sgf-size", value("SZ")))?;
        let board = Gomoku::new(rule, files, ranks)?.board();
        let stones = vec![vec!['.'; files.into()]; ranks.into()];
        let mut record = Record { game: format!("gomoku/{}", rule.key()), ..Record::default() };
        if read_rule(told).is_none() {
            record.tag("Rules", told);
        }
        let (last, movers) = (Tree::START, Vec::new());
        let mut growing =
            Growing { text, record, rule, board, stones, turn: None, last, movers, fault: None };
        growing.node(root)?;
        Ok(growing)
    }

    fn node(&mut self, properties: &[Property]) -> Result<(), Problem> {
        // A move comes before what is said about it, in whatever order they are written.
        let (moves, rest): (Vec<_>, Vec<_>) = properties.iter().partition(|p| matches!(&*p.name, "B" | "W"));
        for property in &rest {
            self.set_up(property)?;
        }
        for property in moves {
            let side = if property.name == "B" { Side::First } else { Side::Second };
            self.ply(side, &property.values[0])?;
        }
        rest.into_iter().filter(|p| p.name == "C").for_each(|p| self.comment(&p.values[0].text));
        Ok(())
    }

    fn set_up(&mut self, property: &Property) -> Result<(), Problem> {
        let first = &property.values[0];
        match &*property.name {
            // A stone of the side to move is a move in all but name; others cannot be kept, and cost themselves.
            "AB" | "AW" | "AE" | "PL" if self.record.tree.plies() > 0 => {
                let due = self.due();
                let side = match &*property.name {
                    "AB" => Some(Side::First),
                    "AW" => Some(Side::Second),
                    _ => None,
                };
                match &property.values[..] {
                    [only] if side.is_some() && side == due => self.ply(due.expect("it is told"), only),
                    _ => {
                        let late = located(self.text, "sgf-late-setup", first.at);
                        self.fault.get_or_insert(late);
                        Ok(())
                    }
                }
            }
            "AB" => self.put('b', &property.values),
            "AW" => self.put('w', &property.values),
            "AE" => self.put('.', &property.values),
            "PL" => self.read_turn(first),
            name => {
                self.note(name, &first.text);
                Ok(())
            }
        }
    }

    /// Records a property about the game as a whole; unknown names are ignored.
    fn note(&mut self, name: &str, text: &str) {
        let record = &mut self.record;
        let noted = match name {
            "RE" => return record.ending = read_result(text),
            "PB" => &mut record.players[0],
            "PW" => &mut record.players[1],
            "DT" => {
                record.date = said::date(text);
                return;
            }
            "EV" | "RO" | "PC" | "AN" | "GN" | "ON" => {
                let tags = [
                    ("EV", "Event"),
                    ("RO", "Round"),
                    ("PC", "Site"),
                    ("AN", "Annotator"),
                    ("GN", "Title"),
                    ("ON", "Opening"),
                ];
                let tag = tags.iter().find(|(property, _)| *property == name).map_or(name, |(_, tag)| tag);
                return record.tag(tag, text);
            }
            "OT" => &mut record.clock,
            "TM" if record.clock.is_empty() => &mut record.clock,
            _ => return,
        };
        *noted = one_line(text);
    }

    /// The side to move behind the last ply.
    fn due(&self) -> Option<Side> {
        let at = self.movers.binary_search_by_key(&self.last, |&(id, _)| id).ok()?;
        Some(self.movers[at].1.other())
    }

    fn read_turn(&mut self, value: &Value) -> Result<(), Problem> {
        self.turn = match value.text.trim().to_ascii_lowercase().as_str() {
            "b" | "black" | "1" => Some(Side::First),
            "w" | "white" | "2" => Some(Side::Second),
            found => return Err(located(self.text, "sgf-side", value.at).with("found", found)),
        };
        Ok(())
    }

    /// Puts stones on points and on rectangles such as `aa:cc`.
    fn put(&mut self, stone: char, values: &[Value]) -> Result<(), Problem> {
        for value in values {
            let (from, to) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
            let ((left, top), (right, bottom)) = (self.point(from, value)?, self.point(to, value)?);
            for row in &mut self.stones[top.min(bottom)..=top.max(bottom)] {
                row[left.min(right)..=left.max(right)].fill(stone);
            }
        }
        Ok(())
    }

    /// File and row of two letters.
    fn point(&self, text: &str, value: &Value) -> Result<(usize, usize), Problem> {
        let number = |letter: u8| usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
        let point = match *text.trim().as_bytes() {
            // `h8`, `h15`: as people write it, from the bottom.
            [file, b'1'..=b'9'] | [file, b'1'..=b'9', b'0'..=b'9'] => {
                let rank: usize = text.trim()[1..].parse().unwrap_or(0);
                usize::from(self.board.ranks).checked_sub(rank).map(|row| (number(file), row))
            }
            [file, row] => Some((number(file), number(row))),
            _ => None,
        };
        point
            .filter(|&(file, row)| file < self.board.files.into() && row < self.board.ranks.into())
            .ok_or_else(|| located(self.text, "sgf-point", value.at).with("found", text))
    }

    fn move_text(&self, value: &Value) -> Result<String, Problem> {
        let text = value.text.trim();
        let small = self.board.files.max(self.board.ranks) <= LARGEST_WITH_TT;
        if text.is_empty() || (small && text.eq_ignore_ascii_case("tt")) {
            return Ok(goban::PASS.to_owned());
        }
        let (file, row) = self.point(&value.text, value)?;
        Ok(self.board.name(self.board.cell(file as u8, row as u8)))
    }

    fn ply(&mut self, side: Side, value: &Value) -> Result<(), Problem> {
        within("plies", self.movers.len() + 1, MOST_PLIES)?;
        let text = self.move_text(value)?;
        let before = self.movers.binary_search_by_key(&self.last, |&(id, _)| id);
        let due = match before {
            Ok(i) => self.movers[i].1.other(),
            Err(_) => *self.turn.get_or_insert(side),
        };
        if side != due {
            return Err(located(self.text, "sgf-turn", value.at).with("found", letter(side)));
        }
        self.last = self.record.tree.add(self.last, Ply { text, ..Ply::default() });
        self.movers.push((self.last, side));
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let comment = &mut self.record.tree[self.last].comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// The record, with its start where that is not the usual one.
    fn finish(mut self) -> Result<Record, Problem> {
        let count = |stone| self.stones.iter().flatten().filter(|&&s| s == stone).count();
        let turn = self.turn.unwrap_or(if count('b') > count('w') { Side::Second } else { Side::First });
        let rows: Vec<String> = self.stones.iter().map(|row| row_text(row)).collect();
        let usual = Gomoku::usual(self.rule);
        let start =
            usual.read_fen(&format!("{} {}", rows.join("/"), letter(turn).to_ascii_lowercase()))?.fen();
        self.record.start = Some(start).filter(|start| *start != usual.fen());
        goban::agree_on_passes(&mut self.record);
        Ok(self.record)
    }
}

/// One row of a FEN.
fn row_text(row: &[char]) -> String {
    let runs = row.chunk_by(|a, b| *a == '.' && *b == '.');
    runs.map(|run| if run[0] == '.' { run.len().to_string() } else { run[0].to_string() }).collect()
}

fn read_rule(text: &str) -> Option<Rule> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "0" | "freestyle" | "free-style" | "gomoku" => Some(Rule::Freestyle),
        "1" | "standard" | "exact five" => Some(Rule::Standard),
        // 2 is what Yixin and its boards call renju.
        "2" | "4" | "renju" | "rif" => Some(Rule::Renju),
        "8" | "caro" => Some(Rule::Caro),
        "9" | "caro-exact" => Some(Rule::CaroExact),
        _ => None,
    }
}

fn read_size(text: &str) -> Option<(u8, u8)> {
    let (files, ranks) = text.split_once(':').unwrap_or((text, text));
    Some((files.trim().parse().ok()?, ranks.trim().parse().ok()?))
}

fn read_result(text: &str) -> Option<Ending> {
    let text = text.trim();
    if let Some(ending) = in_chinese(text) {
        return Some(ending);
    }
    let (who, how) = text.split_once('+').unwrap_or((text, ""));
    let score = match who.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Score::Win(Side::First),
        "w" | "white" => Score::Win(Side::Second),
        "0" | "draw" | "jigo" | "1/2-1/2" => Score::Draw,
        "1-0" => Score::Win(Side::First),
        "0-1" => Score::Win(Side::Second),
        "void" => Score::Void,
        _ => return None,
    };
    let is_how = |word: &str| how.trim().eq_ignore_ascii_case(word);
    let known = REASONS.iter().find(|(sign, word, _)| is_how(sign) || is_how(word));
    Some(Ending { score, reason: known.map_or(String::new(), |(_, _, reason)| (*reason).to_owned()) })
}

/// The result in Chinese words, as in `黑中盘胜`, `白方负`, `和棋`. Black begins here, and Red in xiangqi.
fn in_chinese(text: &str) -> Option<Ending> {
    let ending = |score, reason: &str| Some(Ending { score, reason: reason.to_owned() });
    if matches!(text, "和" | "和棋" | "和局" | "平局" | "平") {
        return ending(Score::Draw, "");
    }
    let (side, rest) = match text.chars().next()? {
        '黑' => (Side::First, &text['黑'.len_utf8()..]),
        '白' => (Side::Second, &text['白'.len_utf8()..]),
        _ => return None,
    };
    let rest = rest.trim_start_matches(['方', '棋']).trim_end_matches(['。', '利']);
    match rest {
        "胜" | "勝" | "获胜" | "獲勝" | "赢" | "贏" => ending(Score::Win(side), ""),
        "中盘胜" | "中盤勝" => ending(Score::Win(side), "resign"),
        "超时胜" | "超時勝" => ending(Score::Win(side), "flag"),
        "负" | "負" | "败" | "敗" | "输" | "輸" => ending(Score::Win(side.other()), ""),
        "认输" | "認輸" => ending(Score::Win(side.other()), "resign"),
        "超时" | "超時" | "超时负" | "超時負" => ending(Score::Win(side.other()), "flag"),
        _ => None,
    }
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

/// The parts that remain to be written.
enum Task {
    Open,
    Node(NodeId, Side),
    Close,
}

/// Returns the tasks for the nodes that follow, in reverse: one node as it is, several in brackets.
fn follow(tree: &Tree, id: NodeId, side: Side) -> Vec<Task> {
    match tree.next(id) {
        &[only] => vec![Task::Node(only, side)],
        several => {
            several.iter().rev().flat_map(|&id| [Task::Close, Task::Node(id, side), Task::Open]).collect()
        }
    }
}

fn write_root(out: &mut String, record: &Record, start: &Gomoku) {
    let size = match (start.files(), start.ranks()) {
        (files, ranks) if files == ranks => files.to_string(),
        (files, ranks) => format!("{files}:{ranks}"),
    };
    let told = record.tags.get("Rules").map(String::as_str).filter(|told| read_rule(told).is_none());
    let rules = told.filter(|_| start.rule() == Rule::Freestyle).unwrap_or(start.rule().key());
    for (name, value) in
        [("FF", "4"), ("GM", "4"), ("CA", "UTF-8"), ("AP", "Qiguan"), ("RU", rules), ("SZ", &size)]
    {
        push(out, name, value);
    }
    push_known(out, "PB", &one_line(&record.players[0]));
    push_known(out, "PW", &one_line(&record.players[1]));
    push_known(out, "DT", &one_line(&record.date));
    for (property, tag) in [
        ("EV", "Event"),
        ("RO", "Round"),
        ("PC", "Site"),
        ("AN", "Annotator"),
        ("GN", "Title"),
        ("ON", "Opening"),
    ] {
        push_known(out, property, record.tags.get(tag).map_or("", String::as_str));
    }
    push_known(out, "OT", &one_line(&record.clock));
    push_known(out, "RE", &record.ending.as_ref().map(result_text).unwrap_or_default());
    push_stones(out, "AB", start, Side::First);
    push_stones(out, "AW", start, Side::Second);
    if start.turn() == Side::Second {
        push(out, "PL", letter(Side::Second));
    }
    push_known(out, "C", &record.tree[Tree::START].comment);
}

fn push_stones(out: &mut String, name: &str, start: &Gomoku, side: Side) {
    let points = start.stones(side).iter().map(|at| letters(at.file, at.row));
    let values: String = points.map(|point| format!("[{point}]")).collect();
    if !values.is_empty() {
        out.push_str(name);
        out.push_str(&values);
    }
}

fn result_text(ending: &Ending) -> String {
    let sign = REASONS.iter().find(|(_, _, reason)| *reason == ending.reason).map_or("", |(sign, ..)| sign);
    match ending.score {
        Score::Win(side) => format!("{}+{sign}", letter(side)),
        Score::Draw => "0".to_owned(),
        Score::Void => "Void".to_owned(),
    }
}

/// The letters of a point, none for a pass.
fn point_text(board: &Board, text: &str) -> Option<String> {
    if text == goban::PASS {
        return Some(String::new());
    }
    let (file, row) = goban::place(board, text)?;
    Some(letters(file, row))
}

fn letters(file: u8, row: u8) -> String {
    [file, row].map(|n| char::from(b'a' + n)).iter().collect()
}

fn push_known(out: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        push(out, name, value);
    }
}

fn push(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push('[');
    for c in value.chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(']');
}
