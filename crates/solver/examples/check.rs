use kernel::{Position, Side};
use locked::Locked;
use solver::certificate;
use solver::checker::{Checked, Checker};
fn main() {
    let t = std::time::Instant::now();
    let c = certificate::read(std::fs::File::open(std::env::args().nth(1).unwrap()).unwrap()).unwrap();
    let c = Checker::new(c).unwrap();
    println!("read {:?}", t.elapsed());
    let start = Locked::default();
    println!("{} {}", c.is_safe(&start, Side::Second), c.answer(&start).is_some());
    println!("{:?} {:?}", c.walk(start, 3), t.elapsed());
    println!("{:?} {:?}", c.walk(c.answer(&start).unwrap(), 3), t.elapsed());
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut checked = Checked::default();
    for _ in 0..1000 {
        c.game(start, 30, &mut random, &mut checked).unwrap();
    }
    println!("{checked:?} {:?}", t.elapsed());
    let mut checked = Checked::default();
    for _ in 0..2000 {
        let p = c.any(&mut random);
        c.look(&p, &mut checked).unwrap();
    }
    println!("{checked:?} {:?}", t.elapsed());
    let _ = start.turn();
}
