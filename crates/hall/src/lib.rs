//! Accounts, tables, clocks, WebSocket, storage. Does not know which game is being played.
//!
//! Wires the crates `table` (the effect of each event), `store` (the data that survive a restart) and `people`
//! together; it holds the rules of none of them.
//!
//! Reading order: [`hall`] (all that requests work with), [`identity`] (who comes with which secret), [`table_people`]
//! (what tables ask about people and tell them), [`analysis`] (what our engine thinks of a game), [`events`] (what happens
//! to people), [`challenges`], [`chat`], [`together`], [`moderation`], [`staff`] (decisions of the staff at work), [`bots`]
//! (games as programs see them), [`account`], [`accounts`], [`inbox`] and [`vacations`] (slow games), `beating` (the
//! heartbeat, which finds outages of the store), `upkeep` (old data, the disk), [`folder`], `others` (questions of other
//! nodes), [`shelves`] (the library), [`riddles`] (puzzles), [`studies`] (studies that people save), [`audit`] (whether
//! stored logs follow the rules).
//!
//! The crate `edge` has what knows no table: connections, https, limits, fair turns, long work, the clock. [`config`]
//! reads the settings of both. The crate `works` has what people make: maps, extensions, balance reports. The crate
//! `members` has accounts, the ways to sign in, letters, notices, vacations, relations, challenges, the rules of the
//! staff, and reports. The crate `tables` has the games that are played, the lobby, the queues for Play now, programs
//! that play and the tables of other nodes.
//!
//! Then the network side: [`app`] (the state that requests share), [`visitor`] (identification and access), `signing` (the
//! end of every attempt to sign in), [`scopes`] (the rights of tokens), [`refusal`] (error answers), [`wrong`] (a refused
//! act), [`page`], [`http`], [`socket`], [`health`]. [`serve`] opens them all.
//!
//! The promise everything here serves: **what was acknowledged is on disk, exactly once, in order** (`docs/adr/0004`).

pub mod account;
pub mod accounts;
pub mod analysis;
pub mod app;
pub mod audit;
mod beating;
pub mod bots;
pub mod brought;
pub mod challenges;
pub mod chat;
pub mod config;
pub mod copies;
mod elsewhere;
pub mod events;
pub mod export;
pub mod fairplay;
pub mod files;
pub mod folder;
pub mod hall;
pub mod health;
pub mod http;
pub mod identity;
pub mod inbox;
pub mod links;
pub mod measured;
pub mod moderation;
mod others;
pub mod page;
pub mod refusal;
pub mod riddles;
pub mod scopes;
mod server;
pub mod shelves;
mod signing;
pub mod socket;
pub mod staff;
pub mod studies;
pub mod table_people;
pub mod together;
pub mod tv;
mod upkeep;
pub mod vacations;
pub mod visitor;
pub mod wrong;

pub use bus::Address as BusAddress;
pub use server::{NotOpened, Reload, Running, Settings, Shared, check, check_connections, serve};
