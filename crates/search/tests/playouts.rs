//! Search by playouts on noughts and crosses, where every answer is known: would catch one that misses what wins or
//! loses at once, that calls proved what is not, that takes more positions or memory than it may, or that is another
//! each time.

use std::time::{Duration, Instant};

use kernel::laws::Random;
use kernel::{Outcome, Position, Side};
use search::playouts::{Walk, Walker, think};
use search::{Score, SearchLimits, SearchResult, Stop, score};

const LINES: [u16; 8] =
    [0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100];

/// Stones of both sides as bits. With `twice` each side moves two times in a row after the first move.
#[derive(Clone, Debug, PartialEq)]
struct Noughts {
    stones: [u16; 2],
    plies: usize,
    twice: bool,
}

impl Noughts {
    fn of(board: &str) -> Noughts {
        let stones = ['x', 'o'].map(|sign| {
            let cells = board.chars().filter(|c| !c.is_whitespace()).enumerate();
            cells.filter(|(_, c)| *c == sign).fold(0, |bits, (at, _)| bits | 1 << at)
        });
        let plies = stones.iter().map(|side: &u16| side.count_ones() as usize).sum();
        Noughts { stones, plies, twice: false }
    }
}

impl Position for Noughts {
    type Move = u8;
    fn turn(&self) -> Side {
        let second = if self.twice { self.plies.div_ceil(2) % 2 == 1 } else { self.plies % 2 == 1 };
        Side::BOTH[usize::from(second)]
    }
    fn moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|at| (self.stones[0] | self.stones[1]) >> at & 1 == 0));
        }
    }
    fn play(&mut self, m: u8) {
        self.stones[self.turn().index()] |= 1 << m;
        self.plies += 1;
    }
    fn outcome(&self) -> Option<Outcome> {
        let has = |side: Side| LINES.iter().any(|line| self.stones[side.index()] & line == *line);
        let won = Side::BOTH.into_iter().find(|&side| has(side));
        won.map(|side| Outcome::Win(side, "line"))
            .or_else(|| (self.plies == 9).then_some(Outcome::Draw("full")))
    }
    fn key(&self) -> u64 {
        u64::from(self.stones[0]) << 16 | u64::from(self.stones[1])
    }
    fn reversible(&self) -> usize {
        0
    }
}

/// Plays to the end; counts plies, and the largest memory it is asked for is its own.
struct Usual {
    positions: usize,
    proves: bool,
    plies: u64,
}

const USUAL: Usual = Usual { positions: 4096, proves: true, plies: 0 };

