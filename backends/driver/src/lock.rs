//! Locks of files, which end with the process that holds them.

use std::fs::File;
use std::io;

#[cfg(unix)]
mod operations {
    use std::ffi::c_int;

    unsafe extern "C" {
        pub(super) fn flock(file: c_int, operation: c_int) -> c_int;
    }
    pub(super) const EXCLUSIVE_AT_ONCE: c_int = 2 | 4;
    pub(super) const UNLOCK: c_int = 8;
}

/// Locks an open file for this handle alone, at once or not at all. The lock lasts until [`unlock`], until the handle
/// and all that were inherited from it are closed, or until their processes have ended, however.
///
/// # Errors
/// `WouldBlock`: somebody else has it, perhaps in this process. `Unsupported`, or what the system says: there are no
/// locks on this file system.
#[cfg(unix)]
pub fn try_lock(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is the file's, which is open.
    match unsafe { operations::flock(file.as_raw_fd(), operations::EXCLUSIVE_AT_ONCE) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// As on Unix; there are no locks here.
///
/// # Errors
/// Always `Unsupported`.
#[cfg(not(unix))]
pub fn try_lock(_: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a lock back, also where a forked process still has the handle.
pub fn unlock(file: &File) {
    #[cfg(unix)]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: the descriptor is the file's, which is open. A file that is not locked stays so.
        unsafe { operations::flock(file.as_raw_fd(), operations::UNLOCK) };
    }
    #[cfg(not(unix))]
    let _ = file;
}
