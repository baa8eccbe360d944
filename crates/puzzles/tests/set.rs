//! Tests of puzzles that people set on maps. They catch one that is accepted although its aim can be prevented, a
//! right answer that is called wrong, a target that is not followed, and stored puzzles beyond the limits.

use std::sync::Arc;

use catalog::maps::{Draft, DraftKind};
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::{AnyGame, Problem, Side};
use puzzles::placed::PlacedRoom;
use puzzles::set::{self, Aim, Verdict};
use puzzles::{Answer, Goal, Puzzle, Shelf, judge};

const ROOM: PlacedRoom = PlacedRoom { each: 2, of_map: 9, all: 9 };

/// Returns a board of 5×5 with a captain that steps and a rook, red 1 and 2, blue 3 and 4.
fn start() -> Jingbanqi {
    let kind = |name: &str, owner, captain, rule: &str| DraftKind {
        name: name.to_owned(),
        owner: Some(owner),
        captain,
        rule: rule.to_owned(),
        promotes: String::new(),
        promoted: ";".to_owned(),
        attributes: Vec::new(),
    };
    let (steps, lines) = ("1,2,3,4,5,6,7,8;", ";2,4,5,7");
    let mut cells = vec![0; 25];
    (cells[2], cells[22]) = (3, 1);
    let draft = Draft {
        rows: 5,
        cols: 5,
        cells,
        kinds: vec![
            kind("K", Side::First, true, steps),
            kind("R", Side::First, false, lines),
            kind("K", Side::Second, true, steps),
            kind("R", Side::Second, false, lines),
        ],
        promotion: false,
        undo: true,
        neutral_limit: false,
        ..Draft::default()
    };
    let reading = draft.read();
    let map = reading.map.unwrap_or_else(|| panic!("{:?}", reading.errors));
    Jingbanqi::new(Arc::new(Rulebook::new(map, false)))
}

fn open(_: &Puzzle, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
    kernel::any_at(start(), fen)
}

fn at(fen: &str) -> Box<dyn AnyGame> {
    kernel::any_at(start(), Some(fen)).expect("a good position")
}

fn prove(fen: &str, within: u8, takes: Option<u16>) -> Result<Verdict, Problem> {
    set::prove(at(fen).as_ref(), Aim { within, takes }, &|| true)
}

/// Rooks on the second and the third row; the captain in the corner has the first row left.
const LADDER: &str = ".4,3/2,.4/.,2,.3/.5/1,.4 r 0,0 -";

fn ladder() -> Puzzle {
    let aim = Aim { within: 3, takes: None };
    let game = at(LADDER);
    let Ok(Verdict::Proved { within, line, .. }) = set::prove(game.as_ref(), aim, &|| true) else {
        panic!("is not proved")
    };
    set::puzzle(game.as_ref(), "small", aim, within, line, "set by hand".to_owned())
}

#[test]
fn a_win_is_proved_in_as_few_moves_as_it_takes() {
    let Ok(Verdict::Proved { within, line, firsts }) = prove(LADDER, 5, None) else { panic!("not proved") };
    assert_eq!((within, line.len()), (2, 3), "{line:?}");
    // Check on the first row, or the fourth file closed so that any move loses.
    assert_eq!(firsts, 2);
    assert!(["3,2-1,2", "3,2-3,4"].contains(&line[0][0].as_str()), "{line:?}");
    let Ok(Verdict::Refuted { line }) = prove(LADDER, 1, None) else { panic!("one move cannot win") };
    assert_eq!(line.len(), 1);
}

#[test]
fn what_can_be_prevented_is_refused_with_the_line() {
    // The blue rook takes the red one that gives check.
    let fen = ".4,3/2,.4/.,2,.3/.,4,.3/1,.4 r 0,0 -";
    let aim = Aim { within: 2, takes: None };
    let verdict = prove(fen, 2, None).expect("is decided");
    let Verdict::Refuted { line } = &verdict else { panic!("{verdict:?}") };
    let mut game = at(fen);
    for text in line {
        game.play(text).expect("is legal");
    }
    assert_eq!(game.outcome().and_then(kernel::Outcome::winner), None, "{line:?}");
    let why = verdict.refusal(aim).expect("is refused");
    assert_eq!((why.key, why.arg("within")), ("puzzle-set-refuted", Some("2")));
}

