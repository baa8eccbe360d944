//! Draws at a table. Would catch a client that names its own outcome, draws that do not follow from the secret, a takeback
//! that lets a player draw again, and a record that is called honest although an outcome was changed.

use std::collections::BTreeMap;

use catalog::maps::{Rules, sample};
use kernel::{AnyGame, Side};
use table::verify::{Verified, verify};
use table::{ActRequest, Decision, Entry, Event, Secret, Setup, State, decide};
use wire::{Act, ClockSpec, How, Offer, Offered, Player};

const TABLE: &str = "k3m9q2w7";

fn secret() -> Secret {
    Secret::read("000102030405060708090a0b0c0d0e0f").expect("32 digits")
}

fn game() -> Box<dyn AnyGame> {
    let package = sample("banqi-2").expect("an example").package();
    Rules::load(&package, &BTreeMap::new(), None).expect("a good map").open(None).expect("the start")
}

fn person(id: &str) -> Player {
    Player { id: id.to_owned(), name: None, engine: None, program: false }
}

/// A table of Banqi, its log, and what is done at it.
struct Banqi {
    state: State,
    log: Vec<Entry>,
}

impl Banqi {
    fn new(how: How, secret: Option<Secret>) -> Banqi {
        let mut table = Banqi { state: opened(how), log: Vec::new() };
        let [a, b] = if how == How::Screen { ["a", "a"] } else { ["a", "b"] }.map(person);
        table.add(Event::Sit { side: Side::First, who: a, secret: None });
        table.add(Event::Sit { side: Side::Second, who: b, secret });
        table
    }

    fn add(&mut self, event: Event) {
        let entry = Entry { ver: self.state.ver + 1, at_ms: 1_000, cmd: None, spent_ms: None, event };
        let applied = self.state.apply(entry).unwrap_or_else(|why| panic!("{why:?}"));
        self.log.push(applied.entry);
    }

    /// Carries a wish out; the key of the problem where it is refused.
    fn wish(&mut self, who: &str, act: Act) -> Result<(), &'static str> {
        let wish =
            ActRequest { who: &person(who), ver: self.state.ver, arrived_ms: 1_000, lag_ms: 0, act: &act };
        match decide(&self.state, wish).map_err(|why| why.key)? {
            Decision::Event(event, _) => self.add(event),
            other => panic!("{other:?}"),
        }
        Ok(())
    }

    fn play(&mut self, who: &str, text: &str) -> Result<(), &'static str> {
        self.wish(who, Act::Move { text: text.to_owned(), away: false })
    }

    fn mover(&self) -> &'static str {
        if self.state.setup.how == How::Screen || self.state.turn() == Side::First { "a" } else { "b" }
    }

    /// Turns over the first pieces that lie face down.
    fn turn_over(&mut self, times: usize) {
        for _ in 0..times {
            let face_down =
                self.state.view.pieces.iter().find(|piece| piece.face == "暗").expect("one is left").at;
            let at = format!("{},{}", face_down / 8 + 1, face_down % 8 + 1);
            self.play(self.mover(), &format!("{at}-{at}")).expect("may be turned over");
        }
    }

    fn record(&self) -> Vec<String> {
        self.state.record.iter().map(|ply| ply.0.to_string()).collect()
    }
}

fn opened(how: How) -> State {
    let setup = Setup {
        game: catalog::maps::KEY.to_owned(),
        options: BTreeMap::new(),
        map: None,
        fen: None,
        how,
        room: None,
        clock: ClockSpec::None,
        rated: false,
        created_ms: 1_000,
        heading: None,
    };
    State::new(TABLE.to_owned(), setup, true, game())
}

/// The numbers were computed with `hmac` and `hashlib` of Python.
#[test]
fn anybody_can_compute_a_draw() {
    let draws = [0, 1, 2, 3].map(|nth| secret().draw(TABLE, nth, 32));
    assert_eq!(draws, [14, 10, 6, 25]);
    // 17373286089345414310 lies beyond the last multiple: the next try counts.
    let most = (1 << 63) + 1;
    assert_eq!(secret().draw(TABLE, 2, most), 4_558_293_335_229_488_609);
    assert_eq!(secret().draw(TABLE, 0, 1), 0);
    assert_ne!(secret().draw("k3m9q2w8", 0, 1 << 60), secret().draw(TABLE, 0, 1 << 60));
}

/// Chi-square of 32 numbers over 32,000 draws: above 75 in one of 100,000 such tests.
#[test]
fn draws_are_alike() {
    let mut met = [0u32; 32];
    (0..32_000).for_each(|nth| met[secret().draw(TABLE, nth, 32) as usize] += 1);
    let sum: f64 = met.iter().map(|&met| (f64::from(met) - 1000.0).powi(2) / 1000.0).sum();
    assert!(sum < 75.0, "{sum}");
}

