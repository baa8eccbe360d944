//! The desk of the staff.

use ::people::account::Role;
use ::people::moderation::Decision;
use ::people::staff::{HELD_MS, MOST_ANNOUNCEMENTS, MOST_BANS, MOST_INVITATIONS, Range, Registration};
use sha2::{Digest, Sha256};
use sqlx::Row;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::people::read_person;
use super::{Stock, accounts, counts, failed, number, together, workers};
use crate::staff::{
    Announcement, Ban, House, Invitation, LogOf, Logged, MOST_LOGGED, Sharing, StaffDeed, StaffDesk,
    Suspended, TakenDown,
};
use crate::work::{DESKS, Desk, Work};
use crate::{PersonRow, StoreError, Whose};

/// Rows of each kind that are read for the state of the hall.
const READ: i64 = 10_000;
/// The interval within which the same look is logged once, in milliseconds.
const LOOKS_MS: u64 = 3_600_000;
/// The time after its end at which a ban, an announcement or an invitation is deleted, in milliseconds.
const OLD_MS: u64 = 90 * 86_400_000;

fn time(row: &DbRow, at: usize) -> Result<u64, StoreError> {
    row.try_get::<i64, _>(at).map(i64::cast_unsigned).map_err(failed)
}

fn text(row: &DbRow, at: usize) -> Result<String, StoreError> {
    row.try_get(at).map_err(failed)
}

fn some_text(row: &DbRow, at: usize) -> Result<Option<String>, StoreError> {
    row.try_get(at).map_err(failed)
}

fn undecided() -> StoreError {
    StoreError::Failed("a report is decided, and the decision is not told".to_owned())
}

/// Returns the hash that is kept of a mailbox or of an account elsewhere.
fn held(key: &[u8]) -> Vec<u8> {
    Sha256::new().chain_update(b"qiguan held 1\0").chain_update(key).finalize().to_vec()
}

