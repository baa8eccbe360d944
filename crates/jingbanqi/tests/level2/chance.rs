//! Chance at level 2: would catch odds that are not those of the bag, a draw that a record or a FEN loses, a colour that goes
//! to the wrong player, and a bag that is told of without its cell.

use kernel::laws::{Random, check_games};
use kernel::{AnyGame as _, Game, Notation as _, Offered, Outcome, Position as _, Side, by_lot};

use super::*;

/// The table of Banqi: a piece that lies face down, and seven of each side.
fn banqi() -> Draft {
    let ranked = |takes: &'static str, rank: &'static str| [("可吃", takes), ("级", rank)];
    let (soldier, general) = (ranked("兵/卒/帅/将", "1"), ranked("级-兵/卒", "7"));
    let (horse, rook) = (ranked("级", "3"), ranked("级", "4"));
    let (bishop, guard) = (ranked("级", "5"), ranked("级", "6"));
    let (step, cannon) = ("2,4,5,7;", "m2,m4,m5,m7;cp2,cp4,cp5,cp7");
    let pieces: [Piece<'_>; 15] = [
        ("暗", "-", ";", "", "", &[("翻开", "袋")]),
        ("兵", "r", step, "", "", &soldier),
        ("炮", "r", cannon, "", "", &[("级", "2")]),
        ("马", "r", step, "", "", &horse),
        ("车", "r", step, "", "", &rook),
        ("相", "r", step, "", "", &bishop),
        ("仕", "r", step, "", "", &guard),
        ("帅", "r", step, "", "", &general),
        ("卒", "b", step, "", "", &soldier),
        ("砲", "b", cannon, "", "", &[("级", "2")]),
        ("馬", "b", step, "", "", &horse),
        ("車", "b", step, "", "", &rook),
        ("象", "b", step, "", "", &bishop),
        ("士", "b", step, "", "", &guard),
        ("将", "b", step, "", "", &general),
    ];
    let row = "1 1 1 1 1 1 1 1";
    let mut draft = draft(&[row; 4].join("\n"), &pieces, "无子 | 负; 无子可动 | 负; 定色; 无吃 | 60 | 和");
    draft.level2.bag = rows(
        "bag|piece|side|count; 袋|兵|1|5; 袋|炮|1|2; 袋|马|1|2; 袋|车|1|2; 袋|相|1|2; 袋|仕|1|2; 袋|帅|1|1; \
         袋|卒|2|5; 袋|砲|2|2; 袋|馬|2|2; 袋|車|2|2; 袋|象|2|2; 袋|士|2|2; 袋|将|2|1",
    );
    draft
}

/// Pieces that are turned over when they move, each side's from its own bag, and captains that may not be left attacked.
fn jieqi() -> Draft {
    let pieces: [Piece<'_>; 8] = [
        ("帅", "rc", "2,4,5,7;", "", "", &[]),
        ("将", "bc", "2,4,5,7;", "", "", &[]),
        ("?", "r", "2,4,5;", "", "", &[("turns", "red moves")]),
        ("!", "b", "7,4,5;", "", "", &[("turns", "blue 走")]),
        ("R", "r", ";2,4,5,7", "", "", &[]),
        ("P", "r", "2;", "", "", &[]),
        ("r", "b", ";2,4,5,7", "", "", &[]),
        ("p", "b", "7;", "", "", &[]),
    ];
    let mut draft = draft("4 2 4\n. . .\n. . .\n3 1 3", &pieces, "禁送; 无子可动 | 负; plies | 80");
    draft.level2.bag = rows("bag|piece|side|count; blue|r|2|1; red|R|1|1; red|P|1|2; blue|p|2|1");
    draft
}

fn listed(game: &Game<Jingbanqi>) -> Vec<String> {
    match game.players_view().moves {
        Offered::Listed(moves) => moves.into_iter().map(|m| m.text).collect(),
        Offered::Every(_) => panic!("they are listed"),
    }
}

#[test]
fn maps_with_bags_obey_the_laws() {
    for draft in [banqi(), jieqi()] {
        check_games(&game(&good(&draft)), 6, 90);
    }
}

