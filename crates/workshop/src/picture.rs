//! A small picture of a map's board, for lists: SVG, drawn from the workbook alone.

use std::fmt::Write as _;

use catalog::maps::Map;
use kernel::{Board, Cell, Side};

/// One square, in units of the picture.
const SQUARE: usize = 20;
/// The number of squares above which pieces have no letters, because they would be too small to read.
const LETTERS: usize = 400;

/// The board with its pieces at the start; of a map of level 2 with its hexagons, missing squares and terrain.
#[must_use]
pub fn draw(map: &Map) -> String {
    let (rows, cols) = (usize::from(map.rows), usize::from(map.cols));
    let board = map.level2.is_some().then(|| catalog::maps::preview(map.clone()).board);
    let is_hex = board.as_ref().is_some_and(|board| board.hex);
    let slant = |row: usize| if is_hex { row * SQUARE / 2 } else { 0 };
    let middle = |at: usize| {
        let row = at / cols;
        (at % cols * SQUARE + SQUARE / 2 + slant(row), row * SQUARE + SQUARE / 2)
    };
    let (wide, high) = (cols * SQUARE + slant(rows - 1), rows * SQUARE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"'Noto Serif CJK SC', serif\" font-size=\"11\" text-anchor=\"middle\">\
         <rect width=\"{wide}\" height=\"{high}\" fill=\"#ecd9b0\"/>"
    );
    match &board {
        Some(board) => cells(board, map.squares(), middle, &mut out),
        None => {
            out.push_str("<path stroke=\"#a98d5b\" d=\"");
            for row in 0..=rows {
                let _ = write!(out, "M0 {}H{wide}", row * SQUARE);
            }
            for col in 0..=cols {
                let _ = write!(out, "M{} 0V{high}", col * SQUARE);
            }
            out.push_str("\"/>");
        }
    }
    for (at, &id) in map.start.iter().enumerate() {
        let Some(kind) = map.kinds.get(usize::from(id).wrapping_sub(1)) else { continue };
        let (x, y) = middle(at);
        let colour = match kind.owner {
            Some(Side::First) => "#b3372c",
            Some(Side::Second) => "#2c5fa8",
            None => "#5f5a52",
        };
        let _ = write!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"8.5\" fill=\"#fbf6ea\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        );
        if map.squares() <= LETTERS {
            let letter = kind.name.chars().find(|c| !c.is_control() && !c.is_whitespace());
            let text = match letter {
                Some('<') => "&lt;".to_owned(),
                Some('&') => "&amp;".to_owned(),
                Some(letter) => letter.to_string(),
                None => continue,
            };
            let _ = write!(out, "<text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{text}</text>", y + 4);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Draws the cells of a board of level 2, and over them the colours of terrain.
fn cells(board: &Board, squares: usize, middle: impl Fn(usize) -> (usize, usize), out: &mut String) {
    let outline = if board.hex { "m0 -13l10 6v14l-10 6l-10 -6v-14z" } else { "m-10 -10h20v20h-20z" };
    let path = |at: usize| {
        let (x, y) = middle(at);
        format!("M{x} {y}{outline}")
    };
    let whole: String = (0..squares).filter(|&at| board.is_place(at as Cell)).map(path).collect();
    let _ = write!(out, "<path fill=\"none\" stroke=\"#a98d5b\" d=\"{whole}\"/>");
    for look in &board.terrain {
        let Some(colour) = &look.colour else { continue };
        let seen: String = look.cells.iter().map(|&at| path(usize::from(at))).collect();
        let _ = write!(out, "<path fill=\"{colour}\" fill-opacity=\"0.3\" d=\"{seen}\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexagons_and_terrain_are_drawn() {
        let drawn = |key: &str| {
            let package = catalog::maps::sample(key).expect("is built in").package();
            draw(&catalog::maps::check(&package.map).map.expect("a good map"))
        };
        let hex = drawn("hex-2");
        assert!(hex.contains("viewBox=\"0 0 200 140\"") && hex.matches("v14").count() > 49, "{hex}");
        assert_eq!(hex.matches("fill-opacity").count(), 4);
        assert!(drawn("farmyard").contains("h20v20"), "squares");
    }

    #[test]
    fn every_piece_of_the_built_in_maps_is_drawn() {
        for sample in catalog::maps::built_in() {
            let map = catalog::maps::check(&sample.package().map).map.expect("a good map");
            let drawn = draw(&map);
            let pieces = map.start.iter().filter(|&&id| id > 0).count();
            assert_eq!(drawn.matches("<circle").count(), pieces, "{}", sample.key);
            assert_eq!(drawn.matches("<text").count(), pieces, "{}", sample.key);
        }
    }

    #[test]
    fn a_name_is_no_markup() {
        let mut map = catalog::maps::starter();
        map.kinds.iter_mut().for_each(|kind| kind.name = "<script>".to_owned());
        assert!(!draw(&map).contains("<script"));
    }
}
