//! The variant of a file and the corner from which its squares are counted: the tag `GameType`.
//!
//! In this project squares are numbered row by row from the top left and lettered from the bottom left, White
//! below, in every variant. PDN counts from a corner that the tag names as the side that begins sees it: Spanish and
//! Thai players count from the bottom right. Private numbers are lidraughts's.

use std::borrow::Cow;

use draughts::rules::Places;
use draughts::{Colour, Rules};

use super::seat::{Playing, Seat};

/// One variant of draughts, as far as files know it.
pub(super) struct Variant {
    /// The key of the catalogue, `draughts/…`.
    pub(super) key: &'static str,
    pub(super) game_type: Option<u8>,
    pub(super) side: u8,
    pub(super) places: Places,
    pub(super) begins: Colour,
    pub(super) letters: bool,
    pub(super) open: fn() -> Box<dyn Seat>,
}

const fn variant<R: Rules>() -> Variant {
    Variant {
        key: R::CATALOGUE_KEY,
        game_type: R::GAME_TYPE,
        side: R::SIDE,
        places: R::PLACES,
        begins: R::BEGINS,
        letters: R::LETTERS,
        open: || Box::new(Playing::<R>::default()),
    }
}

macro_rules! all {
    ($($rules:ident)*) => { &[$(variant::<draughts::$rules>()),*] };
}

/// Every variant of draughts with the forms its moves are written in.
pub(super) static VARIANTS: &[Variant] = draughts::for_each_variant!(all);

/// The variants that are tried first where a file does not name one: most files are of these.
const TRIED_FIRST: [&str; 5] = [
    draughts::International::CATALOGUE_KEY,
    draughts::English::CATALOGUE_KEY,
    draughts::Russian::CATALOGUE_KEY,
    draughts::Brazilian::CATALOGUE_KEY,
    draughts::Pool::CATALOGUE_KEY,
];

/// Every variant, in the order in which they are tried on a file that does not say which it holds.
pub(super) fn by_likelihood() -> impl Iterator<Item = &'static Variant> {
    let first = TRIED_FIRST.iter().filter_map(|key| VARIANTS.iter().find(|v| v.key == *key));
    first.chain(VARIANTS.iter().filter(|v| !TRIED_FIRST.contains(&v.key)))
}

/// Portuguese draughts has a number of its own and Spanish rules.
const PORTUGUESE: u8 = 28;
const SPANISH: u8 = 24;
/// lidraughts writes this for any game of 10x10 that began from a position.
const FROM_POSITION: u8 = 99;

/// The names of variants in lidraughts and pydraughts, and our keys for them.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("standard", "international"),
    ("from position", "international"),
    ("frysk!", "frysk"),
    ("antidraughts", "losing"),
    ("american", "english"),
    ("checkers", "english"),
    ("american pool", "pool"),
    ("portuguese", "spanish"),
];

/// The variant of that key, whole or without its family, or of one of its other names, in whatever letters.
pub(super) fn keyed(key: &str) -> Option<&'static Variant> {
    let key =
        OTHER_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map_or(key, |(_, ours)| ours);
    VARIANTS.iter().find(|v| v.key == key || v.key["draughts/".len()..].eq_ignore_ascii_case(key))
}

/// The variant of that number of `GameType`.
pub(super) fn numbered(number: u8) -> Option<&'static Variant> {
    let number = match number {
        PORTUGUESE => SPANISH,
        FROM_POSITION => 20,
        number => number,
    };
    VARIANTS.iter().find(|v| v.game_type == Some(number))
}

/// The numbering of squares: the directions that are reversed against our own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counting {
    /// Numbers run from right to left, and from the bottom.
    numbers: (bool, bool),
    /// Letters run from right to left, and ranks from the top.
    letters: (bool, bool),
}

/// A variant and how its squares are called.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) variant: &'static Variant,
    pub(super) counting: Counting,
}

impl Layout {
    /// Returns the layout that PDN 3.0 has for that variant when the tag gives its number alone.
    pub(super) fn usual(variant: &'static Variant) -> Layout {
        let (letter, corner) = variant.notation();
        Layout { variant, counting: variant.counting(variant.begins, letter, corner, variant.inverted()) }
    }

