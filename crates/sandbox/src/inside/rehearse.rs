//! Rehearsal: random games in the worker, which call every hook and record faults, durations and output.

use std::time::Duration;

use jingbanqi::extension::Seen;

use super::game::Asker;
use super::line::Table;
use super::playouts::Random;
use super::watch::{Hook, cpu};
use super::{library, python};
use crate::message::{Rehearsed, Reply};

/// The most CPU time of all games together; further games are not played.
const MOST: Duration = Duration::from_secs(4);
/// The part of it for games in which every call is measured.
const MEASURED: Duration = Duration::from_millis(1500);
/// The most faults that are told apart.
const MOST_FAULTS: usize = 20;
/// The most calls in the trace of a fault.
const MOST_TRACE: usize = 12;
/// The most calls of each hook that are measured.
const MOST_TIMES: usize = 20_000;

/// The durations of calls in microseconds, by file and hook.
pub(crate) type Times = Vec<((usize, u32), Hook, Vec<u32>)>;

impl Table<'_> {
    /// Plays random games from the start. `plan`: the number of games, the most plies of each, and the seed of random
    /// numbers.
    pub(crate) fn rehearse(&mut self, plan: (u32, u32, u64), follow: bool) -> Reply {
        let (games, longest, seed) = plan;
        let began = cpu();
        let mut random = Random(seed | 1);
        let (mut done, mut times) = (Rehearsed::default(), Times::new());
        library::keep_prints(true);
        for number in 1..=games {
            let spent = cpu() - began;
            if spent > MOST {
                break;
            }
            let game = match self.again() {
                Ok(game) => game,
                Err(fault) => return Reply::Fault { fault, stands: 0, fatal: false },
            };
            // In each game chance decides otherwise.
            library::begin_chance_again(u128::from(seed) << 64 | u128::from(number));
            let asker = Asker { game: &game, vm: self.vm };
            game.times.replace(Some(std::mem::take(&mut times)));
            self.follow(follow);
            // At first the interpreter runs every call, as it will whenever there is something to be done.
            let measured = spent < MEASURED && number <= games.div_ceil(2);
            game.speed.on.set(!measured);
            let mut plies = 0;
            while plies < longest && cpu() - began <= MOST {
                game.watch.ply(0);
                let step = game.live.moves(&asker).and_then(|moves| {
                    if moves.is_empty() || game.live.end().is_some() {
                        return Ok(false);
                    }
                    asker.play(moves[random.below(moves.len())]).map(|()| true)
                });
                match step {
                    Ok(true) => plies += 1,
                    Ok(false) => {
                        done.ended += 1;
                        if game.live.end().is_none() {
                            done.stuck[game.live.turn().index()] += 1;
                        }
                        break;
                    }
                    Err(trouble) => {
                        let fault = self.fault(&trouble);
                        let same = |known: &&mut Seen| {
                            (&known.fault.file, &known.fault.hook, known.fault.line)
                                == (&fault.file, &fault.hook, fault.line)
                        };
                        if let Some(known) = done.faults.iter_mut().find(same) {
                            known.games += 1;
                        } else if done.faults.len() < MOST_FAULTS {
                            let trace = python::trace(&trouble.exception, MOST_TRACE, &self.sources());
                            done.faults.push(Seen { fault, games: 1, first: (number, plies), trace });
                        }
                        break;
                    }
                }
            }
            done.lengths.push(plies);
            game.speed.on.set(true);
            times = game.times.take().unwrap_or_default();
        }
        self.follow(false);
        done.prints = library::printed();
        library::keep_prints(self.tells);
        done.hooks = self.timings(&times);
        match self.again() {
            Ok(_) => Reply::Rehearsed(done),
            Err(fault) => Reply::Fault { fault, stands: 0, fatal: false },
        }
    }

    /// Every hook there is, with how long its calls took.
    fn timings(&self, times: &Times) -> Vec<(u16, String, u64, u64, u64)> {
        let Some((game, _, vm)) = self.seated() else { return Vec::new() };
        let names = game.live.names().asked();
        let mut timings = Vec::new();
        for (file, extension) in game.extensions.iter().enumerate() {
            let places = names
                .iter()
                .enumerate()
                .filter(|(_, name)| game.place_of(name, vm).is_some_and(|(supplier, _)| supplier == file));
            let hooks = extension.check_can_go.iter().map(|_| Hook::CheckCanGo);
            let hooks = hooks.chain(extension.after_move.iter().map(|_| Hook::AfterMove));
            let hooks = hooks.chain(extension.choices.iter().map(|_| Hook::Choices));
            let hooks = hooks.chain(extension.may_drop.iter().map(|_| Hook::MayDrop));
            let hooks = hooks.chain(extension.score.iter().map(|_| Hook::Score));
            for hook in hooks.chain(places.map(|(place, _)| Hook::Place(place as u16))) {
                let known = times.iter().find(|known| known.0.0 == file && known.1 == hook);
                let mut taken = known.map(|known| known.2.clone()).unwrap_or_default();
                taken.sort_unstable();
                let median = taken.get(taken.len() / 2).copied().unwrap_or_default();
                let worst = taken.last().copied().unwrap_or_default();
                timings.push((
                    file as u16,
                    hook.name(names),
                    taken.len() as u64,
                    median.into(),
                    worst.into(),
                ));
            }
        }
        timings
    }
}

/// Writes down how long a call took.
pub(crate) fn took(times: &mut Times, file: usize, hook: Hook, time: Duration) {
    let key = (file, hook.number());
    let at = times.iter().position(|known| known.0 == key).unwrap_or_else(|| {
        times.push((key, hook, Vec::new()));
        times.len() - 1
    });
    let taken = &mut times[at].2;
    if taken.len() < MOST_TIMES {
        taken.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }
}
