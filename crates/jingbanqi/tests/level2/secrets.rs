//! Secrets at level 2: would catch a word, a text or a list of moves that tells what its reader may not see, a world that
//! could not be, and a map with secrets that comes in by the usual way.

use kernel::laws::{Random, check_games, check_secrets};
use kernel::{AnyGame as _, Eyes, Game, Notation as _, Outcome, Side, by_lot};

use super::*;

fn secret(draft: &Draft) -> Jingbanqi {
    let reading = draft.read_with_secrets();
    assert_eq!(reading.errors, [], "{draft:?}");
    game(&reading.map.expect("no errors"))
}

/// A small 军棋: each side arranges eight pieces of which the other sees backs.
fn junqi(fight: &str) -> Draft {
    let step = "2,4,5,7;";
    let own = |rank: &'static str| [("级", rank), ("背面", "?")];
    let (two, three, four) = (own("2"), own("3"), own("4"));
    let flag = [("级", "0"), ("back", "?"), ("within", "X[1]&X[-1]")];
    let mine = [("级", "9"), ("back", "?"), ("within", "X[1]&X[2]&X[-1]&X[-2]")];
    let sapper = [("级", "1"), ("back", "?"), ("可吃", "级+雷")];
    let pieces: [Piece<'_>; 14] = [
        ("?", "r", ";", "", "", &[]),
        ("旗", "rc", ";", "", "", &flag),
        ("雷", "r", ";", "", "", &mine),
        ("工", "r", step, "", "", &sapper),
        ("排", "r", step, "", "", &two),
        ("师", "r", step, "", "", &three),
        ("司", "r", ";2,4,5,7", "", "", &four),
        ("?", "b", ";", "", "", &[]),
        ("旗", "bc", ";", "", "", &flag),
        ("雷", "b", ";", "", "", &mine),
        ("工", "b", step, "", "", &sapper),
        ("排", "b", step, "", "", &two),
        ("师", "b", step, "", "", &three),
        ("司", "b", ";2,4,5,7", "", "", &four),
    ];
    let board = "9 10 11 11\n12 13 14 12\n. . . .\n. . . .\n5 6 7 5\n2 3 4 4";
    let words =
        format!("看见 | 己; 战斗 | 级 | {fight}; 布阵 | 换位; 无子可动 | 负; 手数 | 120; repeat | 3 | draw");
    draft(board, &pieces, &words)
}

/// A small 揭棋: dark pieces move by their square, and who takes one alone learns what it was.
fn jieqi() -> Draft {
    let pieces: [Piece<'_>; 12] = [
        ("帅", "rc", "2,4,5,7;", "", "", &[]),
        ("将", "bc", "2,4,5,7;", "", "", &[]),
        ("暗车", "r", ";2,4,5,7", "", "", &[("翻开", "红 走 吃")]),
        ("暗马", "r", "nL1:2;", "", "", &[("翻开", "红 走 吃")]),
        ("暗兵", "r", "2;", "", "", &[("翻开", "红 走 吃")]),
        ("暗车", "b", ";2,4,5,7", "", "", &[("翻开", "蓝 moves taken")]),
        ("暗马", "b", "nL1:2;", "", "", &[("翻开", "蓝 moves taken")]),
        ("暗兵", "b", "7;", "", "", &[("翻开", "蓝 taken moves")]),
        ("车", "r", ";2,4,5,7", "", "", &[]),
        ("马", "r", "nL1:2;", "", "", &[]),
        ("車", "b", ";2,4,5,7", "", "", &[]),
        ("馬", "b", "nL1:2;", "", "", &[]),
    ];
    let board = "6 7 2 7 6\n. . . . .\n8 . 8 . 8\n. . . . .\n5 . 5 . 5\n. . . . .\n3 4 1 4 3";
    let mut draft = draft(board, &pieces, "无子可动 | 负; plies | 80; 重复 | 3 | 和");
    draft.level2.bag = rows("bag|piece|side|count; 红|车|1|3; 红|马|1|4; 蓝|車|2|3; 蓝|馬|2|4");
    draft
}

