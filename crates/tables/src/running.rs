//! Positions of running games between two people: analysis is refused for them, at any table.
//!
//! Otherwise a player could import the record of the running game, or replay it on one screen, and ask there. The
//! first plies are left out: otherwise an opening could not be studied while it is being played in any game.
//!
//! A position is identified by its pieces in every layout of the board: mirrored, turned, and with the colours
//! exchanged; the side to move does not count. Only some layouts are the same game by the rules, but a layout that is
//! not matches no position of a running game. The present position, and the one a ply before, are also found with one
//! piece more, one piece less, or one piece elsewhere or of another kind: each position is split into four parts, of
//! which such a difference leaves two unchanged, and is found by any two of its parts. So a move costs six keys, not
//! one for each piece on the board.
//!
//! A player in a rated game with a running clock gets no help with any game of the same rules until it ends, whatever
//! they had open before it began. Slow games go on for weeks; for them, only positions count.
//!
//! Each node knows the games of its own tables. Before it helps, it asks the others about the keys of the positions. While
//! it helps, it hears from the others who begins a rated game there.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use kernel::{AnyGame, Problem, Side};
use serde::{Deserialize, Serialize};
use wire::How;

use people::Speed;
use table::{Setup, State};

use crate::remembered::speed;

/// The number of latest positions of one game that are remembered; the present one is a few moves away from them.
const REMEMBERED: usize = 16;
/// Positions of one rated game that are remembered: more than such a game has, so that a part of it that is played after
/// elsewhere is known until it ends.
const REMEMBERED_RATED: usize = 1000;
/// The number of games that are remembered. A game stays when its table is closed, so that leaving the table frees
/// nothing; the one with the oldest last move is forgotten first.
const GAMES: usize = 100_000;
/// Positions of one game that are known with a piece more, less or elsewhere: the present one, and the one before.
const NEARLY: usize = 2;
/// Keys of such positions in all, those of pieces and of parts, about 100 MB of them: the oldest give way.
const NEARLY_KEYS: usize = if cfg!(test) { 4_000 } else { 4_000_000 };
/// Plies back from a position that are compared in that way; all of a game that began from a position of its own.
const NEARLY_BACK: usize = 4;

/// The number of positions that other nodes are asked about in one message: at most 18 kB of keys for each.
const POSITIONS_ASKED: usize = 16;
/// The keys of pieces that a node shows another one, of positions which may differ by a piece from one it asked about:
/// 256 kB in a message.
const PIECES_TOLD: usize = 24_000;
/// The number of rated games in one part of a node's list: 107 kB in a message.
const RATED_PART: usize = 10_000;
/// The most parts of the list of rated games at a node.
const MOST_RATED_PARTS: u32 = 10;
/// The time after which what another node has told of rated games expires; it tells all of them every ten seconds.
const RATED_HEARD: Duration = Duration::from_secs(25);
/// The time for which news count beside a list: longer than a list is under way that was made before them.
const RATED_NEWS: Duration = Duration::from_secs(5);

/// The pieces on a board, without its counters, its options and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The key of all pieces together.
    whole: u64,
    /// The key of each piece; the position without it has the difference.
    pieces: Vec<u64>,
}

/// A way to lay a board out again: transposed, where it is square, and flipped then.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    transposes: bool,
    flips_files: bool,
    flips_rows: bool,
    /// Set if each piece changes its owner.
    exchanges: bool,
}

impl Layout {
    /// Returns all layouts of a board; the first one changes nothing.
    fn all(files: u8, ranks: u8) -> impl Iterator<Item = Layout> {
        let bit = |n: u32, at: u32| n >> at & 1 == 1;
        (0..if files == ranks { 16 } else { 8 }).map(move |n| Layout {
            exchanges: bit(n, 0),
            flips_files: bit(n, 1),
            flips_rows: bit(n, 2),
            transposes: bit(n, 3),
        })
    }

    fn cell(self, files: u8, ranks: u8, cell: u16) -> u16 {
        if !(self.transposes || self.flips_files || self.flips_rows) {
            return cell;
        }
        let (files, ranks) = (u16::from(files), u16::from(ranks));
        let (file, row) = (cell % files, cell / files);
        let (file, row) = if self.transposes { (row, file) } else { (file, row) };
        let file = if self.flips_files { files - 1 - file } else { file };
        let row = if self.flips_rows { ranks - 1 - row } else { row };
        row * files + file
    }

    fn owner(self, owner: Option<Side>) -> Option<Side> {
        if self.exchanges { owner.map(Side::other) } else { owner }
    }
}

/// The positions of a game for which help is asked, each in every layout, and true where a position that differs by one
/// piece counts as the same.
pub type PositionsAsked = Vec<(Vec<Standing>, bool)>;

