//! A folder of made-up people and games, to measure a large hall by (`qiguan load --people`).
//!
//! The data come about as in any hall: logs by the reducer of the table, rows and ratings by the store, in the
//! transactions that end games. Only the moves are made up. The same seed gives the same people, games and results;
//! times count back from the time of making.

use std::path::Path;

use futures_util::future::join_all;
use kernel::{AnyGame, Problem, Side};
use people::Name;
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use store::games::Finished;
use store::{Asleep, NewPerson, Store, StoreError, StoredPersonKind};
use table::{Applied, Ended, Entry, Event, Setup, State};
use wire::{ClockSpec, How, Player};

/// The size of the sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of accounts; none of them can be signed in to.
    pub accounts: u32,
    /// The number of rated games that have ended. Every fiftieth is the first account's.
    pub games: u32,
    /// The number of games of three days a move that sleep; their deadlines are spread over the next three days.
    pub sleeping: u32,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Games that are played, each with a clock: base and increment, in seconds.
const GAMES: [(&str, u64, u64); 6] = [
    ("xiangqi", 180, 2),
    ("xiangqi", 600, 5),
    ("draughts/international", 180, 2),
    ("gomoku/standard", 300, 3),
    ("gomoku/renju", 600, 5),
    ("locked", 900, 10),
];
/// Rows that are written at the same time.
const CHUNK: u32 = 1024;
/// Plies of a game at most.
const PLIES: u32 = 8;
const DAY_MS: u64 = 86_400_000;

/// Makes the sample in `folder`, which holds no hall yet, as if it were `now_ms` (Unix milliseconds), and reports to
/// `progress` the number of rows made, and of all. `finished` makes the store's row of a game that has ended, as the hall
/// does.
///
/// # Errors
/// Fails when the folder cannot be written, or holds people already.
pub async fn make(
    folder: &Path,
    sample: Sample,
    now_ms: u64,
    finished: fn(Ended) -> Finished,
    progress: &dyn Fn(u64, u64),
) -> Result<(), StoreError> {
    let store = Store::open(folder).await?;
    let made = fill(&store, sample, now_ms, finished, progress).await;
    store.condition.close().await;
    made
}

async fn fill(
    store: &Store,
    sample: Sample,
    now_ms: u64,
    finished: fn(Ended) -> Finished,
    progress: &dyn Fn(u64, u64),
) -> Result<(), StoreError> {
    let mut chance = StdRng::seed_from_u64(sample.seed);
    let begin_ms = now_ms - 3 * 365 * DAY_MS;
    let all = u64::from(sample.accounts) + u64::from(sample.games) + u64::from(sample.sleeping);
    let mut done = 0;
    let mut made = |count: u32| {
        done += u64::from(count);
        progress(done, all);
    };
    let mut people = Vec::with_capacity(sample.accounts as usize);
    for count in chunks(sample.accounts) {
        let new: Vec<NewPerson> =
            (0..count).map(|i| person(people.len() as u32 + i, begin_ms, &mut chance)).collect();
        people.extend(new.iter().map(|new| Made {
            player: Player { id: new.id.clone(), name: new.name.clone(), engine: None, program: false },
            strength: 1500.0 + 600.0 * (chance.random::<f64>() + chance.random::<f64>() - 1.0),
        }));
        all_of(join_all(new.into_iter().map(|new| store.people.enroll(new))).await)?;
        made(count);
    }
    for (chunk, count) in chunks(sample.games).enumerate() {
        let mut played = Vec::new();
        for i in 0..count {
            let n = chunk as u32 * CHUNK + i;
            // The moments rise from game to game: ratings follow one another.
            let at_ms = begin_ms + u64::from(n) * (3 * 365 * DAY_MS) / u64::from(sample.games);
            let busy = n.is_multiple_of(50).then_some(0);
            played.push(ended(pair(&people, busy, &mut chance), at_ms, &mut chance).map_err(unfit)?);
        }
        let created = played.iter_mut().map(|game| {
            let log = std::mem::take(&mut game.log);
            store.logs.create(&game.id, &game.setup, log, game.before.clone())
        });
        all_of(join_all(created).await)?;
        let ends = played.into_iter().map(|game| {
            let Applied { entry, standing, ended, .. } = game.end;
            let ended = ended.map(|ended| finished(*ended));
            let both = standing.zip(ended);
            let (id, store) = (game.id, &store);
            async move {
                match both {
                    Some((standing, ended)) => store.logs.finish(&id, entry, standing, ended).await,
                    None => store.logs.append(&id, entry, None).await,
                }
            }
        });
        all_of(join_all(ends).await)?;
        made(count);
    }
    for count in chunks(sample.sleeping) {
        let mut slow = Vec::new();
        for _ in 0..count {
            let deadline_ms = now_ms + chance.random_range(DAY_MS / 24..3 * DAY_MS);
            slow.push((
                sleeping(pair(&people, None, &mut chance), deadline_ms, &mut chance).map_err(unfit)?,
                deadline_ms,
            ));
        }
        let created = slow.iter_mut().map(|((state, log), _)| {
            store.logs.create(&state.id, &state.setup, std::mem::take(log), state.standing())
        });
        all_of(join_all(created).await)?;
        let put_away = slow.iter().map(|((state, _), deadline_ms)| {
            let turn = Some(state.turn());
            let asleep = Asleep { since_ms: state.at_ms, deadline_ms: *deadline_ms, turn, held_ms: None };
            store.tables.sleep(&state.id, asleep)
        });
        all_of(join_all(put_away).await)?;
        made(count);
    }
    Ok(())
}

