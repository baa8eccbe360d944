//! Puzzles line by line: the board as text, a question, a move; our engine refutes a wrong turn.

use std::io::{BufRead, Write};

use engine::{Limits, TranspositionTable, native};
use kernel::{AnyGame, PlayError, Problem};
use puzzles::{Answer, Goal, Opener, Puzzle, judge, set};
use texts::{Language, problem, say};

use crate::input;
use crate::picture::{self, Letters};

/// The positions searched for each turn of a refutation, and the number of its turns.
const REFUTE: (u64, usize) = (20_000, 3);

/// The outcomes of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// The whole line was found at the first attempt.
    Solved,
    /// The line was not found at the first attempt.
    Missed,
    /// The user quit the puzzle.
    Quit,
}

/// Asks one puzzle of a game that `open` opens.
///
/// # Errors
/// Fails when input or output break.
pub fn ask(
    puzzle: &Puzzle,
    open: &Opener,
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> std::io::Result<Done> {
    let mut game = match open(puzzle, Some(&puzzle.fen)) {
        Ok(game) => game,
        Err(why) => {
            writeln!(output, "{}", problem(language, &why))?;
            return Ok(Done::Missed);
        }
    };
    let letters = Letters::of(game.as_ref());
    let entry = catalog::find(&puzzle.game).ok();
    let side = entry.map_or("", |entry| entry.sides[game.turn().index()]);
    let side = say(language, &format!("side-{side}"), &[]);
    let goal = goal(puzzle, game.as_ref(), &side, language);
    let rating = if puzzle.set.is_some() { String::new() } else { format!(" · {}", puzzle.rating) };
    writeln!(output, "{}{rating}", texts::game(language, &puzzle.game))?;
    write!(output, "{}", picture::board(game.as_ref(), &letters))?;
    writeln!(output, "{goal}\n{}", say(language, "puzzle-line-help", &[]))?;
    let (mut moves, mut done) = (Vec::new(), Done::Solved);
    loop {
        write!(output, "{} ", say(language, "puzzle-line-question", &[("side", &side)]))?;
        output.flush()?;
        let Some(line) = input::line(input)? else { return Ok(Done::Quit) };
        match line.trim() {
            "" => continue,
            "quit" | "exit" | "退出" => return Ok(Done::Quit),
            "show" | "答案" => {
                let line: Vec<String> = puzzle.line.iter().map(|turn| turn.join(" ")).collect();
                writeln!(output, "{}", line.join(", "))?;
                return Ok(Done::Missed);
            }
            text => match game.read(text).map_err(PlayError::problem) {
                Ok(text) => moves.push(text),
                Err(why) => {
                    writeln!(output, "{}", problem(language, &why))?;
                    continue;
                }
            },
        }
        match judge(puzzle, &moves, open) {
            Ok(Answer::On(next)) => {
                game = next;
                write!(output, "{}", picture::board(game.as_ref(), &letters))?;
            }
            Ok(Answer::Solved(end)) => {
                write!(output, "{}", picture::board(end.as_ref(), &letters))?;
                writeln!(output, "{}", say(language, "puzzle-solved", &[]))?;
                return Ok(done);
            }
            Ok(Answer::Wrong(mut wrong, _)) => {
                done = Done::Missed;
                let played = wrong.plies();
                if let Err(why) = refute(puzzle, wrong.as_mut(), open) {
                    writeln!(output, "{}", problem(language, &why))?;
                }
                let line = wrong.record().split_off(played).join(" ");
                write!(output, "{}", picture::board(wrong.as_ref(), &letters))?;
                writeln!(output, "{}", say(language, "puzzle-line-wrong", &[("line", &line)]))?;
                moves.clear();
                if let Ok(again) = open(puzzle, Some(&puzzle.fen)) {
                    game = again;
                    write!(output, "{}", picture::board(game.as_ref(), &letters))?;
                }
            }
            Err(why) => writeln!(output, "{}", problem(language, &why))?,
        }
    }
}

/// Returns the question of a puzzle in words.
fn goal(puzzle: &Puzzle, game: &dyn AnyGame, side: &str, language: Language) -> String {
    let Some(aim) = puzzle.set else {
        let key = if puzzle.goal == Goal::Hold { "puzzle-goal-hold" } else { "puzzle-goal-win" };
        return say(language, key, &[("side", side)]);
    };
    let within = aim.within.to_string();
    let Some(at) = aim.takes else {
        return say(language, "puzzle-goal-set-win", &[("side", side), ("within", &within)]);
    };
    let there = game.all_pieces().into_iter().find(|piece| piece.at == at);
    let piece = there.map(|piece| piece.face.into_owned()).unwrap_or_default();
    let cell = game.board().name(at);
    let args = [("side", side), ("within", &within), ("piece", &piece), ("cell", &cell)];
    say(language, "puzzle-goal-set-take", &args)
}

/// Plays the move that prevents the goal, or a few turns of the best play, which shows the mistake.
fn refute(puzzle: &Puzzle, game: &mut dyn AnyGame, open: &Opener) -> Result<(), Problem> {
    if let Some(aim) = puzzle.set {
        return match set::refutation(puzzle, aim, game, open)? {
            Some(text) => game.play(&text).map_err(PlayError::problem),
            None => Ok(()),
        };
    }
    let memory = TranspositionTable::mebibytes(4);
    let (nodes, turns) = REFUTE;
    for _ in 0..turns {
        if game.outcome().is_some() {
            break;
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        for text in native::turn(game, &memory, &limits, &mut |_| {})? {
            game.play(&text).map_err(PlayError::problem)?;
        }
    }
    Ok(())
}
