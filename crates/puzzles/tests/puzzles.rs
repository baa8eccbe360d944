//! Tests of puzzles. They catch puzzles that have two answers, lines that cannot be played, answers that are judged
//! wrongly, ratings and streaks that count twice, and runs that do not go on where they stopped.

use engine::{Stop, TranspositionTable};
use kernel::{AnyGame, Side};
use puzzles::find::{Found, Played};
use puzzles::make::{self, Source};
use puzzles::puzzle::open;
use puzzles::selfplay::{self, Rules};
use puzzles::{Answer, Effort, Goal, Puzzle, PuzzleFilter, Shelf, find, judge};

const DAY_MS: u64 = 86_400_000;

fn texts(moves: &[&str]) -> Vec<String> {
    moves.iter().map(|text| (*text).to_owned()).collect()
}

/// The number of games: enough to have some puzzles at any strength of the engine.
const GAMES: u64 = 80;

/// Returns the puzzles of games of the engine against itself.
fn made() -> Vec<Found> {
    let rules = Rules { game: "gomoku/standard".to_owned(), ..Rules::default() };
    let memory = TranspositionTable::mebibytes(4);
    let effort = Effort { nodes: 4_000, ..Effort::default() };
    (0..GAMES)
        .flat_map(|number| {
            let played = selfplay::game(&rules, 1, number, &open, &Stop::default()).expect("plays");
            find(&played.expect("not stopped"), &effort, &open, &memory).expect("a good game")
        })
        .collect()
}

#[test]
fn the_starter_has_a_good_puzzle_for_every_family() {
    let count = puzzles::shelf::check_starter().expect("every puzzle can be played");
    let shelf = Shelf::in_memory(0).expect("opens");
    let tally = shelf.tally().expect("reads");
    for family in ["xiangqi", "draughts", "gomoku", "locked", "jingbanqi"] {
        let found = tally.iter().find(|tally| tally.family == family).map_or(0, |tally| tally.count);
        assert!(found >= 10, "{found} puzzles of {family}");
        let one = shelf.daily(family, &[], DAY_MS).expect("a puzzle of the day").puzzle;
        assert_eq!(shelf.daily(family, &[], DAY_MS + 5).expect("the same all day").puzzle, one);
        assert_ne!(shelf.daily(family, &[], 2 * DAY_MS).expect("another tomorrow").puzzle.id, one.id);
    }
    let all: u32 = tally.iter().map(|tally| tally.count).sum();
    assert_eq!(all as usize, count, "no two puzzles have one id");
}

/// The line itself is right in every puzzle of the starter, turn by turn; another first turn is not, unless it wins
/// at once.
#[test]
fn answers_are_judged_by_where_they_lead() {
    for puzzle in puzzles::starter::puzzles().step_by(7) {
        let own: Vec<String> = puzzle.line.iter().step_by(2).flatten().cloned().collect();
        match judge(&puzzle, &own, &open).expect("legal") {
            Answer::Solved(_) => {}
            Answer::On(_) | Answer::Wrong(..) => panic!("{} is not solved by its line", puzzle.id),
        }
        assert!(matches!(judge(&puzzle, &[], &open), Ok(Answer::On(_))), "{}: nothing was said", puzzle.id);
        assert!(judge(&puzzle, &texts(&["nonsense"]), &open).is_err());
        let start = open(&puzzle, Some(&puzzle.fen)).expect("opens");
        let (solver, mut wrong) = (start.turn(), 0);
        for other in turns(start.as_ref()).into_iter().filter(|turn| *turn != puzzle.line[0]).take(6) {
            match judge(&puzzle, &other, &open).expect("legal") {
                Answer::Wrong(game, 0) => {
                    wrong += 1;
                    assert_eq!(game.record(), other);
                }
                Answer::Solved(game) => assert!(
                    same(start.as_ref(), &other, &puzzle.line[0])
                        || game.outcome().and_then(kernel::Outcome::winner) == Some(solver),
                    "{}",
                    puzzle.id
                ),
                Answer::On(_) => assert!(same(start.as_ref(), &other, &puzzle.line[0]), "{}", puzzle.id),
                Answer::Wrong(..) => panic!("{}: the first turn was wrong", puzzle.id),
            }
        }
        assert!(wrong > 0, "{}: every turn is right", puzzle.id);
    }
}

fn same(start: &dyn AnyGame, one: &[String], other: &[String]) -> bool {
    let after = |moves: &[String]| {
        let mut game = start.boxed_clone();
        moves.iter().try_for_each(|text| game.play(text)).expect("legal");
        game.key()
    };
    after(one) == after(other)
}

