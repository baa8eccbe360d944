//! Records of tables as files, and files as tables. What a format looks like is the business of `records`.

use catalog::maps::{OLD_NAMES, Package};
use kernel::{Problem, Side};
use records::{Ending, Files, Format, MapOf, Record, Score};
use wire::{ClockSpec, How, MapName};

use crate::maps::{Brought, Loaded};
use table::{Event, MOST_EVENTS, Setup, State};

/// The format of that name.
///
/// # Errors
/// `unknown-format`.
pub fn format(name: &str) -> Result<Format, Problem> {
    Format::keyed(name).ok_or_else(|| Problem::new("unknown-format").with("format", name))
}

/// The name of a format, as [`format()`] takes it.
#[must_use]
pub fn name(format: Format) -> String {
    if format == Format::Text { "text" } else { format.key() }.to_owned()
}

/// A table's game as a record.
#[must_use]
pub fn record(table: &State) -> Record {
    let mut record = Record::of(&table.setup.game, table.game.as_ref());
    let map = table.setup.map.clone();
    record.map = map.map(|MapName { id, name }| MapOf { id, name, files: None });
    record.options = table.options();
    record.players = table.seats.clone().map(|seat| seat.and_then(|p| p.name).unwrap_or_default());
    record.ending = table.end.as_ref().map(Ending::from);
    record.clock = clock(table.setup.clock);
    record.date = date(table.setup.created_ms);
    let line: Vec<_> = record.tree.main_line().collect();
    for (id, ply) in line.into_iter().zip(&table.record) {
        record.tree[id].spent_ms = ply.2;
    }
    record
}

/// Media type, file ending and content.
///
/// # Errors
/// When this format cannot hold this game.
pub fn write(format: Format, record: &Record) -> Result<(&'static str, &'static str, Vec<u8>), Problem> {
    Ok((format.media_type(), format.key(), records::write(format, record)?))
}

/// The record in a file, of at most `most` plies, and of at most as many as a table takes.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read(name: Option<&str>, content: &[u8], most: u64) -> Result<Record, Problem> {
    let format = match name {
        Some(name) => format(name)?,
        None => records::detect(content).ok_or_else(|| Problem::new("unknown-format").with("format", "?"))?,
    };
    let record = records::read(format, content)?;
    let plies = record.tree.main_line().count();
    let most = most.min(MOST_EVENTS);
    if plies as u64 > most {
        let problem = Problem::new("record-limit").with("what", "plies");
        return Err(problem.with("found", plies).with("most", most));
    }
    Ok(record)
}

/// The map that a record brings along, if it does.
pub fn brought(record: &mut Record) -> Option<Brought> {
    let map = record.map.as_mut()?;
    let Files { map: bytes, extensions } = map.files.take()?;
    let name = if map.name.trim().is_empty() { "?".to_owned() } else { map.name.clone() };
    let old_names = record.options.get(OLD_NAMES).is_some_and(|&on| on == 1);
    Some(Brought { name, package: Package { map: bytes, extensions }, old_names, trial: false })
}

/// The table that a record becomes.
pub struct FromRecord {
    /// What it is to be.
    pub setup: Setup,
    /// The moves played at it: who and what.
    pub moves: Vec<(Side, String)>,
    /// How it ended, where the record says so and the moves do not.
    pub end: Option<Event>,
}

/// What a record's table is to be.
///
/// # Errors
/// What does not fit the game, and where.
pub fn table(record: Record, map: Option<&Loaded>, now_ms: u64) -> Result<FromRecord, Problem> {
    let entry = catalog::find(&record.game)?;
    let mut options = entry.settle(&record.options, catalog::Setting::Faithful)?;
    if let Some(map) = map {
        map.settle(&mut options);
    }
    let rules = map.map(|map| &map.rules);
    let game = record.replay(entry.open(rules, &options, record.start.as_deref())?)?;
    let usual = entry.open(rules, &options, None)?.fen();
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
    };
    let end = record.ending.filter(|_| game.outcome().is_none()).map(ended);
    Ok(FromRecord { setup, moves: game.movers().into_iter().zip(game.record()).collect(), end })
}

/// What ends a game as a record says, whatever its last position.
fn ended(ending: Ending) -> Event {
    // Others come from strangers' files, and nobody has words for them.
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

/// A clock in few words, in seconds: `300+5`, `600 3x30`, `60/turn`.
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
