//! Studies in a hall: two people change one at once and nothing is lost, private ones stay hidden, content from
//! tables, files and maps goes into files again, and what a file cannot hold is reported.

use client::{Connection, Error, Guest};
use edge::limits::Limits;
use serde_json::{Value, json};
use wire::{
    Act, How, Study, StudyDone, StudyEvent, StudyFilm, StudyFormat, StudyHear, StudyList, StudyMember,
    StudyRole, StudySay, StudyShown,
};

use crate::house::{done, gomoku, moves, soon, table_of};
use crate::rated::with_accounts;

async fn make(guest: &Guest, wish: Value) -> StudyShown {
    let made = guest.post(&["api", "studies"], &wish).await.expect("is made");
    serde_json::from_value(made).expect("a study")
}

async fn of_game(guest: &Guest, game: &str, access: &str) -> Study {
    make(guest, json!({"name": "All of it", "access": access, "from": {"name": "One", "game": game}}))
        .await
        .study
}

async fn wish(guest: &Guest, study: &str, base: u64, change: Value) -> Result<StudyDone, Error> {
    let wished = json!({"base": base, "change": change});
    let told = guest.post(&["api", "studies", study, "changes"], &wished).await?;
    Ok(serde_json::from_value(told).expect("what was done"))
}

async fn play(guest: &Guest, study: &str, parent: u32, text: &str) -> u32 {
    let change = json!({"t": "play", "chapter": 0, "parent": parent, "text": text});
    wish(guest, study, 0, change).await.expect("is played").node.expect("a node")
}

fn comment(node: u32, text: &str) -> Value {
    json!({"t": "comment", "chapter": 0, "node": node, "text": text})
}

async fn look(guest: &Guest, study: &str) -> Result<StudyShown, Error> {
    let told = guest.get(&format!("/api/studies/{study}")).await?;
    Ok(serde_json::from_value(told).expect("a study"))
}

fn key<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Refused(problem)) => problem.key.to_string(),
        other => panic!("is not refused: {other:?}"),
    }
}

/// Returns the moves of the first chapter in order.
fn line(study: &Study) -> Vec<&str> {
    study.chapters[0].nodes.iter().skip(1).map(|node| node.text.as_str()).collect()
}

/// Returns the next message, other than those about present members.
pub async fn hear(connection: &mut Connection) -> StudyHear {
    soon(async {
        loop {
            let text = connection.hear_text().await.expect("something");
            let heard = serde_json::from_str(&text).expect("a message");
            if !matches!(heard, StudyHear::Here { .. }) {
                return heard;
            }
        }
    })
    .await
}

