//! The C interface; `include/brook/abi.h` documents every function.
//!
//! - `handle.rs`: what C holds instead of pointers; `near.rs`: what a thread's launches look at again and again.
//! - `error.rs`: the last error of each thread, and the fence no panic crosses.
//! - `fault.rs`: errors that stay with streams and spread to what is computed from them; `exit.rs`: what becomes of
//!   those that nobody asks for.
//! - `device.rs`: devices, and the one of each thread.
//! - `module.rs`, `call.rs`: sources, and calls of their kernels.
//! - `stream.rs`, `part.rs`, `transfer.rs`: streams, parts of them, and copies that go on while the program does.
//! - `native.rs`: other interfaces' memory as streams, and what lies beneath ours.
//! - `sequence.rs`: calls that are recorded and replayed.
//! - `indirect.rs`: BrookGPU's operations on whole streams.
//! - `memory.rs`, `pool.rs`: device memory, pools of it, host memory for copies.
//! - `processes.rs`: processes of a job, and entries of the same number.
//! - `options.rs`, `program.rs`, `kernel.rs`, `template.rs`: OKL programs, their kernels, and those that are templates;
//!   `launch.rs`, `queue.rs`: launches, queues and events; `embedded.rs`: sources that are part of the program; `native_program.rs`: programs in a device's own language.
//!
//! Every function checks its handles, and its pointers for null; what other pointers point at is up to the caller, as
//! always in C.

#[cfg(all(test, feature = "openmp"))]
mod broken_tests;
mod call;
mod device;
mod distribution;
mod embedded;
mod error;
mod exit;
mod fault;
mod handle;
mod indirect;
mod kernel;
mod launch;
mod memory;
mod module;
mod native;
mod native_program;
mod near;
mod options;
mod part;
mod pool;
mod processes;
mod program;
mod queue;
mod sequence;
mod stream;
mod template;
#[cfg(test)]
mod tests;
mod transfer;

pub use call::{Argument, Domain, brook_call};
pub use device::{
    Device, brook_current_device, brook_device_finish, brook_device_name, brook_device_open,
    brook_device_type, brook_devices, brook_use_device,
};
pub use distribution::{
    brook_device_parts, brook_stream_prefetch, brook_stream_rows_on, brook_stream_share_out,
};
pub use embedded::{Embedded, File, brook_program_build_embedded};
pub use error::{brook_last_error, brook_last_error_code};
pub use indirect::{brook_gather, brook_scatter, brook_stream_element, brook_stream_extents};
pub use kernel::{
    Kernel, Parameter, brook_kernel_name, brook_kernel_parameter, brook_kernel_parameter_count,
    brook_kernel_release, brook_kernel_retain,
};
pub use launch::{brook_kernel_launch, brook_kernel_launch_async};
pub use memory::{
    Memory, brook_memory_cast, brook_memory_copy, brook_memory_count, brook_memory_create,
    brook_memory_device, brook_memory_element, brook_memory_import, brook_memory_native,
    brook_memory_part, brook_memory_read, brook_memory_release, brook_memory_retain,
    brook_memory_write, brook_memory_zero,
};
pub use module::{Module, brook_finish, brook_module_create, brook_module_release};
pub use native::{
    brook_device_bindings, brook_device_native, brook_stream_native, brook_stream_set_property,
};
pub use native_program::{
    NativeKernel, NativeProgram, brook_native_kernel_launch, brook_native_kernel_release,
    brook_native_kernel_retain, brook_native_program_build, brook_native_program_kernel,
    brook_native_program_release, brook_native_program_retain,
};
pub use options::Options;
pub use part::{brook_stream_domain, brook_stream_exec_domain};
pub use pool::{
    Pinned, Pool, brook_pinned_create, brook_pinned_data, brook_pinned_release, brook_pool_bytes,
    brook_pool_create, brook_pool_memory, brook_pool_release, brook_pool_retain, brook_pool_trim,
};
pub use processes::{
    Communicator, GatherScatter, brook_communicator_import, brook_communicator_rank,
    brook_communicator_release, brook_communicator_retain, brook_communicator_size,
    brook_communicator_world, brook_device_open_local, brook_gather_scatter_begin,
    brook_gather_scatter_create, brook_gather_scatter_finish, brook_gather_scatter_release,
    brook_gather_scatter_retain, brook_gather_scatter_run, brook_program_build_file_together,
    brook_program_build_together,
};
pub use program::{
    Program, brook_package_write, brook_program_build, brook_program_build_file,
    brook_program_is_cached, brook_program_kernel, brook_program_kernel_name, brook_program_load,
    brook_program_load_bytes, brook_program_release, brook_program_retain, brook_program_warnings,
};
pub use queue::{
    Event, Queue, brook_event_elapsed, brook_event_is_done, brook_event_release,
    brook_event_retain, brook_event_wait, brook_queue_copy, brook_queue_create,
    brook_queue_default, brook_queue_device, brook_queue_is_done, brook_queue_native,
    brook_queue_read, brook_queue_record, brook_queue_release, brook_queue_retain,
    brook_queue_wait, brook_queue_wait_for, brook_queue_write,
};
pub use sequence::{
    Sequence, brook_record_begin, brook_record_begin_on, brook_record_copy, brook_record_end,
    brook_sequence_launch, brook_sequence_launch_on, brook_sequence_release,
};
pub use stream::{
    Stream, brook_stream_assign, brook_stream_bytes, brook_stream_create, brook_stream_declare,
    brook_stream_device, brook_stream_error, brook_stream_error_log, brook_stream_finish,
    brook_stream_is_sync, brook_stream_read, brook_stream_release, brook_stream_retain,
    brook_stream_write,
};
pub use template::{brook_kernel_instance, brook_kernel_template_parameter, brook_kernel_with};

