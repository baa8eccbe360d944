//! A real hall on a free port, and people who visit it.
//!
//! Reading order: `house` (a hall for one test), then one room of tests for each promise.

mod house;
mod https;

mod accounts;
mod analysis;
mod attacks;
mod authenticator;
mod begin;
mod bots;
mod browsers;
mod clocks;
mod cluster;
mod commands;
mod correspondence;
mod doors;
mod draws;
mod failures;
mod left;
mod library;
mod links;
mod lobby;
mod mail;
mod maps;
mod no_help;
mod nodes;
mod notices;
mod openid;
mod outages;
mod opponents;
mod passkeys;
mod play;
mod premoves;
mod rated;
mod records;
mod refusals;
mod restart;
mod shares;
mod signing;
mod slow;
mod staff;
mod studies;
mod together;
mod wire_level;
mod workers;
mod works;
