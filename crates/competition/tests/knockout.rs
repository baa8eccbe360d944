//! Knock-outs: would catch an entrant who is out too early or too late, and a match that is played twice or never.

use competition::Seat;
use competition::knockout::{Bracket, Form, MOST, Section, Source};

/// Plays a bracket to its end; returns the losses of each entrant, the number of matches and the champion.
fn played(bracket: &Bracket, entrants: usize, mut lot: u64) -> (Vec<usize>, usize, usize) {
    let mut winners = vec![None; bracket.matches.len()];
    let (mut losses, mut count) = (vec![0; entrants], 0);
    loop {
        let ready = bracket.ready(&winners);
        let Some(&(at, sides)) = ready.get(lot as usize % ready.len().max(1)) else { break };
        assert!(sides[0] != sides[1] && sides.iter().all(|own| *own < entrants), "{sides:?}");
        assert_eq!(bracket.champion(&winners), None);
        lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let winner = if lot >> 33 & 1 == 0 { Seat::First } else { Seat::Second };
        winners[at] = Some(winner);
        if bracket.matches[at].section != Section::Third {
            losses[sides[winner.other() as usize]] += 1;
        }
        count += 1;
    }
    (losses, count, bracket.champion(&winners).expect("a champion"))
}

#[test]
fn one_loss_or_two_put_out_and_no_more() {
    for entrants in 2..=70 {
        for lot in 0..10 {
            let (losses, count, champion) =
                played(&Bracket::new(entrants, Form::Single { third_place: false }), entrants, lot);
            assert_eq!((count, losses[champion]), (entrants - 1, 0));
            assert!((0..entrants).all(|own| own == champion || losses[own] == 1));

            let (_, count, _) =
                played(&Bracket::new(entrants, Form::Single { third_place: true }), entrants, lot);
            assert_eq!(count, if entrants > 3 { entrants } else { entrants - 1 });

            let (losses, count, champion) =
                played(&Bracket::new(entrants, Form::Double { second_final: true }), entrants, lot);
            assert!((0..entrants).all(|own| own == champion || losses[own] == 2), "{entrants}: {losses:?}");
            assert_eq!(count, 2 * entrants - 2 + losses[champion]);
            assert!(losses[champion] < 2);

            let (losses, count, champion) =
                played(&Bracket::new(entrants, Form::Double { second_final: false }), entrants, lot);
            assert_eq!(count, 2 * entrants - 2);
            let second = (0..entrants).filter(|own| *own != champion && losses[*own] == 1).count();
            assert!(
                second <= 1 && losses[champion] <= 1,
                "only who loses the final may have one loss: {losses:?}"
            );
        }
    }
    let most = Bracket::new(MOST, Form::Double { second_final: true });
    assert_eq!(most.matches.len(), 2 * MOST - 1);
    assert_eq!(Bracket::new(1, Form::Single { third_place: true }).champion(&[]), Some(0));
}

#[test]
fn seeds_stand_as_they_should() {
    let bracket = Bracket::new(8, Form::Single { third_place: false });
    let seeds: Vec<[Source; 2]> = bracket.matches[..4].iter().map(|one| one.sides).collect();
    let two = |a: usize, b: usize| [Source::Seed(a - 1), Source::Seed(b - 1)];
    assert_eq!(seeds, [two(1, 8), two(4, 5), two(2, 7), two(3, 6)]);
    // The better seed wins each match: the first two meet in the final, the first four in the semi-finals.
    for entrants in 2..=64 {
        let bracket = Bracket::new(entrants, Form::Single { third_place: false });
        let mut winners = vec![None; bracket.matches.len()];
        let mut last = [0, 0];
        for at in 0..bracket.matches.len() {
            let [Some(a), Some(b)] = bracket.sides(at, &winners) else { panic!("known") };
            winners[at] = Some(if a < b { Seat::First } else { Seat::Second });
            last = [a.min(b), a.max(b)];
        }
        assert_eq!(last, [0, 1], "{entrants}");
    }
}

#[test]
fn those_who_have_met_do_not_meet_again_at_once() {
    for entrants in [8, 16, 32] {
        let bracket = Bracket::new(entrants, Form::Double { second_final: false });
        for lot in 0..200_u64 {
            let mut winners = vec![None; bracket.matches.len()];
            let mut met = Vec::new();
            for at in 0..bracket.matches.len() {
                let [Some(a), Some(b)] = bracket.sides(at, &winners) else { panic!("known") };
                let pair = (a.min(b), a.max(b));
                let one = &bracket.matches[at];
                if one.section == Section::Lower && one.round + 1 < entrants.ilog2() as usize {
                    assert!(!met.contains(&pair), "{entrants} entrants, lot {lot}: {pair:?}");
                }
                met.push(pair);
                let lot = lot.wrapping_mul(0x9E37_79B9).wrapping_add(at as u64 * 0x85EB_CA6B) >> 7;
                winners[at] = Some(if lot & 1 == 0 { Seat::First } else { Seat::Second });
            }
        }
    }
}
