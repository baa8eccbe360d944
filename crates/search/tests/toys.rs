//! The search on games so small that every answer is known.

use std::time::{Duration, Instant};

use kernel::{Game, Outcome, Position, Side};
use search::{
    Effort, Evaluator, Forced, Policy, ProbCut, QsearchKind, Score, SearchLimits, SearchResult, Stop,
    TranspositionTable, score, think,
};

/// A tree grown from a hash: as many moves everywhere, and turns that follow a pattern in which a side may move several
/// times in a row.
#[derive(Clone, Debug)]
struct Grown {
    key: u64,
    ply: usize,
    turns: &'static [u8],
    moves: u8,
}

/// Moves of a narrow tree, and of one where they are more than a search looks at together.
const NARROW: u8 = 3;
const BROAD: u8 = 30;

const ALTERNATE: &[u8] = &[0, 1];
const IN_ROWS: &[u8] = &[0, 0, 1, 1, 1, 0, 1];

fn scatter(n: u64) -> u64 {
    let z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Position for Grown {
    type Move = u8;
    fn turn(&self) -> Side {
        Side::BOTH[usize::from(self.turns[self.ply % self.turns.len()])]
    }
    fn moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend(0..self.moves);
        }
    }
    fn play(&mut self, m: u8) {
        // Paths meet, as in real games: the order of the last two moves does not matter.
        self.key = scatter(self.key ^ u64::from(m)) % 4096;
        self.ply += 1;
    }
    fn outcome(&self) -> Option<Outcome> {
        let side = Side::BOTH[(self.key >> 3 & 1) as usize];
        (self.ply > 3 && self.key.is_multiple_of(61)).then_some(Outcome::Win(side, "grown"))
    }
    fn key(&self) -> u64 {
        scatter(self.key << 8 | self.ply as u64)
    }
    fn reversible(&self) -> usize {
        0
    }
}

const HISTORY_SIZE: usize = 2 * BROAD as usize;

#[derive(Clone)]
struct Hash(Policy);

fn leaf(pos: &Grown) -> Score {
    let first = (scatter(pos.key() ^ 99) % 401) as Score - 200;
    if pos.turn() == Side::First { first } else { -first }
}

impl Evaluator<Grown> for Hash {
    fn score(&mut self, pos: &Grown) -> Score {
        leaf(pos)
    }
    fn policy(&self) -> &Policy {
        &self.0
    }
    fn history_index(&self, pos: &Grown, m: u8) -> usize {
        pos.turn().index() * usize::from(BROAD) + usize::from(m)
    }
    fn qsearch_kind(&mut self, pos: &Grown, qs_ply: usize) -> QsearchKind {
        if qs_ply < 2 && pos.key.is_multiple_of(5) { QsearchKind::Tactical } else { QsearchKind::Quiet }
    }
    fn is_tactical(&self, _pos: &Grown, m: u8) -> bool {
        m == 2
    }
}

/// The same by brute force: no bounds, no table, no order.
fn brute(pos: &Grown, depth: i32, ply: i32, plies: usize) -> Score {
    if let Some(outcome) = pos.outcome() {
        let win = score::WIN - ply;
        return if outcome.winner() == Some(pos.turn()) { win } else { -win };
    }
    let tactical_only = depth <= 0;
    if tactical_only && (plies >= 2 || !pos.key.is_multiple_of(5)) {
        return leaf(pos);
    }
    let rest = if tactical_only { leaf(pos) } else { -score::INFINITE };
    let moves = if tactical_only { 2..3 } else { 0..3 };
    moves.fold(rest, |best, m| {
        let mut next = pos.clone();
        next.play(m);
        let beyond = if tactical_only { plies + 1 } else { 0 };
        let value = brute(&next, depth - 1, ply + 1, beyond);
        best.max(if next.turn() == pos.turn() { value } else { -value })
    })
}

