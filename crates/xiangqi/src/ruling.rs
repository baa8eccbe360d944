//! The explanation of a judged cycle: the moves of each side, and why each was or was not an offence.
//!
//! The verdict is [`cycle::judge`]'s and the reasons are [`cycle::chase`]'s: the explanation looks at the same
//! captures that the judge looked at, so it cannot say anything else.

use std::ops::Range;

use kernel::{Cell, Mark, Position, Problem, Ruling, Side, view};

use crate::cycle::{self, Act, Offence, Verdict, Why};
use crate::notation::cell;
use crate::position::paint;
use crate::text::{self, Script, Width};
use crate::{Move, Square, Xiangqi};

/// The most moves of a round that get a sentence each; more are shown by their marks alone.
const MOST_NOTES: usize = 12;

/// Explains the verdict on a line; `line` and `moves` as [`cycle::judge`] takes them.
pub(crate) fn explain(line: &[Xiangqi], moves: &[Move]) -> Ruling {
    let verdict = cycle::judge(line, moves);
    let mut ruling = Ruling::default();
    ruling.notes.push(summary(&verdict, line).into());
    let accused: Vec<Side> = match verdict.loser {
        Some(side) => vec![side],
        None => Side::BOTH.into_iter().filter(|&s| is_guilty(&verdict, s)).collect(),
    };
    let round = last_round(line);
    for &side in &accused {
        let prey = named_prey(&verdict, side, line, moves, &round);
        let deeds = deeds(&verdict, side, prey, line, moves);
        let told: Vec<&Deed> = deeds.iter().filter(|deed| round.contains(&deed.ply)).collect();
        ruling.notes.extend(told.iter().take(MOST_NOTES).map(|deed| deed.note(line, moves).into()));
        ruling.plies.extend(deeds.iter().map(|deed| (deed.ply as u32, deed.kind().into())));
        ruling.marks.extend(told.last().map_or_else(Vec::new, |deed| deed.marks(line, moves)));
    }
    ruling.notes.extend(Side::BOTH.into_iter().filter(|s| !accused.contains(s)).filter_map(|side| {
        if is_guilty(&verdict, side) { Some(lesser(&verdict, side)) } else { free(side, line, moves, &round) }
            .map(view::Problem::from)
    }));
    ruling.plies.sort_unstable();
    ruling
}

fn is_guilty(verdict: &Verdict, side: Side) -> bool {
    verdict.offences[side.index()] > Offence::Nothing
}

/// Returns the first sentence: the outcome and its reason.
fn summary(verdict: &Verdict, line: &[Xiangqi]) -> Problem {
    let reason = verdict.outcome().reason();
    let problem = Problem::new(reason);
    let now = &line[line.len() - 1];
    let Some(side) = verdict.loser else { return problem };
    let problem = problem.with("side", paint(side));
    match verdict.prey[side.index()].iter().next().filter(|_| reason == "perpetual-chase") {
        Some(at) => problem.with("prey", face(now, at)).with("on", at),
        None => problem,
    }
}

/// Returns the moves since the previous occurrence of the last position, as a range of indices.
fn last_round(line: &[Xiangqi]) -> Range<usize> {
    let end = line.len() - 1;
    let start = (0..end).rev().find(|&i| line[i].key() == line[end].key()).unwrap_or(0);
    start..end
}

/// Returns the square of the piece to name, at the end of the line: chased all the time, or at least in the last
/// round.
fn named_prey(
    verdict: &Verdict,
    side: Side,
    line: &[Xiangqi],
    moves: &[Move],
    round: &Range<usize>,
) -> Option<Square> {
    let last = || cycle::judge(&line[round.start..], &moves[round.clone()]).prey[side.index()];
    verdict.prey[side.index()].iter().next().or_else(|| last().iter().next())
}

/// One move of an accused side, and what it did.
struct Deed {
    ply: usize,
    act: Option<(Act, Square)>, // the chase and where its prey stood; `None`: it gave check
}

