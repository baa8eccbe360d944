//! Letters as outlines, from the one font that is included (`fonts/README.md`).

use std::fmt::Write;
use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

static FONT: LazyLock<Face<'static>> = LazyLock::new(|| {
    Face::parse(include_bytes!("../fonts/NotoSansSC-Bold.subset.otf"), 0).expect("our own font")
});

/// Returns true if every letter of `text` can be drawn.
#[must_use]
pub fn is_drawable(text: &str) -> bool {
    text.chars().all(|c| FONT.glyph_index(c).is_some())
}

/// The alignment of a text at its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

/// Returns the width of a text in ems. A letter that cannot be drawn is as wide as a Chinese one.
pub(crate) fn width(text: &str) -> f32 {
    let em = f32::from(FONT.units_per_em());
    text.chars().map(|c| advance(c).map_or(1.0, |units| f32::from(units) / em)).sum()
}

fn advance(c: char) -> Option<u16> {
    FONT.glyph_hor_advance(FONT.glyph_index(c)?)
}

/// Returns a text of that size as the `d` of a path, on the baseline `y`. A letter that cannot be drawn is a hollow
/// square.
pub(crate) fn outline(text: &str, size: f32, x: f32, y: f32, anchor: Anchor) -> String {
    let scale = size / f32::from(FONT.units_per_em());
    let mut x = if anchor == Anchor::Middle { x - width(text) * size / 2.0 } else { x };
    let mut pen = Pen { d: String::new(), scale, x, y };
    for c in text.chars() {
        pen.x = x;
        match FONT.glyph_index(c) {
            Some(glyph) => {
                FONT.outline_glyph(glyph, &mut pen);
                x += f32::from(FONT.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
            }
            None => {
                let (left, top, side) = (x + 0.1 * size, y - 0.8 * size, 0.8 * size);
                let (inner, thin) = (side * 0.8, side * 0.1);
                let _ = write!(
                    pen.d,
                    "M{left:.1} {top:.1}h{side:.1}v{side:.1}h-{side:.1}zm{thin:.1} {thin:.1}v{inner:.1}h{inner:.1}v-{inner:.1}z"
                );
                x += size;
            }
        }
    }
    pen.d
}

/// Shortens `text` to at most `ems`, with an ellipsis where something is left out.
pub(crate) fn shortened(text: &str, ems: f32) -> String {
    if width(text) <= ems {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if width(&kept) + width(&c.to_string()) + 1.0 > ems {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept + "..."
}

/// A writer of a glyph as SVG, whose y grows downwards.
struct Pen {
    d: String,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        let _ = write!(self.d, "M{x:.2} {y:.2}");
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        let _ = write!(self.d, "L{x:.2} {y:.2}");
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        let _ = write!(self.d, "Q{x1:.2} {y1:.2} {x:.2} {y:.2}");
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        let _ = write!(self.d, "C{x1:.2} {y1:.2} {x2:.2} {y2:.2} {x:.2} {y:.2}");
    }

    fn close(&mut self) {
        self.d.push('Z');
    }
}
