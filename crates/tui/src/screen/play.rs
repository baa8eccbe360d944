//! At a table: who sits there, what is looked at, and what is told.

mod act;
mod shown;

use std::sync::mpsc::Sender;

use kernel::{Cell, Mark, Side};
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::KeyEventKind;
use wire::{MoveView, Offer, View};

use super::analysis::{Analysis, Bots};
use super::editor::Editor;
use super::typed::{Typed, Use};
use super::{Event, Settings, Then};
use crate::board::Drawn;
use crate::table::{Heard, Local, Refusal, Remote, Scene, Table, Wish};
use crate::{cursor, said, walk};

/// How long a hall may take to answer before that is said.
const PROMPT_MS: u64 = 700;
/// How long each ply is shown when a record runs.
const PACE_MS: u64 = 1000;
/// So long an offer cannot be answered, because the key may have been on its way.
const MOMENT_MS: u64 = 1_000;

/// A table, and how it is shown.
pub(super) struct Play {
    pub table: Box<dyn Table>,
    pub cursor: Cell,
    pub touched: Vec<Cell>,
    pub message: Option<Message>,
    /// The line that is typed.
    pub typed: Option<Typed>,
    /// A question that waits for yes or no.
    pub asked: Option<(Asked, String)>,
    /// The position being set up.
    pub editor: Option<Editor>,
    /// The number of plies before the position that is shown, and its picture; `None`: the current one.
    pub past: Option<(usize, View)>,
    pub flipped: bool,
    /// Index of the notation that moves are read in.
    pub notation: usize,
    /// Whether the user chose it.
    notation_chosen: bool,
    pub help: Option<u16>,
    /// All there is to know about a piece, over the table, from that line on.
    pub about: Option<(Vec<String>, u16)>,
    pub lessons: Option<Vec<Mark>>,
    pub analysis: Analysis,
    pub bots: Bots,
    /// Keys of a sequence that is not complete.
    pub prefix: String,
    /// Whether the moves so far are saved in a file.
    pub saved: bool,
    /// The move that the user was warned about.
    warned: Option<String>,
    /// When the next ply is shown.
    runs_at: Option<u64>,
    /// The time at which an offer of the other side last came or went.
    offers_ms: Option<u64>,
    pub drawn: Drawn,
    /// Buttons on the screen: from column to column in a row, and their index.
    pub pressed: Vec<(u16, u16, u16, usize)>,
}

/// A line for who plays.
pub(super) struct Message {
    pub text: String,
    pub bad: bool,
}

/// What the user is asked to confirm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Resign,
    Draw,
    New,
    Quit,
    Menu,
}

impl Play {
    /// A game at this keyboard.
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

    /// A table of a hall.
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

    /// The scene of the position that is shown.
    pub fn view(&self) -> &View {
        self.past.as_ref().map_or(&self.scene().view, |(_, view)| view)
    }

    /// Key of the notation that moves are read in; nothing where the machine text is.
    pub fn notation_key(&self) -> &str {
        self.scene().notations.get(self.notation).map_or("", String::as_str)
    }

    /// Puts the cursor where it starts.
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

    /// Sends a wish to the table and shows why it was refused. True when it was done, or is on its way.
    pub fn wish(&mut self, wish: Wish, settings: &Settings, now_ms: u64) -> bool {
        let offers = matches!(wish, Wish::Draw | Wish::Rematch | Wish::Swap | Wish::Undo);
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

    /// Something happened on the board: what was chosen is let go, and what there is to say is said.
    pub fn changed(&mut self, settings: &Settings, now_ms: u64) {
        self.touched.clear();
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

    /// Whether a hall has been slow to answer.
    pub fn is_waiting(&self, now_ms: u64) -> bool {
        self.table.waits_since().is_some_and(|since| since + PROMPT_MS <= now_ms)
    }

    /// The end, or check, as emacs-chess-cn says them.
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

    pub fn hear(&mut self, heard: Heard, settings: &Settings, now_ms: u64) -> Then {
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

    /// True while a key that is pressed may have been meant for something that was shown before the last offer.
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

    /// Plays a move that was touched, pressed or typed; one that loses at once is asked about first.
    pub fn play(&mut self, m: &MoveView, settings: &Settings, now_ms: u64) {
        if let Some(reason) = &m.warning
            && self.warned.as_deref() != Some(&m.text)
        {
            let reason = said::reason(settings.language, reason);
            self.warned = Some(m.text.clone());
            return self.say_bad(settings.say("warned", &[("reason", &reason)]));
        }
        self.warned = None;
        if self.wish(Wish::Play(m.text.clone()), settings, now_ms) {
            self.touched.clear();
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

    /// An engine has chosen its move.
    pub fn decided(&mut self, ticket: u64, text: Option<String>, settings: &Settings, now_ms: u64) -> Then {
        if self.bots.decided(ticket)
            && let Some(text) = text
        {
            self.message = None;
            self.wish(Wish::Play(text), settings, now_ms);
        }
        Then::Stay
    }
}
