//! Description of a piece for players: sentence by sentence, as keys and facts of the messages `detail-<key>`.
//!
//! A headline such as `detail-section` stands before the lines that belong to it. Arrows point as red sees the board.
//! Since `&` means *or* and directions add up, each place of a rule is a line of its own.

use std::collections::{HashMap, HashSet};

use kernel::{Problem, Side};

use crate::extension::Detail;
use crate::level2::KindRules;
use crate::level2::ways::{ANY_DISTANCE, Course, Mode, Way};
use crate::position::Jingbanqi;
use crate::rule::{Item, Place, PlaceRule, move_rule, place_rule};
use crate::rulebook::{BUILT_IN, Map, OLD_BUILT_IN, PieceKind};

/// The arrows of directions 1 to 8.
const ARROWS: [char; 8] = ['↖', '↑', '↗', '←', '→', '↙', '↓', '↘'];
/// The sign in place of an arrow before the places of a promotion.
const RISES: &str = "⇧";
/// The conventional meanings of the sections of a move rule.
const SECTIONS: [&str; 6] = ["step", "far", "shield", "prohibition", "jump", "ignore"];

/// Describes each piece of the table, in its order. `supplied`: the names of places that something loaded explains.
///
/// ```
/// # const MOUNTAINS: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx"));
/// let map = jingbanqi::read(MOUNTAINS).map.unwrap();
/// let told = jingbanqi::words::kinds(&map, &[]);
/// assert_eq!(told.len(), map.kinds.len());
/// assert_eq!(told[0][0].arg("name"), Some(map.kinds[0].name.as_str()));
/// ```
#[must_use]
pub fn kinds(map: &Map, supplied: &[&str]) -> Vec<Vec<Problem>> {
    let teller = Teller::new(map, supplied);
    (1..).zip(&map.kinds).map(|(id, kind)| teller.kind(id, kind)).collect()
}

impl Jingbanqi {
    /// Describes the piece on a square; empty for a vacant one.
    pub(crate) fn told(&self, square: u16) -> Vec<Problem> {
        let map = self.book().map();
        let Some(piece) = (usize::from(square) < map.squares()).then(|| self.present(square)).flatten()
        else {
            return Vec::new();
        };
        let Some(detail) = self.detail_at(square) else { return Vec::new() };
        let about = self.extensions().map(|extensions| extensions.about()).unwrap_or_default();
        let mut supplied: Vec<&str> =
            about.iter().flat_map(|about| &about.places).map(String::as_str).collect();
        if self.book().old_names() {
            supplied.extend(OLD_BUILT_IN);
        }
        let usual = &map.kinds[usize::from(piece.id) - 1].name;
        let name = piece.name.as_deref().unwrap_or(usual);
        let teller = Teller::new(map, &supplied);
        let mut told = vec![headline(name, piece.id, piece.owner, piece.captain, piece.promoted)];
        told.push(now(&detail));
        match &map.kinds[usize::from(piece.id) - 1].level2 {
            Some(rules) => teller.rules2(&mut told, rules, piece.promoted),
            None => {
                teller.rules(&mut told, [&detail.rule, &detail.promotes, &detail.promoted], piece.promoted);
            }
        }
        told.extend(self.turns_at(square).map(|turns| self.told_turns(turns)));
        let attributes = detail.attributes.iter();
        told.extend(attributes.map(|(name, value)| attribute(name, value)));
        told
    }
}

/// The data that descriptions need: the map, and the names of places that are known.
struct Teller<'a> {
    map: &'a Map,
    known: HashSet<&'a str>,
}

