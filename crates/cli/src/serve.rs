//! The command `qiguan serve`: opens the hall and keeps it running until it is told to stop.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;

use edge::limits::Limits;
use edge::reach::Reach;
use edge::tls::TlsFiles;
use external::{Config as EngineConfig, config as engines_of, confine};
use hall::{BusAddress, NotOpened, Reload, Running, Settings, Shared};
use kernel::Problem;
use sd_notify::NotifyState;
use store::Join;
use texts::Language;
use thinking::Foreign;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, reload};

use crate::args::{self, Serve};
use crate::options::{self, Chosen, Environment};

/// The nice value of foreign engines: the hall's own work goes first.
const POLITE: u8 = 5;

/// The reason why a hall was not opened, or has closed by itself.
pub struct Closed {
    /// The sentence for the user.
    pub why: String,
    /// The exit status, on which services and scripts act.
    pub status: u8,
}

/// The exit status where the system, or a service that the hall needs, refuses something.
const REFUSED: u8 = 1;
/// The exit status where a setting cannot be applied: a service manager has no reason to try again.
const SETTING: u8 = 2;
/// The exit status where the hall cannot listen at the address.
const ADDRESS: u8 = 3;
/// The exit status where the data folder or the database cannot be used.
const DATA: u8 = 4;
/// The exit status of a hall that has closed by itself: its data are damaged, or others have taken its tables over.
const DAMAGE: u8 = 5;

impl From<String> for Closed {
    fn from(why: String) -> Closed {
        Closed { why, status: SETTING }
    }
}

impl From<std::io::Error> for Closed {
    fn from(why: std::io::Error) -> Closed {
        Closed { why: why.to_string(), status: REFUSED }
    }
}

/// Opens a hall and keeps it open until a signal comes; both Ctrl-C and SIGTERM close it in order. `words`: the
/// command line, which is parsed again, with the settings of the other places, on SIGHUP.
pub fn run(words: Vec<OsString>, language: Language) -> Result<(), Closed> {
    crate::allocator::set_for_hall();
    crate::allocator::keep_trimming();
    let environment = Environment::of_process();
    let chosen = options::choose(&words, &environment, language)?;
    let wish = &chosen.serve;
    let levels = levels(wish, language)?;
    if wish.check {
        let settings = settings(&chosen, language)?;
        let (checked, sentence) = if wish.connect {
            let runtime = tokio::runtime::Runtime::new()?;
            (runtime.block_on(hall::check_connections(&settings)), "cli-hall-connections-fine")
        } else {
            (hall::check(&settings), "cli-hall-settings-fine")
        };
        checked.map_err(|why| not_opened(why, language))?;
        crate::out::print(format_args!("{}\n", texts::say(language, sentence, &[])));
        return Ok(());
    }
    let json = wish.log_json;
    #[cfg(feature = "traces")]
    let traces =
        wish.traces.as_deref().map(|url| crate::traces::Traces::to(url, &wish.node, language)).transpose()?;
    let log = write_log(
        json,
        levels,
        #[cfg(feature = "traces")]
        traces.as_ref(),
    );
    for stranger in &chosen.strangers {
        tracing::warn!(variable = %stranger, "a variable of the environment begins like an option and is none");
    }
    crate::many_files();
    let runtime = tokio::runtime::Runtime::new()?;
    let done = runtime.block_on(open(chosen, &words, &environment, &log, language));
    drop(runtime);
    #[cfg(feature = "traces")]
    traces.into_iter().for_each(crate::traces::Traces::end);
    if json && done.is_err() {
        // A reader of JSON lines gets no other output.
        crate::out::tell_json();
    }
    done
}

/// The level of the log, which can be changed while the hall is open.
type Log = reload::Handle<Targets, Registry>;

