//! Tests of the conversion of records to studies and back. They catch a format whose variations, comments or marks
//! get lost on the way through a study, and a loss that is not reported.

use kernel::{AnyGame, Board, Problem};
use records::{Format, Ply, Record, Tree, read, write};
use study::file::{chapter_of, lost, record_of};
use study::notes::{self, Notes};
use wire::{MarkColour, StudyEval, StudyMark, Worth};

fn open(record: &Record) -> Box<dyn AnyGame> {
    let entry = catalog::find(&record.game).unwrap();
    let options = entry.settle(&record.options, catalog::Setting::Faithful).unwrap();
    entry.open(entry.usual_map(), &options, record.start.as_deref()).unwrap()
}

fn board(game: &str) -> Board {
    open(&Record { game: game.into(), ..Record::default() }).board()
}

/// Returns a game of that key by rule: the main line, and variations at every third ply.
fn sample(key: &str) -> Record {
    let entry = catalog::find(key).unwrap();
    let options = entry.settle(&catalog::Options::default(), catalog::Setting::Faithful).unwrap();
    let mut game = entry.open(entry.usual_map(), &options, None).unwrap();
    let mut random = kernel::laws::Random(7);
    let (mut tree, mut last, mut before) = (Tree::default(), Tree::START, None);
    for n in 0..12 {
        let (moves, turn) = (game.moves(), game.turn());
        if moves.is_empty() {
            break;
        }
        let same_turn = before == Some(turn);
        let main = random.below(moves.len());
        let parent = last;
        last = tree.add(parent, Ply { text: moves[main].clone(), same_turn, ..Ply::default() });
        if n % 3 == 1 && moves.len() > 1 {
            let beside = moves[(main + 1) % moves.len()].clone();
            let beside = tree.add(parent, Ply { text: beside, same_turn, ..Ply::default() });
            tree[beside].comment = "beside it".into();
        }
        before = Some(turn);
        game.play(&moves[main]).unwrap();
    }
    let at: Vec<_> = tree.main_line().collect();
    tree[at[0]].comment = "a first move".into();
    tree[at[0]].nags = vec![1];
    tree[at[1]].spent_ms = Some(1000);
    Record { game: key.to_owned(), players: ["Wu".into(), "Xiao".into()], tree, ..Record::default() }
}

/// Returns the record after a conversion to a study and back.
fn through(record: &Record) -> Record {
    let (chapter, left_out) = chapter_of(record, open(record)).unwrap();
    assert_eq!(left_out, [], "{}", record.game);
    record_of(&chapter, &open(record).board())
}

