//! A WebSocket connection to a table or to the lobby.

use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use wire::ServerMessage;

use crate::Error;
use crate::http::{Http, Stream};

/// The maximal length of a message from the server, enough for the full state of a long game.
const LONGEST: usize = 8 << 20;

/// A connection, with a count of the bytes sent and received.
pub struct Connection {
    socket: WebSocketStream<Box<dyn Stream>>,
    /// Bytes received and sent, frame headers included.
    pub bytes: u64,
}

impl Connection {
    pub(crate) async fn open(
        http: &Http,
        base: &str,
        secret: &str,
        table: &str,
        since: Option<u64>,
    ) -> Result<Connection, Error> {
        let since = since.map_or_else(String::new, |v| format!("&since={v}"));
        Connection::at(http, base, secret, &format!("/ws?table={table}{since}")).await
    }

    /// Connects to the lobby of the server at `base`, with that secret.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn lobby(base: &str, secret: &str) -> Result<Connection, Error> {
        Connection::to(base, secret, "/ws/lobby").await
    }

    /// Connects to `path` on the server at `base`, such as `/ws/lobby`.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn to(base: &str, secret: &str, path: &str) -> Result<Connection, Error> {
        Connection::at(&Http::default(), base, secret, path).await
    }

    async fn at(http: &Http, base: &str, secret: &str, path: &str) -> Result<Connection, Error> {
        let lost = |e: tokio_tungstenite::tungstenite::Error| Error::Lost(e.to_string());
        let url = format!("{}{path}", base.replacen("http", "ws", 1));
        let stream = http.connect(&url).await?;
        let mut request = url.into_client_request().map_err(lost)?;
        let bearer =
            HeaderValue::from_str(&format!("Bearer {secret}")).map_err(|e| Error::Strange(e.to_string()))?;
        request.headers_mut().insert("authorization", bearer);
        request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(wire::SUBPROTOCOL));
        let config = WebSocketConfig::default()
            .read_buffer_size(2048)
            .write_buffer_size(0)
            .max_message_size(Some(LONGEST));
        let connected = client_async_with_config(request, stream, Some(config)).await;
        let (socket, _) = connected.map_err(lost)?;
        Ok(Connection { socket, bytes: 0 })
    }

    /// Sends a message as JSON.
    ///
    /// # Errors
    /// Fails when the connection broke.
    pub async fn say(&mut self, message: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_string(message).expect("plain data");
        self.bytes += framed(text.len(), true);
        self.socket.send(Message::Text(text.into())).await.map_err(|e| Error::Lost(e.to_string()))
    }

    /// Receives the next message, as text.
    ///
    /// # Errors
    /// Fails when the connection broke, or was closed.
    pub async fn hear_text(&mut self) -> Result<Utf8Bytes, Error> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    self.bytes += framed(text.len(), false);
                    return Ok(text);
                }
                Some(Ok(Message::Close(frame))) => return Err(Error::Lost(format!("closed: {frame:?}"))),
                Some(Ok(_)) => {}
                Some(Err(e)) => return Err(Error::Lost(e.to_string())),
                None => return Err(Error::Lost("closed".to_owned())),
            }
        }
    }

    /// Receives the next message.
    ///
    /// # Errors
    /// Fails when the connection broke, or the message is not of this protocol.
    pub async fn hear(&mut self) -> Result<ServerMessage, Error> {
        let text = self.hear_text().await?;
        serde_json::from_str(&text).map_err(|e| Error::Strange(format!("{e} in {text}")))
    }

    /// Drops the connection without a close frame, as a network failure does.
    pub fn cut(self) {}
}

/// Returns the size of a WebSocket frame with a payload of that many bytes.
fn framed(payload: usize, masked: bool) -> u64 {
    let length = if payload < 126 {
        0
    } else if payload < 65_536 {
        2
    } else {
        8
    };
    (payload + 2 + length + if masked { 4 } else { 0 }) as u64
}
