//! A game with a worker that may sleep and be replaced: a pure function of its line of moves.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::time::Instant;

use jingbanqi::extension::{
    About, Details, Extensions, Fault, Plan, Rehearsal, Scene, Seen, Session, Source, Start, WalkPlan,
    Walked, World,
};
use jingbanqi::{Map, Move, Rulebook, Standing};
use kernel::{Problem, Side};

use crate::check;
use crate::guest::{Death, Guest, KILLED};
use crate::message::{Reply, Request, Want};
use crate::pool::{Permit, Pool, said};

/// The number of plies whose time a rehearsal may take: it ends by itself after four seconds of CPU time.
const REHEARSAL: usize = 4;

/// Extensions that were loaded once; every game loads them again, in a worker of its own.
#[derive(Debug)]
pub(crate) struct Loaded {
    pool: Arc<Pool>,
    book: Arc<Rulebook>,
    sources: Arc<[Source]>,
    about: Vec<About>,
    /// The oddities of their texts.
    warnings: Arc<[Problem]>,
    /// True when a file names the module of random numbers: without that nothing is left to chance.
    chance: bool,
    /// FNV-1a, 64 bits, of their names and texts.
    print: u64,
    /// The worker that loaded them, for the first game.
    spare: Mutex<Option<(Guest, Permit, Instant)>>,
}

impl Loaded {
    pub(crate) fn new(
        pool: Arc<Pool>,
        book: Arc<Rulebook>,
        sources: Arc<[Source]>,
        (about, warnings): (Vec<About>, Arc<[Problem]>),
        spare: Option<(Guest, Permit, Instant)>,
    ) -> Loaded {
        let names = |source: &Source| source.bytes.windows(RANDOM.len()).any(|word| word == RANDOM);
        let chance = sources.iter().any(names);
        let bytes = sources.iter().flat_map(|source| source.file.bytes().chain(source.bytes.iter().copied()));
        let print = bytes
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Loaded { pool, book, sources, about, warnings, chance, print, spare: Mutex::new(spare) }
    }

    fn seat(&self, start: Start) -> Arc<Seat> {
        let spare = self.spare.lock().expect("nobody panics with it").take();
        let awake = spare.map(|(guest, permit, _)| Worker::new(guest, permit));
        Seat::new(&self.pool, &self.book, &self.sources, start, awake)
    }
}

/// The name of the module of random numbers.
const RANDOM: &[u8] = b"random";

/// The most failures of one game that are remembered.
const MOST_FAILED: usize = 32;

impl Extensions for Loaded {
    fn about(&self) -> &[About] {
        &self.about
    }

    fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    fn rehearse(&self, plan: Plan) -> Result<Rehearsal, Fault> {
        let failed = |error: String| {
            let file = self.sources.first().map(|source| source.file.clone()).unwrap_or_default();
            Fault { file, hook: "load".to_owned(), line: None, error }
        };
        let play = |follow: bool| -> Result<Rehearsal, Fault> {
            let spare = self.spare.lock().expect("nobody panics with it").take();
            let (mut guest, _permit) = match spare {
                Some((guest, permit, _)) => (guest, permit),
                None => {
                    self.pool.loaded(&self.book, &self.sources).map(|(guest, permit, _)| (guest, permit))?
                }
            };
            let begin = Request::Begin(beginning(self.book.map()), self.book.seed());
            guest.ask(&begin, 0).map_err(|death| failed(said(&death)))?;
            let Plan { games, longest, seed } = plan;
            match guest.ask(&Request::Rehearse { games, longest, seed, follow }, REHEARSAL) {
                Ok(Reply::Rehearsed(told)) => Ok(check::rehearsal(&self.sources, told)),
                Ok(Reply::Fault { fault, .. }) => Err(check::fault(fault)),
                Ok(_) => Err(failed("it talks nonsense".to_owned())),
                Err(death) => {
                    let crumb = guest.crumb.clone().unwrap_or((0, "load".to_owned(), None));
                    let file = self.sources.get(usize::from(crumb.0)).map(|source| source.file.clone());
                    let file = file.unwrap_or_default();
                    Err(Fault { file, hook: crumb.1, line: crumb.2, error: said(&death) })
                }
            }
        };
        // For the reader of the results the death of a worker is one fault among others; a second run finds
        // its place.
        let fault = match play(false) {
            Err(fault) if fault.line.is_none() && !fault.is_of_load() => play(true).err().unwrap_or(fault),
            Err(fault) => fault,
            told => return told,
        };
        let seen = Seen { fault, games: 1, first: (1, 0), trace: Vec::new() };
        Ok(Rehearsal { faults: vec![seen], ..Rehearsal::default() })
    }

