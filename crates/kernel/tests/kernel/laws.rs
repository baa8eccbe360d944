//! The laws catch what they name.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::Notation;
use kernel::laws::{Random, check, check_games};

use crate::fill::Fill;
use crate::pebbles::{Flaw, Pebbles};

#[test]
fn good_games_obey_the_laws() {
    check(&Pebbles::start());
    check(&Fill::start());
}

/// Every law a position can break. Undo and what a finished game refuses are the kernel's own doing: no
/// position can spoil them.
#[test]
fn each_flaw_breaks_its_law() {
    for (flaw, law) in [
        (Flaw::MovesAfterTheEnd, "no moves exactly when finished"),
        (Flaw::MiscountsMoves, "count counts the moves"),
        (Flaw::SharesMoveTexts, "move texts are distinct"),
        (Flaw::SharesActions, "each move is an action of its own"),
        (Flaw::CannotReadMoves, "a move text is read back"),
        (Flaw::CannotReadFens, "a FEN is read back"),
        (Flaw::ForgetsInFens, "a FEN round-trips"),
        (Flaw::HidesInKeys, "equal FENs have equal keys"),
        (Flaw::HidesTheEnd, "a FEN keeps the outcome"),
        (Flaw::NamelessPlaces, "a place is found by its name"),
        (Flaw::UnorderedPieces, "pieces stand by rising cell"),
        (Flaw::PiecesOffTheBoard, "pieces stand on places of the board"),
        (Flaw::NamelessMoves, "each notation has a name"),
        (Flaw::ClaimsToFill, "the moves are exactly the empty cells"),
        (Flaw::ClaimsToUseUp, "what is legal is listed by number"),
        (Flaw::PathsOffTheBoard, "a path stays on the board"),
        (Flaw::NoButtons, "a move is a path or a button"),
        (Flaw::BlockedButtons, "a legal button has no blockers"),
        (Flaw::MiscountsAfterMoves, "count_after counts after moves"),
        (Flaw::ForgetsQuietPlies, "a position stands again only within its reversible plies"),
        (Flaw::InventsQuietPlies, "a ply adds at most one reversible ply"),
        (Flaw::ImpureKey, "play is pure"),
        (Flaw::ImpureFen, "play is pure"),
    ] {
        let said = complaint(&Pebbles::flawed(flaw)).unwrap_or_else(|| panic!("nobody noticed {flaw:?}"));
        assert!(said.contains(law), "{flaw:?} should break \"{law}\", but: {said}");
        assert!(said.contains("seed"), "the message names the seed: {said}");
    }
}

#[test]
fn a_game_that_refuses_every_set_up_is_noticed() {
    let said = complaint(&Fill::refusing_set_ups()).expect("nothing could be set up");
    assert!(said.contains("some pictures can be set up again: 0 of"), "{said}");
}

#[test]
fn a_piece_that_the_palette_has_not_is_noticed() {
    let said = complaint(&Fill::with_strange_pieces()).expect("the palette has no rocks");
    assert!(said.contains("the palette has every piece"), "{said}");
}

#[test]
fn no_games_no_complaint() {
    check_games(&Pebbles::flawed(Flaw::MiscountsMoves), 0, 100);
}

#[test]
fn the_random_numbers_never_change() {
    // SplitMix64 from 0, as its author's reference implementation prints it.
    let mut random = Random(0);
    assert_eq!(random.bits(), 0xE220_A839_7B1D_CDAF);
    assert_eq!(random.bits(), 0x6E78_9E6A_A1B9_65F4);
    assert!((0..1000).all(|_| random.below(7) < 7));
    assert_eq!(random.below(1), 0);
}

/// Returns the complaint of the laws about a game; `None` if it obeys them.
pub(crate) fn complaint<P: Notation>(start: &P) -> Option<String> {
    let said = catch_unwind(AssertUnwindSafe(|| check(start))).err()?;
    Some(*said.downcast::<String>().expect("a broken law is told in a formatted sentence"))
}
