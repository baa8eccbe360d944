//! Catches a wish that is granted where it must be refused, refused where it must be granted, or that comes to another
//! event; and what an event changes beside the board: clocks, offers, seats, ends.
//!
//! A script is a row of wishes. `a` and `b` are people, `c` looks on:
//!
//! | written | wish | written | wish |
//! |---|---|---|---|
//! | `a+`, `a+2` | sits down, as the second side | `a?draw`, `a?takeback:3` | offers |
//! | `a-` | leaves | `a!draw` | accepts |
//! | `a.h8` | moves | `a/draw` | declines |
//! | `a<` | withdraws the last ply | `a#`, `a#1` | resigns, as the first side |
//! | `a~` | aborts | `a%` | says that time is up |
//! | `a^` | claims the win | `a>`, `a*` | goes away, comes back |
//! | `@500` | 500 ms go by | `=` | what follows rests on the version before |
//! | `a*off`, `a*on` | takes no offers, takes them | `a:3,12` | chooses a move ahead by its places |

use std::collections::BTreeMap;

use kernel::Side;
use table::{ActRequest, Applied, Command, Decision, Entry, Event, Setup, Stage, State, decide};
use wire::{Act, ClockSpec, Happened, How, Offer, Player, ServerMessage};

const FISCHER: ClockSpec = ClockSpec::Fischer { base_ms: 60_000, increment_ms: 1_000 };
const DAY_MS: u64 = 86_400_000;
const SLOW: ClockSpec = ClockSpec::per_move(3 * DAY_MS);
/// Both sit, and each finishes a turn: from now on the game counts.
const BEGUN: &str = "a+ b+ a.h8 b.i9 ";

/// A table with a script played at it.
struct Table {
    state: State,
    now_ms: u64,
    /// The changes of the last event, as clients are told.
    told: Option<Happened>,
    /// True if the last event ended a game that is remembered.
    ended: bool,
}

/// The differences of a table from one of two people who play freestyle gomoku without clocks.
#[derive(Clone, Default)]
struct As {
    game: Option<&'static str>,
    fen: Option<&'static str>,
    clock: Option<ClockSpec>,
    rated: bool,
    screen: bool,
    keeps_moves: bool,
}

impl Table {
    fn new(table: &As) -> Table {
        let game = table.game.unwrap_or("gomoku/freestyle");
        let entry = catalog::find(game).expect("is there");
        let options = entry.settle(&BTreeMap::new(), catalog::Setting::Faithful).expect("the usual");
        let setup = Setup {
            game: game.to_owned(),
            options: options.clone(),
            map: None,
            fen: table.fen.map(str::to_owned),
            how: if table.screen { How::Screen } else { How::Invite },
            room: None,
            clock: table.clock.unwrap_or(ClockSpec::None),
            rated: table.rated,
            created_ms: 1_000,
            heading: None,
        };
        let game = entry.open(None, &options, table.fen).expect("opens");
        Table {
            state: State::new("table".to_owned(), setup, !table.keeps_moves, game),
            now_ms: 1_000,
            told: None,
            ended: false,
        }
    }

    /// Plays a script; all but its last wish must be granted. Says what became of the last one.
    fn run(&mut self, script: &str) -> String {
        let mut said = String::new();
        let mut ver = None;
        for word in script.split_whitespace() {
            if let Some(ms) = word.strip_prefix('@') {
                self.now_ms += ms.parse::<u64>().expect("milliseconds");
                continue;
            }
            if word == "=" {
                ver = Some(self.state.ver - 1);
                continue;
            }
            if let ">" | "*" = &word[1..] {
                let side = self.state.seats_of(&word[..1])[0];
                self.state.note_here(side, &word[1..] == "*", self.now_ms);
                continue;
            }
            let who = Player { id: word[..1].to_owned(), name: None, engine: None, program: false };
            let act = act(&word[1..]);
            let ver = ver.unwrap_or(self.state.ver);
            let wish = ActRequest { who: &who, ver, arrived_ms: self.now_ms, lag_ms: 0, act: &act };
            said = match decide(&self.state, wish) {
                Err(why) => why.key.to_owned(),
                Ok(Decision::Premove(side, cells)) => format!("ahead {side:?} {cells:?}"),
                Ok(Decision::TooLate(side)) => format!("too late {side:?}"),
                Ok(Decision::Rematch) => {
                    self.add(Event::Rematch { table: "next".to_owned() }, None);
                    "rematch".to_owned()
                }
                Ok(Decision::Event(event, spent)) => {
                    let said = words(&event, spent);
                    self.add(event, spent);
                    said
                }
            };
        }
        said
    }

    fn add(&mut self, event: Event, spent_ms: Option<u64>) {
        let entry = Entry { ver: self.state.ver + 1, at_ms: self.now_ms, cmd: None, spent_ms, event };
        let before = self.state.standing();
        let Applied { change, ended, standing, .. } =
            self.state.apply(entry).unwrap_or_else(|why| panic!("{why:?}"));
        let now = self.state.standing();
        assert_eq!(standing, (before != now).then_some(now), "the store is told what changed");
        self.ended = ended.is_some();
        let ServerMessage::Ev(change) = self.state.told(change, self.now_ms) else {
            panic!("an event is told")
        };
        self.told = Some(change);
    }
}

