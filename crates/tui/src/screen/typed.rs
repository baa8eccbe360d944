//! The line in which moves, file names and positions are typed, with completion.

use kernel::AnyGame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use wire::Offered;

use super::play::Play;
use super::{Settings, Then};
use crate::files;
use crate::table::{Local, Scene, UserAction};

/// The most characters kept of a line; the longest position has some thousands.
const LONGEST: usize = 20_000;

/// The purposes of a typed line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// A move, in any notation of the game.
    Move,
    /// The file to save to.
    Save,
    /// The file to load.
    Load,
    /// A position to set up, as FEN.
    Fen,
}

/// A line being typed.
pub(super) struct Typed {
    pub what: Use,
    pub text: String,
    /// The place of the cursor, in characters.
    pub at: usize,
    /// The completions of the text, if the user asked for them.
    pub offered: Vec<String>,
    next: usize,
}

/// The effects of a key on the line being typed.
pub(super) enum Input {
    Typing,
    Cancelled,
    Done(String),
    /// The user asks for completions.
    Complete,
}

impl Typed {
    pub fn new(what: Use) -> Typed {
        Typed { what, text: String::new(), at: 0, offered: Vec::new(), next: 0 }
    }

    pub fn with(what: Use, text: &str) -> Typed {
        Typed { text: text.to_owned(), at: text.chars().count(), ..Typed::new(what) }
    }

    /// Inserts text at the cursor; control characters are left out.
    pub fn insert(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            if self.text.len() < LONGEST {
                self.text.insert(self.byte(self.at), c);
                self.at += 1;
            }
        }
        self.offered.clear();
    }

    fn byte(&self, at: usize) -> usize {
        self.text.char_indices().nth(at).map_or(self.text.len(), |(byte, _)| byte)
    }

    pub fn key(&mut self, key: KeyEvent) -> Input {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let end = self.text.chars().count();
        match key.code {
            KeyCode::Esc => return Input::Cancelled,
            KeyCode::Char('g' | 'c') if control => return Input::Cancelled,
            KeyCode::Enter => return Input::Done(std::mem::take(&mut self.text)),
            KeyCode::Tab => return Input::Complete,
            KeyCode::Backspace => self.delete(self.at.checked_sub(1)),
            KeyCode::Char('h') if control => self.delete(self.at.checked_sub(1)),
            KeyCode::Delete => self.delete(Some(self.at)),
            KeyCode::Char('d') if control => self.delete(Some(self.at)),
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Char('b') if control => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(end),
            KeyCode::Char('f') if control => self.at = (self.at + 1).min(end),
            KeyCode::Home => self.at = 0,
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::End => self.at = end,
            KeyCode::Char('e') if control => self.at = end,
            KeyCode::Char('u') if control => {
                self.text.drain(..self.byte(self.at));
                self.at = 0;
            }
            KeyCode::Char('k') if control => {
                let from = self.byte(self.at);
                self.text.truncate(from);
            }
            KeyCode::Char(c) if !control => self.insert(&c.to_string()),
            _ => {}
        }
        Input::Typing
    }

    fn delete(&mut self, at: Option<usize>) {
        let Some(at) = at.filter(|&at| at < self.text.chars().count()) else { return };
        self.text.remove(self.byte(at));
        self.at = at;
        self.offered.clear();
    }

    /// Completes to the common prefix of all candidates; called again, to one candidate after the other.
    pub fn complete(&mut self, candidates: Vec<String>) {
        if self.offered.len() > 1 {
            self.text.clone_from(&self.offered[self.next % self.offered.len()]);
            self.next += 1;
        } else {
            let shared = shared(&candidates);
            if shared.len() > self.text.len() {
                self.text = shared;
            }
            self.offered = candidates;
            self.next = 0;
        }
        self.at = self.text.chars().count();
    }
}

/// Returns the common prefix of all candidates.
fn shared(texts: &[String]) -> String {
    let Some(first) = texts.first() else { return String::new() };
    let same = |(i, c): &(usize, char)| texts.iter().all(|t| t.chars().nth(*i) == Some(*c));
    first.chars().enumerate().take_while(same).map(|(_, c)| c).collect()
}

