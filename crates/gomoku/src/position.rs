//! The position of gomoku: start, play, outcome, key.

use kernel::{Outcome, Position, Problem, Side};

use crate::renju::{Field, Forbidden, Verdict};
use crate::square::{LEAST_SIDE, MOST_SIDE, files};
use crate::{Point, Points, Rule, five, renju};

/// The move of a side in its turn.
///
/// ```
/// use gomoku::{Gomoku, Move, Rule};
/// use kernel::{Notation, Position};
///
/// let mut pos = Gomoku::usual(Rule::Standard).with_passes();
/// pos.play(pos.read_move("h8").unwrap());
/// pos.play(Move::Pass);
/// assert!(pos.passed());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Puts a stone on an empty point.
    Put(Point),
    /// Puts none; only where passes were agreed on ([`Gomoku::with_passes`]).
    Pass,
}

/// A position of gomoku.
///
/// ```
/// use gomoku::{Gomoku, Rule};
/// use kernel::{AnyGame, any};
///
/// let mut game = any(Gomoku::usual(Rule::Standard));
/// for point in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"] {
///     game.play(point).unwrap();
/// }
/// assert_eq!(game.outcome().unwrap().reason(), "five-in-a-row");
/// ```
#[derive(Clone, Debug)]
pub struct Gomoku {
    stones: [Points; 2], // by side
    key: u64,
    empty: u16,
    least_empty: u16, // the game is drawn when no more points are empty
    files: u8,
    ranks: u8,
    rule: Rule,
    turn: Side,
    passes: bool, // whether they were agreed on
    passed: bool, // whether the last move was one
    end: Option<End>,
}

// Copies are cheap up to 256 bytes (docs/adr/0002). Boards of all sizes are the same type.
const _: () = assert!(size_of::<Gomoku>() <= 256);

/// The ways a game can end, in few bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Five(Side),
    /// Black put a stone on a forbidden point.
    Forbidden(Forbidden, Point),
    Full,
    Count,
    Passes,
}

impl Gomoku {
    /// The empty board of `files` by `ranks`, Black to move.
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    /// use kernel::Position;
    ///
    /// assert_eq!(Gomoku::new(Rule::Freestyle, 19, 19)?.count(), 361);
    /// assert_eq!(Gomoku::new(Rule::Freestyle, 4, 19).unwrap_err().key, "gomoku-size");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// `gomoku-size` when a side is not between 5 and 26.
    pub fn new(rule: Rule, files: u8, ranks: u8) -> Result<Self, Problem> {
        let fits = |side| (LEAST_SIDE..=MOST_SIDE).contains(&side);
        if !fits(files) || !fits(ranks) {
            return Err(size_problem(files.into(), ranks.into()));
        }
        Ok(Self::empty(rule, files, ranks))
    }

    /// The usual start: 20x20 in freestyle, 15x15 under the other rules.
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    ///
    /// let renju = Gomoku::usual(Rule::Renju);
    /// assert_eq!((renju.files(), renju.ranks(), renju.empty_points()), (15, 15, 225));
    /// ```
    #[must_use]
    pub const fn usual(rule: Rule) -> Self {
        Self::empty(rule, rule.usual_side(), rule.usual_side())
    }

    const fn empty(rule: Rule, files: u8, ranks: u8) -> Self {
        Gomoku {
            stones: [Points::EMPTY; 2],
            key: 0,
            empty: files as u16 * ranks as u16,
            least_empty: 0,
            files,
            ranks,
            rule,
            turn: Side::First,
            passes: false,
            passed: false,
            end: None,
        }
    }

    /// The same empty board, where a side may pass, and two passes in a row are a draw
    /// (docs/rules/gomoku.md §7.1).
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    /// use kernel::{AnyGame, Outcome, any};
    ///
    /// let mut game = any(Gomoku::usual(Rule::Renju).with_passes());
    /// game.play("pass").unwrap();
    /// game.play("pass").unwrap();
    /// assert!(matches!(game.outcome(), Some(Outcome::Draw(_))));
    /// ```
    #[must_use]
    pub const fn with_passes(mut self) -> Self {
        self.passes = true;
        self
    }

    /// The same empty board, where the game is drawn once `stones` stones stand on it; 0, or more than there are
    /// points, is the full board (docs/rules/gomoku.md §7.2).
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    /// use kernel::{AnyGame, Outcome, any};
    ///
    /// let mut game = any(Gomoku::usual(Rule::Standard).drawn_at(2));
    /// game.play("h8").unwrap();
    /// game.play("a1").unwrap();
    /// assert!(matches!(game.outcome(), Some(Outcome::Draw(_))));
    /// ```
    #[must_use]
    pub const fn drawn_at(mut self, stones: u16) -> Self {
        let points = self.files as u16 * self.ranks as u16;
        self.least_empty = if stones == 0 { 0 } else { points.saturating_sub(stones) };
        self
    }

