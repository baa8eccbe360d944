//! A hall that speaks https itself: certificates, cookies, and connections that never say a word.

use std::path::Path;
use std::sync::Arc;

use client::{Error, Guest, Http, Seat, Trust};
use edge::limits::Limits;
use edge::tls::TlsFiles;
use hall::{NotOpened, Running, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use wire::{Act, How};

use crate::house::{done, gomoku, level, moves, soon};

/// Returns a certificate for `localhost` and its key, in that folder.
fn certificate(folder: &Path) -> TlsFiles {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let files = TlsFiles { cert: folder.join("cert.pem"), key: folder.join("key.pem") };
    std::fs::write(&files.cert, made.cert.pem()).expect("writes");
    std::fs::write(&files.key, made.signing_key.serialize_pem()).expect("writes");
    files
}

async fn open(
    folder: &Path,
    tls: TlsFiles,
    limits: Limits,
    public_url: Option<&str>,
) -> Result<Running, NotOpened> {
    hall::serve(Settings {
        shared: None,
        waiting: |_| {},
        keep: Default::default(),
        listen: ([127, 0, 0, 1], 0).into(),
        admin: None,
        data: folder.join("data"),
        reach: edge::reach::Reach { public_url: public_url.map(str::to_owned), ..Default::default() },
        limits,
        loader: None,
        foreign: Default::default(),
        notices: Default::default(),
        tls: Some(tls),
        mail: None,
        openid: None,
    })
    .await
}

fn base(running: &Running) -> String {
    format!("https://localhost:{}", running.address.port())
}

fn unlimited() -> Limits {
    Limits { on: false, ..Limits::default() }
}

/// Returns the complete answer of the hall to a request for that path.
async fn answer(running: &Running, cert: &Path, path: &str) -> String {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(cert).expect("a certificate")).expect("fits");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("versions");
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect(running.address).await.expect("connects");
    let name = ServerName::try_from("localhost").expect("a name");
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.expect("shakes hands");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("writes");
    let mut heard = Vec::new();
    let _ = soon(stream.read_to_end(&mut heard)).await;
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn people_play_over_https() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = certificate(folder.path());
    let running = open(folder.path(), files.clone(), unlimited(), None).await.expect("opens");
    let trust = Trust::of_file(&files.cert).expect("a certificate");
    let enter = async || Guest::enter_with(Http::new(&trust), &base(&running)).await;
    let (ann, bob) = (soon(enter()).await.expect("is let in"), soon(enter()).await.expect("is let in"));
    let table = ann.open(&gomoku(How::Open)).await.expect("opens a table").id;
    let mut seats = [Seat::new(ann, &table), Seat::new(bob, &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 h9").await;
    running.stop().await;
}

#[tokio::test]
async fn cookies_are_the_hosts_alone_and_browsers_stay_with_https() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = certificate(folder.path());
    let running = open(folder.path(), files.clone(), unlimited(), None).await.expect("opens");
    let heard = answer(&running, &files.cert, "/").await.to_ascii_lowercase();
    assert!(heard.starts_with("http/1.1 200"), "{heard}");
    let cookie = heard.lines().find(|line| line.starts_with("set-cookie: ")).expect("a cookie");
    assert!(cookie.contains("__host-qiguan=") && cookie.contains("; secure"), "{cookie}");
    assert!(heard.contains("strict-transport-security: max-age="));
    running.stop().await;
}

#[tokio::test]
async fn a_stranger_to_the_certificate_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = open(folder.path(), certificate(folder.path()), unlimited(), None).await.expect("opens");
    let refused = soon(Guest::enter(&base(&running))).await.err().expect("is not trusted");
    assert!(matches!(refused, Error::Untrusted(_)), "{refused}");
    // Plain http is no answer, and no hang.
    let plain = soon(Guest::enter(&base(&running).replace("https", "http"))).await.err().expect("no http");
    assert!(matches!(plain, Error::Lost(_)), "{plain}");
    running.stop().await;
}

#[tokio::test]
async fn an_address_that_begins_too_many_handshakes_is_turned_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { handshakes: 3, handshakes_refill_s: 1_000_000, ..Limits::default() };
    let running = open(folder.path(), certificate(folder.path()), limits, None).await.expect("opens");
    let mut silent = Vec::new();
    for _ in 0..3 {
        silent.push(TcpStream::connect(running.address).await.expect("connects"));
    }
    let mut turned_away = TcpStream::connect(running.address).await.expect("connects");
    let read = soon(turned_away.read(&mut [0; 1])).await;
    assert!(matches!(read, Ok(0) | Err(_)), "closed without a word");
    running.stop().await;
}

#[tokio::test]
async fn what_cannot_serve_is_said_before_anything_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = certificate(folder.path());
    for (name, tls, public_url, wanted) in [
        (
            "a file that is not there",
            TlsFiles { key: folder.path().join("none"), ..files.clone() },
            None,
            "tls-unreadable",
        ),
        ("an address with http", files.clone(), Some("http://hall.example"), "tls-public-url"),
    ] {
        match open(folder.path(), tls, unlimited(), public_url).await {
            Err(NotOpened::Setting(problem)) => assert_eq!(problem.key, wanted, "{name}"),
            other => panic!("{name}: {:?}", other.err()),
        }
        assert!(!folder.path().join("data").exists(), "{name}");
    }
}
