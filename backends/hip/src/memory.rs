//! Buffers.

use crate::device::Session;
use crate::status::check;
use crate::sys::{DEVICE_TO_HOST, HOST_TO_DEVICE};
use brook_driver::{Buffer, Result, check_range};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// Device memory from `hipMalloc`.
pub(crate) struct HipBuffer {
    session: Arc<Session>,
    address: *mut c_void,
    bytes: usize,
}

// SAFETY: the address is device memory, only handed to HIP, whose functions are thread-safe.
unsafe impl Send for HipBuffer {}
// SAFETY: as above.
unsafe impl Sync for HipBuffer {}

impl HipBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.enter()?;
        let mut address = std::ptr::null_mut();
        // An allocation of zero bytes would give a null pointer.
        //
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { (session.hip.malloc)(&raw mut address, bytes.max(1)) };
        check(
            session.hip,
            status,
            &format!("allocating {bytes} bytes of HIP memory"),
        )?;
        Ok(Self {
            session,
            address,
            bytes,
        })
    }

    /// The address kernels see, if the memory belongs to this session's device.
    pub(crate) fn address_in(&self, session: &Arc<Session>) -> Option<u64> {
        Arc::ptr_eq(&self.session, session).then(|| self.address.expose_provenance() as u64)
    }
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
        let what = "writing to HIP memory";
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: the range was checked, and the bytes are borrowed until the stream has been waited
        // for below.
        let status = unsafe {
            (hip.memcpy_async)(
                self.address.wrapping_byte_add(offset),
                bytes.as_ptr().cast(),
                bytes.len(),
                HOST_TO_DEVICE,
                self.session.stream(),
            )
        };
        check(hip, status, what)?;
        self.session.synchronize(what)
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        let what = "reading from HIP memory";
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: as in `write`.
        let status = unsafe {
            (hip.memcpy_async)(
                bytes.as_mut_ptr().cast(),
                self.address.wrapping_byte_add(offset),
                bytes.len(),
                DEVICE_TO_HOST,
                self.session.stream(),
            )
        };
        check(hip, status, what)?;
        self.session.synchronize(what)
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: the range is the whole allocation.
        let status =
            unsafe { (hip.memset_async)(self.address, 0, self.bytes, self.session.stream()) };
        check(hip, status, "zeroing HIP memory")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HipBuffer {
    fn drop(&mut self) {
        // Failures leave nothing to do: the device is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // A kernel that was enqueued with this buffer may still run.
            let _ = self.session.synchronize("freeing HIP memory");
            // SAFETY: allocated in `new`, freed only here, and no longer in use.
            let _ = unsafe { (self.session.hip.free)(self.address) };
        }
    }
}
