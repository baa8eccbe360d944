//! Large files made of one thing over and over. Each is read in about the time of its bytes: a reader that looks from each
//! mark to the end of the file, or goes the way back to the start from each, would not come to an end here.

use records::{Format, Games, read};

/// The most bytes of a file.
const MOST: usize = records::record::MOST_BYTES;
/// The bytes of a file whose parts take longer.
const FEWER: usize = 256 << 10;

/// Repeats `part` between `begin` and `end` as often as fits.
fn filled(begin: &str, part: &str, end: &str) -> Vec<u8> {
    filled_by(begin.as_bytes(), part.as_bytes(), end.as_bytes(), MOST)
}

/// The same, where each part is a game, or takes its time without a fault of the reader's.
fn fewer(begin: &str, part: &str, end: &str) -> Vec<u8> {
    filled_by(begin.as_bytes(), part.as_bytes(), end.as_bytes(), FEWER)
}

fn filled_by(begin: &[u8], part: &[u8], end: &[u8], most: usize) -> Vec<u8> {
    let count = (most - begin.len() - end.len()) / part.len();
    [begin, &part.repeat(count), end].concat()
}

/// Writes numbered parts behind `begin`, up to the size limit.
fn numbered(begin: &str, part: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = begin.to_owned();
    for part in (1..).map(part) {
        if text.len() + part.len() > MOST {
            break;
        }
        text += &part;
    }
    text.into_bytes()
}

/// Reads a file to its end: as one game, and as many of which what can be read is kept.
fn read_all(format: Format, bytes: &[u8]) {
    let _ = read(format, bytes);
    let _ = Games::new(format, bytes).of("xiangqi").keeping().count();
}

#[test]
fn one_sign_over_and_over() {
    let parts = [
        "\0",
        "\u{ff}",
        " ",
        "\n",
        "x",
        "1",
        "a1",
        "0,0,",
        "(",
        "()",
        "[",
        "[]",
        "{",
        "{}",
        "<",
        "<a>",
        "<a/>",
        "\"",
        "\\",
        "/",
        ";",
        "%",
        "$1 ",
        "!",
        "* ",
        "1. ",
        "2. h8\n",
        "[a \"b\"]",
        "[a \"b\"]\n",
        "[%emt 1]",
        "Game: x\n\n",
        "炮二平五",
    ];
    for format in Format::ALL {
        for part in parts {
            read_all(format, &filled_by(b"", part.as_bytes(), b"", FEWER));
        }
    }
}

#[test]
fn pgn() {
    const START: &str = "[Game \"Chinese Chess\"]\n\n1. h2e2 ";
    for (begin, part, end) in [
        // Tags on one line; quotes in them; none that ends.
        ("", "[A \"x\"]", ""),
        ("[A \"", "\" ", ""),
        ("[A \"", "“ ", ""),
        ("", "[A \"x\"]\n", "1. h2e2"),
        // Times in remarks, of which each was taken out of a copy of the rest; marks of some that do not end.
        (START, "{[%emt 1]}", ""),
        ("[Game \"Chinese Chess\"]\n\n1. h2e2 {", "[%emt 1]", "}"),
        ("[Game \"Chinese Chess\"]\n\n1. h2e2 {", "[%emt ", "]}"),
        (START, "{x} ", ""),
        (START, ";x\n", ""),
        (START, "{", ""),
        // Variations that are left out, each with its place in the file; what looks like a line of comment in one.
        (START, "(x) ", ""),
        (START, "(x)\n", ""),
        ("[Game \"Chinese Chess\"]\n\n1. h2e2 (x", " %", ""),
        (START, "(h2e2 ", ""),
        (START, "((", ""),
        (START, "(x (", ""),
        ("[Game \"Chinese Chess\"]\n\n1. h2e2 (x ", "{} ", ")"),
        (START, "$1 ", ""),
        (START, "!", ""),
        ("[Game \"Chinese Chess\"]\n\n", "炮二平五炮８平５", ""),
        ("", "[Game \"Chinese Chess\"]\n\n1. h2e2 *\n\n", ""),
        ("", "[Game \"Chinese Chess\"]\n\n1. h2e2 {\n\n", ""),
    ] {
        read_all(Format::Pgn, &filled(begin, part, end));
    }
}

