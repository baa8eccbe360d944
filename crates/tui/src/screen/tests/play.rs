//! Tests of playing each kind of game on the screen.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::*;

#[test]
fn a_game_of_gomoku_to_its_end() {
    let mut seen = Seen::game("gomoku/standard", None, English, (80, 24));
    assert_eq!(seen.cursor(), "h8", "an empty board begins in the middle");
    for place in ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"] {
        seen.goto(place);
        seen.press("RET");
    }
    assert_eq!(seen.said(), "The game is over, Black wins. (five in a row)");
    assert_eq!(seen.press("a RET").said(), "The game is already over.");
}

#[test]
fn a_stone_on_a_stone_is_refused_in_the_games_words() {
    let mut seen = Seen::game("gomoku/standard", None, English, (80, 24));
    assert_eq!(seen.press("RET RET").said(), "h8 already has a black stone. Choose an empty point.");
}

#[test]
fn draughts_captures_are_walked() {
    // One man takes two on its way; another way takes two as well.
    let fen = "W:W32:B28,18,19";
    let mut seen = Seen::game("draughts", Some(fen), English, (80, 24));
    let first = seen.play_view_moves();
    assert!(first.len() > 1, "there are several ways: {first:?}");
    seen.goto("31");
    assert!(seen.press("RET").said().starts_with("No move"));
    seen.press("TAB");
    assert_eq!(seen.cursor(), "32");
    seen.press("RET TAB RET");
    if seen.record().is_empty() {
        seen.press("TAB RET");
    }
    assert_eq!(seen.record().len(), 1, "{}", seen.said());
}

#[test]
fn who_must_capture_is_told_with_what() {
    let fen = "W:W32,50:B28";
    let mut seen = Seen::game("draughts", Some(fen), English, (80, 24));
    seen.goto("50");
    assert!(seen.press("RET").said().contains("32"), "{}", seen.said());
}

#[test]
fn locked_chess_by_arrows() {
    let mut seen = Seen::game("locked", None, English, (80, 24));
    seen.press("<up> <left> TAB RET <up> <left>");
    assert_eq!(seen.record().len(), 5, "a whole turn");
    assert!(seen.text().contains("1.ul c3 ul"), "{}", seen.text());
    // A direction along the first one is no button of the second step.
    seen.press("<up>");
    let before = seen.record().len();
    seen.press("<up>");
    assert_eq!(seen.record().len(), before);
    // hjkl always move the cursor.
    let at = seen.cursor();
    seen.press("l");
    assert_ne!(seen.cursor(), at);
    assert_eq!(seen.record().len(), before);
}

#[test]
fn locked_chess_takes_the_choice_back() {
    let mut seen = Seen::game("locked", None, English, (80, 24));
    seen.press("<up> <left> TAB RET u");
    assert_eq!(seen.record().len(), 2);
}

#[test]
fn a_move_that_loses_at_once_is_asked_about() {
    let fen = "10/10/10/3bb5/5b4/5b4/10/10/10/10 b";
    let mut seen = Seen::game("gomoku/renju", Some(fen), English, (80, 24));
    seen.goto("f7");
    assert!(seen.press("RET").said().starts_with("This loses at once"), "{}", seen.said());
    assert!(seen.record().is_empty());
    seen.press("RET");
    assert!(seen.said().contains("White wins"), "{}", seen.said());
}

#[test]
fn openings_are_answered_by_numbers() {
    let mut seen = Seen::at(game("gomoku/standard", &[("opening", 4)], None), English, (80, 24));
    for place in ["h8", "a1", "h9"] {
        seen.goto(place);
        seen.press("RET");
    }
    let text = seen.text();
    assert!(text.contains("[1]"), "{text}");
    seen.press("1");
    assert_eq!(seen.record().len(), 4, "{}", seen.text());
}

