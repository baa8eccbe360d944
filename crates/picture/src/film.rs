//! Animated GIFs of games: one colour table for all pictures, and of each picture only the changed part.

use std::borrow::Cow;
use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use kernel::view::View;

use crate::{GivenUp, Painter, Picture};

/// The number of colours of a film; one more stands for unchanged pixels.
const COLOURS: usize = 255;
const UNCHANGED: u8 = 255;
/// The sampling interval for the colour table, from 1 to 30: one pixel in this number is looked at, in the first,
/// middle and last picture.
const SAMPLE: i32 = 7;

/// The timing of a film.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Film {
    /// The time for which each position is shown, in hundredths of a second.
    pub each_cs: u16,
    /// The time for which the last position is shown, in hundredths of a second.
    pub last_cs: u16,
}

impl Default for Film {
    fn default() -> Self {
        Film { each_cs: 80, last_cs: 400 }
    }
}

/// Encodes the positions of a game as an endless animation. At least one position is needed.
///
/// # Errors
/// Fails when `go_on` returns false.
///
/// # Panics
/// Panics without a position.
pub fn film(
    painter: &mut Painter,
    views: &[View],
    how: Film,
    go_on: &dyn Fn() -> bool,
) -> Result<Vec<u8>, GivenUp> {
    let last = views.len().checked_sub(1).expect("a game has a position");
    let (begin, middle) = (painter.draw(&views[0], go_on)?, painter.draw(&views[last / 2], go_on)?);
    let end = painter.draw(&views[last], go_on)?;
    let mut table = Table::new([&begin, &middle, &end]);
    let (width, height) = (begin.width() as u16, begin.height() as u16);
    let mut out = Vec::new();
    let mut encoder =
        Encoder::new(&mut out, width, height, &table.palette()).expect("a vector takes everything");
    encoder.set_repeat(Repeat::Infinite).expect("a vector takes everything");
    let mut before: Option<Picture> = None;
    for (at, view) in views.iter().enumerate() {
        let now = painter.draw(view, go_on)?;
        let mut frame = table.changed(before.as_ref(), &now);
        frame.delay = if at == last { how.last_cs } else { how.each_cs };
        encoder.write_frame(&frame).expect("a vector takes everything");
        before = Some(now);
    }
    drop(encoder);
    Ok(out)
}

/// The colour table of a film, with a cache of the nearest colours in it.
struct Table {
    colours: color_quant::NeuQuant,
    nearest: HashMap<u32, u8>,
}

impl Table {
    fn new(pictures: [&Picture; 3]) -> Table {
        let rgba: Vec<u8> = pictures.iter().flat_map(|picture| picture.0.data().iter().copied()).collect();
        Table { colours: color_quant::NeuQuant::new(SAMPLE, COLOURS, &rgba), nearest: HashMap::new() }
    }

    fn palette(&self) -> Vec<u8> {
        let mut palette = self.colours.color_map_rgb();
        palette.extend([0, 0, 0]);
        palette
    }

    /// Returns the part of `now` that differs from `before`; all of it where there was no picture before.
    fn changed(&mut self, before: Option<&Picture>, now: &Picture) -> Frame<'static> {
        let (width, height) = (now.width() as usize, now.height() as usize);
        let pixels = now.0.pixels();
        let old = before.map(|picture| picture.0.pixels());
        let differs = |at: usize| old.is_none_or(|old| old[at] != pixels[at]);
        // At least one pixel: a frame without any is none.
        let (mut left, mut top, mut right, mut bottom) = (width - 1, height - 1, 0, 0);
        for y in 0..height {
            for x in (0..width).filter(|x| differs(y * width + x)) {
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
            }
        }
        if left > right || top > bottom {
            (left, top, right, bottom) = (0, 0, 0, 0);
        }
        let mut buffer = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
        for y in top..=bottom {
            let row = y * width + left..y * width + right + 1;
            for (at, &pixel) in row.clone().zip(&pixels[row]) {
                buffer.push(if differs(at) { self.index(pixel) } else { UNCHANGED });
            }
        }
        Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            transparent: Some(UNCHANGED),
            dispose: DisposalMethod::Keep,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }

    fn index(&mut self, pixel: resvg::tiny_skia::PremultipliedColorU8) -> u8 {
        let rgba = [pixel.red(), pixel.green(), pixel.blue(), 255];
        let colours = &self.colours;
        *self.nearest.entry(u32::from_le_bytes(rgba)).or_insert_with(|| colours.index_of(&rgba) as u8)
    }
}
