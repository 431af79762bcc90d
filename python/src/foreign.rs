//! Arrays of other libraries, used where they are: numpy's, `__cuda_array_interface__`, DLPack.

use crate::array::{Array, Keep};
use crate::dlpack::{self, Managed, ManagedVersioned, PLAIN, READ_ONLY, Tensor, VERSIONED};
use crate::element::{ElementType, describe};
use crate::errors::Raise;
use crate::host::HostArray;
use crate::libraries::{self, Library, current_stream, library};
use crate::state::State;
use brook::runtime::{self, DynMemory, ElementKind, NativeDevice, NativeMemory};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyDict, PyTuple};
use std::ffi::c_void;
use std::sync::Arc;

/// An array that another library has.
pub(crate) struct Foreign {
    pub(crate) pointer: usize,
    /// DLPack's kind of device.
    pub(crate) device: i32,
    /// Where that is known, the device's number.
    pub(crate) ordinal: Option<i32>,
    pub(crate) shape: Vec<usize>,
    pub(crate) element: ElementType,
    pub(crate) writable: bool,
    pub(crate) packed: bool,
    /// What has the memory, as long as it lives.
    pub(crate) keep: Py<PyAny>,
    /// The stream that the library uses now, where it has several and we know which.
    pub(crate) stream: Option<usize>,
}

impl Foreign {
    /// What is known of an object that is an array of another library; nothing of other objects. What is on a GPU is there
    /// for `stream` (ours), or is by its own stream.
    pub(crate) fn of(object: &Bound<'_, PyAny>, stream: Option<usize>) -> PyResult<Option<Self>> {
        if let Some(host) = HostArray::of(object)? {
            return Ok(Some(Self {
                pointer: host.pointer as usize,
                device: dlpack::CPU,
                ordinal: None,
                shape: host.shape,
                element: host.element,
                writable: host.writable,
                packed: host.packed,
                keep: object.clone().unbind(),
                stream: None,
            }));
        }
        let library = library(object)?;
        let has = |name| object.hasattr(name);
        let object = match library {
            Library::Torch if has("requires_grad")? => &libraries::detached(object)?,
            _ => object,
        };
        let quick = match library {
            Library::Torch if has("data_ptr")? => libraries::torch(object)?,
            Library::Cupy => libraries::cupy(object)?,
            _ => None,
        };
        match quick {
            Some(found) => Ok(Some(found)),
            None => Self::of_protocols(object, stream, library),
        }
    }

    /// The same, of what says it by a protocol.
    fn of_protocols(
        object: &Bound<'_, PyAny>,
        stream: Option<usize>,
        library: Library,
    ) -> PyResult<Option<Self>> {
        if library != Library::Jax {
            let found = optional(object, "__cuda_array_interface__")?;
            if let Some(interface) = found {
                return Self::of_interface(object, &interface, library).map(Some);
            }
        }
        match object.hasattr("__dlpack__")? {
            true => Self::of_dlpack(object, stream, library).map(Some),
            false => Ok(None),
        }
    }

    fn of_interface(
        object: &Bound<'_, PyAny>,
        interface: &Bound<'_, PyAny>,
        library: Library,
    ) -> PyResult<Self> {
        let interface = interface.cast::<PyDict>()?;
        let item = |name: &str| {
            interface.get_item(name)?.ok_or_else(|| {
                PyBufferError::new_err(format!("__cuda_array_interface__ has no '{name}'"))
            })
        };
        let (pointer, read_only): (Option<usize>, bool) = item("data")?.extract()?;
        let shape: Vec<usize> = item("shape")?.extract()?;
        let element = ElementType::of(object.py(), &item("typestr")?)?;
        let strides = interface.get_item("strides")?.filter(|s| !s.is_none());
        let strides: Option<Vec<isize>> = strides.map(|s| s.extract()).transpose()?;
        let size = element.size();
        let packed = strides.is_none_or(|strides| {
            let in_elements: Option<Vec<i64>> = (strides.iter())
                .map(|s| i64::try_from(*s).ok()?.checked_div(size as i64))
                .collect();
            in_elements.is_some_and(|strides| are_packed(&shape, &strides))
        });
        let told = interface.get_item("stream")?.filter(|s| !s.is_none());
        let stream = match current_stream(object, library)? {
            Some(stream) => Some(stream),
            // Who names none may have used the default one.
            None => Some(told.map_or(Ok(0), |s| s.extract())?),
        };
        Ok(Self {
            pointer: pointer.unwrap_or(0),
            device: dlpack::CUDA,
            ordinal: None,
            shape,
            element,
            writable: !read_only,
            packed,
            keep: object.clone().unbind(),
            stream: stream.map(in_cuda),
        })
    }

