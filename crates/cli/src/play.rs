//! The command `qiguan play`: the hall in a terminal.

use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;
use std::sync::Arc;

use catalog::maps::Loader;
use catalog::{Options, Setting};
use kernel::{AnyGame, Problem, Side};
use texts::Language;
use tui::opponent::{OwnEngines, Players};
use tui::{Depth, Destination, Failure, Opening, Paint, Settings, Start, Theme, Visit};

use crate::args::{Play, PlaySide};
use crate::extensions;
use crate::out::note;
use sandbox::Console;

/// The family the classic console is for.
const CONSOLE: &str = "gomoku";
/// The game of a room or an invitation when none is named.
const USUAL: &str = "xiangqi";

pub fn run(wish: &Play, language: Language) -> Result<(), String> {
    let language = wish.lang.as_deref().map_or(language, Language::preferred);
    let said = |p: Problem| texts::problem(language, &p);
    if wish.seed_console {
        return console(wish, language);
    }
    // A terminal without cursor movement gets lines.
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let screen = stdin().is_terminal() && stdout().is_terminal() && !wish.plain && !dumb;
    let console = wish.debug.then(|| match screen {
        true => Console::default(),
        false => Console::echoing(|line| note!("{line}")),
    });
    let loader =
        console.as_ref().map_or_else(extensions::loader, |console| Some(extensions::telling(console)));
    if !screen && !wish.plain && wish.hall.is_none() && wish.load.is_none() && wish.level.is_none() {
        return lines(wish, loader.as_deref(), language);
    }
    let mut settings = settings(wish, language);
    let start = start(wish, loader.as_deref(), language);
    settings.loader = loader;
    settings.trust = wish.ca.as_deref().map(client::Trust::of_file).transpose().map_err(said)?;
    if let Some(console) = console.clone().filter(|_| screen) {
        settings.author = Some(Arc::new(move |most| console.last(most)));
    }
    let done = match start {
        Ok(start) if screen => tui::run(settings, start),
        Ok(start) => tui::plain::run_here(settings, start),
        Err(why) => {
            left(console.as_ref().filter(|_| screen));
            return Err(why);
        }
    };
    left(console.as_ref().filter(|_| screen));
    done.map_err(|failure| match failure {
        Failure::Refused(refusal) => tui::refusal(language, &refusal),
        Failure::Terminal(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            crate::out::written(Err(error));
            String::new()
        }
        Failure::Terminal(error) => said(Problem::new("terminal").with("reason", error)),
    })
}

/// Prints the messages of extensions that were held back while a screen was in the way.
fn left(console: Option<&Console>) {
    console.iter().flat_map(|console| console.last(usize::MAX)).for_each(|line| note!("{line}"));
}

fn settings(wish: &Play, language: Language) -> Settings {
    let variable = |name: &str| std::env::var(name).ok();
    let depth = Depth::of_environment(variable);
    let utf8 =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| variable(name).filter(|v| !v.is_empty()));
    let utf8 = utf8.is_some_and(|v| v.to_ascii_lowercase().replace('-', "").contains("utf8"));
    let theme = wish.theme.unwrap_or(if utf8 { Theme::Wide } else { Theme::Ascii });
    let paint = Paint { theme, depth, directions: true, targets: true };
    let loader = None;
    let folder = match &wish.guest {
        Some(name) => tui::folder().join("guests").join(name),
        None => tui::folder(),
    };
    Settings { language, paint, players: Arc::new(OwnEngines), loader, author: None, folder, trust: None }
}

fn start(wish: &Play, loader: Option<&dyn Loader>, language: Language) -> Result<Start, String> {
    if let Some(file) = &wish.load {
        return Ok(Start::Record(file.clone()));
    }
    if let Some(hall) = &wish.hall {
        return visit(wish, hall, loader, language);
    }
    let Some(game) = &wish.game else { return Ok(Start::Menu) };
    let opening = opening(wish, game, loader, language)?;
    let levels = match wish.side {
        Some(PlaySide::Second) => [wish.level, None],
        _ => [None, wish.level],
    };
    Ok(Start::Game(Box::new(opening), levels))
}

fn opening(
    wish: &Play,
    game: &str,
    loader: Option<&dyn Loader>,
    language: Language,
) -> Result<Opening, String> {
    let said = |p: Problem| texts::problem(language, &p);
    let options: Options = wish.options.iter().cloned().collect();
    let opening = match map(wish, game, language)? {
        Some(map) => {
            extensions::warn(map, &wish.map.extensions.files, language);
            let all = |problems: Vec<Problem>| problems.into_iter().map(said).collect::<Vec<_>>().join("\n");
            Opening::of_map(map, &wish.map.extensions.files, &options, loader).map_err(all)?
        }
        None => Opening::of(game, &options).map_err(said)?,
    };
    Ok(opening.from(wish.fen.clone(), tui::clock(&wish.clock).map_err(said)?))
}

