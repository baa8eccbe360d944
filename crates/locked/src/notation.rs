//! Locked chess as text and picture.

use std::borrow::Cow;

use kernel::numbers::Face;
use kernel::{Board, Button, Cell, Diagram, Fact, Lines, Mark, Names, Notation, Piece, Position, Problem};
use kernel::{Prompt, Side};

use crate::square::SIZE;
use crate::{Direction, Locked, Move, Square, Step, Stones, fen, json};

/// The one kind of piece.
const STONE: &str = "stone";
/// The longest writing of a move: a stone of the reference program, as `(12, 12, '黑')`.
const LONGEST: usize = 24;

impl Notation for Locked {
    fn read_fen(&self, fen: &str) -> Result<Self, Problem> {
        fen::read(fen, self.rules)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn move_text(&self, m: Move) -> String {
        match m {
            Move::Go(to) => to.letter().to_owned(),
            Move::Choose(stone) => stone.to_string(),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        let m = read(text)?;
        let mut legal = Vec::new();
        self.moves(&mut legal);
        legal.contains(&m).then_some(m)
    }

    fn refusal(&self, text: &str) -> Problem {
        let named = |key| Problem::new(key).with("move", text).with("step", self.step.number());
        match (read(text), self.step) {
            (None, _) => named("locked-move-unknown"),
            (Some(Move::Choose(stone)), Step::Choose) => self.refused_stone(stone),
            (Some(Move::Go(to)), step) if step != Step::Choose => self.refused_direction(to),
            (Some(Move::Go(_)), _) => named("locked-stone-wanted"),
            (Some(Move::Choose(_)), _) => named("locked-direction-wanted"),
        }
    }

    fn path(&self, m: Move) -> Vec<Cell> {
        match m {
            Move::Go(_) => Vec::new(),
            Move::Choose(stone) => vec![stone.cell()],
        }
    }

    fn actions(&self) -> u32 {
        u32::from(SIZE) * u32::from(SIZE) + 4
    }

    /// The cell of the chosen stone, and behind all cells the directions: up, down, left, right.
    fn action(&self, m: Move) -> u32 {
        match m {
            Move::Choose(stone) => stone.cell().into(),
            Move::Go(to) => u32::from(SIZE) * u32::from(SIZE) + to as u32,
        }
    }

    fn faces(&self) -> Vec<Face> {
        Side::BOTH.map(|side| (Some(side), STONE.into())).to_vec()
    }

    fn shifts(&self, m: Move) -> Vec<(Cell, Cell)> {
        match m {
            Move::Go(to) => self.shifts_to(to),
            Move::Choose(_) => Vec::new(),
        }
    }

    fn board(&self) -> Board {
        Board::new(Lines::Cells, SIZE, SIZE, Names::letters_down(1))
    }

    fn diagram(&self) -> Diagram {
        let piece = |square: Square| {
            let owner = Side::BOTH.into_iter().find(|&s| self.stones(s).has(square));
            Piece { at: square.cell(), owner, face: STONE.into() }
        };
        let pieces = self.stones[0].or(self.stones[1]).by_row().map(piece).collect();
        let marks =
            self.chosen.map(|c| Mark { kind: "chosen".into(), cells: vec![c.cell()] }).into_iter().collect();
        Diagram { pieces, marks }
    }

    /// All four directions, or the two that go across the step before; none at step 3.
    fn buttons(&self) -> Vec<Button> {
        if self.step == Step::Choose {
            return Vec::new();
        }
        let across = Direction::ALL.into_iter().filter(|to| self.axis != Some(to.axis()));
        across.map(|to| self.button(to)).collect()
    }

    fn prompt(&self) -> Option<Prompt> {
        let key = ["locked-1", "locked-2", "locked-3", "locked-4", "locked-5"];
        let step = self.step.number();
        Some(Prompt { key: key[usize::from(step) - 1].into(), step, of: 5 })
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        Side::BOTH.map(|side| (side, Cow::Borrowed(STONE))).to_vec()
    }

    /// A position between two turns.
    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Self, Problem> {
        let mut stones = [Stones::NONE; 2];
        for piece in pieces {
            let side = piece.owner.filter(|_| piece.face == STONE);
            let side = side.ok_or_else(|| Problem::new("locked-set-up-piece").with("found", &piece.face))?;
            let (x, y) = (piece.at % u16::from(SIZE) + 1, piece.at / u16::from(SIZE) + 1);
            let at = u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| Square::new(x, y));
            let at = at.ok_or_else(|| Problem::new("set-up-off-board").with("cell", piece.at))?;
            stones[side.index()] = stones[side.index()].with(at);
        }
        let pos = Locked::at(stones, turn, Step::ShiftAll, None, None).map_err(|error| error.problem())?;
        Ok(pos.with_rules(self.rules))
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        vec![("state_json", Fact::Text(json::state_json(self)))]
    }
}

impl Locked {
    fn going(&self) -> Stones {
        self.chosen.map_or(self.own(), |stone| Stones::NONE.with(stone))
    }

