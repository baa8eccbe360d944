//! Benchmarks of gomoku's threats: keeping them up to date, solving, and searching:
//! `cargo bench -p engine --bench gomoku`.

use divan::{Bencher, black_box, counter::ItemsCount};
use eval_gomoku::{FourSolver, GomokuEval, Shapes, ThreatSolver};
use gomoku::{Gomoku, Move, Point, Rule};
use kernel::{Game, Notation, Position};
use search::{SearchLimits, TranspositionTable};

fn main() {
    divan::main();
}

/// Puts and takes the stones of recorded games; the figure is stones a second.
#[divan::bench(args = [Rule::Freestyle, Rule::Standard, Rule::Renju])]
fn put_and_take(bencher: Bencher, rule: Rule) {
    let games: Vec<Vec<Point>> = puzzles(rule).iter().map(|(_, points)| points.clone()).collect();
    let stones: usize = games.iter().map(Vec::len).sum();
    let start = Gomoku::new(rule, 15, 15).expect("a legal size");
    bencher.counter(ItemsCount::new(stones)).bench_local(|| {
        let mut shapes = Shapes::of(&start);
        for game in &games {
            let mut pos = kernel::Side::First;
            for &at in game {
                shapes.put(pos, shapes.cell(at));
                pos = pos.other();
            }
            black_box(&shapes);
            game.iter().for_each(|_| shapes.take());
        }
    });
}

/// Solves every puzzle by continuous fours; the figure is positions a second.
#[divan::bench(args = [Rule::Freestyle, Rule::Renju])]
fn continuous_fours(bencher: Bencher, rule: Rule) {
    let puzzles = puzzles(rule);
    let run = || {
        let mut nodes = 0;
        for (pos, _) in &puzzles {
            let mut solver = FourSolver::new(14);
            black_box(solver.solve(&mut Shapes::of(pos), pos.turn(), 20_000));
            nodes += solver.nodes();
        }
        nodes
    };
    bencher.counter(ItemsCount::new(run())).bench_local(run);
}

/// Solves every puzzle by fours and threes; the figure is positions of the threat tree a second.
#[divan::bench(args = [Rule::Freestyle, Rule::Renju])]
fn threats(bencher: Bencher, rule: Rule) {
    let puzzles = puzzles(rule);
    let run = || {
        let mut nodes = 0;
        for (pos, _) in &puzzles {
            let mut solver = ThreatSolver::new();
            black_box(solver.solve(&mut FourSolver::new(14), &mut Shapes::of(pos), pos.turn(), 20_000));
            nodes += solver.nodes();
        }
        nodes
    };
    bencher.counter(ItemsCount::new(run())).bench_local(run);
}

/// Searches positions without a forced win; the figure is positions a second.
#[divan::bench(args = [Rule::Freestyle, Rule::Standard, Rule::Renju], sample_count = 3)]
fn search(bencher: Bencher, rule: Rule) {
    let games: Vec<Game<Gomoku>> = puzzles(rule).iter().map(|(_, points)| quiet_game(rule, points)).collect();
    let run = || {
        let mut nodes = 0;
        for game in games.iter().take(12) {
            let memory = TranspositionTable::mebibytes(16);
            let limits = SearchLimits { nodes: Some(40_000), ..SearchLimits::default() };
            let verdict = search::think(game, &GomokuEval::default(), &memory, &limits, &mut |_| {});
            nodes += verdict.expect("nobody has won").nodes;
        }
        nodes
    };
    bencher.counter(ItemsCount::new(run())).bench_local(run);
}

/// The first eight stones of a game.
fn quiet_game(rule: Rule, points: &[Point]) -> Game<Gomoku> {
    let mut game = Game::new(Gomoku::new(rule, 15, 15).expect("a legal size"));
    points.iter().take(8).for_each(|&at| game.play(Move::Put(at)));
    game
}

/// The positions of the tests, with the stones that led there; those of freestyle do for rules that have none.
fn puzzles(rule: Rule) -> Vec<(Gomoku, Vec<Point>)> {
    let rows = include_str!("../tests/data/vcf.jsonl").lines();
    let rows = rows.map(|row| serde_json::from_str::<serde_json::Value>(row).expect("the data are JSON"));
    let key = if rule == Rule::Renju { "renju" } else { "freestyle" };
    rows.filter(|row| row["rule"] == key)
        .map(|row| {
            let mut pos = Gomoku::new(rule, 15, 15).expect("a legal size");
            let mut points = Vec::new();
            for m in row["moves"].as_array().expect("moves") {
                let m = pos.read_move(m.as_str().expect("a text")).expect("a legal move");
                pos.play(m);
                let Move::Put(at) = m else { continue };
                points.push(at);
            }
            (pos, points)
        })
        .collect()
}
