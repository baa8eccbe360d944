//! Openings: a row for each branch of each protocol (docs/rules/gomoku.md §9).

use std::collections::BTreeMap;

use gomoku::opening::{Act, pattern::pattern};
use gomoku::{Gomoku, Opened, Opening, Rule};
use kernel::{Notation, Position, Side, any, laws, perft::perft};

fn opened(opening: Opening) -> Opened {
    let rule = if opening.is_of_renju() { Rule::Renju } else { Rule::Standard };
    Opened::new(opening, Gomoku::new(rule, 15, 15).unwrap()).unwrap()
}

/// The position after a line of moves.
fn after(opening: Opening, line: &str) -> Opened {
    let mut pos = opened(opening);
    for text in line.split_whitespace() {
        let act = pos.read_move(text).unwrap_or_else(|| panic!("{line}: {}", pos.refusal(text)));
        pos.play(act);
    }
    pos
}

/// Returns a position as the table below writes it: the player who decides, the player who has Black, the prompt, and
/// the legal acts.
fn told(pos: &Opened) -> String {
    let side = match pos.turn() {
        Side::First => 1,
        Side::Second => 2,
    };
    let black = if pos.is_swapped() { 2 } else { 1 };
    let prompt = pos.prompt().map_or("-".to_owned(), |p| format!("{} {}/{}", p.key, p.step, p.of));
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let choices: Vec<String> =
        moves.iter().filter(|m| matches!(m, Act::Choice(_))).map(|&m| pos.move_text(m)).collect();
    let points = moves.len() - choices.len();
    let what = match (points, choices.join(" ")) {
        (0, choices) => choices,
        (points, choices) if choices.is_empty() => format!("{points} points"),
        (points, choices) => format!("{points} points {choices}"),
    };
    format!("{side} b{black} {prompt}: {what}")
}

#[test]
fn the_laws_hold() {
    for opening in Opening::ALL {
        laws::check_games(&opened(opening), 6, 40);
        if !opening.is_of_renju() {
            for (files, ranks) in [(9, 9), (10, 12), (26, 26)] {
                let board = Gomoku::new(Rule::Freestyle, files, ranks).unwrap();
                laws::check_games(&Opened::new(opening, board).unwrap(), 3, 120);
            }
        }
    }
    for stones in [1, 3, 5, 6] {
        let board = Gomoku::new(Rule::Renju, 15, 15).unwrap().drawn_at(stones).with_passes();
        laws::check_games(&Opened::new(Opening::Taraguchi10, board.clone()).unwrap(), 4, 40);
        laws::check_games(&Opened::new(Opening::Swap2, board).unwrap(), 4, 40);
    }
    laws::check_games(
        &Opened::new(Opening::Swap2, Gomoku::new(Rule::Standard, 5, 5).unwrap()).unwrap(),
        20,
        400,
    );
}

