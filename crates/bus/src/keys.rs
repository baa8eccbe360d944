//! The name of a hall and the keys its nodes share, as one row of the database; and the seal on each message.
//!
//! A sealed message is one line of text and the message: `q2 KEY SENDER COUNT MS MAC`. The MAC is HMAC-SHA256 over
//! the line without it, the whole subject, and the message. `COUNT` grows with each message of a sender, `MS` is the
//! database's time. So a message is believed once, under the subject it was published under, for a minute, and only
//! by nodes that can read the row.
//!
//! A new key is accepted as soon as a node has read it and used [`KEY_RESTS_MS`] after it was made, when all have;
//! the one before it counts for [`KEY_LEAVES_MS`].

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use ring::hmac;

/// The name of the row of `hall_secret`.
pub const ROW: &str = "bus";
/// The form of a sealed message. Form 1, an envelope without a seal, is no longer accepted.
const FORM: u32 = 2;
/// The time for which a message is accepted after it was sealed, and as far ahead: clocks differ.
pub const FRESH_MS: u64 = 60_000;
/// A new key is used this long after it was made. Nodes look for one more often.
pub const KEY_RESTS_MS: u64 = 30_000;
/// The key before the newest is accepted for this long after the newest was made.
pub const KEY_LEAVES_MS: u64 = KEY_RESTS_MS + 2 * FRESH_MS;
/// The number of counts remembered per sender and subject; messages may overtake that many others.
const REMEMBERED: usize = 256;
/// The longest head of a sealed message, in bytes.
pub const HEAD_BYTES: usize = 192;

/// The row: the hall's name, and its keys, the newest last.
#[derive(Clone, PartialEq, Eq)]
pub struct Row {
    /// The first part of every subject: letters and digits.
    pub hall: String,
    keys: Vec<(u32, u64, [u8; 32])>,
}

impl Row {
    /// Generates a new name and a first key.
    #[must_use]
    pub fn fresh(now_ms: u64) -> Row {
        let hall = format!("{:016x}", rand::random::<u64>());
        Row { hall, keys: vec![(1, now_ms, rand::random())] }
    }

    /// Adds a key, and forgets those before the one that nodes use now.
    pub fn add_key(&mut self, now_ms: u64) {
        let number = self.keys.last().map_or(1, |(number, ..)| number.wrapping_add(1));
        let used = self.keys.iter().rposition(|(_, made_ms, _)| made_ms + KEY_RESTS_MS <= now_ms);
        self.keys.drain(..used.unwrap_or(0));
        self.keys.push((number, now_ms, rand::random()));
    }

    /// Returns the number of the newest key.
    #[must_use]
    pub fn newest(&self) -> u32 {
        self.keys.last().map_or(0, |(number, ..)| *number)
    }

    /// Returns the row as it is stored.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{}\n", self.hall);
        for (number, made_ms, key) in &self.keys {
            let _ = writeln!(text, "{number} {made_ms} {}", hex(key));
        }
        text
    }

    /// Reads what [`write`](Row::write) wrote; `None` when it is damaged.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Row> {
        let mut lines = std::str::from_utf8(text).ok()?.lines();
        let hall = lines.next()?.to_owned();
        let is_name = !hall.is_empty() && hall.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let keys: Option<Vec<_>> = lines
            .map(|line| {
                let mut words = line.split(' ');
                let number = words.next()?.parse().ok()?;
                Some((number, words.next()?.parse().ok()?, unhex(words.next()?)?))
            })
            .collect();
        keys.filter(|keys| is_name && !keys.is_empty()).map(|keys| Row { hall, keys })
    }
}

/// The reason why a message is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// The text is not a sealed message.
    Odd,
    /// The message has another form: a newer or an older program sent it.
    Form(u32),
    /// The message is sealed with a key that is not valid, or not yet.
    Key,
    /// The seal does not match this message under this subject.
    Forged,
    /// The message was received before, or is older than the counts that are still remembered.
    Replayed,
    /// The message was sealed more than [`FRESH_MS`] ago, or that far ahead.
    Late,
}

