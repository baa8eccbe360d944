//! Tests of the classic console against transcripts.
//!
//! `data/*.in` is the input, `data/*.out` the output of a program that follows the description of the original and
//! shares nothing with ours. `console-won` has every error message, a three with a gap and a four (neither wins) and
//! a five completed in its middle; `console-white` has a win for White, typed on a system with other line ends.

use catalog::Setting;
use kernel::AnyGame;

fn game(key: &str, options: &[(&str, i64)]) -> Box<dyn AnyGame> {
    let entry = tui::entry(key).unwrap();
    let chosen = options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    entry.open(None, &entry.settle(&chosen, Setting::Faithful).unwrap(), None).unwrap()
}

fn played(mut game: Box<dyn AnyGame>, typed: &[u8]) -> String {
    let mut printed = Vec::new();
    tui::console::play(&mut *game, None, typed, &mut printed).unwrap();
    String::from_utf8(printed).unwrap()
}

#[test]
fn transcripts() {
    for (name, typed, printed) in [
        ("won", &include_bytes!("data/console-won.in")[..], include_str!("data/console-won.out")),
        ("white", include_bytes!("data/console-white.in"), include_str!("data/console-white.out")),
    ] {
        let ours = played(game("gomoku", &[]), typed);
        for (line, (ours, theirs)) in (1..).zip(ours.lines().zip(printed.lines())) {
            assert_eq!(ours, theirs, "{name}, line {line}");
        }
        assert_eq!(ours, printed, "{name}");
    }
}

#[test]
fn what_the_original_printed() {
    let printed = played(game("gomoku", &[]), b"07 12\n");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "========五子棋开始========");
    assert_eq!(lines[1], "    00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19  (x)");
    assert_eq!(lines[2], "00 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
    assert_eq!(lines[22], "(y)");
    assert_eq!(lines[23], "请输入黑方落点(x y): ", "and a blank line behind the move, which ends this one");
    assert_eq!(lines[24 + 1 + 12], "12 [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
    assert_eq!(lines.last(), Some(&"请输入白方落点(x y): "));
}

#[test]
fn a_full_board_is_a_draw() {
    // Rows of 5x5 without five, Black first: every second point as the rows below show.
    let rows = ["10101", "01010", "01010", "10101", "10101"];
    let points = |stone: char| -> Vec<(usize, usize)> {
        let all =
            rows.iter().enumerate().flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (x, y, c)));
        all.filter(|&(.., c)| c == stone).map(|(x, y, _)| (x, y)).collect()
    };
    let (black, white) = (points('1'), points('0'));
    assert_eq!((black.len(), white.len()), (13, 12));
    let typed: String = (0..25)
        .map(|ply| if ply % 2 == 0 { black[ply / 2] } else { white[ply / 2] })
        .map(|(x, y)| format!("{x} {y}\n"))
        .collect();
    let printed = played(game("gomoku", &[("size", 5)]), typed.as_bytes());
    assert!(printed.ends_with("===平局,游戏结束===\n"), "{printed}");
}

#[test]
fn the_rule_is_the_games() {
    let typed = b"0 0\n0 4\n1 0\n1 4\n2 0\n2 4\n4 0\n4 4\n5 0\n0 5\n3 0\n";
    assert!(played(game("gomoku/freestyle", &[("size", 6)]), typed).ends_with("===黑方胜利,游戏结束===\n"));
    assert!(played(game("gomoku/standard", &[("size", 6)]), typed).ends_with("请输入白方落点(x y): "));
    assert!(played(game("gomoku/renju", &[("size", 6)]), typed).ends_with("===白方胜利,游戏结束===\n"));
}

#[test]
fn nothing_typed_breaks_it() {
    let long = [&b"9".repeat(100_000)[..], b"\n"].concat();
    for typed in [&b"\xff\xfe\n"[..], b"\0\n", b"09", b"\n\n\n", &long] {
        let printed = played(game("gomoku", &[("size", 5)]), typed);
        assert!(printed.starts_with("========") && printed.len() < 20_000, "{typed:?}");
    }
}

/// The computer plays the other side if a level is given; its point is printed in the place of a person's input.
#[test]
fn the_computer_plays_the_other_side() {
    let mut game = game("gomoku", &[]);
    let mut think = |game: &dyn AnyGame| game.moves().first().cloned();
    let mut printed = Vec::new();
    let computer: tui::console::Computer<'_> = (kernel::Side::Second, &mut think);
    tui::console::play(&mut *game, Some(computer), &b"07 07\n"[..], &mut printed).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.contains("电脑白方落点(x y): "), "{printed}");
    assert_eq!(game.plies(), 2);
    assert!(printed.ends_with("请输入黑方落点(x y): "), "{printed}");
}
