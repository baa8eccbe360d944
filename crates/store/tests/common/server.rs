//! A private PostgreSQL for the length of a test run: in a folder of its own, on a socket in it, ended with the
//! process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// A server that runs.
pub struct Server {
    /// Its folder, in which its socket is.
    pub folder: PathBuf,
}

impl Server {
    /// The address of a database of it, as `--store` takes it.
    pub fn url(&self, database: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://hall@{folder}/{database}")
    }

    /// Makes a database, unless it is there.
    pub fn make(&self, database: &str) {
        let made = self.psql("postgres", &format!("CREATE DATABASE \"{database}\""));
        assert!(made.is_ok() || made.as_ref().is_err_and(|why| why.contains("already exists")), "{made:?}");
    }

    /// Lets the server carry out a statement.
    pub fn psql(&self, database: &str, sql: &str) -> Result<String, String> {
        let psql = program("psql").ok_or("there is no psql")?;
        let done = Command::new(psql)
            .arg("-h")
            .arg(&self.folder)
            .args(["-U", "hall", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", sql, database])
            .output()
            .map_err(|why| why.to_string())?;
        if done.status.success() {
            Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&done.stderr).into_owned())
        }
    }

    /// Ends the server as an administrator who is in a hurry does, and starts it again.
    pub fn restart(&self) {
        let data = self.folder.join("data");
        let log = self.folder.join("log");
        let mut ctl = pg_ctl(&self.folder);
        ctl.args(["-m", "immediate", "-w", "restart", "-D"]).arg(&data).arg("-l").arg(&log);
        assert!(quiet(&mut ctl).is_some_and(|status| status.success()), "restarts");
    }
}

/// The server of this process; `None` where PostgreSQL is not installed.
pub fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref()
}

/// One more server, for a test that harms it.
pub fn another() -> Option<Server> {
    start()
}

/// A program of PostgreSQL: in the path, or where Debian puts it.
fn program(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = debian.map(|folder| folder.path().join("bin")).collect();
    debian.sort();
    debian.reverse();
    debian
        .into_iter()
        .chain(std::env::split_paths(&paths))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

/// The server refuses to be root.
fn as_nobody_special(program: PathBuf) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

fn pg_ctl(folder: &Path) -> Command {
    let mut command = as_nobody_special(program("pg_ctl").unwrap_or_else(|| "pg_ctl".into()));
    command.current_dir(folder);
    command
}

fn quiet(command: &mut Command) -> Option<std::process::ExitStatus> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()
}

fn start() -> Option<Server> {
    let initdb = program("initdb")?;
    // Not in the target folder: a socket's name has at most 107 bytes.
    let folder = tempfile::Builder::new().prefix("qiguan-pg-").tempdir_in("/tmp").ok()?.keep();
    if is_root() {
        quiet(Command::new("chown").arg("postgres").arg(&folder))?;
    }
    let data = folder.join("data");
    let mut making = as_nobody_special(initdb);
    making
        .current_dir(&folder)
        .args(["-A", "trust", "-U", "hall", "--locale=C", "-E", "UTF8", "-D"])
        .arg(&data);
    if !quiet(&mut making)?.success() {
        return None;
    }
    let options = format!(
        "-k {} -c listen_addresses='' -c shared_buffers=16MB -c max_connections=80 -c deadlock_timeout=200ms",
        folder.display()
    );
    let mut starting = pg_ctl(&folder);
    starting.args(["-w", "-o", &options, "start", "-D"]).arg(&data).arg("-l").arg(folder.join("log"));
    if !quiet(&mut starting)?.success() {
        return None;
    }
    // The shell that reads the end of this process stops the server, however the process ended.
    let stop = "read -r _; \"$@\" -m immediate stop; rm -rf \"$QIGUAN_PG\"";
    let mut ctl = vec![];
    if is_root() {
        ctl.extend(["runuser", "-u", "postgres", "--"].map(str::to_owned));
    }
    ctl.push(program("pg_ctl")?.display().to_string());
    ctl.extend(["-D".to_owned(), data.display().to_string()]);
    let guard = Command::new("setsid")
        .args(["sh", "-c", stop, "sh"])
        .args(ctl)
        .env("QIGUAN_PG", &folder)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // Its input stays open as long as this process lives.
    std::mem::forget(guard);
    Some(Server { folder })
}
