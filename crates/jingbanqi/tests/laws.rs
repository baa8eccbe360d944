//! The laws every game obeys.

use std::sync::Arc;

use jingbanqi::{Jingbanqi, Rulebook, read};

#[test]
fn maps_obey_the_laws() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/maps");
    for entry in std::fs::read_dir(folder).expect("maps") {
        let path = entry.expect("a file").path();
        let map = read(&std::fs::read(&path).expect("bytes")).map.unwrap_or_else(|| panic!("{path:?}"));
        for old_names in [false, true] {
            kernel::laws::check_games(
                &Jingbanqi::new(Arc::new(Rulebook::new(map.clone(), old_names))),
                8,
                80,
            );
        }
    }
}
