//! Drawing of pixels: the board once, each piece once, and the marks for each position.

use std::collections::HashMap;

use kernel::Side;
use kernel::view::View;
use resvg::tiny_skia::{Pixmap, PixmapPaint, Transform};
use resvg::usvg::{Options, Tree};

use crate::paint::Pieces;
use crate::piece::{self, Rim, Tone};
use crate::scene::{Scene, UNIT};
use crate::{GivenUp, ground, marks};

/// The width of a cell in pixels below which pieces show only their side.
const FACES_FROM_PX: u32 = 14;
/// The most pixels of all cached sprites together: 16 MiB.
const MOST_SPRITE_PIXELS: usize = 4 << 20;

/// A painter of the positions of one game, all of the same size. The parts that they share are drawn once.
pub struct Painter {
    scene: Scene,
    cell_px: u32,
    ground: Pixmap,
    sprites: HashMap<(Tone, String, Option<Rim>), Pixmap>,
}

/// An uncompressed picture.
#[derive(Clone, PartialEq)]
pub struct Picture(pub(crate) Pixmap);

impl Picture {
    /// Returns the width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.0.width()
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.0.height()
    }

    /// Encodes the picture as a PNG file of eight bits a channel, without alpha: every pixel of a picture is opaque.
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // A picture takes as long to compress as to draw: level 1 is half as large as none and four times as fast as 6.
        encoder.set_deflate_compression(png::DeflateCompression::Level(1));
        encoder.set_filter(png::Filter::Adaptive);
        let mut writer = encoder.write_header().expect("a vector takes everything");
        writer.write_image_data(&self.rgb()).expect("as many bytes as the header says");
        writer.finish().expect("a vector takes everything");
        out
    }

    /// Returns the pixels as three bytes each, row by row.
    fn rgb(&self) -> Vec<u8> {
        self.0.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect()
    }
}

impl Painter {
    /// Builds a painter of pictures of at most `width` and `height` pixels; cells are a whole number of pixels, at
    /// least two.
    #[must_use]
    pub fn new(scene: Scene, width: u32, height: u32) -> Painter {
        let (w, h) = scene.size();
        let cell_px = (width as f32 * UNIT / w).min(height as f32 * UNIT / h).floor().max(2.0) as u32;
        let scale = cell_px as f32 / UNIT;
        let mut ground = pixmap((w * scale).round() as u32, (h * scale).round() as u32);
        paint(&mut ground, &ground::svg(&scene, cell_px), Transform::from_scale(scale, scale));
        Painter { scene, cell_px, ground, sprites: HashMap::new() }
    }

    /// Returns the number of pixels of a unit.
    fn scale(&self) -> f32 {
        self.cell_px as f32 / UNIT
    }

    /// Draws a position. `go_on` is called now and then and may end the work by returning false.
    ///
    /// # Errors
    /// Fails when `go_on` returns false.
    pub fn draw(&mut self, view: &View, go_on: &dyn Fn() -> bool) -> Result<Picture, GivenUp> {
        let scale = Transform::from_scale(self.scale(), self.scale());
        let mut canvas = self.ground.clone();
        paint(&mut canvas, &marks::below(&self.scene, view), scale);
        for piece in &view.pieces {
            if !go_on() {
                return Err(GivenUp);
            }
            let tone = self.scene.tone(piece.owner, view);
            let legible = self.cell_px >= FACES_FROM_PX;
            let face = if legible { piece.face.to_string() } else { String::new() };
            let rim = if legible { Rim::of(&self.scene, view, piece.at) } else { None };
            self.put(&mut canvas, (tone, face, rim), self.scene.middle(piece.at));
        }
        self.hands(&mut canvas, view);
        paint(&mut canvas, &marks::above(&self.scene, view), scale);
        Ok(Picture(canvas))
    }

    /// Draws a piece around `middle`, in units.
    fn put(&mut self, canvas: &mut Pixmap, piece: (Tone, String, Option<Rim>), middle: (f32, f32)) {
        let (left, top) = ((middle.0 - UNIT) * self.scale(), (middle.1 - UNIT) * self.scale());
        let sprite = self.sprite(piece, (left.fract(), top.fract()));
        let (left, top) = (left.floor() as i32, top.floor() as i32);
        canvas.draw_pixmap(left, top, sprite.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }

    /// Draws the pieces in the hands of both players, with their numbers where there are several.
    fn hands(&mut self, canvas: &mut Pixmap, view: &View) {
        if self.scene.board.hands.is_none() {
            return;
        }
        let mut numbers = String::new();
        for side in Side::BOTH {
            let own: Vec<_> = view.hands.iter().filter(|one| one.side == side).collect();
            for (one, (x, y)) in own.iter().zip(self.scene.in_hand(side, own.len())) {
                let face = if self.cell_px >= FACES_FROM_PX { one.face.to_string() } else { String::new() };
                self.put(canvas, (self.scene.tone(Some(side), view), face, None), (x, y));
                if one.count != Some(1) {
                    let count = one.count.map_or("∞".to_owned(), |count| count.to_string());
                    numbers += &marks::number(&count, x + 30.0, y + 32.0);
                }
            }
        }
        paint(canvas, &numbers, Transform::from_scale(self.scale(), self.scale()));
    }

    /// Returns a piece of a side, as SVG around its middle: for the name of its player, in the colour that the side
    /// has in `view`.
    pub(crate) fn sample(&self, side: Side, view: &View) -> String {
        let face = match self.scene.paint.pieces {
            Pieces::Character => "general",
            Pieces::Tile => "",
            _ => "man",
        };
        piece::svg(&self.scene, self.scene.tone(Some(side), view), face, None)
    }

    /// A piece in the middle of a picture two cells wide. `shift`: where that picture begins, in parts of a pixel;
    /// the same for each cell, since cells are whole pixels.
    fn sprite(&mut self, key: (Tone, String, Option<Rim>), shift: (f32, f32)) -> &Pixmap {
        let side = 2 * self.cell_px + 1;
        if self.sprites.len() * (side * side) as usize > MOST_SPRITE_PIXELS {
            self.sprites.clear();
        }
        let (scene, cell_px) = (&self.scene, self.cell_px as f32);
        self.sprites.entry(key).or_insert_with_key(|(tone, face, rim)| {
            let mut sprite = pixmap(side, side);
            let (dx, dy) = (shift.0.rem_euclid(1.0), shift.1.rem_euclid(1.0));
            let scale = cell_px / UNIT;
            let place = Transform::from_row(scale, 0.0, 0.0, scale, cell_px + dx, cell_px + dy);
            paint(&mut sprite, &piece::svg(scene, *tone, face, rim.as_ref()), place);
            sprite
        })
    }
}

pub(crate) fn pixmap(width: u32, height: u32) -> Pixmap {
    Pixmap::new(width.max(1), height.max(1)).expect("sizes are bounded")
}

/// Draws the inside of an SVG, whose units `place` puts where they belong.
pub(crate) fn paint(canvas: &mut Pixmap, inside: &str, place: Transform) {
    if inside.is_empty() {
        return;
    }
    // Nothing is cut off at the edges of the view box; it is there because an SVG has one.
    let svg =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\">{inside}</svg>");
    let tree = Tree::from_str(&svg, &Options::default()).expect("our own SVG");
    resvg::render(&tree, place, &mut canvas.as_mut());
}
