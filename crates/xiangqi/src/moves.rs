//! Legal moves: a generator that lists them, and one that only counts them.

use kernel::{Position, Side};

use crate::lines::{ALONG_FILE, ALONG_ROW, BITS, Reach};
use crate::position::{Rules, in_palace, slots};
use crate::square::{FILES, OFF, SQUARES};
use crate::steps::{
    ADVISOR, BIT, BySquare, CORNER, ELEPHANT, EYES, GENERAL, HORSE, Half, LEGS, NEAR, bit, home, horse_half,
    soldiers,
};
use crate::{Kind, Move, Square, Squares, Xiangqi};

/// The targets of one piece: squares of its row, of its file, and of one half of the board. Where a piece has nothing
/// of a sort, the bits are zero.
#[derive(Clone, Copy)]
struct Targets {
    row: u16,
    file: u16,
    half: Half,
    corner: u8,
}

impl Targets {
    const fn stepping(half: usize, bits: Half) -> Targets {
        Targets { row: 0, file: 0, half: bits, corner: CORNER[half] }
    }

    /// Calls `go` with each target by number: those of the row, then of the file, then of the half.
    #[inline(always)]
    fn each(self, from: Square, mut go: impl FnMut(Square)) {
        let first = from.0 - from.file();
        bits(self.row.into(), |bit| go(Square(first + bit)));
        bits(self.file.into(), |bit| go(Square(from.file() + bit * FILES)));
        bits(self.half, |bit| go(Square(self.corner + bit)));
    }

    #[inline(always)]
    fn squares(self, from: Square) -> Squares {
        let row = u128::from(self.row) << (from.0 - from.file());
        let file = UPRIGHT[usize::from(self.file) % (1 << 10)] << from.file();
        Squares(row | file | u128::from(self.half) << self.corner)
    }
}

/// The bits of a file as squares of file a.
static UPRIGHT: [u128; 1 << 10] = {
    let mut table = [0; 1 << 10];
    let mut line: usize = 1;
    while line < 1 << 10 {
        let lowest = line & line.wrapping_neg();
        table[line] = table[line ^ lowest] | 1 << (lowest.trailing_zeros() * FILES as u32);
        line += 1;
    }
    table
};

/// Calls `see` with the number of each bit that is set, rising.
#[inline(always)]
fn bits(mut word: u64, mut see: impl FnMut(u8)) {
    while word != 0 {
        see(word.trailing_zeros() as u8);
        word &= word - 1;
    }
}

impl Xiangqi {
    /// Returns the squares the piece on `from` could go to, its general's safety aside, whichever side is to move:
    /// empty squares and enemies. A general reaches the other along an open file. Empty when no piece stands there.
    ///
    /// ```
    /// use xiangqi::{Rules, Square, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let horse = start.targets(Square::named("b0").unwrap());
    /// assert_eq!(horse.iter().map(|to| to.to_string()).collect::<Vec<_>>(), ["a2", "c2"]);
    /// ```
    #[must_use]
    pub fn targets(&self, from: Square) -> Squares {
        let Some(piece) = self.piece_at(from) else { return Squares::NONE };
        let reached = self.reached(piece.side.index(), piece.kind, from).squares(from);
        match self.faced(from) {
            Some(general) => reached.with(general),
            None => reached,
        }
    }

    /// Returns the squares a piece of that side and kind on `from` could go to by the rules of moving; faster than
    /// [`targets`](Xiangqi::targets) if the piece is known. Generals do not see each other here.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Kind, Rules, Square, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let rook = Square::named("a0").unwrap();
    /// assert_eq!(start.reach(Side::First, Kind::Rook, rook), start.targets(rook));
    /// ```
    #[inline]
    #[must_use]
    pub fn reach(&self, side: Side, kind: Kind, from: Square) -> Squares {
        self.reached(side.index(), kind, from).squares(from)
    }

