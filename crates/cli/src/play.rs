//! `qiguan play`.

use catalog::Setting;
use texts::Language;

use crate::args::Play;

/// The family the classic console is for.
const CONSOLE: &str = "gomoku";

pub fn run(wish: &Play, language: Language) -> Result<(), String> {
    let said = |p: kernel::Problem| texts::problem(language, &p);
    let entry = tui::entry(&wish.game).map_err(said)?;
    if wish.seed_console && entry.family != CONSOLE {
        return Err(texts::say(language, "cli-console-is-gomoku", &[("game", entry.key)]));
    }
    let options = entry.settle(&wish.options.iter().cloned().collect(), Setting::Faithful).map_err(said)?;
    let map = wish.map.load(entry, &options, language)?;
    let mut game = entry.open(map.as_ref(), &options, wish.fen.as_deref()).map_err(said)?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let done = if wish.seed_console {
        tui::console::play(&mut *game, input, output)
    } else {
        tui::lines::play(entry, &mut *game, language, input, output)
    };
    done.map_err(|e| e.to_string())
}