/// Every step of every branch.
#[test]
fn each_step_asks_the_right_player() {
    for (opening, rows) in [
        (
            Opening::Pro,
            &[
                ("", "1 b1 opening-centre 1/1: 1 points"),
                ("h8", "2 b1 opening-pro-second 1/1: 224 points"),
                ("h8 a1", "1 b1 opening-pro-third 1/1: 199 points"),
                ("h8 h7", "1 b1 opening-pro-third 1/1: 200 points"),
                ("h8 h7 h11", "2 b1 -: 222 points"),
            ][..],
        ),
        (
            Opening::LongPro,
            &[("h8 h7", "1 b1 opening-long-pro-third 1/1: 176 points"), ("h8 h7 h12", "2 b1 -: 222 points")],
        ),
        (
            Opening::Swap1,
            &[
                ("", "1 b1 opening-one 1/1: 225 points"),
                ("a1", "2 b1 opening-colour 1/1: black white"),
                ("a1 white", "2 b1 -: 224 points"),
                ("a1 black", "1 b2 -: 224 points"),
            ],
        ),
        (
            Opening::Swap,
            &[
                ("", "1 b1 opening-three-1 1/3: 225 points"),
                ("a1", "1 b1 opening-three-2 2/3: 224 points"),
                ("a1 b1", "1 b1 opening-three-3 3/3: 223 points"),
                ("a1 b1 c1", "2 b1 opening-colour 1/1: black white"),
                ("a1 b1 c1 white", "2 b1 -: 222 points"),
                ("a1 b1 c1 black", "1 b2 -: 222 points"),
            ],
        ),
        (
            Opening::Swap2,
            &[
                ("a1 b1 c1", "2 b1 opening-colour-or-two 1/1: black white two"),
                ("a1 b1 c1 white", "2 b1 -: 222 points"),
                ("a1 b1 c1 black", "1 b2 -: 222 points"),
                ("a1 b1 c1 two", "2 b1 opening-two-1 1/2: 222 points"),
                ("a1 b1 c1 two d1", "2 b1 opening-two-2 2/2: 221 points"),
                ("a1 b1 c1 two d1 e1", "1 b1 opening-colour 1/1: black white"),
                ("a1 b1 c1 two d1 e1 black", "2 b1 -: 220 points"),
                ("a1 b1 c1 two d1 e1 white", "1 b2 -: 220 points"),
            ],
        ),
        (
            Opening::Rif,
            &[
                ("", "1 b1 opening-pattern-1 1/3: 1 points"),
                ("h8", "1 b1 opening-pattern-2 2/3: 8 points"),
                ("h8 h9", "1 b1 opening-pattern-3 3/3: 23 points"),
                ("h8 h9 i9", "2 b1 opening-white-swaps 1/1: swap stay"),
                ("h8 h9 i9 stay", "2 b1 opening-fourth 1/1: 222 points"),
                ("h8 h9 i9 stay a1", "1 b1 opening-offers 1/2: 221 points"),
                ("h8 h9 i9 stay a1 o15", "1 b1 opening-offers 2/2: 220 points"),
                ("h8 h9 i9 stay a1 o15 o14", "2 b1 opening-pick 1/1: 2 points"),
                ("h8 h9 i9 stay a1 o15 o14 o14", "2 b1 -: 220 points"),
                ("h8 h9 i9 swap", "1 b2 opening-fourth 1/1: 222 points"),
                ("h8 h9 i9 swap a1", "2 b2 opening-offers 1/2: 221 points"),
                ("h8 h9 i9 swap a1 o15 o14", "1 b2 opening-pick 1/1: 2 points"),
                ("h8 h9 i9 swap a1 o15 o14 o15", "1 b2 -: 220 points"),
            ],
        ),
        (
            Opening::Yamaguchi,
            &[
                ("h8 h9", "1 b1 opening-pattern-3 3/4: 23 points"),
                (
                    "h8 h9 i9",
                    "1 b1 opening-fifths 4/4: fifths-1 fifths-2 fifths-3 fifths-4 fifths-5 fifths-6 fifths-7 \
                     fifths-8 fifths-9 fifths-10 fifths-11 fifths-12",
                ),
                ("h8 h9 i9 fifths-3", "2 b1 opening-white-swaps 1/1: swap stay"),
                ("h8 h9 i9 fifths-3 stay", "2 b1 opening-fourth 1/1: 222 points"),
                ("h8 h9 i9 fifths-3 stay a1 o15 o14", "1 b1 opening-offers 3/3: 219 points"),
                ("h8 h9 i9 fifths-3 stay a1 o15 o14 o13", "2 b1 opening-pick 1/1: 3 points"),
                ("h8 h9 i9 fifths-1 swap a1 o15", "1 b2 opening-pick 1/1: 1 points"),
                ("h8 h9 i9 fifths-1 swap a1 o15 o15", "1 b2 -: 220 points"),
            ],
        ),
        (
            Opening::Soosorv8,
            &[
                ("h8 h9 i9", "2 b1 opening-white-swaps 1/1: swap stay"),
                ("h8 h9 i9 stay", "2 b1 opening-fourth 1/2: 222 points"),
                (
                    "h8 h9 i9 stay a1",
                    "2 b1 opening-fifths 2/2: fifths-1 fifths-2 fifths-3 fifths-4 fifths-5 fifths-6 fifths-7 fifths-8",
                ),
                ("h8 h9 i9 stay a1 fifths-2", "1 b1 opening-black-swaps 1/1: swap stay"),
                ("h8 h9 i9 stay a1 fifths-2 stay", "1 b1 opening-offers 1/2: 221 points"),
                ("h8 h9 i9 stay a1 fifths-2 swap", "2 b2 opening-offers 1/2: 221 points"),
                ("h8 h9 i9 stay a1 fifths-2 swap o15 o14", "1 b2 opening-pick 1/1: 2 points"),
                ("h8 h9 i9 swap", "1 b2 opening-fourth 1/2: 222 points"),
                ("h8 h9 i9 swap a1 fifths-1", "2 b2 opening-black-swaps 1/1: swap stay"),
                ("h8 h9 i9 swap a1 fifths-1 swap", "1 b1 opening-offers 1/1: 221 points"),
                ("h8 h9 i9 swap a1 fifths-1 swap o15 o15", "2 b1 -: 220 points"),
            ],
        ),
        (
            Opening::Taraguchi10,
            &[
                ("", "1 b1 opening-centre 1/1: 1 points"),
                ("h8", "2 b1 opening-white-swaps 1/1: swap stay"),
                ("h8 stay", "2 b1 opening-white-3x3 1/1: 8 points"),
                ("h8 swap", "1 b2 opening-white-3x3 1/1: 8 points"),
                ("h8 swap i9", "2 b2 opening-black-swaps 1/1: swap stay"),
                ("h8 stay i9", "1 b1 opening-black-swaps 1/1: swap stay"),
                ("h8 stay i9 swap", "2 b2 opening-black-5x5 1/1: 23 points"),
                ("h8 stay i9 stay", "1 b1 opening-black-5x5 1/1: 23 points"),
                ("h8 stay i9 stay j8", "2 b1 opening-white-swaps 1/1: swap stay"),
                ("h8 stay i9 stay j8 swap", "1 b2 opening-white-7x7 1/1: 46 points"),
                ("h8 stay i9 stay j8 stay", "2 b1 opening-white-7x7 1/1: 46 points"),
                ("h8 stay i9 stay j8 stay k11", "1 b1 opening-black-swaps-or-ten 1/1: swap stay ten"),
                ("h8 stay i9 stay j8 swap k11", "2 b2 opening-black-swaps-or-ten 1/1: swap stay ten"),
                ("h8 stay i9 stay j8 stay k11 stay", "1 b1 opening-black-9x9 1/1: 77 points"),
                ("h8 stay i9 stay j8 stay k11 swap", "2 b2 opening-black-9x9 1/1: 77 points"),
                ("h8 stay i9 stay j8 stay k11 stay d4", "2 b1 opening-white-swaps 1/1: swap stay"),
                ("h8 stay i9 stay j8 stay k11 swap d4", "1 b2 opening-white-swaps 1/1: swap stay"),
                ("h8 stay i9 stay j8 stay k11 swap d4 stay", "1 b2 -: 220 points"),
                ("h8 stay i9 stay j8 stay k11 swap d4 swap", "2 b1 -: 220 points"),
                ("h8 stay i9 stay j8 stay k11 ten", "1 b1 opening-offers 1/10: 221 points"),
                (
                    "h8 stay i9 stay j8 stay k11 ten a1 a2 a3 a4 a5 a6 a7 a8 a9",
                    "1 b1 opening-offers 10/10: 212 points",
                ),
                (
                    "h8 stay i9 stay j8 stay k11 ten a1 a2 a3 a4 a5 a6 a7 a8 a9 a10",
                    "2 b1 opening-pick 1/1: 10 points",
                ),
                ("h8 stay i9 stay j8 stay k11 ten a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a7", "2 b1 -: 220 points"),
                ("h8 swap i9 swap j8 swap k11 ten a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a7", "1 b2 -: 220 points"),
            ],
        ),
    ] {
        for (line, expected) in rows {
            let pos = after(opening, line);
            assert_eq!(told(&pos), *expected, "{}: {line}", opening.key());
            assert_eq!(pos.swapped(), pos.is_swapped(), "{line}");
        }
    }
}

