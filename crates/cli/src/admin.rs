//! The command `qiguan admin`: check, back up, restore and rebuild the data of a hall. Also the messages of the
//! program about data that cannot be used.

use std::fs::{File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use hall::audit::Auditor;
use hall::staff::line::{self, NotDone};
use members::staff::desk::{Desk, StaffAnswer, StaffWish};
use people::staff::{By, Range};
use store::{Damage, Join, Open, Report, Store, StoreError};
use texts::{Language, say};

use crate::args::{Admin, AnnounceWish, BanWish, Place, RegistrationWish, WorkerKey};
use crate::out::{line, note};

/// Files of a hall beside its database that a backup has too.
const COMPANIONS: [&str; 2] = [library::Library::FILE, puzzles::Shelf::FILE];

pub fn run(wish: &Admin, language: Language) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|why| why.to_string())?;
    runtime.block_on(async {
        match wish {
            Admin::Check { place } => match database(place) {
                Some(url) => polite(check_database(&url, language)).await,
                None => polite(check(&place.data.folder, language)).await,
            },
            Admin::Backup { file, data } => polite(backup(file, &data.folder, language)).await,
            Admin::Restore { file, replace, data } => restore(file, *replace, &data.folder, language).await,
            Admin::Pardon { table, place } => pardon(table, place, language).await,
            Admin::Rebuild { data } => rebuild(&data.folder, language).await,
            Admin::Ratings { recompute: _, data } => ratings(&data.folder, language).await,
            Admin::Role { name, role, remove, place } => {
                change_role(name, role, *remove, place, language).await
            }
            Admin::Forget { name, place } => forget(name, place, language).await,
            Admin::Export { name, file, place } => export(name, file, place, language).await,
            Admin::Ban { ban: wish, place } => ban(wish, place, language).await,
            Admin::Unban { who, place } => unban(who, place, language).await,
            Admin::Hits { range, place } => {
                list(StaffWish::Hits { network: range.clone() }, place, language).await
            }
            Admin::Bans { place } => list(StaffWish::Bans, place, language).await,
            Admin::Decide { name, decision, days, reason, place } => {
                let decide =
                    wire::StaffDecide { decision: decision.clone(), reason: reason.clone(), days: *days };
                decide_about(StaffWish::Decide { who: name.clone(), decide }, place, language).await
            }
            Admin::Reports { about, place } => {
                list(StaffWish::Reports { about: about.clone() }, place, language).await
            }
            Admin::Report { number, decision, days, reason, place } => {
                let decide = wire::Decide { decision: decision.clone(), reason: reason.clone(), days: *days };
                decide_about(StaffWish::Report { n: *number, decide }, place, language).await
            }
            Admin::Person { name, place } => {
                list(StaffWish::Person { who: name.clone() }, place, language).await
            }
            Admin::Announce { announce: wish, place } => announce(wish, place, language).await,
            Admin::Registration { registration: wish, place } => registration(wish, place, language).await,
            Admin::Invitations { revoke, place } => invitations(revoke.as_deref(), place, language).await,
            Admin::TakeDown { map: None, place, .. } => list(StaffWish::Down, place, language).await,
            Admin::TakeDown { map: Some(map), reason, place } => {
                take_down(map, reason, true, place, language).await
            }
            Admin::PutBack { map, place } => take_down(map, "", false, place, language).await,
            Admin::Search { text, sharing, place } => {
                let text = text.clone().unwrap_or_default();
                let wish =
                    sharing.clone().map_or(StaffWish::Search { text }, |who| StaffWish::Sharing { who });
                list(wish, place, language).await
            }
            Admin::Audit { about, below, place } => {
                list(StaffWish::Audit { about: about.clone(), below: *below }, place, language).await
            }
            Admin::BusKey { new_name, store } => bus_key(*new_name, store.as_deref(), language).await,
            Admin::WorkerKey(wish) => worker_key(wish, language).await,
            Admin::Move { data, store } => move_to(&data.folder, store.as_deref(), language).await,
            Admin::AcceptDamage { data } => accept_damage(&data.folder, language).await,
        }
    })
}