    fn chance(&self) -> bool {
        self.chance
    }

    fn print(&self) -> u64 {
        self.print
    }

    fn by_book(&self, book: &Arc<Rulebook>) -> Option<Arc<dyn Extensions>> {
        let (pool, sources) = (Arc::clone(&self.pool), Arc::clone(&self.sources));
        let known = (self.about.clone(), Arc::clone(&self.warnings));
        Some(Arc::new(Loaded::new(pool, Arc::clone(book), sources, known, None)))
    }

    fn begin(&self, start: Start) -> Arc<dyn Session> {
        self.seat(start)
    }
}

/// One game of a worker, and the plies that the worker has played.
#[derive(Debug)]
pub(crate) struct Seat {
    pool: Arc<Pool>,
    book: Arc<Rulebook>,
    sources: Arc<[Source]>,
    start: Start,
    state: Mutex<State>,
    /// The seat for requests in all other worlds of the game: its own worker keeps its position.
    elsewhere: OnceLock<Arc<Seat>>,
    /// The time of the last request, in milliseconds since `began`.
    used: AtomicU64,
    began: Instant,
}

#[derive(Debug)]
struct State {
    awake: Option<Worker>,
    /// The last answer that is asked for more than once.
    known: Option<Answer<Details>>,
    /// The last lines on which an extension failed, and the answer: a caller that tries a move on a copy of the game
    /// and then plays it asks twice, but the extension fails, and tells its author, once.
    failed: Vec<Answer<Scene>>,
}

/// An answer of a worker, with the world and the line that were asked about.
type Answer<T> = (Option<World>, Vec<Move>, Result<T, Fault>);

/// A worker and where it stands.
#[derive(Debug)]
struct Worker {
    guest: Guest,
    _permit: Permit,
    /// The line it stands at; `None`: it has loaded and not begun.
    at: Option<Vec<Move>>,
    /// The world it stands in.
    world: Option<World>,
}

impl Worker {
    fn new(guest: Guest, permit: Permit) -> Worker {
        Worker { guest, _permit: permit, at: None, world: None }
    }

    /// Returns the number of plies of its line that it may keep in another world, where random numbers begin as they
    /// did; `None`: they do not.
    fn kept(&self, wanted: Option<World>) -> Option<usize> {
        let plies = |world: Option<World>| world.map_or(usize::MAX, |world| world.from as usize);
        let kept = if self.world == wanted { usize::MAX } else { plies(self.world).min(plies(wanted)) };
        (kept > 0).then_some(kept)
    }
}

/// A question about a game.
#[derive(Clone, Copy)]
struct Question<'a> {
    line: &'a [Move],
    world: Option<World>,
    want: Wish,
}

/// The data wanted of a game.
#[derive(Clone, Copy)]
enum Wish {
    /// The position at the end of the line.
    End(Want),
    /// Random moves from there on.
    Walk(WalkPlan),
}

/// The reasons for having no answer.
enum Failure {
    /// An extension failed.
    Fault(Fault),
    /// The worker did.
    Death(Death),
}

