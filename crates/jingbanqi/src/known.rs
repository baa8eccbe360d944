//! Facts about the pieces of a position that the board does not show.

use crate::extension::{Detail, Details};
use crate::level2::ways::Course;
use crate::place::{Among, Where};
use crate::position::{Jingbanqi, PROMOTED, Standing};
use crate::rule::MoveRule;

impl Jingbanqi {
    /// Returns the rules and attributes of every piece, the directions that hold now, and the sides whose captains
    /// are attacked. Where extensions fail, it is empty.
    #[must_use]
    pub fn details(&self) -> Details {
        if let Some(details) = self.told_details() {
            return details;
        }
        let squares = 0..self.book().map().squares() as u16;
        let pieces = squares.filter_map(|at| self.piece(at).map(|piece| self.detail(at, piece))).collect();
        Details { pieces, checks: self.checks() }
    }

    /// Returns the facts about one piece that the board does not show.
    pub(crate) fn detail_at(&self, square: u16) -> Option<Detail> {
        match self.told_details() {
            Some(details) => details.pieces.into_iter().find(|detail| detail.at == square),
            None => self.piece(square).map(|piece| self.detail(square, piece)),
        }
    }

    /// The directions that hold now, piece by piece, section by section.
    pub(crate) fn directions(&self) -> Vec<(u16, Vec<Vec<i64>>)> {
        if let Some(details) = self.told_details() {
            return details.pieces.into_iter().map(|detail| (detail.at, detail.now)).collect();
        }
        let squares = 0..self.book().map().squares() as u16;
        let now = |at| self.piece(at).map(|piece| (at, self.now(piece, at)));
        squares.filter_map(now).collect()
    }

    /// The rule that a piece moves by now.
    fn rule_of(&self, piece: Standing) -> &MoveRule {
        let kind = &self.book().map().kinds[usize::from(piece.id) - 1];
        if piece.promoted { &kind.promoted } else { &kind.rule }
    }

    /// The directions that hold for a piece on a square, section by section.
    fn now(&self, piece: Standing, at: u16) -> Vec<Vec<i64>> {
        let Some((_, compiled)) = self.book().level2() else {
            return self.directions_now(self.rule_of(piece), at);
        };
        let mut now = vec![Vec::new(), Vec::new()];
        for way in &compiled.kinds[usize::from(piece.id) - 1].ways[usize::from(piece.promoted)] {
            if let Course::Line(direction, most) = way.course
                && way.when.as_ref().is_none_or(|when| when.contains(at))
            {
                let directions: &mut Vec<i64> = &mut now[usize::from(most != 1)];
                let direction = i64::from(direction) + 1;
                if !directions.contains(&direction) {
                    directions.push(direction);
                }
            }
        }
        now
    }

    pub(crate) fn detail(&self, at: u16, piece: Standing) -> Detail {
        let kind = &self.book().map().kinds[usize::from(piece.id) - 1];
        let [rule, promotes, promoted] = kind.texts();
        Detail {
            at,
            now: self.now(piece, at),
            rule,
            promotes,
            promoted,
            attributes: kind.attributes.iter().map(|(name, value)| (name.clone(), value.shown())).collect(),
        }
    }

    /// The directions of a rule that hold on a square, section by section.
    fn directions_now(&self, rule: &MoveRule, at: u16) -> Vec<Vec<i64>> {
        let id_at = |at: u16| self.cell(at) & !PROMOTED;
        let among = Among { shape: self.shape(), squares: self.book().map().squares() as u16, id_at: &id_at };
        let holds = |item: &&crate::rule::Item| item.when.as_ref().is_none_or(|when| among.holds(when, at));
        let section =
            |items: &Vec<crate::rule::Item>| items.iter().filter(holds).map(|item| item.direction).collect();
        rule.sections.iter().map(section).collect()
    }
}
