//! Puzzles made from a game.
//!
//! Each position is searched with two lines (MultiPV 2). Where the best keeps a result that the second lets go by a
//! clear margin, the search is repeated with [`AGAIN`] times as many positions; then the line goes on as long as that
//! stays so. Where a family has a prover, a win counts only when it is proved ([`crate::prove`]).

use std::collections::{BTreeMap, HashSet};

use engine::{Bound, Info, Limits, Stop, TranspositionTable, Worth, native};
use kernel::{AnyGame, Outcome, PlayError, Problem, Side};

use crate::prove::{ProofResult, prove};
use crate::puzzle::{Goal, MOST_TURNS, Opener, Puzzle};
use crate::themes;

/// The factor by which more positions are searched to verify a candidate.
pub const AGAIN: u64 = 10;
/// The first search of a position gets this fraction of the positions: one in five.
const GLANCE: u64 = 5;
/// The number of turns at the start that are skipped: openings are not puzzles.
const BEGIN: usize = 4;

/// The search effort that is spent on a game.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of positions searched for each candidate; [`AGAIN`] times as many to verify it.
    pub nodes: u64,
    /// The most puzzles of one game.
    pub most: usize,
    /// Ends it from outside; what was found so far is kept.
    pub stop: Stop,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { nodes: 20_000, most: 3, stop: Stop::default() }
    }
}

/// A game in which puzzles are sought: the rules as a puzzle names them, the start, and the moves.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The key of the game in the catalogue.
    pub game: String,
    /// Options that differ from the usual ones.
    pub options: BTreeMap<String, i64>,
    /// The map, for games that have one.
    pub map: Option<String>,
    /// The FEN of the start; `None` for the usual start.
    pub fen: Option<String>,
    /// The texts of the moves.
    pub moves: Vec<String>,
    /// The origin of the game, as in [`Puzzle::source`].
    pub source: String,
}

/// A puzzle, with the turn that was played in its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The puzzle that was found.
    pub puzzle: Puzzle,
    /// The side to move in it.
    pub side: Side,
    /// True if the player to move in the game missed the solution.
    pub missed: bool,
}

/// The evaluations that count as won and as still level, in hundredths of the family's own unit.
#[derive(Clone, Copy)]
struct Margin {
    /// The evaluation from which a side is winning. `None`: only a forced win counts.
    won: Option<i32>,
    /// The evaluation up to which neither side is winning.
    level: i32,
}

/// The margins by family, since scales of evaluations differ: a man of draughts decides more than a soldier of
/// xiangqi. The numbers are such that a search with twenty times the positions seldom changes its result;
/// `scripts/puzzles-check.py` measures that.
const MARGINS: [(&str, Margin); 3] = [
    ("xiangqi", Margin { won: Some(500), level: 120 }),
    ("draughts", Margin { won: Some(180), level: 60 }),
    ("jingbanqi", Margin { won: Some(600), level: 150 }),
];
/// The margin of the other families: only a forced win or a forced loss counts.
const FORCED: Margin = Margin { won: None, level: 1_000 };

/// The two best turns of a position.
struct Two {
    best: Vec<String>,
    worths: [Worth; 2],
}

struct Finder<'a> {
    memory: &'a TranspositionTable,
    stop: &'a Stop,
    margin: Margin,
    /// The number of pieces at the start of the game.
    begun: usize,
}

