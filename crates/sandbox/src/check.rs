//! Validation of a worker's replies: no part of a reply is used before it is checked.

use std::collections::HashMap;
use std::sync::Arc;

use jingbanqi::extension::{
    About, BUSY, Choices, Detail, Details, Fault, Present, Rehearsal, Scene, Seen, Source, Timing, Walked,
};
use jingbanqi::position::{PASS, SWAP};
use jingbanqi::{Map, Move, Rulebook, level2};

use crate::lesson::{Finding, MOST_FINDINGS};
use crate::message::{MOST_MOVES, Rehearsed};

/// The longest text of a reply that people are shown: names, errors, attributes.
const LONGEST_TEXT: usize = 16 << 10;
/// The longest name of a piece.
const LONGEST_NAME: usize = 256;
/// The most bytes of a line that is printed.
const LONGEST_LINE: usize = 1 << 10;
/// The longest word of an extension on itself, `HELP` for one.
const LONGEST_HELP: usize = 64 << 10;

/// Validates a scene of that map; `None` when it is impossible.
pub(crate) fn scene(book: &Rulebook, told: Scene) -> Option<Scene> {
    let map = book.map();
    let squares = map.squares();
    let kinds = map.kinds.len();
    let is_known = |piece: &Present| (1..=kinds).contains(&usize::from(piece.id));
    if told.pieces.len() != squares || told.moves.len() > MOST_MOVES {
        return None;
    }
    if !told.pieces.iter().flatten().all(is_known) {
        return None;
    }
    let is_second = map.level2.is_some();
    let fits = match &told.second {
        Some(progress) => level2::fits(book, progress, told.turn),
        None => !is_second && told.choices.is_empty(),
    };
    let offers = |one: &Choices| {
        let texts = &one.texts;
        (1..=level2::MOST_CHOICES).contains(&texts.len()) && texts.iter().all(|text| is_choice(text))
    };
    if !fits || told.choices.len() > told.moves.len() || !told.choices.iter().all(offers) {
        return None;
    }
    let offered: HashMap<_, _> =
        told.choices.iter().map(|one| ((one.from, one.to), one.texts.len())).collect();
    let on_board = |m: &Move| {
        let piece = told.pieces.get(usize::from(m.from));
        let stands = usize::from(m.to) < squares && piece.is_some_and(Option::is_some);
        match m.choice() {
            _ if m.pick == 0 => stands,
            _ if !is_second => false,
            // The other two are of maps with secrets, which have no extensions.
            _ if m.is_pressed() => (m.from, m.to) == (0, 0) && matches!(m.pick, PASS | SWAP),
            Some(choice) => stands && offered.get(&(m.from, m.to)).is_some_and(|&count| choice < count),
            None if m.is_drop() => usize::from(m.pick) <= kinds && piece.is_some_and(Option::is_none),
            None => (1..=kinds).contains(&usize::from(m.turned().unwrap_or(m.pick))) && stands,
        }
    };
    if !told.moves.iter().all(on_board) {
        return None;
    }
    let mut once: Vec<_> = told.moves.iter().map(|m| (m.from, m.to, m.pick)).collect();
    once.sort_unstable();
    once.dedup();
    let is_over = told.end.is_some() || told.fault.is_some();
    if once.len() != told.moves.len() || (is_over && !once.is_empty()) {
        return None;
    }
    let tidy = |piece: Present| {
        let name = piece.name.map(|name| Arc::from(cut(plain(&name), LONGEST_NAME)));
        Present { name, ..piece }
    };
    let pieces = told.pieces.into_iter().map(|piece| piece.map(tidy)).collect();
    Some(Scene { pieces, fault: told.fault.map(fault), ..told })
}

/// Validates random moves of at most that many plies; `None` when they are impossible.
pub(crate) fn walked(book: &Rulebook, longest: u32, told: Walked) -> Option<Walked> {
    let squares = book.map().squares();
    let on_board = |m: &Move| usize::from(m.from) < squares && usize::from(m.to) < squares;
    let fits = told.moves.len() <= longest as usize && told.moves.iter().all(|(_, m)| on_board(m));
    if !fits || !told.scene.moves.is_empty() {
        return None;
    }
    Some(Walked { scene: scene(book, told.scene)?, ..told })
}

/// The most characters of a choice.
const LONGEST_CHOICE: usize = 8;

/// Returns true if a text may be the choice of a move: the text of the move holds it.
pub(crate) fn is_choice(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || matches!(c, '=' | '{' | '}');
    (1..=LONGEST_CHOICE).contains(&text.chars().count()) && !text.chars().any(odd) && plain(text) == text
}

/// Validates details of that map; `None` when they are impossible.
pub(crate) fn details(map: &Map, told: Details) -> Option<Details> {
    let rising = told.pieces.windows(2).all(|pair| pair[0].at < pair[1].at);
    let on_board = told.pieces.last().is_none_or(|last| usize::from(last.at) < map.squares());
    let tidy = |detail: Detail| Detail {
        rule: cut(detail.rule, LONGEST_TEXT),
        promotes: cut(detail.promotes, LONGEST_TEXT),
        promoted: cut(detail.promoted, LONGEST_TEXT),
        attributes: detail.attributes.iter().map(|(name, value)| (plain(name), plain(value))).collect(),
        ..detail
    };
    (rising && on_board).then(|| Details { pieces: told.pieces.into_iter().map(tidy).collect(), ..told })
}

/// Cleans the text of a fault: one line, of limited length.
pub(crate) fn fault(told: Fault) -> Fault {
    let line = |text: String| cut(plain(&text.replace(['\n', '\r'], " ")), 400);
    // Only this side says that the machine is too busy.
    let error = if told.error == BUSY { format!("Error: {BUSY}") } else { line(told.error) };
    Fault { file: line(told.file), hook: line(told.hook), line: told.line, error }
}

/// Splits printed text into lines.
pub(crate) fn lines(text: &str, left_out: u64) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(|line| cut(plain(line), LONGEST_LINE)).collect();
    if left_out > 0 {
        lines.push(format!("… (+{left_out})"));
    }
    lines
}

/// Validates what was found in the texts of that many files.
pub(crate) fn findings(files: usize, told: Vec<Finding>) -> Vec<Finding> {
    let known = told.into_iter().filter(|finding| usize::from(finding.file) < files);
    let tidy = |finding: Finding| {
        let line = |text: String| cut(plain(&text), LONGEST_NAME);
        Finding { found: line(finding.found), near: line(finding.near), more: line(finding.more), ..finding }
    };
    known.take(MOST_FINDINGS).map(tidy).collect()
}

/// Validates the result of a rehearsal.
pub(crate) fn rehearsal(sources: &[Source], told: Rehearsed) -> Rehearsal {
    let line = |text: String| cut(plain(&text), LONGEST_NAME);
    let tidy = |seen: Seen| Seen {
        fault: fault(seen.fault),
        trace: seen.trace.into_iter().take(32).map(line).collect(),
        ..seen
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
        faults: told.faults.into_iter().take(32).map(tidy).collect(),
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

/// Validates the facts that extensions state about themselves; `None` when they are not about those files.
pub(crate) fn about(files: &[&str], told: Vec<About>) -> Option<Vec<About>> {
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

/// Cuts a text to at most that many bytes, between characters.
fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}