impl Seat {
    fn new(
        pool: &Arc<Pool>,
        book: &Arc<Rulebook>,
        sources: &Arc<[Source]>,
        start: Start,
        awake: Option<Worker>,
    ) -> Arc<Seat> {
        let seat = Arc::new(Seat {
            pool: Arc::clone(pool),
            book: Arc::clone(book),
            sources: Arc::clone(sources),
            start,
            state: Mutex::new(State { awake, known: None, failed: Vec::new() }),
            elsewhere: OnceLock::new(),
            used: AtomicU64::new(0),
            began: Instant::now(),
        });
        pool.know(&seat);
        seat
    }

    /// Returns the time of the last request.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Ends its worker, if it has one that is not answering a request, and returns whether it did.
    pub(crate) fn sleep(&self) -> bool {
        match self.state.try_lock() {
            Ok(mut state) => state.awake.take().is_some(),
            Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => false,
        }
    }

    fn map(&self) -> &Map {
        self.book.map()
    }

    /// Sends a request to a worker, a new one where there is none.
    fn ask(&self, state: &mut State, asked: Question<'_>, crumbs: bool) -> Result<Reply, Failure> {
        let Question { line, world, want } = asked;
        if state.awake.is_none() {
            let (guest, permit, _) = self.pool.loaded(&self.book, &self.sources).map_err(Failure::Fault)?;
            state.awake = Some(Worker::new(guest, permit));
        }
        let worker = state.awake.as_mut().expect("it was just started");
        let kept = worker.kept(world);
        if worker.at.is_none() || kept.is_none() {
            let seed = world.filter(|world| world.from == 0).map_or(self.book.seed(), |world| world.seed);
            worker.at = None;
            match worker.guest.ask(&Request::Begin(self.start.clone(), seed), 0).map_err(Failure::Death)? {
                Reply::Begun => worker.at = Some(Vec::new()),
                Reply::Fault { fault, .. } => return Err(Failure::Fault(check::fault(fault))),
                _ => return Err(Failure::Death(Death::Killed("it talks nonsense"))),
            }
        }
        let at = worker.at.as_deref().unwrap_or_default();
        let keep = at.iter().zip(line).take_while(|(stood, wanted)| stood == wanted).count();
        let keep = keep.min(kept.unwrap_or(0));
        worker.world = world;
        let later = world.filter(|world| world.from > 0).map(|world| (world.from, world.seed));
        let (keep, moves) = (keep as u32, line[keep..].to_vec());
        let (request, plies) = match want {
            Wish::End(want) => (Request::Ask { keep, moves, later, want, crumbs }, line.len()),
            Wish::Walk(plan) => {
                (Request::Walk { keep, moves, later, plan }, line.len().saturating_add(plan.longest as usize))
            }
        };
        let reply = worker.guest.ask(&request, plies).map_err(Failure::Death)?;
        match &reply {
            Reply::Fault { fatal: true, .. } => state.awake = None,
            Reply::Fault { stands, .. } => {
                worker.at = Some(line[..line.len().min(*stands as usize)].to_vec());
            }
            _ => worker.at = Some(line.to_vec()),
        }
        Ok(reply)
    }

