//! Benchmark of judging a repetition: `cargo bench -p xiangqi --bench cycle`.

use kernel::{Notation, Position};
use xiangqi::{Move, Rules, Xiangqi};

fn main() {
    divan::main();
}

/// A rook that chases a cannon for two rounds of 60 plies, on boards of few and of many pieces.
const CHASES: [(&str, &str, char); 3] = [
    ("bare board", "3k5/9/9/1c7/9/9/2R6/9/9/4K4 w - - 0 1", '6'),
    ("false root", "3k5/9/9/1c1r5/9/9/2R6/3R5/9/4K4 w - - 0 1", '6'),
    ("many pieces", "3akabnr/4r4/1c1n5/4p1p1p/9/9/2R1P1P1P/6NC1/9/1NBAKAB1R w - - 0 1", '7'),
];

/// The cannon flees between files a and b; once in a round both pass file c.
fn chase(fen: &str, rank: char) -> (Vec<Xiangqi>, Vec<Move>) {
    let hunt = ["b3a3", "a6b6", "a3b3", "b6a6"].repeat(14);
    let round: Vec<&str> = ["c3b3", "b6a6"]
        .into_iter()
        .chain(hunt[..55].iter().copied())
        .chain(["b6c6", "b3c3", "c6b6"])
        .collect();
    let mut line = vec![Xiangqi::new(Rules::Asian).read_fen(fen).expect("a FEN")];
    let mut moves = Vec::new();
    for text in round.iter().chain(&round) {
        let mut pos = line[line.len() - 1].clone();
        let text = text.replace('6', &rank.to_string());
        let m = pos.read_move(&text).expect("a legal move");
        pos.play(m);
        line.push(pos);
        moves.push(m);
    }
    assert_eq!(line[0].key(), line[moves.len()].key());
    (line, moves)
}

#[divan::bench(args = CHASES.map(|chase| chase.0))]
fn chase_of_120_plies(bencher: divan::Bencher, name: &str) {
    let (_, fen, rank) = CHASES.into_iter().find(|chase| chase.0 == name).expect("one of them");
    let (line, moves) = chase(fen, rank);
    let ended = Xiangqi::judge_cycle(&line, &moves).expect("a verdict");
    assert_eq!(ended.reason(), "perpetual-chase");
    bencher.bench(|| Xiangqi::judge_cycle(divan::black_box(&line), divan::black_box(&moves)));
}
