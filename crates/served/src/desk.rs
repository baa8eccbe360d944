//! The search queue of a session: runs searches for a protocol on a thread of its own.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use kernel::Problem;

use super::setup::{Maker, Say, Setup};
use catalog::Ruleset;
use engine_core::{Engine, Info, Stop, Task};

/// The events of a session.
pub(super) enum Event {
    /// A line came in.
    Line(String),
    /// A line came in that is too long; its beginning.
    TooLong(String),
    /// The input has ended.
    End,
    /// The search with that number reports an intermediate result.
    Told(u64, Info),
    /// The search with that number has its move.
    Done(u64, Result<String, Problem>),
    /// Side work is done, with the lines to send.
    Aside(Vec<String>),
}

/// The search queue of a session, which also collects the lines to send.
///
/// Every question is answered, in the order they were asked: a new one stops those before it, and waits for its turn.
pub(super) struct Desk {
    rules: Ruleset,
    pub(super) memory: usize,
    say: Say,
    jobs: Sender<Order>,
    said: Vec<String>,
    count: u64,
    /// The questions that are not answered yet, the oldest first.
    asked: VecDeque<PendingRequest>,
    renew: bool,
    events: Sender<Event>,
    /// A flag that stops the side work, and the number of threads that do it.
    aside: Stop,
    asides: usize,
}

/// A question whose answer was not sent yet.
struct PendingRequest {
    id: u64,
    stop: Stop,
    /// True if the answer is held back until a `stop`.
    holds: bool,
    /// True if the answer is no longer wanted.
    dropped: bool,
    answer: Option<Result<String, Problem>>,
}

struct Job {
    id: u64,
    task: Task,
    kit: Kit,
}

/// The configuration of an engine, and a flag for making a new one.
struct Kit {
    rules: Ruleset,
    memory: usize,
    renew: bool,
}

enum Order {
    Think(Job),
    /// Make the engine ready for a question, and then signal it.
    Prepare(Kit, Sender<()>),
}

/// The maximal wait for an engine to become ready; it continues its preparation afterwards.
const PATIENCE: Duration = Duration::from_secs(10);

impl Desk {
    pub(super) fn new(setup: Setup, events: Sender<Event>) -> Desk {
        let Setup { rules, memory, make, say } = setup;
        let (jobs, taken) = channel();
        let told = events.clone();
        thread::spawn(move || work(make, &taken, &told));
        let rules = rules.past_draws();
        let (said, asked) = (Vec::new(), VecDeque::new());
        let (aside, asides) = (Stop::default(), 0);
        Desk { rules, memory, say, jobs, said, count: 0, asked, renew: false, events, aside, asides }
    }

    /// Runs work that is no question, such as counting moves, on a thread of its own, and sends the resulting lines.
    /// Earlier side work is stopped.
    pub(super) fn aside(&mut self, work: impl FnOnce(&Stop) -> Vec<String> + Send + 'static) {
        self.aside.stop();
        self.aside = Stop::default();
        self.asides += 1;
        let (stop, events) = (self.aside.clone(), self.events.clone());
        thread::spawn(move || {
            let _ = events.send(Event::Aside(work(&stop)));
        });
    }

    /// Takes the lines of side work that is done.
    pub(super) fn aside_done(&mut self, lines: Vec<String>) {
        self.asides -= 1;
        self.said.extend(lines);
    }

    pub(super) fn has_asides(&self) -> bool {
        self.asides > 0
    }

    /// Returns the rules of the game that is played. Only positions end it; repetitions and move counts are decided
    /// by the interface.
    pub(super) fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Changes to another game.
    pub(super) fn take_up(&mut self, rules: Ruleset) {
        self.rules = rules.past_draws();
        self.forget();
    }

    /// Returns the message of a problem.
    pub(super) fn sentence(&self, problem: &Problem) -> String {
        (self.say)(problem)
    }

