//! One game of a file: its tags, then its moves, each played as it is read.

use std::borrow::Cow;

use kernel::{Problem, Side};

use draughts::Colour;

use super::clock::Clocks;
use super::layout::{Layout, Variant, by_likelihood, keyed};
use super::seat::Seat;
use super::tokens::{Stop, Token, Tokens};
use crate::pgn::{is_unknown, read_date};
use crate::record::{MOST_FEN, MOST_PLIES, within};
use crate::text::one_line;
use crate::{Ending, NodeId, Ply, Record, Score, Tree};

/// A game that was read, and every move of it played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The game's key in the catalogue.
    pub game: &'static str,
    /// How many plies there are, variations included.
    pub plies: usize,
    /// The line of the file it begins in, from 1.
    pub line: usize,
    /// What is wrong with the game, where what comes before it is kept.
    pub fault: Option<Problem>,
}

/// What is wrong with a game that was kept in part.
pub(super) struct Fault {
    pub(super) problem: Problem,
    /// The byte where it is.
    pub(super) at: usize,
    /// Whether nothing behind it was read.
    pub(super) ends: bool,
}

/// What was read.
pub(super) struct Game {
    pub(super) checked: Checked,
    pub(super) record: Option<Record>,
    /// Whether it is only a remark, as some files begin with.
    pub(super) is_nothing: bool,
    pub(super) fault: Option<Fault>,
}

/// Why there is no game.
pub(super) enum Failure {
    /// More bytes are needed.
    More,
    /// What does not fit, and the byte where it is.
    Wrong(Problem, usize),
    /// All fits, but is more than a record may hold; the byte where the moves begin.
    TooMuch(Problem, usize),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::More => Failure::More,
            Stop::Wrong(key, at) => Failure::Wrong(Problem::new(key), at),
        }
    }
}

/// The boards that games are played on: one for each variant that was met, and the layout that fitted last.
#[derive(Default)]
pub(super) struct Seats {
    seats: Vec<(&'static str, Box<dyn Seat>)>,
    last: Option<Layout>,
}

impl Seats {
    pub(super) fn seat(&mut self, variant: &'static Variant) -> &mut dyn Seat {
        let at = self.seats.iter().position(|(key, _)| *key == variant.key).unwrap_or_else(|| {
            self.seats.push((variant.key, (variant.open)()));
            self.seats.len() - 1
        });
        &mut *self.seats[at].1
    }
}

/// The tags of a game.
struct Tags<'a>(Vec<Tag<'a>>);

struct Tag<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// The byte of its bracket.
    at: usize,
}

impl<'a> Tags<'a> {
    fn find(&self, name: &str) -> Option<&Tag<'a>> {
        self.0.iter().find(|tag| tag.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// What the tag says, unless that is nothing.
    fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        self.find(name).map(|tag| unescaped(tag.value)).filter(|value| !value.trim().is_empty())
    }

    /// The problem, with its place at that tag.
    fn problem(&self, name: &str, problem: Problem) -> Failure {
        Failure::Wrong(problem, self.find(name).map_or(0, |tag| tag.at))
    }
}

/// Reads the next game; `None` at the end of the file. `build`: the record is wanted, too. `keeps`: of a game with a fault,
/// the moves before it are kept. With a fault, too, what was read of the game lies before `tokens.at`.
pub(super) fn read<'b>(
    tokens: &mut Tokens<'b>,
    seats: &mut Seats,
    build: bool,
    keeps: bool,
) -> Result<Option<Game>, Failure> {
    let mut tags = Tags(Vec::new());
    while tokens.at_tag()? {
        let at = tokens.at;
        let Some(Token::Tag(name, value)) = tokens.next()? else { continue };
        // A game without moves and without its star: the next one begins with the same tag.
        if tags.0.first().is_some_and(|first| first.name == name) {
            tokens.at = at;
            break;
        }
        tags.0.push(Tag { name, value, at });
    }
    if tags.0.is_empty() && tokens.at == tokens.bytes.len() {
        return Ok(None);
    }
    let begin = tokens.at;
    let mut worst: Option<Worst> = None;
    let (layouts, looked) = layouts(&tags, tokens, seats.last)?;
    for layout in layouts {
        tokens.at = begin;
        match read_as(layout, &tags, tokens, seats, build, false) {
            Ok(game) => {
                seats.last = Some(layout);
                return Ok(Some(game));
            }
            // Of several layouts the one that got furthest is most likely meant.
            Err(Failure::Wrong(problem, at)) => {
                if worst.as_ref().is_none_or(|worst| at > worst.at) {
                    worst = Some(Worst { problem, at, layout, end: tokens.at });
                }
            }
            Err(failure) => return Err(failure),
        }
    }
    let Worst { problem, at, layout, end } = worst.expect("there is always a layout to try");
    if keeps {
        tokens.at = begin;
        match read_as(layout, &tags, tokens, seats, build, true) {
            Ok(game) if game.checked.plies > 0 => {
                seats.last = Some(layout);
                return Ok(Some(game));
            }
            Err(failure @ (Failure::More | Failure::TooMuch(..))) => return Err(failure),
            _ => {}
        }
    }
    tokens.at = end.max(looked);
    Err(Failure::Wrong(problem, at))
}

