//! Each format that was ever written stays readable.

use kernel::Side;
use store::format::{self, NEWEST};
use table::{Event, Secret, Setup};
use wire::{ClockSpec, How, Offer, Opponent, Player};

const SIDES: [Side; 2] = [Side::First, Side::Second];
const OFFERS: [Offer; 4] = [Offer::Takeback, Offer::Draw, Offer::Rematch, Offer::Swap];
const TEXTS: [&str; 5] = ["", "h8", "\"\\\n\u{0}", "棋 😀", "{\"k\":\"draw\"}"];

/// Every kind of event with many values.
fn events() -> Vec<Event> {
    let mut all = vec![Event::Draw, Event::Swap, Event::Pause];
    let engines = [None, Some(Opponent::Level(10)), Some(Opponent::Engine("Pikafish 2".to_owned()))];
    for text in TEXTS.map(str::to_owned) {
        all.push(Event::Rematch { table: text.clone() });
        for side in SIDES {
            for engine in engines.clone() {
                for name in [None, Some(text.clone())] {
                    let who = Player { id: text.clone(), name, engine: engine.clone(), program: false };
                    for secret in [None, Some(Secret(u128::MAX >> 8)), Some(Secret(5))] {
                        all.push(Event::Sit { side, who: who.clone(), secret });
                    }
                }
            }
            for away in [false, true] {
                all.push(Event::Move { by: side, text: text.clone(), away });
            }
            all.push(Event::Forfeit { by: side, reason: text.clone() });
        }
    }
    for by in SIDES {
        all.push(Event::Leave { side: by });
        all.extend([Event::Withdraw { by }, Event::Resign { by }, Event::Flag { by }]);
        all.extend([Event::Abort { by }, Event::NotBegun { by }]);
        for what in OFFERS {
            all.extend([Event::Offer { by, what }, Event::Decline { by, what }]);
        }
        all.extend([false, true].map(|taken| Event::Offers { by, taken }));
        for plies in [0, 1, u32::MAX] {
            all.push(Event::Takeback { by, plies });
        }
    }
    all
}

#[test]
fn every_event_is_read_as_it_was_written() {
    for event in events() {
        let body = format::write_event(&event);
        assert_eq!(format::event(NEWEST, &body), Ok(event), "{body}");
    }
}

#[test]
fn every_setup_is_read_as_it_was_written() {
    let clocks = [
        ClockSpec::None,
        ClockSpec::Fischer { base_ms: u64::MAX, increment_ms: 0 },
        ClockSpec::ByoYomi { base_ms: 0, period_ms: 1, periods: u8::MAX },
        ClockSpec::per_move(60_000),
        ClockSpec::PerMove { turn_ms: 86_400_000, weekend_pause: true },
    ];
    for how in [How::Screen, How::Invite, How::Open, How::Room] {
        for clock in clocks {
            for text in TEXTS.map(str::to_owned) {
                let setup = Setup {
                    game: text.clone(),
                    options: [(text.clone(), i64::MIN), ("b".to_owned(), i64::MAX)].into(),
                    map: (how == How::Open).then(|| wire::MapName { id: text.clone(), name: text.clone() }),
                    fen: (how == How::Room).then(|| text.clone()),
                    how,
                    heading: (how == How::Screen).then(|| wire::Heading {
                        players: [text.clone(), String::new()],
                        date: text.clone(),
                        clock: String::new(),
                        tags: [("Event".to_owned(), text.clone())].into(),
                    }),
                    room: (how != How::Room).then_some(text),
                    clock,
                    rated: false,
                    created_ms: u64::MAX,
                };
                let body = format::write_setup(&setup);
                assert_eq!(format::setup(NEWEST, &body), Ok(setup), "{body}");
            }
        }
    }
}

