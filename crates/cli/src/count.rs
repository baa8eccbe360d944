//! `qiguan perft`.

use std::time::Instant;

use catalog::Setting;
use texts::Language;

use crate::args::Perft;

pub fn run(wish: &Perft, language: Language) -> Result<(), String> {
    let said = |p: kernel::Problem| texts::problem(language, &p);
    let entry = catalog::find(&wish.game).map_err(said)?;
    let options = entry.settle(&wish.options.iter().cloned().collect(), Setting::Faithful).map_err(said)?;
    let map = wish.map.load(entry, &options, language)?;
    let game = entry.open(map.as_ref(), &options, wish.fen.as_deref()).map_err(said)?;
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
