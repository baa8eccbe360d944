//! FEN, move text, picture of a game with an opening.
//!
//! Once the opening is over, a FEN is that of the plain game, and `swapped` behind it when the first player plays
//! White. Before that it has six fields:
//!
//! ```text
//! 15/15/15/15/15/15/7w7/7b7/8b6/15/15/15/15/15/15 w kept 4 2 -
//! rows                                            │ │    │ │ └ offered fifth moves, such as g8,h10; `-`: none
//!                                                 │ │    │ └── how many are to be offered; `-`: nobody has said
//!                                                 │ │    └──── the step, from 1 (docs/rules/gomoku.md §9)
//!                                                 │ └───────── `swapped` when the first player plays White
//!                                                 └─────────── the colour of the next stone
//! ```

use std::borrow::Cow;

use kernel::{
    Board, Button, Cell, Counter, Diagram, Fact, Mark, Notation, Piece, Position, Problem, Prompt, Side,
};

use super::opened::Stage;
use super::script::{Refused, Script};
use super::steps::{Ask, Zone};
use super::{Act, Choice, Opened};
use crate::{Gomoku, Move, Point};

/// The longest FEN there is, and a little more: 26 rows of 26 stones with what divides them, six fields, 12 offers.
const LONGEST_FEN: usize = 26 * 26 + 25 + 80;
/// The words in a FEN for the players' seats: kept or swapped.
const SEATS: [&str; 2] = ["kept", "swapped"];

