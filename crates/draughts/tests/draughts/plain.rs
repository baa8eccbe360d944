//! A second generator, written for clarity from docs/rules/draughts.md and sharing nothing with the first but the
//! rules: a grid of signs, one piece, one jump at a time. Both list the same moves in random positions.

use std::collections::BTreeMap;

use crate::common::{KEYS, by_key};
use draughts::*;
use kernel::{Notation, Position, laws::Random};

/// The rules of a variant, in words of this file.
struct Plain {
    size: i32,
    /// True if every square is played on.
    all: bool,
    /// Directions as (right, up), for White.
    man_moves: &'static [(i32, i32)],
    man_takes: &'static [(i32, i32)],
    king_moves: &'static [(i32, i32)],
    king_takes: &'static [(i32, i32)],
    flying: bool,
    safe_kings: bool,
    right_behind: bool,
    stops_behind_king: bool,
    at_once: bool,
    turns_back: bool,
    promotion: &'static str,
    priority: &'static str,
}

const FORWARD: &[(i32, i32)] = &[(-1, 1), (1, 1)];
const DIAGONAL: &[(i32, i32)] = &[(-1, 1), (1, 1), (1, -1), (-1, -1)];
const EIGHT: &[(i32, i32)] = &[(-1, 1), (1, 1), (1, -1), (-1, -1), (0, 2), (2, 0), (0, -2), (-2, 0)];
const AHEAD: &[(i32, i32)] = &[(0, 1), (1, 0), (-1, 0)];
const CROSS: &[(i32, i32)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];

fn plain(key: &str) -> Plain {
    let international = Plain {
        size: 10,
        all: false,
        man_moves: FORWARD,
        man_takes: DIAGONAL,
        king_moves: DIAGONAL,
        king_takes: DIAGONAL,
        flying: true,
        safe_kings: false,
        right_behind: false,
        stops_behind_king: false,
        at_once: false,
        turns_back: true,
        promotion: "where it stops",
        priority: "most",
    };
    let small = Plain { size: 8, ..international };
    let forward = Plain { size: 8, man_takes: FORWARD, ..international };
    match key {
        "killer" => Plain { stops_behind_king: true, ..international },
        "frisian" | "frysk" => {
            Plain { man_takes: EIGHT, king_takes: EIGHT, priority: "value", ..international }
        }
        "brazilian" | "school" => small,
        "russian" => Plain { promotion: "captures on", priority: "any", ..small },
        "pool" => Plain { priority: "any", ..small },
        "english" => Plain { flying: false, promotion: "ends move", priority: "any", ..forward },
        "italian" => {
            Plain { flying: false, safe_kings: true, promotion: "ends move", priority: "italian", ..forward }
        }
        "spanish" => Plain { priority: "most, then kings", ..forward },
        "czech" => Plain { promotion: "ends move", priority: "with king", ..forward },
        "thai" => {
            Plain { right_behind: true, at_once: true, promotion: "ends move", priority: "any", ..forward }
        }
        "turkish" => Plain {
            all: true,
            man_moves: AHEAD,
            man_takes: AHEAD,
            king_moves: CROSS,
            king_takes: CROSS,
            at_once: true,
            turns_back: false,
            ..small
        },
        "canadian" => Plain { size: 12, ..international },
        "international" | "losing" => international,
        _ => panic!(
            "{key} is new: add to this match how its pieces move and capture, as docs/rules/draughts.md says it"
        ),
    }
}

/// A piece: colour and whether it is a king.
type Man = Option<(bool, bool)>;
type Place = (i32, i32);

/// A capture in the middle of its way.
#[derive(Clone)]
struct Way {
    at: Place,
    king: bool,
    promoted: bool,
    came: Option<Place>,
    taken: Vec<Place>,
    /// The squares on which it came down, the origin first.
    path: Vec<Place>,
    /// True if the last jump came down right behind the piece it captured.
    close: bool,
    /// True if it went straight on only from right behind a captured piece: so a way is written down.
    written: bool,
}