/// The colour of the next stone is known before it is put: the picture then shows that colour there.
#[test]
fn the_next_stone_is_whose_it_was_said_to_be() {
    for (opening, line) in [
        (Opening::Swap2, "h8 i9 c3 two d4 e12 white f6 f7"),
        (Opening::Swap2, "h8 i9 c3 black f6 f7"),
        (Opening::Taraguchi10, "h8 swap i9 swap j8 stay k11 swap l8 swap f6"),
        (Opening::Taraguchi10, "h8 swap i9 swap j8 swap k11 ten a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a7 b1"),
        (Opening::Soosorv8, "h8 h9 i8 swap d4 fifths-2 swap a1 o14 a1 b1"),
    ] {
        let mut pos = opened(opening);
        for text in line.split_whitespace() {
            let said = pos.puts();
            let act = pos.read_move(text).unwrap();
            let path = pos.path(act);
            pos.play(act);
            let pieces = pos.diagram().pieces;
            let put = pieces.iter().find(|piece| path == [piece.at]);
            assert!(put.is_none_or(|piece| piece.owner == Some(said)), "{line}: {text}");
        }
        assert!(pos.is_open(), "{line}");
        assert_eq!(pos.puts(), pos.turn(), "{line}");
    }
}

/// Each player may swap at each of five points, so every pair of answers must come out right.
#[test]
fn five_swaps_of_taraguchi() {
    for answers in 0..32_u32 {
        let word = |i: u32| if answers >> i & 1 == 1 { "swap" } else { "stay" };
        let line = format!("h8 {} h9 {} h10 {} e5 {} d4 {}", word(0), word(1), word(2), word(3), word(4));
        let pos = after(Opening::Taraguchi10, &line);
        assert_eq!(pos.is_swapped(), answers.count_ones() % 2 == 1, "{line}");
        assert!(pos.is_open(), "{line}");
        assert_eq!(pos.stones().turn(), Side::Second, "White puts the sixth stone: {line}");
        assert_eq!(pos.turn(), if pos.is_swapped() { Side::First } else { Side::Second }, "{line}");
    }
}