fn grown(seed: u64, turns: &'static [u8]) -> Grown {
    Grown { key: seed * 7 + 1, ply: 0, turns, moves: NARROW }
}

fn search<P: Position, E: Evaluator<P>>(
    start: P,
    eval: &E,
    memory: usize,
    limits: &SearchLimits,
) -> SearchResult<P::Move> {
    think(&Game::new(start), eval, &TranspositionTable::new(memory), limits, &mut |_| {})
        .expect("the game is on")
}

fn to_depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

/// The policy without pruning, which leaves the value of a node as it is: order, table, windows.
fn exact() -> Policy {
    Policy { history_size: HISTORY_SIZE, ..Policy::PLAIN }
}

/// Most techniques at once.
fn bold() -> Policy {
    Policy {
        history_size: HISTORY_SIZE,
        lmr_first_move: Some(1),
        lmr_max: 3,
        iir: true,
        futility_margin: Some(80),
        lmp: true,
        see_pruning: true,
        razoring_margin: Some(150),
        singular_extensions: true,
        check_extensions: true,
        probcut: Some(ProbCut {
            min_depth: 4,
            depth_percent: 50,
            margin: 60,
            margin_per_ply: 5,
            captures_only: false,
        }),
        ..Policy::PLAIN
    }
}

#[test]
fn without_pruning_the_value_is_that_of_brute_force() {
    for turns in [ALTERNATE, IN_ROWS] {
        for seed in 0..40 {
            for depth in 1..=7 {
                let start = grown(seed, turns);
                let expected = brute(&start, depth, 0, 0);
                for memory in [64, 1 << 16] {
                    let verdict = search(start.clone(), &Hash(exact()), memory, &to_depth(depth as u32));
                    let found = verdict.lines[0].score;
                    // A win may be found before the depth that was asked for; it is then the shortest.
                    let ended = verdict.depth < depth as u32;
                    assert!(
                        found == expected || (ended && found.abs() >= score::PROVED),
                        "seed {seed}, {turns:?}, depth {depth}, {memory} bytes: {found} for {expected}"
                    );
                }
            }
        }
    }
}

/// An evaluator with a lazy evaluation.
#[derive(Clone)]
struct Lazy(Hash);

impl Evaluator<Grown> for Lazy {
    fn score(&mut self, pos: &Grown) -> Score {
        self.0.score(pos)
    }
    fn lazy_eval(&mut self, pos: &Grown) -> Option<[Score; 2]> {
        let wrong = (scatter(pos.key() ^ 7) % 90) as Score;
        Some([leaf(pos) - wrong, leaf(pos) + 90 - wrong])
    }
    fn policy(&self) -> &Policy {
        self.0.policy()
    }
    fn history_index(&self, pos: &Grown, m: u8) -> usize {
        self.0.history_index(pos, m)
    }
    fn qsearch_kind(&mut self, pos: &Grown, qs_ply: usize) -> QsearchKind {
        self.0.qsearch_kind(pos, qs_ply)
    }
    fn is_tactical(&self, pos: &Grown, m: u8) -> bool {
        self.0.is_tactical(pos, m)
    }
}

#[test]
fn lazy_evaluation_that_is_right_changes_no_value() {
    for (turns, qsearch_tt) in [(ALTERNATE, true), (IN_ROWS, false)] {
        let policy = Policy { qsearch_tt, ..exact() };
        for seed in 0..40 {
            for depth in 1..=7 {
                let start = grown(seed, turns);
                let verdict = search(start.clone(), &Lazy(Hash(policy.clone())), 1 << 16, &to_depth(depth));
                let (found, expected) = (verdict.lines[0].score, brute(&start, depth as i32, 0, 0));
                let ended = verdict.depth < depth;
                assert!(
                    found == expected || (ended && found.abs() >= score::PROVED),
                    "seed {seed}, {turns:?}, depth {depth}: {found} for {expected}"
                );
            }
        }
    }
}

