//! Every variant by its key, without its type.
//!
//! The games are compiled here, once; a crate that needs only an [`AnyGame`] does not compile them again.

use kernel::{AnyGame, Problem};

use crate::position::Draughts;
use crate::rules::Rules;
use crate::variants::*;

type Opener = fn(Option<&str>) -> Result<Box<dyn AnyGame>, Problem>;

macro_rules! openers {
    ($($rules:ident)*) => {
        &[$((<$rules as Rules>::KEY, |fen| kernel::any_at(Draughts::<$rules>::start(), fen))),*]
    };
}

static OPENERS: &[(&str, Opener)] = for_each_variant!(openers);

/// A game of the variant with that [key](Rules::KEY), at its start or at `fen`.
///
/// ```
/// let mut game = draughts::open("russian", None)?;
/// game.play("c3-d4").unwrap();
/// assert_eq!(game.last_move().as_deref(), Some("22-18"));
/// assert_eq!(draughts::open("chess", None).err().map(|problem| problem.key), Some("unknown-game"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The fault in the FEN; `unknown-game`.
pub fn open(key: &str, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
    match OPENERS.iter().find(|(known, _)| *known == key) {
        Some((_, open)) => open(fen),
        None => Err(Problem::new("unknown-game").with("game", key)),
    }
}
