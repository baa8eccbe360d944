//! Workers, which search for the hall on other machines, and their keys.

use wire::{MadeWorkerKey, NewWorkerKey, UploadMap, Work, WorkAbort, WorkAnswer, WorkWish, WorkerKey};

use super::resource::resource;
use crate::http::worker;
use crate::scopes::ADMIN;
use crate::scopes::Needed::Nothing;

resource! { worker;

    /// Returns the worker's key, with its statistics.
    get "/api/worker/key" => key { needs: Nothing, 200: WorkerKey }

    /// Returns the next search for a worker, once there is one.
    post "/api/worker/acquire" => acquire { needs: Nothing, bytes: WorkWish, 202: Work, 204, refuses: 409 }

    /// Takes a worker's interim result, or a sign that it is at work; 410 if the search is not wanted any more.
    post "/api/worker/analysis/{id}" => analysis { needs: Nothing, bytes: WorkAnswer, 204, refuses: 410 }

    /// Takes a worker's answer; 410 if the search is not wanted any more.
    post "/api/worker/move/{id}" => answer { needs: Nothing, bytes: WorkAnswer, 204, refuses: 410 }

    /// Takes back a search that a worker will not do.
    post "/api/worker/abort/{id}" => abort { needs: Nothing, bytes: WorkAbort, 204, refuses: 410 }

    /// Returns a map that a worker has a search about, with its extensions.
    get "/api/worker/maps/{id}" => map { needs: Nothing, 200: UploadMap }

    /// The weights with that hash, which the keeper has put beside a map.
    get "/api/worker/weights/{hash}" => weights { needs: Nothing, 200: String as "text/plain" }

    /// Returns the keys of workers, for an administrator.
    get "/api/admin/workers" => keys { needs: ADMIN, 200: Vec<WorkerKey> }

    /// Creates a key for a worker; its text is shown this once.
    post "/api/admin/workers" => make { needs: ADMIN, body: NewWorkerKey, 201: MadeWorkerKey, refuses: 409 }

    /// Removes a worker's key: it is no longer valid.
    delete "/api/admin/workers/{id}" => remove { needs: ADMIN, 204 }

    /// Gives work again to a key that was set aside.
    post "/api/admin/workers/{id}/restore" => restore { needs: ADMIN, 204 }
}
