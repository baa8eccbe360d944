//! The library: collections, searches, the opening explorer, and games to replay.
//!
//! Every request is answered on a thread for long work, in the asker's turn.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use ::library::search::Found;
use ::library::{Access, Collection, Day, ExplorerQuery, Library, Query, Sort, walk};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use catalog::{Options, Setting};
use edge::network::Asker;
use edge::workers::Deadline;
use kernel::{AnyGame, Piece, PlayError, Problem, Side};
use records::{Record, Score};
use serde::Deserialize;
use table::Setup;
use wire::{
    ClockSpec, FoundGame, FoundGames, GameCollection, How, ImportGames, ImportedGames, LibraryGame,
    NewCollection, Patch, PlayedMove, PlayedMoves, Replay,
};

use super::ask::{Body, Path, UrlQuery, bytes};
use super::positions::count;
use crate::analysis::BACK;
use crate::app::App;
use crate::files;
use crate::refusal::Refusal;
use crate::shelves::{HALL, LibraryAct, LibraryDone};
use crate::visitor::Visitor;

/// The usual number of games on a page.
const PAGE: usize = 20;
/// The most moves that lead to a position.
const MOST_MOVES: usize = 600;

/// The view of one person, which decides about the visible collections.
struct Eye {
    person: String,
}

impl Eye {
    fn owns(&self, collection: &Collection) -> bool {
        !collection.owner.is_empty() && collection.owner == self.person
    }

    /// Returns true if the person may see a collection; `secret` is that of its link, if they have it.
    fn sees(&self, collection: &Collection, secret: &str) -> bool {
        let by_link = collection.access == Access::Link && collection.secret == secret;
        collection.access == Access::Public || self.owns(collection) || by_link
    }

    /// Returns the collections with those keys, separated by commas; for an empty text, all that are visible without
    /// a link.
    fn all(&self, library: &Library, keys: &str) -> Result<Vec<Collection>, Problem> {
        let all = library.collections()?;
        if keys.is_empty() {
            return Ok(all.into_iter().filter(|found| self.sees(found, "")).collect());
        }
        let one = |key: &str| {
            let (id, secret) = key.split_once('-').unwrap_or((key, ""));
            let found = all.iter().find(|found| found.id.to_string() == id && self.sees(found, secret));
            found.cloned().ok_or_else(|| Problem::new("library-no-collection").with("name", key))
        };
        keys.split(',').map(one).collect()
    }
}

fn eye(asker: &Asker) -> Eye {
    Eye { person: asker.person.clone() }
}

/// Runs a query of the library in the asker's turn, on a thread for long work.
async fn ask<T: Send + 'static>(
    app: &App,
    asker: &Asker,
    work: impl FnOnce(&Library, &Deadline) -> Result<T, Refusal> + Send + 'static,
) -> Result<Json<T>, Refusal> {
    let library = app.hall.library.now(&app.hall).await.map_err(Refusal::unknown)?;
    app.work(asker, move |deadline| work(&library, deadline)).await?.map(Json)
}

fn told(collection: Collection, eye: &Eye) -> GameCollection {
    let mine = eye.owns(&collection);
    let key = match collection.access {
        Access::Link => format!("{}-{}", collection.id, collection.secret),
        _ => collection.id.to_string(),
    };
    GameCollection {
        key,
        games: u32::try_from(collection.games).unwrap_or(u32::MAX),
        access: collection.access.key().to_owned(),
        mine,
        hall: collection.owner == HALL,
        has_book: collection.has_book,
        name: collection.name,
    }
}

/// The page of collections that is requested.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Listed {
    page: usize,
}

