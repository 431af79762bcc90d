//! Addresses of which some have memory. A process of a job that has a few rows of everything counts as having these, also where the
//! system does not promise more memory than there is; and whoever uses what was not asked for is stopped.

use brook_driver::{Committed, Error, ErrorKind, Result};
use std::io;
use std::ops::Range;
use std::ptr::{self, NonNull};

pub(crate) struct Reserved {
    memory: NonNull<u8>,
    /// A multiple of a page.
    bytes: usize,
    committed: Committed,
}

// SAFETY: the pointer is only handed out as a raw one, and the system's calls are thread-safe.
unsafe impl Send for Reserved {}
// SAFETY: as above.
unsafe impl Sync for Reserved {}

impl Reserved {
    /// Addresses for at least so many bytes.
    pub(crate) fn new(bytes: usize) -> Result<Self> {
        // SAFETY: it only asks.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).unwrap_or(1 << 16).max(1);
        let none = || lack(bytes, "addresses for");
        let rounded = bytes.max(1).checked_next_multiple_of(page);
        let bytes = rounded.ok_or_else(none)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new memory, wherever there is room.
        let memory = unsafe { libc::mmap(ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if memory == libc::MAP_FAILED {
            return Err(none());
        }
        Ok(Self {
            memory: NonNull::new(memory.cast()).ok_or_else(none)?,
            bytes,
            committed: Committed::new(bytes, page, 0),
        })
    }

    pub(crate) fn memory(&self) -> NonNull<u8> {
        self.memory
    }

    /// Sees to it that a range can be used.
    pub(crate) fn commit(&self, range: &Range<usize>) -> Result<()> {
        self.committed.commit(range, |gap| {
            let at = self.memory.as_ptr().wrapping_add(gap.start).cast();
            let access = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: whole pages of this mapping, which nobody uses so far.
            match unsafe { libc::mprotect(at, gap.len(), access) } {
                0 => Ok(()),
                _ => Err(lack(gap.len(), "bytes of host memory, of")),
            }
        })
    }
}

fn lack(bytes: usize, what: &str) -> Error {
    let reason = io::Error::last_os_error();
    let message = format!("cannot allocate {what} {bytes} bytes: {reason}");
    Error::new(ErrorKind::Memory, message)
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: mapped in `new`, and unmapped only here; whoever dropped it uses it no more.
        let _ = unsafe { libc::munmap(self.memory.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use crate::memory::HostBuffer;
    use brook_driver::{Buffer, Result};

    /// More than any machine has.
    const BYTES: usize = 1 << 45;

    #[test]
    fn memory_comes_where_it_is_committed() -> Result<()> {
        let memory = HostBuffer::reserve(BYTES)?;
        for at in [0, 12_345_678, BYTES / 2, BYTES - 5] {
            memory.commit(at..at + 5)?;
            memory.write(at, b"there")?;
        }
        let part = memory.slice(BYTES / 2 - 3, 100)?;
        // Beside what is there already.
        part.commit(0..100)?;
        let mut found = [0; 10];
        part.read(0, &mut found)?;
        assert_eq!(&found, b"\0\0\0there\0\0");
        assert!(memory.commit(BYTES - 4..BYTES + 1).is_err());
        Ok(())
    }
}
