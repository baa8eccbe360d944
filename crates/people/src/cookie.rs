//! Credentials of a request: `Authorization: Bearer …` of a program, or the cookie of a page.
//!
//! - A bearer secret takes precedence; a request that has one is judged by it alone.
//! - A hall under a path shares its host with others: its cookie goes to that path alone, so over https it is
//!   `__Secure-qiguan`, since browsers take `__Host-` for whole hosts only.
//! - Over https otherwise only `__Host-qiguan` counts, which browsers accept only from this very host over https. A
//!   plain `qiguan` could have been set by a neighbour under the same domain or over http, and is ignored. Over http
//!   there is only the plain one.
//! - Two cookies of the name with different values: one of them was set by another site, and the server cannot tell
//!   which. The request is refused rather than answered for either, or for a new guest.
//! - A cookie whose value does not have the form of a secret is ignored. A value that has the form is valid only if
//!   the store knows it.

use kernel::Problem;

use crate::Secret;

/// The cookie's name over http.
const PLAIN: &str = "qiguan";
/// The cookie's name over https: see [RFC 6265bis](https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/), "Cookie Name Prefixes".
const HOST: &str = "__Host-qiguan";
/// The cookie's name over https of a hall under a path: the prefix `__Host-` would want `Path=/`.
const UNDER: &str = "__Secure-qiguan";
/// The lifetime of the cookie in a browser, in seconds: two years.
const MAX_AGE_S: u32 = 63_072_000;
/// The most bytes of all `Cookie` fields, and of an `Authorization` field.
const MOST_BYTES: usize = 16 << 10;

/// The properties of a hall that determine its cookie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jar<'a> {
    /// True if the hall is reached over https, which it knows from its public address, not from a request.
    pub secure: bool,
    /// The path under which the hall is served, without a slash at the end; empty where it has the whole host.
    pub path: &'a str,
}

impl Jar<'_> {
    fn name(self) -> &'static str {
        match (self.secure, self.path) {
            (false, _) => PLAIN,
            (true, "") => HOST,
            (true, _) => UNDER,
        }
    }
}

/// The credentials that a request carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Credentials {
    /// The request carries no secret.
    None,
    /// The secret of a program. Browsers add no such field by themselves, so it needs no protection against forged
    /// requests.
    Bearer(Secret),
    /// The secret in a page's cookie; needs protection against forged requests.
    Cookie(Secret),
}

impl Credentials {
    /// Parses the values of the `Authorization` and of the `Cookie` fields of a request.
    ///
    /// # Errors
    /// `session-too-large`; `session-bearer` for more than one `Authorization`, or a bearer's that is not of the form;
    /// `session-twice` for two cookies.
    pub fn read<'a>(
        authorization: impl IntoIterator<Item = &'a [u8]>,
        cookies: impl IntoIterator<Item = &'a [u8]>,
        jar: Jar<'_>,
    ) -> Result<Credentials, Problem> {
        if let Some(secret) = bearer(authorization)? {
            return Ok(Credentials::Bearer(secret));
        }
        Ok(cookie(cookies, jar)?.map_or(Credentials::None, Credentials::Cookie))
    }

    /// Returns the secret, from either field.
    #[must_use]
    pub fn secret(&self) -> Option<&Secret> {
        match self {
            Credentials::None => None,
            Credentials::Bearer(secret) | Credentials::Cookie(secret) => Some(secret),
        }
    }
}

/// Returns the value of `Set-Cookie` that stores a secret in a browser.
#[must_use]
pub fn set(secret: &Secret, jar: Jar<'_>) -> String {
    field(secret.reveal(), MAX_AGE_S, jar)
}

/// Returns the value of `Set-Cookie` that deletes the cookie in a browser.
#[must_use]
pub fn clear(jar: Jar<'_>) -> String {
    field("", 0, jar)
}

fn field(value: &str, age_s: u32, jar: Jar<'_>) -> String {
    let (name, flag) = (jar.name(), if jar.secure { "; Secure" } else { "" });
    let path = if jar.path.is_empty() { "/" } else { jar.path };
    format!("{name}={value}; Path={path}; Max-Age={age_s}; HttpOnly; SameSite=Lax{flag}")
}

fn too_large() -> Problem {
    Problem::new("session-too-large").with("limit", MOST_BYTES)
}

/// Parses a bearer secret. The scheme's name is matched in any case (RFC 9110, 11.1). Other schemes are left to
/// proxies.
fn bearer<'a>(fields: impl IntoIterator<Item = &'a [u8]>) -> Result<Option<Secret>, Problem> {
    let broken = || Problem::new("session-bearer");
    let mut found = None;
    for field in fields {
        if field.len() > MOST_BYTES {
            return Err(too_large());
        }
        let Some((scheme, rest)) = field.split_at_checked("Bearer".len()) else { continue };
        if !scheme.eq_ignore_ascii_case(b"Bearer") || !rest.first().is_none_or(u8::is_ascii_whitespace) {
            continue;
        }
        let secret = std::str::from_utf8(rest).ok().and_then(|text| Secret::read_bearer(text.trim()));
        if found.replace(secret.ok_or_else(broken)?).is_some() {
            return Err(broken());
        }
    }
    Ok(found)
}

