//! Secrets at level 2: would catch a word, a text or a list of moves that tells what its reader may not see, a world that
//! could not be, and a map with secrets that comes in by the usual way.

use kernel::laws::{Random, check_games, check_secrets};
use kernel::{AnyGame as _, Eyes, Game, Notation as _, Outcome, Position as _, Side, by_lot};

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
    let (one, two, three, four) = (own("1"), own("2"), own("3"), own("4"));
    let flag = [("级", "0"), ("back", "?"), ("within", "X[1]&X[-1]")];
    let mine = [("级", "9"), ("back", "?"), ("within", "X[1,2]&X[-1,-2]")];
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
    let _ = one;
    let board = "9 10 11 10\n12 13 14 12\n. . . .\n. . . .\n5 6 7 5\n2 3 4 3";
    let board = board.replace("9 10 11 10", "9 10 11 11");
    let board = board.replace("2 3 4 3", "2 3 4 4");
    draft(&board, &pieces, &format!("看见 | 己; 战斗 | 级 | {fight}; 布阵 | 换位; 无子可动 | 负; 手数 | 120; repeat | 3 | draw"))
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
    for (name, draft, least) in [("shown", junqi("亮"), 20), ("not shown", junqi("不亮"), 30), ("jieqi", jieqi(), 20)] {
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
