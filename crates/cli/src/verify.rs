//! The command `qiguan verify`: the draws of a record, computed again from the secret that the hall told at its end.

use catalog::maps;
use kernel::Problem;
use records::Record;
use serde_json::json;
use table::Secret;
use table::verify::{COMMITMENT_TAG, DRAWS_TAG, TABLE_TAG, Verified, verify};
use texts::Language;

use crate::args::Verify;
use crate::out::line;

/// The claims of a record about its chance, and the draws that were found.
struct Found {
    table: String,
    commitment: String,
    verified: Result<Verified, Problem>,
}

pub fn run(wish: &Verify, language: Language) -> Result<(), String> {
    let said = |problem: Problem| texts::problem(language, &problem);
    let record = tui::load(&wish.file).map_err(said)?;
    let Found { table, commitment, verified } = found(&record).map_err(said)?;
    if wish.json {
        let mut told = json!({"table": table, "commitment": commitment, "verified": verified.is_ok()});
        match &verified {
            Ok(Verified { draws, numbers }) => {
                told["draws"] = json!(draws);
                told["numbers"] = json!(numbers);
            }
            Err(problem) => {
                told["problem"] = json!(problem.key);
                for (name, value) in &problem.args {
                    let number = value.parse::<u64>().ok().filter(|_| *name == "ply");
                    told[*name] = number.map_or_else(|| json!(value), |number| json!(number));
                }
            }
        }
        line!("{told}");
        return verified.map(drop).map_err(|_| String::new());
    }
    let Verified { draws, numbers } = verified.map_err(said)?;
    let args = [("draws", draws.to_string()), ("numbers", numbers.to_string()), ("table", table)];
    let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
    line!("{}", texts::say(language, "cli-verified", &args));
    Ok(())
}

/// Computes the draws of a record again.
///
/// # Errors
/// `verify-no-secret` and `verify-no-table` where the record does not say what is needed; why its game cannot be opened.
fn found(record: &Record) -> Result<Found, Problem> {
    let secret = match maps::seed(&record.options) {
        0 => return Err(Problem::new("verify-no-secret")),
        seed => Secret(seed),
    };
    let tag = |name: &str| {
        let value = record.tags.get(name).filter(|value| !value.is_empty());
        value.cloned().ok_or_else(|| Problem::new("verify-no-table").with("tag", name))
    };
    let (table, commitment) = (tag(TABLE_TAG)?, tag(COMMITMENT_TAG)?);
    let numbers = record.tags.get(DRAWS_TAG).map(|text| {
        let numbers: Result<Vec<u32>, _> = text.split_whitespace().map(str::parse).collect();
        numbers.map_err(|_| Problem::new("verify-numbers").with("found", text).with("draws", "?"))
    });
    let numbers = numbers.transpose()?;
    let loader = crate::extensions::loader();
    let game = tui::Opening::of_record(record, loader.as_deref())?.open()?;
    let moves: Vec<String> = record.tree.main_line().map(|id| record.tree[id].text.clone()).collect();
    let verified = match secret.commitment(&table) {
        own if own == commitment => verify(game, &moves, (secret, &table), numbers.as_deref()),
        own => Err(Problem::new("verify-commitment").with("told", &commitment).with("computed", own)),
    };
    Ok(Found { table, commitment, verified })
}
