//! The comparison of players' acts and views with the hall's logs.

use std::collections::{BTreeMap, BTreeSet};

use kernel::AnyGame;
use wire::{Act, Event, EventKind, LogLine, Offer, Outcome, PlyInfo, ServerMessage, Side, View};

/// The record of a run.
#[derive(Default)]
pub struct History {
    /// Every command, in the order of its player.
    pub wishes: Vec<Wished>,
    /// The view of each player at each table.
    pub seats: Vec<Shown>,
    /// The final state of the tables.
    pub boards: BTreeMap<String, Board>,
    /// True if all players came to the end of their games.
    pub finished: bool,
    /// Faults that were already found on the way.
    pub wrong: Vec<String>,
}

/// A command and its answer.
#[derive(Clone)]
pub struct Wished {
    pub table: String,
    pub cmd: String,
    pub act: Act,
    pub answer: Answer,
}

/// The answer of the hall to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Acknowledged: the command is on disk, as that version.
    Done(u64),
    /// Refused, for that reason.
    Refused(String),
    /// Unanswered, so the command may or may not be on disk.
    Unknown,
}

/// The final view of a player at a table, and the events on the way there.
#[derive(Clone)]
pub struct Shown {
    pub table: String,
    pub ver: u64,
    pub view: Option<View>,
    pub record: Vec<PlyInfo>,
    pub end: Option<Outcome>,
    pub seen: Vec<(u64, Option<String>, ClientEvent)>,
}

/// An event as clients get it: its kind, the side and the offer it is about, a move's text.
pub type ClientEvent = (EventKind, Option<Side>, Option<Offer>, Option<String>);

/// Returns what clients must be told of an event in the log.
pub fn told(event: &Event) -> ClientEvent {
    let (kind, by, what) = match event {
        Event::Sit { side, .. } => (EventKind::Sit, Some(*side), None),
        Event::Leave { side } => (EventKind::Leave, Some(*side), None),
        Event::Move { by, text } => return (EventKind::Move, Some(*by), None, Some(text.clone())),
        Event::Withdraw { by } => (EventKind::Withdraw, Some(*by), None),
        Event::Offer { by, what } => (EventKind::Offer, Some(*by), Some(*what)),
        Event::Decline { by, what } => (EventKind::Decline, Some(*by), Some(*what)),
        Event::Offers { by, .. } => (EventKind::Offers, Some(*by), None),
        Event::Takeback { by, .. } => (EventKind::Takeback, Some(*by), None),
        Event::Draw => (EventKind::Draw, None, None),
        Event::Swap => (EventKind::Swap, None, None),
        Event::Resign { by } => (EventKind::Resign, Some(*by), None),
        Event::Flag { by } => (EventKind::Flag, Some(*by), None),
        Event::Abort { by } => (EventKind::Abort, Some(*by), None),
        Event::Forfeit { by, .. } => (EventKind::Forfeit, Some(*by), None),
        Event::Rematch { .. } => (EventKind::Rematch, None, None),
        Event::Pause => (EventKind::Pause, None, None),
    };
    (kind, by, what, None)
}

/// The final state of a table, as the hall reports it.
pub struct Board {
    /// All events of the table, in order.
    pub log: Vec<LogLine>,
    /// The `full` message.
    pub now: ServerMessage,
}

