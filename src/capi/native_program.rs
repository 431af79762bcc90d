//! Programs in a device's own language, and launches of their kernels.

use super::call::Argument;
use super::device::{self, Device};
use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::launch::with_list;
use super::memory::bytes_given;
use super::options::{Options, options};
use super::queue::Queue;
use super::{invalid, sequence, text};
use crate::runtime;
use std::ffi::{c_char, c_int, c_uint};
use std::ptr::null_mut;

/// `brook_native_program`.
pub struct NativeProgram(runtime::NativeProgram);

/// `brook_native_kernel`.
pub struct NativeKernel(runtime::NativeKernel);

static PROGRAMS: Table<NativeProgram> = Table::new();
static KERNELS: Table<NativeKernel> = Table::new();

impl Handled for NativeProgram {
    const KIND: usize = 11;

    fn table() -> &'static Table<Self> {
        &PROGRAMS
    }
}

impl Handled for NativeKernel {
    const KIND: usize = 12;

    fn table() -> &'static Table<Self> {
        &KERNELS
    }
}

/// Compiles a source as it is.
///
/// # Safety
/// As of [`brook_program_build`](super::brook_program_build).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_program_build(
    device: *const Device,
    name: *const c_char,
    source: *const c_char,
    length: usize,
    given: *const Options,
) -> *mut NativeProgram {
    guard(null_mut(), || {
        // SAFETY: the caller passes a string or null.
        let name = unsafe { text(name, "the program's name") }?;
        // SAFETY: the caller promises the length.
        let bytes = unsafe { bytes_given(source.cast(), length, "the program's source") }?;
        let source = std::str::from_utf8(bytes)
            .map_err(|e| invalid(format!("the program's source is no UTF-8: {e}")))?;
        // SAFETY: as the caller promises.
        let options = unsafe { options(given) }?;
        let device = device::opened(device)?;
        handle::give(NativeProgram(device.build_native(name, source, &options)?))
    })
}

/// Another reference.
///
/// # Safety
/// `program` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_program_retain(
    program: *mut NativeProgram,
) -> *mut NativeProgram {
    handle::retained(program)
}

/// Gives a reference up.
///
/// # Safety
/// `program` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_program_release(program: *mut NativeProgram) {
    handle::released(program);
}

/// One of its kernels.
///
/// # Safety
/// `program` is null or a live handle; `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_program_kernel(
    program: *const NativeProgram,
    name: *const c_char,
) -> *mut NativeKernel {
    guard(null_mut(), || {
        let program = handle::get(program)?;
        // SAFETY: the caller passes a string or null.
        let name = unsafe { text(name, "the kernel's name") }?;
        handle::give(NativeKernel(program.0.kernel(name)?))
    })
}

/// Another reference.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_kernel_retain(
    kernel: *mut NativeKernel,
) -> *mut NativeKernel {
    handle::retained(kernel)
}

/// Gives a reference up.
///
/// # Safety
/// `kernel` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_kernel_release(kernel: *mut NativeKernel) {
    handle::released(kernel);
}

/// Launches a kernel over groups and items.
///
/// # Safety
/// As of [`brook_kernel_launch`](super::brook_kernel_launch); `groups` and `items` are null or point to three each. The
/// arguments are those that the kernel takes: nothing else checks that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_native_kernel_launch(
    kernel: *const NativeKernel,
    queue: *const Queue,
    groups: *const usize,
    items: *const c_uint,
    arguments: *const Argument,
    count: usize,
) -> c_int {
    status(|| {
        let kernel = handle::get(kernel)?;
        let queue = match queue.is_null() {
            true => None,
            false => Some(handle::get(queue)?),
        };
        if groups.is_null() || items.is_null() {
            return Err(invalid("the groups, or the items of one, are NULL"));
        }
        if queue.is_none() && sequence::is_recording() {
            return Err(invalid(format!(
                "kernel '{}' is no OKL, which is not recorded",
                kernel.0.name()
            )));
        }
        // SAFETY: not null, so there are three of each.
        let (groups, items) = unsafe { (*groups.cast::<[usize; 3]>(), *items.cast::<[u32; 3]>()) };
        let groups = groups.map(|n| n as u64);
        // SAFETY: as the caller promises.
        unsafe {
            with_list(arguments, count, |list| match &queue {
                Some(queue) => kernel.0.launch_on(&queue.0, groups, items, list),
                None => kernel.0.launch(groups, items, list),
            })
        }
    })
}