impl Notation for Opened {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        if fen.len() > LONGEST_FEN {
            return Err(Problem::new("gomoku-fen-too-long")
                .with("found", fen.len())
                .with("most", LONGEST_FEN));
        }
        let plain = self.stones();
        let fields: Vec<&str> = fen.split_whitespace().collect();
        match fields.as_slice() {
            [rows, side, opening @ ..] if opening.len() == 4 => {
                let board = plain.read_fen(&format!("{rows} {side}"))?;
                let problem = || {
                    Problem::new("opening-fen")
                        .with("found", opening.join(" "))
                        .with("opening", self.opening.key())
                };
                self.opening.fits(board.files(), board.ranks())?;
                read_opening(Script::new(self.opening, &board), &board, opening).ok_or_else(problem)
            }
            [game @ .., "swapped"] => Ok(Opened::over(self.opening, plain.read_fen(&game.join(" "))?, true)),
            _ => Ok(Opened::over(self.opening, plain.read_fen(fen)?, false)),
        }
    }

    fn fen(&self) -> String {
        let seats = SEATS[usize::from(self.is_swapped())];
        match &self.stage {
            Stage::Play(board) if self.is_swapped() => format!("{} {seats}", board.fen()),
            Stage::Play(board) => board.fen(),
            Stage::Opening(script) => {
                let board = script.board();
                let fifths = match script.fifths {
                    0 => "-".to_owned(),
                    count => count.to_string(),
                };
                let offers: Vec<String> = script.offers().into_iter().map(|at| board.name(at)).collect();
                let offers = if offers.is_empty() { "-".to_owned() } else { offers.join(",") };
                format!("{} {seats} {} {fifths} {offers}", board.fen(), script.at() + 1)
            }
        }
    }

    fn move_text(&self, act: Act) -> String {
        match act {
            Act::Stone(at) => self.plain().name(at),
            Act::Choice(choice) => choice.name().to_owned(),
            Act::Pass => self.plain().move_text(Move::Pass),
        }
    }

    /// Points as in the plain game, choices by their names: `swap`, `stay`, `black`, `white`, `two`, `ten`,
    /// `fifths-4`.
    fn read_move(&self, text: &str) -> Option<Act> {
        match &self.stage {
            Stage::Play(board) => board.read_move(text).map(act_of),
            Stage::Opening(script) => {
                let word = text.trim();
                let named = script.choices().iter().find(|choice| choice.name().eq_ignore_ascii_case(word));
                if let Some(&choice) = named {
                    return Some(Act::Choice(choice));
                }
                let at = empty_point(script, text)?;
                script.allows(at).then_some(Act::Stone(at))
            }
        }
    }

    fn refusal(&self, text: &str) -> Problem {
        let script = match &self.stage {
            Stage::Play(board) => return board.refusal(text),
            Stage::Opening(script) => script,
        };
        if script.agreed().read_move(text) == Some(Move::Pass) {
            return Problem::new("opening-no-pass");
        }
        let board = self.plain();
        let names = |points: Vec<Point>| {
            points.into_iter().map(|at| board.name(at)).collect::<Vec<String>>().join(", ")
        };
        if let Ask::Choice(choices) = script.step().ask {
            let choices: Vec<&str> = choices.iter().map(|choice| choice.name()).collect();
            return Problem::new("opening-choice").with("text", text).with("choices", choices.join(", "));
        }
        let Some(at) = empty_point(script, text) else { return board.refusal(text) };
        let point = board.name(at);
        let about = |key| Problem::new(key).with("point", &point);
        match script.step().ask {
            Ask::Stone(Zone::Within(0)) => {
                about("opening-centre").with("centre", board.name(script.centre()))
            }
            Ask::Stone(Zone::Within(far)) => about("opening-within").with("side", 2 * far + 1),
            Ask::Stone(Zone::Beyond(far)) => about("opening-beyond").with("side", 2 * far + 1),
            Ask::Pick => about("fifth-not-offered").with("offered", names(script.offers())),
            _ => match script.refused(at) {
                Some(Refused::Same(other)) => about("fifth-same").with("other", board.name(other)),
                _ => about("fifth-offered"),
            },
        }
    }

    fn path(&self, act: Act) -> Vec<Cell> {
        match act {
            Act::Stone(at) => vec![self.plain().cell(at)],
            Act::Choice(_) | Act::Pass => Vec::new(),
        }
    }

    fn actions(&self) -> u32 {
        self.stones().actions() + Choice::COUNT
    }

    /// Returns the action of the plain game; the choices come behind its actions.
    fn action(&self, act: Act) -> u32 {
        match act {
            Act::Stone(at) => self.stones().action(Move::Put(at)),
            Act::Pass => self.stones().action(Move::Pass),
            Act::Choice(choice) => self.stones().actions() + choice.number(),
        }
    }

    fn fills_any_cell(&self) -> bool {
        match &self.stage {
            Stage::Play(board) => board.fills_any_cell(),
            Stage::Opening(script) => script.step().ask == Ask::Stone(Zone::Anywhere),
        }
    }

    fn board(&self) -> Board {
        self.plain().board()
    }

    fn diagram(&self) -> Diagram {
        let board = self.plain();
        let mut diagram = board.diagram();
        for piece in &mut diagram.pieces {
            piece.owner = piece.owner.map(|colour| self.exchange(colour));
        }
        if let Stage::Opening(script) = &self.stage {
            diagram.marks = marks(script, &board);
        }
        diagram
    }

    fn buttons(&self) -> Vec<Button> {
        match &self.stage {
            Stage::Play(board) => board.buttons(),
            Stage::Opening(script) => script.choices().iter().map(|&choice| button(choice)).collect(),
        }
    }

    fn prompt(&self) -> Option<Prompt> {
        let script = match &self.stage {
            Stage::Play(board) => return board.prompt(),
            Stage::Opening(script) => script,
        };
        let step = script.step();
        let (part, of) = match step.ask {
            Ask::Offers => (script.offers().len() as u8 + 1, script.fifths),
            _ => step.part,
        };
        Some(Prompt { key: Cow::Borrowed(step.prompt), step: part, of })
    }

    fn texts(&self, act: Act) -> Vec<(&'static str, String)> {
        match act {
            Act::Stone(at) => self.plain().texts(Move::Put(at)),
            Act::Pass => self.plain().texts(Move::Pass),
            Act::Choice(choice) => {
                self.notations().iter().map(|&name| (name, choice.name().to_owned())).collect()
            }
        }
    }

    fn notations(&self) -> &'static [&'static str] {
        self.plain().notations()
    }

    fn forbidden(&self) -> Vec<(String, &'static str)> {
        match &self.stage {
            Stage::Play(board) => board.forbidden(),
            Stage::Opening(_) => Vec::new(),
        }
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        self.plain().facts()
    }

    fn counters(&self) -> Vec<Counter> {
        let exchanged =
            |counter: Counter| Counter { side: counter.side.map(|colour| self.exchange(colour)), ..counter };
        self.plain().counters().into_iter().map(exchanged).collect()
    }

    fn notes(&self) -> Vec<Problem> {
        match &self.stage {
            Stage::Play(board) => board.notes(),
            Stage::Opening(_) => Vec::new(),
        }
    }

    fn caption(&self) -> Option<Problem> {
        self.plain().caption()
    }

    fn lessons(&self) -> Vec<Mark> {
        self.plain().lessons()
    }

    fn swapped(&self) -> bool {
        self.is_swapped()
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        self.plain().palette()
    }

    /// Returns the player who has the colour of the next stone, whichever player puts it.
    fn puts(&self) -> Side {
        match &self.stage {
            Stage::Opening(script) => self.exchange(script.next()),
            Stage::Play(_) => self.turn(),
        }
    }

    /// Sets up a position with the opening behind it: the first player plays Black.
    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Self, Problem> {
        Ok(Opened::over(self.opening, self.stones().set_up(turn, pieces)?, false))
    }
}

