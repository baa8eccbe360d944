//! The asker's own account, and what is noted of accounts.

use wire::{
    AccountInfo, DeviceCode, NewPassword, NotedLine, PasskeyAnswer, PasskeyQuestion, RecoveryCodes, SignUp,
    SignedIn, WantedName,
};

use super::resource::resource;
use crate::http::account;
use crate::scopes::ADMIN;
use crate::scopes::Needed::Session;

resource! { account;

    /// Returns the asker's own account; 403 for guests.
    get "/api/account" => account { needs: Session, 200: AccountInfo }

    /// Converts a guest to an account: the same person, the same games.
    post "/api/account" => sign_up { needs: Session, body: SignUp, 201: SignedIn, refuses: 409 }

    /// Closes the account whose name is typed, for good: its name, credentials and notes are deleted, its open games
    /// are resigned, its finished ones are kept without the name.
    delete "/api/account" => close { needs: Session, body: WantedName, 204 }

    /// Returns all data that the hall holds about the asker, as JSON Lines.
    get "/api/account/export" => export { needs: Session, 200: String as "application/jsonl" }

    /// Sets the password, in place of an earlier one. Other devices stay signed in.
    put "/api/account/password" => set_password { needs: Session, body: NewPassword, 204 }

    /// Makes eight recovery codes. Earlier ones are no longer valid.
    post "/api/account/recovery" => set_recovery { needs: Session, 201: RecoveryCodes }

    /// Begins to add a passkey: for a guest who signs up under that name, or for an account.
    post "/api/account/passkeys/ask" => ask_new_passkey {
        needs: Session,
        body: WantedName,
        200: PasskeyQuestion,
    }

    /// Adds a passkey.
    post "/api/account/passkeys" => add_passkey { needs: Session, body: PasskeyAnswer, 204 }

    /// Removes a password, a passkey or an OpenID account; the last way to sign in cannot be removed.
    delete "/api/account/credentials/{id}" => remove_credential { needs: Session, 204, refuses: 409 }

    /// Signs another device out.
    delete "/api/account/sessions/{id}" => end_session { needs: Session, 204 }

    /// Confirms that the device which shows this code is the asker's own: it is signed in.
    post "/api/account/device" => confirm_device { needs: Session, body: DeviceCode, 204, refuses: 404 }

    /// Returns the log of all accounts, or of one person's, for the staff.
    get "/api/admin/noted" => noted {
        needs: ADMIN,
        query: { "person": Option<String>, "below": Option<u64> },
        200: Vec<NotedLine>,
    }
}
