//! Drawing of a table: the board at the left, beside it the players, the moves and further information.

mod told;

use kernel::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::play::Play;
use super::{Settings, cut, wrapped, write, write_right};
use crate::board::Look;
use crate::paint::{Role, is_character};
use crate::{clock, said, walk};

/// The least width of the panel, in columns; if the board leaves less, there is no panel.
const NARROWEST: u16 = 24;
/// The greatest width of the panel, in columns.
const WIDEST: u16 = 46;
/// The rows at the foot: the message, the prompt or typed line, the keys.
const FOOT: u16 = 3;

impl Play {
    /// Draws the table; returns the position of the terminal's cursor.
    pub fn draw(&mut self, screen: &mut Buffer, settings: &Settings, now_ms: u64) -> Option<Position> {
        self.settle_notation(settings);
        let area = screen.area;
        let high = area.height.saturating_sub(FOOT).max(1);
        let foot =
            Rect { y: area.y + high.min(area.height), height: area.height.saturating_sub(high), ..area };
        let main = Rect { height: high, ..area };
        let (board, panel) = self.halves(main, settings);
        let in_board = self.draw_board(board, screen, settings);
        if let Some(panel) = panel {
            self.draw_panel(panel, screen, settings, now_ms);
        }
        let in_foot = self.draw_foot(foot, screen, settings, panel.is_none(), now_ms);
        if self.about.is_some() {
            let title = said::place(settings.language, self.scene(), self.cursor);
            if let Some((lines, first)) = &mut self.about {
                *first = super::help::sheet(screen, settings, &title, lines, *first);
            }
            return None;
        }
        if let Some(first) = &mut self.help {
            *first = super::help::draw(screen, settings, *first);
            return None;
        }
        in_foot.or(in_board)
    }

    /// Returns the areas of the board and, if there is room, of the panel.
    fn halves(&self, main: Rect, settings: &Settings) -> (Rect, Option<Rect>) {
        let view = self.shown_view();
        let look = self.look(&view, settings, &[]);
        // The board is as large as the height allows; what it leaves is the panel's.
        let room = Rect { width: main.width.saturating_sub(NARROWEST + 1), ..main };
        let (needed, _) = look.grid(room).size();
        let panel = main.width.saturating_sub(needed.min(room.width) + 1);
        if panel < NARROWEST || main.height < 10 {
            return (main, None);
        }
        let panel = panel.min(WIDEST.max(main.width / 3));
        let left = Rect { width: main.width - panel - 1, ..main };
        (left, Some(Rect { x: main.x + main.width - panel, width: panel, ..main }))
    }

    fn shown_view(&self) -> wire::View {
        match &self.editor {
            Some(editor) => editor.view(&self.scene().view),
            None => self.view().clone(),
        }
    }