/// A person, with their strength: 400 points more are ten times as many wins as losses.
struct Made {
    player: Player,
    strength: f64,
}

/// A game, its log up to its last entry, and what that one does.
struct Played {
    id: String,
    setup: Setup,
    log: Vec<Entry>,
    before: table::Standing,
    end: Applied,
}

fn chunks(all: u32) -> impl Iterator<Item = u32> {
    (0..all.div_ceil(CHUNK)).map(move |i| CHUNK.min(all - i * CHUNK))
}

fn all_of(results: Vec<Result<(), StoreError>>) -> Result<(), StoreError> {
    results.into_iter().collect()
}

/// Wraps a refusal of the reducer, which is a mistake in this module.
fn unfit(why: Problem) -> StoreError {
    StoreError::Failed(why.to_string())
}

/// Returns a random public id like those that the hall gives.
fn id(chance: &mut StdRng) -> String {
    const LETTERS: &[u8; 24] = b"abcdefghijkmnpqrstuvwxyz";
    (0..20).map(|_| char::from(LETTERS[chance.random_range(0..LETTERS.len())])).collect()
}

fn person(n: u32, made_ms: u64, chance: &mut StdRng) -> NewPerson {
    let name = format!("Sample{n}");
    let folded = Name::read(&name, people::name::NameKind::Account).ok().map(|name| name.fold());
    let mut hash = [0; 32];
    chance.fill_bytes(&mut hash);
    NewPerson {
        id: id(chance),
        kind: StoredPersonKind::Account,
        name: Some(name),
        folded,
        hash,
        label: None,
        made_ms,
    }
}

fn pair<'a>(people: &'a [Made], first: Option<usize>, chance: &mut StdRng) -> [&'a Made; 2] {
    let first = first.unwrap_or_else(|| chance.random_range(0..people.len()));
    let second = (first + chance.random_range(1..people.len())) % people.len();
    [&people[first], &people[second]]
}

/// Opens a game of two people and begins it; returns it with its log.
fn begun(
    [first, second]: [&Made; 2],
    key: &str,
    clock: ClockSpec,
    at_ms: u64,
    chance: &mut StdRng,
) -> Result<(State, Vec<Entry>), Problem> {
    let entry = catalog::find(key)?;
    let options = entry.settle(&catalog::Options::new(), catalog::Setting::Online)?;
    let game: Box<dyn AnyGame> = entry.open(None, &options, None)?;
    let setup = Setup {
        game: key.to_owned(),
        options,
        map: None,
        fen: None,
        how: How::Open,
        room: None,
        clock,
        rated: true,
        created_ms: at_ms,
        heading: None,
    };
    let mut state = State::new(id(chance), setup, true, game);
    let mut log = Vec::new();
    for (side, who) in Side::BOTH.into_iter().zip([first, second]) {
        happen(&mut state, Event::Sit { side, who: who.player.clone(), secret: None }, 0, &mut log)?;
    }
    // As many as make a rated game.
    for _ in 0..chance.random_range(people::pool::LEAST_PLIES as u32..=PLIES) {
        let moves = state.game.moves();
        if moves.is_empty() {
            break;
        }
        let (by, text) = (state.turn(), moves[chance.random_range(0..moves.len())].clone());
        happen(
            &mut state,
            Event::Move { by, text, away: false },
            chance.random_range(500..20_000),
            &mut log,
        )?;
    }
    Ok((state, log))
}

