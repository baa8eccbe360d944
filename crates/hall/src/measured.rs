//! The metrics of a hall: one table, from which the help beside each metric and `docs/metrics.md` come.
//!
//! Labels have few values: patterns of addresses, classes of statuses, keys of problems. Nothing that a visitor chooses is one.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// The type of a metric, as Prometheus has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// A number that only grows, until the process ends.
    Counter,
    /// A number that goes up and down.
    Gauge,
    /// Times in seconds, by buckets.
    Histogram,
}

/// The description of a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// The name in Prometheus.
    pub name: &'static str,
    /// The type in Prometheus.
    pub kind: Type,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// The help text, in a sentence.
    pub help: &'static str,
}

const fn counter(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: Type::Counter, labels, help }
}

const fn gauge(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: Type::Gauge, labels, help }
}

const fn histogram(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: Type::Histogram, labels, help }
}

/// Every metric of a hall, its store and its bus.
pub const METRICS: &[Metric] = &[
    gauge("hall_build_info", &["version"], "Always 1; the label is the version of the program."),
    counter(
        "hall_http_requests_total",
        &["method", "route", "class"],
        "Requests, by method, pattern of the address, and first digit of the status.",
    ),
    histogram(
        "hall_http_seconds",
        &["route"],
        "Time from a request's headers to the answer's, by pattern of the address.",
    ),
    counter("hall_refused_total", &["reason"], "Requests that were refused with a sentence, by its key."),
    counter(
        "hall_sign_ins_total",
        &["way", "outcome"],
        "Attempts to sign in or to prove who one is, by way, and by outcome: begun, refused, slowed, failed.",
    ),
    counter(
        "hall_turned_away_total",
        &[],
        "Connections that were not accepted, because their address has too many or began too many.",
    ),
    counter("hall_connections_evicted_total", &[], "Silent connections that were closed to make room."),
    counter("hall_handshakes_failed_total", &[], "TLS connections that were begun and came to nothing."),
    gauge(
        "hall_certificate_seconds",
        &["name"],
        "Seconds until the certificate ends with which this process speaks https, by name in it.",
    ),
    counter("hall_floods_total", &[], "WebSockets that were closed because they sent too many messages."),
    gauge("hall_connections", &[], "Open WebSockets."),
    gauge("hall_analyses", &[], "Open WebSockets on which a position is analysed."),
    gauge("hall_tables", &[], "Tables in memory that this process owns."),
    counter("hall_tables_opened_total", &[], "Tables that people opened."),
    counter("hall_moves_total", &[], "Moves that were acknowledged."),
    histogram("hall_move_seconds", &[], "Time from a move's arrival until it is stored and acknowledged."),
    histogram(
        "hall_table_load_seconds",
        &[],
        "Time to read a table from the store and to play it through again.",
    ),
    counter("hall_table_failures_total", &[], "Tables whose task failed and was started again."),
    counter(
        "hall_slow_games_ended_total",
        &[],
        "Slow games that the hall ended because a clock ran out while nobody was there.",
    ),
    counter(
        "hall_outages_total",
        &[],
        "Times that the store was away while this process ran on, and clocks stood still.",
    ),
    counter("hall_folded_games_total", &[], "Finished games whose events were folded into one row."),
    counter(
        "hall_stalled_ms_total",
        &[],
        "Milliseconds for which this process stood still, and which no clock was charged.",
    ),
    histogram("hall_search_seconds", &[], "Time for which a program at a table thought about a turn."),
    counter("hall_worker_answers_total", &[], "Answers of workers on other machines that were used."),
    counter("hall_worker_checks_total", &[], "Answers of workers that were searched once more in the hall."),
    counter(
        "hall_worker_faults_total",
        &["kind"],
        "Failures of workers, by kind: late, silent, or what about an answer could not be.",
    ),
    counter(
        "hall_worker_retries_total",
        &[],
        "Searches that were given to another place because a worker failed.",
    ),
    gauge("hall_turns_waiting", &[], "Wishes for a search or for other long work that wait for their turn."),
    counter("hall_engine_failures_total", &[], "Engines of others that failed."),
    counter("hall_letters_sent_total", &[], "Letters that the mail server took."),
    counter(
        "hall_letters_failed_total",
        &[],
        "Attempts to send a letter that failed, and letters that were given up.",
    ),
    counter("hall_letters_lost_total", &[], "Letters that were not written because too many waited."),
    counter("hall_notices_sent_total", &[], "Notices that a browser's push service took."),
    counter("hall_notices_failed_total", &[], "Attempts to send a notice that failed."),
    counter("hall_notices_lost_total", &[], "Notices that were not sent because too many waited."),
    gauge(
        "hall_queue",
        &["queue"],
        "Things that wait: commits for the store (store), letters, with those that are tried again (letters).",
    ),
    gauge(
        "hall_store_connections",
        &["state"],
        "Connections to the store that this process has open, by state: all of them (open), those that nobody uses (idle).",
    ),
    counter("hall_commits_total", &[], "Commits of the store; one commit may have many entries."),
    histogram("hall_commit_seconds", &[], "Time of a commit, from its first entry until it is on disk."),
    counter(
        "hall_store_failures_total",
        &[],
        "Entries, and other changes that people asked for, which the store did not take.",
    ),
    counter(
        "hall_store_waits_total",
        &[],
        "Pauses because the database did not answer or ended a connection.",
    ),
    gauge("hall_store_bytes", &[], "Bytes that the store takes."),
    gauge(
        "hall_disk_free_bytes",
        &[],
        "Bytes that are free on the store's disk; of a database elsewhere, nobody knows.",
    ),
    gauge("hall_ready", &[], "1 where this process would answer /ready with 200, else 0."),
    gauge("hall_serves", &[], "1 where this node may serve, else 0: it could say lately that it lives."),
    gauge("hall_nodes", &[], "Nodes of the hall that live."),
    counter("hall_claims_total", &[], "Tables that this node took over from nobody or from a dead node."),
    gauge("hall_adopted", &[], "Tables that this node took over from dead nodes since it began."),
    counter("hall_adopted_total", &[], "Tables that this node took over from dead nodes."),
    counter("hall_buried_total", &[], "Nodes that this node found silent and buried."),
    counter("hall_fenced_total", &[], "Times that this node found itself buried."),
    counter("hall_tables_fenced_total", &[], "Tables that this node lost to another node while it had them."),
    counter(
        "hall_quarantined_total",
        &[],
        "Tables that are left alone because nodes died with them one after the other.",
    ),
    gauge("hall_edges", &[], "Tables of other nodes that somebody looks at here."),
    counter(
        "hall_gaps_total",
        &[],
        "Gaps in what other nodes told of their tables, which were closed by asking.",
    ),
    histogram("hall_bus_answer_seconds", &[], "Time from a question to another node until its answer."),
    counter("hall_bus_unanswered_total", &[], "Questions to another node that nobody answered in time."),
    counter("hall_bus_dropped_total", &[], "Messages on the bus that came too fast and were dropped."),
    counter(
        "hall_bus_refused_total",
        &["kind"],
        "Messages on the bus that were dropped because no node of this hall sent them as they came, by kind: odd, form, key, forged, replayed, late.",
    ),
    counter("hall_bus_unread_total", &[], "Messages of nodes that run another version."),
    gauge("process_resident_memory_bytes", &[], "Memory that this process has in use, in bytes."),
    gauge("process_start_time_seconds", &[], "When this process began, in seconds since 1970."),
];

