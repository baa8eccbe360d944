//! Tests of pairing. They catch forbidden pairs, and a queue in which people wait long or play opponents of a very
//! different strength.

use std::collections::{BTreeMap, BTreeSet};

use people::pairing::{Pair, Waiting, pair};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn waiting(person: &str, rating: f64) -> Waiting {
    let person = person.to_owned();
    let (lately, never) = (Vec::new(), BTreeSet::new());
    Waiting { person, rating, since_ms: 0, first_sides: 0, lately, never }
}

fn pairs(queue: &[Waiting], now_ms: u64) -> Vec<String> {
    let mut pairs: Vec<_> = pair(queue, now_ms).iter().map(|p| format!("{}-{}", p.first, p.second)).collect();
    pairs.sort();
    pairs
}

#[test]
fn the_accepted_gap_grows_with_waiting() {
    let queue = [waiting("ann", 1500.0), waiting("bob", 1900.0)];
    for (now_ms, wanted) in [(0, 100.0), (5_000, 200.0), (10_000, 300.0), (20_000, 500.0), (u64::MAX, 500.0)]
    {
        assert_eq!(queue[0].accepts(now_ms), wanted, "after {now_ms} ms");
        assert_eq!(!pair(&queue, now_ms).is_empty(), wanted >= 400.0, "after {now_ms} ms");
    }
    let met = [Waiting { lately: vec!["bob".to_owned()], ..waiting("ann", 1500.0) }, waiting("bob", 1500.0)];
    assert_eq!((pair(&met, 9_000).len(), pair(&met, 10_000).len()), (0, 1), "the same again after a while");
    let far = [waiting("ann", 1500.0), waiting("bob", 2001.0)];
    assert_eq!(pair(&far, u64::MAX), []);
}

#[test]
fn pairs_as_they_should_be() {
    let blocks = |person: &str, other: &str| Waiting {
        never: BTreeSet::from([other.to_owned()]),
        ..waiting(person, 1500.0)
    };
    let met = |person: &str, rating, other: &str| Waiting {
        lately: vec![other.to_owned()],
        ..waiting(person, rating)
    };
    let sided = |person: &str, first_sides| Waiting { first_sides, ..waiting(person, 1500.0) };
    let any = waiting;
    for (what, queue, wanted) in [
        ("nobody", vec![], vec![]),
        ("one alone", vec![any("a", 1500.0)], vec![]),
        ("the same person twice", vec![any("a", 1500.0), any("a", 1500.0)], vec![]),
        ("the closest", vec![any("a", 1500.0), any("b", 1590.0), any("c", 1595.0)], vec!["b-c"]),
        ("blocked by one", vec![blocks("a", "b"), any("b", 1500.0)], vec![]),
        ("blocked by the other", vec![any("a", 1500.0), blocks("b", "a")], vec![]),
        (
            "somebody else instead",
            vec![met("a", 1500.0, "b"), any("b", 1500.0), any("c", 1550.0)],
            vec!["a-c"],
        ),
        ("the same again, at once", vec![met("a", 1500.0, "b"), any("b", 1500.0)], vec![]),
        ("who was second is first", vec![sided("a", 1), sided("b", -1)], vec!["b-a"]),
        (
            "unequal sides",
            vec![sided("a", 3), sided("b", 3), sided("c", -3), sided("d", -3)],
            vec!["c-a", "d-b"],
        ),
        ("a rating that is no number", vec![any("a", f64::NAN), any("b", 1500.0)], vec![]),
    ] {
        assert_eq!(pairs(&queue, 0), wanted, "{what}");
        let backwards: Vec<_> = queue.into_iter().rev().collect();
        assert_eq!(pairs(&backwards, 0), wanted, "{what}, in another order");
    }
}

