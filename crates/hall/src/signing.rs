//! The end of every attempt to sign in, well or badly.
//!
//! A route checks the proof that its [`Way`] asks for: a password, a passkey, a code. What follows is the same for all
//! of them and stands only here. [`Signing::end`] begins the session: it is stored with a line in the account's log,
//! the attempt no longer counts, the connections of the person look at their sessions again, and the earlier person of
//! the device is left. [`refuse`] tells why no session began. Both count the outcome.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::budget::Wait;
use edge::network::Network;
use kernel::Problem;
use members::client::Client;
use people::Secret;
use people::account::Act;
use store::StoreError;
use store::accounts::{Change, NewSession, Note};

use crate::account::{cookie, secret_of};
use crate::app::App;
use crate::refusal::{Refusal, broken};

/// A way to sign in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// A name with its password.
    Password,
    /// A passkey of the account.
    Passkey,
    /// An account at the OpenID provider.
    OpenId,
    /// A code that was confirmed on another device.
    Device,
    /// A recovery code, which sets a new password.
    Recovery,
    /// The link of a letter, which sets a new password.
    Letter,
    /// The founding of the account.
    SignUp,
    /// The secret in a program's request, of a token or of a session. It begins no session.
    Token,
}

impl Way {
    /// Returns the name of the way in metrics.
    const fn key(self) -> &'static str {
        match self {
            Way::Password => "password",
            Way::Passkey => "passkey",
            Way::OpenId => "openid",
            Way::Device => "device",
            Way::Recovery => "recovery",
            Way::Letter => "letter",
            Way::SignUp => "sign-up",
            Way::Token => "token",
        }
    }

    /// Returns the event that a sign-in is in the account's log; `None`: it is not logged.
    const fn act(self) -> Option<Act> {
        match self {
            Way::Password | Way::Device => Some(Act::SignedIn),
            Way::Passkey => Some(Act::SignedInByPasskey),
            Way::OpenId => Some(Act::SignedInByOpenId),
            Way::Recovery => Some(Act::Recovered),
            Way::Letter => Some(Act::RecoveredByMail),
            Way::SignUp => Some(Act::Made),
            Way::Token => None,
        }
    }

    /// Returns what the log says of the event besides.
    fn detail(self) -> Option<String> {
        (self == Way::Device).then(|| "device".to_owned())
    }

    /// Returns true if the other sessions of the person end with the sign-in: those of the guest that they were, or
    /// those of the owner of the lost password.
    const fn ends_others(self) -> bool {
        matches!(self, Way::Recovery | Way::Letter | Way::SignUp)
    }

    /// Returns the answer to a proof that proves nothing: the same for an account that does not exist.
    fn unproved(self) -> Refusal {
        match self {
            Way::Password => Refusal::forbidden(Problem::new("sign-in-failed")),
            Way::Passkey => Refusal::forbidden(Problem::new("passkey-unknown")),
            Way::OpenId => Refusal::forbidden(Problem::new("openid-refused")),
            Way::Device => Refusal::unknown(Problem::new("device-code")),
            Way::Recovery => Refusal::forbidden(Problem::new("recovery-failed")),
            Way::Letter => Refusal::forbidden(Problem::new("mail-link")),
            Way::SignUp => Refusal::forbidden(Problem::new("invitation-unknown")),
            Way::Token => Problem::new("bearer-unknown").into(),
        }
    }

    fn count(self, outcome: &'static str) {
        let way = self.key();
        metrics::counter!("hall_sign_ins_total", "way" => way, "outcome" => outcome).increment(1);
    }
}

/// The reasons why no session begins.
#[derive(Debug)]
pub(crate) enum NoSession {
    /// The proof proves nothing.
    Unproved,
    /// An attempt after too many others.
    Often(Wait),
    /// The request is refused for another reason.
    Refused(Refusal),
}

impl From<Refusal> for NoSession {
    fn from(why: Refusal) -> Self {
        NoSession::Refused(why)
    }
}

impl From<Problem> for NoSession {
    fn from(why: Problem) -> Self {
        NoSession::Refused(why.into())
    }
}