/// A search that prefetches table entries finds the same as one that does not.
#[test]
fn prefetching_changes_nothing() {
    for (moves, depth) in [(NARROW, 9), (BROAD, 4)] {
        for policy in [exact(), bold()] {
            for seed in 0..10 {
                let found = |tt_prefetch| {
                    let policy = Policy { tt_prefetch, ..policy.clone() };
                    search(Grown { moves, ..grown(seed, IN_ROWS) }, &Hash(policy), 1 << 16, &to_depth(depth))
                };
                assert_eq!(found(true), found(false), "{moves} moves, seed {seed}");
            }
        }
    }
}

#[test]
fn lines_are_the_best_moves_in_order() {
    for seed in 0..40 {
        let start = grown(seed, IN_ROWS);
        let verdict =
            search(start.clone(), &Hash(exact()), 1 << 16, &SearchLimits { lines: 5, ..to_depth(5) });
        assert_eq!(verdict.lines.len(), 3, "there are three moves");
        for line in &verdict.lines {
            let mut next = start.clone();
            next.play(line.moves[0]);
            let value = brute(&next, 4, 1, 0);
            let value = if next.turn() == start.turn() { value } else { -value };
            assert!(
                line.score == value || value.abs() >= score::PROVED,
                "seed {seed}: {} for {value}",
                line.score
            );
        }
        assert!(verdict.lines.is_sorted_by_key(|line| -line.score), "seed {seed}: {verdict:?}");
    }
}

/// A depth that is meant to be none is not a small one.
#[test]
fn any_depth_is_a_depth() {
    let reached = |depth: u32| {
        let limits = SearchLimits { nodes: Some(20_000), ..to_depth(depth) };
        let found = |seed| search(grown(seed, ALTERNATE), &Hash(exact()), 1 << 16, &limits).depth;
        (0..5).map(found).sum::<u32>()
    };
    let usual = reached(100);
    assert!(usual > 5, "{usual}");
    for depth in [i32::MAX as u32, 1 << 31, u32::MAX] {
        assert_eq!(reached(depth), usual, "{depth}");
    }
}

#[test]
fn finished_lines_are_of_one_depth() {
    let mut mixed = 0;
    for nodes in 60..300 {
        let limits = SearchLimits { lines: 2, nodes: Some(nodes), ..SearchLimits::default() };
        let verdict = search(grown(3, ALTERNATE), &Hash(exact()), 1 << 16, &limits);
        assert_eq!(verdict.finished.len(), 2, "{nodes}: {verdict:?}");
        assert!(verdict.finished.iter().all(|line| line.depth == verdict.depth), "{nodes}: {verdict:?}");
        mixed += usize::from(verdict.lines[0].depth > verdict.depth);
    }
    assert!(mixed > 0, "no search was cut short in the midst of its lines");
}

/// The same, with a solver that knows a long win of which the tree sees nothing.
#[derive(Clone)]
struct Solved(Hash);

impl Evaluator<Grown> for Solved {
    fn score(&mut self, pos: &Grown) -> Score {
        leaf(pos)
    }
    fn policy(&self) -> &Policy {
        &self.0.0
    }
    fn history_index(&self, pos: &Grown, m: u8) -> usize {
        self.0.history_index(pos, m)
    }
    fn forced(&mut self, _pos: &Grown, effort: Effort) -> Option<Forced<u8>> {
        matches!(effort, Effort::Root { .. }).then_some(Forced { first: 1, plies: 31 })
    }
}

#[test]
fn a_solved_win_stays_the_first_of_several_lines() {
    let limits = SearchLimits { lines: 3, ..to_depth(3) };
    for seed in 0..20 {
        let verdict = search(grown(seed, ALTERNATE), &Solved(Hash(exact())), 1 << 16, &limits);
        let won = verdict.lines.iter().find(|line| line.moves[0] == 1).expect("all moves are ranked");
        assert_eq!(score::distance(won.score), Some(31), "seed {seed}: {verdict:?}");
        assert_eq!(verdict.lines.len(), 3, "seed {seed}: {verdict:?}");
    }
}