#[test]
fn generated_queues_keep_the_rules() {
    let mut random = SmallRng::seed_from_u64(6);
    for _ in 0..300 {
        let people = random.random_range(0..60u32);
        let queue: Vec<Waiting> = (0..people)
            .map(|i| Waiting {
                since_ms: random.random_range(0..30_000),
                first_sides: random.random_range(-3..=3),
                never: (0..3).map(|_| format!("p{}", random.random_range(0..60))).collect(),
                ..waiting(&format!("p{i}"), random.random_range(800.0..2400.0))
            })
            .collect();
        let now_ms = 30_000;
        let mut seen = BTreeSet::new();
        let by_id: BTreeMap<_, _> = queue.iter().map(|w| (w.person.as_str(), w)).collect();
        for Pair { first, second } in pair(&queue, now_ms) {
            assert!(seen.insert(first.clone()) && seen.insert(second.clone()), "in one pair only");
            let (one, other) = (by_id[first.as_str()], by_id[second.as_str()]);
            assert!(!one.never.contains(&second) && !other.never.contains(&first));
            assert!((one.rating - other.rating).abs() <= one.accepts(now_ms).max(other.accepts(now_ms)));
            assert!(one.first_sides <= other.first_sides, "who was first less often is first");
        }
    }
}

/// Simulates 200 people who play in one pool, each game 1 to 5 minutes long, and press the button again after a
/// moment: they wait little, and meet people of their strength.
#[test]
fn two_hundred_players_wait_little_and_meet_their_like() {
    const TICK_MS: u64 = 250;
    let mut random = SmallRng::seed_from_u64(200);
    // Twelve even numbers added up are as good as normal: mean 1500, standard deviation 250.
    let mut normal = || (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>() * 250.0 + 1500.0;
    let mut people: Vec<Waiting> = (0..200).map(|i| waiting(&format!("p{i:03}"), normal())).collect();
    let place: BTreeMap<String, usize> =
        people.iter().enumerate().map(|(i, w)| (w.person.clone(), i)).collect();
    // When each comes to the queue; the first time spread over a minute, as after a restart.
    let mut comes: Vec<u64> = (0..200).map(|_| random.random_range(0..60_000)).collect();
    let mut playing = vec![true; 200];
    let (mut waits, mut gaps, mut again, mut uneven) = (Vec::new(), Vec::new(), 0u32, 0i32);
    for now_ms in (0..3_600_000).step_by(usize::try_from(TICK_MS).expect("small")) {
        for i in 0..200 {
            if playing[i] && comes[i] <= now_ms {
                (playing[i], people[i].since_ms) = (false, comes[i]);
            }
        }
        let queue: Vec<Waiting> =
            people.iter().zip(&playing).filter(|(_, playing)| !**playing).map(|(w, _)| w.clone()).collect();
        for Pair { first, second } in pair(&queue, now_ms) {
            let (one, other) = (place[&first], place[&second]);
            again += u32::from(people[one].lately.contains(&second));
            gaps.push((people[one].rating - people[other].rating).abs());
            let ends = now_ms + random.random_range(60_000..300_000);
            for (i, opponent, side) in [(one, &second, 1), (other, &first, -1)] {
                waits.push(now_ms - people[i].since_ms);
                people[i].first_sides += side;
                people[i].lately = vec![opponent.clone()];
                (playing[i], comes[i]) = (true, ends + random.random_range(2_000..10_000));
            }
        }
        uneven = uneven.max(people.iter().map(|w| w.first_sides.abs()).max().unwrap_or(0));
    }
    waits.sort_unstable();
    gaps.sort_by(f64::total_cmp);
    let of = |percent: usize| (waits[waits.len() * percent / 100], gaps[gaps.len() * percent / 100]);
    println!("{} games; wait and gap p50 {:?}, p90 {:?}, p99 {:?}", gaps.len(), of(50), of(90), of(99));
    println!("{again} games with the last opponent again, sides uneven by {uneven} at most");
    assert!(of(50).0 < 2_000, "median wait {} ms", of(50).0);
    assert!(of(50).1 < 80.0, "median gap {}", of(50).1);
    assert!(of(99).0 <= 45_000, "p99 wait {} ms", of(99).0);
    assert!((again as usize) < gaps.len() / 20, "{again} of {}", gaps.len());
    assert!(uneven <= 4, "sides are uneven by {uneven}");
}
