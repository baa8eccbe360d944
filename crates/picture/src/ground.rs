//! The fixed parts of a board, as SVG: squares or lines, the decoration on them, and the names of places. As in the
//! page's `Ground.svelte` and `Names.svelte`.

use std::fmt::Write;

use kernel::{Cell, Decor, NamesKind};

use crate::faces;
use crate::ink::{self, Anchor};
use crate::scene::{Scene, UNIT};
use crate::terrain;

/// Returns the board without pieces; `cell_px` is the width of a cell in pixels.
pub(crate) fn svg(scene: &Scene, cell_px: u32) -> String {
    let (width, height) = scene.size();
    let c = &scene.colours;
    let mut out = format!(
        "<defs><linearGradient id=\"wood\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"><stop offset=\"0\" {}/><stop offset=\"1\" {}/>\
         </linearGradient></defs><rect width=\"{width}\" height=\"{height}\" fill=\"url(#wood)\"/>",
        c.attribute("stop-color", "wood-a").replace("stop-color-opacity", "stop-opacity"),
        c.attribute("stop-color", "wood-b").replace("stop-color-opacity", "stop-opacity"),
    );
    // On a smaller board grain looks like dirt between the lines.
    if scene.paint.grain && width * cell_px as f32 / UNIT >= 460.0 {
        let _ = write!(
            out,
            "<path d=\"{}\" fill=\"none\" {} stroke-width=\"3.5\"/>",
            grain(width, height),
            c.attribute("stroke", "grain")
        );
    }
    if scene.is_shaped() {
        terrain::draw(scene, &mut out)
    } else if scene.has_squares() {
        squares(scene, &mut out)
    } else {
        lines(scene, &mut out)
    }
    for &star in &scene.board.stars {
        let (x, y) = scene.middle(star);
        let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" {}/>", c.attribute("fill", "ink-line"));
    }
    names(scene, cell_px, &mut out);
    out
}

fn squares(scene: &Scene, out: &mut String) {
    let (board, c) = (&scene.board, &scene.colours);
    let gaps = !board.gaps.is_empty();
    let (w, h) = (f32::from(board.files) * UNIT, f32::from(board.ranks) * UNIT);
    let _ = write!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {}/>",
        scene.margin() - 5.0,
        scene.top() - 5.0,
        w + 10.0,
        h + 10.0,
        if gaps { 2 } else { 8 },
        c.attribute("fill", "bed")
    );
    // Three paths rather than thousands of rectangles.
    let (mut even, mut odd, mut gap) = (String::new(), String::new(), String::new());
    for row in 0..board.ranks {
        for file in 0..board.files {
            let cell = board.cell(file, row);
            let (x, y) = scene.middle(cell);
            if gaps {
                let path = if board.gaps.binary_search(&cell).is_ok() { &mut gap } else { &mut even };
                let _ = write!(path, "M{} {}h100v100h-100z", x - 50.0, y - 50.0);
            } else {
                let is_odd = scene.paint.chequered && (u16::from(row) + u16::from(file)) % 2 == 1;
                let path = if is_odd { &mut odd } else { &mut even };
                let _ = write!(
                    path,
                    "M{} {}h83a7 7 0 0 1 7 7v83a7 7 0 0 1 -7 7h-83a7 7 0 0 1 -7 -7v-83a7 7 0 0 1 7 -7z",
                    x - 41.5,
                    y - 48.5
                );
            }
        }
    }
    for (path, colour) in [(even, "cell"), (odd, "cell-odd"), (gap, "gap")] {
        if !path.is_empty() {
            let _ = write!(out, "<path d=\"{path}\" {}/>", c.attribute("fill", colour));
        }
    }
}

fn lines(scene: &Scene, out: &mut String) {
    let (board, c) = (&scene.board, &scene.colours);
    let (last_file, last_row) = (board.files - 1, board.ranks - 1);
    let (x, y) = (|file| scene.file_x(file), |row| scene.row_y(row));
    let mut d = String::new();
    for row in 0..board.ranks {
        let _ = write!(d, "M{} {}H{}", x(0), y(row), x(last_file));
    }
    for file in 0..board.files {
        let _ = match scene.river().filter(|_| file > 0 && file < last_file) {
            Some(river) => {
                write!(d, "M{0} {1}V{2}M{0} {3}V{4}", x(file), y(0), y(river), y(river + 1), y(last_row))
            }
            None => write!(d, "M{} {}V{}", x(file), y(0), y(last_row)),
        };
    }
    let mut stations = String::new();
    for decor in &board.decor {
        match *decor {
            Decor::Line { from, to } => {
                let ((x1, y1), (x2, y2)) = (scene.middle(from), scene.middle(to));
                let _ = write!(d, "M{x1} {y1}L{x2} {y2}");
            }
            Decor::Station { at } => station(scene, at, &mut stations),
            Decor::River { .. } => {}
        }
    }
    let ink = c.attribute("stroke", "ink-line");
    let _ = write!(
        out,
        "<path d=\"{d}\" fill=\"none\" {ink} stroke-width=\"2.6\" stroke-opacity=\"0.78\"/>\
         <path d=\"{stations}\" fill=\"none\" {ink} stroke-width=\"3\" stroke-opacity=\"0.78\"/>"
    );
    let (left, top) = (scene.margin() + UNIT / 2.0, scene.top() + UNIT / 2.0);
    let (w, h) = (f32::from(last_file) * UNIT, f32::from(last_row) * UNIT);
    let mut border = |out_by: f32, thick: f32| {
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" {ink} stroke-width=\"{thick}\"/>",
            left - out_by,
            top - out_by,
            w + 2.0 * out_by,
            h + 2.0 * out_by
        );
    };
    border(0.0, 5.0);
    if !board.decor.is_empty() {
        border(11.0, 2.4);
    }
    river(scene, out);
}

