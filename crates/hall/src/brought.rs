//! The import of a file into a collection: one of any format, or an archive of many.
//!
//! In a hall of several nodes each of them takes the same file in, so what ends a part of it must follow from the file alone, and
//! not from how fast a machine is.

use std::cell::Cell;
use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::Problem;
use library::import::Refused;
use library::{Book, Import, ImportProgress, Library, book, walk};
use records::archive::{self, Archive};
use records::{Format, Games};
use wire::{ImportedGames, RefusedGame};

/// Refused games that are reported with their reasons.
const TOLD: usize = 100;
/// Plies after which an import goes on with the next request, whatever the machine: a few seconds of work.
const MOST_PLIES: u64 = 400_000;
/// A game counts for as many more, as it is read, looked up and written.
const PLIES_OF_A_GAME: u64 = 50;
/// Bytes of an archive's file, unpacked.
const MOST_OF_A_FILE: usize = records::record::MOST_BYTES * 4;
/// Bytes of all its files. They are unpacked well within the time of a request.
/// So each request gets further than the one before it.
const MOST_UNPACKED: u64 = 128 << 20;
/// Bytes that are unpacked between two checks that the request is still awaited.
const AT_ONCE: u64 = 1 << 20;

/// A file to import, and the collection it goes to.
pub struct Brought<'a> {
    /// The number of the collection in the library.
    pub collection: i64,
    /// The name of the file.
    pub name: &'a str,
    /// The game that is expected in it; empty: any.
    pub game: &'a str,
    /// The bytes of the file.
    pub content: &'a [u8],
    /// The most moves of opening books that the collections of its owner may have before another book is refused;
    /// `None`: any number.
    pub most_book_moves: Option<u64>,
    /// The number and the id of the journal entry of this import, in a hall of several nodes.
    pub entry: Option<(u64, &'a str)>,
}

