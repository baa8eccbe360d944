//! Rules prepared for a game in play: the parts that the square, other pieces, or an extension decides.

use std::collections::HashMap;

use crate::compiled::Rulebook;
pub use crate::place::Squares;
use crate::place::{Always, Among};
use crate::rule::{MoveRule, Place, PlaceRule};

/// The names of places, and for each the part of the program that decides it.
#[derive(Debug)]
pub struct Names {
    shape: Always,
    /// The places that extensions supply, by number.
    asked: Vec<String>,
    /// The first number of each.
    numbers: HashMap<String, usize>,
}

/// A move rule, prepared for a game in play.
#[derive(Clone, Debug)]
pub struct LiveRule {
    /// The rule as it was written.
    pub source: MoveRule,
    /// Its directions, section by section, with the conditions they hold under.
    pub sections: Vec<Vec<LiveItem>>,
}

/// One direction of a section.
#[derive(Clone, Debug)]
pub struct LiveItem {
    /// The direction as written; only the first two sections must keep to 1 to 8.
    pub direction: i64,
    /// The condition for the direction; `None` if it always holds.
    pub when: Option<Condition>,
}

/// A rule of places, prepared for a game in play: it holds where one of its terms does.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The rule as it was written.
    pub source: PlaceRule,
    /// The terms, in the order in which they are asked.
    pub terms: Vec<Term>,
}

/// A part of a condition.
#[derive(Clone, Debug)]
pub enum Term {
    /// Squares on which it holds, whatever the other pieces.
    Squares(Squares),
    /// A place that depends on other pieces and that the rules know.
    Native(Place),
    /// An extension decides: the number of the name, and what stands in its brackets.
    Asked(usize, Vec<i64>),
}

impl LiveRule {
    /// Returns true if it depends on nothing but the square a piece stands on.
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
        let mut numbers = HashMap::new();
        for (number, name) in asked.iter().enumerate() {
            numbers.entry(name.clone()).or_insert(number);
        }
        Names { shape, asked, numbers }
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

    /// Prepares a rule of places. An extension that supplies a name is asked after X, Y and P said no, and instead of
    /// the other names that the rules know. Unknown names are false.
    #[must_use]
    pub fn condition(&self, source: &PlaceRule) -> Condition {
        let mut terms = Vec::new();
        // Places in a row that the square decides are one term.
        let mut plain: Vec<&Place> = Vec::new();
        for place in &source.0 {
            let asked = self.numbers.get(&place.name).copied();
            match place.name.as_str() {
                "X" | "Y" | "P" => plain.push(place),
                "NP" if asked.is_none() => plain.push(place),
                "D" | "R" | "T" | "C" if asked.is_none() && self.shape.old_names => {
                    terms.extend(self.squares(&mut plain));
                    terms.push(Term::Native(place.clone()));
                }
                _ => {}
            }
            if let Some(name) = asked {
                terms.extend(self.squares(&mut plain));
                terms.push(Term::Asked(name, place.args.clone()));
            }
        }
        terms.extend(self.squares(&mut plain));
        Condition { source: source.clone(), terms }
    }

    /// Takes those places for a term, if there are some.
    fn squares(&self, plain: &mut Vec<&Place>) -> Option<Term> {
        let any = !plain.is_empty();
        any.then(|| Term::Squares(self.shape.squares_of(plain.drain(..))))
    }

    /// Returns true if a place that depends on other pieces holds; `id_at` tells the id on a square, 0 for none.
    pub(crate) fn among(&self, place: &Place, at: u16, id_at: &impl Fn(u16) -> u16) -> bool {
        Among { shape: self.shape, squares: self.shape.squares() as u16, id_at }.place(place, at)
    }
}
