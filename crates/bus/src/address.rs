//! The address of a bus, with the credentials that let a node in; nothing here shows a secret.

use std::path::{Path, PathBuf};

/// The address of a bus, as the operator of a hall configures it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// `local`, `postgres`, or one or several servers of NATS with commas between them: `nats://host:4222`. Before
    /// the host there may be `user:password@` or `token@`; `tls://` asks for an encrypted connection.
    pub bus: String,
    /// A file with `user:password`, a token, or the JWT and the nkey of a user as NATS writes them (`.creds`). It takes
    /// precedence over credentials in the address.
    pub creds: Option<PathBuf>,
    /// A file of PEM certificates of the authority that signed the server's; without it, the system's trusted
    /// certificates count.
    pub ca: Option<PathBuf>,
    /// The PEM files of the certificate by which this node shows who it is, and of its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Address {
    /// Makes an address without files.
    #[must_use]
    pub fn new(bus: &str) -> Address {
        Address { bus: bus.to_owned(), ..Address::default() }
    }

    /// Returns the address without user, password and token.
    #[must_use]
    pub fn shown(&self) -> String {
        let one = |server: &str| match (server.rsplit_once('@'), server.find("://")) {
            (Some((_, place)), Some(end)) => format!("{}{place}", &server[..end + 3]),
            (Some((_, place)), None) => place.to_owned(),
            (None, _) => server.to_owned(),
        };
        self.bus.split(',').map(one).collect::<Vec<_>>().join(",")
    }
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Address { creds, ca, certificate, .. } = self;
        let mut shown = f.debug_struct("Address");
        shown.field("bus", &self.shown()).field("creds", creds).field("ca", ca);
        shown.field("certificate", certificate).finish()
    }
}

/// The reason why a bus was not opened. `place` never holds a password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotOpened {
    /// The address names no known kind of bus.
    Unknown(String),
    /// The bus is `postgres`, and no database was named.
    NoDatabase,
    /// The database that should carry the bus cannot be used.
    Database {
        /// The error of the library.
        why: String,
        /// True if the database does not answer, which may pass; false if it refuses.
        is_away: bool,
    },
    /// The NATS servers do not answer.
    Silent {
        /// The servers that were named.
        place: String,
        /// The error of the library.
        why: String,
    },
    /// The server rejects the sign-in.
    Refused {
        /// The servers that were named.
        place: String,
        /// True if credentials were sent, and they are wrong; false if the server wants some.
        with: bool,
    },
    /// The encrypted connection (TLS) could not be established.
    Tls {
        /// The servers that were named.
        place: String,
        /// The error of the library.
        why: String,
    },
    /// A file of credentials or certificates cannot be used.
    File {
        /// The path of that file.
        path: String,
        /// The error of the system, or what is wrong in it.
        why: String,
    },
}

impl NotOpened {
    /// Returns true if waiting may mend it: the server does not answer, rather than refusing.
    #[must_use]
    pub fn is_away(&self) -> bool {
        matches!(self, NotOpened::Silent { .. } | NotOpened::Database { is_away: true, .. })
    }

    /// Returns the key of the sentence in `texts`, and its facts.
    #[must_use]
    pub fn sentence(&self) -> (&'static str, Vec<(&'static str, &str)>) {
        match self {
            NotOpened::Unknown(bus) => ("bus-unknown", vec![("bus", bus)]),
            NotOpened::NoDatabase => ("bus-without-database", Vec::new()),
            NotOpened::Database { why, .. } => ("bus-database-silent", vec![("why", why)]),
            NotOpened::Silent { place, why } => ("bus-silent", vec![("place", place), ("why", why)]),
            NotOpened::Refused { place, with: true } => ("bus-wrong-credentials", vec![("place", place)]),
            NotOpened::Refused { place, with: false } => ("bus-wants-credentials", vec![("place", place)]),
            NotOpened::Tls { place, why } => ("bus-tls-failed", vec![("place", place), ("why", why)]),
            NotOpened::File { path, why } => ("bus-file-unreadable", vec![("path", path), ("why", why)]),
        }
    }
}

