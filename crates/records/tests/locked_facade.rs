//! The Python API of locked chess against what the reference program did, in its class and its module variant.

use kernel::Notation;
use locked::{Locked, LockedError};
use records::locked_chess::facade::{Exception, LockedChessClass, Raised, Variant};
use records::locked_chess::literal::{Literal, parse};
use serde_json::Value;

/// The deliberate differences from the reference.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Instead {
    /// Loaded the same, and written with whole numbers.
    Whole,
    /// The same type and the same words around the detail, which is Python's own message in the reference.
    OtherDetail,
    /// A `ValueError` with this text inside its wrap, and nothing half loaded: only the direction is kept.
    Refused(&'static str),
}
use Instead::{OtherDetail, Refused, Whole};

const T1: &str = "The game has not started yet .Please start the game with 'example.game_start()' if you use 'import \
                  locked_chess_game_module as example' or 'game_start()' if you use 'from locked_chess_game_module \
                  import *' .";
const CHOSEN: &str = "The value of 'choose_chess_locate' is illegal .";
const CHOSEN_MODULE: &str = "The value of 'example.choose_chess_locate' if you use 'import locked_chess_game_module as \
                             example' or 'choose_chess_locate' if you use 'from locked_chess_game_module import *' is \
                             illegal .";
const QUOTE: &str = "The type of 'a\"b' in 'game' is not 'tuple' .";
const QUOTE_MODULE: &str = "The type of 'a\"b' in 'example.game' if you use 'import locked_chess_game_module as \
                            example' or 'game' if you use 'from locked_chess_game_module import *' is not 'tuple' .";
const LINE: &str = "The type of 'a\nb' in 'game' is not 'tuple' .";
const LINE_MODULE: &str = "The type of 'a\nb' in 'example.game' if you use 'import locked_chess_game_module as \
                           example' or 'game' if you use 'from locked_chess_game_module import *' is not 'tuple' .";

