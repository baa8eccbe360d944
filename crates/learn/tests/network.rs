//! Training of a network from games: the file of positions, and the guarantees of training.

use std::path::{Path, PathBuf};

use catalog::Ruleset;
use engine::learned::{Weights, network};
use learn::positions::{Record, read_head};
use learn::{Pack, Plan, Positions, Trained, Training, games};

fn rules() -> Ruleset {
    Ruleset::new("xiangqi", &catalog::Options::new()).unwrap()
}

fn plan() -> Plan {
    Plan {
        game: "xiangqi".to_owned(),
        options: rules().options,
        nodes: 400,
        opening_turns: 4,
        opening_most: 12,
        balance: 400,
        decided: (1000, 4),
        most_plies: 80,
        seed: 3,
        version: "test".to_owned(),
    }
}

/// Makes a folder with a file of a few games, and one of their positions.
fn data(folder: &Path) -> (PathBuf, PathBuf) {
    let (games, positions) = (folder.join("games.jsonl"), folder.join("positions"));
    plan().play(&rules(), 16, 2, &games, &mut |_| true).unwrap();
    let network = network("xiangqi").unwrap();
    let pack = Pack { aside: 4, ..Pack::default() };
    let [taken, seen] = pack.write(network.as_ref(), &rules(), &[&games], &positions, &mut |_| {}).unwrap();
    assert!(taken > 200 && taken < seen, "{taken} of {seen}");
    (games, positions)
}

fn train(file: &Path, training: Training, kept: Option<&Path>, last: usize) -> Trained {
    let network = network("xiangqi").unwrap();
    let mut files = [Positions::open(file, "xiangqi", network.as_ref()).unwrap()];
    training.network(network.as_ref(), &mut files, 1500, kept, &mut |epoch, _| epoch < last).unwrap()
}

#[test]
fn openings_have_as_many_turns_as_were_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = data(folder.path());
    let (_, games) = games::read(&file).unwrap();
    assert!(games.iter().all(|game| (4..=12).contains(&game.opening.len())));
    let first = games[0].opening.len();
    assert!(games.iter().any(|game| game.opening.len() != first));
    // A bound is no score: such places are marked, and there are some in games so short of time.
    assert!(games.iter().any(|game| !game.doubtful.is_empty()));
    assert!(games.iter().all(|game| game.worth.len() == game.moves.len()));
    // The file does not depend on the threads that filled it.
    let alone = folder.path().join("alone.jsonl");
    plan().play(&rules(), 16, 1, &alone, &mut |_| true).unwrap();
    assert!(std::fs::read(&alone).unwrap() == std::fs::read(&file).unwrap());
}

/// The records are exactly the positions of the games.
#[test]
fn records_are_the_positions_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, positions) = data(folder.path());
    let network = network("xiangqi").unwrap();
    let mut file = Positions::open(&positions, "xiangqi", network.as_ref()).unwrap();
    assert_eq!(file.record(), 32);
    let mut bytes = Vec::new();
    file.read(0, file.len(), &mut bytes).unwrap();
    let mut records = bytes.chunks_exact(file.record()).map(Record::read);
    let (_, games) = games::read(&games).unwrap();
    let mut board = vec![0; network.board()];
    for (number, played) in games.iter().enumerate() {
        let mut game = rules().play(None, &played.opening).unwrap();
        for (ply, text) in played.moves.iter().enumerate() {
            let exact = !played.doubtful.contains(&ply) && played.worth[ply].abs() < 1500;
            if exact && network.pack(game.as_ref(), text, &mut board).is_some_and(|idle| idle <= 40) {
                let record = records.next().expect("a record for each quiet position");
                let won = if game.turn() == kernel::Side::First { played.result } else { -played.result };
                assert_eq!(record.board, board);
                assert_eq!((record.turn, i32::from(record.worth)), (game.turn(), played.worth[ply]));
                assert_eq!((record.halves, record.aside), ((won + 1) as u8, number % 4 == 0));
            }
            game.play(text).unwrap();
        }
    }
    assert!(records.next().is_none());
}

