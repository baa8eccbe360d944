//! A hall's open tables, games to watch and slow games that wait; and the secrets that halls have given to this user.

use std::path::{Path, PathBuf};

use client::Guest;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::Position;
use ratatui::style::Style;
use wire::{CreateTable, How, Inbox, Opponent, TableLine, Tables};

use super::menu::CLOCKS;
use super::menu::draw::clock_name;
use super::{Settings, Start, Then, cut, write};
use crate::paint::Role;
use crate::said;
use crate::table::{PATIENCE, Visit, VisitError, Wanted};

/// The lobby of a hall.
pub(super) struct Lobby {
    base: String,
    runtime: tokio::runtime::Runtime,
    guest: Guest,
    tables: Vec<(TableLine, Shown)>,
    /// The selected line: a table, or the game or clock of a new table.
    at: usize,
    /// Index of the game for a new table.
    game: usize,
    clock: usize,
    message: String,
}

/// Why a table is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// A slow game that waits for a move of this user.
    Waits,
    /// A seat is free.
    Open,
    /// It may be watched.
    Live,
}

/// Lines below the tables.
const OWN: usize = 2;
/// Clocks of a new table besides those of a game at one keyboard.
const SLOW: [&str; 3] = ["1d/move", "3d/move", "7d/move"];

/// All that is listed, in order.
fn listed(tables: Tables, inbox: Option<Inbox>) -> Vec<(TableLine, Shown)> {
    let waits = inbox.into_iter().flat_map(|inbox| inbox.games).filter(|game| game.mine);
    let waits = waits.map(|game| (game.line, Shown::Waits));
    let open = tables.open.into_iter().map(|line| (line, Shown::Open));
    waits.chain(open).chain(tables.live.into_iter().map(|line| (line, Shown::Live))).collect()
}

fn clocks() -> impl Iterator<Item = &'static str> {
    CLOCKS.into_iter().chain(SLOW)
}

/// Games that a table can be opened for without further input.
fn games() -> Vec<&'static catalog::Entry> {
    catalog::ENTRIES.iter().filter(|entry| !entry.needs_map()).collect()
}

/// Whether an address is a table's link or a hall's.
pub fn start(address: &str) -> Start {
    let address = address.trim().trim_end_matches('/');
    match address.split_once("/t/") {
        Some((base, id)) => {
            let wanted = Wanted::Table(id.to_owned());
            Start::Hall(Box::new(Visit { base: base.to_owned(), wanted, secret: None, watch: false }))
        }
        None => Start::Lobby(address.to_owned()),
    }
}

/// The file where the secrets of halls are kept.
fn file(folder: &Path) -> PathBuf {
    folder.join("halls.json")
}

fn known(folder: &Path) -> std::collections::BTreeMap<String, String> {
    let text = std::fs::read_to_string(file(folder)).unwrap_or_default();
    records_of(&text)
}

/// Lines of `address secret`.
fn records_of(text: &str) -> std::collections::BTreeMap<String, String> {
    let line =
        |line: &str| line.split_once(' ').map(|(base, secret)| (base.to_owned(), secret.trim().to_owned()));
    text.lines().take(1000).filter_map(line).collect()
}

/// The secret this user was given by the hall at that address on an earlier visit.
pub(super) fn secret(folder: &Path, base: &str) -> Option<String> {
    known(folder).remove(base.trim_end_matches('/'))
}

/// Keeps the secret for the next visit, readable by nobody else. A terminal that cannot keep it still plays.
pub(super) fn remember(folder: &Path, base: &str, secret: &str) {
    let base = base.trim_end_matches('/');
    let mut all = known(folder);
    if all.get(base).is_some_and(|kept| kept == secret) {
        return;
    }
    all.insert(base.to_owned(), secret.to_owned());
    let text: String = all.iter().map(|(base, secret)| format!("{base} {secret}\n")).collect();
    let _ = std::fs::create_dir_all(folder).and_then(|()| write_private(&file(folder), &text));
}

#[cfg(unix)]
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).open(path)?.write_all(text.as_bytes())
}

#[cfg(not(unix))]
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    std::fs::write(path, text)
}

