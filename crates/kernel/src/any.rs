//! Games whose rules are chosen at run time.

use std::any::Any;
use std::borrow::Cow;

use crate::notation::{Board, Cell, Diagram, Fact, Mark, Piece, Ruling};
use crate::numbers::{self, Face, Numbered};
use crate::{Eyes, Game, MoveView, Notation, Offered, Outcome, Problem, Side, View, view};

/// The error of a move text that was not played. The game is unchanged.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::{PlayError, any};
///
/// let mut game = any(Noughts::default());
/// let Err(PlayError::Illegal(problem)) = game.play("d4") else { panic!("d4 is off the board") };
/// assert_eq!(problem.to_string(), r#"illegal-move move="d4""#);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The game had already ended so.
    GameOver(Outcome),
    /// The text names no legal move here, with the reason; or the move cannot be played just now.
    Illegal(Problem),
}

impl PlayError {
    /// Returns the same as a problem, which can be said in any language.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut won = kernel::any_at(Noughts::default(), Some("xxxoo...."))?;
    /// let error = won.play("a1").unwrap_err();
    /// assert_eq!(error.problem().to_string(), r#"game-over reason="three-in-a-row""#);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn problem(self) -> Problem {
        match self {
            PlayError::GameOver(outcome) => Problem::new("game-over").with("reason", outcome.reason()),
            PlayError::Illegal(problem) => problem,
        }
    }
}

