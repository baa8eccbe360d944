//! Studies: lists of them, one to read, changes, chapters from tables, files and positions, and files of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::maps::Package;
use edge::network::Asker;
use edge::workers::{Deadline, Place, blocking, in_place};
use kernel::{PlayError, Problem};
use people::Name;
use people::name::{clean, clean_lines};
use people::secret::{is_id, new_table_id};
use records::record::Ply;
use records::{Files, Format, Games, MapOf, Record, Tree};
use serde::Deserialize;
use store::studies::{Access, StudyDeed, WantedStudies};
use store::{StoreError, StoredPersonKind};
use study::{MOST_CHAPTERS, MOST_NAME, chapter, decide, file, notes, path, rest};
use wire::{
    Fault, NewStudy, Patch, Replay, Report, Study, StudyAccess, StudyChange, StudyChapter, StudyDone,
    StudyEval, StudyEvent, StudyFilm, StudyFormat, StudyList, StudyListed, StudyMember, StudyRole,
    StudyShown, StudyStart, StudyWished,
};
use works::publishing::PublicationNotes;

use super::ask::{Body, Path, UrlQuery, bytes};
use super::positions::count;
use crate::analysis::is_open;
use crate::app::App;
use crate::files;
use crate::hall::Hall;
use crate::refusal::Refusal;
use crate::studies::{Guard, NoStudy, Rules, TRIES, role, shown};
use crate::visitor::Visitor;

/// The number of studies on a page of the list.
const PAGE: u32 = 30;
/// The most pages of the list.
const PAGES: u32 = 1_000;
/// The most characters of a search.
const SEARCH: usize = 60;
/// The number of attempts to find a free random id for a study; a collision is very unlikely.
const NEW_IDS: usize = 4;
/// The most problems with a file that are reported.
const TOLD: usize = 20;
/// The most bytes of a study as a file; each chapter includes the files of its map.
const MOST_FILE: usize = 16 << 20;
/// The number of nodes above which a study is written on a worker thread.
const MANY_NODES: usize = 500;
/// The numbers of PGN (NAGs) for `?!`, `?` and `??`.
const SIGNS: [(Fault, u8); 3] = [(Fault::Slip, 6), (Fault::Mistake, 2), (Fault::Blunder, 4)];

impl From<NoStudy> for Refusal {
    fn from(why: NoStudy) -> Self {
        match why {
            NoStudy::Unknown => Refusal::unknown(Problem::new("no-such-study")),
            NoStudy::Refused(problem) => match problem.key {
                "study-newer" | "study-no-node" | "study-no-chapter" => {
                    Refusal::new(StatusCode::CONFLICT, problem)
                }
                "study-not-yours" => Refusal::forbidden(problem),
                _ => problem.into(),
            },
            NoStudy::Store(StoreError::Full(_)) => Refusal::from(Problem::new("studies-full")),
            NoStudy::Store(why) => {
                tracing::error!(%why, "a study was not read or stored");
                Refusal::not_stored()
            }
        }
    }
}

/// The query parameters of the list.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Search {
    search: String,
    page: u32,
    mine: bool,
}

pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wish): UrlQuery<Search>,
) -> Result<Json<StudyList>, Refusal> {
    let studies = &*app.hall.store.studies;
    let wanted = WantedStudies {
        search: wish.search.trim().chars().take(SEARCH).collect(),
        person: wish.mine.then(|| asker.person.clone()),
        skip: wish.page.min(PAGES) * PAGE,
        most: PAGE,
    };
    let (rows, of) = studies.studies_wanted(&wanted).await.map_err(NoStudy::from)?;
    let own = studies.studies_of(&asker.person).await.map_err(NoStudy::from)?;
    let listed = |row: store::studies::StudyRow| StudyListed {
        role: match (row.owner == asker.person, wish.mine) {
            (true, _) => StudyRole::Owner,
            (false, true) => StudyRole::Contributor,
            (false, false) => StudyRole::Reader,
        },
        access: match row.access {
            Access::Private => StudyAccess::Private,
            Access::Link => StudyAccess::Link,
            Access::Public => StudyAccess::Public,
        },
        owner: StudyMember { id: row.owner, name: row.owner_name },
        id: row.id,
        name: row.name,
        games: row.games,
        chapters: row.chapters,
        changed_ms: row.changed_ms,
    };
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let left = if app.hall.limits.on { app.hall.limits.studies.saturating_sub(small(own)) } else { u32::MAX };
    Ok(Json(StudyList { studies: rows.into_iter().map(listed).collect(), of: small(of), left }))
}

