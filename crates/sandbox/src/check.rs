//! What is believed of a worker's reply: nothing that was not looked at.

use std::sync::Arc;

use jingbanqi::extension::{About, Detail, Details, Fault, Present, Rehearsal, Scene, Seen, Source, Timing};
use jingbanqi::{Map, Move};

use crate::message::{
    AboutText, DetailText, DetailsText, FaultText, MOST_MOVES, Rehearsed, SceneText, SeenText, end_of,
    side_of,
};

/// The longest text of a reply that people are shown: names, errors, attributes.
const LONGEST_TEXT: usize = 16 << 10;
/// The longest name of a piece.
const LONGEST_NAME: usize = 256;
/// The most bytes of a line that is printed.
const LONGEST_LINE: usize = 1 << 10;
/// The longest word of an extension on itself, `HELP` for one.
const LONGEST_HELP: usize = 64 << 10;

/// A scene of that map; `None` when it cannot be one.
pub(crate) fn scene(map: &Map, text: SceneText) -> Option<Scene> {
    let squares = map.squares();
    let kinds = map.kinds.len();
    let piece = |(id, promoted, owner, captain, name): (u16, bool, u8, bool, Option<String>)| {
        let known = (1..=kinds).contains(&usize::from(id));
        let owner = side_of(owner)?;
        let name = name.map(|name| Arc::from(cut(plain(&name), LONGEST_NAME)));
        known.then_some(Present { id, promoted, owner, captain, name })
    };
    if text.pieces.len() != squares || text.moves.len() > MOST_MOVES {
        return None;
    }
    let mut pieces = Vec::with_capacity(squares);
    for told in text.pieces {
        pieces.push(match told {
            Some(told) => Some(piece(told)?),
            None => None,
        });
    }
    let on_board = |&(from, to): &(u16, u16)| {
        usize::from(to) < squares && pieces.get(usize::from(from)).is_some_and(Option::is_some)
    };
    if !text.moves.iter().all(on_board) {
        return None;
    }
    let mut once = text.moves.clone();
    once.sort_unstable();
    once.dedup();
    let end = end_of(text.end)?;
    if once.len() != text.moves.len() || ((end.is_some() || text.fault.is_some()) && !once.is_empty()) {
        return None;
    }
    Some(Scene {
        pieces,
        turn: side_of(text.turn)??,
        neutral: text.neutral,
        end,
        moves: text.moves.into_iter().map(|(from, to)| Move { from, to }).collect(),
        fault: text.fault.map(fault),
    })
}

/// Details of that map; `None` when they cannot be.
pub(crate) fn details(map: &Map, text: DetailsText) -> Option<Details> {
    let rising = text.pieces.windows(2).all(|pair| pair[0].at < pair[1].at);
    let on_board = text.pieces.last().is_none_or(|last| usize::from(last.at) < map.squares());
    let detail = |detail: DetailText| Detail {
        at: detail.at,
        now: detail.now,
        rule: cut(detail.rule, LONGEST_TEXT),
        promotes: cut(detail.promotes, LONGEST_TEXT),
        promoted: cut(detail.promoted, LONGEST_TEXT),
        attributes: detail.attributes.iter().map(|(name, value)| (plain(name), plain(value))).collect(),
    };
    (rising && on_board)
        .then(|| Details { pieces: text.pieces.into_iter().map(detail).collect(), checks: text.checks })
}

/// A fault, in one line.
pub(crate) fn fault(text: FaultText) -> Fault {
    let line = |text: String| cut(plain(&text.replace(['\n', '\r'], " ")), 400);
    Fault { file: line(text.file), hook: line(text.hook), line: text.line, error: line(text.error) }
}

/// What was printed, in lines.
pub(crate) fn lines(text: &str, left_out: u64) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(|line| cut(plain(line), LONGEST_LINE)).collect();
    if left_out > 0 {
        lines.push(format!("… (+{left_out})"));
    }
    lines
}

/// What came of a rehearsal.
pub(crate) fn rehearsal(sources: &[Source], told: Rehearsed) -> Rehearsal {
    let line = |text: String| cut(plain(&text), LONGEST_NAME);
    let seen = |(text, games, first, trace): SeenText| Seen {
        fault: fault(text),
        games,
        first,
        trace: trace.into_iter().take(32).map(line).collect(),
    };
    let timing = |(file, hook, calls, median_us, worst_us): (u16, String, u64, u64, u64)| Timing {
        file: sources.get(usize::from(file)).map(|source| source.file.clone()).unwrap_or_default(),
        hook: line(hook),
        calls,
        median_us,
        worst_us,
    };
    Rehearsal {
        games: told.lengths.len() as u32,
        lengths: told.lengths,
        stuck: told.stuck,
        ended: told.ended,
        faults: told.faults.into_iter().take(32).map(seen).collect(),
        hooks: told.hooks.into_iter().take(2048).map(timing).collect(),
        prints: cut(told.prints.0.lines().map(plain).collect::<Vec<_>>().join("\n"), LONGEST_HELP),
        prints_left_out: told.prints.1,
    }
}

/// A text as a line that any terminal can show: what is no character of it stands as a mark.
fn plain(text: &str) -> String {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .map(|c| if odd(c) { if c == '\t' { ' ' } else { char::REPLACEMENT_CHARACTER } } else { c })
        .collect()
}

/// What extensions say of themselves; `None` when it is not about those files.
pub(crate) fn about(files: &[&str], told: Vec<AboutText>) -> Option<Vec<About>> {
    let told: Vec<About> = told.into_iter().map(About::from).collect();
    let same = told.len() == files.len() && told.iter().zip(files).all(|(about, file)| about.file == *file);
    let tidy = |about: About| About {
        file: about.file,
        name: cut(plain(&about.name), LONGEST_NAME),
        version: about.version.map(|version| cut(plain(&version), LONGEST_NAME)),
        help: about.help.map(|help| {
            let lines: Vec<String> = help.lines().map(plain).collect();
            cut(lines.join("\n"), LONGEST_HELP)
        }),
        places: about.places,
    };
    same.then(|| told.into_iter().map(tidy).collect())
}

/// At most that many bytes of a text, cut between characters.
fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}
