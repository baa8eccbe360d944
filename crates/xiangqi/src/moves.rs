//! What is legal: listed for whoever plays, counted for whoever only counts.

use kernel::{Position, Side};

use crate::lines::{ALONG_FILE, ALONG_ROW, BITS, Reach};
use crate::position::{Rules, slots};
use crate::square::{FILES, OFF};
use crate::steps::{
    ADVISOR, BIT, CORNER, ELEPHANT, EYES, GENERAL, HORSE, Half, LEGS, NEAR, NORTH, SOUTH, WHOLE, home,
    horse_half, soldiers,
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

    /// By number: row, file, half.
    #[inline(always)]
    fn each(self, from: Square, mut go: impl FnMut(Square)) {
        let first = from.0 - from.file();
        bits(self.row.into(), |bit| go(Square(first + bit)));
        bits(self.file.into(), |bit| go(Square(from.file() + bit * FILES)));
        bits(self.half, |bit| go(Square(self.corner + bit)));
    }

    #[inline(always)]
    fn squares(self, from: Square) -> Squares {
        let mut set = Squares::NONE;
        self.each(from, |to| set = set.with(to));
        set
    }
}

/// Calls `see` with the number of each bit that is set, rising.
#[inline(always)]
fn bits(mut word: u64, mut see: impl FnMut(u8)) {
    while word != 0 {
        see(word.trailing_zeros() as u8);
        word &= word - 1;
    }
}

