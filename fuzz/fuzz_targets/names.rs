//! Names of people, rooms and maps: what is kept is kept when it is read again, under the same key.

#![no_main]

use people::name::{Name, NameKind, clean, fold};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(words) = clean(text, 200) {
        assert!(words.chars().count() <= 200 && !words.contains('\n'));
        assert_eq!(clean(&words, 200).as_ref(), Ok(&words));
    }
    let key = fold(text);
    assert_eq!(fold(&key), key);
    for kind in [NameKind::Guest, NameKind::Account, NameKind::Room, NameKind::Map] {
        let Ok(name) = Name::read(text, kind) else { continue };
        assert_eq!(Name::read(name.as_str(), kind).as_ref(), Ok(&name));
        assert_eq!(name.fold(), key);
        assert!(name.as_str().chars().count() <= kind.letters().1);
    }
});
