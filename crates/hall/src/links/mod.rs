//! What links to the hall show of themselves where no script runs: the heads of pages, pictures, embedded boards.
//!
//! Whoever may read a table may see its picture: both need its id, and the picture is drawn from what the id leads
//! to. What is said here is what the page says, in the language of the request.

pub mod drawn;
pub mod embed;
pub mod head;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use kernel::Side;
use kernel::view::Outcome;
use table::State;
use texts::{Language, say};
use wire::{How, Opponent, Player};

use crate::app::App;
use crate::reach::Host;

/// The hall's own address, as whoever asks reached it: `https://hall.example`, with the path it stands under, without a
/// slash at the end.
pub struct Origin(pub String);

impl FromRequestParts<App> for Origin {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        if let Some(public) = &app.reach.public_url {
            return Ok(Origin(public.trim_end_matches('/').to_owned()));
        }
        let scheme = app.reach.scheme();
        let host = Host::of(&parts.headers, &parts.uri, scheme).ok().flatten();
        Ok(Origin(format!("{scheme}://{}", host.map_or_else(|| "localhost".to_owned(), |host| host.text()))))
    }
}

/// The language of an answer: `lang` of the query, else the one the headers ask for.
pub struct Spoken(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for Spoken {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let query = parts.uri.query().unwrap_or_default();
        let asked = query.split('&').find_map(|pair| pair.strip_prefix("lang="));
        let headers = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
        Ok(Spoken(Language::preferred(asked.or(headers).unwrap_or_default())))
    }
}

/// The key of a language in addresses.
#[must_use]
pub fn lang(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Chinese => "zh",
    }
}

/// What there is to say about a table.
#[derive(Clone, Debug)]
pub struct About {
    /// Its id.
    pub id: String,
    /// Key of the game.
    pub game: String,
    /// Name of the map, in games that come with one.
    pub map: Option<String>,
    /// How it was opened.
    pub how: How,
    /// Who plays the first and the second side.
    pub players: [Option<Player>; 2],
    /// Plies played.
    pub plies: usize,
    /// Whether the players have each other's colours.
    pub swapped: bool,
    /// The side to move.
    pub turn: Side,
    /// How the game ended.
    pub end: Option<Outcome>,
    /// The number of events so far: another one is another picture.
    pub ver: u64,
}

impl About {
    /// That table as it stands.
    #[must_use]
    pub fn of(table: &State) -> About {
        About {
            id: table.id.clone(),
            game: table.setup.game.clone(),
            map: table.setup.map.as_ref().map(|map| map.name.clone()),
            how: table.setup.how,
            players: table.seats.clone(),
            plies: table.game.plies(),
            swapped: table.view.swapped,
            turn: table.view.turn,
            end: table.end.clone(),
            ver: table.ver,
        }
    }

    /// Whether somebody is waited for.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.players.iter().any(Option::is_none) && self.end.is_none()
    }

    /// The game's name; a map's own, where there is one.
    #[must_use]
    pub fn game(&self, language: Language) -> String {
        match &self.map {
            Some(map) => map_name(map, language),
            None => texts::game(language, &self.game),
        }
    }

    fn side(&self, side: Side, language: Language) -> String {
        let sides = catalog::find(&self.game).map_or(["black", "white"], |entry| entry.sides);
        let at = side.index() ^ usize::from(self.swapped);
        say(language, &format!("side-{}", sides[at]), &[])
    }

    /// What a player is called; the free seat has the name of its side.
    #[must_use]
    pub fn player(&self, side: Side, language: Language) -> String {
        let Some(player) = &self.players[side.index()] else { return self.side(side, language) };
        match (&player.engine, &player.name) {
            (Some(engine), _) => engine_name(engine, language),
            (None, Some(name)) => name.clone(),
            (None, None) => say(language, "guest", &[]),
        }
    }

    /// Both players in a row.
    #[must_use]
    pub fn versus(&self, language: Language) -> String {
        let [first, second] = Side::BOTH.map(|side| self.player(side, language));
        say(language, "link-versus", &[("first", &first), ("second", &second)])
    }

    /// How it ended, or who is to move.
    #[must_use]
    pub fn status(&self, language: Language) -> String {
        let Some(end) = &self.end else {
            return say(language, "link-to-move", &[("side", &self.side(self.turn, language))]);
        };
        let args = end.winner.map(|winner| {
            [("winner", self.side(winner, language)), ("loser", self.side(winner.other(), language))]
        });
        let args = args.unwrap_or_else(|| [("winner", String::new()), ("loser", String::new())]);
        let args = args.each_ref().map(|(name, value)| (*name, value.as_str()));
        let result = match end.winner {
            Some(_) => say(language, "wins", &[("side", args[0].1)]),
            None => say(language, if end.void { "ends-void" } else { "ends-draw" }, &[]),
        };
        let reason = say(language, &format!("reason-{}", end.reason), &args);
        say(language, "ends", &[("result", &result), ("reason", &reason)])
    }
}

/// What a map is called in that language: some have two names, Chinese / English. As in the page's `mapname.ts`.
#[must_use]
pub fn map_name(name: &str, language: Language) -> String {
    let parts: Vec<&str> = name.split(" / ").collect();
    match (parts.as_slice(), language) {
        ([chinese, _], Language::Chinese) => (*chinese).to_owned(),
        ([_, english], Language::English) => (*english).to_owned(),
        _ => name.to_owned(),
    }
}

fn engine_name(engine: &Opponent, language: Language) -> String {
    match engine {
        Opponent::Level(level) => {
            let level = level.to_string();
            let name = say(language, &format!("level-{level}"), &[]);
            say(language, "level-named", &[("level", &level), ("name", &name)])
        }
        Opponent::Engine(engine) => engine.clone(),
    }
}

/// Text between tags or in quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in texts::shown(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
