//! Records of tables as files, and files as tables. What a format looks like is the business of `records`.

use catalog::maps::{OLD_NAMES, Package};
use kernel::{AnyGame, Problem, Side};
use people::name::clean;
use records::record::{MOST_TEXT, at_turn};
use records::{Ending, Files, Format, Games, MapOf, Record, Score};
use wire::{ClockSpec, Heading, How, MapName, Opponent, Player};

use table::verify::{COMMITMENT_TAG, DRAWS_TAG, TABLE_TAG};
use table::{Event, MOST_EVENTS, Setup, State};
use works::maps::{Brought, Loaded};

/// The most bytes of a record's tags at a table, which are sent to everybody who opens it.
const MOST_TAG_BYTES: usize = 4 << 10;

/// Returns the format of that name.
///
/// # Errors
/// `unknown-format`.
pub fn format(name: &str) -> Result<Format, Problem> {
    Format::keyed(name).ok_or_else(|| Problem::new("unknown-format").with("format", name))
}

/// Returns the name of a format, as [`format()`] takes it.
#[must_use]
pub fn name(format: Format) -> String {
    if format == Format::Text { "text" } else { format.key() }.to_owned()
}

/// Returns a table's game as a record.
#[must_use]
pub fn record(table: &State) -> Record {
    let mut record = Record::of(&table.setup.game, table.game.as_ref());
    let map = table.setup.map.clone();
    record.map = map.map(|MapName { id, name }| MapOf { id, name, files: None });
    record.options = table.options();
    record.ending = table.end.as_ref().map(Ending::from);
    // A table that was opened from a record shows that game, to every visitor.
    if let Some(Heading { players, date, clock, tags }) = table.setup.heading.clone() {
        (record.players, record.date, record.clock, record.tags) = (players, date, clock, tags);
    } else {
        record.players =
            table.seats.each_ref().map(|seat| seat.as_ref().map(written_name).unwrap_or_default());
        record.clock = clock(table.setup.clock);
        record.date = date(table.setup.created_ms);
    }
    if let Some(opening) = catalog::draws::told(&table.setup.game, &table.setup.options) {
        record.tag("Opening", &opening);
    }
    tell_draws(table, &mut record);
    let line: Vec<_> = record.tree.main_line().collect();
    for (id, ply) in line.into_iter().zip(&table.record) {
        record.tree[id].spent_ms = ply.2;
    }
    record
}

/// Adds what is needed to check how chance decided at a table whose game is over: the table, what the hall was bound to, and
/// the numbers of the draws, where some were taken back.
fn tell_draws(table: &State, record: &mut Record) {
    let Some(chance) = table.chance().filter(|chance| chance.secret.is_some()) else { return };
    record.tag(TABLE_TAG, &table.id);
    record.tag(COMMITMENT_TAG, &chance.hash);
    let numbers: Vec<u32> = table.draws.iter().map(|&(_, number)| number).collect();
    if numbers.iter().zip(0..).any(|(&number, nth)| number != nth) {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        record.tag(DRAWS_TAG, &numbers.join(" "));
    }
}

/// Returns the name of a player in records and in the library: a program of ours has one of its level. Empty for
/// guests without a name.
#[must_use]
pub fn written_name(player: &Player) -> String {
    match &player.engine {
        Some(Opponent::Level(level)) => format!("Qiguan level {level}"),
        Some(Opponent::Engine(name)) => name.clone(),
        None => player.name.clone().unwrap_or_default(),
    }
}

/// Returns the media type, the file ending and the content.
///
/// # Errors
/// An error when this format cannot hold this game.
pub fn write(format: Format, record: &Record) -> Result<(&'static str, &'static str, Vec<u8>), Problem> {
    Ok((format.media_type(), format.key(), records::write(format, record)?))
}

/// Reads the first record of a file, up to `most` plies and up to the most that a table takes. The problems tell
/// where it was cut, what is unusual in it, and that the file holds further games.
///
/// # Errors
/// The fault in the file, and where.
pub fn read(name: Option<&str>, content: &[u8], most: u64) -> Result<(Record, Vec<Problem>), Problem> {
    let format = match name {
        Some(name) => format(name)?,
        None => records::detect(content).ok_or_else(|| Problem::new("unknown-format").with("format", "?"))?,
    };
    let mut games = Games::new(format, content).keeping();
    let mut record = games.next().unwrap_or_else(|| records::read(format, content))?;
    let fault = games.fault();
    if fault.as_ref().is_some_and(|fault| fault.arg("where") != Some("side")) {
        // The result belongs to the last move of a game.
        record.ending = None;
    }
    let mut told: Vec<Problem> = fault.into_iter().chain(games.doubt()).chain(games.notes()).collect();
    if format.holds_many() && games.next().is_some() {
        told.push(Problem::new("table-first-game"));
    }
    let plies = record.tree.main_line().count();
    let most = most.min(MOST_EVENTS);
    if plies as u64 > most {
        let problem = Problem::new("record-limit").with("what", "plies");
        return Err(problem.with("found", plies).with("most", most));
    }
    Ok((record, told))
}

/// Returns the map that a record carries, if any.
pub fn brought(record: &mut Record) -> Option<Brought> {
    let map = record.map.as_mut()?;
    let Files { map: bytes, extensions } = map.files.take()?;
    let name = if map.name.trim().is_empty() { "?".to_owned() } else { map.name.clone() };
    let old_names = record.options.get(OLD_NAMES).is_some_and(|&on| on == 1);
    Some(Brought { name, package: Package { map: bytes, extensions }, old_names, trial: false })
}

