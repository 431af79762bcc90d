//! Launches of OKL kernels.

use super::call::{Argument, VALUE, all};
use super::error::{guard, status};
use super::handle;
use super::kernel::Kernel;
use super::memory::{Memory, bytes_at};
use super::queue::{Event, Queue};
use super::{invalid, near, scalar, sequence};
use crate::module::VectorType;
use crate::runtime::{KernelArgument, List, Result, from_bytes};
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::Arc;

// Of `enum brook_argument_kind`, what calls over streams have not got.
const MEMORY: c_int = 6;
const READ_ONLY: c_int = 7;
const NULL: c_int = 8;
const BYTES: c_int = 9;
const UNTYPED: c_int = 10;

/// Arguments that a launch has room for without asking the heap; most have fewer, whose room is made faster.
const SHORT: usize = 16;
const FEW: usize = 4;

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
        let queue = match queue.is_null() {
            true => None,
            false => Some(handle::get(queue)?),
        };
        // SAFETY: as the caller promises.
        unsafe {
            with_arguments(
                kernel,
                arguments,
                count,
                |kernel, list, held| match &queue {
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
        let queue = handle::get(queue)?;
        // SAFETY: as the caller promises.
        let event = unsafe {
            with_arguments(kernel, arguments, count, |kernel, list, _| {
                kernel.kernel.launch_async(&queue.0, list)
            })
        };
        handle::give(Event(event?))
    })
}

/// Hands over a kernel and what a launch of it is given.
///
/// # Safety
/// As of [`brook_kernel_launch`].
pub(super) unsafe fn with_arguments<R>(
    kernel: *const Kernel,
    arguments: *const Argument,
    count: usize,
    launch: impl FnOnce(&Kernel, &[KernelArgument<'_>], &[Option<Arc<Memory>>]) -> Result<R>,
) -> Result<R> {
    let launch = |kernel: Option<&Kernel>,
                  list: &[KernelArgument<'_>],
                  held: &[Option<Arc<Memory>>]| match kernel {
        Some(kernel) => launch(kernel, list, held),
        None => Err(invalid("there is no kernel")),
    };
    // SAFETY: as the caller promises.
    unsafe {
        match count <= FEW {
            true => within::<FEW, R>(Some(kernel), arguments, count, launch),
            false => within::<SHORT, R>(Some(kernel), arguments, count, launch),
        }
    }
}

/// Hands over what a launch is given.
///
/// # Safety
/// As of [`brook_kernel_launch`].
pub(super) unsafe fn with_list<R>(
    arguments: *const Argument,
    count: usize,
    launch: impl FnOnce(&[KernelArgument<'_>]) -> Result<R>,
) -> Result<R> {
    // SAFETY: as the caller promises.
    unsafe { within::<SHORT, R>(None, arguments, count, |_, list, _| launch(list)) }
}

/// # Safety
/// As of [`brook_kernel_launch`].
unsafe fn within<const ROOM: usize, R>(
    kernel: Option<*const Kernel>,
    arguments: *const Argument,
    count: usize,
    launch: impl FnOnce(Option<&Kernel>, &[KernelArgument<'_>], &[Option<Arc<Memory>>]) -> Result<R>,
) -> Result<R> {
    // SAFETY: as the caller promises.
    let raw = unsafe { all(arguments, count) }.or_else(|error| {
        // What is wrong with the kernel is said first.
        kernel.map_or(Ok(()), |k| handle::get(k).map(|_| ()))?;
        Err(error)
    })?;
    // Held until the launch has been made.
    let (mut short, mut long) = ([const { None }; ROOM], Vec::new());
    let held = match count <= ROOM {
        true => &mut short[..count],
        false => {
            long.resize_with(count, || None);
            &mut long[..]
        }
    };
    let handles = raw.iter().map(|a| match a.kind {
        MEMORY | READ_ONLY | UNTYPED => Some(a.data.cast_const().cast()),
        _ => None,
    });
    let taken = near::take(kernel, handles.clone(), held)?;
    let launched = {
        let mut vectors = List::<_, ROOM>::filled([0; 32], count);
        let mut list = List::<_, ROOM>::filled(KernelArgument::null(), count);
        let rooms = held.iter().zip(vectors.iter_mut());
        for (index, ((to, argument), (memory, vector))) in
            list.iter_mut().zip(raw).zip(rooms).enumerate()
        {
            // SAFETY: as the caller promises.
            *to = unsafe { convert(argument, memory.as_deref(), vector) }
                .map_err(|error| error.context(&format!("argument {}", index + 1)))?;
        }
        launch(taken.kernel(), &list, held)
    };
    near::put_back(taken, handles, held);
    launched
}

/// An argument as the runtime takes it.
///
/// # Safety
/// Its `data` points to what its `kind` and `bytes` say.
#[inline(always)]
unsafe fn convert<'a>(
    argument: &Argument,
    memory: Option<&'a Memory>,
    vector: &'a mut [u8; 32],
) -> Result<KernelArgument<'a>> {
    // SAFETY: as the caller promises.
    let bytes = |count| unsafe { bytes_at(argument.data, count, "its data") };
    match (argument.kind, memory) {
        (MEMORY | READ_ONLY, Some(memory)) => {
            Ok(KernelArgument::memory(&memory.0, argument.kind == MEMORY))
        }
        (UNTYPED, Some(memory)) => Ok(KernelArgument::untyped(&memory.0)),
        (NULL, _) => Ok(KernelArgument::null()),
        (BYTES, _) => Ok(KernelArgument::bytes(bytes(argument.bytes)?)),
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
            let given = bytes(size)?;
            if width == 1 {
                let value = from_bytes(scalar, given);
                return value
                    .map(KernelArgument::number)
                    .ok_or_else(|| invalid("is no number"));
            }
            vector[..size].copy_from_slice(given);
            let ty = VectorType {
                scalar,
                width: width as u8,
            };
            Ok(KernelArgument::vector(ty, &vector[..ty.size()]))
        }
        (other, _) => Err(invalid(format!(
            "a launch takes no argument of kind {other}: BROOK_VALUE, BROOK_BYTES, BROOK_MEMORY, BROOK_READ_ONLY_MEMORY, \
             BROOK_UNTYPED_MEMORY or BROOK_NULL"
        ))),
    }
}
