//! Locking of the worker process, once its interpreter has started and before the first line of an extension runs.
//!
//! Each measure stands alone: no files by landlock, little memory and no further process by limits, and a filter that
//! kills at any system call but the few that computing needs. An error code instead of the kill does not suffice:
//! `abort` and the guard of the stack would spin on it.

use std::io;

/// Makes this process die with its parent, from now on.
pub(crate) fn die_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

/// Locks all but the filter, which comes after the last thread has started.
pub(crate) fn limits() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    linux::limits()?;
    Ok(())
}

/// The filter on calls to the system, for every thread. `replies`: the descriptor that may be written to besides standard
/// output and standard error, which lead nowhere.
pub(crate) fn filter(replies: i32) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    linux::filter(replies)?;
    #[cfg(not(target_os = "linux"))]
    let _ = replies;
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::io;

    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, Scope};
    use rustix::process::{Resource, Rlimit, setrlimit};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, apply_filter_all_threads,
    };

    use jingbanqi::limits::MEMORY;

    pub(super) fn limits() -> io::Result<()> {
        let taken = address_space()?;
        landlock()?;
        let limit = |resource, most| {
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).map_err(io::Error::from)
        };
        limit(Resource::As, taken + MEMORY)?;
        limit(Resource::Nofile, 3)?;
        limit(Resource::Nproc, 0)?;
        limit(Resource::Fsize, 0)?;
        limit(Resource::Core, 0)
    }

    /// Returns the size of the address space of this process, in bytes.
    fn address_space() -> io::Result<u64> {
        let text = std::fs::read_to_string("/proc/self/status")?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmSize:"));
        let kilobytes: Option<u64> = line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok());
        kilobytes.map(|kilobytes| kilobytes << 10).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Forbids access to files, ports and other processes through landlock, as far as the kernel supports it. On an
    /// old kernel without landlock only the filter protects.
    fn landlock() -> io::Result<()> {
        let abi = ABI::V6;
        Ruleset::default()
            .handle_access(AccessFs::from_all(abi))
            .and_then(|rules| rules.handle_access(AccessNet::from_all(abi)))
            .and_then(|rules| rules.scope(Scope::from_all(abi)))
            .and_then(|rules| rules.create())
            .and_then(|rules| rules.restrict_self())
            .map(drop)
            .map_err(io::Error::other)
    }

    pub(super) fn filter(replies: i32) -> io::Result<()> {
        let program = program(replies as u64).map_err(io::Error::other)?;
        apply_filter_all_threads(&program).map_err(io::Error::other)
    }

    fn program(replies: u64) -> Result<BpfProgram, seccompiler::BackendError> {
        let only = |argument, comparison, value| {
            SeccompRule::new(vec![SeccompCondition::new(
                argument,
                SeccompCmpArgLen::Dword,
                comparison,
                value,
            )?])
        };
        let any = Vec::new;
        let unexecutable = || only(2, SeccompCmpOp::MaskedEq(libc::PROT_EXEC as u64), 0);
        let rules: BTreeMap<i64, Vec<SeccompRule>> = [
            (libc::SYS_read, vec![only(0, SeccompCmpOp::Eq, 0)?]),
            (
                libc::SYS_write,
                [1, 2, replies]
                    .map(|to| only(0, SeccompCmpOp::Eq, to))
                    .into_iter()
                    .collect::<Result<_, _>>()?,
            ),
            (libc::SYS_mmap, vec![unexecutable()?]),
            (libc::SYS_mprotect, vec![unexecutable()?]),
            (libc::SYS_munmap, any()),
            (libc::SYS_mremap, any()),
            (libc::SYS_brk, any()),
            (libc::SYS_madvise, any()),
            (libc::SYS_futex, any()),
            // The system itself calls it, where a wait was interrupted because the process was stopped for a while.
            (libc::SYS_restart_syscall, any()),
            (libc::SYS_exit, any()),
            (libc::SYS_exit_group, any()),
            (libc::SYS_rt_sigreturn, any()),
            (libc::SYS_clock_gettime, any()),
            (libc::SYS_getrandom, any()),
            (libc::SYS_sched_yield, any()),
            (libc::SYS_getpid, any()),
        ]
        .into_iter()
        .collect();
        let arch = std::env::consts::ARCH.try_into()?;
        SeccompFilter::new(rules, SeccompAction::KillProcess, SeccompAction::Allow, arch)?.try_into()
    }
}
