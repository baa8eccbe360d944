//! The menu: which game, against whom, with what clock.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use texts::Language;
use unicode_width::UnicodeWidthStr;
use wire::ClockSpec;

use super::typed::{Line, Typed, Use};
use super::{Settings, Start, Then, cut, wrapped, write};
use crate::board::Look;
use crate::files;
use crate::paint::Role;
use crate::said;
use crate::table::{Local, Opening};

/// The clocks that are offered, as they are typed.
const CLOCKS: [&str; 6] = ["none", "300+5", "900+10", "600+3x30", "10/move", "1800+30"];

/// A line of the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    /// A family of games; its index.
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

/// A family and its games.
struct Family {
    key: &'static str,
    games: Vec<&'static str>,
    chosen: usize,
}

/// The menu.
pub(super) struct Menu {
    families: Vec<Family>,
    items: Vec<Item>,
    at: usize,
    /// Level of the other side; 0: two people.
    level: u8,
    clock: usize,
    typed: Option<(Item, Typed)>,
    message: String,
    /// Rows of the items on the screen.
    rows: Vec<(u16, usize)>,
}

impl Menu {
    pub fn new() -> Menu {
        let mut families: Vec<Family> = Vec::new();
        for entry in catalog::ENTRIES {
            match families.iter_mut().find(|family| family.key == entry.family) {
                Some(family) => family.games.push(entry.key),
                None => families.push(Family { key: entry.family, games: vec![entry.key], chosen: 0 }),
            }
        }
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
            level: 0,
            clock: 0,
            typed: None,
            message: String::new(),
            rows: Vec::new(),
        }
    }

    pub fn say(&mut self, text: String) {
        self.message = text;
    }

    pub fn handle(&mut self, event: &term::Event, settings: &Settings) -> Then {
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
            return self.type_key(key);
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

    /// Changes the value of the line.
    fn change(&mut self, by: isize, settings: &Settings) -> Then {
        let turned = |at: usize, of: usize| (at as isize + by).rem_euclid(of.max(1) as isize) as usize;
        match self.items[self.at] {
            Item::Game(i) => {
                let family = &mut self.families[i];
                family.chosen = turned(family.chosen, family.games.len());
            }
            Item::Opponent => {
                let game =
                    Opening::of(self.game(), &catalog::Options::new()).and_then(|opening| opening.open());
                let most = game.map_or(0, |game| settings.players.levels(&*game));
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

    /// The game that is chosen: of the line, or of the first family.
    fn game(&self) -> &'static str {
        let index = match self.items[self.at] {
            Item::Game(i) => i,
            _ => 0,
        };
        let family = &self.families[index];
        family.games[family.chosen]
    }

    fn clock(&self) -> ClockSpec {
        crate::clock::parse(CLOCKS[self.clock]).unwrap_or(ClockSpec::None)
    }

    fn start(&mut self, settings: &Settings) -> Then {
        match Opening::of(self.game(), &catalog::Options::new()) {
            Ok(opening) => {
                let level = (self.level > 0).then_some(self.level);
                Then::Game(Box::new(opening.from(None, self.clock())), [None, level])
            }
            Err(problem) => {
                self.message = said::refusal(settings.language, &problem.into());
                Then::Stay
            }
        }
    }

    fn type_key(&mut self, key: term::KeyEvent) -> Then {
        let Some((item, typed)) = &mut self.typed else { return Then::Stay };
        match typed.key(key) {
            Line::Typing => Then::Stay,
            Line::Cancelled => {
                self.typed = None;
                Then::Stay
            }
            Line::Complete => {
                let found = files::completions(&typed.text);
                typed.complete(found);
                Then::Stay
            }
            Line::Done(text) => {
                let item = *item;
                self.typed = None;
                self.typed_in(item, text.trim())
            }
        }
    }

    fn typed_in(&mut self, item: Item, text: &str) -> Then {
        let wrong = |problem: kernel::Problem| said::refusal(Language::English, &problem.into());
        match item {
            Item::Map => match Opening::of_map(&files::path(text), &[], &catalog::Options::new(), None) {
                Ok(opening) => Then::Game(Box::new(opening.from(None, self.clock())), [None; 2]),
                Err(problems) => {
                    self.message = problems.into_iter().map(wrong).collect::<Vec<_>>().join(" ");
                    Then::Stay
                }
            },
            Item::Record => {
                match files::load(&files::path(text)).and_then(|record| Local::of_record(&record)) {
                    Ok(local) => Then::Table(Box::new(local), [None; 2]),
                    Err(problem) => {
                        self.message = wrong(problem);
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

    pub fn draw(&mut self, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let area = screen.area;
        let left = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width.saturating_sub(2).min(34),
            height: area.height.saturating_sub(3),
        };
        let title = settings.say("hall", &[]);
        let x = write(screen, area, left.x, left.y, &title, settings.style(Role::Title));
        write(screen, area, x + 2, left.y, &settings.say("hall-line", &[]), settings.style(Role::Dim));
        self.rows.clear();
        let mut y = left.y + 2;
        for (index, item) in self.items.clone().into_iter().enumerate() {
            if matches!(item, Item::Map | Item::Opponent | Item::Quit) {
                y += 1;
            }
            self.draw_item(left, y, index, item, screen, settings);
            self.rows.push((y, index));
            y += 1;
        }
        let right = Rect {
            x: left.right() + 2,
            y: area.y + 3,
            width: area.right().saturating_sub(left.right() + 3),
            height: area.height.saturating_sub(6),
        };
        if right.width >= 20 {
            self.preview(right, screen, settings);
        }
        self.foot(screen, settings)
    }

    fn draw_item(
        &self,
        area: Rect,
        y: u16,
        index: usize,
        item: Item,
        screen: &mut Buffer,
        settings: &Settings,
    ) {
        let here = index == self.at;
        let style = if here { settings.style(Role::Cursor) } else { Style::new() };
        let (name, value) = match item {
            Item::Game(i) => {
                let family = &self.families[i];
                let name = settings.say(&format!("family-{}", family.key), &[]);
                let count = family.games.len();
                let value = if count > 1 { format!("{}/{count}", family.chosen + 1) } else { String::new() };
                (name, value)
            }
            Item::Map => (settings.say("tui-menu-map", &[]), String::new()),
            Item::Record => (settings.say("tui-menu-record", &[]), String::new()),
            Item::Hall => (settings.say("tui-menu-hall", &[]), String::new()),
            Item::Opponent => {
                let value = match self.level {
                    0 => settings.say("tui-two-people", &[]),
                    level => settings.say("tui-level-name", &[("level", &level.to_string())]),
                };
                (settings.say("tui-opponent", &[]), value)
            }
            Item::Clock => (settings.say("clock", &[]), clock_name(self.clock(), settings)),
            Item::Theme => {
                let theme = settings.paint.theme.key();
                (settings.say("theme", &[]), settings.say(&format!("theme-tui-{theme}"), &[]))
            }
            Item::Language => (settings.say("language", &[]), settings.say("tui-this-language", &[])),
            Item::Quit => (settings.say("tui-key-quit", &[]), String::new()),
        };
        let mark = if here { settings.sign("▸", ">") } else { " " };
        let line = format!("{mark} {name}");
        let gap = usize::from(area.width).saturating_sub(line.width() + value.width() + 1).max(1);
        let text = format!("{line}{}{value} ", " ".repeat(gap));
        write(screen, area, area.x, y, &cut(&text, area.width.into(), settings.paint.is_ascii()), style);
    }

    /// The game's board as it begins, its name, and what it is about.
    fn preview(&self, area: Rect, screen: &mut Buffer, settings: &Settings) {
        let key = self.game();
        let name = texts::game(settings.language, key);
        write(
            screen,
            area,
            area.x,
            area.y,
            &cut(&name, area.width.into(), settings.paint.is_ascii()),
            settings.style(Role::Title),
        );
        let about = said::known(settings.language, &format!("about-{}", key.replace('/', "-")), "");
        let about = if about.is_empty() { Vec::new() } else { wrapped(&about, area.width.into()) };
        for (i, line) in about.iter().take(3).enumerate() {
            write(screen, area, area.x, area.y + 1 + i as u16, line, settings.style(Role::Dim));
        }
        let top = 2 + about.len().min(3) as u16;
        let board = Rect { y: area.y + top, height: area.height.saturating_sub(top), ..area };
        let Some(game) =
            Opening::of(key, &catalog::Options::new()).ok().and_then(|opening| opening.open().ok())
        else {
            return;
        };
        let Ok(entry) = catalog::find(key) else { return };
        let view = game.view().into();
        let look = Look {
            board: &game.board(),
            view: &view,
            tones: entry.sides,
            paint: settings.paint,
            notation: game.notations().first().copied().unwrap_or_default(),
            cursor: None,
            touched: &[],
            targets: &[],
            ghosts: &[],
            lessons: &[],
            flipped: false,
        };
        look.draw(board, screen);
    }

    fn foot(&self, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let area = screen.area;
        let y = area.bottom().saturating_sub(2);
        write(
            screen,
            area,
            area.x + 2,
            y,
            &cut(&self.message, area.width.saturating_sub(3).into(), settings.paint.is_ascii()),
            settings.style(Role::Bad),
        );
        let mut at = None;
        if let Some((item, typed)) = &self.typed {
            let key = match item {
                Item::Map => "tui-type-map",
                Item::Record => "tui-type-load",
                _ => "tui-type-hall",
            };
            let x =
                write(screen, area, area.x + 2, y, &settings.say(key, &[]), settings.style(Role::Key)) + 1;
            write(screen, area, x, y, &typed.text, settings.style(Role::Active));
            let before: String = typed.text.chars().take(typed.at).collect();
            at = Some(Position { x: (x + before.width() as u16).min(area.right() - 1), y });
        }
        let hints = cut(
            &settings.say("tui-hints-menu", &[]),
            area.width.saturating_sub(3).into(),
            settings.paint.is_ascii(),
        );
        write(screen, area, area.x + 2, area.bottom() - 1, &hints, settings.style(Role::Foot));
        at
    }
}

/// A clock in words.
fn clock_name(clock: ClockSpec, settings: &Settings) -> String {
    let minutes = |ms: u64| (ms / 60_000).to_string();
    let seconds = |ms: u64| (ms / 1000).to_string();
    match clock {
        ClockSpec::None => settings.say("clock-none", &[]),
        ClockSpec::Fischer { base_ms, increment_ms } => settings
            .say("tui-clock-fischer", &[("minutes", &minutes(base_ms)), ("seconds", &seconds(increment_ms))]),
        ClockSpec::ByoYomi { base_ms, period_ms, periods } => settings.say(
            "tui-clock-byo-yomi",
            &[
                ("minutes", &minutes(base_ms)),
                ("periods", &periods.to_string()),
                ("seconds", &seconds(period_ms)),
            ],
        ),
        ClockSpec::PerMove { turn_ms } => {
            settings.say("clock-per-move-short", &[("seconds", &seconds(turn_ms))])
        }
    }
}
