//! A network beside the tables: (7798 → 32) x 2 → 1.
//!
//! The tables add up what each empty point is worth by itself; the network learns what to add where points count
//! together. Each side sees three inputs for each empty point: the sort of what its own stone would do there, the sort
//! of what the enemy's would, and the [grades](super::kind) of both together, for a point may be good for both; and for
//! each point, empty or not, the pattern of stones [around](super::around) it, which lines do not show. In renju,
//! where the colours play by different rules, Black's inputs are others than White's. What is seen makes 32 sums, and
//! the sums a score (see [`engine_core::network`]) by one of sixteen rows, chosen by what either side threatens to do.
//! The sums are kept by [`Shapes`], stone by stone, and brought up to date when a score is asked for.

use std::sync::LazyLock;

use ::gomoku::Rule;
use kernel::{AnyGame, Position, Problem, Side};

use super::around::{NUMBERED, PATTERNS, Picture};
use super::kind::{Combinations, Combined, GRADES, SORTS, StoneKind};
use super::plain::plain;
use super::shapes::Shapes;
use super::terms::{self, POINTS, Terms};
use engine_core::learned::{self, Layout, Looked, Weights};
use engine_core::network::{self, Net};

/// Sums of each side.
const HIDDEN: usize = 32;
/// The number of rows of output weights: one for each pair of threat levels of the two sides.
const ROWS: usize = THREATS * THREATS;
const THREATS: usize = 4;
/// Inputs of a view: the sorts of its own points, those of the enemy's, the grades of both, and patterns.
const A_VIEW: usize = PATTERN + PATTERNS;
/// The index at which the grades begin; the next is that of the patterns.
const GRADE: usize = 2 * SORTS;
const PATTERN: usize = GRADE + GRADES * GRADES;

/// The most an input may add to a sum, in steps. The inputs of all points together might not fit 16 bits; in no position of
/// the tests is that so, and one where it is would only be judged wrongly.
const MOST: i16 = 127;

/// Returns the storage format of a rule's weights.
const fn layout(rule: Rule) -> Layout {
    let name = match rule {
        Rule::Renju => "gomoku/network-4",
        _ => "gomoku/network-3",
    };
    Layout::new(name, terms::sets(rule) * A_VIEW, HIDDEN, ROWS, MOST)
}

/// Returns the index at which the inputs of a side's view begin.
const fn view(rule: Rule, side: Side) -> usize {
    match side {
        Side::Second if terms::sets(rule) > 1 => A_VIEW,
        _ => 0,
    }
}

/// The sums of one side.
pub(super) type Sums = network::Sums<HIDDEN>;

/// A rule's weights.
pub(super) struct Network {
    net: Net<HIDDEN>,
    /// The indices at which the inputs of each side's view begin.
    views: [usize; 2],
    /// The pattern of each picture.
    patterns: &'static [u16],
}

impl Network {
    fn of(rule: Rule, weights: &Weights) -> Result<Network, Problem> {
        let net = Net::of(&layout(rule), weights)?;
        Ok(Network { net, views: Side::BOTH.map(|side| view(rule, side)), patterns: &NUMBERED })
    }

    /// Returns the sums of both sides of a board without inputs.
    pub(super) fn nothing(&self) -> [Sums; 2] {
        [*self.net.bias(); 2]
    }
}

/// The file of a rule's weights.
pub(super) const fn file(rule: Rule) -> Option<&'static [u8]> {
    match rule {
        Rule::Freestyle => Some(include_bytes!("../weights/gomoku-freestyle-network.bin")),
        Rule::Standard => Some(include_bytes!("../weights/gomoku-standard-network.bin")),
        Rule::Renju => Some(include_bytes!("../weights/gomoku-renju-network.bin")),
        Rule::Caro | Rule::CaroExact => None,
    }
}

/// Returns the network that is built in for a rule and a board of that number of points: a larger board than it
/// learned on might add up to more than its sums hold.
pub(super) fn built_in(rule: Rule, points: usize) -> Option<&'static Network> {
    static NETWORKS: [LazyLock<Option<Network>>; 3] = [
        LazyLock::new(|| read(Rule::Freestyle)),
        LazyLock::new(|| read(Rule::Standard)),
        LazyLock::new(|| read(Rule::Renju)),
    ];
    let network = match rule {
        Rule::Freestyle => &NETWORKS[0],
        Rule::Standard => &NETWORKS[1],
        Rule::Renju => &NETWORKS[2],
        Rule::Caro | Rule::CaroExact => return None,
    };
    if points <= POINTS { network.as_ref() } else { None }
}