impl Lobby {
    /// Connects to the hall at that address.
    pub fn enter(base: &str, folder: &Path) -> Result<Lobby, VisitError> {
        let base = base.trim_end_matches('/').to_owned();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| client::Error::Lost(e.to_string()))?;
        let kept = secret(folder, &base);
        let enter = async {
            let known = match &kept {
                Some(secret) => Guest::known(&base, secret).await.ok(),
                None => None,
            };
            match known {
                Some(guest) => Ok(guest),
                None => Guest::enter(&base).await,
            }
        };
        let guest = runtime.block_on(patient(enter))?;
        remember(folder, &base, guest.secret());
        let message = String::new();
        let mut lobby = Lobby { base, runtime, guest, tables: Vec::new(), at: 0, game: 0, clock: 1, message };
        lobby.refresh()?;
        Ok(lobby)
    }

    fn refresh(&mut self) -> Result<(), VisitError> {
        let tables = self.runtime.block_on(patient(self.guest.tables()))?;
        // A hall from before slow games has no inbox.
        let inbox = self.runtime.block_on(patient(self.guest.get("/api/inbox")));
        let inbox = inbox.ok().and_then(|told| serde_json::from_value(told).ok());
        self.tables = listed(tables, inbox);
        self.at = self.at.min(self.tables.len());
        Ok(())
    }

    pub fn say(&mut self, text: String) {
        self.message = text;
    }

    pub fn handle(&mut self, event: &term::Event, settings: &Settings) -> Then {
        let term::Event::Key(key) = event else { return Then::Stay };
        if key.kind == KeyEventKind::Release {
            return Then::Stay;
        }
        self.message.clear();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let count = self.tables.len() + OWN;
        match (key.code, control) {
            (KeyCode::Down | KeyCode::Char('j'), false) | (KeyCode::Char('n'), true) => {
                self.at = (self.at + 1) % count
            }
            (KeyCode::Up | KeyCode::Char('k'), false) | (KeyCode::Char('p'), true) => {
                self.at = (self.at + count - 1) % count;
            }
            (KeyCode::Char('g'), false) => {
                if let Err(VisitError(problem)) = self.refresh() {
                    self.message = said::refusal(settings.language, &problem);
                }
            }
            (KeyCode::Right | KeyCode::Char('l'), false) | (KeyCode::Char('f'), true) => self.change(1),
            (KeyCode::Left | KeyCode::Char('h'), false) | (KeyCode::Char('b'), true) => self.change(-1),
            (KeyCode::Enter | KeyCode::Char(' '), _) => return self.choose(),
            (KeyCode::Char('m') | KeyCode::Esc, false) => return Then::Menu,
            (KeyCode::Char('q'), false) | (KeyCode::Char('c'), true) => return Then::Quit,
            (KeyCode::Char('L'), false) => return Then::Language,
            (KeyCode::Char('t'), false) => return Then::Theme,
            _ => {}
        }
        Then::Stay
    }

    /// Changes the game or clock of a new table.
    fn change(&mut self, by: isize) {
        let turned = |at: usize, of: usize| (at as isize + by).rem_euclid(of as isize) as usize;
        match self.at.checked_sub(self.tables.len()) {
            Some(0) => self.game = turned(self.game, games().len()),
            Some(_) => self.clock = turned(self.clock, clocks().count()),
            None => {}
        }
    }

    /// Goes to the selected table, or opens a new one.
    fn choose(&self) -> Then {
        let (wanted, watch) = match self.tables.get(self.at) {
            Some((table, Shown::Waits)) => (Wanted::Table(table.id.clone()), false),
            Some((table, Shown::Open)) => (Wanted::Seat(table.id.clone()), false),
            Some((table, Shown::Live)) => (Wanted::Table(table.id.clone()), true),
            None => (
                Wanted::Open(
                    Box::new(CreateTable {
                        game: games()[self.game].key.to_owned(),
                        options: Default::default(),
                        map: None,
                        fen: None,
                        how: How::Open,
                        room: None,
                        clock: self.spec(),
                        side: None,
                        opponent: None,
                        rated: false,
                    }),
                    None,
                ),
                false,
            ),
        };
        Then::Visit(Box::new(Visit { base: self.base.clone(), wanted, secret: None, watch }))
    }

    fn spec(&self) -> wire::ClockSpec {
        clocks()
            .nth(self.clock)
            .and_then(|text| crate::clock::parse(text).ok())
            .unwrap_or(wire::ClockSpec::None)
    }

    pub fn draw(&mut self, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let area = screen.area;
        let (x, columns) = (area.x + 2, usize::from(area.width.saturating_sub(4)));
        let ascii = settings.paint.is_ascii();
        let end = write(screen, area, x, area.y + 1, &settings.say("hall", &[]), settings.style(Role::Title));
        write(screen, area, end + 2, area.y + 1, &self.base, settings.style(Role::Dim));
        let (lines, here) = self.lines(settings);
        // A list longer than the screen is scrolled to the selected line.
        let high = usize::from(area.height.saturating_sub(6)).max(1);
        let first =
            (here + 1).saturating_sub(high.saturating_sub(1).max(1)).min(lines.len().saturating_sub(high));
        for (i, (text, style)) in (0..).zip(lines.iter().skip(first).take(high)) {
            write(screen, area, x, area.y + 3 + i, &cut(text, columns, ascii), *style);
        }
        let y = area.bottom().saturating_sub(2);
        write(screen, area, x, y, &cut(&self.message, columns, ascii), settings.style(Role::Bad));
        let hints = cut(&settings.say("tui-hints-lobby", &[]), columns, ascii);
        write(screen, area, x, area.bottom().saturating_sub(1), &hints, settings.style(Role::Foot));
        None
    }

    /// All lines, and which one is selected.
    fn lines(&self, settings: &Settings) -> (Vec<(String, Style)>, usize) {
        let (title, dim) = (settings.style(Role::Active), settings.style(Role::Dim));
        let mut lines: Vec<(String, Style)> = Vec::new();
        let mut here = 0;
        let line = |text: String, at: usize, lines: &mut Vec<(String, Style)>, here: &mut usize| {
            let chosen = at == self.at;
            if chosen {
                *here = lines.len();
            }
            let mark = if chosen { settings.sign("▸", ">") } else { " " };
            let style = if chosen { settings.style(Role::Cursor) } else { Style::new() };
            lines.push((format!("{mark} {text} "), style));
        };
        let sections = [
            ("inbox-mine", None, Shown::Waits),
            ("open-tables", Some("open-none"), Shown::Open),
            ("watch-tables", Some("watch-none"), Shown::Live),
        ];
        for (name, empty, wanted) in sections {
            let is_empty = !self.tables.iter().any(|(_, shown)| *shown == wanted);
            match (is_empty, empty) {
                (true, None) => continue,
                (true, Some(empty)) => {
                    lines.push((settings.say(name, &[]), title));
                    lines.push((format!("  {}", settings.say(empty, &[])), dim));
                }
                (false, _) => lines.push((settings.say(name, &[]), title)),
            }
            for (at, (table, _)) in self.tables.iter().enumerate().filter(|(_, (_, shown))| *shown == wanted)
            {
                line(told(table, settings), at, &mut lines, &mut here);
            }
            lines.push((String::new(), dim));
        }
        lines.push((settings.say("tui-own-table", &[]), title));
        let game = texts::game(settings.language, games()[self.game].key);
        let clock = format!("{}: {}", settings.say("clock", &[]), clock_name(self.spec(), settings));
        line(game, self.tables.len(), &mut lines, &mut here);
        line(clock, self.tables.len() + 1, &mut lines, &mut here);
        (lines, here)
    }
}

