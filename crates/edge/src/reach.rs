//! The addresses of the hall: its own hosts and pages, its path, and the client address that a proxy reports.
//!
//! What a request writes is read in its normal form: names in small letters, without a final dot and without the port
//! that the scheme has anyway; addresses with or without a port, in brackets and quotes or not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use kernel::Problem;

/// The addresses of the hall, which decide whose requests it obeys.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The public address of the hall, when it differs from the one it listens on: `https://hall.example`, or with a
    /// path under which all of the hall is served, `https://club.example/games/`.
    pub public_url: Option<String>,
    /// The hall listens on loopback only; then names of this machine are the only hosts.
    pub loopback: bool,
    /// Requests come through a proxy that adds the client's address to `X-Forwarded-For` or `Forwarded`.
    pub behind_proxy: bool,
    /// The hall itself speaks https.
    pub tls: bool,
}

impl Reach {
    /// Returns true if browsers reach it over https.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.tls || self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }

    /// Returns the scheme as browsers write it.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        if self.is_secure() { "https" } else { "http" }
    }

    /// Returns the path under which the hall is served, without a slash at its end: `/games`; empty where it is the
    /// whole host.
    #[must_use]
    pub fn prefix(&self) -> &str {
        let rest =
            self.public_url.as_deref().and_then(|url| url.split_once("://")).map_or("", |(_, rest)| rest);
        rest.find('/').map_or("", |at| rest[at..].trim_end_matches('/'))
    }

    /// Returns the host of the public address, as it was written.
    fn authority(&self) -> Option<&str> {
        let (_, rest) = self.public_url.as_deref()?.split_once("://")?;
        rest.split('/').next()
    }

    /// Returns true if a request for that host is meant for this hall. A page elsewhere can make its own name point
    /// here; it cannot make that name one of ours.
    #[must_use]
    pub fn is_ours(&self, host: &Host) -> bool {
        let public = self.authority().and_then(|public| Host::read(public, self.scheme()));
        let local = matches!(host.name.as_str(), "localhost" | "127.0.0.1" | "[::1]");
        public.as_ref() == Some(host) || local || (!self.loopback && self.public_url.is_none())
    }

    /// Returns true if a page of that origin is one of the hall, which was asked for at `host`; on https, pages that
    /// came over http are not.
    #[must_use]
    pub fn is_own_page(&self, origin: &str, host: &Host) -> bool {
        let Ok(uri) = origin.parse::<Uri>() else { return false };
        let Some(scheme @ ("http" | "https")) = uri.scheme_str() else { return false };
        let page = uri.authority().and_then(|page| Host::read(page.as_str(), scheme));
        let Some(page) = page else { return false };
        let public = self.authority().and_then(|public| Host::read(public, self.scheme()));
        if public.as_ref() == Some(&page) && scheme == self.scheme() {
            return true;
        }
        if self.is_secure() && scheme != "https" {
            return false;
        }
        // The scheme's usual port may have been left out on one side only.
        page == *host || Host::read(host.written.as_str(), scheme).as_ref() == Some(&page)
    }

    /// Returns the address of the client. A proxy is believed only where there is one, and only its last entry: the
    /// client may have written those before it.
    #[must_use]
    pub fn address(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        static UNREADABLE: AtomicBool = AtomicBool::new(false);
        static ABSENT: AtomicBool = AtomicBool::new(false);
        if !self.behind_proxy {
            return peer;
        }
        match forwarded(headers) {
            Forwarded::From(address) => return address,
            Forwarded::Unreadable(field, value) => {
                if !UNREADABLE.swap(true, Ordering::Relaxed) {
                    let value: String = value.chars().take(100).collect();
                    tracing::warn!(
                        field,
                        value,
                        "the address that the proxy names cannot be read: all whom it names so count as one \
                         (told once)"
                    );
                }
            }
            Forwarded::Nothing => {
                if !ABSENT.swap(true, Ordering::Relaxed) {
                    tracing::warn!(
                        "a request came without X-Forwarded-For and Forwarded although --behind-proxy is set: \
                         all whom the proxy does not name count as one (told once)"
                    );
                }
            }
        }
        peer
    }
}

