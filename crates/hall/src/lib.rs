//! Accounts, tables, clocks, WebSocket, storage. Does not know which game is being played.
//!
//! Wires the crates `table` (the effect of each event), `store` (the data that survive a restart) and `people`
//! together; it holds the rules of none of them.
//!
//! Reading order: [`table_task`] (one game being played; one task owns it), [`hall`] (finds and opens tables),
//! [`identity`] (who comes with which secret), [`lobby`] and [`alone`] (tables that wait), [`play_now`]
//! (opponents for who wants to play at once), [`arrivals`] (who comes to those tables), [`opponents`] (programs that
//! play), [`searches`] (where they think: here, or workers on other machines), `balance` (games of balance reports),
//! [`study`] (what our engine thinks of a game) and [`running`] (of which games it does not), [`events`] (what
//! happens to people), [`challenges`], [`chat`], [`together`] (who may sit down with whom), [`moderation`], [`staff`]
//! (decisions of the staff at work), [`bots`] (games as programs see them), [`account`], [`accounts`], [`remembered`]
//! (what is kept of a game that ended), [`inbox`], [`vacations`] and [`sweep`] (slow games), [`outage`] (outages of the
//! store, which no player pays for), [`shelves`] (the library), [`riddles`] (puzzles), [`saved`] (studies that people
//! save), [`audit`] (whether stored logs follow the rules), [`sample`] (people and games to measure by).
//!
//! The crate `edge` has what knows no table: connections, https, limits, fair turns, long work, the clock. [`config`]
//! reads the settings of both. The crate `works` has what people make: maps, extensions, balance reports. The crate
//! `members` has accounts, the ways to sign in, letters, notices, vacations, relations, challenges, the rules of the
//! staff, and reports.
//!
//! Then the network side: [`app`] (the state that requests share), [`visitor`] (identification and access), `signing`
//! (the end of every attempt to sign in), [`scopes`] (the rights of tokens), [`refusal`] (error answers), [`message`],
//! [`wrong`] (a refused act), [`page`], [`http`], [`socket`], [`health`], [`traces`]. [`serve`] opens them all.
//!
//! The promise everything here serves: **what was acknowledged is on disk, exactly once, in order** (`docs/adr/0004`).

pub mod account;
pub mod accounts;
pub mod alone;
pub mod app;
pub mod arrivals;
pub mod audit;
mod balance;
pub mod bots;
pub mod brought;
pub mod challenges;
pub mod chat;
pub mod cluster;
pub mod ledger;
pub mod config;
pub mod copies;
mod elsewhere;
pub mod draws;
pub mod events;
pub mod export;
pub mod fairplay;
pub mod files;
pub mod hall;
pub mod health;
pub mod http;
pub mod identity;
pub mod inbox;
pub mod links;
pub mod lobby;
pub mod measured;
pub mod message;
pub mod moderation;
pub mod opponents;
pub mod outage;
pub mod page;
pub mod play_now;
pub mod refusal;
pub mod remembered;
pub mod riddles;
pub mod running;
pub mod sample;
pub mod saved;
pub mod scopes;
pub mod searches;
mod server;
pub mod shelves;
mod signing;
pub mod socket;
pub mod staff;
pub mod study;
pub mod sweep;
pub mod table_task;
pub mod together;
pub mod traces;
pub mod tv;
pub mod vacations;
pub mod visitor;
pub mod wrong;

pub use bus::Address as BusAddress;
pub use server::{NotOpened, Reload, Running, Settings, Shared, check, serve};