    /// Returns the squares a piece of that side and kind on `from` sees: [`reach`](Xiangqi::reach) and the pieces of
    /// its own side that it covers.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Kind, Rules, Square, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let [rook, horse] = ["a0", "b0"].map(|name| Square::named(name).unwrap());
    /// assert!(start.sight(Side::First, Kind::Rook, rook).has(horse), "it covers the horse");
    /// assert!(!start.reach(Side::First, Kind::Rook, rook).has(horse));
    /// ```
    #[inline]
    #[must_use]
    pub fn sight(&self, side: Side, kind: Kind, from: Square) -> Squares {
        self.seen::<true>(side.index(), kind, from).squares(from)
    }

    /// The other general, if the piece on `from` is a general and nothing stands between them.
    fn faced(&self, from: Square) -> Option<Square> {
        let [red, black] = [self.general(Side::First)?, self.general(Side::Second)?];
        let other = if from == red {
            black
        } else if from == black {
            red
        } else {
            return None;
        };
        let line = self.line(from.file());
        let open = ALONG_FILE[from.row() as usize][line].rook >> other.row() & 1 == 1;
        (from.file() == other.file() && open).then_some(other)
    }

    /// The ten bits of a file.
    fn line(&self, file: u8) -> usize {
        let file = file as usize;
        usize::from(self.files[0][file] | self.files[1][file])
    }

    /// Targets of a piece by the rules of moving, but for generals that face each other.
    #[inline(always)]
    fn reached(&self, us: usize, kind: Kind, from: Square) -> Targets {
        self.seen::<false>(us, kind, from)
    }

    /// The same, with the squares of one's own pieces or without.
    #[inline(always)]
    fn seen<const OWN: bool>(&self, us: usize, kind: Kind, from: Square) -> Targets {
        let free = |half: usize| if OWN { Half::MAX } else { !self.halves[us][half] };
        let occupied = |half: usize| self.halves[0][half] | self.halves[1][half];
        let local = |half: usize| (from.i() as u32).wrapping_sub(u32::from(CORNER[half]));
        let home = home(us);
        match kind {
            Kind::General => Targets::stepping(home, GENERAL[from.i()] & free(home)),
            Kind::Advisor => Targets::stepping(home, ADVISOR[from.i()] & free(home)),
            Kind::Elephant => {
                let blocks = EYES.around(local(home), occupied(home));
                Targets::stepping(home, ELEPHANT[from.i()][blocks] & free(home))
            }
            Kind::Horse => {
                let half = horse_half(from.0);
                let blocks = LEGS.around(local(half), occupied(half));
                Targets::stepping(half, HORSE[from.i()][blocks] & free(half))
            }
            Kind::Rook => self.along::<OWN>(us, from, |reach| reach.rook),
            Kind::Cannon => self.along::<OWN>(us, from, |reach| reach.cannon),
            Kind::Soldier => {
                let [forward, left, right] = soldiers(us, BIT[from.i()][1 - home]);
                Targets::stepping(1 - home, (forward | left | right) & free(1 - home))
            }
        }
    }

    /// Along the row and the file of a piece, or of [`OFF`], which has none.
    #[inline(always)]
    fn along<const OWN: bool>(&self, us: usize, from: Square, of: impl Fn(Reach) -> u16) -> Targets {
        let (row, file) = (usize::from(from.row()), usize::from(from.file()));
        let (own_row, own_file) = (self.rows[us][row], self.files[us][file]);
        let whole_row = usize::from(own_row | self.rows[1 - us][row]) % (1 << 9);
        let whole_file = usize::from(own_file | self.files[1 - us][file]) % (1 << 10);
        let kept = |own: u16| if OWN { u16::MAX } else { !own };
        Targets {
            row: of(ALONG_ROW[file][whole_row]) & kept(own_row),
            file: of(ALONG_FILE[row][whole_file]) & kept(own_file),
            half: 0,
            corner: 0,
        }
    }

