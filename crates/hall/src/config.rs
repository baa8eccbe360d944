//! The file that `qiguan serve --config` reads, and the settings that override it: those of the environment.

use std::collections::BTreeMap;

use edge::limits::{self, Limits};
use members::openid::OpenIdSettings;
use serde::Deserialize;
use toml::{Table, Value};

use members::mail::post::MailSettings;
use members::notices::NoticeSettings;

/// The configuration file of a hall; a key that it does not name keeps its default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Options of the command line, which the program knows.
    serve: Table,
    /// Limits on requests and resources.
    pub limits: Limits,
    /// Settings of the notices that people get while they are not looking at the page.
    pub notices: NoticeSettings,
    /// The mail server that letters are handed to; the hall sends none when it is not set.
    pub mail: Option<MailSettings>,
    /// The OpenID provider by which people sign in; none when it is not set.
    pub openid: Option<OpenIdSettings>,
    /// The time for which finished games are kept.
    pub keep: Keep,
}

/// The ages at which finished games are folded and deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Keep {
    /// Days after their last event for which finished games without a player who has an account are kept; 0: for
    /// ever.
    pub guest_games_days: u32,
    /// Days after their end from which finished games are kept folded; 0: never.
    pub fold_days: u32,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep { guest_games_days: 0, fold_days: 30 }
    }
}

/// The types of a setting's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// A string of any content.
    Text,
    /// A whole number from 0.
    Number,
    /// `true` or `false`.
    Switch,
    /// A secret string. Its name with `_file` behind it names a file that holds it.
    Secret,
}

/// A key of a section of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The section of the file that the key belongs to.
    pub section: &'static str,
    /// Its name in that section.
    pub name: &'static str,
    /// The type of its value.
    pub kind: ValueKind,
    /// Set if a running hall applies a change of this setting.
    pub reloads: bool,
    /// The help text: a sentence without its full stop.
    pub help: String,
}

/// A setting from another source than the file, which overrides the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Over {
    /// The key it sets.
    pub key: Key,
    /// The place it comes from, for sentences about it: a variable of the environment.
    pub place: String,
    /// The path of a file that holds the value, rather than the value.
    pub is_file: bool,
    /// The value, or the path.
    pub text: String,
}

/// Returns every key of a section that a hall reads, but those of `[serve]`.
#[must_use]
pub fn keys() -> Vec<Key> {
    use ValueKind::{Number, Secret, Switch, Text};
    let key = |section, name, kind, reloads, help: &str| Key {
        section,
        name,
        kind,
        reloads,
        help: help.to_owned(),
    };
    let mut keys = vec![
        key(
            "mail",
            "server",
            Text,
            true,
            "The mail server that letters are handed to; without one the hall sends none",
        ),
        key(
            "mail",
            "port",
            Number,
            true,
            "Its port; else 587, or 465 where tls is implicit, or 25 where it is none",
        ),
        key(
            "mail",
            "tls",
            Text,
            true,
            "How the way there is protected: starttls, implicit, or none on this machine",
        ),
        key("mail", "user", Text, true, "The user who signs in there; goes with a password"),
        key("mail", "password", Secret, true, "The password of that user"),
        key(
            "mail",
            "ca_file",
            Text,
            true,
            "A PEM file of further authorities that vouch for the mail server",
        ),
        key("mail", "from", Text, true, "The sender of letters: Qiguan <hall@example.org>"),
        key(
            "mail",
            "public_url",
            Text,
            true,
            "The address where links in letters lead; else public_url of serve",
        ),
        key(
            "openid",
            "issuer",
            Text,
            true,
            "The https address of a provider by whose accounts people sign in",
        ),
        key("openid", "client_id", Text, true, "The name of this hall at the provider"),
        key("openid", "client_secret", Secret, true, "The secret of this hall, where the provider gave one"),
        key("openid", "name", Text, true, "The name of the provider that stands on the button"),
        key(
            "openid",
            "public_url",
            Text,
            true,
            "The address that browsers come back to; else public_url of serve",
        ),
        key(
            "keep",
            "guest_games_days",
            Number,
            true,
            "Days after their end for which games are kept that guests alone played; 0: for ever",
        ),
        key(
            "keep",
            "fold_days",
            Number,
            true,
            "Days after their end from which games are kept folded, in a fraction of the room; 0: never; else 30",
        ),
        key(
            "notices",
            "push",
            Switch,
            false,
            "Whether browsers may be told at all; on unless it says otherwise",
        ),
        key(
            "notices",
            "contact",
            Text,
            false,
            "mailto: or https: of the hall's keeper, for push services; else public_url",
        ),
        key("notices", "loopback", Switch, false, "Whether push services on this machine count, for tests"),
    ];
    keys.extend(limits::keys().into_iter().map(|(name, is_switch, reloads, help)| {
        let kind = if is_switch { Switch } else { Number };
        key("limits", name, kind, reloads, help.trim_end_matches('.'))
    }));
    keys
}