fn act(written: &str) -> Act {
    let (sign, rest) = written.split_at(1);
    let side = || match rest {
        "1" => Some(Side::First),
        "2" => Some(Side::Second),
        _ => None,
    };
    let offer = |text: &str| match text {
        "takeback" => Offer::Takeback,
        "draw" => Offer::Draw,
        "swap" => Offer::Swap,
        "rematch" => Offer::Rematch,
        _ => panic!("{text} cannot be offered"),
    };
    match sign {
        "+" => Act::Sit { side: side() },
        "-" => Act::Leave,
        "." => Act::Move { text: rest.to_owned(), away: false },
        "<" => Act::Withdraw,
        "?" => match rest.split_once(':') {
            Some((what, plies)) => Act::Offer { what: offer(what), plies: plies.parse().ok() },
            None => Act::Offer { what: offer(rest), plies: None },
        },
        "!" => Act::Accept { what: offer(rest) },
        "/" => Act::Decline { what: offer(rest) },
        "#" => Act::Resign { side: side() },
        "~" => Act::Abort,
        "^" => Act::Claim,
        "%" => Act::Flag,
        ":" => Act::Premove { cells: rest.split(',').filter_map(|cell| cell.parse().ok()).collect() },
        "*" => Act::Offers { taken: rest == "on" },
        _ => panic!("{written} is no wish"),
    }
}

/// An event in a few words, with the thinking time that is charged.
fn words(event: &Event, spent: Option<u64>) -> String {
    let text = match event {
        Event::Sit { side, .. } => format!("sits {side:?}"),
        Event::Leave { side } => format!("leaves {side:?}"),
        Event::Move { by, text, .. } => format!("moves {by:?} {text}"),
        Event::Withdraw { by } => format!("withdraws {by:?}"),
        Event::Offer { by, what } => format!("offers {by:?} {what:?}"),
        Event::Decline { by, what } => format!("declines {by:?} {what:?}"),
        Event::Takeback { by, plies } => format!("takes back {by:?} {plies}"),
        Event::Offers { by, taken } => format!("takes offers {by:?} {taken}"),
        Event::Resign { by } => format!("resigns {by:?}"),
        Event::Flag { by } => format!("time is up {by:?}"),
        Event::Abort { by } => format!("aborts {by:?}"),
        Event::NotBegun { by } => format!("not begun by {by:?}"),
        other => format!("{other:?}"),
    };
    spent.map_or(text.clone(), |ms| format!("{text} {ms} ms"))
}

fn check(table: &As, rows: &[(&str, &str, &str)]) {
    for (name, script, wanted) in rows {
        assert_eq!(Table::new(table).run(script), *wanted, "{name}: {script}");
    }
}

/// [`BEGUN`], and more.
fn begun(table: &As, rows: &[(&str, &str, &str)]) {
    for (name, script, wanted) in rows {
        assert_eq!(Table::new(table).run(&format!("{BEGUN}{script}")), *wanted, "{name}: {script}");
    }
}

#[test]
fn seats_and_moves() {
    check(
        &As::default(),
        &[
            ("the first free seat", "a+", "sits First"),
            ("the other one", "a+ b+", "sits Second"),
            ("the seat one asks for", "a+2", "sits Second"),
            ("a taken seat", "a+2 b+2", "seat-taken"),
            ("no seat is left", "a+ b+ c+", "seat-taken"),
            ("twice", "a+ a+", "already-seated"),
            ("after the end", "a+ b+ a# c+", "game-over"),
            ("leaving before the start", "a+ a-", "leaves First"),
            ("leaving a game", "a+ b+ a-", "game-has-begun"),
            ("leaving without a seat", "a+ b-", "not-your-seat"),
            ("an empty table is given up", "a+ a- b+", "game-over"),
            ("a move before the start", "a+ a.h8", "waiting-for-opponent"),
            ("a move", "a+ b+ a.h8", "moves First h8"),
            ("out of turn", "a+ b+ b.h8", "not-your-turn"),
            ("by somebody else", "a+ b+ c.h8", "not-your-seat"),
            ("on what is no longer so", "a+ b+ a.h8 = b.i9", "stale"),
            ("on what was before an offer", "a+ b+ a.h8 a?draw = b.i9", "moves Second i9"),
            ("after the end", "a+ b+ b# a.h8", "game-over"),
            ("resigning alone", "a+ a#", "waiting-for-opponent"),
            ("resigning", "a+ b+ b#", "resigns Second"),
            ("resigning for the other", "a+ b+ b#1", "resigns Second"),
            ("aborting before both have moved", "a+ b+ a.h8 b~", "aborts Second"),
            ("a withdrawal where the rules know none", "a+ b+ a.h8 a<", "nothing-to-withdraw"),
        ],
    );
    begun(
        &As::default(),
        &[("aborting too late", "a~", "too-late-to-abort"), ("no clock", "a%", "time-is-left")],
    );
}