/// Finds the puzzles of a game, in the order of its moves.
///
/// # Errors
/// An unknown game or map, or a move that is not legal.
pub fn find(
    played: &Played,
    effort: &Effort,
    open: &Opener,
    memory: &TranspositionTable,
) -> Result<Vec<Found>, Problem> {
    let mut shell = Puzzle {
        id: String::new(),
        game: played.game.clone(),
        options: played.options.clone(),
        map: played.map.clone(),
        fen: String::new(),
        last: Vec::new(),
        goal: Goal::Win,
        line: Vec::new(),
        themes: Vec::new(),
        rating: 0,
        nodes: effort.nodes * AGAIN,
        proved: 0,
        source: played.source.clone(),
        set: None,
    };
    memory.clear();
    let margin = MARGINS.iter().find(|(family, _)| *family == shell.family()).map_or(FORCED, |row| row.1);
    let mut game = open(&shell, played.fen.as_deref())?;
    let finder = Finder { memory, stop: &effort.stop, margin, begun: open(&shell, None)?.all_pieces().len() };
    let (mut found, mut turns, mut whole, mut free_at) = (Vec::new(), 0, true, 0);
    for (ply, text) in played.moves.iter().enumerate() {
        if found.len() == effort.most || effort.stop.is_raised() {
            break;
        }
        if whole && turns >= BEGIN && turns >= free_at {
            shell.fen = game.fen();
            shell.last = game.view().last;
            let here = open(&shell, Some(&shell.fen))?;
            if let Some(puzzle) = finder.look(here.as_ref(), &shell, effort.nodes)? {
                free_at = turns + puzzle.line.len();
                let missed = puzzle.line[0].iter().ne(played.moves[ply..].iter().take(puzzle.line[0].len()));
                found.push(Found { side: here.turn(), puzzle, missed });
            }
        }
        let mover = game.turn();
        game.play(text).map_err(PlayError::problem)?;
        if game.outcome().is_some() {
            break;
        }
        whole = game.turn() != mover;
        turns += usize::from(whole);
    }
    Ok(found)
}