/// Returns the legal moves with that prefix, in every notation, ignoring case.
pub(crate) fn move_completions(scene: &Scene, game: Option<&dyn AnyGame>, begun: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    match game {
        Some(game) => {
            for (text, names) in game.texts() {
                all.push(text);
                all.extend(names.into_iter().map(|(_, name)| name));
            }
        }
        None => {
            if let Offered::Listed(moves) = &scene.view.moves {
                all.extend(moves.iter().map(|m| m.text.clone()));
            }
        }
    }
    let begun = begun.to_lowercase();
    let mut found: Vec<String> =
        all.into_iter().filter(|text| text.to_lowercase().starts_with(&begun)).collect();
    found.sort();
    found.dedup();
    found
}

impl Play {
    /// Handles a key while a line is typed.
    pub fn type_key(&mut self, key: KeyEvent, settings: &Settings, now_ms: u64) -> Then {
        let Some(typed) = &mut self.typed else { return Then::Stay };
        match typed.key(key) {
            Input::Typing => Then::Stay,
            Input::Cancelled => {
                self.typed = None;
                self.message = None;
                Then::Stay
            }
            Input::Complete => {
                let candidates = match typed.what {
                    Use::Move => {
                        let begun = typed.text.clone();
                        move_completions(self.table.scene(), self.table.game(), &begun)
                    }
                    Use::Save | Use::Load => files::completions(&typed.text),
                    Use::Fen => Vec::new(),
                };
                if let Some(typed) = &mut self.typed {
                    typed.complete(candidates);
                }
                Then::Stay
            }
            Input::Done(text) => {
                let what = typed.what;
                self.typed = None;
                self.message = None;
                self.typed_in(what, text.trim(), settings, now_ms)
            }
        }
    }

    fn typed_in(&mut self, what: Use, text: &str, settings: &Settings, now_ms: u64) -> Then {
        if text.is_empty() {
            return Then::Stay;
        }
        match what {
            Use::Move => self.type_move(text, settings, now_ms),
            Use::Save => self.save(text, settings),
            Use::Load => return self.load(text, settings),
            Use::Fen => return self.fen(text, settings),
        }
        Then::Stay
    }

    /// Plays a typed move. If this program knows the rules of the game, it explains a refusal itself.
    fn type_move(&mut self, text: &str, settings: &Settings, now_ms: u64) {
        let mut read = self.table.game().map(|game| game.read_choice(text));
        if matches!(read, Some(Err(_)))
            && let Some(machine) = self.table.local().and_then(|local| local.begin_by(text, now_ms))
        {
            read = Some(Ok(machine));
        }
        match read {
            None => {
                self.wish(UserAction::Play(text.to_owned()), settings, now_ms);
            }
            Some(Ok(machine)) => {
                let told = match &self.scene().view.moves {
                    Offered::Listed(moves) => moves.iter().find(|m| m.text == machine).cloned(),
                    Offered::Every(_) => None,
                };
                let plain = wire::MoveView {
                    text: machine,
                    path: Vec::new(),
                    shifts: Vec::new(),
                    pick: None,
                    face: None,
                    warning: None,
                };
                self.play(&told.unwrap_or(plain), settings, now_ms);
            }
            Some(Err(refused)) => self.refuse(settings, &refused.problem().into()),
        }
    }

    fn save(&mut self, text: &str, settings: &Settings) {
        let path = files::path(text);
        let Some(local) = self.table.local() else {
            return self.say_bad(settings.say("tui-save-at-hall", &[]));
        };
        match local.save(&path, &settings.folder) {
            Ok(()) => {
                self.saved = true;
                self.say(settings.say("tui-saved", &[("file", &path.display().to_string())]));
            }
            Err(problem) => self.refuse(settings, &problem.into()),
        }
    }

    fn load(&mut self, text: &str, settings: &Settings) -> Then {
        match files::load(&files::path(text))
            .and_then(|record| Local::of_record(&record, settings.loader.as_deref()))
        {
            Ok(local) => Then::Table(Box::new(local), [None; 2]),
            Err(problem) => {
                self.refuse(settings, &problem.into());
                Then::Stay
            }
        }
    }

    fn fen(&mut self, text: &str, settings: &Settings) -> Then {
        let levels = self.bots.levels;
        let Some(local) = self.table.local() else { return Then::Stay };
        match local.at_fen(text) {
            Ok(local) => Then::Table(Box::new(local), levels),
            Err(problem) => {
                self.refuse(settings, &problem.into());
                Then::Stay
            }
        }
    }
}
