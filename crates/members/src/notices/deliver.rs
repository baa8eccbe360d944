//! Delivery of notices to push services. The endpoint comes from a browser and is not trusted.
//!
//! A hall must not be made to send requests into its own network (SSRF): endpoints are https on the usual port, of a
//! host whose address is public. The address is checked after its name was looked up, and connected to as it was
//! checked; redirects are not followed, and only the status of an answer is read.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use kernel::Problem;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Host, Url};

use crate::trust::TLS;

/// The most bytes of an endpoint; those of existing services have 100 to 600.
pub(crate) const MOST_ENDPOINT: usize = 1024;
/// The time that a push service may take for a whole request.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest head of an answer, in bytes.
const HEAD: usize = 16_384;

/// The outcome of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivered {
    /// The service has accepted it.
    Done,
    /// The endpoint no longer exists.
    Gone,
    /// The service rejects it for good.
    Refused,
    /// The service cannot be reached, or asks for a retry later.
    Later,
}

/// A notice, ready to be sent.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// The field `Authorization`.
    pub authorization: String,
    /// The topic, of at most 32 letters; a service that still holds a notice of the same topic replaces it.
    pub topic: String,
    /// True if it should wake a sleeping device.
    pub urgent: bool,
    /// The time for which the service is to keep it, in seconds (TTL).
    pub keep_s: u64,
    /// The encrypted message, which only the browser can read.
    pub body: Vec<u8>,
}

/// Parses an endpoint. `local`: services on this machine are allowed, too, also over http and on any port; for tests.
///
/// # Errors
/// `push-endpoint`.
pub fn endpoint(text: &str, local: bool) -> Result<Url, Problem> {
    let wrong = || Problem::new("push-endpoint");
    if text.len() > MOST_ENDPOINT {
        return Err(wrong());
    }
    let url = Url::parse(text).map_err(|_| wrong())?;
    let literal = match url.host().ok_or_else(wrong)? {
        Host::Domain(_) => None,
        Host::Ipv4(v4) => Some(IpAddr::V4(v4)),
        Host::Ipv6(v6) => Some(IpAddr::V6(v6)),
    };
    if local && literal.is_some_and(|ip| ip.is_loopback()) {
        return Ok(url);
    }
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    let is_usual = url.scheme() == "https" && url.port().is_none();
    if is_plain && is_usual && literal.is_none_or(is_public) { Ok(url) } else { Err(wrong()) }
}

/// Returns true if an address is on the public internet, neither special nor a tunnel into another network.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

/// Returns true for an IPv4 address that is not special by RFC 6890 and the registry of special addresses.
fn is_public_v4(v4: Ipv4Addr) -> bool {
    let [a, b, c, _] = v4.octets();
    let special = v4.is_private()
        || v4.is_loopback()
        || v4.is_link_local()
        || v4.is_documentation()
        || v4.is_multicast()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19));
    !special
}

/// Returns true for an IPv6 address of 2000::/3, except those for documentation, tunnels to IPv4 addresses (6to4,
/// Teredo) and the rest of 2001::/23.
fn is_public_v6(v6: Ipv6Addr) -> bool {
    let [a, b, ..] = v6.segments();
    let special = a == 0x2002 || (a == 0x2001 && (b < 0x200 || b == 0xdb8)) || (a == 0x3fff && b < 0x1000);
    a & 0xe000 == 0x2000 && !special
}

/// Sends a parcel to an [endpoint].
pub async fn send(url: &Url, parcel: &Parcel, local: bool) -> Delivered {
    match tokio::time::timeout(PATIENCE, attempt(url, parcel, local)).await {
        Ok(Ok(status)) => judge(status),
        Ok(Err(why)) => {
            tracing::debug!(host = url.host_str(), %why, "a notice was not delivered");
            Delivered::Later
        }
        Err(_) => Delivered::Later,
    }
}

fn judge(status: StatusCode) -> Delivered {
    match status.as_u16() {
        200..=299 => Delivered::Done,
        404 | 410 => Delivered::Gone,
        408 | 425 | 429 | 500..=599 => Delivered::Later,
        // Also 3xx: no service has to send us elsewhere.
        _ => Delivered::Refused,
    }
}

async fn attempt(url: &Url, parcel: &Parcel, local: bool) -> Result<StatusCode, String> {
    let host = url.host_str().ok_or("no host")?;
    let port = url.port_or_known_default().ok_or("no port")?;
    // The brackets of an IPv6 address belong to the URL.
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found = tokio::net::lookup_host((bare, port)).await.map_err(|why| why.to_string())?;
    let may = |at: &SocketAddr| is_public(at.ip()) || (local && at.ip().is_loopback());
    let address = found.into_iter().find(may).ok_or("no public address")?;
    let stream = TcpStream::connect(address).await.map_err(|why| why.to_string())?;
    let request = request(url, parcel)?;
    if url.scheme() == "https" {
        let name = ServerName::try_from(bare.to_owned()).map_err(|why| why.to_string())?;
        let tls = TlsConnector::from(Arc::clone(&TLS)).connect(name, stream).await;
        ask(tls.map_err(|why| why.to_string())?, request).await
    } else {
        ask(stream, request).await
    }
}

