//! The `qiguan` binary: opens every door. Parses arguments and calls a library; holds no logic.

mod admin;
mod args;
mod convert;
mod count;
mod extensions;
mod duel;
mod engines;
mod games;
mod learning;
mod load;
mod map;
mod play;
mod serve;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;

fn main() -> ExitCode {
    if sandbox::is_worker() {
        return sandbox::worker_main();
    }
    end_with_the_reader();
    let language = texts::Language::preferred(&std::env::var("LANG").unwrap_or_default());
    let done = match Args::parse().command {
        Command::Serve(wish) => serve::run(wish, language),
        Command::Referee => {
            let loader = extensions::loader();
            let done = referee::serve(std::io::stdin().lock(), std::io::stdout().lock(), loader.as_deref());
            done.map_err(|e| e.to_string())
        }
        Command::Games { json } => games::run(json, language),
        Command::Play(wish) => play::run(&wish, language),
        Command::Perft(wish) => count::run(&wish, language),
        Command::Convert(wish) => convert::run(&wish, language),
        Command::Engine(wish) => engines::serve(wish, language),
        Command::Match(wish) => duel::run(&wish, language),
        Command::Learn(wish) => learning::run(&wish, language),
        Command::Confined(wish) => Err(engines::confined(wish)),
        Command::Load(wish) => load::run(wish),
        Command::Map(wish) => map::run(&wish, language),
        Command::Admin(wish) => admin::run(&wish, language),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("qiguan: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Every connection is a file; systems allow few at first, and more to who asks.
fn many_files() {
    let _ = rlimit::increase_nofile_limit(1 << 16);
}

/// Whoever pipes this into `head` wants no more than that: a reader that has gone ends the program in silence.
fn end_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or_default();
        if text.starts_with("failed printing to stdout") && text.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(panic);
    }));
}
