//! Links as other programs show them: heads for link previews, pictures, films, embedded boards, oEmbed, QR codes.
//! Would catch: a head in the wrong language, a picture that is none, a table shown to a person who could not read
//! it, and a frame policy that is open where it should not be.

use std::collections::HashMap;
use std::time::Instant;

use edge::limits::Limits;
use edge::reach::Reach;
use reqwest::StatusCode;
use serde_json::Value;
use wire::{Act, CreateTable, How};

use crate::house::{House, done, gomoku, moves, table_of};

/// Returns the tags of a head, as a program reads them: `property` or `name`, and `content`; `title`, and links by
/// `rel`.
fn tags(page: &str) -> HashMap<String, String> {
    let plain = |text: &str| {
        let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        pairs.iter().fold(text.to_owned(), |text, (coded, letter)| text.replace(coded, letter))
    };
    let value = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| plain(value))
    };
    let mut found = HashMap::new();
    for tag in page.split('<').skip(1).filter_map(|part| part.split_once('>').map(|(tag, _)| tag)) {
        if let Some(name) = value(tag, "property").or_else(|| value(tag, "name"))
            && let Some(content) = value(tag, "content")
        {
            assert_eq!(found.insert(name.clone(), content), None, "{name} is said twice");
        }
        if let (Some(rel), Some(href)) = (value(tag, "rel"), value(tag, "href")) {
            let kind = value(tag, "type").unwrap_or_default();
            found.insert(format!("{rel} {kind}").trim().to_owned(), href);
        }
    }
    let title = page.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    found.insert("title".to_owned(), plain(title.expect("a title").0));
    found
}

async fn head(house: &House, path: &str, language: &str) -> HashMap<String, String> {
    let request = house.http.get(format!("{}{path}", house.base)).header("accept-language", language);
    let page = request.send().await.expect("answers").text().await.expect("text");
    let spoken = if language.starts_with("zh") { "zh" } else { "en" };
    assert!(page.contains(&format!("<html lang=\"{spoken}\"")), "{page}");
    tags(&page)
}

/// Width, height and whether it is a PNG at all: the chunk IHDR (PNG 3rd edition, 11.2.1).
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&bytes[12..16], b"IHDR");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

async fn bytes(house: &House, path: &str) -> Vec<u8> {
    let answer = house.get(path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.bytes().await.expect("a body").to_vec()
}

#[tokio::test]
async fn a_program_that_reads_open_graph_sees_the_position_in_both_languages() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 i9 j10 h9 k8").await;
    let id = table_of(&seats[0]);
    let mut pictures = Vec::new();
    for (language, locale, title, turn) in [
        ("en-GB,en;q=0.9", "en_GB", "Gomoku", "White to move after 3 moves"),
        ("zh-CN,zh;q=0.9,en;q=0.4", "zh_CN", "五子棋", "白方行棋"),
    ] {
        let found = head(&house, &format!("/t/{id}"), language).await;
        let tag = |name: &str| found.get(name).unwrap_or_else(|| panic!("{name}: {found:?}")).as_str();
        assert_eq!(tag("og:locale"), locale);
        assert!(tag("og:title").contains(title) && tag("title") == tag("og:title"), "{found:?}");
        assert!(tag("og:description").contains(turn), "{found:?}");
        assert_eq!(tag("og:url"), format!("{}/t/{id}", house.base));
        assert_eq!(tag("twitter:card"), "summary_large_image");
        assert_eq!(tag("robots"), "noindex", "an invitation is nobody else's");
        let path = tag("og:image").strip_prefix(&house.base).expect("an address of ours").to_owned();
        let answer = house.get(&path).await;
        assert_eq!(answer.headers()["content-type"], tag("og:image:type"));
        let (width, height) = png_size(&answer.bytes().await.expect("a body"));
        assert_eq!(width.to_string(), tag("og:image:width"));
        assert_eq!(height.to_string(), tag("og:image:height"));
        assert!(!tag("og:image:alt").is_empty());
        // And as a program that embeds.
        let oembed =
            tag("alternate application/json+oembed").strip_prefix(&house.base).expect("ours").to_owned();
        let told: Value = house.get(&oembed).await.json().await.expect("JSON");
        assert_eq!((&told["version"], &told["type"]), (&"1.0".into(), &"rich".into()));
        assert!(told["html"].as_str().is_some_and(|html| html.contains(&format!("/embed/{id}"))), "{told}");
        pictures.push(path);
    }
    assert_ne!(bytes(&house, &pictures[0]).await, bytes(&house, &pictures[1]).await, "cards have words");
    // Another position is another picture: programs keep pictures by their address.
    done(&mut seats[1], Act::Resign { side: None }).await;
    let over = head(&house, &format!("/t/{id}"), "en").await;
    assert!(
        over["og:description"].contains("wins") && over["og:description"].contains("resignation"),
        "{over:?}"
    );
    assert!(!pictures[0].ends_with(over["og:image"].as_str()), "{over:?}");
    assert!(over["og:image"].contains("&v="), "{over:?}");
    let earlier = head(&house, &format!("/t/{id}?ply=2"), "en").await;
    assert!(earlier["og:image"].ends_with("&ply=2"), "{earlier:?}");
}

