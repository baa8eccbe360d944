//! The user's identity in each hall: the secrets that halls have given, kept between visits.
//!
//! A hall gives a guest's secret to every visitor, and an account's secret at sign-in. Both are kept, so that the
//! user is the same guest after signing out and has the guest's games again.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use client::{Error, Guest, Http, Trust};

/// The most secrets read from the file.
const MOST: usize = 1000;
/// The most bytes of the file that are read.
const MOST_BYTES: u64 = 1 << 20;
/// The suffix of the key of an account's secret; the key of a guest's is the address alone.
const ACCOUNT: &str = "#account";

/// The user's data for all halls.
#[derive(Clone)]
pub(crate) struct Home {
    /// The folder of the secrets.
    pub folder: PathBuf,
    /// The authorities that are trusted to certify halls.
    pub trust: Trust,
}

/// A user who has entered a hall.
pub(crate) struct Entered {
    pub guest: Guest,
    /// True if the user is signed in to an account.
    pub is_account: bool,
    /// True if the user was signed in at the last visit and is not any more: the session was ended elsewhere, or has
    /// expired.
    pub has_ended: bool,
}

/// Enters the hall at `base` with the identity of the last visit, or as a new guest.
///
/// # Errors
/// Fails when the hall does not answer or accepts no guests. The stored secrets are kept then.
pub(crate) async fn enter(base: &str, home: &Home) -> Result<Entered, Error> {
    let base = tidy(base);
    let (folder, http) = (&*home.folder, Http::new(&home.trust));
    let mut kept = read(folder);
    let account = kept.remove(&account_key(base));
    let has_ended = match &account {
        Some(secret) => match Guest::signed_in_with(http.clone(), base, secret).await? {
            Some(guest) => return Ok(Entered { guest, is_account: true, has_ended: false }),
            None => true,
        },
        None => false,
    };
    if has_ended {
        forget_account(folder, base);
    }
    let known = match kept.remove(base) {
        Some(secret) => match Guest::known_with(http.clone(), base, &secret).await {
            Ok(guest) => Some(guest),
            Err(Error::Refused(_)) => None,
            // A guest who cannot be checked now is not forgotten for it.
            Err(error) => return Err(error),
        },
        None => None,
    };
    let guest = match known {
        Some(guest) => guest,
        None => Guest::enter_with(http, base).await?,
    };
    remember(folder, base.to_owned(), guest.secret());
    Ok(Entered { guest, is_account: false, has_ended })
}

/// Stores the secret of a session for the next visit.
pub(crate) fn remember_account(folder: &Path, base: &str, secret: &str) {
    remember(folder, account_key(tidy(base)), secret);
}

/// Deletes the stored session of that hall. The guest's secret stays.
pub(crate) fn forget_account(folder: &Path, base: &str) {
    let mut all = read(folder);
    if all.remove(&account_key(tidy(base))).is_some() {
        write(folder, &all);
    }
}

fn tidy(base: &str) -> &str {
    base.trim_end_matches('/')
}

fn account_key(base: &str) -> String {
    format!("{base}{ACCOUNT}")
}

fn remember(folder: &Path, key: String, secret: &str) {
    let mut all = read(folder);
    if all.get(&key).is_some_and(|kept| kept == secret) {
        return;
    }
    all.insert(key, secret.to_owned());
    write(folder, &all);
}

fn file(folder: &Path) -> PathBuf {
    folder.join("halls.json")
}

/// Reads all secrets by their keys; the file has a line of `key secret` for each.
fn read(folder: &Path) -> BTreeMap<String, String> {
    let mut text = String::new();
    let opened = std::fs::File::open(file(folder));
    let read = opened.and_then(|opened| {
        std::io::Read::read_to_string(&mut std::io::Read::take(opened, MOST_BYTES), &mut text)
    });
    if read.is_err() {
        return BTreeMap::new();
    }
    let line =
        |line: &str| line.split_once(' ').map(|(key, secret)| (key.to_owned(), secret.trim().to_owned()));
    text.lines().take(MOST).filter_map(line).collect()
}

/// Writes all secrets, readable by this user only. A terminal that cannot store them still plays.
fn write(folder: &Path, all: &BTreeMap<String, String>) {
    let text: String = all.iter().map(|(key, secret)| format!("{key} {secret}\n")).collect();
    let _ = std::fs::create_dir_all(folder).and_then(|()| write_private(&file(folder), &text));
}

/// Replaces a file by one that only its owner may read. The old file stays intact until the new one is complete.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("part");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_kept_beside_the_guest_and_forgotten_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (base, other) = ("http://127.0.0.1:1", "http://127.0.0.1:2");
        remember(folder.path(), base.to_owned(), "guest");
        remember(folder.path(), other.to_owned(), "elsewhere");
        remember_account(folder.path(), "http://127.0.0.1:1/", "account");
        let kept = read(folder.path());
        assert_eq!(kept.get(base).map(String::as_str), Some("guest"));
        assert_eq!(kept.get(&account_key(base)).map(String::as_str), Some("account"));
        forget_account(folder.path(), base);
        let keys: Vec<String> = read(folder.path()).into_keys().collect();
        assert_eq!(keys, [base, other]);
    }

    /// A file that others could read, with a line that is no secret, is rewritten for this user only.
    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_the_secrets() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        std::fs::write(&path, "http://127.0.0.1:1 guest\nnonsense\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        remember_account(folder.path(), "http://127.0.0.1:1", "account");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(read(folder.path()).len(), 2);
    }

    /// An unreachable hall does not make the stored secrets disappear.
    #[test]
    fn a_hall_that_is_away_keeps_everybody() {
        let folder = tempfile::tempdir().unwrap();
        // A port that was free a moment ago: nothing answers there.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let base = format!("http://127.0.0.1:{port}");
        remember(folder.path(), base.clone(), "guest");
        remember_account(folder.path(), &base, "account");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let home = Home { folder: folder.path().to_owned(), trust: Trust::system() };
        assert!(matches!(runtime.block_on(enter(&base, &home)), Err(Error::Lost(_))));
        assert_eq!(read(folder.path()).len(), 2);
    }
}
