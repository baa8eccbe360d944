//! The laws of games with secrets: what is shown tells no more than its eyes may see.

use super::Random;
use crate::any::AnyGame;
use crate::{Eyes, Game, Notation};

/// The number of other truths that were tried, and of those among them that differ from the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Worlds {
    /// The number of all that were tried.
    pub tried: u32,
    /// The number of those in which something hidden was otherwise.
    pub other: u32,
}

/// Plays random games from `start` and asserts that no eyes are shown what they may not see: whatever
/// [`determinised`](Notation::determinised) changes, every text, picture and move that is shown to the same eyes stays as it
/// was, and a player may choose what they see that they may. Returns how many other truths there were.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// let worlds = kernel::laws::check_secrets(&Noughts::default(), 2, 9);
/// assert_eq!(worlds.other, 0, "nothing is hidden in this game");
/// ```
///
/// # Panics
/// Panics when something leaks; the message names the eyes, the FEN and the seed.
pub fn check_secrets<P: Notation>(start: &P, games: u64, plies: usize) -> Worlds {
    let mut worlds = Worlds::default();
    for seed in 1..=games {
        let mut random = Random(Random(seed).bits());
        let mut game = Game::new(start.clone());
        for _ in 0..plies {
            for eyes in Eyes::LIMITED {
                check_eyes(&game, eyes, &mut worlds, seed, &mut random);
            }
            let mut moves = Vec::new();
            game.legal(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
        }
    }
    worlds
}

fn check_eyes<P: Notation>(game: &Game<P>, eyes: Eyes, worlds: &mut Worlds, seed: u64, random: &mut Random) {
    let truth = game.position();
    let seen = truth.seen(eyes);
    let at = || format!("{eyes:?}: {} (seed {seed})", truth.fen());
    let is_movers = eyes == Eyes::Seat(truth.turn());
    assert!(
        !is_movers || choices(truth) == choices(&seen),
        "what may be played follows from what the mover sees: {}",
        at()
    );
    let told = shown(&seen);
    let world = seen.determinised(random.bits());
    assert_eq!(shown(&world.seen(eyes)), told, "another truth looks the same to {}", at());
    assert!(!is_movers || choices(&world) == choices(truth), "and lets the mover do the same: {}", at());
    worlds.tried += 1;
    worlds.other += u32::from(world.fen() != truth.fen());
    let (whole, all) = (Game::seen(game, eyes), AnyGame::view(game));
    assert_eq!(AnyGame::fen(&whole), seen.fen(), "a game is seen as its position is: {}", at());
    let view = AnyGame::view(&whole);
    assert_eq!((view.turn, view.outcome), (all.turn, all.outcome), "all know whose turn it is: {}", at());
}

/// The texts of what a player may choose.
fn choices<P: Notation>(pos: &P) -> Vec<String> {
    let mut moves = Vec::new();
    Game::new(pos.clone()).legal(&mut moves);
    let choice = |&m: &P::Move| pos.move_text(pos.by_chance(m).map_or(m, |by_chance| by_chance.choice));
    let mut texts: Vec<String> = moves.iter().map(choice).collect();
    texts.dedup();
    texts
}

/// Returns all texts and pictures that a game tells of a position.
fn shown<P: Notation>(pos: &P) -> String {
    let game = Game::new(pos.clone());
    let board = pos.board();
    let cells = 0..u16::from(board.files) * u16::from(board.ranks);
    let details: Vec<_> = cells.map(|cell| pos.details(cell)).collect();
    format!(
        "{} {} {:?}\n{:?}\n{:?}\n{:?}\n{:?} {:?} {:?} {:?} {:?} {:?}",
        pos.fen(),
        pos.key(),
        choices(pos),
        game.players_view(),
        AnyGame::view(&game),
        details,
        pos.facts(),
        pos.lessons(),
        pos.forbidden(),
        pos.draws(),
        pos.refusal("no move"),
        AnyGame::texts(&game),
    )
}
