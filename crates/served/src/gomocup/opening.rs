//! The openings of Yixin-Board, step by step: swap2 and Soosõrv-8.
//!
//! Its commands: `yxswap2step1` to `3`, the stones sent before by `yxboard`; `yxsoosorvstep1` to `6`, the stones
//! listed behind it. Answers are messages whose points have a blank between their numbers: `MESSAGE SWAP2 MOVE1 7 7`,
//! `MESSAGE SWAP2 SWAP1 YES`, `MESSAGE SOOSORV SWAP1 N`, `MESSAGE SOOSORV MOVE4 6 8 3`,
//! `MESSAGE SOOSORV MOVE5 REFRESH`.

use std::collections::HashSet;

use kernel::{Board, Problem};
use protocol::gomocup::{FromBrain, Point};

use super::{Desk, Question, Voice, Way, dialect};

/// The questions of the steps of an opening, answered after a search.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum OpeningQuestion {
    /// An exchange of colours or none: the text before the answer, and the two words for it.
    Swap { before: &'static str, words: [&'static str; 2] },
    /// White's fourth stone, and the number of fifth stones to offer.
    Fourth,
    /// Black's fifth stones: their number, no two of them equal on a turned or mirrored board, and the stones so far.
    Fifths(u8, Vec<Point>),
    /// The fifth stone, among these, that White accepts.
    Choice(Vec<Point>),
}

/// The maximal number of fifth stones that Black can offer.
const MOST_FIFTHS: i32 = 8;
/// The number of lines to search for a choice.
const LINES: usize = 64;

impl OpeningQuestion {
    /// Returns the number of lines to search.
    fn lines(&self) -> usize {
        match self {
            OpeningQuestion::Swap { .. } | OpeningQuestion::Fourth => 1,
            OpeningQuestion::Fifths(..) | OpeningQuestion::Choice(_) => LINES,
        }
    }

    /// Returns the messages of the answer, without their first word. `best` is the engine's move.
    pub(super) fn answer(&self, board: &Board, best: Point, question: &Question) -> Vec<String> {
        let told = |at: Point| format!("{} {}", at.x, at.y);
        let ranked = || {
            let others = question.lines.iter().filter_map(|name| dialect::point(board, name));
            std::iter::once(best).chain(others.filter(move |at| *at != best))
        };
        match self {
            OpeningQuestion::Swap { before, words: [yes, no] } => {
                vec![format!("{before} {}", if question.is_worse() { yes } else { no })]
            }
            OpeningQuestion::Fourth => {
                // The worse White stands, the more choice it wants.
                let worse = match question.worth {
                    Some(engine_core::Worth::Hundredths(n)) => (-n).max(0) / 100,
                    Some(engine_core::Worth::Wins(n)) if n < 0 => MOST_FIFTHS,
                    _ => 0,
                };
                vec![format!("SOOSORV MOVE4 {} {}", told(best), (1 + worse).min(MOST_FIFTHS))]
            }
            OpeningQuestion::Fifths(count, stones) => {
                let everywhere = (0..board.ranks).flat_map(|y| (0..board.files).map(move |x| Point { x, y }));
                let mut seen = HashSet::new();
                let unlike = |at: &Point| !stones.contains(at) && seen.insert(turned(board, stones, *at));
                let offered = ranked().chain(everywhere).filter(unlike).take((*count).into());
                let offered: Vec<String> = offered.map(|at| format!("SOOSORV MOVE5 {}", told(at))).collect();
                let first = std::iter::once("SOOSORV MOVE5 REFRESH".to_owned());
                first.chain(offered).chain(["SOOSORV MOVE5 DONE".to_owned()]).collect()
            }
            OpeningQuestion::Choice(offered) => {
                let ranked: Vec<Point> = ranked().collect();
                // Black's best move is the worst for White; one that is on no line is worse for Black than all that are.
                let rank = |at: &&Point| ranked.iter().position(|known| known == *at).unwrap_or(usize::MAX);
                let chosen = offered.iter().max_by_key(rank).copied().unwrap_or(best);
                vec![format!("SOOSORV MOVE5 C {}", told(chosen))]
            }
        }
    }
}

