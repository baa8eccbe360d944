//! DXP, DamExchange: two draughts programs play each other over a network.
//!
//! Source: the layer 2 description of the DamExchange protocol (mesander.nl/damexchange), checked with what Scan
//! sends. A message is 1 to 127 bytes of ASCII; over a socket (port 27531) each ends with a zero byte. Fields have
//! fixed widths, numbers leading zeroes. Black is `Z`, from Dutch *zwart*. Boards are 10x10.

use crate::place::are_distinct;
use crate::{Colour, Fault, Move, Place};

/// The port programs listen on.
pub const PORT: u16 = 27531;
/// The longest message, in bytes, without the zero byte behind it.
pub const MOST_MESSAGE: usize = 127;
/// The version of the protocol that we speak.
pub const VERSION: u8 = 1;

const NAME: usize = 32;
const SQUARES: usize = 50;
const MOST_CAPTURED: usize = 20;

/// A message, without the zero byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: the program that called proposes a game.
    GameRequest {
        /// The version of the protocol; 1.
        version: u8,
        /// Its own name, at most 32 characters.
        name: String,
        /// The colour that the other program plays.
        follower: Colour,
        /// The time for the whole game of each side, in minutes.
        minutes: u16,
        /// The number of moves of the whole game; 0 for no limit.
        moves: u16,
        /// The position in which the game starts; `None` for the usual start, White to move.
        start: Option<Place>,
    },
    /// `A`: the answer to a request.
    GameAccept {
        /// The name of the program that answers, at most 32 characters.
        name: String,
        /// The answer: accepted, or the reason for the refusal.
        answer: Acceptance,
    },
    /// `M`: a move.
    Move {
        /// Seconds the move took.
        seconds: u16,
        /// The move; the captured squares are in any order.
        played: Move,
    },
    /// `E`: the end of the game, sent instead of a move or as the answer to the other program's `E`.
    GameEnd {
        /// The reason for the end; the answer to an `E` says `Unknown`.
        reason: End,
        /// Set if the program wants no further game after this one.
        stop: bool,
    },
    /// `C`: a chat message, sent at any time; at most 126 characters.
    Chat(String),
    /// `B`: a request for a takeback.
    BackRequest {
        /// The number of the move to go back to, counted from 1: the position before it is restored.
        number: u16,
        /// The side that made it.
        turn: Colour,
    },
    /// `K`: the answer to a request for a takeback.
    BackAccept(BackAcceptance),
}

/// The answer to a request for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// The game is accepted.
    Accepted,
    /// The program speaks another version of the protocol.
    Version,
    /// This game is refused; another one may be accepted.
    NotThisGame,
    /// Every game is refused.
    NoGame,
}

/// The reason for the end of a game, as the program that sends it sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The reason is not given.
    Unknown,
    /// The sender loses: it gives up.
    Lost,
    /// The sender regards the game as a draw.
    Drawn,
    /// The sender wins.
    Won,
}

/// The answer to a request for a takeback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAcceptance {
    /// The move is taken back.
    Accepted,
    /// The program does not support takebacks.
    Unsupported,
    /// The takeback is refused; the game goes on.
    Refused,
}

const ACCEPTANCES: [Acceptance; 4] =
    [Acceptance::Accepted, Acceptance::Version, Acceptance::NotThisGame, Acceptance::NoGame];
const ENDS: [End; 4] = [End::Unknown, End::Lost, End::Drawn, End::Won];
const BACKS: [BackAcceptance; 3] =
    [BackAcceptance::Accepted, BackAcceptance::Unsupported, BackAcceptance::Refused];

impl Message {
    /// Reads a message, without its zero byte.
    ///
    /// # Errors
    /// `message-length` when it is empty, too long, cut short or longer than its kind; `message-not-ascii`,
    /// `message-kind`, and `number`, `colour`, `square`, `squares`, `code` for a field.
    pub fn read(message: &[u8]) -> Result<Message, Fault> {
        if message.len() > MOST_MESSAGE {
            return Err(Fault::new("message-length", String::from_utf8_lossy(message)));
        }
        let text = std::str::from_utf8(message).ok().filter(|t| t.bytes().all(|b| (1..128).contains(&b)));
        let text = text.ok_or_else(|| Fault::new("message-not-ascii", String::from_utf8_lossy(message)))?;
        let mut fields = Fields { whole: text, rest: text };
        let message = fields.message()?;
        if fields.rest.is_empty() { Ok(message) } else { Err(fields.fault("message-length")) }
    }