/// Returns the moves for which the side is accused, in order.
fn deeds(verdict: &Verdict, side: Side, prey: Option<Square>, line: &[Xiangqi], moves: &[Move]) -> Vec<Deed> {
    let checks = verdict.offences[side.index()] == Offence::Check;
    let Some(mut at) = prey.filter(|_| !checks) else {
        let all = if checks { 0..moves.len() } else { 0..0 };
        let own = all.filter(|&i| line[i].turn() == side);
        return own.map(|ply| Deed { ply, act: None }).collect();
    };
    let mut deeds = Vec::new();
    for (ply, &m) in moves.iter().enumerate().rev() {
        if line[ply].turn() == side {
            let act = cycle::chase(&line[ply], &line[ply + 1], at);
            deeds.extend(act.map(|act| Deed { ply, act: Some((act, at)) }));
        } else if m.to == at {
            at = m.from;
        }
    }
    deeds.reverse();
    deeds
}

impl Deed {
    fn kind(&self) -> &'static str {
        if self.act.is_some() { "chase" } else { "check" }
    }

    fn note(&self, line: &[Xiangqi], moves: &[Move]) -> Problem {
        let (before, after, m) = (&line[self.ply], &line[self.ply + 1], moves[self.ply]);
        let side = before.turn();
        let Some((act, at)) = self.act else { return said("gives-check", before, m) };
        let undermines = act.force == cycle::Force::Undermining;
        let problem = match act.why {
            Why::Unprotected if undermines => said("takes-protection", before, m),
            Why::FalseRoot(_) if undermines => said("pins-protector", before, m),
            Why::Unprotected => said("chases-unprotected", before, m),
            Why::FalseRoot(root) if after.general(side.other()) == Some(root) => {
                said("chases-beside", before, m)
            }
            Why::FalseRoot(_) => said("chases-false-root", before, m),
            Why::Outranked => said("chases-outranked", before, m),
        };
        let problem = problem
            .with("chaser", face(after, act.from))
            .with("at", act.from)
            .with("prey", face(after, at))
            .with("on", at);
        match act.why {
            Why::FalseRoot(root) if undermines || after.general(side.other()) != Some(root) => {
                problem.with("root", face(after, root)).with("rooted", root)
            }
            _ => problem,
        }
    }

    /// The pieces it is about, where they stand now.
    fn marks(&self, line: &[Xiangqi], moves: &[Move]) -> Vec<Mark> {
        let now = |at: Square| {
            let later = &moves[self.ply + 1..];
            later.iter().fold(at, |at, m| if m.from == at { m.to } else { at })
        };
        let after = &line[self.ply + 1];
        match self.act {
            Some((act, at)) => vec![mark("chaser", &[now(act.from)]), mark("chased", &[now(at)])],
            None => {
                let checkers: Vec<Square> = after.checkers(after.turn()).iter().map(now).collect();
                let general = after.general(after.turn()).map(now);
                vec![mark("chaser", &checkers), mark("check", &Vec::from_iter(general))]
            }
        }
    }
}

fn mark(kind: &'static str, squares: &[Square]) -> Mark {
    let cells: Vec<Cell> = squares.iter().map(|&square| cell(square)).collect();
    Mark { kind: kind.into(), cells }
}

/// Returns the note on a side that offended, too, but less gravely than the other.
fn lesser(verdict: &Verdict, side: Side) -> Problem {
    let key = match (verdict.offences[side.index()], verdict.offences[side.other().index()]) {
        (_, Offence::Check) => "lesser-than-check",
        (Offence::Undermining, _) => "lesser-undermining",
        _ => "lesser-other",
    };
    Problem::new(key).with("side", paint(side))
}

/// A move of the last round that clears the side: no check, and nothing that was chased all along.
fn free(side: Side, line: &[Xiangqi], moves: &[Move], round: &Range<usize>) -> Option<Problem> {
    let own = || round.clone().filter(|&i| line[i].turn() == side);
    let quiet = own().find(|&i| {
        let after = &line[i + 1];
        let chases = |at| cycle::chase(&line[i], after, at).is_some();
        !after.in_check(after.turn()) && !after.army(after.turn()).iter().any(chases)
    });
    let key = if quiet.is_some() { "free-move" } else { "free-change" };
    let ply = quiet.or_else(|| own().next())?;
    Some(said(key, &line[ply], moves[ply]))
}

/// A note about a move: who made it, and its texts.
fn said(key: &'static str, before: &Xiangqi, m: Move) -> Problem {
    Problem::new(key)
        .with("side", paint(before.turn()))
        .with("chinese", text::chinese(before, m, Script::default(), Width::default()))
        .with("wxf", text::wxf(before, m))
}

fn face(pos: &Xiangqi, at: Square) -> &'static str {
    pos.piece_at(at).map_or("", |piece| piece.kind.face())
}
