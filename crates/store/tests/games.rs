//! Catches a game that is not remembered as it ended, a rating that is not what the games say, and a search that finds
//! other games than it should.

mod common;

use std::collections::BTreeMap;

use std::sync::Arc;

use common::{Opened, merged, person, setup, store_in};
use kernel::Side;
use people::moderation::{Decision, Subject};
use people::rating::{Rating, rate};
use people::{Pool, Score, Speed};
use sqlx::{Connection, SqliteConnection};
use store::accounts::Change;
use store::games::{Ending, Filter, Finished, GameRow, Place, Tally};
use store::staff::{Logged, StaffDeed};
use store::together::{Complaint, Decided, Deed};
use store::{Asleep, Judged, NewPerson, Retention, Stored, StoredMap, StoredPersonKind};
use table::{Applied, Entry, Event, Setup, State};
use wire::{ClockSpec, Opponent, Player};

const START_MS: u64 = 4_000_000_000_000;
const DAYS_MS: u64 = 3 * 86_400_000;
const BLITZ: ClockSpec = ClockSpec::Fischer { base_ms: 180_000, increment_ms: 2_000 };

fn player(id: &str) -> Player {
    Player { id: id.to_owned(), name: Some(id.to_uppercase()), engine: None, program: false }
}

fn rated_setup(game: &str) -> Setup {
    let entry = catalog::find(game).expect("is there");
    let options = entry.settle(&catalog::Options::new(), catalog::Setting::Online).expect("the usual");
    Setup { game: game.to_owned(), options, clock: BLITZ, rated: true, created_ms: START_MS, ..setup(None) }
}

fn finished(state: &State) -> Option<Finished> {
    let game = state.ended()?;
    let pool = Pool::of(&game.setup.game, Speed::Blitz, std::iter::empty());
    Some(Finished { game, speed: Some(Speed::Blitz), pool })
}

fn state(id: &str, setup: &Setup) -> State {
    let game =
        catalog::find(&setup.game).and_then(|entry| entry.open(None, &setup.options, None)).expect("opens");
    State::new(id.to_owned(), setup.clone(), true, game)
}

fn judge(id: &str, stored: &Stored, _: Option<&StoredMap>) -> Result<Judged, String> {
    let state = state(id, &stored.setup).replay(stored.log.clone()).map_err(|why| why.to_string())?;
    let turn = state.clock.running().filter(|_| state.is_slow());
    let deadline =
        turn.map(|turn| Asleep { turn: Some(turn), ..Asleep::until(START_MS, START_MS + DAYS_MS) });
    Ok(Judged { standing: state.standing(), finished: finished(&state), deadline })
}

/// A table in memory, as a task of the hall has it.
struct Table {
    state: State,
}

impl Table {
    async fn open(store: &Opened, id: &str, setup: &Setup, players: [Player; 2]) -> Table {
        let mut table = Table { state: state(id, setup) };
        let mut log = Vec::new();
        for (side, who) in Side::BOTH.into_iter().zip(players) {
            log.push(table.apply(Event::Sit { side, who, secret: None }, setup.created_ms).entry);
        }
        store.logs.create(id, setup, log, table.state.standing()).await.expect("stored");
        table
    }

    fn apply(&mut self, event: Event, at_ms: u64) -> Applied {
        let entry = Entry { ver: self.state.ver + 1, at_ms, cmd: None, spent_ms: Some(1_500), event };
        self.state.apply(entry).expect("fits")
    }

    async fn happen(&mut self, store: &Opened, event: Event, at_ms: u64) {
        let Applied { entry, standing, ended, .. } = self.apply(event, at_ms);
        let id = self.state.id.clone();
        let done = match ended {
            Some(_) => {
                let game = finished(&self.state).expect("has ended");
                store.logs.finish(&id, entry, standing.expect("is over"), game).await
            }
            None => store.logs.append(&id, entry, standing).await,
        };
        done.expect("stored");
    }

