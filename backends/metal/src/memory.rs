//! Buffers, which host and GPU share.

use crate::objects::{Raw, Threaded};
use brook_driver::{Buffer, NativeMemory, Queue, Result, allocated, check_range, copy_overlapping};
use objc2::rc::Retained;
use objc2::runtime::ProtocolObject;
use objc2_metal::{MTLBuffer, MTLDevice, MTLResourceOptions};
use std::any::Any;
use std::sync::Arc;

/// Memory, or a part of it.
#[derive(Clone)]
pub(crate) struct MetalBuffer {
    raw: Threaded<Retained<ProtocolObject<dyn MTLBuffer>>>,
    /// Where the part begins.
    start: usize,
    bytes: usize,
    /// The device's own queue: what copies wait for.
    own: Arc<dyn Queue>,
}

impl MetalBuffer {
    /// `None` if there is no room.
    pub(crate) fn new(device: &Raw, own: Arc<dyn Queue>, bytes: usize) -> Option<Self> {
        let length = allocated(bytes);
        let raw =
            device.newBufferWithLength_options(length, MTLResourceOptions::StorageModeShared)?;
        Some(Self {
            raw: Threaded(raw),
            start: 0,
            bytes,
            own,
        })
    }

    /// Metal's buffer, and where in it this one begins.
    pub(crate) fn place(&self) -> (&ProtocolObject<dyn MTLBuffer>, usize) {
        (&self.raw.0, self.start)
    }

    /// The host's view of the memory.
    pub(crate) fn address(&self) -> *mut u8 {
        self.raw
            .0
            .contents()
            .as_ptr()
            .cast::<u8>()
            .wrapping_add(self.start)
    }

    /// Copies without waiting for anybody.
    pub(crate) fn put(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        // SAFETY: the range is within the buffer, which lives as long as this, and the slice is none of its memory.
        unsafe {
            self.address()
                .add(offset)
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Ok(())
    }

    /// See [`Self::put`].
    pub(crate) fn get(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        // SAFETY: as in `put`.
        unsafe {
            self.address()
                .add(offset)
                .copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }
}

impl Buffer for MetalBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        self.own.synchronize()?;
        self.put(offset, bytes)
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        self.own.synchronize()?;
        self.get(offset, bytes)
    }

    fn zero(&self) -> Result<()> {
        self.own.synchronize()?;
        // SAFETY: the buffer has so many bytes.
        unsafe { self.address().write_bytes(0, self.bytes) };
        Ok(())
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        copy_overlapping(self, offset, source, source_offset, bytes)
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        check_range(self.bytes, offset, bytes, "take")?;
        Ok(Arc::new(Self {
            start: self.start + offset,
            bytes,
            ..self.clone()
        }))
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::Host(self.address().cast())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
