//! PSQ, the files of the Piskvork manager, which Gomocup publishes.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0      files and ranks, two levels of play, which player began: 0 or 1
//! 10,10,0                        x from the left and y from the top, both from 1; milliseconds
//! 11,9,1520
//! pbrain-one.exe                 in tournaments: both players, the one with number 0 first
//! pbrain-two.exe
//! 0                              a number for how the game was broken off
//! 4,Renju                        at Gomocup: the rule's number and the league
//! ```
//!
//! Source: `openPsq` and `savePsq` in Piskvork's `game.cpp`, and the files of Gomocup. The rule is that of the
//! league, if there is one, else freestyle. Not kept: variations, comments, options, clock, date, how the game ended.

use gomoku::Rule;
use kernel::{Notation, Problem};

use crate::record::{MOST_PLIES, MOST_TEXT, within};
use crate::text::one_line;
use crate::{Ply, Record, Tree, goban};

/// Leagues: the number of the rule in the protocol, a word of the name, and the rule.
const LEAGUES: [(u32, &str, Rule); 7] = [
    (4, "Renju", Rule::Renju),
    (9, "Caro-exact", Rule::CaroExact),
    (8, "Caro", Rule::Caro),
    (1, "Standard", Rule::Standard),
    (0, "Free", Rule::Freestyle),
    (0, "Fast", Rule::Freestyle),
    (0, "Unlimited", Rule::Freestyle),
];

/// The beginning of the first line.
const HEAD: &str = "Piskvorky ";

/// Returns true if the text begins like such a file.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    text.get(..HEAD.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(HEAD.as_bytes()))
}

/// Reads a record.
///
/// ```
/// let record = records::psq::read("Piskvorky 20x20, 11:11, 0\n10,10,0\n11,9,1520\n")?;
/// assert_eq!((record.game.as_str(), record.tree.plies()), ("gomoku/freestyle", 2));
/// let last = record.tree.main_line().last().unwrap();
/// assert_eq!((record.tree[last].text.as_str(), record.tree[last].spent_ms), ("k12", Some(1520)));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `psq-head` and `psq-point` with the line, or `gomoku-size`.
pub fn read(text: &str) -> Result<Record, Problem> {
    let mut lines = text.lines().zip(1..).peekable();
    let head = lines.next().map_or("", |(line, _)| line);
    let (files, ranks, began) =
        read_head(head).ok_or_else(|| Problem::new("psq-head").with("found", head.trim()))?;
    let league = text.lines().rev().find(|line| !line.trim().is_empty()).and_then(read_league);
    let rule = league.unwrap_or(Rule::Freestyle);
    let (mut record, board) = goban::plain_of(rule, files, ranks)?;
    let mut last = Tree::START;
    while let Some((x, y, spent, number)) =
        lines.peek().and_then(|&(line, number)| read_move(line).map(|(x, y, ms)| (x, y, ms, number)))
    {
        let (line, _) = lines.next().expect("it was looked at");
        let on_board = (1..=u32::from(files)).contains(&x) && (1..=u32::from(ranks)).contains(&y);
        if !on_board {
            return Err(Problem::new("psq-point").with("line", number).with("found", line.trim()));
        }
        within("plies", record.tree.plies() + 1, MOST_PLIES)?;
        let text = board.name(board.cell(x as u8 - 1, y as u8 - 1));
        let spent_ms = Some(spent).filter(|&ms| ms > 0);
        last = record.tree.add(last, Ply { text, spent_ms, ..Ply::default() });
    }
    let rest: Vec<&str> = lines.map(|(line, _)| line).collect();
    // A number alone says how the game was broken off.
    let is_number = |line: &str| line.trim().parse::<i32>().is_ok() || read_league(line).is_some();
    if let [one, two, ..] = rest[..]
        && !is_number(one)
        && !is_number(two)
    {
        let names = if began == 1 { [two, one] } else { [one, two] };
        record.players = names.map(name);
    }
    Ok(record)
}

/// Writes the main line of a record of gomoku.
///
/// ```
/// use records::{pos, psq};
///
/// let text = psq::write(&pos::read("h8i9")?)?;
/// assert!(text.starts_with("Piskvorky 15x15"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `psq-game` for another game, `psq-start` for a start with stones, `psq-move` for a move that is no point of the
/// board, and the gomoku problem of a start that cannot be.
pub fn write(record: &Record) -> Result<String, Problem> {
    let rule = goban::rule_of(record);
    let rule = rule.ok_or_else(|| Problem::new("psq-game").with("found", &record.game))?;
    let start = goban::start_of(record, rule)?;
    if !goban::is_empty(&start) {
        return Err(Problem::new("psq-start"));
    }
    let board = start.board();
    let mut out = format!("{HEAD}{}x{}, 0:0, 0\n", board.files, board.ranks);
    for id in record.tree.main_line() {
        let ply = &record.tree[id];
        let (file, row) = goban::place(&board, &ply.text)
            .ok_or_else(|| Problem::new("psq-move").with("move", &ply.text))?;
        out.push_str(&format!("{},{},{}\n", file + 1, row + 1, ply.spent_ms.unwrap_or(0)));
    }
    if record.players.iter().any(|player| !player.is_empty()) {
        record.players.iter().for_each(|player| out.push_str(&(name(player) + "\n")));
    }
    out.push_str("0\n");
    // As Gomocup's files tell the league; a file without it is one of freestyle.
    let league = LEAGUES.iter().find(|(_, _, its)| *its == rule && rule != Rule::Freestyle);
    if let Some((number, name, _)) = league {
        out.push_str(&format!("{number},{name}\n"));
    }
    Ok(out)
}

/// Files, ranks, and the number of the player who began.
fn read_head(line: &str) -> Option<(u8, u8, u8)> {
    let line = line.trim().get(HEAD.len()..).filter(|_| begins_like_one(line.trim().as_bytes()))?;
    let (size, rest) = line.split_once(',').unwrap_or((line, ""));
    let (files, ranks) = size.trim().split_once(['x', 'X', '*'])?;
    // What stands between is how strong the players were; a missing number is the usual one.
    let began = rest.rsplit(',').next().and_then(|n| n.trim().parse().ok()).filter(|&n| n < 2).unwrap_or(0);
    Some((files.parse().ok()?, ranks.parse().ok()?, began))
}

/// The rule of a league: `4,Renju`, `0,Freestyle2`. Names go before numbers, which are those of the protocol.
fn read_league(line: &str) -> Option<Rule> {
    let (number, name) = line.trim().split_once(',')?;
    let number: u32 = number.trim().parse().ok()?;
    let name = name.trim().to_lowercase();
    if !name.chars().next().is_some_and(char::is_alphabetic) {
        return None;
    }
    let named = LEAGUES.iter().find(|(_, word, _)| name.contains(&word.to_lowercase()));
    let numbered = || LEAGUES.iter().find(|(its, ..)| *its == number);
    named.or_else(numbered).map(|(.., rule)| *rule)
}

/// `10,10,0`, or without the time.
fn read_move(line: &str) -> Option<(u32, u32, u64)> {
    let mut numbers = line.trim().split(',').map(str::trim);
    let place = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    let spent = numbers.next().map_or(Ok(0), str::parse).ok()?;
    numbers.next().is_none().then_some((place.0, place.1, spent))
}

/// A player's name on one line, so that it cannot be taken for a move.
fn name(text: &str) -> String {
    let mut name = one_line(text);
    while name.len() > MOST_TEXT {
        name.pop();
    }
    let name = name.trim_end();
    if read_move(name).is_some() { name.replace(',', " ") } else { name.to_owned() }
}