impl<'a> Teller<'a> {
    fn new(map: &'a Map, supplied: &[&'a str]) -> Teller<'a> {
        Teller { map, known: BUILT_IN.iter().chain(supplied).copied().collect() }
    }

    fn kind(&self, id: u16, kind: &PieceKind) -> Vec<Problem> {
        let mut told = vec![headline(&kind.name, id, kind.owner, kind.captain, false)];
        match &kind.level2 {
            Some(rules) => self.rules2(&mut told, rules, false),
            None => {
                let texts = kind.texts();
                self.rules(&mut told, [&texts[0], &texts[1], &texts[2]], false);
            }
        }
        told.extend(kind.attributes.iter().map(|(name, value)| attribute(name, &value.shown())));
        told
    }

    /// The rule that counts now; and of a piece that can still promote, where, and its rule then.
    fn rules(&self, told: &mut Vec<Problem>, [rule, promotes, promoted]: [&str; 3], has_promoted: bool) {
        if has_promoted {
            return self.moves(told, promoted);
        }
        self.moves(told, rule);
        if promotes.is_empty() || !self.map.promotion {
            return;
        }
        told.push(Problem::new("promotes"));
        match place_rule(promotes) {
            Ok(places) => places.0.iter().for_each(|place| told.push(self.place(RISES, place))),
            Err(_) => told.push(Problem::new("rule").with("text", promotes)),
        }
        told.push(Problem::new("then"));
        self.moves(told, promoted);
    }

    /// The ways of level 2 that count now; and of a piece that can still promote, where, and its ways then.
    fn rules2(&self, told: &mut Vec<Problem>, rules: &KindRules, has_promoted: bool) {
        let ways = |told: &mut Vec<Problem>, ways: &[Way]| {
            if ways.is_empty() {
                told.push(Problem::new("still"));
            }
            told.extend(ways.iter().map(way_line));
        };
        if has_promoted {
            return ways(told, &rules.ways[1]);
        }
        ways(told, &rules.ways[0]);
        if rules.promotes.0.is_empty() || !self.map.promotion {
            return;
        }
        told.push(Problem::new("promotes"));
        told.push(Problem::new("rule").with("text", &rules.texts[1]));
        if rules.becomes.is_empty() {
            told.push(Problem::new("then"));
            ways(told, &rules.ways[1]);
        } else {
            let name = |&kind: &u16| self.map.kinds[usize::from(kind) - 1].name.as_str();
            let names: Vec<&str> = rules.becomes.iter().map(name).collect();
            told.push(Problem::new("becomes").with("names", names.join(" / ")));
        }
    }

    fn moves(&self, told: &mut Vec<Problem>, text: &str) {
        // An extension may have changed a rule to something that no map could say.
        let Ok(rule) = move_rule(text) else {
            return told.push(Problem::new("rule").with("text", text));
        };
        let before = told.len();
        for (i, items) in rule.sections.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
            let name = SECTIONS.get(i).copied().unwrap_or("other");
            told.push(Problem::new("section").with("section", name).with("number", i + 1));
            told.extend(self.section(items));
        }
        if told.len() == before {
            told.push(Problem::new("still"));
        }
    }

    /// A line for each condition of a section, with the directions under it.
    fn section(&self, items: &[Item]) -> Vec<Problem> {
        let mut lines: Vec<(Option<&Place>, Vec<i64>)> = Vec::new();
        let mut line_of: HashMap<Option<&Place>, usize> = HashMap::new();
        let mut never: Vec<i64> = Vec::new();
        let mut add = |place, direction| {
            let at = *line_of.entry(place).or_insert(lines.len());
            if at == lines.len() {
                lines.push((place, Vec::new()));
            }
            lines[at].1.push(direction);
        };
        for item in items {
            match &item.when {
                None => add(None, item.direction),
                Some(PlaceRule(places)) if places.is_empty() => never.push(item.direction),
                Some(PlaceRule(places)) => places.iter().for_each(|place| add(Some(place), item.direction)),
            }
        }
        let line = |(place, directions): (Option<&Place>, Vec<i64>)| match place {
            None => Problem::new("anywhere").with("arrows", arrows(&directions)),
            Some(place) => self.place(&arrows(&directions), place),
        };
        let mut told: Vec<Problem> = lines.into_iter().map(line).collect();
        if !never.is_empty() {
            told.push(Problem::new("never").with("arrows", arrows(&never)));
        }
        told
    }

    /// Describes the places on which a piece must stand for those directions.
    fn place(&self, arrows: &str, place: &Place) -> Problem {
        let line = |key| Problem::new(key).with("arrows", arrows);
        let name = place.name.as_str();
        let raw = || PlaceRule(vec![place.clone()]).to_string();
        if !self.known.contains(name) {
            return line("unknown").with("place", raw());
        }
        let args = place.args.as_slice();
        let (rows, cols) = (self.map.rows, self.map.cols);
        let told = match (name, args) {
            ("X", _) => listed(line("rows"), "rows", args.iter().filter_map(|&a| resolved(a, rows))),
            ("Y", _) => listed(line("cols"), "cols", args.iter().filter_map(|&a| resolved(a, cols))),
            ("P", _) => listed(line("points"), "points", self.points(args)),
            ("NP", _) => listed(line("not-points"), "points", self.points(args)),
            ("T", &[id, ..]) => Some(self.piece(line("gone"), id)),
            ("C", &[id, least, most, ..]) => {
                let key = if id == 0 { "count-all" } else { "count" };
                Some(self.piece(line(key), id).with("least", least).with("most", most))
            }
            ("D", &[id, than, steps, ..]) => self.distance(line("distance"), id, than, steps),
            ("R", &[id, than, steps, ref sides @ ..]) => {
                let told = self.distance(line("beside"), id, than, steps);
                told.map(|told| told.with("sides", self::arrows(sides)))
            }
            _ => Some(line("named").with("place", raw())),
        };
        told.unwrap_or_else(|| line("never"))
    }

    fn points<'b>(&'b self, args: &'b [i64]) -> impl Iterator<Item = String> + 'b {
        let point = |pair: &[i64]| {
            let (row, col) = (resolved(pair[0], self.map.rows)?, resolved(pair[1], self.map.cols)?);
            Some(format!("({row},{col})"))
        };
        args.chunks_exact(2).filter_map(point)
    }

    fn piece(&self, line: Problem, id: i64) -> Problem {
        let kind = usize::try_from(id - 1).ok().and_then(|at| self.map.kinds.get(at));
        line.with("piece", kind.map_or("?", |kind| &kind.name)).with("id", id)
    }

    fn distance(&self, line: Problem, id: i64, than: i64, steps: i64) -> Option<Problem> {
        let relation = match than {
            0 => "at",
            1 => "farther",
            -1 => "nearer",
            _ => return None,
        };
        Some(self.piece(line, id).with("relation", relation).with("steps", steps))
    }
}