impl Walker<Noughts> for Usual {
    fn walk(&mut self, pos: &Noughts, first: Option<u8>, longest: Option<u32>, seed: u64) -> Walk<u8> {
        let (mut random, mut end, mut made) = (Random(seed), pos.clone(), Vec::new());
        let mut next = first;
        while end.outcome().is_none() && longest.is_none_or(|longest| made.len() < longest as usize) {
            let mut moves = Vec::new();
            end.moves(&mut moves);
            let m = next.take().unwrap_or_else(|| moves[random.below(moves.len())]);
            made.push((end.turn(), m));
            end.play(m);
        }
        self.plies += made.len() as u64;
        let winner = end.outcome().and_then(|outcome| outcome.winner());
        let chance = winner.map_or(0.5, |side| if side == Side::First { 1.0 } else { 0.0 });
        Walk { moves: made, chance, is_over: end.outcome().is_some() }
    }
    fn score(&self, chance: f64) -> Score {
        ((chance - 0.5) * 1000.0) as Score
    }
    fn most_positions(&self) -> usize {
        self.positions
    }
    fn may_prove(&self) -> bool {
        self.proves
    }
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

fn searched(start: &Noughts, walker: &mut Usual, limits: &SearchLimits, seed: u64) -> SearchResult<u8> {
    think(std::slice::from_ref(start), walker, limits, &[], seed, &mut |_| {}).expect("it goes on")
}

/// The result with best play for the side to move: 1, 0, -1, and the plies to it where it is none too many.
fn solved(pos: &Noughts) -> i32 {
    if let Some(outcome) = pos.outcome() {
        return outcome.winner().map_or(0, |winner| if winner == pos.turn() { 1 } else { -1 });
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let value = |m| {
        let mut next = pos.clone();
        next.play(m);
        if next.turn() == pos.turn() { solved(&next) } else { -solved(&next) }
    };
    moves.into_iter().map(value).max().expect("it goes on")
}

#[test]
fn every_position_is_solved_and_the_move_holds_its_value() {
    for twice in [false, true] {
        for seed in 0..40 {
            let (mut random, mut pos) = (Random(seed + 1), Noughts { twice, ..Noughts::of("") });
            for _ in 0..2 + seed % 5 {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                pos.play(moves[random.below(moves.len())]);
            }
            if pos.outcome().is_some() {
                continue;
            }
            let found = searched(&pos, &mut Usual { ..USUAL }, &nodes(200_000), seed);
            let (value, best) = (solved(&pos), &found.lines[0]);
            let proved = score::distance(best.score);
            match value {
                0 => assert_eq!(best.score, score::DRAW, "{pos:?}"),
                _ => assert_eq!(proved.map(i32::signum), Some(value), "{pos:?}: {found:?}"),
            }
            let mut next = pos.clone();
            next.play(best.moves[0]);
            let after = if next.turn() == pos.turn() { solved(&next) } else { -solved(&next) };
            assert_eq!(after, value, "{pos:?}: {found:?}");
        }
    }
}

#[test]
fn a_win_at_hand_is_taken_and_a_loss_at_hand_avoided() {
    for (board, best) in [("xx. oo. ...", 2), ("x.. oo. x..", 5), ("oo. x.. x..", 2)] {
        let pos = Noughts::of(board);
        let pos = if pos.plies == 3 { pos } else { Noughts { plies: pos.plies, ..pos } };
        let found = searched(&pos, &mut Usual { ..USUAL }, &nodes(400), 5);
        assert_eq!(found.lines[0].moves[0], best, "{board}: {found:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_and_every_line_is_legal() {
    let start = Noughts::of("");
    let limits = SearchLimits { lines: 4, ..nodes(3_000) };
    let found = searched(&start, &mut Usual { proves: false, ..USUAL }, &limits, 9);
    assert_eq!(found, searched(&start, &mut Usual { proves: false, ..USUAL }, &limits, 9));
    assert_eq!(found.lines.len(), 4);
    assert!(found.lines.is_sorted_by_key(|line| -line.score), "{found:?}");
    let mut firsts: Vec<u8> = found.lines.iter().map(|line| line.moves[0]).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4, "each line begins with another move");
    for line in &found.lines {
        let mut pos = start.clone();
        for m in &line.moves {
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            assert!(moves.contains(m), "{line:?}");
            pos.play(*m);
        }
        assert_eq!(line.depth as usize, line.moves.len());
    }
}

#[test]
fn nothing_is_proved_where_chance_may_decide() {
    let pos = Noughts::of("xx. oo. ...");
    let found = searched(&pos, &mut Usual { proves: false, ..USUAL }, &nodes(2_000), 5);
    assert_eq!((found.lines[0].moves[0], score::distance(found.lines[0].score)), (2, None));
    let worlds = vec![pos; 3];
    let found =
        think(&worlds, &mut Usual { ..USUAL }, &nodes(2_000), &[], 5, &mut |_| {}).expect("it goes on");
    assert_eq!((found.lines[0].moves[0], score::distance(found.lines[0].score)), (2, None));
}

#[test]
fn limits_hold() {
    let start = Noughts::of("");
    let mut walker = Usual { proves: false, ..USUAL };
    let found = searched(&start, &mut walker, &nodes(500), 1);
    assert!((500..520).contains(&found.nodes), "{}", found.nodes);
    assert!(walker.plies <= found.nodes, "{} of {}", walker.plies, found.nodes);
    // Not even one position: the first playout is always finished.
    let found = searched(&start, &mut Usual { ..USUAL }, &nodes(0), 1);
    assert!(!found.lines.is_empty() && found.nodes < 20, "{found:?}");
    // Little memory: it goes on with the tree that it has.
    let few = searched(&start, &mut Usual { positions: 3, proves: false, plies: 0 }, &nodes(2_000), 1);
    assert!(few.lines[0].moves.len() <= 4, "{few:?}");
    let stop = Stop::default();
    stop.stop();
    let stopped = SearchLimits { stop, ..SearchLimits::default() };
    assert!(!searched(&start, &mut Usual { proves: false, ..USUAL }, &stopped, 1).lines.is_empty());
    let begun = Instant::now();
    let timed = SearchLimits { time: Some(Duration::from_millis(60)), ..SearchLimits::default() };
    searched(&start, &mut Usual { proves: false, ..USUAL }, &timed, 1);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn only_the_moves_that_are_asked_for_are_searched() {
    let start = Noughts::of("xx. oo. ...");
    let found = think(&[start], &mut Usual { ..USUAL }, &nodes(900), &[7, 8], 1, &mut |_| {});
    assert!([7, 8].contains(&found.expect("it goes on").lines[0].moves[0]));
    let over = Noughts::of("xxx oo. ...");
    assert_eq!(think(&[over], &mut Usual { ..USUAL }, &nodes(900), &[], 1, &mut |_| {}), None);
}
