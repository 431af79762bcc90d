//! Loaded programs and their kernels.

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::queue::{AtOnce, Queue};
use std::sync::Arc;

/// A loaded binary.
pub trait Program: Send + Sync {
    /// Looks a kernel up by its name in the generated source.
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>>;

    /// Of a program that is loaded on several devices, that of the device of that number.
    fn part(&self, number: usize) -> Option<Arc<dyn Program>> {
        let _ = number;
        None
    }
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

/// What the compiler made of a kernel, and how much of it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residency {
    /// Groups that a multiprocessor holds at once; 0 if not even one fits.
    pub groups: u32,
    /// Items that a multiprocessor issues instructions for at once, by all of its schedulers: with fewer of them some do nothing.
    pub issued: u32,
    /// Registers of an item.
    pub registers: u32,
    /// Bytes of an item that have no register, and are in memory.
    pub spilled: u32,
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

    /// What fits of it with groups of so many items; `None` where nobody can tell.
    fn residency(&self, items: u32) -> Result<Option<Residency>> {
        let _ = items;
        Ok(None)
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