async fn open(
    mut chosen: Chosen,
    words: &[OsString],
    environment: &Environment,
    log: &Log,
    language: Language,
) -> Result<(), Closed> {
    // From now on SIGHUP ends nothing, also while the database is waited for.
    let mut hangups = signal(SignalKind::hangup())?;
    let mut terminated = signal(SignalKind::terminate())?;
    let wish = &chosen.serve;
    let (folder, opens) = (wish.data.clone(), hall::serve(settings(&chosen, language)?));
    let (is_open, log_json) = (wish.open, wish.log_json);
    let scheme = if wish.tls_cert.is_some() { "https" } else { "http" };
    let weights = match wish.data.is_dir() {
        true => crate::extensions::bring_folder(&wish.data.join("weights"), language)?,
        // A data folder that is none is the hall's to refuse.
        false => 0,
    };
    let opened = tokio::select! {
        opened = opens => opened,
        // Nothing was served yet, so that there is nothing to close.
        interrupted = tokio::signal::ctrl_c() => return interrupted.map_err(Closed::from),
        _ = terminated.recv() => return Ok(()),
    };
    let mut running = opened.map_err(|why| not_opened(why, language))?;
    let url = format!("{scheme}://{}", running.address);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "the hall is open");
    // The hall goes on when its standard output is closed. A reader of JSON lines gets no other ones.
    let tell = |line: String| match log_json {
        true => tracing::info!("{line}"),
        false => crate::out::told_if_read(&line),
    };
    tell(texts::say(language, "cli-hall-is-open", &[("url", &url)]));
    if let Some(admin) = running.admin {
        let url = format!("http://{admin}/metrics");
        tell(texts::say(language, "cli-hall-is-measured", &[("url", &url)]));
    }
    if weights > 0 {
        tell(texts::say(language, "cli-hall-has-weights", &[("count", &weights.to_string())]));
    }
    // A supervisor has no keys.
    if std::env::var_os("NOTIFY_SOCKET").is_none() {
        tell(texts::say(language, "cli-press-to-close", &[]));
    }
    notify(&[NotifyState::Ready, NotifyState::Status(&format!("open at {url}"))]);
    if is_open {
        show(&url);
    }
    let damage = loop {
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => break interrupted.map(|()| None)?,
            _ = terminated.recv() => break None,
            why = running.damaged() => break Some(why),
            _ = hangups.recv() => {
                if let Ok(now) = NotifyState::monotonic_usec_now() {
                    notify(&[NotifyState::Reloading, now]);
                }
                let status = match reload(&chosen, &running, words, environment, log, language).await {
                    Ok(new) => {
                        chosen = new;
                        format!("open at {url}")
                    }
                    Err(why) => {
                        tracing::error!("the settings that were read before stay in use: {why}");
                        format!("open at {url}; the settings could not be read again: {why}")
                    }
                };
                notify(&[NotifyState::Ready, NotifyState::Status(&status.replace('\n', " "))]);
            }
        }
    };
    notify(&[NotifyState::Stopping]);
    running.stop().await;
    tell(texts::say(language, "cli-hall-closes", &[]));
    damage.map_or(Ok(()), |why| {
        Err(Closed { why: crate::admin::refusal(&folder, &why, language), status: DAMAGE })
    })
}

/// Returns the sentence and the status of a hall that was not opened.
fn not_opened(why: NotOpened, language: Language) -> Closed {
    let said = |problem: Problem, status| Closed { why: texts::problem(language, &problem), status };
    match why {
        NotOpened::Data(folder, why) => {
            Closed { why: crate::admin::refusal(&folder, &why, language), status: DATA }
        }
        NotOpened::Place(problem) => said(problem, DATA),
        NotOpened::Address(problem) => said(problem, ADDRESS),
        NotOpened::Setting(problem) => said(problem, SETTING),
        NotOpened::Unfit(why) => Closed { why, status: SETTING },
        NotOpened::Refused(problem) => said(problem, REFUSED),
        NotOpened::Said(why) => Closed { why, status: REFUSED },
    }
}

/// Builds the settings that a hall is opened with.
fn settings(chosen: &Chosen, language: Language) -> Result<Settings, Closed> {
    let (wish, config) = (&chosen.serve, &chosen.config);
    let engines = wish.engines.as_deref().map_or(Ok(Vec::new()), engines_of::read_file);
    let engines = engines.map_err(|problem| texts::problem(language, &problem))?;
    check_fences(&engines, &wish.data, language)?;
    let bus = BusAddress {
        bus: wish.bus.clone().unwrap_or_else(|| "local".to_owned()),
        creds: wish.bus_creds.clone(),
        ca: wish.bus_ca.clone(),
        certificate: wish.bus_cert.clone().zip(wish.bus_key.clone()),
    };
    // Either may stand in another place, so that this is known only now.
    let pairs = [
        (&wish.tls_cert, "--tls-cert", &wish.tls_key, "--tls-key"),
        (&wish.bus_cert, "--bus-cert", &wish.bus_key, "--bus-key"),
    ];
    let missing = pairs.into_iter().find_map(|(cert, cert_word, key, key_word)| match (cert, key) {
        (Some(_), None) => Some(key_word),
        (None, Some(_)) => Some(cert_word),
        _ => None,
    });
    if let Some(missing) = missing {
        return Err(texts::say(language, "usage-missing", &[("arg", missing)]).into());
    }
    if wish.store.is_none() && bus.bus != "local" {
        return Err(texts::say(language, "cli-bus-needs-store", &[("bus", &bus.shown())]).into());
    }
    let join = |url: String| Join { url, node: wish.node.clone() };
    Ok(Settings {
        shared: wish.store.clone().map(|url| Shared { join: join(url), bus }),
        waiting: |why| notify(&[NotifyState::Status(&format!("waiting: {}", why.replace('\n', " ")))]),
        listen: wish.listen,
        admin: wish.admin_listen,
        data: wish.data.clone(),
        reach: Reach {
            public_url: wish.public_url.clone(),
            behind_proxy: wish.behind_proxy,
            ..Reach::default()
        },
        limits: limits(chosen),
        loader: crate::extensions::loader(),
        foreign: Foreign { engines, fence: crate::engines::fence(POLITE) },
        notices: config.notices.clone(),
        tls: tls(wish),
        mail: config.mail.clone(),
        openid: config.openid.clone(),
        keep: config.keep,
    })
}