/// Refuses an attempt to sign in, and counts it.
pub(crate) fn refuse(way: Way, why: NoSession) -> Refusal {
    let (refusal, outcome) = match why {
        NoSession::Unproved => (way.unproved(), "refused"),
        NoSession::Often(wait) => {
            let seconds = wait.seconds();
            let problem = Problem::new("too-many-tries").with("seconds", seconds);
            let refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem);
            (Refusal { retry_after: Some(seconds), ..refusal }, "slowed")
        }
        NoSession::Refused(why) if why.status.is_server_error() => (why, "failed"),
        NoSession::Refused(why) => (why, "refused"),
    };
    way.count(outcome);
    refusal
}

/// An attempt that counts against guessing until it is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// An attempt that is not counted: the proof cannot be guessed, or an earlier request was counted.
    Free,
    /// An attempt that is counted for the address, and for what is guessed at: a name, a session or a device.
    At(Network, String),
    /// An attempt that is counted for the address alone: 80 bits are not guessed, and no stranger may lock the owner
    /// out.
    From(Network),
}

impl Attempt {
    /// Counts the attempt.
    ///
    /// # Errors
    /// [`NoSession::Often`] when there were too many.
    pub(crate) fn begin(self, app: &App) -> Result<Attempt, NoSession> {
        let counted = match &self {
            Attempt::Free => Ok(()),
            Attempt::At(network, with) => app.hall.rates.sign_in(*network, with),
            Attempt::From(network) => app.hall.rates.recovery(*network),
        };
        counted.map(|()| self).map_err(NoSession::Often)
    }

    /// Gives a right attempt back.
    pub(crate) fn was_right(&self, app: &App) {
        match self {
            Attempt::Free => {}
            Attempt::At(network, with) => app.hall.rates.signed_in(*network, with),
            Attempt::From(network) => app.hall.rates.recovered(*network),
        }
    }
}

/// A person whose proof is right, or is checked by the change that begins the session.
pub(crate) struct Proved<C> {
    /// The public id of the person.
    pub person: String,
    /// The attempt that counts until the session has begun.
    pub attempt: Attempt,
    /// The name that a new account takes.
    pub new_name: Option<String>,
    /// Makes the change that begins that session; the store says that something is missing when a code or a link in it
    /// does not count.
    pub change: C,
}

/// Sorts the store's refusal of a change that begins a session.
fn no_session(why: StoreError, new_name: Option<&str>) -> NoSession {
    let conflict = |problem| NoSession::Refused(Refusal::new(StatusCode::CONFLICT, problem));
    match (why, new_name) {
        (StoreError::Missing, _) => NoSession::Unproved,
        (StoreError::Taken, Some(name)) => conflict(Problem::new("name-taken").with("name", name)),
        (StoreError::Conflict, Some(_)) => conflict(Problem::new("is-an-account")),
        (why, _) => NoSession::Refused(broken(why)),
    }
}

/// A session that has begun.
pub(crate) struct Begun {
    /// The secret of the session.
    pub secret: Secret,
    /// The cookie with it, for a page; `None` for a program.
    cookie: Option<HeaderValue>,
}

impl Begun {
    /// Returns the secret in the form for the answer to a program. A page never sees it: a script that got in could
    /// read it.
    pub(crate) fn shown(&self) -> Option<String> {
        self.cookie.is_none().then(|| self.secret.reveal().to_owned())
    }

