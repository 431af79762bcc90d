//! Buffers.

use crate::device::Session;
use crate::status::check;
use brook_driver::{Buffer, Result, check_range};
use cudarc::driver::result;
use cudarc::driver::sys::CUdeviceptr;
use std::any::Any;
use std::sync::Arc;

/// Device memory from `cuMemAlloc`.
pub(crate) struct CudaBuffer {
    session: Arc<Session>,
    address: CUdeviceptr,
    bytes: usize,
}

impl CudaBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.enter()?;
        // CUDA has no allocations of zero bytes.
        // SAFETY: the context is current; the memory is not read before it is written.
        let address = unsafe { result::malloc_sync(bytes.max(1)) };
        let address = check(address, &format!("allocating {bytes} bytes of CUDA memory"))?;
        Ok(Self {
            session,
            address,
            bytes,
        })
    }

    /// The address kernels see, if the memory belongs to this session's device.
    pub(crate) fn address_in(&self, session: &Arc<Session>) -> Option<CUdeviceptr> {
        Arc::ptr_eq(&self.session, session).then_some(self.address)
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
        self.session.enter()?;
        let target = self.address + offset as u64;
        // SAFETY: the range was checked, and the bytes are borrowed until the stream has been
        // waited for below.
        let copied = unsafe { result::memcpy_htod_async(target, bytes, self.session.stream()) };
        check(copied, what)?;
        self.session.synchronize(what)
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let what = "reading from CUDA memory";
        self.session.enter()?;
        let source = self.address + offset as u64;
        // SAFETY: as in `write`.
        let copied = unsafe { result::memcpy_dtoh_async(bytes, source, self.session.stream()) };
        check(copied, what)?;
        self.session.synchronize(what)
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.session.enter()?;
        // SAFETY: the range is the whole allocation.
        let set =
            unsafe { result::memset_d8_async(self.address, 0, self.bytes, self.session.stream()) };
        check(set, "zeroing CUDA memory")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaBuffer {
    fn drop(&mut self) {
        // Failures leave nothing to do: the context is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // A kernel that was enqueued with this buffer may still run.
            let _ = self.session.synchronize("freeing CUDA memory");
            // SAFETY: allocated in `new`, freed only here, and no longer in use.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}
