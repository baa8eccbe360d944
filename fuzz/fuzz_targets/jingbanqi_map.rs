//! Fuzz target for maps: the input is read or refused, and a map that was read can be played.

#![no_main]

use std::sync::Arc;

use jingbanqi::level2::{Sheets2, ways};
use jingbanqi::{Draft, DraftKind, Jingbanqi, Map, Rulebook, read, rule};
use kernel::{Notation, Position, Side};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // The rules alone are reached sooner than through an archive.
    if let Ok(text) = std::str::from_utf8(bytes) {
        if let Ok(rule) = rule::move_rule(text) {
            assert_eq!(rule::move_rule(&rule.to_string()), Ok(rule));
        }
        if let Ok(rule) = rule::place_rule(text) {
            assert_eq!(rule::place_rule(&rule.to_string()), Ok(rule));
        }
        let _ = (ways::ways(text), ways::places(text));
        if let Some(map) = of_level_2(text) {
            play(map, false);
        }
    }
    let reading = read(bytes);
    assert_eq!(reading.map.is_none(), !reading.errors.is_empty());
    if let Some(map) = reading.map {
        play(map, bytes.len().is_multiple_of(2));
    }
});

/// A small map whose sheets of level 2 stand in the text: rows with lines, cells with tabs, sheets with form feeds, and first
/// the rules of two pieces.
fn of_level_2(text: &str) -> Option<Map> {
    let sheet = |text: &str| text.lines().map(|row| row.split('\t').map(str::to_owned).collect()).collect();
    let mut sheets = text.split('\u{c}');
    let rules: Vec<&str> = sheets.next()?.split('\t').collect();
    let kinds = rules.chunks(4).take(2).zip(Side::BOTH).map(|(rules, owner)| {
        let text = |at: usize| rules.get(at).map_or(String::new(), |text| (*text).to_owned());
        let attributes = ["takes", "becomes"].map(|name| (name.to_owned(), jingbanqi::Value::Text(text(3))));
        DraftKind {
            name: ["A", "a"][owner.index()].to_owned(),
            owner: Some(owner),
            rule: text(0),
            promotes: text(1),
            promoted: text(2),
            attributes: attributes.into(),
            ..DraftKind::default()
        }
    });
    let mut rules2: Vec<Vec<String>> = vec![vec!["Qiguan 2".to_owned()]];
    rules2.extend::<Vec<Vec<String>>>(sheet(sheets.next()?));
    let mut next = || sheets.next().map(sheet).unwrap_or_default();
    let level2 = Sheets2 { rules2, terrain: next(), look: next(), hand: next(), bag: next() };
    let cells = vec![2, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 1];
    let reading =
        Draft { rows: 4, cols: 3, cells, kinds: kinds.collect(), level2, ..Draft::default() }.read();
    assert_eq!(reading.map.is_none(), !reading.errors.is_empty());
    reading.map
}

fn play(map: Map, old_names: bool) {
    let mut pos = Jingbanqi::new(Arc::new(Rulebook::new(map, old_names)));
    for _ in 0..20 {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let Some(&m) = moves.last() else { break };
        assert_eq!(pos.read_move(&pos.move_text(m)), Some(m));
        pos.play(m);
        assert_eq!(pos.read_fen(&pos.fen()).map(|read| read.fen()), Ok(pos.fen()));
    }
}
