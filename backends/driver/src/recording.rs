//! Queues that do nothing now: what drivers record sequences with.

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::native::NativeQueue;
use crate::queue::{Event, Queue};
use std::any::Any;
use std::sync::Arc;

/// Remembers launches and copies. Launches find it behind the queue by the driver's own downcast.
pub trait Recorder: Any + Send + Sync {
    /// Remembers a copy: as [`Queue::copy`].
    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()>;
}

/// A recorder as a queue. What needs the host, or tells of progress, is an error of kind
/// [`ErrorKind::Invalid`](crate::ErrorKind::Invalid).
pub struct Recording<R>(pub R);

impl<R: Recorder> Recording<R> {
    /// The recorder behind a queue, if it is one of that type.
    pub fn of(queue: &dyn Queue) -> Option<&R> {
        queue.as_any().downcast_ref::<Self>().map(|own| &own.0)
    }
}

fn refused<T>() -> Result<T> {
    Err(Error::invalid(
        "only launches and copies between memory of the device can be recorded",
    ))
}

impl<R: Recorder> Queue for Recording<R> {
    unsafe fn write(&self, _: &dyn Buffer, _: usize, _: *const u8, _: usize) -> Result<()> {
        refused()
    }

    unsafe fn read(&self, _: &dyn Buffer, _: usize, _: *mut u8, _: usize) -> Result<()> {
        refused()
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        self.0.copy(target, offset, source, source_offset, bytes)
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        refused()
    }

    fn wait_for(&self, _: &Arc<dyn Event>) -> Result<()> {
        refused()
    }

    fn synchronize(&self) -> Result<()> {
        refused()
    }

    fn is_idle(&self) -> Result<bool> {
        refused()
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Host
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
