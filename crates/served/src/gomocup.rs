//! The engine's side of the Gomocup protocol.

use std::collections::{HashSet, VecDeque};
use std::thread;
use std::time::Duration;

use catalog::Options;
use kernel::{AnyGame, Problem};
use protocol::gomocup::{Field, FromBrain, Point, Reader, ToBrain, Whose};

mod opening;

use super::desk::Desk;
use super::faults::{misread, too_long};
use catalog::Ruleset;
use engine_core::Level;
use engine_core::{Info, Limits, Task, Worth};
use external::dialect;

pub(super) struct Voice {
    reader: Reader,
    game: Box<dyn AnyGame>,
    /// The start position of `game`, if it is not an empty board.
    fen: Option<String>,
    /// The time for each move, and for all that are left; in milliseconds.
    turn_ms: u64,
    left_ms: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    threads: usize,
    level: u8,
    /// The number of boards set up: an answer is played on the board that it was searched for.
    boards: u64,
    /// The questions that are not answered yet, the oldest first.
    questions: VecDeque<Question>,
    /// The number of the rule, as the manager sent it.
    rule: Option<i64>,
    /// The reasons for refusing to play: a board or a rule from the manager was refused, and not replaced since.
    refused: [Option<Problem>; 2],
}

/// The index of a refused board in [`Voice::refused`].
const BOARD: usize = 0;
/// The index of a refused rule in [`Voice::refused`].
const RULE: usize = 1;

/// The state of a question until it is answered.
struct Question {
    /// The purpose of the answer.
    way: Way,
    worth: Option<Worth>,
    /// The number of its board.
    board: u64,
    /// The best moves by line, as last told.
    lines: Vec<String>,
}

/// The purposes of an answer.
#[derive(Clone, PartialEq, Eq)]
enum Way {
    /// The move is played.
    Play,
    /// The answer to an opening of three or five stones: a move, or an exchange of colours.
    Swap2,
    /// The answer to a step of Yixin-Board's openings.
    Opening(opening::OpeningQuestion),
}

/// The time for a turn until the manager sets it, in milliseconds: thirty seconds as in Piskvork.
const USUAL_TURN_MS: u64 = 30_000;
/// The time for a turn that is meant to be "as fast as possible", in milliseconds.
const AT_ONCE_MS: u64 = 50;
/// The time reserved for the transmission to the manager, in milliseconds.
const KEPT_MS: u64 = 20;
/// The maximal number of threads, and of the table size in Yixin-Board's units: two to that power, in KiB.
const MOST_THREADS: usize = 256;
const MOST_TABLE_LOG2: usize = 24;
/// The value that means an unlimited time.
const UNLIMITED_MS: i64 = i32::MAX as i64;

impl Voice {
    pub(super) fn new(rules: &Ruleset) -> Result<Voice, Problem> {
        Ok(Voice {
            reader: Reader::default(),
            game: rules.past_draws().open(None)?,
            fen: None,
            turn_ms: USUAL_TURN_MS,
            left_ms: None,
            depth: None,
            nodes: None,
            threads: 1,
            level: 0,
            boards: 0,
            questions: VecDeque::new(),
            rule: None,
            refused: [None, None],
        })
    }

    /// Changes the rules or the board size; if they are refused, nothing changes.
    fn set_up(&mut self, key: &str, files: u8, ranks: u8, desk: &mut Desk) -> Result<(), Problem> {
        let mut chosen = Options::from([("size".to_owned(), i64::from(files))]);
        if ranks != files {
            chosen.insert("ranks".to_owned(), i64::from(ranks));
        }
        let rules = Ruleset::new(key, &chosen)?;
        // An answer from before would be taken for one of the new game.
        self.drop_questions(desk);
        desk.take_up(rules);
        self.stand(desk.rules().open(None)?, None);
        Ok(())
    }

    fn restart(&mut self, desk: &mut Desk) -> Result<(), Problem> {
        self.stand(desk.rules().open(None)?, None);
        desk.forget();
        Ok(())
    }

    /// Sets up another board.
    fn stand(&mut self, game: Box<dyn AnyGame>, fen: Option<String>) {
        self.boards += 1;
        (self.game, self.fen) = (game, fen);
    }

