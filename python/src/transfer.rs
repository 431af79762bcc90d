//! Copies of device arrays, and numpy's views of those that the processor has.

use crate::array::Array;
use crate::element;
use crate::errors::Raise;
use crate::host::{HostArray, packed};
use crate::queue::Queue;
use brook::runtime;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Host memory that is read or written without Python's lock, while the array it is of is kept.
struct Bytes {
    pointer: *mut u8,
    len: usize,
}

// SAFETY: a place in memory; who uses it has been told what must be true of that.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl Bytes {
    fn of(host: &HostArray) -> Self {
        Self {
            pointer: host.pointer,
            len: host.bytes(),
        }
    }

    /// # Safety
    /// The array is kept meanwhile.
    unsafe fn read(&self) -> &[u8] {
        match self.len {
            0 => &[],
            // SAFETY: numpy has as many bytes there.
            len => unsafe { std::slice::from_raw_parts(self.pointer, len) },
        }
    }

    /// # Safety
    /// The array is kept meanwhile, and nobody else uses it.
    #[allow(
        clippy::mut_from_ref,
        reason = "the place is numpy's, not this value's"
    )]
    unsafe fn write(&self) -> &mut [u8] {
        match self.len {
            0 => &mut [],
            // SAFETY: numpy has as many bytes there.
            len => unsafe { std::slice::from_raw_parts_mut(self.pointer, len) },
        }
    }
}

fn same_type(array: &Array, host: &HostArray, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = object.py();
    let same = match (&array.element.dtype, &host.element.dtype) {
        (None, None) => array.element.kind == host.element.kind,
        (Some(own), Some(other)) => own.bind(py).eq(other.bind(py))?,
        _ => false,
    };
    if !same {
        return Err(PyTypeError::new_err(format!(
            "a {} and a numpy array of {}: dtypes differ; .astype() converts",
            array.described(),
            object.getattr("dtype")?
        )));
    }
    if array.shape != host.shape {
        return Err(PyValueError::new_err(format!(
            "a {} and a numpy array of shape {}: shapes differ",
            array.described(),
            object.getattr("shape")?
        )));
    }
    Ok(())
}

/// Refuses a queue of another device.
fn check_queue(array: &Array, queue: &Queue) -> PyResult<()> {
    match queue.state.is(&array.state) {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!(
            "the queue is of {}, the array of {}",
            queue.state.device.name(),
            array.state.device.name()
        ))),
    }
}

/// [`Array::to_numpy`].
pub(crate) fn to_numpy<'py>(
    py: Python<'py>,
    array: &Array,
    out: Option<Bound<'py, PyAny>>,
    queue: Option<&Queue>,
) -> PyResult<Bound<'py, PyAny>> {
    if queue.is_some() && out.is_none() {
        return Err(PyTypeError::new_err(
            "a copy on a queue needs out=, which is complete when the queue has been waited for",
        ));
    }
    let out = match out {
        Some(out) => out,
        None => {
            let shape = PyTuple::new(py, &array.shape)?;
            element::numpy(py, "empty")?.call1((shape, array.element.dtype(py)?))?
        }
    };
    let host =
        HostArray::of(&out)?.ok_or_else(|| PyTypeError::new_err("out is a numpy.ndarray"))?;
    same_type(array, &host, &out)?;
    if !host.packed || !host.writable {
        return Err(PyValueError::new_err(
            "out has to be writable, with elements that lie side by side (C order)",
        ));
    }
    let bytes = Bytes::of(&host);
    let Some(queue) = queue else {
        // SAFETY: `out` is kept; who writes it at the same time does so in Python, too.
        py.detach(|| array.memory.read(0, unsafe { bytes.write() }))
            .raise(py)?;
        return Ok(out);
    };
    check_queue(array, queue)?;
    let len = array.memory.len();
    let event = py
        .detach(|| {
            let queue = &queue.queue;
            let bytes = &bytes;
            // SAFETY: `out` is held until the event.
            unsafe { queue.read(&array.memory, 0, bytes.pointer, len) }?;
            queue.record()
        })
        .raise(py)?;
    queue
        .state
        .hold(event, vec![out.clone().unbind()], Vec::new());
    Ok(out)
}

/// [`Array::copy_from`].
pub(crate) fn copy_from(
    array: &Array,
    source: &Bound<'_, PyAny>,
    queue: Option<&Queue>,
) -> PyResult<()> {
    let py = source.py();
    array.check_writable()?;
    if let Some(queue) = queue {
        check_queue(array, queue)?;
    }
    if let Some(known) = on_a_device(source)? {
        return between(py, array, &known, queue);
    }
    let (source, host) = packed(py, source, None)?;
    same_type(array, &host, &source)?;
    let bytes = Bytes::of(&host);
    let Some(queue) = queue else {
        // SAFETY: the array is kept.
        return py
            .detach(|| array.memory.write(0, unsafe { bytes.read() }))
            .raise(py);
    };
    let len = array.memory.len();
    let event = py
        .detach(|| {
            let queue = &queue.queue;
            let bytes = &bytes;
            // SAFETY: the array is held until the event.
            unsafe { queue.write(&array.memory, 0, bytes.pointer, len) }?;
            queue.record()
        })
        .raise(py)?;
    queue.state.hold(event, vec![source.unbind()], Vec::new());
    Ok(())
}

