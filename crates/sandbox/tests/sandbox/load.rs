//! Tests on a busy machine: the limit of extensions is CPU time, so a good map must not be accused.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jingbanqi::extension::{Extensions, Loader, Plan};
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::PlayError;
use rustix::process::{Pid, Signal, kill_process};
use sandbox::Sandbox;

use crate::support::{put_worker, small, source};

const TEXT: &str = "def check_can_go(c, p, a):\n    for i in range(20): pass\n    return c\ndef after_move(a, b):\n    for i in range(200):\n        a = i\n";
const PLAN: Plan = Plan { games: 20, longest: 40, seed: 1 };

/// Workers of a program that no other test starts, which may be silent only for a moment.
struct Stage {
    folder: PathBuf,
    program: PathBuf,
    sandbox: Sandbox,
}

impl Stage {
    fn set(name: &str) -> Stage {
        let folder = std::env::temp_dir().join(format!("qiguan-load-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let program = folder.join("sandbox-worker");
        put_worker(&program);
        let sandbox = Sandbox::new(program.clone()).with_patience(Duration::from_millis(300));
        Stage { folder, program, sandbox }
    }

    fn load(&self) -> (Arc<Rulebook>, Arc<dyn Extensions>) {
        let book = Arc::new(Rulebook::new(small(), false));
        let files = [source(TEXT)];
        // Starting it may take longer than the moment.
        let extensions = (0..50).find_map(|_| self.sandbox.load(&book, &files).ok());
        (book, extensions.expect("it loads"))
    }

    fn signal(&self, signal: Signal) {
        let processes = std::fs::read_dir("/proc").expect("is there").flatten();
        for pid in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
            let runs = std::fs::read_link(Path::new("/proc").join(pid.to_string()).join("exe"));
            if runs.is_ok_and(|program| program == self.program) {
                let _ = kill_process(Pid::from_raw(pid).expect("a number"), signal);
            }
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_move_is_refused_for_a_moment_and_played_later() {
    let stage = Stage::set("move");
    let (book, extensions) = stage.load();
    let mut game = kernel::any(Jingbanqi::with_extensions(book, extensions));
    stage.signal(Signal::STOP);
    let refused = game.play("4,3-3,3");
    assert!(matches!(&refused, Err(PlayError::Illegal(why)) if why.key == "hall-busy"), "{refused:?}");
    assert_eq!((game.plies(), game.outcome()), (0, None), "the game goes on");
    let played = (0..50).any(|_| game.play("4,3-3,3").is_ok());
    assert!(played, "nothing of that was kept");
    assert_eq!(game.caption(), None);
}

#[test]
fn a_check_that_got_no_time_accuses_nobody() {
    let stage = Stage::set("check");
    let (_, extensions) = stage.load();
    stage.signal(Signal::STOP);
    let told = extensions.rehearse(PLAN).expect("it is told");
    let fault = &told.faults.first().expect("nothing was played").fault;
    assert!(fault.is_of_load() && fault.problem().key == "hall-busy", "{fault:?}");
    let patient = stage.sandbox.clone().with_patience(Duration::from_secs(60));
    let book = Arc::new(Rulebook::new(small(), false));
    let told = patient.load(&book, &[source(TEXT)]).expect("it loads").rehearse(PLAN).expect("it is told");
    assert_eq!((told.faults.len(), told.games), (0, PLAN.games), "{:?}", told.faults);
}

/// An idle worker that another process kills is replaced: the new one replays the game, without being watched so
/// closely that it takes longer than it may.
#[test]
fn a_worker_that_was_ended_is_replaced_without_a_word() {
    let stage = Stage::set("ended");
    let patient = stage.sandbox.clone().with_patience(Duration::from_secs(60));
    let book = Arc::new(Rulebook::new(small(), false));
    let extensions = patient.load(&book, &[source(TEXT)]).expect("it loads");
    let mut game = kernel::any(Jingbanqi::with_extensions(book, extensions));
    for text in ["4,3-3,3", "1,1-2,1", "3,3-2,3"] {
        stage.signal(Signal::KILL);
        game.play(text).expect("is played");
        assert_eq!(game.caption(), None);
    }
}

/// The duration of a hook is its CPU time, without waiting.
#[test]
fn hooks_are_timed_by_the_processor() {
    let stage = Stage::set("timed");
    let patient = stage.sandbox.clone().with_patience(Duration::from_secs(60));
    let book = Arc::new(Rulebook::new(small(), false));
    let extensions = patient.load(&book, &[source(TEXT)]).expect("it loads");
    let over = AtomicBool::new(false);
    let told = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                stage.signal(Signal::STOP);
                std::thread::sleep(Duration::from_millis(60));
                stage.signal(Signal::CONT);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let told = extensions.rehearse(PLAN);
        over.store(true, Ordering::Relaxed);
        told.expect("it is told")
    });
    stage.signal(Signal::CONT);
    assert_eq!(told.faults, []);
    for hook in &told.hooks {
        assert!(hook.calls > 0 && hook.worst_us < 50_000, "{hook:?}");
    }
}