impl History {
    /// Returns every way in which the hall broke its promise.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints = self.wrong.clone();
        if !self.finished {
            complaints.push("not every game came to its end".to_owned());
        }
        for (id, board) in &self.boards {
            let say = |what: String| format!("table {id}: {what}");
            complaints.extend(board.dense().into_iter().map(say));
            complaints.extend(board.each_wish_once().into_iter().map(say));
            complaints.extend(board.by_the_rules().into_iter().map(say));
        }
        complaints.extend(self.wishes.iter().filter_map(|wish| self.kept(wish)));
        complaints.extend(self.seats.iter().flat_map(|seat| self.seen_rightly(seat)));
        complaints
    }

    /// Checks that an acknowledged command is in the log as it was acknowledged, and a refused one is not.
    fn kept(&self, wish: &Wished) -> Option<String> {
        let Some(board) = self.boards.get(&wish.table) else {
            return Some(format!("table {} is gone", wish.table));
        };
        let found = board.log.iter().find(|line| line.cmd.as_ref() == Some(&wish.cmd));
        let wrong = match (&wish.answer, found) {
            (Answer::Done(_), None) => "was acknowledged and is lost",
            (Answer::Done(v), Some(line)) if line.v != *v => "was acknowledged as another version",
            (Answer::Done(_) | Answer::Unknown, Some(line)) if !became(&wish.act, &line.e) => {
                "became something else"
            }
            (Answer::Refused(_), Some(_)) => "was refused and is in the log",
            _ => return None,
        };
        let Wished { table, cmd, act, answer } = wish;
        Some(format!("table {table}: wish {cmd} {wrong}: {act:?}, {answer:?}, in the log {found:?}"))
    }

    /// Checks that the events a player saw are a part of the log, and that their final board is the hall's.
    fn seen_rightly(&self, seat: &Shown) -> Vec<String> {
        let Some(board) = self.boards.get(&seat.table) else { return Vec::new() };
        let mut complaints = Vec::new();
        let mut before = 0;
        for (v, cmd, event) in &seat.seen {
            let written = usize::try_from(*v).ok().and_then(|v| board.log.get(v.wrapping_sub(1)));
            if written.is_none_or(|line| cmd.is_some() && line.cmd != *cmd || told(&line.e) != *event) {
                complaints.push(format!("told {event:?} as version {v}, written {written:?}"));
            }
            if *v <= before {
                complaints.push(format!("version {v} was told after {before}"));
            }
            before = *v;
        }
        // Who left for the rematch knows the game, too: nothing but pauses comes after it.
        if let ServerMessage::Full { v, view, record, end, .. } = &board.now {
            let pause = |line: &LogLine| matches!(line.e, Event::Pause);
            let rest = &board.log[usize::try_from(seat.ver).expect("small").min(board.log.len())..];
            if seat.ver > *v || !rest.iter().all(pause) {
                complaints.push(format!("left at version {} of {v}", seat.ver));
            } else if (seat.view.as_ref(), &seat.record, &seat.end) != (Some(view), record, end) {
                complaints.push(format!("shows another board than the hall at version {v}"));
            }
            if end.is_none() {
                complaints.push("the game has not ended".to_owned());
            }
        }
        complaints.into_iter().map(|what| format!("table {}: {what}", seat.table)).collect()
    }
}

impl Board {
    fn dense(&self) -> Option<String> {
        let gap = (1..).zip(&self.log).find(|(v, line)| *v != line.v);
        gap.map(|(v, line)| format!("version {} stands where {v} belongs", line.v))
    }

    fn each_wish_once(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let cmds = self.log.iter().filter_map(|line| line.cmd.as_deref());
        cmds.filter(|cmd| !seen.insert(*cmd)).map(|cmd| format!("wish {cmd} was done twice")).collect()
    }