#[test]
fn the_mouse_plays() {
    let mut seen = Seen::game("xiangqi", None, English, (80, 24));
    seen.text();
    let click = |seen: &mut Seen, place: &str| {
        let play = match &seen.app.place {
            super::super::Place::Table(play) => play,
            _ => panic!("a table"),
        };
        let cell = play.scene().board.cell_named(place).unwrap();
        let at = play.drawn.position(cell).unwrap();
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: at.x + 1, row: at.y, modifiers: KeyModifiers::NONE };
        seen.app.handle(Event::Terminal(Term::Mouse(mouse)), 0);
    };
    click(&mut seen, "h2");
    click(&mut seen, "e2");
    assert_eq!(seen.record(), ["h2e2"]);
}

#[test]
fn typed_moves_are_completed() {
    let mut seen = Seen::game("xiangqi", None, Chinese, (100, 30));
    seen.press(": \"炮二平\" TAB");
    let text = seen.text();
    assert!(text.contains("炮二平三  炮二平四") || text.contains("炮二平一"), "{text}");
    seen.press("\"五\" RET");
    assert_eq!(seen.record(), ["h2e2"]);
    assert_eq!(seen.press(": \"zzz\" RET").said(), "“zzz”不是着法。请写 炮二平五、C2=5、H2-E2 或 h2e2。");
    // A figure opens the line by itself.
    let mut seen = Seen::game("draughts", None, English, (80, 24));
    seen.press("\"32-28\" RET");
    assert_eq!(seen.record(), ["32-28"]);
}

#[test]
fn looking_back_changes_nothing() {
    let mut seen = Seen::game("xiangqi", None, English, (80, 24));
    seen.press(": \"h2e2\" RET : \"h9g7\" RET [");
    assert!(seen.said().starts_with("Looking back: after 1 of 2"), "{}", seen.said());
    seen.press("{");
    assert!(seen.said().starts_with("Looking back: after 0 of 2"), "{}", seen.said());
    seen.press("}");
    assert!(seen.said().contains("Red to move"), "{}", seen.said());
    assert_eq!(seen.record().len(), 2);
}

#[test]
fn a_position_is_set_up_and_refused_with_a_reason() {
    let mut seen = Seen::game("xiangqi", None, English, (80, 24));
    seen.press("e c s");
    assert!(seen.said().contains("has no general"), "{}", seen.said());
    seen.press("ESC");
    assert!(seen.text().contains("Red"), "{}", seen.text());
    // Draughts from an empty board: one man each.
    let mut seen = Seen::game("draughts", None, English, (80, 24));
    seen.press("e c");
    seen.goto("32");
    seen.press("RET");
    seen.goto("1");
    seen.press("TAB TAB RET");
    seen.press("s");
    let pieces = seen.pieces();
    assert_eq!(pieces.len(), 2, "{pieces:?} {}", seen.said());
}

#[test]
fn either_side_may_begin() {
    let mut seen = Seen::game("xiangqi", None, English, (80, 24));
    assert_eq!(seen.press("x").said(), "Black to move");
    seen.press(": \"h9g7\" RET");
    assert_eq!(seen.record(), ["h9g7"]);
}

#[test]
fn clocks_run_and_fall() {
    let opening = Opening::of("xiangqi", &catalog::Options::new()).unwrap();
    let clock = crate::clock::parse("10/move").unwrap();
    let mut seen = Seen::at(Start::Game(Box::new(opening.from(None, clock)), [None; 2]), English, (80, 24));
    seen.press(": \"h2e2\" RET");
    seen.now_ms = 4000;
    seen.app.tick(4000);
    assert!(seen.text().contains("0:06.0"), "{}", seen.text());
    assert!(seen.app.quiet_ms(4000).is_some_and(|quiet| quiet <= 100), "the next tenth");
    seen.now_ms = 10_001;
    seen.app.tick(10_001);
    assert!(seen.said().contains("Red wins"), "{}", seen.said());
    assert_eq!(seen.app.quiet_ms(10_001), None, "and then nothing changes any more");
}

#[test]
fn idle_there_is_nothing_to_wait_for() {
    let seen = Seen::game("xiangqi", None, English, (80, 24));
    assert_eq!(seen.app.quiet_ms(0), None);
}

