//! The steps of each opening: the request, the player who answers it, and the order. A protocol is a table; no other
//! code knows one by name.

use kernel::Side;

use super::Opening;

/// Fifth moves that may be declared under Yamaguchi's rule. The rule names no number; players' programs stop here.
pub(crate) const MOST_FIFTHS: u8 = 12;

/// A choice made in an opening in place of a stone.
///
/// ```
/// use gomoku::opening::Choice;
///
/// assert_eq!(Choice::Ten.number(), 5);
/// assert_eq!(Choice::Fifths(12).number(), Choice::COUNT - 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// The players exchange colours.
    Swap,
    /// The players keep their colours.
    Stay,
    /// The player who chooses takes Black.
    Black,
    /// The player who chooses takes White.
    White,
    /// The player who chooses puts a white and a black stone, and the other takes a colour (swap2).
    Two,
    /// The player who chooses keeps Black and offers ten fifth moves (Taraguchi-10).
    Ten,
    /// Black will offer this many fifth moves, 1 to 12.
    Fifths(u8),
}

impl Choice {
    /// The number of choices in all openings together.
    pub const COUNT: u32 = 6 + MOST_FIFTHS as u32;

    /// Its number among all of them, from 0.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Choice::Swap => 0,
            Choice::Stay => 1,
            Choice::Black => 2,
            Choice::White => 3,
            Choice::Two => 4,
            Choice::Ten => 5,
            Choice::Fifths(count) => 5 + count as u32,
        }
    }

    /// Its move text, which is also the name of its button: the message `button-<name>`.
    ///
    /// ```
    /// use gomoku::opening::Choice;
    ///
    /// assert_eq!((Choice::White.name(), Choice::Fifths(2).name()), ("white", "fifths-2"));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        const FIFTHS: [&str; MOST_FIFTHS as usize] = [
            "fifths-1",
            "fifths-2",
            "fifths-3",
            "fifths-4",
            "fifths-5",
            "fifths-6",
            "fifths-7",
            "fifths-8",
            "fifths-9",
            "fifths-10",
            "fifths-11",
            "fifths-12",
        ];
        match self {
            Choice::Swap => "swap",
            Choice::Stay => "stay",
            Choice::Black => "black",
            Choice::White => "white",
            Choice::Two => "two",
            Choice::Ten => "ten",
            Choice::Fifths(count) => FIFTHS[count as usize - 1],
        }
    }
}

/// The player who decides a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum By {
    /// This player, whatever the colours.
    Player(Side),
    /// The player who has Black now.
    Black,
    /// The player who has White now.
    White,
}

/// The points where a stone may be put: by their distance from the centre, the longer of files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Zone {
    Anywhere,
    /// Points at most this distance from the centre: 0 is the centre alone, 1 the middle 3x3.
    Within(u8),
    /// Farther from the centre than this.
    Beyond(u8),
}

/// The request of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    /// The next stone, in the order black, white, black …
    Stone(Zone),
    /// A choice between these buttons.
    Choice(&'static [Choice]),
    /// The declared number of fifth moves, a ply each.
    Offers,
    /// One of the offered fifth moves.
    Pick,
}

/// One step of an opening.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub by: By,
    pub ask: Ask,
    /// The message `prompt-<key>`.
    pub prompt: &'static str,
    /// The number of this act among those that one player makes in a row, and the number of those acts, for `Prompt`.
    pub part: (u8, u8),
    /// True if play goes on freely after it.
    pub last: bool,
}

impl Step {
    const fn part(mut self, step: u8, of: u8) -> Step {
        self.part = (step, of);
        self
    }

    const fn last(mut self) -> Step {
        self.last = true;
        self
    }
}

const FIRST: By = By::Player(Side::First);
const SECOND: By = By::Player(Side::Second);
const ANYWHERE: Zone = Zone::Anywhere;
const CENTRE: Zone = Zone::Within(0);

const fn step(by: By, ask: Ask, prompt: &'static str) -> Step {
    Step { by, ask, prompt, part: (1, 1), last: false }
}

const fn stone(by: By, zone: Zone, prompt: &'static str) -> Step {
    step(by, Ask::Stone(zone), prompt)
}

const SWAP_OR_STAY: Ask = Ask::Choice(&[Choice::Swap, Choice::Stay]);

/// White decides after a black stone, Black after a white one.
const WHITE_SWAPS: Step = step(By::White, SWAP_OR_STAY, "opening-white-swaps");
const BLACK_SWAPS: Step = step(By::Black, SWAP_OR_STAY, "opening-black-swaps");

const fn takes_colour(by: By) -> Step {
    step(by, Ask::Choice(&[Choice::Black, Choice::White]), "opening-colour").last()
}

const THREE: [Step; 3] = [
    stone(FIRST, ANYWHERE, "opening-three-1").part(1, 3),
    stone(FIRST, ANYWHERE, "opening-three-2").part(2, 3),
    stone(FIRST, ANYWHERE, "opening-three-3").part(3, 3),
];

