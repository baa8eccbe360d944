//! Counting move paths: the instrument that finds a wrong rule, and measures a fast one.

use crate::Position;

/// The number of move paths of length `depth` from `pos`; 1 for depth 0. The last ply is counted, not played.
pub fn perft<P: Position>(pos: &P, depth: u32) -> u64 {
    let mut stack = vec![Vec::new(); depth.saturating_sub(1) as usize];
    match depth {
        0 => 1,
        _ => count(pos, &mut stack),
    }
}

/// [`perft`] of `depth - 1` under each legal move, in the game's order. `depth` is at least 1.
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
pub fn perft_parallel<P: Position>(pos: &P, depth: u32, threads: usize) -> u64 {
    if depth < 3 || threads < 2 {
        return perft(pos, depth);
    }
    let tasks = grandchildren(pos);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let take = || tasks.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        std::iter::from_fn(take).map(|p| perft(p, depth - 2)).sum::<u64>()
    };
    std::thread::scope(|scope| {
        let hands: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        hands.into_iter().map(|h| h.join().expect("counting does not panic")).sum()
    })
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

/// One buffer a level, lent from outside, so that no node allocates.
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
