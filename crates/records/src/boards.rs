//! The three board texts of the school's draughts program: rows, numbers, letters.
//!
//! Source: what that program's loader and its log button do. A piece stands in column `x` from the left and row `y`
//! from the bottom, both from 0; 1 is a man, 2 a king.
//!
//! ```text
//! 0, 0, 0, 0, 0, 0, 0, 1, 0, 1,      white:99,87            white:JJ,IH
//! … ten lines for White, each a      white_boss:9           white_boss:AJ
//! column from the bottom up, then    black:0                black:AA
//! ten for Black                      black_boss:91          black_boss:JB
//! ```
//!
//! In numbers a piece is `10x + y`, in letters `x` then `y` from `A`. The school's boards have ten columns or eight;
//! with eight a number is `8x + y`, since that program multiplies by its width. White is to move. What the program
//! has no word for stands in a line of our own at the end, which its loader skips: `turn:black`, `size:8`.
//!
//! An older loader and the log count rows from the top. The squares that are played on tell which it is: both kinds
//! are read. Lines of words and dashes, as the log has them, are skipped; a list may be empty.
//!
//! Written is the position at the end of the main line. It holds neither the moves nor, beside the size of the
//! board, the rules: ten columns are read as international draughts, eight as the school's.

use draughts::rules::Places;
use draughts::{Colour, Draughts, International, Rules, School, Square};
use kernel::{Notation, Position, Problem, Side};

use crate::pdn::variant_seat;
use crate::{Format, Record};

/// The longest text read, in bytes.
const MOST: usize = 16 << 10;

/// The three forms of a board as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Rows,
    Numbers,
    Letters,
}

impl Form {
    pub(crate) const fn format(self) -> Format {
        match self {
            Form::Rows => Format::Rows,
            Form::Numbers => Format::Numbers,
            Form::Letters => Format::Letters,
        }
    }
}

/// A piece by column and row, from the left and from the first row of the text.
#[derive(Clone, Copy)]
struct Placed {
    x: u8,
    y: u8,
    colour: Colour,
    king: bool,
    line: usize,
}

/// A board as it is read.
#[derive(Default)]
struct Grid {
    side: u8,
    pieces: Vec<Placed>,
    black_to_move: bool,
}

/// Detects the form of a board from its first lines.
pub(crate) fn form_of(text: &str) -> Option<Form> {
    let mut lines = text.lines().map(str::trim).filter(|line| !is_talk(line));
    let first = lines.next()?;
    // Two lines of equal length, for a line of an opening of Gomocup has such numbers, too.
    let width = |line: &str| line.trim_end_matches(',').split(',').count();
    if is_row(first) && lines.next().is_some_and(|line| is_row(line) && width(line) == width(first)) {
        return Some(Form::Rows).filter(|_| matches!(width(first), 8 | 10));
    }
    let list = KINDS.iter().find_map(|(name, ..)| first.strip_prefix(name)?.strip_prefix(':'))?;
    let rest = text.lines().skip_while(|line| line.trim() != first).skip(1);
    let more = rest.filter_map(|line| line.trim().split_once(':')).filter(|(name, _)| is_kind(name));
    let lists = std::iter::once(list).chain(more.map(|(_, list)| list));
    let one = lists.flat_map(|list| list.split(',')).map(str::trim).find(|item| !item.is_empty());
    // Header lines of ours may begin with a name of a colour, too; squares are short.
    one.filter(|item| item.len() <= 2)
        .map(|item| if item.bytes().all(|b| b.is_ascii_digit()) { Form::Numbers } else { Form::Letters })
}

/// The lists of numbers and letters, in their order.
const KINDS: [(&str, Colour, bool); 4] = [
    ("white_boss", Colour::White, true),
    ("black_boss", Colour::Black, true),
    ("white", Colour::White, false),
    ("black", Colour::Black, false),
];
/// The same as they are written.
const WRITTEN: [usize; 4] = [2, 0, 3, 1];

fn is_kind(name: &str) -> bool {
    KINDS.iter().any(|(kind, ..)| *kind == name.trim())
}

