//! DXP: our engine plays another draughts program over a network, game after game.
//!
//! Either program may have opened the connection. The program that was called is the follower: it waits for a
//! request, and for the next one after each game. A game ends with a `GameEnd` in the place of a move, which the
//! other side answers with the same.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem, Side};
pub use protocol::Colour as Painted;
use protocol::dxp::{Acceptance, BackAcceptance, End, MOST_MESSAGE, Message, Splitter, VERSION};
use protocol::{Colour, Move};

use super::setup::Setup;
use engine_core::{Clock, Engine, Limits, Task};
use external::dialect;

/// Our roles in a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The follower: the other program opened the connection, and we play the games it requests.
    Follower,
    /// The caller: we opened the connection, for one game from the usual start.
    Caller {
        /// The colour that we play.
        colour: Colour,
        /// The time for the whole game of each side, in minutes.
        minutes: u16,
    },
}

/// The time for a move if the game has no clock.
const UNTIMED: Duration = Duration::from_secs(5);
/// The name that we send.
const NAME: &str = "Qiguan";

/// The reason for which a conversation was broken off.
type Broken = Problem;

/// Plays over a connection until it ends, or until the other side does not want another game. Returns the winner of
/// each game by our rules, `None` for a draw or a game that was broken off.
///
/// # Errors
/// `engine-protocol` for a game that is not played on 10x10, `dxp-broken` for a connection or a program that does not
/// follow the protocol.
pub fn serve(
    mut setup: Setup,
    role: Role,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> Result<Vec<Option<Side>>, Problem> {
    let start = setup.rules.open(None)?;
    if dialect::place(&setup.rules, start.as_ref())?.squares.len() != 50 {
        let problem = Problem::new("engine-protocol").with("protocol", "dxp");
        return Err(problem.with("game", &setup.rules.key));
    }
    let (to, heard) = channel();
    thread::spawn(move || listen(input, &to));
    let mut line = DxpConnection { heard, output };
    let mut results = Vec::new();
    loop {
        let Some(game) = line.agree(&setup, role)? else { return Ok(results) };
        // Each game has an engine that knows nothing of the last.
        let mut engine = (setup.make)(&setup.rules.past_draws(), setup.memory);
        engine.prepare();
        let (winner, goes_on) = line.play(game, engine)?;
        results.push(winner);
        if !goes_on || role != Role::Follower {
            return Ok(results);
        }
    }
}

/// A game that both sides have agreed on.
struct Agreed {
    game: Box<dyn AnyGame>,
    fen: Option<String>,
    ours: Side,
    /// The time left for the whole game; `None`: no clock.
    clock: Option<Duration>,
}

/// The ways a game can continue that is over by our rules.
enum Ending {
    /// The game is over: the winner, and true if there may be another game.
    Over(Option<Side>, bool),
    /// The other side has made a move nevertheless.
    PlayedOn(Move),
}

/// The messages of the other program, and the output to it.
struct DxpConnection<W> {
    heard: Receiver<Result<Message, Broken>>,
    output: W,
}

fn broken(text: impl std::fmt::Display) -> Problem {
    Problem::new("dxp-broken").with("text", text)
}

impl<W: Write> DxpConnection<W> {
    fn say(&mut self, message: &Message) -> Result<(), Problem> {
        let mut bytes = message.bytes().map_err(broken)?;
        bytes.push(0);
        self.output.write_all(&bytes).and_then(|()| self.output.flush()).map_err(broken)
    }

    /// Receives the next message about the game; `None` at the end. Chat messages are ignored.
    fn hear(&mut self) -> Result<Option<Message>, Problem> {
        loop {
            match self.heard.recv() {
                Err(_) => return Ok(None),
                Ok(Ok(Message::Chat(_))) => {}
                Ok(Ok(Message::BackRequest { .. })) => {
                    self.say(&Message::BackAccept(BackAcceptance::Unsupported))?;
                }
                Ok(message) => return message.map(Some),
            }
        }
    }

    fn agree(&mut self, setup: &Setup, role: Role) -> Result<Option<Agreed>, Problem> {
        let rules = &setup.rules;
        let side_of = |colour: Colour| {
            let first = dialect::colour(rules, Side::First) == colour;
            if first { Side::First } else { Side::Second }
        };
        let clock = |minutes: u16| (minutes > 0).then(|| Duration::from_secs(u64::from(minutes) * 60));
        if let Role::Caller { colour, minutes } = role {
            let follower = if colour == Colour::White { Colour::Black } else { Colour::White };
            let name = NAME.to_owned();
            self.say(&Message::GameRequest {
                version: VERSION,
                name,
                follower,
                minutes,
                moves: 0,
                start: None,
            })?;
            return match self.hear()? {
                Some(Message::GameAccept { answer: Acceptance::Accepted, .. }) => {
                    let game = rules.open(None)?;
                    Ok(Some(Agreed { game, fen: None, ours: side_of(colour), clock: clock(minutes) }))
                }
                Some(Message::GameAccept { .. }) | None => Ok(None),
                Some(_) => Err(broken("no answer to a request")),
            };
        }
        loop {
            let Some(message) = self.hear()? else { return Ok(None) };
            let Message::GameRequest { version, follower, minutes, start, .. } = message else {
                // The end of a game that we have ended already.
                if matches!(message, Message::GameEnd { .. }) {
                    continue;
                }
                return Err(broken("no request"));
            };
            let fen = start.as_ref().map(dialect::fen);
            let game = rules.open(fen.as_deref());
            let answer = match &game {
                _ if version != VERSION => Acceptance::Version,
                Ok(game) if game.outcome().is_none() => Acceptance::Accepted,
                _ => Acceptance::NotThisGame,
            };
            self.say(&Message::GameAccept { name: NAME.to_owned(), answer })?;
            if let (Acceptance::Accepted, Ok(game)) = (answer, game) {
                return Ok(Some(Agreed { game, fen, ours: side_of(follower), clock: clock(minutes) }));
            }
        }
    }

    /// Plays a game to its end; returns the winner, and true if there may be another game.
    fn play(&mut self, agreed: Agreed, mut engine: Box<dyn Engine>) -> Result<(Option<Side>, bool), Problem> {
        let Agreed { mut game, fen, ours, mut clock } = agreed;
        loop {
            if let Some(outcome) = game.outcome() {
                match self.end(game.as_ref(), ours, outcome.winner())? {
                    Ending::Over(winner, goes_on) => return Ok((winner, goes_on)),
                    // It counts draws differently: its game goes on as long as a side can move.
                    Ending::PlayedOn(played) => {
                        game.play_past_draws(true);
                        let moved = game.play(&played.sorted().text());
                        game.play_past_draws(false);
                        if moved.is_err() {
                            self.say(&Message::GameEnd { reason: End::Unknown, stop: false })?;
                            return Ok((outcome.winner(), true));
                        }
                        continue;
                    }
                }
            }
            if game.turn() == ours {
                let began = Instant::now();
                let limits = limits(clock);
                let task = Task { fen: fen.clone(), moves: game.record(), limits };
                let text = engine.think(&task, &mut |_| {})?;
                game.play(&text).map_err(kernel::PlayError::problem)?;
                let spent = began.elapsed();
                clock = clock.map(|left| left.saturating_sub(spent));
                let played = Move::read(&text).map_err(broken)?;
                let seconds = u16::try_from(spent.as_secs()).unwrap_or(u16::MAX);
                self.say(&Message::Move { seconds, played })?;
                continue;
            }
            match self.hear()? {
                Some(Message::Move { played, .. }) => {
                    let text = played.sorted().text();
                    if game.play(&text).is_err() {
                        self.say(&Message::Chat(format!("{text} is not legal")))?;
                        self.say(&Message::GameEnd { reason: End::Unknown, stop: true })?;
                        return Err(broken(format!("{text} is not legal")));
                    }
                }
                Some(Message::GameEnd { reason, stop }) => {
                    self.say(&Message::GameEnd { reason: End::Unknown, stop })?;
                    let winner = match reason {
                        End::Lost => Some(ours),
                        // That it has won, we would know.
                        End::Unknown | End::Drawn | End::Won => None,
                    };
                    return Ok((winner, !stop));
                }
                Some(_) => return Err(broken("no move")),
                None => return Ok((None, false)),
            }
        }
    }

    /// Ends a game that is over by the rules: the side to move sends the end; the other waits for it.
    fn end(&mut self, game: &dyn AnyGame, ours: Side, winner: Option<Side>) -> Result<Ending, Problem> {
        if game.turn() == ours {
            let reason = match winner {
                Some(side) if side == ours => End::Won,
                Some(_) => End::Lost,
                None => End::Drawn,
            };
            self.say(&Message::GameEnd { reason, stop: false })?;
        }
        match self.hear()? {
            Some(Message::GameEnd { stop, .. }) => {
                if game.turn() != ours {
                    self.say(&Message::GameEnd { reason: End::Unknown, stop })?;
                }
                Ok(Ending::Over(winner, !stop))
            }
            Some(Message::Move { played, .. }) if game.turn() != ours => Ok(Ending::PlayedOn(played)),
            Some(_) => {
                self.say(&Message::GameEnd { reason: End::Unknown, stop: false })?;
                Ok(Ending::Over(winner, true))
            }
            None => Ok(Ending::Over(winner, false)),
        }
    }
}

fn limits(clock: Option<Duration>) -> Limits {
    match clock {
        Some(left) => {
            let clock = Clock { left, increment: Duration::ZERO, moves_to_go: None };
            Limits { clock: Some(clock), ..Limits::default() }
        }
        None => Limits { time: Some(UNTIMED), ..Limits::default() },
    }
}

fn listen(mut input: impl Read, to: &Sender<Result<Message, Broken>>) {
    let mut splitter = Splitter::default();
    let mut bytes = [0; MOST_MESSAGE + 1];
    while let Ok(count @ 1..) = input.read(&mut bytes) {
        let messages = match splitter.push(&bytes[..count]) {
            Ok(messages) => messages,
            Err(fault) => {
                let _ = to.send(Err(broken(fault)));
                return;
            }
        };
        for message in messages {
            let read = Message::read(&message).map_err(broken);
            let ends = read.is_err();
            if to.send(read).is_err() || ends {
                return;
            }
        }
    }
}
