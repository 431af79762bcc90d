//! Copies between devices of several processes without the host.

use crate::buffer::Buffer;
use crate::error::Result;
use crate::queue::Queue;

/// Devices of several processes, one each, that reach each other's memory themselves. They are numbered from 0 on.
pub trait Exchange: Send + Sync {
    /// Enqueues messages, all of which go at once: behind what the queue has, and before what it gets later. Two devices say those
    /// between them in one order, and as many bytes; either waits, without the host, until the other has come as far.
    fn enqueue(&self, queue: &dyn Queue, messages: &[Message<'_>]) -> Result<()>;

    /// Whether the host waits for the others all the same, so that whoever has something else to do does that first.
    fn waits(&self) -> bool {
        false
    }
}

/// Bytes of this process's device that go to another one's, or come from there.
#[derive(Clone, Copy)]
pub struct Message<'b> {
    /// This device's memory.
    pub buffer: &'b dyn Buffer,
    /// Where in it, in bytes.
    pub offset: usize,
    /// How many bytes.
    pub bytes: usize,
    /// The other device's number.
    pub with: usize,
    /// Whether they go there.
    pub goes: bool,
}
