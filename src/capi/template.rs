//! Kernels that are templates: what is given by name, and what arguments make of them.

use super::call::Argument;
use super::error::guard;
use super::kernel::{Kernel, give_kernel};
use super::launch::with_arguments;
use super::{handle, text};
use std::ffi::c_char;
use std::ptr::{null, null_mut};

/// The name of one of a template's parameters; null behind the last, and for what is no template.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_template_parameter(
    kernel: *const Kernel,
    index: usize,
) -> *const c_char {
    guard(null(), || {
        let kernel = handle::get(kernel)?;
        Ok(kernel.template.get(index).map_or(null(), |p| p.as_ptr()))
    })
}

/// A template with one of its arguments.
///
/// # Safety
/// `kernel` is null or a live handle; `parameter` and `argument` are null or strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_with(
    kernel: *const Kernel,
    parameter: *const c_char,
    argument: *const c_char,
) -> *mut Kernel {
    guard(null_mut(), || {
        let kernel = handle::get(kernel)?;
        // SAFETY: the caller passes strings or null.
        let (parameter, argument) = unsafe {
            (
                text(parameter, "the template parameter")?,
                text(argument, "the template argument")?,
            )
        };
        give_kernel(kernel.kernel.with(parameter, argument)?)
    })
}

/// The kernel that a launch with such arguments runs, built where there is none yet.
///
/// # Safety
/// As of [`brook_kernel_launch`](super::launch::brook_kernel_launch).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_instance(
    kernel: *const Kernel,
    arguments: *const Argument,
    count: usize,
) -> *mut Kernel {
    guard(null_mut(), || {
        // SAFETY: as the caller promises.
        let instance = unsafe {
            with_arguments(kernel, arguments, count, |kernel, list, _| {
                kernel.kernel.instance(list)
            })
        };
        give_kernel(instance?)
    })
}
