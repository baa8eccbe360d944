//! Saved games that the reference program was given, loaded by the native API.

use kernel::laws::Random;
use kernel::{Notation, Position};
use locked::{Locked, json::state_json};
use records::locked_chess::loads_game;
use serde_json::Value;

/// Loaded by the reference through Python's loose equality; refused here (docs/rules/locked.md §7).
const LOOSE: &str = "odd-";

/// The key of the problem of each case that does not load, the loose ones included.
const REFUSED: &[(&str, &str)] = &[
    ("odd-number-float", "locked-bad-step"),
    ("odd-cell-True", "locked-bad-cell"),
    ("odd-coord-True", "locked-coordinate-not-int"),
    ("not-json", "locked-unreadable"),
    ("empty-string", "locked-unreadable"),
    ("json-list", "locked-unreadable"),
    ("json-number", "locked-unreadable"),
    ("single-quoted-python-dict", "locked-unreadable"),
    ("trailing-comma", "locked-unreadable"),
    ("truncated", "locked-unreadable"),
    ("missing-operation_number", "locked-not-started"),
    ("missing-operation_oppsite", "locked-not-started"),
    ("neither-board-key", "locked-no-board"),
    ("both-board-keys", "locked-two-boards"),
    ("all_locate-11-rows", "locked-board-not-twelve-rows"),
    ("all_locate-13-rows", "locked-board-not-twelve-rows"),
    ("all_locate-short-row", "locked-row-not-twelve"),
    ("all_locate-value-str", "locked-bad-cell"),
    ("all_locate-syntax", "locked-unreadable"),
    ("all_locate-empty", "locked-unreadable"),
    ("all_locate-flat", "locked-board-not-twelve-rows"),
    ("all_locate-int", "locked-board-not-twelve-rows"),
    ("two-white", "locked-too-few-stones"),
    ("number-string", "locked-bad-step"),
    ("number-null", "locked-bad-step"),
    ("oppsite-black", "locked-bad-side"),
    ("oppsite-empty", "locked-bad-side"),
    ("oppsite-null", "locked-bad-side"),
    ("last-direction-at-1", "locked-axis-misfit"),
    ("last-direction-none-at-2", "locked-axis-misfit"),
    ("last-direction-ud-at-2", "locked-axis-misfit"),
    ("choose-empty-cell", "locked-chosen-misfit"),
    ("choose-enemy-5", "locked-chosen-misfit"),
    ("choose-list", "locked-chosen-misfit"),
    ("choose-not-string", "locked-unreadable"),
    ("choose-syntax", "locked-unreadable"),
    ("choose-unquoted-colour", "locked-unreadable"),
    ("game-empty-braces", "locked-stones-not-set"),
    ("game-set-call", "locked-too-few-stones"),
    ("game-not-string", "locked-unreadable"),
    ("game-items-int", "locked-stone-not-tuple"),
    ("game-item-string", "locked-stone-not-tuple"),
    ("game-pair", "locked-stone-not-triple"),
    ("game-coord-str", "locked-coordinate-not-int"),
    ("game-coord-float", "locked-coordinate-not-int"),
    ("game-colour-en", "locked-unknown-colour"),
    ("game-two-each", "locked-too-few-stones"),
    ("game-syntax", "locked-unreadable"),
    ("game-name", "locked-unreadable"),
    ("game-unhashable", "locked-unreadable"),
    ("game-quote-in-item", "locked-stone-not-tuple"),
    ("game-newline-in-item", "locked-stone-not-tuple"),
];

#[test]
fn recorded_loads() {
    let mut refused = Vec::new();
    for line in include_str!("data/locked/loads_game.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (name, input) = (row["name"].as_str().unwrap().to_owned(), row["input"].as_str().unwrap());
        let loaded = loads_game(input);
        let expected = row["class"]["ok"] == true && !name.starts_with(LOOSE);
        assert_eq!(loaded.is_ok(), expected, "{name}: {loaded:?}");
        match loaded {
            Ok(pos) => assert_eq!(pos.fen(), row["class"]["fen"].as_str().unwrap(), "{name}"),
            Err(error) => refused.push((name, error.problem().key)),
        }
    }
    let expected: Vec<_> = REFUSED.iter().map(|&(name, key)| (name.to_owned(), key)).collect();
    assert_eq!(refused, expected);
}