    /// Reads a value of `GameType`: `20`, or `25,W,8,8,A0,0`.
    pub(super) fn read(game_type: &str) -> Option<Layout> {
        let mut fields = game_type.split(',').map(str::trim);
        let variant = numbered(fields.next()?.parse().ok()?)?;
        let usual = Layout::usual(variant);
        let fields: Vec<&str> = fields.collect();
        let &[begins, width, height, notation, ref inverted @ ..] = fields.as_slice() else {
            return Some(usual);
        };
        let side = variant.side.to_string();
        // A zero means that a field was not filled in.
        let said = width != "0" && height != "0";
        if said && [width, height] != [side.as_str(), side.as_str()] {
            return None;
        }
        let begins = if begins.eq_ignore_ascii_case("B") { Colour::Black } else { Colour::White };
        let [letter, corner @ b'0'..=b'3'] = *notation.as_bytes() else { return Some(usual) };
        let inverted = inverted.first().map_or(variant.inverted(), |flag| *flag == "1");
        Some(Layout { variant, counting: variant.counting(begins, letter, corner - b'0', inverted) })
    }

    /// Every way that squares of that variant are counted, the likeliest first.
    pub(super) fn all(variant: &'static Variant) -> impl Iterator<Item = Layout> {
        let usual = Layout::usual(variant);
        let ours = Layout::ours(variant);
        // By letters the corner is told; programs count numbers of such variants from a1, too.
        let from_below = Counting { numbers: (false, true), ..usual.counting };
        let below = variant.letters.then_some(Layout { variant, counting: from_below });
        [usual, ours].into_iter().chain(below)
    }

    /// Our own way of counting.
    pub(super) fn ours(variant: &'static Variant) -> Layout {
        Layout { variant, counting: Counting::default() }
    }

    /// Returns true if a move text needs no conversion.
    #[inline]
    pub(super) fn is_plain(&self, text: &[u8]) -> bool {
        let lettered = text.first().is_some_and(u8::is_ascii_alphabetic);
        (false, false) == if lettered { self.counting.letters } else { self.counting.numbers }
    }

