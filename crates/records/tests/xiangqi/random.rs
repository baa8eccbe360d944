//! Random games with variations and remarks.

use kernel::laws::Random;
use kernel::{Notation, Position, Side};
use records::{Ending, NodeId, Ply, Record, Score, Tree};
use xiangqi::{Rules, Xiangqi};

pub const USUAL: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// Remarks that GBK has signs for.
const REMARKS: [&str; 5] =
    ["好着", "two\nlines 两行", "红先胜 (1. 炮二平五) [x]", "; not a remark in a remark", "镕瞭囧"];

pub fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

fn any_move(random: &mut Random, pos: &Xiangqi) -> Option<<Xiangqi as Position>::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

fn after(random: &mut Random, mut pos: Xiangqi, plies: usize) -> Xiangqi {
    for _ in 0..plies {
        if let Some(m) = any_move(random, &pos) {
            pos.play(m);
        }
    }
    pos
}

/// The position as the files tell it, which know nothing of move numbers and idle plies.
pub fn bare(pos: &Xiangqi) -> Xiangqi {
    let fen = pos.fen();
    let fields: Vec<&str> = fen.split(' ').take(2).collect();
    let usual = Xiangqi::new(Rules::Asian).with_limit(0);
    usual.read_fen(&format!("{} - - 0 1", fields.join(" "))).expect("as it was")
}

/// A game from a random start, with at least one move where `moves` is set.
pub fn record(random: &mut Random, moves: bool) -> (Record, Xiangqi) {
    let usual = Xiangqi::new(Rules::Asian).with_limit(0);
    let start = loop {
        let plies = if random.below(2) == 0 { 0 } else { random.below(80) };
        let start = bare(&after(random, usual.clone(), plies));
        if !moves || any_move(random, &start).is_some() {
            break start;
        }
    };
    let mut record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    record.start = Some(start.fen()).filter(|fen| *fen != usual.fen());
    record.players = [pick(random, &["", "柳大华", "Wu \"x\" \\ y"]).to_owned(), "吕钦".to_owned()];
    record.date = pick(random, &["", "1997-11-16", "1997-11", "清光绪年间"]).to_owned();
    let score =
        [Score::Win(Side::First), Score::Win(Side::Second), Score::Draw].into_iter().nth(random.below(4));
    record.ending = score.map(|score| Ending { score, reason: String::new() });
    if random.below(2) == 0 {
        record.tree[Tree::START].comment = pick(random, &REMARKS).to_owned();
    }
    let mut places: Vec<(NodeId, Xiangqi)> = vec![(Tree::START, start.clone())];
    for _ in 0..usize::from(moves) + random.below(60) {
        // Mostly on from the last move, now and then from an earlier one.
        let at = if random.below(4) == 0 { random.below(places.len()) } else { places.len() - 1 };
        let (id, pos) = places[at].clone();
        let Some(m) = any_move(random, &pos) else { continue };
        let mut ply = Ply { text: pos.move_text(m), ..Ply::default() };
        if random.below(4) == 0 {
            ply.comment = pick(random, &REMARKS).to_owned();
        }
        let mut next = pos;
        next.play(m);
        places.push((record.tree.add(id, ply), next));
    }
    (record, start)
}

/// The points in the order of a FEN, letters and nothing.
pub fn points(pos: &Xiangqi) -> Vec<Option<char>> {
    let fen = pos.fen();
    let rows = fen.split(' ').next().expect("the board").split('/');
    let mut points = Vec::new();
    for c in rows.flat_map(str::chars) {
        match c.to_digit(10) {
            Some(empty) => points.extend((0..empty).map(|_| None)),
            None => points.push(Some(c)),
        }
    }
    assert_eq!(points.len(), 90, "{fen}");
    points
}

/// Returns the points of the thirty-two pieces that XQF and DPXQ list, as numbers; `None` where one is missing.
pub fn places(pos: &Xiangqi) -> Vec<Option<usize>> {
    let mut points = points(pos);
    let take = |letter: char| {
        let at = points.iter().position(|p| *p == Some(letter))?;
        points[at] = None;
        Some(at)
    };
    "RNBAKABNRCCPPPPPrnbakabnrccppppp".chars().map(take).collect()
}

/// File and row, from the left and from the top, of the two squares of a move text.
pub fn squares(text: &str) -> [(u8, u8); 2] {
    let b = text.as_bytes();
    [(b[0] - b'a', b'9' - b[1]), (b[2] - b'a', b'9' - b[3])]
}
