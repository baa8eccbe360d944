//! Navigation along a line of moves: forwards by playing, backwards by snapshots, or again from the start.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use jingbanqi::extension::{About, Detail, Details, Fault, Scene, Start};
use jingbanqi::live::Live;
use jingbanqi::{Map, Move, Rulebook};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyDict, PyStr};
use rustpython_vm::class::StaticType;
use rustpython_vm::{AsObject as _, PyObjectRef, PyRef, VirtualMachine};

use super::game::{Asker, Extension, Game, Trouble, seat};
use super::memory::Snapshot;
use super::objects::Jbq;
use super::quick::Speed;
use super::watch::{Hook, Watch};
use super::{library, python, queries, source};
use crate::message::{MOST_MOVES, Reply, Want};

/// The most plies that can be taken back without replaying the game; it bounds the memory for snapshots.
const MOST_SNAPSHOTS: usize = 512;
/// The longest text of an attribute or a rule in details; all pieces together have a few megabytes.
const MOST_DETAIL_BYTES: usize = 4 << 20;

/// The most calls of a traceback that are told.
const MOST_TRACE: usize = 32;

/// A worker's table: the rules, the files, and the game.
pub(crate) struct Table<'a> {
    pub(crate) vm: &'a VirtualMachine,
    watch: Watch,
    /// Prints and tracebacks are told.
    pub(super) tells: bool,
    book: Option<Arc<Rulebook>>,
    /// The seed of random numbers.
    seed: u128,
    /// The number of plies after which random numbers begin again, and their seed.
    later: Option<(u32, u128)>,
    files: Vec<String>,
    texts: Vec<String>,
    /// The extensions that were loaded and have not played yet.
    fresh: Option<(Vec<Extension>, PyObjectRef)>,
    start: Option<Start>,
    game: Option<Rc<Game>>,
    line: Vec<Move>,
    /// The snapshots by number of plies, where one was taken.
    snapshots: Vec<Option<Snapshot>>,
    /// Set if the game differs from its line: a request changed it in a way that cannot be undone.
    tainted: bool,
}

impl<'a> Table<'a> {
    pub(crate) fn new(vm: &'a VirtualMachine, watch: Watch) -> Self {
        Table {
            vm,
            watch,
            tells: false,
            book: None,
            seed: 0,
            later: None,
            files: Vec::new(),
            texts: Vec::new(),
            fresh: None,
            start: None,
            game: None,
            line: Vec::new(),
            snapshots: Vec::new(),
            tainted: false,
        }
    }

    /// Reads the rules and runs the files once. `rules`: whether old names are known, and what random numbers begin with.
    pub(crate) fn load(&mut self, map: Map, rules: (bool, u128), sources: Vec<(String, Vec<u8>)>) -> Reply {
        self.book = Some(Arc::new(Rulebook::new(map, rules.0)));
        self.seed = rules.1;
        self.files.clear();
        self.texts.clear();
        for (file, bytes) in sources {
            match String::from_utf8(bytes) {
                Ok(text) => {
                    self.files.push(file);
                    self.texts.push(source::lines(&text));
                }
                Err(error) => {
                    let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                    let line = valid.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
                    let error = "UnicodeDecodeError: the file is not UTF-8".to_owned();
                    return Reply::Refused(Fault { file, hook: "load".to_owned(), line: Some(line), error });
                }
            }
        }
        match self.run_files() {
            Ok((extensions, jbq)) => {
                let about =
                    self.files.iter().zip(&extensions).enumerate().map(|(number, (file, extension))| {
                        // What it says of itself may be its own code's word.
                        self.watch.enter(number, Hook::Load);
                        let about = self.about(file, extension);
                        self.watch.leave();
                        about
                    });
                let about = about.collect();
                self.fresh = Some((extensions, jbq));
                Reply::Loaded(about)
            }
            Err(fault) => Reply::Refused(fault),
        }
    }

