//! The screen: a menu, a table, a hall's lobby, a position being set up.
//!
//! [`App`] uses no terminal and no clock: events and the time come in, a buffer goes out. So a test can type keys and
//! read the screen. `terminal` connects it to the real terminal.

mod analysis;
mod editor;
mod foot;
mod help;
mod lobby;
mod menu;
mod panel;
mod play;
mod touch;
mod typed;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use catalog::maps::Loader;
use client::Trust;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event as term;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use texts::{Language, say};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::identity::Home;
use crate::opponent::{Players, Thought};
use crate::paint::{Paint, Role};
use crate::table::{HallEvent, Local, Opening, Refusal, Remote, Visit};
use lobby::Lobby;
use menu::Menu;
use play::Play;

pub use lobby::start as address;

/// An event from outside: input, a hall, an engine, the system.
pub(crate) enum Event {
    /// A key, the mouse, or a change of the window's size.
    Terminal(term::Event),
    /// A message about the table of a hall.
    Hall(HallEvent),
    /// A report of an engine, with the number of its request.
    Thought(u64, Thought),
    /// The move of an engine, with the number of its request.
    Decided(u64, Option<String>),
    /// A signal of the system to end.
    Stop,
    /// A request of the user or the system to suspend the program (Ctrl-Z).
    Suspend,
}

/// A function that returns the last lines that extensions printed or failed with, at most the given number.
pub type Author = Arc<dyn Fn(usize) -> Vec<String> + Send + Sync>;

/// The settings of the screen, and the services that it uses.
#[derive(Clone)]
pub struct Settings {
    /// The language of every sentence.
    pub language: Language,
    /// Theme and colours.
    pub paint: Paint,
    /// The engines of this program.
    pub players: Arc<dyn Players>,
    /// The runtime for the extensions of maps; without it, maps that have extensions cannot be played.
    pub loader: Option<Arc<dyn Loader>>,
    /// The source of the last output of map extensions, which is shown to their author; `None`: it is not shown.
    pub author: Option<Author>,
    /// The folder for games saved without a path, and for the secrets that halls have given.
    pub folder: PathBuf,
    /// The authorities that are trusted to certify halls; `None`: those of this system.
    pub trust: Option<Trust>,
}

/// The first screen to show.
pub enum Start {
    /// The list of games and actions.
    Menu,
    /// A game on this terminal, with engine levels by side.
    Game(Box<Opening>, [Option<u8>; 2]),
    /// The game of a file, at its start.
    Record(PathBuf),
    /// A table of a hall.
    Hall(Box<Visit>),
    /// The lobby of the hall at that address.
    Lobby(String),
}

/// The screen shown now.
enum Place {
    Menu(Box<Menu>),
    Table(Box<Play>),
    Lobby(Box<Lobby>),
}

/// The state of the whole screen.
pub(crate) struct App {
    settings: Settings,
    place: Place,
    events: Sender<Event>,
    began: Instant,
    over: bool,
    farewell: Option<String>,
}

/// The next step that a screen requests.
enum Then {
    /// The current screen stays.
    Stay,
    Quit,
    Menu,
    Directions,
    Targets,
    Theme,
    Language,
    Game(Box<Opening>, [Option<u8>; 2]),
    /// A game that was set up or loaded.
    Table(Box<Local>, [Option<u8>; 2]),
    Visit(Box<Visit>),
    Lobby(String),
}

impl App {
    /// Creates the state of the first screen.
    ///
    /// # Errors
    /// Fails when the game, file or hall does not exist.
    pub fn new(settings: Settings, start: Start, events: Sender<Event>) -> Result<App, Refusal> {
        let place = Place::Menu(Box::new(Menu::new()));
        let mut app = App { settings, place, events, began: Instant::now(), over: false, farewell: None };
        match start {
            Start::Menu => {}
            Start::Game(opening, levels) => app.sit_down(Local::new(*opening)?, levels),
            Start::Record(path) => {
                let record = crate::files::load(&path)?;
                let local = Local::of_record(&record, app.settings.loader.as_deref())?;
                app.sit_down(local, [None; 2]);
                if let Place::Table(play) = &mut app.place {
                    play.look_at(0);
                }
            }
            Start::Hall(visit) => app.visit(*visit)?,
            Start::Lobby(base) => app.lobby(&base)?,
        }
        Ok(app)
    }