/// The table that a record becomes.
pub struct FromRecord {
    /// The setup of the table.
    pub setup: Setup,
    /// The moves played at it, with the side that made each.
    pub moves: Vec<(Side, String)>,
    /// The event that ends the game, if the record gives a result that does not follow from the moves.
    pub end: Option<Event>,
    /// The problems with the parts that the table does not hold.
    pub told: Vec<Problem>,
}

/// Converts a record to a table. The table holds the main line as far as the rules allow it; the rest is reported.
///
/// # Errors
/// The problem of what does not fit the game; `table-cut` where nothing is left of its moves.
pub fn table(mut record: Record, map: Option<&Loaded>, now_ms: u64) -> Result<FromRecord, Problem> {
    let entry = catalog::find(&record.game)?;
    let mut options = entry.settle(&record.options, catalog::Setting::Faithful)?;
    if let Some(map) = map {
        map.settle(&mut options);
    }
    let rules = map.map(|map| &map.rules);
    let mut game = entry.open(rules, &options, record.start.as_deref())?;
    let mut told = played(&record, game.as_mut())?;
    if let Some(cut) = told.first() {
        record.mark_cut(cut);
        record.ending = None;
    }
    let beside = record.tree.plies() - record.tree.main_line().count();
    if beside > 0 {
        told.push(Problem::new("table-one-line").with("moves", beside));
    }
    let usual = entry.open(rules, &options, None)?.fen();
    let heading = heading(&record);
    let setup = Setup {
        game: record.game,
        options,
        map: map.map(Loaded::name),
        fen: record.start.filter(|start| *start != usual),
        how: How::Screen,
        room: None,
        clock: ClockSpec::None,
        rated: false,
        created_ms: now_ms,
        heading,
    };
    let end = record.ending.filter(|_| game.outcome().is_none()).map(ended);
    Ok(FromRecord { setup, moves: game.movers().into_iter().zip(game.record()).collect(), end, told })
}

/// Plays the main line of a record on `game`, which is at its start, until a move is not possible; returns that move
/// and the game's own problem with it.
///
/// # Errors
/// `table-cut` for the first move.
fn played(record: &Record, game: &mut dyn AnyGame) -> Result<Vec<Problem>, Problem> {
    for id in record.tree.main_line() {
        let text = &record.tree[id].text;
        let Err(refused) = game.play(text) else { continue };
        let cut = at_turn(Problem::new("table-cut").with("where", "main"), game).with("move", text);
        if game.plies() == 0 {
            return Err(cut.with("kept", 0));
        }
        return Ok(vec![cut.with("kept", game.plies()), refused.problem()]);
    }
    Ok(Vec::new())
}

/// Returns the heading of a record for display: its tags beside the moves; `None` where it has none.
fn heading(record: &Record) -> Option<Heading> {
    let shown = |text: &String| clean(text, MOST_TEXT).unwrap_or_default();
    let mut room = MOST_TAG_BYTES;
    let fits = |(name, value): (&String, &String)| {
        let value = shown(value);
        room = room.checked_sub(name.len() + value.len())?;
        Some((!value.is_empty() && value != "?").then(|| (name.clone(), value)))
    };
    let heading = Heading {
        players: record.players.each_ref().map(shown),
        date: shown(&record.date),
        clock: shown(&record.clock),
        tags: record.tags.iter().map_while(fits).flatten().collect(),
    };
    (heading != Heading::default()).then_some(heading)
}

/// Returns the event that ends a game by the result of a record, whatever its last position.
fn ended(ending: Ending) -> Event {
    // Other reasons come from strangers' files, and there is no text for them.
    match ending.score {
        Score::Win(winner) if ending.reason == "resign" => Event::Resign { by: winner.other() },
        Score::Win(winner) => {
            let reason = if ending.reason == "flag" { "flag" } else { "recorded" };
            Event::Forfeit { by: winner.other(), reason: reason.to_owned() }
        }
        Score::Draw => Event::Draw,
        Score::Void => Event::Abort { by: Side::First },
    }
}

/// Describes a clock in few words, in seconds: `300+5`, `600 3x30`, `60/turn`; in days `3d/turn`, `3d/turn Mon-Fri`.
fn clock(spec: ClockSpec) -> String {
    let seconds = |ms: u64| ms as f64 / 1000.0;
    match spec {
        ClockSpec::None => String::new(),
        ClockSpec::Fischer { base_ms, increment_ms } => {
            format!("{}+{}", seconds(base_ms), seconds(increment_ms))
        }
        ClockSpec::ByoYomi { base_ms, period_ms, periods } => {
            format!("{} {periods}x{}", seconds(base_ms), seconds(period_ms))
        }
        ClockSpec::PerMove { turn_ms, .. } => match spec.days_a_move() {
            Some(days) if spec.has_weekend_pause() => format!("{days}d/turn Mon-Fri"),
            Some(days) => format!("{days}d/turn"),
            None => format!("{}/turn", seconds(turn_ms)),
        },
    }
}

fn date(at_ms: u64) -> String {
    let at = jiff::Timestamp::from_millisecond(at_ms.cast_signed()).unwrap_or_default();
    at.strftime("%Y-%m-%d").to_string()
}
