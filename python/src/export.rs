//! Arrays of ours for other libraries: DLPack and `__cuda_array_interface__`.

use crate::array::Array;
use crate::dlpack::{
    self, COPIED, DataType, Managed, ManagedVersioned, PLAIN, READ_ONLY, Tensor, VERSIONED, Version,
};
use crate::errors::Raise;
use brook::runtime::{self, NativeDevice, NativeMemory};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::{CStr, c_void};

/// [`Array::__dlpack_device__`].
pub(crate) fn dlpack_device(array: &Array) -> PyResult<(i32, i32)> {
    match array.state.device.native() {
        NativeDevice::Cuda { ordinal, .. } => Ok((dlpack::CUDA, ordinal)),
        NativeDevice::Hip { ordinal } => Ok((dlpack::ROCM, ordinal)),
        NativeDevice::OpenCl { .. } => {
            let number = array.state.device.name().split(':').nth(1);
            Ok((
                dlpack::OPENCL,
                number.and_then(|n| n.parse().ok()).unwrap_or(0),
            ))
        }
        NativeDevice::Host if array.state.is_host => Ok((dlpack::CPU, 0)),
        _ => Err(PyBufferError::new_err(format!(
            "DLPack knows no devices such as {}",
            array.state.device.name()
        ))),
    }
}

/// What a tensor needs as long as somebody has it.
struct Exported<M> {
    managed: M,
    extents: Vec<i64>,
    array: Option<Py<Array>>,
}

/// [`Array::__dlpack__`].
pub(crate) fn dlpack<'py>(
    array: &Bound<'py, Array>,
    stream: Option<isize>,
    max_version: Option<(u32, u32)>,
    wanted: Option<(i32, i32)>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let own = array.get();
    let device = dlpack_device(own)?;
    if wanted.is_some_and(|wanted| wanted != device) {
        return Err(PyBufferError::new_err(format!(
            "the array is on DLPack's device {device:?}; a copy on another is made by that library"
        )));
    }
    let versioned = max_version.is_some_and(|(major, _)| major >= 1);
    if !own.writable && !versioned {
        return Err(PyBufferError::new_err(
            "the array is read only, which DLPack can say from version 1 on only",
        ));
    }
    let Some(element) = DataType::of(own.memory.kind()) else {
        return Err(PyBufferError::new_err(format!(
            "DLPack has no structures; the array is a {}",
            own.described()
        )));
    };
    let copied = copy == Some(true);
    let kept = match copied {
        true => Bound::new(py, own.copy(py)?)?,
        false => array.clone(),
    };
    order(py, kept.get(), stream)?;
    let memory = &kept.get().memory;
    let (data, offset) = match memory.native() {
        _ if memory.is_empty() => (std::ptr::null_mut(), 0),
        NativeMemory::Address(address) => (address as *mut c_void, 0),
        NativeMemory::Host(pointer) => (pointer, 0),
        NativeMemory::OpenCl { object, offset } => (object, offset as u64),
        _ => {
            return Err(PyBufferError::new_err(
                "the driver does not say where memory is",
            ));
        }
    };
    let shape = &kept.get().shape;
    let mut extents: Vec<i64> = shape.iter().map(|n| *n as i64).collect();
    let mut stride = 1i64;
    let mut strides: Vec<i64> = Vec::with_capacity(shape.len());
    for extent in shape.iter().rev() {
        strides.push(stride);
        stride = stride.saturating_mul((*extent as i64).max(1));
    }
    extents.extend(strides.iter().rev());
    let tensor = Tensor {
        data,
        device: dlpack::Device {
            kind: device.0,
            ordinal: device.1,
        },
        rank: shape.len() as i32,
        element,
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        offset,
    };
    let flags =
        (if own.writable || copied { 0 } else { READ_ONLY }) | (if copied { COPIED } else { 0 });
    let array = Some(kept.unbind());
    match versioned {
        true => capsule(
            py,
            VERSIONED,
            Exported {
                managed: ManagedVersioned {
                    version: Version { major: 1, minor: 0 },
                    context: std::ptr::null_mut(),
                    deleter: Some(delete_versioned),
                    flags,
                    tensor,
                },
                extents,
                array,
            },
            destroy_versioned,
        ),
        false => capsule(
            py,
            PLAIN,
            Exported {
                managed: Managed {
                    tensor,
                    context: std::ptr::null_mut(),
                    deleter: Some(delete_plain),
                },
                extents,
                array,
            },
            destroy_plain,
        ),
    }
}

/// Lets the consumer's stream wait for what has been enqueued here.
fn order(py: Python<'_>, array: &Array, stream: Option<isize>) -> PyResult<()> {
    let state = &array.state;
    if state.is_host {
        return state.synchronize(py);
    }
    if state.stream().is_none() {
        return state.synchronize(py);
    }
    let stream = match stream {
        Some(-1) => return Ok(()),
        None | Some(0 | 1) => 0,
        Some(stream) => usize::try_from(stream)
            .map_err(|_| PyValueError::new_err(format!("{stream} is no stream")))?,
    };
    let ordered: runtime::Result<()> = py.detach(|| {
        let event = state.device.default_queue()?.record()?;
        state.foreign_queue(stream)?.wait_for(&event)
    });
    ordered.raise(py)
}

