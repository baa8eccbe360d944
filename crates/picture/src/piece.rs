//! One piece as SVG, around its own middle: as in the page's `Piece.svelte` and `Shades.svelte`.

use std::fmt::Write;

use kernel::{Cell, view::View};

use crate::Theme;
use crate::colours::Colours;
use crate::faces::{self, FaceSet};
use crate::paint::Pieces;
use crate::scene::Scene;
use crate::tile;

/// The colours of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tone {
    Dark,
    Light,
    Red,
    Blue,
    Nobody,
}

/// The marks on the rim of a piece that shows where it may turn to, and its badges.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Rim {
    /// The directions of each section of the piece's rule, as bits.
    pub(crate) dirs: Vec<u8>,
    /// True if it is seen from the other side.
    pub(crate) turned: bool,
    /// The [`BADGES`] that it wears, as bits.
    pub(crate) badges: u8,
}

/// The kinds of marks that a piece wears as badges.
pub(crate) const BADGES: [&str; 4] = ["captain", "promoted", "shielded", "merged"];

impl Rim {
    /// Returns the rim of the piece on that cell.
    pub(crate) fn of(scene: &Scene, view: &View, cell: Cell) -> Option<Rim> {
        let at = view.dirs.binary_search_by_key(&cell, |dirs| dirs.at).ok()?;
        let dirs = &view.dirs[at];
        let worn = |kind: &str| view.marks.iter().any(|m| m.kind == kind && m.cells.contains(&cell));
        let bits = BADGES.iter().enumerate().filter(|(_, kind)| worn(kind)).map(|(bit, _)| 1 << bit);
        Some(Rim {
            dirs: [dirs.near, dirs.far].into_iter().chain(dirs.more.iter().copied()).collect(),
            turned: scene.is_flipped(),
            badges: bits.sum(),
        })
    }
}

const CROWN: &str = "M-19 9l-4-22 11 8 12-14 12 14 11-8-4 22zM-19 13h38v5h-38z";

/// Returns a piece with the gradients that fill it.
pub(crate) fn svg(scene: &Scene, tone: Tone, face: &str, rim: Option<&Rim>) -> String {
    let mut out = shades(&scene.colours, tone);
    let r = scene.paint.radius;
    match scene.paint.pieces {
        Pieces::Stone => stone(&mut out, scene, r, tone),
        Pieces::Character => character(&mut out, scene, r, tone, face),
        Pieces::Disc => disc(&mut out, scene, r, tone, face),
        Pieces::Token => token(&mut out, scene, r, tone),
        Pieces::Tile => tile::svg(&mut out, scene, tone, face, rim),
    }
    out
}

fn shades(c: &Colours, tone: Tone) -> String {
    let stop = |offset: f32, colour: String| format!("<stop offset=\"{offset}\" {colour}/>");
    let of = |name: &str| c.attribute("stop-color", name).replace("stop-color-opacity", "stop-opacity");
    let hex = |name: &str| format!("stop-color=\"{name}\"");
    let body = match tone {
        Tone::Dark => [of("dark-light"), of("dark-mid"), of("dark-deep")],
        Tone::Light => [of("light-light"), of("light-mid"), of("light-deep")],
        Tone::Red => [hex("#d8543f"), hex("#b3301d"), hex("#7e1a0d")],
        Tone::Blue => [hex("#4b82cd"), hex("#1d4f94"), hex("#0d2f5f")],
        Tone::Nobody => [hex("#8a8a8a"), hex("#8a8a8a"), hex("#8a8a8a")],
    };
    let wood = [of("piece-light"), of("piece-mid"), of("piece-deep")];
    let mut out = String::from("<defs>");
    for (id, [lit, mid, deep]) in [("body", body), ("piece", wood)] {
        let _ = write!(
            out,
            "<radialGradient id=\"{id}\" cx=\"0.5\" cy=\"0.5\" r=\"0.62\" fx=\"0.34\" fy=\"0.28\">{}{}{}</radialGradient>",
            stop(0.0, lit),
            stop(0.45, mid),
            stop(1.0, deep)
        );
    }
    let shade = of("shade");
    let gone = format!("stop-color=\"{}\" stop-opacity=\"0\"", c.get("shade"));
    let _ = write!(
        out,
        "<radialGradient id=\"shadow\">{}{}</radialGradient></defs>",
        stop(0.72, shade),
        stop(1.0, gone)
    );
    out
}

/// Draws a circle around `(x, y)`.
fn circle(out: &mut String, x: f32, y: f32, r: f32, more: &str) {
    let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {more}/>");
}

fn shadow(out: &mut String, x: f32, y: f32, r: f32) {
    circle(out, x, y, r, "fill=\"url(#shadow)\"");
}

const BODY: &str = "fill=\"url(#body)\"";

/// Formats the attributes of a stroke without a fill.
fn line(colour: &str, opacity: f32, width: f32) -> String {
    format!("fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"{opacity}\" stroke-width=\"{width}\"")
}

