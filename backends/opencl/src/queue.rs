//! Queues, all of them in order.

use crate::device::Session;
use crate::handle::Handle;
use crate::memory::{ClBuffer, forget_event};
use crate::status::failed;
use brook_driver::{
    Buffer, Error, ErrorKind, Event, NativeQueue, Queue, Result, check_range, other_device,
};
use cl3::event::{CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_PROFILING_COMMAND_END};
use cl3::types::{CL_FALSE, cl_event, cl_int, cl_ulong};
use cl3::{command_queue, event};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// One in-order queue.
pub(crate) struct ClQueue {
    /// Its own, or none for the session's.
    own: Option<Handle>,
    session: Arc<Session>,
    /// The last command whose end was worth remembering, which ends after all before it.
    last: Mutex<Option<Handle>>,
}

impl ClQueue {
    /// The session's queue.
    pub(crate) fn default(session: Arc<Session>) -> Self {
        Self {
            own: None,
            session,
            last: Mutex::new(None),
        }
    }

    pub(crate) fn create(session: Arc<Session>) -> Result<Self> {
        session.check()?;
        let own = Some(session.create_queue()?);
        Ok(Self {
            own,
            session,
            last: Mutex::new(None),
        })
    }

    /// The queue behind the trait, if it is one of this session's.
    pub(crate) fn of<'q>(queue: &'q dyn Queue, session: &Arc<Session>) -> Option<&'q Self> {
        let own = queue.as_any().downcast_ref::<Self>();
        own.filter(|q| Arc::ptr_eq(&q.session, session))
    }

    pub(crate) fn handle(&self) -> &Handle {
        self.own.as_ref().unwrap_or(&self.session.queue)
    }

    /// Remembers a command, and hands the queue to the device: a vendor may let commands lie until
    /// somebody waits for them.
    ///
    /// # Safety
    /// The event is a live one, and the reference nobody else's.
    pub(crate) unsafe fn enqueued(&self, command: cl_event, what: &str) -> Result<()> {
        match &self.own {
            // SAFETY: by this function's contract.
            Some(_) => remember(&self.last, unsafe {
                Handle::new(command, event::release_event)
            }),
            // SAFETY: by this function's contract.
            None => unsafe { self.session.launched(command) },
        }
        command_queue::flush(self.handle().raw()).map_err(|s| failed(what, s))
    }

    fn buffer<'b>(&self, buffer: &'b dyn Buffer) -> Result<&'b ClBuffer> {
        self.session.check()?;
        ClBuffer::of(buffer, &self.session)
            .ok_or_else(|| Error::invalid("the memory is another device's than the queue's"))
    }
}

pub(crate) fn remember(last: &Mutex<Option<Handle>>, command: Handle) {
    *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(command);
}

/// Whether a remembered command has ended, well or not.
pub(crate) fn is_idle(last: &Mutex<Option<Handle>>) -> Result<bool> {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(command) = &*last else {
        return Ok(true);
    };
    let done = status(command)? <= CL_COMPLETE;
    if done {
        *last = None;
    }
    Ok(done)
}

/// How far a command is; negative if it has failed.
fn status(command: &Handle) -> Result<cl_int> {
    let status = event::get_event_info(command.raw(), CL_EVENT_COMMAND_EXECUTION_STATUS)
        .map_err(|s| failed("asking for the state of an OpenCL command", s))?;
    Ok(cl_int::from(status))
}

/// Enqueues a copy between ranges that do not overlap.
pub(crate) fn enqueue_copy(
    queue: &Handle,
    target: &ClBuffer,
    offset: usize,
    source: &ClBuffer,
    source_offset: usize,
    bytes: usize,
) -> Result<()> {
    let event = copy_event(queue, target, offset, source, source_offset, bytes)?;
    event.map_or(Ok(()), |e| forget_event(Ok(e), COPYING))
}

const COPYING: &str = "copying OpenCL memory";

fn copy_event(
    queue: &Handle,
    target: &ClBuffer,
    offset: usize,
    source: &ClBuffer,
    source_offset: usize,
    bytes: usize,
) -> Result<Option<cl_event>> {
    check_range(target.len(), offset, bytes, "write")?;
    check_range(source.len(), source_offset, bytes, "read")?;
    if bytes == 0 {
        return Ok(None);
    }
    let (to, offset) = target.place(offset);
    let (from, source_offset) = source.place(source_offset);
    // SAFETY: both ranges were checked.
    let event = unsafe {
        command_queue::enqueue_copy_buffer(
            queue.raw(),
            from,
            to,
            source_offset,
            offset,
            bytes,
            0,
            std::ptr::null(),
        )
    };
    event.map(Some).map_err(|s| failed(COPYING, s))
}