/// A table in a line: its game, who sits there, its room.
fn told(table: &TableLine, settings: &Settings) -> String {
    let name = |seat: usize| match table.seats[seat].as_ref() {
        Some(player) => match &player.engine {
            Some(Opponent::Level(level)) => settings.say("tui-level-name", &[("level", &level.to_string())]),
            Some(Opponent::Engine(name)) => name.clone(),
            None => player.name.clone().unwrap_or_else(|| settings.say("guest", &[])),
        },
        None => settings.say("seat-free", &[]),
    };
    let game = texts::game(settings.language, &table.game);
    let room = table
        .room
        .as_ref()
        .map_or_else(String::new, |room| format!("   {}", settings.say("tui-room", &[("room", room)])));
    format!("{game}   {} - {}{room}", name(0), name(1))
}

/// An answer of a hall, with a limit on the wait.
async fn patient<T>(asked: impl Future<Output = Result<T, client::Error>>) -> Result<T, client::Error> {
    let late = |_| client::Error::Lost("silence".to_owned());
    tokio::time::timeout(PATIENCE, asked).await.map_err(late)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_games_that_wait_come_first_and_every_clock_can_be_read() {
        let line = |id: &str| {
            serde_json::json!({
                "id": id, "game": "xiangqi", "options": {}, "how": "open", "room": null, "clock": { "kind": "none" },
                "seats": [null, null], "plies": 0, "created_ms": 1,
            })
        };
        let entry = catalog::find("xiangqi").expect("is there");
        let options = entry.settle(&Default::default(), catalog::Setting::Online).expect("the usual");
        let board = entry.open(None, &options, None).expect("opens");
        let (view, board) = (wire::View::from(board.view()), wire::Board::from(board.board()));
        let game = |id: &str, mine: bool| {
            serde_json::json!({
                "line": line(id), "side": "first", "mine": mine, "left_ms": 5, "held": false, "board": board, "view": view,
            })
        };
        let tables = serde_json::json!({ "open": [line("open")], "live": [line("live")] });
        let inbox = serde_json::json!({
            "games": [game("mine", true), game("theirs", false)], "waiting": 1, "vacation": { "away": false, "left_ms": 0 },
        });
        let tables: Tables = serde_json::from_value(tables).expect("a lobby");
        let found = listed(tables.clone(), Some(serde_json::from_value(inbox).expect("an inbox")));
        let found: Vec<_> = found.iter().map(|(line, shown)| (line.id.as_str(), *shown)).collect();
        assert_eq!(found, [("mine", Shown::Waits), ("open", Shown::Open), ("live", Shown::Live)]);
        assert_eq!(listed(tables, None).len(), 2, "a hall without an inbox");
        assert!(clocks().all(|clock| crate::clock::parse(clock).is_ok()));
    }
}
