//! The little language of move rules and places, as maps write it.
//!
//! ```text
//! move-rule   = section ";" section { ";" section }      section 1: one step, section 2: any distance,
//! section     = [item] { "," [item] }                    later ones belong to extensions
//! item        = direction | direction "(" place-rule ")"
//! place-rule  = [place] { "&" [place] }                  "&" means OR; an empty rule is false
//! place       = name "[" integer { "|" integer } "]"
//! ```
//!
//! Directions 1 to 8 run row by row around the piece: `1 2 3 / 4 . 5 / 6 7 8`.

use kernel::Problem;

/// The longest rule, in characters.
pub const LONGEST_RULE: usize = 4096;
/// The most sections of a move rule.
pub const MOST_SECTIONS: usize = 32;

/// Rows and columns that a step in direction 1 to 8 goes, downwards and to the right.
pub const STEPS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A move rule: sections of directions, each with the places where it holds.
///
/// ```
/// use jingbanqi::rule::{STEPS, move_rule};
///
/// // A piece that goes one step up, or any distance down.
/// let rule = move_rule("2;7")?;
/// let [near, far] = [0, 1].map(|section| STEPS[rule.sections[section][0].direction as usize - 1]);
/// assert_eq!((near, far), ((-1, 0), (1, 0)));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveRule {
    /// The sections; at least two.
    pub sections: Vec<Vec<Item>>,
}

/// One direction of a section.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Item {
    /// 1 to 8 in the first two sections, anything in later ones.
    pub direction: i64,
    /// The places on which the piece must stand; `None` for anywhere.
    pub when: Option<PlaceRule>,
}

/// A set of places: the union of its parts; without parts nowhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlaceRule(pub Vec<Place>);

/// A name and its numbers, such as `P[1|4|-1|4]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// Any text; only some names mean something.
    pub name: String,
    /// The numbers in the brackets; at least one.
    pub args: Vec<i64>,
}

/// Reads a move rule.
///
/// ```
/// use jingbanqi::rule::move_rule;
///
/// let rule = move_rule("2,4(P[1|4]);1")?;
/// assert_eq!((rule.sections.len(), rule.sections[0][0].direction), (2, 2));
/// assert_eq!(rule.to_string(), "2,4(P[1|4]);1");
/// assert_eq!(move_rule("9;").unwrap_err().arg("why"), Some("direction"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `map-bad-move-rule` or `map-bad-location-rule` with the offending `part`.
pub fn move_rule(text: &str) -> Result<MoveRule, Problem> {
    within(text)?;
    let sections: Vec<&str> = text.split(';').collect();
    if sections.len() < 2 {
        return Err(bad_move(text).with("why", "no-semicolon"));
    }
    if sections.len() > MOST_SECTIONS {
        return Err(bad_move(text).with("why", "sections"));
    }
    let sections = sections
        .iter()
        .enumerate()
        .map(|(i, section)| read_section(section, i < 2))
        .collect::<Result<_, _>>()?;
    Ok(MoveRule { sections })
}

fn read_section(text: &str, must_be_direction: bool) -> Result<Vec<Item>, Problem> {
    text.split(',').filter(|item| !item.is_empty()).map(|item| read_item(item, must_be_direction)).collect()
}

fn read_item(text: &str, must_be_direction: bool) -> Result<Item, Problem> {
    let (direction, when) = match text.split_once('(') {
        None => (text, None),
        Some((direction, rest)) => {
            let inner = rest.strip_suffix(')').ok_or_else(|| bad_move(text).with("why", "brackets"))?;
            (direction, Some(place_rule(inner)?))
        }
    };
    let direction = integer(direction).ok_or_else(|| bad_move(text).with("why", "number"))?;
    if must_be_direction && !(1..=8).contains(&direction) {
        return Err(bad_move(text).with("why", "direction"));
    }
    Ok(Item { direction, when })
}

/// Reads the places of a promotion, or of a direction.
///
/// ```
/// use jingbanqi::rule::place_rule;
///
/// let places = place_rule("X[1]&P[1|4|-1|4]")?;
/// assert_eq!((places.0.len(), places.0[1].name.as_str()), (2, "P"));
/// assert_eq!(place_rule("P[1|2|3]").unwrap_err().arg("why"), Some("points"), "points are pairs");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `map-bad-location-rule` with the offending `part`.
pub fn place_rule(text: &str) -> Result<PlaceRule, Problem> {
    within(text)?;
    text.split('&').filter(|place| !place.is_empty()).map(read_place).collect::<Result<_, _>>().map(PlaceRule)
}

fn read_place(text: &str) -> Result<Place, Problem> {
    let bad = |why: &'static str| Problem::new("map-bad-location-rule").with("part", text).with("why", why);
    let (name, rest) = text.split_once('[').ok_or_else(|| bad("brackets"))?;
    let inner = rest.strip_suffix(']').ok_or_else(|| bad("brackets"))?;
    if name.is_empty() || name.contains([',', ';', '(', ')', ']']) {
        return Err(bad("name"));
    }
    let args: Option<Vec<i64>> = inner.split('|').map(integer).collect();
    let args = args.ok_or_else(|| bad("number"))?;
    if name == "P" && args.len() % 2 == 1 {
        return Err(bad("points"));
    }
    Ok(Place { name: name.to_owned(), args })
}

fn within(text: &str) -> Result<(), Problem> {
    let long = text.len() > LONGEST_RULE && text.chars().count() > LONGEST_RULE;
    if long { Err(bad_move(text).with("why", "length")) } else { Ok(()) }
}

fn bad_move(part: &str) -> Problem {
    Problem::new("map-bad-move-rule").with("part", part)
}

/// An integer as Python's `int` reads it: blanks around, a sign, digits of any width. No underscores.
///
/// ```
/// use jingbanqi::rule::integer;
///
/// assert_eq!((integer(" +12 "), integer("-3")), (Some(12), Some(-3)));
/// assert_eq!(integer("1_000"), None);
/// ```
#[must_use]
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return None;
    }
    let value = digits.chars().try_fold(0i64, |sum, c| sum.checked_mul(10)?.checked_add(digit(c)?))?;
    Some(sign * value)
}

/// The value of a digit, half or full width.
fn digit(c: char) -> Option<i64> {
    let value = match c {
        '0'..='9' => u32::from(c) - u32::from('0'),
        '０'..='９' => u32::from(c) - u32::from('０'),
        _ => return None,
    };
    Some(i64::from(value))
}

impl std::fmt::Display for MoveRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, section) in self.sections.iter().enumerate() {
            if i > 0 {
                f.write_str(";")?;
            }
            for (j, item) in section.iter().enumerate() {
                let comma = if j > 0 { "," } else { "" };
                match &item.when {
                    None => write!(f, "{comma}{}", item.direction)?,
                    Some(when) => write!(f, "{comma}{}({when})", item.direction)?,
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for PlaceRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, place) in self.0.iter().enumerate() {
            let args: Vec<String> = place.args.iter().map(i64::to_string).collect();
            write!(f, "{}{}[{}]", if i > 0 { "&" } else { "" }, place.name, args.join("|"))?;
        }
        Ok(())
    }
}
