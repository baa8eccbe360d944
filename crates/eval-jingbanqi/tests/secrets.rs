//! The engine on a map with secrets: would catch one that looks at what its side does not see, or plays no better than chance.

use std::sync::Arc;

use engine_core::{Limits, Request};
use eval_jingbanqi::FAMILY;
use jingbanqi::{Draft, DraftKind, Jingbanqi, Rulebook, Value};
use kernel::laws::Random;
use kernel::{Eyes, Game, Notation, Outcome, Position, Side};
use search::TranspositionTable;

/// A row of the table of pieces: name, captain, rule, further columns.
type Row<'a> = (&'a str, bool, &'a str, &'a [(&'a str, &'a str)]);

/// A small 军棋: six pieces a side on five rows, of which the other side sees backs.
fn junqi() -> Jingbanqi {
    let table: [Row<'_>; 6] = [
        ("?", false, ";", &[]),
        ("旗", true, ";", &[("back", "?"), ("rank", "0"), ("within", "X[1]&X[-1]")]),
        ("雷", false, ";", &[("back", "?"), ("rank", "9"), ("within", "X[1]&X[-1]")]),
        ("工", false, "2,4,5,7;", &[("back", "?"), ("rank", "1"), ("takes", "rank+雷")]),
        ("师", false, "2,4,5,7;", &[("back", "?"), ("rank", "3")]),
        ("司", false, "2,4,5,7;", &[("back", "?"), ("rank", "4")]),
    ];
    let kinds = Side::BOTH.iter().flat_map(|&side| {
        table.map(|(name, captain, rule, columns)| DraftKind {
            name: name.to_owned(),
            owner: Some(side),
            captain,
            rule: rule.to_owned(),
            attributes: columns
                .iter()
                .map(|&(key, text)| (key.to_owned(), Value::Text(text.to_owned())))
                .collect(),
            ..DraftKind::default()
        })
    });
    let words = "Qiguan 2;sees|own;fight|rank|not shown;setup|exchange;stuck|lose;plies|150";
    let mut draft = Draft {
        rows: 5,
        cols: 3,
        cells: vec![8, 9, 10, 11, 12, 10, 0, 0, 0, 4, 6, 5, 4, 3, 2],
        kinds: kinds.collect(),
        ..Draft::default()
    };
    let row = |row: &str| row.split('|').map(str::to_owned).collect();
    draft.level2.rules2 = words.split(';').map(row).collect();
    let reading = draft.read_with_secrets();
    assert_eq!(reading.errors, []);
    Jingbanqi::new(Arc::new(Rulebook::new(reading.map.expect("no errors"), false)))
}

/// The move of our engine with a budget of positions.
fn chosen(game: &Game<Jingbanqi>, nodes: u64, seed: u64) -> String {
    let memory = TranspositionTable::new(1 << 16);
    let limits = Limits { nodes: Some(nodes), seed, ..Limits::default() };
    let request = Request { memory: &memory, limits: &limits };
    (FAMILY.turn)(game, &request, &mut |_| {}).expect("the game goes on").swap_remove(0)
}

/// A position a few random plies after the set-up.
fn some_way(random: &mut Random, plies: usize) -> Game<Jingbanqi> {
    let mut game = Game::new(junqi());
    for ready in ["ready", "ready"] {
        game.play(game.position().read_move(ready).expect("both are ready"));
    }
    for _ in 0..plies {
        let mut moves = Vec::new();
        game.legal(&mut moves);
        let Some(&m) = moves.get(random.below(moves.len().max(1))) else { break };
        game.play(m);
    }
    game
}

#[test]
fn the_move_is_the_same_whatever_is_hidden() {
    let mut random = Random(11);
    let (mut asked, mut other) = (0, 0);
    for number in 0..12 {
        let game = some_way(&mut random, 2 + number);
        if game.outcome().is_some() {
            continue;
        }
        let pos = game.position();
        let seen = pos.seen(Eyes::Seat(pos.turn()));
        let played = |pos: &Jingbanqi| chosen(&Game::new(pos.clone()), 600, 5);
        let told = played(pos);
        assert_eq!(played(&seen), told, "what it sees is all that it is given: {}", pos.fen());
        for seed in 0..3 {
            let world = seen.determinised(seed);
            other += u32::from(world.fen() != pos.fen());
            asked += 1;
            assert_eq!(played(&world), told, "{} and {}", pos.fen(), world.fen());
        }
    }
    assert!(asked > 20 && other * 2 > asked, "{other} of {asked}");
}

#[test]
fn the_engine_wins_against_random_moves() {
    let (mut random, mut points, mut ends) = (Random(23), 0, Vec::new());
    for number in 0..8u64 {
        let mut game = some_way(&mut random, 0);
        let side = Side::BOTH[number as usize % 2];
        while game.outcome().is_none() {
            let mut moves = Vec::new();
            game.legal(&mut moves);
            let m = if game.position().turn() == side {
                let text = chosen(&game, 6_000, number);
                game.position().read_move(&text).unwrap_or_else(|| panic!("{text} is not legal"))
            } else {
                moves[random.below(moves.len())]
            };
            game.play(m);
        }
        ends.push((number, game.moves().len(), game.outcome()));
        points += match game.outcome() {
            Some(Outcome::Win(winner, _)) if winner == side => 2,
            Some(Outcome::Draw(_)) => 1,
            _ => 0,
        };
    }
    assert!(points >= 12, "{points} points of 16: {ends:?}");
}