/// Increments the version of the staff's deeds: deeds of other nodes wait from here on, and their nodes see that
/// something has changed.
async fn take_turn(connection: &mut DbConnection) -> Result<(), StoreError> {
    let sql = "INSERT INTO hall (key, value) VALUES ('staff', 1)
        ON CONFLICT (key) DO UPDATE SET value = hall.value + 1";
    db::query(sql).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Checks that another admin is left if that person is an admin. [`StoreError::Conflict`]: there is no other.
async fn leaves_admin(connection: &mut DbConnection, person: &str) -> Result<(), StoreError> {
    let sql = "SELECT id, roles FROM person WHERE roles <> '' AND kind IN ('account', 'program')";
    let rows = db::query(sql).fetch_all(connection).await.map_err(failed)?;
    let mut admins = Vec::new();
    for row in &rows {
        if text(row, 1)?.split(',').any(|role| role == Role::Admin.name()) {
            admins.push(text(row, 0)?);
        }
    }
    if admins.iter().any(|id| id == person) && admins.len() == 1 { Err(StoreError::Conflict) } else { Ok(()) }
}

async fn count(
    connection: &mut DbConnection,
    sql: &'static str,
    now_ms: u64,
    most: u32,
) -> Result<(), StoreError> {
    let row = db::query(sql).bind(number(now_ms)).fetch_one(connection).await.map_err(failed)?;
    if time(&row, 0)? >= u64::from(most) { Err(StoreError::Full(Whose::All)) } else { Ok(()) }
}

fn there(count: u64) -> Result<(), StoreError> {
    if count == 0 { Err(StoreError::Missing) } else { Ok(()) }
}

/// Carries out a deed and logs it. Conflicts are found before anything is written.
pub(super) async fn carry_out(
    connection: &mut DbConnection,
    deed: &StaffDeed,
    logged: &Logged,
    spares_last: bool,
) -> Result<u64, StoreError> {
    take_turn(connection).await?;
    let now_ms = logged.at_ms;
    let mut n = 0;
    match deed {
        StaffDeed::Decide { n, decided } => {
            let query = db::query("SELECT about FROM complaint WHERE n = $1").bind(number(*n));
            let row = query.fetch_optional(&mut *connection).await.map_err(failed)?;
            let about = text(&row.ok_or(StoreError::Missing)?, 0)?;
            if decided.decision == Decision::Close && spares_last {
                leaves_admin(connection, &about).await?;
            }
            together::decide(connection, *n, decided).await?;
        }
        StaffDeed::DecideAnew { complaint } => {
            let decided = complaint.decided.as_ref().ok_or_else(undecided)?;
            if decided.decision == Decision::Close && spares_last {
                leaves_admin(connection, &complaint.about).await?;
            }
            if decided.decision == Decision::TakeDown {
                together::work_of(connection, &complaint.evidence, None).await?;
            }
            n = together::keep_complaint(connection, complaint).await?;
            together::decide(connection, n, decided).await?;
        }
        StaffDeed::SetRole { person, role, give } => {
            set_role(connection, person, *role, *give, spares_last).await?
        }
        StaffDeed::Forget { person } => {
            if spares_last {
                leaves_admin(connection, person).await?;
            }
            accounts::close(connection, person, Some(now_ms)).await?;
        }
        StaffDeed::Ban(ban) => n = keep_ban(connection, ban).await?,
        StaffDeed::Lift { n } => {
            let query = db::query("DELETE FROM ban WHERE n = $1").bind(number(*n));
            there(query.execute(&mut *connection).await.map_err(failed)?.rows_affected())?;
        }
        StaffDeed::Announce(announcement) => n = announce(connection, announcement).await?,
        StaffDeed::Withdraw { n } => {
            let query = db::query("DELETE FROM announcement WHERE n = $1").bind(number(*n));
            there(query.execute(&mut *connection).await.map_err(failed)?.rows_affected())?;
        }
        StaffDeed::Register { registration, accounts_only } => {
            counts::count(connection, "registration", *registration as u64).await?;
            counts::count(connection, "accounts_only", u64::from(*accounts_only)).await?;
        }
        StaffDeed::Invite { hash, invitation } => invite(connection, hash, invitation).await?,
        StaffDeed::Uninvite { id } => {
            let query = db::query("DELETE FROM invitation WHERE id = $1").bind(id);
            there(query.execute(&mut *connection).await.map_err(failed)?.rows_affected())?;
        }
        StaffDeed::WorkerKey(deed) => workers::carry_out(connection, deed).await?,
        StaffDeed::Look => {
            let sql = "SELECT EXISTS (SELECT 1 FROM staff_log WHERE about = $1 AND by = $2 AND act = $3
                AND coalesce(detail, '') = coalesce($4, '') AND at_ms > $5)";
            let query = db::query(sql).bind(&logged.about).bind(&logged.by).bind(&logged.act);
            let query = query.bind(&logged.detail).bind(number(now_ms.saturating_sub(LOOKS_MS)));
            let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
            if row.try_get(0).map_err(failed)? {
                return Ok(0);
            }
        }
    }
    log(connection, logged).await?;
    Ok(n)
}

