//! Texts beside the board: offers, notes, the piece under the cursor, analysis.

use ratatui::style::Style;
use texts::say;
use unicode_width::UnicodeWidthStr;

use crate::paint::Role;
use crate::said;
use crate::screen::editor::Editor;
use crate::screen::play::Play;
use crate::screen::{Settings, wrapped};

/// The arrows by direction: up left, up, up right, left, right, down left, down, down right.
const ARROWS: [&str; 8] = ["↖", "↑", "↗", "←", "→", "↙", "↓", "↘"];
const ASCII_ARROWS: [&str; 8] = ["ul", "u", "ur", "l", "r", "dl", "d", "dr"];

/// The most sentences about a piece in the panel; a key shows all of them.
const MOST_DETAILS: usize = 8;
/// The most lines of extension output shown.
const MOST_PRINTED: usize = 12;

impl Play {
    /// Returns the lines of the current information with their styles.
    pub(super) fn told(&self, columns: usize, settings: &Settings, now_ms: u64) -> Vec<(String, Style)> {
        let language = settings.language;
        let view = self.view();
        let mut lines: Vec<(String, Style)> = Vec::new();
        let mut add = |text: &str, role: Role, most: usize| {
            let style = settings.style(role);
            lines.extend(wrapped(text, columns).into_iter().take(most).map(|line| (line, style)));
        };
        if let Some(trouble) = self.scene().away.as_ref().and_then(|away| away.trouble.as_ref()) {
            add(&said::refusal(language, trouble), Role::Bad, 5);
        }
        for text in said::announced(language, self.scene()) {
            add(&text, Role::Warning, 4);
        }
        for text in self.waited(settings, now_ms) {
            add(&text, Role::Warning, 3);
        }
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
        for side in kernel::Side::BOTH {
            let count =
                |one: &kernel::HandPiece| one.count.map_or("∞".to_owned(), |count| count.to_string());
            let own = view.hands.iter().filter(|one| one.side == side);
            let held: Vec<String> = own.map(|one| format!("{} × {}", one.pick, count(one))).collect();
            if !held.is_empty() {
                let whose = say(language, "hand-of", &[("side", &self.scene().side(language, side))]);
                add(&format!("{whose}: {}", held.join(", ")), Role::Good, 3);
            }
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
        let printed = settings.author.as_ref().map(|last| last(MOST_PRINTED)).unwrap_or_default();
        if !printed.is_empty() {
            add(&settings.say("tui-printed", &[]), Role::Title, 1);
            printed.iter().for_each(|line| add(line, Role::Dim, 2));
        }
        lines
    }

    /// Returns the sentences about the time for the first move and about a player who has left.
    pub(in crate::screen) fn waited(&self, settings: &Settings, now_ms: u64) -> Vec<String> {
        let (language, scene) = (settings.language, self.scene());
        let first = said::first_move(language, scene, now_ms);
        first.into_iter().chain(said::claim(language, scene, "tui-claim", now_ms)).collect()
    }

    /// Adds the first sentences about the piece under the cursor, in games made by users.
    fn details(&self, settings: &Settings, add: &mut impl FnMut(&str, Role, usize)) {
        let lines = self.piece_lines(settings);
        for line in lines.iter().take(MOST_DETAILS) {
            add(line, Role::Dim, 3);
        }
        if lines.len() > MOST_DETAILS {
            add(&settings.say("tui-more-about", &[]), Role::Key, 1);
        }
    }

    /// Returns all information about the piece under the cursor, one sentence each; empty in games with well-known
    /// pieces.
    pub(in crate::screen) fn piece_lines(&self, settings: &Settings) -> Vec<String> {
        let now = self.past.is_none() && self.editor.is_none();
        let Some(dirs) = self.view().dirs.iter().find(|dirs| now && dirs.at == self.cursor) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        let arrows = if settings.paint.is_ascii() { ASCII_ARROWS } else { ARROWS };
        let shown = |bits: u8| -> String {
            let which = |(bit, arrow): (usize, &&str)| (bits >> bit & 1 == 1).then(|| (*arrow).to_owned());
            arrows.iter().enumerate().filter_map(which).collect::<Vec<_>>().join(" ")
        };
        let (near, far) = (shown(dirs.near & !dirs.far), shown(dirs.far));
        if !near.is_empty() {
            lines.push(settings.say("tui-near", &[("dirs", &near)]));
        }
        if !far.is_empty() {
            lines.push(settings.say("tui-far", &[("dirs", &far)]));
        }
        for (section, &bits) in (3..).zip(&dirs.more).filter(|(_, bits)| **bits != 0) {
            let line = [("section", section.to_string()), ("dirs", shown(bits))];
            let line = line.each_ref().map(|(name, value)| (*name, value.as_str()));
            lines.push(settings.say("tui-section", &line));
        }
        let details = self.table.game().map(|game| game.details(self.cursor)).unwrap_or_default();
        lines.extend(
            details.into_iter().map(|detail| said::told(settings.language, "detail", &detail.into())),
        );
        lines
    }

    fn palette(&self, editor: &Editor, settings: &Settings, add: &mut impl FnMut(&str, Role, usize)) {
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

    /// Adds the evaluation bar and the expected line of the analysis.
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

    /// Converts the machine texts of a line to the notation in use.
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
