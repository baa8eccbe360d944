//! A table of a hall; another thread keeps the connection.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::Options;
use catalog::maps::{self, OLD_NAMES, Package};
use client::{Answer, Error, Seat};
use kernel::AnyGame;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use wire::{Act, CreateTable, ExtensionFile, Offer, Opponent, UploadMap, View};

use super::{Away, Refusal, Scene, Table, UserAction};
use crate::identity::{self, Entered, Home};
use crate::screen::Event;

/// The longest wait for a hall's answer to a first request.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// A visit to a hall: its address and the table.
pub struct Visit {
    /// The hall: `http://127.0.0.1:8080`.
    pub base: String,
    /// The purpose of the visit.
    pub wanted: Destination,
    /// Set to watch without taking a seat.
    pub watch: bool,
}

/// The destinations of a visit.
pub enum Destination {
    /// The table of that id.
    Table(String),
    /// Take a seat at the open table of that id.
    Seat(String),
    /// The open room of that name.
    Room(String),
    /// Open a table; a map is uploaded with its name.
    Open(Box<CreateTable>, Option<(String, Package)>),
}

/// The reason why a visit failed.
#[derive(Debug)]
pub struct VisitError(pub wire::Problem);

/// Creates a problem found by this program.
fn own(key: &'static str) -> Refusal {
    kernel::Problem::new(key).into()
}

fn strange(why: impl std::fmt::Display) -> Refusal {
    kernel::Problem::new("hall-strange").with("found", why).into()
}

impl From<Error> for VisitError {
    fn from(error: Error) -> VisitError {
        VisitError(match error {
            Error::Lost(_) => own("hall-unreachable"),
            Error::Untrusted(why) => kernel::Problem::new("hall-not-trusted").with("reason", why).into(),
            Error::Refused(problem) => problem,
            Error::Strange(why) => strange(why),
        })
    }
}

/// The messages from the connection's thread.
pub(crate) enum HallEvent {
    /// A new state of the table.
    State(Box<State>),
    /// A request was carried out, with the state of the table afterwards.
    Done(Box<State>),
    /// A request was refused.
    Refused(Refusal),
    /// The connection is lost and will be opened again.
    Lost,
    /// The connection is lost for good.
    Gone(Refusal),
}

/// The state of a table at one moment.
pub(crate) struct State {
    scene: Scene,
    options: Options,
    fen: Option<String>,
}

/// A table of a hall.
pub(crate) struct Remote {
    scene: Scene,
    wishes: UnboundedSender<Act>,
    /// The same game, kept in step locally; `None` if this program does not know the rules.
    mirror: Option<Box<dyn AnyGame>>,
    /// The position from which the game of `mirror` began.
    start: Option<Box<dyn AnyGame>>,
    watch: bool,
    /// The time at which the pending request was sent, in milliseconds.
    sent_ms: Option<u64>,
}

impl Remote {
    /// Connects with the identity that `home` stores for the hall, and waits until the table is known. Later messages
    /// arrive at `events`.
    ///
    /// # Errors
    /// Fails when the hall does not answer, or refuses; `signed-out-elsewhere` when the session of the last visit has
    /// ended, which is reported once.
    pub fn visit(
        visit: Visit,
        home: &Home,
        events: Sender<Event>,
        began: Instant,
    ) -> Result<Remote, VisitError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| VisitError(strange(e)))?;
        let Visit { base, wanted, watch } = visit;
        let sits = matches!(wanted, Destination::Seat(_));
        let entered = async {
            let (mut seat, link) = enter(&base, wanted, home).await?;
            while seat.view.is_none() {
                if seat.hear_once().await?.is_none() {
                    return Err(VisitError(own("hall-unreachable")));
                }
            }
            if sits
                && seat.you.is_empty()
                && let Answer::Refused(problem) = seat.wish(Act::Sit { side: None }).await?
            {
                return Err(VisitError(problem));
            }
            Ok((seat, link))
        };
        // One deadline for all of it: a hall that sends something now and then cannot make the visitor wait
        // for ever.
        let entered = runtime.block_on(async { tokio::time::timeout(PATIENCE, entered).await });
        let (seat, link) = entered.map_err(|_| VisitError(own("hall-unreachable")))??;
        let state = state(&seat, &link, true, began).ok_or_else(|| VisitError(strange("no table")))?;
        let start = start_of(&state);
        let (wishes, asked) = unbounded_channel();
        let mut remote = Remote { scene: state.scene, wishes, mirror: None, start, watch, sent_ms: None };
        remote.follow();
        thread::Builder::new()
            .name("hall".to_owned())
            .spawn(move || runtime.block_on(keep(seat, asked, &link, began, &events)))
            .map_err(|e| VisitError(strange(e)))?;
        Ok(remote)
    }

    /// Brings the mirror to the table's current position.
    fn follow(&mut self) {
        let Some(start) = &self.start else { return };
        let record = &self.scene.record;
        let known = self.mirror.as_ref().map_or_else(Vec::new, |game| game.record());
        let agree = known.len() <= record.len() && known.iter().zip(record).all(|(text, ply)| *text == ply.0);
        let mut game = match self.mirror.take() {
            Some(game) if agree => game,
            _ => start.boxed_clone(),
        };
        for ply in record.iter().skip(game.plies()) {
            if game.play(&ply.0).is_err() {
                // The hall has rules that this program does not know.
                self.start = None;
                return;
            }
        }
        self.mirror = Some(game);
    }

    fn send(&mut self, act: Act, now_ms: u64) -> Result<(), Refusal> {
        self.sent_ms = Some(now_ms);
        self.wishes.send(act).map_err(|_| own("hall-unreachable"))
    }

    fn free_seat(&self) -> bool {
        self.scene.away.as_ref().is_some_and(|away| away.seated.contains(&false))
    }
}

