//! Piece values and piece-square bonuses: round numbers, in hundredths of a soldier that has crossed the river.

use xiangqi::Kind;

/// The value of a piece on any square, by [`Kind`]. A general only needs to be worth more than everything.
pub const VALUE: [i32; 7] = {
    let mut value = [0; 7];
    value[Kind::General as usize] = 5000;
    value[Kind::Advisor as usize] = 180;
    value[Kind::Elephant as usize] = 170;
    value[Kind::Horse as usize] = 430;
    value[Kind::Rook as usize] = 940;
    value[Kind::Cannon as usize] = 460;
    value[Kind::Soldier as usize] = 70;
    value
};

/// A bonus for each square: ranks from one's own side outwards, files from the edge to the middle.
type Places = [[i16; 5]; 10];

const GENERAL: Places = {
    let mut places = [[0; 5]; 10];
    places[0] = [0, 0, 0, 10, 20];
    places[1] = [0, 0, 0, -15, -5];
    places[2] = [0, 0, 0, -30, -20];
    places
};

const ADVISOR: Places = {
    let mut places = [[0; 5]; 10];
    places[0][3] = 0;
    places[1][4] = 15;
    places[2][3] = -10;
    places
};

const ELEPHANT: Places = {
    let mut places = [[0; 5]; 10];
    places[0][2] = 0;
    places[2] = [-15, 0, 0, 0, 20];
    places[4][2] = -5;
    places
};

const HORSE: Places = [
    [-25, -20, -10, -10, -20],
    [-20, -10, 0, -5, -40],
    [-10, 5, 15, 10, 0],
    [0, 5, 10, 15, 15],
    [0, 15, 20, 20, 25],
    [10, 25, 30, 35, 30],
    [15, 30, 35, 40, 35],
    [15, 35, 50, 45, 40],
    [10, 25, 55, 30, 5],
    [0, 10, 15, 10, 0],
];

const CANNON: Places = [
    [0, 5, 10, 10, 10],
    [0, 5, 10, 5, 5],
    [5, 5, 5, 5, 25],
    [0, 0, 0, 0, 15],
    [-5, 0, 5, 0, 20],
    [-5, 0, 0, 0, 25],
    [0, 5, 5, 10, 25],
    [5, 5, 0, -10, -10],
    [15, 15, 0, -15, -20],
    [20, 20, 5, -15, -25],
];

const ROOK: Places = [
    [-30, -10, 0, 10, 0],
    [-10, 0, 5, 15, 0],
    [-5, 5, 5, 10, 10],
    [0, 10, 10, 15, 15],
    [10, 15, 15, 20, 20],
    [10, 15, 15, 20, 20],
    [15, 20, 20, 30, 30],
    [10, 20, 20, 35, 35],
    [15, 25, 25, 40, 45],
    [10, 15, 15, 25, 15],
];

const SOLDIER: Places = [
    [0; 5],
    [0; 5],
    [0; 5],
    [0, 0, 5, 0, 15],
    [5, 0, 20, 0, 20],
    [50, 65, 75, 85, 80],
    [65, 90, 105, 115, 110],
    [75, 105, 130, 150, 145],
    [75, 105, 135, 160, 160],
    [0, 10, 20, 30, 25],
];

/// Returns the bonus for a piece, by its rank from its own side and its file from the edge.
pub const fn place(kind: Kind, rank: usize, file: usize) -> i32 {
    let places = match kind {
        Kind::General => &GENERAL,
        Kind::Advisor => &ADVISOR,
        Kind::Elephant => &ELEPHANT,
        Kind::Horse => &HORSE,
        Kind::Cannon => &CANNON,
        Kind::Rook => &ROOK,
        Kind::Soldier => &SOLDIER,
    };
    places[rank][file] as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_kinds() {
        let worth = |kind: Kind| VALUE[kind as usize];
        assert!(worth(Kind::Rook) > 2 * worth(Kind::Cannon));
        assert!(worth(Kind::Horse) > 2 * worth(Kind::Elephant));
        assert!(worth(Kind::Elephant) > 2 * worth(Kind::Soldier));
    }
}
