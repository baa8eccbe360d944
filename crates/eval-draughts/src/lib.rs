//! Evaluation of draughts, all variants.
//!
//! Captures are forced, so a position with one is never judged: the search plays them out. The variants
//! that are played most are judged by what was learned about them (`windows`, and a `network` beside them), the others
//! by hand (`hand`). What differs between variants is read off their rules.

pub mod endings;
mod hand;
mod line;
mod network;
mod placing;
mod windows;

use std::sync::{Arc, LazyLock};

use draughts::rules::{Goal, Removal};
use draughts::{Brazilian, Colour, Draughts, English, Frisian, International, Move, Rules, Russian, School};
use kernel::{AnyGame, Game, Outcome, Position, Side};
use search::{Evaluator, Policy, ProbCut, QsearchKind, Score, TablebaseResult, score};

use endings::Endings;
use hand::{MAN, SQUARES, Sums};
use line::{InputStack, Learned};
pub use windows::Terms;
use windows::Windows;

use engine_core::learned::{Linear, Weights};
use engine_core::think::{Brought, texts};
use engine_core::{Chances, Evaluation, Family, Info, Ladder, Request};

/// The places of the levels on the scale of strengths.
pub const LADDER: Ladder = Ladder {
    places: [0.0, 3.63, 3.95, 4.27, 4.6, 5.0, 5.47, 6.27, 7.08],
    steps: [241, 260, 326, 382, 260, 458, 417, 301, 301],
};

/// The chances of winning for a score: docs/strength.md, "Chances".
pub const CHANCES: Chances = Chances { half: 84.0, scale: 51.0 };

/// The parts the engine needs to play and to learn these games.
pub const FAMILY: Family = Family {
    key: "draughts",
    ladder: LADDER,
    chances: CHANCES,
    turn,
    prepare,
    model,
    network,
    files: all_files,
    brought: Brought::NONE,
};

fn turn(game: &dyn AnyGame, request: &Request<'_>, report: &mut dyn FnMut(&Info)) -> Option<Vec<String>> {
    macro_rules! play {
        ($($rules:ident)*) => {
            $(if let Some(game) = game.as_any().downcast_ref::<Game<Draughts<::draughts::$rules>>>() {
                let is_level = request.strength(&LADDER).is_some();
                let judge = DraughtsEval::playing(request.limits.evaluation, is_level);
                return Some(request.search(game, &judge, &texts, &LADDER, report));
            })*
        };
    }
    ::draughts::for_each_variant!(play);
    None
}

/// Makes the endgame tables with up to that number of pieces for the variant that is played.
fn prepare(game: &dyn AnyGame, pieces: u32) {
    macro_rules! make {
        ($($rules:ident)*) => {
            $(if game.as_any().is::<Game<Draughts<::draughts::$rules>>>() {
                endings::prepare::<::draughts::$rules>(pieces);
            })*
        };
    }
    ::draughts::for_each_variant!(make);
}

fn model(key: &str) -> Option<Box<dyn Linear>> {
    macro_rules! make {
        ($($rules:ident)*) => {
            $(if key == ::draughts::$rules::CATALOGUE_KEY && windows::fit::<::draughts::$rules>() {
                return Some(Box::new(Terms::<::draughts::$rules>::new()));
            })*
        };
    }
    ::draughts::for_each_variant!(make);
    None
}

/// Returns the network to be trained, which learns what to add to the windows; only for variants whose windows have
/// learned.
fn network(key: &str) -> Option<Box<dyn engine_core::learned::Network>> {
    macro_rules! make {
        ($($rules:ident)*) => {
            $(if key == ::draughts::$rules::CATALOGUE_KEY && learned::<::draughts::$rules>().is_some() {
                return Some(Box::new(Terms::<::draughts::$rules>::new()));
            })*
        };
    }
    ::draughts::for_each_variant!(make);
    None
}

/// The bonus for the right to move (tempo), where that is not learned.
const TEMPO: i32 = 2;

/// The value of a man in the lazy evaluation, in hundredths.
const LAZY_EVAL_MAN: Score = 115;

