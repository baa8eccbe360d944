//! The built-in maps: the hall's own games, and examples that people play, copy and change.

use std::sync::LazyLock;

use jingbanqi::extension::Source;

use crate::Options;
use crate::maps::{Map, Package, Rules};

/// A built-in map, which is always in the catalogue.
pub struct Sample {
    /// The key, which is stable and is the name of its file.
    pub key: &'static str,
    /// The title of the map.
    pub name: &'static str,
    /// Words by which it is found, beside its title.
    pub tags: &'static [&'static str],
    map: &'static [u8],
    extensions: &'static [(&'static str, &'static str)],
}

/// The hall's own games, the simplest first.
pub static SAMPLES: &[Sample] = &[
    Sample {
        key: "mountains",
        name: "移山 / Moving Mountains",
        tags: &[],
        map: include_bytes!("../../../maps/mountains.xlsx"),
        extensions: &[],
    },
    Sample {
        key: "leap",
        name: "跃关 / Leap to the Gate",
        tags: &[],
        map: include_bytes!("../../../maps/leap.xlsx"),
        extensions: &[("leap.py", include_str!("../../../maps/leap.py"))],
    },
    Sample {
        key: "magnets",
        name: "磁石 / Magnets",
        tags: &[],
        map: include_bytes!("../../../maps/magnets.xlsx"),
        extensions: &[("magnets.py", include_str!("../../../maps/magnets.py"))],
    },
];

/// Makes an example whose workbook and extension have the name of its key.
macro_rules! example {
    ($key:literal, $name:literal, $tags:expr) => {
        Sample {
            key: $key,
            name: $name,
            tags: &$tags,
            map: include_bytes!(concat!("../../../maps/examples/", $key, ".xlsx")),
            extensions: &[(
                concat!($key, ".py"),
                include_str!(concat!("../../../maps/examples/", $key, ".py")),
            )],
        }
    };
}

/// Makes an example of level 2, which is a workbook alone.
macro_rules! table {
    ($key:literal, $file:literal, $name:literal, $tags:expr) => {
        Sample {
            key: $key,
            name: $name,
            tags: &$tags,
            map: include_bytes!(concat!("../../../maps/", $file, ".xlsx")),
            extensions: &[],
        }
    };
}

/// Examples of what a map can be, known games most of them: the shortest extensions first, and at the end those of level 2.
pub static EXAMPLES: &[Sample] = &[
    example!("breakthrough", "突围棋 / Breakthrough", ["竞速", "race"]),
    example!("bridges", "焚桥 / Burning Bridges", ["围堵", "blocking"]),
    example!("four", "四子棋 / Four in a Row", ["连线", "line"]),
    example!("halma", "跳棋 / Halma", ["竞速", "race"]),
    example!("hex", "六贯棋 / Hex", ["连通", "connection"]),
    example!("atari", "吃子围棋 / Atari Go", ["围棋", "go"]),
    example!("giveaway", "送吃棋 / Giveaway", ["反棋", "losing"]),
    example!("brandubh", "围王棋 / Brandubh", ["不对称", "tafl"]),
    example!("jungle", "斗兽棋 / Jungle", ["动物", "animals"]),
    example!("dobutsu", "动物将棋 / Dobutsu Shogi", ["将棋", "drops"]),
    example!("banqi", "暗棋 / Banqi", ["机会", "chance"]),
    example!("chess", "国际象棋 / Chess", ["西洋棋", "castling"]),
    table!("breakthrough-2", "breakthrough", "突围棋 2 级 / Breakthrough, level 2", ["竞速", "race"]),
    table!("hex-2", "hex", "六贯棋 2 级 / Hex, level 2", ["连通", "connection"]),
    table!("losing-2", "losing", "送吃棋 2 级 / Losing Chess, level 2", ["反棋", "losing"]),
    table!("farmyard", "examples/farmyard", "农庄棋 / Farmyard", ["将棋", "drops"]),
    table!("banqi-2", "examples/banqi-2", "暗棋 2 级 / Banqi, level 2", ["机会", "chance"]),
];

/// Returns every built-in map: the hall's own games, then the examples.
pub fn built_in() -> impl Iterator<Item = &'static Sample> {
    SAMPLES.iter().chain(EXAMPLES)
}

/// Returns the built-in map with that key.
#[must_use]
pub fn sample(key: &str) -> Option<&'static Sample> {
    built_in().find(|sample| sample.key == key)
}

impl Sample {
    /// Returns the files of the sample.
    #[must_use]
    pub fn package(&self) -> Package {
        let source =
            |&(file, text): &(&str, &str)| Source { file: file.to_owned(), bytes: text.as_bytes().to_vec() };
        Package { map: self.map.to_vec(), extensions: self.extensions.iter().map(source).collect() }
    }

    /// Returns true if it is played without extensions.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.extensions.is_empty()
    }

    /// Returns the names that its extensions give themselves, read from their text: nothing is run.
    #[must_use]
    pub fn extension_names(&self) -> Vec<String> {
        let name = |(_, text): &(&str, &str)| {
            let line = text.lines().find_map(|line| line.strip_prefix("EX_NAME = \""));
            line.and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
        };
        self.extensions.iter().map(name).collect()
    }

    /// Returns true if the title, the key or a tag holds that text, in small or capital letters.
    #[must_use]
    pub fn is_found_by(&self, search: &str) -> bool {
        let search = search.to_lowercase();
        let mut texts = [self.name, self.key].into_iter().chain(self.tags.iter().copied());
        texts.any(|text| text.to_lowercase().contains(&search))
    }
}

/// Returns a small game from which authors can start.
///
/// # Panics
/// The built-in data cannot make it panic, because a test reads it.
#[must_use]
pub fn starter() -> Map {
    jingbanqi::read(include_bytes!("../../../maps/starter.xlsx")).map.expect("the starter is a good map")
}

/// Returns the rules of the first sample, which needs no extension.
pub(crate) fn usual() -> &'static Rules {
    static USUAL: LazyLock<Rules> = LazyLock::new(|| {
        Rules::load(&SAMPLES[0].package(), &Options::new(), None).expect("the first sample is a good map")
    });
    &USUAL
}
