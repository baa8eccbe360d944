//! Fuzz target for opening books of xiangqi programs: their rows are imported into a library, reported, or refused.

#![no_main]

use std::sync::atomic::AtomicBool;

use library::{Access, Book, Import, Library, walk};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if !library::book::begins_like_one(bytes) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book");
    std::fs::write(&path, bytes).expect("a file");
    let Ok(book) = Book::read(&path) else { return };
    let rows = book.rows();
    let library = Library::open(&folder.path().join("library")).expect("a library");
    let collection = library.make("Books", "", Access::Private, 1).expect("a collection").id;
    let stop = AtomicBool::new(false);
    let (name, open, threads) = ("book", &walk::without_maps, 1);
    let wish = Import { collection, name, print: name, open, threads, stop: &stop, entry: None };
    let told = library.import_book(&wish, book, &mut |_, _| {}).expect("it is taken in");
    assert_eq!((told.read, told.added + told.refused), (rows, rows));
});
