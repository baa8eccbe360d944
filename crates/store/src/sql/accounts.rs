//! Lookup of accounts, and changes to them.

use ::people::account::Role;
use ::people::token::Scopes;
use sha2::{Digest, Sha256};
use sqlx::Row;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::people::{self, kind};
use super::{Stock, failed, mail, number, staff, unique};
use crate::accounts::{
    Account, Accounts, Change, Credential, CredentialKind, Find, MOST_NOTES, MOST_OPEN_IDS, MOST_PASSKEYS,
    MOST_SESSIONS, MOST_TOKENS, NewSession, Note, Session, SessionOf, Token, TokenOf,
};
use crate::work::{DESKS, Desk, Work};
use crate::{PersonRow, StoreError};

/// A column that holds a time.
fn time(row: &DbRow, at: usize) -> Result<u64, StoreError> {
    row.try_get::<i64, _>(at).map(i64::cast_unsigned).map_err(failed)
}

/// A column that may hold a time.
fn some_time(row: &DbRow, at: usize) -> Result<Option<u64>, StoreError> {
    Ok(row.try_get::<Option<i64>, _>(at).map_err(failed)?.map(i64::cast_unsigned))
}

/// `id, kind, name, made_ms, seen_ms` from column `at` on.
fn person(row: &DbRow, at: usize) -> Result<PersonRow, StoreError> {
    let id: String = row.try_get(at).map_err(failed)?;
    let kind = kind(row.try_get(at + 1).map_err(failed)?, &id)?;
    let name = row.try_get(at + 2).map_err(failed)?;
    Ok(PersonRow { id, kind, name, made_ms: time(row, at + 3)?, seen_ms: time(row, at + 4)? })
}

