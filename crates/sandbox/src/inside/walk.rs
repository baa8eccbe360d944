//! Random moves after a line, for a search by playouts: a whole game for one request, and no trace of it afterwards.

use std::time::Duration;

use jingbanqi::Move;
use jingbanqi::extension::{Scene, WalkPlan, Walked};
use jingbanqi::live::Hooks;
use kernel::{Position, Side};

use super::game::{Asker, Trouble};
use super::library;
use super::line::Table;
use super::playouts::Random;
use super::watch::cpu;
use crate::message::{MOST_MOVES, Reply};

impl Table<'_> {
    /// Goes to a line and plays random moves from there. Prints and tracebacks of these are dropped.
    pub(crate) fn walk(&mut self, keep: usize, moves: &[Move], plan: WalkPlan) -> Reply {
        let tells = std::mem::replace(&mut self.tells, false);
        library::keep_prints(false);
        let reply = match self.go(keep, moves) {
            Ok(()) => self.walk_on(plan),
            Err(fault) => self.failed(fault),
        };
        self.tells = tells;
        library::keep_prints(tells);
        reply
    }

    fn walk_on(&mut self, plan: WalkPlan) -> Reply {
        let Some((game, vm)) = self.playing() else { return self.failed(self.mistake("no game has begun")) };
        let asker = Asker { game: &game, vm };
        let until = cpu() + Duration::from_millis(plan.cpu_ms.into());
        let mut random = Random(plan.seed | 1);
        let mut moves = Vec::new();
        let ended = loop {
            if game.live.end().is_some() {
                break Ok(true);
            }
            if moves.len() >= plan.longest as usize || cpu() > until {
                break Ok(false);
            }
            self.begin_ply();
            match step(&asker, &mut random) {
                Ok(Some(made)) => moves.push(made),
                Ok(None) => break Ok(true),
                Err(trouble) => break Err(trouble),
            }
        };
        let told = ended.and_then(|is_over| {
            let points = if is_over { None } else { points(&asker)? };
            Ok((is_over, points))
        });
        let (is_over, points, fault) = match told {
            Ok((is_over, points)) => (is_over, points, None),
            Err(trouble) => (true, None, Some(self.fault(&trouble))),
        };
        let scene = Scene { fault, ..game.live.scene(Vec::new()) };
        self.leave_no_trace(&game);
        Reply::Walked(Walked { moves, scene, is_over, points })
    }
}

/// Plays one of the moves and returns it with its player; `None` where there is no move.
fn step(asker: &Asker<'_>, random: &mut Random) -> Result<Option<(Side, Move)>, Trouble> {
    let live = &asker.game.live;
    let moves = live.moves(asker)?;
    // Being asked may end the game.
    if moves.is_empty() || moves.len() > MOST_MOVES || live.end().is_some() {
        return Ok(None);
    }
    let m = moves[random.below(moves.len())];
    let side = if live.is_second() { live.position().turn() } else { live.turn() };
    asker.play(m)?;
    Ok(Some((side, m)))
}

/// The points of red and blue, where the author counts them.
fn points(asker: &Asker<'_>) -> Result<Option<[i64; 2]>, Trouble> {
    let Some(red) = asker.score(&asker.game.live, Side::First)? else { return Ok(None) };
    Ok(asker.score(&asker.game.live, Side::Second)?.map(|blue| [red, blue]))
}