/// One of the 26 openings: the first player puts all three stones.
const fn pattern(of: u8) -> [Step; 3] {
    [
        stone(FIRST, CENTRE, "opening-pattern-1").part(1, of),
        stone(FIRST, Zone::Within(1), "opening-pattern-2").part(2, of),
        stone(FIRST, Zone::Within(2), "opening-pattern-3").part(3, of),
    ]
}

const FOURTH: Step = stone(By::White, ANYWHERE, "opening-fourth");
const OFFERS: Step = step(By::Black, Ask::Offers, "opening-offers");
const PICK: Step = step(By::White, Ask::Pick, "opening-pick").last();

/// The choices of a number of fifth moves: `fifths-1` to `fifths-12`.
const FIFTHS: [Choice; MOST_FIFTHS as usize] = {
    let mut all = [Choice::Fifths(1); MOST_FIFTHS as usize];
    let mut i = 0;
    while i < all.len() {
        all[i] = Choice::Fifths(i as u8 + 1);
        i += 1;
    }
    all
};

/// The choices `fifths-1` to `fifths-n`.
const fn up_to(most: usize) -> Ask {
    Ask::Choice(FIFTHS.split_at(most).0)
}

const PRO: [Step; 3] = [
    stone(By::Black, CENTRE, "opening-centre"),
    stone(By::White, ANYWHERE, "opening-pro-second"),
    stone(By::Black, Zone::Beyond(2), "opening-pro-third").last(),
];

const LONG_PRO: [Step; 3] =
    [PRO[0], PRO[1], stone(By::Black, Zone::Beyond(3), "opening-long-pro-third").last()];

const SWAP1: [Step; 2] = [stone(FIRST, ANYWHERE, "opening-one"), takes_colour(SECOND)];

const SWAP: [Step; 4] = [THREE[0], THREE[1], THREE[2], takes_colour(SECOND)];

const SWAP2: [Step; 7] = [
    THREE[0],
    THREE[1],
    THREE[2],
    step(SECOND, Ask::Choice(&[Choice::Black, Choice::White, Choice::Two]), "opening-colour-or-two"),
    stone(SECOND, ANYWHERE, "opening-two-1").part(1, 2),
    stone(SECOND, ANYWHERE, "opening-two-2").part(2, 2),
    takes_colour(FIRST),
];

const RIF: [Step; 7] = {
    let [one, two, three] = pattern(3);
    [one, two, three, WHITE_SWAPS, FOURTH, OFFERS, PICK]
};

const YAMAGUCHI: [Step; 8] = {
    let [one, two, three] = pattern(4);
    let declares = step(FIRST, up_to(12), "opening-fifths").part(4, 4);
    [one, two, three, declares, WHITE_SWAPS, FOURTH, OFFERS, PICK]
};

const SOOSORV_8: [Step; 9] = {
    let [one, two, three] = pattern(3);
    let declares = step(By::White, up_to(8), "opening-fifths").part(2, 2);
    [one, two, three, WHITE_SWAPS, FOURTH.part(1, 2), declares, BLACK_SWAPS, OFFERS, PICK]
};

const TARAGUCHI_10: [Step; 12] = [
    stone(By::Black, CENTRE, "opening-centre"),
    WHITE_SWAPS,
    stone(By::White, Zone::Within(1), "opening-white-3x3"),
    BLACK_SWAPS,
    stone(By::Black, Zone::Within(2), "opening-black-5x5"),
    WHITE_SWAPS,
    stone(By::White, Zone::Within(3), "opening-white-7x7"),
    step(By::Black, Ask::Choice(&[Choice::Swap, Choice::Stay, Choice::Ten]), "opening-black-swaps-or-ten"),
    stone(By::Black, Zone::Within(4), "opening-black-9x9"),
    WHITE_SWAPS.last(),
    OFFERS,
    PICK,
];

impl Opening {
    /// Its steps. Choices may end it early (a colour taken) or leap to the offers (`ten`).
    pub(crate) const fn steps(self) -> &'static [Step] {
        match self {
            Opening::Pro => &PRO,
            Opening::LongPro => &LONG_PRO,
            Opening::Swap1 => &SWAP1,
            Opening::Swap => &SWAP,
            Opening::Swap2 => &SWAP2,
            Opening::Rif => &RIF,
            Opening::Yamaguchi => &YAMAGUCHI,
            Opening::Soosorv8 => &SOOSORV_8,
            Opening::Taraguchi10 => &TARAGUCHI_10,
        }
    }

    /// Returns the number of fifth moves to be offered if no player has declared one; 0: none yet.
    pub(crate) const fn fifths(self) -> u8 {
        match self {
            Opening::Rif => 2,
            Opening::Taraguchi10 => 10,
            _ => 0,
        }
    }
}
