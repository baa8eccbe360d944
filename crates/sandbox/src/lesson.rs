//! Mistakes that are found in an extension's text before anything of it runs: a lesson and its place.
//!
//! The worker looks, since it has the parser; this side turns findings into problems, whose sentences are in `texts/`.

use jingbanqi::extension::Source;
use kernel::Problem;
use serde::{Deserialize, Serialize};

/// The most findings of a package that are told.
pub const MOST_FINDINGS: usize = 40;
/// The most characters of a fact.
#[cfg(feature = "extensions")]
const MOST_FACT: usize = 160;

/// One kind of mistake.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lesson {
    /// A character that stands for one of Python's, as “，” for “,”.
    FullWidth,
    /// Another character that Python does not know.
    BadCharacter,
    /// A string without its end.
    StringOpen,
    /// A bracket without its partner.
    BracketOpen,
    /// Two brackets of different kinds, or a closing one alone.
    BracketsDiffer,
    /// A line that begins a block and has no colon.
    NoColon,
    /// A comparison with one sign of equality.
    OneEquals,
    /// `else if` for `elif`.
    ElseIf,
    /// A sign or word of another language.
    NotPython,
    /// Lines that are indented wrongly.
    Indentation,
    /// Another text that is no Python.
    Syntax,
    /// A name close to one that is read.
    NearHook,
    /// A file without any function that is called.
    NoHooks,
    /// A function that nothing calls.
    NeverCalled,
    /// A hook that is defined twice.
    DefinedTwice,
    /// A hook that takes another number of arguments than it is given.
    HookArguments,
    /// A hook that may end without a value.
    NoReturn,
    /// A value of `check_can_go` that is no list of groups of squares.
    NotGroups,
    /// A name of the file's top level, read in a function.
    TopLevelName,
    /// A name that nothing defines.
    UnknownName,
    /// A member that `JBQ` does not have.
    UnknownMember,
    /// A member that pieces do not have.
    UnknownPieceMember,
    /// An attribute that no piece of the map has.
    UnknownAttribute,
    /// A function of `JBQ` with another number of arguments than it takes.
    ApiArguments,
    /// `JBQ.win` with something that is no side.
    WinWho,
    /// A module that cannot be imported.
    Import,
    /// A change of `JBQ.map_data`, which is lost.
    MapDataWritten,
    /// A list that changes while a loop walks through it.
    ChangedWhileWalked,
    /// Chance in a function that is only asked.
    RandomWhileAsked,
    /// A count in a function that is only asked, which is forgotten.
    ForgottenWhileAsked,
    /// A variable that is never read.
    Unused,
    /// A loop without an end.
    EndlessLoop,
    /// A function that always calls itself.
    EndlessCalls,
    /// A square that is not on the board.
    OffBoard,
    /// A row or column compared with the number of them.
    CountsFromZero,
    /// A direction that is none of the eight.
    BadDirection,
    /// A number of no piece.
    NoSuchPiece,
    /// A side that is none of the three.
    BadSide,
    /// A rule of moves given as text.
    RuleAsText,
    /// A statement that does nothing.
    NoEffect,
    /// The result of something that has none, such as `append`.
    ReturnsNone,
    /// The square that a piece has just left.
    LeftSquare,
    /// Lines that are never reached.
    Unreachable,
}

/// A mistake and its place.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of the mistake.
    pub lesson: Lesson,
    /// The number of the file.
    pub file: u16,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The text that is wrong.
    pub found: String,
    /// The text that is probably meant, or a fact that chooses a sentence; empty for none.
    pub near: String,
    /// A further fact: Python's own words for a mistake of syntax.
    pub more: String,
}

impl Lesson {
    /// Returns true for mistakes of syntax, with which a file is not loaded.
    #[must_use]
    pub fn is_of_syntax(self) -> bool {
        self <= Lesson::Syntax
    }

