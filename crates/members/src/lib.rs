//! Members of a hall: accounts, and the ways to sign in.
//!
//! Nothing here knows a move, a table or a request. What the crate needs of the hall is handed to it; its errors are
//! problems, which the hall turns into HTTP.
//!
//! Reading order: [`client`] (the device of a request), [`questions`] (questions that wait for their answers, and devices
//! that wait to be signed in), [`openid`] (accounts elsewhere), [`trust`] (https to other servers), [`hidden`] (secrets
//! among the settings).

pub mod client;
pub mod hidden;
pub mod openid;
pub mod questions;
pub mod trust;
