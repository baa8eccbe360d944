//! The comparison of what players were told with what is stored, after nodes were killed, stopped and cut off.
//!
//! [`judge`] is a pure function of both, so that tests can call it with logs that have each kind of fault.

use std::collections::{BTreeMap, HashMap};

use kernel::Problem;
use store::{Join, Store, Stored};
use table::{Event, State};

/// A move that was acknowledged to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcknowledgedMove {
    /// The id of the table.
    pub table: String,
    /// The public id of the person who moved.
    pub person: String,
    /// The id of their command.
    pub cmd: String,
    /// The version that the player was told.
    pub ver: u64,
    /// The text of the move.
    pub text: String,
}

/// The faults that were found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verdict {
    /// Acknowledged moves that are not in the log, or not as they were acknowledged.
    pub lost: u64,
    /// Commands that are in the log more than once.
    pub doubled: u64,
    /// Versions that are missing in a log.
    pub gaps: u64,
    /// Logs that do not replay by the rules.
    pub unfit: u64,
    /// Flags that fell although the side to move had time by the log itself.
    pub wrong_flags: u64,
    /// A sentence for each fault.
    pub findings: Vec<String>,
}

impl Verdict {
    /// Returns true if no fault was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Compares the logs with the acknowledgements.
#[must_use]
pub fn judge(told: &[AcknowledgedMove], logs: &BTreeMap<String, Stored>) -> Verdict {
    let mut verdict = Verdict::default();
    for (id, stored) in logs {
        let mut seen: HashMap<(&str, &str), u64> = HashMap::new();
        for (entry, ver) in stored.log.iter().zip(1..) {
            if entry.ver != ver {
                verdict.gaps += 1;
                verdict.findings.push(format!("table {id}: version {} stands where {ver} should", entry.ver));
                break;
            }
        }
        for cmd in stored.log.iter().filter_map(|entry| entry.cmd.as_ref()) {
            *seen.entry((&cmd.person, &cmd.id)).or_default() += 1;
        }
        for ((person, cmd), count) in seen {
            if count > 1 {
                verdict.doubled += count - 1;
                verdict
                    .findings
                    .push(format!("table {id}: command {cmd} of {person} is there {count} times"));
            }
        }
        judge_game(id, stored, &mut verdict);
    }
    for told in told {
        let entry =
            logs.get(&told.table).and_then(|stored| stored.log.iter().find(|entry| entry.ver == told.ver));
        let is_it = entry.is_some_and(|entry| {
            let cmd = entry.cmd.as_ref();
            cmd.is_some_and(|cmd| cmd.person == told.person && cmd.id == told.cmd)
                && matches!(&entry.event, Event::Move { text, .. } if *text == told.text)
        });
        if !is_it {
            verdict.lost += 1;
            let AcknowledgedMove { table, cmd, ver, .. } = told;
            verdict
                .findings
                .push(format!("table {table}: command {cmd} was told to be version {ver} and is not"));
        }
    }
    verdict
}

/// Checks that the log replays, and that each flag agrees with the clock of the log.
fn judge_game(id: &str, stored: &Stored, verdict: &mut Verdict) {
    if let Err(why) = replayed(id, stored) {
        verdict.unfit += 1;
        verdict.findings.push(format!("table {id}: the log does not replay: {}", why.key));
        return;
    }
    let Some(entry) = stored.log.iter().find(|entry| matches!(entry.event, Event::Flag { .. })) else {
        return;
    };
    let before = Stored {
        log: stored.log.iter().take_while(|other| other.ver < entry.ver).cloned().collect(),
        ..stored.clone()
    };
    let Ok(state) = replayed(id, &before) else { return };
    let left_ms = state.clock.left_ms().unwrap_or(0);
    // From when the last event was decided to when the flag was.
    let passed_ms = entry.at_ms.saturating_sub(state.at_ms);
    if passed_ms < left_ms {
        verdict.wrong_flags += 1;
        verdict.findings.push(format!(
            "table {id}: a flag fell after {passed_ms} ms, with {left_ms} ms left (version {})",
            entry.ver
        ));
    }
}

fn replayed(id: &str, stored: &Stored) -> Result<State, Problem> {
    let setup = stored.setup.clone();
    let game = catalog::find(&setup.game)?.open(None, &setup.options, setup.fen.as_deref())?;
    State::new(id.to_owned(), setup, true, game).replay(stored.log.clone())
}

/// Reads the logs of the tables with acknowledged moves, and judges them.
///
/// # Errors
/// Fails when the database cannot be read.
pub async fn check(join: &Join, told: &[AcknowledgedMove]) -> Result<Verdict, String> {
    let store = Store::join(join).await.map_err(|why| why.to_string())?;
    let mut logs = BTreeMap::new();
    for id in told.iter().map(|told| told.table.as_str()) {
        if !logs.contains_key(id)
            && let Some(stored) = store.logs.load(id).await.map_err(|why| why.to_string())?
        {
            logs.insert(id.to_owned(), stored);
        }
    }
    store.condition.close().await;
    Ok(judge(told, &logs))
}

#[cfg(test)]
mod tests {
    use kernel::Side;
    use table::{Command, Entry, Setup};
    use wire::{ClockSpec, How, Player};

