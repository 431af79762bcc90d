//! What exchanges use on the device and on the host: made once, and kept for the next.

use super::super::{Device, DynMemory, ElementKind, Event, Queue, Result};
use brook_driver::HostMemory;

/// Room for what a process has of shared groups, on the device and in host memory that the device copies to without a detour.
pub(super) struct Room {
    pub(super) joined: DynMemory,
    host: Box<dyn HostMemory>,
    /// Copies go through it, beside what the device computes.
    queue: Queue,
}

impl Room {
    pub(super) fn new(device: &Device, kind: ElementKind, count: usize) -> Result<Self> {
        let joined = device.room_for(kind, count)?;
        let host = device.driver().pinned(joined.bytes())?;
        let queue = device.queue()?;
        Ok(Self {
            joined,
            host,
            queue,
        })
    }

    /// Whether it is for as many values of that kind.
    pub(super) fn fits(&self, kind: ElementKind, count: usize) -> bool {
        self.joined.kind() == kind && self.joined.len() == count
    }

    /// The host's side, while nothing is copied.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the memory has as many bytes, all of them zero at first, and nobody else has its address. Copies to and from it are
        // waited for before this is called.
        unsafe { std::slice::from_raw_parts_mut(self.host.pointer(), self.joined.bytes()) }
    }

    /// Begins to copy to the host what the device makes of what was launched so far. What it gives has happened when the bytes are there.
    pub(super) fn fetch(&mut self) -> Result<Event> {
        let made = self.joined.device().default_queue()?.record()?;
        self.queue.wait_for(&made)?;
        let (to, count) = (self.host.pointer(), self.joined.len());
        // SAFETY: there is room for as many, which nobody looks at before the event.
        unsafe { self.queue.read(&self.joined, 0, to, count) }?;
        self.queue.record()
    }

    /// Begins to copy the bytes to the device; what is launched there from now on comes behind it.
    pub(super) fn put(&mut self) -> Result<()> {
        let (from, count) = (self.host.pointer(), self.joined.len());
        // SAFETY: nobody changes them before the next `fetch`, which comes behind this, has happened.
        unsafe { self.queue.write(&self.joined, 0, from, count) }?;
        let put = self.queue.record()?;
        self.joined.device().default_queue()?.wait_for(&put)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // The host's memory goes. Whoever comes next hears what is wrong with the device.
        let _ = self.queue.wait();
    }
}
