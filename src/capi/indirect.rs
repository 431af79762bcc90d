//! BrookGPU's operations on whole streams.

use super::error::status;
use super::fault::{Code, Fault};
use super::module::Module;
use super::stream::{Stream, operand};
use super::{code as scalar_code, error, fixed_code, handle, invalid, text};
use crate::runtime::{DynStream, GatherOperation, Kernel, Result, ScatterOperation};
use std::ffi::{c_char, c_int, c_uint};
use std::sync::Arc;

// `enum brook_operation`.
const FETCH: c_int = 0;
const INCREMENT: c_int = 1;
const ASSIGN: c_int = 2;
const ADD: c_int = 3;
const MULTIPLY: c_int = 4;
const KERNEL: c_int = 5;
const RUNTIME_ORDER: c_int = 16;

/// The stream's extents, slowest first, into `extents`; returns how many there are, 0 for a stream that could
/// not be made.
///
/// # Safety
/// `stream` is null or a live handle, `extents` null or room for four numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_extents(
    stream: *const Stream,
    extents: *mut c_uint,
) -> c_uint {
    error::guard(0, || {
        let stream = handle::get(stream)?;
        let found = stream.inner.get().map_or(Vec::new(), DynStream::extents);
        if !extents.is_null() {
            // SAFETY: not null, and the caller promises the room; a stream has at most four extents.
            unsafe { extents.copy_from_nonoverlapping(found.as_ptr(), found.len()) };
        }
        Ok(found.len() as c_uint)
    })
}

/// What the stream's elements are: the code of each component's type, and how many there are; -1 for structs and
/// arrays, and for a stream that could not be made.
///
/// # Safety
/// `stream` is null or a live handle, `width` null or room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_stream_element(stream: *const Stream, width: *mut c_uint) -> c_int {
    error::guard(-1, || {
        let stream = handle::get(stream)?;
        let inner = stream.inner.get();
        let fixed = inner.and_then(DynStream::fixed);
        let numbers = inner.and_then(DynStream::numbers);
        let (code, components) = match (fixed, numbers) {
            (Some(fixed), _) => (Some(fixed_code(fixed)), fixed.width),
            (None, Some((scalar, components))) => (scalar_code(scalar), components),
            (None, None) => return Ok(-1),
        };
        if !width.is_null() {
            // SAFETY: not null, and the caller promises the room.
            unsafe { *width = components.into() };
        }
        Ok(code.map_or(-1, |code| code as c_int))
    })
}

/// The kernel of an operation that has one.
///
/// # Safety
/// `kernel` is null or a string.
unsafe fn operation(module: *const Module, kernel: *const c_char) -> Result<Kernel> {
    let module = handle::get(module)?;
    // SAFETY: the caller passes a string or null.
    let name = unsafe { text(kernel, "the kernel's name") }?;
    module.kernel(name)
}

/// `streamGatherOp`: `target[i] = array[index[i]]`, and what the operation makes of the array's element.
///
/// # Safety
/// `target`, `index`, `array` and `module` are null or live handles, `kernel` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_gather(
    target: *const Stream,
    index: *const Stream,
    array: *const Stream,
    code: c_int,
    module: *const Module,
    kernel: *const c_char,
) -> c_int {
    both(target, index, array, target, |target, index, array| {
        let operation = match code {
            FETCH => GatherOperation::Fetch,
            INCREMENT => GatherOperation::Increment,
            // SAFETY: the caller passes a string or null.
            KERNEL => GatherOperation::Kernel(unsafe { operation(module, kernel) }?),
            _ => return Err(invalid("Stream Gather: there is no such operation")),
        };
        DynStream::gather(target, index, array, &operation)
    })
}

/// `streamScatterOp`: `array[index[i]] = operation(source[i], array[index[i]])`.
///
/// # Safety
/// As [`brook_gather`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_scatter(
    source: *const Stream,
    index: *const Stream,
    array: *const Stream,
    code: c_int,
    module: *const Module,
    kernel: *const c_char,
) -> c_int {
    let reversed = code & RUNTIME_ORDER != 0;
    let written = if reversed { source } else { array };
    both(source, index, array, written, |source, index, array| {
        let operation = match code & !RUNTIME_ORDER {
            ASSIGN => ScatterOperation::Assign,
            ADD => ScatterOperation::Add,
            MULTIPLY => ScatterOperation::Multiply,
            // SAFETY: the caller passes a string or null.
            KERNEL => ScatterOperation::Kernel(unsafe { operation(module, kernel) }?),
            _ => return Err(invalid("Stream Scatter: there is no such operation")),
        };
        match reversed {
            true => DynStream::combine(source, index, array, &operation),
            false => DynStream::scatter(source, index, array, &operation),
        }
    })
}

/// Runs an operation on three streams. Their errors, and its own, spread to the one that is written.
fn both(
    elements: *const Stream,
    index: *const Stream,
    array: *const Stream,
    written: *const Stream,
    operation: impl FnOnce(&DynStream, &DynStream, &DynStream) -> Result<()>,
) -> c_int {
    status(|| {
        let what = "Kernel Execution";
        let written = operand(written, what)?;
        let of = |handle| {
            let found = handle::get(handle);
            found.inspect_err(|error| written.fail(&Fault::of(Code::Kernel, what, error)))
        };
        let (elements, index, array) = (of(elements)?, of(index)?, of(array)?);
        for input in [&elements, &index, &array] {
            if Arc::ptr_eq(input, &written) {
                continue;
            }
            for fault in input.record.faults() {
                written.record.add(&fault);
            }
        }
        for stream in [&elements, &array] {
            stream.transfers.finish();
        }
        let what = "Kernel Execution: Uninitialized Input streams. The results might be undefined";
        let run = || {
            operation(
                elements.elements(what)?,
                index.elements(what)?,
                array.elements(what)?,
            )
        };
        run().inspect_err(|error| written.fail(&Fault::of(Code::Kernel, "Kernel Execution", error)))
    })
}
