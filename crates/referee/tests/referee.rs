//! The contract of `docs/referee.md`: requests and answers.

use std::io::Cursor;

use kernel::laws::Random;
use serde_json::{Value, json};

/// Returns the answer to one request; a game that needs a map gets one.
fn ask(request: &Value) -> Value {
    let mut request = request.clone();
    let needs_map = |key: &str| catalog::find(key).is_ok_and(catalog::Entry::needs_map);
    if request["map"].is_null() && request["game"].as_str().is_some_and(needs_map) {
        request["map"] = json!(SAMPLE);
    }
    said(&request.to_string())
}

/// The map for games that need one.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx");

fn said(line: &str) -> Value {
    let answer = referee::answer(line, None);
    assert!(!answer.contains('\n'), "an answer is one line: {answer}");
    serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {answer}"))
}

/// Returns all answers to these bytes.
fn serve(input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    referee::serve(Cursor::new(input), &mut output, None).expect("nothing breaks");
    let text = String::from_utf8(output).expect("answers are UTF-8");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn what_cannot_be_answered_is_refused_by_kind() {
    let five = ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"];
    let after = |more: &'static str| [&five[..], &[more]].concat();
    let many = vec!["h8"; 20_001];
    let standard = |more: Value| {
        let mut request = json!({"game": "gomoku/standard"});
        request.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        request
    };
    for (name, request, kind, at) in [
        ("no object: a list", json!(["x", "gomoku/standard"]), "bad-request", None),
        ("no object: a number", json!(7), "bad-request", None),
        ("no object: null", json!(null), "bad-request", None),
        ("no game", json!({}), "bad-request", None),
        ("a game that is a number", json!({"game": 1}), "bad-request", None),
        ("moves that are no list", standard(json!({"moves": "h8"})), "bad-request", None),
        ("a move that is a number", standard(json!({"moves": [1]})), "bad-request", None),
        ("a FEN that is a list", standard(json!({"fen": []})), "bad-request", None),
        ("asks that are no list", standard(json!({"ask": "fen"})), "bad-request", None),
        ("an unknown question", standard(json!({"ask": ["weather"]})), "bad-request", None),
        ("every_ply that is a number", standard(json!({"every_ply": 1})), "bad-request", None),
        ("a negative depth", standard(json!({"perft": -1})), "bad-request", None),
        ("a depth and a half", standard(json!({"perft": 1.5})), "bad-request", None),
        ("an endless depth", standard(json!({"perft": 1_u64 << 40})), "bad-request", None),
        ("an unknown option", standard(json!({"options": {"colour": 1}})), "bad-request", None),
        ("a huge board", standard(json!({"options": {"size": 27}})), "bad-request", None),
        (
            "an opening that the board is too small for",
            standard(json!({"options": {"size": 6, "opening": 1}})),
            "bad-request",
            None,
        ),
        ("a choice without an opening", standard(json!({"moves": ["h8", "swap"]})), "illegal-move", Some(1)),
        (
            "a choice that is not offered",
            standard(json!({"options": {"opening": 4}, "moves": ["h8", "h9", "i8", "two"]})),
            "illegal-move",
            Some(3),
        ),
        ("a best without a limit", standard(json!({"best": {}})), "bad-request", None),
        ("a best that is a number", standard(json!({"best": 7})), "bad-request", None),
        ("a limit nobody knows", standard(json!({"best": {"hours": 7}})), "bad-request", None),
        ("level 0", standard(json!({"best": {"level": 0}})), "bad-request", None),
        ("level 11", standard(json!({"best": {"level": 11}})), "bad-request", None),
        ("an hour for a move", standard(json!({"best": {"ms": 3_600_000}})), "limit", None),
        ("too many lines", standard(json!({"best": {"nodes": 1, "lines": 65}})), "limit", None),
        ("an unknown game", json!({"game": "chess"}), "unknown-game", None),
        ("an unknown variant", json!({"game": "gomoku"}), "unknown-game", None),
        ("an empty FEN", standard(json!({"fen": ""})), "bad-fen", None),
        ("a FEN of another game", standard(json!({"fen": "8/8 w - -"})), "bad-fen", None),
        ("a long FEN", standard(json!({"fen": "1".repeat(5_000)})), "bad-fen", None),
        ("off the board", standard(json!({"moves": ["p1"]})), "illegal-move", Some(0)),
        ("a taken point", standard(json!({"moves": ["h8", "h9", "h8"]})), "illegal-move", Some(2)),
        ("no move", standard(json!({"moves": ["h8", ""]})), "illegal-move", Some(1)),
        ("a move after the end", standard(json!({"moves": after("h8")})), "game-over", Some(9)),
        ("nonsense after the end", standard(json!({"moves": after("nonsense")})), "game-over", Some(9)),
        (
            "and with every ply",
            standard(json!({"moves": after("h8"), "every_ply": true})),
            "game-over",
            Some(9),
        ),
        ("too many moves", standard(json!({"moves": many})), "limit", None),
        ("too deep", standard(json!({"perft": 9})), "limit", None),
        ("much too deep", standard(json!({"perft": u32::MAX})), "limit", None),
    ] {
        let mut request = request;
        if let Some(fields) = request.as_object_mut() {
            fields.insert("id".to_owned(), json!(name));
        }
        let answer = ask(&request);
        assert_eq!(answer["error"]["kind"], kind, "{name}: {answer}");
        assert_eq!(answer["error"]["at"].as_u64(), at, "{name}: {answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{name}: {answer}");
        assert_eq!(answer.get("id").is_some(), request.is_object(), "{name}: {answer}");
        assert!(answer.as_object().expect("an object").keys().all(|k| k == "error" || k == "id"), "{name}");
    }
}

#[test]
fn an_id_comes_back_whatever_it_is() {
    let ids = [
        json!(1),
        json!("x"),
        json!(null),
        json!([1, {"a": []}]),
        json!(1.5),
        json!({"id": 2}),
        json!(false),
    ];
    for id in ids {
        for request in [
            json!({"id": id, "game": "gomoku/standard"}),
            json!({"id": id, "game": "chess"}),
            json!({"id": id, "game": "gomoku/standard", "moves": 5}),
        ] {
            assert_eq!(ask(&request).get("id"), Some(&id), "{request}");
        }
    }
    assert_eq!(ask(&json!({"game": "gomoku/standard"})).get("id"), None, "none where none was asked");
}

#[test]
fn what_is_asked_is_told_and_nothing_else() {
    let told = |request: Value| {
        let answer = ask(&request);
        let keys: Vec<String> = answer.as_object().expect("an object").keys().cloned().collect();
        (answer, keys)
    };
    for entry in catalog::ENTRIES.iter() {
        let (usual, keys) = told(json!({"game": entry.key}));
        assert_eq!(keys, ["fen", "moves", "outcome", "turn"], "{}", entry.key);
        assert_eq!(usual["turn"], "first");
        assert_eq!(usual["outcome"], Value::Null);
        let again = ask(&json!({"game": entry.key, "fen": usual["fen"]}));
        assert_eq!(again, usual, "{}: the start's own FEN", entry.key);
        for question in ["fen", "turn", "moves", "outcome", "texts", "view", "forbidden", "facts"] {
            let (answer, keys) = told(json!({"game": entry.key, "ask": [question]}));
            assert_eq!(keys, [question], "{}", entry.key);
            let fits = match question {
                "fen" | "turn" => answer[question].is_string(),
                "moves" => answer[question].is_array(),
                "outcome" => answer[question].is_null(),
                _ => answer[question].is_object(),
            };
            assert!(fits, "{}: {answer}", entry.key);
        }
        let (view, _) = told(json!({"game": entry.key, "ask": ["view"]}));
        assert!(serde_json::from_value::<wire::View>(view["view"]["position"].clone()).is_ok());
        let (_, none) = told(json!({"game": entry.key, "ask": []}));
        assert!(none.is_empty(), "{none:?}");
        let (counted, keys) = told(json!({"game": entry.key, "perft": 1}));
        assert_eq!(keys, ["perft"]);
        assert_eq!(counted["perft"].as_u64(), usual["moves"].as_array().map(|m| m.len() as u64));
        let (both, keys) = told(json!({"game": entry.key, "perft": 0, "ask": ["fen"]}));
        assert_eq!((both["perft"].as_u64(), keys.len()), (Some(1), 2));
    }
    let texts = ask(&json!({"game": "gomoku/standard", "ask": ["texts"]}));
    assert!(texts["texts"]["h8"].is_object(), "{texts}");
}

#[test]
fn every_ply_is_told_as_if_asked_alone() {
    for entry in catalog::ENTRIES.iter() {
        let mut random = Random(3);
        let mut line: Vec<String> = Vec::new();
        for _ in 0..30 {
            let now = ask(&json!({"game": entry.key, "moves": line}));
            let moves = now["moves"].as_array().expect("a list").clone();
            if moves.is_empty() {
                break;
            }
            line.push(moves[random.below(moves.len())].as_str().expect("a text").to_owned());
        }
        let film = ask(&json!({"game": entry.key, "moves": line, "every_ply": true}));
        let plies = film["plies"].as_array().expect("a list");
        assert_eq!(plies.len(), line.len() + 1);
        for (i, ply) in plies.iter().enumerate() {
            assert_eq!(*ply, ask(&json!({"game": entry.key, "moves": line[..i]})), "{} ply {i}", entry.key);
        }
    }
}

#[test]
fn a_game_that_ended_says_how() {
    let line = ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5"];
    let answer = ask(&json!({"game": "gomoku/standard", "moves": line}));
    assert_eq!(answer["outcome"], json!({"winner": "first", "reason": "five-in-a-row"}));
    assert_eq!(answer["moves"], json!([]));
    assert_eq!(ask(&json!({"game": "gomoku/standard", "moves": line, "perft": 1}))["perft"], 0);
}

#[test]
fn locked_chess_tells_its_state() {
    let answer = ask(&json!({"game": "locked", "ask": ["facts"]}));
    let state = answer["facts"]["state_json"].as_str().expect("a text");
    assert!(serde_json::from_str::<Value>(state).is_ok(), "{state}");
}

#[test]
fn bad_lines_are_answered_and_the_next_is_read() {
    let good: &[u8] = b"{\"id\":9,\"game\":\"gomoku/standard\",\"ask\":[\"turn\"]}\n";
    let long = [b"{\"id\":1,\"x\":\"".as_slice(), &vec![b'x'; 2 << 20], b"\"}\n"].concat();
    let deep = format!("{{\"id\":{}1{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    for (name, line, kind) in [
        ("no JSON", b"hello\n".as_slice(), Some("bad-request")),
        ("half of it", b"{\"game\":\n", Some("bad-request")),
        ("two on a line", b"{} {}\n", Some("bad-request")),
        ("no UTF-8", b"{\"game\":\"\xff\xfe\"}\n", Some("unknown-game")),
        ("a NUL", b"\0\n", Some("bad-request")),
        ("a byte order mark", b"\xef\xbb\xbf{}\n", Some("bad-request")),
        ("too long", &long, Some("limit")),
        ("too deep", deep.as_bytes(), Some("bad-request")),
        ("a number beyond numbers", b"{\"game\":1e999}\n", Some("bad-request")),
        ("half a surrogate", b"{\"game\":\"\\ud800\"}\n", Some("bad-request")),
        ("an empty line", b"\n", None),
        ("white space", b"  \t \r\n", None),
        ("the line end of Windows", b"{}\r\n", Some("bad-request")),
    ] {
        let answers = serve(&[line, good].concat());
        let wanted = 1 + usize::from(kind.is_some());
        assert_eq!(answers.len(), wanted, "{name}: {answers:?}");
        if let Some(kind) = kind {
            assert_eq!(answers[0]["error"]["kind"], kind, "{name}: {}", answers[0]);
        }
        assert_eq!(answers.last(), Some(&json!({"id": 9, "turn": "first"})), "{name}");
    }
    let no_end = &good[..good.len() - 1];
    assert_eq!(serve(no_end).len(), 1, "the last line needs no end");
    assert_eq!(serve(b""), [] as [Value; 0]);
    let just: Vec<u8> = [b"{\"id\":\"".as_slice(), &vec![b'x'; (1 << 20) - 9], b"\"}\n"].concat();
    assert_eq!(serve(&just)[0]["error"]["kind"], "bad-request", "a line as long as may be is read");
}

#[test]
fn nothing_that_is_sent_ends_the_process() {
    let mut seeds = vec![
        json!({"id": [1], "game": "gomoku/standard", "moves": ["h8", "h9"], "ask": ["texts", "view", "facts"]}).to_string(),
        json!({"id": 1, "game": "locked", "options": {"turn-limit": 3}, "every_ply": true, "moves": ["u", "l"]}).to_string(),
        json!({"game": "gomoku/freestyle", "options": {"size": 5}, "perft": 2, "fen": "5/5/5/5/5 b"}).to_string(),
    ];
    for entry in catalog::ENTRIES.iter() {
        let fen = ask(&json!({"game": entry.key}))["fen"].clone();
        seeds.push(
            json!({"game": entry.key, "fen": fen, "ask": ["outcome", "forbidden", "moves"]}).to_string(),
        );
    }
    let tokens: [&[u8]; 14] = [
        b"null",
        b"-1",
        b"1e400",
        b"[]",
        b"{}",
        b"\"\"",
        b"\\u0000",
        b"99999999999",
        b"/",
        b"\xff",
        b"b",
        b"w",
        b"25",
        b"\n",
    ];
    let mut random = Random(20_261_121);
    let mut input = Vec::new();
    for _ in 0..6_000 {
        let mut line = seeds[random.below(seeds.len())].clone().into_bytes();
        for _ in 0..=random.below(4) {
            if line.is_empty() {
                break;
            }
            let at = random.below(line.len());
            match random.below(5) {
                0 => line[at] = random.bits().to_le_bytes()[0],
                1 => drop(line.remove(at)),
                2 => line.truncate(at.max(1)),
                3 => drop(line.splice(at..at, tokens[random.below(tokens.len())].iter().copied())),
                _ => line[at] = line[random.below(line.len())],
            }
        }
        input.extend(line);
        input.push(b'\n');
    }
    input.extend(b"{\"id\":\"the last\"}\n");
    let answers = serve(&input);
    assert_eq!(answers.last().expect("answers")["id"], "the last");
    assert!(answers.len() > 5_000);
    // Most of them are understood at least in part.
    assert!(answers.iter().filter(|a| a.get("error").is_none()).count() > 100);
}

/// An opening is played like other moves, and the turn is that of the player who decides, also after colours were
/// exchanged.
#[test]
fn an_opening_is_played_like_any_moves() {
    let line = ["h8", "h9", "c3", "two", "d4", "l12", "white"];
    let request =
        json!({"game": "gomoku/standard", "options": {"opening": 5}, "moves": line, "every_ply": true});
    let answer: Value = serde_json::from_str(&referee::answer(&request.to_string(), None)).unwrap();
    let turns = answer["plies"].as_array().unwrap().iter().map(|ply| ply["turn"].as_str().unwrap());
    let turns: Vec<&str> = turns.collect();
    // Who took White puts the sixth stone.
    let expected = ["first", "first", "first", "second", "second", "second", "first", "first"];
    assert_eq!(turns, expected, "{answer}");
    let fen = answer["plies"][7]["fen"].as_str().unwrap();
    assert!(fen.ends_with(" w swapped"), "{fen}");
    let request = json!({"game": "gomoku/standard", "options": {"opening": 5}, "fen": fen, "moves": ["a1"]});
    let answer: Value = serde_json::from_str(&referee::answer(&request.to_string(), None)).unwrap();
    assert_eq!(answer["turn"], "second", "{answer}");
}

#[test]
fn forbidden_points_of_renju() {
    let fen = "15/15/15/15/15/15/7bb6/9b5/9b5/15/15/15/15/15/15 b";
    let answer = ask(&json!({"game": "gomoku/renju", "fen": fen, "ask": ["forbidden", "moves"]}));
    assert_eq!(answer["forbidden"], json!({"j9": "double-three"}));
    assert!(answer["moves"].as_array().unwrap().contains(&json!("j9")), "it may be played");
    let lost = ask(&json!({"game": "gomoku/renju", "fen": fen, "moves": ["j9"]}));
    assert_eq!(lost["outcome"], json!({"winner": "second", "reason": "forbidden-double-three"}));
    let again = ask(&json!({"game": "gomoku/renju", "fen": lost["fen"]}));
    assert_eq!(again["outcome"], lost["outcome"], "the FEN says how it was lost: {lost}");
    for (game, fen) in [("gomoku/standard", fen.to_owned()), ("gomoku/renju", fen.replace(" b", " w"))] {
        let answer = ask(&json!({"game": game, "fen": fen, "ask": ["forbidden"]}));
        assert_eq!(answer["forbidden"], json!({}), "{game} {fen}");
    }
}

/// A board with three horses is refused as a position, and its moves have names all the same, when they are asked
/// for.
#[test]
fn the_moves_of_a_book_s_diagram_have_names() {
    let fen = "rnbakab2/9/1c3r3/p1p1p1p1p/4P4/1NB2n3/P1P1P3P/1C1A1n1C1/1R7/1NBAKR3 w - - 0 1";
    let answer = ask(&json!({"game": "xiangqi", "fen": fen, "ask": ["texts"]}));
    assert_eq!(answer["error"]["kind"], "bad-fen", "{answer}");
    assert_eq!(answer["texts"]["b1f1"], json!({"wxf": "R8=4", "chinese": "车八平四", "iccs": "B1-F1"}));
    let silent = ask(&json!({"game": "xiangqi", "fen": fen}));
    assert_eq!((silent["error"]["kind"].as_str(), silent.get("texts")), (Some("bad-fen"), None));
    let nonsense = ask(&json!({"game": "xiangqi", "fen": "nonsense", "ask": ["texts"]}));
    assert_eq!((nonsense["error"]["kind"].as_str(), nonsense.get("texts")), (Some("bad-fen"), None));
}

/// A map is given as a file, and its faults are reported.
#[test]
fn maps_are_played() {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../jingbanqi/tests/data/maps/t6_onerow(1x7).xlsx");
    let answer = ask(&json!({"game": "jingbanqi", "map": map, "ask": ["moves", "facts", "outcome"]}));
    let first = answer["moves"][0].as_str().expect("a move").to_owned();
    assert!(answer["facts"]["board"].is_string() && answer["outcome"].is_null(), "{answer}");
    let next = ask(&json!({"game": "jingbanqi", "map": map, "moves": [first], "ask": ["turn", "fen"]}));
    assert_eq!(next["turn"], "second");
    let again = ask(&json!({"game": "jingbanqi", "map": map, "fen": next["fen"], "ask": ["fen"]}));
    assert_eq!(again["fen"], next["fen"], "a FEN is read back");
    let bad = concat!(env!("CARGO_MANIFEST_DIR"), "/../jingbanqi/tests/data/bad/b04_direction_9.xlsx");
    for (name, request, kind) in [
        ("no map", json!({"game": "jingbanqi"}), "bad-request"),
        ("a map that is not there", json!({"game": "jingbanqi", "map": "/nowhere.xlsx"}), "bad-map"),
        ("a map with a mistake", json!({"game": "jingbanqi", "map": bad}), "bad-map"),
        ("a bad FEN", json!({"game": "jingbanqi", "map": map, "fen": "1,2,3"}), "bad-fen"),
        ("an extension", json!({"game": "jingbanqi", "map": map, "extensions": ["x.py"]}), "bad-extension"),
    ] {
        assert_eq!(said(&request.to_string())["error"]["kind"], kind, "{name}");
    }
}

/// The reported lines are as many as are wanted, or as there are moves: each with another move, the best first, all
/// from the last report.
#[test]
fn lines_are_told_by_the_law_in_every_family() {
    const POSITIONS: usize = 50;
    const WANTED: usize = 4;
    let worth = |line: &Value| {
        let number = |name: &str| line[name].as_i64();
        let won = number("win_in").map(|plies| 1_000_000 - plies);
        let lost = number("loss_in").map(|plies| plies - 1_000_000);
        won.or(lost).or(number("score")).expect("a worth")
    };
    let mut random = Random(52);
    for game in
        ["xiangqi", "draughts/international", "gomoku/freestyle", "gomoku/renju", "locked", "jingbanqi"]
    {
        for plies in (3..).take(POSITIONS) {
            let mut moves: Vec<String> = Vec::new();
            let mut legal = Vec::new();
            // Asked in steps, so that the legal moves are known.
            for _ in 0..plies.min(12) {
                let answer = ask(&json!({"game": game, "moves": moves}));
                legal = answer["moves"].as_array().cloned().unwrap_or_default();
                let Some(text) = legal.get(random.below(legal.len().max(1))) else { break };
                moves.push(text.as_str().expect("a text").to_owned());
            }
            let request =
                json!({"game": game, "moves": moves, "best": {"nodes": 200 + 40 * plies, "lines": WANTED}});
            let answer = ask(&request);
            let best = &answer["best"];
            if best.is_null() {
                continue;
            }
            let lines = best["lines"].as_array().expect("lines");
            let legal = answer["moves"].as_array().map_or(legal.len(), Vec::len);
            // Amid a turn of locked chess several moves may come to the same.
            let legal = if game == "locked" && !moves.len().is_multiple_of(5) { 1 } else { legal };
            assert!(
                lines.len() >= WANTED.min(legal),
                "{game}: {} lines of {legal} moves: {answer}",
                lines.len()
            );
            assert_eq!(lines[0]["moves"][0], best["move"], "{game}: {answer}");
            // A line of locked chess begins with a turn of five steps.
            let turn = if game == "locked" { 5 } else { 1 };
            let firsts: std::collections::BTreeSet<String> = lines
                .iter()
                .map(|line| line["moves"].as_array().expect("moves"))
                .map(|moves| json!(moves[..turn.min(moves.len())]).to_string())
                .collect();
            assert_eq!(firsts.len(), lines.len(), "{game}: {answer}");
            assert!(lines.is_sorted_by_key(|line| -worth(line)), "{game}: {answer}");
        }
    }
}

#[test]
fn the_best_move_is_legal_and_told_with_its_lines() {
    for game in ["xiangqi", "xiangqi/free", "draughts/frisian", "draughts/turkish", "locked"] {
        let request = json!({"game": game, "best": {"nodes": 2000, "lines": 2}});
        let answer = ask(&request);
        let best = &answer["best"];
        let legal = answer["moves"].as_array().expect("moves");
        assert!(legal.contains(&best["move"]), "{game}: {answer}");
        assert_eq!(best["lines"].as_array().map(Vec::len), Some(2), "{game}: {best}");
        assert_eq!(best["lines"][0]["moves"][0], best["move"], "{game}: {best}");
        assert_eq!(ask(&request), answer, "{game}: equal limits, equal answers");
    }
}

#[test]
fn a_mate_is_announced_and_an_ended_game_has_no_best_move() {
    let mate =
        json!({"game": "xiangqi", "fen": "3k5/1R7/9/9/9/9/9/9/9/R3K4 w - - 0 1", "best": {"nodes": 50_000}});
    let best = ask(&mate)["best"].clone();
    assert_eq!(best["win_in"], json!(1), "{best}");
    let played = ask(&json!({"game": "xiangqi", "fen": mate["fen"], "moves": [best["move"]]}));
    assert_eq!(played["outcome"]["reason"], json!("checkmate"), "{best}");
    let over = json!({"game": "xiangqi", "fen": "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1", "best": {"ms": 50}});
    let answer = ask(&over);
    assert_eq!(
        (&answer["outcome"]["reason"], &answer["best"]),
        (&json!("checkmate"), &Value::Null),
        "{answer}"
    );
}

/// A perft request that is too deep is refused. A game with one move at every ply has one path of any length: it was
/// counted as deep as the request asked, until the stack was used up and the process ended.
#[test]
fn no_path_is_too_long_to_be_refused() {
    use catalog::maps::{Draft, DraftKind};
    let kind = |owner| DraftKind {
        name: "K".to_owned(),
        owner: Some(owner),
        captain: true,
        rule: "4(Y[2]),5(Y[1]);".to_owned(),
        promoted: ";".to_owned(),
        ..DraftKind::default()
    };
    let kinds = vec![kind(kernel::Side::First), kind(kernel::Side::Second)];
    let draft = Draft { rows: 2, cols: 2, cells: vec![2, 0, 1, 0], kinds, ..Draft::default() };
    let map = records::map::write(&draft.read().map.expect("a good map")).expect("it is written");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.xlsx");
    std::fs::write(&path, map).expect("it is kept");
    let count = |depth: u32| ask(&json!({"game": "jingbanqi", "map": path, "perft": depth}));
    assert_eq!(count(1000), json!({"perft": 1}));
    for depth in [1001, 4_000_000_000] {
        assert_eq!(count(depth)["error"]["kind"], "limit", "{depth}");
    }
}