#[test]
fn maps_with_secrets_obey_the_laws() {
    for draft in [junqi("亮"), junqi("不亮"), jieqi()] {
        check_games(&secret(&draft), 12, 140);
    }
}

#[test]
fn whatever_is_hidden_what_is_shown_stays_the_same() {
    for (name, draft, least) in
        [("shown", junqi("亮"), 20), ("not shown", junqi("不亮"), 30), ("jieqi", jieqi(), 10)]
    {
        let worlds = check_secrets(&secret(&draft), 25, 160);
        assert!(worlds.tried > 3_000, "{name}: {worlds:?}");
        assert!(worlds.other * 100 > worlds.tried * least, "{name}: {worlds:?}");
    }
}

#[test]
fn a_map_with_secrets_is_refused_where_nobody_keeps_them() {
    for (draft, place) in [(junqi("亮"), "rules2!A2"), (jieqi(), "chesses!H4")] {
        let found: Vec<_> = draft.read().errors;
        assert_eq!(found[0].key, "map-secrets-later", "{found:?}");
        assert_eq!(found[0].arg("place"), Some(place));
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

/// Plays move texts, each drawn by lot where chance decides.
fn play_all(game: &mut Game<Jingbanqi>, texts: &str, random: &mut Random) {
    for text in texts.split_whitespace() {
        let lot = |sum: u64| random.bits() % sum;
        let played = if text.contains('{') { text.to_owned() } else { by_lot(game, text, lot) };
        let fen = kernel::AnyGame::fen(game);
        kernel::AnyGame::play(game, &played).unwrap_or_else(|error| panic!("{text} in {fen}: {error:?}"));
    }
}

/// The names that a piece has in worlds of `eyes`, sorted; `at` is row and column from 1.
fn could_be(game: &Game<Jingbanqi>, eyes: Eyes, (row, col): (u16, u16)) -> String {
    let seen = game.position().seen(eyes);
    let at = (row - 1) * u16::from(seen.board().files) + col - 1;
    let name = |seed| {
        let world = seen.determinised(seed);
        let kind = world.piece(at).map_or(0, |piece| piece.id);
        world.book().map().kinds[usize::from(kind) - 1].name.clone()
    };
    let names: std::collections::BTreeSet<String> = (0..200).map(name).collect();
    names.into_iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_was_seen_limits_what_could_be() {
    let (red, blue) = (Eyes::Seat(Side::First), Eyes::Seat(Side::Second));
    let mut random = Random(5);
    let mut game = Game::new(secret(&junqi("不亮")));
    assert_eq!(could_be(&game, blue, (5, 1)), "司 工 师 排 雷", "a flag stands in the last row");
    assert_eq!(could_be(&game, blue, (6, 2)), "司 工 师 排 旗 雷");
    assert_eq!(could_be(&game, red, (6, 2)), "雷", "its own pieces a side sees");
    play_all(&mut game, "ready ready 5,1-4,1", &mut random);
    assert_eq!(could_be(&game, blue, (4, 1)), "司 工 师 排", "who has moved is no mine");
    // 师 (3) of blue attacks 工 … of red: 排 (2) falls.
    play_all(&mut game, "2,2-3,2 4,1-3,1 2,1-3,1", &mut random);
    assert_eq!(game.position().piece(8).map(|piece| piece.id), None, "equal ranks fall both");
    assert_eq!(game.outcome(), None);
    play_all(&mut game, "5,2-4,2 3,2-4,2", &mut random);
    assert_eq!(game.position().piece(13).map(|piece| piece.id), None, "师 and 师");
    play_all(&mut game, "5,3-3,3 2,3-3,3 5,4-4,4 2,4-3,4 4,4-3,4", &mut random);
    assert_eq!(game.outcome(), None, "only backs have met: {}", game.position().fen());
}

#[test]
fn a_fight_tells_each_side_what_its_own_piece_proves() {
    let [red, blue] = Side::BOTH.map(Eyes::Seat);
    let mut random = Random(7);
    let mut game = Game::new(secret(&junqi("不亮")));
    // 排 (2) of blue falls by 师 (3) of red.
    play_all(&mut game, "ready ready 5,2-4,2 2,1-3,1 4,2-4,1 3,1-4,1", &mut random);
    assert_eq!(could_be(&game, blue, (4, 1)), "司 师", "it has moved, and is above 排");
    assert_eq!(could_be(&game, Eyes::Watcher, (4, 1)), "司 工 师 排", "a watcher knows neither");
    assert_eq!(could_be(&game, red, (4, 1)), "师");
    let seen = game.position().seen(red);
    let fen = seen.fen();
    assert!(fen.contains(",bx.0.3c.c,"), "below 师 are 工 and 排, for red alone: {fen}");
    assert!(!game.position().seen(blue).fen().contains("bx.0"), "its own loss blue knows");
    let mut shown = Game::new(secret(&junqi("亮")));
    play_all(&mut shown, "ready ready 5,2-4,2 2,1-3,1 4,2-4,1 3,1-4,1", &mut random);
    assert_eq!(could_be(&shown, Eyes::Watcher, (4, 1)), "师", "everybody has seen it");
}

#[test]
fn a_captain_that_falls_ends_the_game() {
    let mut random = Random(9);
    let mut game = Game::new(secret(&junqi("亮")));
    let texts = "ready ready 5,1-4,1 2,1-3,1 4,1-4,2 3,1-3,2 4,2-4,1 3,2-4,2 5,2-4,2 1,3-1,3";
    play_all(&mut game, texts.rsplit_once(' ').expect("several").0, &mut random);
    assert_eq!(game.outcome(), None);
    play_all(&mut game, "2,2-3,2 4,1-3,1 3,2-4,2 3,1-2,1 2,4-3,4 2,1-1,1", &mut random);
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First, "captain-taken")));
}

