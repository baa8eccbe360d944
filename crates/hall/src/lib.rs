//! Accounts, tables, clocks, WebSocket, storage. Does not know which game is being played.
//!
//! Wires the crates `table` (what an event does), `store` (what survives a restart) and `people` together; the rules of
//! none of them stand here.
//!
//! Reading order: [`table_task`] (one game being played; one task owns it), [`hall`] (finds and opens tables), [`time`],
//! [`identity`] (who comes with which secret), [`lobby`], [`maps`] (games that users make), [`opponents`] (programs that play), [`study`] (what our engine thinks of a game), [`account`], then what the network reaches: [`app`]
//! (what requests share), [`refusal`] (answers that say what is wrong), [`connections`] and [`doors`] (who may connect), [`visitor`] (who asks, and whether
//! they may), [`page`], [`http`], [`socket`]. [`serve`] opens them all.
//!
//! The promise everything here serves: **what was acknowledged is on disk, exactly once, in order** (`docs/adr/0004`).

pub mod account;
pub mod app;
pub mod connections;
pub mod files;
pub mod hall;
pub mod http;
pub mod identity;
pub mod limits;
pub mod lobby;
pub mod maps;
pub mod opponents;
pub mod page;
pub mod refusal;
mod server;
pub mod socket;
pub mod study;
pub mod table_task;
pub mod time;
pub mod visitor;
pub mod doors;

pub use server::{Running, Settings, serve};
