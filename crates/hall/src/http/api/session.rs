//! Signing in and out.

use wire::{
    Confirm, DeviceAsks, DeviceTold, DeviceWaits, PasskeyQuestion, PasskeySignIn, Recover, SignIn, SignedIn,
};

use super::resource::resource;
use crate::http::session;
use crate::scopes::Needed::Session;

resource! { session;

    /// Signs in by name and password. An unknown name is answered like a wrong password, and takes as long.
    post "/api/session" => sign_in { needs: Session, body: SignIn, 200: SignedIn }

    /// Signs out. A guest would lose everything, and is refused.
    delete "/api/session" => sign_out { needs: Session, 204, refuses: 409 }

    /// Begins a sign-in by any passkey of this hall.
    post "/api/session/passkey/ask" => ask_passkey { needs: Session, 200: PasskeyQuestion }

    /// Signs in by a passkey.
    post "/api/session/passkey" => sign_in_by_passkey { needs: Session, body: PasskeySignIn, 200: SignedIn }

    /// Signs in by a recovery code, which is used up; sets a new password and signs all other devices out.
    post "/api/session/recovery" => recover { needs: Session, body: Recover, 200: SignedIn }

    /// Confirms the owner of the session, as changes of credentials require it. Wrong guesses from elsewhere do not
    /// block it.
    post "/api/session/confirm" => confirm { needs: Session, body: Confirm, 204 }

    /// Begins the sign-in of a terminal or a device without a keyboard: returns a code to be typed on a device that is
    /// signed in.
    post "/api/session/device" => device_waits { needs: Session, 201: DeviceWaits }

    /// Polls whether the device was confirmed; the answer has its session, once.
    post "/api/session/device/poll" => device_asks {
        needs: Session,
        body: DeviceAsks,
        200: DeviceTold,
        refuses: 404,
    }

    /// Signs all other devices out.
    delete "/api/session/others" => end_others { needs: Session, 204 }
}
