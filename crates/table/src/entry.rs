//! The log of a table: the settings agreed at its start, and every event since.

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit as _, Mac as _};
use kernel::Side;
use sha2::{Digest, Sha256};
use wire::{ClockSpec, Heading, How, MapName, Offer, Player};

/// The settings that were agreed before a game; they never change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Key of the game in the catalogue.
    pub game: String,
    /// Every option with its value.
    pub options: BTreeMap<String, i64>,
    /// The map, in games that come with one.
    pub map: Option<MapName>,
    /// The start position, when it is not the usual one.
    pub fen: Option<String>,
    /// The way in which the table was opened.
    pub how: How,
    /// The room's name.
    pub room: Option<String>,
    /// The time control.
    pub clock: ClockSpec,
    /// True if the result counts for ratings: no move is taken back, seats are not exchanged, and an end is final.
    pub rated: bool,
    /// The moment at which the table was opened, in Unix milliseconds.
    pub created_ms: u64,
    /// The players and the date, where the table was opened from a record.
    pub heading: Option<Heading>,
}

/// The 128 random bits from which chance is decided in a game. They are secret until its end; before that, only their
/// [commitment](Secret::commitment) is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret(pub u128);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// Formats the secret as 32 hexadecimal digits.
    #[must_use]
    pub fn text(self) -> String {
        format!("{:032x}", self.0)
    }

    /// The secret of that text.
    #[must_use]
    pub fn read(text: &str) -> Option<Secret> {
        let is_one = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_one).map(Secret)
    }

    /// Returns the value that binds the hall to the secret before the first move: the SHA-256 of three lines, each
    /// with its line break: the words `qiguan chance 1`, the id of the table, and the secret
    /// [as it is written](Secret::text).
    #[must_use]
    pub fn commitment(self, table: &str) -> String {
        hex(&format!("qiguan chance 1\n{table}\n{}\n", self.text()))
    }

    /// Returns draw number `nth` of the game, from 0: a number below `below`, each as likely as another. It is made of
    /// HMAC-SHA-256 with the secret's 16 bytes, the highest first, as its key, over four lines, each with its line break: the words
    /// `qiguan draw 1`, the id of the table, the number of the draw, and the number of the try, from 0. The first 8 bytes of it
    /// are a number, the highest byte first; one that lies beyond the last whole multiple of `below` makes another try.
    ///
    /// # Panics
    /// `below` is 0.
    #[must_use]
    pub fn draw(self, table: &str, nth: u32, below: u64) -> u64 {
        assert!(below > 0, "there is something to draw");
        let beyond = (u64::MAX % below + 1) % below;
        (0u32..)
            .map(|attempt| {
                let mut mac = Hmac::<Sha256>::new_from_slice(&self.0.to_be_bytes())
                    .expect("a key of any length will do");
                mac.update(format!("qiguan draw 1\n{table}\n{nth}\n{attempt}\n").as_bytes());
                let bytes = mac.finalize().into_bytes();
                bytes.iter().take(8).fold(0, |number: u64, &byte| number << 8 | u64::from(byte))
            })
            .find(|&number| number <= u64::MAX - beyond)
            .map_or(0, |number| number % below)
    }

    /// Returns the random seed of a program that plays there: it follows from the secret, so that it is unknown to
    /// the players, and says nothing about it.
    #[must_use]
    pub fn of_program(self) -> u64 {
        let hash = hex(&format!("qiguan program 1\n{}\n", self.text()));
        u64::from_str_radix(&hash[..16], 16).unwrap_or_default()
    }
}

fn hex(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An event at a table. Events are never removed: a takeback is an event, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A player took a seat.
    Sit {
        /// The side whose seat it is.
        side: Side,
        /// The person, by the name they had then.
        who: Player,
        /// The secret from which chance is decided from now on, in games with chance: drawn when the second seat is
        /// taken.
        secret: Option<Secret>,
    },
    /// A player left a seat before the start.
    Leave {
        /// The side whose seat it is.
        side: Side,
    },
    /// A move was played.
    Move {
        /// The side that moved.
        by: Side,
        /// The machine text of the move.
        text: String,
        /// True if the page was left while the player thought, as the page itself says.
        away: bool,
    },
    /// A side took its own last ply back, as the rules allow without asking.
    Withdraw {
        /// The side that withdrew.
        by: Side,
    },
    /// A side offered something.
    Offer {
        /// The side that offers.
        by: Side,
        /// The kind of offer.
        what: Offer,
    },
    /// An offer was declined, or taken back by the side that made it.
    Decline {
        /// The side that declined.
        by: Side,
        /// The offer that no longer stands.
        what: Offer,
    },
    /// A side allows offers, or refuses them from now on.
    Offers {
        /// The side that would get the offers.
        by: Side,
        /// True if it allows offers.
        taken: bool,
    },
    /// Plies were taken back by agreement.
    Takeback {
        /// The side that had asked.
        by: Side,
        /// The number of plies that are taken back.
        plies: u32,
    },
    /// Both agreed to a draw.
    Draw,
    /// Both agreed to exchange seats.
    Swap,
    /// A side gave up.
    Resign {
        /// The side that lost by it.
        by: Side,
    },
    /// A side's time was up.
    Flag {
        /// The side that lost by it.
        by: Side,
    },
    /// The game ended before both sides had finished a turn.
    Abort {
        /// The side that ended it.
        by: Side,
    },
    /// The game was aborted by the hall: a side had not made its first move in time.
    NotBegun {
        /// The side that was to move.
        by: Side,
    },
    /// A side forfeited: a program failed, or a player had left for long and the other claimed the win.
    Forfeit {
        /// The side that lost by it.
        by: Side,
        /// The reason key of the end: the messages `reason-<reason>`.
        reason: String,
    },
    /// Both agreed to play again.
    Rematch {
        /// The id of the new table.
        table: String,
    },
    /// The hall was down. The time that the side to move had used before is charged, the outage is not.
    Pause,
}

/// An event with its place in the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// One more than the entry before; the first is 1.
    pub ver: u64,
    /// The moment of the event, in Unix milliseconds.
    pub at_ms: u64,
    /// The client's command that this fulfils; `None` for what the hall did by itself.
    pub cmd: Option<Command>,
    /// Thinking time charged, in milliseconds.
    pub spent_ms: Option<u64>,
    /// The event itself.
    pub event: Event,
}

/// The id of a command, by which a wish that is sent twice is done once. The same id from two people, or at two
/// tables, names two wishes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Command {
    /// Public id of the person who sent it.
    pub person: String,
    /// The id that their client chose.
    pub id: String,
}

/// The stage and the seats of a table, kept beside its log so that tables are found without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The stage: waiting, being played or over.
    pub stage: Stage,
    /// Public ids of the two players.
    pub seats: [Option<String>; 2],
}

/// The stages of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A seat is free.
    Waiting,
    /// Both seats are taken.
    Playing,
    /// The game has ended.
    Over,
}
