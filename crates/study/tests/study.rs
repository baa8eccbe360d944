//! Tests of changes and events. They catch a loss when two people change a study at once, an event that a replay
//! applies differently, and a limit that does not hold.

use kernel::{AnyGame, Problem};
use study::{MOST_COMMENT, MOST_MARKS, apply, decide, kept};
use wire::{
    MarkColour, Side, Study, StudyAccess, StudyChange, StudyChapter, StudyEntry, StudyEval, StudyEvent,
    StudyMark, StudyMember, StudyNode, StudyRole, Worth,
};

fn open(chapter: &StudyChapter) -> Result<Box<dyn AnyGame>, Problem> {
    let entry = catalog::find(&chapter.game)?;
    let options = entry.settle(&chapter.options, catalog::Setting::Faithful)?;
    entry.open(entry.usual_map(), &options, chapter.fen.as_deref())
}

fn of_game(game: &str) -> Study {
    let chapter = StudyChapter {
        name: "one".into(),
        game: game.into(),
        nodes: vec![StudyNode::default()],
        next: 1,
        ..StudyChapter::default()
    };
    let mut study = Study { id: "s".into(), name: "all".into(), ..Study::default() };
    study.owner = StudyMember { id: "ann".into(), name: Some("Ann".into()) };
    let event = decide::add_chapter(&study, StudyRole::Owner, chapter).unwrap();
    happen(&mut study, event);
    study
}

fn happen(study: &mut Study, event: StudyEvent) {
    let entry = StudyEntry { ver: study.ver + 1, at_ms: 7, by: "ann".into(), event };
    apply(study, &kept::read_entry(&kept::write_entry(&entry)).unwrap());
}

fn wish(study: &mut Study, base: u64, change: &StudyChange) -> Result<bool, Problem> {
    let event = decide(study, StudyRole::Owner, "ann", base, change, &open)?;
    let happened = event.is_some();
    event.into_iter().for_each(|event| happen(study, event));
    Ok(happened)
}

fn key(result: Result<bool, Problem>) -> &'static str {
    result.unwrap_err().key
}

fn play(study: &mut Study, parent: u32, text: &str) -> u32 {
    let base = study.ver;
    wish(study, base, &StudyChange::Play { chapter: 0, parent, text: text.into() }).unwrap();
    decide::follows(&study.chapters[0], parent, text).unwrap()
}

fn comment(node: u32, text: &str) -> StudyChange {
    StudyChange::Comment { chapter: 0, node, text: text.into() }
}

/// Returns the moves in order, each with the id it follows.
fn tree(study: &Study) -> Vec<String> {
    let nodes = study.chapters[0].nodes.iter().skip(1);
    nodes.map(|node| format!("{}<{}:{}", node.id, node.parent, node.text)).collect()
}

#[test]
fn moves_are_the_games_and_one_that_is_there_is_not_played_again() {
    let mut study = of_game("gomoku/standard");
    let first = play(&mut study, 0, "h8");
    let ver = study.ver;
    assert!(!wish(&mut study, ver, &StudyChange::Play { chapter: 0, parent: 0, text: "H8".into() }).unwrap());
    let taken = StudyChange::Play { chapter: 0, parent: first, text: "h8".into() };
    assert_eq!(key(wish(&mut study, ver, &taken)), "point-occupied");
    let node = &study.chapters[0].nodes[1];
    assert_eq!((node.text.as_str(), node.by, node.ver), ("h8", Some(Side::First), 2));
    let nowhere = StudyChange::Play { chapter: 0, parent: 9, text: "h9".into() };
    assert_eq!(key(wish(&mut study, ver, &nowhere)), "study-no-node");
}

#[test]
fn two_people_at_once_lose_nothing() {
    let mut study = of_game("gomoku/standard");
    let first = play(&mut study, 0, "h8");
    let base = study.ver;
    // Both have seen `base`; what they do elsewhere, and arrows in one place, go together.
    wish(&mut study, base, &comment(first, "mine")).unwrap();
    wish(&mut study, base, &comment(0, "theirs")).unwrap();
    for to in [3, 4] {
        let mark = StudyMark { from: 1, to: Some(to), colour: MarkColour::Red };
        wish(&mut study, base, &StudyChange::Draw { chapter: 0, node: first, mark }).unwrap();
    }
    wish(&mut study, base, &StudyChange::Play { chapter: 0, parent: first, text: "h9".into() }).unwrap();
    wish(&mut study, base, &StudyChange::Play { chapter: 0, parent: first, text: "i9".into() }).unwrap();
    assert_eq!(study.chapters[0].nodes[1].marks.len(), 2);
    assert_eq!(tree(&study), ["1<0:h8", "2<1:h9", "3<1:i9"]);
    // What would go without having been seen is not taken away.
    assert_eq!(key(wish(&mut study, base, &comment(first, "over it"))), "study-newer");
    assert_eq!(key(wish(&mut study, base, &StudyChange::Remove { chapter: 0, node: first })), "study-newer");
    let now = study.ver;
    assert!(wish(&mut study, now, &StudyChange::Remove { chapter: 0, node: 2 }).unwrap());
    assert_eq!(key(wish(&mut study, now, &comment(2, "late"))), "study-no-node");
    // Ids are not used again: a change that was meant for what has gone cannot hit what came since.
    assert_eq!(play(&mut study, first, "g9"), 4);
}

