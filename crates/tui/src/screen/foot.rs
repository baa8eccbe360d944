//! The three lines at the bottom: messages, prompts or typed text, keys.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_width::UnicodeWidthStr;
use wire::Offered;

use super::play::Play;
use super::typed::{Typed, Use};
use super::{Settings, cut, wrapped, write};
use crate::keys;
use crate::paint::Role;

impl Play {
    /// Draws the three lines; returns the position of the terminal's cursor while a line is typed.
    pub(super) fn draw_foot(
        &mut self,
        area: Rect,
        screen: &mut Buffer,
        settings: &Settings,
        alone: bool,
        now_ms: u64,
    ) -> Option<Position> {
        self.pressed.clear();
        let (text, role) = self.status(settings, alone, now_ms);
        // What does not fit into a row may have the next one, where nothing else is there.
        let free = self.typed.is_none() && self.asked.is_none() && self.buttons().is_empty();
        let (columns, style) = (usize::from(area.width), settings.style(role));
        let lines = if free { wrapped(&text, columns) } else { vec![text] };
        let (first, second) = (&lines[0], lines.get(1..).unwrap_or_default().join(" "));
        for (i, line) in (0..).zip([first, &second]) {
            write(screen, area, area.x, area.y + i, &cut(line, columns, settings.paint.is_ascii()), style);
        }
        let y = area.y + 1;
        let position = match (&self.typed, &self.asked) {
            (Some(typed), _) => draw_typed(typed, area, y, screen, settings),
            (None, Some((_, question))) => {
                let text = settings.say("tui-yes-no", &[("question", question)]);
                let x = write(screen, area, area.x, y, &text, settings.style(Role::Warning));
                Some(Position { x: x.min(area.right().saturating_sub(1)), y })
            }
            (None, None) => {
                self.draw_buttons(area, y, screen, settings);
                None
            }
        };
        let hints = if self.prefix.is_empty() { self.hints(settings) } else { format!("{}-", self.prefix) };
        let hints = cut(&hints, area.width.into(), settings.paint.is_ascii());
        write(screen, area, area.x, area.y + 2, &hints, settings.style(Role::Foot));
        position
    }

    /// Returns the message line: the last message, or the state of the game.
    fn status(&self, settings: &Settings, alone: bool, now_ms: u64) -> (String, Role) {
        let scene = self.scene();
        if let Some(message) = &self.message {
            return (message.text.clone(), if message.bad { Role::Bad } else { Role::Good });
        }
        if self.is_waiting(now_ms) {
            return (settings.say("sending", &[]), Role::Warning);
        }
        if let Some((plies, _)) = &self.past {
            let (at, of) = (plies.to_string(), scene.record.len().to_string());
            return (settings.say("tui-looking-back", &[("at", &at), ("of", &of)]), Role::Warning);
        }
        if let Some(end) = &scene.end {
            return (crate::said::end(settings.language, scene, end), Role::Good);
        }
        if self.editor.is_some() {
            return (settings.say("tui-set-up-keys", &[]), Role::Active);
        }
        let side = scene.side(settings.language, scene.turn());
        let text = match &scene.view.prompt {
            Some(prompt) => {
                let asked = settings.say(&format!("prompt-{}", prompt.key), &[]);
                let steps =
                    if prompt.of > 1 { format!(" {}/{}", prompt.step, prompt.of) } else { String::new() };
                settings.say("tui-asked", &[("side", &side), ("steps", &steps), ("prompt", &asked)])
            }
            None if scene.you.is_empty() => {
                let watching = settings.say("watching", &[("side", &side)]);
                let free = scene.away.as_ref().is_some_and(|away| away.seated.contains(&false));
                if free { format!("{watching} {}", settings.say("tui-seat-free", &[])) } else { watching }
            }
            None => settings.say("turn-of", &[("side", &side)]),
        };
        if !alone {
            return (text, Role::Active);
        }
        let text = if text.contains(&side) { text } else { format!("{side}: {text}") };
        let waited = self.waited(settings, now_ms);
        ([vec![text], waited].concat().join("  "), Role::Active)
    }

    /// Draws the moves that have buttons, each with its key; blocked ones are dim.
    fn draw_buttons(&mut self, area: Rect, y: u16, screen: &mut Buffer, settings: &Settings) {
        if self.past.is_some() || self.editor.is_some() {
            return;
        }
        let view = self.scene().view.clone();
        let mut x = area.x;
        let mut number = 0;
        for (index, button) in self.buttons().iter().enumerate() {
            let legal = match &view.moves {
                Offered::Listed(moves) => moves.iter().any(|m| m.text == button.text),
                Offered::Every(_) => true,
            };
            let key = if button.key.is_empty() {
                number += 1;
                number.to_string()
            } else {
                keys::shown(&button.key, settings.paint.is_ascii()).to_owned()
            };
            let name = if self.picks.is_empty() {
                settings.say(&format!("button-{}", button.name), &[])
            } else {
                button.name.to_string()
            };
            let text = if legal {
                format!("[{key}] {name}")
            } else {
                format!(" {key}  {name} {}", settings.sign("×", "x"))
            };
            let role = if legal { Role::Key } else { Role::Dim };
            let end = write(screen, area, x, y, &text, settings.style(role));
            self.pressed.push((x, end, y, index));
            x = end + 2;
        }
    }

    fn hints(&self, settings: &Settings) -> String {
        let key = match () {
            () if self.editor.is_some() => "tui-hints-set-up",
            () if self.typed.is_some() => "tui-hints-typed",
            () if self.past.is_some() => "tui-hints-past",
            () if self.scene().away.is_some() => "tui-hints-hall",
            () if self.buttons().iter().any(|button| !button.key.is_empty()) => "tui-hints-buttons",
            () => "tui-hints",
        };
        settings.say(key, &[])
    }
}

/// Draws the line being typed, with its completions behind it.
fn draw_typed(
    typed: &Typed,
    area: Rect,
    y: u16,
    screen: &mut Buffer,
    settings: &Settings,
) -> Option<Position> {
    let key = match typed.what {
        Use::Move => "tui-type-move",
        Use::Save => "tui-type-save",
        Use::Load => "tui-type-load",
        Use::Fen => "tui-type-fen",
    };
    let x = write(screen, area, area.x, y, &settings.say(key, &[]), settings.style(Role::Key)) + 1;
    let room = usize::from(area.right().saturating_sub(x + 1));
    // The end of a long line is what one types at.
    let before: String = typed.text.chars().take(typed.at).collect();
    let mut hidden = 0;
    while before.chars().skip(hidden).collect::<String>().width() > room.saturating_sub(1) {
        hidden += 1;
    }
    let shown: String = typed.text.chars().skip(hidden).collect();
    let end = write(screen, area, x, y, &shown, settings.style(Role::Active));
    if !typed.offered.is_empty() {
        let offered = typed.offered.join("  ");
        let room = usize::from(area.right().saturating_sub(end + 3));
        write(
            screen,
            area,
            end + 3,
            y,
            &cut(&offered, room, settings.paint.is_ascii()),
            settings.style(Role::Dim),
        );
    }
    let at = before.chars().skip(hidden).collect::<String>().width() as u16;
    Some(Position { x: (x + at).min(area.right().saturating_sub(1)), y })
}
