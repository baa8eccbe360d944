//! Our own search behind the [`Engine`] trait.

use kernel::{AnyGame, Game, Notation, Position, Problem};
use search::{Evaluator, Memory, Verdict};

use crate::level::{Ladder, Strength};
use crate::locked::{self, Whole};
use crate::task::{Engine, Info, Limits, Task, Worth};
use crate::{draughts, gomoku, jingbanqi, xiangqi};

/// How large the table of positions is unless somebody says otherwise, in MiB.
pub const USUAL_MEMORY: usize = 64;

/// All variants of draughts, for a macro.
macro_rules! all_draughts {
    ($do:ident) => {
        $do!(International Brazilian Russian Pool English Italian Spanish Czech Frisian Frysk Killer Breakthrough
            Losing Thai Turkish Canadian School);
    };
}

/// With how many pieces on the board endings are known unless somebody says otherwise.
pub const USUAL_ENDINGS: u32 = draughts::endings::USUAL;

/// Our engine for one game; it keeps its table between moves.
pub struct Native {
    open: Opener,
    memory: Memory,
}

/// Opens the game at a FEN, or at its usual start.
type Opener = Box<dyn Fn(Option<&str>) -> Result<Box<dyn AnyGame>, Problem> + Send>;

impl Native {
    /// The engine for a game of the catalogue; `options` as [`catalog::Entry::settle`] takes them, `memory` in MiB.
    ///
    /// # Errors
    /// No such game, or no such option.
    pub fn new(key: &str, options: &catalog::Options, memory: usize) -> Result<Native, Problem> {
        let entry = catalog::find(key)?;
        let options = entry.settle(options, catalog::Setting::Faithful)?;
        Ok(Native::opening(Box::new(move |fen| entry.open(None, &options, fen)), memory))
    }

    /// The engine for games that are opened so, as those on somebody's map.
    #[must_use]
    pub fn opening(open: Opener, memory: usize) -> Native {
        if let Ok(game) = open(None) {
            prepare(game.as_ref(), USUAL_ENDINGS);
        }
        Native { open, memory: Memory::mebibytes(memory) }
    }

    /// Forgets what it found out: another game begins.
    pub fn forget(&mut self) {
        self.memory.clear();
    }
}

impl Engine for Native {
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let mut game = (self.open)(task.fen.as_deref())?;
        for text in &task.moves {
            game.play(text).map_err(kernel::PlayError::problem)?;
        }
        think(game.as_ref(), &self.memory, &task.limits, report)
    }

    fn prepare(&mut self) {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        if let Ok(game) = (self.open)(None) {
            // What is wrong with the game, who asks about it will be told.
            let _ = think(game.as_ref(), &self.memory, &limits, &mut |_| {});
        }
        // Writes to all of it, so that the system hands it out now.
        self.memory.clear();
    }
}

/// Our engine's move in `game`, whose past it minds.
///
/// # Errors
/// `game-over`, and `no-engine` for a game that we do not play.
pub fn think(
    game: &dyn AnyGame,
    memory: &Memory,
    limits: &Limits,
    report: &mut dyn FnMut(&Info),
) -> Result<String, Problem> {
    Ok(turn(game, memory, limits, report)?.swap_remove(0))
}

/// The same, but all moves of the turn that it plans; at least one.
///
/// # Errors
/// As [`think`].
pub fn turn(
    game: &dyn AnyGame,
    memory: &Memory,
    limits: &Limits,
    report: &mut dyn FnMut(&Info),
) -> Result<Vec<String>, Problem> {
    if let Some(outcome) = game.outcome() {
        return Err(Problem::new("game-over").with("reason", outcome.reason()));
    }
    let desk = Desk { memory, limits };
    let any = game.as_any();
    if let Some(game) = any.downcast_ref::<Game<::locked::Locked>>() {
        let whole = locked::whole(game);
        let texts = |whole: &Whole, turns: &[locked::Turn]| locked::texts(whole, turns);
        return desk.search(&whole, &locked::Judge::default(), &texts, &locked::LADDER, report);
    }
    let plays_gomoku = || gomoku::Judge::new(gomoku::Solving::at(held_back(limits, &gomoku::LADDER)));
    if let Some(game) = any.downcast_ref::<Game<::gomoku::Gomoku>>() {
        return desk.search(game, &plays_gomoku(), &texts, &gomoku::LADDER, report);
    }
    if let Some(game) = any.downcast_ref::<Game<::gomoku::Opened>>() {
        return match gomoku::opening::plain(game) {
            Some(plain) => desk.search(&plain, &plays_gomoku(), &texts, &gomoku::LADDER, report),
            None => desk.search(game, &gomoku::opening::OpeningJudge, &texts, &gomoku::LADDER, report),
        };
    }
    if let Some(game) = any.downcast_ref::<Game<::xiangqi::Xiangqi>>() {
        let is_level = held_back(limits, &xiangqi::LADDER).is_some();
        let judge = xiangqi::Judge::playing(game.position(), limits.evaluation, is_level);
        return desk.search(game, &judge, &texts, &xiangqi::LADDER, report);
    }
    if let Some(game) = any.downcast_ref::<Game<::jingbanqi::Jingbanqi>>() {
        return desk.search(game, &jingbanqi::Judge::of(game.position()), &texts, &jingbanqi::LADDER, report);
    }
    macro_rules! play {
        ($($rules:ident)*) => {
            $(if let Some(game) = any.downcast_ref::<Game<::draughts::Draughts<::draughts::$rules>>>() {
                let held_back = held_back(limits, &draughts::LADDER).is_some();
                let judge = if held_back { draughts::Judge::default() } else { draughts::Judge::with_endings() };
                return desk.search(game, &judge, &texts, &draughts::LADDER, report);
            })*
        };
    }
    all_draughts!(play);
    Err(Problem::new("no-engine").with("game", game.fen()))
}

