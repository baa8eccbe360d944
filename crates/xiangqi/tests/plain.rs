//! The fast generator against a slow one that shares nothing with it, on random positions.
//!
//! The rules are written once more here, on a board of letters: every move is made and looked at. No table, no mask.

use std::collections::BTreeSet;

use kernel::{Notation, Position, laws::Random};
use xiangqi::{Rules, Xiangqi};

/// Random games tried; `QIGUAN_DEEP` asks for more.
fn games() -> u64 {
    if std::env::var_os("QIGUAN_DEEP").is_some() { 5_000 } else { 150 }
}

type Grid = [[u8; 9]; 10];
type Step = (i32, i32);

fn grid(fen: &str) -> Grid {
    let mut grid = [[b'.'; 9]; 10];
    for (row, text) in fen.split(' ').next().unwrap().split('/').enumerate() {
        let mut file = 0;
        for letter in text.bytes() {
            if letter.is_ascii_digit() {
                file += usize::from(letter - b'0');
            } else {
                grid[row][file] = letter;
                file += 1;
            }
        }
    }
    grid
}

fn letter(grid: &Grid, (row, file): Step) -> Option<u8> {
    grid.get(usize::try_from(row).ok()?)?.get(usize::try_from(file).ok()?).copied()
}

/// Returns the squares the piece at `from` may go to by its own rules.
fn plainly_goes(grid: &Grid, from: Step) -> Vec<Step> {
    let piece = letter(grid, from).unwrap();
    let red = piece.is_ascii_uppercase();
    let own = |l: u8| l != b'.' && l.is_ascii_uppercase() == red;
    let add = |(r, f): Step, (dr, df): Step| (r + dr, f + df);
    let palace =
        |(r, f): Step| (3..6).contains(&f) && if red { (7..10).contains(&r) } else { (0..3).contains(&r) };
    let bank = |(r, _): Step| if red { r >= 5 } else { r <= 4 };
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let aslant = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    let mut to = Vec::new();
    match piece.to_ascii_lowercase() {
        b'k' => to.extend(straight.iter().map(|&d| add(from, d)).filter(|&t| palace(t))),
        b'a' => to.extend(aslant.iter().map(|&d| add(from, d)).filter(|&t| palace(t))),
        b'b' => {
            for (dr, df) in aslant {
                let target = add(from, (2 * dr, 2 * df));
                if bank(target) && letter(grid, add(from, (dr, df))) == Some(b'.') {
                    to.push(target);
                }
            }
        }
        b'n' => {
            for (dr, df) in straight {
                if letter(grid, add(from, (dr, df))) == Some(b'.') {
                    let (sr, sf) = (i32::from(dr == 0), i32::from(df == 0));
                    to.push(add(from, (2 * dr + sr, 2 * df + sf)));
                    to.push(add(from, (2 * dr - sr, 2 * df - sf)));
                }
            }
        }
        b'p' => {
            to.push(add(from, (if red { -1 } else { 1 }, 0)));
            if !bank(from) {
                to.extend([add(from, (0, 1)), add(from, (0, -1))]);
            }
        }
        kind => {
            for d in straight {
                let mut next = add(from, d);
                let mut screens = 0;
                while let Some(there) = letter(grid, next) {
                    match (kind, screens, there) {
                        (_, 0, b'.') => to.push(next),
                        (_, _, b'.') => {}
                        (b'r', 0, _) | (b'c', 1, _) => {
                            to.push(next);
                            screens += 1;
                        }
                        _ => screens += 1,
                    }
                    next = add(next, d);
                }
            }
        }
    }
    to.retain(|&t| letter(grid, t).is_some_and(|l| !own(l)));
    to
}

fn all(grid: &Grid, red: bool) -> Vec<Step> {
    let places = (0..10).flat_map(|r| (0..9).map(move |f| (r, f)));
    let own = |&at: &Step| letter(grid, at).is_some_and(|l| l != b'.' && l.is_ascii_uppercase() == red);
    places.filter(own).collect()
}

fn find(grid: &Grid, piece: u8) -> Option<Step> {
    all(grid, piece.is_ascii_uppercase()).into_iter().find(|&at| letter(grid, at) == Some(piece))
}

/// Returns true if the generals stand on one file with nothing between.
fn facing(grid: &Grid) -> bool {
    let (Some(red), Some(black)) = (find(grid, b'K'), find(grid, b'k')) else { return false };
    red.1 == black.1 && (black.0 + 1..red.0).all(|row| letter(grid, (row, red.1)) == Some(b'.'))
}

