//! The command `qiguan puzzles`: made from games, written to a file, solved here.

use std::io::{IsTerminal, Read, Write, stderr, stdin, stdout};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use catalog::maps::built_in;
use kernel::{AnyGame, Problem};
use library::Library;
use puzzles::find::Played;
use puzzles::make::{self, Progress, Source, Work};
use puzzles::selfplay::{self, Rules, mixed};
use puzzles::set::{self, Aim, Verdict};
use puzzles::{Effort, Puzzle, Shelf, puzzle::open};
use texts::{Language, say};
use tui::puzzles::Done;

use crate::args::{ExportPuzzles, MakePuzzles, Puzzles, SetPuzzle, SolvePuzzles};
use crate::extensions;
use crate::fresh::Fresh;
use crate::interrupt::Interrupt;
use crate::out::{self, line, note};

/// Bytes of a file that are read as puzzles.
const MOST_FILE: u64 = 16 << 20;
/// The number of games after which progress is reported.
const TOLD_EACH: u64 = 10;

pub fn run(wish: &Puzzles, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    match wish {
        Puzzles::Make(wish) => make(wish, language).map_err(said),
        Puzzles::Export(wish) => export(wish, language),
        Puzzles::Solve(wish) if wish.file.is_some() || wish.map.is_some() => solve_set(wish, language),
        Puzzles::Solve(wish) => solve(wish, language),
        Puzzles::Set(wish) => set(wish, language),
        Puzzles::Info { data } => {
            for tally in shelf(&data.folder).and_then(|shelf| shelf.tally()).map_err(said)? {
                line!("{} {}", tally.family, tally.count);
                for (theme, count) in &tally.themes {
                    line!("  {} {count}", texts::say(language, &format!("puzzle-theme-{theme}"), &[]));
                }
            }
            Ok(())
        }
    }
}