use crate::expr::Scalar;
use crate::module::{Base, Fixed};
use crate::runtime::{Error, Result};
use std::ffi::{CStr, c_char, c_int, c_uint};

/// `enum brook_type`.
const SCALARS: [Scalar; 11] = [
    Scalar::Bool,
    Scalar::Char,
    Scalar::UChar,
    Scalar::Short,
    Scalar::UShort,
    Scalar::Int,
    Scalar::UInt,
    Scalar::Long,
    Scalar::ULong,
    Scalar::Float,
    Scalar::Double,
];

/// What `enum brook_type` calls a scalar.
fn code(scalar: Scalar) -> Option<usize> {
    SCALARS.iter().position(|s| *s == scalar)
}

/// What `enum brook_type` calls components of fixed point, which nobody passes.
fn fixed_code(fixed: Fixed) -> usize {
    SCALARS.len() + usize::from(fixed.stored() != Base::UChar)
}

/// The type of that number in `enum brook_type`.
fn scalar(code: c_int) -> Result<Scalar> {
    let found = usize::try_from(code).ok().and_then(|i| SCALARS.get(i));
    found
        .copied()
        .ok_or_else(|| invalid(format!("{code} is no enum brook_type")))
}

fn invalid(message: impl Into<String>) -> Error {
    Error::Argument(message.into())
}

/// `BROOK_ABI_VERSION`: raised where a function or a struct changes, not where something is added.
pub const ABI_VERSION: c_uint = 1;

/// The version of the interface that the library has.
#[unsafe(no_mangle)]
pub extern "C" fn brook_abi_version() -> c_uint {
    ABI_VERSION
}

/// A string that C passed.
///
/// # Safety
/// Null, or a pointer to a string that lives as long as the result is used.
unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str> {
    if pointer.is_null() {
        return Err(invalid(format!("{what} is NULL")));
    }
    // SAFETY: not null, and the caller promises the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str()
        .map_err(|_| invalid(format!("{what} is not UTF-8")))
}
