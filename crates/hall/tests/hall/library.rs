//! The library in a hall: own games are added automatically, collections are shown to those who may see them, and
//! positions of a running game are refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client::Guest;
use serde_json::{Value, json};
use wire::{Act, FoundGames, GameCollection, How, ImportedGames, LibraryGame, PlayedMoves};

use crate::house::{House, PATIENCE, done, gomoku, moves, soon, table_of};
use crate::rated::with_accounts;

async fn found(guest: &Guest, query: &str) -> FoundGames {
    let answer = guest.get(&format!("/api/library/games?{query}")).await.expect("an answer");
    serde_json::from_value(answer).expect("games")
}

/// Asks again until that many games are there: the hall looks for finished games now and then.
async fn games(guest: &Guest, query: &str, wanted: usize) -> FoundGames {
    let begun = std::time::Instant::now();
    loop {
        let now = found(guest, query).await;
        if now.games.len() == wanted {
            return now;
        }
        assert!(begun.elapsed() < PATIENCE, "{now:?}");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

/// A position of a running game cannot be looked up, neither by a player nor by others.
#[tokio::test]
async fn a_position_of_a_running_game_is_looked_up_by_nobody() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 i9 j10 h9 k8 i7 l9 j8").await;
    let place = "game=gomoku/freestyle&options=size=15&moves=h8,i9,j10,h9,k8,i7,l9,j8";
    for what in ["explore", "games"] {
        let path = format!("/api/library/{what}?{place}");
        let refused = house.get(&path).await;
        let text = refused.text().await.expect("a text");
        assert!(text.contains("position-in-play"), "{what}: {text}");
    }
    done(&mut seats[1], Act::Resign { side: None }).await;
    for what in ["explore", "games"] {
        assert_eq!(house.get(&format!("/api/library/{what}?{place}")).await.status(), 200, "{what}");
    }
}

#[tokio::test]
async fn finished_games_come_in_and_are_explored() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 i9 j10").await;
    let table = table_of(&seats[0]);
    let guest = house.guest().await;
    // While two play, the explorer does not show the moves of other games to anyone.
    let path = format!("/api/library/explore?table={table}&ply=2");
    let refused = house.get(&path).await;
    assert_eq!(refused.status(), 400);
    done(&mut seats[1], Act::Resign { side: None }).await;
    let all = games(&guest, "game=gomoku/freestyle", 1).await;
    assert_eq!(all.games[0].table.as_deref(), Some(&*table));
    assert_eq!((all.games[0].plies, all.games[0].result.as_str()), (3, "first"));
    // The position is found, and by a pattern, and what was played there.
    let at = found(&guest, &format!("table={table}&ply=2")).await;
    assert_eq!((at.hits, at.games[0].ply), (Some(1), 2));
    let pattern =
        found(&guest, "game=gomoku/freestyle&options=size=15&pieces=first:stone@h8,second:stone@i9").await;
    assert_eq!((pattern.hits, pattern.games[0].ply), (Some(1), 2));
    assert_eq!(
        found(&guest, "game=gomoku/freestyle&options=size=15&pieces=second:stone@h8").await.hits,
        Some(0)
    );
    let answer = guest.get(&path).await.expect("an answer");
    let explored: PlayedMoves = serde_json::from_value(answer).expect("moves");
    assert_eq!(explored.moves.len(), 1);
    assert_eq!((explored.moves[0].text.as_str(), explored.moves[0].first), ("j10", 1));
    let answer = guest.get(&format!("/api/library/games/{}", all.games[0].id)).await.expect("an answer");
    let game: LibraryGame = serde_json::from_value(answer).expect("a game");
    assert_eq!(game.moves, ["h8", "i9", "j10"]);
    assert_eq!((game.film.of, game.film.patches.len()), (3, 3));
    // After a restart nothing comes in twice.
    let mut house = house;
    house.restart().await;
    let guest = house.guest().await;
    games(&guest, "game=gomoku/freestyle", 1).await;
}

