//! Any game of the catalogue for two people, line by line: the board as text, a question, a move.

use std::io::{BufRead, Write};

use catalog::Entry;
use kernel::{AnyGame, Button, Outcome, Problem};
use texts::{Language, problem, say};

use crate::drawn::by_lot;
use crate::input;
use crate::picture::{self, Letters};

/// Plays until the user quits or the input ends; a finished game can still be viewed and taken back.
///
/// # Errors
/// Fails when input or output break.
pub fn play(
    entry: &Entry,
    game: &dyn AnyGame,
    language: Language,
    mut input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    let game = game.boxed_clone();
    let mut table = Table { entry, start: game.boxed_clone(), game, language, letters: None, warned: None };
    writeln!(output, "{}", texts::game(language, entry.key))?;
    writeln!(output, "{}\n", table.say("line-help", &[]))?;
    write!(output, "{}", table.shown())?;
    loop {
        write!(output, "{} ", table.question())?;
        output.flush()?;
        let Some(line) = input::line(&mut input)? else { return writeln!(output) };
        match table.answer(line.trim()) {
            Some(answer) => write!(output, "{answer}")?,
            None => return Ok(()),
        }
    }
}

/// A game, and the language and letters of its display.
struct Table<'a> {
    entry: &'a Entry,
    game: Box<dyn AnyGame>,
    /// The game at its start.
    start: Box<dyn AnyGame>,
    language: Language,
    letters: Option<Letters>,
    warned: Option<String>, // the move that was asked about, since it loses at once
}

impl Table<'_> {
    /// Returns the output for a typed line; `None`: the user quits.
    fn answer(&mut self, line: &str) -> Option<String> {
        let warned = self.warned.take();
        Some(match line {
            "" => String::new(),
            "quit" | "exit" | "退出" => return None,
            "help" | "?" | "帮助" => self.say("line-help", &[]) + "\n",
            "fen" | "局面" => self.game.fen() + "\n",
            "moves" | "着法" => self.moves(),
            "new" | "新局" => {
                self.game = self.start.boxed_clone();
                self.shown()
            }
            "undo" | "悔棋" if self.game.undo() => self.shown(),
            "undo" | "悔棋" => self.say("line-nothing-to-undo", &[]) + "\n",
            text => match self.play(text, warned.as_deref()) {
                Ok(said) => said,
                Err(why) => problem(self.language, &why) + "\n",
            },
        })
    }

    fn play(&mut self, text: &str, warned: Option<&str>) -> Result<String, Problem> {
        let text = match self.game.read_choice(text) {
            Ok(text) => text,
            Err(refused) => self.begun_by(text).ok_or_else(|| refused.problem())?,
        };
        if warned != Some(text.as_str())
            && let Some(reason) = self.loses(&text)
        {
            self.warned = Some(text.clone());
            return Ok(self.say("line-warned", &[("move", &text), ("reason", &reason)]) + "\n");
        }
        let text = by_lot(&*self.game, &text);
        self.game.play(&text).map_err(kernel::PlayError::problem)?;
        Ok(self.shown())
    }

    /// Returns the machine text of a move of the second side, and lets that side begin, if the rules leave open who
    /// begins.
    fn begun_by(&mut self, text: &str) -> Option<String> {
        if !self.entry.either_begins || self.game.plies() > 0 {
            return None;
        }
        let begun = self.game.set_up(self.game.turn().other(), &self.game.view().pieces).ok()?;
        let machine = begun.read(text).ok()?;
        self.game = begun;
        Some(machine)
    }

    /// Returns the reason why a move loses at once, in words; `None` for other moves.
    fn loses(&self, text: &str) -> Option<String> {
        let mover = self.game.turn();
        let mut after = self.game.boxed_clone();
        after.play(text).ok()?;
        let outcome = after.outcome().filter(|outcome| outcome.winner() == Some(mover.other()))?;
        Some(self.say(&format!("reason-{}", outcome.reason()), &[]))
    }

    /// Returns the board, the legend of its letters, and the result of a finished game.
    fn shown(&mut self) -> String {
        let pieces = self.game.view().pieces;
        let letters = match self.letters.take() {
            Some(letters) => letters,
            None => Letters::of(&*self.game),
        };
        let letters = self.letters.insert(letters);
        letters.learn(&pieces);
        let mut out = picture::board(&*self.game, letters);
        let legend: Vec<(String, char)> =
            letters.legend().into_iter().map(|(face, letter)| (face.to_owned(), letter)).collect();
        let legend: Vec<String> =
            legend.into_iter().map(|(face, letter)| format!("{letter} {}", self.piece(&face))).collect();
        if !legend.is_empty() {
            out.push_str(&format!("    {}\n", legend.join("  ")));
        }
        if let Some(outcome) = self.game.outcome() {
            out.push_str(&self.end(outcome));
            out.push('\n');
        }
        out + "\n"
    }

    fn end(&self, outcome: Outcome) -> String {
        let reason = self.say(&format!("reason-{}", outcome.reason()), &[]);
        match (outcome, outcome.winner()) {
            (_, Some(side)) => {
                self.say("line-won", &[("side", &self.side(side.index())), ("reason", &reason)])
            }
            (Outcome::Void(_), None) => self.say("line-void", &[("reason", &reason)]),
            (_, None) => self.say("line-drawn", &[("reason", &reason)]),
        }
    }

    /// Returns the question for the side to move.
    fn question(&self) -> String {
        if self.game.outcome().is_some() {
            return self.say("line-over", &[]);
        }
        let view = self.game.view();
        let side = self.side(self.game.turn().index());
        match view.prompt {
            Some(prompt) => {
                let asked = self.say(&format!("prompt-{}", prompt.key), &[]);
                self.say("line-asked", &[("side", &side), ("prompt", &asked)])
            }
            None => self.say("line-to-move", &[("side", &side)]),
        }
    }

    /// Returns the legal moves; those of buttons with the names of the buttons.
    fn moves(&self) -> String {
        let buttons: Vec<Button> = self.game.view().buttons;
        let named = |text: String| match buttons.iter().find(|button| button.text == text) {
            Some(button) => format!("{text} ({})", self.say(&format!("button-{}", button.name), &[])),
            None => text,
        };
        let moves: Vec<String> = self.game.moves().into_iter().map(named).collect();
        moves.join(" ") + "\n"
    }

    /// Returns the name of a kind of piece; a kind named by its players keeps that name.
    fn piece(&self, face: &str) -> String {
        let key = format!("piece-{face}");
        let said = self.say(&key, &[]);
        if said == key { face.to_owned() } else { said }
    }

    fn side(&self, index: usize) -> String {
        self.say(&format!("side-{}", self.entry.sides[index]), &[])
    }

    fn say(&self, key: &str, args: &[(&str, &str)]) -> String {
        say(self.language, key, args)
    }
}
