//! Command queues, and events.

use crate::memory::MetalBuffer;
use crate::objects::{Raw, Threaded};
use brook_driver::{
    Buffer, Error, ErrorKind, Event, NativeQueue, Queue, Result, check_range, other_device,
    ranges_overlap,
};
use objc2::rc::{Retained, autoreleasepool};
use objc2::runtime::ProtocolObject;
use objc2_metal::{MTLCommandBuffer, MTLCommandBufferStatus, MTLCommandQueue, MTLDevice};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

type CommandBuffer = Retained<ProtocolObject<dyn MTLCommandBuffer>>;

/// A command queue, whose command buffers run in order.
pub(crate) struct MetalQueue {
    raw: Retained<ProtocolObject<dyn MTLCommandQueue>>,
    /// The last command buffer that was committed, and has not been waited for.
    last: Mutex<Option<Threaded<CommandBuffer>>>,
}

impl MetalQueue {
    pub(crate) fn new(device: &Raw) -> Result<Self> {
        let failed = || Error::new(ErrorKind::Device, "Metal makes no command queue");
        Ok(Self {
            raw: device.newCommandQueue().ok_or_else(failed)?,
            last: Mutex::default(),
        })
    }

    /// Commits a command buffer with what `fill` puts into it.
    pub(crate) fn encode(
        &self,
        fill: impl FnOnce(&ProtocolObject<dyn MTLCommandBuffer>) -> Result<()>,
    ) -> Result<()> {
        autoreleasepool(|_| {
            let failed = || Error::new(ErrorKind::Device, "Metal makes no command buffer");
            let buffer = self.raw.commandBuffer().ok_or_else(failed)?;
            fill(&buffer)?;
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            buffer.commit();
            *last = Some(Threaded(buffer));
            Ok(())
        })
    }

    fn buffer<'b>(&self, buffer: &'b dyn Buffer) -> Result<&'b MetalBuffer> {
        let found = buffer.as_any().downcast_ref::<MetalBuffer>();
        found.ok_or_else(|| Error::invalid("the memory is another backend's"))
    }

    fn last(&self) -> Option<CommandBuffer> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().map(|last| last.0.clone())
    }
}

/// Waits for a command buffer, and says what went wrong in it.
fn finish(buffer: &CommandBuffer) -> Result<()> {
    buffer.waitUntilCompleted();
    match buffer.error() {
        None => Ok(()),
        Some(error) => Err(Error::new(
            ErrorKind::Device,
            error.localizedDescription().to_string(),
        )),
    }
}

fn is_done(buffer: &CommandBuffer) -> bool {
    let status = buffer.status();
    status == MTLCommandBufferStatus::Completed || status == MTLCommandBufferStatus::Error
}

impl Queue for MetalQueue {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        let target = self.buffer(target)?;
        if bytes == 0 {
            return Ok(());
        }
        self.synchronize()?;
        // SAFETY: by this function's contract.
        target.put(offset, unsafe { std::slice::from_raw_parts(from, bytes) })
    }

    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        bytes: usize,
    ) -> Result<()> {
        let source = self.buffer(source)?;
        if bytes == 0 {
            return Ok(());
        }
        self.synchronize()?;
        // SAFETY: by this function's contract.
        source.get(offset, unsafe { std::slice::from_raw_parts_mut(to, bytes) })
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
        let to = target.address().wrapping_add(offset);
        let from = source.address().wrapping_add(source_offset);
        if ranges_overlap(to as usize, from as usize, bytes) {
            return Err(Error::invalid("the ranges of a copy overlap"));
        }
        self.synchronize()?;
        // SAFETY: both ranges are within live buffers, and have nothing in common.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    }

    fn record(&self) -> Result<Arc<dyn Event>> {
        Ok(Arc::new(MetalEvent(self.last().map(Threaded))))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        event.wait()
    }

    fn synchronize(&self) -> Result<()> {
        let Some(buffer) = self.last() else {
            return Ok(());
        };
        let done = finish(&buffer);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last
            .as_ref()
            .is_some_and(|l| Retained::as_ptr(&l.0) == Retained::as_ptr(&buffer))
        {
            *last = None;
        }
        done
    }

    fn is_idle(&self) -> Result<bool> {
        Ok(self.last().is_none_or(|buffer| is_done(&buffer)))
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Host
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for MetalQueue {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.synchronize();
    }
}

/// The command buffer that was the last one when the event was recorded.
struct MetalEvent(Option<Threaded<CommandBuffer>>);

impl MetalEvent {
    fn buffer(&self) -> Option<&CommandBuffer> {
        self.0.as_ref().map(|buffer| &buffer.0)
    }
}

impl Event for MetalEvent {
    fn is_done(&self) -> Result<bool> {
        Ok(self.buffer().is_none_or(is_done))
    }

    fn wait(&self) -> Result<()> {
        self.buffer().map_or(Ok(()), finish)
    }

    fn elapsed_since(&self, earlier: &dyn Event) -> Result<Duration> {
        let earlier = earlier
            .as_any()
            .downcast_ref::<Self>()
            .ok_or_else(other_device)?;
        earlier.wait()?;
        self.wait()?;
        let end = |event: &Self| event.buffer().map_or(0.0, |b| b.GPUEndTime());
        // Before the first launch, time begins with the later one.
        let from = match end(earlier) {
            0.0 => self.buffer().map_or(0.0, |b| b.GPUStartTime()),
            time => time,
        };
        Ok(Duration::from_secs_f64((end(self) - from).max(0.0)))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
