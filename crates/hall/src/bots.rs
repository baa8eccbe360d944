//! Games for programs: lines of JSON with the state of a game, and acts without a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use edge::network::{Asker, Payer};
use kernel::{Problem, Side};
use members::staff::rules::Rules;
use people::Secret;
use people::secret::new_id;
use table::State;
use tables::ask::{Ask, Join, News, Wished};
use tables::memory::NoTable;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, oneshot, watch};
use wire::{Act, GameEvent, GameState, Offer, Offered, Player, ServerMessage, StreamEvent};

use crate::events::{Happening, game};
use crate::hall::Hall;
use crate::wrong::Wrong;

/// An empty line is sent this often, so that both sides notice when the other has gone.
pub const KEEP_ALIVE: Duration = Duration::from_secs(7);
/// Running games that a stream of events begins with.
const PLAYING: u32 = 50;
/// Attempts to carry out an act, repeated when another act changed the table meanwhile.
const TRIES: usize = 4;

/// The sender of a stream's lines; fails once the client has stopped reading.
pub type Lines = mpsc::Sender<String>;

/// Sends a line; fails once the client has stopped reading.
async fn put(lines: &Lines, line: &impl serde::Serialize) -> Result<(), ()> {
    let text = serde_json::to_string(line).expect("plain data");
    lines.send(format!("{text}\n")).await.map_err(drop)
}

