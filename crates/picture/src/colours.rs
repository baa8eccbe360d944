//! The colours of boards, read from the page's own style sheet: custom properties by the class of a board and the
//! theme.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

const SHEET: &str = include_str!("../../../web/src/boards.css");

/// The colour themes of the page around a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// The light theme, for the day.
    #[default]
    Light,
    /// The dark theme, for the night.
    Dark,
    /// The theme with the highest contrast.
    Contrast,
}

impl Theme {
    /// All themes, in order.
    pub const ALL: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Contrast];

    /// Returns the theme's name in the page's `data-theme`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Contrast => "contrast",
        }
    }

    /// Returns the theme with that [key](Theme::key).
    #[must_use]
    pub fn keyed(key: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.key() == key)
    }
}

/// A colour in the form of SVG 1.1.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Colour {
    /// `#rrggbb`.
    hex: String,
    /// The opacity, from 0 to 1.
    opacity: f32,
}

impl Colour {
    /// Reads `#rgb`, `#rrggbb`, `rgb(r g b / p%)` and `transparent`; `None`: something else.
    pub(crate) fn read(text: &str) -> Option<Colour> {
        if text == "transparent" {
            return Some(Colour { hex: "#000000".to_owned(), opacity: 0.0 });
        }
        if let Some(digits) = text.strip_prefix('#') {
            let hex = match digits.len() {
                3 => digits.chars().flat_map(|c| [c, c]).collect(),
                6 => digits.to_owned(),
                _ => return None,
            };
            let plain = hex.bytes().all(|b| b.is_ascii_hexdigit());
            return plain.then(|| Colour { hex: format!("#{hex}"), opacity: 1.0 });
        }
        let inside = text.strip_prefix("rgb(")?.strip_suffix(')')?;
        let (rgb, opacity) = inside.split_once('/').unwrap_or((inside, "100%"));
        let parts: Vec<u8> = rgb.split_whitespace().map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let [r, g, b] = parts[..] else { return None };
        let percent: f32 = opacity.trim().strip_suffix('%')?.parse().ok()?;
        Some(Colour { hex: format!("#{r:02x}{g:02x}{b:02x}"), opacity: percent / 100.0 })
    }

    /// Formats the colour as an attribute and, where it is not opaque, another: `fill="#000000" fill-opacity="0.5"`.
    pub(crate) fn as_attribute(&self, name: &str) -> String {
        if self.opacity < 1.0 {
            format!("{name}=\"{}\" {name}-opacity=\"{}\"", self.hex, self.opacity)
        } else {
            format!("{name}=\"{}\"", self.hex)
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex)
    }
}

/// A declaration of the style sheet: the theme and the classes of its selector, the property, and the value.
struct Rule {
    theme: Option<&'static str>,
    classes: Vec<&'static str>,
    property: &'static str,
    value: &'static str,
}

impl Rule {
    /// Returns the weight of the rule: more classes and attributes win, as in CSS; of equals the later one.
    fn weight(&self) -> usize {
        self.classes.len() + usize::from(self.theme.is_some())
    }
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut rules = read(SHEET);
    rules.sort_by_key(Rule::weight);
    rules
});

fn read(sheet: &'static str) -> Vec<Rule> {
    let mut rules = Vec::new();
    for block in sheet.split('}') {
        let Some((heads, body)) = block.split_once('{') else { continue };
        let heads = heads.rsplit_once("*/").map_or(heads, |(_, after)| after);
        for (theme, classes) in selectors(heads) {
            for declaration in body.split(';') {
                let Some((property, value)) = declaration.split_once(':') else { continue };
                let Some(property) = property.trim().strip_prefix("--") else { continue };
                rules.push(Rule { theme, classes: classes.clone(), property, value: value.trim() });
            }
        }
    }
    rules
}

/// The selectors of a list, each as a theme and the classes of one element. `:is(.a, .b)` is two selectors.
fn selectors(list: &'static str) -> Vec<(Option<&'static str>, Vec<&'static str>)> {
    let mut out = Vec::new();
    for selector in outside_brackets(list) {
        let selector = selector.trim();
        let (theme, rest) = match selector.strip_prefix("[data-theme='") {
            Some(rest) => {
                let (theme, rest) = rest.split_once("']").expect("a quoted theme");
                (Some(theme), rest.trim())
            }
            None => (None, selector),
        };
        let alternatives = match rest.split_once(":is(") {
            Some((before, rest)) => {
                let (inside, after) = rest.split_once(')').expect("a closing bracket");
                inside.split(',').map(|one| vec![before, one.trim(), after]).collect()
            }
            None => vec![vec![rest]],
        };
        for parts in alternatives {
            let classes = parts.iter().flat_map(|part| part.split('.')).filter(|c| !c.is_empty()).collect();
            out.push((theme, classes));
        }
    }
    out
}

fn outside_brackets(list: &'static str) -> Vec<&'static str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[begin..]);
    parts
}

/// The colours of one kind of board in one theme.
pub(crate) struct Colours(HashMap<&'static str, Colour>);

impl Colours {
    pub(crate) fn of(board: &str, theme: Theme) -> Colours {
        let fits = |rule: &&Rule| {
            rule.theme.is_none_or(|name| name == theme.key())
                && rule.classes.iter().all(|class| *class == "board" || *class == board)
        };
        let found =
            RULES.iter().filter(fits).filter_map(|rule| Some((rule.property, Colour::read(rule.value)?)));
        Colours(found.collect())
    }

    /// Returns the colour called `name`; black where this board has none of that name.
    pub(crate) fn get(&self, name: &str) -> Colour {
        self.find(name).unwrap_or(Colour { hex: "#000000".to_owned(), opacity: 1.0 })
    }

    pub(crate) fn find(&self, name: &str) -> Option<Colour> {
        self.0.get(name).cloned()
    }

    /// Formats the colour called `property` as the attribute `name="…"`.
    pub(crate) fn attribute(&self, name: &str, property: &str) -> String {
        self.get(property).as_attribute(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_is_read_as_a_browser_would() {
        let rows = [
            ("goban", Theme::Light, "wood-a", "#e6bd7d"),
            ("goban", Theme::Dark, "wood-a", "#c29a5f"),
            ("goban", Theme::Dark, "ink-line", "#2b1d0b"),
            ("goban", Theme::Contrast, "wood-a", "#ffffff"),
            ("slate", Theme::Dark, "bed", "#1e2429"),
            ("slate", Theme::Light, "dark-mid", "#211f1d"),
            ("squares", Theme::Contrast, "cell", "#9a9a9a"),
            ("celadon", Theme::Dark, "mark", "#ffd067"),
            ("paper", Theme::Dark, "piece-mid", "#eed6a6"),
        ];
        for (board, theme, property, hex) in rows {
            assert_eq!(Colours::of(board, theme).get(property).hex, hex, "{board} {theme:?} {property}");
        }
        let shade = Colours::of("goban", Theme::Light).get("shade");
        assert_eq!(shade.as_attribute("fill"), "fill=\"#1e1204\" fill-opacity=\"0.46\"");
    }

    #[test]
    fn every_value_of_the_sheet_is_a_colour() {
        for rule in RULES.iter() {
            assert!(Colour::read(rule.value).is_some(), "--{}: {}", rule.property, rule.value);
        }
    }
}
