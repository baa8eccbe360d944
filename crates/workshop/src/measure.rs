//! Measures of games: shares, lengths, choice, and how the lead went.
//!
//! Many have a name in Ludii (Browne, Stephenson, Piette and Soemers, "A practical introduction to the Ludii general game
//! system", 2019, and the list of concepts on ludii.games), and are computed from the same facts. Those about the lead follow
//! the same ideas, but the judgement is that of our engine.

use wire::{Measure, StrengthReport};

use crate::selfplay::{End, Played};
use crate::stats::{deviation, mean, median, share};

/// The number of points of a curve over the course of a game.
pub(crate) const POINTS: usize = 21;
/// The chance to win above which a side has the lead; in between the lead stays with the side that had it.
const LEADS: f64 = 0.55;
/// The chance to win above which a side is expected to win.
const DECIDED: f64 = 0.75;

/// Returns red's chance to win at that evaluation, from 0 to 1; a draw counts as half.
pub(crate) fn chance(worth: i32, scale: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(worth) / scale).exp())
}

/// Fits the scale of the logistic curve: the number of hundredths in one unit with which the evaluations predict the
/// points best, by a golden-section search for the least loss. With fewer than 200 undecided positions it is the
/// usual 250.
pub(crate) fn scale(games: &[Played]) -> f64 {
    let pairs: Vec<(i32, f64)> = games
        .iter()
        .filter_map(|game| Some((game, game.end.points()?)))
        .flat_map(|(game, points)| game.worth.iter().map(move |&worth| (worth, points)))
        .filter(|(worth, _)| worth.abs() < crate::selfplay::WINS / 2 && *worth != 0)
        .collect();
    if pairs.len() < 200 {
        return USUAL_SCALE;
    }
    let loss = |log: f64| {
        let scale = log.exp();
        let one = |&(worth, points): &(i32, f64)| {
            let chance = chance(worth, scale).clamp(1e-9, 1.0 - 1e-9);
            -points * chance.ln() - (1.0 - points) * (1.0 - chance).ln()
        };
        pairs.iter().map(one).sum::<f64>()
    };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (SCALES.0.ln(), SCALES.1.ln());
    for _ in 0..24 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high).exp()
}

const USUAL_SCALE: f64 = 250.0;
/// The range in which the scale of a map is searched.
const SCALES: (f64, f64) = (40.0, 4000.0);

/// The course of the lead in a game that one side won.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lead {
    /// The number of times that the lead changed sides.
    pub changes: u32,
    /// The time of the last change of the lead, as a share of the game; 0 for never.
    pub last_change: f64,
    /// The time from which the winner was always expected to win, as a share of the game.
    pub decided: f64,
    /// The mean distance of the winner's chance from ½ while the winner was behind, from 0 to ½; 0 if never behind.
    pub drama: f64,
    /// The mean change of the chance from ply to ply.
    pub swing: f64,
    /// The highest chance of the loser at any time.
    pub loser_best: f64,
}

impl Lead {
    pub fn of(game: &Played, scale: f64) -> Option<Lead> {
        let winner = game.end.winner()?;
        let own = |worth: &i32| {
            let red = chance(*worth, scale);
            if winner == kernel::Side::First { red } else { 1.0 - red }
        };
        let chances: Vec<f64> = game.worth.iter().map(own).collect();
        let plies = (chances.len() - 1).max(1) as f64;
        let mut lead = Lead::default();
        let (mut leader, mut behind) = (None, Vec::new());
        for (ply, &chance) in chances.iter().enumerate() {
            let now = if chance > LEADS {
                Some(true)
            } else if chance < 1.0 - LEADS {
                Some(false)
            } else {
                leader
            };
            if leader.is_some() && now != leader {
                lead.changes += 1;
                lead.last_change = ply as f64 / plies;
            }
            leader = now;
            if chance < DECIDED {
                lead.decided = (ply + 1) as f64 / plies;
            }
            if chance < 0.5 {
                behind.push(0.5 - chance);
            }
            lead.loser_best = lead.loser_best.max(1.0 - chance);
        }
        lead.decided = lead.decided.min(1.0);
        lead.drama = mean(&behind);
        lead.swing = mean(&chances.windows(2).map(|two| (two[1] - two[0]).abs()).collect::<Vec<_>>());
        Some(lead)
    }
}

