//! The menu: the game, the opponent, the clock.

mod draw;
mod shelf;

use kernel::{AnyGame, Problem};
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers, MouseEventKind};
use wire::ClockSpec;

use super::typed::{Input, Typed, Use};
use super::{Settings, Start, Then};
use crate::clock::CLOCKS;
use crate::table::{Local, Opening};
use crate::{files, said};
use shelf::{Family, Game};

/// The lines of the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    /// A family of games, by its index.
    Game(usize),
    Map,
    Record,
    Hall,
    Opponent,
    Clock,
    Theme,
    Language,
    Quit,
}

/// The state of the main menu: the list of games, the selected line and the choices made so far.
pub(super) struct Menu {
    families: Vec<Family>,
    items: Vec<Item>,
    at: usize,
    /// The index of the family that was selected last.
    last: usize,
    /// The level of the engine; 0: two people.
    level: u8,
    clock: usize,
    typed: Option<(Item, Typed)>,
    message: String,
    /// The rows of the items on the screen.
    rows: Vec<(u16, usize)>,
    /// The last previewed game at its start, by the indices of family and game.
    preview: Option<((usize, usize), Box<dyn AnyGame>)>,
}

impl Menu {
    pub fn new() -> Menu {
        let families = shelf::families();
        let rest = [
            Item::Map,
            Item::Record,
            Item::Hall,
            Item::Opponent,
            Item::Clock,
            Item::Theme,
            Item::Language,
            Item::Quit,
        ];
        let items = (0..families.len()).map(Item::Game).chain(rest).collect();
        Menu {
            families,
            items,
            at: 0,
            last: 0,
            level: 0,
            clock: 0,
            typed: None,
            message: String::new(),
            rows: Vec::new(),
            preview: None,
        }
    }

    pub fn say(&mut self, text: String) {
        self.message = text;
    }