#[tokio::test]
async fn every_place_has_a_head_and_names_are_never_markup() {
    let house = House::open().await;
    let map = catalog_map(&house).await;
    for (path, says) in [
        ("/", "xiangqi"),
        ("/rules/gomoku", "rules"),
        ("/library", "Collections"),
        ("/maps", "people made"),
        ("/games", "Every game"),
        ("/watch", "being played"),
        ("/learn", "rules of every game"),
        ("/make", "your own game"),
        ("/renju", "Black wins with exactly five"),
        ("/checkers", "Black begins"),
        ("/locked", "five steps"),
        ("/t/nosuchtable", "xiangqi"),
        ("/somewhere/else/entirely", "xiangqi"),
        (map.as_str(), "Jingbanqi"),
    ] {
        let found = head(&house, path, "en").await;
        assert!(
            found["og:description"].contains(says) || found["og:title"].contains(says),
            "{path}: {found:?}"
        );
        let image = found["og:image"].strip_prefix(&house.base).expect("ours");
        assert_eq!(png_size(&bytes(&house, image).await), (1200, 630), "{path}");
    }
    assert_eq!(head(&house, "/t/nosuchtable", "en").await["robots"], "noindex");
    // Whatever a game is called elsewhere, its page has one address.
    for (path, address) in
        [("/Shashki", "/russian"), ("/%E8%BF%9E%E7%8F%A0", "/renju"), ("/dama", "/turkish")]
    {
        let found = head(&house, path, "zh").await;
        assert_eq!(found["og:url"], format!("{}{address}", house.base), "{path}");
    }
    for (path, status) in [
        ("/renju", 200),
        ("/renju/more", 404),
        ("/nosuchgame", 404),
        ("/t/nosuchtable/analysis", 404),
        ("/t/a/b", 404),
    ] {
        assert_eq!(house.get(path).await.status(), status, "{path}");
    }
    let listed: Value = house.get("/api/games").await.json().await.expect("JSON");
    for game in listed.as_array().expect("a list") {
        let address = game["addresses"][0].as_str().expect("a word");
        assert_eq!(house.get(&format!("/{address}")).await.status(), 200, "{address}");
    }
    let page = house.get("/@/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E").await.text().await.expect("text");
    assert!(!page.contains("<script>alert"), "{page}");
}

async fn catalog_map(house: &House) -> String {
    let maps: Value = house.get("/api/maps").await.json().await.expect("JSON");
    format!("/maps/{}", maps[0]["id"].as_str().expect("a built-in map"))
}