/// Returns the map to play: `game` itself may name its file.
fn map<'a>(wish: &'a Play, game: &'a str, language: Language) -> Result<Option<&'a Path>, String> {
    let itself = Path::new(game);
    if itself.extension().is_some_and(|e| e.eq_ignore_ascii_case("xlsx")) {
        return Ok(Some(itself));
    }
    let said = |p: Problem| texts::problem(language, &p);
    match (&wish.map.map, tui::entry(game).map_err(said)?) {
        (Some(_), entry) if !entry.needs_map() => {
            Err(said(Problem::new("map-not-needed").with("game", entry.key)))
        }
        (map, _) => Ok(map.as_deref()),
    }
}

/// Opens a table of a hall: by link, by room, a new one, or one chosen in the lobby.
fn visit(wish: &Play, hall: &str, loader: Option<&dyn Loader>, language: Language) -> Result<Start, String> {
    let base = hall.trim_end_matches('/').to_owned();
    let wanted = match (&wish.game, &wish.room) {
        (None, Some(room)) => Destination::Room(room.clone()),
        (None, None) => {
            return Ok(match tui::address(hall) {
                Start::Hall(visit) => Start::Hall(Box::new(Visit { watch: wish.watch, ..*visit })),
                other => other,
            });
        }
        (game, room) => {
            // What is wrong with a game or a map is told here, in words, before anything is sent.
            let opening = opening(wish, game.as_deref().unwrap_or(USUAL), loader, language)?;
            let table = wire::CreateTable {
                game: opening.key.clone(),
                options: wish.options.iter().cloned().collect(),
                map: None,
                fen: wish.fen.clone(),
                how: if room.is_some() { wire::How::Room } else { wire::How::Invite },
                room: room.clone(),
                clock: opening.clock,
                side: wish.side.map(|side| match side {
                    PlaySide::First => wire::Side::First,
                    PlaySide::Second => wire::Side::Second,
                }),
                opponent: wish.level.map(wire::Opponent::Level),
                rated: false,
            };
            Destination::Open(Box::new(table), opening.files())
        }
    };
    Ok(Start::Hall(Box::new(Visit { base, wanted, watch: wish.watch })))
}

fn console(wish: &Play, language: Language) -> Result<(), String> {
    let said = |p: Problem| texts::problem(language, &p);
    let entry = tui::entry(wish.game.as_deref().unwrap_or(CONSOLE)).map_err(said)?;
    if entry.family != CONSOLE {
        return Err(texts::say(language, "cli-console-is-gomoku", &[("game", entry.key)]));
    }
    let alone = [
        ("--hall", wish.hall.is_some()),
        ("--clock", wish.clock != "none"),
        ("--plain", wish.plain),
        ("--theme", wish.theme.is_some()),
        ("--debug", wish.debug),
    ];
    if let Some((option, _)) = alone.into_iter().find(|(_, set)| *set) {
        return Err(texts::say(language, "cli-console-alone", &[("option", option)]));
    }
    let mut game = match &wish.load {
        Some(file) => loaded(file, language)?,
        None => {
            let options = wish.options.iter().cloned().collect();
            let options = entry.settle(&options, Setting::Faithful).map_err(said)?;
            let fen =
                wish.fen.as_deref().map(|text| records::pasted(entry.key, text)).transpose().map_err(said)?;
            entry.open(None, &options, fen.flatten().as_deref()).map_err(said)?
        }
    };
    let mut player = wish.level.and_then(|level| OwnEngines.player(level));
    let mut think =
        |game: &dyn AnyGame| player.as_mut()?.think(game, None, engine::Stop::default(), &mut |_| {});
    let side = if wish.side == Some(PlaySide::Second) { Side::First } else { Side::Second };
    let think: &mut dyn FnMut(&dyn AnyGame) -> Option<String> = &mut think;
    let computer = wish.level.is_some().then_some((side, think));
    tui::console::play(&mut *game, computer, stdin().lock(), stdout().lock()).map_or_else(ended, Ok)
}

/// Returns the game of a file where it ends, for the console.
fn loaded(file: &Path, language: Language) -> Result<Box<dyn AnyGame>, String> {
    let said = |p: Problem| texts::problem(language, &p);
    let record = tui::load(file).map_err(said)?;
    let entry = catalog::find(&record.game).map_err(said)?;
    if entry.family != CONSOLE {
        return Err(texts::say(language, "cli-console-is-gomoku", &[("game", entry.key)]));
    }
    let options = entry.settle(&record.options, Setting::Faithful).map_err(said)?;
    let start = entry.open(None, &options, record.start.as_deref()).map_err(said)?;
    record.replay(start).map_err(said)
}

/// Shows the board in letters after each line, for pipes.
fn lines(wish: &Play, loader: Option<&dyn Loader>, language: Language) -> Result<(), String> {
    let said = |p: Problem| texts::problem(language, &p);
    let opening = opening(wish, wish.game.as_deref().unwrap_or(USUAL), loader, language)?;
    let entry = tui::entry(&opening.key).map_err(said)?;
    let game = opening.open().map_err(said)?;
    tui::lines::play(entry, &*game, language, stdin().lock(), stdout().lock()).map_or_else(ended, Ok)
}

/// Ends the program after a failed write to standard output: without a message when its reader is gone.
fn ended(why: std::io::Error) -> Result<(), String> {
    crate::out::written(Err(why));
    Ok(())
}