/// Lines of the log that are no part of the board, and empty ones.
fn is_talk(line: &str) -> bool {
    line.is_empty() || line.starts_with("below are ") || line.bytes().all(|b| b == b'-')
}

fn is_row(line: &str) -> bool {
    line.contains(',') && line.bytes().all(|b| matches!(b, b'0'..=b'2' | b',' | b' '))
}

/// Reads a board.
///
/// # Errors
/// `boards-…` with the line of what does not fit.
pub(crate) fn read(form: Form, text: &str) -> Result<Record, Problem> {
    crate::record::within("bytes", text.len(), MOST)?;
    let mut grid = Grid { side: 10, ..Grid::default() };
    match form {
        Form::Rows => grid.read_rows(text)?,
        Form::Numbers | Form::Letters => grid.read_lists(form, text)?,
    }
    match grid.side {
        8 => grid.record::<School>("draughts/school"),
        _ => grid.record::<International>("draughts/international"),
    }
}

/// Writes the position at the end of a record's main line.
///
/// # Errors
/// `boards-game` for a game without such a board, and what the game says against the record.
pub(crate) fn write(form: Form, record: &Record) -> Result<String, Problem> {
    let wrong = || Problem::new("boards-game").with("found", &record.game);
    let (side, places, mut seat) = variant_seat(&record.game).ok_or_else(wrong)?;
    if !matches!(places, Places::LeftCorner) || !matches!(side, 8 | 10) {
        return Err(wrong());
    }
    seat.start(record.start.as_deref())?;
    for id in record.tree.main_line() {
        seat.play(record.tree[id].text.as_bytes())?;
    }
    let fen = seat.fen();
    if side == 8 { text_of::<School>(form, &fen) } else { text_of::<International>(form, &fen) }
}

