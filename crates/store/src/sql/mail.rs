//! E-mail addresses, links and mailboxes as rows.

use ::people::mail::{DIGEST_AFTER_MS, DIGEST_EVERY_MS, MOST_ACCOUNTS, Purpose};
use sqlx::Row;
use wire::ClockSpec;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::slow::weekend_pause;
use super::{Stock, failed, number, slow, staff};
use crate::StoreError;
use crate::mail::{MOST_LINKS, MOST_WAITING, Mail, MailAddress, MailChange, MailLink, Mailbox, WaitingGame};
use crate::work::{Desk, Work};

fn mailbox(row: &DbRow, at: usize) -> Result<Mailbox, sqlx::Error> {
    let bytes: &[u8] = row.try_get(at)?;
    bytes.try_into().map_err(|_| sqlx::Error::Decode("a mailbox has 20 bytes".into()))
}

/// `person, address, mailbox, lang, since_ms, digest` of `mail_address`.
fn address(row: &DbRow) -> Result<MailAddress, sqlx::Error> {
    Ok(MailAddress {
        person: row.try_get(0)?,
        address: row.try_get(1)?,
        mailbox: mailbox(row, 2)?,
        lang: row.try_get(3)?,
        since_ms: row.try_get::<i64, _>(4)?.cast_unsigned(),
        digest: row.try_get(5)?,
    })
}

pub(super) async fn of(readers: &DbPool, person: &str) -> Result<Option<MailAddress>, StoreError> {
    let sql = "SELECT person, address, mailbox, lang, since_ms, digest FROM mail_address WHERE person = $1";
    let row = db::query(sql).bind(person).fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| address(&row).map_err(failed)).transpose()
}

pub(super) async fn accounts_at(
    readers: &DbPool,
    mailbox: Mailbox,
) -> Result<Vec<(MailAddress, String)>, StoreError> {
    let sql = "SELECT m.person, m.address, m.mailbox, m.lang, m.since_ms, m.digest, coalesce(p.name, '')
        FROM mail_address m JOIN person p ON p.id = m.person AND p.kind IN ('account', 'program', 'suspended')
        WHERE m.mailbox = $1 ORDER BY m.since_ms, m.person LIMIT $2";
    let query = db::query(sql).bind(&mailbox[..]).bind(i64::from(MOST_ACCOUNTS));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let one = |row: DbRow| Ok((address(&row)?, row.try_get(6)?));
    rows.into_iter().map(one).collect::<Result<_, _>>().map_err(failed)
}

pub(super) async fn unconfirmed(
    readers: &DbPool,
    person: &str,
    now_ms: u64,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT address FROM mail_link WHERE person = $1 AND purpose = 'confirm' AND until_ms > $2
        ORDER BY until_ms DESC LIMIT 1";
    let query = db::query(sql).bind(person).bind(number(now_ms));
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

pub(super) async fn link(
    readers: &DbPool,
    hash: [u8; 32],
    now_ms: u64,
) -> Result<Option<(MailLink, String)>, StoreError> {
    let sql = "SELECT l.person, l.purpose, l.address, l.mailbox, l.lang, l.until_ms, coalesce(p.name, '')
        FROM mail_link l JOIN person p ON p.id = l.person WHERE l.hash = $1 AND l.until_ms > $2";
    let query = db::query(sql).bind(&hash[..]).bind(number(now_ms));
    let Some(row) = query.fetch_optional(readers).await.map_err(failed)? else { return Ok(None) };
    let read = |row: &DbRow| {
        let Some(purpose) = Purpose::from_key(row.try_get(1)?) else { return Ok(None) };
        let link = MailLink {
            hash,
            person: row.try_get(0)?,
            purpose,
            address: row.try_get(2)?,
            mailbox: mailbox(row, 3)?,
            lang: row.try_get(4)?,
            until_ms: row.try_get::<i64, _>(5)?.cast_unsigned(),
        };
        Ok(Some((link, row.try_get(6)?)))
    };
    read(&row).map_err(failed)
}

pub(super) async fn is_stopped(readers: &DbPool, mailbox: Mailbox) -> Result<bool, StoreError> {
    let query = db::query("SELECT EXISTS (SELECT 1 FROM mail_stop WHERE mailbox = $1)").bind(&mailbox[..]);
    query.fetch_one(readers).await.and_then(|row| row.try_get(0)).map_err(failed)
}

pub(super) async fn digests_due(
    readers: &DbPool,
    now_ms: u64,
    most: u32,
) -> Result<Vec<MailAddress>, StoreError> {
    let sql = concat!(
        "SELECT m.person, m.address, m.mailbox, m.lang, m.since_ms, m.digest FROM mail_address m
        WHERE ",
        holds!("m.digest"),
        " AND m.digest_ms <= $1 AND EXISTS (SELECT 1 FROM notice n WHERE n.person = m.person
            AND n.topic IN ('turn', 'clock') AND n.made_ms <= $2 AND n.made_ms > m.digest_ms - $3)
        ORDER BY m.digest_ms, m.person LIMIT $4"
    );
    let query = db::query(sql)
        .bind(number(now_ms.saturating_sub(DIGEST_EVERY_MS)))
        .bind(number(now_ms.saturating_sub(DIGEST_AFTER_MS)))
        .bind(number(DIGEST_AFTER_MS))
        .bind(i64::from(most));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(address).collect::<Result<_, _>>().map_err(failed)
}

