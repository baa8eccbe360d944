//! Random games inside the worker, as a search would play them, to measure speed.

use jingbanqi::Move;
use jingbanqi::extension::Fault;
use jingbanqi::live::Live;

use super::game::Asker;
use super::line::Table;
use super::watch::cpu;
use crate::message::{Played, Reply};

impl Table<'_> {
    /// Plays random games from the start, listing every move of every position.
    pub(crate) fn playouts(&mut self, seed: u64, plies: u32, longest: u32, remember: bool) -> Reply {
        let began = cpu();
        let Some((game, start, vm)) = self.seated() else {
            let error = "nothing has begun that can be saved".to_owned();
            let fault = Fault { file: String::new(), hook: String::new(), line: None, error };
            return Reply::Fault { fault, stands: 0, fatal: false };
        };
        let asker = Asker { game: &game, vm };
        game.speed.on.set(remember);
        let mut played = Played::default();
        let mut random = Random(seed | 1);
        while played.plies < plies && played.games < plies {
            if start.put_back(&game, vm).is_none() {
                break;
            }
            played.games += 1;
            for _ in 0..longest {
                game.watch.ply(0);
                let Ok(moves) = game.live.moves(&asker) else {
                    played.faults += 1;
                    break;
                };
                played.moves += moves.len() as u64;
                played.digest = digest(played.digest, &moves, &game.live);
                if moves.is_empty() || played.plies >= plies {
                    break;
                }
                let m = moves[random.below(moves.len())];
                played.plies += 1;
                if asker.play(m).is_err() {
                    played.faults += 1;
                    break;
                }
            }
        }
        let _ = start.put_back(&game, vm);
        played.asked = [game.speed.asked.get(), game.speed.spared.get()];
        game.speed.on.set(true);
        played.cpu_us = (cpu() - began).as_micros() as u64;
        Reply::Played(played)
    }
}

fn digest(before: u64, moves: &[Move], live: &Live) -> u64 {
    let mut mixed = before ^ live.turn().index() as u64;
    for m in moves {
        mixed = (mixed ^ (u64::from(m.pick) << 32 | u64::from(m.from) << 16 | u64::from(m.to)))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^= mixed >> 29;
    }
    mixed
}

/// A pseudorandom number generator with the same numbers on every machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}
