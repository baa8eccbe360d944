//! The command `qiguan convert`: records and positions from one format to another.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use kernel::Problem;
use records::{Format, Games, Manner, Record, Tree};
use texts::Language;

use crate::args::Convert;
use crate::fresh::Fresh;
use crate::out::note;

/// The bytes of a file that are read to detect its format.
const BEGINNING: usize = 64 << 10;

pub fn run(wish: &Convert, language: Language) -> Result<(), String> {
    let said = |p: Problem| texts::problem(language, &p);
    let say = |key, args: &[(&str, &str)]| texts::say(language, key, args);
    let (input, output) = (path(wish.input.as_ref()), path(wish.output.as_ref()));
    if let (Some(from), Some(to)) = (input, output)
        && same_file(from, to)
    {
        return Err(say("cli-convert-same", &[("file", &to.display().to_string())]));
    }
    let (mut source, bar) = open(input).map_err(|why| unreadable(input, &why))?;
    let from = match wish.from {
        Some(format) => format,
        None => guess(&mut source, input)
            .map_err(|why| unreadable(input, &why))?
            .ok_or_else(|| say("cli-convert-unknown", &[]))?,
    };
    let game = wish.game.as_deref().map(catalog::named).transpose().map_err(said)?;
    let mut sink = Sink { output, to: wish.to, force: wish.force.force, open: None };
    let (mut read, mut failed, mut cut) = (0_u64, 0_u64, 0_u64);
    let mut lost: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut games = Games::new(from, source).of(game.map_or("", |entry| entry.key)).keeping();
    while let Some(game) = games.next() {
        read += 1;
        for note in games.notes() {
            bar.suspend(|| note!("{}", said(note)));
        }
        if let Some(doubt) = games.doubt() {
            bar.suspend(|| {
                let number = read.to_string();
                note!("{}", say("cli-convert-game", &[("number", &number), ("problem", &said(doubt))]));
            });
        }
        let mut fault = games.fault();
        let bytes = game.and_then(|mut record| {
            let more = possible(&mut record, from)?;
            fault = fault.take().or(more);
            text_of(record, from, wish)
        });
        if let Some(problem) = fault {
            cut += 1;
            let why = said(problem);
            bar.suspend(|| {
                let number = read.to_string();
                note!("{}", say("cli-convert-kept", &[("number", &number), ("problem", &why)]));
            });
        }
        match bytes {
            Ok((bytes, parts)) => {
                parts.into_iter().for_each(|part| *lost.entry(part).or_default() += 1);
                sink.write(&bytes, language)?;
            }
            Err(problem) => {
                failed += 1;
                let why = said(problem);
                bar.suspend(|| {
                    let number = read.to_string();
                    note!("{}", say("cli-convert-game", &[("number", &number), ("problem", &why)]));
                });
            }
        }
    }
    bar.finish_and_clear();
    sink.finish(language)?;
    if let Some(encoding) = games.guessed() {
        note!("{}", say("cli-convert-guessed", &[("encoding", encoding)]));
    }
    let parts: Vec<String> = lost
        .iter()
        .map(|(part, games)| {
            format!("{} ({games})", texts::say(language, &format!("record-part-{part}"), &[]))
        })
        .collect();
    let (format, parts) = (wish.to.key(), parts.join(", "));
    let left_out = || say("cli-convert-lost", &[("format", format), ("parts", &parts)]);
    if !lost.is_empty() && (failed > 0 || cut > 0) {
        note!("{}", left_out());
    }
    match (read, failed) {
        (0, _) => Err(say("cli-convert-nothing", &[])),
        (_, 0) if cut > 0 => {
            Err(say("cli-convert-cut", &[("cut", &cut.to_string()), ("read", &read.to_string())]))
        }
        (_, 0) if !lost.is_empty() => Err(left_out()),
        (_, 0) => Ok(()),
        // It was told where it stands.
        (1, _) => Err(String::new()),
        _ => Err(say("cli-convert-failed", &[("failed", &failed.to_string()), ("read", &read.to_string())])),
    }
}

/// Returns the path, or `None` for standard input and output.
fn path(name: Option<&PathBuf>) -> Option<&Path> {
    name.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
}

fn same_file(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(one).is_some_and(|one| whole(other) == Some(one))
}

fn unreadable(path: Option<&Path>, why: &std::io::Error) -> String {
    path.map_or_else(|| why.to_string(), |path| crate::out::at(path.display(), why))
}

