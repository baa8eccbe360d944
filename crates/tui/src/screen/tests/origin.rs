//! Tests of compatibility with emacs-chess-cn: keys, messages, cursor movement.

use super::*;
use crate::keys::{Action, Meaning, meaning};

/// Keys, and the messages that follow in Chinese and in English. Each row begins at the usual start.
const TOLD: &[(&str, &str, &str)] = &[
    // RET on an empty point with nothing chosen; the cursor starts at the top left.
    (
        "<down> RET",
        "无效棋步，当前未选择棋子且目标位置处无棋子.",
        "No move: no piece is chosen, and there is none here.",
    ),
    ("RET", "无效棋步,当前应对方走子.", "No move: it is the other side’s piece."),
    // The rook in the corner, seen by wrapping round; it cannot go aslant.
    ("k RET k l RET", "落子位置无效：违反棋子移动规则", "It cannot go there: the piece does not move so."),
    // The cannon h2 cannot take the soldier g6 aslant.
    (
        "k k k l RET k k k k l RET",
        "落子位置无效：不符合棋子吃子规则",
        "It cannot go there: the piece does not capture so.",
    ),
    ("C-c C-u", "棋步历史栈已空，无法再悔棋.", "There is nothing left to take back."),
    ("C-c C-l", "请选择棋局文件", "Choose the file of a game."),
];

/// The keys that emacs-chess-cn binds, and their actions there.
const BOUND: &[(&str, Action)] = &[
    ("C-c C-n", Action::New),
    ("C-c C-u", Action::Undo),
    ("C-c C-s", Action::Save),
    ("C-c C-l", Action::Load),
    ("RET", Action::Touch),
    ("<up>", Action::Up),
    ("<down>", Action::Down),
    ("<left>", Action::Left),
    ("<right>", Action::Right),
    ("C-p", Action::Up),
    ("C-n", Action::Down),
    ("C-b", Action::Left),
    ("C-f", Action::Right),
    ("k", Action::Up),
    ("j", Action::Down),
    ("h", Action::Left),
    ("l", Action::Right),
];

#[test]
fn the_origins_keys() {
    for (keys, wanted) in BOUND {
        let mut prefix = String::new();
        let mut found = None;
        for name in keys.split(' ') {
            match meaning(&prefix, key(name)) {
                Meaning::Prefix(begun) => prefix = begun,
                Meaning::Action(action) => found = Some(action),
                Meaning::Nothing(_) => found = None,
            }
        }
        assert_eq!(found, Some(*wanted), "{keys}");
    }
}

/// Every sentence of emacs-chess-cn, and our message that corresponds to it.
const SENTENCES: &[(&str, &str)] = &[
    ("tui-touch-nothing", "无效棋步，当前未选择棋子且目标位置处无棋子."),
    ("tui-touch-theirs", "无效棋步,当前应对方走子."),
    ("tui-because-off-board", "不能越界和原地踏步"),
    ("tui-because-move", "违反棋子移动规则"),
    ("tui-because-own", "不能吃己方棋子"),
    ("tui-because-capture", "不符合棋子吃子规则"),
    ("tui-because-xiangqi-move-opens-file", "将帅不得见面"),
    ("tui-because-xiangqi-exposes-general", "被将军"),
    ("tui-check", "黑方被将军!"),
    ("tui-end-won", "对弈结束, 黑方胜出."),
    ("tui-touch-over", "对弈已结束"),
    ("problem-nothing-to-undo", "棋步历史栈已空，无法再悔棋."),
    ("tui-choose-file", "请选择棋局文件"),
];

#[test]
fn the_origins_sentences() {
    for (message, sentence) in SENTENCES {
        assert_eq!(texts::say(Chinese, message, &[("side", "黑方")]), *sentence, "{message}");
        assert_ne!(texts::say(English, message, &[("side", "Black")]), *message, "{message} in English");
    }
    let wrong = texts::say(Chinese, "tui-touch-wrong", &[("because", "…")]);
    assert_eq!(wrong, "落子位置无效：…");
}

#[test]
fn messages() {
    for (keys, chinese, english) in TOLD {
        for (language, wanted) in [(Chinese, chinese), (English, english)] {
            let mut seen = Seen::game("xiangqi", None, language, (100, 30));
            assert_eq!(seen.press(keys).said(), **wanted, "{keys}");
        }
    }
}

/// Positions, keys, and the messages that follow in Chinese and in English.
const FROM: &[(&str, &str, &str, &str)] = &[
    ("3k5/9/9/9/9/9/9/9/9/4K2R1 w", "\"h0h9\"", "黑方被将军!", "Black is in check!"),
    (
        "3k5/9/9/9/9/9/9/3C5/9/3K5 w",
        "touch d2 e2",
        "落子位置无效：将帅不得见面",
        "It cannot go there: the generals may not face each other.",
    ),
    (
        "4k4/9/9/9/4r4/9/9/4R4/9/4K4 w",
        "touch e2 d2",
        "落子位置无效：被将军",
        "It cannot go there: the general would be in check.",
    ),
    (
        "5k3/9/9/9/4r4/9/9/3R5/9/4K4 w",
        "touch d2 d3",
        "落子位置无效：被将军",
        "It cannot go there: the general stays in check.",
    ),
    (
        "4k4/R8/9/9/9/9/9/9/8R/3K5 w",
        "\"i1i9\"",
        "对弈结束, 红方胜出.（将死）",
        "The game is over, Red wins. (checkmate)",
    ),
];

