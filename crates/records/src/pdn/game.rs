//! One game of a file: its tags, then its moves, each played as it is read.

use std::borrow::Cow;

use kernel::{Problem, Side};

use draughts::Colour;

use super::clock::Clocks;
use super::layout::{Layout, Variant, by_likelihood, keyed};
use super::seat::Seat;
use super::tokens::{Stop, Token, Tokens};
use crate::pgn::is_unknown;
use crate::record::{MOST_FEN, MOST_PLIES, turn_number, within};
use crate::text::one_line;
use crate::{Ending, NodeId, Ply, Record, Score, Tree, said};

/// A game that was read, and every move of it played.
///
/// ```
/// use records::pdn::{Check, Checked};
///
/// let checked: Vec<Checked> = Check::new(&b"1. 32-28 19-23 *"[..]).collect::<Result<_, _>>()?;
/// assert_eq!((checked[0].game, checked[0].plies, checked[0].line), ("draughts/international", 2, 1));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The game's key in the catalogue.
    pub game: &'static str,
    /// The number of plies, variations included.
    pub plies: usize,
    /// The line of the file it begins in, from 1.
    pub line: usize,
    /// The fault of the game, where only the part before it is kept.
    pub fault: Option<Problem>,
    /// The warning about the game, where all of it is kept.
    pub doubt: Option<Problem>,
}

/// The fault of a game that was kept in part.
pub(super) struct Fault {
    pub(super) problem: Problem,
    /// The offset of the fault in the bytes of the tokens.
    pub(super) at: usize,
    /// True if the reading ended at the fault.
    pub(super) ends: bool,
}

/// A game that was read.
pub(super) struct Game {
    pub(super) checked: Checked,
    pub(super) record: Option<Record>,
    /// True if it is only a remark, as at the beginning of some files.
    pub(super) is_nothing: bool,
    pub(super) fault: Option<Fault>,
    /// True when its tags say which game it is.
    pub(super) says_which: bool,
    /// The winner by the last position, where the rules decide it, and the winner by the file, read by who begins.
    pub(super) decided: Option<(Score, Score)>,
}

/// The reasons for having no game.
pub(super) enum Failure {
    /// More bytes are needed.
    More,
    /// The fault, and the byte where it is.
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
    /// The variant that the user named, which takes precedence over tags.
    pub(super) named: Option<&'static Variant>,
    /// The variant of games that do not name one, as far as the file was examined.
    pub(super) usual: Option<Layout>,
    /// True when results of this file have White's points first in games that Black begins.
    pub(super) turned: bool,
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

    /// Takes the position that stands between the tags and the moves, where there is one and no tag has it.
    fn take_position(&mut self, tokens: &mut Tokens<'a>) -> Result<(), Stop> {
        if self.find("FEN").is_none()
            && let Some(value) = tokens.position_in_front()?
        {
            self.0.push(Tag { name: b"FEN", value, at: tokens.at - value.len() });
        }
        Ok(())
    }

    /// Returns the value of the tag, unless it is empty.
    fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        self.find(name).map(|tag| unescaped(tag.value)).filter(|value| !value.trim().is_empty())
    }

    /// Returns the layout that the tags name.
    fn layout(&self) -> Option<Layout> {
        let told = self.value("GameType").as_deref().and_then(Layout::read);
        told.or_else(|| self.value("Variant").and_then(|name| keyed(name.trim())).map(Layout::usual))
    }

    /// Returns the failure for a problem with the tag of that name: its place is that of the tag.
    fn problem(&self, name: &str, problem: Problem) -> Failure {
        Failure::Wrong(problem, self.find(name).map_or(0, |tag| tag.at))
    }
}