/// Upper bounds of the measured times, in seconds.
const BUCKETS: &[f64] = &[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0];
/// Upper bounds of the measured times of [`LONG`], in seconds.
const LONG_BUCKETS: &[f64] = &[0.01, 0.05, 0.25, 1.0, 5.0, 15.0];
/// The metrics with longer times.
const LONG: [&str; 1] = ["hall_search_seconds"];

/// Returns the one recorder of this process, with descriptions of all metrics.
#[must_use]
pub fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    let install = || {
        let builder = PrometheusBuilder::new();
        let builder = builder.set_buckets_for_metric(Matcher::Suffix("_seconds".into()), BUCKETS);
        let long = LONG.into_iter().try_fold(builder.expect("there are buckets"), |builder, name| {
            builder.set_buckets_for_metric(Matcher::Full(name.into()), LONG_BUCKETS)
        });
        let recorder = long
            .expect("there are buckets")
            .install_recorder()
            .expect("nobody else measures in this process");
        describe();
        metrics::gauge!("hall_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        recorder
    };
    RECORDER.get_or_init(install).clone()
}

/// Gives the recorder the help of each metric; those without labels are set to 0 at the beginning, so that an alert
/// sees them grow.
fn describe() {
    for Metric { name, kind, labels, help } in METRICS {
        match kind {
            Type::Counter => metrics::describe_counter!(*name, *help),
            Type::Gauge => metrics::describe_gauge!(*name, *help),
            Type::Histogram => metrics::describe_histogram!(*name, metrics::Unit::Seconds, *help),
        }
        if *kind == Type::Counter && labels.is_empty() {
            metrics::counter!(*name).absolute(0);
        }
    }
    let began = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    metrics::gauge!("process_start_time_seconds").set(began.as_secs_f64());
}

