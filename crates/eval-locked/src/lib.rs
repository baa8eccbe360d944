//! Evaluation of locked chess: whole turns are searched, and the side that has more of them stands better.
//!
//! A turn is five steps, but two shifts along crossing axes are one shift aslant, whatever their order: at most 4 of
//! the army and then 4 of each stone. All of one sort are found at once, with sets of squares.

use engine_core::think::Brought;
use engine_core::{Chances, Family, Info, Ladder, Request};
use kernel::{AnyGame, Game, Outcome, Position, Side};
use locked::{Axis, Direction, Locked, Move, Square, Step, Stones};
use search::{Evaluator, Policy, QsearchKind, Score};

mod terms;

pub use terms::Terms;

/// The places of the levels on the scale of strengths.
pub const LADDER: Ladder = Ladder {
    places: [0.0, 1.9, 2.6, 3.6, 3.87, 4.3, 4.84, 5.53, 6.24],
    steps: [279, 133, 241, 260, 326, 161, 241, 159, 108],
};

/// The chances of winning for a score: docs/strength.md, "Chances".
pub const CHANCES: Chances = Chances { half: 50.0, scale: 153.0 };

/// The parts the engine needs to play and to learn these games.
pub const FAMILY: Family = Family {
    key: "locked",
    ladder: LADDER,
    chances: CHANCES,
    turn,
    prepare: |_, _| (),
    model: |key| (key == "locked").then(|| Box::new(Terms) as _),
    network: |_| None,
    files: || vec![terms::FILE],
    brought: Brought::NONE,
};

fn turn(game: &dyn AnyGame, request: &Request<'_>, report: &mut dyn FnMut(&Info)) -> Option<Vec<String>> {
    let game = whole(game.as_any().downcast_ref::<Game<Locked>>()?);
    let texts = |whole: &Whole, turns: &[Turn]| texts(whole, turns);
    Some(request.search(&game, &LockedEval::default(), &texts, &LADDER, report))
}

/// A position of locked chess whose moves are whole turns, or the rest of a turn.
#[derive(Clone, Copy, Debug)]
pub struct Whole(Locked);

/// A whole turn, or the rest of one, by the stones it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    own: Stones,
    /// The square where the single stone started, and the two slants; for tables of histories only.
    history_index: u16,
    /// The step that comes next: step 1 of the other side's, but where a game stands in the middle of a turn.
    step: Step,
    axis: Option<Axis>,
    chosen: Option<Square>,
}

/// The four ways aslant: up or down, then left or right.
const SLANTS: [[Direction; 2]; 4] = [
    [Direction::Up, Direction::Left],
    [Direction::Up, Direction::Right],
    [Direction::Down, Direction::Left],
    [Direction::Down, Direction::Right],
];

/// The number of history indices of turns: two slants and a square.
const HISTORY_SIZE: usize = 4 * 4 * 144;

/// The army shifted one square, when all of it can go there.
#[inline]
fn shifted(own: Stones, to: Direction, free: Stones) -> Option<Stones> {
    let next = own.shifted(to).and(free);
    (next.len() == own.len()).then_some(next)
}

/// The army shifted aslant, by either way round.
#[inline]
fn slanted(own: Stones, slant: [Direction; 2], free: Stones) -> Option<Stones> {
    let by = |one, two| shifted(own, one, free).and_then(|half| shifted(half, two, free));
    by(slant[0], slant[1]).or_else(|| by(slant[1], slant[0]))
}

/// Returns the end squares of single stones of the army that go aslant, by either way round.
#[inline]
fn landings(own: Stones, slant: [Direction; 2], free: Stones) -> Stones {
    let by = |one, two| own.shifted(one).and(free).shifted(two).and(free);
    by(slant[0], slant[1]).or(by(slant[1], slant[0]))
}

/// Squares of the board that are not in the set.
#[inline]
fn others(set: Stones) -> Stones {
    set.complement()
}

/// Returns the number of turns a side would have with the move, by the slant of the army; turns by different ways
/// count each.
#[inline]
fn turns(own: Stones, enemy: Stones) -> [u32; 4] {
    let open = others(enemy);
    SLANTS.map(|slant| {
        slanted(own, slant, open).map_or(0, |army| {
            let free = others(enemy.or(army));
            SLANTS.iter().map(|&single| landings(army, single, free).len()).sum()
        })
    })
}

