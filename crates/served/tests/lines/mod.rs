//! The rules of several lines (MultiPV) through each protocol, with our own engine: as many lines as are wanted, or
//! as there are moves, each beginning with another move, sorted by value, all sent after the last change, the first
//! with the move that is played.

use std::collections::BTreeSet;
use std::path::PathBuf;

use external::dialect;
use protocol::ucci;
use protocol::uci::{Bound, FromEngine, Info, Score};

use super::*;

/// The number of positions of each game.
const POSITIONS: usize = 50;
/// The number of lines asked for.
const WANTED: usize = 4;

/// A conversation with our engine.
struct Native {
    to: Sender<Vec<u8>>,
    from: Receiver<String>,
}

impl Native {
    fn begin(protocol: Protocol, rules: &Ruleset) -> Native {
        let (to, input) = channel();
        let (output, from) = channel();
        let setup = Setup::native(rules.clone(), 1);
        thread::spawn(move || {
            serve(protocol, setup, Input(input, Vec::new()), Output(output, String::new())).unwrap().unwrap();
        });
        Native { to, from }
    }

    fn say(&self, line: &str) {
        self.to.send(format!("{line}\n").into_bytes()).unwrap();
    }

    /// Returns the lines received up to one with that beginning.
    fn until(&self, wanted: &str) -> Vec<String> {
        let mut heard = Vec::new();
        while heard.last().is_none_or(|line: &String| !line.starts_with(wanted)) {
            heard.push(self.from.recv_timeout(Duration::from_secs(60)).expect("an answer"));
        }
        heard
    }
}

fn rules(key: &str) -> Ruleset {
    let map: PathBuf = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx").into();
    match catalog::find(key).expect("a game of the catalogue").needs_map() {
        true => Ruleset::of_map(&map, &catalog::Options::new()).expect("a good map"),
        false => Ruleset::new(key, &catalog::Options::new()).expect("usual options"),
    }
}

/// Returns random games, each a ply longer than the one before; games that are over are left out.
fn positions(rules: &Ruleset) -> Vec<Vec<String>> {
    let mut random = 52_u64;
    let mut found = Vec::new();
    for plies in (3..).take(POSITIONS) {
        let mut game = rules.past_draws().open(None).expect("the usual start");
        for _ in 0..plies {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves = game.moves();
            let Some(text) = moves.get((random >> 33) as usize % moves.len().max(1)) else { break };
            game.play(text).expect("is legal");
        }
        if game.outcome().is_none() {
            found.push(game.record());
        }
    }
    assert!(found.len() * 2 > POSITIONS, "{}: {} positions", rules.key, found.len());
    found
}

/// Returns the score in hundredths; a mate counts more than any other score.
fn worth(line: &Info) -> i64 {
    match line.score.expect("a score") {
        Score::Hundredths(n) => n,
        Score::Mate(n) => n.signum() * (1_000_000 - n.abs()),
    }
}

/// Checks the lines that were sent last; `moves`: the number of legal moves.
fn check(what: &str, told: &[Info], best: &str, moves: usize) {
    let last = |number: u32| told.iter().rev().find(|line| line.multipv.unwrap_or(1) == number);
    let lines: Vec<&Info> = (1..=WANTED as u32).map_while(last).collect();
    assert!(lines.len() >= WANTED.min(moves), "{what}: {} lines of {moves} moves", lines.len());
    assert!(lines.iter().all(|line| line.bound == Bound::Exact), "{what}: a line is no more than bounded");
    assert_eq!(lines[0].pv[0], best, "{what}: the first line is not what is played");
    // A line of locked chess begins with a turn of five steps.
    let turn = if what.starts_with("locked") { 5 } else { 1 };
    let firsts: BTreeSet<&[String]> = lines.iter().map(|line| &line.pv[..turn.min(line.pv.len())]).collect();
    assert_eq!(firsts.len(), lines.len(), "{what}: a move twice: {lines:#?}");
    assert!(lines.is_sorted_by_key(|line| -worth(line)), "{what}: not in order: {lines:#?}");
}