#[test]
fn every_game_of_the_catalogue_is_shown_and_played() {
    for (key, opening) in every_game() {
        for language in Language::ALL {
            let start = Start::Game(Box::new(opening.clone()), [None; 2]);
            let mut seen = Seen::at(start, language, (90, 30));
            let first = seen.play_view_moves().first().cloned();
            if let Some(first) = first {
                seen.press(&format!(": \"{first}\" RET"));
                assert_eq!(seen.record().len(), 1, "{key}: {first}");
            }
            seen.press("u o f t t t t");
            let text = seen.text();
            for missing in ["tui-", "problem-", "side-", "prompt-", "piece-", "button-", "notation-"] {
                assert!(!text.contains(missing), "{key} has no words for {missing}: {text}");
            }
        }
    }
}

#[test]
fn a_large_board_scrolls() {
    let mut seen = Seen::at(map("t1_grammar(6x8).xlsx"), Chinese, (24, 7));
    seen.text();
    let first = seen.text();
    for _ in 0..4 {
        seen.press("j");
    }
    assert_ne!(seen.text(), first);
}

#[test]
fn pieces_show_what_extensions_do_in_a_direction_until_that_is_switched_off() {
    let mut seen = Seen::at(map("t1_grammar(6x8).xlsx"), English, (100, 36));
    seen.press("TAB");
    let shown = seen.text();
    // The rider in the corner has a shield up right and down, jumps up left and ignores down right.
    for sign in ["$· o", "o %"] {
        assert!(shown.contains(sign), "{sign} is on no piece: {shown}");
    }
    seen.press("D");
    let hidden = seen.text();
    for sign in ["$· o", "o %", "· ·"] {
        assert!(!hidden.contains(sign), "{sign} is still shown: {hidden}");
    }
    seen.press("D");
    assert_eq!(seen.text(), shown);
}

#[test]
fn where_a_piece_may_go_is_shown_until_that_is_switched_off() {
    let mut seen = Seen::at(map("t1_grammar(6x8).xlsx"), English, (100, 36));
    let before = seen.text().matches('◆').count();
    seen.press("TAB RET");
    let shown = seen.text();
    assert!(shown.matches('◆').count() > before, "{shown}");
    seen.press("T");
    assert_eq!(seen.text().matches('◆').count(), before);
    // It may be moved all the same, and shown again.
    seen.press("T");
    assert_eq!(seen.text(), shown);
}

#[test]
fn maps_are_played_by_touch() {
    let mut seen = Seen::at(map("t1_grammar(6x8).xlsx"), Chinese, (100, 30));
    let text = seen.text();
    assert!(text.contains("红方"), "{text}");
    seen.press("TAB RET TAB RET");
    assert_eq!(seen.record().len(), 1, "{}", seen.text());
}

impl Seen {
    fn play_view_moves(&mut self) -> Vec<String> {
        let super::super::Place::Table(play) = &self.app.place else { panic!("a table") };
        play.table.game().map(kernel::AnyGame::moves).unwrap_or_default()
    }

    fn pieces(&mut self) -> Vec<wire::Piece> {
        let super::super::Place::Table(play) = &self.app.place else { panic!("a table") };
        play.scene().view.pieces.clone()
    }
}

/// Under home rules the piece that is chosen first decides which side begins; in other games the second side's is
/// refused.
#[test]
fn the_first_piece_chosen_begins_at_home() {
    let mut seen = Seen::game("xiangqi/free", None, English, (80, 24));
    seen.goto("h9");
    seen.press("RET");
    seen.goto("g7");
    seen.press("RET");
    assert_eq!(seen.record(), ["h9g7"], "{}", seen.said());
    // Taken back, the question is open again.
    seen.press("u : \"h2e2\" RET");
    assert_eq!(seen.record(), ["h2e2"], "{}", seen.said());
    // Once a side has moved it is settled.
    seen.goto("b2");
    seen.press("RET");
    assert!(seen.said().contains("other side"), "{}", seen.said());
    let mut usual = Seen::game("xiangqi", None, English, (80, 24));
    usual.goto("h9");
    usual.press("RET");
    usual.goto("g7");
    usual.press("RET");
    assert!(usual.record().is_empty());
}

