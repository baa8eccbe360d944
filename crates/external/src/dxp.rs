//! Driver of DXP programs: they listen on a port, and we connect.
//!
//! DXP transmits games, not requests. So the driver stores the game that both sides know. If the position asked for
//! is that game and one move more, the move is sent; otherwise the game is ended and another one is proposed, which
//! starts at the position asked for. The only limit that DXP can express is the number of minutes for the whole game;
//! other time settings of a program are its own, see [`Config::says`].

use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem};
use protocol::Move;
use protocol::dxp::{Acceptance, End, MOST_MESSAGE, Message, VERSION};

use super::driver::{Answer, wait};
use super::process::Process;
use super::{Config, driver};
use catalog::Ruleset;
use engine_core::{Limits, Task};

use crate::dialect;

/// The number of moves that the time for a game must suffice for, if the program divides it among all moves.
const MOVES: u32 = 200;
/// The most minutes that DXP can express.
const MOST_MINUTES: u64 = 999;

#[derive(Default)]
pub(super) struct Driver {
    /// The game that both sides know.
    shared: Option<Shared>,
    /// The time limit for the program to accept a game.
    agreeing: Duration,
}

struct Shared {
    fen: Option<String>,
    moves: Vec<String>,
    /// Set if the program has ended the game and waits for an answer.
    has_ended: bool,
}

fn say(to: &mut Process, message: &Message) -> Result<(), Problem> {
    let bytes = message.bytes().map_err(|fault| unspeakable(to, fault))?;
    to.say(String::from_utf8_lossy(&bytes))
}

fn unspeakable(to: &Process, fault: protocol::Fault) -> Problem {
    to.problem("engine-died").with("text", fault)
}

fn read(line: &str) -> Option<Message> {
    Message::read(line.as_bytes()).ok()
}

const BYE: Message = Message::GameEnd { reason: End::Unknown, stop: false };

impl Driver {
    /// Ends the current game, if there is one.
    fn end(&mut self, to: &mut Process, until: Instant) -> Result<(), Problem> {
        let Some(shared) = self.shared.take() else { return Ok(()) };
        say(to, &BYE)?;
        if shared.has_ended {
            return Ok(());
        }
        wait(to, until, |line| matches!(read(line), Some(Message::GameEnd { .. })).then_some(()))
    }

    fn begin(
        &mut self,
        to: &mut Process,
        rules: &Ruleset,
        task: &Task,
        game: &dyn AnyGame,
    ) -> Result<(), Problem> {
        let place = dialect::place(rules, game)?;
        let from_start = task.fen.is_none() && game.plies() == 0;
        let request = Message::GameRequest {
            version: VERSION,
            name: "Qiguan".to_owned(),
            follower: place.turn,
            minutes: minutes(&task.limits),
            moves: 0,
            start: (!from_start).then_some(place),
        };
        say(to, &request)?;
        let until = Instant::now() + self.agreeing;
        let answer = wait(to, until, |line| match read(line) {
            Some(Message::GameAccept { answer, .. }) => Some(answer),
            _ => None,
        })?;
        if answer == Acceptance::Accepted {
            return Ok(());
        }
        Err(to.problem("engine-game").with("game", &rules.key).with("protocol", "dxp"))
    }
}

/// Returns the minutes for the whole game, generously, so that the program does not lose on a clock that is not the
/// game's.
fn minutes(limits: &Limits) -> u16 {
    let time = limits.time.map(|time| time * MOVES).or(limits.clock.map(|clock| clock.left));
    let seconds = time.map_or(MOST_MINUTES * 60, |time| time.as_secs());
    u16::try_from(seconds.div_ceil(60).clamp(1, MOST_MINUTES)).expect("at most 999")
}

impl driver::Driver for Driver {
    fn greet(
        &mut self,
        to: &mut Process,
        config: &Config,
        rules: &Ruleset,
        _: usize,
        until: Instant,
    ) -> Result<(), Problem> {
        let start = rules.open(None)?;
        if dialect::place(rules, start.as_ref())?.squares.len() != 50 {
            return Err(driver::no_such_game(config, rules));
        }
        self.agreeing = config.start();
        to.call(until, MOST_MESSAGE)
    }

    fn new_game(&mut self, to: &mut Process, _: &Ruleset, until: Instant) -> Result<(), Problem> {
        self.end(to, until)
    }

    fn ask(
        &mut self,
        to: &mut Process,
        rules: &Ruleset,
        task: &Task,
        game: &dyn AnyGame,
    ) -> Result<(), Problem> {
        let record = game.record();
        let goes_on = self.shared.as_ref().is_some_and(|known| {
            let (before, last) = record.split_at(record.len().saturating_sub(1));
            !known.has_ended && known.fen == task.fen && last.len() == 1 && before == known.moves
        });
        if goes_on {
            let last = &record[record.len() - 1];
            let played = Move::read(last).map_err(|fault| unspeakable(to, fault))?;
            say(to, &Message::Move { seconds: 0, played })?;
        } else {
            self.end(to, Instant::now() + self.agreeing)?;
            self.begin(to, rules, task, game)?;
        }
        self.shared = Some(Shared { fen: task.fen.clone(), moves: record, has_ended: false });
        Ok(())
    }

    fn hear(&mut self, line: &str, game: &dyn AnyGame) -> Option<Answer> {
        let shared = self.shared.as_mut()?;
        match read(line)? {
            Message::Move { played, .. } => {
                let text = played.sorted().text();
                // As the record of the game will have it.
                let known = game.read(&text).unwrap_or_else(|_| text.clone());
                shared.moves.push(known);
                Some(Answer::Move(text))
            }
            Message::GameEnd { reason, .. } => {
                shared.has_ended = true;
                Some(if reason == End::Lost { Answer::Resigns } else { Answer::None })
            }
            _ => None,
        }
    }

    /// Returns an empty text: DXP has no command to stop.
    fn stop(&self) -> &'static str {
        ""
    }
}
