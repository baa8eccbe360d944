//! Recorded sessions of other people's clients with our engine, written by `scripts/session.py` and replayed without
//! the client: the client's lines are sent, and our answers must be the recorded ones. The engine plays the recorded
//! moves.
//!
//! A file begins with remarks (`#`) and the arguments of `qiguan engine` (`$`). `>` is sent by the client, `+`
//! extends the last position by these words, `<` must be received, and `<` with `…` at its end stands for one line or
//! more with that beginning.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use external::dialect::{self, Ranks};
use protocol::Move;
use protocol::gomocup::Point;

use super::*;

/// A line of a file.
enum RecordedLine {
    Input(String),
    Output(String),
}

struct Recorded {
    protocol: Protocol,
    game: String,
    lines: Vec<RecordedLine>,
}

impl Recorded {
    fn read(text: &str) -> Recorded {
        let (mut protocol, mut game, mut lines, mut place) = (None, None, Vec::new(), String::new());
        for line in text.lines() {
            let (sign, rest) = line.split_at_checked(2).unwrap_or((line, ""));
            match sign.trim_end() {
                "#" | "" => {}
                "$" => {
                    for word in rest.split(' ') {
                        match Protocol::keyed(word) {
                            Some(found) => protocol = Some(found),
                            None => game = Some(word.to_owned()),
                        }
                    }
                }
                ">" => {
                    if rest.starts_with("pos") {
                        place = rest.to_owned();
                    }
                    lines.push(RecordedLine::Input(rest.to_owned()));
                }
                "+" => {
                    // In Hub the moves stand within quotes.
                    let (open, quote) = match place.strip_suffix('"') {
                        Some(open) => (open, "\""),
                        None => (place.as_str(), ""),
                    };
                    place = format!("{open} {rest}{quote}");
                    lines.push(RecordedLine::Input(place.clone()));
                }
                "<" => lines.push(RecordedLine::Output(rest.to_owned())),
                _ => panic!("not a line of a session: {line}"),
            }
        }
        Recorded { protocol: protocol.expect("a protocol"), game: game.expect("a game"), lines }
    }

    /// Returns the answers to questions in their order, as the client read them.
    fn answers(&self) -> Vec<String> {
        let heard = self.lines.iter().filter_map(|line| match line {
            RecordedLine::Output(text) => Some(text.clone()),
            RecordedLine::Input(_) => None,
        });
        heard.filter(|text| is_answer(self.protocol, text)).collect()
    }
}

/// Returns true for a line that answers a question.
fn is_answer(protocol: Protocol, line: &str) -> bool {
    match protocol {
        Protocol::Hub => line.starts_with("done"),
        Protocol::Gomocup => line.split(',').all(|number| number.trim().parse::<u8>().is_ok()),
        Protocol::Dxp => line.starts_with('M'),
        _ => line.starts_with("bestmove"),
    }
}

/// An engine that plays the recorded moves.
struct Replay {
    rules: Ruleset,
    protocol: Protocol,
    answers: Arc<Vec<String>>,
    /// The number of questions that are answered.
    answered: Arc<AtomicUsize>,
    /// Ranks of xiangqi count from 1 once the client has named the variant.
    from_one: Arc<AtomicUsize>,
}

impl Replay {
    /// Returns the recorded moves for the current question in our notation: the move played and the moves expected.
    fn moves(&self, game: &dyn kernel::AnyGame) -> Vec<String> {
        let answer = self.answers.get(self.answered.load(Ordering::SeqCst)).cloned().unwrap_or_default();
        let ranks = if self.from_one.load(Ordering::SeqCst) > 0 { Ranks::FromOne } else { Ranks::FromZero };
        match self.protocol {
            Protocol::Hub => {
                let moves = answer.split(' ').filter_map(|word| word.split_once('='));
                moves.filter_map(|(_, text)| Some(Move::read(text).ok()?.sorted().text())).collect()
            }
            Protocol::Gomocup => {
                let (x, y) = answer.split_once(',').expect("a point");
                let at = Point { x: x.parse().expect("a column"), y: y.trim().parse().expect("a row") };
                dialect::named(&game.board(), at).into_iter().collect()
            }
            Protocol::Dxp => match protocol::dxp::Message::read(answer.as_bytes()) {
                Ok(protocol::dxp::Message::Move { played, .. }) => vec![played.sorted().text()],
                _ => panic!("not a move: {answer}"),
            },
            _ => {
                let words = answer.split(' ').filter(|word| !matches!(*word, "bestmove" | "ponder"));
                words.map(|text| ranks.heard(text)).collect()
            }
        }
    }
}

