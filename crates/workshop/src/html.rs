//! A report as one page of HTML that needs nothing else: tables, and the pictures inside.

use std::fmt::Write as _;

use wire::{BalanceReport, Estimate, Measure, Problem, Side};

use crate::plot::{self, Plot, Style};
use crate::stats::same_share;

/// A report with the name of its map, and the size of the board.
pub struct Named<'a> {
    /// The map's name.
    pub name: &'a str,
    /// Rows and columns.
    pub board: (u8, u8),
    /// The report of the balance of the map.
    pub report: &'a BalanceReport,
}

/// The functions that translate messages and problems into the reader's language.
pub struct Words<'a> {
    /// The language's tag, such as `en`.
    pub tag: &'a str,
    /// Translates a message.
    pub say: &'a crate::Say<'a>,
    /// Translates a problem.
    pub problem: &'a dyn Fn(&Problem) -> String,
}

const STYLE: &str = "body{font:16px/1.5 system-ui,'Noto Sans CJK SC',sans-serif;max-width:1240px;margin:2rem auto;padding:0 1rem;\
    background:#fbf9f4;color:#222}table{border-collapse:collapse;margin:1rem 0}td,th{border-bottom:1px solid #c9c4ba;\
    padding:.25rem .75rem;text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}.maps{display:flex;flex-wrap:wrap;\
    gap:2rem}.maps>section{flex:1 1 480px;min-width:0}svg{max-width:100%;background:#fff;border:1px solid #e3ded3;margin:.5rem 0}\
    code{font-size:.9em;overflow-wrap:anywhere}";

/// One page about one map, or about two of them side by side.
#[must_use]
pub fn page(maps: &[Named<'_>], words: &Words<'_>) -> String {
    let say = words.say;
    let title = maps.iter().map(|map| map.name).collect::<Vec<_>>().join(" · ");
    let mut out = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{}</title><style>{STYLE}</style><h1>{}</h1>",
        words.tag,
        escape(&title),
        escape(&say("balance-title", &[("name", &title)])),
    );
    if let [first, second] = maps {
        let _ = write!(out, "<p>{}</p>", escape(&difference(first.report, second.report, words)));
    }
    out.push_str("<div class=\"maps\">");
    for map in maps {
        section(&mut out, map, words);
    }
    out.push_str("</div></html>\n");
    out
}

/// Returns one sentence that says whether red's share differs between two maps.
#[must_use]
pub fn difference(first: &BalanceReport, second: &BalanceReport, words: &Words<'_>) -> String {
    let share = |report: &BalanceReport| (report.all.first.value, report.all.games);
    let likely = same_share(share(first), share(second));
    let key = if likely < 0.05 { "balance-differ" } else { "balance-alike" };
    let facts = [
        ("first", percent(share(first).0)),
        ("second", percent(share(second).0)),
        ("likely", format!("{:.1}", likely * 100.0)),
    ];
    let facts: Vec<(&str, &str)> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (words.say)(key, &facts)
}

/// A share as a whole percentage without its sign.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// A measure as people read it: shares as percentages, the rest with one decimal.
#[must_use]
pub fn value(measure: &Measure) -> String {
    const NUMBERS: [&str; 9] = [
        "plies",
        "plies-median",
        "plies-deviation",
        "branching",
        "decision-factor",
        "tree",
        "pieces",
        "lead-changes",
        "swing",
    ];
    if NUMBERS.contains(&measure.key.as_str()) {
        format!("{:.1}", measure.value)
    } else {
        format!("{:.0} %", measure.value * 100.0)
    }
}

/// A share with its interval, in percent.
#[must_use]
pub fn share(estimate: &Estimate) -> String {
    format!("{} % ({}–{})", percent(estimate.value), percent(estimate.low), percent(estimate.high))
}

