//! Where a protocol has its thinking done.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use kernel::Problem;

use super::{Maker, Setup};
use crate::Ruleset;
use crate::task::{Engine, Info, Stop, Task};

/// What happens to a session.
pub(super) enum Event {
    /// A line came in.
    Line(String),
    /// A line came in that is too long.
    TooLong,
    /// No more lines will come.
    End,
    /// The thinking with that number has come so far.
    Told(u64, Info),
    /// It has a move.
    Done(u64, Result<String, Problem>),
}

/// Thinks for a protocol, one question at a time, and collects what is to be said.
pub(super) struct Desk {
    pub(super) rules: Ruleset,
    pub(super) memory: usize,
    jobs: Sender<Order>,
    said: Vec<String>,
    count: u64,
    running: Option<Running>,
    renew: bool,
}

struct Running {
    id: u64,
    stop: Stop,
    /// The answer is not told before somebody says stop.
    holds: bool,
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
        let Setup { rules, memory, make } = setup;
        let (jobs, taken) = channel();
        thread::spawn(move || work(make, &taken, &events));
        Desk { rules, memory, jobs, said: Vec::new(), count: 0, running: None, renew: false }
    }

    /// Something to be said, as a line.
    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    pub(super) fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Thinks; `holds`: the answer waits for [`stop`](Desk::stop). What was thought about before is dropped.
    pub(super) fn think(&mut self, mut task: Task, holds: bool) {
        self.cancel();
        self.count += 1;
        let stop = Stop::default();
        task.limits.stop = stop.clone();
        self.running = Some(Running { id: self.count, stop, holds, answer: None });
        let job = Job { id: self.count, task, kit: self.kit() };
        self.order(Order::Think(job));
    }

    /// Waits until the next question is thought about at once. Does nothing while one is.
    pub(super) fn prepare(&mut self) {
        if self.running.is_none() {
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

    /// Ends the thinking; the answer is told.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.holds = false;
            running.stop.stop();
        }
    }

    /// Ends the thinking; the answer is not wanted.
    pub(super) fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
        }
    }

    /// No more words will come, so what waits for one need not wait.
    pub(super) fn release_endless(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.holds) {
            self.stop();
        }
    }

    /// The next question goes to an engine that knows nothing: another game, other rules, another table.
    pub(super) fn forget(&mut self) {
        self.renew = true;
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.running.is_some()
    }

    pub(super) fn is_current(&self, id: u64) -> bool {
        self.running.as_ref().is_some_and(|running| running.id == id)
    }

    pub(super) fn keep(&mut self, id: u64, answer: Result<String, Problem>) {
        if let Some(running) = self.running.as_mut().filter(|running| running.id == id) {
            running.answer = Some(answer);
        }
    }

    /// The answer, once it is there and may be told.
    pub(super) fn take_answer(&mut self) -> Option<Result<String, Problem>> {
        let running = self.running.as_ref().filter(|running| !running.holds && running.answer.is_some());
        running?;
        self.running.take()?.answer
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
