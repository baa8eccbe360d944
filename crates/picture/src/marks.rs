//! Marks on a board besides the pieces, as SVG: the last move, and the marks of the rules. As in the page's
//! `LastMove.svelte`, `Marks.svelte` and `Written.svelte`.

use std::fmt::Write;

use kernel::view::View;
use kernel::{Cell, Mark};

use crate::Theme;
use crate::ink::{self, Anchor};
use crate::paint::Last;
use crate::piece::{BADGES, Tone};
use crate::scene::Scene;

/// Returns true if marks of this kind are not drawn on the board: the page shows them only when a player tries
/// another move, or the piece itself wears them.
fn is_quiet(kind: &str) -> bool {
    kind == "must" || kind == "ghost" || BADGES.contains(&kind)
}

fn marked<'a>(view: &'a View, kind: &'a str) -> impl Iterator<Item = Cell> + 'a {
    view.marks.iter().filter(move |mark| mark.kind == kind).flat_map(|mark| mark.cells.iter().copied())
}

/// Returns the marks below the pieces.
pub(crate) fn below(scene: &Scene, view: &View) -> String {
    let mut out = String::new();
    let mark = scene.colours.attribute("stroke", "mark");
    for cell in last_cells(scene, view) {
        let (x, y) = scene.middle(cell);
        let _ = if scene.has_squares() {
            write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"94\" height=\"94\" rx=\"{}\" fill=\"#ffde8c\" fill-opacity=\"0.18\" \
                 {mark} stroke-opacity=\"0.55\" stroke-width=\"3.5\"/>",
                x - 47.0,
                y - 47.0,
                if scene.board.hex {
                    47
                } else if scene.board.gaps.is_empty() {
                    7
                } else {
                    2
                }
            )
        } else if scene.paint.last == Last::Corners {
            write!(
                out,
                "<path d=\"M{} {}v-20h20m54 0h20v20m0 54v20h-20m-54 0h-20v-20\" fill=\"none\" {mark} \
                 stroke-width=\"5.5\" stroke-linejoin=\"round\"/>",
                x - 47.0,
                y - 27.0
            )
        } else {
            Ok(())
        };
    }
    let green = scene.paint.name == "goban";
    let (area, opacity) =
        if green { ("#2f6f3e".to_owned(), 0.24) } else { (scene.colours.get("mark").to_string(), 0.16) };
    for cell in marked(view, "zone") {
        let (x, y) = scene.middle(cell);
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"100\" height=\"100\" fill=\"{area}\" fill-opacity=\"{opacity}\"/>",
            x - 50.0,
            y - 50.0
        );
    }
    out
}

/// Returns the cells between which the last move went.
fn last_cells(scene: &Scene, view: &View) -> Vec<Cell> {
    let mut cells: Vec<Cell> = match scene.paint.last {
        Last::Dot => Vec::new(),
        Last::Square | Last::Corners => view.trail.first().copied().into_iter().collect(),
    };
    cells.extend(&view.last);
    cells.dedup();
    cells
}

/// Returns the marks on top of the pieces.
pub(crate) fn above(scene: &Scene, view: &View) -> String {
    let mut out = String::new();
    if scene.paint.last == Last::Dot {
        for piece in &view.pieces {
            if view.last.contains(&piece.at) && !marked(view, "winning-line").any(|cell| cell == piece.at) {
                let (x, y) = scene.middle(piece.at);
                let fill = match (scene.theme, scene.tone(piece.owner, view)) {
                    (Theme::Contrast, _) => "#ff3df0",
                    (_, Tone::Light) => "#c22f10",
                    _ => "#e2502e",
                };
                let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"{fill}\"/>");
            }
        }
    }
    let winning: Vec<Cell> = marked(view, "winning-line").collect();
    if let (Some(&first), Some(&last)) = (winning.first(), winning.last()) {
        let ((x1, y1), (x2, y2)) = (scene.middle(first), scene.middle(last));
        let line = format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke-linecap=\"round\" opacity=\"0.95\""
        );
        let win = scene.colours.attribute("stroke", "win");
        let _ = write!(
            out,
            "{line} stroke=\"#000\" stroke-opacity=\"0.55\" stroke-width=\"15\"/>{line} {win} stroke-width=\"9\"/>"
        );
    }
    for mark in view.marks.iter().filter(|mark| !is_quiet(&mark.kind) && mark.kind != "zone") {
        for &cell in &mark.cells {
            one(scene, mark, cell, &mut out);
        }
    }
    out
}

fn one(scene: &Scene, mark: &Mark, cell: Cell, out: &mut String) {
    let r = scene.paint.radius;
    let ring = |r: f32, stroke: &str, width: f32| {
        format!("<circle r=\"{r}\" fill=\"none\" {stroke} stroke-width=\"{width}\"/>")
    };
    let colour = |name: &str| scene.colours.attribute("stroke", name);
    let lesson = |d: &str| {
        let blue = if scene.theme == Theme::Dark { "#0c3b78" } else { "#1f5fae" };
        format!(
            "<path d=\"{d}\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\"0.8\" stroke-width=\"13\" stroke-linejoin=\"round\"/>\
             <path d=\"{d}\" fill=\"none\" stroke=\"{blue}\" stroke-width=\"7\" stroke-linejoin=\"round\"/>"
        )
    };
    let shape = match &*mark.kind {
        "winning-line" => ring(r + 1.0, &colour("win"), 6.0),
        "offered" => ring(r - 13.0, "stroke=\"#ffe9a8\"", 5.0),
        "forbidden" => "<path d=\"M-17 -17l34 34m0 -34l-34 34\" stroke=\"#c3210d\" stroke-width=\"7\" stroke-linecap=\"round\"/>"
            .to_owned(),
        "four" => lesson("M0 -26L26 0L0 26L-26 0Z"),
        "open-three" => lesson("M0 -25L25 19H-25Z"),
        "chased" => {
            let red = if scene.theme == Theme::Dark { "#ff8f78" } else { "#c8301a" };
            format!(
                "<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{1}\" rx=\"12\" fill=\"none\" stroke=\"{red}\" \
                 stroke-width=\"7\" stroke-dasharray=\"18 9\"/>",
                -r - 3.0,
                2.0 * r + 6.0
            )
        }
        "check" => ring(r + 7.0, "stroke=\"#d6260f\" stroke-opacity=\"0.95\"", 9.0),
        "chaser" => ring(r + 5.0, &colour("mark"), 9.0),
        _ => ring(r + 5.0, &colour("mark"), 7.0),
    };
    let (x, y) = scene.middle(cell);
    let _ = write!(out, "<g transform=\"translate({x} {y})\">{shape}</g>");
}

/// Returns a number on a dark ground, around the middle.
pub(crate) fn number(text: &str, x: f32, y: f32) -> String {
    let d = ink::outline(text, 30.0, x, y + 10.0, Anchor::Middle);
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"#1d2521\"/><path d=\"{d}\" fill=\"#fff\"/>")
}
