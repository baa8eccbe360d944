//! Players who retry after every failure and record every answer, while nodes of the server are killed.
//!
//! Their records are compared with the log afterwards: every move that was acknowledged must be there, once, under
//! the acknowledged version.

use std::fs::File;
use std::io::{LineWriter, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wire::{Act, ClockSpec, CreateTable, How, Side};

use crate::load::{SIZE, cell};
use crate::seat::Answer;
use crate::{Error, Guest, Seat};

/// A fault-tolerance test, with players who record all acknowledgements.
pub struct Record {
    /// The addresses of the nodes.
    pub bases: Vec<String>,
    /// The number of games at a time.
    pub tables: usize,
    /// The duration of the test.
    pub time: Duration,
    /// The thinking time before each move, in milliseconds.
    pub think_ms: u64,
    /// The file for the records, a line of JSON each.
    pub file: PathBuf,
}

/// A move that was acknowledged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Acknowledged {
    /// Public id of the table.
    pub table: String,
    /// The public id of the player who moved.
    pub person: String,
    /// The id of their command.
    pub cmd: String,
    /// The version that was acknowledged.
    pub ver: u64,
    /// The move in machine notation.
    pub text: String,
}

/// The results of the test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recorded {
    /// The number of moves that were acknowledged.
    pub acknowledged: u64,
    /// The number of moves that were refused although they were valid; they were sent again.
    pub refused: u64,
    /// The longest wait for an answer, in milliseconds.
    pub longest_ms: u64,
    /// The number of moves that were not answered within a minute after the end.
    pub unanswered: u64,
}

/// The maximal wait for an answer after the end of the test.
const LAST: Duration = Duration::from_secs(60);

/// Runs the test and returns its results.
///
/// # Errors
/// Fails when the file cannot be written, or the server violates the protocol, for example by leaving out events.
pub async fn run(record: Record) -> Result<Recorded, Error> {
    let strange = |why: std::io::Error| Error::Strange(format!("{}: {why}", record.file.display()));
    let file = Arc::new(Mutex::new(LineWriter::new(File::create(&record.file).map_err(strange)?)));
    let end = Instant::now() + record.time;
    let think = Duration::from_millis(record.think_ms);
    let mut players = tokio::task::JoinSet::new();
    for n in 0..record.tables {
        let mut bases = record.bases.clone();
        bases.rotate_left(n % record.bases.len());
        let file = Arc::clone(&file);
        players.spawn(async move {
            let mut seen = Recorded::default();
            let mut strange = None;
            while Instant::now() < end && strange.is_none() {
                strange = play(&bases, end, think, &file, &mut seen).await.err();
            }
            (seen, strange)
        });
    }
    let mut all = Recorded::default();
    while let Some(done) = players.join_next().await {
        let (seen, strange) = done.expect("a player does not panic");
        all.acknowledged += seen.acknowledged;
        all.refused += seen.refused;
        all.unanswered += seen.unanswered;
        all.longest_ms = all.longest_ms.max(seen.longest_ms);
        // What a hall may not say ends all at once.
        if let Some(why) = strange {
            return Err(why);
        }
    }
    file.lock().unwrap_or_else(PoisonError::into_inner).flush().map_err(strange)?;
    Ok(all)
}

/// Makes a guest at the first node that answers, trying one after the other, and returns it for every node.
async fn enter(bases: &[String], end: Instant) -> Option<Vec<Guest>> {
    let mut guest: Option<Guest> = None;
    let mut known = Vec::new();
    for base in bases.iter().cycle() {
        if Instant::now() > end || known.len() == bases.len() {
            break;
        }
        match &guest {
            None => match Guest::enter(base).await {
                Ok(first) => {
                    known.push(first.clone());
                    guest = Some(first);
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            },
            // A node that is dead just now has the address all the same.
            Some(first) => known.push(first.at(base)),
        }
    }
    (!known.is_empty()).then_some(known)
}

/// Plays one game, or as much of it as there is time for.
async fn play(
    bases: &[String],
    end: Instant,
    think: Duration,
    file: &Mutex<LineWriter<File>>,
    seen: &mut Recorded,
) -> Result<(), Error> {
    let mut others = bases.to_vec();
    others.rotate_left(1 % bases.len());
    let (Some(first), Some(second)) = (enter(bases, end).await, enter(&others, end).await) else {
        return Ok(());
    };
    let wish = CreateTable {
        game: "gomoku/standard".to_owned(),
        options: std::iter::once(("size".to_owned(), SIZE as i64)).collect(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::Fischer { base_ms: 600_000, increment_ms: 5_000 },
        side: Some(Side::First),
        opponent: None,
        rated: false,
    };
    let mut table = None;
    for guest in first.iter().cycle() {
        if Instant::now() > end {
            return Ok(());
        }
        match guest.open(&wish).await {
            Ok(made) => {
                table = Some(made.id);
                break;
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    let Some(table) = table else { return Ok(()) };
    let people = [first[0].player.id.clone(), second[0].player.id.clone()];
    let mut seats = [Seat::among(first, &table), Seat::among(second, &table)];
    let patience = end.saturating_duration_since(Instant::now()) + LAST;
    let sat = tokio::time::timeout(patience, seats[1].wish(Act::Sit { side: None })).await;
    match sat {
        Ok(Ok(_)) => {}
        Ok(Err(why)) => return Err(why),
        Err(_) => return Ok(()),
    }
    for ply in 0..SIZE * SIZE {
        if Instant::now() > end {
            return Ok(());
        }
        tokio::time::sleep(think).await;
        let (mover, text) = (ply % 2, cell(ply));
        let told = loop {
            let cmd = format!("{:016x}", rand::random::<u64>());
            let begun = Instant::now();
            let patience = end.saturating_duration_since(begun) + LAST;
            let wish = seats[mover].wish_as(&cmd, Act::Move { text: text.clone(), away: false });
            let answer = match tokio::time::timeout(patience, wish).await {
                Ok(answer) => answer?,
                Err(_) => {
                    seen.unanswered += 1;
                    return Ok(());
                }
            };
            let waited = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            seen.longest_ms = seen.longest_ms.max(waited);
            match answer {
                Answer::Done(ver) => {
                    seen.acknowledged += 1;
                    let person = people[mover].clone();
                    let line = Acknowledged { table: table.clone(), person, cmd, ver, text };
                    let line = serde_json::to_string(&line).expect("plain data");
                    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                    writeln!(file, "{line}").map_err(|why| Error::Strange(why.to_string()))?;
                    break ver;
                }
                // The store was away, or the table moved; with the next board it is tried again.
                Answer::Refused(why) if matches!(&*why.key, "not-stored" | "stale" | "not-your-turn") => {
                    seen.refused += 1;
                    if Instant::now() > end + LAST {
                        return Ok(());
                    }
                    let heard = seats[mover].hear();
                    let _ = tokio::time::timeout(Duration::from_millis(200), heard).await;
                }
                Answer::Refused(why) => {
                    return Err(Error::Strange(format!("a move was refused: {}", why.key)));
                }
            }
        };
        // The other one hears of it, wherever they are connected by then.
        let follows = async {
            for seat in &mut seats {
                while seat.ver < told {
                    seat.hear().await?;
                }
            }
            Ok::<(), Error>(())
        };
        let patience = end.saturating_duration_since(Instant::now()) + LAST;
        match tokio::time::timeout(patience, follows).await {
            Ok(followed) => followed?,
            Err(_) => return Err(Error::Strange("an event was never told to the other player".to_owned())),
        }
    }
    Ok(())
}