fn in_danger(grid: &Grid, red: bool) -> bool {
    let general = find(grid, if red { b'K' } else { b'k' }).unwrap();
    facing(grid) || all(grid, !red).into_iter().any(|from| plainly_goes(grid, from).contains(&general))
}

fn name((row, file): Step) -> String {
    format!("{}{}", char::from(b'a' + file as u8), 9 - row)
}

fn plain_moves(grid: &Grid, red: bool, rules: Rules) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    for from in all(grid, red) {
        let mut targets = plainly_goes(grid, from);
        if rules == Rules::Home && facing(grid) && find(grid, if red { b'K' } else { b'k' }) == Some(from) {
            targets.extend(find(grid, if red { b'k' } else { b'K' }));
        }
        for to in targets {
            let mut next = *grid;
            next[to.0 as usize][to.1 as usize] = next[from.0 as usize][from.1 as usize];
            next[from.0 as usize][from.1 as usize] = b'.';
            if rules == Rules::Home || !in_danger(&next, red) {
                moves.insert(name(from) + &name(to));
            }
        }
    }
    moves
}

/// Compares one position; returns its moves.
fn compare(pos: &Xiangqi) -> Vec<xiangqi::Move> {
    let fen = pos.fen();
    let board = grid(&fen);
    let red = fen.contains(" w ");
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let found: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
    let over = pos.general(pos.turn()).is_none();
    let plain = if over { BTreeSet::new() } else { plain_moves(&board, red, pos.rules()) };
    assert_eq!(found, plain, "{:?} {fen}", pos.rules());
    assert_eq!(found.len(), moves.len(), "none is listed twice: {fen}");
    assert_eq!(pos.count(), moves.len() as u64, "count counts the moves: {fen}");
    if !over {
        assert_eq!(pos.in_check(pos.turn()), in_danger(&board, red), "check: {fen}");
    }
    moves
}

/// Games that take whenever they can soon leave open boards, where checks, pins and screens are common.
#[test]
fn random_games() {
    let (mut checks, mut ends) = (0, 0);
    for seed in 0..games() {
        let rules = if seed % 4 == 0 { Rules::Home } else { Rules::Asian };
        let mut random = Random(seed + 1);
        let mut pos = Xiangqi::new(rules).with_limit(0);
        for _ in 0..200 {
            let moves = compare(&pos);
            checks += u32::from(pos.in_check(pos.turn()));
            if moves.is_empty() {
                ends += 1;
                break;
            }
            let takes: Vec<_> = moves.iter().filter(|m| pos.piece_at(m.to).is_some()).collect();
            let m = if !takes.is_empty() && random.below(4) == 0 {
                *takes[random.below(takes.len())]
            } else {
                moves[random.below(moves.len())]
            };
            pos.play(m);
        }
    }
    assert!(checks > 200 && ends > 20, "checks and ends are met: {checks}, {ends}");
}

/// Few pieces close to both palaces: most positions hold a threat or two.
#[test]
fn random_diagrams() {
    let (mut read, mut bound) = (0, 0);
    let mut random = Random(7);
    let generals = [(7, 3), (7, 4), (8, 4), (9, 3), (9, 4), (9, 5)];
    for _ in 0..games() * 40 {
        let mut board = [[b'.'; 9]; 10];
        let (row, file) = generals[random.below(6)];
        board[row][file] = b'K';
        let (row, file) = generals[random.below(6)];
        board[9 - row][file] = b'k';
        for &piece in b"RrCcNnRrCcNnPp" {
            let (row, file) = (random.below(10), random.below(9));
            // Soldiers stand across the river, where they may stand anywhere.
            let fits = match piece {
                b'P' => row < 5,
                b'p' => row > 4,
                _ => random.below(3) > 0,
            };
            if fits && board[row][file] == b'.' {
                board[row][file] = piece;
            }
        }
        for turn in ['w', 'b'] {
            let rows: Vec<String> =
                board.iter().map(|row| String::from_utf8_lossy(row).replace('.', "1")).collect();
            let text = format!("{} {turn}", rows.join("/"));
            for rules in [Rules::Asian, Rules::Home] {
                let refused = rules == Rules::Asian && in_danger(&board, turn == 'b');
                let found = Xiangqi::new(rules).read_fen(&text);
                assert_eq!(
                    found.is_err(),
                    refused,
                    "a side may not be in danger that is not to move: {text}"
                );
                let Ok(pos) = found else { continue };
                let moves = compare(&pos).len();
                read += 1;
                bound += u32::from(
                    rules == Rules::Asian && moves < plain_moves(&board, turn == 'w', Rules::Home).len(),
                );
            }
        }
    }
    assert!(read > 5_000 && bound > 1_000, "{read} positions, {bound} of them with moves forbidden");
}
