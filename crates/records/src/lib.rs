//! Games as files: bytes to a tree of moves, and back.
//!
//! A [`Record`] holds what any format may say: game, start, players, ending, and a tree of move texts with
//! comments. Each format is one module that turns text into a record and a record into text. No module decides
//! what is legal: [`Record::replay`] asks the game, move by move.
//!
//! Reading order: [`record`] (the tree and its limits), [`json`] (our own format), [`text`] (the same for
//! people), [`sgf`] (gomoku among other programs), [`pdn`] (draughts among other programs), [`boards`] (the school's
//! draughts program), [`locked_chess`] (the locked chess program), [`pgn`] (xiangqi among other programs),
//! [`chess`] (of emacs-chess-cn), [`xqf`], [`ccbridge`] and [`dpxq`] (what such programs save, read only), [`psq`],
//! [`pos`] and [`renlib`] (gomoku and renju elsewhere), [`rif`] (RenjuNet's database), [`games`] (files with many
//! games), [`map`] (games that users make, as workbooks), [`csv`] (their boards).

pub mod archive;
pub mod boards;
pub mod book;
pub mod cbf;
pub mod ccbridge;
mod charset;
pub mod chess;
pub mod csv;
pub mod dpxq;
pub mod games;
mod goban;
pub mod json;
mod lisp;
pub mod locked_chess;
mod lost;
pub mod map;
mod openings;
pub mod pdn;
pub mod pgn;
mod points;
mod pasted;
pub mod pos;
mod preorder;
pub mod psq;
pub mod record;
pub mod renlib;
pub mod rif;
mod said;
pub mod sgf;
pub mod text;
pub mod wxf;
pub mod xqf;

pub use games::Games;
pub use jingbanqi::extension::Source;
pub use lost::lost;
pub use pasted::pasted;
pub use record::{Ending, Files, MapOf, NodeId, Ply, Record, Score, Tree};

use std::borrow::Cow;

use kernel::Problem;

/// The formats that records are read from and written to. The facts about one are a row of [`Format::about`]; menus,
/// catalogues, `qiguan convert` and `docs/formats.md` have no list of their own.
///
/// ```
/// use records::Format;
///
/// let xiangqi = |format: &Format| format.is_for("xiangqi") && format.writes();
/// let keys: Vec<&str> = Format::ALL.into_iter().filter(xiangqi).map(Format::key).collect();
/// assert!(keys.contains(&"pgn") && keys.contains(&"xqf"));
/// assert_eq!(Format::Pgn.media_type(), "application/vnd.chess-pgn; charset=utf-8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Our own, complete: see [`json`].
    Json,
    /// Header lines and numbered moves: see [`text`].
    Text,
    /// FF\[4\] GM\[4\], gomoku only: see [`sgf`].
    Sgf,
    /// Xiangqi as text: see [`pgn`].
    Pgn,
    /// Draughts as text, one game or many: see [`pdn`].
    Pdn,
    /// Files of XQStudio: see [`xqf`].
    Xqf,
    /// The text of a board on the web: see [`dpxq`].
    Dpxq,
    /// Files of PlayOK and XieXie, read only: see [`wxf`].
    Wxf,
    /// One game of CCBridge as XML, read only: see [`cbf`].
    Cbf,
    /// One game of CCBridge, read only: see [`ccbridge`].
    Cbr,
    /// A library of CCBridge, read only: see [`ccbridge`].
    Cbl,
    /// A game that emacs-chess-cn saved: see [`chess`].
    Chess,
    /// A board of the school's draughts program as rows of signs: see [`boards`].
    Rows,
    /// The same with its squares as numbers: see [`boards`].
    Numbers,
    /// The same with its squares as letters: see [`boards`].
    Letters,
    /// A position as `return_game()` of the locked chess program gives it: see [`locked_chess`].
    Locked,
    /// Libraries of RenLib: see [`renlib`].
    Lib,
    /// RenjuNet's database, read only: see [`rif`].
    Rif,
    /// The files of Piskvork, see [`psq`].
    Psq,
    /// Gomoku's moves as one word: see [`pos`].
    Pos,
    /// Gomocup's openings, read only: see [`pos`].
    Opening,
    /// A position a line, without the game it belongs to: see [`Games::of`].
    Fen,
}