    /// Discards the unanswered questions.
    fn drop_questions(&mut self, desk: &mut Desk) {
        desk.cancel();
        self.questions.clear();
    }

    fn play(&mut self, at: Point) -> Result<(), Problem> {
        let board = self.game.board();
        let outside = || Problem::new("illegal-move").with("move", at.text());
        let name = dialect::named(&board, at).ok_or_else(outside)?;
        self.game.play(&name).map_err(kernel::PlayError::problem)
    }

    /// Sets up a board from its stones in any order: as a line of moves if they can be played like that, else as a
    /// position.
    fn put_up(&mut self, fields: &[Field], desk: &Desk) -> Result<(), Problem> {
        let board = self.game.board();
        let named = |whose: Whose| -> Result<Vec<String>, Problem> {
            let of = fields.iter().filter(|field| field.whose == whose);
            of.map(|field| {
                let outside = || Problem::new("illegal-move").with("move", field.at.text());
                dialect::named(&board, field.at).ok_or_else(outside)
            })
            .collect()
        };
        let (own, other) = (named(Whose::Own)?, named(Whose::Opponent)?);
        let is_first = own.len() == other.len();
        let (first, second) = if is_first { (&own, &other) } else { (&other, &own) };
        if first.len() == second.len() + usize::from(!is_first) {
            let turns = (0..first.len()).flat_map(|i| [first.get(i), second.get(i)]).flatten();
            let moves: Vec<String> = turns.cloned().collect();
            match desk.rules().play(None, &moves) {
                Ok(game) => {
                    self.stand(game, None);
                    return Ok(());
                }
                Err(problem) if is_twice(&moves) => return Err(problem),
                // Another order than that of the game: a win or a foul on the way that there was not.
                Err(_) => {}
            }
        }
        // Black is who has more; with a stone or more too many for a line, the brain is to move all the same.
        let own_sign = if own.len() >= other.len() { 'b' } else { 'w' };
        let fen = fen_of(fields, &board, own_sign);
        self.stand(desk.rules().open(Some(&fen))?, Some(fen));
        Ok(())
    }

    fn think(&mut self, way: Way, lines: usize, desk: &mut Desk) {
        let share = self.left_ms.map_or(u64::MAX, |left| (left / 20).max(10));
        let ms = if self.turn_ms == 0 { AT_ONCE_MS } else { self.turn_ms };
        let ms = ms.min(share);
        let limits = Limits {
            time: Some(Duration::from_millis(ms - KEPT_MS.min(ms / 4))),
            depth: self.depth,
            nodes: self.nodes,
            threads: self.threads,
            lines,
            level: Level::new(self.level),
            ..Limits::default()
        };
        self.questions.push_back(Question { way, worth: None, board: self.boards, lines: Vec::new() });
        desk.think(Task { fen: self.fen.clone(), moves: self.game.record(), limits }, false);
    }

    /// Reads a setting from `INFO`: there is no answer, and unknown settings are ignored.
    fn info(&mut self, key: &str, value: &str, desk: &mut Desk) -> Result<(), Problem> {
        let number = value.parse::<i64>().unwrap_or(0);
        let positive = |n: i64| u64::try_from(n).unwrap_or(0);
        match key {
            "timeout_turn" => self.turn_ms = positive(number),
            "timeout_match" | "time_left" => {
                let limited = (key == "time_left" || number > 0) && number < UNLIMITED_MS;
                self.left_ms = limited.then(|| positive(number));
            }
            "max_depth" => self.depth = u32::try_from(number).ok().filter(|&n| n > 0),
            "max_node" => self.nodes = Some(positive(number)).filter(|&n| n > 0),
            "thread_num" => self.threads = number.clamp(1, MOST_THREADS as i64) as usize,
            "hash_size" => {
                desk.memory = (number / 1024).clamp(1, 16 << 10) as usize;
                desk.forget();
            }
            "strength" => self.level = if number >= 100 { 0 } else { 1 + (number.clamp(0, 99) / 11) as u8 },
            "rule" => {
                let told = value.parse().map_err(|_| unknown_rule(value));
                let done = told.and_then(|rule| self.take_rule(rule, desk));
                self.refused[RULE] = done.as_ref().err().cloned();
                done?;
            }
            _ => {}
        }
        // What Yixin-Board says of itself may come behind the number of its rule.
        self.rule_again(desk)
    }

