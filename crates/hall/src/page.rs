//! The page: files built by `web/`, embedded in the binary, compressed beforehand.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Read, Write as _};
use std::sync::LazyLock;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use edge::network::Asker;
use kernel::Problem;
use rust_embed::RustEmbed;

use people::Secret;

use crate::account::{cookie, secret_of};
use crate::app::App;
use crate::links::{Origin, Spoken, head};
use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Built;

const UNBUILT: &str = "<!doctype html><html lang=\"en\"><title>Qiguan</title>
<p>The hall is open, but its page was not built. Run <code>make play</code> in the project's folder.
<p lang=\"zh\">棋馆已开门,但页面尚未构建。请在项目目录里运行 <code>make play</code>。</html>";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// A browser that has seen this asks over https only, for a year.
const ONLY_HTTPS: &str = "max-age=31536000";

/// The page that reports too many requests, and tries again.
const LATER: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta http-equiv=\"refresh\" content=\"SECONDS\"><title>Qiguan 棋馆</title>
<p>Very many people come from where you are just now. This page tries again in SECONDS seconds.
<p lang=\"zh\">此刻从你这里来的人非常多。本页将在 SECONDS 秒后自动重试。</html>";

/// Answers 429 as a page: a sentence, and it tries again by itself.
pub(crate) fn later(seconds: u64) -> Response {
    let page = LATER.replace("SECONDS", &seconds.to_string());
    let mut response = (StatusCode::TOO_MANY_REQUESTS, Html(page)).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// Names of the files beside `assets/`, as they are asked for.
static BESIDE: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let names = Built::iter().filter(|name| !name.starts_with("assets/") && !name.starts_with("index.html"));
    names.map(|name| format!("/{}", name.trim_end_matches(".br").trim_end_matches(".gz"))).collect()
});

/// Returns true if that path is one of a file of the page, which is the same for everybody.
pub(crate) fn is_file(path: &str) -> bool {
    path.starts_with("/assets/") || BESIDE.contains(path)
}

/// Adds headers that forbid what our page does not need to every answer. An answer that is made to be shown elsewhere
/// has a policy of its own.
pub async fn protect(State(app): State<App>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    if app.reach.is_secure() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(ONLY_HTTPS));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Returns the ply after which a link shows a table: `?ply=12`.
fn ply_of(uri: &Uri) -> Option<usize> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("ply=")?.parse().ok())
}

/// Answers with a file of the page; any place of the page gets the page itself, with a head that describes the place.
pub async fn serve(
    State(app): State<App>,
    asker: Asker,
    origin: Origin,
    Spoken(language): Spoken,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let problem = Problem::new("no-such-method").with("method", method);
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, problem).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if let Some(response) =
        Some(path).filter(|path| *path != "index.html").and_then(|path| file(path, &headers))
    {
        return response;
    }
    // A name may have a full stop.
    let names_somebody = path.starts_with("@/");
    if !names_somebody && path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
        return Refusal::unknown(Problem::new("no-such-address")).into_response();
    }
    let built = Built::get("index.html").map(|file| String::from_utf8_lossy(&file.data).into_owned());
    let secret = secret_of(&headers, app.jar());
    let known = secret.as_ref().ok().and_then(Option::as_ref);
    let head = head::of_path(&app, &asker, uri.path(), ply_of(&uri), known, language).await;
    let page = head::put(built.as_deref().unwrap_or(UNBUILT), &head, language, &origin, app.reach.prefix());
    // The page itself says what is not there.
    let status = if head.there { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let mut response = sent(page, &headers);
    *response.status_mut() = status;
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Accept-Language"));
    if secret.is_ok_and(|found| found.is_none()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie(&Secret::new(), app.jar()));
    }
    response
}

/// Answers with a page, compressed for browsers that accept it: every visit waits for the page first.
fn sent(page: String, headers: &HeaderMap) -> Response {
    if !accepts(headers, "gzip") {
        return Html(page).into_response();
    }
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    let packed = packer.write_all(page.as_bytes()).and_then(|()| packer.finish());
    let mut response = Html(packed.expect("memory is written to")).into_response();
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    response
}

/// Returns true if the request accepts that encoding.
pub(crate) fn accepts(headers: &HeaderMap, name: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|part| part.trim().split(';').next() == Some(name))
}

fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let packed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(name, _)| accepts(headers, name))
        .find_map(|(name, ending)| Some((name, Built::get(&format!("{path}.{ending}"))?.data)));
    let (encoding, found) = match packed {
        Some((name, bytes)) => (Some(name), bytes),
        None => (None, plain(path)?),
    };
    // Names under assets/ carry a hash of their content.
    let keep = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = mime_of(path);
    let mut response = match found {
        Cow::Borrowed(bytes) => bytes.into_response(),
        Cow::Owned(bytes) => bytes.into_response(),
    };
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(encoding) = encoding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// Returns a file uncompressed. A file that compresses well is embedded only compressed, and unpacked here for
/// clients that do not accept that.
fn plain(path: &str) -> Option<Cow<'static, [u8]>> {
    if let Some(file) = Built::get(path) {
        return Some(file.data);
    }
    let packed = Built::get(&format!("{path}.gz"))?;
    Some(Cow::Owned(unpacked(&packed.data)?))
}

/// Unpacks gzip data; `None` if they are damaged.
pub(crate) fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn mime_of(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("ftl") => "text/plain; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::unpacked;

    #[test]
    fn what_is_packed_comes_out_and_what_is_damaged_does_not() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all("棋馆 ".repeat(1000).as_bytes()).expect("memory");
        let mut packed = packer.finish().expect("memory");
        assert_eq!(unpacked(&packed).expect("whole"), "棋馆 ".repeat(1000).into_bytes());
        packed.truncate(packed.len() - 1);
        assert!(unpacked(&packed).is_none());
    }
}
