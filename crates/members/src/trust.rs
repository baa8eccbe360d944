//! Https to other servers: providers of accounts, and push services.

use std::sync::{Arc, LazyLock};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The TLS settings, with the certificates that this system trusts.
pub static TLS: LazyLock<Arc<ClientConfig>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (_, _) = roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        tracing::error!("this system has no certificates of authorities: nothing can be asked over https");
    }
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("the provider knows the usual versions");
    Arc::new(config.with_root_certificates(roots).with_no_client_auth())
});