/// Describes one way of level 2.
fn way_line(way: &Way) -> Problem {
    let yes = |set: bool| if set { "yes" } else { "no" };
    let (course, arrows, count) = match way.course {
        Course::Line(direction, most) => {
            let course = match most {
                1 => "step",
                ANY_DISTANCE => "far",
                _ => "up-to",
            };
            (course, arrows(&[i64::from(direction) + 1]), most.to_string())
        }
        Course::Leap(down, right) => ("leap", format!("{down}:{right}"), String::new()),
    };
    let mode = match way.mode {
        Mode::Any => "any",
        Mode::Walk => "walk",
        Mode::Take => "take",
    };
    let line = Problem::new("way").with("course", course).with("arrows", arrows).with("count", count);
    let line = line.with("mode", mode).with("over", yes(way.over)).with("lame", yes(way.lame));
    line.with("bound", yes(way.when.is_some()))
}

fn headline(name: &str, id: u16, owner: Option<Side>, captain: bool, promoted: bool) -> Problem {
    let side = owner.map_or("neutral", |side| ["red", "blue"][side.index()]);
    let yes = |set: bool| if set { "yes" } else { "no" };
    let told = Problem::new("piece").with("name", name).with("id", id).with("side", side);
    told.with("captain", yes(captain)).with("promoted", yes(promoted))
}

/// The directions that hold at this moment.
fn now(detail: &Detail) -> Problem {
    let section = |i: usize| detail.now.get(i).map(|directions| arrows(directions)).unwrap_or_default();
    let (near, far) = (section(0), section(1));
    let reach = match (near.is_empty(), far.is_empty()) {
        (true, true) => "none",
        (false, true) => "near",
        (true, false) => "far",
        (false, false) => "both",
    };
    Problem::new("now").with("near", near).with("far", far).with("reach", reach)
}

fn attribute(name: &str, value: &str) -> Problem {
    Problem::new("attribute").with("name", name).with("value", value)
}

/// A line with a list that is not empty.
fn listed(
    line: Problem,
    name: &'static str,
    items: impl Iterator<Item = impl std::fmt::Display>,
) -> Option<Problem> {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    (!items.is_empty()).then(|| line.with(name, items.join(", ")))
}

/// A coordinate as people count it, from 1; `None` off the board.
fn resolved(written: i64, length: u8) -> Option<i64> {
    let place =
        if written > 0 { written } else { written.saturating_add(i64::from(length)).saturating_add(1) };
    (1..=i64::from(length)).contains(&place).then_some(place)
}

/// Directions as arrows, each once; numbers that are no directions as they are.
fn arrows(directions: &[i64]) -> String {
    let mut known: Vec<i64> = directions.to_vec();
    known.sort_unstable();
    known.dedup();
    let arrow = |&d: &i64| {
        let at = usize::try_from(d - 1).ok();
        at.and_then(|at| ARROWS.get(at)).map_or_else(|| format!(" {d} "), char::to_string)
    };
    known.iter().map(arrow).collect()
}
