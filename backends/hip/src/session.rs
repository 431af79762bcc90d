//! What everything of an opened device shares: its stream.

use crate::status::check;
use crate::sys::{self, Hip, NOT_READY};
use brook_driver::{Error, Process, Result};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{PoisonError, RwLock};

/// A device and the one stream everything goes through; buffers and programs keep it alive.
pub(crate) struct Session {
    pub(crate) hip: &'static Hip,
    ordinal: c_int,
    stream: *mut c_void,
    process: Process,
    /// Held while a stream of the device is captured, and by whoever waits for all of them meanwhile: that ends a capture.
    captures: RwLock<()>,
}

thread_local! {
    /// Whether this thread captures a stream.
    static CAPTURING: Cell<bool> = const { Cell::new(false) };
}

// SAFETY: streams may be used by any thread, and HIP's functions are thread-safe.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    pub(crate) fn open(ordinal: usize) -> Result<Self> {
        let hip = sys::hip().map_err(Error::missing)?;
        let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        let mut session = Self {
            hip,
            ordinal,
            stream: std::ptr::null_mut(),
            process: Process::current(),
            captures: RwLock::new(()),
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
        self.process.check("the HIP device")?;
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

    /// The device's number.
    pub(crate) fn ordinal(&self) -> c_int {
        self.ordinal
    }

    /// Waits for all streams of the device, of which this is the current one. Its failure is the next call's, too: what drops memory
    /// leaves it to that.
    pub(crate) fn synchronize_all(&self) -> Result<()> {
        // Whoever waits within its own capture is told that it cannot.
        let wait = || self.captures.read().unwrap_or_else(PoisonError::into_inner);
        let _turn = (!CAPTURING.get()).then(wait);
        // SAFETY: the function takes nothing.
        let waited = unsafe { (self.hip.device_synchronize)() };
        check(self.hip, waited, "waiting for the HIP device")
    }

    /// Does `capture`, which captures a stream of the device, while nobody else waits for all of its streams.
    pub(crate) fn capturing<R>(&self, capture: impl FnOnce() -> R) -> R {
        // One within another, which HIP judges, does not wait for itself.
        let within = CAPTURING.replace(true);
        let wait = || {
            self.captures
                .write()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let _turn = (!within).then(wait);
        let captured = capture();
        CAPTURING.set(within);
        captured
    }

    /// Whether a stream of the device has nothing left to do.
    pub(crate) fn is_stream_idle(&self, stream: *mut c_void) -> Result<bool> {
        self.enter()?;
        // SAFETY: the stream is live.
        match unsafe { (self.hip.stream_query)(stream) } {
            NOT_READY => Ok(false),
            status => {
                check(self.hip, status, "asking for the state of the HIP device").map(|()| true)
            }
        }
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
