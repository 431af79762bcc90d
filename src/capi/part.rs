use super::error::guard;
use super::fault::{Code, Fault, Record};
use super::stream::{Finished, Stream, watched};
use super::{handle, invalid};
use crate::runtime::{DynStream, Result};
use std::ffi::{c_int, c_uint};
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

impl Stream {
    /// A part, or in its place the reason why there is none.
    fn part(&self, what: &str, part: impl FnOnce(&DynStream) -> Result<DynStream>) -> Self {
        let made = self
            .elements(&format!("{what}: Internal buffer is not initialized"))
            .and_then(part);
        let record = Arc::new(Record::part_of(&self.record));
        let inner = match made {
            Ok(inner) => OnceLock::from(watched(inner, &record)),
            Err(error) => {
                record.add_here(&Fault::of(Code::Domain, what, &error));
                OnceLock::new()
            }
        };
        Self {
            inner,
            binding: None,
            record,
            transfers: Arc::clone(&self.transfers),
            finished: Finished::default(),
        }
    }
}

/// The part between two places.
///
/// # Safety
/// `stream` is null or a live handle; `start` and `end` are null or point to `count` numbers, or to
/// one for each dimension if `count` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_domain(
    stream: *const Stream,
    count: c_uint,
    start: *const c_uint,
    end: *const c_uint,
) -> *mut Stream {
    guard(null_mut(), || {
        let stream = handle::get(stream)?;
        let part = stream.part("Domain Operator", |inner| {
            if start.is_null() {
                return Err(invalid("Domain Operator: Domain start point can't be NULL"));
            }
            if end.is_null() {
                return Err(invalid("Domain Operator: Domain end point can't be NULL"));
            }
            let count = match count {
                0 => inner.extents().len(),
                count => count as usize,
            };
            // SAFETY: not null, and the caller promises the count.
            let of = |pointer| unsafe { std::slice::from_raw_parts(pointer, count) };
            inner.domain(of(start), of(end))
        });
        part.into_handle()
    })
}

/// The same stream, written by kernels for its first elements only.
///
/// # Safety
/// `stream` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_exec_domain(
    stream: *const Stream,
    threads: c_int,
) -> *mut Stream {
    guard(null_mut(), || {
        let stream = handle::get(stream)?;
        let part = stream.part("Exec Domain", |inner| {
            inner.exec_domain(u32::try_from(threads).unwrap_or(0))
        });
        part.into_handle()
    })
}
