//! The options of `qiguan serve`, and the places where each may stand: the command line, the environment, the settings file.
//!
//! The command line overrides the environment, and the environment the file. [`rows`] is the table from which the
//! help, `docs/options.md` and the tests come. A secret may also be in a file of its own that a variable names
//! (`QIGUAN_STORE_FILE`), or be a credential of systemd (`qiguan_store`).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::error::ContextKind;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory, FromArgMatches};
use hall::config::{self, Config, Over, ValueKind};
use texts::{Language, say};

use crate::args::{Args, Command, Serve};
use crate::help;

/// The prefix of every variable.
const PREFIX: &str = "QIGUAN_";
/// The largest settings file, in bytes.
const MOST_CONFIG: u64 = 1 << 20;
/// The largest file that holds a secret, in bytes.
const MOST_SECRET: u64 = 1 << 16;
/// Options with secret values.
const SECRETS: [&str; 2] = ["store", "bus"];
/// Options that name a file; a credential of systemd with their name is that file.
const FILES: [&str; 6] = ["bus_creds", "bus_ca", "bus_cert", "bus_key", "tls_cert", "tls_key"];
/// Options of the command line that a running hall follows.
const FOLLOWED: [&str; 4] = ["limits", "log", "tls_cert", "tls_key"];
/// Environment variables that begin with the prefix of options but set no option.
const OTHERS: [&str; 2] = ["QIGUAN_CONFIG", "QIGUAN_CLOCK_OFF_S"];

/// An option, or a key of the settings file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The section of the file; `serve` for options of the command line.
    pub section: &'static str,
    /// The name of the option in its section.
    pub name: String,
    /// The type of its value.
    pub kind: ValueKind,
    /// Set if a running hall applies a change of it after SIGHUP.
    pub reloads: bool,
    /// A sentence without its full stop.
    pub help: String,
}

impl Row {
    /// Returns the variable of the environment for the option.
    #[must_use]
    pub fn variable(&self) -> String {
        match self.section {
            "serve" => variable(&self.name),
            section => variable(&format!("{section}_{}", self.name)),
        }
    }

    fn key(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    fn long(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }
}

/// Returns the variable of the option of `serve` with that name.
#[must_use]
pub fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('-', "_").to_uppercase())
}

/// Returns every option and every key of the file; only `--config` cannot be set in the file, which it names.
#[must_use]
pub fn rows() -> Vec<Row> {
    let whole = Args::command();
    let serve = whole.find_subcommand("serve").expect("there is such a command");
    let options = serve.get_arguments().filter(|arg| arg.get_long().is_some());
    let options = options.map(|arg| (arg.get_id().as_str(), arg));
    let option = |(name, arg): (&str, &clap::Arg)| Row {
        section: "serve",
        name: name.to_owned(),
        kind: match arg.get_action() {
            ArgAction::SetTrue => ValueKind::Switch,
            _ if SECRETS.contains(&name) => ValueKind::Secret,
            _ => ValueKind::Text,
        },
        reloads: FOLLOWED.contains(&name),
        help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
    };
    let is_option = |(name, _): &(&str, &clap::Arg)| {
        !["config", "check", "connect", "help", "version", "json"].contains(name)
    };
    let keys = config::keys().into_iter().map(|key| Row {
        section: key.section,
        name: key.name.to_owned(),
        kind: key.kind,
        reloads: key.reloads,
        help: key.help,
    });
    options.filter(is_option).map(option).chain(keys).collect()
}

/// The variables of a process that begin with `QIGUAN_`, and where systemd has put its credentials.
#[derive(Clone, Default, Debug)]
pub struct Environment {
    /// Name and value; empty ones are as if they were not there.
    pub variables: BTreeMap<String, String>,
    /// The folder of the credentials.
    pub credentials: Option<PathBuf>,
}

/// A value that was found in the environment.
struct Found {
    /// The variable, or the credential.
    place: String,
    /// The value, or the path of a file that holds it.
    text: String,
    /// Set if `text` is the path of a file that holds the value.
    is_file: bool,
}

impl Environment {
    /// Returns the environment of this process.
    #[must_use]
    pub fn of_process() -> Environment {
        let of = |(name, value): (OsString, OsString)| {
            let (name, value) = (name.into_string().ok()?, value.to_string_lossy().into_owned());
            (name.starts_with(PREFIX) && !value.is_empty()).then_some((name, value))
        };
        let credentials = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        Environment { variables: std::env::vars_os().filter_map(of).collect(), credentials }
    }

