//! The effect of each event, written down for the page: `web/tests/studies.test.ts` does the same steps. It would
//! catch a page that shows another study than the hall has.

use kernel::{AnyGame, Problem};
use serde_json::{Value, json};
use study::{apply, decide};
use wire::{Study, StudyChange, StudyChapter, StudyEntry, StudyEvent, StudyMember, StudyNode, StudyRole};

fn open(chapter: &StudyChapter) -> Result<Box<dyn AnyGame>, Problem> {
    let entry = catalog::find(&chapter.game)?;
    let options = entry.settle(&chapter.options, catalog::Setting::Faithful)?;
    entry.open(entry.usual_map(), &options, chapter.fen.as_deref())
}

fn chapter(name: &str) -> StudyChapter {
    StudyChapter {
        name: name.into(),
        game: "gomoku/standard".into(),
        nodes: vec![StudyNode::default()],
        next: 1,
        ..StudyChapter::default()
    }
}

struct Steps {
    study: Study,
    told: Vec<Value>,
}

impl Steps {
    fn happen(&mut self, event: StudyEvent) {
        let entry = StudyEntry { ver: self.study.ver + 1, at_ms: 7, by: "ann".into(), event };
        apply(&mut self.study, &entry);
        self.told.push(json!({"entry": entry, "after": self.study}));
    }

    fn wish(&mut self, change: Value) {
        let change: StudyChange = serde_json::from_value(change).unwrap();
        let event = decide(&self.study, StudyRole::Owner, "ann", self.study.ver, &change, &open).unwrap();
        self.happen(event.expect("it changes something"));
    }
}

#[test]
fn the_steps_for_the_page_are_fresh() {
    let mut study = Study { id: "s".into(), name: "all".into(), ..Study::default() };
    study.owner = StudyMember { id: "ann".into(), name: Some("Ann".into()) };
    let start = study.clone();
    let mut steps = Steps { study, told: Vec::new() };
    for name in ["one", "two", "three"] {
        let event = decide::add_chapter(&steps.study, StudyRole::Owner, chapter(name)).unwrap();
        steps.happen(event);
    }
    for (parent, text) in [(0, "h8"), (1, "h9"), (0, "g7"), (3, "g8"), (4, "a1"), (3, "g9"), (1, "i9")] {
        steps.wish(json!({"t": "play", "chapter": 0, "parent": parent, "text": text}));
    }
    let at = |t: &str, node: u32, more: Value| {
        let mut all = json!({"t": t, "chapter": 0, "node": node});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    steps.wish(at("comment", 1, json!({"text": "said"})));
    steps.wish(at("draw", 1, json!({"mark": {"from": 3}})));
    steps.wish(at("draw", 1, json!({"mark": {"from": 3, "to": 4, "colour": "red"}})));
    steps.wish(at("draw", 1, json!({"mark": {"from": 3, "colour": "blue"}})));
    steps.wish(at("erase", 1, json!({"mark": {"from": 3}})));
    steps.wish(at("judge", 1, json!({"nag": 14, "on": true})));
    steps.wish(at("judge", 1, json!({"nag": 1, "on": true})));
    steps.wish(at("judge", 1, json!({"nag": 14, "on": false})));
    steps.wish(at("evaluate", 1, json!({"eval": {"worth": {"wins": -3}, "depth": 9}})));
    steps.wish(at("evaluate", 1, json!({})));
    steps.wish(at("promote", 6, json!({})));
    steps.wish(at("remove", 4, json!({})));
    steps.wish(json!({"t": "name-chapter", "chapter": 1, "name": "second"}));
    steps.wish(json!({"t": "move-chapter", "chapter": 2, "to": 0}));
    steps.wish(json!({"t": "lesson", "chapter": 0, "side": "second"}));
    steps.wish(json!({"t": "lesson", "chapter": 0}));
    steps.wish(json!({"t": "remove-chapter", "chapter": 1}));
    steps.wish(json!({"t": "name", "name": "renamed"}));
    steps.wish(json!({"t": "access", "access": "link"}));
    steps.happen(StudyEvent::Invited { member: StudyMember { id: "bob".into(), name: None } });
    steps.wish(json!({"t": "dismiss", "id": "bob"}));

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/events.json");
    let wanted = format!("{}\n", json!({"start": start, "steps": steps.told}));
    if std::env::var_os("QIGUAN_BLESS").is_some() {
        std::fs::write(path, &wanted).expect("writes");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(found, wanted, "tests/data/events.json is stale: run QIGUAN_BLESS=1 cargo test -p study");
}
