//! Perft: counting move paths, to find errors in the rules and to measure their speed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::threads::spread;
use crate::{AnyGame, Position};

/// The number of move paths of length `depth` from `pos`; 1 for depth 0. The last ply is counted, not played. Each ply takes
/// some stack: callers bound the depth.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::perft::perft;
///
/// assert_eq!([1, 2, 5].map(|depth| perft(&Noughts::default(), depth)), [9, 72, 15_120]);
/// ```
pub fn perft<P: Position>(pos: &P, depth: u32) -> u64 {
    let mut stack = vec![Vec::new(); depth.saturating_sub(1) as usize];
    match depth {
        0 => 1,
        _ => count(pos, &mut stack),
    }
}

/// [`perft`] of `depth - 1` under each legal move, in the game's order. `depth` is at least 1.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::Notation;
/// use kernel::perft::divide;
///
/// let pos = Noughts::default().read_fen("xoxoxo...")?;
/// assert_eq!(divide(&pos, 2), [(6, 0), (7, 2), (8, 0)], "a1 and c1 end the game");
/// # Ok::<(), kernel::Problem>(())
/// ```
pub fn divide<P: Position>(pos: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let under = |m| {
        let mut next = pos.clone();
        next.play(m);
        perft(&next, depth.saturating_sub(1))
    };
    moves.into_iter().map(|m| (m, under(m))).collect()
}

/// [`perft`] with the first plies shared out among `threads` threads.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::perft::{perft, perft_parallel};
///
/// let start = Noughts::default();
/// assert_eq!(perft_parallel(&start, 4, 2), perft(&start, 4));
/// ```
pub fn perft_parallel<P: Position>(pos: &P, depth: u32, threads: usize) -> u64 {
    if depth < 3 || threads < 2 {
        return perft(pos, depth);
    }
    let nodes = AtomicU64::new(0);
    spread(threads, &grandchildren(pos), |p| {
        nodes.fetch_add(perft(p, depth - 2), Ordering::Relaxed);
    });
    nodes.into_inner()
}

/// The number of paths, about, that are counted between two calls of `goes_on`.
const CHUNK: u64 = 1 << 20;

/// Counts as [`AnyGame::perft`] does, and asks `goes_on` now and then; `None` when it was told to stop.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::perft::perft_while;
///
/// let game = kernel::any(Noughts::default());
/// assert_eq!(perft_while(&*game, 4, 1, &|| true), Some(3024));
/// assert_eq!(perft_while(&*game, 4, 1, &|| false), None);
/// ```
pub fn perft_while(
    game: &dyn AnyGame,
    depth: u32,
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Option<u64> {
    let mut whole = 0;
    let mut known = game.perft(0, 1);
    while whole < depth && known < CHUNK && (whole == 0 || known > 0) {
        if !goes_on() {
            return None;
        }
        whole += 1;
        known = game.perft(whole, threads);
    }
    if whole == depth || known == 0 {
        return Some(known);
    }
    // The last depth may have been much more than the one before.
    let whole = whole.saturating_sub(1).max(1);
    let mut root = game.boxed_clone();
    root.play_past_draws(true);
    let (nodes, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    spread(threads, root.moves(), |text| {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut game = root.boxed_clone();
        game.play(&text).expect("it was listed");
        match in_chunks(&mut *game, depth - 1, whole, goes_on) {
            Some(counted) => _ = nodes.fetch_add(counted, Ordering::Relaxed),
            None => stopped.store(true, Ordering::Relaxed),
        }
    });
    (!stopped.into_inner()).then(|| nodes.into_inner())
}

/// Counts the last `whole` plies in one go.
fn in_chunks(game: &mut dyn AnyGame, depth: u32, whole: u32, goes_on: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= whole {
        return goes_on().then(|| game.perft(depth, 1));
    }
    let mut nodes = 0;
    for text in game.moves() {
        game.play(&text).expect("it was listed");
        nodes += in_chunks(game, depth - 1, whole, goes_on)?;
        game.undo();
    }
    Some(nodes)
}

fn grandchildren<P: Position>(pos: &P) -> Vec<P> {
    let children = |p: &P| {
        let mut moves = Vec::new();
        p.moves(&mut moves);
        let child = |m| {
            let mut next = p.clone();
            next.play(m);
            next
        };
        moves.into_iter().map(child).collect::<Vec<P>>()
    };
    children(pos).iter().flat_map(children).collect()
}

/// Counts with one buffer a level, passed in by the caller, so that no node allocates.
fn count<P: Position>(pos: &P, buffers: &mut [Vec<P::Move>]) -> u64 {
    let Some((moves, deeper)) = buffers.split_first_mut() else { return pos.count() };
    moves.clear();
    pos.moves(moves);
    // Most nodes are the last: what lists moves may have a quicker way to count what follows them.
    if deeper.is_empty() {
        return pos.count_after(moves);
    }
    let mut nodes = 0;
    for &m in moves.iter() {
        let mut next = pos.clone();
        next.play(m);
        nodes += count(&next, deeper);
    }
    nodes
}
