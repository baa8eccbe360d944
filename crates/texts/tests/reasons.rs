//! The explanations of failures, held to the reasons that are recognised: would catch a reason without an explanation, an
//! explanation that nothing leads to any more, and one that shows a fact which the words of the failure do not have.

use std::collections::{BTreeMap, BTreeSet};

use texts::{Language, say};

/// The table of reasons, as its source has it.
const REASONS: &str = include_str!("../../jingbanqi/src/reason.rs");

/// Returns the keys of the table, each with the number of facts that all its forms have.
fn reasons() -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    for line in REASONS.lines() {
        let row = line.trim().strip_prefix("(\"").and_then(|row| row.strip_suffix("\"),"));
        let Some((form, key)) = row.and_then(|row| row.rsplit_once("\", \"")) else { continue };
        let facts = form.matches("{}").count();
        let least = found.entry(key).or_insert(facts);
        *least = facts.min(*least);
    }
    found
}

/// Returns the keys of the explanations: the messages `fault-<key>` of the teacher, without the sentence that holds one.
fn explained(text: &'static str) -> BTreeSet<&'static str> {
    let keys = text.lines().filter_map(|line| Some(line.strip_prefix("fault-")?.split_once(" =")?.0));
    keys.filter(|key| *key != "explained").collect()
}

#[test]
fn every_reason_is_explained_and_every_explanation_has_its_reason() {
    let known: BTreeSet<&str> = reasons().into_keys().collect();
    // Were the rows written in another way, the test would hold of nothing.
    assert!(known.len() > 50, "{known:?}");
    let (_, english, chinese) = texts::SOURCES.iter().find(|(name, ..)| *name == "teacher").expect("a file");
    assert_eq!(explained(english), known, "texts/en/teacher.ftl");
    assert_eq!(explained(chinese), known, "texts/zh/teacher.ftl");
}

#[test]
fn an_explanation_shows_only_facts_that_its_words_have() {
    for (key, facts) in reasons() {
        let told = [("name", "⟨1⟩"), ("other", "⟨2⟩")];
        for language in Language::ALL {
            let said = say(language, &format!("fault-{key}"), &told[..facts.min(2)]);
            assert!(!said.contains("{$") && !said.contains("{ $"), "{key}: {said}");
        }
    }
}
