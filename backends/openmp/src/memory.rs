//! Buffers: aligned host memory.

use crate::queue;
use brook_driver::{Buffer, Error, ErrorKind, Result, check_range};
use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::ptr::NonNull;

/// A page of a cache's worth: any vector type is aligned, and no two buffers share a cache line.
const ALIGNMENT: usize = 256;

/// Uninitialised host memory, freed when dropped.
pub(crate) struct HostBuffer {
    memory: NonNull<u8>,
    layout: Layout,
    bytes: usize,
}

// SAFETY: the memory is owned by this value alone, and every access to it holds the queue's lock.
unsafe impl Send for HostBuffer {}
// SAFETY: as above.
unsafe impl Sync for HostBuffer {}

impl HostBuffer {
    pub(crate) fn new(bytes: usize) -> Result<Self> {
        let out_of_memory = || {
            Error::new(
                ErrorKind::Memory,
                format!("cannot allocate {bytes} bytes of host memory"),
            )
        };
        // A buffer of zero bytes gets one, so that it too has an address of its own.
        let layout =
            Layout::from_size_align(bytes.max(1), ALIGNMENT).map_err(|_| out_of_memory())?;
        // SAFETY: the layout's size is at least one.
        let memory = NonNull::new(unsafe { alloc(layout) }).ok_or_else(out_of_memory)?;
        Ok(Self {
            memory,
            layout,
            bytes,
        })
    }

    /// The address kernels see.
    pub(crate) fn address(&self) -> u64 {
        self.memory.as_ptr().expose_provenance() as u64
    }
}

impl Buffer for HostBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        let _turn = queue();
        // SAFETY: the range was checked; the lock keeps others away; a borrowed slice of the caller
        // cannot overlap memory that is never lent out.
        unsafe {
            self.memory
                .as_ptr()
                .add(offset)
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Ok(())
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        let _turn = queue();
        // SAFETY: as in `write`. Bytes nobody wrote hold whatever the allocator left there.
        unsafe {
            self.memory
                .as_ptr()
                .add(offset)
                .copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }

    fn zero(&self) -> Result<()> {
        let _turn = queue();
        // SAFETY: the allocation holds `bytes` bytes, and the lock keeps others away.
        unsafe { self.memory.as_ptr().write_bytes(0, self.bytes) };
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HostBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout, and freed nowhere else.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}
