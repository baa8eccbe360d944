//! Local control of a running hall by `qiguan admin`: a Unix socket in the data folder.
//!
//! Access is limited by the file system (mode 600) and checked with the kernel once more: the process at the other
//! end must be of the hall's own user, or root (ADR 0034). One connection carries one action, a line of JSON, and its
//! answer; an export follows its answer line by line.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kernel::Problem;
use members::staff::desk::{StaffAnswer, StaffWish};
use people::staff::By;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::OwnedWriteHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinHandle;

use crate::hall::Hall;

/// The name of the socket in the data folder.
pub const FILE: &str = "admin.sock";
/// The most bytes of a request.
const MOST_BYTES: u64 = 64 << 10;
/// The longest time that a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections that are answered at the same time.
const AT_ONCE: usize = 4;

/// An answer of the hall.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StaffReply {
    Told(StaffAnswer),
    Problem(wire::Problem),
    /// The end of an export; true if it is complete.
    End(bool),
}

/// A listening socket; its file is deleted when this is dropped.
pub struct Door {
    path: PathBuf,
    listening: JoinHandle<()>,
}

impl Drop for Door {
    fn drop(&mut self) {
        self.listening.abort();
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Listens in that folder, which no other hall uses: a socket that exists under the name was left by one that was
/// killed.
///
/// # Errors
/// The socket cannot be created there.
pub fn open(folder: &Path, hall: Arc<Hall>) -> io::Result<Door> {
    let path = folder.join(FILE);
    let place = within_reach(folder, &path)?;
    match std::fs::remove_file(&path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let listener = UnixListener::bind(place.path())?;
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    let free = Arc::new(Semaphore::new(AT_ONCE));
    let listening = tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let Ok(turn) = Arc::clone(&free).acquire_owned().await else { return };
            let hall = Arc::clone(&hall);
            tokio::spawn(async move {
                if let Err(why) = answer(&hall, stream).await {
                    tracing::debug!(%why, "a wish by the socket of the keeper was not answered");
                }
                drop(turn);
            });
        }
    });
    Ok(Door { path, listening })
}

/// The address of a socket, which may be short where its path is long.
struct Place {
    short: PathBuf,
    /// The open folder, held as long as the address is used.
    _folder: Option<std::fs::File>,
}

impl Place {
    fn path(&self) -> &Path {
        &self.short
    }
}

/// The most bytes of a path that fit into the address of a socket on every system.
const PATH_BYTES: usize = 100;

/// Returns the address of a socket in that folder: where the path is too long for one, by way of the open folder.
fn within_reach(folder: &Path, path: &Path) -> io::Result<Place> {
    if path.as_os_str().len() <= PATH_BYTES {
        return Ok(Place { short: path.to_owned(), _folder: None });
    }
    let folder = std::fs::File::open(folder)?;
    let number = std::os::fd::AsRawFd::as_raw_fd(&folder);
    Ok(Place { short: PathBuf::from(format!("/proc/self/fd/{number}/{FILE}")), _folder: Some(folder) })
}

/// Returns true if the process at the other end is of this user, or root.
fn is_keeper(stream: &UnixStream) -> bool {
    let own = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own || peer.uid() == 0)
}

async fn answer(hall: &Arc<Hall>, stream: UnixStream) -> io::Result<()> {
    if !is_keeper(&stream) {
        return Ok(());
    }
    let (read, mut write) = stream.into_split();
    let mut line = String::new();
    let mut read = BufReader::new(read.take(MOST_BYTES));
    tokio::time::timeout(PATIENCE, read.read_line(&mut line)).await.map_err(io::Error::other)??;
    let Ok(wish) = serde_json::from_str::<StaffWish>(&line) else {
        return say(&mut write, &StaffReply::Problem(Problem::new("keeper-wish").into())).await;
    };
    let is_export = matches!(wish, StaffWish::Export { .. });
    let told = match hall.staff(&By::keeper(), wish).await {
        Ok(told) => told,
        Err(why) => return say(&mut write, &StaffReply::Problem(why.into())).await,
    };
    let person = match &told {
        StaffAnswer::Id(id) if is_export => Some(id.clone()),
        _ => None,
    };
    say(&mut write, &StaffReply::Told(told)).await?;
    let Some(person) = person else { return Ok(()) };
    let write = Mutex::new(write);
    let put = |text: String| {
        let write = &write;
        async move { write.lock().await.write_all(text.as_bytes()).await.is_ok() }
    };
    let whole = crate::export::write(hall.store.as_ref(), &person, put).await.is_ok();
    say(&mut *write.lock().await, &StaffReply::End(whole)).await
}

async fn say(write: &mut OwnedWriteHalf, said: &StaffReply) -> io::Result<()> {
    let line = serde_json::to_string(said).expect("plain data") + "\n";
    write.write_all(line.as_bytes()).await
}

/// The reasons why a running hall has not done an action.
#[derive(Debug)]
pub enum NotDone {
    /// The hall does not answer.
    Nobody(io::Error),
    /// The hall refuses.
    Refused(wire::Problem),
}

impl From<io::Error> for NotDone {
    fn from(why: io::Error) -> Self {
        NotDone::Nobody(why)
    }
}

/// Sends an action to the hall that uses that folder. The lines of an export go to `put`.
///
/// # Errors
/// See [`NotDone`].
pub async fn ask(
    folder: &Path,
    wish: &StaffWish,
    mut put: impl FnMut(&str) -> io::Result<()>,
) -> Result<StaffAnswer, NotDone> {
    let place = within_reach(folder, &folder.join(FILE))?;
    let stream = UnixStream::connect(place.path()).await?;
    let (read, mut write) = stream.into_split();
    let line = serde_json::to_string(wish).expect("plain data") + "\n";
    write.write_all(line.as_bytes()).await?;
    let mut lines = BufReader::new(read).lines();
    let strange = || io::Error::new(io::ErrorKind::InvalidData, "an answer that this program does not know");
    let first = lines.next_line().await?.ok_or_else(strange)?;
    let told = match serde_json::from_str(&first).map_err(|_| strange())? {
        StaffReply::Told(told) => told,
        StaffReply::Problem(problem) => return Err(NotDone::Refused(problem)),
        StaffReply::End(_) => return Err(strange().into()),
    };
    if !matches!(wish, StaffWish::Export { .. }) {
        return Ok(told);
    }
    while let Some(line) = lines.next_line().await? {
        match serde_json::from_str(&line) {
            Ok(StaffReply::End(true)) => return Ok(told),
            Ok(StaffReply::End(false)) => break,
            _ => put(&line)?,
        }
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the export is not whole").into())
}
