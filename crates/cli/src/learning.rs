//! The command `qiguan learn`: games of the engine against itself, and weights fitted to them.

use std::io::{IsTerminal, Write as _, stderr};
use std::path::{Path, PathBuf};

use arena::opening::Openings;
use arena::sprt::Decision;
use arena::suite;
use engine::learned::{Boards, Network, Shape, Weights, model, network};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::Problem;
use learn::map::{MapPlan, TrainingProgress};
use learn::{Pack, Plan, Positions, Trained, Training};
use texts::Language;

use crate::args::{FitWeights, Learn, MakeOpenings, PackPositions, SelfGames, TrainNetwork};
use crate::fresh::Fresh;
use crate::out::line;
use crate::{engines, extensions};

pub fn run(wish: &Learn, language: Language) -> Result<(), String> {
    match wish {
        Learn::Games(wish) => play(wish, language),
        Learn::Openings(wish) => openings(wish, language),
        Learn::Fit(wish) => fit(wish, language),
        Learn::Positions(wish) => pack(wish, language),
        Learn::Train(wish) => train(wish, language),
    }
    .map_err(|problem| texts::problem(language, &problem))
}

fn play(wish: &SelfGames, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &wish.options, Some(&wish.map), language)?;
    let plan = Plan {
        game: rules.key.clone(),
        options: rules.options.clone(),
        nodes: wish.nodes,
        opening_turns: wish.opening_plies,
        opening_most: wish.opening_most,
        balance: wish.balance,
        decided: wish.adjudicate,
        most_plies: wish.max_plies,
        seed: wish.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let bar = bar(wish.games);
    let mut ready = 0;
    plan.play(&rules, wish.games, wish.threads, &wish.out, &mut |games| {
        ready = games;
        bar.set_position(games as u64);
        true
    })?;
    bar.finish_and_clear();
    let ready = ready.max(wish.games).to_string();
    let file = wish.out.display().to_string();
    line!("{}", texts::say(language, "cli-learn-games", &[("games", &ready), ("file", &file)]));
    Ok(())
}

fn openings(wish: &MakeOpenings, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &wish.options, None, language)?;
    let mut made = Fresh::create(&wish.out, wish.force.force)?;
    let choice = Openings { turns: 0, seed: wish.seed, balance: wish.balance, nodes: wish.nodes };
    let bar = bar(wish.count);
    let suite = suite::make(&rules, choice, (wish.plies, wish.most_plies), wish.count, &mut |ready| {
        bar.set_position(ready as u64);
        true
    })?;
    bar.finish_and_clear();
    let chosen: String =
        wish.options.iter().map(|(name, value)| format!(" --option {name}={value}")).collect();
    let head = format!(
        "Made by qiguan {} learn openings --game {} --count {} --plies {} --most-plies {} --balance {} --nodes {} --seed {}{chosen}",
        env!("CARGO_PKG_VERSION"),
        rules.key,
        wish.count,
        wish.plies,
        wish.most_plies,
        wish.balance,
        wish.nodes,
        wish.seed
    );
    made.write_all(suite.text(&rules.key, &[head]).as_bytes()).map_err(|why| made.wrong(&why))?;
    made.finish()?;
    let (count, file) = (suite.count().to_string(), wish.out.display().to_string());
    line!("{}", texts::say(language, "cli-learn-openings", &[("openings", &count), ("file", &file)]));
    Ok(())
}

fn network_of(key: &str) -> Result<Box<dyn Network>, Problem> {
    network(key).ok_or_else(|| Problem::new("no-network").with("game", key))
}

/// Returns the packer of a game's positions: its network, or its sum of weights where it has none or `terms` is set.
fn boards_of(key: &str, terms: bool) -> Result<Box<dyn Boards>, Problem> {
    if !terms && let Some(network) = network(key) {
        return Ok(network);
    }
    let model = model(key).ok_or_else(|| Problem::new("no-model").with("game", key))?;
    Ok(model)
}

