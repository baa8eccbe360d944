//! The mail server to which letters are handed: its settings, the form of a letter, and one attempt to send it.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::hidden::Hidden;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use people::secret::random_text;
use serde::Deserialize;
use url::{Host, Url};

use super::queue::Outcome;

/// The time that a mail server may take for one letter, connection included.
const PATIENCE: Duration = Duration::from_secs(20);
/// The largest file that holds a password, in bytes.
const MOST_PASSWORD: u64 = 4096;
/// The largest file of certificates, in bytes.
const MOST_AUTHORITIES: u64 = 256 << 10;
/// The first line of a certificate in PEM.
const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
/// Replies to a sign-in that failed, or is missing (RFC 4954, 6): no letter can be sent until the settings are
/// corrected.
const NOT_SIGNED_IN: [u16; 5] = [454, 530, 534, 535, 538];

/// The ways to protect the connection to the mail server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TlsMode {
    /// A plain connection that is encrypted before anything is sent: port 587.
    #[default]
    Starttls,
    /// A connection that is encrypted from the beginning: port 465.
    Implicit,
    /// A connection without encryption, allowed only to a server on this machine: port 25.
    None,
}

impl TlsMode {
    fn port(self) -> u16 {
        match self {
            TlsMode::Starttls => 587,
            TlsMode::Implicit => 465,
            TlsMode::None => 25,
        }
    }
}

/// The section `[mail]` of the file that `qiguan serve --config` reads. Without one the hall sends no letters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// The name or address of the mail server.
    pub server: String,
    /// Its port; the usual one of the mode if it is not set.
    pub port: Option<u16>,
    /// The protection of the connection.
    #[serde(default)]
    pub tls: TlsMode,
    /// The name to sign in with; without one the hall does not sign in.
    pub user: Option<String>,
    /// The password of `user`.
    pub password: Option<Hidden>,
    /// The file that holds the password of `user`, and nothing else, in place of `password`.
    pub password_file: Option<PathBuf>,
    /// A PEM file with certificates of authorities that are trusted for the mail server, beside those of the system:
    /// for a club that is its own authority.
    pub ca_file: Option<PathBuf>,
    /// The sender of letters: `hall@example.org` or `Qiguan <hall@example.org>`.
    pub from: String,
    /// The address at which links in letters begin; `--public-url` if it is not set.
    pub public_url: Option<String>,
}

impl MailSettings {
    /// Validates the settings.
    ///
    /// # Errors
    /// The first fault of the settings, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        if self.server.is_empty() || self.server.bytes().any(|b| b.is_ascii_whitespace() || b == b'/') {
            return Err(format!("mail.server is \"{}\": write the name of a mail server", self.server));
        }
        if self.tls == TlsMode::None && !is_local(&self.server) {
            let why = "mail.tls is \"none\", which is for a server on this machine: write \"starttls\" or \"implicit\"";
            return Err(why.to_owned());
        }
        if self.password.is_some() && self.password_file.is_some() {
            return Err("mail.password and mail.password_file say the same: set one of them".to_owned());
        }
        if self.user.is_some() != (self.password.is_some() || self.password_file.is_some()) {
            return Err("mail.user and mail.password_file belong together: set both or none".to_owned());
        }
        self.from.parse::<Mailbox>().map_err(|why| {
            format!("mail.from is \"{}\" ({why}): write \"Name <hall@example.org>\"", self.from)
        })?;
        self.public_url.as_deref().map_or(Ok(()), |url| base(url).map(|_| ()))
    }

    /// Opens the mail server's client. `public_url`: the public address of the hall, where the settings do not have
    /// one.
    ///
    /// # Errors
    /// The missing part, as a sentence: the address of the hall, the file with the password.
    pub fn open(&self, public_url: Option<&str>) -> Result<Post, String> {
        self.check()?;
        let url = self.public_url.as_deref().or(public_url).ok_or(
            "mail.public_url is missing: write the address at which people reach the hall, or set --public-url",
        )?;
        let url = base(url)?;
        let bare = self.server.trim_start_matches('[').trim_end_matches(']');
        let tls = || {
            let mut tls = TlsParameters::builder(bare.to_owned());
            if let Some(path) = &self.ca_file {
                let pem = small(path, MOST_AUTHORITIES, "mail.ca_file")?;
                let wrong = || format!("mail.ca_file {}: holds no certificate in PEM", path.display());
                let found = pem.matches(BEGIN).count();
                let authorities = Certificate::from_pem(pem.as_bytes()).map_err(|_| wrong())?;
                tls = if found > 0 { tls.add_root_certificate(authorities) } else { return Err(wrong()) };
            }
            tls.build_rustls().map_err(|why| format!("mail.tls: {why}"))
        };
        let tls = match self.tls {
            TlsMode::Starttls => Tls::Required(tls()?),
            TlsMode::Implicit => Tls::Wrapper(tls()?),
            TlsMode::None => Tls::None,
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(bare)
            .port(self.port.unwrap_or(self.tls.port()))
            .tls(tls)
            .timeout(Some(PATIENCE))
            .hello_name(hello(&url));
        if let Some(user) = &self.user {
            let password = match (&self.password, &self.password_file) {
                (Some(password), _) => password.to_string(),
                (None, Some(path)) => small(path, MOST_PASSWORD, "mail.password_file")?,
                (None, None) => String::new(),
            };
            let password = password.trim_end_matches(['\r', '\n']).to_owned();
            builder = builder.credentials(Credentials::new(user.clone(), password));
        }
        let from = self.from.parse::<Mailbox>().map_err(|why| why.to_string())?;
        Ok(Post { transport: builder.build(), server: self.server.clone(), from, url })
    }
}

