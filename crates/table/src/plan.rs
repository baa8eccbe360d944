//! Conditional moves: moves that are played for a player when the opponent's moves fit.
//!
//! A plan consists of lines from the position in which it was made. The part that still fits follows from the record
//! alone, so nothing has to be stored as the game goes on, and a hall that was stopped finds the moves that it had
//! left unplayed.

use std::collections::HashMap;

use kernel::{AnyGame, Problem, Side};
use wire::PlyInfo;

use crate::state::Offered;

/// The most lines of a plan.
pub const MOST_LINES: usize = 20;
/// The most plies of a line.
pub const MOST_PLIES: usize = 40;

/// Returns the part of each line that is still to come, after the plies of `record`; lines that the game has left, or
/// played to their end, are left out.
pub fn rest<'a>(
    from_ply: usize,
    lines: &'a [Vec<String>],
    record: &'a [PlyInfo],
) -> impl Iterator<Item = &'a [String]> {
    let played = record.get(from_ply..);
    lines.iter().filter_map(move |line| {
        let played = played?;
        let fits =
            played.len() < line.len() && played.iter().zip(line).all(|(ply, text)| ply.0 == text.as_str());
        fits.then(|| &line[played.len()..])
    })
}

/// Returns true while plans of `side` wait, because a move would decline an offer of the other side that is still
/// unanswered.
#[must_use]
pub fn waits(offers: &[Offered], side: Side) -> bool {
    offers.iter().any(|offered| offered.by != side)
}

/// Checks the lines of a plan of `side`, which waits for the other side's move in `game`, and returns them, each with
/// the machine texts of its moves and ending with a move of `side`.
///
/// # Errors
/// The fault in the lines: `plan-on-your-turn`, `plan-too-long`, `plan-after-end`, `plan-two-answers` with the
/// opponent's move, or the reason why a move is not legal, with the line and the ply where it stands.
pub fn check(game: &dyn AnyGame, side: Side, lines: &[Vec<String>]) -> Result<Vec<Vec<PlyInfo>>, Problem> {
    if game.turn() == side {
        return Err(Problem::new("plan-on-your-turn"));
    }
    if lines.len() > MOST_LINES || lines.iter().any(|line| line.len() > MOST_PLIES) {
        return Err(Problem::new("plan-too-long").with("lines", MOST_LINES).with("plies", MOST_PLIES));
    }
    let mut answers: HashMap<Vec<String>, String> = HashMap::new();
    let mut checked: Vec<Vec<PlyInfo>> = Vec::new();
    for (number, line) in (1..).zip(lines) {
        let mut plies = walk(game, line).map_err(|why| why.with("line", number))?;
        while plies.last().is_some_and(|ply| ply.1 != side) {
            plies.pop();
        }
        for (i, ply) in plies.iter().enumerate().filter(|(_, ply)| ply.1 == side) {
            let before = plies[..i].iter().map(|ply| ply.0.to_string()).collect();
            let answer = answers.entry(before).or_insert_with(|| ply.0.to_string());
            if *answer != ply.0.as_str() {
                return Err(Problem::new("plan-two-answers")
                    .with("line", number)
                    .with("move", &plies[i - 1].0));
            }
        }
        let is_new = !checked.iter().any(|other| other.starts_with(&plies));
        if is_new && !plies.is_empty() {
            checked.retain(|other| !plies.starts_with(other));
            checked.push(plies);
        }
    }
    Ok(checked)
}

/// Returns the plies of a line that begins at the position of `game`.
///
/// # Errors
/// Returns the reason why a move is not legal, with its `ply` in the line; `plan-chance` in games with chance, whose
/// results cannot be known beforehand.
pub fn walk(game: &dyn AnyGame, line: &[String]) -> Result<Vec<PlyInfo>, Problem> {
    if game.has_chance() && !line.is_empty() {
        return Err(Problem::new("plan-chance"));
    }
    let mut game = game.boxed_clone();
    let mut plies = Vec::with_capacity(line.len());
    for (number, text) in (1..).zip(line) {
        if game.outcome().is_some() {
            return Err(Problem::new("plan-after-end").with("ply", number));
        }
        let by = game.turn();
        game.play(text).map_err(|why| why.problem().with("ply", number))?;
        let exact = game.last_move().unwrap_or_else(|| text.clone());
        let names = game.last_names().into_iter().map(Into::into).collect();
        plies.push(PlyInfo(exact.as_str().into(), by, None, names));
    }
    Ok(plies)
}
