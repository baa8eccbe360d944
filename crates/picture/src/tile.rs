//! A piece with a name that an author made up, as in the page's `Tile.svelte` and `fit.ts`: the name as large as it
//! fits, on the rim where the piece may turn to, and badges.

use std::fmt::Write;

use crate::ink::{self, Anchor};
use crate::piece::{Rim, Tone};
use crate::scene::Scene;

/// The width of the room for a name, in units; its height is the same.
const ROOM: f32 = 54.0;
const LARGEST: f32 = 46.0;
const LEADING: f32 = 1.08;
/// The number of letters of a name that are drawn; more would be too small to read.
const LONGEST: usize = 40;

/// The shape repeats the colour: one side has round corners, the other cut ones, and neutral pieces are rounder
/// still.
const RED: &str =
    "M-30 -43H30A13 13 0 0 1 43 -30V30A13 13 0 0 1 30 43H-30A13 13 0 0 1 -43 30V-30A13 13 0 0 1 -30 -43Z";
const BLUE: &str = "M-29 -43H29L43 -29V29L29 43H-29L-43 29V-29Z";
const NOBODY: &str =
    "M-13 -43H13A30 30 0 0 1 43 -13V13A30 30 0 0 1 13 43H-13A30 30 0 0 1 -43 13V-13A30 30 0 0 1 -13 -43Z";