/// The two forms of a tensor.
trait Form {
    fn tensor(&mut self) -> &mut Tensor;
    fn set_context(&mut self, context: *mut c_void);
    fn context(&self) -> *mut c_void;
}

impl Form for Managed {
    fn tensor(&mut self) -> &mut Tensor {
        &mut self.tensor
    }
    fn set_context(&mut self, context: *mut c_void) {
        self.context = context;
    }
    fn context(&self) -> *mut c_void {
        self.context
    }
}

impl Form for ManagedVersioned {
    fn tensor(&mut self) -> &mut Tensor {
        &mut self.tensor
    }
    fn set_context(&mut self, context: *mut c_void) {
        self.context = context;
    }
    fn context(&self) -> *mut c_void {
        self.context
    }
}

fn capsule<'py, M: Form>(
    py: Python<'py>,
    name: &'static CStr,
    exported: Exported<M>,
    destructor: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    let exported = Box::into_raw(Box::new(exported));
    // SAFETY: it has just been made; nobody else has it.
    let managed = unsafe {
        let own = &mut *exported;
        let rank = own.extents.len() / 2;
        let extents = own.extents.as_mut_ptr();
        own.managed.tensor().shape = extents;
        own.managed.tensor().strides = extents.add(rank);
        own.managed.set_context(exported.cast());
        &raw mut own.managed
    };
    // SAFETY: the name is static, and the pointer lives until the destructor or the deleter.
    let made = unsafe { ffi::PyCapsule_New(managed.cast(), name.as_ptr(), Some(destructor)) };
    // SAFETY: the function gives a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }.inspect_err(|_| {
        // SAFETY: no capsule has it.
        drop(unsafe { Box::from_raw(exported) });
    })
}

/// Frees what a tensor needs.
///
/// # Safety
/// Null, or a tensor of ours, once.
unsafe fn delete<M: Form>(managed: *mut M) {
    if managed.is_null() {
        return;
    }
    // SAFETY: the context of a tensor of ours is its box.
    let mut exported = unsafe { Box::from_raw((*managed).context().cast::<Exported<M>>()) };
    // Whoever calls this need not have Python's lock; behind Python's end nothing of it can be freed.
    let array = exported.array.take();
    let mut array = Some(array);
    let freed = Python::try_attach(|_| drop(array.take()));
    if freed.is_none() {
        std::mem::forget(array);
    }
}

unsafe extern "C" fn delete_plain(managed: *mut Managed) {
    // SAFETY: the consumer calls it once.
    unsafe { delete(managed) }
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: the consumer calls it once.
    unsafe { delete(managed) }
}

/// What a capsule still has that nobody has used: a consumer gives it another name.
///
/// # Safety
/// A capsule.
unsafe fn unused<M>(capsule: *mut ffi::PyObject, name: &CStr) -> *mut M {
    // SAFETY: by this function's contract; a wrong name sets no exception with `IsValid`.
    unsafe {
        match ffi::PyCapsule_IsValid(capsule, name.as_ptr()) {
            0 => std::ptr::null_mut(),
            _ => ffi::PyCapsule_GetPointer(capsule, name.as_ptr()).cast(),
        }
    }
}

unsafe extern "C" fn destroy_plain(capsule: *mut ffi::PyObject) {
    // SAFETY: Python passes the capsule, which is ours.
    unsafe { delete::<Managed>(unused(capsule, PLAIN)) }
}

unsafe extern "C" fn destroy_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: Python passes the capsule, which is ours.
    unsafe { delete::<ManagedVersioned>(unused(capsule, VERSIONED)) }
}

/// [`Array::__cuda_array_interface__`].
pub(crate) fn cuda_interface<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyDict>> {
    let state = &array.state;
    let NativeDevice::Cuda { .. } = state.device.native() else {
        return Err(PyAttributeError::new_err(format!(
            "an array of {} has no __cuda_array_interface__",
            state.device.name()
        )));
    };
    let address = match array.memory.native() {
        NativeMemory::Address(address) if !array.memory.is_empty() => address,
        _ => 0,
    };
    let dtype = array.element.dtype(py)?;
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, &array.shape)?)?;
    interface.set_item("typestr", dtype.bind(py).getattr("str")?)?;
    interface.set_item("descr", dtype.bind(py).getattr("descr")?)?;
    interface.set_item("data", (address, !array.writable))?;
    interface.set_item("strides", py.None())?;
    // 0 is ambiguous there; 1 is the legacy default stream.
    let stream = state.stream().map(|s| if s == 0 { 1 } else { s });
    interface.set_item("stream", stream)?;
    Ok(interface)
}