#[test]
fn outcomes_have_the_weights_of_the_bag() {
    let start = game(&good(&banqi()));
    let mut moves: Vec<Move> = Vec::new();
    start.moves(&mut moves);
    assert_eq!(moves.len(), 32 * 14, "each square and each kind");
    let weights: u32 = moves.iter().filter_map(|&m| start.by_chance(m)).map(|one| one.weight).sum();
    assert_eq!(weights, 32 * 32, "all pieces, at each square");
    let played = Game::new(start.clone());
    assert_eq!(listed(&played).len(), 32, "players choose a square");
    let soldier = "2,3-2,3{兵}".to_owned();
    assert_eq!(played.outcomes("2,3-2,3")[0], (soldier.clone(), 5));
    assert_eq!(played.chosen(&soldier).as_deref(), Some("2,3-2,3"));

    let mut next = start.clone();
    next.play(start.read_move(&soldier).expect("legal"));
    assert_eq!(
        Game::new(next.clone()).outcomes("1,1-1,1")[0],
        ("1,1-1,1{兵}".to_owned(), 4),
        "one has left the bag"
    );
    assert_eq!(next.turned_over(), 1);
    let told = kernel::any(next.clone()).details(0);
    let turns = told.iter().find(|problem| problem.key == "turns").expect("it says what may come");
    assert!(turns.arg("left").is_some_and(|left| left.starts_with("兵 4, 炮 2")), "{turns:?}");
    let bare = start.read_move("2,3-2,3");
    assert_eq!(bare, None, "nothing was drawn for it");
}

/// Chi-square of 14 kinds over 32,000 draws: above 50 in one of 300,000 such tests.
#[test]
fn kinds_are_drawn_as_often_as_they_are_in_the_bag() {
    let start = kernel::any(game(&good(&banqi())));
    let counts = start.outcomes("1,1-1,1");
    let mut random = Random(0xBA6);
    let mut met = vec![0u32; counts.len()];
    let draws = 32_000;
    for _ in 0..draws {
        let drawn = by_lot(&*start, "1,1-1,1", |sum| random.bits() % sum);
        met[counts.iter().position(|(text, _)| *text == drawn).expect("an outcome")] += 1;
    }
    let square = |(&met, (_, weight)): (&u32, &(String, u32))| {
        let expected = f64::from(draws) * f64::from(*weight) / 32.0;
        (f64::from(met) - expected).powi(2) / expected
    };
    let sum: f64 = met.iter().zip(&counts).map(square).sum();
    assert!(sum < 50.0, "{sum}: {met:?}");
}

/// Random games are the same again from their record, and from each FEN on the way.
#[test]
fn games_are_the_same_again_from_record_and_fen() {
    for (draft, most) in [(banqi(), 500), (jieqi(), 100)] {
        let start = game(&good(&draft));
        let mut reasons = Vec::new();
        for seed in 1..=12 {
            let mut random = Random(seed);
            let mut played = Game::new(start.clone());
            let mut from_fen = start.clone();
            for _ in 0..most {
                let choices = listed(&played);
                if choices.is_empty() {
                    break;
                }
                let choice = &choices[random.below(choices.len())];
                let text = by_lot(&played, choice, |sum| random.bits() % sum);
                kernel::AnyGame::play(&mut played, &text).expect("is legal");
                from_fen = from_fen.read_fen(&from_fen.fen()).expect("a FEN");
                from_fen.play(from_fen.read_move(&text).expect("legal after the FEN, too"));
                assert_eq!(from_fen.fen(), played.position().fen());
            }
            let outcome = kernel::AnyGame::outcome(&played);
            reasons.push(outcome.map(|end| end.reason()));
            let mut again = Game::new(start.clone());
            for text in played.record() {
                kernel::AnyGame::play(&mut again, &text).expect("the record is legal");
            }
            assert_eq!(again.position().fen(), played.position().fen());
            assert_eq!(kernel::AnyGame::outcome(&again), outcome);
        }
        assert!(reasons.iter().all(Option::is_some), "all games end: {reasons:?}");
    }
}