async fn log(connection: &mut DbConnection, logged: &Logged) -> Result<(), StoreError> {
    let Logged { at_ms, by, act, about, detail, reason, .. } = logged;
    let sql = "INSERT INTO staff_log (at_ms, by, act, about, detail, reason) VALUES ($1, $2, $3, $4, $5, $6) RETURNING n";
    let query = db::query(sql).bind(number(*at_ms)).bind(by).bind(act).bind(about).bind(detail).bind(reason);
    let n = time(&query.fetch_one(&mut *connection).await.map_err(failed)?, 0)?;
    let query = db::query("DELETE FROM staff_log WHERE n <= $1");
    let query = query.bind(number(n.saturating_sub(u64::from(MOST_LOGGED))));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn set_role(
    connection: &mut DbConnection,
    person: &str,
    role: Role,
    give: bool,
    spares_last: bool,
) -> Result<(), StoreError> {
    let sql = "SELECT roles FROM person WHERE id = $1 AND kind IN ('account', 'program', 'suspended')";
    let row = db::query(sql).bind(person).fetch_optional(&mut *connection).await.map_err(failed)?;
    let known = text(&row.ok_or(StoreError::Missing)?, 0)?;
    if role == Role::Admin && !give && spares_last {
        leaves_admin(connection, person).await?;
    }
    let has = |other: &Role| known.split(',').any(|name| name == other.name());
    let roles: Vec<&str> = Role::ALL
        .into_iter()
        .filter(|other| if *other == role { give } else { has(other) })
        .map(Role::name)
        .collect();
    let query = db::query("UPDATE person SET roles = $1 WHERE id = $2").bind(roles.join(",")).bind(person);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn keep_ban(connection: &mut DbConnection, ban: &Ban) -> Result<u64, StoreError> {
    count(connection, "SELECT count(*) FROM ban WHERE until_ms > $1", ban.at_ms, MOST_BANS).await?;
    let range = Range::read(&ban.network).map_err(|why| StoreError::Failed(why.to_string()))?;
    let (low, high) = range.ends();
    let query = db::query("DELETE FROM ban WHERE until_ms < $1");
    let query = query.bind(number(ban.at_ms.saturating_sub(OLD_MS)));
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "INSERT INTO ban (network, low, high, by, reason, at_ms, until_ms, spares_days)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING n";
    let query = db::query(sql).bind(&ban.network).bind(low).bind(high).bind(&ban.by).bind(&ban.reason);
    let query = query.bind(number(ban.at_ms)).bind(number(ban.until_ms)).bind(ban.spares_days.map(i64::from));
    time(&query.fetch_one(connection).await.map_err(failed)?, 0)
}

async fn announce(connection: &mut DbConnection, words: &Announcement) -> Result<u64, StoreError> {
    let sql = "SELECT count(*) FROM announcement WHERE until_ms > $1";
    count(connection, sql, words.at_ms, MOST_ANNOUNCEMENTS).await?;
    let query = db::query("DELETE FROM announcement WHERE until_ms < $1");
    let query = query.bind(number(words.at_ms.saturating_sub(OLD_MS)));
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql =
        "INSERT INTO announcement (en, zh, by, at_ms, until_ms) VALUES ($1, $2, $3, $4, $5) RETURNING n";
    let query = db::query(sql).bind(&words.en).bind(&words.zh).bind(&words.by);
    let query = query.bind(number(words.at_ms)).bind(number(words.until_ms));
    time(&query.fetch_one(connection).await.map_err(failed)?, 0)
}

async fn invite(connection: &mut DbConnection, hash: &[u8; 32], new: &Invitation) -> Result<(), StoreError> {
    let sql = "SELECT count(*) FROM invitation WHERE until_ms > $1 AND used < uses";
    count(connection, sql, new.at_ms, MOST_INVITATIONS).await?;
    let query = db::query("DELETE FROM invitation WHERE until_ms < $1");
    let query = query.bind(number(new.at_ms.saturating_sub(OLD_MS)));
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "INSERT INTO invitation (hash, id, label, by, at_ms, until_ms, uses) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let query = db::query(sql).bind(&hash[..]).bind(&new.id).bind(&new.label).bind(&new.by);
    let query = query.bind(number(new.at_ms)).bind(number(new.until_ms)).bind(i64::from(new.uses));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Checks that an invitation code is valid. [`StoreError::Missing`]: it is not.
pub(super) async fn may_use(
    connection: &mut DbConnection,
    hash: &[u8; 32],
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT count(*) FROM invitation WHERE hash = $1 AND until_ms > $2 AND used < uses";
    let query = db::query(sql).bind(&hash[..]).bind(number(now_ms));
    there(time(&query.fetch_one(connection).await.map_err(failed)?, 0)?)
}

/// Counts an account that was made by an invitation.
pub(super) async fn used(connection: &mut DbConnection, hash: &[u8; 32]) -> Result<(), StoreError> {
    let query = db::query("UPDATE invitation SET used = used + 1 WHERE hash = $1").bind(&hash[..]);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Holds back the mailbox and the accounts elsewhere of a person whom the staff had closed or suspended.
pub(super) async fn hold_back(
    connection: &mut DbConnection,
    person: &str,
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM person WHERE id = $1 AND kind = 'suspended')
        OR EXISTS (SELECT 1 FROM complaint WHERE about = $1 AND decision = 'suspend' AND until_ms > $2)";
    let row = db::query(sql).bind(person).bind(number(now_ms)).fetch_one(&mut *connection).await;
    if !row.map_err(failed)?.try_get::<bool, _>(0).map_err(failed)? {
        return Ok(());
    }
    let sql = "SELECT mailbox FROM mail_address WHERE person = $1
        UNION SELECT key FROM credential WHERE person = $1 AND key IS NOT NULL";
    let rows = db::query(sql).bind(person).fetch_all(&mut *connection).await.map_err(failed)?;
    for row in rows {
        let key: Vec<u8> = row.try_get(0).map_err(failed)?;
        let sql = "INSERT INTO held (hash, until_ms) VALUES ($1, $2)
            ON CONFLICT (hash) DO UPDATE SET until_ms = excluded.until_ms";
        let query = db::query(sql).bind(held(&key)).bind(number(now_ms + HELD_MS));
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    let query = db::query("DELETE FROM held WHERE until_ms < $1").bind(number(now_ms));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Checks that a mailbox may become that of an account. [`StoreError::Taken`]: it is held back, or the staff has
/// closed or suspended another account that has it.
pub(super) async fn mailbox_is_free(
    connection: &mut DbConnection,
    person: &str,
    mailbox: &[u8],
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM held WHERE hash = $1 AND until_ms > $2)
        OR EXISTS (SELECT 1 FROM mail_address m JOIN person p ON p.id = m.person
            WHERE m.mailbox = $3 AND m.person <> $4 AND (p.kind = 'suspended' OR EXISTS (SELECT 1 FROM complaint c
                WHERE c.about = m.person AND c.decision = 'suspend' AND c.until_ms > $2)))";
    let query = db::query(sql).bind(held(mailbox)).bind(number(now_ms)).bind(mailbox).bind(person);
    let row = query.fetch_one(connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? { Err(StoreError::Taken) } else { Ok(()) }
}

fn read_logged(row: &DbRow) -> Result<Logged, StoreError> {
    Ok(Logged {
        n: time(row, 0)?,
        at_ms: time(row, 1)?,
        by: text(row, 2)?,
        act: text(row, 3)?,
        about: some_text(row, 4)?,
        detail: some_text(row, 5)?,
        reason: some_text(row, 6)?,
    })
}

async fn number_of(connection: &mut DbConnection, key: &'static str) -> Result<u64, StoreError> {
    Ok(counts::counted(connection, key).await?.unwrap_or(0))
}

async fn house(readers: &DbPool, now_ms: u64) -> Result<House, StoreError> {
    let mut snapshot = db::snapshot(readers).await.map_err(failed)?;
    let version = number_of(&mut snapshot, "staff").await?;
    let registration = number_of(&mut snapshot, "registration").await?;
    let registration = Registration::ALL.into_iter().find(|one| *one as u64 == registration);
    let accounts_only = number_of(&mut snapshot, "accounts_only").await? == 1;
    let now = number(now_ms);

    let sql = "SELECT n, network, by, reason, at_ms, until_ms, spares_days FROM ban WHERE until_ms > $1 ORDER BY n DESC LIMIT $2";
    let rows = db::query(sql).bind(now).bind(READ).fetch_all(&mut *snapshot).await.map_err(failed)?;
    let ban = |row: &DbRow| {
        Ok(Ban {
            n: time(row, 0)?,
            network: text(row, 1)?,
            by: some_text(row, 2)?,
            reason: text(row, 3)?,
            at_ms: time(row, 4)?,
            until_ms: time(row, 5)?,
            spares_days: db::some_int(row, 6).map_err(failed)?,
        })
    };
    let bans = rows.iter().map(ban).collect::<Result<_, StoreError>>()?;

    let sql = "SELECT about, until_ms, coalesce(reason, ''), n FROM complaint
        WHERE decision = 'suspend' AND until_ms > $1 ORDER BY until_ms LIMIT $2";
    let rows = db::query(sql).bind(now).bind(READ).fetch_all(&mut *snapshot).await.map_err(failed)?;
    let one = |row: &DbRow| {
        Ok(Suspended {
            person: text(row, 0)?,
            until_ms: time(row, 1)?,
            reason: text(row, 2)?,
            decision: time(row, 3)?,
        })
    };
    let suspended = rows.iter().map(one).collect::<Result<_, StoreError>>()?;

    let sql = "SELECT n, en, zh, by, at_ms, until_ms FROM announcement WHERE until_ms > $1 ORDER BY n DESC LIMIT $2";
    let rows = db::query(sql).bind(now).bind(READ).fetch_all(&mut *snapshot).await.map_err(failed)?;
    let one = |row: &DbRow| {
        Ok(Announcement {
            n: time(row, 0)?,
            en: text(row, 1)?,
            zh: text(row, 2)?,
            by: some_text(row, 3)?,
            at_ms: time(row, 4)?,
            until_ms: time(row, 5)?,
        })
    };
    let announcements = rows.iter().map(one).collect::<Result<_, StoreError>>()?;

    let sql = "SELECT d.work, c.about, coalesce(w.name, ''), c.n, coalesce(c.reason, ''), coalesce(c.decided_ms, c.made_ms)
        FROM taken_down d JOIN complaint c ON c.n = d.decision LEFT JOIN work w ON w.id = d.work
        ORDER BY c.n DESC LIMIT $1";
    let rows = db::query(sql).bind(READ).fetch_all(&mut *snapshot).await.map_err(failed)?;
    let mut taken_down: Vec<TakenDown> = Vec::new();
    for row in &rows {
        taken_down.push(TakenDown {
            work: text(row, 0)?,
            maps: Vec::new(),
            owner: text(row, 1)?,
            name: text(row, 2)?,
            decision: time(row, 3)?,
            reason: text(row, 4)?,
            at_ms: time(row, 5)?,
        });
    }
    let sql = "SELECT v.work, v.map FROM taken_down d JOIN work_version v ON v.work = d.work";
    for row in db::query(sql).fetch_all(&mut *snapshot).await.map_err(failed)? {
        let (work, map) = (text(&row, 0)?, text(&row, 1)?);
        if let Some(down) = taken_down.iter_mut().find(|down| down.work == work) {
            down.maps.push(map);
        }
    }
    Ok(House {
        version,
        registration: registration.unwrap_or_default(),
        accounts_only,
        bans,
        suspended,
        announcements,
        taken_down,
    })
}

async fn staff_log(readers: &DbPool, of: LogOf<'_>, most: u32) -> Result<Vec<Logged>, StoreError> {
    let below = number(of.below.unwrap_or(u64::MAX));
    let query = match of.about {
        Some(about) => db::query(
            "SELECT n, at_ms, by, act, about, detail, reason FROM staff_log
                WHERE about = $1 AND n < $2 ORDER BY n DESC LIMIT $3",
        )
        .bind(about),
        None => db::query(
            "SELECT n, at_ms, by, act, about, detail, reason FROM staff_log WHERE n < $1 ORDER BY n DESC LIMIT $2",
        ),
    };
    let rows = query.bind(below).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(read_logged).collect()
}

async fn staff_news(readers: &DbPool, after: u64, most: u32) -> Result<Vec<Logged>, StoreError> {
    let sql =
        "SELECT n, at_ms, by, act, about, detail, reason FROM staff_log WHERE n > $1 ORDER BY n LIMIT $2";
    let query = db::query(sql).bind(number(after)).bind(i64::from(most));
    query.fetch_all(readers).await.map_err(failed)?.iter().map(read_logged).collect()
}

async fn accounts_like(readers: &DbPool, folded: &str, most: u32) -> Result<Vec<PersonRow>, StoreError> {
    // By the order of the index: names that begin so stand together.
    let sql = "SELECT id, kind, name, made_ms, seen_ms FROM person WHERE folded >= $1 AND folded < $2
        AND kind IN ('account', 'program', 'suspended') ORDER BY folded LIMIT $3";
    let query = db::query(sql).bind(folded).bind(format!("{folded}\u{10ffff}")).bind(i64::from(most));
    query.fetch_all(readers).await.map_err(failed)?.into_iter().map(read_person).collect()
}

async fn accounts_sharing(readers: &DbPool, person: &str, most: u32) -> Result<Vec<Sharing>, StoreError> {
    let sql = "SELECT DISTINCT p.id, p.kind, p.name, p.made_ms, p.seen_ms, b.network,
            CASE WHEN a.device = b.device THEN b.device END
        FROM noted a JOIN noted b ON b.network = a.network AND b.person <> a.person
            JOIN person p ON p.id = b.person AND p.kind IN ('account', 'program', 'suspended')
        WHERE a.person = $1 AND a.network IS NOT NULL ORDER BY p.seen_ms DESC, p.id, b.network LIMIT $2";
    let rows = db::query(sql).bind(person).bind(i64::from(most) * 8).fetch_all(readers).await;
    let mut found: Vec<Sharing> = Vec::new();
    for row in rows.map_err(failed)? {
        let (network, device) = (text(&row, 5)?, some_text(&row, 6)?);
        let person = read_person(row)?;
        let at = match found.iter().position(|one| one.person.id == person.id) {
            Some(at) => at,
            None if found.len() == most as usize => continue,
            None => {
                found.push(Sharing { person, networks: Vec::new(), devices: Vec::new() });
                found.len() - 1
            }
        };
        if !found[at].networks.contains(&network) {
            found[at].networks.push(network);
        }
        if let Some(device) = device.filter(|device| !found[at].devices.contains(device)) {
            found[at].devices.push(device);
        }
    }
    Ok(found)
}

async fn accounts_seen_at(
    readers: &DbPool,
    since_ms: u64,
    most: u32,
) -> Result<Vec<(String, String)>, StoreError> {
    let sql = "SELECT p.id, n.network FROM person p JOIN noted n ON n.person = p.id
        WHERE p.seen_ms >= $1 AND p.kind IN ('account', 'program', 'suspended')
            AND n.n = (SELECT max(m.n) FROM noted m WHERE m.person = p.id AND m.network IS NOT NULL)
        ORDER BY p.id LIMIT $2";
    let query = db::query(sql).bind(number(since_ms)).bind(i64::from(most));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(|row| Ok((text(row, 0)?, text(row, 1)?))).collect()
}

async fn invitations(readers: &DbPool, now_ms: u64) -> Result<Vec<Invitation>, StoreError> {
    let sql = "SELECT id, label, by, at_ms, until_ms, uses, used FROM invitation
        WHERE until_ms > $1 AND used < uses ORDER BY at_ms DESC, id LIMIT $2";
    let rows = db::query(sql).bind(number(now_ms)).bind(READ).fetch_all(readers).await.map_err(failed)?;
    let one = |row: &DbRow| {
        Ok(Invitation {
            id: text(row, 0)?,
            label: text(row, 1)?,
            by: some_text(row, 2)?,
            at_ms: time(row, 3)?,
            until_ms: time(row, 4)?,
            uses: db::int(row, 5).map_err(failed)?,
            used: db::int(row, 6).map_err(failed)?,
        })
    };
    rows.iter().map(one).collect()
}

/// A decision of the staff, with its row of the log.
struct Decided {
    deed: StaffDeed,
    logged: Logged,
    /// True if the last administrator stays one.
    spares_last: bool,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Decided {
    type Done = u64;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<u64, StoreError> {
        carry_out(connection, &self.deed, &self.logged, self.spares_last).await
    }
}

#[async_trait::async_trait]
impl StaffDesk for Stock {
    async fn decide(&self, deed: StaffDeed, logged: Logged, spares_last: bool) -> Result<u64, StoreError> {
        self.work(Decided { deed, logged, spares_last }).await
    }

    async fn staff_version(&self) -> Result<u64, StoreError> {
        read!(self, readers => {
            let query = db::query("SELECT value FROM hall WHERE key = 'staff'");
            let row = query.fetch_optional(readers).await.map_err(failed);
            row.and_then(|row| row.map_or(Ok(0), |row| time(&row, 0)))
        })
    }

    async fn house(&self, now_ms: u64) -> Result<House, StoreError> {
        read!(self, readers => house(readers, now_ms).await)
    }

    async fn staff_log(&self, of: LogOf<'_>, most: u32) -> Result<Vec<Logged>, StoreError> {
        read!(self, readers => staff_log(readers, of, most).await)
    }

    async fn staff_news(&self, after: u64, most: u32) -> Result<Vec<Logged>, StoreError> {
        read!(self, readers => staff_news(readers, after, most).await)
    }

    async fn accounts_like(&self, folded: &str, most: u32) -> Result<Vec<PersonRow>, StoreError> {
        read!(self, readers => accounts_like(readers, folded, most).await)
    }

    async fn accounts_sharing(&self, person: &str, most: u32) -> Result<Vec<Sharing>, StoreError> {
        read!(self, readers => accounts_sharing(readers, person, most).await)
    }

    async fn accounts_seen_at(&self, since_ms: u64, most: u32) -> Result<Vec<(String, String)>, StoreError> {
        read!(self, readers => accounts_seen_at(readers, since_ms, most).await)
    }

    async fn invitations(&self, now_ms: u64) -> Result<Vec<Invitation>, StoreError> {
        read!(self, readers => invitations(readers, now_ms).await)
    }

    async fn name_is_gone(&self, folded: &str) -> Result<bool, StoreError> {
        let gone = accounts::gone(folded);
        read!(self, readers => {
            let query = db::query("SELECT EXISTS (SELECT 1 FROM former_name WHERE folded = $1)").bind(&gone);
            query.fetch_one(readers).await.and_then(|row| row.try_get(0)).map_err(failed)
        })
    }

    async fn is_held(&self, key: &[u8], now_ms: u64) -> Result<bool, StoreError> {
        let hash = held(key);
        read!(self, readers => {
            let sql = "SELECT EXISTS (SELECT 1 FROM held WHERE hash = $1 AND until_ms > $2)";
            let query = db::query(sql).bind(&hash).bind(number(now_ms));
            query.fetch_one(readers).await.and_then(|row| row.try_get(0)).map_err(failed)
        })
    }

    async fn account_since(&self, person: &str) -> Result<u64, StoreError> {
        read!(self, readers => {
            let sql = "SELECT coalesce((SELECT min(at_ms) FROM noted WHERE person = $1 AND act = 'made'),
                (SELECT made_ms FROM person WHERE id = $1), 0)";
            let row = db::query(sql).bind(person).fetch_one(readers).await.map_err(failed);
            row.and_then(|row| time(&row, 0))
        })
    }
}