    fn look<'a>(
        &'a self,
        view: &'a wire::View,
        settings: &Settings,
        targets: &'a [walk::Target],
    ) -> Look<'a> {
        let scene = self.scene();
        let playing = self.past.is_none() && self.editor.is_none();
        Look {
            board: &scene.board,
            view,
            tones: [&scene.sides[0], &scene.sides[1]],
            paint: settings.paint,
            notation: self.notation_key(),
            cursor: Some(self.cursor),
            touched: if playing { &self.touched } else { &[] },
            targets,
            lessons: self.lessons.as_deref().unwrap_or_default(),
            flipped: self.flipped,
        }
    }

    fn draw_board(&mut self, area: Rect, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let view = self.shown_view();
        let shown = self.past.is_none() && self.editor.is_none() && self.scene().may_move();
        let targets = if shown { walk::targets(&view, &self.touched) } else { Vec::new() };
        let look = self.look(&view, settings, &targets);
        let drawn = look.draw(area, screen);
        let at = drawn.position(self.cursor);
        self.drawn = drawn;
        at
    }

    fn draw_panel(&mut self, area: Rect, screen: &mut Buffer, settings: &Settings, now_ms: u64) {
        let scene = self.scene();
        let name = scene.title(settings.language);
        let mut y = area.y;
        for line in wrapped(&name, area.width.into()).iter().take(2) {
            write(screen, area, area.x, y, line, settings.style(Role::Title));
            y += 1;
        }
        if let Some(away) = &scene.away {
            let text = match &away.room {
                Some(room) => settings.say("tui-room", &[("room", room)]),
                None => away.link.clone(),
            };
            // A link is read and typed by another person: it is not cut.
            for line in wrapped(&text, area.width.into()).iter().take(3) {
                write(screen, area, area.x, y, line, settings.style(Role::Dim));
                y += 1;
            }
        }
        let far = if self.flipped { Side::First } else { Side::Second };
        self.strip(area, y, far, screen, settings, now_ms);
        let told = self.told(area.width.into(), settings, now_ms);
        let low = area.bottom().saturating_sub(1 + told.len() as u16 + 1);
        self.strip(area, low, far.other(), screen, settings, now_ms);
        for (i, (line, style)) in told.iter().enumerate() {
            write(screen, area, area.x, low + 1 + i as u16, line, *style);
        }
        let place = said::place(settings.language, scene, self.cursor);
        let place = cut(&place, area.width.into(), settings.paint.is_ascii());
        write(screen, area, area.x, area.bottom() - 1, &place, settings.style(Role::Dim));
        let moves = Rect { y: y + 2, height: low.saturating_sub(y + 3), ..area };
        self.draw_moves(moves, screen, settings);
    }

    /// Draws one player: the mark of the side to move, the colour, the name, the clock.
    fn strip(&self, area: Rect, y: u16, side: Side, screen: &mut Buffer, settings: &Settings, now_ms: u64) {
        let scene = self.scene();
        let moves = scene.end.is_none() && scene.turn() == side;
        let style = if moves { settings.style(Role::Active) } else { Style::new() };
        let x = write(screen, area, area.x, y, if moves { settings.sign("▶", ">") } else { " " }, style);
        let x = self.badge(area, x, y, side, screen, settings);
        let mut name = scene.side(settings.language, side);
        let player = &scene.players[side.index()];
        if !player.is_empty() {
            name = format!("{name} {player}");
        }
        if let Some(level) = scene.away.as_ref().and_then(|away| away.levels[side.index()]) {
            let level = settings.say("tui-level-name", &[("level", &level.to_string())]);
            name = settings.say("tui-who", &[("name", &name), ("who", &level)]);
        }
        if let Some(away) = &scene.away {
            let key = if scene.you.contains(&side) {
                "you"
            } else if !away.seated[side.index()] {
                "seat-free"
            } else if !away.here[side.index()] {
                "is-away"
            } else {
                ""
            };
            if !key.is_empty() {
                name = settings.say("tui-who", &[("name", &name), ("who", &settings.say(key, &[]))]);
            }
        } else if moves && self.bots.is_thinking() {
            name = settings.say("tui-thinks", &[("name", &name)]);
        }
        let reading = scene.reading(side, now_ms).map(|reading| {
            let role = match reading.ms {
                0..10_000 if reading.runs => Role::Bad,
                0..20_000 if reading.runs => Role::Warning,
                _ => Role::Active,
            };
            let periods =
                reading.periods.map_or_else(String::new, |p| format!(" {}{p}", settings.sign("×", "x")));
            (format!("{}{periods}", clock::text(reading.ms, settings.language)), role)
        });
        let time = reading.as_ref().map_or(0, |(text, _)| text.width() + 1);
        let room = usize::from(area.right().saturating_sub(x + 1)).saturating_sub(time);
        write(screen, area, x + 1, y, &cut(&name, room, settings.paint.is_ascii()), style);
        if let Some((text, role)) = reading {
            write_right(screen, area, y, &text, settings.style(role));
        }
    }

    /// Draws a small piece of the side's colour; returns the column behind it.
    fn badge(&self, area: Rect, x: u16, y: u16, side: Side, screen: &mut Buffer, settings: &Settings) -> u16 {
        let scene = self.scene();
        let own = |p: &&wire::Piece| p.owner == Some(side);
        let face =
            scene.view.pieces.iter().find(own).or(scene.view.pieces.first()).map_or("stone", |p| &*p.face);
        let ground = settings.style(Role::Ground);
        let tone = scene.tone(side);
        if is_character(face) {
            // The general, where there is one: every piece of the side would do.
            let style = settings.paint.piece(tone, true, ground);
            let sign = match settings.paint.sign("general", tone) {
                sign if scene.view.pieces.iter().any(|p| p.face == "general") => sign,
                _ => "  ".to_owned(),
            };
            return write(screen, area, x, y, &sign, style);
        }
        let ground = match scene.board.lines {
            kernel::Lines::Points => ground,
            kernel::Lines::Cells => settings.style(Role::Square),
        };
        let face = if face == "king" { "man" } else { face };
        let sign = format!(" {} ", settings.paint.sign(face, tone));
        write(screen, area, x, y, &sign, settings.paint.piece(tone, false, ground))
    }

    /// Draws the moves with the newest in view and the displayed one highlighted.
    fn draw_moves(&self, area: Rect, screen: &mut Buffer, settings: &Settings) {
        let rows = self.move_rows();
        let at = self.past.as_ref().map_or(self.scene().record.len(), |(plies, _)| *plies);
        let current =
            rows.iter().rposition(|row| row.cells.iter().flatten().any(|(from, ..)| *from < at)).unwrap_or(0);
        let high = usize::from(area.height);
        let first = (current + 1)
            .saturating_sub(high.saturating_sub(high / 4).max(1))
            .min(rows.len().saturating_sub(high));
        let number = 4;
        let column = (area.width.saturating_sub(number)) / 2;
        for (i, row) in rows.iter().skip(first).take(high).enumerate() {
            let y = area.y + i as u16;
            write(screen, area, area.x, y, &format!("{:>3}.", row.number), settings.style(Role::Dim));
            for (side, cell) in row.cells.iter().enumerate() {
                let Some((from, to, text)) = cell else { continue };
                let now = *from < at && at <= *to;
                let style = if now { settings.style(Role::Cursor) } else { Style::new() };
                let x = area.x + number + side as u16 * column;
                let room = usize::from(column.saturating_sub(1));
                write(screen, area, x, y, &cut(text, room, settings.paint.is_ascii()), style);
            }
        }
        if rows.is_empty() {
            let about = self.about(settings);
            for (i, line) in wrapped(&about, area.width.into()).iter().take(high).enumerate() {
                write(screen, area, area.x, area.y + i as u16, line, settings.style(Role::Dim));
            }
        }
    }

    /// Returns the description of a game that has not begun.
    fn about(&self, settings: &Settings) -> String {
        let key = format!("about-{}", self.scene().game.replace('/', "-"));
        said::known(settings.language, &key, "")
    }

    /// Returns the turns in rows: the first side's and the second's.
    fn move_rows(&self) -> Vec<Row> {
        let scene = self.scene();
        let mut rows: Vec<Row> = Vec::new();
        let mut ply = 0;
        while ply < scene.record.len() {
            let side = scene.record[ply].1;
            let end =
                (ply..scene.record.len()).find(|&i| scene.record[i].1 != side).unwrap_or(scene.record.len());
            let names: Vec<&str> = (ply..end).map(|i| scene.name(i, self.notation)).collect();
            let cell = (ply, end, said::turn(&names));
            match rows.last_mut() {
                Some(row) if side == Side::Second && row.cells[1].is_none() => row.cells[1] = Some(cell),
                _ => {
                    let mut row = Row { number: rows.len() + 1, cells: [None, None] };
                    row.cells[side.index()] = Some(cell);
                    rows.push(row);
                }
            }
            ply = end;
        }
        rows
    }
}

/// A row of the list of moves: for each side the first ply, the ply after the last, and the text.
struct Row {
    number: usize,
    cells: [Option<(usize, usize, String)>; 2],
}
