//! Puzzles that people set on maps: a position, an aim, and how many moves it may take.
//!
//! The search is exhaustive: every answer is tried. A puzzle is [proved](Verdict::Proved), or the line that refutes
//! it is returned. Any way to the aim is right, so answers are judged by the same search and not by one line.

use std::collections::{BTreeMap, HashMap};

use jingbanqi::{Jingbanqi, Move};
use kernel::{AnyGame, Game, Notation, Outcome, PlayError, Position, Problem, Side};
use serde::{Deserialize, Serialize};

use crate::judge::Answer;
use crate::puzzle::{Goal, Opener, Puzzle};

/// The most moves that an aim may take.
pub const MOST_WITHIN: u8 = 5;
/// The most positions that a proof may search. A map of 81 squares with twenty pieces a side is proved three moves
/// deep with it.
pub const NODES: u64 = 400_000;
/// The most positions that judging an answer may search: the answer may lead where the proof did not have to look.
const JUDGED: u64 = 4 * NODES;
/// The number of plies after which a line counts as failed: extensions may give a side any number of moves in a row.
const DEEPEST: u32 = 64;

/// The aim that has to be reached, against any answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Aim {
    /// The number of moves of the solver, from 1 to [`MOST_WITHIN`].
    pub within: u8,
    /// The square of the piece that has to be taken; `None`: the game has to be won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<u16>,
}

/// The result of the exhaustive search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The aim is reached against any answer.
    Proved {
        /// The number of moves it takes against the best defence; may be fewer than were allowed.
        within: u8,
        /// The turns of that line, the solver's first and last.
        line: Vec<Vec<String>>,
        /// The number of first moves that reach it in that many moves.
        firsts: u32,
    },
    /// The aim can be prevented.
    Refuted {
        /// The moves of both sides that come nearest to the aim, and prevent it.
        line: Vec<String>,
    },
    /// Every first move reaches the aim, so there is no choice to find.
    Every,
}

impl Verdict {
    /// Returns the reason for refusing the puzzle, if there is one: `puzzle-set-refuted` with the line, or
    /// `puzzle-set-every`.
    #[must_use]
    pub fn refusal(&self, aim: Aim) -> Option<Problem> {
        match self {
            Verdict::Proved { .. } => None,
            Verdict::Refuted { line } => Some(
                Problem::new("puzzle-set-refuted").with("within", aim.within).with("line", line.join(" ")),
            ),
            Verdict::Every => Some(Problem::new("puzzle-set-every")),
        }
    }
}

/// Tries every move and every answer. It calls `go_on` now and then, and stops when that returns `false`.
///
/// # Errors
/// `puzzle-set-game`: it is not played on a map; `puzzle-set-over`: the game is over; `puzzle-set-within`;
/// `puzzle-set-target`: none of the opponent's pieces stands there; `puzzle-set-long`: it takes more than [`NODES`]
/// positions, or more time than there is; `puzzle-chance`: something is drawn at random on the way, and a proof
/// cannot rely on that.
pub fn prove(game: &dyn AnyGame, aim: Aim, go_on: &dyn Fn() -> bool) -> Result<Verdict, Problem> {
    let start = Stand::of(game, aim)?;
    let mut search = Search::new(&start, NODES, go_on);
    let moves = start.moves();
    for left in 1..=aim.within {
        let mut firsts = Vec::new();
        for &m in &moves {
            if search.holds(&start.after(m), left - 1, 1)? {
                firsts.push(m);
            }
        }
        let Some(&first) = firsts.first() else { continue };
        if firsts.len() == moves.len() {
            return Ok(Verdict::Every);
        }
        let line = search.line(&start, first, left)?;
        let firsts = u32::try_from(firsts.len()).unwrap_or(u32::MAX);
        return Ok(Verdict::Proved { within: left, line, firsts });
    }
    Ok(Verdict::Refuted { line: search.counter(&start, aim.within)? })
}