fn stone(out: &mut String, scene: &Scene, r: f32, tone: Tone) {
    shadow(out, 4.0, 7.0, r + 3.0);
    circle(out, 0.0, 0.0, r, BODY);
    circle(out, 0.0, 0.0, r - 0.8, &rim(scene, tone, 0.12, 0.34, ("#ffffff", "#503c1e"), 1.6));
}

/// Formats the line around a body; black on light pieces in the high contrast theme.
fn rim(scene: &Scene, tone: Tone, dark: f32, light: f32, colours: (&str, &str), width: f32) -> String {
    match (scene.theme, tone) {
        (Theme::Contrast, Tone::Light) => line("#000000", 1.0, 5.0),
        (Theme::Contrast, Tone::Dark) => line("#ffffff", 1.0, width),
        (_, Tone::Dark) => line(colours.0, dark, width),
        (_, Tone::Light) => line(colours.1, light, width),
        _ => line("none", 1.0, width),
    }
}

fn character(out: &mut String, scene: &Scene, r: f32, tone: Tone, face: &str) {
    let c = &scene.colours;
    shadow(out, 2.0, 6.0, r + 4.0);
    circle(out, 0.0, 0.0, r, "fill=\"url(#piece)\"");
    circle(out, 0.0, 0.0, r - 0.8, &line(&c.get("edge").to_string(), 0.7, 1.6));
    let colour = c.get(if tone == Tone::Red { "sign-red" } else { "sign-dark" }).to_string();
    // One ring for red, two for black: the rings repeat the colour.
    circle(out, 0.0, 0.0, r - 5.0, &line(&colour, 1.0, 2.6));
    if tone != Tone::Red {
        circle(out, 0.0, 0.0, r - 9.5, &line(&colour, 1.0, 1.8));
    }
    let Some(d) = faces::outline(scene.faces, face, tone) else { return };
    let _ = if scene.faces == FaceSet::Pictures {
        write!(out, "<path d=\"{d}\" fill=\"{colour}\" transform=\"translate(0 -1) scale(0.86)\"/>")
    } else {
        write!(
            out,
            "<path d=\"{d}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"5\" stroke-linejoin=\"round\" \
             transform=\"scale(0.365)\"/>"
        )
    };
}

fn disc(out: &mut String, scene: &Scene, r: f32, tone: Tone, face: &str) {
    let rim = rim(scene, tone, 0.8, 0.7, ("#8d847b", "#7d6a48"), 3.0);
    let (groove, crown) = match (scene.theme, tone) {
        (Theme::Contrast, Tone::Light) => (line("#000000", 1.0, 3.2), "#000000"),
        (Theme::Contrast, _) => (line("#ffffff", 1.0, 3.2), "#ffffff"),
        (_, Tone::Light) => (line("#8d7a56", 0.6, 3.2), "#7a3a12"),
        _ => (line("#7d746b", 0.75, 3.2), "#f4d27a"),
    };
    if face == "king" {
        // Two discs, one on the other, and a crown.
        shadow(out, 0.0, 13.0, r + 3.0);
        for y in [8.0, -7.0] {
            circle(out, 0.0, y, r, BODY);
            circle(out, 0.0, y, r - 1.5, &rim);
        }
        let _ =
            write!(out, "<path d=\"{CROWN}\" fill=\"{crown}\" transform=\"translate(0 -6) scale(1.12)\"/>");
    } else {
        shadow(out, 0.0, 6.0, r + 4.0);
        circle(out, 0.0, 0.0, r, BODY);
        circle(out, 0.0, 0.0, r - 1.5, &rim);
        circle(out, 0.0, 0.0, r - 10.0, &groove);
        circle(out, 0.0, 0.0, r - 21.0, &groove);
    }
}

fn token(out: &mut String, scene: &Scene, r: f32, tone: Tone) {
    shadow(out, 0.0, 6.0, r + 4.0);
    circle(out, 0.0, 0.0, r, BODY);
    circle(out, 0.0, 0.0, r - 2.0, &rim(scene, tone, 0.85, 0.55, ("#a5afb7", "#6b5c40"), 4.0));
    let contrast = scene.theme == Theme::Contrast;
    // The shape repeats the colour: a square for one side, a ring for the other.
    if tone == Tone::Dark {
        let stroke = if contrast { line("#ffffff", 1.0, 5.0) } else { line("#cfd6db", 0.85, 5.0) };
        let square = "x=\"-13\" y=\"-13\" width=\"26\" height=\"26\" rx=\"3\" transform=\"rotate(45)\"";
        let _ = write!(out, "<rect {square} {stroke}/>");
    } else if tone == Tone::Light {
        let stroke = if contrast { line("#000000", 1.0, 5.0) } else { line("#6b5c40", 0.8, 5.0) };
        circle(out, 0.0, 0.0, 16.0, &stroke);
    }
}
