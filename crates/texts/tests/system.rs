//! Every error of the operating system has its text.

use std::io::{Error, ErrorKind};

use kernel::Problem;
use texts::{Language, spoken, system};

const ENGLISH: Language = Language::English;
const CHINESE: Language = Language::Chinese;

#[test]
fn errors_of_files_are_said_in_the_language() {
    let gone = std::fs::File::open("/nowhere/at/all").expect_err("is not there");
    assert_eq!(system(ENGLISH, &gone), "there is no such file or folder");
    assert_eq!(system(CHINESE, &gone), "没有这个文件或文件夹");
    let folder = std::fs::read(std::env::temp_dir()).expect_err("is a folder");
    assert_eq!(system(CHINESE, &folder), "这是一个文件夹");
    let odd = Error::other("the seal is broken");
    assert_eq!(system(CHINESE, &odd), "the seal is broken");
    let problem = Error::other(Problem::new("record-no-start"));
    assert_eq!(system(CHINESE, &problem), texts::problem(CHINESE, &Problem::new("record-no-start")));
}

/// Every kind of error has a text in both languages.
#[test]
fn every_kind_has_words() {
    let numbers = (1..200).map(Error::from_raw_os_error);
    let kinds = [ErrorKind::InvalidData, ErrorKind::UnexpectedEof, ErrorKind::Unsupported].map(Error::from);
    let mut met = 0;
    for why in numbers.chain(kinds) {
        for language in Language::ALL {
            let said = system(language, &why);
            assert!(!said.starts_with("system-"), "{why}: {said}");
            met += usize::from(said != why.to_string());
        }
    }
    assert!(met > 40, "{met}");
}

#[test]
fn sentences_of_the_system_within_others_are_said_in_the_language() {
    let gone = std::fs::File::open("/nowhere/at/all").expect_err("is not there");
    let text = format!("games.db: {gone}, and /b: {gone}");
    assert_eq!(spoken(CHINESE, &text), "games.db: 没有这个文件或文件夹, and /b: 没有这个文件或文件夹");
    // Those of SQLite, which a library and a hall hand on.
    assert_eq!(spoken(CHINESE, "unable to open database file: /a"), "无法打开文件: /a");
    assert_eq!(spoken(ENGLISH, "database or disk is full"), "the disk is full");
    assert_eq!(spoken(CHINESE, "invalid Zip archive: Could not find EOCD"), "不是压缩包，或缺了一部分");
    for plain in ["(os error 2)", "(os error x)", "(os error 99999)", "nothing", "(os error "] {
        assert_eq!(spoken(CHINESE, plain), plain);
    }
    let problem = Problem::new("file-cannot-be-read").with("file", "/a").with("reason", &gone);
    assert_eq!(texts::problem(CHINESE, &problem), "不能读取 /a：没有这个文件或文件夹");
}
