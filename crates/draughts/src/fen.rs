//! Positions as PDN's FEN: `W:W31,32,K33:B1-20`, squares by number or, where people use letters, by name.
//!
//! Written: White first, no spaces, no dot, no ranges, always numbers. After the pieces come the counters that
//! stand above zero: `:H7` plies of kings alone (as lidraughts), `:E3` plies of the class of endgames, `:D2` plies on
//! the long diagonal, and, as lidraughts has it, `:+234+0` the moves of Black's and then of White's limited king, one
//! digit, and its square, two digits.
//! Read: all of that, and either colour first, kings and ranges (`K31-50`), an empty side, spaces, quotes, a dot,
//! colours written out (`White:W31:B20`), `?` for the side that begins, `:F12` (the number of the move, which is no
//! part of a position), and ghosts: `G` or
//! `P` before a square is a man or king that was captured in a move that is not over.

use kernel::Problem;

use crate::bits::{Bits, Each};
use crate::position::Draughts;
use crate::rules::{Colour, Rules};
use crate::square::{Square, last_row, squares};

/// The longest FEN that is read, in bytes: more than every square of the largest board with a king on it.
const LONGEST: usize = 1024;

impl<R: Rules> Draughts<R> {
    /// Reads a FEN.
    pub(crate) fn of_fen(fen: &str) -> Result<Self, Problem> {
        if fen.len() > LONGEST {
            return Err(Problem::new("draughts-fen-too-long").with("found", fen.len()).with("most", LONGEST));
        }
        let plain: String = fen.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
        let mut fields = plain.strip_suffix('.').unwrap_or(&plain).split(':');
        let first = fields.next().unwrap_or_default();
        let turn = match first.to_ascii_lowercase().as_str() {
            "w" | "white" => Colour::White,
            "b" | "black" => Colour::Black,
            "?" => R::BEGINS,
            _ => return Err(Problem::new("draughts-fen-turn").with("found", first)),
        };
        let mut placed = Placed::<R> { white: R::Bits::NONE, black: R::Bits::NONE, kings: R::Bits::NONE };
        let mut counts = Vec::new();
        for field in fields {
            match field.chars().next() {
                None => {}
                Some('W' | 'w') => placed.read(Colour::White, behind_colour(field, "White"))?,
                Some('B' | 'b') => placed.read(Colour::Black, behind_colour(field, "Black"))?,
                Some('H' | 'E' | 'D' | 'F' | '+') => counts.push(field),
                _ => return Err(Problem::new("draughts-fen-field").with("found", field)),
            }
        }
        placed.check_last_rows()?;
        let mut pos = Self::of(turn, placed.white, placed.black, placed.kings).checked()?;
        for field in counts {
            pos.read_count(field).ok_or_else(|| Problem::new("draughts-fen-count").with("found", field))?;
        }
        pos.forget_idle_counts();
        Ok(pos)
    }

    /// Returns one line of text that holds this position; see the module's documentation.
    pub(crate) fn to_fen(self) -> String {
        let mut fen = self.fen_by(|square| square.number().to_string());
        let counters = self.counters;
        for (letter, count) in [('H', counters.idle), ('E', counters.endgame), ('D', counters.diagonal)] {
            if count > 0 {
                fen.push_str(&format!(":{letter}{count}"));
            }
        }
        if counters.limits() > 0 {
            fen.push(':');
            for (moves, square) in counters.tired.into_iter().rev() {
                fen.push_str(&if moves > 0 { format!("+{moves}{square:02}") } else { "+0".to_owned() });
            }
        }
        fen
    }

    fn fen_by(self, name: impl Fn(Square) -> String) -> String {
        let mut fen = String::from(self.colour().letter());
        let ghosts_of = self.colour().other();
        for colour in Colour::BOTH {
            fen.push(':');
            fen.push(colour.letter());
            let mut pieces: Vec<(Square, &str)> = self.men(colour).map(|s| (s, "")).collect();
            pieces.extend(self.kings(colour).map(|s| (s, "K")));
            if colour == ghosts_of {
                pieces.extend(self.ghosts().map(|s| (s, "G")));
            }
            pieces.sort_unstable();
            let texts: Vec<String> = pieces.iter().map(|&(s, kind)| format!("{kind}{}", name(s))).collect();
            fen.push_str(&texts.join(","));
        }
        fen
    }