    /// The empty board of another size, with the rule and the agreements of this one.
    pub(crate) fn resized(&self, files: u8, ranks: u8) -> Result<Self, Problem> {
        let empty = Gomoku::new(self.rule, files, ranks)?.drawn_at(self.stone_limit().unwrap_or(0));
        Ok(Gomoku { passes: self.passes, ..empty })
    }

    /// The position with these stones, the rule, size and agreements of this one. No point has two stones, and all
    /// are on the board.
    ///
    /// # Errors
    /// `gomoku-two-winners` when both sides have a row that wins: no game ends twice.
    pub(crate) fn set_stones(&self, stones: [Points; 2], turn: Side) -> Result<Self, Problem> {
        let rows = Side::BOTH.map(|side| five::winners(&stones, side, self.rule).iter().next());
        if let [Some(black), Some(white)] = rows {
            return Err(Problem::new("gomoku-two-winners")
                .with("black", self.name(black))
                .with("white", self.name(white)));
        }
        let mut pos = self.clone();
        let keys =
            Side::BOTH.iter().flat_map(|&side| stones[side.index()].iter().map(move |p| stone_key(side, p)));
        pos.key = keys.fold(turn_key(turn), |key, one| key ^ one);
        pos.empty =
            u16::from(self.files) * u16::from(self.ranks) - (stones[0].count() + stones[1].count()) as u16;
        pos.stones = stones;
        pos.turn = turn;
        pos.passed = false;
        pos.end = match rows {
            [Some(_), None] => Some(End::Five(Side::First)),
            [None, Some(_)] => Some(End::Five(Side::Second)),
            _ => pos.counted_out(),
        };
        Ok(pos)
    }

    /// The same position after one pass, or after both sides passed.
    pub(crate) fn after_passes(mut self, passes: usize) -> Self {
        if passes > 0 {
            self.key ^= PASS_KEY;
            self.passed = true;
        }
        if passes > 1 {
            self.end = Some(End::Passes);
        }
        self
    }

    /// The same position lost by the black stone at `at`; `None` unless it stands on a forbidden point.
    pub(crate) fn lost_at(mut self, at: Point) -> Option<Self> {
        if self.rule != Rule::Renju || !self.stones[0].has(at) {
            return None;
        }
        let Verdict::Forbidden(why) = self.field().judge_stone(at) else { return None };
        self.end = Some(End::Forbidden(why, at));
        Some(self)
    }

    /// Returns the rule that says which rows win.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the number of files of the board.
    #[must_use]
    pub const fn files(&self) -> u8 {
        self.files
    }

    /// Returns the number of ranks of the board.
    #[must_use]
    pub const fn ranks(&self) -> u8 {
        self.ranks
    }

    /// The stones of one side.
    ///
    /// ```
    /// use gomoku::{Gomoku, Point, Rule};
    /// use kernel::Side;
    ///
    /// let mut pos = Gomoku::usual(Rule::Standard);
    /// let middle = Point { row: 7, file: 7 };
    /// pos.put(middle);
    /// assert!(pos.stones(Side::First).has(middle));
    /// assert_eq!(pos.stones(Side::Second).count(), 0);
    /// ```
    #[must_use]
    pub const fn stones(&self, side: Side) -> &Points {
        &self.stones[side.index()]
    }

    pub(crate) const fn both_stones(&self) -> [Points; 2] {
        self.stones
    }