/// A game whose rules are chosen at run time. Implemented once, for every `Game<P: Notation>`.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::{AnyGame, any};
///
/// fn play_all(game: &mut dyn AnyGame, record: &str) -> Result<(), kernel::PlayError> {
///     record.split(' ').try_for_each(|text| game.play(text))
/// }
///
/// let mut game = any(Noughts::default());
/// play_all(&mut *game, "b2 a3 c1 a1")?;
/// assert_eq!(game.fen(), "o...x.o.x");
/// assert_eq!(game.record(), ["b2", "a3", "c1", "a1"]);
/// # Ok::<(), kernel::PlayError>(())
/// ```
pub trait AnyGame: Send + Sync {
    /// Plays the legal move that `text` names.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut game = kernel::any(Noughts::default());
    /// assert_eq!(game.play("B2"), Ok(()));
    /// assert!(game.play("b2").is_err(), "the cell is taken");
    /// assert_eq!(game.plies(), 1);
    /// ```
    ///
    /// # Errors
    /// See [`PlayError`]; a refused move changes nothing.
    fn play(&mut self, text: &str) -> Result<(), PlayError>;
    /// Returns the machine text of the legal move that `text` names; plays nothing.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let game = kernel::any(Noughts::default());
    /// assert_eq!(game.read("B2").as_deref(), Ok("b2"));
    /// assert_eq!(game.plies(), 0);
    /// ```
    ///
    /// # Errors
    /// The errors of [`play`](AnyGame::play).
    fn read(&self, text: &str) -> Result<String, PlayError>;
    /// Returns the machine text of what a player may choose: as [`read`](AnyGame::read), and where chance decides the choice
    /// without its outcome.
    ///
    /// # Errors
    /// The errors of [`play`](AnyGame::play).
    fn read_choice(&self, text: &str) -> Result<String, PlayError>;
    /// Returns the outcomes of a player's choice that chance decides, as move texts with their weights; empty if `text` names
    /// no such choice. See [`Position::by_chance`](crate::Position::by_chance).
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// assert!(kernel::any(Noughts::default()).outcomes("b2").is_empty(), "nothing is left to chance");
    /// ```
    fn outcomes(&self, text: &str) -> Vec<(String, u32)>;
    /// Returns the text of the choice of which `text` is an outcome; `None` for all other moves.
    fn chosen(&self, text: &str) -> Option<String>;
    /// Sets whether only the position ends the game from now on; see [`Game::play_past_draws`].
    fn play_past_draws(&mut self, on: bool);
    /// Gives memory back, where playing the game again from its start takes no time; see [`Game::compact`].
    fn compact(&mut self);
    /// Takes the last move back; false at the start.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut game = kernel::any(Noughts::default());
    /// game.play("b2").unwrap();
    /// assert!(game.undo());
    /// assert!(!game.undo(), "nothing is left to take back");
    /// ```
    fn undo(&mut self) -> bool;
    /// Returns the outcome of the game, repetition included; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// The side to move.
    fn turn(&self) -> Side;
    /// Returns the key of the position, equal whenever the rules call two positions the same; see
    /// [`Position::key`](crate::Position::key).
    fn key(&self) -> u64;
    /// Returns the number of moves played.
    fn plies(&self) -> usize;
    /// Returns true if the side that played the last ply may take it back without asking.
    fn withdraws(&self) -> bool;
    /// The position as one line of text.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut game = kernel::any(Noughts::default());
    /// game.play("b2").unwrap();
    /// assert_eq!((game.fen(), game.start_fen()), ("....x....".into(), ".........".into()));
    /// ```
    fn fen(&self) -> String;
    /// The start position as one line of text.
    fn start_fen(&self) -> String;
    /// Machine texts of the moves from the start.
    fn record(&self) -> Vec<String>;
    /// The machine text of the last move; `None` at the start.
    fn last_move(&self) -> Option<String>;
    /// Returns the side that made each move, from the start.
    fn movers(&self) -> Vec<Side>;
    /// Machine texts of the legal moves, in the game's order; none once the game is over.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let game = kernel::any_at(Noughts::default(), Some("xoxoxo..."))?;
    /// assert_eq!(game.moves(), ["a1", "b1", "c1"]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    fn moves(&self) -> Vec<String>;
    /// Returns the number of actions the game has; see [`crate::numbers`].
    fn actions(&self) -> u32;
    /// Appends the action of each legal move, in the order of [`moves`](AnyGame::moves); a few may be
    /// [`NO_ACTION`](crate::numbers::NO_ACTION).
    fn legal_actions(&self, out: &mut Vec<u32>);
    /// Plays the legal move of that number in the order of [`moves`](AnyGame::moves); false where there is none.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut game = kernel::any_at(Noughts::default(), Some("xoxoxo..."))?;
    /// assert!(game.play_nth(1));
    /// assert_eq!(game.last_move().as_deref(), Some("b1"));
    /// assert!(!game.play_nth(2), "two moves are left");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    fn play_nth(&mut self, nth: usize) -> bool;
    /// A copy with the same past that is played by numbers.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut numbered = kernel::any(Noughts::default()).numbered();
    /// assert!(numbered.play_nth(4));
    /// assert_eq!(numbered.actions(), [0, 1, 2, 3, 5, 6, 7, 8]);
    /// assert_eq!(numbered.game().fen(), "....x....");
    /// ```
    fn numbered(&self) -> Box<dyn Numbered>;
    /// The sorts of pieces that have a plane; see [`Notation::faces`].
    fn faces(&self) -> Vec<Face>;
    /// Writes the planes of `faces`, which are [`faces`](AnyGame::faces), and the
    /// [`EXTRA_PLANES`](crate::numbers::EXTRA_PLANES) over `out`, one number for each of the `cells` of each plane;
    /// if `out` has another length it is left unchanged.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let game = kernel::any_at(Noughts::default(), Some("x..oo...x"))?;
    /// let faces = game.faces();
    /// let mut planes = vec![0.0; kernel::numbers::shape(&*game).iter().product()];
    /// game.planes(&faces, 9, &mut planes);
    /// assert_eq!(planes[..9], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    fn planes(&self, faces: &[Face], cells: usize, out: &mut [f32]);
    /// The board, the same all through a game.
    fn board(&self) -> Board;
    /// The picture now.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Offered, Side, view::Every};
    ///
    /// let mut game = kernel::any(Noughts::default());
    /// game.play("b2").unwrap();
    /// let view = game.view();
    /// assert_eq!((view.turn, view.last), (Side::Second, vec![4]));
    /// assert_eq!(view.moves, Offered::Every(Every::Empty));
    /// ```
    fn view(&self) -> View;
    /// The picture for players, for whom chance is decided: of the outcomes of one choice only the choice is offered.
    fn players_view(&self) -> View;
    /// The pieces now, in any order; much cheaper than [`view`](AnyGame::view).
    fn all_pieces(&self) -> Vec<Piece>;
    /// Other names of each legal move: machine text, then notation and name.
    fn texts(&self) -> Vec<(String, Vec<(&'static str, String)>)>;
    /// Names of the moves on a board that no game reaches; see [`Notation::diagram_texts`].
    fn diagram_texts(&self, fen: &str) -> Vec<(String, Vec<(&'static str, String)>)>;
    /// The notations players read moves in, the usual one first; see [`Notation::notations`].
    fn notations(&self) -> &'static [&'static str];
    /// The last move in each of the [`notations`](AnyGame::notations); nothing at the start.
    fn last_names(&self) -> Vec<String>;
    /// Every move from the start in each of the [`notations`](AnyGame::notations).
    fn names(&self) -> Vec<Vec<String>>;
    /// Returns what can be said about the piece on a cell; see [`Notation::details`].
    fn details(&self, cell: Cell) -> Vec<Problem>;
    /// Returns the name the position is known by; see [`Notation::caption`].
    fn caption(&self) -> Option<Problem>;
    /// Returns true if playing a move may take long; see [`Notation::waits`].
    fn waits(&self) -> bool;
    /// Returns true if something may be left to chance; see [`Notation::has_chance`].
    fn has_chance(&self) -> bool;
    /// Returns true if chance may decide between moves that are listed; see [`Notation::has_outcomes`].
    fn has_outcomes(&self) -> bool;
    /// Returns true if a side may see something that the other does not; see [`Notation::has_secrets`].
    fn has_secrets(&self) -> bool;
    /// Returns the whole game as `eyes` see it: position, record and names; see [`Notation::seen`]. It is made to be shown and
    /// not to be played on. Without secrets it is a copy.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Eyes;
    ///
    /// let game = kernel::any_at(Noughts::default(), Some("....x...."))?;
    /// assert!(!game.has_secrets());
    /// assert_eq!(game.seen(Eyes::Watcher).fen(), game.fen());
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    fn seen(&self, eyes: Eyes) -> Box<dyn AnyGame>;
    /// Returns the count of random numbers that chance has used so far; see [`Notation::draws`].
    fn draws(&self) -> u64;
    /// Returns the game at its start with `seed` for its random decisions; `None` where nothing is left to chance.
    fn seeded(&self, seed: u128) -> Option<Box<dyn AnyGame>>;
    /// Returns the reason the game cannot go on just now; see [`Notation::postponed`].
    fn postponed(&self) -> Option<Problem>;
    /// Returns the cells a teacher would point at, such as threats; see [`Notation::lessons`].
    fn lessons(&self) -> Vec<Mark>;
    /// The pieces one may place when setting up a position.
    fn palette(&self) -> Vec<(Side, Cow<'static, str>)>;
    /// A game that starts with just these pieces, at most one a cell, by rising cell; see [`Notation::set_up`].
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Piece, Side};
    ///
    /// let game = kernel::any(Noughts::default());
    /// let cross = Piece { at: 4, owner: Some(Side::First), face: "stone".into() };
    /// assert_eq!(game.set_up(Side::Second, &[cross.clone()])?.fen(), "....x....");
    /// assert!(game.set_up(Side::First, &[cross]).is_err());
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The reason why no game could stand so.
    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Box<dyn AnyGame>, Problem>;
    /// Playable moves that lose by the rules, with the reason.
    fn forbidden(&self) -> Vec<(String, &'static str)>;
    /// Returns further values the game reports, by name; see [`Notation::facts`].
    fn facts(&self) -> Vec<(&'static str, Fact)>;
    /// Returns the number of move paths of length `depth`, counted by `threads` threads; see [`crate::perft`].
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let game = kernel::any(Noughts::default());
    /// assert_eq!(game.perft(3, 1), 9 * 8 * 7);
    /// ```
    fn perft(&self, depth: u32, threads: usize) -> u64;
    /// Returns the number of move paths of length `depth` under each legal move, by its machine text. `depth` is at
    /// least 1.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let game = kernel::any_at(Noughts::default(), Some("xoxoxo..."))?;
    /// assert_eq!(game.divide(2), [("a1".into(), 0), ("b1".into(), 2), ("c1".into(), 0)]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    /// A copy with the same past.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// let mut game = kernel::any(Noughts::default());
    /// let before = game.boxed_clone();
    /// game.play("b2").unwrap();
    /// assert_eq!((before.plies(), game.plies()), (0, 1));
    /// ```
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    /// Returns the `Game<P>` itself, for callers that know the type: an engine that plays just some games.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Game;
    ///
    /// let game = kernel::any(Noughts::default());
    /// assert!(game.as_any().downcast_ref::<Game<Noughts>>().is_some());
    /// ```
    fn as_any(&self) -> &dyn Any;
}

/// Creates a game that starts at `start`, without its type.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// let game = kernel::any(Noughts::default());
/// assert_eq!(game.moves().len(), 9);
/// ```
pub fn any<P: Notation>(start: P) -> Box<dyn AnyGame> {
    Box::new(Game::new(start))
}

/// Creates a game that starts at `start`, or at `fen` under the same rules.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// let game = kernel::any_at(Noughts::default(), Some("....x...."))?;
/// assert_eq!((game.turn(), game.plies()), (kernel::Side::Second, 0));
/// let problem = kernel::any_at(Noughts::default(), Some("....?....")).err().unwrap();
/// assert_eq!(problem.to_string(), r#"bad-fen found="?""#);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The fault in the FEN.
pub fn any_at<P: Notation>(start: P, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
    Ok(any(match fen {
        Some(fen) => start.read_fen(fen)?,
        None => start,
    }))
}

impl<P: Notation> Game<P> {
    /// Returns the game as `eyes` see it, position by position; see [`Notation::seen`].
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Eyes, Game};
    ///
    /// let mut game = Game::new(Noughts::default());
    /// game.play(4);
    /// assert_eq!(game.seen(Eyes::Watcher).moves(), [4], "nothing is hidden in this game");
    /// ```
    #[must_use]
    pub fn seen(&self, eyes: Eyes) -> Game<P> {
        if eyes == Eyes::All || !self.position().has_secrets() {
            return self.clone();
        }
        self.redrawn(|pos| pos.seen(eyes), |pos, m| pos.seen_move(m, eyes))
    }
}

impl<P: Notation> AnyGame for Game<P> {
    fn play(&mut self, text: &str) -> Result<(), PlayError> {
        let m = find(self, text)?;
        Game::play(self, m);
        if let Some(why) = self.position().postponed() {
            Game::undo(self);
            return Err(PlayError::Illegal(why));
        }
        Ok(())
    }

    fn read(&self, text: &str) -> Result<String, PlayError> {
        find(self, text).map(|m| self.position().move_text(m))
    }

    fn read_choice(&self, text: &str) -> Result<String, PlayError> {
        if self.outcomes(text).is_empty() { self.read(text) } else { Ok(text.trim().to_owned()) }
    }

    fn outcomes(&self, text: &str) -> Vec<(String, u32)> {
        if !AnyGame::has_outcomes(self) {
            return Vec::new();
        }
        let pos = self.position();
        let outcome = |m: P::Move| {
            let by_chance = pos.by_chance(m)?;
            (pos.move_text(by_chance.choice) == text.trim()).then(|| (pos.move_text(m), by_chance.weight))
        };
        legal(self).into_iter().filter_map(outcome).collect()
    }

    fn chosen(&self, text: &str) -> Option<String> {
        if !AnyGame::has_outcomes(self) {
            return None;
        }
        let pos = self.position();
        let by_chance = pos.by_chance(find(self, text).ok()?)?;
        Some(pos.move_text(by_chance.choice))
    }

    fn play_past_draws(&mut self, on: bool) {
        Game::play_past_draws(self, on);
    }

    fn compact(&mut self) {
        if !self.position().waits() {
            Game::compact(self);
        }
    }

    fn undo(&mut self) -> bool {
        Game::undo(self).is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(self)
    }

    fn turn(&self) -> Side {
        self.position().turn()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn plies(&self) -> usize {
        Game::moves(self).len()
    }

    fn withdraws(&self) -> bool {
        self.plies() > 0 && self.position().withdraws()
    }

    fn fen(&self) -> String {
        self.position().fen()
    }

    fn start_fen(&self) -> String {
        self.start().fen()
    }

    fn record(&self) -> Vec<String> {
        self.line().iter().zip(Game::moves(self)).map(|(pos, &m)| pos.move_text(m)).collect()
    }

    fn last_move(&self) -> Option<String> {
        let (before, &m) = last_ply(self)?;
        Some(before.move_text(m))
    }

    fn movers(&self) -> Vec<Side> {
        let past = Game::moves(self).len();
        self.line()[..past].iter().map(P::turn).collect()
    }

    fn moves(&self) -> Vec<String> {
        legal(self).into_iter().map(|m| self.position().move_text(m)).collect()
    }

    fn actions(&self) -> u32 {
        self.position().actions() * P::ALIKE
    }

    fn legal_actions(&self, out: &mut Vec<u32>) {
        numbers::legal_actions(self.position(), &legal(self), out);
    }

    fn play_nth(&mut self, nth: usize) -> bool {
        let m = legal(self).get(nth).copied();
        if let Some(m) = m {
            Game::play(self, m);
        }
        m.is_some()
    }

    fn numbered(&self) -> Box<dyn Numbered> {
        numbers::numbered(self.clone())
    }

    fn faces(&self) -> Vec<Face> {
        self.position().faces()
    }

    fn planes(&self, faces: &[Face], cells: usize, out: &mut [f32]) {
        if out.len() == (faces.len() + numbers::EXTRA_PLANES.len()) * cells {
            numbers::planes(self, faces, cells, out);
        }
    }

    fn board(&self) -> Board {
        self.position().board()
    }

    fn view(&self) -> View {
        view_of(self, legal(self))
    }

    fn players_view(&self) -> View {
        let mut moves = legal(self);
        if AnyGame::has_outcomes(self) {
            let pos = self.position();
            moves.iter_mut().for_each(|m| *m = pos.by_chance(*m).map_or(*m, |by_chance| by_chance.choice));
            // Those of one choice stand next to each other.
            moves.dedup();
        }
        view_of(self, moves)
    }

    fn all_pieces(&self) -> Vec<Piece> {
        self.position().all_pieces()
    }

    fn texts(&self) -> Vec<(String, Vec<(&'static str, String)>)> {
        let pos = self.position();
        legal(self).into_iter().map(|m| (pos.move_text(m), pos.texts(m))).collect()
    }

    fn diagram_texts(&self, fen: &str) -> Vec<(String, Vec<(&'static str, String)>)> {
        self.position().diagram_texts(fen)
    }

    fn notations(&self) -> &'static [&'static str] {
        self.position().notations()
    }

    fn last_names(&self) -> Vec<String> {
        last_ply(self).map(|(before, &m)| names(before, m)).unwrap_or_default()
    }

    fn names(&self) -> Vec<Vec<String>> {
        self.line().iter().zip(Game::moves(self)).map(|(pos, &m)| names(pos, m)).collect()
    }

    fn details(&self, cell: Cell) -> Vec<Problem> {
        self.position().details(cell)
    }

    fn caption(&self) -> Option<Problem> {
        self.position().caption()
    }

    fn waits(&self) -> bool {
        self.position().waits()
    }

    fn has_chance(&self) -> bool {
        self.position().has_chance()
    }

    fn has_outcomes(&self) -> bool {
        P::MAY_DRAW && self.position().has_outcomes()
    }

    fn has_secrets(&self) -> bool {
        self.position().has_secrets()
    }

    fn seen(&self, eyes: Eyes) -> Box<dyn AnyGame> {
        Box::new(Game::seen(self, eyes))
    }

    fn draws(&self) -> u64 {
        self.position().draws()
    }

    fn seeded(&self, seed: u128) -> Option<Box<dyn AnyGame>> {
        self.start().seeded(seed).map(any)
    }

    fn postponed(&self) -> Option<Problem> {
        self.position().postponed()
    }

    fn lessons(&self) -> Vec<Mark> {
        self.position().lessons()
    }

    fn palette(&self) -> Vec<(Side, Cow<'static, str>)> {
        self.position().palette()
    }

    fn set_up(&self, turn: Side, pieces: &[Piece]) -> Result<Box<dyn AnyGame>, Problem> {
        self.position().set_up(turn, pieces).map(any)
    }

    fn forbidden(&self) -> Vec<(String, &'static str)> {
        self.position().forbidden()
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        self.position().facts()
    }

    fn perft(&self, depth: u32, threads: usize) -> u64 {
        crate::perft::perft_parallel(self.position(), depth, threads)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let pos = self.position();
        crate::perft::divide(pos, depth).into_iter().map(|(m, nodes)| (pos.move_text(m), nodes)).collect()
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Returns the text of the move that is played where a player chose `text`: an outcome of it that is drawn by `below`, which
/// gives a number below its argument, where chance decides; else `text` itself. Outcomes are drawn again: of `text` that
/// names one only the choice counts.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// let game = kernel::any(Noughts::default());
/// assert_eq!(kernel::by_lot(&*game, "b2", |_| 0), "b2", "nothing is left to chance");
/// ```
pub fn by_lot(game: &dyn AnyGame, text: &str, below: impl FnOnce(u64) -> u64) -> String {
    if !game.has_outcomes() {
        return text.to_owned();
    }
    let choice = game.chosen(text);
    let mut outcomes = game.outcomes(choice.as_deref().unwrap_or(text));
    let sum: u64 = outcomes.iter().map(|(_, weight)| u64::from(*weight)).sum();
    if sum == 0 {
        return text.to_owned();
    }
    let mut left = below(sum).min(sum - 1);
    let drawn = outcomes.iter().position(|(_, weight)| match left.checked_sub(u64::from(*weight)) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    outcomes.swap_remove(drawn.unwrap_or(0)).0
}

/// The view of a game that offers those moves.
fn view_of<P: Notation>(game: &Game<P>, moves: Vec<P::Move>) -> View {
    let pos = game.position();
    let outcome = Game::outcome(game);
    let moves = match outcome {
        None if pos.fills_any_cell() => Offered::Every(view::Every::Empty),
        _ => Offered::Listed(moves.into_iter().map(|m| move_view(pos, m)).collect()),
    };
    let Diagram { pieces, marks } = pos.diagram();
    View {
        turn: pos.turn(),
        pieces,
        marks,
        dirs: pos.dirs(),
        hands: pos.hands(),
        moves,
        buttons: if outcome.is_none() { pos.buttons() } else { Vec::new() },
        prompt: if outcome.is_none() { pos.prompt() } else { None },
        last: last_ply(game).map(|(before, &m)| ends(before, m)).unwrap_or_default(),
        trail: last_ply(game).map(|(before, &m)| before.path(m)).filter(|p| p.len() > 1).unwrap_or_default(),
        counters: if outcome.is_none() { pos.counters() } else { Vec::new() },
        notes: if outcome.is_none() {
            pos.notes().into_iter().map(view::Problem::from).collect()
        } else {
            Vec::new()
        },
        caption: pos.caption().map(view::Problem::from),
        swapped: pos.swapped(),
        puts: Some(pos.puts()).filter(|&side| side != pos.turn()),
        withdraws: AnyGame::withdraws(game),
        outcome: outcome.map(view::Outcome::from),
        ruling: ruling(game),
    }
}

/// The legal move that `text` names.
fn find<P: Notation>(game: &Game<P>, text: &str) -> Result<P::Move, PlayError> {
    if let Some(outcome) = Game::outcome(game) {
        return Err(PlayError::GameOver(outcome));
    }
    let pos = game.position();
    pos.read_move(text).ok_or_else(|| PlayError::Illegal(pos.refusal(text)))
}

/// The legal moves of a game: none once it is over, by repetition too.
fn legal<P: Notation>(game: &Game<P>) -> Vec<P::Move> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    moves
}

fn last_ply<P: Notation>(game: &Game<P>) -> Option<(&P, &P::Move)> {
    Some((game.before()?, Game::moves(game).last()?))
}

/// A move in each of the notations players read; a notation that has no name for it gives the machine text.
fn names<P: Notation>(before: &P, m: P::Move) -> Vec<String> {
    let wanted = before.notations();
    if wanted.is_empty() {
        return Vec::new();
    }
    let texts = before.texts(m);
    let named = |key: &&str| texts.iter().find(|(name, _)| name == key).map(|(_, text)| text.clone());
    wanted.iter().map(|key| named(key).unwrap_or_else(|| before.move_text(m))).collect()
}

/// Returns the reasons for the repetition that ended the game, if one did; its plies count from the start of the
/// game.
fn ruling<P: Notation>(game: &Game<P>) -> Option<Ruling> {
    let pos = game.position();
    if pos.outcome().is_some() || pos.drawn().is_some() {
        return None;
    }
    let first = game.cycle_start(P::JUDGED_AT)?;
    let mut ruling = game.since(first, P::ruling)?;
    for (ply, _) in &mut ruling.plies {
        *ply += u32::try_from(first).unwrap_or(u32::MAX);
    }
    Some(ruling)
}

fn ends<P: Notation>(before: &P, m: P::Move) -> Vec<Cell> {
    let shifts = before.shifts(m);
    if shifts.is_empty() {
        return before.path(m).last().copied().into_iter().collect();
    }
    shifts.into_iter().map(|(_, to)| to).collect()
}

fn move_view<P: Notation>(pos: &P, m: P::Move) -> MoveView {
    MoveView {
        text: pos.move_text(m),
        path: pos.path(m),
        shifts: pos.shifts(m),
        pick: pos.pick(m),
        face: pos.picked_face(m),
        warning: pos.warning(m).map(Cow::Borrowed),
    }
}