impl Table for Remote {
    fn scene(&self) -> &Scene {
        &self.scene
    }

    fn wish(&mut self, wish: UserAction, now_ms: u64) -> Result<(), Refusal> {
        if self.scene.you.is_empty() && wish != UserAction::Sit {
            return Err(own("tui-only-watching"));
        }
        let one_screen = self.scene.you.len() == 2;
        let act = match wish {
            UserAction::Play(text) => Act::Move { text, away: false },
            UserAction::Undo if self.scene.view.withdraws && !self.scene.record.is_empty() => Act::Withdraw,
            UserAction::Undo => Act::Offer { what: Offer::Takeback, plies: one_screen.then_some(1) },
            UserAction::Redo => return Err(own("nothing-to-redo")),
            UserAction::Draw => Act::Offer { what: Offer::Draw, plies: None },
            UserAction::Resign => Act::Resign { side: None },
            UserAction::Rematch => Act::Offer { what: Offer::Rematch, plies: None },
            UserAction::Swap => Act::Offer { what: Offer::Swap, plies: None },
            UserAction::Accept(what) => Act::Accept { what },
            UserAction::Decline(what) => Act::Decline { what },
            UserAction::Sit if self.free_seat() => Act::Sit { side: None },
            UserAction::Sit => return Err(own("no-free-seat")),
            UserAction::Abort => Act::Abort,
            UserAction::Claim => Act::Claim,
        };
        self.send(act, now_ms)
    }

    fn game(&self) -> Option<&dyn AnyGame> {
        self.mirror.as_deref()
    }

    fn view_at(&self, plies: usize) -> Option<View> {
        let mut past = self.mirror.as_ref()?.boxed_clone();
        while past.plies() > plies && past.undo() {}
        Some(past.view())
    }

    fn tick(&mut self, _now_ms: u64) -> bool {
        false
    }

    fn waits_since(&self) -> Option<u64> {
        self.sent_ms
    }

    fn hear(&mut self, heard: HallEvent, _now_ms: u64) -> Result<(), Refusal> {
        if matches!(heard, HallEvent::Done(_)) {
            self.sent_ms = None;
        }
        let away = self.scene.away.get_or_insert_default();
        match heard {
            HallEvent::State(state) | HallEvent::Done(state) => {
                self.scene = state.scene;
                if self.watch {
                    self.scene.you.clear();
                }
                self.follow();
                Ok(())
            }
            HallEvent::Lost => {
                away.connected = false;
                Ok(())
            }
            HallEvent::Refused(problem) => {
                self.sent_ms = None;
                Err(problem)
            }
            HallEvent::Gone(problem) => {
                away.connected = false;
                Err(problem)
            }
        }
    }
}

async fn enter(base: &str, wanted: Destination, home: &Home) -> Result<(Seat, String), VisitError> {
    let Entered { guest, has_ended, .. } = identity::enter(base, home).await?;
    if has_ended {
        return Err(VisitError(own("signed-out-elsewhere")));
    }
    let table = match wanted {
        Destination::Table(id) | Destination::Seat(id) => id,
        Destination::Room(name) => guest.room(&name).await?,
        Destination::Open(mut wish, map) => {
            if let Some((name, files)) = map {
                let old_names = wish.options.get(OLD_NAMES) == Some(&1);
                wish.map = Some(guest.bring(&upload(&name, &files, old_names)).await?);
            }
            guest.open(&wish).await?.id
        }
    };
    // A table that is not there is told now, and not by a line that cannot be opened.
    guest.get(&format!("/api/tables/{table}")).await?;
    let link = format!("{}/t/{table}", base.trim_end_matches('/'));
    Ok((Seat::new(guest, &table), link))
}

