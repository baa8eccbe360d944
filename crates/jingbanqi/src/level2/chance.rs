//! Chance: pieces that are turned over into what is drawn from a bag.
//!
//! A move that draws is listed once for each kind that its bag may give: `2,3-2,3{马}`. So a position stays a function of map
//! and moves, and a replay needs no secret. The player sends `2,3-2,3`; the table or the program that plays draws, by the weights
//! of [`kernel::Position::by_chance`].

use std::borrow::Cow;

use kernel::Problem;

use super::bags::TurnsOver;
use super::compiled::Compiled2;
use super::play::Progress;
use super::{Level2, MOST_COUNT};
use crate::position::{DRAWN, Jingbanqi, Move, PROMOTED};

/// The most kinds in a bag that are told of a piece: a fact of a problem holds no more.
const MOST_TOLD: usize = 40;

impl Jingbanqi {
    /// The pieces that are left in bags: number of the bag from 0, row of the table, count. Empty where there is no bag.
    #[must_use]
    pub fn bags(&self) -> Vec<(u16, u16, u16)> {
        let (Some((rules, _)), Some(progress)) = (self.book.level2(), self.second.as_deref()) else {
            return Vec::new();
        };
        let left = rules.in_bags.iter().zip(&progress.bags).filter(|(_, left)| **left > 0);
        left.map(|(one, &left)| (one.bag, one.kind, left)).collect()
    }

    /// Returns true if something may be drawn in this game.
    #[must_use]
    pub fn has_bags(&self) -> bool {
        self.book.level2().is_some_and(|(rules, _)| !rules.in_bags.is_empty())
    }

    /// Returns the way in which the piece on a square is turned over now; `None` if it is not, or its bag is empty.
    pub(crate) fn turns_at(&self, at: u16) -> Option<TurnsOver> {
        let (_, compiled) = self.book.level2()?;
        let id = self.cells[usize::from(at)] & !PROMOTED;
        let turns = compiled.kinds[usize::from(id.checked_sub(1)?)].turns?;
        let progress = self.second.as_deref()?;
        let left = &progress.bags[compiled.bags[usize::from(turns.bag)].clone()];
        left.iter().any(|&left| left > 0).then_some(turns)
    }

    /// Describes what a piece may turn into: the kinds that are left in its bag, with their numbers.
    pub(crate) fn told_turns(&self, turns: TurnsOver) -> Problem {
        let kinds = &self.book.map().kinds;
        let left = self.bags().into_iter().filter(|&(bag, ..)| bag == turns.bag).take(MOST_TOLD);
        let left: Vec<String> =
            left.map(|(_, kind, left)| format!("{} {left}", kinds[usize::from(kind) - 1].name)).collect();
        let way = if turns.moves { "moves" } else { "stays" };
        Problem::new("turns").with("way", way).with("left", left.join(", "))
    }

    /// Returns the number of pieces of a kind that the piece on a square may turn into; `None` for none.
    pub(crate) fn odds(&self, at: u16, kind: u16) -> Option<u32> {
        let (rules, compiled) = self.book.level2()?;
        let turns = self.turns_at(at)?;
        let range = compiled.bags[usize::from(turns.bag)].clone();
        let place = range.clone().find(|&place| rules.in_bags[place].kind == kind)?;
        let left = self.second.as_deref()?.bags[place];
        (left > 0).then_some(left.into())
    }

    /// Passes each outcome of a move whose piece is turned over.
    pub(crate) fn each_outcome(&self, turns: TurnsOver, (from, to): (u16, u16), mut play: impl FnMut(Move)) {
        let (Some((rules, compiled)), Some(progress)) = (self.book.level2(), self.second.as_deref()) else {
            return;
        };
        let range = compiled.bags[usize::from(turns.bag)].clone();
        for (one, &left) in rules.in_bags[range.clone()].iter().zip(&progress.bags[range]) {
            if left > 0 {
                play(Move { from, to, pick: DRAWN | one.kind });
            }
        }
    }

