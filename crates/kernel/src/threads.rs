//! Work shared out among threads.

use std::sync::Mutex;

/// Calls `work` with each part: on this thread, which takes the first, and on others, `threads` in all. Whoever is done takes
/// the next part, so where the system starts fewer threads, or none, they do it all.
///
/// # Panics
/// When `work` does.
pub fn spread<T: Send>(
    threads: usize,
    parts: impl IntoIterator<IntoIter: ExactSizeIterator<Item = T> + Send>,
    work: impl Fn(T) + Sync,
) {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return };
    let others = parts.len().min(threads.saturating_sub(1));
    let parts = Mutex::new(parts);
    let work_off = || {
        while let Some(part) = parts.lock().ok().and_then(|mut parts| parts.next()) {
            work(part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..others {
            if std::thread::Builder::new().spawn_scoped(scope, work_off).is_err() {
                break;
            }
        }
        work(first);
        work_off();
    });
}

#[cfg(test)]
mod tests {
    use super::spread;
    use std::sync::Mutex;
    use std::thread;

    #[test]
    fn each_part_is_worked_on_once_and_the_first_one_here() {
        for threads in [0, 1, 2, 7, 1000] {
            for parts in [0, 1, 2, 50] {
                let done = Mutex::new(Vec::new());
                spread(threads, 0..parts, |part| done.lock().unwrap().push((part, thread::current().id())));
                let mut done = done.into_inner().unwrap();
                done.sort_unstable_by_key(|&(part, _)| part);
                assert!(done.iter().map(|&(part, _)| part).eq(0..parts), "{threads} threads, {parts} parts");
                assert!(done.first().is_none_or(|&(_, first)| first == thread::current().id()));
            }
        }
    }
}
