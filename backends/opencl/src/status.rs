//! OpenCL's status codes as errors.

use brook_driver::{Error, ErrorKind};
use cl3::error_codes::{CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, error_text};
use cl3::types::cl_int;

/// An error of a call: `what` failed, with the status by its name.
pub(crate) fn failed(what: &str, status: cl_int) -> Error {
    let kind = match status {
        CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_HOST_MEMORY => ErrorKind::Memory,
        _ => ErrorKind::Device,
    };
    Error::new(kind, format!("{what} failed: {}", name(status)))
}

/// The status by its name in `CL/cl.h`, or its number where it has none.
pub(crate) fn name(status: cl_int) -> String {
    match error_text(status) {
        text if text.starts_with("CL_") => text.to_string(),
        _ => format!("OpenCL status {status}"),
    }
}
