//! Device memory with numpy's habits.

use crate::device::Device;
use crate::element::{self, ElementType};
use crate::errors::Raise;
use crate::index::{self, Index};
use crate::state::State;
use crate::transfer;
use brook::runtime::{DynMemory, NativeMemory};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Elements in a device's memory, with numpy's ``shape`` and ``dtype``; the last index is fastest, and nothing lies between
/// elements.
///
/// Slices along the first axis are the same memory (``x[2:5]``, ``x[3]``), which lives as long as one of them. There is no
/// arithmetic: kernels compute. ``x.to_numpy()`` copies to the host, ``x[2:5] = y`` and ``x.copy_from(y)`` copy there.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Array {
    pub(crate) memory: DynMemory,
    pub(crate) element: ElementType,
    pub(crate) shape: Vec<usize>,
    pub(crate) state: Arc<State>,
    /// Of another library's memory: what has it.
    pub(crate) keep: Option<Arc<Keep>>,
    pub(crate) writable: bool,
}

/// Another library's object, whose memory is used.
pub(crate) struct Keep {
    object: Option<Py<PyAny>>,
    state: Arc<State>,
}

impl Keep {
    pub(crate) fn new(object: Py<PyAny>, state: Arc<State>) -> Self {
        Self {
            object: Some(object),
            state,
        }
    }
}

impl Drop for Keep {
    fn drop(&mut self) {
        // The library may give the memory to somebody else at once, while kernels are still at work on it.
        if !matches!(self.state.device.is_idle(), Ok(true)) {
            let _ = self.state.device.synchronize();
        }
        if let Some(object) = self.object.take() {
            let_go(object);
        }
    }
}

/// Gives up an object, which may be the last to have another array, and so on: a long chain is taken apart link by link, since
/// each within the other has no end before that of the stack.
fn let_go(object: Py<PyAny>) {
    thread_local! {
        static WITHIN: Cell<bool> = const { Cell::new(false) };
        static LATER: RefCell<Vec<Py<PyAny>>> = const { RefCell::new(Vec::new()) };
    }
    if WITHIN.replace(true) {
        return LATER.with_borrow_mut(|later| later.push(object));
    }
    let mut next = Some(object);
    while let Some(object) = next {
        drop(object);
        next = LATER.with_borrow_mut(Vec::pop);
    }
    WITHIN.set(false);
}

impl Array {
    /// Memory of ours.
    pub(crate) fn new(
        memory: DynMemory,
        element: ElementType,
        shape: Vec<usize>,
        state: Arc<State>,
    ) -> Self {
        Self {
            memory,
            element,
            shape,
            state,
            keep: None,
            writable: true,
        }
    }

    /// The same, of another library's memory.
    pub(crate) fn kept(mut self, keep: Keep, writable: bool) -> Self {
        self.keep = Some(Arc::new(keep));
        self.writable = writable;
        self
    }

    /// The same memory once more.
    pub(crate) fn again(&self, py: Python<'_>) -> PyResult<Self> {
        self.view(py, 0, self.shape.clone())
    }

    /// The same memory in another shape, from an element on.
    fn view(&self, py: Python<'_>, first: usize, shape: Vec<usize>) -> PyResult<Self> {
        let len = shape.iter().product();
        let memory = match (first, len) {
            (0, len) if len == self.memory.len() => self.memory.clone(),
            // What has no elements needs no place.
            (_, 0) => self.memory.part(0, 0).raise(py)?,
            _ => self.memory.part(first, len).raise(py)?,
        };
        Ok(Self {
            memory,
            element: self.element.again(py),
            shape,
            state: Arc::clone(&self.state),
            keep: self.keep.clone(),
            writable: self.writable,
        })
    }

    /// The part that an index means.
    pub(crate) fn at(&self, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = given.py();
        let rest: usize = self.shape.iter().skip(1).product();
        match index::index(given, &self.shape)? {
            Index::All => self.view(py, 0, self.shape.clone()),
            Index::One(place) => self.view(py, place * rest, self.shape[1..].to_vec()),
            Index::Range(range) => {
                let mut shape = self.shape.clone();
                shape[0] = range.len();
                self.view(py, range.start * rest, shape)
            }
        }
    }

    pub(crate) fn described(&self) -> String {
        let shape: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        format!(
            "{} array of shape ({}{comma}) on {}",
            element::describe(self.memory.kind()),
            shape.join(", "),
            self.state.device.name()
        )
    }