#[test]
fn offers() {
    begun(
        &As::default(),
        &[
            ("a draw", "a?draw", "offers First Draw"),
            ("twice", "a?draw a?draw", "already-offered"),
            ("agreed", "a?draw b!draw", "Draw"),
            ("offered by both", "a?draw b?draw", "Draw"),
            ("one's own", "a?draw a!draw", "no-such-offer"),
            ("none", "b!draw", "no-such-offer"),
            ("declined", "a?draw b/draw", "declines Second Draw"),
            ("none to decline", "b/draw", "no-such-offer"),
            ("taken back", "a?draw a/draw", "declines First Draw"),
            ("declined by a move of the other", "b?draw a.h9 a!draw", "no-such-offer"),
            ("kept by one's own move", "a?draw a.h9 b!draw", "Draw"),
            ("another offer is no answer", "a?draw b!swap", "no-such-offer"),
            ("seats", "a?swap b!swap", "Swap"),
            ("seats are exchanged", "a?swap b!swap b.h9", "moves First h9"),
            ("an exchange clears offers", "a?draw a?swap b!swap a!draw", "no-such-offer"),
            ("takeback of one's turn", "b?takeback a!takeback", "takes back Second 1"),
            ("and of the answer to it", "a?takeback b!takeback", "takes back First 2"),
            ("both want it", "a?takeback b?takeback", "takes back First 2"),
            ("a rematch of a game that goes on", "a?rematch", "game-goes-on"),
            ("a rematch", "a# a?rematch", "offers First Rematch"),
            ("a rematch agreed", "a# a?rematch b?rematch", "rematch"),
            ("a rematch of a rematch", "a# a?rematch b!rematch a?rematch", "rematch-is-on"),
            ("a draw after the end", "a# a?draw", "game-over"),
            ("seats after the end", "a# a?swap", "game-over"),
            ("a takeback after the end", "a# a?takeback", "game-over"),
            ("the end clears offers", "a?draw b# a/draw", "no-such-offer"),
        ],
    );
    check(
        &As::default(),
        &[
            ("nothing to take back", "a+ b+ a?takeback", "nothing-to-take-back"),
            ("nothing of one's own", "a+ b+ a.h8 b?takeback", "nothing-to-take-back"),
            ("a draw before the start", "a+ a?draw", "waiting-for-opponent"),
            (
                "one's own, taken back meanwhile",
                "a+ b+ a.h8 a?takeback b!takeback a?takeback",
                "nothing-to-take-back",
            ),
        ],
    );
    begun(
        &As { keeps_moves: true, ..As::default() },
        &[("the map forbids it", "a?takeback", "no-takebacks-here")],
    );
    begun(
        &As { rated: true, ..As::default() },
        &[
            ("a rated game takes nothing back", "a?takeback", "not-in-a-rated-game"),
            ("nor exchanges seats", "a?swap", "not-in-a-rated-game"),
            ("but may be drawn", "a?draw b!draw", "Draw"),
        ],
    );
}

/// H8: declined offers were repeated for ever, 30 of 30.
#[test]
fn what_was_declined_is_offered_again_after_a_move_and_not_for_ever() {
    begun(
        &As::default(),
        &[
            ("declined", "a?draw b/draw a?draw", "offer-declined"),
            ("a takeback", "a?takeback b/takeback a?takeback", "offer-declined"),
            ("an exchange", "a?swap b/swap a?swap", "offer-declined"),
            ("another kind", "a?draw b/draw a?swap", "offers First Swap"),
            ("by the other", "a?draw b/draw b?draw", "offers Second Draw"),
            ("after a move", "a?draw b/draw a.h9 a?draw", "offers First Draw"),
            ("after a move of the other alone", "b?draw a/draw a.h9 b?draw", "offer-declined"),
            ("declined by a move", "b?draw a.h9 b?draw", "offer-declined"),
            ("and offered with the next", "b?draw a.h9 b.i8 b?draw", "offers Second Draw"),
            ("an offer that went with a move", "a?draw a.h9 b.i8 a?draw", "offer-declined"),
            (
                "one's own takeback, ended by one's move",
                "a?takeback a.h9 a?takeback",
                "offers First Takeback",
            ),
            ("taken back by oneself", "a?draw a/draw a?draw", "offers First Draw"),
            ("what was agreed to", "a?takeback b!takeback a.i7 a?takeback", "offers First Takeback"),
            ("a rematch", "a# a?rematch b/rematch a?rematch", "rematch-declined"),
            ("a rematch by the other", "a# a?rematch b/rematch b?rematch", "offers Second Rematch"),
            ("an exchange is counted by person", "a?draw b/draw b?swap a!swap a?draw", "offer-declined"),
            ("and by nobody else", "a?draw b/draw b?swap a!swap b?draw", "offers First Draw"),
        ],
    );
    let often = |between: &str| {
        let mut table = Table::new(&As::default());
        table.run(BEGUN);
        (1..=30)
            .filter(|_| table.run("a?draw").starts_with("offers") && !table.run(between).is_empty())
            .count()
    };
    assert_eq!(often("a/draw"), 5, "taken back by who offers");
    let mut table = Table::new(&As::default());
    table.run(BEGUN);
    let mut offered = 0;
    for (i, file) in "abcdefghijkl".chars().enumerate() {
        let rank = 1 + 6 * (i % 2);
        offered += usize::from(table.run(&format!("a.{file}{rank} a?draw")).starts_with("offers"));
        table.run(&format!("b.{file}{}", rank + 2));
    }
    assert_eq!((offered, table.run("a?draw").as_str()), (5, "offered-too-often"), "declined by moves");
    let mut table = Table::new(&As::default());
    table.run(BEGUN);
    for round in 1..=30 {
        let said = table.run("b?takeback a!takeback b.i9");
        assert_eq!(said, "moves Second i9", "what is agreed to has no end: round {round}");
    }
}

