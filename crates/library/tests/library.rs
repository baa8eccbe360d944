//! Tests of the library. They catch a search that misses or invents games, an index that disagrees with the games
//! themselves, an import that loses or doubles games, a file that takes more memory than it may.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::laws::Random;
use kernel::{AnyGame, Problem, Side};
use library::{Access, Explored, ExplorerQuery, Import, ImportProgress, Library, Query, Sort, walk};
use records::{Ending, Format, Games, Record, Score, write};

static NOBODY_STOPS: AtomicBool = AtomicBool::new(false);

fn start(game: &str) -> Box<dyn AnyGame> {
    let record = Record { game: game.to_owned(), ..Record::default() };
    walk::without_maps(&record).expect("a game of the catalogue")
}

/// Returns random games of that kind; openings are short of choices, so that games meet.
fn random_games(key: &str, count: u64) -> Vec<Record> {
    (1..=count)
        .map(|seed| {
            let random = &mut Random(seed);
            let mut game = start(key);
            game.play_past_draws(true);
            let plies = 4 + random.below(40);
            while game.plies() < plies {
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                let choices = if game.plies() < 6 { moves.len().min(2) } else { moves.len() };
                game.play(&moves[random.below(choices)]).expect("it was offered");
            }
            let mut record = Record { start: None, ..Record::of(key, &*game) };
            record.players = [format!("Ann {}", seed % 7), format!("Émile {}", seed % 5)];
            record.date = format!("20{:02}-0{}-11", seed % 30, seed % 9 + 1);
            record.tag("Event", ["Spring Cup", "秋季杯"][seed as usize % 2]);
            let score = [Score::Win(Side::First), Score::Win(Side::Second), Score::Draw][seed as usize % 3];
            record.ending = Some(Ending { score, reason: String::new() });
            record
        })
        .collect()
}

fn file(format: Format, records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend(write(format, record).expect("our own record"));
        bytes.extend(format.between());
    }
    bytes
}

fn import(
    library: &Library,
    into: i64,
    name: &str,
    format: Format,
    bytes: &[u8],
) -> (ImportProgress, Vec<(u64, u64, Problem)>) {
    let mut refused = Vec::new();
    let wish = Import {
        collection: into,
        name,
        print: name,
        open: &walk::without_maps,
        threads: 2,
        stop: &NOBODY_STOPS,
        entry: None,
    };
    let told = library
        .import(&wish, Games::new(format, bytes), &mut |_, wrong| {
            refused.extend(wrong.map(|wrong| (wrong.number, wrong.line, wrong.problem.clone())));
        })
        .expect("an import");
    (told, refused)
}

struct Opened {
    _folder: tempfile::TempDir,
    library: Library,
    into: i64,
}

fn opened() -> Opened {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::open(&folder.path().join(Library::FILE)).expect("a library");
    let into = library.make("All", "", Access::Public, 1).expect("a collection").id;
    Opened { _folder: folder, library, into }
}

/// Returns every position of a game, by key, with the first ply at which it stood, and the move played there.
fn positions(record: &Record) -> Vec<(u64, Option<String>)> {
    let mut game = start(&record.game);
    game.play_past_draws(true);
    let salt = walk::salt(&record.game, "");
    let mut all = Vec::new();
    for id in record.tree.main_line() {
        let text = record.tree[id].text.clone();
        all.push((walk::position_key(salt, &*game), Some(text.clone())));
        game.play(&text).expect("it was played");
    }
    all.push((walk::position_key(salt, &*game), None));
    all
}

