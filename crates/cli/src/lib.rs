//! The program `qiguan`: parses arguments and calls a library; holds no logic. `main.rs` only calls it, so that the two can be
//! compiled at different levels (`scripts/dist.sh`).

mod admin;
mod allocator;
mod args;
mod cases;
mod collections;
mod competitions;
mod convert;
mod count;
mod desk;
mod extensions;
mod fresh;
mod duel;
mod engines;
mod games;
mod help;
mod interrupt;
mod learning;
mod load;
mod map;
mod options;
mod out;
mod play;
mod report;
mod riddles;
mod serve;
mod solve;
mod thinker;
#[cfg(feature = "traces")]
mod traces;
mod verify;

use std::process::ExitCode;

use args::{Args, Command};
use clap::FromArgMatches;
use clap::error::ErrorKind;

/// Runs the command that the arguments name.
#[must_use]
pub fn main() -> ExitCode {
    if sandbox::is_worker() {
        return sandbox::worker_main();
    }
    // A file that may not grow is an error of that write; unheard, this signal would end the program in the middle of it.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let language = texts::Language::of_environment(|name| std::env::var(name).ok());
    out::speak(language);
    if engines::is_started_bare()
        && let Some(done) = engines::serve_bare(language)
    {
        return ended(done);
    }
    if std::env::args_os().take_while(|arg| arg != "--").any(|arg| arg == "--json") {
        out::tell_json();
    }
    let words: Vec<_> = std::env::args_os().collect();
    let matches = help::parse(&words, language);
    let args = match matches.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(told) => {
            // Help and version are told on standard output; what is wrong, on standard error.
            match told.use_stderr() && told.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                true => out::fail(&help::mistake(&told, language)),
                false => {
                    let printed = told.print();
                    if !told.use_stderr() {
                        out::written(printed);
                    }
                }
            }
            return ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2));
        }
    };
    if args.json {
        out::tell_json();
    }
    if matches!(
        args.command,
        Command::Engine(_)
            | Command::Worker(_)
            | Command::Match(_)
            | Command::Learn(_)
            | Command::Map(_)
            | Command::Puzzles(_)
    ) {
        allocator::set_for_engines();
    }
    let done = match args.command {
        Command::Serve(_) => match serve::run(std::env::args_os().collect(), language) {
            Ok(()) => Ok(()),
            Err(serve::Closed { why, status }) => {
                out::fail(&why);
                return ExitCode::from(status);
            }
        },
        Command::Worker(wish) => match thinker::run(wish, language) {
            Ok(()) => Ok(()),
            Err(thinker::Ended { why, status }) => {
                out::fail(&why);
                return ExitCode::from(status);
            }
        },
        Command::Referee => {
            let loader = extensions::loader();
            out::written(referee::serve(
                std::io::stdin().lock(),
                std::io::stdout().lock(),
                loader.as_deref(),
            ));
            Ok(())
        }
        Command::Games { json } => games::run(json, language),
        Command::Play(wish) => play::run(&wish, language),
        Command::Perft(wish) => count::run(&wish, language),
        Command::Convert(wish) => convert::run(&wish, language),
        Command::Verify(wish) => verify::run(&wish, language),
        Command::Engine(wish) => engines::serve(wish, language),
        Command::Match(wish) => duel::run(&wish, language),
        Command::Learn(wish) => learning::run(&wish, language),
        Command::Competition(wish) => competitions::run(&wish, language),
        Command::Library(wish) => collections::run(&wish, language),
        Command::Puzzles(wish) => riddles::run(&wish, language),
        Command::Solve(wish) => solve::run(&wish, language),
        Command::Confined(wish) => Err(engines::confined(wish)),
        Command::Load(wish) => load::run(wish, language),
        Command::Map(wish) => map::run(&wish, language),
        Command::Admin(wish) => admin::run(&wish, language),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut help::command(language), "qiguan", &mut script);
            out::print(format_args!("{}", String::from_utf8_lossy(&script)));
            Ok(())
        }
        Command::Man { folder } => std::fs::create_dir_all(&folder)
            .and_then(|()| clap_mangen::generate_to(help::pages(language), &folder))
            .map_err(out::at_path(&folder)),
    };
    ended(done)
}

/// Returns the exit status of a command, and prints its error.
fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // What was wrong is told already.
        Err(why) if why.is_empty() => ExitCode::FAILURE,
        Err(why) => {
            out::fail(&why);
            ExitCode::FAILURE
        }
    }
}

/// Raises the limit on open files: every connection needs one, and the default is low.
fn many_files() {
    let _ = rlimit::increase_nofile_limit(1 << 16);
}