    /// Changes to the rule with that number; an unknown number is refused.
    fn take_rule(&mut self, rule: i64, desk: &mut Desk) -> Result<(), Problem> {
        let key = rule_of(rule, self.reader.is_yixin()).ok_or_else(|| unknown_rule(&rule.to_string()))?;
        if key != desk.rules().key {
            let board = self.game.board();
            self.set_up(key, board.files, board.ranks, desk)?;
        }
        self.rule = Some(rule);
        Ok(())
    }

    /// Applies the rule's number again once it is known that Yixin-Board sent it.
    fn rule_again(&mut self, desk: &mut Desk) -> Result<(), Problem> {
        match self.rule {
            Some(rule) if self.reader.is_yixin() => self.take_rule(rule, desk),
            _ => Ok(()),
        }
    }

    /// Sets up the empty board at the start of a session, and confirms it.
    fn start(&mut self, files: u8, ranks: u8, desk: &mut Desk) -> Result<(), Problem> {
        let done = self.rule_again(desk).and_then(|()| {
            let key = desk.rules().key.clone();
            self.set_up(&key, files, ranks, desk)
        });
        self.refused[BOARD] = done.as_ref().err().cloned();
        done?;
        desk.prepare();
        desk.say(FromBrain::Ok.line());
        Ok(())
    }

    /// Returns an error if the manager's last board or rule was refused, so that no move is played on the wrong one.
    fn must_stand(&self) -> Result<(), Problem> {
        self.refused.iter().flatten().next().map_or(Ok(()), |why| Err(why.clone()))
    }

    /// The first stones of a swap2 opening: near an edge, where neither colour has much room.
    fn opening(&mut self) -> Vec<Point> {
        let board = self.game.board();
        let middle = board.files / 2;
        let near = |x: u8, y: u8| Point { x: x.min(board.files - 1), y: y.min(board.ranks - 1) };
        vec![near(middle, 1), near(middle + 2, 2), near(middle.saturating_sub(2), 3)]
    }

    fn swap2(&mut self, points: &[Point], desk: &mut Desk) -> Result<(), Problem> {
        self.restart(desk)?;
        match points.len() {
            0 => {
                let stones = self.opening();
                desk.say(FromBrain::Stones(stones).line());
            }
            3 | 5 => {
                points.iter().try_for_each(|&at| self.play(at))?;
                self.think(Way::Swap2, 1, desk);
            }
            count => return Err(Problem::new("swap2-stones").with("count", count)),
        }
        Ok(())
    }

    fn take_back(&mut self, at: Point) -> Result<(), Problem> {
        let last = self.game.last_move().and_then(|text| dialect::point(&self.game.board(), &text));
        if last != Some(at) {
            return Err(Problem::new("not-the-last-move").with("move", at.text()));
        }
        self.game.undo();
        Ok(())
    }