/// Opens the puzzles of a data folder; a folder without puzzles gets those of the starter.
fn shelf(folder: &Path) -> Result<Shelf, Problem> {
    let wrong = |why| Problem::new("puzzle-storage").with("detail", format!("{}: {why}", folder.display()));
    std::fs::create_dir_all(folder).map_err(wrong)?;
    Shelf::open(&folder.join(Shelf::FILE), now_ms())
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

fn make(wish: &MakePuzzles, language: Language) -> Result<(), Problem> {
    let shelf = shelf(&wish.data.folder)?;
    let effort = Effort { nodes: wish.nodes, most: wish.most, ..Effort::default() };
    let interrupt =
        Interrupt::watch(|| {}).map_err(|why| Problem::new("puzzle-storage").with("detail", why))?;
    let mut watch = |so: Progress| {
        if so.games > 0 && so.games.is_multiple_of(TOLD_EACH) && stderr().is_terminal() {
            let (games, puzzles) = (so.games.to_string(), so.puzzles.to_string());
            note!(
                "{}",
                texts::say(language, "cli-puzzles-so-far", &[("games", &games), ("puzzles", &puzzles)])
            );
        }
        !interrupt.is_raised()
            && wish.count.is_none_or(|count| so.puzzles < count)
            && wish.games.is_none_or(|games| so.games < games)
    };
    let done = match &wish.collection {
        Some(collection) => {
            let library = Library::open(&wish.data.folder.join(Library::FILE))?;
            let collection = library.collection(collection)?;
            let mut after = |mark: i64, most: usize| {
                let mark = u32::try_from(mark).unwrap_or(u32::MAX);
                let games = library.games_after(collection.id, mark, most)?;
                games.into_iter().map(|game| Ok((i64::from(game), of_library(&library, game)?))).collect()
            };
            let source = Source { name: format!("library {}", collection.id), after: &mut after };
            make::make(source, &shelf, &effort, wish.threads, &open, &mut watch)?
        }
        None => {
            let game = catalog::named(wish.game.as_deref().unwrap_or("xiangqi"))?;
            let map = game.needs_map().then(|| wish.map.clone().unwrap_or_else(|| "mountains".to_owned()));
            let rules =
                Rules { game: game.key.to_owned(), options: wish.options.iter().cloned().collect(), map };
            // Rules that cannot be opened are refused once, and not counted game by game.
            selfplay::start(&rules, &open)?;
            let name = format!("selfplay {} {} {}", game.key, rules.map.as_deref().unwrap_or("-"), wish.seed);
            let after = &mut make::by_ourselves(rules, wish.seed);
            make::make(Source { name, after }, &shelf, &effort, wish.threads, &open, &mut watch)?
        }
    };
    let [games, refused, puzzles] = [done.games, done.refused, done.puzzles].map(|n| n.to_string());
    let args = [("games", games.as_str()), ("refused", refused.as_str()), ("puzzles", puzzles.as_str())];
    line!("{}", texts::say(language, "cli-puzzles-made", &args));
    interrupt.exit_if_raised();
    Ok(())
}

fn of_library(library: &Library, game: u32) -> Result<Work, Problem> {
    let opener = |record: &records::Record| -> Result<Box<dyn AnyGame>, Problem> {
        library::walk::without_maps(record)
    };
    let record = library.record(game, &opener)?;
    Ok(Work::Played(Box::new(Played {
        moves: record.tree.main_line().map(|id| record.tree[id].text.clone()).collect(),
        game: record.game,
        options: record.options,
        map: None,
        fen: record.start,
        source: format!("library {game}"),
    })))
}

/// Returns the puzzles of a family, or all; `count` of them drawn by a seed, or all.
fn drawn(wish: &ExportPuzzles) -> Result<Vec<Puzzle>, Problem> {
    let mut all = Vec::new();
    shelf(&wish.data.folder)?.each(&mut |puzzle| {
        let fits = wish.family.as_deref().is_none_or(|family| family == puzzle.family());
        if fits && wish.theme.as_ref().is_none_or(|theme| puzzle.themes.contains(theme)) {
            all.push(puzzle);
        }
        Ok(())
    })?;
    if let Some(count) = wish.count {
        let number = |puzzle: &Puzzle| u64::from_str_radix(&puzzle.id, 16).unwrap_or(0);
        all.sort_by_key(|puzzle| mixed(number(puzzle) ^ mixed(wish.seed)));
        all.truncate(count);
    }
    Ok(all)
}

fn export(wish: &ExportPuzzles, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let file = wish.out.as_deref().map(|path| Fresh::create(path, wish.force.force));
    let mut file = file.transpose().map_err(said)?;
    let mut standard = stdout().lock();
    let out: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => &mut standard,
    };
    for puzzle in drawn(wish).map_err(said)? {
        let text = serde_json::to_string(&puzzle).map_err(|why| why.to_string())?;
        writeln!(out, "{text}").map_err(|why| why.to_string())?;
    }
    out.flush().map_err(|why| why.to_string())?;
    file.map_or(Ok(()), Fresh::finish).map_err(said)
}

fn solve(wish: &SolvePuzzles, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let family = match &wish.family {
        Some(name) => catalog::named(name).map_err(said)?.family.to_owned(),
        None => "xiangqi".to_owned(),
    };
    let shelf = shelf(&wish.data.folder).map_err(said)?;
    let (mut solved, mut tried, mut rating) = (0_u32, 0_u32, wish.rating);
    loop {
        let wanted = puzzles::PuzzleFilter {
            family: family.clone(),
            theme: wish.theme.clone().unwrap_or_default(),
            person: Some("here".to_owned()),
            mine: false,
            near: rating,
            chance: now_ms(),
            without: Vec::new(),
        };
        let next =
            if wish.daily { shelf.daily(&family, &[], now_ms()) } else { shelf.next(&wanted, now_ms()) };
        let puzzle = next.map_err(said)?.puzzle;
        let asked = tui::puzzles::ask(&puzzle, &open, language, &mut stdin().lock(), &mut stdout().lock());
        let done = asked.map_err(|why| why.to_string())?;
        if done == Done::Quit {
            break;
        }
        tried += 1;
        solved += u32::from(done == Done::Solved);
        let counted = shelf.answered("here", &puzzle.id, done == Done::Solved, now_ms()).map_err(said)?;
        if let Some(counted) = counted {
            let now = format!("{:.0}", counted.standing.rating);
            line!("{}", texts::say(language, "puzzle-rating-now", &[("rating", &now)]));
        }
        if wish.daily {
            break;
        }
        rating = None;
    }
    let [solved, tried] = [solved, tried].map(|n| n.to_string());
    line!("{}", texts::say(language, "puzzle-line-end", &[("solved", &solved), ("tried", &tried)]));
    Ok(())
}