impl Queue for ClQueue {
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
        let what = "writing to OpenCL memory";
        let (object, offset) = target.place(offset);
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        let event = unsafe {
            command_queue::enqueue_write_buffer(
                self.handle().raw(),
                object,
                CL_FALSE,
                offset,
                bytes,
                from.cast(),
                0,
                std::ptr::null(),
            )
        };
        let event = event.map_err(|s| failed(what, s))?;
        // SAFETY: the event is a new one, and this its only reference.
        unsafe { self.enqueued(event, what) }
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
        let what = "reading from OpenCL memory";
        let (object, offset) = source.place(offset);
        // SAFETY: the range was checked, the host's side stays by this function's contract.
        let event = unsafe {
            command_queue::enqueue_read_buffer(
                self.handle().raw(),
                object,
                CL_FALSE,
                offset,
                bytes,
                to.cast(),
                0,
                std::ptr::null(),
            )
        };
        let event = event.map_err(|s| failed(what, s))?;
        // SAFETY: the event is a new one, and this its only reference.
        unsafe { self.enqueued(event, what) }
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
        if target.overlap(offset, source, source_offset, bytes) {
            return Err(Error::invalid("the two sides of the copy overlap"));
        }
        match copy_event(self.handle(), target, offset, source, source_offset, bytes)? {
            // SAFETY: the event is a new one, and this its only reference.
            Some(event) => unsafe { self.enqueued(event, COPYING) },
            None => Ok(()),
        }
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        self.session.check()?;
        let what = "recording an OpenCL event";
        let queue = self.handle().raw();
        // SAFETY: no wait list means everything before it.
        let marker =
            unsafe { command_queue::enqueue_marker_with_wait_list(queue, 0, std::ptr::null()) };
        let marker = marker.map_err(|s| failed(what, s))?;
        // SAFETY: the event is a new one, and this its only reference.
        let marker = unsafe { Handle::new(marker, event::release_event) };
        command_queue::flush(queue).map_err(|s| failed(what, s))?;
        Ok(Arc::new(ClEvent {
            marker,
            session: self.session.clone(),
        }))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        self.session.check()?;
        let own = event.as_any().downcast_ref::<ClEvent>();
        let Some(own) = own.filter(|e| Arc::ptr_eq(&e.session, &self.session)) else {
            return event.wait();
        };
        let what = "waiting for an OpenCL event in a queue";
        let events = [own.marker.raw()];
        // SAFETY: the list has one live event of this context.
        let barrier = unsafe {
            command_queue::enqueue_barrier_with_wait_list(self.handle().raw(), 1, events.as_ptr())
        };
        forget_event(barrier, what)
    }

    fn synchronize(&self) -> Result<()> {
        self.session.check()?;
        command_queue::finish(self.handle().raw())
            .map_err(|s| failed("waiting for the OpenCL queue", s))
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.check()?;
        match &self.own {
            Some(_) => is_idle(&self.last),
            None => self.session.is_idle(),
        }
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::OpenCl(self.handle().raw())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for ClQueue {
    fn drop(&mut self) {
        if self.own.is_some() {
            // Failures leave nothing to do: the device is broken, or the process at its end.
            let _ = self.synchronize();
        }
    }
}

/// A marker.
struct ClEvent {
    marker: Handle,
    session: Arc<Session>,
}

impl ClEvent {
    /// When it happened, in nanoseconds on the device's clock.
    fn time(&self) -> Result<u64> {
        self.wait()?;
        let time = event::get_event_profiling_info(self.marker.raw(), CL_PROFILING_COMMAND_END);
        let time = time.map_err(|s| failed("asking for the time of an OpenCL event", s))?;
        Ok(cl_ulong::from(time))
    }
}

impl Event for ClEvent {
    fn is_done(&self) -> Result<bool> {
        self.session.check()?;
        match status(&self.marker)? {
            failure @ ..0 => Err(Error::new(
                ErrorKind::Device,
                format!(
                    "a command before the event failed: {}",
                    crate::status::name(failure)
                ),
            )),
            status => Ok(status == CL_COMPLETE),
        }
    }

    fn wait(&self) -> Result<()> {
        self.session.check()?;
        event::wait_for_events(&[self.marker.raw()])
            .map_err(|s| failed("waiting for an OpenCL event", s))
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let own = earlier.as_any().downcast_ref::<Self>();
        let own = own.filter(|e| Arc::ptr_eq(&e.session, &self.session));
        let earlier = own.ok_or_else(other_device)?.time()?;
        Ok(Duration::from_nanos(self.time()?.saturating_sub(earlier)))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
