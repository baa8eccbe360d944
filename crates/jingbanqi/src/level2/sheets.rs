//! Reading of the sheets of level 2, after the table of pieces and the board.

use std::collections::{BTreeSet, HashSet};

use kernel::{Problem, Side};

use super::bags::{Bags, InBag};
use super::nearest::nearest;
use super::turns::{Facts, Rules2, Sees, is_mark, read};
use super::ways::{Course, Places, Way, places, ways};
use super::{
    BoardKind, COLOURS, ICONS, InHand, KindRules, Level2, Look, MOST_CHOICES, MOST_COUNT, Sheets2, Takes,
    TurnsOver, UNLIMITED,
};
use crate::rule::integer;
use crate::rulebook::Map;
use crate::sheet::{At, Sheet};

/// The name of terrain that is no square, in both languages.
const OFF: [&str; 2] = ["off", "无"];
/// The letters that no name of terrain may have: they mean something in rules of places.
const RESERVED: [char; 11] = ['[', ']', '(', ')', '|', '&', '+', '!', ',', ';', '/'];
/// The most problems that are looked for.
const MOST_FOUND: usize = 20;
/// The most different places of a map: each is a table of squares.
const MOST_PLACES: usize = 4096;
/// The most names of terrain.
const MOST_TERRAIN: usize = 256;

/// The columns of the table of pieces that level 2 reads, in English and Chinese.
const WITHIN: [&str; 2] = ["within", "活动"];
const TAKES: [&str; 2] = ["takes", "可吃"];
const RANK: [&str; 2] = ["rank", "级"];
const HAND: [&str; 2] = ["hand", "俘虏"];
const BECOMES: [&str; 2] = ["becomes", "升为"];
const TURNS: [&str; 2] = ["turns", "翻开"];
const BACK: [&str; 2] = ["back", "背面"];

/// The most kinds of a side that have a back: sets of them are one number.
const MOST_BACKS: usize = 64;
/// The most pieces of a map that begin unseen.
const MOST_HIDDEN: usize = 256;

/// The sheets of level 2, and the rules of the pieces as text.
#[derive(Default)]
pub(crate) struct Second {
    pub sheets: Sheets2,
    /// The cells E, F and G of each piece.
    pub texts: Vec<[String; 3]>,
    /// The headings of the further columns of the table of pieces, and their columns.
    pub columns: Vec<(String, u32)>,
    /// True if a map with secrets may be read: only by those who show nothing to anybody but its seen positions.
    pub may_hide: bool,
}