    /// Writes a message, without its zero byte. Names and words that are too long are cut, signs outside ASCII
    /// become `?`.
    ///
    /// # Errors
    /// A part of the message that the protocol has no place for: `number`, `square`, `squares` (a board that is not
    /// 10x10), `message-length` (empty chat).
    pub fn bytes(&self) -> Result<Vec<u8>, Fault> {
        let text = match self {
            Message::GameRequest { version, name, follower, minutes, moves, start } => {
                let start = start.as_ref().map_or(Ok("A".to_owned()), write_start)?;
                let (version, minutes) = (digits((*version).into(), 2)?, digits((*minutes).into(), 3)?);
                let moves = digits((*moves).into(), 3)?;
                format!("R{version}{}{}{minutes}{moves}{start}", padded(name), letter(*follower))
            }
            Message::GameAccept { name, answer } => {
                format!("A{}{}", padded(name), code(&ACCEPTANCES, answer))
            }
            Message::Move { seconds, played } => write_move(*seconds, played)?,
            Message::GameEnd { reason, stop } => {
                format!("E{}{}", code(&ENDS, reason), u8::from(*stop))
            }
            Message::Chat(words) => {
                let words = ascii(words);
                if words.is_empty() {
                    return Err(Fault::new("message-length", words));
                }
                format!("C{}", &words[..words.len().min(MOST_MESSAGE - 1)])
            }
            Message::BackRequest { number, turn } => {
                format!("B{}{}", digits((*number).into(), 3)?, letter(*turn))
            }
            Message::BackAccept(answer) => format!("K{}", code(&BACKS, answer)),
        };
        Ok(text.into_bytes())
    }
}

/// Cuts a stream of bytes into messages. It holds at most one message.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    held: Vec<u8>,
}

impl Splitter {
    /// Takes the next bytes that came, and returns the messages that are complete now, without their zero bytes.
    ///
    /// # Errors
    /// `message-length` for a message that is longer than any may be; the stream is of no use then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Fault> {
        let mut complete = Vec::new();
        for part in bytes.split_inclusive(|&b| b == 0) {
            let (text, ends) =
                part.split_last().filter(|(b, _)| **b == 0).map_or((part, false), |(_, t)| (t, true));
            if self.held.len() + text.len() > MOST_MESSAGE {
                return Err(Fault::new("message-length", String::from_utf8_lossy(&self.held)));
            }
            self.held.extend_from_slice(text);
            if ends {
                complete.push(std::mem::take(&mut self.held));
            }
        }
        Ok(complete)
    }
}

