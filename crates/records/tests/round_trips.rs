//! Tests of round trips: random games with comments and variations, written and read back in every format.

use gomoku::{Gomoku, Rule};
use kernel::{AnyGame, Notation, Side, any, laws::Random};
use records::{Ending, Format, NodeId, Ply, Record, Score, Tree, detect, read, write};

const REMARKS: [&str; 8] = [
    "good",
    "看 [h8] 这里",
    "a } brace { and a \\ slash",
    "two\nlines",
    "]",
    "\\]",
    " spaces around ",
    "( 1. h8 )",
];

/// The formats gomoku is written in.
const GOMOKU: [Format; 3] = [Format::Json, Format::Text, Format::Sgf];

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

/// A random game, finished or not.
fn random_game(random: &mut Random) -> (String, Box<dyn AnyGame>) {
    let rule = Rule::ALL[random.below(5)];
    let (files, ranks) = (5 + random.below(8) as u8, 5 + random.below(22) as u8);
    let mut game = any(Gomoku::new(rule, files, ranks).unwrap());
    for _ in 0..random.below(60) {
        let moves = game.moves();
        if !moves.is_empty() {
            game.play(&moves[random.below(moves.len())]).unwrap();
        }
    }
    (format!("gomoku/{}", rule.key()), game)
}

/// Its record, with everything that every format keeps.
fn random_record(random: &mut Random) -> (Record, Box<dyn AnyGame>) {
    let (key, game) = random_game(random);
    let mut record = Record::of(&key, &*game);
    record.players = ["Wu \\ Xiao]", "吴清源"].map(str::to_owned);
    record.date = "2026-11-21".to_owned();
    record.clock = pick(random, &["", "300+5", "一步一分钟"]).to_owned();
    record.ending = record.ending.map(|e| Ending { reason: String::new(), ..e });
    if random.below(3) == 0 {
        let reason = pick(random, &["resign", "flag", ""]).to_owned();
        record.ending = Some(Ending { score: Score::Win(Side::Second), reason });
    }
    let mut ids: Vec<NodeId> = std::iter::once(Tree::START).chain(record.tree.main_line()).collect();
    for _ in 0..random.below(30) {
        let at = ids[random.below(ids.len())];
        match random.below(3) {
            0 => record.tree[at].comment = pick(random, &REMARKS).to_owned(),
            _ => {
                let text = pick(random, &["a1", "b3", "e5", "c4"]).to_owned();
                ids.push(record.tree.add(at, Ply { text, ..Ply::default() }));
            }
        }
    }
    (record, game)
}

/// Adds the parts that only our own formats keep.
fn add_details(record: &mut Record, random: &mut Random) {
    record.options.insert("files".to_owned(), -7);
    record.options.insert("five".to_owned(), 5);
    record.tag("Event", "Cup: the [first]");
    record.tag("Red_Team", "北京");
    let ids: Vec<NodeId> = record.tree.in_order().collect();
    for (i, id) in ids.into_iter().enumerate() {
        let opens = record.tree.before(id) == Some(Tree::START);
        let ply = &mut record.tree[id];
        ply.spent_ms = (random.below(2) == 0).then(|| random.bits() >> 40);
        (0..random.below(3)).for_each(|_| ply.judge(random.below(256) as u8));
        if i > 0 {
            ply.same_turn = !opens && random.below(3) > 0;
            ply.text = pick(
                random,
                &[
                    "u",
                    "d",
                    "l",
                    "d4",
                    "up",
                    "32-28",
                    "1,2-3,4",
                    "炮二平五",
                    "=",
                    "@",
                    "$1",
                    "1.",
                    "(x)",
                    "{",
                ],
            )
            .to_owned();
        }
    }
}

fn check(format: Format, record: &Record, seed: u64) {
    let bytes = write(format, record).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(detect(&bytes), Some(format), "seed {seed}: {text}");
    let back = read(format, &bytes).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    assert_eq!(&back, record, "seed {seed}: {text}");
    assert_eq!(write(format, &back).as_ref(), Ok(&bytes), "seed {seed}: writing again changes nothing");
}

