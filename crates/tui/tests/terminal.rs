//! A panic, in the thread that draws or in another one, leaves the terminal as it was.
//!
//! This program runs itself in a terminal of tmux, with players that fail. Without tmux it prints a note and ends.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::AnyGame;
use texts::Language;
use tui::opponent::{Opponent, OwnEngines, Players};
use tui::{Depth, Opening, Paint, Settings, Start, Theme};

/// The environment variable that makes this program run in the terminal, and names the place where it fails.
const WHERE: &str = "QIGUAN_FAILS";
const PATIENCE: Duration = Duration::from_secs(60);

/// Players that fail when their levels are requested, or when they think.
struct Failing(String);

struct Thinker;

impl Players for Failing {
    fn levels(&self, game: &dyn AnyGame) -> u8 {
        assert_ne!(self.0, "drawing", "asked for players");
        OwnEngines.levels(game)
    }

    fn player(&self, _level: u8) -> Option<Box<dyn Opponent>> {
        Some(Box::new(Thinker))
    }

    fn analyst(&self) -> Option<Box<dyn Opponent>> {
        Some(Box::new(Thinker))
    }
}

impl Opponent for Thinker {
    fn think(
        &mut self,
        _game: &dyn AnyGame,
        _time: Option<Duration>,
        _stop: engine::Stop,
        _tell: &mut dyn FnMut(tui::opponent::Thought),
    ) -> Option<String> {
        panic!("asked to think")
    }
}

/// Runs the screen in the terminal of tmux; does nothing elsewhere.
#[test]
fn fails() {
    let Ok(place) = std::env::var(WHERE) else { return };
    // A report that takes its time, as one with a backtrace: the thread that draws must not go on meanwhile.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::thread::sleep(Duration::from_secs(2));
    }));
    let opening = Opening::of("gomoku", &catalog::Options::new()).expect("a game");
    let settings = Settings {
        language: Language::English,
        paint: Paint { theme: Theme::Wide, depth: Depth::Many, directions: true, targets: true },
        players: Arc::new(Failing(place)),
        loader: None,
        author: None,
        folder: std::env::temp_dir(),
        trust: None,
    };
    let _ = tui::run(settings, Start::Game(Box::new(opening), [None; 2]));
}

#[test]
fn a_panic_gives_the_terminal_back() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("not run here: there is no tmux (scripts/setup.sh test installs it)");
        return;
    }
    for (place, said) in [("drawing", "asked for players"), ("thinking", "asked to think")] {
        let socket = format!("qiguan-panic-{}-{place}", std::process::id());
        let tmux = |args: &[&str]| {
            let mut tmux = Command::new("tmux");
            tmux.args(["-L", &socket]).args(args).env("LC_ALL", "C.UTF-8").env_remove("TMUX");
            String::from_utf8_lossy(&tmux.output().expect("tmux runs").stdout).into_owned()
        };
        let wait = |wished: &dyn Fn(&str) -> bool| {
            let until = Instant::now() + PATIENCE;
            loop {
                let text = tmux(&["capture-pane", "-p"]);
                if wished(&text) || Instant::now() > until {
                    return text;
                }
                std::thread::sleep(Duration::from_millis(60));
            }
        };
        let this = std::env::current_exe().expect("this program");
        let command = format!(
            "env {WHERE}={place} RUST_BACKTRACE=0 '{}' --exact fails --nocapture; echo \"left with $?\"; stty -a; exec sleep 100",
            this.display()
        );
        tmux(&["-u", "new-session", "-d", "-x", "100", "-y", "40", &command]);
        wait(&|text| text.contains("Black to move"));
        // Who analyses is asked for here, and thinks on a thread of its own.
        tmux(&["send-keys", "a"]);
        wait(&|text| text.contains(said));
        // A resize, after which everything would be drawn again, if the program still drew.
        tmux(&["resize-window", "-x", "98", "-y", "40"]);
        let text = wait(&|text| text.contains(" icanon"));
        tmux(&["kill-server"]);
        assert!(text.contains(said) && text.contains("left with 101"), "{place}: {text}");
        assert!(text.contains(" icanon") && text.contains(" echo "), "{place}: {text}");
        assert!(!text.contains("Black to move"), "{place}: {text}");
    }
}
