//! Refusals of a table, which stays as it was, and tables that cannot be opened.

use client::{Error, Seat};
use wire::{Act, ClockSpec, CreateTable, How, Offer, ServerMessage, Side};

use crate::house::{House, done, gomoku, level, moves, mv, offer, refused, table_of};

const FIVE: &str = "a1 b1 a2 b2 a3 b3 a4 b4 a5";

#[tokio::test]
async fn refused_wishes_change_nothing() {
    let accept = |what| Act::Accept { what };
    let decline = |what| Act::Decline { what };
    let sit = |side| Act::Sit { side };
    // The first player is 0, the second 1, and 2 looks on. The moves come first; then the wish.
    let rows: Vec<(&str, &str, usize, Act, &str)> = vec![
        ("a move by who looks on", "", 2, mv("h8"), "not-your-seat"),
        ("leaving a seat one has not", "", 2, Act::Leave, "not-your-seat"),
        ("resigning for others", "h8", 2, Act::Resign { side: Some(Side::First) }, "not-your-seat"),
        ("a third at the table", "", 2, sit(None), "seat-taken"),
        ("a third at a seat", "", 2, sit(Some(Side::Second)), "seat-taken"),
        ("a second seat", "", 0, sit(Some(Side::Second)), "already-seated"),
        ("the other's turn", "", 1, mv("h8"), "not-your-turn"),
        ("twice in a row", "h8", 0, mv("h9"), "not-your-turn"),
        ("a taken cell", "h8", 1, mv("h8"), "illegal-move"),
        ("off the board", "", 0, mv("z9"), "illegal-move"),
        ("no move at all", "", 0, mv(""), "illegal-move"),
        ("a long text", "", 0, mv(&"h8".repeat(1000)), "illegal-move"),
        ("running away", "h8", 1, Act::Leave, "game-has-begun"),
        ("nothing to withdraw", "h8", 0, Act::Withdraw, "nothing-to-withdraw"),
        ("nothing to take back", "h8", 1, offer(Offer::Takeback), "nothing-to-take-back"),
        ("nothing at all", "", 0, offer(Offer::Takeback), "nothing-to-take-back"),
        ("no offer to accept", "h8", 0, accept(Offer::Draw), "no-such-offer"),
        ("no offer to decline", "h8", 0, decline(Offer::Swap), "no-such-offer"),
        ("a rematch too early", "h8", 0, offer(Offer::Rematch), "game-goes-on"),
        ("accepting one too early", "h8", 0, accept(Offer::Rematch), "game-goes-on"),
        ("an early end too late", "h8 a1", 0, Act::Abort, "too-late-to-abort"),
        ("a claim without a clock", "h8 a1", 1, Act::Flag, "time-is-left"),
        ("a move after the end", FIVE, 1, mv("h8"), "game-over"),
        ("resigning after the end", FIVE, 1, Act::Resign { side: None }, "game-over"),
        ("a draw after the end", FIVE, 1, offer(Offer::Draw), "game-over"),
        ("a takeback after the end", FIVE, 0, offer(Offer::Takeback), "game-over"),
        ("an exchange after the end", FIVE, 0, offer(Offer::Swap), "game-over"),
        ("an early end after the end", FIVE, 1, Act::Abort, "game-over"),
        ("a claim after the end", FIVE, 1, Act::Flag, "game-over"),
        ("withdrawing after the end", FIVE, 0, Act::Withdraw, "nothing-to-withdraw"),
        ("a seat after the end", FIVE, 2, sit(None), "game-over"),
    ];
    let house = House::open().await;
    for (name, before, who, act, wanted) in rows {
        let mut seats = house.pair(gomoku(How::Invite)).await;
        moves(&mut seats, before).await;
        let table = table_of(&seats[0]);
        let mut people = Vec::from(seats);
        people.push(Seat::new(house.guest().await, &table));
        level(&mut people).await;
        let was = told(&house, &table).await;
        let why = refused(&mut people[who], act).await;
        assert!(why == wanted || wanted == "illegal-move" && is_of_the_rules(&why), "{name}: {why}");
        assert_eq!(told(&house, &table).await, was, "{name} changed something");
    }
}