/// A map of level 2: the hands are shown, and the piece to put and the piece to become are asked for by number, by the
/// mouse, or not at all when another key is pressed.
#[test]
fn pieces_of_hands_and_promotions_are_asked_for() {
    let start = |key: &str, fen: Option<&str>| {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../maps");
        let opening = Opening::of_map(&folder.join(key), &[], &catalog::Options::new(), None).unwrap();
        let opening = opening.from(fen.map(str::to_owned), wire::ClockSpec::None);
        Start::Game(Box::new(opening), [None; 2])
    };
    let mut seen = Seen::at(start("examples/farmyard.xlsx", None), English, (100, 30));
    for place in ["3,2", "2,2", "1,2", "2,2"] {
        seen.goto(place);
        seen.press("RET");
    }
    let text = seen.text();
    assert!(text.contains("Red’s hand: 雏 × 1") && text.contains("Blue’s hand: 雏 × 1"), "{text}");
    seen.goto("3,2");
    assert_eq!(seen.press("RET").said(), "Choose the piece to put there");
    assert!(seen.text().contains("[1] 雏"), "{}", seen.text());
    // Another key is a change of mind.
    seen.press("h");
    assert!(!seen.text().contains("[1] 雏"));
    assert_eq!(seen.record().len(), 2);
    seen.goto("3,2");
    seen.press("RET 1");
    assert_eq!(seen.record().last().map(String::as_str), Some("雏*3,2"), "{}", seen.text());
    let fen = ".,2,./5,.2/.3/.,1,. r 0,0 - - 0,0,0,0 0,0 -";
    let mut seen = Seen::at(start("examples/farmyard.xlsx", Some(fen)), Chinese, (100, 30));
    for place in ["2,1", "1,1"] {
        seen.goto(place);
        seen.press("RET");
    }
    assert_eq!(seen.said(), "选择升变后的棋子");
    let text = seen.text();
    assert!(text.contains("[1] 鸡") && text.contains("[2] 鹰"), "{text}");
    seen.press("2");
    assert_eq!(seen.record(), ["2,1-1,1=鹰"]);
    // One kind of stone is put without a question.
    let mut seen = Seen::at(start("hex.xlsx", None), English, (100, 30));
    seen.goto("4,4");
    seen.press("RET");
    assert_eq!(seen.record(), ["●*4,4"]);
}

/// A right click, or a key, shows the whole information about a piece of a map, with the pieces it may become.
#[test]
fn all_about_a_piece_is_shown() {
    let mut seen = Seen::at(map("t1_grammar(6x8).xlsx"), English, (100, 24));
    seen.press("TAB");
    let super::super::Place::Table(play) = &seen.app.place else { panic!("a table") };
    let settings = settings(English, Theme::Wide, Depth::Many, seen.folder.path().to_owned());
    let all = play.piece_lines(&settings);
    let at = play.drawn.position(play.cursor);
    assert!(all.len() > 2, "{all:?}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    let told = words(&seen.press("i").text());
    for line in &all {
        assert!(told.contains(&words(line)), "{line:?} is not told: {told}");
    }
    assert!(!words(&seen.press("ESC").text()).contains(&told));
    seen.text();
    let super::super::Place::Table(play) = &seen.app.place else { panic!("a table") };
    let at = at.or_else(|| play.drawn.position(play.cursor)).expect("the piece is in sight");
    let kind = MouseEventKind::Down(MouseButton::Right);
    let mouse = MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE };
    seen.app.handle(Event::Terminal(Term::Mouse(mouse)), 0);
    assert_eq!(words(&seen.text()), told);
}

/// Stones of locked chess can be typed in the notation of the program that came before this project.
#[test]
fn stones_are_typed_by_column_and_row() {
    for typed in ["\"4 4\"", "\"(4,4)\"", ": \"4,4\""] {
        let fen = "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 3 - -";
        let mut seen = Seen::game("locked", Some(fen), English, (80, 24));
        seen.press(&format!("{typed} RET"));
        assert_eq!(seen.record(), ["d4"], "{typed}: {}", seen.said());
    }
}
