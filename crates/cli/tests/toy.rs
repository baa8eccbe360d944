//! A game that nothing here knows is played through the hall, on the page's data and in the terminal, with no line of them
//! written for it. Fails when one of them asks which game it is playing.

#[path = "../../kernel/tests/kernel/fill.rs"]
#[allow(dead_code, reason = "its flaws are for the tests of the laws")]
mod fill;

use std::sync::Arc;

use catalog::Entry;
use client::{Answer, Guest, Seat};
use edge::limits::Limits;
use edge::reach::Reach;
use kernel::Side;
use serde_json::Value;
use thinking::Foreign;
use wire::{Act, ClockSpec, CreateTable, How};

const KEY: &str = "toy";

/// Puts the toy on the shelf, as a program that brings a game of its own would.
fn shelf() {
    let toy =
        Entry::new(KEY, KEY, ["black", "white"], &[], |_, fen| kernel::any_at(fill::Fill::start(), fen));
    // Tests share a process; the second one finds the game there.
    let _ = catalog::ENTRIES.add(vec![toy]);
    assert_eq!(catalog::find(KEY).expect("is on the shelf").family, KEY);
}

#[test]
fn games_are_added_once_and_not_twice() {
    shelf();
    let again = Entry::new("toy/two", KEY, ["black", "white"], &[], |_, fen| {
        kernel::any_at(fill::Fill::start(), fen)
    });
    assert!(catalog::ENTRIES.add(vec![again]).is_err());
    let known = Entry::new("xiangqi", KEY, ["black", "white"], &[], |_, fen| {
        kernel::any_at(fill::Fill::refusing_set_ups(), fen)
    });
    assert!(catalog::ENTRIES.add(vec![known]).is_err());
    assert_eq!(catalog::ENTRIES.iter().filter(|entry| entry.family == KEY).count(), 1);
}

/// Sends an act of one of them, and waits until both know its outcome.
async fn done(seats: &mut [Seat; 2], by: usize, act: Act) {
    let ver = match seats[by].wish(act).await.expect("the protocol is kept") {
        Answer::Done(ver) => ver,
        Answer::Refused(why) => panic!("{}", why.key),
    };
    for seat in seats {
        while seat.view.is_none() || seat.ver < ver {
            seat.hear().await.expect("the protocol is kept");
        }
    }
}

#[tokio::test]
async fn the_hall_and_the_page_play_it() {
    shelf();
    let folder = tempfile::tempdir().expect("a folder");
    let listen = ([127, 0, 0, 1], 0).into();
    let running = hall::serve(hall::Settings {
        listen,
        admin: Some(listen),
        data: folder.path().to_owned(),
        reach: Reach::default(),
        limits: Limits { on: false, ..Limits::default() },
        loader: None,
        foreign: Foreign::default(),
        notices: members::notices::NoticeSettings::default(),
        tls: None,
        mail: None,
        openid: None,
        shared: None,
        waiting: |_| {},
        keep: Default::default(),
    })
    .await
    .expect("the hall opens");
    let base = format!("http://{}", running.address);

    let guests =
        [Guest::enter(&base).await.expect("is let in"), Guest::enter(&base).await.expect("is let in")];
    // What the page draws the game with.
    let games = guests[0].get("/api/games").await.expect("is there");
    let listed = games.as_array().or(games["games"].as_array()).expect("a list");
    let toy = listed.iter().find(|game| game["key"] == KEY).expect("the page is told of it");
    assert_eq!((&toy["board"]["files"], &toy["view"]["moves"]), (&Value::from(3), &Value::from("empty")));
    assert_eq!(toy["formats"], serde_json::json!(["json", "text"]));

    let wish = CreateTable {
        game: KEY.to_owned(),
        options: std::collections::BTreeMap::new(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::None,
        side: Some(Side::First),
        opponent: None,
        rated: false,
    };
    let [one, two] = guests;
    let id = one.open(&wish).await.expect("a table").id;
    let mut seats = [Seat::new(one, &id), Seat::new(two, &id)];
    for seat in &mut seats {
        seat.hear().await.expect("the table is told");
    }
    done(&mut seats, 1, Act::Sit { side: None }).await;
    for (ply, text) in ["a1", "c1", "b1"].into_iter().enumerate() {
        done(&mut seats, ply % 2, Act::Move { text: text.to_owned(), away: false }).await;
    }
    let view = seats[0].view.as_ref().expect("a board");
    assert_eq!(
        view.outcome.as_ref().map(|end| (&*end.reason, end.winner)),
        Some(("full", Some(Side::First)))
    );
    assert_eq!(view.pieces.len(), 3);

    // The record the hall writes is read back and played again.
    let file = reqwest::get(format!("{base}/api/tables/{id}/record?format=json")).await.expect("answers");
    let record =
        records::read(records::Format::Json, &file.bytes().await.expect("a file")).expect("a record");
    let replayed = record.replay(kernel::any(fill::Fill::start())).expect("the same moves");
    assert_eq!(replayed.record(), ["a1", "c1", "b1"]);
    running.stop().await;
}

#[test]
fn the_terminal_plays_it() {
    shelf();
    let settings = tui::Settings {
        language: texts::Language::English,
        paint: tui::Paint {
            theme: tui::Theme::Ascii,
            depth: tui::Depth::None,
            directions: true,
            targets: true,
        },
        players: Arc::new(tui::opponent::OwnEngines),
        loader: None,
        author: None,
        folder: std::env::temp_dir(),
        trust: None,
    };
    let opening = tui::Opening::of(KEY, &catalog::Options::new()).expect("a game");
    let start = tui::Start::Game(Box::new(opening), [None; 2]);
    let mut output = Vec::new();
    tui::plain::run(settings, start, "b1\nb1\na1\nc1\n".as_bytes(), &mut output).expect("plays");
    let output = String::from_utf8(output).expect("text");
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines[1].starts_with("Black played b1. White to move"), "{output}");
    assert!(!lines[2].contains("played b1. Black"), "a filled cell is refused: {output}");
    assert!(lines[4].contains("The game is over, Black wins"), "{output}");
}