/// The rules hold for every family in UCI, and for xiangqi in UCCI as well.
#[test]
fn lines_are_told_by_the_law_in_uci_and_ucci() {
    for (protocol, key) in [
        (Protocol::Uci, "xiangqi"),
        (Protocol::Ucci, "xiangqi"),
        (Protocol::Uci, "draughts/international"),
        (Protocol::Uci, "draughts/russian"),
        (Protocol::Uci, "gomoku/freestyle"),
        (Protocol::Uci, "gomoku/renju"),
        (Protocol::Uci, "locked"),
        (Protocol::Uci, "jingbanqi"),
    ] {
        let rules = rules(key);
        let session = Native::begin(protocol, &rules);
        let is_uci = protocol == Protocol::Uci;
        session.say(&format!(
            "setoption {}MultiPV {}{WANTED}",
            if is_uci { "name " } else { "" },
            if is_uci { "value " } else { "" }
        ));
        for (number, record) in positions(&rules).into_iter().enumerate() {
            session.say(&format!("position startpos moves {}", record.join(" ")));
            session.say(&format!("go nodes {}", 300 + 90 * number));
            let mut told = Vec::new();
            let mut best = String::new();
            for line in session.until("bestmove") {
                let read = match is_uci {
                    true => match FromEngine::read(&line) {
                        Ok(Some(FromEngine::Info(info))) => Ok(info),
                        Ok(Some(FromEngine::BestMove { best, .. })) => Err(best.expect("a move")),
                        other => panic!("{line}: {other:?}"),
                    },
                    false => match ucci::FromEngine::read(&line) {
                        Ok(Some(ucci::FromEngine::Info(info))) => Ok(info),
                        Ok(Some(ucci::FromEngine::BestMove(found))) => Err(found.best),
                        other => panic!("{line}: {other:?}"),
                    },
                };
                match read {
                    Ok(info) => told.push(info),
                    Err(found) => best = found,
                }
            }
            let game = rules.past_draws().play(None, &record).expect("was played before");
            // Amid a turn of locked chess several moves may come to the same.
            let moves =
                if key == "locked" && !record.len().is_multiple_of(5) { 1 } else { game.moves().len() };
            check(&format!("{key} by {}, position {number}", protocol.key()), &told, &best, moves);
        }
    }
}

/// Hub and Gomocup's protocol send one line, the best: the last one begins with the move that is played.
#[test]
fn the_line_told_last_is_played_in_hub_and_gomocup() {
    const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
    let draughts = rules("draughts/international");
    let session = Native::begin(Protocol::Hub, &draughts);
    for (number, record) in positions(&draughts).into_iter().enumerate() {
        session.say(&format!("pos pos={START} moves=\"{}\"", record.join(" ")));
        session.say(&format!("level nodes={}", 300 + 90 * number));
        session.say("go think");
        let heard = session.until("done");
        let [.., info, done] = heard.as_slice() else { panic!("{number}: {heard:?}") };
        let best = done.split(' ').find_map(|word| word.strip_prefix("move=")).expect("a move");
        let line = info.split_once("pv=").expect("a line").1.trim_matches('"');
        assert_eq!(line.split(' ').next(), Some(best), "{number}: {heard:#?}");
    }
    let gomoku = rules("gomoku/freestyle");
    let session = Native::begin(Protocol::Gomocup, &gomoku);
    session.say("START 20");
    session.until("OK");
    for (number, record) in positions(&gomoku).into_iter().enumerate() {
        session.say(&format!("INFO max_node {}", 300 + 90 * number));
        session.say("YXBOARD");
        let game = gomoku.play(None, &record).expect("was played before");
        for (ply, text) in record.iter().enumerate() {
            let at = dialect::point(&game.board(), text).expect("a point");
            session.say(&format!(
                "{},{},{}",
                at.x,
                at.y,
                if (record.len() - ply).is_multiple_of(2) { 1 } else { 2 }
            ));
        }
        session.say("DONE");
        session.say(&format!("YXNBEST {WANTED}"));
        let mut heard = Vec::new();
        loop {
            let line = session.from.recv_timeout(Duration::from_secs(60)).expect("an answer");
            if !line.starts_with("MESSAGE") {
                heard.push(line);
                break;
            }
            heard.push(line);
        }
        let (best, told) = heard.split_last().expect("an answer");
        let firsts: Vec<String> = told
            .iter()
            .filter_map(|line| line.split_once(" pv ")?.1.split(' ').next().map(str::to_owned))
            .filter_map(|name| dialect::point(&game.board(), &name))
            .map(|at| at.text())
            .collect();
        let last = &firsts[firsts.len() - WANTED.min(firsts.len())..];
        assert_eq!(last.first(), Some(best), "{number}: {heard:#?}");
        assert_eq!(last.iter().collect::<BTreeSet<_>>().len(), last.len(), "{number}: {heard:#?}");
    }
}
