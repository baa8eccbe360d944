//! The export of all that the hall holds about a person, as JSON Lines: one object a line, whose `kind` names its
//! type.
//!
//! `account`, `credential`, `session`, `token`, `noted`, `relation`, `told-in`, `quiet`, `mail`, `report`, `decision`, `said`, then `map` with its files in Base64 and `table` with its setup and its
//! log. No secret is in it, nor what proves one. It is read piece by piece: memory holds one table at a time.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use store::together::Which;
use store::{Find, Store, StoreError};
use wire::LogLine;

/// Tables that are asked for with one query.
const PAGE: u32 = 100;
/// Reports by one person, and decisions about them, at most.
const REPORTS: u32 = 1000;
/// All that is noted about one person.
const NOTES: u32 = store::accounts::MOST_NOTES;

/// Passes on the lines, each with its line break, until all are written or `put` says that the client has stopped
/// reading.
///
/// # Errors
/// An error when the store fails; [`Missing`](StoreError::Missing) when there is no such person. What is damaged is named in its
/// line, and the rest goes on.
pub async fn write<F>(store: &Store, person: &str, put: impl Fn(String) -> F) -> Result<(), StoreError>
where
    F: Future<Output = bool>,
{
    let account = store.accounts.account(Find::Id(person)).await?.ok_or(StoreError::Missing)?;
    let roles: Vec<&str> = account.roles.iter().map(|role| role.name()).collect();
    let mut lines = vec![json!({
        "kind": "account", "id": account.person.id, "name": account.person.name, "roles": roles,
        "made_ms": account.person.made_ms, "seen_ms": account.person.seen_ms, "named_ms": account.named_ms,
        "recovery_codes": account.recovery,
    })];
    lines.extend(account.credentials.iter().map(|c| {
        let sort = if c.key.is_some() { "passkey" } else { "password" };
        json!({ "kind": "credential", "sort": sort, "label": c.label, "made_ms": c.made_ms, "used_ms": c.used_ms })
    }));
    lines.extend(account.sessions.iter().map(
        |s| json!({ "kind": "session", "device": s.label, "made_ms": s.made_ms, "used_ms": s.used_ms }),
    ));
    lines.extend(account.tokens.iter().map(|t| {
        json!({ "kind": "token", "name": t.label, "scopes": t.scopes.to_string(), "made_ms": t.made_ms,
            "expires_ms": t.expires_ms, "used_ms": t.used_ms })
    }));
    lines.extend(store.accounts.noted(Some(person), None, NOTES).await?.into_iter().map(|(_, note)| {
        json!({ "kind": "noted", "at_ms": note.at_ms, "act": note.act, "network": note.network,
            "device": note.device, "detail": note.detail })
    }));
    lines.extend(store.together.relations(person).await?.into_iter().map(|(row, relation)| {
        json!({ "kind": "relation", "to": row.id, "name": row.name, "follows": relation.follows,
            "blocks": relation.blocks, "note": relation.note })
    }));
    // With the whole address and the keys anyone could send notices to that browser.
    lines.extend(store.notices.devices(person).await?.into_iter().map(|device| {
        let service = url::Url::parse(&device.endpoint).ok();
        let service = service.as_ref().and_then(|url| url.host_str().map(str::to_owned));
        json!({ "kind": "told-in", "service": service, "language": device.lang })
    }));
    lines.extend(store.notices.quiet(person).await?.map(|quiet| {
        json!({ "kind": "quiet", "from_min": quiet.from_min(), "to_min": quiet.to_min(), "zone": quiet.zone() })
    }));
    lines.extend(store.mail.mail_address(person).await?.map(|at| {
        json!({ "kind": "mail", "address": at.address, "language": at.lang, "since_ms": at.since_ms, "digest": at.digest })
    }));
    for (kind, which) in [("report", Which::By(person)), ("decision", Which::About(person))] {
        let complaints = store.together.complaints(which, REPORTS).await?;
        // The name and the words of a reporter are not shown to the reported person.
        lines.extend(complaints.into_iter().filter(|c| kind == "report" || c.decided.is_some()).map(|c| {
            let decided = c
                .decided
                .map(|d| json!({ "decision": d.decision.key(), "reason": d.reason, "at_ms": d.at_ms }));
            let (words, appeal) = if kind == "report" { (Some(c.words), None) } else { (None, c.appeal) };
            json!({ "kind": kind, "n": c.n, "subject": c.subject.key(), "words": words, "made_ms": c.made_ms,
                "decided": decided.filter(|_| kind == "decision"), "appeal": appeal.map(|(words, _)| words) })
        }));
    }
    for line in lines {
        if !put(text(&line)).await {
            return Ok(());
        }
    }
    let mut last = 0;
    loop {
        let said = store.together.said_by(person, last, PAGE).await?;
        let Some(end) = said.last() else { break };
        last = end.n;
        for row in said {
            let line = crate::chat::line(row.clone());
            let line = json!({ "kind": "said", "table": row.table, "at_ms": row.at_ms, "watching": row.watching,
                "phrase": line.phrase, "words": line.words });
            if !put(text(&line)).await {
                return Ok(());
            }
        }
    }
    for id in store.maps.maps_of(person).await? {
        if !put(text(&map(store, &id).await?)).await {
            return Ok(());
        }
    }
    let mut last = String::new();
    loop {
        let ids = store.tables.tables_of(person, &last, PAGE).await?;
        let Some(end) = ids.last() else { return Ok(()) };
        last.clone_from(end);
        for id in &ids {
            if !put(text(&table(store, id).await?)).await {
                return Ok(());
            }
        }
    }
}

fn text(line: &Value) -> String {
    format!("{line}\n")
}

async fn map(store: &Store, id: &str) -> Result<Value, StoreError> {
    let Some(map) = store.maps.map(id).await? else { return Ok(json!({ "kind": "map", "id": id })) };
    let extension = |source: &catalog::maps::Source| json!({ "file": source.file, "base64": STANDARD.encode(&source.bytes) });
    let extensions: Vec<Value> = map.package.extensions.iter().map(extension).collect();
    let xlsx = STANDARD.encode(&map.package.map);
    Ok(json!({ "kind": "map", "id": id, "map": map.line, "xlsx": xlsx, "extensions": extensions }))
}

async fn table(store: &Store, id: &str) -> Result<Value, StoreError> {
    let stored = match store.logs.load(id).await {
        Ok(Some(stored)) => stored,
        Ok(None) => return Ok(json!({ "kind": "table", "id": id })),
        Err(StoreError::Damaged(damage)) => {
            return Ok(json!({ "kind": "table", "id": id, "damaged": damage.what }));
        }
        Err(why) => return Err(why),
    };
    let setup = &stored.setup;
    let log: Vec<LogLine> = stored
        .log
        .into_iter()
        .map(|entry| LogLine { v: entry.ver, at_ms: entry.at_ms, cmd: None, e: (&entry.event).into() })
        .collect();
    Ok(json!({
        "kind": "table", "id": id, "game": setup.game, "options": setup.options, "map": setup.map, "fen": setup.fen,
        "how": setup.how, "room": setup.room, "clock": setup.clock, "created_ms": setup.created_ms, "log": log,
    }))
}