#[test]
fn the_taker_of_a_dark_piece_alone_learns_what_it_was() {
    let mut random = Random(3);
    let mut game = Game::new(secret(&jieqi()));
    play_all(&mut game, "5,1-4,1{车} 3,5-4,5{馬} 4,1-4,2 3,3-4,3{馬}", &mut random);
    let outcomes: Vec<String> =
        game.outcomes("7,1-3,1").iter().map(|(text, weight)| format!("{} {weight}", &text[7..])).collect();
    assert_eq!(outcomes, ["{车}{x車} 6", "{车}{x馬} 4", "{马}{x車} 12", "{马}{x馬} 8"]);
    assert_eq!(game.chosen("7,1-3,1{马}{x車}").as_deref(), Some("7,1-3,1"));
    play_all(&mut game, "7,1-3,1{马}{x車}", &mut random);
    let last = |eyes: Eyes| game.seen(eyes).record().pop();
    assert_eq!(last(Eyes::Seat(Side::First)).as_deref(), Some("7,1-3,1{马}{x車}"));
    for eyes in [Eyes::Seat(Side::Second), Eyes::Watcher] {
        assert_eq!(last(eyes).as_deref(), Some("7,1-3,1{马}{x?}"));
    }
    let left = |eyes: Eyes| game.position().seen(eyes).bags();
    assert_eq!(left(Eyes::Seat(Side::First))[2..], [(1, 11, 2), (1, 12, 2)], "red knows that a 車 is gone");
    assert_eq!(left(Eyes::Seat(Side::Second))[2..], [(1, 11, 3), (1, 12, 2)], "blue does not");
    let fen = game.position().seen(Eyes::Watcher).fen();
    assert!(fen.ends_with(" w;-;-;-;-;r2*1"), "that one was drawn all know: {fen}");
    assert_eq!(game.position().draws(), 5, "three pieces turned over, and two at once");
}