/// Returns the asker, who must have an account.
fn with_account(visitor: &Visitor) -> Result<StudyMember, Refusal> {
    visitor.must_have_account("study-needs-account")?;
    Ok(StudyMember { id: visitor.player.id.clone(), name: visitor.player.name.clone() })
}

pub(super) async fn make(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<NewStudy>,
) -> Result<(StatusCode, Json<StudyShown>), Refusal> {
    let owner = with_account(&visitor)?;
    counted(&app, &visitor.asker)?;
    app.hall.has_room()?;
    let (chapters, left_out) = begun(&app, &visitor, wish.from).await?;
    let name = match wish.name.trim() {
        "" => chapters.first().map(|chapter| chapter.name.clone()).unwrap_or_default(),
        name => typed(name)?,
    };
    let mut study = Study { name: decide::named(&name)?, access: wish.access, owner, ..Study::default() };
    for chapter in chapters {
        let event = decide::add_chapter(&study, StudyRole::Owner, chapter)?;
        if let StudyEvent::ChapterAdded { chapter } = event {
            study.next = chapter.id + 1;
            study.chapters.push(chapter);
        }
    }
    study.ver = 1;
    for _ in 0..NEW_IDS {
        study.id = new_table_id();
        let deed = StudyDeed::Make {
            id: study.id.clone(),
            owner: study.owner.id.clone(),
            shown: shown(&study),
            whole: study::kept::write(&study),
            most: app.hall.limits.most(app.hall.limits.studies),
            at_ms: app.hall.time.now_ms(),
        };
        match app.hall.store.studies.change_study(deed).await {
            Err(StoreError::Taken) => {}
            Err(why) => return Err(NoStudy::from(why).into()),
            Ok(()) => {
                let told = StudyShown { study, role: StudyRole::Owner, left_out };
                return Ok((StatusCode::CREATED, Json(told)));
            }
        }
    }
    Err(Refusal::not_stored())
}

fn counted(app: &App, asker: &Asker) -> Result<(), Refusal> {
    app.hall.rates.study_change(asker).map_err(|wait| Refusal::too_many(wait.seconds()))
}

/// Locks a study that the asker may see, and returns it with their role.
async fn held(app: &App, id: &str, person: &str) -> Result<(Guard, StudyRole), Refusal> {
    if !is_id(id) {
        return Err(NoStudy::Unknown.into());
    }
    let guard = app.hall.hold(id).await?;
    let role = guard.as_ref().and_then(|held| role(&held.study, person));
    // Who may not see it is not told that it is there.
    let role = role.ok_or(NoStudy::Unknown)?;
    Ok((guard, role))
}

fn of(guard: &Guard) -> Result<&Study, Refusal> {
    guard.as_ref().map(|held| &held.study).ok_or_else(|| NoStudy::Unknown.into())
}

pub(super) async fn one(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let (guard, role) = held(&app, &id, &asker.person).await?;
    let many = decide::nodes(of(&guard)?) > MANY_NODES;
    in_place(many, move || {
        let study = of(&guard)?.clone();
        drop(guard);
        Ok(Json(StudyShown { study, role, left_out: Vec::new() }).into_response())
    })
}

pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let (guard, role) = held(&app, &id, &visitor.player.id).await?;
    drop(guard);
    if role != StudyRole::Owner {
        return Err(NoStudy::Refused(Problem::new("study-not-yours")).into());
    }
    app.hall.delete_study(&id, &visitor.player.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the chapter whose game a change needs.
fn played(change: &StudyChange) -> Option<u32> {
    match change {
        StudyChange::Play { chapter, .. } | StudyChange::Draw { chapter, .. } => Some(*chapter),
        _ => None,
    }
}

pub(super) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<StudyWished>,
) -> Result<Json<StudyDone>, Refusal> {
    counted(&app, &visitor.asker)?;
    app.hall.has_room()?;
    let (person, change) = (visitor.player.id.clone(), tidy(wish.change)?);
    let guest = match &change {
        StudyChange::Invite { name } => Some(invited(&app, name).await?),
        _ => None,
    };
    let place = place_for(&app, &visitor.asker, &id, &change).await?;
    let (mut guard, _) = held(&app, &id, &person).await?;
    for _ in 0..TRIES {
        let study = of(&guard)?;
        let role = role(study, &person).ok_or(NoStudy::Unknown)?;
        let event = match (&guest, &place) {
            (Some(guest), _) => decide::invite(study, role, guest.clone()).map_err(NoStudy::from)?,
            // A position is reached move by move, which may take a while.
            (None, Some((place, rules))) => {
                let (rules, change, person) = (rules.clone(), change.clone(), person.clone());
                let work = move |_: &Deadline| {
                    let decided = guard.as_ref().map(|held| {
                        let open = |chapter: &StudyChapter| rules.open(chapter);
                        decide(&held.study, role, &person, wish.base, &change, &open)
                    });
                    (guard, decided)
                };
                let (back, decided) = place.part(work).await?;
                guard = back;
                decided.ok_or(NoStudy::Unknown)?.map_err(NoStudy::from)?
            }
            (None, None) => {
                let open = |_: &StudyChapter| Err(Problem::new("study-no-chapter"));
                decide(study, role, &person, wish.base, &change, &open).map_err(NoStudy::from)?
            }
        };
        let entry = match event {
            None => None,
            Some(event) => match app.hall.add_to_study(&mut guard, &person, event).await? {
                Some(entry) => Some(entry),
                None => continue,
            },
        };
        let node = match (&entry, &change) {
            (Some(entry), _) => match &entry.event {
                StudyEvent::Played { node, .. } => Some(node.id),
                _ => None,
            },
            (None, StudyChange::Play { chapter: id, parent, text }) => {
                let found = chapter(of(&guard)?, *id);
                // What people type may be written otherwise than the move that is there.
                found.and_then(|found| decide::follows(found, *parent, &text.to_ascii_lowercase()))
            }
            _ => None,
        };
        return Ok(Json(StudyDone { entry, node, left_out: Vec::new() }));
    }
    Err(Problem::new("study-crowded").into())
}

/// Waits for a place to work at, and the rules of the chapter, for a change that needs its game. Both are there
/// before the study is locked: a request that waits for its turn, or for a map, does not block others. Readers are
/// refused at once.
async fn place_for(
    app: &App,
    asker: &Asker,
    id: &str,
    change: &StudyChange,
) -> Result<Option<(Place, Rules)>, Refusal> {
    let Some(number) = played(change) else { return Ok(None) };
    let (guard, may) = held(app, id, &asker.person).await?;
    if may == StudyRole::Reader {
        return Err(NoStudy::Refused(Problem::new("study-not-yours")).into());
    }
    let Some(found) = chapter(of(&guard)?, number) else { return Ok(None) };
    let map = found.map.as_ref().map(|map| map.id.clone());
    drop(guard);
    let place = app.place(asker).await?;
    let map = app.hall.works.maps.map_of(map.as_deref(), asker.into()).await?;
    Ok(Some((place, map.map(Rules::of).unwrap_or_default())))
}

/// Returns the person of that name, who must have an account.
async fn invited(app: &App, name: &str) -> Result<StudyMember, Refusal> {
    let found = app.hall.store.people.find_person(name.trim()).await.map_err(NoStudy::from)?;
    let found = found.filter(|person| person.kind == StoredPersonKind::Account);
    let found = found.ok_or_else(|| Problem::new("study-nobody").with("name", name))?;
    Ok(StudyMember { id: found.id, name: found.name })
}

pub(super) async fn add(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<StudyStart>,
) -> Result<Json<StudyDone>, Refusal> {
    counted(&app, &visitor.asker)?;
    app.hall.has_room()?;
    let person = visitor.player.id.clone();
    let (guard, may) = held(&app, &id, &person).await?;
    drop(guard);
    if may == StudyRole::Reader {
        return Err(NoStudy::Refused(Problem::new("study-not-yours")).into());
    }
    let (chapters, left_out) = begun(&app, &visitor, wish).await?;
    let (mut guard, _) = held(&app, &id, &person).await?;
    let mut first = None;
    for chapter in chapters {
        let mut added = None;
        for _ in 0..TRIES {
            let study = of(&guard)?;
            let role = role(study, &person).ok_or(NoStudy::Unknown)?;
            let event = decide::add_chapter(study, role, chapter.clone()).map_err(NoStudy::from)?;
            added = app.hall.add_to_study(&mut guard, &person, event).await?;
            if added.is_some() {
                break;
            }
        }
        let added = added.ok_or_else(|| Problem::new("study-crowded"))?;
        first.get_or_insert(added);
    }
    Ok(Json(StudyDone { entry: first, node: None, left_out }))
}

