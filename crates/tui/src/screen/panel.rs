//! A table drawn: the board at the left, beside it who plays, the moves and what there is to know.

use kernel::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use texts::say;
use unicode_width::UnicodeWidthStr;

use super::play::Play;
use super::{Settings, cut, wrapped, write, write_right};
use crate::board::Look;
use crate::paint::{Role, is_character};
use crate::{clock, said, walk};

/// Columns of the panel at least; where the board leaves fewer, there is none.
const NARROWEST: u16 = 24;
/// And at most.
const WIDEST: u16 = 46;
/// Rows at the foot: what is said, what is asked or typed, the keys.
const FOOT: u16 = 3;

/// Arrows by direction: up left, up, up right, left, right, down left, down, down right.
const ARROWS: [&str; 8] = ["↖", "↑", "↗", "←", "→", "↙", "↓", "↘"];
const ASCII_ARROWS: [&str; 8] = ["ul", "u", "ur", "l", "r", "dl", "d", "dr"];

impl Play {
    /// Draws the table; returns where the terminal's own cursor belongs.
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
        let in_foot = self.draw_foot(foot, screen, settings, panel.is_none());
        if let Some(first) = &mut self.help {
            *first = super::help::draw(screen, settings, *first);
            return None;
        }
        in_foot.or(in_board)
    }

    /// Where the board is, and where the panel, if there is room for one.
    fn halves(&self, main: Rect, settings: &Settings) -> (Rect, Option<Rect>) {
        let view = self.shown_view();
        let look = self.look(&view, settings, &[], &[]);
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
        ghosts: &'a [kernel::Cell],
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
            ghosts,
            lessons: self.lessons.as_deref().unwrap_or_default(),
            flipped: self.flipped,
        }
    }

    fn draw_board(&mut self, area: Rect, screen: &mut Buffer, settings: &Settings) -> Option<Position> {
        let view = self.shown_view();
        let shown = self.past.is_none() && self.editor.is_none() && self.scene().may_move();
        let targets = if shown { walk::targets(&view, &self.touched) } else { Vec::new() };
        let ghosts: Vec<kernel::Cell> = Vec::new();
        let look = self.look(&view, settings, &targets, &ghosts);
        let drawn = look.draw(area, screen);
        let at = drawn.position(self.cursor);
        self.drawn = drawn;
        at
    }

    fn draw_panel(&mut self, area: Rect, screen: &mut Buffer, settings: &Settings, now_ms: u64) {
        let scene = self.scene();
        let name = texts::game(settings.language, &scene.game);
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
            write(
                screen,
                area,
                area.x,
                y,
                &cut(&text, area.width.into(), settings.paint.is_ascii()),
                settings.style(Role::Dim),
            );
            y += 1;
        }
        let far = if self.flipped { Side::First } else { Side::Second };
        self.strip(area, y, far, screen, settings, now_ms);
        let told = self.told(area.width.into(), settings);
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

    /// One player: whether they move, their colour, their name, their clock.
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
            (format!("{}{periods}", clock::text(reading.ms)), role)
        });
        let time = reading.as_ref().map_or(0, |(text, _)| text.width() + 1);
        let room = usize::from(area.right().saturating_sub(x + 1)).saturating_sub(time);
        write(screen, area, x + 1, y, &cut(&name, room, settings.paint.is_ascii()), style);
        if let Some((text, role)) = reading {
            write_right(screen, area, y, &text, settings.style(role));
        }
    }

    /// A small piece of the side's colour.
    fn badge(&self, area: Rect, x: u16, y: u16, side: Side, screen: &mut Buffer, settings: &Settings) -> u16 {
        let scene = self.scene();
        let own = |p: &&wire::Piece| p.1 == Some(side.into());
        let face =
            scene.view.pieces.iter().find(own).or(scene.view.pieces.first()).map_or("stone", |p| &*p.2);
        let ground = settings.style(Role::Ground);
        let tone = scene.tone(side);
        if is_character(face) {
            // The general, where there is one: every piece of the side would do.
            let style = settings.paint.piece(tone, true, ground);
            let sign = match settings.paint.sign("general", tone) {
                sign if scene.view.pieces.iter().any(|p| p.2 == "general") => sign,
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

    /// The moves, the newest in sight, the one that is looked at lit.
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
            let (about, _) = self.about(settings);
            for (i, line) in wrapped(&about, area.width.into()).iter().take(high).enumerate() {
                write(screen, area, area.x, area.y + i as u16, line, settings.style(Role::Dim));
            }
        }
    }

    /// What a game that has not begun is about.
    fn about(&self, settings: &Settings) -> (String, bool) {
        let key = format!("about-{}", self.scene().game.replace('/', "-"));
        (said::known(settings.language, &key, ""), true)
    }

    /// Turns in rows: the first side's and the second's.
    fn move_rows(&self) -> Vec<Row> {
        let scene = self.scene();
        let mut rows: Vec<Row> = Vec::new();
        let mut ply = 0;
        while ply < scene.record.len() {
            let side = Side::from(scene.record[ply].1);
            let end = (ply..scene.record.len())
                .find(|&i| Side::from(scene.record[i].1) != side)
                .unwrap_or(scene.record.len());
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

    /// What there is to know now, in lines with their styles.
    fn told(&self, columns: usize, settings: &Settings) -> Vec<(String, Style)> {
        let language = settings.language;
        let view = self.view();
        let mut lines: Vec<(String, Style)> = Vec::new();
        let mut add = |text: &str, role: Role, most: usize| {
            let style = settings.style(role);
            lines.extend(wrapped(text, columns).into_iter().take(most).map(|line| (line, style)));
        };
        for &(side, what) in &self.scene().offers {
            let side = self.scene().side(language, side);
            add(
                &say(language, &format!("said-offer-{}", said::offer(what)), &[("side", &side)]),
                Role::Warning,
                2,
            );
        }
        if let Some(caption) = &view.caption {
            add(&said::told(language, "caption", caption), Role::Good, 2);
        }
        for counter in &view.counters {
            let name = say(language, &format!("counter-{}", counter.key), &[]);
            add(&format!("{name}: {}/{}", counter.now, counter.limit), Role::Warning, 2);
        }
        if let Some(ruling) = view.ruling.as_ref().or(self.scene().view.ruling.as_ref()) {
            for note in ruling.notes.iter().take(3) {
                add(&said::told(language, "ruling", note), Role::Good, 4);
            }
        }
        if self.past.is_none() && self.scene().end.is_none() && self.scene().may_move() {
            for note in &view.notes {
                add(&said::told(language, "note", note), Role::Warning, 3);
            }
        }
        if !self.scene().comment.is_empty() && self.past.is_none() {
            add(&self.scene().comment, Role::Good, 4);
        }
        self.details(settings, &mut add);
        if let Some(away) = self.scene().away.as_ref().filter(|away| away.watchers > 0) {
            add(&say(language, "watchers", &[("count", &away.watchers.to_string())]), Role::Dim, 1);
        }
        if let Some(editor) = &self.editor {
            self.palette(editor, settings, &mut add);
        }
        self.analysed(columns, settings, &mut add);
        lines
    }

    /// What there is to know about the piece under the cursor, in games whose users made them.
    fn details(&self, settings: &Settings, add: &mut impl FnMut(&str, Role, usize)) {
        let now = self.past.is_none() && self.editor.is_none();
        let Some(dirs) = self.view().dirs.iter().find(|dirs| now && dirs.0 == self.cursor) else { return };
        let arrows = if settings.paint.is_ascii() { ASCII_ARROWS } else { ARROWS };
        let shown = |bits: u8| -> String {
            let which = |(bit, arrow): (usize, &&str)| (bits >> bit & 1 == 1).then(|| (*arrow).to_owned());
            arrows.iter().enumerate().filter_map(which).collect::<Vec<_>>().join(" ")
        };
        let (near, far) = (shown(dirs.1 & !dirs.2), shown(dirs.2));
        if !near.is_empty() {
            add(&settings.say("tui-near", &[("dirs", &near)]), Role::Dim, 2);
        }
        if !far.is_empty() {
            add(&settings.say("tui-far", &[("dirs", &far)]), Role::Dim, 2);
        }
        let details = self.table.game().map(|game| game.details(self.cursor)).unwrap_or_default();
        for detail in details.into_iter().take(6) {
            add(&said::told(settings.language, "detail", &detail.into()), Role::Dim, 3);
        }
    }

    fn palette(
        &self,
        editor: &super::editor::Editor,
        settings: &Settings,
        add: &mut impl FnMut(&str, Role, usize),
    ) {
        add(&settings.say("set-up", &[]), Role::Title, 1);
        let turn = self.scene().side(settings.language, editor.turn);
        add(&settings.say("turn-of", &[("side", &turn)]), Role::Active, 1);
        if let Some((side, face)) = editor.palette.get(editor.at) {
            let tone = self.scene().tone(*side);
            let sign = settings.paint.sign(face, tone);
            let side = self.scene().side(settings.language, *side);
            let piece = said::piece(settings.language, face);
            let piece = settings.say("cell-piece", &[("side", &side), ("piece", &piece)]);
            add(&settings.say("tui-in-hand", &[("piece", &format!("{sign} {piece}"))]), Role::Good, 2);
        }
    }

    /// The bar of who stands better, and the line that is expected.
    fn analysed(&self, columns: usize, settings: &Settings, add: &mut impl FnMut(&str, Role, usize)) {
        let Some(thought) = self.analysis.thought.as_ref() else {
            if self.analysis.is_on() {
                add(&settings.say("tui-analysing", &[]), Role::Dim, 1);
            }
            return;
        };
        let told = format!(" {} d{}", thought.score, thought.depth);
        let wide = columns.saturating_sub(told.width()).max(4);
        let filled =
            (wide as i64 * (i64::from(thought.first_permille.clamp(-1000, 1000)) + 1000) / 2000) as usize;
        let bar = settings.sign("█", "#").repeat(filled) + &settings.sign("░", "-").repeat(wide - filled);
        add(&format!("{bar}{told}"), Role::Active, 1);
        add(&self.named_line(&thought.line), Role::Dim, 2);
    }

    /// Machine texts of a line in the notation that is read.
    fn named_line(&self, line: &[String]) -> String {
        let Some(mut game) = self.table.game().map(kernel::AnyGame::boxed_clone) else {
            return line.join(" ");
        };
        let mut names = Vec::new();
        for text in line.iter().take(12) {
            if game.play(text).is_err() {
                break;
            }
            names.push(game.last_names().get(self.notation).unwrap_or(text).clone());
        }
        names.join(" ")
    }
}

/// A row of the list of moves: for each side, plies from and to, and the text.
struct Row {
    number: usize,
    cells: [Option<(usize, usize, String)>; 2],
}
