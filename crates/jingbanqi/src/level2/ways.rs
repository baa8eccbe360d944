//! Ways to go and places, as maps of level 2 write them.
//!
//! ```text
//! rule     = section [ ";" section ]                 section 1: one step, section 2: any distance
//! section  = [item] { "," [item] }
//! item     = { "m" | "c" | "p" | "n" } course [ "(" places ")" ]
//! course   = direction | direction "*" count | "L" number ":" number | "V" down ":" right
//! places   = all { "&" all }                         "&" means OR
//! all      = term { "+" term }                       "+" means AND
//! term     = [ "!" ] name "[" value { "|" value } "]"
//! ```

use kernel::Problem;

use crate::rule::{LONGEST_RULE, integer};

/// The most items of a rule.
const MOST_ITEMS: usize = 64;
/// The farthest that a leap goes, in rows or columns.
const FARTHEST: i8 = 63;

/// A way to go.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Way {
    /// The destinations it may have: vacant squares, enemies, or both.
    pub mode: Mode,
    /// True if it leads over exactly one piece.
    pub over: bool,
    /// True for a leap that no piece may stand in the way of.
    pub lame: bool,
    /// The squares it leads along.
    pub course: Course,
    /// The squares from which it holds; `None` for all.
    pub when: Option<Places>,
}

/// The destinations that a way may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Vacant squares and enemies.
    Any,
    /// Vacant squares only: `m`.
    Walk,
    /// Enemies only: `c`.
    Take,
}

/// The squares that a way leads along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Course {
    /// A line in a direction, 0 to 7, of at most that many squares.
    Line(u8, u8),
    /// A leap by that many rows and columns at once.
    Leap(i8, i8),
}

/// The number of squares of a line that ends only at the border or at a piece.
pub const ANY_DISTANCE: u8 = u8::MAX;

/// A set of squares: a union of intersections; without parts empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Places(pub Vec<Vec<Term>>);

/// One place, or the squares outside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Term {
    /// True for the squares outside the place.
    pub not: bool,
    /// The place itself, whichever side of it is meant.
    pub spot: Spot,
}

/// The places that level 2 knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Spot {
    /// Rows, counted from 1 or backwards from -1.
    Rows(Vec<i64>),
    /// Columns, counted alike.
    Columns(Vec<i64>),
    /// Points: row, column, row, column.
    Points(Vec<i64>),
    /// Squares with one of those names of terrain.
    Terrain(Vec<String>),
}

impl Places {
    /// The names of terrain in it.
    pub fn terrain(&self) -> impl Iterator<Item = &str> {
        let names = |term| match term {
            &Term { spot: Spot::Terrain(ref names), .. } => names.as_slice(),
            _ => &[],
        };
        self.0.iter().flatten().flat_map(names).map(String::as_str)
    }
}

fn bad_move(part: &str, why: &'static str) -> Problem {
    Problem::new("map-bad-move-rule").with("part", part).with("why", why)
}

/// Reads a rule of moves.
///
/// ```
/// use jingbanqi::level2::ways::{Course, Mode, ways};
///
/// let pawn = ways("m2,c1,c3;")?;
/// assert_eq!((pawn.len(), pawn[0].mode, pawn[1].course), (3, Mode::Walk, Course::Line(0, 1)));
/// assert_eq!(ways("nL1:2;")?.len(), 8);
/// assert_eq!(ways("x2;").unwrap_err().arg("why"), Some("way"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `map-bad-move-rule` or `map-bad-location-rule` with the offending `part`.
pub fn ways(text: &str) -> Result<Vec<Way>, Problem> {
    within(text)?;
    let sections: Vec<&str> = text.split(';').collect();
    match sections.len() {
        2 => {}
        1 => return Err(bad_move(text, "no-semicolon")),
        _ => return Err(bad_move(text, "sections")),
    }
    let mut found = Vec::new();
    for (section, is_far) in sections.into_iter().zip([false, true]) {
        for item in section.split(',').filter(|item| !item.is_empty()) {
            found.extend(read_item(item, is_far)?);
            if found.len() > MOST_ITEMS {
                return Err(bad_move(item, "length"));
            }
        }
    }
    Ok(found)
}

fn within(text: &str) -> Result<(), Problem> {
    let long = text.len() > LONGEST_RULE && text.chars().count() > LONGEST_RULE;
    if long { Err(bad_move(text, "length")) } else { Ok(()) }
}