impl Finder<'_> {
    /// Returns the puzzle at a position, if it is one.
    fn look(&self, here: &dyn AnyGame, shell: &Puzzle, nodes: u64) -> Result<Option<Puzzle>, Problem> {
        let Some(goal) = self.goal(here, nodes / GLANCE)? else { return Ok(None) };
        if self.goal(here, nodes)? != Some(goal) {
            return Ok(None);
        }
        let said = prove(here);
        if said != ProofResult::Silent && (goal != Goal::Win || said == ProofResult::Nothing) {
            return Ok(None);
        }
        let Some(line) = self.line(here, goal, nodes * AGAIN)? else { return Ok(None) };
        if !self.is_alone(here, goal, &line[0], nodes * AGAIN)? {
            return Ok(None);
        }
        let mut puzzle = Puzzle {
            id: Puzzle::id_of(&shell.game, &shell.options, shell.map.as_deref(), &shell.fen),
            goal,
            line,
            ..shell.clone()
        };
        if let ProofResult::Wins { first, plies } = said {
            // The proof is of another move than the search's: then there are two.
            if puzzle.line[0] != [first] || plies < 3 {
                return Ok(None);
            }
            puzzle.proved = plies;
        }
        let facts = themes::facts(&puzzle, here, self.begun)?;
        if facts.obvious {
            return Ok(None);
        }
        puzzle.rating = facts.rating;
        puzzle.themes = facts.themes;
        Ok(Some(puzzle))
    }

    /// Returns the result that the best turn keeps and the second lets go; `None` if there is no such difference, or
    /// no choice.
    fn goal(&self, game: &dyn AnyGame, nodes: u64) -> Result<Option<Goal>, Problem> {
        Ok(self.two(game, nodes)?.and_then(|two| self.kept(&two)))
    }

    fn kept(&self, two: &Two) -> Option<Goal> {
        let [best, second] = two.worths;
        if self.is_won(best) && self.at_most_level(second) {
            return Some(Goal::Win);
        }
        (self.at_most_level(turned(best)) && self.is_won(turned(second))).then_some(Goal::Hold)
    }

    fn is_won(&self, worth: Worth) -> bool {
        match worth {
            Worth::Wins(plies) => plies > 0,
            Worth::Hundredths(worth) => self.margin.won.is_some_and(|won| worth >= won),
        }
    }

    fn at_most_level(&self, worth: Worth) -> bool {
        match worth {
            Worth::Wins(plies) => plies < 0,
            Worth::Hundredths(worth) => worth <= self.margin.level,
        }
    }

    /// Searches for the two best turns; `None` where there is only one, or the game is over.
    fn two(&self, game: &dyn AnyGame, nodes: u64) -> Result<Option<Two>, Problem> {
        if game.outcome().is_some() || game.moves().len() < 2 {
            return Ok(None);
        }
        let limits = Limits { nodes: Some(nodes), lines: 2, stop: self.stop.clone(), ..Limits::default() };
        let mut worths: [Option<(u32, Worth)>; 2] = [None; 2];
        let best = native::turn(game, self.memory, &limits, &mut |info: &Info| {
            if info.bound == Bound::Exact && (1..=2).contains(&info.line) {
                worths[info.line - 1] = Some((info.depth, info.worth));
            }
        })?;
        let ([Some(one), Some(two)], false) = (worths, self.stop.is_raised()) else { return Ok(None) };
        Ok(Some(Two { best, worths: [one.1, two.1] }))
    }

    /// Returns true if the other turns let the result go even when the whole search is spent on them.
    fn is_alone(&self, here: &dyn AnyGame, goal: Goal, best: &[String], nodes: u64) -> Result<bool, Problem> {
        let [only] = best else { return self.is_alone_among_turns(here, goal, best, nodes) };
        let others: Vec<String> = here.moves().into_iter().filter(|text| text != only).collect();
        let worth = self.worth(here, nodes * 2, others)?;
        Ok(worth.is_some_and(|worth| !self.keeps(goal, worth)))
    }

    /// Checks the same for turns of several moves. Turns that begin alike cannot be told apart by their first move,
    /// so each position that one of them leads to has its part of the search.
    fn is_alone_among_turns(
        &self,
        here: &dyn AnyGame,
        goal: Goal,
        best: &[String],
        nodes: u64,
    ) -> Result<bool, Problem> {
        let solver = here.turn();
        let mut wanted = here.boxed_clone();
        play(wanted.as_mut(), best)?;
        let turns = turns(here)?;
        let each = nodes * 2 / turns.len().max(1) as u64;
        for other in turns.iter().filter(|other| other.key() != wanted.key()) {
            let keeps = match other.outcome().map(Outcome::winner) {
                Some(Some(winner)) => winner == solver,
                Some(None) => goal != Goal::Win,
                None => match self.worth(other.as_ref(), each, Vec::new())? {
                    Some(worth) => self.keeps(goal, turned(worth)),
                    None => return Ok(false),
                },
            };
            if keeps {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if a turn of this value keeps the result.
    fn keeps(&self, goal: Goal, worth: Worth) -> bool {
        match goal {
            Goal::Win => !self.at_most_level(worth),
            Goal::Hold | Goal::Take => !self.is_won(turned(worth)),
        }
    }

    /// Returns the value of the best of some moves; of all moves, where none are named.
    fn worth(&self, game: &dyn AnyGame, nodes: u64, among: Vec<String>) -> Result<Option<Worth>, Problem> {
        let limits = Limits { nodes: Some(nodes), among, stop: self.stop.clone(), ..Limits::default() };
        let mut worth = None;
        native::turn(game, self.memory, &limits, &mut |info: &Info| {
            if info.bound == Bound::Exact && info.line == 1 {
                worth = Some(info.worth);
            }
        })?;
        Ok(worth)
    }

    /// Extends the line as long as each turn of the solver is the only one; `None` where the first is not.
    fn line(&self, here: &dyn AnyGame, goal: Goal, nodes: u64) -> Result<Option<Vec<Vec<String>>>, Problem> {
        let mut game = here.boxed_clone();
        let solver = game.turn();
        let mut line: Vec<Vec<String>> = Vec::new();
        loop {
            let two = self.two(game.as_ref(), nodes)?.filter(|two| self.kept(two) == Some(goal));
            let Some(two) = two else { break };
            play(game.as_mut(), &two.best)?;
            line.push(two.best);
            if game.outcome().is_some() || line.len() + 2 > MOST_TURNS {
                break;
            }
            let limits = Limits { nodes: Some(nodes / 2), stop: self.stop.clone(), ..Limits::default() };
            let reply = native::turn(game.as_ref(), self.memory, &limits, &mut |_| {})?;
            play(game.as_mut(), &reply)?;
            line.push(reply);
            if game.outcome().is_some() {
                break;
            }
        }
        if line.len().is_multiple_of(2) {
            line.pop();
        }
        if self.stop.is_raised() || is_drawn_for(here, &line)? {
            return Ok(None);
        }
        let ended = end(here, &line)?;
        let lost = ended.is_some_and(|end| end.winner() == Some(solver.other()));
        Ok((!line.is_empty() && !lost).then_some(line))
    }
}

const fn turned(worth: Worth) -> Worth {
    match worth {
        Worth::Hundredths(worth) => Worth::Hundredths(-worth),
        Worth::Wins(plies) => Worth::Wins(-plies),
    }
}

fn play(game: &mut dyn AnyGame, turn: &[String]) -> Result<(), Problem> {
    for text in turn {
        game.play(text).map_err(PlayError::problem)?;
    }
    Ok(())
}

/// Returns the positions that whole turns lead to, and those that end the game within a turn; each position once.
fn turns(here: &dyn AnyGame) -> Result<Vec<Box<dyn AnyGame>>, Problem> {
    let (mut begun, mut whole) = (vec![here.boxed_clone()], Vec::new());
    let mut seen = HashSet::from([here.key()]);
    while let Some(game) = begun.pop() {
        for text in game.moves() {
            let mut next = game.boxed_clone();
            next.play(&text).map_err(PlayError::problem)?;
            if seen.insert(next.key()) {
                if next.outcome().is_none() && next.turn() == here.turn() {
                    begun.push(next);
                } else {
                    whole.push(next);
                }
            }
        }
    }
    Ok(whole)
}

/// Returns true if chance played a part in a line, or before it.
fn is_drawn_for(here: &dyn AnyGame, line: &[Vec<String>]) -> Result<bool, Problem> {
    if !here.has_chance() {
        return Ok(false);
    }
    let mut game = here.boxed_clone();
    line.iter().try_for_each(|turn| play(game.as_mut(), turn))?;
    Ok(game.draws() > 0)
}

fn end(here: &dyn AnyGame, line: &[Vec<String>]) -> Result<Option<Outcome>, Problem> {
    let mut game = here.boxed_clone();
    line.iter().try_for_each(|turn| play(game.as_mut(), turn))?;
    Ok(game.outcome())
}

#[cfg(test)]
mod tests {
    //! Tests of games whose turns have several moves. They catch a puzzle in which another turn wins, too.

    use super::*;
    use crate::puzzle::open;

    /// A turn that wins later is an answer, too. `l u d6 u r` wins at once; in the first position another turn wins
    /// with the next one, as an exhaustive search says (`scripts/puzzles-prove.py`); in the second none does.
    #[test]
    fn a_turn_that_wins_later_is_an_answer_too() {
        let rows = [
            ("12/6w3w1/2b9/3b8/5w6/4w7/4b1b5/12/12/12/12/12 b 1 - -", ["l", "u", "d6", "u", "r"], false),
            ("12/12/9w1w/5b6/6b5/6w5/8b3/6w5/12/11b/12/12 b 1 - -", ["l", "d", "h8", "u", "l"], true),
        ];
        let memory = TranspositionTable::mebibytes(4);
        for (fen, best, alone) in rows {
            let puzzle = crate::starter::puzzles().find(|puzzle| puzzle.game == "locked");
            let game = open(&puzzle.expect("there is one"), Some(fen)).expect("a good position");
            let finder = Finder { memory: &memory, stop: &Stop::default(), margin: FORCED, begun: 8 };
            let best = best.map(str::to_owned);
            assert_eq!(finder.is_alone(game.as_ref(), Goal::Win, &best, 200_000), Ok(alone), "{fen}");
        }
    }
}
