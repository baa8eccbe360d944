//! Comparison of two versions of a map: board, pieces, switches, code.

use catalog::maps::{Map, Package, Value};
use jingbanqi::PieceKind;
use wire::{FileDiff, LineDiff, MapDiff, RuleDiff, SquareDiff};

/// The most lines of a file that are shown.
const MOST_LINES: usize = 2_000;
/// The number of unchanged lines shown around changed ones.
const AROUND: usize = 3;
/// The number of lines above which files are only compared as a whole: the comparison by lines takes time in
/// proportion to the product of both.
const MOST_COMPARED: usize = 4_000;

/// Returns the differences between two maps and their extensions.
#[must_use]
pub fn between(before: (&Map, &Package), after: (&Map, &Package)) -> MapDiff {
    MapDiff {
        board: board(before.0, after.0),
        rules: rules(before.0, after.0),
        code: code(before.1, after.1),
    }
}

fn name(map: &Map, id: u16) -> String {
    map.kinds.get(usize::from(id).wrapping_sub(1)).map(|kind| kind.name.clone()).unwrap_or_default()
}

fn board(before: &Map, after: &Map) -> Vec<SquareDiff> {
    let (rows, cols) = (before.rows.max(after.rows), before.cols.max(after.cols));
    let on = |map: &Map, row: u8, col: u8| {
        let inside = row < map.rows && col < map.cols;
        let at = usize::from(row) * usize::from(map.cols) + usize::from(col);
        if inside { name(map, map.start[at]) } else { String::new() }
    };
    let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    squares
        .map(|(row, col)| SquareDiff {
            row: u32::from(row) + 1,
            col: u32::from(col) + 1,
            before: on(before, row, col),
            after: on(after, row, col),
        })
        .filter(|square| square.before != square.after)
        .collect()
}

fn rules(before: &Map, after: &Map) -> Vec<RuleDiff> {
    let mut found = Vec::new();
    let mut add = |piece: &str, key: &str, before: String, after: String| {
        if before != after {
            found.push(RuleDiff { piece: piece.to_owned(), key: key.to_owned(), before, after });
        }
    };
    add("", "rows", before.rows.to_string(), after.rows.to_string());
    add("", "cols", before.cols.to_string(), after.cols.to_string());
    let word = |on: bool| if on { "on" } else { "off" }.to_owned();
    add("", "promotion", word(before.promotion), word(after.promotion));
    add("", "undo", word(before.undo), word(after.undo));
    add("", "neutral-limit", word(before.neutral_limit), word(after.neutral_limit));
    let sheets = |map: &Map| map.level2.as_ref().map(|level2| level2.sheets.clone()).unwrap_or_default();
    let (old, new) = (sheets(before), sheets(after));
    for ((name, old), (_, new)) in old.named().into_iter().zip(new.named()) {
        let text =
            |rows: &[Vec<String>]| rows.iter().map(|row| row.join(" | ")).collect::<Vec<_>>().join("; ");
        add("", name, text(old), text(new));
    }
    for at in 0..before.kinds.len().max(after.kinds.len()) {
        let kinds = [before.kinds.get(at), after.kinds.get(at)];
        let called = kinds[1].or(kinds[0]).map(|kind| kind.name.as_str()).unwrap_or_default();
        let piece = format!("{} {called}", at + 1);
        for (key, tell) in FACTS {
            let [old, new] = kinds.map(|kind| kind.map(tell).unwrap_or_default());
            add(&piece, key, old, new);
        }
    }
    found
}

/// A property of a piece that is compared: its name, and the function that reads it.
type Fact = (&'static str, fn(&PieceKind) -> String);

/// The properties of a piece of the table that are compared.
const FACTS: [Fact; 7] = [
    ("name", |kind| kind.name.clone()),
    ("side", |kind| kind.owner.map_or("neutral", |side| ["red", "blue"][side.index()]).to_owned()),
    ("captain", |kind| if kind.captain { "on" } else { "off" }.to_owned()),
    ("moves", |kind| kind.texts()[0].clone()),
    ("promotes", |kind| kind.texts()[1].clone()),
    ("promoted", |kind| kind.texts()[2].clone()),
    ("attributes", |kind| {
        let text = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            Value::Int(n) => n.to_string(),
            Value::Float(n) => n.to_string(),
            Value::Bool(set) => set.to_string(),
        };
        kind.attributes.iter().map(|(name, v)| format!("{name}={}", text(v))).collect::<Vec<_>>().join(" ")
    }),
];

fn code(before: &Package, after: &Package) -> Vec<FileDiff> {
    let text = |package: &Package, file: &str| {
        let found = package.extensions.iter().find(|source| source.file == file);
        found.map(|source| String::from_utf8_lossy(&source.bytes).into_owned()).unwrap_or_default()
    };
    let mut files: Vec<&str> = Vec::new();
    for source in before.extensions.iter().chain(&after.extensions) {
        if !files.contains(&source.file.as_str()) {
            files.push(&source.file);
        }
    }
    files
        .into_iter()
        .map(|file| FileDiff { file: file.to_owned(), lines: lines(&text(before, file), &text(after, file)) })
        .filter(|file| !file.lines.is_empty())
        .collect()
}