/// Returns the hash that is kept of the name of a closed account, so that no other person takes it.
pub(super) fn gone(folded: &str) -> String {
    let hash = Sha256::new().chain_update(b"qiguan name 1\0").chain_update(folded).finalize();
    hash.iter().fold("#".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

pub(super) async fn find(readers: &DbPool, find: Find<'_>) -> Result<Option<Account>, StoreError> {
    let mut connection = readers.acquire().await.map_err(failed)?;
    let query = match find {
        Find::Id(id) => {
            db::query("SELECT id, kind, name, made_ms, seen_ms, roles, named_ms FROM person WHERE id = $1")
                .bind(id)
        }
        Find::Name(folded) => db::query(
            "SELECT id, kind, name, made_ms, seen_ms, roles, named_ms FROM person WHERE id = coalesce(
                (SELECT id FROM person WHERE folded = $1),
                (SELECT person FROM former_name WHERE folded = $1))",
        )
        .bind(folded),
        Find::Passkey(key) => db::query(
            "SELECT id, kind, name, made_ms, seen_ms, roles, named_ms FROM person
                WHERE id = (SELECT person FROM credential WHERE key = $1 AND kind = 'passkey')",
        )
        .bind(key),
        Find::OpenId(key) => db::query(
            "SELECT id, kind, name, made_ms, seen_ms, roles, named_ms FROM person
                WHERE id = (SELECT person FROM credential WHERE key = $1 AND kind = 'openid')",
        )
        .bind(key),
    };
    let Some(row) = query.fetch_optional(&mut *connection).await.map_err(failed)? else { return Ok(None) };
    let person = person(&row, 0)?;
    let roles: &str = row.try_get(5).map_err(failed)?;
    let roles = roles.split(',').filter_map(Role::read).collect();
    let named_ms = some_time(&row, 6)?;

    let sql = "SELECT id, label, body, key, made_ms, used_ms, kind FROM credential WHERE person = $1 ORDER BY made_ms, id";
    let rows = db::query(sql).bind(&person.id).fetch_all(&mut *connection).await.map_err(failed)?;
    let credential = |row: DbRow| {
        let kind: &str = row.try_get(6).map_err(failed)?;
        let unknown = || StoreError::Failed(format!("an account has a credential of the kind {kind}"));
        Ok(Credential {
            kind: CredentialKind::read(kind).ok_or_else(unknown)?,
            id: row.try_get(0).map_err(failed)?,
            label: row.try_get(1).map_err(failed)?,
            body: row.try_get(2).map_err(failed)?,
            key: row.try_get(3).map_err(failed)?,
            made_ms: time(&row, 4)?,
            used_ms: some_time(&row, 5)?,
        })
    };
    let credentials = rows.into_iter().map(credential).collect::<Result<_, StoreError>>()?;

    let query = db::query("SELECT count(*) FROM recovery WHERE person = $1").bind(&person.id);
    let recovery = db::int(&query.fetch_one(&mut *connection).await.map_err(failed)?, 0).map_err(failed)?;

    let sql = "SELECT id, person, label, made_ms, used_ms, proved_ms FROM session WHERE person = $1
        ORDER BY used_ms DESC, made_ms DESC, id";
    let rows = db::query(sql).bind(&person.id).fetch_all(&mut *connection).await.map_err(failed)?;
    let sessions = rows.iter().map(|row| session_at(row, 0)).collect::<Result<_, _>>()?;

    let sql = "SELECT id, label, scopes, made_ms, expires_ms, used_ms FROM token WHERE person = $1
        ORDER BY made_ms DESC, id";
    let rows = db::query(sql).bind(&person.id).fetch_all(&mut *connection).await.map_err(failed)?;
    let tokens = rows.iter().map(|row| token_at(row, 0)).collect::<Result<_, _>>()?;
    Ok(Some(Account { person, roles, named_ms, credentials, recovery, sessions, tokens }))
}

fn session_at(row: &DbRow, at: usize) -> Result<Session, StoreError> {
    Ok(Session {
        id: row.try_get(at).map_err(failed)?,
        person: row.try_get(at + 1).map_err(failed)?,
        label: row.try_get(at + 2).map_err(failed)?,
        made_ms: time(row, at + 3)?,
        used_ms: time(row, at + 4)?,
        proved_ms: some_time(row, at + 5)?,
    })
}

fn token_at(row: &DbRow, at: usize) -> Result<Token, StoreError> {
    let id: String = row.try_get(at).map_err(failed)?;
    let scopes: &str = row.try_get(at + 2).map_err(failed)?;
    let scopes = Scopes::read(scopes.split(',')).map_err(|why| {
        let what = format!("the scopes of a token are not known to this hall ({why})");
        StoreError::damaged(what, format!("token {id}"), "start the hall that wrote it")
    })?;
    Ok(Token {
        label: row.try_get(at + 1).map_err(failed)?,
        scopes,
        made_ms: time(row, at + 3)?,
        expires_ms: time(row, at + 4)?,
        used_ms: some_time(row, at + 5)?,
        id,
    })
}

pub(super) async fn session(readers: &DbPool, hash: &[u8; 32]) -> Result<Option<SessionOf>, StoreError> {
    let sql = "SELECT s.id, s.person, s.label, s.made_ms, s.used_ms, s.proved_ms,
            p.id, p.kind, p.name, p.made_ms, p.seen_ms
        FROM session s JOIN person p ON p.id = s.person WHERE s.hash = $1";
    let row = db::query(sql).bind(&hash[..]).fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| Ok((session_at(&row, 0)?, person(&row, 6)?))).transpose()
}

pub(super) async fn token(readers: &DbPool, hash: &[u8; 32]) -> Result<Option<TokenOf>, StoreError> {
    let sql = "SELECT t.id, t.label, t.scopes, t.made_ms, t.expires_ms, t.used_ms,
            p.id, p.kind, p.name, p.made_ms, p.seen_ms
        FROM token t JOIN person p ON p.id = t.person WHERE t.hash = $1";
    let row = db::query(sql).bind(&hash[..]).fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| Ok((token_at(&row, 0)?, person(&row, 6)?))).transpose()
}

pub(super) async fn noted(
    readers: &DbPool,
    person: Option<&str>,
    below: Option<u64>,
    most: u32,
) -> Result<Vec<(u64, Note)>, StoreError> {
    let sql = if person.is_some() {
        "SELECT n, person, at_ms, act, network, device, detail FROM noted WHERE person = $1 AND n < $2
            ORDER BY n DESC LIMIT $3"
    } else {
        "SELECT n, person, at_ms, act, network, device, detail FROM noted WHERE CAST($1 AS TEXT) IS NULL AND n < $2
            ORDER BY n DESC LIMIT $3"
    };
    let query = db::query(sql).bind(person).bind(number(below.unwrap_or(u64::MAX))).bind(i64::from(most));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let note = |row: DbRow| {
        let note = Note {
            person: row.try_get(1).map_err(failed)?,
            at_ms: time(&row, 2)?,
            act: row.try_get(3).map_err(failed)?,
            network: row.try_get(4).map_err(failed)?,
            device: row.try_get(5).map_err(failed)?,
            detail: row.try_get(6).map_err(failed)?,
        };
        Ok((time(&row, 0)?, note))
    };
    rows.into_iter().map(note).collect()
}

