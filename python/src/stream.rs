//! Brook+'s streams.

use crate::array::{Array, Keep};
use crate::device::Device;
use crate::element::{self, ElementType};
use crate::errors::Raise;
use crate::host::{HostArray, packed};
use crate::state::State;
use brook::expr::Scalar;
use brook::module::VectorType;
use brook::runtime::{self, DynStream, ElementKind, NativeMemory};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PySliceMethods, PyString, PyTuple};
use std::ffi::c_void;
use std::sync::Arc;

/// A stream of Brook+: elements on a device, in one to four dimensions, slowest first. ``s[1:5, 0:8]`` is a part of it, which
/// shares the memory, and whose shape kernels see.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Stream {
    pub(crate) stream: DynStream,
    pub(crate) state: Arc<State>,
    /// Of another's memory: what has it.
    pub(crate) keep: Option<Arc<Keep>>,
}

/// The numbers that elements of a stream's type consist of, packed; nothing of structures.
pub(crate) fn numbers(name: &str) -> Option<(Scalar, usize)> {
    match VectorType::from_name(name) {
        Some(vector) => Some((vector.scalar, usize::from(vector.width))),
        None => {
            let name = name.strip_prefix("fixed").map_or(name, |_| "");
            Scalar::from_words(name.split_ascii_whitespace()).map(|scalar| (scalar, 1))
        }
    }
}

/// Extents as the runtime counts them.
pub(crate) fn extents(shape: &[usize]) -> PyResult<Vec<u32>> {
    let extent = |n: &usize| {
        u32::try_from(*n)
            .map_err(|_| PyValueError::new_err(format!("{n} is no extent of a stream")))
    };
    shape.iter().map(extent).collect()
}

impl Stream {
    pub(crate) fn new(stream: DynStream, state: Arc<State>, keep: Option<Arc<Keep>>) -> Self {
        Self {
            stream,
            state,
            keep,
        }
    }

    /// [`Device::stream`].
    pub(crate) fn zeros(
        py: Python<'_>,
        state: &Arc<State>,
        shape: Vec<usize>,
        element: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let name = match element {
            None => "float".to_string(),
            Some(name)
                if name.is_instance_of::<PyString>() && is_element(&name.extract::<String>()?) =>
            {
                name.extract()?
            }
            Some(dtype) => name_of(&ElementType::of(py, dtype)?),
        };
        let extents = extents(&shape)?;
        let stream = py
            .detach(|| state.device.stream(&name, &extents))
            .raise(py)?;
        Ok(Self::new(stream, Arc::clone(state), None))
    }

    /// [`Device::stream_of`].
    pub(crate) fn of_array(
        py: Python<'_>,
        state: &Arc<State>,
        source: &Bound<'_, PyAny>,
        element: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let source = match source.cast::<Array>() {
            Ok(array) => crate::transfer::to_numpy(py, array.get(), None, None)?,
            Err(_) => source.clone(),
        };
        let (array, host) = packed(py, &source, None)?;
        let name = match element {
            Some(name) => name.extract()?,
            None => name_of(&host.element),
        };
        let mut shape = host.shape.clone();
        if let Some((_, width)) = numbers(&name)
            && width > 1
            && shape.pop() != Some(width)
        {
            return Err(PyValueError::new_err(format!(
                "an array for a stream of {name} has a last dimension of {width}; got shape {}",
                array.getattr("shape")?
            )));
        }
        let made = Self::zeros(py, state, shape, Some(PyString::new(py, &name).as_any()))?;
        made.copy_from(&array)?;
        Ok(made)
    }

    /// numpy's shape of all elements, and their type.
    fn layout(&self) -> (Vec<usize>, Option<(Scalar, usize)>) {
        let mut shape: Vec<usize> = self.stream.extents().iter().map(|n| *n as usize).collect();
        let numbers = numbers(&self.stream.element());
        if let Some((_, width @ 2..)) = numbers {
            shape.push(width);
        }
        (shape, numbers)
    }

