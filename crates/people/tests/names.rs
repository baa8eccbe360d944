//! Tests of names, valid ones and deceptive ones.

use people::name::NameKind::{self, Account, Collection, Guest, Map, Room, Study};
use people::name::{Name, fold};

/// Returns the name as it is stored, or the key of the problem and its facts.
fn read(text: &str, kind: NameKind) -> Result<String, String> {
    Name::read(text, kind).map(|name| name.to_string()).map_err(|problem| problem.to_string())
}

#[test]
fn honest_names_stay_as_they_are() {
    for name in [
        "Ada",
        "Ada Lovelace",
        "O'Brien",
        "Jean-Luc",
        "José",
        "Łukasz",
        "Nguyễn Thị Ánh",
        "Đặng Văn Lượng",
        "棋手",
        "王小明",
        "段锴",
        "陳大文 2",
        "Tom汤姆",
        "ひろし",
        "山田ハナコ",
        "佐藤さん",
        "김민준",
        "Kim 김",
        "Анна",
        "Лев Толстой",
        "Ольга Ё",
        "Kahoʻolawe",
        "Əli",
        "Þór",
        "ߒߞߏ",
        "ᏣᎳᎩ",
        "ⵜⵉⴼⵉⵏⴰⵖ",
        "Γιώργος",
        "محمد",
        "عبد الله",
        "فَاطِمَة",
        "שָׁלוֹם",
        "आरती",
        "स्त्रीं",
        "தமிழ்",
        "สมชาย",
        "မြို့",
        "Հայկ",
        "ქეთი",
        "Ada 🐉",
        "player_7",
        "x",
        "42",
        "Levelheaded",
        "Level headed Bob",
        "Adam",
        "Robot Bob",
        "System of a Down",
        "第三者",
    ] {
        let given = if name == "x" { Guest } else { Account };
        assert_eq!(read(name, given).as_deref(), Ok(name));
    }
}

#[test]
fn names_are_tidied() {
    for (given, wanted) in [
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("Ada\u{a0}\u{3000}Lovelace", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),
        ("Jose\u{301}", "José"),
        ("e\u{302}\u{301}\u{323}x", "ệ\u{301}x"),
        ("ﬁona", "fiona"),
        ("ｶﾀｶﾅ", "カタカナ"),
    ] {
        assert_eq!(read(given, Guest).as_deref(), Ok(wanted), "{given:?}");
    }
}

#[test]
fn what_cannot_be_seen_is_named() {
    for (letter, why) in [
        ('\u{0}', "control"),
        ('\u{7f}', "control"),
        ('\u{9b}', "control"),
        ('\u{ad}', "invisible"),
        ('\u{34f}', "invisible"),
        ('\u{61c}', "invisible"),
        ('\u{115f}', "invisible"),
        ('\u{1160}', "invisible"),
        ('\u{17b4}', "invisible"),
        ('\u{180e}', "invisible"),
        ('\u{200b}', "invisible"),
        ('\u{200d}', "invisible"),
        ('\u{202e}', "invisible"),
        ('\u{2066}', "invisible"),
        ('\u{2800}', "invisible"),
        ('\u{3164}', "invisible"),
        ('\u{fe0f}', "invisible"),
        ('\u{feff}', "invisible"),
        ('\u{ffa0}', "invisible"),
        ('\u{fffc}', "invisible"),
        ('\u{1d159}', "invisible"),
        ('\u{e0041}', "invisible"),
        ('\u{e0100}', "invisible"),
        ('\u{e000}', "private"),
        ('\u{10fffd}', "private"),
        ('\u{378}', "unassigned"),
        ('\u{1ffff}', "unassigned"),
        ('ʟ', "technical"),
        ('ᴇ', "technical"),
    ] {
        for kind in [Guest, Account, Room, Map, Collection, Study] {
            let problem = Name::read(&format!("Ada{letter}x"), kind).unwrap_err();
            let code = format!("U+{:04X}", u32::from(letter));
            let said = ["code", "place", "why"].map(|fact| problem.arg(fact).unwrap_or_default().to_owned());
            assert_eq!((problem.key, said), ("name-letter", [code, "4".to_owned(), why.to_owned()]));
        }
    }
}