struct Grid<'a> {
    rules: &'a Plain,
    /// The pieces, by column from the left and row from the bottom.
    men: Vec<Vec<Man>>,
    white: bool,
}

impl Grid<'_> {
    fn new<'a, R: Rules>(rules: &'a Plain, pos: &Draughts<R>) -> Grid<'a> {
        let size = rules.size as usize;
        let mut men = vec![vec![None; size]; size];
        for colour in Colour::BOTH {
            let white = colour == Colour::White;
            let pieces = pos.men(colour).map(|s| (s, false)).chain(pos.kings(colour).map(|s| (s, true)));
            for (square, king) in pieces {
                men[square.file::<R>() as usize][size - 1 - square.row::<R>() as usize] = Some((white, king));
            }
        }
        Grid { rules, men, white: pos.colour() == Colour::White }
    }

    fn on_board(&self, (x, y): Place) -> bool {
        (0..self.rules.size).contains(&x) && (0..self.rules.size).contains(&y)
    }

    fn number(&self, (x, y): Place) -> i32 {
        let row = self.rules.size - 1 - y;
        if self.rules.all { row * 8 + x + 1 } else { row * self.rules.size / 2 + x / 2 + 1 }
    }

    fn at(&self, (x, y): Place) -> Man {
        self.men[x as usize][y as usize]
    }

    fn last_row(&self, (_, y): Place) -> bool {
        y == if self.white { self.rules.size - 1 } else { 0 }
    }

    /// Directions for the side to move.
    fn turned(&self, dirs: &[Place]) -> Vec<Place> {
        dirs.iter().map(|&(x, y)| (x, if self.white { y } else { -y })).collect()
    }

    fn own(&self) -> Vec<(Place, bool)> {
        let places = (0..self.rules.size).flat_map(|x| (0..self.rules.size).map(move |y| (x, y)));
        places.filter_map(|p| self.at(p).filter(|m| m.0 == self.white).map(|m| (p, m.1))).collect()
    }

    /// Every legal move: as Hub text, `=K` behind it when a man is promoted, and the numbers of the squares of its written way.
    fn moves(&self) -> BTreeMap<String, Vec<i32>> {
        let mut best = Vec::new();
        let mut captures = Vec::new();
        for (from, king) in self.own() {
            let way = Way {
                at: from,
                king,
                promoted: false,
                came: None,
                taken: Vec::new(),
                path: vec![from],
                close: true,
                written: true,
            };
            let mut ends = Vec::new();
            self.capture(from, &way, &mut ends);
            for end in ends {
                let value = self.value(king, &end);
                match value.cmp(&best) {
                    std::cmp::Ordering::Less => continue,
                    std::cmp::Ordering::Greater => captures.clear(),
                    std::cmp::Ordering::Equal => {}
                }
                best = value;
                let mut taken: Vec<i32> = end.taken.iter().map(|&p| self.number(p)).collect();
                taken.sort_unstable();
                let taken: String = taken.iter().map(|n| format!("x{n}")).collect();
                let promotes = !king && (end.promoted || self.last_row(end.at));
                let sign = if promotes { "=K" } else { "" };
                let text = format!("{}x{}{taken}{sign}", self.number(from), self.number(end.at));
                let path: Vec<i32> = end.path.iter().map(|&p| self.number(p)).collect();
                captures.push((text, end.written.then_some(path)));
            }
        }
        if !captures.is_empty() {
            let mut moves = BTreeMap::new();
            // Of all ways to the same end the first one that is written down.
            captures.sort_by(|a, b| b.cmp(a));
            for (text, path) in captures {
                let first = moves.entry(text).or_insert_with(Vec::new);
                if let Some(path) = path {
                    *first = path;
                }
            }
            return moves;
        }
        let mut quiet = BTreeMap::new();
        for (from, king) in self.own() {
            for (dx, dy) in self.turned(if king { self.rules.king_moves } else { self.rules.man_moves }) {
                let mut to = (from.0 + dx, from.1 + dy);
                while self.on_board(to) && self.at(to).is_none() {
                    let sign = if !king && self.last_row(to) { "=K" } else { "" };
                    let path = vec![self.number(from), self.number(to)];
                    quiet.insert(format!("{}-{}{sign}", path[0], path[1]), path);
                    if !king || !self.rules.flying {
                        break;
                    }
                    to = (to.0 + dx, to.1 + dy);
                }
            }
        }
        quiet
    }

    /// Returns the values the priority compares, the first number first.
    fn value(&self, king: bool, end: &Way) -> Vec<i32> {
        let is_king = |p: &Place| i32::from(self.at(*p).is_some_and(|m| m.1));
        let kings: i32 = end.taken.iter().map(is_king).sum();
        let all = end.taken.len() as i32;
        match self.rules.priority {
            "any" => vec![0],
            "most" => vec![all],
            "most, then kings" => vec![all, kings],
            "with king" => vec![i32::from(king)],
            "value" => vec![100 * (all - kings) + 199 * kings, i32::from(king)],
            "italian" => {
                [vec![all, i32::from(king), kings], end.taken.iter().map(is_king).collect()].concat()
            }
            other => panic!("{other}"),
        }
    }

    /// Adds every end of the captures that go on from `way`.
    fn capture(&self, origin: Place, way: &Way, ends: &mut Vec<Way>) {
        let empty =
            |p: Place| self.at(p).is_none() || p == origin || (self.rules.at_once && way.taken.contains(&p));
        for d in self.turned(if way.king { self.rules.king_takes } else { self.rules.man_takes }) {
            let step = |p: Place| (p.0 + d.0, p.1 + d.1);
            if !self.rules.turns_back && way.came == Some((-d.0, -d.1)) {
                continue;
            }
            let flying = way.king && self.rules.flying;
            let mut prey = step(way.at);
            while flying && self.on_board(prey) && empty(prey) {
                prey = step(prey);
            }
            let good = self.on_board(prey)
                && !empty(prey)
                && !way.taken.contains(&prey)
                && self.at(prey).is_some_and(|m| m.0 != self.white)
                && !(self.rules.safe_kings && !way.king && self.at(prey).is_some_and(|m| m.1));
            if !good {
                continue;
            }
            let mut landings = Vec::new();
            let mut to = step(prey);
            while self.on_board(to) && empty(to) {
                landings.push(to);
                if !flying || self.rules.right_behind {
                    break;
                }
                to = step(to);
            }
            self.land(origin, way, d, prey, &landings, ends);
        }
    }

    fn land(&self, origin: Place, way: &Way, d: Place, prey: Place, landings: &[Place], ends: &mut Vec<Way>) {
        let mut stops = Vec::new();
        let before = ends.len();
        for &at in landings {
            let mut next = Way { at, came: Some(d), ..way.clone() };
            next.taken.push(prey);
            next.path.push(at);
            next.written &= way.came != Some(d) || way.close;
            next.close = landings.first() == Some(&at);
            if !way.king && self.last_row(at) {
                match self.rules.promotion {
                    "ends move" => {
                        stops.push(next);
                        continue;
                    }
                    "captures on" => (next.king, next.promoted) = (true, true),
                    _ => {}
                }
            }
            self.capture(origin, &next, ends);
            stops.push(next);
        }
        if ends.len() > before {
            return; // who can capture on must
        }
        let last_is_king = self.at(prey).is_some_and(|m| m.1);
        if self.rules.stops_behind_king && way.king && last_is_king {
            stops.truncate(1);
        }
        ends.extend(stops);
    }
}