/// Reads the small file that a setting names.
fn small(path: &Path, most: u64, setting: &str) -> Result<String, String> {
    let said = |why: std::io::Error| format!("{setting} {}: {why}", path.display());
    if std::fs::metadata(path).map_err(said)?.len() > most {
        return Err(format!("{setting} {}: more than {most} bytes", path.display()));
    }
    std::fs::read_to_string(path).map_err(said)
}

fn is_local(server: &str) -> bool {
    let bare = server.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Parses the address that links begin with; a path ends with a slash.
fn base(text: &str) -> Result<Url, String> {
    let wrong = || format!("mail.public_url is \"{text}\": write https://hall.example.org");
    let mut url = Url::parse(text).map_err(|_| wrong())?;
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    let is_plain = matches!(url.scheme(), "https" | "http")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if is_plain { Ok(url) } else { Err(wrong()) }
}

fn hello(url: &Url) -> ClientId {
    match url.host() {
        Some(Host::Ipv4(v4)) => ClientId::Ipv4(v4),
        Some(Host::Ipv6(v6)) => ClientId::Ipv6(v6),
        _ => ClientId::Domain(url.host_str().unwrap_or("localhost").to_owned()),
    }
}

/// A letter. Its words contain no secret but its links.
#[derive(Clone, PartialEq, Eq)]
pub struct Letter {
    /// The kind of letter, for the log.
    pub kind: &'static str,
    /// The mailbox it goes to, as it was confirmed or asked for.
    pub to: String,
    /// The subject, without line breaks.
    pub subject: String,
    /// The text without markup, in the language of the recipient.
    pub body: String,
    /// The last part of the link that stops letters to that address.
    pub stop: String,
}

/// Writes only the kind, without links and the recipient.
impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Letter({})", self.kind)
    }
}

/// The client of the mail server.
pub struct Post {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    server: String,
    from: Mailbox,
    url: Url,
}

