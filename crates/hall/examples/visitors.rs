//! Visitors of a hall in trouble: a tool of `scripts/chaos.sh` that is not handed out.
//!
//!     visitors URL PASSKEYS GAMES < commands
//!
//! Through what stands before the hall at `URL`, `PASSKEYS` accounts sign in by passkey again and again, and at `GAMES` tables
//! people make a move against a level and wait for its answer. A request that does not arrive, or that a hall without its
//! database puts off, is made again. After a line of input, or at its end, it says in one line what came of all this; the
//! status is 1 where a passkey was refused, or a move was not answered within three minutes. An answer that only a page loaded again
//! shows is counted as unheard.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::{Answer, Guest, Seat};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use wire::{Act, ClockSpec, CreateTable, How, Opponent, Side};

#[path = "../tests/hall/authenticator.rs"]
mod authenticator;

use authenticator::Authenticator;

/// The longest time for one request.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest time from a person's move to its answer by a program, through whatever happens to the hall.
const LONGEST: Duration = Duration::from_secs(180);
/// The time between two sign-ins of one account, and before something is tried again.
const PAUSE: Duration = Duration::from_millis(300);

/// The outcomes of the visitors' acts.
#[derive(Default)]
struct Counts {
    signed_in: AtomicU64,
    /// Refusals of passkeys that were right, with the reason of the last one.
    refused: AtomicU64,
    why: Mutex<String>,
    /// The longest time without a sign-in of an account, in milliseconds.
    longest_ms: AtomicU64,
    answered: AtomicU64,
    unanswered: AtomicU64,
    /// Answers that were at the table, but were not told to the connection that waited for them.
    unheard: AtomicU64,
}

/// An answer of the hall; `None` where it does not answer, or cannot do what it is asked just now.
async fn ask(http: &Client, url: &str, secret: &str, sent: &Value) -> Option<(StatusCode, Value)> {
    let request = http.post(url).header("content-type", "application/json");
    let request = if secret.is_empty() { request } else { request.bearer_auth(secret) };
    let response = request.body(sent.to_string()).send().await.ok()?;
    let status = response.status();
    let told = serde_json::from_str(&response.text().await.ok()?).unwrap_or(Value::Null);
    let waits = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    (!waits).then_some((status, told))
}