    /// Turns the piece on the square `to` over into a kind, which leaves the bag. Returns true if that decides the colours,
    /// and they are exchanged.
    pub(super) fn turn_over(
        &mut self,
        (rules, compiled): (&Level2, &Compiled2),
        progress: &mut Progress,
        (to, kind): (u16, u16),
    ) -> bool {
        let hidden = self.cells[usize::from(to)] & !PROMOTED;
        let owner = self.book.owner(kind);
        let decides = rules.turns.claim && owner.is_some() && !self.are_colours_decided(rules, progress);
        if let Some(turns) = compiled.kinds[usize::from(hidden) - 1].turns {
            let range = compiled.bags[usize::from(turns.bag)].clone();
            if let Some(place) = range.clone().find(|&place| rules.in_bags[place].kind == kind) {
                progress.bags[place] = progress.bags[place].saturating_sub(1);
            }
        }
        self.cells[usize::from(to)] = kind;
        progress.altered.retain(|one| one.at != to);
        progress.draws = progress.draws.saturating_add(1);
        let exchanges = decides && owner == Some(self.turn.other());
        progress.swapped ^= exchanges;
        exchanges
    }

    /// Returns true if a piece of a side has been drawn.
    fn are_colours_decided(&self, rules: &Level2, progress: &Progress) -> bool {
        let left = rules.in_bags.iter().zip(&progress.bags);
        left.into_iter().any(|(one, &left)| left != one.count && self.book.owner(one.kind).is_some())
    }

    /// Returns the name of a kind in the text of a move that turns the piece on a square into it: its own where it is plain
    /// and the only one of its bag, else `#` and its row of the table.
    pub(super) fn drawn_label(&self, at: u16, kind: u16) -> Cow<'_, str> {
        let kinds = &self.book.map().kinds;
        let name = |kind: u16| kinds[usize::from(kind) - 1].name.as_str();
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '{' | '}' | '=');
        let own = name(kind);
        let is_plain = !own.is_empty() && !own.starts_with('#') && !own.contains(odd);
        let alike = || {
            let (rules, compiled) = self.book.level2()?;
            let id = self.cells[usize::from(at)] & !PROMOTED;
            let turns = compiled.kinds[usize::from(id.checked_sub(1)?)].turns?;
            let range = compiled.bags[usize::from(turns.bag)].clone();
            Some(rules.in_bags[range].iter().filter(|one| name(one.kind) == own).count())
        };
        if is_plain && alike() == Some(1) { Cow::Borrowed(own) } else { Cow::Owned(format!("#{kind}")) }
    }

    /// The place of a kind among those that the piece on a square may turn into, from 0.
    pub(super) fn drawn_place(&self, at: u16, kind: u16) -> u32 {
        let place = || {
            let (rules, compiled) = self.book.level2()?;
            let range = compiled.bags[usize::from(self.turns_at(at)?.bag)].clone();
            rules.in_bags[range].iter().position(|one| one.kind == kind)
        };
        place().unwrap_or(0) as u32
    }

    /// The field of a FEN with what is left in bags, with a space before it; empty where there is no bag.
    pub(super) fn fen_bags(&self) -> String {
        if !self.has_bags() {
            return String::new();
        }
        let left = |&(bag, kind, count): &(u16, u16, u16)| format!("{}.{kind}*{count}", bag + 1);
        let left: Vec<String> = self.bags().iter().map(left).collect();
        if left.is_empty() { " -".to_owned() } else { format!(" {}", left.join(",")) }
    }
}

/// Reads the field of a FEN with what is left in bags.
pub(super) fn read_bags(text: &str, rules: &Level2, progress: &mut Progress) -> Result<(), Problem> {
    let bad = |found: &str| Problem::new("jingbanqi-fen-bag").with("found", found);
    progress.bags.fill(0);
    for text in text.split(',').filter(|text| *text != "-") {
        let number = |text: &str| text.parse::<u16>().ok();
        let (place, count) = text.split_once('*').ok_or_else(|| bad(text))?;
        let (bag, kind) = place.split_once('.').ok_or_else(|| bad(text))?;
        let one = number(bag).and_then(|bag| bag.checked_sub(1)).zip(number(kind));
        let place = one.and_then(|one| rules.in_bags.iter().position(|known| (known.bag, known.kind) == one));
        let count = number(count).filter(|count| (1..=MOST_COUNT as u16).contains(count));
        let (place, count) = place.zip(count).ok_or_else(|| bad(text))?;
        progress.bags[place] = count;
    }
    Ok(())
}
