//! Previews of links to the hall where no script runs: the heads of pages, pictures, embedded boards.
//!
//! Everybody who may read a table may see its picture: both need its id, and the picture is drawn from the table with
//! that id. The words are those of the page, in the language of the request.

pub mod drawn;
pub mod embed;
pub mod head;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use edge::reach::Host;
use kernel::Side;
use kernel::view::Outcome;
use table::State;
use texts::{Language, say};
use wire::{How, Opponent, Player};

use crate::app::App;

/// The hall's own address, as the client reached it: `https://hall.example`, with the path under which it is served,
/// without a slash at the end.
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

/// Returns the key of a language in addresses.
#[must_use]
pub fn lang(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Chinese => "zh",
    }
}

/// The facts about a table for its preview.
#[derive(Clone, Debug)]
pub struct About {
    /// The public id of the table.
    pub id: String,
    /// The key of the game.
    pub game: String,
    /// Name of the map, in games that come with one.
    pub map: Option<String>,
    /// The way in which the table was opened.
    pub how: How,
    /// The players of the first and the second side; `None` for a free seat.
    pub players: [Option<Player>; 2],
    /// The number of plies played.
    pub plies: usize,
    /// True if the players have each other's colours, after a swap in the opening.
    pub swapped: bool,
    /// The side to move.
    pub turn: Side,
    /// The result of the game, if it has ended.
    pub end: Option<Outcome>,
    /// The number of events so far, which changes the name of the picture.
    pub ver: u64,
}

impl About {
    /// Collects the facts about a table as it stands.
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

    /// Returns true if the table waits for a player.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.players.iter().any(Option::is_none) && self.end.is_none()
    }

    /// Returns the game's name; a map's own, where there is one.
    #[must_use]
    pub fn game(&self, language: Language) -> String {
        match &self.map {
            Some(map) => map_name(map, language),
            None => texts::game(language, &self.game),
        }
    }

    /// Returns the number of moves that the first `plies` are, as players count them.
    #[must_use]
    pub fn moves(&self, plies: usize) -> usize {
        self.turns(plies).div_ceil(2)
    }

    /// Returns the number of the move that these plies end with, as records have it: `6`, and `6…` for a move of the second
    /// side.
    #[must_use]
    pub fn move_number(&self, plies: usize) -> String {
        let turns = self.turns(plies);
        let sign = if turns > 0 && turns.is_multiple_of(2) { "…" } else { "" };
        format!("{}{sign}", turns.div_ceil(2))
    }

    /// Returns the number of turns that these plies are, with one more where the second side began.
    fn turns(&self, plies: usize) -> usize {
        let turn_plies = catalog::find(&self.game).map_or(1, |entry| entry.turn_plies as usize);
        let all = self.plies / turn_plies;
        let second_begins = turn_plies == 1 && all.is_multiple_of(2) != (self.turn == Side::First);
        let begun = if plies == 0 { 0 } else { usize::from(second_begins) };
        plies.div_ceil(turn_plies) + begun
    }

    fn side(&self, side: Side, language: Language) -> String {
        let sides = catalog::find(&self.game).map_or(["black", "white"], |entry| entry.sides);
        let at = side.index() ^ usize::from(self.swapped);
        say(language, &format!("side-{}", sides[at]), &[])
    }

    /// Returns the name of a player; for a free seat the name of its side.
    #[must_use]
    pub fn player(&self, side: Side, language: Language) -> String {
        let Some(player) = &self.players[side.index()] else { return self.side(side, language) };
        match (&player.engine, &player.name) {
            (Some(engine), _) => engine_name(engine, language),
            (None, Some(name)) => name.clone(),
            (None, None) => say(language, "guest", &[]),
        }
    }

    /// Returns the names of both players in a row.
    #[must_use]
    pub fn versus(&self, language: Language) -> String {
        let [first, second] = Side::BOTH.map(|side| self.player(side, language));
        say(language, "link-versus", &[("first", &first), ("second", &second)])
    }

    /// Returns the result, or the side to move.
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

/// Returns the name of a map in that language: some have two names, Chinese / English. The page's `mapname.ts` does
/// the same.
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

/// Escapes text for use between tags or in quotes.
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