/// The facts about a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// The stable key, also the usual ending of such a file's name.
    pub key: &'static str,
    /// Other endings that such files have.
    pub endings: &'static [&'static str],
    /// The media type of such a file.
    pub media_type: &'static str,
    /// The games it holds: keys of games, or of families for all of theirs. Empty: every game.
    pub games: &'static [&'static str],
    /// True if records can be written in it; all formats can be read.
    pub writes: bool,
    /// True if a file may hold several games.
    pub holds_many: bool,
    /// True if it holds positions only: a record is then its start.
    pub is_position: bool,
}

impl About {
    /// A format of text that is written, with several games in a file.
    const fn text(key: &'static str, games: &'static [&'static str]) -> About {
        let media_type = "text/plain; charset=utf-8";
        About { key, endings: &[], media_type, games, writes: true, holds_many: true, is_position: false }
    }

    /// A board as text.
    const fn board(key: &'static str) -> About {
        const GAMES: &[&str] = &["draughts/international", "draughts/school"];
        About { holds_many: false, is_position: true, ..About::text(key, GAMES) }
    }

    /// A format of bytes with one game in a file.
    const fn bytes(key: &'static str, games: &'static [&'static str]) -> About {
        About { media_type: "application/octet-stream", holds_many: false, ..About::text(key, games) }
    }
}

impl Format {
    /// Every format, in the order of menus: ours first.
    pub const ALL: [Format; Format::Fen as usize + 1] = [
        Format::Json,
        Format::Text,
        Format::Sgf,
        Format::Pgn,
        Format::Pdn,
        Format::Xqf,
        Format::Dpxq,
        Format::Wxf,
        Format::Cbf,
        Format::Cbr,
        Format::Cbl,
        Format::Chess,
        Format::Rows,
        Format::Numbers,
        Format::Letters,
        Format::Locked,
        Format::Lib,
        Format::Rif,
        Format::Psq,
        Format::Pos,
        Format::Opening,
        Format::Fen,
    ];

    /// The row of this format.
    ///
    /// ```
    /// use records::Format;
    ///
    /// let sgf = Format::Sgf.about();
    /// assert_eq!((sgf.key, sgf.games, sgf.writes), ("sgf", &["gomoku"][..], true));
    /// ```
    #[must_use]
    pub const fn about(self) -> About {
        const READ_ONLY: bool = false;
        match self {
            Format::Json => About { media_type: "application/json", ..About::text("json", &[]) },
            Format::Text => About { endings: &["text"], ..About::text("txt", &[]) },
            Format::Sgf => {
                About { media_type: "application/x-go-sgf; charset=utf-8", ..About::text("sgf", &["gomoku"]) }
            }
            Format::Pgn => About {
                media_type: "application/vnd.chess-pgn; charset=utf-8",
                ..About::text("pgn", &["xiangqi"])
            },
            Format::Pdn => About::text("pdn", &["draughts"]),
            Format::Xqf => About::bytes("xqf", &["xiangqi"]),
            Format::Dpxq => About { endings: &["ubb", "html", "htm"], ..About::text("dpxq", &["xiangqi"]) },
            Format::Wxf => About { writes: READ_ONLY, ..About::text("wxf", &["xiangqi"]) },
            Format::Cbf => About {
                media_type: "application/xml",
                writes: READ_ONLY,
                holds_many: false,
                ..About::text("cbf", &["xiangqi"])
            },
            Format::Cbr => About { writes: READ_ONLY, ..About::bytes("cbr", &["xiangqi"]) },
            Format::Cbl => About { writes: READ_ONLY, holds_many: true, ..About::bytes("cbl", &["xiangqi"]) },
            Format::Chess => About { holds_many: false, ..About::text("chess", &["xiangqi"]) },
            Format::Rows => About::board("rows"),
            Format::Numbers => About::board("numbers"),
            Format::Letters => About::board("letters"),
            Format::Locked => About {
                media_type: "application/json",
                holds_many: false,
                is_position: true,
                ..About::text("locked", &["locked"])
            },
            Format::Lib => About::bytes("lib", &["gomoku/renju"]),
            Format::Rif => About {
                media_type: "application/xml",
                endings: &["xml"],
                writes: READ_ONLY,
                ..About::text("rif", &["gomoku/renju"])
            },
            Format::Psq => About { holds_many: false, ..About::text("psq", &["gomoku"]) },
            Format::Pos => About::text("pos", &["gomoku"]),
            Format::Opening => About { writes: READ_ONLY, ..About::text("opening", &["gomoku"]) },
            Format::Fen => About { is_position: true, ..About::text("fen", &[]) },
        }
    }

    /// Returns the media type of such a file.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        self.about().media_type
    }

    /// The stable key, also the usual ending of such a file's name.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.about().key
    }

