//! Letters to people who gave an e-mail address: to confirm it, to set a new password, and a digest of slow games that
//! wait.
//!
//! A request leaves a job in a bounded queue and is answered; one task writes letters and hands them to the mail
//! server, one at a time ([`queue`]: the letters that wait, and their retries; [`post`]: the sending). So neither an
//! answer nor its time reveals whether an address is known, and a server that hangs delays no request. A hall that
//! stops loses the letters that wait: a person who misses one asks again.

pub mod post;
pub mod queue;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use edge::time::Time;
use hkdf::Hkdf;
use kernel::Problem;
use people::Secret;
use people::mail::{Address, DIGEST_EVERY_MS, Purpose, link_hash};
use sha2::Sha256;
use store::mail::{MailAddress, MailChange, MailLink, Mailbox, WaitingGame};
use store::notices::NoticeChange;
use store::{Store, StoreError};
use texts::Language;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::failed::busy;
use crate::handed::Handed;
use crate::notices::Notices;
use post::{Letter, Post};
use queue::{LetterQueue, Outcome};

/// The most jobs that may wait; further requests are refused because the hall is busy.
const QUEUE: usize = 256;
/// The interval between looks for digests that are due.
const DIGESTS: Duration = Duration::from_secs(60);
/// The most digests that are read with one query.
const PAGE: u32 = 32;
/// The name of the hall's key in the store.
const KEY: &str = "mail";
/// The number of bytes that prove that a link to stop letters is the hall's.
const PROOF: usize = 16;

/// A job that a request leaves in the queue.
enum Word {
    /// A letter, and the time for which it is of use.
    Send(Letter, Duration),
    /// A request for a new password from a person who claims this address.
    Recover(Address, Mailbox),
}

/// The mail of a hall, with the queue of jobs.
pub struct Letters {
    store: Arc<Store>,
    time: Time,
    /// Told which people get digests: what these are about is stored for them.
    notices: Arc<Notices>,
    open: watch::Sender<Option<Arc<Open>>>,
    words: mpsc::Sender<Word>,
    heard: tokio::sync::Mutex<mpsc::Receiver<Word>>,
    /// The number of letters that were written and are not sent yet: new ones, and those that are tried again.
    unsent: AtomicUsize,
}

/// The settings and the key, which are known once the hall is open.
struct Open {
    post: Post,
    key: Vec<u8>,
}

impl Letters {
    /// Creates the mail of a hall; no letter is sent before it is [opened](Letters::open).
    #[must_use]
    pub fn new(handed: &Handed, notices: Arc<Notices>) -> Letters {
        let (words, heard) = mpsc::channel(QUEUE);
        Letters {
            store: Arc::clone(&handed.store),
            time: handed.time.clone(),
            notices,
            open: watch::channel(None).0,
            words,
            heard: tokio::sync::Mutex::new(heard),
            unsent: AtomicUsize::new(0),
        }
    }

    /// Returns true if the hall sends letters.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open.borrow().is_some()
    }

    /// Returns the number of letters that wait: jobs in the queue, and letters that no server has accepted yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        QUEUE - self.words.capacity() + self.unsent.load(Ordering::Relaxed)
    }

    fn opened(&self) -> Result<Arc<Open>, Problem> {
        self.open.borrow().clone().ok_or_else(|| Problem::new("mail-off"))
    }

    fn leave(&self, word: Word) -> Result<(), Problem> {
        self.words.try_send(word).map_err(|_| {
            metrics::counter!("hall_letters_lost_total").increment(1);
            Problem::new("hall-busy")
        })
    }
}

impl Open {
    /// Derives bytes from `source` and the hall's key, which cannot be computed without the key.
    fn derive<const N: usize>(&self, use_for: &[u8], source: &[u8]) -> [u8; N] {
        let mut bytes = [0; N];
        let hkdf = Hkdf::<Sha256>::new(Some(&self.key), source);
        hkdf.expand(use_for, &mut bytes).expect("a hash is longer");
        bytes
    }