#[test]
fn files_that_hold_no_positions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_, positions) = data(folder.path());
    let network = network("xiangqi").unwrap();
    let whole = std::fs::read(&positions).unwrap();
    let (start, _) = read_head(&whole, "xiangqi").unwrap();
    let head = String::from_utf8(whole[..start as usize].to_vec()).unwrap();
    let with = |from: &str, to: &str| {
        let mut bytes = head.replace(from, to).into_bytes();
        bytes.extend(&whole[start as usize..]);
        bytes
    };
    for (what, bytes) in [
        ("empty", Vec::new()),
        ("half a record", whole[..whole.len() - 1].to_vec()),
        ("no records", whole[..start as usize].to_vec()),
        ("another file", with("qiguan positions 1", "qiguan positions 2")),
        ("another game", with("game xiangqi", "game locked")),
        ("another length", with("record 32", "record 31")),
        ("no length", with("record 32", "record")),
        ("an endless length", with("record 32", "record 99999999999")),
    ] {
        let file = folder.path().join("other");
        std::fs::write(&file, bytes).unwrap();
        let refused = Positions::open(&file, "xiangqi", network.as_ref()).expect_err(what);
        assert_eq!(refused.key, "learn-positions", "{what}");
    }
}

/// The plan and the data alone determine the weights, independent of threads and interruptions.
#[test]
fn the_same_seed_makes_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let (_, file) = data(folder.path());
    let training = Training { epochs: 3, batch: 64, ..Training::default() };
    let whole = train(&file, training, None, 3);
    assert_eq!(whole.losses.len(), 3);
    assert!(whole.losses[2][0] < whole.losses[0][0], "{:?}", whole.losses);
    let threads = train(&file, Training { threads: 3, ..training }, None, 3);
    assert_eq!(threads, whole);
    let kept = folder.path().join("kept");
    let stopped = train(&file, training, Some(&kept), 2);
    assert_eq!(stopped.losses, whole.losses[..2]);
    assert_eq!(train(&file, training, Some(&kept), 3), whole);
    let other = train(&file, Training { seed: 2, ..training }, None, 3);
    assert_ne!(other.weights, whole.weights);
}

/// The engine's evaluation equals that of training, except for rounding to steps.
#[test]
fn steps_say_what_was_trained() {
    let folder = tempfile::tempdir().unwrap();
    let (_, file) = data(folder.path());
    let training = Training { epochs: 4, batch: 64, scale: 200.0, ..Training::default() };
    let trained = train(&file, training, None, 4);
    let network = network("xiangqi").unwrap();
    let layout = network.layout();
    let origin = [("scale".to_owned(), trained.scale.to_string())].into();
    let weights = Weights { steps: trained.steps(&layout), origin };
    assert_eq!(weights.steps.len(), layout.shape.weights);
    let read = Weights::read(&layout.shape, &weights.write(&layout.shape)).unwrap();
    assert_eq!(read, weights);
    let game = rules().play(None, &["h2e2".to_owned(), "h9g7".to_owned()]).unwrap();
    let mut board = vec![0; network.board()];
    network.pack(game.as_ref(), "h0g2", &mut board).unwrap();
    let mut inputs = [Vec::new(), Vec::new()];
    let row = network.features(&board, game.turn(), false, &mut inputs).unwrap().row;
    let (hidden, w) = (layout.hidden, &trained.weights);
    let bias = layout.inputs * hidden;
    let outputs = bias + hidden;
    let mut logit = w[outputs + 2 * layout.rows * hidden + row];
    for (view, inputs) in inputs.iter().enumerate() {
        for i in 0..hidden {
            let sum: f32 =
                w[bias + i] + inputs.iter().map(|&at| w[usize::from(at) * hidden + i]).sum::<f32>();
            logit += sum.clamp(0.0, 1.0).powi(2) * w[outputs + (2 * row + view) * hidden + i];
        }
    }
    let said = network.score(&weights, game.as_ref()).unwrap() as f32;
    assert!((said - 200.0 * logit).abs() < 5.0, "{said}, {}", 200.0 * logit);
}
