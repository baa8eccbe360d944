//! Boards that are no plain rectangle, as SVG: hexagons, missing cells, and terrain with its signs. As in the page's
//! `Terrain.svelte`, with the colours and signs of the page's `terrain.json`.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::LazyLock;

use kernel::Cell;
use serde::Deserialize;

use crate::scene::Scene;

/// The outline of a hexagon around its middle.
const HEXAGON: &str = "M0 -56L48.5 -28V28L0 56L-48.5 28V-28Z";
/// The outline of a square around its middle.
const SQUARE: &str =
    "M-41.5 -48.5h83a7 7 0 0 1 7 7v83a7 7 0 0 1 -7 7h-83a7 7 0 0 1 -7 -7v-83a7 7 0 0 1 7 -7z";

/// The colours and signs of terrain, by their names.
#[derive(Deserialize)]
struct Looks {
    colours: HashMap<String, String>,
    icons: HashMap<String, String>,
}

static LOOKS: LazyLock<Looks> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../web/src/faces/terrain.json")).expect("the page's own file")
});

/// Draws the cells, or the lines between them, and the terrain.
pub(crate) fn draw(scene: &Scene, out: &mut String) {
    let (board, c) = (&scene.board, &scene.colours);
    let outline = if board.hex { HEXAGON } else { SQUARE };
    let cells: Vec<Cell> =
        (0..Cell::from(board.files) * Cell::from(board.ranks)).filter(|&cell| board.is_place(cell)).collect();
    let place = |cell: Cell| {
        let (x, y) = scene.middle(cell);
        format!("transform=\"translate({x} {y})\"")
    };
    let ink = c.find("names").unwrap_or_else(|| c.get("ink-line")).as_attribute("stroke");
    if scene.has_squares() {
        // Their beds have no gaps between them.
        let whole = if board.hex { HEXAGON } else { "M-50 -50h100v100h-100z" };
        let (bed, edge) = (c.attribute("fill", "bed"), c.attribute("stroke", "bed"));
        for &cell in &cells {
            let _ = write!(
                out,
                "<path d=\"{whole}\" {} {bed} {edge} stroke-width=\"12\" stroke-linejoin=\"round\"/>",
                place(cell)
            );
        }
        for &cell in &cells {
            let is_even = (u16::from(scene.row(cell)) + u16::from(scene.file(cell))).is_multiple_of(2);
            let colour = if board.hex || is_even || !scene.paint.chequered { "cell" } else { "cell-odd" };
            let _ = write!(out, "<path d=\"{outline}\" {} {}/>", place(cell), c.attribute("fill", colour));
        }
    }
    for look in &board.terrain {
        let colour = look.colour.as_ref().and_then(|name| LOOKS.colours.get(&**name));
        let icon = look.icon.as_ref().and_then(|name| LOOKS.icons.get(&**name));
        for &cell in look.cells.iter().filter(|&&cell| board.is_place(cell)) {
            if let Some(colour) = colour {
                let _ = write!(
                    out,
                    "<path d=\"{outline}\" {} fill=\"{colour}\" fill-opacity=\"0.5\"/>",
                    place(cell)
                );
            }
            if let Some(icon) = icon {
                let _ = write!(
                    out,
                    "<path d=\"{icon}\" {} fill=\"none\" {ink} stroke-width=\"5\" opacity=\"0.75\"/>",
                    place(cell)
                );
            }
        }
    }
    if !scene.has_squares() {
        let mut lines = String::new();
        for &cell in &cells {
            let (x, y) = scene.middle(cell);
            let right = (scene.file(cell) + 1 < board.files).then_some(cell + 1);
            let below = (scene.row(cell) + 1 < board.ranks).then_some(cell + Cell::from(board.files));
            for next in [right, below].into_iter().flatten().filter(|&next| board.is_place(next)) {
                let (to_x, to_y) = scene.middle(next);
                let _ = write!(lines, "M{x} {y}L{to_x} {to_y}");
            }
        }
        let _ = write!(out, "<path d=\"{lines}\" fill=\"none\" {ink} stroke-width=\"4\"/>");
    }
}
