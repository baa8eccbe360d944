//! Play with one line in and one line out: for screen readers, scripts and teaching.
//!
//! Every typed line is answered by exactly one line, so that a program can follow the conversation and a screen
//! reader reads no more than requested. The board can be requested by row, by piece, or as a FEN.

mod lobby;

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use catalog::maps::Loader;
use kernel::{Cell, Side};
use records::Record;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use texts::{Language, say};
use wire::{Offer, Offered};

use crate::opponent::Players;
use crate::said;
use crate::screen::{Event, Settings, Start};
use crate::table::{HallEvent, Local, Opening, Refusal, Remote, Scene, Table, UserAction};
use crate::terminal::Failure;
use crate::walk::piece_at;
use crate::{clock, files, input};

/// The longest wait for an answer of a hall.
const PATIENCE: Duration = Duration::from_secs(20);

/// A game that would be lost if the program ended now: its record and its position.
type Unsaved = Arc<Mutex<Option<(Record, String)>>>;

/// Plays on standard input and output until the user leaves or the input ends. An unsaved game is saved if the system
/// ends the program (SIGTERM, SIGHUP, SIGINT).
///
/// # Errors
/// The errors of [`run`].
pub fn run_here(settings: Settings, start: Start) -> Result<(), Failure> {
    let unsaved = Unsaved::default();
    save_when_told_to_end(settings.language, settings.folder.clone(), Arc::clone(&unsaved))?;
    play(settings, start, std::io::stdin().lock(), std::io::stdout(), &unsaved)
}

/// Starts a thread that waits for signals and saves the game, because the main thread waits for lines.
fn save_when_told_to_end(language: Language, folder: PathBuf, unsaved: Unsaved) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    let wait = move || {
        let Some(signal) = signals.forever().next() else { return };
        let game = unsaved.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((record, fen)) = game {
            let path = folder.join(files::name(&jiff::Zoned::now()));
            let said = match files::save(&path, &folder, &record, &fen) {
                Ok(()) => say(language, "tui-left-saved", &[("file", &path.display().to_string())]),
                Err(why) => {
                    say(language, "tui-left-unsaved", &[("reason", &said::refusal(language, &why.into()))])
                }
            };
            // After a hangup it cannot be read any more.
            let _ = writeln!(std::io::stderr(), "{said}");
        }
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(|_| ())
}

/// Plays until the user leaves or the input ends.
///
/// # Errors
/// Fails when the requested game, file or hall is not available, or input or output break.
pub fn run(settings: Settings, start: Start, input: impl BufRead, output: impl Write) -> Result<(), Failure> {
    play(settings, start, input, output, &Unsaved::default())
}

fn play(
    settings: Settings,
    start: Start,
    mut input: impl BufRead,
    mut output: impl Write,
    unsaved: &Unsaved,
) -> Result<(), Failure> {
    let began = Instant::now();
    let mut base = match start {
        Start::Lobby(base) => base,
        start => {
            let seen = sit_down(&settings, start, began)?;
            match at_table(&settings, seen, began, &mut input, &mut output, unsaved)? {
                Some(base) => base,
                None => return Ok(()),
            }
        }
    };
    while let Some(lobby::Chosen { table, heard }) =
        lobby::talk(&settings, &base, began, &mut input, &mut output)?
    {
        let seen = Seen { table: Box::new(table), heard, levels: [None; 2] };
        match at_table(&settings, seen, began, &mut input, &mut output, unsaved)? {
            Some(same) => base = same,
            None => break,
        }
    }
    Ok(())
}

/// A table before its first line is read.
struct Seen {
    table: Box<dyn Table>,
    heard: Receiver<Event>,
    /// The engine levels by side; `None` for people.
    levels: [Option<u8>; 2],
}

