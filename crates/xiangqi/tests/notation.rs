//! Tests of the names of moves, and of reading them back: docs/rules/xiangqi.md, 11.

use kernel::{Notation, Position, Side, laws::Random};
use xiangqi::text::{Script, Width, chinese, iccs, wxf};
use xiangqi::{Move, Rules, Xiangqi};

fn at(fen: &str) -> Xiangqi {
    let fen = if fen.contains(' ') { format!("{fen} - - 0 1") } else { format!("{fen} w - - 0 1") };
    Xiangqi::new(Rules::Asian).read_diagram(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// `tests/data/notation.csv`: WXF as Fairy-Stockfish's library writes it (its missing signs put back) and Chinese by
/// ElephantEye's rule; where cchess writes soldiers in its own way, only reading is asked, and only of what is clear.
#[test]
fn recorded_names() {
    let data = include_str!("data/notation.csv");
    let (mut rows, mut told) = (0, 0);
    for line in data.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let &[fen, uci, raw_wxf, wanted_wxf, wanted_chinese, cchess, _] = cells.as_slice() else {
            panic!("{line}")
        };
        // On the board as a book draws it, whatever stands there.
        let drawn = Xiangqi::new(Rules::Asian).diagram_texts(fen);
        let (_, names) = drawn.iter().find(|(text, _)| text == uci).unwrap_or_else(|| panic!("{line}"));
        let named = |key| names.iter().find(|(name, _)| *name == key).map(|(_, text)| text.as_str());
        assert_eq!((named("wxf"), named("chinese")), (Some(wanted_wxf), Some(wanted_chinese)), "{line}");
        rows += 1;
        // One of these boards has three horses.
        let Ok(pos) = Xiangqi::new(Rules::Asian).read_diagram(fen) else { continue };
        let m = Move::named(uci).expect("a move of the data");
        assert_eq!(wxf(&pos, m), wanted_wxf, "{line}");
        assert_eq!(chinese(&pos, m, Script::Simplified, Width::Half), wanted_chinese, "{line}");
        for text in
            [uci, wanted_wxf, wanted_chinese, &wanted_wxf.replace('=', "."), &wanted_wxf.to_lowercase()]
        {
            assert_eq!(pos.read_move(text), Some(m), "{text} in {line}");
        }
        // What these leave out may fit several moves, which is refused; it must never mean another one.
        for text in [raw_wxf, cchess] {
            let read = pos.read_move(text);
            assert!(read == Some(m) || read.is_none(), "{text} in {line}: {read:?}");
        }
        told += 1;
    }
    assert_eq!((rows, told), (300, 296));
}

/// A diagram of a position that a game could reach has the same moves with the same names.
#[test]
fn a_diagram_of_a_game_has_its_moves() {
    let mut random = Random(11);
    let mut pos = Xiangqi::new(Rules::Asian);
    for _ in 0..400 {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let mut wanted: Vec<_> = moves.iter().map(|&m| (pos.move_text(m), pos.texts(m))).collect();
        let mut drawn = pos.diagram_texts(&pos.fen());
        wanted.sort();
        drawn.sort();
        assert_eq!(drawn, wanted, "{}", pos.fen());
        match moves.len() {
            0 => pos = Xiangqi::new(Rules::Asian),
            n => pos.play(moves[random.below(n)]),
        }
    }
    for nonsense in ["", "x", "9/9/9/9/9/9/9/9/9/9 w", "4k4/9/9/9/9/9/9/9/9/9 w"] {
        assert_eq!(pos.diagram_texts(nonsense), [], "{nonsense}");
    }
}

#[test]
fn every_writing_is_read() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    let pair = "3akab2/9/4b2C1/9/9/7C1/9/4B4/4A4/2BAK4";
    let crowd = "4k4/9/P7P/P7P/8P/9/9/9/9/3K5";
    for (fen, texts, wanted) in [
        (
            start,
            "h2e2 H2E2 H2-E2 h2-e2 Ｈ２－Ｅ２ C2=5 c2.5 C2。5 炮二平五 炮2平5 砲二平五 炮２平５ 包二平五",
            "h2e2",
        ),
        (start, "H2+3 N2+3 h2+3 馬二進三 马2进3 傌二進三 馬２進３", "h0g2"),
        (start, "R1+1 r1+1 車一進一 俥1进1 车一进1", "i0i1"),
        (start, "E3+5 B3+5 M3+5 相三进五 象三進五 相3进5", "g0e2"),
        (start, "A4+5 G4+5 仕四进五 士四進五 士4进5", "f0e1"),
        (start, "K5+1 帅五进一 帥五進一 將5進1 将五进一", "e0e1"),
        (start, "P3+1 兵三进一 卒三進一 兵3进1", "g3g4"),
        (pair, "C+=3 +C=3 C+.3 前炮平三 前砲平３ 炮前平三", "h7g7"),
        (pair, "C-=3 -C.3 后炮平三 後炮平三 炮后平三", "h4g4"),
        // One cannon alone can do it: the file is enough.
        (pair, "C2-4", "h4h0"),
        (crowd, "11+1 一兵进一", "i7i8"),
        (crowd, "21=2 二兵平二", "i6h6"),
        (crowd, "29=8 五兵平八", "a6b6"),
    ] {
        let pos = at(fen);
        for text in texts.split(' ') {
            assert_eq!(
                pos.read_move(text).map(|m| m.to_string()).as_deref(),
                Some(wanted),
                "{text} in {fen}"
            );
        }
    }
}

