//! The traits of the store, answered by the SQL that both databases share.
//!
//! Reads are done here; writes are handed to the writer of the database as a [`What`].

use std::path::Path;

use ::people::notices::Quiet;
use ::people::vacation::Vacation;
use sqlx::Row;
use table::{Entry, Setup, Standing};

use super::db::{self, DbRow};
use super::desk::{Reply, What};
use super::{
    Stock, accounts, failed, games, mail, maps, notices, number, odd, people, read, slow, together, upkeep,
};
use crate::games::{Curves, Filter, Finished, GameRow, Games, Place, Plies, Tally};
use crate::journal::Journals;
use crate::mail::{Mail, MailAddress, MailChange, MailLink, Mailbox, WaitingGame};
use crate::notices::{Device, DueNotice, NoticeChange, Notices};
use crate::questions::Questions;
use crate::shelf::Shelf;
use crate::slow::{SlowGame, SlowGames, StoredPlan};
use crate::studies::Studies;
use crate::together::{Challenge, Complaint, Deed, Relation, SaidRow, Together, Which};
use crate::workers::{SharedSearches, WorkerKeys};
use crate::{
    Account, Adoption, Asleep, Change, Find, Folded, Forgotten, MapRoom, NewMap, NewPerson, Note, PersonRow,
    Report, Retention, SessionOf, Size, Store, StoreError, Stored, StoredMap, TokenOf,
};

impl Stock {
    async fn ids(&self, sql: &'static str, key: Option<&str>, most: u32) -> Result<Vec<String>, StoreError> {
        let rows = read!(self, readers => {
            let query = db::query(sql);
            let query = if let Some(key) = key { query.bind(key) } else { query };
            query.bind(i64::from(most)).fetch_all(readers).await.map_err(failed)
        })?;
        rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn forgot(
        &self,
        part: upkeep::Part,
        retention: Retention,
        now_ms: u64,
    ) -> Result<Forgotten, StoreError> {
        match self.ask(What::Forget { part, retention, now_ms }).await? {
            Reply::Forgot(forgotten) => Ok(forgotten),
            _ => Err(odd()),
        }
    }
}

#[async_trait::async_trait]
impl Store for Stock {
    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError> {
        self.tell(What::Create { id: id.to_owned(), setup: setup.clone(), log, standing }).await
    }

    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError> {
        self.tell(What::Append { id: id.to_owned(), entry, standing, ended: None, asleep: None }).await
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        self.load_table(id).await
    }

    async fn log(&self, id: &str, since_ver: u64, most: u32) -> Result<Vec<Entry>, StoreError> {
        read!(self, readers => read::log(readers, id, since_ver, most).await)
    }

    async fn room(&self, name: &str) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT id FROM seating WHERE room = ? AND stage < 2 LIMIT ?";
        let mut ids = self.ids(SQL, Some(&::people::name::fold(name)), 1).await?;
        if ids.is_empty() {
            // As rooms were written down before names were folded.
            ids = self.ids(SQL, Some(name), 1).await?;
        }
        Ok(ids.into_iter().next())
    }

