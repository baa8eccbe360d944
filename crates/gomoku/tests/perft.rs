//! Move paths counted: some by reasoning, some by a slow counter that shares no code with the game.

use gomoku::{Gomoku, Rule};
use kernel::{Notation, laws::Random, perft::perft};

fn deep() -> bool {
    std::env::var_os("QIGUAN_DEEP").is_some()
}

/// The number of paths before the ninth ply, at which five are first possible, is that of the empty points: n · (n-1)
/// · (n-2) …
#[test]
fn counts_before_a_row_is_possible() {
    for (files, ranks) in [(5, 5), (6, 7), (15, 15), (20, 20), (26, 26)] {
        let start = Gomoku::new(Rule::Freestyle, files, ranks).unwrap();
        let mut paths = 1;
        for depth in 1..=if deep() { 4 } else { 3 } {
            paths *= u64::from(files) * u64::from(ranks) - u64::from(depth) + 1;
            assert_eq!(perft(&start, depth), paths, "{files}x{ranks}, depth {depth}");
        }
    }
}

/// Small positions whose paths can be counted on paper.
#[test]
fn counts_by_reasoning() {
    for (name, rule, fen, depth, paths) in [
        ("a finished game has no paths", Rule::Freestyle, "bbbbb/5/5/5/5 w", 1, 0),
        ("the empty path is always there", Rule::Freestyle, "bbbbb/5/5/5/5 w", 0, 1),
        // Six points are empty and e5 wins: the other five leave five replies each.
        ("a win ends its path", Rule::Freestyle, "bbbb1/www2/bw1bw/wbwbw/bw1w1 b", 2, 5 * 5),
        // Black wins at e5 at once. White's row at e1 ends a path too, but only after its second move.
        (
            "a win on the last ply counts as a path",
            Rule::Freestyle,
            "bbbb1/wbww1/bwbw1/wwbw1/wwww1 b",
            2,
            4 * 4,
        ),
        // c6 joins two and three stones to a row of six: it wins in freestyle, and is nothing in standard.
        ("six ends a freestyle path", Rule::Freestyle, "bb1bbb/6/6/6/6 b", 2, 24 * 24),
        ("six ends no standard path", Rule::Standard, "bb1bbb/6/6/6/6 b", 2, 25 * 24),
    ] {
        let pos = Gomoku::usual(rule).read_fen(fen).unwrap();
        assert_eq!(perft(&pos, depth), paths, "{name}: {fen}");
    }
}

/// Crowded small boards, where games end at every depth.
#[test]
fn counts_agree_with_a_slow_counter() {
    let mut random = Random(5);
    for _ in 0..if deep() { 400 } else { 40 } {
        let (files, ranks) = (5 + random.below(3), 5 + random.below(2));
        let mut grid: Vec<Vec<char>> = vec![vec!['+'; files]; ranks];
        let empty = 5 + random.below(3);
        for i in 0..files * ranks - empty {
            let free: Vec<usize> =
                (0..files * ranks).filter(|&p| grid[p / files][p % files] == '+').collect();
            let p = free[random.below(free.len())];
            grid[p / files][p % files] = if i % 2 == 0 { 'b' } else { 'w' };
        }
        for rule in [Rule::Freestyle, Rule::Standard] {
            let fen = fen(&grid);
            // A set-up with rows of both sides is refused; there is nothing to count.
            let Ok(pos) = Gomoku::usual(rule).read_fen(&fen) else { continue };
            for depth in 0..=4 {
                assert_eq!(
                    perft(&pos, depth),
                    slow(&mut grid, 'b', rule, depth),
                    "{rule:?} {fen} depth {depth}"
                );
            }
        }
    }
}

/// Black is to move.
fn fen(grid: &[Vec<char>]) -> String {
    let row = |row: &Vec<char>| {
        let mut text: String = row.iter().collect();
        for run in (1..=row.len()).rev() {
            text = text.replace(&"+".repeat(run), &run.to_string());
        }
        text
    };
    grid.iter().map(row).collect::<Vec<String>>().join("/") + " b"
}

fn slow(grid: &mut [Vec<char>], turn: char, rule: Rule, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if "bw".chars().any(|side| has_row(grid, side, rule)) {
        return 0;
    }
    let mut paths = 0;
    for row in 0..grid.len() {
        for file in 0..grid[0].len() {
            if grid[row][file] == '+' {
                grid[row][file] = turn;
                paths += slow(grid, if turn == 'b' { 'w' } else { 'b' }, rule, depth - 1);
                grid[row][file] = '+';
            }
        }
    }
    paths
}

/// Writes out every line of the board and looks for runs of one side in it.
fn has_row(grid: &[Vec<char>], side: char, rule: Rule) -> bool {
    let (ranks, files) = (grid.len() as i32, grid[0].len() as i32);
    let mut lines: Vec<String> = Vec::new();
    for k in -ranks..ranks + files {
        lines.push((0..files).filter_map(|f| point(grid, k, f)).collect());
        lines.push((0..ranks).filter_map(|r| point(grid, r, k)).collect());
        lines.push((0..ranks).filter_map(|r| point(grid, r, k + r)).collect());
        lines.push((0..ranks).filter_map(|r| point(grid, r, k - r)).collect());
    }
    let good = |run: &str| match rule {
        Rule::Freestyle => run.len() >= 5,
        _ => run.len() == 5,
    };
    lines.iter().any(|line| line.split(|c| c != side).any(good))
}

fn point(grid: &[Vec<char>], row: i32, file: i32) -> Option<char> {
    grid.get(usize::try_from(row).ok()?)?.get(usize::try_from(file).ok()?).copied()
}