pub(super) async fn waiting_games(
    readers: &DbPool,
    person: &str,
    now_ms: u64,
) -> Result<Vec<WaitingGame>, StoreError> {
    let sql = concat!(
        "SELECT n.subject, coalesce(json_extract(s.setup, '$.game'), ''), other.name, coalesce(a.deadline_ms, 0) AS until_ms,
            CAST(CASE WHEN ",
        weekend_pause!(),
        " THEN 1 ELSE 0 END AS BIGINT)
        FROM notice n
        LEFT JOIN seating s ON s.id = n.subject AND s.stage = 1 AND json_valid(s.setup)
        LEFT JOIN asleep a ON a.seating = s.id AND a.held_ms IS NULL
            AND n.person = CASE a.turn WHEN 0 THEN s.first WHEN 1 THEN s.second END
        LEFT JOIN person other ON other.id = CASE WHEN s.first = n.person THEN s.second ELSE s.first END
        WHERE n.person = $1 AND n.topic IN ('turn', 'clock') AND n.made_ms <= $2
        ORDER BY until_ms, n.subject LIMIT $3"
    );
    let query = db::query(sql).bind(person).bind(number(now_ms.saturating_sub(DIGEST_AFTER_MS)));
    let rows = query.bind(i64::from(MOST_WAITING)).fetch_all(readers).await.map_err(failed)?;
    let one = |row: DbRow| {
        let until_ms = row.try_get::<i64, _>(3)?.cast_unsigned();
        let is_paused = row.try_get::<i64, _>(4)? == 1;
        let clock = if is_paused { slow::WITHOUT_WEEKENDS } else { ClockSpec::None };
        Ok(WaitingGame {
            table: row.try_get(0)?,
            game: row.try_get(1)?,
            other: row.try_get(2)?,
            until_ms,
            left_ms: clock.counted_ms(now_ms, until_ms),
        })
    };
    rows.into_iter().map(one).collect::<Result<_, _>>().map_err(failed)
}

pub(super) async fn carry_out(connection: &mut DbConnection, change: &MailChange) -> Result<(), StoreError> {
    match change {
        MailChange::Link { link, now_ms } => keep(connection, link, *now_ms).await,
        MailChange::Stop { mailbox, stop: true, now_ms } => {
            let query =
                db::query("INSERT INTO mail_stop (mailbox, at_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING");
            let query = query.bind(&mailbox[..]).bind(number(*now_ms));
            query.execute(&mut *connection).await.map_err(failed)?;
            let query = db::query("UPDATE mail_address SET digest = false WHERE mailbox = $1");
            query.bind(&mailbox[..]).execute(connection).await.map(|_| ()).map_err(failed)
        }
        MailChange::Stop { mailbox, stop: false, .. } => {
            let query = db::query("DELETE FROM mail_stop WHERE mailbox = $1").bind(&mailbox[..]);
            query.execute(connection).await.map(|_| ()).map_err(failed)
        }
        MailChange::Digest { person, on, lang } => {
            let query = db::query("UPDATE mail_address SET digest = $1, lang = $2 WHERE person = $3");
            let query = query.bind(on).bind(lang).bind(person);
            let done = query.execute(connection).await.map_err(failed)?;
            if done.rows_affected() == 0 { Err(StoreError::Missing) } else { Ok(()) }
        }
        MailChange::Digested { person, now_ms } => {
            let query = db::query("UPDATE mail_address SET digest_ms = $1 WHERE person = $2");
            let query = query.bind(number(*now_ms)).bind(person);
            query.execute(connection).await.map(|_| ()).map_err(failed)
        }
    }
}

async fn keep(connection: &mut DbConnection, link: &MailLink, now_ms: u64) -> Result<(), StoreError> {
    let query = db::query("DELETE FROM mail_link WHERE until_ms <= $1").bind(number(now_ms));
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "INSERT INTO mail_link (hash, person, purpose, address, mailbox, lang, until_ms)
        SELECT $1, $2, $3, $4, $5, $6, $7 WHERE EXISTS
            (SELECT 1 FROM person WHERE id = $2 AND kind IN ('account', 'program', 'suspended'))";
    let done = db::query(sql)
        .bind(&link.hash[..])
        .bind(&link.person)
        .bind(link.purpose.key())
        .bind(&link.address)
        .bind(&link.mailbox[..])
        .bind(&link.lang)
        .bind(number(link.until_ms))
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    if done.rows_affected() == 0 {
        return Err(StoreError::Missing);
    }
    let sql =
        "DELETE FROM mail_link WHERE person = $1 AND purpose = $2 AND hash NOT IN (SELECT hash FROM mail_link
        WHERE person = $1 AND purpose = $2 ORDER BY until_ms DESC, hash = $3 DESC LIMIT $4)";
    let query = db::query(sql).bind(&link.person).bind(link.purpose.key()).bind(&link.hash[..]);
    query.bind(i64::from(MOST_LINKS)).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Uses up a link that confirms: its address becomes that of its account. [`StoreError::Missing`]: it is not there,
/// or belongs to another account; [`StoreError::Conflict`]: the mailbox has [`MOST_ACCOUNTS`] accounts;
/// [`StoreError::Taken`]: the staff holds it back.
pub(super) async fn confirm(
    connection: &mut DbConnection,
    person: &str,
    hash: &[u8; 32],
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT l.mailbox, (SELECT count(*) FROM mail_address m WHERE m.mailbox = l.mailbox AND m.person <> l.person)
        FROM mail_link l WHERE l.hash = $1 AND l.person = $2 AND l.purpose = 'confirm' AND l.until_ms > $3";
    let query = db::query(sql).bind(&hash[..]).bind(person).bind(number(now_ms));
    let row = query.fetch_optional(&mut *connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    if row.try_get::<i64, _>(1).map_err(failed)? >= i64::from(MOST_ACCOUNTS) {
        return Err(StoreError::Conflict);
    }
    staff::mailbox_is_free(connection, person, row.try_get(0).map_err(failed)?, now_ms).await?;
    let sql =
        "INSERT INTO mail_address (person, address, mailbox, lang, since_ms, digest, digest_ms)
        SELECT l.person, l.address, l.mailbox, l.lang, $2, coalesce(m.digest, false), coalesce(m.digest_ms, 0)
        FROM mail_link l LEFT JOIN mail_address m ON m.person = l.person WHERE l.hash = $1
        ON CONFLICT (person) DO UPDATE SET address = excluded.address, mailbox = excluded.mailbox, lang = excluded.lang,
            since_ms = excluded.since_ms, digest = excluded.digest, digest_ms = excluded.digest_ms";
    let query = db::query(sql).bind(&hash[..]).bind(number(now_ms));
    query.execute(&mut *connection).await.map_err(failed)?;
    forget_links(connection, person).await
}

/// Links to an address that is not that of the account any more must not count.
pub(super) async fn forget_links(connection: &mut DbConnection, person: &str) -> Result<(), StoreError> {
    let query = db::query("DELETE FROM mail_link WHERE person = $1").bind(person);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Uses up a link that sets a password. [`StoreError::Missing`] as in [`confirm`].
pub(super) async fn must_recover(
    connection: &mut DbConnection,
    person: &str,
    hash: &[u8; 32],
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM mail_link l JOIN mail_address m ON m.person = l.person AND m.mailbox = l.mailbox
        WHERE l.hash = $1 AND l.person = $2 AND l.purpose = 'recover' AND l.until_ms > $3)";
    let query = db::query(sql).bind(&hash[..]).bind(person).bind(number(now_ms));
    let row = query.fetch_one(connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? { Ok(()) } else { Err(StoreError::Missing) }
}

work!(MailChange => (), Letters);

#[async_trait::async_trait]
impl Mail for Stock {
    async fn change(&self, change: MailChange) -> Result<(), StoreError> {
        self.work(change).await
    }

    async fn mail_address(&self, person: &str) -> Result<Option<MailAddress>, StoreError> {
        read!(self, readers => of(readers, person).await)
    }

    async fn accounts_at(&self, mailbox: Mailbox) -> Result<Vec<(MailAddress, String)>, StoreError> {
        read!(self, readers => accounts_at(readers, mailbox).await)
    }

    async fn unconfirmed(&self, person: &str, now_ms: u64) -> Result<Option<String>, StoreError> {
        read!(self, readers => unconfirmed(readers, person, now_ms).await)
    }

    async fn mail_link(&self, hash: [u8; 32], now_ms: u64) -> Result<Option<(MailLink, String)>, StoreError> {
        read!(self, readers => link(readers, hash, now_ms).await)
    }

    async fn is_stopped(&self, mailbox: Mailbox) -> Result<bool, StoreError> {
        read!(self, readers => is_stopped(readers, mailbox).await)
    }

    async fn digests_due(&self, now_ms: u64, most: u32) -> Result<Vec<MailAddress>, StoreError> {
        read!(self, readers => digests_due(readers, now_ms, most).await)
    }

    async fn waiting_games(&self, person: &str, now_ms: u64) -> Result<Vec<WaitingGame>, StoreError> {
        read!(self, readers => waiting_games(readers, person, now_ms).await)
    }
}
