//! The help of the command line: examples and exit statuses behind the help of each command, which the manual pages
//! have as well, and errors in the arguments in the language of the user.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, CommandFactory, Error};
use texts::{Language, say};

use crate::args::Args;

/// A command by its path, and example command lines.
type Examples = (&'static str, &'static [&'static str]);

/// Examples for every command. A test reads each of them as the program would.
const EXAMPLES: &[Examples] = &[
    (
        "serve",
        &[
            "qiguan serve",
            "qiguan serve --listen :8080 --data /var/lib/qiguan",
            "qiguan serve --check --connect --config /etc/qiguan/hall.toml",
        ],
    ),
    (
        "worker",
        &[
            "qiguan worker --hall https://hall.example --token-file key",
            "qiguan worker --hall http://127.0.0.1:8080 --cores 2",
        ],
    ),
    ("referee", &["qiguan referee < questions.jsonl"]),
    ("games", &["qiguan games", "qiguan games --json"]),
    ("play", &["qiguan play", "qiguan play xiangqi --level 5", "qiguan play --load game.pgn"]),
    ("perft", &["qiguan perft xiangqi 4 --divide", "qiguan perft gomoku/renju 3 -j 2"]),
    (
        "convert",
        &["qiguan convert -t pgn game.xqf game.pgn", "qiguan convert -t json --force in.pdn out.json"],
    ),
    ("verify", &["qiguan verify qiguan-k3m9q2w7.json", "qiguan verify game.json --json"]),
    (
        "competition pair",
        &[
            "qiguan competition pair club.trf -p boards.txt",
            "qiguan competition pair league.trf --method robin",
        ],
    ),
    ("competition rank", &["qiguan competition rank club.trf --by PTS,DE,BH/C1,SB"]),
    ("competition check", &["qiguan competition check club.trf"]),
    ("competition make", &["qiguan competition make --entrants 40 --rounds 7 --seed 3"]),
    ("library import", &["qiguan library import --into masters games.pdn"]),
    ("library search", &["qiguan library search --player Hu --json"]),
    ("library explore", &["qiguan library explore -g xiangqi h2e2"]),
    ("library export", &["qiguan library export -t pgn --player Hu hu.pgn"]),
    ("library info", &["qiguan library info", "qiguan library info masters"]),
    ("library remove", &["qiguan library remove masters"]),
    ("puzzles make", &["qiguan puzzles make -g gomoku --games 200"]),
    ("puzzles export", &["qiguan puzzles export --family xiangqi -o puzzles.jsonl"]),
    ("puzzles solve", &["qiguan puzzles solve xiangqi"]),
    ("puzzles set", &["qiguan puzzles set --map mountains --within 2"]),
    ("puzzles info", &["qiguan puzzles info"]),
    (
        "engine",
        &["qiguan engine xiangqi", "qiguan engine draughts hub", "qiguan engine draughts --listen :27531"],
    ),
    ("match", &["qiguan match -g xiangqi -a our:level=5 -b our:level=4 -p 50 --nodes 5000"]),
    ("learn games", &["qiguan learn games -g draughts/russian -o games.jsonl --games 1000"]),
    ("learn openings", &["qiguan learn openings -g xiangqi -o openings.txt"]),
    ("learn positions", &["qiguan learn positions -g xiangqi --data games.jsonl -o games.positions"]),
    ("learn fit", &["qiguan learn fit -g xiangqi --data games.positions -o xiangqi.bin"]),
    ("learn train", &["qiguan learn train -g xiangqi --data games.positions -o xiangqi.bin"]),
    ("solve locked", &["qiguan solve locked --board 6 --stones 2"]),
    ("solve check", &["qiguan solve check proof.bin"]),
    ("confined", &["qiguan confined --folder /opt/engine -- ./engine"]),
    ("load", &["qiguan load --hall http://127.0.0.1:8080 --connections 200"]),
    ("map new", &["qiguan map new mine.xlsx"]),
    ("map check", &["qiguan map check mine.xlsx"]),
    ("map show", &["qiguan map show mine.xlsx"]),
    ("map api", &["qiguan map api"]),
    ("map board", &["qiguan map board mine.xlsx -o board.csv"]),
    ("map test", &["qiguan map test maps"]),
    ("map watch", &["qiguan map watch maps"]),
    ("map report", &["qiguan map report mine.xlsx -o report"]),
    ("admin check", &["qiguan admin check --data data"]),
    ("admin backup", &["qiguan admin backup hall.backup --data data"]),
    ("admin restore", &["qiguan admin restore hall.backup --data data"]),
    ("admin pardon", &["qiguan admin pardon k3v9qd --data data"]),
    ("admin rebuild", &["qiguan admin rebuild --data data"]),
    ("admin ratings", &["qiguan admin ratings --recompute --data data"]),
    ("admin role", &["qiguan admin role Hu moderator --data data"]),
    ("admin forget", &["qiguan admin forget Hu --data data"]),
    ("admin export", &["qiguan admin export Hu hu.jsonl --data data"]),
    (
        "admin ban",
        &[
            "qiguan admin ban Hu --days 7 --data data",
            "qiguan admin ban 192.0.2.0/24 --days 30 --data data",
            "qiguan admin ban 10.0.0.0/12 --days 1 --wide --data data",
        ],
    ),
    ("admin unban", &["qiguan admin unban Hu --data data", "qiguan admin unban 192.0.2.0/24 --data data"]),
    ("admin hits", &["qiguan admin hits 192.0.2.0/24 --data data"]),
    ("admin bans", &["qiguan admin bans --data data"]),
    ("admin decide", &["qiguan admin decide Hu mute --days 3 --reason insults --data data"]),
    ("admin reports", &["qiguan admin reports --data data", "qiguan admin reports --about Hu --data data"]),
    ("admin report", &["qiguan admin report 12 warn --reason insults --data data"]),
    ("admin person", &["qiguan admin person Hu --data data"]),
    ("admin announce", &["qiguan admin announce --en Soon. --zh 马上。 --hours 3 --data data"]),
    (
        "admin registration",
        &[
            "qiguan admin registration invited --data data",
            "qiguan admin registration --invite 30 --label club --data data",
        ],
    ),
    (
        "admin invitations",
        &["qiguan admin invitations --data data", "qiguan admin invitations --revoke k3v9qd --data data"],
    ),
    (
        "admin take-down",
        &[
            "qiguan admin take-down --data data",
            "qiguan admin take-down 0123456789abcdef0123456789abcdef --reason copied --data data",
        ],
    ),
    ("admin put-back", &["qiguan admin put-back 0123456789abcdef0123456789abcdef --data data"]),
    ("admin search", &["qiguan admin search Hu --data data", "qiguan admin search --sharing Hu --data data"]),
    ("admin audit", &["qiguan admin audit --about Hu --data data"]),
    ("admin accept-damage", &["qiguan admin accept-damage --data data"]),
    ("admin bus-key", &["qiguan admin bus-key --store postgres://qiguan@127.0.0.1/qiguan"]),
    ("admin worker-key add", &["qiguan admin worker-key add laptop --data data"]),
    ("admin worker-key list", &["qiguan admin worker-key list --data data"]),
    ("admin worker-key remove", &["qiguan admin worker-key remove k3v9qd --data data"]),
    ("admin worker-key restore", &["qiguan admin worker-key restore k3v9qd --data data"]),
    ("admin move", &["qiguan admin move --data data --store postgres://qiguan@127.0.0.1/qiguan"]),
    ("completions", &["qiguan completions bash > ~/.local/share/bash-completion/completions/qiguan"]),
    ("man", &["qiguan man ~/.local/share/man/man1"]),
];

/// Parses a command line. Its help is worded only when an error or a request for help needs the texts.
///
/// # Errors
/// A mistake in the arguments, or a request for help or the version, in that language.
pub fn parse<W: Clone + Into<std::ffi::OsString>>(
    words: &[W],
    language: Language,
) -> Result<ArgMatches, Error> {
    built(Args::command())
        .try_get_matches_from(words.iter().cloned())
        .or_else(|_| command(language).try_get_matches_from(words.iter().cloned()))
}

/// Returns the command line in that language, with examples and exit statuses behind the help of each command.
pub fn command(language: Language) -> Command {
    translated(built(Args::command()), "", language)
}

/// Returns the command line for manual pages, which need no `help` command.
pub fn pages(language: Language) -> Command {
    translated(built(Args::command().disable_help_subcommand(true)), "", language)
}

/// Returns a command with the options that every command has.
fn built(mut command: Command) -> Command {
    command.build();
    command
}

/// Returns a command with its help in that language, and so with all commands in it. `path`: its name behind those of
/// the commands it is in.
fn translated(command: Command, path: &str, language: Language) -> Command {
    let word = |key: &str| say(language, key, &[]);
    let is_help = path == "help" || path.ends_with(" help");
    // Behind `help` the commands stand once more.
    let of: Vec<&str> = path.split(' ').filter(|word| *word != "help").collect();
    let key = if is_help { "help-help".to_owned() } else { key_of_command(&of.join(" ")) };
    let about = word(&key);
    let summary = about.split("\n\n").next().unwrap_or_default().to_owned();
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{}: {{usage}}\n\n{{all-args}}{{after-help}}",
        word("help-usage")
    );
    let mut told = command
        .about(summary)
        .long_about(about)
        .help_template(template)
        .subcommand_help_heading(word("help-commands"))
        .mut_args(|arg| translated_arg(arg, path, language));
    let examples =
        EXAMPLES.iter().find(|(known, _)| *known == path).map_or(&[][..], |(_, examples)| examples);
    if !examples.is_empty() || path.is_empty() {
        told = told.after_help(StyledStr::from(after(path, examples, language)));
    }
    told.mut_subcommands(|inner| {
        let path = if path.is_empty() {
            inner.get_name().to_owned()
        } else {
            format!("{path} {}", inner.get_name())
        };
        translated(inner, &path, language)
    })
}

/// Returns the key of the help of a command.
fn key_of_command(path: &str) -> String {
    format!("help-{}", if path.is_empty() { "qiguan".to_owned() } else { path.replace(' ', "-") })
}

/// Returns the key of the help of an argument: one of its own, or that of most commands which have it.
fn key_of_arg(arg: &Arg, path: &str) -> String {
    let id = arg.get_id().as_str().replace('_', "-");
    if arg.is_global_set() {
        return format!("help-arg-global-{id}");
    }
    let own = format!("help-arg-{}-{id}", path.replace(' ', "-"));
    if say(Language::English, &own, &[]) == own { format!("help-arg-{id}") } else { own }
}

/// Returns an argument with its help in that language, followed by its values and its default.
fn translated_arg(arg: Arg, path: &str, language: Language) -> Arg {
    let key = key_of_arg(&arg, path);
    let mut told = say(language, &key, &[]);
    if told == key {
        return arg;
    }
    let mut add = |key, name, value: &str| {
        if !value.is_empty() {
            told.push(' ');
            told.push_str(&say(language, key, &[(name, value)]));
        }
    };
    let takes = arg.get_action().takes_values();
    if takes && !arg.is_hide_default_value_set() {
        let usual: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        add("help-default", "value", &usual.join(","));
    }
    if takes && !arg.is_hide_possible_values_set() {
        let values: Vec<String> = arg.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
        add("help-values", "values", &values.join(", "));
    }
    if path == "serve" && !["help", "version", "json"].contains(&arg.get_id().as_str()) {
        add("help-variable", "name", &crate::options::variable(arg.get_id().as_str()));
    }
    let heading = if arg.is_positional() { "help-arguments" } else { "help-options" };
    let is_long = arg.get_long_help().is_some();
    let mut arg = arg.hide_default_value(true).hide_possible_values(true);
    if is_long {
        arg = arg.long_help(told.clone());
        told.truncate(told.find("\n\n").unwrap_or(told.len()));
    }
    arg.help(told).help_heading(say(language, heading, &[]))
}

/// Returns the text behind the help of a command.
fn after(path: &str, examples: &[&str], language: Language) -> String {
    let word = |key: &str| say(language, key, &[]);
    let lines: String = examples.iter().map(|example| format!("  {example}\n")).collect();
    let status = STATUSES.iter().find(|(known, _)| *known == path).map_or("help-status", |(_, key)| key);
    let mut parts = vec![word(status)];
    if !examples.is_empty() {
        parts.insert(0, format!("{}\n{lines}", word("help-examples")));
    }
    parts.extend(AROUND.iter().filter(|(known, _)| *known == path).map(|(_, key)| word(key)));
    parts.join("\n")
}

/// Files and variables of the environment that mean something to a command; the whole program has no name.
const AROUND: &[(&str, &str)] = &[
    ("", "help-environment"),
    ("", "help-files"),
    ("serve", "help-environment-serve"),
    ("serve", "help-files-serve"),
    ("play", "help-files-play"),
];

/// Commands whose exit statuses say more than others', and the text that lists them.
const STATUSES: &[(&str, &str)] = &[("serve", "help-status-serve"), ("worker", "help-status-worker")];

/// Returns a sentence on what is wrong with the arguments, and the command's usage.
pub fn mistake(error: &Error, language: Language) -> String {
    let of = |kind: ContextKind| error.get(kind).map(words).unwrap_or_default();
    let arg = of(ContextKind::InvalidArg);
    let facts = [
        ("arg", arg.clone()),
        ("value", of(ContextKind::InvalidValue)),
        ("valid", of(ContextKind::ValidValue)),
        ("other", of(ContextKind::PriorArg)),
        ("command", of(ContextKind::InvalidSubcommand)),
    ];
    let key = match error.kind() {
        ErrorKind::InvalidValue if of(ContextKind::InvalidValue).is_empty() => "usage-no-value",
        ErrorKind::InvalidValue => "usage-invalid-value",
        ErrorKind::ValueValidation => "usage-validation",
        ErrorKind::UnknownArgument => "usage-unknown",
        ErrorKind::MissingRequiredArgument => "usage-missing",
        ErrorKind::InvalidSubcommand => "usage-no-command",
        ErrorKind::ArgumentConflict => "usage-conflict",
        ErrorKind::TooManyValues => "usage-too-many",
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues | ErrorKind::NoEquals => "usage-too-few",
        ErrorKind::InvalidUtf8 => "usage-not-utf8",
        // What has no sentence of its own is told as the parser tells it.
        _ => return error.to_string().trim_end().trim_start_matches("error: ").to_owned(),
    };
    let facts: Vec<(&str, &str)> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut told = say(language, key, &facts);
    if let Some(why) = std::error::Error::source(error).map(ToString::to_string) {
        // Our own reasons are keys.
        told.push_str(&format!(" {}", say(language, &why, &[])));
    }
    let hint = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    if let Some(meant) = hint.into_iter().map(of).find(|meant| !meant.is_empty()) {
        told.push_str(&format!(" {}", say(language, "usage-meant", &[("meant", &meant)])));
    }
    let usage = of(ContextKind::Usage);
    let usage = usage.trim().trim_start_matches("Usage:").trim();
    if !usage.is_empty() {
        told.push_str(&format!("\n{}", say(language, "usage-is", &[("usage", usage)])));
    }
    told
}

fn words(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(all) => all.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ContextValue::Number(number) => number.to_string(),
        ContextValue::Bool(set) => set.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Collects every command without subcommands, by its path.
    fn leaves(command: &Command, path: &str, found: &mut Vec<(String, Command)>) {
        let inner: Vec<&Command> = command.get_subcommands().filter(|c| c.get_name() != "help").collect();
        if inner.is_empty() {
            found.push((path.to_owned(), command.clone()));
        }
        for one in inner {
            let name = if path.is_empty() {
                one.get_name().to_owned()
            } else {
                format!("{path} {}", one.get_name())
            };
            leaves(one, &name, found);
        }
    }

    fn commands() -> Vec<(String, Command)> {
        let mut found = Vec::new();
        let mut whole = Args::command();
        whole.build();
        leaves(&whole, "", &mut found);
        found
    }

    /// A letter stands for one option name in every command, and an option with a letter has it in every command with
    /// the same type of value.
    #[test]
    fn letters_mean_the_same_everywhere() {
        let (mut names, mut letters) = (BTreeMap::new(), BTreeMap::new());
        for (path, command) in commands() {
            for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let (Some(letter), Some(long)) = (arg.get_short(), arg.get_long()) else { continue };
                let known: &mut (String, String) =
                    names.entry(letter).or_insert_with(|| (long.to_owned(), path.clone()));
                assert_eq!(known.0, long, "-{letter} of {path} is something else in {}", known.1);
                letters.insert(long.to_owned(), letter);
            }
        }
        for (path, command) in commands() {
            for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let Some(long) = arg.get_long() else { continue };
                // Positions of games, and the folder of a hall's data.
                let same = long != "data" || arg.get_value_names().is_some_and(|names| names[0] == "DIR");
                if let Some(letter) = letters.get(long).filter(|_| same) {
                    assert_eq!(arg.get_short(), Some(*letter), "--{long} of {path} lacks -{letter}");
                }
            }
        }
    }

    /// Every command and every option has help in both languages, and the English help is the doc comment in the
    /// code.
    #[test]
    fn every_command_and_option_is_told_in_both_languages() {
        fn look(command: &Command, path: &str, wrong: &mut Vec<String>) {
            let first = |help: Option<&StyledStr>| help.map(ToString::to_string).unwrap_or_default();
            let mut told = |key: String, wanted: String| {
                let (english, chinese) =
                    (say(Language::English, &key, &[]), say(Language::Chinese, &key, &[]));
                if english.trim_end_matches('.') != wanted {
                    wrong.push(format!("{key} = {wanted}"));
                } else if chinese == key || chinese == english {
                    wrong.push(format!("{key} is not Chinese: {chinese}"));
                }
            };
            let about = first(command.get_long_about().or(command.get_about()));
            told(key_of_command(path), about.replacen(".\n\n", "\n\n", 1).trim_end_matches('.').to_owned());
            for arg in command.get_arguments() {
                let help = first(arg.get_long_help().or(arg.get_help()));
                told(key_of_arg(arg, path), help.trim_end_matches('.').to_owned());
            }
            for inner in command.get_subcommands() {
                let name = inner.get_name();
                let path = if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
                look(inner, &path, wrong);
            }
        }
        let mut wrong = Vec::new();
        look(&Args::command(), "", &mut wrong);
        assert!(wrong.is_empty(), "in texts/*/help.ftl:\n{}", wrong.join("\n"));
    }

    /// The parser's own words in a help text are in the language of the user, too.
    #[test]
    fn help_in_chinese_has_no_english_sentence() {
        fn look(mut command: Command, path: &str, wrong: &mut Vec<String>) {
            for text in [command.render_help().to_string(), command.render_long_help().to_string()] {
                let lines = text.lines().map(str::trim);
                // Three English words in a row; names, values and examples are none.
                let english = |line: &&str| {
                    let words: Vec<&str> = line.split(' ').collect();
                    let plain = |word: &&str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
                    !line.contains("qiguan ") && words.windows(3).any(|three| three.iter().all(plain))
                };
                wrong.extend(lines.filter(english).map(|line| format!("{path}: {line}")));
                for word in
                    ["Usage:", "Options:", "Commands:", "Arguments:", "[default", "[possible", "Print "]
                {
                    if text.contains(word) {
                        wrong.push(format!("{path}: {word}"));
                    }
                }
            }
            for inner in command.get_subcommands() {
                look(inner.clone(), &format!("{path} {}", inner.get_name()), wrong);
            }
        }
        let mut wrong = Vec::new();
        look(command(Language::Chinese), "qiguan", &mut wrong);
        wrong.dedup();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        for (path, _) in commands() {
            let (_, examples) = EXAMPLES
                .iter()
                .find(|(known, _)| *known == path)
                .unwrap_or_else(|| panic!("{path} has no example"));
            for example in *examples {
                assert!(example.starts_with(&format!("qiguan {path}")), "{example} is none of {path}");
                let words = example.split_whitespace().take_while(|word| !matches!(*word, "<" | ">"));
                if let Err(why) = command(Language::English).try_get_matches_from(words) {
                    panic!("{example}: {why}");
                }
            }
        }
    }

    /// Errors in the arguments are reported in the language of the user, with a suggestion.
    #[test]
    fn mistakes_are_told_in_both_languages() {
        for (line, english, chinese) in [
            ("qiguan plai", "no command \"plai\"", "没有命令“plai”"),
            ("qiguan play --levl 3", "--level", "--level"),
            ("qiguan play --level 30", "1..=10", "1..=10"),
            ("qiguan perft", "is missing", "缺少"),
            ("qiguan convert -t nothing", "pgn", "pgn"),
            ("qiguan serve --listen nowhere", "localhost:8080", "localhost:8080"),
            ("qiguan perft xiangqi 3 4", "qiguan perft", "用法"),
        ] {
            let error = command(Language::English).try_get_matches_from(line.split(' ')).unwrap_err();
            for (language, wanted) in [(Language::English, english), (Language::Chinese, chinese)] {
                let told = mistake(&error, language);
                assert!(told.contains(wanted), "{line}: {told}");
                assert!(!told.contains("usage-"), "{line}: {told}");
            }
        }
    }

    /// Shells complete the names of games.
    #[test]
    fn shells_complete_games() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(Language::English), "qiguan", &mut script);
            let script = String::from_utf8_lossy(&script).into_owned();
            for name in ["gomoku/renju", "xiangqi", "draughts/russian"] {
                assert!(script.contains(name), "{shell:?} does not know {name}");
            }
        }
    }
}