impl Grid {
    fn read_rows(&mut self, text: &str) -> Result<(), Problem> {
        let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !is_talk(line));
        let mut rows: Vec<(usize, Vec<&str>)> = Vec::new();
        for (number, line) in lines {
            if self.is_extra(line, number)? {
                continue;
            }
            if !is_row(line) {
                return Err(Problem::new("boards-row").with("line", number).with("found", line));
            }
            rows.push((number, line.trim_end_matches(',').split(',').map(str::trim).collect()));
        }
        let side = rows.len() / 2;
        if rows.len() % 2 == 1 || !matches!(side, 8 | 10) {
            return Err(Problem::new("boards-rows").with("found", rows.len()));
        }
        self.side = side as u8;
        for (i, (line, row)) in rows.into_iter().enumerate() {
            if row.len() != side {
                return Err(Problem::new("boards-width")
                    .with("line", line)
                    .with("found", row.len())
                    .with("expected", side));
            }
            let colour = if i < side { Colour::White } else { Colour::Black };
            for (y, sign) in (0..).zip(row) {
                let king = match sign {
                    "0" => continue,
                    "1" => false,
                    "2" => true,
                    found => return Err(Problem::new("boards-row").with("line", line).with("found", found)),
                };
                self.pieces.push(Placed { x: (i % side) as u8, y, colour, king, line });
            }
        }
        Ok(())
    }

    fn read_lists(&mut self, form: Form, text: &str) -> Result<(), Problem> {
        let mut lists = Vec::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !is_talk(line)) {
            if self.is_extra(line, number)? {
                continue;
            }
            let list = line.split_once(':').filter(|(name, _)| is_kind(name));
            let (name, list) =
                list.ok_or_else(|| Problem::new("boards-list").with("line", number).with("found", line))?;
            lists.push((number, name.trim(), list));
        }
        for (line, name, list) in lists {
            let &(_, colour, king) =
                KINDS.iter().find(|(kind, ..)| *kind == name).expect("it was looked for");
            for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
                let place = place(form, item, self.side);
                let (x, y) = place
                    .ok_or_else(|| Problem::new("boards-square").with("line", line).with("found", item))?;
                self.pieces.push(Placed { x, y, colour, king, line });
            }
        }
        Ok(())
    }

    /// A line of our own: `turn:black`, `size:8`.
    fn is_extra(&mut self, line: &str, number: usize) -> Result<bool, Problem> {
        let Some((name, value)) = line.split_once(':') else { return Ok(false) };
        match (name.trim(), value.trim()) {
            ("turn", "black") => self.black_to_move = true,
            ("turn", "white") => self.black_to_move = false,
            ("size", "8") => self.side = 8,
            ("size", "10") => self.side = 10,
            ("turn" | "size", value) => {
                return Err(Problem::new("boards-extra").with("line", number).with("found", value));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn record<R: Rules>(self, game: &str) -> Result<Record, Problem> {
        // Counted from the bottom, as the text means it, or from the top, as the log has it.
        let square = |p: &Placed, from_bottom: bool| {
            Square::at::<R>(p.x, if from_bottom { R::SIDE - 1 - p.y } else { p.y })
        };
        let from_bottom = !self.pieces.iter().all(|p| square(p, false).is_some());
        let mut lists = [Vec::new(), Vec::new()];
        let mut seen = Vec::new();
        for piece in &self.pieces {
            let at = square(piece, from_bottom).ok_or_else(|| {
                Problem::new("boards-dark").with("line", piece.line).with("x", piece.x).with("y", piece.y)
            })?;
            if seen.contains(&at) {
                return Err(Problem::new("boards-twice")
                    .with("line", piece.line)
                    .with("x", piece.x)
                    .with("y", piece.y));
            }
            seen.push(at);
            let kind = if piece.king { "K" } else { "" };
            lists[piece.colour as usize].push(format!("{kind}{}", at.number()));
        }
        let turn = if self.black_to_move { 'B' } else { 'W' };
        let fen = format!("{turn}:W{}:B{}", lists[0].join(","), lists[1].join(","));
        let start = Draughts::<R>::start();
        let fen = start.read_fen(&fen)?.fen();
        let start = Some(fen).filter(|fen| *fen != start.fen());
        Ok(Record { game: game.to_owned(), start, ..Record::default() })
    }
}

/// The column and row that an item names.
fn place(form: Form, item: &str, side: u8) -> Option<(u8, u8)> {
    let (x, y) = match form {
        Form::Letters => {
            let &[x, y] = item.as_bytes() else { return None };
            (x.to_ascii_uppercase().checked_sub(b'A')?, y.to_ascii_uppercase().checked_sub(b'A')?)
        }
        _ => {
            let number: u8 = Some(item).filter(|i| i.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
            (number / side, number % side)
        }
    };
    (x < side && y < side).then_some((x, y))
}

fn text_of<R: Rules>(form: Form, fen: &str) -> Result<String, Problem> {
    let pos = Draughts::<R>::start().read_fen(fen)?;
    let at = |square: Square| (square.file::<R>(), R::SIDE - 1 - square.row::<R>());
    let pieces = |(_, colour, king): (&str, Colour, bool)| -> Vec<(u8, u8)> {
        let mut pieces: Vec<(u8, u8)> =
            if king { pos.kings(colour).map(at).collect() } else { pos.men(colour).map(at).collect() };
        pieces.sort_unstable();
        pieces
    };
    let mut out = String::new();
    if form == Form::Rows {
        for (men, kings) in [(2, 0), (3, 1)].map(|(men, kings)| (pieces(KINDS[men]), pieces(KINDS[kings]))) {
            for x in 0..R::SIDE {
                for y in 0..R::SIDE {
                    let sign = if kings.contains(&(x, y)) { 2 } else { u8::from(men.contains(&(x, y))) };
                    out.push_str(&format!("{sign}, "));
                }
                out.push('\n');
            }
        }
    } else {
        let letter = |n: u8| char::from(b'A' + n);
        for kind in WRITTEN.map(|i| KINDS[i]) {
            let items = pieces(kind).into_iter().map(|(x, y)| match form {
                Form::Letters => format!("{}{}", letter(x), letter(y)),
                _ => (u16::from(x) * u16::from(R::SIDE) + u16::from(y)).to_string(),
            });
            out.push_str(&format!("{}:{}\n", kind.0, items.collect::<Vec<_>>().join(",")));
        }
        if R::SIDE == 8 {
            out.push_str("size:8\n");
        }
    }
    if pos.turn() == Side::Second {
        out.push_str("turn:black\n");
    }
    Ok(out)
}
