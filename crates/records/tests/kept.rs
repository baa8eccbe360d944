//! Tests of the lists of lost parts: a format must not lose a part of a record without a message, nor be said to lose
//! one that it holds.

use catalog::{Options, Setting};
use kernel::laws::Random;
use records::{Ending, Format, Ply, Record, Score, lost, read, write};

/// A short game without anything beside its moves.
fn bare(key: &str) -> Record {
    let entry = catalog::find(key).expect("a game");
    let options = entry.settle(&Options::new(), Setting::Faithful).expect("options");
    let mut game = entry.open(None, &options, None).expect("the start");
    let random = &mut Random(7);
    while game.plies() < 6 {
        let moves = game.moves();
        game.play(&moves[random.below(moves.len())]).expect("it was offered");
    }
    Record { start: None, ending: None, ..Record::of(key, &*game) }
}

type Part = (&'static str, fn(&mut Record, &str));

/// Each part of a record that a format may have no place for, put into one.
const PARTS: [Part; 10] = [
    ("players", |record, _| record.players = ["Ann Lee", "胡荣华"].map(str::to_owned)),
    ("date", |record, _| record.date = "2026-11-30".to_owned()),
    ("clock", |record, _| record.clock = "300+5".to_owned()),
    ("tags", |record, _| record.tag("Event", "World Cup")),
    ("result", |record, _| record.ending = Some(Ending { score: Score::Draw, reason: String::new() })),
    ("reason", |record, _| {
        record.ending = Some(Ending { score: Score::Draw, reason: "agreed".to_owned() });
    }),
    ("comments", |record, _| last(record).comment = "a fine move".to_owned()),
    ("times", |record, _| last(record).spent_ms = Some(2_000)),
    ("nags", |record, _| last(record).judge(3)),
    ("variations", |record, other| {
        let at = record.tree.main_line().nth(2).expect("a move");
        record.tree.add(at, Ply { text: other.to_owned(), ..Ply::default() });
    }),
];

fn last(record: &mut Record) -> &mut Ply {
    let id = record.tree.main_line().last().expect("a move");
    &mut record.tree[id]
}

/// Another move than the fourth one, where that is played.
fn other(key: &str, record: &Record) -> String {
    let entry = catalog::find(key).expect("a game");
    let options = entry.settle(&Options::new(), Setting::Faithful).expect("options");
    let mut game = entry.open(None, &options, None).expect("the start");
    let texts: Vec<&str> = record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect();
    texts[..3].iter().for_each(|text| game.play(text).expect("it was played"));
    game.moves().into_iter().find(|text| text != texts[3]).expect("another move")
}

/// The keys of all parts.
const ALL: &[&str] =
    &["players", "date", "clock", "tags", "result", "reason", "comments", "times", "nags", "variations"];

/// The parts that each format leaves out.
const LEFT_OUT: [(Format, &[&str]); 7] = [
    (Format::Sgf, &["reason", "times", "nags"]),
    (Format::Xqf, &["reason", "times", "nags"]),
    (Format::Dpxq, &["reason", "times", "nags"]),
    (Format::Psq, &["date", "clock", "tags", "result", "reason", "comments", "nags", "variations"]),
    (Format::Lib, &["players", "date", "clock", "tags", "result", "reason", "times", "nags"]),
    (Format::Pos, ALL),
    (Format::Chess, ALL),
];

#[test]
fn what_a_format_does_not_hold_is_told() {
    let mut wrong = Vec::new();
    for key in [
        "xiangqi",
        "draughts/international",
        "draughts/russian",
        "gomoku/freestyle",
        "gomoku/renju",
        "locked",
    ] {
        for format in Format::of_game(key) {
            if format.is_position() || matches!(format, Format::Rows | Format::Numbers | Format::Letters) {
                continue;
            }
            let bare = bare(key);
            let Ok(written) = write(format, &bare) else {
                wrong.push(format!("{key} {}: is not written", format.key()));
                continue;
            };
            assert_eq!(lost(format, &bare, &written), Ok(Vec::new()), "{key}, {}: bare", format.key());
            let mut left_out = Vec::new();
            for (part, put) in PARTS {
                let mut record = bare.clone();
                put(&mut record, &other(key, &bare));
                assert_ne!(record, bare, "{part}");
                match write(format, &record) {
                    // A format may refuse what it cannot say: that is told, too.
                    Err(_) => left_out.push(part),
                    Ok(written) => {
                        let mut told = lost(format, &record, &written).expect("what was written is read");
                        // Without a result there is no reason for it.
                        if part == "reason" && told == ["result"] {
                            told = vec![part];
                        }
                        let back = read(format, &written).expect("what was written is read");
                        if told.is_empty() && (&back.tree, &back.players) != (&record.tree, &record.players) {
                            wrong
                                .push(format!("{key} {}: {part} is lost, and nothing is told", format.key()));
                        }
                        if told.iter().any(|told| *told != part) {
                            wrong.push(format!("{key} {}: {told:?} for {part}", format.key()));
                        }
                        left_out.extend(told);
                    }
                }
            }
            let known =
                LEFT_OUT.iter().find(|(known, _)| *known == format).map_or(&[][..], |(_, parts)| parts);
            let missing = known.iter().filter(|part| !left_out.contains(part)).count();
            if missing > 0 || left_out.iter().any(|part| !known.contains(part)) {
                wrong.push(format!("{key} {}: leaves out {left_out:?}", format.key()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