#[test]
fn positions_of_all_threads_are_counted() {
    let limits = SearchLimits { threads: 3, nodes: Some(300_000), ..SearchLimits::default() };
    let verdict = search(grown(5, ALTERNATE), &Hash(exact()), 64, &limits);
    assert!(verdict.nodes > 300_000, "{}", verdict.nodes);
}

#[test]
fn the_same_search_has_the_same_nodes() {
    let nodes = |policy: Policy| {
        let eval = Hash(policy);
        (0..10).map(|seed| search(grown(seed, IN_ROWS), &eval, 1 << 16, &to_depth(9)).nodes).sum::<u64>()
    };
    assert_eq!((nodes(exact()), nodes(bold())), (nodes(exact()), nodes(bold())));
    // A change of these numbers is a change of the search: it has to be meant.
    assert_eq!((nodes(exact()), nodes(bold())), (67_405, 31_054));
}

/// Take one to three stones; who takes the last one wins. Passing is not allowed, so the null move would be wrong.
#[derive(Clone, Debug)]
struct Stones(u32, Side);

impl Position for Stones {
    type Move = u32;
    fn turn(&self) -> Side {
        self.1
    }
    fn moves(&self, out: &mut Vec<u32>) {
        out.extend(1..=self.0.min(3));
    }
    fn play(&mut self, m: u32) {
        *self = Stones(self.0 - m, self.1.other());
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 0).then_some(Outcome::Win(self.1.other(), "last-stone"))
    }
    fn key(&self) -> u64 {
        scatter(u64::from(self.0) * 2 + self.1.index() as u64)
    }
    fn reversible(&self) -> usize {
        0
    }
}

#[derive(Clone)]
struct Blind(Policy);

impl<P: Position> Evaluator<P> for Blind {
    fn score(&mut self, _pos: &P) -> Score {
        0
    }
    fn policy(&self) -> &Policy {
        &self.0
    }
}

#[test]
fn a_forced_win_is_the_same_with_and_without_the_table() {
    for stones in 1..=30 {
        for memory in [64, 1 << 20] {
            let verdict = search(Stones(stones, Side::First), &Blind(Policy::PLAIN), memory, &to_depth(32));
            let best = &verdict.lines[0];
            let wins = stones % 4 != 0;
            let plies = score::distance(best.score).unwrap_or_else(|| panic!("{stones}: {best:?}"));
            assert_eq!(plies > 0, wins, "{stones} stones, {memory} bytes: {best:?}");
            if wins {
                assert_eq!(best.moves[0], stones % 4, "the only winning move with {stones} stones");
            }
            // Both take as few as keep the result: two plies for four stones.
            assert_eq!(
                plies.unsigned_abs(),
                stones.div_ceil(4) * 2 - u32::from(wins),
                "{stones} stones, {memory}"
            );
        }
    }
}

/// A piece on a ring of five places steps either way; the side that repeats a position has lost if it is `guilty`'s
/// ring.
#[derive(Clone, Debug)]
struct Ring {
    at: u8,
    turn: Side,
    guilty: Option<Side>,
}

