//! A person who uses a server over HTTP.

use hyper::Method;
use serde::Serialize;
use url::Url;
use wire::{CreateTable, Created, Player, Tables, UploadMap};

use crate::{Connection, Error, Http, is_unknown};

/// A person's session on a server: a guest or the owner of an account.
#[derive(Clone)]
pub struct Guest {
    http: Http,
    /// The base URL `http://127.0.0.1:8080`, without a slash at the end.
    base: String,
    secret: String,
    /// The person as others see them.
    pub player: Player,
}

impl Guest {
    /// Makes a new guest on the server at `base`.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn enter(base: &str) -> Result<Guest, Error> {
        Guest::enter_with(Http::default(), base).await
    }

    /// Makes a new guest like [`Guest::enter`], over the given HTTP client.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn enter_with(http: Http, base: &str) -> Result<Guest, Error> {
        let base = base.trim_end_matches('/').to_owned();
        let answer = ask(&http, Method::POST, &format!("{base}/api/guests"), None, None).await?;
        let strange = || Error::Strange(answer.to_string());
        let secret = answer["secret"].as_str().ok_or_else(strange)?.to_owned();
        let player = serde_json::from_value(answer["player"].clone()).map_err(|_| strange())?;
        Ok(Guest { http, base, secret, player })
    }

    /// Returns the person whose secret that is on the server at `base`.
    ///
    /// # Errors
    /// Fails when the server does not answer, or does not know the secret.
    pub async fn known(base: &str, secret: &str) -> Result<Guest, Error> {
        Guest::known_with(Http::default(), base, secret).await
    }

    /// Finds a person like [`Guest::known`], over the given HTTP client.
    ///
    /// # Errors
    /// The errors of [`Guest::known`].
    pub async fn known_with(http: Http, base: &str, secret: &str) -> Result<Guest, Error> {
        let base = base.trim_end_matches('/').to_owned();
        let answer = ask(&http, Method::GET, &format!("{base}/api/me"), Some(secret), None).await?;
        let player = serde_json::from_value(answer["player"].clone());
        let player = player.map_err(|_| Error::Strange(answer.to_string()))?;
        Ok(Guest { http, base, secret: secret.to_owned(), player })
    }

    /// Returns the owner of the account whose session secret that is on the server at `base`; `None` if the session
    /// has ended: it was signed out, revoked, or has expired.
    ///
    /// # Errors
    /// Fails when the server does not answer, or refuses for another reason.
    pub async fn signed_in(base: &str, secret: &str) -> Result<Option<Guest>, Error> {
        Guest::signed_in_with(Http::default(), base, secret).await
    }

    /// Finds the owner of an account like [`Guest::signed_in`], over the given HTTP client.
    ///
    /// # Errors
    /// The errors of [`Guest::signed_in`].
    pub async fn signed_in_with(http: Http, base: &str, secret: &str) -> Result<Option<Guest>, Error> {
        let url = format!("{}/api/account", base.trim_end_matches('/'));
        // Not `/api/me`, which makes a new guest for an unknown secret.
        match ask(&http, Method::GET, &url, Some(secret), None).await {
            Ok(_) => Guest::known_with(http, base, secret).await.map(Some),
            Err(Error::Refused(problem)) if is_unknown(&problem) || problem.key == "not-an-account" => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the same person at another node of the server, at the given address. No request is sent.
    #[must_use]
    pub fn at(&self, base: &str) -> Guest {
        Guest { base: base.trim_end_matches('/').to_owned(), ..self.clone() }
    }

    /// Returns the secret that authenticates this person; all who have it can act in their seats.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// Returns the id of the table of the open room of that name.
    ///
    /// # Errors
    /// Fails when there is none, or the server does not answer.
    pub async fn room(&self, name: &str) -> Result<String, Error> {
        let url = self.url(&["api", "rooms", name])?;
        let answer = self.ask(Method::GET, url.as_str(), None).await?;
        answer["id"].as_str().map(str::to_owned).ok_or_else(|| Error::Strange(answer.to_string()))
    }

    /// Fetches the open tables and the games that can be watched.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn tables(&self) -> Result<Tables, Error> {
        let answer = self.get("/api/tables").await?;
        serde_json::from_value(answer).map_err(|e| Error::Strange(e.to_string()))
    }

    /// Uploads a map and returns its id.
    ///
    /// # Errors
    /// Fails when it is refused, or the server does not answer.
    pub async fn bring(&self, map: &UploadMap) -> Result<String, Error> {
        let answer = self.post(&["api", "maps"], map).await?;
        answer["id"].as_str().map(str::to_owned).ok_or_else(|| Error::Strange(answer.to_string()))
    }

    /// Opens a table.
    ///
    /// # Errors
    /// Fails when it is refused, or the server does not answer.
    pub async fn open(&self, wish: &CreateTable) -> Result<Created, Error> {
        let answer = self.post(&["api", "tables"], wish).await?;
        serde_json::from_value(answer).map_err(|e| Error::Strange(e.to_string()))
    }

    /// Requests any path of the server, such as `/api/tables`.
    ///
    /// # Errors
    /// Fails when it is refused, or the server does not answer.
    pub async fn get(&self, path: &str) -> Result<serde_json::Value, Error> {
        self.ask(Method::GET, &format!("{}{path}", self.base), None).await
    }

    /// Posts `body` to the path with those segments, such as `["api", "tables"]`, which may contain any characters.
    /// The answer is null if the server sends none.
    ///
    /// # Errors
    /// Fails when it is refused, or the server does not answer.
    pub async fn post(&self, parts: &[&str], body: &impl Serialize) -> Result<serde_json::Value, Error> {
        let body = serde_json::to_string(body).expect("plain data");
        self.ask(Method::POST, self.url(parts)?.as_str(), Some(body)).await
    }

    /// Deletes the resource at `path`, such as `/api/session`; returns the response, which is mostly empty.
    ///
    /// # Errors
    /// Fails when it is refused, or the server does not answer.
    pub async fn delete(&self, path: &str) -> Result<serde_json::Value, Error> {
        self.ask(Method::DELETE, &format!("{}{path}", self.base), None).await
    }

    fn url(&self, parts: &[&str]) -> Result<Url, Error> {
        let mut url = Url::parse(&self.base).map_err(|e| Error::Strange(e.to_string()))?;
        url.path_segments_mut().map_err(|()| Error::Strange(self.base.clone()))?.pop_if_empty().extend(parts);
        Ok(url)
    }

    /// Requests a path whose response is text.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn text(&self, path: &str) -> Result<String, Error> {
        let heard = self.http.ask(Method::GET, &format!("{}{path}", self.base), None, None).await?;
        Ok(String::from_utf8_lossy(&heard.body).into_owned())
    }

    async fn ask(&self, method: Method, url: &str, body: Option<String>) -> Result<serde_json::Value, Error> {
        ask(&self.http, method, url, Some(&self.secret), body).await
    }

    /// Connects to a table; `since` is the version that the client knows.
    ///
    /// # Errors
    /// Fails when the server does not answer.
    pub async fn connect(&self, table: &str, since: Option<u64>) -> Result<Connection, Error> {
        Connection::open(&self.http, &self.base, &self.secret, table, since).await
    }
}

async fn ask(
    http: &Http,
    method: Method,
    url: &str,
    secret: Option<&str>,
    body: Option<String>,
) -> Result<serde_json::Value, Error> {
    let heard = http.ask(method, url, secret, body).await?;
    if heard.body.is_empty() && heard.is_success {
        return Ok(serde_json::Value::Null);
    }
    let strange = |_| Error::Strange(String::from_utf8_lossy(&heard.body).into_owned());
    let body: serde_json::Value = serde_json::from_slice(&heard.body).map_err(strange)?;
    if !heard.is_success {
        let problem =
            serde_json::from_value(body["error"].clone()).map_err(|_| Error::Strange(body.to_string()))?;
        return Err(Error::Refused(problem));
    }
    Ok(body)
}