    /// Plays a move, and `loser` gives up; without one they agree on a draw.
    async fn end(&mut self, store: &Opened, loser: Option<Side>, at_ms: u64) {
        let by = self.state.turn();
        let text = self.state.game.moves().swap_remove(0);
        self.happen(store, Event::Move { by, text, away: false }, at_ms - 1).await;
        let end = loser.map_or(Event::Draw, |by| Event::Resign { by });
        self.happen(store, end, at_ms).await;
    }
}

async fn game(store: &Opened, id: &str, setup: &Setup, who: [&str; 2], loser: Option<Side>, at_ms: u64) {
    let mut table = Table::open(store, id, setup, who.map(player)).await;
    table.end(store, loser, at_ms).await;
}

async fn accounts(store: &Opened, ids: &[&str]) {
    for (i, id) in ids.iter().enumerate() {
        let session = u8::try_from(i).expect("few") + 1;
        let account = NewPerson { kind: StoredPersonKind::Account, ..person(id, session, Some(id)) };
        store.people.enroll(account).await.expect("stored");
    }
}

fn ids(rows: &[GameRow]) -> Vec<&str> {
    rows.iter().map(|row| row.id.as_str()).collect()
}

async fn wrong_in(folder: &tempfile::TempDir) -> Vec<String> {
    if common::is_postgres() {
        return Vec::new();
    }
    let report = store::check(folder.path(), Some(&judge)).await.expect("reads");
    report.findings.into_iter().map(|damage| format!("{}: {}", damage.place, damage.what)).collect()
}

async fn spoil(folder: &tempfile::TempDir, sql: &'static str) {
    let url = format!("sqlite://{}", folder.path().join("hall.db").display());
    let mut connection = SqliteConnection::connect(&url).await.expect("opens");
    sqlx::raw_sql(sql).execute(&mut connection).await.expect("runs");
    connection.close().await.expect("closes");
}

#[tokio::test]
async fn a_game_is_remembered_as_it_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    let rated = rated_setup("xiangqi");
    game(&store, "t1", &rated, ["ann", "bob"], Some(Side::Second), START_MS + 60_000).await;
    let row = store.games.game("t1").await.expect("reads").expect("is there");
    assert_eq!((row.id.as_str(), &row.setup, &row.players), ("t1", &rated, &["ann", "bob"].map(player)));
    assert_eq!((row.outcome.winner, &*row.outcome.reason), (Some(wire::Side::First), "resign"));
    assert_eq!((row.plies, row.speed), (1, Some(Speed::Blitz)));
    assert_eq!((row.begun_ms, row.ended_ms), (START_MS, START_MS + 60_000));
    let plies = store.games.plies(row.n).await.expect("reads").expect("is there");
    assert_eq!(plies.len(), 1);
    assert_eq!(plies[0].1, Some(1_500));
    let new = Rating::first(std::iter::empty(), START_MS + 60_000);
    let [winner, loser] = rate(&new, &new, Score::Win, START_MS + 60_000);
    let [first, second] = row.rated.expect("both have accounts");
    assert_eq!(
        [first.before, first.after, second.before, second.after],
        [1500.0, winner.rating, 1500.0, loser.rating]
    );
    let pool = Pool::read("xiangqi:blitz").expect("a pool");
    assert_eq!(store.games.ratings("ann").await.expect("reads"), [(pool.clone(), winner)]);
    assert_eq!(store.games.ratings("bob").await.expect("reads"), [(pool.clone(), loser)]);
    let curves = store.games.curves("ann", 100).await.expect("reads");
    assert_eq!(curves, [(pool.clone(), vec![(START_MS + 60_000, winner.rating)])].into());
    assert_eq!(store.games.game("t2").await.expect("reads"), None);
    assert_eq!(store.games.plies(99).await.expect("reads"), None);
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

