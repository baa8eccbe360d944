//! Pictures of positions and films of games: drawn once, on worker threads, and cached for a while.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use edge::network::Asker;
use edge::workers::{Deadline, GivenUp};
use kernel::{AnyGame, Problem, View};
use lru::LruCache;
use picture::{Card, FaceSet, Film, GivenUp as Stopped, Painter, Scene, Theme, film};
use sha2::{Digest, Sha256};
use texts::Language;

use super::About;
use crate::app::App;
use crate::refusal::Refusal;

/// The allowed lengths of a picture's longer side, in pixels.
const SIZES: std::ops::RangeInclusive<u16> = 120..=1200;
const USUAL_SIZE: u16 = 720;
/// The greatest ratio of height to width of a board, in tenths.
const TALLEST: u32 = 13;
/// The width of a film in pixels.
const FILM_PX: u32 = 480;
/// The most positions of a film.
const FILM_PLIES: usize = 300;

/// The kinds of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PictureKind {
    /// The board alone, as PNG.
    Board,
    /// The board and what it is in a few words, in the shape of links: 1200 x 630, as PNG.
    Card,
    /// The whole game, as GIF.
    Film,
}

/// The description of a picture that is requested.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PictureRequest {
    /// The kind of picture: a board, a card or a film.
    pub kind: PictureKind,
    /// The number of plies after which the position is shown; `None` for the current one.
    pub ply: Option<usize>,
    /// The longer side of a board, in pixels.
    pub size: u16,
    /// The colours of the board, light or dark.
    pub theme: Theme,
    /// The set of faces on pieces that have faces.
    pub faces: FaceSet,
    /// True if the board is seen from the second side.
    pub flipped: bool,
    /// True if the names of places stand beside the board.
    pub named: bool,
    /// The language of the words of a card.
    pub language: Lang,
}

/// The key of a language, which is a part of a picture's name.
pub type Lang = &'static str;

/// The query parameters of a picture.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub struct Query {
    ply: Option<usize>,
    size: Option<u16>,
    theme: Option<String>,
    faces: Option<String>,
    side: Option<String>,
    names: Option<String>,
    card: Option<String>,
    lang: Option<String>,
}

impl Query {
    /// Returns the same query for a card.
    #[must_use]
    pub fn card(self) -> Query {
        Query { card: Some("1".to_owned()), ..self }
    }

    /// Parses the query for a picture in a file of that ending.
    ///
    /// # Errors
    /// `picture-query`, with the parameter whose value is not allowed.
    pub fn wish(&self, film: bool) -> Result<PictureRequest, Problem> {
        let bad = |name: &'static str, found: &str, may: &str| {
            Problem::new("picture-query").with("name", name).with("found", found).with("may", may)
        };
        let on = |name, value: &Option<String>, usual| match value.as_deref() {
            None => Ok(usual),
            Some("1") => Ok(true),
            Some("0") => Ok(false),
            Some(other) => Err(bad(name, other, "0, 1")),
        };
        let language = Language::preferred(self.lang.as_deref().unwrap_or_default());
        let theme = self.theme.as_deref().map_or(Ok(Theme::Light), |key| {
            Theme::keyed(key).ok_or_else(|| bad("theme", key, "light, dark, contrast"))
        })?;
        let usual = if language == Language::Chinese { FaceSet::Simplified } else { FaceSet::Traditional };
        let faces = self.faces.as_deref().map_or(Ok(usual), |key| {
            FaceSet::keyed(key).ok_or_else(|| bad("faces", key, "simplified, traditional, pictures"))
        })?;
        let size = self.size.unwrap_or(USUAL_SIZE);
        if !SIZES.contains(&size) {
            return Err(bad("size", &size.to_string(), "120 – 1200"));
        }
        let flipped = match self.side.as_deref() {
            None | Some("first") => false,
            Some("second") => true,
            Some(other) => return Err(bad("side", other, "first, second")),
        };
        let card = on("card", &self.card, false)?;
        let kind = match (film, card) {
            (true, _) => PictureKind::Film,
            (false, true) => PictureKind::Card,
            (false, false) => PictureKind::Board,
        };
        let named = on("names", &self.names, true)?;
        // What a kind of picture does not heed is not a part of its name: nothing is drawn twice.
        let mut wish = PictureRequest {
            kind,
            ply: self.ply,
            size,
            theme,
            faces,
            flipped,
            named,
            language: super::lang(language),
        };
        match kind {
            PictureKind::Board => wish.language = "",
            PictureKind::Card => (wish.size, wish.flipped, wish.named) = (0, false, true),
            PictureKind::Film => (wish.size, wish.ply, wish.language) = (0, None, ""),
        }
        Ok(wish)
    }
}

/// A cache of the pictures that were drawn last, bounded by their bytes in all.
pub struct Drawings {
    most: usize,
    kept: Mutex<(LruCache<String, Bytes>, usize)>,
}

