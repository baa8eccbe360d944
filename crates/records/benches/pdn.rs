//! PDN read: every move of a database played, with and without the records. Divan prints bytes a second.

use divan::counter::BytesCount;
use draughts::{Draughts, English, International, Rules, Russian};
use kernel::{any, laws::Random};
use records::pdn::Check;
use records::{Format, Games, Record, write};

fn main() {
    divan::main();
}

/// Random games of that variant as one file, tags included.
fn database<R: Rules>(games: u64) -> Vec<u8> {
    let mut file = Vec::new();
    for seed in 1..=games {
        let random = &mut Random(seed);
        let mut game = any(Draughts::<R>::start());
        while game.plies() < 120 {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            game.play(&moves[random.below(moves.len())]).expect("it was offered");
        }
        let mut record = Record::of(&format!("draughts/{}", R::KEY), &*game);
        record.players = ["Wiersma, Harm", "Sijbrands, Ton"].map(str::to_owned);
        record.date = "2026-11-21".to_owned();
        for (name, value) in
            [("Event", "FMJD World Championship"), ("Site", "Hardenberg, NED"), ("Round", "7")]
        {
            record.tag(name, value);
        }
        file.extend(write(Format::Pdn, &record).expect("a game we played"));
        file.push(b'\n');
    }
    file
}

fn check<R: Rules>(bencher: divan::Bencher) {
    let file = database::<R>(2_000);
    bencher.counter(BytesCount::new(file.len())).bench(|| {
        let games = Check::new(&file[..]).map(|game| game.expect("it was written by us").plies);
        games.sum::<usize>()
    });
}

#[divan::bench]
fn checked_international(bencher: divan::Bencher) {
    check::<International>(bencher);
}

#[divan::bench]
fn checked_english(bencher: divan::Bencher) {
    check::<English>(bencher);
}

#[divan::bench]
fn checked_russian(bencher: divan::Bencher) {
    check::<Russian>(bencher);
}

#[divan::bench]
fn records_international(bencher: divan::Bencher) {
    let file = database::<International>(2_000);
    bencher.counter(BytesCount::new(file.len())).bench(|| {
        let games =
            Games::new(Format::Pdn, &file[..]).map(|game| game.expect("it was written by us").tree.plies());
        games.sum::<usize>()
    });
}