/// Returns true for a key by which the rules of a game say more exactly why a move is illegal.
fn is_of_the_rules(key: &str) -> bool {
    !["not-your-seat", "not-your-turn", "not-stored", "stale", "game-over"].contains(&key)
}

/// Returns the complete state of a table but for the people present.
async fn told(house: &House, table: &str) -> ServerMessage {
    let mut full = house.full(table).await;
    if let ServerMessage::Full { here, watchers, .. } = &mut full {
        (*here, *watchers) = ([false; 2], 0);
    }
    full
}

#[tokio::test]
async fn nothing_is_played_before_both_sit() {
    let house = House::open().await;
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Invite)).await.expect("a table").id;
    let mut opener = Seat::new(guest, &table);
    for act in [
        mv("h8"),
        Act::Resign { side: None },
        Act::Abort,
        Act::Flag,
        offer(Offer::Draw),
        offer(Offer::Takeback),
        offer(Offer::Swap),
    ] {
        assert_eq!(refused(&mut opener, act.clone()).await, "waiting-for-opponent", "{act:?}");
    }
    assert_eq!(refused(&mut opener, Act::Sit { side: Some(Side::Second) }).await, "already-seated");
    done(&mut opener, Act::Leave).await;
}

#[tokio::test]
async fn an_offer_is_not_repeated() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8").await;
    done(&mut seats[0], offer(Offer::Draw)).await;
    assert_eq!(refused(&mut seats[0], offer(Offer::Draw)).await, "already-offered");
    assert_eq!(refused(&mut seats[0], Act::Accept { what: Offer::Draw }).await, "no-such-offer", "one's own");
}

#[tokio::test]
async fn tables_that_cannot_be_opened() {
    let house = House::open().await;
    let guest = house.guest().await;
    let one = |name: &str, value| std::iter::once((name.to_owned(), value)).collect();
    let like = || gomoku(How::Invite);
    let rows: Vec<(&str, CreateTable, &str)> = vec![
        ("another game", CreateTable { game: "chess".into(), ..like() }, "unknown-game"),
        ("another option", CreateTable { options: one("colour", 1), ..like() }, "unknown-option"),
        ("too small a board", CreateTable { options: one("size", 4), ..like() }, "option-out-of-range"),
        ("a huge board", CreateTable { options: one("size", i64::MAX), ..like() }, "option-out-of-range"),
        ("no room's name", CreateTable { how: How::Room, ..like() }, "room-without-name"),
        (
            "an empty name",
            CreateTable { how: How::Room, room: Some(" \t".into()), ..like() },
            "room-without-name",
        ),
        (
            "a long name",
            CreateTable { how: How::Room, room: Some("x".repeat(41)), ..like() },
            "name-too-long",
        ),
        (
            "a name that deceives",
            CreateTable { how: How::Room, room: Some("a\u{202e}b".into()), ..like() },
            "name-letter",
        ),
        ("a long FEN", CreateTable { fen: Some("1".repeat(5000)), ..like() }, "fen-too-long"),
        ("no time", CreateTable { clock: ClockSpec::per_move(0), ..like() }, "clock-out-of-range"),
        (
            "minutes that leave weekends out",
            CreateTable { clock: ClockSpec::PerMove { turn_ms: 60_000, weekend_pause: true }, ..like() },
            "weekend-pause-needs-days",
        ),
        (
            "all the time in the world",
            CreateTable { clock: ClockSpec::Fischer { base_ms: u64::MAX, increment_ms: u64::MAX }, ..like() },
            "clock-out-of-range",
        ),
    ];
    for (name, wish, wanted) in rows {
        let Err(Error::Refused(why)) = guest.open(&wish).await else { panic!("{name} was opened") };
        assert_eq!(why.key, wanted, "{name}");
    }
    for fen in ["", "x", "15/15 b", "\u{0}", "b"] {
        let Err(Error::Refused(_)) = guest.open(&CreateTable { fen: Some(fen.into()), ..like() }).await
        else {
            panic!("{fen:?} was opened")
        };
    }
}
