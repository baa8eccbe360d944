//! Tests of the engine on maps of level 2: they would catch one that does not see the aim of a map. All by counts, none by the
//! clock.

use std::sync::Arc;

use eval_jingbanqi::AimEval;
use jingbanqi::{Draft, DraftKind, Jingbanqi, Map, Rulebook, Standing};
use kernel::laws::Random;
use kernel::{Game, Notation, Outcome, Position, Side};
use search::{Evaluator, SearchLimits, TranspositionTable, score, think};

const GAMES: u64 = 6;

fn start(map: &str) -> Jingbanqi {
    let path = format!("{}/../../maps/{map}.xlsx", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the map is there");
    Jingbanqi::new(Arc::new(Rulebook::new(jingbanqi::read(&bytes).map.expect("a good map"), false)))
}

/// The games of a few that the engine wins against a player who moves at random.
fn wins(map: &str) -> u64 {
    let start = start(map);
    let eval = AimEval::of(&start).expect("a map of level 2");
    let mut wins = 0;
    for number in 0..GAMES {
        let (mut random, mut game, mut moves) = (Random(number + 1), Game::new(start.clone()), Vec::new());
        let memory = TranspositionTable::new(1 << 20);
        let side = Side::BOTH[number as usize % 2];
        while game.outcome().is_none() && game.moves().len() < 200 {
            moves.clear();
            game.position().moves(&mut moves);
            let mut chosen = moves[random.below(moves.len())];
            if game.position().turn() == side {
                let limits = SearchLimits { nodes: Some(400), ..SearchLimits::default() };
                let found = think(&game, &eval, &memory, &limits, &mut |_| {});
                chosen = found.expect("it goes on").lines[0].moves[0];
            }
            assert!(moves.contains(&chosen), "not legal");
            // Chance decides for both, whatever was named.
            let text = game.position().move_text(chosen);
            let text = kernel::by_lot(&game, &text, |sum| random.bits() % sum);
            game.play(game.position().read_move(&text).expect("is legal"));
        }
        wins += u64::from(matches!(game.outcome(), Some(Outcome::Win(winner, _)) if winner == side));
    }
    wins
}

#[test]
fn the_engine_wins_against_random_moves() {
    for map in ["breakthrough", "hex", "losing"] {
        let won = wins(map);
        assert!(won + 1 >= GAMES, "{map}: {won} of {GAMES}");
    }
}

/// The mirrored position of a map that is alike for both colours: each square `turned`, each kind its `other`, and the other
/// side to move.
fn mirrored(pos: &Jingbanqi, turned: impl Fn(usize) -> usize, other: impl Fn(u16) -> u16) -> Jingbanqi {
    let squares = pos.book().map().squares();
    let mut cells = vec![None; squares];
    for at in 0..squares {
        let piece = pos.piece(at as u16);
        cells[turned(at)] = piece.map(|piece| Standing { id: other(piece.id), ..piece });
    }
    pos.at(cells, pos.turn().other(), [0; 2], None)
}

/// The kind of the other colour with the same place among its own.
fn other_kind(map: &Map, id: u16) -> u16 {
    let of = |side: Side| {
        let owned = map.kinds.iter().enumerate().filter(move |(_, kind)| kind.owner == Some(side));
        owned.map(|(at, _)| at as u16 + 1).collect::<Vec<u16>>()
    };
    let [red, blue] = Side::BOTH.map(of);
    let at = |list: &[u16]| list.iter().position(|&one| one == id);
    at(&red).map(|at| blue[at]).or_else(|| at(&blue).map(|at| red[at])).unwrap_or(id)
}

#[test]
fn an_evaluation_is_the_same_for_both_colours() {
    // Hex is alike across its long diagonal, the others from top to bottom.
    for (map, is_hex) in [("breakthrough", false), ("hex", true), ("losing", false)] {
        let start = start(map);
        let book = start.book().map().clone();
        let (rows, cols) = (usize::from(book.rows), usize::from(book.cols));
        let turned = |at: usize| {
            if is_hex { at % cols * cols + at / cols } else { (rows - 1 - at / cols) * cols + at % cols }
        };
        let mut eval = AimEval::of(&start).expect("a map of level 2");
        let mut seen = 0;
        for seed in 1..30 {
            let (mut random, mut pos, mut moves) = (Random(seed), start.clone(), Vec::new());
            for _ in 0..seed * 2 {
                moves.clear();
                pos.moves(&mut moves);
                // A swap of colours belongs to players, not to the board.
                moves.retain(|m| !m.is_pressed());
                if moves.is_empty() || pos.outcome().is_some() {
                    break;
                }
                pos.play(moves[random.below(moves.len())]);
            }
            let twin = mirrored(&pos, turned, |id| other_kind(&book, id));
            assert_eq!(eval.score(&pos), eval.score(&twin), "{map}, seed {seed}: {}", pos.fen());
            seen += i32::from(eval.score(&pos) != 0);
        }
        assert!(seen > 10, "{map}: an evaluation that is always 0 is alike, too");
    }
}

#[test]
fn no_evaluation_reaches_a_proved_win() {
    for map in ["breakthrough", "hex", "losing"] {
        let start = start(map);
        let squares = start.book().map().squares();
        let mut eval = AimEval::of(&start).expect("a map of level 2");
        for id in 1..=start.book().map().kinds.len() as u16 {
            // As lopsided as a board can be.
            let piece = Standing { id, promoted: false };
            let full = start.at(vec![Some(piece); squares], Side::First, [0; 2], None);
            assert!(eval.score(&full).abs() <= score::MAX_EVAL, "{map}: {}", eval.score(&full));
        }
    }
}

/// A map of level 2 from its parts: rows of the board, pieces with their rules, and words.
fn small(board: &[&[u32]], pieces: [(&str, Option<Side>, &str); 3], words: &[&[&str]]) -> Jingbanqi {
    let kind = |(name, owner, rule): (&str, Option<Side>, &str)| DraftKind {
        name: name.to_owned(),
        owner,
        rule: rule.to_owned(),
        ..DraftKind::default()
    };
    let mut draft = Draft { rows: board.len() as u32, cols: board[0].len() as u32, ..Draft::default() };
    draft.cells = board.concat();
    draft.kinds = pieces.map(kind).into();
    let row = |row: &[&str]| row.iter().map(|&text| text.to_owned()).collect();
    draft.level2.rules2 = std::iter::once(&["Qiguan 2"][..]).chain(words.iter().copied()).map(row).collect();
    let reading = draft.read();
    assert_eq!(reading.errors, []);
    Jingbanqi::new(Arc::new(Rulebook::new(reading.map.expect("no errors"), false)))
}

#[test]
fn each_aim_is_seen() {
    let (red, blue) = (Some(Side::First), Some(Side::Second));
    let men = [("r", red, "m2;"), ("b", blue, "m7;"), ("x", None, ";")];
    let queens = [("r", red, ";1,2,3,4,5,6,7,8"), ("b", blue, ";1,2,3,4,5,6,7,8"), ("x", None, ";")];
    let stones = [("r", red, ";"), ("b", blue, ";"), ("x", None, ";")];
    let goals: &[&[&str]] = &[&["goal", "r", "X[1]"], &["goal", "b", "X[-1]"]];
    let line: &[&[&str]] = &[&["line", "3"]];
    let stuck: &[&[&str]] = &[&["stuck", "lose"]];
    type Row<'a> = (
        &'a str,
        [(&'a str, Option<Side>, &'a str); 3],
        &'a [&'a [&'a str]],
        &'a [&'a [u32]],
        &'a [&'a [u32]],
    );
    // Of two boards with as many pieces the first is better for red, who is to move.
    let rows: &[Row<'_>] = &[
        (
            "nearer to its goal",
            men,
            goals,
            &[&[0, 0, 0], &[1, 0, 0], &[0, 0, 0], &[0, 0, 2]],
            &[&[0, 0, 0], &[0, 0, 0], &[1, 0, 0], &[0, 0, 2]],
        ),
        (
            "a way that is free",
            men,
            goals,
            &[&[0, 0, 3], &[0, 0, 0], &[1, 0, 0], &[0, 2, 0]],
            &[&[3, 0, 0], &[0, 0, 0], &[1, 0, 0], &[0, 2, 0]],
        ),
        (
            "stones that may be a line",
            stones,
            line,
            &[&[1, 1, 0], &[0, 0, 2], &[2, 0, 0]],
            &[&[1, 0, 2], &[0, 0, 0], &[2, 0, 1]],
        ),
        (
            "room to go",
            queens,
            stuck,
            &[&[0, 0, 0], &[0, 1, 0], &[3, 3, 2]],
            &[&[1, 3, 0], &[3, 3, 0], &[0, 0, 2]],
        ),
    ];
    for (aim, pieces, words, better, worse) in rows {
        let [better, worse] = [better, worse].map(|board| {
            let pos = small(board, *pieces, words);
            AimEval::of(&pos).expect("a map of level 2").score(&pos)
        });
        assert!(better > worse, "{aim}: {better} and {worse}");
    }
    // Where pieces are a burden, fewer are better.
    let burden: &[&[&str]] = &[&["bare", "win"]];
    let [few, many] = [[0, 0, 1], [1, 1, 1]].map(|row| {
        let pos = small(&[&row, &[0, 0, 0], &[2, 2, 0]], men, burden);
        AimEval::of(&pos).expect("a map of level 2").score(&pos)
    });
    assert!(few > many, "{few} and {many}");
}

/// Tests pieces that are turned over by chance, where no line is told as certain that draws.
#[test]
fn the_engine_wins_where_chance_decides() {
    let won = wins("examples/banqi-2");
    assert!(won + 2 >= GAMES, "{won} of {GAMES}");
}
