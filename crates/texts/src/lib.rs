//! The texts of the user interface, in English and Chinese.
//!
//! The texts are in `texts/<language>/*.ftl` (Fluent), shared with the page; this crate embeds them and fills in the
//! variables. All other crates handle only keys.

mod system;

pub use system::{spoken, system};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use kernel::Problem;
use std::borrow::Cow;
use std::sync::LazyLock;
use unic_langid::langid;

/// The languages of the user interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English, the fallback language.
    English,
    /// Chinese in simplified characters.
    Chinese,
}

impl Language {
    /// The two languages, English first.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// Returns the first supported language of an `Accept-Language` header or of a `LANG` variable; English if there
    /// is none.
    #[must_use]
    pub fn preferred(wish: &str) -> Language {
        let spoken = |tag: &str| match tag.trim().get(..2).map(str::to_ascii_lowercase).as_deref() {
            Some("zh") => Some(Language::Chinese),
            Some("en") => Some(Language::English),
            _ => None,
        };
        wish.split(',').find_map(spoken).unwrap_or(Language::English)
    }

    /// Returns the language that a terminal's environment asks for: `LC_ALL`, `LC_MESSAGES` or `LANG`, the first that
    /// is not empty (POSIX.1-2024, 8.2).
    #[must_use]
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
        let told = |name| variable(name).filter(|value| !value.is_empty());
        let wish = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(told);
        Language::preferred(&wish.unwrap_or_default())
    }
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        /// The catalogues: file name, English text, Chinese text.
        pub const SOURCES: &[(&str, &str, &str)] = &[$((
            $name,
            include_str!(concat!("../../../texts/en/", $name, ".ftl")),
            include_str!(concat!("../../../texts/zh/", $name, ".ftl")),
        )),*];
    };
}
sources!(
    "balance",
    "cli",
    "code",
    "competition",
    "draughts",
    "engine",
    "frame",
    "games",
    "gomoku",
    "hall",
    "help",
    "inbox",
    "jingbanqi",
    "kept",
    "letters",
    "links",
    "library",
    "locked",
    "mail",
    "maps",
    "notices",
    "opening",
    "opponents",
    "page",
    "pages",
    "people",
    "profile",
    "puzzles",
    "python",
    "records",
    "referee",
    "staff",
    "studies",
    "study",
    "system",
    "teacher",
    "together",
    "tui",
    "workshop",
    "xiangqi"
);

static ENGLISH: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| bundle(Language::English));
static CHINESE: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| bundle(Language::Chinese));

fn bundle(language: Language) -> FluentBundle<FluentResource> {
    let locale = match language {
        Language::English => langid!("en"),
        Language::Chinese => langid!("zh-CN"),
    };
    let mut bundle = FluentBundle::new_concurrent(vec![locale]);
    bundle.set_use_isolating(false);
    for (_, english, chinese) in SOURCES {
        let text = if language == Language::English { english } else { chinese };
        // A test parses every file; a mistake that slips through costs its own message only.
        let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(readable, _)| readable);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// Returns the message `key` with its variables filled in, or the key itself if there is no such message.
#[must_use]
pub fn say(language: Language, key: &str, args: &[(&str, &str)]) -> String {
    let bundle: &FluentBundle<FluentResource> = match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    };
    let Some(pattern) = bundle.get_message(key).and_then(|m| m.value()) else { return key.to_owned() };
    let mut facts = FluentArgs::new();
    for (name, value) in args {
        let value = spoken(language, value);
        let value = shown(&value);
        let value = if is_number(&value) {
            FluentValue::try_number(&value).into_owned()
        } else {
            value.into_owned().into()
        };
        facts.set((*name).to_owned(), value);
    }
    bundle.format_pattern(pattern, Some(&facts), &mut Vec::new()).into_owned()
}

/// Returns true for a number in our own notation. Other texts that parse as numbers, such as 0000, 1e5 or Infinity,
/// are names and stay as they are.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(part) && (whole == "0" || !whole.starts_with('0'))
}

/// Returns a text made safe for a message: text written by strangers never moves a terminal's cursor or reverses the
/// direction of a line.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    let odd = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(odd) { text.replace(odd, "\u{fffd}").into() } else { text.into() }
}

/// Returns the message of a problem.
#[must_use]
pub fn problem(language: Language, problem: &Problem) -> String {
    let args: Vec<(&str, &str)> = problem.args.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let said = say(language, &format!("problem-{}", problem.key), &args);
    // What an extension's failure means stands behind the words of Python.
    let why = problem.arg("why").filter(|_| problem.key == "map-extension-failed");
    let key = why.map(|why| format!("fault-{why}")).filter(|key| has(language, key));
    match key.map(|key| say(language, &key, &args)) {
        Some(meaning) => say(language, "fault-explained", &[("said", &said), ("meaning", &meaning)]),
        None => said,
    }
}

/// Returns true if there is a message of that key.
#[must_use]
pub fn has(language: Language, key: &str) -> bool {
    let bundle: &FluentBundle<FluentResource> = match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    };
    bundle.has_message(key)
}

/// Returns the name of a game by its catalogue key.
#[must_use]
pub fn game(language: Language, key: &str) -> String {
    say(language, &format!("game-{}", key.replace('/', "-")), &[])
}