    /// Refuses what may not be written.
    pub(crate) fn check_writable(&self) -> PyResult<()> {
        match self.writable {
            true => Ok(()),
            false => Err(PyValueError::new_err("the array is read only")),
        }
    }
}

#[pymethods]
impl Array {
    /// Extents, the slowest first.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The type of the elements, a numpy.dtype.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.element.dtype(py)
    }

    /// Number of dimensions.
    #[getter]
    fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    #[getter]
    fn size(&self) -> usize {
        self.memory.len()
    }

    /// Bytes of an element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.element.size()
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Whether nobody may write it: so has another library said whose memory it is.
    #[getter]
    fn readonly(&self) -> bool {
        !self.writable
    }

    /// The device that has it.
    #[getter]
    fn device(&self) -> Device {
        Device::of(Arc::clone(&self.state))
    }

    /// The address on the device (CUDA, HIP), or the host's (openmp).
    ///
    /// Raises TypeError where memory has no address (OpenCL).
    #[getter]
    fn pointer(&self) -> PyResult<usize> {
        match self.memory.native() {
            NativeMemory::Address(address) => Ok(address as usize),
            NativeMemory::Host(pointer) => Ok(pointer as usize),
            _ => Err(PyTypeError::new_err(format!(
                "memory of {} has no address",
                self.state.device.name()
            ))),
        }
    }

    fn __len__(&self) -> PyResult<usize> {
        self.shape
            .first()
            .copied()
            .ok_or_else(|| PyTypeError::new_err("len() of an array of no dimensions"))
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(
            "a device array is neither true nor false; x.to_numpy() can be asked",
        ))
    }

    fn __repr__(&self) -> String {
        format!("<brook.Array: {}>", self.described())
    }

    /// The part that a number, a slice without a step, or ``...`` means: the same memory.
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.at(index)
    }

    /// Copies to a part: from an array of the host or of a device, or one number to all elements.
    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        transfer::fill_or_copy(&self.at(index)?, value)
    }

    fn __delitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = index;
        Err(PyTypeError::new_err(
            "elements of device arrays cannot be deleted",
        ))
    }

    /// The same memory in another shape of as many elements; one extent may be -1.
    #[pyo3(signature = (*shape))]
    fn reshape(&self, py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let shape = index::reshaped(self.memory.len(), shape)?;
        self.view(py, 0, shape)
    }

    /// Copies all elements to the host, when everything launched so far has been done: to a new numpy.ndarray, or to ``out``,
    /// which has this shape and dtype.
    ///
    /// With ``queue`` and ``out`` the copy is enqueued there, and made when the queue has been waited for.
    #[pyo3(signature = (out = None, *, queue = None))]
    fn to_numpy<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
        queue: Option<&crate::queue::Queue>,
    ) -> PyResult<Bound<'py, PyAny>> {
        transfer::to_numpy(py, self, out, queue)
    }

    /// Copies all elements from an array of this shape and dtype: numpy's, or one of any device.
    ///
    /// With ``queue`` the copy is enqueued there; an array of the host must not change before it has been made, and one of a
    /// device is of this device.
    #[pyo3(signature = (source, *, queue = None))]
    fn copy_from(
        &self,
        source: &Bound<'_, PyAny>,
        queue: Option<&crate::queue::Queue>,
    ) -> PyResult<()> {
        transfer::copy_from(self, source, queue)
    }

    /// Sets all elements to one value.
    fn fill(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        transfer::fill(self, value)
    }

    /// Memory of its own with the same elements, on the same device.
    pub(crate) fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let memory = py.detach(|| self.memory.try_clone()).raise(py)?;
        Ok(Self::new(
            memory,
            self.element.again(py),
            self.shape.clone(),
            Arc::clone(&self.state),
        ))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        let _ = memo;
        self.copy(py)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "device arrays cannot be pickled; x.to_numpy() can",
        ))
    }

    /// What numpy.asarray makes of it: on the processor the same memory, of other devices a copy.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        transfer::as_numpy(slf, dtype, copy)
    }

    /// For libraries that take arrays of CUDA so. Not there on other devices.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        crate::export::cuda_interface(py, self)
    }

    /// DLPack's kind of device, and its number.
    fn __dlpack_device__(&self) -> PyResult<(i32, i32)> {
        crate::export::dlpack_device(self)
    }

    /// A capsule of DLPack, for ``from_dlpack`` of other libraries: the same memory, behind what has been enqueued here.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<isize>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::export::dlpack(slf, stream, max_version, dl_device, copy)
    }
}
