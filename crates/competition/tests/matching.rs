//! Matchings: would catch one that is not the best, or pairs that are no pairs.

use competition::matching::{Weight, best};

/// A small generator, so that a failure names its seed.
struct Lot(u64);

impl Lot {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// The largest sum of weights of any matching, found by trying all.
fn by_trying<W: Weight>(free: u32, count: usize, weight: &impl Fn(usize, usize) -> Option<W>) -> W {
    let Some(a) = (0..count).find(|a| free & 1 << a != 0) else { return W::ZERO };
    let rest = free & !(1 << a);
    let mut most = by_trying(rest, count, weight);
    for b in a + 1..count {
        if let Some(one) = weight(a, b).filter(|_| rest & 1 << b != 0) {
            most = most.max(one.plus(&by_trying(rest & !(1 << b), count, weight)));
        }
    }
    most
}

fn sum<W: Weight>(partners: &[Option<usize>], weight: &impl Fn(usize, usize) -> Option<W>, seed: u64) -> W {
    let mut sum = W::ZERO;
    for (a, b) in partners.iter().enumerate().filter_map(|(a, b)| b.map(|b| (a, b))) {
        assert_eq!(partners[b], Some(a), "seed {seed}: {partners:?}");
        if a < b {
            sum = sum.plus(&weight(a, b).unwrap_or_else(|| panic!("seed {seed}: no edge {a} {b}")));
        }
    }
    sum
}

#[test]
fn no_other_matching_weighs_more() {
    for seed in 1..6_000 {
        let mut lot = Lot(seed * 0x9E37_79B9);
        let count = 2 + lot.below(9) as usize;
        let (gaps, most) = (lot.below(8), 1 + lot.below(12));
        let table: Vec<Option<i64>> =
            (0..count * count).map(|_| (lot.below(8) >= gaps).then(|| 1 + lot.below(most) as i64)).collect();
        let weight = |a: usize, b: usize| table[a * count + b];
        let found = sum(&best(count, weight), &weight, seed);
        assert_eq!(found, by_trying((1 << count) - 1, count, &weight), "seed {seed}");
    }
}

#[test]
fn lists_of_numbers_are_compared_in_order() {
    for seed in 1..1_500 {
        let mut lot = Lot(seed * 0x0051_7CC1);
        let count = 2 + lot.below(7) as usize;
        let table: Vec<Option<[i64; 3]>> = (0..count * count)
            .map(|_| (lot.below(5) > 0).then(|| [1, lot.below(3) as i64 - 1, lot.below(50) as i64 - 25]))
            .collect();
        let weight = |a: usize, b: usize| table[a * count + b];
        let found = sum(&best(count, weight), &weight, seed);
        assert_eq!(found, by_trying((1 << count) - 1, count, &weight), "seed {seed}");
    }
}

#[test]
fn nobody_and_one_alone_have_no_partner() {
    assert_eq!(best(0, |_, _| Some(1)), []);
    assert_eq!(best(1, |_, _| Some(1)), [None]);
    assert_eq!(best(3, |_, _| None::<i64>), [None; 3]);
}
