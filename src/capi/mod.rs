//! The C interface; `include/brook/brook.h` documents every function.
//!
//! - `error.rs`: the last error of each thread, and the fence no panic crosses.
//! - `module.rs`: sources and calls.
//! - `stream.rs`: streams.
//!
//! Handles are boxes or reference counts given away as pointers. Every function checks its pointers
//! for null; that a handle is one this library gave out and has not been released is up to the
//! caller, as always in C.

mod error;
mod module;
mod stream;
#[cfg(test)]
mod tests;

pub use error::{brook_last_error, brook_last_error_code};
pub use module::{
    Argument, Module, brook_call, brook_device_name, brook_finish, brook_module_create,
    brook_module_release,
};
pub use stream::{
    Stream, brook_stream_bytes, brook_stream_create, brook_stream_read, brook_stream_release,
    brook_stream_retain, brook_stream_write,
};

use crate::expr::Scalar;
use crate::runtime::{Device, Error, Result};
use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, PoisonError};

/// The device that streams are made on and kernels run on: found when first asked for. A failure is
/// not kept: the next call looks again.
fn current_device() -> Result<Device> {
    static CURRENT: Mutex<Option<Device>> = Mutex::new(None);
    let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = &*current {
        return Ok(device.clone());
    }
    let device = Device::detect()?;
    *current = Some(device.clone());
    Ok(device)
}

/// The type of that number in `enum brook_type`.
fn scalar(code: c_int) -> Result<Scalar> {
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