    /// Lists the legal moves of the side to move: the general's, then piece by piece by number.
    pub(crate) fn list(&self, out: &mut Vec<Move>) {
        let side = self.turn();
        let us = side.index();
        let Some(general) = self.general(side) else { return };
        if self.rules() == Rules::Home {
            for from in self.every(side) {
                out.extend(self.targets(from).iter().map(|to| Move { from, to }));
            }
            return;
        }
        let zone = self.zone(us, general);
        if self.is_calm(us, zone) {
            self.steps(us, general, zone).each(general, |to| out.push(Move { from: general, to }));
            self.each_other(us, |from, targets| targets.each(from, |to| out.push(Move { from, to })));
            return;
        }
        self.steps(us, general, zone).each(general, |to| {
            if !self.is_attacked(side, to) {
                out.push(Move { from: general, to });
            }
        });
        let threats = self.threats(side, general);
        self.each_other(us, |from, targets| {
            let allowed = threats.allow(from);
            targets.each(from, |to| {
                if allowed.has(to) {
                    out.push(Move { from, to });
                }
            });
        });
    }

    /// Lists the legal captures of the side to move, in the order of [`moves`](Position::moves).
    ///
    /// ```
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let mut captures = Vec::new();
    /// Xiangqi::new(Rules::Asian).captures(&mut captures);
    /// let texts: Vec<String> = captures.iter().map(|m| m.to_string()).collect();
    /// assert_eq!(texts, ["b2b9", "h2h9"], "cannons take the horses");
    /// ```
    pub fn captures(&self, out: &mut Vec<Move>) {
        let side = self.turn();
        let us = side.index();
        let Some(general) = self.general(side) else { return };
        let them = self.army(side.other());
        if self.rules() == Rules::Home {
            for from in self.every(side) {
                out.extend(self.targets(from).and(them).iter().map(|to| Move { from, to }));
            }
            return;
        }
        let zone = self.zone(us, general);
        let calm = self.is_calm(us, zone);
        self.steps(us, general, zone).squares(general).and(them).iter().for_each(|to| {
            if calm || !self.is_attacked(side, to) {
                out.push(Move { from: general, to });
            }
        });
        let threats = (!calm).then(|| self.threats(side, general));
        self.each_other(us, |from, targets| {
            let targets = targets.squares(from).and(them);
            if !targets.is_empty() {
                let allowed = threats.as_ref().map_or(targets, |threats| threats.allow(from).and(targets));
                out.extend(allowed.iter().map(|to| Move { from, to }));
            }
        });
    }

