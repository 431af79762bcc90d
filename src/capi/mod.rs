//! The C interface; `include/brook/abi.h` documents every function.
//!
//! - `handle.rs`: what C holds instead of pointers.
//! - `error.rs`: the last error of each thread, and the fence no panic crosses.
//! - `fault.rs`: errors that stay with streams and spread to what is computed from them; `exit.rs`: what becomes of
//!   those that nobody asks for.
//! - `device.rs`: devices, and the one of each thread.
//! - `module.rs`, `call.rs`: sources, and calls of their kernels.
//! - `stream.rs`, `part.rs`, `transfer.rs`: streams, parts of them, and copies that go on while the program does.
//! - `native.rs`: other interfaces' memory as streams, and what lies beneath ours.
//! - `sequence.rs`: calls that are recorded and replayed.
//! - `indirect.rs`: BrookGPU's operations on whole streams.
//!
//! Every function checks its handles, and its pointers for null; what other pointers point at is up to the caller, as
//! always in C.

#[cfg(all(test, feature = "openmp"))]
mod broken_tests;
mod call;
mod device;
mod error;
mod exit;
mod fault;
mod handle;
mod indirect;
mod module;
mod native;
mod part;
mod sequence;
mod stream;
#[cfg(test)]
mod tests;
mod transfer;

pub use call::{Argument, Domain, brook_call};
pub use device::{
    Device, brook_current_device, brook_device_name, brook_device_type, brook_devices,
    brook_use_device,
};
pub use error::{brook_last_error, brook_last_error_code};
pub use indirect::{brook_gather, brook_scatter, brook_stream_element, brook_stream_extents};
pub use module::{Module, brook_finish, brook_module_create, brook_module_release};
pub use native::{
    brook_device_bindings, brook_device_native, brook_stream_native, brook_stream_set_property,
};
pub use part::{brook_stream_domain, brook_stream_exec_domain};
pub use sequence::{
    Sequence, brook_record_begin, brook_record_end, brook_sequence_launch, brook_sequence_release,
};
pub use stream::{
    Stream, brook_stream_assign, brook_stream_bytes, brook_stream_create, brook_stream_declare,
    brook_stream_device, brook_stream_error, brook_stream_error_log, brook_stream_finish,
    brook_stream_is_sync, brook_stream_read, brook_stream_release, brook_stream_retain,
    brook_stream_write,
};

use crate::expr::Scalar;
use crate::module::{Base, Fixed};
use crate::runtime::{Error, Result};
use std::ffi::{CStr, c_char, c_int};

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