/// The column and row steps of directions 1 to 8.
const STEPS: [(f32, f32); 8] =
    [(-1.0, -1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (1.0, 1.0)];

/// The signs of the effects of extensions in a direction: shield, prohibition, jump, ignore.
const SIGNS: [&str; 4] = [
    "m-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0",
    "m-6 -6l12 12m0 -12l-12 12",
    "m4 -4c-2 -3 -9 -3 -9 1c0 4 9 3 9 7c0 4 -7 4 -9 1m5 -13v16",
    "m6 -8l-12 16m-1 -13a3 3 0 1 0 6 0a3 3 0 1 0 -6 0m8 10a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
];

/// Badges in the order of [`crate::piece::BADGES`].
const BADGES: [(&str, &str); 4] = [
    ("M-13 7l-4-17 9 6 8-10 8 10 9-6-4 17z", "-18 -43"),
    ("M0-12L12 0H5V11H-5V0H-12Z", "20 -42"),
    ("M0-13C4-10 8-9 12-9C12 3 9 10 0 14C-9 10-12 3-12-9C-8-9-4-10 0-13ZM-8 8L8-8", "-20 41"),
    ("M-11-11H5V-5H11V11H-5V5H-11Z", "20 41"),
];
const PROMOTED: u8 = 2;
const MERGED: u8 = 8;

pub(crate) fn svg(out: &mut String, scene: &Scene, tone: Tone, face: &str, rim: Option<&Rim>) {
    let c = &scene.colours;
    let (outline, fill, on) = match tone {
        Tone::Red => (RED, "tile-red", "on-tile"),
        Tone::Blue => (BLUE, "tile-blue", "on-tile"),
        _ => (NOBODY, "tile-nobody", "on-nobody"),
    };
    let badges = rim.map_or(0, |rim| rim.badges);
    let edge = if badges & PROMOTED == 0 { ("tile-edge", 2) } else { ("badge", 5) };
    let _ = write!(
        out,
        "<rect x=\"-47\" y=\"-42\" width=\"94\" height=\"96\" rx=\"18\" fill=\"url(#shadow)\"/>\
         <path d=\"{outline}\" {} {} stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
        c.attribute("fill", fill),
        c.attribute("stroke", edge.0),
        edge.1
    );
    let ink = c.get(on).to_string();
    if badges & MERGED != 0 {
        let _ = write!(
            out,
            "<path d=\"{outline}\" transform=\"scale(0.87)\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.5\"/>"
        );
    }
    let (lines, size) = fit(face);
    let mut name = String::new();
    for (i, line) in lines.iter().enumerate() {
        let middle = (i as f32 - (lines.len() as f32 - 1.0) / 2.0) * size * LEADING;
        name += &ink::outline(line, size, 0.0, middle + 0.36 * size, Anchor::Middle);
    }
    let _ = write!(out, "<path d=\"{name}\" fill=\"{ink}\"/>");
    if let Some(rim) = rim {
        around(out, rim, &ink);
    }
    for (bit, (d, at)) in BADGES.iter().enumerate() {
        if badges & (1 << bit) != 0 {
            let badge = c.attribute("fill", "badge");
            let _ = write!(
                out,
                "<path d=\"{d}\" transform=\"translate({at})\" {badge} stroke=\"#241c05\" stroke-width=\"3\" \
                 stroke-linejoin=\"round\" paint-order=\"stroke\"/>"
            );
        }
    }
}

/// Draws the directions that a piece may turn to on its rim.
fn around(out: &mut String, rim: &Rim, ink: &str) {
    let (mut dots, mut stars, mut more) = (String::new(), String::new(), String::new());
    for (i, (dx, dy)) in STEPS.into_iter().enumerate() {
        // Seen from the other side everything is turned half round.
        let bit = 1 << if rim.turned { 7 - i } else { i };
        let far = if dx != 0.0 && dy != 0.0 { 30.0 } else { 35.0 };
        let (x, y) = (dx * far, dy * far);
        // Of several sections that have a direction the last is shown.
        let _ = match rim.dirs.iter().rposition(|dirs| dirs & bit != 0) {
            None => Ok(()),
            Some(0) => write!(dots, "M{x} {y}h.01"),
            Some(1) => write!(
                stars,
                "M{x} {}V{}M{} {}L{} {}M{} {}L{} {}",
                y - 8.0,
                y + 8.0,
                x - 7.0,
                y - 4.0,
                x + 7.0,
                y + 4.0,
                x - 7.0,
                y + 4.0,
                x + 7.0,
                y - 4.0
            ),
            Some(section) => write!(more, "M{x} {y}{}", SIGNS.get(section - 2).copied().unwrap_or_default()),
        };
    }
    for (d, width) in [(dots, 9.0), (stars, 3.6), (more, 3.0)] {
        if !d.is_empty() {
            let _ = write!(
                out,
                "<path d=\"{d}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
            );
        }
    }
}

/// Returns the lines of a name with the largest possible letters, and their size. Lines break between words, Chinese
/// characters and digits, never in a word.
fn fit(name: &str) -> (Vec<String>, f32) {
    let name: String = name.trim().chars().take(LONGEST).collect();
    let chinese = |c: char| c > '⺀';
    let all_chinese = name.chars().all(chinese);
    let breaks = name.chars().all(|c| chinese(c) || c.is_ascii_digit());
    let spaced = format!(" {name} ");
    let (mut best, mut most) = ((vec![String::new()], LARGEST), 0.0);
    for count in 1..=name.chars().count().clamp(1, 5) {
        let lines = broken(&name, count);
        let widest = lines.iter().map(|line| ink::width(line)).fold(0.1, f32::max);
        let size = LARGEST.min(ROOM / widest).min(ROOM / (lines.len() as f32 * LEADING));
        let words = lines.iter().all(|line| spaced.contains(&format!(" {line} ")));
        if !words && !breaks {
            continue;
        }
        // A broken name reads worse, so that it must gain something; a broken number more.
        if size > most * if words || all_chinese { 1.12 } else { 1.6 } {
            best = (lines, size);
            most = size;
        }
    }
    best
}

/// Breaks a name into `count` lines, about equally wide; between words where it has enough of them.
fn broken(name: &str, count: usize) -> Vec<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let by_words = words.len() >= count;
    let parts: Vec<String> = match by_words {
        true => words.into_iter().map(str::to_owned).collect(),
        false => name.chars().map(String::from).collect(),
    };
    let joint = if by_words { " " } else { "" };
    let target = ink::width(name) / count as f32;
    let (mut lines, mut line) = (Vec::new(), String::new());
    for part in parts {
        let longer = if line.is_empty() { part.clone() } else { format!("{line}{joint}{part}") };
        if !line.is_empty() && lines.len() < count - 1 && ink::width(&longer) > target * 1.15 {
            lines.push(std::mem::replace(&mut line, part));
        } else {
            line = longer;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn names_break_where_the_page_breaks_them() {
        for (name, lines) in [
            ("王", vec!["王"]),
            ("坦克", vec!["坦克"]),
            ("大本营", vec!["大", "本营"]),
            ("Knight", vec!["Knight"]),
            ("Flying Fox", vec!["Flying", "Fox"]),
        ] {
            assert_eq!(fit(name).0, lines, "{name}");
        }
        assert!(fit("12345678901234567890").0.len() > 1);
        assert_eq!(fit(""), (vec![String::new()], 46.0));
    }
}