#[test]
fn others_are_refused_with_their_facts() {
    for (name, kind, wanted) in [
        ("", Guest, "name-empty"),
        (" \u{3000}\t", Room, "name-empty"),
        ("x", Account, r#"name-too-short limit="2""#),
        ("012345678901234567890", Account, r#"name-too-long limit="20""#),
        ("0123456789012345678901234", Guest, r#"name-too-long limit="24""#),
        (&"x".repeat(41), Room, r#"name-too-long limit="40""#),
        (&"x".repeat(61), Map, r#"name-too-long limit="60""#),
        (&"x".repeat(1 << 20), Map, r#"name-too-long limit="60""#),
        ("ﷺﷺ", Account, r#"name-too-long limit="20""#),
        ("Z\u{300}\u{30a}\u{317}x", Guest, r#"name-marks place="4" code="U+030A""#),
        ("Z\u{30a}\u{30a}x", Guest, r#"name-marks place="3" code="U+030A""#),
        ("\u{301}x", Guest, r#"name-marks place="1" code="U+0301""#),
        ("x \u{301}", Guest, r#"name-marks place="3" code="U+0301""#),
        ("...", Guest, "name-no-letter"),
        ("- – —", Room, "name-no-letter"),
        ("🐉🐉", Guest, "name-no-letter"),
        ("Lеvel", Guest, r#"name-scripts word="Lеvel" letter="е" code="U+0435" script="Cyrillic""#),
        ("Lеvel 10", Map, r#"name-scripts word="Lеvel" letter="е" code="U+0435" script="Cyrillic""#),
        ("pаypal", Room, r#"name-scripts word="pаypal" letter="а" code="U+0430" script="Cyrillic""#),
        ("Αda", Account, r#"name-scripts word="Αda" letter="d" code="U+0064" script="Latin""#),
        ("한字あ", Account, r#"name-scripts word="한字あ" letter="あ" code="U+3042" script="Hiragana""#),
    ] {
        let said = read(name, kind).unwrap_err();
        assert_eq!(said, wanted, "{name:?}");
    }
}

#[test]
fn names_of_ours_are_nobodys() {
    for name in [
        "Level 10",
        "Level10",
        "level 3",
        "LEVEL l0",
        "Level 10 (strong)",
        "Level X",
        "Level ten",
        "Ｌｅｖｅｌ　１０",
        "L e v e l 1 0",
        "等级 10",
        "等级10",
        "等级十",
        "10 级",
        "10级",
        "第 10 级",
        "十级",
        "Qiguan",
        "QIGUAN",
        "Qi Guan",
        "qıguan",
        "admin",
        "Admin",
        "ADMIN 2",
        "admin123",
        "a.d.m.i.n",
        "The Moderator",
        "Moderator 7",
        "System",
        "Qiguan Bot",
        "root",
        "Guest",
        "Guest 12",
        "somebody",
        "棋馆",
        "棋馆客服",
        "王管理员",
        "系统",
        "电脑",
        "访客",
    ] {
        for kind in [Guest, Account] {
            let problem = Name::read(name, kind).err().map(|problem| problem.key);
            assert_eq!(problem, Some("name-reserved"), "{name}");
        }
        assert!(Name::read(name, Room).is_ok(), "a room called {name}");
    }
}

#[test]
fn twins_have_one_key() {
    for (one, other) in [
        ("Ada", "ADA"),
        ("Jos\u{e9}", "Jose\u{301}"),
        ("Ａｄａ", "ada"),
        ("Straße", "STRASSE"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("Ivan", "lvan"),
        ("Ivan", "IVAN"),
        ("Player 1", "Player l"),
        ("b0b", "bob"),
        ("Аnnа", "Anna"),
        ("раураl", "paypal"),
        ("modern", "rnodem"),
        ("Ada  Lovelace", "ada\u{a0}lovelace"),
        ("ﬁn", "FIN"),
        ("エ", "工"),
        // Capitals that look alike, of which the small letters do not.
        ("ВОТ", "BOT"),
        ("НЕТ", "het"),
        ("ΜΑΝΗ", "MANH"),
    ] {
        assert_eq!(fold(one), fold(other), "{one} and {other}");
    }
    for (one, other) in
        [("Ada", "Eda"), ("Anna", "Hanna"), ("王", "玉"), ("Ада", "Ida"), ("José", "Jose"), ("a b", "ab")]
    {
        assert_ne!(fold(one), fold(other), "{one} and {other}");
    }
}

/// A stored name stays the same when it is read again, and its key is the key of its key: on letters of all of
/// Unicode, alone and beside others; each of them when `QIGUAN_DEEP` is set, and else each before the great blocks of
/// East Asia and each seventh of those.
#[test]
fn reading_again_changes_nothing() {
    let is_deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let chosen = |c: &char| is_deep || u32::from(*c) < 0x3400 || u32::from(*c).is_multiple_of(7);
    let mut kept = 0;
    for c in
        ('\u{0}'..='\u{10ffff}').filter(|c| !(0x3_4000..0xe_0000).contains(&u32::from(*c))).filter(chosen)
    {
        let neighbours = [format!("a{c}"), format!("{c} \u{301}王")];
        let neighbours = neighbours.into_iter().filter(|_| is_deep || u32::from(c) < 0x3400);
        for text in neighbours.chain([c.to_string()]) {
            let key = fold(&text);
            assert_eq!(fold(&key), key, "{text:?}");
            let Ok(name) = Name::read(&text, Room) else { continue };
            kept += 1;
            assert_eq!(Name::read(name.as_str(), Room).as_ref(), Ok(&name), "{text:?}");
            assert_eq!(name.fold(), key, "{text:?}");
        }
    }
    assert!(kept > 20_000, "{kept} names");
}

/// A7: notes and comments lose invisible letters and those that reverse the direction of writing; once they accepted
/// them.
#[test]
fn lines_are_cleaned_one_by_one() {
    for (text, clean) in [
        ("one\n\n\n\ntwo  three\r\n", "one\n\ntwo three"),
        ("a\u{202e}b\u{200b}c\n\u{2066}\n\nd", "abc\n\nd"),
        ("\n \n", ""),
        ("\u{feff}**best** `e4`", "**best** `e4`"),
    ] {
        assert_eq!(people::name::clean_lines(text, 40).as_deref(), Ok(clean), "{text:?}");
    }
    let long = people::name::clean_lines(&"ab\n".repeat(20), 40).expect_err("59 letters");
    assert_eq!(long.key, "words-too-long");
}
