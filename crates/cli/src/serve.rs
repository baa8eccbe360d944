//! The command `qiguan serve`: opens the hall and keeps it running until it is told to stop.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use external::{Config as EngineConfig, config, confine};
use hall::config::Config;
use hall::limits::Limits;
use hall::opponents::Foreign;
use hall::tls::TlsFiles;
use hall::visitor::Reach;
use hall::{BusAddress, NotOpened, Settings, Shared};
use kernel::Problem;
use store::Join;
use texts::Language;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::{self, Serve};
use crate::out;

/// By how much the priority of foreign engines is lowered: the hall's own work goes first.
const POLITE: u8 = 5;

/// Why a hall was not opened, or has closed by itself.
pub struct Closed {
    /// The sentence that is told.
    pub why: String,
    /// The exit status: services and scripts act by it.
    pub status: u8,
}

/// A setting cannot be followed, or the system refuses something.
const SETTING: u8 = 1;
/// The exit status where nobody can listen at the address.
const ADDRESS: u8 = 3;
/// The data folder or the database cannot be used.
const DATA: u8 = 4;
/// The hall was open and has closed by itself: its data are damaged, or others have taken its tables over.
const DAMAGE: u8 = 5;

impl From<String> for Closed {
    fn from(why: String) -> Closed {
        Closed { why, status: SETTING }
    }
}

/// Opens a hall and keeps it open until a signal comes; both Ctrl-C and SIGTERM close it in order.
pub fn run(wish: Serve, language: Language) -> Result<(), Closed> {
    crate::allocator::set_for_hall();
    crate::allocator::keep_trimming();
    #[cfg(feature = "traces")]
    let traces =
        wish.traces.as_deref().map(|url| crate::traces::Traces::to(url, &wish.node, language)).transpose()?;
    write_log(
        wish.log_json,
        #[cfg(feature = "traces")]
        traces.as_ref(),
    );
    crate::many_files();
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    let done = runtime.block_on(open(wish, language));
    drop(runtime);
    #[cfg(feature = "traces")]
    traces.into_iter().for_each(crate::traces::Traces::end);
    done
}

async fn open(wish: Serve, language: Language) -> Result<(), Closed> {
    let reach = Reach { public_url: wish.public_url, behind_proxy: wish.behind_proxy, ..Reach::default() };
    let tls = wish.tls_cert.zip(wish.tls_key).map(|(cert, key)| TlsFiles { cert, key });
    let scheme = if tls.is_some() { "https" } else { "http" };
    let config = wish.config.as_deref().map_or(Ok(Config::default()), read_config)?;
    let on = wish.limits.map_or(config.limits.on, |wish| wish == args::Limits::On);
    let limits = Limits { on, ..config.limits };
    let loader = crate::extensions::loader();
    let engines = wish.engines.as_deref().map_or(Ok(Vec::new()), config::read_file);
    let engines = engines.map_err(|problem| texts::problem(language, &problem))?;
    check_fences(&engines, &wish.data, language)?;
    // A data folder that is none is the hall's to refuse.
    let weights = match wish.data.is_dir() {
        true => crate::extensions::bring_folder(&wish.data.join("weights"), language)?,
        false => 0,
    };
    let foreign = Foreign { engines, fence: crate::engines::fence(POLITE) };
    let store = wish.store.or_else(|| variable("QIGUAN_STORE"));
    let bus = BusAddress {
        bus: wish.bus.or_else(|| variable("QIGUAN_BUS")).unwrap_or_else(|| "local".to_owned()),
        creds: wish.bus_creds.or_else(|| variable("QIGUAN_BUS_CREDS").map(PathBuf::from)),
        ca: wish.bus_ca.or_else(|| variable("QIGUAN_BUS_CA").map(PathBuf::from)),
    };
    if store.is_none() && bus.bus != "local" {
        return Err(texts::say(language, "cli-bus-needs-store", &[("bus", &bus.shown())]).into());
    }
    let shared = store.map(|url| Shared { join: Join { url, node: wish.node }, bus });
    let settings = Settings {
        shared,
        listen: wish.listen,
        admin: wish.admin_listen,
        data: wish.data,
        reach,
        limits,
        loader,
        foreign,
        notices: config.notices,
        tls,
        mail: config.mail,
        openid: config.openid,
    };
    let folder = settings.data.clone();
    let mut running = hall::serve(settings).await.map_err(|why| match why {
        NotOpened::Data(folder, why) => {
            Closed { why: crate::admin::refusal(&folder, &why, language), status: DATA }
        }
        NotOpened::Place(problem) => Closed { why: texts::problem(language, &problem), status: DATA },
        NotOpened::Address(problem) => Closed { why: texts::problem(language, &problem), status: ADDRESS },
        NotOpened::Setting(problem) => texts::problem(language, &problem).into(),
        NotOpened::Said(why) => why.into(),
    })?;
    let url = format!("{scheme}://{}", running.address);
    // A hall goes on when nobody reads its words any more.
    let tell = |line: String| crate::out::told_if_read(&line);
    tell(texts::say(language, "cli-hall-is-open", &[("url", &url)]));
    if let Some(admin) = running.admin {
        let url = format!("http://{admin}/metrics");
        tell(texts::say(language, "cli-hall-is-measured", &[("url", &url)]));
    }
    if weights > 0 {
        tell(texts::say(language, "cli-hall-has-weights", &[("count", &weights.to_string())]));
    }
    tell(texts::say(language, "cli-press-to-close", &[]));
    if wish.open {
        show(&url);
    }
    let mut terminated = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    let damage = tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| None).map_err(|e| e.to_string())?,
        _ = terminated.recv() => None,
        why = running.damaged() => Some(why),
    };
    running.stop().await;
    tell(texts::say(language, "cli-hall-closes", &[]));
    damage.map_or(Ok(()), |why| {
        Err(Closed { why: crate::admin::refusal(&folder, &why, language), status: DAMAGE })
    })
}

/// The variable of the environment, unless it is empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The settings in that file.
fn read_config(path: &Path) -> Result<Config, String> {
    let text = std::fs::read_to_string(path).map_err(out::at_path(path))?;
    Config::read(&text).map_err(|why| format!("{}: {why}", path.display()))
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

/// Logs on standard error: what `RUST_LOG` asks for, such as `info,hall=debug`, or everything of note.
fn write_log(json: bool, #[cfg(feature = "traces")] traces: Option<&crate::traces::Traces>) {
    let wished = std::env::var("RUST_LOG").ok().and_then(|wish| wish.parse::<Targets>().ok());
    let wished = wished.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let wants_none = std::env::var_os("NO_COLOR").is_some_and(|wish| !wish.is_empty());
    let colours = std::io::stderr().is_terminal() && !wants_none;
    // Spans of traces are not for the log.
    let wished = wished.with_target(hall::traces::TARGET, LevelFilter::OFF);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colours);
    let lines =
        if json { lines.json().with_filter(wished).boxed() } else { lines.with_filter(wished).boxed() };
    let log = tracing_subscriber::registry().with(lines);
    #[cfg(feature = "traces")]
    let log = log.with(traces.map(crate::traces::Traces::layer));
    log.init();
}

/// Opens a browser where there is a screen; the address was printed anyway.
fn show(url: &str) {
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|v| std::env::var_os(v).is_some());
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if screen || cfg!(target_os = "macos") {
        let _ = std::process::Command::new(opener).arg(url).stderr(std::process::Stdio::null()).spawn();
    }
}
