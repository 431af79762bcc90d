//! Memory that is kept for the next who needs some.

use super::plain::bytes_of;
use super::{Device, DynMemory, Element, ElementKind, Error, Memory, Result};
use brook_driver::{Buffer, ErrorKind, Event};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Device memory that is not given back when it is dropped, but kept for the next [`Pool::zeros`] or
/// [`Pool::upload`] of about the same size: a GPU takes longer to allocate than to compute. Clones
/// share it.
///
/// Memory is used again once everything has finished that was enqueued, in whichever queue, before it
/// was dropped.
#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    device: Device,
    free: Mutex<Free>,
}

/// What nobody uses.
#[derive(Default)]
struct Free {
    /// By size.
    blocks: BTreeMap<usize, Vec<Block>>,
    /// Bytes in them, and in those in use.
    idle: usize,
    used: usize,
}

struct Block {
    buffer: Arc<dyn Buffer>,
    /// What must have happened before it is used again.
    after: Vec<Arc<dyn Event>>,
}

impl Block {
    fn is_ready(&self) -> bool {
        // Who cannot say is asked again by whoever needs the block badly enough to wait.
        self.after.iter().all(|e| e.is_done().unwrap_or(false))
    }
}

/// A block in use; goes back when dropped.
pub(super) struct Lease {
    pool: Arc<Inner>,
    buffer: Arc<dyn Buffer>,
}

impl Device {
    /// A pool of this device's memory, empty at first.
    pub fn pool(&self) -> Pool {
        Pool(Arc::new(Inner {
            device: self.clone(),
            free: Mutex::default(),
        }))
    }
}

impl Pool {
    /// As [`Device::zeros`], from the pool.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Memory<T>> {
        Ok(Memory::new(self.zeros_of(T::KIND, len)?))
    }

    /// As [`Device::upload`], from the pool.
    ///
    /// # Errors
    /// There is not enough memory, or the copy failed.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<Memory<T>> {
        let memory = self.room_for(T::KIND, elements.len())?;
        memory.write(0, bytes_of(elements))?;
        Ok(Memory::new(memory))
    }

    /// As [`Device::zeros_of`], from the pool.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn zeros_of(&self, kind: ElementKind, len: usize) -> Result<DynMemory> {
        let memory = self.room_for(kind, len)?;
        memory.zero()?;
        Ok(memory)
    }

    /// Bytes that are kept for the next who needs some.
    pub fn idle_bytes(&self) -> usize {
        self.0.lock().idle
    }

    /// Bytes that are in use.
    pub fn used_bytes(&self) -> usize {
        self.0.lock().used
    }

    /// Gives what nobody uses back to the device.
    pub fn trim(&self) {
        let mut free = self.0.lock();
        let blocks = std::mem::take(&mut free.blocks);
        free.idle = 0;
        // Freeing may wait for the device; others need not wait for that.
        drop(free);
        drop(blocks);
    }

    /// As [`Device::room_for`], from the pool.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn room_for(&self, kind: ElementKind, len: usize) -> Result<DynMemory> {
        let bytes = kind.bytes_for(len)?;
        let block = self.block(size_class(bytes)?)?;
        let buffer = block.slice(0, bytes)?;
        self.0.lock().used += block.len();
        let lease = Lease {
            pool: self.0.clone(),
            buffer: block,
        };
        let lease = Some(Arc::new(lease));
        Ok(DynMemory::new(buffer, &self.0.device, kind, len, lease))
    }

    /// A block of that size which nobody uses any more.
    fn block(&self, size: usize) -> Result<Arc<dyn Buffer>> {
        if let Some(block) = self.0.find(size, Block::is_ready) {
            return Ok(block.buffer);
        }
        let error = match self.0.device.allocate(size) {
            Err(Error::Device(error)) if error.kind == ErrorKind::Memory => Error::Device(error),
            other => return other,
        };
        // Better to wait than to fail.
        if let Some(block) = self.0.find(size, |_| true) {
            for event in &block.after {
                event.wait()?;
            }
            return Ok(block.buffer);
        }
        if self.idle_bytes() == 0 {
            return Err(error);
        }
        self.trim();
        self.0.device.allocate(size)
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a block of a size out of those that are free.
    fn find(&self, size: usize, wanted: impl Fn(&Block) -> bool) -> Option<Block> {
        let mut free = self.lock();
        let blocks = free.blocks.get_mut(&size)?;
        // The last that was given back is the likeliest to be in a cache, and the first to be ready.
        let index = blocks.iter().rposition(wanted)?;
        let block = blocks.remove(index);
        free.idle -= size;
        Some(block)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let after = self.pool.device.marks();
        let size = self.buffer.len();
        let mut free = self.pool.lock();
        free.used -= size;
        // Where nothing can be said about when it will be free, it is not kept.
        let Ok(after) = after else {
            return;
        };
        free.idle += size;
        let buffer = self.buffer.clone();
        let blocks = free.blocks.entry(size).or_default();
        blocks.push(Block { buffer, after });
    }
}

/// Sizes are rounded up, by an eighth at most where that is more than a few hundred bytes, so that
/// blocks fit the next who needs one.
fn size_class(bytes: usize) -> Result<usize> {
    let unit = (bytes.max(1).next_power_of_two() / 16).max(256);
    bytes.max(1).checked_next_multiple_of(unit).ok_or_else(|| {
        Error::argument(format!(
            "{bytes} bytes are more than memory has addresses for"
        ))
    })
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Pool on {} ({} bytes in use, {} idle)",
            self.0.device.name(),
            self.used_bytes(),
            self.idle_bytes()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up_a_little() {
        for (bytes, class) in [
            (0, 256),
            (1, 256),
            (257, 512),
            (5000, 5120),
            (1 << 20, 1 << 20),
        ] {
            assert_eq!(size_class(bytes).unwrap(), class, "{bytes}");
        }
        for bytes in [3000, 70_001, 1_000_001, 123_456_789] {
            let class = size_class(bytes).unwrap();
            assert!(class >= bytes && class - bytes <= bytes.div_ceil(8).max(255));
        }
        assert!(size_class(usize::MAX >> 1).is_ok());
    }
}
