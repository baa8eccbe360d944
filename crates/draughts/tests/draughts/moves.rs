//! Tests of moves with many captures, ambiguous ones among them: their texts are read, and the resulting position is
//! known.
//!
//! data/moves.csv: variant, FEN, Hub, hops, PDN, FEN afterwards, whether another move goes from and to the same
//! squares. Rows of Russian and Brazilian draughts count squares from a1 along the ranks and write FENs with letters;
//! they come from one program, and `plain.rs` speaks for them, too.

use std::collections::BTreeSet;

use crate::common::by_key;
use draughts::*;
use kernel::{Notation, Position};

/// The pieces of a FEN in an order of their own.
fn pieces(fen: &str) -> (String, BTreeSet<String>) {
    let mut fields = fen.split(':');
    let turn = fields.next().unwrap_or_default().to_owned();
    let lists = fields.filter(|f| f.starts_with(['W', 'B']));
    let all = lists.flat_map(|l| l[1..].split(',').map(move |s| format!("{}{s}", &l[..1])));
    (turn, all.collect())
}

/// The square of a number counted from a1 along the ranks.
fn from_a1<R: Rules>(number: u8) -> Square {
    let (rank, in_rank) = ((number - 1) / 4, (number - 1) % 4);
    Square::at::<R>(2 * in_rank + rank % 2, 7 - rank).expect("a dark square")
}

fn check<R: Rules>(row: &[&str]) {
    let &[variant, fen, hub, _hops, pdn, after, ambiguous] = row else { panic!("{row:?}") };
    let pos = Draughts::<R>::start().read_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    let squares: Vec<Square> = hub
        .split(['-', 'x'])
        .map(|n| n.parse().expect("a number"))
        .map(|n| if R::LETTERS { from_a1::<R>(n) } else { Square::new::<R>(n).expect("a square") })
        .collect();
    let captured: BTreeSet<Square> = squares[2..].iter().copied().collect();
    let wanted = |m: &Move<R>| {
        (m.from(), m.to()) == (squares[0], squares[1]) && m.captured().collect::<BTreeSet<_>>() == captured
    };
    let m = pos.legal().into_iter().find(wanted).unwrap_or_else(|| panic!("{variant} {fen} {hub}"));
    // The machine text has the captured squares in rising order; any order is read.
    let numbers: Vec<String> = squares.iter().map(|s| s.number().to_string()).collect();
    let sign = if m.is_capture() { "x" } else { "-" };
    assert_eq!(pos.read_move(&numbers.join(sign)), Some(m), "{variant} {fen} {hub}");
    let (ends, captured) = numbers.split_at(2);
    let turned: Vec<String> = ends.iter().chain(captured.iter().rev()).cloned().collect();
    assert_eq!(pos.read_move(&turned.join(sign)), Some(m), "{variant} {fen} {hub}, captures turned round");
    let alike = pos.legal().into_iter().filter(|o| (o.from(), o.to()) == (m.from(), m.to())).count();
    assert_eq!(
        alike > 1,
        ambiguous == "1",
        "{variant} {fen} {hub}: {alike} moves from and to the same squares"
    );
    // Hops as people write them, in the numbers of the file.
    if !R::LETTERS {
        assert_eq!(pos.read_move(pdn), Some(m), "{variant} {fen} {pdn}");
    }
    let mut next = pos;
    next.play(m);
    let wanted = pos.read_fen(after).unwrap_or_else(|e| panic!("{after}: {e}"));
    assert_eq!(pieces(&next.fen()), pieces(&wanted.fen()), "{variant} {fen} {hub}");
}

#[test]
fn known_moves() {
    let mut rows = 0;
    for line in include_str!("../data/moves.csv").lines().skip(1) {
        let mut row = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (cell, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').expect("a closing quote"),
                None => rest.split_at(rest.find(',').unwrap_or(rest.len())),
            };
            row.push(cell);
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        by_key!(row[0], check(&row));
        rows += 1;
    }
    assert_eq!(rows, 169);
}