    /// Repeats a request until there is a valid reply, or the reason for having none is known.
    fn told<T>(
        &self,
        asked: Question<'_>,
        state: &mut State,
        believe: impl Fn(Reply) -> Option<Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let now = self.began.elapsed().as_millis() as u64;
        self.used.store(now, Relaxed);
        let mut late = None;
        let mut death = match self.ask(state, asked, false) {
            // Too late; asked again it tells at which line.
            Ok(Reply::Fault { fault, fatal: true, .. }) if fault.line.is_none() => {
                late = Some(fault);
                Death::Killed("it took too long")
            }
            Ok(reply) => match believe(reply) {
                Some(answer) => return answer,
                None => Death::Killed("it talks nonsense"),
            },
            Err(Failure::Fault(fault)) => return Err(fault),
            Err(Failure::Death(death)) => death,
        };
        state.awake = None;
        // Something else may have ended a worker. Leaving crumbs takes time, which must not be held against an extension: so
        // another one is asked without them first. One that leaves crumbs then tells whose code it was that ended it.
        let by_others = match &death {
            Death::Unborn(_) => true,
            Death::Ended(why) => why == KILLED,
            Death::Killed(_) | Death::Starved => false,
        };
        for crumbs in [false, true] {
            if death == Death::Starved || (!crumbs && !by_others) {
                continue;
            }
            match self.ask(state, asked, crumbs) {
                Ok(reply) => match believe(reply) {
                    Some(answer) => return answer,
                    None => death = Death::Killed("it talks nonsense"),
                },
                Err(Failure::Fault(fault)) => return Err(fault),
                Err(Failure::Death(again)) => death = again,
            }
            if !crumbs {
                state.awake = None;
            }
        }
        if death == Death::Starved {
            state.awake = None;
            return Err(self.starved());
        }
        if let Some(fault) = late {
            return Err(check::fault(fault));
        }
        let worker = state.awake.take();
        let crumb = worker.and_then(|worker| worker.guest.crumb.clone());
        let (file, hook, at) = crumb.unwrap_or((0, "load".to_owned(), None));
        let file = self.sources.get(usize::from(file)).or(self.sources.first());
        let fault = Fault {
            file: file.map(|source| source.file.clone()).unwrap_or_default(),
            hook,
            line: at,
            error: said(&death),
        };
        Err(check::fault(fault))
    }

    /// Returns the fault for a machine that is too busy for any request.
    fn starved(&self) -> Fault {
        let file = self.sources.first().map(|source| source.file.clone()).unwrap_or_default();
        Fault { file, hook: "load".to_owned(), line: None, error: said(&Death::Starved) }
    }

    /// Goes to the end of a line, and says what is there.
    fn scene_of(&self, line: &[Move], world: Option<World>, state: &mut State) -> Result<Scene, Fault> {
        let listing = Cell::new(false);
        let asked = |want| Question { line, world, want: Wish::End(want) };
        let fault = match self.told(asked(Want::Scene), state, |reply| match reply {
            Reply::Scene(scene) => check::scene(&self.book, scene).map(Ok),
            Reply::Fault { fault, stands, .. } => {
                listing.set(stands as usize == line.len());
                Some(Err(check::fault(fault)))
            }
            _ => None,
        }) {
            Ok(scene) => return Ok(scene),
            Err(fault) => fault,
        };
        // What is too late or ends its worker while moves are listed leaves its ply as it is: the board is asked for again.
        if fault.is_of_load() || (!listing.get() && fault.hook == "after_move") {
            return Err(fault);
        }
        let board = self.told(asked(Want::Board), state, |reply| match reply {
            Reply::Scene(scene) => check::scene(&self.book, scene).map(Ok),
            Reply::Fault { fault, .. } => Some(Err(check::fault(fault))),
            _ => None,
        });
        match board {
            Ok(board) => Ok(Scene { fault: Some(fault), ..board }),
            Err(again) => Err(if again.is_of_load() { again } else { fault }),
        }
    }
}

impl Seat {
    fn scene_in(&self, world: Option<World>, line: &[Move]) -> Result<Scene, Fault> {
        let mut state = self.state.lock().expect("nobody panics with it");
        let known = state.failed.iter().find(|(of, known, _)| *of == world && known == line);
        if let Some((_, _, answer)) = known {
            return answer.clone();
        }
        let answer = self.scene_of(line, world, &mut state);
        // A busy moment passes: what it said is not kept.
        let of_load = answer.as_ref().err().is_some_and(Fault::is_of_load);
        if !matches!(&answer, Ok(Scene { fault: None, .. })) && !of_load {
            if state.failed.len() == MOST_FAILED {
                drop(state.failed.remove(0));
            }
            state.failed.push((world, line.to_vec(), answer.clone()));
        }
        answer
    }