    /// Replays the log: moves are legal and by the side to move, no move follows the end, no flag falls (the clocks
    /// are too long for that, outages apart), and the board comes out as the hall shows it.
    fn by_the_rules(&self) -> Vec<String> {
        let ServerMessage::Full { table, view, .. } = &self.now else {
            return vec!["the hall does not tell everything".to_owned()];
        };
        let entry = catalog::find(&table.game).expect("a game of the catalogue");
        let mut game = entry.open(entry.usual_map(), &table.options, None).expect("its start");
        let (mut ended, mut complaints) = (false, Vec::new());
        for line in &self.log {
            let wrong = match &line.e {
                Event::Move { by, text } => {
                    let fits = game.turn() == *by && game.play(text).is_ok();
                    let late = ended.then_some("comes after the end");
                    ended |= game.outcome().is_some();
                    late.or((!fits).then_some("is not a legal move"))
                }
                Event::Takeback { plies, .. } => {
                    back(game.as_mut(), *plies);
                    std::mem::take(&mut ended).then_some("comes after the end")
                }
                Event::Withdraw { .. } => {
                    let fits = game.withdraws() && (!ended || game.outcome().is_some());
                    back(game.as_mut(), 1);
                    ended = false;
                    (!fits).then_some("cannot be withdrawn")
                }
                Event::Resign { .. } | Event::Draw | Event::Abort { .. } => {
                    std::mem::replace(&mut ended, true).then_some("ends the game twice")
                }
                Event::Flag { .. } => Some("charges somebody for an outage"),
                Event::Forfeit { .. } => Some("loses for a program where none sits"),
                Event::Rematch { .. } => (!ended).then_some("comes before the end"),
                Event::Sit { .. }
                | Event::Leave { .. }
                | Event::Offer { .. }
                | Event::Decline { .. }
                | Event::Offers { .. } => None,
                Event::Swap | Event::Pause => ended.then_some("comes after the end"),
            };
            complaints.extend(wrong.map(|wrong| format!("version {}, {:?}, {wrong}", line.v, line.e)));
        }
        if game.view() != *view {
            complaints.push("the log adds up to another board".to_owned());
        }
        complaints
    }
}

fn back(game: &mut dyn AnyGame, plies: u32) {
    for _ in 0..plies {
        game.undo();
    }
}

/// Returns true if a command of this kind may have become that event.
fn became(act: &Act, event: &Event) -> bool {
    match (act, event) {
        (Act::Move { text, .. }, Event::Move { text: done, .. }) => text == done,
        (Act::Sit { .. }, Event::Sit { .. })
        | (Act::Leave, Event::Leave { .. })
        | (Act::Withdraw, Event::Withdraw { .. })
        | (Act::Resign { .. }, Event::Resign { .. })
        | (Act::Abort, Event::Abort { .. })
        | (Act::Flag, Event::Flag { .. })
        | (Act::Decline { .. }, Event::Decline { .. })
        | (Act::Offers { .. }, Event::Offers { .. }) => true,
        // Who offers what the other side offers agrees to it.
        (Act::Offer { what, .. }, Event::Offer { what: done, .. }) => what == done,
        (Act::Offer { what, .. } | Act::Accept { what }, event) => matches!(
            (what, event),
            (wire::Offer::Takeback, Event::Takeback { .. })
                | (wire::Offer::Draw, Event::Draw)
                | (wire::Offer::Swap, Event::Swap)
                | (wire::Offer::Rematch, Event::Rematch { .. })
        ),
        _ => false,
    }
}

mod tests {
    use super::*;
    use wire::{ClockSpec, How, TableInfo};

    fn line(v: u64, cmd: &str, e: Event) -> LogLine {
        // As it comes over HTTP, where fields may be added.
        let line = serde_json::json!({"v": v, "at_ms": 0, "cmd": cmd, "e": e});
        serde_json::from_value(line).expect("a line of the log")
    }

    fn mv(text: &str, by: Side) -> Event {
        Event::Move { by, text: text.to_owned() }
    }