/// Returns the margin of the lazy evaluation: the score is farther from it in only four of a thousand positions at
/// the horizon (docs/lab/experiments.md).
const fn lazy_eval_error<R: Rules>() -> Score {
    // Men that are also taken along files and rows stand worse or better by more.
    if R::MAN_TAKES & draughts::direction::STRAIGHT == 0 { 150 } else { 225 }
}

/// The evaluator of draughts by the rules `R` for the search.
#[derive(Clone, Debug)]
pub struct DraughtsEval<R: Rules> {
    /// The learned weights of this variant, and the state of the current line for them; otherwise sums by hand.
    learned: Option<(&'static Learned, InputStack<R>)>,
    sums: Sums,
    /// True if it may use endgame tables; the next field holds those it uses from this root.
    knows_endings: bool,
    endings: Option<Arc<Endings<R>>>,
}

impl<R: Rules> Default for DraughtsEval<R> {
    fn default() -> Self {
        DraughtsEval {
            learned: learned::<R>().map(|learned| (learned, InputStack::default())),
            sums: Sums::new::<R>(),
            knows_endings: false,
            endings: None,
        }
    }
}

/// The most pieces at the root with which endgame tables are made: with more, no search comes to one.
const NEAR: u32 = 16;

impl<R: Rules> DraughtsEval<R> {
    /// Creates an evaluator of that kind. Levels use no endgame tables: a beginner does not know them.
    #[must_use]
    pub fn playing(evaluation: Evaluation, is_level: bool) -> Self {
        let knows_endings = !is_level && endings::most::<R>() > 0;
        let mut judge = DraughtsEval { knows_endings, ..DraughtsEval::default() };
        if evaluation == Evaluation::Terms {
            judge.learned = None;
        }
        judge
    }
}

/// Returns the files a variant has learned: its windows and the network beside them.
fn files(key: &str) -> Option<[&'static [u8]; 2]> {
    macro_rules! files {
        ($name:literal) => {
            Some([
                include_bytes!(concat!("../weights/draughts-", $name, ".bin")),
                include_bytes!(concat!("../weights/draughts-", $name, "-network.bin")),
            ])
        };
    }
    match key {
        International::KEY => files!("international"),
        Russian::KEY => files!("russian"),
        English::KEY => files!("english"),
        Frisian::KEY => files!("frisian"),
        // The same game by other numbers of its squares.
        Brazilian::KEY | School::KEY => files!("brazilian"),
        _ => None,
    }
}

/// The files of all variants.
fn all_files() -> Vec<&'static [u8]> {
    let keys = [International::KEY, Russian::KEY, English::KEY, Frisian::KEY, Brazilian::KEY];
    keys.into_iter().filter_map(files).flatten().collect()
}

/// The weights that are built in for the rules `R`.
fn weights<R: Rules>() -> Option<Weights> {
    let [windows, _] = files(R::KEY)?;
    Some(windows::read::<R>(windows).expect("the file was written for this shape"))
}

/// Returns the learned weights of the rules `R`, if there are any.
fn learned<R: Rules>() -> Option<&'static Learned> {
    macro_rules! once {
        ($($rules:ident)*) => {
            match R::KEY {
                $(::draughts::$rules::KEY => {
                    static LEARNED: LazyLock<Option<Learned>> = LazyLock::new(read::<::draughts::$rules>);
                    LEARNED.as_ref()
                })*
                _ => None,
            }
        };
    }
    ::draughts::for_each_variant!(once)
}

fn read<R: Rules>() -> Option<Learned> {
    let [_, network] = files(R::KEY)?;
    let windows = Windows::new::<R>(&weights::<R>()?.steps).expect("`qiguan learn` checks what it writes");
    Some(Learned::new::<R>(windows, network::read::<R>(network)))
}

const fn policy<R: Rules>() -> Policy {
    Policy {
        history_size: HISTORY_SIZE,
        lmr_first_move: Some(1),
        lmr_base_divisor: (1.0, 2.2),
        lmr_max: 2,
        lmr_history_divisor: 32_000,
        lmr_improving: false,
        // Without them the tree of a middle game is a quarter smaller where nothing is cut, a third where all is.
        killers: false,
        iir: true,
        lmp: false,
        probcut: Some(ProbCut {
            min_depth: 3,
            depth_percent: 40,
            margin: 0,
            margin_per_ply: if matches!(R::GOAL, Goal::FirstKing) { 25 } else { 5 },
            captures_only: false,
        }),
        // Forced exchanges stand out everywhere: the tree of a middle game grew up to tenfold.
        singular_extensions: false,
        qsearch_tt: false,
        tt_prefetch: true,
        aspiration_window: 15,
        ..Policy::PLAIN
    }
}

