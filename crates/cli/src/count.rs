//! The command `qiguan perft`: counts move paths and reports the speed.

use std::time::{Duration, Instant};

use catalog::Setting;
use kernel::perft::perft_while;
use serde_json::json;
use texts::Language;

use crate::args::Perft;
use crate::out::line;

pub fn run(wish: &Perft, language: Language) -> Result<(), String> {
    let said = |p: kernel::Problem| texts::problem(language, &p);
    let entry = catalog::named(&wish.game).map_err(said)?;
    let options = entry.settle(&wish.options.iter().cloned().collect(), Setting::Faithful).map_err(said)?;
    let map = wish.map.load(entry, &options, language)?;
    let fen = wish.fen.as_deref().map(|text| records::pasted(entry.key, text)).transpose().map_err(said)?;
    let mut game = entry.open(map.as_ref(), &options, fen.flatten().as_deref()).map_err(said)?;
    let begun = Instant::now();
    let most = Duration::from_secs(wish.seconds);
    let goes_on = || most.is_zero() || begun.elapsed() < most;
    let late = || {
        let seconds = wish.seconds.to_string();
        texts::say(language, "cli-perft-late", &[("seconds", &seconds), ("depth", &wish.depth.to_string())])
    };
    let mut parts = Vec::new();
    let nodes = if wish.divide && wish.depth > 0 {
        game.play_past_draws(true);
        for text in game.moves() {
            game.play(&text).expect("it was listed");
            let nodes = perft_while(&*game, wish.depth - 1, wish.threads, &goes_on).ok_or_else(late)?;
            game.undo();
            if !wish.json {
                line!("{text}: {nodes}");
            }
            parts.push((text, nodes));
        }
        parts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft_while(&*game, wish.depth, wish.threads, &goes_on).ok_or_else(late)?
    };
    let seconds = begun.elapsed().as_secs_f64();
    let speed = (nodes as f64 / seconds.max(1e-9)).round();
    if wish.json {
        let mut told = json!({
            "game": entry.key, "fen": game.start_fen(), "depth": wish.depth,
            "nodes": nodes, "seconds": seconds, "nps": speed,
        });
        if wish.divide {
            let part = |(text, nodes): (String, u64)| json!({"move": text, "nodes": nodes});
            told["divide"] = parts.into_iter().map(part).collect();
        }
        line!("{told}");
    } else {
        line!("nodes {nodes}  seconds {seconds:.3}  nps {speed:.0}");
    }
    Ok(())
}
