//! The fence around a foreign engine.
//!
//! The program that asks an engine starts itself once more, as `qiguan confined --folder … -- engine`. That process puts
//! up the fence around itself and then becomes the engine, so nothing of the engine ever runs outside. On Linux the
//! fence is Landlock: the engine reads the system's programs and libraries and its own folder, writes into its folder
//! alone, and, from Linux 6.7 on, opens no TCP connection and waits for none but on the port of its protocol. What Landlock has no say in stays as it was: UDP, signals to
//! other processes of the same user (until Linux 6.12), and how much processor and memory it takes. Where there is no
//! Landlock, as on other systems or on older kernels, the engine runs with the rights of whoever started it, and a
//! line on standard error says so.
//!
//! On Linux the process also asks to be killed when its parent dies, which stays true when it becomes the engine. Elsewhere
//! an engine learns of its parent's death by the end of its input.

use std::path::{Path, PathBuf};

/// What a confined program may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rights {
    /// Where it may read and write.
    pub folder: PathBuf,
    /// What else it may read and run.
    pub reads: Vec<PathBuf>,
    /// The TCP port on which it may wait to be called.
    pub port: Option<u16>,
}

/// Puts up the fence and becomes the program. Returns only when that cannot be done, with the reason.
#[must_use]
pub fn become_confined(rights: &Rights, command: &[String]) -> String {
    let Some((program, arguments)) = command.split_first() else { return "no command".to_owned() };
    let Some(program) = super::process::find(program) else { return format!("{program}: no such program") };
    if let Err(why) = fence(rights, &program) {
        return why;
    }
    start(&program, arguments)
}

#[cfg(unix)]
fn start(program: &Path, arguments: &[String]) -> String {
    use std::os::unix::process::CommandExt;
    let why = std::process::Command::new(program).args(arguments).exec();
    format!("{}: {why}", program.display())
}

#[cfg(not(unix))]
fn start(program: &Path, arguments: &[String]) -> String {
    match std::process::Command::new(program).args(arguments).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(why) => format!("{}: {why}", program.display()),
    }
}

/// What every program needs to run at all.
#[cfg(target_os = "linux")]
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/etc",
    "/proc",
    "/sys/devices/system",
    "/nix",
    "/gnu",
];
/// Devices that are no danger.
#[cfg(target_os = "linux")]
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

#[cfg(target_os = "linux")]
fn fence(rights: &Rights, program: &Path) -> Result<(), String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus, path_beneath_rules,
    };
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|why| why.to_string())?;
    // The newest we know of; older kernels do what they can of it.
    let abi = ABI::V6;
    let build = || {
        let read = AccessFs::from_read(abi);
        let reads = SYSTEM.iter().map(PathBuf::from).chain(rights.reads.iter().cloned());
        let home = program.parent().map(Path::to_path_buf);
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .create()?
            .add_rules(path_beneath_rules(reads.chain(home), read))?
            .add_rules(path_beneath_rules(DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
            .add_rules(path_beneath_rules([&rights.folder], AccessFs::from_all(abi)))?
            .add_rules(
                rights
                    .port
                    .map(|port| Ok::<_, landlock::RulesetError>(NetPort::new(port, AccessNet::BindTcp))),
            )?
            .restrict_self()
    };
    let status = build().map_err(|why: landlock::RulesetError| why.to_string())?;
    if status.ruleset == RulesetStatus::NotEnforced {
        eprintln!("qiguan: this system has no Landlock; {} runs without a fence", program.display());
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn fence(_: &Rights, program: &Path) -> Result<(), String> {
    eprintln!("qiguan: {} runs without a fence on this system", program.display());
    Ok(())
}