impl Position for Ring {
    type Move = i8;
    fn turn(&self) -> Side {
        self.turn
    }
    fn moves(&self, out: &mut Vec<i8>) {
        out.extend([1, -1]);
    }
    fn play(&mut self, m: i8) {
        self.at = (self.at as i8 + m).rem_euclid(5) as u8;
        self.turn = self.turn.other();
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn key(&self) -> u64 {
        scatter(u64::from(self.at) * 2 + self.turn.index() as u64 + 1)
    }
    fn judge_cycle(line: &[Self], _moves: &[i8]) -> Option<Outcome> {
        Some(line[0].guilty.map_or(Outcome::Draw("ring"), |side| Outcome::Win(side.other(), "ring")))
    }
}

#[test]
fn repetition_is_judged_as_the_rules_do_and_is_no_proof() {
    for (guilty, expected) in
        [(None, 0..1), (Some(Side::Second), 19_000..20_001), (Some(Side::First), -20_000..-18_999)]
    {
        let ring = Ring { at: 0, turn: Side::First, guilty };
        let verdict = search(ring, &Blind(Policy::PLAIN), 64, &to_depth(12));
        let found = verdict.lines[0].score;
        assert!(expected.contains(&found), "{guilty:?}: {found}");
        assert_eq!(score::distance(found), None, "{guilty:?}: the other side may still deviate");
    }
}

/// A path: from its start one goes to a place from where the other side can only come back, or on for ever, which is
/// worth a little less to the first side. The rules say nothing of places that one comes back to.
#[derive(Clone, Debug)]
struct Path(u32, Side);

impl Position for Path {
    type Move = u32;
    fn turn(&self) -> Side {
        self.1
    }
    fn moves(&self, out: &mut Vec<u32>) {
        match self.0 {
            0 => out.extend([1, 2]),
            1 => out.push(0),
            on => out.push(on + 1),
        }
    }
    fn play(&mut self, m: u32) {
        *self = Path(m, self.1.other());
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn key(&self) -> u64 {
        scatter(u64::from(self.0) * 2 + self.1.index() as u64 + 1)
    }
}

#[derive(Clone)]
struct Walker(Policy);

impl Evaluator<Path> for Walker {
    fn score(&mut self, pos: &Path) -> Score {
        let first = if pos.0 > 1 { -10 } else { 0 };
        if pos.1 == Side::First { first } else { -first }
    }
    fn policy(&self) -> &Policy {
        &self.0
    }
}

#[test]
fn who_shuns_repetition_pays_a_little_to_avoid_it() {
    for (cost, first, score) in [(0, 1, 0), (5, 1, -5), (20, 2, -10)] {
        let policy = Policy { repetition_contempt: cost, ..Policy::PLAIN };
        let verdict = search(Path(0, Side::First), &Walker(policy), 64, &to_depth(6));
        let best = &verdict.lines[0];
        assert_eq!((best.moves[0], best.score), (first, score), "{cost}");
    }
}

#[test]
fn time_and_a_raised_flag_end_a_search_that_has_no_end() {
    let ring = || Ring { at: 0, turn: Side::First, guilty: None };
    let start = Instant::now();
    let limits = SearchLimits { time: Some(Duration::from_millis(40)), ..SearchLimits::default() };
    search(Stones(5_000, Side::First), &Blind(Policy::PLAIN), 1 << 16, &limits);
    search(ring(), &Blind(Policy::PLAIN), 64, &limits);
    let stop = Stop::default();
    let raised = stop.clone();
    let waits = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        raised.stop();
    });
    let limits = SearchLimits { stop, ..SearchLimits::default() };
    let verdict = search(Stones(5_000, Side::First), &Blind(Policy::PLAIN), 1 << 16, &limits);
    waits.join().expect("it only sleeps");
    assert!((1..=3).contains(&verdict.lines[0].moves[0]));
    // Far more than it takes, for machines with other work.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn threads_share_what_they_find() {
    let limits = SearchLimits { threads: 3, ..to_depth(9) };
    for seed in 0..10 {
        let start = grown(seed, IN_ROWS);
        let verdict = search(start.clone(), &Hash(exact()), 1 << 16, &limits);
        assert!(verdict.lines[0].moves[0] < 3);
        assert!(!verdict.lines[0].moves.is_empty());
    }
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let over = Game::new(Stones(0, Side::First));
    let limits = SearchLimits::default();
    assert_eq!(think(&over, &Blind(Policy::PLAIN), &TranspositionTable::new(64), &limits, &mut |_| {}), None);
}