/// Returns the positions on the line of a game, up to `back` plies before the present one.
#[must_use]
pub fn asked(setup: &Setup, game: &dyn AnyGame, back: usize) -> PositionsAsked {
    let nearly = if setup.fen.is_some() { usize::MAX } else { NEARLY_BACK };
    let mut game = game.boxed_clone();
    let mut line = Vec::new();
    for ply in 0..=back {
        line.push((Standing::layouts(setup, game.as_ref()), ply <= nearly));
        if !game.undo() {
            break;
        }
    }
    line
}

/// Keys of positions, in the form in which other nodes are asked about them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Keys {
    /// The keys of whole positions.
    wholes: Packed,
    /// The keys of two parts of positions that may differ by a piece.
    pairs: Packed,
}

/// Numbers as base64 of their bytes, the low ones first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Packed(String);

impl Packed {
    fn of(numbers: impl IntoIterator<Item = u64>) -> Packed {
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        Packed(BASE64_STANDARD_NO_PAD.encode(bytes))
    }

    /// Returns the numbers; none where the text is not of this form.
    fn numbers(&self) -> Vec<u64> {
        let bytes = BASE64_STANDARD_NO_PAD.decode(&self.0).unwrap_or_default();
        let chunks = bytes.chunks_exact(8);
        chunks.map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect()
    }
}

/// The rated games that people have begun and ended at a node, each as a key of the person and the rules.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RatedChanges {
    begun: Packed,
    over: Packed,
}

/// A part of the list of all rated games that people play at a node.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RatedPart {
    /// The number of the part, from 0.
    part: u32,
    keys: Packed,
}

/// The rated games that people play at another node, as it has told of them.
#[derive(Debug, Default)]
struct RatedElsewhere {
    /// The parts of its list, with the time of each.
    parts: HashMap<u32, (Instant, HashSet<u64>)>,
    /// The games that have begun since, with the time of the news.
    begun: HashMap<u64, Instant>,
}

impl RatedElsewhere {
    fn has(&self, key: u64) -> bool {
        let is_fresh = |at: &Instant| at.elapsed() < RATED_HEARD;
        self.begun.get(&key).is_some_and(is_fresh)
            || self.parts.values().any(|(at, keys)| is_fresh(at) && keys.contains(&key))
    }

    fn drop_expired(&mut self) {
        self.begun.retain(|_, at| at.elapsed() < RATED_HEARD);
        self.parts.retain(|_, (at, _)| at.elapsed() < RATED_HEARD);
    }
}

/// Returns the key of a person who plays a rated game by these rules.
fn rated_key(person: &str, game: &str) -> u64 {
    stirred(hashed((person, game)))
}

/// The answer of a node about [`Keys`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    /// True if one of the whole positions is in a running game.
    pub runs: bool,
    /// The pieces of positions of running games that share two parts with one that was asked about.
    near: Vec<Packed>,
}

impl Keys {
    /// Returns the keys of all those positions, in messages of bounded size.
    #[must_use]
    pub fn of(asked: &PositionsAsked) -> Vec<Keys> {
        let laid = |(layouts, nearly): &(Vec<Standing>, bool)| {
            let wholes: Vec<u64> = layouts.iter().map(|laid| laid.whole).collect();
            let pairs: Vec<u64> = match nearly {
                true => layouts.iter().flat_map(Standing::pairs).collect(),
                false => Vec::new(),
            };
            (wholes, pairs)
        };
        let parts = asked.chunks(POSITIONS_ASKED).map(|part| {
            let (wholes, pairs): (Vec<_>, Vec<_>) = part.iter().map(laid).unzip();
            Keys {
                wholes: Packed::of(wholes.into_iter().flatten()),
                pairs: Packed::of(pairs.into_iter().flatten()),
            }
        });
        parts.collect()
    }
}

impl Found {
    /// Returns true if one of the positions runs at the node that has answered.
    #[must_use]
    pub fn has(&self, asked: &PositionsAsked) -> bool {
        let is_near = |pieces: &Vec<u64>| {
            let mut layouts = asked.iter().filter(|(_, nearly)| *nearly).flat_map(|(layouts, _)| layouts);
            // Most have another number of pieces, and need no set of them.
            layouts.any(|standing| {
                standing.pieces.len().abs_diff(pieces.len()) <= 1
                    && differ_by_one(&standing.pieces.iter().copied().collect(), pieces)
            })
        };
        self.runs || self.near.iter().map(Packed::numbers).any(|pieces| is_near(&pieces))
    }
}

/// The keys of a position's pieces.
type Pieces = HashSet<u64, BuildHasherDefault<Itself>>;

/// Returns true if two positions are the same, or differ by one piece more, less, elsewhere or of another kind.
fn differ_by_one(own: &Pieces, other: &[u64]) -> bool {
    let strange = other.iter().filter(|piece| !own.contains(piece)).take(2).count();
    let missing = own.len() + strange - other.len().min(own.len() + strange);
    strange <= 1 && missing <= 1
}

