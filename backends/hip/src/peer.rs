//! Copies between two GPUs.

use crate::session::Session;
use crate::status::check;
use brook_driver::Result;
use std::collections::HashSet;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

const WHAT: &str = "copying from another HIP device";

/// Enqueues a copy of `bytes` bytes behind what both devices' own streams have, and before what they get later. The host does
/// not wait.
///
/// # Safety
/// `to` and `from` are addresses of the devices `target` and `source` with as many bytes behind them.
pub(crate) unsafe fn copy(
    (target, to): (&Session, *mut c_void),
    (source, from): (&Session, *const c_void),
    bytes: usize,
) -> Result<()> {
    Mark::behind(source)?.hold_up(target)?;
    // SAFETY: by this function's contract.
    unsafe { enqueue(target.stream(), (target, to), (source, from), bytes) }?;
    // Who writes the source next writes behind the copy.
    Mark::behind(target)?.hold_up(source)
}

/// Enqueues a copy in a stream of the device `target`, without regard to what either device's own stream has.
///
/// # Safety
/// As of [`copy`]; the stream is a live one of the target's.
pub(crate) unsafe fn enqueue(
    stream: *mut c_void,
    (target, to): (&Session, *mut c_void),
    (source, from): (&Session, *const c_void),
    bytes: usize,
) -> Result<()> {
    target.enter()?;
    reach(target, source);
    let (there, here) = (target.ordinal(), source.ordinal());
    // SAFETY: by this function's contract.
    let status = unsafe { (target.hip.memcpy_peer_async)(to, there, from, here, bytes, stream) };
    check(target.hip, status, WHAT)
}

/// Lets the device `target`, which is current, read the memory of `source` itself, where the machine can do that: otherwise copies go
/// by way of the host.
fn reach(target: &Session, source: &Session) {
    /// Those that were let, by their numbers.
    static REACHED: Mutex<Option<HashSet<(c_int, c_int)>>> = Mutex::new(None);
    let pair = (target.ordinal(), source.ordinal());
    let mut reached = REACHED.lock().unwrap_or_else(PoisonError::into_inner);
    // Two sessions may be of one device.
    if pair.0 == pair.1 || !reached.get_or_insert_default().insert(pair) {
        return;
    }
    // Whatever is in the way, the copy is made all the same.
    // SAFETY: the function takes any number.
    let _ = unsafe { (target.hip.enable_peer_access)(pair.1, 0) };
}

/// A place in a device's own stream.
struct Mark<'s> {
    session: &'s Session,
    event: *mut c_void,
}

impl<'s> Mark<'s> {
    /// Behind everything enqueued so far.
    fn behind(session: &'s Session) -> Result<Self> {
        let hip = session.hip;
        session.enter()?;
        let mut event = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        check(hip, unsafe { (hip.event_create)(&raw mut event) }, WHAT)?;
        let mark = Self { session, event };
        // SAFETY: both are live, and of this device.
        let recorded = unsafe { (hip.event_record)(event, session.stream()) };
        check(hip, recorded, WHAT).map(|()| mark)
    }

    /// Lets what is enqueued from now on in a device's own stream begin behind it.
    fn hold_up(&self, session: &Session) -> Result<()> {
        session.enter()?;
        // SAFETY: the event was recorded, and the stream is live; they may be of two devices.
        let waits = unsafe { (session.hip.stream_wait_event)(session.stream(), self.event, 0) };
        check(session.hip, waits, WHAT)
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        // SAFETY: created in `behind`, destroyed once; streams that wait for it still do.
        let _ = unsafe { (self.session.hip.event_destroy)(self.event) };
    }
}