#[test]
fn lines_are_promoted_and_chapters_are_moved() {
    let mut study = of_game("gomoku/standard");
    let a = play(&mut study, 0, "h8");
    play(&mut study, a, "h9");
    let b = play(&mut study, 0, "g7");
    let c = play(&mut study, b, "g8");
    play(&mut study, c, "a1");
    let d = play(&mut study, b, "g9");
    let ver = study.ver;
    assert!(wish(&mut study, ver, &StudyChange::Promote { chapter: 0, node: d }).unwrap());
    assert_eq!(tree(&study), ["3<0:g7", "6<3:g9", "4<3:g8", "5<4:a1", "1<0:h8", "2<1:h9"]);
    assert!(
        !wish(&mut study, ver, &StudyChange::Promote { chapter: 0, node: d }).unwrap(),
        "it leads already"
    );
    let texts = |nodes: Vec<&StudyNode>| nodes.iter().map(|n| n.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(study::path(&study.chapters[0], 5)), ["g7", "g8", "a1"]);
    assert_eq!(texts(study::rest(&study.chapters[0], 0)), ["g7", "g9"]);
    assert_eq!(texts(study::rest(&study.chapters[0], 4)), ["a1"]);

    assert_eq!(key(wish(&mut study, ver, &StudyChange::RemoveChapter { chapter: 0 })), "study-last-chapter");
    let two = StudyChapter { name: " two\n".into(), ..study.chapters[0].clone() };
    let event = decide::add_chapter(&study, StudyRole::Contributor, two).unwrap();
    happen(&mut study, event);
    assert_eq!(study.chapters[1].name, "two");
    assert!(wish(&mut study, 0, &StudyChange::MoveChapter { chapter: 1, to: 0 }).unwrap());
    assert_eq!(study.chapters.iter().map(|c| c.id).collect::<Vec<_>>(), [1, 0]);
    assert!(!wish(&mut study, 0, &StudyChange::MoveChapter { chapter: 0, to: 99 }).unwrap());
    let now = study.ver;
    assert!(wish(&mut study, now, &StudyChange::RemoveChapter { chapter: 0 }).unwrap());
    assert_eq!(study.chapters.len(), 1);
}

#[test]
fn readers_change_nothing_and_contributors_not_who_may() {
    let mut study = of_game("xiangqi");
    let name = StudyChange::Name { name: "new".into() };
    let may =
        |study: &Study, role, who, change: &StudyChange| decide(study, role, who, 9, change, &open).is_ok();
    assert!(!may(&study, StudyRole::Reader, "eve", &comment(0, "x")));
    assert!(may(&study, StudyRole::Contributor, "bob", &comment(0, "x")));
    assert!(!may(&study, StudyRole::Contributor, "bob", &name));
    assert!(may(&study, StudyRole::Owner, "ann", &name));
    let bob = StudyMember { id: "bob".into(), name: None };
    assert!(decide::invite(&study, StudyRole::Contributor, bob.clone()).is_err());
    let event = decide::invite(&study, StudyRole::Owner, bob.clone()).unwrap().unwrap();
    happen(&mut study, event);
    assert_eq!(decide::invite(&study, StudyRole::Owner, bob).unwrap(), None);
    let leave = StudyChange::Dismiss { id: "bob".into() };
    assert!(!may(&study, StudyRole::Contributor, "carl", &leave));
    assert!(may(&study, StudyRole::Contributor, "bob", &leave));
    assert!(!may(
        &study,
        StudyRole::Contributor,
        "bob",
        &StudyChange::Access { access: StudyAccess::Public }
    ));
}