#[test]
fn who_takes_no_offers_hears_of_none() {
    begun(
        &As::default(),
        &[
            ("none any more", "a*off", "takes offers First false"),
            ("refused", "a*off b?draw", "takes-no-offers"),
            ("each kind", "a*off b?takeback", "takes-no-offers"),
            ("one may still offer", "a*off a?draw b!draw", "Draw"),
            ("and hears of an answer", "a*off a?draw b?draw", "Draw"),
            ("what stood is declined", "b?draw a*off a!draw", "no-such-offer"),
            ("and is not offered at once", "b?draw a*off a*on b?draw", "offer-declined"),
            ("one's own stands", "a?draw a*off b!draw", "Draw"),
            ("again", "a*off a*on b?draw", "offers Second Draw"),
            ("twice", "a*off a*off", "nothing-changes"),
            ("taken already", "a*on", "nothing-changes"),
            ("a rematch may be offered", "a*off a# b?rematch", "offers Second Rematch"),
            ("after the end", "a# a*off", "game-over"),
            ("who looks on", "c*off", "not-your-seat"),
            ("it goes with the person", "a*off a?swap b!swap b?draw", "takes-no-offers"),
        ],
    );
    let mut table = Table::new(&As::default());
    table.run(BEGUN);
    for _ in 0..5 {
        table.run("a*off a*on");
    }
    assert_eq!(table.run("a*off"), "changed-too-often");
    assert_eq!(table.state.info().no_offers, [false, false]);
}

#[test]
fn a_move_is_chosen_ahead() {
    begun(
        &As { clock: Some(FISCHER), ..As::default() },
        &[
            ("a place", "b:7", "ahead Second [7]"),
            ("from and to", "b:7,8", "ahead Second [7, 8]"),
            ("no more", "b:", "ahead Second []"),
            ("in one's own turn", "a:7", "ahead First [7]"),
            ("too many places", "b:7,8,9", "premove-places"),
            ("beside the board", "b:999", "premove-places"),
            ("who looks on", "c:7", "not-your-seat"),
            ("the move it waits for came first", "a.h9 = b:7", "ahead Second [7]"),
            ("one's own came first", "a.h9 = a:7", "stale"),
            ("moves were taken back", "a?takeback b!takeback = b:7", "stale"),
            ("after the end", "a# b:7", "game-over"),
        ],
    );
    begun(&As::default(), &[("without a clock", "b:7", "premove-needs-clock")]);
    check(&As { clock: Some(SLOW), ..As::default() }, &[("slow", "a+ b+ b:7", "premove-needs-clock")]);
}

/// A move ahead is found among those that are legal when the turn comes.
#[test]
fn a_move_ahead_fits_or_does_not() {
    let clock = Some(FISCHER);
    for (game, fen, cells, wanted) in [
        ("gomoku/freestyle", None, vec!["h8"], Some("h8")),
        ("gomoku/freestyle", None, vec!["h8", "h9"], None),
        ("xiangqi", None, vec!["h2", "e2"], Some("h2e2")),
        ("xiangqi", None, vec!["h2"], None),
        ("xiangqi", None, vec!["h2", "h9"], Some("h2h9")),
        ("xiangqi", None, vec!["h2", "i9"], None),
        // What captures several is found by its ends.
        ("draughts/international", Some("W:W32:B28,19"), vec!["32", "14"], Some("32x28x19x14")),
    ] {
        let table = Table::new(&As { game: Some(game), fen, clock, ..As::default() });
        let board = table.state.game.board();
        let cells: Vec<_> = cells.iter().map(|name| board.cell_named(name).expect("is there")).collect();
        let found = table::premove::fitting(&table.state, &cells);
        let found = found.map(|text| {
            let mut game = table.state.game.boxed_clone();
            game.play(&text).map(|()| text)
        });
        let found = found.transpose().expect("legal");
        match wanted {
            Some(wanted) if wanted.contains('x') => assert!(found.is_some(), "{game} {cells:?}"),
            _ => assert_eq!(found.as_deref(), wanted, "{game} {cells:?}"),
        }
    }
}