/// Prepares a map for the upload.
fn upload(name: &str, files: &Package, old_names: bool) -> UploadMap {
    let extension = |source: &maps::Source| ExtensionFile {
        file: source.file.clone(),
        base64: STANDARD.encode(&source.bytes),
    };
    UploadMap {
        // A hall takes names of 60 letters.
        name: name.chars().take(60).collect(),
        map: STANDARD.encode(&files.map),
        extensions: files.extensions.iter().map(extension).collect(),
        old_names,
        trial: false,
    }
}

/// Receives and sends messages until the table is closed or the connection is lost for good.
async fn keep(
    mut seat: Seat,
    mut asked: UnboundedReceiver<Act>,
    link: &str,
    began: Instant,
    events: &Sender<Event>,
) {
    let tell = |heard: HallEvent| events.send(Event::Hall(heard)).is_ok();
    loop {
        let heard = tokio::select! {
            heard = seat.hear_once() => match heard {
                Ok(Some(_)) => state(&seat, link, true, began).map(|state| HallEvent::State(Box::new(state))),
                Ok(None) => Some(HallEvent::Lost),
                Err(error) => Some(HallEvent::Gone(VisitError::from(error).0)),
            },
            wish = asked.recv() => match wish {
                None => return,
                Some(act) => {
                    let sits = matches!(act, Act::Sit { .. });
                    let answer = seat.wish(act).await;
                    // Which seats one has comes in a message of its own, right behind.
                    if sits && matches!(answer, Ok(Answer::Done(_))) && seat.you.is_empty() {
                        let _ = tokio::time::timeout(Duration::from_secs(1), seat.hear_once()).await;
                    }
                    match answer {
                        Ok(Answer::Done(_)) => {
                            state(&seat, link, true, began).map(|state| HallEvent::Done(Box::new(state)))
                        }
                        Ok(Answer::Refused(problem)) => Some(HallEvent::Refused(problem)),
                        Err(error) => Some(HallEvent::Gone(VisitError::from(error).0)),
                    }
                }
            },
        };
        let gone = matches!(heard, Some(HallEvent::Gone(_)));
        if heard.is_some_and(|heard| !tell(heard)) || gone {
            return;
        }
    }
}

/// Returns the state of the table as the seat knows it; `None` before the first message.
fn state(seat: &Seat, link: &str, connected: bool, began: Instant) -> Option<State> {
    let (info, view) = (seat.info.as_ref()?, seat.view.as_ref()?);
    let sides = catalog::find(&info.game).map_or(["first", "second"], |entry| entry.sides);
    let name = |player: &Option<wire::Player>| match player {
        Some(wire::Player { engine: Some(Opponent::Engine(name)), .. }) => name.clone(),
        Some(player) => player.name.clone().unwrap_or_default(),
        None => String::new(),
    };
    let level = |player: &Option<wire::Player>| match player {
        Some(wire::Player { engine: Some(Opponent::Level(level)), .. }) => Some(*level),
        _ => None,
    };
    let since =
        |told: Instant| u64::try_from(told.saturating_duration_since(began).as_millis()).unwrap_or(u64::MAX);
    let away = Away {
        link: link.to_owned(),
        room: info.room.clone(),
        here: seat.here,
        seated: [info.seats[0].is_some(), info.seats[1].is_some()],
        levels: [level(&info.seats[0]), level(&info.seats[1])],
        watchers: seat.watchers,
        connected,
        first: seat.first_ms.map(|left_ms| (left_ms, since(seat.first_told))),
        claim: seat.claim_ms.map(|left_ms| (left_ms, since(seat.claim_told))),
        next: info.next.clone(),
        trouble: seat.trouble.clone(),
        announced: seat.announced.clone(),
    };
    let scene = Scene {
        game: info.game.clone(),
        map: info.map.as_ref().map(|map| map.name.clone()),
        opening: info.opening.clone(),
        sides: sides.map(str::to_owned),
        board: board(&info.board),
        view: view.clone(),
        record: seat.record.clone(),
        notations: info.notations.clone(),
        players: [name(&info.seats[0]), name(&info.seats[1])],
        clock: info.clock,
        face: seat.clock.map(|face| (face, since(seat.clock_told))),
        end: seat.end.clone(),
        you: seat.you.to_vec(),
        offers: seat.offers.clone(),
        away: Some(away),
        comment: String::new(),
    };
    Some(State { scene, options: info.options.clone(), fen: info.fen.clone() })
}

/// Returns the game at its start, if it is in this program's catalogue.
fn start_of(state: &State) -> Option<Box<dyn AnyGame>> {
    catalog::find(&state.scene.game).ok()?.open(None, &state.options, state.fen.as_deref()).ok()
}

/// Returns the board that was sent, with at least one place.
fn board(sent: &wire::Board) -> kernel::Board {
    kernel::Board { files: sent.files.max(1), ranks: sent.ranks.max(1), ..sent.clone() }
}