#[test]
fn what_is_said_stays_within_its_limits() {
    let mut study = of_game("gomoku/standard");
    let node = play(&mut study, 0, "h8");
    let ver = study.ver;
    assert_eq!(key(wish(&mut study, ver, &comment(node, &"x".repeat(MOST_COMMENT)))), "study-full");
    assert!(wish(&mut study, ver, &comment(node, "\u{7}a\r\nb\u{0} ")).unwrap());
    assert_eq!(study.chapters[0].nodes[1].comment, "a\nb");
    for n in 0..MOST_MARKS as u16 {
        let mark = StudyMark { from: n, to: None, colour: MarkColour::Blue };
        assert!(wish(&mut study, 0, &StudyChange::Draw { chapter: 0, node, mark }).unwrap());
    }
    let one_more = StudyMark { from: 100, to: None, colour: MarkColour::Blue };
    let draw = |mark| StudyChange::Draw { chapter: 0, node, mark };
    assert_eq!(key(wish(&mut study, 0, &draw(one_more))), "study-full");
    let red = StudyMark { from: 3, to: None, colour: MarkColour::Red };
    assert!(wish(&mut study, 0, &draw(red)).unwrap(), "another colour is no other mark");
    assert_eq!(study.chapters[0].nodes[1].marks.len(), MOST_MARKS);
    assert!(
        wish(&mut study, 0, &StudyChange::Erase { chapter: 0, node, mark: one_more }).is_ok_and(|done| !done)
    );
    assert!(wish(&mut study, 0, &StudyChange::Erase { chapter: 0, node, mark: red }).unwrap());
    for (from, to) in [(225, None), (3, Some(3)), (0, Some(900))] {
        let mark = StudyMark { from, to, colour: MarkColour::Green };
        assert_eq!(key(wish(&mut study, 0, &draw(mark))), "study-mark");
    }
    let judge = |nag, on| StudyChange::Judge { chapter: 0, node, nag, on };
    for nag in [4, 1, 14] {
        assert!(wish(&mut study, 0, &judge(nag, true)).unwrap());
    }
    assert!(wish(&mut study, 0, &judge(4, false)).unwrap());
    assert_eq!(study.chapters[0].nodes[1].nags, [1, 14]);
    assert_eq!(key(wish(&mut study, 0, &judge(0, true))), "study-nag");
    assert_eq!(key(wish(&mut study, 0, &StudyChange::Name { name: " \n".into() })), "study-name");
}

#[test]
fn every_game_can_be_studied_maps_too() {
    for entry in catalog::ENTRIES.iter() {
        let mut study = of_game(entry.key);
        let mut last = 0;
        for _ in 0..6 {
            let chapter = study.chapters[0].clone();
            let mut game = open(&chapter).unwrap();
            for node in study::path(&chapter, last) {
                game.play(&node.text).unwrap();
            }
            let Some(text) = game.moves().first().cloned() else { break };
            last = play(&mut study, last, &text);
        }
        let mut game = open(&study.chapters[0]).unwrap();
        for node in study::path(&study.chapters[0], last) {
            assert_eq!(node.by, Some(game.turn()), "{}", entry.key);
            game.play(&node.text).unwrap();
            assert_eq!(node.names, game.last_names(), "{}", entry.key);
        }
        assert!(last >= 1, "{}", entry.key);
    }
}

#[test]
fn what_is_stored_is_read_by_later_halls() {
    // Rows as they lie in databases: this text is never changed.
    let row = r#"{"form":1,"what":{"ver":3,"at_ms":9,"by":"ann","event":{"t":"played","chapter":0,"node":{"id":2,
        "parent":1,"text":"h9","names":["h9"],"by":"second","ver":3}}}}"#;
    let entry = kept::read_entry(row).unwrap();
    assert!(matches!(&entry.event, StudyEvent::Played { node, .. } if node.text == "h9"));
    let row = r#"{"form":1,"what":{"id":"s","ver":2,"name":"n","access":"link","owner":{"id":"ann"},"members":[],
        "chapters":[{"id":0,"name":"c","game":"gomoku/standard","players":["",""],"nodes":[{"id":0,"comment":"hm",
        "marks":[{"from":1,"to":2,"colour":"red"},{"from":3}],"eval":{"worth":{"hundredths":35},"depth":20}}],"next":1}],
        "next":1}}"#;
    let study = kept::read(row).unwrap();
    let start = &study.chapters[0].nodes[0];
    assert_eq!((start.comment.as_str(), start.marks.len()), ("hm", 2));
    assert_eq!(start.eval, Some(StudyEval { worth: Worth::Hundredths(35), depth: Some(20) }));
    assert_eq!(kept::read(&kept::write(&study)).unwrap(), study);
    assert_eq!(kept::read(&row.replace("\"form\":1", "\"form\":2")).unwrap_err().key, "study-damaged");
    assert_eq!(kept::read("{").unwrap_err().key, "study-damaged");
}
