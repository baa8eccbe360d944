//! NATS core as a bus: no streams, no acknowledgements.

use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event};
use futures_util::StreamExt as _;
use tokio::sync::mpsc;

use crate::{BEHIND, Bus, BusError, MOST_BYTES, Message, Subscription};

/// Every subject begins with this, so that a server may carry other things besides.
const PREFIX: &str = "qiguan.";

/// A connection, which the library opens again when it ends.
pub struct Nats {
    client: Client,
}

impl Nats {
    /// Connects to `nats://user:password@host:4222`.
    ///
    /// # Errors
    /// When nothing that speaks NATS answers within five seconds.
    pub async fn open(url: &str) -> Result<Nats, BusError> {
        // Without the password.
        let place = url.rsplit('@').next().unwrap_or(url).trim_start_matches("nats://").to_owned();
        let failed = |why: String| {
            BusError::Unreachable(format!(
                "--bus nats://{place}: no NATS server answers there ({why}); is it running, \
                 and are host and port right?"
            ))
        };
        let options = ConnectOptions::new()
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
                    _ => {}
                }
            });
        let connecting = options.connect(url);
        match tokio::time::timeout(Duration::from_secs(5), connecting).await {
            Ok(Ok(client)) => Ok(Nats { client }),
            Ok(Err(why)) => Err(failed(why.to_string())),
            Err(_) => Err(failed("it is silent".to_owned())),
        }
    }
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
        // So that whoever is told to speak from now on is heard.
        let _ = tokio::time::timeout(Duration::from_secs(1), self.client.flush()).await;
        let (sender, messages) = mpsc::channel(BEHIND);
        tokio::spawn(async move {
            loop {
                let message = tokio::select! {
                    message = subscriber.next() => message,
                    () = sender.closed() => None,
                };
                let Some(message) = message else { break };
                let subject = message.subject.trim_start_matches(PREFIX).to_owned();
                let body: Vec<u8> = message.payload.to_vec();
                if let Err(mpsc::error::TrySendError::Full(_)) =
                    sender.try_send(Message { subject, body: body.into() })
                {
                    metrics::counter!("hall_bus_dropped_total").increment(1);
                }
            }
            let _ = subscriber.unsubscribe().await;
        });
        Ok(Subscription { messages })
    }

    fn name(&self) -> String {
        let info = self.client.server_info();
        format!("NATS {} at {}:{}", info.version, info.host, info.port)
    }
}
