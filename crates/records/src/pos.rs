//! Moves as one word, and openings as offsets: the two smallest formats of gomoku.
//!
//! A *position string* such as `h8i9j10` names the points in the order they were played, Black first: a letter from the
//! left and a number **from the bottom**, as everywhere in this project. (c-gomoku-cli counts the numbers from the top;
//! such a string reads here as the same moves mirrored.) `--` is a pass. Between points there may be white space, commas
//! and the numbers of moves, `1. h8 i9 2. j10`; a line that begins with a number beyond 1 goes on with the game before it.
//!
//! An *opening* of Gomocup's lists is a line such as `-2,-1, 0,3, 1,1`: x to the right and y downwards from the centre,
//! which is the point `n / 2` of `n`, counted from 0 at the left and at the top.
//!
//! Neither tells the board or the rule: a record that was read is one of freestyle, on 15x15 where the points allow it
//! (an opening: on the usual board). Kept is nothing but the main line.

use kernel::{Board, Notation, Problem};

use crate::record::{MOST_PLIES, within};
use crate::{Ply, Record, Tree, goban};

/// Boards tried for a position string: the usual small and large one, and the largest.
const SIDES: [u8; 3] = [15, 20, 26];
/// The usual board of freestyle, for openings.
const USUAL: u8 = 20;

/// Returns true if the text looks like a position string: its first word consists of points only, numbers of moves left
/// out.
pub(crate) fn is_string(text: &str) -> bool {
    let mut words =
        text.split_whitespace().skip_while(|word| without_number(word).is_some_and(str::is_empty));
    let word = words.next().unwrap_or_default();
    points(word).is_ok_and(|points| !points.is_empty())
}

/// Returns true if a line begins with the number of a move.
pub(crate) fn is_numbered(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| without_number(line.trim_start()).is_some())
}

/// Returns true if a line begins with the number of a move other than the first.
pub(crate) fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    is_numbered(line) && !matches!(&line[..digits], b"1" | b"0")
}

/// Returns what follows the number of a move, `12.` or `12)`; `None` where there is none.
fn without_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind = rest.strip_prefix(['.', ')', '、'])?;
    (rest.len() < text.len()).then(|| behind.trim_start_matches('.'))
}

/// Returns true if the first line is an opening.
pub(crate) fn is_opening(text: &str) -> bool {
    text.lines().next().is_some_and(|line| numbers(line).is_ok_and(|n| n.len() >= 2))
}

/// Reads a position string.
///
/// ```
/// use records::pos;
///
/// let tree = pos::read("h8i9 j10")?.tree;
/// assert_eq!(tree.main_line().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["h8", "i9", "j10"]);
/// assert_eq!(pos::read("h88").unwrap_err().key, "pos-point");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `pos-point` with what is no point, or is on no board.
pub fn read(text: &str) -> Result<Record, Problem> {
    let points = points(text)?;
    let fits = |side: &u8| points.iter().flatten().all(|&(file, rank)| file < *side && rank <= *side);
    let side = SIDES.into_iter().find(fits).expect("no name goes beyond the largest board");
    let (mut record, board) = goban::plain(side, side)?;
    let mut last = Tree::START;
    for point in points {
        within("plies", record.tree.plies() + 1, MOST_PLIES)?;
        let name = |(file, rank): (u8, u8)| board.name(board.cell(file, side - rank));
        let text = point.map_or_else(|| goban::PASS.to_owned(), name);
        last = record.tree.add(last, Ply { text, ..Ply::default() });
    }
    Ok(record)
}

/// Writes the main line of a record of gomoku as a position string.
///
/// ```
/// use records::pos;
///
/// assert_eq!(pos::write(&pos::read("h8 i9 --")?)?.trim_end(), "h8i9--");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `pos-game` for another game, `pos-start` for a start with stones, `pos-move` for a move that is neither a point of
/// the board nor a pass, and the gomoku problem of a start that cannot be.
pub fn write(record: &Record) -> Result<String, Problem> {
    let rule = goban::rule_of(record);
    let rule = rule.ok_or_else(|| Problem::new("pos-game").with("found", &record.game))?;
    let start = goban::start_of(record, rule)?;
    if !goban::is_empty(&start) {
        return Err(Problem::new("pos-start"));
    }
    let board = start.board();
    let mut out = String::new();
    for text in goban::main_line(&record.tree) {
        match board.cell_named(text) {
            Some(cell) => out.push_str(&board.name(cell)),
            None if text == goban::PASS => out.push_str("--"),
            None => return Err(Problem::new("pos-move").with("move", text)),
        }
    }
    out.push('\n');
    Ok(out)
}