    fn details_in(&self, world: Option<World>, line: &[Move]) -> Result<Details, Fault> {
        let mut state = self.state.lock().expect("nobody panics with it");
        if let Some((of, known, answer)) = &state.known
            && *of == world
            && known == line
        {
            return answer.clone();
        }
        let asked = Question { line, world, want: Wish::End(Want::Details) };
        let answer = self.told(asked, &mut state, |reply| match reply {
            Reply::Details(details) => check::details(self.map(), details).map(Ok),
            Reply::Fault { fault, .. } => Some(Err(check::fault(fault))),
            _ => None,
        });
        if !answer.as_ref().err().is_some_and(Fault::is_of_load) {
            state.known = Some((world, line.to_vec(), answer.clone()));
        }
        answer
    }

    /// Plays random moves after a line. A worker that ends meanwhile is not asked again: for a search one playout more or
    /// less is nothing.
    fn walk_in(&self, world: Option<World>, line: &[Move], plan: WalkPlan) -> Result<Walked, Fault> {
        let mut state = self.state.lock().expect("nobody panics with it");
        let now = self.began.elapsed().as_millis() as u64;
        self.used.store(now, Relaxed);
        let lost = |state: &mut State, why: &Death| {
            state.awake = None;
            let file = self.sources.first().map(|source| source.file.clone()).unwrap_or_default();
            Err(check::fault(Fault { file, hook: "load".to_owned(), line: None, error: said(why) }))
        };
        let asked = Question { line, world, want: Wish::Walk(plan) };
        match self.ask(&mut state, asked, false) {
            Ok(Reply::Walked(told)) => match check::walked(&self.book, plan.longest, told) {
                Some(walked) => Ok(walked),
                None => lost(&mut state, &Death::Killed("it talks nonsense")),
            },
            Ok(Reply::Fault { fault, .. }) => Err(check::fault(fault)),
            Ok(_) => lost(&mut state, &Death::Killed("it talks nonsense")),
            Err(Failure::Fault(fault)) => Err(fault),
            Err(Failure::Death(Death::Starved)) => {
                state.awake = None;
                Err(self.starved())
            }
            Err(Failure::Death(death)) => lost(&mut state, &death),
        }
    }

    /// The seat at which other worlds of this game are asked.
    fn elsewhere(&self) -> &Arc<Seat> {
        self.elsewhere
            .get_or_init(|| Seat::new(&self.pool, &self.book, &self.sources, self.start.clone(), None))
    }
}

impl Session for Seat {
    fn scene(&self, line: &[Move]) -> Result<Scene, Fault> {
        self.scene_in(None, line)
    }

    fn details(&self, line: &[Move]) -> Result<Details, Fault> {
        self.details_in(None, line)
    }

    fn walk(&self, line: &[Move], plan: WalkPlan) -> Option<Result<Walked, Fault>> {
        Some(self.walk_in(None, line, plan))
    }

    fn world(&self, world: World) -> Option<Arc<dyn Session>> {
        Some(Arc::new(Elsewhere { seat: Arc::clone(self.elsewhere()), world }))
    }
}

/// A game in another world.
#[derive(Debug)]
struct Elsewhere {
    seat: Arc<Seat>,
    world: World,
}

impl Session for Elsewhere {
    fn scene(&self, line: &[Move]) -> Result<Scene, Fault> {
        self.seat.scene_in(Some(self.world), line)
    }

    fn details(&self, line: &[Move]) -> Result<Details, Fault> {
        self.seat.details_in(Some(self.world), line)
    }

    fn walk(&self, line: &[Move], plan: WalkPlan) -> Option<Result<Walked, Fault>> {
        Some(self.seat.walk_in(Some(self.world), line, plan))
    }

    fn world(&self, world: World) -> Option<Arc<dyn Session>> {
        Some(Arc::new(Elsewhere { seat: Arc::clone(&self.seat), world }))
    }
}

/// A game at its start, for measuring.
pub(crate) fn beginning(map: &Map) -> Start {
    let standing = |&id: &u16| (id > 0).then_some(Standing { id, promoted: false });
    let turn = map.level2.as_ref().map_or(Side::First, |level2| level2.turns.order.side(0));
    let pieces = map.start.iter().map(standing).collect();
    Start { pieces, turn, neutral: [0; 2], end: None, second: None }
}
