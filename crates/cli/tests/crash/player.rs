//! Someone who plays at random, offers this and that, is sometimes cut off, and never gives up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client::{Guest, Seat};
use kernel::laws::Random;
use wire::{Act, Offer, Offered};

use crate::checker::{Answer, Shown, Wished};

/// A player, with their acts and views.
pub struct Player {
    guest: Guest,
    seat: Seat,
    table: String,
    random: Random,
    shared: Shared,
    report: Report,
}

/// The state that two players of a table share outside of the hall.
pub struct Shared {
    /// The place of the player, 0 or 1.
    pub place: usize,
    /// The table at which each of them would stop, with no command under way.
    pub idle: Arc<Mutex<[Option<String>; 2]>>,
    /// Set when no further game should begin.
    pub over: Arc<AtomicBool>,
}

impl Shared {
    /// Returns true if the other player would stop at this table, too.
    fn both_idle_at(&self, table: &str) -> bool {
        let mut idle = self.idle.lock().expect("nobody panics here");
        idle[self.place] = Some(table.to_owned());
        idle.iter().all(|at| at.as_deref() == Some(table))
    }
}

/// The commands of a player, and their views of tables.
#[derive(Default)]
pub struct Report {
    pub wishes: Vec<Wished>,
    pub seats: Vec<Shown>,
    pub connections: u32,
}

impl Player {
    pub fn new(guest: Guest, table: &str, random: Random, shared: Shared) -> Player {
        let seat = Seat::new(guest.clone(), table);
        Player { guest, seat, table: table.to_owned(), random, shared, report: Report::default() }
    }

    /// Plays game after game, until it is over.
    pub async fn play(mut self) -> Report {
        self.hear().await;
        loop {
            let next = self.seat.info.as_ref().and_then(|info| info.next.clone());
            if let Some(next) = next {
                self.leave_table();
                self.seat = Seat::new(self.guest.clone(), &next);
                self.table = next;
                self.hear().await;
            } else if self.seat.end.is_some() && self.shared.over.load(Ordering::Relaxed) {
                if self.shared.both_idle_at(&self.table) {
                    self.catch_up().await;
                    if self.seat.info.as_ref().is_some_and(|info| info.next.is_none()) {
                        break;
                    }
                } else {
                    self.listen().await;
                }
            } else if let Some(act) = self.choose() {
                self.wish(act).await;
            } else {
                self.listen().await;
            }
        }
        self.leave_table();
        self.report
    }

    fn chance(&mut self, of_a_hundred: usize) -> bool {
        self.random.below(100) < of_a_hundred
    }

    /// Returns the next act; `None`: wait for the other.
    fn choose(&mut self) -> Option<Act> {
        let seat = &self.seat;
        let Some(&me) = seat.you.first() else { return Some(Act::Sit { side: None }) };
        let view = seat.view.as_ref()?;
        let offered = seat.offers.iter().find(|(by, _)| *by != me).map(|(_, what)| *what);
        if !seat.info.as_ref().is_some_and(|info| info.started) {
            return None;
        }
        if let Some(what) = offered {
            let yes = what == Offer::Rematch || self.chance(50);
            return Some(if yes { Act::Accept { what } } else { Act::Decline { what } });
        }
        if seat.end.is_some() {
            let offers = seat.offers.iter().any(|(_, what)| *what == Offer::Rematch);
            return (!offers).then_some(Act::Offer { what: Offer::Rematch, plies: None });
        }
        let mine = seat.record.last().is_some_and(|ply| ply.1 == me);
        if view.withdraws && mine && self.chance(15) {
            return Some(Act::Withdraw);
        }
        if self.seat.view.as_ref()?.turn != me {
            return None;
        }
        Some(match self.random.below(200) {
            0 => Act::Resign { side: None },
            1 | 2 if self.seat.offers.is_empty() => Act::Offer { what: Offer::Draw, plies: None },
            3..12 if self.seat.offers.is_empty() => Act::Offer { what: Offer::Takeback, plies: None },
            12 | 13 if self.seat.offers.is_empty() => Act::Offer { what: Offer::Swap, plies: None },
            14 => Act::Abort,
            15 => Act::Flag,
            _ => Act::Move { text: self.some_move()?, away: false },
        })
    }