#[test]
fn positions_and_moves_are_those_of_the_games() {
    for (key, format) in [
        ("draughts/international", Format::Pdn),
        ("xiangqi", Format::Pgn),
        ("gomoku/standard", Format::Json),
        ("locked", Format::Json),
    ] {
        let records = random_games(key, 120);
        let Opened { library, into, _folder } = &opened();
        // Several files, so that there are several runs, and runs are merged.
        for (at, part) in records.chunks(10).enumerate() {
            let (told, refused) = import(library, *into, &at.to_string(), format, &file(format, part));
            assert_eq!(refused, [], "{key}");
            assert_eq!((told.read, told.refused), (part.len() as u64, 0), "{key}");
        }
        assert!(library.sizes().unwrap().runs < 9, "{key}: runs are merged");
        let mut expected: BTreeMap<u64, BTreeMap<Option<String>, Vec<u32>>> = BTreeMap::new();
        let ids: Vec<u32> = library.games_after(*into, 0, 1000).unwrap();
        let stored: Vec<Record> =
            ids.iter().map(|&id| library.record(id, &walk::without_maps).unwrap()).collect();
        for (record, &id) in stored.iter().zip(&ids) {
            assert!(records.contains(record), "{key}: a game comes back as it was: {record:?}");
            for (key, play) in positions(record) {
                let games = expected.entry(key).or_default().entry(play).or_default();
                if games.last() != Some(&id) {
                    games.push(id);
                }
            }
        }
        for (at, (&position, plays)) in expected.iter().enumerate() {
            if at % 7 != 0 && plays.len() < 2 {
                continue;
            }
            let wish = ExplorerQuery { collections: vec![*into], position, player: String::new() };
            let Explored { moves, ended, .. } = library.explore(&wish).unwrap();
            let found: BTreeMap<String, u32> = moves.iter().map(|m| (m.text.clone(), m.games)).collect();
            let wanted: BTreeMap<String, u32> =
                plays.iter().filter_map(|(play, games)| Some((play.clone()?, games.len() as u32))).collect();
            assert_eq!(found, wanted, "{key}");
            assert_eq!(ended as usize, plays.get(&None).map_or(0, Vec::len), "{key}");
            for played in &moves {
                assert_eq!(played.wins[0] + played.wins[1] + played.draws, played.games, "{key}");
            }
            let mut games: Vec<u32> = plays.values().flatten().copied().collect();
            games.sort_unstable();
            games.dedup();
            let query =
                Query { collections: vec![*into], position: Some(position), most: 100, ..Query::default() };
            let page = library.search(&query).unwrap();
            assert_eq!(page.hits, Some(games.len() as u64), "{key}");
            let mut listed: Vec<u32> = page.games.iter().map(|game| game.id).collect();
            listed.reverse();
            assert!(games.ends_with(&listed), "{key}: the latest first");
            for game in &page.games {
                let all = positions(&stored[ids.iter().position(|&id| id == game.id).unwrap()]);
                let first = all.iter().position(|(key, _)| *key == position);
                assert_eq!(first, Some(game.ply as usize), "{key}: a result opens where the position stands");
            }
        }
    }
}

#[test]
fn patterns_are_pieces_that_stand_together_and_numbers_of_them() {
    for key in ["xiangqi", "draughts/russian", "gomoku/renju", "locked"] {
        let records = random_games(key, 60);
        let Opened { library, into, _folder } = &opened();
        for (at, part) in records.chunks(7).enumerate() {
            import(library, *into, &at.to_string(), Format::Json, &file(Format::Json, part));
        }
        let ids = library.games_after(*into, 0, 1000).unwrap();
        let salt = walk::salt(key, "");
        let kinds = start(key).palette();
        assert!(!kinds.is_empty() || key == "locked", "{key}: its positions cannot be set up");
        // Of each game all boards, as sets of features.
        let boards: Vec<Vec<Vec<u64>>> = ids
            .iter()
            .map(|&id| {
                let record = library.record(id, &walk::without_maps).unwrap();
                let mut game = start(key);
                game.play_past_draws(true);
                let see = |game: &dyn AnyGame| -> Vec<u64> {
                    let pieces = game.view().pieces;
                    let places = pieces.iter().map(|piece| walk::feature(salt, piece));
                    let counts = kinds.iter().filter_map(|(side, face)| {
                        let there = pieces.iter().filter(|p| p.owner == Some(*side) && p.face == *face);
                        walk::counted(salt, Some(*side), face, there.count() as u32)
                    });
                    places.chain(counts).collect()
                };
                let mut all = vec![see(&*game)];
                for move_id in record.tree.main_line() {
                    game.play(&record.tree[move_id].text).unwrap();
                    all.push(see(&*game));
                }
                all
            })
            .collect();
        let random = &mut Random(7);
        let mut found_some = 0;
        for _ in 0..150 {
            // Pieces of one board, or of two, which may never stand together.
            let one = &boards[random.below(boards.len())];
            let other = &boards[random.below(boards.len())];
            let mut pattern = Vec::new();
            for board in [one, other] {
                let board = &board[random.below(board.len())];
                for _ in 0..random.below(3) {
                    if !board.is_empty() {
                        pattern.push(board[random.below(board.len())]);
                    }
                }
            }
            if pattern.is_empty() {
                continue;
            }
            let has = |board: &Vec<u64>| pattern.iter().all(|piece| board.contains(piece));
            let expected: Vec<(u32, u32)> = ids
                .iter()
                .zip(&boards)
                .filter_map(|(&id, boards)| Some((id, boards.iter().position(has)? as u32)))
                .collect();
            let query = Query { collections: vec![*into], pattern, most: 100, ..Query::default() };
            let page = library.search(&query).unwrap();
            let mut found: Vec<(u32, u32)> = page.games.iter().map(|game| (game.id, game.ply)).collect();
            found.reverse();
            assert_eq!(found, expected, "{key}");
            found_some += usize::from(!expected.is_empty());
        }
        assert!(found_some > 20, "{key}: {found_some}");
    }
}

