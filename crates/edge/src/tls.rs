//! https without a proxy: the certificate and the key in two PEM files, read again when they change.
//!
//! Open connections keep the certificate they began with; new ones get the new one. Files that cannot be used, or do
//! not belong together, change nothing: the previous certificate stays in use, and the log says why. A renewal that
//! replaces one file after the other is therefore no failure for long.

use std::io::Read;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kernel::Problem;
use sha2::{Digest, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::extensions::GeneralName;

/// The interval at which the files are checked for changes.
pub const EVERY: Duration = Duration::from_secs(10);
/// The longest file that is read, in bytes; a chain of certificates has some thousand.
const MOST_BYTES: u64 = 1 << 20;
/// The most names of a certificate for which a metric says when it ends.
const MOST_NAMES: usize = 32;

/// The paths of the certificate and its key.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate and its intermediates, in this order, as PEM.
    pub cert: PathBuf,
    /// Its private key, as PEM: PKCS #8, PKCS #1 or SEC1.
    pub key: PathBuf,
}

/// The TLS settings of new connections.
pub struct Tls {
    now: Mutex<Now>,
}

/// The settings in use, and the hash of the files that were looked at last, usable or not.
struct Now {
    files: TlsFiles,
    acceptor: TlsAcceptor,
    validity: Option<Validity>,
    seen: Result<[u8; 32], Problem>,
}

/// The names that a certificate is for, and its end.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Validity {
    names: Vec<String>,
    /// Seconds since 1970.
    ends_s: i64,
}

impl Validity {
    /// Reads a certificate; `None` if it is in a form that rustls takes and this does not.
    fn read(certificate: &CertificateDer<'_>) -> Option<Validity> {
        let (_, certificate) = x509_parser::parse_x509_certificate(certificate).ok()?;
        let ends_s = certificate.validity().not_after.timestamp();
        let alternative = certificate.subject_alternative_name().ok().flatten();
        let names = alternative.iter().flat_map(|names| &names.value.general_names);
        let mut names: Vec<String> = names.filter_map(name).take(MOST_NAMES).collect();
        if names.is_empty() {
            names.push(certificate.subject().to_string());
        }
        Some(Validity { names, ends_s })
    }

    /// Tells the metrics how long the certificate still lasts.
    fn measure(&self, now: SystemTime) {
        let now_s = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        for name in &self.names {
            metrics::gauge!("hall_certificate_seconds", "name" => name.clone())
                .set(self.ends_s as f64 - now_s);
        }
    }

    /// Takes those of its names out of the metrics that `next` has not: a number that is none is below no bound.
    fn forget(&self, next: &Validity) {
        for name in self.names.iter().filter(|name| !next.names.contains(name)) {
            metrics::gauge!("hall_certificate_seconds", "name" => name.clone()).set(f64::NAN);
        }
    }
}

/// Returns a host name or an address of a certificate.
fn name(general: &GeneralName<'_>) -> Option<String> {
    match general {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => {
            let v4 = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
            v4.or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from)).ok().map(|ip| ip.to_string())
        }
        _ => None,
    }
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// `tls-unreadable`, `tls-no-certificate`, `tls-no-key`, `tls-mismatch`, with the names of the files.
    pub fn open(files: TlsFiles) -> Result<Tls, Problem> {
        let read = Pem::read(&files)?;
        let (acceptor, validity) = read.acceptor(&files)?;
        Ok(Tls { now: Mutex::new(Now { acceptor, validity, seen: Ok(read.hash()), files }) })
    }

    /// Takes over the settings and the files of another one; connections that are open keep their settings. Returns
    /// true if the contents of the files differ.
    pub fn adopt(&self, other: Tls) -> bool {
        let other = other.now.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut now = self.now();
        let differs = now.seen != other.seen;
        if let (Some(before), Some(next)) = (&now.validity, &other.validity) {
            before.forget(next);
        }
        *now = other;
        differs
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the acceptor for one more connection.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        self.now().acceptor.clone()
    }

    /// Reads the files again. `Ok(true)`: they have changed, and new connections use them.
    ///
    /// # Errors
    /// The errors of [`Tls::open`]; the previous settings stay in use. The same failure is reported once.
    pub fn look(&self) -> Result<bool, Problem> {
        let files = self.now().files.clone();
        let read = Pem::read(&files);
        let seen = read.as_ref().map(Pem::hash).map_err(Clone::clone);
        if self.now().seen == seen {
            return Ok(false);
        }
        let made = read.and_then(|read| read.acceptor(&files));
        let mut now = self.now();
        now.seen = seen;
        let (acceptor, validity) = made?;
        if let (Some(before), Some(next)) = (&now.validity, &validity) {
            before.forget(next);
        }
        (now.acceptor, now.validity) = (acceptor, validity);
        Ok(true)
    }

    /// Tells the metrics how long the certificate still lasts.
    fn measure(&self) {
        if let Some(validity) = &self.now().validity {
            validity.measure(SystemTime::now());
        }
    }

    /// Checks the files again and again, writes the outcome to the log, and keeps the metric of the certificate's end.
    pub async fn keep_looking(self: Arc<Tls>) {
        self.measure();
        let mut looks = tokio::time::interval_at(tokio::time::Instant::now() + EVERY, EVERY);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            let tls = Arc::clone(&self);
            match tokio::task::spawn_blocking(move || tls.look()).await {
                Ok(Ok(true)) => {
                    tracing::info!(file = %self.now().files.cert.display(), "a new certificate is in use")
                }
                Ok(Ok(false)) | Err(_) => {}
                Ok(Err(problem)) => {
                    let why = texts::problem(texts::Language::English, &problem);
                    tracing::error!("{why} The certificate that was read before stays in use.");
                }
            }
            self.measure();
        }
    }
}