/// An array that is one of a device, ours or another library's.
pub(crate) fn on_a_device(source: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let py = source.py();
    if let Ok(own) = source.cast::<Array>() {
        return own.get().at(py.Ellipsis().bind(py)).map(Some);
    }
    if HostArray::of(source)?.is_some() {
        return Ok(None);
    }
    match source.hasattr("__dlpack__")? || source.hasattr("__cuda_array_interface__")? {
        true => crate::foreign::from_dlpack(py, source).map(Some),
        false => Ok(None),
    }
}

/// Copies between devices, or on one.
pub(crate) fn between(
    py: Python<'_>,
    to: &Array,
    from: &Array,
    queue: Option<&Queue>,
) -> PyResult<()> {
    let wrong = |what: &str| {
        format!(
            "a {} and a {}: {what} differ",
            to.described(),
            from.described()
        )
    };
    if to.element.kind != from.element.kind {
        return Err(PyTypeError::new_err(wrong("dtypes")));
    }
    if to.shape != from.shape {
        return Err(PyValueError::new_err(wrong("shapes")));
    }
    let len = to.memory.len();
    if len == 0 {
        return Ok(());
    }
    let copied: runtime::Result<()> = py.detach(|| match queue {
        Some(queue) => queue
            .queue
            .copy_part((&to.memory, 0), (&from.memory, 0), len),
        None => to.memory.copy(0, &from.memory, 0, len),
    });
    copied.raise(py)
}

/// One value for all elements.
pub(crate) fn fill(array: &Array, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = value.py();
    array.check_writable()?;
    let shape = PyTuple::new(py, &array.shape)?;
    let dtype = array.element.dtype(py)?;
    // numpy knows what becomes of a value, and what cannot; of a structure's a tuple has all fields.
    let one = element::numpy(py, "empty")?.call1((PyTuple::empty(py), dtype.bind(py)))?;
    one.call_method1("fill", (value,))?;
    let full = element::numpy(py, "full")?.call1((shape, one, dtype))?;
    copy_from(array, &full, None)
}

/// What `x[...] = value` does.
pub(crate) fn fill_or_copy(array: &Array, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = value.py();
    let is_array = value.is_instance_of::<Array>()
        || value.hasattr("__dlpack__")?
        || value.hasattr("__cuda_array_interface__")?;
    if is_array && !value.is_instance(element::array_type(py)?)? {
        return copy_from(array, value, None);
    }
    let shape = PyTuple::new(py, &array.shape)?;
    let dtype = array.element.dtype(py)?;
    // Whatever numpy takes for a part of an array of its own, with its rules of broadcasting.
    let staged = element::numpy(py, "empty")?.call1((shape, dtype))?;
    staged.set_item(py.Ellipsis(), value)?;
    copy_from(array, &staged, None)
}

/// The host's memory of an array, as numpy asks for it; keeps the array.
#[pyclass(frozen, module = "brook._brook")]
struct HostView {
    array: Py<Array>,
}

#[pymethods]
impl HostView {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let array = self.array.get();
        let pointer = array
            .memory
            .host()
            .ok_or_else(|| PyTypeError::new_err("the host has not got this memory"))?;
        let dtype = array.element.dtype(py)?;
        let dtype = dtype.bind(py);
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &array.shape)?)?;
        interface.set_item("typestr", dtype.getattr("str")?)?;
        interface.set_item("descr", dtype.getattr("descr")?)?;
        interface.set_item("data", (pointer as usize, !array.writable))?;
        Ok(interface)
    }
}

/// [`Array::__array__`].
pub(crate) fn as_numpy<'py>(
    array: &Bound<'py, Array>,
    dtype: Option<Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let own = array.get();
    let own_dtype = own.element.dtype(py)?;
    let converts = match &dtype {
        Some(dtype) => !element::dtype_type(py)?
            .call1((dtype,))?
            .eq(own_dtype.bind(py))?,
        None => false,
    };
    let on_host = own.state.is_host && own.memory.host().is_some();
    if copy == Some(false) && (converts || !on_host) {
        return Err(PyValueError::new_err(format!(
            "a {} cannot be a numpy array without a copy",
            own.described()
        )));
    }
    let made = match on_host && copy != Some(true) && !own.memory.is_empty() {
        true => {
            own.state.synchronize(py)?;
            let view = Bound::new(
                py,
                HostView {
                    array: array.clone().unbind(),
                },
            )?;
            let made = element::numpy(py, "asarray")?.call1((view,))?;
            // Structures whose fields have gaps are described without their names there.
            made.call_method1("view", (own_dtype,))?
                .call_method1("reshape", (PyTuple::new(py, &own.shape)?,))?
        }
        false => to_numpy(py, own, None, None)?,
    };
    match dtype {
        Some(dtype) if converts => made.call_method1("astype", (dtype,)),
        _ => Ok(made),
    }
}