fn section(out: &mut String, map: &Named<'_>, words: &Words<'_>) {
    let (report, say) = (map.report, words.say);
    let told = |key: &str| escape(&say(key, &[]));
    let _ = write!(out, "<section><h2>{}</h2>", escape(map.name));
    let done = [("done", report.done.to_string()), ("of", report.of.to_string())];
    let done: Vec<(&str, &str)> = done.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let _ = write!(out, "<p>{}</p>", escape(&say("balance-games", &done)));
    for problem in &report.faults {
        let games = problem.args.get("games").cloned().unwrap_or_default();
        let _ = write!(
            out,
            "<p><strong>{}</strong> {}</p>",
            escape(&say("balance-fault", &[("games", &games)])),
            escape(&(words.problem)(problem))
        );
    }
    let style = Style { dark: false, board: map.board, say };
    for plot in Plot::ALL {
        let title = told(&format!("balance-plot-{}", plot.key()));
        let _ = write!(out, "<h3>{title}</h3>{}", plot::draw(plot, report, &style));
    }
    let _ = write!(out, "<h3>{}</h3><table><tr><th></th>", told("balance-measures"));
    let columns = || report.strengths.iter().chain([&report.all]);
    for strength in columns() {
        let name = match strength.level {
            Some(level) => say("balance-level", &[("level", &level.to_string())]),
            None => say("balance-all", &[]),
        };
        let _ = write!(out, "<th>{}</th>", escape(&name));
    }
    let _ = write!(out, "<th>Ludii</th></tr>");
    for (at, measure) in report.all.measures.iter().enumerate() {
        let _ = write!(out, "<tr><td>{}</td>", told(&format!("balance-measure-{}", measure.key)));
        for strength in columns() {
            let text = strength.measures.get(at).map(value).unwrap_or_default();
            let _ = write!(out, "<td class=\"n\">{text}</td>");
        }
        let ludii = measure.ludii.as_deref().unwrap_or_default();
        let alike = if measure.same || ludii.is_empty() { "" } else { " ~" };
        let _ = write!(out, "<td>{ludii}{alike}</td></tr>");
    }
    let _ = write!(out, "</table><p>{}</p>", told("balance-ludii"));
    let _ = write!(out, "<h3>{}</h3><ul>", told("balance-forced"));
    if report.forced.is_empty() {
        let _ = write!(out, "<li>{}</li>", told("balance-forced-none"));
    }
    for forced in &report.forced {
        let _ = write!(out, "<li>{}</li>", escape(&forced_line(forced, words)));
    }
    let _ = write!(out, "</ul><h3>{}</h3><ul>", told("balance-idle"));
    if report.idle.is_empty() {
        let _ = write!(out, "<li>{}</li>", told("balance-idle-none"));
    }
    for problem in &report.idle {
        let _ = write!(out, "<li>{}</li>", escape(&(words.problem)(problem)));
    }
    let _ = write!(out, "</ul><h3>{}</h3><ul>", told("balance-moments"));
    for moment in &report.moments {
        let _ = write!(
            out,
            "<li>{}<br><code>{}</code></li>",
            escape(&moment_line(moment, words)),
            escape(&moment.fen)
        );
    }
    let _ = write!(out, "</ul><h3>{}</h3><table>", told("balance-openings"));
    for opening in &report.openings {
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            escape(&opening.moves.join(" ")),
            opening.games,
            share(&opening.first)
        );
    }
    out.push_str("</table></section>");
}

/// Returns one sentence about a win by force: after which moves, for which side, and how.
#[must_use]
pub fn forced_line(forced: &wire::ForcedWin, words: &Words<'_>) -> String {
    let winner = (words.say)(if forced.winner == Side::First { "balance-red" } else { "balance-blue" }, &[]);
    let facts = [("after", forced.after.join(" ")), ("winner", winner), ("line", forced.line.join(" "))];
    let plies = forced.line.len().to_string();
    let mut facts: Vec<(&str, &str)> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    facts.push(("plies", &plies));
    (words.say)(if forced.after.is_empty() { "balance-forced-start" } else { "balance-forced-after" }, &facts)
}

/// Returns one sentence about a deciding position.
#[must_use]
pub fn moment_line(moment: &wire::Moment, words: &Words<'_>) -> String {
    let by = (words.say)(if moment.by == Side::First { "balance-red" } else { "balance-blue" }, &[]);
    let facts = [
        ("by", by),
        ("plies", moment.moves.len().to_string()),
        ("level", moment.level.to_string()),
        ("played", moment.played.clone()),
        ("better", moment.better.clone()),
        ("before", percent(moment.before)),
        ("after", percent(moment.after)),
    ];
    let facts: Vec<(&str, &str)> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (words.say)("balance-moment", &facts)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