/// Move paths through the openings: by the sizes of the zones and the numbers of choices.
#[test]
fn counts_by_reasoning() {
    for (opening, depth, paths) in [
        (Opening::Pro, 2, 224),
        // White in the middle 5x5 leaves 225 - 25 points outside it, elsewhere one fewer.
        (Opening::Pro, 3, 24 * 200 + 200 * 199),
        (Opening::LongPro, 3, 48 * 176 + 176 * 175),
        (Opening::Swap1, 2, 225 * 2),
        (Opening::Swap1, 3, 225 * 2 * 224),
        (Opening::Rif, 3, 8 * 23),
        (Opening::Rif, 4, 8 * 23 * 2),
        (Opening::Yamaguchi, 5, 8 * 23 * 12 * 2),
        (Opening::Soosorv8, 5, 8 * 23 * 2 * 222),
        (Opening::Taraguchi10, 4, 2 * 8 * 2),
        (Opening::Taraguchi10, 6, 2 * 8 * 2 * 23 * 2),
        (Opening::Taraguchi10, 7, 2 * 8 * 2 * 23 * 2 * 46),
        (Opening::Taraguchi10, 8, 2 * 8 * 2 * 23 * 2 * 46 * 3),
    ] {
        assert_eq!(perft(&opened(opening), depth), paths, "{} to depth {depth}", opening.key());
    }
    let small = Opened::new(Opening::Swap2, Gomoku::new(Rule::Freestyle, 5, 5).unwrap()).unwrap();
    assert_eq!(perft(&small, 4), 25 * 24 * 23 * 3);
    assert_eq!(perft(&small, 5), 25 * 24 * 23 * (22 + 22 + 22));
}

/// All 184 ways to put the first three stones are 26 openings, and each is known by its name.
#[test]
fn there_are_26_openings() {
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    let mut second = Vec::new();
    let start = after(Opening::Rif, "h8");
    start.moves(&mut second);
    for m in second {
        let mut pos = start.clone();
        pos.play(m);
        let mut third = Vec::new();
        pos.moves(&mut third);
        for m in third {
            let mut pos = pos.clone();
            pos.play(m);
            let caption = pos.caption().expect("every legal opening has a name");
            assert_eq!(pattern(&pos.stones()), Some(caption.key));
            *ways.entry(caption.key).or_default() += 1;
        }
    }
    assert_eq!(ways.len(), 26);
    assert_eq!(ways.values().sum::<usize>(), 8 * 23);
    // An opening that is its own mirror image can be put in four ways, the others in eight.
    let own_image: Vec<&str> = ways.iter().filter(|(_, n)| **n == 4).map(|(key, _)| *key).collect();
    assert_eq!(own_image, ["renju-11d", "renju-11i", "renju-13i", "renju-1d", "renju-1i", "renju-8d"]);
}

