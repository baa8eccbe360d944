//! Previews of links: pictures, embedded boards, oEmbed, QR codes.

use super::resource::resource;
use crate::http::links;
use crate::links::embed::OEmbed;
use crate::scopes::Needed::{Files, Nothing, Public};

resource! { links;

    /// Returns the board of a table as a picture, `{id}.png`, or its whole game as a film, `{id}.gif`.
    get "/t/{file}" => table {
        needs: Files(&[".png", ".gif"]),
        query: {
            "ply": Option<usize>, "size": Option<u16>, "theme": Option<String>, "faces": Option<String>,
            "side": Option<String>, "names": Option<u8>, "card": Option<u8>, "lang": Option<String>
        },
        formats: vec!["image/png", "image/gif", "text/html"],
    }

    /// Returns the start of a game as a picture: `{family}.png`, or a word of `GameInfo.addresses` in its place.
    get "/rules/{file}" => rules {
        needs: Files(&[".png"]),
        query: {
            "size": Option<u16>, "theme": Option<String>, "faces": Option<String>, "side": Option<String>,
            "names": Option<u8>, "card": Option<u8>, "lang": Option<String>
        },
        formats: vec!["image/png", "text/html"],
    }

    /// Returns the board of a map as a picture, `{id}.png`.
    get "/maps/{file}" => map {
        needs: Files(&[".png"]),
        query: {
            "size": Option<u16>, "theme": Option<String>, "faces": Option<String>, "side": Option<String>,
            "names": Option<u8>, "card": Option<u8>, "lang": Option<String>
        },
        formats: vec!["image/png", "text/html"],
    }

    /// Returns the picture of the hall.
    get "/card.png" => hall {
        needs: Public,
        query: {
            "size": Option<u16>, "theme": Option<String>, "faces": Option<String>, "side": Option<String>,
            "names": Option<u8>, "lang": Option<String>
        },
        formats: vec!["image/png"],
    }

    /// Returns the board of a table as a page that other pages show.
    get "/embed/{id}" => embed { needs: Nothing, query: { "ply": Option<usize> }, formats: vec!["text/html"] }

    /// Returns the oEmbed description of a table, by which programs show it inside a page of theirs.
    get "/oembed" => oembed {
        needs: Public,
        query: { "url": String, "maxwidth": Option<u32>, "maxheight": Option<u32>, "format": Option<String> },
        200: OEmbed,
        refuses: 404 501,
    }

    /// Returns the link to a table as a QR code.
    get "/api/tables/{id}/qr" => qr { needs: Public, 200: String as "image/svg+xml" }
}
