//! Pictures of the eight points around a point, and of the point itself: a small one for each point of the board.
//!
//! ```text
//!   X . O     a number in base three: the point itself first, then its neighbours, row by row;
//!   . X .     empty 0, own 1, enemy 2; beyond the edge nothing stands
//!   . O .
//! ```
//!
//! Pictures that turn or mirror into each other are one *pattern*.

use std::sync::LazyLock;

/// The number of pictures.
const PICTURES: usize = 3_usize.pow(9);
/// The number of patterns.
pub(super) const PATTERNS: usize = 2862;

/// The row and the file of each place of a picture, from the point itself.
pub(super) const PLACES: [(isize, isize); 9] =
    [(0, 0), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A picture: as Black sees it, and as White does.
pub(super) type Picture = [u16; 2];

/// The number a stone of each side adds to a picture as Black sees it and as White does, by place.
pub(super) const STONES: [[Picture; 9]; 2] = {
    let mut stones = [[[0; 2]; 9]; 2];
    let mut place = 0;
    while place < 9 {
        let unit = 3_u16.pow(place as u32);
        stones[0][place] = [unit, 2 * unit];
        stones[1][place] = [2 * unit, unit];
        place += 1;
    }
    stones
};

/// Adds a stone to a picture.
#[inline]
pub(super) fn put(picture: &mut Picture, stone: Picture) {
    *picture = [0, 1].map(|view| picture[view] + stone[view]);
}

/// Removes a stone from a picture.
#[inline]
pub(super) fn take(picture: &mut Picture, stone: Picture) {
    *picture = [0, 1].map(|view| picture[view] - stone[view]);
}

/// The pattern of each picture.
pub(super) static NUMBERED: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mut numbers = vec![u16::MAX; PICTURES].into_boxed_slice();
    let mut count = 0;
    for picture in 0..PICTURES {
        if numbers[picture] == u16::MAX {
            for way in 0..8 {
                numbers[turned(picture, way)] = count;
            }
            count += 1;
        }
    }
    assert_eq!(usize::from(count), PATTERNS, "pictures that turn into each other are one pattern");
    numbers
});

/// A picture in one of the eight ways to turn and mirror it.
fn turned(picture: usize, way: usize) -> usize {
    (0..9).rev().fold(0, |sum, place| {
        let (mut row, mut file) = PLACES[place];
        if way & 1 > 0 {
            row = -row;
        }
        if way & 2 > 0 {
            file = -file;
        }
        if way & 4 > 0 {
            (row, file) = (file, row);
        }
        let from = PLACES.iter().position(|&place| place == (row, file)).expect("a place turns into another");
        3 * sum + picture / 3_usize.pow(from as u32) % 3
    })
}
