//! The page's types are those of this crate, and what is sent is called what clients call it.

use wire::{Act, Offer};

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

#[test]
fn an_act_is_called_what_it_is_called_on_the_wire() {
    for act in [
        Act::Sit { side: None },
        Act::Leave,
        Act::Move { text: "h8".to_owned(), away: false },
        Act::Withdraw,
        Act::Offer { what: Offer::Draw, plies: None },
        Act::Accept { what: Offer::Draw },
        Act::Decline { what: Offer::Draw },
        Act::Resign { side: None },
        Act::Abort,
        Act::Claim,
        Act::Flag,
    ] {
        assert_eq!(serde_json::to_value(&act).expect("plain data")["k"], act.name());
    }
}