/// Makes the puzzle from a position and its proof.
#[must_use]
pub fn puzzle(
    game: &dyn AnyGame,
    map: &str,
    aim: Aim,
    within: u8,
    line: Vec<Vec<String>>,
    source: String,
) -> Puzzle {
    let aim = Aim { within, ..aim };
    let goal = if aim.takes.is_some() { Goal::Take } else { Goal::Win };
    let (fen, name) = (game.fen(), catalog::maps::KEY.to_owned());
    // The same position may be asked about in several ways.
    let asked = format!("{fen} {} {:?}", aim.within, aim.takes);
    Puzzle {
        id: Puzzle::id_of(&name, &BTreeMap::new(), Some(map), &asked),
        game: name,
        options: BTreeMap::new(),
        map: Some(map.to_owned()),
        fen,
        last: Vec::new(),
        goal,
        line,
        themes: vec![goal.key().to_owned()],
        rating: 1500,
        nodes: NODES,
        proved: 2 * u32::from(within) - 1,
        source,
        set: Some(aim),
    }
}

/// Returns the id of a puzzle that a person set.
pub(crate) fn id_of(puzzle: &Puzzle, aim: Aim) -> String {
    let asked = format!("{} {} {:?}", puzzle.fen, aim.within, aim.takes);
    Puzzle::id_of(&puzzle.game, &puzzle.options, puzzle.map.as_deref(), &asked)
}

/// Judges moves of the solver: each is right that still reaches the aim in time. The answers are the longest defence.
///
/// # Errors
/// The errors of [`judge`](crate::judge()), and `puzzle-set-long`.
pub(crate) fn judge(puzzle: &Puzzle, aim: Aim, moves: &[String], open: &Opener) -> Result<Answer, Problem> {
    let mut game = open(puzzle, Some(&puzzle.fen))?;
    let mut stand = Stand::of(game.as_ref(), aim)?;
    let mut search = Search::new(&stand, JUDGED, &|| true);
    let (mut left, mut at) = (aim.within, 0);
    let mut moves = moves.iter();
    loop {
        while stand.pos.turn() == search.solver {
            let Some(text) = moves.next() else { return Ok(Answer::On(game)) };
            stand = played(game.as_mut(), &stand, text)?;
            left = left.saturating_sub(1);
            match search.now(&stand) {
                Now::Reached => return Ok(Answer::Solved(game)),
                Now::Failed => return Ok(Answer::Wrong(game, at)),
                Now::Open => {}
            }
        }
        if !search.holds(&stand, left, 1)? {
            return Ok(Answer::Wrong(game, at));
        }
        at += 1;
        while stand.pos.turn() != search.solver {
            let m = search.defence(&stand, left)?;
            let text = stand.pos.move_text(m);
            stand = played(game.as_mut(), &stand, &text)?;
            if let Now::Reached = search.now(&stand) {
                return Ok(Answer::Solved(game));
            }
        }
    }
}

/// Returns the answer that prevents the aim, after a turn that was wrong; `None` where only the moves are used up.
///
/// # Errors
/// The errors of [`judge`](crate::judge()), and `puzzle-set-long`.
pub fn refutation(
    puzzle: &Puzzle,
    aim: Aim,
    game: &dyn AnyGame,
    open: &Opener,
) -> Result<Option<String>, Problem> {
    let mut again = open(puzzle, Some(&puzzle.fen))?;
    let mut stand = Stand::of(again.as_ref(), aim)?;
    let mut search = Search::new(&stand, JUDGED, &|| true);
    let mut left = aim.within;
    for text in game.record() {
        left = left.saturating_sub(u8::from(stand.pos.turn() == search.solver));
        stand = played(again.as_mut(), &stand, &text)?;
    }
    if left == 0 || again.outcome().is_some() || stand.pos.turn() == search.solver {
        return Ok(None);
    }
    for m in stand.moves() {
        if !search.holds(&stand.after(m), left, 1)? {
            return Ok(Some(stand.pos.move_text(m)));
        }
    }
    Ok(None)
}

/// Plays a move in the game and follows it.
fn played(game: &mut dyn AnyGame, stand: &Stand, text: &str) -> Result<Stand, Problem> {
    let text = game.read(text).map_err(PlayError::problem)?;
    let m = stand.pos.read_move(&text).ok_or_else(|| Problem::new("puzzle-format").with("detail", &text))?;
    game.play(&text).map_err(PlayError::problem)?;
    Ok(stand.after(m))
}

