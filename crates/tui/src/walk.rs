//! Conversion of touched cells to a move, by the same rules as in the web page.
//!
//! A move's path is every cell that may be touched on the way, in order; the player touches as few of them as
//! distinguish the move from all others. Legality is not decided here: the moves are those that the view offers.

use std::borrow::Cow;
use std::collections::HashSet;

use kernel::{Board, Cell};
use wire::{MoveView, Offered, View};

/// The effects of touching a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The move is complete.
    Move(MoveView),
    /// More cells are needed after these.
    Way(Vec<Cell>),
    /// Several moves go there; these cells are common to them.
    Fork(Vec<Cell>),
    /// The cell belongs to no move.
    Nothing,
}

/// A cell that may be touched next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub cell: Cell,
    /// True if a piece stands there.
    pub takes: bool,
    /// True if every move there loses at once.
    pub warning: bool,
}

/// Returns the view in which no two moves have the same path: of those that differ only in a piece, the first.
pub(crate) fn distinct(view: &View) -> Cow<'_, View> {
    let Offered::Listed(moves) = &view.moves else { return Cow::Borrowed(view) };
    if moves.iter().all(|m| m.pick.is_none()) {
        return Cow::Borrowed(view);
    }
    let mut paths = HashSet::new();
    let is_first = |m: &&MoveView| m.pick.is_none() || paths.insert(m.path.clone());
    let moves = moves.iter().filter(is_first).cloned().collect();
    Cow::Owned(View { moves: Offered::Listed(moves), ..view.clone() })
}

/// Returns the moves among which the player has to choose a piece once `m` was touched. A piece that waits beside the
/// board is always asked about, even if it is the only one: a touch of a vacant cell may be a slip.
pub(crate) fn alike(view: &View, board: &Board, m: &MoveView) -> Vec<MoveView> {
    let Offered::Listed(moves) = &view.moves else { return Vec::new() };
    if m.pick.is_none() {
        return Vec::new();
    }
    let all: Vec<MoveView> =
        moves.iter().filter(|one| one.pick.is_some() && one.path == m.path).cloned().collect();
    let is_asked = all.len() > 1 || (m.path.len() == 1 && board.hands.is_some());
    if is_asked { all } else { Vec::new() }
}

/// Returns the effect of touching `cell` after `path`.
pub(crate) fn touch(view: &View, board: &Board, path: &[Cell], cell: Cell) -> Step {
    if path.is_empty() {
        return first_touch(view, board, cell);
    }
    let next = [path, &[cell]].concat();
    let further = leading(view, &next);
    let here = further.iter().find(|m| m.path.len() == next.len());
    match here {
        Some(here) if further.len() == 1 => return Step::Move(here.clone()),
        _ if !further.is_empty() => return Step::Way(next),
        _ => {}
    }
    let open = leading(view, path);
    // Where a move may end or go on, touching the place again ends it.
    let again = path.len() > 1 && path.last() == Some(&cell);
    if again && let Some(ended) = open.iter().find(|m| m.path.len() == path.len()) {
        return Step::Move(ended.clone());
    }
    // The first cell again is no end of a round trip, but a change of mind.
    if path == [cell] {
        return Step::Nothing;
    }
    let ends = once(open.iter().filter(|m| m.path.last() == Some(&cell)));
    match ends.as_slice() {
        [] => passing(&open, path.len(), cell),
        [only] => Step::Move(only.clone()),
        several => Step::Fork(common(several)),
    }
}

fn first_touch(view: &View, board: &Board, cell: Cell) -> Step {
    let Offered::Listed(moves) = &view.moves else {
        if piece_at(view, cell).is_some() || !board.is_place(cell) {
            return Step::Nothing;
        }
        let text = board.name(cell);
        return Step::Move(MoveView {
            text,
            path: vec![cell],
            shifts: Vec::new(),
            pick: None,
            face: None,
            warning: None,
        });
    };
    let whole = moves.iter().find(|m| m.path == [cell]);
    // A button that moves one piece may also be played by touching where the piece would go.
    let slides = |m: &&MoveView| m.path.is_empty() && matches!(m.shifts[..], [(_, to)] if to == cell);
    match whole.or_else(|| moves.iter().find(slides)) {
        Some(m) => Step::Move(m.clone()),
        None if !leading(view, &[cell]).is_empty() => Step::Way(vec![cell]),
        None => Step::Nothing,
    }
}

/// Returns the effect of touching `cell` on the way of moves.
fn passing(open: &[MoveView], from: usize, cell: Cell) -> Step {
    let cut = |m: &MoveView| {
        let at = m.path.iter().skip(from).position(|&c| c == cell)? + from;
        Some(MoveView { path: m.path[..=at].to_vec(), ..m.clone() })
    };
    let ways: Vec<MoveView> = open.iter().filter_map(cut).collect();
    if ways.is_empty() {
        return Step::Nothing;
    }
    let shared = common(&ways);
    if ways.iter().all(|m| m.path.len() == shared.len()) { Step::Way(shared) } else { Step::Fork(shared) }
}

/// Returns the cells that can be touched after `path`; empty where any empty cell is possible.
pub(crate) fn targets(view: &View, path: &[Cell]) -> Vec<Target> {
    let mut found: Vec<Target> = Vec::new();
    let mut add = |cell: Cell, warning: bool| {
        let takes = !path.is_empty() && piece_at(view, cell).is_some() && path[0] != cell;
        match found.iter_mut().find(|t| t.cell == cell) {
            Some(known) => known.warning &= warning,
            None => found.push(Target { cell, takes, warning }),
        }
    };
    for m in leading(view, path) {
        let warned = m.warning.is_some();
        if let Some(&next) = m.path.get(path.len()) {
            add(next, warned);
        }
        if path.is_empty()
            && m.path.is_empty()
            && let [(_, to)] = m.shifts[..]
        {
            add(to, warned);
        }
        if !path.is_empty()
            && let Some(&end) = m.path.last()
            && m.path.len() > path.len()
        {
            add(end, warned);
        }
    }
    found
}