    async fn waiting_tables(&self, since_ms: u64, most: u32) -> Result<Vec<String>, StoreError> {
        // By the indexes of those who sit, who are few where nothing has begun. Clocks of a day or more are those
        // of slow games.
        let sql = "SELECT id FROM (SELECT q.id, q.created_ms, p.kind,
                row_number() OVER (PARTITION BY q.who ORDER BY q.created_ms DESC, q.id) AS n FROM (
                SELECT id, created_ms, coalesce(first, second, '') AS who FROM seating
                    WHERE room IS NOT NULL AND stage < 2 AND stage = 0
                UNION
                SELECT s.id, s.created_ms, coalesce(s.first, s.second, '') FROM (
                    SELECT id FROM seating WHERE first IS NOT NULL AND stage < 2 AND stage = 0
                    UNION SELECT id FROM seating WHERE second IS NOT NULL AND stage < 2 AND stage = 0
                ) w JOIN seating s ON s.id = w.id
                WHERE s.created_ms > ?1 AND (s.first IS NULL OR s.second IS NULL) AND json_valid(s.setup)
                    AND json_extract(s.setup, '$.how') = 'open'
                    AND json_extract(s.setup, '$.clock.kind') = 'per-move'
                    AND CAST(json_extract(s.setup, '$.clock.turn_ms') AS BIGINT) >= 86400000
            ) q LEFT JOIN person p ON p.id = q.who) r
            ORDER BY CASE WHEN n > 30 THEN 2 WHEN kind = 'account' THEN 0 ELSE 1 END, n, created_ms DESC, id LIMIT ?2";
        let rows = read!(self, readers => {
            db::query(sql).bind(number(since_ms)).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)
        })?;
        rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn playing(&self, person: &str, most: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT id FROM (
                SELECT id, created_ms FROM seating WHERE first = ?1 AND stage < 2
                UNION SELECT id, created_ms FROM seating WHERE second = ?1 AND stage < 2
            ) q ORDER BY created_ms DESC LIMIT ?2";
        self.ids(sql, Some(person), most).await
    }

    async fn sleep(&self, id: &str, asleep: Asleep) -> Result<(), StoreError> {
        self.tell(What::Sleep { id: id.to_owned(), asleep }).await
    }

    async fn wake(&self, id: &str) -> Result<(), StoreError> {
        self.tell(What::Wake { id: id.to_owned() }).await
    }

    async fn due(&self, now_ms: u64, most: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT seating FROM asleep WHERE held_ms IS NULL AND deadline_ms <= ?
            ORDER BY deadline_ms, seating LIMIT ?";
        let rows = read!(self, readers => {
            db::query(sql).bind(number(now_ms)).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)
        })?;
        rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn strike(&self, id: &str) -> Result<u32, StoreError> {
        match self.ask(What::Strike { id: id.to_owned() }).await? {
            Reply::Strikes(strikes) => Ok(strikes),
            _ => Err(odd()),
        }
    }

    async fn pardon(&self, id: &str) -> Result<(), StoreError> {
        self.tell(What::Pardon { id: id.to_owned() }).await
    }

    async fn beat(&self, now_ms: u64) -> Result<(), StoreError> {
        self.tell(What::Beat { now_ms }).await
    }

    fn last_beat(&self) -> Option<u64> {
        self.latest_beat()
    }

    async fn person_by(&self, hash: &[u8; 32]) -> Result<Option<PersonRow>, StoreError> {
        read!(self, readers => people::by_session(readers, hash).await)
    }

    async fn enroll(&self, person: NewPerson) -> Result<(), StoreError> {
        self.tell(What::Enroll { person: Box::new(person) }).await
    }

    async fn seen(&self, hash: &[u8; 32], now_ms: u64) -> Result<(), StoreError> {
        self.tell(What::Seen { hash: *hash, now_ms }).await
    }

    async fn name(&self, person: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name FROM person WHERE id = ?";
        let row = read!(self, readers => {
            db::query(sql).bind(person).fetch_optional(readers).await.map_err(failed)
        })?;
        row.map_or(Ok(None), |row| row.try_get(0).map_err(failed))
    }

    async fn rename(&self, person: &str, name: Option<&str>, folded: Option<&str>) -> Result<(), StoreError> {
        let (person, name, folded) = (person.to_owned(), name.map(str::to_owned), folded.map(str::to_owned));
        self.tell(What::Rename { person, name, folded }).await
    }

    async fn adopt(
        &self,
        old_id: &str,
        new_id: &str,
        hash: &[u8; 32],
        now_ms: u64,
    ) -> Result<Adoption, StoreError> {
        // Most secrets of strangers belong to no person: the writer need not handle them.
        let (old_id, new_id, hash) = (old_id.to_owned(), new_id.to_owned(), *hash);
        let claim = read!(self, readers => match readers.acquire().await {
            Ok(mut reader) => people::claim(&mut reader, &old_id).await,
            Err(why) => Err(failed(why)),
        })?;
        match claim {
            people::Claim::Unknown => return Ok(Adoption::Unknown),
            people::Claim::Before => return Ok(Adoption::Before),
            people::Claim::Free => {}
        }
        match self.ask(What::Adopt { old_id, new_id, hash, now_ms }).await? {
            Reply::Adopted(adoption) => Ok(adoption),
            _ => Err(odd()),
        }
    }

    async fn account(&self, find: Find<'_>) -> Result<Option<Account>, StoreError> {
        read!(self, readers => accounts::find(readers, find).await)
    }

    async fn session(&self, hash: &[u8; 32]) -> Result<Option<SessionOf>, StoreError> {
        read!(self, readers => accounts::session(readers, hash).await)
    }

    async fn token(&self, hash: &[u8; 32]) -> Result<Option<TokenOf>, StoreError> {
        read!(self, readers => accounts::token(readers, hash).await)
    }

    async fn change(&self, change: Change, note: Option<Note>) -> Result<(), StoreError> {
        self.tell(What::Change { change: Box::new(change), note }).await
    }

    async fn noted(
        &self,
        person: Option<&str>,
        below: Option<u64>,
        most: u32,
    ) -> Result<Vec<(u64, Note)>, StoreError> {
        read!(self, readers => accounts::noted(readers, person, below, most).await)
    }

    async fn tables_of(&self, person: &str, after: &str, most: u32) -> Result<Vec<String>, StoreError> {
        read!(self, readers => accounts::tables_of(readers, person, after, most).await)
    }

    async fn maps_of(&self, person: &str) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "SELECT id FROM map WHERE owner = ? ORDER BY id LIMIT ?";
        self.ids(SQL, Some(person), u32::MAX).await
    }

    async fn merge(&self, guest: &str, account: &str) -> Result<(), StoreError> {
        self.tell(What::Merge { guest: guest.to_owned(), account: account.to_owned() }).await
    }

    async fn merging(&self) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT guest, account FROM merging";
        let rows = read!(self, readers => db::query(sql).fetch_all(readers).await.map_err(failed))?;
        let pair = |row: &DbRow| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(pair).collect::<Result<_, sqlx::Error>>().map_err(failed)
    }

    async fn merge_part(&self, guest: &str) -> Result<Option<Vec<String>>, StoreError> {
        match self.ask(What::MergePart { guest: guest.to_owned() }).await? {
            Reply::Merged(tables) => Ok(tables),
            _ => Err(odd()),
        }
    }

    async fn closing(&self) -> Result<Vec<String>, StoreError> {
        self.ids("SELECT person FROM closing LIMIT ?", None, u32::MAX).await
    }

    async fn scrub(&self, person: &str) -> Result<Vec<String>, StoreError> {
        match self.ask(What::Scrub { person: person.to_owned() }).await? {
            Reply::Rewritten(tables) => Ok(tables),
            _ => Err(odd()),
        }
    }

    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError> {
        self.tell(What::KeepMap { map: Box::new(map), room }).await
    }

    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError> {
        read!(self, readers => maps::find(readers, id).await)
    }

    async fn maps(&self, search: &str, most: u32) -> Result<Vec<wire::MapLine>, StoreError> {
        read!(self, readers => maps::list(readers, search, most).await)
    }

    fn shelf(&self) -> &dyn Shelf {
        self
    }

    fn studies(&self) -> &dyn Studies {
        self
    }

    fn questions(&self) -> &dyn Questions {
        self
    }

    fn journals(&self) -> &dyn Journals {
        self
    }

    fn worker_keys(&self) -> &dyn WorkerKeys {
        self
    }

    fn searches(&self) -> Option<&dyn SharedSearches> {
        self.common_searches()
    }

    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError> {
        let sql = "SELECT ver, body FROM report WHERE seating = ?";
        let row = read!(self, readers => {
            db::query(sql).bind(id).fetch_optional(readers).await.map_err(failed)
        })?;
        let report = |row: DbRow| {
            Ok((row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned(), row.try_get(1).map_err(failed)?))
        };
        row.map(report).transpose()
    }

    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError> {
        self.tell(What::KeepReport { id: id.to_owned(), ver, body: body.to_owned() }).await
    }

    async fn forget(&self, retention: Retention, now_ms: u64) -> Result<Forgotten, StoreError> {
        let mut all = self.forgot(upkeep::Part::Rest, retention, now_ms).await?;
        // In parts, so that entries get between them.
        if let Some(before) = upkeep::before(retention.guest_tables_ms, now_ms) {
            let mut last = String::new();
            loop {
                let page = read!(self, readers => upkeep::old_tables(readers, before, &last).await)?;
                let Some(end) = page.last else { break };
                last = end;
                for part in page.parts {
                    all.tables += self.forgot(upkeep::Part::Tables(part), retention, now_ms).await?.tables;
                }
            }
        }
        if let Some(before) = upkeep::before(retention.guests_ms, now_ms) {
            let mut last = String::new();
            loop {
                let page = read!(self, readers => upkeep::old_guests(readers, before, &last).await)?;
                let Some(end) = page.last else { break };
                last = end;
                for part in page.parts {
                    all.guests += self.forgot(upkeep::Part::Guests(part), retention, now_ms).await?.guests;
                }
            }
        }
        Ok(all)
    }

    async fn fold(&self, before_ms: u64) -> Result<Folded, StoreError> {
        match self.ask(What::Fold { before_ms }).await? {
            Reply::Folded(folded) => Ok(folded),
            _ => Err(odd()),
        }
    }

    async fn size(&self) -> Result<Size, StoreError> {
        self.disk().await
    }

    fn strain(&self) -> crate::Strain {
        self.how_busy()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        read!(self, readers => db::query("SELECT 1").execute(readers).await.map(|_| ()).map_err(failed))
    }

    async fn probe_write(&self) -> Result<(), StoreError> {
        self.tell(What::Probe).await
    }

    fn is_read_only(&self) -> bool {
        self.can_only_read()
    }

    async fn backup(&self, path: &Path) -> Result<Report, StoreError> {
        self.copy_to(path).await
    }

    async fn damage(&self) -> StoreError {
        self.found_damage().await
    }

    async fn close(&self) {
        self.shut().await;
    }
}

