//! The head of a page, for programs that show previews of links: title, description, Open Graph, Twitter's cards,
//! oEmbed.

use std::fmt::Write;

use edge::network::Asker;
use people::Secret;
use tables::memory::NoTable;
use texts::{Language, say};
use wire::How;
use works::maps::{Loaded, NoMap};

use super::{About, Origin, escaped, lang, map_name};
use crate::app::App;
use crate::studies::NoStudy;

/// The metadata of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The title without the hall's name.
    pub title: String,
    /// The description, in a sentence or two.
    pub description: String,
    /// The path and query of a card, and a text of what is on it.
    pub picture: (String, String),
    /// The path of the page, without a query.
    pub path: String,
    /// True if the page is a table, which can be embedded.
    pub table: bool,
    /// True if search engines may list it.
    pub listed: bool,
    /// True if there is something at that path.
    pub there: bool,
}

impl Head {
    /// Makes the head of the hall itself, and of every place without a description of its own.
    fn hall(path: &str, language: Language) -> Head {
        Head {
            title: String::new(),
            description: say(language, "link-hall", &[]),
            picture: (format!("/card.png?lang={}", lang(language)), say(language, "hall-line", &[])),
            path: path.to_owned(),
            table: false,
            listed: true,
            there: true,
        }
    }

    /// Makes the head of a page that does not exist.
    fn nowhere(path: &str, language: Language) -> Head {
        Head { listed: false, there: false, ..Head::hall(path, language) }
    }

    /// Makes the head of a page without a picture of its own.
    fn of(path: &str, title: &str, text: &str, language: Language) -> Head {
        Head {
            title: say(language, title, &[]),
            description: say(language, text, &[]),
            ..Head::hall(path, language)
        }
    }

    /// Makes the head of a table's page.
    #[must_use]
    pub fn table(about: &About, ply: Option<usize>, language: Language) -> Head {
        let game = about.game(language);
        let moves = about.moves(about.plies).to_string();
        let (title, description) = if about.waits() && about.how != How::Screen {
            let text = if about.how == How::Room { "link-room-text" } else { "link-invite-text" };
            (say(language, "link-invite", &[("game", &game)]), say(language, text, &[]))
        } else {
            let players = about.versus(language);
            let status = about.status(language);
            let text = if about.end.is_some() {
                say(language, "link-over-text", &[("end", &status), ("moves", &moves)])
            } else {
                let side = about.side(about.turn, language);
                say(language, "link-watch-text", &[("side", &side), ("moves", &moves)])
            };
            let title = if about.players.iter().all(Option::is_none) {
                game.clone()
            } else {
                say(language, "link-table", &[("game", &game), ("players", &players)])
            };
            (title, text)
        };
        let shown = ply.unwrap_or(about.plies).min(about.plies);
        let mut picture = format!("/t/{}.png?card=1&lang={}", about.id, lang(language));
        if shown < about.plies {
            let _ = write!(picture, "&ply={shown}");
        } else {
            // Programs keep a picture by its address: after a move it is another one.
            let _ = write!(picture, "&v={}", about.ver);
        }
        let alt = say(language, "link-picture", &[("game", &game), ("move", &about.move_number(shown))]);
        Head {
            title,
            description,
            picture: (picture, alt),
            path: format!("/t/{}", about.id),
            table: true,
            listed: matches!(about.how, How::Open | How::Room),
            there: true,
        }
    }

