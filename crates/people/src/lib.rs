//! People as values: names, ids, secrets and the header fields that carry them. Values in, values out: storage, and
//! the record of which secrets the hall has issued, are the store's.
//!
//! Reading order: [`name`] (names of people, rooms and maps), [`secret`] (secrets of sessions, and public ids),
//! [`cookie`] (credentials of a request), [`password`], [`recovery`] and [`passkey`] (proofs of an account's owner),
//! [`token`] (permissions of a program), [`account`] (roles, devices, the log of an account); [`speed`] and [`pool`]
//! (which results are compared), [`rating`] (the effect of a result), [`pairing`] (the queue), [`challenge`]
//! (challenges by name), [`vacation`] (pauses of slow clocks), [`notices`] (notifications of people who are away),
//! [`mail`] (their e-mail addresses); [`block`] (following, blocking, notes), [`phrases`] (chat), [`moderation`]
//! (reports and decisions), [`fairplay`] (statistics for moderators).

pub mod account;
pub mod block;
pub mod challenge;
pub mod fairplay;
pub mod cookie;
pub mod mail;
pub mod moderation;
pub mod name;
pub mod notices;
pub mod pairing;
pub mod passkey;
pub mod password;
pub mod phrases;
pub mod pool;
pub mod rating;
pub mod recovery;
pub mod secret;
pub mod speed;
pub mod staff;
pub mod token;
pub mod vacation;

pub use name::{Name, NameKind};
pub use password::Password;
pub use pool::Pool;
pub use rating::{Rating, Score};
pub use secret::Secret;
pub use speed::Speed;