    /// Every piece of a side but the general, with its targets.
    #[inline(always)]
    fn each_other(&self, us: usize, mut take: impl FnMut(Square, Targets)) {
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant, Kind::Soldier] {
            for n in slots(kind) {
                let from = Square(self.squares[us * 16 + n]);
                if from != Square(OFF) {
                    take(from, self.reached(us, kind, from));
                }
            }
        }
    }

    /// The general's square and those it might step to, in the home half.
    #[inline(always)]
    fn zone(&self, us: usize, general: Square) -> Half {
        GENERAL[general.i()] & !self.halves[us][home(us)] | BIT[general.i()][home(us)]
    }

    /// The zone without the general's own square.
    #[inline(always)]
    fn steps(&self, us: usize, general: Square, zone: Half) -> Targets {
        Targets::stepping(home(us), zone & !BIT[general.i()][home(us)])
    }

    /// Returns true if no enemy is anywhere near the zone: then all pseudo-legal moves are legal, and so it is in six
    /// of seven positions. False does not mean danger; then [`threats`](Xiangqi::threats) looks closely.
    #[inline(always)]
    fn is_calm(&self, us: usize, zone: Half) -> bool {
        let them = self.numbered(1 - us);
        let near = |table: &[BySquare<Half>; 2], kind| {
            slots(kind).fold(0, |near, n| near | table[us][Square(them[n]).i()])
        };
        let near = near(&NEAR.line, Kind::Rook)
            | near(&NEAR.line, Kind::Cannon)
            | near(&NEAR.horse, Kind::Horse)
            | near(&NEAR.soldier, Kind::Soldier);
        if near & zone != 0 {
            return false;
        }
        // Two pieces on the rows between the palaces, and the other general sees nothing whatever one of them does.
        let file = Square(them[0]).file();
        let screens = self.line(file) & 0b00_0111_1000;
        screens & screens.wrapping_sub(1) != 0 || zone & PALACE_FILE[us][usize::from(file)] == 0
    }

    /// Returns the number of legal moves of the side to move.
    pub(crate) fn count_legal(&self) -> u64 {
        match self.turn() {
            Side::First => self.count_for::<0>(),
            Side::Second => self.count_for::<1>(),
        }
    }

    fn count_for<const US: usize>(&self) -> u64 {
        let side = Side::BOTH[US];
        let Some(general) = self.general(side) else { return 0 };
        if self.rules() == Rules::Home {
            return self.count_others::<US>() + u64::from(self.targets(general).len());
        }
        let zone = self.zone(US, general);
        let steps = self.steps(US, general, zone);
        if self.is_calm(US, zone) {
            return self.count_others::<US>() + u64::from(steps.half.count_ones());
        }
        let mut safe = 0;
        steps.each(general, |to| safe += u64::from(!self.is_attacked(side, to)));
        let threats = self.threats(side, general);
        let held = |from, targets: Targets| targets.squares(from).minus(threats.allow(from)).len();
        let mut lost = 0;
        match threats.only_holders() {
            Some(holders) => holders.iter().for_each(|from| {
                // A general is never between an enemy and itself, so it holds nothing.
                let kind = self.piece_at(from).map_or(Kind::General, |piece| piece.kind);
                lost += held(from, self.reached(US, kind, from));
            }),
            None => self.each_other(US, |from, targets| lost += held(from, targets)),
        }
        self.count_others::<US>() + safe - u64::from(lost)
    }

    /// Returns the number of moves that all pieces but the general can make. Pieces that were taken stand on [`OFF`],
    /// for which every table is empty: there is no branch in it.
    #[inline(always)]
    fn count_others<const US: usize>(&self) -> u64 {
        let ours = self.numbered(US);
        let at = |n: usize| Square(ours[n]);
        let along = |targets: Targets| {
            u64::from(BITS[usize::from(targets.row) % (1 << 10)])
                + u64::from(BITS[usize::from(targets.file) % (1 << 10)])
        };
        let rook = |n| along(self.along::<false>(US, at(n), |reach| reach.rook));
        let cannon = |n| along(self.along::<false>(US, at(n), |reach| reach.cannon));
        let lines = rook(1) + rook(2) + cannon(3) + cannon(4);

        let step = |kind, n| self.reached(US, kind, at(n)).half;
        // An advisor and an elephant never share a target.
        let guards = |a, e| step(Kind::Advisor, a) | step(Kind::Elephant, e);
        let far = 1 - home(US);
        let army = (11..16).fold(0, |set, n| set | BIT[at(n).i()][far]);
        let [forward, left, right] = soldiers(US, army).map(|to| to & !self.halves[US][far]);
        let horses = [step(Kind::Horse, 5), step(Kind::Horse, 6)];
        lines + count_seven([horses[0], horses[1], guards(7, 9), guards(8, 10), forward, left, right])
    }
}

/// The bits of seven words together. Three times seven words become three: adding bit by bit is cheaper than counting
/// where there is no instruction for it (Harley and Seal).
#[inline(always)]
fn count_seven([a, b, c, d, e, f, g]: [u64; 7]) -> u64 {
    let add = |x: u64, y: u64, z: u64| (x ^ y ^ z, x & y | (x ^ y) & z);
    let (ones, twos_a) = add(a, b, c);
    let (ones, twos_b) = add(ones, d, e);
    let (ones, twos_c) = add(ones, f, g);
    let (twos, fours) = add(twos_a, twos_b, twos_c);
    u64::from(ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones())
}

/// The squares of a palace on each file, by side, in its home half.
static PALACE_FILE: [[Half; FILES as usize]; 2] = {
    let mut table = [[0; FILES as usize]; 2];
    let mut square = 0;
    while square < SQUARES {
        let mut us = 0;
        while us < 2 {
            if in_palace(Side::BOTH[us], Square(square)) {
                table[us][(square % FILES) as usize] |= bit(square, home(us));
            }
            us += 1;
        }
        square += 1;
    }
    table
};
