//! What this side and a worker say to each other: frames of a length and that many bytes of postcard.

use std::io::{self, Read, Write};

use jingbanqi::extension::{About, Fault, Present, Scene, Start};
use jingbanqi::rule::{Item, MoveRule, Place, PlaceRule};
use jingbanqi::{Kind, Map, Move, Standing, Value};
use kernel::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// The most bytes of a frame to a worker: the largest map and sixteen of the largest extensions.
pub const MOST_ASKED: usize = 128 << 20;
/// The most bytes of a frame from a worker.
pub const MOST_TOLD: usize = 16 << 20;
/// The most moves of a position; more is a fault.
pub const MOST_MOVES: usize = 1 << 17;

/// What a worker is asked. One request, then replies up to the first that is neither
/// [`Reply::Crumb`] nor [`Reply::Told`].
#[derive(Serialize, Deserialize, Debug)]
pub enum Request {
    /// Read these rules and run these files once.
    Load {
        /// The map whose extensions are loaded.
        map: MapText,
        /// Whether the old names of places are known without an extension.
        old_names: bool,
        /// What random numbers begin with.
        seed: u64,
        /// Whether prints and tracebacks are told.
        tells: bool,
        /// Names and texts.
        sources: Vec<(String, Vec<u8>)>,
    },
    /// Begin a game.
    Begin(Beginning),
    /// Go to the line whose first `keep` moves stay as they are, and tell.
    Ask {
        /// How many moves of the present line stay.
        keep: u32,
        /// The moves to play from there, from and to.
        moves: Vec<(u16, u16)>,
        /// What is wanted there.
        want: Want,
        /// Whether a crumb is dropped before each call of an extension.
        crumbs: bool,
    },
    /// Play random games from the start, and tell what came of them.
    Rehearse {
        /// How many random games to play.
        games: u32,
        /// Plies of a game at most.
        longest: u32,
        /// What random numbers begin with.
        seed: u64,
        /// Whether lines are followed, so that a call that takes too long says where.
        follow: bool,
    },
    /// Play random games from the start, as long as it takes.
    Playouts {
        /// What random numbers begin with.
        seed: u64,
        /// How many plies altogether.
        plies: u32,
        /// The longest game.
        longest: u32,
        /// Whether what was worked out once may be remembered.
        remember: bool,
    },
}

/// `extension::Seen`.
pub type SeenText = (FaultText, u32, (u32, u32), Vec<String>);

/// `extension::Rehearsal`.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
pub struct Rehearsed {
    /// Plies of each game.
    pub lengths: Vec<u32>,
    /// Games that stopped because the side to move had no move.
    pub stuck: [u32; 2],
    /// Games that ended.
    pub ended: u32,
    /// Each fault once: games, the first of them with its plies, and the calls that led there.
    pub faults: Vec<SeenText>,
    /// Number of the file, hook, calls, median and worst in microseconds.
    pub hooks: Vec<(u16, String, u64, u64, u64)>,
    /// What was printed, and how many bytes more.
    pub prints: (String, u64),
}

/// What is wanted of a line.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Board and moves.
    Scene,
    /// The board alone: listing its moves has failed.
    Board,
    /// Rules, attributes, checks.
    Details,
}

/// What a worker tells.
#[derive(Serialize, Deserialize, Debug)]
pub enum Reply {
    /// What the extensions say of themselves.
    Loaded(Vec<AboutText>),
    /// Why they cannot be loaded.
    Refused(FaultText),
    /// The game has begun.
    Begun,
    /// What the line has come to.
    Scene(SceneText),
    /// What there is to know about the pieces.
    Details(DetailsText),
    /// The last ply of the line has failed, or the telling; `ply` is the number of plies that stand.
    Fault {
        /// The file, what was asked of it, and what happened.
        fault: FaultText,
        /// The plies that stand.
        stands: u32,
        /// The worker cannot go on.
        fatal: bool,
    },
    /// About to ask that extension this, or to run that line of it.
    Crumb(u16, String, Option<u32>),
    /// What extensions printed and how they failed, and how many bytes of it were left out.
    Told(String, u64),
    /// Random games were played.
    Played(Played),
    /// Games were played, and this came of them.
    Rehearsed(Rehearsed),
}

/// What came of random games.
#[derive(Serialize, Deserialize, Clone, Default, PartialEq, Eq, Debug)]
pub struct Played {
    /// Plies played, in all games together.
    pub plies: u32,
    /// Games that were begun.
    pub games: u32,
    /// Moves listed altogether.
    pub moves: u64,
    /// Games that a fault ended.
    pub faults: u32,
    /// Mixed from every list of moves and every board: two ways of playing the same games must agree.
    pub digest: u64,
    /// CPU time, in microseconds.
    pub cpu_us: u64,
    /// How often an extension was asked, and how often its answer was known.
    pub asked: [u64; 2],
}

/// `extension::About`.
#[derive(Serialize, Deserialize, Debug)]
pub struct AboutText {
    file: String,
    name: String,
    version: Option<String>,
    help: Option<String>,
    places: Vec<String>,
}