fn read(rule: Rule) -> Option<Network> {
    let weights = Weights::read(&layout(rule).shape, file(rule)?);
    Some(
        weights.and_then(|weights| Network::of(rule, &weights)).expect("the file was written for this shape"),
    )
}

/// The row of output weights when `side` is to move.
#[inline]
fn row(shapes: &Shapes, side: Side) -> usize {
    let threat = |side: Side| {
        let has = |kind: StoneKind| shapes.count(side, kind) > 0;
        if has(StoneKind::OpenFour) || has(StoneKind::FourThree) {
            3
        } else if has(StoneKind::DoubleThree) {
            2
        } else {
            usize::from(has(StoneKind::Three) || has(StoneKind::Four))
        }
    };
    THREATS * threat(side) + threat(side.other())
}

/// Returns the network's addition to the score of `side`, to move, in hundredths, from the sums of both sides.
#[inline]
pub(super) fn score(network: &Network, sums: &[Sums; 2], shapes: &Shapes, side: Side) -> i32 {
    network.net.output(&sums[side.index()], &sums[side.other().index()], row(shapes, side))
}

/// An empty point as a side sees it: the sort of its stone there, and the properties of that sort.
pub(super) type Sight<'a> = (usize, &'a Combined);

/// An input of a view, and whether it counts.
type Input = (usize, bool);

/// Returns the input of the pair of both sides' grades on a point, in the view of the side whose grade is `own`.
#[inline]
fn together(own: &Combined, other: &Combined) -> Input {
    let counts = (own.grade > 0) & (other.grade > 0);
    (GRADE + usize::from(own.grade) * GRADES + usize::from(other.grade), counts)
}

/// Returns the input of a picture; one without stones does not count.
#[inline]
fn pattern(patterns: &[u16], picture: u16) -> Input {
    (PATTERN + usize::from(patterns[usize::from(picture)]), picture > 0)
}

/// The inputs added to each side's view, and those removed. It cannot be foreseen which of a point's inputs change,
/// so they are written down without a branch, and their weights are added up afterwards.
#[derive(Clone, Default)]
pub(super) struct Change {
    come: [Inputs; 2],
    gone: [Inputs; 2],
}

/// A list of inputs of a view. A stone changes at most 41 cells, three inputs each, and nine pictures.
#[derive(Clone)]
struct Inputs {
    list: [u16; 256],
    count: u8,
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs { list: [0; 256], count: 0 }
    }
}

impl Inputs {
    #[inline]
    fn push(&mut self, input: usize, counts: bool) {
        self.list[usize::from(self.count)] = input as u16;
        self.count += u8::from(counts);
    }

    #[inline]
    fn all(&self) -> &[u16] {
        &self.list[..usize::from(self.count)]
    }
}