/// Returns a page of the collections that a person may see. The first page has their own and the hall's. The others
/// come in rounds, one collection of each owner in each round, those with the most games first; empty ones are shown
/// to their owners only.
fn page_of(all: Vec<Collection>, eye: &Eye, page: usize, most: usize) -> (Vec<Collection>, bool) {
    let is_near = |found: &Collection| eye.owns(found) || found.owner == HALL || found.owner.is_empty();
    let (near, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_near);
    others.retain(|found| found.games > 0 || found.has_book);
    others.sort_by_key(|found| Reverse((found.games, found.id)));
    let mut each: HashMap<String, usize> = HashMap::new();
    let mut ranked: Vec<(usize, Collection)> = others
        .into_iter()
        .map(|found| {
            let rank = each.entry(found.owner.clone()).or_default();
            *rank += 1;
            (*rank, found)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let begins = page.saturating_mul(most);
    let more = ranked.len() > begins.saturating_add(most);
    let others = ranked.into_iter().skip(begins).take(most).map(|(_, found)| found);
    let near = if page == 0 { near } else { Vec::new() };
    (near.into_iter().chain(others).collect(), more)
}

pub(super) async fn collections(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wanted): UrlQuery<Listed>,
) -> Result<Response, Refusal> {
    let (eye, most) = (eye(&asker), app.hall.limits.library_lines.max(1));
    let listed = ask(&app, &asker, move |library, _| {
        let (page, more) = page_of(eye.all(library, "")?, &eye, wanted.page, most);
        let lines: Vec<GameCollection> = page.into_iter().map(|found| told(found, &eye)).collect();
        Ok((lines, more))
    });
    let Json((lines, more)) = listed.await?;
    let next = format!("</api/library?page={}>; rel=\"next\"", wanted.page.saturating_add(1));
    let link = more.then_some((header::LINK, next));
    Ok((AppendHeaders(link), Json(lines)).into_response())
}

pub(super) async fn make(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<NewCollection>,
) -> Result<(StatusCode, Json<GameCollection>), Refusal> {
    let asker = with_account(&visitor)?;
    app.hall.has_room()?;
    let access = Access::keyed(&wish.access)
        .ok_or_else(|| Problem::new("library-access").with("found", &wish.access))?;
    let name = people::Name::read(&wish.name, people::name::NameKind::Collection)?;
    // Its games are those that were played here: no other collection may have that name.
    if name.fold() == people::name::fold(HALL) {
        return Err(Problem::new("name-reserved").with("name", name.as_str()).into());
    }
    let (eye, now_ms, limits) = (eye(&asker), app.hall.time.now_ms(), **app.hall.limits);
    app.hall.rates.collection(&asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let may = ask(&app, &asker, move |library, _| {
        let own = library.collections()?.iter().filter(|found| eye.owns(found)).count();
        if limits.on && own >= limits.library_collections {
            let problem = Problem::new("library-many-collections").with("most", limits.library_collections);
            return Err(problem.into());
        }
        Ok(())
    });
    let Json(()) = may.await?;
    let (name, owner) = (name.as_str().to_owned(), asker.person.clone());
    let secret = people::secret::random_text(20);
    let make = LibraryAct::Make { name, owner, access: access.key().to_owned(), secret, now_ms };
    match act(&app, &asker, make, Vec::new()).await? {
        LibraryDone::Made(made) => Ok((StatusCode::CREATED, Json(told(made, &Eye { person: asker.person })))),
        _ => Err(Refusal::busy()),
    }
}

fn with_account(visitor: &Visitor) -> Result<Asker, Refusal> {
    visitor.must_have_account("library-needs-account")?;
    Ok(visitor.asker.clone())
}

/// Returns a collection of the asker's own.
fn own(eye: &Eye, library: &Library, key: &str) -> Result<Collection, Refusal> {
    let found = eye.all(library, key).map_err(Refusal::unknown)?;
    let mine = found.into_iter().next().filter(|found| eye.owns(found));
    mine.ok_or_else(|| Refusal::forbidden(Problem::new("library-not-yours")))
}

pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path(key): Path<String>,
) -> Result<Json<()>, Refusal> {
    let asker = with_account(&visitor)?;
    let eye = eye(&asker);
    let found = ask(&app, &asker, move |library, _| Ok(own(&eye, library, &key)?.id));
    let Json(collection) = found.await?;
    act(&app, &asker, LibraryAct::Remove { collection }, Vec::new()).await?;
    Ok(Json(()))
}

pub(super) async fn import(
    State(app): State<App>,
    visitor: Visitor,
    Path(key): Path<String>,
    Body(wish): Body<ImportGames>,
) -> Result<Json<ImportedGames>, Refusal> {
    let asker = with_account(&visitor)?;
    app.hall.has_room()?;
    let counted = app.hall.rates.bytes(&asker, wish.content.len() as u64);
    counted.map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let (eye, limits) = (eye(&asker), **app.hall.limits);
    let into = ask(&app, &asker, move |library, _| {
        let into = own(&eye, library, &key)?;
        let own = library.collections()?.into_iter().filter(|found| eye.owns(found));
        if limits.on && own.map(|found| found.games).sum::<u64>() >= limits.library_games {
            return Err(Problem::new("library-full").with("most", limits.library_games).into());
        }
        Ok(into.id)
    });
    let Json(collection) = into.await?;
    let ImportGames { name, content, game } = wish;
    let content = bytes(&content)?;
    let most_book_moves = Some(limits.library_book_moves).filter(|_| limits.on);
    let import = LibraryAct::Import { collection, name, game, most_book_moves };
    match act(&app, &asker, import, content).await? {
        LibraryDone::Imported(told) => Ok(Json(told)),
        _ => Err(Refusal::busy()),
    }
}

/// Changes the library in the asker's turn.
async fn act(app: &App, asker: &Asker, act: LibraryAct, brought: Vec<u8>) -> Result<LibraryDone, Refusal> {
    let _place = app.place(asker).await?;
    Ok(app.hall.library.act(&app.hall, act, brought).await?)
}

/// The position of a request: of a table, or of a game by its moves or a FEN.
#[derive(Clone, Deserialize, Default)]
#[serde(default)]
pub(super) struct Where {
    table: String,
    // A text, since what is flattened into another struct comes as texts.
    ply: String,
    game: String,
    options: String,
    fen: String,
    moves: String,
}

/// The position that was asked for, with its rules.
struct There {
    key: &'static str,
    game: Box<dyn AnyGame>,
}

impl Where {
    fn is_none(&self) -> bool {
        self.table.is_empty() && self.fen.is_empty() && self.moves.is_empty()
    }

    /// Returns the game of the table, if one is named; refused while the game goes on.
    async fn of_table(&self, app: &App, asker: &Asker) -> Result<Option<There>, Refusal> {
        if self.table.is_empty() {
            return Ok(None);
        }
        let look = |state: &table::State| state.setup.clone();
        let setup = app.hall.tables.look(&self.table, asker.into(), look).await?;
        if setup.map.is_some() {
            return Err(Problem::new("library-no-maps").into());
        }
        let ply = self.ply.parse().unwrap_or(u32::MAX);
        let (game, _) = app.hall.analysed(&self.table, ply, asker).await?;
        Ok(Some(There { key: catalog::find(&setup.game)?.key, game }))
    }

    /// Returns the position, if the asker may see the moves that others played there: as with analysis, that is help.
    async fn found(self, app: &App, asker: &Asker) -> Result<There, Refusal> {
        let begun = self.of_table(app, asker).await?;
        let fen = Some(self.fen.clone()).filter(|fen| !fen.is_empty());
        let there = app.work(asker, move |_| self.walked(begun)).await??;
        let setup = asked(there.key, fen);
        app.hall.tables.may_help(&setup, there.game.as_ref(), BACK, &asker.person, asker.into()).await?;
        Ok(there)
    }

    /// Returns the position after the moves of the request.
    fn walked(&self, begun: Option<There>) -> Result<There, Problem> {
        let mut there = match begun {
            Some(there) => there,
            None => {
                let entry = catalog::named(&self.game)?;
                let options = entry.settle(&options_of(&self.options)?, Setting::Faithful)?;
                let fen = Some(self.fen.as_str()).filter(|fen| !fen.is_empty());
                There { key: entry.key, game: entry.open(entry.usual_map(), &options, fen)? }
            }
        };
        there.game.play_past_draws(true);
        for (at, text) in self.moves.split([',', ' ']).filter(|text| !text.is_empty()).enumerate() {
            if at >= MOST_MOVES {
                let problem = Problem::new("record-limit").with("what", "plies");
                return Err(problem.with("found", at + 1).with("most", MOST_MOVES));
            }
            there.game.play(text).map_err(PlayError::problem)?;
        }
        Ok(there)
    }
}

/// Makes the setup of a table with a position that a person asks about.
fn asked(key: &str, fen: Option<String>) -> Setup {
    Setup {
        game: key.to_owned(),
        options: Options::default(),
        map: None,
        fen,
        how: How::Screen,
        room: None,
        clock: ClockSpec::None,
        rated: false,
        created_ms: 0,
        heading: None,
    }
}

/// Parses `size=15,ranks=15`: options that differ from the usual ones.
fn options_of(text: &str) -> Result<Options, Problem> {
    let one = |part: &str| {
        let found = part.split_once('=').and_then(|(key, value)| Some((key.to_owned(), value.parse().ok()?)));
        found.ok_or_else(|| Problem::new("bad-query").with("detail", part))
    };
    text.split(',').filter(|part| !part.is_empty()).map(one).collect()
}

impl There {
    /// Refuses a search for games with those pieces if they are a running position: a pattern of all its pieces is
    /// one, too.
    async fn may_be_drawn(&self, app: &App, asker: &Asker, pieces: &str) -> Result<(), Refusal> {
        let board = self.game.board();
        let drawn: Result<Vec<Piece>, Problem> =
            pieces.split(',').filter(|text| !text.is_empty()).map(|text| piece(text, &board)).collect();
        let mut drawn = drawn?;
        drawn.sort_by_key(|piece| piece.at);
        // What no game could stand at is no game's.
        let Ok(game) = self.game.set_up(self.game.turn(), &drawn) else { return Ok(()) };
        let fen = Some(game.fen());
        let setup = asked(self.key, fen);
        Ok(app.hall.tables.may_help(&setup, game.as_ref(), 0, &asker.person, asker.into()).await?)
    }

    fn position(&self) -> u64 {
        walk::position_key(walk::salt(self.key, ""), &*self.game)
    }
}

/// The query parameters of a search for games.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct SearchQuery {
    collection: String,
    player: String,
    first: String,
    second: String,
    event: String,
    since: String,
    until: String,
    result: String,
    rating: Option<u32>,
    least: Option<u32>,
    most: Option<u32>,
    pieces: String,
    counts: String,
    sort: String,
    after: String,
    #[serde(flatten)]
    at: Where,
}

