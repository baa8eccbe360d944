//! Xiangqi: two armies face each other across a river, and the side that mates or stalemates the other general wins.
//!
//! ```text
//! 9  r n b a k a b n r     The start. Red, in capitals, moves first and is `Side::First`; Black is
//! 8  . . . . . . . . .     `Side::Second`. A square is named by its file from Red's left and its rank
//! 7  . c . . . . . c .     from Red's side: the cannons of Red stand on b2 and h2. Inside, rows are
//! 6  p . p . p . p . p     counted from the top, as they are written in a FEN and drawn on a screen.
//! 5  . . . . . . . . .
//!    ~ ~ ~ the river ~ ~ ~
//! 4  . . . . . . . . .
//! 3  P . P . P . P . P
//! 2  . C . . . . . C .
//! 1  . . . . . . . . .
//! 0  R N B A K A B N R
//!    a b c d e f g h i
//! ```
//!
//! Reading order: [`square`] (squares and sets of them), [`piece`] (kinds, pieces, moves), `lines` (rooks and
//! cannons by table), `steps` (everybody else by table), [`position`] (start, play, outcome, key, questions),
//! `danger` and `moves` (what is legal), [`attacks`] (who could take where), [`set_up`] (which positions are
//! refused), `fen`, `notation` (text and picture),
//! `diagram` (boards that only books show).
//! Rules: docs/rules/xiangqi.md.

pub mod cycle;
pub mod attacks;
mod danger;
mod diagram;
mod fen;
mod lines;
mod moves;
mod notation;
pub mod piece;
pub mod position;
mod reading;
mod ruling;
pub mod set_up;
pub mod square;
mod steps;
pub mod text;

pub use piece::{Kind, Move, Piece};
pub use position::{Rules, Xiangqi};
pub use reading::Ranks;
pub use square::{Square, Squares};
