//! The envelope of every message on a bus: a version, a number, and the subject for the answer.

use serde::{Deserialize, Serialize};

use crate::BusError;

/// The version of the messages between processes. A hall that receives another version logs it once, and ignores the
/// message.
pub const VERSION: u32 = 1;
/// The longest message, in bytes: half of what NATS carries unless told otherwise.
pub const MOST_BYTES: usize = 512 << 10;

/// A message as it was sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Envelope {
    /// The sender's [`VERSION`].
    pub v: u32,
    /// The number of the question; in an answer, that of its question. Empty for news.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The subject where the answer is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The content, as JSON of the hall's own.
    pub body: String,
}

/// The reasons why a message is ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// The message is of another version.
    Version(u32),
    /// The message is not an envelope.
    Odd,
}

impl Envelope {
    /// Makes an envelope for news, which expects no answer.
    #[must_use]
    pub fn news(body: String) -> Envelope {
        Envelope { v: VERSION, id: String::new(), reply: None, body }
    }

    /// Serializes the envelope for the bus.
    ///
    /// # Errors
    /// [`BusError::TooLong`].
    pub fn write(&self) -> Result<Vec<u8>, BusError> {
        let bytes = serde_json::to_vec(self).expect("texts are always JSON");
        if bytes.len() > MOST_BYTES { Err(BusError::TooLong) } else { Ok(bytes) }
    }

    /// Parses an envelope that was received.
    ///
    /// # Errors
    /// See [`Unread`].
    pub fn read(bytes: &[u8]) -> Result<Envelope, Unread> {
        #[derive(Deserialize)]
        struct OnlyVersion {
            v: u32,
        }
        if bytes.len() > MOST_BYTES {
            return Err(Unread::Odd);
        }
        let OnlyVersion { v } = serde_json::from_slice(bytes).map_err(|_| Unread::Odd)?;
        if v != VERSION {
            return Err(Unread::Version(v));
        }
        serde_json::from_slice(bytes).map_err(|_| Unread::Odd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_other_versions_are_named() {
        let news = Envelope::news("{\"a\":\"\u{1F600}\"}".to_owned());
        assert_eq!(Envelope::read(&news.write().expect("short")), Ok(news.clone()));
        let asked = Envelope { id: "7".to_owned(), reply: Some("x.y".to_owned()), ..news };
        assert_eq!(Envelope::read(&asked.write().expect("short")), Ok(asked.clone()));
        for (bytes, wanted) in [
            (&b"{\"v\":2,\"other\":true}"[..], Unread::Version(2)),
            (b"{\"v\":1}", Unread::Odd),
            (b"", Unread::Odd),
            (b"\xff", Unread::Odd),
        ] {
            assert_eq!(Envelope::read(bytes), Err(wanted));
        }
        let long = Envelope { body: "x".repeat(MOST_BYTES), ..asked };
        assert_eq!(long.write(), Err(BusError::TooLong));
    }
}