/// Repeats an act until it succeeds.
async fn again<T, F: Future<Output = Option<T>>>(mut act: impl FnMut() -> F) -> T {
    loop {
        if let Some(done) = act().await {
            return done;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A new account with a passkey; `None` where anything on the way did not arrive.
async fn account(http: &Client, base: &str, n: u8, try_: u32) -> Option<Authenticator> {
    let (_, guest) = ask(http, &format!("{base}/api/guests"), "", &Value::Null).await?;
    let secret = guest["secret"].as_str()?;
    let name = format!("Visitor{n}x{try_}");
    let (_, asked) =
        ask(http, &format!("{base}/api/account/passkeys/ask"), secret, &json!({ "name": name })).await?;
    let mut seed = [n + 1; 32];
    seed[..4].copy_from_slice(&(try_ + 1).to_be_bytes());
    seed[4..12].copy_from_slice(&u64::from(std::process::id()).to_be_bytes());
    let mut key = Authenticator::new("http://localhost", seed);
    let passkey = json!({ "id": asked["id"], "answer": key.make(&asked["question"]) });
    let (status, _) =
        ask(http, &format!("{base}/api/account"), secret, &json!({ "name": name, "passkey": passkey }))
            .await?;
    (status == StatusCode::CREATED).then_some(key)
}

/// Signs in once; `None` where something did not arrive, and the reason where the hall refuses.
async fn sign_in(http: &Client, base: &str, key: &mut Authenticator) -> Option<Result<(), String>> {
    let (_, asked) = ask(http, &format!("{base}/api/session/passkey/ask"), "", &Value::Null).await?;
    if asked["question"].is_null() {
        return None;
    }
    let wish = json!({ "passkey": { "id": asked["id"], "answer": key.sign(&asked["question"]) } });
    let (_, guest) = ask(http, &format!("{base}/api/guests"), "", &Value::Null).await?;
    let (status, told) =
        ask(http, &format!("{base}/api/session/passkey"), guest["secret"].as_str()?, &wish).await?;
    Some(if status == StatusCode::OK { Ok(()) } else { Err(told.to_string()) })
}

async fn signs_in(http: Client, base: String, n: u8, counts: Arc<Counts>) {
    let mut tries = 0;
    let mut key = again(|| {
        tries += 1;
        account(&http, &base, n, tries)
    })
    .await;
    let mut last = Instant::now();
    loop {
        match sign_in(&http, &base, &mut key).await {
            Some(Ok(())) => {
                counts.signed_in.fetch_add(1, Ordering::Relaxed);
                let ms = u64::try_from(last.elapsed().as_millis()).unwrap_or(u64::MAX);
                counts.longest_ms.fetch_max(ms, Ordering::Relaxed);
                last = Instant::now();
            }
            Some(Err(why)) => {
                counts.refused.fetch_add(1, Ordering::Relaxed);
                *counts.why.lock().expect("no panic") = why;
            }
            None => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A seat at a table against a level; `None` where it could not be opened.
async fn seat(base: &str, level: u8) -> Option<(Guest, String, Seat)> {
    let guest = Guest::enter(base).await.ok()?;
    let wish = CreateTable {
        game: "xiangqi".to_owned(),
        options: Default::default(),
        map: None,
        fen: None,
        how: How::Invite,
        side: Some(Side::First),
        clock: ClockSpec::None,
        rated: false,
        room: None,
        opponent: Some(Opponent::Level(level)),
    };
    let table = guest.open(&wish).await.ok()?.id;
    let seat = Seat::new(guest.clone(), &table);
    Some((guest, table, seat))
}

/// Makes a move, and waits for the program's.
async fn move_answered(seat: &mut Seat) {
    let act = Act::Move { text: "h2e2".to_owned(), away: false };
    while seat.record.is_empty() {
        match seat.wish(act.clone()).await {
            Ok(Answer::Done(_)) => {}
            // What it was told is said again; a connection that ended is opened again.
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
    while seat.record.len() < 2 {
        if seat.hear().await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

async fn plays(base: String, level: u8, counts: Arc<Counts>) {
    loop {
        let (guest, table, mut seat) = again(|| seat(&base, level)).await;
        let count = match tokio::time::timeout(LONGEST, move_answered(&mut seat)).await {
            Ok(()) => &counts.answered,
            Err(_) => {
                // As a person who loads the page again.
                seat = Seat::new(guest, &table);
                match tokio::time::timeout(PATIENCE, move_answered(&mut seat)).await {
                    Ok(()) => &counts.unheard,
                    Err(_) => &counts.unanswered,
                }
            }
        };
        count.fetch_add(1, Ordering::Relaxed);
        let _ = tokio::time::timeout(PATIENCE, seat.wish(Act::Resign { side: None })).await;
    }
}

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers = || Some((args.get(1)?.parse::<u8>().ok()?, args.get(2)?.parse::<u8>().ok()?));
    let (Some(base), Some((passkeys, games))) = (args.first().cloned(), numbers()) else {
        eprintln!("usage: visitors URL PASSKEYS GAMES < commands");
        std::process::exit(2);
    };
    let counts = Arc::new(Counts::default());
    let http = Client::builder().timeout(PATIENCE).build().expect("a client");
    for n in 0..passkeys {
        tokio::spawn(signs_in(http.clone(), base.clone(), n, Arc::clone(&counts)));
    }
    for n in 0..games {
        // Level 10 thinks for some seconds, so that others wait for their turn, and workers take theirs.
        tokio::spawn(plays(base.clone(), [8, 10][usize::from(n % 2)], Arc::clone(&counts)));
    }
    let _ = tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await;
    let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let (signed_in, refused) = (read(&counts.signed_in), read(&counts.refused));
    let (answered, unanswered) = (read(&counts.answered), read(&counts.unanswered));
    if refused > 0 {
        println!("the last refusal: {}", counts.why.lock().expect("no panic"));
    }
    println!(
        "signed-in {signed_in} refused {refused} longest-without-ms {} answered {answered} unheard {} unanswered {unanswered}",
        read(&counts.longest_ms),
        read(&counts.unheard)
    );
    std::process::exit(i32::from(refused + unanswered > 0 || passkeys > 0 && signed_in == 0));
}