#[async_trait::async_trait]
impl Together for Stock {
    async fn deed(&self, deed: Deed) -> Result<u64, StoreError> {
        match self.ask(What::Deed(Box::new(deed))).await? {
            Reply::Number(n) => Ok(n),
            _ => Err(odd()),
        }
    }

    async fn challenge(&self, id: &str, now_ms: u64) -> Result<Option<Challenge>, StoreError> {
        read!(self, readers => together::challenge(readers, id, now_ms).await)
    }

    async fn challenges(&self, person: &str, now_ms: u64) -> Result<Vec<Challenge>, StoreError> {
        read!(self, readers => together::challenges(readers, person, now_ms).await)
    }

    async fn relation(&self, person: &str, other: &str) -> Result<Relation, StoreError> {
        read!(self, readers => together::relation(readers, person, other).await)
    }

    async fn relations(&self, person: &str) -> Result<Vec<(PersonRow, Relation)>, StoreError> {
        read!(self, readers => together::relations(readers, person).await)
    }

    async fn blocked(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.ids("SELECT other FROM relation WHERE person = ? AND blocks = 1 LIMIT ?", Some(person), u32::MAX)
            .await
    }

    async fn apart(&self, person: &str) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "SELECT other FROM (SELECT other FROM relation WHERE person = ?1 AND blocks = 1
            UNION SELECT person FROM relation WHERE other = ?1 AND blocks = 1) q LIMIT ?2";
        self.ids(SQL, Some(person), u32::MAX).await
    }

    async fn said(
        &self,
        table: &str,
        watching: bool,
        most: u32,
        now_ms: u64,
    ) -> Result<Vec<SaidRow>, StoreError> {
        read!(self, readers => together::said(readers, table, watching, most, now_ms).await)
    }

    async fn said_by(&self, person: &str, after: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
        read!(self, readers => together::said_by(readers, person, after, most).await)
    }

    async fn said_around(&self, n: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
        read!(self, readers => together::said_around(readers, n, most).await)
    }

    async fn complaints(&self, which: Which<'_>, most: u32) -> Result<Vec<Complaint>, StoreError> {
        read!(self, readers => together::complaints(readers, which, most).await)
    }

    async fn muted_until(&self, person: &str, now_ms: u64) -> Result<Option<u64>, StoreError> {
        read!(self, readers => together::muted_until(readers, person, now_ms).await)
    }

    async fn seek(&self, table: &str) -> Result<Option<::people::challenge::RatingRange>, StoreError> {
        read!(self, readers => together::seek(readers, table).await)
    }

    async fn map_owner(&self, id: &str) -> Result<Option<(String, String)>, StoreError> {
        let sql = "SELECT owner, name FROM map WHERE id = ?";
        let row = read!(self, readers => {
            db::query(sql).bind(id).fetch_optional(readers).await.map_err(failed)
        })?;
        row.map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).transpose().map_err(failed)
    }

    async fn left_since(&self, person: &str, since_ms: u64) -> Result<u32, StoreError> {
        read!(self, readers => together::left_since(readers, person, since_ms).await)
    }
}