    fn some_move(&mut self) -> Option<String> {
        let view = self.seat.view.as_ref()?;
        if let Offered::Listed(moves) = &view.moves {
            let at = self.random.below(moves.len().max(1));
            return moves.get(at).map(|m| m.text.clone());
        }
        let info = self.seat.info.as_ref()?;
        let cells = u16::from(info.board.files) * u16::from(info.board.ranks);
        let empty: Vec<u16> = (0..cells).filter(|cell| view.pieces.iter().all(|p| p.at != *cell)).collect();
        let cell = empty[self.random.below(empty.len())];
        let (file, row) = (cell % u16::from(info.board.files), cell / u16::from(info.board.files));
        let rank = match info.board.names.kind {
            wire::view::NamesKind::LettersUp => u16::from(info.board.ranks) - 1 - row,
            wire::view::NamesKind::LettersDown => row,
            // Games whose every empty cell is a move name cells with letters.
            wire::view::NamesKind::Numbers | wire::view::NamesKind::Pairs => return None,
        };
        let letter = char::from(b'a' + u8::try_from(file).expect("a small board"));
        Some(format!("{letter}{}", rank + u16::from(info.board.names.first)))
    }

    /// Sends a command; now and then cuts the connection in the middle, and now and then sends it again.
    async fn wish(&mut self, act: Act) {
        let cmd = format!("{:016x}", self.random.bits());
        let rematch =
            matches!(act, Act::Offer { what: Offer::Rematch, .. } | Act::Accept { what: Offer::Rematch });
        let hasty = !rematch && self.chance(4);
        let patience =
            if hasty { Duration::from_micros(self.random.below(8_000) as u64) } else { Duration::MAX };
        let answer = match tokio::time::timeout(patience, self.seat.wish_as(&cmd, act.clone())).await {
            Ok(Ok(client::Answer::Done(v))) => Answer::Done(v),
            Ok(Ok(client::Answer::Refused(why))) => Answer::Refused(why.key.into_owned()),
            Ok(Err(why)) => panic!("{why}"),
            Err(_) => {
                self.seat.cut();
                Answer::Unknown
            }
        };
        let again = match &answer {
            Answer::Done(_) => self.chance(4),
            Answer::Unknown => self.chance(50),
            Answer::Refused(_) => false,
        };
        let wished =
            |answer| Wished { table: self.table.clone(), cmd: cmd.clone(), act: act.clone(), answer };
        self.report.wishes.push(wished(answer));
        if again {
            let answer = match self.seat.wish_as(&cmd, act.clone()).await {
                Ok(client::Answer::Done(v)) => Answer::Done(v),
                Ok(client::Answer::Refused(why)) => Answer::Refused(why.key.into_owned()),
                Err(why) => panic!("{why}"),
            };
            let wished = Wished { table: self.table.clone(), cmd, act, answer };
            self.report.wishes.push(wished);
        }
        // An answer may come before the events it follows.
        if let Some(Wished { answer: Answer::Done(v), .. }) = self.report.wishes.last() {
            let v = *v;
            while self.seat.ver < v {
                self.hear().await;
            }
        }
    }

    async fn hear(&mut self) {
        self.seat.hear().await.unwrap_or_else(|why| panic!("{why}"));
    }

    /// Waits for the other; now and then cuts the connection.
    async fn listen(&mut self) {
        let heard = tokio::time::timeout(Duration::from_millis(200), self.seat.hear()).await;
        if let Ok(Err(why)) = heard {
            panic!("{why}");
        }
        if heard.is_err() && self.chance(10) {
            self.seat.cut();
        }
    }

    /// Waits until the player has all events so far.
    async fn catch_up(&mut self) {
        loop {
            let now = self.guest.get(&format!("/api/tables/{}", self.table)).await;
            match now.ok().and_then(|now| now["v"].as_u64()) {
                Some(v) if v <= self.seat.ver => return,
                Some(_) => self.hear().await,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    fn leave_table(&mut self) {
        self.report.connections += self.seat.connections;
        let seat = &self.seat;
        self.report.seats.push(Shown {
            table: self.table.clone(),
            ver: seat.ver,
            view: seat.view.clone(),
            record: seat.record.clone(),
            end: seat.end.clone(),
            seen: seat.seen.iter().map(heard).collect(),
        });
    }
}

/// Returns an event as the checker reads it.
fn heard(event: &wire::Happened) -> (u64, Option<String>, crate::checker::ClientEvent) {
    let by = event.by.or(event.ply.as_ref().map(|ply| ply.1));
    let text = event.ply.as_ref().map(|ply| ply.0.to_string());
    (event.v, event.cmd.clone(), (event.k, by, event.what, text))
}