impl Standing {
    /// Returns the position of that game, which is played with `setup`.
    #[must_use]
    pub fn of(setup: &Setup, game: &dyn AnyGame) -> Standing {
        let mut laid = Standing::all(setup, game, |_, _| std::iter::once(Layout::default()));
        laid.pop().expect("one for each layout")
    }

    /// Returns the same position in every layout.
    #[must_use]
    pub fn layouts(setup: &Setup, game: &dyn AnyGame) -> Vec<Standing> {
        Standing::all(setup, game, Layout::all)
    }

    fn all<I: Iterator<Item = Layout>>(
        setup: &Setup,
        game: &dyn AnyGame,
        layouts: impl FnOnce(u8, u8) -> I,
    ) -> Vec<Standing> {
        let board = game.board();
        // Rules of one family differ in who wins rather than in which move is good. A player who finds two
        // rules with one hash is refused help with one of them, and gains nothing.
        let family = setup.game.split('/').next();
        let rules = hashed((family, setup.map.as_ref().map(|map| &map.id), board.files, board.ranks));
        if game.waits() {
            // Another process would be asked what the pieces look like.
            return vec![Standing { whole: stirred(rules ^ game.key()), pieces: Vec::new() }];
        }
        // There are few kinds of pieces, and many of each.
        let mut faces: Vec<(Cow<'static, str>, u64)> = Vec::new();
        let mut face = |face: Cow<'static, str>| match faces.iter().find(|(known, _)| *known == face) {
            Some((_, hash)) => *hash,
            None => {
                let hash = hashed(&face);
                faces.push((face, hash));
                hash
            }
        };
        let found: Vec<_> =
            game.all_pieces().into_iter().map(|piece| (piece.at, piece.owner, face(piece.face))).collect();
        let laid = |way: Layout| {
            let key = |&(at, owner, face): &(u16, Option<Side>, u64)| {
                let owner = way.owner(owner).map_or(2, |side| side.index() as u64);
                stirred(face ^ rules ^ (u64::from(way.cell(board.files, board.ranks, at)) << 2 | owner))
            };
            let pieces: Vec<u64> = found.iter().map(key).collect();
            let whole = pieces.iter().fold(rules, |sum, key| sum.wrapping_add(*key));
            Standing { whole, pieces }
        };
        layouts(board.files, board.ranks).map(laid).collect()
    }

    /// Returns a key for each two of the four parts of the position; the key of a piece decides its part.
    fn pairs(&self) -> [u64; 6] {
        let mut parts = [0_u64; 4];
        for piece in &self.pieces {
            let part = &mut parts[usize::from((piece >> 62) as u8)];
            *part = part.wrapping_add(*piece);
        }
        let rules = self.pieces.iter().fold(self.whole, |sum, piece| sum.wrapping_sub(*piece));
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let [a, b, c, d] = parts.map(stirred);
        let parts = [a, b, c, d];
        pairs.map(|(i, j): (usize, usize)| {
            stirred(rules ^ parts[i].rotate_left(i as u32) ^ parts[j].rotate_left(8 + j as u32))
        })
    }
}

