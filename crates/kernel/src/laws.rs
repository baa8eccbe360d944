//! The laws every game obeys, tried on random games.
//!
//! Each game's `tests/laws.rs` calls [`check`] in one line.

mod secrets;

use std::collections::HashSet;

use crate::numbers::{self, Numbered};
use crate::position::MOST_OUTCOMES;
use crate::{Game, Notation, any::AnyGame, notation::Cell};

pub use secrets::{Worlds, check_secrets};

/// The number of random games [`check`] plays.
const GAMES: u64 = 40;
/// The longest a random game may get, in plies; the laws do not need its end.
const PLIES: usize = 400;

/// Plays random games from `start` and asserts the laws every game obeys.
///
/// The test of a whole game is one line:
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// kernel::laws::check(&Noughts::default());
/// ```
///
/// # Panics
/// Panics when a law is broken; the message names the law, the FEN and the seed.
pub fn check<P: Notation>(start: &P) {
    check_games(start, GAMES, PLIES);
}

/// [`check`] with another number of games and plies.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// kernel::laws::check_games(&Noughts::default(), 3, 9);
/// ```
///
/// # Panics
/// Panics like [`check`].
pub fn check_games<P: Notation>(start: &P, games: u64, plies: usize) {
    let mut set_up = SetUp::default();
    for seed in 1..=games {
        // Mixed: the numbers of states a step apart are the same, one game's a ply behind another's.
        let mut random = Random(Random(seed).bits());
        let mut game = Game::new(start.clone());
        let mut compact = game.clone();
        let mut numbered = AnyGame::numbered(&game);
        for _ in 0..plies {
            let moves = check_position(game.position(), seed, &mut set_up);
            check_numbered(numbered.as_ref(), &game, seed);
            check_reversible(&game, seed);
            if Game::outcome(&game).is_some() || moves.is_empty() {
                check_over(&game, seed);
                break;
            }
            let nth = random.below(moves.len());
            let m = moves[nth];
            check_play(&mut game, m, seed);
            assert!(numbered.play_nth(nth), "each move is played by its number (seed {seed})");
            compact.play(m);
            Game::compact(&mut compact);
            assert_eq!(
                AnyGame::view(&compact),
                AnyGame::view(&game),
                "a compact game looks the same (seed {seed})"
            );
        }
        check_numbered(numbered.as_ref(), &game, seed);
        numbered.rewind();
        check_numbered(numbered.as_ref(), &Game::new(start.clone()), seed);
        check_compact(&game, &compact, seed);
        check_undo(game, seed);
        check_undo(compact, seed);
    }
    let SetUp { asked, done } = set_up;
    assert!(
        done > 0 || asked == 0,
        "some pictures can be set up again: {done} of {asked} from {}",
        start.fen()
    );
}

/// Checks that the game played by numbers is the same game, and lists the same legal actions: none once it is over.
fn check_numbered<P: Notation>(numbered: &dyn Numbered, game: &Game<P>, seed: u64) {
    let mut actions = Vec::new();
    if Game::outcome(game).is_none() {
        let mut moves = Vec::new();
        game.position().moves(&mut moves);
        numbers::legal_actions(game.position(), &moves, &mut actions);
    }
    let at = || format!("{} (seed {seed})", AnyGame::fen(game));
    assert_eq!(numbered.actions(), actions, "what is legal is listed by number: {}", at());
    let told = |game: &dyn AnyGame| (game.fen(), game.plies(), game.key(), game.outcome());
    assert_eq!(told(numbered.game()), told(game), "played by numbers it is the same game: {}", at());
}

/// Checks that a game whose early positions were freed is the same game.
fn check_compact<P: Notation>(game: &Game<P>, compact: &Game<P>, seed: u64) {
    let told = |game: &Game<P>| (game.start_fen(), game.record(), game.movers(), AnyGame::names(game));
    assert_eq!(told(compact), told(game), "a compact game has the same past (seed {seed})");
    for times in 2..4 {
        assert_eq!(compact.cycle(times), game.cycle(times), "and repeats as often (seed {seed})");
    }
}

