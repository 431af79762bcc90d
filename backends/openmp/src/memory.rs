//! Buffers: aligned host memory, and the host program's own.

#[cfg(unix)]
use crate::reserved::Reserved;
use crate::turn::turn;
use brook_driver::{
    Buffer, Error, ErrorKind, NativeMemory, Result, check_range, copy_through_host,
};
use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

/// A page of a cache's worth: any vector type is aligned, and no two buffers share a cache line.
const ALIGNMENT: usize = 256;

/// Host memory, freed when the last buffer over it is dropped; or somebody else's.
pub(crate) struct Storage {
    memory: NonNull<u8>,
    kind: Kind,
}

/// Whose memory it is, and how it ends.
enum Kind {
    Allocated(Layout),
    #[cfg(unix)]
    Reserved(Reserved),
    Others,
}

// SAFETY: every access to the memory takes its turn in `crate::turn`, but for the host program's own
// memory, for whose use the importer vouches.
unsafe impl Send for Storage {}
// SAFETY: as above.
unsafe impl Sync for Storage {}

impl Storage {
    /// The address `offset` bytes into the memory.
    pub(crate) fn at(&self, offset: usize) -> *mut u8 {
        self.memory.as_ptr().wrapping_add(offset)
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Kind::Allocated(layout) = self.kind {
            // SAFETY: allocated in `HostBuffer::new` with this layout, and freed nowhere else.
            unsafe { dealloc(self.memory.as_ptr(), layout) };
        }
    }
}

/// Host memory, or a part of it.
pub(crate) struct HostBuffer {
    storage: Arc<Storage>,
    offset: usize,
    bytes: usize,
}

impl HostBuffer {
    /// Uninitialised memory.
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
        Ok(Self::over(memory, Kind::Allocated(layout), bytes))
    }

    #[cfg(unix)]
    /// Memory that can be used as far as it is [committed](Buffer::commit).
    pub(crate) fn reserve(bytes: usize) -> Result<Self> {
        let reserved = Reserved::new(bytes)?;
        let memory = reserved.memory();
        Ok(Self::over(memory, Kind::Reserved(reserved), bytes))
    }

    /// The host program's memory.
    pub(crate) fn of_host(memory: NonNull<u8>, bytes: usize) -> Self {
        Self::over(memory, Kind::Others, bytes)
    }

    fn over(memory: NonNull<u8>, kind: Kind, bytes: usize) -> Self {
        Self {
            storage: Arc::new(Storage { memory, kind }),
            offset: 0,
            bytes,
        }
    }

    /// The buffer behind the trait, if it is one of this driver's.
    pub(crate) fn of(buffer: &dyn Buffer) -> Option<&Self> {
        buffer.as_any().downcast_ref()
    }

    /// The address kernels see.
    pub(crate) fn address(&self) -> u64 {
        self.storage.at(self.offset).expose_provenance() as u64
    }

    /// What keeps the memory, and where in it the buffer begins.
    pub(crate) fn storage(&self) -> (&Arc<Storage>, usize) {
        (&self.storage, self.offset)
    }
}

impl Buffer for HostBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn host(&self) -> Option<*mut u8> {
        Some(self.storage.at(self.offset))
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        let _turn = turn();
        // SAFETY: the range was checked; the lock keeps others away. The caller's slice may be the
        // memory itself only where that was imported.
        unsafe {
            self.storage
                .at(self.offset + offset)
                .copy_from(bytes.as_ptr(), bytes.len());
        }
        Ok(())
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        let _turn = turn();
        // SAFETY: as in `write`. Bytes nobody wrote hold whatever the allocator left there.
        unsafe {
            self.storage
                .at(self.offset + offset)
                .copy_to(bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }

    fn zero(&self) -> Result<()> {
        let _turn = turn();
        // SAFETY: the memory holds `bytes` bytes from `offset`, and the lock keeps others away.
        unsafe { self.storage.at(self.offset).write_bytes(0, self.bytes) };
        Ok(())
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let Some(own) = Self::of(source) else {
            return copy_through_host(self, offset, source, source_offset, bytes);
        };
        check_range(self.bytes, offset, bytes, "write")?;
        check_range(own.bytes, source_offset, bytes, "read")?;
        let _turn = turn();
        // SAFETY: both ranges were checked, and may overlap; the lock keeps others away.
        unsafe {
            self.storage
                .at(self.offset + offset)
                .copy_from(own.storage.at(own.offset + source_offset), bytes);
        }
        Ok(())
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self {
            storage: self.storage.clone(),
            offset: self.offset + offset,
            bytes,
        }))
    }

    fn commit(&self, range: Range<usize>) -> Result<()> {
        check_range(self.bytes, range.start, range.len(), "commit")?;
        match &self.storage.kind {
            #[cfg(unix)]
            Kind::Reserved(reserved) => {
                reserved.commit(&(self.offset + range.start..self.offset + range.end))
            }
            Kind::Allocated(_) | Kind::Others => Ok(()),
        }
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::Host(self.storage.at(self.offset).cast())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
