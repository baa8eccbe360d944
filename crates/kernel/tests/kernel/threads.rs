//! Work that is shared out among threads.

use std::sync::Mutex;
use std::thread;

use kernel::threads::spread;

#[test]
fn each_part_is_worked_on_once_and_the_first_one_here() {
    for threads in [0, 1, 2, 7, 1000] {
        for parts in [0, 1, 2, 50] {
            let done = Mutex::new(Vec::new());
            spread(threads, 0..parts, |part| {
                done.lock().expect("nobody fails").push((part, thread::current().id()));
            });
            let mut done = done.into_inner().expect("nobody fails");
            done.sort_unstable_by_key(|&(part, _)| part);
            assert!(done.iter().map(|&(part, _)| part).eq(0..parts), "{threads} threads, {parts} parts");
            assert!(done.first().is_none_or(|&(_, first)| first == thread::current().id()));
        }
    }
}