    /// Returns a history of two moves and a resignation, all told as it was written.
    fn honest() -> History {
        let log = vec![
            line(1, "one", mv("a1", Side::First)),
            line(2, "two", mv("b1", Side::Second)),
            line(3, "three", Event::Resign { by: Side::First }),
        ];
        let entry = catalog::find("gomoku/standard").expect("is there");
        let options = entry.settle(&BTreeMap::new(), catalog::Setting::Online).expect("the usual");
        let mut game = entry.open(None, &options, None).expect("the start");
        game.play("a1").and_then(|()| game.play("b1")).expect("legal");
        let view = game.view();
        let ply = |text: &str, side| PlyInfo(text.into(), side, None, Box::default());
        let record = vec![ply("a1", Side::First), ply("b1", Side::Second)];
        let end = Some(Outcome { winner: Some(Side::Second), reason: "resign".into(), void: false });
        let table = TableInfo {
            id: "t".to_owned(),
            game: "gomoku/standard".to_owned(),
            options,
            chance: None,
            map: None,
            no_takebacks: false,
            no_offers: [false; 2],
            fen: None,
            how: How::Invite,
            room: None,
            clock: ClockSpec::None,
            rated: false,
            board: game.board(),
            notations: Vec::new(),
            seats: [None, None],
            started: true,
            created_ms: 0,
            next: None,
            heading: None,
            opening: None,
        };
        let seen = log.iter().map(|line| (line.v, line.cmd.clone(), told(&line.e))).collect();
        let (v, record_now, end_now, view_now) = (3, record.clone(), end.clone(), view.clone());
        let now = ServerMessage::Full {
            v,
            table,
            view: view_now,
            record: record_now,
            clk: None,
            offers: Vec::new(),
            end: end_now,
            you: Vec::new(),
            here: [true, true],
            watchers: 0,
            first_ms: None,
        };
        let wish = |cmd: &str, act, v| Wished {
            table: "t".to_owned(),
            cmd: cmd.to_owned(),
            act,
            answer: Answer::Done(v),
        };
        let wishes = vec![
            wish("one", Act::Move { text: "a1".to_owned(), away: false }, 1),
            wish("two", Act::Move { text: "b1".to_owned(), away: false }, 2),
            wish("three", Act::Resign { side: None }, 3),
        ];
        let seat = Shown { table: "t".to_owned(), ver: 3, view: Some(view), record, end, seen };
        let boards = BTreeMap::from([("t".to_owned(), Board { log, now })]);
        History { wishes, seats: vec![seat], boards, finished: true, wrong: Vec::new() }
    }

    fn log(history: &mut History) -> &mut Vec<LogLine> {
        &mut history.boards.get_mut("t").expect("is there").log
    }

    #[test]
    fn an_honest_history_is_believed() {
        assert_eq!(honest().complaints(), Vec::<String>::new());
    }

    #[test]
    fn every_lie_is_caught() {
        type Lie = fn(&mut History);
        let lies: [(&str, Lie, &str); 11] = [
            ("a lost acknowledgement", |h| drop(log(h).pop()), "is lost"),
            ("a lost move in the middle", |h| drop(log(h).remove(1)), "is lost"),
            (
                "a doubled acknowledgement",
                |h| {
                    let twice = LogLine { v: 4, ..log(h)[2].clone() };
                    log(h).push(twice);
                },
                "was done twice",
            ),
            ("another version", |h| h.wishes[1].answer = Answer::Done(3), "another version"),
            (
                "a refusal that was done",
                |h| h.wishes[2].answer = Answer::Refused("stale".to_owned()),
                "was refused and is in the log",
            ),
            ("another move than wished", |h| log(h)[1].e = mv("c1", Side::Second), "became something else"),
            ("a gap", |h| log(h)[2].v = 5, "belongs"),
            (
                "a move after the end",
                |h| log(h).push(line(4, "four", mv("c1", Side::First))),
                "comes after the end",
            ),
            ("a flag", |h| log(h)[2].e = Event::Flag { by: Side::First }, "for an outage"),
            ("a board of one's own", |h| drop(h.seats[0].record.pop()), "shows another board"),
            ("an endless game", |h| h.finished = false, "came to its end"),
        ];
        for (name, lie, wanted) in lies {
            let mut history = honest();
            lie(&mut history);
            let complaints = history.complaints();
            assert!(complaints.iter().any(|c| c.contains(wanted)), "{name}: {complaints:?}");
        }
    }
}
