//! Outlines of the characters and pictures on pieces: the page's own files.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::piece::Tone;

const FACES: &str = include_str!("../../../web/src/faces/faces.svg");

/// The sets of faces on the pieces of xiangqi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FaceSet {
    /// Simplified Chinese characters.
    #[default]
    Simplified,
    /// Traditional Chinese characters.
    Traditional,
    /// Silhouettes with letters.
    Pictures,
}

impl FaceSet {
    /// Returns the name of the set in the page's settings.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            FaceSet::Simplified => "simplified",
            FaceSet::Traditional => "traditional",
            FaceSet::Pictures => "pictures",
        }
    }

    /// Returns the set with that [key](FaceSet::key).
    #[must_use]
    pub fn keyed(key: &str) -> Option<FaceSet> {
        [FaceSet::Simplified, FaceSet::Traditional, FaceSet::Pictures]
            .into_iter()
            .find(|set| set.key() == key)
    }
}

type Outlines = HashMap<&'static str, &'static str>;

static OUTLINES: LazyLock<Outlines> = LazyLock::new(|| read(FACES));

/// Reads the `d` of each path that has an id.
fn read(svg: &'static str) -> Outlines {
    let quoted = |text: &'static str, name: &str| {
        let (_, rest) = text.split_once(name)?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let paths = svg.split("<path ").skip(1);
    paths.filter_map(|path| Some((quoted(path, "id=\"")?, quoted(path, " d=\"")?))).collect()
}

/// Returns the outline of a piece's face in a set, around its own middle; `None`: it has none.
pub(crate) fn outline(set: FaceSet, face: &str, tone: Tone) -> Option<&'static str> {
    sign(if set == FaceSet::Pictures { face } else { character(set, face, tone)? })
}

/// Returns the outline with that name: a character, or a face in English.
pub(crate) fn sign(sign: &str) -> Option<&'static str> {
    OUTLINES.get(sign).copied()
}

/// Returns the character of a face, like the page's `paint.ts`: the sides have characters of their own.
fn character(set: FaceSet, face: &str, tone: Tone) -> Option<&'static str> {
    let red = tone == Tone::Red;
    let sign = match (face, red) {
        ("general", true) => "帥",
        ("general", false) => "將",
        ("advisor", true) => "仕",
        ("advisor", false) => "士",
        ("elephant", true) => "相",
        ("elephant", false) => "象",
        ("horse", true) => "傌",
        ("horse", false) => "馬",
        ("rook", true) => "俥",
        ("rook", false) => "車",
        ("cannon", true) => "炮",
        ("cannon", false) => "砲",
        ("soldier", true) => "兵",
        ("soldier", false) => "卒",
        _ => return None,
    };
    if set == FaceSet::Traditional {
        return Some(sign);
    }
    Some(match sign {
        "帥" => "帅",
        "將" => "将",
        "傌" | "馬" => "马",
        "俥" | "車" => "车",
        "砲" => "炮",
        other => other,
    })
}
