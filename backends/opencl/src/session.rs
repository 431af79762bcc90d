//! What everything of an opened device shares: its context and its queue.

use crate::commands::Commands;
use crate::handle::Handle;
use crate::pieces::Pieces;
use brook_driver::{Process, Result};
use cl3::types::{cl_command_queue, cl_device_id};

/// A device with its context and queue; buffers and programs keep it alive.
pub(crate) struct Session {
    /// Dropped before the context, as the queue.
    pub(crate) pieces: Pieces,
    pub(crate) queue: Commands,
    pub(crate) context: Handle,
    pub(crate) device: cl_device_id,
    pub(crate) lies: bool,
    /// Whether the device has memory of its own.
    pub(crate) apart: bool,
    pub(crate) process: Process,
    /// Bytes of all of its memory, if it says so.
    pub(crate) room: Option<u64>,
    /// Bytes, at multiples of which a part of a buffer may begin.
    pub(crate) alignment: usize,
}

impl Session {
    /// Whether this is the process that opened the device: a vendor's threads do not survive a fork,
    /// and whoever waits for them in a child waits without an end.
    pub(crate) fn check(&self) -> Result<()> {
        self.process.check("the OpenCL device")
    }

    /// Somebody else's queue, of which this keeps a reference.
    ///
    /// # Safety
    /// `queue` is a live queue.
    pub(crate) unsafe fn import_queue(&self, queue: cl_command_queue) -> Result<Commands> {
        // SAFETY: by this function's contract.
        unsafe { Commands::import(&self.context, self.device, self.lies, queue) }
    }

    /// A new queue; `times` says whether anybody asks its events when they happened.
    pub(crate) fn create_queue(&self, times: bool) -> Result<Commands> {
        Commands::create(&self.context, self.device, self.lies, times)
    }
}

// SAFETY: see `Found`: a device identifier may be used by any thread. The handles are `Send`.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}
