//! Queues, all of them in order.

use crate::commands::{Commands, SoFar, failure, forget_event, status};
use crate::handle::Handle;
use crate::memory::{ClBuffer, enqueue_copy};
use crate::session::Session;
use crate::status::failed;
use brook_driver::{
    Buffer, Error, Event, NativeEvent, NativeQueue, Queue, Result, check_range, other_device,
};
use cl3::event::{CL_COMPLETE, CL_PROFILING_COMMAND_END};
use cl3::types::{CL_FALSE, cl_command_queue, cl_ulong};
use cl3::{command_queue, event};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// One in-order queue.
pub(crate) struct ClQueue {
    /// Its own, or none for the session's.
    own: Option<Commands>,
    session: Arc<Session>,
}

impl ClQueue {
    /// The session's queue.
    pub(crate) fn default(session: Arc<Session>) -> Self {
        Self { own: None, session }
    }

    pub(crate) fn create(session: Arc<Session>) -> Result<Self> {
        session.check()?;
        let own = Some(session.create_queue(true)?);
        Ok(Self { own, session })
    }

    /// Somebody else's queue.
    ///
    /// # Safety
    /// `queue` is a live queue.
    pub(crate) unsafe fn import(session: Arc<Session>, queue: cl_command_queue) -> Result<Self> {
        session.check()?;
        // SAFETY: by this function's contract.
        let own = Some(unsafe { session.import_queue(queue) }?);
        Ok(Self { own, session })
    }

    /// The queue behind the trait, if it is one of this session's.
    pub(crate) fn of<'q>(queue: &'q dyn Queue, session: &Arc<Session>) -> Option<&'q Self> {
        let own = queue.as_any().downcast_ref::<Self>();
        own.filter(|q| Arc::ptr_eq(&q.session, session))
    }

    pub(crate) fn commands(&self) -> &Commands {
        self.own.as_ref().unwrap_or(&self.session.queue)
    }

    fn buffer<'b>(&self, buffer: &'b dyn Buffer) -> Result<&'b ClBuffer> {
        self.session.check()?;
        ClBuffer::of(buffer, &self.session)
            .ok_or_else(|| Error::invalid("the memory is another device's than the queue's"))
    }
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
                self.commands().raw(),
                object,
                CL_FALSE,
                offset,
                bytes,
                from.cast(),
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, what)?;
        self.commands().enqueued(what)
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
                self.commands().raw(),
                object,
                CL_FALSE,
                offset,
                bytes,
                to.cast(),
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, what)?;
        self.commands().enqueued(what)
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
        let queue = self.commands();
        enqueue_copy(queue, target, offset, source, source_offset, bytes)
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        self.session.check()?;
        let what = "recording an OpenCL event";
        let before = self.commands().so_far();
        let marker = self.commands().mark(what)?;
        Ok(Arc::new(ClEvent {
            marker,
            before,
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
            command_queue::enqueue_barrier_with_wait_list(self.commands().raw(), 1, events.as_ptr())
        };
        forget_event(barrier, what)
    }

    fn synchronize(&self) -> Result<()> {
        self.session.check()?;
        self.commands().finish("waiting for the OpenCL queue")
    }

    fn is_idle(&self) -> Result<bool> {
        self.session.check()?;
        self.commands().is_idle()
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::OpenCl(self.commands().raw())
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
    /// What its queue had been told to do.
    before: SoFar,
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
            status @ ..0 => Err(failure(status)),
            CL_COMPLETE => {
                self.before.have_ended();
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn wait(&self) -> Result<()> {
        self.session.check()?;
        event::wait_for_events(&[self.marker.raw()])
            .map_err(|s| failed("waiting for an OpenCL event", s))?;
        self.before.have_ended();
        Ok(())
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let own = earlier.as_any().downcast_ref::<Self>();
        let own = own.filter(|e| Arc::ptr_eq(&e.session, &self.session));
        let earlier = own.ok_or_else(other_device)?.time()?;
        Ok(Duration::from_nanos(self.time()?.saturating_sub(earlier)))
    }

    fn native(&self) -> NativeEvent {
        NativeEvent::OpenCl(self.marker.raw())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
