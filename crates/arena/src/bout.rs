//! One game between two engines.

use std::time::{Duration, Instant};

use catalog::Ruleset;
use engine::{Clock, Limits, Stop, Task, Worth};
use kernel::{Outcome, Problem, Side};

use crate::{Opening, Player};

/// Facts of a failed extension that repeat a part of its words.
const EXPLAINS: [&str; 3] = ["why", "name", "other"];

/// The time controls of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// A fixed time for each move.
    MoveTime(Duration),
    /// A clock with a base time, and an increment for each move.
    Clock(Duration, Duration),
    /// A fixed number of nodes for each move.
    Nodes(u64),
    /// A fixed search depth, in plies.
    Depth(u32),
}

/// The terms of a game: time control and adjudication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The time control.
    pub control: Control,
    /// The tolerance before a move counts as late.
    pub margin: Duration,
    /// The score in hundredths, and the number of moves in a row for which both engines must agree on it, at which a
    /// game is adjudicated as won.
    pub adjudicate: Option<(i32, u32)>,
    /// The number of moves of the engines after which a game is drawn.
    pub most_plies: usize,
}

/// The result of a game between two engines.
#[derive(Clone, PartialEq, Debug)]
pub struct Bout {
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// The time of each move, in milliseconds.
    pub spent_ms: Vec<u64>,
    /// The score of each move by the engine that played it, in hundredths for itself; `None` where it gave none.
    pub worth: Vec<Option<i32>>,
    /// The side that won.
    pub winner: Option<Side>,
    /// The reason of the result: a key of the rules, or `illegal-move`, `late`, `hung`, `died`, `no-move`,
    /// `resigned`, `adjudicated`, `most-plies`, or `game-over` where an engine found a game over that is not.
    pub reason: String,
    /// The time that passed for each side, in milliseconds.
    pub clock_ms: [u64; 2],
    /// The processor time of each side, in milliseconds.
    pub processor_ms: [u64; 2],
    /// The number of nodes that each side searched, as far as it told.
    pub nodes: [u64; 2],
    /// The time of those searches, in microseconds: until the side last reported the number of a move.
    pub nodes_us: [u64; 2],
    /// The error of an engine, in words for a log; empty where there was none.
    pub fault: String,
    /// The explanation of a void game, such as which extension failed, where and how; the most general part first.
    pub void: Option<Vec<String>>,
}

/// The score of a forced win, in hundredths.
const WIN: i32 = 30_000;

