//! Messages to clients, as they go over the network.

use axum::extract::ws::Utf8Bytes;
use wire::ServerMessage;

/// Serializes a message for the network.
pub fn text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are plain data").into()
}
