//! The catalogue of games and programs, and this description.

use wire::{EngineInfo, GameInfo};

use super::resource::resource;
use crate::http::games;
use crate::scopes::Needed::Public;

resource! { games;

    /// Returns every game with its options.
    get "/api/games" => games { needs: Public, 200: Vec<GameInfo> }

    /// Returns the programs that people can play against, and their games.
    get "/api/engines" => engines { needs: Public, 200: Vec<EngineInfo> }

    /// Returns this description.
    get "/api/openapi.json" => openapi { needs: Public, formats: vec!["application/json"] }
}
