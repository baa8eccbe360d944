//! The variants, each a type of constants. Paragraphs are those of docs/rules/draughts.md.

use crate::direction;
use crate::rules::{Colour, Draws, Endgames, Goal, Landing, Places, Priority, Promotion, Removal, Rules};

const FMJD: Draws = Draws { repeats: 3, king_plies: 50, endgames: Endgames::International };
const FMJD_64: Draws = Draws { repeats: 3, king_plies: 30, endgames: Endgames::SixtyFour };
const FRISIAN: Draws = Draws { repeats: 0, king_plies: 50, endgames: Endgames::Frisian };

/// A limit on plies of kings alone, and repetition.
const fn plain(repeats: usize, king_plies: u8) -> Draws {
    Draws { repeats, king_plies, endgames: Endgames::None }
}

/// Declares the variants, and `for_each_variant!`, which hands them to another macro. The first token is a dollar sign,
/// for the macro inside this one.
macro_rules! variants {
    ($d:tt $($(#[$doc:meta])* $name:ident, $bits:ty, $key:literal, $game_type:expr, { $($constant:tt)* };)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub struct $name;

            impl Rules for $name {
                type Bits = $bits;
                const KEY: &'static str = $key;
                const CATALOGUE_KEY: &'static str = concat!("draughts/", $key);
                const GAME_TYPE: Option<u8> = $game_type;
                $($constant)*
            }
        )*

        /// Calls the macro of that name with the names of all variants, in the order in which people see them:
        /// `draughts::for_each_variant!(check)` is `check! { International Brazilian … }`. A word in brackets
        /// comes before the names: `for_each_variant!(check [laws])`.
        #[macro_export]
        macro_rules! for_each_variant {
            ($d do:ident) => { $d do! { $($name)* } };
            ($d do:ident [$d($d word:tt)*]) => { $d do! { $d($d word)* $($name)* } };
        }
    };
}

variants! { $
    /// International draughts on 10x10: the most pieces, flying kings. §1.1.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::perft::perft;
    ///
    /// assert_eq!(perft(&Draughts::<International>::start(), 4), 4_265);
    /// ```
    International, u64, "international", Some(20), {
        const DRAWS: Draws = FMJD;
    };
    /// International rules on 8x8, squares by letters. §1.7.
    Brazilian, u64, "brazilian", Some(26), {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 3);
        const LETTERS: bool = true;
        const DRAWS: Draws = FMJD_64;
    };
    /// Russian draughts: free choice, and a man that reaches the last row captures on as a king. §1.9.
    Russian, u64, "russian", Some(25), {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 3);
        const LETTERS: bool = true;
        const PRIORITY: Priority = Priority::Any;
        const PROMOTION: Promotion = Promotion::CapturesOn;
        const DRAWS: Draws = FMJD_64;
    };
    /// American pool checkers: as Russian, but promotion only where the man stops; Black begins. §1.10.
    Pool, u64, "pool", Some(23), {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 3);
        const BEGINS: Colour = Colour::Black;
        const PRIORITY: Priority = Priority::Any;
        const DRAWS: Draws = plain(3, 30);
    };
    /// English draughts, American checkers: short kings, men capture forwards, free choice. §1.11.
    ///
    /// ```
    /// use draughts::{Draughts, English};
    /// use kernel::Notation;
    ///
    /// let mut game = kernel::any(Draughts::<English>::start());
    /// game.play("11-15").unwrap();
    /// assert_eq!(game.turn(), kernel::Side::Second);
    /// assert!(game.fen().starts_with("W:"), "Black began");
    /// ```
    English, u64, "english", Some(21), {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 3);
        const BEGINS: Colour = Colour::Black;
        const MAN_TAKES: u8 = direction::UPWARD;
        const FLYING: bool = false;
        const PRIORITY: Priority = Priority::Any;
        const PROMOTION: Promotion = Promotion::EndsMove;
        const DRAWS: Draws = plain(3, 80);
    };
    /// Italian draughts: short kings safe from men, four priorities. §1.12.
    Italian, u64, "italian", Some(22), {
        const SIDE: u8 = 8;
        const PLACES: Places = Places::RightCorner;
        const START: (u8, u8) = (0, 3);
        const MAN_TAKES: u8 = direction::UPWARD;
        const FLYING: bool = false;
        const MAN_TAKES_KING: bool = false;
        const PRIORITY: Priority = Priority::Italian;
        const PROMOTION: Promotion = Promotion::EndsMove;
        const DRAWS: Draws = plain(4, 80);
    };
    /// Spanish and Portuguese draughts: the most pieces, then the most kings. §1.13.
    Spanish, u64, "spanish", Some(24), {
        const SIDE: u8 = 8;
        const PLACES: Places = Places::RightCorner;
        const START: (u8, u8) = (0, 3);
        const MAN_TAKES: u8 = direction::UPWARD;
        const PRIORITY: Priority = Priority::MostThenKings;
        const DRAWS: Draws = Draws { repeats: 3, king_plies: 40, endgames: Endgames::Iberian };
    };
    /// Czech draughts: men capture forwards, kings capture first. §1.14.
    Czech, u64, "czech", Some(29), {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 3);
        const LETTERS: bool = true;
        const MAN_TAKES: u8 = direction::UPWARD;
        const PRIORITY: Priority = Priority::WithKing;
        const PROMOTION: Promotion = Promotion::EndsMove;
        const DRAWS: Draws = plain(3, 60);
    };
    /// Frisian draughts: captures along ranks and files too, by value. §1.5.
    Frisian, u64, "frisian", Some(40), {
        const MAN_TAKES: u8 = direction::DIAGONAL | direction::STRAIGHT;
        const KING_TAKES: u8 = direction::DIAGONAL | direction::STRAIGHT;
        const PRIORITY: Priority = Priority::Value;
        const KING_MOVE_LIMIT: Option<u8> = Some(3);
        const DRAWS: Draws = FRISIAN;
    };
    /// Frisian draughts with five men a side. §1.6.
    Frysk, u64, "frysk", Some(97), {
        const START: (u8, u8) = (0, 1);
        const MAN_TAKES: u8 = Frisian::MAN_TAKES;
        const KING_TAKES: u8 = Frisian::KING_TAKES;
        const PRIORITY: Priority = Frisian::PRIORITY;
        const KING_MOVE_LIMIT: Option<u8> = Frisian::KING_MOVE_LIMIT;
        const DRAWS: Draws = FRISIAN;
    };
    /// International rules, but a king stops right behind a king it captured last. §1.2.
    Killer, u64, "killer", None, {
        const LANDING: Landing = Landing::BehindLastKing;
        const DRAWS: Draws = FMJD;
    };
    /// International rules; the first king wins. §1.3.
    Breakthrough, u64, "breakthrough", Some(96), {
        const GOAL: Goal = Goal::FirstKing;
        const DRAWS: Draws = plain(3, 0);
    };
    /// International rules; who cannot move wins. §1.4.
    Losing, u64, "losing", Some(98), {
        const GOAL: Goal = Goal::LoseAll;
        const DRAWS: Draws = plain(3, 0);
    };
    /// Thai draughts, makhos: eight men, kings land right behind, captured pieces leave at once. §1.15.
    Thai, u64, "thai", Some(31), {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 2);
        const BEGINS: Colour = Colour::Black;
        const MAN_TAKES: u8 = direction::UPWARD;
        const LANDING: Landing = Landing::RightBehind;
        const REMOVAL: Removal = Removal::AtOnce;
        const PRIORITY: Priority = Priority::Any;
        const PROMOTION: Promotion = Promotion::EndsMove;
        const DRAWS: Draws = plain(3, 50);
    };
    /// Turkish draughts: all 64 squares, straight lines, captured pieces leave at once. §1.16.
    Turkish, u64, "turkish", Some(30), {
        const SIDE: u8 = 8;
        const PLACES: Places = Places::All;
        const START: (u8, u8) = (1, 2);
        const LETTERS: bool = true;
        const MAN_MOVES: u8 = direction::N | direction::E | direction::W;
        const MAN_TAKES: u8 = direction::N | direction::E | direction::W;
        const KING_MOVES: u8 = direction::STRAIGHT;
        const KING_TAKES: u8 = direction::STRAIGHT;
        const TURNS_BACK: bool = false;
        const REMOVAL: Removal = Removal::AtOnce;
        const DRAWS: Draws = Draws { repeats: 3, king_plies: 50, endgames: Endgames::OneEach };
    };
    /// Canadian draughts: international rules on 12x12 with thirty men a side. §1.17.
    Canadian, u128, "canadian", Some(27), {
        const SIDE: u8 = 12;
        const START: (u8, u8) = (0, 5);
        const DRAWS: Draws = FMJD;
    };
    /// International rules on 8x8, squares by number: the school program of the origins. §1.8.
    School, u64, "school", None, {
        const SIDE: u8 = 8;
        const START: (u8, u8) = (0, 3);
        const DRAWS: Draws = FMJD;
    };
}
