//! The edge of a hall: connections, https, limits, fair turns between clients, long work, and the clock.
//!
//! Nothing here knows a table, a stored row or an account: a person is a text that counts together, and a client is
//! its [`network`]. The crates above say what is counted and what is worked out. What each part holds is in a struct of
//! its own: [`acceptor::Acceptor`], [`limits::RateLimits`], [`fair::Fair`], [`workers::Workers`], [`loads::Loads`],
//! [`time::Time`].
//!
//! Reading order: [`network`] (who counts as one, and who pays), [`budget`] (token buckets), [`limits`] (the table of
//! numbers, and what counts by it), [`fair`] (turns), [`loads`] (one load for all who wait for it), [`workers`] (what
//! takes long), [`disk`] (room for new data), [`connections`] (what is open, by key), [`tls`] (https), [`acceptor`]
//! (who may connect, and how long a connection may be silent), [`reach`] (the addresses of the hall, and of the client
//! behind a proxy), [`time`].

pub mod acceptor;
pub mod budget;
pub mod connections;
pub mod disk;
pub mod fair;
pub mod limits;
pub mod loads;
pub mod network;
pub mod reach;
pub mod time;
pub mod tls;
pub mod workers;
