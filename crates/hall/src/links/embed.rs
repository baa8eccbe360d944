//! Boards embedded in pages of other sites: no script, no cookies, one picture and links; and the answers to oEmbed.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};
use texts::{Language, say};
use utoipa::ToSchema;

use super::{About, escaped, lang};

const STYLE: &str = "*{box-sizing:border-box}html,body{margin:0;height:100%}body{display:flex;flex-direction:column;\
font:15px/1.3 system-ui,'Noto Sans CJK SC',sans-serif;background:#f4efe6;color:#2a241c}\
main{flex:1;min-height:0;display:flex;flex-direction:column}\
.board{flex:1;min-height:0;display:flex;justify-content:center;padding:8px}\
.board img{max-width:100%;max-height:100%;object-fit:contain;display:block;border-radius:6px}\
@media(max-height:289px){html,body{height:auto}main{height:290px}}\
h1,p{margin:0;padding:0 12px;font:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;\
text-align:center;flex:none}\
nav{display:flex;justify-content:center;align-items:center;gap:4px;padding:4px 8px 8px;flex:none}\
nav a,nav span{min-width:44px;min-height:40px;display:flex;align-items:center;justify-content:center;\
text-decoration:none;color:inherit;border-radius:6px;padding:0 8px;font-size:17px}nav a:hover{background:#0001}\
nav span{opacity:.5}nav b{font-weight:400;padding:0 6px;font-variant-numeric:tabular-nums}\
a:focus-visible{outline:2px solid #1d6b57}\
@media(prefers-color-scheme:dark){body{background:#1c1917;color:#f1ebe0}nav a:hover{background:#fff2}\
a:focus-visible{outline-color:#7be0bd}}";

/// The content security policy of an embedded board: a browser may show our pictures and that style, inside any page.
pub static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; img-src 'self'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors *"
    )
});

/// Renders the board of a table after `ply` plies; `None` for the current position. Nothing moves by itself (WCAG
/// 2.2, 2.2.2): in a game that goes on, the step after the last ply looks whether there is another. `base`: the path
/// under which the hall is served.
#[must_use]
pub fn page(about: &About, ply: Option<usize>, language: Language, base: &str) -> String {
    let (id, lang) = (&about.id, lang(language));
    let of = about.plies;
    let at = ply.unwrap_or(of).min(of);
    let game = about.game(language);
    let what = if about.players.iter().all(Option::is_none) {
        game.clone()
    } else {
        say(language, "link-table", &[("game", &game), ("players", &about.versus(language))])
    };
    let status = if at < of {
        say(language, "link-move", &[("move", &about.move_number(at)), ("of", &about.moves(of).to_string())])
    } else {
        about.status(language)
    };
    let alt = escaped(&say(language, "link-picture", &[("game", &game), ("move", &about.move_number(at))]));
    let (what, status) = (escaped(&what), escaped(&status));
    let image = format!("{base}/t/{id}.png?ply={at}&amp;v={}", about.ver);
    let running = about.end.is_none();
    let step = |sign: &str, key: &str, to: Option<usize>| {
        let name = escaped(&say(language, key, &[]));
        match to {
            Some(to) if running && to >= of => {
                format!(
                    "<a href=\"{base}/embed/{id}?lang={lang}\" aria-label=\"{name}\" title=\"{name}\">{sign}</a>"
                )
            }
            Some(to) => format!(
                "<a href=\"{base}/embed/{id}?ply={to}&amp;lang={lang}\" aria-label=\"{name}\" title=\"{name}\">{sign}</a>"
            ),
            None => format!("<span aria-hidden=\"true\">{sign}</span>"),
        }
    };
    let steps = [
        step("«", "link-embed-first", (at > 0).then_some(0)),
        step("‹", "link-embed-back", at.checked_sub(1)),
        format!("<b>{at}/{of}</b>"),
        step("›", "link-embed-on", (running || at < of).then_some(at + 1)),
        step("»", "link-embed-last", (running || at < of).then_some(of)),
    ]
    .concat();
    let open = escaped(&say(language, "link-embed-open", &[]));
    format!(
        "<!doctype html><html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\">\
         <link rel=\"icon\" href=\"{base}/icon.svg\">\
         <title>{what}</title><style>{STYLE}</style></head><body><main><div class=\"board\">\
         <a href=\"{base}/t/{id}\" target=\"_blank\" rel=\"noopener\" title=\"{open}\">\
         <img src=\"{image}\" alt=\"{alt}\"></a></div>\
         <h1>{what}</h1><p>{status}</p></main><nav>{steps}\
         <a href=\"{base}/t/{id}\" target=\"_blank\" rel=\"noopener\">{open}</a></nav></body></html>"
    )
}

/// The oEmbed 1.0 description of a table (<https://oembed.com>).
#[derive(Serialize, ToSchema)]
pub struct OEmbed {
    /// The version of oEmbed: `1.0`.
    pub version: String,
    /// `rich`: HTML to be shown.
    #[serde(rename = "type")]
    pub kind: String,
    /// The title of the table.
    pub title: String,
    /// The name of the provider.
    pub provider_name: String,
    /// Address of the front page of that hall.
    pub provider_url: String,
    /// A frame with the board.
    pub html: String,
    /// Width of the frame, in pixels.
    pub width: u32,
    /// Height of the frame, in pixels.
    pub height: u32,
    /// Address of a PNG card of the position.
    pub thumbnail_url: String,
    /// Width of that card, in pixels.
    pub thumbnail_width: u32,
    /// Height of that card, in pixels.
    pub thumbnail_height: u32,
}

/// The height of the words and links below an embedded board, in pixels.
const BELOW: u32 = 92;

impl OEmbed {
    /// Makes a frame for that table that is at most `most` pixels wide and high; as wide as a page of text where no
    /// limit is given.
    #[must_use]
    pub fn of(
        about: &About,
        title: String,
        origin: &str,
        most: [Option<u32>; 2],
        language: Language,
    ) -> OEmbed {
        let [width, height] = most;
        let width = width.unwrap_or(480).clamp(200, 1200);
        let height = height.unwrap_or(u32::MAX).clamp(240, width + BELOW);
        let (id, lang) = (&about.id, lang(language));
        let src = escaped(&format!("{origin}/embed/{id}?lang={lang}"));
        let name = escaped(&title);
        OEmbed {
            version: "1.0".to_owned(),
            kind: "rich".to_owned(),
            provider_name: "Qiguan 棋馆".to_owned(),
            provider_url: origin.to_owned(),
            html: format!(
                "<iframe src=\"{src}\" width=\"{width}\" height=\"{height}\" title=\"{name}\" frameborder=\"0\" \
                 loading=\"lazy\" allowfullscreen></iframe>"
            ),
            title,
            width,
            height,
            thumbnail_url: format!("{origin}/t/{id}.png?card=1&lang={lang}&v={}", about.ver),
            thumbnail_width: picture::CARD_WIDTH,
            thumbnail_height: picture::CARD_HEIGHT,
        }
    }
}
