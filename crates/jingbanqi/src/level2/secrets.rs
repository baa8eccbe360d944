//! Secrets: what each side sees, and what it may know of pieces that it does not see.
//!
//! A position is the truth. [`Jingbanqi::seen_by`] makes one on which unseen pieces are their backs, by which everything is
//! shown and by which moves are listed. Sides are colours here and players elsewhere: a map with secrets exchanges none.

use kernel::{Eyes, Outcome, Problem, Side};

use super::compiled::Compiled2;
use super::hidden::{Fought, GONE, Hidden, Losses, Secrets, bit_of, kinds_that};
use super::turns::Sees;
use super::{Level2, MOST_COUNT};
use crate::position::{HIDDEN, Jingbanqi, Move, PROMOTED, READY, Standing};

impl Jingbanqi {
    /// Returns true if a side may see something in this game that the other does not.
    #[must_use]
    pub fn hides(&self) -> bool {
        self.second.as_ref().is_some_and(|progress| progress.secrets.is_some())
    }

    /// Hides what is hidden when a game begins from these pieces.
    pub(crate) fn hide_start(&mut self) {
        let Some((rules, compiled)) = self.book.level2().filter(|(_, compiled)| compiled.has_secrets) else {
            return;
        };
        let mut hidden = Vec::new();
        if rules.turns.sees == Sees::Own {
            for (at, &cell) in (0u16..).zip(&self.cells) {
                let kind = cell & !PROMOTED;
                let back = |kind: u16| compiled.kinds[usize::from(kind) - 1].back;
                let Some(side) = (if kind == 0 { None } else { self.book.owner(kind) }) else { continue };
                if let Some(own) = back(kind) {
                    let could = |other: u16| other == kind || self.may_begin(other, at);
                    let alike = kinds_that(compiled, side, |other| back(other) == Some(own) && could(other));
                    hidden.push(Hidden { at, side, kind, could: [alike; 2] });
                }
            }
        }
        let secrets = Secrets {
            eyes: Eyes::All,
            arranging: [rules.turns.setup; 2],
            exchanges: 0,
            hidden,
            left: Default::default(),
            drawn: vec![[0; 2]; rules.in_bags.len()],
            lost: vec![[0; 2]; rules.bags.len()],
        };
        if let Some(progress) = self.second.as_deref_mut() {
            progress.secrets = Some(Box::new(secrets));
        }
    }

