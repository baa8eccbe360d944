//! `qiguan serve`.

use hall::Settings;
use hall::limits::Limits;
use hall::visitor::Reach;
use texts::Language;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::{self, Serve};

pub fn run(wish: Serve, language: Language) -> Result<(), String> {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if wish.log_json {
        log.json().init()
    } else {
        log.init()
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    runtime.block_on(open(wish, language))
}

async fn open(wish: Serve, language: Language) -> Result<(), String> {
    let reach = Reach { public_url: wish.public_url, loopback: false, behind_proxy: wish.behind_proxy };
    let limits = Limits { on: wish.limits == args::Limits::On, ..Limits::default() };
    let running = hall::serve(Settings { listen: wish.listen, data: wish.data, reach, limits }).await?;
    let url = format!("http://{}", running.address);
    println!("{}", texts::say(language, "cli-hall-is-open", &[("url", &url)]));
    println!("{}", texts::say(language, "cli-press-to-close", &[]));
    if wish.open {
        show(&url);
    }
    let mut terminated = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted.map_err(|e| e.to_string())?,
        _ = terminated.recv() => {}
    }
    running.stop().await;
    println!("{}", texts::say(language, "cli-hall-closes", &[]));
    Ok(())
}

/// Opens a browser where there is a screen; the address was printed anyway.
fn show(url: &str) {
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|v| std::env::var_os(v).is_some());
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if screen || cfg!(target_os = "macos") {
        let _ = std::process::Command::new(opener).arg(url).stderr(std::process::Stdio::null()).spawn();
    }
}
