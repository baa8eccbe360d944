//! The fast five against the plain definition of a winning row, on random crowded boards of every size.
//!
//! The definition is written once more here, from docs/rules/gomoku.md §3 and without a look at `five.rs`.

use gomoku::{Gomoku, Move, Point, Points, Rule};
use kernel::{Notation, Outcome, Position, Side, laws::Random};

/// Boards tried; `QIGUAN_DEEP` asks for more.
fn boards() -> u64 {
    if std::env::var_os("QIGUAN_DEEP").is_some() { 1_000_000 } else { 20_000 }
}

/// Some line through `at` holds an unbroken row of this stone's side that wins by the rule's paragraph.
fn plainly_wins(grid: &[Vec<u8>], row: usize, file: usize, rule: Rule) -> bool {
    let stone = |row: i32, file: i32| -> u8 {
        let line = usize::try_from(row).ok().and_then(|row| grid.get(row));
        line.and_then(|line| line.get(usize::try_from(file).ok()?)).copied().unwrap_or(b'|')
    };
    let own = grid[row][file];
    let other = if own == b'b' { b'w' } else { b'b' };
    [(0, 1), (1, 0), (1, 1), (-1, 1)].into_iter().any(|(down, right)| {
        let (mut r, mut f) = (row as i32, file as i32);
        while stone(r - down, f - right) == own {
            (r, f) = (r - down, f - right);
        }
        let before = stone(r - down, f - right);
        let mut length = 0;
        while stone(r, f) == own {
            length += 1;
            (r, f) = (r + down, f + right);
        }
        let blocked = before == other && stone(r, f) == other;
        match rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju if own == b'b' => length == 5,
            Rule::Renju => length >= 5,
            Rule::Caro => length > 5 || length == 5 && !blocked,
            Rule::CaroExact => length == 5 && !blocked,
        }
    })
}

/// A board with many stones of one side, so that rows of five, six and more are common.
fn crowded(random: &mut Random, files: usize, ranks: usize) -> Vec<Vec<u8>> {
    let black = 40 + random.below(55);
    let mut stone = || match random.below(100) {
        n if n < black => b'b',
        n if n % 2 == 0 => b'w',
        _ => b'+',
    };
    (0..ranks).map(|_| (0..files).map(|_| stone()).collect()).collect()
}

/// The points where the grid has that stone.
fn points(grid: &[Vec<u8>], side: u8) -> Points {
    let mut points = Points::EMPTY;
    for (row, line) in grid.iter().enumerate() {
        for (file, _) in line.iter().enumerate().filter(|(_, stone)| **stone == side) {
            points.put(Point { row: row as u8, file: file as u8 });
        }
    }
    points
}

#[test]
fn the_fast_five_is_the_plain_five() {
    let mut random = Random(15);
    let (mut won, mut not_won) = (0, 0);
    for board in 0..boards() {
        let (files, ranks) = (5 + random.below(22), 5 + random.below(22));
        let rule = Rule::ALL[random.below(5)];
        let mut grid = crowded(&mut random, files, ranks);
        // Every other stone stands on the edge, where a walk along a line could run off the board.
        let edge = board % 2 == 0;
        let row = if edge { [0, ranks - 1][random.below(2)] } else { random.below(ranks) };
        let file = random.below(files);
        grid[row][file] = b'b';

        let stones = [b'b', b'w'].map(|side| points(&grid, side));
        let at = Point { row: row as u8, file: file as u8 };
        let wins = gomoku::five::wins(&stones, Side::First, at, rule);
        let plain = plainly_wins(&grid, row, file, rule);
        assert_eq!(wins, plain, "board {board}: {rule:?}, row {row}, file {file}\n{}", picture(&grid));
        *(if wins { &mut won } else { &mut not_won }) += 1;
    }
    assert!(won > boards() / 10 && not_won > boards() / 10, "both answers are tried: {won} and {not_won}");
}

/// A played game is won by the stone that completes a row, and a FEN of the same stones says the same.
#[test]
fn play_and_set_up_agree_with_the_plain_five() {
    let mut random = Random(26);
    for game in 0..boards() / 50 {
        let (files, ranks) = (5 + random.below(22), 5 + random.below(22));
        let rule = Rule::ALL[random.below(5)];
        let mut pos = Gomoku::new(rule, files as u8, ranks as u8).unwrap();
        let mut grid = vec![vec![b'+'; files]; ranks];
        let mut moves = Vec::new();
        while pos.outcome().is_none() {
            moves.clear();
            pos.moves(&mut moves);
            let m = moves[random.below(moves.len())];
            let Move::Put(at) = m else { panic!("nobody may pass") };
            let mover = pos.turn();
            let avoided = pos.forbidden_at(at).filter(|_| mover == Side::First);
            grid[usize::from(at.row)][usize::from(at.file)] = if mover == Side::First { b'b' } else { b'w' };
            pos.play(m);
            let won = plainly_wins(&grid, at.row.into(), at.file.into(), rule);
            let full = !grid.iter().flatten().any(|&stone| stone == b'+');
            let plain = match (won, full) {
                (true, _) => Some(Outcome::Win(mover, "five-in-a-row")),
                _ if avoided.is_some() => avoided.map(|why| Outcome::Win(Side::Second, why.reason())),
                (false, true) => Some(Outcome::Draw("board-full")),
                (false, false) => None,
            };
            assert_eq!(pos.outcome(), plain, "game {game}: {rule:?}\n{}", picture(&grid));
        }
        let read = Gomoku::usual(rule).read_fen(&pos.fen()).unwrap();
        assert_eq!((read.outcome(), read.key()), (pos.outcome(), pos.key()), "game {game}: {}", pos.fen());
    }
}

fn picture(grid: &[Vec<u8>]) -> String {
    grid.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect()
}
