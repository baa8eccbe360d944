//! Accounts, tables, clocks, WebSocket, storage. Does not know which game is being played.
//!
//! Reading order: [`table`] (one game being played; one task owns it), [`store`] (what survives a restart), [`clock`],
//! [`hall`] (finds and opens tables), [`lobby`], [`account`], then the doors: [`http`], [`socket`], [`visitor`] (who
//! asks, and whether they may), [`page`]. [`serve`] opens them all.
//!
//! The promise everything here serves: **what was acknowledged is on disk, exactly once, in order** (`docs/adr/0004`).

pub mod table;
pub mod store;
pub mod clock;
pub mod hall;
pub mod lobby;
pub mod account;
pub mod limits;
pub mod time;
pub mod http;
pub mod files;
pub mod socket;
pub mod visitor;
pub mod page;
mod server;

pub use server::{Running, Settings, serve};
