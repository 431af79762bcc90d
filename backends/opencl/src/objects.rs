//! Buffer objects.

use crate::handle::Handle;
use crate::status::{failed, name};
use brook_driver::{Error, ErrorKind, Result, allocated};
use cl3::error_codes::{CL_INVALID_BUFFER_SIZE, CL_INVALID_VALUE, CL_OUT_OF_RESOURCES};
use cl3::memory;
use cl3::types::{cl_int, cl_mem};
use std::ffi::c_void;

/// A new buffer object.
pub(crate) fn create(context: &Handle, bytes: usize, flags: u64) -> Result<Handle> {
    // OpenCL has no buffers of zero bytes.
    let size = allocated(bytes);
    let null = std::ptr::null_mut();
    // SAFETY: no host pointer is given, so none is read or kept.
    let memory = unsafe { memory::create_buffer(context.raw(), flags, size, null) };
    created(memory, bytes)
}

/// A buffer object over the host's memory.
pub(crate) fn create_over(context: &Handle, host: *mut c_void, bytes: usize) -> Result<Handle> {
    let flags = memory::CL_MEM_READ_WRITE | memory::CL_MEM_USE_HOST_PTR;
    // SAFETY: the caller keeps the memory as long as the buffer.
    let memory = unsafe { memory::create_buffer(context.raw(), flags, allocated(bytes), host) };
    created(memory, bytes)
}

fn created(memory: std::result::Result<cl_mem, cl_int>, bytes: usize) -> Result<Handle> {
    let memory = memory.map_err(|status| match status {
        CL_INVALID_BUFFER_SIZE | CL_OUT_OF_RESOURCES | CL_INVALID_VALUE => {
            no_room(bytes, &name(status))
        }
        other => failed(&format!("allocating {bytes} bytes of OpenCL memory"), other),
    })?;
    // SAFETY: the call above returned the one reference to a new buffer.
    Ok(unsafe { Handle::new(memory, memory::release_mem_object) })
}

/// The error that there is no memory for so many bytes.
pub(crate) fn no_room(bytes: usize, why: &str) -> Error {
    let message = format!("cannot allocate {bytes} bytes of OpenCL memory: {why}");
    Error::new(ErrorKind::Memory, message)
}
