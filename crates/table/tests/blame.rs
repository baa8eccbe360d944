//! Catches somebody being blamed for a game that does not begin who was there and did what was theirs to do.

use std::collections::BTreeMap;

use kernel::Side;
use kernel::laws::Random;
use table::first::{blamed, first_move_ms};
use table::{Decision, Entry, Event, Setup, State, Wish, decide};
use wire::{Act, ClockSpec, How, Player};

const STEP_MS: u64 = 2_500;
const GAMES: u64 = 400;

fn player(side: Side) -> Player {
    let id = if side == Side::First { "ann" } else { "bob" };
    Player { id: id.to_owned(), name: None, engine: None, program: false }
}

fn open(clock: ClockSpec) -> State {
    let entry = catalog::find("gomoku/freestyle").expect("is there");
    let options = entry.settle(&BTreeMap::new(), catalog::Setting::Online).expect("the usual");
    let setup = Setup {
        game: entry.key.to_owned(),
        options: options.clone(),
        map: None,
        fen: None,
        how: How::Open,
        room: None,
        clock,
        rated: false,
        created_ms: 0,
    };
    let game = entry.open(None, &options, None).expect("the start");
    State::new("table".to_owned(), setup, true, game)
}

/// A game between two of whom one is always there and plays in time, or leaves an opponent who is not there; the other
/// comes and goes, plays, waits and leaves as it likes.
struct Play {
    state: State,
    now_ms: u64,
    here: [bool; 2],
    blamed: Option<Side>,
}

impl Play {
    fn add(&mut self, event: Event) {
        self.blamed = self.blamed.or_else(|| blamed(&self.state, &event, self.here));
        let entry = Entry { ver: self.state.ver + 1, at_ms: self.now_ms, cmd: None, spent_ms: None, event };
        let change = self.state.apply(entry).expect("legal").change;
        self.state.told(change, self.now_ms);
    }

    fn wish(&mut self, side: Side, act: &Act) {
        let who = player(side);
        let wish = Wish { who: &who, ver: self.state.ver, arrived_ms: self.now_ms, lag_ms: 0, act };
        match decide(&self.state, wish) {
            Ok(Decision::Event(event, _)) => self.add(event),
            Ok(Decision::TooLate(by)) => self.add(self.state.time_is_up(by)),
            Ok(Decision::Rematch | Decision::Premove(..)) | Err(_) => {}
        }
    }

    fn moves(&mut self, side: Side) {
        let text = self.state.game.moves().swap_remove(0);
        self.wish(side, &Act::Move { text, away: false });
    }

    fn random(seed: u64, honest: Side) -> Play {
        let mut random = Random(seed);
        let clock =
            ClockSpec::Fischer { base_ms: [60_000, 300_000, 1_800_000][random.below(3)], increment_ms: 0 };
        let mut play = Play { state: open(clock), now_ms: 1_000, here: [false; 2], blamed: None };
        let first_ms = first_move_ms(&play.state.setup).expect("has a time");
        for side in Side::BOTH {
            play.add(Event::Sit { side, who: player(side), secret: None });
        }
        let other = honest.other();
        play.here[honest.index()] = true;
        let (mut waited_ms, patience_ms) = (0, random.below(90_000) as u64);
        while play.state.is_on() && play.state.turns() < 6 {
            play.now_ms += STEP_MS;
            if let Some(by) = table::decide::fallen(&play.state, play.now_ms) {
                play.add(play.state.time_is_up(by));
                break;
            }
            if random.below(4) == 0 {
                play.here[other.index()] ^= true;
            }
            if play.state.turn() == honest {
                // In time, and often at the last moment.
                waited_ms += STEP_MS;
                let left_ms = play.state.first_left_ms(play.now_ms).unwrap_or(first_ms);
                if random.below(5) == 0 || left_ms <= STEP_MS || play.state.in_earnest() {
                    play.moves(honest);
                    waited_ms = 0;
                    continue;
                }
            }
            let leaves = waited_ms >= patience_ms && !play.here[other.index()];
            if leaves || (play.state.turn() != honest && random.below(40) == 0) {
                play.wish(honest, &Act::Abort);
            } else if play.here[other.index()] {
                match random.below(12) {
                    0 => play.wish(other, &Act::Abort),
                    1..=3 if play.state.turn() == other => play.moves(other),
                    _ => {}
                }
            }
        }
        play
    }
}

#[test]
fn who_was_there_and_acted_is_never_blamed() {
    let mut blames = 0;
    let mut reasons = BTreeMap::<String, u32>::new();
    for seed in 0..GAMES {
        let honest = Side::BOTH[(seed % 2) as usize];
        let play = Play::random(seed * 7919 + 11, honest);
        assert_ne!(play.blamed, Some(honest), "seed {seed}: {:?}", play.state.end);
        if let Some(end) = &play.state.end {
            *reasons.entry(end.reason.to_string()).or_default() += 1;
            if end.reason == "not-begun" {
                assert_eq!(play.blamed, Some(honest.other()), "seed {seed}: the absent one is");
            }
        }
        blames += u32::from(play.blamed.is_some());
    }
    assert!(blames > 50, "{blames} of {GAMES}: {reasons:?}");
    assert!(reasons.len() >= 3, "{reasons:?}");
}