/// An offer that came after a player last looked is not answered by a touch that was meant for something else (H3).
#[test]
fn what_nobody_has_seen_is_not_answered() {
    begun(
        &As::default(),
        &[
            ("a draw in place of another", "b?draw b/draw b?draw = a!draw", "offer-unseen"),
            ("a draw just offered", "b?draw = a!draw", "offer-unseen"),
            ("one that stood before", "b?draw b?swap = a!draw", "Draw"),
            ("two who ask to take back", "b?takeback = a?takeback", "offer-unseen"),
            ("two who want a draw", "b?draw = a?draw", "Draw"),
        ],
    );
}

#[test]
fn one_screen() {
    let screen = As { screen: true, ..As::default() };
    // A player alone has both seats.
    for (name, script, wanted) in [
        ("a move of either side", "a.h8 a.i9", "moves Second i9"),
        ("resigning for the side to move", "a.h8 a#", "resigns Second"),
        ("resigning for a side", "a.h8 a#1", "resigns First"),
        ("one ply back", "a.h8 a.i9 a?takeback", "takes back First 1"),
        ("some plies back", "a.h8 a.i9 a?takeback:2", "takes back First 2"),
        ("to whose turn it is", "a.h8 a?takeback:1", "takes back Second 1"),
        ("no ply", "a.h8 a?takeback:0", "nothing-to-take-back"),
        ("more than there are", "a.h8 a?takeback:2", "nothing-to-take-back"),
        ("a draw is agreed at once", "a.h8 a?draw", "Draw"),
        ("a rematch, too", "a.h8 a# a?rematch", "rematch"),
        ("after the end a ply may be taken back", "a.h8 a# a?takeback", "takes back Second 1"),
    ] {
        let mut table = Table::new(&screen);
        for side in Side::BOTH {
            let who = Player { id: "a".to_owned(), name: None, engine: None, program: false };
            table.add(Event::Sit { side, who, secret: None }, None);
        }
        assert_eq!(table.run(script), wanted, "{name}: {script}");
    }
}

