//! The shelf of extensions.

use wire::{ExtensionList, NewExtension, NewListing, SharedExtension};

use super::resource::resource;
use crate::http::extensions;
use crate::scopes::Needed::{Public, Session};
use crate::scopes::PLAY;

resource! { extensions;

    /// Returns the extensions that people share, changed last first; `mine` finds the asker's own, including unlisted
    /// ones.
    get "/api/extensions" => list {
        needs: Public,
        query: { "search": Option<String>, "mine": Option<bool> },
        200: ExtensionList,
    }

    /// Shares an extension, or its next version; for people with an account. It is loaded first, as a test; copies in
    /// maps never change.
    post "/api/extensions" => share {
        needs: PLAY,
        body: NewExtension,
        201: SharedExtension,
        refuses: 409 422 507,
    }

    /// Returns an extension and its versions.
    get "/api/extensions/{name}" => one { needs: Public, 200: SharedExtension }

    /// Deletes the asker's own extension, as long as no map of another person uses it.
    delete "/api/extensions/{name}" => remove { needs: Session, 204, refuses: 409 }

    /// Shows the asker's own extension in lists, or hides it; maps that use it go on.
    put "/api/extensions/{name}/listed" => listed { needs: Session, body: NewListing, 204 }

    /// Returns the file of a version, which never changes.
    get "/api/extensions/{name}/{n}" => file { needs: Public, parts: { "n": u32 }, 200: String }
}
