//! Places and their names, both ways.

use kernel::{Board, Cell, Lines, Names};

fn board(files: u8, ranks: u8, names: Names) -> Board {
    Board::new(Lines::Points, files, ranks, names)
}

#[test]
fn cells_and_names_go_both_ways() {
    let goban = board(15, 15, Names::letters_up(1));
    let locked = board(12, 12, Names::letters_down(0));
    let tall = board(26, 255, Names::letters_up(255));
    for (board, file, row, name) in [
        (&goban, 7, 7, "h8"),
        (&goban, 0, 14, "a1"),
        (&goban, 14, 0, "o15"),
        (&locked, 3, 9, "d9"),
        (&locked, 0, 0, "a0"),
        (&locked, 11, 11, "l11"),
        (&tall, 25, 254, "z255"),
        (&tall, 0, 0, "a509"),
    ] {
        let cell = board.cell(file, row);
        assert_eq!(cell, Cell::from(row) * Cell::from(board.files) + Cell::from(file));
        assert_eq!(board.name(cell), name);
        assert_eq!(board.cell_named(name), Some(cell), "{name}");
        assert_eq!(board.cell_named(&name.to_uppercase()), Some(cell), "{name} in capitals");
    }
}

#[test]
fn places_are_numbered_around_the_gaps() {
    let light: Vec<Cell> = (0..100).filter(|c| (c / 10 + c) % 2 == 0).collect();
    let draughts = Board { gaps: light, ..board(10, 10, Names::NUMBERS) };
    for (file, row, name) in [(1, 0, "1"), (9, 0, "5"), (0, 1, "6"), (8, 9, "50"), (2, 5, "27")] {
        let cell = draughts.cell(file, row);
        assert_eq!(draughts.name(cell), name);
        assert_eq!(draughts.cell_named(name), Some(cell), "{name}");
    }
    for name in ["0", "51", "999", "", "b1", "-1"] {
        assert_eq!(draughts.cell_named(name), None, "{name}");
    }
    assert!(!draughts.is_place(0) && draughts.is_place(1) && !draughts.is_place(100));
    let turkish = board(8, 8, Names::NUMBERS);
    assert_eq!((turkish.name(63), turkish.cell_named("64")), ("64".to_owned(), Some(63)));
}

#[test]
fn places_of_a_wide_board_are_pairs() {
    let wide = board(64, 3, Names::PAIRS);
    for (file, row, name) in [(0, 0, "1,1"), (63, 2, "3,64"), (9, 1, "2,10")] {
        assert_eq!(wide.name(wide.cell(file, row)), name);
        assert_eq!(wide.cell_named(name), Some(wide.cell(file, row)));
    }
    assert_eq!(wide.cell_named(" 2, 10 "), Some(wide.cell(9, 1)));
    for name in ["0,1", "1,0", "4,1", "1,65", "1", "1,", ",1", "1,1,1", "-1,1"] {
        assert_eq!(wide.cell_named(name), None, "{name}");
    }
}

#[test]
fn a_gap_is_no_place_by_letters_either() {
    let russian = Board { gaps: vec![0, 2], ..board(8, 8, Names::letters_up(1)) };
    assert_eq!(russian.cell_named("a8"), None);
    assert_eq!(russian.cell_named("b8"), Some(1));
}

#[test]
fn every_cell_is_found_by_its_name() {
    for files in [1, 5, 26] {
        for ranks in [1, 10, 100, 255] {
            for first in [0, 1, 255] {
                for names in [Names::letters_up(first), Names::letters_down(first)] {
                    let board = board(files, ranks, names);
                    for cell in 0..Cell::from(files) * Cell::from(ranks) {
                        let name = board.name(cell);
                        assert_eq!(board.cell_named(&name), Some(cell), "{name} of {board:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn there_is_no_such_place() {
    let goban = board(15, 15, Names::letters_up(1));
    for name in [
        "",
        "h",
        "8",
        "8h",
        "h0",
        "h16",
        "p1",
        "h-1",
        "h+8",
        "h 8",
        " h8",
        "h8 ",
        "h8x",
        "hh8",
        "h99999999999",
        "h0008",
        "é1",
        "h８",
        "八8",
        "{1",
        "`1",
        "@1",
    ] {
        assert_eq!(goban.cell_named(name), None, "{name:?}");
    }
    let locked = board(12, 12, Names::letters_down(1));
    assert_eq!(locked.cell_named("a0"), None);
    assert_eq!(locked.cell_named("a13"), None);
}