/// Returns the name of puzzles' maps: the key of a built-in one, or the name of the file.
fn named(map: &Path) -> String {
    map.file_stem().unwrap_or(map.as_os_str()).to_string_lossy().into_owned()
}

fn set(wish: &SetPuzzle, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let game = extensions::rules_of(&wish.map, &wish.extensions.files)
        .and_then(|rules| rules.open(wish.fen.as_deref()));
    let game = game.map_err(said)?;
    let cell =
        |name: &String| game.board().cell_named(name).ok_or_else(|| said(Problem::new("puzzle-set-target")));
    let aim = Aim { within: wish.within, takes: wish.takes.as_ref().map(cell).transpose()? };
    let verdict = set::prove(game.as_ref(), aim, &|| true).map_err(said)?;
    if let Some(why) = verdict.refusal(aim) {
        return Err(said(why));
    }
    let Verdict::Proved { within, line, firsts } = verdict else { return Ok(()) };
    let told = line.iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    let [takes, firsts] = [u32::from(within), firsts].map(|n| n.to_string());
    let args = [("within", takes.as_str()), ("line", &told), ("firsts", &firsts)];
    note!("{}", say(language, "puzzle-set-proved", &args));
    let puzzle = set::puzzle(game.as_ref(), &named(&wish.map), aim, within, line, "set by hand".to_owned());
    let text = serde_json::to_string(&puzzle).map_err(|why| why.to_string())?;
    match &wish.out {
        None => {
            line!("{text}");
            Ok(())
        }
        Some(path) => {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            let written = file.and_then(|mut file| writeln!(file, "{text}"));
            written.map_err(out::at_path(path))
        }
    }
}

/// Puzzles of a file, or those that people set on a built-in map, one after the other.
fn solve_set(wish: &SolvePuzzles, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let foreign = wish.map.as_deref().filter(|map| built_in().all(|s| map.as_os_str() != s.key));
    let rules =
        foreign.map(|map| extensions::rules_of(map, &wish.extensions.files)).transpose().map_err(said)?;
    let open = |puzzle: &Puzzle, fen: Option<&str>| match (&rules, &puzzle.map) {
        (Some(rules), Some(_)) => rules.open(fen),
        // Built-in maps may need their extensions, too.
        (None, Some(map)) => extensions::rules_of(Path::new(map), &wish.extensions.files)?.open(fen),
        _ => puzzles::puzzle::open(puzzle, fen),
    };
    let all: Vec<Puzzle> = match &wish.file {
        Some(file) => read(file, &open).map_err(said)?,
        None => {
            let map = wish.map.as_deref().map(named).unwrap_or_default();
            let placed = shelf(&wish.data.folder).and_then(|shelf| shelf.placed_on(&[map]));
            placed.map_err(said)?.into_iter().map(|placed| placed.puzzle).collect()
        }
    };
    if all.is_empty() {
        return Err(said(Problem::new("no-puzzle")));
    }
    let (mut solved, mut tried) = (0_u32, 0_u32);
    for puzzle in &all {
        let asked = tui::puzzles::ask(puzzle, &open, language, &mut stdin().lock(), &mut stdout().lock());
        let done = asked.map_err(|why| why.to_string())?;
        if done == Done::Quit {
            break;
        }
        tried += 1;
        solved += u32::from(done == Done::Solved);
    }
    let [solved, tried] = [solved, tried].map(|n| n.to_string());
    line!("{}", say(language, "puzzle-line-end", &[("solved", &solved), ("tried", &tried)]));
    Ok(())
}

/// Returns the puzzles of a file, a line of JSON each.
fn read(file: &Path, open: &puzzles::Opener) -> Result<Vec<Puzzle>, Problem> {
    let wrong = |why| Problem::new("puzzle-storage").with("detail", format!("{}: {why}", file.display()));
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(wrong)?;
    opened.take(MOST_FILE).read_to_end(&mut bytes).map_err(wrong)?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| Puzzle::read(line, open)).collect()
}
