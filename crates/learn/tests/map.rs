//! Weights for one map: would catch a run that differs after it was interrupted, weights that are kept without a match, and a
//! fit that explains held-out games worse than what it began with.

use catalog::maps::{Rules, SAMPLES};
use eval_jingbanqi::{MapEval, learned};
use jingbanqi::Jingbanqi;
use kernel::Game;
use learn::map::{MapPlan, TrainingProgress, fit};

fn mountains() -> Rules {
    let sample = SAMPLES.iter().find(|sample| sample.key == "mountains").expect("is built in");
    Rules::load(&sample.package(), &Default::default(), None).expect("a good map")
}

fn plan() -> MapPlan {
    MapPlan { games: 40, nodes: 40, longest: 80, pairs: 4, ..MapPlan::default() }
}

#[test]
fn a_run_goes_on_where_it_stopped_and_ends_the_same() {
    let (whole, parts) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let rules = mountains();
    let once = fit(&rules, &plan(), whole.path(), &mut |_| true).expect("runs").expect("to its end");
    let mut early = |told: TrainingProgress| told != TrainingProgress::Games(11);
    assert_eq!(fit(&rules, &plan(), parts.path(), &mut early), Ok(None), "stopped among the games");
    // A line that was cut off when the program was killed is played again.
    let games = parts.path().join("games.jsonl");
    let text = std::fs::read_to_string(&games).expect("is there");
    std::fs::write(&games, &text[..text.len() - 9]).expect("writes");
    let mut late = |told: TrainingProgress| !matches!(told, TrainingProgress::Match(2, ..));
    let part = fit(&rules, &plan(), parts.path(), &mut late).expect("runs").expect("stopped in the match");
    assert_eq!((part.decision, part.played.0), (None, 2));
    let again = fit(&rules, &plan(), parts.path(), &mut |_| true).expect("runs").expect("to its end");
    assert_eq!(again, once);
    assert!(once.loss[1] <= once.loss[0], "{:?}", once.loss);
    assert!(once.positions.iter().all(|count| *count > 20), "{:?}", once.positions);
    for name in ["games.jsonl", "match.jsonl", "plan.json"] {
        let read = |folder: &std::path::Path| std::fs::read_to_string(folder.join(name)).expect("is there");
        assert_eq!(read(whole.path()), read(parts.path()), "{name}");
    }
    let other = MapPlan { seed: 2, ..plan() };
    assert_eq!(fit(&rules, &other, parts.path(), &mut |_| true).expect_err("another plan").key, "learn-plan");
}

#[test]
fn weights_that_were_brought_count_for_their_map_alone() {
    let game = mountains().open(None).expect("opens");
    let game = game.as_any().downcast_ref::<Game<Jingbanqi>>().expect("a map");
    let mut general = MapEval::general(game.position());
    let weights = general.weights();
    // What is counted, times what it weighs, is the score.
    let counts = general.counts(game.position());
    let sum: i32 = counts.iter().zip(&weights).map(|(n, weight)| n * weight).sum();
    let score = search::Evaluator::score(&mut general, game.position());
    assert!((sum / 16 - score).abs() <= 1, "{sum} {score}");
    let doubled: Vec<i32> = weights.iter().map(|weight| weight * 2).collect();
    assert!(general.with(game.position(), &doubled[1..]).is_none(), "one is missing");
    // Squares count beside the pieces that stand on them; a line from before they did has none.
    let before = general.before_places();
    assert!(weights[before..].iter().all(|weight| *weight == 0) && weights.len() > before);
    let mut placed = weights.clone();
    placed[before..].iter_mut().enumerate().for_each(|(at, weight)| *weight = 16 * (at as i32 * 37 % 101));
    let sum: i32 = counts.iter().zip(&placed).map(|(n, weight)| n * weight).sum();
    let mut by_squares = general.with(game.position(), &placed).expect("as many");
    let placed_score = search::Evaluator::score(&mut by_squares, game.position());
    assert!((sum / 16 - placed_score).abs() <= 1 && placed_score != score, "{sum} {placed_score}");
    let mut without = general.with(game.position(), &weights[..before]).expect("without squares");
    assert_eq!(search::Evaluator::score(&mut without, game.position()), score);
    let line = learned::line(learned::print(game.position()), &doubled);
    assert_eq!(learned::read(&line), Some((learned::print(game.position()), doubled.clone())));
    for bad in ["", "xyz 1 2", "0f", "0f 1 x", "0f 99999999999"] {
        assert_eq!(learned::read(bad), None, "{bad}");
    }
    assert_eq!(MapEval::of(game.position()).weights(), MapEval::afresh(game.position()).weights());
    assert_eq!(learned::bring(&format!("{line}\nnonsense\n")), 1);
    // Captains keep what they are worth.
    assert_ne!(MapEval::afresh(game.position()).weights(), weights);
    assert_eq!(MapEval::general(game.position()).weights(), weights);
}

/// Weights that come with the program belong to maps that do: those of a map that has changed would lie there for nothing.
#[test]
fn weights_of_built_in_maps_are_of_maps_as_they_are() {
    let prints: Vec<u64> = SAMPLES
        .iter()
        .filter_map(|sample| {
            let rules = Rules::load(&sample.package(), &Default::default(), None).ok()?;
            let game = rules.open(None).ok()?;
            Some(learned::print(game.as_any().downcast_ref::<Game<Jingbanqi>>()?.position()))
        })
        .collect();
    for line in include_str!("../../eval-jingbanqi/data/learned.txt").lines() {
        let (print, _) = learned::read(line).expect("a good line");
        assert!(prints.contains(&print), "{print:016x} is of no built-in map");
    }
}