    use super::*;

    fn entry(ver: u64, event: Event) -> Entry {
        let cmd = Some(Command { person: "p".to_owned(), id: format!("cmd-{ver}") });
        Entry { ver, at_ms: 1_000 * ver, cmd, spent_ms: Some(500), event }
    }

    /// Returns a game of four moves, with ten seconds each.
    fn honest() -> (Vec<AcknowledgedMove>, Stored) {
        let sit = |side, id: &str| Event::Sit {
            side,
            who: Player { id: id.to_owned(), name: None, engine: None, program: false },
            secret: None,
        };
        let mv = |by, text: &str| Event::Move { by, text: text.to_owned(), away: false };
        let events = [
            sit(Side::First, "p"),
            sit(Side::Second, "q"),
            mv(Side::First, "h8"),
            mv(Side::Second, "a1"),
            mv(Side::First, "h9"),
            mv(Side::Second, "a2"),
        ];
        let log: Vec<Entry> = events.into_iter().zip(1..).map(|(event, ver)| entry(ver, event)).collect();
        let told = log.iter().filter_map(|entry| match &entry.event {
            Event::Move { text, .. } => Some(AcknowledgedMove {
                table: "t".to_owned(),
                person: "p".to_owned(),
                cmd: format!("cmd-{}", entry.ver),
                ver: entry.ver,
                text: text.clone(),
            }),
            _ => None,
        });
        let setup = Setup {
            game: "gomoku/freestyle".to_owned(),
            options: BTreeMap::from([("size".to_owned(), 15)]),
            map: None,
            fen: None,
            how: How::Invite,
            room: None,
            clock: ClockSpec::Fischer { base_ms: 10_000, increment_ms: 0 },
            rated: false,
            created_ms: 0,
            heading: None,
        };
        (told.collect(), Stored { setup, log, asleep: None, strikes: 0 })
    }

    fn judged(told: &[AcknowledgedMove], stored: Stored) -> Verdict {
        judge(told, &BTreeMap::from([("t".to_owned(), stored)]))
    }

    #[test]
    fn an_honest_log_is_clean_and_each_lie_is_found() {
        let (told, stored) = honest();
        assert_eq!(judged(&told, stored.clone()), Verdict::default());

        let mut lie = stored.clone();
        lie.log.pop();
        assert_eq!(judged(&told, lie).lost, 1, "the last move is gone");

        assert_eq!(judge(&told, &BTreeMap::new()).lost, 4, "the table is gone");

        let mut lie = stored.clone();
        lie.log[3].event = Event::Move { by: Side::Second, text: "a9".to_owned(), away: false };
        assert_eq!(judged(&told, lie).lost, 1, "another move");

        let mut lie = stored.clone();
        lie.log[3].cmd = None;
        assert_eq!(judged(&told, lie).lost, 1, "nobody's command");

        let mut lie = stored.clone();
        lie.log[3].cmd.as_mut().expect("has one").person = "somebody".to_owned();
        assert_eq!(judged(&told, lie).lost, 1, "somebody else's command");

        let mut lie = stored.clone();
        let again = lie.log[2].cmd.clone();
        lie.log[4].cmd = again;
        let found = judged(&told, lie);
        assert_eq!((found.doubled, found.lost), (1, 1), "twice");

        let mut lie = stored.clone();
        lie.log.remove(3);
        let found = judged(&told, lie);
        assert_eq!((found.gaps, found.lost), (1, 1), "a hole");

        let mut lie = stored.clone();
        lie.log[5].event = Event::Move { by: Side::Second, text: "h8".to_owned(), away: false };
        let found = judged(&told[..3], lie);
        assert_eq!((found.unfit, found.lost), (1, 0), "a move that the rules do not allow");

        let flag =
            |at_ms| Entry { at_ms, spent_ms: None, cmd: None, ..entry(7, Event::Flag { by: Side::First }) };
        let mut lie = stored.clone();
        lie.log.push(flag(6_000 + 3_000));
        assert_eq!(judged(&told, lie).wrong_flags, 1, "a flag too early");
        let mut fair = stored;
        fair.log.push(flag(6_000 + 9_500));
        assert_eq!(judged(&told, fair), Verdict::default(), "a flag in time");
    }
}
