//! Addresses of games: would catch a word that leads to two games or hides a page of the hall, and a row of a game that is not there.

use std::collections::BTreeSet;

use catalog::addresses::{RESERVED, WORDS, find, of};
use catalog::{ENTRIES, Entry};

#[test]
fn each_word_leads_to_one_game_and_to_no_page_of_the_hall() {
    let mut seen = BTreeSet::new();
    for entry in ENTRIES.iter() {
        for word in of(entry) {
            assert!(seen.insert(word.to_lowercase()), "{word} leads to two games");
            assert!(!RESERVED.contains(&&*word), "{word} is a page of the hall");
            let plain =
                |c: char| c.is_ascii_lowercase() || c == '-' || ('\u{4e00}'..='\u{9fff}').contains(&c);
            assert!(
                !word.is_empty() && word.chars().all(plain),
                "{word} cannot be typed into an address as it is"
            );
            assert_eq!(find(&word).map(|found| found.key), Some(entry.key));
        }
    }
    assert!(RESERVED.is_sorted());
}

#[test]
fn a_row_is_of_a_game_that_is_there() {
    for (key, words) in WORDS {
        assert!(catalog::find(key).is_ok() && !words.is_empty(), "{key}");
    }
}

#[test]
fn a_game_that_is_not_listed_has_its_key() {
    let toy = Entry::new("toy/two", "toy", ["black", "white"], &[], |_, fen| {
        kernel::any_at(gomoku::Gomoku::new(gomoku::Rule::Standard, 15, 15)?, fen)
    });
    assert_eq!(of(&toy), ["toy-two"]);
}