impl Xiangqi {
    /// Where the piece on `from` could go if its general's safety did not matter, whoever is to move: empty squares
    /// and enemies. A general reaches the other along an open file. Empty when nothing stands there.
    #[must_use]
    pub fn targets(&self, from: Square) -> Squares {
        let Some(piece) = self.piece_at(from) else { return Squares::NONE };
        let reached = self.reached(piece.side.index(), piece.kind, from).squares(from);
        match self.faced(from) {
            Some(general) => reached.with(general),
            None => reached,
        }
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
        let free = |half: usize| !self.halves[us][half];
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
            Kind::Rook => self.along(us, from, |reach| reach.rook),
            Kind::Cannon => self.along(us, from, |reach| reach.cannon),
            Kind::Soldier => {
                let [forward, left, right] = soldiers(us, BIT[from.i()][1 - home]);
                Targets::stepping(1 - home, (forward | left | right) & free(1 - home))
            }
        }
    }

    /// Along the row and the file of a piece, or of [`OFF`], which has none.
    #[inline(always)]
    fn along(&self, us: usize, from: Square, of: impl Fn(Reach) -> u16) -> Targets {
        let (row, file) = (usize::from(from.row()), usize::from(from.file()));
        let (own_row, own_file) = (self.rows[us][row], self.files[us][file]);
        let whole_row = usize::from(own_row | self.rows[1 - us][row]) % (1 << 9);
        let whole_file = usize::from(own_file | self.files[1 - us][file]) % (1 << 10);
        Targets {
            row: of(ALONG_ROW[file][whole_row]) & !own_row,
            file: of(ALONG_FILE[row][whole_file]) & !own_file,
            half: 0,
            corner: 0,
        }
    }

    /// Lists the legal moves of the side to move: piece by piece in the order of the slots.
    pub(crate) fn list(&self, out: &mut Vec<Move>) {
        let side = self.turn();
        let Some(general) = self.general(side) else { return };
        let us = side.index();
        if self.rules() == Rules::Home {
            for from in self.every(side) {
                self.targets(from).iter().for_each(|to| out.push(Move { from, to }));
            }
            return;
        }
        let zone = self.zone(us, general);
        let threats = if self.is_calm(us, general, zone) { None } else { Some(self.threats(side, general)) };
        let steps = Targets::stepping(home(us), zone & !BIT[general.i()][home(us)]);
        steps.each(general, |to| {
            if threats.is_none() || !self.is_attacked(side, to) {
                out.push(Move { from: general, to });
            }
        });
        match threats.filter(|threats| !threats.is_empty()) {
            None => {
                self.list_freely(us, |from, targets| targets.each(from, |to| out.push(Move { from, to })))
            }
            Some(threats) => self.list_freely(us, |from, targets| {
                let allowed = threats.allow(from);
                targets.each(from, |to| {
                    if allowed.has(to) {
                        out.push(Move { from, to });
                    }
                });
            }),
        }
    }

    /// Every piece but the general, with its targets.
    #[inline(always)]
    fn list_freely(&self, us: usize, mut take: impl FnMut(Square, Targets)) {
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant, Kind::Soldier] {
            for n in slots(kind) {
                let from = Square(self.squares[us * 16 + n]);
                if from.0 != OFF {
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

    /// Whether no enemy is anywhere near: then every move is legal that the pieces can make. May say no though all is
    /// well; then [`threats`](Xiangqi::threats) looks closely.
    #[inline(always)]
    fn is_calm(&self, us: usize, general: Square, zone: Half) -> bool {
        let them: &[u8; 16] = if us == 0 { self.black() } else { self.red() };
        let line = |n: usize| NEAR.line[us][Square(them[n]).i()];
        let horse = |n: usize| NEAR.horse[us][Square(them[n]).i()];
        let soldier = |n: usize| NEAR.soldier[us][Square(them[n]).i()];
        let lines = line(1) | line(2) | line(3) | line(4);
        let horses = horse(5) | horse(6);
        let soldiers = soldier(11) | soldier(12) | soldier(13) | soldier(14) | soldier(15);
        let _ = general;
        if (lines | horses | soldiers) & zone != 0 {
            return false;
        }
        // The other general: two pieces between the palaces are a wall whatever we do.
        let file = Square(them[0]).file();
        let wall = self.line(file) & 0b000_1111_000;
        wall & wall.wrapping_sub(1) != 0 || zone & FILE[us][file as usize] == 0
    }

    /// How many legal moves the side to move has.
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
            let steps = self.reached(US, Kind::General, general).half.count_ones();
            return self.count_freely::<US>() + u64::from(steps) + u64::from(self.faced(general).is_some());
        }
        let zone = self.zone(US, general);
        let steps = zone & !BIT[general.i()][home(US)];
        if self.is_calm(US, general, zone) {
            return self.count_freely::<US>() + u64::from(steps.count_ones());
        }
        let mut safe = 0;
        bits(steps, |bit| {
            safe += u64::from(!self.is_attacked(side, Square(CORNER[home(US)] + bit)));
        });
        let threats = self.threats(side, general);
        if threats.is_empty() {
            return self.count_freely::<US>() + safe;
        }
        if let Some(holders) = threats.only_holders() {
            let lost = |from: Square| match self.piece_at(from) {
                Some(piece) if piece.kind != Kind::General => {
                    self.reached(US, piece.kind, from).squares(from).minus(threats.allow(from)).len()
                }
                _ => 0,
            };
            let lost: u32 = holders.iter().map(lost).sum();
            return self.count_freely::<US>() + safe - u64::from(lost);
        }
        let mut held = 0;
        self.list_freely(US, |from, targets| held += targets.squares(from).and(threats.allow(from)).len());
        u64::from(held) + safe
    }

    /// How many moves all pieces but the general can make. Pieces that were taken stand on [`OFF`], where every table
    /// says nothing: there is no branch in it.
    #[inline(always)]
    fn count_freely<const US: usize>(&self) -> u64 {
        let ours: &[u8; 16] = if US == 0 { self.red() } else { self.black() };
        let at = |n: usize| Square(ours[n]);
        let along = |targets: Targets| {
            u64::from(BITS[usize::from(targets.row) % (1 << 10)])
                + u64::from(BITS[usize::from(targets.file) % (1 << 10)])
        };
        let rook = |n| along(self.along(US, at(n), |reach| reach.rook));
        let cannon = |n| along(self.along(US, at(n), |reach| reach.cannon));
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

/// The palace's squares of each file, by side, in its home half; nothing for other files.
static FILE: [[Half; FILES as usize]; 2] = {
    let mut table = [[0; FILES as usize]; 2];
    let mut file = 3;
    while file < 6 {
        let rows: Half = 1 | 1 << 9 | 1 << 18;
        table[0][file] = rows << (4 * 9 + file);
        table[1][file] = rows << file;
        file += 1;
    }
    table
};

const _: () = assert!(WHOLE >> 62 == 1 && NORTH + SOUTH == 1);
