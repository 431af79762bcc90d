//! Buffers.

use crate::peer;
use crate::session::Session;
use crate::status::check;
use crate::sys::{
    DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_MAPPED, HOST_PORTABLE, HOST_TO_DEVICE, SUCCESS,
};
use brook_driver::{
    Buffer, HostMemory, NativeMemory, Result, allocated, check_range, copy_overlapping,
    copy_through_host, ranges_overlap,
};
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// Device memory from `hipMalloc`, somebody else's, or host memory that the device reaches.
struct Storage {
    session: Arc<Session>,
    address: *mut c_void,
    /// From `hipMalloc`.
    own: bool,
    host: Option<Host>,
}

/// Host memory that the device reaches.
struct Host {
    pointer: *mut c_void,
    /// Whose memory it is, or whose pages are locked, as long as this is.
    kept: Option<Kept>,
}

enum Kept {
    Memory(#[expect(dead_code, reason = "dropped with the storage")] PinnedMemory),
    Range(#[expect(dead_code, reason = "dropped with the storage")] PinnedRange),
}

// SAFETY: the address is device memory, only handed to HIP, whose functions are thread-safe.
unsafe impl Send for Storage {}
// SAFETY: as above.
unsafe impl Sync for Storage {}

impl Drop for Storage {
    fn drop(&mut self) {
        // Failures leave nothing to do: the device is broken, or the process at its end.
        let kept = self.host.as_ref().is_some_and(|host| host.kept.is_some());
        if (self.own || kept) && self.session.enter().is_ok() {
            // A kernel that was enqueued with this memory may still run, in whichever queue.
            let _ = self.session.synchronize_all();
        }
        if self.own && self.session.enter().is_ok() {
            // SAFETY: allocated in `HipBuffer::new`, freed only here, and no longer in use.
            let _ = unsafe { (self.session.hip.free)(self.address) };
        }
    }
}

/// Device memory, or a part of it.
pub(crate) struct HipBuffer {
    storage: Arc<Storage>,
    offset: usize,
    bytes: usize,
}

impl HipBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.enter()?;
        let mut address = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { (session.hip.malloc)(&raw mut address, allocated(bytes)) };
        check(
            session.hip,
            status,
            &format!("allocating {bytes} bytes of HIP memory"),
        )?;
        Ok(Self {
            storage: Arc::new(Storage {
                session,
                address,
                own: true,
                host: None,
            }),
            offset: 0,
            bytes,
        })
    }

    /// Somebody else's memory.
    pub(crate) fn import(session: Arc<Session>, address: u64, bytes: usize) -> Self {
        let address = std::ptr::with_exposed_provenance_mut(address as usize);
        Self {
            storage: Arc::new(Storage {
                session,
                address,
                own: false,
                host: None,
            }),
            offset: 0,
            bytes,
        }
    }

    /// Page-locked host memory, which kernels reach where it is.
    pub(crate) fn shared(session: Arc<Session>, bytes: usize) -> Result<Self> {
        let memory = PinnedMemory::new(session.clone(), bytes)?;
        let pointer = memory.pointer;
        Self::of_host(session, pointer, Some(Kept::Memory(memory)), bytes)
    }

    /// The host program's memory. Its pages are locked as long as a buffer uses it, if they are not yet.
    ///
    /// # Safety
    /// The memory stays where it is as long as the result and its parts.
    pub(crate) unsafe fn import_host(
        session: Arc<Session>,
        pointer: *mut c_void,
        bytes: usize,
    ) -> Result<Self> {
        // SAFETY: by this function's contract.
        let range = unsafe { PinnedRange::new(session.clone(), pointer, allocated(bytes)) };
        Self::of_host(session, pointer, range.map(Kept::Range), bytes)
    }

    fn of_host(
        session: Arc<Session>,
        pointer: *mut c_void,
        kept: Option<Kept>,
        bytes: usize,
    ) -> Result<Self> {
        session.enter()?;
        let mut address = std::ptr::null_mut();
        // SAFETY: the answer is an address; the pointer is only looked up.
        let status = unsafe { (session.hip.host_get_device_pointer)(&raw mut address, pointer, 0) };
        let what = "asking where a GPU finds host memory";
        check(session.hip, status, what)?;
        Ok(Self {
            storage: Arc::new(Storage {
                session,
                address,
                own: false,
                host: Some(Host { pointer, kept }),
            }),
            offset: 0,
            bytes,
        })
    }

    /// The buffer behind the trait, if its memory belongs to this session's device.
    pub(crate) fn of<'b>(buffer: &'b dyn Buffer, session: &Arc<Session>) -> Option<&'b Self> {
        Self::any(buffer).filter(|b| Arc::ptr_eq(&b.storage.session, session))
    }

    /// The buffer behind the trait, of whichever HIP device.
    pub(crate) fn any(buffer: &dyn Buffer) -> Option<&Self> {
        buffer.as_any().downcast_ref::<Self>()
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

    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.storage.session
    }
}

