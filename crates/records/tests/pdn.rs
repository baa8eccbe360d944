//! PDN: files as other programs write them, databases there and back, and what is refused.

use std::collections::BTreeMap;
use std::io::Read;

use draughts::*;
use kernel::{AnyGame, Problem, Side, any, laws::Random};
use records::pdn::{Check, read};
use records::{Ending, Format, Games, NodeId, Ply, Record, Score, Tree, detect, write};

fn texts(record: &Record) -> Vec<&str> {
    record.tree.main_line().map(|id| record.tree[id].text.as_str()).collect()
}

fn good(file: &str) -> Record {
    read(file.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{file}"))
}

fn written(record: &Record) -> String {
    String::from_utf8(write(Format::Pdn, record).unwrap()).unwrap()
}

/// The end of a game of the PDN 3.0 standard's own examples, with what a recorder of clocks puts in.
const STANDARD: &str = r#"% Board game: International Draughts 10x10
[Event "FMJD World Championship"]
[Site "Hardenberg, NED"]
[Date "2007.05.19"]
[Round "7"]
[White "Mikhalchenko,I."]
[Black "Ndjofang,\"J\"."]
[Result "0-2"]
[GameType "20"]
[WhiteTime "1:36"]
[TimeControl "4800+60"]
[Termination "flag"]

{ from the standard }
 1.32-28 {[%clk 1:20:50] hm} 17-22!?  2.28x17 {[%emt 0:00:03.250]} 11x22 (11x33 $3)  3.37-32* $14 6-11 (?)
 { Meestal } { eerst } ( { om na } 3... 7-11 4. 41-37? (4. 42-37 ) 1-7 ) 4. 41-37 *
"#;

#[test]
fn a_game_as_the_standard_has_it() {
    let bad = read(STANDARD.as_bytes()).unwrap_err();
    assert_eq!((bad.key, bad.arg("line"), bad.arg("move")), ("pdn-move", Some("15"), Some("11x33")));
    let record = good(&STANDARD.replace(" (11x33 $3)", " (12x21 $3)"));
    assert_eq!(record.game, "draughts/international");
    assert_eq!(record.players, ["Mikhalchenko,I.", "Ndjofang,\"J\"."].map(str::to_owned));
    assert_eq!(record.ending, Some(Ending { score: Score::Win(Side::Second), reason: "flag".to_owned() }));
    assert_eq!(
        (record.date.as_str(), record.clock.as_str(), record.start.as_deref()),
        ("2007-05-19", "4800+60", None)
    );
    let tags: BTreeMap<String, String> = [
        ("Event", "FMJD World Championship"),
        ("Round", "7"),
        ("Site", "Hardenberg, NED"),
        ("WhiteTime", "1:36"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    assert_eq!(record.tags, tags);
    assert_eq!(texts(&record), ["32-28", "17-22", "28x17x22", "11x22x17", "37-32", "6-11", "41-37"]);
    assert_eq!(record.tree[Tree::START].comment, "from the standard");
    let plies: Vec<&Ply> = record.tree.main_line().map(|id| &record.tree[id]).collect();
    // 80 minutes and one more, less the 80:50 that the clock shows.
    assert_eq!((plies[0].spent_ms, plies[0].comment.as_str()), (Some(10_000), "[%clk 1:20:50] hm"));
    assert_eq!((&plies[1].nags[..], plies[2].spent_ms), (&[5][..], Some(3_250)));
    assert_eq!((&plies[4].nags[..], &plies[5].nags[..]), (&[7, 14][..], &[2][..]));
    assert_eq!(plies[5].comment, "Meestal\neerst");
    let sixth = record.tree.main_line().nth(4).unwrap();
    let variation = record.tree.next(sixth)[1];
    assert_eq!(
        (record.tree[variation].text.as_str(), record.tree[variation].comment.as_str()),
        ("7-11", "om na")
    );
    let deeper = record.tree.next(variation);
    assert_eq!(
        deeper.iter().map(|&id| record.tree[id].text.as_str()).collect::<Vec<_>>(),
        ["41-37", "42-37"]
    );
    assert_eq!(good(&written(&record)), record);
}

/// The restrictions of writers: tags with values only, long moves only where needed, a star at the end.
#[test]
fn written_as_the_standard_asks() {
    let mut record =
        good("[GameType \"20\"]\n[FEN \"W:WK47:B14,19,29,31,42\"]\n1. 47x36x42x29x19x31 (47x20x36) *");
    record.ending = Some(Ending { score: Score::Draw, reason: String::new() });
    let expected = "[Result \"1-1\"]\n[GameType \"20,W,10,10,N2,0\"]\n[FEN \"W:WK47:B14,19,29,31,42\"]\n\n\
                    1. 47x38x24x13x36 (1. 47x38x20x9x36) 1-1\n";
    assert_eq!(written(&record), expected);
    let english =
        good("[GameType \"21\"]\n[White \"W\"]\n[Black \"B\"]\n[Result \"1-0\"]\n1. 11-15 23-19 2. 8-11");
    // Black begins, so Black is the first player, and the first number of the result is Black's.
    assert_eq!(english.players, ["B", "W"].map(str::to_owned));
    assert_eq!(english.ending.as_ref().unwrap().score, Score::Win(Side::First));
    let expected = "[White \"W\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[GameType \"21,B,8,8,N1,0\"]\n\n1. 11-15 23-19 2. 8-11 1-0\n";
    assert_eq!(written(&english), expected);
    let russian = good("[GameType \"25\"]\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 1/2-1/2");
    assert!(
        written(&russian).ends_with("1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 1/2-1/2\n"),
        "{}",
        written(&russian)
    );
    let russian = good("[GameType \"25\"]\n[FEN \"B:Wd4:Be5,h8\"]\n1... e5:c3");
    assert_eq!((texts(&russian), russian.start.as_deref()), (vec!["15x22x18"], Some("B:W18:B4,15")));
    assert!(written(&russian).ends_with("\n\n1... e5:c3 *\n"), "{}", written(&russian));
}

#[test]
fn every_number_of_the_list() {
    for (tag, game, tag_written, first) in [
        ("20", "international", "20,W,10,10,N2,0", "32-28"),
        ("21", "english", "21,B,8,8,N1,0", "11-15"),
        ("22", "italian", "22,W,8,8,N2,1", "22-18"),
        ("23", "pool", "23,B,8,8,N1,0", "11-15"),
        ("24", "spanish", "24,W,8,8,N1,1", "11-15"),
        ("25", "russian", "25,W,8,8,A0,0", "c3-d4"),
        ("26", "brazilian", "26,W,8,8,A0,0", "c3-d4"),
        ("27", "canadian", "27,W,12,12,N2,0", "44-38"),
        ("28", "spanish", "24,W,8,8,N1,1", "11-15"),
        ("29", "czech", "29,W,8,8,A0,0", "c3-d4"),
        ("30", "turkish", "30,W,8,8,A0,0", "a3-a4"),
        ("31", "thai", "31,B,8,8,N2,0", "25-22"),
        ("40", "frisian", "40,W,10,10,N2,0", "32-28"),
        ("96", "breakthrough", "96,W,10,10,N2,0", "32-28"),
        ("97", "frysk", "97,W,10,10,N2,0", "46-41"),
        ("98", "losing", "98,W,10,10,N2,0", "32-28"),
        ("99", "international", "20,W,10,10,N2,0", "32-28"),
    ] {
        let record = good(&format!("[GameType \"{tag}\"]\n1. {first}"));
        assert_eq!(record.game, format!("draughts/{game}"), "{tag}");
        let out = written(&record);
        assert!(out.contains(&format!("[GameType \"{tag_written}\"]")), "{out}");
        assert!(out.contains(&format!("1. {first} *")), "{tag}: {out}");
        assert_eq!(good(&out), record);
    }
    for variant in ["killer", "school"] {
        let first = if variant == "killer" { "32-28" } else { "22-18" };
        let record = good(&format!("[Variant \"{variant}\"]\n1. {first}"));
        let out = written(&record);
        assert!(out.contains(&format!("[Variant \"{variant}\"]\n")) && !out.contains("GameType"), "{out}");
        assert_eq!(good(&out), record);
    }
}

/// Squares counted from another corner: by the tag, and by what makes sense where the tag is wrong.
#[test]
fn corners() {
    let machine = |file: &str| texts(&good(file)).into_iter().map(str::to_owned).collect::<Vec<_>>();
    // Spanish numbers run from the bottom right; some programs count from the top left nevertheless.
    assert_eq!(machine("[GameType \"24\"]\n1. 11-15 22-18"), ["22-18", "11-15"]);
    assert_eq!(machine("[GameType \"24\"]\n1. 22-18 11-15"), ["22-18", "11-15"]);
    assert_eq!(machine("[GameType \"24,W,8,8,N2,1\"]\n1. 22-18 11-15"), ["22-18", "11-15"]);
    // PlayOK calls its international board N1 and means N2.
    assert_eq!(machine("[GameType \"20,W,10,10,N1,0\"]\n1. 32-28 18-23"), ["32-28", "18-23"]);
    // Russian by number counts from a1.
    assert_eq!(machine("[GameType \"25\"]\n1. 10-14 22-18"), machine("[GameType \"25\"]\n1. c3-d4 d6-c5"));
    // Pool on a board in a mirror, by letters: Jamaican draughts.
    assert_eq!(machine("[GameType \"23,W,8,8,A0,0\"]\n1. f6-e5").len(), 1);
    // Squares without anything between them, of which the last has one digit here.
    assert_eq!(machine("[GameType \"24\"]\n[FEN \"W:W20:B12\"]\n1. 2024"), ["13-9"]);
    let fen = good("[GameType \"24\"]\n[FEN \"W:W1-3,K5:B30\"]\n1. 3-6");
    assert_eq!(fen.start.as_deref(), Some("W:WK28,30,31,32:B3"));
    assert_eq!(good(&written(&fen)), fen);
}

#[test]
fn results_of_both_kinds() {
    let score = |file: &str| good(file).ending.map(|e| e.score);
    for (result, expected) in [
        ("2-0", Some(Score::Win(Side::First))),
        ("1-0", Some(Score::Win(Side::First))),
        ("0-2", Some(Score::Win(Side::Second))),
        ("0-1", Some(Score::Win(Side::Second))),
        ("1-1", Some(Score::Draw)),
        ("1/2-1/2", Some(Score::Draw)),
        ("0-0", Some(Score::Void)),
        ("*", None),
        ("1 1/2 - 1/2", Some(Score::Win(Side::First))),
        ("1+ - 1-", Some(Score::Draw)),
        ("0.98-1.02", Some(Score::Win(Side::Second))),
        ("4-6", Some(Score::Win(Side::Second))),
        ("nobody knows", None),
    ] {
        assert_eq!(
            score(&format!("[Result \"{result}\"]\n[GameType \"20\"]\n1. 32-28")),
            expected,
            "{result}"
        );
    }
    for (end, expected) in [
        ("2-0", Some(Score::Win(Side::First))),
        ("1/2-1/2", Some(Score::Draw)),
        ("1-1", Some(Score::Draw)),
        ("0-0", Some(Score::Void)),
        ("*", None),
        ("", None),
    ] {
        assert_eq!(score(&format!("1. 32-28 19-23 2. 28x19 14x23 {end}")), expected, "{end}");
    }
    // A match's result stands where a move might.
    let record =
        good("[Result \"4-6\"]\n[GameType \"20\"]\n1. 32-28 18-23 4-6\n\n[Result \"2-0\"]\n1. 32-28");
    assert_eq!(texts(&record).len(), 2);
    assert_eq!(record.ending.unwrap().score, Score::Win(Side::Second));
}

/// Games without tags, without stars, without moves, or with needless tags are all counted.
#[test]
fn several_games_in_a_file() {
    let count = |file: &str| -> Vec<usize> {
        let games: Result<Vec<Record>, Problem> = Games::new(Format::Pdn, file.as_bytes()).collect();
        games.unwrap_or_else(|e| panic!("{e}: {file}")).iter().map(|r| r.tree.plies()).collect()
    };
    assert_eq!(count(""), [0; 0]);
    assert_eq!(count(" \n % only a line\n"), [0; 0]);
    assert_eq!(count("1. 32-28 * 1. 32-28 18-23 2-0 1. 34-30"), [1, 2, 1]);
    assert_eq!(count("[White \"a\"]\n\n1. 32-28\n\n[White \"b\"]\n\n1. 32-28 18-23\n"), [1, 2]);
    assert_eq!(count("[White \"a\"]\n[White \"b\"]\n*\n[White \"c\"]\n\n1. 2-0\n"), [0, 0, 0]);
    assert_eq!(
        count("[White \"a\"]\n1. 32-28 {[Event \"no\"]\n[Event \"no\"]} 18-23 *\n[White \"b\"]*"),
        [2, 0]
    );
    assert_eq!(count("\u{feff}[White \"a\"] 1. 32-28 ; a star * and [a bracket\n 18-23 *"), [2]);
    // Numbers without dots, moves without separators, 1-1 is no move and 1-10 is none of 1-1.
    assert_eq!(count("1 3228 1823 2 ... 1-1"), [2]);
    assert_eq!(count("[GameType \"20\"] [FEN \"B:W45:B5\"] 5-10* 45-40! (45-40(?)) *"), [3]);
}

/// English games mostly come without a tag that says so; once met, that is what a file holds.
#[test]
fn games_that_do_not_say_which() {
    let game = |moves: &str| good(&format!("[Event \"?\"]\n{moves}")).game;
    assert_eq!(game("1. 32-28 18-23"), "draughts/international");
    assert_eq!(game("1. 11-15 23-19 2. 8-11 22-17"), "draughts/english");
    assert_eq!(game("1. c3-d4 d6-c5 2. b2-c3"), "draughts/russian");
    let file = "[Event \"a\"]\n1. 11-15 23-19 *\n".repeat(3);
    let games: Vec<_> = Check::new(file.as_bytes()).map(|g| g.unwrap().game).collect();
    assert_eq!(games, ["draughts/english"; 3]);
}

/// Setup commands: where a game starts; later they may only repeat what stands there.
#[test]
fn positions_between_slashes() {
    let record = good("/FEN \"W:W31-50:B1-20\"/\n/FEN \"B:W28,31-36,38-50:B1-20\"/\n01... 20-25 *");
    assert_eq!(texts(&record), ["20-25"]);
    assert!(record.start.unwrap().starts_with("B:W28,31,32"));
    let repeats = "[GameType \"20\"] [FEN \"W:W32:B1\"] 1. 32-28 /FEN \"B:B1:W28\"/ 1-7 *";
    assert_eq!(texts(&good(repeats)), ["32-28", "1-7"]);
    let late = read("1. 31-26 17-21 /FEN \"B:B1-16,18-21:W26,28,33-50\"/ *".as_bytes()).unwrap_err();
    assert_eq!((late.key, late.arg("column")), ("pdn-late-setup", Some("16")));
}

/// Latin 1, which old files are in, becomes text.
#[test]
fn old_encodings() {
    let mut file = b"[White \"G\xe9rard\"]\n1. 32-28 {pr\xeat} *".to_vec();
    let record = read(&file).unwrap();
    assert_eq!(record.players[0], "Gérard");
    let first = record.tree.main_line().next().unwrap();
    assert_eq!(record.tree[first].comment, "prêt");
    file = "[White \"Жан\"]\n1. 32-28 *".as_bytes().to_vec();
    assert_eq!(read(&file).unwrap().players[0], "Жан");
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (file, key, line, column) in [
        ("", "pdn-none", "", ""),
        ("[White \"a]\n1. 32-28", "pdn-tag", "1", "1"),
        ("[White \"a\"]\n[GameType \"5\"]\n1. 32-28", "pdn-game-type", "2", "1"),
        ("[GameType \"20,W,8,8,N2,0\"]\n1. 32-28", "pdn-game-type", "1", "1"),
        ("[Variant \"crazy\"]\n1. 32-28", "pdn-game-type", "1", "1"),
        ("[GameType \"20\"]\n1. 32-28 18-23\n2. 33-29 23x40", "pdn-move", "3", "10"),
        ("[GameType \"20\"]\n1. 32-28 18-99", "pdn-move", "2", "10"),
        ("[GameType \"20\"]\n[FEN \"W:WK47:B14,19,29,31,42\"]\n1. 47x36", "pdn-ambiguous", "3", "4"),
        ("[GameType \"20\"]\n[FEN \"W:W99:B1\"]\n1. 47x36", "draughts-fen-square", "2", "1"),
        ("1. 32-28 {open", "pdn-open-comment", "1", "10"),
        ("1. 32-28 /FEN", "pdn-open-setup", "1", "10"),
        ("1. 32-28 (32-27", "pdn-open-variation", "1", "16"),
        ("( 32-28 )", "pdn-variation", "1", "1"),
        ("1. 32-28 ( ( 31-26 ) )", "pdn-variation", "1", "12"),
        ("1. 32-28 )", "pdn-close", "1", "10"),
    ] {
        let problem = read(file.as_bytes()).expect_err(file);
        let at = (problem.arg("line").unwrap_or_default(), problem.arg("column").unwrap_or_default());
        assert_eq!((problem.key, at), (key, (line, column)), "{file}");
    }
    let problem = read(b"[GameType \"20\"]\n[FEN \"W:WK47:B14,19,29,31,42\"]\n1. 47x36").unwrap_err();
    let candidates = problem.arg("candidates").unwrap();
    assert!(candidates.contains("47x38x24x13x36") && candidates.contains("47x38x20x9x36"), "{candidates}");
    let mut record = Record { game: "gomoku/standard".to_owned(), ..Record::default() };
    assert_eq!(write(Format::Pdn, &record).unwrap_err().key, "pdn-game");
    record.game = "draughts/international".to_owned();
    record.tree.add(Tree::START, Ply { text: "1-2".to_owned(), ..Ply::default() });
    assert_eq!(write(Format::Pdn, &record).unwrap_err().key, "pdn-refused");
}

/// A bad game gives a problem with the line of the file, and the next one is read.
#[test]
fn a_bad_game_does_not_spoil_the_file() {
    let one = "[Event \"a\"]\n[GameType \"20\"]\n\n1. 32-28 18-23 *\n\n";
    let bad = "[Event \"b\"]\n[GameType \"20\"]\n\n1. 32-28 18-24\n2. 1-1 {[%clk 1]\n[%clk 2]}\n*\n\n";
    let worse = "[Event \"b\n[GameType \"20\"]\n\n1. 32-28 *\n\n";
    let file = format!("{one}{bad}{one}{worse}{one}");
    let games: Vec<_> = Check::new(file.as_bytes()).collect();
    let lines: Vec<_> = games
        .iter()
        .map(|g| g.as_ref().map_or_else(|e| e.arg("line").unwrap().parse().unwrap(), |g| g.line))
        .collect();
    assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, false, true]);
    assert_eq!(lines, [1, 9, 14, 19, 24]);
}

/// A remark that is longer than a record may have is not searched for games: what stands in it is not one.
#[test]
fn what_stands_in_a_remark_is_no_game() {
    let inside = "[White \"b\"]\nx\n".repeat(2000);
    let file = format!("[White \"a\"]\n1. 32-28 {{{inside}}} *\n\n[White \"c\"]\n1. 32-28 *\n");
    let games: Vec<_> = Games::new(Format::Pdn, file.as_bytes()).collect();
    let [Err(first), Ok(second)] = &games[..] else { panic!("{games:?}") };
    assert_eq!(
        (first.key, first.arg("what"), first.arg("line")),
        ("record-limit", Some("comment"), Some("2"))
    );
    assert_eq!(second.players[0], "c");
}

/// A text that is no time stays in the remark, however large its numbers are.
#[test]
fn times_are_no_larger_than_they_can_be() {
    for (time, ms) in [
        ("[%emt 999999:59:59.999]", Some(3_600_000_000 * 1000 - 1)),
        ("[%emt 999999:1:1:1:1:1:1:1]", None),
        ("[%clk 999999:1:1:1:1:1:1:1]", None),
        ("[%emt 9999999:1]", None),
    ] {
        let record = good(&format!(
            "[GameType \"20\"]\n[TimeControl \"4294967295+4294967295\"]\n1. 32-28 {{{time}}} *"
        ));
        let ply = &record.tree[record.tree.next(Tree::START)[0]];
        assert_eq!((ply.spent_ms, ply.comment.is_empty()), (ms, ms.is_some()), "{time}");
    }
}

/// A reader that gives a few bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.min(self.0.len()).min(buffer.len());
        buffer[..size].copy_from_slice(&self.0[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

#[test]
fn blocks_may_end_anywhere() {
    let file = STANDARD.replace(" (11x33 $3)", " (12x21 $3)").repeat(3);
    let all: Vec<_> = Check::new(file.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(all.len(), 3);
    for size in [1, 7, 100, 4096] {
        let games: Vec<_> = Check::new(Drops(file.as_bytes(), size)).map(Result::unwrap).collect();
        assert_eq!(games, all, "in drops of {size}");
    }
}

/// Bytes that go on for ever.
struct Endless(u8);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        buffer.fill(self.0);
        Ok(buffer.len())
    }
}

#[test]
fn a_game_without_end_is_given_up() {
    for byte in [b'{', b' '] {
        let prefix: &[u8] = if byte == b' ' { b"[White \"a\"] {" } else { b"" };
        let mut games = Check::new(prefix.chain(Endless(byte)));
        let problem = games.next().unwrap().unwrap_err();
        assert!(
            ["record-limit", "pdn-tag", "pdn-unexpected", "pdn-variation"].contains(&problem.key),
            "{problem}"
        );
        let rest = games.take(3).count();
        assert!(rest <= 1, "{byte}");
    }
    let moves = "( 32-28 ".repeat(5_000);
    assert!(read(format!("1. 32-28 {moves}").as_bytes()).is_err());
}

const REMARKS: [&str; 6] =
    ["good", "两行\nlines", "[h8] \"quoted\" \\", "( 1. 32-28 ) * [Event \"x\"]", "$1 1-0", "%"];

/// A random game with its record: variations, remarks, times and glyphs everywhere.
fn random_record<R: Rules>(random: &mut Random) -> Record {
    let mut game = any(Draughts::<R>::start());
    for _ in 0..random.below(140) {
        let moves = game.moves();
        if !moves.is_empty() {
            game.play(&moves[random.below(moves.len())]).unwrap();
        }
    }
    let mut record = Record::of(&format!("draughts/{}", R::KEY), &*game);
    record.start = None;
    if let Some(ending) = &mut record.ending
        && random.below(2) == 0
    {
        ending.reason = String::new();
    }
    record.players = ["van der Wal, Jannes \\ \"J\"", "Дыбман"].map(str::to_owned);
    record.date = ["2026-11-21", "2026", ""][random.below(3)].to_owned();
    record.clock = ["300+5", "", "40/7200:3600"][random.below(3)].to_owned();
    record.tag("Event", "a cup");
    decorate(&mut record, any(Draughts::<R>::start()), random);
    record
}

/// Adds variations with legal moves, and something to say at random places.
fn decorate(record: &mut Record, start: Box<dyn AnyGame>, random: &mut Random) {
    let mut game = start;
    let main: Vec<NodeId> = std::iter::once(Tree::START).chain(record.tree.main_line()).collect();
    for (i, &id) in main.iter().enumerate() {
        if i > 0 {
            let text = record.tree[id].text.clone();
            game.play(&text).unwrap();
            say(&mut record.tree[id], random);
        }
        if random.below(12) == 0 && i + 1 < main.len() {
            let mut side = game.boxed_clone();
            let mut last = id;
            for _ in 0..1 + random.below(4) {
                let moves = side.moves();
                let Some(text) = moves.get(random.below(moves.len().max(1))).cloned() else { break };
                side.play(&text).unwrap();
                last = record.tree.add(last, Ply { text, ..Ply::default() });
                say(&mut record.tree[last], random);
            }
        }
    }
}

fn say(ply: &mut Ply, random: &mut Random) {
    if random.below(10) == 0 {
        ply.comment = REMARKS[random.below(REMARKS.len())].to_owned();
    }
    if random.below(10) == 0 {
        ply.judge(1 + random.below(140) as u8);
    }
    if random.below(10) == 0 {
        ply.spent_ms = Some(random.bits() >> 42);
    }
}

/// Databases of 10 000 games, or of 50 when there is little time: written, read, the same; written again, the
/// same bytes.
fn database<R: Rules>() {
    let games = if std::env::var_os("QIGUAN_DEEP").is_some() { 10_000 } else { 50 };
    let mut records = Vec::new();
    let mut file = Vec::new();
    let random = &mut Random(u64::from(R::SIDE) + R::KEY.len() as u64);
    for _ in 0..games {
        let record = random_record::<R>(random);
        file.extend(write(Format::Pdn, &record).unwrap_or_else(|e| panic!("{} {e}", R::KEY)));
        file.extend(Format::Pdn.between());
        records.push(record);
    }
    assert_eq!(detect(&file), Some(Format::Pdn), "{}", R::KEY);
    let mut again = Vec::new();
    let mut many = 0;
    for (game, record) in Games::new(Format::Pdn, &file[..]).zip(&records) {
        let game = game.unwrap_or_else(|e| panic!("{} {e}\n{}", R::KEY, written(record)));
        assert_eq!(&game, record, "{} {}", R::KEY, written(record));
        again.extend(write(Format::Pdn, &game).unwrap());
        again.extend(Format::Pdn.between());
        many += 1;
    }
    assert_eq!((many, Check::new(&file[..]).filter(Result::is_ok).count()), (games, games), "{}", R::KEY);
    assert!(again == file, "{}: writing again changes nothing", R::KEY);
}

macro_rules! databases {
    ($($rules:ident)*) => {
        /// A test for each variant.
        #[allow(non_snake_case)]
        mod databases {
            $(
                #[test]
                fn $rules() {
                    super::database::<draughts::$rules>();
                }
            )*
        }
    };
}

draughts::for_each_variant!(databases);

/// Names in old Russian files, in Windows-1251 and its like, are read correctly, and the guess is reported. Latin
/// names stay Latin.
#[test]
fn other_alphabets_are_recognised() {
    let file = "[Event \"Чемпионат России\"]\n[White \"Шварцман А.\"]\n[Black \"Гетманский А.\"]\n[Result \"1-0\"]\n\
                [GameType \"25\"]\n\n1. c3-d4 {хороший ход} d6-c5 *\n";
    for encoding in [encoding_rs::WINDOWS_1251, encoding_rs::KOI8_R, encoding_rs::IBM866, encoding_rs::UTF_8]
    {
        let bytes = match encoding.name() {
            // The crate only reads this one.
            "IBM866" => {
                let letter = |c: char| match u32::from(c) {
                    n @ 0x410..=0x43F => (n - 0x410 + 0x80) as u8,
                    n @ 0x440..=0x44F => (n - 0x440 + 0xE0) as u8,
                    n => n as u8,
                };
                file.chars().map(letter).collect()
            }
            _ => encoding.encode(file).0.into_owned(),
        };
        assert_eq!(detect(&bytes), Some(Format::Pdn), "{}", encoding.name());
        let mut games = Games::new(Format::Pdn, &bytes[..]);
        let record = games.next().unwrap().unwrap();
        assert_eq!(record.players, ["Шварцман А.", "Гетманский А."], "{}", encoding.name());
        assert_eq!(record.tree[record.tree.main_line().next().unwrap()].comment, "хороший ход");
        // The Ukrainian table has all of the Russian one.
        let name = if encoding == encoding_rs::KOI8_R { "KOI8-U" } else { encoding.name() };
        let guessed = (encoding != encoding_rs::UTF_8).then_some(name);
        assert_eq!(games.guessed(), guessed);
    }
    let latin =
        b"[White \"Wiersma, J\xf6rg\"]\n[Black \"Andr\xe9 Ch\xe2telain\"]\n[GameType \"20\"]\n\n1. 32-28 *\n";
    let mut games = Games::new(Format::Pdn, &latin[..]);
    assert_eq!(games.next().unwrap().unwrap().players, ["Wiersma, Jörg", "André Châtelain"]);
    assert_eq!(games.guessed(), None);
    // The first sign beyond ASCII may come late.
    let plain = "[White \"a\"]\n[GameType \"20\"]\n\n1. 32-28 17-21 *\n\n".repeat(8_000).into_bytes();
    let late = [&plain[..], &encoding_rs::WINDOWS_1251.encode(file).0[..]].concat();
    let last = Games::new(Format::Pdn, &late[..]).last().unwrap().unwrap();
    assert_eq!(last.players[0], "Шварцман А.");
}

/// A fault drops the moves behind it and is reported; a fault in a variation drops the variation.
#[test]
fn what_comes_before_a_slip_is_kept() {
    let head = |white: &str| format!("[White \"{white}\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n");
    let file = [
        head("a"),
        "1. 32-28 17-22 2. 28x17 11x33 3. 37-32 {[%emt 0:00:01]} (no) 2-0\n\n".to_owned(),
        head("b"),
        "1. 32-28 17-22 2. 28x17 11x22 (11x33 {x (} 3. 37-32 (3. 38-32) 1-6) 3. 37-32 *\n\n".to_owned(),
        head("c"),
        "1. 32-28 -- 17-22 *\n\n".to_owned(),
        head("d"),
        "1. 1-50 *\n\n".to_owned(),
        head("e"),
        "1. 32-28 17-21 2-0\n".to_owned(),
    ]
    .concat();
    let mut games = Games::new(Format::Pdn, file.as_bytes()).keeping();
    let mut next = || {
        let game = games.next().unwrap();
        (game, games.fault())
    };
    let (first, fault) = next();
    let (first, fault) = (first.unwrap(), fault.unwrap());
    assert_eq!(texts(&first), ["32-28", "17-22", "28x17x22"]);
    assert_eq!(first.ending.unwrap().score, Score::Win(Side::First));
    assert_eq!((fault.key, fault.arg("move"), fault.arg("line")), ("pdn-move", Some("11x33"), Some("5")));
    let (second, fault) = next();
    assert_eq!(texts(&second.unwrap()).len(), 5, "the game goes on behind the variation");
    assert_eq!(fault.unwrap().arg("line"), Some("11"));
    let (third, fault) = next();
    assert_eq!((texts(&third.unwrap()).len(), fault.is_some()), (1, true));
    assert_eq!(next().0.unwrap_err().key, "pdn-move", "of a game without any move nothing is left");
    let (fifth, fault) = next();
    assert_eq!((texts(&fifth.unwrap()).len(), fault), (2, None));
    assert_eq!(
        Games::new(Format::Pdn, file.as_bytes()).filter(Result::is_err).count(),
        4,
        "unless nobody asks"
    );
}

/// Variants as lidraughts and pydraughts call them.
#[test]
fn variants_have_other_names() {
    for (tags, game) in [
        ("[Variant \"Standard\"]", "draughts/international"),
        ("[Variant \"standard\"]\n[GameType \"20\"]", "draughts/international"),
        ("[Variant \"From Position\"]", "draughts/international"),
        ("[Variant \"House rules\"]\n[GameType \"40\"]", "draughts/frisian"),
    ] {
        let file = format!("{tags}\n\n1. 32-28 *\n");
        assert_eq!(detect(file.as_bytes()).unwrap(), Format::Pdn, "{tags}");
        assert_eq!(good(&file).game, game, "{tags}");
    }
    assert_eq!(good("[Variant \"Antidraughts\"]\n\n*\n").game, "draughts/losing");
    assert_eq!(read(b"[Variant \"Ludo\"]\n\n1. 32-28 *\n").unwrap_err().key, "pdn-game-type");
}

/// A resigned game is written with its end behind the moves, too, and reads back the same.
#[test]
fn a_resigned_game_comes_back_finished() {
    let mut record = good("[GameType \"20\"]\n\n1. 32-28 17-22 *\n");
    for (score, word) in [
        (Score::Win(Side::Second), "0-2"),
        (Score::Win(Side::First), "2-0"),
        (Score::Draw, "1-1"),
        (Score::Void, "0-0"),
    ] {
        record.ending = Some(Ending { score, reason: "resignation".to_owned() });
        let text = written(&record);
        assert!(text.ends_with(&format!(" 17-22 {word}\n")), "{text}");
        assert_eq!(good(&text).ending, record.ending);
        // A reader of the moves alone finds the result, too.
        let moves = text.rsplit("\n\n").next().unwrap();
        assert_eq!(good(&format!("[GameType \"20\"]\n\n{moves}")).ending.unwrap().score, score);
    }
    record.ending = None;
    assert!(written(&record).ends_with(" 17-22 *\n"));
}

/// Each number is written once, because pydraughts takes a number that occurs twice out of the text everywhere: `1.`
/// out of `11.`, too.
#[test]
fn each_number_is_told_once() {
    let mut record = good("[GameType \"20\"]\n\n1. 32-28 (1. 33-28 17-22) 17-22 (17-21) 2. 28x17 11x22 *\n");
    let plies: Vec<NodeId> = record.tree.main_line().collect();
    for (i, &id) in plies.iter().enumerate() {
        record.tree[id].spent_ms = Some(1_500 * i as u64 + 12_000);
    }
    let text = written(&record);
    let main: String = text.split("\n\n").nth(1).unwrap().to_owned();
    let outside: Vec<&str> = main.split(['(', ')']).step_by(2).collect();
    let outside = outside.concat();
    for number in ["1.", "2."] {
        let numbers = outside.split_whitespace().filter(|word| word.starts_with(number));
        assert_eq!(numbers.count(), 1, "{text}");
    }
    assert_eq!(good(&text).tree, record.tree);
}

/// Any sign between the squares is punctuation, and a word that is no move costs only itself.
#[test]
fn moves_of_every_dialect_are_read() {
    let tag = "[GameType \"20\"]\n";
    for (moves, expected) in [
        ("1. 32x28 19-23 2. 28-19 14:23", &["32-28", "19-23", "28x19x23", "14x23x19"][..]),
        (
            "1. 32- 28 18-23 2. 38 - 32 12-18 3. 31-27 07-12 4. 43-38 1- 7",
            &["32-28", "18-23", "38-32", "12-18", "31-27", "7-12", "43-38", "1-7"],
        ),
        ("1. 32–28 19−23 2. 28×19 14×23", &["32-28", "19-23", "28x19x23", "14x23x19"]),
        ("1. 32-28 19-23 2. 28*19 14x23*", &["32-28", "19-23", "28x19x23", "14x23x19"]),
        ("1. 32.28 18.23 2. 38-32", &["32-28", "18-23", "38-32"]),
        ("32 28 18 23", &["32-28", "18-23"]),
        ("1 32-28 18-23 2 38-32", &["32-28", "18-23", "38-32"]),
        ("1. 32-28 $902 18-23 {a {b} c} 2. 38-32 (better) + White wins", &["32-28", "18-23", "38-32"]),
        ("1. 32-28 [good] 18-23 <!> ~", &["32-28", "18-23"]),
        ("1. 32-28 18-23Black is short of time", &["32-28", "18-23"]),
    ] {
        let record = read(format!("{tag}{moves} *").as_bytes()).unwrap_or_else(|e| panic!("{e}: {moves}"));
        assert_eq!(texts(&record), expected, "{moves}");
    }
    let short = good("[GameType \"25\"]\n1. cd4 fg5 2. gf4 *");
    assert_eq!(texts(&short).len(), 3);
    let zeros = good("[GameType \"20,W,0,0,N,0\"]\n[FEN \"White:W32:B1\"]\n1. 32-28 *");
    assert_eq!(texts(&zeros), ["32-28"]);
    let remark = good("[GameType \"20\"]\n1. 32-28 {a {b} c} *");
    assert_eq!(remark.tree[remark.tree.main_line().next().unwrap()].comment, "a {b} c");
    // A square on the way that only one capture has.
    let stop = good("[GameType \"20\"]\n[FEN \"W:W47:B13,22,33,41,42\"]\n1. 47x38 *");
    assert_eq!(texts(&stop).len(), 1);
}

/// The first number of a result is that of the side that begins; a file whose decided games say otherwise is read so.
#[test]
fn results_are_told_by_who_begins() {
    let english = |result: &str, moves: &str| {
        format!(
            "[Black \"a\"]\n[White \"b\"]\n[Result \"{result}\"]\n[GameType \"21\"]\n\n{moves} {result}\n\n"
        )
    };
    let record = good(&english("1-0", "1. 11-15 21-17 2. 9-13 25-21"));
    assert_eq!(record.players, ["a", "b"]);
    assert_eq!(record.ending.unwrap().score, Score::Win(Side::First));
    // Black takes the last white man, so Black has won; this file has White's points first.
    let game = "[Black \"a\"]\n[Result \"0-1\"]\n[GameType \"21\"]\n[FEN \"B:W18:B15\"]\n\n1. 15x22 0-1\n\n";
    let other = english("0-1", "1. 11-15 21-17");
    let file = format!("{game}{other}");
    let mut games = Games::new(Format::Pdn, file.as_bytes());
    let first = games.next().unwrap().unwrap();
    assert_eq!(first.ending.unwrap().score, Score::Win(Side::First), "{file}");
    assert_eq!(games.notes().iter().map(|note| note.key).collect::<Vec<_>>(), ["pdn-results-turned"]);
    assert_eq!(games.next().unwrap().unwrap().ending.unwrap().score, Score::Win(Side::First));
    // Where one agrees, the file is as the standard says, and the strange game is told.
    let right = game.replace("0-1", "1-0");
    let file = format!("{right}{game}");
    let mut games = Games::new(Format::Pdn, file.as_bytes());
    assert_eq!(games.next().unwrap().unwrap().ending.unwrap().score, Score::Win(Side::First));
    assert!(games.doubt().is_none());
    assert_eq!(games.next().unwrap().unwrap().ending.unwrap().score, Score::Win(Side::Second));
    assert_eq!(games.doubt().unwrap().key, "record-result-doubted");
}

/// The user's choice of the game goes before the tags, and the tags before the majority of the file.
#[test]
fn the_game_of_a_file() {
    let problems = "[FEN \"W:WK27,K23:BK28,12.\"]\n[Result \"0-1\"]\n0-1\n\n".repeat(3);
    let mut games = Games::new(Format::Pdn, problems.as_bytes()).of("draughts/italian");
    assert_eq!(games.next().unwrap().unwrap().game, "draughts/italian");
    assert!(games.notes().is_empty());
    let mut games = Games::new(Format::Pdn, problems.as_bytes());
    let record = games.next().unwrap().unwrap();
    assert_eq!(record.game, "draughts/english", "no square is beyond 32");
    assert_eq!(record.ending.unwrap().score, Score::Win(Side::Second));
    assert_eq!(games.notes()[0].key, "record-game-guessed");
    let large = problems.replace("12.", "45.");
    assert_eq!(
        Games::new(Format::Pdn, large.as_bytes()).next().unwrap().unwrap().game,
        "draughts/international"
    );
}

/// Squares of a FEN have letters where moves have them; numbers run from the top left, as everywhere.
#[test]
fn positions_have_one_numbering() {
    let record = good("[GameType \"25,W,8,8,A0,0\"]\n[FEN \"W:We7:Bb6,b8,Ka1\"]\n1. e7-f8 *");
    assert_eq!(record.start.as_deref(), Some("W:W7:B1,9,K29"));
    let text = written(&record);
    assert!(text.contains("[FEN \"W:We7:Bb8,b6,Ka1\"]"), "{text}");
    assert_eq!(good(&text), record);
    let numbers = good("[GameType \"25\"]\n[FEN \"W:W7:B1,9,K29\"]\n1. e7-f8 *");
    assert_eq!(numbers.start, record.start);
    // A man on its last row has become a king; nothing else could stand there.
    let crowned = good("[GameType \"25,W,8,8,A0,0\"]\n[FEN \"W:We7:Bb6,b8,a1\"]\n1. e7-f8 *");
    assert_eq!(crowned.start, record.start);
}
