//! Commands for testers beside the protocol: `go perft`, `d`, `eval`, `bench`.

use std::time::Instant;

use engine::Native;
use engine_core::Engine as _;
use engine_core::task::{Limits, Task, Worth};
use kernel::perft::perft_while;
use kernel::{AnyGame, Problem};

use super::super::desk::Desk;
use super::{Question, Score, Voice, score};

/// The maximal depth of `go perft`.
const MOST_DEPTH: u32 = 64;
/// The default depth of `bench`.
const BENCH_DEPTH: u32 = 6;
/// The maximal depth of `bench`.
const MOST_BENCH: u32 = 64;
/// The number of positions that `bench` searches, each a move after the one before.
const BENCHED: usize = 4;
/// The size of the transposition table of `bench`, in MiB.
const BENCH_MEMORY: usize = 16;

impl Voice {
    /// Returns the current game, or reports that there is none.
    fn standing(&self, desk: &mut Desk) -> Option<&dyn AnyGame> {
        if self.game.is_none() {
            self.complain(&Problem::new("engine-no-position"), desk);
        }
        self.game.as_deref()
    }

    /// Counts the paths of moves after each move (perft). `stop` ends it; then only the interruption is reported.
    pub(super) fn count(&self, depth: u32, desk: &mut Desk) {
        let Some(game) = self.standing(desk) else { return };
        let (mut game, ranks, threads) = (game.boxed_clone(), self.ranks, self.threads);
        let depth = depth.clamp(1, MOST_DEPTH);
        desk.aside(move |stop| {
            game.play_past_draws(true);
            let mut lines = Vec::new();
            let mut all: u64 = 0;
            for text in game.moves() {
                if game.play(&text).is_err() {
                    continue;
                }
                let counted = perft_while(&*game, depth - 1, threads, &|| !stop.is_raised());
                game.undo();
                let Some(paths) = counted else { return vec!["info string perft stopped".to_owned()] };
                all += paths;
                lines.push(format!("{}: {paths}", ranks.told(&text)));
            }
            lines.extend([String::new(), format!("Nodes searched: {all}")]);
            lines
        });
    }

    /// Shows the position: rows if its FEN has them, the FEN, the key and the number of moves.
    pub(super) fn show(&self, desk: &mut Desk) {
        let Some(game) = self.standing(desk) else { return };
        let fen = game.fen();
        let board = fen.split(' ').next().unwrap_or_default();
        let rows: Vec<String> = board.split('/').map(spread).collect();
        let mut lines = Vec::new();
        if rows.len() == usize::from(game.board().ranks) {
            lines.extend(rows);
            lines.push(String::new());
        }
        lines.push(format!("Fen: {fen}"));
        lines.push(format!("Key: {:016X}", game.key()));
        lines.push(format!("Moves: {}", game.moves().len()));
        lines.into_iter().for_each(|line| desk.say(line));
    }

    /// Evaluates the position by a search of one ply.
    pub(super) fn eval(&mut self, desk: &mut Desk) {
        let Some(game) = self.standing(desk) else { return };
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let task = Task { fen: self.fen.clone(), moves: game.record(), limits };
        self.questions.push_back(Question { is_eval: true, lines: 1, ..Question::default() });
        desk.think(task, false);
    }

    pub(super) fn tell_eval(&self, worth: Option<Worth>, desk: &mut Desk) {
        let told = match worth.map(score) {
            Some(Score::Hundredths(n)) => format!("cp {n}"),
            Some(Score::Mate(n)) => format!("mate {n}"),
            None => "unknown".to_owned(),
        };
        desk.say(format!("Evaluation for the side to move, after one ply: {told}"));
    }

    /// Searches the start and some positions after it to a depth, with one thread and a new table.
    pub(super) fn bench(&self, depth: Option<u32>, desk: &mut Desk) {
        let depth = depth.unwrap_or(BENCH_DEPTH).clamp(1, MOST_BENCH);
        let rules = desk.rules().clone();
        desk.aside(move |stop| {
            let mut engine = Native::of(&rules, BENCH_MEMORY);
            let (mut moves, mut lines, mut all) = (Vec::new(), Vec::new(), 0);
            let begun = Instant::now();
            for number in 1..=BENCHED {
                let limits = Limits { depth: Some(depth), stop: stop.clone(), ..Limits::default() };
                let mut nodes = 0;
                let task = Task { fen: None, moves: moves.clone(), limits };
                let best = engine.think(&task, &mut |info| nodes = info.nodes);
                let Ok(best) = best else { break };
                if stop.is_raised() {
                    return vec!["info string bench stopped".to_owned()];
                }
                all += nodes;
                lines.push(format!(
                    "info string position {number} of {BENCHED}: nodes {nodes} bestmove {best}"
                ));
                moves.push(best);
            }
            let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
            lines.push("===========================".to_owned());
            lines.push(format!("Total time (ms) : {ms}"));
            lines.push(format!("Nodes searched  : {all}"));
            lines.push(format!("Nodes/second    : {}", all.saturating_mul(1000) / ms));
            lines
        });
    }
}

/// Expands a row of a FEN, with a point for each empty square.
fn spread(row: &str) -> String {
    let mut out = String::new();
    let mut run = String::new();
    for sign in row.chars().chain(['\0']) {
        if sign.is_ascii_digit() {
            run.push(sign);
            continue;
        }
        let empty: usize = std::mem::take(&mut run).parse().unwrap_or(0);
        out.push_str(&". ".repeat(empty.min(64)));
        if sign != '\0' {
            out.push(sign);
            out.push(' ');
        }
    }
    out.trim_end().to_owned()
}
