//! Fuzz target for answers of a worker: an answer that is accepted is legal and about the position in question; and a
//! question that is sent is read as the same question.

#![no_main]

use std::sync::LazyLock;

use thinking::{Answer, Ask, GameSnapshot, Search, Size};
use wire::{Work, WorkAnswer};

static SEARCH: LazyLock<Search> = LazyLock::new(|| {
    let entry = catalog::find("xiangqi").expect("is there");
    let options = entry.settle(&Default::default(), catalog::Setting::Online).expect("usual");
    let game = entry.open(None, &options, None).expect("opens");
    let ask = Ask::Think {
        limits: engine::Limits::default(),
        size: Size::Small,
        engine: None,
        table: String::new(),
    };
    Search {
        about: GameSnapshot { key: "xiangqi".to_owned(), options, map: None, rules: None, fen: None, game },
        ask,
    }
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut told) = serde_json::from_slice::<WorkAnswer>(bytes) {
        // Most of what is tried would end at the digest.
        told.digest = thinking::digest(SEARCH.about.game.as_ref());
        if let Ok(Ok(Answer::Thought(thought))) = SEARCH.believe(&told) {
            assert!(SEARCH.about.game.moves().contains(&thought.best));
            assert!(thought.lines.iter().all(|line| !line.moves.is_empty()));
        }
    }
    if let Ok(work) = serde_json::from_slice::<Work>(bytes)
        && let Ok(search) = Search::told(&work, None)
    {
        assert_eq!(
            search.tell(work.id.clone(), search.longest(), search.longest()).game.digest,
            work.game.digest
        );
    }
});
