//! The screen of a table: its state, and the events that change it.

mod act;
mod shown;

use std::sync::mpsc::Sender;

use kernel::{Cell, Mark, Side};
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::KeyEventKind;
use wire::{Button, MoveView, Offer, View};

use super::analysis::{Analysis, Bots};
use super::editor::Editor;
use super::typed::{Typed, Use};
use super::{Event, Settings, Then};
use crate::board::Drawn;
use crate::table::{HallEvent, Local, Refusal, Remote, Scene, Table, UserAction};
use crate::{cursor, said, walk};

/// The time after which a missing answer of a hall is shown, in milliseconds.
const PROMPT_MS: u64 = 700;
/// The time for which each ply is shown during a replay, in milliseconds.
const PACE_MS: u64 = 1000;
/// The time after a change of the offers during which none can be answered, in milliseconds, because the key may have
/// been pressed before.
const MOMENT_MS: u64 = 1_000;

/// A table and the state of its display.
pub(super) struct Play {
    pub table: Box<dyn Table>,
    pub cursor: Cell,
    pub touched: Vec<Cell>,
    /// The moves that the touches fit, of which one is to be chosen: they differ in a piece.
    pub picks: Vec<MoveView>,
    pub message: Option<Message>,
    /// The line being typed.
    pub typed: Option<Typed>,
    /// A question that waits for yes or no, with its text.
    pub asked: Option<(Confirmation, String)>,
    /// The position being set up.
    pub editor: Option<Editor>,
    /// The number of plies before the displayed position, and its view; `None`: the current position.
    pub past: Option<(usize, View)>,
    pub flipped: bool,
    /// The index of the notation in use.
    pub notation: usize,
    /// True if the user chose the notation.
    notation_chosen: bool,
    pub help: Option<u16>,
    /// The information about a piece, shown over the table, and its first visible line.
    pub about: Option<(Vec<String>, u16)>,
    pub lessons: Option<Vec<Mark>>,
    pub analysis: Analysis,
    pub bots: Bots,
    /// The keys of an incomplete sequence.
    pub prefix: String,
    /// True if the moves so far are saved in a file.
    pub saved: bool,
    /// The move about which the user was warned.
    warned: Option<String>,
    /// The time at which the next ply of a replay is shown, in milliseconds.
    runs_at: Option<u64>,
    /// The time at which an offer of the other side last came or went.
    offers_ms: Option<u64>,
    pub drawn: Drawn,
    /// The buttons on the screen: first column, end column, row, and index of the button.
    pub pressed: Vec<(u16, u16, u16, usize)>,
}

/// A message for the user.
pub(super) struct Message {
    pub text: String,
    pub bad: bool,
}

/// The actions that the user is asked to confirm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Confirmation {
    Resign,
    Draw,
    New,
    Quit,
    Menu,
}

impl Play {
    /// Creates the screen of a game at this keyboard.
    pub fn here(
        mut local: Local,
        levels: [Option<u8>; 2],
        settings: &Settings,
        events: Sender<Event>,
        now_ms: u64,
    ) -> Play {
        let bots = Bots::new(&mut local, levels, settings);
        let mut play = Play::at(Box::new(local), bots, events);
        play.flipped = play.table.scene().you == [Side::Second] && !play.table.scene().board.decor.is_empty();
        play.go_home();
        play.wake_bots(now_ms);
        play
    }

    /// Creates the screen of a table of a hall.
    pub fn away(remote: Remote, events: Sender<Event>) -> Play {
        let mut play = Play::at(Box::new(remote), Bots::none(), events);
        let scene = play.table.scene();
        play.flipped = scene.you == [Side::Second] && !scene.view.pieces.is_empty();
        play.go_home();
        play
    }

    fn at(table: Box<dyn Table>, bots: Bots, events: Sender<Event>) -> Play {
        let mut play = Play {
            table,
            cursor: 0,
            touched: Vec::new(),
            picks: Vec::new(),
            message: None,
            typed: None,
            asked: None,
            editor: None,
            past: None,
            flipped: false,
            notation: 0,
            notation_chosen: false,
            help: None,
            about: None,
            lessons: None,
            analysis: Analysis::new(events.clone()),
            bots: bots.telling(events),
            prefix: String::new(),
            saved: false,
            warned: None,
            runs_at: None,
            offers_ms: None,
            drawn: Drawn::default(),
            pressed: Vec::new(),
        };
        play.go_home();
        play
    }