pub(super) async fn tables_of(
    readers: &DbPool,
    person: &str,
    after: &str,
    most: u32,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT seating FROM sat WHERE person = $1 AND seating > $2 ORDER BY seating LIMIT $3";
    let rows = db::query(sql).bind(person).bind(after).bind(i64::from(most)).fetch_all(readers).await;
    rows.map_err(failed)?.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
}

/// Carries out a change and stores its note. Conflicts are found before anything is written: the transaction may hold
/// the changes of others.
pub(super) async fn change(
    connection: &mut DbConnection,
    change: &Change,
    note: Option<&Note>,
) -> Result<(), StoreError> {
    match change {
        Change::Found { person, name, folded, credential, recovery, session, invitation, now_ms } => {
            if let Some(code) = invitation {
                staff::may_use(connection, code, *now_ms).await?;
            }
            found(connection, person, name, folded, credential, session).await?;
            if let Some(code) = invitation {
                staff::used(connection, code).await?;
            }
            // The first name is no change of one.
            let sql =
                "UPDATE person SET kind = 'account', name = $1, folded = $2, named_ms = NULL WHERE id = $3";
            let query = db::query(sql).bind(name).bind(folded).bind(person);
            query.execute(&mut *connection).await.map_err(failed)?;
            let query = db::query("DELETE FROM session WHERE person = $1").bind(person);
            query.execute(&mut *connection).await.map_err(failed)?;
            keep_credential(connection, person, credential).await?;
            set_recovery(connection, person, recovery).await?;
            open_session(connection, person, session, *now_ms).await?;
        }
        Change::SignIn { person, session, used, now_ms } => {
            must_be_account(connection, person).await?;
            may_open(connection, session).await?;
            open_session(connection, person, session, *now_ms).await?;
            note_used(connection, person, used.as_ref(), *now_ms).await?;
        }
        Change::Recover { person, code, password, session, now_ms } => {
            must_be_account(connection, person).await?;
            may_open(connection, session).await?;
            may_keep(connection, person, password).await?;
            let query = db::query("DELETE FROM recovery WHERE person = $1 AND hash = $2");
            let query = query.bind(person).bind(&code[..]).execute(&mut *connection).await.map_err(failed)?;
            there(query.rows_affected())?;
            begin_anew(connection, person, password, session, *now_ms).await?;
        }
        Change::RecoverByMail { person, link, password, session, now_ms } => {
            must_be_account(connection, person).await?;
            mail::must_recover(connection, person, link, *now_ms).await?;
            may_open(connection, session).await?;
            may_keep(connection, person, password).await?;
            mail::forget_links(connection, person).await?;
            begin_anew(connection, person, password, session, *now_ms).await?;
        }
        Change::ConfirmMail { person, link, now_ms } => {
            must_be_account(connection, person).await?;
            mail::confirm(connection, person, link, *now_ms).await?;
        }
        Change::RemoveMail { person } => {
            let sql = "SELECT EXISTS (SELECT 1 FROM mail_address WHERE person = $1)
                OR EXISTS (SELECT 1 FROM mail_link WHERE person = $1)";
            there(u64::from(is_there(connection, sql, person).await?))?;
            let query = db::query("DELETE FROM mail_address WHERE person = $1").bind(person);
            query.execute(&mut *connection).await.map_err(failed)?;
            mail::forget_links(connection, person).await?;
        }
        Change::SignOut { hash } => {
            let query = db::query("DELETE FROM session WHERE hash = $1").bind(&hash[..]);
            query.execute(&mut *connection).await.map_err(failed)?;
        }
        Change::EndSession { person, id } => {
            let query = db::query("DELETE FROM session WHERE person = $1 AND id = $2").bind(person).bind(id);
            there(query.execute(&mut *connection).await.map_err(failed)?.rows_affected())?;
        }
        Change::EndOthers { person, but } => {
            let query = db::query("DELETE FROM session WHERE person = $1 AND hash <> $2");
            query.bind(person).bind(&but[..]).execute(&mut *connection).await.map_err(failed)?;
        }
        Change::Prove { hash, used, now_ms } => {
            let query = db::query("UPDATE session SET proved_ms = $1 WHERE hash = $2 RETURNING person");
            let query = query.bind(number(*now_ms)).bind(&hash[..]);
            let row = query.fetch_optional(&mut *connection).await.map_err(failed)?;
            let person: String = row.ok_or(StoreError::Missing)?.try_get(0).map_err(failed)?;
            note_used(connection, &person, used.as_ref(), *now_ms).await?;
        }
        Change::AddCredential { person, credential } => {
            must_be_account(connection, person).await?;
            may_keep(connection, person, credential).await?;
            if credential.kind == CredentialKind::Password {
                let sql = "DELETE FROM credential WHERE person = $1 AND kind = 'password'";
                db::query(sql).bind(person).execute(&mut *connection).await.map_err(failed)?;
            }
            keep_credential(connection, person, credential).await?;
        }
        Change::RemoveCredential { person, id } => {
            let sql = "SELECT count(*), count(*) FILTER (WHERE id = $2) FROM credential WHERE person = $1";
            let row = db::query(sql).bind(person).bind(id).fetch_one(&mut *connection).await;
            let row = row.map_err(failed)?;
            there(time(&row, 1)?)?;
            if time(&row, 0)? == 1 {
                return Err(StoreError::Conflict);
            }
            let query = db::query("DELETE FROM credential WHERE person = $1 AND id = $2");
            query.bind(person).bind(id).execute(&mut *connection).await.map_err(failed)?;
        }
        Change::SetRecovery { person, hashes } => {
            must_be_account(connection, person).await?;
            set_recovery(connection, person, hashes).await?;
        }
        Change::AddToken { person, hash, token } => {
            must_be_account(connection, person).await?;
            add_token(connection, person, hash, token).await?;
        }
        Change::RemoveToken { person, id } => {
            let query = db::query("DELETE FROM token WHERE person = $1 AND id = $2").bind(person).bind(id);
            there(query.execute(&mut *connection).await.map_err(failed)?.rows_affected())?;
        }
        Change::TokenUsed { hash, now_ms } => {
            let query = db::query("UPDATE token SET used_ms = $1 WHERE hash = $2");
            query.bind(number(*now_ms)).bind(&hash[..]).execute(&mut *connection).await.map_err(failed)?;
        }
        Change::Rename { person, name, folded, before_ms, now_ms } => {
            rename(connection, person, name, folded, *before_ms, *now_ms).await?;
        }
        Change::Close { person } => close(connection, person, note.map(|note| note.at_ms)).await?,
        Change::Note => {}
    }
    match note {
        Some(note) => write_note(connection, note).await,
        None => Ok(()),
    }
}

