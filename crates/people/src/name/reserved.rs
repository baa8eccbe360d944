//! Reserved names: those of the hall, of its programs and of its staff, and look-alikes of them.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{fold, words};

/// Words for the hall, its staff and its programs. A name that has no other word but these and numbers is refused: `Admin`,
/// `The Moderator 2`, `Qiguan Bot`, `s y s t e m`.
const STAFF: &[&str] = &[
    "admin",
    "administration",
    "administrator",
    "admins",
    "anonymous",
    "arbiter",
    "bot",
    "computer",
    "deleted",
    "engine",
    "guest",
    "hall",
    "keeper",
    "level",
    "me",
    "mod",
    "moderation",
    "moderator",
    "moderators",
    "mods",
    "nobody",
    "null",
    "of",
    "official",
    "opponent",
    "owner",
    "program",
    "qiguan",
    "referee",
    "robot",
    "root",
    "security",
    "server",
    "somebody",
    "someone",
    "staff",
    "support",
    "system",
    "team",
    "the",
    "undefined",
    "unknown",
    "webmaster",
    "you",
    "你",
    "冬亚",
    "匿名",
    "我",
    "有人",
    "机器人",
    "某人",
    "棋馆",
    "棋館",
    "無名",
    "电脑",
    "系统",
    "系統",
    "程序",
    "等级",
    "等級",
    "级别",
    "裁判",
    "裁判长",
    "訪客",
    "访客",
    "電腦",
];

/// Words that no name may contain, at any place: Chinese has no spaces between words.
const WITHIN: &[&str] = &["管理员", "管理員", "版主", "官方", "客服", "棋馆", "棋館"];

/// The words in names of our programs, which are called `Level 1` to `Level 10`, `1 级` to `10 级`, perhaps followed by
/// other words.
const LEVEL: &[&str] = &["level", "levels", "lv", "lvl", "等级", "等級", "级别", "級別", "第"];
const LEVEL_AFTER: &[&str] = &["级", "級"];
/// The numbers as words; digits are recognised besides.
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "i", "ii", "iii", "iv",
    "v", "vi", "vii", "viii", "ix", "x", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十",
];
const MOST_LEVEL: u32 = 100;

/// The tables, folded.
struct Table {
    staff: HashSet<String>,
    numbers: HashSet<String>,
    within: Vec<String>,
    level: HashSet<String>,
    /// Levels in one word: `level10`, `10级`.
    levels: HashSet<String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let folded = |words: &[&str]| -> HashSet<String> { words.iter().map(|word| key(word)).collect() };
    let digits = (0..=MOST_LEVEL).flat_map(|number| [number.to_string(), format!("{number:02}")]);
    let numbers: Vec<String> = digits.chain(NUMBERS.iter().map(|word| (*word).to_owned())).collect();
    let levels = numbers.iter().flat_map(|number| {
        let before = LEVEL.iter().flat_map(move |word| {
            LEVEL_AFTER
                .iter()
                .map(move |after| format!("{word}{number}{after}"))
                .chain([format!("{word}{number}")])
        });
        before.chain(LEVEL_AFTER.iter().map(move |after| format!("{number}{after}")))
    });
    Table {
        staff: folded(STAFF),
        within: WITHIN.iter().map(|word| key(word)).collect(),
        level: folded(LEVEL),
        levels: levels.map(|word| key(&word)).collect(),
        numbers: numbers.iter().map(|word| key(word)).collect(),
    }
});

/// Returns a word as the tables have it.
fn key(word: &str) -> String {
    fold(word)
}

pub(super) fn is_reserved(name: &str) -> bool {
    let table = &*TABLE;
    let words: Vec<String> = words(name).map(key).collect();
    let whole = words.concat();
    let is_ours = |word: &String| table.staff.contains(word) || table.numbers.contains(word);
    let only_ours = words.iter().any(|word| table.staff.contains(word)) && words.iter().all(is_ours);
    // A level may be followed by what it is called.
    let begins_as_level = words.first().is_some_and(|first| {
        let second = words.get(1).is_some_and(|word| table.numbers.contains(word));
        table.levels.contains(first) || table.level.contains(first) && (second || words.len() == 1)
    });
    let number_then_level = words.len() >= 2 && table.levels.contains(&words[..2].concat());
    only_ours
        || begins_as_level
        || number_then_level
        || is_spelled(table, name)
        || table.within.iter().any(|word| whole.contains(word))
}

/// Returns true for a reserved word in pieces or with digits: `A-d-m-i-n`, `Qi Guan`, `Admin123`. The words are
/// joined, and trailing digits are ignored.
fn is_spelled(table: &Table, name: &str) -> bool {
    let whole: String = words(name).collect();
    let without = key(whole.trim_end_matches(char::is_numeric));
    let whole = key(&whole);
    table.staff.contains(&whole) || table.levels.contains(&whole) || table.staff.contains(&without)
}