#[async_trait::async_trait]
impl Games for Stock {
    async fn finish(
        &self,
        id: &str,
        entry: Entry,
        standing: Standing,
        game: Finished,
    ) -> Result<(), StoreError> {
        let ended = Some(Box::new(games::NewRow::of(&game)));
        self.tell(What::Append { id: id.to_owned(), entry, standing: Some(standing), ended, asleep: None })
            .await
    }

    async fn find_person(&self, name_or_id: &str) -> Result<Option<PersonRow>, StoreError> {
        read!(self, readers => people::find(readers, name_or_id).await)
    }

    async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        read!(self, readers => games::one(readers, id).await)
    }

    async fn games(
        &self,
        person: &str,
        filter: &Filter,
        before: Option<Place>,
        most: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        read!(self, readers => games::list(readers, person, filter, before, most).await)
    }

    async fn games_after(&self, n: u64, most: u32) -> Result<Vec<GameRow>, StoreError> {
        read!(self, readers => games::after(readers, n, most).await)
    }

    async fn plies(&self, n: u64) -> Result<Option<Plies>, StoreError> {
        read!(self, readers => games::plies(readers, n).await)
    }

    async fn tally(&self, person: &str, opponent: Option<&str>) -> Result<Vec<Tally>, StoreError> {
        read!(self, readers => games::tally(readers, person, opponent).await)
    }

    async fn ratings(&self, person: &str) -> Result<Vec<(::people::Pool, ::people::Rating)>, StoreError> {
        read!(self, readers => games::ratings(readers, person).await)
    }

    async fn curves(&self, person: &str, most: u32) -> Result<Curves, StoreError> {
        read!(self, readers => games::curves(readers, person, most).await)
    }
}