    /// Returns the milliseconds since the start.
    pub fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Returns true if the program should end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Takes the message to print after the screen is closed.
    pub fn farewell(&mut self) -> Option<String> {
        self.farewell.take()
    }

    /// Handles an event.
    pub fn handle(&mut self, event: Event, now_ms: u64) {
        let then = match (event, &mut self.place) {
            (Event::Stop, place) => {
                if let Place::Table(play) = place {
                    self.farewell = play.save_unasked(&self.settings);
                }
                Then::Quit
            }
            (Event::Terminal(event), place) => match place {
                Place::Menu(menu) => menu.handle(&event, &self.settings),
                Place::Table(play) => play.handle(&event, &self.settings, now_ms),
                Place::Lobby(lobby) => lobby.handle(&event, &self.settings, now_ms),
            },
            (Event::Hall(heard), Place::Table(play)) => play.hear(heard, &self.settings, now_ms),
            (Event::Thought(ticket, thought), Place::Table(play)) => play.thought(ticket, thought),
            (Event::Decided(ticket, text), Place::Table(play)) => {
                play.decided(ticket, text, &self.settings, now_ms)
            }
            _ => Then::Stay,
        };
        self.follow(then);
    }

    /// Updates clocks and everything else that depends on time.
    pub fn tick(&mut self, now_ms: u64) {
        match &mut self.place {
            Place::Table(play) => play.tick(&self.settings, now_ms),
            Place::Lobby(lobby) => {
                let then = lobby.tick(&self.settings, now_ms);
                self.follow(then);
            }
            Place::Menu(_) => {}
        }
    }

    /// Returns the milliseconds until the next change without an event; `None`: there is none.
    pub fn quiet_ms(&self, now_ms: u64) -> Option<u64> {
        match &self.place {
            Place::Table(play) => play.quiet_ms(now_ms),
            Place::Lobby(lobby) => Some(lobby.quiet_ms(now_ms)),
            Place::Menu(_) => None,
        }
    }

    /// Draws the screen; returns the position of the terminal's cursor.
    pub fn draw(&mut self, screen: &mut Buffer, now_ms: u64) -> Option<Position> {
        let cursor = match &mut self.place {
            Place::Menu(menu) => menu.draw(screen, &self.settings),
            Place::Table(play) => play.draw(screen, &self.settings, now_ms),
            Place::Lobby(lobby) => lobby.draw(screen, &self.settings),
        };
        if self.settings.paint.is_ascii() {
            screen.content.iter_mut().for_each(plain);
        }
        cursor
    }

    fn follow(&mut self, then: Then) {
        let done = match then {
            Then::Stay => Ok(()),
            Then::Quit => {
                self.over = true;
                Ok(())
            }
            // From a table of a hall to its lobby, where the next game waits.
            Then::Menu => match self.hall() {
                Some(base) => self.lobby(&base).inspect_err(|_| self.menu()),
                None => {
                    self.menu();
                    Ok(())
                }
            },
            Then::Theme => {
                self.settings.paint.theme = self.settings.paint.theme.next();
                Ok(())
            }
            Then::Directions => {
                self.settings.paint.directions ^= true;
                Ok(())
            }
            Then::Targets => {
                self.settings.paint.targets ^= true;
                Ok(())
            }
            Then::Language => {
                let other = if self.settings.language == Language::English {
                    Language::Chinese
                } else {
                    Language::English
                };
                self.settings.language = other;
                Ok(())
            }
            Then::Game(opening, levels) => {
                Local::new(*opening).map(|local| self.sit_down(local, levels)).map_err(Refusal::from)
            }
            Then::Table(local, levels) => {
                self.sit_down(*local, levels);
                Ok(())
            }
            Then::Visit(visit) => self.visit(*visit),
            Then::Lobby(base) => self.lobby(&base),
        };
        if let Err(refusal) = done {
            let said = crate::said::refusal(self.settings.language, &refusal);
            match &mut self.place {
                Place::Menu(menu) => menu.say(said),
                Place::Lobby(lobby) => lobby.say(said),
                Place::Table(play) => play.say_bad(said),
            }
        }
    }

    /// Returns the address of the hall whose table is shown.
    fn hall(&self) -> Option<String> {
        let Place::Table(play) = &self.place else { return None };
        play.hall().map(str::to_owned)
    }

    fn menu(&mut self) {
        self.place = Place::Menu(Box::new(Menu::new()));
    }