/// Returns the stones and another one in the first of the eight orientations of the board; equal for symmetric
/// positions. Boards that are not square have one orientation.
fn turned(board: &Board, stones: &[Point], last: Point) -> Vec<(u8, u8, u8)> {
    let most = board.files.saturating_sub(1);
    let ways: u8 = if board.files == board.ranks { 8 } else { 1 };
    let turn = |at: Point, way: u8| {
        let (mut x, mut y) = (at.x, at.y);
        if way & 1 != 0 {
            x = most - x;
        }
        if way & 2 != 0 {
            y = most - y;
        }
        if way & 4 != 0 { (y, x) } else { (x, y) }
    };
    let all = |way: u8| {
        let placed = stones.iter().chain([&last]).enumerate();
        let mut lying: Vec<(u8, u8, u8)> = placed
            .map(|(ply, at)| {
                let (x, y) = turn(*at, way);
                (x, y, (ply % 2) as u8)
            })
            .collect();
        lying.sort_unstable();
        lying
    };
    (0..ways).map(all).min().unwrap_or_default()
}

impl Voice {
    fn ask(&mut self, asked: OpeningQuestion, desk: &mut Desk) {
        let lines = asked.lines();
        self.think(Way::Opening(asked), lines, desk);
    }

    /// Sends the first stones of an opening, a message each.
    fn tell_stones(&mut self, opening: &str, stones: &[Point], desk: &mut Desk) {
        for (number, at) in (1..).zip(stones) {
            let told = format!("{opening} MOVE{number} {} {}", at.x, at.y);
            desk.say(FromBrain::Message(told).line());
        }
    }

    pub(super) fn swap2_step(&mut self, step: u8, desk: &mut Desk) -> Result<(), Problem> {
        let stones = self.game.plies();
        let wanted = match step {
            1 => 0,
            2 => 3,
            _ => 5,
        };
        if step == 1 {
            self.restart(desk)?;
            let stones = self.opening();
            self.tell_stones("SWAP2", &stones, desk);
            return Ok(());
        }
        if stones != wanted {
            return Err(Problem::new("opening-stones").with("wanted", wanted).with("count", stones));
        }
        let before = if step == 2 { "SWAP2 SWAP1" } else { "SWAP2 SWAP2" };
        self.ask(OpeningQuestion::Swap { before, words: ["YES", "NO"] }, desk);
        Ok(())
    }

    pub(super) fn soosorv_step(
        &mut self,
        step: u8,
        count: u8,
        points: &[Point],
        desk: &mut Desk,
    ) -> Result<(), Problem> {
        let (fewest, most) = match step {
            1 => (0, 0),
            2 | 3 => (3, 3),
            4 | 5 => (4, 4),
            _ => (5, 4 + MOST_FIFTHS as usize),
        };
        if !(fewest..=most).contains(&points.len()) {
            return Err(Problem::new("opening-stones").with("wanted", fewest).with("count", points.len()));
        }
        if matches!(step, 4 | 5) && count == 0 {
            return Err(crate::faults::misread(&protocol::Fault {
                key: "argument-missing",
                found: "count".to_owned(),
            }));
        }
        self.restart(desk)?;
        if step == 1 {
            let board = self.game.board();
            let (x, y) = (board.files / 2, board.ranks / 2);
            let near = |by: u8| Point { x, y: y.saturating_sub(by) };
            let stones = [near(0), near(1), Point { x: (x + 1).min(board.files - 1), y }];
            self.tell_stones("SOOSORV", &stones, desk);
            return Ok(());
        }
        let line = &points[..points.len().min(4)];
        line.iter().try_for_each(|&at| self.play(at))?;
        let swap = |before| OpeningQuestion::Swap { before, words: ["Y", "N"] };
        self.ask(
            match step {
                2 => swap("SOOSORV SWAP1"),
                3 => OpeningQuestion::Fourth,
                4 => swap("SOOSORV SWAP2"),
                5 => OpeningQuestion::Fifths(count, points.to_vec()),
                _ => OpeningQuestion::Choice(points[4..].to_vec()),
            },
            desk,
        );
        Ok(())
    }
}