impl Config {
    /// Reads the settings from the text of a TOML file.
    ///
    /// # Errors
    /// The fault and its line; a key that does not exist is wrong.
    pub fn read(text: &str) -> Result<Config, String> {
        let config: Config = toml::from_str(text).map_err(|why| why.to_string().trim_end().to_owned())?;
        config.check()?;
        Ok(config)
    }

    /// Reads TOML, with settings from elsewhere over it; also tells every setting by its name, as `mail.port`.
    ///
    /// # Errors
    /// The errors of [`Config::read`], and those of settings from other sources, with their place.
    pub fn read_over(text: &str, over: &[Over]) -> Result<(Config, BTreeMap<String, String>), String> {
        let mut table: Table = toml::from_str(text).map_err(|why| why.to_string().trim_end().to_owned())?;
        for one in over {
            one.put(&mut table)?;
        }
        let config = if over.is_empty() { Config::read(text)? } else { Config::of(&table, text, over)? };
        let values = table.iter().filter_map(|(section, keys)| Some((section, keys.as_table()?)));
        let values = values.flat_map(|(section, keys)| {
            keys.iter().map(move |(name, value)| (format!("{section}.{name}"), shown(value)))
        });
        Ok((config, values.collect()))
    }

    /// Returns the section `[serve]`: options of the command line by their names, with `_` for `-`.
    ///
    /// # Errors
    /// The name of an option whose value is neither a text nor a number nor a switch.
    pub fn options(&self) -> Result<Vec<(String, String)>, String> {
        let plain = |value: &Value| value.is_str() || value.is_integer() || value.is_bool();
        let one = |(name, value): (&String, &Value)| match plain(value) {
            true => Ok((name.clone(), shown(value))),
            false => Err(name.clone()),
        };
        self.serve.iter().map(one).collect()
    }

    /// Reads the settings from the table, which is the text with settings over it.
    fn of(table: &Table, text: &str, over: &[Over]) -> Result<Config, String> {
        let read: Result<Config, toml::de::Error> = table.clone().try_into();
        let config = read.map_err(|why| match toml::from_str::<Config>(text) {
            // A fault of the file alone is told with its line.
            Err(alone) if alone.message() == why.message() => alone.to_string().trim_end().to_owned(),
            _ => {
                let places: Vec<&str> = over.iter().map(|one| one.place.as_str()).collect();
                format!("{} ({})", why.message(), places.join(", "))
            }
        })?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        self.notices.check()?;
        self.mail.as_ref().map_or(Ok(()), MailSettings::check)?;
        self.openid.as_ref().map_or(Ok(()), OpenIdSettings::check)
    }
}

impl Over {
    /// Sets it in the file's table.
    fn put(&self, table: &mut Table) -> Result<(), String> {
        let Over { key, place, is_file, text } = self;
        // A file with a secret that is left over from before asks for no section of its own.
        if key.kind == ValueKind::Secret && *is_file && !table.contains_key(key.section) {
            return Ok(());
        }
        let section = table.entry(key.section).or_insert_with(|| Value::Table(Table::new()));
        let Some(section) = section.as_table_mut() else { return Ok(()) };
        let wrong = |kind: &str| format!("{place} is \"{text}\": write {kind}");
        let value = match key.kind {
            ValueKind::Text | ValueKind::Secret => Value::String(text.clone()),
            ValueKind::Number => {
                let number = text.parse::<u64>().ok().and_then(|number| i64::try_from(number).ok());
                Value::Integer(number.ok_or_else(|| wrong("a whole number"))?)
            }
            ValueKind::Switch => Value::Boolean(switch(text).ok_or_else(|| wrong("true or false"))?),
        };
        if key.kind == ValueKind::Secret {
            // What stands over the file replaces both of its forms.
            let file = format!("{}_file", key.name);
            section.remove(if *is_file { key.name } else { &file });
            section.insert(if *is_file { file } else { key.name.to_owned() }, value);
        } else {
            section.insert(key.name.to_owned(), value);
        }
        Ok(())
    }
}