fn request(url: &Url, parcel: &Parcel) -> Result<Request<Full<Bytes>>, String> {
    let host = url.host_str().ok_or("no host")?;
    let authority = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let path = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    Request::post(path)
        .header(header::HOST, authority)
        .header(header::AUTHORIZATION, &parcel.authorization)
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header(header::CONTENT_ENCODING, "aes128gcm")
        .header("ttl", parcel.keep_s)
        .header("urgency", if parcel.urgent { "high" } else { "normal" })
        .header("topic", &parcel.topic)
        .body(Full::new(Bytes::from(parcel.body.clone())))
        .map_err(|why| why.to_string())
}

async fn ask<S>(stream: S, request: Request<Full<Bytes>>) -> Result<StatusCode, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut http = hyper::client::conn::http1::Builder::new();
    let (mut sender, connection) =
        http.max_buf_size(HEAD).handshake(TokioIo::new(stream)).await.map_err(|why| why.to_string())?;
    // The connection ends with this function, whatever else the service has to say.
    tokio::select! {
        answer = sender.send_request(request) => answer.map(|answer| answer.status()).map_err(|why| why.to_string()),
        ended = connection => Err(ended.err().map_or_else(|| "no answer".to_owned(), |why| why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_internet_is_asked() {
        for (name, address, public) in [
            ("somewhere", "93.184.216.34", true),
            ("somewhere else", "2606:2800:220:1::1", true),
            ("this machine", "127.0.0.1", false),
            ("all of it", "127.255.0.1", false),
            ("nowhere", "0.0.0.0", false),
            ("a home", "192.168.1.1", false),
            ("a company", "10.0.0.1", false),
            ("another", "172.31.255.255", false),
            ("no company", "172.32.0.1", true),
            ("what a cloud tells its machines", "169.254.169.254", false),
            ("behind a provider", "100.64.0.1", false),
            ("a measurement", "198.19.0.1", false),
            ("a multicast", "224.0.0.1", false),
            ("everybody", "255.255.255.255", false),
            ("this machine, IPv6", "::1", false),
            ("nowhere, IPv6", "::", false),
            ("IPv4 written as IPv6", "::ffff:127.0.0.1", false),
            ("and a home", "::ffff:192.168.1.1", false),
            ("compatible IPv4", "::127.0.0.1", false),
            ("NAT64", "64:ff9b::7f00:1", false),
            ("6to4", "2002:7f00:1::", false),
            ("Teredo", "2001:0:4136:e378::1", false),
            ("a home, IPv6", "fd00::1", false),
            ("a link", "fe80::1", false),
            ("a multicast, IPv6", "ff02::1", false),
            ("a book", "2001:db8::1", false),
        ] {
            assert_eq!(is_public(address.parse().expect("an address")), public, "{name}");
        }
    }

    #[test]
    fn endpoints_are_checked() {
        let long = format!("https://push.example/{}", "x".repeat(MOST_ENDPOINT));
        for (name, text, local, good) in [
            ("a service", "https://push.example/send/abc?x=1", false, true),
            ("a public address", "https://93.184.216.34/abc", false, true),
            ("not encrypted", "http://push.example/abc", false, false),
            ("another port", "https://push.example:8443/abc", false, false),
            ("a password", "https://a:b@push.example/abc", false, false),
            ("a fragment", "https://push.example/abc#d", false, false),
            ("no URL", "push.example", false, false),
            ("another scheme", "file:///etc/passwd", false, false),
            ("this machine", "https://127.0.0.1/abc", false, false),
            ("the same in other words", "https://0x7f.1/abc", false, false),
            ("and as a number", "https://2130706433/", false, false),
            ("IPv6", "https://[::1]/abc", false, false),
            ("IPv4 in IPv6", "https://[::ffff:10.0.0.1]/abc", false, false),
            ("too long", &long, false, false),
            ("this machine, where that is allowed", "http://127.0.0.1:8080/abc", true, true),
            ("another machine all the same", "https://10.0.0.1/abc", true, false),
        ] {
            assert_eq!(endpoint(text, local).is_ok(), good, "{name}");
        }
    }

    /// A name that resolves to this machine is not connected to: `localhost` looks like any name until it is looked
    /// up.
    #[tokio::test]
    async fn a_name_that_leads_home_is_not_asked() {
        let parcel = Parcel {
            authorization: String::new(),
            topic: "t".into(),
            urgent: false,
            keep_s: 1,
            body: Vec::new(),
        };
        let url = endpoint("https://localhost/abc", false).expect("a name");
        let why = attempt(&url, &parcel, false).await.expect_err("is not asked");
        assert_eq!(why, "no public address");
    }

    #[test]
    fn answers_are_judged() {
        for (status, wanted) in [
            (201, Delivered::Done),
            (202, Delivered::Done),
            (301, Delivered::Refused),
            (400, Delivered::Refused),
            (403, Delivered::Refused),
            (404, Delivered::Gone),
            (410, Delivered::Gone),
            (413, Delivered::Refused),
            (429, Delivered::Later),
            (503, Delivered::Later),
        ] {
            assert_eq!(judge(StatusCode::from_u16(status).expect("a status")), wanted, "{status}");
        }
    }
}