fn pack(wish: &PackPositions, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &wish.options, None, language)?;
    let boards = boards_of(&rules.key, wish.terms)?;
    let games: Vec<&Path> = wish.data.iter().map(AsRef::as_ref).collect();
    let pack = Pack { most: wish.most, ..Pack::default() };
    let made = Fresh::create(&wish.out, wish.force.force)?;
    let bar = bar(0);
    let watch = &mut |games: usize| bar.set_position(games as u64);
    let counts = pack.write(boards.as_ref(), &rules, &games, made.beside(), watch)?;
    made.finish()?;
    bar.finish_and_clear();
    let [taken, seen] = counts.map(|count| count.to_string());
    let file = wish.out.display().to_string();
    let args = [("taken", taken.as_str()), ("seen", &seen), ("file", &file)];
    line!("{}", texts::say(language, "cli-learn-packed", &args));
    Ok(())
}

/// Fits the weights of one map, and prints line by line the games, the loss of held-out games, and the match.
fn fit_map(wish: &FitWeights, map: &Path, language: Language) -> Result<(), Problem> {
    let rules = extensions::rules_of(map, &wish.extensions.files)?;
    let plan = MapPlan {
        games: wish.games,
        nodes: wish.nodes,
        seed: wish.seed,
        pairs: wish.pairs,
        bounds: wish.bounds.first_chunk().copied().unwrap_or(MapPlan::default().bounds),
        ..MapPlan::default()
    };
    let say = |key: &str, args: &[(&str, String)]| {
        let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        line!("{}", texts::say(language, key, &args));
    };
    let fitted = learn::map::fit(&rules, &plan, &wish.out, &mut |told| {
        match told {
            TrainingProgress::Games(n) if n.is_multiple_of(100) => {
                say("cli-fit-games", &[("games", n.to_string())])
            }
            TrainingProgress::Loss(round, loss) => {
                say("cli-fit-loss", &[("round", round.to_string()), ("loss", format!("{loss:.5}"))]);
            }
            TrainingProgress::Match(pairs, points, ratio) if pairs.is_multiple_of(25) => {
                let points = format!("{:.1}", points * 100.0);
                let args =
                    [("pairs", pairs.to_string()), ("points", points), ("ratio", format!("{ratio:.2}"))];
                say("cli-fit-match", &args);
            }
            TrainingProgress::Games(_) | TrainingProgress::Match(..) => {}
        }
        true
    })?;
    let Some(fitted) = fitted else { return Ok(()) };
    let [learned, aside] = fitted.positions.map(|count| count.to_string());
    say("cli-learn-found", &[("learned", learned), ("aside", aside)]);
    let [before, after] = fitted.loss.map(|loss| format!("{loss:.5}"));
    say("cli-fit-found", &[("before", before), ("after", after)]);
    let (pairs, points, ratio) = fitted.played;
    let args = [
        ("pairs", pairs.to_string()),
        ("points", format!("{:.1}", points * 100.0)),
        ("ratio", format!("{ratio:.2}")),
    ];
    say("cli-fit-match", &args);
    let path = wish.out.join("weights.txt");
    let file = path.display().to_string();
    let wrong = |why: std::io::Error| Problem::new("learn-file").with("file", &file).with("text", why);
    if fitted.decision == Some(Decision::High) {
        let text = eval_jingbanqi::learned::line(fitted.print, &fitted.weights) + "\n";
        std::fs::write(&path, text).map_err(wrong)?;
        say("cli-fit-kept", &[("file", file.clone())]);
    } else {
        // What an earlier program kept is not this run's.
        let _ = std::fs::remove_file(&path);
        say("cli-fit-not-kept", &[]);
    }
    Ok(())
}

fn fit(wish: &FitWeights, language: Language) -> Result<(), Problem> {
    if let Some(map) = &wish.map {
        return fit_map(wish, map, language);
    }
    let game = wish.game.as_deref().unwrap_or_default();
    let rules = engines::rules(game, &[], None, language)?;
    let model = model(&rules.key).ok_or_else(|| Problem::new("no-model").with("game", &rules.key))?;
    let mut files = open(&wish.data, &rules.key, model.as_ref())?;
    let made = Fresh::create(&wish.out, wish.force.force)?;
    let start = if wish.further { model.now() } else { model.start() };
    let training = Training {
        epochs: wish.epochs,
        batch: wish.batch,
        rate: wish.rate,
        result: wish.result,
        shrink: wish.shrink,
        damping: wish.damping,
        scale: wish.scale,
        seed: wish.seed,
        threads: wish.threads,
    };
    let kept = wish.out.with_extension("partial");
    let trained = watched(wish.epochs, language, &mut |watch| {
        training.sums(model.as_ref(), &start, &mut files, wish.most, Some(&kept), watch)
    })?;
    let further = if wish.further { " --further" } else { "" };
    let command = format!("qiguan learn fit --game {} {}{further}", rules.key, training.told(wish.most));
    let steps = trained.fitted(model.as_ref())?;
    write(&trained, &model.shape(), steps, command, (&wish.commit, &wish.out, made), &mut files, language)
}