impl Engine for Replay {
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let mut game = self.rules.play(task.fen.as_deref(), &task.moves)?;
        if let Some(outcome) = game.outcome() {
            return Err(Problem::new("game-over").with("reason", outcome.reason()));
        }
        let moves = self.moves(game.as_ref());
        let first = moves.first().cloned().unwrap_or_default();
        let others = game.moves().into_iter().filter(|text| *text != first);
        let allowed = others.filter(|text| task.limits.among.is_empty() || task.limits.among.contains(text));
        let lines = std::iter::once(moves.clone()).chain(allowed.map(|text| vec![text]));
        for (number, moves) in (1..).zip(lines.take(task.limits.lines.max(1))) {
            report(&Info {
                depth: 9,
                furthest: 12,
                line: number,
                worth: Worth::Hundredths(10 - number as i32),
                bound: Bound::Exact,
                nodes: 1000,
                time: Duration::from_millis(5),
                filled: 1,
                moves,
            });
        }
        let limits = &task.limits;
        let endless = limits.depth.is_none() && limits.nodes.is_none();
        while endless && limits.time.is_none() && limits.clock.is_none() && !limits.stop.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
        let best = self.moves(self.rules.play(task.fen.as_deref(), &task.moves)?.as_ref()).swap_remove(0);
        game.play(&best).map_err(kernel::PlayError::problem)?;
        Ok(best)
    }
}

/// Turns the NUL at the end of each DXP message into a line break.
struct Messages(Output);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines: Vec<u8> = bytes.iter().map(|&byte| if byte == 0 { b'\n' } else { byte }).collect();
        self.0.write(&lines)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a line with the time in DXP's moves set to zero, since times are not recorded.
fn timeless(protocol: Protocol, line: &str) -> String {
    match protocol {
        Protocol::Dxp if line.starts_with('M') => format!("M0000{}", &line[5..]),
        _ => line.to_owned(),
    }
}

fn replay(name: &str, recorded: &Recorded) {
    let rules = Ruleset::new(&recorded.game, &catalog::Options::new()).unwrap();
    let (answered, from_one) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (protocol, answers) = (recorded.protocol, Arc::new(recorded.answers()));
    let (count, ranks) = (answered.clone(), from_one.clone());
    let make = move |rules: &Ruleset, _| -> Box<dyn Engine> {
        let (answers, answered, from_one) = (answers.clone(), count.clone(), ranks.clone());
        Box::new(Replay { rules: rules.clone(), protocol, answers, answered, from_one })
    };
    let setup = Setup::of(rules, 16, Box::new(make));
    let (to, input) = channel();
    let (output, from) = channel();
    let ended = thread::spawn(move || {
        let (input, output) = (Input(input, Vec::new()), Output(output, String::new()));
        match protocol {
            Protocol::Dxp => {
                let games = served::dxp::serve(setup, served::dxp::Role::Follower, input, Messages(output));
                games.expect("a session to its end");
            }
            _ => serve(protocol, setup, input, output).unwrap().unwrap(),
        }
    });
    let mut waiting: Option<String> = None;
    let hear = |what: &str| {
        from.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("{name}: no {what:?}"))
    };
    for (number, line) in recorded.lines.iter().enumerate() {
        match line {
            RecordedLine::Input(text) => {
                let end = if protocol == Protocol::Dxp { '\0' } else { '\n' };
                if protocol == Protocol::Uci && text.contains("UCI_Variant value xiangqi") {
                    from_one.store(1, Ordering::SeqCst);
                }
                to.send(format!("{text}{end}").into_bytes()).unwrap();
            }
            RecordedLine::Output(text) => {
                let mut heard = waiting.take().unwrap_or_else(|| hear(text));
                let at = format!("{name}, line {number}: heard {heard:?}, not {text:?}");
                if let Some(start) = text.strip_suffix('…') {
                    assert!(heard.starts_with(start), "{at}");
                    // The rest of them, as far as something else must be heard before anything is said.
                    let next = recorded.lines.get(number + 1);
                    if let Some(RecordedLine::Output(_)) = next {
                        while heard.starts_with(start) {
                            heard = hear("more");
                        }
                        waiting = Some(heard);
                    }
                } else {
                    assert_eq!(timeless(protocol, &heard), timeless(protocol, text), "{at}");
                }
                if is_answer(protocol, text) {
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            }
        }
    }
    drop(to);
    ended.join().unwrap_or_else(|_| panic!("{name} does not end"));
}

/// Each recorded session of another client with our engine has the same answers again.
#[test]
fn clients_of_others_are_answered_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of sessions") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|end| end != "txt") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        replay(&name, &Recorded::read(&std::fs::read_to_string(&path).expect("text")));
        names.push(name);
    }
    assert!(names.len() >= 16, "{names:?}");
}