/// Returns one whole turn for each first move.
fn turns(start: &dyn AnyGame) -> Vec<Vec<String>> {
    let mover: Side = start.turn();
    let whole = |first: String| {
        let mut game = start.boxed_clone();
        game.play(&first).expect("listed");
        while game.outcome().is_none() && game.turn() == mover {
            let next = game.moves().swap_remove(0);
            game.play(&next).expect("listed");
        }
        game.record()
    };
    start.moves().into_iter().map(whole).collect()
}

#[test]
fn what_is_made_is_proved_unique_and_the_same_again() {
    let found = made();
    assert!(found.len() >= 5, "{} puzzles of {GAMES} games", found.len());
    for Found { puzzle, .. } in &found {
        puzzle.check(&open).expect("can be played");
        assert!(puzzle.proved >= 3 && puzzle.goal == Goal::Win, "{puzzle:?}");
        assert!(
            !puzzle.themes.is_empty()
                && puzzle.themes.iter().all(|theme| puzzles::themes::THEMES.contains(&theme.as_str()))
        );
        let text = serde_json::to_string(puzzle).expect("JSON");
        assert_eq!(Puzzle::read(&text, &open).expect("reads"), *puzzle);
    }
    assert_eq!(found, made(), "the same seed, the same puzzles");
}

