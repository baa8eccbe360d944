//! At a table: what a key, a touch or a message does there.

use std::sync::mpsc::Sender;

use kernel::{Cell, Mark, Side};
use ratatui::crossterm::event as term;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, MouseButton, MouseEventKind};
use wire::{MoveView, Offer, View};

use super::analysis::{Analysis, Bots};
use super::editor::Editor;
use super::typed::{Typed, Use};
use super::{Event, Settings, Then};
use crate::board::Drawn;
use crate::keys::{self, Action, Meaning};
use crate::table::{Heard, Local, Refusal, Remote, Scene, Table, Wish};
use crate::{cursor, files, said, walk};

/// How long each ply is shown when a record runs.
const PACE_MS: u64 = 1000;

/// A table, and where somebody looks at it.
pub(super) struct Play {
    pub table: Box<dyn Table>,
    pub cursor: Cell,
    pub touched: Vec<Cell>,
    pub message: Option<Message>,
    /// The line that is typed.
    pub typed: Option<Typed>,
    /// A question that waits for yes or no.
    pub asked: Option<(Asked, String)>,
    /// The position that is set up.
    pub editor: Option<Editor>,
    /// How many plies had been played at what is looked at, and its picture; `None`: now.
    pub past: Option<(usize, View)>,
    pub flipped: bool,
    /// Index of the notation that moves are read in.
    pub notation: usize,
    /// Whether somebody chose it.
    notation_chosen: bool,
    pub help: Option<u16>,
    pub lessons: Option<Vec<Mark>>,
    pub analysis: Analysis,
    pub bots: Bots,
    /// Keys of a sequence that is not complete.
    pub prefix: String,
    /// The move that was warned about.
    warned: Option<String>,
    /// When the next ply is shown.
    runs_at: Option<u64>,
    pub drawn: Drawn,
    /// Buttons on the screen: from column to column in a row, and their index.
    pub pressed: Vec<(u16, u16, u16, usize)>,
}

/// A line for who plays.
pub(super) struct Message {
    pub text: String,
    pub bad: bool,
}