    /// Answers, with the cookie for a page.
    pub(crate) fn respond(self, answer: impl IntoResponse) -> Response {
        let mut response = answer.into_response();
        if let Some(cookie) = self.cookie {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// An attempt to sign in, with the client and the headers of its request.
pub(crate) struct Signing<'a> {
    /// The state of the hall.
    pub app: &'a App,
    /// The client, for the account's log and the list of devices.
    pub client: &'a Client,
    /// The headers, which name the earlier person of this device.
    pub headers: &'a HeaderMap,
    /// The way to sign in.
    pub way: Way,
    /// Set if the games of the guest on this device go to the account.
    pub bring: bool,
}

impl Signing<'_> {
    /// Ends the attempt: begins the session of the person who was proved, or refuses.
    ///
    /// # Errors
    /// The refusal, which is counted.
    pub(crate) async fn end<C: Fn(NewSession) -> Change>(
        &self,
        proved: Result<Proved<C>, NoSession>,
    ) -> Result<Begun, Refusal> {
        let begun = match proved {
            Ok(proved) => self.begin(proved).await,
            Err(why) => Err(why),
        };
        begun.inspect(|_| self.way.count("begun")).map_err(|why| refuse(self.way, why))
    }

    async fn begin<C: Fn(NewSession) -> Change>(&self, proved: Proved<C>) -> Result<Begun, NoSession> {
        let Proved { person, attempt, new_name, change } = proved;
        let Some(act) = self.way.act() else { return Err(NoSession::Unproved) };
        let hall = &self.app.hall;
        let note = Note { detail: self.way.detail(), ..self.client.note(&person, act, hall.time.now_ms()) };
        let opened = hall.members.accounts.open_session(self.client, note, change).await;
        // A store that fails has judged nothing: only what it misses was a wrong guess.
        if !matches!(opened, Err(StoreError::Missing)) {
            attempt.was_right(self.app);
        }
        let secret = opened.map_err(|why| no_session(why, new_name.as_deref()))?;
        if self.way.ends_others() {
            hall.changed(&person);
        }
        // A guest who signs up stays the same person.
        if self.way != Way::SignUp {
            self.leave_former(&person).await;
        }
        let is_program = self.headers.contains_key(header::AUTHORIZATION);
        let cookie = (!is_program).then(|| cookie(&secret, self.app.jar()));
        Ok(Begun { secret, cookie })
    }

    /// Ends the earlier session of this device: a guest's games go to the account when they wish; another sign-in
    /// ends.
    async fn leave_former(&self, person: &str) {
        let hall = &self.app.hall;
        let Ok(Some(former)) = secret_of(self.headers, self.app.jar()) else { return };
        let Ok(Some(known)) = hall.known(&former).await else { return };
        let id = known.player.id;
        match known.kind {
            store::StoredPersonKind::Guest if self.bring => hall.bring(&id, person).await,
            store::StoredPersonKind::Guest => {}
            _ => drop(hall.store.accounts.change(Change::SignOut { hash: former.hash() }, None).await),
        }
        hall.changed(&id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Each way with its event and its refusal; a new way has to be written down here.
    #[test]
    fn every_way_ends_in_its_own_words() {
        for (way, key, act, ends_others, status, refusal) in [
            (Way::Password, "password", Some(Act::SignedIn), false, 403, "sign-in-failed"),
            (Way::Passkey, "passkey", Some(Act::SignedInByPasskey), false, 403, "passkey-unknown"),
            (Way::OpenId, "openid", Some(Act::SignedInByOpenId), false, 403, "openid-refused"),
            (Way::Device, "device", Some(Act::SignedIn), false, 404, "device-code"),
            (Way::Recovery, "recovery", Some(Act::Recovered), true, 403, "recovery-failed"),
            (Way::Letter, "letter", Some(Act::RecoveredByMail), true, 403, "mail-link"),
            (Way::SignUp, "sign-up", Some(Act::Made), true, 403, "invitation-unknown"),
            (Way::Token, "token", None, false, 401, "bearer-unknown"),
        ] {
            assert_eq!((way.key(), way.act(), way.ends_others()), (key, act, ends_others));
            let refused = refuse(way, no_session(StoreError::Missing, None));
            assert_eq!((refused.status.as_u16(), refused.problem.key), (status, refusal), "{key}");
            let slowed = refuse(way, NoSession::Often(Wait(Duration::from_secs(9))));
            let found = (slowed.status.as_u16(), slowed.problem.key, slowed.retry_after);
            assert_eq!(found, (429, "too-many-tries", Some(10)), "{key}");
            let failed = refuse(way, no_session(StoreError::Failed("the disk".to_owned()), None));
            assert_eq!((failed.status.as_u16(), failed.problem.key), (503, "not-stored"), "{key}");
        }
        for (why, status, key) in [
            (StoreError::Taken, 409, "name-taken"),
            (StoreError::Conflict, 409, "is-an-account"),
            (StoreError::DiskFull, 503, "not-stored"),
        ] {
            let refused = refuse(Way::SignUp, no_session(why, Some("Ada")));
            assert_eq!((refused.status.as_u16(), refused.problem.key), (status, key));
        }
        assert_eq!(Way::Device.detail().as_deref(), Some("device"), "a terminal is told from a browser");
    }
}