    /// Returns the side whose stone stands at `at`; `None` if the point is empty.
    ///
    /// ```
    /// use gomoku::{Gomoku, Point, Rule};
    /// use kernel::Side;
    ///
    /// let mut pos = Gomoku::usual(Rule::Standard);
    /// pos.put(Point { row: 7, file: 7 });
    /// assert_eq!(pos.at(Point { row: 7, file: 7 }), Some(Side::First));
    /// assert_eq!(pos.at(Point { row: 0, file: 0 }), None);
    /// ```
    #[must_use]
    pub fn at(&self, at: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stones(side).has(at))
    }

    /// Returns the number of empty points.
    ///
    /// ```
    /// use gomoku::{Gomoku, Point, Rule};
    ///
    /// let mut pos = Gomoku::usual(Rule::Freestyle);
    /// pos.put(Point { row: 9, file: 9 });
    /// assert_eq!(pos.empty_points(), 399);
    /// ```
    #[must_use]
    pub const fn empty_points(&self) -> u16 {
        self.empty
    }

    /// Returns the number of stones with which the game is drawn, where that is before the board is full.
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    ///
    /// let start = Gomoku::usual(Rule::Standard);
    /// assert_eq!(start.stone_limit(), None);
    /// assert_eq!(start.drawn_at(150).stone_limit(), Some(150));
    /// ```
    #[must_use]
    pub const fn stone_limit(&self) -> Option<u16> {
        match self.least_empty {
            0 => None,
            left => Some(self.files as u16 * self.ranks as u16 - left),
        }
    }

    /// Returns true if passes were agreed on.
    pub(crate) const fn has_passes(&self) -> bool {
        self.passes
    }

    /// Returns true if a side may pass now.
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    ///
    /// let start = Gomoku::usual(Rule::Renju);
    /// assert!(!start.may_pass());
    /// assert!(start.with_passes().may_pass());
    /// ```
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        self.passes && self.end.is_none()
    }

    /// Returns true if the last move was a pass.
    #[must_use]
    pub const fn passed(&self) -> bool {
        self.passed
    }

    /// The stones that stand in rows that win; empty unless the game ended so.
    ///
    /// ```
    /// use gomoku::{Gomoku, Rule};
    /// use kernel::{Notation, Position};
    ///
    /// let mut pos = Gomoku::usual(Rule::Standard).read_fen("7/7/7/wbbbb2/7/1www3/7 b")?;
    /// assert_eq!(pos.winning_stones().count(), 0);
    /// pos.play(pos.read_move("f4").unwrap());
    /// assert_eq!(pos.winning_stones().count(), 5);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn winning_stones(&self) -> Points {
        match self.end {
            Some(End::Five(side)) => five::winners(&self.stones, side, self.rule),
            Some(End::Forbidden(..) | End::Full | End::Count | End::Passes) | None => Points::EMPTY,
        }
    }

    /// The black stone that was put on a forbidden point and lost the game.
    ///
    /// ```
    /// use gomoku::{Gomoku, Point, Rule};
    /// use kernel::{Notation, Outcome, Position, Side};
    ///
    /// let mut pos = Gomoku::usual(Rule::Renju).read_fen("9/9/1b1b1b1b1/9/9 b")?;
    /// pos.play(pos.read_move("e3").unwrap());
    /// assert_eq!(pos.outcome(), Some(Outcome::Win(Side::Second, "forbidden-double-four")));
    /// assert_eq!(pos.losing_stone(), Some(Point { row: 2, file: 4 }));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub const fn losing_stone(&self) -> Option<Point> {
        match self.end {
            Some(End::Forbidden(_, at)) => Some(at),
            _ => None,
        }
    }

    /// Returns the reason Black may not put a stone on the empty point `at`, whichever side is to move; `None` under
    /// every rule but renju's.
    ///
    /// ```
    /// use gomoku::{Forbidden, Gomoku, Point, Rule};
    /// use kernel::Notation;
    ///
    /// let at = Point { row: 2, file: 4 };
    /// let fen = "9/9/1b1b1b1b1/9/9 b";
    /// let under = |rule| Gomoku::usual(rule).read_fen(fen).map(|pos| pos.forbidden_at(at));
    /// assert_eq!(under(Rule::Renju)?, Some(Forbidden::DoubleFour));
    /// assert_eq!(under(Rule::Standard)?, None);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn forbidden_at(&self, at: Point) -> Option<Forbidden> {
        match self.rule {
            Rule::Renju => match self.field().judge(at) {
                Verdict::Forbidden(why) => Some(why),
                Verdict::Five | Verdict::Fine => None,
            },
            _ => None,
        }
    }

    /// Returns every empty point where Black may not put a stone, whichever side is to move, row by row from the top
    /// left.
    ///
    /// ```
    /// use gomoku::{Forbidden, Gomoku, Point, Rule};
    /// use kernel::Notation;
    ///
    /// let pos = Gomoku::usual(Rule::Renju).read_fen("9/9/1b1b1b1b1/9/9 b")?;
    /// assert_eq!(pos.forbidden_points(), [(Point { row: 2, file: 4 }, Forbidden::DoubleFour)]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn forbidden_points(&self) -> Vec<(Point, Forbidden)> {
        match self.rule {
            Rule::Renju => renju::forbidden(&mut self.field()).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) const fn end(&self) -> Option<End> {
        self.end
    }

    fn field(&self) -> Field {
        Field::new(&self.stones, self.files, self.ranks)
    }

    /// Returns the draw by a full board or by the limit of stones, if one is reached.
    const fn counted_out(&self) -> Option<End> {
        if self.empty > self.least_empty {
            None
        } else if self.empty == 0 {
            Some(End::Full)
        } else {
            Some(End::Count)
        }
    }

    /// Puts a stone of the side to move on the empty point `at`.
    ///
    /// ```
    /// use gomoku::{Gomoku, Point, Rule};
    /// use kernel::{Position, Side};
    ///
    /// let mut pos = Gomoku::usual(Rule::Standard);
    /// pos.put(Point { row: 7, file: 7 });
    /// assert_eq!((pos.turn(), pos.count()), (Side::Second, 224));
    /// ```
    pub fn put(&mut self, at: Point) {
        let side = self.turn;
        self.stones[side.index()].put(at);
        self.empty -= 1;
        self.end = self.ended_by(side, at).or_else(|| self.counted_out());
        self.key = self.key_with(at);
        self.passed = false;
        self.turn = side.other();
    }

    /// The key after a stone at `at`.
    #[inline]
    fn key_with(&self, at: Point) -> u64 {
        let passed = if self.passed { PASS_KEY } else { 0 };
        self.key ^ passed ^ stone_key(self.turn, at) ^ turn_key(Side::Second)
    }

    /// Returns the end of the game by the stone just put at `at`, if it ends the game.
    fn ended_by(&self, side: Side, at: Point) -> Option<End> {
        if self.rule != Rule::Renju || side == Side::Second {
            return five::wins(&self.stones, side, at, self.rule).then_some(End::Five(side));
        }
        match self.field().judge_stone(at) {
            Verdict::Five => Some(End::Five(side)),
            Verdict::Forbidden(why) => Some(End::Forbidden(why, at)),
            Verdict::Fine => None,
        }
    }
}

