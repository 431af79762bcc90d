//! Buffer objects that the vendor allocated in the host's memory, mapped for as long as they live. Drivers lock their pages.

use crate::commands::{Commands, forget_event};
use crate::handle::Handle;
use crate::objects::create;
use brook_driver::{Error, ErrorKind, Process, Result};
use cl3::types::CL_TRUE;
use cl3::{command_queue, memory};
use std::sync::Arc;

/// A mapped buffer.
pub(crate) struct Mapped {
    pub(crate) buffer: Arc<Handle>,
    /// Where in the host's memory it is.
    pub(crate) pointer: *mut u8,
    process: Process,
}

// SAFETY: the memory is this value's own, and only handed out as a raw pointer.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// Allocates and maps, by a queue of the session.
    pub(crate) fn new(context: &Handle, queue: &Commands, bytes: usize) -> Result<Self> {
        let flags = memory::CL_MEM_READ_WRITE | memory::CL_MEM_ALLOC_HOST_PTR;
        Self::of(create(context, bytes, flags)?, queue, bytes)
    }

    /// Maps a buffer object, by a queue of its session.
    pub(crate) fn of(buffer: Handle, queue: &Commands, bytes: usize) -> Result<Self> {
        let what = "mapping host memory of OpenCL";
        let mut pointer = std::ptr::null_mut();
        // SAFETY: the range is the whole buffer, and the call blocks.
        let event = unsafe {
            command_queue::enqueue_map_buffer(
                queue.raw(),
                buffer.raw(),
                CL_TRUE,
                memory::CL_MAP_READ | memory::CL_MAP_WRITE,
                0,
                bytes.max(1),
                &mut pointer,
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, what)?;
        if pointer.is_null() {
            return Err(Error::new(
                ErrorKind::Memory,
                format!("{what}: no address was given"),
            ));
        }
        Ok(Self {
            buffer: Arc::new(buffer),
            pointer: pointer.cast(),
            process: Process::current(),
        })
    }

    /// Ends the mapping, by a queue of the session; the pointer is not used any more.
    pub(crate) fn unmap(&self, queue: &Commands) {
        if !self.process.is_current() {
            return;
        }
        // SAFETY: mapped in `new`, and unmapped by its owner's end only.
        let unmapped = unsafe {
            command_queue::enqueue_unmap_mem_object(
                queue.raw(),
                self.buffer.raw(),
                self.pointer.cast(),
                0,
                std::ptr::null(),
            )
        };
        // Failures leave nothing to do: the device is broken, or the process at its end.
        let what = "unmapping";
        let _ = forget_event(unmapped, what);
        let _ = queue.finish(what);
    }
}
