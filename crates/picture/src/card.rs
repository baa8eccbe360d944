//! Preview cards for links, as other programs show them: a board, and a few words about it.

use std::fmt::Write;

use kernel::Side;
use kernel::view::View;
use resvg::tiny_skia::{PixmapPaint, Transform};

use crate::canvas::{paint, pixmap};
use crate::ink::{self, Anchor};
use crate::{GivenUp, Painter, Picture, Scene, Theme};

/// The width of a card in pixels: that of Open Graph and Twitter's large cards.
pub const CARD_WIDTH: u32 = 1200;
/// The height of a card in pixels.
pub const CARD_HEIGHT: u32 = 630;
/// The margin around the board.
const AROUND: u32 = 32;
const INDENT: f32 = 64.0;
/// The font size of a player's name, and its indent behind a piece.
const PLAYER: f32 = 46.0;
const PLAYER_INDENT: f32 = 60.0;

/// The texts of a card, from the largest to the smallest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Card {
    /// The name of the game.
    pub title: String,
    /// The players of the first and the second side; a piece of the side stands before the name. Empty: a line is
    /// left out.
    pub players: [String; 2],
    /// The state or the result of the game.
    pub status: String,
    /// The name of the site, with its host name.
    pub place: String,
}

impl Card {
    /// Draws the card with a position of the board in `scene`.
    ///
    /// # Errors
    /// Fails when `go_on` returns false.
    pub fn draw(&self, scene: Scene, view: &View, go_on: &dyn Fn() -> bool) -> Result<Picture, GivenUp> {
        let theme = scene.theme;
        let mark = scene.colours.get("mark").to_string();
        // The board has at most three fifths of the card, words the rest.
        let mut painter = Painter::new(scene.flipped(false), CARD_WIDTH * 11 / 20, CARD_HEIGHT - 2 * AROUND);
        let board = painter.draw(view, go_on)?;
        let mut canvas = pixmap(CARD_WIDTH, CARD_HEIGHT);
        let left = CARD_WIDTH - AROUND - board.width();
        let top = (CARD_HEIGHT - board.height()) / 2;
        let (words, rows) = self.svg(theme, &mark, left as f32 - INDENT - 40.0, (left, top, &board));
        paint(&mut canvas, &words, Transform::identity());
        for (side, y) in rows {
            let scale = PLAYER / 120.0;
            let place =
                Transform::from_row(scale, 0.0, 0.0, scale, INDENT + PLAYER * 0.42, y - PLAYER * 0.37);
            paint(&mut canvas, &painter.sample(side, view), place);
        }
        let opaque = PixmapPaint::default();
        canvas.draw_pixmap(left as i32, top as i32, board.0.as_ref(), &opaque, Transform::identity(), None);
        Ok(Picture(canvas))
    }

    /// Returns the SVG of the card without the board and the players' pieces, and the baseline beside which each
    /// piece stands.
    fn svg(
        &self,
        theme: Theme,
        mark: &str,
        room: f32,
        (left, top, board): (u32, u32, &Picture),
    ) -> (String, Vec<(Side, f32)>) {
        let (ground, text, soft) = match theme {
            Theme::Light => ("#f4efe6", "#2a241c", "#6b6255"),
            Theme::Dark => ("#1c1917", "#f1ebe0", "#b0a797"),
            Theme::Contrast => ("#ffffff", "#000000", "#000000"),
        };
        let mut out = format!(
            "<rect width=\"{CARD_WIDTH}\" height=\"{CARD_HEIGHT}\" fill=\"{ground}\"/>\
             <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"10\" fill=\"#000\" fill-opacity=\"0.14\"/>\
             <rect x=\"0\" y=\"0\" width=\"14\" height=\"{CARD_HEIGHT}\" fill=\"{mark}\"/>",
            left as f32 - 6.0,
            top as f32 - 2.0,
            board.width() + 12,
            board.height() + 12
        );
        let mut y = 0.0;
        let mut lines: Vec<(String, f32, &str, f32, Option<Side>)> = Vec::new();
        let mut add = |text: &str, size: f32, least: f32, colour, after: f32, side: Option<Side>| {
            if text.is_empty() {
                return;
            }
            let room = room - if side.is_some() { PLAYER_INDENT } else { 0.0 };
            let fitted = (room / ink::width(text)).clamp(least, size);
            y += size;
            lines.push((ink::shortened(text, room / fitted), fitted, colour, y, side));
            y += after;
        };
        add(&self.title, 64.0, 40.0, text, 48.0, None);
        let [first, second] = &self.players;
        add(first, PLAYER, 30.0, text, 26.0, Some(Side::First));
        add(second, PLAYER, 30.0, text, 44.0, Some(Side::Second));
        add(&self.status, 36.0, 26.0, soft, 22.0, None);
        // The block stands in the middle, a little above it as the eye wants it.
        let begin = (CARD_HEIGHT as f32 - y) / 2.0 - 24.0;
        let mut rows = Vec::new();
        for (text, size, colour, y, side) in lines {
            rows.extend(side.map(|side| (side, begin + y)));
            let left = INDENT + if side.is_some() { PLAYER_INDENT } else { 0.0 };
            let d = ink::outline(&text, size, left, begin + y, Anchor::Start);
            let _ = write!(out, "<path d=\"{d}\" fill=\"{colour}\"/>");
        }
        let d = ink::outline(&self.place, 28.0, INDENT, CARD_HEIGHT as f32 - 48.0, Anchor::Start);
        let _ = write!(out, "<path d=\"{d}\" fill=\"{soft}\"/>");
        (out, rows)
    }
}
