//! Kernels and their launches.

use crate::arguments::{Arguments, Slot};
use crate::call;
use crate::device::Device;
use crate::errors::Raise;
use crate::options::{Recipe, c_name};
use crate::parameter::{Parameter, Wanted, wanted};
use crate::queue::Queue;
use crate::state::State;
use crate::tools;
use brook::metadata::{Form, ParameterMetadata, Role};
use brook::runtime::{self, KernelArgument};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple, PyType};
use std::sync::Arc;
use std::time::Instant;

/// A kernel, ready to be called.
///
/// Of OKL, arguments are numbers, structures and arrays, in the order of the source: device arrays, arrays of torch, CuPy, JAX
/// and numba that are on the kernel's device, and on the processor numpy's. Of Brook+ they are streams or such arrays; without
/// its last arguments, which it writes, a kernel makes them and returns them.
///
/// A call may return before the kernel has ended: what reads its results waits for it. With ``queue`` it is in the order of
/// that queue. A template is called as any other kernel; arrays say what its types are.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Kernel {
    pub(crate) kernel: runtime::Kernel,
    pub(crate) state: Arc<State>,
    pub(crate) wanted: Vec<Wanted>,
    recipe: Option<Arc<Recipe>>,
    pub(crate) is_okl: bool,
    /// Whether it is a template's.
    pub(crate) template: bool,
}

impl Kernel {
    pub(crate) fn new(
        kernel: runtime::Kernel,
        state: Arc<State>,
        recipe: Option<Arc<Recipe>>,
    ) -> Self {
        Self {
            wanted: wanted(&kernel),
            template: kernel.template().is_some(),
            is_okl: kernel.metadata().form == Form::Okl,
            kernel,
            state,
            recipe,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.kernel.metadata().name
    }

    fn launch(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyTuple>,
        queue: Option<&Queue>,
    ) -> PyResult<()> {
        let state = &self.state;
        if let Some(queue) = queue {
            queue.check(state, self.name())?;
        }
        let stream = match queue {
            Some(queue) => queue.stream(),
            None => state.stream(),
        };
        let mut arguments = Arguments::new(self, given, stream)?;
        let (kernel, slots) = (&self.kernel, &arguments.slots);
        let (streams, own) = (&arguments.streams, arguments.own);
        let launched: runtime::Result<()> = match (queue, streams.is_empty()) {
            (None, true) => py.detach(|| {
                let list: Vec<KernelArgument<'_>> = slots.iter().map(|s| s.lent()).collect();
                // SAFETY: kernels of OKL are trusted as functions of C are; the page says so.
                unsafe { kernel.launch(&list) }
            }),
            _ => py.detach(|| {
                let list: Vec<KernelArgument<'_>> = slots.iter().map(|s| s.lent()).collect();
                in_order(state, kernel, &list, queue, streams, own)
            }),
        };
        // What is done when the call returns needs no objects.
        let later = queue.is_some() || !state.is_host;
        if later && !(arguments.objects.is_empty() && arguments.kept.is_empty()) {
            self.hold(py, queue, &mut arguments)?;
        }
        launched.raise(py)
    }

    /// Keeps other libraries' arrays until the kernel has ended.
    fn hold(
        &self,
        py: Python<'_>,
        queue: Option<&Queue>,
        arguments: &mut Arguments,
    ) -> PyResult<()> {
        let state = &self.state;
        let event = match queue {
            Some(queue) => py.detach(|| queue.queue.record()),
            None => py.detach(|| state.device.default_queue()?.record()),
        };
        let objects = std::mem::take(&mut arguments.objects);
        let kept = std::mem::take(&mut arguments.kept);
        state.hold(event.raise(py)?, objects, kept);
        Ok(())
    }
}

/// A launch over arrays of other libraries, in the order of the streams that those use now.
fn in_order(
    state: &State,
    kernel: &runtime::Kernel,
    list: &[KernelArgument<'_>],
    queue: Option<&Queue>,
    streams: &[usize],
    own: bool,
) -> runtime::Result<()> {
    if let (None, false, [only]) = (queue, own, streams) {
        let stream = state.foreign_queue(*only)?;
        state.lend();
        // SAFETY: as of every launch.
        return unsafe { kernel.launch_on(&stream, list) };
    }
    let target = match queue {
        Some(queue) => queue.queue.clone(),
        None => state.device.default_queue()?,
    };
    for stream in streams {
        target.wait_for(&state.foreign_queue(*stream)?.record()?)?;
    }
    // SAFETY: as of every launch.
    unsafe { kernel.launch_on(&target, list) }?;
    if !streams.is_empty() {
        let done = target.record()?;
        for stream in streams {
            state.foreign_queue(*stream)?.wait_for(&done)?;
        }
    }
    Ok(())
}

/// Of a kernel of OKL.
pub(crate) fn no_domain() -> PyErr {
    PyTypeError::new_err("only kernels of Brook+ have a domain")
}

#[pymethods]
impl Kernel {
    /// Its name in the source.
    #[getter(name)]
    fn name_of(&self) -> &str {
        self.name()
    }

    /// The device that it runs on.
    #[getter]
    fn device(&self) -> Device {
        Device::of(Arc::clone(&self.state))
    }

    /// What it takes, in order.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let all = &self.kernel.metadata().parameters;
        PyTuple::new(py, all.iter().map(Parameter::new).collect::<Vec<_>>())
    }

    /// Names of the parameters that it has as a template; none of other kernels.
    #[getter]
    fn template<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let template = self.kernel.template();
        let names = template.map(|t| t.parameters.iter().map(|p| p.name.as_str()));
        PyTuple::new(py, names.into_iter().flatten().collect::<Vec<_>>())
    }

