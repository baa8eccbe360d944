//! The command `qiguan learn`: games of the engine against itself, and weights fitted to them.

use std::collections::BTreeMap;
use std::io::{IsTerminal, stderr};
use std::path::Path;

use arena::opening::Openings;
use arena::suite;
use catalog::Ruleset;
use engine::learned::{Network, Weights, model, network};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::Problem;
use learn::{Choice, Fit, Pack, Plan, Positions, Training, games, sample};
use texts::Language;

use crate::args::{FitWeights, Learn, MakeOpenings, PackPositions, SelfGames, TrainNetwork};
use crate::engines;
use crate::out::line;

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
    let file = wish.out.display();
    let wrong = |why: std::io::Error| Problem::new("learn-file").with("file", &file).with("text", why);
    std::fs::write(&wish.out, suite.text(&rules.key, &[head])).map_err(wrong)?;
    let (count, file) = (suite.count().to_string(), file.to_string());
    line!("{}", texts::say(language, "cli-learn-openings", &[("openings", &count), ("file", &file)]));
    Ok(())
}

fn fit(wish: &FitWeights, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &wish.options, None, language)?;
    let model = model(&rules.key).ok_or_else(|| Problem::new("no-model").with("game", &rules.key))?;
    let shape = model.shape();
    let mut all = Vec::new();
    for path in &wish.data {
        let (plan, games) = games::read(path)?;
        if plan.game != rules.key {
            let problem = Problem::new("learn-other-game").with("file", path.display());
            return Err(problem.with("found", plan.game).with("game", &rules.key));
        }
        all.extend(games);
    }
    let bar = bar(all.len());
    let choice = Choice { most: wish.most, ..Choice::default() };
    let (learned, aside, hash) =
        sample::take(model.as_ref(), &rules, &all, choice, &mut |games| bar.set_position(games as u64))?;
    bar.finish_and_clear();
    drop(all);
    if learned.is_empty() {
        return Err(Problem::new("learn-no-positions"));
    }
    let counts = [learned.len().to_string(), aside.len().to_string()];
    line!("{}", texts::say(language, "cli-learn-found", &[("learned", &counts[0]), ("aside", &counts[1])]));
    let fit = Fit {
        epochs: wish.epochs,
        batch: wish.batch,
        rate: wish.rate,
        result: wish.result,
        shrink: wish.shrink,
        scale: wish.scale,
        seed: wish.seed,
        threads: wish.threads,
    };
    let bar = self::bar(wish.epochs);
    let kept = wish.out.with_extension("partial");
    let start = if wish.further { model.now() } else { model.start() };
    let fitted = fit.run(&start, &learned, &aside, &hash, Some(&kept), &mut |epoch, losses| {
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
    let number = |n: f32| n.to_string();
    let origin = BTreeMap::from([
        ("command".to_owned(), command(wish, &rules)),
        ("data".to_owned(), hash),
        ("seed".to_owned(), wish.seed.to_string()),
        ("positions".to_owned(), counts[0].clone()),
        ("scale".to_owned(), number(fitted.scale)),
        ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ]);
    let bytes = Weights::of(&shape, &fitted.weights, origin).write(&shape);
    let wrong =
        |why: std::io::Error| Problem::new("learn-file").with("file", wish.out.display()).with("text", why);
    std::fs::write(&wish.out, bytes).map_err(wrong)?;
    let _ = std::fs::remove_file(&kept);
    let [before, after] = [fitted.losses.first(), fitted.losses.last()]
        .map(|losses| losses.map_or_else(String::new, |losses| format!("{:.5}", losses[1])));
    let args = [
        ("file", wish.out.display().to_string()),
        ("count", shape.weights.to_string()),
        ("scale", format!("{:.1}", fitted.scale)),
        ("before", before),
        ("after", after),
    ];
    let args: Vec<(&str, &str)> = args.iter().map(|(key, value)| (*key, value.as_str())).collect();
    line!("{}", texts::say(language, "cli-learn-written", &args));
    Ok(())
}

fn network_of(key: &str) -> Result<Box<dyn Network>, Problem> {
    network(key).ok_or_else(|| Problem::new("no-network").with("game", key))
}

fn pack(wish: &PackPositions, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &wish.options, None, language)?;
    let network = network_of(&rules.key)?;
    let games: Vec<&Path> = wish.data.iter().map(AsRef::as_ref).collect();
    let pack = Pack { most: wish.most, ..Pack::default() };
    let bar = bar(0);
    let counts =
        pack.write(network.as_ref(), &rules, &games, &wish.out, &mut |games| bar.set_position(games as u64))?;
    bar.finish_and_clear();
    let [taken, seen] = counts.map(|count| count.to_string());
    let file = wish.out.display().to_string();
    let args = [("taken", taken.as_str()), ("seen", &seen), ("file", &file)];
    line!("{}", texts::say(language, "cli-learn-packed", &args));
    Ok(())
}

fn train(wish: &TrainNetwork, language: Language) -> Result<(), Problem> {
    let rules = engines::rules(&wish.game, &[], None, language)?;
    let network = network_of(&rules.key)?;
    let layout = network.layout();
    let open = |path: &std::path::PathBuf| Positions::open(path, &rules.key, network.as_ref());
    let mut files = wish.data.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let training = Training {
        epochs: wish.epochs,
        batch: wish.batch,
        rate: wish.rate,
        result: wish.result,
        scale: wish.scale,
        seed: wish.seed,
        threads: wish.threads,
    };
    let bar = bar(wish.epochs);
    let kept = wish.out.with_extension("partial");
    let trained =
        training.run(network.as_ref(), &mut files, wish.most, Some(&kept), &mut |epoch, losses| {
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
    let command = training.told(&rules.key, wish.most);
    let weights = trained.weights(&layout, command, &wish.commit, &mut files)?;
    let bytes = weights.write(&layout.shape);
    let wrong =
        |why: std::io::Error| Problem::new("learn-file").with("file", wish.out.display()).with("text", why);
    std::fs::write(&wish.out, bytes).map_err(wrong)?;
    let _ = std::fs::remove_file(&kept);
    let [before, after] = [trained.losses.first(), trained.losses.last()]
        .map(|losses| losses.map_or_else(String::new, |losses| format!("{:.5}", losses[1])));
    let args = [
        ("file", wish.out.display().to_string()),
        ("count", layout.shape.weights.to_string()),
        ("scale", trained.scale.to_string()),
        ("before", before),
        ("after", after),
    ];
    let args: Vec<(&str, &str)> = args.iter().map(|(key, value)| (*key, value.as_str())).collect();
    line!("{}", texts::say(language, "cli-learn-written", &args));
    Ok(())
}

/// The command that makes the same weights of the same games; where the games lie decides nothing.
fn command(wish: &FitWeights, rules: &Ruleset) -> String {
    format!(
        "qiguan learn fit --game {} --epochs {} --batch {} --rate {} --result {} --shrink {} --scale {} --most {} --seed {}{}",
        rules.key,
        wish.epochs,
        wish.batch,
        wish.rate,
        wish.result,
        wish.shrink,
        wish.scale,
        wish.most,
        wish.seed,
        if wish.further { " --further" } else { "" },
    )
}

fn bar(steps: usize) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} / {len}  {msg}  {eta}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is well formed"))
}