    fn obey(&mut self, said: ToBrain, desk: &mut Desk) -> Result<bool, Problem> {
        if matches!(
            said,
            ToBrain::Restart
                | ToBrain::Begin
                | ToBrain::Turn(_)
                | ToBrain::Play(_)
                | ToBrain::Board { .. }
                | ToBrain::Best(_)
                | ToBrain::Swap2Board(_)
                | ToBrain::Swap2Step(_)
                | ToBrain::SoosorvStep { .. }
        ) {
            self.must_stand()?;
        }
        // What puts up a board may also be what tells Yixin-Board from Piskvork.
        if matches!(said, ToBrain::Board { .. } | ToBrain::Swap2Step(1) | ToBrain::SoosorvStep { .. }) {
            self.rule_again(desk)?;
        }
        match said {
            ToBrain::Start(size) => self.start(size, size, desk)?,
            ToBrain::RectStart(files, ranks) => self.start(files, ranks, desk)?,
            ToBrain::Restart => {
                self.drop_questions(desk);
                self.restart(desk)?;
                desk.prepare();
                desk.say(FromBrain::Ok.line());
            }
            ToBrain::Begin => {
                self.restart(desk)?;
                self.think(Way::Play, 1, desk);
            }
            // A move on the board must wait for the answer under way.
            ToBrain::Turn(_) | ToBrain::Play(_) | ToBrain::TakeBack(_) if desk.is_thinking() => {
                return Err(Problem::new("engine-thinks"));
            }
            ToBrain::Turn(at) => {
                self.play(at)?;
                self.think(Way::Play, 1, desk);
            }
            ToBrain::Board { fields, think } => {
                self.put_up(&fields, desk)?;
                if think {
                    self.think(Way::Play, 1, desk);
                }
            }
            ToBrain::Best(lines) => self.think(Way::Play, lines.clamp(1, 64) as usize, desk),
            ToBrain::Swap2Board(points) => self.swap2(&points, desk)?,
            ToBrain::TakeBack(at) => {
                self.take_back(at)?;
                desk.say(FromBrain::Ok.line());
            }
            ToBrain::Play(at) => {
                self.play(at)?;
                desk.say(FromBrain::Stones(vec![at]).line());
            }
            ToBrain::Info { key, value } => self.info(&key, &value, desk)?,
            ToBrain::About => {
                let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
                let version = env!("CARGO_PKG_VERSION");
                let facts = [
                    fact("name", "Qiguan"),
                    fact("version", version),
                    fact("author", "the authors of Qiguan"),
                ];
                desk.say(FromBrain::About(facts.to_vec()).line());
            }
            ToBrain::Swap2Step(step) => self.swap2_step(step, desk)?,
            ToBrain::SoosorvStep { step, count, points } => self.soosorv_step(step, count, &points, desk)?,
            // The evaluation would be needed to accept a draw, and the opponent does not wait for a search.
            ToBrain::Draw => desk.say(FromBrain::Message("DRAW REJECT".to_owned()).line()),
            ToBrain::Resign => self.drop_questions(desk),
            ToBrain::ShowInfo => {
                let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
                for (name, value) in [("MAX_THREAD_NUM", threads), ("MAX_HASH_SIZE", MOST_TABLE_LOG2)] {
                    desk.say(FromBrain::Message(format!("INFO {name} {value}")).line());
                }
            }
            ToBrain::Unheard(command) => desk.say(FromBrain::Unknown(command).line()),
            ToBrain::Stop => desk.stop(),
            ToBrain::ForgetTable => desk.forget(),
            ToBrain::ShowForbidden => {
                let board = self.game.board();
                let forbidden = self.game.forbidden();
                let points = forbidden.iter().filter_map(|(name, _)| dialect::point(&board, name)).collect();
                desk.say(FromBrain::Forbidden(points).line());
            }
            ToBrain::End => return Ok(false),
        }
        Ok(true)
    }

    fn answer(&mut self, text: &str, question: &Question, desk: &mut Desk) {
        let board = self.game.board();
        let Some(at) = dialect::point(&board, text) else {
            let problem = Problem::new("illegal-move").with("move", text);
            return complain(&problem, desk);
        };
        let worse = question.is_worse();
        if let Way::Opening(asked) = &question.way {
            let lines = asked.answer(&self.game.board(), at, question);
            return lines.into_iter().for_each(|line| desk.say(FromBrain::Message(line).line()));
        }
        if question.way == Way::Swap2 && worse {
            return desk.say(FromBrain::Swap.line());
        }
        if question.board == self.boards {
            let _ = self.play(at);
        }
        desk.say(FromBrain::Stones(vec![at]).line());
    }
}

impl Question {
    /// Returns true if the side to move stands worse.
    fn is_worse(&self) -> bool {
        match self.worth {
            Some(Worth::Hundredths(n)) => n < 0,
            Some(Worth::Wins(n)) => n < 0,
            None => false,
        }
    }
}