/// The differences from the reference: case, variant, our result, and the reason.
const EXCEPTIONS: &[(&str, &str, Instead, &str)] = &[
    ("odd-number-float", "class", Whole, "1.0 is taken as 1 and written as 1"),
    ("odd-number-float", "module", Whole, "1.0 is taken as 1 and written as 1"),
    ("not-json", "class", OtherDetail, "the JSON reader's words"),
    ("empty-string", "class", OtherDetail, "the JSON reader's words"),
    ("json-list", "class", OtherDetail, "Python's words for an index"),
    ("json-number", "class", OtherDetail, "Python's words for an index"),
    ("single-quoted-python-dict", "class", OtherDetail, "the JSON reader's words"),
    ("trailing-comma", "class", OtherDetail, "the JSON reader's words"),
    ("truncated", "class", OtherDetail, "the JSON reader's words"),
    ("all_locate-syntax", "class", OtherDetail, "the literal reader's words"),
    ("all_locate-empty", "class", OtherDetail, "the literal reader's words"),
    ("all_locate-int", "class", OtherDetail, "Python's words for a length; ours say that it should be 12"),
    ("choose-not-string", "class", OtherDetail, "the literal reader's words"),
    ("choose-syntax", "class", OtherDetail, "the literal reader's words"),
    ("choose-unquoted-colour", "class", OtherDetail, "the literal reader's words, with an address in memory"),
    ("game-not-string", "class", OtherDetail, "the literal reader's words"),
    ("game-syntax", "class", OtherDetail, "the literal reader's words"),
    ("game-name", "class", OtherDetail, "the literal reader's words, with an address in memory"),
    ("game-unhashable", "class", OtherDetail, "Python's words for a hash"),
    ("neither-board-key", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("both-board-keys", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-11-rows", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-13-rows", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-short-row", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-value-str", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-syntax", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-empty", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-flat", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("all_locate-int", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("game-not-string", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("game-syntax", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("game-name", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("game-unhashable", "module", Refused(T1), "UnboundLocalError, half loaded"),
    ("choose-enemy-5", "class", Refused(CHOSEN), "KeyError in the wrap, half loaded"),
    ("choose-enemy-5", "module", Refused(CHOSEN_MODULE), "KeyError in the wrap, half loaded"),
    ("choose-list", "class", Refused(CHOSEN), "unhashable type in the wrap, half loaded"),
    ("choose-list", "module", Refused(CHOSEN_MODULE), "unhashable type in the wrap, half loaded"),
    ("game-quote-in-item", "class", Refused(QUOTE), "the text was run as code: SyntaxError"),
    ("game-quote-in-item", "module", Refused(QUOTE_MODULE), "the text was run as code: SyntaxError"),
    ("game-newline-in-item", "class", Refused(LINE), "the text was run as code: SyntaxError"),
    ("game-newline-in-item", "module", Refused(LINE_MODULE), "the text was run as code: SyntaxError"),
];

const COLUMNS: [(&str, Variant); 2] = [("class", Variant::Class), ("module", Variant::Module)];

fn cases() -> impl Iterator<Item = Value> {
    include_str!("data/locked/loads_game.jsonl").lines().map(|l| serde_json::from_str(l).unwrap())
}

fn started(variant: Variant, destroy_on_error: bool) -> LockedChessClass {
    LockedChessClass { variant, destroy_on_error, ..LockedChessClass::new() }
}

/// The result of a load, in the terms of the recorded case.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    ok: bool,
    fen: Option<String>,
    return_game: Option<String>,
    error: Option<String>,
    message: Option<String>,
    kept: Vec<String>,
}

fn recorded(case: &Value, column: &str) -> Seen {
    let text = |field: &str| case[column][field].as_str().map(str::to_owned);
    let input = case["input"].as_str().unwrap();
    let kept = case[column]["kept"].as_array().unwrap();
    Seen {
        ok: case[column]["ok"] == true,
        fen: text("fen"),
        return_game: text("return_game").map(|t| if t == "=input" { input.to_owned() } else { t }),
        error: text("error"),
        message: text("message"),
        kept: kept.iter().map(|k| k.as_str().unwrap().to_owned()).collect(),
    }
}

fn seen(case: &Value, variant: Variant) -> Seen {
    let mut game = started(variant, true);
    let loaded = game.loads_game(case["input"].as_str().unwrap());
    let kept = kept(&game);
    match loaded {
        Ok(()) => Seen {
            ok: true,
            fen: Some(game.position().unwrap().fen()),
            return_game: Some(game.return_game().unwrap()),
            error: None,
            message: None,
            kept,
        },
        Err(raised) => Seen {
            ok: false,
            fen: None,
            return_game: None,
            error: Some(raised.exception.names()[0].to_owned()),
            message: Some(raised.message),
            kept,
        },
    }
}

fn kept(game: &LockedChessClass) -> Vec<String> {
    [
        ("all_operation", &game.all_operation),
        ("choose_chess_locate", &game.choose_chess_locate),
        ("game", &game.game),
        ("operation_last_direction", &game.operation_last_direction),
        ("operation_number", &game.operation_number),
        ("operation_oppsite", &game.operation_oppsite),
    ]
    .into_iter()
    .filter(|(_, value)| value.is_some())
    .map(|(name, _)| name.to_owned())
    .collect()
}

/// The words around a detail: up to where it begins, and from where it ends.
fn around(message: &str) -> Option<(&str, &str)> {
    let starts = ["are not all exist and legal :", "is exist .It is legal .but "];
    let begin = starts.into_iter().find_map(|s| message.find(s).map(|at| at + s.len()))?;
    let end = message.find(".  The game has").or_else(|| message.find(" The game has not started yet"))?;
    Some((&message[..begin], &message[end..]))
}

#[test]
fn loads_game_does_what_the_reference_did() {
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        for (column, variant) in COLUMNS {
            let exception = EXCEPTIONS.iter().find(|e| (e.0, e.1) == (name, column));
            let (then, now) = (recorded(&case, column), seen(&case, variant));
            let Some(&(_, _, instead, reason)) = exception else {
                assert_eq!(now, then, "{name} {column}");
                continue;
            };
            assert_ne!(now, then, "{name} {column} passes, so it is no exception: {reason}");
            let expected = match instead {
                Whole => {
                    let written = then.return_game.as_ref().unwrap().replace(": 1.0,", ": 1,");
                    Seen { return_game: Some(written), ..then }
                }
                OtherDetail => {
                    let [now, then] = [&now, &then].map(|s| around(s.message.as_ref().unwrap()));
                    assert!(now.is_some(), "{name} {column}");
                    assert_eq!(now, then, "{name} {column}");
                    Seen { message: seen(&case, variant).message, ..recorded(&case, column) }
                }
                Refused(text) => Seen {
                    error: Some("ValueError".to_owned()),
                    message: Some(match variant {
                        Variant::Class => format!(
                            "Wrong json .'operation_number ,operation_oppsite ,operation_last_direction \
                             ,choose_chess_locate are all exist and legal. only one key 'all_locate' and 'game' is \
                             exist .It is legal . {text}' Please check your input . "
                        ),
                        Variant::Module => format!("Wrong json : '{text}' Please check your input."),
                    }),
                    kept: vec!["operation_last_direction".to_owned()],
                    ..then
                },
            };
            assert_eq!(now, expected, "{name} {column}: {reason}");
        }
    }
}