#[test]
fn pdn() {
    const START: &str = "[GameType \"20\"]\n\n1. 32-28 ";
    // Files that do not say which game they hold: each is tried.
    for (begin, part, end) in [
        // Games without moves: what the first move of each is written in is not looked for in the rest of the file.
        ("", "[A \"x\"]\n", ""),
        ("", "[A \"x\"]\n*\n", ""),
        ("", "[A \"x\"]", ""),
        // Remarks and positions that do not end, or end at the end of the file only, in a game each; whatever is wrong with
        // the game, too.
        ("", "[A \"x\"]\n{\n", ""),
        ("", "[A \"x\"]\n{\n", "}"),
        ("", "[A \"x\"]\n( {\n", "}"),
        ("", "[A \"x\"]\n/x/ {\n", "}"),
        ("", "[A \"x\"]\n/\n", ""),
    ] {
        read_all(Format::Pdn, &fewer(begin, part, end));
    }
    let half = "[A \"x\"]\n/x/ {\n".repeat(FEWER / 30);
    read_all(Format::Pdn, &fewer(&(half + "}"), "1 ", ""));
    let long = format!("[White \"{}\"]\n1. 32-28 {{\n", "x".repeat(500));
    for (begin, part, end) in [
        ("", long.as_str(), "}"),
        ("", "[GameType \"20\"]\n1. 32-28 (99-98 {\n", "}"),
        ("", "[A \"\\\nx\\\n", ""),
        ("[A \"", "\" ", ""),
        // Many games in a line, with a variation that is left out.
        ("[GameType \"20\"]\n", "[A \"x\"][GameType \"20\"] 1. 32-28 (99-98) * ", ""),
        (START, "(99-98) ", ""),
        (START, "(32-28 ", ""),
        (START, "() ", ""),
        (START, "(?) ", ""),
        (START, "$1 ", ""),
        (START, "{x} ", ""),
        (START, "{[%clk 1:00:00]} ", ""),
        ("[GameType \"20\"]\n\n1. 32-28 {", "[%emt 1:00:00]", "}"),
        ("[GameType \"20\"]\n\n1. 32-28 {", "[%clk ", "]}"),
        (START, ";x\n", ""),
        (START, "%x\n", ""),
        // Squares counted from another corner.
        ("[GameType \"24\"]\n\n1. ", "1", ""),
        ("[GameType \"24\"]\n[FEN \"W:W1:B", "1-9,", "\"]\n\n1. 1-2"),
        ("", "[GameType \"24\"]\n[FEN \"W:W1-32:B1-32\"]\n\n", ""),
        ("", "[GameType \"20\"]\n\n1. 32-28 *\n\n", ""),
        ("", "[GameType \"20\"]\n\n1. 99-98 *\n\n", ""),
    ] {
        read_all(Format::Pdn, &filled(begin, part, end));
    }
    // Behind a remark that begins in each game.
    let half = "[GameType \"20\"]\n1. 32-28 (99-98 {\n".repeat(MOST / 60);
    read_all(Format::Pdn, &filled(&(half + "}"), "1 ", ""));
}

#[test]
fn dpxq() {
    for (begin, part, end) in [
        // Names without an end, or one too far away.
        ("", "[DhtmlXQ_", ""),
        ("", "[DhtmlXQ_", "]"),
        ("", "[DhtmlXQ_a]", ""),
        ("", "[DhtmlXQ_a]x[/DhtmlXQ_a]", ""),
        ("[DhtmlXQ_movelist]", "7747", ""),
        ("", "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n", ""),
    ] {
        read_all(Format::Dpxq, &filled(begin, part, end));
    }
    // A chain of branches, each from the one before, or from the one behind, and remarks at its far end.
    let branches = |rising: bool| {
        let name = |n: usize| if rising || n == 0 { n } else { 5000 - n };
        let branch = |n: usize| format!("[DhtmlXQ_move_{}_{n}_{}]7747[/DhtmlXQ]", name(n - 1), name(n));
        (1..5000).map(branch).collect::<String>()
    };
    for rising in [true, false] {
        let begin = format!("[DhtmlXQ_movelist]7747[/DhtmlXQ]{}", branches(rising));
        let last = if rising { 4999 } else { 1 };
        // With zeros in front the same ply has many names.
        let comment =
            |n: usize| format!("[DhtmlXQ_comment{last}_{:0w$}]x", n / 20 % 4999 + 1, w = n % 20 + 5);
        read_all(Format::Dpxq, &numbered(&begin, |n| format!("[DhtmlXQ_comment{}_{}]x", n % 5000, n / 5000)));
        read_all(Format::Dpxq, &numbered(&begin, comment));
    }
    read_all(
        Format::Dpxq,
        &numbered("[DhtmlXQ_movelist]7747[/DhtmlXQ]", |n| format!("[DhtmlXQ_move_0_1_{n}]7747")),
    );
}

