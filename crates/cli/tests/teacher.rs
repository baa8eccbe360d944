//! Catches a page of extensions that differs from the code, and mistakes of authors that are told without their place.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use texts::{Language, say};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn qiguan(args: &[&str], language: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.args(args).env("LANG", language).env_remove("LC_ALL").env_remove("LC_MESSAGES");
    let output = command.output().expect("the program was built with this test");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The page is what the program prints; with `QIGUAN_BLESS=1` it is written again.
#[test]
fn the_page_of_extensions_is_made_from_the_code() {
    for (language, file) in [("en_US.UTF-8", "extensions.md"), ("zh_CN.UTF-8", "extensions.zh.md")] {
        let (page, path) = (qiguan(&["map", "api"], language), root().join("docs").join(file));
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(&path, &page).expect("the docs can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == page, "{file}: QIGUAN_BLESS=1 cargo test -p cli --test teacher");
    }
}

/// Pages and sentences that name a limit of extensions name the one that the worker enforces.
#[test]
fn the_figures_of_limits_are_those_of_the_code() {
    use catalog::maps::limits::{CALL, DEPTH, LOAD, MEMORY, PLY};
    let (call, ply, load) = (CALL.as_millis(), PLY.as_secs(), LOAD.as_secs());
    let memory = MEMORY >> 20;
    let games = catalog::maps::PLAN.games + engine::trial::Trial::default().games;
    for (file, words) in [
        ("extensions.md", format!("take {call} ms of processor time, a move {ply} s, a game {memory} MiB")),
        ("extensions.md", format!("{DEPTH} deep")),
        ("extensions.md", format!("plays {games} games")),
        ("extensions.zh.md", format!("{call} 毫秒处理器时间，一步棋 {ply} 秒，一局 {memory} MiB")),
        ("extensions.zh.md", format!("{DEPTH} 层")),
        ("extensions.zh.md", format!("{games} 局")),
        ("maps.md", format!("call may take {call} ms, a ply {ply} s, the loading of a file {load} s")),
        ("guide/maps.md", format!("plays {games} games")),
        (
            "rules/jingbanqi.md",
            format!("({call} ms a call, {ply} s a ply, {memory} MiB, {DEPTH} calls deep)"),
        ),
        ("adr/0011-strangers-python.md", format!("{call} ms a call and {ply} s a ply")),
    ] {
        let page = std::fs::read_to_string(root().join("docs").join(file)).expect("a page");
        assert!(page.contains(&words), "docs/{file}: {words}");
    }
    for language in Language::ALL {
        let (deep, full) = (say(language, "fault-recursion", &[]), say(language, "fault-memory", &[]));
        assert!(deep.contains(&format!(" {DEPTH} ")), "{deep}");
        assert!(full.contains(&format!(" {memory} MiB")), "{full}");
    }
}

/// The editor of the page completes the same names.
#[test]
fn the_editor_knows_the_same_names() {
    let script = std::fs::read_to_string(root().join("web/src/lib/jbq.ts")).expect("a file of the page");
    let between = |name: &str| {
        let from = script.find(&format!("export const {name}: Member[] = [")).expect("a table of names");
        script[from..].lines().skip(1).take_while(|line| *line != "];").collect::<Vec<_>>()
    };
    use catalog::maps::api::{CHESS, HOOKS, HOOKS2, JBQ, JBQ2};
    let tables =
        [("JBQ", &JBQ[..]), ("CHESS", &CHESS), ("HOOKS", &HOOKS), ("HOOKS2", &HOOKS2), ("JBQ2", &JBQ2)];
    for (name, members) in tables {
        let line = |member: &catalog::maps::api::Member| {
            format!("  {{ name: '{}', sign: '{}', key: '{}' }},", member.name, member.sign, member.key)
        };
        assert_eq!(between(name), members.iter().map(line).collect::<Vec<_>>(), "{name}");
        for member in members {
            let key = format!("jbq-{}", member.key);
            let missing = Language::ALL.into_iter().find(|&language| say(language, &key, &[]) == key);
            assert_eq!(missing, None, "{key}");
        }
    }
}

/// A mistake, and words of both languages that name it with its place.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        "def after_move(a，b):\n    pass\n",
        "line 2, column 17: “，” is not a sign of Python. Write “,” instead",
        "第 2 行第 17 列：“，”是中文（全角）符号",
    ),
    (
        "def check_can_goo(can_go, chess, arr):\n    return can_go\n",
        "“check_can_goo”. Do you mean “check_can_go”?",
        "是不是想写“check_can_go”",
    ),
    (
        "def after_move(a, b):\n    x = foo\n    print(x)\n",
        "NameError: name 'foo' is not defined – Nothing of that name",
        "NameError: name 'foo' is not defined——这里没有“foo”",
    ),
    ("import os\n", "No module named 'os' – Nothing of the machine", "扩展接触不到机器上的任何东西"),
    (
        "def check_can_go(can_go, chess, arr):\n    while True:\n        pass\n",
        "a call took more than 50 ms",
        "一次调用超过 50 毫秒",
    ),
];

#[test]
fn mistakes_are_told_in_both_languages() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.py");
    let (map, file) = (root().join("maps/mountains.xlsx"), file.to_str().expect("UTF-8").to_owned());
    let map = map.to_str().expect("UTF-8");
    for (text, english, chinese) in MISTAKES {
        std::fs::write(&file, format!("EX_NAME = 'x'\n{text}")).expect("a file");
        for (language, words) in [("en_US.UTF-8", english), ("zh_CN.UTF-8", chinese)] {
            let told = qiguan(&["map", "check", map, "--extension", &file], language);
            assert!(told.contains(words), "{text}: {words}\n{told}");
        }
    }
    std::fs::write(&file, "EX_NAME = 'x'\nx = （1)\n").expect("a file");
    let told = qiguan(&["map", "check", map, "--extension", &file, "--json"], "en_US.UTF-8");
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let found = &told["errors"][0];
    assert_eq!(
        (&found["code"], &found["line"], &found["column"]),
        (&"full_width".into(), &2.into(), &5.into())
    );
}