impl Drawings {
    /// Makes an empty cache of at most that many bytes.
    #[must_use]
    pub fn new(most: usize) -> Drawings {
        Drawings { most, kept: Mutex::new((LruCache::unbounded(), 0)) }
    }

    /// Returns the cached picture of that name.
    pub fn find(&self, name: &str) -> Option<Bytes> {
        self.lock().0.get(name).cloned()
    }

    /// Caches a picture; the least recently used ones make room.
    pub fn keep(&self, name: &str, picture: Bytes) {
        if picture.len() > self.most {
            return;
        }
        let (kept, bytes) = &mut *self.lock();
        *bytes += picture.len();
        if let Some(old) = kept.put(name.to_owned(), picture) {
            *bytes -= old.len();
        }
        while *bytes > self.most {
            let Some((_, old)) = kept.pop_lru() else { break };
            *bytes -= old.len();
        }
    }

    /// Returns the number of bytes in all.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lock().1
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (LruCache<String, Bytes>, usize)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the cache key of a picture, from its content and its form. Two pictures with one name are the same,
/// whenever they are drawn.
#[must_use]
pub fn name(of: &str, ver: u64, wish: &PictureRequest) -> String {
    let mut name = String::new();
    for byte in Sha256::digest(format!("{of} {ver} {wish:?} {}", env!("CARGO_PKG_VERSION"))).iter().take(16) {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Returns the requested picture of a table, its name, and the table.
///
/// # Errors
/// An error when there is no such table, or too much was asked.
pub async fn of_table(
    app: &App,
    asker: &Asker,
    id: &str,
    wish: PictureRequest,
    place_name: String,
) -> Result<(String, Bytes, About), Refusal> {
    let about = app.hall.tables.look(id, asker.into(), About::of).await?;
    let name = name(&about.id, about.ver, &wish);
    if let Some(kept) = app.drawings.find(&name) {
        return Ok((name, kept, about));
    }
    let entry = catalog::find(&about.game)?;
    let subject = about.clone();
    // The game is copied once there is a place to draw it: a waiting request holds no copy.
    let place = admitted(app, asker, &wish).await?;
    let game =
        app.hall.tables.look(id, asker.into(), |table: &table::State| table.game.boxed_clone()).await?;
    let drawn = place.run(move |deadline| {
        let words = |language| card(&subject, language, place_name, wish.ply);
        draw(game, entry, &wish, words, deadline)
    });
    let drawn = Bytes::from(drawn.await??);
    app.drawings.keep(&name, drawn.clone());
    Ok((name, drawn, about))
}

/// Draws the start of a game of the catalogue, or of a map. The position and the words of a card are computed only
/// when there is a place to draw: a request that waits holds no memory for them.
///
/// # Errors
/// An error when too much was asked.
pub async fn of_start<S>(
    app: &App,
    asker: &Asker,
    (of, entry): (&str, &'static catalog::Entry),
    wish: PictureRequest,
    what: impl Future<Output = Result<(Card, S), Refusal>>,
) -> Result<(String, Bytes), Refusal>
where
    S: FnOnce() -> Result<Box<dyn AnyGame>, Problem> + Send + 'static,
{
    let name = name(of, 0, &wish);
    if let Some(kept) = app.drawings.find(&name) {
        return Ok((name, kept));
    }
    let place = admitted(app, asker, &wish).await?;
    let (card, start) = what.await?;
    let drawn = place
        .run(move |deadline| -> Result<_, Refusal> { Ok(draw(start()?, entry, &wish, |_| card, deadline)?) });
    let drawn = Bytes::from(drawn.await??);
    app.drawings.keep(&name, drawn.clone());
    Ok((name, drawn))
}

/// Returns the small picture of a map's board, as SVG. The same id has the same files for ever.
///
/// # Errors
/// An error when there is no such map, or too much was asked.
pub async fn of_map(app: &App, asker: &Asker, id: &str) -> Result<Bytes, Refusal> {
    let name = format!("map {id} {}", env!("CARGO_PKG_VERSION"));
    if let Some(kept) = app.drawings.find(&name) {
        return Ok(kept);
    }
    let place = app.place(asker).await?;
    // A map's files are large: a waiting request holds none, and pictures drawn meanwhile are not drawn
    // again.
    if let Some(kept) = app.drawings.find(&name) {
        return Ok(kept);
    }
    let (brought, _) = app.hall.works.maps.files(id).await?;
    let drawn = place.run(move |_| {
        let reading = catalog::maps::check(&brought.package.map);
        reading.map.map(|map| workshop::picture::draw(&map)).ok_or(works::maps::NoMap::Broken(reading.errors))
    });
    let drawn = Bytes::from(drawn.await??);
    app.drawings.keep(&name, drawn.clone());
    Ok(drawn)
}

/// Waits for a place to draw, after a check of the asker's rate limit.
async fn admitted(app: &App, asker: &Asker, wish: &PictureRequest) -> Result<edge::workers::Place, Refusal> {
    let film = wish.kind == PictureKind::Film;
    app.hall.rates.picture(asker.network, film).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    app.place(asker).await
}

fn card(about: &About, language: Language, place: String, ply: Option<usize>) -> Card {
    let status = match ply.filter(|&ply| ply < about.plies) {
        Some(ply) => {
            let (number, of) = (about.move_number(ply), about.moves(about.plies).to_string());
            texts::say(language, "link-move", &[("move", &number), ("of", &of)])
        }
        None => about.status(language),
    };
    let [first, second] = kernel::Side::BOTH.map(|side| {
        let name = about.player(side, language);
        // What cannot be drawn is said by the words beside the picture.
        if picture::is_drawable(&name) { name } else { about.side(side, language) }
    });
    let title = about.game(language);
    let title = if picture::is_drawable(&title) { title } else { texts::game(language, &about.game) };
    Card { title, players: [first, second], status, place }
}

fn draw(
    mut game: Box<dyn AnyGame>,
    entry: &catalog::Entry,
    wish: &PictureRequest,
    words: impl FnOnce(Language) -> Card,
    deadline: &Deadline,
) -> Result<Vec<u8>, GivenUp> {
    let go_on = || deadline.check().is_ok();
    let stopped = |_: Stopped| GivenUp;
    let scene = Scene::new(game.board(), entry.family, entry.sides, wish.theme);
    let scene = scene.faces(wish.faces).flipped(wish.flipped).named(wish.named);
    match wish.kind {
        PictureKind::Film => {
            let views = positions(game.as_mut(), deadline)?;
            let mut painter = Painter::new(scene, FILM_PX, FILM_PX * TALLEST / 10);
            film(&mut painter, &views, Film::default(), &go_on).map_err(stopped)
        }
        PictureKind::Board => {
            let view = at(game.as_mut(), wish.ply, deadline)?;
            let size = u32::from(wish.size);
            let picture = Painter::new(scene, size, size * TALLEST / 10).draw(&view, &go_on);
            Ok(picture.map_err(stopped)?.png())
        }
        PictureKind::Card => {
            let view = at(game.as_mut(), wish.ply, deadline)?;
            let card = words(Language::preferred(wish.language));
            Ok(card.draw(scene, &view, &go_on).map_err(stopped)?.png())
        }
    }
}

fn at(game: &mut dyn AnyGame, ply: Option<usize>, deadline: &Deadline) -> Result<View, GivenUp> {
    let ply = ply.unwrap_or(usize::MAX);
    while game.plies() > ply && game.undo() {
        deadline.check()?;
    }
    Ok(game.view())
}

/// Returns the positions of the game in order: all, or of a long game every second, third, …; always the first and
/// the last.
fn positions(game: &mut dyn AnyGame, deadline: &Deadline) -> Result<Vec<View>, GivenUp> {
    let of = game.plies();
    let step = of.div_ceil(FILM_PLIES - 1).max(1);
    let mut views = vec![game.view()];
    while game.plies() > 0 && game.undo() {
        deadline.check()?;
        if game.plies().is_multiple_of(step) {
            views.push(game.view());
        }
    }
    views.reverse();
    Ok(views)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_in_bytes_and_the_oldest_goes() {
        let drawings = Drawings::new(10);
        for (name, bytes) in [("a", 4), ("b", 4)] {
            drawings.keep(name, vec![0; bytes].into());
        }
        assert!(drawings.find("a").is_some(), "asked for last");
        drawings.keep("c", vec![0; 4].into());
        assert!(drawings.find("b").is_none() && drawings.find("a").is_some());
        assert_eq!(drawings.bytes(), 8);
        drawings.keep("c", vec![0; 2].into());
        assert_eq!(drawings.bytes(), 6);
        drawings.keep("large", vec![0; 11].into());
        assert!(drawings.find("large").is_none() && drawings.find("a").is_some());
    }

    #[test]
    fn a_wish_is_read_or_says_what_is_wrong() {
        let wish = |query: Query| query.wish(false);
        assert_eq!(wish(Query::default()).expect("fine").kind, PictureKind::Board);
        let text = |text: &str| Some(text.to_owned());
        for (query, name) in [
            (Query { size: Some(100_u16), ..Query::default() }, "size"),
            (Query { theme: text("pink"), ..Query::default() }, "theme"),
            (Query { faces: text(""), ..Query::default() }, "faces"),
            (Query { side: text("third"), ..Query::default() }, "side"),
            (Query { card: text("yes"), ..Query::default() }, "card"),
        ] {
            let problem = wish(query).expect_err(name);
            assert_eq!((problem.key, problem.arg("name")), ("picture-query", Some(name)));
        }
        let card = wish(Query { card: text("1"), lang: text("zh"), ..Query::default() }).expect("fine");
        assert_eq!((card.kind, card.language, card.faces), (PictureKind::Card, "zh", FaceSet::Simplified));
    }
}
