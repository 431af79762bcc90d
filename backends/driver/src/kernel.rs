//! Loaded programs and their kernels.

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::queue::{AtOnce, Queue};
use std::sync::Arc;

/// A loaded binary.
pub trait Program: Send + Sync {
    /// Looks a kernel up by its name in the generated source.
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>>;
}

/// One argument of a launch, in the order of the kernel's parameters.
#[derive(Clone, Copy)]
pub enum Argument<'a> {
    /// Device memory of the same device.
    Buffer(&'a dyn Buffer),
    /// The memory that a buffer is a part of, from that memory's beginning.
    Whole(&'a dyn Buffer),
    /// A null pointer.
    Null,
    /// A value, in the device's layout.
    Value(&'a [u8]),
}

/// A kernel ready to launch.
pub trait Kernel: Send + Sync {
    /// Reserves that many bytes of group memory for every launch from now on, besides what the
    /// kernel declares. An error of kind [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) where the device has not got them.
    fn reserve(&self, bytes: u64) -> Result<()> {
        match bytes {
            0 => Ok(()),
            _ => Err(Error::invalid(format!(
                "this backend cannot reserve {bytes} bytes of group memory at a launch"
            ))),
        }
    }

    /// Enqueues the kernel over `grid` groups of `group` items (x, y, z). A loop backend runs its
    /// own loops and ignores both. Zero in any axis is the caller's affair: nothing is launched.
    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()>;

    /// As [`Kernel::launch`], on a queue of the same device.
    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        match queue.as_any().downcast_ref::<AtOnce>() {
            Some(_) => self.launch(grid, group, arguments),
            None => Err(Error::invalid("the queue is another device's")),
        }
    }
}
