//! Win, draw and loss probabilities by the worth of a position.

use crate::task::Worth;

/// The win, draw and loss rates of a family of games for the side to move, by the worth of the position: two logistic
/// curves that are mirrored at 0; what is left between them are draws.
///
/// Fitted to games of the engine against itself by `scripts/chances.py`; docs/strength.md has the games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The worth at which half of the games are won, in hundredths.
    pub half: f64,
    /// The scale of the logistic curves, in hundredths: this much more worth multiplies the odds by e.
    pub scale: f64,
}

impl Chances {
    /// Thousandths of wins, draws and losses for the side to move; their sum is 1000.
    #[must_use]
    pub fn of(&self, worth: Worth) -> [u16; 3] {
        let hundredths = match (worth, worth.by_rule()) {
            (Worth::Wins(n), _) | (_, Some(n)) => return if n > 0 { [1000, 0, 0] } else { [0, 0, 1000] },
            (Worth::Hundredths(n), None) => f64::from(n),
        };
        let wins = |n: f64| (1000.0 / (1.0 + ((self.half - n) / self.scale).exp())).round() as u16;
        let (win, loss) = (wins(hundredths), wins(-hundredths));
        // Where nearly nothing is drawn, rounding may give away one too many.
        let loss = loss.min(1000 - win);
        [win, 1000 - win - loss, loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_up_and_are_mirrored() {
        for chances in [Chances { half: 0.0, scale: 80.0 }, Chances { half: 150.0, scale: 60.0 }] {
            let mut last = 0;
            for n in -3000..=3000 {
                let [win, draw, loss] = chances.of(Worth::Hundredths(n));
                assert_eq!(win + draw + loss, 1000, "{n}");
                assert!(win >= last, "{n}: the better, the more is won");
                let [back, _, forth] = chances.of(Worth::Hundredths(-n));
                assert!(win.abs_diff(forth) <= 1 && loss.abs_diff(back) <= 1, "{n}");
                last = win;
            }
            assert_eq!(chances.of(Worth::Wins(3)), [1000, 0, 0]);
            assert_eq!(chances.of(Worth::Wins(-4)), [0, 0, 1000]);
        }
    }
}
