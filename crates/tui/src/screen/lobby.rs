//! A hall's open tables and games to watch; and what a hall gave to be known by.

use std::path::{Path, PathBuf};

use client::Guest;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::Position;
use ratatui::style::Style;
use wire::TableLine;

use super::{Settings, Start, Then, cut, write};
use crate::paint::Role;
use crate::said;
use crate::table::{PATIENCE, Visit, VisitError, Wanted};

/// The lobby of a hall.
pub(super) struct Lobby {
    base: String,
    runtime: tokio::runtime::Runtime,
    guest: Guest,
    /// The tables, and whether one may sit down there.
    tables: Vec<(TableLine, bool)>,
    at: usize,
    message: String,
}

/// What an address is: a table's link, or a hall.
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

/// What the hall at that address gave to be known by, on an earlier visit.
pub(super) fn secret(folder: &Path, base: &str) -> Option<String> {
    known(folder).remove(base.trim_end_matches('/'))
}

/// Keeps it for the next visit, readable by nobody else. A terminal that cannot keep it still plays.
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
    /// Comes into the hall at that address.
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
        let mut lobby = Lobby { base, runtime, guest, tables: Vec::new(), at: 0, message: String::new() };
        lobby.refresh()?;
        Ok(lobby)
    }

    fn refresh(&mut self) -> Result<(), VisitError> {
        let tables = self.runtime.block_on(patient(self.guest.tables()))?;
        let open = tables.open.into_iter().map(|line| (line, true));
        self.tables = open.chain(tables.live.into_iter().map(|line| (line, false))).collect();
        self.at = self.at.min(self.tables.len().saturating_sub(1));
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
        let count = self.tables.len().max(1);
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
            (KeyCode::Enter | KeyCode::Char(' '), _) => {
                if let Some((table, open)) = self.tables.get(self.at) {
                    let wanted = Wanted::Table(table.id.clone());
                    let visit = Visit { base: self.base.clone(), wanted, secret: None, watch: !open };
                    return Then::Visit(Box::new(visit));
                }
            }
            (KeyCode::Char('m') | KeyCode::Esc, false) => return Then::Menu,
            (KeyCode::Char('q'), false) | (KeyCode::Char('c'), true) => return Then::Quit,
            (KeyCode::Char('L'), false) => return Then::Language,
            (KeyCode::Char('t'), false) => return Then::Theme,
            _ => {}
        }
        Then::Stay
    }

    pub fn draw(&mut self, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let area = screen.area;
        let x = area.x + 2;
        write(screen, area, x, area.y + 1, &settings.say("hall", &[]), settings.style(Role::Title));
        write(screen, area, x + 10, area.y + 1, &self.base, settings.style(Role::Dim));
        let mut y = area.y + 3;
        for (title, empty, wanted) in
            [("open-tables", "open-none", true), ("watch-tables", "watch-none", false)]
        {
            write(screen, area, x, y, &settings.say(title, &[]), settings.style(Role::Active));
            y += 1;
            let lines: Vec<(usize, &TableLine)> = self
                .tables
                .iter()
                .enumerate()
                .filter(|(_, t)| t.1 == wanted)
                .map(|(i, t)| (i, &t.0))
                .collect();
            if lines.is_empty() {
                write(screen, area, x + 2, y, &settings.say(empty, &[]), settings.style(Role::Dim));
                y += 1;
            }
            for (i, line) in lines {
                let style = if i == self.at { settings.style(Role::Cursor) } else { Style::new() };
                let name = |seat: usize| {
                    let player = line.seats[seat].as_ref();
                    let guest = || settings.say("guest", &[]);
                    player.map_or_else(
                        || settings.say("seat-free", &[]),
                        |p| p.name.clone().unwrap_or_else(guest),
                    )
                };
                let room = line.room.clone().unwrap_or_default();
                let game = texts::game(settings.language, &line.game);
                let text = format!("{game}   {} - {}   {room}", name(0), name(1));
                let text = cut(&text, area.width.saturating_sub(6).into(), settings.paint.is_ascii());
                write(screen, area, x + 2, y, &text, style);
                y += 1;
            }
            y += 1;
        }
        write(screen, area, x, area.bottom().saturating_sub(2), &self.message, settings.style(Role::Bad));
        write(
            screen,
            area,
            x,
            area.bottom() - 1,
            &settings.say("tui-hints-lobby", &[]),
            settings.style(Role::Foot),
        );
        None
    }
}

/// An answer of a hall, which is not waited for without end.
async fn patient<T>(asked: impl Future<Output = Result<T, client::Error>>) -> Result<T, client::Error> {
    let late = |_| client::Error::Lost("silence".to_owned());
    tokio::time::timeout(PATIENCE, asked).await.map_err(late)?
}