#[tokio::test]
async fn pictures_and_films_are_drawn_once_and_quickly() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Open)).await;
    // No line of this pattern has more than two of a colour in a row.
    let name = |cell: usize| format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1);
    let of = |colour: usize| (0..225).filter(move |cell| (cell % 15 / 2 + cell / 15) % 2 == colour).map(name);
    let line: Vec<String> = of(0).zip(of(1)).flat_map(|(black, white)| [black, white]).take(100).collect();
    moves(&mut seats, &line.join(" ")).await;
    let played = line.len();
    let id = table_of(&seats[0]);
    let path = format!("/t/{id}.png?size=720");
    let begun = Instant::now();
    let first = bytes(&house, &path).await;
    println!("PNG after {played} plies: {} bytes in {:?}", first.len(), begun.elapsed());
    let begun = Instant::now();
    assert_eq!(bytes(&house, &path).await, first);
    println!("again: {:?}", begun.elapsed());
    assert_eq!(png_size(&first), (720, 720));
    let earlier = bytes(&house, &format!("/t/{id}.png?ply=3")).await;
    assert_ne!(earlier, first);
    let begun = Instant::now();
    let film = bytes(&house, &format!("/t/{id}.gif")).await;
    println!("GIF of {played} plies: {} bytes in {:?}", film.len(), begun.elapsed());
    assert_eq!(&film[..6], b"GIF89a");
    // A browser that has the picture is told so.
    let tag = house.get(&path).await.headers()["etag"].to_str().expect("text").to_owned();
    let again = house.http.get(format!("{}{path}", house.base)).header("if-none-match", tag).send().await;
    assert_eq!(again.expect("answers").status(), StatusCode::NOT_MODIFIED);
    for (wrong, status) in [
        (format!("/t/{id}.png?size=99999"), 400),
        (format!("/t/{id}.png?theme=pink"), 400),
        (format!("/t/{id}.png?ply=-1"), 400),
        ("/t/nosuchtable.png".to_owned(), 404),
        ("/t/nosuchtable.gif".to_owned(), 404),
        ("/rules/nosuchgame.png".to_owned(), 404),
        ("/maps/nosuchmap.png".to_owned(), 404),
        ("/api/tables/nosuchtable/qr".to_owned(), 404),
        ("/embed/nosuchtable".to_owned(), 404),
    ] {
        assert_eq!(house.get(&wrong).await.status(), status, "{wrong}");
    }
}

#[tokio::test]
async fn only_embedded_boards_may_stand_in_pages_of_others() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Open)).await;
    moves(&mut seats, "h8 i9 j10").await;
    let id = table_of(&seats[0]);
    for (path, open) in [
        (format!("/embed/{id}"), true),
        (format!("/t/{id}"), false),
        (format!("/t/{id}.png"), false),
        (format!("/api/tables/{id}/qr"), false),
        ("/oembed?url=x".to_owned(), false),
        ("/".to_owned(), false),
    ] {
        let answer = house.get(&path).await;
        let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
        assert_eq!(policy.contains("frame-ancestors *"), open, "{path}: {policy}");
        assert_eq!(policy.contains("frame-ancestors 'none'"), !open, "{path}: {policy}");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
    }
    let answer = house.get(&format!("/embed/{id}?ply=1&lang=zh")).await;
    assert!(!answer.headers().contains_key("set-cookie"), "whoever reads another page is not followed");
    let page = answer.text().await.expect("text");
    assert!(
        !page.contains("<script") && page.contains("lang=\"zh\"") && page.contains("第 1 回合"),
        "{page}"
    );
    assert!(page.contains("ply=0") && page.contains("ply=2"), "{page}");
    assert_eq!(
        page.matches(&format!("/embed/{id}?lang=zh")).count(),
        1,
        "the last step leads to now: {page}"
    );
    let running = house.get(&format!("/embed/{id}")).await.text().await.expect("text");
    assert!(!running.contains("http-equiv"), "nothing moves by itself");
    assert_eq!(
        running.matches(&format!("/embed/{id}?lang=en")).count(),
        2,
        "a game that goes on is looked at again"
    );
    for wrong in ["http://evil.example/t/x".to_owned(), format!("{}/rules/gomoku", house.base)] {
        assert_eq!(house.get(&format!("/oembed?url={wrong}")).await.status(), 404, "{wrong}");
    }
    let xml = house.get(&format!("/oembed?url={}/t/{id}&format=xml", house.base)).await;
    assert_eq!(xml.status(), 501);
}