    /// The pieces and the side to move, as in a FEN, with the squares named as people name them in this variant;
    /// without counters.
    ///
    /// ```
    /// use draughts::{Draughts, Russian};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<Russian>::start().read_fen("W:W22:B18")?;
    /// assert_eq!(pos.people_fen(), "W:Wc3:Bd4");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn people_fen(&self) -> String {
        self.fen_by(name_of::<R>)
    }

    fn read_count(&mut self, field: &str) -> Option<()> {
        if let Some(kings) = field.strip_prefix('+') {
            return self.read_limits(kings);
        }
        let count: u64 = field[1..].parse().ok()?;
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        match field.as_bytes()[0] {
            b'H' => self.counters.idle = count,
            b'E' => self.counters.endgame = count,
            b'D' => self.counters.diagonal = count,
            _ => {}
        }
        Some(())
    }

    /// Reads `234+0`, Black's king first; a side with a single king need not name its square.
    fn read_limits(&mut self, text: &str) -> Option<()> {
        let (black, white) = text.split_once('+')?;
        for (colour, text) in [(Colour::Black, black), (Colour::White, white)] {
            let (moves, square) = (text.get(..1)?.parse::<u8>().ok()?, text.get(1..)?);
            if moves == 0 {
                continue;
            }
            let kings: Vec<Square> = self.kings(colour).collect();
            let king = match (square, &kings[..]) {
                ("", &[king]) => king,
                _ => Square::read::<R>(square).filter(|s| kings.contains(s))?,
            };
            self.counters.tired[colour as usize] = (moves, king.number());
        }
        Some(())
    }

    /// Sets counters that have no meaning here back to zero, so that equal positions have equal texts.
    fn forget_idle_counts(&mut self) {
        if (self.kings & (self.us | self.them)).is_none() {
            self.counters.idle = 0;
        }
        if self.class().is_none() {
            self.counters.endgame = 0;
        }
        if !self.on_long_diagonal() {
            self.counters.diagonal = 0;
        }
        for colour in Colour::BOTH {
            if R::KING_MOVE_LIMIT.is_none() || (self.pieces(colour) & !self.kings).is_none() {
                self.counters.tired[colour as usize] = (0, 0);
            }
        }
    }
}

/// Pieces as they are read.
struct Placed<R: Rules> {
    white: R::Bits,
    black: R::Bits,
    kings: R::Bits,
}

/// The squares of a field that begins with a colour: its letter, or its whole name.
fn behind_colour<'t>(field: &'t str, name: &str) -> &'t str {
    let whole = field.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    if whole { &field[name.len()..] } else { &field[1..] }
}

impl<R: Rules> Placed<R> {
    /// Checks that no man stands on the row where it would have become a king.
    fn check_last_rows(&self) -> Result<(), Problem> {
        for (colour, set, last) in [
            (Colour::White, self.white, last_row::<R, true>()),
            (Colour::Black, self.black, last_row::<R, false>()),
        ] {
            if let Some(square) = Each(set & !self.kings & last).map(Square::of_bit::<R>).next() {
                let problem = Problem::new("draughts-man-on-last-row");
                return Err(problem.with("square", name_of::<R>(square)).with("side", colour.name()));
            }
        }
        Ok(())
    }

    /// Reads the squares of one colour: `31,K32,K40-45`.
    fn read(&mut self, colour: Colour, list: &str) -> Result<(), Problem> {
        for item in list.split(',').filter(|item| !item.is_empty()) {
            let (kind, name) = match item.as_bytes()[0] {
                kind @ (b'K' | b'G' | b'P') => (kind, &item[1..]),
                // Letters name squares only up to the last file, and `k` is beyond it on boards with letters.
                b'k' if R::SIDE < 11 => (b'K', &item[1..]),
                _ => (b'M', item),
            };
            let squares = range::<R>(name).ok_or_else(|| {
                Problem::new("draughts-fen-square").with("found", item).with("last", last::<R>())
            })?;
            for square in Each(squares).map(Square::of_bit::<R>) {
                let set = square.set::<R>();
                if ((self.white | self.black | self.kings) & set).any() {
                    return Err(Problem::new("draughts-fen-twice").with("square", name_of::<R>(square)));
                }
                if kind != b'M' {
                    self.kings |= set;
                }
                match (kind, colour) {
                    (b'G' | b'P', _) => {}
                    (_, Colour::White) => self.white |= set,
                    (_, Colour::Black) => self.black |= set,
                }
            }
        }
        Ok(())
    }
}

/// The squares of `31` or `31-50`, or of one letter name.
fn range<R: Rules>(text: &str) -> Option<R::Bits> {
    let (first, last) = match text.split_once('-') {
        // `K46-K50`: the kind is told once more.
        Some((first, last)) => (Square::read::<R>(first)?, Square::read::<R>(last.trim_start_matches('K'))?),
        None => (Square::read::<R>(text)?, Square::read::<R>(text)?),
    };
    if first > last {
        return None;
    }
    let all = (first.number()..=last.number()).filter_map(Square::new::<R>);
    Some(all.fold(R::Bits::NONE, |set, square| set | square.set::<R>()))
}

/// Returns the name of a square, as people write it in this variant.
pub(crate) fn name_of<R: Rules>(square: Square) -> String {
    if R::LETTERS { square.letters::<R>() } else { square.number().to_string() }
}

/// The name of the last square, for sentences.
pub(crate) fn last<R: Rules>() -> String {
    if R::LETTERS {
        format!("{}{}", char::from(b'a' + R::SIDE - 1), R::SIDE)
    } else {
        squares::<R>().to_string()
    }
}
