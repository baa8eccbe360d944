//! Games of gomoku with an opening, for formats that hold stones alone.
//!
//! An opening has moves that are no stones: choices, and offers of fifth moves (ADR 0009). What is left without them
//! is the game as the two colours played it: its first side is Black.

use std::borrow::Cow;

use gomoku::opening::Act;
use gomoku::{Gomoku, Opened, Opening, Rule};
use kernel::{Notation, Position, Problem};

use crate::record::{by, numbered};
use crate::{Ending, NodeId, Ply, Record, Tree, goban};

/// Returns the record with its stones alone, its players and ending by colours. One without an opening stays as it
/// is.
///
/// Comments on choices and offers move to the ply before. Where the players have which colour is told by the main
/// line.
///
/// # Errors
/// `option-out-of-range` for an opening that there is not, `record-move-refused` for a move that the opening does not
/// allow, and what is wrong with the board.
pub(crate) fn stones_only(record: &Record) -> Result<Cow<'_, Record>, Problem> {
    let (Some(rule), Some(number)) =
        (goban::rule_of(record), record.options.get("opening").copied().filter(|&n| n != 0))
    else {
        return Ok(Cow::Borrowed(record));
    };
    let start = start_of(record, rule, number)?;
    let (tree, swapped) = stones_of(record, &start)?;
    let mut plain = Record { tree, ..record.clone() };
    plain.options.remove("opening");
    plain.start = record.start.is_some().then(|| start.stones().fen());
    if swapped {
        plain.players.swap(0, 1);
        plain.ending = plain.ending.map(|ending| Ending { score: ending.score.turned(), ..ending });
    }
    Ok(Cow::Owned(plain))
}

fn start_of(record: &Record, rule: Rule, number: i64) -> Result<Opened, Problem> {
    let opening = usize::try_from(number - 1).ok().and_then(|i| Opening::ALL.get(i));
    let &opening = opening.ok_or_else(|| {
        let problem = Problem::new("option-out-of-range").with("option", "opening").with("value", number);
        problem.with("min", 0).with("max", Opening::ALL.len())
    })?;
    let lines = |key: &str| record.options.get(key).filter(|&&n| n != 0).map(|&n| n.clamp(0, 255) as u8);
    let files = lines("size").unwrap_or(rule.usual_side());
    let board = Gomoku::new(rule, files, lines("ranks").unwrap_or(files))?;
    let board = if record.options.get("passes") == Some(&1) { board.with_passes() } else { board };
    let start = Opened::new(opening, board)?;
    record.start.as_ref().map_or(Ok(start.clone()), |fen| start.read_fen(fen))
}

/// The tree of stones, and whether the main line ends with the first player as White.
fn stones_of(record: &Record, start: &Opened) -> Result<(Tree, bool), Problem> {
    let mut stones = Tree::default();
    stones[Tree::START] = record.tree[Tree::START].clone();
    // From the start to the ply at hand: where it is, where its stone went, and the position after it.
    let mut line: Vec<(NodeId, NodeId, Opened)> = vec![(Tree::START, Tree::START, start.clone())];
    let end = record.tree.main_line().last();
    let mut swapped = start.is_swapped();
    for id in record.tree.in_order() {
        let before = record.tree.before(id);
        while line.last().is_some_and(|(last, ..)| Some(*last) != before) {
            line.pop();
        }
        let (_, put, pos) = line.last().expect("a ply stands behind another or the start");
        let ply = &record.tree[id];
        let act = pos.read_move(&ply.text).ok_or_else(|| {
            let turn = numbered(line.iter().map(|(.., pos)| pos.turn()).collect());
            Problem::new("record-move-refused")
                .with("turn", turn)
                .with("by", by(pos.turn()))
                .with("move", &ply.text)
                .with("because", pos.refusal(&ply.text).key)
        })?;
        let mut after = pos.clone();
        after.play(act);
        let put = if act == Act::Pass || after.stones().empty_points() < pos.stones().empty_points() {
            stones.add(*put, Ply { same_turn: false, ..ply.clone() })
        } else {
            if !ply.comment.is_empty() {
                stones[*put].remark(&ply.comment);
            }
            *put
        };
        if Some(id) == end {
            swapped = after.is_swapped();
        }
        line.push((id, put, after));
    }
    Ok((stones, swapped))
}