/// The lines of two texts, those that stayed only near others: by the longest common subsequence (Hunt and McIlroy 1976).
fn lines(before: &str, after: &str) -> Vec<LineDiff> {
    if before == after {
        return Vec::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = |all: &[&str]| all.len() - head;
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[head..head + rest(&old) - tail], &new[head..head + rest(&new) - tail]);
    let mut signs: Vec<(char, &str)> = old[..head].iter().map(|&line| (' ', line)).collect();
    if a.len().saturating_mul(b.len()) > MOST_COMPARED * MOST_COMPARED {
        signs.extend(a.iter().map(|&line| ('-', line)));
        signs.extend(b.iter().map(|&line| ('+', line)));
    } else {
        signs.extend(common(a, b));
    }
    signs.extend(old[old.len() - tail..].iter().map(|&line| (' ', line)));
    shortened(&signs)
}

fn common<'a>(a: &[&'a str], b: &[&'a str]) -> Vec<(char, &'a str)> {
    let wide = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * wide];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * wide + j] = if a[i] == b[j] {
                longest[(i + 1) * wide + j + 1] + 1
            } else {
                longest[(i + 1) * wide + j].max(longest[i * wide + j + 1])
            };
        }
    }
    let (mut i, mut j, mut signs) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            signs.push((' ', a[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) {
            signs.push(('-', a[i]));
            i += 1;
        } else {
            signs.push(('+', b[j]));
            j += 1;
        }
    }
    signs
}

fn shortened(signs: &[(char, &str)]) -> Vec<LineDiff> {
    let near = |at: usize| {
        let (low, high) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(signs.len()));
        signs[low..high].iter().any(|(sign, _)| *sign != ' ')
    };
    let mut told: Vec<LineDiff> = Vec::new();
    for (at, (sign, text)) in signs.iter().enumerate() {
        if told.len() >= MOST_LINES {
            break;
        }
        if near(at) {
            told.push(LineDiff { sign: sign.to_string(), text: (*text).to_owned() });
        } else if told.last().is_none_or(|last| last.sign != "…") {
            told.push(LineDiff { sign: "…".to_owned(), text: String::new() });
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use catalog::maps::{SAMPLES, Source, check};

    use super::*;

    fn told(before: &str, after: &str) -> String {
        lines(before, after).iter().map(|line| format!("{}{}\n", line.sign, line.text)).collect()
    }

    #[test]
    fn lines_that_stayed_are_told_only_near_others() {
        assert_eq!(told("a\nb\nc\n", "a\nx\nc\n"), " a\n-b\n+x\n c\n");
        assert_eq!(told("", "a\n"), "+a\n");
        assert_eq!(told("same\n", "same\n"), "");
        let long: String = (0..20).map(|n| format!("{n}\n")).collect();
        assert_eq!(told(&long, &long.replace("10\n", "")), "…\n 7\n 8\n 9\n-10\n 11\n 12\n 13\n…\n");
    }

    /// The differences lead from the old text to the new one, for many texts too small for anything to be left out.
    #[test]
    fn what_is_told_leads_from_one_text_to_the_other() {
        let mut random = 7u64;
        let mut next = move |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % most
        };
        for round in 0..400 {
            let mut text =
                || (0..next(5)).map(|_| ["a", "b", "c"][next(3) as usize]).collect::<Vec<_>>().join("\n");
            let (before, after) = (text(), text());
            let told = lines(&before, &after);
            if before == after {
                assert!(told.is_empty());
                continue;
            }
            let side = |gone: &str| {
                let kept = told.iter().filter(|line| line.sign != gone);
                kept.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
            };
            assert_eq!(side("+"), before.lines().collect::<Vec<_>>().join("\n"), "{round}");
            assert_eq!(side("-"), after.lines().collect::<Vec<_>>().join("\n"), "{round}");
        }
    }

    #[test]
    fn a_map_differs_where_it_was_changed_and_nowhere_else() {
        let package = SAMPLES[0].package();
        let before = check(&package.map).map.expect("a good map");
        assert_eq!(between((&before, &package), (&before, &package)), MapDiff::default());
        let mut after = before.clone();
        after.undo = !after.undo;
        after.kinds[2].captain = true;
        after.start[0] = 3;
        let mut files = package.clone();
        files.extensions.push(Source { file: "x.py".to_owned(), bytes: b"EX_NAME = 1".to_vec() });
        let found = between((&before, &package), (&after, &files));
        let square = SquareDiff { row: 1, col: 1, before: String::new(), after: "车".to_owned() };
        assert_eq!(found.board, [square]);
        let keys: Vec<(&str, &str)> =
            found.rules.iter().map(|r| (r.piece.as_str(), r.key.as_str())).collect();
        assert_eq!(keys, [("", "undo"), ("3 车", "captain")]);
        assert_eq!(found.code.len(), 1);
        assert_eq!((found.code[0].file.as_str(), found.code[0].lines.len()), ("x.py", 1));
    }
}
