//! The stored formats of events and setups. Each row names its format.
//!
//! Format 1 is the JSON that halls have written since the first. Its types are defined here and nowhere else, so that
//! no change of the messages to clients changes the rows that can be read. A new format is a new module beside
//! [`v1`], a line in [`event`] and [`setup`], and a higher [`NEWEST`]; rows that were written stay as they are.

use std::io::{Read as _, Write as _};

use serde::{Deserialize, Serialize};
use table::{Event, Setup};
use wire::{MapLine, Player};

use crate::games::Plies;

/// The format in which rows are written.
pub const NEWEST: u32 = 1;

/// The longest body that is read, in bytes. Events are some hundred bytes long, setups some thousand.
pub const MOST_BYTES: usize = 1 << 20;

/// Reads an event.
///
/// # Errors
/// The fault in it: an unknown format, or a text that this format does not have.
pub fn event(format: u32, body: &str) -> Result<Event, String> {
    read::<v1::Event>(format, body).map(Event::from)
}

/// Reads a setup.
///
/// # Errors
/// The errors of [`event`].
pub fn setup(format: u32, body: &str) -> Result<Setup, String> {
    read::<v1::Setup>(format, body).map(Setup::from)
}

/// Reads what lists show of a map.
///
/// # Errors
/// The errors of [`event`].
pub fn map_line(format: u32, body: &str) -> Result<MapLine, String> {
    read::<v1::MapLine>(format, body).map(MapLine::from)
}

/// Reads who played.
///
/// # Errors
/// The errors of [`event`].
pub fn players(format: u32, body: &str) -> Result<[Player; 2], String> {
    read::<[v1::Player; 2]>(format, body).map(|players| players.map(Player::from))
}

/// The longest record that is read, in bytes after unpacking. The log of a table has at most some 20 000 events.
const MOST_RECORD_BYTES: u64 = 8 << 20;

/// Reads the moves of a game that has ended.
///
/// # Errors
/// The errors of [`event`].
pub fn plies(format: u32, body: &[u8]) -> Result<Plies, String> {
    if format != 1 {
        return Err(unknown(format));
    }
    let mut text = String::new();
    let unpacked =
        flate2::read::DeflateDecoder::new(body).take(MOST_RECORD_BYTES + 1).read_to_string(&mut text);
    unpacked.map_err(|why| format!("the record cannot be unpacked: {why}"))?;
    if text.len() as u64 > MOST_RECORD_BYTES {
        return Err(format!("a record has at most {MOST_RECORD_BYTES} bytes"));
    }
    serde_json::from_str(&text).map_err(|why| format!("the record does not read as format 1: {why}"))
}

fn unknown(format: u32) -> String {
    format!(
        "format {format} is not known to this hall, which reads formats 1 to {NEWEST}; start a newer hall"
    )
}

fn read<'a, T: serde::Deserialize<'a>>(format: u32, body: &'a str) -> Result<T, String> {
    if format != 1 {
        return Err(unknown(format));
    }
    if body.len() > MOST_BYTES {
        return Err(format!("{} bytes are more than anything written here has", body.len()));
    }
    serde_json::from_str(body).map_err(|why| format!("the text does not read as format 1: {why}"))
}

/// Writes an event in the [`NEWEST`] format.
#[must_use]
pub fn write_event(event: &Event) -> String {
    write(&v1::Event::from(event.clone()))
}

/// Writes a setup in the [`NEWEST`] format.
#[must_use]
pub fn write_setup(setup: &Setup) -> String {
    write(&v1::Setup::from(setup.clone()))
}

/// Writes what lists show of a map in the [`NEWEST`] format.
#[must_use]
pub fn write_map_line(line: &MapLine) -> String {
    write(&v1::MapLine::from(line.clone()))
}

/// Writes who played in the [`NEWEST`] format.
#[must_use]
pub fn write_players(players: &[Player; 2]) -> String {
    write(&players.clone().map(v1::Player::from))
}

/// Writes the moves of a game that has ended in the [`NEWEST`] format: JSON, packed by Deflate.
#[must_use]
pub fn write_plies(plies: &[(String, Option<u64>)]) -> Vec<u8> {
    let text = write(&plies);
    let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
    packed.write_all(text.as_bytes()).and_then(|()| packed.finish()).expect("memory takes what is written")
}