    fn mailbox(&self, address: &Address) -> Mailbox {
        self.derive(b"mailbox", address.fold().as_bytes())
    }

    /// Returns the last part of the link that stops letters to that mailbox.
    fn stop(&self, mailbox: Mailbox) -> String {
        let proof: [u8; PROOF] = self.derive(b"stop", &mailbox);
        URL_SAFE_NO_PAD.encode([&mailbox[..], &proof[..]].concat())
    }

    /// Returns the mailbox that such a link names; `None` when the link is not the hall's.
    fn stopped_by(&self, text: &str) -> Option<Mailbox> {
        if text.len() > 100 {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (mailbox, _) = bytes.split_first_chunk::<20>()?;
        // Compared as a whole, so that the time taken does not show how much of a guess was right.
        let wanted = sha2::Digest::finalize(sha2::Digest::chain_update(
            <Sha256 as sha2::Digest>::new(),
            self.stop(*mailbox),
        ));
        let told = sha2::Digest::finalize(sha2::Digest::chain_update(<Sha256 as sha2::Digest>::new(), text));
        (wanted == told).then_some(*mailbox)
    }

    /// Writes a letter of that kind to that address, whose words are `letter-<kind>` with those facts, after a
    /// greeting.
    fn letter(&self, kind: &'static str, to: &MailTo<'_>, body: &str, subject: String) -> Letter {
        let language = to.language;
        let stop = self.stop(to.mailbox);
        let hall = self.post.host();
        let link = self.post.link(&format!("account/mail#stop={stop}"));
        let greeting = texts::say(language, "letter-greeting", &[("name", &to.name)]);
        let end = texts::say(language, "letter-end", &[("hall", &hall), ("link", &link)]);
        let body = format!("{greeting}\n\n{body}\n\n-- \n{end}\n");
        Letter { kind, to: to.address.to_owned(), subject, body, stop }
    }
}

/// The recipient of a letter.
struct MailTo<'a> {
    /// The name of the account, [without links](unlinked).
    name: String,
    address: &'a str,
    mailbox: Mailbox,
    language: Language,
}

impl<'a> MailTo<'a> {
    fn of(at: &'a MailAddress, name: &str) -> MailTo<'a> {
        let language = Language::preferred(&at.lang);
        MailTo { name: unlinked(name), address: &at.address, mailbox: at.mailbox, language }
    }
}

/// Returns a name in a form that mail programs do not turn into a link: people choose their names, and letters go to
/// strangers and opponents.
fn unlinked(name: &str) -> String {
    let plain = |c| match c {
        '.' | '。' => '·',
        ':' | '/' | '@' => ' ',
        c => c,
    };
    name.chars().map(plain).collect()
}

/// Returns the code of a language in the store.
fn code(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Chinese => "zh",
    }
}

