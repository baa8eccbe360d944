//! From games to weights, and what a plan promises.

use catalog::Ruleset;
use engine::learned::model;
use learn::{Choice, Fit, Plan, games, sample};

fn plan(game: &str) -> Plan {
    Plan {
        game: game.to_owned(),
        options: catalog::Options::new(),
        nodes: 60,
        opening_turns: 4,
        opening_most: 0,
        balance: 0,
        decided: (1000, 4),
        most_plies: 120,
        seed: 3,
        version: "test".to_owned(),
    }
}

fn rules(game: &str) -> Ruleset {
    Ruleset::new(game, &catalog::Options::new()).unwrap()
}

/// The plan alone decides the games: not the threads, nor where a run was stopped.
#[test]
fn the_same_plan_makes_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["draughts/international", "locked", "gomoku/freestyle"] {
        let (plan, rules) = (plan(game), rules(game));
        let whole = folder.path().join("whole");
        plan.play(&rules, 6, 1, &whole, &mut |_| true).unwrap();
        let parts = folder.path().join("parts");
        plan.play(&rules, 6, 2, &parts, &mut |ready| ready < 2).unwrap();
        let (_, first) = games::read(&parts).unwrap();
        assert!(first.len() < 6, "it was stopped");
        plan.play(&rules, 6, 2, &parts, &mut |_| true).unwrap();
        let (found, all) = games::read(&parts).unwrap();
        assert_eq!(found, plan);
        assert_eq!(all.len(), 6);
        assert_eq!(all, games::read(&whole).unwrap().1, "{game}");
        for file in [whole, parts] {
            std::fs::remove_file(file).unwrap();
        }
    }
}

/// Games of another plan are not mixed with these.
#[test]
fn a_file_holds_the_games_of_one_plan() {
    let folder = tempfile::tempdir().unwrap();
    let (file, rules) = (folder.path().join("games"), rules("locked"));
    plan("locked").play(&rules, 1, 1, &file, &mut |_| true).unwrap();
    let other = Plan { nodes: 61, ..plan("locked") };
    let refused = other.play(&rules, 1, 1, &file, &mut |_| true).unwrap_err();
    assert_eq!(refused.key, "match-other-settings");
}

/// Everything that can learn does: its positions say something, and a fit brings its loss down or leaves it.
#[test]
fn whatever_has_weights_learns() {
    let folder = tempfile::tempdir().unwrap();
    for entry in catalog::ENTRIES.iter() {
        let Some(model) = model(entry.key) else { continue };
        let (file, rules) = (folder.path().join(entry.key.replace('/', "-")), rules(entry.key));
        plan(entry.key).play(&rules, 12, 2, &file, &mut |_| true).unwrap();
        let (_, games) = games::read(&file).unwrap();
        let choice = Choice { aside: 4, ..Choice::default() };
        let (learned, aside, hash) =
            sample::take(model.as_ref(), &rules, &games, choice, &mut |_| {}).unwrap();
        assert!(learned.len() > 50 && !aside.is_empty(), "{}: {}", entry.key, learned.len());
        assert_eq!(hash.len(), 64);
        let shape = model.shape();
        for i in 0..learned.len() {
            let within = |&(at, _): &(u32, f32)| (at as usize) < shape.weights;
            assert!(learned.row(i).iter().all(within), "{}", entry.key);
        }
        assert_eq!(model.now().len(), shape.weights);
        let fit = Fit { epochs: 3, batch: 64, scale: 150.0, ..Fit::default() };
        let start = model.start();
        let fitted = fit.run(&start, &learned, &aside, &hash, None, &mut |_, _| true).unwrap();
        assert!(fitted.losses[2][0] <= fitted.losses[0][0] + 1e-3, "{}: {:?}", entry.key, fitted.losses);
    }
}