/// Returns [`StoreError::Missing`] unless a row was changed.
fn there(count: u64) -> Result<(), StoreError> {
    if count == 0 { Err(StoreError::Missing) } else { Ok(()) }
}

async fn is_there(connection: &mut DbConnection, sql: &'static str, key: &str) -> Result<bool, StoreError> {
    let row = db::query(sql).bind(key).fetch_one(connection).await.map_err(failed)?;
    row.try_get(0).map_err(failed)
}

async fn must_be_account(connection: &mut DbConnection, person: &str) -> Result<(), StoreError> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM person WHERE id = $1 AND kind IN ('account', 'program', 'suspended'))";
    if is_there(connection, sql, person).await? { Ok(()) } else { Err(StoreError::Missing) }
}

/// Checks that no other person has or had that name. [`StoreError::Taken`]: another one has.
async fn name_is_free(connection: &mut DbConnection, person: &str, folded: &str) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM person WHERE folded = $1 AND id <> $2)
        OR EXISTS (SELECT 1 FROM former_name WHERE folded = $1 AND person IS DISTINCT FROM $2)
        OR EXISTS (SELECT 1 FROM former_name WHERE folded = $3)";
    let query = db::query(sql).bind(folded).bind(person).bind(gone(folded));
    let row = query.fetch_one(connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? { Err(StoreError::Taken) } else { Ok(()) }
}

