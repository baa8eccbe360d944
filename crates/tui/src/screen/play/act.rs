//! The effects of keys and the mouse at a table.

use kernel::Cell;
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};

use super::{Confirmation, Play};
use crate::keys::{self, Action, Meaning};
use crate::screen::typed::{Typed, Use};
use crate::screen::{Settings, Then};
use crate::table::{Destination, UserAction, Visit};
use crate::{cursor, files, said, walk};

impl Play {
    pub(super) fn key(&mut self, key: term::KeyEvent, settings: &Settings, now_ms: u64) -> Then {
        if let Some(lines) = &mut self.help {
            match key.code {
                KeyCode::Down | KeyCode::Char('j' | ' ') | KeyCode::PageDown => *lines += 1,
                KeyCode::Up | KeyCode::Char('k') | KeyCode::PageUp => *lines = lines.saturating_sub(1),
                _ => self.help = None,
            }
            return Then::Stay;
        }
        if let Some((_, first)) = &mut self.about {
            match key.code {
                KeyCode::Down | KeyCode::Char('j' | ' ') | KeyCode::PageDown => *first += 1,
                KeyCode::Up | KeyCode::Char('k') | KeyCode::PageUp => *first = first.saturating_sub(1),
                _ => self.about = None,
            }
            return Then::Stay;
        }
        if self.typed.is_some() {
            return self.type_key(key, settings, now_ms);
        }
        if let Some((asked, _)) = self.asked.take() {
            return if matches!(key.code, KeyCode::Char('y' | 'Y') | KeyCode::Enter) {
                self.agreed(asked, settings, now_ms)
            } else {
                Then::Stay
            };
        }
        if self.editor.is_some() {
            return self.edit_key(key, settings);
        }
        if self.prefix.is_empty() && self.button_key(key, settings, now_ms) {
            return Then::Stay;
        }
        self.message = None;
        self.picks.clear();
        match keys::meaning(&std::mem::take(&mut self.prefix), key) {
            Meaning::Action(action) => self.act(action, settings, now_ms),
            Meaning::Prefix(keys) => {
                self.prefix = keys;
                Then::Stay
            }
            Meaning::Nothing(keys) => {
                match key.code {
                    // Moves often begin with a figure, a bracket or a character: the line opens with it.
                    KeyCode::Char(c) if c.is_ascii_digit() || c == '(' || !c.is_ascii() => {
                        let mut typed = Typed::new(Use::Move);
                        typed.insert(&c.to_string());
                        self.typed = Some(typed);
                    }
                    _ => self.say_bad(settings.say("tui-no-such-key", &[("keys", &keys)])),
                }
                Then::Stay
            }
        }
    }

    /// Handles a key that presses a button: the key that the button names, or its number among those that name none.
    fn button_key(&mut self, key: term::KeyEvent, settings: &Settings, now_ms: u64) -> bool {
        if self.past.is_some() {
            return false;
        }
        let buttons = self.buttons();
        let named = keys::web_name(key).and_then(|name| buttons.iter().position(|b| b.key == name));
        let numbered = || {
            let KeyCode::Char(c @ '1'..='9') = key.code else { return None };
            let unnamed = buttons.iter().enumerate().filter(|(_, b)| b.key.is_empty());
            unnamed.map(|(i, _)| i).nth(c as usize - '1' as usize)
        };
        match named.or_else(numbered) {
            Some(button) => {
                self.message = None;
                self.press(button, settings, now_ms);
                true
            }
            None => false,
        }
    }

    pub(super) fn mouse(&mut self, mouse: term::MouseEvent, settings: &Settings, now_ms: u64) -> Then {
        if let Some((_, first)) = &mut self.about {
            match mouse.kind {
                MouseEventKind::ScrollUp => *first = first.saturating_sub(1),
                MouseEventKind::ScrollDown => *first += 1,
                MouseEventKind::Down(_) => self.about = None,
                _ => {}
            }
            return Then::Stay;
        }
        match mouse.kind {
            MouseEventKind::ScrollUp => return self.act(Action::Back, settings, now_ms),
            MouseEventKind::ScrollDown => return self.act(Action::On, settings, now_ms),
            MouseEventKind::Down(button) => {
                let on_button = |&&(from, to, row, _): &&(u16, u16, u16, usize)| {
                    row == mouse.row && (from..to).contains(&mouse.column)
                };
                if let Some(&(.., index)) = self.pressed.iter().find(on_button) {
                    self.press(index, settings, now_ms);
                    return Then::Stay;
                }
                let Some(cell) = self.drawn.cell_at(mouse.column, mouse.row) else { return Then::Stay };
                if !self.scene().board.is_place(cell) {
                    return Then::Stay;
                }
                self.message = None;
                self.cursor = cell;
                match (button, &self.editor) {
                    (MouseButton::Left, Some(_)) => self.edit_touch(),
                    (MouseButton::Left, None) => self.touch(cell, settings, now_ms),
                    _ => self.tell_about(settings),
                }
            }
            _ => {}
        }
        Then::Stay
    }

