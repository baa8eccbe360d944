//! What goes over a bus: an envelope with a version, a number, and who is to be answered.

use serde::{Deserialize, Serialize};

use crate::BusError;

/// The version of what halls say to each other. A hall that hears another version says so once, and does not listen.
pub const VERSION: u32 = 1;
/// The longest message, in bytes: half of what NATS carries unless told otherwise.
pub const MOST_BYTES: usize = 512 << 10;

/// A message as it was sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Envelope {
    /// The sender's [`VERSION`].
    pub v: u32,
    /// The number of the question; of an answer, that of the question it answers. Empty: news.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The subject where the answer is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// What is said, as JSON of the hall's own.
    pub body: String,
}

/// Why a message is not listened to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It is of another version.
    Version(u32),
    /// It is no envelope.
    Odd,
}

impl Envelope {
    /// News, which nobody answers.
    #[must_use]
    pub fn news(body: String) -> Envelope {
        Envelope { v: VERSION, id: String::new(), reply: None, body }
    }

    /// As it goes over the bus.
    ///
    /// # Errors
    /// [`BusError::TooLong`].
    pub fn write(&self) -> Result<Vec<u8>, BusError> {
        let bytes = serde_json::to_vec(self).expect("texts are always JSON");
        if bytes.len() > MOST_BYTES { Err(BusError::TooLong) } else { Ok(bytes) }
    }

    /// Reads what came in.
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