/// Returns the game of a rule's number. Piskvork adds up: 1 exactly five wins, 2 another game follows on the same
/// board, 4 renju, 8 Caro. Yixin-Board counts: 0 five or more, 1 exactly five, 2 and 4 renju.
fn rule_of(rule: i64, is_yixin: bool) -> Option<&'static str> {
    const EXACTLY: i64 = 1;
    const ON: i64 = 2;
    const RENJU: i64 = 4;
    const CARO: i64 = 8;
    if is_yixin && rule == 2 {
        return Some("gomoku/renju");
    }
    match rule & !ON {
        _ if rule < 0 => None,
        0 => Some("gomoku/freestyle"),
        EXACTLY => Some("gomoku/standard"),
        // Black wins with exactly five in renju.
        rule if rule & !EXACTLY == RENJU => Some("gomoku/renju"),
        CARO => Some("gomoku/caro"),
        rule if rule == CARO | EXACTLY => Some("gomoku/caro-exact"),
        _ => None,
    }
}

fn unknown_rule(rule: &str) -> Problem {
    Problem::new("gomocup-rule").with("rule", rule)
}

fn complain(problem: &Problem, desk: &mut Desk) {
    let text = desk.sentence(problem);
    desk.say(FromBrain::Error(text).line());
}

/// Returns true if a point occurs more than once.
fn is_twice(moves: &[String]) -> bool {
    let mut seen = HashSet::new();
    !moves.iter().all(|name| seen.insert(name))
}

/// Returns a position in our games' notation, with the engine to move.
fn fen_of(fields: &[Field], board: &kernel::Board, own: char) -> String {
    let other = if own == 'b' { 'w' } else { 'b' };
    let sign = |x: u8, y: u8| {
        let field = fields.iter().rfind(|field| field.at == Point { x, y })?;
        match field.whose {
            Whose::Own => Some(own),
            Whose::Opponent => Some(other),
            Whose::Marked => None,
        }
    };
    let row = |y: u8| {
        let mut text = String::new();
        let mut empty = 0;
        for x in 0..board.files {
            match sign(x, y) {
                Some(sign) => {
                    if empty > 0 {
                        text.push_str(&std::mem::take(&mut empty).to_string());
                    }
                    text.push(sign);
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    };
    let rows: Vec<String> = (0..board.ranks).map(row).collect();
    format!("{} {own}", rows.join("/"))
}

impl super::voice::Voice for Voice {
    fn hear(&mut self, line: &str, desk: &mut Desk) -> bool {
        match self.reader.read(line) {
            Ok(None) => true,
            Ok(Some(said)) => self.obey(said, desk).unwrap_or_else(|problem| {
                complain(&problem, desk);
                true
            }),
            Err(fault) if fault.key == "unknown-command" => {
                desk.say(FromBrain::Unknown(fault.found).line());
                true
            }
            Err(fault) => {
                let problem = misread(&fault);
                let word = line.split_whitespace().next().unwrap_or_default();
                if ["START", "RECTSTART"].iter().any(|start| word.eq_ignore_ascii_case(start)) {
                    self.refused[BOARD] = Some(problem.clone());
                }
                complain(&problem, desk);
                true
            }
        }
    }

    fn overheard(&mut self, _begin: &str, desk: &mut Desk) {
        complain(&misread(&too_long()), desk);
    }

    fn tell(&mut self, info: &Info, desk: &mut Desk) {
        if let Some(question) = self.questions.front_mut() {
            let line = info.line.max(1);
            if line == 1 {
                question.worth = Some(info.worth);
            }
            if let Some(best) = info.moves.first() {
                question.lines.resize(question.lines.len().max(line), String::new());
                question.lines[line - 1].clone_from(best);
            }
        }
        let worth = match info.worth {
            Worth::Hundredths(n) => n.to_string(),
            Worth::Wins(n) if n > 0 => format!("+M{n}"),
            Worth::Wins(n) => format!("-M{}", -n),
        };
        let (depth, furthest, nodes) = (info.depth, info.furthest, info.nodes);
        let pv = info.moves.join(" ");
        desk.say(FromBrain::Message(format!("depth {depth}-{furthest} ev {worth} n {nodes} pv {pv}")).line());
    }

    fn done(&mut self, answer: Result<String, Problem>, desk: &mut Desk) {
        let Some(question) = self.questions.pop_front() else { return };
        match answer {
            Ok(text) => self.answer(&text, &question, desk),
            Err(problem) => complain(&problem, desk),
        }
    }
}