/// Computes the part of the report for the games of one strength, or of all. `boards`: for each game the pieces, the
/// share of squares held and the share ever held.
pub(crate) fn strength(
    level: Option<u8>,
    games: &[(&Played, Option<&[f64; 3]>)],
    scale: f64,
) -> StrengthReport {
    let count =
        |end: End| u32::try_from(games.iter().filter(|game| game.0.end == end).count()).unwrap_or(u32::MAX);
    let [red, blue, drawn, cut, failed] = [End::Red, End::Blue, End::Drawn, End::Cut, End::Failed].map(count);
    let counted: Vec<&Played> =
        games.iter().map(|game| game.0).filter(|game| game.end != End::Failed).collect();
    let leads: Vec<Lead> = counted.iter().filter_map(|game| Lead::of(game, scale)).collect();
    let number = red + blue + drawn + cut;
    let mut measures = Vec::new();
    let mut add = |key: &str, value: f64, ludii: Option<&str>, same: bool| {
        measures.push(Measure { key: key.to_owned(), value, ludii: ludii.map(str::to_owned), same });
    };
    let of_games = |count: u32| if number == 0 { 0.0 } else { f64::from(count) / f64::from(number) };
    let first = share(red, drawn + cut, blue);
    add("advantage", first.value, Some("AdvantageP1"), true);
    add("balance", 1.0 - (of_games(red) - of_games(blue)).abs(), Some("Balance"), true);
    add("completion", of_games(red + blue), Some("Completion"), true);
    add("drawishness", of_games(drawn), Some("Drawishness"), true);
    add("timeouts", of_games(cut), Some("Timeouts"), true);
    let stuck = counted.iter().filter(|game| game.reason == "stuck").count();
    add("stuck", of_games(u32::try_from(stuck).unwrap_or(0)), None, false);
    let lengths: Vec<f64> = counted.iter().map(|game| game.moves.len() as f64).collect();
    add("plies", mean(&lengths), Some("DurationMoves"), true);
    add("plies-median", median(&lengths), None, false);
    add("plies-deviation", deviation(&lengths), Some("DurationTurnsStdDev"), true);
    let by_game = |value: &dyn Fn(&Played) -> f64| {
        let played = counted.iter().filter(|game| !game.choices.is_empty());
        mean(&played.map(|game| value(game)).collect::<Vec<_>>())
    };
    let choices = |game: &Played| game.choices.iter().map(|&n| f64::from(n)).collect::<Vec<_>>();
    let real =
        |game: &Played| game.choices.iter().filter(|n| **n > 1).map(|&n| f64::from(n)).collect::<Vec<_>>();
    let branching = by_game(&|game| mean(&choices(game)));
    add("branching", branching, Some("BranchingFactorAverage"), true);
    add("decision-factor", by_game(&|game| mean(&real(game))), Some("DecisionFactorAverage"), true);
    add(
        "decisions",
        by_game(&|game| real(game).len() as f64 / game.choices.len() as f64),
        Some("DecisionMoves"),
        true,
    );
    add("tree", mean(&lengths) * branching.max(1.0).log10(), Some("GameTreeComplexity"), true);
    let boards: Vec<&[f64; 3]> = games.iter().filter_map(|game| game.1).collect();
    let board = |at: usize| mean(&boards.iter().map(|board| board[at]).collect::<Vec<_>>());
    add("pieces", board(0), Some("PieceNumberAverage"), true);
    add("occupied", board(1), Some("BoardSitesOccupiedAverage"), true);
    add("coverage", board(2), Some("BoardCoverageDefault"), true);
    let lead = |value: &dyn Fn(&Lead) -> f64| mean(&leads.iter().map(value).collect::<Vec<_>>());
    add("lead-changes", lead(&|lead| f64::from(lead.changes)), Some("LeadChange"), false);
    add("last-lead-change", lead(&|lead| lead.last_change), None, false);
    add("decided", lead(&|lead| lead.decided), Some("DecisivenessMoves"), false);
    let highest = leads.iter().map(|lead| lead.loser_best).fold(0.0, f64::max);
    add("threshold", highest, Some("DecisivenessThreshold"), false);
    add("drama", lead(&|lead| lead.drama), Some("Drama"), false);
    add("stability", 1.0 - lead(&|lead| lead.swing), Some("Stability"), false);
    let winner_chances: Vec<Vec<f64>> = counted
        .iter()
        .filter_map(|game| {
            let red = game.end.winner()? == kernel::Side::First;
            let own = |worth: &i32| if red { chance(*worth, scale) } else { 1.0 - chance(*worth, scale) };
            Some(game.worth.iter().map(own).collect())
        })
        .collect();
    let all_choices: Vec<Vec<f64>> = counted.iter().map(|game| choices(game)).collect();
    StrengthReport {
        level,
        games: number,
        failed,
        red,
        blue,
        drawn,
        cut,
        first,
        measures,
        lead: curve(&winner_chances),
        choices: curve(&all_choices),
        lengths: counted.iter().map(|game| u32::try_from(game.moves.len()).unwrap_or(u32::MAX)).collect(),
    }
}