/// What is asked back before it is done.
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
            lessons: None,
            analysis: Analysis::new(events.clone()),
            bots: bots.telling(events),
            prefix: String::new(),
            warned: None,
            runs_at: None,
            drawn: Drawn::default(),
            pressed: Vec::new(),
        };
        play.go_home();
        play
    }

    pub fn scene(&self) -> &Scene {
        self.table.scene()
    }

    /// What is on the board that is looked at.
    pub fn view(&self) -> &View {
        self.past.as_ref().map_or(&self.scene().view, |(_, view)| view)
    }

    /// Key of the notation that moves are read in; nothing where the machine text is.
    pub fn notation_key(&self) -> &str {
        self.scene().notations.get(self.notation).map_or("", String::as_str)
    }

    /// The cursor goes where it begins.
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

    fn key(&mut self, key: term::KeyEvent, settings: &Settings, now_ms: u64) -> Then {
        if let Some(lines) = &mut self.help {
            match key.code {
                KeyCode::Down | KeyCode::Char('j' | ' ') | KeyCode::PageDown => *lines += 1,
                KeyCode::Up | KeyCode::Char('k') | KeyCode::PageUp => *lines = lines.saturating_sub(1),
                _ => self.help = None,
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
        match keys::meaning(&std::mem::take(&mut self.prefix), key) {
            Meaning::Action(action) => self.act(action, settings, now_ms),
            Meaning::Prefix(keys) => {
                self.prefix = keys;
                Then::Stay
            }
            Meaning::Nothing(keys) => {
                match key.code {
                    // Moves often begin with a figure or a character: the line opens with it.
                    KeyCode::Char(c) if c.is_ascii_digit() || !c.is_ascii() => {
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

    /// A key that presses a button: the one the button names, or its number among those that name none.
    fn button_key(&mut self, key: term::KeyEvent, settings: &Settings, now_ms: u64) -> bool {
        if self.past.is_some() {
            return false;
        }
        let buttons = &self.scene().view.buttons;
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

    fn mouse(&mut self, mouse: term::MouseEvent, settings: &Settings, now_ms: u64) -> Then {
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
                if button == MouseButton::Left {
                    match self.editor {
                        Some(_) => self.edit_touch(),
                        None => self.touch(cell, settings, now_ms),
                    }
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
                self.wish(Wish::Redo, settings, now_ms);
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
            Action::Analyse => self.analyse(settings),
            Action::SetUp => self.set_up(settings),
            Action::OtherSide => self.other_side(settings, now_ms),
            Action::Help => self.help = Some(0),
            Action::Theme => return Then::Theme,
            Action::Language => {
                self.message = None;
                return Then::Language;
            }
            Action::Rematch => return self.rematch(settings, now_ms),
            Action::Swap => {
                self.wish(Wish::Swap, settings, now_ms);
            }
            Action::Accept => self.answer_offer(true, settings, now_ms),
            Action::Decline => self.answer_offer(false, settings, now_ms),
            Action::Sit => {
                self.wish(Wish::Sit, settings, now_ms);
            }
            Action::Abort => {
                self.wish(Wish::Abort, settings, now_ms);
            }
            Action::New if self.is_running() => self.ask(Asked::New, settings),
            Action::New => return self.agreed(Asked::New, settings, now_ms),
            Action::Menu if self.is_running() => self.ask(Asked::Menu, settings),
            Action::Menu => return Then::Menu,
            Action::Quit if self.is_running() => self.ask(Asked::Quit, settings),
            Action::Quit => return Then::Quit,
            Action::Draw => self.ask(Asked::Draw, settings),
            Action::Resign => self.ask(Asked::Resign, settings),
        }
        Then::Stay
    }

    /// Whether leaving would lose something: moves of this keyboard that nobody saved.
    fn is_running(&self) -> bool {
        let scene = self.scene();
        scene.away.is_none() && scene.end.is_none() && !scene.record.is_empty()
    }

    fn ask(&mut self, asked: Asked, settings: &Settings) {
        if matches!(asked, Asked::Draw | Asked::Resign)
            && let Some(end) = &self.scene().end
        {
            let end = said::end(settings.language, self.scene(), end);
            return self.say_bad(settings.say("tui-over", &[("end", &end)]));
        }
        let key = match asked {
            Asked::Resign => "ask-resign",
            Asked::Draw if self.scene().away.is_some() => "tui-ask-offer-draw",
            Asked::Draw => "ask-draw",
            Asked::New => "tui-ask-new",
            Asked::Quit => "tui-ask-quit",
            Asked::Menu => "tui-ask-menu",
        };
        self.asked = Some((asked, settings.say(key, &[])));
    }

    fn agreed(&mut self, asked: Asked, settings: &Settings, now_ms: u64) -> Then {
        match asked {
            Asked::Quit => return Then::Quit,
            Asked::Menu => return Then::Menu,
            Asked::Resign => {
                self.wish(Wish::Resign, settings, now_ms);
            }
            Asked::Draw => {
                self.wish(Wish::Draw, settings, now_ms);
            }
            Asked::New => {
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

    /// Asks for something; says why not. True when it was done, or is on its way.
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
        self.past = None;
        self.runs_at = None;
        self.lessons = None;
        self.analysis.forget();
        self.announce(settings);
        self.analysis.look(&*self.table);
        self.wake_bots(now_ms);
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
            let own =
                |&cell: &Cell| walk::piece_at(&scene.view, cell).is_some_and(|p| p.1 == Some(turn.into()));
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

    /// The cursor moves by a place; the direction is the board's, not the screen's.
    fn go(&mut self, dx: i32, dy: i32) {
        self.cursor = cursor::step(&self.table.scene().board, self.cursor, dx, dy);
    }

    /// The cursor goes to the next place that may be touched.
    fn jump(&mut self, by: i32) {
        let mut cells: Vec<Cell> =
            walk::targets(&self.scene().view, &self.touched).iter().map(|t| t.cell).collect();
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

    fn clear(&mut self) {
        self.touched.clear();
        self.warned = None;
        self.look_now();
    }

    fn undo(&mut self, settings: &Settings, now_ms: u64) {
        if self.past.is_some() {
            self.look_now();
        }
        self.bots.stop();
        let here = self.scene().away.is_none();
        if self.wish(Wish::Undo, settings, now_ms) && here {
            // As emacs-chess-cn has it; within a turn of several steps one stays where one is.
            if !self.scene().view.pieces.is_empty() && self.scene().view.buttons.is_empty() {
                self.go_home();
            }
        }
    }

    fn rematch(&mut self, settings: &Settings, now_ms: u64) -> Then {
        let away = self.scene().away.clone();
        match away {
            Some(away) => {
                if let Some(next) = away.next {
                    let base = away.link.rsplit_once("/t/").map_or("", |(base, _)| base).to_owned();
                    let wanted = crate::table::Wanted::Table(next);
                    return Then::Visit(Box::new(crate::table::Visit {
                        base,
                        wanted,
                        secret: None,
                        watch: false,
                    }));
                }
                self.wish(Wish::Rematch, settings, now_ms);
                Then::Stay
            }
            None => self.agreed(Asked::New, settings, now_ms),
        }
    }

    fn answer_offer(&mut self, yes: bool, settings: &Settings, now_ms: u64) {
        let you = &self.scene().you;
        let open = self.scene().offers.iter().find(|(side, _)| !you.contains(side) || !yes);
        let Some(&(_, what)) = open else {
            return self.say_bad(settings.say("tui-no-offer", &[]));
        };
        self.wish(if yes { Wish::Accept(what) } else { Wish::Decline(what) }, settings, now_ms);
    }

    // Looking back.

    /// Looks at the game as it was after so many plies.
    pub fn look_at(&mut self, plies: usize) {
        let now = self.scene().record.len();
        self.touched.clear();
        self.lessons = None;
        self.past = match self.table.view_at(plies.min(now)) {
            Some(view) if plies < now => Some((plies, view)),
            _ => None,
        };
    }

    fn look_now(&mut self) {
        self.past = None;
        self.runs_at = None;
    }

    fn walk_by(&mut self, by: isize, settings: &Settings) {
        let now = self.scene().record.len();
        let at = self.past.as_ref().map_or(now, |(plies, _)| *plies);
        let next = at.saturating_add_signed(by).min(now);
        if self.table.game().is_none() {
            return self.say_bad(settings.say("tui-no-looking-back", &[]));
        }
        self.look_at(next);
    }

    /// Lets a record run from where one is.
    fn run(&mut self, now_ms: u64) {
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
        let clock = running.and_then(|side| scene.reading(side.into(), now_ms));
        let clock = clock.map(|reading| crate::clock::next_change(reading.ms));
        let run = self.runs_at.map(|at| at.saturating_sub(now_ms));
        clock.into_iter().chain(run).min()
    }

    // The others.

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
                self.tell_offers(&before.2, settings);
            }
        }
        Then::Stay
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

    // What is shown besides.

    fn next_notation(&mut self, settings: &Settings) {
        let count = self.scene().notations.len();
        if count > 0 {
            self.notation = (self.notation + 1) % count;
            self.notation_chosen = true;
            let name = settings.say(&format!("notation-{}", self.notation_key()), &[]);
            self.say(name);
        }
    }

    /// Who does not read Chinese reads letters, until they choose.
    pub fn settle_notation(&mut self, settings: &Settings) {
        if !self.notation_chosen {
            let chinese = settings.language == texts::Language::Chinese;
            let letters = self.scene().notations.iter().position(|key| key == "wxf");
            self.notation = if chinese || settings.paint.theme == crate::paint::Theme::Origin {
                0
            } else {
                letters.unwrap_or(0)
            };
        }
    }

    fn show_lessons(&mut self, settings: &Settings) {
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

    fn analyse(&mut self, settings: &Settings) {
        if !self.analysis.toggle(settings, &*self.table) {
            self.say_bad(settings.say("tui-no-analyst", &[]));
        }
    }

    fn set_up(&mut self, settings: &Settings) {
        let here = self.scene().away.is_none();
        match self.table.game().filter(|game| here && !game.palette().is_empty()) {
            Some(game) => self.editor = Some(Editor::of(game)),
            None => self.say_bad(settings.say("tui-no-set-up", &[])),
        }
    }

    /// The same pieces with the other side to move: either side may begin, as in the origins.
    fn other_side(&mut self, settings: &Settings, now_ms: u64) {
        let turn = self.scene().turn().other();
        let levels = self.bots.levels;
        let pieces = self.table.game().map(|game| game.view().diagram.pieces).unwrap_or_default();
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

    fn save_line(&self, settings: &Settings) -> Typed {
        let name = files::name(&jiff::Zoned::now());
        Typed::with(Use::Save, &settings.folder.join(name).display().to_string())
    }

    // Playing.

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

    /// A player of this program has decided.
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