#[test]
fn every_exception_names_a_case() {
    for (i, (name, column, _, _)) in EXCEPTIONS.iter().enumerate() {
        assert!(cases().any(|c| c["name"] == *name), "{name}");
        assert!(COLUMNS.iter().any(|c| c.0 == *column), "{column}");
        assert!(EXCEPTIONS[..i].iter().all(|e| (e.0, e.1) != (*name, *column)), "{name} {column} twice");
    }
}

#[test]
fn a_refused_load_changes_nothing() {
    for case in cases() {
        for (_, variant) in COLUMNS {
            let mut game = started(variant, false);
            game.operation(&"u".into()).unwrap();
            let before = game.clone();
            if game.loads_game(case["input"].as_str().unwrap()).is_err() {
                assert_eq!(game, before, "{}", case["name"]);
            }
        }
    }
}

/// Converts an operand of the file of operations, in which lists stand for tuples.
fn operand(value: &Value) -> Literal {
    match value {
        Value::Array(parts) => Literal::Tuple(parts.iter().map(operand).collect()),
        Value::Number(n) => Literal::Int(n.as_i64().unwrap()),
        text => text.as_str().unwrap().into(),
    }
}

/// Asserts that `result` is the recorded one in `column`.
fn assert_same(column: &Value, result: Result<(), Raised>, name: &Value) {
    assert_eq!(result.is_ok(), column["ok"] == true, "{name}");
    if let Err(raised) = result {
        assert_eq!(column["message"], raised.message, "{name}");
        assert!(raised.exception.names().contains(&column["error"].as_str().unwrap()), "{name}: {raised}");
    }
}

#[test]
fn operations_do_what_the_reference_did() {
    for line in include_str!("data/locked/operation_errors.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        for (column, variant) in COLUMNS {
            let Some(recorded) = row.get(column) else { continue };
            for destroy_on_error in [false, true] {
                let mut game = match row.get("before_start") {
                    Some(_) => LockedChessClass { destroy_on_error, ..LockedChessClass::module() },
                    None => started(variant, destroy_on_error),
                };
                if let Some(fen) = row["fen"].as_str() {
                    let pos = Locked::default().read_fen(fen).unwrap();
                    game.loads_game(&locked::json::state_json(&pos)).unwrap();
                }
                for op in row["setup"].as_array().into_iter().flatten() {
                    game.operation(&operand(op)).unwrap();
                }
                let before = game.clone();
                let result = match row["before_start"].as_str() {
                    Some("operation") => game.operation(&"u".into()),
                    Some("return_game") => game.return_game().map(drop),
                    Some(other) => panic!("{other} is not a call that was recorded"),
                    None => {
                        let op = operand(&row["op"]);
                        assert_eq!(row["op_repr"], op.to_string());
                        game.operation(&op)
                    }
                };
                assert_same(recorded, result, &row);
                if let Some(unchanged) = recorded["state_unchanged"].as_bool() {
                    assert_eq!(game == before, unchanged, "{row}");
                }
                if let Some(choose) = recorded["choose"].as_str() {
                    assert_eq!(game.choose_chess_locate.unwrap().to_string(), choose);
                }
            }
        }
    }
}

/// The start, with one variable set to the literal `value`.
fn with(variable: &str, value: &str) -> LockedChessClass {
    let mut game = LockedChessClass::new();
    let place = match variable {
        "game" => &mut game.game,
        "operation_number" => &mut game.operation_number,
        "operation_oppsite" => &mut game.operation_oppsite,
        "operation_last_direction" => &mut game.operation_last_direction,
        "choose_chess_locate" => &mut game.choose_chess_locate,
        _ => panic!("{variable} is no variable"),
    };
    *place = Some(parse(value).unwrap());
    game
}