#[tokio::test]
async fn only_games_between_two_accounts_are_rated() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    store.people.enroll(person("guest", 9, None)).await.expect("stored");
    let rated = rated_setup("xiangqi");
    let casual = Setup { rated: false, ..rated.clone() };
    let level =
        Player { id: "level-3".to_owned(), name: None, engine: Some(Opponent::Level(3)), program: false };
    for (n, (what, setup, players, counts)) in [
        ("two accounts", &rated, ["ann", "bob"].map(player), true),
        ("a casual table", &casual, ["ann", "bob"].map(player), false),
        ("a guest", &rated, ["ann", "guest"].map(player), false),
        ("somebody unknown", &rated, ["nobody", "bob"].map(player), false),
        ("a program", &rated, [player("ann"), level], false),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("t{n}");
        let mut table = Table::open(&store, &id, setup, players).await;
        table.end(&store, None, START_MS + 1000 * (n as u64 + 1)).await;
        let row = store.games.game(&id).await.expect("reads").expect("is there");
        assert_eq!(row.rated.is_some(), counts, "{what}");
    }
    // An aborted game has no winner, rated or not.
    let mut table = Table::open(&store, "gone", &rated, ["ann", "bob"].map(player)).await;
    table.happen(&store, Event::Abort { by: Side::First }, START_MS + 9_000).await;
    let row = store.games.game("gone").await.expect("reads").expect("is there");
    assert!(row.outcome.void && row.rated.is_none());
    assert_eq!(store.games.ratings("ann").await.expect("reads")[0].1.games, 1);
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

#[tokio::test]
async fn a_game_that_goes_on_after_its_end_is_remembered_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let casual = Setup { rated: false, ..rated_setup("locked") };
    let mut table = Table::open(&store, "t", &casual, ["ann", "bob"].map(player)).await;
    // A player with no step left has lost, and may withdraw the step that led there.
    let mut at_ms = START_MS;
    while table.state.end.is_none() {
        at_ms += 10;
        let (by, moves) = (table.state.turn(), table.state.game.moves());
        let text = moves[at_ms as usize * 7 % moves.len()].clone();
        table.happen(&store, Event::Move { by, text, away: false }, at_ms).await;
    }
    let first = store.games.game("t").await.expect("reads").expect("is there");
    let by = table.state.last_mover().expect("somebody moved");
    table.happen(&store, Event::Withdraw { by }, at_ms + 10).await;
    assert_eq!(store.games.game("t").await.expect("reads"), None, "it goes on");
    assert_eq!(store.games.list("ann", &Filter::default(), None, 9).await.expect("reads"), []);
    table.happen(&store, Event::Resign { by }, at_ms + 20).await;
    let row = store.games.game("t").await.expect("reads").expect("is there");
    assert_eq!((row.plies, &*row.outcome.reason), (first.plies - 1, "resign"));
    assert_eq!(store.games.list("ann", &Filter::default(), None, 9).await.expect("reads").len(), 1);
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

/// Many games that end at once share commits, and each changes the ratings that the one before has left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_one_commit_follow_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(store_in(&folder).await);
    let people = ["ann", "bob", "cid", "dan"];
    accounts(&store, &people).await;
    let rated = rated_setup("gomoku/renju");
    let mut at_work = tokio::task::JoinSet::new();
    for n in 0..60usize {
        let (store, rated) = (Arc::clone(&store), rated.clone());
        at_work.spawn(async move {
            let who = [people[n % 4], people[(n + 1 + n / 4 % 3) % 4]];
            let loser = [None, Some(Side::First), Some(Side::Second)][n % 3];
            game(&store, &format!("t{n}"), &rated, who, loser, START_MS + 5_000).await;
        });
    }
    while let Some(done) = at_work.join_next().await {
        done.expect("no panic");
    }
    let mut games = 0;
    for person in people {
        let ratings = store.games.ratings(person).await.expect("reads");
        assert_eq!(ratings.len(), 1);
        games += ratings[0].1.games;
        let rows =
            store.games.list(person, &Filter { rated: Some(true), ..Filter::default() }, None, 99).await;
        assert_eq!(rows.expect("reads").len(), ratings[0].1.games as usize);
    }
    assert_eq!(games, 120, "each game counts for two");
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
    if common::is_postgres() {
        return;
    }
    assert_eq!(store::recompute_ratings(folder.path()).await, Ok(0), "to the bit");
}