    fn act(&mut self, action: Action, settings: &Settings, now_ms: u64) -> Then {
        let sign = if self.flipped { -1 } else { 1 };
        match action {
            Action::Up => self.go(0, -sign),
            Action::Down => self.go(0, sign),
            Action::Left => self.go(-sign, 0),
            Action::Right => self.go(sign, 0),
            Action::Touch => self.touch(self.cursor, settings, now_ms),
            Action::Clear => self.clear(),
            Action::NextPlace => self.jump(1),
            Action::LastPlace => self.jump(-1),
            Action::Type => self.typed = Some(Typed::new(Use::Move)),
            Action::Save => self.typed = Some(self.save_line(settings)),
            Action::Load => {
                self.say(settings.say("tui-choose-file", &[]));
                self.typed = Some(Typed::with(Use::Load, &format!("{}/", settings.folder.display())));
            }
            Action::Undo => self.undo(settings, now_ms),
            Action::Redo => {
                self.wish(UserAction::Redo, settings, now_ms);
            }
            Action::Back => self.walk_by(-1, settings),
            Action::On => self.walk_by(1, settings),
            Action::Start => self.look_at(0),
            Action::Now => self.look_now(),
            Action::Run => self.run(now_ms),
            Action::Flip => {
                self.flipped ^= true;
            }
            Action::Notation => self.next_notation(settings),
            Action::Lessons => self.show_lessons(settings),
            Action::About => self.tell_about(settings),
            Action::Analyse => self.analyse(settings),
            Action::SetUp => self.set_up(settings),
            Action::OtherSide => self.other_side(settings, now_ms),
            Action::Help => self.help = Some(0),
            Action::Directions => return Then::Directions,
            Action::Targets => return Then::Targets,
            Action::Theme => return Then::Theme,
            Action::Language => {
                self.message = None;
                return Then::Language;
            }
            Action::Rematch => return self.rematch(settings, now_ms),
            Action::Swap => {
                self.wish(UserAction::Swap, settings, now_ms);
            }
            Action::Accept => self.answer_offer(true, settings, now_ms),
            Action::Decline => self.answer_offer(false, settings, now_ms),
            Action::Sit => {
                self.wish(UserAction::Sit, settings, now_ms);
            }
            Action::Abort => {
                self.wish(UserAction::Abort, settings, now_ms);
            }
            Action::Claim => {
                self.wish(UserAction::Claim, settings, now_ms);
            }
            Action::New if self.is_running() => self.ask(Confirmation::New, settings),
            Action::New => return self.agreed(Confirmation::New, settings, now_ms),
            Action::Menu if self.is_running() => self.ask(Confirmation::Menu, settings),
            Action::Menu => return Then::Menu,
            Action::Quit if self.is_running() => self.ask(Confirmation::Quit, settings),
            Action::Quit => return Then::Quit,
            Action::Draw => self.ask(Confirmation::Draw, settings),
            Action::Resign => self.ask(Confirmation::Resign, settings),
        }
        Then::Stay
    }

    /// Returns true if leaving would lose unsaved moves of a game at this keyboard.
    pub(super) fn is_running(&self) -> bool {
        let scene = self.scene();
        scene.away.is_none() && scene.end.is_none() && !scene.record.is_empty() && !self.saved
    }

    /// Saves an unsaved game because the program must end; returns the message about it.
    pub(in crate::screen) fn save_unasked(&mut self, settings: &Settings) -> Option<String> {
        if !self.is_running() {
            return None;
        }
        let path = settings.folder.join(files::name(&jiff::Zoned::now()));
        let file = path.display().to_string();
        Some(match self.table.local()?.save(&path, &settings.folder) {
            Ok(()) => settings.say("tui-left-saved", &[("file", &file)]),
            Err(problem) => {
                let reason = said::refusal(settings.language, &problem.into());
                settings.say("tui-left-unsaved", &[("reason", &reason)])
            }
        })
    }

