//! Catches a hall that its keeper cannot run as `docs/guide/operating.md` says: settings that are not read again, a start that gives
//! up before its database is there, logs that a program cannot read, metrics and alerts that do not belong together, a unit that
//! systemd refuses.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program as a service, with its log and its messages to systemd.
struct Service {
    child: Child,
    log: Arc<Mutex<Vec<String>>>,
    told: UnixDatagram,
    _folder: tempfile::TempDir,
}

impl Service {
    fn start(words: &[&str], variables: &[(&str, &str)]) -> Service {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("notify");
        let told = UnixDatagram::bind(&socket).expect("a socket");
        told.set_read_timeout(Some(Duration::from_millis(50))).expect("is set");
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
        command.arg("serve").args(words).env("NOTIFY_SOCKET", &socket).env("LANG", "en_US.UTF-8");
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QIGUAN_")) {
            command.env_remove(name);
        }
        command.env_remove("RUST_LOG").envs(variables.iter().copied());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program was built with this test");
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let (lines, stderr) = (Arc::clone(&log), child.stderr.take().expect("is piped"));
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                lines.lock().expect("nobody panics").push(line);
            }
        });
        Service { child, log, told, _folder: folder }
    }

    fn log(&self) -> Vec<String> {
        self.log.lock().expect("nobody panics").clone()
    }

    /// Waits for a line of the log that contains all of `parts`.
    fn logs(&mut self, parts: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let found = self.log().into_iter().find(|line| parts.iter().all(|part| line.contains(part)));
            if let Some(line) = found {
                return line;
            }
            assert!(begun.elapsed() < PATIENCE, "no line with {parts:?}:\n{}", self.log().join("\n"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for a message to systemd that begins so, and returns it.
    fn tells(&self, beginning: &str) -> String {
        let begun = Instant::now();
        let mut heard = Vec::new();
        while begun.elapsed() < PATIENCE {
            let mut bytes = [0; 4096];
            let Ok(count) = self.told.recv(&mut bytes) else { continue };
            let message = String::from_utf8_lossy(&bytes[..count]).into_owned();
            if message.lines().any(|line| line.starts_with(beginning)) {
                return message;
            }
            heard.push(message);
        }
        panic!("systemd was not told {beginning}, but {heard:?}\n{}", self.log().join("\n"));
    }

    fn signal(&self, name: &str) {
        let done = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status();
        assert!(done.expect("there is kill").success(), "{name}");
    }

    /// Waits for its end.
    fn ends(&mut self) -> Option<i32> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("is ours") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it goes on:\n{}", self.log().join("\n"));
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and body of an answer.
fn get(port: u16, path: &str) -> (u16, String) {
    get_by("HTTP/1.1", port, path)
}

fn get_by(version: &str, port: u16, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("is set");
    write!(stream, "GET {path} {version}\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")
        .expect("is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answers");
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, body.to_owned())
}

/// Returns the number behind the last colon of a status such as `STATUS=open at http://127.0.0.1:8080`.
fn port_of(told: &str) -> u16 {
    let line = told.lines().find(|line| line.starts_with("STATUS=")).expect("a status");
    let place = line.split("http://127.0.0.1:").nth(1).unwrap_or_else(|| panic!("{line}"));
    let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a port")
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The hall reads its settings again on SIGHUP, which once ended it, and a broken file changes nothing (O5).
#[test]
fn settings_are_read_again_and_a_broken_file_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let file = path("hall.toml");
    let write = |text: &str| std::fs::write(&file, text).expect("writes");
    write("[serve]\nnode = \"a\"\n[limits]\npages = 100\nworkers = 1\n");
    let mut hall = Service::start(
        &["--listen", "127.0.0.1:0", "--data", &path("data"), "--log-json"],
        &[("QIGUAN_CONFIG", file.as_str()), ("QIGUAN_LISEN", "x")],
    );
    let ready = hall.tells("READY=1");
    let port = port_of(&ready);
    hall.logs(&["QIGUAN_LISEN", "begins like an option"]);
    for place in ["/live", "/ready", "/health"] {
        assert_eq!(get(port, place), (200, "ok\n".to_owned()), "{place}");
    }
    assert_ne!(get(port, "/").0, 429);

    // What can be followed is, and the rest is named.
    write("[serve]\nnode = \"b\"\n[limits]\npages = 1\npages_refill_s = 100000\nworkers = 2\n");
    hall.signal("HUP");
    let told = hall.tells("RELOADING=1");
    assert!(told.contains("MONOTONIC_USEC="), "{told}");
    hall.tells("READY=1");
    hall.logs(&["limits.pages\"", "is followed"]);
    hall.logs(&["limits.workers", "takes effect at the next start"]);
    hall.logs(&["serve.node", "takes effect at the next start"]);
    let visits: Vec<u16> = (0..4).map(|_| get(port, "/").0).collect();
    assert!(visits.contains(&429), "{visits:?}: the new limit counts");

    // The old settings stay, and it is said why.
    write("[limits]\npages = \"many\"\n");
    hall.signal("HUP");
    hall.logs(&["many", "stay in use", "line 2"]);
    let told = hall.tells("READY=1");
    assert!(told.contains("could not be read again"), "{told}");
    write(
        "[mail]\nserver = \"localhost\"\nfrom = \"a@b.example\"\nuser = \"u\"\npassword_file = \"/nowhere\"\n\
        public_url = \"https://hall.example\"\n",
    );
    hall.signal("HUP");
    hall.logs(&["mail.password_file", "/nowhere", "stay in use"]);
    std::fs::remove_file(&file).expect("is there");
    hall.signal("HUP");
    hall.logs(&["hall.toml", "no such file", "stay in use"]);
    assert_eq!(get(port, "/live").0, 200, "it goes on");
    assert!(get(port, "/").0 == 429, "with the limits of before");

    // Letters may be sent from now on, and the log may say more.
    write(
        "[serve]\nlog = \"debug\"\n[limits]\npages = 1000\n[mail]\nserver = \"localhost\"\n\
        from = \"a@b.example\"\npublic_url = \"https://hall.example\"\n",
    );
    hall.signal("HUP");
    hall.logs(&["mail.server", "is followed"]);
    hall.logs(&["serve.log", "is followed"]);
    hall.signal("TERM");
    hall.tells("STOPPING=1");
    assert_eq!(hall.ends(), Some(0));
}

/// The output with `--log-json` is lines of JSON and nothing else (O9).
#[test]
fn each_line_of_the_log_is_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let data = data.to_str().expect("UTF-8");
    let mut hall = Service::start(
        &["--listen", "127.0.0.1:0", "--data", data],
        &[("QIGUAN_LOG_JSON", "true"), ("QIGUAN_LOG", "trace"), ("QIGUAN_BEHIND_PROXY", "yes")],
    );
    let port = port_of(&hall.tells("READY=1"));
    get(port, "/api/games");
    get(port, "/%22%01quoted");
    hall.signal("HUP");
    hall.logs(&["the settings were read again"]);
    hall.signal("TERM");
    assert_eq!(hall.ends(), Some(0));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut refused = Service::start(&["--listen", &address, "--data", data, "--log-json"], &[]);
    assert_eq!(refused.ends(), Some(3));
    refused.logs(&["cannot listen"]);
    let mut count = 0;
    for line in hall.log().into_iter().chain(refused.log()) {
        let value: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let is_event =
            ["timestamp", "level", "target", "fields"].iter().all(|part| value.get(part).is_some());
        assert!(is_event || value["error"].is_string(), "{line}");
        count += 1;
    }
    assert!(count > 5, "{count} lines");
}

/// A node waits for NATS and the database to come up; it once ended after 0.12 s, and its unit gave up after 6 s
/// (O5).
#[test]
fn what_is_away_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (bus, store) = (free_port(), free_port());
    let url = format!("postgres://hall:s3cret@127.0.0.1:{store}/hall");
    let mut node = Service::start(
        &["--listen", "127.0.0.1:0", "--data", data.to_str().expect("UTF-8")],
        &[("QIGUAN_STORE", url.as_str()), ("QIGUAN_BUS", &format!("nats://hall:s3cret@127.0.0.1:{bus}"))],
    );
    let told = node.tells("STATUS=waiting");
    assert!(told.contains("NATS") && !told.contains("s3cret"), "{told}");
    node.logs(&["no NATS server answers", "The hall waits for it."]);
    node.signal("HUP");
    let server = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &bus.to_string(), "--user", "hall", "--pass", "s3cret"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match server {
        Err(_) => eprintln!("skipped in part: there is no nats-server"),
        Ok(mut server) => {
            // The bus is there now, and the database is waited for.
            let told = node.tells("STATUS=waiting: the database");
            assert!(told.contains("does not answer") && !told.contains("s3cret"), "{told}");
            node.logs(&["PostgreSQL", "The hall waits for it."]);
            let _ = server.kill();
            let _ = server.wait();
        }
    }
    assert!(node.child.try_wait().expect("is ours").is_none(), "it waits:\n{}", node.log().join("\n"));
    node.signal("TERM");
    assert_eq!(node.ends(), Some(0));
}

