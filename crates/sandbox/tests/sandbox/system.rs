//! Tests of the calls that hostile programs make to the system, as `strace` sees them: once the lock is shut, only
//! those of computing succeed.

#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jingbanqi::extension::Loader;
use jingbanqi::{Jingbanqi, Rulebook};
use sandbox::Sandbox;

use crate::hostile::{PROGRAMS, after_move};
use crate::support::{play, small, source};

/// The calls that a worker may make: `docs/adr/0011`.
const ALLOWED: &[&str] = &[
    "read",
    "write",
    "mmap",
    "mprotect",
    "munmap",
    "mremap",
    "brk",
    "madvise",
    "futex",
    "exit",
    "exit_group",
    "rt_sigreturn",
    "clock_gettime",
    "getrandom",
    "sched_yield",
    "getpid",
];

/// A program that starts the worker under `strace`, which writes a file per worker.
fn traced(strace: &Path, folder: &Path) -> PathBuf {
    let script = folder.join("traced");
    let (worker, log) = (env!("CARGO_BIN_EXE_sandbox-worker"), folder.join("log"));
    let lines = format!(
        "#!/bin/sh\nexec '{}' -f -qq -o '{}'.$$ '{worker}' \"$@\"\n",
        strace.display(),
        log.display()
    );
    std::fs::write(&script, lines).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it may run");
    script
}

/// The first call of `abort`, and the number of that call.
const ABORT: (&str, &str) = ("rt_sigprocmask", if cfg!(target_arch = "x86_64") { "14" } else { "135" });

/// Calls behind the lock: their names, and whether they came to something. `None`: the lock was never shut, as in a worker
/// that a busy machine started too late; it was ended before it was given anything to run.
fn calls(log: &str) -> Option<Vec<(String, bool)>> {
    let locked = log.lines().position(|line| line.contains("seccomp(SECCOMP_SET_MODE_FILTER"))?;
    // Each line: the process, then `name(arguments) = result`; the end of a call that was interrupted names it again.
    let split = |line: &'_ str| -> (String, String) {
        let (process, text) = line.split_once(' ').unwrap_or(("", line));
        (process.to_owned(), text.trim_start().to_owned())
    };
    let mut lines: Vec<(String, String)> = log.lines().skip(locked).map(split).collect();
    // The call that shuts the lock may itself be interrupted by another thread; its end is none of theirs.
    let (locker, shutting) = lines.remove(0);
    if shutting.ends_with("<unfinished ...>")
        && let Some(end) = lines.iter().position(|(process, _)| *process == locker)
    {
        lines.remove(end);
    }
    let mut calls = Vec::new();
    for (number, (process, text)) in lines.iter().enumerate() {
        if text.starts_with("+++") || text.starts_with("---") {
            continue;
        }
        let call = text.strip_prefix("<... ").unwrap_or(text);
        let name: String = call.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        // Who is killed at a call leaves the call's own number behind for a result.
        let next = lines[number + 1..].iter().find(|(other, _)| other == process);
        let result = call.rsplit_once(" = ").map(|(_, result)| result.trim());
        let killed = match next {
            Some((_, text)) => text.starts_with("+++ killed"),
            // The log may end before it says so, when the hall ends the worker while it dies.
            None => name == ABORT.0 && result == Some(ABORT.1),
        };
        let open = call.ends_with("<unfinished ...>");
        let came = result.is_some_and(|result| !result.starts_with('?') && !result.starts_with('-'));
        if !name.is_empty() {
            calls.push((name, came && !open && !killed));
        }
    }
    Some(calls)
}

#[test]
fn no_forbidden_call_succeeds() {
    let strace = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join("strace"))
        .find(|program| program.exists());
    let Some(strace) = strace else {
        return println!("skipped: there is no strace");
    };
    let folder = std::env::temp_dir().join(format!("qiguan-strace-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let sandbox = Sandbox::new(traced(&strace, &folder));
    let book = Arc::new(Rulebook::new(small(), false));
    let mut loaded = 0;
    for (name, lines, _) in PROGRAMS {
        let sources = [source(&after_move(lines))];
        let extensions =
            sandbox.load(&book, &sources).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        let mut pos = Jingbanqi::with_extensions(Arc::clone(&book), extensions);
        play(&mut pos, "4,3-3,3");
        assert!(pos.fault().is_some(), "{name}");
        loaded += 1;
    }
    drop(sandbox);
    let logs = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let logs =
        logs.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("log")));
    let (mut read, mut computing) = (0, 0);
    for path in logs {
        let log = String::from_utf8_lossy(&std::fs::read(&path).expect("a log")).into_owned();
        let Some(calls) = calls(&log) else {
            assert!(!log.contains(" read(0, "), "unlocked, it was given something: {}", path.display());
            continue;
        };
        read += 1;
        for (name, done) in calls {
            if ALLOWED.contains(&name.as_str()) {
                computing += u32::from(done);
            } else {
                assert!(!done, "{} came to something: {}", name, path.display());
            }
        }
    }
    assert!(read >= loaded, "{read} logs of {loaded} programs");
    assert!(computing > 10 * loaded, "strace saw them work: {computing}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// A log that ends at an abort is understood: the test does not fail because a worker is ended while it dies.
#[test]
fn a_log_that_ends_at_an_abort_is_understood() {
    let log =
        format!("7 seccomp(SECCOMP_SET_MODE_FILTER, 1, x) = 0\n7 {}(SIG_UNBLOCK) = {}\n", ABORT.0, ABORT.1);
    assert_eq!(calls(&log), Some(vec![(ABORT.0.to_owned(), false)]));
    let log = format!("7 seccomp(SECCOMP_SET_MODE_FILTER, 1, x) = 0\n7 {}(SIG_UNBLOCK) = 0\n", ABORT.0);
    assert_eq!(calls(&log), Some(vec![(ABORT.0.to_owned(), true)]));
}

#[test]
fn the_eye_sees() {
    let log = "7 seccomp(SECCOMP_SET_MODE_FILTER, 1, x) = 0\n7 read(0, \"\", 4) = 4\n7 socket(AF_INET, 1, 0) = 3\n\
               8 fork( <unfinished ...>\n7 open(\"/x\") = -1 EACCES (Permission denied)\n8 <... fork resumed>) = ?\n\
               8 +++ killed by SIGSYS +++\n7 kill(1, 9) = 62\n7 +++ killed by SIGSYS +++\n";
    let seen = calls(log).expect("locked");
    let wanted = [
        ("read", true),
        ("socket", true),
        ("fork", false),
        ("open", false),
        ("fork", false),
        ("kill", false),
    ];
    assert_eq!(seen, wanted.map(|(name, done)| (name.to_owned(), done)));
    let interrupted = "7 seccomp(SECCOMP_SET_MODE_FILTER, 1, x <unfinished ...>\n8 read(0, \"\", 4) = 4\n\
                       7 <... seccomp resumed>) = 0\n7 seccomp(SECCOMP_SET_MODE_FILTER, 1, x) = 0\n";
    let seen = calls(interrupted).expect("locked");
    assert_eq!(seen, [("read", true), ("seccomp", true)].map(|(name, done)| (name.to_owned(), done)));
}