/// The same list from the crate.
fn listed<R: Rules>(pos: &Draughts<R>) -> BTreeMap<String, Vec<i32>> {
    let text = |m: Move<R>| format!("{}{}", pos.hub(m), if m.promotes() { "=K" } else { "" });
    let route = |m: Move<R>| pos.route(m).iter().map(|s| i32::from(s.number())).collect();
    pos.legal().into_iter().map(|m| (text(m), route(m))).collect()
}

fn compare<R: Rules>(pos: &Draughts<R>, rules: &Plain, seed: u64) {
    let (ours, plain) = (listed(pos), Grid::new(rules, pos).moves());
    assert_eq!(ours, plain, "{} {} (seed {seed})", R::KEY, pos.fen());
    assert_eq!(pos.count(), plain.len() as u64, "count in {} {} (seed {seed})", R::KEY, pos.fen());
    let after: u64 = pos
        .legal()
        .iter()
        .map(|&m| {
            let mut next = *pos;
            next.play(m);
            next.count()
        })
        .sum();
    assert_eq!(pos.count_after(&pos.legal()), after, "count after in {} {} (seed {seed})", R::KEY, pos.fen());
}

/// A position with pieces strewn about, men anywhere but on their last row.
fn strewn<R: Rules>(random: &mut Random) -> Draughts<R> {
    let (n, per_row) = (usize::from(squares::<R>()), squares::<R>() / R::SIDE);
    let mut lists = [Vec::new(), Vec::new()];
    let many = 2 + random.below(n / 3);
    let kings = random.below(4);
    let mut free: Vec<u8> = (1..=squares::<R>()).collect();
    for _ in 0..many {
        let square = free.swap_remove(random.below(free.len()));
        let colour = random.below(2);
        let last = if colour == 0 { square <= per_row } else { square > squares::<R>() - per_row };
        let king = last || random.below(4) < kings;
        lists[colour].push(format!("{}{square}", if king { "K" } else { "" }));
    }
    let turn = ["W", "B"][random.below(2)];
    let fen = format!("{turn}:W{}:B{}", lists[0].join(","), lists[1].join(","));
    Draughts::<R>::start().read_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn check<R: Rules>() {
    let rules = plain(R::KEY);
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    for seed in 1..=if deep { 20_000 } else { 400 } {
        compare(&strewn::<R>(&mut Random(seed)), &rules, seed);
    }
    // And what games come to.
    for seed in 1..=if deep { 400 } else { 12 } {
        let (mut pos, mut random) = (Draughts::<R>::start(), Random(seed));
        for _ in 0..120 {
            // The limit on Frisian kings is not a matter of geometry: tests/rules.rs has it.
            compare(&pos.read_fen(&pieces(&pos)).expect("a FEN is read back"), &rules, seed);
            let moves = pos.legal();
            if moves.is_empty() {
                break;
            }
            pos.play(moves[random.below(moves.len())]);
        }
    }
}

/// The FEN without its counters.
fn pieces<R: Rules>(pos: &Draughts<R>) -> String {
    pos.fen().split(':').take(3).collect::<Vec<_>>().join(":")
}

#[test]
fn both_generators_list_the_same_moves() {
    // Breakthrough differs from international in its end only.
    for &key in KEYS.iter().filter(|&&key| key != "breakthrough") {
        by_key!(key, check());
    }
}

/// Positions that long runs of the test above stumbled over.
#[test]
fn both_generators_agree_where_they_did_not() {
    fn row<R: Rules>(fen: &str) {
        let pos = Draughts::<R>::start().read_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        compare(&pos, &plain(R::KEY), 0);
    }
    for (key, fen) in [
        // Written as if a piece could stop where it must capture on.
        ("russian", "B:WK1,K6,K7,K16,17,K18,K22,K24,28:BK9,K15"),
        // Written as if a man were a king before it was one.
        ("russian", "B:WK2,7,8,9,19:B4,10,14,26,27"),
        // Written with a man before the king that must be captured first.
        ("italian", "W:WK3,K8,17,K24,29,K32:B11,19,20,27,K28"),
        // Written as if a king could go on behind the last captured king.
        ("killer", "W:WK8,K11,K16,29,K36,K43,44,K45:BK6,K19,K22,K23,K34,K35,38,K49"),
    ] {
        by_key!(key, row(fen));
    }
}