/// Plays a game from `opening` to its end; `players` by side. `stop` ends their searches; `goes_on` is asked before
/// each move.
///
/// # Errors
/// The fault of the game or of an engine, if the result would say nothing. `Ok(None)`: called off.
pub fn play(
    rules: &Ruleset,
    players: [&mut Player; 2],
    opening: &Opening,
    terms: &Terms,
    seed: u64,
    stop: &Stop,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<Bout>, Problem> {
    let mut game = rules.play(opening.start.as_deref(), &opening.moves)?;
    let [first, second] = players;
    let mut players = [first, second];
    players.iter_mut().for_each(|player| player.new_game());
    let mut chance = kernel::laws::Random(seed);
    let mut bout = Bout {
        moves: Vec::new(),
        spent_ms: Vec::new(),
        worth: Vec::new(),
        winner: None,
        reason: String::new(),
        clock_ms: [0; 2],
        processor_ms: [0; 2],
        nodes: [0; 2],
        nodes_us: [0; 2],
        fault: String::new(),
        void: None,
    };
    let mut clocks = match terms.control {
        Control::Clock(base, _) => [base; 2],
        _ => [Duration::ZERO; 2],
    };
    let mut agreed = Agreed::default();
    loop {
        if let Some(outcome) = game.outcome() {
            bout.winner = outcome.winner();
            bout.reason = outcome.reason().to_owned();
            if let Outcome::Void(_) = outcome {
                let why = game.caption().map(|caption| caption.args).unwrap_or_default();
                // What explains the words to an author is said in them.
                let plain = why.into_iter().filter(|(name, _)| !EXPLAINS.contains(name));
                bout.void = Some(plain.map(|(_, fact)| fact).collect());
            }
            return Ok(Some(bout));
        }
        if bout.moves.len() >= terms.most_plies {
            bout.reason = "most-plies".to_owned();
            return Ok(Some(bout));
        }
        if !goes_on() {
            return Ok(None);
        }
        let side = game.turn();
        let player = &mut *players[side.index()];
        let limits = Limits { stop: stop.clone(), ..limits(terms.control, clocks[side.index()], seed) };
        let task = Task { fen: opening.start.clone(), moves: game.record(), limits };
        let (before, began) = (player.processor(), Instant::now());
        let mut worth = None;
        let mut looked_at = (0, Duration::ZERO);
        let answer = player.think(task, &mut |info| {
            if info.line <= 1 {
                worth = Some(hundredths(info.worth));
            }
            if info.nodes > 0 {
                looked_at = (info.nodes, info.time);
            }
        });
        // What a program tells may be any number.
        let nodes = &mut bout.nodes[side.index()];
        *nodes = nodes.saturating_add(looked_at.0);
        bout.nodes_us[side.index()] += looked_at.1.as_micros() as u64;
        let spent = began.elapsed();
        let worked =
            player.processor().zip(before).map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then));
        bout.clock_ms[side.index()] += spent.as_millis() as u64;
        bout.processor_ms[side.index()] += worked.as_millis() as u64;
        let lost = match answer {
            // The engine continues a game of its own with the moves played. Where a program decides the
            // rules, its game may have ended otherwise, for example at the time limit: neither player is at
            // fault, and there is no result.
            Err(problem) if problem.key == "game-over" => {
                bout.reason = "game-over".to_owned();
                bout.void = Some(vec![format!("{}: {problem}", player.name())]);
                return Ok(Some(bout));
            }
            Err(problem) => Some((fault(&problem)?, problem.to_string())),
            Ok(_) if is_late(terms, spent, clocks[side.index()]) => {
                Some(("late", format!("{} ms", spent.as_millis())))
            }
            Ok(text) => {
                let drawn = kernel::by_lot(game.as_ref(), &text, |sum| chance.bits() % sum);
                game.play(&drawn).err().map(|_| ("illegal-move", text))
            }
        };
        if let Some((reason, why)) = lost {
            bout.winner = Some(side.other());
            bout.reason = reason.to_owned();
            bout.fault = format!("{}: {why}", player.name());
            return Ok(Some(bout));
        }
        if let Control::Clock(_, increment) = terms.control {
            clocks[side.index()] = clocks[side.index()].saturating_sub(spent) + increment;
        }
        bout.moves.push(game.last_move().expect("a move was played"));
        bout.spent_ms.push(spent.as_millis() as u64);
        bout.worth.push(worth);
        if let Some(winner) = agreed.after(side, worth, terms.adjudicate) {
            bout.winner = Some(winner);
            bout.reason = "adjudicated".to_owned();
            return Ok(Some(bout));
        }
    }
}

fn limits(control: Control, left: Duration, seed: u64) -> Limits {
    let limits = Limits { seed, ..Limits::default() };
    match control {
        Control::MoveTime(time) => Limits { time: Some(time), ..limits },
        Control::Clock(_, increment) => {
            Limits { clock: Some(Clock { left, increment, moves_to_go: None }), ..limits }
        }
        Control::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
        Control::Depth(depth) => Limits { depth: Some(depth), ..limits },
    }
}

fn is_late(terms: &Terms, spent: Duration, left: Duration) -> bool {
    match terms.control {
        Control::MoveTime(time) => spent > time + terms.margin,
        Control::Clock(..) => spent > left + terms.margin,
        Control::Nodes(_) | Control::Depth(_) => false,
    }
}

