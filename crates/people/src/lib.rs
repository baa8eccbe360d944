//! Who people are: names, ids, secrets and the header fields that carry them. Values in, values out: what is stored, and
//! which of these secrets the hall has issued, is the store's to say.
//!
//! Reading order: [`name`] (what people, rooms and maps may be called), [`secret`] (what proves who somebody is, and the ids that
//! everybody sees), [`cookie`] (how a request carries a secret), [`password`], [`recovery`] and [`passkey`] (how an account's owner
//! proves to be that), [`token`] (what a program may do), [`account`] (roles, devices, what is noted); [`speed`] and [`pool`]
//! (which results are compared), [`rating`] (what a result changes), [`pairing`] (who plays whom), [`challenge`] (who asks whom),
//! [`vacation`] (when slow clocks stand still), [`notices`] (what people are told while they look elsewhere), [`mail`] (their e-mail addresses); [`block`] (what people are to each other), [`phrases`] (what they say),
//! [`moderation`] (what becomes of it), [`fairplay`] (what moderators see of how somebody plays).

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

pub use name::{Kind, Name};
pub use password::Password;
pub use pool::Pool;
pub use rating::{Rating, Score};
pub use secret::Secret;
pub use speed::Speed;