#[tokio::test]
async fn games_are_found_by_what_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob", "cid"]).await;
    let (xiangqi, renju) = (rated_setup("xiangqi"), rated_setup("gomoku/renju"));
    let casual = Setup { rated: false, ..xiangqi.clone() };
    game(&store, "t1", &xiangqi, ["ann", "bob"], Some(Side::Second), START_MS + 1_000).await;
    game(&store, "t2", &renju, ["bob", "ann"], Some(Side::Second), START_MS + 2_000).await;
    game(&store, "t3", &casual, ["ann", "cid"], None, START_MS + 3_000).await;
    game(&store, "t5", &xiangqi, ["cid", "ann"], Some(Side::First), START_MS + 4_000).await;
    game(&store, "t4", &xiangqi, ["bob", "cid"], Some(Side::First), START_MS + 4_000).await;
    let any = Filter::default;
    let text = |text: &str| Some(text.to_owned());
    for (what, filter, wanted) in [
        ("all", any(), vec!["t5", "t3", "t2", "t1"]),
        ("a game", Filter { game: text("xiangqi"), ..any() }, vec!["t5", "t3", "t1"]),
        ("an opponent", Filter { opponent: text("cid"), ..any() }, vec!["t5", "t3"]),
        ("the first side", Filter { side: Some(0), ..any() }, vec!["t3", "t1"]),
        ("won", Filter { result: Some(Ending::Win), ..any() }, vec!["t5", "t1"]),
        ("drawn", Filter { result: Some(Ending::Draw), ..any() }, vec!["t3"]),
        ("lost", Filter { result: Some(Ending::Loss), ..any() }, vec!["t2"]),
        ("void", Filter { result: Some(Ending::Void), ..any() }, vec![]),
        ("rated", Filter { rated: Some(true), ..any() }, vec!["t5", "t2", "t1"]),
        ("casual", Filter { rated: Some(false), ..any() }, vec!["t3"]),
        ("blitz", Filter { speed: Some(Speed::Blitz), ..any() }, vec!["t5", "t3", "t2", "t1"]),
        ("rapid", Filter { speed: Some(Speed::Rapid), ..any() }, vec![]),
        ("since", Filter { since_ms: Some(START_MS + 3_000), ..any() }, vec!["t5", "t3"]),
        ("until", Filter { until_ms: Some(START_MS + 3_000), ..any() }, vec!["t2", "t1"]),
        ("two at once", Filter { rated: Some(true), game: text("gomoku/renju"), ..any() }, vec!["t2"]),
    ] {
        let rows = store.games.list("ann", &filter, None, 99).await.expect("reads");
        assert_eq!(ids(&rows), wanted, "{what}");
        // The same in pages of one.
        let (mut place, mut paged) = (None, Vec::new());
        while let [row] = &store.games.list("ann", &filter, place, 1).await.expect("reads")[..] {
            place = Some(Place { ended_ms: row.ended_ms, n: row.n });
            paged.push(row.id.clone());
        }
        assert_eq!(paged, wanted, "{what}, page by page");
    }
    let tally = |game: &str, wins, draws, losses| Tally { game: game.to_owned(), wins, draws, losses };
    let all = store.games.tally("ann", None).await.expect("reads");
    assert_eq!(all, [tally("gomoku/renju", 0, 0, 1), tally("xiangqi", 2, 1, 0)]);
    assert_eq!(store.games.tally("ann", Some("cid")).await.expect("reads"), [tally("xiangqi", 1, 1, 0)]);
    assert_eq!(store.games.tally("ann", Some("nobody")).await.expect("reads"), []);
    for (asked, found) in [("ann", Some("ann")), ("ANN", Some("ann")), ("eve", None), ("", None)] {
        let person = store.people.find_person(asked).await.expect("reads");
        assert_eq!(person.map(|person| person.id).as_deref(), found, "{asked:?}");
    }
}