#[tokio::test]
async fn links_lead_where_the_hall_is_reached() {
    let reach = Reach { public_url: Some("https://hall.example/".to_owned()), ..Reach::default() };
    let house = House::at(Limits { on: false, ..Limits::default() }, reach).await;
    let wish: CreateTable = gomoku(How::Open);
    let id = house.guest().await.open(&wish).await.expect("a table").id;
    let found = head(&house, &format!("/t/{id}"), "en").await;
    assert_eq!(found["og:url"], format!("https://hall.example/t/{id}"));
    assert!(found["og:image"].starts_with(&format!("https://hall.example/t/{id}.png")), "{found:?}");
    assert!(found["og:title"].contains("invitation") && !found.contains_key("robots"), "{found:?}");
    let qr = house.get(&format!("/api/tables/{id}/qr")).await;
    assert_eq!(qr.headers()["content-type"], "image/svg+xml");
    assert!(qr.text().await.expect("text").contains("<svg"));
}

#[tokio::test]
async fn who_has_too_many_drawn_waits_and_what_was_drawn_costs_nothing() {
    let limits = Limits { pictures: 2, films: 1, ..Limits::default() };
    let house = House::with(limits).await;
    let id = house.guest().await.open(&gomoku(How::Open)).await.expect("a table").id;
    let status = async |path: String| house.get(&path).await.status().as_u16();
    assert_eq!(status(format!("/t/{id}.png?size=200")).await, 200);
    assert_eq!(status(format!("/t/{id}.png?size=201")).await, 200);
    assert_eq!(status(format!("/t/{id}.png?size=202")).await, 429);
    assert_eq!(status(format!("/t/{id}.png?size=200")).await, 200, "kept");
    assert_eq!(status(format!("/t/{id}.gif")).await, 200, "counted apart");
    assert_eq!(status(format!("/t/{id}.gif?theme=dark")).await, 429);
}

#[tokio::test]
async fn the_best_running_game_of_each_family_is_on_tv() {
    let house = House::open().await;
    let on_tv = async || -> Vec<wire::TableLine> {
        // An answer is given again for five seconds.
        tokio::time::sleep(std::time::Duration::from_millis(5100)).await;
        house.get("/api/tv").await.json().await.expect("lines")
    };
    assert!(on_tv().await.is_empty());
    let mut first = house.pair(gomoku(How::Open)).await;
    moves(&mut first, "h8 i9 j10").await;
    let mut second = house.pair(gomoku(How::Open)).await;
    moves(&mut second, "h8 i9 j10 h9 k8").await;
    let mut hidden = house.pair(gomoku(How::Invite)).await;
    moves(&mut hidden, "h8 i9 j10 h9 k8 i7 l9").await;
    let _waits = house.guest().await.open(&gomoku(How::Open)).await.expect("a table");
    let ids = |lines: &[wire::TableLine]| lines.iter().map(|line| line.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&on_tv().await), [table_of(&second[0])], "the longer one, and no invitation");
    // A visitor watches the other one.
    let watcher = house.guest().await;
    let mut line = watcher.connect(&table_of(&first[0]), None).await.expect("watches");
    crate::house::soon(line.hear()).await.expect("the table");
    assert_eq!(ids(&on_tv().await), [table_of(&first[0])], "the one that is watched");
    done(&mut first[1], Act::Resign { side: None }).await;
    assert_eq!(ids(&on_tv().await), [table_of(&second[0])], "not one that is over");
}
