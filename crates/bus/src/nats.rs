//! NATS core as a bus: no streams, no acknowledgements.

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
        let (servers, mut login) = address::servers(address);
        if let Some(path) = &address.creds {
            login = Some(Login::of_file(path)?);
        }
        let servers: Result<Vec<ServerAddr>, _> = servers.iter().map(|server| server.parse()).collect();
        let servers = servers.map_err(|_| NotOpened::Unknown(place.clone()))?;
        let with = login.is_some();
        // The library takes no notice of credentials in an address.
        let mut options = match login {
            Some(Login::Password(user, password)) => ConnectOptions::with_user_and_password(user, password),
            Some(Login::Token(token)) => ConnectOptions::with_token(token),
            None => ConnectOptions::new(),
        };
        if let Some(ca) = &address.ca {
            check_ca(ca)?;
            options = options.add_root_certificates(ca.clone());
        }
        let encrypted = address.ca.is_some() || servers.iter().any(ServerAddr::tls_required);
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

/// Refuses a file without certificates, before the library reports it with every attempt.
fn check_ca(ca: &std::path::Path) -> Result<(), NotOpened> {
    let failed = |why: String| NotOpened::File { path: ca.display().to_string(), why };
    let text = std::fs::read_to_string(ca).map_err(|why| failed(why.to_string()))?;
    let some = text.contains("-----BEGIN CERTIFICATE-----");
    if some { Ok(()) } else { Err(failed("there is no certificate in it".to_owned())) }
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
