//! Boards as pictures: PNG, GIF and cards for links, drawn from the same [`kernel::View`] that the page draws, in the
//! same colours. Nothing of the system is asked: no fonts, no files.
//!
//! What a board looks like stands in three files of the page, which are read here as they are: `faces/paints.json`
//! (what kinds of pieces and boards a family has), `boards.css` (their colours in each theme), and the outlines of
//! characters in `faces/*.svg`. The shapes themselves are written as SVG by `ground`, `piece` and `marks`, and made
//! into pixels by resvg. Reading order: [`Scene`], [`Painter`], [`film()`], [`Card`].

mod canvas;
mod card;
mod colours;
mod faces;
mod film;
mod ground;
mod ink;
mod marks;
mod paint;
mod piece;
mod qr;
mod scene;
mod terrain;
mod tile;

pub use canvas::{Painter, Picture};
pub use card::{CARD_HEIGHT, CARD_WIDTH, Card};
pub use colours::Theme;
pub use faces::FaceSet;
pub use film::{Film, film};
pub use ink::is_drawable;
pub use qr::qr;
pub use scene::Scene;

/// The error that the work was ended from outside: see [`Painter::draw`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenUp;
