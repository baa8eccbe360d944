//! Rules made ready for a game in play: which part the square decides, which the pieces, which an extension.

use crate::compiled::Rulebook;
use crate::place::{Always, Among};
use crate::rule::{MoveRule, Place, PlaceRule};

/// Who decides about which name of a place.
#[derive(Debug)]
pub struct Names {
    shape: Always,
    /// The places that extensions supply, by number.
    asked: Vec<String>,
}

/// A move rule, ready to be asked.
#[derive(Clone, Debug)]
pub struct LiveRule {
    /// As it was written.
    pub source: MoveRule,
    /// Its directions, section by section, with the conditions they hold under.
    pub sections: Vec<Vec<LiveItem>>,
}

/// One direction of a section.
#[derive(Clone, Debug)]
pub struct LiveItem {
    /// As written; only the first two sections must keep to 1 to 8.
    pub direction: i64,
    /// Where it holds; `None`: anywhere.
    pub when: Option<Condition>,
}

/// A rule of places, ready to be asked: it holds where one of its terms does.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was written.
    pub source: PlaceRule,
    /// In the order in which they are asked.
    pub terms: Vec<Term>,
}

/// A part of a condition.
#[derive(Clone, Debug)]
pub enum Term {
    /// It holds on these squares, whatever stands where.
    Squares(Squares),
    /// It depends on other pieces, and the rules know how.
    Native(Place),
    /// An extension decides: the number of the name, and what stands in its brackets.
    Asked(usize, Vec<i64>),
}

/// A set of squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Squares(Box<[u64]>);

impl Squares {
    /// Whether a square is one of them.
    #[must_use]
    pub fn contains(&self, square: u16) -> bool {
        self.0[usize::from(square) / 64] >> (square % 64) & 1 == 1
    }
}

impl LiveRule {
    /// Whether it looks at nothing but the square a piece stands on.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let conditions = self.sections.iter().flatten().filter_map(|item| item.when.as_ref());
        conditions.flat_map(|when| &when.terms).all(|term| matches!(term, Term::Squares(_)))
    }
}

impl Names {
    pub(crate) fn new(book: &Rulebook, asked: Vec<String>) -> Names {
        let map = book.map();
        let shape = Always { rows: map.rows, cols: map.cols, old_names: book.old_names(), tabled: true };
        Names { shape, asked }
    }

    /// The places that extensions supply, in order.
    #[must_use]
    pub fn asked(&self) -> &[String] {
        &self.asked
    }

    /// Makes a move rule ready.
    #[must_use]
    pub fn rule(&self, source: MoveRule) -> LiveRule {
        let item = |item: &crate::rule::Item| LiveItem {
            direction: item.direction,
            when: item.when.as_ref().map(|when| self.condition(when)),
        };
        let sections = source.sections.iter().map(|section| section.iter().map(item).collect()).collect();
        LiveRule { sections, source }
    }

    /// Makes a rule of places ready. An extension that supplies a name is asked after X, Y and P said no, and instead of
    /// the other names that the rules know. Names that nobody knows are false.
    #[must_use]
    pub fn condition(&self, source: &PlaceRule) -> Condition {
        let mut terms = Vec::new();
        for place in &source.0 {
            let asked = self.asked.iter().position(|name| *name == place.name);
            match place.name.as_str() {
                "X" | "Y" | "P" => terms.push(self.squares(place)),
                "NP" if asked.is_none() => terms.push(self.squares(place)),
                "D" | "R" | "T" | "C" if asked.is_none() && self.shape.old_names => {
                    terms.push(Term::Native(place.clone()));
                }
                _ => {}
            }
            terms.extend(asked.map(|name| Term::Asked(name, place.args.clone())));
        }
        Condition { source: source.clone(), terms }
    }

    fn squares(&self, place: &Place) -> Term {
        let mut words = vec![0u64; self.shape.squares().div_ceil(64)];
        for at in 0..self.shape.squares() as u16 {
            if self.shape.place(place, at) == Some(true) {
                words[usize::from(at) / 64] |= 1 << (at % 64);
            }
        }
        Term::Squares(Squares(words.into()))
    }

    /// Whether a place that depends on other pieces holds; `id_at` tells the id on a square, 0 for none.
    pub(crate) fn among(&self, place: &Place, at: u16, id_at: &impl Fn(u16) -> u16) -> bool {
        Among { shape: self.shape, squares: self.shape.squares() as u16, id_at }.place(place, at)
    }
}
