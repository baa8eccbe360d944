//! Places and their names, both ways.

use kernel::{Board, Cell, Lines, Names};

fn board(files: u8, ranks: u8, names: Names) -> Board {
    Board { lines: Lines::Points, files, ranks, names, stars: vec![] }
}

#[test]
fn cells_and_names_go_both_ways() {
    let goban = board(15, 15, Names::LettersUp { first: 1 });
    let locked = board(12, 12, Names::LettersDown { first: 0 });
    let tall = board(26, 255, Names::LettersUp { first: 255 });
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
fn every_cell_is_found_by_its_name() {
    for files in [1, 5, 26] {
        for ranks in [1, 10, 100, 255] {
            for first in [0, 1, 255] {
                for names in [Names::LettersUp { first }, Names::LettersDown { first }] {
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
    let goban = board(15, 15, Names::LettersUp { first: 1 });
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
    let locked = board(12, 12, Names::LettersDown { first: 1 });
    assert_eq!(locked.cell_named("a0"), None);
    assert_eq!(locked.cell_named("a13"), None);
}