/// The bytes of both files.
struct Pem {
    cert: Vec<u8>,
    key: Vec<u8>,
}

impl Pem {
    fn read(files: &TlsFiles) -> Result<Pem, Problem> {
        Ok(Pem { cert: read(&files.cert)?, key: read(&files.key)? })
    }

    fn hash(&self) -> [u8; 32] {
        let both = Sha256::new().chain_update(Sha256::digest(&self.cert)).chain_update(&self.key);
        both.finalize().into()
    }

    /// Makes the settings of connections, and reads how long the certificate lasts.
    fn acceptor(&self, files: &TlsFiles) -> Result<(TlsAcceptor, Option<Validity>), Problem> {
        let of = |key, file: &Path| Problem::new(key).with("file", file.display());
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.cert).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain.ok_or_else(|| of("tls-no-certificate", &files.cert))?;
        let validity = chain.first().and_then(Validity::read);
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| of("tls-no-key", &files.key))?;
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder =
            builder.with_safe_default_protocol_versions().expect("the provider knows the usual versions");
        let made = builder.with_no_client_auth().with_single_cert(chain, key);
        let mut config = made.map_err(|why| {
            of("tls-mismatch", &files.cert).with("key", files.key.display()).with("reason", why)
        })?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok((TlsAcceptor::from(Arc::new(config)), validity))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let unreadable = |why: &dyn std::fmt::Display| {
        Problem::new("tls-unreadable").with("file", path.display()).with("reason", why)
    };
    // A pipe would be waited for without end.
    let kind = std::fs::metadata(path).map_err(|why| unreadable(&why))?;
    if !kind.is_file() {
        return Err(unreadable(&"not a file"));
    }
    let file = std::fs::File::open(path).map_err(|why| unreadable(&why))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|why| unreadable(&why))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(unreadable(&format_args!("more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (String, String) {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    #[test]
    fn files_that_do_not_serve_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = TlsFiles { cert: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        let ((cert, key), (_, other)) = (pair(), pair());
        let long = "x".repeat(MOST_BYTES as usize + 1);
        for (name, cert_text, key_text, wanted) in [
            ("good ones", Some(&cert), Some(&key), None),
            ("no certificate file", None, Some(&key), Some(("tls-unreadable", "cert.pem"))),
            ("no key file", Some(&cert), None, Some(("tls-unreadable", "key.pem"))),
            ("no certificate in it", Some(&key), Some(&key), Some(("tls-no-certificate", "cert.pem"))),
            ("no key in it", Some(&cert), Some(&cert), Some(("tls-no-key", "key.pem"))),
            ("another's key", Some(&cert), Some(&other), Some(("tls-mismatch", "cert.pem"))),
            ("too long", Some(&long), Some(&key), Some(("tls-unreadable", "cert.pem"))),
        ] {
            for (path, text) in [(&files.cert, cert_text), (&files.key, key_text)] {
                let _ = std::fs::remove_file(path);
                if let Some(text) = text {
                    std::fs::write(path, text).expect("writes");
                }
            }
            let found = Tls::open(files.clone()).err();
            assert_eq!(found.as_ref().map(|problem| problem.key), wanted.map(|(key, _)| key), "{name}");
            if let (Some(problem), Some((_, file))) = (found, wanted) {
                assert!(
                    texts::problem(texts::Language::English, &problem).contains(file),
                    "{name}: {problem:?}"
                );
            }
        }
        let folder = TlsFiles { cert: folder.path().to_owned(), ..files };
        assert_eq!(Tls::open(folder).err().map(|problem| problem.key), Some("tls-unreadable"));
    }

    #[test]
    fn a_certificate_says_for_whom_and_until_when_it_is() {
        let names = ["hall.example", "www.hall.example", "192.0.2.7", "2001:db8::7"];
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut wish = rcgen::CertificateParams::new(names.map(str::to_owned)).expect("names");
        wish.not_after = rcgen::date_time_ymd(2031, 5, 17);
        let made = wish.self_signed(&key).expect("a certificate");
        let read = Validity::read(made.der()).expect("is read");
        let ends_s = 1_936_742_400;
        assert_eq!(read, Validity { names: names.map(str::to_owned).to_vec(), ends_s });
        assert_eq!(Validity::read(&CertificateDer::from(vec![1, 2, 3])), None);
    }

    #[test]
    fn a_renewal_that_fails_changes_nothing_and_is_told_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = TlsFiles { cert: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        let ((cert, key), (new_cert, new_key)) = (pair(), pair());
        std::fs::write(&files.cert, cert).expect("writes");
        std::fs::write(&files.key, key).expect("writes");
        let tls = Tls::open(files.clone()).expect("opens");
        let config = |tls: &Tls| Arc::as_ptr(tls.acceptor().config());
        let first = config(&tls);
        assert_eq!(tls.look(), Ok(false), "nothing has changed");
        std::fs::write(&files.cert, new_cert).expect("writes");
        assert_eq!(tls.look().map_err(|problem| problem.key), Err("tls-mismatch"), "half a renewal");
        assert_eq!(tls.look(), Ok(false), "told once");
        assert_eq!(config(&tls), first);
        std::fs::remove_file(&files.key).expect("is there");
        assert_eq!(tls.look().map_err(|problem| problem.key), Err("tls-unreadable"));
        assert_eq!(tls.look(), Ok(false), "told once");
        std::fs::write(&files.key, new_key).expect("writes");
        assert_eq!(tls.look(), Ok(true));
        assert_ne!(config(&tls), first);
    }
}