/// Checks that a guest may become an account under that name and with that credential.
async fn found(
    connection: &mut DbConnection,
    person: &str,
    name: &str,
    folded: &str,
    credential: &Credential,
    session: &NewSession,
) -> Result<(), StoreError> {
    debug_assert_eq!(folded, ::people::name::fold(name));
    let sql = "SELECT EXISTS (SELECT 1 FROM person WHERE id = $1 AND kind = 'guest')
        AND NOT EXISTS (SELECT 1 FROM merging WHERE guest = $1)";
    if !is_there(connection, sql, person).await? {
        return Err(StoreError::Conflict);
    }
    name_is_free(connection, person, folded).await?;
    may_keep(connection, person, credential).await?;
    may_open(connection, session).await
}

async fn may_open(connection: &mut DbConnection, session: &NewSession) -> Result<(), StoreError> {
    let query = db::query("SELECT EXISTS (SELECT 1 FROM session WHERE hash = $1 OR id = $2)");
    let row = query.bind(&session.hash[..]).bind(&session.id).fetch_one(connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? { Err(StoreError::Taken) } else { Ok(()) }
}

async fn open_session(
    connection: &mut DbConnection,
    person: &str,
    session: &NewSession,
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO session (hash, id, person, label, made_ms, used_ms, proved_ms)
        VALUES ($1, $2, $3, $4, $5, $5, $5)";
    let query = db::query(sql).bind(&session.hash[..]).bind(&session.id).bind(person);
    let query = query.bind(&session.label).bind(number(now_ms));
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "DELETE FROM session WHERE person = $1 AND hash IN (SELECT hash FROM session WHERE person = $1
        AND hash <> $2 ORDER BY used_ms DESC, made_ms DESC LIMIT 9223372036854775807 OFFSET $3)";
    let query = db::query(sql).bind(person).bind(&session.hash[..]).bind(i64::from(MOST_SESSIONS - 1));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Replaces the password, and ends all sessions but a new one.
async fn begin_anew(
    connection: &mut DbConnection,
    person: &str,
    password: &Credential,
    session: &NewSession,
    now_ms: u64,
) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM session WHERE person = $1",
        "DELETE FROM credential WHERE person = $1 AND kind = 'password'",
    ] {
        db::query(sql).bind(person).execute(&mut *connection).await.map_err(failed)?;
    }
    keep_credential(connection, person, password).await?;
    open_session(connection, person, session, now_ms).await
}

