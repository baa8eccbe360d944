//! Proof that a hall has kept its word: the draws of a game, computed again from its secret.

use kernel::{AnyGame, PlayError, Problem};

use crate::entry::Secret;

/// The tag of a record with the id of its table.
pub const TABLE_TAG: &str = "Table";
/// The tag of a record with the commitment that was told before the first move.
pub const COMMITMENT_TAG: &str = "Commitment";
/// The tag of a record with the numbers of its draws; left out where none was taken back.
pub const DRAWS_TAG: &str = "Draws";

/// The draws that were computed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// The draws of pieces that are turned over.
    pub draws: usize,
    /// The random numbers that extensions used.
    pub numbers: u64,
}

/// Plays the moves of a record on `game`, which stands at its start by the rules of that record, and computes every draw
/// from the secret of that table. `numbers` are those of the draws; `None`: 0, 1, 2 and so on.
///
/// # Errors
/// `verify-draw` for the first draw that differs, with its `ply` from 1, the move as it was `played` and as it should have
/// been `drawn`; `verify-numbers` where there are not as many numbers as draws; the reason why a move is not legal, with
/// its `ply`.
pub fn verify(
    mut game: Box<dyn AnyGame>,
    moves: &[String],
    (secret, table): (Secret, &str),
    numbers: Option<&[u32]>,
) -> Result<Verified, Problem> {
    let mut draws = 0;
    for (ply, text) in (1..).zip(moves) {
        if let Some(choice) = game.chosen(text) {
            let nth = match numbers {
                Some(numbers) => numbers.get(draws).copied(),
                None => u32::try_from(draws).ok(),
            };
            let nth = nth.ok_or_else(|| counted(numbers, draws + 1))?;
            let drawn = kernel::by_lot(game.as_ref(), &choice, |sum| secret.draw(table, nth, sum));
            let played = game.read(text).map_err(PlayError::problem)?;
            if drawn != played {
                return Err(Problem::new("verify-draw")
                    .with("ply", ply)
                    .with("played", played)
                    .with("drawn", drawn));
            }
            draws += 1;
        }
        game.play(text).map_err(|why| why.problem().with("ply", ply))?;
        game.compact();
    }
    if numbers.is_some_and(|numbers| numbers.len() != draws) {
        return Err(counted(numbers, draws));
    }
    Ok(Verified { draws, numbers: game.draws() - draws as u64 })
}

fn counted(numbers: Option<&[u32]>, draws: usize) -> Problem {
    let found = numbers.map_or(0, <[u32]>::len);
    Problem::new("verify-numbers").with("found", found).with("draws", draws)
}
