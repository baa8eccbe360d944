//! The command `qiguan competition`: pairs, ranks and checks competitions in tournament reports, without a hall.

use std::io::Read;
use std::path::Path;

use competition::check::{self, Made};
use competition::ranking::{Criterion, USUAL, Unplayed, ranking};
use competition::trf::{self, Trf};
use competition::{Bye, Points, Round, robin, swiss};
use kernel::Problem;
use serde_json::{Value, json};
use texts::{Language, problem, say};

use crate::args::{self, Method, PairRound, RankEntrants};
use crate::fresh::Fresh;
use crate::out::{self, line, note};

pub fn run(wish: &args::Competition, language: Language) -> Result<(), String> {
    match wish {
        args::Competition::Pair(wish) => pair(wish, language),
        args::Competition::Rank(wish) => rank(wish, language),
        args::Competition::Check { file, json } => check(file, *json, language),
        args::Competition::Make(wish) => {
            let [win, draw, loss] = wish.points.0;
            let points = Points::of(win, draw, loss);
            let made =
                Made { entrants: wish.entrants.into(), rounds: wish.rounds.into(), seed: wish.seed, points };
            let field = check::make(&made).map_err(|fault| problem(language, &fault))?;
            let numbers = (1..=u32::from(wish.entrants)).collect();
            let lines =
                vec![("012".to_owned(), format!("Qiguan {} {} {}", wish.entrants, wish.rounds, wish.seed))];
            let report = Trf { field, numbers, lines, ..Trf::default() };
            written(wish.out.as_deref(), &trf::write(&report), wish.force, language)
        }
    }
}

/// Reads a report, and says which of its lines are not followed.
fn load(file: &Path, language: Language) -> Result<Trf, String> {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(file)
        .and_then(|file| file.take(trf::MOST_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(out::at_path(file))?;
    if bytes.len() > trf::MOST_BYTES {
        let fault = Problem::new("trf-size").with("most", trf::MOST_BYTES >> 20);
        return Err(problem(language, &fault));
    }
    let report = trf::read(&records::decoded(&bytes)).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| problem(language, fault)).collect();
        faults.join("\n")
    })?;
    let mut others: Vec<&str> = report.not_followed().collect();
    others.sort_unstable();
    others.dedup();
    if !others.is_empty() {
        note!("{}", say(language, "cli-competition-lines", &[("codes", &others.join(", "))]));
    }
    Ok(report)
}

fn written(file: Option<&Path>, text: &str, force: bool, language: Language) -> Result<(), String> {
    use std::io::Write;

    let Some(file) = file else {
        out::print(format_args!("{text}"));
        return Ok(());
    };
    let done = Fresh::create(file, force).and_then(|mut fresh| {
        fresh.write_all(text.as_bytes()).map_err(|why| crate::fresh::unwritten(file, &why))?;
        fresh.finish()
    });
    done.map_err(|fault| problem(language, &fault))
}

fn pair(wish: &PairRound, language: Language) -> Result<(), String> {
    let mut report = load(&wish.file, language)?;
    let said = |fault: Problem| problem(language, &fault);
    let round = match wish.method {
        Method::Swiss => swiss::pair(&report.field).map_err(said)?,
        Method::Robin => {
            let (entrants, done) = (report.field.entrants.len(), report.field.rounds.len());
            if !(2..=robin::MOST).contains(&entrants) {
                let fault =
                    Problem::new("competition-robin").with("most", robin::MOST).with("found", entrants);
                return Err(said(fault));
            }
            let rounds = robin::rounds(entrants, wish.cycles.into());
            let over = || said(Problem::new("competition-over").with("rounds", rounds.len()));
            rounds.get(done).cloned().ok_or_else(over)?
        }
    };
    let number = |own: usize| report.numbers[own];
    let text = if wish.report {
        report.field.rounds.push(round);
        report.field.away.clear();
        trf::write(&report)
    } else if wish.json {
        let boards = round.pairings.iter().map(|one| json!([number(one.first), number(one.second)]));
        let byes = round.byes.iter().filter(|(_, bye)| *bye == Bye::Allocated).map(|(own, _)| number(*own));
        let boards: Vec<Value> = boards.collect();
        let round = report.field.rounds.len() + 1;
        format!("{}\n", json!({"round": round, "boards": boards, "byes": byes.collect::<Vec<_>>()}))
    } else {
        plain(&round, number)
    };
    written(wish.out.as_deref(), &text, wish.force, language)
}