#[test]
fn players_choose_and_the_hall_draws() {
    let mut table = Banqi::new(How::Invite, Some(secret()));
    let Offered::Listed(moves) = &table.state.view.moves else { panic!("they are listed") };
    assert_eq!((moves.len(), moves[0].text.as_str(), &moves[0].pick), (32, "1,1-1,1", &None));
    assert_eq!(table.play("a", "1,1-1,1{帅}"), Err("no-such-move"));
    assert_eq!(table.play("b", "1,1-1,1"), Err("not-your-turn"));
    table.play("a", "1,1-1,1").expect("is drawn");
    let drawn = kernel::by_lot(game().as_ref(), "1,1-1,1", |sum| secret().draw(TABLE, 0, sum));
    assert_eq!(table.record(), [drawn], "the record holds the outcome");
    table.turn_over(5);
    assert_eq!(table.state.draws, [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
}

#[test]
fn a_replay_needs_no_secret() {
    let mut table = Banqi::new(How::Invite, Some(secret()));
    table.turn_over(8);
    let mut log = table.log.clone();
    for entry in &mut log {
        if let Event::Sit { secret, .. } = &mut entry.event {
            *secret = None;
        }
    }
    let again = opened(How::Invite).replay(log).expect("the log fits");
    assert_eq!((again.game.fen(), &again.draws), (table.state.game.fen(), &table.state.draws));
    let same = opened(How::Invite).replay(table.log.clone()).expect("the log fits");
    assert_eq!(same.view, table.state.view);
}

#[test]
fn nothing_is_drawn_before_both_sit() {
    let mut table = Banqi::new(How::Invite, None);
    assert_eq!(table.play("a", "1,1-1,1"), Err("nothing-drawn-yet"));
}

#[test]
fn takebacks_cross_no_draw_between_two_people() {
    let takeback = |plies| Act::Offer { what: Offer::Takeback, plies };
    let mut table = Banqi::new(How::Invite, Some(secret()));
    table.turn_over(12);
    let who = if table.mover() == "a" { "b" } else { "a" };
    assert_eq!(table.wish(who, takeback(None)), Err("takeback-chance"));
    // Moves that draw nothing are taken back as ever.
    let quiet = |table: &Banqi| {
        let Offered::Listed(moves) = &table.state.view.moves else { panic!("they are listed") };
        moves.iter().map(|m| m.text.clone()).find(|text| table.state.game.outcomes(text).is_empty())
    };
    let mut plies = 0;
    while plies < 2 {
        match quiet(&table) {
            Some(text) => {
                table.play(table.mover(), &text).expect("is legal");
                plies += 1;
            }
            None => {
                table.turn_over(1);
                plies = 0;
            }
        }
    }
    let who = if table.mover() == "a" { "b" } else { "a" };
    assert_eq!(table.wish(who, takeback(None)), Ok(()));
}

#[test]
fn on_one_screen_it_is_drawn_anew() {
    let mut table = Banqi::new(How::Screen, Some(secret()));
    assert!(table.state.chance().is_some_and(|chance| chance.secret.is_none()), "not even there it is told");
    table.turn_over(1);
    let first = table.record();
    let mut others = 0;
    for nth in 1..9 {
        table.wish("a", Act::Offer { what: Offer::Takeback, plies: Some(1) }).expect("is taken back");
        assert!(table.state.draws.is_empty());
        table.turn_over(1);
        assert_eq!(table.state.draws, [(0, nth)]);
        others += u32::from(table.record() != first);
    }
    assert!(others > 0, "eight draws of fourteen kinds are not all the same");
    let again = opened(How::Screen).replay(table.log.clone()).expect("the log fits");
    assert_eq!(again.draws, table.state.draws);
    let told = verify(game(), &table.record(), (secret(), TABLE), Some(&[8]));
    assert_eq!(told, Ok(Verified { draws: 1, numbers: 0 }));
}

#[test]
fn verify_names_the_first_draw_that_differs() {
    let mut table = Banqi::new(How::Invite, Some(secret()));
    table.turn_over(10);
    let record = table.record();
    let check = |moves: &[String], secret: Secret| verify(game(), moves, (secret, TABLE), None);
    assert_eq!(check(&record, secret()), Ok(Verified { draws: 10, numbers: 0 }));
    let other = Secret::read("ff0102030405060708090a0b0c0d0e0f").expect("32 digits");
    assert_eq!(check(&record, other).map_err(|why| why.key), Err("verify-draw"));
    // Each outcome changed to another that was possible, if the rest is still a game.
    let mut changed = 0;
    for ply in 0..record.len() {
        let mut game = game();
        record[..ply].iter().for_each(|text| game.play(text).expect("is legal"));
        let choice = game.chosen(&record[ply]).expect("it was drawn");
        let other =
            game.outcomes(&choice).into_iter().map(|(text, _)| text).find(|text| *text != record[ply]);
        let mut moves = record.clone();
        moves[ply] = other.expect("there are others");
        let why = check(&moves, secret()).expect_err("it was changed");
        assert_eq!((why.key, why.arg("ply")), ("verify-draw", Some((ply + 1).to_string().as_str())));
        assert_eq!(
            (why.arg("played"), why.arg("drawn")),
            (Some(moves[ply].as_str()), Some(record[ply].as_str()))
        );
        changed += 1;
    }
    assert_eq!(changed, 10);
    let few = verify(game(), &record, (secret(), TABLE), Some(&[0, 1]));
    assert_eq!(few.map_err(|why| why.key), Err("verify-numbers"));
}

/// The secret stays where it is until the end, and binds the hall from the beginning.
#[test]
fn the_secret_is_told_at_the_end() {
    let mut table = Banqi::new(How::Invite, Some(secret()));
    table.turn_over(3);
    let bound = table.state.chance().expect("it is bound");
    assert_eq!((bound.hash.as_str(), &bound.secret), (secret().commitment(TABLE).as_str(), &None));
    assert!(!table.state.options().contains_key("seed"));
    table.wish("a", Act::Resign { side: None }).expect("may resign");
    assert_eq!(table.state.chance().and_then(|chance| chance.secret), Some(secret().text()));
    assert_eq!(table.state.options().get("seed"), Some(&0x0c0d_0e0f));
}