impl Position for Gomoku {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    /// The empty points row by row from the top left, then the pass.
    fn moves(&self, out: &mut Vec<Move>) {
        if self.end.is_some() {
            return;
        }
        // The list grows once, and not move by move.
        let first = out.len();
        out.resize(first + usize::from(self.empty), Move::Pass);
        let mut puts = out[first..].iter_mut();
        let board = (1 << self.files) - 1;
        for row in 0..self.ranks {
            let taken = self.stones[0].row(row) | self.stones[1].row(row);
            for (file, put) in files(board & !taken).zip(&mut puts) {
                *put = Move::Put(Point { row, file });
            }
        }
        if self.passes {
            out.push(Move::Pass);
        }
    }

    /// Returns true for a stone, which takes only its own point off the list; a pass may be made again.
    fn uses_up(&self, m: Move) -> bool {
        matches!(m, Move::Put(_))
    }

    fn play(&mut self, m: Move) {
        match m {
            Move::Put(at) => self.put(at),
            Move::Pass => {
                self.key = self.key_after(m);
                if self.passed {
                    self.end = Some(End::Passes);
                }
                self.passed = true;
                self.turn = self.turn.other();
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::Five(side) => Outcome::Win(side, "five-in-a-row"),
            End::Forbidden(why, _) => Outcome::Win(Side::Second, why.reason()),
            End::Full => Outcome::Draw("board-full"),
            End::Count => Outcome::Draw("stone-count"),
            End::Passes => Outcome::Draw("two-passes"),
        })
    }

    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        match m {
            Move::Put(at) => self.key_with(at),
            Move::Pass => {
                let passed = if self.passed { 0 } else { PASS_KEY };
                self.key ^ passed ^ turn_key(Side::Second)
            }
        }
    }

    fn count(&self) -> u64 {
        if self.end.is_some() { 0 } else { u64::from(self.empty) + u64::from(self.passes) }
    }

    /// Returns 0, for no stone is ever removed by play: no position occurs twice.
    fn reversible(&self) -> usize {
        0
    }
}

/// Returns the problem of a board that would be too small or too large. The numbers are as found, however large.
pub(crate) fn size_problem(files: usize, ranks: usize) -> Problem {
    Problem::new("gomoku-size")
        .with("files", files)
        .with("ranks", ranks)
        .with("least", LEAST_SIDE)
        .with("most", MOST_SIDE)
}

const PLACES: usize = MOST_SIDE as usize * MOST_SIDE as usize;

/// A random number for each stone of each side: a key is the exclusive or of what is there (Zobrist 1970).
static STONE_KEYS: [[u64; PLACES]; 2] = stone_keys();

const fn stone_keys() -> [[u64; PLACES]; 2] {
    let mut keys = [[0; PLACES]; 2];
    let mut i = 0;
    while i < PLACES {
        keys[0][i] = scatter(2 * i as u64 + 1);
        keys[1][i] = scatter(2 * i as u64 + 2);
        i += 1;
    }
    keys
}

fn stone_key(side: Side, at: Point) -> u64 {
    STONE_KEYS[side.index()][usize::from(at.row) * usize::from(MOST_SIDE) + usize::from(at.file)]
}

/// Returns the part of the Zobrist key that stands for the side to move: 0 for Black, so the empty board's key is 0.
const fn turn_key(turn: Side) -> u64 {
    match turn {
        Side::First => 0,
        Side::Second => scatter(0),
    }
}

/// The part of the Zobrist key that stands for a pass just made: another pass would end the game.
const PASS_KEY: u64 = scatter(2 * PLACES as u64 + 1);

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring numbers become unlike.
const fn scatter(n: u64) -> u64 {
    let z = (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
