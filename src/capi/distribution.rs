//! How streams lie on the devices of a set, for C.

use super::device::{Device, opened};
use super::error::{guard, status};
use super::fault::Code;
use super::stream::Stream;
use super::{handle, invalid};
use std::ffi::c_int;

/// What failing calls begin with.
const WHAT: &str = "Stream Distribution";
const NOTHING: &str = "Stream Distribution: Internal buffer is not initialized";

/// How many devices a set is of; 0 of what is no set.
///
/// # Safety
/// `device` is null or what another function gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_device_parts(device: *const Device) -> usize {
    guard(0, || Ok(opened(device)?.parts().len()))
}

/// Gives each device of the stream's set so many rows.
///
/// # Safety
/// `stream` is null or a live handle; `counts` is null or points to `parts` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_share_out(
    stream: *const Stream,
    parts: usize,
    counts: *const usize,
) -> c_int {
    status(|| {
        let stream = handle::get(stream)?;
        stream.operate(Code::InvalidParameter, WHAT, || {
            if counts.is_null() {
                return Err(invalid(
                    "Stream Distribution: the numbers of rows can't be NULL",
                ));
            }
            // SAFETY: not null, and the caller promises the count.
            let counts = unsafe { std::slice::from_raw_parts(counts, parts) };
            stream.elements(NOTHING)?.share_out(counts)
        })
    })
}

/// Has rows brought to a device of the stream's set.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_prefetch(
    stream: *const Stream,
    part: usize,
    first: usize,
    count: usize,
) -> c_int {
    status(|| {
        let stream = handle::get(stream)?;
        stream.operate(Code::InvalidParameter, WHAT, || {
            let rows = first..first.saturating_add(count);
            stream.elements(NOTHING)?.prefetch(part, rows)
        })
    })
}

/// The rows that a device of the stream's set has as they are now, as pairs of a first row and how many there are; of as many pairs as
/// there is room for. How many there are in all.
///
/// # Safety
/// `stream` is null or a live handle; `rows` is null or has room for `room` pairs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_rows_on(
    stream: *const Stream,
    part: usize,
    rows: *mut usize,
    room: usize,
) -> usize {
    guard(0, || {
        let held = handle::get(stream)?.elements(NOTHING)?.rows_on(part)?;
        if !rows.is_null() {
            for (number, own) in held.iter().take(room).enumerate() {
                // SAFETY: the caller promises room for as many pairs.
                unsafe {
                    rows.add(2 * number).write(own.start);
                    rows.add(2 * number + 1).write(own.len());
                }
            }
        }
        Ok(held.len())
    })
}
