//! Memory of a device.

use crate::error::Result;
use crate::native::NativeMemory;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// A piece of device memory, freed when dropped.
pub trait Buffer: Send + Sync {
    /// Size in bytes.
    fn len(&self) -> usize;

    /// Whether the size is zero.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies from the host to `offset`, both in bytes; ordered after what was enqueued before, and
    /// complete on return. Out-of-range offsets are errors of kind [`ErrorKind::Invalid`](crate::ErrorKind::Invalid).
    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()>;

    /// Copies to the host from `offset`; ordered after what was enqueued before, complete on return.
    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()>;

    /// Fills the buffer with zero bytes.
    fn zero(&self) -> Result<()>;

    /// Copies from another buffer, which may be of another device and may overlap; ordered after what
    /// was enqueued before on both, and before what comes after.
    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()>;

    /// A part of the buffer as a buffer, which keeps the memory. Ranges are errors as for
    /// [`Buffer::write`].
    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>>;

    /// Sees to it that a range, in bytes, of memory from [`Device::reserve`](crate::Device::reserve) is there. All other memory is.
    ///
    /// # Errors
    /// There is not enough of it.
    fn commit(&self, range: Range<usize>) -> Result<()> {
        let _ = range;
        Ok(())
    }

    /// Whether it is a part of other memory that kernels can be given only with its offset in that:
    /// [`Argument::Whole`](crate::Argument::Whole), and [`Buffer::offset`] as a value behind it.
    fn needs_offset(&self) -> bool {
        false
    }

    /// Where it begins in what [`Argument::Whole`](crate::Argument::Whole) passes of it, in bytes.
    fn offset(&self) -> usize {
        0
    }

    /// The vendor's object behind it.
    fn native(&self) -> NativeMemory {
        NativeMemory::Unknown
    }

    /// Where the host finds it, if it is memory that both use.
    fn host(&self) -> Option<*mut u8> {
        None
    }

    /// For the driver's own downcasts.
    fn as_any(&self) -> &dyn Any;
}