/// A file from before pieces were counted is brought up to date when it is opened.
#[test]
fn pieces_of_older_files_are_counted() {
    let records = random_games("xiangqi", 20);
    let Opened { library, into, _folder } = opened();
    import(&library, into, "f", Format::Json, &file(Format::Json, &records));
    let salt = walk::salt("xiangqi", "");
    let query = |count: u32| {
        let pattern = vec![walk::counted(salt, Some(Side::First), "soldier", count).expect("few")];
        Query { collections: vec![into], pattern, most: 100, ..Query::default() }
    };
    let games = |library: &Library| -> Vec<Vec<u32>> {
        let found = |count| library.search(&query(count)).expect("an answer").games;
        (3..7).map(|count| found(count).iter().map(|game| game.id).collect()).collect()
    };
    let now = games(&library);
    assert!(now[2].len() == 20 && !now[1].is_empty() && now[3].is_empty(), "{now:?}");
    drop(library);
    let path = _folder.path().join(Library::FILE);
    let file = rusqlite::Connection::open(&path).expect("opens");
    for (side, face) in start("xiangqi").palette() {
        for count in 0..=20 {
            let feature = walk::counted(salt, Some(side), &face, count).expect("few") as i64;
            file.execute("DELETE FROM spans WHERE feature = ?1", [feature]).expect("deletes");
        }
    }
    file.execute_batch("PRAGMA user_version = 1").expect("writes");
    drop(file);
    assert_eq!(games(&Library::open(&path).expect("opens")), now);
}

#[test]
fn games_are_found_by_what_is_written_about_them() {
    let records = random_games("xiangqi", 90);
    let Opened { library, into, _folder } = &opened();
    import(library, *into, "f", Format::Json, &file(Format::Json, &records));
    let all = Query { collections: vec![*into], most: 100, ..Query::default() };
    let count = |query: Query| library.search(&query).unwrap().games.len();
    let of = |f: &dyn Fn(&Record) -> bool| records.iter().filter(|record| f(record)).count();
    assert_eq!(count(all.clone()), 90);
    let named = |name: &str| Query { player: name.to_owned(), ..all.clone() };
    assert_eq!(count(named("ÉMILE 3")), of(&|r| r.players[1] == "Émile 3"));
    assert_eq!(count(named("emile 3")), of(&|r| r.players[1] == "Émile 3"), "accents do not count");
    assert_eq!(count(Query { first: "emile".into(), ..all.clone() }), 0, "nobody of that name played first");
    assert_eq!(
        count(Query { event: "spring".into(), ..all.clone() }),
        of(&|r| r.tags["Event"] == "Spring Cup")
    );
    assert_eq!(count(Query { event: "秋".into(), ..all.clone() }), of(&|r| r.tags["Event"] == "秋季杯"));
    assert_eq!(count(Query { result: Some(Score::Draw), ..all.clone() }), 30);
    let day = library::Day::read;
    let year = Query { since: Some(day("2003")), until: Some(day("2003")), ..all.clone() };
    assert_eq!(count(year), of(&|r| r.date.starts_with("2003")));
    assert_eq!(count(Query { game: "xiangqi".into(), ..all.clone() }), 90);
    assert_eq!(count(Query { game: "draughts".into(), ..all.clone() }), 0);
    assert_eq!(count(Query { collections: Vec::new(), ..all.clone() }), 0, "nothing is seen by default");
    for sort in Sort::ALL {
        let (mut after, mut seen) = (None, Vec::new());
        loop {
            let page = library.search(&Query { sort, after, most: 7, ..all.clone() }).unwrap();
            seen.extend(page.games.iter().map(|game| match sort {
                Sort::Added => (game.id, game.id),
                Sort::Day => (game.day.0, game.id),
                Sort::Rating => (0, game.id),
                Sort::Length => (game.plies, game.id),
            }));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), 90, "{sort:?}: pages join without a gap");
        assert!(seen.is_sorted_by(|a, b| a > b), "{sort:?}");
    }
}

