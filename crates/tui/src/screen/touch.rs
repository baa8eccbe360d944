//! Touching a place, and the message if no move goes there.

use kernel::{Cell, NamesKind};
use wire::Offered;

use super::Settings;
use super::play::Play;
use crate::said;
use crate::walk::{self, Step, piece_at};

impl Play {
    /// Touches a place, by a key or the mouse.
    pub fn touch(&mut self, cell: Cell, settings: &Settings, now_ms: u64) {
        if self.past.is_some() {
            return self.look_at(usize::MAX);
        }
        if let Some(refused) = self.not_now(settings) {
            return self.say_bad(refused);
        }
        if self.touched.is_empty()
            && let Some(side) = piece_at(&self.scene().view, cell).and_then(|piece| piece.owner)
            && self.table.local().is_some_and(|local| local.begin_with(side, now_ms))
        {
            self.changed(settings, now_ms);
        }
        self.picks.clear();
        let (view, board) = (walk::distinct(&self.scene().view), &self.scene().board);
        match walk::touch(&view, board, &self.touched, cell) {
            Step::Move(m) => {
                let picks = walk::alike(&self.scene().view, board, &m);
                if picks.is_empty() {
                    return self.play(&m, settings, now_ms);
                }
                let key = if m.path.len() == 1 { "pick-put" } else { "pick-piece" };
                self.picks = picks;
                self.say(settings.say(key, &[]));
            }
            Step::Way(path) => {
                self.touched = path;
                // The rules mark the way on: the message is removed so that the marks are seen.
                self.message = None;
            }
            Step::Fork(path) => {
                self.touched = path;
                self.say(settings.say("several-ways", &[]));
            }
            Step::Nothing => self.nothing_goes(cell, settings, now_ms),
        }
    }

    /// Returns the reason why this user may not move now; `None` if a move is possible.
    fn not_now(&self, settings: &Settings) -> Option<String> {
        let scene = self.scene();
        if scene.end.is_some() {
            return Some(settings.say("tui-touch-over", &[]));
        }
        if scene.you.is_empty() {
            let side = scene.side(settings.language, scene.turn());
            return Some(settings.say("watching", &[("side", &side)]));
        }
        (!scene.may_move()).then(|| settings.say("not-your-turn", &[]))
    }

    /// Handles a touch that no move fits: chooses another piece of the user's own, or shows the reason.
    fn nothing_goes(&mut self, cell: Cell, settings: &Settings, now_ms: u64) {
        let chosen = std::mem::take(&mut self.touched);
        if !chosen.is_empty() {
            let view = walk::distinct(&self.scene().view);
            let again = walk::touch(&view, &self.scene().board, &[], cell);
            if matches!(again, Step::Way(_)) && chosen != [cell] {
                return self.touch(cell, settings, now_ms);
            }
            if chosen == [cell] {
                return;
            }
        }
        let said = self.reason(&chosen, cell, settings);
        // A refused move keeps what was chosen.
        self.touched = chosen;
        self.say_bad(said);
    }

    fn reason(&self, chosen: &[Cell], cell: Cell, settings: &Settings) -> String {
        let scene = self.scene();
        let say = |key: &str| settings.say(key, &[]);
        let owner = piece_at(&scene.view, cell).map(|piece| piece.owner);
        let own = owner == Some(Some(scene.turn()));
        if matches!(scene.view.moves, Offered::Every(_))
            || chosen.is_empty() && asks_for_places(&scene.view.moves)
        {
            return self
                .game_says(&scene.board.name(cell), settings)
                .unwrap_or_else(|| say("tui-touch-refused"));
        }
        let Some(&from) = chosen.first() else {
            return match owner {
                None => say("tui-touch-nothing"),
                Some(_) if !own && owner != Some(None) => say("tui-touch-theirs"),
                Some(_) => self.notes(settings).unwrap_or_else(|| say("cannot-move")),
            };
        };
        let because = self.because(from, cell, owner.is_some(), own, settings);
        settings.say("tui-touch-wrong", &[("because", &because)])
    }

    /// Returns the notes on restrictions of the side to move.
    fn notes(&self, settings: &Settings) -> Option<String> {
        let notes = &self.scene().view.notes;
        let said: Vec<String> =
            notes.iter().map(|note| said::told(settings.language, "note", note)).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Returns the reason why a piece cannot go there: the game's own, if it has a specific one, or else a general
    /// one.
    fn because(&self, from: Cell, to: Cell, stands: bool, own: bool, settings: &Settings) -> String {
        let board = &self.scene().board;
        let between = match board.names.kind {
            NamesKind::LettersUp | NamesKind::LettersDown => "",
            NamesKind::Numbers | NamesKind::Pairs => "-",
        };
        let text = format!("{}{between}{}", board.name(from), board.name(to));
        let refusal = self.table.game().and_then(|game| game.read(&text).err());
        let key = refusal.map(|refused| refused.problem().key).unwrap_or_default();
        let short = format!("tui-because-{key}");
        let known = settings.say(&short, &[]);
        if known != short {
            return known;
        }
        if let Some(notes) = self.notes(settings) {
            return notes;
        }
        settings.say(
            match (stands, own) {
                (_, _) if from == to => "tui-because-off-board",
                (true, true) => "tui-because-own",
                (true, false) => "tui-because-capture",
                (false, _) => "tui-because-move",
            },
            &[],
        )
    }

    /// Returns the game's reason for refusing a text that is no move.
    pub fn game_says(&self, text: &str, settings: &Settings) -> Option<String> {
        let refused = self.table.game()?.read_choice(text).err()?;
        Some(said::refusal(settings.language, &refused.problem().into()))
    }

    /// Presses a button.
    pub fn press(&mut self, index: usize, settings: &Settings, now_ms: u64) {
        if let Some(refused) = self.not_now(settings) {
            return self.say_bad(refused);
        }
        if let Some(picked) = self.picks.get(index).cloned() {
            return self.play(&picked, settings, now_ms);
        }
        let view = &self.scene().view;
        let Some(button) = view.buttons.get(index).cloned() else { return };
        let legal = match &view.moves {
            Offered::Listed(moves) => moves.iter().find(|m| m.text == button.text).cloned(),
            Offered::Every(_) => {
                self.table.game().and_then(|game| game.read(&button.text).ok()).map(|text| wire::MoveView {
                    text,
                    path: Vec::new(),
                    shifts: Vec::new(),
                    pick: None,
                    face: None,
                    warning: None,
                })
            }
        };
        match legal {
            Some(m) => self.play(&m, settings, now_ms),
            None => {
                let name = settings.say(&format!("button-{}", button.name), &[]);
                let count = button.blockers.len().to_string();
                self.say_bad(settings.say("blocked", &[("name", &name), ("count", &count)]));
            }
        }
    }
}

/// Returns true if moves place a new piece or stone on a point.
fn asks_for_places(moves: &Offered) -> bool {
    let Offered::Listed(moves) = moves else { return true };
    moves.iter().any(|m| m.path.len() == 1 && m.shifts.is_empty())
}
