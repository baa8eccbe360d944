//! One row or check for each paragraph of docs/rules/locked.md, and what is refused.

use kernel::laws::Random;
use kernel::{Game, Notation, Outcome, Position, Side, any::AnyGame};
use locked::{Locked, Rules};

const START: &str = "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 1 - -";
/// A black stone in two opposite corners: Black has nothing at step 1.
const STUCK: &str = "b11/12/12/12/12/12/12/12/12/12/5b6/3www5b b 1 - -";

fn moves(fen: &str) -> String {
    let pos = Locked::default().read_fen(fen).unwrap();
    kernel::any(pos).moves().join(" ")
}

#[test]
fn legal_operations() {
    for (name, fen, legal) in [
        ("step 1 takes any direction (2.1)", START, "u d l r"),
        ("step 2 goes across (2.2)", &START.replace("b 1 - -", "b 2 v -"), "l r"),
        ("step 3 takes own stones, by column (2.3, 2.6)", &START.replace("b 1", "b 3"), "d4 e5 h8 i9"),
        ("step 4 moves the chosen stone (2.4)", &START.replace("b 1 - -", "b 4 - d4"), "u d l r"),
        ("step 5 goes across (2.5)", &START.replace("b 1 - -", "b 5 h d4"), "u d"),
        (
            "a shift stops at the edge and at enemies (3.1)",
            "bbb9/2w9/12/12/www9/12/12/12/12/12/12/12 b 1 - -",
            "r",
        ),
        (
            "a stone stops at the edge and at any stone (3.2)",
            "bb10/b11/12/12/www9/12/12/12/12/12/12/12 b 4 - a1",
            "",
        ),
        ("nothing left: lost (4.1)", STUCK, ""),
    ] {
        assert_eq!(moves(fen), legal, "{name}: {fen}");
    }
}

