//! DXP messages: the examples of its description, and two programs that talk.

use protocol::dxp::{Acceptance, BackAcceptance, End, MOST_MESSAGE, Message, Splitter};
use protocol::{Colour, Move, Place, Square};

fn start_place() -> Place {
    let row = |square: Square, n: usize| std::iter::repeat_n(square, n);
    let squares = row(Square::Man(Colour::Black), 20)
        .chain(row(Square::Empty, 10))
        .chain(row(Square::Man(Colour::White), 19))
        .chain(row(Square::King(Colour::White), 1));
    Place { turn: Colour::Black, squares: squares.collect() }
}

#[test]
fn messages_are_read_and_written() {
    let squares = format!("{}{}{}W", "z".repeat(20), "e".repeat(10), "w".repeat(19));
    let name = format!("{:32}", "Tornado voor Windows 4.0");
    let request = |start: Option<Place>| Message::GameRequest {
        version: 1,
        name: "Tornado voor Windows 4.0".into(),
        follower: Colour::Black,
        minutes: 20,
        moves: 75,
        start,
    };
    let played = |from, to, captured: &[u8]| Message::Move {
        seconds: 12,
        played: Move { from, to, captured: captured.to_vec() },
    };
    for (text, message) in [
        (format!("R01{name}Z020075A"), request(None)),
        (format!("R01{name}Z020075BZ{squares}"), request(Some(start_place()))),
        (
            format!("A{name}0"),
            Message::GameAccept { name: "Tornado voor Windows 4.0".into(), answer: Acceptance::Accepted },
        ),
        (
            format!("A{name}3"),
            Message::GameAccept { name: "Tornado voor Windows 4.0".into(), answer: Acceptance::NoGame },
        ),
        ("M0012061100".into(), played(6, 11, &[])),
        ("M001205250423221220".into(), played(5, 25, &[23, 22, 12, 20])),
        ("M001205250422122320".into(), played(5, 25, &[22, 12, 23, 20])),
        ("E00".into(), Message::GameEnd { reason: End::Unknown, stop: false }),
        ("E21".into(), Message::GameEnd { reason: End::Drawn, stop: true }),
        ("CWas 35 wise?".into(), Message::Chat("Was 35 wise?".into())),
        ("B005Z".into(), Message::BackRequest { number: 5, turn: Colour::Black }),
        ("K1".into(), Message::BackAccept(BackAcceptance::Unsupported)),
    ] {
        assert_eq!(Message::read(text.as_bytes()), Ok(message.clone()), "{text}");
        assert_eq!(message.bytes().map(|b| String::from_utf8(b).unwrap()), Ok(text));
    }
    // Some programs fill numbers up with blanks.
    assert_eq!(Message::read(b"M  12061100"), Ok(played(6, 11, &[])));
}

#[test]
fn faults_are_named() {
    let long = [b'C'; MOST_MESSAGE + 1];
    for (bytes, key) in [
        (&b""[..], "message-length"),
        (&long, "message-length"),
        (b"M00120611", "message-length"),
        (b"M0012061101", "message-length"),
        (b"M00120611000", "message-length"),
        (b"C", "message-length"),
        (b"E000", "message-length"),
        (b"Q", "message-kind"),
        (b"M00x2061100", "number"),
        (b"M0012061121", "number"),
        (b"M0012005100", "square"),
        (b"M0012015100", "square"),
        (b"M00120525022323", "square"),
        (b"B005B", "colour"),
        (b"E40", "code"),
        (b"E02", "code"),
        (b"K3", "code"),
        (b"C\xc3\xa9", "message-not-ascii"),
        (b"Ca\0", "message-not-ascii"),
    ] {
        assert_eq!(Message::read(bytes).unwrap_err().key, key, "{:?}", String::from_utf8_lossy(bytes));
    }
    let board = Place { turn: Colour::White, squares: vec![Square::Empty; 32] };
    let name = "a".to_owned();
    let request = Message::GameRequest {
        version: 1,
        name,
        follower: Colour::White,
        minutes: 1,
        moves: 0,
        start: Some(board),
    };
    assert_eq!(request.bytes().unwrap_err().key, "squares");
    assert_eq!(Message::Chat(String::new()).bytes().unwrap_err().key, "message-length");
    let far = Message::Move { seconds: 0, played: Move { from: 51, to: 46, captured: vec![] } };
    assert_eq!(far.bytes().unwrap_err().key, "square");
    assert_eq!(Message::BackRequest { number: 1000, turn: Colour::White }.bytes().unwrap_err().key, "number");
}

/// A name or a chat message with any characters gives a message that can be read.
#[test]
fn words_are_made_to_fit() {
    for words in ["棋馆 and more", "a\0b", &"long ".repeat(60)] {
        let chat = Message::Chat(words.to_owned()).bytes().unwrap();
        assert!(chat.len() <= MOST_MESSAGE);
        Message::read(&chat).unwrap();
        let accept = Message::GameAccept { name: words.to_owned(), answer: Acceptance::Accepted };
        assert_eq!(accept.bytes().unwrap().len(), 34);
    }
}

/// Messages arrive in pieces, or several at once.
#[test]
fn a_stream_is_cut_into_messages() {
    let stream = b"M0012322800\0CGood luck!\0M0003192300\0E00\0";
    let expected: Vec<&[u8]> = stream.split(|&b| b == 0).filter(|m| !m.is_empty()).collect();
    for size in 1..=stream.len() {
        let mut splitter = Splitter::default();
        let got: Vec<Vec<u8>> = stream.chunks(size).flat_map(|part| splitter.push(part).unwrap()).collect();
        assert_eq!(got, expected, "in pieces of {size}");
    }
    let mut splitter = Splitter::default();
    assert_eq!(splitter.push(&[b'C'; 127]), Ok(vec![]));
    assert_eq!(splitter.push(b"!").unwrap_err().key, "message-length");
    assert_eq!(Splitter::default().push(&[b'C'; 4096]).unwrap_err().key, "message-length");
}
