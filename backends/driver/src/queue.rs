//! Queues besides a device's own, and marks in them.

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::native::{NativeEvent, NativeQueue};
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Work in order, beside the work of other queues. Dropping it waits for what is in it.
///
/// A device's own queue, through which everything goes that names no queue, is one of them:
/// [`Device::default_queue`](crate::Device::default_queue). Queues know nothing of each other's
/// progress but through events.
pub trait Queue: Send + Sync {
    /// Enqueues a copy from host memory.
    ///
    /// # Safety
    /// `bytes` bytes at `from` stay as they are until the copy has been done.
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()>;

    /// Enqueues a copy to host memory.
    ///
    /// # Safety
    /// Nobody else looks at the `bytes` bytes at `to`, and they stay allocated, until the copy has
    /// been done.
    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        bytes: usize,
    ) -> Result<()>;

    /// Enqueues a copy between two buffers of the queue's device, or to it from another one that it
    /// [reaches](Self::reaches_peers). Ranges that overlap are an error of kind
    /// [`ErrorKind::Invalid`](crate::ErrorKind::Invalid).
    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()>;

    /// Whether [`copy`](Self::copy) takes what another device of the driver has, without the host's waiting.
    fn reaches_peers(&self) -> bool {
        false
    }

    /// A mark behind everything enqueued so far.
    fn record(&self) -> Result<Arc<dyn Event>>;

    /// Lets what is enqueued from now on begin after the event, which may be of another queue. The
    /// host waits where the device cannot.
    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()>;

    /// Waits until everything enqueued so far has finished, and reports errors that happened in it.
    fn synchronize(&self) -> Result<()>;

    /// Whether everything enqueued so far has finished, well or not.
    fn is_idle(&self) -> Result<bool>;

    /// The vendor's object behind it.
    fn native(&self) -> NativeQueue;

    /// For the driver's own downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// A place in a queue.
pub trait Event: Send + Sync {
    /// Whether everything before it has finished.
    fn is_done(&self) -> Result<bool>;

    /// Waits until everything before it has finished.
    fn wait(&self) -> Result<()>;

    /// The time between two events of one device, both of which are waited for. Zero if `earlier` was
    /// in fact the later one.
    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration>;

    /// The vendor's object behind it.
    fn native(&self) -> NativeEvent {
        NativeEvent::Host
    }

    /// For the driver's own downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// The queue of a device that does everything before its calls return.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtOnce;

impl Queue for AtOnce {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: by this function's contract.
        target.write(offset, unsafe { std::slice::from_raw_parts(from, bytes) })
    }

    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        bytes: usize,
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: by this function's contract.
        source.read(offset, unsafe { std::slice::from_raw_parts_mut(to, bytes) })
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        target.copy_from(offset, source, source_offset, bytes)
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        Ok(Arc::new(Done(Instant::now())))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        event.wait()
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn is_idle(&self) -> Result<bool> {
        Ok(true)
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Host
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An event that has happened.
#[derive(Debug)]
pub struct Done(pub Instant);

impl Event for Done {
    fn is_done(&self) -> Result<bool> {
        Ok(true)
    }

    fn wait(&self) -> Result<()> {
        Ok(())
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        match earlier.as_any().downcast_ref::<Self>() {
            Some(earlier) => Ok(self.0.saturating_duration_since(earlier.0)),
            None => Err(other_device()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Two events without a common clock.
pub fn other_device() -> Error {
    Error::invalid("the two events are of different devices, whose clocks cannot be compared")
}
