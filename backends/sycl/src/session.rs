//! What everything of an opened device shares: its context, and its queue.

use crate::bridge::{Bridge, Object, bridge};
use brook_driver::{Process, Result};
use std::ffi::c_uint;

/// A device, its context and the one queue that everything goes through that names none.
pub(crate) struct Session {
    pub(crate) bridge: &'static Bridge,
    device: Object,
    queue: Object,
    process: Process,
}

// SAFETY: SYCL's objects may be used by any thread, and its functions are thread-safe.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    pub(crate) fn open(ordinal: usize) -> Result<Self> {
        let bridge = bridge()?;
        let mut session = Self {
            bridge,
            device: std::ptr::null_mut(),
            queue: std::ptr::null_mut(),
            process: Process::current(),
        };
        let number = c_uint::try_from(ordinal).unwrap_or(c_uint::MAX);
        // SAFETY: the pointer is to a live handle.
        let failure = unsafe { (bridge.open)(number, &raw mut session.device) };
        bridge.check(failure, "opening the SYCL device")?;
        session.queue = session.create_queue()?;
        Ok(session)
    }

    pub(crate) fn create_queue(&self) -> Result<Object> {
        self.enter()?;
        let mut queue = std::ptr::null_mut();
        // SAFETY: the device is live, and the pointer is to a live handle.
        let failure = unsafe { (self.bridge.queue)(self.device, &raw mut queue) };
        self.bridge.check(failure, "creating a SYCL queue")?;
        Ok(queue)
    }

    /// Refuses to go on in a child of the process that opened the device.
    pub(crate) fn enter(&self) -> Result<()> {
        self.process.check("the SYCL device")
    }

    /// The device, live as long as `self`.
    pub(crate) fn device(&self) -> Object {
        self.device
    }

    /// The queue, live as long as `self`.
    pub(crate) fn queue(&self) -> Object {
        self.queue
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.enter().is_err() {
            return;
        }
        // SAFETY: both are live or null, and nobody can use them any more.
        unsafe {
            if !self.queue.is_null() {
                (self.bridge.end_queue)(self.queue);
            }
            if !self.device.is_null() {
                (self.bridge.close)(self.device);
            }
        }
    }
}
