//! The progress of a search (`info`) as UCI and UCCI write it.

use crate::Fault;
use crate::words::{Sentence, Words, whole};

/// The score of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// A score in hundredths of a soldier.
    Hundredths(i64),
    /// A mate in this number of moves (not plies); a negative number means that the side to move is mated.
    Mate(i64),
}

/// The kind of a score: exact, or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The score is the value itself, no bound of it.
    #[default]
    Exact,
    /// The true score is at least the value (a fail high).
    Lower,
    /// The true score is at most the value (a fail low).
    Upper,
}

/// The progress of a search. A value that is `None` was not sent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// The greatest depth reached, in plies.
    pub seldepth: Option<u32>,
    /// The number of this line among several, from 1.
    pub multipv: Option<u32>,
    /// The score of the line.
    pub score: Option<Score>,
    /// Chances in thousandths to win, to draw and to lose.
    pub wdl: Option<[u16; 3]>,
    /// The kind of the score: exact, or a bound.
    pub bound: Bound,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The share of the transposition table in use, in thousandths.
    pub hashfull: Option<u32>,
    /// The principal variation: the moves that the engine expects from both sides.
    pub pv: Vec<String>,
    /// A message of the engine for the user.
    pub text: Option<String>,
}

/// The ways in which the two protocols write a score of hundredths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scores {
    /// `score cp 12`
    Uci,
    /// UCCI's form: `score 12`, without a unit.
    Ucci,
}

impl Info {
    /// Makes a line with a message for the user only.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Info {
        Info { text: Some(text.into()), ..Info::default() }
    }

    /// Reads what follows `info`, with either form of a score.
    pub(crate) fn read(words: &mut Words) -> Result<Info, Fault> {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = Some(words.small("depth")?),
                "seldepth" => info.seldepth = Some(words.small("seldepth")?),
                "multipv" => info.multipv = Some(words.small("multipv")?),
                "nodes" => info.nodes = Some(words.large("nodes")?),
                "nps" => info.nps = Some(words.large("nps")?),
                "time" => info.time = Some(words.large("time")?),
                "hashfull" => info.hashfull = Some(words.small("hashfull")?),
                "score" => info.score = Some(read_score(words)?),
                "wdl" => {
                    let mut chance = || words.small("wdl").ok().map(|n| n.min(1000) as u16);
                    let chances = [chance(), chance(), chance()];
                    info.wdl =
                        chances.into_iter().collect::<Option<Vec<u16>>>().and_then(|all| all.try_into().ok());
                }
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "pv" => info.pv = words.rest(),
                "string" | "message" => info.text = Some(words.rest().join(" ")),
                _ => {}
            }
        }
        Ok(info)
    }

    pub(crate) fn line(&self, scores: Scores) -> String {
        let mut out = Sentence::new("info");
        out.known("depth", self.depth).known("seldepth", self.seldepth).known("multipv", self.multipv);
        match self.score {
            Some(Score::Hundredths(n)) if scores == Scores::Uci => out.push("score cp").push(&n.to_string()),
            Some(Score::Hundredths(n)) => out.known("score", Some(n)),
            Some(Score::Mate(n)) => out.push("score mate").push(&n.to_string()),
            None => &mut out,
        };
        if let Some([win, draw, loss]) = self.wdl {
            out.push(&format!("wdl {win} {draw} {loss}"));
        }
        match self.bound {
            Bound::Exact => &mut out,
            Bound::Lower => out.push("lowerbound"),
            Bound::Upper => out.push("upperbound"),
        };
        out.known("nodes", self.nodes).known("nps", self.nps).known("hashfull", self.hashfull);
        out.known("time", self.time).list("pv", &self.pv);
        if let Some(text) = &self.text {
            out.push("string").push(text);
        }
        out.done()
    }
}

fn read_score(words: &mut Words) -> Result<Score, Fault> {
    match words.needed("score")? {
        "cp" => words.whole("score").map(Score::Hundredths),
        "mate" => words.whole("score").map(Score::Mate),
        bare => whole(bare).map(Score::Hundredths),
    }
}
