//! Host memory for copies, as numpy's arrays.

use crate::element::{self, ElementType};
use crate::errors::Raise;
use crate::index;
use crate::state::State;
use brook::Pinned;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, Mutex};

/// The memory of an array; numpy keeps it as the array's base.
#[pyclass(frozen, module = "brook._brook")]
struct PinnedMemory {
    pointer: usize,
    len: usize,
    /// Nobody but numpy goes there.
    _memory: Mutex<Pinned<u8>>,
}

#[pymethods]
impl PinnedMemory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.len,))?;
        interface.set_item("typestr", "|u1")?;
        interface.set_item("data", (self.pointer, false))?;
        Ok(interface)
    }
}

/// An array of zeros.
pub(crate) fn array<'py>(
    py: Python<'py>,
    state: &Arc<State>,
    element: &ElementType,
    shape: Vec<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let len = index::count(&shape, element.size())?;
    let bytes = len * element.size();
    let extents = PyTuple::new(py, &shape)?;
    if bytes == 0 {
        return element::numpy(py, "zeros")?.call1((extents, element.dtype(py)?));
    }
    let mut memory = py.detach(|| state.device.pinned::<u8>(bytes)).raise(py)?;
    let pointer = memory.as_mut_ptr() as usize;
    let memory = PinnedMemory {
        pointer,
        len: bytes,
        _memory: Mutex::new(memory),
    };
    let made = element::numpy(py, "asarray")?.call1((Bound::new(py, memory)?,))?;
    let made = made.call_method1("view", (element.dtype(py)?,))?;
    made.call_method1("reshape", (extents,))
}
