//! Drawing of the menu: its lines at the left, the selected game at the right.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use texts::Language;
use unicode_width::UnicodeWidthStr;

use super::{Item, Menu};
use crate::board::Look;
use crate::paint::Role;
use crate::screen::{Settings, cut, usual_notation, wrapped, write};

impl Menu {
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
            self.preview_in(right, screen, settings);
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
            Item::Clock => (settings.say("clock", &[]), crate::clock::name(self.clock(), settings.language)),
            Item::Theme => {
                let theme = settings.paint.theme.key();
                (settings.say("theme", &[]), settings.say(&format!("theme-tui-{theme}"), &[]))
            }
            Item::Language => (settings.say("language", &[]), settings.say("tui-this-language", &[])),
            Item::Quit => (settings.say("tui-menu-quit", &[]), String::new()),
        };
        let mark = if here { settings.sign("▸", ">") } else { " " };
        let line = format!("{mark} {name}");
        let gap = usize::from(area.width).saturating_sub(line.width() + value.width() + 1).max(1);
        let text = format!("{line}{}{value} ", " ".repeat(gap));
        write(screen, area, area.x, y, &cut(&text, area.width.into(), settings.paint.is_ascii()), style);
    }

    /// Draws the start position of the game, its name and its description.
    fn preview_in(&mut self, area: Rect, screen: &mut Buffer, settings: &Settings) {
        let (game, columns, ascii) = (self.game(), usize::from(area.width), settings.paint.is_ascii());
        let name = cut(&game.name(settings.language), columns, ascii);
        write(screen, area, area.x, area.y, &name, settings.style(Role::Title));
        let about = game.about(settings.language);
        let about = if about.is_empty() { Vec::new() } else { wrapped(&about, columns) };
        for (i, line) in about.iter().take(3).enumerate() {
            write(screen, area, area.x, area.y + 1 + i as u16, line, settings.style(Role::Dim));
        }
        let top = 2 + about.len().min(3) as u16;
        let board = Rect { y: area.y + top, height: area.height.saturating_sub(top), ..area };
        let Some(shown) = self.preview() else { return };
        let view = shown.view();
        let look = Look {
            board: &shown.board(),
            view: &view,
            tones: game.sides(),
            paint: settings.paint,
            notation: notation_of(shown.notations(), settings),
            cursor: None,
            touched: &[],
            targets: &[],
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
        let other = match settings.language {
            Language::English => settings.sign("中文", "Chinese"),
            Language::Chinese => "English",
        };
        let hints = cut(
            &settings.say("tui-hints-menu", &[("other", other)]),
            area.width.saturating_sub(3).into(),
            settings.paint.is_ascii(),
        );
        write(screen, area, area.x + 2, area.bottom() - 1, &hints, settings.style(Role::Foot));
        at
    }
}

/// Returns the default notation, which is used until the user chooses another.
fn notation_of<'a>(notations: &[&'a str], settings: &Settings) -> &'a str {
    notations.get(usual_notation(notations, settings)).copied().unwrap_or_default()
}