#[test]
fn gomoku() {
    const ROOT: &str = "(;GM[4]SZ[15]";
    for (begin, part, end) in [
        (ROOT, "(", ""),
        (ROOT, "(;", ""),
        (ROOT, "()", ")"),
        (ROOT, ";B[aa];W[bb]", ")"),
        (ROOT, "(;B[aa]", ""),
        (ROOT, "(;B[aa])", ")"),
        (ROOT, "C[x]", ")"),
        (ROOT, ";C[x]", ")"),
        ("(;GM[4]AB", "[aa:oo]", ")"),
        ("(;GM[4]C[", "\\]", "])"),
        ("", "(;GM[4])", ""),
        ("", "( ", "(;GM[4])"),
    ] {
        read_all(Format::Sgf, &fewer(begin, part, end));
    }
    let head = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    for part in [
        &b"\x78\x00"[..],
        b"\x78\x80",
        b"\x78\x40",
        b"\x78\xc0",
        b"\x78\x08x\0",
        b"\x78\x08",
        b"\x78\x09\0\0",
        b"xx",
    ] {
        read_all(Format::Lib, &filled_by(head, part, b"", FEWER));
    }
    for (begin, part, end) in [
        ("Piskvorky 15x15, 0:0, 0\n", "1,1,0\n", ""),
        ("Piskvorky 15x15, 0:0, 0\n", "x\n", ""),
        ("Piskvorky 15x15, 0:0, 0\n", "1,", ""),
    ] {
        read_all(Format::Psq, &fewer(begin, part, end));
    }
    for part in ["a1", "a1 ", "a1\n", "--", "a1a99"] {
        read_all(Format::Pos, &fewer("", part, ""));
    }
    for part in ["0,0,", "0,0\n", "1 "] {
        read_all(Format::Opening, &fewer("", part, ""));
    }
    for (begin, part, end) in [
        ("<database>", "<a>", ""),
        ("<database>", "<a b=\"c\">", "</database>"),
        ("<database>", "<player id=\"1\" name=\"x\"/>", "</database>"),
        ("<database><player ", "b=\"c\" ", "/></database>"),
        ("<database><player ", "b ", "/></database>"),
        ("<database><player name=\"", "&amp;", "\"/></database>"),
        ("<database><game>", "<move>h8 </move>", "</game></database>"),
        ("<database><game><info>", "x<a/>", "</info></game></database>"),
        ("<database><game><move>", "h8 ", "</move></game></database>"),
        ("<database>", "<game>", "</database>"),
        ("<database>", "<game/>", "</database>"),
        ("<database>", "</game>", "</database>"),
        ("<database>", "<!-- ", "</database>"),
        ("<database>", "<![CDATA[", "</database>"),
        ("<database>", "<!DOCTYPE ", "</database>"),
        ("<database>", "<?x ", "</database>"),
        ("<database><game><info>", "&x;", "</info></game></database>"),
    ] {
        read_all(Format::Rif, &fewer(begin, part, end));
    }
}