#[tokio::test]
async fn deadlines_of_slow_games_are_checked_and_made_anew() {
    if common::is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    let clock = ClockSpec::per_move(DAYS_MS);
    let setup = Setup { clock, rated: false, ..rated_setup("xiangqi") };
    Table::open(&store, "runs", &setup, ["ann", "bob"].map(player)).await;
    let asleep = Asleep { turn: Some(Side::First), ..Asleep::until(START_MS, START_MS + DAYS_MS) };
    store.tables.sleep("runs", asleep).await.expect("stored");
    game(&store, "over", &setup, ["ann", "bob"], Some(Side::Second), START_MS + 60_000).await;
    store.pulse.beat(START_MS + 3_600_000).await.expect("stored");
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
    for (what, sql, finding, since_ms) in [
        ("a deadline that is gone", "DELETE FROM asleep", "table runs", START_MS + 3_600_000),
        ("that of the other side", "UPDATE asleep SET turn = 1", "table runs", START_MS + 3_600_000),
        (
            "one of a game that is over",
            "INSERT INTO asleep (seating, since_ms, deadline_ms, turn) VALUES ('over', 1, 2, 0)",
            "table over",
            START_MS + 3_600_000,
        ),
    ] {
        spoil(&folder, sql).await;
        let found = wrong_in(&folder).await;
        assert!(found.iter().any(|found| found.starts_with(finding)), "{what}: {found:?}");
        let rebuilt = store::rebuild(folder.path(), &judge).await.expect("rebuilds");
        assert_eq!((rebuilt.deadlines, rebuilt.unread.len()), (1, 0), "{what}");
        assert_eq!(wrong_in(&folder).await, [""; 0], "{what}");
        let store = store_in(&folder).await;
        let asleep = Asleep { turn: Some(Side::First), ..Asleep::until(since_ms, since_ms + DAYS_MS) };
        let stored = store.logs.load("runs").await.expect("reads").expect("is there").asleep;
        assert_eq!(stored, Some(asleep), "{what}: nobody is charged until the hall was last seen");
        store.condition.close().await;
    }
    assert_eq!(store::rebuild(folder.path(), &judge).await.expect("rebuilds").deadlines, 0);
}

#[tokio::test]
async fn what_was_spoiled_is_named_and_made_anew() {
    if common::is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    for n in 0..6u64 {
        let who = if n % 2 == 0 { ["ann", "bob"] } else { ["bob", "ann"] };
        let setup =
            if n == 5 { Setup { rated: false, ..rated_setup("xiangqi") } } else { rated_setup("xiangqi") };
        game(&store, &format!("t{n}"), &setup, who, Some(Side::Second), START_MS + n * 1_000 + 1_000).await;
    }
    let ratings = store.games.ratings("ann").await.expect("reads");
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
    for (what, sql, finding) in [
        ("a result", "UPDATE game SET winner = 1 WHERE id = 't2'", "table t2"),
        ("a reason", "UPDATE game SET reason = 'flag' WHERE id = 't3'", "table t3"),
        ("a record", "UPDATE game SET record = x'00' WHERE id = 't3'", "table t3"),
        ("a missing row", "DELETE FROM game WHERE id = 't5'", "table t5"),
        ("a list", "UPDATE game_player SET result = 1", "table t0"),
        ("a missing line", "DELETE FROM game_player WHERE person = 'bob' AND n = 1", "table t0"),
        ("a rating", "UPDATE rating SET rating = rating + 0.0001 WHERE person = 'ann'", "ratings"),
        ("a change", "DELETE FROM rating_change WHERE n = 3", "ratings"),
        ("a change that never was", "UPDATE rating_change SET n = 77 WHERE n = 3", "ratings"),
        ("all ratings", "DELETE FROM rating; DELETE FROM rating_change", "ratings"),
        (
            "everything",
            "DELETE FROM rating; DELETE FROM rating_change; DELETE FROM game; DELETE FROM game_player",
            "table t0",
        ),
        ("a rating that was not", "UPDATE game SET pool = NULL WHERE id = 't1'", "table t1"),
    ] {
        spoil(&folder, sql).await;
        let found = wrong_in(&folder).await;
        assert!(found.iter().any(|found| found.starts_with(finding)), "{what}: {found:?}");
        let rebuilt = store::rebuild(folder.path(), &judge).await.expect("rebuilds");
        assert_eq!((rebuilt.games, rebuilt.unread.len()), (6, 0), "{what}");
        assert_eq!(wrong_in(&folder).await, [""; 0], "{what}");
        let store = store_in(&folder).await;
        assert_eq!(store.games.ratings("ann").await.expect("reads"), ratings, "{what}: to the bit");
        assert_eq!(
            store.games.list("bob", &Filter::default(), None, 9).await.expect("reads").len(),
            6,
            "{what}"
        );
        store.condition.close().await;
    }
    let again = store::rebuild(folder.path(), &judge).await.expect("rebuilds");
    assert_eq!(
        (again.made, again.mended, again.deleted, again.ratings),
        (0, 0, 0, 0),
        "nothing was left to do"
    );
}