/// Opens the input, with a progress bar when it is a file and standard error is a terminal.
fn open(input: Option<&Path>) -> std::io::Result<(Box<dyn BufRead>, ProgressBar)> {
    let Some(path) = input else { return Ok((Box::new(BufReader::new(stdin())), ProgressBar::hidden())) };
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    let bar = if stderr().is_terminal() {
        let style = ProgressStyle::with_template("{wide_bar} {bytes} / {total_bytes}  {eta}");
        ProgressBar::new(file.metadata()?.len()).with_style(style.expect("the template is well formed"))
    } else {
        ProgressBar::hidden()
    };
    Ok((Box::new(BufReader::with_capacity(BEGINNING, bar.wrap_read(file))), bar))
}

/// Returns the format that the content suggests; else the one of the file's name.
fn guess(source: &mut Box<dyn BufRead>, input: Option<&Path>) -> std::io::Result<Option<Format>> {
    let seen = records::detect(source.fill_buf()?);
    Ok(seen.or_else(|| Format::keyed(input?.extension()?.to_str()?)))
}

/// Keeps the legal part of a record whose moves were not played when it was read; returns the problem at which it was
/// cut. A game that cannot be opened here, for want of its map, stays as it is.
fn possible(record: &mut Record, from: Format) -> Result<Option<Problem>, Problem> {
    if matches!(from, Format::Pgn | Format::Pdn | Format::Wxf) || from.is_position() {
        return Ok(None);
    }
    let Ok(entry) = catalog::find(&record.game) else { return Ok(None) };
    let opened = entry.settle(&record.options, catalog::Setting::Faithful).and_then(|options| {
        let map = crate::extensions::map_of(record, &options)?;
        entry.open(map.as_ref(), &options, record.start.as_deref())
    });
    match opened {
        Ok(game) => record.keep_possible(game),
        Err(_) => Ok(None),
    }
}

/// Returns the record in the other format, and the parts of it that the format does not hold. Position formats get
/// the last position of the main line, which is all that is asked for.
fn text_of(
    mut record: Record,
    from: Format,
    wish: &Convert,
) -> Result<(Vec<u8>, Vec<&'static str>), Problem> {
    if wish.to.is_position() || from.is_position() {
        let entry = catalog::find(&record.game)?;
        let options = entry.settle(&record.options, catalog::Setting::Faithful)?;
        let map = crate::extensions::map_of(&record, &options)?;
        let game = record.replay(entry.open(map.as_ref(), &options, record.start.as_deref())?)?;
        record.start = Some(game.fen());
        record.tree = Tree::default();
    }
    let bytes = records::write_as(wish.to, &record, Manner { pgn: wish.notation })?;
    let is_complete = matches!(wish.to, Format::Json | Format::Text);
    let lost = if is_complete || wish.to.is_position() || from.is_position() {
        Vec::new()
    } else {
        records::lost(wish.to, &record, &bytes)?
    };
    Ok((bytes, lost))
}

/// The output. It is opened with the first game, so that a wrong input does not destroy an existing file.
struct Sink<'a> {
    output: Option<&'a Path>,
    to: Format,
    force: bool,
    open: Option<Out>,
}

/// A file that takes its place when it is whole, or standard output.
enum Out {
    File(Fresh),
    Standard(BufWriter<std::io::Stdout>),
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Out::File(file) => file.write(bytes),
            Out::Standard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Out::File(file) => file.flush(),
            Out::Standard(out) => out.flush(),
        }
    }
}

impl Sink<'_> {
    fn write(&mut self, bytes: &[u8], language: Language) -> Result<(), String> {
        let said = |problem: Problem| texts::problem(language, &problem);
        let written = match &mut self.open {
            Some(_) if !self.to.holds_many() => {
                return Err(texts::say(language, "cli-convert-one", &[("format", self.to.key())]));
            }
            Some(sink) => sink.write_all(self.to.between()).and_then(|()| sink.write_all(bytes)),
            None => {
                let sink = match self.output {
                    Some(path) => Out::File(Fresh::create(path, self.force).map_err(said)?),
                    None => Out::Standard(BufWriter::new(stdout())),
                };
                self.open.insert(sink).write_all(bytes)
            }
        };
        self.said(written)
    }

    fn finish(&mut self, language: Language) -> Result<(), String> {
        match self.open.take() {
            Some(Out::File(file)) => file.finish().map_err(|problem| texts::problem(language, &problem)),
            Some(Out::Standard(mut out)) => {
                crate::out::written(out.flush());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Returns the sentence about a failed write; a failure of standard output ends the program instead.
    fn said(&self, done: std::io::Result<()>) -> Result<(), String> {
        if self.output.is_none() {
            crate::out::written(done);
            return Ok(());
        }
        done.map_err(|why| unreadable(self.output, &why))
    }
}