    /// The format with that key, or that file name ending, in whatever letters.
    ///
    /// ```
    /// use records::Format;
    ///
    /// assert_eq!(Format::keyed("PGN"), Some(Format::Pgn));
    /// assert_eq!(Format::keyed("ubb"), Some(Format::Dpxq), "another ending of such files");
    /// assert_eq!(Format::keyed("doc"), None);
    /// ```
    #[must_use]
    pub fn keyed(key: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.endings().any(|ending| ending.eq_ignore_ascii_case(key)))
    }

    /// The endings of such files' names, the usual one first.
    ///
    /// ```
    /// use records::Format;
    ///
    /// assert_eq!(Format::Dpxq.endings().collect::<Vec<_>>(), ["dpxq", "ubb", "html", "htm"]);
    /// ```
    pub fn endings(self) -> impl Iterator<Item = &'static str> {
        let About { key, endings, .. } = self.about();
        std::iter::once(key).chain(endings.iter().copied())
    }

    /// Returns true if records can be written in it.
    ///
    /// ```
    /// use records::Format;
    ///
    /// assert!(Format::Pgn.writes());
    /// assert!(!Format::Wxf.writes(), "read only");
    /// ```
    #[must_use]
    pub const fn writes(self) -> bool {
        self.about().writes
    }

    /// Returns true if a file may hold several games.
    #[must_use]
    pub const fn holds_many(self) -> bool {
        self.about().holds_many
    }

    /// Returns true if it holds games of that key.
    ///
    /// ```
    /// use records::Format;
    ///
    /// assert!(Format::Sgf.is_for("gomoku/standard"));
    /// assert!(!Format::Lib.is_for("gomoku/standard"), "RenLib is for renju");
    /// assert!(Format::Json.is_for("locked"));
    /// ```
    #[must_use]
    pub fn is_for(self, game: &str) -> bool {
        let family = game.split('/').next().unwrap_or(game);
        let games = self.about().games;
        games.is_empty() || games.contains(&game) || games.contains(&family)
    }

    /// The formats that a game of that key is saved in, ours first.
    ///
    /// ```
    /// use records::Format;
    ///
    /// let keys: Vec<&str> = Format::of_game("draughts/russian").into_iter().map(Format::key).collect();
    /// assert_eq!(keys, ["json", "txt", "pdn"]);
    /// ```
    #[must_use]
    pub fn of_game(game: &str) -> Vec<Format> {
        let saves = |f: &Format| *f != Format::Fen && f.writes() && f.is_for(game);
        Format::ALL.into_iter().filter(saves).collect()
    }

    /// Returns the separator between two games of a file.
    #[must_use]
    pub const fn between(self) -> &'static [u8] {
        match self {
            Format::Text | Format::Pgn | Format::Pdn => b"\n",
            _ => b"",
        }
    }

    /// Returns true if its files are text.
    pub(crate) const fn is_text(self) -> bool {
        !matches!(self, Format::Xqf | Format::Cbr | Format::Cbl | Format::Lib)
    }

    /// Returns true if it holds positions only: a record is then its start.
    ///
    /// ```
    /// use records::Format;
    ///
    /// assert!(Format::Fen.is_position());
    /// assert!(!Format::Pgn.is_position());
    /// ```
    #[must_use]
    pub const fn is_position(self) -> bool {
        self.about().is_position
    }
}

