//! numpy's arrays, where they are.

use crate::element::{self, ElementType, array_type};
use brook::runtime::ElementKind;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{c_char, c_int, c_void};

/// What `__array_struct__` is of: the array interface's structure, of C.
#[repr(C)]
struct Interface {
    two: c_int,
    nd: c_int,
    kind: c_char,
    itemsize: c_int,
    flags: c_int,
    shape: *const isize,
    strides: *const isize,
    data: *mut c_void,
    description: *mut c_void,
}

const CONTIGUOUS: c_int = 0x1;
const ALIGNED: c_int = 0x100;
const NATIVE: c_int = 0x200;
const WRITEABLE: c_int = 0x400;

/// An array of the host's; valid as long as the array.
pub(crate) struct HostArray {
    pub(crate) pointer: *mut u8,
    pub(crate) shape: Vec<usize>,
    pub(crate) element: ElementType,
    pub(crate) writable: bool,
    /// Its elements lie side by side, the last index fastest, where the processor wants numbers of their type.
    pub(crate) packed: bool,
}

impl HostArray {
    /// What numpy knows of an array; nothing of what is none of its arrays.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        let class = array_type(py)?;
        if !object.is_exact_instance(class) {
            if !object.is_instance(class)? {
                return Ok(None);
            }
            if object.hasattr("mask")? {
                return Err(PyTypeError::new_err(
                    "a masked array has elements that no kernel knows to leave out; x.filled(value) has an array",
                ));
            }
        }
        let capsule = object.getattr(pyo3::intern!(py, "__array_struct__"))?;
        let capsule = capsule.cast::<PyCapsule>()?;
        let interface: *const Interface =
            capsule.pointer_checked(None)?.as_ptr().cast_const().cast();
        // SAFETY: numpy's own arrays have a structure of this form there; the capsule lives to the end of this.
        let interface = unsafe { &*interface };
        let rank = usize::try_from(interface.nd).unwrap_or(0);
        let shape = match rank {
            0 => Vec::new(),
            // SAFETY: the structure says that there are as many extents.
            rank => unsafe { std::slice::from_raw_parts(interface.shape, rank) }
                .iter()
                .map(|n| n.unsigned_abs())
                .collect(),
        };
        let size = usize::try_from(interface.itemsize).unwrap_or(0);
        let number = element::scalar(interface.kind as u8, size);
        let element = match number {
            Some(scalar) if interface.flags & NATIVE != 0 => ElementType::number(scalar),
            _ => ElementType::of_dtype(&object.getattr(pyo3::intern!(py, "dtype"))?)?,
        };
        let (writable, packed) = match element.kind {
            // Of structures the flags say nothing; numpy packs them, and kernels read fields as they find them.
            ElementKind::Structure(_) => {
                let flags = object.getattr(pyo3::intern!(py, "flags"))?;
                let flag = |name: &str| flags.getattr(name)?.extract::<bool>();
                (flag("writeable")?, flag("c_contiguous")?)
            }
            _ => {
                let wanted = CONTIGUOUS | ALIGNED;
                (
                    interface.flags & WRITEABLE != 0,
                    interface.flags & wanted == wanted,
                )
            }
        };
        Ok(Some(Self {
            pointer: interface.data.cast(),
            shape,
            element,
            writable,
            packed,
        }))
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Bytes of all elements.
    pub(crate) fn bytes(&self) -> usize {
        self.len() * self.element.size()
    }
}

/// An object as an array of numpy's whose elements lie side by side, as they are where they do, else copied.
pub(crate) fn packed<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, HostArray)> {
    let array = element::numpy(py, "asarray")?.call1((object, dtype))?;
    // Without `ascontiguousarray`, which makes an array of one dimension of a number.
    let required = element::numpy(py, "require")?;
    let array = match HostArray::of(&array)? {
        Some(host) if host.packed => return Ok((array, host)),
        _ => required.call1((array, py.None(), "CA"))?,
    };
    match HostArray::of(&array)? {
        Some(host) => Ok((array, host)),
        None => Err(PyTypeError::new_err("numpy made no array of it")),
    }
}