/// The credentials by which a client of NATS signs in.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Login {
    Password(String, String),
    Token(String),
    /// The text of a file with the JWT and the nkey of a user.
    Jwt(String),
}

impl Login {
    /// Parses `user:password`, or a token.
    fn read(text: &str) -> Login {
        match text.split_once(':') {
            Some((user, password)) => Login::Password(user.to_owned(), password.to_owned()),
            None => Login::Token(text.to_owned()),
        }
    }

    /// Reads a file of one line, or one that NATS has written.
    pub(crate) fn of_file(path: &Path) -> Result<Login, NotOpened> {
        let shown = path.display().to_string();
        let failed = |why: String| NotOpened::File { path: shown.clone(), why };
        let text = std::fs::read_to_string(path).map_err(|why| failed(why.to_string()))?;
        match text.trim() {
            "" => Err(failed("it is empty".to_owned())),
            jwt if jwt.contains("-----BEGIN NATS ") => Ok(Login::Jwt(text)),
            line if line.lines().count() > 1 => Err(failed("it has more than one line".to_owned())),
            line => Ok(Login::read(line)),
        }
    }
}

/// Splits the servers of NATS in an address from the credentials in it.
pub(crate) fn servers(address: &Address) -> (Vec<String>, Option<Login>) {
    let login = address.bus.split(',').find_map(|server| {
        let (user_info, _) = server.rsplit_once('@')?;
        let text = user_info.split_once("://").map_or(user_info, |(_, text)| text);
        let (user, password) = match text.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (text, None),
        };
        Some(match password {
            Some(password) => Login::Password(decoded(user), decoded(password)),
            None => Login::Token(decoded(user)),
        })
    });
    (address.shown().split(',').map(str::to_owned).collect(), login)
}

/// Decodes percent escapes such as `%40`; anything else stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| behind.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let code = (*first == b'%').then(|| Some(digit(0)? * 16 + digit(1)?)).flatten();
        match code.and_then(|code| u8::try_from(code).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_taken_out_of_an_address() {
        let pair = |user: &str, password: &str| Some(Login::Password(user.to_owned(), password.to_owned()));
        for (address, shown, login) in [
            ("nats://a:4222", "nats://a:4222", None),
            ("nats://hall:se%40cret@a:4222", "nats://a:4222", pair("hall", "se@cret")),
            ("nats://hall:p@ss/w#rd%@a", "nats://a", pair("hall", "p@ss/w#rd%")),
            ("tls://t0ken@[::1]:4222", "tls://[::1]:4222", Some(Login::Token("t0ken".to_owned()))),
            ("nats://u:p@a:1,nats://b:2", "nats://a:1,nats://b:2", pair("u", "p")),
            ("nats://u:%E6%A3%8B@a", "nats://a", pair("u", "棋")),
        ] {
            let address = Address::new(address);
            let (servers, found) = servers(&address);
            assert!(found == login, "{address:?}");
            assert_eq!(servers.join(","), shown);
            let debug = format!("{address:?}");
            assert!(
                !debug.contains("cret") && !debug.contains("t0ken") && !debug.contains("p@ss"),
                "{debug}"
            );
        }
    }

    const JWT: &str = "-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n";

    #[test]
    fn a_file_of_credentials_has_one_line_or_is_of_nats() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bus");
        for (text, wanted) in [
            ("hall:se cret:x\n", Some(Login::Password("hall".to_owned(), "se cret:x".to_owned()))),
            ("t0ken", Some(Login::Token("t0ken".to_owned()))),
            (" \n", None),
            ("a:b\nc:d\n", None),
            (JWT, Some(Login::Jwt(JWT.to_owned()))),
        ] {
            std::fs::write(&path, text).expect("writes");
            assert!(Login::of_file(&path).ok() == wanted, "{text}");
        }
        std::fs::remove_file(&path).expect("removes");
        assert!(matches!(Login::of_file(&path), Err(NotOpened::File { .. })));
    }
}