    pub fn handle(&mut self, event: &term::Event, settings: &Settings) -> Then {
        self.last = self.family();
        match event {
            term::Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, settings),
            term::Event::Paste(text) => {
                if let Some((_, typed)) = &mut self.typed {
                    typed.insert(text);
                }
                Then::Stay
            }
            term::Event::Mouse(mouse) if matches!(mouse.kind, MouseEventKind::Down(_)) => {
                match self.rows.iter().find(|(row, _)| *row == mouse.row) {
                    Some(&(_, item)) if item == self.at => self.enter(settings),
                    Some(&(_, item)) => {
                        self.at = item;
                        Then::Stay
                    }
                    None => Then::Stay,
                }
            }
            _ => Then::Stay,
        }
    }

    fn key(&mut self, key: term::KeyEvent, settings: &Settings) -> Then {
        self.message.clear();
        if self.typed.is_some() {
            return self.type_key(key, settings);
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let count = self.items.len();
        match (key.code, control) {
            (KeyCode::Down | KeyCode::Char('j'), false) | (KeyCode::Char('n'), true) => {
                self.at = (self.at + 1) % count
            }
            (KeyCode::Up | KeyCode::Char('k'), false) | (KeyCode::Char('p'), true) => {
                self.at = (self.at + count - 1) % count;
            }
            (KeyCode::Right | KeyCode::Char('l'), false) | (KeyCode::Char('f'), true) => {
                return self.change(1, settings);
            }
            (KeyCode::Left | KeyCode::Char('h'), false) | (KeyCode::Char('b'), true) => {
                return self.change(-1, settings);
            }
            (KeyCode::Enter | KeyCode::Char(' '), _) => return self.enter(settings),
            (KeyCode::Char('q') | KeyCode::Esc, false) | (KeyCode::Char('c' | 'd'), true) => {
                return Then::Quit;
            }
            (KeyCode::Char('L'), false) => return Then::Language,
            (KeyCode::Char('t'), false) => return Then::Theme,
            (KeyCode::Char(c @ '1'..='9'), false) => {
                let index = c as usize - '1' as usize;
                if index < self.families.len() {
                    self.at = index;
                }
            }
            _ => {}
        }
        Then::Stay
    }

    /// Changes the value of the selected line.
    fn change(&mut self, by: isize, settings: &Settings) -> Then {
        let turned = |at: usize, of: usize| (at as isize + by).rem_euclid(of.max(1) as isize) as usize;
        match self.items[self.at] {
            Item::Game(i) => {
                let family = &mut self.families[i];
                family.chosen = turned(family.chosen, family.games.len());
            }
            Item::Opponent => {
                let most = self.preview().map_or(0, |game| settings.players.levels(game));
                self.level = turned(self.level.into(), usize::from(most) + 1) as u8;
                if most == 0 {
                    self.message = settings.say("tui-no-levels", &[]);
                }
            }
            Item::Clock => self.clock = turned(self.clock, CLOCKS.len()),
            Item::Theme => return Then::Theme,
            Item::Language => return Then::Language,
            _ => {}
        }
        Then::Stay
    }

    fn enter(&mut self, settings: &Settings) -> Then {
        let item = self.items[self.at];
        match item {
            Item::Game(_) => return self.start(settings),
            Item::Map | Item::Record => {
                let line = format!("{}/", settings.folder.display());
                self.typed = Some((item, Typed::with(Use::Load, &line)));
            }
            Item::Hall => self.typed = Some((item, Typed::with(Use::Load, "http://127.0.0.1:8080"))),
            Item::Quit => return Then::Quit,
            _ => return self.change(1, settings),
        }
        Then::Stay
    }

    /// Returns the index of the selected family, or of the last one that was selected.
    fn family(&self) -> usize {
        match self.items[self.at] {
            Item::Game(index) => index,
            _ => self.last,
        }
    }

    fn game(&self) -> Game {
        let family = &self.families[self.family()];
        family.games[family.chosen]
    }

    /// Returns the selected game at its start.
    fn preview(&mut self) -> Option<&dyn AnyGame> {
        let at = (self.family(), self.families[self.family()].chosen);
        if self.preview.as_ref().is_none_or(|(seen, _)| *seen != at) {
            self.preview = self.game().preview().map(|game| (at, game));
        }
        self.preview.as_ref().map(|(_, game)| &**game)
    }

    fn clock(&self) -> ClockSpec {
        crate::clock::parse(CLOCKS[self.clock]).unwrap_or(ClockSpec::None)
    }

    fn start(&mut self, settings: &Settings) -> Then {
        self.sit_down(self.game().opening(settings), settings)
    }

    fn sit_down(&mut self, opening: Result<Opening, Vec<Problem>>, settings: &Settings) -> Then {
        match opening {
            Ok(opening) => {
                let level = (self.level > 0).then_some(self.level);
                Then::Game(Box::new(opening.from(None, self.clock())), [None, level])
            }
            Err(problems) => {
                let said = |problem: Problem| said::refusal(settings.language, &problem.into());
                self.message = problems.into_iter().map(said).collect::<Vec<_>>().join(" ");
                Then::Stay
            }
        }
    }

    fn type_key(&mut self, key: term::KeyEvent, settings: &Settings) -> Then {
        let Some((item, typed)) = &mut self.typed else { return Then::Stay };
        match typed.key(key) {
            Input::Typing => Then::Stay,
            Input::Cancelled => {
                self.typed = None;
                Then::Stay
            }
            Input::Complete => {
                let found = match item {
                    Item::Map => files::map_completions(&typed.text),
                    _ => files::completions(&typed.text),
                };
                typed.complete(found);
                Then::Stay
            }
            Input::Done(text) => {
                let item = *item;
                self.typed = None;
                self.typed_in(item, text.trim(), settings)
            }
        }
    }

    fn typed_in(&mut self, item: Item, text: &str, settings: &Settings) -> Then {
        match item {
            Item::Map => {
                let (map, extensions) = files::of_map(text);
                let loader = settings.loader.as_deref();
                let opening = Opening::of_map(&map, &extensions, &catalog::Options::new(), loader);
                self.sit_down(opening, settings)
            }
            Item::Record => {
                let record = files::load(&files::path(text));
                match record.and_then(|record| Local::of_record(&record, settings.loader.as_deref())) {
                    Ok(local) => Then::Table(Box::new(local), [None; 2]),
                    Err(problem) => {
                        self.message = said::refusal(settings.language, &problem.into());
                        Then::Stay
                    }
                }
            }
            _ => match super::lobby::start(text) {
                Start::Hall(visit) => Then::Visit(visit),
                _ => Then::Lobby(text.to_owned()),
            },
        }
    }
}
