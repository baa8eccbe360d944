//! Test cases of a map: positions with what is expected in them, kept beside the map by its author and run by
//! `qiguan map test`.
//!
//! ```toml
//! [[case]]
//! name = "the elephant goes one step forward"
//! play = ["7,2-6,2"]        # moves from the start; or fen = "…", or both
//! piece = "7,4"             # only moves of the piece there
//! moves = ["7,4-6,4"]       # exactly these
//! allows = []               # these among others
//! forbids = ["7,4-7,3"]     # none of these
//! ends = "no"               # "red", "blue", "drawn", "stuck", "failed" or "no"
//! fen = "…"                 # where to begin
//! reaches = "…"             # the position after the moves
//! ```

use catalog::maps::Rules;
use kernel::{AnyGame, Outcome, PlayError, Problem, Side};
use serde::Deserialize;

/// The most bytes of a file of cases.
pub const MOST_BYTES: usize = 1 << 20;
/// The most cases of a file.
pub const MOST_CASES: usize = 2_000;
/// The most moves that lead to a case.
const MOST_PLIES: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    case: Vec<Case>,
}

/// A test case: a position and what is expected in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    /// The name of the case: what it tests.
    pub name: String,
    /// The starting position; absent for the usual start.
    pub fen: Option<String>,
    /// The moves that lead to the position tested.
    pub play: Vec<String>,
    /// The square of a piece; `moves`, `allows` and `forbids` are then about the moves of that piece only.
    pub piece: Option<String>,
    /// The complete list of legal moves expected, in any order.
    pub moves: Option<Vec<String>>,
    /// Moves that must be legal.
    pub allows: Vec<String>,
    /// Moves that must be illegal.
    pub forbids: Vec<String>,
    /// The expected state of the game.
    pub ends: Option<Ends>,
    /// The expected position, as a FEN.
    pub reaches: Option<String>,
}

/// The states of a game that a case can expect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// Red has won.
    Red,
    /// Blue has won.
    Blue,
    /// The game is drawn by a rule of the map.
    Drawn,
    /// The side to move has no move.
    Stuck,
    /// An extension failed.
    Failed,
    /// The game goes on.
    No,
}

impl Ends {
    fn of(outcome: Option<Outcome>) -> Ends {
        match outcome {
            None => Ends::No,
            Some(Outcome::Win(Side::First, _)) => Ends::Red,
            Some(Outcome::Win(Side::Second, _)) => Ends::Blue,
            Some(Outcome::Draw("stuck")) => Ends::Stuck,
            Some(Outcome::Draw(_)) => Ends::Drawn,
            Some(Outcome::Void(_)) => Ends::Failed,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Ends::Red => "red",
            Ends::Blue => "blue",
            Ends::Drawn => "drawn",
            Ends::Stuck => "stuck",
            Ends::Failed => "failed",
            Ends::No => "no",
        }
    }
}

/// Reads a file of cases.
///
/// # Errors
/// `cases-file` with what is wrong and where: not TOML, an unknown key, too large, too many.
pub fn read(text: &str) -> Result<Vec<Case>, Problem> {
    let wrong = |why: &dyn std::fmt::Display| Problem::new("cases-file").with("text", why);
    if text.len() > MOST_BYTES {
        return Err(Problem::new("cases-too-large").with("most", MOST_BYTES));
    }
    let file: File = toml::from_str(text).map_err(|why| wrong(&why.to_string().trim_end()))?;
    let many = file.case.len() > MOST_CASES || file.case.iter().any(|case| case.play.len() > MOST_PLIES);
    if many { Err(Problem::new("cases-too-large").with("most", MOST_CASES)) } else { Ok(file.case) }
}