/// The number of pictures that were to be set up again, and of those that were.
#[derive(Default)]
struct SetUp {
    asked: u32,
    done: u32,
}

/// Checks the laws one position obeys by itself; returns its moves.
fn check_position<P: Notation>(pos: &P, seed: u64, set_up: &mut SetUp) -> Vec<P::Move> {
    let fen = pos.fen();
    let at = || format!("{fen} (seed {seed})");
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    assert_eq!(moves.is_empty(), pos.outcome().is_some(), "no moves exactly when finished: {}", at());
    assert_eq!(moves.len() as u64, pos.count(), "count counts the moves: {}", at());
    check_count_after(pos, &moves, &at());

    let texts: Vec<String> = moves.iter().map(|&m| pos.move_text(m)).collect();
    let distinct: HashSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), texts.len(), "move texts are distinct: {texts:?} in {}", at());
    for (&m, text) in moves.iter().zip(&texts) {
        assert_eq!(pos.read_move(text), Some(m), "a move text is read back: {text} in {}", at());
    }

    let read = pos.read_fen(&fen).unwrap_or_else(|e| panic!("a FEN is read back: {e} in {}", at()));
    assert_eq!(read.fen(), fen, "a FEN round-trips: {}", at());
    assert_eq!(read.key(), pos.key(), "equal FENs have equal keys: {}", at());
    assert_eq!(read.outcome().is_some(), pos.outcome().is_some(), "a FEN keeps the outcome: {}", at());

    assert_eq!(read.drawn(), pos.drawn(), "a FEN keeps a declared draw: {}", at());

    check_chance(pos, &moves, &texts, &at());
    check_picture(pos, &moves, &at(), set_up);
    check_actions(pos, &moves, &at());
    moves
}

/// Checks that the outcomes of a choice stand together, that each says in its text what was drawn, and has a weight.
fn check_chance<P: Notation>(pos: &P, moves: &[P::Move], texts: &[String], at: &str) {
    let by_chance: Vec<_> = moves.iter().map(|&m| pos.by_chance(m)).collect();
    assert!(P::MAY_DRAW || by_chance.iter().all(Option::is_none), "who says so may draw: {at}");
    let mut done: Vec<P::Move> = Vec::new();
    for same in by_chance.chunk_by(|a, b| a.map(|a| a.choice) == b.map(|b| b.choice)) {
        let Some(choice) = same[0].map(|first| first.choice) else { continue };
        assert!(!done.contains(&choice), "the outcomes of a choice stand together: {choice:?} in {at}");
        assert!(
            !moves.contains(&choice),
            "a choice is no move before something was drawn: {choice:?} in {at}"
        );
        assert!(same.len() <= MOST_OUTCOMES, "a choice has at most {MOST_OUTCOMES} outcomes: {at}");
        assert!(
            same.iter().flatten().all(|one| one.weight > 0),
            "an outcome has a weight: {choice:?} in {at}"
        );
        done.push(choice);
    }
    for (one, text) in by_chance.iter().zip(texts) {
        let Some(one) = one else { continue };
        let choice = pos.move_text(one.choice);
        let drawn = text
            .strip_prefix(choice.as_str())
            .is_some_and(|rest| rest.len() > 2 && rest.starts_with('{') && rest.ends_with('}'));
        assert!(drawn, "an outcome is the choice with what was drawn in braces: {text} of {choice} in {at}");
        assert!(!pos.path(one.choice).is_empty(), "a choice is made on the board: {choice} in {at}");
    }
}

