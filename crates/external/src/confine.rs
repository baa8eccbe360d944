//! The fence around a foreign engine.
//!
//! The calling program starts itself once more, as `qiguan confined --folder … -- engine`. That process puts up the
//! fence around itself and then becomes the engine, so no instruction of the engine ever runs outside. On Linux the
//! fence consists of parts that are independent of each other:
//!
//! - an unprivileged user, where the hall runs as root and may change it: user 65534, or the one in the configuration
//!   file;
//! - Landlock: the files that the engine may read and write; no TCP connection, and no signal to and no abstract
//!   socket of a process outside;
//! - a seccomp filter (`filter`): only the system calls for computing, threads, files and pipes;
//! - resource limits: address space, processes and threads, open files, the size of a file, no core dump;
//! - a session of its own, an environment of a few variables, and death with the thread that started it.
//!
//! The use of resources over time (processor, disk) is watched from outside, by `watch`. Kernels differ: [`lacking`]
//! lists the parts that the running kernel does not have. On systems other than Linux there is no fence: an engine
//! has the rights of the user who started it, and learns of its parent's death by the end of its input.

#[cfg(target_os = "linux")]
mod filter;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::Problem;

/// The unprivileged user id, and group id, that engines run as when the hall is root.
pub const NOBODY: u32 = 65_534;

/// The rights of a confined program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rights {
    /// The working directory, in which the program may read and run programs.
    pub folder: PathBuf,
    /// Other files and folders that it may read and run.
    pub reads: Vec<PathBuf>,
    /// Files and folders that it may read and write.
    pub writes: Vec<PathBuf>,
    /// Its private folder for temporary files, which is also its home. It may write there, too.
    pub temporary: Option<PathBuf>,
    /// The TCP port on which it may listen.
    pub port: Option<u16>,
    /// The most address space of a process, in MiB; `None`: no limit.
    pub memory_mb: Option<u64>,
    /// The number of additional processes that it may start; threads do not count.
    pub processes: u32,
    /// The id of the user that it runs as, when the launcher is root; 0: it stays root; `None`: the unprivileged
    /// default user.
    pub user: Option<u32>,
    /// The amount by which its scheduling priority is lowered (`nice`), from 0 to 19.
    pub nice: u8,
    /// Environment variables besides `PATH`, `LANG`, `HOME` and `TMPDIR`.
    pub environment: BTreeMap<String, String>,
    /// The process that must still be the parent when the fence is up. `None`: any process.
    pub parent: Option<u32>,
}

/// Puts up the fence and becomes the program. Returns only when that cannot be done, with the reason.
#[must_use]
pub fn become_confined(rights: &Rights, command: &[String]) -> String {
    let Some((program, arguments)) = command.split_first() else { return "no command".to_owned() };
    let Some(program) = super::process::find(program) else { return missing(program) };
    if let Err(why) = fence(rights, &program) {
        return why;
    }
    start(rights, &program, arguments)
}

/// Returns the reason for which a program was not found: its folders may be closed to the engine's user.
fn missing(program: &str) -> String {
    match std::fs::metadata(program) {
        Err(why) if why.kind() == std::io::ErrorKind::PermissionDenied => {
            format!("{program}: {}", not_for_others())
        }
        _ => format!("{program}: no such program"),
    }
}

fn not_for_others() -> String {
    #[cfg(target_os = "linux")]
    let user = format!("user {}, as which engines run,", rustix::process::getuid().as_raw());
    #[cfg(not(target_os = "linux"))]
    let user = "this user";
    format!(
        "{user} may not run it: let others read and enter its folders (chmod o+rx), or name another `user` in the file of engines"
    )
}

/// Returns the environment of an engine, without the variables meant for the hall.
fn environment(rights: &Rights) -> BTreeMap<String, String> {
    let inherited = |name: &str| std::env::var(name).ok();
    let home = rights.temporary.as_ref().map_or_else(|| "/".to_owned(), |path| path.display().to_string());
    let mut kept = BTreeMap::from([
        ("PATH".to_owned(), inherited("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".to_owned())),
        ("LANG".to_owned(), inherited("LANG").unwrap_or_else(|| "C.UTF-8".to_owned())),
        ("HOME".to_owned(), home.clone()),
    ]);
    if rights.temporary.is_some() {
        kept.insert("TMPDIR".to_owned(), home);
    }
    kept.extend(rights.environment.clone());
    kept
}