/// Counts requests, and how long they take, under the pattern of their address.
pub async fn request(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str).to_owned();
    // Invented methods are not recorded: each would make a label of its own.
    let method = match *request.method() {
        Method::GET | Method::HEAD => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    };
    let begun = Instant::now();
    let answer = next.run(request).await;
    metrics::histogram!("hall_http_seconds", "route" => route.clone()).record(begun.elapsed().as_secs_f64());
    let class = match answer.status().as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    };
    metrics::counter!("hall_http_requests_total", "method" => method, "route" => route, "class" => class)
        .increment(1);
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write;
    use std::path::{Path, PathBuf};

    use super::*;

    fn word(kind: Type) -> &'static str {
        match kind {
            Type::Counter => "counter",
            Type::Gauge => "gauge",
            Type::Histogram => "histogram",
        }
    }

    fn page() -> String {
        let mut page = String::from(
            "# Metrics of a hall

Written from `crates/hall/src/measured.rs` by `QIGUAN_BLESS=1 cargo test -p hall measured`. Do not edit.

`qiguan serve --admin-listen 127.0.0.1:9464` serves them at `/metrics`, for Prometheus. `packaging/prometheus-alerts.yaml` has alerts and
`packaging/grafana-dashboard.json` a dashboard made of them; [how to use both](guide/operating.md#watching-it). Each process of a hall
tells its own. Labels have few values: what a visitor chooses is never one.

| metric | type | labels | meaning |
|---|---|---|---|
",
        );
        for Metric { name, kind, labels, help } in METRICS {
            let labels: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
            let _ = writeln!(page, "| `{name}` | {} | {} | {help} |", word(*kind), labels.join(" "));
        }
        page
    }

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn metrics_stand_on_their_page() {
        let path = root().join("docs/metrics.md");
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(&path, page()).expect("writes");
        }
        let written = std::fs::read_to_string(path).expect("docs/metrics.md");
        assert!(written == page(), "docs/metrics.md is stale: QIGUAN_BLESS=1 cargo test -p hall measured");
    }

    /// Sources without what tests have.
    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("measured.rs") {
                let text = std::fs::read_to_string(&path).expect("is text");
                found.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
            }
        }
    }

    /// Every metric in the code is in the table with its type and labels, and the table has no others (O9).
    #[test]
    fn the_table_is_what_the_code_measures() {
        let mut all = Vec::new();
        for part in std::fs::read_dir(root().join("crates")).expect("a folder").flatten() {
            sources(&part.path().join("src"), &mut all);
        }
        all.push(
            std::fs::read_to_string(root().join("crates/hall/src/measured.rs"))
                .expect("is text")
                .split("#[cfg(test)]")
                .next()
                .expect("a part")
                .split("pub fn recorder")
                .nth(1)
                .expect("another part")
                .to_owned(),
        );
        let table: BTreeMap<&str, &Metric> = METRICS.iter().map(|metric| (metric.name, metric)).collect();
        assert_eq!(table.len(), METRICS.len(), "no name twice");
        let mut seen = BTreeSet::new();
        for text in &all {
            for (word, kind) in
                [("counter!(", Type::Counter), ("gauge!(", Type::Gauge), ("histogram!(", Type::Histogram)]
            {
                for part in text.split(&format!("metrics::{word}")).skip(1) {
                    let call = part.split(')').next().unwrap_or_default().trim_start();
                    if call.starts_with("*name") {
                        continue;
                    }
                    let name = call.strip_prefix('"').and_then(|call| call.split('"').next());
                    let name = name.unwrap_or_else(|| panic!("a metric without a name of its own: {call}"));
                    let metric = table.get(name).unwrap_or_else(|| panic!("{name} is no row of METRICS"));
                    assert_eq!(metric.kind, kind, "{name}");
                    let labels: Vec<&str> = call
                        .split(',')
                        .skip(1)
                        .filter_map(|pair| {
                            pair.split("=>").next()?.trim().strip_prefix('"')?.strip_suffix('"')
                        })
                        .collect();
                    assert_eq!(labels, metric.labels, "labels of {name}");
                    seen.insert(name.to_owned());
                }
            }
        }
        let unseen: Vec<&&str> = table.keys().filter(|name| !seen.contains(**name)).collect();
        assert!(unseen.is_empty(), "no metrics::…! in crates/*/src measures {unseen:?}");
    }

    #[test]
    fn helps_are_sentences() {
        for Metric { name, kind, help, .. } in METRICS {
            assert!(help.ends_with('.') && help.len() < 160, "{name}: {help}");
            assert_eq!(name.ends_with("_total"), *kind == Type::Counter, "{name}");
        }
    }

    /// Names of metrics in an expression of Prometheus.
    fn names(expression: &str) -> Vec<String> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = expression.split(|c: char| !is_part(c));
        words
            .filter(|word| word.starts_with("hall_") || word.starts_with("process_"))
            .map(str::to_owned)
            .collect()
    }

    fn known(name: &str) -> bool {
        let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        METRICS.iter().any(|metric| {
            metric.name == name
                || metric.kind == Type::Histogram && of_histogram.is_some_and(|name| metric.name == name)
        })
    }

    /// Labels that an expression selects or groups by.
    fn labels(expression: &str) -> Vec<&str> {
        let between = |begin: &'static str, end: char| {
            expression.split(begin).skip(1).filter_map(move |part| part.split(end).next())
        };
        let selected = between("{", '}').flat_map(|part| part.split(','));
        let selected = selected.filter_map(|part| part.split(['=', '!']).next());
        let grouped = between("by (", ')').flat_map(|part| part.split(','));
        selected.chain(grouped).map(str::trim).filter(|label| !label.is_empty()).collect()
    }

    /// Checks that each label is one of a metric in the expression, or one that Prometheus adds.
    fn check_labels(expression: &str, named: &[&str]) {
        let metrics = names(expression);
        let added = ["instance", "job", "le"];
        for label in named {
            let is_ours = METRICS
                .iter()
                .filter(|metric| metrics.iter().any(|name| name.starts_with(metric.name)))
                .any(|metric| metric.labels.contains(label));
            assert!(is_ours || added.contains(label), "{label} is no label of {expression}");
        }
    }

    fn expressions<'a>(value: &'a serde_json::Value, found: &mut Vec<&'a str>) {
        match value {
            serde_json::Value::Object(parts) => {
                found.extend(parts.get("expr").and_then(serde_json::Value::as_str));
                parts.values().for_each(|part| expressions(part, found));
            }
            serde_json::Value::Array(parts) => parts.iter().for_each(|part| expressions(part, found)),
            _ => {}
        }
    }

    /// Panels that show how a metric is divided by a label which it has not would be empty without an error.
    #[test]
    fn dashboard_and_alerts_use_labels_that_there_are() {
        let read = |name: &str| std::fs::read_to_string(root().join("packaging").join(name)).expect("a file");
        let dashboard: serde_json::Value =
            serde_json::from_str(&read("grafana-dashboard.json")).expect("JSON");
        let mut seen = 0;
        for panel in dashboard["panels"].as_array().expect("panels") {
            for target in panel["targets"].as_array().into_iter().flatten() {
                let expression = target["expr"].as_str().expect("an expression");
                let legend = target["legendFormat"].as_str().unwrap_or_default();
                let shown = legend.split("{{").skip(1).filter_map(|part| part.split("}}").next());
                let named: Vec<&str> = labels(expression).into_iter().chain(shown).collect();
                seen += named.len();
                check_labels(expression, &named);
            }
        }
        let instances = dashboard["templating"].to_string();
        assert!(names(&instances).iter().all(|name| known(name)), "{instances}");
        let alerts = read("prometheus-alerts.yaml");
        for rule in alerts.split("expr:").skip(1) {
            let expression = rule.lines().next().expect("an expression");
            let said = rule.split("$labels.").skip(1).filter_map(|part| part.split([' ', '}']).next());
            let named: Vec<&str> = labels(expression).into_iter().chain(said).collect();
            seen += named.len();
            check_labels(expression, &named);
        }
        assert!(seen > 80, "{seen} labels");
        assert_eq!(labels(r#"sum by (a, b) (x{c="1",d=~"e|f"})"#), ["c", "d", "a", "b"]);
    }

    /// The metrics of the dashboard and of the alerts are all measured (O9).
    #[test]
    fn dashboard_and_alerts_are_made_of_these() {
        let text =
            std::fs::read_to_string(root().join("packaging/grafana-dashboard.json")).expect("a dashboard");
        let dashboard: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let mut shown = Vec::new();
        expressions(&dashboard, &mut shown);
        assert!(shown.len() > 20, "{shown:?}");
        let alerts =
            std::fs::read_to_string(root().join("packaging/prometheus-alerts.yaml")).expect("alerts");
        let watched = alerts.lines().filter_map(|line| line.trim().strip_prefix("expr:"));
        let mut used = BTreeSet::new();
        let mut count = 0;
        for expression in shown.into_iter().chain(watched) {
            let found = names(expression);
            assert!(!found.is_empty() || expression.contains("up{"), "{expression}");
            for name in found {
                assert!(known(&name), "{name} in {expression} is not measured");
                used.insert(name);
            }
            count += 1;
        }
        assert!(count > 30 && used.len() > 25, "{count} expressions of {} metrics", used.len());
    }
}