/// Enqueues a copy.
///
/// # Safety
/// Both places have that many bytes, of the kinds that `kind` says, until the stream has come so far.
pub(crate) unsafe fn enqueue_copy(
    session: &Session,
    stream: *mut c_void,
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    kind: c_int,
) -> Result<()> {
    let what = match kind {
        HOST_TO_DEVICE => "writing to HIP memory",
        DEVICE_TO_HOST => "reading from HIP memory",
        _ => "copying HIP memory",
    };
    session.enter()?;
    // SAFETY: by this function's contract.
    let status = unsafe { (session.hip.memcpy_async)(to, from, bytes, kind, stream) };
    check(session.hip, status, what)
}

impl Buffer for HipBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (session, stream) = (self.session(), self.session().stream());
        let (to, from) = (self.address(offset), bytes.as_ptr().cast());
        // SAFETY: the range was checked, and the bytes are borrowed until the stream has been waited
        // for below.
        unsafe { enqueue_copy(session, stream, to, from, bytes.len(), HOST_TO_DEVICE) }?;
        session.synchronize("writing to HIP memory")
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (session, stream) = (self.session(), self.session().stream());
        if let Some(host) = self.host() {
            session.enter()?;
            session.synchronize("reading from HIP memory")?;
            // SAFETY: the range was checked; the host's memory is there as long as this, and what kernels did to it is done.
            unsafe { std::ptr::copy(host.add(offset), bytes.as_mut_ptr(), bytes.len()) };
            return Ok(());
        }
        let (to, from) = (bytes.as_mut_ptr().cast(), self.address(offset));
        // SAFETY: as in `write`.
        unsafe { enqueue_copy(session, stream, to, from, bytes.len(), DEVICE_TO_HOST) }?;
        session.synchronize("reading from HIP memory")
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let session = self.session();
        session.enter()?;
        // SAFETY: the range is this buffer's.
        let status =
            unsafe { (session.hip.memset_async)(self.address(0), 0, self.bytes, session.stream()) };
        check(session.hip, status, "zeroing HIP memory")
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let Some(other) = Self::any(source) else {
            return copy_through_host(self, offset, source, source_offset, bytes);
        };
        check_range(self.bytes, offset, bytes, "write")?;
        check_range(other.bytes, source_offset, bytes, "read")?;
        if bytes == 0 {
            return Ok(());
        }
        let (session, stream) = (self.session(), self.session().stream());
        let (to, from) = (self.address(offset), other.address(source_offset));
        if !Arc::ptr_eq(session, other.session()) {
            let from = from.cast_const();
            // SAFETY: both ranges were checked, and both devices live as long as their memory.
            return unsafe { peer::copy((session, to), (other.session(), from), bytes) };
        }
        if self.overlap(offset, other, source_offset, bytes) {
            return copy_overlapping(self, offset, source, source_offset, bytes);
        }
        // SAFETY: both ranges were checked, and do not overlap.
        unsafe { enqueue_copy(session, stream, to, from, bytes, DEVICE_TO_DEVICE) }
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
        let host = self.storage.host.as_ref()?;
        Some(host.pointer.cast::<u8>().wrapping_add(self.offset))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Page-locked host memory from `hipHostMalloc`.
pub(crate) struct PinnedMemory {
    session: Arc<Session>,
    pointer: *mut c_void,
}

// SAFETY: the memory is this value's own, and only handed out as a raw pointer.
unsafe impl Send for PinnedMemory {}
// SAFETY: as above.
unsafe impl Sync for PinnedMemory {}

impl PinnedMemory {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.enter()?;
        let mut pointer = std::ptr::null_mut();
        let size = bytes.max(1);
        // Portable: other devices' copies profit, too.
        let flags = HOST_PORTABLE | HOST_MAPPED;
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { (session.hip.host_malloc)(&raw mut pointer, size, flags) };
        let what = format!("allocating {bytes} bytes of page-locked host memory");
        check(session.hip, status, &what)?;
        // SAFETY: the allocation has that many bytes.
        unsafe { pointer.cast::<u8>().write_bytes(0, size) };
        Ok(Self { session, pointer })
    }
}

impl HostMemory for PinnedMemory {
    fn pointer(&self) -> *mut u8 {
        self.pointer.cast()
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        // Failures leave nothing to do: the device is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // SAFETY: allocated in `new`, freed only here; whoever copies asynchronously keeps it
            // until the copy has been done.
            let _ = unsafe { (self.session.hip.host_free)(self.pointer) };
        }
    }
}

/// Host memory of others that is page-locked for a while.
struct PinnedRange {
    session: Arc<Session>,
    pointer: *mut c_void,
}

impl PinnedRange {
    /// `None` where HIP will not have it: memory that is locked already, or cannot be.
    ///
    /// # Safety
    /// The memory stays where it is as long as the result.
    unsafe fn new(session: Arc<Session>, pointer: *mut c_void, bytes: usize) -> Option<Self> {
        session.enter().ok()?;
        let flags = HOST_PORTABLE | HOST_MAPPED;
        // SAFETY: the caller promises the memory.
        let status = unsafe { (session.hip.host_register)(pointer, bytes, flags) };
        (status == SUCCESS).then_some(Self { session, pointer })
    }
}

impl Drop for PinnedRange {
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // SAFETY: registered in `new`, and only here taken back. What goes wrong leaves nothing to do.
            let _ = unsafe { (self.session.hip.host_unregister)(self.pointer) };
        }
    }
}
