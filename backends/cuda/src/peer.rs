//! Copies between two GPUs.

use crate::session::Session;
use crate::status::check;
use brook_driver::Result;
use cudarc::driver::DriverError;
use cudarc::driver::result::{event, memcpy_peer_async, stream};
use cudarc::driver::sys::{
    CUevent, CUevent_flags, CUevent_wait_flags, CUstream, cuCtxEnablePeerAccess,
};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Enqueues a copy of `bytes` bytes behind what both devices' own streams have, and before what they get later. The host does
/// not wait.
///
/// # Safety
/// `to` and `from` are addresses of the devices `target` and `source` with as many bytes behind them.
pub(crate) unsafe fn copy(
    (target, to): (&Session, u64),
    (source, from): (&Session, u64),
    bytes: usize,
) -> Result<()> {
    let what = "copying from another CUDA device";
    let ready = Mark::behind(source, what)?;
    target.enter()?;
    ready.hold_up(target, what)?;
    // SAFETY: by this function's contract.
    unsafe { enqueue(target.stream(), (target, to), (source, from), bytes) }?;
    // Who writes the source next writes behind the copy.
    let done = Mark::behind(target, what)?;
    source.enter()?;
    done.hold_up(source, what)
}

/// Enqueues a copy in a stream of the device `target`, without regard to what either device's own stream has.
///
/// # Safety
/// As of [`copy`]; the stream is a live one of the target's context.
pub(crate) unsafe fn enqueue(
    stream: CUstream,
    (target, to): (&Session, u64),
    (source, from): (&Session, u64),
    bytes: usize,
) -> Result<()> {
    target.enter()?;
    reach(target, source);
    let (there, here) = (target.context(), source.context());
    // SAFETY: by this function's contract; both contexts live as long as the sessions.
    let copied = unsafe { memcpy_peer_async(there, to, here, from, bytes, stream) };
    check(copied, "copying from another CUDA device")
}

/// Lets the device `target`, whose context is current, read the memory of `source` itself, where the machine can do that: otherwise
/// copies go by way of the host, at a tenth of the speed or less.
fn reach(target: &Session, source: &Session) {
    /// Those that were let, by the addresses of their contexts.
    static REACHED: Mutex<Option<HashSet<(usize, usize)>>> = Mutex::new(None);
    let pair = (target.context() as usize, source.context() as usize);
    let mut reached = REACHED.lock().unwrap_or_else(PoisonError::into_inner);
    if !reached.get_or_insert_default().insert(pair) {
        return;
    }
    // Whatever is in the way, the copy is made all the same.
    // SAFETY: the context of `target` is current, and that of `source` lives.
    let _ = unsafe { cuCtxEnablePeerAccess(source.context(), 0) };
}

/// A place in a device's own stream.
struct Mark(CUevent);

impl Mark {
    /// Behind everything enqueued so far.
    fn behind(session: &Session, what: &str) -> Result<Self> {
        session.enter()?;
        let mark = Self(check(
            event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING),
            what,
        )?);
        // SAFETY: the event and the stream are of the current context.
        check(unsafe { event::record(mark.0, session.stream()) }, what)?;
        Ok(mark)
    }

    /// Lets what is enqueued from now on in a device's own stream begin behind it.
    fn hold_up(&self, session: &Session, what: &str) -> Result<()> {
        let flags = CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event was recorded, and the stream is live; they may be of two contexts.
        let held: std::result::Result<(), DriverError> =
            unsafe { stream::wait_event(session.stream(), self.0, flags) };
        check(held, what)
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // SAFETY: created in `behind`, destroyed once; streams that wait for it still do.
        let _ = unsafe { event::destroy(self.0) };
    }
}