#[async_trait::async_trait]
impl Mail for Stock {
    async fn mail(&self, change: MailChange) -> Result<(), StoreError> {
        self.tell(What::Mail(Box::new(change))).await
    }

    async fn mail_address(&self, person: &str) -> Result<Option<MailAddress>, StoreError> {
        read!(self, readers => mail::of(readers, person).await)
    }

    async fn accounts_at(&self, mailbox: Mailbox) -> Result<Vec<(MailAddress, String)>, StoreError> {
        read!(self, readers => mail::accounts_at(readers, mailbox).await)
    }

    async fn unconfirmed(&self, person: &str, now_ms: u64) -> Result<Option<String>, StoreError> {
        read!(self, readers => mail::unconfirmed(readers, person, now_ms).await)
    }

    async fn mail_link(&self, hash: [u8; 32], now_ms: u64) -> Result<Option<(MailLink, String)>, StoreError> {
        read!(self, readers => mail::link(readers, hash, now_ms).await)
    }

    async fn is_stopped(&self, mailbox: Mailbox) -> Result<bool, StoreError> {
        read!(self, readers => mail::is_stopped(readers, mailbox).await)
    }

    async fn digests_due(&self, now_ms: u64, most: u32) -> Result<Vec<MailAddress>, StoreError> {
        read!(self, readers => mail::digests_due(readers, now_ms, most).await)
    }

    async fn waiting_games(&self, person: &str, now_ms: u64) -> Result<Vec<WaitingGame>, StoreError> {
        read!(self, readers => mail::waiting_games(readers, person, now_ms).await)
    }
}

