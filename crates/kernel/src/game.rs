//! A position with its past: play, undo, repetition.

use std::borrow::Cow;

use crate::{Outcome, Position};

/// The least number of positions before the current one that [`Game::compact`] keeps.
const KEPT: usize = 8;

/// A position with its past. Playing pushes a copy, undoing pops it.
///
/// It is the only history there is: the hall plays on it, the search runs on a clone of it, undo is a pop and
/// repetition is a look back along the line.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::{Game, Position, Side};
///
/// let mut game = Game::new(Noughts::default());
/// game.play(4);
/// game.play(0);
/// assert_eq!(game.position().turn(), Side::First);
/// assert_eq!(game.undo(), Some(0));
/// ```
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    line: Vec<P>,   // the start, then the positions after the `dropped`; never empty; the last is now
    dropped: usize, // positions after the start that are played again when asked for; if any, three others are held
    moves: Vec<P::Move>, // one shorter than the whole line
    keys: Vec<u64>, // of the whole line: looking back over it reads nothing else
    past_draws: bool,
}

impl<P: Position> Game<P> {
    /// A game that stands at `start` and has no past.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Game;
    ///
    /// let game = Game::new(Noughts::default());
    /// assert_eq!((game.line().len(), game.moves()), (1, &[][..]));
    /// ```
    pub fn new(start: P) -> Self {
        Game { keys: vec![start.key()], line: vec![start], dropped: 0, moves: Vec::new(), past_draws: false }
    }

    /// The position now.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// game.play(4);
    /// assert_eq!(game.position().fen(), "....x....");
    /// assert_eq!(game.start().fen(), ".........");
    /// ```
    pub fn position(&self) -> &P {
        self.line.last().expect("a line always holds its start")
    }