    fn sit_down(&mut self, local: Local, levels: [Option<u8>; 2]) {
        let now_ms = self.now_ms();
        let play = Play::here(local, levels, &self.settings, self.events.clone(), now_ms);
        self.place = Place::Table(Box::new(play));
    }

    /// Goes to a table of a hall.
    fn visit(&mut self, visit: Visit) -> Result<(), Refusal> {
        let remote = Remote::visit(visit, &self.settings.home(), self.events.clone(), self.began);
        let play = Play::away(remote.map_err(|why| why.0)?, self.events.clone());
        self.place = Place::Table(Box::new(play));
        Ok(())
    }

    fn lobby(&mut self, base: &str) -> Result<(), Refusal> {
        let lobby = Lobby::enter(base, &self.settings, self.now_ms()).map_err(|why| why.0)?;
        self.place = Place::Lobby(Box::new(lobby));
        Ok(())
    }
}

impl Settings {
    /// Returns the user's data for all halls.
    pub(crate) fn home(&self) -> Home {
        let trust = self.trust.clone().unwrap_or_else(Trust::system);
        Home { folder: self.folder.clone(), trust }
    }

    fn say(&self, key: &str, args: &[(&str, &str)]) -> String {
        say(self.language, key, args)
    }

    fn style(&self, role: Role) -> Style {
        self.paint.style(role)
    }

    /// Returns one of two signs: the second if only ASCII may be drawn.
    fn sign<'a>(&self, wide: &'a str, plain: &'a str) -> &'a str {
        if self.paint.is_ascii() { plain } else { wide }
    }
}

/// Returns the index of the default notation, which is used until the user chooses another: letters for users of
/// English, and characters for users of Chinese and in the theme of emacs-chess-cn.
fn usual_notation(notations: &[impl AsRef<str>], settings: &Settings) -> usize {
    let characters =
        settings.language == Language::Chinese || settings.paint.theme == crate::paint::Theme::Origin;
    let letters = || notations.iter().position(|key| key.as_ref() == "wxf");
    if characters { 0 } else { letters().unwrap_or(0) }
}

/// Replaces typographic signs by ASCII ones; characters without an equivalent, such as Chinese, stay.
fn plain(cell: &mut Cell) {
    let like = match cell.symbol() {
        "“" | "”" => "\"",
        "‘" | "’" => "'",
        "–" | "—" => "-",
        "…" | "·" => ".",
        "×" => "x",
        "õ" => "o",
        _ => return,
    };
    cell.set_symbol(like);
}

/// Writes text into an area; parts outside are clipped. Returns the column behind it.
fn write(screen: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
    let inside = x >= area.x && x < area.right() && y >= area.y && y < area.bottom();
    if !inside || !screen.area.contains(Position { x, y }) {
        return x;
    }
    let (end, _) = screen.set_stringn(x, y, text, usize::from(area.right() - x), style);
    end
}

/// Writes text at the right edge of an area.
fn write_right(screen: &mut Buffer, area: Rect, y: u16, text: &str, style: Style) {
    let x = area.right().saturating_sub(text.width() as u16).max(area.x);
    write(screen, area, x, y, text, style);
}

/// Breaks text into lines of at most `columns` columns: at spaces, and between wide characters.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        if line.width() + word.trim_end().width() > columns && !line.is_empty() {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        for c in word.chars() {
            if line.width() + c.width().unwrap_or(0) > columns {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
            }
            if !(line.is_empty() && c == ' ') {
                line.push(c);
            }
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Splits text into words, each with the space behind it; a wide character is a word of its own, with the punctuation
/// that follows it.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0) > 1;
        let closes = "，。；：！？、）”…".contains(c);
        match words.last_mut() {
            Some(word) if closes || (open && !wide) => word.push(c),
            _ => words.push(c.to_string()),
        }
        open = !wide && (closes || c != ' ');
    }
    words
}

/// Returns the longest prefix of `text` that fits into `columns` columns, with a mark at the end if it was cut.
fn cut(text: &str, columns: usize, ascii: bool) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mark = if ascii { "." } else { "…" };
    let mut out = String::new();
    for c in text.chars() {
        if out.width() + c.width().unwrap_or(0) + 1 > columns {
            break;
        }
        out.push(c);
    }
    out + mark
}

#[cfg(test)]
mod tests;
