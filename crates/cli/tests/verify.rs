//! `qiguan verify`: would catch a record that is called honest although a draw or the secret was changed, and a failure that
//! programs cannot tell from success.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use catalog::maps::{self, Rules, sample};
use kernel::by_lot;
use records::{Files, Format, MapOf, Ply, Record, Tree};
use serde_json::Value;
use table::Secret;

const TABLE: &str = "k3m9q2w7";

fn secret() -> Secret {
    Secret::read("000102030405060708090a0b0c0d0e0f").expect("32 digits")
}

fn verify(file: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.arg("verify").arg(file).args(words).env("LC_ALL", "C");
    command.output().expect("qiguan runs")
}

/// The record of a game of Banqi in which that many pieces were turned over.
fn record(plies: u32) -> Record {
    let package = sample("banqi-2").expect("an example").package();
    let rules = Rules::load(&package, &BTreeMap::new(), None).expect("a good map");
    let mut game = rules.open(None).expect("the start");
    let mut record = Record::default();
    let mut last = Tree::START;
    for nth in 0..plies {
        let at = format!("{},{}", nth / 8 + 1, nth % 8 + 1);
        let text = by_lot(game.as_ref(), &format!("{at}-{at}"), |sum| secret().draw(TABLE, nth, sum));
        game.play(&text).expect("is legal");
        last = record.tree.add(last, Ply { text, ..Ply::default() });
    }
    record.game = maps::KEY.to_owned();
    maps::set_seed(&mut record.options, secret().0);
    let files = Files { map: package.map, extensions: Vec::new() };
    record.map = Some(MapOf { id: String::new(), name: "Banqi".to_owned(), files: Some(files) });
    record.tag("Table", TABLE);
    record.tag("Commitment", &secret().commitment(TABLE));
    record
}

#[test]
fn a_record_is_as_the_hall_promised_or_the_first_difference_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json");
    let write = |record: &Record| {
        std::fs::write(&file, records::write(Format::Json, record).expect("is written")).expect("is kept");
    };
    let honest = record(9);
    write(&honest);
    let done = verify(&file, &[]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && said.contains("9 draws") && said.contains(TABLE), "{said}");
    let told: Value = serde_json::from_slice(&verify(&file, &["--json"]).stdout).expect("JSON");
    assert_eq!((&told["verified"], &told["draws"]), (&Value::Bool(true), &Value::from(9)), "{told}");

    // One outcome changed: the kind that is most likely besides.
    let mut forged = honest.clone();
    let sixth = forged.tree.main_line().nth(5).expect("a ply");
    let was = forged.tree[sixth].text.clone();
    let (choice, _) = was.split_once('{').expect("it was drawn");
    let other = ["卒", "兵"].map(|kind| format!("{choice}{{{kind}}}")).into_iter().find(|text| *text != was);
    forged.tree[sixth].text = other.clone().expect("one of two");
    write(&forged);
    let done = verify(&file, &["--json"]);
    let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(
        (&told["verified"], &told["problem"]),
        (&Value::Bool(false), &Value::from("verify-draw")),
        "{told}"
    );
    assert_eq!(
        (&told["ply"], &told["played"], &told["drawn"]),
        (&Value::from(6), &Value::from(other), &Value::from(was))
    );
    let said = String::from_utf8_lossy(&verify(&file, &[]).stderr).into_owned();
    assert!(said.contains("Ply 6"), "{said}");

    let with = |change: &dyn Fn(&mut Record)| {
        let mut record = honest.clone();
        change(&mut record);
        write(&record);
        let done = verify(&file, &[]);
        assert_eq!(done.status.code(), Some(1));
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    for (said, part) in [
        (with(&|record| record.options.clear()), "no secret"),
        (with(&|record| drop(record.tags.remove("Table"))), "Table"),
        (with(&|record| maps::set_seed(&mut record.options, 7)), "bound to"),
        (with(&|record| record.tag("Draws", "0 1")), "2 numbers"),
        (with(&|record| record.tag("Draws", "x")), "Draws"),
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let none = verify(&folder.path().join("none.json"), &[]);
    assert_eq!(none.status.code(), Some(1));
    std::fs::write(&file, "{").expect("is kept");
    assert_eq!(verify(&file, &[]).status.code(), Some(1));
}
