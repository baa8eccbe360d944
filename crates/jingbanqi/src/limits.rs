//! The limits of extensions. The worker enforces them; pages and sentences tell them to authors.

use std::time::Duration;

/// The time limit of a call, in CPU time.
pub const CALL: Duration = Duration::from_millis(50);
/// The time limit for loading one file, with its compilation, in CPU time.
pub const LOAD: Duration = Duration::from_secs(1);
/// The time limit of a ply, with the listing of its moves, in CPU time.
pub const PLY: Duration = Duration::from_secs(2);
/// The most memory that the extensions of a game may take beside the interpreter, in bytes of address space.
pub const MEMORY: u64 = 96 << 20;
/// The greatest depth of nested calls.
pub const DEPTH: usize = 200;