#[test]
fn messages_of_positions() {
    for (fen, act, chinese, english) in FROM {
        for (language, wanted) in [(Chinese, chinese), (English, english)] {
            let mut seen = Seen::game("xiangqi", Some(fen), language, (100, 30));
            match act.strip_prefix("touch ") {
                Some(places) => places.split(' ').for_each(|place| touch(&mut seen, place)),
                None => {
                    seen.press(&format!(": {act} RET"));
                }
            }
            assert_eq!(seen.said(), **wanted, "{fen} {act}");
        }
    }
}

#[test]
fn after_the_end_nothing_moves() {
    let mut seen = Seen::game("xiangqi", Some("4k4/R8/9/9/9/9/9/9/8R/3K5 w"), Chinese, (100, 30));
    seen.press(": \"i1i9\" RET RET");
    assert_eq!(seen.said(), "对弈已结束");
    seen.press("C-c C-u");
    assert!(seen.said().contains("轮到红方"), "an ended game may be taken back: {}", seen.said());
}

/// The cursor moves from point to point and round the edges; each row has keys and the place they lead to from the
/// top left.
#[test]
fn the_cursor_goes_by_points_and_round_the_edges() {
    for (keys, place) in [
        ("", "a9"),
        ("<right>", "b9"),
        ("l", "b9"),
        ("C-f", "b9"),
        ("<left>", "i9"),
        ("h", "i9"),
        ("C-b", "i9"),
        ("<down>", "a8"),
        ("j", "a8"),
        ("C-n", "a8"),
        ("<up>", "a0"),
        ("k", "a0"),
        ("C-p", "a0"),
        ("<up> <up> <left>", "i1"),
        ("l l l l l l l l l", "a9"),
        ("j j j j j j j j j j", "a9"),
    ] {
        let mut seen = Seen::game("xiangqi", None, English, (80, 24));
        seen.press(keys);
        assert_eq!(seen.cursor(), place, "{keys}");
    }
}

#[test]
fn a_game_by_keys_alone() {
    let mut seen = Seen::game("xiangqi", None, Chinese, (80, 24));
    // The cannon on the right, h2, is chosen, then another piece, then the cannon again, and moved to the middle.
    seen.press("k k k l l l l l l l RET");
    assert_eq!(seen.cursor(), "h2");
    seen.press("j j h RET k k l RET h h h RET");
    assert_eq!(seen.record(), ["h2e2"]);
    seen.press("C-c C-u");
    assert_eq!((seen.record().len(), seen.cursor().as_str()), (0, "a9"), "back at the top left after undo");
    seen.press("C-c C-r");
    assert_eq!(seen.record(), ["h2e2"]);
    seen.press("C-c C-n y");
    assert!(seen.record().is_empty(), "a new game");
    assert!(seen.press("u").said().contains("历史栈已空"), "and the old one's moves are not its");
}

#[test]
fn games_are_saved_and_loaded_by_their_keys() {
    let mut seen = Seen::game("xiangqi", None, English, (120, 30));
    let file = seen.folder.path().join("one.json").display().to_string();
    seen.press(": \"h2e2\" RET : \"h9g7\" RET");
    seen.press(&format!("C-c C-s C-u \"{file}\" RET"));
    assert!(seen.said().starts_with("Saved as "), "{}", seen.said());
    seen.press("C-c C-n");
    assert!(seen.record().is_empty());
    seen.press(&format!("C-c C-l C-u \"{file}\" RET"));
    assert_eq!(seen.record(), ["h2e2", "h9g7"]);
    seen.press("u");
    assert_eq!(seen.record(), ["h2e2"], "a loaded game goes on");
}

#[test]
fn the_origins_files_are_read() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../records/tests/data/xiangqi/red-first.chess")
        .display()
        .to_string();
    let mut seen = Seen::game("xiangqi", None, Chinese, (120, 30));
    seen.press(&format!("C-c C-l C-u \"{file}\" RET"));
    assert_eq!(seen.record(), ["h2e2", "h9g7", "e2e6"]);
}

fn touch(seen: &mut Seen, place: &str) {
    seen.goto(place);
    seen.press("RET");
}

impl Seen {
    fn play(&mut self) -> &mut super::super::Play {
        let super::super::Place::Table(play) = &mut self.app.place else { panic!("a table") };
        play
    }

    pub(super) fn cursor(&mut self) -> String {
        let play = self.play();
        play.scene().board.name(play.cursor)
    }

    pub(super) fn record(&mut self) -> Vec<String> {
        self.play().scene().record.iter().map(|ply| ply.0.to_string()).collect()
    }

    /// Puts the cursor at that place.
    pub(super) fn goto(&mut self, place: &str) {
        let play = self.play();
        play.cursor = play.scene().board.cell_named(place).expect("a place");
    }
}
