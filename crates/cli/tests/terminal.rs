//! The hall in a real terminal: tmux types the keys, and whole screens are compared.
//!
//! Without tmux these tests say so and end. `QIGUAN_BLESS=1` writes the screens again, for a person to check.

#[path = "terminal/games.rs"]
mod games;
#[path = "terminal/hall.rs"]
mod hall;
#[path = "terminal/lobby.rs"]
mod lobby;
#[path = "terminal/pane.rs"]
mod pane;

use pane::Pane;
use unicode_width::UnicodeWidthStr;

/// A game of each kind can be typed move by move to its end.
#[test]
fn a_whole_game_of_each_kind() {
    for key in ["xiangqi", "gomoku/standard", "draughts/english", "locked"] {
        for (language, lang) in [("en", "en_US.UTF-8"), ("zh", "zh_CN.UTF-8")] {
            let moves = games::shortest(key);
            let Some(pane) = Pane::open(&["play", key], lang, 80, 24) else { return };
            pane.wait(|text| text.lines().filter(|line| !line.trim().is_empty()).count() > 15);
            for text in &moves {
                pane.type_text(":");
                pane.type_text(text);
                pane.keys(&["Enter"]);
            }
            let over = if language == "en" { "The game is over" } else { "对弈结束" };
            let text = pane.wait(|text| text.contains(over));
            pane.golden(&format!("{}-{language}", key.replace('/', "-")), &text);
            aligned(&pane, &text);
        }
    }
}

/// A game on a user's map can be played by mouse where that is possible.
#[test]
fn a_whole_game_of_a_map() {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../jingbanqi/tests/data/maps/t1_grammar(6x8).xlsx");
    let Some(pane) = Pane::open(&["play", map], "zh_CN.UTF-8", 80, 24) else { return };
    pane.wait(|text| text.contains("轮到红方"));
    for text in games::shortest_of_map(map) {
        pane.type_text(":");
        pane.type_text(&text);
        pane.keys(&["Enter"]);
    }
    let text = pane.wait(|text| text.contains("对弈结束"));
    pane.golden("map-zh", &text);
    aligned(&pane, &text);
}

/// A map whose extension restricts moves can be played; its game is saved with both files, and read again.
#[test]
fn a_map_with_an_extension() {
    let maps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps");
    let (map, extension) = (format!("{maps}/leap.xlsx"), format!("{maps}/leap.py"));
    let Some(pane) = Pane::open(&["play", &map], "en_US.UTF-8", 100, 40) else { return };
    pane.wait(|text| text.contains("Red to move"));
    let args = ["play", map.as_str(), "--extension", extension.as_str()];
    let pane = Pane::open(&args, "en_US.UTF-8", 100, 40).expect("as before");
    pane.wait(|text| text.contains("Red to move"));
    pane.keys(&["Tab", "Enter", "Tab", "Enter"]);
    let text = pane.wait(|text| text.contains("1."));
    aligned(&pane, &text);
    pane.keys(&["C-c", "C-s", "C-u"]);
    let file = pane.file("leap.json");
    pane.type_text(&file);
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("Saved as"));
    let again = Pane::open(&["play", "--load", &file], "en_US.UTF-8", 100, 40).expect("as before");
    again.wait(|text| text.contains("Looking back: after 0 of 1 moves"));
    again.keys(&["]"]);
    again.wait(|text| text.contains("Blue to move"));
}

/// Our engine begins each game, and it is our turn then.
#[test]
fn against_a_level() {
    let maps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps");
    let (map, extension) = (format!("{maps}/leap.xlsx"), format!("{maps}/leap.py"));
    let games: [(&[&str], &str, &str); 5] = [
        (&["xiangqi"], "Red level 3", "Black to move"),
        (&["gomoku"], "Black level 3", "White to move"),
        (&["draughts"], "White level 3", "Black to move"),
        (&["locked"], "Black level 3", "White 1/5"),
        (&[&map, "--extension", &extension], "Red level 3", "Blue to move"),
    ];
    for (game, player, turn) in games {
        let args = [&["play"], game, &["--level", "3", "--side", "second"]].concat();
        let Some(pane) = Pane::open(&args, "en_US.UTF-8", 100, 30) else { return };
        let text = pane.wait(|text| text.contains(turn));
        assert!(text.contains(player) && text.contains(" 1."), "{game:?}:\n{text}");
        aligned(&pane, &text);
    }
}

/// The keys of emacs-chess-cn work in a real terminal.
#[test]
fn the_origins_keys() {
    let Some(pane) = Pane::open(&["play", "xiangqi", "--theme", "origin"], "zh_CN.UTF-8", 100, 36) else {
        return;
    };
    pane.wait(|text| text.contains("轮到红方"));
    // The cannon h2 to the middle, seen from the top left corner round the edges.
    pane.keys(&["C-p", "C-p", "C-p", "C-b", "C-b", "Enter", "C-b", "h", "Left", "Enter"]);
    let text = pane.wait(|text| text.contains("炮二平五"));
    pane.golden("origin-zh", &text);
    aligned(&pane, &text);
    pane.keys(&["C-c", "C-u"]);
    pane.wait(|text| !text.contains("炮二平五"));
    pane.keys(&["C-c", "C-u"]);
    pane.wait(|text| text.contains("棋步历史栈已空，无法再悔棋."));
    pane.keys(&["C-c", "C-n"]);
    pane.keys(&["Down", "Enter"]);
    pane.wait(|text| text.contains("无效棋步，当前未选择棋子且目标位置处无棋子."));
}

