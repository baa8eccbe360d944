//! `qiguan perft`.

use std::time::Instant;

use catalog::{Setting, maps};
use texts::Language;

use crate::args::Perft;

pub fn run(wish: &Perft, language: Language) -> Result<(), String> {
    let said = |p: kernel::Problem| texts::problem(language, &p);
    let options = wish.options.iter().cloned().collect();
    let game = if let Some(map) = wish.map.as_ref().filter(|_| wish.game == maps::KEY) {
        let package = maps::Package::of_files(map, &wish.extensions).map_err(said)?;
        let sandbox = sandbox::Sandbox::here();
        let rules = maps::Rules::load(&package, &options, Some(&sandbox));
        let rules =
            rules.map_err(|problems| problems.into_iter().map(said).collect::<Vec<_>>().join("\n"))?;
        rules.open(wish.fen.as_deref()).map_err(said)?
    } else {
        let entry = catalog::find(&wish.game).map_err(said)?;
        let options = entry.settle(&options, Setting::Faithful).map_err(said)?;
        entry.open(&options, wish.fen.as_deref()).map_err(said)?
    };
    let begun = Instant::now();
    let nodes = if wish.divide && wish.depth > 0 {
        let parts = game.divide(wish.depth);
        for (text, nodes) in &parts {
            println!("{text}: {nodes}");
        }
        parts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        game.perft(wish.depth, wish.threads)
    };
    let seconds = begun.elapsed().as_secs_f64();
    println!("nodes {nodes}  seconds {seconds:.3}  nps {:.0}", nodes as f64 / seconds.max(1e-9));
    Ok(())
}
