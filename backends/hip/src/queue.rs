//! Queues: streams, and events in them.

use crate::memory::{HipBuffer, enqueue_copy};
use crate::peer;
use crate::session::Session;
use crate::status::check;
use crate::sys::{self, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE, NOT_READY};
use brook_driver::{
    Buffer, Error, Event, NativeEvent, NativeQueue, Queue, Recorder, Recording, Result,
    check_range, other_device,
};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

/// A stream.
pub(crate) struct HipQueue {
    session: Arc<Session>,
    stream: *mut c_void,
    /// Whether it is this queue's own rather than the session's.
    own: bool,
}

// SAFETY: streams may be used by any thread, and HIP's functions are thread-safe.
unsafe impl Send for HipQueue {}
// SAFETY: as above.
unsafe impl Sync for HipQueue {}

impl HipQueue {
    /// The session's stream.
    pub(crate) fn default(session: Arc<Session>) -> Self {
        Self {
            stream: session.stream(),
            session,
            own: false,
        }
    }

    pub(crate) fn create(session: Arc<Session>) -> Result<Self> {
        session.enter()?;
        let mut stream = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { (session.hip.stream_create)(&raw mut stream, sys::NON_BLOCKING) };
        check(session.hip, status, "creating a HIP stream")?;
        Ok(Self {
            session,
            stream,
            own: true,
        })
    }

    /// One whose blocks are scheduled before those of other streams.
    pub(crate) fn create_urgent(session: Arc<Session>) -> Result<Self> {
        session.enter()?;
        let (mut least, mut greatest, mut stream) = (0, 0, std::ptr::null_mut());
        let what = "creating an urgent HIP stream";
        // SAFETY: the answers are numbers, and are written to where these lie.
        let status = unsafe { (session.hip.stream_priorities)(&raw mut least, &raw mut greatest) };
        check(session.hip, status, what)?;
        let create = session.hip.stream_create_with_priority;
        // SAFETY: the pointer is to a live handle.
        let status = unsafe { create(&raw mut stream, sys::NON_BLOCKING, greatest) };
        check(session.hip, status, what)?;
        Ok(Self {
            session,
            stream,
            own: true,
        })
    }

    /// Somebody else's stream; HIP does not say of which device before version 5.6.
    pub(crate) fn import(session: Arc<Session>, stream: *mut c_void) -> Self {
        Self {
            session,
            stream,
            own: false,
        }
    }

    /// The stream behind the trait, if it is one of this session's; of a recording, the one that is captured.
    pub(crate) fn stream_of(queue: &dyn Queue, session: &Arc<Session>) -> Option<*mut c_void> {
        let own = queue.as_any().downcast_ref::<Self>();
        own.or_else(|| Recording::<Self>::of(queue))
            .filter(|q| Arc::ptr_eq(&q.session, session))
            .map(|q| q.stream)
    }

    /// The stream, live as long as `self`.
    pub(crate) fn stream(&self) -> *mut c_void {
        self.stream
    }

    fn buffer<'b>(&self, buffer: &'b dyn Buffer) -> Result<&'b HipBuffer> {
        HipBuffer::of(buffer, &self.session)
            .ok_or_else(|| Error::invalid("the memory is another device's than the queue's"))
    }
}

