//! HTTP and WebSocket connections to a server, plain or encrypted, with the same trusted certificates for both.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Method, Request, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kernel::Problem;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use crate::Error;

/// The maximal length of a response body, in bytes, enough for a long game.
const LONGEST: usize = 64 << 20;
/// The maximal number of idle connections kept per server.
const KEPT: usize = 32;
/// The maximal size of a certificate file, in bytes; the file of a whole system is a fraction of it.
const MOST_CERTIFICATES: u64 = 4 << 20;

/// The certificate authorities that are trusted.
#[derive(Clone)]
pub struct Trust(Arc<ClientConfig>);

impl Trust {
    /// Trusts the certificate authorities of this system.
    #[must_use]
    pub fn system() -> Trust {
        static SYSTEM: LazyLock<Trust> = LazyLock::new(|| {
            let mut roots = RootCertStore::empty();
            // A system without any is told when a certificate is not accepted.
            let (_, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            Trust::of(roots)
        });
        SYSTEM.clone()
    }

    /// Trusts only the certificates in a PEM file.
    ///
    /// # Errors
    /// `ca-unreadable`, `ca-no-certificate`.
    pub fn of_file(path: &Path) -> Result<Trust, Problem> {
        let problem = |key: &'static str| Problem::new(key).with("file", path.display());
        let unreadable = |why: &dyn std::fmt::Display| problem("ca-unreadable").with("reason", why);
        let size = std::fs::metadata(path).map_err(|why| unreadable(&why))?;
        if !size.is_file() || size.len() > MOST_CERTIFICATES {
            return Err(unreadable(&format_args!("not a file of at most {MOST_CERTIFICATES} bytes")));
        }
        let bytes = std::fs::read(path).map_err(|why| unreadable(&why))?;
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
        let mut roots = RootCertStore::empty();
        let (taken, _) = roots.add_parsable_certificates(certificates.unwrap_or_default());
        if taken == 0 {
            return Err(problem("ca-no-certificate"));
        }
        Ok(Trust::of(roots))
    }

    fn of(roots: RootCertStore) -> Trust {
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.expect("the provider knows the usual versions");
        Trust(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
    }
}

/// An HTTP client; clones share connections. It belongs to the runtime in which it is first used.
#[derive(Clone)]
pub struct Http {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    trust: Trust,
}

/// A response, read to its end.
pub(crate) struct Response {
    pub is_success: bool,
    pub body: Bytes,
}

impl Default for Http {
    fn default() -> Http {
        Http::new(&Trust::system())
    }
}

impl Http {
    /// Makes a client that trusts these certificates.
    #[must_use]
    pub fn new(trust: &Trust) -> Http {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.enforce_http(false);
        let connector = HttpsConnectorBuilder::new().with_tls_config((*trust.0).clone());
        let connector = connector.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(KEPT).build(connector);
        Http { client, trust: trust.clone() }
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn ask(
        &self,
        method: Method,
        url: &str,
        secret: Option<&str>,
        body: Option<String>,
    ) -> Result<Response, Error> {
        let mut request = Request::builder().method(method).uri(url);
        if let Some(secret) = secret {
            request = request.header("authorization", format!("Bearer {secret}"));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Full::new(Bytes::from(body.unwrap_or_default())));
        let request = request.map_err(|why| Error::Strange(why.to_string()))?;
        let answer = self.client.request(request).await.map_err(|why| lost(&why))?;
        let is_success = answer.status().is_success();
        let body = Limited::new(answer.into_body(), LONGEST).collect().await;
        let body = body.map_err(|why| Error::Lost(why.to_string()))?.to_bytes();
        Ok(Response { is_success, body })
    }

    /// Opens a new connection to the host of that URL, encrypted if the scheme is `https` or `wss`.
    pub(crate) async fn connect(&self, url: &str) -> Result<Box<dyn Stream>, Error> {
        let strange = |why: &dyn std::fmt::Display| Error::Strange(format!("{url}: {why}"));
        let uri: Uri = url.parse().map_err(|why| strange(&why))?;
        let host = uri.host().ok_or_else(|| strange(&"no host"))?;
        let is_encrypted = matches!(uri.scheme_str(), Some("https" | "wss"));
        let port = uri.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
        // The brackets of an IPv6 address belong to the URL.
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((bare, port)).await.map_err(|why| lost(&why))?;
        let _ = stream.set_nodelay(true);
        if !is_encrypted {
            return Ok(Box::new(stream));
        }
        let name = ServerName::try_from(bare.to_owned()).map_err(|why| strange(&why))?;
        let connector = TlsConnector::from(Arc::clone(&self.trust.0));
        Ok(Box::new(connector.connect(name, stream).await.map_err(|why| lost(&why))?))
    }
}

/// A connection, plain or encrypted.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// Returns the error of a failed connection, with the text of its innermost cause.
fn lost(why: &(dyn std::error::Error + 'static)) -> Error {
    let mut innermost = why;
    loop {
        // What I/O errors carry is not their source.
        let carried = innermost.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        let carried = carried.map(|inner| inner as &(dyn std::error::Error + 'static));
        match carried.or_else(|| innermost.source()) {
            Some(inner) => innermost = inner,
            None => break,
        }
        if let Some(rustls::Error::InvalidCertificate(why)) = innermost.downcast_ref::<rustls::Error>() {
            return Error::Untrusted(why.to_string());
        }
    }
    Error::Lost(innermost.to_string())
}