/// Validates the name of a study or a chapter.
fn typed(name: &str) -> Result<String, Problem> {
    Name::read(name, people::name::NameKind::Study).map(|name| name.as_str().to_owned())
}

/// Returns a comment without invisible letters. It is no longer than before.
fn shown_words(comment: &str) -> String {
    clean_lines(comment, comment.len()).unwrap_or_default()
}

/// Cleans the names and comments in a change.
fn tidy(change: StudyChange) -> Result<StudyChange, Problem> {
    Ok(match change {
        StudyChange::Name { name } => StudyChange::Name { name: typed(&name)? },
        StudyChange::NameChapter { chapter, name } => {
            StudyChange::NameChapter { chapter, name: typed(&name)? }
        }
        StudyChange::Comment { chapter, node, text } => {
            StudyChange::Comment { chapter, node, text: shown_words(&text) }
        }
        other => other,
    })
}

/// Makes the chapters of a new study, and the problems with parts that were left out.
async fn begun(
    app: &App,
    visitor: &Visitor,
    wish: StudyStart,
) -> Result<(Vec<StudyChapter>, Vec<wire::Problem>), Refusal> {
    let (records, mut left_out) = match (&wish.table, &wish.content, &wish.game) {
        (Some(table), ..) => (vec![of_table(app, &visitor.asker, table, wish.report).await?], Vec::new()),
        (None, Some(content), _) => of_file(app, &visitor.asker, content, &wish).await?,
        (None, None, Some(game)) => (vec![of_game(game, &wish)?], Vec::new()),
        (None, None, None) => return Err(Problem::new("study-of-nothing").into()),
    };
    let plies: usize = records.iter().map(|record| record.tree.plies()).sum();
    let counted = app.hall.rates.plies(&visitor.asker, plies as u64);
    counted.map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let one = records.len() == 1;
    let mut chapters = Vec::new();
    for (n, record) in (1..).zip(records) {
        if record.map.as_ref().is_some_and(|map| map.files.is_some()) {
            let counted = app.hall.rates.map(&visitor.asker);
            counted.map_err(|wait| Refusal::too_many(wait.seconds()))?;
        }
        let place = app.place(&visitor.asker).await?;
        let read = chapter_of(Arc::clone(&app.hall), record, visitor.asker.clone());
        let (mut chapter, lost) = place.during(read).await??;
        if one && !wish.name.trim().is_empty() {
            chapter.name = typed(&wish.name)?;
        } else {
            chapter.name = clean(&chapter.name, MOST_NAME).unwrap_or_default();
        }
        if chapter.name.is_empty() {
            chapter.name = n.to_string();
        }
        for node in &mut chapter.nodes {
            node.comment = shown_words(&node.comment);
        }
        left_out.extend(lost.iter().cloned().map(wire::Problem::from));
        chapters.push(chapter);
    }
    left_out.truncate(TOLD);
    Ok((chapters, left_out))
}

/// Converts a record to a chapter, with the problems of parts that a chapter does not keep.
async fn chapter_of(
    hall: Arc<Hall>,
    mut record: Record,
    asker: Asker,
) -> Result<(StudyChapter, Vec<Problem>), Refusal> {
    let rules = with_map(&hall, &asker, &mut record).await?;
    let read = blocking(move || {
        let start = StudyChapter {
            game: record.game.clone(),
            options: record.options.clone(),
            fen: record.start.clone(),
            ..StudyChapter::default()
        };
        file::chapter_of(&record, rules.open(&start)?)
    });
    Ok(read.await?.map_err(NoStudy::from)?)
}

