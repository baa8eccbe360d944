//! The themes of puzzles: facts that the rules report while the line is played.

use gomoku::threats::{fours, open_threes};
use kernel::view::{Offered, View};
use kernel::{AnyGame, Outcome, Piece, PlayError, Problem, Side};

use crate::prove::stones;
use crate::puzzle::{Goal, Puzzle};

/// Every theme, in the order people see them.
pub const THEMES: [&str; 19] = [
    "win",
    "hold",
    "finish",
    "check",
    "capture",
    "multi-capture",
    "sacrifice",
    "fork",
    "quiet",
    "breakthrough",
    "double-four",
    "four-three",
    "four",
    "open-three",
    "locked-side",
    "one-turn",
    "two-turns",
    "long",
    "endgame",
];

/// The facts that follow from the line.
pub(crate) struct Facts {
    pub themes: Vec<String>,
    /// True if the solution is only the obvious recapture.
    pub obvious: bool,
    pub rating: u16,
}

/// A solver's turn: the pieces before and after it.
struct Step {
    before: View,
    after: View,
    forks: bool,
}

/// Plays the line from `here` and collects its facts. `begun` is the number of pieces at the start of the game.
pub(crate) fn facts(puzzle: &Puzzle, here: &dyn AnyGame, begun: usize) -> Result<Facts, Problem> {
    let mut game = here.boxed_clone();
    let solver = game.turn();
    let choices = here.moves().len();
    let mut steps = Vec::new();
    for (at, turn) in puzzle.line.iter().enumerate() {
        let before = game.view();
        turn.iter().try_for_each(|text| game.play(text)).map_err(PlayError::problem)?;
        if at % 2 == 0 {
            let forks = game.outcome().is_none() && forks(game.as_ref(), solver);
            steps.push(Step { before, after: game.view(), forks });
        }
    }
    let own = |view: &View| count(&view.pieces, solver);
    let other = |view: &View| count(&view.pieces, solver.other());
    let taken = |step: &Step| other(&step.before).saturating_sub(other(&step.after));
    let checks = |step: &Step| step.after.marks.iter().any(|mark| mark.kind == "check");
    let first = &steps[0];
    let mut themes = vec![puzzle.goal.key()];
    let mut tag = |is: bool, theme: &'static str| {
        if is {
            themes.push(theme);
        }
    };
    let won = game.outcome().and_then(Outcome::winner) == Some(solver);
    tag(won, "finish");
    tag(checks(first), "check");
    tag(taken(first) > 0, "capture");
    tag(steps.iter().any(|step| taken(step) > 2), "multi-capture");
    // A piece given up: the opponent's answer takes some, and the turn before had taken fewer.
    let sacrifice =
        steps.windows(2).any(|pair| own(&pair[1].before) + taken(&pair[0]) < own(&pair[0].before));
    tag(sacrifice, "sacrifice");
    tag(steps.iter().any(|step| step.forks), "fork");
    let stones = themes_of_stones(puzzle, here, solver)?;
    let quiet = taken(first) == 0 && !checks(first) && !stones.iter().any(|theme| theme.contains("four"));
    tag(quiet, "quiet");
    tag(steps.iter().any(|step| rises(step, solver)), "breakthrough");
    let locked = won && other(&steps[steps.len() - 1].after) > 0 && no_moves(game.outcome());
    tag(locked, "locked-side");
    let turns = puzzle.turns();
    tag(turns == 1, "one-turn");
    tag(turns == 2, "two-turns");
    tag(turns > 2, "long");
    tag(first.before.pieces.len() * 5 <= begun * 2, "endgame");
    let answered = first.before.last.iter().any(|cell| {
        let moved = first.after.last.contains(cell);
        moved && taken(first) > 0
    });
    let obvious = turns == 1 && (answered || puzzle.goal == Goal::Hold && taken(first) > 0);
    let many = (choices.max(2) as f64).log2() * 25.0;
    let hard = [(sacrifice, 150.0), (quiet, 200.0), (puzzle.goal == Goal::Hold, 100.0)];
    let hard: f64 = hard.iter().filter(|row| row.0).map(|row| row.1).sum();
    let depth = f64::from(u32::try_from(turns).unwrap_or(9)) * 150.0 + f64::from(puzzle.proved) * 20.0;
    let rating = (700.0 + many + depth + hard - f64::from(u8::from(answered)) * 150.0).clamp(600.0, 2600.0);
    let mut told: Vec<String> = themes.into_iter().map(str::to_owned).collect();
    told.extend(stones.into_iter().map(str::to_owned));
    told.sort_by_key(|theme| THEMES.iter().position(|known| known == theme));
    Ok(Facts { themes: told, obvious, rating: rating.round() as u16 })
}