/// Returns the moves whose paths begin with `path`. A capture that leads a piece round to its start is one move with
/// one text, but may be touched in either direction.
fn leading(view: &View, path: &[Cell]) -> Vec<MoveView> {
    let Offered::Listed(moves) = &view.moves else { return Vec::new() };
    let begins = |m: &MoveView| m.path.starts_with(path);
    let turned = moves.iter().filter(|m| m.path.len() > 3 && m.path.first() == m.path.last()).map(|m| {
        let path = m.path.iter().rev().copied().collect();
        MoveView { path, ..m.clone() }
    });
    let turned = turned.filter(|m| begins(m) && !moves.iter().any(|told| told.path == m.path));
    moves.iter().filter(|m| begins(m)).cloned().chain(turned.collect::<Vec<_>>()).collect()
}

/// Returns each move once, even if several paths lead to it.
fn once<'a>(moves: impl Iterator<Item = &'a MoveView>) -> Vec<MoveView> {
    let mut all: Vec<MoveView> = Vec::new();
    for m in moves {
        if !all.iter().any(|known| known.text == m.text) {
            all.push(m.clone());
        }
    }
    all
}

/// Returns the common prefix of the paths.
fn common(moves: &[MoveView]) -> Vec<Cell> {
    let first = &moves[0].path;
    let same = |i: &usize| moves.iter().all(|m| m.path.get(*i) == first.get(*i));
    first[..(0..first.len()).take_while(same).count()].to_vec()
}

/// Returns the piece on that cell.
pub(crate) fn piece_at(view: &View, cell: Cell) -> Option<&wire::Piece> {
    view.pieces.binary_search_by_key(&cell, |p| p.at).ok().map(|at| &view.pieces[at])
}

#[cfg(test)]
mod tests {
    use kernel::laws::Random;

    use super::*;

    /// The effects of touches on random positions equal those in the file that the web page's test reads,
    /// `web/tests/touches.test.ts`.
    #[test]
    fn the_page_is_given_what_touches_mean() {
        const GAMES: [&str; 7] = [
            "xiangqi",
            "draughts/international",
            "draughts/turkish",
            "draughts/frisian",
            "gomoku/standard",
            "locked",
            "jingbanqi",
        ];
        let lines: Vec<_> = GAMES.iter().enumerate().flat_map(|(i, key)| touches(key, i as u64)).collect();
        let text = format!("[\n{}\n]\n", lines.join(",\n"));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/tests/touches.json");
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(path, &text).expect("can be written");
        }
        let kept =
            std::fs::read_to_string(path).expect("the file is there: QIGUAN_BLESS=1 cargo test -p tui");
        assert!(kept == text, "web/tests/touches.json is stale: QIGUAN_BLESS=1 cargo test -p tui the_page");
    }

    /// Returns positions of a random game, and touches on each, as lines of JSON.
    fn touches(key: &str, seed: u64) -> Vec<String> {
        let entry = catalog::find(key).expect("is there");
        let options = entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("usual");
        let mut random = Random(seed);
        let mut game = entry.open(entry.usual_map(), &options, None).expect("the start");
        let board = game.board();
        let mut lines = Vec::new();
        for ply in 0..60 {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let view = game.view();
            let longest = match &view.moves {
                Offered::Listed(moves) => moves.iter().map(|m| m.path.len()).max().unwrap_or(0),
                Offered::Every(_) => 1,
            };
            // Some positions, and those in which moves have many places.
            if ply % 20 == 7 || longest > 3 && lines.len() < 6 {
                let touched = touched(&view, &board, &mut random);
                let case = serde_json::json!({
                    "game": key, "ply": ply, "board": board.clone(), "view": view, "touched": touched,
                });
                lines.push(case.to_string());
            }
            game.play(&moves[random.below(moves.len())]).expect("legal");
        }
        lines
    }

    /// Returns the cells touched before, the cell, and its effect.
    fn touched(view: &View, board: &Board, random: &mut Random) -> Vec<(Vec<Cell>, Cell, String)> {
        let cells = Cell::from(board.files) * Cell::from(board.ranks);
        let paths: Vec<Vec<Cell>> = match &view.moves {
            Offered::Listed(moves) => {
                moves.iter().map(|m| m.path.clone()).filter(|p| !p.is_empty()).collect()
            }
            Offered::Every(_) => (0..cells).map(|cell| vec![cell]).collect(),
        };
        let mut all = Vec::new();
        let mut path = Vec::new();
        for _ in 0..60 {
            let on = &paths[random.below(paths.len())];
            let cell = match random.below(8) {
                0 => random.below(cells.into()) as Cell,
                1 => path.last().copied().unwrap_or(on[0]),
                2 => on[on.len() - 1],
                _ => on[path.len().min(on.len() - 1)],
            };
            let step = touch(view, board, &path, cell);
            let list = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(",");
            let (said, next) = match step {
                Step::Move(m) => (m.text, Vec::new()),
                Step::Way(way) => (list(&way), way),
                Step::Fork(way) => (format!("?{}", list(&way)), way),
                Step::Nothing => ("-".to_owned(), Vec::new()),
            };
            all.push((std::mem::replace(&mut path, next), cell, said));
        }
        all
    }
}
