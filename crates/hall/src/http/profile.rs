//! Public profiles of people: ratings, finished games, and all of them as a file.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use edge::network::Asker;
use futures_util::stream;
use kernel::Problem;
use members::identity::player;
use people::Speed;
use records::Format;
use serde::Deserialize;
use store::games::{Ending, Filter, GameRow, Place, Plies, Tally};
use store::{PersonRow, StoreError, StoredPersonKind};
use tables::lobby::line;
use tables::remembered;
use wire::{GameLine, GameTally, GamesPage, How, PoolRating, Profile, ProfileKind, RatingStep};

use super::ask::{Path, UrlQuery};
use super::streamed::streamed;
use crate::app::App;
use crate::files;
use crate::refusal::Refusal;

/// The longest name or id that is looked up, in bytes.
const LONGEST_NAME: usize = 160;
/// The usual and the greatest number of games in one answer.
const GAMES: (u32, u32) = (30, 100);
/// The most points of a rating curve.
const POINTS: u32 = 365;
/// The most running games in a profile.
const PLAYING: u32 = 20;
/// The number of games of a file that are read and written at a time.
const AT_ONCE: u32 = 50;

/// Returns the person of that name or id.
async fn find(app: &App, who: &str) -> Result<PersonRow, Refusal> {
    let unknown = || Refusal::unknown(Problem::new("no-such-person").with("name", who));
    if who.is_empty() || who.len() > LONGEST_NAME {
        return Err(unknown());
    }
    app.hall.store.people.find_person(who).await.map_err(unread)?.ok_or_else(unknown)
}

#[expect(clippy::needless_pass_by_value, reason = "errors are passed on")]
fn unread(why: StoreError) -> Refusal {
    tracing::error!(%why, "remembered games cannot be read");
    Refusal::busy()
}

fn whole(rating: f64) -> i32 {
    rating.round() as i32
}

pub(super) async fn profile(
    State(app): State<App>,
    asker: Asker,
    Path(who): Path<String>,
) -> Result<Json<Profile>, Refusal> {
    let person = find(&app, &who).await?;
    let (store, now_ms) = (&app.hall.store, app.hall.time.now_ms());
    let mut ratings = Vec::new();
    let mut curves = store.games.curves(&person.id, POINTS).await.map_err(unread)?;
    for (pool, rating) in store.games.ratings(&person.id).await.map_err(unread)? {
        let curve = curves.remove(&pool).unwrap_or_default();
        let map = match pool.map() {
            None => None,
            // A map that is gone has no name any more.
            Some(id) => Some(app.hall.works.maps.name(id).await),
        };
        ratings.push(PoolRating {
            map,
            speed: pool.speed.key().to_owned(),
            rating: whole(rating.rating),
            deviation: whole(rating.deviation_at(now_ms)).unsigned_abs(),
            provisional: rating.is_provisional(now_ms),
            games: rating.games,
            curve: curve.into_iter().map(|(at_ms, rating)| (at_ms, whole(rating))).collect(),
            game: pool.game,
        });
    }
    let tally = store.games.tally(&person.id, None).await.map_err(unread)?.into_iter().map(told).collect();
    let mut playing = Vec::new();
    for id in store.tables.playing(&person.id, PLAYING).await.map_err(unread)? {
        let public = |how| matches!(how, How::Open | How::Room);
        let look =
            move |state: &table::State| (state.is_on() && public(state.setup.how)).then(|| line(state));
        playing.extend(app.hall.tables.look(&id, (&asker).into(), look).await.ok().flatten());
    }
    let kind = match person.kind {
        StoredPersonKind::Guest => ProfileKind::Guest,
        StoredPersonKind::Account => ProfileKind::Account,
        StoredPersonKind::Program => ProfileKind::Program,
        // Decisions of moderators are not public.
        StoredPersonKind::Suspended => ProfileKind::Account,
        StoredPersonKind::Closed => ProfileKind::Closed,
    };
    let since_ms = person.made_ms;
    let player = player(person);
    Ok(Json(Profile { player, kind, since_ms, ratings, tally, playing }))
}

fn told(tally: Tally) -> GameTally {
    let Tally { game, wins, draws, losses } = tally;
    GameTally { game, wins, draws, losses }
}

