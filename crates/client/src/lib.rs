//! A hall seen from outside: speaks its protocol as a visitor would.
//!
//! [`Http`] reaches a hall, encrypted or not; [`Guest`] asks over it, [`Connection`] is one WebSocket, and [`Seat`] is a player who never gives up: it connects
//! again after every failure, knows what it has seen, and sends a wish until it is answered. [`Employer`] is the hall as its workers see it. [`load`] drives many of
//! them. What the page does in TypeScript is done here in Rust, by the same rules (`docs/hall-protocol.md`).

mod http;
mod guest;
mod employer;
mod connection;
pub mod load;
pub mod record;
mod seat;

pub use connection::Connection;
pub use employer::Employer;
pub use guest::Guest;
pub use http::{Http, Trust};
pub use seat::{Answer, Seat};

/// Why a hall could not be asked.
#[derive(Debug)]
pub enum Error {
    /// It does not answer, or the connection broke.
    Lost(String),
    /// Its certificate was not accepted: why.
    Untrusted(String),
    /// The hall answered with a refusal.
    Refused(wire::Problem),
    /// It said something that is not of `hall.2`.
    Strange(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Lost(why) => write!(f, "the hall does not answer: {why}"),
            Error::Untrusted(why) => write!(f, "the certificate of the hall was not accepted: {why}"),
            Error::Refused(problem) => write!(f, "the hall refused: {} {:?}", problem.key, problem.args),
            Error::Strange(why) => write!(f, "the hall said something strange: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// Whether a hall refused because it does not know the secret, or no longer: the session has ended, or it is another hall.
#[must_use]
pub fn is_unknown(problem: &wire::Problem) -> bool {
    matches!(&*problem.key, "bearer-unknown" | "who-are-you")
}
