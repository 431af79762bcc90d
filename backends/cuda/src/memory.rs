//! Buffers.

use crate::peer;
use crate::reserved::Reserved;
use crate::session::Session;
use crate::staging;
use crate::status::check;
use brook_driver::{
    Buffer, Error, HostMemory, NativeMemory, Result, Staged, allocated, check_range,
    copy_overlapping, copy_through_host, ranges_overlap,
};
use cudarc::driver::result;
use cudarc::driver::sys::{self, CUdeviceptr, CUpointer_attribute_enum as PointerAttribute};
use std::any::Any;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// Memory that the device reaches.
struct Storage {
    session: Arc<Session>,
    address: CUdeviceptr,
    kind: Kind,
}

/// Whose memory it is, and how it ends.
enum Kind {
    /// From `cuMemAlloc`.
    Allocated,
    /// Addresses of which some have memory.
    Reserved(Reserved),
    /// The device's, and somebody else's.
    Others,
    Host(Host),
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

// SAFETY: the pointer is only handed out as a raw one; CUDA's functions are thread-safe.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

impl Drop for Storage {
    fn drop(&mut self) {
        // Failures leave nothing to do: the context is broken, or the process at its end.
        let ends = match &self.kind {
            Kind::Allocated | Kind::Reserved(_) => true,
            Kind::Others => false,
            Kind::Host(host) => host.kept.is_some(),
        };
        if ends && self.session.enter().is_ok() {
            // A kernel that was enqueued with this memory may still run, in whichever queue.
            let _ = result::ctx::synchronize();
        }
        if matches!(self.kind, Kind::Allocated) && self.session.enter().is_ok() {
            // SAFETY: allocated in `CudaBuffer::new`, freed only here, and no longer in use.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}

/// Device memory, or a part of it.
pub(crate) struct CudaBuffer {
    storage: Arc<Storage>,
    address: CUdeviceptr,
    bytes: usize,
}

impl CudaBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.enter()?;
        // SAFETY: the context is current; the memory is not read before it is written.
        let address = unsafe { result::malloc_sync(allocated(bytes)) };
        let address = check(address, &format!("allocating {bytes} bytes of CUDA memory"))?;
        Ok(Self::over(session, address, Kind::Allocated, bytes))
    }

    /// Memory that is there as far as it is [committed](Buffer::commit); all of it where the device has no other.
    pub(crate) fn reserve(session: Arc<Session>, bytes: usize) -> Result<Self> {
        match Reserved::new(session.clone(), allocated(bytes))? {
            Some(reserved) => {
                let address = reserved.address();
                Ok(Self::over(
                    session,
                    address,
                    Kind::Reserved(reserved),
                    bytes,
                ))
            }
            None => Self::new(session, bytes),
        }
    }

    fn over(session: Arc<Session>, address: CUdeviceptr, kind: Kind, bytes: usize) -> Self {
        Self {
            storage: Arc::new(Storage {
                session,
                address,
                kind,
            }),
            address,
            bytes,
        }
    }

    /// Somebody else's memory; CUDA says which device it is of.
    pub(crate) fn import(session: Arc<Session>, address: u64, bytes: usize) -> Result<Self> {
        session.enter()?;
        let mut ordinal = -1i32;
        // SAFETY: the answer is an integer; the address is only looked up.
        let status = unsafe {
            sys::cuPointerGetAttribute(
                (&raw mut ordinal).cast::<c_void>(),
                PointerAttribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                address,
            )
        };
        check(status.result(), "importing CUDA memory")?;
        if ordinal != session.ordinal() {
            return Err(Error::invalid(format!(
                "the memory is of the CUDA device {ordinal}, not of {}",
                session.ordinal()
            )));
        }
        Ok(Self::over(session, address, Kind::Others, bytes))
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
        let mut address: CUdeviceptr = 0;
        // SAFETY: the answer is an address; the pointer is only looked up.
        let status = unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut address, pointer, 0) };
        check(status.result(), "asking where a GPU finds host memory")?;
        let host = Kind::Host(Host { pointer, kept });
        Ok(Self::over(session, address, host, bytes))
    }

    /// The buffer behind the trait, if its memory belongs to this session's device.
    pub(crate) fn of<'b>(buffer: &'b dyn Buffer, session: &Arc<Session>) -> Option<&'b Self> {
        Self::any(buffer).filter(|b| Arc::ptr_eq(&b.storage.session, session))
    }

    /// The buffer behind the trait, of whichever CUDA device.
    pub(crate) fn any(buffer: &dyn Buffer) -> Option<&Self> {
        buffer.as_any().downcast_ref::<Self>()
    }

    /// The address kernels see, `offset` bytes into the buffer.
    pub(crate) fn address(&self, offset: usize) -> CUdeviceptr {
        self.address + offset as u64
    }

    /// Whether two ranges of two buffers have memory in common.
    pub(crate) fn overlap(&self, offset: usize, other: &Self, from: usize, bytes: usize) -> bool {
        ranges_overlap(
            self.address(offset) as usize,
            other.address(from) as usize,
            bytes,
        )
    }

    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.storage.session
    }

    /// From another GPU's memory, directly where the two can, which CUDA knows.
    fn copy_from_peer(
        &self,
        offset: usize,
        source: &Self,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let target = (&**self.session(), self.address(offset));
        let source = (&**source.session(), source.address(source_offset));
        // SAFETY: both ranges were checked, and both contexts live as long as their memory.
        unsafe { peer::copy(target, source, bytes) }
    }
}