async fn check(folder: &Path, language: Language) -> Result<(), String> {
    has_data(folder, language)?;
    let auditor = Auditor::new(crate::extensions::loader());
    let judge =
        |id: &str, stored: &store::Stored, map: Option<&store::StoredMap>| auditor.judge(id, stored, map);
    let checked = match hold(folder) {
        // Held until the check has ended.
        Ok(_locks) => store::check_at_rest(folder, Some(&judge)).await,
        Err(Held::InUse) => {
            line!("{}", say(language, "cli-admin-check-in-use", &[("folder", &shown(folder))]));
            store::check(folder, Some(&judge)).await
        }
        Err(Held::Failed(why)) => return Err(failed(folder, &why, language)),
    };
    let report = match checked {
        Err(StoreError::Damaged(damage)) => Report { findings: vec![*damage], ..Report::default() },
        checked => checked.map_err(|why| refusal(folder, &why, language))?,
    };
    line!("{}", said_of(&report, "cli-admin-checked", folder, language));
    findings(&report, folder, language)
}

async fn backup(file: &Path, folder: &Path, language: Language) -> Result<(), String> {
    has_data(folder, language)?;
    if file.exists() {
        return Err(say(language, "cli-admin-file-is-there", &[("file", &shown(file))]));
    }
    let place = file.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !place.is_dir() {
        return Err(say(language, "cli-admin-no-folder", &[("folder", &shown(place))]));
    }
    let report =
        store::backup(folder, file, &COMPANIONS).await.map_err(|why| refusal(folder, &why, language))?;
    line!("{}", said_of(&report, "cli-admin-backed-up", file, language));
    findings(&report, folder, language)
}

async fn restore(file: &Path, replace: bool, folder: &Path, language: Language) -> Result<(), String> {
    if !file.is_file() {
        return Err(say(language, "cli-admin-no-backup", &[("file", &shown(file))]));
    }
    let in_use = || say(language, "cli-admin-in-use", &[("folder", &shown(folder))]);
    let lock = match hold_folder(folder) {
        Ok(lock) => Some(lock),
        Err(Held::InUse) => return Err(in_use()),
        Err(Held::Failed(why)) if why.kind() == std::io::ErrorKind::NotFound => None,
        Err(Held::Failed(why)) => return Err(failed(folder, &why, language)),
    };
    if lock.is_some() && !replace && !is_empty(folder).map_err(|why| failed(folder, &why, language))? {
        return Err(say(language, "cli-admin-not-empty", &[("folder", &shown(folder))]));
    }
    let report = store::restore(file, folder, &COMPANIONS).await.map_err(|why| match why {
        StoreError::Damaged(damage) => {
            let facts = [("file", shown(file)), ("what", damage.what), ("place", damage.place)];
            said(language, "cli-admin-bad-backup", &facts)
        }
        why => refusal(folder, &why, language),
    })?;
    drop(lock);
    line!("{}", said_of(&report, "cli-admin-restored", folder, language));
    findings(&report, folder, language)
}

async fn pardon(table: &str, place: &Place, language: Language) -> Result<(), String> {
    let (_locks, store) = open_place(place, language).await?;
    let folder = &shown_place(place);
    let key = match store.logs.load(table).await {
        Ok(None) => Err("cli-admin-no-table"),
        Ok(Some(stored)) if stored.strikes == 0 => Ok("cli-admin-no-strikes"),
        Ok(Some(_)) => {
            store.tables.pardon(table).await.map_err(|why| refusal(folder, &why, language))?;
            Ok("cli-admin-pardoned")
        }
        Err(why) => return Err(refusal(folder, &why, language)),
    };
    store.condition.close().await;
    let facts = [("table", table.to_owned()), ("folder", shown(folder))];
    let key = key.map_err(|key| said(language, key, &facts))?;
    line!("{}", said(language, key, &facts));
    Ok(())
}