#[test]
fn a_piece_that_has_to_be_taken_is_followed() {
    // The blue rook in the corner cannot leave its row and its file but to where a red rook waits.
    let fen = "4,.4/.,2,.3/.5/.5/1,.2,2,3 r 0,0 -";
    match prove(fen, 1, Some(0)).expect("is decided") {
        Verdict::Refuted { .. } => {}
        other => panic!("{other:?}"),
    }
    // At once: one of many moves takes it.
    let Ok(Verdict::Proved { within: 1, firsts: 1, .. }) =
        prove("4,.4/2,.4/.5/.5/1,.3,3 r 0,0 -", 2, Some(0))
    else {
        panic!("one move takes it")
    };
    for (fen, within, takes, key) in [
        (LADDER, 0, None, "puzzle-set-within"),
        (LADDER, 6, None, "puzzle-set-within"),
        (LADDER, 2, Some(5), "puzzle-set-target"),
        (LADDER, 2, Some(1), "puzzle-set-target"),
        (LADDER, 2, Some(9_999), "puzzle-set-target"),
        (".4,3/.5/.5/.5/1,.4 r 0,0 blue:captain-taken", 2, None, "puzzle-set-over"),
    ] {
        assert_eq!(prove(fen, within, takes).expect_err("is refused").key, key, "{fen} {within} {takes:?}");
    }
    let starter = puzzles::starter::puzzles().find(|puzzle| puzzle.family() == "gomoku").expect("has one");
    let gomoku = puzzles::puzzle::open(&starter, None).expect("opens");
    let why = set::prove(gomoku.as_ref(), Aim { within: 1, takes: None }, &|| true).expect_err("no map");
    assert_eq!(why.key, "puzzle-set-game");
}

#[test]
fn a_position_where_every_move_does_it_is_no_puzzle() {
    // Red can only move its rook along the file, and whatever it does the captain is taken next: it has just one piece.
    let verdict = prove("3,.4/2,.4/.5/.5/.5 r 0,0 -", 1, None).expect("is decided");
    assert!(matches!(verdict, Verdict::Proved { within: 1, firsts: 1, .. }), "{verdict:?}");
    let verdict = prove("3,1,.3/.5/.5/.5/.5 r 0,0 -", 1, None).expect("is decided");
    assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
    assert_eq!(
        Verdict::Every.refusal(Aim { within: 1, takes: None }).expect("is refused").key,
        "puzzle-set-every"
    );
    // The search is given up after a while.
    let why = set::prove(at(LADDER).as_ref(), Aim { within: 5, takes: None }, &|| false);
    assert!(why.is_ok() || why.expect_err("given up").key == "puzzle-set-long");
}

#[test]
fn every_way_to_the_aim_is_right() {
    let puzzle = ladder();
    assert_eq!((puzzle.goal, puzzle.turns()), (Goal::Win, 2));
    puzzle.check(&open).expect("can be played");
    let read = Puzzle::read(&serde_json::to_string(&puzzle).expect("JSON"), &open).expect("is read again");
    assert_eq!(read, puzzle);
    let texts = |moves: &[&str]| moves.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    for first in ["3,2-1,2", "3,2-3,4"] {
        let Ok(Answer::On(game)) = judge(&puzzle, &texts(&[first]), &open) else {
            panic!("{first} is right")
        };
        assert_eq!(game.plies(), 2, "it is answered");
        // Whatever is answered, a rook takes the captain.
        let takes = game.moves().into_iter().find(|text| {
            let mut next = game.boxed_clone();
            next.play(text).is_ok() && next.outcome().is_some()
        });
        let moves = texts(&[first, &takes.expect("takes it")]);
        assert!(matches!(judge(&puzzle, &moves, &open), Ok(Answer::Solved(_))));
    }
    let Ok(Answer::Wrong(game, 0)) = judge(&puzzle, &texts(&["2,1-1,1"]), &open) else { panic!("is wrong") };
    let reply =
        set::refutation(&puzzle, puzzle.set.expect("is set"), game.as_ref(), &open).expect("is found");
    let mut after = game.boxed_clone();
    after.play(&reply.expect("something prevents it")).expect("is legal");
    assert_eq!(after.outcome(), None);
    // The second move leaves the captain alone: the moves are used up.
    let Ok(Answer::On(game)) = judge(&puzzle, &texts(&["3,2-1,2"]), &open) else { panic!("right") };
    let slow = texts(&["3,2-1,2", "5,1-4,1"]);
    assert!(game.moves().contains(&slow[1]));
    assert!(matches!(judge(&puzzle, &slow, &open), Ok(Answer::Wrong(_, 1))));
}