fn hundredths(worth: Worth) -> i32 {
    match worth {
        Worth::Hundredths(n) => n.clamp(-WIN + 1000, WIN - 1000),
        Worth::Wins(n) if n > 0 => WIN - n.min(900),
        Worth::Wins(n) => -WIN - n.max(-900),
    }
}

/// Returns the reason for which an engine has lost that failed so; an error that is not its doing ends the match.
fn fault(problem: &Problem) -> Result<&'static str, Problem> {
    match problem.key {
        "engine-illegal" => Ok("illegal-move"),
        "engine-hangs" => Ok("hung"),
        "engine-died" | "engine-flood" | "engine-over-limit" => Ok("died"),
        "engine-no-move" => Ok("no-move"),
        "engine-resigns" => Ok("resigned"),
        _ => Err(problem.clone()),
    }
}

/// The number of moves in a row for which both engines have agreed on the winner.
#[derive(Default)]
struct Agreed {
    winner: Option<Side>,
    moves: u32,
    heard: [bool; 2],
}

impl Agreed {
    /// Returns the winner, once both engines have agreed for long enough.
    fn after(&mut self, mover: Side, worth: Option<i32>, terms: Option<(i32, u32)>) -> Option<Side> {
        let (least, moves) = terms?;
        let says = match worth {
            Some(worth) if worth >= least => Some(mover),
            Some(worth) if worth <= -least => Some(mover.other()),
            _ => None,
        };
        if says.is_none() || says != self.winner {
            *self = Agreed { winner: says, ..Agreed::default() };
        }
        self.moves += u32::from(says.is_some());
        self.heard[mover.index()] = says.is_some();
        self.winner.filter(|_| self.moves >= moves && self.heard == [true; 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One engine alone decides nothing, and a doubt resets the count.
    #[test]
    fn both_must_agree() {
        let rule = Some((1000, 3));
        let mut agreed = Agreed::default();
        let mut after = |mover, worth| agreed.after(mover, worth, rule);
        assert_eq!(after(Side::First, Some(1200)), None);
        assert_eq!(after(Side::First, Some(1200)), None);
        assert_eq!(after(Side::First, Some(1200)), None);
        assert_eq!(after(Side::Second, Some(-1100)), Some(Side::First));
        assert_eq!(after(Side::First, Some(10)), None);
        assert_eq!(after(Side::Second, Some(-1100)), None);
        assert_eq!(after(Side::First, None), None);
        assert_eq!(after(Side::Second, Some(1100)), None);
        assert_eq!(after(Side::First, Some(-1100)), None);
        assert_eq!(after(Side::Second, Some(1100)), Some(Side::Second));
        assert_eq!(Agreed::default().after(Side::First, Some(9999), None), None);
    }

    /// An engine that reports that the game is over.
    struct Elsewhere;

    impl engine::Engine for Elsewhere {
        fn think(&mut self, _: &Task, _: &mut dyn FnMut(&engine::Info)) -> Result<String, Problem> {
            Err(Problem::new("game-over").with("reason", "extension-failed"))
        }
    }

    /// A game that an engine takes for over is void, and does not end the whole match.
    #[test]
    fn a_game_that_ends_elsewhere_is_void() {
        let rules = Ruleset::new("gomoku/standard", &catalog::Options::new()).expect("a game of ours");
        let mut players = ["a", "b"].map(|name| Player::of(name, Box::new(Elsewhere)));
        let [first, second] = &mut players;
        let terms =
            Terms { control: Control::Depth(1), margin: Duration::ZERO, adjudicate: None, most_plies: 10 };
        let bout = play(&rules, [first, second], &Opening::default(), &terms, 1, &Stop::default(), &|| true);
        let bout = bout.expect("no reason to end the match").expect("was not called off");
        assert_eq!((bout.winner, bout.reason.as_str()), (None, "game-over"));
        assert!(bout.void.expect("is void")[0].starts_with("a: "), "says whose");
    }
}
