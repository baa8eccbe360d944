//! Notices to the asker while they are away.

use wire::{NewPush, NewQuietHours, Notices};

use super::resource::resource;
use crate::http::notices;
use crate::scopes::Needed::Session;

resource! { notices;

    /// Returns the asker's settings of notices.
    get "/api/notices" => notices { needs: Session, 200: Notices }

    /// Subscribes this browser to the asker's notices, until it is signed out.
    put "/api/notices/device" => tell_in { needs: Session, body: NewPush, 200: Notices }

    /// Removes this browser's subscription to notices.
    delete "/api/notices/device" => tell_no_more { needs: Session, 200: Notices }

    /// Sets the asker's quiet hours.
    put "/api/notices/quiet" => set_quiet { needs: Session, body: NewQuietHours, 200: Notices }
}