/// Metrics have help and a type, requests and refusals are counted under labels of few values, and Prometheus, where
/// there is one, reads metrics, alerts and every panel of the dashboard (O9).
#[test]
fn prometheus_reads_metrics_alerts_and_dashboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let admin = free_port();
    let hall = Service::start(
        &["--listen", "127.0.0.1:0", "--data", data.to_str().expect("UTF-8")],
        &[("QIGUAN_ADMIN_LISTEN", &format!("127.0.0.1:{admin}")), ("QIGUAN_LOG", "warn")],
    );
    let port = port_of(&hall.tells("READY=1"));
    assert_eq!(get(port, "/api/games").0, 200);
    for n in 0..20 {
        get(port, &format!("/api/tables/nothing{n}"));
        get(port, &format!("/made-up/{n}"));
    }
    let (_, metrics) = get(admin, "/metrics");
    for part in [
        "# HELP hall_http_requests_total Requests, by method",
        "# TYPE hall_http_requests_total counter",
        "# TYPE hall_http_seconds histogram",
        "hall_http_requests_total{method=\"GET\",route=\"/api/games\",class=\"2xx\"} 1",
        "hall_http_requests_total{method=\"GET\",route=\"/api/tables/{id}\",class=\"4xx\"} 20",
        "hall_refused_total{reason=\"no-such-table\"} 20",
        "hall_store_connections{state=\"open\"}",
        "hall_queue{queue=\"store\"} 0",
        "hall_ready 1",
        "hall_store_failures_total 0",
    ] {
        assert!(metrics.contains(part), "{part} is not in\n{metrics}");
    }
    assert!(!metrics.contains("made-up") && !metrics.contains("nothing7"), "labels of visitors' making");
    let helps = metrics.lines().filter(|line| line.starts_with("# HELP")).count();
    let types = metrics.lines().filter(|line| line.starts_with("# TYPE")).count();
    assert!(helps == types && helps > 20, "{helps} of {types} have help");

    let Some(promtool) = program("promtool") else {
        eprintln!("skipped in part: there is no promtool");
        return;
    };
    let alerts = root().join("packaging/prometheus-alerts.yaml");
    let mut checking = Command::new(&promtool);
    let mut checking = checking
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    checking.stdin.take().expect("is piped").write_all(metrics.as_bytes()).expect("is read");
    let checked = checking.wait_with_output().expect("ends");
    // Its advice on names is not an error of the format.
    assert!(!String::from_utf8_lossy(&checked.stderr).contains("error while"), "{checked:?}");
    let checked = Command::new(&promtool).args(["check", "rules"]).arg(&alerts).output().expect("ends");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));

    let Some(prometheus) = program("prometheus") else {
        eprintln!("skipped in part: there is no prometheus");
        return;
    };
    let (at, settings) = (free_port(), folder.path().join("prometheus.yml"));
    let text = format!(
        "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\nrule_files: [ {} ]\nscrape_configs:\n  - job_name: qiguan\n    \
         static_configs: [ {{ targets: [ \"127.0.0.1:{admin}\" ] }} ]\n",
        alerts.canonicalize().expect("is there").display()
    );
    std::fs::write(&settings, text).expect("writes");
    let mut server = Command::new(prometheus)
        .arg(format!("--config.file={}", settings.display()))
        .arg(format!("--storage.tsdb.path={}", folder.path().join("tsdb").display()))
        .arg(format!("--web.listen-address=127.0.0.1:{at}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let asked = std::panic::catch_unwind(|| ask_prometheus(at));
    let _ = server.kill();
    let _ = server.wait();
    if let Err(why) = asked {
        std::panic::resume_unwind(why);
    }
}

fn ask_prometheus(at: u16) {
    let begun = Instant::now();
    let ask = |path: &str| -> serde_json::Value {
        // An older client is sent the body in one piece.
        serde_json::from_str(&get_by("HTTP/1.0", at, path).1).unwrap_or_default()
    };
    let query = |text: &str| {
        let escaped: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        ask(&format!("/api/v1/query?query={escaped}"))
    };
    let result = |value: &serde_json::Value| value["data"]["result"].as_array().map_or(0, Vec::len);
    loop {
        let is_up = TcpStream::connect(("127.0.0.1", at)).is_ok() && result(&query("hall_ready == 1")) == 1;
        if is_up {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "Prometheus reads nothing");
        std::thread::sleep(Duration::from_millis(200));
    }
    let text = std::fs::read_to_string(root().join("packaging/grafana-dashboard.json")).expect("a dashboard");
    let dashboard: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut asked = 0;
    for panel in dashboard["panels"].as_array().expect("panels") {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().expect("an expression");
            let told = query(&expression.replace("$__rate_interval", "1m").replace("$instance", ".*"));
            assert_eq!(told["status"], "success", "{expression}: {told}");
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked} expressions");
    loop {
        let rules = ask("/api/v1/rules");
        let rules = rules["data"]["groups"][0]["rules"].as_array().cloned().unwrap_or_default();
        if rules.len() > 10 && rules.iter().all(|rule| rule["health"] == "ok") {
            // How full the disk of this machine is, is no business of the test.
            let fires = |rule: &serde_json::Value| {
                let name = rule["name"].as_str().unwrap_or_default();
                rule["state"] != "inactive" && !name.contains("Disk")
            };
            assert!(!rules.iter().any(fires), "a hall that is well: {rules:?}");
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{rules:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn program(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The unit can read the passwords as the package describes (O5).
#[test]
fn the_unit_is_what_systemd_takes_and_hands_secrets_over() {
    let unit = std::fs::read_to_string(root().join("packaging/qiguan.service")).expect("a unit");
    for line in [
        "Type=notify",
        "ExecReload=/bin/sh -c 'kill -HUP \"$MAINPID\"'",
        "LoadCredential=qiguan:/etc/qiguan/credentials",
        "StartLimitIntervalSec=0",
        "TimeoutStartSec=infinity",
    ] {
        assert!(unit.lines().any(|found| found == line), "{line}");
    }
    let docs = std::fs::read_to_string(root().join("docs/admin.md")).expect("a page");
    assert!(
        docs.contains("/etc/qiguan/credentials/mail_password"),
        "the page names what the unit hands over"
    );
    let Some(systemd) = program("systemd-analyze") else {
        eprintln!("skipped in part: there is no systemd-analyze");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("qiguan.service");
    std::fs::write(&file, unit.replace("/usr/bin/qiguan", env!("CARGO_BIN_EXE_qiguan"))).expect("writes");
    let checked = Command::new(systemd).args(["verify", "--man=no"]).arg(&file).output().expect("ends");
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(checked.status.success() && !said.contains("qiguan.service:"), "{said}");
}