#[test]
fn the_shelf_keeps_them_apart_and_is_bounded() {
    let shelf = Shelf::in_memory(0).expect("opens");
    let puzzle = ladder();
    let before = shelf.tally().expect("reads");
    shelf.place(&puzzle, "ann", ROOM, 5).expect("is kept");
    assert_eq!(shelf.place(&puzzle, "bob", ROOM, 6).expect_err("is known").key, "puzzle-set-known");
    assert_eq!(shelf.tally().expect("reads"), before, "it is not drawn among the others");
    assert_eq!(shelf.puzzle(&puzzle.id).expect("by its id").puzzle, puzzle);
    shelf.answered_placed("ann", &puzzle.id, true).expect("her own does not count");
    for (person, solved) in [("bob", true), ("bob", false), ("cid", false)] {
        shelf.answered_placed(person, &puzzle.id, solved).expect("counts once");
    }
    let of_map = shelf.placed_on(&["other".to_owned(), "small".to_owned()]).expect("reads");
    assert_eq!(of_map.iter().map(|p| (p.tries, p.solved, p.made_ms)).collect::<Vec<_>>(), [(2, 1, 5)]);
    assert_eq!(shelf.remove_placed(&puzzle.id, "bob").expect_err("not his").key, "unknown-puzzle");
    shelf.follow("ann", "account").expect("follows");
    shelf.remove_placed(&puzzle.id, "account").expect("is hers");
    assert_eq!(shelf.puzzle(&puzzle.id).expect_err("is gone").key, "unknown-puzzle");
    for n in 0..2 {
        let other = Puzzle { id: format!("{n:016}"), ..puzzle.clone() };
        shelf.place(&other, "ann", ROOM, n).expect("has room");
    }
    for (who, room, of) in [
        ("ann", ROOM, "person"),
        ("bob", PlacedRoom { of_map: 2, ..ROOM }, "map"),
        ("bob", PlacedRoom { all: 2, ..ROOM }, "all"),
    ] {
        let full = shelf.place(&puzzle, who, room, 9).expect_err("is full");
        assert_eq!((full.key, full.arg("of"), full.arg("most")), ("puzzle-set-full", Some(of), Some("2")));
    }
    shelf.place(&puzzle, "bob", ROOM, 9).expect("has room");
    shelf.forget("bob").expect("is forgotten");
    assert_eq!(shelf.placed(&puzzle.id).expect("stays").owner, "");
    shelf.remove_maps(&["small".to_owned()]).expect("goes with its map");
    assert_eq!(shelf.placed_on(&["small".to_owned()]).expect("reads"), []);
}

#[test]
fn a_file_of_the_version_before_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(Shelf::FILE);
    drop(Shelf::open(&path, 0).expect("opens"));
    let file = rusqlite::Connection::open(&path).expect("opens");
    file.execute_batch("DROP TABLE placed; DROP TABLE placed_try; PRAGMA user_version = 1;")
        .expect("is older");
    drop(file);
    let shelf = Shelf::open(&path, 0).expect("is brought up");
    shelf.place(&ladder(), "ann", ROOM, 1).expect("has room");
    drop(shelf);
    let shelf = Shelf::open(&path, 0).expect("opens again");
    assert_eq!(shelf.placed_on(&["small".to_owned()]).expect("reads").len(), 1);
}
