//! Buffers.

use crate::device::Session;
use crate::handle::Handle;
use crate::status::{failed, name};
use brook_driver::{Buffer, Error, ErrorKind, Result, check_range};
use cl3::error_codes::{CL_INVALID_BUFFER_SIZE, CL_INVALID_VALUE, CL_OUT_OF_RESOURCES};
use cl3::types::{CL_TRUE, cl_event, cl_int};
use cl3::{command_queue, event, memory};
use std::any::Any;
use std::sync::Arc;

/// Device memory as an OpenCL buffer object.
pub(crate) struct ClBuffer {
    /// Released before the context it belongs to.
    memory: Handle,
    session: Arc<Session>,
    bytes: usize,
}

impl ClBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        // OpenCL has no buffers of zero bytes.
        let size = bytes.max(1);
        let null = std::ptr::null_mut();
        // SAFETY: no host pointer is given, so none is read or kept.
        let memory = unsafe {
            memory::create_buffer(session.context.raw(), memory::CL_MEM_READ_WRITE, size, null)
        }
        .map_err(|status| match status {
            CL_INVALID_BUFFER_SIZE | CL_OUT_OF_RESOURCES | CL_INVALID_VALUE => Error::new(
                ErrorKind::Memory,
                format!(
                    "cannot allocate {bytes} bytes of OpenCL memory: {}",
                    name(status)
                ),
            ),
            other => failed(&format!("allocating {bytes} bytes of OpenCL memory"), other),
        })?;
        // SAFETY: the call above returned the one reference to a new buffer.
        let memory = unsafe { Handle::new(memory, memory::release_mem_object) };
        Ok(Self {
            memory,
            session,
            bytes,
        })
    }

    /// The buffer object, if it belongs to this session's context.
    pub(crate) fn raw_in(&self, session: &Arc<Session>) -> Option<*mut std::ffi::c_void> {
        Arc::ptr_eq(&self.session, session).then(|| self.memory.raw())
    }
}

/// Drops the event that every enqueued command returns; the in-order queue needs none.
pub(crate) fn forget_event(
    result: std::result::Result<cl_event, cl_int>,
    what: &str,
) -> Result<()> {
    let event = result.map_err(|s| failed(what, s))?;
    // SAFETY: the event is a new one, and this its only reference. The command goes on without it.
    unsafe { event::release_event(event) }.map_err(|s| failed(what, s))
}

impl Buffer for ClBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the range was checked, and the call blocks until the bytes have been read.
        let event = unsafe {
            command_queue::enqueue_write_buffer(
                self.session.queue.raw(),
                self.memory.raw(),
                CL_TRUE,
                offset,
                bytes.len(),
                bytes.as_ptr().cast(),
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, "writing to OpenCL memory")
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the range was checked, and the call blocks until the bytes have been written.
        let event = unsafe {
            command_queue::enqueue_read_buffer(
                self.session.queue.raw(),
                self.memory.raw(),
                CL_TRUE,
                offset,
                bytes.len(),
                bytes.as_mut_ptr().cast(),
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, "reading from OpenCL memory")
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        // The pattern must divide the size; the wider one is the faster.
        let pattern = [0u8; 16];
        let width = if self.bytes.is_multiple_of(pattern.len()) {
            pattern.len()
        } else {
            1
        };
        // SAFETY: the range is the whole buffer, and the pattern is copied before the call returns.
        let event = unsafe {
            command_queue::enqueue_fill_buffer(
                self.session.queue.raw(),
                self.memory.raw(),
                pattern.as_ptr().cast(),
                width,
                0,
                self.bytes,
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, "zeroing OpenCL memory")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