/// The fault of the layout that got furthest.
struct Worst {
    problem: Problem,
    at: usize,
    layout: Layout,
    /// The byte behind what was read.
    end: usize,
}

/// What a game may be, the likeliest first, and the byte behind what was looked at for that.
fn layouts(tags: &Tags, tokens: &mut Tokens, last: Option<Layout>) -> Result<(Vec<Layout>, usize), Failure> {
    let mut layouts = Vec::new();
    let mut looked = tokens.at;
    let mut push = |layout: Layout| {
        let same = |l: &Layout| (l.variant.key, l.counting) == (layout.variant.key, layout.counting);
        if !layouts.iter().any(same) {
            layouts.push(layout);
        }
    };
    let unknown = |value: &str| Problem::new("pdn-game-type").with("found", value);
    let name = tags.value("Variant");
    let game_type = tags.value("GameType");
    if let Some(name) = name.filter(|name| keyed(name.trim()).is_some() || game_type.is_none()) {
        let variant = keyed(name.trim()).ok_or_else(|| tags.problem("Variant", unknown(&name)))?;
        [Layout::usual(variant), Layout::ours(variant)].into_iter().for_each(push);
    } else if let Some(game_type) = game_type {
        let told = Layout::read(&game_type);
        let told = told.ok_or_else(|| tags.problem("GameType", unknown(&game_type)))?;
        // Programs disagree about the corners; a first move that is none tells.
        [told, Layout::usual(told.variant), Layout::ours(told.variant)].into_iter().for_each(push);
    } else {
        let (letters, behind) = lettered(tokens);
        looked = behind;
        last.into_iter().filter(|layout| layout.variant.letters == letters).for_each(&mut push);
        let all = by_likelihood().filter(|v| v.letters == letters);
        all.flat_map(|v| [Layout::usual(v), Layout::ours(v)]).for_each(push);
    }
    Ok((layouts, looked))
}

/// Whether the first move is told by letters, and the byte behind what was looked at: all of it is this game's.
fn lettered(tokens: &mut Tokens) -> (bool, usize) {
    let mut ahead = Tokens { whole: true, ..*tokens };
    let (letters, looked) = loop {
        let from = ahead.at;
        match ahead.next() {
            Ok(Some(Token::Move(text))) => break (text[0].is_ascii_alphabetic(), ahead.at),
            Ok(Some(Token::Comment(_) | Token::Setup(_) | Token::Nag(_))) => {}
            _ => break (false, from),
        }
    };
    tokens.closing = ahead.closing;
    (letters, looked)
}

fn read_as<'b>(
    layout: Layout,
    tags: &Tags<'b>,
    tokens: &mut Tokens<'b>,
    seats: &mut Seats,
    build: bool,
    keeps: bool,
) -> Result<Game, Failure> {
    let begin = tokens.at;
    let seat = seats.seat(layout.variant);
    let fen = tags.value("FEN").map(|fen| turned_fen(&layout, fen.trim())).transpose();
    let fen = fen.and_then(|fen| seat.start(fen.as_deref()).map(|()| fen));
    let fen = fen.map_err(|problem| tags.problem("FEN", problem))?;
    let clocks = Clocks::new(tags.value("TimeControl").as_deref().unwrap_or_default());
    let mut moves = Moves {
        layout,
        seat,
        plies: 0,
        depth: 0,
        result: None,
        told: tags.find("Result").map_or(b"", |tag| tag.value),
        start: fen,
        building: build.then(|| Building::new(clocks)),
        keeps,
        fault: None,
    };
    moves.read(tokens)?;
    let checked = Checked { game: layout.variant.key, plies: moves.plies, line: 0, fault: None };
    let Moves { result, start, building, fault, .. } = moves;
    let is_nothing = tags.0.is_empty() && checked.plies == 0 && result.is_none();
    let Some(building) = building else { return Ok(Game { checked, record: None, is_nothing, fault }) };
    let mut record = Record { game: layout.variant.key.to_owned(), tree: building.tree, ..Record::default() };
    let seat = seats.seat(layout.variant);
    if let Some(fen) = start {
        seat.start(None).map_err(|problem| Failure::Wrong(problem, begin))?;
        let usual = seat.fen();
        seat.start(Some(&fen)).map_err(|problem| Failure::Wrong(problem, begin))?;
        record.start = Some(seat.fen()).filter(|fen| *fen != usual);
    }
    note(&mut record, layout.variant, tags, result);
    record.check().map_err(|problem| Failure::TooMuch(problem, begin))?;
    Ok(Game { checked, record: Some(record), is_nothing, fault })
}

