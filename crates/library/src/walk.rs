//! Replay of a record: the data that the library keeps of it and that its indexes need.

use std::borrow::Cow;

use catalog::Setting;
use kernel::{AnyGame, Piece, Problem, Side};
use records::{Format, NodeId, Record, Score, Tree};
use sha2::{Digest, Sha256};

use crate::Day;
use crate::fold::fold;

/// A function that opens the game of a record at its start.
pub type Opener = dyn Fn(&Record) -> Result<Box<dyn AnyGame>, Problem> + Send + Sync;

/// Opens games that need no map.
///
/// # Errors
/// `unknown-game`, `map-needed`, and what is wrong with options or start.
pub fn without_maps(record: &Record) -> Result<Box<dyn AnyGame>, Problem> {
    let entry = catalog::find(&record.game)?;
    let options = entry.settle(&record.options, Setting::Faithful)?;
    entry.open(None, &options, record.start.as_deref())
}

/// The greatest number of pieces of a kind that can be searched for: 20 men of a side begin at international
/// draughts.
pub const MOST_COUNTED: u8 = 20;

/// A piece that stood on a cell, or a number of pieces of a kind, from one ply to another, both included; ply 0 is
/// the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The piece and its cell, or the kind and number of pieces, as a number: see [`feature`] and [`counted`].
    pub feature: u64,
    /// True if the span is about a number of pieces.
    pub counts: bool,
    /// The first ply.
    pub from: u32,
    /// The last ply.
    pub to: u32,
}

/// A game that was checked, with the data that is kept of it.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The key of the game in the catalogue.
    pub game: String,
    /// The options as `key=value`, by key.
    pub options: String,
    /// The id of the map, or a hash of its files; empty without one.
    pub map: String,
    /// The start FEN; `None`: the usual start.
    pub start: Option<String>,
    /// The names of the players, as they were written.
    pub players: [String; 2],
    /// The event at which it was played.
    pub event: String,
    /// The day on which it was played.
    pub day: Day,
    /// The result of the game.
    pub result: Option<Score>,
    /// The ratings of the players; 0 if unknown.
    pub ratings: [u32; 2],
    /// The machine texts of the moves of the main line.
    pub moves: Vec<String>,
    /// The keys of the positions from the start to the end: one more than moves.
    pub keys: Vec<u64>,
    /// The spans of plies of each piece on its cell, and of each number of pieces of a kind.
    pub spans: Vec<Span>,
    /// The rest of the record, as JSON, perhaps compressed; `None` if there is nothing else.
    pub extra: Option<Vec<u8>>,
    /// A hash of the rules, players, day, result and moves: equal for games that are the same.
    pub hash: i64,
}