#[test]
fn the_readers_choice_of_characters() {
    let pos = at("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b");
    for (m, simple, full, traditional) in [
        ("h9g7", "马8进7", "马８进７", "馬8進7"),
        ("b7e7", "炮2平5", "炮２平５", "砲2平5"),
        ("i9i8", "车9进1", "车９进１", "車9進1"),
        ("e9e8", "将5进1", "将５进１", "將5進1"),
    ] {
        let named = Move::named(m).expect("a move");
        assert_eq!(chinese(&pos, named, Script::Simplified, Width::Half), simple);
        assert_eq!(chinese(&pos, named, Script::Simplified, Width::Full), full);
        assert_eq!(chinese(&pos, named, Script::Traditional, Width::Half), traditional);
        assert_eq!(iccs(named).to_lowercase().replace('-', ""), m);
    }
    let red = at("3k5/9/9/9/9/9/9/4R4/9/3KR4");
    let m = Move::named("e0e1").expect("a move");
    assert_eq!(chinese(&red, m, Script::Traditional, Width::Full), "後俥進一");
}

#[test]
fn refusals_say_what_is_wrong() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    for (fen, text, wanted) in [
        (start, "hello", r#"xiangqi-move-unreadable move="hello""#),
        (start, "炮二平", r#"xiangqi-move-unreadable move="炮二平""#),
        (start, "e4e5", r#"xiangqi-nothing-there square="e4""#),
        (start, "h7e7", r#"xiangqi-not-yours square="h7" side="red""#),
        (start, "h0h2", r#"xiangqi-cannot-go piece="horse" from="h0" to="h2""#),
        (start, "马二进五", r#"xiangqi-no-such-move move="马二进五""#),
        // Two soldiers to either side: 前 could be of two files.
        (
            "4k4/9/P7P/P7P/9/9/9/9/9/3K5",
            "前兵进一",
            r#"xiangqi-move-ambiguous move="前兵进一" moves="a7a8, i7i8""#,
        ),
        // Two rooks on a file, both can go there.
        ("3k5/9/9/9/R8/9/9/R8/9/4K4", "R9=8", r#"xiangqi-move-ambiguous move="R9=8" moves="a5b5, a2b2""#),
        (
            "4k4/9/9/9/9/4R4/9/9/9/4K4",
            "车五平四",
            r#"xiangqi-move-opens-file move="e4f4" side="red" piece="general" at="e9""#,
        ),
        (
            "3k5/9/9/4r4/9/4R4/9/9/9/4K4",
            "e4f4",
            r#"xiangqi-exposes-general move="e4f4" side="red" piece="rook" at="e6""#,
        ),
        (
            "3k5/9/9/4r4/9/R8/9/9/9/4K4",
            "a4a5",
            r#"xiangqi-still-in-check move="a4a5" side="red" piece="rook" at="e6""#,
        ),
    ] {
        let pos = at(fen);
        assert_eq!(pos.read_move(text), None, "{text} in {fen}");
        assert_eq!(pos.refusal(text).to_string(), wanted, "{text} in {fen}");
    }
}

/// A stream of numbers that are random enough (xorshift64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

/// Texts put together at random from what move texts are made of: read or refused, never a panic, and what is read is
/// legal and no second reading of the same letters differs.
#[test]
fn any_text_is_read_or_refused() {
    let letters: Vec<char> =
        "KAEBHNRCPGMkabcdefghi0123456789+-=. 前后中後一二三四五六七八九进退平進車马炮兵卒将５－＝é"
            .chars()
            .collect();
    let mut dice = Dice(0x5DEE_CE66_D1CE_B00C);
    println!("seed {:#x}", dice.0);
    let positions = [
        at("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"),
        at("4k4/9/P7P/P7P/8P/9/9/9/9/3K5"),
        at("4k4/9/9/9/9/2p3p2/2p3p2/6p2/9/3K5 b"),
    ];
    let mut read = 0;
    let names: Vec<String> = positions
        .iter()
        .flat_map(|pos| legal(pos).into_iter().flat_map(|m| pos.texts(m)))
        .map(|(_, text)| text)
        .collect();
    for i in 0..20_000 {
        // Half of them are texts of moves in which one character was changed.
        let mut text: Vec<char> = (0..dice.below(7)).map(|_| letters[dice.below(letters.len())]).collect();
        if i % 2 == 0 {
            text = names[dice.below(names.len())].chars().collect();
            let at = dice.below(text.len());
            text[at] = letters[dice.below(letters.len())];
        }
        let text = String::from_iter(text);
        for pos in &positions {
            match pos.read_move(&text) {
                Some(m) => {
                    assert!(legal(pos).contains(&m), "{text}");
                    read += 1;
                }
                None => assert!(pos.refusal(&text).key.starts_with("xiangqi-"), "{text}"),
            }
        }
    }
    assert!(read > 100, "some of them are moves: {read}");
    let long = "炮".repeat(1_000_000);
    assert_eq!(positions[0].read_move(&long), None);
    assert!(positions[0].refusal(&long).to_string().len() < 400);
}

/// Every legal move of many positions is written in each notation, no two alike, and read back.
#[test]
fn what_is_written_is_read() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let positions = if deep { 10_000 } else { 1_000 };
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    println!("seed {:#x}", dice.0);
    let start = Xiangqi::new(Rules::Asian);
    let mut pos = start.clone();
    let mut seen = 0;
    while seen < positions {
        // Half of them come from games, half are set up with crowded soldiers and doubled pieces.
        let looked_at = if seen % 2 == 0 { pos.clone() } else { crowded(&mut dice, &start) };
        let mut moves = legal(&looked_at);
        let mut texts: Vec<(String, Move)> = Vec::new();
        for &m in &moves {
            let writings = [(Script::Traditional, Width::Full), (Script::Simplified, Width::Full)];
            let others = writings.map(|(script, width)| chinese(&looked_at, m, script, width));
            texts.extend(others.into_iter().map(|text| (text, m)));
            texts.extend(looked_at.texts(m).into_iter().map(|(_, text)| (text, m)));
            texts.push((looked_at.move_text(m), m));
        }
        for (text, m) in &texts {
            assert_eq!(looked_at.read_move(text), Some(*m), "{text} in {}", looked_at.fen());
        }
        seen += 1;
        moves = legal(&pos);
        if moves.is_empty() || dice.below(80) == 0 {
            pos = start.clone();
        } else {
            pos.play(moves[dice.below(moves.len())]);
        }
    }
}

fn legal(pos: &Xiangqi) -> Vec<Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// A position whose soldiers crowd one or two files and whose rooks, horses and cannons stand behind each other.
fn crowded(dice: &mut Dice, like: &Xiangqi) -> Xiangqi {
    loop {
        let mut rows = vec![vec!['.'; 9]; 10];
        let mut drop = |row: usize, file: usize, letter: char| {
            if rows[row][file] == '.' {
                rows[row][file] = letter;
            }
        };
        for side in Side::BOTH {
            let paint = |c: char| if side == Side::First { c } else { c.to_ascii_lowercase() };
            let turned = |row: usize| if side == Side::First { row } else { 9 - row };
            drop(turned(7 + dice.below(3)), 3 + dice.below(3), paint('K'));
            let files = [dice.below(9), dice.below(9)];
            for _ in 0..5 {
                drop(turned(dice.below(5)), files[dice.below(2)], paint('P'));
            }
            for kind in ['R', 'N', 'C'] {
                let file = dice.below(9);
                for _ in 0..2 {
                    drop(dice.below(10), file, paint(kind));
                }
            }
        }
        let row = |cells: &Vec<char>| {
            let mut text: String = cells.iter().collect();
            for run in (1..=9).rev() {
                text = text.replace(&".".repeat(run), &run.to_string());
            }
            text
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        let turn = ["w", "b"][dice.below(2)];
        if let Ok(pos) = like.read_fen(&format!("{} {turn} - - 0 1", rows.join("/"))) {
            return pos;
        }
    }
}
