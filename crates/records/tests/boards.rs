//! The three board texts of the school's draughts program, there and back.

use draughts::*;
use kernel::{Notation, any, laws::Random};
use records::{Format, Ply, Record, Tree, detect, read, write};

const FORMS: [Format; 3] = [Format::Rows, Format::Numbers, Format::Letters];

fn text(format: Format, record: &Record) -> String {
    String::from_utf8(write(format, record).unwrap()).unwrap()
}

fn record(game: &str, fen: &str) -> Record {
    Record { game: game.to_owned(), start: Some(fen.to_owned()), ..Record::default() }
}

#[test]
fn one_position_in_three_texts() {
    let one = record("draughts/international", "W:W46,K50:B1,K5");
    assert_eq!(text(Format::Numbers, &one), "white:0\nwhite_boss:80\nblack:19\nblack_boss:99\n");
    assert_eq!(text(Format::Letters, &one), "white:AA\nwhite_boss:IA\nblack:BJ\nblack_boss:JJ\n");
    let rows = text(Format::Rows, &one);
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines.len(), 20);
    assert_eq!((lines[0], lines[8]), ("1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ", "2, 0, 0, 0, 0, 0, 0, 0, 0, 0, "));
    assert_eq!((lines[11], lines[19]), ("0, 0, 0, 0, 0, 0, 0, 0, 0, 1, ", "0, 0, 0, 0, 0, 0, 0, 0, 0, 2, "));
    for form in FORMS {
        assert_eq!(read(form, text(form, &one).as_bytes()), Ok(one.clone()));
    }
    // With eight columns a number is 8x + y, and Black to move is said in a line of our own.
    let small = record("draughts/school", "B:W29,K32:B1");
    let numbers = "white:0\nwhite_boss:48\nblack:15\nblack_boss:\nsize:8\nturn:black\n";
    assert_eq!(text(Format::Numbers, &small), numbers);
    assert_eq!(read(Format::Numbers, numbers.as_bytes()), Ok(small));
}

/// A log that the program wrote: lines of words, rows from the top, here with a circular capture to come.
#[test]
fn a_log_of_the_program() {
    let row = |signs: &str| signs.chars().map(|c| format!("{c}, ")).collect::<String>() + "\n";
    let white = ["0000000101", "0000001010", "0002000001", "0", "0", "0", "0", "0", "0000010100", "0"];
    let black = ["0101000000", "0", "0", "0", "0101000000", "0", "0101000000", "0", "0", "1000000000"];
    let rows = |rows: [&str; 10]| rows.map(|r| row(&format!("{r:0<10}"))).concat();
    let dashes = "-----------------------------\n".repeat(3);
    let log = format!(
        "below are white board\n{dashes}{}below are black board\n{dashes}{}{dashes}",
        rows(white),
        rows(black)
    );
    assert_eq!(detect(log.as_bytes()), Some(Format::Rows));
    let found = read(Format::Rows, log.as_bytes()).unwrap();
    let fen = found.start.clone().unwrap();
    assert_eq!(fen, "W:WK17,30,31,36,40,41,46,47:B5,6,8,9,16,18,19");
    // Of the ways to capture the most, at least one goes round and meets no piece twice.
    let pos = Draughts::<International>::start().read_fen(&fen).unwrap();
    assert!(pos.legal().iter().all(|m| m.is_capture()));
}

#[test]
fn any_position_there_and_back() {
    fn check<R: Rules>(game: &str) {
        for seed in 1..=40 {
            let random = &mut Random(seed);
            let mut line = any(Draughts::<R>::start());
            let mut played = Record { game: game.to_owned(), ..Record::default() };
            let mut last = Tree::START;
            for _ in 0..random.below(150) {
                let moves = line.moves();
                if !moves.is_empty() {
                    let text = moves[random.below(moves.len())].clone();
                    line.play(&text).unwrap();
                    last = played.tree.add(last, Ply { text, ..Ply::default() });
                }
            }
            // The counters of draws have no place here.
            let fen: String = line.fen().split(':').take(3).collect::<Vec<_>>().join(":");
            let usual = Draughts::<R>::start().fen();
            let expected = Record { start: Some(fen).filter(|f| *f != usual), ..record(game, "") };
            for form in FORMS {
                let text = text(form, &played);
                assert_eq!(detect(text.as_bytes()), Some(form), "{text}");
                assert_eq!(read(form, text.as_bytes()).as_ref(), Ok(&expected), "seed {seed}: {text}");
            }
        }
    }
    check::<International>("draughts/international");
    check::<School>("draughts/school");
}

#[test]
fn what_is_wrong_is_told() {
    let rows = |row: &str| format!("{}{}", "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \n".repeat(19), row);
    for (form, text, key) in [
        (Format::Rows, "0, 1, 2, \n".to_owned(), "boards-rows"),
        (Format::Rows, rows("0, 0, 0,"), "boards-width"),
        (Format::Rows, rows("0, 0, 0, 0, 0, 0, 0, 0, 0, 3, "), "boards-row"),
        (Format::Rows, rows("white"), "boards-row"),
        (Format::Rows, rows("1, 1, 0, 0, 0, 0, 0, 0, 0, 0, "), "boards-dark"),
        (Format::Numbers, "white:99,87\nwhite_boss:9\nblack:0\nblack_boss:91".to_owned(), "boards-dark"),
        (Format::Numbers, "white:0,0".to_owned(), "boards-twice"),
        (Format::Numbers, "white:100".to_owned(), "boards-square"),
        (Format::Numbers, "white:-1".to_owned(), "boards-square"),
        (Format::Letters, "white:AK".to_owned(), "boards-square"),
        (Format::Letters, "white:A".to_owned(), "boards-square"),
        (Format::Letters, "red:AA".to_owned(), "boards-list"),
        (Format::Letters, "white:AA\nturn:red".to_owned(), "boards-extra"),
        (Format::Letters, format!("white:{}", "AA,".repeat(10_000)), "record-limit"),
    ] {
        assert_eq!(read(form, text.as_bytes()).unwrap_err().key, key, "{text:.60}");
    }
    for game in ["draughts/italian", "draughts/canadian", "draughts/turkish", "gomoku/standard"] {
        let other = Record { game: game.to_owned(), ..Record::default() };
        assert_eq!(write(Format::Rows, &other).unwrap_err().key, "boards-game");
    }
}

/// The school's texts may be pasted where a FEN is asked for, also when a field made one line of
/// them; and those of its own documents, whose pieces stand on light squares, are answered with what to write.
#[test]
fn boards_are_pasted() {
    use records::pasted;
    let fen = |text: &str| pasted("draughts/international", text).map(|fen| fen.map(String::from));
    let wanted = Ok(Some("W:W46,K50:B1,K5".to_owned()));
    assert_eq!(fen("white:0\nwhite_boss:80\nblack:19\nblack_boss:99\n"), wanted);
    assert_eq!(fen("white:0 white_boss:80 black:19 black_boss:99"), wanted);
    assert_eq!(fen("white:AAwhite_boss:IAblack:BJblack_boss:JJ"), wanted);
    for text in ["white:99,87", "white:99,87 white_boss:9 black:0 black_boss:91"] {
        assert_eq!(fen(text).unwrap_err().key, "boards-dark", "{text}");
    }
}
