//! The server's API for workers: they ask for work, report progress, and answer (`docs/workers.md`).

use hyper::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::{UploadMap, Work, WorkAbort, WorkAnswer, WorkWish, WorkerKey};

use crate::{Error, Http};

/// A client of the worker API, with the worker key it authenticates with.
#[derive(Clone)]
pub struct Employer {
    http: Http,
    /// The base URL `https://hall.example`, without a slash at the end.
    base: String,
    key: String,
}

impl Employer {
    /// Makes a client of the server at `base`, for a worker with that key.
    #[must_use]
    pub fn new(http: Http, base: &str, key: &str) -> Employer {
        Employer { http, base: base.trim_end_matches('/').to_owned(), key: key.to_owned() }
    }

    /// Fetches the server's record of the key.
    ///
    /// # Errors
    /// `worker-key-unknown`; when the server does not answer.
    pub async fn key(&self) -> Result<WorkerKey, Error> {
        let body = self.ask(Method::GET, "key", None).await?;
        read(&body)
    }

    /// Fetches the next piece of work; `None` if there was none within the time given in the wish.
    ///
    /// # Errors
    /// `worker-key-unknown`, `worker-key-aside`, `worker-version`, `too-many-requests`; when the server does not
    /// answer.
    pub async fn acquire(&self, wish: &WorkWish) -> Result<Option<Work>, Error> {
        let body = self.post("acquire", wish).await?;
        if body.is_empty() { Ok(None) } else { read(&body).map(Some) }
    }

    /// Reports an intermediate result; `None`: only that the work goes on.
    ///
    /// # Errors
    /// `worker-gone` if the answer is no longer wanted; when the server does not answer.
    pub async fn so_far(&self, id: &str, found: Option<&WorkAnswer>) -> Result<(), Error> {
        let path = format!("analysis/{id}");
        match found {
            Some(found) => self.post(&path, found).await?,
            None => self.ask(Method::POST, &path, None).await?,
        };
        Ok(())
    }

    /// Sends the final answer to a piece of work.
    ///
    /// # Errors
    /// `worker-gone` if the answer is no longer wanted; when the server does not answer.
    pub async fn answer(&self, id: &str, answer: &WorkAnswer) -> Result<(), Error> {
        self.post(&format!("move/{id}"), answer).await.map(|_| ())
    }

    /// Returns a piece of work undone.
    ///
    /// # Errors
    /// `worker-gone` if the answer is no longer wanted; when the server does not answer.
    pub async fn abort(&self, id: &str, why: &str) -> Result<(), Error> {
        self.post(&format!("abort/{id}"), &WorkAbort { why: why.to_owned() }).await.map(|_| ())
    }

    /// Fetches the files of a map that a piece of work is about.
    ///
    /// # Errors
    /// `no-such-map`; when the server does not answer.
    pub async fn map(&self, id: &str) -> Result<UploadMap, Error> {
        let body = self.ask(Method::GET, &format!("maps/{id}"), None).await?;
        read(&body)
    }

    /// The line of weights with that hash, for the map of a piece of work.
    ///
    /// # Errors
    /// `no-such-weights`; when the hall does not answer.
    pub async fn weights(&self, hash: &str) -> Result<String, Error> {
        let body = self.ask(Method::GET, &format!("weights/{hash}"), None).await?;
        String::from_utf8(body.into()).map_err(|why| Error::Strange(why.to_string()))
    }

    async fn post(&self, path: &str, body: &impl Serialize) -> Result<hyper::body::Bytes, Error> {
        let body = serde_json::to_string(body).map_err(|why| Error::Strange(why.to_string()))?;
        self.ask(Method::POST, path, Some(body)).await
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<hyper::body::Bytes, Error> {
        let url = format!("{}/api/worker/{path}", self.base);
        let heard = self.http.ask(method, &url, Some(&self.key), body).await?;
        if heard.is_success {
            return Ok(heard.body);
        }
        let problem = serde_json::from_slice::<serde_json::Value>(&heard.body).ok();
        let problem = problem.and_then(|mut told| serde_json::from_value(told["error"].take()).ok());
        let strange = || Error::Strange(String::from_utf8_lossy(&heard.body).chars().take(200).collect());
        Err(problem.map_or_else(strange, Error::Refused))
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|why| Error::Strange(why.to_string()))
}
