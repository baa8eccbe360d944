//! The page's types are those of this crate.

#[test]
fn the_generated_types_are_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/lib/wire.ts");
    let wanted = wire::typescript();
    if std::env::var_os("QIGUAN_BLESS").is_some() {
        std::fs::write(path, &wanted).expect("the web folder is there");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(found, wanted, "web/src/lib/wire.ts is stale: run QIGUAN_BLESS=1 cargo test -p wire");
}