    /// Runs every file once, from the first line.
    fn run_files(&self) -> Result<(Vec<Extension>, PyObjectRef), Fault> {
        seat(None);
        library::begin(self.seed);
        self.watch.know(self.files.clone(), Vec::new());
        self.watch.ply(0);
        let vm = self.vm;
        let second = self.book.as_ref().is_some_and(|book| book.map().level2.is_some());
        let class = if second { queries::class(vm) } else { Jbq::static_type().to_owned() };
        let jbq = PyRef::new_ref(Jbq, class, Some(vm.ctx.new_dict()));
        let jbq: PyObjectRef = jbq.into();
        let mut extensions = Vec::new();
        for (number, (file, text)) in self.files.iter().zip(&self.texts).enumerate() {
            super::crumb(&self.watch, number, Hook::Load, &[]);
            self.watch.enter(number, Hook::Load);
            python::follow(vm, Some((&self.watch, &self.files)));
            let ran = python::run(vm, file, text, &jbq, second);
            python::follow(vm, None);
            // What was raised is written down by its own code, which may take as long.
            let ran = ran.map_err(|(line, exception)| (line, python::said(vm, &exception), exception));
            if let Err((_, error, exception)) = &ran {
                self.tell_trace(exception, error);
            }
            self.watch.leave();
            let (globals, locals, codes) = ran.map_err(|(line, error, exception)| {
                let at = line.or_else(|| python::raised_at(&exception, &self.files).map(|(_, line)| line));
                Fault { file: file.clone(), hook: "load".to_owned(), line: at, error }
            })?;
            let extension = members(vm, globals, locals, codes, second).map_err(|(name, error)| Fault {
                file: file.clone(),
                hook: "load".to_owned(),
                line: Some(line_of(text, name)),
                error,
            })?;
            extensions.push(extension);
        }
        Ok((extensions, jbq))
    }

    fn about(&self, file: &str, extension: &Extension) -> About {
        let vm = self.vm;
        let text = |name: &str| -> Option<String> {
            let value = extension.locals.get_item_opt(name, vm).ok()??;
            Some(value.str(vm).ok()?.to_string_lossy().into_owned())
        };
        About {
            file: file.to_owned(),
            name: text("EX_NAME").unwrap_or_default(),
            version: text("EX_VERSION"),
            help: text("HELP").map(|help| help.trim().to_owned()).filter(|help| !help.is_empty()),
            places: places(extension),
        }
    }

    pub(crate) fn begin(&mut self, start: Start, seed: u128) -> Reply {
        if seed != self.seed {
            // What was loaded may have drawn already.
            self.fresh = None;
            self.seed = seed;
        }
        self.start = Some(start);
        self.later = None;
        self.fresh_game().map_or_else(|fault| self.failed(fault), |()| Reply::Begun)
    }

    /// Makes later requests play in that world. The caller must keep no ply that is later than the branch of either
    /// world.
    pub(crate) fn in_world(&mut self, later: Option<(u32, u128)>) {
        self.later = later;
    }

    pub(super) fn failed(&self, fault: Fault) -> Reply {
        Reply::Fault { fault, stands: self.line.len() as u32, fatal: false }
    }

    /// A game at its start, with files just run: the ones that were loaded, or again.
    fn fresh_game(&mut self) -> Result<(), Fault> {
        let (extensions, jbq) = match self.fresh.take() {
            Some(fresh) => fresh,
            None => self.run_files()?,
        };
        let (Some(book), Some(start)) = (&self.book, &self.start) else {
            return Err(self.mistake("nothing was loaded"));
        };
        let mut met = HashSet::new();
        let names = extensions.iter().flat_map(places).filter(|name| met.insert(name.clone()));
        let names: Vec<String> = names.collect();
        self.watch.know(self.files.clone(), names.clone());
        let live = Live::new(Arc::clone(book), names, start);
        let sources: Vec<_> = self.files.iter().cloned().zip(self.texts.iter().cloned()).collect();
        let speed = Speed::new(&sources, &extensions, &jbq, self.vm);
        let game = Rc::new(Game::new(live, extensions, jbq, self.watch.clone(), speed, self.vm));
        seat(Some(Rc::clone(&game)));
        self.line.clear();
        self.snapshots.clear();
        self.snapshots.push(Some(Snapshot::take(&game, self.vm)));
        self.game = Some(game);
        self.tainted = false;
        Ok(())
    }

    pub(super) fn mistake(&self, error: &str) -> Fault {
        let file = self.files.first().cloned().unwrap_or_default();
        Fault { file, hook: "load".to_owned(), line: None, error: error.to_owned() }
    }

