//! Files of many games in which one byte of a hundred is another one, is left out or stands twice, in whatever encoding:
//! each game that begins in the file is read, cut or refused, and none goes without a word.

use catalog::{Options, Setting};
use kernel::laws::Random;
use records::{Ending, Format, Games, Record, Score, write};

/// Games of a file.
const COUNT: usize = 12;

/// A short game by chance, with what texts are damaged in.
fn game(key: &str, random: &mut Random) -> Record {
    let entry = catalog::find(key).expect("a game");
    let options = entry.settle(&Options::new(), Setting::Faithful).expect("options");
    let mut game = entry.open(None, &options, None).expect("the start");
    for _ in 0..8 + random.below(30) {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        game.play(&moves[random.below(moves.len())]).expect("it was offered");
    }
    let mut record = Record { start: None, ..Record::of(key, &*game) };
    record.players = ["Иван Петров", "胡荣华"].map(str::to_owned);
    record.ending = Some(Ending { score: Score::Draw, reason: String::new() });
    record.tag("Event", "Coupe d'été");
    let last = record.tree.main_line().last().expect("a move");
    record.tree[last].comment = "remarque très longue".to_owned();
    record
}

/// The damaged bytes; those that `spared` names stay.
fn damaged(bytes: &[u8], random: &mut Random, spared: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 8);
    for &byte in bytes {
        match random.below(300) {
            _ if spared(byte) => out.push(byte),
            0 => out.push(random.below(256) as u8),
            1 => {}
            2 => out.extend([byte, byte]),
            _ => out.push(byte),
        }
    }
    out
}

/// A format, the game that is written in it or the text of one, and the bytes at the head of a game that stay: they are what
/// makes it begin.
struct Case {
    format: Format,
    game: &'static str,
    text: &'static str,
    head: usize,
}

const fn written(format: Format, game: &'static str, head: usize) -> Case {
    Case { format, game, text: "", head }
}

const fn text(format: Format, game: &'static str, text: &'static str, head: usize) -> Case {
    Case { format, game, text, head }
}

const CASES: [Case; 12] = [
    written(Format::Json, "xiangqi", 30),
    written(Format::Text, "draughts/russian", 24),
    written(Format::Sgf, "gomoku/renju", 8),
    written(Format::Pgn, "xiangqi", 26),
    written(Format::Pdn, "draughts/international", 22),
    written(Format::Dpxq, "xiangqi", 10),
    written(Format::Pos, "gomoku/freestyle", 0),
    written(Format::Fen, "draughts/english", 0),
    text(
        Format::Wxf,
        "xiangqi",
        "FORMAT  WXF\nRED     aaa ; 1137 ;;\nBLACK   bbb ;;\nRESULT  1-0\nSTART{\n 1. C2.5 h8+7   2. H2+3 r9.8\n}END\n",
        12,
    ),
    text(Format::Opening, "gomoku/freestyle", "0,0, 1,1, -2,3, 4,-1, 2,2\n", 0),
    text(
        Format::Rif,
        "gomoku/renju",
        "<game id=\"9\" tournament=\"3\" round=\"2\" rule=\"1\" black=\"7\" white=\"8\" bresult=\"0.5\"><move>h8 h9 i7 g7 j10</move>\
         <info>remarque très longue &amp; plus</info></game>",
        6,
    ),
    text(
        Format::Pgn,
        "xiangqi",
        "[Game \"Chinese Chess\"]\n[Event \"x\"]\n\n1. 炮二平五 马8进7 {好} (1... 炮8平5 2. 炮五进四) 2. 马二进三 *\n",
        26,
    ),
];

/// One file of that kind.
fn file(case: &Case, random: &mut Random) -> Vec<u8> {
    let Case { format, game: key, text, head } = case;
    let mut file = Vec::new();
    for _ in 0..COUNT {
        let bytes = if text.is_empty() {
            let mut record = game(key, random);
            record.start = format.is_position().then(|| "W:W21-32:B1-12".to_owned());
            write(*format, &record).expect("our own game")
        } else {
            text.as_bytes().to_vec()
        };
        let encoding =
            [encoding_rs::UTF_8, encoding_rs::GB18030, encoding_rs::BIG5, encoding_rs::WINDOWS_1251];
        let bytes = match String::from_utf8(bytes) {
            // Our own formats are UTF-8.
            Ok(text) if matches!(format, Format::Json | Format::Text) => text.into_bytes(),
            Ok(text) => encoding[random.below(4)].encode(&text).0.into_owned(),
            Err(bytes) => bytes.into_bytes(),
        };
        // An empty line stands before a game of PGN and the like.
        file.extend_from_slice(b"\n\n");
        let head = (*head).min(bytes.len());
        file.extend_from_slice(&bytes[..head]);
        let spares_lines = head == 0;
        file.extend(damaged(&bytes[head..], random, |byte| spares_lines && byte == b'\n'));
        file.push(b'\n');
    }
    file
}

#[test]
fn of_a_damaged_file_every_game_is_told() {
    let mut all = [0; 3];
    for case in &CASES {
        let (mut read, mut cut, mut refused) = (0, 0, 0);
        for seed in 1..=40 {
            let file = file(case, &mut Random(seed));
            let mut games = Games::new(case.format, &file[..]).of(case.game).keeping();
            let before = read + cut + refused;
            while let Some(game) = games.next() {
                match (game, games.fault()) {
                    (Ok(_), None) => read += 1,
                    (Ok(record), Some(_)) => {
                        assert!(record.tags.contains_key("Cut"), "{}, seed {seed}", case.format.key());
                        cut += 1;
                    }
                    (Err(_), _) => refused += 1,
                }
            }
            let told = read + cut + refused - before;
            assert!(
                told >= COUNT,
                "{}, seed {seed}: {told} of {COUNT} games are told of\n{}",
                case.format.key(),
                String::from_utf8_lossy(&file)
            );
        }
        assert!(read > 0, "{}: some games are whole", case.format.key());
        all = [all[0] + read, all[1] + cut, all[2] + refused];
        println!("{:8} {read:5} read {cut:5} cut {refused:5} refused", case.format.key());
    }
    println!("all {all:?}");
}
