//! Boards of maps as comma-separated values: would catch a square that lands elsewhere, and errors that do not say where.

use records::csv::{Board, read, write};

const NAMES: [&str; 4] = ["帅", "兵", "兵", "a,b"];

#[test]
fn a_board_is_read_as_it_was_written() {
    let board = Board { rows: 2, cols: 3, cells: vec![1, 0, 2, 0, 3, 4] };
    let text = write(&board);
    assert_eq!(text, "1,,2\r\n,3,4\r\n");
    assert_eq!(read(text.as_bytes(), &NAMES), Ok(board.clone()));
    for (name, text) in [
        ("lines of Unix, and no last one", "1,,2\n,3,4"),
        ("empty lines at the end", "1,,2\n,3,4\n\n\r\n"),
        ("a byte order mark", "\u{feff}1,,2\n,3,4\n"),
        ("semicolons", "1;;2\n;3;4\n"),
        ("tabs", "1\t\t2\n\t3\t4\n"),
        ("dots, noughts and blanks", "1,.,2\n0, 3 ,4\n"),
        ("quotation marks", "\"1\",\"\",2\n,3,\"4\"\n"),
        ("names, where one piece is called so", "帅,,2\n,3,\"a,b\"\n"),
    ] {
        assert_eq!(read(text.as_bytes(), &NAMES), Ok(board.clone()), "{name}");
    }
    // A square without a value is vacant.
    assert_eq!(write(&Board { rows: 2, cols: 2, cells: vec![1] }), "1,\r\n,\r\n");
}

#[test]
fn what_is_wrong_is_told_with_line_and_column() {
    let long = "1,".repeat(64) + "1";
    let tall = "1\n".repeat(65);
    let huge = ",".repeat(300 << 10);
    for (text, key, line, column) in [
        ("1,2\n1,5\n", "csv-piece", Some("2"), Some("2")),
        ("1,2\nx,1\n", "csv-piece", Some("2"), Some("1")),
        ("1,-1\n", "csv-piece", Some("1"), Some("2")),
        ("1,99999999999999999999\n", "csv-piece", Some("1"), Some("2")),
        ("1,兵\n", "csv-name", Some("1"), Some("2")),
        ("1,2\n1\n", "csv-row", Some("2"), None),
        ("1,2\n\n1,2\n", "csv-row", Some("2"), None),
        ("1,\"2\n", "csv-quote", Some("1"), Some("2")),
        ("1,2\"\n", "csv-quote", Some("1"), Some("2")),
        ("\"1\"2,1\n", "csv-quote", Some("1"), Some("1")),
        (long.as_str(), "csv-cols", Some("1"), None),
        (tall.as_str(), "csv-rows", None, None),
        (huge.as_str(), "csv-too-large", None, None),
        ("", "csv-empty", None, None),
        ("\n\n", "csv-empty", None, None),
    ] {
        let why = read(text.as_bytes(), &NAMES).expect_err(key);
        assert_eq!((why.key, why.arg("line"), why.arg("column")), (key, line, column), "{text:.20}");
    }
    let why = read(b"1,2\n\xff,1\n", &NAMES).expect_err("no text");
    assert_eq!((why.key, why.arg("line")), ("csv-text", Some("2")));
    let why = read(b"1,2,1\n1,2\n", &NAMES).expect_err("too short");
    assert_eq!((why.arg("found"), why.arg("expected")), (Some("2"), Some("3")));
}