    pub(super) fn ask(&mut self, asked: Confirmation, settings: &Settings) {
        if matches!(asked, Confirmation::Draw | Confirmation::Resign)
            && let Some(end) = &self.scene().end
        {
            let end = said::end(settings.language, self.scene(), end);
            return self.say_bad(settings.say("tui-over", &[("end", &end)]));
        }
        let key = match asked {
            Confirmation::Resign => "ask-resign",
            Confirmation::Draw if self.scene().away.is_some() => "tui-ask-offer-draw",
            Confirmation::Draw => "ask-draw",
            Confirmation::New => "tui-ask-new",
            Confirmation::Quit => "tui-ask-quit",
            Confirmation::Menu => "tui-ask-menu",
        };
        self.asked = Some((asked, settings.say(key, &[])));
    }

    pub(super) fn agreed(&mut self, asked: Confirmation, settings: &Settings, now_ms: u64) -> Then {
        match asked {
            Confirmation::Quit => return Then::Quit,
            Confirmation::Menu => return Then::Menu,
            Confirmation::Resign => {
                self.wish(UserAction::Resign, settings, now_ms);
            }
            Confirmation::Draw => {
                self.wish(UserAction::Draw, settings, now_ms);
            }
            Confirmation::New => {
                let levels = self.bots.levels;
                let Some(local) = self.table.local() else {
                    return self.rematch(settings, now_ms);
                };
                return match local.again() {
                    Ok(again) => Then::Table(Box::new(again), levels),
                    Err(problem) => {
                        self.say_bad(said::refusal(settings.language, &problem.into()));
                        Then::Stay
                    }
                };
            }
        }
        Then::Stay
    }

    /// Moves the cursor by a place; the direction is the board's, not the screen's.
    pub(super) fn go(&mut self, dx: i32, dy: i32) {
        self.cursor = cursor::step(&self.table.scene().board, self.cursor, dx, dy);
    }

    /// Moves the cursor to the next place that can be touched.
    pub(super) fn jump(&mut self, by: i32) {
        let mut cells: Vec<Cell> = walk::targets(&walk::distinct(&self.scene().view), &self.touched)
            .iter()
            .map(|t| t.cell)
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let next = if (by > 0) != self.flipped {
            cells.iter().find(|&&cell| cell > self.cursor).or(cells.first())
        } else {
            cells.iter().rev().find(|&&cell| cell < self.cursor).or(cells.last())
        };
        if let Some(&cell) = next {
            self.cursor = cell;
        }
    }

    pub(super) fn clear(&mut self) {
        self.touched.clear();
        self.picks.clear();
        self.warned = None;
        self.look_now();
    }

    pub(super) fn undo(&mut self, settings: &Settings, now_ms: u64) {
        if self.past.is_some() {
            self.look_now();
        }
        self.bots.stop();
        let here = self.scene().away.is_none();
        if self.wish(UserAction::Undo, settings, now_ms) && here {
            // As emacs-chess-cn has it; within a turn of several steps one stays where one is.
            if !self.scene().view.pieces.is_empty() && self.scene().view.buttons.is_empty() {
                self.go_home();
            }
        }
    }

    /// Returns the address of the table's hall; `None` for a game at this keyboard.
    pub(in crate::screen) fn hall(&self) -> Option<&str> {
        let link = &self.scene().away.as_ref()?.link;
        link.rsplit_once("/t/").map(|(base, _)| base)
    }

    pub(super) fn rematch(&mut self, settings: &Settings, now_ms: u64) -> Then {
        let away = self.scene().away.clone();
        match away {
            Some(away) => {
                if let Some(next) = away.next {
                    let base = self.hall().unwrap_or_default().to_owned();
                    let wanted = Destination::Table(next);
                    return Then::Visit(Box::new(Visit { base, wanted, watch: false }));
                }
                self.wish(UserAction::Rematch, settings, now_ms);
                Then::Stay
            }
            None => self.agreed(Confirmation::New, settings, now_ms),
        }
    }

    pub(super) fn answer_offer(&mut self, yes: bool, settings: &Settings, now_ms: u64) {
        let Some(what) = said::answered(self.scene(), yes) else {
            return self.say_bad(settings.say("tui-no-offer", &[]));
        };
        let own = self.scene().offers.iter().any(|(side, of)| *of == what && self.scene().you.contains(side));
        if !own && self.offers_are_new(now_ms) {
            return self.say_bad(settings.say("problem-offer-unseen", &[]));
        }
        self.wish(if yes { UserAction::Accept(what) } else { UserAction::Decline(what) }, settings, now_ms);
    }
}
