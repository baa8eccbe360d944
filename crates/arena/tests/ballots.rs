//! The tables that draughts federations draw openings from: what would break a match or a table that begins with one, such as
//! a move that our rules refuse, a position that comes twice, an opening that is missing.

use std::collections::BTreeSet;
use std::path::Path;

use arena::{Opening, Suite};
use catalog::Ruleset;

/// The federations' tables of draughts: as many openings as they count, all of them legal by our rules, no position
/// twice, and those that are barred or left out are named.
#[test]
fn the_tables_of_draughts_are_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openings");
    for (file, game, count, named) in [
        ("draughts-english-3-move.txt", "draughts/english", 156, 18),
        ("draughts-english-11-man.txt", "draughts/english", 2_400, 0),
        ("draughts-russian.txt", "draughts/russian", 742, 3),
        ("draughts-russian-basic.txt", "draughts/russian", 149, 1),
        ("draughts-brazilian.txt", "draughts/brazilian", 734, 2),
    ] {
        let rules = Ruleset::new(game, &catalog::Options::new()).expect("a game");
        let suite = Suite::read(&folder.join(file), &rules).expect(file);
        assert_eq!(suite.count(), count, "{file}");
        let positions: BTreeSet<u64> = (0..count)
            .map(|pair| {
                let Opening { start, moves, .. } = suite.opening(pair);
                rules.play(start.as_deref(), moves).expect("it was read").key()
            })
            .collect();
        assert_eq!(positions.len(), count, "{file}: no position twice");
        let text = std::fs::read_to_string(folder.join(file)).expect("it was read");
        let left = text.lines().filter_map(|line| line.strip_prefix("# ")).filter(|line| {
            let (head, _) = line.split_once(':').unwrap_or_default();
            head.starts_with("barred ")
                || head.split('-').all(|part| part.chars().all(char::is_alphanumeric))
                    && head.starts_with(|c: char| c.is_ascii_digit())
        });
        assert_eq!(left.count(), named, "{file}: what is left out is named");
    }
}

/// Leaves out of the 174 openings of three moves those that are barred: they are legal, and lose.
#[test]
fn barred_openings_are_legal_and_none_of_the_others() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openings/draughts-english-3-move.txt");
    let text = std::fs::read_to_string(file).expect("a file");
    let rules = Ruleset::new("draughts/english", &catalog::Options::new()).expect("a game");
    let barred: String = text
        .lines()
        .filter_map(|line| line.strip_prefix("# barred ")?.split_once(": "))
        .map(|(_, moves)| format!("{}\n", moves.split(" (").next().unwrap_or_default()))
        .collect();
    let all = Suite::parse(&format!("{text}\n{barred}"), &rules).expect("legal");
    let key = |pair| rules.play(None, &all.opening(pair).moves).expect("it was read").key();
    let positions: BTreeSet<u64> = (0..174).map(key).collect();
    assert_eq!((all.count(), positions.len()), (174, 174));
}

/// A table draws from the same openings as a match: each can be drawn, begins the game, and is told.
#[test]
fn every_opening_of_a_deck_can_be_drawn() {
    use catalog::draws::{DRAW, DRAWN, LEG, draw, draw_next, told};
    use catalog::{Options, Setting};
    for (game, deck, count) in [
        ("draughts/english", 1, 156),
        ("draughts/english", 2, 2_400),
        ("draughts/russian", 1, 149),
        ("draughts/russian", 2, 742),
        ("draughts/brazilian", 1, 734),
    ] {
        let entry = catalog::find(game).expect("a game");
        let wish = Options::from([(DRAW.to_owned(), deck)]);
        let usual = entry.settle(&Options::new(), Setting::Online).expect("settles");
        assert!(usual.is_empty(), "who draws nothing plays by the usual options: {usual:?}");
        let open = entry.settle(&wish, Setting::Online).expect("settles");
        let with = |number: i64| {
            let mut options = open.clone();
            options.insert(DRAWN.to_owned(), number);
            options
        };
        let mut met = BTreeSet::new();
        for number in 1..=count {
            let begun = entry.open(None, &with(number), None).expect("it is legal");
            assert!(met.insert(begun.key()) && begun.plies() == 0, "{game} {deck} {number}");
            assert!(told(game, &with(number)).is_some_and(|told| !told.is_empty()), "{game} {deck} {number}");
        }
        let refused = entry.open(None, &with(count + 1), None).err().map(|problem| problem.key);
        assert_eq!(refused, Some("option-out-of-range"));
        // The smallest chance draws the first and the largest the last; a third of all chances, a third of them.
        let drawn = |chance| {
            let mut options = open.clone();
            draw(game, &mut options, chance);
            options[DRAWN]
        };
        assert_eq!((drawn(0), drawn(u64::MAX)), (1, count));
        assert_eq!(drawn(u64::MAX / 3), (count - 1) / 3 + 1);
        // A pair has one opening, the next one another.
        let mut options = with(1);
        draw_next(game, &mut options, u64::MAX);
        assert_eq!((options[DRAWN], options[LEG]), (1, 2));
        draw_next(game, &mut options, u64::MAX);
        assert_eq!((options[DRAWN], options[LEG]), (count, 1));
    }
    let chinese = catalog::find("xiangqi").expect("a game");
    let wish = Options::from([(DRAW.to_owned(), 1)]);
    let refused = chinese.settle(&wish, Setting::Online).err().map(|problem| problem.key);
    assert_eq!(refused, Some("unknown-option"));
}

#[test]
fn a_line_may_begin_with_a_position() {
    let rules = Ruleset::new("draughts/english", &catalog::Options::new()).expect("a game");
    let text = "game: draughts/english\n9-13 21-17\n\"B:W21-27,29-32:B1-11\" 8-12 24-19\n\"B:W32:B1\"\n";
    let suite = Suite::parse(text, &rules).expect("openings");
    assert_eq!(suite.opening(1).start.as_deref(), Some("B:W21-27,29-32:B1-11"));
    assert_eq!(suite.opening(1).moves, ["8-12", "24-19"]);
    assert!(suite.opening(2).moves.is_empty());
    assert_eq!(suite.text("draughts/english", &[]), text);
    for bad in ["\"B:W32:B1 1-6", "\"B:W99:B1\" 1-6", "\"B:W32:B\"", "\"B:W32:B1\" 9-13"] {
        let problem = Suite::parse(bad, &rules).expect_err(bad);
        assert_eq!((problem.key, problem.arg("line")), ("openings-line", Some("1")), "{bad}");
    }
}
