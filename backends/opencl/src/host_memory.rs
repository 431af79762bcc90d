//! Host memory that the vendor allocated: buffer objects, mapped for as long as they live. Drivers lock its pages.

use crate::commands::{Commands, forget_event};
use crate::device::Session;
use crate::handle::Handle;
use crate::memory::{create, create_over};
use brook_driver::{Error, ErrorKind, HostMemory, Process, Result};
use cl3::types::CL_TRUE;
use cl3::{command_queue, memory};
use std::ffi::c_void;
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
    pub(crate) fn new(session: &Session, queue: &Commands, bytes: usize) -> Result<Self> {
        let flags = memory::CL_MEM_READ_WRITE | memory::CL_MEM_ALLOC_HOST_PTR;
        Self::of(create(session, bytes, flags)?, queue, bytes)
    }

    /// Maps a buffer object, by a queue of its session.
    fn of(buffer: Handle, queue: &Commands, bytes: usize) -> Result<Self> {
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

/// Such memory for the caller.
pub(crate) struct MappedMemory {
    /// Released before the context.
    pub(crate) mapped: Mapped,
    session: Arc<Session>,
}

impl MappedMemory {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.check()?;
        let mapped = Mapped::new(&session, &session.queue, bytes)?;
        // SAFETY: the mapping has that many bytes.
        unsafe { mapped.pointer.write_bytes(0, bytes.max(1)) };
        Ok(Self::known(session, mapped, bytes))
    }

    /// The host program's own memory, as a buffer object.
    ///
    /// # Safety
    /// The memory stays where it is as long as the result.
    pub(crate) unsafe fn over(
        session: Arc<Session>,
        memory: *mut c_void,
        bytes: usize,
    ) -> Result<Self> {
        session.check()?;
        let buffer = create_over(&session, memory, bytes)?;
        let mapped = Mapped::of(buffer, &session.queue, bytes)?;
        let same = mapped.pointer.addr() == memory.addr();
        let mapped = Self::known(session, mapped, bytes);
        match same {
            true => Ok(mapped),
            false => Err(Error::invalid(
                "the OpenCL device does not use the host's memory where it is",
            )),
        }
    }

    fn known(session: Arc<Session>, mapped: Mapped, bytes: usize) -> Self {
        let start = mapped.pointer.addr();
        session.staging.mapped(start..start + bytes);
        Self { mapped, session }
    }
}

impl HostMemory for MappedMemory {
    fn pointer(&self) -> *mut u8 {
        self.mapped.pointer
    }
}

impl Drop for MappedMemory {
    fn drop(&mut self) {
        self.session.staging.unmapped(self.mapped.pointer.addr());
        self.mapped.unmap(&self.session.queue);
    }
}
