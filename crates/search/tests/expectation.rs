//! Nodes of chance: would catch a search that chooses what is drawn, that forgets weights, that takes luck for a proof, or whose
//! answer depends on the day.

use kernel::{ByChance, Game, Outcome, Position, Side};
use search::score::{MAX_EVAL, Score};
use search::{Evaluator, Policy, SearchLimits, SearchResult, TranspositionTable, think};

/// Two sides collect points. A side takes what is sure, or draws from a bag.
#[derive(Clone, Debug)]
struct Bag {
    /// The points of the first side less those of the second.
    balance: i32,
    plies: u8,
    /// The points of each ball, and how many of them there are.
    balls: &'static [(i32, u32)],
    sure: i32,
    /// True if a draw ends the game: who draws wins with any ball that has points.
    ends: Option<bool>,
}

/// The sure points, or the ball that is drawn; `None` before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Take {
    Sure,
    Ball(Option<u8>),
}

impl Bag {
    fn of(balls: &'static [(i32, u32)], sure: i32) -> Bag {
        Bag { balance: 0, plies: 0, balls, sure, ends: None }
    }
}

impl Position for Bag {
    type Move = Take;

    const MAY_DRAW: bool = true;

    fn turn(&self) -> Side {
        Side::BOTH[usize::from(self.plies % 2)]
    }

    fn moves(&self, out: &mut Vec<Take>) {
        if self.outcome().is_none() {
            out.extend((0..self.balls.len() as u8).map(|ball| Take::Ball(Some(ball))));
            out.push(Take::Sure);
        }
    }

    fn by_chance(&self, m: Take) -> Option<ByChance<Take>> {
        let Take::Ball(Some(ball)) = m else { return None };
        Some(ByChance { choice: Take::Ball(None), weight: self.balls[usize::from(ball)].1 })
    }

    fn play(&mut self, m: Take) {
        let points = match m {
            Take::Sure => self.sure,
            Take::Ball(ball) => self.balls[usize::from(ball.expect("one was drawn"))].0,
        };
        if let (Some(ends), Take::Ball(_)) = (&mut self.ends, m) {
            *ends = points > 0;
            self.balance = if self.plies.is_multiple_of(2) { i32::MAX } else { i32::MIN };
        } else {
            self.balance += if self.plies.is_multiple_of(2) { points } else { -points };
        }
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        match (self.ends, self.balance) {
            (Some(true), i32::MAX) | (Some(false), i32::MIN) => Some(Outcome::Win(Side::First, "drawn")),
            (Some(true), i32::MIN) | (Some(false), i32::MAX) => Some(Outcome::Win(Side::Second, "drawn")),
            _ => (self.plies == 60).then_some(Outcome::Draw("long")),
        }
    }

    fn key(&self) -> u64 {
        (u64::from(self.plies) << 32 | u64::from(self.balance as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

#[derive(Clone)]
struct Points;

impl Evaluator<Bag> for Points {
    fn score(&mut self, pos: &Bag) -> Score {
        if pos.turn() == Side::First { pos.balance } else { -pos.balance }
    }

    fn policy(&self) -> &Policy {
        &Policy::PLAIN
    }
}

fn searched(start: Bag, depth: u32, lines: usize) -> SearchResult<Take> {
    let limits = SearchLimits { depth: Some(depth), lines, ..SearchLimits::default() };
    let memory = TranspositionTable::mebibytes(1);
    think(&Game::new(start), &Points, &memory, &limits, &mut |_| {}).expect("the game goes on")
}

/// The value by trying everything, rounded as the search does it.
fn by_brute_force(pos: &Bag, depth: u32) -> Score {
    if depth == 0 {
        return Points.score(pos);
    }
    let after = |m: Take| {
        let mut next = pos.clone();
        next.play(m);
        -by_brute_force(&next, depth - 1)
    };
    let weights: i32 = pos.balls.iter().map(|(_, weight)| *weight as i32).sum();
    let drawn =
        (0..).zip(pos.balls).map(|(ball, (_, weight))| after(Take::Ball(Some(ball))) * *weight as i32);
    (drawn.sum::<Score>() / weights).max(after(Take::Sure))
}

const LOTTERY: &[(i32, u32)] = &[(400, 1), (-200, 3)];
const BARGAIN: &[(i32, u32)] = &[(-400, 1), (200, 3)];

#[test]
fn a_choice_is_worth_the_mean_of_its_outcomes() {
    for (balls, best) in [(LOTTERY, Take::Sure), (BARGAIN, Take::Ball(Some(0)))] {
        for depth in 1..=5 {
            let found = searched(Bag::of(balls, 0), depth, 1);
            let line = &found.lines[0];
            assert_eq!(line.score, by_brute_force(&Bag::of(balls, 0), depth), "{balls:?} {depth} plies");
            assert_eq!(line.moves[0], best, "{balls:?} {depth} plies");
            let draws = line.moves.iter().position(|m| *m != Take::Sure);
            assert!(draws.is_none_or(|at| at + 1 == line.moves.len()), "a line ends with a draw: {line:?}");
        }
    }
}

#[test]
fn each_choice_is_one_line() {
    let found = searched(Bag::of(LOTTERY, 10), 3, 9);
    let firsts: Vec<Take> = found.lines.iter().map(|line| line.moves[0]).collect();
    assert_eq!(firsts, [Take::Sure, Take::Ball(Some(0))]);
}

#[test]
fn luck_is_no_proof() {
    const WINS: &[(i32, u32)] = &[(1, 1), (2, 5)];
    const EVEN: &[(i32, u32)] = &[(1, 1), (0, 1)];
    let start = |balls| Bag { ends: Some(false), ..Bag::of(balls, 0) };
    let certain = searched(start(WINS), 2, 1);
    assert_eq!((certain.lines[0].score, certain.lines[0].moves[0]), (MAX_EVAL, Take::Ball(Some(0))));
    let even = searched(start(EVEN), 1, 2);
    assert!(even.lines.iter().all(|line| line.score == 0), "{even:?}");
}

/// A sample is searched where outcomes are many; it follows from the position.
#[test]
fn the_same_search_has_the_same_answer() {
    const MANY: &[(i32, u32)] = &[
        (-30, 1),
        (-29, 2),
        (-28, 3),
        (-25, 4),
        (-24, 5),
        (-20, 6),
        (-15, 7),
        (-10, 8),
        (-5, 9),
        (-3, 9),
        (1, 9),
        (2, 9),
        (3, 8),
        (5, 8),
        (8, 8),
        (9, 8),
        (10, 7),
        (14, 7),
        (17, 7),
        (18, 6),
        (19, 6),
        (22, 5),
        (25, 5),
        (28, 4),
        (30, 2),
        (50, 1),
    ];
    let found = searched(Bag::of(MANY, 1), 4, 2);
    assert_eq!(found, searched(Bag::of(MANY, 1), 4, 2));
    let mean = by_brute_force(&Bag::of(MANY, -1000), 1);
    let sampled = searched(Bag::of(MANY, -1000), 1, 1).lines[0].score;
    assert!((sampled - mean).abs() <= 12, "{sampled} beside {mean}");
}