    fn find(&self, row: &Row, language: Language) -> Result<Option<Found>, String> {
        let (name, file) = (row.variable(), format!("{}_FILE", row.variable()));
        let is_secret = row.kind == ValueKind::Secret;
        let by_file = self.variables.get(&file).filter(|_| is_secret);
        match (self.variables.get(&name), by_file) {
            (Some(_), Some(_)) => {
                let facts = [("variable", name.as_str()), ("file", file.as_str())];
                return Err(say(language, "cli-option-twice", &facts));
            }
            (Some(text), None) => {
                return Ok(Some(Found { place: name, text: text.clone(), is_file: false }));
            }
            (None, Some(path)) => return Ok(Some(Found { place: file, text: path.clone(), is_file: true })),
            (None, None) => {}
        }
        let is_path = row.section == "serve" && FILES.contains(&row.name.as_str());
        let credential = self.credentials.as_ref().map(|folder| folder.join(name.to_lowercase()));
        let credential = credential.filter(|path| (is_secret || is_path) && path.is_file());
        Ok(credential.map(|path| Found {
            place: path.display().to_string(),
            text: path.display().to_string(),
            // A path is what the option wants.
            is_file: is_secret,
        }))
    }

    /// Variables that begin like those of options and belong to none.
    fn strangers(&self, rows: &[Row]) -> Vec<String> {
        let secret = |row: &&Row| row.kind == ValueKind::Secret;
        let files = rows.iter().filter(secret).map(|row| format!("{}_FILE", row.variable()));
        let known: BTreeSet<String> =
            rows.iter().map(Row::variable).chain(files).chain(OTHERS.map(str::to_owned)).collect();
        self.variables.keys().filter(|name| !known.contains(*name)).cloned().collect()
    }
}

/// The configuration of a hall, from all places.
pub struct Chosen {
    /// The options of the command line, with those from elsewhere.
    pub serve: Serve,
    /// The sections of the settings file, with the settings that override them.
    pub config: Config,
    /// Variables that begin like those of options and belong to none: perhaps a slip.
    pub strangers: Vec<String>,
    /// Every setting that was made in any place, by its key.
    values: BTreeMap<String, String>,
}

impl Chosen {
    /// Returns the keys of settings that have changed, each with true if a running hall applies the change.
    #[must_use]
    pub fn changes(&self, before: &Chosen) -> Vec<(String, bool)> {
        let of = |row: Row| {
            let key = row.key();
            let file = format!("{key}_file");
            let differs = |key: &String| self.values.get(key) != before.values.get(key);
            (differs(&key) || differs(&file) || differs(&held(&key))).then_some((key, row.reloads))
        };
        rows().into_iter().filter_map(of).collect()
    }
}

/// Returns the name under which the contents of a secret's file are noted.
fn held(key: &str) -> String {
    format!("{key} in its file")
}

/// Notes the contents of files that hold secrets, each as a hash, so that a change of them is told.
fn note_secrets(values: &mut BTreeMap<String, String>) {
    for row in rows().into_iter().filter(|row| row.kind == ValueKind::Secret) {
        let path = values.get(&format!("{}_file", row.key()));
        let text = path.and_then(|path| std::fs::read(path).ok());
        if let Some(text) = text {
            let mut hash = std::hash::DefaultHasher::new();
            text.hash(&mut hash);
            values.insert(held(&row.key()), format!("{:x}", hash.finish()));
        }
    }
}

/// Reads the settings of all places. `words`: the command line, which has been parsed once before.
///
/// # Errors
/// A sentence that names the fault and its place.
pub fn choose(words: &[OsString], environment: &Environment, language: Language) -> Result<Chosen, String> {
    let (matches, config, mut values) = laid(words, environment, language)?;
    note_secrets(&mut values);
    let args = Args::from_arg_matches(&matches).map_err(|why| help::mistake(&why, language))?;
    let Command::Serve(serve) = args.command else { return Err(say(language, "usage-no-command", &[])) };
    Ok(Chosen { serve, config, strangers: environment.strangers(&rows()), values })
}