fn count(pieces: &[Piece], side: Side) -> usize {
    pieces.iter().filter(|piece| piece.owner == Some(side)).count()
}

fn no_moves(end: Option<Outcome>) -> bool {
    end.is_some_and(|end| matches!(end.reason(), "no-moves" | "stuck" | "stalemate" | "blocked"))
}

/// Returns true if a piece became another one in the turn: a man that was crowned, a piece that was promoted.
fn rises(step: &Step, side: Side) -> bool {
    let faces = |view: &View| {
        let own = view.pieces.iter().filter(|piece| piece.owner == Some(side));
        let mut faces: Vec<String> = own.map(|piece| piece.face.to_string()).collect();
        faces.sort();
        faces
    };
    let (before, after) = (faces(&step.before), faces(&step.after));
    // With as many pieces, another set of faces: none can be won.
    before.len() == after.len() && before != after
}

/// Returns true if the piece that moved last attacks several pieces: if it could move again, it could take any of
/// them.
fn forks(game: &dyn AnyGame, side: Side) -> bool {
    let view = game.view();
    let &[at] = view.last.as_slice() else { return false };
    let mine = |cell| view.pieces.iter().any(|piece| piece.at == cell && piece.owner == Some(side));
    // Setting up is for people and fails where the opponent would be left in check; then it is no fork that counts.
    let Ok(again) = game.set_up(side, &view.pieces) else { return false };
    let Offered::Listed(moves) = again.view().moves else { return false };
    let theirs =
        |cell: &u16| view.pieces.iter().any(|piece| piece.at == *cell && piece.owner == Some(side.other()));
    let mut taken: Vec<u16> = moves
        .iter()
        .filter(|m| m.path.first() == Some(&at) && m.path.len() == 2)
        .filter_map(|m| m.path.last().copied().filter(|cell| theirs(cell)))
        .collect();
    taken.sort_unstable();
    taken.dedup();
    mine(at) && taken.len() >= 2
}

/// Returns the themes of the first stone: fours and open threes (docs/rules/gomoku.md §8).
fn themes_of_stones(puzzle: &Puzzle, here: &dyn AnyGame, solver: Side) -> Result<Vec<&'static str>, Problem> {
    let mut game = here.boxed_clone();
    puzzle.line[0].iter().try_for_each(|text| game.play(text)).map_err(PlayError::problem)?;
    let (Some(before), Some(after)) = (stones(here), stones(game.as_ref())) else { return Ok(Vec::new()) };
    let own =
        |all: Vec<gomoku::threats::Threat>| all.into_iter().filter(|threat| threat.side == solver).count();
    let new_fours = own(fours(&after)).saturating_sub(own(fours(&before)));
    let new_threes = own(open_threes(&after)).saturating_sub(own(open_threes(&before)));
    let mut themes = Vec::new();
    match (new_fours, new_threes) {
        (2.., _) => themes.extend(["double-four", "four"]),
        (1, 1..) => themes.extend(["four-three", "four"]),
        (1, _) => themes.push("four"),
        (_, 1..) => themes.push("open-three"),
        _ => {}
    }
    Ok(themes)
}