    /// Returns true if this is a position as some eyes see it, and not the truth.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        self.eyes() != Eyes::All
    }

    /// Returns the position as `eyes` see it; see [`kernel::Notation::seen`].
    #[must_use]
    pub fn seen_by(&self, eyes: Eyes) -> Jingbanqi {
        let mut board = self.hidden_from(eyes);
        if board.is_seen() && !self.is_seen() {
            board.end = self.end_by_colour();
        }
        board
    }

    /// Returns the position as `eyes` see it while the game goes on: that a side is stuck is not looked for.
    pub(super) fn hidden_from(&self, eyes: Eyes) -> Jingbanqi {
        let mut board = self.clone();
        let Some((rules, compiled)) =
            self.book.level2().filter(|_| eyes != Eyes::All && self.hides() && !self.is_seen())
        else {
            return board;
        };
        let Some(progress) = board.second.as_deref_mut() else { return board };
        let Some(secrets) = progress.secrets.as_deref_mut() else { return board };
        secrets.eyes = eyes;
        for one in &mut secrets.hidden {
            if eyes.sees(one.side) || eyes == Eyes::Watcher {
                // What the other side has found out is its own secret.
                one.could[1] = one.could[0];
            }
            if !eyes.sees(one.side) && one.kind != 0 {
                secrets.left[one.side.index()].push(one.kind);
                if one.at != GONE {
                    let back = compiled.kinds[usize::from(one.kind) - 1].back;
                    board.cells[usize::from(one.at)] = back.unwrap_or(0);
                }
                one.kind = 0;
            }
        }
        secrets.left.iter_mut().for_each(|left| left.sort_unstable());
        if !eyes.sees(self.turn) {
            secrets.exchanges = 0;
        }
        for (place, one) in rules.in_bags.iter().enumerate() {
            for side in Side::BOTH.into_iter().filter(|&side| !eyes.sees(side)) {
                let count = std::mem::take(&mut secrets.drawn[place][side.index()]);
                progress.bags[place] += count;
                secrets.lost[usize::from(one.bag)][side.index()] += count;
            }
        }
        board
    }

    /// Returns a move as `eyes` see it: of an arrangement only its end, and of a piece that is drawn for one side that it was.
    pub(crate) fn seen_ply(&self, m: Move, eyes: Eyes) -> Move {
        if self.arranges(self.turn) && !eyes.sees(self.turn) && m.pick != READY {
            return Move::pressed(HIDDEN);
        }
        self.seen_lots(m, eyes)
    }

    /// The eyes that see this position; `All` for the truth and where nothing is hidden.
    pub(super) fn eyes(&self) -> Eyes {
        let secrets = self.second.as_ref().and_then(|progress| progress.secrets.as_ref());
        secrets.map_or(Eyes::All, |secrets| secrets.eyes)
    }

    /// The key of the position that everybody sees: repetitions of another would tell what stands there.
    pub(super) fn public_key(&self) -> u64 {
        use kernel::Position as _;
        if self.hides() { self.hidden_from(Eyes::Watcher).key() } else { self.key() }
    }

    /// The end of a fight between two kinds: `takes` adds kinds that fall and leaves out those that win, else the rank decides.
    pub(super) fn fight(&self, attacker: u16, other: u16) -> Fought {
        let kinds = &self.book.map().kinds;
        let [attacker, other] = [attacker, other].map(|kind| &kinds[usize::from(kind) - 1]);
        let rank = |kind: &crate::PieceKind| kind.level2.as_ref().map_or(0, |rules| rules.rank);
        let takes = attacker.level2.as_ref().and_then(|rules| rules.takes.as_ref());
        let has = |names: &[String]| names.contains(&other.name);
        match takes {
            Some(takes) if has(&takes.also) => Fought::Wins,
            Some(takes) if has(&takes.except) => Fought::Falls,
            _ => match rank(attacker).cmp(&rank(other)) {
                std::cmp::Ordering::Greater => Fought::Wins,
                std::cmp::Ordering::Less => Fought::Falls,
                std::cmp::Ordering::Equal => Fought::Both,
            },
        }
    }

    /// The kinds that a hidden piece could be that makes this move, by the board that its side sees; `None` where nothing is
    /// found out: it is seen, or this is not the truth.
    pub(super) fn could_make(&self, m: Move) -> Option<u64> {
        let (_, compiled) = self.book.level2()?;
        let secrets = self.second.as_deref()?.secrets.as_deref()?;
        let is_hidden = secrets.hidden.iter().any(|one| one.at == m.from);
        if secrets.eyes != Eyes::All || m.is_pressed() || m.is_drop() || m.from == m.to || !is_hidden {
            return None;
        }
        let mut board = self.hidden_from(Eyes::Seat(self.turn));
        Some(kinds_that(compiled, self.turn, |kind| {
            board.cells[usize::from(m.from)] = kind;
            let mut found = false;
            board.destinations2(m.from, Standing { id: kind, promoted: false }, |to| found |= to == m.to);
            found
        }))
    }

    /// Notes that a piece moved or attacked: where it stands now, what everybody knows of it, and what those who fought do.
    pub(super) fn note_move(
        &self,
        (rules, compiled): (&Level2, &Compiled2),
        secrets: &mut Secrets,
        m: Move,
        (could, attacker, other): (Option<u64>, u16, u16),
        fought: Fought,
    ) {
        let side = self.turn;
        if let (Some(could), Some(one)) = (could, secrets.on(m.from)) {
            one.could.iter_mut().for_each(|set| *set &= could);
        }
        if let Some(fight) = rules.turns.fight.filter(|_| other != 0) {
            let by_attacker = kinds_that(compiled, side, |kind| self.fight(kind, other) == fought);
            let by_other = kinds_that(compiled, side.other(), |kind| self.fight(attacker, kind) == fought);
            let [attacks, stands] = [m.from, m.to].map(|at| secrets.on(at).is_some());
            for (at, is_other_seen, found) in [(m.from, !stands, by_attacker), (m.to, !attacks, by_other)] {
                let Some(one) = secrets.on(at) else { continue };
                one.could[1] &= found;
                if is_other_seen {
                    one.could[0] &= found;
                }
            }
            if fight.shows {
                secrets.hidden.retain(|one| one.at != m.from && one.at != m.to);
            }
        }
        if other != 0 && fought != Fought::Falls {
            secrets.on(m.to).into_iter().for_each(|one| one.at = GONE);
        }
        let now = if fought == Fought::Wins { m.to } else { GONE };
        secrets.on(m.from).into_iter().for_each(|one| one.at = now);
    }

    /// Notes what the game going on tells: no captain has fallen, and no piece stands at its goal.
    pub(super) fn note_going_on(&mut self, m: Move, losses: Losses) {
        let book = std::sync::Arc::clone(&self.book);
        let Some((rules, compiled)) = book.level2().filter(|_| self.end.is_none()) else { return };
        let Some(secrets) = self.second.as_deref_mut().and_then(|progress| progress.secrets.as_deref_mut())
        else {
            return;
        };
        if losses != Losses::default() {
            for one in secrets.hidden.iter_mut().filter(|one| one.at == GONE) {
                let others = kinds_that(compiled, one.side, |kind| !book.is_captain(kind));
                one.could.iter_mut().for_each(|set| *set &= others);
            }
        }
        let goals = rules.turns.goals.iter().zip(&compiled.goals).filter(|(_, place)| place.contains(m.to));
        let reached: Vec<u16> = goals.flat_map(|(goal, _)| goal.kinds.iter().copied()).collect();
        let came = if losses.fallen == 0 { secrets.on(m.to) } else { None };
        if let Some(one) = came {
            let others = kinds_that(compiled, one.side, |kind| !reached.contains(&kind));
            one.could.iter_mut().for_each(|set| *set &= others);
        }
    }

    /// The field of a FEN with what is hidden, with a space before it; empty without secrets.
    pub(super) fn fen_secrets(&self) -> String {
        let Some(secrets) = self.second.as_ref().and_then(|progress| progress.secrets.as_ref()) else {
            return String::new();
        };
        let letter = |side: Side| ["r", "b"][side.index()];
        let eyes = match secrets.eyes {
            Eyes::All => "all",
            Eyes::Watcher => "w",
            Eyes::Seat(side) => letter(side),
        };
        let arranging: String =
            Side::BOTH.into_iter().filter(|side| secrets.arranging[side.index()]).map(letter).collect();
        let hidden = |one: &Hidden| {
            let at = if one.at == GONE { "x".to_owned() } else { one.at.to_string() };
            format!("{}{at}.{}.{:x}.{:x}", letter(one.side), one.kind, one.could[0], one.could[1])
        };
        let left = Side::BOTH.into_iter().flat_map(|side| {
            let kinds = secrets.left[side.index()].chunk_by(|a, b| a == b);
            kinds.map(move |kinds| format!("{}{}*{}", letter(side), kinds[0], kinds.len()))
        });
        let counted = |counts: &[[u16; 2]]| {
            let all = (1..)
                .zip(counts)
                .flat_map(|(place, counts)| Side::BOTH.map(|side| (side, place, counts[side.index()])));
            let some = all.filter(|(.., count)| *count > 0);
            listed(
                some.map(|(side, place, count): (Side, u32, u16)| format!("{}{place}*{count}", letter(side))),
            )
        };
        format!(
            " {eyes};{}{};{};{};{};{}",
            listed(Some(arranging).filter(|sides| !sides.is_empty()).into_iter()),
            if secrets.exchanges > 0 { format!(",{}", secrets.exchanges) } else { String::new() },
            listed(secrets.hidden.iter().map(hidden)),
            listed(left),
            counted(&secrets.drawn),
            counted(&secrets.lost),
        )
    }

    /// Reads the field of a FEN with what is hidden; only that of the truth.
    pub(super) fn read_secrets(&mut self, text: &str) -> Result<(), Problem> {
        let bad = |found: &str| Problem::new("jingbanqi-fen-secrets").with("found", found);
        self.hide_start();
        let Some((_, compiled)) = self.book.level2() else { return Ok(()) };
        let Some(mut secrets) = self.second.as_mut().and_then(|progress| progress.secrets.take()) else {
            return Err(bad(text));
        };
        let &["all", arranging, hidden, "-", drawn, "-"] = &text.split(';').collect::<Vec<_>>()[..] else {
            return Err(bad(text));
        };
        let (sides, exchanges) = arranging.split_once(',').unwrap_or((arranging, "0"));
        let may_arrange = std::mem::take(&mut secrets.arranging);
        for letter in sides.chars().filter(|c| *c != '-') {
            secrets.arranging[side_of(letter).ok_or_else(|| bad(arranging))?.index()] = true;
        }
        secrets.exchanges = exchanges.parse().map_err(|_| bad(arranging))?;
        let is_more = |side: Side| secrets.arranging[side.index()] && !may_arrange[side.index()];
        if Side::BOTH.into_iter().any(is_more) || secrets.exchanges >= super::MOST_STEPS {
            return Err(bad(arranging));
        }
        let could_hide = std::mem::take(&mut secrets.hidden);
        for text in hidden.split(',').filter(|text| *text != "-") {
            let one = read_hidden(text).ok_or_else(|| bad(text))?;
            let bit = bit_of(compiled, one.side, one.kind).ok_or_else(|| bad(text))?;
            let stands =
                one.at == GONE || could_hide.iter().any(|known| (known.at, known.kind) == (one.at, one.kind));
            let is_new = one.at == GONE || secrets.on(one.at).is_none();
            let could = one.could.iter().all(|set| set >> bit & 1 == 1 && fits(compiled, one.side, *set));
            if !stands || !is_new || !could || secrets.hidden.len() >= self.cells.len() {
                return Err(bad(text));
            }
            secrets.hidden.push(one);
        }
        for text in drawn.split(',').filter(|text| *text != "-") {
            let (side, place, count) = read_count(text).ok_or_else(|| bad(text))?;
            let drawn = place
                .checked_sub(1)
                .and_then(|place| secrets.drawn.get_mut(place))
                .ok_or_else(|| bad(text))?;
            drawn[side.index()] = count;
        }
        if let Some(progress) = self.second.as_deref_mut() {
            progress.secrets = Some(secrets);
        }
        Ok(())
    }

    /// The end by colour, that of a side without a move among them; `None` while the game goes on.
    fn end_by_colour(&self) -> Option<Outcome> {
        self.end.or_else(|| (!self.can_move2()).then(|| self.stuck2()))
    }
}