fn hashed(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Mixes the bits of a number (SplitMix64).
fn stirred(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The known positions of running games.
#[derive(Debug, Default)]
pub struct RunningPositions(Mutex<KnownPositions>);

#[derive(Debug, Default)]
struct KnownPositions {
    games: HashMap<Arc<str>, Reached>,
    /// Each game once, with its `queued`. A game at the front that has moved since then goes to the end again; one
    /// that is over is skipped.
    queue: VecDeque<(u64, Arc<str>)>,
    /// The rated games that people play now, except slow ones: by public id, tables and their games.
    rated: HashMap<String, HashMap<String, String>>,
    /// The people whose rated games have begun or ended since the other nodes were told, with the rules; `None` when
    /// there are no others.
    changed: Option<HashSet<(String, String)>>,
    /// The rated games at other nodes, by incarnation.
    elsewhere: HashMap<String, RatedElsewhere>,
    /// The number of games that reached each position.
    positions: Counts,
    /// The last positions of games, which are known with a piece more, less or elsewhere.
    near: Nearly,
    moves: u64,
}

/// Positions that are known with a piece more, less or elsewhere.
#[derive(Debug, Default)]
struct Nearly {
    /// The key of each whole position, by the moment at which it was reached.
    moments: BTreeMap<u64, u64>,
    /// The positions, by the key of the whole.
    positions: Keyed<Nearby>,
    /// The keys of each two parts of them, with the key of the whole.
    pairs: BTreeSet<(u64, u64)>,
    /// The number of keys of pieces and parts, all together.
    held: usize,
}

#[derive(Debug)]
struct Nearby {
    /// The number of moments at which it was reached.
    count: u32,
    pieces: Box<[u64]>,
    pairs: [u64; 6],
}

/// A map whose keys are hashes already.
type Keyed<T> = HashMap<u64, T, BuildHasherDefault<Itself>>;

/// A hasher that returns the number itself.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// The count of each key.
#[derive(Debug, Default)]
struct Counts {
    counts: Keyed<u32>,
    /// All of them together.
    held: usize,
}

/// The positions that one game has reached. Moments are counted in moves of all games.
#[derive(Debug)]
struct Reached {
    moved: u64,
    queued: u64,
    positions: VecDeque<u64>,
    /// Moments of the last positions.
    near: VecDeque<u64>,
}

impl RunningPositions {
    /// Notes that a running game has reached a position, or is still at it.
    pub fn enter(&self, table: &str, standing: &Standing, is_rated: bool) {
        let mut known = self.lock();
        let known = &mut *known;
        let (now, key) = (known.moves + 1, standing.whole);
        let game = match known.games.get_mut(table) {
            Some(game) => game,
            None => {
                let table: Arc<str> = table.into();
                known.queue.push_back((now, Arc::clone(&table)));
                known.games.entry(table).or_insert(Reached {
                    moved: now,
                    queued: now,
                    positions: VecDeque::new(),
                    near: VecDeque::new(),
                })
            }
        };
        if game.positions.back() == Some(&key) {
            return;
        }
        game.moved = now;
        game.positions.push_back(key);
        game.near.push_back(now);
        let most = if is_rated { REMEMBERED_RATED } else { REMEMBERED };
        let forgotten = if game.positions.len() > most { game.positions.pop_front() } else { None };
        let gone = if game.near.len() > NEARLY { game.near.pop_front() } else { None };
        known.moves = now;
        known.positions.add(key);
        forgotten.into_iter().for_each(|key| known.positions.take(key));
        gone.into_iter().for_each(|moment| known.near.forget(moment));
        known.near.enter(now, standing);
        known.tidy();
    }

    /// Forgets a game that is over.
    pub fn leave(&self, table: &str) {
        self.lock().end(table);
    }

    /// Returns true if that person plays a rated game by these rules now, other than a slow one, at this node or, as far
    /// as the others have told, at another.
    #[must_use]
    pub fn plays_rated(&self, person: &str, game: &str) -> bool {
        let known = self.lock();
        let key = rated_key(person, game);
        known.plays_rated_here(person, game) || known.elsewhere.values().any(|node| node.has(key))
    }

    /// Returns true if that person plays a rated game by these rules at this node now, other than a slow one.
    #[must_use]
    pub(crate) fn plays_rated_here(&self, person: &str, game: &str) -> bool {
        self.lock().plays_rated_here(person, game)
    }

    /// Begins to collect changes for other nodes.
    pub fn tell_others(&self) {
        self.lock().changed.get_or_insert_default();
    }

    /// Returns the rated games that have begun or ended here since the last call; `None` if there are none.
    #[must_use]
    pub(crate) fn rated_changes(&self) -> Option<RatedChanges> {
        let mut known = self.lock();
        let changed = known.changed.as_mut().map(std::mem::take).filter(|changed| !changed.is_empty())?;
        let (begun, over): (Vec<_>, Vec<_>) =
            changed.iter().partition(|(person, game)| known.plays_rated_here(person, game));
        let keys = |people: Vec<&(String, String)>| {
            Packed::of(people.into_iter().map(|(person, game)| rated_key(person, game)))
        };
        Some(RatedChanges { begun: keys(begun), over: keys(over) })
    }

    /// Returns all rated games that people play here, in parts for other nodes. The last part is empty, so that it takes
    /// the place of what a longer list had there.
    #[must_use]
    pub(crate) fn rated_list(&self) -> Vec<RatedPart> {
        let known = self.lock();
        let mut keys = BTreeSet::new();
        for (person, tables) in &known.rated {
            keys.extend(tables.values().map(|game| rated_key(person, game)));
        }
        let keys: Vec<u64> = keys.into_iter().collect();
        let parts = keys.chunks(RATED_PART).chain([&[][..]]);
        let parts = (0..MOST_RATED_PARTS).zip(parts);
        parts.map(|(part, keys)| RatedPart { part, keys: Packed::of(keys.iter().copied()) }).collect()
    }

    /// Takes in the changes at another node.
    pub(crate) fn hear_rated_changes(&self, node: &str, changes: &RatedChanges) {
        let mut known = self.lock();
        let elsewhere = known.elsewhere.entry(node.to_owned()).or_default();
        for key in changes.over.numbers() {
            elsewhere.begun.remove(&key);
            for (_, keys) in elsewhere.parts.values_mut() {
                keys.remove(&key);
            }
        }
        let now = Instant::now();
        elsewhere.begun.extend(changes.begun.numbers().into_iter().map(|key| (key, now)));
    }

    /// Takes in a part of another node's list.
    pub(crate) fn hear_rated_list(&self, node: &str, list: &RatedPart) {
        if list.part >= MOST_RATED_PARTS {
            return;
        }
        let mut known = self.lock();
        known.elsewhere.values_mut().for_each(RatedElsewhere::drop_expired);
        known.elsewhere.retain(|_, node| !(node.parts.is_empty() && node.begun.is_empty()));
        let heard = (Instant::now(), list.keys.numbers().into_iter().collect());
        let elsewhere = known.elsewhere.entry(node.to_owned()).or_default();
        elsewhere.begun.retain(|_, at| at.elapsed() < RATED_NEWS);
        elsewhere.parts.insert(list.part, heard);
    }

    /// Forgets a table that another node has now.
    pub fn forget(&self, table: &str) {
        self.leave(table);
        self.forget_players(table);
    }

    /// Forgets the rated games of a table that has failed, since it can no longer report their end: its players can
    /// get help again.
    pub(crate) fn forget_players(&self, table: &str) {
        let mut known = self.lock();
        let KnownPositions { rated, changed, .. } = &mut *known;
        rated.retain(|person, tables| {
            if let (Some(game), Some(changed)) = (tables.remove(table), changed.as_mut()) {
                changed.insert((person.clone(), game));
            }
            !tables.is_empty()
        });
    }

    fn note_players(&self, state: &State) {
        if !state.setup.rated || speed(&state.setup) == Some(Speed::Correspondence) {
            return;
        }
        for player in state.seats.iter().flatten() {
            self.set_rated(&player.id, &state.id, &state.setup.game, state.is_on());
        }
    }

    /// Notes that a person plays a rated game at a table, or plays there no more.
    fn set_rated(&self, person: &str, table: &str, game: &str, plays: bool) {
        let mut known = self.lock();
        let KnownPositions { rated, changed, .. } = &mut *known;
        let changes = if plays {
            let tables = rated.entry(person.to_owned()).or_default();
            tables.insert(table.to_owned(), game.to_owned()).is_none()
        } else if let Some(tables) = rated.get_mut(person) {
            let removed = tables.remove(table).is_some();
            if tables.is_empty() {
                rated.remove(person);
            }
            removed
        } else {
            false
        };
        if let Some(changed) = changed.as_mut().filter(|_| changes) {
            changed.insert((person.to_owned(), game.to_owned()));
        }
    }

    /// Returns true if this position, in one of its layouts, is or has lately been in a running game; with `nearly`,
    /// also if it differs by one piece more, less, elsewhere or of another kind.
    #[must_use]
    pub fn is_running(&self, layouts: &[Standing], nearly: bool) -> bool {
        let known = self.lock();
        layouts.iter().any(|laid| known.positions.has(laid.whole) || nearly && known.near.has(laid))
    }

    /// Returns true if no position is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().positions.counts.is_empty()
    }

    /// Checks that help with that game is allowed: none of the positions on its line, up to `back` plies before the
    /// present one, is a running game's.
    ///
    /// # Errors
    /// `position-in-play`.
    pub fn check(&self, setup: &Setup, game: &dyn AnyGame, back: usize) -> Result<(), Problem> {
        if self.is_empty() {
            return Ok(());
        }
        match self.has(&asked(setup, game, back)) {
            true => Err(Problem::new("position-in-play")),
            false => Ok(()),
        }
    }

    /// Returns true if one of those positions is a running game's.
    #[must_use]
    pub fn has(&self, asked: &PositionsAsked) -> bool {
        asked.iter().any(|(layouts, nearly)| self.is_running(layouts, *nearly))
    }

    /// Answers another node about its keys.
    #[must_use]
    pub fn find(&self, keys: &Keys) -> Found {
        let known = self.lock();
        let runs = keys.wholes.numbers().iter().any(|key| known.positions.has(*key));
        let mut near = BTreeMap::new();
        if !runs {
            let pairs = keys.pairs.numbers();
            near.extend(pairs.iter().flat_map(|pair| known.near.with(*pair)));
        }
        let mut left = PIECES_TOLD;
        let fits = |pieces: &&Nearby| {
            let room = left.checked_sub(pieces.pieces.len());
            left = room.unwrap_or(0);
            room.is_some()
        };
        let near = near.into_values().take_while(fits);
        let near = near.map(|near| Packed::of(near.pieces.iter().copied())).collect();
        Found { runs, near }
    }

    /// Notes the present position of a table; to be called when the table is read and after each of its events.
    pub fn note(&self, state: &State, from_ply: usize) {
        if !is_between_people(state) {
            return;
        }
        self.note_players(state);
        if state.end.is_some() {
            self.leave(&state.id);
        } else if state.game.plies() >= from_ply.max(1) {
            self.enter(&state.id, &Standing::of(&state.setup, state.game.as_ref()), state.setup.rated);
        }
    }

    fn lock(&self) -> MutexGuard<'_, KnownPositions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn has(&self, key: u64) -> bool {
        self.counts.contains_key(&key)
    }

    fn add(&mut self, key: u64) {
        *self.counts.entry(key).or_default() += 1;
        self.held += 1;
    }

    fn take(&mut self, key: u64) {
        if let Some(count) = self.counts.get_mut(&key) {
            *count -= 1;
            self.held -= 1;
            if *count == 0 {
                self.counts.remove(&key);
            }
        }
    }
}