/// Returns the rules of the map that a record needs; a map in the record is stored.
async fn with_map(hall: &Hall, asker: &Asker, record: &mut Record) -> Result<Rules, Refusal> {
    let loaded = match (files::brought(record), &record.map) {
        (Some(brought), _) => {
            hall.works
                .publishing
                .publish(brought, PublicationNotes::default(), &asker.person, asker.into())
                .await?
                .map
        }
        (None, Some(named)) => hall.works.maps.map(&named.id, asker.into()).await?,
        (None, None) => return Ok(Rules::default()),
    };
    let name = loaded.name();
    record.map = Some(MapOf { id: name.id, name: name.name, files: None });
    Ok(Rules::of(loaded))
}

/// Returns the record of a table whose game may be analysed, with the annotations of its report.
async fn of_table(app: &App, asker: &Asker, table: &str, report: bool) -> Result<Record, Refusal> {
    let look = |state: &table::State| is_open(state).map(|()| files::record(state));
    let mut record = app.hall.tables.look(table, asker.into(), look).await??;
    if report {
        let report = app.hall.report_anywhere(table, asker).await?;
        if report.done < report.of {
            let problem = Problem::new("study-report-runs").with("done", report.done);
            return Err(problem.with("of", report.of).into());
        }
        annotate(&mut record, &report);
    }
    Ok(record)
}

/// Writes a report into a record: evaluations, signs of judgement (NAGs), and better lines as variations.
fn annotate(record: &mut Record, report: &Report) {
    let line: Vec<_> = std::iter::once(Tree::START).chain(record.tree.main_line()).collect();
    // Evaluations name no places.
    let board = kernel::Board::new(kernel::Lines::Points, 1, 1, kernel::Names::NUMBERS);
    for (plies, worth) in &report.points {
        let Some(&at) = line.get(*plies as usize) else { continue };
        let eval = Some(StudyEval { worth: *worth, depth: None });
        record.tree[at].comment = notes::write(&notes::Notes { eval, ..notes::Notes::default() }, &board);
    }
    for turn in &report.faults {
        let (Some(&from), Some(&to)) = (line.get(turn.from as usize), line.get(turn.to as usize)) else {
            continue;
        };
        if let Some((_, sign)) = SIGNS.iter().find(|(fault, _)| *fault == turn.fault) {
            record.tree[to].judge(*sign);
        }
        let mut last = from;
        for text in &turn.better.moves {
            last = record.tree.add(last, Ply { text: text.clone(), ..Ply::default() });
        }
    }
}

/// Returns the games of a file.
async fn of_file(
    app: &App,
    asker: &Asker,
    content: &str,
    wish: &StudyStart,
) -> Result<(Vec<Record>, Vec<wire::Problem>), Refusal> {
    let counted = app.hall.rates.bytes(asker, content.len() as u64);
    counted.map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let (content, base64) = (content.to_owned(), wish.base64);
    let (named, game) = (wish.format.clone(), wish.game.clone().unwrap_or_default());
    let read = app.work(asker, move |deadline| {
        let content = if base64 { bytes(&content)? } else { content.into_bytes() };
        let named = named.as_deref().map(files::format).transpose()?;
        let format = named.or_else(|| records::detect(&content));
        let format = format.ok_or_else(|| Problem::new("unknown-format").with("format", "?"))?;
        let (mut records, mut problems) = (Vec::new(), Vec::new());
        let mut games = Games::new(format, content.as_slice()).of(&game).keeping();
        while let Some(next) = games.next() {
            if deadline.check().is_err() || records.len() >= MOST_CHAPTERS {
                let problem = Problem::new("study-full").with("what", "chapters");
                problems.push(problem.with("most", MOST_CHAPTERS));
                break;
            }
            match next {
                Ok(record) => records.push(record),
                Err(problem) => problems.push(problem),
            }
            problems.extend(games.fault());
        }
        match (records.is_empty(), problems.first()) {
            (true, Some(problem)) => Err(problem.clone()),
            (true, None) => Err(Problem::new("study-of-nothing")),
            _ => Ok((records, problems.into_iter().map(wire::Problem::from).collect())),
        }
    });
    Ok(read.await??)
}

