//! Balance reports of maps.

use wire::BalanceReport;

use super::resource::resource;
use crate::http::balance;
use crate::scopes::Needed::Public;
use crate::scopes::STUDY;

resource! { balance;

    /// Returns the report about a map without beginning one: `no-balance` if it was not begun yet.
    get "/api/maps/{id}/balance" => look { needs: Public, 200: BalanceReport }

    /// Returns the report about a map, as far as it has come; the first request begins it.
    post "/api/maps/{id}/balance" => begin { needs: STUDY, 200: BalanceReport, refuses: 422 }

    /// Returns a picture of a report: `shares.svg`, `lengths.svg`, `lead.svg`, `choices.svg`, `pieces.svg` or
    /// `visits.svg`.
    get "/api/maps/{id}/balance/{plot}" => picture {
        needs: Public,
        query: { "dark": Option<bool>, "lang": Option<String> },
        200: String as "image/svg+xml",
    }
}
