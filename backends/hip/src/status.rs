//! HIP's status codes as errors.

use crate::sys::{Hip, OUT_OF_MEMORY, SUCCESS};
use brook_driver::{Error, ErrorKind, Result};
use std::ffi::{CStr, c_char, c_int};

/// `hipErrorIllegalAddress (an illegal memory access was encountered)`.
pub(crate) fn describe(hip: &Hip, status: c_int) -> String {
    // SAFETY: both functions take any number and return a constant string.
    let (name, text) = unsafe {
        (
            text((hip.get_error_name)(status)),
            text((hip.get_error_string)(status)),
        )
    };
    match (name, text) {
        (Some(name), Some(text)) if name != text => format!("{name} ({text})"),
        (Some(name), _) => name,
        _ => format!("HIP status {status}"),
    }
}

/// A constant string of the library's.
///
/// # Safety
/// `pointer` is null or to a string that ends with a zero byte.
pub(crate) unsafe fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: by this function's contract.
    Some(
        unsafe { CStr::from_ptr(pointer) }
            .to_string_lossy()
            .into_owned(),
    )
}

/// An error of a call: `what` failed, with HIP's own words.
pub(crate) fn check(hip: &Hip, status: c_int, what: &str) -> Result<()> {
    let kind = match status {
        SUCCESS => return Ok(()),
        OUT_OF_MEMORY => ErrorKind::Memory,
        _ => ErrorKind::Device,
    };
    Err(Error::new(
        kind,
        format!("{what} failed: {}", describe(hip, status)),
    ))
}