#[test]
fn whoever_turns_the_first_piece_over_has_its_colour() {
    let map = good(&banqi());
    let red = played(&map, "1,1-1,1{兵}");
    assert_eq!((red.position().turn(), red.position().colour()), (Side::Second, Side::Second));
    assert!(!red.position().swapped());
    let blue = played(&map, "1,1-1,1{卒}");
    assert_eq!(
        (blue.position().turn(), blue.position().colour()),
        (Side::Second, Side::First),
        "red is the second player's"
    );
    assert!(blue.position().swapped());
    let piece = &blue.position().diagram().pieces[0];
    assert_eq!((piece.face.as_ref(), piece.owner), ("卒", Some(Side::First)));
    // Once decided, another colour changes nothing.
    let later = played(&map, "1,1-1,1{卒} 1,2-1,2{将}");
    assert_eq!((later.position().turn(), later.position().swapped()), (Side::First, true));
    assert!(!listed(&later).contains(&"1,1-2,1".to_owned()), "face-down pieces are in the way");
}

#[test]
fn a_soldier_takes_the_general_and_a_cannon_jumps() {
    let start = game(&good(&banqi()));
    let fen = |rows: &str| format!("{rows}/.8/.8/.8 r 0,0 - - 4,0,0,0 0,0 - -");
    for (rows, legal, not) in [
        ("2,15,.6", "1,1-1,2", ""),
        ("8,9,.6", "1,1-2,1", "1,1-1,2"),
        ("3,1,15,.5", "1,1-1,3", "1,1-1,2"),
        ("3,15,.6", "1,1-2,1", "1,1-1,2"),
        ("5,13,.6", "1,1-2,1", "1,1-1,2"),
    ] {
        let pos = start.read_fen(&fen(rows)).expect("a FEN");
        let texts = moves(&pos);
        assert!(texts.contains(&legal.to_owned()), "{rows}: {texts:?}");
        assert!(!texts.contains(&not.to_owned()), "{rows}: {texts:?}");
    }
    let pos = start.read_fen(&fen("1,2,15,.5")).expect("a FEN");
    assert!(!moves(&pos).iter().any(|text| text.starts_with("1,1-1,1")), "nothing is left to draw");
    assert_eq!(pos.outcome(), None);
    let mut last = start.read_fen(&fen("2,15,.6")).expect("a FEN");
    last.play(last.read_move("1,1-1,2").expect("legal"));
    assert_eq!(last.outcome(), Some(Outcome::Win(Side::First, "no-pieces")), "and none can be drawn");
}

#[test]
fn a_piece_that_moves_is_turned_over_and_promotes_the_odds_of_its_own_bag() {
    let map = good(&jieqi());
    let start = Game::new(game(&map));
    assert_eq!(start.outcomes("4,1-3,1"), [("4,1-3,1{R}".to_owned(), 1), ("4,1-3,1{P}".to_owned(), 2)]);
    assert_eq!(listed(&start), ["4,1-3,1", "4,2-3,2", "4,3-3,3"]);
    let next = played(&map, "4,1-3,1{R}");
    assert_eq!(next.position().piece(6).map(|piece| piece.id), Some(5));
    assert_eq!(next.position().bags(), [(0, 7, 1), (0, 8, 1), (1, 6, 2)]);
    assert!(next.position().fen().ends_with(" 1.7*1,1.8*1,2.6*2"), "{}", next.position().fen());
    // An empty bag turns nothing over.
    let fen = "4,2,4/.3/.3/3,1,3 r 0,0 - - 0,0,0,0 0,0 - 1.7*1,1.8*1";
    let empty = start.position().read_fen(fen).expect("a FEN");
    assert_eq!(moves(&empty), ["4,1-3,1", "4,2-3,2", "4,3-3,3"]);
    assert!(start.position().notes().is_empty());
}

/// Tests captains that may not be left attacked: a choice is legal if one of its outcomes is: otherwise the list of moves would
/// change the odds.
#[test]
fn all_outcomes_of_a_legal_choice_are_listed() {
    let map = good(&jieqi());
    // The hidden piece of red stands between the enemy's rook and the captain: it may not leave the file.
    let pos = game(&map)
        .read_fen(".,7,./2,.2/.,3,./.,1,. r 0,0 - - 9,0,0,0 0,0 - 1.8*1,2.5*1,2.6*2")
        .expect("a FEN");
    let texts = moves(&pos);
    assert!(texts.iter().all(|text| !text.starts_with("3,2-3,")), "{texts:?}");
    assert_eq!(texts.iter().filter(|text| text.starts_with("3,2-2,2")).count(), 2, "{texts:?}");
}