/// A puzzle whose line does not fit its position is refused, for every fault that a stranger's file may have.
#[test]
fn broken_puzzles_are_refused() {
    type Row = (&'static str, fn(&mut Puzzle));
    let good = puzzles::starter::puzzles().next().expect("the starter is not empty");
    let broken: [Row; 6] = [
        ("no line", |puzzle| puzzle.line.clear()),
        ("another id", |puzzle| puzzle.id.push('0')),
        ("an empty turn", |puzzle| puzzle.line[0].clear()),
        ("no such move", |puzzle| puzzle.line[0][0] = "zz".to_owned()),
        ("a line that ends with an answer", |puzzle| puzzle.line.push(vec!["a1".to_owned()])),
        ("long themes", |puzzle| puzzle.themes = vec!["x".repeat(100)]),
    ];
    for (name, breaks) in broken {
        let mut puzzle = good.clone();
        breaks(&mut puzzle);
        let text = serde_json::to_string(&puzzle).expect("JSON");
        assert!(Puzzle::read(&text, &open).is_err(), "{name}");
    }
    assert_eq!(Puzzle::read(&" ".repeat(40_000), &open).map_err(|why| why.key), Err("puzzle-format"));
}

#[test]
fn the_first_answer_counts_and_days_in_a_row_are_counted() {
    let shelf = Shelf::in_memory(0).expect("opens");
    let ids: Vec<String> =
        puzzles::starter::puzzles().filter(|p| p.family() == "xiangqi").map(|p| p.id).take(5).collect();
    let at = |day: u64| 1_000 * DAY_MS + day * DAY_MS;
    let told = |n: usize, solved, day| shelf.answered("ann", &ids[n], solved, at(day)).expect("stored");
    let first = told(0, true, 0).expect("counts");
    assert!(first.rating[1] > first.rating[0] && first.standing.run == 1 && first.standing.days == 1);
    assert_eq!(told(0, false, 0), None, "the second answer counts for nothing");
    assert_eq!(told(1, true, 1).expect("counts").standing.days, 2);
    let wrong = told(2, false, 1).expect("counts");
    assert!(wrong.rating[1] < wrong.rating[0] && wrong.standing.run == 0 && wrong.standing.best_run == 2);
    assert_eq!(shelf.standing("ann", "xiangqi", at(5)).expect("reads").days, 0, "the row is broken");
    assert_eq!(told(3, true, 5).expect("counts").standing.days, 1);
    assert!(shelf.puzzle(&ids[0]).expect("reads").tries == 1);
    assert_eq!(shelf.answered("ann", "nothing", true, 0).map_err(|why| why.key), Err("unknown-puzzle"));
    shelf.forget("ann").expect("forgets");
    assert_eq!(shelf.standing("ann", "xiangqi", at(5)).expect("reads").tries, 0);
    assert!(told(0, true, 6).is_some(), "nobody remembers the first answer");
}

#[test]
fn what_was_tried_or_does_not_fit_is_not_asked() {
    let shelf = Shelf::in_memory(0).expect("opens");
    let wanted = |theme: &str, mine, chance| PuzzleFilter {
        family: "xiangqi".to_owned(),
        theme: theme.to_owned(),
        person: Some("bob".to_owned()),
        mine,
        near: None,
        chance,
        without: Vec::new(),
    };
    for chance in 0..20 {
        let found = shelf.next(&wanted("check", false, chance), 0).expect("there are some").puzzle;
        assert!(found.themes.iter().any(|theme| theme == "check"));
        let again = shelf.next(&wanted("", false, chance), 0).expect("there are some").puzzle;
        let counted = shelf.answered("bob", &again.id, true, 0).expect("stored");
        assert!(counted.is_some(), "{} was asked twice", again.id);
    }
    assert_eq!(
        shelf.next(&wanted("", true, 1), 0).map_err(|why| why.key),
        Err("no-puzzle"),
        "nothing was missed"
    );
    let mut missed = made().swap_remove(0);
    missed.puzzle.id.push('m');
    shelf.add(&[(missed.puzzle.clone(), Some("bob".to_owned()))], None, 0).expect("stored");
    let mine = PuzzleFilter { family: "gomoku".to_owned(), ..wanted("", true, 1) };
    assert_eq!(shelf.next(&mine, 0).expect("what bob missed").puzzle.id, missed.puzzle.id);
}

/// A puzzle of a map that the staff took down was shown like any other.
#[test]
fn puzzles_of_maps_that_are_left_out_are_chosen_by_no_wish() {
    let shelf = Shelf::in_memory(0).expect("opens");
    let usual = shelf.daily("xiangqi", &[], 0).expect("one").puzzle;
    let on = |map: &str| {
        let id = format!("{}{map}", &usual.id[..15]);
        (Puzzle { id, map: Some(map.to_owned()), ..usual.clone() }, Some("bob".to_owned()))
    };
    shelf.add(&[on("a"), on("b")], None, 0).expect("stored");
    let wanted = PuzzleFilter {
        family: "xiangqi".to_owned(),
        person: Some("bob".to_owned()),
        mine: true,
        ..PuzzleFilter::default()
    };
    let maps = |without: &[String]| {
        let found = (0..40).filter_map(|chance| {
            let wanted = PuzzleFilter { chance, without: without.to_vec(), ..wanted.clone() };
            shelf.next(&wanted, 0).ok()?.puzzle.map
        });
        found.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    // Which of them is chosen more often, chance decides.
    let shown = maps(&[]);
    let other = if shown[0] == "a" { "b" } else { "a" };
    assert_eq!(maps(&shown[..1]), [other]);
    assert_eq!(maps(&["a".to_owned(), "b".to_owned()]), [""; 0]);
    // Among the puzzles of the days there are both; one that was chosen already is exchanged for all.
    let mut exchanged = 0;
    for day in 1..100 {
        if exchanged == 2 {
            return;
        }
        let chosen = shelf.daily("xiangqi", &[], day * DAY_MS).expect("one").puzzle;
        let Some(map) = chosen.map else { continue };
        exchanged += 1;
        let other = shelf.daily("xiangqi", std::slice::from_ref(&map), day * DAY_MS).expect("one").puzzle;
        assert_ne!(other.map, Some(map));
        assert_eq!(
            shelf.chosen_daily("xiangqi", day * DAY_MS).expect("read").map(|one| one.puzzle),
            Some(other)
        );
    }
    panic!("neither was a puzzle of the day");
}

#[test]
fn making_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("puzzles.sqlite");
    let rules = Rules { game: "gomoku/standard".to_owned(), ..Rules::default() };
    let effort = Effort { nodes: 1_000, ..Effort::default() };
    let run = |shelf: &Shelf, games: u64| {
        let after = &mut make::by_ourselves(rules.clone(), 5);
        let source = Source { name: "test".to_owned(), after };
        make::make(source, shelf, &effort, 1, &open, &mut |so| so.games < games).expect("makes")
    };
    let whole = Shelf::in_memory(0).expect("opens");
    let all = run(&whole, 12);
    let mut parts = 0;
    for _ in 0..3 {
        parts += run(&Shelf::open(&file, 0).expect("opens again"), 4).puzzles;
    }
    assert_eq!((parts, 12), (all.puzzles, all.games));
    assert_eq!(Shelf::open(&file, 0).expect("opens").mark("test"), Ok(12));
    let broken =
        Played { game: "gomoku/standard".to_owned(), moves: texts(&["h8", "h8"]), ..Played::default() };
    let memory = TranspositionTable::mebibytes(1);
    assert!(find(&broken, &effort, &open, &memory).is_err(), "an illegal game has no puzzles");
}
