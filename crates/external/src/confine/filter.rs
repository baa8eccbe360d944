//! The filter of the system calls that an engine may make: computing, threads, files that Landlock allows, pipes. All
//! others are answered with "not implemented", as by an older kernel, so that libraries use their fallbacks: a C
//! library without `clone3` starts its threads with `clone`, whose flags can be checked.
//!
//! Left out on purpose, besides calls that no engine needs: sockets, signals to others, `ptrace` and related calls,
//! namespaces, mounts, keys, `bpf`, `perf_event_open`, `io_uring`, `userfaultfd`, modules; changes of owners, modes
//! and times of files, which Landlock does not control; limits and priorities of other processes; shared memory that
//! no limit counts (`memfd_create`, `shmget`).

/// The options of the filter.
pub(super) struct FilterOptions {
    /// Set if the engine listens on a TCP port.
    pub(super) listens: bool,
    /// Set if the engine may start additional processes.
    pub(super) processes: bool,
    /// Set if Landlock keeps signals inside; then the filter need not.
    pub(super) signals_are_scoped: bool,
}

/// Returns true if this kernel supports seccomp filters and the processor is supported.
pub(super) fn is_possible() -> bool {
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
        && std::path::Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
}

/// Installs the filter for this thread and all threads and processes that it starts.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) fn apply(wish: &FilterOptions) -> Result<(), String> {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    let said = |why: &dyn std::fmt::Display| format!("the fence cannot be put up (seccomp): {why}");
    let arch = std::env::consts::ARCH.try_into().map_err(|why: seccompiler::BackendError| said(&why))?;
    let refused = SeccompAction::Errno(u32::try_from(libc::ENOSYS).expect("a small number"));
    let build = || -> Result<BpfProgram, seccompiler::BackendError> {
        SeccompFilter::new(calls::allowed(wish)?, refused, SeccompAction::Allow, arch)?.try_into()
    };
    let program = build().map_err(|why| said(&why))?;
    match seccompiler::apply_filter(&program) {
        Ok(()) => Ok(()),
        Err(why) if is_possible() => Err(said(&why)),
        Err(why) => {
            eprintln!("qiguan: the engine runs without a filter of system calls: {why}");
            Ok(())
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn apply(_: &FilterOptions) -> Result<(), String> {
    eprintln!("qiguan: there is no filter of system calls for this processor");
    Ok(())
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod calls {
    use std::collections::BTreeMap;

    use libc::c_long;
    use seccompiler::{
        BackendError, SeccompCmpArgLen as Length, SeccompCmpOp as Op, SeccompCondition, SeccompRule,
    };

    use super::FilterOptions;

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    /// The system calls that are allowed with any arguments.
    #[rustfmt::skip]
    const ANY: &[c_long] = &[
        // Memory.
        libc::SYS_brk, libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_mprotect, libc::SYS_madvise,
        libc::SYS_mincore, libc::SYS_msync, libc::SYS_mlock, libc::SYS_mlock2, libc::SYS_munlock, libc::SYS_mbind,
        libc::SYS_get_mempolicy, libc::SYS_set_mempolicy, libc::SYS_membarrier,
        libc::SYS_pkey_alloc, libc::SYS_pkey_free, libc::SYS_pkey_mprotect,
        // Threads and time.
        libc::SYS_futex, libc::SYS_futex_waitv, libc::SYS_set_robust_list, libc::SYS_get_robust_list, libc::SYS_rseq,
        libc::SYS_set_tid_address, libc::SYS_sched_yield, libc::SYS_sched_getaffinity, libc::SYS_sched_getparam,
        libc::SYS_sched_getscheduler, libc::SYS_sched_get_priority_max, libc::SYS_sched_get_priority_min, libc::SYS_getcpu,
        libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_clock_gettime, libc::SYS_clock_getres,
        libc::SYS_gettimeofday, libc::SYS_times, libc::SYS_getitimer, libc::SYS_setitimer, libc::SYS_timer_create,
        libc::SYS_timer_settime, libc::SYS_timer_gettime, libc::SYS_timer_getoverrun, libc::SYS_timer_delete,
        libc::SYS_timerfd_create, libc::SYS_timerfd_settime, libc::SYS_timerfd_gettime,
        // What it is, and where it runs.
        libc::SYS_getpid, libc::SYS_getppid, libc::SYS_gettid, libc::SYS_getpgid, libc::SYS_getsid, libc::SYS_getuid,
        libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getegid, libc::SYS_getresuid, libc::SYS_getresgid,
        libc::SYS_getgroups, libc::SYS_capget, libc::SYS_getpriority, libc::SYS_getrusage, libc::SYS_sysinfo, libc::SYS_uname,
        libc::SYS_getrandom, libc::SYS_umask,
        // Signals to itself.
        libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigpending,
        libc::SYS_rt_sigsuspend, libc::SYS_rt_sigtimedwait, libc::SYS_sigaltstack, libc::SYS_restart_syscall,
        libc::SYS_signalfd4,
        // Becoming another program, and the end.
        libc::SYS_execve, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_wait4, libc::SYS_waitid,
        // Files: Landlock says which.
        libc::SYS_openat, libc::SYS_openat2, libc::SYS_close, libc::SYS_close_range, libc::SYS_read, libc::SYS_write,
        libc::SYS_readv, libc::SYS_writev, libc::SYS_pread64, libc::SYS_pwrite64, libc::SYS_preadv, libc::SYS_pwritev,
        libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_lseek, libc::SYS_fstat, libc::SYS_newfstatat, libc::SYS_statx,
        libc::SYS_statfs, libc::SYS_fstatfs, libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_readlinkat,
        libc::SYS_getdents64, libc::SYS_getcwd, libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_ftruncate, libc::SYS_fallocate,
        libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_flock, libc::SYS_fadvise64, libc::SYS_readahead,
        libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat, libc::SYS_renameat2, libc::SYS_symlinkat, libc::SYS_linkat,
        libc::SYS_copy_file_range, libc::SYS_sendfile,
        // Pipes and waiting.
        libc::SYS_dup, libc::SYS_dup3, libc::SYS_pipe2, libc::SYS_ppoll, libc::SYS_pselect6, libc::SYS_eventfd2,
        libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_pwait, libc::SYS_epoll_pwait2,
    ];

    /// The older system calls, which newer processors never had.
    #[cfg(target_arch = "x86_64")]
    #[rustfmt::skip]
    const OLDER: &[c_long] = &[
        libc::SYS_open, libc::SYS_creat, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink,
        libc::SYS_getdents, libc::SYS_mkdir, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_symlink,
        libc::SYS_link, libc::SYS_dup2, libc::SYS_pipe, libc::SYS_poll, libc::SYS_select, libc::SYS_eventfd,
        libc::SYS_epoll_create, libc::SYS_epoll_wait, libc::SYS_signalfd, libc::SYS_alarm, libc::SYS_pause, libc::SYS_time,
        libc::SYS_getpgrp, libc::SYS_getrlimit, libc::SYS_arch_prctl,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const OLDER: &[c_long] = &[];

    /// The system calls of a program that listens on a port; outgoing connections are not included.
    #[rustfmt::skip]
    const LISTENING: &[c_long] = &[
        libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4, libc::SYS_shutdown, libc::SYS_setsockopt,
        libc::SYS_getsockopt, libc::SYS_getsockname, libc::SYS_getpeername, libc::SYS_recvfrom, libc::SYS_recvmsg,
    ];

    /// Flags of `clone` that make namespaces (the first is `CLONE_NEWTIME`), a sibling, or a tracee.
    const FORBIDDEN: i32 = 0x80
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWNS
        | libc::CLONE_PARENT
        | libc::CLONE_PTRACE;

    /// The allowed `prctl` options: names of threads and of memory, and queries. The parent-death signal is not
    /// included: it stays set.
    const PRCTL: &[i32] = &[
        libc::PR_GET_PDEATHSIG,
        libc::PR_GET_DUMPABLE,
        libc::PR_SET_DUMPABLE,
        libc::PR_SET_NAME,
        libc::PR_GET_NAME,
        libc::PR_CAPBSET_READ,
        libc::PR_SET_TIMERSLACK,
        libc::PR_SET_NO_NEW_PRIVS,
        libc::PR_GET_NO_NEW_PRIVS,
        libc::PR_SET_THP_DISABLE,
        0x5356_4d41, // PR_SET_VMA
    ];

    /// The allowed `ioctl` requests: terminal test, number of readable bytes, blocking mode, closing on exec. A
    /// request that inserts input into a terminal is not included.
    const IOCTL: &[u32] = &[0x5401, 0x802c_542a, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

    /// The allowed `fcntl` commands: duplicating, flags, locks. Setting the process that is signalled when a file is
    /// ready is not included.
    const FCNTL: &[i32] = &[
        libc::F_DUPFD,
        libc::F_GETFD,
        libc::F_SETFD,
        libc::F_GETFL,
        libc::F_SETFL,
        libc::F_GETLK,
        libc::F_SETLK,
        libc::F_SETLKW,
        libc::F_OFD_GETLK,
        libc::F_OFD_SETLK,
        libc::F_OFD_SETLKW,
        libc::F_DUPFD_CLOEXEC,
        libc::F_SETPIPE_SZ,
        libc::F_GETPIPE_SZ,
    ];

    /// The TCP fast open flag: data sent with a connection request would open a connection.
    const FAST_OPEN: u64 = 0x2000_0000;

    fn is(argument: u8, op: Op, value: u64) -> Result<SeccompCondition, BackendError> {
        SeccompCondition::new(argument, Length::Dword, op, value)
    }

    fn all(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, BackendError> {
        SeccompRule::new(conditions)
    }

    fn one_of(argument: u8, values: impl IntoIterator<Item = u64>) -> Result<Vec<SeccompRule>, BackendError> {
        values.into_iter().map(|value| all(vec![is(argument, Op::Eq, value)?])).collect()
    }

    fn bits(value: i32) -> u64 {
        u64::from(value.cast_unsigned())
    }

    pub(super) fn allowed(wish: &FilterOptions) -> Result<Rules, BackendError> {
        let own = u64::from(std::process::id());
        let mut rules: Rules = ANY.iter().chain(OLDER).map(|call| (*call, Vec::new())).collect();
        rules.insert(libc::SYS_prctl, one_of(0, PRCTL.iter().map(|option| bits(*option)))?);
        rules.insert(libc::SYS_ioctl, one_of(1, IOCTL.iter().map(|request| u64::from(*request)))?);
        rules.insert(libc::SYS_fcntl, one_of(1, FCNTL.iter().map(|command| bits(*command)))?);
        for call in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity] {
            rules.insert(call, one_of(0, [0, own])?);
        }
        let thread = bits(libc::CLONE_THREAD);
        let threads = is(0, Op::MaskedEq(bits(FORBIDDEN) | thread), thread)?;
        rules.insert(libc::SYS_clone, vec![all(vec![threads])?]);
        if wish.processes {
            rules.insert(libc::SYS_clone, vec![all(vec![is(0, Op::MaskedEq(bits(FORBIDDEN)), 0)?])?]);
            #[cfg(target_arch = "x86_64")]
            rules.extend([libc::SYS_fork, libc::SYS_vfork].map(|call| (call, Vec::new())));
        }
        if wish.signals_are_scoped {
            let calls = [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo];
            rules.extend(calls.map(|call| (call, Vec::new())));
        } else {
            // A process that it started can send no signals, then, not even to itself.
            rules.insert(libc::SYS_kill, one_of(0, [own])?);
            rules.insert(libc::SYS_tgkill, one_of(0, [own])?);
        }
        if wish.listens {
            listening(&mut rules)?;
        }
        Ok(rules)
    }

    fn listening(rules: &mut Rules) -> Result<(), BackendError> {
        rules.extend(LISTENING.iter().map(|call| (*call, Vec::new())));
        let mut sockets = Vec::new();
        for family in [libc::AF_INET, libc::AF_INET6] {
            for protocol in [0, libc::IPPROTO_TCP] {
                sockets.push(all(vec![
                    is(0, Op::Eq, bits(family))?,
                    is(1, Op::MaskedEq(0xf), bits(libc::SOCK_STREAM))?,
                    is(2, Op::Eq, bits(protocol))?,
                ])?);
            }
        }
        rules.insert(libc::SYS_socket, sockets);
        rules.insert(libc::SYS_sendto, vec![all(vec![is(3, Op::MaskedEq(FAST_OPEN), 0)?])?]);
        rules.insert(libc::SYS_sendmsg, vec![all(vec![is(2, Op::MaskedEq(FAST_OPEN), 0)?])?]);
        Ok(())
    }
}