#[tokio::test]
async fn a_guest_of_old_times_keeps_their_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let casual = Setup { rated: false, ..rated_setup("xiangqi") };
    game(&store, "t1", &casual, ["abcdefghjkmn", "bob"], None, START_MS + 1_000).await;
    store.people.adopt("abcdefghjkmn", "new", &[9; 32], START_MS).await.expect("adopts");
    let rows = store.games.list("new", &Filter::default(), None, 9).await.expect("reads");
    assert_eq!((ids(&rows), rows[0].players[0].id.as_str()), (vec!["t1"], "new"));
    assert_eq!(store.games.tally("bob", Some("new")).await.expect("reads").len(), 1);
    assert_eq!(store.games.list("abcdefghjkmn", &Filter::default(), None, 9).await.expect("reads"), []);
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

#[tokio::test]
async fn forgotten_tables_are_forgotten_wholly() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    let old = Setup { created_ms: 1_000, rated: false, ..rated_setup("xiangqi") };
    game(&store, "guests", &old, ["g1", "g2"], None, 2_000).await;
    game(&store, "kept", &old, ["ann", "g2"], None, 3_000).await;
    let retention = Retention { guest_tables_ms: Some(10), ..Retention::default() };
    store.upkeep.forget(retention, START_MS).await.expect("forgets");
    assert_eq!(store.games.game("guests").await.expect("reads"), None);
    assert_eq!(ids(&store.games.list("g2", &Filter::default(), None, 9).await.expect("reads")), ["kept"]);
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

/// The log lost the name and the row of the game kept it, so that a check found the two to differ.
#[tokio::test]
async fn a_closed_account_has_no_name_in_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    game(&store, "t1", &rated_setup("xiangqi"), ["ann", "bob"], None, START_MS + 1_000).await;
    let close = Change::Close { person: "ann".to_owned() };
    store.accounts.change(close, None).await.expect("closes");
    while !store.accounts.scrub("ann").await.expect("goes on").is_empty() {}
    let row = store.games.game("t1").await.expect("reads").expect("is there");
    assert_eq!(row.players.map(|player| player.name), [None, Some("BOB".to_owned())]);
    assert!(row.rated.is_some(), "the result counts for the other as before");
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

#[tokio::test]
async fn a_guest_s_remembered_games_go_to_the_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob"]).await;
    store.people.enroll(person("guest", 9, None)).await.expect("stored");
    let casual = Setup { rated: false, ..rated_setup("xiangqi") };
    game(&store, "t1", &casual, ["guest", "bob"], None, START_MS + 1_000).await;
    assert_eq!(merged(&store, "guest", "ann").await.expect("merges"), ["t1"]);
    assert_eq!(ids(&store.games.list("ann", &Filter::default(), None, 9).await.expect("reads")), ["t1"]);
    assert_eq!(store.games.tally("bob", Some("ann")).await.expect("reads").len(), 1);
    assert_eq!(store.games.list("guest", &Filter::default(), None, 9).await.expect("reads"), []);
    store.condition.close().await;
    assert_eq!(wrong_in(&folder).await, [""; 0]);
}