/// A position, with the place of the piece that has to be taken.
#[derive(Clone)]
struct Stand {
    pos: Jingbanqi,
    target: Target,
    /// The number of pieces that were turned over before the puzzle: what lies open is part of the position.
    turned_before: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// The game has to be won.
    None,
    /// The piece stands on that square, and belongs to that side, or to neither.
    At(u16, Option<Side>),
    Gone,
}

enum Now {
    Reached,
    Failed,
    Open,
}

impl Stand {
    fn of(game: &dyn AnyGame, aim: Aim) -> Result<Stand, Problem> {
        let known = game.as_any().downcast_ref::<Game<Jingbanqi>>();
        let pos = known.ok_or_else(|| Problem::new("puzzle-set-game"))?.position().clone();
        if !(1..=MOST_WITHIN).contains(&aim.within) {
            return Err(Problem::new("puzzle-set-within").with("most", MOST_WITHIN));
        }
        if pos.outcome().is_some() {
            return Err(Problem::new("puzzle-set-over"));
        }
        let target = match aim.takes {
            None => Target::None,
            Some(at) => {
                let inside = usize::from(at) < pos.book().map().squares();
                let piece = if inside { pos.present(at) } else { None };
                let piece = piece.filter(|piece| piece.owner != Some(pos.turn()));
                Target::At(at, piece.ok_or_else(|| Problem::new("puzzle-set-target"))?.owner)
            }
        };
        let turned_before = pos.turned_over();
        Ok(Stand { pos, target, turned_before })
    }

    /// Returns the moves, captures first: they decide most.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.pos.moves(&mut moves);
        let quiet = |m: &Move| m.from == m.to || self.pos.piece(m.to).is_none();
        moves.sort_by_key(quiet);
        moves
    }

    fn after(&self, m: Move) -> Stand {
        let mut pos = self.pos.clone();
        pos.play(m);
        let target = match self.target {
            Target::At(at, owner) => {
                let taken = m.to == at && m.from != at;
                let at = if m.from == at { m.to } else { at };
                let there = pos.present(at).is_some_and(|piece| piece.owner == owner);
                if taken || !there { Target::Gone } else { Target::At(at, owner) }
            }
            other => other,
        };
        Stand { pos, target, ..*self }
    }

    /// Checks that chance played no part on the way here: a proof could know its result only by looking ahead in one
    /// game of many.
    fn is_certain(&self) -> Result<(), Problem> {
        let is_certain = self.pos.drawn() == 0 && self.pos.turned_over() == self.turned_before;
        if is_certain { Ok(()) } else { Err(Problem::new("puzzle-chance")) }
    }

    /// Returns the key of the position for the table of known results. It is complete only where the rules remember
    /// nothing beside the board.
    fn key(&self, left: u8) -> (u64, u32, u8) {
        let at = match self.target {
            Target::None => u32::MAX,
            Target::Gone => u32::MAX - 1,
            Target::At(at, _) => u32::from(at),
        };
        (self.pos.key(), at, left)
    }
}