impl Letters {
    /// Starts to send letters, or changes the mail server. The hall's key is generated if it has none.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn open(&self, post: Post) -> Result<(), StoreError> {
        let mut key = self.store.notices.hall_secret(KEY).await?;
        if key.is_none() && !self.store.condition.is_read_only() {
            let body = rand::random::<[u8; 32]>().to_vec();
            self.store.notices.change(NoticeChange::Secret { name: KEY, body }).await?;
            key = self.store.notices.hall_secret(KEY).await?;
        }
        // A hall that opened on a full disk for the first time sends none until it is opened again.
        let Some(key) = key else { return Ok(()) };
        self.notices.know_told().await?;
        self.open.send_replace(Some(Arc::new(Open { post, key })));
        Ok(())
    }

    /// Stops the sending of letters; those in the queue wait until they expire, or letters are sent again.
    pub fn close(&self) {
        self.open.send_replace(None);
    }

    /// Sends letters for as long as the hall is open.
    pub async fn keep_sending(&self) {
        tokio::join!(self.send_letters(), self.watch_digests());
    }

    async fn send_letters(&self) {
        let mut heard = self.heard.lock().await;
        let mut opened = self.open.subscribe();
        let mut queue: LetterQueue<Letter> = LetterQueue::default();
        loop {
            let now = Instant::now();
            let expired = queue.drop_expired(now);
            if expired > 0 {
                tracing::warn!(letters = expired, "letters were given up: what they were for has expired");
                metrics::counter!("hall_letters_failed_total").increment(expired as u64);
            }
            self.unsent.store(queue.count(), Ordering::Relaxed);
            let open = opened.borrow_and_update().clone();
            let Some(open) = open else {
                if opened.changed().await.is_err() {
                    return;
                }
                queue.try_again();
                continue;
            };
            if let Some(waiting) = queue.next(now) {
                let (kind, outcome) = (waiting.letter.kind, open.post.send(&waiting.letter).await);
                let server = open.post.server();
                match outcome == Outcome::Sent {
                    true => metrics::counter!("hall_letters_sent_total").increment(1),
                    false => metrics::counter!("hall_letters_failed_total").increment(1),
                }
                match &outcome {
                    Outcome::Sent => {}
                    Outcome::Refused(why) => {
                        tracing::warn!(server, kind, why, "the mail server refuses a letter")
                    }
                    Outcome::Later(why) => {
                        tracing::info!(server, kind, why, "the mail server wants a letter later")
                    }
                    Outcome::Down(_) => {}
                }
                let rest = queue.done(waiting, &outcome, Instant::now());
                if let (Some(rest), Outcome::Down(why)) = (rest, &outcome) {
                    let rest_s = rest.as_secs();
                    tracing::warn!(server, why, rest_s, "the mail server takes no letters: they wait");
                }
                continue;
            }
            let wake = queue.wake();
            let due = async {
                match wake {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            let word = tokio::select! {
                () = due => continue,
                // Another post: what waited for the one before need not wait for it.
                _ = opened.changed() => {
                    queue.try_again();
                    continue;
                }
                word = heard.recv(), if queue.has_room() => word,
            };
            match word {
                Some(Word::Send(letter, lasts)) => queue.push(letter, lasts, Instant::now()),
                Some(Word::Recover(address, mailbox)) => {
                    match self.recovery(&open, &address, mailbox).await {
                        Ok(Some(letter)) => {
                            queue.push(
                                letter,
                                Duration::from_millis(Purpose::Recover.lasts_ms()),
                                Instant::now(),
                            );
                        }
                        Ok(None) => {}
                        Err(why) => tracing::warn!(%why, "a letter about a lost password was not written"),
                    }
                }
                None => return,
            }
        }
    }

    /// Writes the letter to a person who has lost their password: a link for each account with that address. `None`
    /// when there is none.
    async fn recovery(
        &self,
        open: &Open,
        address: &Address,
        mailbox: Mailbox,
    ) -> Result<Option<Letter>, StoreError> {
        let accounts = self.store.mail.accounts_at(mailbox).await?;
        let Some((first, name)) = accounts.first() else { return Ok(None) };
        let to = MailTo { address: address.as_str(), ..MailTo::of(first, name) };
        let mut links = Vec::new();
        for (at, name) in &accounts {
            let secret = self.new_link(at, Purpose::Recover).await?;
            let link = open.post.link(&format!("account/mail#recover={}", secret.reveal()));
            links.push(format!("{}:\n{link}", unlinked(name)));
        }
        let say = |key, args: &[(&str, &str)]| texts::say(to.language, key, args);
        let body = [
            say("letter-recover-why", &[("hall", &open.post.host())]),
            links.join("\n\n"),
            say("letter-recover-end", &[]),
        ];
        let subject = say("letter-recover", &[("hall", &open.post.host())]);
        Ok(Some(open.letter("recover", &to, &body.join("\n\n"), subject)))
    }

    /// Stores a new link to that address.
    async fn new_link(&self, at: &MailAddress, purpose: Purpose) -> Result<Secret, StoreError> {
        let (secret, now_ms) = (Secret::new(), self.time.now_ms());
        let link = MailLink {
            hash: link_hash(&secret),
            person: at.person.clone(),
            purpose,
            address: at.address.clone(),
            mailbox: at.mailbox,
            lang: at.lang.clone(),
            until_ms: now_ms + purpose.lasts_ms(),
        };
        self.store.mail.change(MailChange::Link { link, now_ms }).await?;
        Ok(secret)
    }

    async fn watch_digests(&self) {
        let mut minutes = tokio::time::interval(DIGESTS);
        minutes.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            minutes.tick().await;
            let Ok(open) = self.opened() else { continue };
            if let Err(why) = self.send_digests(&open).await {
                tracing::warn!(%why, "digests were not written");
            }
        }
    }

    async fn send_digests(&self, open: &Open) -> Result<(), StoreError> {
        let now_ms = self.time.now_ms();
        for at in self.store.mail.digests_due(now_ms, PAGE).await? {
            // Letters that a person waits for go first.
            if self.words.capacity() < QUEUE / 2 {
                return Ok(());
            }
            let games = self.store.mail.waiting_games(&at.person, now_ms).await?;
            let (waiting, over): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.until_ms > 0);
            if !over.is_empty() {
                let looked = over.into_iter().map(|game| (at.person.clone(), game.table)).collect();
                self.store.notices.change(NoticeChange::Words { looked, tell: Vec::new(), now_ms }).await?;
            }
            if waiting.is_empty() || self.store.mail.is_stopped(at.mailbox).await? {
                continue;
            }
            // Stored before it is sent: a hall that is killed now does not send the same letter again and
            // again.
            self.store.mail.change(MailChange::Digested { person: at.person.clone(), now_ms }).await?;
            let name = self.store.people.name(&at.person).await?.unwrap_or_default();
            let letter = digest(open, &MailTo::of(&at, &name), &waiting);
            if self.leave(Word::Send(letter, Duration::from_millis(DIGEST_EVERY_MS))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the mail settings of an account.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn mail_of(&self, person: &str) -> Result<wire::MailTold, Problem> {
        let at = self.store.mail.mail_address(person).await.map_err(busy)?;
        let unconfirmed = self.store.mail.unconfirmed(person, self.time.now_ms()).await.map_err(busy)?;
        Ok(wire::MailTold {
            on: self.is_open(),
            digest: at.as_ref().is_some_and(|at| at.digest),
            address: at.map(|at| at.address),
            unconfirmed,
        })
    }

    /// Returns the mailbox of an address, by which letters to it are counted.
    ///
    /// # Errors
    /// `mail-off`.
    pub fn mailbox(&self, address: &Address) -> Result<Mailbox, Problem> {
        Ok(self.opened()?.mailbox(address))
    }

    /// Sends a link that confirms an address; none to an address that has stopped letters.
    ///
    /// # Errors
    /// `mail-off`, `hall-busy`, `not-stored`.
    pub async fn ask_to_confirm(
        &self,
        person: &str,
        name: &str,
        address: &Address,
        language: Language,
    ) -> Result<(), Problem> {
        let open = self.opened()?;
        let at = MailAddress {
            person: person.to_owned(),
            address: address.as_str().to_owned(),
            mailbox: open.mailbox(address),
            lang: code(language).to_owned(),
            since_ms: 0,
            digest: false,
        };
        if self.words.capacity() == 0 {
            return Err(Problem::new("hall-busy"));
        }
        let secret = self.new_link(&at, Purpose::Confirm).await.map_err(not_stored)?;
        if self.store.mail.is_stopped(at.mailbox).await.map_err(busy)? {
            return Ok(());
        }
        let hall = open.post.host();
        let link = open.post.link(&format!("account/mail#confirm={}", secret.reveal()));
        let to = MailTo::of(&at, name);
        let args = [("name", to.name.as_str()), ("hall", hall.as_str()), ("link", link.as_str())];
        let body = texts::say(language, "letter-confirm-body", &args);
        let subject = texts::say(language, "letter-confirm", &args);
        let letter = open.letter("confirm", &to, &body, subject);
        self.leave(Word::Send(letter, Duration::from_millis(Purpose::Confirm.lasts_ms())))
    }

    /// Tells the previous address of an account that it was replaced: the person who changed it need not be its
    /// owner.
    pub fn tell_replaced(&self, before: &MailAddress, name: &str) {
        let Ok(open) = self.opened() else { return };
        let to = MailTo::of(before, name);
        let hall = open.post.host();
        let args = [("name", to.name.as_str()), ("hall", hall.as_str())];
        let body = texts::say(to.language, "letter-replaced-body", &args);
        let subject = texts::say(to.language, "letter-replaced", &args);
        let letter = open.letter("replaced", &to, &body, subject);
        // The queue is full: what is asked for goes first.
        let _ = self.leave(Word::Send(letter, Duration::from_secs(86_400)));
    }

    /// Sends a letter to a person who has lost their password, if an account has that address. That is looked up
    /// later, by the task that sends.
    ///
    /// # Errors
    /// `mail-off`, `hall-busy`.
    pub fn ask_to_recover(&self, address: Address) -> Result<(), Problem> {
        let mailbox = self.mailbox(&address)?;
        self.leave(Word::Recover(address, mailbox))
    }

    /// Switches the digest of an account on or off.
    ///
    /// # Errors
    /// `mail-off`, `mail-none`, `not-stored`.
    pub async fn set_digest(&self, person: &str, on: bool, language: Language) -> Result<(), Problem> {
        self.opened()?;
        let change = MailChange::Digest { person: person.to_owned(), on, lang: code(language).to_owned() };
        self.store.mail.change(change).await.map_err(|why| match why {
            StoreError::Missing => Problem::new("mail-none"),
            why => not_stored(why),
        })?;
        self.notices.count_devices(person).await.map_err(busy)
    }

    /// Stops letters to the mailbox that a letter's link names, or resumes them.
    ///
    /// # Errors
    /// `mail-off`, `mail-stop`, `not-stored`.
    pub async fn stop_letters(&self, link: &str, stop: bool) -> Result<(), Problem> {
        let mailbox = self.opened()?.stopped_by(link);
        let mailbox = mailbox.ok_or_else(|| Problem::new("mail-stop"))?;
        let now_ms = self.time.now_ms();
        self.store.mail.change(MailChange::Stop { mailbox, stop, now_ms }).await.map_err(not_stored)?;
        for (at, _) in self.store.mail.accounts_at(mailbox).await.map_err(busy)? {
            self.notices.count_devices(&at.person).await.map_err(busy)?;
        }
        Ok(())
    }
}

fn not_stored(why: StoreError) -> Problem {
    tracing::error!(%why, "what somebody wants about letters was not stored");
    Problem::new("not-stored")
}

/// Writes the letter that names slow games in which its reader is to move.
fn digest(open: &Open, to: &MailTo<'_>, waiting: &[WaitingGame]) -> Letter {
    let say = |key: &str, args: &[(&str, &str)]| texts::say(to.language, key, args);
    let count = waiting.len().to_string();
    let lines: Vec<String> = waiting
        .iter()
        .map(|game| {
            let hours = game.left_ms / 3_600_000;
            let left = match hours {
                0..48 => say("letter-hours", &[("count", &hours.to_string())]),
                _ => say("letter-days", &[("count", &(hours / 24).to_string())]),
            };
            let named = texts::game(to.language, &game.game);
            let line = match &game.other {
                Some(other) => {
                    say("letter-game-with", &[("game", &named), ("who", &unlinked(other)), ("left", &left)])
                }
                None => say("letter-game", &[("game", &named), ("left", &left)]),
            };
            format!("- {line}\n  {}", open.post.link(&format!("t/{}", game.table)))
        })
        .collect();
    let body = [
        say("letter-digest-why", &[("count", &count)]),
        lines.join("\n"),
        say("letter-digest-end", &[("link", &open.post.link("inbox"))]),
    ];
    open.letter("digest", to, &body.join("\n\n"), say("letter-digest", &[("count", &count)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::post::MailSettings;

    fn open() -> Open {
        let settings = MailSettings {
            server: "127.0.0.1".into(),
            port: None,
            tls: post::TlsMode::None,
            user: None,
            password: None,
            password_file: None,
            ca_file: None,
            from: "hall@example.org".into(),
            public_url: Some("https://hall.example.org".into()),
        };
        Open { post: settings.open(None).expect("opens"), key: vec![7; 32] }
    }

    #[tokio::test]
    async fn a_link_that_stops_letters_is_the_halls_own() {
        let open = open();
        let address = |text| Address::read(text).expect("an address");
        let mailbox = open.mailbox(&address("Ada@example.org"));
        assert_eq!(mailbox, open.mailbox(&address("ada@EXAMPLE.org")));
        assert_ne!(mailbox, open.mailbox(&address("adb@example.org")));
        let link = open.stop(mailbox);
        assert_eq!(open.stopped_by(&link), Some(mailbox));
        let another = Open { key: vec![8; 32], ..self::open() };
        assert_eq!(another.stopped_by(&link), None, "of another hall");
        for at in 0..link.len() {
            let mut guess = link.clone().into_bytes();
            guess[at] = if guess[at] == b'A' { b'B' } else { b'A' };
            let guess = String::from_utf8(guess).expect("ASCII");
            assert_eq!(open.stopped_by(&guess), None, "letter {at}");
        }
        for text in ["", "AAAA", &link[..link.len() - 1], &format!("{link}A"), &"A".repeat(1 << 20)] {
            assert_eq!(open.stopped_by(text), None);
        }
    }

    /// Every letter has its texts: a key without a text would be sent to people.
    #[tokio::test]
    async fn every_letter_has_its_words() {
        let open = open();
        for language in Language::ALL {
            let to = MailTo { name: "Ada".into(), address: "ada@example.org", mailbox: [0; 20], language };
            let game = |n: u64, other: Option<&str>| WaitingGame {
                table: format!("t{n}"),
                game: "gomoku/renju".into(),
                other: other.map(str::to_owned),
                until_ms: 1 + n * 3_600_000,
                left_ms: n * 3_600_000,
            };
            let link = Some("https://evil.example");
            let waiting = [
                game(1, None),
                game(47, Some("Bob")),
                game(48, Some("{ $name }")),
                game(49, link),
                game(200, None),
            ];
            let letter = digest(&open, &to, &waiting);
            assert!(
                !letter.body.contains("letter-") && !letter.subject.contains("letter-"),
                "{}",
                letter.body
            );
            assert!(!letter.body.contains("evil.example"), "a name is no link: {}", letter.body);
            for part in ["t/t1", "t/t200", "Bob", "{ $name }", "/inbox", "#stop=", "Ada"] {
                assert!(letter.body.contains(part), "{part} in {}", letter.body);
            }
            for key in [
                "confirm",
                "confirm-body",
                "recover",
                "recover-why",
                "recover-end",
                "replaced",
                "replaced-body",
            ] {
                let key = format!("letter-{key}");
                let args = [("name", "Ada"), ("hall", "hall.example"), ("link", "https://x")];
                let said = texts::say(language, &key, &args);
                assert!(said != key && !said.contains("{$"), "{said}");
            }
            assert!(!format!("{letter:?}").contains("ada@"), "a log must not name anybody");
        }
    }
}