impl Opened {
    /// Returns the stones as a plain position; during the opening without the agreements on passes and draws.
    fn plain(&self) -> Cow<'_, Gomoku> {
        match &self.stage {
            Stage::Opening(script) => Cow::Owned(script.board()),
            Stage::Play(board) => Cow::Borrowed(board),
        }
    }
}

const fn act_of(m: Move) -> Act {
    match m {
        Move::Put(at) => Act::Stone(at),
        Move::Pass => Act::Pass,
    }
}

/// The empty point that `text` names.
fn empty_point(script: &Script, text: &str) -> Option<Point> {
    match script.board().read_move(text)? {
        Move::Put(at) => Some(at),
        Move::Pass => None,
    }
}

/// Returns the marks of the points a stone is limited to, and of the offered fifth moves.
fn marks(script: &Script, board: &Gomoku) -> Vec<Mark> {
    let cells = |points: Vec<Point>| points.into_iter().map(|at| board.cell(at)).collect();
    let zone = match script.step().ask {
        Ask::Stone(Zone::Within(_) | Zone::Beyond(_)) => cells(script.points()),
        _ => Vec::new(),
    };
    let marks = [("zone", zone), ("offered", cells(script.offers()))].into_iter();
    marks
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(kind, cells)| Mark { kind: Cow::Borrowed(kind), cells })
        .collect()
}

/// Returns the button of a choice. Choices have no key of their own: letters and digits begin the name of a point.
const fn button(choice: Choice) -> Button {
    Button {
        text: Cow::Borrowed(choice.name()),
        name: Cow::Borrowed(choice.name()),
        key: Cow::Borrowed(""),
        blockers: Vec::new(),
        shifts: Vec::new(),
    }
}

/// Reads the last four fields of a FEN; `None` when the opening cannot come to stand so.
fn read_opening(start: Script, board: &Gomoku, fields: &[&str]) -> Option<Opened> {
    let &[seats, step, fifths, offers] = fields else { return None };
    let swapped = SEATS.iter().position(|&known| known == seats)? == 1;
    let at = number(step)?.checked_sub(1)?;
    let fifths = if fifths == "-" { 0 } else { number(fifths).filter(|&count| count > 0)? };
    let mut stones = Side::BOTH.map(|side| board.stones(side).iter());
    // Which stone of a colour came first decides nothing.
    let in_turn: Vec<Point> = (0..).map_while(|i| stones[i % 2].next()).collect();
    let next = Side::BOTH[in_turn.len() % 2];
    if stones.iter_mut().any(|left| left.next().is_some()) || board.turn() != next {
        return None;
    }
    let named = |name: &str| board.board().cell_named(name).and_then(|cell| board.point(cell));
    let offers: Vec<Point> = match offers {
        "-" => Vec::new(),
        names => names.split(',').map(named).collect::<Option<_>>()?,
    };
    start.resume(at, swapped, fifths as u8, &in_turn, &offers).map(Opened::at)
}

/// One or two digits, without zeros in front: a position has one text.
fn number(text: &str) -> Option<usize> {
    let plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    (plain && !(text.len() > 1 && text.starts_with('0'))).then(|| text.parse().ok())?
}