/// Returns true if a set has only kinds that there are.
fn fits(compiled: &Compiled2, side: Side, set: u64) -> bool {
    let count = compiled.backed[side.index()].len();
    count >= 64 || set >> count == 0
}

fn side_of(letter: char) -> Option<Side> {
    match letter {
        'r' => Some(Side::First),
        'b' => Some(Side::Second),
        _ => None,
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "-".to_owned() } else { items.join(",") }
}

fn read_hidden(text: &str) -> Option<Hidden> {
    let side = side_of(text.chars().next()?)?;
    let parts: Vec<&str> = text[1..].split('.').collect();
    let &[at, kind, all, other] = &parts[..] else { return None };
    let at = if at == "x" { GONE } else { at.parse().ok().filter(|&at| at != GONE)? };
    let set = |text: &str| u64::from_str_radix(text, 16).ok();
    Some(Hidden { at, side, kind: kind.parse().ok()?, could: [set(all)?, set(other)?] })
}

fn read_count(text: &str) -> Option<(Side, usize, u16)> {
    let side = side_of(text.chars().next()?)?;
    let (place, count) = text[1..].split_once('*')?;
    let count = count.parse().ok().filter(|count| (1..=MOST_COUNT as u16).contains(count))?;
    Some((side, place.parse().ok()?, count))
}