/// An exhaustive search that remembers its results.
struct Search<'a> {
    solver: Side,
    known: HashMap<(u64, u32, u8), bool>,
    /// True if the map's extensions keep a state of their own. That state is not in the key, so the table of known
    /// results is not used.
    remembers: bool,
    left: u64,
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> Search<'a> {
    fn new(start: &Stand, nodes: u64, go_on: &'a dyn Fn() -> bool) -> Search<'a> {
        let remembers = start.pos.extensions().is_none();
        Search { solver: start.pos.turn(), known: HashMap::new(), remembers, left: nodes, go_on }
    }

    fn now(&self, stand: &Stand) -> Now {
        let ended = stand.pos.outcome();
        match (stand.target, ended) {
            (Target::Gone, end) if !matches!(end, Some(Outcome::Void(_))) => Now::Reached,
            (Target::None, Some(end)) if end.winner() == Some(self.solver) => Now::Reached,
            (_, Some(_)) => Now::Failed,
            _ => Now::Open,
        }
    }

    /// Returns true if the aim is reached from here with `left` more moves of the solver, against any answer.
    fn holds(&mut self, stand: &Stand, left: u8, ply: u32) -> Result<bool, Problem> {
        if self.left == 0 || (self.left.is_multiple_of(256) && !(self.go_on)()) {
            return Err(Problem::new("puzzle-set-long").with("nodes", NODES));
        }
        self.left -= 1;
        stand.is_certain()?;
        match self.now(stand) {
            Now::Reached => return Ok(true),
            Now::Failed => return Ok(false),
            Now::Open if left == 0 || ply > DEEPEST => return Ok(false),
            Now::Open => {}
        }
        let key = stand.key(left);
        if let Some(&known) = self.known.get(&key).filter(|_| self.remembers) {
            return Ok(known);
        }
        let own = stand.pos.turn() == self.solver;
        let rest = left - u8::from(own);
        let mut holds = !own;
        for m in stand.moves() {
            if self.holds(&stand.after(m), rest, ply + 1)? == own {
                holds = own;
                break;
            }
        }
        if self.remembers {
            self.known.insert(key, holds);
        }
        Ok(holds)
    }

    /// Returns the number of moves of the solver that the aim takes from here, of at most `most`; `most + 1` if it is
    /// not reached.
    fn takes(&mut self, stand: &Stand, most: u8) -> Result<u8, Problem> {
        for left in 0..=most {
            if self.holds(stand, left, 1)? {
                return Ok(left);
            }
        }
        Ok(most + 1)
    }

    /// Returns the longest defence: the answer after which the aim takes the most moves.
    fn defence(&mut self, stand: &Stand, left: u8) -> Result<Move, Problem> {
        let mut best: Option<(u8, Move)> = None;
        for m in stand.moves() {
            let takes = self.takes(&stand.after(m), left)?;
            if best.is_none_or(|(most, _)| takes > most) {
                best = Some((takes, m));
            }
        }
        best.map(|(_, m)| m).ok_or_else(|| Problem::new("puzzle-set-over"))
    }

    /// Returns the line of a proof: the solver's first move that reaches the aim soonest, and the longest defence.
    fn line(&mut self, start: &Stand, first: Move, within: u8) -> Result<Vec<Vec<String>>, Problem> {
        let mut turns: Vec<Vec<String>> = Vec::new();
        let (mut stand, mut left, mut next, mut last) = (start.clone(), within, first, None);
        loop {
            let mover = stand.pos.turn();
            let text = stand.pos.move_text(next);
            match turns.last_mut().filter(|_| last == Some(mover)) {
                Some(turn) => turn.push(text),
                None => turns.push(vec![text]),
            }
            last = Some(mover);
            left -= u8::from(mover == self.solver);
            stand = stand.after(next);
            if !matches!(self.now(&stand), Now::Open) {
                return Ok(turns);
            }
            next = if stand.pos.turn() == self.solver {
                let needed = self.takes(&stand, left)?;
                let mut found = None;
                for m in stand.moves() {
                    if self.holds(&stand.after(m), needed.saturating_sub(1), 1)? {
                        found = Some(m);
                        break;
                    }
                }
                found.ok_or_else(|| Problem::new("puzzle-set-over"))?
            } else {
                self.defence(&stand, left)?
            };
        }
    }

    /// Returns the line that comes nearest to the aim, and the answer that prevents it: of the solver's moves the one
    /// with the fewest answers that prevent it, and the first of those.
    fn counter(&mut self, start: &Stand, within: u8) -> Result<Vec<String>, Problem> {
        let (mut line, mut stand, mut left) = (Vec::new(), start.clone(), within);
        while left > 0 && matches!(self.now(&stand), Now::Open) {
            let own = stand.pos.turn() == self.solver;
            let mut best: Option<(usize, Move)> = None;
            for m in stand.moves() {
                let next = stand.after(m);
                let prevents = if !own {
                    usize::from(self.holds(&next, left, 1)?)
                } else if matches!(self.now(&next), Now::Open) && left > 1 && next.pos.turn() != self.solver {
                    let mut count = 0;
                    for answer in next.moves() {
                        count += usize::from(!self.holds(&next.after(answer), left - 1, 1)?);
                    }
                    count
                } else {
                    usize::MAX
                };
                if best.is_none_or(|(least, _)| prevents < least) {
                    best = Some((prevents, m));
                }
            }
            let Some((_, m)) = best else { break };
            line.push(stand.pos.move_text(m));
            stand = stand.after(m);
            left -= u8::from(own);
        }
        Ok(line)
    }
}