impl Post {
    /// Returns an address of the hall. `path` has no `/` at its beginning.
    #[must_use]
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Returns the host at which people reach the hall, with its port.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Returns the name of the mail server, for the log.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Builds the message in its wire format. Every field is encoded by the library; none accepts a line break.
    ///
    /// # Errors
    /// The address is invalid, which one that was [read](people::mail::Address) is not.
    pub fn message(&self, letter: &Letter) -> Result<Message, String> {
        let to: Address = letter.to.parse().map_err(|why: lettre::address::AddressError| why.to_string())?;
        // RFC 8058: a mail program stops letters with one click, by a POST to that address.
        let stop = format!("<{}>", self.link(&format!("api/mail/stop?letter={}", letter.stop)));
        let field = |name: &'static str, value: &str| {
            HeaderValue::dangerous_new_pre_encoded(
                HeaderName::new_from_ascii_str(name),
                value.to_owned(),
                value.to_owned(),
            )
        };
        let id = format!("<{}@{}>", random_text(26), self.url.host_str().unwrap_or("localhost"));
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(letter.subject.clone())
            .date_now()
            .message_id(Some(id))
            .raw_header(field("Auto-Submitted", "auto-generated"))
            .raw_header(field("List-Unsubscribe", &stop))
            .raw_header(field("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
            .header(ContentType::TEXT_PLAIN)
            .header(ContentTransferEncoding::Base64)
            .body(letter.body.clone())
            .map_err(|why| why.to_string())
    }

    /// Hands one letter to the mail server, without retries.
    pub async fn send(&self, letter: &Letter) -> Outcome {
        let message = match self.message(letter) {
            Ok(message) => message,
            Err(why) => return Outcome::Refused(why),
        };
        match tokio::time::timeout(PATIENCE, self.transport.send(message)).await {
            Ok(Ok(_)) => Outcome::Sent,
            Ok(Err(why)) => judge(&why),
            Err(_) => Outcome::Down(format!("no answer within {} s", PATIENCE.as_secs())),
        }
    }
}

fn judge(why: &lettre::transport::smtp::Error) -> Outcome {
    let code = why.status().map(u16::from);
    let said = std::iter::successors(std::error::Error::source(why), |cause| cause.source());
    // Some of them repeat their cause in their own words.
    let said = said.map(ToString::to_string).fold(why.to_string(), |text, cause| {
        if text.ends_with(&cause) { text } else { format!("{text}: {cause}") }
    });
    // What a stranger's server says is not ours to trust with the log.
    let said: String = said.chars().filter(|c| !c.is_control()).take(300).collect();
    match code {
        // 421: the server closes.
        Some(421) => Outcome::Down(said),
        Some(code) if NOT_SIGNED_IN.contains(&code) => Outcome::Down(said),
        Some(400..=499) => Outcome::Later(said),
        Some(500..=599) => Outcome::Refused(said),
        _ => Outcome::Down(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> MailSettings {
        MailSettings {
            server: "smtp.example.org".into(),
            port: None,
            tls: TlsMode::Starttls,
            user: None,
            password: None,
            password_file: None,
            ca_file: None,
            from: "棋馆 <hall@example.org>".into(),
            public_url: Some("https://hall.example.org".into()),
        }
    }

    #[test]
    fn settings_are_checked() {
        type Set = fn(&mut MailSettings);
        let rows: [(&str, Set, Option<&str>); 12] = [
            ("as they are", |_| (), None),
            ("a name alone", |s| s.from = "hall@example.org".into(), None),
            ("in the clear, here", |s| (s.server, s.tls) = ("127.0.0.1".into(), TlsMode::None), None),
            ("in the clear, by name", |s| (s.server, s.tls) = ("localhost".into(), TlsMode::None), None),
            ("in the clear, elsewhere", |s| s.tls = TlsMode::None, Some("mail.tls")),
            ("no server", |s| s.server.clear(), Some("mail.server")),
            ("an address of a page", |s| s.server = "smtp://x".into(), Some("mail.server")),
            ("a user alone", |s| s.user = Some("hall".into()), Some("mail.password_file")),
            ("from nobody", |s| s.from = "hall".into(), Some("mail.from")),
            (
                "two lines",
                |s| s.from = "a\r\nBcc: b@example.org <hall@example.org>".into(),
                Some("mail.from"),
            ),
            ("no address", |s| s.public_url = Some("hall.example.org".into()), Some("mail.public_url")),
            ("a path", |s| s.public_url = Some("https://x.example/hall".into()), None),
        ];
        for (name, set, wanted) in rows {
            let mut settings = settings();
            set(&mut settings);
            let why = settings.check().err();
            assert_eq!(why.is_some(), wanted.is_some(), "{name}: {why:?}");
            assert!(why.unwrap_or_default().contains(wanted.unwrap_or_default()), "{name}");
        }
        let nowhere = MailSettings { public_url: None, ..settings() };
        assert!(nowhere.open(None).err().expect("where is it?").contains("--public-url"));
        assert!(nowhere.open(Some("https://hall.example.org")).is_ok());
        let file = MailSettings {
            user: Some("hall".into()),
            password_file: Some("/nowhere/secret".into()),
            ..settings()
        };
        assert!(file.open(None).err().expect("no file").contains("/nowhere/secret"));
    }

    /// The head of a letter gets no line from its contents: a name with a line break would add a header, or a
    /// command, if a field took it.
    #[test]
    fn nothing_in_a_letter_adds_a_line_to_its_head() {
        let post = settings().open(None).expect("opens");
        let evil = "x\r\nBcc: all@example.org\r\n\r\nBuy!";
        let letter = Letter {
            kind: "digest",
            to: "ada@example.org".into(),
            subject: evil.into(),
            body: format!("{evil}\r\n.\r\nRSET"),
            stop: "abc".into(),
        };
        let sent = String::from_utf8(post.message(&letter).expect("a letter").formatted()).expect("ASCII");
        assert!(sent.is_ascii());
        let (head, body) = sent.split_once("\r\n\r\n").expect("a head and a body");
        let names: Vec<&str> = head
            .split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .filter_map(|line| line.split(':').next())
            .collect();
        for name in &names {
            assert!(
                [
                    "From",
                    "To",
                    "Subject",
                    "Date",
                    "Message-ID",
                    "Auto-Submitted",
                    "List-Unsubscribe",
                    "List-Unsubscribe-Post",
                    "MIME-Version",
                    "Content-Type",
                    "Content-Transfer-Encoding"
                ]
                .contains(name),
                "{name} in {head}"
            );
        }
        assert_eq!(names.len(), names.iter().collect::<std::collections::BTreeSet<_>>().len(), "{head}");
        assert!(!body.contains('.') && !body.contains("RSET"), "{body}");
        assert!(head.contains("<https://hall.example.org/api/mail/stop?letter=abc>"), "{head}");
        for to in ["ada@example.org\r\nBcc: bob@example.org", "ada@example.org>", ""] {
            assert!(post.message(&Letter { to: to.into(), ..letter.clone() }).is_err(), "{to:?}");
        }
    }
}