    /// The position the game began with.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Noughts::default().read_fen("xo.......")?);
    /// game.play(4);
    /// assert_eq!(game.start().fen(), "xo.......");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn start(&self) -> &P {
        &self.line[0]
    }

    /// The position before the last move; `None` at the start.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// assert!(game.before().is_none());
    /// game.play(4);
    /// game.play(0);
    /// assert_eq!(game.before().map(Notation::fen).as_deref(), Some("....x...."));
    /// ```
    pub fn before(&self) -> Option<&P> {
        self.line.len().checked_sub(2).map(|i| &self.line[i])
    }

    /// The positions from the start to now; never empty. After [`compact`](Game::compact) they are played again.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// game.play(4);
    /// game.play(0);
    /// let fens: Vec<String> = game.line().iter().map(Notation::fen).collect();
    /// assert_eq!(fens, [".........", "....x....", "o...x...."]);
    /// ```
    pub fn line(&self) -> Cow<'_, [P]> {
        if self.dropped == 0 { Cow::Borrowed(&self.line) } else { Cow::Owned(self.replayed()) }
    }

    /// Frees the memory of all positions but the start, the last few, and those that repetition looks back at: for a
    /// game that is kept and hardly played. Calls that need the others play the game again from its start.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Game;
    ///
    /// let mut game = Game::new(Noughts::default());
    /// [4, 0, 8, 2, 1, 7, 3, 5, 6].into_iter().for_each(|cell| game.play(cell));
    /// game.compact();
    /// assert_eq!(game.line().len(), 10, "the past is played again when asked for");
    /// ```
    pub fn compact(&mut self) {
        let kept = self.position().reversible().max(KEPT);
        let goes = self.line.len().saturating_sub(2).saturating_sub(kept);
        // Some may gather, so that a game in play is not shortened at every ply.
        if goes >= KEPT {
            self.line.drain(1..=goes);
            self.dropped += goes;
        }
    }

    fn replayed(&self) -> Vec<P> {
        let mut line = Vec::with_capacity(self.keys.len());
        line.push(self.start().clone());
        for (i, &m) in self.moves.iter().enumerate() {
            let mut next = line[i].clone();
            next.play(m);
            line.push(next);
        }
        line
    }

    /// The moves from the start to now.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Game;
    ///
    /// let mut game = Game::new(Noughts::default());
    /// game.play(4);
    /// game.play(0);
    /// assert_eq!(game.moves(), [4, 0]);
    /// ```
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Plays `m`, which must be legal now.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// let middle = game.position().read_move("b2").unwrap();
    /// game.play(middle);
    /// assert_eq!(game.position().fen(), "....x....");
    /// ```
    pub fn play(&mut self, m: P::Move) {
        let mut next = self.position().clone();
        next.play(m);
        self.keys.push(next.key());
        self.line.push(next);
        self.moves.push(m);
    }

    /// Appends the legal moves; none once the game is over, by a declared draw or a repetition too.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut legal = Vec::new();
    /// Game::new(Noughts::default().read_fen("xoxoxo...")?).legal(&mut legal);
    /// assert_eq!(legal, [6, 7, 8]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn legal(&self, out: &mut Vec<P::Move>) {
        // Where the position itself is over it has no moves: that need not be asked.
        let pos = self.position();
        if self.past_draws || (pos.drawn().is_none() && self.cycle(P::JUDGED_AT).is_none()) {
            pos.moves(out);
        }
    }

    /// Goes back to the start. Its memory is kept for what is played next.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// game.play(4);
    /// game.rewind();
    /// assert_eq!((game.position().fen().as_str(), game.moves().len()), (".........", 0));
    /// ```
    pub fn rewind(&mut self) {
        self.line.truncate(1);
        self.keys.truncate(1);
        self.moves.clear();
        self.dropped = 0;
    }

    /// Takes the last move back and returns it; `None` at the start.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Game;
    ///
    /// let mut game = Game::new(Noughts::default());
    /// game.play(4);
    /// assert_eq!(game.undo(), Some(4));
    /// assert_eq!(game.undo(), None);
    /// ```
    pub fn undo(&mut self) -> Option<P::Move> {
        let m = self.moves.pop()?;
        self.line.pop();
        self.keys.pop();
        if self.dropped > 0 && self.line.len() < 3 {
            (self.line, self.dropped) = (self.replayed(), 0);
        }
        Some(m)
    }

    /// Sets whether only the position ends the game from now on, and neither a draw that the rules declare nor a
    /// repetition: for engines, whose interface judges the game and may count otherwise. `false` in a new game.
    ///
    /// A token that goes to and fro, in a game where it may not do so for ever:
    ///
    /// ```
    /// use kernel::{Game, Outcome, Position, Side};
    ///
    /// #[derive(Clone)]
    /// struct Token(u64);
    ///
    /// impl Position for Token {
    ///     type Move = ();
    ///     fn turn(&self) -> Side { Side::First }
    ///     fn moves(&self, out: &mut Vec<()>) { out.push(()) }
    ///     fn play(&mut self, (): ()) { self.0 = 1 - self.0 }
    ///     fn outcome(&self) -> Option<Outcome> { None }
    ///     fn key(&self) -> u64 { self.0 }
    ///     fn judge_cycle(_line: &[Self], _moves: &[()]) -> Option<Outcome> { Some(Outcome::Draw("repetition")) }
    /// }
    ///
    /// let mut game = Game::new(Token(0));
    /// (0..4).for_each(|_| game.play(()));
    /// assert_eq!(game.outcome(), Some(Outcome::Draw("repetition")));
    /// game.play_past_draws(true);
    /// assert_eq!(game.outcome(), None);
    /// ```
    pub fn play_past_draws(&mut self, on: bool) {
        self.past_draws = on;
    }

    /// Returns true if only the position ends the game; see [`play_past_draws`](Game::play_past_draws).
    #[must_use]
    pub fn plays_past_draws(&self) -> bool {
        self.past_draws
    }

    /// Returns the outcome of the game: by the position itself, by a draw that the rules declare, or by repetition.
    /// `None` while the game goes on.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Game, Outcome, Side};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// [0, 3, 1, 4].into_iter().for_each(|cell| game.play(cell));
    /// assert_eq!(game.outcome(), None);
    /// game.play(2);
    /// assert_eq!(game.outcome(), Some(Outcome::Win(Side::First, "three-in-a-row")));
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        let pos = self.position();
        if self.past_draws {
            return pos.outcome();
        }
        pos.outcome().or_else(|| pos.drawn().map(Outcome::Draw)).or_else(|| self.cycle(P::JUDGED_AT))
    }

    /// Returns the verdict of the rules once the current position occurs for the `times`-th time; `None` before that,
    /// and where the rules are silent.
    ///
    /// Looks back only as far as [`Position::reversible`] allows, so it costs nothing after a capture.
    pub fn cycle(&self, times: usize) -> Option<Outcome> {
        let first = self.cycle_start(times)?;
        self.since(first, P::judge_cycle)
    }

    /// Returns the result of `judge` on the positions and moves from ply `first` on.
    pub(crate) fn since<T>(&self, first: usize, judge: impl FnOnce(&[P], &[P::Move]) -> T) -> T {
        let moves = &self.moves[first..];
        match first.checked_sub(self.dropped) {
            Some(held) if held > 0 || self.dropped == 0 => judge(&self.line[held..], moves),
            _ => judge(&self.replayed()[first..], moves),
        }
    }

    /// Returns the number of earlier occurrences of the current position, looking back as far as moves are
    /// reversible.
    ///
    /// A token that goes to and fro between two places:
    ///
    /// ```
    /// use kernel::{Game, Outcome, Position, Side};
    ///
    /// #[derive(Clone)]
    /// struct Token(u64);
    ///
    /// impl Position for Token {
    ///     type Move = ();
    ///     fn turn(&self) -> Side { Side::First }
    ///     fn moves(&self, out: &mut Vec<()>) { out.push(()) }
    ///     fn play(&mut self, (): ()) { self.0 = 1 - self.0 }
    ///     fn outcome(&self) -> Option<Outcome> { None }
    ///     fn key(&self) -> u64 { self.0 }
    /// }
    ///
    /// let mut game = Game::new(Token(0));
    /// (0..4).for_each(|_| game.play(()));
    /// assert_eq!(game.stood_before(), 2);
    /// assert_eq!((game.cycle_start(2), game.cycle_start(3)), (Some(2), Some(0)));
    /// assert_eq!(game.outcome(), None, "this game has no rule about repetition");
    /// ```
    #[must_use]
    pub fn stood_before(&self) -> usize {
        let now = self.moves.len();
        let oldest = now.saturating_sub(self.position().reversible());
        self.keys[oldest..now].iter().filter(|&&key| key == self.keys[now]).count()
    }

    /// Returns the ply of the `times`-th last occurrence of the current position, which itself counts as the last;
    /// `None` when it has not occurred that often.
    #[must_use]
    pub fn cycle_start(&self, times: usize) -> Option<usize> {
        let now = self.moves.len();
        let oldest = now.saturating_sub(self.position().reversible());
        let (key, past) = (self.keys[now], &self.keys[..now]);
        (oldest..now).rev().filter(|&i| past[i] == key).nth(times.checked_sub(2)?)
    }

    /// Returns a game with another position for each of this one, and another move for each with the position before it. It
    /// is made to be shown: its moves need not lead from one position to the next.
    pub(crate) fn redrawn(&self, pos: impl Fn(&P) -> P, ply: impl Fn(&P, P::Move) -> P::Move) -> Game<P> {
        let truth = self.line();
        let line: Vec<P> = truth.iter().map(pos).collect();
        let moves = truth.iter().zip(&self.moves).map(|(pos, &m)| ply(pos, m)).collect();
        let keys = line.iter().map(Position::key).collect();
        Game { line, dropped: 0, moves, keys, past_draws: self.past_draws }
    }
}