/// Imports a file, as far as it gets. `is_up` tells whether the import must stop early, apart from its own limits.
///
/// # Errors
/// The fault in the file.
pub fn take_in(
    library: &Library,
    brought: &Brought,
    is_up: &dyn Fn() -> bool,
) -> Result<ImportedGames, Problem> {
    let Brought { collection, name, game, content, most_book_moves, entry } = *brought;
    let mut problems = Vec::new();
    let (stop, worked, before) = (AtomicBool::new(false), Cell::new(0), Cell::new(0));
    let is_up = || worked.get() + before.get() > MOST_PLIES || is_up();
    let mut all = ImportedGames { done: true, ..ImportedGames::default() };
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let game = if game.is_empty() { "" } else { catalog::named(game)?.key };
    let mut one = |name: &str, content: &[u8]| -> Result<(), Problem> {
        let print = format!("{name} {} {:016x}", content.len(), walk::print(content));
        let import = Import {
            collection,
            name,
            print: &print,
            open: &walk::without_maps,
            threads: 1,
            stop: &stop,
            entry,
        };
        let look = || {
            if is_up() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let mut note = |refused: Option<&Refused>| {
            if let Some(refused) = refused.filter(|_| problems.len() < TOLD) {
                problems.push(RefusedGame {
                    number: small(refused.number),
                    line: small(refused.line),
                    why: wire::Problem::from(refused.problem.clone()),
                });
            }
        };
        if book::begins_like_one(content) {
            room_for_books(library, collection, most_book_moves)?;
            let told =
                library.import_book(&import, Book::of_bytes(content.to_vec())?, &mut |told, refused| {
                    // Nothing is read until the way through it has ended.
                    if told.read == 0 {
                        worked.set(worked.get() + u64::from(book::TOLD_EACH));
                        look();
                    }
                    note(refused);
                })?;
            // It is taken in as a whole or not at all: with the next request, where others came before it.
            if stop.load(Ordering::Relaxed) && told.read == 0 && before.get() == 0 {
                return Err(Problem::new("book-long"));
            }
            before.set(before.get() + worked.take());
            all.book_moves += small(told.added);
            all.book_refused += small(told.refused);
            return Ok(());
        }
        let ending = name.rsplit('.').next().and_then(Format::keyed);
        let format = records::detect(content).or(ending);
        let format = format.ok_or_else(|| Problem::new("unknown-format").with("format", name))?;
        let mut begun = None;
        let mut watch = |told: &ImportProgress, refused: Option<&Refused>| {
            let begun = *begun.get_or_insert(told.read.saturating_sub(1));
            worked.set(told.plies + PLIES_OF_A_GAME * (told.read - begun));
            look();
            note(refused);
        };
        let told = library.import(&import, Games::new(format, content).of(game), &mut watch)?;
        before.set(before.get() + worked.take());
        all.read += small(told.read);
        all.added += small(told.added);
        all.doubles += small(told.doubles);
        all.refused += small(told.refused);
        all.cut += small(told.cut);
        Ok(())
    };
    if archive::begins_like_one(content) {
        let mut archive = Archive::open(Cursor::new(content))?.at_most(MOST_UNPACKED);
        for at in 0..archive.len() {
            let Some((name, file)) = archive.file(at)? else { continue };
            let Some(unpacked) = unpacked(file, &is_up)? else {
                stop.store(true, Ordering::Relaxed);
                break;
            };
            one(&name, &unpacked)?;
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
    } else {
        one(name, content)?;
    }
    all.problems = problems;
    all.done = !stop.load(Ordering::Relaxed);
    Ok(all)
}

/// Checks that the collections of an owner have room for another opening book.
fn room_for_books(library: &Library, collection: i64, most: Option<u64>) -> Result<(), Problem> {
    let Some(most) = most else { return Ok(()) };
    let all = library.collections()?;
    let Some(into) = all.iter().find(|found| found.id == collection) else { return Ok(()) };
    let own = all.iter().filter(|found| found.owner == into.owner);
    let ids: Vec<i64> = own.map(|found| found.id).collect();
    match library.book_moves(&ids)? {
        moves if moves >= most => Err(Problem::new("library-books-full").with("most", most)),
        _ => Ok(()),
    }
}

/// Unpacks a file of an archive; `None` when the time for this request is up before its end.
fn unpacked(mut file: impl Read, is_up: &dyn Fn() -> bool) -> Result<Option<Vec<u8>>, Problem> {
    let mut unpacked = Vec::new();
    while !is_up() {
        let read = file.by_ref().take(AT_ONCE).read_to_end(&mut unpacked);
        let read = read.map_err(|why| match why.get_ref().and_then(|why| why.downcast_ref::<Problem>()) {
            Some(problem) => problem.clone(),
            None => Problem::new("archive-broken").with("detail", &why),
        })?;
        if unpacked.len() > MOST_OF_A_FILE {
            return Err(Problem::new("archive-bomb").with("most", MOST_OF_A_FILE));
        }
        if read == 0 {
            return Ok(Some(unpacked));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use library::Access;
    use zip::write::SimpleFileOptions;

    use super::*;

    const GAME: &str = "Game: gomoku/standard\n\n1. h8 i9\n";

    fn zipped(files: &[(&str, String)]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            zip.start_file(*name, SimpleFileOptions::default()).expect("a new name");
            zip.write_all(text.as_bytes()).expect("memory");
        }
        zip.finish().expect("memory").into_inner()
    }

    fn into_own(into: &library::Collection) -> Brought<'static> {
        Brought { collection: into.id, name: "", game: "", content: b"", most_book_moves: None, entry: None }
    }

    /// Unpacking stops when the request has been abandoned.
    #[test]
    fn an_archive_is_read_as_long_as_somebody_waits() {
        let data = tempfile::tempdir().expect("a folder");
        let library = Library::open(&data.path().join("games")).expect("opens");
        let into = library.make("Own", "ann", Access::Private, 0).expect("is made");
        let wish = zipped(&[("a.txt", GAME.to_owned()), ("b.txt", format!("{GAME}\n{GAME}"))]);
        let brought = Brought { name: "games.zip", content: &wish, ..into_own(&into) };
        let told = take_in(&library, &brought, &|| true).expect("is an archive");
        assert_eq!((told.read, told.done), (0, false), "nobody waits");
        let told = take_in(&library, &brought, &|| false).expect("is an archive");
        assert_eq!((told.read, told.done), (3, true), "the same again goes on");
    }

    /// A request ends at the same game everywhere, where several nodes import the same file.
    #[test]
    fn how_far_a_request_comes_follows_from_the_file_alone() {
        // As many plies as a board has points, each game another one.
        let game = |n: usize| {
            let points = (0..225).map(|at| (at * 7 + n) % 225);
            let texts = points.map(|p| format!("{}{}", char::from(b'a' + (p % 15) as u8), p / 15 + 1));
            let numbered: Vec<String> =
                texts.take(60).zip(1..).map(|(text, n)| format!("{n}. {text}")).collect();
            format!("Game: gomoku/standard\nFirst: {n}\n\n{}\n\n", numbered.join(" "))
        };
        let content: String = (0..9_000).map(game).collect();
        let takes = || {
            let data = tempfile::tempdir().expect("a folder");
            let library = Library::open(&data.path().join("games")).expect("opens");
            let into = library.make("Own", "ann", Access::Private, 0).expect("is made");
            let (name, content) = ("games.txt", content.as_bytes());
            let mut reads = Vec::new();
            for n in 1.. {
                let entry = Some((n, "id"));
                let brought = Brought { name, content, entry, ..into_own(&into) };
                let told = take_in(&library, &brought, &|| false).expect("is a file");
                assert_eq!(
                    library.carried_out().expect("reads").map(|(n, _)| n),
                    Some(n),
                    "noted with the games"
                );
                reads.push(told.read);
                if told.done {
                    return reads;
                }
            }
            reads
        };
        let reads = takes();
        assert!(reads.len() > 1 && reads.last() == Some(&9_000), "{reads:?}");
        assert_eq!(takes(), reads);
    }

    /// A book is imported as a whole or not at all, so that none is read again and again.
    #[test]
    fn a_book_without_room_is_refused_in_words() {
        let data = tempfile::tempdir().expect("a folder");
        let library = Library::open(&data.path().join("games")).expect("opens");
        let into = library.make("Own", "ann", Access::Private, 0).expect("is made");
        let content = include_bytes!("../tests/data/small.obk");
        let wish = Brought { name: "small.obk", content, most_book_moves: Some(1), ..into_own(&into) };
        let long = take_in(&library, &wish, &|| true).expect("is small, and no time is looked at");
        assert_eq!((long.book_moves, long.book_refused, long.done), (2, 1, true));
        // Each move stands under its own and its mirror image.
        assert_eq!(library.book_moves(&[into.id]), Ok(4));
        let other = Brought { name: "other.obk", ..wish };
        let refused = take_in(&library, &other, &|| false).map_err(|why| why.key);
        assert_eq!(refused.map(drop), Err("library-books-full"));
        assert_eq!(library.book_moves(&[into.id]), Ok(4));
        // Whose collections are full takes no room of others.
        let of_bob = library.make("Own", "bob", Access::Private, 0).expect("is made");
        let told = take_in(&library, &Brought { collection: of_bob.id, ..other }, &|| false);
        assert_eq!(told.map(|told| told.book_moves), Ok(2));
    }

    #[test]
    fn files_of_an_archive_are_unpacked_in_parts_and_bounded() {
        let asked = std::cell::Cell::new(0);
        let third = || asked.replace(asked.get() + 1) == 2;
        assert_eq!(unpacked(std::io::repeat(b' '), &third).expect("no problem"), None);
        let endless = unpacked(std::io::repeat(b' '), &|| false).expect_err("too much");
        assert_eq!(endless.key, "archive-bomb");
        assert_eq!(unpacked(&b"h8"[..], &|| false).expect("no problem"), Some(b"h8".to_vec()));
    }
}
