//! Tests of the tables against the rules, against brute force, and on well-known endings.

use draughts::{English, International, Italian, Killer, Pool, Russian, Spanish, Thai, Turkish};
use kernel::laws::Random;
use kernel::{Notation, Position};

use super::*;

fn at<R: Rules>(fen: &str) -> Draughts<R> {
    Draughts::<R>::start().read_fen(fen).expect("a position")
}

/// Every position that a table holds.
fn each<R: Rules>(endings: &Endings<R>, mut look: impl FnMut(&Draughts<R>)) {
    for class in classes(endings.most) {
        for [men, kings, their_men, their_kings] in [class, swapped(class)] {
            let (us, them) = (endings.ground.group(men, kings), endings.ground.group(their_men, their_kings));
            for ours in &us.places {
                them.places.iter().filter_map(|theirs| ours.against(theirs)).for_each(|pos| look(&pos));
            }
        }
    }
}

/// Returns the value of a position computed from the values after its moves.
fn by_a_ply<R: Rules>(endings: &Endings<R>, pos: &Draughts<R>) -> Option<u8> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let after = moves.iter().map(|&m| {
        let mut next = *pos;
        next.play(m);
        endings.value(&next).expect("fewer pieces or as many").checked_sub(1)
    });
    let after: Vec<_> = after.collect();
    let win = after.iter().flatten().filter(|plies| *plies % 2 == 0).min().map(|plies| plies + 1);
    let lost = after.iter().all(|plies| plies.is_some_and(|plies| plies % 2 == 1));
    win.or_else(|| lost.then(|| after.iter().flatten().max().map_or(0, |plies| plies + 1)))
}

fn every_value_follows_from_the_next<R: Rules>() {
    let endings = Endings::<R>::new(3);
    let (mut count, mut ends) = (0u32, 0u32);
    each(&endings, |pos| {
        let plies = endings.value(pos).expect("a table").checked_sub(1);
        let next = by_a_ply(&endings, pos);
        // A win that takes longer than its class may last is a draw.
        let late = plies.is_none() && next > pos.plies_allowed();
        assert!(plies == next || late, "{}: {plies:?}, by the next ply {next:?}: {pos:?}", R::KEY);
        count += 1;
        ends += u32::from(plies.is_some());
    });
    assert!(count > 100_000 && ends > count / 4, "{}: {ends} of {count}", R::KEY);
}

#[test]
fn tables_agree_with_the_rules() {
    every_value_follows_from_the_next::<International>();
    every_value_follows_from_the_next::<Killer>();
    every_value_follows_from_the_next::<Russian>();
    every_value_follows_from_the_next::<Pool>();
    every_value_follows_from_the_next::<English>();
    every_value_follows_from_the_next::<Italian>();
    every_value_follows_from_the_next::<Spanish>();
    every_value_follows_from_the_next::<Thai>();
    every_value_follows_from_the_next::<Turkish>();
}

/// Returns the number of plies in which the side to move wins, or loses, within `plies`, by brute force.
fn brute<R: Rules>(pos: &Draughts<R>, plies: u32) -> Option<u32> {
    if let Some(outcome) = pos.outcome() {
        return (outcome.winner() != Some(pos.turn())).then_some(0);
    }
    if plies == 0 || pos.drawn().is_some() {
        return None;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let (mut win, mut loss) = (None, Some(0));
    for m in moves {
        let mut next = *pos;
        next.play(m);
        match brute(&next, plies - 1) {
            Some(end) if end % 2 == 0 => win = Some(win.map_or(end + 1, |w: u32| w.min(end + 1))),
            end => loss = loss.zip(end).map(|(worst, end): (u32, u32)| worst.max(end + 1)),
        }
    }
    win.or(loss)
}

fn brute_force_agrees<R: Rules>(plies: u32) {
    let endings = Endings::<R>::new(3);
    let mut random = Random(5);
    let mut places = Vec::new();
    each(&endings, |pos| places.push(*pos));
    let mut ends = 0;
    for _ in 0..400 {
        let pos = places[random.below(places.len())];
        let result = endings.probe(&pos);
        let told = match result {
            Some(TablebaseResult::Win(n) | TablebaseResult::Loss(n)) => Some(n).filter(|n| *n <= plies),
            _ => None,
        };
        assert_eq!(brute(&pos, plies), told, "{}: {result:?}: {pos:?}", R::KEY);
        ends += u32::from(told.is_some());
    }
    assert!(ends > 60, "{}: {ends}", R::KEY);
}

#[test]
fn brute_force_finds_the_same_ends() {
    brute_force_agrees::<International>(4);
    brute_force_agrees::<English>(6);
    brute_force_agrees::<Russian>(4);
}

#[test]
fn known_endings() {
    let made = Endings::<International>::new(3);
    let probe = |fen| made.probe(&at(fen));
    // Two kings do not catch a third.
    assert_eq!(probe("W:WK1,K6:BK46"), Some(TablebaseResult::Draw));
    assert_eq!(probe("B:WK1,K6:BK46"), Some(TablebaseResult::Draw));
    // It is captured at once.
    assert_eq!(probe("W:WK46:BK28"), Some(TablebaseResult::Win(1)));
    assert_eq!(probe("W:W32:B23"), probe("B:W28:B19"), "both sides see the same");
    // Endings with more pieces than the tables hold are unknown.
    assert_eq!(probe("W:WK1,K6,K7:BK46"), None);
}

#[test]
fn three_kings_catch_one_that_does_not_hold_the_long_diagonal() {
    let made = Endings::<Pool>::new(4);
    assert_eq!(made.probe(&at("W:WK1,K2,K3:BK29")), Some(TablebaseResult::Draw));
    let caught = made.probe(&at("W:WK1,K2,K3:BK30"));
    assert!(matches!(caught, Some(TablebaseResult::Win(_))), "{caught:?}");
    assert!(made.size() < 10 << 20);
}

#[test]
fn counters_that_run_are_minded() {
    let made = Endings::<International>::new(3);
    let mut longest = None;
    each(&made, |pos| {
        if let Some(TablebaseResult::Win(plies)) = made.probe(pos)
            && pos.has_kings()
            && pos.plies_allowed().is_some()
            && longest.is_none_or(|(most, _)| plies > most)
        {
            longest = Some((plies, *pos));
        }
    });
    let (plies, pos) = longest.expect("a win with a count");
    assert!(plies > 4 && u32::from(pos.plies_allowed().unwrap_or(0)) >= plies);
    let late = format!("{}:E{}", pos.fen(), 11 - plies);
    assert_eq!(made.probe(&at(&late)), None, "{late}");
    let in_time = format!("{}:E{}", pos.fen(), 10 - plies);
    assert_eq!(made.probe(&at(&in_time)), Some(TablebaseResult::Win(plies)), "{in_time}");
}