#[test]
fn records_of_gomoku() {
    for seed in 1..=400 {
        let random = &mut Random(seed);
        let (mut record, game) = random_record(random);
        for format in GOMOKU {
            let mut kept = record.clone();
            // SGF leaves the usual start unsaid; none of these boards is the usual one, so all have a start.
            kept.start = kept.start.filter(|_| format != Format::Sgf || !is_usual(&*game));
            check(format, &kept, seed);
            let start = Gomoku::usual(rule_of(&record)).read_fen(record.start.as_ref().unwrap()).unwrap();
            let replayed = read(format, &write(format, &kept).unwrap()).unwrap().replay(any(start));
            let main_line = record.tree.main_line().count();
            match replayed {
                Ok(replayed) => assert_eq!(replayed.plies(), main_line, "seed {seed}"),
                // A random remark may have lengthened the main line with a point that is taken.
                Err(e) => assert!(main_line > game.plies(), "seed {seed}: {e}"),
            }
        }
        add_details(&mut record, random);
        check(Format::Json, &record, seed);
        check(Format::Text, &record, seed);
    }
}

fn rule_of(record: &Record) -> Rule {
    Rule::ALL.into_iter().find(|rule| record.game.ends_with(rule.key())).unwrap()
}

fn is_usual(game: &dyn AnyGame) -> bool {
    Rule::ALL.into_iter().any(|rule| game.start_fen() == Gomoku::usual(rule).fen())
}

#[test]
fn positions_set_up_in_sgf() {
    for fen in
        ["5/1b3/2w2/5/5 b", "5/1b3/2w2/5/5 w", "bbbb1/5/5/5/5/5/5 w", "wbwbw/bwbwb/wbwbb/bwbww/bbwwb w"]
    {
        let mut record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
        record.start = Some(fen.to_owned());
        check(Format::Sgf, &record, 0);
    }
}

#[test]
fn a_finished_game_is_recorded_with_its_ending() {
    let mut game = any(Gomoku::usual(Rule::Standard));
    for point in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"] {
        game.play(point).unwrap();
    }
    let record = Record::of("gomoku/standard", &*game);
    let ending = Ending { score: Score::Win(Side::First), reason: "five-in-a-row".to_owned() };
    assert_eq!(record.ending, Some(ending));
    let replayed = record.replay(any(Gomoku::usual(Rule::Standard))).unwrap();
    assert_eq!((replayed.fen(), replayed.outcome()), (game.fen(), game.outcome()));
    assert_eq!(replayed.record(), game.record());
}

/// Variations of variations ten thousand deep are read, compared, written and dropped without recursion.
#[test]
fn depth_is_free() {
    let mut record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
    let mut last = Tree::START;
    for _ in 0..20_000 {
        let ply = |text: &str| Ply { text: text.to_owned(), ..Ply::default() };
        record.tree.add(last, ply("a1"));
        last = record.tree.add(last, ply("b2"));
    }
    for format in GOMOKU {
        check(format, &record, 0);
    }
}

/// The one list of formats: every game of the catalogue is written in each of its own, and each format that is written
/// belongs to some game.
#[test]
fn games_are_saved_in_their_formats() {
    use records::Format;
    let mut listed = vec![Format::Fen];
    for entry in catalog::ENTRIES.iter() {
        let formats = Format::of_game(entry.key);
        assert_eq!(formats[..2], [Format::Json, Format::Text], "{}", entry.key);
        listed.extend(&formats);
        if entry.needs_map() {
            continue;
        }
        let options = entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).unwrap();
        let game = entry.open(None, &options, None).unwrap();
        let mut record = records::Record::of(entry.key, game.as_ref());
        record.options = options;
        for format in formats {
            let written = records::write(format, &record);
            assert!(written.is_ok(), "{}, {}: {written:?}", entry.key, format.key());
        }
    }
    for format in Format::ALL {
        assert_eq!(listed.contains(&format), format.writes(), "{}", format.key());
    }
}