/// The terminal is restored however the program ends: the shell's screen is back, and typing is seen again.
#[test]
fn the_terminal_is_given_back() {
    for how in ["q", "TERM", "HUP"] {
        let Some(pane) = Pane::open(&["play", "gomoku"], "en_US.UTF-8", 80, 24) else { return };
        pane.wait(|text| text.contains("Black to move"));
        match how {
            "q" => pane.keys(&["q"]),
            signal => pane.signal(signal),
        }
        let text = pane.wait(|text| text.contains("left with"));
        assert!(!text.contains("Black to move"), "{how}: {text}");
        assert!(text.contains(" icanon") && text.contains(" echo "), "{how}: {text}");
    }
}

/// The program gives the terminal to the shell on Ctrl-Z, and shows the game again when it comes back; a stop signal
/// of the system does the same.
#[test]
fn it_stands_aside_and_comes_back() {
    let Some(pane) = Pane::open(&["play", "gomoku"], "en_US.UTF-8", 80, 24) else { return };
    for how in ["C-z", "TSTP"] {
        pane.wait(|text| text.contains("to move"));
        match how {
            "TSTP" => pane.signal(how),
            key => pane.keys(&[key]),
        }
        pane.wait(|text| !text.contains("to move"));
        pane.signal("CONT");
        pane.wait(|text| text.contains("to move"));
    }
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("White to move"));
}

/// An unsaved game is not lost when the system ends the program, and the path of its file is printed.
#[test]
fn an_unsaved_game_survives_the_end() {
    for signal in ["TERM", "HUP"] {
        let Some(pane) = Pane::open(&["play", "gomoku"], "en_US.UTF-8", 160, 24) else { return };
        pane.wait(|text| text.contains("Black to move"));
        pane.keys(&["Enter"]);
        pane.wait(|text| text.contains("White to move"));
        pane.signal(signal);
        let text = pane.wait(|text| text.contains("left with"));
        assert!(text.contains("the game is saved as"), "{signal}: {text}");
        let folder = pane.file("qiguan");
        let files: Vec<_> =
            std::fs::read_dir(folder).expect("made").map(|file| file.expect("named").path()).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let again = Pane::open(&["play", "--load", &file.display().to_string()], "en_US.UTF-8", 100, 30);
        again.expect("as before").wait(|text| text.contains("after 0 of 1 moves"));
    }
}

/// A terminal whose cursor cannot be moved gets lines, and no sign beyond ASCII.
#[test]
fn a_dumb_terminal_gets_lines() {
    let Some(pane) = Pane::open_with(&["play", "xiangqi"], "en_US.UTF-8", "TERM=dumb", 80, 40) else {
        return;
    };
    let text = pane.wait(|text| text.contains("Red to move:"));
    assert!(text.is_ascii() && text.contains("R H E A G A E H R"), "{text}");
    pane.type_text("C2=5");
    pane.keys(&["Enter"]);
    let text = pane.wait(|text| text.contains("Black to move:"));
    assert!(text.is_ascii(), "{text}");
}

/// A mistyped file name makes no folder.
#[test]
fn saving_makes_no_folder() {
    let Some(pane) = Pane::open(&["play", "gomoku"], "en_US.UTF-8", 160, 30) else { return };
    pane.wait(|text| text.contains("Black to move"));
    pane.keys(&["Enter", "C-c", "C-s", "C-u"]);
    let file = pane.file("typo/game.json");
    pane.type_text(&file);
    pane.keys(&["Enter"]);
    pane.wait(|text| text.contains("There is no folder"));
    assert!(!std::path::Path::new(&pane.file("typo")).exists());
}

/// A window that changes its size shows the board again, whole.
#[test]
fn a_window_may_grow() {
    let Some(mut pane) = Pane::open(&["play", "xiangqi"], "en_US.UTF-8", 80, 24) else { return };
    pane.wait(|text| text.contains("Red to move"));
    pane.resize(120, 40);
    let text = pane.wait(|text| text.lines().filter(|line| line.contains('│')).count() >= 18);
    aligned(&pane, &text);
}

/// Checks that no row is wider than the terminal, and that the board's edge stands in one column in all rows.
fn aligned(pane: &Pane, text: &str) {
    for row in text.lines() {
        assert!(row.width() <= pane.width, "{row:?} of\n{text}");
    }
    let edge =
        |row: &str| row.rfind('│').filter(|_| row.matches('│').count() > 1).map(|at| row[..at].width());
    let edges: Vec<usize> = text.lines().filter_map(edge).collect();
    assert!(edges.windows(2).all(|pair| pair[0] == pair[1]), "{edges:?} of\n{text}");
}