impl Dropped {
    /// The kinds, as the metric `hall_bus_refused_total` names them.
    pub const KINDS: [&'static str; 6] = ["odd", "form", "key", "forged", "replayed", "late"];

    fn at(self) -> usize {
        match self {
            Dropped::Odd => 0,
            Dropped::Form(_) => 1,
            Dropped::Key => 2,
            Dropped::Forged => 3,
            Dropped::Replayed => 4,
            Dropped::Late => 5,
        }
    }

    /// Returns the name of its kind.
    #[must_use]
    pub fn kind(self) -> &'static str {
        Dropped::KINDS[self.at()]
    }
}

struct Key {
    number: u32,
    made_ms: u64,
    key: hmac::Key,
}

/// The keys of a running node, and the database's time.
pub struct Keys {
    hall: String,
    keys: RwLock<Vec<Key>>,
    clock: Mutex<(Instant, u64)>,
    dropped: [AtomicU64; 6],
    /// The time of the last log line about each kind, and the count of drops at that time.
    told: Mutex<HashMap<&'static str, (Instant, u64)>>,
}

impl Keys {
    /// Takes the keys from a row; `now_ms` is the database's time.
    #[must_use]
    pub fn new(row: &Row, now_ms: u64) -> Keys {
        let keys = Keys {
            hall: row.hall.clone(),
            keys: RwLock::default(),
            clock: Mutex::new((Instant::now(), now_ms)),
            dropped: Default::default(),
            told: Mutex::default(),
        };
        keys.renew(row, now_ms);
        keys
    }

    /// Updates the keys and the clock from the row. Returns whether the row still belongs to this hall.
    pub fn renew(&self, row: &Row, now_ms: u64) -> bool {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), now_ms);
        if row.hall != self.hall {
            return false;
        }
        let key = |&(number, made_ms, ref key): &(u32, u64, [u8; 32])| Key {
            number,
            made_ms,
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
        };
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = row.keys.iter().map(key).collect();
        true
    }

    /// Returns the name of the hall.
    #[must_use]
    pub fn hall(&self) -> &str {
        &self.hall
    }

    /// Returns the number of messages that were dropped for that reason.
    #[must_use]
    pub fn dropped(&self, why: Dropped) -> u64 {
        self.dropped[why.at()].load(Ordering::Relaxed)
    }

    fn now_ms(&self) -> u64 {
        let (at, ms) = *self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        ms + u64::try_from(at.elapsed().as_millis()).unwrap_or(0)
    }

    /// Seals a message for publication under the whole subject `subject`.
    pub(crate) fn seal(&self, sender: &str, count: u64, subject: &str, body: &[u8]) -> Vec<u8> {
        let now_ms = self.now_ms();
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let rested = keys.iter().rev().find(|key| key.made_ms + KEY_RESTS_MS <= now_ms);
        let key = rested.or(keys.first()).expect("a row has a key");
        let head = format!("q{FORM} {} {sender} {count} {now_ms}", key.number);
        let mac = hmac_of(&key.key, &head, subject, body).sign();
        let mut sealed = Vec::with_capacity(HEAD_BYTES + body.len());
        sealed.extend_from_slice(head.as_bytes());
        sealed.push(b' ');
        sealed.extend_from_slice(hex(&mac).as_bytes());
        sealed.push(b'\n');
        sealed.extend_from_slice(body);
        sealed
    }

    /// Verifies a sealed message under its whole subject. Returns the offset of the body, and the sender, count and
    /// time.
    fn check<'a>(&self, subject: &str, sealed: &'a [u8]) -> Result<(usize, &'a str, u64, u64), Dropped> {
        let end = sealed.iter().take(HEAD_BYTES).position(|byte| *byte == b'\n');
        let Some((end, line)) = end.and_then(|end| Some((end, std::str::from_utf8(&sealed[..end]).ok()?)))
        else {
            // As halls wrote before there were seals.
            return Err(if sealed.starts_with(b"{\"v\":") { Dropped::Form(1) } else { Dropped::Odd });
        };
        let form = line.split(' ').next().and_then(|word| word.strip_prefix('q')?.parse().ok());
        match form {
            Some(FORM) => {}
            Some(form) => return Err(Dropped::Form(form)),
            None => return Err(Dropped::Odd),
        }
        let (head, mac) = line.rsplit_once(' ').ok_or(Dropped::Odd)?;
        let mac: [u8; 32] = unhex(mac).ok_or(Dropped::Odd)?;
        let [_, number, sender, count, ms] = head.split(' ').collect::<Vec<_>>()[..] else {
            return Err(Dropped::Odd);
        };
        let number: u32 = number.parse().map_err(|_| Dropped::Odd)?;
        let (Ok(count), Ok(ms)) = (count.parse::<u64>(), ms.parse::<u64>()) else { return Err(Dropped::Odd) };
        let now_ms = self.now_ms();
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let key = keys.iter().find(|key| key.number == number).ok_or(Dropped::Key)?;
        let is_newest = keys.last().is_some_and(|newest| newest.number == number);
        if !is_newest && keys.last().is_some_and(|newest| newest.made_ms + KEY_LEAVES_MS <= now_ms) {
            return Err(Dropped::Key);
        }
        if !hmac_of(&key.key, head, subject, &sealed[end + 1..]).is(&mac) {
            return Err(Dropped::Forged);
        }
        if ms.abs_diff(now_ms) > FRESH_MS {
            return Err(Dropped::Late);
        }
        Ok((end + 1, sender, count, ms))
    }

    /// Counts a dropped message, and logs each kind once a minute at most.
    pub(crate) fn note(&self, why: Dropped) {
        const MINUTE: Duration = Duration::from_secs(60);
        metrics::counter!("hall_bus_refused_total", "kind" => why.kind()).increment(1);
        let count = self.dropped[why.at()].fetch_add(1, Ordering::Relaxed) + 1;
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match told.get(why.kind()) {
            Some((at, _)) if at.elapsed() < MINUTE => return,
            Some((_, before)) => *before,
            None => 0,
        };
        told.insert(why.kind(), (Instant::now(), count));
        drop(told);
        let (kind, messages) = (why.kind(), count - before);
        match why {
            Dropped::Form(theirs) => tracing::error!(
                kind,
                messages,
                theirs,
                ours = FORM,
                "another version of the program is on this bus, and nothing it says is believed; run one version, or \
                 stop all nodes, exchange the program, and start them"
            ),
            _ => tracing::warn!(
                kind,
                messages,
                "messages on the bus were dropped that no node of this hall sent as they came; docs/security.md says \
                 what the kinds mean"
            ),
        }
    }
}

