//! A hall for one test.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use catalog::maps::Loader;
use client::{Answer, Connection as Line, Guest, Seat};
use edge::limits::Limits;
use edge::reach::Reach;
use hall::{Running, Settings};
use members::mail::post::MailSettings;
use members::notices::NoticeSettings;
use members::openid::OpenIdSettings;
use tempfile::TempDir;
use thinking::Foreign;
use wire::{Act, ClientMessage, ClockSpec, CreateTable, How, Offer, ServerMessage, Side};

/// Longer than anything here takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// An open hall and its folder.
pub struct House {
    pub running: Option<Running>,
    pub data: TempDir,
    pub base: String,
    pub http: reqwest::Client,
    pub mail: Option<MailSettings>,
    pub openid: Option<OpenIdSettings>,
    /// The limits it was opened with; after a restart they are off.
    pub limits: Limits,
}

impl House {
    /// Opens a hall without limits: a test makes more requests than a person does.
    pub async fn open() -> House {
        House::with(Limits { on: false, ..Limits::default() }).await
    }

    pub async fn with(limits: Limits) -> House {
        House::at(limits, Reach::default()).await
    }

    /// Opens a hall that people reach in that way.
    pub async fn at(limits: Limits, reach: Reach) -> House {
        House::open_at(limits, reach, None, None).await
    }

    /// Opens a hall that hands its letters to that server.
    pub async fn with_mail(limits: Limits, mail: MailSettings) -> House {
        House::open_at(limits, Reach::default(), Some(mail), None).await
    }

    /// Opens a hall with sign-in by that OpenID provider.
    pub async fn with_openid(openid: OpenIdSettings) -> House {
        House::with_openid_and(Limits { on: false, ..Limits::default() }, openid).await
    }

    /// Opens a hall with limits and with sign-in by that OpenID provider.
    pub async fn with_openid_and(limits: Limits, openid: OpenIdSettings) -> House {
        House::open_at(limits, Reach::default(), None, Some(openid)).await
    }

    /// Opens a hall that hands its letters to that server, with sign-in by that OpenID provider.
    pub async fn with_mail_and_openid(limits: Limits, mail: MailSettings, openid: OpenIdSettings) -> House {
        House::open_at(limits, Reach::default(), Some(mail), Some(openid)).await
    }

    async fn open_at(
        limits: Limits,
        reach: Reach,
        mail: Option<MailSettings>,
        openid: Option<OpenIdSettings>,
    ) -> House {
        let data = tempfile::tempdir().expect("a folder");
        let foreign = Foreign::default();
        let asked = openid.clone();
        let kept = limits;
        let running = serve_at(data.path(), limits, None, foreign, reach, mail.clone(), asked);
        let running = running.await.expect("opens");
        let base = format!("http://{}", running.address);
        House { running: Some(running), data, base, http: reqwest::Client::new(), mail, openid, limits: kept }
    }

    /// Stops and opens again, on another port.
    pub async fn restart(&mut self) {
        self.running.take().expect("is open").stop().await;
        self.open_again().await;
    }

    pub async fn open_again(&mut self) {
        let limits = Limits { on: false, ..self.limits };
        let (data, mail) = (self.data.path(), self.mail.clone());
        let foreign = Foreign::default();
        let openid = self.openid.clone();
        let running = serve_at(data, limits, None, foreign, Reach::default(), mail, openid);
        let running = running.await.expect("opens again");
        self.base = format!("http://{}", running.address);
        self.running = Some(running);
    }

    /// Stops the hall, changes its store, and opens it again.
    pub async fn stored(&mut self, change: impl AsyncFnOnce(&store::Store)) {
        self.running.take().expect("is open").stop().await;
        let store = store::Store::open(self.data.path()).await.expect("opens");
        change(&store).await;
        store.condition.close().await;
        self.open_again().await;
    }

    pub async fn guest(&self) -> Guest {
        Guest::enter(&self.base).await.expect("lets everybody in")
    }

    /// Opens a table and seats two people: the first player and the second.
    pub async fn pair(&self, wish: CreateTable) -> [Seat; 2] {
        let (a, b) = (self.guest().await, self.guest().await);
        let table = a.open(&CreateTable { side: Some(Side::First), ..wish }).await.expect("a table").id;
        let mut seats = [Seat::new(a, &table), Seat::new(b, &table)];
        done(&mut seats[1], Act::Sit { side: None }).await;
        level(&mut seats).await;
        seats
    }

    /// Returns the complete state of a table, as the hall sends it.
    pub async fn full(&self, table: &str) -> ServerMessage {
        let guest = self.guest().await;
        serde_json::from_value(guest.get(&format!("/api/tables/{table}")).await.expect("is there"))
            .expect("full")
    }

    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.http.get(format!("{}{path}", self.base)).send().await.expect("answers")
    }
}

