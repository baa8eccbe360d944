//! The words by which people look for a game: each leads to its page, as in `/renju`.
//!
//! The first word of a game is the address of its page; the others are what the same game is called elsewhere, in
//! Latin letters or in Chinese, and lead there, too. A game that is not listed has its key, with `-` for `/`.

use std::borrow::Cow;

use crate::{ENTRIES, Entry};

/// Words that no game may have: they are pages of the hall, parts of its protocol, or kept for pages to come.
pub const RESERVED: [&str; 44] = [
    "@",
    "about",
    "account",
    "admin",
    "analysis",
    "api",
    "arena",
    "assets",
    "embed",
    "events",
    "explorer",
    "find",
    "games",
    "health",
    "help",
    "home",
    "inbox",
    "learn",
    "library",
    "make",
    "maps",
    "metrics",
    "new",
    "news",
    "notices",
    "oembed",
    "people",
    "play",
    "puzzles",
    "room",
    "round-robin",
    "rules",
    "search",
    "settings",
    "sign-in",
    "source",
    "studies",
    "swiss",
    "t",
    "team",
    "teams",
    "watch",
    "workshop",
    "ws",
];

/// The words of each game, the one of its page first.
pub const WORDS: &[(&str, &[&str])] = &[
    ("xiangqi", &["xiangqi", "chinese-chess", "cchess", "elephant-chess", "co-tuong", "象棋", "中国象棋"]),
    ("xiangqi/free", &["xiangqi-free", "家常象棋"]),
    ("gomoku/freestyle", &["gomoku", "five-in-a-row", "gobang", "wuziqi", "omok", "五子棋"]),
    ("gomoku/standard", &["gomoku-standard", "标准五子棋"]),
    ("gomoku/renju", &["renju", "连珠", "連珠"]),
    ("gomoku/caro", &["caro", "co-caro", "越南五子棋"]),
    ("gomoku/caro-exact", &["caro-exact"]),
    (
        "draughts/international",
        &["draughts", "international", "dames", "dammen", "polish-draughts", "国际跳棋", "百格跳棋"],
    ),
    ("draughts/brazilian", &["brazilian", "damas-brasil", "巴西跳棋"]),
    ("draughts/russian", &["russian", "shashki", "俄罗斯跳棋"]),
    ("draughts/pool", &["pool", "pool-checkers", "普尔跳棋"]),
    ("draughts/english", &["checkers", "english", "american-checkers", "西洋跳棋", "西洋棋", "英式跳棋"]),
    ("draughts/italian", &["italian", "dama-italiana", "意大利跳棋"]),
    ("draughts/spanish", &["spanish", "damas", "portuguese", "西班牙跳棋", "葡萄牙跳棋"]),
    ("draughts/czech", &["czech", "ceska-dama", "捷克跳棋"]),
    ("draughts/frisian", &["frisian", "fries-dammen", "弗里斯兰跳棋"]),
    ("draughts/frysk", &["frysk"]),
    ("draughts/killer", &["killer", "杀手跳棋"]),
    ("draughts/breakthrough", &["breakthrough", "突破跳棋"]),
    ("draughts/losing", &["giveaway", "losing", "antidraughts", "suicide-checkers", "输子跳棋"]),
    ("draughts/thai", &["thai", "makhos", "泰国跳棋"]),
    ("draughts/turkish", &["turkish", "dama", "土耳其跳棋"]),
    ("draughts/canadian", &["canadian", "加拿大跳棋"]),
    ("draughts/school", &["draughts-school"]),
    ("locked", &["locked", "locked-chess", "suoqi", "锁棋"]),
    ("jingbanqi", &["jingbanqi", "精班棋"]),
];

/// Returns the words that lead to the game's page, the address of the page first.
#[must_use]
pub fn of(entry: &Entry) -> Vec<Cow<'static, str>> {
    match WORDS.iter().find(|(key, _)| *key == entry.key) {
        Some((_, words)) => words.iter().map(|&word| Cow::Borrowed(word)).collect(),
        None => vec![Cow::Owned(entry.key.replace('/', "-"))],
    }
}

/// Returns the game to whose page that word leads, in upper or lower case; `None` where it leads to none.
///
/// ```
/// let game = |word| catalog::addresses::find(word).map(|entry| entry.key);
/// assert_eq!(game("Shashki"), Some("draughts/russian"));
/// assert_eq!(game("连珠"), Some("gomoku/renju"));
/// assert_eq!(game("library"), None);
/// ```
#[must_use]
pub fn find(word: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| of(entry).iter().any(|own| own.eq_ignore_ascii_case(word)))
}