/// The query parameters that select games.
#[derive(Deserialize)]
pub(super) struct GamesQuery {
    game: Option<String>,
    opponent: Option<String>,
    side: Option<wire::Side>,
    result: Option<String>,
    speed: Option<String>,
    rated: Option<bool>,
    since: Option<u64>,
    until: Option<u64>,
    after: Option<String>,
    most: Option<u32>,
}

impl GamesQuery {
    async fn filter(&self, app: &App) -> Result<Filter, Refusal> {
        let bad =
            |what: &str, value: &str| Problem::new("bad-query").with("detail", format!("{what}={value}"));
        let result = match self.result.as_deref() {
            None => None,
            Some("win") => Some(Ending::Win),
            Some("draw") => Some(Ending::Draw),
            Some("loss") => Some(Ending::Loss),
            Some("void") => Some(Ending::Void),
            Some(other) => return Err(bad("result", other).into()),
        };
        let speed = match self.speed.as_deref() {
            None => None,
            Some(text) => Some(Speed::read(text).ok_or_else(|| bad("speed", text))?),
        };
        let opponent = match self.opponent.as_deref() {
            None => None,
            Some(who) if who.is_empty() || who.len() > LONGEST_NAME => {
                return Err(bad("opponent", who).into());
            }
            // Programs have ids and no rows.
            Some(who) => Some(match app.hall.store.people.find_person(who).await.map_err(unread)? {
                Some(found) => found.id,
                None => who.to_owned(),
            }),
        };
        Ok(Filter {
            game: self.game.clone(),
            opponent,
            side: self.side.map(|side| if side == wire::Side::First { 0 } else { 1 }),
            result,
            speed,
            rated: self.rated,
            since_ms: self.since,
            until_ms: self.until,
        })
    }

    fn place(&self) -> Result<Option<Place>, Problem> {
        let Some(text) = &self.after else { return Ok(None) };
        let read = |text: &str| {
            let (ended_ms, n) = text.split_once('.')?;
            Some(Place { ended_ms: ended_ms.parse().ok()?, n: n.parse().ok()? })
        };
        let bad = || Problem::new("bad-query").with("detail", format!("after={text}"));
        read(text).map(Some).ok_or_else(bad)
    }
}

pub(super) async fn games(
    State(app): State<App>,
    Path(who): Path<String>,
    UrlQuery(wanted): UrlQuery<GamesQuery>,
) -> Result<Json<GamesPage>, Refusal> {
    let person = find(&app, &who).await?;
    let (filter, place) = (wanted.filter(&app).await?, wanted.place()?);
    let most = wanted.most.unwrap_or(GAMES.0).clamp(1, GAMES.1);
    // One more, to know whether there is one.
    let mut rows = app.hall.store.games.list(&person.id, &filter, place, most + 1).await.map_err(unread)?;
    let more = rows.len() > most as usize;
    rows.truncate(most as usize);
    let next = rows.last().filter(|_| more).map(|row| format!("{}.{}", row.ended_ms, row.n));
    Ok(Json(GamesPage { games: rows.into_iter().map(game_line).collect(), next }))
}

fn game_line(row: GameRow) -> GameLine {
    let GameRow { id, setup, players, outcome, plies, speed, begun_ms, ended_ms, rated, .. } = row;
    let step = |step: store::games::Step| RatingStep { before: whole(step.before), after: whole(step.after) };
    GameLine {
        id,
        game: setup.game,
        options: setup.options,
        map: setup.map,
        fen: setup.fen,
        how: setup.how,
        clock: setup.clock,
        speed: speed.map(|speed| speed.key().to_owned()),
        players,
        ratings: rated.map(|steps| steps.map(step)),
        outcome,
        plies,
        begun_ms,
        ended_ms,
    }
}

pub(super) async fn against(
    State(app): State<App>,
    Path((who, other)): Path<(String, String)>,
) -> Result<Json<Vec<GameTally>>, Refusal> {
    let (person, other) = (find(&app, &who).await?, find(&app, &other).await?);
    let tally = app.hall.store.games.tally(&person.id, Some(&other.id)).await.map_err(unread)?;
    Ok(Json(tally.into_iter().map(told).collect()))
}

#[derive(Deserialize)]
pub(super) struct As {
    format: Option<String>,
}