/// Reads an opening of offsets on the usual board of freestyle.
///
/// ```
/// let tree = records::pos::read_opening("-2,-1, 0,3, 1,1")?.tree;
/// assert_eq!(tree.main_line().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["i11", "k7", "l9"]);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The errors of [`opening_on`].
pub fn read_opening(text: &str) -> Result<Record, Problem> {
    let (mut record, board) = goban::plain(USUAL, USUAL)?;
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut last = Tree::START;
    for text in opening_on(&board, line)? {
        last = record.tree.add(last, Ply { text, ..Ply::default() });
    }
    Ok(record)
}

/// The points of an opening on a board, for matches on other boards than the usual one.
///
/// ```
/// use kernel::{Board, Lines, Names};
/// use records::pos::opening_on;
///
/// let board = Board::new(Lines::Points, 15, 15, Names::letters_up(1));
/// assert_eq!(opening_on(&board, "0,0, 1,-1")?, ["h8", "i9"]);
/// assert_eq!(opening_on(&board, "0,0, 1").unwrap_err().key, "opening-odd");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `opening-number` with what is no number, `opening-odd` when a number is left over, `opening-off-board`.
pub fn opening_on(board: &Board, line: &str) -> Result<Vec<String>, Problem> {
    let numbers = numbers(line)?;
    if numbers.len() % 2 == 1 {
        return Err(Problem::new("opening-odd").with("found", numbers.len()));
    }
    within("plies", numbers.len() / 2, MOST_PLIES)?;
    let place = |centre: u8, offset: i32, most: u8| {
        u8::try_from(i32::from(centre) + offset).ok().filter(|&at| at < most)
    };
    let point = |pair: &[i32]| {
        let file = place(board.files / 2, pair[0], board.files);
        let row = place(board.ranks / 2, pair[1], board.ranks);
        file.zip(row).map(|(file, row)| board.name(board.cell(file, row))).ok_or_else(|| {
            Problem::new("opening-off-board").with("found", format!("{},{}", pair[0], pair[1]))
        })
    };
    numbers.chunks_exact(2).map(point).collect()
}

/// Small whole numbers between commas and spaces.
fn numbers(line: &str) -> Result<Vec<i32>, Problem> {
    let words = line.split([',', ' ', '\t', '\r']).filter(|word| !word.is_empty());
    let small = |word: &str| word.parse().ok().filter(|n: &i32| (-26..=26).contains(n));
    words.map(|word| small(word).ok_or_else(|| Problem::new("opening-number").with("found", word))).collect()
}

/// File from 0 and rank from 1 of each point; `None` is a pass.
fn points(text: &str) -> Result<Vec<Option<(u8, u8)>>, Problem> {
    let mut found = Vec::new();
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，');
    let mut rest = text.trim_start_matches(is_between);
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = without_number(rest) {
            rest = behind.trim_start_matches(is_between);
            continue;
        }
        let problem =
            || Problem::new("pos-point").with("found", rest.split_whitespace().next().unwrap_or(rest));
        if let Some(after) = rest.strip_prefix("--") {
            found.push(None);
            rest = after.trim_start_matches(is_between);
            continue;
        }
        let file = first.to_ascii_lowercase();
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        if !file.is_ascii_lowercase() || digits == 0 {
            return Err(problem());
        }
        let rank =
            rest[1..=digits].parse().ok().filter(|rank| (1..=26).contains(rank)).ok_or_else(problem)?;
        found.push(Some((file as u8 - b'a', rank)));
        rest = rest[1 + digits..].trim_start_matches(is_between);
    }
    Ok(found)
}