impl Nearly {
    fn enter(&mut self, moment: u64, standing: &Standing) {
        self.moments.insert(moment, standing.whole);
        if let Some(known) = self.positions.get_mut(&standing.whole) {
            known.count += 1;
            return;
        }
        let (pairs, pieces) = (standing.pairs(), standing.pieces.clone().into_boxed_slice());
        self.pairs.extend(pairs.map(|pair| (pair, standing.whole)));
        self.held += pieces.len() + pairs.len();
        self.positions.insert(standing.whole, Nearby { count: 1, pieces, pairs });
    }

    fn forget(&mut self, moment: u64) {
        let Some(whole) = self.moments.remove(&moment) else { return };
        let Some(known) = self.positions.get_mut(&whole) else { return };
        known.count -= 1;
        if known.count == 0
            && let Some(gone) = self.positions.remove(&whole)
        {
            self.held -= gone.pieces.len() + gone.pairs.len();
            for pair in gone.pairs {
                self.pairs.remove(&(pair, whole));
            }
        }
    }

    /// Returns true if the position is known, as it is or with one piece more, less, elsewhere or of another kind.
    fn has(&self, standing: &Standing) -> bool {
        let mut own: Option<Pieces> = None;
        standing.pairs().into_iter().any(|pair| {
            self.with(pair).any(|(_, known)| {
                let own = own.get_or_insert_with(|| standing.pieces.iter().copied().collect());
                differ_by_one(own, &known.pieces)
            })
        })
    }