/// Checks that legal moves are different actions of the game, and that every piece has a plane.
fn check_actions<P: Notation>(pos: &P, moves: &[P::Move], at: &str) {
    let mut actions = Vec::new();
    numbers::legal_actions(pos, moves, &mut actions);
    let most = pos.actions() * P::ALIKE;
    let distinct: HashSet<&u32> = actions.iter().collect();
    assert_eq!(distinct.len(), moves.len(), "each move is an action of its own: {actions:?} in {at}");
    assert!(actions.iter().all(|&action| action < most), "an action is below {most}: {actions:?} in {at}");
    let faces = pos.faces();
    let has_plane = |piece: &crate::Piece| {
        faces.iter().any(|(owner, face)| *owner == piece.owner && (*face == piece.face || face.is_empty()))
    };
    assert!(pos.diagram().pieces.iter().all(has_plane), "each piece has a plane: {at}");
}

/// The number of a position's moves, about, that are played to count the moves after them; they are spread over all
/// moves.
const PLAYED: usize = 8;

/// Checks that [`Position::count_after`](crate::Position::count_after) gives the same number as playing each move and
/// counting.
fn check_count_after<P: Notation>(pos: &P, moves: &[P::Move], at: &str) {
    let some: Vec<P::Move> = moves.iter().copied().step_by(moves.len().div_ceil(PLAYED).max(1)).collect();
    let after = |&m: &P::Move| {
        let mut next = pos.clone();
        next.play(m);
        next.count()
    };
    assert_eq!(
        pos.count_after(&some),
        some.iter().map(after).sum::<u64>(),
        "count_after counts after moves: {at}"
    );
    assert_eq!(pos.count_after(&[]), 0, "count_after counts nothing after no move: {at}");
}

/// Checks that no repetition is judged which began before the last irreversible ply, and that a ply adds at most one
/// to the reversible plies. Where [`Position::reversible`](crate::Position::reversible) says 0 a game may just not
/// look back, as locked chess in the middle of a turn.
fn check_reversible<P: Notation>(game: &Game<P>, seed: u64) {
    let (line, pos) = (game.line(), game.position());
    let at = || format!("{} (seed {seed})", pos.fen());
    let now = line.len() - 1;
    let oldest = now.saturating_sub(pos.reversible());
    if let Some(first) = line[..oldest].iter().rposition(|before| before.key() == pos.key()) {
        let judged = P::judge_cycle(&line[first..], &game.moves()[first..]);
        assert_eq!(judged, None, "a position stands again only within its reversible plies: {}", at());
    }
    let looked = now.checked_sub(1).map(|i| line[i].reversible()).filter(|&plies| plies > 0);
    if let Some(most) = looked.map(|plies| plies.saturating_add(1)) {
        assert!(pos.reversible() <= most, "a ply adds at most one reversible ply: {}", at());
    }
}

/// Checks that the picture agrees with the moves and stays on the board.
fn check_picture<P: Notation>(pos: &P, moves: &[P::Move], at: &str, set_up: &mut SetUp) {
    let board = pos.board();
    let cells = Cell::from(board.files) * Cell::from(board.ranks);
    for cell in (0..cells).filter(|&c| board.is_place(c)) {
        assert_eq!(board.cell_named(&board.name(cell)), Some(cell), "a place is found by its name: {at}");
    }
    let pieces = pos.diagram().pieces;
    assert!(pieces.windows(2).all(|w| w[0].at < w[1].at), "pieces stand by rising cell: {at}");
    let mut alone = pos.all_pieces();
    alone.sort_unstable_by_key(|piece| piece.at);
    assert_eq!(alone, pieces, "the pieces alone are those of the diagram: {at}");
    assert!(pieces.iter().all(|p| board.is_place(p.at)), "pieces stand on places of the board: {at}");
    check_set_up(pos, &pieces, at, set_up);
    if pos.fills_any_cell() && !moves.is_empty() {
        let taken: HashSet<Cell> = pieces.iter().map(|p| p.at).collect();
        let empty: HashSet<String> =
            (0..cells).filter(|c| !taken.contains(c)).map(|c| board.name(c)).collect();
        let texts: HashSet<String> = moves.iter().map(|&m| pos.move_text(m)).collect();
        assert_eq!(texts, empty, "the moves are exactly the empty cells: {at}");
    }
    let buttons = pos.buttons();
    let mut paths = HashSet::new();
    for &m in moves {
        let path = pos.path(m);
        assert!(path.iter().all(|&c| c < cells), "a path stays on the board: {at}");
        let text = pos.move_text(m);
        let is_distinct = path.is_empty() || paths.insert((path.clone(), pos.pick(m)));
        assert!(is_distinct, "paths and what is picked are distinct: {text} in {at}");
        let named: Vec<&str> = pos.texts(m).into_iter().map(|(name, _)| name).collect();
        assert!(
            pos.notations().iter().all(|n| named.contains(n)),
            "each notation has a name for {text} in {at}"
        );
        let pressed = buttons.iter().find(|b| b.text == text);
        assert_eq!(path.is_empty(), pressed.is_some(), "a move is a path or a button: {text} in {at}");
        assert!(
            pressed.is_none_or(|b| b.blockers.is_empty()),
            "a legal button has no blockers: {text} in {at}"
        );
    }
}

