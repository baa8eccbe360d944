//! A hall's lobby: challenges and games that wait for this user, tables to join or watch, seeking a game, and signing
//! in.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;
use wire::ClockSpec;

use super::typed::{Input, Typed, Use};
use super::{Settings, Start, Then, cut, wrapped, write};
use crate::hall::{Hall, LobbyRow, Terms, Waited, clocks, games};
use crate::paint::Role;
use crate::said;
use crate::table::{Destination, Visit, VisitError};

/// The interval of the requests for the lists, in milliseconds.
const REFRESH_MS: u64 = 10_000;
/// The polling interval of a sign-in, in milliseconds.
const CODE_MS: u64 = 2000;
/// The polling interval of the pool, in milliseconds; the hall drops an entry that has not asked for five seconds.
const POOL_MS: u64 = 1000;

/// The interval of the checks for an answer of a background request, in milliseconds.
const LOOK_MS: u64 = 50;

/// The lobby of a hall.
pub(super) struct Lobby {
    hall: Hall,
    /// The index of the selected line: of a listed one or, behind those, of an [`Own`] one.
    at: usize,
    /// The index of the game for a new table.
    game: usize,
    clock: usize,
    rated: bool,
    /// The name of the player to challenge, while it is typed.
    typed: Option<Typed>,
    /// True after `s` was pressed once to sign out.
    leaves: bool,
    message: String,
    /// The time of the next request to the hall, in milliseconds.
    next_ms: u64,
}

/// The lines with the terms and actions of a new game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Own {
    Game,
    Clock,
    Rated,
    PlayNow,
    Challenge,
}

/// Returns the start screen for an address: a table, if it is a table's link, or else a hall's lobby.
pub fn start(address: &str) -> Start {
    let address = address.trim().trim_end_matches('/');
    match address.split_once("/t/") {
        Some((base, id)) => {
            let wanted = Destination::Table(id.to_owned());
            Start::Hall(Box::new(Visit { base: base.to_owned(), wanted, watch: false }))
        }
        None => Start::Lobby(address.to_owned()),
    }
}

impl Lobby {
    /// Connects to the hall at that address.
    pub fn enter(base: &str, settings: &Settings, now_ms: u64) -> Result<Lobby, VisitError> {
        let (hall, has_ended) = Hall::enter(base, &settings.home())?;
        let message =
            if has_ended { settings.say("problem-signed-out-elsewhere", &[]) } else { String::new() };
        Ok(Lobby {
            hall,
            at: 0,
            game: 0,
            clock: 1,
            rated: false,
            typed: None,
            leaves: false,
            message,
            next_ms: now_ms + REFRESH_MS,
        })
    }

    pub fn say(&mut self, text: String) {
        self.message = text;
    }

