//! Tests of the screen without a terminal: keys go in in Emacs notation, rows of text come out.
//!
//! Whole screens are compared with `tests/data/screens/*.txt`. `QIGUAN_BLESS=1` rewrites these files, which a person
//! then checks.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event as Term, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use texts::Language::{self, Chinese, English};
use unicode_width::UnicodeWidthStr;

use super::{App, Event, Settings, Start};
use crate::opponent::OwnEngines;
use crate::paint::{Depth, Paint, Theme};
use crate::table::Opening;

/// A simulated user at a terminal of that size.
struct Seen {
    app: App,
    size: (u16, u16),
    now_ms: u64,
    folder: tempfile::TempDir,
    _events: Receiver<Event>,
}

fn settings(language: Language, theme: Theme, depth: Depth, folder: PathBuf) -> Settings {
    Settings {
        language,
        paint: Paint { theme, depth, directions: true, targets: true },
        players: Arc::new(OwnEngines),
        loader: None,
        author: None,
        folder,
        trust: None,
    }
}

impl Seen {
    fn at(start: Start, language: Language, size: (u16, u16)) -> Seen {
        Seen::painted(start, language, size, Theme::Wide, Depth::Many)
    }

    fn painted(start: Start, language: Language, size: (u16, u16), theme: Theme, depth: Depth) -> Seen {
        let (sender, events) = channel();
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(language, theme, depth, folder.path().to_owned());
        let app = App::new(settings, start, sender).map_err(|why| format!("{why:?}")).unwrap();
        Seen { app, size, now_ms: 0, folder, _events: events }
    }

    fn game(key: &str, fen: Option<&str>, language: Language, size: (u16, u16)) -> Seen {
        Seen::at(game(key, &[], fen), language, size)
    }

    /// Presses keys, with spaces between them; `"text"` in quotes is typed letter by letter.
    fn press(&mut self, keys: &str) -> &mut Seen {
        for (i, part) in keys.split('"').enumerate() {
            if i % 2 == 1 {
                part.chars().for_each(|c| self.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
            } else {
                part.split_whitespace().for_each(|name| self.key(key(name)));
            }
        }
        self
    }

    fn key(&mut self, key: KeyEvent) {
        self.app.handle(Event::Terminal(Term::Key(key)), self.now_ms);
    }

    fn buffer(&mut self) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.size.0, self.size.1));
        self.app.draw(&mut buffer, self.now_ms);
        buffer
    }

    fn rows(&mut self) -> Vec<String> {
        let buffer = self.buffer();
        (0..self.size.1).map(|y| row(&buffer, y)).collect()
    }

    fn text(&mut self) -> String {
        let rows: Vec<String> = self.rows().iter().map(|row| row.trim_end().to_owned()).collect();
        rows.join("\n") + "\n"
    }

    /// Returns the message, in the third row from below.
    fn said(&mut self) -> String {
        let rows = self.rows();
        rows[rows.len() - 3].trim().to_owned()
    }
}

/// Returns the characters of a row; a wide one hides the cell behind it.
fn row(buffer: &Buffer, y: u16) -> String {
    let mut text = String::new();
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        text.push_str(symbol);
        x += symbol.width().max(1) as u16;
    }
    text
}

fn game(key: &str, options: &[(&str, i64)], fen: Option<&str>) -> Start {
    let options = options.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect();
    let opening = Opening::of(key, &options).unwrap();
    Start::Game(Box::new(opening.from(fen.map(str::to_owned), wire::ClockSpec::None)), [None; 2])
}

fn map(name: &str) -> Start {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../jingbanqi/tests/data/maps").join(name);
    Start::Game(Box::new(Opening::of_map(&path, &[], &catalog::Options::new(), None).unwrap()), [None; 2])
}

fn key(name: &str) -> KeyEvent {
    let (control, name) =
        name.strip_prefix("C-").map_or((KeyModifiers::NONE, name), |n| (KeyModifiers::CONTROL, n));
    let code = match name {
        "RET" => KeyCode::Enter,
        "ESC" => KeyCode::Esc,
        "TAB" => KeyCode::Tab,
        "SPC" => KeyCode::Char(' '),
        "DEL" => KeyCode::Backspace,
        "<up>" => KeyCode::Up,
        "<down>" => KeyCode::Down,
        "<left>" => KeyCode::Left,
        "<right>" => KeyCode::Right,
        "<home>" => KeyCode::Home,
        "<end>" => KeyCode::End,
        "<backtab>" => KeyCode::BackTab,
        _ => KeyCode::Char(name.chars().next().expect("a key has a name")),
    };
    KeyEvent::new(code, control)
}

/// Returns every game: those of the catalogue, and the first built-in map.
fn every_game() -> Vec<(&'static str, Opening)> {
    let opening = |entry: &'static catalog::Entry| match entry.needs_map() {
        true => Opening::of_sample(&catalog::maps::SAMPLES[0], None).unwrap(),
        false => Opening::of(entry.key, &catalog::Options::new()).unwrap(),
    };
    catalog::ENTRIES.iter().map(|entry| (entry.key, opening(entry))).collect()
}

/// Compares a whole screen with a checked one.
fn golden(name: &str, text: &str) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/screens").join(format!("{name}.txt"));
    if std::env::var_os("QIGUAN_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(wanted == text, "{name} has changed; it is now\n{text}\nand was\n{wanted}");
}

mod hung;
mod look;
mod origin;
mod play;