fn cookie<'a>(fields: impl IntoIterator<Item = &'a [u8]>, jar: Jar<'_>) -> Result<Option<Secret>, Problem> {
    let wanted = jar.name();
    let mut left = MOST_BYTES;
    let mut found: Option<Secret> = None;
    for field in fields {
        left = left.checked_sub(field.len()).ok_or_else(too_large)?;
        for pair in field.split(|byte| *byte == b';') {
            let Some(secret) = std::str::from_utf8(pair).ok().and_then(|pair| value(pair, wanted)) else {
                continue;
            };
            if found.as_ref().is_some_and(|other| *other != secret) {
                return Err(Problem::new("session-twice").with("name", wanted));
            }
            found = Some(secret);
        }
    }
    Ok(found)
}

/// Returns the secret of a pair `name=value`. Names of cookies are case-sensitive.
fn value(pair: &str, wanted: &str) -> Option<Secret> {
    let (name, value) = pair.split_once('=')?;
    (name.trim() == wanted).then(|| Secret::read(value.trim())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    fn read(authorization: &[&str], cookies: &[&str], secure: bool) -> Result<Option<String>, &'static str> {
        let bytes =
            |fields: &[&str]| fields.iter().map(|field| field.as_bytes().to_vec()).collect::<Vec<_>>();
        let (authorization, cookies) = (bytes(authorization), bytes(cookies));
        let found = Credentials::read(
            authorization.iter().map(Vec::as_slice),
            cookies.iter().map(Vec::as_slice),
            Jar { secure, path: "" },
        );
        found
            .map(|found| found.secret().map(|secret| secret.reveal().to_owned()))
            .map_err(|problem| problem.key)
    }

    #[test]
    fn cookies() {
        let a = || Ok(Some(A.to_owned()));
        for (name, fields, secure, wanted) in [
            ("none", vec![], true, Ok(None)),
            ("https takes the cookie of the host", vec![format!("x=y; __Host-qiguan={A}; z")], true, a()),
            ("http takes the plain one", vec![format!("x=y;qiguan={A};z=")], false, a()),
            ("a plain one is nothing over https", vec![format!("qiguan={A}")], true, Ok(None)),
            ("and does not win", vec![format!("qiguan={B}; __Host-qiguan={A}")], true, a()),
            ("the host's is nothing over http", vec![format!("__Host-qiguan={A}")], false, Ok(None)),
            ("in two fields", vec!["x=y".to_owned(), format!("qiguan={A}")], false, a()),
            ("the same twice", vec![format!("qiguan={A}; qiguan={A}")], false, a()),
            ("two", vec![format!("qiguan={A}; qiguan={B}")], false, Err("session-twice")),
            (
                "two of the host",
                vec![format!("__Host-qiguan={A}"), format!("__Host-qiguan={B}")],
                true,
                Err("session-twice"),
            ),
            ("one that is none beside one", vec![format!("qiguan=x; qiguan={A}")], false, a()),
            ("another case is another name", vec![format!("Qiguan={A}; __host-qiguan={A}")], false, Ok(None)),
            ("a name that ends so", vec![format!("myqiguan={A}")], false, Ok(None)),
            ("no value", vec!["qiguan; qiguan=; =; ;".to_owned()], false, Ok(None)),
            ("too much", vec!["x".repeat(10_000), "x".repeat(10_000)], false, Err("session-too-large")),
        ] {
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            assert_eq!(read(&[], &fields, secure), wanted, "{name}");
        }
    }

    #[test]
    fn bearers() {
        let cookie = format!("qiguan={B}");
        for (name, fields, wanted) in [
            ("it goes first", vec![format!("Bearer {A}")], Ok(Some(A))),
            ("in any case", vec![format!("bearer  {A} ")], Ok(Some(A))),
            (
                "another scheme is not ours",
                vec!["Basic YTpi".to_owned(), "Bearers x".to_owned()],
                Ok(Some(B)),
            ),
            ("a broken one is nobody's", vec!["Bearer x".to_owned()], Err("session-bearer")),
            ("an empty one", vec!["Bearer".to_owned()], Err("session-bearer")),
            ("two", vec![format!("Bearer {A}"), format!("Bearer {A}")], Err("session-bearer")),
            ("too much", vec!["x".repeat(20_000)], Err("session-too-large")),
        ] {
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            let wanted = wanted.map(|found| found.map(str::to_owned));
            assert_eq!(read(&fields, &[&cookie], false), wanted, "{name}");
        }
        assert_eq!(
            Credentials::read([], [&b"qiguan=\xff"[..]], Jar { secure: false, path: "" }),
            Ok(Credentials::None)
        );
    }

    #[test]
    fn what_is_set_is_read() {
        let secret = Secret::new();
        for secure in [true, false] {
            let jar = Jar { secure, path: "" };
            let field = set(&secret, jar);
            let pair = field.split(';').next().unwrap();
            assert_eq!(read(&[], &[pair], secure), Ok(Some(secret.reveal().to_owned())));
            assert_eq!(field.contains("; Secure"), secure);
            assert!(
                field.contains("; Path=/;") && field.contains("; HttpOnly;") && !field.contains("Domain")
            );
            assert!(clear(jar).contains("Max-Age=0"));
        }
        for (secure, name) in [(true, "__Secure-qiguan="), (false, "qiguan=")] {
            let jar = Jar { secure, path: "/games" };
            let field = set(&secret, jar);
            assert!(field.starts_with(name) && field.contains("; Path=/games;"), "{field}");
            let pair = field.split(';').next().unwrap().as_bytes();
            assert_eq!(Credentials::read([], [pair], jar), Ok(Credentials::Cookie(secret.clone())));
            assert!(clear(jar).contains("; Path=/games; Max-Age=0;"));
        }
    }
}