fn limits(chosen: &Chosen) -> Limits {
    let limits = chosen.config.limits;
    let on = chosen.serve.limits.map_or(limits.on, |wish| wish == args::Limits::On);
    Limits { on, ..limits }
}

fn tls(wish: &Serve) -> Option<TlsFiles> {
    let (cert, key) = wish.tls_cert.clone().zip(wish.tls_key.clone())?;
    Some(TlsFiles { cert, key })
}

/// Reads all settings again and has the hall follow those that it can; the log names the others.
async fn reload(
    before: &Chosen,
    running: &Running,
    words: &[OsString],
    environment: &Environment,
    log: &Log,
    language: Language,
) -> Result<Chosen, String> {
    let new = options::choose(words, environment, language)?;
    let levels = levels(&new.serve, language)?;
    let wish = Reload {
        limits: limits(&new),
        mail: new.config.mail.clone(),
        openid: new.config.openid.clone(),
        tls: tls(&new.serve),
        keep: new.config.keep,
    };
    running.reload(wish).await?;
    let _ = log.modify(|now| *now = levels);
    let changes = new.changes(before);
    // From http to https and back only at a start.
    let same_kind = tls(&new.serve).is_some() == tls(&before.serve).is_some();
    for (key, follows) in &changes {
        match *follows && (same_kind || !key.starts_with("serve.tls_")) {
            true => tracing::info!(setting = %key, "a setting has changed and is followed"),
            false => {
                tracing::warn!(setting = %key, "a setting has changed; it takes effect at the next start")
            }
        }
    }
    tracing::info!(changes = changes.len(), "the settings were read again");
    Ok(new)
}

/// Sends states to systemd, where the hall is one of its services.
fn notify(states: &[NotifyState]) {
    if let Err(why) = sd_notify::notify(states) {
        tracing::debug!(%why, "systemd was not told");
    }
}

/// Refuses engines that could read the hall's data, and logs once what confinement lacks on this system.
fn check_fences(engines: &[EngineConfig], data: &Path, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    if let Some(config) = engines.iter().find(|config| !config.unconfined && config.sees(data)) {
        let problem = Problem::new("engine-sees-data").with("name", &config.name);
        return Err(said(problem.with("folder", data.display())));
    }
    if engines.iter().any(|config| !config.unconfined) {
        confine::lacking().into_iter().for_each(|problem| tracing::warn!("{}", said(problem)));
    }
    for config in engines.iter().filter(|config| config.unconfined) {
        tracing::warn!("{}", said(Problem::new("fence-off").with("name", &config.name)));
    }
    Ok(())
}

/// Returns the levels of the log: what `--log` says, or else `RUST_LOG`, or everything of note.
fn levels(wish: &Serve, language: Language) -> Result<Targets, String> {
    let levels = match &wish.log {
        Some(text) => text
            .parse::<Targets>()
            .map_err(|_| texts::say(language, "cli-option-levels", &[("value", text)]))?,
        None => std::env::var("RUST_LOG")
            .ok()
            .and_then(|wish| wish.parse().ok())
            .unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO)),
    };
    // Spans of traces are not for the log.
    Ok(levels.with_target(tables::traces::TARGET, LevelFilter::OFF))
}

/// Logs on standard error, as lines for people or as lines of JSON.
fn write_log(
    json: bool,
    levels: Targets,
    #[cfg(feature = "traces")] traces: Option<&crate::traces::Traces>,
) -> Log {
    let wants_none = std::env::var_os("NO_COLOR").is_some_and(|wish| !wish.is_empty());
    let colours = std::io::stderr().is_terminal() && !wants_none;
    let (levels, log) = reload::Layer::new(levels);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colours);
    let lines =
        if json { lines.json().with_filter(levels).boxed() } else { lines.with_filter(levels).boxed() };
    let registry = tracing_subscriber::registry().with(lines);
    #[cfg(feature = "traces")]
    let registry = registry.with(traces.map(crate::traces::Traces::layer));
    registry.init();
    if json {
        // A panic is a line of JSON, too.
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    }
    log
}

/// Opens a browser where there is a screen; the address was printed anyway.
fn show(url: &str) {
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|v| std::env::var_os(v).is_some());
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if screen || cfg!(target_os = "macos") {
        let _ = std::process::Command::new(opener).arg(url).stderr(std::process::Stdio::null()).spawn();
    }
}