    fn of_dlpack(
        object: &Bound<'_, PyAny>,
        stream: Option<usize>,
        library: Library,
    ) -> PyResult<Self> {
        let py = object.py();
        let (device, ordinal): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
        let on_gpu = matches!(device, dlpack::CUDA | dlpack::CUDA_MANAGED | dlpack::ROCM);
        let keywords = PyDict::new(py);
        if on_gpu {
            // The stream that waits for what the library has enqueued. 1 is the one that is called 0 elsewhere.
            keywords.set_item("stream", stream.filter(|s| *s != 0).unwrap_or(1))?;
        }
        let versioned = keywords.copy()?;
        versioned.set_item("max_version", (1, 0))?;
        let made = object.call_method("__dlpack__", (), Some(&versioned));
        let capsule = match made {
            // Before version 1 nobody took that.
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                object.call_method("__dlpack__", (), Some(&keywords))?
            }
            made => made?,
        };
        let capsule = capsule.cast_into::<PyCapsule>()?;
        let (tensor, read_only) = tensor(&capsule)?;
        // SAFETY: the capsule, which is kept, has a tensor of the protocol's form.
        let tensor = unsafe { &*tensor };
        let Some((scalar, width)) = tensor.element.number() else {
            return Err(PyTypeError::new_err(format!(
                "elements of type {} are none of a kernel",
                tensor.element.describe()
            )));
        };
        let rank = usize::try_from(tensor.rank).unwrap_or(0);
        let extents = |pointer: *const i64| match rank {
            0 => &[],
            // SAFETY: by the protocol there are as many as dimensions.
            rank => unsafe { std::slice::from_raw_parts(pointer, rank) },
        };
        let shape: Vec<usize> = extents(tensor.shape)
            .iter()
            .map(|n| usize::try_from(*n).unwrap_or(0))
            .collect();
        let packed = tensor.strides.is_null() || are_packed(&shape, extents(tensor.strides));
        let mut element = ElementType::number(scalar);
        if width == 2 {
            let name = describe(ElementKind::Numbers(scalar, 2));
            element = ElementType::of(py, name.into_pyobject(py)?.as_any())?;
        }
        let mut packed = packed;
        let mut shape = shape;
        if tensor.element.lanes > 1 {
            packed &= tensor.strides.is_null();
            shape.push(usize::from(tensor.element.lanes));
        }
        let stream = match on_gpu {
            true => current_stream(object, library)?.map(in_cuda),
            false => None,
        };
        Ok(Self {
            pointer: (tensor.data as usize).wrapping_add(tensor.offset as usize),
            device: tensor.device.kind,
            ordinal: Some(ordinal),
            shape,
            element,
            // JAX's arrays never change, which its tensors do not say.
            writable: !read_only && library != Library::Jax,
            packed,
            keep: capsule.into_any().unbind(),
            stream,
        })
    }

    /// The memory, as a device knows it; `what` is what messages begin with.
    pub(crate) fn memory(
        &self,
        py: Python<'_>,
        state: &State,
        what: &dyn Fn() -> String,
    ) -> PyResult<DynMemory> {
        if !self.packed {
            return Err(PyValueError::new_err(format!(
                "{} has to be an array whose elements lie side by side (C order), aligned; numpy.ascontiguousarray(x) makes one",
                what()
            )));
        }
        let device = &state.device;
        let pointer = self.pointer as *mut c_void;
        let elsewhere = || {
            let (place, how) = match self.device {
                dlpack::CPU | dlpack::CUDA_HOST => {
                    ("the host's memory", "device.array(x) copies it")
                }
                _ => (
                    "memory of another device",
                    "device.array(x) copies what numpy can read",
                ),
            };
            PyTypeError::new_err(format!(
                "{} is in {place}; the kernel runs on {}: {how}",
                what(),
                device.name()
            ))
        };
        let native = match (self.device, device.native()) {
            (dlpack::CPU | dlpack::CUDA_HOST, NativeDevice::Host) if state.is_host => {
                NativeMemory::Host(pointer)
            }
            (dlpack::CUDA | dlpack::CUDA_MANAGED, NativeDevice::Cuda { ordinal, .. })
                if self.ordinal.is_none_or(|own| own == ordinal) =>
            {
                NativeMemory::Address(self.pointer as u64)
            }
            (dlpack::ROCM, NativeDevice::Hip { ordinal })
                if self.ordinal.is_none_or(|own| own == ordinal) =>
            {
                NativeMemory::Address(self.pointer as u64)
            }
            _ => return Err(elsewhere()),
        };
        let len = self.shape.iter().product();
        if len == 0 {
            // Nobody reads it, and its address may be none.
            return device.room_for(self.element.kind, 0).raise(py);
        }
        // SAFETY: whoever has the array says that so many elements are there; it is kept as long as it is used.
        unsafe { device.import_of(self.element.kind, native, len) }.raise(py)
    }
}