/// The options for writing a record, where a format leaves a choice.
///
/// ```
/// use records::{Format, Manner, pgn::Style, read, write_as};
///
/// let record = read(Format::Pgn, b"1. h2e2 h9g7 *")?;
/// let text = write_as(Format::Pgn, &record, Manner { pgn: Style::Wxf })?;
/// assert!(String::from_utf8_lossy(&text).contains("C2=5 H8+7"));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The notation of xiangqi's moves in PGN.
    pub pgn: pgn::Style,
}

/// Decodes a text file of any program: UTF-8 and UTF-16 by their marks, else what its bytes are most likely in, such as GB 18030 or a
/// code page of Windows.
///
/// ```
/// assert_eq!(records::decoded(&[0xc6, 0xe5, 0xb9, 0xdd]), "棋馆");
/// ```
#[must_use]
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    charset::text(bytes)
}

/// Detects the format from the first bytes of a file; `None` when it is none that we read. The beginning of a file is
/// enough.
///
/// ```
/// use records::{Format, detect};
///
/// assert_eq!(detect(b"(;GM[4]SZ[15];B[hh])"), Some(Format::Sgf));
/// assert_eq!(detect(b"h8i9j10"), Some(Format::Pos));
/// assert_eq!(detect(b"1. 32-28 19-23"), Some(Format::Pdn));
/// assert_eq!(detect(b"Dear Ann, "), None);
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    if xqf::begins_like_one(bytes) {
        return Some(Format::Xqf);
    }
    if ccbridge::is_record(bytes) {
        return Some(Format::Cbr);
    }
    if ccbridge::is_library(bytes) {
        return Some(Format::Cbl);
    }
    if renlib::begins_like_one(bytes) {
        return Some(Format::Lib);
    }
    let text = &*charset::narrow(bytes);
    let text = &*charset::with_line_feeds(text);
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text).trim_ascii_start();
    match text.first()? {
        b'{' if locked_chess::begins_like_one(text) => Some(Format::Locked),
        b'{' => Some(Format::Json),
        b'<' if dpxq::begins_like_one(text) => Some(Format::Dpxq),
        b'<' if cbf::begins_like_one(text) => Some(Format::Cbf),
        b'<' => rif::begins_like_one(text).then_some(Format::Rif),
        b'(' if chess::begins_like_one(text) => Some(Format::Chess),
        b'(' => Some(Format::Sgf),
        b'[' if dpxq::begins_like_one(text) => Some(Format::Dpxq),
        b'[' if pgn::is_told(&charset::beginning(text)) => Some(Format::Pgn),
        b'[' | b'%' if pdn::is_one(&charset::beginning(text)) => Some(Format::Pdn),
        b'[' => pgn::is_one(&charset::beginning(text)).then_some(Format::Pgn),
        _ if psq::begins_like_one(text) => Some(Format::Psq),
        _ if wxf::begins_like_one(text) => Some(Format::Wxf),
        first => match &*charset::beginning(text) {
            text if boards::form_of(text).is_some() => boards::form_of(text).map(boards::Form::format),
            text if (first.is_ascii_digit() || pdn::is_position(text)) && pdn::is_one(text) => {
                Some(Format::Pdn)
            }
            text if text::begins_like_one(text.as_bytes()) && !pgn::begins_with_position(text) => {
                Some(Format::Text)
            }
            text if pgn::has_moves(text) || pgn::spells_moves(text) => Some(Format::Pgn),
            text if text.contains("(;") => Some(Format::Sgf),
            text if pos::is_string(text) => Some(Format::Pos),
            text if pos::is_opening(text) => Some(Format::Opening),
            _ => None,
        },
    }
}

/// Reads a record, of several the first, and checks its limits. It may hold moves that no game allows; see
/// [`Record::replay`].
///
/// ```
/// use records::{Format, read};
///
/// let record = read(Format::Sgf, b"(;GM[4]SZ[15]PB[Wu]PW[Xiao];B[hh];W[ig])")?;
/// assert_eq!((record.game.as_str(), record.tree.plies()), ("gomoku/freestyle", 2));
/// assert_eq!(record.players, ["Wu", "Xiao"]);
/// assert!(read(Format::Json, b"{}").is_err());
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The problem and its place; `record-limit` and `record-not-utf8` before a format is asked.
pub fn read(format: Format, bytes: &[u8]) -> Result<Record, Problem> {
    let (record, fault) = read_partial(format, bytes)?;
    fault.map_or(Ok(record), Err)
}