/// Rows as halls have written them. A line here is never changed.
#[test]
fn rows_of_format_1_are_read_and_written() {
    use Event::{Decline, Forfeit, Leave, Move, Offer as Offers, Rematch, Resign, Sit, Takeback};
    let who = |id: &str, name: Option<&str>, engine| Player {
        id: id.to_owned(),
        name: name.map(str::to_owned),
        engine,
        program: false,
    };
    for (body, event) in [
        (
            r#"{"k":"sit","side":"first","who":{"id":"k3m9q2w7x4y5","name":"Ada"}}"#,
            Sit { side: Side::First, who: who("k3m9q2w7x4y5", Some("Ada"), None), secret: None },
        ),
        (
            r#"{"k":"sit","side":"second","who":{"id":"z8h4n6p2r5t3","name":null}}"#,
            Sit { side: Side::Second, who: who("z8h4n6p2r5t3", None, None), secret: None },
        ),
        (
            r#"{"k":"sit","side":"second","who":{"id":"level-3","name":null,"engine":{"level":3}}}"#,
            Sit { side: Side::Second, who: who("level-3", None, Some(Opponent::Level(3))), secret: None },
        ),
        (
            r#"{"k":"sit","side":"first","who":{"id":"engine-P","name":"P","engine":{"engine":"P"}}}"#,
            Sit {
                side: Side::First,
                who: who("engine-P", Some("P"), Some(Opponent::Engine("P".to_owned()))),
                secret: None,
            },
        ),
        (
            r#"{"k":"sit","side":"second","who":{"id":"z8h4n6p2r5t3","name":null},"secret":"000102030405060708090a0b0c0d0e0f"}"#,
            Sit {
                side: Side::Second,
                who: who("z8h4n6p2r5t3", None, None),
                secret: Secret::read("000102030405060708090a0b0c0d0e0f"),
            },
        ),
        (r#"{"k":"leave","side":"second"}"#, Leave { side: Side::Second }),
        (
            r#"{"k":"move","by":"first","move":"h8"}"#,
            Move { by: Side::First, text: "h8".to_owned(), away: false },
        ),
        (
            r#"{"k":"move","by":"first","move":"h8","away":true}"#,
            Move { by: Side::First, text: "h8".to_owned(), away: true },
        ),
        (r#"{"k":"withdraw","by":"first"}"#, Event::Withdraw { by: Side::First }),
        (
            r#"{"k":"offer","by":"second","what":"takeback"}"#,
            Offers { by: Side::Second, what: Offer::Takeback },
        ),
        (r#"{"k":"offer","by":"first","what":"draw"}"#, Offers { by: Side::First, what: Offer::Draw }),
        (r#"{"k":"offer","by":"first","what":"rematch"}"#, Offers { by: Side::First, what: Offer::Rematch }),
        (r#"{"k":"decline","by":"first","what":"swap"}"#, Decline { by: Side::First, what: Offer::Swap }),
        (r#"{"k":"offers","by":"first","taken":false}"#, Event::Offers { by: Side::First, taken: false }),
        (r#"{"k":"takeback","by":"second","plies":2}"#, Takeback { by: Side::Second, plies: 2 }),
        (r#"{"k":"draw"}"#, Event::Draw),
        (r#"{"k":"swap"}"#, Event::Swap),
        (r#"{"k":"resign","by":"second"}"#, Resign { by: Side::Second }),
        (r#"{"k":"flag","by":"first"}"#, Event::Flag { by: Side::First }),
        (r#"{"k":"abort","by":"first"}"#, Event::Abort { by: Side::First }),
        (r#"{"k":"abort","by":"second","late":true}"#, Event::NotBegun { by: Side::Second }),
        (
            r#"{"k":"forfeit","by":"second","reason":"engine-silent"}"#,
            Forfeit { by: Side::Second, reason: "engine-silent".to_owned() },
        ),
        (r#"{"k":"rematch","table":"next23456789"}"#, Rematch { table: "next23456789".to_owned() }),
        (r#"{"k":"pause"}"#, Event::Pause),
    ] {
        assert_eq!(format::event(1, body), Ok(event.clone()), "{body}");
        if NEWEST == 1 {
            assert_eq!(format::write_event(&event), body);
        }
    }
    let body = r#"{"game":"gomoku/renju","options":{"size":15},"fen":null,"how":"room","room":"tea","clock":{"kind":"fischer","base_ms":300000,"increment_ms":2000},"created_ms":1700000000000}"#;
    let setup = format::setup(1, body).expect("reads");
    assert_eq!(setup.clock, ClockSpec::Fischer { base_ms: 300_000, increment_ms: 2_000 });
    assert_eq!((setup.room.as_deref(), setup.how, setup.map), (Some("tea"), How::Room, None));
    let line = r#"{"id":"m1","name":"a map","rows":5,"cols":6,"kinds":2,"extensions":["e.py"],"created_ms":1,"ours":false}"#;
    assert_eq!(format::map_line(1, line).map(|line| line.cols), Ok(6));
}

#[test]
fn what_is_no_row_is_refused_with_words() {
    let long = format!("{{\"k\":\"move\",\"by\":\"first\",\"move\":\"{}\"}}", "x".repeat(format::MOST_BYTES));
    for (version, body, said) in [
        (0, r#"{"k":"draw"}"#, "format 0 is not known"),
        (NEWEST + 1, r#"{"k":"draw"}"#, "start a newer hall"),
        (1, r#"{"k":"dance"}"#, "unknown variant `dance`"),
        (1, r#"{"k":"draw""#, "EOF"),
        (1, "", "EOF"),
        (1, &"[".repeat(100_000), "does not read as format 1"),
        (1, &long, "more than anything written here"),
    ] {
        let why = format::event(version, body).expect_err("refused");
        assert!(why.contains(said), "{why}");
    }
}
