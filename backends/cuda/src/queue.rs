//! Queues: streams, and events in them.

use crate::memory::CudaBuffer;
use crate::peer;
use crate::session::Session;
use crate::status::check;
use brook_driver::{
    Buffer, Error, Event, NativeEvent, NativeQueue, Queue, Result, check_range, other_device,
};
use cudarc::driver::result::{self, event, stream};
use cudarc::driver::sys::{
    self, CUevent, CUevent_wait_flags_enum as WaitFlags, CUresult, CUstream,
};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// A stream.
pub(crate) struct CudaQueue {
    session: Arc<Session>,
    stream: CUstream,
    /// Whether it is this queue's own rather than the session's.
    own: bool,
}

// SAFETY: streams may be used by any thread that makes their context current first.
unsafe impl Send for CudaQueue {}
// SAFETY: as above; the driver API is thread-safe.
unsafe impl Sync for CudaQueue {}

impl CudaQueue {
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
        let stream = stream::create(stream::StreamKind::NonBlocking);
        Ok(Self {
            stream: check(stream, "creating a CUDA stream")?,
            session,
            own: true,
        })
    }

    /// One whose blocks are scheduled before those of other streams.
    pub(crate) fn create_urgent(session: Arc<Session>) -> Result<Self> {
        session.enter()?;
        let (mut least, mut greatest, mut stream) = (0, 0, std::ptr::null_mut());
        // SAFETY: the answers are numbers and a stream, and are written to where these lie.
        let status = unsafe {
            sys::cuCtxGetStreamPriorityRange(&raw mut least, &raw mut greatest)
                .result()
                .and_then(|()| {
                    let flags = sys::CUstream_flags_enum::CU_STREAM_NON_BLOCKING as u32;
                    sys::cuStreamCreateWithPriority(&raw mut stream, flags, greatest).result()
                })
        };
        check(status, "creating an urgent CUDA stream")?;
        Ok(Self {
            stream,
            session,
            own: true,
        })
    }

    /// Somebody else's stream.
    ///
    /// # Safety
    /// It is a live `CUstream`, or null for the context's own, as long as this is.
    pub(crate) unsafe fn import(session: Arc<Session>, stream: CUstream) -> Result<Self> {
        session.enter()?;
        let mut context = std::ptr::null_mut();
        // SAFETY: the stream is live; the answer is a pointer.
        let status = unsafe { sys::cuStreamGetCtx(stream, &raw mut context) };
        check(status.result(), "importing a CUDA stream")?;
        if context != session.context() {
            return Err(Error::invalid(
                "the CUDA stream is of another context than the device's primary one",
            ));
        }
        Ok(Self {
            session,
            stream,
            own: false,
        })
    }

    /// The stream behind the trait, if it is one of this session's.
    pub(crate) fn stream_of(queue: &dyn Queue, session: &Arc<Session>) -> Option<CUstream> {
        let own = queue.as_any().downcast_ref::<Self>();
        own.filter(|q| Arc::ptr_eq(&q.session, session))
            .map(|q| q.stream)
    }

    fn buffer<'b>(&self, buffer: &'b dyn Buffer) -> Result<&'b CudaBuffer> {
        own_buffer(buffer, &self.session)
    }
}

/// The buffer behind the trait, of the queue's own session.
pub(crate) fn own_buffer<'b>(
    buffer: &'b dyn Buffer,
    session: &Arc<Session>,
) -> Result<&'b CudaBuffer> {
    CudaBuffer::of(buffer, session)
        .ok_or_else(|| Error::invalid("the memory is another device's than the queue's"))
}

/// The addresses that a copy goes to and comes from; none where there is nothing to copy.
pub(crate) fn sides(
    target: &CudaBuffer,
    offset: usize,
    source: &CudaBuffer,
    source_offset: usize,
    bytes: usize,
) -> Result<Option<(u64, u64)>> {
    check_range(target.len(), offset, bytes, "write")?;
    check_range(source.len(), source_offset, bytes, "read")?;
    if bytes == 0 {
        return Ok(None);
    }
    if target.overlap(offset, source, source_offset, bytes) {
        return Err(Error::invalid("the two sides of the copy overlap"));
    }
    Ok(Some((
        target.address(offset),
        source.address(source_offset),
    )))
}

