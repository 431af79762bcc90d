use super::error::{guard, status};
use super::{current_device, invalid, text};
use crate::runtime::{DynStream, Result};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Arc;

/// `brook_stream`.
pub struct Stream(pub(super) DynStream);

/// Borrows the stream behind a handle.
///
/// # Safety
/// Null, or a live handle.
pub(super) unsafe fn borrow<'a>(handle: *const Stream) -> Result<&'a Stream> {
    // SAFETY: the caller promises it.
    unsafe { handle.as_ref() }.ok_or_else(|| invalid("the stream is NULL"))
}

/// Makes a stream of zeros on the current device.
///
/// # Safety
/// `element_type` is null or a string; `extents_slowest_first` is null or points to `rank` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_create(
    element_type: *const c_char,
    rank: c_uint,
    extents_slowest_first: *const c_uint,
) -> *mut Stream {
    guard(std::ptr::null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let element = unsafe { text(element_type, "the element type") }?;
        if extents_slowest_first.is_null() || !(1..=4).contains(&rank) {
            return Err(invalid(
                "Stream Allocation: a stream has one to four extents",
            ));
        }
        // SAFETY: not null, and the caller passes `rank` numbers.
        let extents = unsafe { std::slice::from_raw_parts(extents_slowest_first, rank as usize) };
        let stream = current_device()?.stream(element, extents)?;
        Ok(Arc::into_raw(Arc::new(Stream(stream))).cast_mut())
    })
}

/// Adds a reference.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_retain(stream: *mut Stream) -> *mut Stream {
    if !stream.is_null() {
        // SAFETY: a live handle comes from `Arc::into_raw`.
        unsafe { Arc::increment_strong_count(stream.cast_const()) };
    }
    stream
}

/// Drops a reference; the last one frees the stream.
///
/// # Safety
/// `stream` is null or a live handle, whose reference the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_release(stream: *mut Stream) {
    if !stream.is_null() {
        guard((), || {
            // SAFETY: a live handle comes from `Arc::into_raw`, and this reference ends here.
            drop(unsafe { Arc::from_raw(stream.cast_const()) });
            Ok(())
        });
    }
}

/// Size of all elements; 0 for null.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_bytes(stream: *const Stream) -> usize {
    // SAFETY: the caller passes a live handle or null.
    guard(0, || Ok(unsafe { borrow(stream) }?.0.bytes()))
}

/// Fills the stream from host memory.
///
/// # Safety
/// `stream` is null or a live handle, `from` null or as many bytes as the stream has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_read(stream: *mut Stream, from: *const c_void) -> c_int {
    status(|| {
        // SAFETY: the caller passes a live handle or null.
        let stream = unsafe { borrow(stream) }?;
        if from.is_null() {
            return Err(invalid("Stream Read: the host's pointer is NULL"));
        }
        // SAFETY: not null, and the caller promises the size.
        stream
            .0
            .read(unsafe { std::slice::from_raw_parts(from.cast(), stream.0.bytes()) })
    })
}

/// Copies the stream to host memory.
///
/// # Safety
/// `stream` is null or a live handle, `to` null or room for as many bytes as the stream has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_write(stream: *const Stream, to: *mut c_void) -> c_int {
    status(|| {
        // SAFETY: the caller passes a live handle or null.
        let stream = unsafe { borrow(stream) }?;
        if to.is_null() {
            return Err(invalid("Stream Write: the host's pointer is NULL"));
        }
        // SAFETY: not null, and the caller promises the size. Bytes are only written to it.
        stream
            .0
            .write(unsafe { std::slice::from_raw_parts_mut(to.cast(), stream.0.bytes()) })
    })
}