/// Opens the table that the command line requested; a lobby is handled elsewhere.
fn sit_down(settings: &Settings, start: Start, began: Instant) -> Result<Seen, Failure> {
    let (events, heard) = channel();
    let mut levels = [None; 2];
    let table: Box<dyn Table> = match start {
        Start::Game(opening, chosen) => {
            let mut local = Local::new(*opening).map_err(refused)?;
            let plays = local.game().is_some_and(|game| settings.players.levels(game) > 0);
            if plays && chosen != [None; 2] {
                levels = chosen;
                let you: Vec<Side> =
                    Side::BOTH.into_iter().filter(|side| levels[side.index()].is_none()).collect();
                local.seat(&you, Default::default());
            }
            Box::new(local)
        }
        Start::Menu | Start::Lobby(_) => {
            let opening = Opening::of("xiangqi", &catalog::Options::new()).map_err(refused)?;
            Box::new(Local::new(opening).map_err(refused)?)
        }
        Start::Record(path) => {
            let record = files::load(&path).map_err(refused)?;
            Box::new(Local::of_record(&record, settings.loader.as_deref()).map_err(refused)?)
        }
        Start::Hall(visit) => {
            let remote = Remote::visit(*visit, &settings.home(), events, began);
            Box::new(remote.map_err(|why| Failure::Refused(why.0))?)
        }
    };
    Ok(Seen { table, heard, levels })
}

/// Answers lines at a table. Returns the address of the hall if the user goes to its lobby; `None` if the user quits
/// or the input ends.
fn at_table(
    settings: &Settings,
    seen: Seen,
    began: Instant,
    mut input: impl BufRead,
    mut output: impl Write,
    unsaved: &Unsaved,
) -> Result<Option<String>, Failure> {
    let Seen { table, heard, levels } = seen;
    let players = Arc::clone(&settings.players);
    let loader = settings.loader.clone();
    let language = settings.language;
    let folder = settings.folder.clone();
    let mut plain = Plain {
        language,
        table,
        players,
        loader,
        folder,
        levels,
        heard,
        began,
        warned: None,
        told: Standing::default(),
        has_stood: false,
        saved_plies: 0,
    };
    plain.saved_plies = plain.scene().record.len();
    plain.let_play();
    writeln!(output, "{}", plain.begins())?;
    plain.told = plain.standing();
    output.flush()?;
    while let Some(line) = input::line(&mut input)? {
        plain.listen(Duration::ZERO);
        let news = plain.news();
        plain.has_stood = false;
        if matches!(line.trim(), "lobby" | "大厅")
            && let Some(base) = plain.hall()
        {
            return Ok(Some(base));
        }
        let Some(mut answer) = plain.answer(line.trim()) else { break };
        // What happened meanwhile is told with the answer, whatever was asked.
        if !plain.has_stood && plain.standing() != plain.told {
            answer = format!("{answer} {}", plain.stands());
        }
        if let Some(news) = news {
            answer = format!("{answer} {news}");
        }
        *unsaved.lock().unwrap_or_else(PoisonError::into_inner) = plain.unsaved();
        writeln!(output, "{}", answer.replace('\n', " "))?;
        plain.told = plain.standing();
        output.flush()?;
    }
    unsaved.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(None)
}

fn refused(problem: kernel::Problem) -> Failure {
    Failure::Refused(problem.into())
}

/// The state of a table that is played line by line.
struct Plain {
    language: Language,
    table: Box<dyn Table>,
    players: Arc<dyn Players>,
    loader: Option<Arc<dyn Loader>>,
    /// The folder for saved games.
    folder: PathBuf,
    /// The engine levels by side; `None` for people.
    levels: [Option<u8>; 2],
    heard: Receiver<Event>,
    began: Instant,
    warned: Option<String>,
    /// The state that the last answer reported.
    told: Standing,
    /// True if the current answer already describes the position.
    has_stood: bool,
    /// The number of moves that are already saved in a file.
    saved_plies: usize,
}

/// The state of a table whose changes must be reported to a user who cannot see the board.
#[derive(Clone, PartialEq, Default)]
struct Standing {
    /// The number of moves played.
    plies: usize,
    offers: Vec<(Side, Offer)>,
    has_ended: bool,
    /// The seats that are taken at the table of a hall.
    seated: [bool; 2],
    /// True if the hall cannot store anything at the moment.
    in_trouble: bool,
    announced: Vec<String>,
    /// Set while the other player is away: true if the win may be claimed now.
    claim: Option<bool>,
}