#[test]
fn faults_of_bags_are_told_with_their_cells() {
    let with = |change: &dyn Fn(&mut Draft)| {
        let mut draft = jieqi();
        change(&mut draft);
        draft
    };
    let bag = |row: &str| with(&|draft| draft.level2.bag.push(rows(row)[0].clone()));
    let turns = |text: &str| with(&|draft| draft.kinds[2].attributes[0].1 = Value::Text(text.to_owned()));
    let table: [(Draft, &str, &str, &str); 13] = [
        (bag("red|X|1|1"), "map-unknown-piece", "bag!B6", ""),
        (bag("red|帅|2|1"), "map-bag-other-side", "bag!B6", ""),
        (bag("red|帅|4|1"), "map-bad-bag-side", "bag!C6", ""),
        (bag("red|帅|1|4097"), "map-bad-bag-count", "bag!D6", ""),
        (bag("red|帅|1|many"), "map-bad-bag-count", "bag!D6", ""),
        (bag("red|R|1|1"), "map-rules2-twice", "bag!B6", ""),
        (bag("|R|1|1"), "map-bad-bag-name", "bag!A6", ""),
        (bag("the red|R|1|1"), "map-bad-bag-name", "bag!A6", ""),
        (bag("green|R|1|1"), "map-unused-bag", "bag!A6", ""),
        (turns("rad moves"), "map-unknown-bag", "chesses!H4", "red"),
        (turns("red hops"), "map-bad-turns", "chesses!H4", ""),
        (turns("red moves twice"), "map-bad-turns", "chesses!H4", ""),
        (with(&|draft| draft.kinds[2].promotes = "X[1]".to_owned()), "map-turns-promotes", "chesses!F4", ""),
    ];
    for (draft, key, place, near) in table {
        let reading = draft.read();
        // A bag that is not named any more is told, too.
        let first = reading.errors.first().expect("an error");
        assert_eq!((first.key, first.arg("place")), (key, Some(place)), "{:?}", reading.errors);
        if !near.is_empty() {
            assert_eq!(first.arg("near"), Some(near), "{key} {place}");
        }
        assert!(reading.map.is_none());
    }
    let start = game(&good(&jieqi()));
    let fen = start.fen();
    for (bad, key) in [
        (fen.replace(" 1.7*1", " 9.7*1"), "jingbanqi-fen-bag"),
        (fen.replace(" 1.7*1", " 1.5*1"), "jingbanqi-fen-bag"),
        (fen.replace(" 1.7*1", " 1.7*0"), "jingbanqi-fen-bag"),
        (fen.replace(" 1.7*1", " 1.7*4097"), "jingbanqi-fen-bag"),
        (fen.replace(" 1.7*1", " x"), "jingbanqi-fen-bag"),
        (fen.rsplit_once(' ').expect("fields").0.to_owned(), "jingbanqi-fen-fields"),
    ] {
        assert_eq!(start.read_fen(&bad).map(|pos| pos.fen()).unwrap_err().key, key, "{bad}");
    }
}

/// A large board full of pieces that are turned over has a bounded list of moves, or none at all.
#[test]
fn large_bags_on_large_boards_are_refused() {
    let large = |squares: u32| {
        let mut draft = banqi();
        (draft.rows, draft.cols) = (64, squares / 64);
        draft.cells = vec![1; squares as usize];
        draft
    };
    assert_eq!(large(4096).read().errors, [], "14 kinds on 4096 squares");
    let mut many = large(4096);
    let more: Vec<DraftKind> = (0..3)
        .map(|n| DraftKind { name: format!("n{n}"), rule: ";".to_owned(), ..DraftKind::default() })
        .collect();
    many.kinds.extend(more);
    many.level2
        .bag
        .extend((0..3).map(|n| vec!["袋".to_owned(), format!("n{n}"), "3".to_owned(), "1".to_owned()]));
    let reading = many.read();
    assert_eq!(reading.errors[0].key, "map-too-large");
    assert_eq!(reading.errors[0].arg("place"), Some("chesses!H2"));
}
