//! Games whose rules are chosen at run time.

use kernel::{
    AnyGame, Cell, Counter, Fact, Game, MoveView, Notation, Offered, Outcome, Piece, PlayError, Position,
    Problem, Prompt, Side, View, any,
};

use crate::fill::Fill;
use crate::pebbles::Pebbles;
use crate::wide::Wide;

fn pebbles(moves: &[&str]) -> Box<dyn AnyGame> {
    let mut game = any(Pebbles::start());
    for text in moves {
        game.play(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    }
    game
}

#[test]
fn a_view_is_all_a_client_needs() {
    let piece = |at, face: &'static str| Piece { at, owner: None, face: face.into() };
    let pieces = vec![
        piece(0, "pebble"),
        piece(1, "pebble"),
        piece(2, "pebble"),
        piece(3, "pebble"),
        piece(4, "pebble"),
        piece(5, "lantern"),
    ];
    let slide = |text: &str, to| MoveView {
        text: text.to_string(),
        path: vec![5, to],
        shifts: vec![(5, to)],
        pick: None,
        face: None,
        warning: None,
    };
    let expected = View {
        dirs: Vec::new(),
        hands: Vec::new(),
        turn: Side::First,
        pieces,
        marks: vec![],
        moves: Offered::Listed(vec![slide("b2", 6), slide("c2", 7)]),
        buttons: vec![],
        prompt: Some(Prompt { key: "slide".into(), step: 1, of: 2 }),
        last: vec![],
        trail: vec![],
        counters: vec![Counter { key: "pebbles".into(), side: None, now: 5, limit: 5 }],
        notes: vec![],
        caption: None,
        swapped: false,
        puts: None,
        withdraws: false,
        outcome: None,
        ruling: None,
    };
    assert_eq!(pebbles(&[]).view(), expected);
}

#[test]
fn buttons_are_shown_whether_legal_or_not() {
    let view = pebbles(&["b2"]).view();
    let shown: Vec<(&str, bool)> =
        view.buttons.iter().map(|b| (b.text.as_ref(), b.blockers.is_empty())).collect();
    assert_eq!(shown, [("take1", true), ("take2", true), ("take3", false), ("pass", true)]);
    assert_eq!(view.marks[0].kind, "chosen");
    assert_eq!(view.last, [6], "the cell the lantern went to");
    assert!(view.withdraws, "a slide may be taken back alone");
    assert_eq!(view.turn, Side::First, "the same side goes on");
}

#[test]
fn a_move_that_loses_at_once_carries_its_reason() {
    let Offered::Listed(moves) = pebbles(&["c2", "take3", "b2"]).view().moves else {
        panic!("pebbles lists its moves")
    };
    let warnings: Vec<_> = moves.iter().map(|m| (m.text.as_str(), m.warning.as_deref())).collect();
    assert_eq!(warnings, [("take1", None), ("take2", Some("last-pebble")), ("pass", None)]);
}

#[test]
fn a_finished_game_offers_nothing_and_plays_no_more() {
    let win = Outcome::Win(Side::First, "last-pebble");
    let draw = Outcome::Draw("repetition");
    let round = ["b2", "pass", "a2", "pass"];
    for (name, moves, outcome) in [
        ("by the position", vec!["c2", "take3", "b2", "take2"], win),
        ("by repetition", [round, round].concat(), draw),
    ] {
        let mut game = pebbles(&moves);
        let view = game.view();
        assert_eq!(view.outcome, Some(outcome.into()), "{name}");
        assert_eq!(view.moves, Offered::Listed(vec![]), "{name}");
        assert_eq!((view.buttons, view.prompt), (vec![], None), "{name}");
        assert_eq!(game.moves(), Vec::<String>::new(), "{name}");
        assert_eq!(game.texts(), vec![], "{name}");

        let refused = game.play("b2").expect_err(name);
        assert_eq!(refused, PlayError::GameOver(outcome), "{name}");
        assert_eq!(refused.problem(), Problem::new("game-over").with("reason", outcome.reason()), "{name}");
        assert_eq!(game.plies(), moves.len(), "{name}: a refused move changes nothing");

        assert!(game.undo(), "{name}");
        assert_eq!(game.outcome(), None, "{name}");
    }
}

#[test]
fn a_ruling_counts_its_plies_from_the_start_of_the_game() {
    let round = ["b2", "pass", "c2", "pass"];
    let game = pebbles(&[&["c2", "take1"][..], &round].concat());
    assert_eq!(game.view().ruling, None, "nothing was judged yet");
    let game = pebbles(&[&["c2", "take1"][..], &round, &round].concat());
    let Some(ruling) = game.view().ruling else { panic!("the third time is judged: {:?}", game.outcome()) };
    assert_eq!(ruling.notes, [Problem::new("round").into()]);
    assert_eq!(ruling.plies, [3, 5, 7, 9].map(|ply| (ply, "pass".into())));
    let by_position = pebbles(&["c2", "take3", "b2", "take2"]);
    assert_eq!(by_position.view().ruling, None, "no repetition, no ruling");
}

#[test]
fn moves_have_names_in_each_notation() {
    let game = pebbles(&["b2", "take1"]);
    assert_eq!(game.notations(), ["loud"]);
    assert_eq!(game.last_names(), ["TAKE1"]);
    assert_eq!(game.names(), [["B2"], ["TAKE1"]]);
    assert_eq!(game.view().trail, [] as [Cell; 0], "a button leaves no trail");
    assert_eq!(pebbles(&["b2"]).view().trail, [5, 6]);
    assert_eq!(pebbles(&[]).last_names(), [] as [String; 0]);
}

#[test]
fn a_refused_move_says_why_and_changes_nothing() {
    let mut game = pebbles(&[]);
    let before = game.fen();
    for text in ["pass", "a2", "", "落子"] {
        let refused = game.play(text).expect_err(text);
        let expected = Problem::new("illegal-move").with("move", text);
        assert_eq!(refused, PlayError::Illegal(expected.clone()), "{text}");
        assert_eq!(refused.problem(), expected);
        assert_eq!(game.fen(), before, "{text}");
    }
    let mut fill = any(Fill::start());
    fill.play("b1").expect("an empty cell");
    for (text, key) in [("b1", "cell-filled"), ("d1", "no-such-cell")] {
        assert_eq!(fill.play(text).expect_err(text).problem().key, key, "a game may know better: {text}");
    }
}

#[test]
fn the_past_is_told_in_machine_texts() {
    let game = pebbles(&["C2", "TAKE1", "a2"]);
    assert_eq!(game.record(), ["c2", "take1", "a2"]);
    assert_eq!(game.last_move().as_deref(), Some("a2"));
    assert_eq!(game.movers(), [Side::First, Side::First, Side::Second]);
    assert_eq!((game.turn(), game.plies()), (Side::Second, 3));
    assert_eq!(game.start_fen(), "5 0 first slide 0");
    assert_eq!(game.fen(), "4 0 second press 1");

    let start = pebbles(&[]);
    assert_eq!((start.last_move(), start.record(), start.movers()), (None, vec![], vec![]));
}

#[test]
fn a_move_can_be_read_without_playing_it() {
    let game = pebbles(&[]);
    assert_eq!(game.read("C2"), Ok("c2".to_string()));
    assert_eq!(game.read("pass"), Err(PlayError::Illegal(Problem::new("illegal-move").with("move", "pass"))));
    assert_eq!(game.plies(), 0);
    let over = pebbles(&["c2", "take3", "b2", "take2"]);
    assert_eq!(over.read("b2"), Err(PlayError::GameOver(Outcome::Win(Side::First, "last-pebble"))));
}

#[test]
fn only_a_ply_that_was_played_can_be_withdrawn() {
    assert!(pebbles(&["b2"]).withdraws());
    assert!(!pebbles(&["b2", "pass"]).withdraws());
    let half = kernel::Notation::read_fen(&Pebbles::start(), "5 1 first press 1").expect("a legal FEN");
    assert!(!any(half).withdraws(), "nothing was played yet");
}

#[test]
fn a_game_that_fills_any_cell_lists_none() {
    let mut game = any(Fill::start());
    assert_eq!(game.view().moves, Offered::Every(kernel::view::Every::Empty));
    game.play("b1").expect("an empty cell");
    assert_eq!(game.view().last, [1], "without shifts, the end of the path");
    assert_eq!(game.moves(), ["a1", "c1"]);
    game.play("a1").expect("an empty cell");
    game.play("c1").expect("an empty cell");
    assert_eq!(game.view().moves, Offered::Listed(vec![]), "all cells are filled and the game is over");
}

#[test]
fn a_game_may_tell_more() {
    let game = any(Fill::start());
    assert_eq!(game.texts()[2], ("c1".to_string(), vec![("number", "3".to_string())]));
    assert_eq!(game.forbidden(), [("b1".to_string(), "bad-luck")]);
    assert_eq!(game.facts(), [("filled", Fact::Count(0))]);

    let silent = pebbles(&[]);
    assert_eq!(silent.texts()[0], ("b2".to_string(), vec![("loud", "B2".to_string())]));
    assert_eq!((silent.forbidden(), silent.facts()), (vec![], vec![]));
}

#[test]
fn copies_go_their_own_ways() {
    let mut game = pebbles(&["b2"]);
    let mut copy = game.boxed_clone();
    copy.play("pass").expect("a legal move");
    assert!(game.undo());
    assert_eq!((game.plies(), copy.plies()), (0, 2));
    assert!(!game.undo(), "the start stays");
}

#[test]
fn counting_goes_by_text() {
    let game = pebbles(&[]);
    assert_eq!(game.perft(4, 1), 38);
    assert_eq!(game.divide(4), [("b2".to_string(), 18), ("c2".to_string(), 20)]);
}

#[test]
fn a_game_that_says_no_more_than_it_must_is_plain() {
    let mut game = any(Wide::start());
    assert_eq!((game.view().trail, game.view().last), (vec![], vec![]), "nothing was played");
    game.play("7").expect("a legal move");
    assert!(!game.withdraws() && !game.waits());
    assert_eq!(game.texts()[0], ("1".to_owned(), vec![]));
    assert_eq!((game.diagram_texts("0"), game.lessons(), game.palette()), (vec![], vec![], vec![]));
    assert_eq!((game.last_names(), game.details(0), game.caption()), (vec![], vec![], None));
    let view = game.view();
    assert!(matches!(&view.moves, Offered::Listed(moves) if moves.len() == 120));
    assert_eq!((view.last, view.trail), (vec![6], vec![]), "one cell is no trail");
    assert_eq!((view.puts, view.swapped, view.prompt), (None, false, None));
}

#[test]
fn what_a_game_says_is_handed_on() {
    for text in ["a1", "b1", "c1"] {
        let mut position = Fill::start();
        let mut game = any(Fill::start());
        game.play(text).expect("a legal move");
        let m = position.read_move(text).expect("a legal move");
        position.play(m);
        assert_eq!(game.key(), position.key(), "{text}");
        assert_eq!(game.fen(), position.fen(), "{text}");
        assert_eq!(game.lessons(), position.lessons(), "{text}");
        assert_eq!(game.diagram_texts("x.."), position.diagram_texts("x.."), "{text}");
    }
    let game = any(Fill::start());
    assert_eq!((game.lessons().len(), game.diagram_texts("x..").len()), (1, 1), "the game says something");
}

#[test]
fn a_game_past_draws_says_so() {
    let mut game = Game::new(Fill::start());
    assert!(!game.plays_past_draws());
    game.play_past_draws(true);
    assert!(game.plays_past_draws());
}
