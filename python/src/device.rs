//! Devices.

use crate::array::Array;
use crate::device_info::DeviceInfo;
use crate::element::ElementType;
use crate::errors::Raise;
use crate::foreign;
use crate::host::packed;
use crate::index;
use crate::options::{self, Recipe};
use crate::pinned;
use crate::program::Program;
use crate::queue::Queue;
use crate::sequence::Recorder;
use crate::state::State;
use crate::stream::Stream;
use brook::Source;
use brook::runtime::{self, IntoSource};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// A device, open and ready: ``brook.Device("cuda:0")``. The name is a driver's (``cuda``, ``hip``, ``opencl``, ``openmp``,
/// ``sycl``, ``metal``) and a number, 0 if it is left out; without a name it is what ``BROOK_DEVICE`` says, else the best there is.
///
/// Two of the same name are the same device.
///
/// Raises DeviceError where there is none; the message says which there are.
#[pyclass(frozen, weakref, eq, hash, module = "brook")]
pub(crate) struct Device {
    pub(crate) state: Arc<State>,
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        self.state.is(&other.state)
    }
}

impl std::hash::Hash for Device {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.state.device.name().hash(hasher);
    }
}

impl Device {
    pub(crate) fn of(state: Arc<State>) -> Self {
        Self { state }
    }

    fn build_recipe(&self, py: Python<'_>, recipe: Recipe) -> PyResult<Program> {
        let device = &self.state.device;
        let built = py.detach(|| device.build(&recipe.source, &recipe.build));
        // An interrupt ends the device's compiler, too, where that is a process.
        py.check_signals()?;
        let program = built.raise(py)?;
        Ok(Program::new(
            program,
            Arc::clone(&self.state),
            Some(Arc::new(recipe)),
        ))
    }