pub(super) async fn search(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wanted): UrlQuery<SearchQuery>,
) -> Result<Json<FoundGames>, Refusal> {
    let eye = eye(&asker);
    let asks_there = !wanted.at.is_none() || !wanted.pieces.is_empty() || !wanted.counts.is_empty();
    let there = if asks_there { Some(wanted.at.clone().found(&app, &asker).await?) } else { None };
    if let Some(there) = there.as_ref().filter(|_| !wanted.pieces.is_empty()) {
        there.may_be_drawn(&app, &asker, &wanted.pieces).await?;
    }
    ask(&app, &asker, move |library, _| {
        let query = query(&eye, library, &wanted, there)?;
        let page = library.search(&query)?;
        Ok(FoundGames {
            games: page.games.into_iter().map(found).collect(),
            next: page.next.map(|(value, id)| format!("{value}-{id}")),
            hits: page.hits.map(|hits| u32::try_from(hits).unwrap_or(u32::MAX)),
        })
    })
    .await
}

fn query(eye: &Eye, library: &Library, wanted: &SearchQuery, there: Option<There>) -> Result<Query, Problem> {
    let day = |text: &str| Some(Day::read(text)).filter(|day| day.0 > 0);
    let wrong = |what: &str| Problem::new("bad-query").with("detail", what);
    let after = match wanted.after.split_once('-') {
        Some((value, id)) => {
            Some((value.parse().map_err(|_| wrong("after"))?, id.parse().map_err(|_| wrong("after"))?))
        }
        None => None,
    };
    let mut query = Query {
        collections: eye.all(library, &wanted.collection)?.iter().map(|found| found.id).collect(),
        player: wanted.player.clone(),
        first: wanted.first.clone(),
        second: wanted.second.clone(),
        event: wanted.event.clone(),
        since: day(&wanted.since),
        until: day(&wanted.until),
        result: Score::keyed(&wanted.result),
        least_rating: wanted.rating,
        least_plies: wanted.least,
        most_plies: wanted.most,
        sort: Sort::keyed(&wanted.sort).unwrap_or_default(),
        after,
        most: PAGE,
        ..Query::default()
    };
    if let Some(there) = there {
        there.key.clone_into(&mut query.game);
        if !wanted.at.is_none() {
            query.position = Some(there.position());
        }
        let salt = walk::salt(there.key, "");
        let board = there.game.board();
        for text in wanted.pieces.split(',').filter(|text| !text.is_empty()) {
            query.pattern.push(walk::feature(salt, &piece(text, &board)?));
        }
        for text in wanted.counts.split(',').filter(|text| !text.is_empty()) {
            query.pattern.push(counted(text, salt)?);
        }
    } else if !wanted.at.game.is_empty() {
        query.game.clone_from(&wanted.at.game);
    }
    Ok(query)
}