impl Plain {
    fn say(&self, key: &str, args: &[(&str, &str)]) -> String {
        say(self.language, key, args)
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn scene(&self) -> &Scene {
        self.table.scene()
    }

    /// Returns the address of the table's hall.
    fn hall(&self) -> Option<String> {
        let link = &self.scene().away.as_ref()?.link;
        link.rsplit_once("/t/").map(|(base, _)| base.to_owned())
    }

    /// Processes the messages of a hall, and waits at most `patience` for the first. Returns the last refusal.
    fn listen(&mut self, patience: Duration) -> Option<crate::table::Refusal> {
        let now_ms = self.now_ms();
        self.table.tick(now_ms);
        let first = self.heard.recv_timeout(patience).ok();
        let mut refused = None;
        for event in first.into_iter().chain(self.heard.try_iter()) {
            if let Event::Hall(heard) = event
                && let Err(refusal) = self.table.hear(heard, now_ms)
            {
                refused = Some(refusal);
            }
        }
        refused
    }

    fn begins(&mut self) -> String {
        let game = self.scene().title(self.language);
        let link = self.scene().away.as_ref().map_or_else(String::new, |away| format!(" {}", away.link));
        format!("{game}.{link} {} {}", self.say("plain-help-hint", &[]), self.stands())
    }

    /// Returns the one-line answer to a typed line; `None`: the user quits.
    fn answer(&mut self, line: &str) -> Option<String> {
        let warned = self.warned.take();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match (word, rest.trim()) {
            ("quit" | "exit" | "退出", "") => return None,
            ("" | "status" | "局势", "") => self.stands(),
            ("help" | "?" | "帮助", "") => self.say("plain-help", &[]),
            ("fen" | "局面", "") => self.table.game().map_or_else(|| self.no_rules(), |game| game.fen()),
            ("moves" | "着法", "") => self.moves(),
            ("record" | "棋谱", "") => self.record(),
            ("pieces" | "棋子", side) => self.pieces(side),
            ("row" | "行", row) => self.row(row),
            ("look" | "看", place) if !place.is_empty() => self.place(place),
            ("clock" | "棋钟", "") => self.clocks(),
            ("wait" | "等", "") => self.wait(),
            ("new" | "新局", "") => self.anew(warned.as_deref()),
            ("undo" | "悔棋", "") => self.wish(UserAction::Undo),
            ("redo" | "重走", "") => self.wish(UserAction::Redo),
            ("draw" | "和棋", "") => self.wish(UserAction::Draw),
            ("resign" | "认输", "") => self.wish(UserAction::Resign),
            ("sit" | "入座", "") => self.wish(UserAction::Sit),
            ("abort" | "取消", "") => self.wish(UserAction::Abort),
            ("claim" | "判胜", "") => self.wish(UserAction::Claim),
            ("accept" | "同意", "") => self.answer_offer(true),
            ("decline" | "拒绝", "") => self.answer_offer(false),
            ("save" | "保存", file) if !file.is_empty() => self.save(file),
            ("load" | "载入", file) if !file.is_empty() => self.load(file),
            _ => self.play(line, warned.as_deref()),
        })
    }

    fn no_rules(&self) -> String {
        self.say("tui-no-looking-back", &[])
    }