impl Queue for HipQueue {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        let target = self.buffer(target)?;
        check_range(target.len(), offset, bytes, "write")?;
        if bytes == 0 {
            return Ok(());
        }
        let (to, from) = (target.address(offset), from.cast());
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        unsafe { enqueue_copy(&self.session, self.stream, to, from, bytes, HOST_TO_DEVICE) }
    }

    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        bytes: usize,
    ) -> Result<()> {
        let source = self.buffer(source)?;
        check_range(source.len(), offset, bytes, "read")?;
        if bytes == 0 {
            return Ok(());
        }
        let (to, from) = (to.cast(), source.address(offset));
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        unsafe { enqueue_copy(&self.session, self.stream, to, from, bytes, DEVICE_TO_HOST) }
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let target = self.buffer(target)?;
        let source = HipBuffer::any(source)
            .ok_or_else(|| Error::invalid("the memory is another driver's than the queue's"))?;
        check_range(target.len(), offset, bytes, "write")?;
        check_range(source.len(), source_offset, bytes, "read")?;
        if bytes == 0 {
            return Ok(());
        }
        if target.overlap(offset, source, source_offset, bytes) {
            return Err(Error::invalid("the two sides of the copy overlap"));
        }
        let (to, from) = (target.address(offset), source.address(source_offset));
        let (session, stream) = (&self.session, self.stream);
        if !Arc::ptr_eq(session, source.session()) {
            let from = (&**source.session(), from.cast_const());
            // SAFETY: both ranges were checked, and both devices live as long as their memory.
            return unsafe { peer::enqueue(stream, (session, to), from, bytes) };
        }
        // SAFETY: both ranges were checked.
        unsafe { enqueue_copy(session, stream, to, from, bytes, DEVICE_TO_DEVICE) }
    }

    fn reaches_peers(&self) -> bool {
        true
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        let what = "recording a HIP event";
        let hip = self.session.hip;
        self.session.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is to a live handle.
        check(hip, unsafe { (hip.event_create)(&raw mut raw) }, what)?;
        // From here on, dropping destroys the event.
        let event = HipEvent {
            raw,
            session: self.session.clone(),
        };
        // SAFETY: both are live, and of this device.
        check(hip, unsafe { (hip.event_record)(raw, self.stream) }, what)?;
        Ok(Arc::new(event))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        // HIP keeps the order between streams of different devices, too.
        let Some(own) = event.as_any().downcast_ref::<HipEvent>() else {
            return event.wait();
        };
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: the event was recorded before, and the stream is live.
        let status = unsafe { (hip.stream_wait_event)(self.stream, own.raw, 0) };
        check(hip, status, "waiting for a HIP event in a stream")
    }

    fn synchronize(&self) -> Result<()> {
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: the stream is live.
        let status = unsafe { (hip.stream_synchronize)(self.stream) };
        check(hip, status, "waiting for the HIP stream")
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.is_stream_idle(self.stream)
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Hip(self.stream)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HipQueue {
    fn drop(&mut self) {
        // Failures leave nothing to do: the device is broken, or the process at its end.
        if self.own && self.session.enter().is_ok() {
            let hip = self.session.hip;
            // SAFETY: the stream is live, and nobody can use it any more.
            unsafe {
                (hip.stream_synchronize)(self.stream);
                (hip.stream_destroy)(self.stream);
            }
        }
    }
}

/// While its stream is captured, copies become nodes of a graph as launches do.
impl Recorder for HipQueue {
    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        // A graph is of one device.
        self.buffer(source)?;
        Queue::copy(self, target, offset, source, source_offset, bytes)
    }
}

/// A recorded event.
struct HipEvent {
    raw: *mut c_void,
    session: Arc<Session>,
}

// SAFETY: events may be used by any thread, and HIP's functions are thread-safe.
unsafe impl Send for HipEvent {}
// SAFETY: as above.
unsafe impl Sync for HipEvent {}

impl Event for HipEvent {
    fn is_done(&self) -> Result<bool> {
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: the event is live.
        match unsafe { (hip.event_query)(self.raw) } {
            NOT_READY => Ok(false),
            status => check(hip, status, "asking for the state of a HIP event").map(|()| true),
        }
    }

    fn wait(&self) -> Result<()> {
        let hip = self.session.hip;
        self.session.enter()?;
        // SAFETY: the event is live.
        let status = unsafe { (hip.event_synchronize)(self.raw) };
        check(hip, status, "waiting for a HIP event")
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let own = earlier.as_any().downcast_ref::<Self>();
        let earlier = own
            .filter(|e| Arc::ptr_eq(&e.session, &self.session))
            .ok_or_else(other_device)?;
        earlier.wait()?;
        self.wait()?;
        let hip = self.session.hip;
        let mut milliseconds = 0f32;
        // SAFETY: both events are live, recorded, of one device, and have happened.
        let status =
            unsafe { (hip.event_elapsed_time)(&raw mut milliseconds, earlier.raw, self.raw) };
        check(hip, status, "asking for the time between HIP events")?;
        Ok(Duration::from_secs_f64(
            (f64::from(milliseconds) / 1000.0).max(0.0),
        ))
    }

    fn native(&self) -> NativeEvent {
        NativeEvent::Hip(self.raw)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HipEvent {
    fn drop(&mut self) {
        // Failures leave nothing to do: the device is broken, or the process at its end.
        if self.session.enter().is_ok() {
            // SAFETY: created in `record`, destroyed only here; HIP waits for what still needs it.
            unsafe { (self.session.hip.event_destroy)(self.raw) };
        }
    }
}
