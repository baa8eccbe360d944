//! Rules that never mattered: parts of a map without which all of the games would have been the same.

use catalog::maps::{Rules, Timing};
use jingbanqi::rule::Item;
use jingbanqi::{Jingbanqi, PieceKind};
use kernel::{Game, Problem, Side};

use crate::trace::Trace;

/// The most findings of this kind in a report.
const MOST: usize = 60;

/// Lists rules and pieces of a map that never mattered in the games. `hooks`: the number of calls of each hook of the
/// extensions in random games.
pub(crate) fn idle(rules: &Rules, trace: &Trace, hooks: &[Timing]) -> Vec<Problem> {
    let map = rules.map();
    let mut found = Vec::new();
    let ever = |id: u16| trace.seen.contains_key(&(id, false)) || trace.seen.contains_key(&(id, true));
    let promotes = map.promotion && trace.seen.keys().any(|sort| sort.1);
    if map.promotion && !promotes {
        found.push(Problem::new("report-idle-promotion"));
    }
    if map.neutral_limit && trace.limited == 0 {
        found.push(Problem::new("report-idle-neutral-limit"));
    }
    if rules.old_names() && !map.names().any(|name| jingbanqi::rulebook::OLD_BUILT_IN.contains(&name)) {
        found.push(Problem::new("report-idle-old-names"));
    }
    for (i, kind) in map.kinds.iter().enumerate() {
        let id = i as u16 + 1;
        let about = |key: &'static str| {
            let side = match kind.owner {
                Some(Side::First) => "red",
                Some(Side::Second) => "blue",
                None => "neutral",
            };
            Problem::new(key).with("piece", &kind.name).with("side", side)
        };
        if !ever(id) {
            found.push(about("report-idle-piece"));
            continue;
        }
        let rises = trace.seen.contains_key(&(id, true));
        if promotes && !kind.promotes.0.is_empty() && !rises {
            found.push(about("report-idle-rise"));
        }
        let moved = [false, true].iter().any(|&up| trace.acts.get(&(id, up)).is_some_and(|acts| acts[0] > 0));
        if !moved && has_moves(kind) {
            found.push(about("report-idle-unmoved"));
            continue;
        }
        for (rule, promoted) in [(&kind.rule, false), (&kind.promoted, true)] {
            if !trace.seen.contains_key(&(id, promoted)) {
                continue;
            }
            for (section, items) in rule.sections.iter().take(2).enumerate() {
                for (at, item) in items.iter().enumerate() {
                    let [offered, played] =
                        trace.items.get(&(id, promoted, section, at)).copied().unwrap_or_default();
                    if played > 0 {
                        continue;
                    }
                    let key = if offered == 0 { "report-idle-never" } else { "report-idle-unplayed" };
                    let problem = about(key).with("rule", text(item)).with("section", section + 1);
                    let problem = problem.with("promoted", if promoted { "yes" } else { "no" });
                    found.push(problem.with("plies", offered));
                }
            }
        }
    }
    for timing in hooks.iter().filter(|timing| timing.calls == 0) {
        found.push(Problem::new("report-idle-hook").with("place", &timing.file).with("hook", &timing.hook));
    }
    found.truncate(MOST);
    found
}

fn has_moves(kind: &PieceKind) -> bool {
    kind.rule.sections.iter().take(2).any(|items| !items.is_empty())
}

fn text(item: &Item) -> String {
    match &item.when {
        Some(when) => format!("{}({when})", item.direction),
        None => item.direction.to_string(),
    }
}

/// Returns the values of pieces by their reach, by id, ordinary and promoted, in hundredths.
pub(crate) fn reach(rules: &Rules) -> Vec<[i32; 2]> {
    let none = vec![[0; 2]; rules.map().kinds.len() + 1];
    let Ok(opened) = rules.open(None) else { return none };
    let Some(game) = opened.as_any().downcast_ref::<Game<Jingbanqi>>() else { return none };
    let eval = eval_jingbanqi::MapEval::of(game.position());
    let ids = 1..none.len() as u16;
    std::iter::once([0; 2]).chain(ids.map(|id| eval.worth(id))).collect()
}