    /// Returns events that the position does not show: a declined offer, a player who sat down.
    fn news(&self) -> Option<String> {
        let (told, now) = (&self.told, self.standing());
        let mut parts = Vec::new();
        let agreed = now.has_ended || now.plies != told.plies;
        let gone = told.offers.iter().filter(|offer| !agreed && !now.offers.contains(offer));
        for (side, what) in gone.filter(|(side, _)| self.scene().you.contains(side)) {
            let other = self.scene().side(self.language, side.other());
            parts.push(self.say(&format!("said-declined-{}", said::offer(*what)), &[("side", &other)]) + ".");
        }
        for side in
            Side::BOTH.into_iter().filter(|side| now.seated[side.index()] && !told.seated[side.index()])
        {
            let side = self.scene().side(self.language, side);
            parts.push(self.say("plain-sat", &[("side", &side)]));
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    fn play(&mut self, text: &str, warned: Option<&str>) -> String {
        let scene = self.scene();
        if scene.away.is_some() && scene.end.is_none() && !scene.you.is_empty() && !scene.may_move() {
            // The hall would refuse it later; saying so now saves the wait.
            return format!("{} {}", self.say("problem-not-your-turn", &[]), self.stands());
        }
        let now_ms = self.now_ms();
        let text = match self.table.game().map(|game| game.read_choice(text)) {
            Some(Ok(machine)) => machine,
            Some(Err(refused)) => match self.table.local().and_then(|local| local.begin_by(text, now_ms)) {
                Some(machine) => machine,
                None => return said::refusal(self.language, &refused.problem().into()),
            },
            None => text.to_owned(),
        };
        if let Offered::Listed(moves) = &self.scene().view.moves
            && let Some(reason) = moves.iter().find(|m| m.text == text).and_then(|m| m.warning.clone())
            && warned != Some(text.as_str())
        {
            let reason = said::reason(self.language, &reason);
            let asked = self.say("line-warned", &[("move", &text), ("reason", &reason)]);
            self.warned = Some(text);
            return asked;
        }
        self.wish(UserAction::Play(text))
    }

    /// Lets the engine play while it is its turn, and returns its moves in words.
    fn let_play(&mut self) -> Vec<String> {
        let mut played = Vec::new();
        while let Some(level) =
            self.levels[self.scene().turn().index()].filter(|_| self.scene().end.is_none())
        {
            let player = self.players.player(level);
            let (Some(mut player), Some(game)) = (player, self.table.game()) else { break };
            let Some(text) = player.think(game, None, engine::Stop::default(), &mut |_| {}) else { break };
            let now_ms = self.now_ms();
            if self.table.wish(UserAction::Play(text), now_ms).is_err() {
                break;
            }
            played.push(self.moved());
        }
        played
    }

    /// Returns the last move in words.
    fn moved(&self) -> String {
        let scene = self.scene();
        let Some(last) = scene.record.len().checked_sub(1) else { return String::new() };
        let side = scene.side(self.language, scene.record[last].1);
        let letters = scene.notations.iter().position(|key| key == "wxf").unwrap_or(0);
        let notation = if self.language == Language::English { letters } else { 0 };
        self.say("plain-moved", &[("side", &side), ("move", scene.name(last, notation))])
    }

    /// Sends a request to the table, and returns the answer: the position afterwards, or the reason of a refusal.
    fn wish(&mut self, wish: UserAction) -> String {
        let declines = match wish {
            UserAction::Decline(what) => Some(what),
            _ => None,
        };
        let sits = wish == UserAction::Sit;
        let plays = matches!(wish, UserAction::Play(_));
        let now_ms = self.now_ms();
        if let Err(refusal) = self.table.wish(wish, now_ms) {
            return said::refusal(self.language, &refusal);
        }
        if self.scene().away.is_some() {
            let until = Instant::now() + PATIENCE;
            while self.table.waits_since().is_some() {
                if Instant::now() >= until {
                    return self.say("problem-hall-unreachable", &[]);
                }
                if let Some(refusal) = self.listen(Duration::from_millis(200)) {
                    return said::refusal(self.language, &refusal);
                }
            }
            // Offers stay until they are answered; everything else has happened.
            if let (Some(what), Some(&side)) = (declines, self.scene().you.first()) {
                let side = self.scene().side(self.language, side);
                let told = self.say(&format!("said-declined-{}", said::offer(what)), &[("side", &side)]);
                return format!("{told}. {}", self.stands());
            }
            if let (true, Some(&side)) = (sits, self.scene().you.first()) {
                let side = self.scene().side(self.language, side);
                return format!("{} {}", self.say("plain-you-sit", &[("side", &side)]), self.stands());
            }
        }
        let own = self.moved();
        match plays && !self.let_play().is_empty() {
            true => format!("{own} {}", self.stands()),
            false => self.stands(),
        }
    }

    /// Returns the reason why the hall cannot store anything at the moment.
    fn trouble(&self) -> Option<&Refusal> {
        self.scene().away.as_ref()?.trouble.as_ref()
    }

    /// Describes the position: first any trouble of the hall, then the last move, and the side to move with its
    /// question or the result.
    fn stands(&mut self) -> String {
        self.has_stood = true;
        self.told = self.standing();
        self.standing_words()
    }

    fn standing_words(&self) -> String {
        let scene = self.scene();
        let mut parts = Vec::new();
        parts.extend(self.trouble().map(|trouble| said::refusal(self.language, trouble)));
        parts.extend(said::announced(self.language, scene));
        if !scene.record.is_empty() {
            parts.push(self.moved());
        }
        if let Some(end) = &scene.end {
            parts.push(said::end(self.language, scene, end));
            return parts.join(" ");
        }
        let turn = scene.side(self.language, scene.turn());
        if scene.view.marks.iter().any(|mark| mark.kind == "check") {
            parts.push(self.say("tui-check", &[("side", &turn)]));
        }
        match &scene.view.prompt {
            Some(prompt) => {
                let asked = self.say(&format!("prompt-{}", prompt.key), &[]);
                parts.push(self.say("line-asked", &[("side", &turn), ("prompt", &asked)]));
            }
            None => parts.push(self.say("turn-of", &[("side", &turn)])),
        }
        parts.extend(scene.view.notes.iter().map(|note| said::told(self.language, "note", note)));
        for (side, what) in &scene.offers {
            let kind = said::offer(*what);
            let side = scene.side(self.language, *side);
            parts.push(self.say(&format!("said-offer-{kind}"), &[("side", &side)]));
        }
        parts.extend(self.waited());
        parts.join(" ")
    }

    /// Returns the sentences about the time for the first move and about a player who has left.
    fn waited(&self) -> impl Iterator<Item = String> {
        let (language, scene, now_ms) = (self.language, self.scene(), self.now_ms());
        let first = said::first_move(language, scene, now_ms).map(|text| format!("({text})"));
        first.into_iter().chain(said::claim(language, scene, "plain-claim", now_ms))
    }

    fn moves(&mut self) -> String {
        match self.table.game() {
            Some(game) => {
                let first = |(text, names): (String, Vec<(&str, String)>)| {
                    let wanted = game.notations().first();
                    let name = names.into_iter().find(|(key, _)| Some(key) == wanted).map(|(_, name)| name);
                    name.unwrap_or(text)
                };
                let moves: Vec<String> = game.texts().into_iter().map(first).collect();
                if moves.is_empty() { self.stands() } else { moves.join(" ") }
            }
            None => self.no_rules(),
        }
    }

    fn record(&self) -> String {
        let scene = self.scene();
        let names: Vec<&str> = (0..scene.record.len()).map(|ply| scene.name(ply, 0)).collect();
        if names.is_empty() { self.say("moves-none", &[]) } else { names.join(" ") }
    }

    /// Returns every piece of a side with its place; of both sides if none is named.
    fn pieces(&self, side: &str) -> String {
        let scene = self.scene();
        let wanted = |owner: Option<wire::Side>| {
            side.is_empty()
                || owner.is_some_and(|owner| {
                    scene.side(self.language, owner).eq_ignore_ascii_case(side) || scene.tone(owner) == side
                })
        };
        let cells = scene
            .view
            .pieces
            .iter()
            .filter(|p| wanted(p.owner))
            .map(|p| said::place(self.language, scene, p.at));
        cells.collect::<Vec<_>>().join("; ")
    }

    /// Returns the pieces of a row from the left; rows count from the top, from 1.
    fn row(&self, row: &str) -> String {
        let scene = self.scene();
        let Some(row) = row.parse::<u8>().ok().filter(|row| (1..=scene.board.ranks).contains(row)) else {
            return self.say("plain-row", &[("most", &scene.board.ranks.to_string())]);
        };
        let cells = (0..scene.board.files).map(|file| scene.board.cell(file, row - 1));
        let standing = |cell: &Cell| piece_at(&scene.view, *cell).is_some();
        let said: Vec<String> =
            cells.filter(standing).map(|cell| said::place(self.language, scene, cell)).collect();
        if said.is_empty() { self.say("cell-empty", &[]) } else { said.join("; ") }
    }

    fn place(&self, name: &str) -> String {
        match self.scene().board.cell_named(name) {
            Some(cell) => said::place(self.language, self.scene(), cell),
            None => self.say("plain-no-place", &[("place", name)]),
        }
    }

    fn clocks(&self) -> String {
        let scene = self.scene();
        let shown = |side: Side| {
            let reading = scene.reading(side, self.now_ms())?;
            Some(format!("{} {}", scene.side(self.language, side), clock::text(reading.ms, self.language)))
        };
        let both: Vec<String> = Side::BOTH.into_iter().filter_map(shown).collect();
        let both = if both.is_empty() { self.say("clock-none", &[]) } else { both.join("; ") };
        std::iter::once(both).chain(self.waited()).collect::<Vec<_>>().join(" ")
    }

    /// Waits until the state of the table changes, and describes it.
    fn wait(&mut self) -> String {
        if self.scene().away.is_none() {
            return self.say("problem-only-at-a-hall", &[]);
        }
        let mut news = None;
        while self.standing() == self.told {
            // No event says that the opponent has been away for long enough, so the time is watched here.
            let ripens = self.scene().claim_left_ms(self.now_ms()).filter(|&left_ms| left_ms > 0);
            let heard = match ripens {
                Some(left_ms) => match self.heard.recv_timeout(Duration::from_millis(left_ms)) {
                    Err(RecvTimeoutError::Timeout) => continue,
                    heard => heard.map_err(drop),
                },
                None => self.heard.recv().map_err(drop),
            };
            match heard {
                Ok(Event::Hall(heard)) => {
                    let gone = matches!(heard, HallEvent::Gone(_));
                    let now_ms = self.now_ms();
                    if let Err(refusal) = self.table.hear(heard, now_ms)
                        && gone
                    {
                        return said::refusal(self.language, &refusal);
                    }
                }
                Ok(_) => {}
                Err(()) => return self.say("problem-hall-unreachable", &[]),
            }
            news = self.news();
        }
        let stands = self.stands();
        news.map_or(stands.clone(), |news| format!("{stands} {news}"))
    }

    fn standing(&self) -> Standing {
        let scene = self.scene();
        Standing {
            plies: scene.record.len(),
            offers: scene.offers.clone(),
            has_ended: scene.end.is_some(),
            seated: scene.away.as_ref().map_or([true; 2], |away| away.seated),
            in_trouble: self.trouble().is_some(),
            announced: said::announced(self.language, self.scene()),
            claim: scene.claim_left_ms(self.now_ms()).map(|left_ms| left_ms == 0),
        }
    }

    fn answer_offer(&mut self, yes: bool) -> String {
        let Some(what) = said::answered(self.scene(), yes) else { return self.say("tui-no-offer", &[]) };
        // It came while the line was typed.
        if !self.told.offers.iter().any(|(_, of)| *of == what) {
            return format!("{} {}", self.say("problem-offer-unseen", &[]), self.stands());
        }
        self.wish(if yes { UserAction::Accept(what) } else { UserAction::Decline(what) })
    }

    fn save(&mut self, file: &str) -> String {
        let path = files::path(file);
        let Some(local) = self.table.local() else { return self.say("tui-save-at-hall", &[]) };
        match local.save(&path, &self.folder) {
            Ok(()) => {
                self.saved_plies = self.scene().record.len();
                self.say("tui-saved", &[("file", file)])
            }
            Err(problem) => said::refusal(self.language, &problem.into()),
        }
    }

    /// Returns the unsaved game, which would be lost if the program ended now.
    fn unsaved(&mut self) -> Option<(Record, String)> {
        let (plies, has_ended) = (self.scene().record.len(), self.scene().end.is_some());
        if has_ended || plies == 0 || plies == self.saved_plies {
            return None;
        }
        Some(self.table.local()?.written_down())
    }

    /// Starts the same game again; asks first if an unsaved game would be lost.
    fn anew(&mut self, warned: Option<&str>) -> String {
        const ASKED: &str = "new";
        if self.table.local().is_none() {
            return self.say("plain-new-at-hall", &[]);
        }
        if self.unsaved().is_some() && warned != Some(ASKED) {
            self.warned = Some(ASKED.to_owned());
            return self.say("plain-ask-new", &[]);
        }
        let again = self.table.local().expect("it was looked for").again();
        match again {
            Ok(again) => {
                self.table = Box::new(again);
                self.saved_plies = 0;
                self.let_play();
                self.begins()
            }
            Err(problem) => said::refusal(self.language, &problem.into()),
        }
    }

    fn load(&mut self, file: &str) -> String {
        match files::load(&files::path(file))
            .and_then(|record| Local::of_record(&record, self.loader.as_deref()))
        {
            Ok(local) => {
                self.table = Box::new(local);
                self.saved_plies = self.scene().record.len();
                self.begins()
            }
            Err(problem) => said::refusal(self.language, &problem.into()),
        }
    }
}
