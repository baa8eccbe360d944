//! The JSON of a view, to the letter: clients of other makes read it. Fails when a field of the view changes its name, its
//! form, or when it is left out.

#![cfg(feature = "serde")]

use kernel::view::{Every, Offered, Outcome, Problem, View};
use kernel::{Board, Counter, Decor, Dirs, HandPiece, Lines, Mark, MoveView, Names, Piece, Side, Terrain};

fn view() -> View {
    View {
        turn: Side::Second,
        pieces: vec![
            Piece { at: 3, owner: None, face: "rock".into() },
            Piece { at: 7, owner: Some(Side::First), face: "stone".into() },
        ],
        marks: vec![Mark { kind: "check".into(), cells: vec![7] }],
        dirs: vec![],
        hands: vec![],
        moves: Offered::Every(Every::Empty),
        buttons: vec![],
        prompt: None,
        last: vec![7],
        trail: vec![],
        counters: vec![],
        notes: vec![],
        caption: None,
        swapped: false,
        puts: None,
        withdraws: true,
        outcome: None,
        ruling: None,
    }
}

#[test]
fn a_view_leaves_out_what_is_not_there() {
    let text = r#"{"turn":"second","pieces":[[3,null,"rock"],[7,"first","stone"]],"marks":[{"kind":"check","cells":[7]}],"moves":"empty","buttons":[],"prompt":null,"last":[7],"withdraws":true,"outcome":null}"#;
    assert_eq!(serde_json::to_string(&view()).unwrap(), text);
    assert_eq!(serde_json::from_str::<View>(text).unwrap(), view());
}

#[test]
fn a_full_view_comes_back() {
    let problem = kernel::Problem::new("why").with("square", "h8").with("count", 3);
    let full = View {
        dirs: vec![
            Dirs { at: 24, near: 90, far: 0, more: vec![] },
            Dirs { at: 25, near: 0, far: 1, more: vec![0, 66] },
        ],
        hands: vec![
            HandPiece { side: Side::First, face: "pawn".into(), pick: "pawn".to_owned(), count: Some(2) },
            HandPiece { side: Side::Second, face: "pawn".into(), pick: "fourth".to_owned(), count: None },
        ],
        moves: Offered::Listed(vec![MoveView {
            text: "a1-b2".to_owned(),
            path: vec![0, 9],
            shifts: vec![(0, 9)],
            pick: Some("queen".to_owned()),
            face: Some("Q".into()),
            warning: Some("lost".into()),
        }]),
        trail: vec![1, 2],
        counters: vec![Counter { key: "natural".into(), side: None, now: 1, limit: 2 }],
        notes: vec![Problem::from(problem)],
        swapped: true,
        puts: Some(Side::First),
        outcome: Some(Outcome::from(kernel::Outcome::Void("extension-failed"))),
        ..view()
    };
    let text = serde_json::to_string(&full).unwrap();
    for part in [
        r#""dirs":[[24,90,0],[25,0,1,[0,66]]]"#,
        r#""moves":[{"text":"a1-b2","path":[0,9],"shifts":[[0,9]],"pick":"queen","face":"Q","warning":"lost"}]"#,
        r#""hands":[{"side":"first","face":"pawn","pick":"pawn","count":2},{"side":"second","face":"pawn","pick":"fourth"}]"#,
        r#""notes":[{"key":"why","args":{"count":"3","square":"h8"}}]"#,
        r#""swapped":true,"puts":"first""#,
        r#""outcome":{"winner":null,"reason":"extension-failed","void":true}"#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(serde_json::from_str::<View>(&text).unwrap(), full);
    let won = Outcome::from(kernel::Outcome::Win(Side::First, "mate"));
    assert_eq!(serde_json::to_string(&won).unwrap(), r#"{"winner":"first","reason":"mate"}"#);
}

#[test]
fn a_board_says_how_its_places_are_called() {
    let mut board = Board::new(Lines::Points, 9, 10, Names::letters_up(0));
    board.decor = vec![Decor::River { after_row: 4 }, Decor::Station { at: 19 }];
    let text = r#"{"lines":"points","files":9,"ranks":10,"names":{"kind":"letters-up","first":0},"stars":[],"decor":[{"kind":"river","after_row":4},{"kind":"station","at":19}]}"#;
    assert_eq!(serde_json::to_string(&board).unwrap(), text);
    let numbered = serde_json::to_value(Board::new(Lines::Cells, 8, 8, Names::NUMBERS)).unwrap();
    assert_eq!(numbered["names"], serde_json::json!({"kind": "numbers", "first": 1}));
}

#[test]
fn a_board_says_what_its_cells_look_like() {
    let mut board = Board::new(Lines::Cells, 3, 2, Names::PAIRS);
    board.hex = true;
    board.hands = Some(Side::Second);
    let water =
        Terrain { name: "水".to_owned(), colour: Some("blue".into()), icon: None, cells: vec![0, 4] };
    board.terrain = vec![water];
    let text = r#"{"lines":"cells","files":3,"ranks":2,"names":{"kind":"pairs","first":1},"stars":[],"hex":true,"terrain":[{"name":"水","colour":"blue","cells":[0,4]}],"hands":"second"}"#;
    assert_eq!(serde_json::to_string(&board).unwrap(), text);
    assert_eq!(serde_json::from_str::<Board>(text).unwrap(), board);
}