#[test]
fn board_and_start() {
    for (paragraph, fen, is_read) in [
        ("1.1: l12 is on the board", "bbb9/12/12/12/12/12/12/12/12/12/12/9www b 1 - -", true),
        ("1.1: there is no thirteenth column", "bbb9/12/12/12/12/12/12/12/12/12/12/10www b 1 - -", false),
        ("1.2: the start", START, true),
        ("1.3: three a side are enough", "bbb9/12/12/12/12/12/12/12/12/12/w10w/3w8 b 1 - -", true),
        ("1.3: two are not", "bb10/12/12/12/12/12/12/12/12/12/12/9www b 1 - -", false),
        ("1.3: any number", &format!("{}{} w 1 - -", "bbbbbbbbbbbb/".repeat(11), "w".repeat(12)), true),
        ("5.1: runs are one number", &START.replacen("12", "66", 1), false),
        ("5.2: an axis at step 2", &START.replace("b 1 -", "b 2 h"), true),
        ("5.2: and at no other", &START.replace("b 1 -", "b 3 h"), false),
        ("5.3: a chosen stone at step 4", &START.replace("b 1 - -", "b 4 - e5"), true),
        ("5.3: and not at step 3", &START.replace("b 1 - -", "b 3 - e5"), false),
    ] {
        let read = Locked::default().read_fen(fen).map(|pos| pos.fen());
        assert_eq!(read.as_deref().ok(), is_read.then_some(fen), "{paragraph}");
    }
    assert_eq!(Locked::default().fen(), START, "1.2");
    let squares = |side| {
        Locked::default().stones(side).by_column().map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!([squares(Side::First), squares(Side::Second)], ["d4 e5 h8 i9", "d9 e8 h5 i4"], "1.2");
}

/// Each numbered paragraph of the rules is named by a row or check of this file.
#[test]
fn every_paragraph_has_a_check() {
    let checks = include_str!("rules.rs");
    let is_number = |w: &&str| matches!(w.split_once('.'), Some((a, b)) if [a, b].iter().all(|n| n.parse::<u8>().is_ok()));
    let rules = include_str!("../../../docs/rules/locked.md");
    let paragraphs: Vec<&str> = rules.split_whitespace().filter(is_number).collect();
    assert!(paragraphs.len() >= 19, "{paragraphs:?}");
    for number in paragraphs {
        assert!(checks.contains(number), "{number} has no check");
    }
}

#[test]
fn losing_and_withdrawing() {
    let stuck = Locked::default().read_fen(STUCK).unwrap();
    assert_eq!(stuck.outcome(), Some(Outcome::Win(Side::Second, "no-moves")), "4.1");
    let chosen = Locked::default().read_fen("bb10/b11/12/12/www9/12/12/12/12/12/12/12 b 4 - a1").unwrap();
    assert_eq!(chosen.outcome(), Some(Outcome::Win(Side::Second, "no-moves")), "4.1: one's own doing");
    assert!(chosen.withdraws(), "4.5: also when stuck");
    assert!(!stuck.withdraws(), "4.5: only at step 4");
}

/// Both sides go out and come back in two turns each; the start then begins a turn again.
const ROUND: &str = "u l c3 u l u l h3 u l d r c3 d r d r h3 d r";

fn play_round(rules: Rules, times: usize) -> Box<dyn AnyGame> {
    let mut game = kernel::any(Locked::new(rules));
    for text in std::iter::repeat_n(ROUND.split(' '), times).flatten() {
        game.play(text).unwrap_or_else(|e| panic!("{text} in {}: {e:?}", game.fen()));
    }
    game
}

#[test]
fn draws() {
    let repetition = Rules { repetition: true, turn_limit: None };
    assert_eq!(play_round(Rules::default(), 2).outcome(), None, "4.2");
    assert_eq!(play_round(repetition, 1).outcome(), None, "4.3: twice is not enough");
    assert_eq!(play_round(repetition, 2).outcome(), Some(Outcome::Draw("threefold-repetition")), "4.3");
    let limit = Rules { repetition: false, turn_limit: Some(4) };
    let game = play_round(limit, 1);
    assert_eq!(game.outcome(), Some(Outcome::Draw("turn-limit")), "4.4");
    assert_eq!(game.fen(), format!("{START} 4"), "5.4");
    let stuck = Locked::new(limit).read_fen(&format!("{STUCK} 9")).unwrap();
    assert_eq!(stuck.outcome(), Some(Outcome::Win(Side::Second, "no-moves")), "4.4: stuck at the limit");
}

#[test]
fn refused_positions() {
    let start = Locked::default();
    for (key, fen) in [
        ("locked-fen-fields", "".to_owned()),
        ("locked-fen-fields", format!("{START} 1 2")),
        ("locked-fen-length", "b".repeat(1000)),
        ("locked-fen-rows", START.replacen("12/", "", 1)),
        ("locked-fen-run", START.replacen("12", "0", 1)),
        ("locked-fen-run", START.replacen("12", "012", 1)),
        ("locked-fen-run", START.replacen("12", "66", 1)),
        ("locked-fen-row-width", START.replacen("12", "11", 1)),
        ("locked-fen-row-width", START.replacen("12", "12b", 1)),
        ("locked-fen-letter", START.replacen("3b", "3黑", 1)),
        ("locked-too-few-stones", "bb10/12/12/12/12/12/12/12/12/12/12/9www b 1 - -".to_owned()),
        ("locked-bad-side", START.replace("b 1", "r 1")),
        ("locked-bad-step", START.replace("b 1", "b 6")),
        ("locked-axis-misfit", START.replace("b 1 -", "b 1 v")),
        ("locked-axis-misfit", START.replace("b 1", "b 2")),
        ("locked-chosen-misfit", START.replace("b 1", "b 4")),
        ("locked-chosen-misfit", START.replace("b 1 - -", "b 1 - d4")),
        ("locked-chosen-misfit", START.replace("b 1 - -", "b 4 - d9")),
        ("locked-chosen-misfit", START.replace("b 1 - -", "b 4 - D4")),
        ("locked-fen-turns", format!("{START} 07")),
    ] {
        assert_eq!(start.read_fen(&fen).map_err(|p| p.key), Err(key), "{fen}");
    }
}

#[test]
fn refused_moves() {
    let at = |tail: &str| START.replace("b 1 - -", tail);
    for (problem, fen, text) in [
        ("locked-move-unknown move=\"x\" step=\"1\"", at("b 1 - -"), "x"),
        ("locked-direction-wanted move=\"d4\" step=\"1\"", at("b 1 - -"), "d4"),
        ("locked-stone-wanted move=\"u\" step=\"3\"", at("b 3 - -"), "u"),
        ("locked-not-your-stone square=\"d9\"", at("b 3 - -"), "d9"),
        ("locked-no-stone-there square=\"a1\"", at("b 3 - -"), "a1"),
        ("locked-not-across move=\"u\" step=\"2\"", at("b 2 v -"), "u"),
        ("locked-blocked-by-edge move=\"u\" stones=\"a1\"", STUCK.to_owned(), "up"),
    ] {
        let pos = Locked::default().read_fen(&fen).unwrap();
        assert_eq!(pos.read_move(text), None, "{text} in {fen}");
        assert_eq!(pos.refusal(text).to_string(), problem, "{text} in {fen}");
    }
}

#[test]
fn many_ways_to_write_a_move() {
    // Section 6 of the rules.
    let start = Locked::default();
    for text in ["u", "U", "up", "Up", "上", "↑", " u "] {
        assert_eq!(start.read_move(text).map(|m| start.move_text(m)).as_deref(), Some("u"), "{text:?}");
    }
}

/// Whole turns go by diagonals: Black keeps the even squares and White the odd ones.
#[test]
fn parity_at_turn_boundaries() {
    let mut random = Random(7);
    for _ in 0..100 {
        let mut game = Game::new(Locked::default());
        for _ in 0..300 {
            let pos = *game.position();
            if pos.step().number() == 1 {
                for side in Side::BOTH {
                    let parity = side.index() as u8;
                    assert!(
                        pos.stones(side).by_row().all(|s| (s.x() + s.y()) % 2 == parity),
                        "{}",
                        pos.fen()
                    );
                }
            }
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
        }
    }
}

/// Changed texts are read or refused, and what is read is written back.
#[test]
fn mutated_texts_never_panic() {
    let letters: Vec<char> = "0123456789/bw- hvuldr黑".chars().collect();
    let mut random = Random(11);
    for _ in 0..20_000 {
        let mut text: Vec<char> = START.replace("b 1 - -", "b 5 v d4").chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = letters[random.below(letters.len())],
                1 => text.insert(at, letters[random.below(letters.len())]),
                _ => drop(text.remove(at)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(pos) = Locked::default().read_fen(&text) {
            assert_eq!(pos.read_fen(&pos.fen()), Ok(pos), "{text}");
        }
        let _ = Locked::default().refusal(&text);
    }
}

/// A stone is read in the form of the program that came before, which its players still type.
#[test]
fn stones_by_column_and_row() {
    let choosing = Locked::default().read_fen(&START.replace("b 1", "b 3")).unwrap();
    for text in ["d4", "4 4", " 4,4", "(4,4)", "( 4 , 4 )", "（4，4）", "(4, 4, '黑')", "4 4 黑"] {
        let read = choosing.read_move(text).map(|m| choosing.move_text(m));
        assert_eq!(read.as_deref(), Some("d4"), "{text:?}");
    }
    for text in ["4", "4 4 4", "(4,4", "4,4)", "0 4", "4 13", "-4 4", "4 4 红", "+4 4", "４"] {
        assert_eq!(choosing.read_move(text), None, "{text:?}");
    }
    assert_eq!(choosing.refusal("9 3").key, "locked-no-stone-there");
}

#[test]
fn positions_are_set_up_between_turns() {
    let start = Locked::default();
    let pieces = start.diagram().pieces;
    let other = start.set_up(Side::Second, &pieces).unwrap();
    assert_eq!(other.fen(), START.replace(" b ", " w "));
    assert_eq!(start.set_up(Side::First, &pieces[1..]).map(|_| ()), Ok(()), "three a side are enough");
    let few: Vec<_> = pieces.iter().filter(|p| p.owner == Some(Side::First)).cloned().collect();
    assert_eq!(start.set_up(Side::First, &few).unwrap_err().key, "locked-too-few-stones");
}
