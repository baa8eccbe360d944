//! Reports of real maps: would catch games that depend on threads or on what was played before, shares that count wrong,
//! a rule that mattered called idle, and a failing extension that stops a report.

use std::collections::HashSet;

use catalog::Options;
use catalog::maps::{Draft, DraftKind, Package, Rules, SAMPLES};
use engine::Stop;
use kernel::Side;
use workshop::{Depth, Plan, Played, play, report};

fn plan(games: u32) -> Plan {
    Plan { levels: vec![1, 3], games, longest: 60, judge: 60, ply_ms: 60_000, seed: 7 }
}

fn shallow() -> Depth {
    Depth { nodes: 500, look_ms: 60_000, moments: 3, proof: 4_000, rehearsed: 0, stop: Stop::default() }
}

fn mountains() -> Rules {
    Rules::load(&SAMPLES[0].package(), &Options::new(), None).expect("a good map")
}

fn played(rules: &Rules, plan: &Plan, done: &[Played], threads: usize) -> Vec<Played> {
    let known: HashSet<(u8, u32)> = done.iter().map(|game| (game.level, game.number)).collect();
    let mut games = done.to_vec();
    play(rules, plan, &known, threads, &Stop::default(), &mut |game| games.push(game)).expect("plays");
    games.sort_by_key(|game| (game.level, game.number));
    games
}

#[test]
fn games_depend_on_nothing_but_the_plan_and_a_report_goes_on() {
    let (rules, plan) = (mountains(), plan(3));
    let all = played(&rules, &plan, &[], 2);
    assert_eq!(all.len(), 6);
    assert!(all.iter().all(|game| game.fits(&plan)), "each fits its plan");
    // Another number of threads, and three games that were there already: the same.
    let again = played(&rules, &plan, &all[..3], 1);
    assert_eq!(all, again);
    let told = report(&rules, &plan, &all, &shallow());
    assert_eq!(told, report(&rules, &plan, &again, &shallow()));
    assert_eq!((told.done, told.of, told.strengths.len()), (6, 6, 2));
    let counted = |s: &wire::StrengthReport| s.red + s.blue + s.drawn + s.cut;
    assert_eq!(counted(&told.all), 6);
    assert!(told.strengths.iter().all(|strength| counted(strength) == 3));
    let visits: f64 = told.visits.iter().sum();
    assert!((visits - 1.0).abs() < 1e-9, "{visits}");
    assert!(told.pieces.iter().any(|piece| piece.names.contains(&"车".to_owned())), "{:?}", told.pieces);
    // Half a report is a report, too, and what is not of the plan is left out.
    let mut strange = all[0].clone();
    strange.level = 9;
    let half = report(&rules, &plan, &[all[0].clone(), strange, all[0].clone()], &shallow());
    assert_eq!((half.done, half.of), (1, 6));
}

#[test]
fn what_stops_is_given_up_and_a_plan_that_is_none_is_refused() {
    let stop = Stop::default();
    stop.stop();
    let mut heard = 0;
    play(&mountains(), &plan(3), &HashSet::new(), 1, &stop, &mut |_| heard += 1).expect("is no fault");
    assert_eq!(heard, 0);
    for bad in [
        Plan { levels: vec![11], ..plan(1) },
        Plan { levels: Vec::new(), ..plan(1) },
        plan(0),
        plan(u32::MAX),
    ] {
        let why = play(&mountains(), &bad, &HashSet::new(), 1, &Stop::default(), &mut |_| {});
        assert_eq!(why.expect_err("is refused").key, "report-plan", "{bad:?}");
    }
}

/// Two chariots on a line of five squares: the side to move first takes the other's captain.
fn won_at_once() -> Rules {
    let kind = |name: &str, owner, captain, rule: &str| DraftKind {
        name: name.to_owned(),
        owner,
        captain,
        rule: rule.to_owned(),
        promotes: String::new(),
        promoted: ";".to_owned(),
        attributes: Vec::new(),
    };
    let draft = Draft {
        rows: 3,
        cols: 3,
        cells: vec![2, 0, 4, 0, 0, 0, 3, 0, 1],
        kinds: vec![
            kind("K", Some(Side::First), true, "4,5;"),
            kind("k", Some(Side::Second), true, "4,5;"),
            kind("R", Some(Side::First), false, ";2,4,5,7"),
            kind("r", Some(Side::Second), false, ";2,4,5,7"),
            kind("S", None, false, ";"),
        ],
        promotion: false,
        undo: false,
        neutral_limit: true,
        ..Draft::default()
    };
    let map = draft.read().map.expect("a good map");
    let package = Package { map: records::map::write(&map).expect("writes"), extensions: Vec::new() };
    Rules::load(&package, &Options::new(), None).expect("a good map")
}

#[test]
fn a_game_that_red_wins_at_once_is_found_out() {
    let (rules, plan) = (won_at_once(), plan(4));
    let told = report(&rules, &plan, &played(&rules, &plan, &[], 1), &shallow());
    let forced = &told.forced[0];
    assert_eq!((forced.after.len(), forced.winner, forced.line.len()), (0, Side::First, 1), "{forced:?}");
    assert_eq!(forced.line, ["3,1-1,1"]);
    assert!(told.all.red > 0 && told.all.first.value > 0.5, "{:?}", told.all);
    // The stone never stands on the board, and the limit forbids nothing.
    let keys: Vec<&str> = told.idle.iter().map(|problem| problem.key.as_ref()).collect();
    assert!(keys.contains(&"report-idle-neutral-limit") && keys.contains(&"report-idle-piece"), "{keys:?}");
    // What took the captain is not among what never mattered.
    let about = |problem: &&wire::Problem| problem.args.get("piece").is_some_and(|piece| piece == "R");
    let never =
        told.idle.iter().filter(about).filter(|problem| problem.args.get("rule").is_some_and(|r| r == "2"));
    assert_eq!(never.count(), 0, "{:?}", told.idle);
}