fn program_command(rights: &Rights, program: &Path, arguments: &[String]) -> std::process::Command {
    let mut command = std::process::Command::new(program);
    command.args(arguments).env_clear().envs(environment(rights));
    command
}

#[cfg(unix)]
fn start(rights: &Rights, program: &Path, arguments: &[String]) -> String {
    use std::os::unix::process::CommandExt;
    let why = program_command(rights, program, arguments).exec();
    format!("{}: {why}", program.display())
}

#[cfg(not(unix))]
fn start(rights: &Rights, program: &Path, arguments: &[String]) -> String {
    match program_command(rights, program, arguments).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(why) => format!("{}: {why}", program.display()),
    }
}

/// Returns the parts of the fence that this system does not have, as warnings for the operator of a hall:
/// `fence-no-files`, `fence-no-tcp`, `fence-no-signals`, `fence-no-filter`, `fence-no-user`; `fence-none` where there
/// is no fence at all.
#[must_use]
pub fn lacking() -> Vec<Problem> {
    #[cfg(target_os = "linux")]
    let lacking = linux::lacking();
    #[cfg(not(target_os = "linux"))]
    let lacking = vec![Problem::new("fence-none")];
    lacking
}

#[cfg(target_os = "linux")]
fn fence(rights: &Rights, program: &Path) -> Result<(), String> {
    linux::fence(rights, program)
}

