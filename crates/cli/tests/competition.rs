//! `qiguan competition`: would catch a report of another program that is not understood, a fault that is not told where it
//! stands, and a pairing that programs cannot read.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn competition(words: &[&str], language: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.arg("competition").args(words).env("LC_ALL", language);
    command.output().expect("qiguan runs")
}

fn told(words: &[&str]) -> String {
    let done = competition(words, "C");
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

fn refused(file: &Path, text: &[u8], language: &str) -> String {
    std::fs::write(file, text).expect("a file");
    let done = competition(&["check", &file.display().to_string()], language);
    assert_eq!(done.status.code(), Some(1));
    String::from_utf8(done.stderr).expect("UTF-8")
}

#[test]
fn a_competition_is_made_checked_paired_and_ranked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("club.trf");
    let name = file.display().to_string();
    told(&["make", "--entrants", "11", "--rounds", "4", "--seed", "5", "--points", "2-1-0", "--out", &name]);
    assert_eq!(std::fs::read_to_string(&file).expect("a report").matches("\n001 ").count(), 11);
    let again = competition(&["make", "--out", &name], "C");
    assert!(
        !again.status.success()
            && std::fs::read_to_string(&file).is_ok_and(|text| text.contains("Entrant 11"))
    );

    let checked: Value = serde_json::from_str(&told(&["check", &name, "--json"])).expect("JSON");
    assert_eq!((&checked["entrants"], &checked["odd"]), (&Value::from(11), &Value::Array(Vec::new())));
    let rounds = checked["rounds"].as_array().expect("rounds");
    assert!(rounds.iter().all(|one| one["sameSeats"] == one["boards"]), "its own pairing again: {checked}");

    let plain = told(&["pair", &name]);
    let boards: Value = serde_json::from_str(&told(&["pair", &name, "--json"])).expect("JSON");
    let first: Vec<u64> =
        plain.lines().nth(1).expect("a board").split(' ').map(|one| one.parse().expect("a number")).collect();
    assert_eq!(boards["boards"][0], Value::from(first));
    assert_eq!((plain.lines().next(), boards["round"].as_u64()), (Some("6"), Some(5)));
    assert!(plain.trim_end().ends_with(" 0"), "eleven are odd: {plain}");
    let whole = told(&["pair", &name, "--report"]);
    assert_eq!(whole.lines().filter(|line| line.starts_with("001")).count(), 11);
    std::fs::write(&file, whole).expect("a file");
    let open = competition(&["pair", &name], "C");
    assert!(String::from_utf8_lossy(&open.stderr).contains("Round 5 is not over: board 1"));

    let places: Vec<Value> = told(&["rank", &name, "--json", "--by", "PTS,BH/C1,NR"])
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(places.len(), 11);
    let points = |place: &Value| place["values"]["PTS"].as_str().and_then(|text| text.parse::<f64>().ok());
    assert!(places.windows(2).all(|two| points(&two[0]) >= points(&two[1])));
    let wrong = competition(&["rank", &name, "--by", "PTS,LUCK"], "C");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("“LUCK” separates nobody"));
}

#[test]
fn a_round_robin_follows_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("four.trf");
    let line = |number: u8| format!("001 {number:>4} {:38} {:4} {:27} 0.0 {number:>4}\n", "", "", "");
    std::fs::write(&file, (1..=4).map(line).collect::<String>()).expect("a file");
    let name = file.display().to_string();
    assert_eq!(told(&["pair", &name, "--method", "robin"]), "2\n1 4\n2 3\n");
    std::fs::write(&file, (1..=41).map(line).collect::<String>()).expect("a file");
    let done = competition(&["pair", &name, "--method", "robin"], "C");
    assert!(String::from_utf8_lossy(&done.stderr).contains("2 to 40 entrants; here are 41"));
}

#[test]
fn faults_are_told_in_the_language_of_the_user() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.trf");
    let row = format!("001    1      {:66} 1.0    1     9 w 1\n", "A");
    let said = refused(&file, row.as_bytes(), "C");
    assert!(
        said.contains("Line 1, column 92: in round 1 number 1 meets 9, who is not in the report."),
        "{said}"
    );
    let said = refused(&file, row.as_bytes(), "zh_CN.UTF-8");
    assert!(said.contains("第 1 行第 92 列：第 1 轮中序号 1 的对手是 9，而报告中没有此人。"), "{said}");
    let said = refused(&file, &vec![b'x'; 3 << 20], "C");
    assert!(said.contains("at most 2 MiB"), "{said}");
    assert!(!competition(&["rank", "/nowhere/at/all.trf"], "C").status.success());
}

#[test]
fn names_in_other_encodings_and_lines_of_others_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("gbk.trf");
    let row = |name: &str, number: u8| {
        format!(
            "001 {number:>4}      {name}{:w$}      {:27} 0.0 {number:>4}\n",
            "",
            "",
            w = 33 - name.chars().count()
        )
    };
    let text =
        format!("012 上海市象棋公开赛\n240 somebody else's line\n{}{}", row("胡荣华", 1), row("柳大华", 2));
    // 上海市象棋公开赛, 胡荣华 and 柳大华 in GB 18030.
    let coded: Vec<u8> = text.chars().flat_map(gbk).collect();
    std::fs::write(&file, coded).expect("a file");
    let done = competition(&["rank", &file.display().to_string()], "C");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(out.contains("胡荣华") && out.contains("柳大华"), "{out}{err}");
    assert!(err.contains("not followed: 240"), "{err}");
    assert!(told(&["pair", &file.display().to_string(), "--report"]).contains("240 somebody else's line"));
}

/// The few characters of these tests in GB 18030.
fn gbk(sign: char) -> Vec<u8> {
    const CODES: [(char, u16); 12] = [
        ('上', 0xc9cf),
        ('海', 0xbaa3),
        ('市', 0xcad0),
        ('象', 0xcff3),
        ('棋', 0xc6e5),
        ('公', 0xb9ab),
        ('开', 0xbfaa),
        ('赛', 0xc8fc),
        ('胡', 0xbafa),
        ('荣', 0xc8d9),
        ('华', 0xbbaa),
        ('柳', 0xc1f8),
    ];
    match CODES.iter().find(|(known, _)| *known == sign) {
        Some((_, code)) => code.to_be_bytes().to_vec(),
        None if sign == '大' => vec![0xb4, 0xf3],
        None => vec![sign as u8],
    }
}
