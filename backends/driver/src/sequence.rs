//! Work that is told once and done many times.

use crate::error::Result;
use crate::queue::Queue;
use std::any::Any;

/// What a driver has made of a sequence of launches and copies. Whoever replays it keeps the kernels and the
/// memory that it works on.
pub trait Sequence: Send + Sync {
    /// Enqueues all of it, on a queue of the same device.
    fn replay(&self, queue: &dyn Queue) -> Result<()>;

    /// For the driver's own downcasts.
    fn as_any(&self) -> &dyn Any;
}
