//! Game files: our own format, the other formats by their endings, and the files of emacs-chess-cn.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use kernel::Problem;
use records::{Format, Record};

/// The most bytes read of a file; no record is longer.
const MOST: u64 = records::record::MOST_JSON as u64;

/// Returns the default folder for saved games: `qiguan` in the XDG data folder (`XDG_DATA_HOME`, or
/// `~/.local/share`).
pub(crate) fn folder(variable: impl Fn(&str) -> Option<String>) -> PathBuf {
    let home = || variable("HOME").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let data = variable("XDG_DATA_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    data.unwrap_or_else(|| home().join(".local/share")).join("qiguan")
}

/// Returns a file name for a game saved now, in the style of emacs-chess-cn: `2026-11-21T153000.json`.
pub(crate) fn name(now: &jiff::Zoned) -> String {
    format!("{}.{}", now.strftime("%Y-%m-%dT%H%M%S"), Format::Json.key())
}

/// Converts typed text to a path: `~/` is the home folder.
pub(crate) fn path(typed: &str) -> PathBuf {
    match (typed.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(typed),
    }
}

/// Writes a record in the format of the file's ending, or in ours without an ending. A format that holds only a
/// position gets `fen`, the position at the end of the record. An existing file stays intact until the new one is
/// complete. The only folder created is `own`, this program's own.
///
/// # Errors
/// `file-cannot-be-written` with the reason, `file-no-folder`, or the reason why the format cannot express this game.
pub(crate) fn save(path: &Path, own: &Path, record: &Record, fen: &str) -> Result<(), Problem> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or(Format::Json.key());
    let format = Format::keyed(ending).ok_or_else(|| Problem::new("file-ending").with("found", ending))?;
    let mut record = record.clone();
    if format.is_position() {
        record.start = Some(fen.to_owned());
        record.tree = records::Tree::default();
    }
    let bytes = records::write(format, &record)?;
    let failed = |why: std::io::Error| {
        Problem::new("file-cannot-be-written").with("file", path.display()).with("reason", why)
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        if folder == own {
            std::fs::create_dir_all(folder).map_err(failed)?;
        } else if !folder.is_dir() {
            return Err(Problem::new("file-no-folder").with("folder", folder.display()));
        }
    }
    let beside = path.with_extension(format!("{ending}.part"));
    let write = || {
        let mut file = std::fs::File::create(&beside)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    write().map_err(failed)
}

/// Reads a record in any known format.
///
/// # Errors
/// `file-cannot-be-read` with the reason, `file-unknown`, or what is wrong with the record.
pub(crate) fn load(path: &Path) -> Result<Record, Problem> {
    let failed = |why: std::io::Error| {
        Problem::new("file-cannot-be-read").with("file", path.display()).with("reason", why)
    };
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)).map_err(failed)?;
    let by_name = || Format::keyed(path.extension()?.to_str()?);
    let format = records::detect(&bytes).or_else(by_name);
    let format = format.ok_or_else(|| Problem::new("file-unknown").with("file", path.display()))?;
    let mut record = records::read(format, &bytes)?;
    if record.game.is_empty() {
        return Err(Problem::new("file-unknown").with("file", path.display()));
    }
    if catalog::find(&record.game).is_err() {
        record.game = crate::entry(&record.game)?.key.to_owned();
    }
    Ok(record)
}

/// Parses the typed paths of a map and its extensions: `leap.xlsx leap.py`.
pub(crate) fn of_map(typed: &str) -> (PathBuf, Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut rest = typed.trim();
    while !rest.is_empty() {
        let (one, others) = rest.split_at(first_ends(rest).unwrap_or(rest.len()));
        paths.push(path(one.trim()));
        rest = others.trim_start();
    }
    let extensions = paths.split_off(paths.len().min(1));
    (paths.pop().unwrap_or_default(), extensions)
}

/// Returns the end of the first of several file names. Names may contain spaces, so each but the last ends at its
/// extension.
fn first_ends(typed: &str) -> Option<usize> {
    [".xlsx ", ".py "].iter().filter_map(|ending| Some(typed.find(ending)? + ending.len())).min()
}

/// Returns the completions of the last file name in the typed paths of a map.
pub(crate) fn map_completions(typed: &str) -> Vec<String> {
    let mut begun = 0;
    while let Some(at) = first_ends(&typed[begun..]) {
        begun += at;
    }
    completions(&typed[begun..]).into_iter().map(|name| format!("{}{name}", &typed[..begun])).collect()
}

/// Returns the completions of a typed path, by name; folders end with a slash.
pub(crate) fn completions(typed: &str) -> Vec<String> {
    let (folder, begun) = typed.rfind('/').map_or(("", typed), |at| typed.split_at(at + 1));
    let Ok(entries) = std::fs::read_dir(path(if folder.is_empty() { "./" } else { folder })) else {
        return Vec::new();
    };
    let name = |entry: std::fs::DirEntry| {
        let mut name = entry.file_name().into_string().ok().filter(|name| name.starts_with(begun))?;
        if entry.path().is_dir() {
            name.push('/');
        }
        Some(format!("{folder}{name}"))
    };
    let mut names: Vec<String> = entries.take(5000).flatten().filter_map(name).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saving creates no folder for a mistyped path, but creates this program's own folder.
    #[test]
    fn saving_makes_no_folders_but_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("data/qiguan");
        let record = Record { game: "xiangqi".to_owned(), ..Record::default() };
        let save = |path: PathBuf| save(&path, &own, &record, "").map_err(|problem| problem.key);
        assert_eq!(save(folder.path().join("typo/game.json")), Err("file-no-folder"));
        assert!(!folder.path().join("typo").exists());
        assert_eq!(save(own.join("game.json")), Ok(()));
        assert_eq!(save(folder.path().join("game.pgn")), Ok(()));
    }

    #[test]
    fn a_map_is_typed_with_its_extensions() {
        let typed = |text: &str| {
            let (map, extensions) = of_map(text);
            let shown = |path: &PathBuf| path.display().to_string();
            (shown(&map), extensions.iter().map(shown).collect::<Vec<_>>())
        };
        assert_eq!(typed("a.xlsx"), ("a.xlsx".to_owned(), vec![]));
        assert_eq!(
            typed(" my map.xlsx  b c.py d.py "),
            ("my map.xlsx".to_owned(), vec!["b c.py".to_owned(), "d.py".to_owned()])
        );
        assert_eq!(typed(""), (String::new(), vec![]));
    }

    #[test]
    fn the_last_file_of_a_map_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["leap.xlsx", "leap.py"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let at = folder.path().display();
        assert_eq!(map_completions(&format!("{at}/leap.x")), [format!("{at}/leap.xlsx")]);
        let both = format!("{at}/leap.xlsx {at}/leap.py");
        assert_eq!(map_completions(&format!("{at}/leap.xlsx {at}/leap.p")), [both]);
    }
}