async fn rebuild(folder: &Path, language: Language) -> Result<(), String> {
    has_data(folder, language)?;
    let _locks = alone(folder, language)?;
    let auditor = Auditor::new(crate::extensions::loader());
    let judge =
        |id: &str, stored: &store::Stored, map: Option<&store::StoredMap>| auditor.judge(id, stored, map);
    let done = store::rebuild(folder, &judge).await.map_err(|why| refusal(folder, &why, language))?;
    let facts = [
        ("folder", shown(folder)),
        ("games", done.games.to_string()),
        ("made", done.made.to_string()),
        ("mended", done.mended.to_string()),
        ("deleted", done.deleted.to_string()),
        ("ratings", done.ratings.to_string()),
        ("deadlines", done.deadlines.to_string()),
    ];
    line!("{}", said(language, "cli-admin-rebuilt", &facts));
    findings(&Report { findings: done.unread, ..Report::default() }, folder, language)
}

async fn ratings(folder: &Path, language: Language) -> Result<(), String> {
    has_data(folder, language)?;
    let _locks = alone(folder, language)?;
    let wrong = store::recompute_ratings(folder).await.map_err(|why| refusal(folder, &why, language))?;
    let facts = [("folder", shown(folder)), ("ratings", wrong.to_string())];
    line!("{}", said(language, "cli-admin-ratings", &facts));
    Ok(())
}

/// Runs long work beside a hall that people play in: threads that it starts have a lower priority.
async fn polite<T>(work: impl Future<Output = T>) -> T {
    // Not lowering it harms nothing.
    let _ = rustix::process::nice(10);
    work.await
}

async fn accept_damage(folder: &Path, language: Language) -> Result<(), String> {
    has_data(folder, language)?;
    let (_locks, store) =
        open_alone(folder, Open { accept_damage: true, ..Open::default() }, language).await?;
    let written = store.condition.probe_write().await;
    store.condition.close().await;
    written.map_err(|why| refusal(folder, &why, language))?;
    line!("{}", say(language, "cli-admin-accepted", &[("folder", &shown(folder))]));
    Ok(())
}

