//! Host memory that a device copies from and to without a detour.

use crate::error::{Error, ErrorKind, Result};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Host memory, freed when dropped, at least 64-byte aligned, and zero at first. Nobody else has its
/// address.
pub trait HostMemory: Send + Sync {
    /// Its first byte; not null, even if there are none.
    fn pointer(&self) -> *mut u8;
}

/// A cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Ordinary host memory, for devices that need no other.
pub struct AlignedMemory {
    memory: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory is this value's own, and only handed out as a raw pointer.
unsafe impl Send for AlignedMemory {}
// SAFETY: as above.
unsafe impl Sync for AlignedMemory {}

impl AlignedMemory {
    /// Memory of so many bytes.
    ///
    /// # Errors
    /// There is not as much.
    pub fn new(bytes: usize) -> Result<Self> {
        let none = || {
            Error::new(
                ErrorKind::Memory,
                format!("cannot allocate {bytes} bytes of host memory"),
            )
        };
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).map_err(|_| none())?;
        // SAFETY: the layout's size is at least one.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(none)?;
        Ok(Self { memory, layout })
    }
}

impl HostMemory for AlignedMemory {
    fn pointer(&self) -> *mut u8 {
        self.memory.as_ptr()
    }
}

impl Drop for AlignedMemory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout, and freed nowhere else.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}