    pub(crate) fn described(&self) -> String {
        let extents: Vec<String> = self.stream.extents().iter().map(u32::to_string).collect();
        format!(
            "stream {}<{}> on {}",
            self.stream.element(),
            extents.join(", "),
            self.state.device.name()
        )
    }
}

/// The name of a type of elements, of numpy's.
pub(crate) fn name_of(element: &ElementType) -> String {
    match element.kind {
        ElementKind::Numbers(scalar, 1) => scalar.c_name().to_string(),
        ElementKind::Numbers(scalar, width) => format!("{}{width}", scalar.c_name()),
        other => format!("bytes:{}", other.size()),
    }
}

fn is_element(name: &str) -> bool {
    name.starts_with("bytes:") || name.starts_with("fixed") || numbers(name).is_some()
}

/// Somebody's array as a stream, without a copy. The memory is kept by whoever calls.
pub(crate) fn of_memory(
    py: Python<'_>,
    state: &State,
    array: &runtime::DynMemory,
    shape: &[usize],
    name: &str,
) -> PyResult<DynStream> {
    let native = array.native();
    if matches!(native, NativeMemory::Unknown) {
        return Err(PyTypeError::new_err(format!(
            "an array of {} cannot be a stream: device.stream_of(x.to_numpy()) copies it",
            state.device.name()
        )));
    }
    let extents = extents(shape)?;
    if let NativeMemory::OpenCl { object, offset } = native
        && offset % BUFFER_OBJECTS != 0
        && let Some(part) = part_of_object(state, (object, offset), array, &extents, name)
    {
        return part.raise(py);
    }
    // SAFETY: the array has as many elements, and is kept.
    let imported = unsafe { DynStream::import(&state.device, name, &extents, native) };
    imported
        .map_err(|error| match error {
            // Not every device takes memory that is there already.
            runtime::Error::Argument(message) => runtime::Error::Argument(format!(
                "{message}; device.stream_of(x.to_numpy()) makes a stream with the same elements"
            )),
            other => other,
        })
        .raise(py)
}

/// OpenCL makes buffer objects of parts of others at multiples of this on all devices that we know.
const BUFFER_OBJECTS: usize = 512;

/// Rows of an array that begin where no buffer object can: the part of a stream that begins where the array's object does. Nothing of
/// arrays that do not begin with a row of such a stream.
fn part_of_object(
    state: &State,
    (object, offset): (*mut c_void, usize),
    array: &runtime::DynMemory,
    extents: &[u32],
    name: &str,
) -> Option<runtime::Result<DynStream>> {
    let (rows, rest) = extents.split_first()?;
    let bytes = array.len() * array.kind().size();
    let row = bytes.checked_div(*rows as usize).filter(|row| *row > 0)?;
    if !offset.is_multiple_of(row) {
        return None;
    }
    let first = u32::try_from(offset / row).ok()?;
    let mut whole = extents.to_vec();
    whole[0] = first.checked_add(*rows)?;
    let native = NativeMemory::OpenCl { object, offset: 0 };
    // A part's places have the fastest first.
    let start: Vec<u32> = rest.iter().map(|_| 0).chain([first]).collect();
    let end: Vec<u32> = whole.iter().rev().copied().collect();
    // SAFETY: the object has as many elements up to the array's end, and is kept as long as the array.
    let stream = unsafe { DynStream::import(&state.device, name, &whole, native) };
    Some(stream.and_then(|stream| stream.domain(&start, &end)))
}