#[test]
fn others_read_an_arrangement_as_nothing() {
    let mut random = Random(1);
    let mut told = Vec::new();
    for texts in ["5,1-5,2 6,2-5,4 ready 2,1-2,2 ready", "5,3-5,4 5,2-6,3 ready 1,2-1,3 ready"] {
        let mut game = Game::new(secret(&junqi("亮")));
        play_all(&mut game, texts, &mut random);
        let text = |game: Game<Jingbanqi>| {
            let view = kernel::AnyGame::view(&game);
            format!("{:?} {:?} {view:?} {}", game.record(), game.names(), kernel::AnyGame::fen(&game))
        };
        assert_eq!(game.seen(Eyes::Watcher).record(), ["?", "?", "ready", "?", "ready"]);
        let [red, blue] = Side::BOTH.map(|side| game.seen(Eyes::Seat(side)).record().join(" "));
        assert_eq!(red, format!("{} ? ready", texts.rsplitn(3, ' ').nth(2).expect("five")));
        assert!(blue.starts_with("? ? ready 2") || blue.starts_with("? ? ready 1"), "{blue}");
        let mut before = Game::new(secret(&junqi("亮")));
        play_all(&mut before, texts.rsplitn(3, ' ').nth(2).expect("five"), &mut random);
        told.push(text(before.seen(Eyes::Seat(Side::Second))));
    }
    assert_eq!(told[0], told[1], "two arrangements look the same to the other side");
}

#[test]
fn words_that_would_tell_are_refused_with_their_cells() {
    let with = |change: &dyn Fn(&mut Draft)| {
        let mut draft = junqi("亮");
        change(&mut draft);
        draft
    };
    let words = |text: &str| with(&|draft| draft.level2.rules2.extend(rows(text)));
    let cell = |kind: usize, heading: &str, text: &str| {
        with(&|draft| {
            draft.kinds[kind].attributes.push((heading.to_owned(), Value::Text(text.to_owned())));
        })
    };
    let lots = |change: &dyn Fn(&mut Draft)| {
        let mut draft = jieqi();
        change(&mut draft);
        draft
    };
    let no_setup = with(&|draft| drop(draft.level2.rules2.remove(3)));
    let no_sees = with(&|draft| drop(draft.level2.rules2.remove(1)));
    let bare = with(&|draft| draft.kinds.iter_mut().for_each(|kind| kind.attributes.clear()));
    let table: [(Draft, &[(&str, &str)]); 20] = [
        (words("禁送"), &[("map-sees-tells", "rules2!A8")]),
        (words("必吃 | 是"), &[("map-sees-tells", "rules2!A8")]),
        (words("captains | all"), &[("map-sees-tells", "rules2!A8")]),
        (words("score | 3"), &[("map-sees-tells", "rules2!A8")]),
        (words("pie"), &[("map-sees-tells", "rules2!A8")]),
        (with(&|draft| draft.level2.rules2[6][2] = "禁".to_owned()), &[("map-sees-tells", "rules2!A7")]),
        (no_setup, &[("map-sees-setup", "rules2!A2")]),
        (no_sees, &[("map-needs-sees", "rules2!A2"), ("map-needs-sees", "rules2!A3")]),
        (bare, &[("map-no-back", "rules2!A2")]),
        (with(&|draft| draft.level2.rules2[1][1] = "自己".to_owned()), &[("map-rules2-value", "rules2!B2")]),
        (with(&|draft| draft.level2.rules2[2][2] = "暗".to_owned()), &[("map-rules2-value", "rules2!C3")]),
        (with(&|draft| draft.level2.rules2[3][1] = "swap".to_owned()), &[("map-rules2-value", "rules2!B4")]),
        (cell(0, "背面", "无此子"), &[("map-back-unknown", "chesses!H2")]),
        (
            with(&|draft| draft.kinds[4].attributes[1].1 = Value::Text("旗".to_owned())),
            &[("map-back-twice", "chesses!L6")],
        ),
        (with(&|draft| draft.kinds[4].promotes = "X[1]".to_owned()), &[("map-back-changes", "chesses!F6")]),
        (cell(4, "俘虏", "排"), &[("map-back-changes", "chesses!M6")]),
        (lots(&|draft| draft.level2.rules2.extend(rows("交换"))), &[("map-sees-tells", "rules2!A5")]),
        (lots(&|draft| draft.level2.bag[1][3] = "2".to_owned()), &[("map-bag-too-small", "bag!A2")]),
        (
            lots(&|draft| {
                draft.kinds[8].attributes.push(("升为".to_owned(), Value::Text("马/车".to_owned())))
            }),
            &[("map-lots-becomes", "chesses!I10")],
        ),
        (
            lots(&|draft| draft.kinds[2].attributes[0].1 = Value::Text("红 吃 吃".to_owned())),
            &[("map-bad-turns", "chesses!H4")],
        ),
    ];
    for (draft, expected) in table {
        let reading = draft.read_with_secrets();
        let found: Vec<_> =
            reading.errors.iter().map(|e| (e.key, e.arg("place").unwrap_or_default())).collect();
        assert_eq!(found, expected, "{:?}", reading.errors);
    }
}

