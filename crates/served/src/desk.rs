//! Where a protocol has its thinking done.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use kernel::Problem;

use super::{Maker, Say, Setup};
use catalog::Ruleset;
use engine_core::{Engine, Info, Stop, Task};

/// What happens to a session.
pub(super) enum Event {
    /// A line came in.
    Line(String),
    /// A line came in that is too long; how it begins.
    TooLong(String),
    /// No more lines will come.
    End,
    /// The thinking with that number has come so far.
    Told(u64, Info),
    /// It has a move.
    Done(u64, Result<String, Problem>),
    /// Work done aside is done, and this is to be said.
    Aside(Vec<String>),
}

/// Thinks for a protocol, one question after the other, and collects what is to be said.
///
/// Every question is answered, in the order they were asked: a new one stops those before it, and waits for its turn.
pub(super) struct Desk {
    rules: Ruleset,
    pub(super) memory: usize,
    say: Say,
    jobs: Sender<Order>,
    said: Vec<String>,
    count: u64,
    /// Questions whose answer is owed, the oldest first.
    asked: VecDeque<Asked>,
    renew: bool,
    events: Sender<Event>,
    /// A flag that ends the work done aside, and the number of threads at it.
    aside: Stop,
    asides: usize,
}

/// A question whose answer was not told yet.
struct Asked {
    id: u64,
    stop: Stop,
    /// The answer is not told before somebody says stop.
    holds: bool,
    /// The answer is not wanted any more.
    dropped: bool,
    answer: Option<Result<String, Problem>>,
}

struct Job {
    id: u64,
    task: Task,
    kit: Kit,
}

/// What an engine is made of, and whether it must be a new one.
struct Kit {
    rules: Ruleset,
    memory: usize,
    renew: bool,
}

enum Order {
    Think(Job),
    /// Be ready for a question, and say so.
    Prepare(Kit, Sender<()>),
}

/// How long is waited for an engine to be ready; it gets ready all the same.
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

    /// Does something that is no question, such as counting, on a thread of its own, and says what comes of it. What was
    /// begun before ends.
    pub(super) fn aside(&mut self, work: impl FnOnce(&Stop) -> Vec<String> + Send + 'static) {
        self.aside.stop();
        self.aside = Stop::default();
        self.asides += 1;
        let (stop, events) = (self.aside.clone(), self.events.clone());
        thread::spawn(move || {
            let _ = events.send(Event::Aside(work(&stop)));
        });
    }

    /// Takes the lines of work done aside.
    pub(super) fn aside_done(&mut self, lines: Vec<String>) {
        self.asides -= 1;
        self.said.extend(lines);
    }

    pub(super) fn has_asides(&self) -> bool {
        self.asides > 0
    }

    /// The game that is played. Only its positions end it: whether a repetition or a count does, the interface decides.
    pub(super) fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Another game is played from now on.
    pub(super) fn take_up(&mut self, rules: Ruleset) {
        self.rules = rules.past_draws();
        self.forget();
    }

    /// The sentence of a problem.
    pub(super) fn sentence(&self, problem: &Problem) -> String {
        (self.say)(problem)
    }

    /// Something to be said, as a line.
    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    pub(super) fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Thinks; `holds`: the answer waits for [`stop`](Desk::stop). What was thought about before is stopped and answered.
    pub(super) fn think(&mut self, mut task: Task, holds: bool) {
        self.stop_thinking();
        self.count += 1;
        let stop = Stop::default();
        task.limits.stop = stop.clone();
        self.asked.push_back(Asked { id: self.count, stop, holds, dropped: false, answer: None });
        let job = Job { id: self.count, task, kit: self.kit() };
        self.order(Order::Think(job));
    }

    /// Thinks about the last question in another way; it is answered once.
    pub(super) fn think_again(&mut self, task: Task, holds: bool) {
        if let Some(last) = self.asked.back_mut() {
            last.dropped = true;
        }
        self.think(task, holds);
    }

    /// Answers a question with why there is no answer, once those before it are answered.
    pub(super) fn refuse(&mut self, problem: Problem) {
        self.stop();
        self.count += 1;
        let answer = Some(Err(problem));
        let stop = Stop::default();
        self.asked.push_back(Asked { id: self.count, stop, holds: false, dropped: false, answer });
    }

    /// Waits until the next question is thought about at once. Does nothing while one is.
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

    /// Ends the thinking; the answer is told. What is done aside ends, too.
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

    /// Ends the thinking; no answer is wanted.
    pub(super) fn cancel(&mut self) {
        self.stop();
        self.asked.iter_mut().for_each(|asked| asked.dropped = true);
    }

    /// No more words will come, so what waits for one need not wait.
    pub(super) fn release_endless(&mut self) {
        if self.asked.iter().any(|asked| asked.holds) {
            self.stop();
        }
    }

    /// The next question goes to an engine that knows nothing: another game, other rules, another table.
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

    /// The next answer, once it is there and may be told.
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