    /// Returns the positions that have these two parts, by the key of the whole.
    fn with(&self, pair: u64) -> impl Iterator<Item = (u64, &Nearby)> {
        let wholes = self.pairs.range((pair, 0)..=(pair, u64::MAX));
        wholes.filter_map(|(_, whole)| self.positions.get(whole).map(|near| (*whole, near)))
    }
}

impl KnownPositions {
    fn plays_rated_here(&self, person: &str, game: &str) -> bool {
        self.rated.get(person).is_some_and(|tables| tables.values().any(|played| played == game))
    }

    fn end(&mut self, table: &str) {
        if let Some(game) = self.games.remove(table) {
            game.positions.into_iter().for_each(|key| self.positions.take(key));
            game.near.into_iter().for_each(|moment| self.near.forget(moment));
        }
    }

    fn tidy(&mut self) {
        while self.near.held > NEARLY_KEYS {
            let Some((&oldest, _)) = self.near.moments.first_key_value() else { break };
            self.near.forget(oldest);
        }
        while self.games.len() > GAMES {
            let Some((queued, table)) = self.queue.pop_front() else { return };
            match self.games.get_mut(&table) {
                Some(game) if game.queued != queued => {}
                Some(game) if game.moved != queued => {
                    game.queued = game.moved;
                    self.queue.push_back((game.moved, table));
                }
                Some(_) => self.end(&table),
                None => {}
            }
        }
        // Games that are over leave their place here until most of the queue is of such.
        if self.queue.len() > 64 + 2 * self.games.len() {
            let games = &self.games;
            self.queue.retain(|(queued, table)| games.get(table).is_some_and(|game| game.queued == *queued));
        }
    }
}

/// Returns true if that position, in one of its layouts, is one move away from the present position of two people at
/// this table, under `setup`'s rules.
#[must_use]
pub fn is_next(state: &State, setup: &Setup, layouts: &[Standing], from_ply: usize) -> bool {
    let family = |setup: &Setup| setup.game.split('/').next().map(str::to_owned);
    let same = (family(&state.setup), &state.setup.map) == (family(setup), &setup.map);
    if !same || !is_between_people(state) || state.end.is_some() || state.game.plies() < from_ply {
        return false;
    }
    // The rules of such a game are another process's, which answers one question at a time.
    if state.game.waits() {
        return false;
    }
    let mut game = state.game.boxed_clone();
    game.moves().iter().any(|text| {
        let played = game.play(text).is_ok();
        let found = played && {
            let whole = Standing::of(&state.setup, game.as_ref()).whole;
            layouts.iter().any(|laid| laid.whole == whole)
        };
        if played {
            game.undo();
        }
        found
    })
}