#[pymethods]
impl Stream {
    /// Extents, slowest first. A stream of ``float4`` has a dimension less than the array of its numbers.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.stream.extents())
    }

    /// The type of the elements: ``float4``.
    #[getter]
    fn element(&self) -> String {
        self.stream.element()
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> usize {
        self.stream.bytes()
    }

    /// The device that has it.
    #[getter]
    fn device(&self) -> Device {
        Device::of(Arc::clone(&self.state))
    }

    /// Copies all elements to the host, after every kernel called so far: an array of the stream's shape, with a last dimension
    /// for the components of vectors; of structures, their bytes.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (shape, numbers) = self.layout();
        let dtype = match numbers {
            Some((scalar, _)) => element::name(scalar).to_string(),
            None => format!("V{}", self.stream.element_bytes()),
        };
        let out = element::numpy(py, "empty")?.call1((PyTuple::new(py, shape)?, dtype))?;
        let Some(host) = HostArray::of(&out)? else {
            return Err(PyTypeError::new_err("numpy made no array"));
        };
        let (pointer, len) = (host.pointer as usize, host.bytes());
        let copied = py.detach(|| {
            let bytes = match len {
                0 => &mut [][..],
                // SAFETY: the array has just been made, and nobody else has it.
                len => unsafe { std::slice::from_raw_parts_mut(pointer as *mut u8, len) },
            };
            self.stream.write(bytes)
        });
        copied.raise(py)?;
        Ok(out)
    }

    /// Copies all elements from an array of the host's, or from a stream of the same type and shape.
    ///
    /// Raises TypeError and ValueError where dtype or shape differ.
    fn copy_from(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = source.py();
        if let Ok(other) = source.cast::<Self>() {
            let other = &other.get().stream;
            return py.detach(|| self.stream.assign(other)).raise(py);
        }
        let source = match source.cast::<Array>() {
            Ok(array) => crate::transfer::to_numpy(py, array.get(), None, None)?,
            Err(_) => source.clone(),
        };
        let (array, host) = packed(py, &source, None)?;
        let (shape, numbers) = self.layout();
        let same_type = match (numbers, host.element.kind) {
            (Some((scalar, _)), ElementKind::Numbers(own, 1)) => scalar == own,
            (None, kind) => kind.size() == self.stream.element_bytes(),
            _ => false,
        };
        if !same_type {
            return Err(PyTypeError::new_err(format!(
                "a {} takes no array of {}",
                self.described(),
                array.getattr("dtype")?
            )));
        }
        if shape != host.shape {
            return Err(PyValueError::new_err(format!(
                "a {} takes arrays of shape {}; got {}",
                self.described(),
                PyTuple::new(py, shape)?,
                array.getattr("shape")?
            )));
        }
        let (pointer, len) = (host.pointer as usize, host.bytes());
        let copied = py.detach(|| {
            let bytes = match len {
                0 => &[][..],
                // SAFETY: the array is kept.
                len => unsafe { std::slice::from_raw_parts(pointer as *const u8, len) },
            };
            self.stream.read(bytes)
        });
        copied.raise(py)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err(
                "a stream becomes a numpy array by a copy",
            ));
        }
        let made = self.to_numpy(py)?;
        match dtype {
            Some(dtype) => made.call_method1("astype", (dtype,)),
            None => Ok(made),
        }
    }

    /// The part between slices, one for each of the first dimensions, without steps; it shares the memory.
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = index.py();
        let all = match index.cast::<PyTuple>() {
            Ok(tuple) => tuple.clone(),
            Err(_) => PyTuple::new(py, [index])?,
        };
        let extents = self.stream.extents();
        if all.len() > extents.len() {
            return Err(PyIndexError::new_err(format!(
                "a {} has {} dimensions",
                self.described(),
                extents.len()
            )));
        }
        let (mut start, mut end) = (vec![0u32; extents.len()], extents.clone());
        for (axis, slice) in all.iter().enumerate() {
            let slice = slice
                .cast::<PySlice>()
                .map_err(|_| PyTypeError::new_err("parts of streams are slices: s[1:5, 0:8]"))?;
            let slice = slice.indices(extents[axis] as isize)?;
            if slice.step != 1 && slice.slicelength > 1 {
                return Err(PyIndexError::new_err("streams are sliced without a step"));
            }
            start[axis] = slice.start.max(0).unsigned_abs() as u32;
            end[axis] = start[axis] + slice.slicelength as u32;
        }
        start.reverse();
        end.reverse();
        let stream = self.stream.domain(&start, &end).raise(py)?;
        Ok(Self::new(
            stream,
            Arc::clone(&self.state),
            self.keep.clone(),
        ))
    }

    fn __len__(&self) -> usize {
        self.stream.extents().first().map_or(0, |n| *n as usize)
    }

    fn __repr__(&self) -> String {
        format!("<brook.Stream: {}>", self.described())
    }
}