/// Each row of the table, set by hand; rows 14 to 16 are in the recorded cases.
#[test]
fn variables_set_by_hand_are_checked() {
    const SIX: &str = "(5, 5, '黑'), (8, 8, '黑'), (4, 9, '白'), (5, 8, '白'), (8, 5, '白')";
    let set = |first: &str| format!("{{{first}, {SIX}}}");
    for (variable, value, exception, message) in [
        ("game", "[1]".to_owned(), Exception::Type, "The type of 'game' is not 'set' ."),
        ("game", set("(1, 2), 7"), Exception::Type, "The type of '7' in 'game' is not 'tuple' ."),
        ("game", set("'it'"), Exception::Type, "The type of 'it' in 'game' is not 'tuple' ."),
        ("game", set("(1,)"), Exception::Value, "The length of the tuple '(1,)' in 'game' is wrong ."),
        (
            "game",
            set("(0, 1, '黑'), (4.0, 4, '黑')"),
            Exception::Type,
            "The type of the first or second values in '(4.0, 4, '黑')' in 'game' are not all 'int' .",
        ),
        (
            "game",
            set("(1, 1, '红'), (13, True, '黑')"),
            Exception::IllegalLocation,
            "Chess '(13, True, '黑')' is not on the board .",
        ),
        (
            "game",
            set("(5, 5, '白'), (1, 1, None)"),
            Exception::IllegalLocation,
            "Chess '(1, 1, None)' is unknown which oppsite it belongs to .",
        ),
        (
            "game",
            set("(5, 5, '白')"),
            Exception::IllegalLocation,
            "Location '(5, 5)' has two or more chesses: '((5, 5, '白'), (5, 5, '黑'))' .",
        ),
        ("game", set("(5, 5, '黑')"), Exception::Value, "The number of the chess is illegal ."),
        (
            "operation_number",
            "'1'".to_owned(),
            Exception::Value,
            "The value of 'operation_number' should be in '(1,2,3,4,5)' .",
        ),
        (
            "operation_oppsite",
            "'b'".to_owned(),
            Exception::Value,
            "The value of 'operation_oppsite' should be in '('黑','白')' .",
        ),
        (
            "operation_last_direction",
            "'左右'".to_owned(),
            Exception::Value,
            "The value of 'operation_last_direction' is illegal .",
        ),
        ("choose_chess_locate", "(4, 4, '黑')".to_owned(), Exception::Value, CHOSEN),
    ] {
        let mut game = with(variable, &value);
        let before = game.clone();
        let raised = game.legal_operation().unwrap_err();
        assert_eq!((raised.exception, &raised.message[..]), (exception, message), "{variable} = {value}");
        assert_eq!(game, before, "{variable} = {value}");
        game.destroy_on_error = true;
        assert_eq!(game.return_game().unwrap_err().message, message);
        assert_eq!(kept(&game), ["operation_last_direction"], "{variable} = {value}");
        let gone = game.operation(&"u".into()).unwrap_err();
        assert_eq!(gone.exception, Exception::GameHasNotStarted, "{gone}");
        game.game_start();
        assert_eq!(game.legal_operation().unwrap().to_string(), "['u', 'd', 'l', 'r']");
    }
}

#[test]
fn loose_numbers_become_whole() {
    let mut game = with("operation_number", "4.0");
    game.choose_chess_locate = Some(parse("(4.0, 4, '黑')").unwrap());
    assert_eq!(game.legal_operation().unwrap().to_string(), "['u', 'd', 'l', 'r']");
    assert_eq!(game.operation_number, Some(Literal::Int(4)));
    assert_eq!(game.choose_chess_locate.unwrap().to_string(), "(4, 4, '黑')");
    let mut game = with("operation_number", "3");
    game.operation(&parse("(4.0, 4, '黑')").unwrap()).unwrap();
    assert_eq!(game.choose_chess_locate.clone().unwrap().to_string(), "(4, 4, '黑')");
    let again = game.return_game().unwrap();
    assert!(!again.contains("4.0"), "{again}");
}

#[test]
fn withdrawing() {
    let mut game = LockedChessClass::new();
    assert_eq!(game.withdraw().unwrap_err().exception, Exception::IllegalOperation);
    for op in ["'u'", "'l'", "(3, 3, '黑')"] {
        game.operation(&parse(op).unwrap()).unwrap();
    }
    game.withdraw().unwrap();
    assert_eq!(game.operation_number, Some(Literal::Int(3)));
    assert_eq!(game.choose_chess_locate, Some("无".into()));
    let stuck = "bb10/b11/12/12/www9/12/12/12/12/12/12/12 b 4 - a1";
    let stuck = Locked::default().read_fen(stuck).unwrap();
    game.loads_game(&locked::json::state_json(&stuck)).unwrap();
    assert_eq!(game.legal_operation(), Ok("fail".into()));
    assert_eq!(game.all_operation, Some(Literal::List(Vec::new())));
    assert_eq!(game.operation(&"u".into()).unwrap_err().exception, Exception::GameFailed);
    game.withdraw().unwrap();
    assert_eq!(game.legal_operation().unwrap().to_string(), "[(1, 1, '黑'), (1, 2, '黑'), (2, 1, '黑')]");
}

/// Two stones on a square in a saved game: the class raised NameError, the module the text of row 8.
#[test]
fn shared_square_in_a_saved_game() {
    let text = r#"{"choose_chess_locate": "无", "operation_last_direction": "无", "operation_number": 1,
        "operation_oppsite": "黑", "game": "{(4, 4, '黑'), (4, 4, '白')}"}"#;
    let shared = "Location '(4, 4)' has two or more chesses: '((4, 4, '黑'), (4, 4, '白'))' .";
    for (_, variant) in COLUMNS {
        let raised = started(variant, false).loads_game(text).unwrap_err();
        assert_eq!(raised.exception, Exception::Value);
        assert!(raised.message.contains(shared), "{raised}");
        assert!(matches!(raised.cause, LockedError::SharedSquare { .. }));
    }
}