/// Openings by name, in the usual picture and in others.
#[test]
fn openings_are_known_by_their_names() {
    for (line, name) in [
        ("h8 h9 h10", "renju-1d"),
        ("h8 h9 i9", "renju-4d"),
        ("h8 h9 g9", "renju-4d"),
        ("h8 i8 i9", "renju-4d"),
        ("h8 g8 g7", "renju-4d"),
        ("h8 h9 j8", "renju-7d"),
        ("h8 h9 h7", "renju-8d"),
        ("h8 h9 h6", "renju-11d"),
        ("h8 h9 j6", "renju-13d"),
        ("h8 i9 j10", "renju-1i"),
        ("h8 i9 j7", "renju-4i"),
        ("h8 i9 g10", "renju-4i"),
        ("h8 i9 i7", "renju-7i"),
        ("h8 g7 g9", "renju-7i"),
        ("h8 i9 g7", "renju-11i"),
        ("h8 i9 f6", "renju-13i"),
        ("h8 i9", "-"),
    ] {
        let pos = after(Opening::Rif, line);
        assert_eq!(pos.caption().map_or("-", |c| c.key), name, "{line}");
    }
    assert!(after(Opening::Rif, "h8 h9 i9 swap").caption().is_some(), "while the swap is considered");
    assert!(after(Opening::Rif, "h8 h9 i9 swap a1").caption().is_none(), "with a fourth stone nobody knows");
    assert!(after(Opening::Swap2, "h8 h9 i9").caption().is_none(), "only renju names its openings");
}

/// Fifth moves that lead to the same pattern of stones are one.
#[test]
fn symmetrical_fifths_are_refused() {
    for (name, stones, offered, refused) in [
        ("mirrored on a file", "h8 h9 h10 stay h12", "g8", "i8"),
        ("mirrored on a diagonal", "h8 i9 j10 stay f6", "h9", "i8"),
        ("half a turn", "h8 h9 h7 stay h6", "g8", "i7"),
        // A. Meritee's example: the four stones are symmetrical around no point of the board.
        ("mirrored between two ranks", "h8 h9 h7 stay h6", "g8", "g7"),
        ("mirrored beside the centre", "h8 h9 h7 stay h6", "h10", "h5"),
        ("no symmetry of the four, but the five are alike", "h8 h9 i9 stay i8", "h10", "i7"),
    ] {
        let mut pos = after(Opening::Yamaguchi, &stones.replace("stay", "fifths-12 stay"));
        let first = pos.read_move(offered).unwrap();
        pos.play(first);
        assert_eq!(pos.read_move(refused), None, "{name}");
        let problem = pos.refusal(refused).to_string();
        assert_eq!(problem, format!("fifth-same point={refused:?} other={offered:?}"), "{name}");
    }
    // Without any symmetry only the offered points themselves are gone.
    let pos = after(Opening::Yamaguchi, "h8 i9 j7 fifths-12 stay c3 a1 a2 a3 o9");
    assert_eq!(pos.count(), 221 - 4);
    assert_eq!(pos.refusal("a2").to_string(), "fifth-offered point=\"a2\"");
}