/// Positions whose text was changed are refused, or played like others.
#[test]
fn texts_that_were_tampered_with_cause_no_panic() {
    let mut random = Random(77);
    let (mut read, mut refused) = (0, 0);
    for draft in [junqi("不亮"), jieqi()] {
        let mut game = Game::new(secret(&draft));
        for _ in 0..25 {
            let mut moves = Vec::new();
            game.legal(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
            let fen = game.position().fen();
            for _ in 0..40 {
                let mut bytes = fen.clone().into_bytes();
                for _ in 0..=random.below(2) {
                    let at = bytes.iter().rposition(|&byte| byte == b' ').map_or(0, |at| at + 1);
                    let at = at + random.below(bytes.len() - at);
                    bytes[at] = b"rbx0129,.;-*af"[random.below(14)];
                }
                let Ok(pos) = game.position().read_fen(&String::from_utf8(bytes).expect("ASCII")) else {
                    refused += 1;
                    continue;
                };
                read += 1;
                for eyes in Eyes::LIMITED {
                    let seen = pos.seen(eyes);
                    let _ = (kernel::AnyGame::view(&Game::new(seen.clone())), seen.fen());
                    let _ = (
                        seen.determinised(1).fen(),
                        kernel::AnyGame::moves(&Game::new(seen.determinised(2))),
                    );
                }
                let mut moves = Vec::new();
                let mut played = Game::new(pos);
                played.legal(&mut moves);
                if !moves.is_empty() {
                    played.play(moves[random.below(moves.len())]);
                    let _ = kernel::AnyGame::view(&played);
                }
            }
        }
    }
    assert!(read > 50 && refused > 500, "{read} and {refused}");
    for text in
        ["all;-;-;-;-", "w;-;-;-;-;-", "all;-;-;r5*1;-;-", "all;-;b99.9.1.1;-;-;-", "all;-,64;-;-;-;-", ""]
    {
        let fen = format!("9,10,11,11/12,13,14,12/.4/.4/5,6,7,5/2,3,4,4 r 0,0 - - 0,0,0,0 0,0 - {text}");
        let found = secret(&junqi("亮")).read_fen(&fen).map(|pos| pos.fen()).expect_err(text).key;
        let expected = if text.is_empty() { "jingbanqi-fen-fields" } else { "jingbanqi-fen-secrets" };
        assert_eq!(found, expected, "{text}");
    }
}
