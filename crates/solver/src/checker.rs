//! Plays by a certificate of the board of 12x12, and checks that it keeps its promise.
//!
//! It knows the file and the rules of `locked`, and nothing of how the file was made: turns are played step by step,
//! squares are looked up by column and row.

use std::collections::{HashMap, HashSet};

use kernel::{Position, Side};
use locked::{Locked, Step, Stones};

use crate::certificate::Certificate;

/// Column and row from 0.
type Place = (u8, u8);

/// A certificate to look things up in.
pub struct Checker {
    certificate: Certificate,
    /// The index of the row of each formation; the key has its columns and rows in rising order.
    row: HashMap<Vec<(u8, u8)>, usize>,
}

/// The numbers of positions and turns that were checked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Positions whose every turn of the attacker was answered.
    pub positions: u64,
    /// Turns of the attacker in them.
    pub turns: u64,
}

/// A gap in a certificate: a turn of the attacker without an answer, as the position before it and after it.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The attacker is to move, and the certificate says that the defender is safe.
    pub before: Locked,
    /// The defender is to move, and no turn leads to a position that the certificate holds safe.
    pub after: Locked,
}

impl Checker {
    /// # Errors
    /// The certificate is not a final one of the board of 12x12 with four stones.
    pub fn new(certificate: Certificate) -> Result<Checker, String> {
        if (certificate.size, certificate.stones) != (12, 4) {
            return Err(format!(
                "it is about a board of {0}x{0} with {1} stones",
                certificate.size, certificate.stones
            ));
        }
        if !certificate.is_final {
            return Err(format!("it was ended after {} rounds and is not final", certificate.rounds));
        }
        let mut row = HashMap::new();
        for (n, row_of) in certificate.rows.iter().enumerate() {
            let mut places = row_of.formation.clone();
            places.sort_unstable();
            row.insert(places, n);
        }
        Ok(Checker { certificate, row })
    }

    /// Returns true if the certificate holds the defender safe, the other side to move. The defender's squares are of
    /// either colour: a board that is seen in a mirror is the same board.
    #[must_use]
    pub fn is_safe(&self, position: &Locked, defender: Side) -> bool {
        let places = |side| -> Vec<(u8, u8)> {
            position.stones(side).by_row().map(|square| (square.x() - 1, square.y() - 1)).collect()
        };
        let (mut own, mut other) = (places(defender), places(defender.other()));
        if own.iter().any(|(x, y)| (x + y).is_multiple_of(2)) {
            for (x, _) in own.iter_mut().chain(&mut other) {
                *x = 11 - *x;
            }
        }
        if own.iter().any(|(x, y)| (x + y).is_multiple_of(2)) || other.iter().any(|(x, y)| (x + y) % 2 == 1) {
            return false;
        }
        let pictures: [fn(Place) -> Place; 4] =
            [|at| at, |(x, y)| (y, x), |(x, y)| (11 - x, 11 - y), |(x, y)| (11 - y, 11 - x)];
        pictures.into_iter().any(|picture| {
            let mut formation: Vec<(u8, u8)> = own.iter().copied().map(picture).collect();
            formation.sort_unstable();
            let Some(&row) = self.row.get(&formation) else { return false };
            let mut squares: Vec<u64> = other
                .iter()
                .copied()
                .map(picture)
                .map(|(x, y)| u64::from(y) * 6 + u64::from(x) / 2)
                .collect();
            squares.sort_unstable();
            let number: u64 = squares.iter().zip(1..).map(|(&square, j)| ways(square, j)).sum();
            let row = &self.certificate.rows[row].bits;
            row[number as usize / 8] >> (number % 8) & 1 == 1
        })
    }

    /// An answer of the side to move that is safe.
    #[must_use]
    pub fn answer(&self, position: &Locked) -> Option<Locked> {
        let defender = position.turn();
        turns(*position).into_iter().find(|after| self.is_safe(after, defender))
    }

    /// Tries every turn of the attacker from a position that is held safe and returns the answers.
    ///
    /// # Errors
    /// A turn without an answer.
    pub fn look(&self, position: &Locked, checked: &mut Checked) -> Result<Vec<Locked>, Box<Hole>> {
        let mut answers = Vec::new();
        for after in turns(*position) {
            let hole = || Box::new(Hole { before: *position, after });
            answers.push(self.answer(&after).ok_or_else(hole)?);
            checked.turns += 1;
        }
        checked.positions += 1;
        Ok(answers)
    }

    /// Tries every sequence of `depth` turns of the attacker, with one answer to each.
    ///
    /// # Errors
    /// A turn without an answer.
    pub fn walk(&self, from: Locked, depth: u32) -> Result<Checked, Box<Hole>> {
        let mut checked = Checked::default();
        let mut open = vec![from];
        let mut seen = HashSet::new();
        for _ in 0..depth {
            let mut next = Vec::new();
            for position in open {
                let answers = self.look(&position, &mut checked)?;
                next.extend(answers.into_iter().filter(|answer| seen.insert(answer.key())));
            }
            open = next;
        }
        Ok(checked)
    }

    /// Plays a game of `turns_each` turns of an attacker who chooses them at random; `random` gives a number below
    /// its argument.
    ///
    /// # Errors
    /// A turn without an answer.
    pub fn game(
        &self,
        from: Locked,
        turns_each: u32,
        random: &mut impl FnMut(usize) -> usize,
        checked: &mut Checked,
    ) -> Result<(), Box<Hole>> {
        let mut position = from;
        for _ in 0..turns_each {
            let all = turns(position);
            if all.is_empty() {
                return Ok(());
            }
            let after = all[random(all.len())];
            position = self.answer(&after).ok_or_else(|| Box::new(Hole { before: position, after }))?;
            checked.positions += 1;
            checked.turns += 1;
        }
        Ok(())
    }

    /// Returns a random position with the attacker to move that is held safe: White defends.
    #[must_use]
    pub fn any(&self, random: &mut impl FnMut(usize) -> usize) -> Locked {
        loop {
            let formation = &self.certificate.rows[random(self.certificate.rows.len())].formation;
            let mut attackers: Vec<(u8, u8)> = Vec::new();
            while attackers.len() < 4 {
                let place = (random(12) as u8, random(12) as u8);
                if (place.0 + place.1).is_multiple_of(2) && !attackers.contains(&place) {
                    attackers.push(place);
                }
            }
            let stones =
                |places: &[(u8, u8)]| Stones::of([0, 1, 2, 3].map(|i| (places[i].0 + 1, places[i].1 + 1)));
            let position =
                Locked::at([stones(&attackers), stones(formation)], Side::First, Step::ShiftAll, None, None);
            if let Some(position) = position.ok().filter(|position| self.is_safe(position, Side::Second)) {
                return position;
            }
        }
    }
}

fn ways(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * n.saturating_sub(i) / (i + 1))
}

/// Returns the positions a turn of the side to move can end in: its five steps, played one by one.
#[must_use]
pub fn turns(position: Locked) -> Vec<Locked> {
    let mut open = vec![position];
    for _ in 0..5 {
        let mut next = Vec::new();
        for position in open {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            next.extend(moves.into_iter().map(|m| {
                let mut after = position;
                after.play(m);
                after
            }));
        }
        next.sort_unstable_by_key(Position::key);
        next.dedup_by_key(|position| position.key());
        open = next;
    }
    open
}
