//! Catches a player being blamed for a game that does not begin although they were there and did their part.

use std::collections::BTreeMap;

use kernel::Side;
use kernel::laws::Random;
use table::first::{blamed, first_move_ms};
use table::{ActRequest, Decision, Entry, Event, Setup, State, decide};
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
        heading: None,
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
    fn seated(clock: ClockSpec) -> Play {
        let mut play = Play { state: open(clock), now_ms: 1_000, here: [false; 2], blamed: None };
        for side in Side::BOTH {
            play.add(Event::Sit { side, who: player(side), secret: None });
            play.is_here(side, false);
        }
        play
    }

    fn is_here(&mut self, side: Side, is_here: bool) {
        self.here[side.index()] = is_here;
        self.state.note_here(side, is_here, self.now_ms);
    }

    /// Time goes by; a turn that is not made in it ends the game.
    fn wait(&mut self, ms: u64) {
        self.now_ms += ms;
        if let Some(by) = table::decide::fallen(&self.state, self.now_ms) {
            self.add(self.state.time_is_up(by));
        }
    }

    fn add(&mut self, event: Event) {
        self.blamed = self.blamed.or_else(|| blamed(&self.state, &event, self.here, self.now_ms));
        let entry = Entry { ver: self.state.ver + 1, at_ms: self.now_ms, cmd: None, spent_ms: None, event };
        let change = self.state.apply(entry).expect("legal").change;
        self.state.told(change, self.now_ms);
    }

    fn wish(&mut self, side: Side, act: &Act) {
        let who = player(side);
        let wish = ActRequest { who: &who, ver: self.state.ver, arrived_ms: self.now_ms, lag_ms: 0, act };
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
        let mut play = Play::seated(some_clock(&mut random));
        let first_ms = first_move_ms(&play.state.setup).expect("has a time");
        let other = honest.other();
        play.is_here(honest, true);
        let (mut waited_ms, patience_ms) = (0, random.below(90_000) as u64);
        while play.state.is_on() && play.state.turns() < 6 {
            play.wait(STEP_MS);
            if !play.state.is_on() {
                break;
            }
            if random.below(4) == 0 {
                play.is_here(other, !play.here[other.index()]);
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
            let is_kept_waiting = play.state.turn() != honest
                && play.state.first_left_ms(play.now_ms).is_some_and(|left_ms| left_ms * 2 <= first_ms);
            if leaves || (is_kept_waiting && random.below(10) == 0) {
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

fn some_clock(random: &mut Random) -> ClockSpec {
    ClockSpec::Fischer { base_ms: [60_000, 300_000, 1_800_000][random.below(3)], increment_ms: 0 }
}

/// Plays a game that one side wants to get rid of, at a moment of its choice in which it has not been kept waiting:
/// it ends the game, or goes away until the other ends it. The other is there, moves at once and waits.
fn rid_of(seed: u64, leaver: Side) -> Play {
    let mut random = Random(seed);
    let mut play = Play::seated(some_clock(&mut random));
    let honest = leaver.other();
    Side::BOTH.into_iter().for_each(|side| play.is_here(side, true));
    let (at_turn, goes_away) = (random.below(2), random.below(2) == 0);
    while play.state.turns() < at_turn {
        play.wait(1 + random.below(4_000) as u64);
        play.moves(play.state.turn());
    }
    play.wait(1 + random.below(4_000) as u64);
    if !goes_away {
        play.wish(leaver, &Act::Abort);
        return play;
    }
    play.is_here(leaver, false);
    // Longer than a page takes that is loaded again.
    let patience_ms = 10_000 + random.below(8_000) as u64;
    let left_ms = play.now_ms;
    while play.state.is_on() {
        play.wait(STEP_MS);
        if play.now_ms >= left_ms + patience_ms {
            play.wish(honest, &Act::Abort);
        } else if play.state.turn() == honest
            && (random.below(6) == 0
                || play.state.first_left_ms(play.now_ms).is_some_and(|left| left <= 2 * STEP_MS))
        {
            play.moves(honest);
        }
    }
    play
}

/// Row H2, the other way round: sides could be chosen by leaving while the other was to move.
#[test]
fn who_wants_to_be_rid_of_a_game_is_blamed_whoever_is_to_move() {
    let mut ends = BTreeMap::<(String, bool), u32>::new();
    for seed in 0..GAMES {
        let leaver = Side::BOTH[(seed % 2) as usize];
        let play = rid_of(seed * 104_729 + 5, leaver);
        let end = play.state.end.as_ref().expect("is over");
        assert_eq!(play.blamed, Some(leaver), "seed {seed}: {end:?}");
        *ends.entry((end.reason.to_string(), play.state.turn() == leaver)).or_default() += 1;
    }
    assert!(ends.len() >= 3, "{ends:?}");
}

/// Rows: who is to move, who ends the game and when, whether the other is there or for how long away, who is to blame.
#[test]
fn who_ends_a_game_that_has_not_begun() {
    use Side::{First, Second};
    let blitz = ClockSpec::Fischer { base_ms: 300_000, increment_ms: 0 };
    for (name, wait_ms, away, by, wanted) in [
        ("at once, to move", 10, None, First, Some(First)),
        ("at once, and the other is to move", 10, None, Second, Some(Second)),
        ("after half of the time", 15_000, None, Second, None),
        ("a moment before", 14_990, None, Second, Some(Second)),
        ("to move, after all of it but a moment", 29_990, None, First, Some(First)),
        ("the other has just gone", 10, Some(5_000), First, None),
        ("the other has gone", 10, Some(10_000), First, Some(Second)),
        ("and was to move", 10, Some(10_000), Second, Some(First)),
    ] {
        let mut play = Play::seated(blitz);
        Side::BOTH.into_iter().for_each(|side| play.is_here(side, true));
        play.wait(wait_ms);
        if let Some(away_ms) = away {
            play.is_here(by.other(), false);
            play.wait(away_ms);
        }
        play.wish(by, &Act::Abort);
        assert!(play.state.end.is_some(), "{name}");
        assert_eq!(play.blamed, wanted, "{name}");
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