/// A saved game with a fault in the row named and in each row after it is refused for that row. §8.
#[test]
fn the_earliest_row_is_named() {
    let stones = |odd: &str| format!("{{(1, 1, '黑'), {odd}, (5, 5, '黑'), (1, 1, '白')}}");
    let faults = [
        ("[1]".to_owned(), "locked-stones-not-set"),
        (stones("(1, 2), ('a', 1, 1), 7"), "locked-stone-not-tuple"),
        (stones("('a', 1, 1), (1, 2)"), "locked-stone-not-triple"),
        (stones("(0, 1, '黑'), (1, 'a', 1)"), "locked-coordinate-not-int"),
        (stones("(1, 1, 'x'), (1, 0, '黑')"), "locked-off-board"),
        (stones("(1, 1, '黑'), (1, 2, 'x')"), "locked-unknown-colour"),
        (stones("(2, 2, '黑')"), "locked-shared-square"),
        ("{(1, 1, '黑')}".to_owned(), "locked-too-few-stones"),
    ];
    let good = "{(1, 1, '黑'), (1, 2, '黑'), (1, 3, '黑'), (5, 5, '白'), (6, 6, '白'), (7, 7, '白')}";
    let text = |game: &str, number: &str, oppsite: &str, direction: &str, choose: &str| {
        let value = |text: &str| serde_json::to_string(text).unwrap();
        format!(
            r#"{{"game": {}, "operation_number": {number}, "operation_oppsite": {oppsite},
            "operation_last_direction": {}, "choose_chess_locate": {}}}"#,
            value(game),
            value(direction),
            value(choose)
        )
    };
    let key = |text: &str| loads_game(text).map(|pos| pos.fen()).map_err(|e| e.problem().key);
    for (game, expected) in faults {
        assert_eq!(key(&text(&game, "6", "1", "x", "3")), Err(expected), "{game}");
    }
    for (number, oppsite, direction, choose, expected) in [
        ("6", "1", "x", "3", Err("locked-bad-step")),
        ("4", "1", "x", "3", Err("locked-bad-side")),
        ("4", "\"黑\"", "上下", "3", Err("locked-axis-misfit")),
        ("4", "\"黑\"", "无", "3", Err("locked-chosen-misfit")),
        ("4", "\"黑\"", "无", "无", Err("locked-chosen-misfit")),
        ("3", "\"黑\"", "无", "(1, 2, '黑')", Err("locked-chosen-misfit")),
        ("4", "\"黑\"", "无", "(5, 5, '白')", Err("locked-chosen-misfit")),
        ("4", "\"黑\"", "无", "(5, 5, '黑')", Err("locked-chosen-misfit")),
        (
            "4",
            "\"黑\"",
            "无",
            "(1, 2, '黑')",
            Ok("b11/b11/b11/12/4w7/5w6/6w5/12/12/12/12/12 b 4 - a2".to_owned()),
        ),
    ] {
        assert_eq!(key(&text(good, number, oppsite, direction, choose)), expected, "{number} {choose}");
    }
}

#[test]
fn the_last_of_equal_keys_counts() {
    let good = state_json(&Locked::default());
    let twice = good.replacen('{', "{\"operation_number\": 9, ", 1);
    assert_eq!(loads_game(&twice), Ok(Locked::default()));
    let twice = format!("{}, \"operation_number\": 9}}", good.strip_suffix('}').unwrap());
    assert_eq!(loads_game(&twice).map_err(|e| e.problem().key), Err("locked-bad-step"));
}

#[test]
fn a_shared_square_names_its_stones() {
    let text = r#"{"choose_chess_locate": "无", "operation_last_direction": "无", "operation_number": 1,
        "operation_oppsite": "黑", "game": "{(2, 2, '黑'), (4, 4, '白'), (3, 3, '白'), (4, 4, '黑')}"}"#;
    let shared = "locked-shared-square at=\"(4, 4)\" stones=\"((4, 4, '白'), (4, 4, '黑'))\"";
    assert_eq!(loads_game(text).unwrap_err().to_string(), shared);
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random(3);
    let mut pos = Locked::default();
    for _ in 0..500 {
        assert_eq!(loads_game(&state_json(&pos)), Ok(pos));
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        match moves.len() {
            0 => pos = Locked::default(),
            n => pos.play(moves[random.below(n)]),
        }
    }
}

/// Changed texts load or are refused.
#[test]
fn mutated_texts_never_panic() {
    let good = state_json(&Locked::default());
    let letters: Vec<char> = "[](){}'\",:\\un0123456789-.e 黑TrueNone".chars().collect();
    let mut random = Random(5);
    for _ in 0..5_000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            text[at] = letters[random.below(letters.len())];
        }
        let text: String = text.into_iter().collect();
        if let Ok(pos) = loads_game(&text) {
            assert_eq!(loads_game(&state_json(&pos)), Ok(pos), "{text}");
        }
        let _ = records::locked_chess::literal::parse(&text);
    }
}

/// The text of `return_game()` is a format like the others, for reading and for writing.
#[test]
fn a_saved_game_is_a_format() {
    use records::{Format, Record, detect, pasted, read, write};
    let mut random = Random(3);
    let mut pos = Locked::default();
    for _ in 0..300 {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let text = state_json(&pos);
        assert_eq!(detect(text.as_bytes()), Some(Format::Locked));
        let record = read(Format::Locked, text.as_bytes()).unwrap();
        let start = record.start.clone();
        assert_eq!(start, Some(pos.fen()).filter(|fen| *fen != Locked::default().fen()));
        assert_eq!(write(Format::Locked, &record), Ok(text.clone().into_bytes()));
        assert_eq!(pasted("locked", &text).map(|fen| fen.map(String::from)), Ok(start));
        let Some(m) = moves.get(random.below(moves.len().max(1))) else { break };
        pos.play(*m);
    }
    let ours = write(Format::Json, &Record { game: "locked".to_owned(), ..Record::default() }).unwrap();
    assert_eq!(detect(&ours), Some(Format::Json));
    let text = state_json(&Locked::default());
    assert_eq!(pasted("xiangqi", &text).unwrap_err().key, "pasted-other-game");
    assert_eq!(
        pasted("locked", &text.replace("\"operation_number\": 1", "\"operation_number\": 9"))
            .unwrap_err()
            .key,
        "locked-bad-step"
    );
    assert_eq!(
        pasted("xiangqi", "4k4/9 w").unwrap().as_deref(),
        Some("4k4/9 w"),
        "a FEN is the game's to read"
    );
}