/// Puts what the tags say into the record.
fn note(record: &mut Record, variant: &Variant, tags: &Tags, result: Option<&[u8]>) {
    let white = usize::from(variant.begins == Colour::Black);
    let mut reason = String::new();
    for tag in &tags.0 {
        let value = unescaped(tag.value);
        let Ok(name) = std::str::from_utf8(tag.name) else { continue };
        match name.to_ascii_lowercase().as_str() {
            _ if is_unknown(&value) => {}
            "white" => record.players[white] = one_line(&value),
            "black" => record.players[1 - white] = one_line(&value),
            "date" => record.date = read_date(&value),
            "result" => record.ending = ending(&value, variant),
            "timecontrol" => record.clock = one_line(&value),
            "termination" => reason = one_line(&value),
            "fen" | "setup" | "gametype" | "variant" => {}
            _ => record.tag(name, &value),
        }
    }
    if record.ending.is_none() {
        record.ending = result.and_then(|text| ending(&latin(text), variant));
    }
    match &mut record.ending {
        Some(ending) => ending.reason = reason,
        None => record.tag("Termination", &reason),
    }
}

/// What a result says: points of White and of Black. PDN 3.0 knows two kinds, and that others are met.
fn ending(text: &str, variant: &Variant) -> Option<Ending> {
    let (white, black) = text.trim().split_once('-')?;
    let score = match (points(white)?, points(black)?) {
        (0, 0) => Score::Void,
        (white, black) if white == black => Score::Draw,
        (white, black) => {
            let white_won = white > black;
            let first_won = white_won == (variant.begins == Colour::White);
            Score::Win(if first_won { Side::First } else { Side::Second })
        }
    };
    Some(Ending { score, reason: String::new() })
}

/// Hundredths of points: `2`, `1/2`, `1 1/2`, `½`, `1.02`. The plus and minus of "plus draw" weigh nothing.
fn points(text: &str) -> Option<u32> {
    let text = text.trim().trim_end_matches(['+', '-']).trim();
    if text.len() > 8 {
        return None;
    }
    let (whole, half) = match text.strip_suffix("1/2").or_else(|| text.strip_suffix('½')) {
        Some(whole) => (whole.trim(), 50),
        None => (text, 0),
    };
    if whole.is_empty() {
        return (half > 0).then_some(half);
    }
    let points: f32 =
        whole.parse().ok().filter(|_| whole.bytes().all(|b| b.is_ascii_digit() || b == b'.'))?;
    Some((points * 100.0).round() as u32 + half)
}

/// The moves as they are read.
struct Moves<'a, 'b> {
    layout: Layout,
    seat: &'a mut dyn Seat,
    plies: usize,
    depth: usize,
    /// What ended the game, as it is written.
    result: Option<&'b [u8]>,
    /// The value of the tag `Result`.
    told: &'b [u8],
    /// The FEN the moves begin at.
    start: Option<String>,
    building: Option<Building>,
    /// What comes before a fault is kept.
    keeps: bool,
    fault: Option<Fault>,
}