/// Returns a record with the start of a game, and moves from there.
fn of_game(game: &str, wish: &StudyStart) -> Result<Record, Problem> {
    let entry = catalog::named(game)?;
    let mut record = Record {
        game: entry.key.to_owned(),
        options: wish.options.clone(),
        start: wish.fen.clone().filter(|fen| !fen.trim().is_empty()),
        map: wish.map.as_ref().map(|id| MapOf { id: id.clone(), ..MapOf::default() }),
        ..Record::default()
    };
    let mut last = Tree::START;
    for text in &wish.moves {
        last = record.tree.add(last, Ply { text: text.clone(), ..Ply::default() });
    }
    record.check()?;
    Ok(record)
}

/// The node that a line is shown through; 0, the start, when absent.
#[derive(Deserialize)]
pub(super) struct Where {
    #[serde(default)]
    node: u32,
}

pub(super) async fn film(
    State(app): State<App>,
    asker: Asker,
    Path((id, number)): Path<(String, u32)>,
    UrlQuery(wish): UrlQuery<Where>,
) -> Result<Json<StudyFilm>, Refusal> {
    let place = app.place(&asker).await?;
    let (guard, _) = held(&app, &id, &asker.person).await?;
    let found = chapter(of(&guard)?, number).cloned();
    drop(guard);
    let found = found.ok_or_else(|| NoStudy::Refused(Problem::new("study-no-chapter")))?;
    let rules = app.hall.rules_of(&found, (&asker).into()).await?;
    let limits = **app.hall.limits;
    let shown = place.run(move |deadline| -> Result<StudyFilm, Refusal> {
        let before = path(&found, wish.node);
        if study::node(&found, wish.node).is_none() {
            return Err(NoStudy::Refused(Problem::new("study-no-node")).into());
        }
        let most = limits.replay_plies.max(2);
        let from = before.len().saturating_sub(most / 2);
        let line: Vec<_> = before.into_iter().chain(rest(&found, wish.node)).collect();
        let mut game = rules.open(&found)?;
        for node in &line[..from] {
            game.play(&node.text).map_err(PlayError::problem)?;
        }
        let start = game.view();
        let (mut last, mut patches, mut size) = (start.clone(), Vec::new(), 0);
        let mut nodes = vec![if from == 0 { 0 } else { line[from - 1].id }];
        for node in line[from..].iter().take(most) {
            deadline.check()?;
            if size > limits.replay_bytes {
                break;
            }
            game.play(&node.text).map_err(PlayError::problem)?;
            let view = game.view();
            let patch = Patch::between(&last, &view);
            size += serde_json::to_string(&patch).map_or(0, |text| text.len());
            patches.push(patch);
            last = view;
            nodes.push(node.id);
        }
        let sides = catalog::find(&found.game)?.sides.map(str::to_owned);
        let film = Replay { from: count(from), of: count(line.len()), start, patches };
        let notations = game.notations().iter().map(|name| (*name).to_owned()).collect();
        Ok(StudyFilm { board: game.board(), nodes, film, notations, sides })
    });
    shown.await?.map(Json)
}

/// The chapter and the format of a file.
#[derive(Deserialize)]
pub(super) struct As {
    chapter: Option<u32>,
    #[serde(default)]
    format: String,
}

/// Converts a chapter to a record, with the board that names its places.
fn record_of(found: &StudyChapter, rules: &Rules) -> Result<(Record, kernel::Board), Problem> {
    let board = rules.open(found)?.board();
    Ok((file::record_of(found, &board), board))
}

/// Returns the requested chapters: one, or all. The caller takes a place before: a request that waits for one holds
/// no memory.
async fn asked(
    app: &App,
    asker: &Asker,
    id: &str,
    only: Option<u32>,
) -> Result<Vec<(StudyChapter, Rules)>, Refusal> {
    let (guard, _) = held(app, id, &asker.person).await?;
    let study = of(&guard)?;
    let chapters: Vec<StudyChapter> = match only {
        Some(number) => chapter(study, number).cloned().into_iter().collect(),
        None => study.chapters.clone(),
    };
    drop(guard);
    if chapters.is_empty() {
        return Err(NoStudy::Refused(Problem::new("study-no-chapter")).into());
    }
    let mut all = Vec::with_capacity(chapters.len());
    for found in chapters {
        let rules = app.hall.rules_of(&found, asker.into()).await?;
        all.push((found, rules));
    }
    Ok(all)
}

/// The query parameter that selects one chapter.
#[derive(Deserialize)]
pub(super) struct OfChapter {
    chapter: Option<u32>,
}