    #[getter]
    fn __name__(&self) -> &str {
        self.name()
    }

    /// Its parameters, as they are declared.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let parameter = inspect.getattr("Parameter")?;
        let kind = parameter.getattr("POSITIONAL_ONLY")?;
        let all = self
            .wanted
            .iter()
            .map(|w| parameter.call1((&w.name, &kind)));
        inspect.call_method1("Signature", (all.collect::<PyResult<Vec<_>>>()?,))
    }

    fn __repr__(&self) -> String {
        let all = self.kernel.metadata().parameters.iter();
        let star = |p: &ParameterMetadata| if p.role == Role::Buffer { "*" } else { "" };
        let parameters: Vec<String> = all
            .map(|p| format!("{} {}{}", p.type_name, star(p), p.name))
            .collect();
        format!(
            "<brook.Kernel {}({}) on {}>",
            self.name(),
            parameters.join(", "),
            self.state.device.name()
        )
    }

    /// Launches it.
    ///
    /// Raises TypeError and ValueError for arguments that do not fit, naming the parameter; DeviceError where the device fails.
    #[pyo3(signature = (*arguments, queue = None, domain = None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        queue: Option<&Queue>,
        domain: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if !self.is_okl {
            if queue.is_some() {
                return Err(PyTypeError::new_err(format!(
                    "kernel '{}' of Brook+ takes no queue: its streams are in the order of their device",
                    self.name()
                )));
            }
            return call::call(py, self, arguments, domain);
        }
        if domain.is_some() {
            return Err(no_domain());
        }
        self.launch(py, arguments, queue)?;
        Ok(py.None())
    }

    /// The kernel of a template with some of the template's arguments: ``scale.instantiate(T=numpy.float32, N=4)``. What is not
    /// given is deduced at each call.
    #[pyo3(signature = (**arguments))]
    fn instantiate(&self, py: Python<'_>, arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut kernel = self.kernel.clone();
        for (name, value) in arguments.into_iter().flat_map(|a| a.iter()) {
            let name: String = name.extract()?;
            let is_type = value.is_instance_of::<PyType>()
                || value.is_instance(crate::element::dtype_type(py)?)?;
            let text: String = match value.is_instance_of::<PyString>() {
                true => value.extract()?,
                false if is_type => c_name(&value)?,
                false if value.is_instance_of::<PyBool>() => value.is_truthy()?.to_string(),
                false => value.str()?.extract()?,
            };
            kernel = kernel.with(&name, text).raise(py)?;
        }
        Ok(Self::new(
            kernel,
            Arc::clone(&self.state),
            self.recipe.clone(),
        ))
    }

    /// The source that its program becomes for a backend (``"cuda"``, ``"hip"``, ``"opencl"``, ``"openmp"``, ``"sycl"``, ``"metal"``);
    /// without one, for its own device.
    #[pyo3(signature = (backend = None))]
    fn source(&self, py: Python<'_>, backend: Option<&str>) -> PyResult<String> {
        let recipe = self.recipe()?;
        let backend = match backend {
            Some(name) => name,
            None => &self.state.device.backend().name,
        };
        tools::device_source(py, recipe, backend)
    }

    /// The text that it was built from.
    #[getter]
    fn text(&self) -> PyResult<String> {
        Ok(String::from_utf8_lossy(&self.recipe()?.source.text).into_owned())
    }

    /// What is known of it, in lines: parameters, and what is launched: how many groups of how many items.
    fn explain(&self, py: Python<'_>) -> String {
        tools::explanation(py, &self.kernel, self.recipe.as_deref())
    }

    /// For notebooks: the source, and what it becomes for every backend, side by side.
    fn show<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("brook.html")?.call_method1("show", (slf,))
    }

    /// What notebooks show of it.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("brook.html")?
            .call_method1("summary", (slf,))
    }

    /// The same kernel for another device: built from the same source, with the same options.
    fn on(&self, py: Python<'_>, device: &Device) -> PyResult<Self> {
        let state = Arc::clone(&device.state);
        let recipe = self.recipe()?.clone();
        let name = self.name().to_string();
        let built = py.detach(|| {
            state
                .device
                .build(&recipe.source, &recipe.build)?
                .kernel(&name)
        });
        Ok(Self::new(built.raise(py)?, state, Some(Arc::new(recipe))))
    }

    /// Seconds that so many launches with the same arguments take in Rust, for who measures what Python adds to them.
    #[pyo3(signature = (count, /, *arguments))]
    fn _seconds(
        &self,
        py: Python<'_>,
        count: u32,
        arguments: &Bound<'_, PyTuple>,
    ) -> PyResult<f64> {
        let arguments = Arguments::new(self, arguments, self.state.stream())?;
        let slots = &arguments.slots;
        let taken = py.detach(|| {
            let start = Instant::now();
            for _ in 0..count {
                let list: Vec<KernelArgument<'_>> = slots.iter().map(Slot::lent).collect();
                // SAFETY: as of every launch.
                unsafe { self.kernel.launch(&list) }?;
            }
            Ok(start.elapsed().as_secs_f64())
        });
        taken.raise(py)
    }

    /// ``"okl"`` or ``"brook"``.
    #[getter]
    fn _language(&self) -> &'static str {
        if self.is_okl { "okl" } else { "brook" }
    }
}

impl Kernel {
    pub(crate) fn recipe(&self) -> PyResult<&Recipe> {
        self.recipe.as_deref().ok_or_else(|| {
            PyTypeError::new_err(format!(
                "kernel '{}' was compiled ahead of time: there is no source",
                self.name()
            ))
        })
    }
}