/// The fields of a message, from left to right.
struct Fields<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Fields<'a> {
    fn message(&mut self) -> Result<Message, Fault> {
        match self.take(1)? {
            "R" => self.game_request(),
            "A" => Ok(Message::GameAccept { name: self.name()?, answer: self.code(&ACCEPTANCES)? }),
            "M" => self.played(),
            "E" => {
                let reason = self.code(&ENDS)?;
                Ok(Message::GameEnd { reason, stop: self.code(&[false, true])? })
            }
            "C" if self.rest.is_empty() => Err(self.fault("message-length")),
            "C" => Ok(Message::Chat(std::mem::take(&mut self.rest).to_owned())),
            "B" => Ok(Message::BackRequest { number: self.number(3)?, turn: self.colour()? }),
            "K" => Ok(Message::BackAccept(self.code(&BACKS)?)),
            _ => Err(self.fault("message-kind")),
        }
    }

    fn game_request(&mut self) -> Result<Message, Fault> {
        let (version, name, follower) = (self.number(2)? as u8, self.name()?, self.colour()?);
        let (minutes, moves) = (self.number(3)?, self.number(3)?);
        let start = match self.take(1)? {
            "A" => None,
            "B" => {
                let turn = self.colour()?;
                Some(Place { turn, squares: Place::squares_of(self.take(SQUARES)?, 'z', 'Z')? })
            }
            _ => return Err(self.fault("code")),
        };
        Ok(Message::GameRequest { version, name, follower, minutes, moves, start })
    }

    fn played(&mut self) -> Result<Message, Fault> {
        let (seconds, from, to) = (self.number(4)?, self.square()?, self.square()?);
        let number = usize::from(self.number(2)?);
        if number > MOST_CAPTURED {
            return Err(self.fault("number"));
        }
        let captured = (0..number).map(|_| self.square()).collect::<Result<Vec<u8>, Fault>>()?;
        if !are_distinct(&captured) {
            return Err(self.fault("square"));
        }
        Ok(Message::Move { seconds, played: Move { from, to, captured } })
    }

    fn take(&mut self, width: usize) -> Result<&'a str, Fault> {
        let fault = self.fault("message-length");
        let (field, rest) = self.rest.split_at_checked(width).ok_or(fault)?;
        self.rest = rest;
        Ok(field)
    }

    fn name(&mut self) -> Result<String, Fault> {
        Ok(self.take(NAME)?.trim().to_owned())
    }

    /// Parses a number of fixed width. Some programs pad with blanks instead of zeroes.
    fn number(&mut self, width: usize) -> Result<u16, Fault> {
        let field = self.take(width)?;
        let number = crate::fault::number(field.trim_start())?;
        Ok(u16::try_from(number).expect("no field is wider than four digits"))
    }

    fn square(&mut self) -> Result<u8, Fault> {
        let number = self.number(2)?;
        if (1..=SQUARES).contains(&usize::from(number)) {
            Ok(number as u8)
        } else {
            Err(self.fault("square"))
        }
    }

    fn colour(&mut self) -> Result<Colour, Fault> {
        match self.take(1)? {
            "W" => Ok(Colour::White),
            "Z" => Ok(Colour::Black),
            _ => Err(self.fault("colour")),
        }
    }

    fn code<T: Copy>(&mut self, all: &[T]) -> Result<T, Fault> {
        let digit = self.take(1)?;
        let found = digit.parse().ok().and_then(|n: usize| all.get(n));
        found.copied().ok_or_else(|| self.fault("code"))
    }

    fn fault(&self, key: &'static str) -> Fault {
        Fault::new(key, self.whole)
    }
}

fn letter(colour: Colour) -> char {
    if colour == Colour::White { 'W' } else { 'Z' }
}

fn code<T: PartialEq>(all: &[T], one: &T) -> usize {
    all.iter().position(|other| other == one).expect("all are listed")
}

fn digits(number: usize, width: usize) -> Result<String, Fault> {
    let text = format!("{number:0width$}");
    if text.len() == width { Ok(text) } else { Err(Fault::new("number", text)) }
}

fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() && c != '\0' { c } else { '?' }).collect()
}

/// Pads a name with blanks to its fixed width; leading blanks are removed.
fn padded(name: &str) -> String {
    let name = ascii(name.trim());
    format!("{:NAME$}", &name[..name.len().min(NAME)])
}

fn write_start(place: &Place) -> Result<String, Fault> {
    let signs = place.signs('z', 'Z');
    if signs.len() != SQUARES {
        return Err(Fault::new("squares", signs));
    }
    Ok(format!("B{}{signs}", letter(place.turn)))
}

fn write_move(seconds: u16, played: &Move) -> Result<String, Fault> {
    let square = |&square: &u8| {
        let on_board = (1..=SQUARES).contains(&square.into());
        if on_board { digits(square.into(), 2) } else { Err(Fault::new("square", square.to_string())) }
    };
    if played.captured.len() > MOST_CAPTURED {
        return Err(Fault::new("number", played.text()));
    }
    let (from, to, number) = (square(&played.from)?, square(&played.to)?, digits(played.captured.len(), 2)?);
    let captured = played.captured.iter().map(square).collect::<Result<String, Fault>>()?;
    Ok(format!("M{:04}{from}{to}{number}{captured}", seconds.min(9999)))
}