/// Returns true if the players are two different people.
fn is_between_people(state: &State) -> bool {
    let [Some(first), Some(second)] = &state.seats else { return false };
    state.setup.how != How::Screen
        && first.id != second.id
        && first.engine.is_none()
        && second.engine.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Standing {
        Standing { whole: n, pieces: Vec::new() }
    }

    impl RunningPositions {
        fn knows(&self, n: u64) -> bool {
            self.is_running(&[key(n)], false)
        }
    }

    /// Another node that asks by keys learns what this node knows, also among many games whose few pieces share parts.
    #[test]
    fn a_node_that_asks_learns_what_is_known_here() {
        let standing = |numbers: &[u64]| {
            let pieces: Vec<u64> = numbers.iter().map(|n| stirred(*n)).collect();
            Standing { whole: pieces.iter().fold(7, |sum, piece| sum.wrapping_add(*piece)), pieces }
        };
        let mut state = 5;
        let mut chance = |below: u64| {
            state = stirred(state + 1);
            state % below
        };
        let running = RunningPositions::default();
        let games: Vec<Vec<u64>> = (0..300).map(|_| (0..4).map(|_| chance(200)).collect()).collect();
        for (n, game) in games.iter().enumerate() {
            running.enter(&n.to_string(), &standing(game), true);
        }
        let mut near = 0;
        for n in 0..600 {
            let mut pieces = games[n % games.len()].clone();
            (0..chance(4)).for_each(|_| pieces[chance(4) as usize] = chance(200));
            let asked = vec![(vec![standing(&pieces)], n % 5 > 0)];
            let known = running.has(&asked);
            near += usize::from(known && !running.is_running(&asked[0].0, false));
            let told = Keys::of(&asked).iter().any(|keys| running.find(keys).has(&asked));
            assert_eq!(told, known, "{n}: {pieces:?}");
        }
        assert!(near > 50, "{near} were known by all pieces but one");
    }

    /// A node learns of the rated games of another from news, and from the list that repairs lost news.
    #[test]
    fn a_node_hears_who_plays_rated_games_elsewhere() {
        let (here, there) = (RunningPositions::default(), RunningPositions::default());
        here.set_rated("ann", "t1", "xiangqi", true);
        assert_eq!(here.rated_changes(), None, "there are no others");
        here.tell_others();
        assert_eq!(here.rated_changes(), None, "what was before is in the list");
        let tell =
            || here.rated_changes().inspect(|changes| there.hear_rated_changes("a", changes)).is_some();
        let list = || here.rated_list().iter().for_each(|part| there.hear_rated_list("a", part));
        list();
        assert!(there.plays_rated("ann", "xiangqi") && !there.plays_rated("ann", "gomoku/renju"));
        assert!(!there.plays_rated_here("ann", "xiangqi") && here.plays_rated_here("ann", "xiangqi"));
        here.set_rated("bob", "t1", "xiangqi", true);
        here.set_rated("ann", "t2", "xiangqi", true);
        here.set_rated("ann", "t2", "xiangqi", true);
        assert!(tell() && there.plays_rated("bob", "xiangqi"), "has begun");
        here.set_rated("ann", "t1", "xiangqi", false);
        assert!(tell() && there.plays_rated("ann", "xiangqi"), "the other game runs");
        here.forget_players("t2");
        assert!(tell() && !there.plays_rated("ann", "xiangqi") && there.plays_rated("bob", "xiangqi"));
        here.set_rated("bob", "t1", "xiangqi", false);
        here.set_rated("eve", "t3", "xiangqi", true);
        // These news are lost.
        assert!(here.rated_changes().is_some());
        list();
        assert!(there.plays_rated("eve", "xiangqi"));
        assert!(!tell(), "nothing has changed since");
    }

    #[test]
    fn positions_are_known_while_their_games_run() {
        let running = RunningPositions::default();
        running.enter("a", &key(1), false);
        running.enter("b", &key(1), false);
        running.enter("a", &key(2), false);
        assert!(running.knows(1) && running.knows(2) && !running.knows(3));
        running.leave("a");
        assert!(running.knows(1), "the other game stands there");
        assert!(!running.knows(2));
        running.leave("b");
        running.leave("b");
        assert!(running.is_empty());
    }

    #[test]
    fn a_long_game_is_remembered_by_its_last_positions() {
        let running = RunningPositions::default();
        for n in 0..10_000 {
            running.enter("a", &key(n), false);
        }
        assert!(running.knows(9_999) && running.knows(9_984));
        assert!(!running.knows(9_983));
        assert_eq!(running.lock().queue.len(), 1);
        running.leave("a");
        assert!(running.is_empty());
    }

    /// Finished games leave no data that grow, however often a table is played at again.
    #[test]
    fn games_that_are_over_take_no_room() {
        let running = RunningPositions::default();
        for n in 0..10_000 {
            running.enter("a", &key(n), false);
            running.leave("a");
        }
        running.enter("a", &key(1), false);
        assert!(running.lock().queue.len() < 100);
        running.leave("a");
        assert!(running.is_empty());
    }

    #[test]
    fn the_game_that_moved_longest_ago_is_forgotten_first() {
        let running = RunningPositions::default();
        let games = GAMES as u64;
        for n in 0..games {
            running.enter(&n.to_string(), &key(n), false);
        }
        running.enter("0", &key(games), false);
        running.enter("new", &key(games + 1), false);
        assert!(!running.knows(1), "of the second");
        assert!(running.knows(0) && running.knows(2) && running.knows(games + 1));
    }

    /// All positions of a rated game are known, not only those of the last moves.
    #[test]
    fn a_rated_game_is_remembered_whole() {
        let running = RunningPositions::default();
        for n in 0..400 {
            running.enter("a", &key(n), true);
        }
        assert!((0..400).all(|n| running.knows(n)));
        for n in 400..10_000 {
            running.enter("a", &key(n), true);
        }
        assert!(!running.knows(8_000) && running.knows(9_001), "bounded");
        running.leave("a");
        assert!(running.is_empty());
    }

    fn stands(keys: &[u64]) -> Standing {
        Standing {
            whole: keys.iter().fold(0, |sum, key| sum + (1 << key)),
            pieces: keys.iter().map(|key| 1 << key).collect(),
        }
    }

    /// A position that differs by one edge pawn is found (A2).
    #[test]
    fn what_is_one_piece_away_is_known_too() {
        let running = RunningPositions::default();
        running.enter("a", &stands(&[1, 2, 3, 4]), true);
        for (name, keys, known) in [
            ("the same", vec![1, 2, 3, 4], true),
            ("one less", vec![1, 2, 4], true),
            ("one more", vec![1, 2, 3, 4, 9], true),
            ("one elsewhere", vec![1, 2, 3, 9], true),
            ("two less", vec![1, 2], false),
            ("two elsewhere", vec![1, 2, 8, 9], false),
        ] {
            assert_eq!(running.is_running(&[stands(&[20]), stands(&keys)], true), known, "{name}");
            assert_eq!(running.is_running(&[stands(&keys)], false), name == "the same", "{name}");
        }
        running.enter("a", &stands(&[1, 2, 3, 5]), true);
        running.enter("a", &stands(&[1, 2, 6, 5]), true);
        assert!(!running.is_running(&[stands(&[1, 2, 4])], true), "two plies ago is remembered whole only");
        running.leave("a");
        let known = running.lock();
        let Nearly { moments, positions, pairs, held } = &known.near;
        assert!(moments.is_empty() && positions.is_empty() && pairs.is_empty() && *held == 0);
    }

    /// Positions count as nearly the same exactly if one piece differs: generated ones, against counting the
    /// difference.
    #[test]
    fn nearly_the_same_is_what_one_piece_makes() {
        let mut random = kernel::laws::Random(7);
        let mut some = |most: usize| -> Vec<u64> {
            let count = random.below(most);
            (0..count)
                .map(|_| stirred(random.below(12) as u64))
                .collect::<BTreeSet<u64>>()
                .into_iter()
                .collect()
        };
        let of = |rules: u64, pieces: &[u64]| Standing {
            whole: pieces.iter().fold(rules, |sum, piece| sum.wrapping_add(*piece)),
            pieces: pieces.to_vec(),
        };
        let mut found = 0;
        for n in 0..20_000 {
            let (one, other) = (some(9), some(9));
            let running = RunningPositions::default();
            running.enter("a", &of(1, &one), false);
            let strange = one.iter().filter(|piece| !other.contains(piece)).count();
            let missing = other.iter().filter(|piece| !one.contains(piece)).count();
            let near = strange <= 1 && missing <= 1;
            found += usize::from(near);
            assert_eq!(running.is_running(&[of(1, &other)], true), near, "{n}: {one:?} {other:?}");
            assert!(!running.is_running(&[of(2, &other)], true), "{n}: of another game");
        }
        assert!(found > 100, "{found}");
    }

    /// Keys of positions and their parts have a bound of their own, since they are many.
    #[test]
    fn what_is_nearly_the_same_takes_bounded_room() {
        let running = RunningPositions::default();
        let pieces: Vec<u64> = (1..=20).map(stirred).collect();
        for n in 0..250_u64 {
            let standing = Standing { whole: n << 32, pieces: pieces.clone() };
            running.enter(&n.to_string(), &standing, false);
        }
        let known = running.lock();
        assert!(known.near.held <= NEARLY_KEYS && known.near.moments.len() < 250);
        assert_eq!(known.games.len(), 250, "the positions themselves are all there");
    }
}