    /// Tells an author the calls that led to an exception, as Python does.
    fn tell_trace(&self, exception: &PyBaseExceptionRef, error: &str) {
        if !self.tells {
            return;
        }
        let calls = python::trace(exception, MOST_TRACE, &self.sources());
        let calls = calls.iter().map(|call| format!("  {call}\n")).collect::<String>();
        library::tell(&format!("Traceback (most recent call last):\n{calls}{error}\n"));
    }

    /// Converts the trouble of a call into a fault.
    pub(crate) fn fault(&self, trouble: &Trouble) -> Fault {
        let names = self.game.as_ref().map(|game| game.live.names().asked()).unwrap_or_default();
        let at = python::raised_at(&trouble.exception, &self.files);
        let file = at.map_or(trouble.file, |(file, _)| file);
        // What was raised is written down by its own code, within the limit of a call.
        self.watch.enter(trouble.file, trouble.hook);
        let error = python::said(self.vm, &trouble.exception);
        self.watch.leave();
        self.tell_trace(&trouble.exception, &error);
        // What a call gave back is looked at after it has ended: the line where it begins is the nearest there is.
        let line = at.map(|(_, line)| line).or_else(|| self.begins(trouble));
        Fault {
            file: self.files.get(file).cloned().unwrap_or_default(),
            hook: trouble.hook.name(names),
            line,
            error,
        }
    }

    /// The first line of the function that was asked.
    fn begins(&self, trouble: &Trouble) -> Option<u32> {
        let game = self.game.as_ref()?;
        let extension = game.extensions.get(trouble.file)?;
        let function = match trouble.hook {
            Hook::Load => return None,
            Hook::CheckCanGo => extension.check_can_go.clone()?,
            Hook::AfterMove => extension.after_move.clone()?,
            Hook::Choices => extension.choices.clone()?,
            Hook::MayDrop => extension.may_drop.clone()?,
            Hook::Score => extension.score.clone()?,
            Hook::Place(place) => {
                let name = game.live.names().asked().get(usize::from(place))?;
                extension.places.as_ref()?.get_item_opt(name.as_str(), self.vm).ok()??
            }
        };
        python::begins(&function, self.vm)
    }

    /// Goes to a line: the first `keep` moves of the present line, then `moves`.
    pub(super) fn go(&mut self, keep: usize, moves: &[Move]) -> Result<(), Fault> {
        let keep = keep.min(self.line.len());
        if keep < self.line.len() || self.tainted {
            self.back_to(keep)?;
        }
        moves.iter().try_for_each(|&m| self.play(m))
    }

    /// Goes back to the first plies of the line: by a snapshot, or by replaying them.
    fn back_to(&mut self, plies: usize) -> Result<(), Fault> {
        let game = self.game.clone().ok_or_else(|| self.mistake("no game has begun"))?;
        let saved = self.snapshots.get(plies).and_then(Option::as_ref);
        if saved.and_then(|snapshot| snapshot.put_back(&game, self.vm)).is_some() {
            self.line.truncate(plies);
            self.snapshots.truncate(plies + 1);
            self.tainted = false;
            return Ok(());
        }
        let again: Vec<Move> = self.line[..plies].to_vec();
        self.fresh_game()?;
        again.into_iter().try_for_each(|m| self.play(m))
    }

    /// Plays a ply. If it fails it has not happened.
    fn play(&mut self, m: Move) -> Result<(), Fault> {
        let game = self.game.clone().ok_or_else(|| self.mistake("no game has begun"))?;
        let plies = self.line.len();
        self.watch.ply(plies);
        let map = game.live.book().map();
        let on_board = usize::from(m.from) < map.squares() && usize::from(m.to) < map.squares();
        let stands = match game.live.is_second() {
            true if m.is_pressed() => on_board,
            true if m.is_drop() => on_board && usize::from(m.pick) <= map.kinds.len(),
            _ => {
                let is_kind = |kind: u16| (1..=map.kinds.len()).contains(&usize::from(kind));
                on_board && game.live.at(m.from).is_some() && m.turned().is_none_or(is_kind)
            }
        };
        if !stands {
            return Err(self.mistake("no such move"));
        }
        if let Some((from, seed)) = self.later
            && plies == from as usize
        {
            library::begin_chance_again(seed);
        }
        if let Err(trouble) = (Asker { game: &game, vm: self.vm }).play(m) {
            let fault = self.fault(&trouble);
            self.tainted = true;
            self.back_to(plies)?;
            return Err(fault);
        }
        self.line.push(m);
        self.snapshots.push(Some(Snapshot::take(&game, self.vm)).filter(Snapshot::is_whole));
        if self.snapshots.len() > MOST_SNAPSHOTS {
            let old = self.snapshots.len() - MOST_SNAPSHOTS;
            self.snapshots[old] = None;
        }
        Ok(())
    }