#[test]
fn other_xiangqi() {
    for version in [10, 18] {
        let mut head = vec![0; 1024];
        head[..3].copy_from_slice(&[b'X', b'Q', version]);
        head[16..48].fill(99);
        // The start, then moves that go on, or stand beside each other.
        for flags in [0xf0, 0x0f, 0xff, 0xe0, 0x80, 0xc0] {
            let unit =
                if version == 10 { vec![24, 33, flags, 0, 0, 0, 0, 0] } else { vec![24, 33, flags, 0] };
            read_all(Format::Xqf, &filled_by(&head, &unit, b"", FEWER));
        }
    }
    let mut head = b"CCBridge Record".to_vec();
    head.resize(2214, 0);
    for flags in [0, 1, 2, 3, 4] {
        let unit = if flags == 4 { vec![4, 0, 1, 2, 2, 0, 0, 0, b'x', 0] } else { vec![flags, 0, 1, 2] };
        let file = filled_by(&head, &unit, b"", FEWER);
        read_all(Format::Cbr, &file);
        let mut library = b"CCBridgeLibrary".to_vec();
        library.resize(66_624, 0);
        library.extend(&file[..FEWER - library.len()]);
        read_all(Format::Cbl, &library);
        // A game in each block.
        library.truncate(66_624);
        let mut block = file[..4096].to_vec();
        block[4000] = 1;
        read_all(Format::Cbl, &filled_by(&library, &block, b"", FEWER));
    }
    let start = "(game-over nil situation [[nil nil nil nil nil nil nil nil nil]";
    for (begin, part, end) in [
        ("(game-over ", "(", ""),
        ("(game-over ", "()", ""),
        ("(game-over ", "a ", ")"),
        ("(game-over ", "'", ")"),
        ("(game-over ", ";x\n", ")"),
        ("(game-over ", "\"\" ", ")"),
        ("(game-over \"", "\\\"", ""),
        (start, "[nil nil nil nil nil nil nil nil nil]", "])"),
        ("(game-over nil history (", "(oldcord (1 . 1) dstcord (1 . 2) killed-piece nil)", "))"),
    ] {
        read_all(Format::Chess, &fewer(begin, part, end));
    }
}

#[test]
fn ours_and_boards() {
    const START: &str = "{\"format\":\"qiguan-record\",\"version\":1,\"game\":\"locked\",\"moves\":[";
    for (begin, part, end) in [
        ("", "[", ""),
        ("", "{\"a\":", ""),
        ("{\"a\":\"", "\\\"", ""),
        ("", "{}", ""),
        (START, "\"u\",", "\"u\"]}"),
        (START, "{\"move\":\"u\",\"after\":0},", "\"u\"]}"),
        (START, "[\"u\"],", "\"u\"]}"),
        (START, "[", ""),
        ("{\"format\":\"qiguan-record\",\"tags\":{", "\"a\":\"b\",", "\"a\":\"b\"}}"),
        (
            "{\"format\":\"qiguan-record\",\"version\":1,\"game\":\"x\",\"map\":{\"extensions\":[",
            "{\"file\":\"\"},",
            "{\"file\":\"\"}]}}",
        ),
    ] {
        read_all(Format::Json, &fewer(begin, part, end));
    }
    const HEAD: &str = "Game: locked\n\n1. u ";
    for (begin, part, end) in [
        ("", "A: b\n", "\n1. u"),
        ("Options:", " a=1", "\n\n1. u"),
        (HEAD, "(", ""),
        (HEAD, "( l ", ""),
        (HEAD, "( l ) ", ""),
        (HEAD, "( ) ", ""),
        (HEAD, "{x} ", ""),
        (HEAD, "{", ""),
        (HEAD, "u", ""),
        (HEAD, "1.", ""),
        (HEAD, "1", ""),
        (HEAD, "$1 ", ""),
        (HEAD, "=x ", ""),
        (HEAD, "@1ms ", ""),
        ("", "Game: locked\n\n1. u\n\n", ""),
        ("", "Game: locked\n\n{\n\n", ""),
    ] {
        read_all(Format::Text, &fewer(begin, part, end));
    }
    for format in [Format::Rows, Format::Numbers, Format::Letters] {
        for part in ["0,0,0,0,0,0,0,0,\n", "white:9,9\n", "black:AA,", "turn:black\n"] {
            read_all(format, &fewer("", part, ""));
        }
    }
    for part in ["x", "x\n", "\n"] {
        read_all(Format::Fen, &fewer("", part, ""));
    }
}
