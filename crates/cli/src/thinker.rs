//! The command `qiguan worker`: thinks for a hall on this machine until it is told to stop.

use std::io::Read;
use std::path::Path;

use client::{Error, Http, Trust};
use external::config;
use kernel::Problem;
use texts::{Language, say};
use thinking::{EnginePool, Foreign};
use tokio::signal::unix::{SignalKind, signal};
use worker::{Worker as Thinker, WorkerEvent};

use crate::args::Worker;
use crate::out::note;

/// The nice value of foreign engines.
const POLITE: u8 = 0;
/// The largest file of a key, in bytes.
const MOST_KEY: u64 = 4096;
/// The variable that holds the key, and the one that names a file with it.
const KEY: [&str; 2] = ["QIGUAN_WORKER_TOKEN", "QIGUAN_WORKER_TOKEN_FILE"];
/// The exit status where an option cannot be applied.
const SETTING: u8 = 1;
/// The exit status where the hall does not know the key.
const UNKNOWN: u8 = 6;

/// The reason why the worker has ended by itself: the sentence, and the exit status.
pub struct Ended {
    pub why: String,
    pub status: u8,
}

impl From<String> for Ended {
    fn from(why: String) -> Ended {
        Ended { why, status: SETTING }
    }
}

/// Works until a signal comes.
pub fn run(wish: Worker, language: Language) -> Result<(), Ended> {
    let key = key(&wish, language)?;
    let trust = wish.ca.as_deref().map(Trust::of_file).transpose();
    let trust = trust.map_err(|problem| texts::problem(language, &problem))?;
    let engines = wish.engines.as_deref().map_or(Ok(Vec::new()), config::read_file);
    let engines = engines.map_err(|problem| texts::problem(language, &problem))?;
    for config in engines.iter().filter(|config| config.unconfined) {
        note!("{}", texts::problem(language, &Problem::new("fence-off").with("name", &config.name)));
    }
    let own = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cores = wish.cores.unwrap_or(own);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|why| why.to_string())?;
    runtime.block_on(async {
        let thinker = Thinker {
            http: Http::new(&trust.unwrap_or_else(Trust::system)),
            hall: wish.hall.clone(),
            key,
            cores,
            pool: EnginePool::new(Foreign { engines, fence: crate::engines::fence(POLITE) }),
            loader: crate::extensions::loader(),
        };
        let (end, stop) = tokio::sync::watch::channel(false);
        let mut terminated = signal(SignalKind::terminate()).map_err(|why| why.to_string())?;
        tokio::spawn(async move {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            note!("{}", say(language, "cli-worker-ends", &[]));
            end.send_replace(true);
            // The second one ends it at once; the hall does what was begun.
            let _ = tokio::signal::ctrl_c().await;
            std::process::exit(130);
        });
        let hall = wish.hall.clone();
        let done = thinker.run(stop, move |told| note!("{}", sentence(&hall, cores, told, language))).await;
        match done {
            Ok(done) => {
                let facts = [("answered", done.answered.to_string()), ("back", done.given_back.to_string())];
                let facts: Vec<(&str, &str)> =
                    facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
                note!("{}", say(language, "cli-worker-ended", &facts));
                Ok(())
            }
            Err(why) => {
                let status = if matches!(why, Error::Refused(_)) { UNKNOWN } else { SETTING };
                Err(Ended { why: reason(why, language), status })
            }
        }
    })
}

/// Returns the sentence that tells an event of the worker.
fn sentence(hall: &str, cores: usize, told: WorkerEvent, language: Language) -> String {
    match told {
        WorkerEvent::Known(name) => {
            let cores = cores.to_string();
            say(language, "cli-worker-known", &[("hall", hall), ("name", &name), ("cores", &cores)])
        }
        WorkerEvent::Lost(why, seconds) => {
            let (why, seconds) = (reason(why, language), seconds.to_string());
            say(language, "cli-worker-lost", &[("hall", hall), ("why", &why), ("seconds", &seconds)])
        }
        WorkerEvent::Refused(problem, seconds) => {
            let (why, seconds) = (tui::refusal(language, &problem), seconds.to_string());
            say(language, "cli-worker-refused", &[("hall", hall), ("why", &why), ("seconds", &seconds)])
        }
        WorkerEvent::Back => say(language, "cli-worker-back", &[("hall", hall)]),
    }
}

fn reason(why: Error, language: Language) -> String {
    match why {
        Error::Refused(problem) => tui::refusal(language, &problem),
        why => why.to_string(),
    }
}

/// Returns the worker's key: of the command line, the environment, or a file.
fn key(wish: &Worker, language: Language) -> Result<String, String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let named = wish.token_file.clone().or_else(|| variable(KEY[1]).map(Into::into));
    let key = match (&wish.token, wish.token_file.is_some(), variable(KEY[0])) {
        (Some(key), ..) => key.clone(),
        (None, false, Some(key)) => key,
        _ => match named {
            Some(file) => read(&file)?,
            None => return Err(say(language, "cli-worker-no-key", &[])),
        },
    };
    let key = key.trim();
    if people::Secret::read_worker(key).is_none() {
        return Err(say(language, "cli-worker-odd-key", &[]));
    }
    Ok(key.to_owned())
}

fn read(file: &Path) -> Result<String, String> {
    let unread = |why: std::io::Error| format!("{}: {why}", file.display());
    let mut text = String::new();
    std::fs::File::open(file).map_err(unread)?.take(MOST_KEY).read_to_string(&mut text).map_err(unread)?;
    Ok(text)
}