/// The messages already seen by one subscription, for the detection of replays.
pub(crate) struct Seen {
    subject: String,
    /// The time of the last message and the counts in order, by sender.
    senders: HashMap<String, (u64, VecDeque<u64>)>,
}

impl Seen {
    /// Begins with no messages seen, under that whole subject.
    pub(crate) fn under(subject: String) -> Seen {
        Seen { subject, senders: HashMap::new() }
    }

    /// Returns the body of a sealed message; `None`, and counted as dropped, if the seal is rejected.
    pub(crate) fn open<'a>(&mut self, keys: &Keys, subject: &str, sealed: &'a [u8]) -> Option<&'a [u8]> {
        let opened = keys.check(subject, sealed).and_then(|(at, sender, count, ms)| {
            let is_here = subject == self.subject;
            if !is_here {
                return Err(Dropped::Forged);
            }
            self.first_time(sender, count, ms).map(|()| &sealed[at..])
        });
        opened.map_err(|why| keys.note(why)).ok()
    }

    fn first_time(&mut self, sender: &str, count: u64, ms: u64) -> Result<(), Dropped> {
        if !self.senders.contains_key(sender) {
            // Messages of a sender that has been silent for longer are refused as late anyway.
            self.senders.retain(|_, (last, _)| *last + 3 * FRESH_MS > ms);
            self.senders.insert(sender.to_owned(), (ms, VecDeque::new()));
        }
        let (last, counts) = self.senders.get_mut(sender).expect("was put there");
        *last = (*last).max(ms);
        let Err(at) = counts.binary_search(&count) else { return Err(Dropped::Replayed) };
        if counts.len() == REMEMBERED {
            if at == 0 {
                return Err(Dropped::Replayed);
            }
            counts.pop_front();
            counts.insert(at - 1, count);
        } else {
            counts.insert(at, count);
        }
        Ok(())
    }
}

/// An HMAC computation in progress, and its key.
struct Mac<'a>(hmac::Context, &'a hmac::Key);

