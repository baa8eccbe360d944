//! Someone who visits a hall, over HTTP.

use serde::Serialize;
use wire::{CreateTable, Created, Player, Tables, UploadMap};

use crate::{Connection, Error, is_unknown};

/// A guest of one hall.
#[derive(Clone)]
pub struct Guest {
    http: reqwest::Client,
    /// `http://127.0.0.1:8080`, without a slash at the end.
    base: String,
    secret: String,
    /// As others see them.
    pub player: Player,
}

impl Guest {
    /// A new guest of the hall at `base`.
    ///
    /// # Errors
    /// When the hall does not answer.
    pub async fn enter(base: &str) -> Result<Guest, Error> {
        Guest::enter_with(reqwest::Client::new(), base).await
    }

    /// The same, sharing connections with other guests.
    ///
    /// # Errors
    /// When the hall does not answer.
    pub async fn enter_with(http: reqwest::Client, base: &str) -> Result<Guest, Error> {
        let base = base.trim_end_matches('/').to_owned();
        let answer = ask(http.post(format!("{base}/api/guests"))).await?;
        let strange = || Error::Strange(answer.to_string());
        let secret = answer["secret"].as_str().ok_or_else(strange)?.to_owned();
        let player = serde_json::from_value(answer["player"].clone()).map_err(|_| strange())?;
        Ok(Guest { http, base, secret, player })
    }

    /// A guest whom the hall at `base` knows by that secret.
    ///
    /// # Errors
    /// When the hall does not answer, or does not know the secret.
    pub async fn known(base: &str, secret: &str) -> Result<Guest, Error> {
        let base = base.trim_end_matches('/').to_owned();
        let http = reqwest::Client::new();
        let answer = ask(http.get(format!("{base}/api/me")).bearer_auth(secret)).await?;
        let player = serde_json::from_value(answer["player"].clone());
        let player = player.map_err(|_| Error::Strange(answer.to_string()))?;
        Ok(Guest { http, base, secret: secret.to_owned(), player })
    }

    /// The owner of an account whose session at the hall at `base` that secret is; `None` when the session has ended: it
    /// was signed out, revoked, or has expired.
    ///
    /// # Errors
    /// When the hall does not answer, or refuses for another reason.
    pub async fn signed_in(base: &str, secret: &str) -> Result<Option<Guest>, Error> {
        let http = reqwest::Client::new();
        let url = format!("{}/api/account", base.trim_end_matches('/'));
        // Not `/api/me`, which makes a new guest of a secret that nobody has.
        match ask(http.get(url).bearer_auth(secret)).await {
            Ok(_) => Guest::known(base, secret).await.map(Some),
            Err(Error::Refused(problem)) if is_unknown(&problem) || problem.key == "not-an-account" => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// What proves who this is; whoever has it can sit in this guest's seats.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// The table of the open room of that name.
    ///
    /// # Errors
    /// When there is none, or the hall does not answer.
    pub async fn room(&self, name: &str) -> Result<String, Error> {
        let url = self.url(&["api", "rooms", name])?;
        let answer = ask(self.http.get(url).bearer_auth(&self.secret)).await?;
        answer["id"].as_str().map(str::to_owned).ok_or_else(|| Error::Strange(answer.to_string()))
    }

    /// The open tables and the games one may watch.
    ///
    /// # Errors
    /// When the hall does not answer.
    pub async fn tables(&self) -> Result<Tables, Error> {
        let answer = self.get("/api/tables").await?;
        serde_json::from_value(answer).map_err(|e| Error::Strange(e.to_string()))
    }

    /// Brings a map along, and is told its id.
    ///
    /// # Errors
    /// When it is refused, or the hall does not answer.
    pub async fn bring(&self, map: &UploadMap) -> Result<String, Error> {
        let answer = self.post(&["api", "maps"], map).await?;
        answer["id"].as_str().map(str::to_owned).ok_or_else(|| Error::Strange(answer.to_string()))
    }

    /// Opens a table.
    ///
    /// # Errors
    /// When it is refused, or the hall does not answer.
    pub async fn open(&self, wish: &CreateTable) -> Result<Created, Error> {
        let answer = self.post(&["api", "tables"], wish).await?;
        serde_json::from_value(answer).map_err(|e| Error::Strange(e.to_string()))
    }

    /// Asks for any address of the hall, such as `/api/tables`.
    ///
    /// # Errors
    /// When it is refused, or the hall does not answer.
    pub async fn get(&self, path: &str) -> Result<serde_json::Value, Error> {
        ask(self.http.get(format!("{}{path}", self.base)).bearer_auth(&self.secret)).await
    }

    /// Posts `body` to the address with those parts, such as `["api", "tables"]`, each of which may have any letters.
    /// The answer is null where the hall has nothing to say.
    ///
    /// # Errors
    /// When it is refused, or the hall does not answer.
    pub async fn post(&self, parts: &[&str], body: &impl Serialize) -> Result<serde_json::Value, Error> {
        let body = serde_json::to_string(body).expect("plain data");
        let request = self.http.post(self.url(parts)?).bearer_auth(&self.secret);
        ask(request.header("content-type", "application/json").body(body)).await
    }

    /// Asks the hall to delete what is at `path`, such as `/api/session`.
    ///
    /// # Errors
    /// When it is refused, or the hall does not answer.
    pub async fn delete(&self, path: &str) -> Result<(), Error> {
        ask(self.http.delete(format!("{}{path}", self.base)).bearer_auth(&self.secret)).await.map(drop)
    }

    fn url(&self, parts: &[&str]) -> Result<reqwest::Url, Error> {
        let mut url = reqwest::Url::parse(&self.base).map_err(|e| Error::Strange(e.to_string()))?;
        url.path_segments_mut().map_err(|()| Error::Strange(self.base.clone()))?.pop_if_empty().extend(parts);
        Ok(url)
    }

    /// Asks for a text.
    ///
    /// # Errors
    /// When the hall does not answer.
    pub async fn text(&self, path: &str) -> Result<String, Error> {
        let lost = |e: reqwest::Error| Error::Lost(e.to_string());
        self.http.get(format!("{}{path}", self.base)).send().await.map_err(lost)?.text().await.map_err(lost)
    }

    /// Connects to a table; `since`: the version known.
    ///
    /// # Errors
    /// When the hall does not answer.
    pub async fn connect(&self, table: &str, since: Option<u64>) -> Result<Connection, Error> {
        Connection::open(&self.base, &self.secret, table, since).await
    }
}

async fn ask(request: reqwest::RequestBuilder) -> Result<serde_json::Value, Error> {
    let lost = |e: reqwest::Error| Error::Lost(e.to_string());
    let response = request.send().await.map_err(lost)?;
    let refused = !response.status().is_success();
    let text = response.text().await.map_err(lost)?;
    if text.is_empty() && !refused {
        return Ok(serde_json::Value::Null);
    }
    let body: serde_json::Value = serde_json::from_str(&text).map_err(|_| Error::Strange(text))?;
    if refused {
        let problem =
            serde_json::from_value(body["error"].clone()).map_err(|_| Error::Strange(body.to_string()))?;
        return Err(Error::Refused(problem));
    }
    Ok(body)
}