/// Reads a record, but of a game with a fault keeps the part before it and returns the problem too. In PGN and PDN
/// moves are played as they are read; those of other formats are checked by [`Record::keep_possible`].
///
/// ```
/// use records::{Format, read_partial};
///
/// let (record, fault) = read_partial(Format::Pdn, b"1. 32-28 19-23 2. 28-17 *")?;
/// assert_eq!(record.tree.plies(), 2);
/// assert_eq!(fault.map(|problem| problem.key), Some("pdn-move"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The errors of [`read`], if nothing comes before the problem.
pub fn read_partial(format: Format, bytes: &[u8]) -> Result<(Record, Option<Problem>), Problem> {
    let Reading { mut record, fault, .. } = read_reading(format, bytes, "", None)?;
    if let Some(fault) = &fault {
        record.mark_cut(fault);
    }
    Ok((record, fault))
}

/// A record, and the other findings of a reading.
pub(crate) struct Reading {
    pub(crate) record: Record,
    /// The fault in the game, where the part before it was kept.
    pub(crate) fault: Option<Problem>,
    /// The encoding that was guessed.
    pub(crate) guess: Option<&'static str>,
    /// The rest of the text, where another game begins that no line announces, and the lines before it.
    pub(crate) rest: Option<(String, usize)>,
}

/// Reads a record, of the game `named` if that is not empty. `encoding`: of the file, where that is known already.
pub(crate) fn read_reading(
    format: Format,
    bytes: &[u8],
    named: &str,
    encoding: Option<&'static encoding_rs::Encoding>,
) -> Result<Reading, Problem> {
    record::within("bytes", bytes.len(), record::most_bytes(format))?;
    let lines = if format.is_text() { charset::with_line_feeds(bytes) } else { bytes.into() };
    let bytes = &*lines;
    let mut guess = None;
    let mut text = |declared: Option<&str>| {
        let known = encoding.filter(|_| std::str::from_utf8(bytes).is_err());
        let (text, guessed) = charset::text_as(bytes, declared.or(known.map(|known| known.name())));
        guess = guessed;
        text
    };
    let mut rest = None;
    let (record, fault) = match format {
        Format::Json => (json::read(utf8(bytes)?)?, None),
        Format::Text => (text::read(utf8(bytes)?)?, None),
        Format::Sgf => sgf::read_part(&text(sgf::declared(bytes)), named, true)?,
        Format::Pgn | Format::Wxf => {
            let text = text(None);
            let part = match format {
                Format::Pgn => pgn::read_part(&text, true)?,
                _ => wxf::read_part(&text, true)?,
            };
            rest = part.rest.map(|at| {
                let plain = pgn::plain(&text);
                (plain[at..].to_owned(), plain[..at].matches('\n').count())
            });
            (part.record, part.fault)
        }
        Format::Pdn => pdn::read_partial(bytes, named)?,
        Format::Xqf => {
            let (record, fault, guessed) = xqf::read_part(bytes)?;
            guess = guessed;
            (record, fault)
        }
        Format::Dpxq => dpxq::read_part(&text(None))?,
        Format::Cbf => cbf::read_part(&text(cbf::declared(bytes)))?,
        Format::Cbr => ccbridge::read_part(bytes)?,
        Format::Cbl => (ccbridge::read_first(bytes)?, None),
        Format::Chess => (chess::read(utf8(bytes)?)?, None),
        Format::Rows => (boards::read(boards::Form::Rows, utf8(bytes)?)?, None),
        Format::Numbers => (boards::read(boards::Form::Numbers, utf8(bytes)?)?, None),
        Format::Letters => (boards::read(boards::Form::Letters, utf8(bytes)?)?, None),
        Format::Locked => (locked_chess::read(utf8(bytes)?)?, None),
        Format::Psq => (psq::read(&text(None))?, None),
        Format::Lib => {
            let (record, fault, guessed) = renlib::read_part(bytes)?;
            guess = guessed;
            (record, fault)
        }
        Format::Rif => rif::read_part(bytes)?,
        Format::Pos => (pos::read(utf8(bytes)?)?, None),
        Format::Opening => (pos::read_opening(utf8(bytes)?)?, None),
        Format::Fen => return Err(Problem::new("record-fen-alone")),
    };
    let mut record = record;
    if record.game != named && is_another_of_its_kind(&record, named, format) {
        named.clone_into(&mut record.game);
    }
    record.check()?;
    Ok(Reading { record, fault, guess, rest })
}