/// Parses a switch as people write it.
#[must_use]
pub fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// Returns a value as it is written in a variable.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(is_on) => is_on.to_string(),
        Value::Datetime(when) => when.to_string(),
        Value::Array(all) => all.iter().map(shown).collect::<Vec<_>>().join(","),
        Value::Table(table) => {
            table.iter().map(|(name, value)| format!("{name}={}", shown(value))).collect::<Vec<_>>().join(",")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_set_and_what_is_unknown_is_refused() {
        let read = Config::read("[limits]\nconnections = 7\non = false\n").expect("reads");
        assert_eq!(read.limits, Limits { connections: 7, on: false, ..Limits::default() });
        assert_eq!(Config::read("").expect("nothing is fine").limits, Limits::default());
        for (name, text, parts) in [
            ("an unknown key", "[limits]\nconnections = 7\nconections = 8\n", &["line 3", "conections"][..]),
            ("an unknown section", "[limit]\n", &["line 1", "limit"]),
            ("a number below nothing", "[limits]\nrequests = -1\n", &["line 2", "-1"]),
            ("text for a number", "[limits]\n\nrequests = \"many\"\n", &["line 3", "many"]),
            ("a contact that is none", "[notices]\ncontact = \"me\"\n", &["notices.contact", "mailto:"]),
            ("a section without what it needs", "[mail]\nserver = \"x\"\n", &["line 1", "from"]),
            ("a mode that is none", "[mail]\nserver = \"x\"\ntls = \"maybe\"\n", &["line 3", "starttls"]),
            (
                "letters in the clear",
                "[mail]\nserver = \"x\"\nfrom = \"a@b.c\"\ntls = \"none\"\n",
                &["mail.tls"],
            ),
            ("a provider without what it needs", "[openid]\nname = \"x\"\n", &["line 1", "issuer"]),
            (
                "a provider in the clear",
                "[openid]\nname = \"x\"\nissuer = \"http://x.example\"\nclient_id = \"y\"\n",
                &["openid.issuer", "https"],
            ),
            ("no TOML", "requests 7", &["line 1"]),
        ] {
            let why = Config::read(text).expect_err(name);
            assert!(parts.iter().all(|part| why.contains(part)), "{name}: {why}");
        }
    }

    fn over(section: &str, name: &str, is_file: bool, text: &str) -> Over {
        let key =
            keys().into_iter().find(|key| (key.section, key.name) == (section, name)).expect("is a key");
        let place = format!("QIGUAN_{section}_{name}").to_uppercase();
        Over { key, place, is_file, text: text.to_owned() }
    }

    /// The table has every key that the sections know, and none beside them.
    #[test]
    fn the_table_of_keys_is_what_sections_read() {
        for section in ["mail", "openid", "notices", "keep", "limits"] {
            let why =
                Config::read(&format!("[{section}]\nnothing_of_the_kind = 1\n")).expect_err("is unknown");
            let known: Vec<&str> =
                why.split("expected ").nth(1).expect("a list").split('`').skip(1).step_by(2).collect();
            let mut named: Vec<String> = Vec::new();
            for key in keys().into_iter().filter(|key| key.section == section) {
                named.push(key.name.to_owned());
                if key.kind == ValueKind::Secret {
                    named.push(format!("{}_file", key.name));
                }
            }
            named.sort();
            let mut known: Vec<String> = known.into_iter().map(str::to_owned).collect();
            known.sort();
            assert_eq!(named, known, "[{section}]");
        }
    }

    #[test]
    fn what_stands_over_the_file_counts_more() {
        let text = "[limits]\nconnections = 7\n[mail]\nserver = \"x\"\nfrom = \"a@b.c\"\nuser = \"u\"\n\
                    password_file = \"/nowhere\"\n";
        let (config, values) = Config::read_over(
            text,
            &[
                over("limits", "connections", false, "9"),
                over("mail", "password", false, "s3cret"),
                over("notices", "push", false, "off"),
            ],
        )
        .expect("reads");
        assert_eq!((config.limits.connections, config.notices.push), (9, false));
        let mail = config.mail.as_ref().expect("there is mail");
        assert!(mail.password.as_deref() == Some("s3cret") && mail.password_file.is_none());
        assert!(!format!("{config:?}").contains("s3cret"), "{config:?}");
        assert_eq!(values.get("limits.connections").map(String::as_str), Some("9"));
        let (config, _) =
            Config::read_over(text, &[over("mail", "password", true, "/run/secret")]).expect("reads");
        let mail = config.mail.expect("there is mail");
        assert_eq!(mail.password_file.as_deref(), Some(std::path::Path::new("/run/secret")));
        for (name, set, parts) in [
            (
                "no number",
                over("limits", "connections", false, "many"),
                &["QIGUAN_LIMITS_CONNECTIONS", "many"][..],
            ),
            (
                "no switch",
                over("notices", "push", false, "perhaps"),
                &["QIGUAN_NOTICES_PUSH", "true or false"],
            ),
            ("a mode that is none", over("mail", "tls", false, "maybe"), &["starttls", "QIGUAN_MAIL_TLS"]),
        ] {
            let why = Config::read_over(text, &[set]).expect_err(name);
            assert!(parts.iter().all(|part| why.contains(part)), "{name}: {why}");
        }
        let broken = Config::read_over("[limits]\nconections = 8\n", &[over("limits", "on", false, "no")]);
        let why = broken.expect_err("an unknown key");
        assert!(why.contains("line 2") && why.contains("conections"), "{why}");
    }

    #[test]
    fn options_of_the_command_line_may_stand_in_the_file() {
        let config = Config::read("[serve]\nlisten = \":8080\"\nbehind_proxy = true\n").expect("reads");
        let wanted = [("behind_proxy", "true"), ("listen", ":8080")];
        let wanted = wanted.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(config.options(), Ok(wanted.to_vec()));
        assert_eq!(
            Config::read("[serve]\nlisten = [1]\n").expect("reads").options(),
            Err("listen".to_owned())
        );
    }
}
