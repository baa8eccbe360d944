//! The e-mail address of an account, and the links in letters.

use wire::{LostPassword, MailConfirmed, MailLink, MailTold, NewDigest, NewMail, RecoverByMail};

use super::resource::resource;
use crate::http::mail;
use crate::scopes::Needed::Session;

resource! { mail;

    /// Returns the asker's mail settings; for a visitor who is not signed in, only whether the hall sends letters.
    get "/api/mail" => mail { needs: Session, 200: MailTold }

    /// Sends a link that confirms an address, which then replaces an earlier one.
    put "/api/mail" => set_mail { needs: Session, body: NewMail, 202: MailTold }

    /// Removes the address of the asker's account, and every link that was sent to it. A letter to the address says so.
    delete "/api/mail" => remove_mail { needs: Session, 200: MailTold, refuses: 404 }

    /// Switches the digest of slow games on or off.
    put "/api/mail/digest" => set_digest { needs: Session, body: NewDigest, 200: MailTold }

    /// Confirms an address by the link that was sent there. No session is needed: a person who reads the letter has the
    /// address.
    post "/api/mail/confirm" => confirm { needs: Session, body: MailLink, 200: MailConfirmed, refuses: 409 }

    /// Stops letters to the address that a letter went to, by its link, or resumes them. Mail programs send this
    /// request themselves (RFC 8058); its body is not read.
    post "/api/mail/stop" => stop { needs: Session, query: { "letter": String, "again": Option<bool> }, 204 }

    /// Sends a link that sets a new password, if an account has that address. The answer is the same if none has.
    post "/api/session/mail" => lost_password { needs: Session, body: LostPassword, 202 }

    /// Sets a new password by a link, which is used up; signs this device in and all others out.
    post "/api/session/mail/recover" => recover { needs: Session, body: RecoverByMail, 200: wire::SignedIn }
}