/// The address that a proxy names.
#[derive(PartialEq, Eq, Debug)]
enum Forwarded {
    Nothing,
    From(IpAddr),
    /// The name of the field, and its value.
    Unreadable(&'static str, String),
}

/// Returns the last address that a proxy names. `X-Forwarded-For` goes before `Forwarded`: most proxies write the
/// former, and pass on what a client wrote into the latter.
fn forwarded(headers: &HeaderMap) -> Forwarded {
    // Some proxies append to the line they got, others add a line: what they say themselves comes last.
    let last = |name: &str| headers.get_all(name).iter().next_back().map(shown);
    let (field, told) = match (last("x-forwarded-for"), last("forwarded")) {
        (Some(list), _) => ("X-Forwarded-For", list.rsplit(',').next().unwrap_or_default().trim().to_owned()),
        (None, Some(list)) => ("Forwarded", last_for(&list).unwrap_or(list)),
        (None, None) => return Forwarded::Nothing,
    };
    match node(&told) {
        Some(address) => Forwarded::From(address),
        None => Forwarded::Unreadable(field, told),
    }
}

fn shown(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// Returns the node that the last element of a `Forwarded` field names as `for` (RFC 7239, 4). Commas and semicolons
/// inside quotes separate nothing.
fn last_for(list: &str) -> Option<String> {
    let (mut quoted, mut escaped) = (false, false);
    let mut elements = vec![vec![String::new()]];
    for c in list.chars() {
        let was_escaped = std::mem::take(&mut escaped);
        match c {
            '\\' if quoted && !was_escaped => {
                escaped = true;
                continue;
            }
            '"' if !was_escaped => quoted = !quoted,
            ',' if !quoted => {
                elements.push(vec![String::new()]);
                continue;
            }
            ';' if !quoted => {
                elements.last_mut()?.push(String::new());
                continue;
            }
            _ => {}
        }
        elements.last_mut()?.last_mut()?.push(c);
    }
    let named = |pair: &String| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then(|| value.trim().to_owned())
    };
    elements.last()?.iter().find_map(named)
}

/// Parses an address as proxies write it: `192.0.2.1`, `192.0.2.1:5678`, `2001:db8::1`, `[2001:db8::1]`,
/// `[2001:db8::1]:443`, each in quotes or not; an IPv6 address may name a zone.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text).trim();
    if let Ok(address) = bare.parse::<IpAddr>() {
        return Some(address);
    }
    if let Ok(socket) = bare.parse::<SocketAddr>() {
        return Some(socket.ip());
    }
    // Ports that are no numbers are allowed to be hidden ones: `_x7`.
    if let Some(rest) = bare.strip_prefix('[') {
        let (inside, after) = rest.split_once(']')?;
        let fits = after.is_empty() || after.strip_prefix(':').is_some_and(is_port);
        return v6(inside).filter(|_| fits).map(IpAddr::V6);
    }
    if let Some((v4, port)) = bare.split_once(':').filter(|(_, port)| is_port(port)) {
        return v4.parse::<Ipv4Addr>().ok().map(IpAddr::V4).filter(|_| !port.contains(':'));
    }
    v6(bare).map(IpAddr::V6)
}

fn is_port(text: &str) -> bool {
    let hidden =
        |rest: &str| rest.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    text.parse::<u16>().is_ok() || text.strip_prefix('_').is_some_and(|rest| !rest.is_empty() && hidden(rest))
}

fn v6(text: &str) -> Option<Ipv6Addr> {
    text.split('%').next()?.parse().ok()
}

/// A host in its normal form.
#[derive(Clone, Debug)]
pub struct Host {
    /// The name in small letters, without a final dot; an IPv6 address is in brackets.
    name: String,
    /// The port; `None`: the scheme's own.
    port: Option<u16>,
    /// The text in the request.
    written: String,
}

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.port) == (&other.name, other.port)
    }
}

impl Host {
    /// Reads a name or an address with or without a port; `None` for what is neither.
    #[must_use]
    pub fn read(text: &str, scheme: &str) -> Option<Host> {
        let text = text.trim();
        let end = text.rfind(']').map_or(0, |at| at + 1);
        let (name, port) = match text[end..].rfind(':') {
            Some(at) => (&text[..end + at], &text[end + at + 1..]),
            None => (text, ""),
        };
        let port = if port.is_empty() { None } else { Some(port.parse::<u16>().ok()?) };
        let usual = if scheme == "https" { 443 } else { 80 };
        let name = match name.strip_prefix('[').and_then(|inside| inside.strip_suffix(']')) {
            Some(inside) => format!("[{}]", inside.parse::<Ipv6Addr>().ok()?),
            None => {
                let name = name.strip_suffix('.').unwrap_or(name);
                // Who writes an address with letters of its own writes it as browsers do: in ASCII.
                let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
                if name.is_empty() || !name.bytes().all(is_name) {
                    return None;
                }
                name.to_ascii_lowercase()
            }
        };
        Some(Host { name, port: port.filter(|port| *port != usual), written: text.to_owned() })
    }

