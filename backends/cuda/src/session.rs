//! What everything of an opened device shares: its primary context and its stream.

use crate::pieces::Pieces;
use crate::status::check;
use brook_driver::{Process, Result};
use cudarc::driver::DriverError;
use cudarc::driver::result::{ctx, device, event, primary_ctx, stream};
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUevent, CUevent_flags_enum as EventFlags, CUresult, CUstream,
    cuStreamQuery,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A device's primary context and the one stream everything goes through; buffers and programs keep
/// it alive.
pub(crate) struct Session {
    device: CUdevice,
    context: CUcontext,
    stream: CUstream,
    process: Process,
    /// For copies of host memory that is not page-locked.
    pub(crate) pieces: Mutex<Pieces>,
    /// Events that nobody has any more: to make one takes as long as to launch a kernel.
    events: Mutex<Vec<CUevent>>,
}

/// More events than these are not kept.
const MOST_EVENTS: usize = 256;

// SAFETY: contexts and streams may be used by any thread that makes the context current first,
// which `enter` does.
unsafe impl Send for Session {}
// SAFETY: as above; the driver API is thread-safe.
unsafe impl Sync for Session {}

impl Session {
    pub(crate) fn open(ordinal: usize) -> Result<Self> {
        let what = "opening the CUDA device";
        let device = check(
            device::get(i32::try_from(ordinal).unwrap_or(i32::MAX)),
            what,
        )?;
        // SAFETY: the device comes from `device::get`.
        let context = check(unsafe { primary_ctx::retain(device) }, what)?;
        // From here on, dropping gives the context back.
        let mut session = Self {
            device,
            context,
            stream: stream::null(),
            process: Process::current(),
            pieces: Mutex::default(),
            events: Mutex::default(),
        };
        session.enter()?;
        // Not waiting for the default stream: a host program's own CUDA work does not hold up ours.
        session.stream = check(stream::create(stream::StreamKind::NonBlocking), what)?;
        Ok(session)
    }

    /// Makes the context current on this thread: tens of nanoseconds when it already is. It stays
    /// current, as it does after any call of the CUDA runtime.
    pub(crate) fn enter(&self) -> Result<()> {
        self.check()?;
        // SAFETY: the context is retained as long as `self` lives.
        check(
            unsafe { ctx::set_current(self.context) },
            "entering the CUDA context",
        )
    }

    /// Calls what names function or graph and stream, by which the driver knows the context: the call works on a thread
    /// that made it current before. Only where the driver refuses it is made current, which takes a tenth as long as a
    /// launch even if it is already.
    pub(crate) fn launch(
        &self,
        mut call: impl FnMut() -> std::result::Result<(), DriverError>,
    ) -> Result<std::result::Result<(), DriverError>> {
        self.check()?;
        match call() {
            Err(DriverError(
                CUresult::CUDA_ERROR_INVALID_CONTEXT
                | CUresult::CUDA_ERROR_INVALID_HANDLE
                | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
            )) => {
                self.enter()?;
                Ok(call())
            }
            called => Ok(called),
        }
    }

    /// An event of this context, which was never recorded or is not looked at any more.
    pub(crate) fn event(&self) -> Result<CUevent> {
        let kept = self.events().pop();
        if let Some(event) = kept {
            return Ok(event);
        }
        self.enter()?;
        // With times, without which there would be a cheaper kind.
        let event = event::create(EventFlags::CU_EVENT_DEFAULT);
        check(event, "making a CUDA event")
    }

    /// Takes an event back, which [`Self::event`] has given.
    pub(crate) fn give_back(&self, event: CUevent) {
        let mut events = self.events();
        if events.len() < MOST_EVENTS {
            return events.push(event);
        }
        drop(events);
        if self.enter().is_ok() {
            // SAFETY: it is live, and nobody has it any more.
            let _ = unsafe { event::destroy(event) };
        }
    }

    fn events(&self) -> MutexGuard<'_, Vec<CUevent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is the process that opened the device.
    fn check(&self) -> Result<()> {
        self.process.check("the CUDA device")
    }

    /// The stream, live as long as `self`.
    pub(crate) fn stream(&self) -> CUstream {
        self.stream
    }

    /// The context, live as long as `self`.
    pub(crate) fn context(&self) -> CUcontext {
        self.context
    }

    /// The device's number.
    pub(crate) fn ordinal(&self) -> i32 {
        // Devices are their numbers.
        self.device
    }

    /// Waits for the stream. Errors of kernels that ran in it show up here.
    pub(crate) fn synchronize(&self, what: &str) -> Result<()> {
        // SAFETY: the stream is live, and the caller has entered its context.
        check(unsafe { stream::synchronize(self.stream) }, what)
    }

    /// Whether a stream of this context has nothing left to do.
    pub(crate) fn is_stream_idle(&self, stream: CUstream) -> Result<bool> {
        self.enter()?;
        // SAFETY: the stream is live, and its context current.
        match unsafe { cuStreamQuery(stream) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => {
                check(other.result(), "asking for the state of the CUDA device").map(|()| true)
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Failures leave nothing to do: at the process's end the driver may already be gone.
        if self.enter().is_ok() && !self.stream.is_null() {
            let pieces = self.pieces.get_mut();
            pieces.unwrap_or_else(PoisonError::into_inner).free();
            for event in std::mem::take(&mut *self.events()) {
                // SAFETY: it is live, and nobody has it any more.
                let _ = unsafe { event::destroy(event) };
            }
            // SAFETY: the stream is live, and nobody can use it any more.
            let _ = unsafe { stream::destroy(self.stream) };
        }
        if !self.process.is_current() {
            return;
        }
        // SAFETY: retained once in `open`, released once here.
        let _ = unsafe { primary_ctx::release(self.device) };
    }
}
