//! Programs: what a source was built into.

use crate::device::Device;
use crate::errors::Raise;
use crate::kernel::Kernel;
use crate::options::Recipe;
use crate::state::{State, lock};
use brook::runtime;
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// What a source was built into for a device. Kernels are its attributes: ``program.scale``; ``program["add<float>"]`` is one of a
/// template, and any whose name is that of an attribute.
#[pyclass(frozen, weakref, module = "brook")]
pub(crate) struct Program {
    program: runtime::Program,
    state: Arc<State>,
    recipe: Option<Arc<Recipe>>,
    /// Kernels that were asked for.
    known: Mutex<HashMap<String, Py<Kernel>>>,
}

impl Program {
    pub(crate) fn new(
        program: runtime::Program,
        state: Arc<State>,
        recipe: Option<Arc<Recipe>>,
    ) -> Self {
        Self {
            program,
            state,
            recipe,
            known: Mutex::default(),
        }
    }

    fn names(&self) -> Vec<&str> {
        let all = self.program.metadata();
        let kernels = all.kernels.iter().map(|k| k.name.as_str());
        kernels
            .chain(all.templates.iter().map(|t| t.name.as_str()))
            .collect()
    }

    fn kernel(&self, py: Python<'_>, name: &str) -> PyResult<Py<Kernel>> {
        if let Some(kernel) = lock(&self.known).get(name) {
            return Ok(kernel.clone_ref(py));
        }
        // One of a template may have to be built.
        let kernel = py.detach(|| self.program.kernel(name)).raise(py)?;
        let kernel = Py::new(
            py,
            Kernel::new(kernel, Arc::clone(&self.state), self.recipe.clone()),
        )?;
        let mut known = lock(&self.known);
        Ok(known
            .entry(name.to_string())
            .or_insert(kernel)
            .clone_ref(py))
    }
}

#[pymethods]
impl Program {
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<Kernel>> {
        if self.names().contains(&name) {
            return self.kernel(py, name);
        }
        let meant = brook::diagnostics::did_you_mean(name, self.names());
        Err(PyAttributeError::new_err(format!(
            "there is no kernel '{name}'{meant}; the source has: {}",
            self.names().join(", ")
        )))
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<Kernel>> {
        let is_template = name.contains('<');
        match is_template || self.names().contains(&name) {
            true => self.kernel(py, name),
            false => Err(PyKeyError::new_err(name.to_string())),
        }
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.extract::<String>();
        name.is_ok_and(|name| self.names().contains(&name.as_str()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyTuple::new(py, self.names())?.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.names().len()
    }

    fn __dir__<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<String>> {
        let py = slf.py();
        let class = slf.get_type();
        let mut names: Vec<String> = py
            .import("builtins")?
            .call_method1("dir", (class,))?
            .extract()?;
        names.extend(slf.get().names().into_iter().map(str::to_string));
        Ok(names)
    }

    /// The names of its kernels.
    #[getter]
    fn kernels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.names())
    }

    /// The device that it was built for.
    #[getter]
    fn device(&self) -> Device {
        Device::of(Arc::clone(&self.state))
    }

    /// The translator's warnings as text; None if there are none, or the program came from the cache.
    #[getter]
    fn warnings(&self) -> Option<&str> {
        self.program.warnings()
    }

    /// Whether neither translator nor compiler had to run.
    #[getter(from_cache)]
    fn is_from_cache(&self) -> bool {
        self.program.from_cache()
    }

    fn __repr__(&self) -> String {
        format!(
            "<brook.Program {} on {}>",
            self.names().join(", "),
            self.state.device.name()
        )
    }
}