impl Queue for CudaQueue {
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
        self.session.enter()?;
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        let status = unsafe {
            sys::cuMemcpyHtoDAsync_v2(target.address(offset), from.cast(), bytes, self.stream)
        };
        check(status.result(), "writing to CUDA memory")
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
        self.session.enter()?;
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        let status = unsafe {
            sys::cuMemcpyDtoHAsync_v2(to.cast(), source.address(offset), bytes, self.stream)
        };
        check(status.result(), "reading from CUDA memory")
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
        let source = CudaBuffer::any(source)
            .ok_or_else(|| Error::invalid("the memory is another driver's than the queue's"))?;
        let Some((to, from)) = sides(target, offset, source, source_offset, bytes)? else {
            return Ok(());
        };
        if !Arc::ptr_eq(&self.session, source.session()) {
            let (to, from) = ((&*self.session, to), (&**source.session(), from));
            // SAFETY: both ranges were checked, and both contexts live as long as their memory.
            return unsafe { peer::enqueue(self.stream, to, from, bytes) };
        }
        self.session.enter()?;
        // SAFETY: both ranges were checked.
        let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream) };
        check(copied, "copying CUDA memory")
    }

    fn reaches_peers(&self) -> bool {
        true
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        // From here on, dropping gives the event back.
        let event = CudaEvent {
            raw: self.session.event()?,
            session: self.session.clone(),
        };
        let recorded = self.session.launch(|| {
            // SAFETY: both are live, and of this context.
            unsafe { event::record(event.raw, self.stream) }
        })?;
        check(recorded, "recording a CUDA event")?;
        Ok(Arc::new(event))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        // CUDA keeps the order between streams of different devices, too.
        let Some(own) = event.as_any().downcast_ref::<CudaEvent>() else {
            return event.wait();
        };
        let waits = self.session.launch(|| {
            let flags = WaitFlags::CU_EVENT_WAIT_DEFAULT;
            // SAFETY: the event was recorded before, and the stream is live.
            unsafe { stream::wait_event(self.stream, own.raw, flags) }
        })?;
        check(waits, "waiting for a CUDA event in a stream")
    }

    fn synchronize(&self) -> Result<()> {
        self.session.enter()?;
        // SAFETY: the stream is live.
        let waited = unsafe { stream::synchronize(self.stream) };
        check(waited, "waiting for the CUDA stream")
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.is_stream_idle(self.stream)
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Cuda(self.stream.cast())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaQueue {
    fn drop(&mut self) {
        // Failures leave nothing to do: the context is broken, or the process at its end.
        if self.own && self.session.enter().is_ok() {
            // SAFETY: the stream is live, and nobody can use it any more.
            unsafe {
                let _ = stream::synchronize(self.stream);
                let _ = stream::destroy(self.stream);
            }
        }
    }
}

/// A recorded event.
struct CudaEvent {
    raw: CUevent,
    session: Arc<Session>,
}

// SAFETY: events may be used by any thread that makes their context current first.
unsafe impl Send for CudaEvent {}
// SAFETY: as above; the driver API is thread-safe.
unsafe impl Sync for CudaEvent {}

impl Event for CudaEvent {
    fn is_done(&self) -> Result<bool> {
        self.session.enter()?;
        // SAFETY: the event is live.
        match unsafe { event::query(self.raw) } {
            Err(error) if error.0 == CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            other => check(other, "asking for the state of a CUDA event").map(|()| true),
        }
    }

    fn wait(&self) -> Result<()> {
        self.session.enter()?;
        // SAFETY: the event is live.
        let waited = unsafe { event::synchronize(self.raw) };
        check(waited, "waiting for a CUDA event")
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let own = earlier.as_any().downcast_ref::<Self>();
        let earlier = own
            .filter(|e| Arc::ptr_eq(&e.session, &self.session))
            .ok_or_else(other_device)?;
        earlier.wait()?;
        self.wait()?;
        let what = "asking for the time between CUDA events";
        // `cudarc` calls a successor that drivers before CUDA 12.8 do not have, and panics there.
        type Elapsed = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> CUresult;
        // SAFETY: the driver's library is loaded, and the function's type is the one in `cuda.h`.
        let elapsed = unsafe { sys::culib().get::<Elapsed>(b"cuEventElapsedTime") };
        let elapsed = elapsed.map_err(|_| Error::missing(format!("{what}: it cannot tell")))?;
        let mut milliseconds = 0f32;
        // SAFETY: both events are live, recorded, of one context, and have happened.
        let status = unsafe { elapsed(&raw mut milliseconds, earlier.raw, self.raw) };
        check(status.result(), what)?;
        Ok(Duration::from_secs_f64(
            (f64::from(milliseconds) / 1000.0).max(0.0),
        ))
    }

    fn native(&self) -> NativeEvent {
        NativeEvent::Cuda(self.raw.cast())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaEvent {
    fn drop(&mut self) {
        // What waits for it in a stream knows what it was when that was said.
        self.session.give_back(self.raw);
    }
}