#[test]
fn an_interrupted_import_goes_on_without_doubles() {
    let records = random_games("draughts/russian", 900);
    let bytes = file(Format::Pdn, &records);
    let Opened { library, into, _folder } = &opened();
    let stop = AtomicBool::new(false);
    let wish = Import {
        collection: *into,
        name: "f",
        print: "f",
        open: &walk::without_maps,
        threads: 2,
        stop: &stop,
        entry: None,
    };
    let told = library.import(&wish, Games::new(Format::Pdn, &bytes[..]), &mut |told, _| {
        stop.store(told.read >= 200, Ordering::Relaxed);
    });
    let first = told.unwrap();
    assert!(first.read >= 200 && first.read < 900, "{first:?}");
    stop.store(false, Ordering::Relaxed);
    let second = library.import(&wish, Games::new(Format::Pdn, &bytes[..]), &mut |_, _| {}).unwrap();
    assert_eq!((second.read, second.refused), (900, 0));
    assert_eq!(second.added + second.doubles, 900);
    // Another file with the same games brings nothing new.
    let (again, _) = import(library, *into, "g", Format::Pdn, &bytes);
    assert_eq!((again.added, again.doubles), (0, 900));
    assert_eq!(library.collections().unwrap()[0].games, second.added);
    // And the same file is not read again.
    let third = library.import(&wish, Games::new(Format::Pdn, &b"nonsense"[..]), &mut |_, _| {}).unwrap();
    assert_eq!((third.read, third.added, third.doubles), (second.read, second.added, second.doubles));
    assert_eq!(third.plies, 0, "which are those of one call");
}

#[test]
fn broken_games_are_refused_with_their_place_and_the_rest_comes_in() {
    let records = random_games("xiangqi", 40);
    let mut text = String::from_utf8(file(Format::Text, &records)).unwrap();
    // A move that no rule allows, in the middle of the file.
    let at = text.match_indices("Game: xiangqi").nth(20).unwrap().0;
    text.insert_str(at, "Game: xiangqi\n\n1. a0a9 a9a0\n\n");
    let line = text[..at].matches('\n').count() as u64 + 1;
    let Opened { library, into, _folder } = &opened();
    let (told, refused) = import(library, *into, "f", Format::Text, text.as_bytes());
    assert_eq!((told.read, told.refused), (41, 1));
    let [(number, its_line, problem)] = &refused[..] else { panic!("{refused:?}") };
    assert_eq!((*number, *its_line, problem.key), (21, line, "record-move-refused"));
    assert_eq!((problem.arg("turn"), problem.arg("by")), (Some("1"), Some("first")));
    let kept = library.refused(*into).unwrap();
    assert_eq!((kept.len(), kept[0].1), (1, 21));
}

#[test]
fn comments_variations_and_tags_come_back() {
    let mut record = random_games("draughts/international", 3).remove(2);
    let first = record.tree.main_line().next().unwrap();
    record.tree[first].comment = "<b>not markup</b>".repeat(100);
    record.tree[first].judge(1);
    let other = start(&record.game).moves().into_iter().find(|m| *m != record.tree[first].text).unwrap();
    record.tree.add(records::Tree::START, records::Ply { text: other, ..Default::default() });
    record.tag("Site", "Hardenberg");
    let Opened { library, into, _folder } = &opened();
    import(library, *into, "f", Format::Json, &file(Format::Json, &[record.clone()]));
    let id = library.games_after(*into, 0, 9).unwrap()[0];
    assert_eq!(library.record(id, &walk::without_maps).unwrap(), record);
    // A variation that the rules do not allow is refused as the main line would be.
    record.tree.add(records::Tree::START, records::Ply { text: "1-50".into(), ..Default::default() });
    record.players[0] = "Another".into();
    let (_, refused) = import(library, *into, "g", Format::Json, &file(Format::Json, &[record]));
    assert_eq!(refused[0].2.key, "record-move-refused");
}

#[test]
fn a_collection_goes_with_everything() {
    let Opened { library, into, _folder } = &opened();
    let records = random_games("gomoku/standard", 80);
    import(library, *into, "f", Format::Json, &file(Format::Json, &records));
    assert_eq!(library.make(" ALL ", "", Access::Public, 1).unwrap_err().key, "library-name-taken");
    library.remove(*into).unwrap();
    assert_eq!(library.collections().unwrap(), []);
    let sizes = library.sizes().unwrap();
    assert_eq!((sizes.entries, sizes.position_bytes, sizes.pattern_bytes), (0, 0, 0));
    assert_eq!(library.collection("All").unwrap_err().key, "library-no-collection");
}