    pub(crate) fn ask(&mut self, keep: usize, moves: &[Move], want: Want, crumbs: bool) -> Reply {
        let Some(game) = self.game.clone() else { return self.failed(self.mistake("no game has begun")) };
        game.crumbs.set(crumbs);
        if crumbs {
            // From now on: this worker answers nothing else but why it ends.
            python::follow(self.vm, Some((&self.watch, &self.files)));
        }
        let gone = self.go(keep, moves);
        if let Err(fault) = gone {
            python::follow(self.vm, None);
            return self.failed(fault);
        }
        let Some(game) = self.game.clone() else { return self.failed(self.mistake("no game has begun")) };
        game.crumbs.set(crumbs);
        self.watch.ply(self.line.len());
        let (reply, back) = match want {
            Want::Scene => {
                let (reply, back) = self.scene(&game);
                (reply, Some(back))
            }
            Want::Board => (Reply::Scene(game.live.scene(Vec::new())), None),
            Want::Details => (self.details(&game), None),
        };
        if crumbs {
            python::follow(self.vm, None);
        }
        // Telling leaves no trace, whatever extensions do when they are asked: a line of moves is all that counts.
        self.tainted = !back.unwrap_or_else(|| self.put_back_last(&game));
        reply
    }

    /// The game and the interpreter, to play on from the line.
    pub(super) fn playing(&self) -> Option<(Rc<Game>, &'a VirtualMachine)> {
        Some((self.game.clone()?, self.vm))
    }

    /// Notes that a ply after the line begins.
    pub(super) fn begin_ply(&self) {
        self.watch.ply(self.line.len());
    }

    /// Makes the game as the last ply of the line left it, now or with the next request.
    pub(super) fn leave_no_trace(&mut self, game: &Game) {
        self.tainted = !self.put_back_last(game);
    }

    /// Makes the game as the last ply left it; false: something in it cannot be put back.
    fn put_back_last(&self, game: &Game) -> bool {
        let saved = self.snapshots.last().and_then(Option::as_ref);
        saved.and_then(|snapshot| snapshot.put_back(game, self.vm)).is_some()
    }

    /// Returns the state of the game, and whether the game is again as the last ply left it.
    fn scene(&self, game: &Game) -> (Reply, bool) {
        let before = game.live.end();
        let listed = game.live.moves(&Asker { game, vm: self.vm });
        // An extension may end the game while it is asked, as in the original. Any other effect is undone:
        // the number of times that it is asked is not fixed.
        let end = game.live.end();
        let fault = listed.as_ref().err().map(|trouble| self.fault(trouble));
        let draws = library::drawn();
        let back = self.put_back_last(game);
        let listed = listed.map(|mut moves| {
            let plays = |m: &Move| m.is_pressed() || m.is_drop() || game.live.at(m.from).is_some();
            moves.retain(|m| end.is_none() && plays(m));
            moves
        });
        let scene = match listed {
            Ok(moves) if moves.len() > MOST_MOVES => {
                let fault = self.mistake("TooLarge: too many moves");
                Scene { fault: Some(fault), ..game.live.scene(Vec::new()) }
            }
            Ok(moves) => {
                let mut scene = game.live.scene(moves);
                scene.end = before.or(end);
                scene.draws = draws;
                scene
            }
            // The board is as the last ply left it; the game cannot go on.
            Err(_) => Scene { fault, ..game.live.scene(Vec::new()) },
        };
        (Reply::Scene(scene), back)
    }

