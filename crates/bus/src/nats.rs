//! NATS core as a bus: no streams, no acknowledgements.

use std::path::Path;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use futures_util::StreamExt as _;
use tokio::sync::mpsc;

use crate::address::{self, Address, Login, NotOpened};
use crate::{BEHIND, Bus, BusError, MOST_BYTES, Message, Subscription};

/// The prefix of every subject, so that a server may carry other traffic too.
const PREFIX: &str = "qiguan.";

/// A connection, which the library reopens when it ends.
pub struct Nats {
    client: Client,
}

impl Nats {
    /// Connects to the servers of an address such as `nats://user:password@host:4222`.
    ///
    /// # Errors
    /// Fails when nothing that speaks NATS answers within five seconds, or it does not let us in.
    pub async fn open(address: &Address) -> Result<Nats, NotOpened> {
        let place = address.shown();
        let silent = |why: String| NotOpened::Silent { place: place.clone(), why };
        let Read { servers, options, with, encrypted } = Read::of(address)?;
        let connecting = followed(options).require_tls(encrypted).connect(servers);
        match tokio::time::timeout(Duration::from_secs(5), connecting).await {
            Ok(Ok(client)) => Ok(Nats { client }),
            Ok(Err(why)) => Err(match why.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    NotOpened::Refused { place, with }
                }
                ConnectErrorKind::Tls => NotOpened::Tls { place, why: why.to_string() },
                // A certificate that is refused shows as an error of the connection.
                ConnectErrorKind::Io if encrypted => NotOpened::Tls { place, why: why.to_string() },
                _ => silent(why.to_string()),
            }),
            Err(_) => Err(silent("it says nothing".to_owned())),
        }
    }
}

/// Reads an address and the files that it names, without connecting.
///
/// # Errors
/// Fails when the address is none of NATS, or a file cannot be used.
pub fn check(address: &Address) -> Result<(), NotOpened> {
    Read::of(address).map(drop)
}

/// An address, with the contents of the files that it names.
struct Read {
    servers: Vec<ServerAddr>,
    options: ConnectOptions,
    /// True if credentials are sent.
    with: bool,
    /// True if the connection must be encrypted.
    encrypted: bool,
}

impl Read {
    fn of(address: &Address) -> Result<Read, NotOpened> {
        let (servers, mut login) = address::servers(address);
        if let Some(path) = &address.creds {
            login = Some(Login::of_file(path)?);
        }
        let servers: Result<Vec<ServerAddr>, _> = servers.iter().map(|server| server.parse()).collect();
        let servers = servers.map_err(|_| NotOpened::Unknown(address.shown()))?;
        let with = login.is_some();
        // The library takes no notice of credentials in an address.
        let mut options = match login {
            Some(Login::Password(user, password)) => ConnectOptions::with_user_and_password(user, password),
            Some(Login::Token(token)) => ConnectOptions::with_token(token),
            Some(Login::Jwt(text)) => ConnectOptions::with_credentials(&text).map_err(|why| {
                let path = address.creds.as_ref().map(|path| path.display().to_string());
                NotOpened::File { path: path.unwrap_or_default(), why: why.to_string() }
            })?,
            None => ConnectOptions::new(),
        };
        if let Some(ca) = &address.ca {
            check_pem(ca, "-----BEGIN CERTIFICATE-----", "there is no certificate in it")?;
            options = options.add_root_certificates(ca.clone());
        }
        if let Some((certificate, key)) = &address.certificate {
            check_pem(certificate, "-----BEGIN CERTIFICATE-----", "there is no certificate in it")?;
            check_pem(key, "PRIVATE KEY-----", "there is no private key in it")?;
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let has_files = address.ca.is_some() || address.certificate.is_some();
        let encrypted = has_files || servers.iter().any(ServerAddr::tls_required);
        Ok(Read { servers, options, with, encrypted })
    }
}

/// Refuses a file without `part`, before the library reports it with every attempt.
fn check_pem(path: &Path, part: &str, lacks: &str) -> Result<(), NotOpened> {
    let failed = |why: String| NotOpened::File { path: path.display().to_string(), why };
    let text = std::fs::read_to_string(path).map_err(|why| failed(why.to_string()))?;
    if text.contains(part) { Ok(()) } else { Err(failed(lacks.to_owned())) }
}

/// Sets the connection's name and timeouts, and logs its events.
fn followed(options: ConnectOptions) -> ConnectOptions {
    options
        .name("qiguan")
        .connection_timeout(Duration::from_secs(4))
        .ping_interval(Duration::from_secs(5))
        .subscription_capacity(BEHIND)
        .reconnect_delay_callback(|tries| {
            Duration::from_millis(100 * u64::try_from(tries.min(10)).unwrap_or(10))
        })
        .event_callback(|event| async move {
            match event {
                Event::Connected => tracing::info!("the bus answers"),
                Event::Disconnected => tracing::warn!("the bus does not answer"),
                Event::SlowConsumer(_) => metrics::counter!("hall_bus_dropped_total").increment(1),
                Event::ServerError(why) => tracing::warn!(%why, "the bus complains"),
                _ => {}
            }
        })
}

#[async_trait::async_trait]
impl Bus for Nats {
    async fn publish(&self, subject: &str, body: Vec<u8>) -> Result<(), BusError> {
        if body.len() > MOST_BYTES {
            return Err(BusError::TooLong);
        }
        // Waits for room in the client's queue, never for the server.
        let publishing = self.client.publish(format!("{PREFIX}{subject}"), body.into());
        match tokio::time::timeout(Duration::from_secs(1), publishing).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(why)) => Err(BusError::Unreachable(format!("the bus does not take a message: {why}"))),
            Err(_) => Err(BusError::Unreachable("the bus does not take messages".to_owned())),
        }
    }

    async fn subscribe(&self, subject: &str) -> Result<Subscription, BusError> {
        let subscribed = self.client.subscribe(format!("{PREFIX}{subject}")).await;
        let mut subscriber = subscribed
            .map_err(|why| BusError::Unreachable(format!("the bus does not let us listen: {why}")))?;
        // Flushed, so that messages sent in answer to this subscription are received.
        let _ = tokio::time::timeout(Duration::from_secs(1), self.client.flush()).await;
        let (sender, messages) = mpsc::channel(BEHIND);
        tokio::spawn(async move {
            loop {
                let message = tokio::select! {
                    message = subscriber.next() => message,
                    () = sender.closed() => None,
                };
                let Some(message) = message else { break };
                let subject = message.subject.strip_prefix(PREFIX).unwrap_or_default().to_owned();
                let body: Vec<u8> = message.payload.to_vec();
                if let Err(mpsc::error::TrySendError::Full(_)) =
                    sender.try_send(Message { subject, body: body.into() })
                {
                    metrics::counter!("hall_bus_dropped_total").increment(1);
                }
            }
            let _ = subscriber.unsubscribe().await;
        });
        Ok(Subscription::plain(messages))
    }

    fn name(&self) -> String {
        let info = self.client.server_info();
        format!("NATS {} at {}:{}", info.version, info.host, info.port)
    }
}