impl Change {
    /// Notes a change of a point: how each side sees it now, and how it saw it before.
    #[inline]
    pub(super) fn point(&mut self, network: &Network, sights: [[Sight<'_>; 2]; 2]) {
        for view in 0..2 {
            let (first, own, other) = (network.views[view], sights[view], sights[1 - view]);
            for (first, [now, before]) in [(first, own), (first + SORTS, other)] {
                let [now, before] = [now, before].map(|(sort, seen)| (first + sort, seen.judged));
                self.input(view, now, before);
            }
            let [now, before] = [0, 1].map(|time| together(own[time].1, other[time].1));
            self.input(view, (first + now.0, now.1), (first + before.0, before.1));
        }
    }

    /// Notes a change of the picture around a point.
    #[inline]
    pub(super) fn picture(&mut self, network: &Network, now: Picture, before: Picture) {
        for view in 0..2 {
            let first = network.views[view];
            let [now, before] = [now, before].map(|picture| pattern(network.patterns, picture[view]));
            self.input(view, (first + now.0, now.1), (first + before.0, before.1));
        }
    }

    /// Notes a point that is new to the sums.
    pub(super) fn appear(&mut self, network: &Network, sights: [Sight<'_>; 2]) {
        let nothing = Combinations::of(Rule::Freestyle, Side::First).sight(0);
        self.point(network, sights.map(|sight| [sight, nothing]));
    }

    #[inline]
    fn input(&mut self, view: usize, now: Input, before: Input) {
        let differs = now.0 != before.0;
        self.come[view].push(now.0, now.1 & differs);
        self.gone[view].push(before.0, before.1 & differs);
    }

    /// Applies the change to the sums and empties it.
    #[inline]
    pub(super) fn apply(&mut self, network: &Network, sums: &mut [Sums; 2]) {
        for (view, sums) in sums.iter_mut().enumerate() {
            let (come, gone) = (&mut self.come[view], &mut self.gone[view]);
            network.net.change(sums, come.all(), gone.all());
            (come.count, gone.count) = (0, 0);
        }
    }
}

/// The network as the trainer sees it: its addition to the built-in tables.
impl learned::Network for Terms {
    fn layout(&self) -> Layout {
        layout(self.rule())
    }

    /// Writes the inputs of each view. A mirrored board has the same inputs, so `_exchanged` makes no difference.
    fn features(
        &self,
        board: &[u8],
        turn: Side,
        _exchanged: bool,
        out: &mut [Vec<u16>; 2],
    ) -> Option<Looked> {
        out.iter_mut().for_each(Vec::clear);
        let shapes = self.shapes(board)?;
        let sides = [turn, turn.other()];
        let first = sides.map(|side| view(self.rule(), side));
        for at in shapes.empty_cells() {
            let sights = sides.map(|side| shapes.sight(side, at));
            for (view, inputs) in out.iter_mut().enumerate() {
                let [own, other] = [sights[view], sights[1 - view]];
                let alone = [(own, 0), (other, SORTS)];
                let alone = alone
                    .into_iter()
                    .filter(|(sight, _)| sight.1.judged)
                    .map(|(sight, first)| first + sight.0);
                let (both, counts) = together(own.1, other.1);
                inputs.extend(alone.chain(counts.then_some(both)).map(|input| (first[view] + input) as u16));
            }
        }
        for picture in shapes.pictures() {
            for (view, side) in sides.into_iter().enumerate() {
                let (input, counts) = pattern(&NUMBERED, picture[side.index()]);
                out[view].extend(counts.then_some((first[view] + input) as u16));
            }
        }
        Some(Looked { row: row(&shapes, turn), base: self.by_tables(&shapes, turn) })
    }

    fn score(&self, weights: &Weights, game: &dyn AnyGame) -> Option<i32> {
        let network = Network::of(self.rule(), weights).ok()?;
        let pos = plain(game)?;
        let pos = pos.position();
        let mut shapes = Shapes::of(pos);
        Some(
            terms::standing(&mut shapes, pos.turn())
                + score(&network, &shapes.sums(&network), &shapes, pos.turn()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::gomoku::Gomoku;
    use engine_core::learned::{Boards as _, Network as _};
    use engine_core::network::{MOST_OUT, OUT_STEPS, ROW_STEPS, SUM_STEPS};
    use kernel::{Game, Notation};

    struct Draw(u64);

    impl Draw {
        fn below(&mut self, most: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % most
        }
    }

    /// A network of random weights, as large as they may be.
    fn random_weights(rule: Rule, seed: u64) -> Weights {
        let layout = layout(rule);
        let mut draw = Draw(seed);
        let mut draw = |most: i16| draw.below(2 * most as u64 + 1) as i16 - most;
        let mut steps: Vec<i16> =
            (0..layout.inputs * HIDDEN + HIDDEN).map(|_| draw(layout.most[0])).collect();
        steps.extend((0..ROWS * 2 * HIDDEN).map(|_| draw(MOST_OUT / 2)));
        steps.extend((0..ROWS).map(|_| draw(2000)));
        Weights { steps, origin: [("scale".to_owned(), "100".to_owned())].into() }
    }

    /// Stones near the middle, drawn by chance, position by position.
    fn game(rule: Rule, seed: u64) -> Vec<Gomoku> {
        let mut draw = Draw(seed);
        let mut line = vec![Gomoku::new(rule, 15, 15).expect("a board")];
        while line.len() < 70 {
            let mut pos = line[line.len() - 1].clone();
            let (file, row) = (b'd' + draw.below(9) as u8, 4 + draw.below(9));
            let Some(m) = pos.read_move(&format!("{}{row}", char::from(file))) else { continue };
            pos.play(m);
            if pos.outcome().is_some() {
                break;
            }
            line.push(pos);
        }
        line
    }

    /// The sums kept in step are those computed from scratch, while stones come and go, some of them laid.
    #[test]
    fn sums_kept_in_step_are_those_worked_out_anew() {
        sums_are_kept(Rule::Freestyle);
        sums_are_kept(Rule::Renju);
    }

    fn sums_are_kept(rule: Rule) {
        let network = Network::of(rule, &random_weights(rule, 1)).expect("weights within bounds");
        let network: &'static Network = Box::leak(Box::new(network));
        let mut looked_at = 0;
        for seed in 0..30 {
            let (line, mut draw) = (game(rule, seed), Draw(seed));
            let mut shapes = Shapes::of(&line[0]);
            shapes.judge_by(Some(network));
            for (before, after) in line.iter().zip(&line[1..]) {
                let (side, empty) = (before.turn(), shapes.empty_cells().collect::<Vec<_>>());
                for _ in 0..3 {
                    shapes.lay(side, empty[draw.below(empty.len() as u64) as usize]);
                    shapes.take();
                    shapes.put(side.other(), empty[draw.below(empty.len() as u64) as usize]);
                    shapes.take();
                }
                let at = empty.iter().copied().find(|&at| after.stones(side).has(shapes.point(at)));
                shapes.put(side, at.expect("a stone was put"));
                // Not every position is asked for.
                if draw.below(3) == 0 {
                    continue;
                }
                let mut anew = Shapes::of(after);
                anew.judge_by(Some(network));
                for side in Side::BOTH {
                    assert_eq!(shapes.by_network(side), anew.by_network(side), "game {seed}");
                }
                looked_at += 1;
            }
        }
        assert!(looked_at > 500, "{looked_at}");
    }

    fn fractions(trained: &Terms, weights: &Weights, board: &[u8], turn: Side) -> f64 {
        let (steps, layout) = (&weights.steps, trained.layout());
        let mut inputs = [Vec::new(), Vec::new()];
        let looked = trained.features(board, turn, false, &mut inputs).expect("a whole board");
        let outputs = layout.inputs * HIDDEN + HIDDEN;
        let mut logit = f64::from(steps[outputs + ROWS * 2 * HIDDEN + looked.row]) / f64::from(ROW_STEPS);
        for (view, inputs) in inputs.iter().enumerate() {
            for i in 0..HIDDEN {
                let weight = |place: usize| f64::from(steps[place]) / f64::from(SUM_STEPS);
                let from_inputs: f64 = inputs.iter().map(|&at| weight(usize::from(at) * HIDDEN + i)).sum();
                let sum = (weight(layout.inputs * HIDDEN + i) + from_inputs).clamp(0.0, 1.0);
                let out =
                    f64::from(steps[outputs + (2 * looked.row + view) * HIDDEN + i]) / f64::from(OUT_STEPS);
                logit += sum * sum * out;
            }
        }
        f64::from(looked.base) + logit * weights.origin["scale"].parse::<f64>().expect("a number")
    }

    /// The integer network agrees with the trainer's floating-point one.
    #[test]
    fn integers_and_fractions_agree() {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            let trained = Terms::new(rule);
            let built_in =
                file(rule).map(|file| Weights::read(&trained.layout().shape, file).expect("a file"));
            let mut looked_at = 0;
            for weights in [random_weights(rule, 2)].into_iter().chain(built_in) {
                for pos in (0..30).flat_map(|seed| game(rule, seed)) {
                    let (turn, game) = (pos.turn(), Game::new(pos));
                    let mut board = vec![0; trained.board()];
                    if trained.pack(&game, "", &mut board).is_none() {
                        continue;
                    }
                    let said = trained.score(&weights, &game).expect("a game of this rule");
                    let exact = fractions(&trained, &weights, &board, turn);
                    assert!((f64::from(said) - exact).abs() < 2.0, "{said} is not {exact}");
                    looked_at += 1;
                }
            }
            assert!(looked_at > 150, "{looked_at}");
        }
    }

    #[test]
    fn a_damaged_board_is_refused() {
        let trained = Terms::new(Rule::Freestyle);
        let mut found = [Vec::new(), Vec::new()];
        let damaged = vec![243; trained.board()];
        assert_eq!(trained.features(&damaged, Side::First, false, &mut found), None);
    }

    /// The network is used on boards of the size it learned on, and larger boards have the tables alone.
    #[test]
    fn it_judges_where_it_learned() {
        assert!(built_in(Rule::Freestyle, 225).is_some());
        assert!(built_in(Rule::Freestyle, 400).is_none() && built_in(Rule::Caro, 225).is_none());
    }
}
