//! Devices do not survive a fork: threads and connections stay with the parent.

use crate::{Error, ErrorKind, Result};

/// The process that something belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Process(u32);

impl Default for Process {
    fn default() -> Self {
        Self::current()
    }
}

impl Process {
    /// This one.
    pub fn current() -> Self {
        Self(std::process::id())
    }

    /// Whether this is still the process. In a child, the vendor's objects can be neither used nor
    /// freed.
    pub fn is_current(self) -> bool {
        self.0 == std::process::id()
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
