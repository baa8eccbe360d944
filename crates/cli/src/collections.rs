//! The command `qiguan library`: games of files come in, are found and go out again.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Cursor, IsTerminal, Read, Seek, Write, stderr, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ::library::book;
use ::library::import::{Kept, Refused};
use ::library::search::Found;
use ::library::{Access, Book, Collection, Import, ImportProgress, Library, Opener, Query, Sort, walk};
use catalog::{Options, Setting};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::{AnyGame, Piece, Problem, Side};
use records::archive::{self, Archive};
use records::record::Score;
use records::{Format, Games, Record};
use texts::Language;

use crate::args::{self, ExploreGames, ExportGames, GameFilter, ImportGames, SearchGames};
use crate::fresh::Fresh;
use crate::interrupt::Interrupt;
use crate::out::{self, line, note};

/// The bytes of a file that are read to detect its format and an earlier import of it.
const BEGINNING: usize = 64 << 10;
/// The interval of progress messages where there is no bar.
const TOLD_EACH: Duration = Duration::from_secs(10);
/// The most games that are read at once for an export.
const PAGE: usize = 100;

pub fn run(wish: &args::Library, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    match wish {
        args::Library::Import(wish) => import(wish, language),
        args::Library::Search(wish) => search(wish, language),
        args::Library::Explore(wish) => explore(wish, language),
        args::Library::Export(wish) => export(wish, language),
        args::Library::Info { name, data } => info(&open(&data.folder, language)?, name.as_deref(), language),
        args::Library::Remove { name, data } => {
            let library = open(&data.folder, language)?;
            let removed = library.collection(name).and_then(|found| library.remove(found.id));
            removed.map_err(said)
        }
    }
}

/// Opens the library of a data folder, which must exist.
fn open(folder: &Path, language: Language) -> Result<Library, String> {
    let file = folder.join(Library::FILE);
    if !file.exists() {
        return Err(texts::say(language, "cli-library-none", &[("folder", &folder.display().to_string())]));
    }
    Library::open(&file).map_err(|problem| texts::problem(language, &problem))
}

/// Opens the game that a record begins with; its map must be in it.
fn opener(record: &Record) -> Result<Box<dyn AnyGame>, Problem> {
    let entry = catalog::find(&record.game)?;
    let options = entry.settle(&record.options, Setting::Faithful)?;
    let map = crate::extensions::map_of(record, &options)?;
    entry.open(map.as_ref(), &options, record.start.as_deref())
}

fn import(wish: &ImportGames, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let folder = &wish.data.folder;
    std::fs::create_dir_all(folder).map_err(out::at_path(folder))?;
    let library = Library::open(&folder.join(Library::FILE)).map_err(said)?;
    let game = wish.game.as_deref().map(catalog::named).transpose().map_err(said)?;
    let collection = match library.collection(&wish.into) {
        Ok(found) => found,
        Err(_) => {
            let access = Access::keyed(&wish.access).unwrap_or(Access::Private);
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
            library.make(&wish.into, "", access, now).map_err(said)?
        }
    };
    let report = match &wish.report {
        Some(path) => {
            // What was told of other files, or of the first part of this one, stays.
            let file = File::options().create(true).append(true).open(path);
            Some(BufWriter::new(file.map_err(out::at_path(path))?))
        }
        None => None,
    };
    let interrupt = Interrupt::watch(|| {}).map_err(|why| why.to_string())?;
    let stop = interrupt.flag();
    let mut work = Work {
        wish,
        library,
        collection,
        game: game.map_or("", |entry| entry.key),
        report,
        stop,
        language,
        all: ImportProgress::default(),
        failed: 0,
    };
    let begun = Instant::now();
    for path in &wish.files {
        if let Err(why) = work.path(path) {
            work.failed += 1;
            out::noted_at(path.display(), &why);
        }
        if work.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let ended = work.end(begun.elapsed());
    if let (true, Err(why)) = (interrupt.is_raised(), &ended) {
        crate::out::fail(why);
        interrupt.exit_if_raised();
    }
    ended
}

/// An import that is in progress.
struct Work<'a> {
    wish: &'a ImportGames,
    library: Library,
    collection: Collection,
    game: &'static str,
    report: Option<BufWriter<File>>,
    stop: Arc<AtomicBool>,
    language: Language,
    all: ImportProgress,
    failed: usize,
}