impl Hall {
    /// Writes the events of a person, beginning with their running games and open challenges, until the client stops
    /// reading, the secret is no longer valid, or the hall stops.
    pub async fn stream_events(self: Arc<Self>, who: Player, secret: Secret, lines: Lines) {
        let signed_out = Arc::clone(&self).until_signed_out(who.id.clone(), Some(secret), None);
        let mut stopping = self.stopping.subscribe();
        let mut rules = self.members.staffed.watch();
        let mut announced = 0;
        let work = async {
            loop {
                self.announce(&mut rules, &mut announced, &lines).await?;
                // First listening, then told what there is: what happens in between comes twice rather than never.
                let mut listening = self.events.listen(&who.id);
                self.tell_open(&who.id, &lines).await?;
                loop {
                    tokio::select! {
                        what = listening.next() => match what {
                            Some(Happening::Event(event)) => put(&lines, &*event).await?,
                            Some(Happening::Accepted(_) | Happening::Waits) => {}
                            None => break,
                        },
                        Ok(()) = rules.changed() => self.announce(&mut rules, &mut announced, &lines).await?,
                        () = tokio::time::sleep(KEEP_ALIVE) => lines.send("\n".to_owned()).await.map_err(drop)?,
                    }
                }
            }
        };
        tokio::select! {
            ended = work => { let _: Result<std::convert::Infallible, ()> = ended; }
            () = signed_out => {}
            () = lines.closed() => {}
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
    }

    /// Writes the announcements that have not been written yet.
    async fn announce(
        &self,
        rules: &mut watch::Receiver<Arc<Rules>>,
        last: &mut u64,
        lines: &Lines,
    ) -> Result<(), ()> {
        let mut now = rules.borrow_and_update().announced(self.time.now_ms());
        now.retain(|line| line.n > *last);
        for announcement in now.into_iter().rev() {
            *last = announcement.n;
            put(lines, &StreamEvent::Announcement { announcement }).await?;
        }
        Ok(())
    }

    async fn tell_open(&self, person: &str, lines: &Lines) -> Result<(), ()> {
        for table in self.store.tables.playing(person, PLAYING).await.unwrap_or_default() {
            let look = |state: &State| state.is_on().then(|| game(state));
            if let Ok(Some(game)) = self.tables.look(&table, Payer::Hall, look).await {
                put(lines, &StreamEvent::GameStart { game }).await?;
            }
        }
        if let Ok(open) = self.members.challenges.of(person).await {
            for challenge in open.received.into_iter().chain(open.sent) {
                put(lines, &StreamEvent::Challenge { challenge }).await?;
            }
        }
        Ok(())
    }

    /// Writes the state of a game whenever it changes, until the game is over, the client stops reading, the secret
    /// is no longer valid, or the hall stops.
    ///
    /// # Errors
    /// An error when the table cannot be had.
    pub async fn stream_game(
        self: Arc<Self>,
        table: String,
        who: Player,
        asker: Asker,
        secret: Secret,
        lines: Lines,
    ) -> Result<(), NoTable> {
        let network = asker.network;
        let joining = |reply| Ask::Join(Box::new(Join { who: who.clone(), network, since: None, reply }));
        let (handle, mut joined) = self.tables.ask(&table, (&asker).into(), joining).await?;
        let signed_out = Arc::clone(&self).until_signed_out(who.id.clone(), Some(secret), Some(network));
        let mut stopping = self.stopping.subscribe();
        let work = async {
            let mut first = true;
            // The version that was told last; what a table tells besides may come in between.
            let mut told = None;
            loop {
                let person = who.id.clone();
                let now_ms = self.time.now_ms();
                let look = move |state: &State| (state.ver, full(state, &person, now_ms));
                let Ok((v, event)) = self.tables.look(&table, (&asker).into(), look).await else { return };
                let (event, over) = match event {
                    event @ GameEvent::GameFull { .. } if first => (event, false),
                    GameEvent::GameFull { state, game, .. } => {
                        (GameEvent::GameState(state), game.end.is_some())
                    }
                    other => (other, false),
                };
                let over = over || matches!(&event, GameEvent::GameFull { game, .. } if game.end.is_some());
                if told != Some(v) && put(&lines, &event).await.is_err() || over {
                    return;
                }
                (first, told) = (false, Some(v));
                loop {
                    tokio::select! {
                        news = joined.news.recv() => match news {
                            Ok(News::Event(_) | News::Anew) | Err(RecvError::Lagged(_)) => break,
                            Ok(News::Other(_)) => {}
                            Ok(News::Said(spoken)) => {
                                let blocked = self.blocked_by(&who.id).await;
                                let mine = spoken.text_for(&who.id).is_some();
                                if mine && !blocked.contains(&spoken.line.who.id) {
                                    let line = GameEvent::ChatLine(spoken.line.clone());
                                    if put(&lines, &line).await.is_err() {
                                        return;
                                    }
                                }
                            }
                            Err(RecvError::Closed) => return,
                        },
                        () = tokio::time::sleep(KEEP_ALIVE) => {
                            if lines.send("\n".to_owned()).await.is_err() {
                                return;
                            }
                        }
                    }
                }
            }
        };
        tokio::select! {
            () = work => {}
            () = signed_out => {}
            () = lines.closed() => {}
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
        let _ = handle.0.send(Ask::Left(who.id)).await;
        Ok(())
    }

    /// Carries out an act at a table in its present state.
    ///
    /// # Errors
    /// The reason of the refusal.
    pub async fn wish(
        &self,
        table: &str,
        who: &Player,
        payer: Payer<'_>,
        act: impl Fn(&State) -> Result<Act, Problem> + Send + Sync + Clone + 'static,
    ) -> Result<(), Wrong> {
        let mut refused = Problem::new("stale");
        for _ in 0..TRIES {
            let act = act.clone();
            let (ver, act) = self.tables.look(table, payer, move |state| (state.ver, act(state))).await?;
            let (act, cmd) = (act?, new_id());
            let wish = |reply: oneshot::Sender<_>| {
                Ask::Do(Box::new(Wished {
                    who: who.clone(),
                    cmd: cmd.clone(),
                    ver,
                    act: act.clone(),
                    arrived_ms: self.time.now_ms(),
                    lag_ms: 0,
                    reply,
                    span: tables::traces::wish(table, &act, None),
                }))
            };
            let (_, answer) = self.tables.ask(table, payer, wish).await?;
            let Some(answer) = answer else { return Ok(()) };
            match serde_json::from_str(&answer) {
                Ok(ServerMessage::No { why, .. }) if why.key == "stale" => refused = Problem::new("stale"),
                Ok(ServerMessage::No { why, .. }) => return Err(Wrong::Said(why)),
                _ => return Ok(()),
            }
        }
        Err(refused.into())
    }
}

/// Returns the first side that a person plays at the table.
///
/// # Errors
/// `not-your-seat`.
pub fn side_of(state: &State, person: &str) -> Result<Side, Problem> {
    state.seats_of(person).first().copied().ok_or_else(|| Problem::new("not-your-seat"))
}

/// Returns the act that answers or makes an offer: an acceptance or refusal if the other side has offered it, else
/// the person's own offer or its withdrawal.
///
/// # Errors
/// `not-your-seat`.
pub fn answer(state: &State, person: &str, what: Offer, yes: bool) -> Result<Act, Problem> {
    let side = side_of(state, person)?;
    let offered = state.offered(what).is_some_and(|by| by != side);
    Ok(match (offered, yes) {
        (true, true) => Act::Accept { what },
        (true, false) | (false, false) => Act::Decline { what },
        (false, true) => Act::Offer { what, plies: None },
    })
}

/// Returns the complete state of a game for one of its players.
fn full(state: &State, person: &str, now_ms: u64) -> GameEvent {
    let seats = state.seats_of(person);
    let turn = state.turn();
    let is_on = state.started() && state.end.is_none();
    let mine = seats.contains(&turn);
    // Where chance decides, the choices alone: what is drawn the hall decides.
    let legal = match &state.view.moves {
        _ if !(is_on && mine) => Vec::new(),
        Offered::Listed(moves) => moves.iter().map(|m| m.text.clone()).collect(),
        Offered::Every(_) => state.game.moves(),
    };
    let offered = |what| state.offered(what).is_some_and(|by| !seats.contains(&by));
    let status = match &state.end {
        Some(end) => end.reason.to_string(),
        None if state.started() => "started".to_owned(),
        None => "created".to_owned(),
    };
    GameEvent::GameFull {
        game: game(state),
        options: state.setup.options.clone(),
        fen: state.setup.fen.clone(),
        you: seats.to_vec(),
        state: GameState {
            v: state.ver,
            moves: state.record.iter().map(|ply| ply.0.to_string()).collect(),
            turn,
            fen: state.game.fen(),
            legal,
            clock: state.clock.face(now_ms),
            draw_offer: offered(Offer::Draw),
            takeback_offer: offered(Offer::Takeback),
            status,
            winner: state.end.as_ref().and_then(|end| end.winner),
        },
    }
}