/// A problem with its sheet and cell.
pub(crate) type Found = (&'static str, At, Problem);

/// Returns true if a sheet begins with the mark.
pub(crate) fn is_marked(sheet: &Sheet) -> bool {
    sheet.text((0, 0)).is_some_and(|text| is_mark(&text))
}

/// Returns true if a rule of moves that level 1 refuses is one of level 2.
pub(crate) fn leads_to_level_2(text: &str) -> bool {
    ways(text).is_ok()
}

impl Second {
    /// Reads what the sheets say beside the pieces and the board of `map`, which gets it.
    pub fn read(mut self, map: &mut Map) -> Vec<Found> {
        self.sheets.trim();
        let mut found = Vec::new();
        let terrain = self.terrain(map, &mut found);
        let known: BTreeSet<&str> = terrain.iter().flatten().map(String::as_str).collect();
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let pieces: Vec<String> = map.kinds.iter().map(|kind| kind.name.clone()).collect();
        let attributes: Vec<String> = self.columns.iter().map(|(heading, _)| heading.clone()).collect();
        let facts = Facts::new(&pieces, &known, &attributes);
        let bags = self.bags(map, &facts, &mut found);
        let rules = read(&self.sheets.rules2, &facts, self.lots(map, &bags).is_some());
        found.extend(rules.problems.iter().map(|(at, problem)| ("rules2", *at, problem.clone())));
        let kinds = self.kinds(map, &facts, (&rules, &bags), &mut found);
        self.secrets(map, &kinds, (&rules, &bags), &mut found);
        let (looks, hands) = (self.looks(&facts, &mut found), self.hands(map, &facts, &mut found));
        self.pieces_off(map, &terrain, &mut found);
        for (kind, rules) in map.kinds.iter_mut().zip(kinds) {
            kind.level2 = Some(Box::new(rules));
        }
        map.promotion = rules.promotion;
        map.undo = rules.undo;
        map.neutral_limit = rules.neutral_limit;
        let Rules2 { turns, board, .. } = rules;
        let sheets = self.sheets;
        let Bags { names: bags, pieces: in_bags, .. } = bags;
        let level2 = Level2 { sheets, board, terrain, looks, turns, hands, bags, in_bags, first: None };
        map.level2 = Some(Box::new(level2));
        found
    }

    /// The names of terrain on each square; [`OFF`] by its English name.
    fn terrain(&self, map: &Map, found: &mut Vec<Found>) -> Vec<Vec<String>> {
        let (rows, cols) = (usize::from(map.rows), usize::from(map.cols));
        let mut terrain = vec![Vec::new(); rows * cols];
        let mut known: Vec<&str> = Vec::new();
        for (row, cells) in self.sheets.terrain.iter().enumerate() {
            if found.len() >= MOST_FOUND {
                break;
            }
            for (col, text) in cells.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
                let at = (row as u32, col as u32);
                if row >= rows || col >= cols {
                    let problem = Problem::new("map-terrain-off-board").with("text", text);
                    found.push(("terrain", at, problem.with("rows", rows).with("cols", cols)));
                    continue;
                }
                for name in text.split('/').map(str::trim) {
                    if name.is_empty() || name.contains(RESERVED) {
                        found.push(("terrain", at, Problem::new("map-bad-terrain").with("text", text)));
                        break;
                    }
                    let name = if OFF.contains(&name) { OFF[0] } else { name };
                    if !known.contains(&name) {
                        known.push(name);
                    }
                    let here: &mut Vec<String> = &mut terrain[row * cols + col];
                    if !here.iter().any(|known| known == name) {
                        here.push(name.to_owned());
                    }
                }
                if known.len() > MOST_TERRAIN {
                    let problem = Problem::new("map-too-large").with("text", known.len());
                    found.push(("terrain", at, problem.with("most", MOST_TERRAIN)));
                    return terrain;
                }
            }
        }
        terrain
    }

    /// Refuses pieces that stand where there is no square.
    fn pieces_off(&self, map: &Map, terrain: &[Vec<String>], found: &mut Vec<Found>) {
        let cols = usize::from(map.cols);
        for (at, names) in terrain.iter().enumerate() {
            if map.start[at] > 0 && is_off(names) {
                let place = ((at / cols) as u32 + 1, (at % cols) as u32);
                found.push(("map", place, Problem::new("map-piece-off").with("text", map.start[at])));
            }
        }
    }

    fn kinds(
        &self,
        map: &Map,
        facts: &Facts<'_>,
        (rules, bags): (&Rules2, &Bags),
        found: &mut Vec<Found>,
    ) -> Vec<KindRules> {
        let mut kinds: Vec<KindRules> = Vec::new();
        let mut different: HashSet<Places> = HashSet::new();
        // Looking for the nearest word takes time, and few problems are told.
        for at in 0..map.kinds.len() {
            if found.len() >= MOST_FOUND {
                break;
            }
            let kind = self.kind(map, at, facts, (rules, bags), found);
            let conditions = kind.ways.iter().flatten().filter_map(|way| way.when.as_ref());
            different.extend(conditions.chain([&kind.promotes]).chain(&kind.within).cloned());
            if different.len() > MOST_PLACES {
                let problem = Problem::new("map-too-large").with("text", different.len());
                found.push(("chesses", (at as u32 + 1, 4), problem.with("most", MOST_PLACES)));
                break;
            }
            kinds.push(kind);
        }
        if found.len() < MOST_FOUND && kinds.len() == map.kinds.len() {
            let used: Vec<u16> = kinds.iter().filter_map(|kind| kind.turns).map(|turns| turns.bag).collect();
            found.extend(bags.unused(&used).map(|(row, problem)| ("bag", (row, 0), problem)));
        }
        kinds.resize_with(map.kinds.len(), KindRules::default);
        kinds
    }

    fn kind(
        &self,
        map: &Map,
        at: usize,
        facts: &Facts<'_>,
        (rules, bags): (&Rules2, &Bags),
        found: &mut Vec<Found>,
    ) -> KindRules {
        let row = at as u32 + 1;
        let texts = self.texts.get(at).cloned().unwrap_or_default();
        let owner = map.kinds[at].owner;
        let mut bad = |col: u32, problem: Problem| found.push(("chesses", (row, col), problem));
        let mut ways = [Vec::new(), Vec::new()];
        for (read, (col, text)) in ways.iter_mut().zip([(4, &texts[0]), (6, &texts[2])]) {
            // A piece that does not promote, or becomes another, needs no promoted rule.
            if col == 6 && text.trim().is_empty() {
                continue;
            }
            match self::ways(text) {
                Ok(rule) => {
                    let problem = on_board(&rule, text, rules, facts);
                    problem.into_iter().for_each(|problem| bad(col, problem));
                    *read = rule;
                }
                Err(problem) => bad(col, crate::sheet::of_cell(problem, text)),
            }
        }
        let read_places = |text: &str| {
            let read = places(text).map_err(|problem| crate::sheet::of_cell(problem, text))?;
            let unknown = read.terrain().find_map(|name| facts.no_terrain(name));
            unknown.map_or(Ok(read), Err)
        };
        let promotes = read_places(&texts[1]).unwrap_or_else(|problem| {
            bad(5, problem);
            Places::default()
        });
        let cell = |names: [&str; 2]| self.cell(map, at, names);
        let mut rules = KindRules { texts, ways, promotes, ..KindRules::default() };
        if let Some((col, text)) = cell(TURNS) {
            match bags.turns(&text, map.squares()) {
                Ok(turns) => rules.turns = Some(turns),
                Err(problem) => bad(col, problem),
            }
            let other = [(5, rules.texts[1].clone())].into_iter().chain(cell(BECOMES));
            for (col, text) in other.filter(|(_, text)| !text.trim().is_empty()) {
                bad(col, Problem::new("map-turns-promotes").with("text", text));
            }
        }
        if let Some((col, text)) = cell(WITHIN) {
            match read_places(&text) {
                Ok(places) => rules.within = Some(places),
                Err(problem) => bad(col, problem),
            }
        }
        if let Some((col, text)) = cell(RANK) {
            match integer(&text) {
                Some(rank) => rules.rank = rank,
                None => bad(col, Problem::new("map-bad-rank").with("text", text)),
            }
        }
        if let Some((col, text)) = cell(TAKES) {
            match takes(&text, facts) {
                Ok(takes) => rules.takes = Some(takes),
                Err(problem) => bad(col, problem),
            }
        }
        if let Some((col, text)) = cell(HAND) {
            // It is the taker's then: of several pieces of that name the taker's is meant.
            match one_kind(map, &text, owner.map(Side::other), facts) {
                Ok(kind) => rules.hand = Some(kind),
                Err(problem) => bad(col, problem),
            }
        }
        if let Some((col, text)) = cell(BECOMES) {
            let kinds: Result<Vec<u16>, Problem> =
                text.split('/').map(|name| one_kind(map, name.trim(), owner, facts)).collect();
            match kinds {
                Ok(kinds) if kinds.len() <= MOST_CHOICES => rules.becomes = kinds,
                Ok(_) => bad(
                    col,
                    Problem::new("map-too-many-choices").with("text", text).with("most", MOST_CHOICES),
                ),
                Err(problem) => bad(col, problem),
            }
        }
        if let Some((col, text)) = cell(BACK) {
            match facts.kinds(&text).into_iter().find(|&kind| map.kinds[usize::from(kind) - 1].owner == owner)
            {
                Some(_) if owner.is_none() => bad(col, Problem::new("map-back-neutral").with("text", text)),
                Some(kind) => rules.back = Some(kind),
                None => bad(col, Problem::new("map-back-unknown").with("text", text)),
            }
        }
        rules.becomes.dedup();
        rules
    }

    /// The cell of the first piece that is drawn for one side alone, when it is taken.
    fn lots(&self, map: &Map, bags: &Bags) -> Option<(At, String)> {
        (0..map.kinds.len()).find_map(|at| {
            let (col, text) = self.cell(map, at, TURNS)?;
            let turns = bags.turns(&text, map.squares()).ok()?;
            turns.taken.then_some(((at as u32 + 1, col), text))
        })
    }

    /// Checks how pieces with backs, and those that are drawn for one side, go with the rest of the map; and refuses maps with
    /// secrets unless [`may_hide`](Second::may_hide) is set.
    fn secrets(
        &self,
        map: &Map,
        kinds: &[KindRules],
        (rules, bags): (&Rules2, &Bags),
        found: &mut Vec<Found>,
    ) {
        let hides = rules.turns.sees == Sees::Own;
        let lots = self.lots(map, bags);
        if !self.may_hide {
            let word = ["sees", "fight", "setup"].into_iter().filter_map(|word| rules.cell_of(word)).next();
            let is_own = hides || rules.turns.fight.is_some() || rules.turns.setup;
            let later = |text: &str| Problem::new("map-secrets-later").with("text", text);
            match (word.filter(|_| is_own), &lots) {
                (Some(at), _) => found.push(("rules2", at, later("sees"))),
                (None, Some((at, text))) => found.push(("chesses", *at, later(text))),
                (None, None) => {}
            }
        }
        let cell = |at: usize, names: [&str; 2]| self.cell(map, at, names);
        let at = |at: usize, col: u32| (at as u32 + 1, col);
        for (row, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.back.is_some()) {
            // What it becomes, or is in a hand, would be told or change what is left.
            let promotes = (5, kind.texts[1].clone());
            let more = [promotes]
                .into_iter()
                .chain(cell(row, BECOMES))
                .chain(cell(row, HAND))
                .chain(cell(row, TURNS));
            for (col, text) in more.filter(|(_, text)| !text.trim().is_empty()) {
                found.push(("chesses", at(row, col), Problem::new("map-back-changes").with("text", text)));
            }
            let back = kind.back.map_or(0, usize::from);
            let is_twice = kinds.get(back.wrapping_sub(1)).is_some_and(|other| other.back.is_some());
            if let Some((col, text)) = cell(row, BACK).filter(|_| is_twice) {
                found.push(("chesses", at(row, col), Problem::new("map-back-twice").with("text", text)));
            }
            if bags.pieces.iter().any(|one| usize::from(one.kind) == row + 1) {
                let col = cell(row, BACK).map_or(0, |(col, _)| col);
                let text = &map.kinds[row].name;
                found.push(("chesses", at(row, col), Problem::new("map-back-bag").with("text", text)));
            }
        }
        for side in Side::BOTH {
            let backed = (0..kinds.len())
                .filter(|&row| kinds[row].back.is_some() && map.kinds[row].owner == Some(side));
            let rows: Vec<usize> = backed.collect();
            if let Some(&row) = rows.get(MOST_BACKS) {
                let problem = Problem::new("map-too-large").with("text", rows.len()).with("most", MOST_BACKS);
                found.push(("chesses", at(row, 0), problem));
            }
        }
        let is_hidden = |kind: u16| kind > 0 && kinds[usize::from(kind) - 1].back.is_some();
        let count = map.start.iter().filter(|&&kind| is_hidden(kind)).count();
        if count > MOST_HIDDEN {
            let problem = Problem::new("map-too-large").with("text", count).with("most", MOST_HIDDEN);
            found.push(("map", (1, 0), problem));
        }
        if hides && count == 0 {
            let sees = rules.cell_of("sees").unwrap_or_default();
            found.push(("rules2", sees, Problem::new("map-no-back")));
        }
        let Some((lot, _)) = lots else { return };
        for (row, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.becomes.len() > 1) {
            let col = cell(row, BECOMES).map_or(0, |(col, _)| col);
            let problem = Problem::new("map-lots-becomes").with("text", map.kinds[row].name.as_str());
            found.push(("chesses", at(row, col), problem.with("count", kind.becomes.len())));
        }
        for (bag, name) in (0u16..).zip(&bags.names) {
            let turned = |kind: &u16| kind.checked_sub(1).and_then(|row| kinds[usize::from(row)].turns);
            let of_bag = |turns: &TurnsOver| turns.bag == bag;
            let is_taken =
                kinds.iter().filter_map(|kind| kind.turns).any(|turns| of_bag(&turns) && turns.taken);
            let pieces = map.start.iter().filter_map(turned).filter(of_bag).count();
            let held: usize =
                bags.pieces.iter().filter(|one| one.bag == bag).map(|one| usize::from(one.count)).sum();
            // An empty bag would tell the other side what was drawn in secret.
            if is_taken && held < pieces {
                let problem = Problem::new("map-bag-too-small").with("text", name).with("count", held);
                found.push(("bag", (bags.rows[usize::from(bag)], 0), problem.with("pieces", pieces)));
            }
        }
        if hides {
            found.push(("chesses", lot, Problem::new("map-sees-tells").with("text", TURNS[0])));
        }
    }

    /// Reads the sheet `bag`.
    fn bags(&self, map: &Map, facts: &Facts<'_>, found: &mut Vec<Found>) -> Bags {
        let mut bags = Bags::default();
        for (row, cells) in (0u32..).zip(&self.sheets.bag).skip(1) {
            if found.len() >= MOST_FOUND {
                break;
            }
            let text = |col: usize| cells.get(col).map_or("", |text| text.trim());
            if cells.iter().all(|text| text.trim().is_empty()) {
                continue;
            }
            if text(0).is_empty() || text(0).contains(char::is_whitespace) {
                found.push(("bag", (row, 0), Problem::new("map-bad-bag-name").with("text", text(0))));
                continue;
            }
            let owner = match text(2) {
                "1" => Some(Side::First),
                "2" => Some(Side::Second),
                "3" | "" => None,
                other => {
                    found.push(("bag", (row, 2), Problem::new("map-bad-bag-side").with("text", other)));
                    continue;
                }
            };
            let named = facts.kinds(text(1));
            let of_side = |kind: &u16| map.kinds[usize::from(*kind) - 1].owner == owner;
            let Some(kind) = named.iter().copied().find(of_side) else {
                let problem = match named.first() {
                    // The name is right, and no piece of that side has it.
                    Some(_) => Problem::new("map-bag-other-side").with("text", text(1)).with("side", text(2)),
                    None => facts.no_piece(text(1)),
                };
                found.push(("bag", (row, 1), problem));
                continue;
            };
            let count = integer(text(3)).and_then(|count| u32::try_from(count).ok());
            let Some(count) = count.filter(|&count| count <= MOST_COUNT) else {
                let problem = Problem::new("map-bad-bag-count").with("text", text(3));
                found.push(("bag", (row, 3), problem.with("most", MOST_COUNT)));
                continue;
            };
            let bag = bags.names.iter().position(|name| name == text(0)).unwrap_or_else(|| {
                bags.names.push(text(0).to_owned());
                bags.rows.push(row);
                bags.names.len() - 1
            }) as u16;
            if bags.pieces.iter().any(|one| (one.bag, one.kind) == (bag, kind)) {
                found.push(("bag", (row, 1), Problem::new("map-rules2-twice").with("text", text(1))));
                continue;
            }
            bags.pieces.push(InBag { bag, kind, count: count as u16 });
        }
        bags.pieces.sort_by_key(|one| one.bag);
        bags
    }

    /// The column and text of a cell of a column that level 2 reads, if it is filled.
    fn cell(&self, map: &Map, at: usize, names: [&str; 2]) -> Option<(u32, String)> {
        let is_named =
            |heading: &str| names[1] == heading.trim() || names[0].eq_ignore_ascii_case(heading.trim());
        let (heading, value) = map.kinds[at].attributes.iter().find(|(heading, _)| is_named(heading))?;
        let column = self.columns.iter().find(|(name, _)| name == heading)?.1;
        Some((column, value.shown().trim().to_owned())).filter(|(_, text)| !text.is_empty())
    }

    fn looks(&self, facts: &Facts<'_>, found: &mut Vec<Found>) -> Vec<Look> {
        let mut looks = Vec::new();
        for (row, cells) in (0u32..).zip(&self.sheets.look).skip(1) {
            if found.len() >= MOST_FOUND {
                break;
            }
            let text = |col: usize| cells.get(col).map_or("", |text| text.trim());
            if cells.iter().all(|text| text.trim().is_empty()) {
                continue;
            }
            if let Some(problem) = facts.no_terrain(text(0)) {
                found.push(("look", (row, 0), problem));
            }
            let mut one_of = |col: usize, known: &[[&'static str; 2]]| {
                let text = text(col);
                let names = |pair: &&[&str; 2]| pair[1] == text || pair[0].eq_ignore_ascii_case(text);
                let one = known.iter().find(names).map(|pair| pair[0]);
                if one.is_none() && !text.is_empty() {
                    let language = usize::from(!text.is_ascii());
                    let near = nearest(text, known.iter().map(|pair| pair[language])).unwrap_or("-");
                    let problem = Problem::new("map-bad-look").with("text", text).with("near", near);
                    found.push(("look", (row, col as u32), problem));
                }
                one
            };
            let (colour, icon) = (one_of(1, &COLOURS), one_of(2, &ICONS));
            looks.push(Look { name: text(0).to_owned(), colour, icon, word: text(3).to_owned() });
        }
        looks
    }

    fn hands(&self, map: &Map, facts: &Facts<'_>, found: &mut Vec<Found>) -> Vec<InHand> {
        let mut hands: Vec<InHand> = Vec::new();
        for (row, cells) in (0u32..).zip(&self.sheets.hand).skip(1) {
            if found.len() >= MOST_FOUND {
                break;
            }
            let text = |col: usize| cells.get(col).map_or("", |text| text.trim());
            if cells.iter().all(|text| text.trim().is_empty()) {
                continue;
            }
            let side = match text(0) {
                "1" => Side::First,
                "2" => Side::Second,
                other => {
                    let problem = Problem::new("map-bad-hand-side").with("text", other);
                    found.push(("hand", (row, 0), problem));
                    continue;
                }
            };
            let kind = match one_kind(map, text(1), Some(side), facts) {
                Ok(kind) => kind,
                Err(problem) => {
                    found.push(("hand", (row, 1), problem));
                    continue;
                }
            };
            let unlimited = ["∞", "inf", "无限"].contains(&text(2));
            let count = integer(text(2)).and_then(|count| u32::try_from(count).ok());
            let count = count.filter(|&count| count <= MOST_COUNT).map(|count| count as u16);
            let Some(count) = (if unlimited { Some(UNLIMITED) } else { count }) else {
                let problem = Problem::new("map-bad-hand-count").with("text", text(2));
                found.push(("hand", (row, 2), problem.with("most", MOST_COUNT)));
                continue;
            };
            if hands.iter().any(|one| (one.side, one.kind) == (side, kind)) {
                found.push(("hand", (row, 1), Problem::new("map-rules2-twice").with("text", text(1))));
                continue;
            }
            hands.push(InHand { side, kind, count });
        }
        hands
    }
}

/// Returns true if there is no square.
pub(crate) fn is_off(names: &[String]) -> bool {
    names.iter().any(|name| name == OFF[0])
}

/// The problem of a rule that this board has no place for.
fn on_board(rule: &[Way], text: &str, rules: &Rules2, facts: &Facts<'_>) -> Option<Problem> {
    let slanted = |way: &Way| matches!(way.course, Course::Line(0 | 7, _));
    if rules.board == BoardKind::Hex && rule.iter().any(slanted) {
        return Some(Problem::new("map-hex-direction").with("text", text));
    }
    let names = rule.iter().filter_map(|way| way.when.as_ref()).flat_map(Places::terrain);
    names.filter_map(|name| facts.no_terrain(name)).next()
}

/// The only piece of a name; of several that of a side.
fn one_kind(map: &Map, name: &str, side: Option<Side>, facts: &Facts<'_>) -> Result<u16, Problem> {
    let named = facts.kinds(name);
    let own = named.iter().copied().find(|&kind| map.kinds[usize::from(kind) - 1].owner == side);
    own.or_else(|| named.first().copied()).ok_or_else(|| facts.no_piece(name))
}

/// Reads the cell of what a piece may take.
fn takes(text: &str, facts: &Facts<'_>) -> Result<Takes, Problem> {
    let mut takes = Takes::default();
    let mut rest = text;
    let mut sign = None;
    loop {
        let end = rest.find(['-', '+']).unwrap_or(rest.len());
        let part = rest[..end].trim();
        if sign.is_none() && (part == RANK[1] || part.eq_ignore_ascii_case(RANK[0])) {
            takes.by_rank = true;
        } else if !(sign.is_none() && part.is_empty()) {
            let mut names = Vec::new();
            for name in part.split('/').map(str::trim) {
                let Some(&kind) = facts.kinds(name).first() else { return Err(facts.no_piece(name)) };
                names.push(facts.pieces[usize::from(kind) - 1].clone());
            }
            match sign {
                None => takes.names = names,
                Some('-') => takes.except.extend(names),
                Some(_) => takes.also.extend(names),
            }
        }
        if end == rest.len() {
            return Ok(takes);
        }
        sign = rest[end..].chars().next();
        rest = &rest[end + 1..];
    }
}
