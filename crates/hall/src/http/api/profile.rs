//! Public profiles of people, and their games.

use wire::{GameTally, GamesPage, Profile};

use super::described::records;
use super::resource::resource;
use crate::http::profile;
use crate::scopes::Needed::Public;

resource! { profile;

    /// Returns a person's public profile.
    get "/api/people/{who}" => profile { needs: Public, 200: Profile }

    /// Returns a person's finished games, the latest first. `side` is `first` or `second`, `result` is `win`, `draw`,
    /// `loss` or `void`, `since` and `until` are Unix milliseconds, `after` is the `next` of the page before.
    get "/api/people/{who}/games" => games {
        needs: Public,
        query: {
            "game": Option<String>, "opponent": Option<String>, "side": Option<String>,
            "result": Option<String>, "speed": Option<String>, "rated": Option<bool>, "since": Option<u64>,
            "until": Option<u64>, "after": Option<String>, "most": Option<u32>
        },
        200: GamesPage,
    }

    /// Returns the numbers of wins, draws and losses of a person against another, by game.
    get "/api/people/{who}/against/{other}" => against { needs: Public, 200: Vec<GameTally> }

    /// Returns every finished game of a person as one file: `jsonl` (all games, one JSON object a line, its `moves`
    /// each with the thinking time in milliseconds or null), `pgn`, `pdn` or `sgf` (the games that can be stored in
    /// that format).
    get "/api/people/{who}/export" => export {
        needs: Public,
        query: { "format": Option<String> },
        formats: records(&["application/x-ndjson"]),
    }
}