impl From<About> for AboutText {
    fn from(about: About) -> Self {
        let About { file, name, version, help, places } = about;
        AboutText { file, name, version, help, places }
    }
}

impl From<AboutText> for About {
    fn from(about: AboutText) -> Self {
        let AboutText { file, name, version, help, places } = about;
        About { file, name, version, help, places }
    }
}

/// `extension::Fault`.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct FaultText {
    /// The name of the extension's file.
    pub file: String,
    /// What was asked.
    pub hook: String,
    /// The line of the file, from 1, where it is known.
    pub line: Option<u32>,
    /// Python's last line: the exception and what it says.
    pub error: String,
}

impl From<Fault> for FaultText {
    fn from(fault: Fault) -> Self {
        let Fault { file, hook, line, error } = fault;
        FaultText { file, hook, line, error }
    }
}

/// A side as a number: 0 red, 1 blue, 2 nobody's.
#[must_use]
pub fn side_number(side: Option<Side>) -> u8 {
    side.map_or(2, |side| side.index() as u8)
}

/// The side of a number; `None`: no such number.
#[must_use]
pub fn side_of(number: u8) -> Option<Option<Side>> {
    match number {
        0 => Some(Some(Side::First)),
        1 => Some(Some(Side::Second)),
        2 => Some(None),
        _ => None,
    }
}

/// How games end here, by number from 1.
const ENDS: [Outcome; 6] = [
    Outcome::Win(Side::First, "captain-taken"),
    Outcome::Win(Side::Second, "captain-taken"),
    Outcome::Win(Side::First, "extension-win"),
    Outcome::Win(Side::Second, "extension-win"),
    Outcome::Draw("extension-draw"),
    Outcome::Void("extension-failed"),
];

/// How a game ended, as a number.
#[must_use]
pub fn end_number(end: Option<Outcome>) -> u8 {
    ENDS.iter().position(|&known| Some(known) == end).map_or(0, |at| at as u8 + 1)
}

/// The end of a number; `None`: no such number.
#[must_use]
pub fn end_of(number: u8) -> Option<Option<Outcome>> {
    match number {
        0 => Some(None),
        n => ENDS.get(usize::from(n) - 1).map(|&end| Some(end)),
    }
}

/// `extension::Start`.
#[derive(Serialize, Deserialize, Debug)]
pub struct Beginning {
    pieces: Vec<Option<(u16, bool)>>,
    turn: u8,
    neutral: [u32; 2],
    end: u8,
}

impl From<&Start> for Beginning {
    fn from(start: &Start) -> Self {
        Beginning {
            pieces: start.pieces.iter().map(|p| p.map(|p| (p.id, p.promoted))).collect(),
            turn: side_number(Some(start.turn)),
            neutral: start.neutral,
            end: end_number(start.end),
        }
    }
}

impl Beginning {
    /// Back again; the worker trusts this side.
    #[must_use]
    pub fn start(&self) -> Start {
        let standing = |&(id, promoted): &(u16, bool)| Standing { id, promoted };
        Start {
            pieces: self.pieces.iter().map(|piece| piece.as_ref().map(standing)).collect(),
            turn: side_of(self.turn).flatten().unwrap_or(Side::First),
            neutral: self.neutral,
            end: end_of(self.end).flatten(),
        }
    }
}

/// `extension::Present`: id, promoted, owner, captain, name.
pub type PieceText = (u16, bool, u8, bool, Option<String>);

/// `extension::Scene`.
#[derive(Serialize, Deserialize, Debug)]
pub struct SceneText {
    /// Square by square.
    pub pieces: Vec<Option<PieceText>>,
    /// The side to move.
    pub turn: u8,
    /// Neutral moves in a row.
    pub neutral: [u32; 2],
    /// How it ended.
    pub end: u8,
    /// From and to.
    pub moves: Vec<(u16, u16)>,
    /// What failed when they were listed.
    pub fault: Option<FaultText>,
}

impl From<Scene> for SceneText {
    fn from(scene: Scene) -> Self {
        let piece = |p: Present| {
            (p.id, p.promoted, side_number(p.owner), p.captain, p.name.map(|name| name.to_string()))
        };
        SceneText {
            pieces: scene.pieces.into_iter().map(|p| p.map(piece)).collect(),
            turn: side_number(Some(scene.turn)),
            neutral: scene.neutral,
            end: end_number(scene.end),
            moves: pairs(&scene.moves),
            fault: scene.fault.map(FaultText::from),
        }
    }
}

/// Moves as pairs.
#[must_use]
pub fn pairs(moves: &[Move]) -> Vec<(u16, u16)> {
    moves.iter().map(|m| (m.from, m.to)).collect()
}

/// `extension::Details`.
#[derive(Serialize, Deserialize, Debug)]
pub struct DetailsText {
    /// Piece by piece.
    pub pieces: Vec<DetailText>,
    /// Whose captains are attacked.
    pub checks: [bool; 2],
}