    /// Renders the head as tags, for the language and the hall at that address.
    #[must_use]
    pub fn tags(&self, language: Language, origin: &str) -> String {
        let hall = "Qiguan 棋馆";
        let title = if self.title.is_empty() { hall.to_owned() } else { format!("{} · {hall}", self.title) };
        let absolute = |path: &str| escaped(&format!("{origin}{path}"));
        let (title, text) = (escaped(&title), escaped(&self.description));
        let (path, alt) = &self.picture;
        let (picture, alt, url) = (absolute(path), escaped(alt), absolute(&self.path));
        let (own, other) = match language {
            Language::English => ("en_GB", "zh_CN"),
            Language::Chinese => ("zh_CN", "en_GB"),
        };
        let mut out = format!("<title>{title}</title>");
        let mut name = |name: &str, content: &str| {
            let _ = write!(out, "<meta name=\"{name}\" content=\"{content}\">");
        };
        name("description", &text);
        if !self.listed {
            name("robots", "noindex");
        }
        name("twitter:card", "summary_large_image");
        name("twitter:title", &title);
        name("twitter:description", &text);
        name("twitter:image", &picture);
        name("twitter:image:alt", &alt);
        for (property, content) in [
            ("og:type", "website"),
            ("og:site_name", hall),
            ("og:title", &title),
            ("og:description", &text),
            ("og:url", &url),
            ("og:locale", own),
            ("og:locale:alternate", other),
            ("og:image", &picture),
            ("og:image:type", "image/png"),
            ("og:image:width", &picture::CARD_WIDTH.to_string()),
            ("og:image:height", &picture::CARD_HEIGHT.to_string()),
            ("og:image:alt", &alt),
        ] {
            let _ = write!(out, "<meta property=\"{property}\" content=\"{content}\">");
        }
        let _ = write!(out, "<link rel=\"canonical\" href=\"{url}\">");
        if self.table {
            let asked: String =
                url::form_urlencoded::byte_serialize(format!("{origin}{}", self.path).as_bytes()).collect();
            let oembed = absolute(&format!("/oembed?url={asked}"));
            let _ = write!(
                out,
                "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{oembed}\" title=\"{title}\">"
            );
        }
        out
    }
}

/// Returns the head of the page at that path, as seen by the owner of `secret`. If the store cannot answer now, the
/// page counts as existing: it asks again by itself.
pub async fn of_path(
    app: &App,
    asker: &Asker,
    path: &str,
    ply: Option<usize>,
    secret: Option<&Secret>,
    language: Language,
) -> Head {
    let decoded = url_decoded(path);
    let mut parts = decoded.split('/').filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default();
    let (second, third, rest) = (parts.next(), parts.next(), parts.next());
    let plain = || Head::hall(path, language);
    let nowhere = || Head::nowhere(path, language);
    let if_there = |there: bool| if there { plain() } else { nowhere() };
    // The only page of three parts.
    let analysis = first == "t" && third == Some("analysis");
    if rest.is_some() || (third.is_some() && !analysis) {
        return nowhere();
    }
    match (first, second) {
        ("" | "inbox", None) => plain(),
        ("games" | "learn" | "make" | "watch", None) => {
            Head::of(path, &format!("link-place-{first}"), &format!("link-place-{first}-text"), language)
        }
        ("t", Some(id)) => match app.hall.tables.look(id, asker.into(), About::of).await {
            Ok(about) => Head::table(&about, ply, language),
            Err(NoTable::Unknown) => nowhere(),
            Err(_) => Head { listed: false, ..plain() },
        },
        ("room", Some(name)) => of_room(app, asker, name, language).await.unwrap_or_else(nowhere),
        ("rules", Some(family)) => of_rules(path, family, language).unwrap_or_else(nowhere),
        ("maps", Some(id)) => match app.hall.works.maps.map(id, asker.into()).await {
            Ok(map) => of_map(path, &map, language),
            Err(why) => if_there(!matches!(why, NoMap::Unknown)),
        },
        ("@", Some(name)) => of_person(app, path, name, language).await,
        ("maps" | "workshop", None) => Head::of(path, "link-maps", "link-maps-text", language),
        ("workshop", Some(id)) => {
            if_there(works::maps::ours(id).is_some() || app.hall.store.maps.map_owner(id).await != Ok(None))
        }
        ("library", None) => Head::of(path, "link-library", "link-library-text", language),
        ("library", Some(id)) => match has_game(app, id).await {
            true => Head::of(path, "link-library", "link-library-text", language),
            false => nowhere(),
        },
        ("puzzles", Some(id)) => if_there(has_puzzle(app, id).await),
        ("studies", Some(id)) => if_there(id == "new" || has_study(app, id, secret).await),
        ("puzzles" | "studies" | "people" | "account", None) => plain(),
        ("people", Some("moderation" | "staff")) | ("account", Some("sign-in" | "mail" | "openid")) => {
            Head { listed: false, ..plain() }
        }
        (word, None) => of_game(word, language).unwrap_or_else(nowhere),
        _ => nowhere(),
    }
}