fn happen(state: &mut State, event: Event, after_ms: u64, log: &mut Vec<Entry>) -> Result<(), Problem> {
    log.push(apply(state, event, after_ms)?.entry);
    Ok(())
}

fn apply(state: &mut State, event: Event, after_ms: u64) -> Result<Applied, Problem> {
    let spent_ms = matches!(event, Event::Move { .. }).then_some(after_ms);
    state.apply(Entry { ver: state.ver + 1, at_ms: state.at_ms + after_ms, cmd: None, spent_ms, event })
}

fn ended(pair: [&Made; 2], at_ms: u64, chance: &mut StdRng) -> Result<Played, Problem> {
    let (key, base_s, increment_s) = GAMES[chance.random_range(0..GAMES.len())];
    let clock = ClockSpec::Fischer { base_ms: base_s * 1000, increment_ms: increment_s * 1000 };
    let (mut state, log) = begun(pair, key, clock, at_ms, chance)?;
    let before = state.standing();
    let better = 1.0 / (1.0 + 10_f64.powf((pair[1].strength - pair[0].strength) / 400.0));
    let event = if chance.random_bool(0.1) {
        Event::Draw
    } else {
        Event::Resign { by: if chance.random_bool(better) { Side::Second } else { Side::First } }
    };
    let end = apply(&mut state, event, 3000)?;
    Ok(Played { id: state.id, setup: state.setup, log, before, end })
}

fn sleeping(pair: [&Made; 2], deadline_ms: u64, chance: &mut StdRng) -> Result<(State, Vec<Entry>), Problem> {
    const TURN_MS: u64 = 3 * DAY_MS;
    let key = GAMES[chance.random_range(0..GAMES.len())].0;
    // The last move came three days before the deadline; those before it took seconds.
    let at_ms = deadline_ms - TURN_MS - u64::from(PLIES) * 20_000;
    begun(pair, key, ClockSpec::per_move(TURN_MS), at_ms, chance)
}

#[cfg(test)]
mod tests {
    use hall::audit::Auditor;
    use tables::remembered::finished;

    use super::*;

    /// The sample is what a hall would have made: `admin check` and a recomputation find no fault.
    #[tokio::test]
    async fn what_is_made_follows_the_rules() {
        let folder = tempfile::tempdir().expect("a folder");
        let sample = Sample { accounts: 30, games: 200, sleeping: 20, seed: 7 };
        let now_ms = 1_800_000_000_000;
        make(folder.path(), sample, now_ms, finished, &|done, all| assert!(done <= all))
            .await
            .expect("is made");
        let auditor = Auditor::new(None);
        let judge =
            |id: &str, stored: &store::Stored, map: Option<&store::StoredMap>| auditor.judge(id, stored, map);
        let report = store::check_at_rest(folder.path(), Some(&judge)).await.expect("reads");
        assert_eq!(report.findings, Vec::new());
        assert_eq!(store::recompute_ratings(folder.path()).await.expect("reads"), 0);
        let store = Store::open(folder.path()).await.expect("opens");
        let first = store.people.find_person("Sample0").await.expect("reads").expect("is there");
        let ratings = store.games.ratings(&first.id).await.expect("reads");
        assert!(ratings.iter().any(|(pool, _)| pool.to_string() == "xiangqi:blitz"), "{ratings:?}");
        let due = store.tables.due(now_ms + 3 * DAY_MS, 100).await.expect("reads").len();
        assert_eq!((due, store.tables.due(now_ms, 100).await.expect("reads").len()), (20, 0));
    }

    #[tokio::test]
    async fn the_same_seed_makes_the_same_people() {
        let mut ids = Vec::new();
        for _ in 0..2 {
            let folder = tempfile::tempdir().expect("a folder");
            let sample = Sample { accounts: 5, games: 40, sleeping: 0, seed: 7 };
            make(folder.path(), sample, 1_800_000_000_000, finished, &|_, _| ()).await.expect("is made");
            let store = Store::open(folder.path()).await.expect("opens");
            let first = store.people.find_person("Sample0").await.expect("reads").expect("is there");
            let ratings = store.games.ratings(&first.id).await.expect("reads");
            let ratings: Vec<_> =
                ratings.into_iter().map(|(pool, rating)| (pool, rating.rating.to_bits())).collect();
            ids.push((first.id, ratings));
        }
        assert_eq!(ids[0], ids[1]);
    }
}