fn train(wish: &TrainNetwork, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &[], None, language)?;
    let network = network_of(&rules.key)?;
    let layout = network.layout();
    let mut files = open(&wish.data, &rules.key, network.as_ref())?;
    let made = Fresh::create(&wish.out, wish.force.force)?;
    let training = Training {
        epochs: wish.epochs,
        batch: wish.batch,
        rate: wish.rate,
        result: wish.result,
        scale: wish.scale,
        seed: wish.seed,
        threads: wish.threads,
        ..Training::default()
    };
    let kept = wish.out.with_extension("partial");
    let trained = watched(wish.epochs, language, &mut |watch| {
        training.network(network.as_ref(), &mut files, wish.most, Some(&kept), watch)
    })?;
    let command = format!("qiguan learn train --game {} {}", rules.key, training.told(wish.most));
    let steps = trained.steps(&layout);
    write(&trained, &layout.shape, steps, command, (&wish.commit, &wish.out, made), &mut files, language)
}

/// Opens the files of positions of a game.
fn open(paths: &[PathBuf], game: &str, boards: &dyn Boards) -> Result<Vec<Positions>, Problem> {
    paths.iter().map(|path| Positions::open(path, game, boards)).collect()
}

/// A callback with an epoch and both losses; `false` ends the training.
type Watch<'a> = &'a mut dyn FnMut(usize, [f64; 2]) -> bool;

/// Trains, and tells of each epoch: on a bar where there is a terminal, otherwise a line each.
fn watched(
    epochs: usize,
    language: Language,
    run: &mut dyn FnMut(Watch<'_>) -> Result<Trained, Problem>,
) -> Result<Trained, Problem> {
    let bar = bar(epochs);
    let trained = run(&mut |epoch, losses| {
        let said = losses.map(|loss| format!("{loss:.5}"));
        let epochs = epoch.to_string();
        let args = [("epochs", epochs.as_str()), ("learned", &said[0]), ("aside", &said[1])];
        let line = texts::say(language, "cli-learn-loss", &args);
        bar.set_position(epoch as u64);
        bar.set_message(line.clone());
        if bar.is_hidden() {
            line!("{line}");
        }
        true
    })?;
    bar.finish_and_clear();
    Ok(trained)
}

/// Writes the file of weights with the settings that made them, and removes the saved state of the run.
fn write(
    trained: &Trained,
    shape: &Shape,
    steps: Vec<i16>,
    command: String,
    (commit, out, mut made): (&str, &Path, Fresh),
    files: &mut [Positions],
    language: Language,
) -> Result<(), Problem> {
    let origin = trained.origin(&steps, command, commit, files)?;
    let bytes = Weights { steps, origin }.write(shape);
    made.write_all(&bytes).map_err(|why| made.wrong(&why))?;
    made.finish()?;
    let _ = std::fs::remove_file(out.with_extension("partial"));
    let [before, after] = [trained.losses.first(), trained.losses.last()]
        .map(|losses| losses.map_or_else(String::new, |losses| format!("{:.5}", losses[1])));
    let [learned, aside] = trained.counts.map(|count| count.to_string());
    let args = [
        ("file", out.display().to_string()),
        ("count", shape.weights.to_string()),
        ("scale", trained.scale.to_string()),
        ("learned", learned),
        ("aside", aside),
        ("before", before),
        ("after", after),
    ];
    let args: Vec<(&str, &str)> = args.iter().map(|(key, value)| (*key, value.as_str())).collect();
    line!("{}", texts::say(language, "cli-learn-found", &args));
    line!("{}", texts::say(language, "cli-learn-written", &args));
    Ok(())
}

fn bar(steps: usize) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} / {len}  {msg}  {eta}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is well formed"))
}