#[async_trait::async_trait]
impl Notices for Stock {
    async fn notice(&self, change: NoticeChange) -> Result<(), StoreError> {
        self.tell(What::Notice(Box::new(change))).await
    }

    async fn noticed(&self, of: &[(String, String)]) -> Result<Vec<(String, String)>, StoreError> {
        read!(self, readers => notices::noticed(readers, of).await)
    }

    async fn hall_secret(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        read!(self, readers => notices::secret(readers, name).await)
    }

    async fn devices(&self, person: &str) -> Result<Vec<Device>, StoreError> {
        read!(self, readers => notices::devices(readers, person).await)
    }

    async fn told_people(&self) -> Result<Vec<String>, StoreError> {
        read!(self, readers => notices::told_people(readers).await)
    }

    async fn quiet(&self, person: &str) -> Result<Option<Quiet>, StoreError> {
        read!(self, readers => notices::quiet(readers, person).await)
    }

    async fn notices_due(
        &self,
        now_ms: u64,
        most: u32,
        but: &[String],
    ) -> Result<Vec<DueNotice>, StoreError> {
        read!(self, readers => notices::due(readers, now_ms, most, but).await)
    }

    async fn nearly_out(&self, now_ms: u64, most: u32) -> Result<Vec<(String, String, u64)>, StoreError> {
        read!(self, readers => notices::nearly_out(readers, now_ms, most).await)
    }
}

#[async_trait::async_trait]
impl SlowGames for Stock {
    async fn append_slow(
        &self,
        id: &str,
        entry: Entry,
        standing: Option<Standing>,
        asleep: Asleep,
    ) -> Result<(), StoreError> {
        let (id, asleep) = (id.to_owned(), Some(asleep));
        self.tell(What::Append { id, entry, standing, ended: None, asleep }).await
    }

    async fn resume(&self, now_ms: u64) -> Result<u64, StoreError> {
        match self.ask(What::Resume { from_ms: None, now_ms }).await? {
            Reply::Gap(gap) => Ok(gap),
            _ => Err(odd()),
        }
    }

    async fn resume_from(&self, from_ms: u64, now_ms: u64) -> Result<u64, StoreError> {
        match self.ask(What::Resume { from_ms: Some(from_ms), now_ms }).await? {
            Reply::Gap(gap) => Ok(gap),
            _ => Err(odd()),
        }
    }

    async fn slow_games(&self, person: &str, most: u32) -> Result<Vec<SlowGame>, StoreError> {
        read!(self, readers => slow::games(readers, person, most).await)
    }

    async fn vacation(&self, person: &str) -> Result<Option<Vacation>, StoreError> {
        read!(self, readers => slow::vacation(readers, person).await)
    }

    async fn on_vacation(&self) -> Result<Vec<(String, Vacation)>, StoreError> {
        read!(self, readers => slow::on_vacation(readers).await)
    }

    async fn set_vacation(
        &self,
        person: &str,
        vacation: Vacation,
        now_ms: u64,
    ) -> Result<Vec<String>, StoreError> {
        match self.ask(What::Vacation { person: person.to_owned(), vacation, now_ms }).await? {
            Reply::Rewritten(tables) => Ok(tables),
            _ => Err(odd()),
        }
    }

    async fn plans(&self, id: &str) -> Result<Vec<StoredPlan>, StoreError> {
        read!(self, readers => slow::plans(readers, id).await)
    }

    async fn set_plan(&self, id: &str, plan: StoredPlan) -> Result<(), StoreError> {
        self.tell(What::Plan { id: id.to_owned(), plan }).await
    }

    async fn plans_due(&self, most: u32) -> Result<Vec<String>, StoreError> {
        self.ids(slow::PLANS_DUE, None, most).await
    }

    async fn seat_note(&self, id: &str, person: &str) -> Result<String, StoreError> {
        read!(self, readers => slow::note(readers, id, person).await)
    }

    async fn set_seat_note(&self, id: &str, person: &str, text: &str) -> Result<(), StoreError> {
        let (id, person, text) = (id.to_owned(), person.to_owned(), text.to_owned());
        self.tell(What::SeatNote { id, person, text }).await
    }
}