/// Feeds the parts of a message into the HMAC, in order. Only the last part may contain a line break, so no two
/// messages have the same text.
fn hmac_of<'a>(key: &'a hmac::Key, head: &str, subject: &str, body: &[u8]) -> Mac<'a> {
    let mut context = hmac::Context::with_key(key);
    for part in [head.as_bytes(), b"\n", subject.as_bytes(), b"\n", body] {
        context.update(part);
    }
    Mac(context, key)
}

impl Mac<'_> {
    fn sign(self) -> [u8; 32] {
        self.0.sign().as_ref().try_into().expect("SHA-256 has 32 bytes")
    }

    /// Compares with a given MAC in constant time.
    fn is(self, given: &[u8; 32]) -> bool {
        let key = self.1;
        hmac::verify(key, &self.sign(), hmac::sign(key, given).as_ref()).is_ok()
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Parses 64 hexadecimal digits into 32 bytes. Only lowercase is allowed, so that each seal has one spelling.
fn unhex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let text: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = (digit(pair[0])? << 4) | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000_000;

    fn two_nodes() -> (Row, Keys, Keys) {
        let row = Row::fresh(NOW);
        let (one, other) = (Keys::new(&row, NOW), Keys::new(&row, NOW));
        (row, one, other)
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let mut row = Row::fresh(NOW);
        for number in 1..5 {
            assert_eq!(row.newest(), number);
            assert!(Row::read(row.write().as_bytes()) == Some(row.clone()));
            assert!(row.write().lines().count() <= 3, "two keys are kept");
            row.add_key(NOW + u64::from(number) * KEY_RESTS_MS);
        }
        row.add_key(NOW + 4 * KEY_RESTS_MS + 1);
        assert_eq!(row.write().lines().count(), 4, "what nodes use now stays, however many are new");
        for odd in ["", "x", "a.b\n1 1 00", "x\n1 1 0", "\n"] {
            assert!(Row::read(odd.as_bytes()).is_none(), "{odd}");
        }
    }

    /// A seal is HMAC-SHA256, by RFC 4231, test case 2, so that other programs can check it; its head has the
    /// documented form.
    #[test]
    fn a_seal_is_hmac_sha256() {
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"Jefe");
        let wanted = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        let mut context = hmac::Context::with_key(&key);
        context.update(b"what do ya want for nothing?");
        assert_eq!(hex(&Mac(context, &key).sign()), wanted);
        assert!(unhex(wanted).is_some() && unhex(&wanted.to_uppercase()).is_none());
        let (_, keys, _) = two_nodes();
        let sealed = String::from_utf8(keys.seal("s", 7, "h.a", b"x\ny")).expect("text");
        assert!(sealed.starts_with("q2 1 s 7 18") && sealed.ends_with("\nx\ny"), "{sealed}");
    }

    #[test]
    fn each_kind_of_false_message_is_dropped_and_counted() {
        let (row, sender, hearer) = two_nodes();
        let stranger = Keys::new(&Row { hall: row.hall.clone(), ..Row::fresh(NOW) }, NOW);
        let mut rotated = row.clone();
        rotated.add_key(NOW - KEY_RESTS_MS);
        let ahead = Keys::new(&rotated, NOW);
        let (early, late) =
            (Keys::new(&row, NOW - FRESH_MS - 5_000), Keys::new(&row, NOW + FRESH_MS + 5_000));
        let good = sender.seal("s", 1, "h.a", b"{}");
        let text = String::from_utf8(good.clone()).expect("text");
        let changed = |from: &str, to: &str| text.replacen(from, to, 1).into_bytes();
        let mut seen = Seen::under("h.a".to_owned());
        assert_eq!(seen.open(&hearer, "h.a", &good), Some(&b"{}"[..]));
        for (name, subject, message, why) in [
            ("the same again", "h.a", good.clone(), Dropped::Replayed),
            ("another key", "h.a", stranger.seal("s", 2, "h.a", b"{}"), Dropped::Forged),
            ("another subject", "h.b", good.clone(), Dropped::Forged),
            ("another text", "h.a", changed("{}", "[]"), Dropped::Forged),
            ("another count", "h.a", changed(" s 1 ", " s 2 "), Dropped::Forged),
            ("another sender", "h.a", changed(" s 1 ", " t 1 "), Dropped::Forged),
            ("a key that is unknown", "h.a", ahead.seal("s", 2, "h.a", b"{}"), Dropped::Key),
            ("long ago", "h.a", early.seal("s", 2, "h.a", b"{}"), Dropped::Late),
            ("not yet", "h.a", late.seal("s", 2, "h.a", b"{}"), Dropped::Late),
            ("a newer form", "h.a", changed("q2", "q3"), Dropped::Form(3)),
            ("an older form", "h.a", b"{\"v\":1,\"body\":\"\"}".to_vec(), Dropped::Form(1)),
            ("nothing", "h.a", Vec::new(), Dropped::Odd),
            ("no words", "h.a", b"\xff\n".to_vec(), Dropped::Odd),
            ("a word less", "h.a", changed(" s 1 ", " s "), Dropped::Odd),
            ("a word more", "h.a", changed(" s 1 ", " s 1 1 "), Dropped::Odd),
            ("no seal", "h.a", b"q2 1 s 1 1 x\n{}".to_vec(), Dropped::Odd),
        ] {
            let before = hearer.dropped(why);
            assert_eq!(seen.open(&hearer, subject, &message), None, "{name}");
            assert_eq!(hearer.dropped(why), before + 1, "{name}: {}", why.kind());
        }
        let next = sender.seal("s", 2, "h.a", b"{}");
        assert!(seen.open(&hearer, "h.a", &next).is_some(), "none of it counts against the sender");
    }

    #[test]
    fn messages_may_overtake_each_other() {
        let (_, sender, hearer) = two_nodes();
        let mut seen = Seen::under("h.a".to_owned());
        let mut hear = |count| seen.open(&hearer, "h.a", &sender.seal("s", count, "h.a", b"x")).is_some();
        assert!([5, 3, 900, 4].into_iter().all(&mut hear));
        assert!(![3, 900, 5, 4].into_iter().any(&mut hear), "each once");
        assert!((1000..1300).all(&mut hear));
        assert!(!hear(6) && !hear(1000) && hear(1300), "what is too far behind may have been here");
    }

    #[test]
    fn a_new_key_is_accepted_before_it_is_used_and_the_old_one_leaves() {
        let (mut row, sender, hearer) = two_nodes();
        row.add_key(NOW);
        let number = |keys: &Keys| {
            let sealed = String::from_utf8(keys.seal("s", rand::random(), "h.a", b"x")).expect("text");
            sealed.split(' ').nth(1).map(str::to_owned).expect("a number")
        };
        let mut seen = Seen::under("h.a".to_owned());
        let mut hears = |sender: &Keys| {
            seen.open(&hearer, "h.a", &sender.seal("s", rand::random(), "h.a", b"x")).is_some()
        };
        sender.renew(&row, NOW + 10_000);
        assert_eq!(number(&sender), "1", "others may not have it yet");
        assert!(hears(&sender));
        hearer.renew(&row, NOW + 20_000);
        let old = Keys::new(&Row { keys: row.keys[..1].to_vec(), ..row.clone() }, NOW + KEY_RESTS_MS);
        sender.renew(&row, NOW + KEY_RESTS_MS);
        assert_eq!(number(&sender), "2");
        hearer.renew(&row, NOW + KEY_RESTS_MS);
        let mut hears = |sender: &Keys| {
            seen.open(&hearer, "h.a", &sender.seal("s", rand::random(), "h.a", b"x")).is_some()
        };
        assert!(hears(&sender) && hears(&old), "both count for a while");
        hearer.renew(&row, NOW + KEY_LEAVES_MS);
        old.renew(&Row { keys: row.keys[..1].to_vec(), ..row.clone() }, NOW + KEY_LEAVES_MS);
        sender.renew(&row, NOW + KEY_LEAVES_MS);
        let mut hears = |sender: &Keys| {
            seen.open(&hearer, "h.a", &sender.seal("s", rand::random(), "h.a", b"x")).is_some()
        };
        assert!(hears(&sender) && !hears(&old));
        assert!(!hearer.renew(&Row::fresh(NOW), NOW), "another name is another hall");
    }
}
