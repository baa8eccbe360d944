//! How a search goes, as UCI and UCCI tell it.

use crate::Fault;
use crate::words::{Sentence, Words, whole};

/// What a position is worth for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a soldier.
    Hundredths(i64),
    /// It mates in so many moves (not plies); when negative, it is mated.
    Mate(i64),
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The score is the value itself, no bound of it.
    #[default]
    Exact,
    /// It is at least that.
    Lower,
    /// It is at most that.
    Upper,
}

/// What an engine found so far. What is `None` was not told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// The furthest ply looked at.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// What it is worth.
    pub score: Option<Score>,
    /// Chances in thousandths to win, to draw and to lose.
    pub wdl: Option<[u16; 3]>,
    /// Whether that is exact.
    pub bound: Bound,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// Thousandths of the table in use.
    pub hashfull: Option<u32>,
    /// What it expects both sides to play.
    pub pv: Vec<String>,
    /// What the engine wants to say to people.
    pub text: Option<String>,
}

/// How the two protocols write a score of hundredths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scores {
    /// `score cp 12`
    Uci,
    /// UCCI's form: `score 12`, without a unit.
    Ucci,
}

impl Info {
    /// A line that only says something to people.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Info {
        Info { text: Some(text.into()), ..Info::default() }
    }

    /// Reads what follows `info`; either way to write a score is understood.
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
