//! Kernels of programs, and what is known of their parameters.

use super::error::{guard, status};
use super::handle::{self, Handled, Table};
use super::memory::STRUCTURE;
use super::program::c_string;
use super::{code, invalid, near};
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::render::{ParameterMetadata, Role};
use crate::runtime::{self, Result, vector_of};
use std::ffi::{CString, c_char, c_int, c_uint};
use std::ptr::null;

/// `brook_kernel`.
pub struct Kernel {
    pub(super) kernel: runtime::Kernel,
    name: CString,
    parameters: Vec<Described>,
    /// The names of a template's parameters.
    pub(super) template: Vec<CString>,
}

/// What C is told of a parameter.
struct Described {
    name: CString,
    type_name: CString,
    type_: c_int,
    width: c_uint,
    bytes: usize,
    is_pointer: bool,
    is_const: bool,
}

impl Described {
    fn new(parameter: &ParameterMetadata) -> Self {
        let vector = vector_of(parameter);
        let (scalar, width) = match (parameter.scalar, vector) {
            (Some(scalar), _) => (Some(scalar), 1),
            (None, Some(vector)) => (Some(vector.scalar), vector.width.into()),
            (None, None) => (None, 1),
        };
        let code = scalar.and_then(code);
        let bytes = vector.map(VectorType::size).or(parameter.bytes);
        Self {
            name: c_string(&parameter.name),
            type_name: c_string(&parameter.type_name),
            type_: code.map_or(STRUCTURE, |code| code as c_int),
            width,
            bytes: bytes.or(scalar.map(Scalar::size)).unwrap_or(0),
            is_pointer: parameter.role != Role::Value,
            is_const: parameter.constant,
        }
    }
}

/// `brook_parameter`.
#[repr(C)]
pub struct Parameter {
    /// Its name.
    pub name: *const c_char,
    /// The type's words.
    pub type_name: *const c_char,
    /// `enum brook_type` of each component.
    pub type_: c_int,
    /// Components.
    pub width: c_uint,
    /// Of a value or an element.
    pub bytes: usize,
    /// Whether it is one.
    pub is_pointer: c_int,
    /// Whether the value, or what the pointer points at, is.
    pub is_const: c_int,
}

static KERNELS: Table<Kernel> = Table::new();

impl Handled for Kernel {
    const KIND: usize = 6;

    fn table() -> &'static Table<Self> {
        &KERNELS
    }

    fn forget(handle: usize) {
        near::forget_kernel(handle);
    }
}

/// A new handle of a kernel.
pub(super) fn give_kernel(kernel: runtime::Kernel) -> Result<*mut Kernel> {
    let metadata = kernel.metadata();
    let template = kernel.template().map_or(&[][..], |t| &t.parameters);
    handle::give(Kernel {
        name: c_string(&metadata.name),
        parameters: metadata.parameters.iter().map(Described::new).collect(),
        template: template.iter().map(|p| c_string(&p.name)).collect(),
        kernel,
    })
}

/// Another reference.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_retain(kernel: *mut Kernel) -> *mut Kernel {
    handle::retained(kernel)
}

/// Gives a reference up.
///
/// # Safety
/// `kernel` is null or a live handle, which the caller gives up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_release(kernel: *mut Kernel) {
    handle::released(kernel);
}

/// Its name.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_name(kernel: *const Kernel) -> *const c_char {
    guard(null(), || Ok(handle::get(kernel)?.name.as_ptr()))
}

/// How many parameters it has.
///
/// # Safety
/// `kernel` is null or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_parameter_count(kernel: *const Kernel) -> usize {
    guard(0, || Ok(handle::get(kernel)?.parameters.len()))
}

/// One of its parameters.
///
/// # Safety
/// `kernel` is null or a live handle; `parameter` is null or points to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn brook_kernel_parameter(
    kernel: *const Kernel,
    index: usize,
    parameter: *mut Parameter,
) -> c_int {
    status(|| {
        let kernel = handle::get(kernel)?;
        let Some(found) = kernel.parameters.get(index) else {
            return Err(invalid(format!(
                "kernel '{}' has {} parameters, no number {index}",
                kernel.kernel.metadata().name,
                kernel.parameters.len()
            )));
        };
        if parameter.is_null() {
            return Err(invalid("the place for the parameter is NULL"));
        }
        let told = Parameter {
            name: found.name.as_ptr(),
            type_name: found.type_name.as_ptr(),
            type_: found.type_,
            width: found.width,
            bytes: found.bytes,
            is_pointer: found.is_pointer.into(),
            is_const: found.is_const.into(),
        };
        // SAFETY: not null, so it points to one.
        unsafe { parameter.write(told) };
        Ok(())
    })
}