#[test]
fn every_game_in_every_format_that_writes_it_comes_back_the_same() {
    let mut tried = 0;
    for entry in catalog::ENTRIES.iter() {
        let made = sample(entry.key);
        for format in Format::of_game(entry.key).into_iter().filter(|format| !format.is_position()) {
            // What the format itself keeps of it is what goes in, as from a file.
            let Ok(bytes) = write(format, &made) else { continue };
            let file = read(format, &bytes).unwrap_or_else(|why| panic!("{} {format:?}: {why}", entry.key));
            let back = through(&file);
            assert_eq!(back.tree, file.tree, "{} {format:?}", entry.key);
            assert_eq!(
                (&back.players, &back.start),
                (&file.players, &file.start),
                "{} {format:?}",
                entry.key
            );
            let again = read(format, &write(format, &back).unwrap()).unwrap();
            assert_eq!(again.tree, file.tree, "{} {format:?}", entry.key);
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let mut record = sample("gomoku/renju");
    let board = board("gomoku/renju");
    let first = record.tree.main_line().next().unwrap();
    record.tree[first].comment = "[%csl Ga1] [%eval 0.20] well".into();
    for (format, wanted) in [
        (Format::Json, &[][..]),
        (Format::Text, &[]),
        (Format::Sgf, &["nags", "times"]),
        (Format::Lib, &["nags", "times", "players"]),
        (Format::Pos, &["variations", "comments", "marks", "evals", "nags", "times", "players"]),
        (Format::Psq, &["variations", "comments", "marks", "evals", "nags"]),
    ] {
        let told = lost(format, &record, &board).unwrap();
        for what in wanted {
            assert!(told.contains(what), "{format:?} loses {what}, which is not told: {told:?}");
        }
        assert!(!wanted.is_empty() || told.is_empty(), "{format:?}: {told:?}");
        let keeps = ["variations", "comments", "marks", "evals"].iter().filter(|what| !wanted.contains(what));
        for what in keeps {
            assert!(!told.contains(what), "{format:?} keeps {what}: {told:?}");
        }
    }
    assert!(lost(Format::Pgn, &record, &board).is_err());
    let xiangqi = sample("xiangqi");
    let told = lost(Format::Pgn, &xiangqi, &self::board("xiangqi")).unwrap();
    assert!(!told.contains(&"variations") && !told.contains(&"nags") && !told.contains(&"times"), "{told:?}");
}

#[test]
fn marks_and_evaluations_stand_in_comments() {
    let board = board("xiangqi");
    let cell = |name: &str| board.cell_named(name).unwrap();
    let read = |text: &str| notes::read(text, &board);
    let found = read("[%csl Rh2,Gb2][%cal Yh2e2] [%eval -0.35,20] It is time.");
    assert_eq!(found.text, "It is time.");
    assert_eq!(found.eval, Some(StudyEval { worth: Worth::Hundredths(-35), depth: Some(20) }));
    let arrow = StudyMark { from: cell("h2"), to: Some(cell("e2")), colour: MarkColour::Yellow };
    let circle = StudyMark { from: cell("h2"), to: None, colour: MarkColour::Red };
    assert!(found.marks.contains(&arrow) && found.marks.contains(&circle) && found.marks.len() == 3);
    let written = notes::write(&found, &board);
    assert_eq!(written, "[%csl Rh2,Gb2] [%cal Yh2e2] [%eval -0.35,20] It is time.");
    assert_eq!(read(&written), found);
    assert_eq!(read("first [%eval #-3] then").text, "first then");
    assert_eq!(read("[%eval #-3]").eval.unwrap().worth, Worth::Wins(-5));
    assert_eq!(read("[%eval #2]").eval.unwrap().worth, Worth::Wins(3));

    // What is no command of ours, or does not fit, is a person's text, and is not touched.
    for text in [
        "[%clk 0:01:00] hm",
        "[%cal Gz9z8]",
        "[%cal Gh2h2]",
        "[%csl Xh2]",
        "[%eval good]",
        "[%eval 1.2.3]",
        "[%cal Gh2e2",
        " spaces around ",
        "[%",
        "[%%]",
    ] {
        let notes = read(text);
        assert_eq!((notes.text.as_str(), notes.marks.len(), notes.eval), (text, 0, None), "{text}");
        assert_eq!(read(&notes::write(&notes, &board)), notes, "{text}");
    }
    // And what a person writes that looks like one comes back as text.
    for text in ["type [%cal Gh2e2] for an arrow", "[%%cal Gh2e2]", "[%%%eval 1]", "[[%csl Gh2]%cal Gh2e2]"] {
        let notes = Notes { text: text.into(), ..Notes::default() };
        assert_eq!(read(&notes::write(&notes, &board)), notes, "{text}");
    }
}

#[test]
fn places_of_every_board_can_be_named_in_arrows() {
    for entry in catalog::ENTRIES.iter() {
        let board = board(entry.key);
        let places: Vec<u16> =
            (0..u16::from(board.files) * u16::from(board.ranks)).filter(|&at| board.is_place(at)).collect();
        for pair in places.windows(2) {
            let marks = vec![
                StudyMark { from: pair[0], to: None, colour: MarkColour::Blue },
                StudyMark { from: pair[0], to: Some(pair[1]), colour: MarkColour::Green },
            ];
            let notes = Notes { text: "x".into(), marks, eval: None };
            let text = notes::write(&notes, &board);
            assert_eq!(notes::read(&text, &board), notes, "{}: {text}", entry.key);
        }
    }
}

#[test]
fn lines_that_the_game_does_not_allow_are_told() {
    let file = "Game: gomoku/standard\n\n1. h8 ( 1. =z99 ( 1. ) ) 2. h9 ( 2. h8 3. i8 4. i9 ) 3. g8\n";
    let file = file.replace("( 1. ) ", "");
    let record = read(Format::Text, file.as_bytes()).unwrap();
    let (chapter, left_out) = chapter_of(&record, open(&record)).unwrap();
    let texts: Vec<&str> = chapter.nodes.iter().skip(1).map(|node| node.text.as_str()).collect();
    assert_eq!(texts, ["h8", "h9", "g8"]);
    let told = |problem: &Problem, arg| problem.arg(arg).unwrap_or_default().to_owned();
    assert_eq!(left_out.iter().map(|p| told(p, "moves")).collect::<Vec<_>>(), ["3", "1"]);
    assert_eq!(left_out[0].key, "study-left-out");
    assert_eq!(told(&left_out[0], "move"), "h8");
    // Ply 2 is the second side's part of move 1.
    assert_eq!(left_out.iter().map(|p| told(p, "turn")).collect::<Vec<_>>(), ["1", "1"]);
}

#[test]
fn names_of_chapters_go_with_them() {
    let record = sample("xiangqi");
    let (mut chapter, _) = chapter_of(&record, open(&record)).unwrap();
    assert_eq!(chapter.name, "Wu – Xiao");
    chapter.name = "炮二平五".into();
    let board = board("xiangqi");
    let again = read(Format::Pgn, &write(Format::Pgn, &record_of(&chapter, &board)).unwrap()).unwrap();
    assert_eq!(chapter_of(&again, open(&again)).unwrap().0.name, "炮二平五");
}