#[test]
fn what_is_refused_says_why() {
    let offers = "h8 h9 i9 stay a1 o15 o14";
    for (opening, line, text, problem) in [
        (Opening::Pro, "", "h9", "opening-centre point=\"h9\" centre=\"h8\""),
        (Opening::Pro, "h8 a1", "j10", "opening-beyond point=\"j10\" side=\"5\""),
        (Opening::LongPro, "h8 a1", "k10", "opening-beyond point=\"k10\" side=\"7\""),
        (Opening::Pro, "h8 a1", "a1", "point-occupied point=\"a1\" side=\"white\""),
        (Opening::Rif, "h8", "h10", "opening-within point=\"h10\" side=\"3\""),
        (Opening::Rif, "h8 h9", "k8", "opening-within point=\"k8\" side=\"5\""),
        (Opening::Rif, "h8 h9", "p1", "point-off-board point=\"p1\" corner=\"o15\""),
        (Opening::Rif, "h8 h9", "swap", "not-a-point text=\"swap\" corner=\"o15\""),
        (Opening::Rif, "h8 h9 i9", "j9", "opening-choice text=\"j9\" choices=\"swap, stay\""),
        (Opening::Rif, "h8 h9 i9", "black", "opening-choice text=\"black\" choices=\"swap, stay\""),
        (Opening::Swap2, "a1 b1 c1", "swap", "opening-choice text=\"swap\" choices=\"black, white, two\""),
        (Opening::Rif, offers, "o13", "fifth-not-offered point=\"o13\" offered=\"o15, o14\""),
        (Opening::Rif, offers, "h8", "point-occupied point=\"h8\" side=\"black\""),
        (Opening::Taraguchi10, "h8 stay i9 stay i8 stay", "l8", "opening-within point=\"l8\" side=\"7\""),
        (Opening::Swap, "", "pass", "no-passes"),
    ] {
        let pos = after(opening, line);
        assert_eq!(pos.read_move(text), None, "{line}: {text}");
        assert_eq!(pos.refusal(text).to_string(), problem, "{line}: {text}");
    }
    let passing = Gomoku::usual(Rule::Renju).with_passes();
    let pos = Opened::new(Opening::Rif, passing).unwrap();
    assert_eq!(pos.refusal("pass").to_string(), "opening-no-pass", "nobody passes before the sixth stone");
    let mut game = any(pos);
    for text in ["H8", "07 06", " i9 ", "SWAP", "a1", "o15", "o14", "o15", "pass"] {
        game.play(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    }
}

#[test]
fn boards_that_fit() {
    for (opening, files, ranks, problem) in [
        (Opening::Pro, 7, 7, "-"),
        (Opening::Pro, 6, 15, "opening-needs-room opening=\"pro\" least=\"7\""),
        (Opening::LongPro, 9, 26, "-"),
        (Opening::LongPro, 8, 8, "opening-needs-room opening=\"long-pro\" least=\"9\""),
        (Opening::Swap2, 5, 5, "-"),
        (Opening::Rif, 15, 15, "-"),
        (Opening::Taraguchi10, 15, 16, "opening-needs-15 opening=\"taraguchi-10\" files=\"15\" ranks=\"16\""),
    ] {
        let fits = Opened::new(opening, Gomoku::new(Rule::Renju, files, ranks).unwrap());
        assert_eq!(fits.map_or_else(|p| p.to_string(), |_| "-".to_owned()), problem, "{files}x{ranks}");
    }
    // On an even board the centre is where Gomocup counts from: right of the middle and below it.
    let even = Opened::new(Opening::Pro, Gomoku::new(Rule::Freestyle, 20, 20).unwrap()).unwrap();
    assert_eq!(even.read_move("k10"), even.read_move("10 10"));
    assert_eq!(any(even).moves(), ["k10"]);
}

#[test]
fn positions_as_text() {
    let board = "15/15/15/15/15/15/7w7/7bb6/15/15/15/15/15/15/15";
    let four = "15/15/15/15/15/15/7w7/7bb6/15/15/15/15/15/15/w14";
    let five = "14b/15/15/15/15/15/7w7/7bb6/15/15/15/15/15/15/w14";
    for (opening, line, fen) in [
        (Opening::Rif, "", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 b kept 1 2 -".to_owned()),
        (Opening::Swap2, "h8 h9 i8", format!("{board} w kept 4 - -")),
        (Opening::Swap2, "i8 h9 h8", format!("{board} w kept 4 - -")),
        (Opening::Swap2, "h8 h9 i8 black", format!("{board} w swapped")),
        (Opening::Swap2, "h8 h9 i8 white", format!("{board} w")),
        (Opening::Yamaguchi, "h8 h9 i8", format!("{board} w kept 4 - -")),
        (Opening::Yamaguchi, "h8 h9 i8 fifths-12", format!("{board} w kept 5 12 -")),
        (Opening::Yamaguchi, "h8 h9 i8 fifths-3 swap a1 o15 d4", format!("{four} b swapped 7 3 o15,d4")),
        (Opening::Yamaguchi, "h8 h9 i8 fifths-2 stay a1 d4 o15", format!("{four} b kept 8 2 o15,d4")),
        (Opening::Yamaguchi, "h8 h9 i8 fifths-2 stay a1 d4 o15 o15", format!("{five} w")),
        (Opening::Taraguchi10, "h8 swap h9 stay i8 stay", format!("{board} w swapped 7 10 -")),
    ] {
        let pos = after(opening, line);
        assert_eq!(pos.fen(), fen, "{line}");
        let again = opened(opening).read_fen(&fen).unwrap();
        assert_eq!(
            (again.key(), told(&again), again.is_swapped()),
            (pos.key(), told(&pos), pos.is_swapped()),
            "{fen}"
        );
    }
    for (fen, opening) in [
        (format!("{board} b kept 4 - -"), Opening::Swap2), // three stones, so White is next
        (format!("{board} w kept 3 - -"), Opening::Swap2), // two stones are put by then
        (format!("{board} w kept 0 - -"), Opening::Swap2),
        (format!("{board} w kept 04 - -"), Opening::Swap2),
        (format!("{board} w kept 8 - -"), Opening::Swap2),
        (format!("{board} w taken 4 - -"), Opening::Swap2),
        (format!("{board} w kept 4 2 -"), Opening::Swap2), // there are no fifths to offer
        (format!("{board} w kept 4 - a1"), Opening::Swap2),
        (format!("{board} w kept 4 - -"), Opening::Rif), // two fifths, from the beginning
        (format!("{board} w kept 5 13 -"), Opening::Yamaguchi),
        (format!("{board} w kept 5 0 -"), Opening::Yamaguchi),
        (format!("{four} b kept 7 9 -"), Opening::Soosorv8),
        (format!("{four} b kept 7 2 a1"), Opening::Yamaguchi), // where a stone stands
        (format!("{four} b kept 7 3 d4,d4"), Opening::Yamaguchi),
        (format!("{four} b kept 7 3 z9"), Opening::Yamaguchi),
        (format!("{four} b kept 7 2 d4,e5"), Opening::Yamaguchi), // both offered: then White picks
        ("15/15/15/15/15/15/7w7/7b7/7b7/7w7/15/15/15/15/15 b kept 6 2 -".to_owned(), Opening::Yamaguchi),
        ("15/15/15/15/15/15/7w7/7b7/7b7/7w7/15/15/15/15/15 b kept 7 3 g8,g7".to_owned(), Opening::Yamaguchi), // one fifth
        ("15/15/15/15/15/15/15/15/15/15/15/15/15/15/bwb12 w kept 4 - - -".to_owned(), Opening::Swap2),
    ] {
        assert!(opened(opening).read_fen(&fen).is_err(), "{fen}");
    }
    let small = opened(Opening::Rif).read_fen("5/5/5/5/5 b kept 1 2 -").map_err(|p| p.key);
    assert_eq!(small.map(|p| p.fen()), Err("opening-needs-15"));
    let plain = opened(Opening::Rif).read_fen("5/5/2b2/5/5 w").unwrap();
    assert!(plain.is_open(), "what was set up has no opening");
    assert_eq!(
        opened(Opening::Swap2).read_fen(&"b".repeat(900)).map_err(|p| p.key).err(),
        Some("gomoku-fen-too-long")
    );
}

/// Zones and offers are marked, choices are buttons, owners are players.
#[test]
fn pictures() {
    let names = |pos: &Opened, kind: &str| {
        let marks = pos.diagram().marks;
        let cells = marks.into_iter().filter(|mark| mark.kind == kind).flat_map(|mark| mark.cells);
        cells.map(|cell| pos.board().name(cell)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&after(Opening::Rif, "h8"), "zone"), "g9 h9 i9 g8 i8 g7 h7 i7");
    assert_eq!(names(&after(Opening::Swap2, ""), "zone"), "");
    let picking = after(Opening::Rif, "h8 h9 i9 swap a1 o14 o15");
    assert_eq!(names(&picking, "offered"), "o15 o14");
    assert_eq!(names(&after(Opening::Rif, "h8 h9 i9 swap a1 o14"), "offered"), "o14");
    let owners: Vec<_> = picking.diagram().pieces.iter().map(|piece| piece.owner).collect();
    let (first, second) = (Some(Side::First), Some(Side::Second));
    assert_eq!(owners, [first, second, second, first], "h9 i9 h8 a1 after the swap");
    let buttons = after(Opening::Taraguchi10, "h8 stay i9 stay j8 stay k11").buttons();
    assert_eq!(buttons.iter().map(|b| &*b.name).collect::<Vec<_>>(), ["swap", "stay", "ten"]);
    assert!(after(Opening::Rif, "h8 h9 i9 swap a1 o15 o14 o14").buttons().is_empty());
}

/// The last of several stones or offers may be taken back while the other player has not acted.
#[test]
fn the_last_of_several_may_be_withdrawn() {
    for (opening, line, withdraws) in [
        (Opening::Swap2, "a1", true),
        (Opening::Swap2, "a1 b1", true),
        (Opening::Swap2, "a1 b1 c1", false),
        (Opening::Swap2, "a1 b1 c1 two", false),
        (Opening::Swap2, "a1 b1 c1 two d1", true),
        (Opening::Rif, "h8 h9 i9 stay a1", false),
        (Opening::Rif, "h8 h9 i9 stay a1 b1", true),
        (Opening::Rif, "h8 h9 i9 stay a1 b1 c1", false),
        (Opening::Rif, "h8 h9 i9 stay a1 b1 c1 c1", false),
        (Opening::Yamaguchi, "h8 h9 i9", true),
        (Opening::Pro, "h8", false),
        (Opening::Taraguchi10, "h8 stay", false),
    ] {
        let pos = after(opening, line);
        assert_eq!(Position::withdraws(&pos), withdraws, "{}: {line}", opening.key());
    }
}

/// Whole games: the winner is the player, whatever the colour.
#[test]
fn games_to_the_end() {
    for (name, opening, line, winner, reason) in [
        (
            "swap2, Black taken",
            Opening::Swap2,
            "h7 c3 o1 black a1 h8 a3 h9 a5 h10 a7 h11",
            2,
            "five-in-a-row",
        ),
        (
            "swap2, White taken",
            Opening::Swap2,
            "h7 c3 o1 white a1 h8 a3 h9 a5 h10 a7 h11",
            1,
            "five-in-a-row",
        ),
        (
            "swap2, two and Black",
            Opening::Swap2,
            "h7 c3 o1 two d3 o3 black a1 h8 a3 h9 a5 h10 a7 h11",
            1,
            "five-in-a-row",
        ),
        (
            "swap2, two and White",
            Opening::Swap2,
            "h7 c3 o1 two d3 o3 white a1 h8 a3 h9 a5 h10 a7 h11",
            2,
            "five-in-a-row",
        ),
        ("swap", Opening::Swap, "h7 c3 o1 black a1 h8 a3 h9 a5 h10 a7 h11", 2, "five-in-a-row"),
        ("swap1", Opening::Swap1, "h7 black a1 h8 a3 h9 a5 h10 a7 h11", 2, "five-in-a-row"),
        ("pro", Opening::Pro, "h8 a1 h5 a3 h9 a5 h7 a7 h6", 1, "five-in-a-row"),
        (
            "taraguchi, ten fifths, no swap",
            Opening::Taraguchi10,
            "h8 stay h9 stay j8 stay e11 ten o1 o2 o3 o4 o5 o6 o7 o8 o9 o10 o4 a1 i8 a3 g8 a5 f8",
            1,
            "five-in-a-row",
        ),
        (
            "taraguchi, ten fifths, swapped, Black puts six",
            Opening::Taraguchi10,
            "h8 swap h9 stay j8 stay e11 ten o1 o2 o3 o4 o5 o6 o7 o8 o9 o10 o4 a1 g8 a3 f8 a5 k8 a7 i8",
            1,
            "forbidden-overline",
        ),
        (
            "taraguchi, fifth in 9x9, swapped at the last",
            Opening::Taraguchi10,
            "h8 stay h9 stay j8 stay e11 stay k8 swap a1 i8 a3 l8",
            2,
            "five-in-a-row",
        ),
        (
            "rif, swapped, White wins",
            Opening::Rif,
            "h8 h9 i9 swap h10 o15 o14 o14 h11 a1 h12 a3 h13",
            1,
            "five-in-a-row",
        ),
        (
            "yamaguchi, one fifth",
            Opening::Yamaguchi,
            "h8 h9 i9 fifths-1 stay h10 o15 o15 h11 a1 h12 a3 h13",
            2,
            "five-in-a-row",
        ),
        (
            "soosorv-8, swapped twice",
            Opening::Soosorv8,
            "h8 h9 i9 swap h10 fifths-1 swap o15 o15 h11 a1 h12 a3 h13",
            2,
            "five-in-a-row",
        ),
    ] {
        let mut game = any(opened(opening));
        for (i, text) in line.split_whitespace().enumerate() {
            assert_eq!(game.outcome(), None, "{name}: ended before {text} ({i})");
            game.play(text).unwrap_or_else(|e| panic!("{name}: {text}: {e:?}"));
        }
        let outcome = game.outcome().unwrap_or_else(|| panic!("{name} goes on: {}", game.fen()));
        let side = if winner == 1 { Side::First } else { Side::Second };
        assert_eq!((outcome.winner(), outcome.reason()), (Some(side), reason), "{name}");
        while game.undo() {}
        assert_eq!(game.fen(), opened(opening).fen(), "{name}: undone to the start");
    }
}