/// The mean of many courses at each twentieth of their lengths; empty of nothing.
fn curve(courses: &[Vec<f64>]) -> Vec<f64> {
    let courses: Vec<&Vec<f64>> = courses.iter().filter(|course| !course.is_empty()).collect();
    if courses.is_empty() {
        return Vec::new();
    }
    let at = |course: &[f64], point: usize| {
        let place = point as f64 / (POINTS - 1) as f64 * (course.len() - 1) as f64;
        let (low, part) = (place.floor() as usize, place.fract());
        let next = course[(low + 1).min(course.len() - 1)];
        course[low] + (next - course[low]) * part
    };
    let mean_at = |point: usize| mean(&courses.iter().map(|course| at(course, point)).collect::<Vec<_>>());
    (0..POINTS).map(mean_at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(worth: &[i32], end: End) -> Played {
        let plies = worth.len() - 1;
        Played {
            level: 4,
            number: 0,
            moves: vec!["a".to_owned(); plies],
            worth: worth.to_vec(),
            choices: vec![10; plies],
            end,
            reason: "captain-taken".to_owned(),
            fault: None,
        }
    }

    #[test]
    fn the_lead_is_followed_to_where_the_game_was_decided() {
        // Red leads, blue leads, red leads and wins: two changes, the last at ply 4 of 6; from ply 4 on red was expected to win.
        let lead = Lead::of(&game(&[0, 200, -300, -100, 600, 900, 30_000], End::Red), 250.0).expect("won");
        assert_eq!(lead.changes, 2);
        assert!(
            (lead.last_change - 4.0 / 6.0).abs() < 1e-9 && (lead.decided - 4.0 / 6.0).abs() < 1e-9,
            "{lead:?}"
        );
        // The same, seen by blue, who wins it from behind in the last ply.
        let lead = Lead::of(&game(&[0, 200, -300, -100, 600, 900, -30_000], End::Blue), 250.0).expect("won");
        assert_eq!(lead.changes, 3);
        assert!((lead.decided - 1.0).abs() < 1e-9 && lead.loser_best > 0.95, "{lead:?}");
        assert_eq!(Lead::of(&game(&[0, 0], End::Drawn), 250.0), None);
    }

    #[test]
    fn shares_of_ludii_are_those_of_its_definitions() {
        let games = [
            game(&[0, 10], End::Red),
            game(&[0, 10], End::Red),
            game(&[0, -10], End::Blue),
            game(&[0, 0], End::Drawn),
            game(&[0, 0], End::Cut),
            game(&[0, 0], End::Failed),
        ];
        let list: Vec<(&Played, Option<&[f64; 3]>)> = games.iter().map(|game| (game, None)).collect();
        let report = strength(None, &list, 250.0);
        let value = |key: &str| report.measures.iter().find(|m| m.key == key).expect("is measured").value;
        for (key, wanted) in [
            ("advantage", 0.6),
            ("balance", 0.8),
            ("completion", 0.6),
            ("drawishness", 0.2),
            ("timeouts", 0.2),
            ("plies", 1.0),
            ("branching", 10.0),
            ("decisions", 1.0),
            ("tree", 1.0),
        ] {
            assert!((value(key) - wanted).abs() < 1e-9, "{key}: {}", value(key));
        }
        assert_eq!((report.games, report.failed), (5, 1));
    }

    #[test]
    fn the_scale_is_found_again_in_games_that_were_made_by_it() {
        // Of 20 games at each judgement as many are won as the curve with 400 says.
        let mut games = Vec::new();
        for worth in (-1000..=1000).step_by(50) {
            let won = (chance(worth, 400.0) * 20.0).round() as usize;
            for n in 0..20 {
                games.push(game(&[worth, worth], if n < won { End::Red } else { End::Blue }));
            }
        }
        let found = scale(&games);
        assert!((300.0..520.0).contains(&found), "{found}");
    }
}
