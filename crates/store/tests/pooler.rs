//! Catches a pooler before the database that a hall takes although it cannot work with it (O8), and one that it refuses
//! although it can. Where PostgreSQL or PgBouncer is not installed, this returns; `scripts/test.sh` names it as skipped.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{WAITING, entry, setup};
use store::{Join, Store};

/// A PgBouncer that runs; it ends with its owner.
struct Pooler {
    child: Child,
    folder: PathBuf,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts PgBouncer before the database, in that mode; `None` where it is not installed.
fn pooler(server: &Path, database: &str, mode: &str, further: &str) -> Option<(Pooler, String)> {
    let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"];
    let program = program.into_iter().map(Path::new).find(|path| path.is_file())?;
    let folder = tempfile::Builder::new().prefix("qiguan-pool-").tempdir_in("/tmp").expect("a folder").keep();
    let shown = folder.display();
    let settings = format!(
        "[databases]\n{database} = host={} dbname={database} user=hall\n[pgbouncer]\nlisten_addr =\nlisten_port = 6432\n\
         unix_socket_dir = {shown}\nauth_type = any\npool_mode = {mode}\nmax_client_conn = 100\n{further}\n",
        server.display()
    );
    let file = folder.join("pgbouncer.ini");
    std::fs::write(&file, settings).expect("writes");
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    // It refuses to be root.
    let mut command = if is_root {
        let owned = Command::new("chown").arg("-R").arg("postgres").arg(&folder).status();
        assert!(owned.is_ok_and(|status| status.success()), "the folder is given away");
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    let log = std::fs::File::create(folder.join("log")).expect("a log");
    let child = command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().ok()?;
    let pooler = Pooler { child, folder: folder.clone() };
    for _ in 0..200 {
        if folder.join(".s.PGSQL.6432").exists() {
            let url = format!("postgres://hall@{}:6432/{database}", shown.to_string().replace('/', "%2F"));
            return Some((pooler, url));
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("PgBouncer did not start: {}", std::fs::read_to_string(folder.join("log")).unwrap_or_default());
}

#[tokio::test]
async fn a_pooler_works_or_is_refused_with_what_to_set() {
    let Some(server) = common::server::server() else {
        eprintln!("skipped: there is no PostgreSQL");
        return;
    };
    for (name, mode, further, works) in [
        ("each client its own connection", "session", "", true),
        ("a small pool of them", "session", "default_pool_size = 15", true),
        ("each transaction another one", "transaction", "", false),
        ("one for all", "transaction", "default_pool_size = 1", false),
        ("all of them in turn", "transaction", "server_round_robin = 1\nmin_pool_size = 4", false),
        ("each statement another one", "statement", "", false),
    ] {
        let database = format!("pooled{mode}{}", further.len());
        server.make(&database);
        let Some((pooler, url)) = pooler(&server.folder, &database, mode, further) else {
            eprintln!("skipped: there is no PgBouncer");
            return;
        };
        let join = Join { url, node: "a".to_owned() };
        let opened = tokio::time::timeout(Duration::from_secs(40), Store::join(&join)).await;
        let opened = opened.unwrap_or_else(|_| panic!("{name}: no end of it"));
        if works {
            let store = opened.unwrap_or_else(|why| panic!("{name}: {why}"));
            store.logs.create("t", &setup(None), vec![entry(1, None)], WAITING).await.expect(name);
            for ver in 2..40 {
                store.logs.append("t", entry(ver, None), None).await.expect(name);
            }
            assert_eq!(store.logs.load("t").await.expect(name).expect("is there").log.len(), 39, "{name}");
            store.claims.renew().await.expect(name);
            store.condition.close().await;
            // What another process left behind there does not matter.
            let again = Store::join(&join).await.unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(again.logs.load("t").await.expect(name).expect("is there").log.len(), 39, "{name}");
            again.condition.close().await;
        } else {
            let why = opened.err().unwrap_or_else(|| panic!("{name}: was taken")).to_string();
            assert!(why.contains("pool_mode = session") && why.contains("--store"), "{name}: {why}");
        }
        drop(pooler);
    }
}