/// Merges the settings of all places; returns the command line, the sections of the file, and every value by its key.
fn laid(
    words: &[OsString],
    environment: &Environment,
    language: Language,
) -> Result<(ArgMatches, Config, BTreeMap<String, String>), String> {
    let parse = |words: &[OsString]| help::parse(words, language);
    let matches = parse(words).map_err(|why| help::mistake(&why, language))?;
    let typed = matches.subcommand_matches("serve").cloned().unwrap_or_default();
    let is_typed = |name: &str| typed.value_source(name) == Some(ValueSource::CommandLine);
    let rows = rows();

    let named = environment.variables.get("QIGUAN_CONFIG").map(PathBuf::from);
    let file = typed.get_one::<PathBuf>("config").cloned().or(named);
    let at = |why: String| match &file {
        Some(path) => {
            say(language, "cli-option-from", &[("place", &path.display().to_string()), ("why", &why)])
        }
        None => why,
    };
    let text =
        file.as_deref().map_or(Ok(String::new()), |path| read(path, MOST_CONFIG, language)).map_err(&at)?;
    let mut over = Vec::new();
    for (row, key) in rows.iter().filter(|row| row.section != "serve").zip(config::keys()) {
        if let Some(found) = environment.find(row, language)? {
            over.push(Over { key, place: found.place, is_file: found.is_file, text: found.text });
        }
    }
    let (config, mut values) = Config::read_over(&text, &over).map_err(&at)?;
    let options: BTreeMap<String, String> = config
        .options()
        .map_err(|name| at(say(language, "cli-option-odd", &[("key", &format!("serve.{name}"))])))?
        .into_iter()
        .collect();
    let options_of = |row: &&Row| row.section == "serve";
    for name in options.keys() {
        let is_known = |row: &Row| {
            row.name == *name || row.kind == ValueKind::Secret && format!("{}_file", row.name) == *name
        };
        if !rows.iter().filter(options_of).any(is_known) {
            let names: Vec<&str> = rows.iter().filter(options_of).map(|row| row.name.as_str()).collect();
            let (key, keys) = (format!("serve.{name}"), names.join(", "));
            let facts = [("key", key.as_str()), ("keys", keys.as_str())];
            return Err(at(say(language, "cli-option-unknown", &facts)));
        }
    }

    let mut words = words.to_vec();
    let mut places = BTreeMap::new();
    for row in rows.iter().filter(options_of) {
        if is_typed(&row.name) {
            values.insert(row.key(), "--".to_owned());
            continue;
        }
        let by_file = |name: &str, is_file| {
            options.get(name).map(|text| Found { place: at(row.key()), text: text.clone(), is_file })
        };
        let found = environment.find(row, language)?.or_else(|| by_file(&row.name, false));
        let found = found.or_else(|| by_file(&format!("{}_file", row.name), true));
        let Some(Found { place, text, is_file }) = found else { continue };
        let from = |why: &str| say(language, "cli-option-from", &[("place", &place), ("why", why)]);
        let value = match is_file {
            true => read(Path::new(&text), MOST_SECRET, language)
                .map_err(|why| from(&format!("{text}: {why}")))?,
            false => text,
        };
        let value = value.trim_end_matches(['\r', '\n']).to_owned();
        match row.kind {
            ValueKind::Switch => match config::switch(&value) {
                Some(true) => words.push(row.long().into()),
                Some(false) => {}
                None => return Err(from(&say(language, "cli-option-switch", &[("value", &value)]))),
            },
            _ => words.push(format!("{}={value}", row.long()).into()),
        }
        values.insert(row.key(), value);
        places.insert(row.long(), place);
    }
    let matches = parse(&words).map_err(|why| {
        let arg = why.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
        let place = arg.split_whitespace().next().and_then(|long| places.get(long));
        let told = help::mistake(&why, language);
        match place {
            Some(place) => say(language, "cli-option-from", &[("place", place), ("why", &told)]),
            None => told,
        }
    })?;
    Ok((matches, config, values))
}

