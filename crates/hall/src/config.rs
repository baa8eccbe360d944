//! The file that `qiguan serve --config` reads.

use serde::Deserialize;

use crate::limits::Limits;
use crate::mail::MailSettings;
use crate::notices::NoticeSettings;
use crate::openid::OpenIdSettings;

/// What a hall's keeper decides in a file; what it does not name keeps its default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How much may be asked.
    pub limits: Limits,
    /// What people are told while they look elsewhere.
    pub notices: NoticeSettings,
    /// The mail server that letters are handed to; the hall sends none when it is not set.
    pub mail: Option<MailSettings>,
    /// Where people have accounts that let them in; nowhere when it is not set.
    pub openid: Option<OpenIdSettings>,
}

impl Config {
    /// Reads TOML.
    ///
    /// # Errors
    /// What is wrong and in which line; a key that does not exist is wrong.
    pub fn read(text: &str) -> Result<Config, String> {
        let config: Config = toml::from_str(text).map_err(|why| why.to_string().trim_end().to_owned())?;
        config.notices.check()?;
        config.mail.as_ref().map_or(Ok(()), MailSettings::check)?;
        config.openid.as_ref().map_or(Ok(()), OpenIdSettings::check)?;
        Ok(config)
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
}
