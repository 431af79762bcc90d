//! Host memory that the vendor allocated, for the caller.

use crate::mapped::Mapped;
use crate::objects::create_over;
use crate::session::Session;
use brook_driver::{Error, HostMemory, Result};
use std::ffi::c_void;
use std::sync::Arc;

/// Mapped memory for the caller.
pub(crate) struct MappedMemory {
    /// Released before the context.
    pub(crate) mapped: Mapped,
    session: Arc<Session>,
}

impl MappedMemory {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.check()?;
        let mapped = Mapped::new(&session.context, &session.queue, bytes)?;
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
        let buffer = create_over(&session.context, memory, bytes)?;
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
        session.pieces.mapped(start..start + bytes);
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
        self.session.pieces.unmapped(self.mapped.pointer.addr());
        self.mapped.unmap(&self.session.queue);
    }
}
