//! Devices do not survive a fork: threads and connections stay with the parent.

use crate::error::{Error, ErrorKind, Result};

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// The process that something belongs to: how many forks it came from since the first was counted. Asking the
/// system for a number takes longer than the rest of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Process(u32);

static FORKS: AtomicU32 = AtomicU32::new(0);

/// Runs in every child.
extern "C" fn count_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

#[cfg(unix)]
fn count_forks() {
    unsafe extern "C" {
        fn pthread_atfork(
            before: Option<extern "C" fn()>,
            parent: Option<extern "C" fn()>,
            child: Option<extern "C" fn()>,
        ) -> std::ffi::c_int;
    }
    static COUNTED: Once = Once::new();
    COUNTED.call_once(|| {
        // SAFETY: the function is POSIX's; what it calls does nothing that a child must not do.
        let _ = unsafe { pthread_atfork(None, None, Some(count_fork)) };
    });
}

#[cfg(not(unix))]
fn count_forks() {}

impl Default for Process {
    fn default() -> Self {
        Self::current()
    }
}

impl Process {
    /// This one.
    pub fn current() -> Self {
        count_forks();
        Self(FORKS.load(Ordering::Relaxed))
    }

    /// Whether this is still the process. In a child, the vendor's objects can be neither used nor
    /// freed.
    pub fn is_current(self) -> bool {
        self.0 == FORKS.load(Ordering::Relaxed)
    }

    /// As [`Process::is_current`], for calls that go on only if it is.
    ///
    /// # Errors
    /// This is a child of that process.
    pub fn check(self, what: &str) -> Result<()> {
        if self.is_current() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Device,
            format!(
                "{what} was opened before this process was forked, and works in the parent only: \
                 fork before the first use of a device, or start another program"
            ),
        ))
    }
}
