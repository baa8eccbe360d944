//! The catalogues of both languages have the same messages and variables.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast;

/// Returns the variables of each message, by its key.
fn messages(name: &str, text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let tree = fluent_syntax::parser::parse(text).unwrap_or_else(|(_, e)| panic!("{name}.ftl: {e:?}"));
    let mut found = BTreeMap::new();
    for entry in tree.body {
        if let ast::Entry::Message(m) = entry {
            let written = format!("{:?}", m.value);
            let variables = written
                .split("VariableReference { id: Identifier { name: \"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next().map(str::to_owned))
                .collect();
            assert!(
                found.insert(m.id.name.to_owned(), variables).is_none(),
                "{name}.ftl says {} twice",
                m.id.name
            );
        }
    }
    found
}

#[test]
fn every_key_is_in_both_languages_with_the_same_facts() {
    let mut all = BTreeSet::new();
    for (name, english, chinese) in texts::SOURCES {
        let (en, zh) = (messages(name, english), messages(name, chinese));
        assert_eq!(en, zh, "texts/en/{name}.ftl and texts/zh/{name}.ftl");
        for key in en.into_keys() {
            assert!(all.insert(key.clone()), "{key} stands in two files, {name}.ftl is the second");
        }
    }
    assert!(!all.is_empty());
}

/// Terminals, e-mails and refusals give the reason of a game's end by its key alone, without variables.
#[test]
fn the_reason_of_an_end_needs_no_facts() {
    for (name, english, _) in texts::SOURCES {
        for (key, facts) in messages(name, english).into_iter().filter(|(key, _)| key.starts_with("reason-"))
        {
            assert!(facts.is_empty(), "{key} in {name}.ftl needs {facts:?}");
        }
    }
}

/// Facts that are a bound or a sum, and never one.
const NEVER_ONE: [&str; 8] = ["all", "cols", "days", "limit", "most", "needs_games", "of", "uses"];
/// Sentences about numbers that are never one: rows of a database and of a board, games of a check, variants to choose from.
const NEVER_ABOUT_ONE: [&str; 6] = [
    "api-limits-about",
    "cli-admin-moved",
    "cli-admin-rebuilt",
    "map-check-fine",
    "problem-map-terrain-off-board",
    "variants-open",
];

#[test]
fn one_thing_is_not_said_as_several() {
    let mut wrong = Vec::new();
    for (name, english, _) in texts::SOURCES {
        for (key, facts) in messages(name, english) {
            let facts: Vec<(&str, &str)> = facts
                .iter()
                .map(|fact| (&**fact, if NEVER_ONE.contains(&&**fact) { "5" } else { "1" }))
                .collect();
            let said = texts::say(texts::Language::English, &key, &facts);
            let words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
            let several = words.windows(2).any(|pair| {
                pair[0] == "1"
                    && ["seconds", "minutes", "hours", "days", "games", "people", "rows"].contains(&pair[1])
            });
            if several && !NEVER_ABOUT_ONE.contains(&&*key) {
                wrong.push(format!("{name}.ftl: {key}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_problem_is_said_with_its_facts() {
    let stale = kernel::Problem::new("unknown-game").with("game", "chess");
    let said = texts::problem(texts::Language::English, &stale);
    assert!(said.contains("chess"), "{said}");
    let said = texts::problem(texts::Language::Chinese, &stale);
    assert!(said.contains("chess") && said.contains('没'), "{said}");
}

#[test]
fn what_only_reads_like_a_number_stays_as_it_is() {
    for name in ["0000", "007", "1e5", "Infinity", "nan", "+3", "12", "-3", "2.50"] {
        let said = texts::say(texts::Language::English, "problem-unknown-game", &[("game", name)]);
        assert!(said.contains(name), "{name}: {said}");
    }
}

#[test]
fn an_unwritten_sentence_is_its_key() {
    assert_eq!(texts::say(texts::Language::English, "no-such-key", &[]), "no-such-key");
}

#[test]
fn the_language_is_the_first_one_spoken() {
    use texts::Language::{Chinese, English};
    for (wish, wanted) in [
        ("zh-CN,zh;q=0.9,en;q=0.8", Chinese),
        ("fr-FR,zh;q=0.5", Chinese),
        ("en-GB", English),
        ("zh_CN.UTF-8", Chinese),
        ("", English),
        ("é", English),
    ] {
        assert_eq!(texts::Language::preferred(wish), wanted, "{wish}");
    }
}

/// The variables are read in the order of POSIX; an empty one is ignored.
#[test]
fn the_environment_names_the_language() {
    use texts::Language::{Chinese, English};
    for (variables, wanted) in [
        (&[("LANG", "zh_CN.UTF-8")][..], Chinese),
        (&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")], English),
        (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "zh_CN.UTF-8")], Chinese),
        (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "en_US"), ("LC_ALL", "zh_TW.UTF-8")], Chinese),
        (&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", ""), ("LC_MESSAGES", "")], Chinese),
        (&[], English),
    ] {
        let value =
            |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        assert_eq!(texts::Language::of_environment(value), wanted, "{variables:?}");
    }
}