/// Reads the next game; `None` at the end of the file. `build`: the record is wanted, too. `keeps`: of a game with a
/// fault, the moves before it are kept. With a fault, too, what was read of the game lies before `tokens.at`.
pub(super) fn read<'b>(
    tokens: &mut Tokens<'b>,
    seats: &mut Seats,
    build: bool,
    keeps: bool,
) -> Result<Option<Game>, Failure> {
    let mut tags = Tags(Vec::new());
    let mut bad_tag = None;
    while tokens.at_tag()? {
        let at = tokens.at;
        let token = match tokens.next() {
            // A tag that is none costs itself, if what comes behind may be kept.
            Err(Stop::Wrong(key, at)) if keeps => {
                bad_tag.get_or_insert(Fault { problem: Problem::new(key), at, ends: false });
                tokens.skip_line()?;
                continue;
            }
            token => token?,
        };
        let Some(Token::Tag(name, value)) = token else { continue };
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
    tags.take_position(tokens)?;
    let begin = tokens.at;
    let mut worst: Option<Worst> = None;
    let (layouts, looked) = layouts(&tags, tokens, seats)?;
    for layout in layouts {
        tokens.at = begin;
        match read_as(layout, &tags, tokens, seats, build, false) {
            Ok(mut game) => {
                seats.last = Some(layout);
                game.fault = bad_tag;
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
            Ok(game) if game.checked.plies > 0 || !game.fault.as_ref().is_some_and(|f| f.ends) => {
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

/// The fault of the layout that got furthest, of those tried.
struct Worst {
    problem: Problem,
    at: usize,
    layout: Layout,
    /// The byte behind what was read.
    end: usize,
}

/// Returns the variants and countings that the game may have, the likeliest first, and the byte behind the text
/// examined.
fn layouts(tags: &Tags, tokens: &mut Tokens, seats: &Seats) -> Result<(Vec<Layout>, usize), Failure> {
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
    if let Some(variant) = seats.named {
        let told = game_type.as_deref().and_then(Layout::read).filter(|told| told.variant.key == variant.key);
        told.into_iter().chain(Layout::all(variant)).for_each(push);
    } else if let Some(name) = name.filter(|name| keyed(name.trim()).is_some() || game_type.is_none()) {
        let variant = keyed(name.trim()).ok_or_else(|| tags.problem("Variant", unknown(&name)))?;
        Layout::all(variant).for_each(push);
    } else if let Some(game_type) = game_type {
        let told = Layout::read(&game_type);
        let told = told.ok_or_else(|| tags.problem("GameType", unknown(&game_type)))?;
        // Programs disagree about the corners; a first move that is none tells.
        std::iter::once(told).chain(Layout::all(told.variant)).for_each(push);
    } else {
        let (letters, behind) = lettered(tokens);
        looked = behind;
        let known = seats.usual.into_iter().chain(seats.last);
        known.filter(|layout| letters.is_none_or(|l| layout.variant.letters == l)).for_each(&mut push);
        let letters = letters.unwrap_or(false);
        let all = by_likelihood().filter(|v| v.letters == letters);
        all.flat_map(|v| [Layout::usual(v), Layout::ours(v)]).for_each(push);
    }
    Ok((layouts, looked))
}

/// The number of games of a file that are looked at to tell which game they are, where no tag does.
const LOOKED_AT: usize = 60;

/// Guesses the variant of the games in these bytes that do not name it, and whether results have White's points
/// first: by the majority of the games, and by those whose last position is decided. Nothing that is read here is
/// kept.
pub(super) fn survey(
    bytes: &[u8],
    at: usize,
    is_whole: bool,
    named: Option<&'static Variant>,
) -> (Option<Layout>, bool) {
    // The order of its results is known.
    if named.is_some_and(|variant| variant.begins == Colour::White) {
        return (None, false);
    }
    let Some(first) = first_game(bytes, at) else { return (None, false) };
    if !first.says_which && named.is_none() {
        let large = largest_number(&bytes[at..bytes.len().min(at + (64 << 10))]);
        let letters = first.letters.unwrap_or(false);
        let mut all: Vec<Layout> = by_likelihood()
            .filter(|v| v.letters == letters)
            .flat_map(|v| [Layout::usual(v), Layout::ours(v)])
            .collect();
        // Squares beyond the last one of a small board show a larger one; where none is, the board is a small one.
        all.sort_by_key(|layout| layout.squares() < large || (large <= 32 && layout.variant.side > 8));
        let mut best = Counted { whole: 0, is_all: false, votes: (0, 0) };
        let mut usual = None;
        for layout in all {
            let counted = count(bytes, at, is_whole, Some(layout), named);
            if counted.whole > best.whole {
                (best, usual) = (counted, Some(layout));
            }
            // No other layout reads more games than all of them.
            if best.is_all {
                break;
            }
        }
        if usual.is_some() {
            return (usual, best.is_turned());
        }
    }
    (None, count(bytes, at, is_whole, None, named).is_turned())
}

/// The findings about the first games of a file, read as one layout.
struct Counted {
    /// The number of games without a layout of their own that could be read whole.
    whole: usize,
    /// True if each of them could.
    is_all: bool,
    /// The numbers of results that agree with a decided last position, and that have the other order, among the games that
    /// Black begins.
    votes: (usize, usize),
}

impl Counted {
    fn is_turned(&self) -> bool {
        self.votes.1 > 0 && self.votes.0 == 0
    }
}

/// The findings about the first games of a file before any is read.
struct First {
    says_which: bool,
    letters: Option<bool>,
}

fn first_game(bytes: &[u8], at: usize) -> Option<First> {
    let mut tokens = Tokens { bytes, at, whole: true, closing: Default::default() };
    let mut tags = Tags(Vec::new());
    while tokens.at_tag().ok()? {
        let at = tokens.at;
        match tokens.next() {
            Ok(Some(Token::Tag(name, value))) => tags.0.push(Tag { name, value, at }),
            _ => {
                tokens.at = at;
                tokens.skip_line().ok()?;
            }
        }
    }
    tags.take_position(&mut tokens).ok()?;
    let says_which = tags.value("GameType").is_some() || tags.value("Variant").is_some();
    Some(First { says_which, letters: lettered(&mut tokens).0 })
}

/// Reads up to [`LOOKED_AT`] games from `at` on as the layout `usual`, or as what each of them says it is.
fn count(
    bytes: &[u8],
    at: usize,
    is_whole: bool,
    usual: Option<Layout>,
    named: Option<&'static Variant>,
) -> Counted {
    let mut tokens = Tokens { bytes, at, whole: is_whole, closing: Default::default() };
    let mut seats = Seats { named, ..Seats::default() };
    let mut counted = Counted { whole: 0, is_all: true, votes: (0, 0) };
    for _ in 0..LOOKED_AT {
        seats.last = None;
        seats.usual = usual;
        let game = match usual {
            Some(layout) => read_only(&mut tokens, &mut seats, layout),
            None => match skip_if_white_begins(&mut tokens) {
                Ok(true) => continue,
                Ok(false) => read(&mut tokens, &mut seats, false, false),
                Err(failure) => Err(failure),
            },
        };
        match game {
            Ok(Some(game)) => {
                let is_game = !game.is_nothing;
                counted.whole += usize::from(!game.says_which && is_game);
                counted.is_all &= game.says_which || is_game;
                if let Some((by_rule, told)) = game.decided
                    && keyed(game.checked.game).is_some_and(|variant| variant.begins == Colour::Black)
                {
                    counted.votes.0 += usize::from(by_rule == told);
                    counted.votes.1 += usize::from(by_rule != told && matches!(told, Score::Win(_)));
                }
            }
            Ok(None) | Err(Failure::More | Failure::TooMuch(..)) => break,
            Err(Failure::Wrong(..)) => {
                counted.is_all = false;
                // Go on behind it, where a line with a tag follows one without.
                let rest = &bytes[tokens.at.min(bytes.len())..];
                let Some(next) = rest.windows(2).position(|pair| pair == b"\n[") else { break };
                tokens.at = tokens.at.min(bytes.len()) + next + 1;
            }
        }
    }
    counted
}

/// Reads the next game in that layout only, unless its tags name another.
fn read_only<'b>(
    tokens: &mut Tokens<'b>,
    seats: &mut Seats,
    layout: Layout,
) -> Result<Option<Game>, Failure> {
    let tags = next_tags(tokens)?;
    if tags.0.is_empty() && tokens.at == tokens.bytes.len() {
        return Ok(None);
    }
    read_as(tags.layout().unwrap_or(layout), &tags, tokens, seats, false, false).map(Some)
}

/// Reads the tags of the next game.
fn next_tags<'b>(tokens: &mut Tokens<'b>) -> Result<Tags<'b>, Failure> {
    let mut tags = Tags(Vec::new());
    while tokens.at_tag()? {
        let at = tokens.at;
        let Some(Token::Tag(name, value)) = tokens.next()? else { continue };
        if tags.0.first().is_some_and(|first| first.name == name) {
            tokens.at = at;
            break;
        }
        tags.0.push(Tag { name, value, at });
    }
    tags.take_position(tokens)?;
    Ok(tags)
}

/// Skips the next game if its tags name a variant that White begins: the order of its result is known. Returns false,
/// and moves nothing, where they do not.
fn skip_if_white_begins(tokens: &mut Tokens) -> Result<bool, Failure> {
    let begin = Tokens { ..*tokens };
    let begins = next_tags(tokens)?.layout().map(|layout| layout.variant.begins);
    if begins != Some(Colour::White) {
        *tokens = begin;
        return Ok(false);
    }
    while !tokens.at_tag()? && tokens.next()?.is_some() {}
    Ok(true)
}

/// The largest number up to a hundred of the moves and positions of a file, dates and the like left out.
fn largest_number(bytes: &[u8]) -> u8 {
    let mut largest = 0;
    for line in bytes.split(|&b| b == b'\n') {
        let is_tag = line.trim_ascii_start().starts_with(b"[");
        let is_fen = line.windows(4).any(|part| part.eq_ignore_ascii_case(b"FEN "));
        if is_tag && !is_fen {
            continue;
        }
        let mut at = 0;
        while at < line.len() {
            let digits = line[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            let behind = line.get(at + digits).copied().unwrap_or(b' ');
            let before = at.checked_sub(1).map_or(b' ', |i| line[i]);
            // Squares stand beside a separator; a number with a dot counts moves.
            let beside = |b: u8| matches!(b, b'-' | b'x' | b'X' | b':' | b',');
            let square =
                (1..=2).contains(&digits) && behind != b'.' && (is_fen || beside(before) || beside(behind));
            if square {
                let number = line[at..at + digits].iter().fold(0, |n, b| n * 10 + (b - b'0'));
                largest = largest.max(number);
            }
            at += digits.max(1);
        }
    }
    largest
}

/// Returns whether the first move is written with letters, and the byte behind the text examined: all of it belongs
/// to this game.
fn lettered(tokens: &mut Tokens) -> (Option<bool>, usize) {
    let mut ahead = Tokens { whole: true, ..*tokens };
    let (letters, looked) = loop {
        let from = ahead.at;
        match ahead.next() {
            Ok(Some(Token::Move(text))) => break (Some(text[0].is_ascii_alphabetic()), ahead.at),
            Ok(Some(Token::Number(_))) => break (None, ahead.at),
            Ok(Some(Token::Comment(_) | Token::Setup(_) | Token::Nag(_) | Token::Word(_))) => {}
            _ => break (None, from),
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
    let fen = fen.and_then(|fen| match fen {
        Some(fen) => start_at(seat, fen).map(Some),
        None => seat.start(None).map(|()| None),
    });
    let fen = fen.map_err(|problem| tags.problem("FEN", problem))?;
    let clocks = Clocks::new(tags.value("TimeControl").as_deref().unwrap_or_default());
    let mut moves = Moves {
        layout,
        seat,
        plies: 0,
        depth: 0,
        ahead: 0,
        counts: Vec::new(),
        odd: None,
        result: None,
        told: tags.find("Result").map_or(b"", |tag| tag.value),
        start: fen,
        building: build.then(|| Building::new(clocks)),
        keeps,
        fault: None,
    };
    moves.read(tokens)?;
    let by_rule = if moves.fault.is_none() { moves.seat.winner() } else { None };
    let checked = Checked { game: layout.variant.key, plies: moves.plies, line: 0, fault: None, doubt: None };
    let Moves { result, start, building, fault, odd, .. } = moves;
    let is_nothing = tags.0.is_empty() && checked.plies == 0 && result.is_none() && fault.is_none();
    let says_which = tags.value("GameType").is_some() || tags.value("Variant").is_some();
    let told = score_of(tags, result);
    let decided = by_rule.map(Score::Win).zip(told);
    let mut game = Game { checked, record: None, is_nothing, fault, says_which, decided };
    game.checked.doubt = odd;
    let Some(building) = building else { return Ok(game) };
    let mut record = Record { game: layout.variant.key.to_owned(), tree: building.tree, ..Record::default() };
    let seat = seats.seat(layout.variant);
    if let Some(fen) = start {
        seat.start(None).map_err(|problem| Failure::Wrong(problem, begin))?;
        let usual = seat.fen();
        seat.start(Some(&fen)).map_err(|problem| Failure::Wrong(problem, begin))?;
        record.start = Some(seat.fen()).filter(|fen| *fen != usual);
    }
    let turned = seats.turned && layout.variant.begins == Colour::Black;
    note(&mut record, layout.variant, tags, told, turned);
    let told = record.ending.as_ref().map(|ending| ending.score);
    if let Some((by_rule, told)) = by_rule.map(Score::Win).zip(told).filter(|(by_rule, told)| by_rule != told)
    {
        let doubt = Problem::new("record-result-doubted").with("told", told.key());
        game.checked.doubt = Some(doubt.with("decided", by_rule.key()));
    }
    record.check().map_err(|problem| Failure::TooMuch(problem, begin))?;
    game.record = Some(record);
    Ok(game)
}

/// Goes to a position; a man on its last row becomes a king, since no man can be there. Returns the FEN with those
/// kings.
fn start_at(seat: &mut dyn Seat, mut fen: String) -> Result<String, Problem> {
    for _ in 0..MOST_CROWNED {
        let problem = match seat.start(Some(&fen)) {
            Ok(()) => return Ok(fen),
            Err(problem) => problem,
        };
        let (Some(square), Some(side)) = (problem.arg("square"), problem.arg("side")) else {
            return Err(problem);
        };
        if problem.key != "draughts-man-on-last-row" {
            return Err(problem);
        }
        let colour = side.get(..1).unwrap_or_default();
        let crowned = |item: &str| if item == square { format!("K{item}") } else { item.to_owned() };
        let field = |field: &str| {
            let of_side = field.get(..1).is_some_and(|c| c.eq_ignore_ascii_case(colour));
            let list: Vec<String> = field.get(1..).unwrap_or_default().split(',').map(crowned).collect();
            if of_side { format!("{}{}", &field[..1], list.join(",")) } else { field.to_owned() }
        };
        let (turn, rest) = fen.split_once(':').unwrap_or((&fen, ""));
        let fields: Vec<String> = rest.trim_end_matches('.').split(':').map(field).collect();
        let changed = format!("{turn}:{}", fields.join(":"));
        if changed == fen {
            return Err(problem);
        }
        fen = changed;
    }
    seat.start(Some(&fen)).map(|()| fen)
}

/// The result as the file has it, its first number that of the side that begins.
fn score_of(tags: &Tags, result: Option<&[u8]>) -> Option<Score> {
    let tag = tags.value("Result").filter(|value| !is_unknown(value));
    tag.and_then(|value| said::score(&value)).or_else(|| result.and_then(|text| said::score(&latin(text))))
}

/// Puts what the tags say into the record.
///
/// The first number of a result is that of the side that begins, as PDN 3.0 has it, unless the file's own games say
/// that it is White's.
fn note(record: &mut Record, variant: &Variant, tags: &Tags, told: Option<Score>, turned: bool) {
    let white = usize::from(variant.begins == Colour::Black);
    let mut reason = String::new();
    for tag in &tags.0 {
        let value = unescaped(tag.value);
        let Ok(name) = std::str::from_utf8(tag.name) else { continue };
        match name.to_ascii_lowercase().as_str() {
            _ if is_unknown(&value) => {}
            "white" => record.players[white] = one_line(&value),
            "black" => record.players[1 - white] = one_line(&value),
            "date" => record.date = said::date(&value),
            "result" => {}
            "timecontrol" => record.clock = one_line(&value),
            "termination" => reason = one_line(&value),
            "fen" | "setup" | "gametype" | "variant" => {}
            _ => record.tag(name, &value),
        }
    }
    let score = told.map(|score| if turned { score.turned() } else { score });
    record.ending = score.map(|score| Ending { score, reason: String::new() });
    match &mut record.ending {
        Some(ending) => ending.reason = reason,
        None => record.tag("Termination", &reason),
    }
}

/// The largest number of men of a position that are made kings: more than stand on the last rows of any board.
const MOST_CROWNED: usize = 24;
/// The largest number of tokens that are looked at to see behind which of several captures the game goes on.
const MOST_AHEAD: usize = 2_000;
/// The most captures with several readings behind each other that are examined for that.
const MOST_NESTED: usize = 3;

/// The moves as they are read.
struct Moves<'a, 'b> {
    layout: Layout,
    seat: &'a mut dyn Seat,
    plies: usize,
    depth: usize,
    /// Plies from the start to here, and where variations were opened.
    ahead: usize,
    counts: Vec<usize>,
    /// A move that is told without a sign between its squares.
    odd: Option<Problem>,
    /// The result that ended the game, as written.
    result: Option<&'b [u8]>,
    /// The value of the tag `Result`.
    told: &'b [u8],
    /// The FEN the moves begin at.
    start: Option<String>,
    building: Option<Building>,
    /// Set if the part before a fault is kept.
    keeps: bool,
    fault: Option<Fault>,
}

impl<'b> Moves<'_, 'b> {
    fn read(&mut self, tokens: &mut Tokens<'b>) -> Result<(), Failure> {
        loop {
            match self.read_on(tokens) {
                // Brackets that close or replace nothing cost themselves.
                Err(Failure::Wrong(problem, at))
                    if self.keeps && matches!(problem.key, "pdn-close" | "pdn-variation") =>
                {
                    let ends = problem.key == "pdn-variation" && !tokens.skip_brackets()?;
                    if ends || self.fault.is_none() {
                        self.fault = Some(Fault { problem, at, ends });
                    }
                    if ends {
                        return Ok(());
                    }
                }
                Err(Failure::Wrong(problem, at)) if self.keeps && self.plies > 0 => {
                    // A variation can be left out; behind a move of the game nothing fits any more.
                    let in_variation =
                        self.depth > 0 && matches!(problem.key, "pdn-move" | "pdn-ambiguous" | "pdn-null");
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

    /// Skips the rest of the variation; returns true if it has an end.
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
                    if !self.ply(text, tokens)? {
                        break;
                    }
                }
                Token::Number(text) => {
                    if !self.number(text, tokens)? {
                        break;
                    }
                }
                Token::Null(text) => self.null(text, tokens)?,
                Token::Word(text) if names_squares(text) && !self.in_other_letters(text, tokens)? => {
                    let problem = Problem::new("pdn-move").with("move", latin(text));
                    let problem = self.placed(problem);
                    return Err(Failure::Wrong(problem, tokens.at - text.len()));
                }
                Token::Word(text) if names_squares(text) || self.in_other_letters(text, tokens)? => {}
                Token::Word(text) => self.keep(text),
                Token::Open => self.bracket(tokens)?,
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

    /// Handles what an opening bracket begins: the number of a move, a thinking time, another remark, or a variation.
    fn bracket(&mut self, tokens: &mut Tokens<'b>) -> Result<(), Failure> {
        let begin = tokens.at;
        if let Some(number) = tokens.number_in_brackets()? {
            if !self.is_number_of_move(number) {
                self.keep(number);
            }
            return Ok(());
        }
        if let Some(time) = tokens.time_in_brackets()? {
            if !self.replaces_last(time) {
                self.keep(time);
                return Ok(());
            }
            tokens.at = begin;
        }
        match tokens.remark_in_brackets()? {
            Some(text) => self.keep(text),
            None => self.open(tokens.at)?,
        }
        Ok(())
    }

    /// Tells whether a text is a move that might have been played instead of the last one.
    fn replaces_last(&mut self, text: &[u8]) -> bool {
        if !self.seat.open() {
            return false;
        }
        let is_move = self.seat.play(&self.layout.turned_bytes(text)).is_ok();
        self.seat.close();
        is_move
    }

    /// Plays a move in which Cyrillic letters stand for the Latin ones that look alike; false where it is none.
    fn in_other_letters(&mut self, text: &'b [u8], tokens: &Tokens<'b>) -> Result<bool, Failure> {
        let Some(plain) = with_latin_letters(text) else { return Ok(false) };
        let is_move = self.seat.play(&self.layout.turned_bytes(&plain)).is_ok();
        if is_move {
            self.played(text, tokens)?;
        }
        Ok(is_move)
    }

    /// Plays a move; false when the text is no move but the result.
    #[inline]
    fn ply(&mut self, text: &'b [u8], tokens: &Tokens<'b>) -> Result<bool, Failure> {
        if self.layout.is_plain(text) {
            if self.seat.play(text).is_ok() {
                return self.played(text, tokens).map(|()| true);
            }
            return self.unplayed(text, text, tokens);
        }
        let turned = self.layout.turned(&latin(text));
        if self.seat.play(turned.as_bytes()).is_ok() {
            return self.played(text, tokens).map(|()| true);
        }
        self.unplayed(text, turned.as_bytes(), tokens)
    }

    /// Notes the move that was just played.
    #[inline]
    fn played(&mut self, text: &[u8], tokens: &Tokens) -> Result<(), Failure> {
        if text.len() <= 5 && self.odd.is_none() && is_without_sign(text) {
            let odd = Problem::new("pdn-odd-move").with("move", String::from_utf8_lossy(text));
            self.odd = Some(self.placed(odd));
        }
        self.plies += 1;
        self.ahead += 1;
        if self.plies > MOST_PLIES {
            let at = tokens.at - text.len();
            within("plies", self.plies, MOST_PLIES).map_err(|problem| Failure::Wrong(problem, at))?;
        }
        if let Some(building) = &mut self.building {
            building.ply(self.seat.last_text());
        }
        Ok(())
    }

    /// Handles a text that names no move, or several; `ours` is the same with our squares.
    #[cold]
    fn unplayed(&mut self, text: &'b [u8], ours: &[u8], tokens: &Tokens<'b>) -> Result<bool, Failure> {
        let problem = self.seat.refusal(ours);
        let at = tokens.at - text.len();
        // A match's result such as 4-6 stands where a move might.
        if text == self.told && self.depth == 0 {
            self.result = Some(text);
            return Ok(false);
        }
        if problem.arg("candidates").is_some()
            && let Some(one) = self.that_goes_on(ours, tokens)?
        {
            self.seat.play(one.as_bytes()).expect("it is one of the legal moves");
            return self.played(text, tokens).map(|()| true);
        }
        if self.in_other_letters(text, tokens)? {
            return Ok(true);
        }
        // Words may stand right behind a move.
        let words = text.iter().position(|b| b.is_ascii_alphabetic() && !matches!(b, b'x' | b'X'));
        if let Some((told, words)) = words.filter(|&at| at > 2).map(|at| text.split_at(at))
            && self.seat.play(&self.layout.turned_bytes(told)).is_ok()
        {
            self.played(told, tokens)?;
            self.keep(words);
            return Ok(true);
        }
        let like_a_square = text.len() >= 2 && text[1].is_ascii_digit();
        if problem.key == "draughts-not-a-move" && text[0].is_ascii_alphabetic() && !like_a_square {
            self.keep(text);
            return Ok(true);
        }
        Err(Failure::Wrong(self.placed(refused(problem, text)), at))
    }

    /// Returns the only one of several captures with the same text after which the rest of the game is possible.
    fn that_goes_on(&mut self, text: &[u8], tokens: &Tokens<'b>) -> Result<Option<String>, Failure> {
        let mut budget = MOST_AHEAD;
        let mut best: Option<(usize, String)> = None;
        let mut alone = false;
        for one in self.seat.candidates(text) {
            self.seat.save();
            let far = self.seat.play(one.as_bytes()).map(|()| self.reach(*tokens, &mut budget, 0));
            self.seat.restore();
            let far = far.unwrap_or(Ok(0))?;
            match &best {
                Some((most, _)) if far < *most => {}
                Some((most, _)) if far == *most => alone = false,
                _ => (best, alone) = (Some((far, one)), true),
            }
        }
        Ok(best.filter(|_| alone).map(|(_, one)| one))
    }

    /// Returns the number of moves of this line that can be played from here on.
    fn reach(&mut self, mut tokens: Tokens<'b>, budget: &mut usize, nested: usize) -> Result<usize, Failure> {
        let (mut played, mut depth) = (0, 0_usize);
        while *budget > 0 {
            *budget -= 1;
            let token = match tokens.next() {
                Ok(token) => token,
                Err(Stop::More) => return Err(Failure::More),
                Err(Stop::Wrong(..)) => return Ok(played),
            };
            match token {
                Some(Token::Open) => match tokens.remark_in_brackets() {
                    Ok(Some(_)) => {}
                    Ok(None) => depth += 1,
                    Err(_) => return Err(Failure::More),
                },
                Some(Token::Close) if depth == 0 => return Ok(played),
                Some(Token::Close) => depth -= 1,
                Some(Token::Move(text)) if depth == 0 => {
                    let ours = self.layout.turned_bytes(text);
                    if self.seat.play(&ours).is_ok() {
                        played += 1;
                        continue;
                    }
                    if self.seat.refusal(&ours).arg("candidates").is_none() || nested >= MOST_NESTED {
                        return Ok(played);
                    }
                    let mut most = 0;
                    for one in self.seat.candidates(&ours) {
                        self.seat.save();
                        let far = self.seat.play(one.as_bytes());
                        let far = far.map(|()| self.reach(tokens, budget, nested + 1));
                        self.seat.restore();
                        most = most.max(far.unwrap_or(Ok(0))? + 1);
                    }
                    return Ok(played + most);
                }
                None | Some(Token::End(_) | Token::Tag(..)) if depth == 0 => return Ok(played + 1),
                None => return Ok(played),
                Some(_) => {}
            }
        }
        Ok(played)
    }

    /// A number without a dot: two of them are a move, as `32 28`; one is that of the next move.
    fn number(&mut self, text: &'b [u8], tokens: &mut Tokens<'b>) -> Result<bool, Failure> {
        let from = tokens.at - text.len();
        let mut ahead = *tokens;
        let next = ahead.next();
        tokens.closing = ahead.closing;
        match next {
            Err(Stop::More) => Err(Failure::More),
            Ok(Some(Token::Number(_))) => {
                let both = &tokens.bytes[from..ahead.at];
                let ours = self.layout.turned_bytes(both);
                if self.seat.play(&ours).is_ok() {
                    tokens.at = ahead.at;
                    return self.played(both, tokens).map(|()| true);
                }
                // `2 38 32`: the first is the number of the move.
                if text.len() <= 3 && self.is_number_of_move(text) {
                    return Ok(true);
                }
                tokens.at = ahead.at;
                let problem = self.seat.refusal(&ours);
                Err(Failure::Wrong(self.placed(refused(problem, both)), from))
            }
            Ok(Some(Token::Move(_) | Token::Null(_) | Token::Word(_))) => Ok(true),
            // `2) 28x19`.
            Ok(Some(Token::Close)) if self.depth == 0 && self.is_number_of_move(text) => {
                tokens.at = ahead.at;
                Ok(true)
            }
            _ if self.is_number_of_move(text) => Ok(true),
            _ => {
                self.keep(text);
                Ok(true)
            }
        }
    }

    /// Tells whether a move of that number may come next.
    fn is_number_of_move(&self, text: &[u8]) -> bool {
        let number = text.iter().fold(0_usize, |n, b| n * 10 + usize::from(b - b'0'));
        let next = self.ahead / 2 + 1;
        number == next || number == self.ahead.div_ceil(2) + 1
    }

    /// Handles a null move or an unknown one: no move can be played behind it. Before the end of the game it is kept
    /// as a remark.
    fn null(&mut self, text: &'b [u8], tokens: &mut Tokens<'b>) -> Result<(), Failure> {
        let at = tokens.at - text.len();
        let mut ahead = *tokens;
        let next = loop {
            match ahead.next() {
                Err(Stop::More) => return Err(Failure::More),
                Ok(Some(Token::Comment(_) | Token::Nag(_) | Token::Word(_))) => {}
                next => break next,
            }
        };
        tokens.closing = ahead.closing;
        match next {
            Ok(Some(Token::Move(_) | Token::Number(_) | Token::Null(_) | Token::Setup(_))) => {
                let text = String::from_utf8_lossy(text);
                Err(Failure::Wrong(self.placed(Problem::new("pdn-null").with("move", text)), at))
            }
            _ => {
                self.keep(text);
                Ok(())
            }
        }
    }

    /// Keeps a text that is no move as a remark on the move before it.
    fn keep(&mut self, text: &[u8]) {
        let turn = self.seat.turn();
        self.building.iter_mut().for_each(|b| b.remark(&latin(text), turn, &self.layout));
    }

    /// The problem with the line of the game and the number of the turn it is in.
    fn placed(&self, problem: Problem) -> Problem {
        let line = if self.depth > 0 { "side" } else { "main" };
        problem.with("where", line).with("turn", turn_number(self.ahead, self.seat.turn()))
    }

    fn open(&mut self, behind: usize) -> Result<(), Failure> {
        if !self.seat.open() {
            return Err(wrong("pdn-variation", behind - 1));
        }
        self.depth += 1;
        self.counts.push(self.ahead);
        self.ahead -= 1;
        self.building.iter_mut().for_each(Building::open);
        Ok(())
    }

    fn close(&mut self, behind: usize) -> Result<(), Failure> {
        if self.depth == 0 || !self.seat.close() {
            return Err(wrong("pdn-close", behind - 1));
        }
        self.depth -= 1;
        self.ahead = self.counts.pop().unwrap_or_default();
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

/// Returns true if two FENs have the same pieces and the same side to move. The first is one of ours.
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

/// Converts the game's refusal of a move into a problem of the file.
fn refused(problem: Problem, text: &[u8]) -> Problem {
    let text = String::from_utf8_lossy(text);
    match problem.arg("candidates") {
        Some(candidates) => Problem::new("pdn-ambiguous").with("move", text).with("candidates", candidates),
        None => Problem::new("pdn-move").with("move", text).with("because", problem.key),
    }
}

/// The text of a move with Latin letters for the Cyrillic ones that look alike; `None` where there are none.
fn with_latin_letters(text: &[u8]) -> Option<Vec<u8>> {
    if text.len() > MOST_LETTERS || text.is_ascii() {
        return None;
    }
    let plain: String = std::str::from_utf8(text).ok()?.chars().map(latin_letter).collect();
    plain.is_ascii().then(|| plain.into_bytes())
}

const fn latin_letter(c: char) -> char {
    match c {
        'а' | 'А' => 'a',
        'В' => 'b',
        'с' | 'С' => 'c',
        'е' | 'Е' => 'e',
        'Н' => 'h',
        'х' | 'Х' => 'x',
        c => c,
    }
}

/// The longest move that is looked at for letters of another alphabet, in bytes.
const MOST_LETTERS: usize = 40;

/// Tells whether a word that is no move names two squares in letters that the board does not have, as `д2-е3`: it is one
/// that cannot be read rather than a remark.
fn names_squares(word: &[u8]) -> bool {
    let square = |text: &[u8]| match text {
        [letters @ .., digit] => {
            let odd = |b: &u8| b.is_ascii_alphabetic() || !b.is_ascii();
            digit.is_ascii_digit() && matches!(letters.len(), 1..=2) && letters.iter().all(odd)
        }
        [] => false,
    };
    let sign = word.iter().position(|b| matches!(b, b'-' | b':' | b'x'));
    sign.is_some_and(|at| square(&word[..at]) && square(&word[at + 1..]))
}

/// Tells whether a dot or nothing but space stands between the squares of a move, which might count moves instead.
fn is_without_sign(text: &[u8]) -> bool {
    // Nearly every move has its sign behind the first square.
    if let [_, b'-' | b'x' | b':', ..] | [_, _, b'-' | b'x' | b':', ..] = text {
        return false;
    }
    text.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b' ' | b'\t' | b'\n' | b'\r'))
        && text.iter().any(|b| !b.is_ascii_digit())
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