impl<'b> Moves<'_, 'b> {
    fn read(&mut self, tokens: &mut Tokens<'b>) -> Result<(), Failure> {
        loop {
            match self.read_on(tokens) {
                Err(Failure::Wrong(problem, at)) if self.keeps && self.plies > 0 => {
                    // A variation can be left out; behind a move of the game nothing fits any more.
                    let in_variation = self.depth > 0 && matches!(problem.key, "pdn-move" | "pdn-ambiguous");
                    let ends = !(in_variation && self.leave_variation(tokens)?);
                    if ends || self.fault.is_none() {
                        self.fault = Some(Fault { problem, at, ends });
                    }
                    if ends {
                        return Ok(());
                    }
                }
                done => return done,
            }
        }
    }

    /// Steps over what is left of the variation; whether it has an end.
    fn leave_variation(&mut self, tokens: &mut Tokens<'b>) -> Result<bool, Failure> {
        let mut inner = 0;
        loop {
            let from = tokens.at;
            match tokens.next() {
                Ok(Some(Token::Open)) => inner += 1,
                Ok(Some(Token::Close)) if inner > 0 => inner -= 1,
                Ok(Some(Token::Close)) => return self.close(tokens.at).map(|()| true),
                Ok(Some(Token::Tag(..))) => {
                    tokens.at = from;
                    return Ok(false);
                }
                Ok(None) | Err(Stop::Wrong(..)) => return Ok(false),
                Ok(Some(_)) => {}
                Err(Stop::More) => return Err(Failure::More),
            }
        }
    }

    fn read_on(&mut self, tokens: &mut Tokens<'b>) -> Result<(), Failure> {
        loop {
            let from = tokens.at;
            let token = match tokens.next() {
                // Without a star, the next game's tags end this one.
                Ok(Some(Token::Tag(..))) | Ok(None) => {
                    let at_tag = tokens
                        .bytes
                        .get(from..)
                        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"["));
                    tokens.at = if at_tag { from } else { tokens.at };
                    break;
                }
                token => token?.expect("the end was met above"),
            };
            match token {
                Token::Move(text) => {
                    if !self.ply(text, tokens.at)? {
                        break;
                    }
                }
                Token::Open => self.open(tokens.at)?,
                Token::Close => self.close(tokens.at)?,
                Token::End(text) if self.depth == 0 => {
                    self.result = Some(text);
                    break;
                }
                Token::Setup(text) => self.set_up(text, tokens.at)?,
                Token::Comment(text) => {
                    let turn = self.seat.turn();
                    self.building.iter_mut().for_each(|b| b.remark(&latin(text), turn, &self.layout));
                }
                Token::Nag(nag) => self.building.iter_mut().for_each(|b| b.judge(nag)),
                Token::End(_) | Token::Tag(..) => {}
            }
        }
        if self.depth == 0 { Ok(()) } else { Err(wrong("pdn-open-variation", tokens.at)) }
    }

    /// Plays a move; false when the text is no move but the result.
    #[inline]
    fn ply(&mut self, text: &'b [u8], behind: usize) -> Result<bool, Failure> {
        let played = if self.layout.is_plain(text) {
            self.seat.play(text)
        } else {
            self.seat.play(self.layout.turned(&latin(text)).as_bytes())
        };
        let at = behind - text.len();
        if let Err(problem) = played {
            // A match's result such as 4-6 stands where a move might.
            if text == self.told && self.depth == 0 {
                self.result = Some(text);
                return Ok(false);
            }
            return Err(Failure::Wrong(refused(problem, text), at));
        }
        self.plies += 1;
        if self.plies > MOST_PLIES {
            within("plies", self.plies, MOST_PLIES).map_err(|problem| Failure::Wrong(problem, at))?;
        }
        if let Some(building) = &mut self.building {
            building.ply(self.seat.last_text());
        }
        Ok(true)
    }

    fn open(&mut self, behind: usize) -> Result<(), Failure> {
        if !self.seat.open() {
            return Err(wrong("pdn-variation", behind - 1));
        }
        self.depth += 1;
        self.building.iter_mut().for_each(Building::open);
        Ok(())
    }

    fn close(&mut self, behind: usize) -> Result<(), Failure> {
        if self.depth == 0 || !self.seat.close() {
            return Err(wrong("pdn-close", behind - 1));
        }
        self.depth -= 1;
        self.building.iter_mut().for_each(Building::close);
        Ok(())
    }

    /// A position between slashes. Before the first move it is where the game starts; later it may only say what
    /// stands on the board anyway.
    fn set_up(&mut self, text: &[u8], behind: usize) -> Result<(), Failure> {
        let at = behind - text.len() - 2;
        let text = latin(text);
        let fen = text.trim().strip_prefix("FEN").unwrap_or(&text).trim().trim_matches('"');
        let fen = turned_fen(&self.layout, fen).map_err(|problem| Failure::Wrong(problem, at))?;
        let before = self.seat.fen();
        if self.plies > 0 {
            let known = same_place(&before, &fen);
            return if known { Ok(()) } else { Err(wrong("pdn-late-setup", at)) };
        }
        self.seat.start(Some(&fen)).map_err(|problem| Failure::Wrong(problem, at))?;
        self.start = Some(fen);
        Ok(())
    }
}