fn write(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("these types have string keys and no failing parts")
}

/// Format 1: JSON, one object a row. Frozen.
pub mod v1 {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};

    macro_rules! same {
        ($ours:ident = $theirs:path { $($variant:ident),+ }) => {
            impl From<$theirs> for $ours {
                fn from(value: $theirs) -> Self {
                    match value { $(<$theirs>::$variant => $ours::$variant),+ }
                }
            }
            impl From<$ours> for $theirs {
                fn from(value: $ours) -> Self {
                    match value { $($ours::$variant => <$theirs>::$variant),+ }
                }
            }
        };
    }

    /// See [`kernel::Side`].
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub enum Side {
        First,
        Second,
    }
    same!(Side = kernel::Side { First, Second });

    /// See [`wire::Offer`].
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub enum Offer {
        Takeback,
        Draw,
        Rematch,
        Swap,
    }
    same!(Offer = wire::Offer { Takeback, Draw, Rematch, Swap });

    /// See [`wire::How`].
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub enum How {
        Screen,
        Invite,
        Open,
        Room,
    }
    same!(How = wire::How { Screen, Invite, Open, Room });

    /// See [`wire::Opponent`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub enum Opponent {
        Level(u8),
        Engine(String),
    }

    impl From<wire::Opponent> for Opponent {
        fn from(value: wire::Opponent) -> Self {
            match value {
                wire::Opponent::Level(level) => Opponent::Level(level),
                wire::Opponent::Engine(name) => Opponent::Engine(name),
            }
        }
    }

    impl From<Opponent> for wire::Opponent {
        fn from(value: Opponent) -> Self {
            match value {
                Opponent::Level(level) => wire::Opponent::Level(level),
                Opponent::Engine(name) => wire::Opponent::Engine(name),
            }
        }
    }

    /// See [`wire::Player`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub struct Player {
        pub id: String,
        pub name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub engine: Option<Opponent>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub program: bool,
    }

    impl From<wire::Player> for Player {
        fn from(wire::Player { id, name, engine, program }: wire::Player) -> Self {
            Player { id, name, engine: engine.map(Opponent::from), program }
        }
    }

    impl From<Player> for wire::Player {
        fn from(Player { id, name, engine, program }: Player) -> Self {
            wire::Player { id, name, engine: engine.map(wire::Opponent::from), program }
        }
    }

    /// See [`wire::ClockSpec`].
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub enum Clock {
        None,
        Fischer {
            base_ms: u64,
            increment_ms: u64,
        },
        ByoYomi {
            base_ms: u64,
            period_ms: u64,
            periods: u8,
        },
        PerMove {
            turn_ms: u64,
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            weekend_pause: bool,
        },
    }

    impl From<wire::ClockSpec> for Clock {
        fn from(value: wire::ClockSpec) -> Self {
            use wire::ClockSpec as Wire;
            match value {
                Wire::None => Clock::None,
                Wire::Fischer { base_ms, increment_ms } => Clock::Fischer { base_ms, increment_ms },
                Wire::ByoYomi { base_ms, period_ms, periods } => {
                    Clock::ByoYomi { base_ms, period_ms, periods }
                }
                Wire::PerMove { turn_ms, weekend_pause } => Clock::PerMove { turn_ms, weekend_pause },
            }
        }
    }

    impl From<Clock> for wire::ClockSpec {
        fn from(value: Clock) -> Self {
            use wire::ClockSpec as Wire;
            match value {
                Clock::None => Wire::None,
                Clock::Fischer { base_ms, increment_ms } => Wire::Fischer { base_ms, increment_ms },
                Clock::ByoYomi { base_ms, period_ms, periods } => {
                    Wire::ByoYomi { base_ms, period_ms, periods }
                }
                Clock::PerMove { turn_ms, weekend_pause } => Wire::PerMove { turn_ms, weekend_pause },
            }
        }
    }

    /// A secret as its 32 hexadecimal digits.
    mod secret {
        use serde::de::Error as _;
        use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
        use table::Secret;

        pub(super) fn serialize<S: Serializer>(secret: &Option<Secret>, to: S) -> Result<S::Ok, S::Error> {
            secret.map(Secret::text).serialize(to)
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Secret>, D::Error> {
            let text = Option::<String>::deserialize(from)?;
            let read = |text: String| Secret::read(&text).ok_or_else(|| D::Error::custom("no secret"));
            text.map(read).transpose()
        }
    }

    /// See [`wire::MapName`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub struct MapName {
        pub id: String,
        pub name: String,
    }

    /// See [`wire::Heading`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub struct Heading {
        pub players: [String; 2],
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub date: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub clock: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub tags: BTreeMap<String, String>,
    }

    impl From<wire::Heading> for Heading {
        fn from(wire::Heading { players, date, clock, tags }: wire::Heading) -> Self {
            Heading { players, date, clock, tags }
        }
    }

    impl From<Heading> for wire::Heading {
        fn from(Heading { players, date, clock, tags }: Heading) -> Self {
            wire::Heading { players, date, clock, tags }
        }
    }

    /// See [`table::Setup`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub struct Setup {
        pub game: String,
        pub options: BTreeMap<String, i64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub map: Option<MapName>,
        pub fen: Option<String>,
        pub how: How,
        pub room: Option<String>,
        pub clock: Clock,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub rated: bool,
        pub created_ms: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub heading: Option<Heading>,
    }

    impl From<table::Setup> for Setup {
        fn from(setup: table::Setup) -> Self {
            let table::Setup { game, options, map, fen, how, room, clock, rated, created_ms, heading } =
                setup;
            let map = map.map(|wire::MapName { id, name }| MapName { id, name });
            let (how, clock, heading) = (how.into(), clock.into(), heading.map(Heading::from));
            Setup { game, options, map, fen, how, room, clock, rated, created_ms, heading }
        }
    }

    impl From<Setup> for table::Setup {
        fn from(setup: Setup) -> Self {
            let Setup { game, options, map, fen, how, room, clock, rated, created_ms, heading } = setup;
            let map = map.map(|MapName { id, name }| wire::MapName { id, name });
            table::Setup {
                game,
                options,
                map,
                fen,
                how: how.into(),
                room,
                clock: clock.into(),
                rated,
                created_ms,
                heading: heading.map(wire::Heading::from),
            }
        }
    }

    /// See [`wire::MapLine`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub struct MapLine {
        pub id: String,
        pub name: String,
        pub rows: u8,
        pub cols: u8,
        pub kinds: u32,
        pub extensions: Vec<String>,
        pub created_ms: u64,
        pub ours: bool,
    }

    impl From<wire::MapLine> for MapLine {
        fn from(line: wire::MapLine) -> Self {
            let wire::MapLine { id, name, rows, cols, kinds, extensions, created_ms, ours } = line;
            MapLine { id, name, rows, cols, kinds, extensions, created_ms, ours }
        }
    }

    impl From<MapLine> for wire::MapLine {
        fn from(line: MapLine) -> Self {
            let MapLine { id, name, rows, cols, kinds, extensions, created_ms, ours } = line;
            wire::MapLine { id, name, rows, cols, kinds, extensions, created_ms, ours }
        }
    }

    /// See [`table::Event`].
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(tag = "k", rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "the types they mirror say it")]
    pub enum Event {
        Sit {
            side: Side,
            who: Player,
            /// The secret from which chance at this seat is decided, in hexadecimal digits.
            #[serde(default, skip_serializing_if = "Option::is_none", with = "secret")]
            secret: Option<table::Secret>,
        },
        Leave {
            side: Side,
        },
        Move {
            by: Side,
            #[serde(rename = "move")]
            text: String,
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            away: bool,
        },
        Withdraw {
            by: Side,
        },
        Offer {
            by: Side,
            what: Offer,
        },
        Decline {
            by: Side,
            what: Offer,
        },
        Offers {
            by: Side,
            taken: bool,
        },
        Takeback {
            by: Side,
            plies: u32,
        },
        Draw,
        Swap,
        Resign {
            by: Side,
        },
        Flag {
            by: Side,
        },
        Abort {
            by: Side,
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            late: bool,
        },
        Forfeit {
            by: Side,
            reason: String,
        },
        Rematch {
            table: String,
        },
        Pause,
    }

    impl From<table::Event> for Event {
        fn from(event: table::Event) -> Self {
            use table::Event as Of;
            match event {
                Of::Sit { side, who, secret } => Event::Sit { side: side.into(), who: who.into(), secret },
                Of::Leave { side } => Event::Leave { side: side.into() },
                Of::Move { by, text, away } => Event::Move { by: by.into(), text, away },
                Of::Withdraw { by } => Event::Withdraw { by: by.into() },
                Of::Offer { by, what } => Event::Offer { by: by.into(), what: what.into() },
                Of::Decline { by, what } => Event::Decline { by: by.into(), what: what.into() },
                Of::Offers { by, taken } => Event::Offers { by: by.into(), taken },
                Of::Takeback { by, plies } => Event::Takeback { by: by.into(), plies },
                Of::Draw => Event::Draw,
                Of::Swap => Event::Swap,
                Of::Resign { by } => Event::Resign { by: by.into() },
                Of::Flag { by } => Event::Flag { by: by.into() },
                Of::Abort { by } => Event::Abort { by: by.into(), late: false },
                Of::NotBegun { by } => Event::Abort { by: by.into(), late: true },
                Of::Forfeit { by, reason } => Event::Forfeit { by: by.into(), reason },
                Of::Rematch { table } => Event::Rematch { table },
                Of::Pause => Event::Pause,
            }
        }
    }

    impl From<Event> for table::Event {
        fn from(event: Event) -> Self {
            use table::Event as Of;
            match event {
                Event::Sit { side, who, secret } => Of::Sit { side: side.into(), who: who.into(), secret },
                Event::Leave { side } => Of::Leave { side: side.into() },
                Event::Move { by, text, away } => Of::Move { by: by.into(), text, away },
                Event::Withdraw { by } => Of::Withdraw { by: by.into() },
                Event::Offer { by, what } => Of::Offer { by: by.into(), what: what.into() },
                Event::Decline { by, what } => Of::Decline { by: by.into(), what: what.into() },
                Event::Offers { by, taken } => Of::Offers { by: by.into(), taken },
                Event::Takeback { by, plies } => Of::Takeback { by: by.into(), plies },
                Event::Draw => Of::Draw,
                Event::Swap => Of::Swap,
                Event::Resign { by } => Of::Resign { by: by.into() },
                Event::Flag { by } => Of::Flag { by: by.into() },
                Event::Abort { by, late: false } => Of::Abort { by: by.into() },
                Event::Abort { by, late: true } => Of::NotBegun { by: by.into() },
                Event::Forfeit { by, reason } => Of::Forfeit { by: by.into(), reason },
                Event::Rematch { table } => Of::Rematch { table },
                Event::Pause => Of::Pause,
            }
        }
    }
}
/// An entry as it goes from one hall to another: the columns of its row, without the checksum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Packed {
    ver: u64,
    at_ms: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    person: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cmd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spent_ms: Option<u64>,
    format: u32,
    body: String,
}

/// Packs an entry, in the newest format.
#[must_use]
pub fn pack(entry: &table::Entry) -> Packed {
    let cmd = entry.cmd.clone();
    let (person, cmd) = cmd.map_or_else(Default::default, |cmd| (cmd.person, Some(cmd.id)));
    Packed {
        ver: entry.ver,
        at_ms: entry.at_ms,
        person,
        cmd,
        spent_ms: entry.spent_ms,
        format: NEWEST,
        body: write_event(&entry.event),
    }
}

impl Packed {
    /// Returns the version of the table after this entry.
    #[must_use]
    pub fn ver(&self) -> u64 {
        self.ver
    }

    /// Unpacks the entry.
    ///
    /// # Errors
    /// The part that cannot be read, as of a newer hall.
    pub fn unpack(self) -> Result<table::Entry, String> {
        let Packed { ver, at_ms, person, cmd, spent_ms, format, body } = self;
        let event = event(format, &body)?;
        let cmd = cmd.map(|id| table::Command { person, id });
        Ok(table::Entry { ver, at_ms, cmd, spent_ms, event })
    }
}
