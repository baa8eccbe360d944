//! Files that are no maps, and what is said about them.

use std::path::Path;

use jingbanqi::{Reading, read};
use kernel::Problem;
use serde_json::Value;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad"))
}

fn all(reading: &Reading) -> Vec<&Problem> {
    reading.errors.iter().chain(&reading.warnings).collect()
}

#[test]
fn each_bad_map_gets_its_answer() {
    let manifest = std::fs::read_to_string(folder().join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    for (file, wanted) in manifest.as_object().expect("files") {
        let reading = read(&std::fs::read(folder().join(file)).expect("bytes"));
        let (code, place) =
            (wanted["expect"].as_str().expect("a code"), wanted["where"].as_str().expect("a place"));
        if code == "ok" {
            assert!(reading.map.is_some() && reading.errors.is_empty(), "{file}: {:?}", reading.errors);
            continue;
        }
        let key = format!("map-{}", code.replace('_', "-"));
        let found = all(&reading).into_iter().find(|p| p.key == key && p.arg("place") == Some(place));
        assert!(found.is_some(), "{file}: {key} at {place}, not {:?}", all(&reading));
        assert_eq!(
            reading.map.is_none(),
            !code.starts_with("warn"),
            "{file}: errors refuse, warnings do not"
        );
    }
}

#[test]
fn bytes_of_any_kind_are_read_or_refused() {
    for bytes in [&b""[..], b"PK\x03\x04", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", &[0xFF; 5000]] {
        let reading = read(bytes);
        assert_eq!((reading.map, reading.errors.len()), (None, 1));
    }
    // Every cut of a good file, and a file with each of some bytes turned over.
    let good = std::fs::read(folder().join("../maps/t6_onerow(1x7).xlsx")).expect("bytes");
    assert!(read(&good).map.is_some());
    for cut in (0..good.len()).step_by(97) {
        assert!(read(&good[..cut]).map.is_none(), "cut at {cut}");
    }
    for at in (0..good.len()).step_by(61) {
        let mut spoilt = good.clone();
        spoilt[at] ^= 0x55;
        let _ = read(&spoilt);
    }
}