#[cfg(not(target_os = "linux"))]
fn fence(_: &Rights, program: &Path) -> Result<(), String> {
    eprintln!("qiguan: {} runs without a fence on this system", program.display());
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};

    use kernel::Problem;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use rustix::fs::Access as May;
    use rustix::process::{Resource, Rlimit, Signal};

    use super::{NOBODY, Rights, filter};

    /// The newest version of Landlock used; older kernels apply the parts that they support.
    const ABI: ABI = ABI::V6;

    /// The readable parts of the system: programs, libraries, and the files that programs need to find them. Not all
    /// of `/etc`, where other services keep their secrets, and nothing of `/proc` that is about other processes.
    const SYSTEM: [&str; 34] = [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/nix/store",
        "/gnu/store",
        "/etc/alternatives",
        "/etc/group",
        "/etc/host.conf",
        "/etc/hosts",
        "/etc/ld-musl-x86_64.path",
        "/etc/ld.so.cache",
        "/etc/ld.so.conf",
        "/etc/ld.so.conf.d",
        "/etc/ld.so.preload",
        "/etc/locale.alias",
        "/etc/localtime",
        "/etc/nsswitch.conf",
        "/etc/passwd",
        "/etc/ssl/openssl.cnf",
        "/etc/timezone",
        "/proc/cpuinfo",
        "/proc/filesystems",
        "/proc/loadavg",
        "/proc/meminfo",
        "/proc/stat",
        "/proc/sys/vm/overcommit_memory",
        "/proc/version",
        "/sys/devices/system/cpu",
        "/sys/devices/system/node",
        "/sys/fs/cgroup/cpu.max",
        "/sys/kernel/mm/transparent_hugepage",
    ];
    /// The harmless devices that an engine may read and write.
    const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

    /// The most open files, pipes included.
    const FILES: u64 = 256;
    /// The longest file it may write, in bytes.
    const FILE_BYTES: u64 = 256 << 20;
    /// The number of threads and processes that its user may have in addition to those running at the start. The
    /// hall's own threads count if the user is the same, so this limit stops a fork bomb and is no exact measure.
    const TASKS: u64 = 1024;

    /// The capabilities needed to run an engine as another user and to end it: chown, kill, setgid, setuid.
    const TO_CHANGE_USER: u64 = 1 | 1 << 5 | 1 << 6 | 1 << 7;

    pub(super) fn lacking() -> Vec<Problem> {
        let strict = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let files = strict().handle_access(AccessFs::from_all(ABI::V1)).is_ok();
        let tcp = strict().handle_access(AccessNet::from_all(ABI::V4)).is_ok();
        let signals = strict().scope(Scope::from_all(ABI::V6)).is_ok();
        let user = !rustix::process::geteuid().is_root() || may_change_user();
        let parts = [
            ("fence-no-files", files),
            ("fence-no-tcp", tcp),
            ("fence-no-signals", signals),
            ("fence-no-filter", filter::is_possible()),
            ("fence-no-user", user),
        ];
        parts.into_iter().filter(|(_, is_there)| !is_there).map(|(key, _)| Problem::new(key)).collect()
    }

    pub(super) fn fence(rights: &Rights, program: &Path) -> Result<(), String> {
        change_user(rights)?;
        // A leader of a group cannot begin a session; then it is a shell that started us, for a test.
        let _ = rustix::process::setsid();
        die_with_parent(rights)?;
        let rights = &accessible(rights, program)?;
        refuse_32_bits(program)?;
        if rights.nice > 0 {
            rustix::process::nice(i32::from(rights.nice.min(19))).map_err(said("nice"))?;
        }
        limits(rights)?;
        let signals_are_scoped = landlock(rights, program)?;
        filter::apply(&filter::FilterOptions {
            listens: rights.port.is_some(),
            processes: rights.processes > 0,
            signals_are_scoped,
        })
    }

    fn said<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> String + '_ {
        move |why| format!("the fence cannot be put up ({what}): {why}")
    }

    /// Returns true if root may change to another user here and kill that user's processes; containers may forbid it.
    fn may_change_user() -> bool {
        let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("CapEff:"));
        let held = line.and_then(|line| u64::from_str_radix(line.trim(), 16).ok()).unwrap_or(0);
        held & TO_CHANGE_USER == TO_CHANGE_USER
    }

    /// Restarts this program as the engine's user, if it is root; the second process comes here again and goes on.
    /// (There is no safe interface to change the user of a running process, and a change would undo its tie to its
    /// parent.)
    fn change_user(rights: &Rights) -> Result<(), String> {
        let user = rights.user.unwrap_or(NOBODY);
        if !rustix::process::geteuid().is_root() || user == 0 {
            return Ok(());
        }
        if !may_change_user() {
            eprintln!("qiguan: root may not change its user here; the engine runs as root");
            return Ok(());
        }
        if let Some(folder) = &rights.temporary {
            std::os::unix::fs::chown(folder, Some(user), Some(user)).map_err(said("chown"))?;
        }
        let mut again = std::process::Command::new("/proc/self/exe");
        let why = again.args(std::env::args_os().skip(1)).uid(user).gid(user).exec();
        if rustix::process::geteuid().is_root() {
            // No such user in this namespace.
            eprintln!("qiguan: the engine runs as root: user {user}: {why}");
            return Ok(());
        }
        Err(format!(
            "the hall is root, so engines run as user {user}, who may not run this program ({why}): let others run it (chmod o+x)"
        ))
    }

    fn die_with_parent(rights: &Rights) -> Result<(), String> {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(said("parent"))?;
        // It may have died before.
        let parent = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get().unsigned_abs());
        if rights.parent.is_some_and(|wanted| wanted != parent) {
            return Err("whoever started the engine has ended".to_owned());
        }
        Ok(())
    }

    /// Returns the rights without the paths that this user cannot access, and prints a warning about each.
    fn accessible(rights: &Rights, program: &Path) -> Result<Rights, String> {
        let user = rustix::process::getuid().as_raw();
        let may = |path: &Path, how| rustix::fs::access(path, how).is_ok();
        if !may(program, May::EXEC_OK) {
            return Err(format!("{}: {}", program.display(), super::not_for_others()));
        }
        let tell = |path: &Path| {
            eprintln!("qiguan: {}: user {user}, as which engines run, may not read it", path.display());
        };
        let (readable, not): (Vec<_>, Vec<_>) =
            rights.reads.iter().cloned().partition(|path| may(path, May::READ_OK));
        not.iter().for_each(|path| tell(path));
        let mut rights = Rights { reads: readable, ..rights.clone() };
        if !may(&rights.folder, May::READ_OK | May::EXEC_OK) {
            tell(&rights.folder);
        }
        // Started by another user in a folder that this user may not look at.
        if rustix::fs::access(".", May::EXEC_OK).is_err() {
            let place = rights.temporary.clone().unwrap_or_else(|| PathBuf::from("/"));
            std::env::set_current_dir(place).map_err(said("folder"))?;
        }
        rights.writes.retain(|path| {
            let is_possible = may(path, May::WRITE_OK);
            if !is_possible {
                eprintln!("qiguan: {}: user {user}, as which engines run, may not write it", path.display());
            }
            is_possible
        });
        Ok(rights)
    }

    /// Refuses 32-bit programs: the filter knows only the system calls of the processor's usual mode.
    fn refuse_32_bits(program: &Path) -> Result<(), String> {
        let mut head = [0; 5];
        let read = std::fs::File::open(program).and_then(|mut file| file.read_exact(&mut head));
        if read.is_ok() && cfg!(target_pointer_width = "64") && head == *b"\x7fELF\x01" {
            return Err(format!(
                "{}: is a program of 32 bits, which the fence cannot hold; a file of engines can say `unconfined = true`",
                program.display()
            ));
        }
        Ok(())
    }

    fn limits(rights: &Rights) -> Result<(), String> {
        let limit = |resource, most: u64| {
            // Who has less already keeps it.
            let most = rustix::process::getrlimit(resource).maximum.map_or(most, |hard| hard.min(most));
            rustix::process::setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
                .map_err(said("limits"))
        };
        limit(Resource::Core, 0)?;
        limit(Resource::Fsize, FILE_BYTES)?;
        limit(Resource::Nofile, FILES)?;
        limit(Resource::Nproc, tasks_of_this_user() + TASKS + u64::from(rights.processes))?;
        rights.memory_mb.map_or(Ok(()), |memory| limit(Resource::As, memory.saturating_mul(1 << 20)))
    }

    /// Returns the number of threads of this user, which is the number that the process limit counts.
    fn tasks_of_this_user() -> u64 {
        let user = rustix::process::getuid().as_raw().to_string();
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let threads = |path: PathBuf| -> Option<u64> {
            let text = std::fs::read_to_string(path.join("status")).ok()?;
            let field =
                |name| text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next();
            (field("Uid:")? == user).then(|| field("Threads:")?.parse().ok()).flatten()
        };
        entries.filter_map(|entry| threads(entry.path())).sum()
    }

    /// Restricts files, TCP and signals by Landlock. Returns true if all parts are enforced, so that signals stay
    /// inside, too.
    fn landlock(rights: &Rights, program: &Path) -> Result<bool, String> {
        let read = AccessFs::from_read(ABI);
        let write: BitFlags<AccessFs> = AccessFs::ReadFile
            | AccessFs::ReadDir
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::Refer
            | AccessFs::MakeReg
            | AccessFs::MakeDir
            | AccessFs::MakeSym
            | AccessFs::RemoveFile
            | AccessFs::RemoveDir;
        // Its own entry in /proc, which stays its own when it becomes the engine.
        let own = PathBuf::from(format!("/proc/{}", std::process::id()));
        let home = program.parent().map(Path::to_path_buf);
        let run = SYSTEM.iter().map(PathBuf::from).chain(rights.reads.iter().cloned());
        let run = run.chain([rights.folder.clone()]).chain(home);
        let kept = rights.writes.iter().chain(&rights.temporary);
        let build = || {
            Ruleset::default()
                .set_compatibility(CompatLevel::BestEffort)
                .handle_access(AccessFs::from_all(ABI))?
                .handle_access(AccessNet::from_all(ABI))?
                .scope(Scope::from_all(ABI))?
                .create()?
                .add_rules(path_beneath_rules(run, read))?
                .add_rules(path_beneath_rules([own], AccessFs::ReadFile | AccessFs::ReadDir))?
                .add_rules(path_beneath_rules(DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
                .add_rules(path_beneath_rules(kept, write))?
                .add_rules(
                    rights.port.map(|port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::BindTcp))),
                )?
                .restrict_self()
        };
        let status = build().map_err(|why: RulesetError| said("Landlock")(why))?;
        if status.ruleset == RulesetStatus::NotEnforced {
            eprintln!("qiguan: this system has no Landlock: the engine reads what its user may read");
        }
        Ok(status.ruleset == RulesetStatus::FullyEnforced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_hears_nothing_of_the_halls_environment() {
        let rights = Rights {
            temporary: Some("/tmp/of-its-own".into()),
            environment: BTreeMap::from([("OMP_NUM_THREADS".to_owned(), "2".to_owned())]),
            ..Rights::default()
        };
        let known = environment(&rights);
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        assert_eq!(names, ["HOME", "LANG", "OMP_NUM_THREADS", "PATH", "TMPDIR"]);
        assert_eq!(known["HOME"], "/tmp/of-its-own");
    }
}