/// Tells whether a file that says nothing of its rule holds the game that the user named: one of the same family.
fn is_another_of_its_kind(record: &Record, named: &str, format: Format) -> bool {
    let says_nothing =
        matches!(format, Format::Psq | Format::Lib | Format::Pos | Format::Opening | Format::Rif);
    let family = |key: &str| key.split('/').next().unwrap_or_default().to_owned();
    says_nothing && !named.is_empty() && family(named) == family(&record.game)
}

/// The text of a file in UTF-8, without the mark that some editors put before it.
fn utf8(bytes: &[u8]) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| Problem::new("record-not-utf8").with("byte", e.valid_up_to() + 1))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Writes a record within its limits, in the usual manner; see [`write_as`].
///
/// From one format to another:
///
/// ```
/// use records::{Format, read, write};
///
/// let record = read(Format::Sgf, b"(;GM[4]SZ[15];B[hh];W[ig])")?;
/// assert_eq!(write(Format::Pos, &record)?, b"h8i9\n");
/// assert_eq!(write(Format::Wxf, &record).unwrap_err().key, "record-read-only");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The errors of [`write_as`].
pub fn write(format: Format, record: &Record) -> Result<Vec<u8>, Problem> {
    write_as(format, record, Manner::default())
}

/// Writes a record within its limits. Parts that the format has no place for are left out; each module lists them.
///
/// ```
/// use records::{Format, Manner, pgn::Style, read, write_as};
///
/// let record = read(Format::Pgn, b"1. h2e2 h9g7 *")?;
/// let text = write_as(Format::Pgn, &record, Manner { pgn: Style::Iccs })?;
/// assert!(String::from_utf8_lossy(&text).contains("H2-E2 H9-G7"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `record-limit` and the like when the record breaks a limit, `record-read-only`, and what this format cannot say at
/// all.
pub fn write_as(format: Format, record: &Record, manner: Manner) -> Result<Vec<u8>, Problem> {
    record.check()?;
    Ok(match format {
        Format::Json => json::write(record).into_bytes(),
        Format::Text => text::write(record).into_bytes(),
        Format::Sgf => sgf::write(openings::stones_only(record)?.as_ref())?.into_bytes(),
        Format::Pgn => pgn::write(record, manner.pgn)?.into_bytes(),
        Format::Pdn => pdn::write(record)?.into_bytes(),
        Format::Rows => boards::write(boards::Form::Rows, record)?.into_bytes(),
        Format::Numbers => boards::write(boards::Form::Numbers, record)?.into_bytes(),
        Format::Letters => boards::write(boards::Form::Letters, record)?.into_bytes(),
        Format::Locked => locked_chess::write(record)?.into_bytes(),
        Format::Fen => {
            let start = record.start.as_deref().ok_or_else(|| Problem::new("record-no-start"))?;
            format!("{}\n", text::one_line(start)).into_bytes()
        }
        Format::Psq => psq::write(openings::stones_only(record)?.as_ref())?.into_bytes(),
        Format::Lib => renlib::write(openings::stones_only(record)?.as_ref())?,
        Format::Pos => pos::write(openings::stones_only(record)?.as_ref())?.into_bytes(),
        Format::Chess => chess::write(record)?.into_bytes(),
        Format::Xqf => xqf::write(record)?,
        Format::Dpxq => dpxq::write(record)?.into_bytes(),
        Format::Wxf | Format::Cbf | Format::Cbr | Format::Cbl | Format::Opening | Format::Rif => {
            return Err(Problem::new("record-read-only").with("format", format.key()));
        }
    })
}