    fn details(&self, game: &Game) -> Reply {
        let details = match game.live.details(&Asker { game, vm: self.vm }) {
            Ok(details) => details,
            Err(trouble) => return self.failed(self.fault(&trouble)),
        };
        let mut bytes = 0;
        let pieces = details.pieces.into_iter().map(|detail| {
            let mut text = |text: String| {
                bytes += text.len();
                if bytes > MOST_DETAIL_BYTES { String::new() } else { text }
            };
            let rules = [detail.rule, detail.promotes, detail.promoted].map(&mut text);
            let [rule, promotes, promoted] = rules;
            let attributes = detail.attributes.into_iter().map(|(name, value)| (text(name), text(value)));
            let attributes = attributes.collect();
            Detail { at: detail.at, now: detail.now, rule, promotes, promoted, attributes }
        });
        Reply::Details(Details { pieces: pieces.collect(), checks: details.checks })
    }

    /// Follows the lines that are run, or no longer.
    pub(crate) fn follow(&self, on: bool) {
        python::follow(self.vm, on.then_some((&self.watch, &self.files[..])));
    }

    /// Allows or forbids running plain functions without the interpreter.
    pub(crate) fn hurry(&self, quick: bool) {
        if let Some(game) = &self.game {
            game.speed.on.set(quick);
        }
    }

    /// Returns the game at its start again: by a snapshot, or with files just run where something cannot be saved.
    pub(crate) fn again(&mut self) -> Result<Rc<Game>, Fault> {
        if let (Some(game), Some(Some(start))) = (&self.game, self.snapshots.first())
            && start.put_back(game, self.vm).is_some()
        {
            return Ok(Rc::clone(game));
        }
        self.fresh_game()?;
        self.game.clone().ok_or_else(|| self.mistake("no game has begun"))
    }

    /// Each file's name and text.
    pub(crate) fn sources(&self) -> Vec<(&str, &str)> {
        self.files.iter().map(String::as_str).zip(self.texts.iter().map(String::as_str)).collect()
    }

    /// Returns the game, its first snapshot and the interpreter, to play it in another way.
    pub(crate) fn seated(&self) -> Option<(Rc<Game>, &Snapshot, &VirtualMachine)> {
        let start = self.snapshots.first()?.as_ref()?;
        Some((self.game.clone()?, start, self.vm))
    }
}

/// The line on which a file gives that name a value, or else the first.
fn line_of(text: &str, name: &str) -> u32 {
    let gives = |line: &str| {
        let rest = line.trim_start().strip_prefix(name).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['=', ':']))
    };
    text.lines().position(gives).map_or(1, |at| at as u32 + 1)
}

/// The members of a file that mean something.
fn members(
    vm: &VirtualMachine,
    globals: rustpython_vm::builtins::PyDictRef,
    locals: rustpython_vm::builtins::PyDictRef,
    codes: Vec<PyObjectRef>,
    is_second: bool,
) -> Result<Extension, (&'static str, String)> {
    let member = |name: &str| {
        let value = locals.get_item_opt(name, vm).ok().flatten();
        value.filter(|value| !vm.is_none(value))
    };
    if member("EX_NAME").is_none() {
        return Err(("EX_NAME", "KeyError: 'EX_NAME'".to_owned()));
    }
    let places = match member("loc_rules") {
        None => None,
        Some(rules) => match rules.downcast::<PyDict>() {
            Ok(rules) => Some(rules),
            Err(other) => {
                let class = other.class().name().to_owned();
                return Err(("loc_rules", format!("TypeError: loc_rules is '{class}', not a dictionary")));
            }
        },
    };
    let more: &[&'static str] = if is_second { &["choices", "may_drop", "score"] } else { &[] };
    for &name in ["check_can_go", "after_move"].iter().chain(more) {
        if let Some(other) = member(name).filter(|member| !member.is_callable()) {
            let class = other.class().name().to_owned();
            return Err((name, format!("TypeError: {name} is '{class}', not a function")));
        }
    }
    let second = |name: &'static str| member(name).filter(|_| is_second);
    Ok(Extension {
        choices: second("choices"),
        may_drop: second("may_drop"),
        score: second("score"),
        check_can_go: member("check_can_go"),
        after_move: member("after_move"),
        places,
        globals,
        locals,
        codes: Rc::new(codes),
    })
}

/// The names of the places that an extension supplies.
fn places(extension: &Extension) -> Vec<String> {
    let keys = extension.places.iter().flat_map(|places| places.keys_vec());
    keys.filter_map(|key| Some(key.downcast_ref::<PyStr>()?.to_string_lossy().into_owned()))
        .take(1024)
        .collect()
}
