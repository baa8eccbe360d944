//! A position with its past: play, undo, repetition.

use kernel::{Game, Notation, Outcome, Position, Side};

use crate::pebbles::{Act, Flaw, Pebbles};

/// Four plies after which the start stands again.
const LOOP: [Act; 4] = [Act::Slide(1), Act::Pass, Act::Slide(0), Act::Pass];

fn played(start: Pebbles, moves: &[Act]) -> Game<Pebbles> {
    let mut game = Game::new(start);
    for &m in moves {
        game.play(m);
    }
    game
}

#[test]
fn a_new_game_has_no_past() {
    let mut game = Game::new(Pebbles::start());
    assert_eq!(game.line().len(), 1);
    assert_eq!(game.moves(), []);
    assert_eq!(game.undo(), None);
    assert_eq!(game.position().fen(), "5 0 first slide 0");
}

#[test]
fn undo_walks_back_over_turns_and_the_end() {
    let moves = [Act::Slide(2), Act::Take(3), Act::Slide(1), Act::Take(2)];
    let mut game = played(Pebbles::start(), &moves);
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First, "last-pebble")));
    assert_eq!(game.moves(), moves);
    for (m, fen) in moves.iter().rev().zip([
        "2 1 second press 1",
        "2 2 second slide 0",
        "5 2 first press 1",
        "5 0 first slide 0",
    ]) {
        assert_eq!(game.undo().as_ref(), Some(m));
        assert_eq!(game.position().fen(), fen);
        assert_eq!(game.outcome(), None, "{fen}");
    }
    assert_eq!(game.undo(), None);
}

#[test]
fn a_side_may_move_twice_in_a_row() {
    let game = played(Pebbles::start(), &LOOP);
    let turns: Vec<Side> = game.line().iter().map(Position::turn).collect();
    assert_eq!(turns, [Side::First, Side::First, Side::Second, Side::Second, Side::First]);
}

#[test]
fn a_position_is_judged_the_third_time_it_stands() {
    let twice = [LOOP, LOOP].concat();
    for plies in 0..8 {
        assert_eq!(played(Pebbles::start(), &twice[..plies]).outcome(), None, "after {plies} plies");
    }
    let mut game = played(Pebbles::start(), &twice);
    assert_eq!(game.outcome(), Some(Outcome::Draw("repetition")));
    assert_eq!(game.position().outcome(), None, "the position alone is not over");
    assert_eq!(game.undo(), Some(Act::Pass));
    assert_eq!(game.outcome(), None, "undo takes the repetition back, too");
}

#[test]
fn cycle_counts_how_often_the_position_stood() {
    let game = played(Pebbles::start(), &[LOOP, LOOP].concat());
    let judged: Vec<bool> = (0..6).map(|times| game.cycle(times).is_some()).collect();
    // Once is no cycle, so 0 and 1 are never judged.
    assert_eq!(judged, [false, false, true, true, false, false]);
}

#[test]
fn repetition_looks_no_further_than_the_last_irreversible_ply() {
    let flawed = played(Pebbles::flawed(Flaw::ForgetsQuietPlies), &[LOOP, LOOP].concat());
    assert_eq!(flawed.outcome(), None, "every ply claims to be irreversible");

    let mut game = played(Pebbles::start(), &LOOP);
    game.play(Act::Slide(1));
    game.play(Act::Take(1));
    assert_eq!(game.position().reversible(), 0);
    for m in [Act::Slide(0), Act::Pass, Act::Slide(1), Act::Pass] {
        game.play(m);
    }
    assert!(game.cycle(2).is_some(), "the position after the taking stands again");
    assert!(game.cycle(3).is_none());
}

#[test]
fn games_are_copied_with_their_past() {
    let game = played(Pebbles::start(), &LOOP);
    let mut copy = game.clone();
    while copy.undo().is_some() {}
    assert_eq!((game.moves().len(), copy.moves().len()), (4, 0));
}
