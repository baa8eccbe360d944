//! The display of earlier positions, notations, threats, analysis, and the start of the position editor.

use super::{PACE_MS, Play};
use crate::files;
use crate::said;
use crate::screen::analysis::Bots;
use crate::screen::editor::Editor;
use crate::screen::typed::{Typed, Use};
use crate::screen::{Settings, usual_notation};

impl Play {
    /// Shows the game as it was after `plies` plies.
    pub fn look_at(&mut self, plies: usize) {
        let now = self.scene().record.len();
        self.touched.clear();
        self.picks.clear();
        self.lessons = None;
        self.past = match self.table.view_at(plies.min(now)) {
            Some(view) if plies < now => Some((plies, view)),
            _ => None,
        };
    }

    pub(super) fn look_now(&mut self) {
        self.past = None;
        self.runs_at = None;
    }

    pub(super) fn walk_by(&mut self, by: isize, settings: &Settings) {
        let now = self.scene().record.len();
        let at = self.past.as_ref().map_or(now, |(plies, _)| *plies);
        let next = at.saturating_add_signed(by).min(now);
        if self.table.game().is_none() {
            return self.say_bad(settings.say("tui-no-looking-back", &[]));
        }
        self.look_at(next);
    }

    /// Starts a replay from the displayed position, or from the start; stops a running replay.
    pub(super) fn run(&mut self, now_ms: u64) {
        self.runs_at = match self.runs_at {
            Some(_) => None,
            None => {
                if self.past.is_none() {
                    self.look_at(0);
                }
                Some(now_ms + PACE_MS)
            }
        };
    }

    pub(super) fn next_notation(&mut self, settings: &Settings) {
        let count = self.scene().notations.len();
        if count > 0 {
            self.notation = (self.notation + 1) % count;
            self.notation_chosen = true;
            let name = settings.say(&format!("notation-{}", self.notation_key()), &[]);
            self.say(name);
        }
    }

    pub fn settle_notation(&mut self, settings: &Settings) {
        if !self.notation_chosen {
            self.notation = usual_notation(&self.scene().notations, settings);
        }
    }

    pub(super) fn show_lessons(&mut self, settings: &Settings) {
        if self.lessons.take().is_some() {
            return;
        }
        let lessons = self.table.game().map(|game| game.lessons()).unwrap_or_default();
        if lessons.is_empty() {
            return self.say(settings.say("lessons-none", &[]));
        }
        let kinds: Vec<String> =
            lessons.iter().map(|mark| settings.say(&format!("mark-{}", mark.kind), &[])).collect();
        self.say(kinds.join(", "));
        self.lessons = Some(lessons);
    }

    /// Shows the whole information about the piece under the cursor; for a piece without any, describes the place.
    pub(super) fn tell_about(&mut self, settings: &Settings) {
        let about = self.piece_lines(settings);
        if about.is_empty() {
            let place = said::place(settings.language, self.scene(), self.cursor);
            return self.say(place);
        }
        self.about = Some((about, 0));
    }

    /// Starts or stops analysis, except in a game between two people that is not over.
    pub(super) fn analyse(&mut self, settings: &Settings) {
        let scene = self.scene();
        if scene.away.is_some() && scene.end.is_none() && scene.you.len() == 1 {
            return self.say_bad(settings.say("tui-no-help", &[]));
        }
        if !self.analysis.toggle(settings, &*self.table) {
            self.say_bad(settings.say("tui-no-analyst", &[]));
        }
    }

    pub(super) fn set_up(&mut self, settings: &Settings) {
        let here = self.scene().away.is_none();
        match self.table.game().filter(|game| here && !game.palette().is_empty()) {
            Some(game) => self.editor = Some(Editor::of(game)),
            None => self.say_bad(settings.say("tui-no-set-up", &[])),
        }
    }

    /// Starts a game from the same pieces with the other side to move: either side may begin, as in the older
    /// programs.
    pub(super) fn other_side(&mut self, settings: &Settings, now_ms: u64) {
        let turn = self.scene().turn().other();
        let levels = self.bots.levels;
        let pieces = self.table.game().map(|game| game.view().pieces).unwrap_or_default();
        let Some(local) = self.table.local() else {
            return self.say_bad(settings.say("tui-no-set-up", &[]));
        };
        match local.set_up(turn, &pieces) {
            Ok(mut local) => {
                self.bots = Bots::new(&mut local, levels, settings).telling(self.analysis.events());
                self.table = Box::new(local);
                self.changed(settings, now_ms);
                let side = self.scene().side(settings.language, turn);
                self.say(settings.say("turn-of", &[("side", &side)]));
            }
            Err(problem) => self.say_bad(said::refusal(settings.language, &problem.into())),
        }
    }

    pub(super) fn save_line(&self, settings: &Settings) -> Typed {
        let name = files::name(&jiff::Zoned::now());
        Typed::with(Use::Save, &settings.folder.join(name).display().to_string())
    }
}