/// Parses `first`, `second`, or `none` for pieces without an owner.
fn owner(text: &str) -> Option<Option<Side>> {
    match text {
        "first" => Some(Some(Side::First)),
        "second" => Some(Some(Side::Second)),
        "none" => Some(None),
        _ => None,
    }
}

/// Parses `first:rook=2`: a side, a face, and a number of pieces.
fn counted(text: &str, salt: u64) -> Result<u64, Problem> {
    let wrong = || Problem::new("library-count").with("found", text).with("most", walk::MOST_COUNTED);
    let (side, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (face, number) = rest.rsplit_once('=').ok_or_else(wrong)?;
    let side = owner(side).ok_or_else(wrong)?;
    walk::counted(salt, side, face, number.parse().map_err(|_| wrong())?).ok_or_else(wrong)
}

/// Parses `first:stone@112`: a side, a face and a cell's number or name.
fn piece(text: &str, board: &kernel::Board) -> Result<Piece, Problem> {
    let wrong = || Problem::new("library-piece").with("found", text);
    let (side, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (face, cell) = rest.rsplit_once('@').ok_or_else(wrong)?;
    let owner = owner(side).ok_or_else(wrong)?;
    let at = cell.parse().ok().or_else(|| board.cell_named(cell)).ok_or_else(wrong)?;
    Ok(Piece { at, owner, face: face.to_owned().into() })
}

fn found(game: Found) -> FoundGame {
    FoundGame {
        id: game.id,
        moves: catalog::find(&game.game).map_or(game.plies, |entry| entry.moves_in(game.plies)),
        game: game.game,
        players: game.players,
        ratings: game.ratings,
        event: game.event,
        date: game.day.text(),
        result: game.result.map_or("", Score::key).to_owned(),
        plies: game.plies,
        ply: game.ply,
        table: game.link,
    }
}

/// The query parameters of the explorer: a position, and the games that count.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Explore {
    collection: String,
    player: String,
    #[serde(flatten)]
    at: Where,
}

pub(super) async fn explore(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wanted): UrlQuery<Explore>,
) -> Result<Json<PlayedMoves>, Refusal> {
    let eye = eye(&asker);
    let there = wanted.at.found(&app, &asker).await?;
    ask(&app, &asker, move |library, _| {
        let collections = eye.all(library, &wanted.collection)?.iter().map(|found| found.id).collect();
        let wish = ExplorerQuery { collections, position: there.position(), player: wanted.player };
        let explored = library.explore(&wish)?;
        let notations = there.game.notations();
        let texts = there.game.texts();
        let names = |text: &str| -> Vec<String> {
            let known = texts.iter().find(|(machine, _)| machine == text).map(|(_, names)| names);
            let name = |key: &&str| {
                let named = known.and_then(|names| names.iter().find(|(name, _)| name == key));
                named.map_or_else(|| text.to_owned(), |(_, name)| name.clone())
            };
            notations.iter().map(name).collect()
        };
        let moves = explored.moves.into_iter().map(|played| PlayedMove {
            names: names(&played.text),
            games: played.games,
            first: played.wins[0],
            second: played.wins[1],
            draws: played.draws,
            rating: played.rating,
            last: played.last.text(),
            value: played.value,
            text: played.text,
        });
        let opening = library::openings::named(there.key, &*there.game);
        Ok(PlayedMoves { games: explored.games, ended: explored.ended, opening, moves: moves.collect() })
    })
    .await
}

