//! glibc's allocator reads its settings from the environment when a program starts: so the same program is started again in
//! this process with those that are missing. Elsewhere, and where that fails, it goes on as it is.

/// Memory comes back after a rush.
///
/// - Four arenas. glibc gives up to eight a core to threads, and each keeps what was freed in it below anything that lives
///   on: fifty maps with hostile extensions, loaded and played by ever other threads, made more than twice of what the hall
///   had. With four it was 14 % more, and moves were some per cent fewer than without a limit; with two an eighth fewer.
/// - What is 128 KiB or more goes back as soon as it is freed. Otherwise the first large block that is freed raises these
///   thresholds up to 64 MiB: a minute after ten attackers the hall held 102 MB instead of 87.
pub fn set_for_hall() {
    set(&[
        ("MALLOC_ARENA_MAX", "4"),
        ("MALLOC_TRIM_THRESHOLD_", "131072"),
        ("MALLOC_MMAP_THRESHOLD_", "131072"),
    ]);
}

/// The interval at which freed memory is returned to the system.
const TRIM: std::time::Duration = std::time::Duration::from_secs(30);

/// Starts a thread that returns freed memory below live blocks to the system twice a minute.
pub fn keep_trimming() {
    let trims = || loop {
        std::thread::sleep(TRIM);
        heap::trim();
    };
    // A hall that cannot start this thread has other worries.
    drop(std::thread::Builder::new().name("heap".to_owned()).stack_size(64 << 10).spawn(trims));
}

/// Transposition tables lie in pages of 2 MiB where the system grants them on request. With pages of 4 KiB most probes
/// of the table miss the processor's table of pages, too: a search of xiangqi took a sixth more time so (docs/lab/experiments.md).
pub fn set_for_engines() {
    set(&[("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")]);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn set(settings: &[(&str, &str)]) {
    use std::os::unix::process::CommandExt;
    let missing = settings.iter().copied().filter(|(name, _)| std::env::var_os(name).is_none());
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return;
    }
    let mut words = std::env::args_os();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), words.next()) {
        // It returns only when it could not.
        let _ = std::process::Command::new(program).arg0(name).args(words).envs(missing).exec();
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn set(_settings: &[(&str, &str)]) {}