    fn problem(self) -> Problem {
        match self {
            Lesson::FullWidth => Problem::new("map-full-width"),
            Lesson::BadCharacter => Problem::new("map-bad-character"),
            Lesson::StringOpen => Problem::new("map-string-not-closed"),
            Lesson::BracketOpen => Problem::new("map-bracket-not-closed"),
            Lesson::BracketsDiffer => Problem::new("map-brackets-differ"),
            Lesson::NoColon => Problem::new("map-no-colon"),
            Lesson::OneEquals => Problem::new("map-one-equals"),
            Lesson::ElseIf => Problem::new("map-else-if"),
            Lesson::NotPython => Problem::new("map-not-python"),
            Lesson::Indentation => Problem::new("map-indentation"),
            Lesson::Syntax => Problem::new("map-syntax"),
            Lesson::NearHook => Problem::new("map-no-hook"),
            Lesson::NoHooks => Problem::new("map-no-hooks"),
            Lesson::NeverCalled => Problem::new("map-never-called"),
            Lesson::DefinedTwice => Problem::new("map-defined-twice"),
            Lesson::HookArguments => Problem::new("map-hook-arguments"),
            Lesson::NoReturn => Problem::new("map-no-return"),
            Lesson::NotGroups => Problem::new("map-not-groups"),
            Lesson::TopLevelName => Problem::new("map-top-level-name"),
            Lesson::UnknownName => Problem::new("map-unknown-name"),
            Lesson::UnknownMember => Problem::new("map-unknown-member"),
            Lesson::UnknownPieceMember => Problem::new("map-unknown-piece-member"),
            Lesson::UnknownAttribute => Problem::new("map-unknown-attribute"),
            Lesson::ApiArguments => Problem::new("map-api-arguments"),
            Lesson::WinWho => Problem::new("map-win-who"),
            Lesson::Import => Problem::new("map-import"),
            Lesson::MapDataWritten => Problem::new("map-map-data-written"),
            Lesson::ChangedWhileWalked => Problem::new("map-changed-while-walked"),
            Lesson::RandomWhileAsked => Problem::new("map-random-while-asked"),
            Lesson::ForgottenWhileAsked => Problem::new("map-forgotten-while-asked"),
            Lesson::Unused => Problem::new("map-unused"),
            Lesson::EndlessLoop => Problem::new("map-endless-loop"),
            Lesson::EndlessCalls => Problem::new("map-endless-calls"),
            Lesson::OffBoard => Problem::new("map-off-board"),
            Lesson::CountsFromZero => Problem::new("map-counts-from-zero"),
            Lesson::BadDirection => Problem::new("map-bad-direction"),
            Lesson::NoSuchPiece => Problem::new("map-no-such-piece"),
            Lesson::BadSide => Problem::new("map-bad-side"),
            Lesson::RuleAsText => Problem::new("map-rule-as-text"),
            Lesson::NoEffect => Problem::new("map-no-effect"),
            Lesson::ReturnsNone => Problem::new("map-returns-none"),
            Lesson::LeftSquare => Problem::new("map-left-square"),
            Lesson::Unreachable => Problem::new("map-unreachable"),
        }
    }
}

impl Finding {
    /// Returns the finding as a problem: `place`, `line`, `column`, `found`, `near`, `text`, and `has`, which is `near`
    /// where there is something near and `none` otherwise.
    #[must_use]
    pub(crate) fn problem(&self, sources: &[Source]) -> Problem {
        let file = sources.get(usize::from(self.file)).map_or("", |source| source.file.as_str());
        let mut problem = self
            .lesson
            .problem()
            .with("place", file)
            .with("line", self.line)
            .with("column", self.column)
            .with("found", &self.found)
            .with("near", &self.near)
            .with("has", if self.near.is_empty() { "none" } else { "near" });
        // Python's words are told whole.
        problem.args.push(("text", self.more.clone()));
        problem
    }

    /// Returns the finding with facts of limited length, on one line.
    #[cfg(feature = "extensions")]
    #[must_use]
    pub(crate) fn tidy(self) -> Finding {
        let fact =
            |text: String| -> String { text.chars().filter(|c| !c.is_control()).take(MOST_FACT).collect() };
        Finding { found: fact(self.found), near: fact(self.near), more: fact(self.more), ..self }
    }
}