/// The pairing as JaVaFo writes it: the number of boards, then a line for each, 0 for a bye.
fn plain(round: &Round, number: impl Fn(usize) -> u32) -> String {
    let mut lines: Vec<String> =
        round.pairings.iter().map(|one| format!("{} {}", number(one.first), number(one.second))).collect();
    let byes = round.byes.iter().filter(|(_, bye)| *bye == Bye::Allocated);
    lines.extend(byes.map(|(own, _)| format!("{} 0", number(*own))));
    format!("{}\n{}\n", lines.len(), lines.join("\n"))
}

fn rank(wish: &RankEntrants, language: Language) -> Result<(), String> {
    let report = load(&wish.file, language)?;
    let unknown = |code: &str| problem(language, &Problem::new("competition-criterion").with("found", code));
    let criteria: Vec<Criterion> = match &wish.by {
        None => USUAL.to_vec(),
        Some(codes) => codes
            .split(',')
            .map(|code| Criterion::of(code).ok_or_else(|| unknown(code)))
            .collect::<Result<_, _>>()?,
    };
    let unplayed = match wish.unplayed {
        args::UnplayedRounds::Fide => Unplayed::Fide,
        args::UnplayedRounds::Lowest => Unplayed::Lowest,
        args::UnplayedRounds::Zero => Unplayed::Zero,
    };
    let places = ranking(&report.field, &criteria, unplayed);
    if wish.json {
        for place in &places {
            let values =
                criteria.iter().zip(&place.values).map(|(one, value)| (one.code(), one.written(*value)));
            let values: serde_json::Map<String, Value> =
                values.map(|(code, value)| (code, json!(value))).collect();
            let (number, entrant) = (report.numbers[place.entrant], &report.field.entrants[place.entrant]);
            line!(
                "{}",
                json!({"rank": place.rank, "number": number, "name": entrant.name, "values": values})
            );
        }
        return Ok(());
    }
    let heads: Vec<String> = criteria.iter().map(|one| format!("{:>7}", one.code())).collect();
    line!("{:>4} {:>4} {:33} {}", "", "", "", heads.join(" "));
    for place in &places {
        let values =
            criteria.iter().zip(&place.values).map(|(one, value)| format!("{:>7}", one.written(*value)));
        let (number, entrant) = (report.numbers[place.entrant], &report.field.entrants[place.entrant]);
        line!("{:>4} {number:>4} {:33} {}", place.rank, entrant.name, values.collect::<Vec<_>>().join(" "));
    }
    Ok(())
}

fn check(file: &Path, as_json: bool, language: Language) -> Result<(), String> {
    let report = load(file, language)?;
    let said = |fault: &Problem| problem(language, fault);
    let odd: Vec<Problem> =
        check::odd(&report.field).into_iter().map(|fault| numbered(fault, &report)).collect();
    let compared = check::compare(&report.field).map_err(|fault| said(&fault))?;
    if as_json {
        let rounds = compared.iter().map(|one| {
            json!({"round": one.round, "boards": one.boards, "samePairs": one.same_pairs, "sameSeats": one.same_seats})
        });
        let odd: Vec<Value> = odd
            .iter()
            .map(|fault| {
                let facts = fault.args.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
                let facts: serde_json::Map<String, Value> = facts.collect();
                json!({"key": fault.key, "facts": facts, "text": said(fault)})
            })
            .collect();
        line!(
            "{}",
            json!({"entrants": report.numbers.len(), "rounds": rounds.collect::<Vec<_>>(), "odd": odd})
        );
        return Ok(());
    }
    let (entrants, rounds) = (report.numbers.len().to_string(), report.field.rounds.len().to_string());
    line!("{}", say(language, "cli-competition-read", &[("entrants", &entrants), ("rounds", &rounds)]));
    for fault in &odd {
        line!("{}", said(fault));
    }
    for one in compared {
        let facts = [one.round, one.same_pairs, one.same_seats, one.boards].map(|number| number.to_string());
        let names = ["round", "pairs", "seats", "boards"];
        let facts: Vec<(&str, &str)> =
            names.into_iter().zip(&facts).map(|(name, fact)| (name, fact.as_str())).collect();
        line!("{}", say(language, "cli-competition-compared", &facts));
    }
    Ok(())
}

/// Says the numbers of entrants instead of their places.
fn numbered(mut fault: Problem, report: &Trf) -> Problem {
    for (name, value) in &mut fault.args {
        if ["entrant", "opponent"].contains(name) {
            let place = value.parse::<usize>().ok();
            *value =
                place.and_then(|place| report.numbers.get(place)).map_or_else(String::new, u32::to_string);
        }
    }
    fault
}
