//! Move texts: PDN short and written out, Hub, hops, letters; §10.

use std::collections::HashSet;

use crate::common::{KEYS, by_key};
use draughts::*;
use kernel::{Notation, laws::Random};

fn pos<R: Rules>(fen: &str) -> Draughts<R> {
    Draughts::<R>::start().read_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Every text we write for a move names that move again; what is short is not ambiguous.
fn texts_are_read_back<R: Rules>(pos: &Draughts<R>) -> usize {
    let moves = pos.legal();
    let mut written_out = 0;
    for letters in [false, true] {
        let mut seen = HashSet::new();
        for &m in &moves {
            let text = pos.people_text(&moves, m, letters);
            assert_eq!(pos.named(&text), Named::One(m), "{} {text} {}", R::KEY, pos.fen());
            assert!(seen.insert(text.clone()), "{} {text} twice in {}", R::KEY, pos.fen());
            let alike = moves.iter().filter(|o| (o.from(), o.to()) == (m.from(), m.to()));
            // A single capture has no square to be written out with: the short text is its own.
            if alike.clone().count() > 1 && alike.clone().all(|m| m.captures() > 1) {
                let name = |s: Square| if letters { s.letters::<R>() } else { s.number().to_string() };
                let ends = format!("{}x{}", name(m.from()), name(m.to()));
                assert!(matches!(pos.named(&ends), Named::Several(_)), "{} {ends} {}", R::KEY, pos.fen());
                assert_eq!(pos.read_move(&ends), None);
                assert_eq!(pos.refusal(&ends).key, "draughts-ambiguous");
                written_out += 1;
            }
        }
    }
    written_out
}

/// The positions of the perft table were chosen for long chains and for captures with equal ends.
#[test]
fn hard_positions_have_texts_that_name_them() {
    fn check<R: Rules>(fen: &str) -> usize {
        texts_are_read_back(&pos::<R>(fen))
    }
    let rows = include_str!("../data/perft.csv").lines().skip(1).filter_map(|l| l.split_once(",\""));
    let positions: HashSet<(&str, &str)> =
        rows.map(|(variant, rest)| (variant, rest.split_once("\",").unwrap().0)).collect();
    let ambiguous: usize = positions
        .into_iter()
        .filter(|(_, fen)| !fen.is_empty())
        .map(|(variant, fen)| by_key!(variant, check(fen)))
        .sum();
    assert!(ambiguous > 100, "only {ambiguous} texts were written out");
}

#[test]
fn random_games_have_texts_that_name_their_moves() {
    fn check<R: Rules>(seed: u64) {
        let random = &mut Random(seed);
        let mut pos = Draughts::<R>::start();
        for _ in 0..150 {
            let moves = pos.legal();
            if moves.is_empty() {
                return;
            }
            texts_are_read_back(&pos);
            kernel::Position::play(&mut pos, moves[random.below(moves.len())]);
        }
    }
    for &key in KEYS {
        (1..=6).for_each(|seed| by_key!(key, check(seed)));
    }
}

/// data/moves.csv: Hub, hops and PDN of another program name one move. Its hops are not always those of PDN 3.0, and
/// Russian and Brazilian rows are numbered from a1.
#[test]
fn texts_of_another_program() {
    fn check<R: Rules>(fen: &str, hub: &str, hops: &str, pdn: &str) {
        let pos = pos::<R>(fen);
        let from_a1 = matches!(R::KEY, "russian" | "brazilian");
        let number = |text: &str| {
            let n: u8 = text.parse().unwrap();
            // Rows of four from the bottom, left to right.
            if from_a1 { 29 - (n - 1) / 4 * 4 + (n - 1) % 4 } else { n }
        };
        let ours = |text: &str| {
            let sign = if text.contains('x') { "x" } else { "-" };
            text.split(sign).map(|n| number(n).to_string()).collect::<Vec<_>>().join(sign)
        };
        let pairs: String =
            (0..hops.len() / 2).map(|i| format!("{:02}", number(&hops[2 * i..2 * i + 2]))).collect();
        let m = pos.read_move(&ours(hub)).unwrap_or_else(|| panic!("{} {hub} {fen}", R::KEY));
        assert_eq!(pos.named(&pairs), Named::One(m), "{} {hops} {fen}", R::KEY);
        assert_eq!(pos.named(&ours(pdn)), Named::One(m), "{} {pdn} {fen}", R::KEY);
        let written = pos.people_text(&pos.legal(), m, false);
        // It writes out more than it must.
        assert!(written.matches('x').count() <= pdn.matches('x').count(), "{} {written} {pdn}", R::KEY);
    }
    let mut rows = 0;
    for line in include_str!("../data/moves.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split('"').collect();
        let variant = fields[0].trim_end_matches(',');
        let &[_, hub, hops, pdn, ..] = fields[2].split(',').collect::<Vec<_>>().as_slice() else {
            panic!("{line}")
        };
        by_key!(variant, check(fields[1], hub, hops, pdn));
        rows += 1;
    }
    assert_eq!(rows, 169);
}

/// The example of PDN 3.0's restriction 9.
#[test]
fn written_out_as_pdn_has_it() {
    let pos = pos::<International>("W:WK47:B14,19,29,31,42");
    let moves = pos.legal();
    let texts: HashSet<String> = moves.iter().map(|&m| pos.pdn(&moves, m)).collect();
    assert_eq!(texts, HashSet::from(["47x38x24x13x36", "47x38x20x9x36"].map(str::to_owned)));
    let m = |text: &str| pos.read_move(text).unwrap_or_else(|| panic!("{text}"));
    // Forbidden in writing, fine in reading.
    for text in ["47x33x24x13x36", "4738241336", "47-38-24-13-36", "47x36x42x29x19x31", "47x36x31x29x42x19"] {
        assert_eq!(m(text), m("47x38x24x13x36"), "{text}");
    }
    // 24 and 13 lie on both ways, but only one comes down on them.
    for text in ["47x24x36", "47x24x13x36"] {
        assert_eq!(m(text), m("47x38x24x13x36"), "{text}");
    }
    assert!(matches!(pos.named("47x38x36"), Named::Several(s) if s.len() == 2));
    assert_eq!(m("47x20x36"), m("47x36x42x29x14x31"));
    assert_eq!(m("47x36x31x14x29x42"), m("47x38x20x9x36"));
    let problem = pos.refusal("47x36");
    assert_eq!(problem.key, "draughts-ambiguous");
    let candidates = problem.arg("candidates").unwrap();
    assert!(candidates.contains("47x38x24x13x36") && candidates.contains("47x38x20x9x36"), "{candidates}");
    // A square twice, or one that is not captured, is another capture: none.
    assert_eq!(pos.named("47x36x31x14x29x29"), Named::None);
    assert_eq!(pos.named("47x36x31x14"), Named::None);
}

#[test]
fn texts_of_one_move() {
    fn check<R: Rules>(fen: &str, machine: &str, texts: &[&str]) {
        let pos = if fen.is_empty() { Draughts::<R>::start() } else { pos::<R>(fen) };
        for text in texts {
            let found = pos.read_move(text).map(|m| pos.move_text(m));
            assert_eq!(found.as_deref(), (!machine.is_empty()).then_some(machine), "{} {text} {fen}", R::KEY);
        }
    }
    check::<International>("", "32-28", &["32-28", "3228", " 32-28 ", "d4-e5", "D4E5", "d4e5"]);
    check::<International>("W:W6:B1", "6-1", &["06-01", "6-1", "0601"][..0]);
    check::<International>("W:W12:B1", "12-7", &["12-7", "12-07", "1207"]);
    check::<Russian>("", "22-18", &["22-18", "c3-d4", "c3d4", "C3D4", "2218"]);
    check::<Russian>(
        "W:W22:B18",
        "22x15x18",
        &["c3:e5", "c3xe5", "c3e5", "22x15", "22:15", "c3-e5", "22x15x18", "22×15"],
    );
    check::<Turkish>("W:Wa2:Bh8", "49-41", &["a2-a3", "49-41"]);
    // Signs between squares are punctuation.
    check::<International>(
        "",
        "32-28",
        &["32x28", "32:28", "32*28", "32.28", "32 28", "32 - 28", "32–28", "32−28"],
    );
    check::<Russian>("", "22-18", &["cd4", "c-d4", "c:d4"]);
    // Not moves, or no legal ones.
    check::<International>(
        "",
        "",
        &["", "32", "32-", "-28", "32--28", "32-28-", "0-1", "51-46", "32_28", "99", "a1-a1"],
    );
    check::<International>("", "", &["32-28-23", "3228x", "é", "32-280", "k1-l2", &"1".repeat(500)]);
}

/// The notations of each variant are among its texts, the usual one first.
#[test]
fn notations_are_among_the_texts() {
    fn check<R: Rules>() {
        let pos = Draughts::<R>::start();
        let texts = pos.texts(pos.legal()[0]);
        for key in pos.notations() {
            assert!(texts.iter().any(|(name, _)| name == key), "{} {key}", R::KEY);
        }
        assert_eq!(pos.notations()[0] == "algebraic", R::LETTERS);
    }
    for &key in KEYS {
        by_key!(key, check());
    }
    let pos = pos::<Russian>("W:W22:B18");
    let texts = pos.texts(pos.legal()[0]);
    assert_eq!(
        texts,
        [("pdn", "22x15"), ("hub", "22x15x18"), ("algebraic", "c3:e5")].map(|(k, t)| (k, t.to_owned()))
    );
}
