//! Every prompt, offer and refusal of an opening has a message in both languages.

use std::collections::BTreeSet;

use gomoku::opening::Choice;
use gomoku::{Gomoku, Opened, Opening, Rule};
use kernel::{Notation, Position, laws::Random};
use texts::{Language, problem, say};

/// The keys that are still met as keys.
fn unsaid(key: &str) -> bool {
    Language::ALL.into_iter().any(|language| say(language, key, &[]) == key)
}

#[test]
fn every_step_is_said() {
    let mut keys = BTreeSet::new();
    for opening in Opening::ALL {
        keys.insert(format!("option-opening-{}", opening.key()));
        for seed in 0..200 {
            let mut random = Random(seed);
            let mut pos = Opened::new(opening, Gomoku::usual(Rule::Renju)).unwrap();
            while !pos.is_open() {
                keys.extend(pos.prompt().map(|prompt| format!("prompt-{}", prompt.key)));
                keys.extend(pos.buttons().iter().map(|button| format!("button-{}", button.name)));
                keys.extend(pos.caption().map(|caption| format!("caption-{}", caption.key)));
                for text in ["pass", "swap", "a1", "h8", "i9", "l12"] {
                    if pos.read_move(text).is_none() {
                        let refusal = pos.refusal(text);
                        for language in Language::ALL {
                            let said = problem(language, &refusal);
                            assert!(!said.contains("problem-") && !said.contains("{$"), "{refusal}: {said}");
                        }
                    }
                }
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                pos.play(moves[random.below(moves.len())]);
            }
        }
    }
    for name in
        ["pattern-3", "colour-or-two", "two-2", "fifths", "offers", "pick", "black-swaps-or-ten", "black-9x9"]
    {
        assert!(keys.contains(&format!("prompt-opening-{name}")), "no game came to {name}");
    }
    assert_eq!(keys.iter().filter(|key| key.starts_with("caption-")).count(), 26, "every opening was met");
    assert!(keys.contains(&format!("button-{}", Choice::Fifths(12).name())));
    let unsaid: Vec<&String> = keys.iter().filter(|key| unsaid(key)).collect();
    assert!(unsaid.is_empty(), "nobody wrote {unsaid:?}");
}