/// Draws four corners around a place, but none beyond the edge.
fn station(scene: &Scene, at: Cell, d: &mut String) {
    let (x, y) = scene.middle(at);
    let (left, right) = (scene.margin(), scene.margin() + f32::from(scene.board.files) * UNIT);
    for sx in [-1.0, 1.0] {
        if x + sx * UNIT < left || x + sx * UNIT > right {
            continue;
        }
        for sy in [-1.0, 1.0] {
            let _ = write!(d, "M{} {}V{}H{}", x + sx * 9.0, y + sy * 26.0, y + sy * 9.0, x + sx * 26.0);
        }
    }
}

fn river(scene: &Scene, out: &mut String) {
    let (Some(row), Some(words)) = (scene.river(), &scene.paint.river) else { return };
    let middle = scene.margin() + f32::from(scene.board.files) * UNIT / 2.0;
    let y = (scene.row_y(row) + scene.row_y(row + 1)) / 2.0;
    for (side, word) in words.iter().enumerate() {
        let length = word.chars().count() as f32;
        for (i, sign) in word.chars().enumerate() {
            let step = if side == 0 { i as f32 - length - 0.4 } else { i as f32 + 1.4 };
            if let Some(d) = faces::sign(sign.encode_utf8(&mut [0; 4])) {
                let _ = write!(
                    out,
                    "<path d=\"{d}\" transform=\"translate({} {y}) scale(0.44)\" {} opacity=\"0.8\"/>",
                    middle + step * 1.15 * UNIT,
                    scene.colours.attribute("fill", "ink-line")
                );
            }
        }
    }
}

/// Draws letters beside the board, or numbers in its squares; never smaller than nine pixels, and none where there is
/// no room.
fn names(scene: &Scene, cell_px: u32, out: &mut String) {
    let board = &scene.board;
    let nine = 900.0 / cell_px as f32;
    let mut d = String::new();
    let names = scene.colours.find("names");
    let mut fill = names.map_or_else(|| "fill=\"#4a3314\"".to_owned(), |colour| colour.as_attribute("fill"));
    if scene.has_numbers() {
        let size = nine.clamp(16.0, 26.0);
        fill = "fill=\"#fff\"".to_owned();
        if scene.theme == crate::Theme::Contrast {
            fill = "fill=\"#000\"".to_owned();
        }
        for cell in
            (0..Cell::from(board.files) * Cell::from(board.ranks)).filter(|&cell| board.is_place(cell))
        {
            let (x, y) = scene.middle(cell);
            d += &ink::outline(&board.name(cell), size, x - 47.0, y - 46.0 + 0.76 * size, Anchor::Start);
        }
    } else if scene.has_letters() && cell_px >= 18 {
        let size = nine.clamp(30.0, 44.0);
        for file in 0..board.files {
            let name = file_name(scene, file);
            let lowest = if scene.is_flipped() { 0 } else { board.ranks - 1 };
            let (x, _) = scene.middle(board.cell(file, lowest));
            d += &ink::outline(&name, size, x, scene.letters_y(), Anchor::Middle);
        }
        for row in 0..board.ranks {
            let name = rank_name(scene, row);
            let first = if scene.is_flipped() { board.files - 1 } else { 0 };
            let (x, y) = scene.middle(board.cell(first, row));
            let x = x - UNIT / 2.0 - scene.margin() / 2.0 - 2.0;
            d += &ink::outline(&name, size, x, y + 0.36 * size, Anchor::Middle);
        }
    }
    if !d.is_empty() {
        let _ = write!(out, "<path d=\"{d}\" {fill}/>");
    }
}

fn file_name(scene: &Scene, file: u8) -> String {
    match scene.board.names.kind {
        NamesKind::Pairs => (file + 1).to_string(),
        _ => char::from(b'a' + file).to_string(),
    }
}

fn rank_name(scene: &Scene, row: u8) -> String {
    let first = u16::from(scene.board.names.first);
    let row = match scene.board.names.kind {
        NamesKind::LettersUp => scene.board.ranks - 1 - row,
        _ => row,
    };
    (u16::from(row) + first).to_string()
}

/// Returns long wavering lines of grain, the same as the page draws for the same size.
fn grain(width: f32, height: f32) -> String {
    let mut seed: u64 = 7;
    let mut random = || {
        seed = seed * 16807 % 2_147_483_647;
        seed as f32 / 2_147_483_647.0
    };
    let mut d = String::new();
    let mut x = random() * 20.0;
    while x < width {
        let mut sway = || (x + (random() - 0.5) * 22.0).round();
        let (a, b, c, e) = (sway(), sway(), sway(), sway());
        let (third, most) = ((height * 0.3).round(), (height * 0.7).round());
        let _ = write!(d, "M{a} 0C{b} {third} {c} {most} {e} {height}");
        x += 8.0 + random() * 30.0;
    }
    d
}
