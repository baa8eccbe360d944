//! Tests of games line by line, as transcripts in both languages.

use catalog::Setting;
use texts::Language::{self, Chinese, English};

fn played(key: &str, options: &[(&str, i64)], fen: Option<&str>, language: Language, typed: &str) -> String {
    let entry = tui::entry(key).unwrap();
    let chosen = options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let game = entry.open(None, &entry.settle(&chosen, Setting::Faithful).unwrap(), fen).unwrap();
    let mut printed = Vec::new();
    tui::lines::play(entry, &*game, language, typed.as_bytes(), &mut printed).unwrap();
    String::from_utf8(printed).unwrap()
}

#[test]
fn a_game_of_gomoku() {
    let printed =
        played("gomoku/standard", &[("size", 5)], None, English, "c3\nb2\nundo\nc3\nz9\nfen\nquit\nc4\n");
    let expected = "\
Gomoku, standard
Type a move, or: moves, undo, new, fen, help, quit.

  5 . . . . .
  4 . . . . .
  3 . . . . .
  2 . . . . .
  1 . . . . .
    a b c d e

Black to move:   5 . . . . .
  4 . . . . .
  3 . . X*. .
  2 . . . . .
  1 . . . . .
    a b c d e

White to move:   5 . . . . .
  4 . . . . .
  3 . . X . .
  2 . O*. . .
  1 . . . . .
    a b c d e

Black to move:   5 . . . . .
  4 . . . . .
  3 . . X*. .
  2 . . . . .
  1 . . . . .
    a b c d e

White to move: c3 already has a black stone. Choose an empty point.
White to move: z9 is not on this board: its points run from a1 to e5.
White to move: 5/5/2b2/5/5 w
White to move: ";
    assert_eq!(printed, expected);
}

#[test]
fn a_move_that_loses_is_asked_about() {
    let fen = "10/10/10/3bb5/5b4/5b4/10/10/10/10 b";
    let printed = played("gomoku/renju", &[], Some(fen), Chinese, "f7\nf7\n悔棋\nf7\na1\n退出\n");
    assert!(printed.contains(" 7 . . . X X ! . . . .\n"), "the point is marked: {printed}");
    assert_eq!(
        printed.matches("f7 会立即判负：黑方三三禁手。若仍要走，请再输入一次。").count(),
        2,
        "{printed}"
    );
    assert_eq!(printed.matches("白方胜：黑方三三禁手。").count(), 1, "{printed}");
    assert!(printed.contains("对局已结束（悔棋、局面、退出）："), "{printed}");
    assert!(printed.ends_with("轮到白方： "), "another move was played instead: {printed}");
}

#[test]
fn every_game_of_the_catalogue_is_shown_and_played() {
    for entry in catalog::ENTRIES.iter() {
        for language in Language::ALL {
            let options = entry.settle(&catalog::Options::new(), Setting::Faithful).unwrap();
            let game = entry.open(entry.usual_map(), &options, None).unwrap();
            let first = game.moves()[0].clone();
            let typed = format!("moves\n{first}\nundo\nundo\nnonsense here\nhelp\n");
            let mut printed = Vec::new();
            tui::lines::play(entry, &*game, language, typed.as_bytes(), &mut printed).unwrap();
            let printed = String::from_utf8(printed).unwrap();
            let nothing = texts::say(language, "line-nothing-to-undo", &[]);
            assert!(printed.contains(&nothing), "{}: what was played was taken back", entry.key);
            for key in ["line-", "problem-", "side-", "prompt-", "piece-", "button-"] {
                assert!(!printed.contains(key), "{} has no words for {key}: {printed}", entry.key);
            }
            assert!(printed.contains(&first), "{}: {printed}", entry.key);
        }
    }
}

#[test]
fn a_draw_and_buttons_are_said() {
    let options = [("passes", 1)];
    let printed = played("gomoku/renju", &options, None, English, "moves\npass\npass\nundo\nquit\n");
    assert!(printed.contains("o1 pass (Pass)\n"), "{printed}");
    assert!(printed.contains("A draw: both sides passed.\n"), "{printed}");
}

/// Either side may begin under home rules, and a game can be started again before its end.
#[test]
fn either_side_begins_at_home_and_a_game_begins_anew() {
    let printed = played("xiangqi/free", &[], None, English, "h9g7\nh2e2\nnew\nh2e2\nfen\nquit\n");
    assert!(printed.contains("1C2C4/9/RNBAKABNR b"), "Red began the second game: {printed}");
    let usual = played("xiangqi", &[], None, English, "h9g7\nfen\nquit\n");
    assert!(usual.contains("RNBAKABNR w"), "elsewhere Red begins: {usual}");
}
