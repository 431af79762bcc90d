//! Buffers: unified shared memory.

use crate::session::Session;
use brook_driver::{
    Buffer, HostMemory, NativeMemory, Result, allocated, check_range, copy_overlapping,
    copy_through_host, ranges_overlap,
};
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// Memory of a device's context, or somebody else's.
struct Storage {
    session: Arc<Session>,
    address: *mut c_void,
    own: bool,
    host: bool,
}

// SAFETY: the address is only handed to SYCL, whose functions are thread-safe.
unsafe impl Send for Storage {}
// SAFETY: as above.
unsafe impl Sync for Storage {}

impl Storage {
    fn new(session: Arc<Session>, bytes: usize, host: bool) -> Result<Self> {
        session.enter()?;
        let mut address = std::ptr::null_mut();
        let bridge = session.bridge;
        // SAFETY: the device is live, and the pointer is to a live pointer.
        let failure = unsafe {
            (bridge.allocate)(
                session.device(),
                allocated(bytes),
                c_int::from(host),
                &raw mut address,
            )
        };
        bridge.check(failure, &format!("allocating {bytes} bytes of SYCL memory"))?;
        Ok(Self {
            session,
            address,
            own: true,
            host,
        })
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if !self.own || self.session.enter().is_err() {
            return;
        }
        let bridge = self.session.bridge;
        // SAFETY: the queue is live; a kernel that was enqueued with this memory may still run. Other queues have been
        // waited for by whoever ended them or read from them.
        let _ = bridge.text(unsafe { (bridge.wait)(self.session.queue()) });
        // SAFETY: allocated in `new`, freed only here, and no longer in use.
        unsafe { (bridge.release)(self.session.device(), self.address) };
    }
}

/// Device memory, or a part of it.
pub(crate) struct SyclBuffer {
    storage: Arc<Storage>,
    offset: usize,
    bytes: usize,
}

impl SyclBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize, host: bool) -> Result<Self> {
        Ok(Self {
            storage: Arc::new(Storage::new(session, bytes, host)?),
            offset: 0,
            bytes,
        })
    }

    /// Somebody else's memory.
    pub(crate) fn import(session: Arc<Session>, address: u64, bytes: usize) -> Self {
        Self {
            storage: Arc::new(Storage {
                session,
                address: std::ptr::with_exposed_provenance_mut(address as usize),
                own: false,
                host: false,
            }),
            offset: 0,
            bytes,
        }
    }

    /// The buffer behind the trait, if its memory belongs to this session's device.
    pub(crate) fn of<'b>(buffer: &'b dyn Buffer, session: &Arc<Session>) -> Option<&'b Self> {
        let own = buffer.as_any().downcast_ref::<Self>();
        own.filter(|b| Arc::ptr_eq(&b.storage.session, session))
    }

    /// The address kernels see, `offset` bytes into the buffer.
    pub(crate) fn address(&self, offset: usize) -> *mut c_void {
        let start = self.storage.address;
        start.wrapping_byte_add(self.offset + offset)
    }

    /// Whether two ranges of two buffers have memory in common.
    pub(crate) fn overlap(&self, offset: usize, other: &Self, from: usize, bytes: usize) -> bool {
        let (one, other) = (self.address(offset).addr(), other.address(from).addr());
        ranges_overlap(one, other, bytes)
    }

    fn session(&self) -> &Session {
        &self.storage.session
    }
}

impl Buffer for SyclBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (session, to) = (self.session(), self.address(offset));
        session.enter()?;
        let from = bytes.as_ptr().cast();
        // SAFETY: the range was checked, and the call waits while the bytes are borrowed.
        let failure = unsafe { (session.bridge.copy)(session.queue(), to, from, bytes.len(), 1) };
        session.bridge.check(failure, "writing to SYCL memory")
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (session, from) = (self.session(), self.address(offset));
        session.enter()?;
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: as in `write`.
        let failure = unsafe { (session.bridge.copy)(session.queue(), to, from, bytes.len(), 1) };
        session.bridge.check(failure, "reading from SYCL memory")
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let session = self.session();
        session.enter()?;
        // SAFETY: the range is this buffer's.
        let failure =
            unsafe { (session.bridge.zero)(session.queue(), self.address(0), self.bytes) };
        session.bridge.check(failure, "zeroing SYCL memory")
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let Some(own) = Self::of(source, &self.storage.session) else {
            return copy_through_host(self, offset, source, source_offset, bytes);
        };
        check_range(self.bytes, offset, bytes, "write")?;
        check_range(own.bytes, source_offset, bytes, "read")?;
        if bytes == 0 {
            return Ok(());
        }
        if self.overlap(offset, own, source_offset, bytes) {
            return copy_overlapping(self, offset, source, source_offset, bytes);
        }
        let (session, to, from) = (
            self.session(),
            self.address(offset),
            own.address(source_offset),
        );
        session.enter()?;
        // SAFETY: both ranges were checked, and do not overlap.
        let failure = unsafe { (session.bridge.copy)(session.queue(), to, from, bytes, 0) };
        session.bridge.check(failure, "copying SYCL memory")
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self {
            storage: self.storage.clone(),
            offset: self.offset + offset,
            bytes,
        }))
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::Address(self.address(0).expose_provenance() as u64)
    }

    fn host(&self) -> Option<*mut u8> {
        self.storage.host.then(|| self.address(0).cast())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Host memory that copies need no detour for.
pub(crate) struct HostBlock {
    storage: Storage,
}

impl HostBlock {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        let storage = Storage::new(session, bytes, true)?;
        // SAFETY: the allocation has at least that many bytes.
        unsafe { storage.address.cast::<u8>().write_bytes(0, bytes) };
        Ok(Self { storage })
    }
}

impl HostMemory for HostBlock {
    fn pointer(&self) -> *mut u8 {
        self.storage.address.cast()
    }
}