impl Buffer for CudaBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let what = "writing to CUDA memory";
        let session = self.session();
        session.enter()?;
        if staging::pays(bytes.as_ptr(), bytes.len()) {
            let host = Staged::From(bytes.as_ptr());
            // SAFETY: the range was checked; the bytes are borrowed until this returns.
            return unsafe { staging::copy(session, self.address(offset), host, bytes.len()) };
        }
        // SAFETY: the range was checked, and the bytes are borrowed until the stream has been
        // waited for below.
        let copied =
            unsafe { result::memcpy_htod_async(self.address(offset), bytes, session.stream()) };
        check(copied, what)?;
        session.synchronize(what)
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let what = "reading from CUDA memory";
        let session = self.session();
        session.enter()?;
        if let Some(host) = self.host() {
            session.synchronize(what)?;
            // SAFETY: the range was checked; the host's memory is there as long as this, and what kernels did to it is done.
            unsafe { std::ptr::copy(host.add(offset), bytes.as_mut_ptr(), bytes.len()) };
            return Ok(());
        }
        if staging::pays(bytes.as_ptr(), bytes.len()) {
            let host = Staged::To(bytes.as_mut_ptr());
            // SAFETY: as in `write`.
            return unsafe { staging::copy(session, self.address(offset), host, bytes.len()) };
        }
        // SAFETY: as in `write`.
        let copied =
            unsafe { result::memcpy_dtoh_async(bytes, self.address(offset), session.stream()) };
        check(copied, what)?;
        session.synchronize(what)
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let session = self.session();
        session.enter()?;
        // SAFETY: the range is this buffer's.
        let set = unsafe { result::memset_d8_async(self.address, 0, self.bytes, session.stream()) };
        check(set, "zeroing CUDA memory")
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let Some(other) = source.as_any().downcast_ref::<Self>() else {
            return copy_through_host(self, offset, source, source_offset, bytes);
        };
        check_range(self.bytes, offset, bytes, "write")?;
        check_range(other.bytes, source_offset, bytes, "read")?;
        if bytes == 0 {
            return Ok(());
        }
        if !Arc::ptr_eq(&self.storage.session, &other.storage.session) {
            return self.copy_from_peer(offset, other, source_offset, bytes);
        }
        if self.overlap(offset, other, source_offset, bytes) {
            return copy_overlapping(self, offset, source, source_offset, bytes);
        }
        let session = self.session();
        session.enter()?;
        // SAFETY: both ranges were checked, and do not overlap.
        let copied = unsafe {
            result::memcpy_dtod_async(
                self.address(offset),
                other.address(source_offset),
                bytes,
                session.stream(),
            )
        };
        check(copied, "copying CUDA memory")
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self {
            storage: self.storage.clone(),
            address: self.address(offset),
            bytes,
        }))
    }

    fn commit(&self, range: Range<usize>) -> Result<()> {
        check_range(self.bytes, range.start, range.len(), "commit")?;
        let Kind::Reserved(reserved) = &self.storage.kind else {
            return Ok(());
        };
        let start = (self.address - self.storage.address) as usize;
        reserved.commit(&(start + range.start..start + range.end))
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::Address(self.address)
    }

    fn host(&self) -> Option<*mut u8> {
        let offset = (self.address - self.storage.address) as usize;
        let Kind::Host(host) = &self.storage.kind else {
            return None;
        };
        Some(host.pointer.cast::<u8>().wrapping_add(offset))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Page-locked host memory from `cuMemHostAlloc`.
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
        // Portable: other devices' copies profit, too.
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: the context is current; the memory is written before it is read.
        let pointer = unsafe { result::malloc_host(bytes.max(1), flags) };
        let what = format!("allocating {bytes} bytes of page-locked host memory");
        let pointer = check(pointer, &what)?;
        // SAFETY: the allocation has that many bytes.
        unsafe { pointer.cast::<u8>().write_bytes(0, bytes.max(1)) };
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
        // Failures leave nothing to do: the context is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // SAFETY: allocated in `new`, freed only here; whoever copies asynchronously keeps it
            // until the copy has been done.
            let _ = unsafe { result::free_host(self.pointer) };
        }
    }
}

/// Host memory of others that is page-locked for a while.
pub(crate) struct PinnedRange {
    session: Arc<Session>,
    pointer: *mut c_void,
}

// SAFETY: the pointer is only handed to CUDA, whose functions are thread-safe.
unsafe impl Send for PinnedRange {}
// SAFETY: as above.
unsafe impl Sync for PinnedRange {}

impl PinnedRange {
    /// `None` where the driver will not have it: memory that is locked already, or cannot be.
    ///
    /// # Safety
    /// The memory stays where it is as long as the result.
    pub(crate) unsafe fn new(
        session: Arc<Session>,
        pointer: *mut c_void,
        bytes: usize,
    ) -> Option<Self> {
        session.enter().ok()?;
        let flags = sys::CU_MEMHOSTREGISTER_PORTABLE | sys::CU_MEMHOSTREGISTER_DEVICEMAP;
        // SAFETY: the context is current; the caller promises the memory.
        let status = unsafe { sys::cuMemHostRegister_v2(pointer, bytes, flags) };
        (status == sys::CUresult::CUDA_SUCCESS).then_some(Self { session, pointer })
    }
}

impl Drop for PinnedRange {
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // SAFETY: registered in `new`, and only here taken back. What goes wrong leaves nothing to do.
            let _ = unsafe { sys::cuMemHostUnregister(self.pointer) };
        }
    }
}
