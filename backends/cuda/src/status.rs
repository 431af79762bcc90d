//! CUDA's status codes as errors.

use brook_driver::{Error, ErrorKind, Result};
use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;

/// `CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)`.
pub(crate) fn describe(error: DriverError) -> String {
    let name = match error.error_name() {
        Ok(name) => name.to_string_lossy().into_owned(),
        Err(_) => format!("{:?}", error.0),
    };
    match error.error_string() {
        Ok(text) => format!("{name} ({})", text.to_string_lossy()),
        Err(_) => name,
    }
}

/// An error of a call: `what` failed, with CUDA's own words.
pub(crate) fn check<T>(result: std::result::Result<T, DriverError>, what: &str) -> Result<T> {
    result.map_err(|error| {
        let kind = match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => ErrorKind::Memory,
            _ => ErrorKind::Device,
        };
        Error::new(kind, format!("{what} failed: {}", describe(error)))
    })
}
