//! A hall's lobby, line by line: each typed line is answered by one.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use texts::{Language, say};

use crate::hall::{Hall, LobbyRow, Terms, Waited};
use crate::screen::{Event, Settings};
use crate::table::{Destination, Remote, Visit, VisitError};
use crate::terminal::Failure;
use crate::{input, said};

/// The polling interval while the user waits for an opponent or a sign-in.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// The chosen table, and the receiver of its messages.
pub(super) struct Chosen {
    pub table: Remote,
    pub heard: Receiver<Event>,
}

/// Answers lines until a table is chosen; `None` when the user quits or the input ends.
///
/// # Errors
/// Fails when the hall does not answer at first, or input or output break.
pub(super) fn talk(
    settings: &Settings,
    base: &str,
    began: Instant,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Option<Chosen>, Failure> {
    let language = settings.language;
    let (hall, has_ended) =
        Hall::enter(base, &settings.home()).map_err(|VisitError(problem)| Failure::Refused(problem))?;
    let mut lobby = Lobby { hall, language };
    let ended = match has_ended {
        true => say(language, "problem-signed-out-elsewhere", &[]) + " ",
        false => String::new(),
    };
    writeln!(output, "{ended}{} {}", lobby.you(), say(language, "plain-help-hint", &[]))?;
    output.flush()?;
    while let Some(line) = input::line(input)? {
        let said = match lobby.answer(line.trim()) {
            Ok(Answer::Said(text)) => text,
            Ok(Answer::Quit) => {
                lobby.hall.give_up();
                return Ok(None);
            }
            Ok(Answer::Visit(wanted, watch)) => {
                let visit = Visit { base: lobby.hall.base().to_owned(), wanted, watch };
                let (events, heard) = channel();
                match Remote::visit(visit, &settings.home(), events, began) {
                    Ok(table) => return Ok(Some(Chosen { table, heard })),
                    Err(VisitError(problem)) => said::refusal(language, &problem),
                }
            }
            Err(VisitError(problem)) => said::refusal(language, &problem),
        };
        writeln!(output, "{}", said.replace('\n', " "))?;
        output.flush()?;
    }
    Ok(None)
}

struct Lobby {
    hall: Hall,
    language: Language,
}

/// The results of a typed line.
enum Answer {
    Said(String),
    /// A visit to a table; true: only to watch.
    Visit(Destination, bool),
    Quit,
}

impl Lobby {
    fn say(&self, key: &str, args: &[(&str, &str)]) -> String {
        say(self.language, key, args)
    }

    fn you(&self) -> String {
        self.hall.you(self.language)
    }

    fn answer(&mut self, line: &str) -> Result<Answer, VisitError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(Answer::Said(match (word, rest.trim()) {
            ("quit" | "exit" | "退出", "") => return Ok(Answer::Quit),
            ("help" | "?" | "帮助", "") => self.say("plain-lobby-help", &[]),
            ("who" | "我", "") => self.you(),
            ("" | "list" | "列表", "") => {
                self.hall.refresh()?;
                self.list()
            }
            ("signin" | "登录", "") if self.hall.is_account() => self.you(),
            ("signin" | "登录", "") => {
                self.hall.give_up();
                self.hall.sign_in()?;
                self.code()
            }
            ("signout" | "登出", "") if self.hall.is_account() => {
                self.hall.sign_out()?;
                self.say("tui-signed-out", &[])
            }
            ("signout" | "登出", "") => self.you(),
            ("wait" | "等", "") => return self.wait(),
            ("stop" | "停", "") => match self.hall.give_up() {
                Some(id) => return Ok(self.found(Waited::Table(id))),
                None => self.list(),
            },
            ("go" | "accept" | "去" | "接受", number) if !number.is_empty() => return self.go(number),
            ("decline" | "拒绝", number) if !number.is_empty() => match self.line(number) {
                Some(line) if self.hall.decline(&line)? => self.list(),
                Some(_) => self.say("tui-nothing-to-decline", &[]),
                None => self.no_line(),
            },
            ("open" | "开桌", terms) => match self.terms(terms) {
                Ok(terms) => {
                    return Ok(Answer::Visit(Destination::Open(Box::new(terms.table()), None), false));
                }
                Err(why) => why,
            },
            ("now" | "快速", terms) => match self.terms(terms) {
                Ok(terms) => {
                    let found = self.hall.play_now(terms)?;
                    return Ok(self.found(found));
                }
                Err(why) => why,
            },
            ("challenge" | "挑战", rest) if !rest.is_empty() => {
                let (name, terms) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                match self.terms(terms.trim()) {
                    Ok(terms) => {
                        self.hall.challenge(name, &terms, None)?;
                        self.say("tui-challenge-sent", &[("name", name)])
                    }
                    Err(why) => why,
                }
            }
            _ => self.say("plain-lobby-help", &[]),
        }))
    }

    /// Returns the list with the numbers by which lines are selected.
    fn list(&self) -> String {
        let lines = self.hall.lines();
        if lines.is_empty() {
            return self.say("plain-lobby-empty", &[]);
        }
        let one = |(at, line): (usize, &LobbyRow)| {
            let words: Vec<String> =
                line.words(self.language).split("   ").map(|part| part.trim().to_owned()).collect();
            format!("{} {}: {}", at + 1, self.say(line.section(), &[]), words.join(", "))
        };
        lines.iter().enumerate().map(one).collect::<Vec<_>>().join("; ")
    }

    fn line(&self, number: &str) -> Option<LobbyRow> {
        self.hall.lines().get(number.parse::<usize>().ok()?.checked_sub(1)?).cloned()
    }

    fn no_line(&self) -> String {
        self.say("plain-lobby-no-line", &[("most", &self.hall.lines().len().to_string())])
    }

    fn go(&mut self, number: &str) -> Result<Answer, VisitError> {
        Ok(match self.line(number) {
            None => Answer::Said(self.no_line()),
            Some(LobbyRow::Received(line)) => {
                Answer::Visit(Destination::Table(self.hall.accept(&line.id)?), false)
            }
            Some(LobbyRow::Sent(_)) => Answer::Said(self.say("tui-challenge-waits", &[])),
            Some(LobbyRow::Mine(line, _) | LobbyRow::Playing(line)) => {
                Answer::Visit(Destination::Table(line.id), false)
            }
            Some(LobbyRow::Open(line)) => Answer::Visit(Destination::Seat(line.id), false),
            Some(LobbyRow::Live(line)) => Answer::Visit(Destination::Table(line.id), true),
        })
    }

    /// Parses a game, its clock, and whether it is rated, such as `xiangqi 300+5 rated`; the default is xiangqi with
    /// five minutes.
    fn terms(&self, typed: &str) -> Result<Terms, String> {
        let said = |problem: kernel::Problem| said::refusal(self.language, &problem.into());
        let mut terms =
            Terms { game: "xiangqi", clock: crate::clock::parse("300+5").map_err(said)?, rated: false };
        for (at, word) in typed.split_whitespace().enumerate() {
            match (at, word) {
                (0, game) => terms.game = crate::entry(game).map_err(said)?.key,
                (_, "rated" | "计分") => terms.rated = true,
                (_, clock) => terms.clock = crate::clock::parse(clock).map_err(said)?,
            }
        }
        Ok(terms)
    }

    fn code(&self) -> String {
        let Some((code, minutes)) = self.hall.code() else { return String::new() };
        let open = self.say("tui-sign-in-open", &[("link", &self.hall.code_page())]);
        format!("{open} {code} {}", self.say("plain-sign-in-waits", &[("minutes", &minutes.to_string())]))
    }

    /// Returns the answer to a result of waiting: a visit to the opponent's table, or a sentence.
    fn found(&self, found: Waited) -> Answer {
        match found {
            Waited::Table(id) => Answer::Visit(Destination::Table(id), false),
            Waited::SignedIn => Answer::Said(format!("{} {}", self.say("tui-signed-in", &[]), self.you())),
            Waited::Still => Answer::Said(self.say("plain-lobby-waits", &[])),
        }
    }

    /// Waits until this user is signed in, an opponent is found, or the wait fails.
    fn wait(&mut self) -> Result<Answer, VisitError> {
        if !self.hall.waits() {
            return Ok(Answer::Said(self.say("plain-lobby-waits-for-nothing", &[])));
        }
        loop {
            match self.hall.wait()? {
                Waited::Still => std::thread::sleep(ASK_EVERY),
                found => return Ok(self.found(found)),
            }
        }
    }
}
