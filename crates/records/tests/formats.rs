//! The one list of formats: that every game comes back out of each of its formats, that a format refuses the games it
//! does not hold, and that the page and the docs know the same formats.

use std::fs;

use kernel::AnyGame;
use kernel::laws::Random;
use records::{Format, Record, detect, read, write};

/// A random game of that entry, with at most 40 plies and not at its start.
fn random(entry: &catalog::Entry, seed: u64) -> (catalog::Options, Box<dyn AnyGame>) {
    let options =
        entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("the usual options");
    let mut game = entry.open(entry.usual_map(), &options, None).expect("the start");
    let mut random = Random(seed);
    for _ in 0..40 {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        game.play(&moves[random.below(moves.len())]).expect("a legal move");
    }
    (options, game)
}

#[test]
fn a_random_game_comes_back_out_of_each_of_its_formats() {
    for (seed, entry) in catalog::ENTRIES.iter().enumerate() {
        let (options, game) = random(entry, seed as u64);
        let mut record = Record::of(entry.key, game.as_ref());
        record.options = options.clone();
        for format in Format::of_game(entry.key) {
            let name = format!("{} as {}", entry.key, format.key());
            let mut record = record.clone();
            if format.is_position() {
                record.start = Some(game.fen());
                record.tree = records::Tree::default();
            }
            let bytes = write(format, &record).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            assert_eq!(detect(&bytes), Some(format), "{name}: what the file looks like");
            let again = read(format, &bytes).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            if format == Format::Pos || format == Format::Lib || format == Format::Psq {
                // These say nothing of rules or openings: the stones are what comes back.
                assert_eq!(again.tree.main_line().count() > 0, record.tree.main_line().count() > 0, "{name}");
                continue;
            }
            if matches!(format, Format::Xqf | Format::Dpxq) && entry.key == "xiangqi/free" {
                // These do not tell by which rules: moves that only the home rules allow are cut off when they are
                // played.
                assert_eq!(again.tree, record.tree, "{name}");
                continue;
            }
            let start = again.start.as_deref();
            let entry = catalog::find(&again.game).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            let settled =
                entry.settle(&again.options, catalog::Setting::Faithful).expect("options that are kept");
            let opened = entry.open(entry.usual_map(), &settled, start);
            let opened = opened.unwrap_or_else(|problem| panic!("{name}: {problem}"));
            let replayed = again.replay(opened).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            assert_eq!(board(replayed.as_ref()), board(game.as_ref()), "{name}");
            if !format.is_position() {
                assert_eq!(replayed.record(), game.record(), "{name}");
            }
        }
    }
}

/// The pieces and the side to move.
fn board(game: &dyn AnyGame) -> (Vec<kernel::Piece>, kernel::Side) {
    let view = game.view();
    (view.pieces, view.turn)
}

#[test]
fn a_format_refuses_the_games_of_other_families() {
    for (seed, entry) in catalog::ENTRIES.iter().enumerate() {
        let (options, game) = random(entry, seed as u64);
        let mut record = Record::of(entry.key, game.as_ref());
        record.options = options;
        for format in Format::ALL {
            // Within a family a board or its stones may be lent: a position of Brazilian draughts as the school's rows.
            let family = entry.key.split('/').next();
            let games = format.about().games;
            if !games.is_empty() && games.iter().all(|game| game.split('/').next() != family) {
                assert!(write(format, &record).is_err(), "{} as {}", entry.key, format.key());
            }
        }
    }
}

#[test]
fn a_format_is_found_by_each_of_its_endings_and_by_no_other() {
    for format in Format::ALL {
        for ending in format.endings() {
            assert_eq!(Format::keyed(ending), Some(format), "{ending}");
            assert_eq!(Format::keyed(&ending.to_uppercase()), Some(format), "{ending} in capitals");
        }
        for game in format.about().games {
            let known =
                |entry: &catalog::Entry| entry.key == *game || entry.key.starts_with(&format!("{game}/"));
            assert!(catalog::ENTRIES.iter().any(known), "{} is of no game {game}", format.key());
        }
    }
    assert_eq!(Format::keyed("doc"), None);
}

#[test]
fn the_page_opens_the_files_that_are_read() {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/ui/Doors.svelte")).unwrap();
    let endings: Vec<String> =
        Format::ALL.into_iter().flat_map(Format::endings).map(|ending| format!(".{ending}")).collect();
    let wanted = format!("accept=\"{},text/plain\"", endings.join(","));
    assert!(page.contains(&wanted), "web/src/ui/Doors.svelte asks for other files than {wanted}");
}

#[test]
fn the_page_of_formats_has_a_true_row_for_each() {
    let docs = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md")).unwrap();
    let yes = |set: bool| if set { "yes" } else { "" };
    for format in Format::ALL {
        let about = format.about();
        let key = format!("`{}`", about.key);
        let rows: Vec<Vec<&str>> = docs
            .lines()
            .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
            .filter(|cells| cells.len() > 6 && cells[1].split(", ").any(|named| named == key))
            .collect();
        let [row] = rows.as_slice() else { panic!("docs/formats.md has {} rows of {key}", rows.len()) };
        let games = if about.games.is_empty() { "all".to_owned() } else { about.games.join(", ") };
        let wanted =
            [games.as_str(), "yes", yes(about.writes), yes(about.holds_many || format == Format::Fen)];
        assert_eq!(row[3..7], wanted, "docs/formats.md, {key}: games, read, written, several");
    }
}