impl Work<'_> {
    fn said(&self, problem: &Problem) -> String {
        texts::problem(self.language, problem)
    }

    fn path(&mut self, path: &Path) -> Result<(), String> {
        let mut file = File::open(path).map_err(|why| why.to_string())?;
        let about = file.metadata().map_err(|why| why.to_string())?;
        let mut begins = Vec::new();
        (&file).take(BEGINNING as u64).read_to_end(&mut begins).map_err(|why| why.to_string())?;
        let name = path.display().to_string();
        if !about.is_file() {
            return self.pipe(&name, begins, file);
        }
        file.rewind().map_err(|why| why.to_string())?;
        let size = about.len();
        let print = print_of(&name, size, &begins);
        if book::begins_like_one(&begins) {
            return self.book(path, &name, &print);
        }
        if !archive::begins_like_one(&begins) {
            let bar = bar(size);
            let source = BufReader::with_capacity(BEGINNING, bar.wrap_read(file));
            return self.file(&name, &print, &begins, source, &bar);
        }
        let mut archive = Archive::open(BufReader::new(file)).map_err(|problem| self.said(&problem))?;
        let count = archive.len();
        for at in 0..count {
            let found = archive.file(at).map_err(|problem| self.said(&problem));
            let (inner, source) = match found {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(why) => {
                    self.failed += 1;
                    out::noted_at(&name, &why);
                    continue;
                }
            };
            let inner = format!("{name}/{inner}");
            let mut source = BufReader::with_capacity(BEGINNING, source);
            let begins = match source.fill_buf() {
                Ok(begins) => begins.to_vec(),
                Err(why) => {
                    self.failed += 1;
                    out::noted_at(&inner, &why.to_string());
                    continue;
                }
            };
            if archive::begins_like_one(&begins) {
                self.failed += 1;
                out::noted_at(&inner, &self.said(&Problem::new("archive-in-archive")));
                continue;
            }
            let hidden = ProgressBar::hidden();
            if let Err(why) = self.file(&inner, &format!("{print}/{at}"), &begins, source, &hidden) {
                self.failed += 1;
                out::noted_at(&inner, &why);
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// Imports from a pipe. A pipe cannot be read again, so an interrupted import of it starts over.
    fn pipe(&mut self, name: &str, begins: Vec<u8>, rest: File) -> Result<(), String> {
        if archive::begins_like_one(&begins) || book::begins_like_one(&begins) {
            return Err(texts::say(self.language, "cli-library-pipe", &[]));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let print = format!("{name} {now} {:016x}", walk::print(&begins));
        let source = Cursor::new(begins.clone()).chain(rest);
        self.file(name, &print, &begins, BufReader::with_capacity(BEGINNING, source), &ProgressBar::hidden())
    }

    /// Imports an opening book.
    fn book(&mut self, path: &Path, name: &str, print: &str) -> Result<(), String> {
        let language = self.language;
        let book = Book::read(path).map_err(|problem| self.said(&problem))?;
        let import = Import {
            collection: self.collection.id,
            name,
            print,
            open: &opener,
            threads: 1,
            stop: &self.stop,
            entry: None,
        };
        let report = &mut self.report;
        let told = self.library.import_book(&import, book, &mut |_, refused| {
            if let Some(refused) = refused {
                tell(report.as_mut(), &ProgressBar::hidden(), name, refused, language);
            }
        });
        let told = told.map_err(|problem| self.said(&problem))?;
        self.count(&told);
        Ok(())
    }

    fn count(&mut self, told: &ImportProgress) {
        self.all.read += told.read;
        self.all.added += told.added;
        self.all.doubles += told.doubles;
        self.all.refused += told.refused;
        self.all.cut += told.cut;
    }

    fn file(
        &mut self,
        name: &str,
        print: &str,
        begins: &[u8],
        source: impl BufRead + Send,
        bar: &ProgressBar,
    ) -> Result<(), String> {
        let language = self.language;
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        let named = || ending.and_then(Format::keyed);
        let format = self.wish.from.or_else(|| records::detect(begins)).or_else(named);
        let format = format.ok_or_else(|| texts::say(language, "cli-convert-unknown", &[]))?;
        let games = Games::new(format, source).of(self.game);
        let import = Import {
            collection: self.collection.id,
            name,
            print,
            open: &opener,
            threads: self.wish.threads,
            stop: &self.stop,
            entry: None,
        };
        let mut told_at = Instant::now();
        let report = &mut self.report;
        let mut watch = |told: &ImportProgress, refused: Option<&Refused>| {
            let Some(refused) = refused else {
                if told_at.elapsed() >= TOLD_EACH && bar.is_hidden() && stderr().is_terminal() {
                    told_at = Instant::now();
                    note!("{name}: {}", told.read);
                }
                return;
            };
            tell(report.as_mut(), bar, name, refused, language);
        };
        let told = self.library.import(&import, games, &mut watch);
        bar.finish_and_clear();
        let told = told.map_err(|problem| texts::problem(language, &problem))?;
        self.count(&told);
        Ok(())
    }

    fn end(mut self, took: Duration) -> Result<(), String> {
        if let Some(report) = &mut self.report {
            report.flush().map_err(|why| why.to_string())?;
        }
        let ImportProgress { read, added, doubles, refused, cut, plies: _ } = self.all;
        let seconds = format!("{:.1}", took.as_secs_f64());
        let args = [
            ("read", &*read.to_string()),
            ("added", &*added.to_string()),
            ("doubles", &*doubles.to_string()),
            ("refused", &*refused.to_string()),
            ("cut", &*cut.to_string()),
            ("name", &*self.collection.name),
            ("seconds", &*seconds),
        ];
        line!("{}", texts::say(self.language, "cli-library-imported", &args));
        if self.stop.load(Ordering::Relaxed) {
            return Err(texts::say(self.language, "cli-library-stopped", &[]));
        }
        match (read, self.failed, refused + cut) {
            (_, 1.., _) => Err(texts::say(self.language, "cli-library-files-failed", &[])),
            (0, ..) => Err(texts::say(self.language, "cli-convert-nothing", &[])),
            (.., 1..) => Err(texts::say(self.language, "cli-library-some-refused", &[])),
            _ => Ok(()),
        }
    }
}

/// Reports a game or a row that was not imported as it is: in the report if there is one, else beside the bar.
fn tell(
    report: Option<&mut BufWriter<File>>,
    bar: &ProgressBar,
    name: &str,
    refused: &Refused,
    language: Language,
) {
    let why = texts::problem(language, &refused.problem);
    let (key, kept) = match refused.kept {
        Kept::Nothing => ("cli-library-refused", "nothing"),
        Kept::Part => ("cli-library-cut", "part"),
        Kept::All => ("cli-library-doubted", "all"),
    };
    match report {
        Some(report) => {
            let line = serde_json::json!({
                "file": name, "game": refused.number, "line": refused.line,
                "problem": refused.problem.key, "reason": why, "kept": kept,
            });
            // A report that cannot be written does not stop the import; its end says so.
            let _ = writeln!(report, "{line}");
        }
        None => bar.suspend(|| {
            let (number, line) = (refused.number.to_string(), refused.line.to_string());
            let args = [("file", name), ("number", &*number), ("line", &line), ("problem", &*why)];
            note!("{}", texts::say(language, key, &args));
        }),
    }
}

/// Returns the fingerprint by which a file is recognized; a file that grew is another one, whose old games are in the
/// collection already.
fn print_of(name: &str, size: u64, begins: &[u8]) -> String {
    format!("{name} {size} {:016x}", walk::print(begins))
}

fn bar(size: u64) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {bytes} / {total_bytes}  {eta}");
    ProgressBar::new(size).with_style(style.expect("the template is well formed"))
}

/// Returns the numbers of the collections of those names; of all without names.
fn collections(library: &Library, names: &[String]) -> Result<Vec<i64>, Problem> {
    if names.is_empty() {
        return Ok(library.collections()?.into_iter().map(|found| found.id).collect());
    }
    names.iter().map(|name| library.collection(name).map(|found| found.id)).collect()
}

/// Returns a game at a position that was named by moves, a FEN, or both.
fn position(
    name: &str,
    options: &[(String, i64)],
    fen: Option<&str>,
    moves: &[&str],
) -> Result<(&'static str, Box<dyn AnyGame>), Problem> {
    let entry = catalog::named(name)?;
    let chosen: Options = options.iter().cloned().collect();
    let options = entry.settle(&chosen, Setting::Faithful)?;
    let mut game = entry.open(entry.usual_map(), &options, fen)?;
    for text in moves {
        game.play(text).map_err(kernel::PlayError::problem)?;
    }
    Ok((entry.key, game))
}

/// Parses a side by its number or its colour; `none` for pieces without an owner.
fn owner(text: &str, entry: &catalog::Entry) -> Option<Option<Side>> {
    match text {
        "first" => Some(Some(Side::First)),
        "second" => Some(Some(Side::Second)),
        "none" => Some(None),
        colour => Side::BOTH.into_iter().find(|s| entry.sides[s.index()] == colour).map(Some),
    }
}

/// Parses a number of pieces, SIDE:PIECE=NUMBER.
fn count(text: &str, entry: &catalog::Entry, salt: u64) -> Result<u64, Problem> {
    let wrong = || Problem::new("library-count").with("found", text).with("most", walk::MOST_COUNTED);
    let (side, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (face, number) = rest.split_once('=').ok_or_else(wrong)?;
    let side = owner(side, entry).ok_or_else(wrong)?;
    walk::counted(salt, side, face, number.parse().map_err(|_| wrong())?).ok_or_else(wrong)
}

/// Parses a piece on a cell, SIDE:PIECE@CELL.
fn piece(text: &str, entry: &catalog::Entry, game: &dyn AnyGame) -> Result<Piece, Problem> {
    let wrong = || Problem::new("library-piece").with("found", text);
    let (side, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (face, cell) = rest.split_once('@').ok_or_else(wrong)?;
    let owner = owner(side, entry).ok_or_else(wrong)?;
    let at = game.board().cell_named(cell).ok_or_else(wrong)?;
    Ok(Piece { at, owner, face: face.to_owned().into() })
}

fn query(library: &Library, wanted: &GameFilter) -> Result<Query, Problem> {
    let mut query = Query {
        collections: collections(library, &wanted.collection)?,
        player: wanted.player.clone(),
        first: wanted.first.clone(),
        second: wanted.second.clone(),
        event: wanted.event.clone(),
        since: wanted.since,
        until: wanted.until,
        result: wanted.result.as_deref().and_then(Score::keyed),
        least_rating: wanted.rating,
        sort: Sort::keyed(&wanted.sort).unwrap_or_default(),
        most: PAGE,
        ..Query::default()
    };
    let Some(name) = &wanted.game else { return Ok(query) };
    // A family alone means all of its games, but a position is one of one game.
    let family = catalog::ENTRIES.iter().any(|entry| entry.family == name);
    let asks_position = wanted.fen.is_some() || wanted.moves.is_some();
    let asks_position = asks_position || !wanted.piece.is_empty() || !wanted.count.is_empty();
    query.game = if family && !asks_position { name.clone() } else { catalog::named(name)?.key.to_owned() };
    if asks_position {
        let moves: Vec<&str> = wanted.moves.as_deref().unwrap_or_default().split_whitespace().collect();
        let (key, game) = position(name, &wanted.options, wanted.fen.as_deref(), &moves)?;
        let salt = walk::salt(key, "");
        if wanted.fen.is_some() || wanted.moves.is_some() {
            query.position = Some(walk::position_key(salt, &*game));
        }
        let entry = catalog::find(key)?;
        for text in &wanted.piece {
            query.pattern.push(walk::feature(salt, &piece(text, entry, &*game)?));
        }
        for text in &wanted.count {
            query.pattern.push(count(text, entry, salt)?);
        }
    }
    Ok(query)
}

/// Calls `f` with every game that matches, a page at a time.
fn each(
    library: &Library,
    mut query: Query,
    mut f: impl FnMut(Found) -> Result<bool, String>,
    said: impl Fn(Problem) -> String,
) -> Result<Option<u64>, String> {
    let mut hits = None;
    loop {
        let page = library.search(&query).map_err(&said)?;
        hits = hits.or(page.hits);
        for game in page.games {
            if !f(game)? {
                return Ok(hits);
            }
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(hits),
        }
    }
}

fn search(wish: &SearchGames, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let library = open(&wish.wanted.data.folder, language)?;
    let mut query = query(&library, &wish.wanted).map_err(said)?;
    query.most = wish.limit.min(PAGE);
    let asks_position = query.position.is_some() || !query.pattern.is_empty();
    let mut listed = 0;
    let list = |game: Found| {
        listed += 1;
        if wish.json {
            line!("{}", json(&game));
        } else {
            line!("{}", row(&game, asks_position, language));
        }
        Ok(listed < wish.limit)
    };
    let hits = each(&library, query, list, said)?;
    if let Some(hits) = hits.filter(|_| !wish.json) {
        note!("{}", texts::say(language, "cli-library-hits", &[("games", &hits.to_string())]));
    }
    if listed == 0 { Err(texts::say(language, "cli-library-nothing", &[])) } else { Ok(()) }
}

fn json(game: &Found) -> serde_json::Value {
    serde_json::json!({
        "id": game.id, "game": game.game, "players": game.players, "ratings": game.ratings,
        "event": game.event, "date": game.day.text(), "result": game.result.map(Score::key),
        "plies": game.plies, "moves": moves_in(game, game.plies), "ply": game.ply,
    })
}

/// Returns the number of the move that a ply of the game belongs to.
fn moves_in(game: &Found, plies: u32) -> u32 {
    catalog::find(&game.game).map_or(plies, |entry| entry.moves_in(plies))
}

fn row(game: &Found, asks_position: bool, language: Language) -> String {
    let shown = |name: &str| if name.is_empty() { "?".to_owned() } else { texts::shown(name).into_owned() };
    let result = match game.result {
        Some(Score::Win(Side::First)) => "1-0",
        Some(Score::Win(Side::Second)) => "0-1",
        Some(Score::Draw) => "½-½",
        Some(Score::Void) => "void",
        None => "*",
    };
    let [first, second] = game.players.each_ref().map(|name| shown(name));
    let moves = [("count", &*moves_in(game, game.plies).to_string())];
    let mut length = texts::say(language, "library-moves", &moves);
    if asks_position {
        let at = [("count", &*moves_in(game, game.ply).to_string())];
        length += &texts::say(language, "cli-library-at", &at);
    }
    format!(
        "{:>8}  {:10}  {first} – {second}  {result}  {}  {}  {length}",
        game.id,
        game.day.text(),
        texts::shown(&game.event),
        texts::game(language, &game.game),
    )
}

fn explore(wish: &ExploreGames, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let library = open(&wish.data.folder, language)?;
    let moves: Vec<&str> = wish.moves.iter().map(String::as_str).collect();
    let (key, game) = position(&wish.game, &wish.options, wish.fen.as_deref(), &moves).map_err(said)?;
    let asked = ::library::ExplorerQuery {
        collections: collections(&library, &wish.collection).map_err(said)?,
        position: walk::position_key(walk::salt(key, ""), &*game),
        player: wish.player.clone(),
    };
    let explored = library.explore(&asked).map_err(said)?;
    if let Some(name) = ::library::openings::named(key, &*game) {
        note!("{}", texts::say(language, &name, &[]));
    }
    for played in &explored.moves {
        let rating = played.rating.map_or_else(String::new, |rating| rating.to_string());
        let [first, second] = played.wins;
        let value = played.value.map_or_else(String::new, |value| format!("  {value:+}"));
        line!(
            "{:12} {:>9}  +{first} ={} -{second}  {rating:>5}  {}{value}",
            played.text,
            played.games,
            played.draws,
            played.last.text()
        );
    }
    if explored.moves.is_empty() {
        return Err(texts::say(language, "cli-library-nothing", &[]));
    }
    Ok(())
}

fn export(wish: &ExportGames, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let library = open(&wish.wanted.data.folder, language)?;
    let query = query(&library, &wish.wanted).map_err(said)?;
    let file = wish.file.as_deref().map(|path| Fresh::create(path, wish.force.force));
    let mut file = file.transpose().map_err(said)?;
    let mut standard = BufWriter::new(stdout());
    let out: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => &mut standard,
    };
    let (mut written, mut left) = (0_u64, 0_u64);
    let open: &Opener = &opener;
    let write = |found: Found| {
        let bytes = library.record(found.id, open).and_then(|record| records::write(wish.to, &record));
        match bytes {
            Ok(bytes) => {
                if written == 1 && !wish.to.holds_many() {
                    return Err(texts::say(language, "cli-convert-one", &[("format", wish.to.key())]));
                }
                let between: &[u8] = if written > 0 { wish.to.between() } else { b"" };
                out.write_all(between).and_then(|()| out.write_all(&bytes)).map_err(|why| why.to_string())?;
                written += 1;
            }
            Err(problem) => {
                left += 1;
                let number = found.id.to_string();
                let why = said(problem);
                note!(
                    "{}",
                    texts::say(language, "cli-convert-game", &[("number", &number), ("problem", &why)])
                );
            }
        }
        Ok(true)
    };
    each(&library, query, write, said)?;
    out.flush().map_err(|why| why.to_string())?;
    if written > 0
        && let Some(file) = file
    {
        file.finish().map_err(said)?;
    }
    if left > 0 {
        let read = (left + written).to_string();
        return Err(texts::say(
            language,
            "cli-convert-failed",
            &[("failed", &left.to_string()), ("read", &read)],
        ));
    }
    if written == 0 { Err(texts::say(language, "cli-library-nothing", &[])) } else { Ok(()) }
}

fn info(library: &Library, name: Option<&str>, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    if let Some(name) = name {
        let found = library.collection(name).map_err(said)?;
        line!("{}", info_row(&found, language));
        for (file, number, begins, problem) in library.refused(found.id).map_err(said)? {
            line!("{file}\t{number}\t{begins}\t{problem}");
        }
        return Ok(());
    }
    for found in library.collections().map_err(said)? {
        line!("{}", info_row(&found, language));
    }
    let sizes = library.sizes().map_err(said)?;
    let each = |bytes: u64| format!("{:.1}", bytes as f64 / sizes.entries.max(1) as f64);
    let args = [
        ("entries", &*sizes.entries.to_string()),
        ("positions", &*(sizes.position_bytes >> 10).to_string()),
        ("patterns", &*(sizes.pattern_bytes >> 10).to_string()),
        ("file", &*(sizes.file_bytes >> 10).to_string()),
        ("each", &*each(sizes.position_bytes + sizes.pattern_bytes)),
        ("runs", &*sizes.runs.to_string()),
    ];
    line!("{}", texts::say(language, "cli-library-sizes", &args));
    Ok(())
}

fn info_row(found: &Collection, language: Language) -> String {
    let args = [("name", &*found.name), ("games", &*found.games.to_string()), ("access", found.access.key())];
    texts::say(language, "cli-library-collection", &args)
}