#[tokio::test]
async fn two_people_change_a_study_at_once_and_nothing_is_lost() {
    let (mut house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let id = of_game(&ann, "gomoku/standard", "private").await.id;
    assert_eq!(key(look(&bob, &id).await), "no-such-study");
    assert_eq!(key(wish(&bob, &id, 1, comment(0, "x")).await), "no-such-study");
    assert_eq!(key(wish(&ann, &id, 1, json!({"t": "invite", "name": "Nobody"})).await), "study-nobody");
    wish(&ann, &id, 1, json!({"t": "invite", "name": "bob"})).await.expect("is invited");
    assert_eq!(look(&bob, &id).await.expect("may").role, StudyRole::Contributor);

    // Thirty moves from each side at the same time, under the same node and under each other.
    let first = play(&ann, &id, 0, "h8").await;
    let work = |guest: Guest, file: char| {
        let id = id.clone();
        async move {
            for rank in 1..=15 {
                play(&guest, &id, first, &format!("{file}{rank}")).await;
                wish(&guest, &id, 1000, comment(0, &format!("{file}{rank}"))).await.expect("is said");
            }
        }
    };
    tokio::join!(work(ann.clone(), 'a'), work(bob.clone(), 'b'));
    let all = look(&ann, &id).await.expect("is there").study;
    assert_eq!(line(&all).len(), 31);
    let ids: std::collections::BTreeSet<u32> = all.chapters[0].nodes.iter().map(|node| node.id).collect();
    assert_eq!(ids.len(), 32, "each has an id of its own");

    // Who has not seen the other's words does not write over them.
    let base = all.ver;
    wish(&bob, &id, base, comment(first, "by Bob")).await.expect("is said");
    assert_eq!(key(wish(&ann, &id, base, comment(first, "by Ann")).await), "study-newer");
    wish(&ann, &id, base + 1, comment(first, "by both")).await.expect("has seen it");
    assert_eq!(key(wish(&bob, &id, base, json!({"t": "name", "name": "His"})).await), "study-not-yours");

    // It is all there after a restart, from the whole and from what came since.
    let before = look(&ann, &id).await.expect("is there").study;
    assert!(before.ver > 64);
    house.restart().await;
    let ann = ann.at(&house.base);
    let after = look(&ann, &id).await.expect("is there").study;
    assert_eq!(after, before);
    assert_eq!(play(&ann, &id, first, "a1").await, before.chapters[0].nodes[2].id, "it is there already");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_while_a_study_is_changed_hears_everything_once() {
    let (house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let id = of_game(&ann, "gomoku/standard", "link").await.id;
    let changes = async {
        for number in 0..60 {
            wish(&ann, &id, 1000, comment(0, &number.to_string())).await.expect("is said");
        }
    };
    let visits = async {
        let mut seen = 1;
        while seen < 61 {
            let path = format!("/ws/studies/{id}?since={seen}");
            let mut reader = Connection::to(&house.base, bob.secret(), &path).await.expect("may look");
            for _ in 0..3.min(61 - seen) {
                let heard = hear(&mut reader).await;
                let StudyHear::Did { entry } = heard else { panic!("{heard:?}") };
                assert_eq!(entry.ver, seen + 1);
                seen = entry.ver;
            }
        }
    };
    tokio::join!(changes, visits);
}

#[tokio::test]
async fn those_who_look_hear_what_happens_and_where_others_are() {
    let (house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
    let id = of_game(&ann, "xiangqi", "link").await.id;
    let path = |since: u64| format!("/ws/studies/{id}?since={since}");
    let mut reader = Connection::to(&house.base, bob.secret(), &path(1)).await.expect("may look");
    let node = play(&ann, &id, 0, "h2e2").await;
    let heard = hear(&mut reader).await;
    let StudyHear::Did { entry } = heard else { panic!("{heard:?}") };
    assert_eq!((entry.ver, entry.by.as_str()), (2, "ann0000"));
    assert!(matches!(&entry.event, StudyEvent::Played { node: played, .. } if played.id == node));

    // Where the owner looks; a reader says nothing.
    let mut owner = Connection::to(&house.base, ann.secret(), &path(2)).await.expect("may look");
    reader.say(&StudySay::At { chapter: 0, node: 0 }).await.expect("is heard");
    owner.say(&StudySay::At { chapter: 0, node }).await.expect("is heard");
    let at = StudyHear::At {
        who: StudyMember { id: "ann0000".into(), name: Some("Ann".into()) },
        chapter: 0,
        node,
    };
    assert_eq!(hear(&mut reader).await, at);
    assert_eq!(hear(&mut owner).await, at);

    // A late reader hears the missed events, and the place to look at.
    let mut late = Connection::to(&house.base, bob.secret(), &path(1)).await.expect("may look");
    assert!(matches!(hear(&mut late).await, StudyHear::Did { entry } if entry.ver == 2));
    assert_eq!(hear(&mut late).await, at);
    let mut lost = Connection::to(&house.base, bob.secret(), &path(77)).await.expect("may look");
    assert_eq!(hear(&mut lost).await, StudyHear::Anew { ver: 2 });

    // Who may not read it any more is told so, and hears nothing else.
    wish(&ann, &id, 2, json!({"t": "access", "access": "private"})).await.expect("is hers");
    assert_eq!(hear(&mut reader).await, StudyHear::Gone);
    assert!(soon(async { reader.hear_text().await.is_err() }).await);
    assert!(matches!(hear(&mut owner).await, StudyHear::Did { entry } if entry.ver == 3));
    assert_eq!(key(look(&bob, &id).await), "no-such-study");
    ann.delete(&format!("/api/studies/{id}")).await.expect("is hers");
    assert_eq!(hear(&mut owner).await, StudyHear::Gone);
}

#[tokio::test]
async fn a_finished_game_becomes_a_study_and_a_running_one_does_not() {
    let (house, [ann]) = with_accounts(["Ann"]).await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 i9 j10").await;
    let table = table_of(&seats[0]);
    let from = json!({"from": {"table": table}});
    assert_eq!(key(ann.post(&["api", "studies"], &from).await), "study-not-now");
    done(&mut seats[1], Act::Resign { side: None }).await;
    let study = make(&ann, from).await.study;
    let chapter = &study.chapters[0];
    assert_eq!((line(&study), chapter.game.as_str()), (vec!["h8", "i9", "j10"], "gomoku/freestyle"));
    assert_eq!(chapter.ending.as_ref().map(|end| end.reason.to_string()).as_deref(), Some("resign"));
    let guest = house.guest().await;
    assert_eq!(
        key(guest.post(&["api", "studies"], &json!({"from": {"table": table}})).await),
        "study-needs-account"
    );

    // With its report: evaluations, judgements and better lines.
    let with_report = json!({"from": {"table": table, "report": true, "name": "Judged"}});
    let judged = soon(async {
        loop {
            match ann.post(&["api", "studies"], &with_report).await {
                Ok(made) => return serde_json::from_value::<StudyShown>(made).expect("a study").study,
                Err(Error::Refused(problem)) => assert_eq!(problem.key, "study-report-runs"),
                Err(why) => panic!("{why}"),
            }
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
    })
    .await;
    assert!(judged.chapters[0].nodes.iter().any(|node| node.eval.is_some()));
    assert_eq!(judged.name, "Judged");
}

const FILE: &str = "[Game \"Chinese Chess\"]\n[Red \"Wu\"]\n[Black \"Xiao\"]\n[Event \"Cup\"]\n\n\
    { [%csl Gh2] The start. } 1. H2-E2 $1 { [%cal Rh2e2] [%eval 0.35] good } \
    ( 1. B2-E2 H9-G7 { beside } ) 1... H9-G7 2. H0-G2 *\n\n\
    [Game \"Chinese Chess\"]\n[Red \"Second\"]\n\n1. C3-C4 *\n";

#[tokio::test]
async fn a_file_becomes_chapters_and_chapters_become_a_file() {
    let (house, [ann]) = with_accounts(["Ann"]).await;
    let study = make(&ann, json!({"access": "public", "from": {"content": FILE}})).await.study;
    assert_eq!(study.chapters.len(), 2);
    let first = &study.chapters[0];
    assert_eq!(first.name, "Wu – Xiao");
    assert_eq!(line(&study), ["h2e2", "h9g7", "h0g2", "b2e2", "h9g7"]);
    let node = &first.nodes[1];
    assert_eq!((node.comment.as_str(), node.nags.as_slice(), node.marks.len()), ("good", &[1_u8][..], 1));
    assert!(node.eval.is_some() && first.nodes[0].marks.len() == 1 && first.nodes[0].comment == "The start.");

    let get =
        async |path: String| house.http.get(format!("{}{path}", house.base)).send().await.expect("an answer");
    let file = get(format!("/api/studies/{}/record?format=pgn", study.id)).await;
    assert_eq!(file.headers()["qiguan-lost"], "");
    let content = file.text().await.expect("a text");
    let again = make(&ann, json!({"from": {"content": content}})).await.study;
    for (a, b) in study.chapters.iter().zip(&again.chapters) {
        assert_eq!(a.nodes, b.nodes);
        assert_eq!((&a.players, &a.tags), (&b.players, &b.tags));
    }
    // What a format does not hold is said before and with the file.
    let formats: Vec<StudyFormat> = serde_json::from_value(
        ann.get(&format!("/api/studies/{}/formats?chapter=0", study.id)).await.expect("an answer"),
    )
    .expect("formats");
    let loses =
        |key: &str| formats.iter().find(|format| format.format == key).expect("is offered").loses.clone();
    assert!(loses("json").is_empty() && loses("pgn").is_empty());
    let chess = loses("chess");
    assert!(chess.contains(&"variations".to_owned()), "{chess:?}");
    let chess = get(format!("/api/studies/{}/record?format=chess&chapter=0", study.id)).await;
    assert!(chess.headers()["qiguan-lost"].to_str().expect("a text").contains("variations"));
    assert_eq!(get(format!("/api/studies/{}/record?format=chess", study.id)).await.status(), 400);
    assert!(formats.iter().all(|format| format.format != "sgf"));

    // A line as positions, with names and places.
    let film =
        ann.get(&format!("/api/studies/{}/chapters/0/film?node=4", study.id)).await.expect("an answer");
    let film: StudyFilm = serde_json::from_value(film).expect("a film");
    assert_eq!((film.nodes.as_slice(), film.film.patches.len()), (&[0, 4, 5][..], 2));

    // It is found by everybody, and a broken file is told where.
    let list: StudyList =
        serde_json::from_value(house.guest().await.get("/api/studies?search=wu").await.expect("an answer"))
            .expect("a list");
    assert_eq!(
        (list.of, list.studies[0].name.as_str(), list.studies[0].role),
        (1, "Wu – Xiao", StudyRole::Reader)
    );
    let broken = json!({"from": {"content": "[Game \"Chinese Chess\"]\n\n1. A0-A9 *\n"}});
    let refused = ann.post(&["api", "studies"], &broken).await;
    assert!(refused.is_err() || refused.is_ok_and(|made| made["left_out"][0]["key"] == "pgn-refused"));
}

#[tokio::test]
async fn a_map_is_studied_like_any_game() {
    let (house, [ann]) = with_accounts(["Ann"]).await;
    let maps = house.http.get(format!("{}/api/maps", house.base)).send().await.expect("an answer");
    let maps: Value = maps.json().await.expect("a list");
    let map = maps[0]["id"].as_str().expect("a sample").to_owned();
    let study = make(&ann, json!({"from": {"name": "A map", "game": "jingbanqi", "map": map}})).await.study;
    let film = |node: u32| {
        let path = format!("/api/studies/{}/chapters/0/film?node={node}", study.id);
        let ann = ann.clone();
        async move {
            serde_json::from_value::<StudyFilm>(ann.get(&path).await.expect("an answer")).expect("a film")
        }
    };
    let start = film(0).await;
    let view = serde_json::to_value(&start.film.start).expect("JSON");
    let wire::Offered::Listed(offered) = &start.film.start.moves else { panic!("{view}") };
    let text = offered[0].text.to_string();
    let node = play(&ann, &study.id, 0, &text).await;
    assert_eq!(film(node).await.nodes, [0, node]);
    let file = format!("{}/api/studies/{}/record?format=json", house.base, study.id);
    assert_eq!(house.http.get(&file).send().await.expect("an answer").status(), 404, "it is private");
    let text = ann.get(&format!("/api/studies/{}/record?format=json", study.id)).await.expect("JSON");
    assert!(text["map"]["file"].is_string() || text["map"].is_object(), "{text}");
}

#[tokio::test]
async fn a_person_has_so_many_studies_and_changes_so_much() {
    let (mut house, [ann]) = with_accounts(["Ann"]).await;
    house.running.take().expect("is open").stop().await;
    let limits = Limits { studies: 1, study_changes: 4, ..Limits::default() };
    let running = crate::house::serve(house.data.path(), limits).await.expect("opens");
    let ann = ann.at(&format!("http://{}", running.address));
    house.running = Some(running);
    let study = of_game(&ann, "locked", "private").await;
    let second = json!({"from": {"game": "locked"}, "name": "Second"});
    assert_eq!(key(ann.post(&["api", "studies"], &second).await), "studies-full");
    for n in 0..2 {
        wish(&ann, &study.id, 9, comment(0, &n.to_string())).await.expect("is within");
    }
    assert_eq!(key(wish(&ann, &study.id, 9, comment(0, "more")).await), "too-many-requests");
    assert_eq!(
        key(ann
            .post(&["api", "studies", "none", "changes"], &json!({"base": 0, "change": {"t": "x"}}))
            .await),
        "bad-json"
    );
}