pub async fn serve(data: &std::path::Path, limits: Limits) -> Result<Running, String> {
    serve_with(data, limits, None).await
}

/// Opens a hall in which extensions run.
pub async fn serve_with(
    data: &std::path::Path,
    limits: Limits,
    loader: Option<Arc<dyn Loader>>,
) -> Result<Running, String> {
    serve_all(data, limits, loader, Foreign::default()).await
}

/// Returns a hall in which other people's programs sit down.
pub async fn serve_all(
    data: &std::path::Path,
    limits: Limits,
    loader: Option<Arc<dyn Loader>>,
    foreign: Foreign,
) -> Result<Running, String> {
    serve_at(data, limits, loader, foreign, Reach::default(), None, None).await
}

async fn serve_at(
    data: &std::path::Path,
    limits: Limits,
    loader: Option<Arc<dyn Loader>>,
    foreign: Foreign,
    reach: Reach,
    mail: Option<MailSettings>,
    openid: Option<OpenIdSettings>,
) -> Result<Running, String> {
    let listen = ([127, 0, 0, 1], 0).into();
    hall::serve(Settings {
        shared: None,
        waiting: |_| {},
        keep: Default::default(),
        listen,
        admin: Some(listen),
        data: data.to_owned(),
        reach,
        limits,
        loader,
        foreign,
        notices: NoticeSettings { loopback: true, ..NoticeSettings::default() },
        tls: None,
        mail,
        openid,
    })
    .await
    .map_err(|why| why.to_string())
}

/// Returns the request of a person at the page for a game of gomoku without a clock.
pub fn gomoku(how: How) -> CreateTable {
    CreateTable {
        game: "gomoku/freestyle".to_owned(),
        options: std::iter::once(("size".to_owned(), 15)).collect(),
        map: None,
        fen: None,
        how,
        room: None,
        clock: ClockSpec::None,
        side: Some(Side::First),
        opponent: None,
        rated: false,
    }
}

pub fn timed(clock: ClockSpec) -> CreateTable {
    CreateTable { clock, ..gomoku(How::Invite) }
}

pub fn mv(text: &str) -> Act {
    Act::Move { text: text.to_owned(), away: false }
}

pub fn offer(what: Offer) -> Act {
    Act::Offer { what, plies: None }
}

/// Sends an act that must succeed; returns its version.
pub async fn done(seat: &mut Seat, act: Act) -> u64 {
    match soon(seat.wish(act.clone())).await.expect("the protocol is kept") {
        Answer::Done(v) => {
            while seat.ver < v {
                hear(seat).await;
            }
            v
        }
        Answer::Refused(why) => panic!("{act:?} was refused: {} {:?}", why.key, why.args),
    }
}

/// Sends an act that must be refused; returns the key of the reason.
pub async fn refused(seat: &mut Seat, act: Act) -> String {
    match soon(seat.wish(act.clone())).await.expect("the protocol is kept") {
        Answer::Refused(why) => why.key.into_owned(),
        Answer::Done(v) => panic!("{act:?} was done as version {v}"),
    }
}

pub async fn hear(seat: &mut Seat) -> ServerMessage {
    soon(seat.hear()).await.expect("the protocol is kept")
}

/// Waits until all clients have the latest version of them all.
pub async fn level(seats: &mut [Seat]) {
    for seat in seats.iter_mut().filter(|seat| seat.view.is_none()) {
        hear(seat).await;
    }
    let most = seats.iter().map(|seat| seat.ver).max().expect("somebody");
    for seat in seats {
        while seat.ver < most {
            hear(seat).await;
        }
    }
}

/// Plays moves in turns, beginning with the side to move.
pub async fn moves(seats: &mut [Seat; 2], texts: &str) {
    for text in texts.split_whitespace() {
        let mover = usize::from(seats[0].view.as_ref().expect("a board").turn == Side::Second);
        done(&mut seats[mover], mv(text)).await;
        level(seats).await;
    }
}

pub fn table_of(seat: &Seat) -> String {
    seat.info.as_ref().expect("known").id.clone()
}

/// Returns the next message that `wanted` accepts.
pub async fn until<T>(line: &mut Line, wanted: impl Fn(ServerMessage) -> Option<T>) -> T {
    loop {
        if let Some(found) = wanted(soon(line.hear()).await.expect("stays connected")) {
            return found;
        }
    }
}

pub async fn say(line: &mut Line, cmd: &str, ver: u64, act: Act) {
    line.say(&ClientMessage::Do { cmd: cmd.to_owned(), ver, act }).await.expect("is heard");
}

pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("something happens before long")
}