    pub fn scene(&self) -> &Scene {
        self.table.scene()
    }

    /// Returns the view of the displayed position.
    pub fn view(&self) -> &View {
        self.past.as_ref().map_or(&self.scene().view, |(_, view)| view)
    }

    /// Returns the key of the notation in use; empty for the machine text.
    pub fn notation_key(&self) -> &str {
        self.scene().notations.get(self.notation).map_or("", String::as_str)
    }

    /// Puts the cursor at its initial place.
    fn go_home(&mut self) {
        let scene = self.table.scene();
        let empty = scene.view.pieces.is_empty();
        self.cursor = cursor::home(&scene.board, empty, self.flipped);
    }

    pub fn say(&mut self, text: String) {
        self.message = Some(Message { text, bad: false });
    }

    pub fn say_bad(&mut self, text: String) {
        self.message = Some(Message { text, bad: true });
    }

    pub fn handle(&mut self, event: &term::Event, settings: &Settings, now_ms: u64) -> Then {
        match event {
            term::Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, settings, now_ms),
            term::Event::Mouse(mouse) => self.mouse(*mouse, settings, now_ms),
            term::Event::Paste(text) => {
                self.typed.get_or_insert_with(|| Typed::new(Use::Move)).insert(text);
                Then::Stay
            }
            _ => Then::Stay,
        }
    }

    /// Sends a request to the table and shows the reason of a refusal. Returns true if it was done or sent.
    pub fn wish(&mut self, wish: UserAction, settings: &Settings, now_ms: u64) -> bool {
        let offers =
            matches!(wish, UserAction::Draw | UserAction::Rematch | UserAction::Swap | UserAction::Undo);
        match self.table.wish(wish, now_ms) {
            Ok(()) if self.scene().away.is_some() => {
                if offers {
                    self.say(settings.say("sending", &[]));
                }
                true
            }
            Ok(()) => {
                self.changed(settings, now_ms);
                true
            }
            Err(refusal) => {
                self.say_bad(said::refusal(settings.language, &refusal));
                false
            }
        }
    }

    /// Updates the screen after a change on the board: clears the selection, announces check or the end, and wakes
    /// the engines.
    pub fn changed(&mut self, settings: &Settings, now_ms: u64) {
        self.touched.clear();
        self.picks.clear();
        self.warned = None;
        self.saved = false;
        self.past = None;
        self.runs_at = None;
        self.lessons = None;
        self.analysis.forget();
        self.announce(settings);
        self.analysis.look(&*self.table);
        self.wake_bots(now_ms);
    }

    /// Returns true if a hall is slow to answer.
    pub fn is_waiting(&self, now_ms: u64) -> bool {
        self.table.waits_since().is_some_and(|since| since + PROMPT_MS <= now_ms)
    }

    /// Announces the end or a check, in the words of emacs-chess-cn.
    fn announce(&mut self, settings: &Settings) {
        let scene = self.scene();
        if let Some(end) = &scene.end {
            let text = said::end(settings.language, scene, end);
            return self.say(text);
        }
        let turn = scene.turn();
        let attacked = |mark: &wire::Mark| {
            let own = |&cell: &Cell| walk::piece_at(&scene.view, cell).is_some_and(|p| p.owner == Some(turn));
            mark.kind == "check" && mark.cells.iter().any(own)
        };
        if scene.view.marks.iter().any(attacked) {
            let side = scene.side(settings.language, turn);
            let text = settings.say("tui-check", &[("side", &side)]);
            self.say(text);
        }
    }

    fn wake_bots(&mut self, now_ms: u64) {
        self.bots.wake(&*self.table, now_ms);
    }

    pub fn tick(&mut self, settings: &Settings, now_ms: u64) {
        if self.table.tick(now_ms) {
            self.changed(settings, now_ms);
        }
        if self.runs_at.is_some_and(|at| at <= now_ms) {
            self.runs_at = Some(now_ms + PACE_MS);
            self.walk_by(1, settings);
            if self.past.is_none() {
                self.runs_at = None;
            }
        }
    }

    pub fn quiet_ms(&self, now_ms: u64) -> Option<u64> {
        let scene = self.scene();
        let running = scene.face.as_ref().and_then(|(face, _)| face.run).filter(|_| scene.end.is_none());
        let clock = running.and_then(|side| scene.reading(side, now_ms));
        let clock = clock.map(|reading| crate::clock::next_change(reading.ms));
        let waited = [scene.first_left_ms(now_ms), scene.claim_left_ms(now_ms)];
        let waited = waited.into_iter().flatten().filter(|&left_ms| left_ms > 0);
        let waited = waited.map(|left_ms| (left_ms % 1000).max(1));
        let run = self.runs_at.map(|at| at.saturating_sub(now_ms));
        let told = self.table.waits_since().map(|since| since + PROMPT_MS).filter(|&at| at > now_ms);
        clock.into_iter().chain(waited).chain(run).chain(told.map(|at| at - now_ms)).min()
    }

    pub fn hear(&mut self, heard: HallEvent, settings: &Settings, now_ms: u64) -> Then {
        let before = (self.scene().record.len(), self.scene().end.clone(), self.scene().offers.clone());
        let was_connected = self.scene().away.as_ref().is_some_and(|away| away.connected);
        match self.table.hear(heard, now_ms) {
            Err(refusal) => self.say_bad(said::refusal(settings.language, &refusal)),
            Ok(()) => {
                let connected = self.scene().away.as_ref().is_some_and(|away| away.connected);
                let after =
                    (self.scene().record.len(), self.scene().end.clone(), self.scene().offers.clone());
                if before.0 != after.0 || before.1 != after.1 {
                    self.message = None;
                    self.changed(settings, now_ms);
                } else if !connected {
                    self.say_bad(settings.say("net-offline", &[]));
                } else if !was_connected {
                    self.say(settings.say("net-back", &[]));
                }
                if before.2 != after.2 {
                    self.offers_ms = Some(now_ms);
                }
                self.tell_offers(&before.2, settings);
            }
        }
        Then::Stay
    }

    /// Returns true shortly after a change of the offers: a key may have been meant for something shown before.
    fn offers_are_new(&self, now_ms: u64) -> bool {
        self.offers_ms.is_some_and(|at| now_ms < at + MOMENT_MS)
    }

    fn tell_offers(&mut self, before: &[(Side, Offer)], settings: &Settings) {
        let scene = self.scene();
        let Some(&(side, what)) = scene.offers.iter().find(|offer| !before.contains(offer)) else { return };
        let kind = said::offer(what);
        let text = if scene.you.contains(&side) {
            settings.say(&format!("offered-{kind}"), &[])
        } else {
            let side = scene.side(settings.language, side);
            let offer = settings.say(&format!("said-offer-{kind}"), &[("side", &side)]);
            settings.say("tui-answer-offer", &[("offer", &offer)])
        };
        self.say(text);
    }

    /// Plays a move that was touched, pressed or typed; asks for confirmation of a move that loses at once.
    pub fn play(&mut self, m: &MoveView, settings: &Settings, now_ms: u64) {
        if let Some(reason) = &m.warning
            && self.warned.as_deref() != Some(&m.text)
        {
            let reason = said::reason(settings.language, reason);
            self.warned = Some(m.text.clone());
            return self.say_bad(settings.say("warned", &[("reason", &reason)]));
        }
        self.warned = None;
        if self.wish(UserAction::Play(m.text.clone()), settings, now_ms) {
            self.touched.clear();
            self.picks.clear();
        }
    }

    /// Returns the buttons that can be pressed now: the answers to a question about a piece, or those of the position.
    pub fn buttons(&self) -> Vec<Button> {
        let answer = |m: &MoveView| Button {
            text: m.text.clone().into(),
            name: m.pick.clone().unwrap_or_default().into(),
            key: "".into(),
            blockers: Vec::new(),
            shifts: Vec::new(),
        };
        if self.picks.is_empty() {
            self.scene().view.buttons.clone()
        } else {
            self.picks.iter().map(answer).collect()
        }
    }

    pub fn refuse(&mut self, settings: &Settings, refusal: &Refusal) {
        self.say_bad(said::refusal(settings.language, refusal));
    }

    pub fn thought(&mut self, ticket: u64, thought: crate::opponent::Thought) -> Then {
        self.analysis.heard(ticket, &thought);
        self.bots.heard(ticket, thought);
        Then::Stay
    }

    /// Plays the move that an engine has chosen.
    pub fn decided(&mut self, ticket: u64, text: Option<String>, settings: &Settings, now_ms: u64) -> Then {
        if self.bots.decided(ticket)
            && let Some(text) = text
        {
            self.message = None;
            self.wish(UserAction::Play(text), settings, now_ms);
        }
        Then::Stay
    }
}
