//! Gives freed memory back to the system.
//!
//! glibc returns only the end of an arena to the system; memory freed below a block in use stays with the process for
//! ever, although it is not needed. `malloc_trim` returns all whole free pages. A minute and a half after ten
//! attackers the server held 101 MB, and after this 82 to 85 MB.

/// Returns the free pages of all arenas to the system; each arena is locked while it is searched. Returns true if
/// there were any: always `false` with an allocator other than glibc's.
pub fn trim() -> bool {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: `malloc_trim` takes a number of bytes, touches no memory that is in use, and may be called by any
        // thread at any time (malloc_trim(3): MT-Safe).
        #[expect(unsafe_code, reason = "no library offers this call; measured in the commit that brought it")]
        let returned = unsafe { libc::malloc_trim(0) };
        returned == 1
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    false
}