/// Gets ready to play `game` as well as we can: tables that would otherwise be made in the middle of a game. For draughts
/// that is how endings with up to so many pieces end, 4 at most; other games need nothing.
pub fn prepare(game: &dyn AnyGame, endings: u32) {
    let any = game.as_any();
    macro_rules! make {
        ($($rules:ident)*) => {
            $(if any.is::<Game<::draughts::Draughts<::draughts::$rules>>>() {
                draughts::endings::prepare::<::draughts::$rules>(endings);
            })*
        };
    }
    all_draughts!(make);
}

/// Tells moves from a position on as text.
type Texts<'a, P> = dyn Fn(&P, &[<P as Position>::Move]) -> Vec<String> + 'a;

/// What holds our engine back; `None`: nothing.
fn held_back(limits: &Limits, ladder: &Ladder) -> Option<Strength> {
    limits.scale.map(Strength::at).or_else(|| limits.level.and_then(|level| ladder.strength(level)))
}

/// What a search is given.
struct Desk<'a> {
    memory: &'a Memory,
    limits: &'a Limits,
}

/// A level's own table, in bytes: it does not profit from what was found out before, so that its move depends on the
/// game, the level and the seed alone.
const LEVEL_MEMORY: usize = 1 << 20;

impl Desk<'_> {
    /// Searches; `texts` tells moves from a position on as text. The first move of the chosen line is the answer.
    fn search<P: Position, E: Evaluator<P>>(
        &self,
        game: &Game<P>,
        evaluator: &E,
        texts: &Texts<'_, P>,
        ladder: &Ladder,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Vec<String>, Problem> {
        let asked = self.limits;
        let mut limits = search::Limits {
            depth: asked.depth,
            nodes: asked.nodes,
            time: asked.time,
            clock: asked.clock,
            lines: asked.lines,
            threads: asked.threads,
            noise: None,
            stop: asked.stop.clone(),
        };
        let strength = held_back(asked, ladder);
        let own = strength.map(|strength| {
            strength.weaken(&mut limits, asked.seed);
            Memory::new(LEVEL_MEMORY)
        });
        let memory = own.as_ref().unwrap_or(self.memory);
        let pos = game.position();
        let mut tell = |info: &search::Info<P::Move>| {
            report(&Info {
                depth: info.depth,
                furthest: info.furthest,
                line: info.line,
                worth: Worth::of(info.score),
                bound: info.bound,
                nodes: info.nodes,
                time: info.time,
                filled: info.filled,
                moves: texts(pos, &info.moves),
            });
        };
        let mut among = Vec::new();
        if !asked.among.is_empty() {
            pos.moves(&mut among);
            among.retain(|&m| texts(pos, &[m]).first().is_some_and(|text| asked.among.contains(text)));
        }
        let Verdict { lines, .. } = search::think_among(game, evaluator, memory, &limits, &among, &mut tell)
            .expect("the game is not over, as was asked before");
        let chosen = strength.map_or(0, |strength| strength.choose(&lines, asked.seed, pos.key()));
        Ok(texts(pos, &lines[chosen].moves[..1]))
    }
}

/// The texts of moves played one after the other.
pub(crate) fn texts<P: Notation>(pos: &P, moves: &[P::Move]) -> Vec<String> {
    let mut pos = pos.clone();
    let text = |&m: &P::Move| {
        let text = pos.move_text(m);
        pos.play(m);
        text
    };
    moves.iter().map(text).collect()
}