/// Carries out a request of the keeper: by the hall if one uses the folder, otherwise here. The lines of an export go
/// to `put`.
async fn staff(
    wish: &StaffWish,
    place: &Place,
    language: Language,
    put: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<StaffAnswer, String> {
    let folder = &place.data.folder;
    if database(place).is_none() {
        has_data(folder, language)?;
        match hold(folder) {
            Ok(locks) => drop(locks),
            Err(Held::InUse) => return beside(wish, folder, language, put).await,
            Err(Held::Failed(why)) => return Err(failed(folder, &why, language)),
        }
    }
    let (_locks, store) = open_place(place, language).await?;
    let folder = &shown_place(place);
    let desk = Desk {
        store: &store,
        now_ms: store.claims.clock_ms().await.ok().flatten().unwrap_or_else(store::now_ms),
    };
    let told = desk.carry_out(&By::keeper(), wish.clone()).await;
    let told = match told {
        Ok(told) => match (&told, wish) {
            (StaffAnswer::Id(id), StaffWish::Export { .. }) => {
                let exported = export_lines(&store, id, put).await;
                exported.map(|()| told).map_err(|why| refusal(folder, &why, language))
            }
            _ => Ok(told),
        },
        Err(problem) => Err(refused(&problem.into(), wish, folder, language)),
    };
    store.condition.close().await;
    told
}

/// Carries out the request by the running hall.
async fn beside(
    wish: &StaffWish,
    folder: &Path,
    language: Language,
    put: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<StaffAnswer, String> {
    line::ask(folder, wish, |line| put(line)).await.map_err(|why| match why {
        NotDone::Nobody(why) => {
            said(language, "cli-admin-no-socket", &[("folder", shown(folder)), ("why", why.to_string())])
        }
        NotDone::Refused(problem) => refused(&problem, wish, folder, language),
    })
}

/// Returns the sentence about a request that was refused.
fn refused(problem: &wire::Problem, wish: &StaffWish, folder: &Path, language: Language) -> String {
    if problem.key == "no-such-person"
        && let Some(name) = named(wish)
    {
        return said(
            language,
            "cli-admin-no-account",
            &[("name", name.to_owned()), ("folder", shown(folder))],
        );
    }
    let facts: Vec<(&str, &str)> =
        problem.args.iter().map(|(name, value)| (name.as_ref(), value.as_str())).collect();
    if problem.key == "range-wide" {
        // The desk on the page confirms with a second button, this command with an option.
        return say(language, "cli-admin-range-wide", &facts);
    }
    say(language, &format!("problem-{}", problem.key), &facts)
}

fn named(wish: &StaffWish) -> Option<&str> {
    match wish {
        StaffWish::Role { who, .. }
        | StaffWish::Forget { who }
        | StaffWish::Export { who }
        | StaffWish::Person { who }
        | StaffWish::Sharing { who }
        | StaffWish::Decide { who, .. } => Some(who),
        StaffWish::Audit { about, .. } | StaffWish::Reports { about } => about.as_deref(),
        _ => None,
    }
}

/// Carries out a request whose answer is a sentence.
async fn do_it(
    wish: StaffWish,
    place: &Place,
    language: Language,
    key: &str,
    facts: &[(&str, String)],
) -> Result<(), String> {
    staff(&wish, place, language, &mut |_| Ok(())).await?;
    line!("{}", said(language, key, facts));
    Ok(())
}

async fn change_role(
    name: &str,
    role: &str,
    remove: bool,
    place: &Place,
    language: Language,
) -> Result<(), String> {
    let wish = StaffWish::Role { who: name.to_owned(), role: role.to_owned(), give: !remove };
    do_it(wish, place, language, "cli-admin-role-changed", &[("name", name.to_owned())]).await
}

async fn forget(name: &str, place: &Place, language: Language) -> Result<(), String> {
    let wish = StaffWish::Forget { who: name.to_owned() };
    do_it(wish, place, language, "cli-admin-forgotten", &[("name", name.to_owned())]).await
}

async fn ban(wish: &BanWish, place: &Place, language: Language) -> Result<(), String> {
    let BanWish { who, days, reason, spare_days, wide } = wish;
    let facts = [("who", who.clone()), ("days", days.to_string())];
    let wish = if is_address(who) {
        StaffWish::Ban(wire::NewBan {
            network: who.clone(),
            days: *days,
            reason: reason.clone(),
            spares_days: *spare_days,
            sure: *wide,
        })
    } else {
        let decide =
            wire::StaffDecide { decision: "suspend".to_owned(), reason: reason.clone(), days: Some(*days) };
        StaffWish::Decide { who: who.clone(), decide }
    };
    do_it(wish, place, language, "cli-admin-banned", &facts).await
}

/// Returns true for an address or a range: a name has no dot, no colon and no slash.
fn is_address(who: &str) -> bool {
    who.contains(['.', ':', '/'])
}

async fn unban(who: &str, place: &Place, language: Language) -> Result<(), String> {
    if is_address(who) {
        return unban_range(who, place, language).await;
    }
    let wish = match who.parse() {
        Ok(n) => StaffWish::Lift { n },
        Err(_) => {
            let decide =
                wire::StaffDecide { decision: "reopen".to_owned(), reason: String::new(), days: None };
            StaffWish::Decide { who: who.to_owned(), decide }
        }
    };
    do_it(wish, place, language, "cli-admin-unbanned", &[("who", who.to_owned())]).await
}

/// Lifts every ban of exactly that range.
async fn unban_range(who: &str, place: &Place, language: Language) -> Result<(), String> {
    let range = Range::read(who)
        .map_err(|problem| refused(&problem.into(), &StaffWish::Bans, &place.data.folder, language))?
        .to_string();
    let StaffAnswer::Bans(bans) = staff(&StaffWish::Bans, place, language, &mut |_| Ok(())).await? else {
        return Ok(());
    };
    let of_range: Vec<u64> =
        bans.addresses.into_iter().filter(|ban| ban.network == range).map(|ban| ban.n).collect();
    if of_range.is_empty() {
        return Err(said(language, "cli-admin-no-ban-of", &[("range", range)]));
    }
    for n in of_range {
        staff(&StaffWish::Lift { n }, place, language, &mut |_| Ok(())).await?;
    }
    line!("{}", said(language, "cli-admin-unbanned", &[("who", range)]));
    Ok(())
}

async fn decide_about(wish: StaffWish, place: &Place, language: Language) -> Result<(), String> {
    do_it(wish, place, language, "cli-admin-decided", &[]).await
}

async fn list(wish: StaffWish, place: &Place, language: Language) -> Result<(), String> {
    crate::desk::print(staff(&wish, place, language, &mut |_| Ok(())).await?);
    Ok(())
}

async fn invitations(revoke: Option<&str>, place: &Place, language: Language) -> Result<(), String> {
    match revoke {
        Some(id) => {
            let wish = StaffWish::Uninvite { id: id.to_owned() };
            do_it(wish, place, language, "cli-admin-uninvited", &[]).await
        }
        None => list(StaffWish::Invitations, place, language).await,
    }
}

async fn registration(wish: &RegistrationWish, place: &Place, language: Language) -> Result<(), String> {
    let RegistrationWish { how, accounts_only, guests, invite, label, days } = wish;
    let changes = how.is_some() || *accounts_only || *guests;
    if changes {
        register(wish, place, language).await?;
    }
    match invite {
        Some(uses) => {
            let wish = wire::NewInvitation { label: label.clone(), uses: *uses, days: *days };
            list(StaffWish::Invite(wish), place, language).await
        }
        None if changes => Ok(()),
        None => list(StaffWish::House, place, language).await,
    }
}

/// Changes who may make an account and who may play; what the command does not name stays.
async fn register(wish: &RegistrationWish, place: &Place, language: Language) -> Result<(), String> {
    let RegistrationWish { how, accounts_only, guests, .. } = wish;
    let StaffAnswer::House(now) = staff(&StaffWish::House, place, language, &mut |_| Ok(())).await? else {
        return Ok(());
    };
    let wish = wire::NewRegistration {
        registration: how.clone().unwrap_or(now.registration),
        accounts_only: *accounts_only || now.accounts_only && !guests,
    };
    do_it(StaffWish::Register(wish), place, language, "cli-admin-registration", &[]).await
}

async fn announce(wish: &AnnounceWish, place: &Place, language: Language) -> Result<(), String> {
    let AnnounceWish { en, zh, hours, withdraw } = wish;
    if let Some(n) = withdraw {
        return do_it(StaffWish::Withdraw { n: *n }, place, language, "cli-admin-withdrawn", &[]).await;
    }
    let (Some(en), Some(zh)) = (en.clone(), zh.clone()) else {
        return list(StaffWish::House, place, language).await;
    };
    let wish = StaffWish::Announce(wire::NewAnnouncement { en, zh, hours: *hours });
    do_it(wish, place, language, "cli-admin-announced", &[]).await
}

async fn take_down(
    map: &str,
    reason: &str,
    down: bool,
    place: &Place,
    language: Language,
) -> Result<(), String> {
    let wish = wire::TakeDown { down, reason: reason.to_owned() };
    let key = if down { "cli-admin-taken-down" } else { "cli-admin-put-back" };
    do_it(StaffWish::Map { id: map.to_owned(), wish }, place, language, key, &[("map", map.to_owned())]).await
}

/// Writes an export line by line.
async fn export_lines(
    store: &Store,
    person: &str,
    put: &mut dyn FnMut(&str) -> std::io::Result<()>,
) -> Result<(), StoreError> {
    let (send, mut lines) = tokio::sync::mpsc::channel::<String>(16);
    let reading = hall::export::write(store, person, move |text| {
        let send = send.clone();
        async move { send.send(text).await.is_ok() }
    });
    let writing = async {
        let mut written = Ok(());
        while let Some(text) = lines.recv().await {
            written = put(text.trim_end_matches('\n'));
            if written.is_err() {
                break;
            }
        }
        written
    };
    let (read, written) = tokio::join!(reading, writing);
    read?;
    written.map_err(|why| StoreError::Failed(why.to_string()))
}

async fn export(name: &str, file: &Path, place: &Place, language: Language) -> Result<(), String> {
    if file.exists() {
        return Err(say(language, "cli-admin-file-is-there", &[("file", &shown(file))]));
    }
    let unwritten = |why: &std::io::Error| failed(file, why, language);
    let made = for_its_owner(file).map_err(|why| unwritten(&why))?;
    let mut out = BufWriter::new(made);
    let wish = StaffWish::Export { who: name.to_owned() };
    let mut put = |text: &str| writeln!(out, "{text}");
    staff(&wish, place, language, &mut put).await.inspect_err(|_| drop(std::fs::remove_file(file)))?;
    out.flush().map_err(|why| unwritten(&why))?;
    line!("{}", said(language, "cli-admin-exported", &[("name", name.to_owned())]));
    Ok(())
}

/// Creates a file that only its owner may read: it holds private data of a person.
fn for_its_owner(file: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Returns the address of the database to use instead of a folder; the environment does not override a folder that is
/// named.
fn database(place: &Place) -> Option<String> {
    let is_default = place.data.folder == Path::new("data");
    place.store.clone().or_else(|| is_default.then(database_of_environment).flatten())
}

fn database_of_environment() -> Option<String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let file = || std::fs::read_to_string(set("QIGUAN_STORE_FILE")?).ok();
    let url = set("QIGUAN_STORE").or_else(file)?;
    Some(url.trim_end_matches(['\r', '\n']).to_owned())
}

/// Returns the name of the place for sentences, without the address, which may contain a password.
fn shown_place(place: &Place) -> PathBuf {
    if database(place).is_some() { PathBuf::from("PostgreSQL") } else { place.data.folder.clone() }
}

/// A node with a random name, for as long as a command runs.
fn visitor(url: String) -> Join {
    Join { url, node: format!("admin-{}", std::process::id()) }
}

/// Opens the database as such a node.
async fn enter(url: String, language: Language) -> Result<Store, String> {
    Store::join(&visitor(url)).await.map_err(|why| refusal(Path::new("PostgreSQL"), &why, language))
}

/// Opens the data, locked against other processes where they are in a folder.
async fn open_place(place: &Place, language: Language) -> Result<(Vec<File>, Store), String> {
    if let Some(url) = database(place) {
        return Ok((Vec::new(), enter(url, language).await?));
    }
    let folder = &place.data.folder;
    has_data(folder, language)?;
    open_alone(folder, Open::default(), language).await
}

/// Makes, lists, removes or restores keys of workers: a hall that uses the folder does it.
async fn worker_key(wish: &WorkerKey, language: Language) -> Result<(), String> {
    let (wish, place) = match wish {
        WorkerKey::Add { name, scopes, place } => {
            (StaffWish::Hire(wire::NewWorkerKey { name: name.clone(), scopes: scopes.clone() }), place)
        }
        WorkerKey::List { place } => (StaffWish::WorkerKeys, place),
        WorkerKey::Remove { id, place } => (StaffWish::Dismiss { id: id.clone() }, place),
        WorkerKey::Restore { id, place } => (StaffWish::Rehire { id: id.clone() }, place),
    };
    match staff(&wish, place, language, &mut |_| Ok(())).await? {
        StaffAnswer::WorkerKey(made) => {
            line!("{}", made.token);
            let facts =
                [("name", made.key.name), ("id", made.key.id), ("scopes", made.key.scopes.join(", "))];
            note!("{}", said(language, "cli-worker-key-made", &facts));
        }
        StaffAnswer::WorkerKeys(keys) => {
            for key in keys {
                let aside = key.aside.map(|why| said(language, "cli-worker-key-aside", &[("why", why)]));
                line!("{}  {}  {}{}", key.id, key.scopes.join(","), key.name, aside.unwrap_or_default());
            }
        }
        _ => {}
    }
    Ok(())
}

async fn check_database(url: &str, language: Language) -> Result<(), String> {
    let auditor = Auditor::new(crate::extensions::loader());
    let judge =
        |id: &str, stored: &store::Stored, map: Option<&store::StoredMap>| auditor.judge(id, stored, map);
    let place = Path::new("PostgreSQL");
    let checked = store::check_database(&visitor(url.to_owned()), &judge).await;
    let report = checked.map_err(|why| refusal(place, &why, language))?;
    line!("{}", said_of(&report, "cli-admin-checked", place, language));
    for Damage { what, place, .. } in &report.findings {
        line!("  {place}: {what}");
    }
    if report.is_whole() {
        return Ok(());
    }
    let count = report.findings.len() as u64 + report.more;
    Err(said(language, "cli-admin-found-in-database", &[("count", count.to_string())]))
}

async fn bus_key(new_name: bool, store: Option<&str>, language: Language) -> Result<(), String> {
    let Some(url) = store.map(str::to_owned).or_else(database_of_environment) else {
        return Err(say(language, "cli-admin-bus-needs-store", &[]));
    };
    let store = enter(url, language).await?;
    let made = tables::cluster::renew_keys(&store, new_name).await;
    store.condition.close().await;
    let (hall, key) = made.map_err(|why| refusal(Path::new("PostgreSQL"), &why, language))?;
    let sentence = if new_name { "cli-admin-bus-name" } else { "cli-admin-bus-key" };
    line!("{}", said(language, sentence, &[("hall", hall), ("key", key.to_string())]));
    Ok(())
}

async fn move_to(folder: &Path, store: Option<&str>, language: Language) -> Result<(), String> {
    let Some(url) = store.map(str::to_owned).or_else(database_of_environment) else {
        return Err(say(language, "cli-admin-move-where", &[]));
    };
    has_data(folder, language)?;
    let _locks = alone(folder, language)?;
    let join = Join { url, node: "move".to_owned() };
    let told = |moved: store::Moved<'_>| {
        let (key, facts) = match moved {
            store::Moved::Written { table, rows, of } => (
                "cli-admin-move-written",
                vec![("table", table.to_owned()), ("rows", rows.to_string()), ("of", of.to_string())],
            ),
            store::Moved::Compared { tables, of } => {
                ("cli-admin-move-compared", vec![("tables", tables.to_string()), ("of", of.to_string())])
            }
        };
        crate::out::note!("{}", said(language, key, &facts));
    };
    let moved =
        store::move_to_postgres(folder, &join, &told).await.map_err(|why| refusal(folder, &why, language))?;
    for (table, rows) in &moved {
        line!("  {table}: {rows}");
    }
    let rows: u64 = moved.values().sum();
    let tables = moved.get("seating").copied().unwrap_or(0);
    let facts = [("folder", shown(folder)), ("rows", rows.to_string()), ("tables", tables.to_string())];
    line!("{}", said(language, "cli-admin-moved", &facts));
    Ok(())
}

/// Opens the data, locked against other processes.
async fn open_alone(folder: &Path, how: Open, language: Language) -> Result<(Vec<File>, Store), String> {
    let locks = alone(folder, language)?;
    let store = Store::open_with(folder, how).await.map_err(|why| refusal(folder, &why, language))?;
    Ok((locks, store))
}

/// Locks the data against other processes.
fn alone(folder: &Path, language: Language) -> Result<Vec<File>, String> {
    hold(folder).map_err(|why| match why {
        Held::InUse => say(language, "cli-admin-in-use", &[("folder", &shown(folder))]),
        Held::Failed(why) => failed(folder, &why, language),
    })
}

/// The reasons why a folder was not locked.
enum Held {
    /// A running hall has locked it.
    InUse,
    Failed(std::io::Error),
}

impl From<std::io::Error> for Held {
    fn from(why: std::io::Error) -> Self {
        Held::Failed(why)
    }
}

impl From<TryLockError> for Held {
    fn from(why: TryLockError) -> Self {
        match why {
            TryLockError::WouldBlock => Held::InUse,
            TryLockError::Error(why) => Held::Failed(why),
        }
    }
}

/// Locks a folder as a hall does: the folder itself, and the file that earlier versions lock.
fn hold(folder: &Path) -> Result<Vec<File>, Held> {
    let mut locks = vec![hold_folder(folder)?];
    if let Ok(file) = File::options().append(true).open(folder.join("hall.lock")) {
        file.try_lock()?;
        locks.push(file);
    }
    Ok(locks)
}

/// Locks only the folder itself.
fn hold_folder(folder: &Path) -> Result<File, Held> {
    let file = File::open(folder)?;
    file.try_lock()?;
    Ok(file)
}

/// Returns true if the folder has no data in the way of a restored hall. Lock files and sockets do not count.
fn is_empty(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != "hall.lock" && name != line::FILE {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks that the folder has a database, or at least a sign that there was one.
fn has_data(folder: &Path, language: Language) -> Result<(), String> {
    if ["hall.db", "hall.tip"].iter().any(|name| folder.join(name).exists()) {
        return Ok(());
    }
    Err(say(language, "cli-admin-no-data", &[("folder", &shown(folder))]))
}

/// Prints what is damaged; returns an error when anything is.
fn findings(report: &Report, folder: &Path, language: Language) -> Result<(), String> {
    if report.is_whole() {
        return Ok(());
    }
    for Damage { what, place, .. } in &report.findings {
        line!("  {place}: {what}");
    }
    let count = report.findings.len() as u64 + report.more;
    Err(said(language, "cli-admin-found", &[("count", count.to_string()), ("folder", shown(folder))]))
}

/// Returns the sentence with the numbers of tables, events and bytes.
fn said_of(report: &Report, key: &str, place: &Path, language: Language) -> String {
    let facts = [
        ("place", shown(place)),
        ("tables", report.tables.to_string()),
        ("events", report.events.to_string()),
    ];
    said(language, key, &facts)
}

/// Returns the sentence that tells why data cannot be used: the fault, the place, and the remedy.
pub fn refusal(folder: &Path, why: &StoreError, language: Language) -> String {
    let place = shown(folder);
    match why {
        StoreError::Damaged(damage) => {
            let facts = [("folder", place), ("what", damage.what.clone()), ("place", damage.place.clone())];
            said(language, "cli-data-damaged", &facts)
        }
        StoreError::Fenced => said(language, "cli-node-buried", &[]),
        StoreError::InUse => said(language, "cli-data-in-use", &[("folder", place)]),
        StoreError::DiskFull => said(language, "cli-data-disk-full", &[("folder", place)]),
        StoreError::Newer(version) => {
            said(language, "cli-data-newer", &[("folder", place), ("version", version.to_string())])
        }
        why => failed(folder, why, language),
    }
}

fn failed(folder: &Path, why: &dyn std::fmt::Display, language: Language) -> String {
    said(language, "cli-data-failed", &[("folder", shown(folder)), ("why", why.to_string())])
}

fn said(language: Language, key: &str, facts: &[(&str, String)]) -> String {
    let facts: Vec<(&str, &str)> = facts.iter().map(|(name, fact)| (*name, fact.as_str())).collect();
    say(language, key, &facts)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