/// The formats of a file of games.
#[derive(Clone, Copy)]
enum Kept {
    /// JSON Lines: one object a line, a [`GameLine`] with its moves.
    Lines,
    Records(Format),
}

pub(super) async fn export(
    State(app): State<App>,
    asker: Asker,
    Path(who): Path<String>,
    UrlQuery(wish): UrlQuery<As>,
) -> Result<Response, Refusal> {
    let kept = match wish.format.as_deref().unwrap_or("jsonl") {
        "jsonl" => Kept::Lines,
        "pgn" => Kept::Records(Format::Pgn),
        "pdn" => Kept::Records(Format::Pdn),
        "sgf" => Kept::Records(Format::Sgf),
        other => return Err(Problem::new("unknown-format").with("format", other).into()),
    };
    let person = find(&app, &who).await?;
    // A place in the queue for each part: a slow reader holds up no other request.
    drop(app.place(&asker).await?);
    let (media, ending) = match kept {
        Kept::Lines => ("application/x-ndjson", "jsonl"),
        Kept::Records(format) => (format.media_type(), format.key()),
    };
    let name = format!("attachment; filename=\"qiguan-{}.{ending}\"", person.id);
    let begin = Export { app, asker, person: person.id, kept, after: None, is_first: true };
    let parts = stream::try_unfold(Some(begin), |export| async move {
        match export {
            Some(export) => export.part().await,
            None => Ok(None),
        }
    });
    let headers = [(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, streamed(parts)).into_response())
}

/// The state of a file that is being written.
struct Export {
    app: App,
    asker: Asker,
    person: String,
    kept: Kept,
    after: Option<Place>,
    is_first: bool,
}

impl Export {
    /// Returns the next part of the file, and the state after it.
    async fn part(mut self) -> Result<Option<(Vec<u8>, Option<Export>)>, std::io::Error> {
        let broken = |what: &str| std::io::Error::other(what.to_owned());
        let place = self.app.place(&self.asker).await.map_err(|_| broken("too much is asked for"))?;
        let store = Arc::clone(&self.app.hall.store);
        let rows = store.games.list(&self.person, &Filter::default(), self.after, AT_ONCE).await;
        let rows = rows.map_err(|why| broken(&why.to_string()))?;
        let Some(last) = rows.last() else { return Ok(None) };
        self.after = Some(Place { ended_ms: last.ended_ms, n: last.n });
        let is_last = rows.len() < AT_ONCE as usize;
        let mut games = Vec::with_capacity(rows.len());
        for row in rows {
            let plies =
                store.games.plies(row.n).await.map_err(|why| broken(&why.to_string()))?.unwrap_or_default();
            games.push((row, plies));
        }
        let (kept, mut is_first) = (self.kept, self.is_first);
        let write = move |_: &_| {
            let mut part = Vec::new();
            for (row, plies) in games {
                match kept {
                    Kept::Lines => write_line(&mut part, row, plies),
                    Kept::Records(format) => write_record(&mut part, format, row, plies, &mut is_first),
                }
            }
            (part, is_first)
        };
        let written = place.run(write).await;
        let (part, is_first) = written.map_err(|_| broken("the hall is about to stop"))?;
        self.is_first = is_first;
        Ok(Some((part, (!is_last).then_some(self))))
    }
}

/// A line of the file: a game with its moves.
#[derive(serde::Serialize)]
struct WithMoves {
    #[serde(flatten)]
    game: GameLine,
    moves: Plies,
}

fn write_line(part: &mut Vec<u8>, row: GameRow, moves: Plies) {
    let line = serde_json::to_vec(&WithMoves { game: game_line(row), moves }).expect("plain data");
    part.extend(line);
    part.push(b'\n');
}

/// Writes a record, unless the format is not for its game, or its moves no longer follow the rules.
fn write_record(part: &mut Vec<u8>, format: Format, row: GameRow, plies: Plies, is_first: &mut bool) {
    if !Format::of_game(&row.setup.game).contains(&format) {
        return;
    }
    let id = row.id.clone();
    let written =
        remembered::replayed(row, plies).and_then(|state| files::write(format, &files::record(&state)));
    match written {
        Ok((_, _, content)) => {
            if !std::mem::replace(is_first, false) {
                part.extend(format.between());
            }
            part.extend(content);
        }
        Err(why) => tracing::error!(table = %id, %why, "a remembered game cannot be written"),
    }
}