/// Reads a file of at most that size.
fn read(path: &Path, most: u64, language: Language) -> Result<String, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(most + 1).read_to_string(&mut text));
    read.map_err(|why| texts::system(language, &why))?;
    match text.len() as u64 > most {
        true => Err(say(language, "cli-option-large", &[("most", &most.to_string())])),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    const ENGLISH: Language = Language::English;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Environment { variables: variables.collect(), credentials: None }
    }

    fn words(words: &[&str]) -> Vec<OsString> {
        ["qiguan", "serve"].iter().chain(words).map(OsString::from).collect()
    }

    fn page() -> String {
        let mut page = String::from(
            "# Options of a hall

Written from `crates/cli/src/options.rs` and `crates/hall/src/config.rs` by `QIGUAN_BLESS=1 cargo test -p cli options`. Do not edit.

Each setting may stand in three places. The command line counts more than the environment, and the environment more than the
settings file, which `--config FILE` or `QIGUAN_CONFIG` names:

```sh
qiguan serve --listen 0.0.0.0:8080
QIGUAN_LISTEN=0.0.0.0:8080 qiguan serve
```

```toml
# hall.toml; qiguan serve --config hall.toml
[serve]
listen = \"0.0.0.0:8080\"
behind_proxy = true
store_file = \"/run/secrets/store\"

[mail]
server = \"smtp.example.org\"
```

A key that is not in these tables ends the start with a sentence that names it. A variable `QIGUAN_…` that is not in them is
named in the log: others may have put it there. Switches are `true` or `false`.

**Secret** settings may stand in a file of their own, which holds the value and nothing else: the variable `QIGUAN_STORE_FILE`, or
the key `store_file`, names it. Under systemd they may be credentials with the name of the variable in small letters: the
packaged service takes each file of `/etc/qiguan/credentials`, so `/etc/qiguan/credentials/store` is `QIGUAN_STORE`, and
`mail_password` is `QIGUAN_MAIL_PASSWORD`. Options that name a certificate or a file of credentials (`bus_creds`, `bus_ca`,
`bus_cert`, `bus_key`, `tls_cert`, `tls_key`) are taken from there, too. Only root has to be able to read that folder.

**SIGHUP** (`systemctl reload qiguan`) reads the file, and files that hold secrets, again. A running hall follows what has a `yes`
in the column *reload*; for anything else the log says that it takes effect at the next start. Where anything is wrong, all settings
stay as they were, and the log says what is wrong. Variables of a running process cannot be changed.

## The command line and `[serve]`

| option | variable | reload | meaning |
|---|---|---|---|
| `--config` | `QIGUAN_CONFIG` | | A settings file in TOML |
",
        );
        let yes = |row: &Row| if row.reloads { "yes" } else { "" };
        let secret = |row: &Row| if row.kind == ValueKind::Secret { " (secret)" } else { "" };
        for row in rows().iter().filter(|row| row.section == "serve") {
            let (long, variable) = (row.long(), row.variable());
            let _ = writeln!(
                page,
                "| `{long}`{} | `{variable}` | {} | {} |",
                secret(row),
                yes(row),
                row.help.replace('\n', " ").trim_end_matches('.')
            );
        }
        page.push_str(
            "\n## Sections of the file\n\n| key | variable | reload | meaning |\n|---|---|---|---|\n",
        );
        for row in rows().iter().filter(|row| !["serve", "limits"].contains(&row.section)) {
            let (key, variable) = (row.key(), row.variable());
            let _ = writeln!(page, "| `{key}`{} | `{variable}` | {} | {} |", secret(row), yes(row), row.help);
        }
        let start: Vec<String> = rows()
            .iter()
            .filter(|row| row.section == "limits" && !row.reloads)
            .map(|row| format!("`{}`", row.name))
            .collect();
        let _ = writeln!(
            page,
            "\nThe section `[limits]` has a page of its own: [limits](limits.md). Their variables are made the same way:\n\
             `QIGUAN_LIMITS_REQUESTS=1000`. A running hall follows all of them but {}.",
            start.join(", ")
        );
        page
    }

    #[test]
    fn options_stand_on_their_page() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(path, page()).expect("writes");
        }
        let written = std::fs::read_to_string(path).expect("docs/options.md");
        assert!(written == page(), "docs/options.md is stale: QIGUAN_BLESS=1 cargo test -p cli options");
    }

    /// Every option can be set on the command line, in the environment and in the file, which count in this order
    /// (O5).
    #[test]
    fn every_option_may_stand_in_each_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hall.toml");
        let path = file.to_str().expect("UTF-8");
        let samples = |row: &Row| -> [&str; 3] {
            match (row.name.as_str(), row.kind) {
                (_, ValueKind::Switch) => ["true"; 3],
                ("listen" | "admin_listen", _) => ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"],
                ("public_url", _) => ["https://a.example", "https://b.example", "https://c.example"],
                ("limits", _) => ["on", "off", "on"],
                ("log", _) => ["debug", "warn", "info"],
                _ => ["a", "b", "c"],
            }
        };
        let mut seen = 0;
        for row in rows().iter().filter(|row| row.section == "serve") {
            seen += 1;
            let [by_file, by_variable, typed] = samples(row);
            // These go together.
            let pair = [
                ("tls_cert", "tls_key"),
                ("tls_key", "tls_cert"),
                ("bus_cert", "bus_key"),
                ("bus_key", "bus_cert"),
            ];
            let other = pair.iter().find(|(name, _)| *name == row.name).map(|(_, other)| *other);
            let other = other.map_or(String::new(), |other| format!("{other} = \"x\"\n"));
            let value =
                if row.kind == ValueKind::Switch { "true".to_owned() } else { format!("\"{by_file}\"") };
            std::fs::write(&file, format!("[serve]\n{} = {value}\n{other}", row.name)).expect("writes");
            let raw = |matches: &ArgMatches| {
                let serve = matches.subcommand_matches("serve").expect("is that").clone();
                let mut values = serve.get_raw(&row.name).expect("has a value");
                values.next().map(|value| value.to_string_lossy().into_owned())
            };
            let told = |words_given: &[&str], variables: &[(&str, &str)]| {
                let laid = laid(&words(words_given), &environment(variables), ENGLISH);
                raw(&laid.unwrap_or_else(|why| panic!("{}: {why}", row.name)).0)
            };
            let variable = row.variable();
            assert_eq!(told(&["--config", path], &[]).as_deref(), Some(by_file), "{}", row.name);
            let both = [("QIGUAN_CONFIG", path), (variable.as_str(), by_variable)];
            assert_eq!(told(&[], &both).as_deref(), Some(by_variable), "{}", row.name);
            if row.kind != ValueKind::Switch {
                let word = format!("{}={typed}", row.long());
                assert_eq!(told(&[word.as_str()], &both).as_deref(), Some(typed), "{}", row.name);
            } else {
                let off = [("QIGUAN_CONFIG", path), (variable.as_str(), "false")];
                assert_eq!(told(&[], &off).as_deref(), Some("false"), "{}", row.name);
                assert_eq!(told(&[row.long().as_str()], &off).as_deref(), Some("true"), "{}", row.name);
            }
            if row.kind == ValueKind::Secret {
                let secret = folder.path().join("secret");
                std::fs::write(&secret, "from a file\n").expect("writes");
                let by_file = format!("{variable}_FILE");
                let secret = secret.to_str().expect("UTF-8");
                let found = told(&[], &[(by_file.as_str(), secret)]);
                assert_eq!(found.as_deref(), Some("from a file"), "{}", row.name);
                std::fs::write(&file, format!("[serve]\n{}_file = \"{secret}\"\n", row.name))
                    .expect("writes");
                assert_eq!(told(&["--config", path], &[]).as_deref(), Some("from a file"), "{}", row.name);
            }
        }
        assert!(seen > 15, "{seen} options");
    }

    #[test]
    fn credentials_of_systemd_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [
            ("qiguan_store", "postgres://hall:s3cret@db/hall\n"),
            ("qiguan_bus_creds", "hall:pw\n"),
            ("qiguan_mail_password", "s3cret\n"),
            // Not secret, and so not looked for there.
            ("qiguan_listen", "127.0.0.1:9\n"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("writes");
        }
        let variables = environment(&[
            ("QIGUAN_MAIL_SERVER", "x"),
            ("QIGUAN_MAIL_FROM", "a@b.c"),
            ("QIGUAN_MAIL_USER", "u"),
        ]);
        let here = Environment { credentials: Some(folder.path().to_owned()), ..variables.clone() };
        let chosen = choose(&words(&[]), &here, ENGLISH).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(chosen.serve.store.as_deref(), Some("postgres://hall:s3cret@db/hall"));
        assert_eq!(chosen.serve.bus_creds, Some(folder.path().join("qiguan_bus_creds")));
        assert_eq!(chosen.serve.listen.port(), 8080);
        let mail = chosen.config.mail.expect("there is mail");
        assert_eq!(mail.password_file, Some(folder.path().join("qiguan_mail_password")));
        let over =
            Environment { credentials: here.credentials, ..environment(&[("QIGUAN_STORE", "postgres://b")]) };
        let chosen = choose(&words(&[]), &over, ENGLISH).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(chosen.serve.store.as_deref(), Some("postgres://b"), "a variable counts more");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hall.toml");
        let path = file.to_str().expect("UTF-8");
        let none: &[(&str, &str)] = &[];
        for (name, text, variables, parts) in [
            (
                "a slip in the file",
                "[serve]\nlisen = \"x\"\n",
                none,
                &["serve.lisen", "listen", "hall.toml"][..],
            ),
            ("a list in the file", "[serve]\nlisten = [1]\n", none, &["serve.listen", "hall.toml"]),
            (
                "no address in the file",
                "[serve]\nlisten = \"x\"\n",
                none,
                &["serve.listen", "hall.toml", "localhost:8080"],
            ),
            ("no address in a variable", "", &[("QIGUAN_LISTEN", "x")], &["QIGUAN_LISTEN", "localhost:8080"]),
            ("no switch", "", &[("QIGUAN_BEHIND_PROXY", "perhaps")], &["QIGUAN_BEHIND_PROXY", "perhaps"]),
            ("no number", "", &[("QIGUAN_LIMITS_REQUESTS", "many")], &["QIGUAN_LIMITS_REQUESTS", "many"]),
            (
                "said twice",
                "",
                &[("QIGUAN_STORE", "a"), ("QIGUAN_STORE_FILE", "b")],
                &["QIGUAN_STORE", "QIGUAN_STORE_FILE"],
            ),
            (
                "no such secret",
                "",
                &[("QIGUAN_STORE_FILE", "/nowhere/x")],
                &["QIGUAN_STORE_FILE", "/nowhere/x"],
            ),
        ] {
            std::fs::write(&file, text).expect("writes");
            for language in [ENGLISH, Language::Chinese] {
                let told = choose(&words(&["--config", path]), &environment(variables), language);
                let why = told.err().unwrap_or_else(|| panic!("{name}: is taken"));
                assert!(parts.iter().all(|part| why.contains(part)), "{name}: {why}");
                assert!(!why.contains("cli-option"), "{name}: {why}");
            }
        }
    }

    /// A hall reads the settings of the package, `compose.yaml` and the manifests for Kubernetes.
    #[test]
    fn what_is_packaged_sets_options_that_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
        let text = |name: &str| {
            std::fs::read_to_string(folder.join(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
        };
        let rows = rows();
        let secret = |row: &&Row| row.kind == ValueKind::Secret;
        let files = rows.iter().filter(secret).map(|row| format!("{}_FILE", row.variable()));
        let known: BTreeSet<String> = rows
            .iter()
            .map(Row::variable)
            .chain(files)
            .chain(OTHERS.map(str::to_owned))
            // Of a service of Kubernetes, which the manifest keeps away.
            .chain(["QIGUAN_PORT".to_owned()])
            .collect();
        let mut longs: BTreeSet<String> =
            rows.iter().filter(|row| row.section == "serve").map(Row::long).collect();
        longs.insert("--config".to_owned());
        let mut variables = 0;
        for name in ["compose.yaml", "kubernetes.yaml", "qiguan.default", "qiguan.service"] {
            let text = text(name);
            for part in text.split(PREFIX).skip(1) {
                let word: String = part.chars().take_while(|c| c.is_ascii_uppercase() || *c == '_').collect();
                // The beginning of all of them, in a comment.
                if !word.is_empty() {
                    let word = format!("{PREFIX}{word}");
                    assert!(known.contains(&word), "{name}: {word} is no option");
                    variables += 1;
                }
            }
            for line in
                text.lines().filter(|line| line.contains("\"serve\"") || line.contains("qiguan serve "))
            {
                let words = line.split(|c: char| c.is_whitespace() || matches!(c, '"' | ',' | '[' | ']'));
                for word in words.filter(|word| word.starts_with("--")) {
                    assert!(longs.contains(word), "{name}: {word} is no option of qiguan serve");
                }
            }
        }
        assert!(variables > 10, "{variables} variables");
        // The settings file as it comes, and with every comment that is a setting.
        let settings = text("hall.toml");
        assert!(Config::read(&settings).is_ok());
        let bare = settings.lines().map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')));
        let bare: Vec<&str> = bare.flatten().collect();
        // Its password is a credential.
        let password = Over {
            key: config::keys().into_iter().find(|key| key.name == "password").expect("is a key"),
            place: "a credential".to_owned(),
            is_file: true,
            text: "/run/credentials/qiguan.service/qiguan_mail_password".to_owned(),
        };
        let (config, _) = Config::read_over(&bare.join("\n"), &[password]).expect("reads");
        for (name, _) in config.options().expect("are options") {
            assert!(rows.iter().any(|row| row.section == "serve" && row.name == name), "hall.toml: {name}");
        }
        let inside = text("kubernetes.yaml");
        let inside =
            inside.split("hall.toml: |\n").nth(1).and_then(|rest| rest.split("---").next()).expect("a file");
        let inside: Vec<&str> = inside.lines().map(str::trim_start).collect();
        for (name, _) in Config::read(&inside.join("\n")).expect("reads").options().expect("are options") {
            assert!(
                rows.iter().any(|row| row.section == "serve" && row.name == name),
                "kubernetes.yaml: {name}"
            );
        }
        let read =
            "import sys, yaml\nfor name in sys.argv[1:]: assert list(yaml.safe_load_all(open(name))), name";
        let has = |code: &str| std::process::Command::new("python3").args(["-c", code]).output();
        if !has("import yaml").is_ok_and(|output| output.status.success()) {
            eprintln!("skipped in part: there is no yaml for python3");
            return;
        }
        let names =
            ["compose.yaml", "kubernetes.yaml", "prometheus-alerts.yaml"].map(|name| folder.join(name));
        let parsed =
            std::process::Command::new("python3").args(["-c", read]).args(names).output().expect("runs");
        assert!(parsed.status.success(), "{}", String::from_utf8_lossy(&parsed.stderr));
    }

    #[test]
    fn variables_of_nobody_are_named() {
        let variables = [("QIGUAN_LISEN", "x"), ("QIGUAN_STORE_FILE", "x"), ("QIGUAN_LIMITS_ON", "true")];
        let rows = rows();
        assert_eq!(environment(&variables).strangers(&rows), ["QIGUAN_LISEN"]);
        assert_eq!(environment(&[("QIGUAN_LISTEN_FILE", "x")]).strangers(&rows), ["QIGUAN_LISTEN_FILE"]);
    }

    #[test]
    fn changes_are_named_and_whether_they_are_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("hall.toml");
        let path = file.to_str().expect("UTF-8");
        let read = |text: &str| {
            std::fs::write(&file, text).expect("writes");
            choose(&words(&["--config", path]), &Environment::default(), ENGLISH)
                .unwrap_or_else(|why| panic!("{why}"))
        };
        let before = read("[serve]\nnode = \"a\"\nlog = \"info\"\n[limits]\nrequests = 5\nworkers = 1\n");
        let after = read("[serve]\nnode = \"b\"\nlog = \"debug\"\n[limits]\nrequests = 6\nworkers = 2\n");
        let wanted = [
            ("serve.node", false),
            ("serve.log", true),
            ("limits.workers", false),
            ("limits.requests", true),
        ];
        let mut changes = after.changes(&before);
        changes.sort();
        let mut wanted = wanted.map(|(key, follows)| (key.to_owned(), follows));
        wanted.sort();
        assert_eq!(changes, wanted);
        assert!(after.changes(&after).is_empty());
        // A secret in a file of its own has changed when the file has.
        let secret = folder.path().join("secret");
        let text = format!(
            "[mail]\nserver = \"mail.example\"\nfrom = \"hall@example.org\"\nuser = \"hall\"\npassword_file = {secret:?}\n"
        );
        std::fs::write(&secret, "one").expect("writes");
        let before = read(&text);
        std::fs::write(&secret, "two").expect("writes");
        let after = read(&text);
        assert_eq!(after.changes(&before), [("mail.password".to_owned(), true)]);
    }
}