/// Mixes bytes into a hash that never changes: FNV-1a of 64 bits.
fn mix(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Spreads a hash over all its bits (the finalizer of SplitMix64).
fn spread(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Returns a hash that distinguishes files by their beginnings.
#[must_use]
pub fn print(bytes: &[u8]) -> u64 {
    spread(mix(0xcbf2_9ce4_8422_2325, bytes))
}

/// Returns the salt that separates the positions of one game, on one map, from those of another.
#[must_use]
pub fn salt(game: &str, map: &str) -> u64 {
    mix(mix(mix(0xcbf2_9ce4_8422_2325, game.as_bytes()), &[0]), map.as_bytes())
}

/// Returns the key of a position in the index.
#[must_use]
pub fn position_key(salt: u64, game: &dyn AnyGame) -> u64 {
    spread(salt ^ game.key())
}

/// Encodes a piece on a cell as a number for the index of patterns.
#[must_use]
pub fn feature(salt: u64, piece: &Piece) -> u64 {
    let owner = piece.owner.map_or(2, |side| side.index() as u8);
    let [low, high] = piece.at.to_le_bytes();
    spread(mix(mix(salt, &[owner, low, high]), piece.face.as_bytes()))
}

/// Encodes a number of pieces of a kind of one side as a number for the index of patterns; `None` above
/// [`MOST_COUNTED`], where it is not kept.
#[must_use]
pub fn counted(salt: u64, owner: Option<Side>, face: &str, count: u32) -> Option<u64> {
    let owner = owner.map_or(2, |side| side.index() as u8);
    let count = u8::try_from(count).ok().filter(|&count| count <= MOST_COUNTED)?;
    Some(spread(mix(mix(mix(salt, b"count"), &[owner, count]), face.as_bytes())))
}

/// Returns the id of the map of a record, or else a hash of its files; empty without a map.
#[must_use]
pub fn map_id(record: &Record) -> String {
    let Some(map) = &record.map else { return String::new() };
    if !map.id.is_empty() {
        return map.id.clone();
    }
    let mut hash = Sha256::new();
    if let Some(files) = &map.files {
        hash.update(&files.map);
        for extension in &files.extensions {
            hash.update(extension.file.as_bytes());
            hash.update(&extension.bytes);
        }
    }
    hash.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// A piece on its cell: its owner and face, its key, and the ply at which it came there.
type Placed = (Option<Side>, Cow<'static, str>, u64, u32);

/// The number of pieces of a kind that a side has.
struct PieceCount {
    owner: Option<Side>,
    face: Cow<'static, str>,
    now: u32,
    /// The number that has been constant since `from`.
    told: u32,
    from: u32,
}

/// The pieces on the cells during a replay, each with the ply at which it came there, and the number of each kind.
#[derive(Default)]
struct Standing {
    cells: Vec<Option<Placed>>,
    seen: Vec<u32>, // the ply at which a cell was last seen to be taken, from 1
    kinds: Vec<PieceCount>,
    spans: Vec<Span>,
}

impl Standing {
    /// Begins with all the kinds of the game, so that having none of a kind is counted, too.
    fn of(palette: Vec<(Side, Cow<'static, str>)>) -> Standing {
        let kind = |(owner, face)| PieceCount { owner: Some(owner), face, now: 0, told: 0, from: 0 };
        Standing { kinds: palette.into_iter().map(kind).collect(), ..Standing::default() }
    }

    /// Returns the entry of a kind; a new kind counts as 0 from the start.
    fn kind(&mut self, owner: Option<Side>, face: &str) -> &mut PieceCount {
        let known = self.kinds.iter().position(|kind| kind.owner == owner && kind.face == face);
        let at = known.unwrap_or_else(|| {
            self.kinds.push(PieceCount { owner, face: face.to_owned().into(), now: 0, told: 0, from: 0 });
            self.kinds.len() - 1
        });
        &mut self.kinds[at]
    }

    /// Ends the spans of the numbers that changed with this ply.
    fn count(&mut self, salt: u64, ply: u32) {
        for kind in self.kinds.iter_mut().filter(|kind| kind.now != kind.told) {
            if ply > kind.from
                && let Some(feature) = counted(salt, kind.owner, &kind.face, kind.told)
            {
                self.spans.push(Span { feature, counts: true, from: kind.from, to: ply - 1 });
            }
            (kind.told, kind.from) = (kind.now, ply);
        }
    }

    fn see(&mut self, salt: u64, ply: u32, pieces: Vec<Piece>) {
        for piece in pieces {
            let at = usize::from(piece.at);
            if self.cells.len() <= at {
                self.cells.resize(at + 1, None);
                self.seen.resize(at + 1, 0);
            }
            self.seen[at] = ply + 1;
            let same =
                self.cells[at].as_ref().is_some_and(|(o, f, ..)| *o == piece.owner && *f == piece.face);
            if !same {
                self.close(at, ply);
                let number = feature(salt, &piece);
                self.kind(piece.owner, &piece.face).now += 1;
                self.cells[at] = Some((piece.owner, piece.face, number, ply));
            }
        }
        for at in 0..self.cells.len() {
            if self.seen[at] != ply + 1 {
                self.close(at, ply);
            }
        }
        self.count(salt, ply);
    }

    /// Ends the span of the piece on a cell: it left before this ply.
    fn close(&mut self, at: usize, ply: u32) {
        if let Some((owner, face, feature, from)) = self.cells[at].take() {
            self.spans.push(Span { feature, counts: false, from, to: ply - 1 });
            self.kind(owner, &face).now -= 1;
        }
    }

    fn end(mut self, salt: u64, plies: u32) -> Vec<Span> {
        for kind in &self.kinds {
            if let Some(feature) = counted(salt, kind.owner, &kind.face, kind.told) {
                self.spans.push(Span { feature, counts: true, from: kind.from, to: plies });
            }
        }
        for at in 0..self.cells.len() {
            self.close(at, plies + 1);
        }
        self.spans
    }
}

/// Plays a record as [`walk`] does; if a move is impossible, the part before it is kept, and the problem is returned
/// as well.
///
/// # Errors
/// The errors of [`walk`], if nothing is left.
pub(crate) fn walk_part(mut record: Record, open: &Opener) -> Result<(Walked, Option<Problem>), Problem> {
    let (walked, fault) = match through(&record, open) {
        Err(problem) if problem.key == "record-move-refused" => {
            let fault = record.keep_possible(open(&record)?)?;
            (through(&record, open)?, fault)
        }
        walked => (walked?, None),
    };
    whole(walked, record).map(|walked| (walked, fault))
}

/// Plays the main line of a record, and its variations where it has any.
///
/// Declared draws and repetitions do not end the game: programs and federations count them differently, and later
/// moves were in fact played.
///
/// # Errors
/// [`records::record::refused`], and what the opener says.
pub fn walk(record: Record, open: &Opener) -> Result<Walked, Problem> {
    through(&record, open).and_then(|walked| whole(walked, record))
}

/// Adds the rest of the record's data.
fn whole(mut walked: Walked, record: Record) -> Result<Walked, Problem> {
    walked.extra = extra(record, &walked)?;
    Ok(walked)
}

/// Plays a record without keeping the data beside its moves.
fn through(record: &Record, open: &Opener) -> Result<Walked, Problem> {
    let mut game = open(record)?;
    game.play_past_draws(true);
    let start = record.start.is_some().then(|| game.start_fen());
    let start = start.filter(|fen| !is_usual(record, open, fen));
    let map = map_id(record);
    let salt = salt(&record.game, &map);
    let mut keys = vec![position_key(salt, &*game)];
    let mut moves = Vec::new();
    let mut standing = Standing::of(game.palette());
    standing.see(salt, 0, game.all_pieces());
    for (ply, id) in (1_u32..).zip(record.tree.main_line()) {
        play(&mut *game, &record.tree[id].text)?;
        moves.push(game.last_move().unwrap_or_default());
        game.compact();
        keys.push(position_key(salt, &*game));
        standing.see(salt, ply, game.all_pieces());
    }
    let plies = game.plies() as u32;
    check_variations(record, open)?;
    // What a table of ours would have said at the end.
    game.play_past_draws(false);
    let ending = record.ending.clone().or_else(|| game.outcome().map(records::Ending::from));
    let result = ending.as_ref().map(|ending| ending.score);
    let event = record.tags.get("Event").filter(|name| name.as_str() != "?").cloned().unwrap_or_default();
    let options: Vec<String> = record.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut walked = Walked {
        options: options.join(" "),
        map,
        start,
        players: record.players.clone(),
        event,
        day: Day::read(&record.date),
        result,
        ratings: ratings(record),
        moves,
        keys,
        spans: standing.end(salt, plies),
        extra: None,
        hash: 0,
        game: record.game.clone(),
    };
    walked.hash = hash(&walked);
    Ok(walked)
}

/// Plays a move; the refusal says where it stands.
fn play(game: &mut dyn AnyGame, text: &str) -> Result<(), Problem> {
    game.play(text).map_err(|why| records::record::refused(game, text, why.problem().key))
}

/// Returns true if a start FEN is the one that the game begins with anyway.
fn is_usual(record: &Record, open: &Opener, fen: &str) -> bool {
    let (game, map, options) = (record.game.clone(), record.map.clone(), record.options.clone());
    let plain = Record { game, map, options, ..Record::default() };
    open(&plain).is_ok_and(|usual| usual.start_fen() == fen)
}

/// Checks that every variation is possible, too; a line of them is played from the start of the game once.
fn check_variations(record: &Record, open: &Opener) -> Result<(), Problem> {
    let tree = &record.tree;
    if tree.main_line().count() == tree.plies() {
        return Ok(());
    }
    let mut game = open(record)?;
    game.play_past_draws(true);
    let mut path: Vec<NodeId> = Vec::new();
    for id in tree.in_order() {
        let before = tree.before(id).unwrap_or(Tree::START);
        while path.last().is_some_and(|&last| last != before) {
            path.pop();
            game.undo();
        }
        path.push(id);
        play(&mut *game, &tree[id].text)?;
    }
    Ok(())
}

/// Returns the ratings in a file, by the tag names of PGN and similar formats.
fn ratings(record: &Record) -> [u32; 2] {
    let sides = catalog::find(&record.game).map_or(["first", "second"], |entry| entry.sides);
    Side::BOTH.map(|side| {
        let colour = sides[side.index()];
        // Files of games whose first side is neither white nor black call it white.
        let other = ["white", "black"][side.index()];
        let names = [colour, other];
        let names = if sides.contains(&other) { &names[..1] } else { &names[..] };
        let told = |colour: &&str| {
            ["Elo", "Rating"].iter().find_map(|what| {
                let mut name = format!("{colour}{what}");
                name[..1].make_ascii_uppercase();
                record.tags.get(&name)?.trim().parse::<u32>().ok().filter(|n| (1..=9999).contains(n))
            })
        };
        names.iter().find_map(told).unwrap_or(0)
    })
}

fn hash(walked: &Walked) -> i64 {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update(text.as_bytes());
        hash.update([0]);
    };
    part(&walked.game);
    part(&walked.options);
    part(&walked.map);
    part(walked.start.as_deref().unwrap_or_default());
    part(&fold(&walked.players[0]));
    part(&fold(&walked.players[1]));
    part(&walked.day.text());
    part(walked.result.map_or("", Score::key));
    walked.moves.iter().for_each(|text| part(text));
    let bytes: [u8; 8] = hash.finalize()[..8].try_into().expect("SHA-256 has 32 bytes");
    i64::from_le_bytes(bytes)
}

/// Returns the data that the columns and the list of moves do not hold.
fn extra(mut record: Record, walked: &Walked) -> Result<Option<Vec<u8>>, Problem> {
    let tree = &record.tree;
    let said = |id: NodeId| {
        let ply = &tree[id];
        !ply.comment.is_empty() || !ply.nags.is_empty() || ply.spent_ms.is_some()
    };
    let has_tree = tree.plies() != walked.moves.len() || said(Tree::START) || tree.main_line().any(said);
    let tags = record.tags.keys().any(|name| name != "Event");
    let reason = record.ending.as_ref().is_some_and(|ending| !ending.reason.is_empty());
    let date = walked.day.text() != record.date;
    if !(has_tree || tags || reason || date || record.map.is_some() || !record.clock.is_empty()) {
        return Ok(None);
    }
    if !has_tree {
        record.tree = Tree::default();
    }
    record.start.clone_from(&walked.start);
    // The columns have them; a name that must go is then in one place.
    record.players = Default::default();
    let json = records::write(Format::Json, &record)?;
    Ok(Some(if json.len() > PACKED_FROM { packed(&json) } else { json }))
}

/// The size from which JSON is compressed, in bytes.
const PACKED_FROM: usize = 1 << 10;

fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).expect("memory takes everything");
    out.finish().expect("memory takes everything")
}

/// Returns the JSON of an `extra`, which begins with a brace or is compressed.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    use std::io::Read;
    if bytes.first() == Some(&b'{') {
        return Ok(bytes.to_vec());
    }
    let mut json = Vec::new();
    let most = records::record::MOST_JSON as u64 * 2;
    let read = flate2::read::ZlibDecoder::new(bytes).take(most).read_to_end(&mut json);
    read.map_err(|why| Problem::new("library-storage").with("detail", why))?;
    Ok(json)
}