impl Whole {
    fn stones(&self) -> [Stones; 2] {
        let side = self.0.turn();
        [self.0.stones(side), self.0.stones(side.other())]
    }

    fn is_stopped(&self) -> bool {
        matches!(self.0.outcome(), Some(Outcome::Draw(_)))
    }

    /// Appends the possible rests of a turn, played step by step.
    fn rest(&self, at: &Locked, out: &mut Vec<Turn>) {
        let mut steps = Vec::new();
        at.moves(&mut steps);
        for step in steps {
            let mut next = *at;
            next.play(step);
            if next.turn() == at.turn() {
                self.rest(&next, out);
            } else {
                let own = next.stones(at.turn());
                if out.iter().all(|known| known.own != own) {
                    out.push(Turn { own, history_index: 0, step: Step::ShiftAll, axis: None, chosen: None });
                }
            }
        }
    }
}

impl Position for Whole {
    type Move = Turn;

    #[inline]
    fn turn(&self) -> Side {
        self.0.turn()
    }

    fn moves(&self, out: &mut Vec<Turn>) {
        if self.0.step() != Step::ShiftAll {
            return self.rest(&self.0, out);
        }
        if self.is_stopped() {
            return;
        }
        let [own, enemy] = self.stones();
        let open = others(enemy);
        for (i, slant) in SLANTS.into_iter().enumerate() {
            let Some(army) = slanted(own, slant, open) else { continue };
            let free = others(enemy.or(army));
            for (j, single) in SLANTS.into_iter().enumerate() {
                for to in landings(army, single, free).by_row() {
                    let back =
                        |way: Direction| to.next(opposite(single[0])).and_then(|s| s.next(opposite(way)));
                    let from = back(single[1]).expect("a stone came from the board");
                    let history_index = (i * 4 + j) * 144 + usize::from(from.cell());
                    let own = army.without(from).with(to);
                    out.push(Turn {
                        own,
                        history_index: history_index as u16,
                        step: Step::ShiftAll,
                        axis: None,
                        chosen: None,
                    });
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Turn) {
        self.0 = self.0.further(m.own, m.step, m.axis, m.chosen);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0
            .outcome()
            .or_else(|| (self.count() == 0).then(|| Outcome::Win(self.turn().other(), "no-moves")))
    }

    fn count(&self) -> u64 {
        if self.0.step() == Step::ShiftAll && !self.is_stopped() {
            let [own, enemy] = self.stones();
            return turns(own, enemy).iter().sum::<u32>().into();
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// Returns no limit: stones never leave, so any position may come back.
    fn reversible(&self) -> usize {
        usize::MAX
    }
}

const fn opposite(way: Direction) -> Direction {
    match way {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// Returns the game in whole turns; if it stands in the middle of a turn, the steps already played are one move.
#[must_use]
pub fn whole(game: &Game<Locked>) -> Game<Whole> {
    let line = game.line();
    let mut whole = Game::new(Whole(line[0]));
    for (i, pos) in line.iter().enumerate().skip(1) {
        let is_last = i + 1 == line.len();
        if pos.step() == Step::ShiftAll || is_last {
            let own = pos.stones(whole.position().turn());
            whole.play(Turn {
                own,
                history_index: 0,
                step: pos.step(),
                axis: pos.axis(),
                chosen: pos.chosen(),
            });
        }
    }
    whole.play_past_draws(game.plays_past_draws());
    whole
}

/// The steps of turns played one after the other.
#[must_use]
pub fn texts(whole: &Whole, turns: &[Turn]) -> Vec<String> {
    let mut at = *whole;
    let mut texts = Vec::new();
    for &turn in turns {
        let mut steps = Vec::new();
        if !path(&at.0, turn.own, &mut steps) {
            break;
        }
        texts.extend(engine_core::think::texts(&at.0, &steps));
        at.play(turn);
    }
    texts
}

/// Finds the steps that end the turn with the stones on `own`.
fn path(at: &Locked, own: Stones, steps: &mut Vec<Move>) -> bool {
    let mut next_steps = Vec::new();
    at.moves(&mut next_steps);
    next_steps.into_iter().any(|step| {
        let mut next = *at;
        next.play(step);
        steps.push(step);
        let found =
            if next.turn() == at.turn() { path(&next, own, steps) } else { next.stones(at.turn()) == own };
        if !found {
            steps.pop();
        }
        found
    })
}

/// The evaluator of locked chess for the search.
#[derive(Clone, Debug)]
pub struct LockedEval {
    /// The turns counted last, and the stones they were counted for: the search asks first for their presence and
    /// soon for their number.
    counted: ([Stones; 2], [u32; 4]),
}

impl Default for LockedEval {
    fn default() -> Self {
        LockedEval { counted: ([Stones::NONE; 2], [0; 4]) }
    }
}

impl LockedEval {
    fn turns(&mut self, stones: [Stones; 2]) -> [u32; 4] {
        if self.counted.0 != stones {
            self.counted = (stones, turns(stones[0], stones[1]));
        }
        self.counted.1
    }
}

const POLICY: Policy = Policy {
    history_size: HISTORY_SIZE,
    lmr_first_move: Some(5),
    lmr_max: 3,
    iir: true,
    singular_extensions: false,
    repetition_contempt: 20,
    aspiration_window: 30,
    ..Policy::PLAIN
};

/// The number of turns to look back for a repetition.
const LOOK_BACK: usize = 64;

impl Evaluator<Whole> for LockedEval {
    const POLICY: Option<&'static Policy> = Some(&POLICY);

    fn score(&mut self, pos: &Whole) -> Score {
        let [own, enemy] = pos.stones();
        let score = terms::score(own, enemy, [self.turns([own, enemy]), turns(enemy, own)]);
        score.clamp(-search::score::MAX_EVAL, search::score::MAX_EVAL)
    }

    fn policy(&self) -> &Policy {
        &POLICY
    }

    /// Returns a draw by the rules of the match; a side without turns is noticed when no turn is listed.
    fn ended(&mut self, pos: &Whole) -> Option<Outcome> {
        pos.is_stopped().then(|| pos.0.outcome()).flatten()
    }

    /// Returns `Urgent` for a side without a turn, which has lost and is not judged by its evaluation.
    fn qsearch_kind(&mut self, pos: &Whole, _qs_ply: usize) -> QsearchKind {
        let stuck = self.turns(pos.stones()) == [0; 4];
        if stuck || pos.0.step() != Step::ShiftAll { QsearchKind::Urgent } else { QsearchKind::Quiet }
    }

    fn repetition_plies(&self, _pos: &Whole) -> usize {
        LOOK_BACK
    }

    fn history_index(&self, _pos: &Whole, m: Turn) -> usize {
        usize::from(m.history_index)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{AnyGame, any};

    use super::*;
    use engine_core::Limits;
    use search::TranspositionTable;

    /// A game goes on however often a position occurred, for the rules say nothing about it.
    #[test]
    fn a_game_goes_on_however_often_a_position_stood() {
        let mut game: Box<dyn AnyGame> = any(Locked::default());
        let mut stood = vec![Whole(Locked::default())];
        for turn in 0..24 {
            let now = stood[turn];
            let mut turns = Vec::new();
            now.moves(&mut turns);
            // Two turns there, two turns back.
            let back = turn.checked_sub(2).filter(|_| turn % 4 >= 2).map(|i| stood[i].0.stones(now.turn()));
            let wanted = |turn: &&Turn| back.is_none_or(|own| turn.own == own);
            let chosen = *turns.iter().find(wanted).expect("what was shifted is shifted back");
            for text in texts(&now, &[chosen]) {
                game.play(&text).unwrap();
            }
            let mut next = now;
            next.play(chosen);
            stood.push(next);
        }
        assert_eq!(stood[24].key(), stood[0].key());
        assert!(game.outcome().is_none());
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let memory = TranspositionTable::mebibytes(1);
        let request = Request { memory: &memory, limits: &limits };
        assert!(!(FAMILY.turn)(game.as_ref(), &request, &mut |_| {}).unwrap().is_empty());
    }
}