/// The first history index of kings; a quiet move of a man has one by its start and direction, one of a king by its
/// target, a capture by its end.
const FIRST_KING_INDEX: usize = 4 * SQUARES;
const HISTORY_SIZE: usize = FIRST_KING_INDEX + 2 * SQUARES;

/// The number of plies before a draw by count from which on positions get keys of their own: kings alone make no
/// progress for ever.
const LATE: u8 = 12;

impl<R: Rules> Evaluator<Draughts<R>> for DraughtsEval<R> {
    const POLICY: Option<&'static Policy> = Some(&const { policy::<R>() });

    fn score(&mut self, pos: &Draughts<R>) -> Score {
        let own = |score: Score| if pos.turn() == Side::First { score } else { -score };
        let first = match &mut self.learned {
            Some((learned, line)) => {
                let (white, added) = learned.scores(pos, line.seen(learned));
                own(added) + if R::BEGINS == Colour::White { white } else { -white }
            }
            None => self.sums.score(pos) + own(TEMPO),
        };
        let first = if pos.has_kings() { fading::<R>(pos, first) } else { first };
        own(first).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    #[inline(always)]
    fn lazy_eval(&mut self, pos: &Draughts<R>) -> Option<[Score; 2]> {
        // Sums by hand are cheap, and kings are worth too many things.
        if self.learned.is_none() || pos.has_kings() {
            return None;
        }
        let [own, other] = [pos.colour(), pos.colour().other()].map(|colour| pos.material(colour).0 as i32);
        let score = (own - other) * LAZY_EVAL_MAN;
        Some([score - lazy_eval_error::<R>(), score + lazy_eval_error::<R>()])
    }

    fn policy(&self) -> &Policy {
        &const { policy::<R>() }
    }

    fn reset(&mut self, pos: &Draughts<R>) {
        self.sums.reset(pos);
        if let Some((learned, line)) = &mut self.learned {
            line.reset(learned, pos);
        }
        let near = self.knows_endings && !pos.has_more_than(NEAR);
        self.endings = near.then(endings::shared);
    }

    #[inline]
    fn probe_tablebase(&mut self, pos: &Draughts<R>) -> Option<TablebaseResult> {
        self.endings.as_ref()?.probe(pos)
    }

    fn played(&mut self, before: &Draughts<R>, m: Move<R>, _after: &Draughts<R>) {
        match &mut self.learned {
            Some((_, line)) => line.played(before, m),
            None => self.sums.played(before, m),
        }
    }

    fn undone(&mut self) {
        match &mut self.learned {
            Some((_, line)) => line.undone(),
            None => self.sums.undone(),
        }
    }

    #[inline]
    fn ended(&mut self, pos: &Draughts<R>) -> Option<Outcome> {
        if pos.has_quiet_move() { None } else { pos.outcome() }
    }

    #[inline]
    fn tt_key(&self, pos: &Draughts<R>, key: u64) -> u64 {
        match pos.plies_to_draw() {
            Some(left) if left < LATE => key ^ u64::from(left + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
            _ => key,
        }
    }

    fn is_tactical(&self, _pos: &Draughts<R>, m: Move<R>) -> bool {
        m.is_capture()
    }

    fn see(&mut self, _pos: &Draughts<R>, m: Move<R>) -> Score {
        MAN * m.captures() as i32
    }

    fn hint(&mut self, _pos: &Draughts<R>, m: Move<R>) -> i32 {
        if m.promotes() { 4000 } else { 0 }
    }

    fn history_index(&self, _pos: &Draughts<R>, m: Move<R>) -> usize {
        let (from, to) = (usize::from(m.from().number()), usize::from(m.to().number()));
        if m.is_capture() {
            FIRST_KING_INDEX + SQUARES + to
        } else if m.by_king() {
            FIRST_KING_INDEX + to
        } else {
            // A man has at most three ways to go; the low bits of the difference tell them apart.
            4 * from + (to.wrapping_sub(from) & 3)
        }
    }

    fn is_urgent(&mut self, pos: &Draughts<R>) -> bool {
        pos.must_capture()
    }

    /// Returns the kind of quiescence search: captures are played to their end. If the enemy threatens one, every answer is
    /// tried, once, where that can matter.
    fn qsearch_kind(&mut self, pos: &Draughts<R>, qs_ply: usize) -> QsearchKind {
        if pos.must_capture() {
            QsearchKind::Urgent
        } else if qs_ply == 0 && pos.is_threatened() {
            QsearchKind::Threat
        } else {
            QsearchKind::Quiet
        }
    }
}

/// The number of pieces needed to catch a lone flying king.
const ENOUGH: u32 = 4;

/// Returns the score when there are kings: reduced where the stronger side cannot hope to win, or a draw by count is
/// near.
fn fading<R: Rules>(pos: &Draughts<R>, score: i32) -> i32 {
    let [(men, kings), (other_men, other_kings)] =
        Side::BOTH.map(|side| pos.material(Draughts::<R>::colour_of(side)));
    let (weaker_kings, stronger) =
        if score > 0 { (other_kings, men + kings) } else { (kings, other_men + other_kings) };
    let escapes = R::FLYING && R::GOAL == Goal::Stop && R::REMOVAL == Removal::AfterMove;
    let mut score = score;
    if escapes && weaker_kings > 0 && stronger < ENOUGH {
        score /= 4;
    }
    match pos.plies_to_draw() {
        Some(left) => score * (20 + i32::from(left.min(60))) / 80,
        None => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays games of moves that look random, and shows each position of them.
    pub(crate) fn wander<R: Rules>(games: usize, plies: usize, mut show: impl FnMut(&Draughts<R>)) {
        for game in 0..games {
            let mut pos = Draughts::<R>::start();
            show(&pos);
            for ply in 0..plies {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                pos.play(moves[(game * 31 + ply * ply * 17) % moves.len()]);
                show(&pos);
            }
        }
    }

    /// The quick test for the end of the game agrees with the rules.
    fn ends_as_the_rules_do<R: Rules>() {
        let mut eval = DraughtsEval::<R>::default();
        wander::<R>(30, 200, |pos| assert_eq!(eval.ended(pos), pos.outcome(), "{}: {pos:?}", R::KEY));
    }

    /// The error of the lazy evaluation exceeds its margin only seldom; in random games, which are wilder than what a
    /// search comes to, more often than in a search.
    fn lazy_eval_is_close<R: Rules>() {
        let mut eval = DraughtsEval::<R>::default();
        let (mut seen, mut right, mut far) = (0, 0, 0);
        wander::<R>(200, 150, |pos| {
            if pos.must_capture() || pos.is_threatened() {
                return;
            }
            assert_eq!(eval.lazy_eval(pos).is_none(), pos.has_kings(), "{}: {pos:?}", R::KEY);
            if let Some([low, high]) = eval.lazy_eval(pos) {
                eval.reset(pos);
                seen += 1;
                right += usize::from((low..=high).contains(&eval.score(pos)));
                far += usize::from(low > 0 || high < 0);
            }
        });
        assert!(right * 100 > seen * 90, "{}: {right} of {seen}", R::KEY);
        assert!(far * 100 > seen * 20, "{}: the lazy evaluation is far from 0: {far} of {seen}", R::KEY);
    }

    #[test]
    fn lazy_evaluation_is_seldom_wrong() {
        lazy_eval_is_close::<International>();
        lazy_eval_is_close::<Russian>();
        lazy_eval_is_close::<Brazilian>();
        lazy_eval_is_close::<English>();
        lazy_eval_is_close::<Frisian>();
        assert_eq!(DraughtsEval::<::draughts::Italian>::default().lazy_eval(&Draughts::start()), None);
    }

    #[test]
    fn an_end_is_seen_in_every_variant() {
        macro_rules! each {
            ($($rules:ident)*) => { $(ends_as_the_rules_do::<::draughts::$rules>();)* };
        }
        ::draughts::for_each_variant!(each);
    }
}