#[test]
fn clocks() {
    let table = As { clock: Some(FISCHER), ..As::default() };
    check(&table, &[("nothing is charged before the game counts", "a+ b+ @9000 a.h8", "moves First h8")]);
    begun(
        &table,
        &[
            ("thinking time", "@9000 a.h9", "moves First h9 8960 ms"),
            ("after the time is up", "@70000 a.h9", "too late First"),
            ("claimed in time", "@59000 b%", "time-is-left"),
            ("claimed by the other", "@70000 b%", "time is up First"),
            // A move may have been under way for 40 ms, the claim of the other waits for a move that may be under way.
            ("claimed too early by the other", "@60050 b%", "time-is-left"),
            ("one's own claim waits for nothing", "@60200 a%", "time is up First"),
            ("one's own claim too early", "@59000 a%", "time-is-left"),
            ("the loser has no time", "@70000 b% a.h9", "game-over"),
        ],
    );
    // Who is away for long while it is their move has left: 20 seconds at this speed.
    begun(
        &table,
        &[
            ("the other has left", "a> @20000 b^", r#"Forfeit { by: First, reason: "left" }"#),
            ("not for long", "a> @19999 b^", "claim-too-early"),
            ("and is back", "a> @30000 a* b^", "nobody-left"),
            ("away while one thinks oneself", "b> @30000 a^", "nobody-left"),
            ("and it counts from when it is their move", "b> @30000 a.h9 @19999 a^", "claim-too-early"),
            ("for long enough", "b> @30000 a.h9 @20000 a^", r#"Forfeit { by: Second, reason: "left" }"#),
            ("one's own absence", "a> @30000 a^", "nobody-left"),
        ],
    );
    let left = |table: &As| Table::new(table).run(&format!("{BEGUN}a> @179999 b^ @1 b^"));
    assert_eq!(
        left(&As::default()),
        r#"Forfeit { by: First, reason: "left" }"#,
        "without a clock: three minutes"
    );
    let slow = As { clock: Some(SLOW), ..As::default() };
    assert_eq!(left(&slow), "nobody-left", "in slow games one comes and goes");
    assert_eq!(Table::new(&table).run("a+ b+ a> @39999 b^"), "nobody-left", "before a game is in earnest");
    // A first move has a time of its own: 20 seconds at this speed, twice as much among friends.
    check(
        &table,
        &[
            ("a game that nobody begins", "a+ b+ @40000 b%", "not begun by First"),
            ("and whoever waits says so too early", "a+ b+ @39999 b%", "time-is-left"),
            ("the other side does not answer", "a+ b+ @30000 a.h8 @40000 a%", "not begun by Second"),
            ("it has a time of its own", "a+ b+ @30000 a.h8 @39999 a%", "time-is-left"),
            ("nobody has called it off yet", "a+ b+ @50000 a.h8", "moves First h8"),
            ("a seat is free", "a+ @90000 a%", "waiting-for-opponent"),
        ],
    );
    let no_clock = "a+ b+ @9999000 b%";
    assert_eq!(Table::new(&As::default()).run(no_clock), "time-is-left", "friends without a clock");
    let slow = As { clock: Some(SLOW), ..As::default() };
    check(
        &slow,
        &[
            ("a slow game counts from its beginning", "a+ b+ @259300000 b%", "not begun by First"),
            ("and charges it", "a+ b+ @1000 a.h8", "moves First h8 960 ms"),
        ],
    );
    let face = |script: &str| {
        let mut table = Table::new(&table);
        table.run(script);
        let shown = table.state.clock.face(table.now_ms).expect("is kept");
        (shown.ms, shown.run)
    };
    for (name, script, wanted) in [
        ("both full", "a+ b+", ([60_000, 60_000], None)),
        ("it runs when both have moved", BEGUN, ([60_000, 60_000], Some(Side::First))),
        ("it runs down", "a+ b+ a.h8 b.i9 @4000", ([56_000, 60_000], Some(Side::First))),
        ("increments", "a+ b+ a.h8 b.i9 @9000 a.h9", ([52_040, 60_000], Some(Side::Second))),
        // A turn that is taken back is settled without an increment, and the other's turn starts again.
        (
            "taken back",
            "a+ b+ a.h8 b.i9 @9000 a.h9 @500 a?takeback b!takeback",
            ([52_040, 60_000], Some(Side::First)),
        ),
        ("nobody's at the beginning", "a+ b+ a.h8 b.i9 a?takeback b!takeback", ([60_000, 60_000], None)),
        ("the end stops it", "a+ b+ a.h8 b.i9 @4000 b#", ([60_000, 60_000], None)),
        ("time that is up is shown as none", "a+ b+ a.h8 b.i9 @70000 b%", ([0, 60_000], None)),
    ] {
        let (ms, run) = face(script);
        assert_eq!((ms, run), wanted, "{name}: {script}");
    }
}

/// The choice of a stone in locked chess may be withdrawn until the stone moves, also when it lost the game.
#[test]
fn withdrawals() {
    const TURN: ClockSpec = ClockSpec::per_move(20_000);
    let locked = |rated: bool| As { game: Some("locked"), clock: Some(TURN), rated, ..As::default() };
    // Played on until the rules allow a withdrawal.
    let mut table = Table::new(&locked(false));
    let mut script = "a+ b+".to_owned();
    table.run(&script);
    for ply in 0.. {
        assert!(ply < 40, "nothing may be withdrawn");
        if table.state.view.withdraws && table.state.in_earnest() {
            break;
        }
        let who = if table.state.turn() == Side::First { 'a' } else { 'b' };
        let word = format!(" {who}.{}", table.state.game.moves()[0]);
        table.run(&word);
        script += &word;
    }
    let mover = table.state.last_mover().expect("a ply");
    let (own, other) = if mover == Side::First { ('a', 'b') } else { ('b', 'a') };
    let last = script.rsplit('.').next().expect("a move").to_owned();
    let withdrawn = format!("withdraws {mover:?} 0 ms");
    for (name, rated, more, wanted) in [
        ("the ply before", false, format!("{own}<"), &*withdrawn),
        ("in a rated game", true, format!("{own}<"), &*withdrawn),
        ("by the other", false, format!("{other}<"), "nothing-to-withdraw"),
        ("by who looks on", false, "c<".to_owned(), "not-your-seat"),
        ("twice", false, format!("{own}< {own}<"), "nothing-to-withdraw"),
        ("after the time is up", false, format!("@30000 {own}<"), "time-is-up"),
        ("after the other gave up", false, format!("{other}# {own}<"), "nothing-to-withdraw"),
        ("the turn goes on", false, format!("{own}< {own}.{last}"), &*format!("moves {mover:?} {last} 0 ms")),
    ] {
        assert_eq!(Table::new(&locked(rated)).run(&format!("{script} {more}")), wanted, "{name}: {more}");
    }
    let plies = table.state.record.len();
    table.run(&format!("@5000 {own}<"));
    let shown = table.state.clock.face(table.now_ms).expect("is kept");
    assert_eq!(shown.ms[mover.index()], 20_000 - 4_960, "the turn goes on, and its time is used");
    let told = table.told.expect("an event");
    assert_eq!((told.cut, told.by), (u32::try_from(plies - 1).ok(), Some(mover)));
    assert_eq!((table.state.record.len(), table.state.turn()), (plies - 1, mover));
}

/// A player who chooses a stone that is stuck has lost, and may take that back: the time since then is charged to
/// them.
#[test]
fn a_ply_that_lost_is_withdrawn() {
    let table = As {
        game: Some("locked"),
        fen: Some("12/1bb9/1b10/12/12/12/12/7b4/12/11w/11w/11w b 1 - -"),
        clock: Some(ClockSpec::per_move(20_000)),
        ..As::default()
    };
    let mut table = Table::new(&table);
    table.run("a+ b+");
    for turn in ["d r i9 l u", "u l g7 u r", "u l a1"] {
        for step in turn.split(' ') {
            assert_eq!(table.run(&format!("a.{step}")).split(' ').next(), Some("moves"), "{step}");
        }
        while table.state.end.is_none() && table.state.turn() == Side::Second {
            let step = table.state.game.moves()[0].clone();
            table.run(&format!("b.{step}"));
        }
    }
    assert!(table.state.end.is_some(), "a1 has no way out");
    assert_eq!(table.run("@5000 a<"), "withdraws First 5000 ms");
    assert!(table.state.end.is_none());
    let shown = table.state.clock.face(table.now_ms).expect("is kept");
    assert_eq!(shown.ms[0], 15_000);
}

/// Clients are told the changes beside the board, and the store gets what it needs.
#[test]
fn what_is_told() {
    let told = |script: &str| {
        let mut table = Table::new(&As { clock: Some(FISCHER), ..As::default() });
        table.run(script);
        let happened = table.told.take().expect("an event");
        let mut words = vec![];
        let mut says = |yes: bool, what: &str| words.extend(yes.then(|| what.to_owned()));
        says(happened.by.is_some(), "by");
        says(happened.what.is_some(), "what");
        says(happened.ply.is_some(), "ply");
        says(happened.seats.is_some(), "seats");
        says(happened.started, "started");
        says(happened.offers.is_some(), "offers");
        says(happened.no_offers.is_some(), "no offers");
        says(happened.end.is_some(), "end");
        says(happened.next.is_some(), "next");
        says(happened.clk.is_some(), "clock");
        says(!happened.p.is_empty(), "board");
        if let Some(cut) = happened.cut {
            words.push(format!("cut {cut}"));
        }
        let offers: Vec<_> = table.state.offers.iter().map(|offered| (offered.by, offered.what)).collect();
        assert!(happened.offers.is_none_or(|told| told == offers), "{script}");
        (words.join(" "), table.state.settled == table.state.ver, table.state.stage())
    };
    for (name, script, wanted, settles, stage) in [
        ("one sits", "a+", "by seats", true, Stage::Waiting),
        ("both sit", "a+ b+", "by seats started", true, Stage::Playing),
        ("one leaves", "a+ a-", "by seats end clock", true, Stage::Over),
        ("a move", "a+ b+ a.h8", "ply clock board", true, Stage::Playing),
        ("an offer", "a+ b+ a?draw", "by what offers", false, Stage::Playing),
        ("a refusal", "a+ b+ a?draw b/draw", "by what offers", false, Stage::Playing),
        ("a refusal of one of two", "a+ b+ a?draw a?swap b/draw", "by what offers", false, Stage::Playing),
        ("no offers", "a+ b+ b?draw a*off", "by offers no offers", false, Stage::Playing),
        (
            "an exchange of who takes none",
            "a+ b+ a*off a?swap b!swap",
            "seats offers no offers clock",
            true,
            Stage::Playing,
        ),
        ("a move that declines", "a+ b+ b?draw a.h8", "ply offers clock board", true, Stage::Playing),
        ("a draw", "a+ b+ a?draw b!draw", "offers end clock", false, Stage::Over),
        (
            "a takeback",
            "a+ b+ a.h8 a?takeback b!takeback",
            "by offers clock board cut 0",
            true,
            Stage::Playing,
        ),
        ("seats are exchanged", "a+ b+ a?swap b!swap", "seats offers clock", true, Stage::Playing),
        ("giving up", "a+ b+ a#", "by end clock", false, Stage::Over),
        ("an abort", "a+ b+ a~", "by end clock", false, Stage::Over),
        ("a rematch", "a+ b+ a# a?rematch b!rematch", "offers next", false, Stage::Over),
    ] {
        assert_eq!(told(script), (wanted.to_owned(), settles, stage), "{name}: {script}");
    }
}

/// Games end in each possible way, and the ones that count are remembered.
#[test]
fn ends() {
    for (name, script, reason, winner, void) in [
        (
            "by the rules",
            "a+ b+ a.a1 b.c1 a.a2 b.c2 a.a3 b.c3 a.a4 b.c4 a.a5",
            "five-in-a-row",
            Some(Side::First),
            false,
        ),
        ("given up", "a+ b+ a#", "resign", Some(Side::Second), false),
        ("agreed", "a+ b+ a?draw b!draw", "draw-agreed", None, false),
        ("out of time", "a+ b+ a.h8 b.i9 @70000 b%", "flag", Some(Side::Second), false),
        ("hardly begun", "a+ b+ a~", "abort", None, true),
        ("not begun", "a+ b+ @40000 b%", "not-begun", None, true),
        ("left alone", "a+ a-", "abort", None, true),
    ] {
        let mut table = Table::new(&As { clock: Some(FISCHER), ..As::default() });
        table.now_ms = 5_000;
        table.run(script);
        let end = table.state.end.clone().expect(name);
        assert_eq!((&*end.reason, end.winner, end.void), (reason, winner, void), "{name}");
        let ended = table.state.ended();
        assert_eq!(ended.is_some(), name != "left alone", "{name}");
        if let Some(ended) = ended {
            assert_eq!((ended.begun_ms, ended.ended_ms), (5_000, table.now_ms), "{name}");
            assert_eq!(ended.players.map(|p| p.id), ["a", "b"], "{name}");
        }
    }
    let mut forfeit = Table::new(&As::default());
    forfeit.run("a+ b+");
    forfeit.add(Event::Forfeit { by: Side::Second, reason: "engine-failed".to_owned() }, None);
    let end = forfeit.state.end.expect("an end");
    assert_eq!((&*end.reason, end.winner, end.void), ("engine-failed", Some(Side::First), false));
}

/// The seat, the turn and the counts that wishes rest on.
#[test]
fn what_a_table_knows_of_itself() {
    let mut table = Table::new(&As::default());
    for (script, turns, earnest, takes_back) in [
        ("a+ b+", 0, false, [0, 0]),
        ("a.h8", 1, false, [1, 0]),
        ("b.i9", 2, true, [2, 1]),
        ("a.h9", 3, true, [1, 2]),
    ] {
        table.run(script);
        let state = &table.state;
        assert_eq!((state.turns(), state.in_earnest()), (turns, earnest), "{script}");
        assert_eq!(Side::BOTH.map(|side| state.takeback_plies(side)), takes_back, "{script}");
    }
    let state = &table.state;
    assert_eq!(
        (state.seats_of("a"), state.seats_of("b"), state.seats_of("c")),
        (vec![Side::First], vec![Side::Second], vec![])
    );
    assert_eq!((state.last_mover(), state.is_on(), state.is_slow()), (Some(Side::First), true, false));
    for (script, on) in [("a+", false), ("a+ b+", true), ("a+ b+ a#", false), ("a+ a-", false)] {
        let mut table = Table::new(&As::default());
        table.run(script);
        assert_eq!(table.state.is_on(), on, "{script}");
    }
    assert_eq!(state.standing().seats, [Some("a".to_owned()), Some("b".to_owned())]);
    assert!(Table::new(&As { clock: Some(SLOW), ..As::default() }).state.is_slow());
    let told = |keeps_moves: bool| Table::new(&As { keeps_moves, ..As::default() }).state.info().no_takebacks;
    assert_eq!((told(false), told(true)), (false, true));
}

/// A table takes no more than its limit, but it can always be ended.
#[test]
fn a_full_log() {
    for (name, script, wanted) in [
        ("a move", "a.h9", "table-full"),
        ("an offer", "a?swap", "table-full"),
        ("agreeing to seats", "a!swap", "table-full"),
        ("agreeing to a draw", "a!draw", "Draw"),
        ("declining", "a/draw", "declines First Draw"),
        ("giving up", "a#", "resigns First"),
        ("a claim", "a%", "time-is-left"),
        ("an abort", "a~", "too-late-to-abort"),
    ] {
        for (ver, full) in [(table::MOST_EVENTS - 1, false), (table::MOST_EVENTS, true)] {
            let mut table = Table::new(&As::default());
            table.run(&format!("{BEGUN} b?draw"));
            table.state.ver = ver;
            let said = table.run(script);
            assert_eq!(said == "table-full", full && wanted == "table-full", "{name}: {said}");
            assert!(!full || said == wanted, "{name}: {said}");
        }
    }
    let mut table = Table::new(&As::default());
    table.run("a+");
    table.state.ver = table::MOST_EVENTS;
    assert_eq!(table.run("b+"), "table-full");
}

/// A game that is remembered ends once: when the event that ends it is applied.
#[test]
fn a_game_ends_once() {
    let mut table = Table::new(&As::default());
    for (script, ends) in
        [("a+ b+", false), ("a.h8", false), ("b#", true), ("a?rematch", false), ("b!rematch", false)]
    {
        table.run(script);
        assert_eq!(table.ended, ends, "{script}");
    }
}

/// A wish that is sent twice is done once: each command is found at the version that fulfilled it.
#[test]
fn commands_that_were_fulfilled() {
    let cmd = |person: &str, id: &str| Command { person: person.to_owned(), id: id.to_owned() };
    let mut table = Table::new(&As::default());
    table.run("a+ b+");
    for (n, sent) in
        [Some(cmd("a", "one")), None, Some(cmd("b", "one")), Some(cmd("", "old")), Some(cmd("a", "old"))]
            .into_iter()
            .enumerate()
    {
        let event = Event::Decline { by: Side::First, what: Offer::Draw };
        let entry = Entry { ver: 3 + n as u64, at_ms: table.now_ms, cmd: sent, spent_ms: None, event };
        assert!(table.state.apply(entry).is_ok());
    }
    for (who, id, at) in [
        ("a", "one", Some(3)),
        ("b", "one", Some(5)),
        ("c", "one", None),
        ("a", "two", None),
        // Written down before commands had persons.
        ("c", "old", Some(6)),
        // By both at once: the later one is told.
        ("a", "old", Some(7)),
    ] {
        assert_eq!(table.state.done(&cmd(who, id)), at, "{who} {id}");
    }
}