/// An attribute, if there is one.
fn optional<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object.getattr(name) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// CUDA's own name of a stream: 0 for the one that protocols call 1.
fn in_cuda(stream: usize) -> usize {
    if stream == 1 { 0 } else { stream }
}

/// Whether elements lie side by side, the last index fastest.
pub(crate) fn are_packed(shape: &[usize], strides: &[i64]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut wanted = 1i64;
    for (extent, stride) in shape.iter().zip(strides).rev() {
        if *extent != 1 && *stride != wanted {
            return false;
        }
        wanted = wanted.saturating_mul(*extent as i64);
    }
    true
}

/// A capsule's tensor, and whether nobody may write it.
fn tensor(capsule: &Bound<'_, PyCapsule>) -> PyResult<(*const Tensor, bool)> {
    let versioned = capsule.pointer_checked(Some(VERSIONED));
    if let Ok(pointer) = versioned {
        let managed: *const ManagedVersioned = pointer.as_ptr().cast_const().cast();
        // SAFETY: what has this name begins with a version in all versions.
        let version = unsafe { (*managed).version };
        if version.major != 1 {
            return Err(PyBufferError::new_err(format!(
                "a tensor of DLPack {}.{}; 1 can be read",
                version.major, version.minor
            )));
        }
        // SAFETY: in version 1 it has this form.
        let (flags, tensor) = unsafe { ((*managed).flags, &raw const (*managed).tensor) };
        return Ok((tensor, flags & READ_ONLY != 0));
    }
    let pointer = capsule.pointer_checked(Some(PLAIN)).map_err(|_| {
        PyBufferError::new_err(
            "__dlpack__ gave a capsule that is no tensor, or one that somebody has used already",
        )
    })?;
    let managed: *const Managed = pointer.as_ptr().cast_const().cast();
    // SAFETY: what has this name has this form.
    Ok((unsafe { &raw const (*managed).tensor }, false))
}

/// Another library's array as one of ours, without a copy.
pub(crate) fn array(object: &Bound<'_, PyAny>, state: &Arc<State>) -> PyResult<Array> {
    let py = object.py();
    if let Ok(own) = object.cast::<Array>()
        && own.get().state.is(state)
    {
        return own.get().again(py);
    }
    let stream = state.stream();
    let Some(foreign) = Foreign::of(object, stream)? else {
        return Err(PyTypeError::new_err(format!(
            "an array of another library has __dlpack__ or __cuda_array_interface__; {} has neither",
            object.get_type().name()?
        )));
    };
    let memory = foreign.memory(py, state, &|| "the array".to_string())?;
    if let Some(stream) = foreign.stream {
        // What the library has enqueued comes before what is done with the array here.
        let ordered: runtime::Result<()> = py.detach(|| {
            let event = state.foreign_queue(stream)?.record()?;
            state.device.default_queue()?.wait_for(&event)
        });
        ordered.raise(py)?;
    }
    let keep = Keep::new(foreign.keep, Arc::clone(state));
    Ok(
        Array::new(memory, foreign.element, foreign.shape, Arc::clone(state))
            .kept(keep, foreign.writable),
    )
}

/// Another library's array as a device array, without a copy: of torch, CuPy, JAX, numba, numpy, or whatever has
/// ``__dlpack__`` or ``__cuda_array_interface__``. What that library has enqueued comes before what is done with it here.
///
/// The device is that of the array: ``openmp`` for the host's memory, ``cuda:N`` and ``hip:N`` for a GPU's.
///
/// Raises TypeError for what is no such array or has elements of a type that no kernel has (float16), ValueError where its
/// elements do not lie side by side, DeviceError where brook has not got the device.
#[pyfunction]
#[pyo3(name = "from_dlpack", signature = (array, /))]
pub(crate) fn from_dlpack(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Array> {
    let place = match HostArray::of(array)? {
        Some(_) => (dlpack::CPU, 0),
        None => match optional(array, "__dlpack_device__")? {
            Some(ask) => ask.call0()?.cast::<PyTuple>()?.extract()?,
            None => (dlpack::CUDA, 0),
        },
    };
    let name = match place {
        (dlpack::CPU | dlpack::CUDA_HOST, _) => "openmp:0".to_string(),
        (dlpack::CUDA | dlpack::CUDA_MANAGED, ordinal) => format!("cuda:{ordinal}"),
        (dlpack::ROCM, ordinal) => format!("hip:{ordinal}"),
        (kind, _) => {
            return Err(PyTypeError::new_err(format!(
                "memory of DLPack's device {kind} cannot be used"
            )));
        }
    };
    let state = py
        .detach(|| runtime::Device::open(&name).and_then(State::of))
        .raise(py)?;
    self::array(array, &state)
}
