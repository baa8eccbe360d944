//! Work shared out among threads.

use std::sync::Mutex;

/// Calls `work` with each part: on this thread, which takes the first, and on others, `threads` in all. A thread that
/// is done takes the next part, so where the system starts fewer threads, or none, the rest do it all.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// let sum = AtomicU64::new(0);
/// kernel::threads::spread(4, [10_u64, 20, 30, 40], |n| _ = sum.fetch_add(n, Ordering::Relaxed));
/// assert_eq!(sum.into_inner(), 100);
/// ```
///
/// # Panics
/// Panics when `work` does.
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