const FILE: &str = "Game: gomoku/standard\nFirst: <i>Ann</i>\nSecond: Bo\n\n1. h8 i9\n\nGame: gomoku/standard\n\n1. z99 h8\n";

async fn bring(guest: &Guest, key: &str) -> Result<ImportedGames, client::Error> {
    bring_file(guest, key, FILE).await
}

async fn bring_file(guest: &Guest, key: &str, file: &str) -> Result<ImportedGames, client::Error> {
    let wish = json!({"name": "games.txt", "content": STANDARD.encode(file)});
    let answer = guest.post(&["api", "library", "collections", key, "games"], &wish).await?;
    Ok(serde_json::from_value(answer).expect("what came of it"))
}

async fn make(guest: &Guest, name: &str, access: &str) -> Result<GameCollection, client::Error> {
    let answer = guest.post(&["api", "library"], &json!({"name": name, "access": access})).await?;
    Ok(serde_json::from_value(answer).expect("a collection"))
}

fn why<T: std::fmt::Debug>(answer: Result<T, client::Error>) -> String {
    match answer {
        Err(client::Error::Refused(why)) => why.key.into_owned(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn collections_are_seen_by_those_who_may() {
    let (house, [ann, bo]) = with_accounts(["Ann", "Bo"]).await;
    let guest = house.guest().await;
    assert_eq!(why(make(&guest, "Mine", "public").await), "library-needs-account");
    assert_eq!(why(make(&ann, "Mine", "anybody").await), "library-access");
    assert_eq!(why(make(&ann, "HALL", "public").await), "name-reserved");
    let own = make(&ann, "Own", "private").await.expect("made");
    let link = make(&ann, "Linked", "link").await.expect("made");
    assert!(link.key.len() > 20, "a link cannot be guessed: {}", link.key);
    for key in [&own.key, &link.key] {
        let told = bring(&ann, key).await.expect("brought");
        assert_eq!((told.read, told.added, told.refused, told.done), (2, 1, 1, true));
        assert_eq!((told.problems[0].number, told.problems[0].line), (2, 7));
        assert_eq!(why(bring(&bo, key).await).replace("no-collection", "not-yours"), "library-not-yours");
    }
    assert_eq!(found(&ann, "").await.games.len(), 2, "her own, and the one she shares");
    assert_eq!(found(&bo, "").await.games.len(), 0);
    let id = found(&ann, "").await.games[1].id;
    let seen = found(&bo, &format!("collection={}", link.key)).await;
    assert_eq!(seen.games.len(), 1, "by the link");
    assert_eq!(seen.games[0].players[0], "<i>Ann</i>", "as it was written");
    let plain = link.key.split('-').next().expect("a number");
    let guessed = bo.get(&format!("/api/library/games?collection={plain}")).await;
    assert_eq!(why(guessed), "library-no-collection", "not by its number");
    assert_eq!(why(bo.get(&format!("/api/library/games/{id}")).await), "library-no-game");
    assert_eq!(why(bo.get(&format!("/api/library/games/{id}/record")).await), "library-no-game");
    assert!(ann.get(&format!("/api/library/games/{id}")).await.is_ok());
    assert!(bo.delete(&format!("/api/library/collections/{}", own.key)).await.is_err());
    ann.delete(&format!("/api/library/collections/{}", own.key)).await.expect("deleted");
    assert_eq!(found(&ann, "").await.games.len(), 1);
}

/// A game lists how it was opened, also from the usual start.
#[tokio::test]
async fn a_game_says_how_it_was_opened() {
    let (_house, [ann, _]) = with_accounts(["Ann", "Bo"]).await;
    let own = make(&ann, "Own", "private").await.expect("made");
    let fen = "3ak4/4a4/9/9/9/9/9/9/4A4/R3KA3 w - - 0 1";
    let file = format!(
        "Game: gomoku/freestyle\nOptions: ranks=19 size=19\n\n1. h8 i9\n\nGame: xiangqi\nStart: {fen}\n\n1. a0a9\n"
    );
    assert_eq!(bring_file(&ann, &own.key, &file).await.expect("brought").added, 2);
    for (game, options, moves) in [("gomoku/freestyle", "ranks=19,size=19", "h8"), ("xiangqi", "", "")] {
        let id = found(&ann, &format!("game={game}")).await.games[0].id;
        let answer = ann.get(&format!("/api/library/games/{id}")).await.expect("an answer");
        let told: LibraryGame = serde_json::from_value(answer).expect("a game");
        let opened: Vec<String> = told.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(opened.join(","), options);
        let fen = told.fen.unwrap_or_default().replace(' ', "%20");
        assert_eq!(fen.is_empty(), game != "xiangqi", "{fen}");
        let path = format!("/api/library/explore?game={game}&options={options}&fen={fen}&moves={moves}");
        let played: PlayedMoves =
            serde_json::from_value(ann.get(&path).await.expect("an answer")).expect("moves");
        assert_eq!(played.games, 1, "{path}");
    }
}

/// A book of three rows, one of them for no position that comes about; it was written with a log beside it.
const BOOK: &[u8] = include_bytes!("../data/small.obk");

async fn bring_bytes(
    guest: &Guest,
    key: &str,
    name: &str,
    bytes: &[u8],
) -> Result<ImportedGames, client::Error> {
    let wish = json!({"name": name, "content": STANDARD.encode(bytes)});
    let answer = guest.post(&["api", "library", "collections", key, "games"], &wish).await?;
    Ok(serde_json::from_value(answer).expect("what came of it"))
}

/// Opening books of other programs can be imported over HTTP and explored by others.
#[tokio::test]
async fn opening_books_come_in_and_are_explored() {
    let (_house, [ann, bo]) = with_accounts(["Ann", "Bo"]).await;
    let own = make(&ann, "Books", "public").await.expect("made");
    let told = bring_bytes(&ann, &own.key, "small.obk", BOOK).await.expect("brought");
    assert_eq!((told.read, told.book_moves, told.book_refused, told.done), (0, 2, 1, true));
    assert_eq!(told.problems[0].why.key, "book-unmet");
    let path = "/api/library/explore?game=xiangqi";
    let explored: PlayedMoves =
        serde_json::from_value(bo.get(path).await.expect("an answer")).expect("moves");
    let found: Vec<_> = explored.moves.iter().map(|m| (&*m.text, m.games, m.first, m.value)).collect();
    assert!(
        found.contains(&("h2e2", 10, 5, Some(30))) && found.contains(&("c3c4", 3, 1, Some(-10))),
        "{found:?}"
    );
    // Others are told of a collection that has a book alone, and only then.
    let listed: Vec<GameCollection> =
        serde_json::from_value(bo.get("/api/library").await.expect("an answer")).expect("collections");
    assert!(
        listed.iter().any(|found| found.name == "Books" && found.has_book && found.games == 0),
        "{listed:?}"
    );
    for (name, bytes) in [("cut.obk", &BOOK[..600]), ("head.obk", &BOOK[..16])] {
        assert_eq!(why(bring_bytes(&ann, &own.key, name, bytes).await), "book-file", "{name}");
    }
}

#[tokio::test]
async fn odd_questions_are_answered_in_words() {
    let house = House::open().await;
    for (query, key) in [
        ("games?game=chess&moves=e4", "unknown-game"),
        ("games?game=xiangqi&moves=h2e9", "illegal-move"),
        ("games?game=xiangqi&pieces=king", "library-piece"),
        ("games?after=x-y", "bad-query"),
        ("games?collection=99", "library-no-collection"),
        ("explore?table=nobody0", "no-such-table"),
        ("games/999", "library-no-game"),
    ] {
        let answer = house.get(&format!("/api/library/{query}")).await;
        assert!(answer.status().is_client_error(), "{query}");
        let body: Value = serde_json::from_str(&soon(answer.text()).await.expect("text")).expect("JSON");
        let told = body["error"]["key"].as_str().expect("a key").to_owned();
        assert!(told == key || key == "illegal-move" && body["error"]["args"].is_object(), "{query}: {told}");
    }
}
