//! A client of the server: speaks its public protocol.
//!
//! [`Http`] sends requests, encrypted or not; [`Guest`] is a person's session over it, [`Connection`] is one
//! WebSocket, and [`Seat`] is a player at a table that retries: it connects again after every failure, keeps the
//! state it has seen, and sends a command until it is answered. [`Employer`] is the API for workers. [`load`] drives
//! many of them. The page does the same in TypeScript, by the same rules (`docs/hall-protocol.md`).

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

/// The ways a request to a server can fail.
#[derive(Debug)]
pub enum Error {
    /// The server does not answer, or the connection was lost.
    Lost(String),
    /// The server's certificate was not accepted, with the reason.
    Untrusted(String),
    /// The server answered with a refusal.
    Refused(wire::Problem),
    /// The server sent something that does not belong to the `hall.2` protocol.
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

/// Returns true if the refusal means that the server does not know the secret, or not any more: the session has
/// ended, or it is another server.
#[must_use]
pub fn is_unknown(problem: &wire::Problem) -> bool {
    matches!(&*problem.key, "bearer-unknown" | "who-are-you")
}