/// Ratings that moderators reset start again from the default, also where all ratings are recomputed.
#[tokio::test]
async fn ratings_that_were_reset_begin_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    accounts(&store, &["ann", "bob", "cid"]).await;
    let setup = rated_setup("gomoku/renju");
    game(&store, "one", &setup, ["ann", "bob"], Some(Side::Second), START_MS + 10).await;
    game(&store, "two", &setup, ["ann", "cid"], Some(Side::Second), START_MS + 20).await;
    let before = store.games.ratings("ann").await.expect("read");
    assert_eq!(before[0].1.games, 2);
    let complaint = Complaint {
        n: 0,
        by: "bob".to_owned(),
        about: "ann".to_owned(),
        subject: Subject::Person,
        words: String::new(),
        evidence: "{}".to_owned(),
        made_ms: START_MS + 30,
        decided: None,
        appeal: None,
    };
    let n = store.together.deed(Deed::Complain(complaint)).await.expect("kept");
    let decided = Decided {
        by: "cid".to_owned(),
        decision: Decision::ResetRatings,
        reason: String::new(),
        at_ms: START_MS + 40,
        until_ms: None,
    };
    let logged = Logged {
        n: 0,
        at_ms: START_MS + 40,
        by: "cid".to_owned(),
        act: "reset-ratings".to_owned(),
        about: Some("ann".to_owned()),
        detail: None,
        reason: None,
    };
    store.staff.decide(StaffDeed::Decide { n, decided }, logged, true).await.expect("decided");
    assert_eq!(store.games.ratings("ann").await, Ok(Vec::new()));
    assert_eq!(store.games.ratings("bob").await.expect("read").len(), 1, "nobody else's");
    store.condition.close().await;
    if common::is_postgres() {
        return;
    }
    assert_eq!(store::recompute_ratings(folder.path()).await, Ok(0), "to the bit, with the reset");
    spoil(&folder, "UPDATE rating SET rating = 1").await;
    assert!(store::recompute_ratings(folder.path()).await.expect("runs") > 0);
    let store = store_in(&folder).await;
    assert_eq!(store.games.ratings("ann").await, Ok(Vec::new()), "the old ratings do not come back");
    game(&store, "three", &setup, ["ann", "bob"], Some(Side::First), START_MS + 50).await;
    assert_eq!(store.games.ratings("ann").await.expect("read")[0].1.games, 1);
    store.condition.close().await;
    assert_eq!(store::recompute_ratings(folder.path()).await, Ok(0), "to the bit, after another game");
}

/// A curve has the last change of each day, and of each pool the last days.
#[tokio::test]
async fn a_curve_has_a_point_for_each_day() {
    const DAY_MS: u64 = 86_400_000;
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.condition.close().await;
    let mut wanted = BTreeMap::new();
    let mut rows = Vec::new();
    for (pool, days) in [("xiangqi:blitz", 1..=9_u64), ("renju:rapid", 4..=5)] {
        rows.push(format!("INSERT INTO rating VALUES ('ann', '{pool}', 1500, 99, 0.06, 9, 0)"));
        let mut points = Vec::new();
        for day in days {
            for game in 0..=day % 4 {
                let (n, at_ms) = (day * 10 + game, day * DAY_MS + game);
                let values = format!("'ann', '{pool}', {n}, 'game', {at_ms}, 0, 0, 0, {n}.5, 0, 0");
                rows.push(format!("INSERT INTO rating_change VALUES ({values})"));
            }
            points.push((day * DAY_MS + day % 4, (day * 10 + day % 4) as f64 + 0.5));
        }
        wanted.insert(Pool::read(pool).expect("a pool"), points);
    }
    common::sql(folder.path(), &rows.join(";")).await;
    let store = store_in(&folder).await;
    assert_eq!(store.games.curves("ann", 100).await.expect("reads"), wanted);
    for points in wanted.values_mut() {
        *points = points.split_off(points.len().saturating_sub(3));
    }
    assert_eq!(store.games.curves("ann", 3).await.expect("reads"), wanted);
    assert_eq!(store.games.curves("bob", 3).await.expect("reads"), BTreeMap::new());
}
