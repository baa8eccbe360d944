//! Sentences that the screen and the plain lines share.

use kernel::Cell;
use texts::{Language, say};
use wire::{Offer, Outcome};

use crate::table::{Refusal, Scene};
use crate::walk::piece_at;

/// Returns the reason of a refusal in words, with the message `problem-<key>`.
pub(crate) fn refusal(language: Language, refusal: &Refusal) -> String {
    // A hall's reasons for the end are keys, too.
    let said = |name: &String, value: &String| match name.as_str() {
        "reason" => (name.clone(), reason(language, value)),
        _ => (name.clone(), value.clone()),
    };
    let args: Vec<(String, String)> = refusal.args.iter().map(|(name, value)| said(name, value)).collect();
    let args: Vec<(&str, &str)> = args.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    say(language, &format!("problem-{}", refusal.key), &args)
}

/// Returns the announcements of the hall's staff.
pub(crate) fn announced(language: Language, scene: &Scene) -> Vec<String> {
    let lines = scene.away.iter().flat_map(|away| &away.announced);
    lines.map(|line| if language == Language::Chinese { line.zh.clone() } else { line.en.clone() }).collect()
}

/// Returns a message of the rules, such as `note-in-check`.
pub(crate) fn told(language: Language, kind: &str, problem: &Refusal) -> String {
    let args: Vec<(&str, &str)> =
        problem.args.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    say(language, &format!("{kind}-{}", problem.key), &args)
}

/// Returns the reason for the end of a game in words.
pub(crate) fn reason(language: Language, key: &str) -> String {
    if key.is_empty() { String::new() } else { known(language, &format!("reason-{key}"), key) }
}

/// Describes the result of a game in the words of emacs-chess-cn, with the reason.
pub(crate) fn end(language: Language, scene: &Scene, outcome: &Outcome) -> String {
    let reason = reason(language, &outcome.reason);
    let key = match (outcome.winner, outcome.void) {
        (Some(_), _) => "tui-end-won",
        (None, false) => "tui-end-drawn",
        (None, true) => "tui-end-void",
    };
    let side = outcome.winner.map_or_else(String::new, |winner| scene.side(language, winner));
    let said = say(language, key, &[("side", &side)]);
    if reason.is_empty() {
        said
    } else {
        say(language, "tui-end-because", &[("end", &said), ("reason", &reason)])
    }
}

/// Returns the sentence about the time left for the first move of the side to move; `None` if no such time runs.
pub(crate) fn first_move(language: Language, scene: &Scene, now_ms: u64) -> Option<String> {
    let seconds = scene.first_left_ms(now_ms)?.div_ceil(1000).to_string();
    let key = if scene.may_move() { "first-move-own" } else { "first-move" };
    Some(say(language, key, &[("seconds", &seconds)]))
}

/// Returns the sentence that the other player has left and when the win may be claimed; if it may be claimed now, the
/// message `now`. `None` if no player has left.
pub(crate) fn claim(language: Language, scene: &Scene, now: &str, now_ms: u64) -> Option<String> {
    let seconds = scene.claim_left_ms(now_ms)?.div_ceil(1000);
    let key = if seconds == 0 { now } else { "claim-in" };
    Some(say(language, key, &[("seconds", &seconds.to_string())]))
}

/// Returns the key of an offer.
pub(crate) const fn offer(what: Offer) -> &'static str {
    match what {
        Offer::Takeback => "takeback",
        Offer::Draw => "draw",
        Offer::Rematch => "rematch",
        Offer::Swap => "swap",
    }
}

/// Returns the offer that an answer concerns: the newest one of the other side, which was reported last; or the
/// user's own offer, to withdraw it.
pub(crate) fn answered(scene: &Scene, yes: bool) -> Option<Offer> {
    let theirs = scene.offers.iter().rev().find(|(side, _)| !scene.you.contains(side));
    let own = scene.offers.last().filter(|_| !yes);
    theirs.or(own).map(|&(_, what)| what)
}

/// Returns the name of a kind of piece; a kind named by its players keeps that name.
pub(crate) fn piece(language: Language, face: &str) -> String {
    known(language, &format!("piece-{face}"), face)
}

/// Returns the message, or `other` if there is no such message.
pub(crate) fn known(language: Language, key: &str, other: &str) -> String {
    let said = say(language, key, &[]);
    if said == key { other.to_owned() } else { said }
}

/// Describes a place: `h8, black stone, last move`.
pub(crate) fn place(language: Language, scene: &Scene, cell: Cell) -> String {
    let mut words = vec![scene.board.name(cell)];
    match piece_at(&scene.view, cell) {
        Some(wire::Piece { owner, face, .. }) => {
            let piece = piece(language, face);
            words.push(match owner {
                Some(owner) => {
                    let side = scene.side(language, *owner);
                    say(language, "cell-piece", &[("side", &side), ("piece", &piece)])
                }
                None => piece,
            });
        }
        None => words.push(say(language, "cell-empty", &[])),
    }
    for mark in scene.view.marks.iter().filter(|mark| mark.cells.contains(&cell)) {
        words.push(known(language, &format!("mark-{}", mark.kind), &mark.kind));
    }
    if scene.view.last.contains(&cell) {
        words.push(say(language, "cell-last", &[]));
    }
    words.join(if language == Language::Chinese { "，" } else { ", " })
}

/// Joins the move texts of one turn with spaces; consecutive single letters, as in locked chess, are joined without.
pub(crate) fn turn(moves: &[&str]) -> String {
    let mut text = String::new();
    for (i, one) in moves.iter().enumerate() {
        let clings = one.len() == 1 && i > 0 && moves[i - 1].len() == 1;
        if i > 0 && !clings {
            text.push(' ');
        }
        text.push_str(one);
    }
    text
}