/// Runs a case and returns its failures: each a problem `cases-…` with facts; empty when the case passes.
#[must_use]
pub fn run(rules: &Rules, case: &Case) -> Vec<Problem> {
    let mut game = match rules.open(case.fen.as_deref()) {
        Ok(game) => game,
        Err(problem) => return vec![problem],
    };
    for (ply, text) in case.play.iter().enumerate() {
        let played = game.play(text);
        // A fault of an extension in the last ply may be what is expected.
        if let Err(why) = played {
            return vec![unplayed(text, ply, why)];
        }
    }
    let mut wrong = Vec::new();
    let legal = moves(game.as_ref(), case.piece.as_deref());
    let list = |moves: &[&String]| moves.iter().map(|text| text.as_str()).collect::<Vec<_>>().join(" ");
    if let Some(wanted) = &case.moves {
        let missing: Vec<&String> = wanted.iter().filter(|text| !legal.contains(text)).collect();
        let extra: Vec<&String> = legal.iter().filter(|text| !wanted.contains(text)).collect();
        if !missing.is_empty() {
            wrong.push(Problem::new("cases-missing").with("moves", list(&missing)));
        }
        if !extra.is_empty() {
            wrong.push(Problem::new("cases-extra").with("moves", list(&extra)));
        }
    }
    let missing: Vec<&String> = case.allows.iter().filter(|text| !legal.contains(text)).collect();
    if !missing.is_empty() {
        wrong.push(Problem::new("cases-missing").with("moves", list(&missing)));
    }
    let forbidden: Vec<&String> = case.forbids.iter().filter(|text| legal.contains(text)).collect();
    if !forbidden.is_empty() {
        wrong.push(Problem::new("cases-extra").with("moves", list(&forbidden)));
    }
    let ends = Ends::of(game.outcome());
    if let Some(wanted) = case.ends.filter(|wanted| *wanted != ends) {
        wrong.push(Problem::new("cases-ends").with("wanted", wanted.word()).with("found", ends.word()));
    }
    if let Some(wanted) = case.reaches.as_ref().filter(|fen| fen.trim() != game.fen()) {
        wrong.push(Problem::new("cases-reaches").with("wanted", wanted.trim()).with("found", game.fen()));
    }
    // An unexpected fault is reported with its line.
    if !wrong.is_empty()
        && let Some(fault) = game.caption().filter(|told| told.key == "extension-failed")
    {
        wrong.push(Problem { key: "map-extension-failed", ..fault });
    }
    wrong
}

fn moves(game: &dyn AnyGame, piece: Option<&str>) -> Vec<String> {
    let of_piece = |text: &String| {
        piece.is_none_or(|piece| text.split_once('-').is_some_and(|(from, _)| from == piece.trim()))
    };
    game.moves().into_iter().filter(of_piece).collect()
}

fn unplayed(text: &str, ply: usize, why: PlayError) -> Problem {
    let problem = Problem::new("cases-unplayed").with("move", text).with("ply", ply + 1);
    match why {
        PlayError::GameOver(outcome) => problem.with("why", outcome.reason()),
        PlayError::Illegal(_) => problem.with("why", "illegal"),
    }
}

#[cfg(test)]
mod tests {
    use catalog::Options;
    use catalog::maps::SAMPLES;

    use super::*;

    fn rules() -> Rules {
        Rules::load(&SAMPLES[0].package(), &Options::new(), None).expect("a good map")
    }

    #[test]
    fn what_is_expected_holds_and_what_is_not_is_told() {
        let rules = rules();
        // Its own soldiers stand on both diagonals.
        let good = r#"
            [[case]]
            name = "an elephant goes one step forward"
            piece = "7,2"
            moves = ["7,2-6,2"]
            forbids = ["7,2-6,1", "7,2-7,1"]
            ends = "no"

            [[case]]
            name = "once the soldier has gone on, along a diagonal, too"
            play = ["6,1-5,1", "2,1-3,1"]
            piece = "7,2"
            moves = ["7,2-6,2", "7,2-6,1"]
        "#;
        let cases = read(good).expect("reads");
        for case in &cases {
            assert_eq!(run(&rules, case), [], "{}", case.name);
        }
        let (case, last) = (&cases[0], "7,2-6,2");
        let mut missing = case.clone();
        missing.moves.as_mut().expect("some").push("7,2-1,1".to_owned());
        assert_eq!(run(&rules, &missing), [Problem::new("cases-missing").with("moves", "7,2-1,1")]);
        let extra = Case { moves: Some(Vec::new()), ..case.clone() };
        assert_eq!(run(&rules, &extra), [Problem::new("cases-extra").with("moves", last)]);
        let mut forbidden = case.clone();
        forbidden.forbids = vec![last.to_owned()];
        assert_eq!(run(&rules, &forbidden), [Problem::new("cases-extra").with("moves", last)]);
        let over = Case { ends: Some(Ends::Red), ..case.clone() };
        assert_eq!(run(&rules, &over)[0].key, "cases-ends");
        let unplayed = Case { play: vec!["1,1-1,1".to_owned()], ..Case::default() };
        assert_eq!(run(&rules, &unplayed)[0].key, "cases-unplayed");
        let reached = Case { reaches: Some("nowhere".to_owned()), ..Case::default() };
        assert_eq!(run(&rules, &reached)[0].key, "cases-reaches");
    }

    #[test]
    fn a_file_that_is_no_file_of_cases_says_where() {
        for (name, text, part) in [
            ("an unknown key", "[[case]]\nnamed = 1\n", "line 2"),
            ("an unknown word", "[[case]]\nends = \"perhaps\"\n", "line 2"),
            ("no TOML", "[[case]\n", "line 1"),
        ] {
            let problem = read(text).expect_err(name);
            let said = problem.arg("text").unwrap_or_default();
            assert!(said.contains(part), "{name}: {said}");
        }
        assert_eq!(read("").expect("an empty file is fine"), []);
        assert_eq!(read(&" ".repeat(MOST_BYTES + 1)).expect_err("too large").key, "cases-too-large");
    }
}