async fn has_game(app: &App, id: &str) -> bool {
    let Ok(id) = id.parse() else { return false };
    let Ok(library) = app.hall.library.now(&app.hall).await else { return true };
    let found = tokio::task::spawn_blocking(move || library.collection_of(id)).await;
    !matches!(found, Ok(Err(why)) if why.key == "library-no-game")
}

async fn has_puzzle(app: &App, id: &str) -> bool {
    let Ok(shelf) = app.hall.puzzles.now(&app.hall).await else { return true };
    let id = id.to_owned();
    let found = tokio::task::spawn_blocking(move || shelf.puzzle(&id)).await;
    !matches!(found, Ok(Err(why)) if why.key == "unknown-puzzle")
}

async fn has_study(app: &App, id: &str, secret: Option<&Secret>) -> bool {
    let person = match secret {
        Some(secret) => app.hall.person(secret).await.unwrap_or_default(),
        None => None,
    };
    let person = person.map_or_else(String::new, |person| person.id);
    !matches!(app.hall.role_in(id, &person).await, Err(NoStudy::Unknown))
}

fn url_decoded(path: &str) -> String {
    // A plus sign is itself in a path.
    let pair = format!("p={}", path.replace('+', "%2B").replace('&', "%26"));
    url::form_urlencoded::parse(pair.as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

async fn of_room(app: &App, asker: &Asker, name: &str, language: Language) -> Option<Head> {
    let tidy = tables::opening::room_name(name).ok().flatten()?;
    let id = app.hall.store.tables.room(tidy.as_str()).await.ok().flatten()?;
    let about = app.hall.tables.look(&id, asker.into(), About::of).await.ok()?;
    Some(Head::table(&about, None, language))
}

fn of_rules(path: &str, family: &str, language: Language) -> Option<Head> {
    let entry = catalog::ENTRIES.iter().find(|entry| entry.family == family)?;
    let name = say(language, &format!("family-{family}"), &[]);
    let title = say(language, "link-rules", &[("game", &name)]);
    let plain = Head::hall(path, language);
    let picture = (format!("/rules/{}.png?card=1&lang={}", entry.family, lang(language)), title.clone());
    Some(Head { title, description: say(language, "link-rules-text", &[]), picture, ..plain })
}

/// Makes the head of a game's page. Every word of the game has the address of the page, which is one for search engines.
fn of_game(word: &str, language: Language) -> Option<Head> {
    let entry = catalog::addresses::find(word)?;
    let address = &catalog::addresses::of(entry)[0];
    let called = format!("called-{}", entry.key.replace('/', "-"));
    let title = if texts::has(language, &called) {
        say(language, &called, &[])
    } else {
        texts::game(language, entry.key)
    };
    let about = format!("about-{}", entry.key.replace('/', "-"));
    // A game that a program has added may have no words of its own.
    let about = if texts::has(language, &about) { say(language, &about, &[]) } else { String::new() };
    let description = say(language, "link-game-text", &[("game", &title), ("about", &about)]);
    let picture = (format!("/rules/{address}.png?card=1&lang={}", lang(language)), title.clone());
    Some(Head { title, description, picture, ..Head::hall(&format!("/{address}"), language) })
}

fn of_map(path: &str, map: &Loaded, language: Language) -> Head {
    let shape = map.rules.map();
    let facts = [("rows", shape.rows.to_string()), ("files", shape.cols.to_string())];
    let facts = facts.each_ref().map(|(name, value)| (*name, value.as_str()));
    let title = map_name(&map.line.name, language);
    let picture = (format!("/maps/{}.png?card=1&lang={}", map.line.id, lang(language)), title.clone());
    let description = say(language, "link-map-text", &facts);
    // A map that is only being tried is not for search engines yet.
    Head { title, description, picture, listed: !map.trial, ..Head::hall(path, language) }
}

async fn of_person(app: &App, path: &str, name: &str, language: Language) -> Head {
    let plain = || Head::hall(path, language);
    let person = match app.hall.store.people.find_person(name).await {
        Ok(Some(person)) => person,
        Ok(None) => return Head::nowhere(path, language),
        Err(_) => return plain(),
    };
    let known = matches!(person.kind, store::StoredPersonKind::Account | store::StoredPersonKind::Program);
    let Some(name) = person.name.filter(|_| known) else { return plain() };
    let facts = [("name", name.as_str())];
    let title = say(language, "link-person", &facts);
    let description = say(language, "link-person-text", &facts);
    Head { title, description, ..plain() }
}

/// Puts the head into the page: in the place of its title, its description and its language. `base`: the path under
/// which the hall is served, which its script finds in `data-base`; the page may be requested at any depth, so
/// nothing in it is relative.
#[must_use]
pub fn put(page: &str, head: &Head, language: Language, Origin(origin): &Origin, base: &str) -> String {
    let (lang, base) = (lang(language), escaped(base));
    let own = format!("=\"{base}/");
    let page = page.replace("=\"/", &own).replace("=\"./", &own);
    let told = format!("<html lang=\"{lang}\" data-base=\"{base}\"");
    let page = page.replacen("<html lang=\"en\"", &told, 1);
    let Some((before, rest)) = page.split_once("<title>") else { return page };
    let Some((_, after)) = rest.split_once("</title>") else { return page };
    let after = match after.split_once("<meta name=\"description\"") {
        Some((between, rest)) => {
            let (_, rest) = rest.split_once('>').unwrap_or(("", rest));
            format!("{between}{rest}")
        }
        None => after.to_owned(),
    };
    format!("{before}{}{after}", head.tags(language, origin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Side;

    fn about() -> About {
        About {
            id: "abc".to_owned(),
            game: "xiangqi".to_owned(),
            map: None,
            how: How::Invite,
            players: [None, None],
            plies: 0,
            swapped: false,
            turn: Side::First,
            end: None,
            ver: 3,
        }
    }

    #[test]
    fn numbers_count_moves_and_not_plies() {
        let mut about = about();
        about.plies = 12;
        let text = |about: &About, ply| Head::table(about, ply, Language::English).picture.1;
        assert_eq!(about.moves(12), 6);
        assert!(text(&about, Some(11)).ends_with("after move 6"), "{}", text(&about, Some(11)));
        assert!(text(&about, None).ends_with("after move 6…"), "{}", text(&about, None));
        // Black began.
        about.turn = Side::Second;
        assert_eq!([0, 1, 2, 12].map(|plies| about.move_number(plies)), ["0", "1…", "2", "7"]);
        // Five steps are a turn.
        about.game = "locked".to_owned();
        (about.plies, about.turn) = (12, Side::First);
        assert_eq!([0, 5, 6, 12].map(|plies| about.move_number(plies)), ["0", "1", "1…", "2"]);
    }

    #[test]
    fn what_others_wrote_is_never_markup() {
        let mut about = about();
        let evil = "\"><script>alert(1)</script>";
        about.map = Some(evil.to_owned());
        let head = Head::table(&about, None, Language::English);
        let tags = head.tags(Language::English, "http://hall.example");
        assert!(!tags.contains("<script") && tags.contains("&lt;script&gt;"), "{tags}");
        let page = "<!doctype html><html lang=\"en\"><head><title>Q</title>\n<meta name=\"description\" content=\"x\" />";
        let put = put(page, &head, Language::Chinese, &Origin("http://hall.example".to_owned()), "");
        assert!(put.contains("<html lang=\"zh\" data-base=\"\">") && !put.contains("content=\"x\""), "{put}");
        let under = super::put(
            "<html lang=\"en\"><script src=\"./a.js\"><a href=\"/b\"><a href=\"\">",
            &head,
            Language::English,
            &Origin(String::new()),
            "/games",
        );
        assert!(under.starts_with("<html lang=\"en\" data-base=\"/games\"><script src=\"/games/a.js\"><a href=\"/games/b\"><a href=\"\">"), "{under}");
        assert_eq!(put.matches("<title>").count(), 1);
        assert_eq!(put.matches("name=\"description\"").count(), 1);
    }

    #[test]
    fn invitations_are_not_listed_and_open_tables_are() {
        let mut about = about();
        let head = Head::table(&about, None, Language::English);
        assert!(!head.listed && head.title.contains("invitation"), "{head:?}");
        about.how = How::Open;
        assert!(Head::table(&about, None, Language::English).listed);
    }
}