/// The FEN with its squares counted our way, unless it is longer than any: a few signs may name fifty squares.
fn turned_fen(layout: &Layout, fen: &str) -> Result<String, Problem> {
    within("start", fen.len(), MOST_FEN)?;
    Ok(layout.turned_fen(fen))
}

/// Whether two FENs tell of the same pieces and the same side to move. The first is one of ours.
fn same_place(ours: &str, other: &str) -> bool {
    let place = |fen: &str| {
        let mut fields: Vec<String> =
            fen.trim_end_matches('.').split(':').take(3).map(str::to_owned).collect();
        fields.iter_mut().for_each(|field| field.retain(|c| !c.is_whitespace()));
        fields.get_mut(1..).into_iter().for_each(<[String]>::sort);
        fields
    };
    place(ours) == place(other)
}

fn wrong(key: &'static str, at: usize) -> Failure {
    Failure::Wrong(Problem::new(key), at)
}

/// What the game said against a move, as a problem of the file.
fn refused(problem: Problem, text: &[u8]) -> Problem {
    let text = String::from_utf8_lossy(text);
    match problem.arg("candidates") {
        Some(candidates) => Problem::new("pdn-ambiguous").with("move", text).with("candidates", candidates),
        None => Problem::new("pdn-move").with("move", text).with("because", problem.key),
    }
}

/// The tree as it grows.
struct Building {
    tree: Tree,
    last: NodeId,
    open: Vec<(NodeId, Clocks)>,
    /// Remarks that open a variation wait for its first move.
    waiting: Vec<String>,
    fresh: bool,
    clocks: Clocks,
}

impl Building {
    fn new(clocks: Clocks) -> Self {
        let (tree, last) = (Tree::default(), Tree::START);
        Building { tree, last, open: Vec::new(), waiting: Vec::new(), fresh: false, clocks }
    }

    fn ply(&mut self, text: String) {
        self.last = self.tree.add(self.last, Ply { text, ..Ply::default() });
        self.fresh = false;
        let ply = &mut self.tree[self.last];
        self.waiting.drain(..).for_each(|remark| ply.remark(&remark));
    }

    fn open(&mut self) {
        self.open.push((self.last, self.clocks));
        self.last = self.tree.before(self.last).expect("the seat had a move to take back");
        self.fresh = true;
    }

    fn close(&mut self) {
        let (last, clocks) = self.open.pop().expect("the seat had a variation to close");
        (self.last, self.clocks) = (last, clocks);
        self.fresh = false;
        // A variation without moves had nothing but remarks; they belong to the move it was about.
        let ply = &mut self.tree[self.last];
        self.waiting.drain(..).for_each(|remark| ply.remark(&remark));
    }

    /// `turn` is the side to move after the ply that is spoken of.
    fn remark(&mut self, text: &str, turn: Side, layout: &Layout) {
        let (spent, text) = self.clocks.read(text.trim(), turn.other(), layout.variant.begins);
        let text = text.trim();
        if self.fresh {
            self.waiting.extend(Some(text.to_owned()).filter(|text| !text.is_empty()));
            return;
        }
        let ply = &mut self.tree[self.last];
        if self.last != Tree::START {
            ply.spent_ms = spent.or(ply.spent_ms);
        }
        if !text.is_empty() {
            ply.remark(text);
        }
    }

    fn judge(&mut self, nag: u8) {
        if !self.fresh && self.last != Tree::START {
            self.tree[self.last].judge(nag);
        }
    }
}

/// Text as it stands: UTF-8, or else Latin 1, which PDN 3.0 asks readers to take.
fn latin(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// The value of a tag without the backslashes before quotes and backslashes.
fn unescaped(bytes: &[u8]) -> Cow<'_, str> {
    let text = latin(bytes);
    if !text.contains('\\') {
        return text;
    }
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = (c == '\\').then(|| chars.next_if(|next| matches!(next, '"' | '\\'))).flatten();
        out.push(escaped.unwrap_or(c));
    }
    Cow::Owned(out)
}
