//! Queues, which are in order, and events in them.

use crate::bridge::Object;
use crate::memory::SyclBuffer;
use crate::session::Session;
use brook_driver::{Buffer, Error, Event, NativeQueue, Queue, Result, check_range, other_device};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

/// A queue.
pub(crate) struct SyclQueue {
    session: Arc<Session>,
    raw: Object,
    /// Whether it is this value's own rather than the session's.
    own: bool,
}

// SAFETY: SYCL's objects may be used by any thread, and its functions are thread-safe.
unsafe impl Send for SyclQueue {}
// SAFETY: as above.
unsafe impl Sync for SyclQueue {}

impl SyclQueue {
    /// The session's queue.
    pub(crate) fn default(session: Arc<Session>) -> Self {
        Self {
            raw: session.queue(),
            session,
            own: false,
        }
    }

    pub(crate) fn create(session: Arc<Session>) -> Result<Self> {
        Ok(Self {
            raw: session.create_queue()?,
            session,
            own: true,
        })
    }

    /// The queue behind the trait, if it is one of this session's.
    pub(crate) fn of(queue: &dyn Queue, session: &Arc<Session>) -> Option<Object> {
        let own = queue.as_any().downcast_ref::<Self>();
        own.filter(|q| Arc::ptr_eq(&q.session, session))
            .map(|q| q.raw)
    }

    fn buffer<'b>(&self, buffer: &'b dyn Buffer) -> Result<&'b SyclBuffer> {
        SyclBuffer::of(buffer, &self.session)
            .ok_or_else(|| Error::invalid("the memory is another device's than the queue's"))
    }

    /// # Safety
    /// Both places have that many bytes until the queue has come so far.
    unsafe fn enqueue_copy(
        &self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        what: &str,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.session.enter()?;
        // SAFETY: by this function's contract.
        let failure = unsafe { (self.session.bridge.copy)(self.raw, to, from, bytes, 0) };
        self.session.bridge.check(failure, what)
    }
}

impl Queue for SyclQueue {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        let target = self.buffer(target)?;
        check_range(target.len(), offset, bytes, "write")?;
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        unsafe {
            self.enqueue_copy(
                target.address(offset),
                from.cast(),
                bytes,
                "writing to SYCL memory",
            )
        }
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
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        unsafe {
            self.enqueue_copy(
                to.cast(),
                source.address(offset),
                bytes,
                "reading from SYCL memory",
            )
        }
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let (target, source) = (self.buffer(target)?, self.buffer(source)?);
        check_range(target.len(), offset, bytes, "write")?;
        check_range(source.len(), source_offset, bytes, "read")?;
        if bytes > 0 && target.overlap(offset, source, source_offset, bytes) {
            return Err(Error::invalid("the two sides of the copy overlap"));
        }
        let (to, from) = (target.address(offset), source.address(source_offset));
        // SAFETY: both ranges were checked.
        unsafe { self.enqueue_copy(to, from, bytes, "copying SYCL memory") }
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        self.session.enter()?;
        let bridge = self.session.bridge;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the queue is live, and the pointer is to a live handle.
        let failure = unsafe { (bridge.mark)(self.raw, &raw mut raw) };
        bridge.check(failure, "recording a SYCL event")?;
        Ok(Arc::new(SyclEvent {
            raw,
            session: self.session.clone(),
        }))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        let own = event.as_any().downcast_ref::<SyclEvent>();
        let Some(own) = own.filter(|e| Arc::ptr_eq(&e.session, &self.session)) else {
            return event.wait();
        };
        self.session.enter()?;
        let bridge = self.session.bridge;
        // SAFETY: queue and event are live, and of one context.
        let failure = unsafe { (bridge.wait_for)(self.raw, own.raw) };
        bridge.check(failure, "waiting for a SYCL event in a queue")
    }

    fn synchronize(&self) -> Result<()> {
        self.session.enter()?;
        let bridge = self.session.bridge;
        // SAFETY: the queue is live.
        let failure = unsafe { (bridge.wait)(self.raw) };
        bridge.check(failure, "waiting for the SYCL queue")
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.enter()?;
        let bridge = self.session.bridge;
        let mut idle = 0;
        // SAFETY: the queue is live, and the pointer is to a live integer.
        let failure = unsafe { (bridge.idle)(self.raw, &raw mut idle) };
        bridge.check(failure, "asking for the state of the SYCL queue")?;
        Ok(idle != 0)
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Sycl
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for SyclQueue {
    fn drop(&mut self) {
        if self.own && self.session.enter().is_ok() {
            // SAFETY: the queue is live, and nobody can use it any more; it is waited for.
            unsafe { (self.session.bridge.end_queue)(self.raw) };
        }
    }
}

/// A mark in a queue.
struct SyclEvent {
    raw: Object,
    session: Arc<Session>,
}

// SAFETY: SYCL's objects may be used by any thread, and its functions are thread-safe.
unsafe impl Send for SyclEvent {}
// SAFETY: as above.
unsafe impl Sync for SyclEvent {}

impl SyclEvent {
    /// When it happened, on the device's clock.
    fn time(&self) -> Result<u64> {
        let bridge = self.session.bridge;
        let mut time = 0;
        // SAFETY: the event is live, and the pointer is to a live integer.
        let failure = unsafe { (bridge.time)(self.raw, &raw mut time) };
        bridge.check(failure, "asking for the time of a SYCL event")?;
        Ok(time)
    }
}

impl Event for SyclEvent {
    fn is_done(&self) -> Result<bool> {
        self.session.enter()?;
        let bridge = self.session.bridge;
        let mut done = 0;
        // SAFETY: the event is live, and the pointer is to a live integer.
        let failure = unsafe { (bridge.done)(self.raw, &raw mut done) };
        bridge.check(failure, "asking for the state of a SYCL event")?;
        Ok(done != 0)
    }

    fn wait(&self) -> Result<()> {
        self.session.enter()?;
        let bridge = self.session.bridge;
        // SAFETY: the event is live.
        let failure = unsafe { (bridge.await_event)(self.raw) };
        bridge.check(failure, "waiting for a SYCL event")
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let own = earlier.as_any().downcast_ref::<Self>();
        let earlier = own
            .filter(|e| Arc::ptr_eq(&e.session, &self.session))
            .ok_or_else(other_device)?;
        earlier.wait()?;
        self.wait()?;
        Ok(Duration::from_nanos(
            self.time()?.saturating_sub(earlier.time()?),
        ))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for SyclEvent {
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // SAFETY: made in `record`, destroyed only here.
            unsafe { (self.session.bridge.end_event)(self.raw) };
        }
    }
}