    /// Adds a line to send.
    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    pub(super) fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Starts a search; `holds`: the answer waits for [`stop`](Desk::stop). The search before it is stopped and
    /// answered.
    pub(super) fn think(&mut self, mut task: Task, holds: bool) {
        self.stop_thinking();
        self.count += 1;
        let stop = Stop::default();
        task.limits.stop = stop.clone();
        self.asked.push_back(PendingRequest { id: self.count, stop, holds, dropped: false, answer: None });
        let job = Job { id: self.count, task, kit: self.kit() };
        self.order(Order::Think(job));
    }

    /// Restarts the search for the last question with another task; it is answered once.
    pub(super) fn think_again(&mut self, task: Task, holds: bool) {
        if let Some(last) = self.asked.back_mut() {
            last.dropped = true;
        }
        self.think(task, holds);
    }

    /// Answers a question with the reason for which there is no answer, once those before it are answered.
    pub(super) fn refuse(&mut self, problem: Problem) {
        self.stop();
        self.count += 1;
        let answer = Some(Err(problem));
        let stop = Stop::default();
        self.asked.push_back(PendingRequest { id: self.count, stop, holds: false, dropped: false, answer });
    }

    /// Waits until the engine is ready to start the next search at once. Does nothing during a search.
    pub(super) fn prepare(&mut self) {
        if !self.is_thinking() {
            let (ready, is_ready) = channel();
            let kit = self.kit();
            self.order(Order::Prepare(kit, ready));
            let _ = is_ready.recv_timeout(PATIENCE);
        }
    }

    fn kit(&mut self) -> Kit {
        let renew = std::mem::take(&mut self.renew);
        Kit { rules: self.rules.clone(), memory: self.memory, renew }
    }

    fn order(&self, order: Order) {
        self.jobs.send(order).expect("the one who thinks goes on as long as we do");
    }

    /// Stops the search, whose answer is sent, and the side work.
    pub(super) fn stop(&mut self) {
        self.aside.stop();
        self.stop_thinking();
    }

    fn stop_thinking(&mut self) {
        for asked in &mut self.asked {
            asked.holds = false;
            asked.stop.stop();
        }
    }

    /// Stops the search and discards its answer.
    pub(super) fn cancel(&mut self) {
        self.stop();
        self.asked.iter_mut().for_each(|asked| asked.dropped = true);
    }

    /// Releases the answers that wait for a `stop`, since the input has ended.
    pub(super) fn release_endless(&mut self) {
        if self.asked.iter().any(|asked| asked.holds) {
            self.stop();
        }
    }

    /// Makes the next question go to a new engine: for another game, other rules, or another table size.
    pub(super) fn forget(&mut self) {
        self.renew = true;
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.asked.iter().any(|asked| !asked.dropped)
    }

    pub(super) fn is_current(&self, id: u64) -> bool {
        self.asked.iter().any(|asked| asked.id == id && !asked.dropped)
    }

    pub(super) fn keep(&mut self, id: u64, answer: Result<String, Problem>) {
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.id == id) {
            asked.answer = Some(answer);
        }
    }

    /// Takes the next answer, once it is there and may be sent.
    pub(super) fn take_answer(&mut self) -> Option<Result<String, Problem>> {
        loop {
            let first = self.asked.front()?;
            if first.answer.is_none() || (first.holds && !first.dropped) {
                return None;
            }
            let first = self.asked.pop_front()?;
            if !first.dropped {
                return first.answer;
            }
        }
    }
}

fn work(mut make: Maker, orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut engine: Option<Box<dyn Engine>> = None;
    while let Ok(order) = orders.recv() {
        let (Order::Think(Job { kit, .. }) | Order::Prepare(kit, _)) = &order;
        if kit.renew {
            engine = None;
        }
        let fresh = engine.is_none();
        let engine = engine.get_or_insert_with(|| make(&kit.rules, kit.memory));
        match order {
            Order::Think(job) => {
                let answer = engine.think(&job.task, &mut |info| {
                    let _ = events.send(Event::Told(job.id, info.clone()));
                });
                if events.send(Event::Done(job.id, answer)).is_err() {
                    return;
                }
            }
            Order::Prepare(_, ready) => {
                // One that has thought already is ready, and keeps what it knows.
                if fresh {
                    engine.prepare();
                }
                let _ = ready.send(());
            }
        }
    }
}
