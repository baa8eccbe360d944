//! Benchmark of the library: `measure make GAME COUNT FILE` writes a file of seeded random games, and
//! `measure ask LIBRARY GAME` times queries of positions, patterns and names that are in its games, and prints the
//! 50th, 99th and 100th percentile. `measure take LIBRARY FILE` imports the games, as `qiguan library import` does,
//! and prints the number of games a second.

use std::io::{BufReader, BufWriter, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kernel::laws::Random;
use kernel::{AnyGame, Side};
use library::{Access, ExplorerQuery, Import, Library, Query, Sort, walk};
use records::{Ending, Format, Games, Record, Score};

fn start(game: &str) -> Box<dyn AnyGame> {
    let record = Record { game: game.to_owned(), ..Record::default() };
    walk::without_maps(&record).expect("a game of the catalogue")
}

fn make(key: &str, count: u64, path: &str) {
    let format = if key.starts_with("draughts") { Format::Pdn } else { Format::Pgn };
    let mut out = BufWriter::new(std::fs::File::create(path).expect("a file to write"));
    for seed in 1..=count {
        let random = &mut Random(seed);
        let mut game = start(key);
        game.play_past_draws(true);
        let plies = 40 + random.below(60);
        while game.plies() < plies {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            // People open alike: a few moves at first, and more of them later.
            let choices = moves.len().min(2 + game.plies());
            let choice = random.below(choices).min(random.below(choices));
            game.play(&moves[choice]).expect("it was offered");
        }
        let mut record = Record { start: None, ..Record::of(key, &*game) };
        record.players = [0, 1].map(|_| format!("Player {}, Anna", random.below(5_000)));
        record.date =
            format!("20{:02}-{:02}-{:02}", random.below(26), 1 + random.below(12), 1 + random.below(28));
        record.tag("Event", &format!("Championship of {}", random.below(2_000)));
        let score = [Score::Win(Side::First), Score::Win(Side::Second), Score::Draw][random.below(3)];
        record.ending = Some(Ending { score, reason: String::new() });
        out.write_all(&records::write(format, &record).expect("a game we played")).expect("room on the disk");
        out.write_all(format.between()).expect("room on the disk");
    }
    out.flush().expect("room on the disk");
}

fn times(name: &str, mut ask: impl FnMut(u64) -> usize) {
    let mut ms = Vec::new();
    let mut found = 0;
    for seed in 1..=1_000 {
        let begun = Instant::now();
        found += ask(seed);
        ms.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    ms.sort_by(f64::total_cmp);
    println!("{name}: p50 {:.2} ms, p99 {:.2} ms, most {:.2} ms, {found} answers", ms[500], ms[990], ms[999]);
}

fn ask(path: &str, key: &str) {
    let library = Library::open(std::path::Path::new(path)).expect("a library");
    let collections: Vec<i64> = library.collections().expect("collections").iter().map(|c| c.id).collect();
    let games: u64 = library.collections().expect("collections").iter().map(|c| c.games).sum();
    println!("{games} games, {:?}", library.sizes().expect("sizes"));
    let salt = walk::salt(key, "");
    // A board of a game, at some ply; half of the plies are of openings.
    let board = |seed: u64| {
        let random = &mut Random(seed);
        let id = 1 + random.below(games as usize) as u32;
        let record = library.record(id, &walk::without_maps).expect("a game");
        let mut game = start(key);
        game.play_past_draws(true);
        let most = record.tree.plies();
        let plies = if seed.is_multiple_of(2) { random.below(8).min(most) } else { random.below(most) };
        for id in record.tree.main_line().take(plies) {
            game.play(&record.tree[id].text).expect("it was played");
        }
        game
    };
    let boards: Vec<Box<dyn AnyGame>> = (0..=1_000).map(board).collect();
    let position = |seed: u64| walk::position_key(salt, &*boards[seed as usize]);
    for turn in ["cold", "warm"] {
        times(&format!("explore ({turn})"), |seed| {
            let wish = ExplorerQuery {
                collections: collections.clone(),
                position: position(seed),
                player: String::new(),
            };
            library.explore(&wish).expect("an answer").moves.len()
        });
    }
    times("pattern of 3 pieces", |seed| {
        let random = &mut Random(seed);
        let pieces = boards[seed as usize].all_pieces();
        let pattern = (0..3).map(|_| walk::feature(salt, &pieces[random.below(pieces.len())])).collect();
        let query = Query { collections: collections.clone(), pattern, most: 20, ..Query::default() };
        library.search(&query).expect("an answer").games.len()
    });
    for sort in Sort::ALL {
        times(&format!("player, by {}", sort.key()), |seed| {
            let player = format!("player {},", seed * 4 % 5_000);
            let query =
                Query { collections: collections.clone(), player, sort, most: 20, ..Query::default() };
            library.search(&query).expect("an answer").games.len()
        });
        times(&format!("position, by {}", sort.key()), |seed| {
            let (collections, position) = (collections.clone(), Some(position(seed)));
            let query = Query { collections, position, sort, most: 20, ..Query::default() };
            library.search(&query).expect("an answer").games.len()
        });
    }
}

fn take(path: &str, file: &str) {
    let library = Library::open(std::path::Path::new(path)).expect("a library");
    let collection = library.make("measured", "", Access::Private, 0).expect("a collection").id;
    let format = if file.ends_with("pdn") { Format::Pdn } else { Format::Pgn };
    let source = BufReader::new(std::fs::File::open(file).expect("a file"));
    let stop = AtomicBool::new(false);
    let open = walk::without_maps;
    let import =
        Import { collection, name: file, print: file, open: &open, threads: 2, stop: &stop, entry: None };
    let begun = Instant::now();
    let told = library.import(&import, Games::new(format, source), &mut |_, _| ()).expect("is read");
    let seconds = begun.elapsed().as_secs_f64();
    println!("{told:?} in {seconds:.1} s, {:.0} games/s", told.read as f64 / seconds);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", game, count, file] => make(game, count.parse().expect("a number"), file),
        ["take", library, file] => take(library, file),
        ["ask", library, game] => ask(library, game),
        _ => eprintln!("measure make GAME COUNT FILE | measure take LIBRARY FILE | measure ask LIBRARY GAME"),
    }
}