    /// A move text, or the squares of a FEN, counted the other way: from the file's way to ours and back.
    pub(super) fn turned(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let letter = usize::from(matches!(first, 'a'..='l' | 'A'..='L'));
            let digits = rest[letter..].bytes().take_while(u8::is_ascii_digit).count();
            let length = if digits > 0 { letter + digits } else { first.len_utf8() };
            let (word, behind) = rest.split_at(length);
            match (digits, letter) {
                (0, _) => out.push(first),
                (_, 1) => out.push_str(&self.turned_letter(word)),
                // Without separators the squares have two digits each.
                (digits, _) if digits >= 4 && digits.is_multiple_of(2) => {
                    let pair = |at: usize| self.turned_number(&word[at..at + 2], 2);
                    (0..digits).step_by(2).for_each(|at| out.push_str(&pair(at)));
                }
                _ => out.push_str(&self.turned_number(word, 1)),
            }
            rest = behind;
        }
        out
    }

    /// A square by its letter and rank; what is none stays as it is.
    fn turned_letter(&self, text: &str) -> String {
        let side = self.variant.side;
        let (right, top) = self.counting.letters;
        let rank = text[1..].parse().ok().filter(|rank| (1..=side).contains(rank));
        let file = Some(text.as_bytes()[0].to_ascii_lowercase() - b'a').filter(|file| *file < side);
        let (Some(rank), Some(file)) = (rank, file) else { return text.to_owned() };
        let file = if right { side - 1 - file } else { file };
        let rank = if top { side + 1 - rank } else { rank };
        format!("{}{rank}", char::from(b'a' + file))
    }

    /// A square by its number, in at least `digits` digits; what is none stays as it is.
    fn turned_number(&self, text: &str, digits: usize) -> String {
        let side = self.variant.side;
        let number = text.parse::<u8>().ok().filter(|n| (1..=self.squares()).contains(n));
        let Some(number) = number else { return text.to_owned() };
        let width = self.width();
        let (row, in_row) = ((number - 1) / width, (number - 1) % width);
        let (right, bottom) = self.counting.numbers;
        let row = if bottom { side - 1 - row } else { row };
        let in_row = if right { width - 1 - in_row } else { in_row };
        format!("{:0>digits$}", row * width + in_row + 1)
    }

    /// The same of a text that may stand as it is.
    pub(super) fn turned_bytes<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        if self.is_plain(text) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.turned(&String::from_utf8_lossy(text)).into_bytes())
    }

    /// A FEN with its squares counted the other way. Ranges are written out, since they may be none any more.
    pub(super) fn turned_fen(&self, fen: &str) -> String {
        if self.counting == Counting::default() {
            return fen.to_owned();
        }
        let field = |field: &str| {
            let Some(colour) = field.chars().next().filter(|c| matches!(c, 'W' | 'B' | 'w' | 'b')) else {
                return field.to_owned();
            };
            let items: Vec<String> = field[1..].split(',').map(|item| self.turned_item(item)).collect();
            format!("{colour}{}", items.join(","))
        };
        let (turn, rest) = fen.split_once(':').unwrap_or((fen, ""));
        let fields: Vec<String> = rest.trim_end_matches('.').split(':').map(field).collect();
        format!("{turn}:{}", fields.join(":"))
    }

    fn turned_item(&self, item: &str) -> String {
        let item = item.trim();
        let kind = &item[..usize::from(item.starts_with(['K', 'G', 'P']))];
        let range =
            item[kind.len()..].split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match range {
            Some((first, last)) if last <= self.squares() => {
                let squares = (first..=last).map(|n: u8| format!("{kind}{}", self.turned(&n.to_string())));
                squares.collect::<Vec<_>>().join(",")
            }
            _ => format!("{kind}{}", self.turned(&item[kind.len()..])),
        }
    }

    fn width(&self) -> u8 {
        if matches!(self.variant.places, Places::All) { self.variant.side } else { self.variant.side / 2 }
    }

    pub(super) fn squares(&self) -> u8 {
        self.variant.side * self.width()
    }
}

impl Variant {
    /// Returns the value of the tag in a written file; `None` where the variant has no number.
    pub(super) fn tag(&self) -> Option<String> {
        let (letter, corner) = self.notation();
        let (begins, inverted) = (self.begins.letter(), u8::from(self.inverted()));
        let (letter, side) = (char::from(letter), self.side);
        self.game_type.map(|number| format!("{number},{begins},{side},{side},{letter}{corner},{inverted}"))
    }

    /// Returns true if wins count two points. PDN 3.0, the column of result types; variants with international rules
    /// on ten files follow them.
    pub(super) fn counts_two(&self) -> bool {
        let kin = ["international", "canadian", "killer", "breakthrough", "losing"];
        kin.contains(&&self.key["draughts/".len()..])
    }

    /// Letters or numbers, and the corner they begin at as the side that begins sees it. PDN 3.0, the same table.
    fn notation(&self) -> (u8, u8) {
        match self.game_type {
            _ if self.letters => (b'A', 0),
            Some(21 | 23 | SPANISH) => (b'N', 1),
            _ => (b'N', 2),
        }
    }

    fn inverted(&self) -> bool {
        matches!(self.places, Places::RightCorner)
    }

    /// Corner 0 is the bottom left, 1 the bottom right, 2 the top left, 3 the top right.
    fn counting(&self, begins: Colour, letter: u8, corner: u8, inverted: bool) -> Counting {
        let turned = begins == Colour::Black;
        let right = (corner % 2 == 1) != turned;
        let top = (corner / 2 == 1) != turned;
        // A board that is played on the other half of its squares is ours in a mirror.
        let mirror = inverted != self.inverted();
        // Where squares have letters, the corner is theirs; numbers then run as they do in every FEN.
        let (numbers, letters) = if letter == b'A' {
            ((mirror, false), (right != mirror, top))
        } else {
            ((right != mirror, !top), (mirror, false))
        };
        Counting { numbers, letters }
    }
}