    /// Returns the host that a request is for; `None` where it names none that can be read.
    ///
    /// # Errors
    /// `host-twice`: it names two, and a proxy may have meant either (RFC 9112, 3.2).
    pub fn of(headers: &HeaderMap, uri: &Uri, scheme: &str) -> Result<Option<Host>, Problem> {
        let twice = || Problem::new("host-twice");
        let mut fields = headers.get_all(header::HOST).iter();
        let field = fields.next();
        if fields.next().is_some() {
            return Err(twice());
        }
        let read = |text: &str| Host::read(text, scheme);
        let named = field.map(|value| value.to_str().ok().and_then(read));
        let target = uri.authority().map(|authority| read(authority.as_str()));
        match (named, target) {
            (Some(named), Some(target)) if named != target => Err(twice()),
            (Some(found), _) | (None, Some(found)) => Ok(found),
            (None, None) => Ok(None),
        }
    }

    /// Returns the host as it is written in addresses.
    #[must_use]
    pub fn text(&self) -> String {
        match self.port {
            Some(port) => format!("{}:{port}", self.name),
            None => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str, scheme: &str) -> Host {
        Host::read(text, scheme).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn only_our_own_names_are_hosts() {
        let local = Reach { loopback: true, ..Reach::default() };
        let open = Reach::default();
        let public = Reach { public_url: Some("https://Hall.Example".into()), ..Reach::default() };
        let under = Reach { public_url: Some("https://club.example:8443/games/".into()), ..Reach::default() };
        for (reach, text, ours) in [
            (&local, "127.0.0.1:8080", true),
            (&local, "localhost:8080", true),
            (&local, "LOCALHOST:8080", true),
            (&local, "localhost.", true),
            (&local, "[::1]:8080", true),
            (&local, "[0:0:0:0:0:0:0:1]:8080", true),
            (&local, "evil.example:8080", false),
            (&local, "127.0.0.1.evil.example", false),
            (&open, "192.0.2.7:8080", true),
            (&public, "hall.example", true),
            // H6: these were another host.
            (&public, "HALL.EXAMPLE", true),
            (&public, "hall.example:443", true),
            (&public, "hall.example.", true),
            (&public, "hall.example.:443", true),
            (&public, "hall.example:", true),
            (&public, "hall.example:80", false),
            (&public, "hall.example:8443", false),
            (&public, "hall.example..", false),
            (&public, "evil.example", false),
            (&public, "hall.example.evil.example", false),
            (&under, "club.example:8443", true),
            (&under, "club.example", false),
        ] {
            assert_eq!(reach.is_ours(&host(text, reach.scheme())), ours, "{text} {reach:?}");
        }
        for text in [
            "",
            ":80",
            "a b",
            "user@hall.example",
            "hall.example/x",
            "hall.example:x",
            "[::1",
            "[x]",
            "a:1:2",
        ] {
            assert!(Host::read(text, "https").is_none(), "{text}");
        }
    }

    #[test]
    fn only_our_own_pages_act() {
        let public = Reach { public_url: Some("https://hall.example/games/".into()), ..Reach::default() };
        let open = Reach::default();
        for (reach, origin, at, ours) in [
            (&public, "https://hall.example", "HALL.example.", true),
            (&public, "https://hall.example:443", "hall.example", true),
            (&public, "https://hall.example", "127.0.0.1:8080", true),
            (&public, "http://hall.example", "hall.example", false),
            (&public, "https://hall.example.evil", "hall.example", false),
            (&public, "null", "hall.example", false),
            (&public, "https://evil.example", "hall.example", false),
            (&open, "http://192.0.2.7:8080", "192.0.2.7:8080", true),
            (&open, "http://192.0.2.7", "192.0.2.7:80", true),
            (&open, "http://192.0.2.7", "192.0.2.7:8080", false),
            (&open, "file://192.0.2.7", "192.0.2.7", false),
        ] {
            assert_eq!(reach.is_own_page(origin, &host(at, reach.scheme())), ours, "{origin} at {at}");
        }
    }

    #[test]
    fn a_request_is_for_one_host() {
        let of = |hosts: &[&str], uri: &str| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, host.parse().expect("a value"));
            }
            let found = Host::of(&headers, &uri.parse().expect("a target"), "https");
            found.map(|host| host.map(|host| host.text())).map_err(|why| why.key)
        };
        assert_eq!(of(&["Hall.Example:443"], "/"), Ok(Some("hall.example".to_owned())));
        assert_eq!(of(&[], "https://hall.example:8443/x"), Ok(Some("hall.example:8443".to_owned())));
        assert_eq!(of(&["hall.example"], "https://HALL.example/x"), Ok(Some("hall.example".to_owned())));
        assert_eq!(of(&[], "/"), Ok(None));
        assert_eq!(of(&["a b"], "/"), Ok(None));
        assert_eq!(of(&["hall.example", "hall.example"], "/"), Err("host-twice"));
        assert_eq!(of(&["hall.example", "evil.example"], "/"), Err("host-twice"));
        assert_eq!(of(&["hall.example"], "https://evil.example/"), Err("host-twice"));
    }

    #[test]
    fn the_path_of_the_hall_is_that_of_its_address() {
        for (url, prefix) in [
            ("https://club.example", ""),
            ("https://club.example/", ""),
            ("https://club.example/games", "/games"),
            ("https://club.example/our/games/", "/our/games"),
        ] {
            assert_eq!(
                Reach { public_url: Some(url.to_owned()), ..Reach::default() }.prefix(),
                prefix,
                "{url}"
            );
        }
        assert_eq!(Reach::default().prefix(), "");
    }

    /// Proxy headers with `ip:port`, brackets, quotes and `Forwarded` are read, so that clients do not share one
    /// budget (H6).
    #[test]
    fn what_a_proxy_says_is_read_in_every_form() {
        let told = |fields: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in fields {
                headers.append(*name, value.parse().expect("a value"));
            }
            forwarded(&headers)
        };
        let (xff, fwd) = ("x-forwarded-for", "forwarded");
        for (fields, wanted) in [
            (vec![(xff, "203.0.113.9")], "203.0.113.9"),
            (vec![(xff, "198.51.100.1, 203.0.113.9")], "203.0.113.9"),
            (vec![(xff, "198.51.100.1"), (xff, "192.0.2.33")], "192.0.2.33"),
            (vec![(xff, "1.2.3.4:5678")], "1.2.3.4"),
            (vec![(xff, "x, \"1.2.3.4:5678\"")], "1.2.3.4"),
            (vec![(xff, "2001:db8::7")], "2001:db8::7"),
            (vec![(xff, "[2001:db8::7]")], "2001:db8::7"),
            (vec![(xff, "[2001:db8::7]:443")], "2001:db8::7"),
            (vec![(xff, "\"[2001:db8::7]:443\"")], "2001:db8::7"),
            (vec![(xff, "fe80::1%eth0")], "fe80::1"),
            (vec![(xff, "[fe80::1%25eth0]:80")], "fe80::1"),
            (vec![(xff, "::ffff:10.0.0.9")], "::ffff:10.0.0.9"),
            (vec![(fwd, "for=192.0.2.60;proto=http;by=203.0.113.43")], "192.0.2.60"),
            (vec![(fwd, "For=\"[2001:db8:cafe::17]:4711\"")], "2001:db8:cafe::17"),
            (vec![(fwd, "for=192.0.2.43, for=198.51.100.17")], "198.51.100.17"),
            (vec![(fwd, "for=192.0.2.43"), (fwd, "by=x; for = 198.51.100.17:99")], "198.51.100.17"),
            (vec![(fwd, "for=192.0.2.43;host=\"a,for=1.1.1.1\"")], "192.0.2.43"),
            (vec![(fwd, "for=\"192.0.2.43:_hidden\"")], "192.0.2.43"),
            // A client can write what the proxy does not.
            (vec![(fwd, "for=6.6.6.6"), (xff, "192.0.2.1")], "192.0.2.1"),
        ] {
            assert_eq!(told(&fields), Forwarded::From(wanted.parse().expect("an address")), "{fields:?}");
        }
        for fields in [
            vec![(xff, "unknown")],
            vec![(xff, "")],
            vec![(xff, "192.0.2.1, ")],
            vec![(xff, "1.2.3.4:99999")],
            vec![(xff, "1.2.3.4:5:6")],
            vec![(xff, "[2001:db8::7]x")],
            vec![(xff, "[1.2.3.4]:80")],
            vec![(fwd, "for=unknown")],
            vec![(fwd, "for=_hidden")],
            vec![(fwd, "for=192.0.2.1, proto=https")],
            vec![(fwd, "proto=https")],
        ] {
            assert!(matches!(told(&fields), Forwarded::Unreadable(..)), "{fields:?}: {:?}", told(&fields));
        }
        assert_eq!(told(&[]), Forwarded::Nothing);
    }

    #[test]
    fn the_proxy_is_believed_only_when_there_is_one() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "203.0.113.9".parse().expect("a value"));
        let peer = IpAddr::from([127, 0, 0, 1]);
        let behind = Reach { behind_proxy: true, ..Reach::default() };
        assert_eq!(behind.address(&headers, peer), IpAddr::from([203, 0, 113, 9]));
        assert_eq!(Reach::default().address(&headers, peer), peer);
    }
}
