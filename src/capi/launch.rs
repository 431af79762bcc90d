//! Launches of OKL kernels.

use super::call::Argument;
use super::error::{guard, status};
use super::handle;
use super::memory::Memory;
use super::program::Kernel;
use super::queue::{Event, Queue};
use super::{invalid, scalar, sequence};
use crate::runtime::{KernelArgument, Result, from_bytes};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

// `enum brook_argument_kind`.
const VALUE: c_int = 0;
const MEMORY: c_int = 6;
const READ_ONLY: c_int = 7;
const NULL: c_int = 8;
const BYTES: c_int = 9;
const UNTYPED: c_int = 10;

/// Arguments that a launch has room for without asking the heap.
const SHORT: usize = 16;

/// Launches a kernel, or records that if this thread does.
///
/// # Safety
/// `kernel` is null or a live handle, `queue`, too; `arguments` is null or `count` of them, each of whose `data` points to
/// what its `kind` and `bytes` say. The kernel keeps to the memory it is given: nothing else checks that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_launch(
    kernel: *const Kernel,
    queue: *const Queue,
    arguments: *const Argument,
    count: usize,
) -> c_int {
    status(|| {
        // SAFETY: as the caller promises.
        unsafe {
            with_arguments(
                kernel,
                queue,
                arguments,
                count,
                |kernel, queue, list, held| match queue {
                    Some(queue) => kernel.kernel.launch_on(&queue.0, list),
                    None => sequence::launch(&kernel.kernel, list, held),
                },
            )
        }
    })
}

/// Launches a kernel in a queue; the event happens when it has ended.
///
/// # Safety
/// As of [`brook_kernel_launch`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_launch_async(
    kernel: *const Kernel,
    queue: *const Queue,
    arguments: *const Argument,
    count: usize,
) -> *mut Event {
    guard(null_mut(), || {
        if queue.is_null() {
            return Err(invalid("the queue is NULL"));
        }
        // SAFETY: as the caller promises.
        let event = unsafe {
            with_arguments(kernel, queue, arguments, count, |kernel, queue, list, _| {
                let queue = queue.ok_or_else(|| invalid("the queue is NULL"))?;
                kernel.kernel.launch_async(&queue.0, list)
            })
        };
        handle::give(Event(event?))
    })
}

/// # Safety
/// As of [`brook_kernel_launch`].
unsafe fn with_arguments<R>(
    kernel: *const Kernel,
    queue: *const Queue,
    arguments: *const Argument,
    count: usize,
    launch: impl FnOnce(
        &Kernel,
        Option<&Queue>,
        &[KernelArgument<'_>],
        &[Option<Arc<Memory>>],
    ) -> Result<R>,
) -> Result<R> {
    let raw = match count {
        0 => &[],
        _ if arguments.is_null() => return Err(invalid("the arguments are NULL")),
        // SAFETY: not null, and the caller promises the count.
        _ => unsafe { std::slice::from_raw_parts(arguments, count) },
    };
    let kernel = handle::get(kernel)?;
    let queue = match queue.is_null() {
        true => None,
        false => Some(handle::get(queue)?),
    };
    // Held until the launch has been made.
    let (mut short, mut long) = ([const { None }; SHORT], Vec::new());
    let held = room(&mut short, &mut long, count);
    let handles = raw.iter().map(|a| match a.kind {
        MEMORY | READ_ONLY | UNTYPED => Some(a.data.cast_const().cast()),
        _ => None,
    });
    handle::get_all(handles, held)?;
    let (mut short, mut long) = ([const { [0; 32] }; SHORT], Vec::new());
    let vectors = room(&mut short, &mut long, count);
    let (mut short, mut long) = ([KernelArgument::null(); SHORT], Vec::new());
    let list = match count <= SHORT {
        true => &mut short[..count],
        false => {
            long.resize_with(count, KernelArgument::null);
            &mut long[..]
        }
    };
    let rooms = held.iter().zip(vectors);
    for (index, ((to, argument), (memory, vector))) in
        list.iter_mut().zip(raw).zip(rooms).enumerate()
    {
        // SAFETY: as the caller promises.
        *to = unsafe { convert(argument, memory.as_deref(), vector) }
            .map_err(|error| error.context(&format!("argument {}", index + 1)))?;
    }
    launch(&kernel, queue.as_deref(), list, held)
}

fn room<'r, T: Default>(
    short: &'r mut [T; SHORT],
    long: &'r mut Vec<T>,
    count: usize,
) -> &'r mut [T] {
    match count <= SHORT {
        true => &mut short[..count],
        false => {
            long.resize_with(count, T::default);
            long
        }
    }
}

/// An argument as the runtime takes it.
///
/// # Safety
/// Its `data` points to what its `kind` and `bytes` say.
unsafe fn convert<'a>(
    argument: &Argument,
    memory: Option<&'a Memory>,
    vector: &'a mut [u8; 32],
) -> Result<KernelArgument<'a>> {
    let bytes = |data: *mut c_void, count: usize| -> Result<&'a [u8]> {
        match data.is_null() {
            _ if count == 0 => Ok(&[]),
            true => Err(invalid("its data is NULL")),
            // SAFETY: not null, and the caller promises the rest.
            false => Ok(unsafe { std::slice::from_raw_parts(data.cast_const().cast(), count) }),
        }
    };
    match (argument.kind, memory) {
        (MEMORY | READ_ONLY, Some(memory)) => {
            Ok(KernelArgument::memory(&memory.0, argument.kind == MEMORY))
        }
        (UNTYPED, Some(memory)) => Ok(KernelArgument::untyped(&memory.0)),
        (NULL, _) => Ok(KernelArgument::null()),
        (BYTES, _) => Ok(KernelArgument::bytes(bytes(argument.data, argument.bytes)?)),
        (VALUE, _) => {
            let scalar = scalar(argument.type_)?;
            let width = argument.width as usize;
            let size = scalar.size() * width;
            if !matches!(width, 1..=4) || argument.bytes != size {
                return Err(invalid(format!(
                    "a value of {width} components of type {} has 1 to 4 of them and {size} bytes, not {}",
                    scalar.c_name(),
                    argument.bytes
                )));
            }
            let given = bytes(argument.data, size)?;
            if width == 1 {
                let value = from_bytes(scalar, given);
                return value
                    .map(KernelArgument::number)
                    .ok_or_else(|| invalid("is no number"));
            }
            // The device gives three components the room of four.
            vector[..size].copy_from_slice(given);
            let laid = scalar.size() * if width == 3 { 4 } else { width };
            Ok(KernelArgument::vector(scalar, width, &vector[..laid]))
        }
        (other, _) => Err(invalid(format!(
            "a launch takes no argument of kind {other}: BROOK_VALUE, BROOK_BYTES, BROOK_MEMORY, BROOK_READ_ONLY_MEMORY, \
             BROOK_UNTYPED_MEMORY or BROOK_NULL"
        ))),
    }
}