async fn note_used(
    connection: &mut DbConnection,
    person: &str,
    used: Option<&(String, Option<String>)>,
    now_ms: u64,
) -> Result<(), StoreError> {
    let Some((id, body)) = used else { return Ok(()) };
    let sql = "UPDATE credential SET used_ms = $1, body = coalesce($2, body) WHERE id = $3 AND person = $4";
    let query = db::query(sql).bind(number(now_ms)).bind(body).bind(id).bind(person);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn may_keep(
    connection: &mut DbConnection,
    person: &str,
    credential: &Credential,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM credential WHERE id = $1 OR key = $2),
        (SELECT count(*) FROM credential WHERE person = $3 AND kind = $4)";
    let query = db::query(sql).bind(&credential.id).bind(&credential.key).bind(person);
    let query = query.bind(credential.kind.name());
    let row = query.fetch_one(connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? {
        return Err(StoreError::Taken);
    }
    let most = match credential.kind {
        // A new one replaces the old one.
        CredentialKind::Password => u32::MAX,
        CredentialKind::Passkey => MOST_PASSKEYS,
        CredentialKind::OpenId => MOST_OPEN_IDS,
    };
    let is_full = time(&row, 1)? >= u64::from(most);
    if is_full { Err(StoreError::Conflict) } else { Ok(()) }
}

async fn keep_credential(
    connection: &mut DbConnection,
    person: &str,
    credential: &Credential,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO credential (id, person, kind, label, body, key, made_ms, used_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    db::query(sql)
        .bind(&credential.id)
        .bind(person)
        .bind(credential.kind.name())
        .bind(&credential.label)
        .bind(&credential.body)
        .bind(&credential.key)
        .bind(number(credential.made_ms))
        .bind(credential.used_ms.map(number))
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}

async fn set_recovery(
    connection: &mut DbConnection,
    person: &str,
    hashes: &[[u8; 32]],
) -> Result<(), StoreError> {
    let query = db::query("DELETE FROM recovery WHERE person = $1").bind(person);
    query.execute(&mut *connection).await.map_err(failed)?;
    for hash in hashes {
        let query = db::query("INSERT INTO recovery (person, hash) VALUES ($1, $2) ON CONFLICT DO NOTHING");
        query.bind(person).bind(&hash[..]).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

async fn add_token(
    connection: &mut DbConnection,
    person: &str,
    hash: &[u8; 32],
    token: &Token,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM token WHERE hash = $1 OR id = $2),
        (SELECT count(*) FROM token WHERE person = $3)";
    let query = db::query(sql).bind(&hash[..]).bind(&token.id).bind(person);
    let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? {
        return Err(StoreError::Taken);
    }
    if time(&row, 1)? >= u64::from(MOST_TOKENS) {
        return Err(StoreError::Conflict);
    }
    let sql = "INSERT INTO token (hash, id, person, label, scopes, made_ms, expires_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    db::query(sql)
        .bind(&hash[..])
        .bind(&token.id)
        .bind(person)
        .bind(&token.label)
        .bind(token.scopes.to_string())
        .bind(number(token.made_ms))
        .bind(number(token.expires_ms))
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(failed)
}

async fn rename(
    connection: &mut DbConnection,
    person: &str,
    name: &str,
    folded: &str,
    before_ms: u64,
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "SELECT name, folded, named_ms FROM person WHERE id = $1 AND kind IN ('account', 'program')";
    let row = db::query(sql).bind(person).fetch_optional(&mut *connection).await.map_err(failed)?;
    let row = row.ok_or(StoreError::Missing)?;
    let (old, old_folded): (Option<String>, Option<String>) =
        (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    if some_time(&row, 2)?.is_some_and(|named| named > before_ms) {
        return Err(StoreError::Conflict);
    }
    name_is_free(connection, person, folded).await?;
    if let (Some(old), Some(old_folded)) = (old, old_folded)
        && old_folded != folded
    {
        let sql = "INSERT INTO former_name (folded, person, name) VALUES ($1, $2, $3)
            ON CONFLICT (folded) DO UPDATE SET person = excluded.person, name = excluded.name";
        let query = db::query(sql).bind(old_folded).bind(person).bind(old);
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    // Back to a former name: it is the current one then.
    let query = db::query("DELETE FROM former_name WHERE folded = $1 AND person = $2");
    query.bind(folded).bind(person).execute(&mut *connection).await.map_err(failed)?;
    let query = db::query("UPDATE person SET name = $1, folded = $2, named_ms = $3 WHERE id = $4");
    let query = query.bind(name).bind(folded).bind(number(now_ms)).bind(person);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Closes an account for good; `now_ms`: the time from which its mailbox and accounts elsewhere are held back, where
/// the staff had closed it.
pub(super) async fn close(
    connection: &mut DbConnection,
    person: &str,
    now_ms: Option<u64>,
) -> Result<(), StoreError> {
    must_be_account(connection, person).await?;
    if let Some(now_ms) = now_ms {
        staff::hold_back(connection, person, now_ms).await?;
    }
    let sql = "SELECT folded FROM person WHERE id = $1 AND folded IS NOT NULL
        UNION SELECT folded FROM former_name WHERE person = $1";
    let rows = db::query(sql).bind(person).fetch_all(&mut *connection).await.map_err(failed)?;
    for row in rows {
        let folded: &str = row.try_get(0).map_err(failed)?;
        let sql = "INSERT INTO former_name (folded) VALUES ($1) ON CONFLICT DO NOTHING";
        let query = db::query(sql).bind(gone(folded));
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    for sql in [
        "DELETE FROM former_name WHERE person = $1",
        "DELETE FROM credential WHERE person = $1",
        "DELETE FROM recovery WHERE person = $1",
        "DELETE FROM session WHERE person = $1",
        "DELETE FROM token WHERE person = $1",
        "DELETE FROM noted WHERE person = $1",
        "DELETE FROM vacation WHERE person = $1",
        "DELETE FROM plan WHERE person = $1",
        "DELETE FROM seat_note WHERE person = $1",
        "DELETE FROM relation WHERE person = $1",
        "DELETE FROM relation WHERE other = $1",
        "DELETE FROM challenge WHERE challenger = $1",
        "DELETE FROM challenge WHERE challenged = $1",
        "DELETE FROM said WHERE person = $1",
        "DELETE FROM left_game WHERE person = $1",
        "DELETE FROM mail_address WHERE person = $1",
        "DELETE FROM mail_link WHERE person = $1",
        "DELETE FROM quiet WHERE person = $1",
        "DELETE FROM notice WHERE person = $1",
        "DELETE FROM merging WHERE account = $1",
        "DELETE FROM study_entry WHERE study IN (SELECT id FROM study WHERE owner = $1)",
        "DELETE FROM study_map WHERE study IN (SELECT id FROM study WHERE owner = $1)",
        "DELETE FROM study_member WHERE study IN (SELECT id FROM study WHERE owner = $1)",
        "DELETE FROM study WHERE owner = $1",
        "DELETE FROM study_member WHERE person = $1",
        "UPDATE person SET kind = 'closed', name = NULL, folded = NULL, named_ms = NULL, roles = '' WHERE id = $1",
        "INSERT INTO closing (person, done) VALUES ($1, '') ON CONFLICT DO NOTHING",
    ] {
        db::query(sql).bind(person).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

async fn write_note(connection: &mut DbConnection, note: &Note) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO noted (person, at_ms, act, network, device, detail) VALUES ($1, $2, $3, $4, $5, $6)";
    db::query(sql)
        .bind(&note.person)
        .bind(number(note.at_ms))
        .bind(&note.act)
        .bind(&note.network)
        .bind(&note.device)
        .bind(&note.detail)
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    let sql = "DELETE FROM noted WHERE person = $1 AND n <=
        (SELECT n FROM noted WHERE person = $1 ORDER BY n DESC LIMIT 1 OFFSET $2)";
    let query = db::query(sql).bind(&note.person).bind(i64::from(MOST_NOTES));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// A change to an account, and the note on it.
struct Changed {
    change: Change,
    note: Option<Note>,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Changed {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        match self.change {
            // What an account leaves is games and ratings, too.
            Change::Close { .. } => DESKS,
            _ => &[Desk::People],
        }
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        change(connection, &self.change, self.note.as_ref()).await
    }
}

/// Gives a guest's maps to an account, and records that the games are to follow.
struct Merge {
    guest: String,
    account: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Merge {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        people::merge(connection, &self.guest, &self.account).await
    }
}

/// Moves some of a guest's games to the account.
struct MergePart {
    guest: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for MergePart {
    type Done = Option<Vec<String>>;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    fn is_alone(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<Option<Vec<String>>, StoreError> {
        people::merge_part(connection, &self.guest).await
    }
}

/// Removes the name of a closed account from some logs.
struct Scrub {
    person: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Scrub {
    type Done = Vec<String>;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    fn is_alone(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<Vec<String>, StoreError> {
        people::scrub(connection, &self.person).await
    }
}

#[async_trait::async_trait]
impl Accounts for Stock {
    async fn account(&self, wanted: Find<'_>) -> Result<Option<Account>, StoreError> {
        read!(self, readers => find(readers, wanted).await)
    }

    async fn session(&self, hash: &[u8; 32]) -> Result<Option<SessionOf>, StoreError> {
        read!(self, readers => session(readers, hash).await)
    }

    async fn token(&self, hash: &[u8; 32]) -> Result<Option<TokenOf>, StoreError> {
        read!(self, readers => token(readers, hash).await)
    }

    async fn change(&self, change: Change, note: Option<Note>) -> Result<(), StoreError> {
        self.work(Changed { change, note }).await
    }

    async fn noted(
        &self,
        person: Option<&str>,
        below: Option<u64>,
        most: u32,
    ) -> Result<Vec<(u64, Note)>, StoreError> {
        read!(self, readers => noted(readers, person, below, most).await)
    }

    async fn merge(&self, guest: &str, account: &str) -> Result<(), StoreError> {
        self.work(Merge { guest: guest.to_owned(), account: account.to_owned() }).await
    }

    async fn merging(&self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT guest, account FROM merging";
        let rows = read!(self, readers => db::query(sql).fetch_all(readers).await.map_err(failed))?;
        let pair = |row: &DbRow| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(pair).collect::<Result<_, sqlx::Error>>().map_err(failed)
    }

    async fn merge_part(&self, guest: &str) -> Result<Option<Vec<String>>, StoreError> {
        self.work(MergePart { guest: guest.to_owned() }).await
    }

    async fn closing(&self) -> Result<Vec<String>, StoreError> {
        self.ids("SELECT person FROM closing LIMIT $1", None, u32::MAX).await
    }

    async fn scrub(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.work(Scrub { person: person.to_owned() }).await
    }
}
