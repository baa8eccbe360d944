//! Catches a dependency that `docs/architecture.md` does not allow, by what Cargo says of the workspace.
//!
//! A normal or build dependency between our crates must be in the table, and lead to a lower layer. A dev-dependency
//! may go to any crate of the same layer or below: tests drive what they test from outside. The tables may name crates
//! that do not exist yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// External crates that only some of ours may use, tests aside.
const RESERVED: [(&str, &[&str]); 4] = [
    ("sqlx", &["bus", "hall", "store"]),
    ("rusqlite", &["library", "puzzles"]),
    ("fluent-bundle", &["texts"]),
    (
        "tokio",
        &[
            "bus", "edge", "hall", "members", "store", "tables", "works", "client", "arena", "referee",
            "tui", "worker", "cli",
        ],
    ),
];
/// The dependencies of crates of layers 0 and 1 beside the standard library: files of maps, and, behind features, the
/// JSON of what clients draw and workers report.
const RULES_DEPENDENCIES: [(&str, &str); 6] = [
    ("jingbanqi", "calamine"),
    ("jingbanqi", "serde"),
    ("jingbanqi", "zip"),
    ("kernel", "serde"),
    ("kernel", "ts-rs"),
    ("kernel", "utoipa"),
];

#[test]
fn each_edge_is_in_the_table() {
    let Tables { layers, may_use } = Tables::read();
    let mut complaints = Vec::new();
    for Edge { from, to, dev, ours } in edges() {
        let (Some(&here), Some(allowed)) = (layers.get(&from), may_use.get(&from)) else {
            complaints.push(format!("{from} is in the workspace, but not in both tables"));
            continue;
        };
        let fits = match (ours, dev) {
            (true, true) => layers.get(&to).is_some_and(|&there| there <= here),
            (true, false) => allowed.contains(&to),
            (false, true) => true,
            (false, false) => may_use_foreign(&from, here, &to),
        };
        if !fits {
            let what = if dev { "tests of " } else { "" };
            complaints.push(format!("{what}{from} (layer {here}) may not use {to}"));
        }
    }
    assert!(complaints.is_empty(), "docs/architecture.md disagrees:\n{}", complaints.join("\n"));
}

#[test]
fn each_crate_is_in_both_tables() {
    let Tables { layers, may_use } = Tables::read();
    assert_eq!(
        layers.keys().collect::<Vec<_>>(),
        may_use.keys().collect::<Vec<_>>(),
        "the two tables name the same"
    );
    for package in packages() {
        let name = text(&package["name"]);
        // The binary is called `qiguan`; its folder is `cli`.
        let folder = Path::new(text(&package["manifest_path"])).parent().and_then(Path::file_name);
        assert!(folder.is_some_and(|f| f == folder_of(name)), "{name} lives in a folder of its name");
        assert!(layers.contains_key(folder_of(name)), "{name} is missing in docs/architecture.md");
    }
}

#[test]
fn the_table_itself_points_down() {
    let Tables { layers, may_use } = Tables::read();
    for (from, allowed) in &may_use {
        for to in allowed {
            assert!(
                layers[to] < layers[from],
                "{from} (layer {}) uses {to} (layer {})",
                layers[from],
                layers[to]
            );
        }
    }
    // Were the table not understood, everything above would hold of nothing.
    assert!(may_use.len() >= 20, "only {} crates were read", may_use.len());
    assert_eq!(may_use["wire"], BTreeSet::from(["kernel".to_string()]));
    assert!(may_use["kernel"].is_empty());
    assert_eq!(may_use["cli"].len(), may_use.len() - 1);
}

/// Layers 0 and 1 use the standard library alone; elsewhere only the reserved crates are restricted.
fn may_use_foreign(from: &str, layer: u8, to: &str) -> bool {
    let reserved_for = RESERVED.iter().find(|(name, _)| *name == to);
    (layer > 1 || RULES_DEPENDENCIES.contains(&(from, to)))
        && reserved_for.is_none_or(|(_, who)| who.contains(&from))
}

/// The two tables: the layer of each crate, and what it may use.
struct Tables {
    layers: BTreeMap<String, u8>,
    may_use: BTreeMap<String, BTreeSet<String>>,
}

impl Tables {
    fn read() -> Tables {
        let path = root().join("docs/architecture.md");
        let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut layers = BTreeMap::new();
        for row in table(&page, "| layer |") {
            let layer = row[0].parse().expect("a layer is a number");
            layers.extend(quoted(&row[2]).map(|name| (name, layer)));
        }
        let mut may_use = BTreeMap::new();
        for row in table(&page, "| crate | may use |") {
            let name = quoted(&row[0]).next().expect("a crate stands in backticks");
            let below = |there: &u8| *there < layers[&name];
            let allowed = match row[1].as_str() {
                "everything below" => {
                    layers.iter().filter(|(_, f)| below(f)).map(|(n, _)| n.clone()).collect()
                }
                "the standard library" => BTreeSet::new(),
                list => quoted(list).collect(),
            };
            assert!(row[1].starts_with(['`', 'e', 't']), "cannot read what {name} may use: {}", row[1]);
            may_use.insert(name, allowed);
        }
        Tables { layers, may_use }
    }
}

/// Returns the rows below the heading that begins so, as trimmed cells.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let rows = page.lines().skip_while(|line| !line.starts_with(heading)).skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    rows.take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// Returns the words in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_string)
}

/// One dependency of one of our crates.
struct Edge {
    from: String,
    to: String,
    dev: bool,
    ours: bool,
}

fn edges() -> Vec<Edge> {
    let packages = packages();
    let ours: BTreeSet<&str> = packages.iter().map(|p| text(&p["name"])).collect();
    let edges_of = |package: &Value| {
        let from = folder_of(text(&package["name"])).to_string();
        let edge = |d: &Value| {
            let to = text(&d["name"]);
            Edge {
                from: from.clone(),
                to: folder_of(to).to_string(),
                dev: d["kind"] == "dev",
                ours: ours.contains(to),
            }
        };
        package["dependencies"].as_array().expect("a list").iter().map(edge).collect::<Vec<_>>()
    };
    packages.iter().flat_map(edges_of).collect()
}

/// Returns the folder of a package: its own name, unless the package of the program carries the program's name.
fn folder_of(package: &str) -> &str {
    if package == "qiguan" { "cli" } else { package }
}

fn packages() -> Vec<Value> {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs where tests run");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let metadata: Value = serde_json::from_slice(&out.stdout).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
