//! An opened device: its stream.

use crate::memory::HipBuffer;
use crate::program::HipProgram;
use crate::status::check;
use crate::sys::{self, Hip};
use brook_driver::{Buffer, CompileOptions, Device, DeviceInfo, Error, Program, Result};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// A device and the one stream everything goes through; buffers and programs keep it alive.
pub(crate) struct Session {
    pub(crate) hip: &'static Hip,
    ordinal: c_int,
    stream: *mut c_void,
}

// SAFETY: streams may be used by any thread, and HIP's functions are thread-safe.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    fn open(ordinal: usize) -> Result<Self> {
        let hip = sys::hip().map_err(Error::missing)?;
        let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        let mut session = Self {
            hip,
            ordinal,
            stream: std::ptr::null_mut(),
        };
        session.enter()?;
        // Not waiting for the default stream: a host program's own HIP work does not hold up ours.
        //
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { (hip.stream_create)(&raw mut session.stream, sys::NON_BLOCKING) };
        check(hip, status, "opening the HIP device")?;
        Ok(session)
    }

    /// Makes the device this thread's current one; it stays so, as after any `hipSetDevice`.
    pub(crate) fn enter(&self) -> Result<()> {
        // SAFETY: the function takes any number.
        check(
            self.hip,
            unsafe { (self.hip.set_device)(self.ordinal) },
            "selecting the HIP device",
        )
    }

    /// The stream, live as long as `self`.
    pub(crate) fn stream(&self) -> *mut c_void {
        self.stream
    }

    /// Waits for the stream. Errors of kernels that ran in it show up here.
    pub(crate) fn synchronize(&self, what: &str) -> Result<()> {
        // SAFETY: the stream is live.
        check(
            self.hip,
            unsafe { (self.hip.stream_synchronize)(self.stream) },
            what,
        )
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Failures leave nothing to do: at the process's end the runtime may already be gone.
        if self.enter().is_ok() && !self.stream.is_null() {
            // SAFETY: the stream is live, and nobody can use it any more.
            let _ = unsafe { (self.hip.stream_destroy)(self.stream) };
        }
    }
}

/// What [`crate::Hip`] opens.
pub(crate) struct HipDevice {
    session: Arc<Session>,
    info: DeviceInfo,
}

impl HipDevice {
    pub(crate) fn open(ordinal: usize, info: DeviceInfo) -> Result<Self> {
        Ok(Self {
            session: Arc::new(Session::open(ordinal)?),
            info,
        })
    }
}

impl Device for HipDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        crate::compile_only(source, &self.info.architecture, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        Ok(Arc::new(HipProgram::load(
            self.session.clone(),
            self.info.limits,
            binary,
        )?))
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(HipBuffer::new(self.session.clone(), bytes)?))
    }

    fn synchronize(&self) -> Result<()> {
        self.session.enter()?;
        self.session.synchronize("waiting for the HIP device")
    }
}