/// The key of the collection in which a game is requested, needed for collections that are shared by link.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Through {
    collection: String,
    format: String,
}

/// Returns a game that the asker may see.
fn seen(eye: &Eye, library: &Library, id: u32, key: &str) -> Result<(Collection, Record), Refusal> {
    let within = library.collection_of(id).map_err(Refusal::unknown)?;
    let all = eye.all(library, key).map_err(Refusal::unknown)?;
    let found = all.into_iter().find(|found| found.id == within);
    let missing = || Refusal::unknown(Problem::new("library-no-game").with("game", id));
    Ok((found.ok_or_else(missing)?, library.record(id, &walk::without_maps)?))
}

/// The query parameter that names the collection through which a game is read.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct InCollection {
    collection: String,
}

pub(super) async fn game(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<u32>,
    UrlQuery(through): UrlQuery<InCollection>,
) -> Result<Json<LibraryGame>, Refusal> {
    let eye = eye(&asker);
    let most = app.hall.limits.replay_plies.max(1);
    ask(&app, &asker, move |library, deadline| {
        let (collection, record) = seen(&eye, library, id, &through.collection)?;
        let mut game = walk::without_maps(&record)?;
        game.play_past_draws(true);
        let board = game.board();
        let start = game.view();
        let mut before = start.clone();
        let mut patches = Vec::new();
        let mut comments = vec![record.tree[records::Tree::START].comment.clone()];
        let mut moves = Vec::new();
        for ply in record.tree.main_line().take(most) {
            deadline.check()?;
            game.play(&record.tree[ply].text).map_err(PlayError::problem)?;
            let view = game.view();
            patches.push(Patch::between(&before, &view));
            before = view;
            comments.push(record.tree[ply].comment.clone());
            moves.push(record.tree[ply].text.clone());
        }
        let names = if game.notations().is_empty() {
            moves.iter().map(|text| vec![text.clone()]).collect()
        } else {
            game.names()
        };
        let of = count(record.tree.main_line().count());
        Ok(LibraryGame {
            about: found(library.about(id)?),
            collection: collection.name,
            options: record.options,
            fen: record.start,
            board,
            names,
            seconds: game.movers().into_iter().map(|side| side == Side::Second).collect(),
            moves,
            comments,
            film: Replay { from: 0, of, start, patches },
        })
    })
    .await
}

pub(super) async fn file(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<u32>,
    UrlQuery(through): UrlQuery<Through>,
) -> Result<Response, Refusal> {
    let eye = eye(&asker);
    let name = if through.format.is_empty() { "json" } else { &through.format };
    let format = files::format(name)?;
    let library: Arc<Library> = app.hall.library.now(&app.hall).await.map_err(Refusal::unknown)?;
    let written = app.work(&asker, move |_| -> Result<_, Refusal> {
        let (_, record) = seen(&eye, &library, id, &through.collection)?;
        Ok(files::write(format, &record)?)
    });
    let (kind, ending, content) = written.await??;
    let name = format!("attachment; filename=\"qiguan-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], content)
        .into_response())
}