fn read_item(text: &str, is_far: bool) -> Result<Vec<Way>, Problem> {
    let (head, when) = match text.split_once('(') {
        None => (text, None),
        Some((head, rest)) => {
            let inner = rest.strip_suffix(')').ok_or_else(|| bad_move(text, "brackets"))?;
            (head, Some(places(inner)?))
        }
    };
    let head = head.trim();
    let bad = || bad_move(text, "way");
    let core = head.trim_start_matches(['m', 'c', 'p', 'n']);
    let letters = &head[..head.len() - core.len()];
    let count = |letter: char| letters.chars().filter(|&c| c == letter).count();
    let [walk, take, over, lame] = ['m', 'c', 'p', 'n'].map(count);
    if walk + take > 1 || over > 1 || lame > 1 {
        return Err(bad());
    }
    let courses = courses(core, is_far).ok_or_else(|| {
        let digits = !core.is_empty() && core.chars().all(|c| c.is_ascii_digit());
        bad_move(text, if digits { "direction" } else { "way" })
    })?;
    let leaps = courses.iter().any(|course| matches!(course, Course::Leap(..)));
    // A leap goes over pieces anyway, and nothing but a leap can be kept from it.
    if (over == 1 && leaps) || (lame == 1 && !leaps) {
        return Err(bad());
    }
    let mode = match (walk, take) {
        (1, _) => Mode::Walk,
        (_, 1) => Mode::Take,
        _ => Mode::Any,
    };
    let way = |course| Way { mode, over: over == 1, lame: lame == 1, course, when: when.clone() };
    Ok(courses.into_iter().map(way).collect())
}

/// The courses that a direction or a leap stands for; `None` if it is none.
fn courses(text: &str, is_far: bool) -> Option<Vec<Course>> {
    if let Some(rest) = text.strip_prefix('L') {
        let (one, other) = numbers(rest)?;
        if is_far || one < 0 || other < 0 {
            return None;
        }
        let mut found: Vec<Course> = Vec::new();
        for (down, right) in [(one, other), (other, one)] {
            for (up, left) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let course = Course::Leap(down * up, right * left);
                if !found.contains(&course) {
                    found.push(course);
                }
            }
        }
        return Some(found);
    }
    if let Some(rest) = text.strip_prefix('V') {
        let (down, right) = numbers(rest)?;
        return (!is_far).then(|| vec![Course::Leap(down, right)]);
    }
    let (direction, most) = match text.split_once('*') {
        Some((direction, most)) => (direction, Some(integer(most).filter(|most| (1..=63).contains(most))?)),
        None => (text, None),
    };
    let direction = integer(direction).filter(|d| (1..=8).contains(d))?;
    let most = most.map_or(if is_far { ANY_DISTANCE } else { 1 }, |most| most as u8);
    Some(vec![Course::Line(direction as u8 - 1, most)])
}

/// Two numbers with a colon between them, not both 0.
fn numbers(text: &str) -> Option<(i8, i8)> {
    let (one, other) = text.split_once(':')?;
    let near = |text| integer(text).and_then(|n| i8::try_from(n).ok()).filter(|n| n.abs() <= FARTHEST);
    let pair = (near(one)?, near(other)?);
    (pair != (0, 0)).then_some(pair)
}

/// Reads a rule of places.
///
/// ```
/// use jingbanqi::level2::ways::places;
///
/// let two = places("X[1]&T[water]+!Y[2]")?;
/// assert_eq!((two.0.len(), two.0[1].len(), two.0[1][1].not), (2, 2, true));
/// assert_eq!(places("Q[1]").unwrap_err().arg("why"), Some("unknown"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `map-bad-location-rule` with the offending `part`.
pub fn places(text: &str) -> Result<Places, Problem> {
    within(text)?;
    let parts = text.split('&').filter(|part| !part.trim().is_empty());
    parts.map(|part| terms(part).into_iter().map(read_term).collect()).collect::<Result<_, _>>().map(Places)
}

/// The parts between plus signs that stand outside brackets.
fn terms(text: &str) -> Vec<&str> {
    let (mut found, mut from, mut is_inside) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '[' => is_inside = true,
            ']' => is_inside = false,
            '+' if !is_inside => {
                found.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found
}

fn read_term(text: &str) -> Result<Term, Problem> {
    let bad = |why: &'static str| Problem::new("map-bad-location-rule").with("part", text).with("why", why);
    let trimmed = text.trim();
    let (not, rest) = match trimmed.strip_prefix('!') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, trimmed),
    };
    let (name, rest) = rest.split_once('[').ok_or_else(|| bad("brackets"))?;
    let inner = rest.strip_suffix(']').ok_or_else(|| bad("brackets"))?;
    let integers = || {
        let numbers: Option<Vec<i64>> = inner.split('|').map(integer).collect();
        numbers.ok_or_else(|| bad("number"))
    };
    let spot = match name {
        "X" => Spot::Rows(integers()?),
        "Y" => Spot::Columns(integers()?),
        "P" => {
            let numbers = integers()?;
            if numbers.len() % 2 == 1 {
                return Err(bad("points"));
            }
            Spot::Points(numbers)
        }
        "T" => Spot::Terrain(inner.split('|').map(|name| name.trim().to_owned()).collect()),
        _ => return Err(bad("unknown")),
    };
    Ok(Term { not, spot })
}
