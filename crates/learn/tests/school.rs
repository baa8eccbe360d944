//! Training of weights from games, and the guarantees of a plan.

use catalog::Ruleset;
use engine::learned::model;
use learn::positions::Record;
use learn::{Pack, Plan, Positions, Training, games};

fn plan(game: &str) -> Plan {
    Plan {
        game: game.to_owned(),
        options: rules(game).options,
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
    // Gomoku is learned on boards of fifteen.
    let size = game.starts_with("gomoku").then(|| ("size".to_owned(), 15));
    Ruleset::new(game, &size.into_iter().collect()).unwrap()
}

/// The plan alone determines the games, independent of threads and interruptions.
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

/// Every game with weights can be trained: its positions have features, and a fit never raises the loss.
#[test]
fn whatever_has_weights_learns() {
    let folder = tempfile::tempdir().unwrap();
    for entry in catalog::ENTRIES.iter() {
        let Some(model) = model(entry.key) else { continue };
        let (name, rules) = (entry.key.replace('/', "-"), rules(entry.key));
        let [file, packed] = ["games", "positions"].map(|end| folder.path().join(format!("{name}.{end}")));
        plan(entry.key).play(&rules, 12, 2, &file, &mut |_| true).unwrap();
        let pack = Pack { aside: 4, ..Pack::default() };
        pack.write(model.as_ref(), &rules, &[&file], &packed, &mut |_| {}).unwrap();
        let mut files = [Positions::open(&packed, entry.key, model.as_ref()).unwrap()];
        assert!(files[0].record() <= 64, "{}: {} bytes a position", entry.key, files[0].record());
        let shape = model.shape();
        let mut bytes = Vec::new();
        files[0].read(0, files[0].len(), &mut bytes).unwrap();
        for bytes in bytes.chunks_exact(files[0].record()) {
            let (record, mut row) = (Record::read(bytes), Vec::new());
            assert!(model.features(record.board, record.turn, &mut row), "{}", entry.key);
            assert!(row.iter().all(|&(at, _)| (at as usize) < shape.weights), "{}", entry.key);
        }
        assert_eq!(model.now().len(), shape.weights);
        let training = Training { epochs: 3, batch: 64, rate: 0.01, scale: 150.0, ..Training::default() };
        let start = model.start();
        let fitted = training.sums(model.as_ref(), &start, &mut files, 1500, None, &mut |_, _| true).unwrap();
        assert!(fitted.counts[0] > 50 && fitted.counts[1] > 0, "{}: {:?}", entry.key, fitted.counts);
        assert!(fitted.losses[2][0] <= fitted.losses[0][0] + 1e-3, "{}: {:?}", entry.key, fitted.losses);
    }
}