    fn shifts_to(&self, to: Direction) -> Vec<(Cell, Cell)> {
        self.going().by_row().filter_map(|from| Some((from.cell(), from.next(to)?.cell()))).collect()
    }

    fn button(&self, to: Direction) -> Button {
        let (name, key) = match to {
            Direction::Up => ("up", "ArrowUp"),
            Direction::Down => ("down", "ArrowDown"),
            Direction::Left => ("left", "ArrowLeft"),
            Direction::Right => ("right", "ArrowRight"),
        };
        Button {
            text: to.letter().into(),
            name: name.into(),
            key: key.into(),
            blockers: self.blockers(to).by_row().map(Square::cell).collect(),
            shifts: self.shifts_to(to),
        }
    }

    fn refused_stone(&self, stone: Square) -> Problem {
        let enemy = self.stones(self.side.other()).has(stone);
        let key = if enemy { "locked-not-your-stone" } else { "locked-no-stone-there" };
        Problem::new(key).with("square", stone)
    }

    fn refused_direction(&self, to: Direction) -> Problem {
        let named = |key| Problem::new(key).with("move", to.letter());
        if self.axis == Some(to.axis()) {
            return named("locked-not-across").with("step", self.step.number());
        }
        let leaving = self.going().on_edge(to);
        if !leaving.is_empty() {
            return named("locked-blocked-by-edge").with("stones", names(leaving));
        }
        named("locked-blocked-by-stones").with("stones", names(self.blockers(to)))
    }
}

fn names(stones: Stones) -> String {
    stones.by_column().map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
}

/// A direction in any usual writing, or a square; legal or not.
fn read(text: &str) -> Option<Move> {
    // A flood is refused unread.
    if text.len() > LONGEST {
        return None;
    }
    let to = match text.trim().to_ascii_lowercase().as_str() {
        "u" | "up" | "上" | "↑" => Direction::Up,
        "d" | "down" | "下" | "↓" => Direction::Down,
        "l" | "left" | "左" | "←" => Direction::Left,
        "r" | "right" | "右" | "→" => Direction::Right,
        name => return Square::named(name).or_else(|| numbered(name)).map(Move::Choose),
    };
    Some(Move::Go(to))
}

/// A square by column and row, as the reference program writes a stone: `4 4`, `(4,4)`, `(4, 4, '黑')`.
fn numbered(text: &str) -> Option<Square> {
    let inner = match text.strip_prefix(['(', '（']) {
        Some(rest) => rest.strip_suffix([')', '）'])?,
        None => text,
    };
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | '，');
    let words: Vec<&str> = inner.split(between).filter(|word| !word.is_empty()).collect();
    let (&[x, y], colour) = words.split_first_chunk::<2>()?;
    let colour: Vec<&str> = colour.iter().map(|word| word.trim_matches(['\'', '"'])).collect();
    let number = |word: &str| word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse::<u8>().ok())?;
    let known = matches!(colour[..], [] | ["黑" | "白"]);
    Square::new(number(x)?, number(y)?).filter(|_| known)
}
