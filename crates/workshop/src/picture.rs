//! A small picture of a map's board, for lists: SVG, drawn from the workbook alone.

use std::fmt::Write as _;

use catalog::maps::Map;
use kernel::Side;

/// One square, in units of the picture.
const SQUARE: usize = 20;
/// The number of squares above which pieces have no letters, because they would be too small to read.
const LETTERS: usize = 400;

/// The board with its pieces at the start.
#[must_use]
pub fn draw(map: &Map) -> String {
    let (rows, cols) = (usize::from(map.rows), usize::from(map.cols));
    let (wide, high) = (cols * SQUARE, rows * SQUARE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"'Noto Serif CJK SC', serif\" font-size=\"11\" text-anchor=\"middle\">\
         <rect width=\"{wide}\" height=\"{high}\" fill=\"#ecd9b0\"/><path stroke=\"#a98d5b\" d=\""
    );
    for row in 0..=rows {
        let _ = write!(out, "M0 {}H{wide}", row * SQUARE);
    }
    for col in 0..=cols {
        let _ = write!(out, "M{} 0V{high}", col * SQUARE);
    }
    out.push_str("\"/>");
    for (at, &id) in map.start.iter().enumerate() {
        let Some(kind) = map.kinds.get(usize::from(id).wrapping_sub(1)) else { continue };
        let (x, y) = (at % cols * SQUARE + SQUARE / 2, at / cols * SQUARE + SQUARE / 2);
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

#[cfg(test)]
mod tests {
    use super::*;

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