    fn room(
        &self,
        py: Python<'_>,
        element: ElementType,
        shape: Vec<usize>,
        zeros: bool,
    ) -> PyResult<Array> {
        let len = index::count(&shape, element.size())?;
        let (device, kind) = (&self.state.device, element.kind);
        let memory = py.detach(|| match zeros {
            true => device.zeros_of(kind, len),
            false => device.room_for(kind, len),
        });
        Ok(Array::new(
            memory.raise(py)?,
            element,
            shape,
            Arc::clone(&self.state),
        ))
    }
}

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (name = None, /))]
    fn open(py: Python<'_>, name: Option<&str>) -> PyResult<Self> {
        let opened = py.detach(|| {
            let device = match name {
                Some(name) => runtime::Device::open(name),
                None => runtime::Device::detect(),
            };
            device.and_then(State::of)
        });
        Ok(Self::of(opened.raise(py)?))
    }

    /// Its name: ``cuda:0``.
    #[getter]
    fn name(&self) -> &str {
        self.state.device.name()
    }

    /// The backend that kernels are translated for: ``"cuda"``.
    #[getter]
    fn backend(&self) -> &str {
        &self.state.device.backend().name
    }

    /// What is known about it.
    #[getter]
    fn info(&self) -> DeviceInfo {
        DeviceInfo::new(runtime::DeviceEntry {
            name: self.state.device.name().to_string(),
            info: Ok(self.state.device.info().clone()),
        })
    }

    fn __repr__(&self) -> String {
        format!("brook.Device({:?})", self.state.device.name())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let name = slf.get().state.device.name().to_string();
        Ok((slf.get_type().into_any().unbind(), (name,)))
    }

    /// Builds the source in a file: OKL, or Brook+ where its name ends in ``.br``. Keyword arguments are macros (``BLOCK=256``), but for
    ///
    /// - ``include``: folders in which includes are searched, after the source's own
    /// - ``math``: ``"default"``, ``"strict"`` (no contraction), ``"fast"``
    /// - ``flags``, ``standard``: for the device's compiler
    /// - ``cache``: whether to use the kernel cache
    /// - ``instantiate``: kernels wanted of templates, ``"add<float>"``
    /// - ``relaxed``: Brook+'s ``-a``: operands of different types are converted
    /// - ``defines``: a dict of macros, for those with such a name
    ///
    /// Raises CompileError where the source has errors, ToolchainError where a compiler is missing or fails, FileNotFoundError.
    #[pyo3(signature = (path, /, **options))]
    fn build(
        &self,
        py: Python<'_>,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Program> {
        let source = py.detach(|| {
            Source::file(path)
                .into_source()
                .map(|s| std::borrow::Borrow::<Source>::borrow(&s).clone())
        });
        let recipe = Recipe::new(source.raise(py)?, options)?;
        self.build_recipe(py, recipe)
    }

    /// Builds a source: ``build`` says which options there are. ``language`` is ``"okl"`` or ``"brook"``; without it the name tells.
    #[pyo3(signature = (text, /, *, name = "source.okl", language = None, **options))]
    fn build_source(
        &self,
        py: Python<'_>,
        text: &str,
        name: &str,
        language: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Program> {
        let recipe = Recipe::new(options::source(name, text, language)?, options)?;
        self.build_recipe(py, recipe)
    }

    /// Loads what `brook compile` has compiled ahead of time.
    #[pyo3(signature = (path, /))]
    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<Program> {
        let device = &self.state.device;
        let program = py.detach(|| brook::Program::load(device, path)).raise(py)?;
        Ok(Program::new(program, Arc::clone(&self.state), None))
    }

    /// An array on the device with the elements of another: whatever numpy.asarray takes, a device array, or an array of
    /// torch, CuPy or JAX. ``copy=False`` uses the other's memory, where the device can (``brook.from_dlpack``).
    ///
    /// Raises TypeError for elements that no kernel has, such as objects and float16.
    #[pyo3(signature = (source, /, dtype = None, *, copy = true))]
    fn array(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        copy: bool,
    ) -> PyResult<Array> {
        if !copy {
            if dtype.is_some() {
                return Err(PyTypeError::new_err(
                    "with copy=False elements stay as they are: leave dtype out",
                ));
            }
            return foreign::array(source, &self.state);
        }
        if dtype.is_none()
            && let Some(known) = crate::transfer::on_a_device(source)?
        {
            let made = self.room(py, known.element.again(py), known.shape.clone(), false)?;
            crate::transfer::between(py, &made, &known, None)?;
            return Ok(made);
        }
        let (host, described) = packed(py, source, dtype)?;
        let made = self.room(py, described.element, described.shape, false)?;
        crate::transfer::copy_from(&made, &host, None)?;
        Ok(made)
    }

    /// An array of elements that nobody has written.
    #[pyo3(signature = (shape, dtype = None))]
    fn empty(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Array> {
        self.room(py, element_of(py, dtype)?, index::shape(shape)?, false)
    }

    /// An array of zeros.
    #[pyo3(signature = (shape, dtype = None))]
    fn zeros(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Array> {
        self.room(py, element_of(py, dtype)?, index::shape(shape)?, true)
    }

    /// A numpy.ndarray of zeros in memory that the device copies from and to without a detour, which is what copies on queues
    /// want. It lives as long as the array, and views of it.
    #[pyo3(signature = (shape, dtype = None))]
    fn pinned<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let element = element_of(py, dtype)?;
        pinned::array(py, &self.state, &element, index::shape(shape)?)
    }

    /// A stream of Brook+ of zeros. ``element`` is its type: ``"float"``, ``"float4"``, ``"bytes:20"``, or a dtype; the shape has one to four
    /// dimensions, slowest first.
    #[pyo3(signature = (shape, element = None))]
    fn stream(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        element: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Stream> {
        Stream::zeros(py, &self.state, index::shape(shape)?, element)
    }

    /// A stream with the elements of an array; with ``element="float4"`` the array's last dimension is 4.
    #[pyo3(signature = (source, element = None))]
    fn stream_of(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        element: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Stream> {
        Stream::of_array(py, &self.state, source, element)
    }

    /// A queue: launches and copies given to it are done one after the other, beside those of other queues.
    fn queue(&self, py: Python<'_>) -> PyResult<Queue> {
        let queue = py.detach(|| self.state.device.queue()).raise(py)?;
        Ok(Queue::new(queue, Arc::clone(&self.state)))
    }

    /// What is launched and copied within ``with device.record() as work:`` is recorded in ``work`` instead of done:
    /// ``work.launch(kernel, …)``, ``work.copy(to, from)``. ``work.sequence`` replays it.
    fn record(&self) -> Recorder {
        Recorder::new(Arc::clone(&self.state))
    }

    /// Waits for everything launched so far, in all queues.
    ///
    /// Raises DeviceError for what has failed in it.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.state.synchronize(py)
    }
}

fn element_of(py: Python<'_>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<ElementType> {
    match dtype {
        Some(dtype) => ElementType::of(py, dtype),
        None => Ok(ElementType::number(brook::expr::Scalar::Float)),
    }
}

/// All devices of all drivers, in the order in which one is chosen; a driver that finds none says why (``problem``).
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> Vec<DeviceInfo> {
    let all = py.detach(runtime::list);
    all.into_iter().map(DeviceInfo::new).collect()
}
