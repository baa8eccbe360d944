//! Tests of the keys of opening books: they must be those that other programs have for the same position.

use records::book::{Seen, obk_keys, obk_move, xqb_key, xqb_move};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// The positions after 炮二平五, and after the answer 马２进３.
const CANNON: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
const HORSE: &str = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";

/// Keys as the program that the format was learned from makes them (xiangqi_tui 0.1.0).
#[test]
fn keys_are_those_of_other_programs() {
    for (fen, key, mirror) in [
        (START, 0x628d_04d7_c9c1_44ae, 0x628d_04d7_c9c1_44ae),
        (CANNON, 0xa1ea_d1f6_470e_07ee, 0x29d4_30b1_d3af_9b9e),
        (HORSE, 0x97db_0fb5_09fe_d6f3, 0xbf44_a4f4_607b_3299_u64),
    ] {
        assert_eq!(obk_keys(fen), Some([key, mirror]), "{fen}");
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (fen, key, turned, mirrored) in [
        (START, "ceb7cef37ac801e079f7df7df00002ebaebaeb02c004653a56939440", false, false),
        (CANNON, "ceb7cef37ac801e3c1f7df7df00002ebaebaeb02c004653a56939440", true, true),
        (HORSE, "ceb7cef36c801e0d79f7df7df00002ebaebae162c004653a56939440", false, true),
    ] {
        let (found, seen) = xqb_key(fen).expect("a position");
        assert_eq!((hex(&found).as_str(), seen), (key, Seen { turned, mirrored }), "{fen}");
    }
}

#[test]
fn moves_are_named_on_the_board_of_the_game() {
    assert_eq!(obk_move(0xAAA7, false).as_deref(), Some("h2e2"));
    assert_eq!(obk_move(0xAAA7, true).as_deref(), Some("b2e2"));
    let seen = |turned, mirrored| Seen { turned, mirrored };
    assert_eq!(xqb_move(0x7774, seen(false, false)).as_deref(), Some("h2e2"));
    assert_eq!(xqb_move(0x7774, seen(false, true)).as_deref(), Some("b2e2"));
    assert_eq!(xqb_move(0x7774, seen(true, false)).as_deref(), Some("b7e7"));
    assert_eq!(xqb_move(0x7774, seen(true, true)).as_deref(), Some("h7e7"));
    for bad in [-1, 0, 0x2222, 0xFFFF, 0x1_0000, i64::MAX] {
        assert_eq!(obk_move(bad, false), None, "{bad:x}");
        assert_eq!(obk_move(bad, true), None, "{bad:x}");
    }
    for bad in [-1, 0xA000, 0x0900, 0x00A0, 0x0009, 0xFFFF, 0x1_0000] {
        assert_eq!(xqb_move(bad, Seen::default()), None, "{bad:x}");
        assert_eq!(xqb_move(bad, seen(true, true)), None, "{bad:x}");
    }
}

#[test]
fn what_is_no_position_has_no_key() {
    for bad in
        ["", "9", "9/9 w", "rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABN w", "xnbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR w"]
    {
        assert_eq!(obk_keys(bad), None, "{bad}");
        assert_eq!(xqb_key(bad), None, "{bad}");
    }
}