/// Checks that a picture can be set up again, unless the game says why no game could start so.
fn check_set_up<P: Notation>(pos: &P, pieces: &[crate::Piece], at: &str, set_up: &mut SetUp) {
    let palette = pos.palette();
    if palette.is_empty() {
        return;
    }
    let known =
        |p: &crate::Piece| palette.iter().any(|(side, face)| p.owner == Some(*side) && p.face == *face);
    assert!(pieces.iter().all(known), "the palette has every piece: {at}");
    set_up.asked += 1;
    if let Ok(again) = pos.set_up(pos.turn(), pieces) {
        assert_eq!(again.diagram().pieces, pieces, "a position is set up as asked: {at}");
        assert_eq!(again.turn(), pos.turn(), "the side to move is set up as asked: {at}");
        set_up.done += 1;
    }
}

/// Checks that a finished game offers no moves and plays none.
fn check_over<P: Notation>(game: &Game<P>, seed: u64) {
    assert!(AnyGame::view(game).outcome.is_some(), "a game without moves is over (seed {seed})");
    assert!(AnyGame::moves(game).is_empty(), "a finished game offers nothing (seed {seed})");
    if let Some(text) = AnyGame::last_move(game) {
        let again = AnyGame::play(&mut game.clone(), &text);
        assert!(again.is_err(), "a finished game plays no more (seed {seed})");
    }
}

/// Checks that playing is a pure function of position and move.
fn check_play<P: Notation>(game: &mut Game<P>, m: P::Move, seed: u64) {
    let before = game.position().clone();
    let text = before.move_text(m);
    game.play(m);
    let mut again = before.clone();
    again.play(m);
    assert_eq!(again.key(), game.position().key(), "play is pure: {text} in {} (seed {seed})", before.fen());
    assert_eq!(again.fen(), game.position().fen(), "play is pure: {text} in {} (seed {seed})", before.fen());
    assert_eq!(
        before.key_after(m),
        again.key(),
        "a key ahead is the key: {text} in {} (seed {seed})",
        before.fen()
    );
}

/// Checks that undo restores every key and text down to the start.
fn check_undo<P: Notation>(mut game: Game<P>, seed: u64) {
    let past: Vec<(u64, String)> = game.line().iter().map(|p| (p.key(), p.fen())).collect();
    for (key, fen) in past.iter().rev() {
        assert_eq!(
            (game.position().key(), &game.position().fen()),
            (*key, fen),
            "undo restores (seed {seed})"
        );
        let _ = Game::undo(&mut game);
    }
    assert!(Game::undo(&mut game).is_none(), "the start cannot be undone (seed {seed})");
}

/// Reproducible numbers (SplitMix64), so that a broken law is found again from its seed.
///
/// ```
/// use kernel::laws::Random;
///
/// let (mut a, mut b) = (Random(7), Random(7));
/// assert_eq!(a.bits(), b.bits());
/// assert!(a.below(6) < 6);
/// ```
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}