pub(super) async fn formats(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(wish): UrlQuery<OfChapter>,
) -> Result<Json<Vec<StudyFormat>>, Refusal> {
    let place = app.place(&asker).await?;
    let chapters = asked(&app, &asker, &id, wish.chapter).await?;
    let told = place.run(move |deadline| {
        let records = chapters.iter().map(|(found, rules)| record_of(found, rules));
        let records = records.collect::<Result<Vec<_>, _>>()?;
        let mut told = Vec::new();
        for format in Format::ALL {
            let fits =
                |record: &Record| format.writes() && !format.is_position() && format.is_for(&record.game);
            if !records.iter().all(|(record, _)| fits(record)) || (records.len() > 1 && !format.holds_many())
            {
                continue;
            }
            let mut loses = BTreeSet::new();
            let tried = records.iter().try_for_each(|(record, board)| {
                deadline.check()?;
                loses.extend(file::lost(format, record, board)?);
                Ok::<_, Refusal>(())
            });
            // One that cannot hold this at all is not offered.
            if tried.is_ok() {
                let loses = loses.into_iter().map(str::to_owned).collect();
                told.push(StudyFormat { format: files::name(format), loses, whole: records.len() > 1 });
            }
        }
        Ok::<_, Refusal>(told)
    });
    Ok(Json(told.await??))
}

/// Loads the files of the maps that chapters are on, each once, although each chapter is written with its own.
///
/// # Errors
/// `study-file-large` when the chapters come to more than a file may have; not much more than that is read.
async fn packages(
    app: &App,
    chapters: &[(StudyChapter, Rules)],
) -> Result<HashMap<String, Package>, Refusal> {
    let mut packages: HashMap<String, Package> = HashMap::new();
    let mut left = MOST_FILE;
    for map in chapters.iter().filter_map(|(found, _)| found.map.as_ref()) {
        if !packages.contains_key(&map.id) {
            packages.insert(map.id.clone(), app.hall.works.maps.files(&map.id).await?.0.package);
        }
        let Package { map: bytes, extensions } = &packages[&map.id];
        let all = bytes.len() + extensions.iter().map(|source| source.bytes.len()).sum::<usize>();
        left = left.checked_sub(all).ok_or_else(too_large)?;
    }
    Ok(packages)
}

fn too_large() -> Problem {
    Problem::new("study-file-large").with("most", MOST_FILE >> 20)
}

pub(super) async fn record(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(wish): UrlQuery<As>,
) -> Result<Response, Refusal> {
    let format = files::format(if wish.format.is_empty() { "json" } else { &wish.format })?;
    let place = app.place(&asker).await?;
    let chapters = asked(&app, &asker, &id, wish.chapter).await?;
    if chapters.len() > 1 && !format.holds_many() {
        return Err(Problem::new("study-one-at-a-time").with("format", format.key()).into());
    }
    let maps = if format == Format::Json { packages(&app, &chapters).await? } else { HashMap::new() };
    let written = place.run(move |deadline| {
        let (mut content, mut lost) = (Vec::new(), BTreeSet::new());
        for (found, rules) in &chapters {
            deadline.check()?;
            let (mut record, board) = record_of(found, rules)?;
            let bare = records::write(format, &record)?;
            lost.extend(file::lost_in(format, &record, &bare, &board)?);
            if !content.is_empty() {
                content.extend_from_slice(format.between());
            }
            match record.map.as_mut().and_then(|map| Some((maps.get(&map.id)?, map))) {
                Some((Package { map: bytes, extensions }, map)) => {
                    map.files = Some(Files { map: bytes.clone(), extensions: extensions.clone() });
                    content.extend_from_slice(&records::write(format, &record)?);
                }
                None => content.extend_from_slice(&bare),
            }
            if content.len() > MOST_FILE {
                return Err(too_large().into());
            }
        }
        Ok::<_, Refusal>((content, lost.into_iter().collect::<Vec<_>>().join(",")))
    });
    let (content, lost) = written.await??;
    let name = format!("attachment; filename=\"qiguan-{id}.{}\"", format.key());
    let headers = [
        (header::CONTENT_TYPE, format.media_type().to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::HeaderName::from_static("qiguan-lost"), lost),
    ];
    Ok((headers, content).into_response())
}