/// `extension::Detail`.
#[derive(Serialize, Deserialize, Debug)]
pub struct DetailText {
    /// Where it stands.
    pub at: u16,
    /// The directions that hold now.
    pub now: Vec<Vec<i64>>,
    /// How it moves.
    pub rule: String,
    /// Where it promotes.
    pub promotes: String,
    /// How it moves then.
    pub promoted: String,
    /// What extensions read and keep.
    pub attributes: Vec<(String, String)>,
}

/// A rule of places: names and numbers.
type PlacesText = Vec<(String, Vec<i64>)>;
/// A move rule: sections of directions with their places.
type RuleText = Vec<Vec<(i64, Option<PlacesText>)>>;

/// `jingbanqi::Map`.
#[derive(Serialize, Deserialize, Debug)]
pub struct MapText {
    rows: u8,
    cols: u8,
    kinds: Vec<KindText>,
    start: Vec<u16>,
    switches: [bool; 3],
}

#[derive(Serialize, Deserialize, Debug)]
struct KindText {
    name: String,
    owner: u8,
    captain: bool,
    rule: RuleText,
    promotes: PlacesText,
    promoted: RuleText,
    attributes: Vec<(String, ValueText)>,
}

#[derive(Serialize, Deserialize, Debug)]
enum ValueText {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
}

fn places_text(rule: &PlaceRule) -> PlacesText {
    rule.0.iter().map(|place| (place.name.clone(), place.args.clone())).collect()
}

fn places(text: PlacesText) -> PlaceRule {
    PlaceRule(text.into_iter().map(|(name, args)| Place { name, args }).collect())
}

fn rule_text(rule: &MoveRule) -> RuleText {
    let item = |item: &Item| (item.direction, item.when.as_ref().map(places_text));
    rule.sections.iter().map(|section| section.iter().map(item).collect()).collect()
}

fn rule(text: RuleText) -> MoveRule {
    let item = |(direction, when): (i64, Option<PlacesText>)| Item { direction, when: when.map(places) };
    MoveRule { sections: text.into_iter().map(|section| section.into_iter().map(item).collect()).collect() }
}

impl From<&Map> for MapText {
    fn from(map: &Map) -> Self {
        let value = |value: &Value| match value {
            Value::Text(text) => ValueText::Text(text.clone()),
            Value::Int(number) => ValueText::Int(*number),
            Value::Float(number) => ValueText::Float(*number),
            Value::Bool(set) => ValueText::Bool(*set),
        };
        let kind = |kind: &Kind| KindText {
            name: kind.name.clone(),
            owner: side_number(kind.owner),
            captain: kind.captain,
            rule: rule_text(&kind.rule),
            promotes: places_text(&kind.promotes),
            promoted: rule_text(&kind.promoted),
            attributes: kind.attributes.iter().map(|(name, v)| (name.clone(), value(v))).collect(),
        };
        MapText {
            rows: map.rows,
            cols: map.cols,
            kinds: map.kinds.iter().map(kind).collect(),
            start: map.start.clone(),
            switches: [map.promotion, map.undo, map.neutral_limit],
        }
    }
}

impl From<MapText> for Map {
    fn from(text: MapText) -> Self {
        let value = |value| match value {
            ValueText::Text(text) => Value::Text(text),
            ValueText::Int(number) => Value::Int(number),
            ValueText::Float(number) => Value::Float(number),
            ValueText::Bool(set) => Value::Bool(set),
        };
        let kind = |kind: KindText| Kind {
            name: kind.name,
            owner: side_of(kind.owner).flatten(),
            captain: kind.captain,
            rule: rule(kind.rule),
            promotes: places(kind.promotes),
            promoted: rule(kind.promoted),
            attributes: kind.attributes.into_iter().map(|(name, v)| (name, value(v))).collect(),
        };
        let [promotion, undo, neutral_limit] = text.switches;
        Map {
            rows: text.rows,
            cols: text.cols,
            kinds: text.kinds.into_iter().map(kind).collect(),
            start: text.start,
            promotion,
            undo,
            neutral_limit,
        }
    }
}

/// Writes one frame.
///
/// # Errors
/// What the pipe says, or that the message is longer than `most`.
pub fn write<T: Serialize>(to: &mut impl Write, message: &T, most: usize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    write_bytes(to, &bytes, most)
}

/// Writes one frame of bytes that were encoded before.
///
/// # Errors
/// What the pipe says, or that there are more bytes than `most`.
pub fn write_bytes(to: &mut impl Write, bytes: &[u8], most: usize) -> io::Result<()> {
    if bytes.len() > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
    }
    to.write_all(&(bytes.len() as u32).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Reads one frame.
///
/// # Errors
/// What the pipe says, that it ended, or that the frame is longer than `most`.
pub fn read(from: &mut impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
    }
    // What is announced is not believed: memory is taken as bytes arrive.
    let mut bytes = Vec::new();
    let got = from.take(length as u64).read_to_end(&mut bytes)?;
    if got == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