    /// Returns the lines of a new game. For guests there are no rated games and no challenges by name.
    fn own(&self) -> &'static [Own] {
        match self.hall.is_account() {
            true => &[Own::Game, Own::Clock, Own::Rated, Own::PlayNow, Own::Challenge],
            false => &[Own::Game, Own::Clock, Own::PlayNow],
        }
    }

    fn selected(&self) -> Result<&LobbyRow, Own> {
        let lines = self.hall.lines();
        lines.get(self.at).ok_or_else(|| self.own()[(self.at - lines.len()).min(self.own().len() - 1)])
    }

    /// Runs a request to the hall, after which the list may differ; the same line stays selected.
    fn ask<T>(
        &mut self,
        settings: &Settings,
        ask: impl FnOnce(&mut Hall) -> Result<T, VisitError>,
    ) -> Option<T> {
        let selected = self.selected().map(|line| line.id().to_owned());
        let asked = ask(&mut self.hall);
        let lines = self.hall.lines();
        let place = |own| lines.len() + self.own().iter().position(|other| *other == own).unwrap_or(0);
        self.at = match selected {
            Ok(id) => lines.iter().position(|line| line.id() == id).unwrap_or(self.at.min(place(Own::Game))),
            Err(own) => place(own),
        };
        asked.map_err(|VisitError(problem)| self.message = said::refusal(settings.language, &problem)).ok()
    }

    /// Returns the milliseconds until the next request to the hall.
    pub fn quiet_ms(&self, now_ms: u64) -> u64 {
        self.next_ms.saturating_sub(now_ms)
    }

    /// Sends a background request to the hall when it is due, and handles an answer. It never waits for the hall.
    pub fn tick(&mut self, settings: &Settings, now_ms: u64) -> Then {
        if now_ms < self.next_ms {
            return Then::Stay;
        }
        let then = if self.hall.waits() {
            match self.ask(settings, Hall::look_for) {
                Some(Waited::SignedIn) => {
                    self.message = settings.say("tui-signed-in", &[]);
                    Then::Stay
                }
                Some(Waited::Table(id)) => self.go(Destination::Table(id), false),
                Some(Waited::Still) | None => Then::Stay,
            }
        } else {
            self.ask(settings, Hall::look);
            Then::Stay
        };
        self.schedule(now_ms);
        if self.hall.is_asking() {
            self.next_ms = now_ms + LOOK_MS;
        }
        then
    }

    fn schedule(&mut self, now_ms: u64) {
        let wait = match (self.hall.pool(), self.hall.code()) {
            (Some(_), _) => POOL_MS,
            (None, Some(_)) => CODE_MS,
            (None, None) => REFRESH_MS,
        };
        self.next_ms = now_ms + wait;
    }

    pub fn handle(&mut self, event: &term::Event, settings: &Settings, now_ms: u64) -> Then {
        let then = match event {
            term::Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, settings),
            term::Event::Paste(text) => {
                if let Some(typed) = &mut self.typed {
                    typed.insert(text);
                }
                Then::Stay
            }
            _ => return Then::Stay,
        };
        self.schedule(now_ms);
        then
    }

    fn key(&mut self, key: term::KeyEvent, settings: &Settings) -> Then {
        self.message.clear();
        if self.typed.is_some() {
            return self.type_key(key, settings);
        }
        let leaves = std::mem::take(&mut self.leaves);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let count = self.hall.lines().len() + self.own().len();
        match (key.code, control) {
            (KeyCode::Esc, _) if self.hall.waits() => {
                if let Some(id) = self.hall.give_up() {
                    return self.go(Destination::Table(id), false);
                }
            }
            (KeyCode::Down | KeyCode::Char('j'), false) | (KeyCode::Char('n'), true) => {
                self.at = (self.at + 1) % count;
            }
            (KeyCode::Up | KeyCode::Char('k'), false) | (KeyCode::Char('p'), true) => {
                self.at = (self.at + count - 1) % count;
            }
            (KeyCode::Char('g'), false) => {
                self.ask(settings, Hall::look);
            }
            (KeyCode::Char('s'), false) if !self.hall.is_account() => {
                self.hall.give_up();
                self.ask(settings, Hall::sign_in);
            }
            (KeyCode::Char('s'), false) if leaves => self.sign_out(settings),
            (KeyCode::Char('s'), false) => {
                self.leaves = true;
                self.message = settings.say("tui-sign-out-sure", &[]);
            }
            (KeyCode::Char('d'), false) => {
                if let Ok(line) = self.selected().cloned()
                    && self.ask(settings, |hall| hall.decline(&line)) == Some(false)
                {
                    self.message = settings.say("tui-nothing-to-decline", &[]);
                }
            }
            (KeyCode::Right | KeyCode::Char('l'), false) | (KeyCode::Char('f'), true) => self.change(1),
            (KeyCode::Left | KeyCode::Char('h'), false) | (KeyCode::Char('b'), true) => self.change(-1),
            (KeyCode::Enter | KeyCode::Char(' '), _) => return self.choose(settings),
            (KeyCode::Char('m') | KeyCode::Esc, false) => {
                self.hall.give_up();
                return Then::Menu;
            }
            (KeyCode::Char('q'), false) | (KeyCode::Char('c'), true) => {
                self.hall.give_up();
                return Then::Quit;
            }
            (KeyCode::Char('L'), false) => return Then::Language,
            (KeyCode::Char('t'), false) => return Then::Theme,
            _ => {}
        }
        Then::Stay
    }

    fn sign_out(&mut self, settings: &Settings) {
        if self.ask(settings, Hall::sign_out).is_some() {
            self.rated = false;
            self.message = settings.say("tui-signed-out", &[]);
        }
    }

    fn type_key(&mut self, key: term::KeyEvent, settings: &Settings) -> Then {
        let Some(typed) = &mut self.typed else { return Then::Stay };
        match typed.key(key) {
            Input::Typing | Input::Complete => {}
            Input::Cancelled => self.typed = None,
            Input::Done(name) => {
                self.typed = None;
                let (name, terms) = (name.trim().to_owned(), self.terms());
                if !name.is_empty()
                    && self.ask(settings, |hall| hall.challenge(&name, &terms, None)).is_some()
                {
                    self.message = settings.say("tui-challenge-sent", &[("name", &name)]);
                }
            }
        }
        Then::Stay
    }

    /// Changes the value of the selected line of a new game.
    fn change(&mut self, by: isize) {
        let turned = |at: usize, of: usize| (at as isize + by).rem_euclid(of as isize) as usize;
        match self.selected() {
            Err(Own::Game) => self.game = turned(self.game, games().len()),
            Err(Own::Clock) => self.clock = turned(self.clock, clocks().count()),
            Err(Own::Rated) => self.rated ^= true,
            _ => {}
        }
    }

    fn go(&self, wanted: Destination, watch: bool) -> Then {
        Then::Visit(Box::new(Visit { base: self.hall.base().to_owned(), wanted, watch }))
    }

    /// Goes to the selected table, accepts the selected challenge, or seeks an opponent.
    fn choose(&mut self, settings: &Settings) -> Then {
        match self.selected().cloned() {
            Ok(LobbyRow::Received(line)) => match self.ask(settings, |hall| hall.accept(&line.id)) {
                Some(id) => self.go(Destination::Table(id), false),
                None => Then::Stay,
            },
            Ok(LobbyRow::Sent(_)) => {
                self.message = settings.say("tui-challenge-waits", &[]);
                Then::Stay
            }
            Ok(LobbyRow::Mine(line, _) | LobbyRow::Playing(line)) => {
                self.go(Destination::Table(line.id), false)
            }
            Ok(LobbyRow::Open(line)) => self.go(Destination::Seat(line.id), false),
            Ok(LobbyRow::Live(line)) => self.go(Destination::Table(line.id), true),
            Err(Own::Game | Own::Clock | Own::Rated) => {
                self.go(Destination::Open(Box::new(self.terms().table()), None), false)
            }
            Err(Own::PlayNow) => {
                let terms = self.terms();
                match self.ask(settings, |hall| hall.play_now(terms)) {
                    Some(Waited::Table(id)) => self.go(Destination::Table(id), false),
                    _ => Then::Stay,
                }
            }
            Err(Own::Challenge) => {
                self.typed = Some(Typed::new(Use::Load));
                Then::Stay
            }
        }
    }

    fn terms(&self) -> Terms {
        Terms { game: games()[self.game].key, clock: self.spec(), rated: self.rated }
    }

    fn spec(&self) -> ClockSpec {
        clocks().nth(self.clock).and_then(|text| crate::clock::parse(text).ok()).unwrap_or(ClockSpec::None)
    }

    pub fn draw(&mut self, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let area = screen.area;
        let (x, columns) = (area.x + 2, usize::from(area.width.saturating_sub(4)));
        let ascii = settings.paint.is_ascii();
        let end = write(screen, area, x, area.y + 1, &settings.say("hall", &[]), settings.style(Role::Title));
        write(screen, area, end + 2, area.y + 1, self.hall.base(), settings.style(Role::Dim));
        let you = cut(&self.hall.you(settings.language), columns, ascii);
        write(screen, area, x, area.y + 2, &you, settings.style(Role::Active));
        let below = match self.hall.code() {
            Some(_) => self.draw_code(screen, settings),
            None => area.y + 4,
        };
        // A message may take two rows above the keys.
        let message = wrapped(&self.message, columns);
        let message = &message[..message.len().min(2)];
        let rows = message.len() as u16;
        let (lines, here) = self.lines(settings);
        // A list longer than the screen is scrolled to the selected line.
        let high = usize::from(area.bottom().saturating_sub(below + rows + 2)).max(1);
        let first =
            (here + 1).saturating_sub(high.saturating_sub(1).max(1)).min(lines.len().saturating_sub(high));
        for (i, (text, style)) in (0..).zip(lines.iter().skip(first).take(high)) {
            write(screen, area, x, below + i, &cut(text, columns, ascii), *style);
        }
        let y = area.bottom().saturating_sub(1 + rows);
        for (i, line) in (0..).zip(message) {
            write(screen, area, x, y + i, line, settings.style(Role::Bad));
        }
        let cursor = self.draw_waiting(screen, y, settings);
        let hints = cut(&settings.say("tui-hints-lobby", &[]), columns, ascii);
        write(screen, area, x, area.bottom().saturating_sub(1), &hints, settings.style(Role::Foot));
        cursor
    }

    /// Draws the sign-in code and its instructions; returns the row below.
    fn draw_code(&self, screen: &mut Buffer, settings: &Settings) -> u16 {
        let area = screen.area;
        let Some((code, minutes)) = self.hall.code() else { return area.y };
        let (x, columns) = (area.x + 2, usize::from(area.width.saturating_sub(4)));
        let link = self.hall.code_page();
        let mut y = area.y + 4;
        for line in wrapped(&settings.say("tui-sign-in-open", &[("link", &link)]), columns) {
            write(screen, area, x, y, &line, Style::new());
            y += 1;
        }
        write(screen, area, x + 4, y + 1, code, settings.style(Role::Cursor));
        let waits = settings.say("tui-sign-in-waits", &[("minutes", &minutes.to_string())]);
        for line in wrapped(&waits, columns) {
            write(screen, area, x, y + 3, &line, settings.style(Role::Dim));
            y += 1;
        }
        y + 4
    }

    /// Draws the row above `below`: the name being typed, or the time spent waiting for an opponent. Returns the
    /// position of the terminal's cursor.
    fn draw_waiting(&self, screen: &mut Buffer, below: u16, settings: &Settings) -> Option<Position> {
        let area = screen.area;
        let (x, y) = (area.x + 2, below.saturating_sub(1));
        if let Some(typed) = &self.typed {
            let x =
                write(screen, area, x, y, &settings.say("tui-type-name", &[]), settings.style(Role::Key)) + 1;
            write(screen, area, x, y, &typed.text, settings.style(Role::Active));
            let before: String = typed.text.chars().take(typed.at).collect();
            return Some(Position { x: (x + before.width() as u16).min(area.right() - 1), y });
        }
        if let Some((terms, seconds, waiting)) = self.hall.pool() {
            let game = texts::game(settings.language, terms.game);
            let args =
                [("game", &*game), ("seconds", &*seconds.to_string()), ("waiting", &*waiting.to_string())];
            let inside = Rect { width: area.width.saturating_sub(2), ..area };
            write(screen, inside, x, y, &settings.say("tui-pool-waits", &args), settings.style(Role::Key));
        }
        None
    }

    /// Returns all lines and the index of the selected one.
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
        // What is there always, and what is said where nothing is.
        let sections = [
            ("challenge-received", None),
            ("inbox-mine", None),
            ("tui-your-games", None),
            ("challenge-waiting", None),
            ("open-tables", Some("open-none")),
            ("watch-tables", Some("watch-none")),
        ];
        for (name, empty) in sections {
            let inside = self.hall.lines().iter().enumerate().filter(|(_, line)| line.section() == name);
            let inside: Vec<_> = inside.collect();
            match (inside.is_empty(), empty) {
                (true, None) => continue,
                (true, Some(empty)) => {
                    lines.push((settings.say(name, &[]), title));
                    lines.push((format!("  {}", settings.say(empty, &[])), dim));
                }
                (false, _) => lines.push((settings.say(name, &[]), title)),
            }
            for (at, listed) in inside {
                line(listed.words(settings.language), at, &mut lines, &mut here);
            }
            lines.push((String::new(), dim));
        }
        lines.push((settings.say("tui-own-table", &[]), title));
        for (at, own) in (self.hall.lines().len()..).zip(self.own()) {
            line(self.own_words(*own, settings), at, &mut lines, &mut here);
        }
        (lines, here)
    }

    fn own_words(&self, own: Own, settings: &Settings) -> String {
        match own {
            Own::Game => texts::game(settings.language, games()[self.game].key),
            Own::Clock => {
                let clock = crate::clock::name(self.spec(), settings.language);
                format!("{}: {clock}", settings.say("clock", &[]))
            }
            Own::Rated => settings.say(if self.rated { "tui-rated" } else { "tui-casual" }, &[]),
            Own::PlayNow => settings.say("tui-play-now", &[]),
            Own::Challenge => settings.say("tui-challenge", &[]),
        }
    }
}
