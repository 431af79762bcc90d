//! What is known about a device before it is opened.

use brook::runtime::{DeviceEntry, DeviceKind};
use pyo3::prelude::*;

/// A device that could be opened, or a driver that has none.
#[pyclass(frozen, module = "brook")]
pub(crate) struct DeviceInfo {
    /// The name that ``brook.Device`` takes: ``cuda:0``.
    #[pyo3(get)]
    name: String,
    /// The vendor's name for it; None where the driver could not be loaded.
    #[pyo3(get)]
    description: Option<String>,
    /// ``"gpu"``, ``"cpu"`` or ``"accelerator"``.
    #[pyo3(get)]
    kind: Option<&'static str>,
    /// Multiprocessors, compute units or threads.
    #[pyo3(get)]
    units: Option<u32>,
    /// Device memory in bytes, where the vendor says it.
    #[pyo3(get)]
    memory: Option<u64>,
    /// What code is generated for: ``sm_90``, or the processor's name.
    #[pyo3(get)]
    architecture: Option<String>,
    /// The compiler with its version.
    #[pyo3(get)]
    compiler: Option<String>,
    /// Why it cannot be used, or why nothing can be built for it; None where all is well.
    #[pyo3(get)]
    problem: Option<String>,
}

impl DeviceInfo {
    pub(crate) fn new(entry: DeviceEntry) -> Self {
        let name = entry.name;
        match entry.info {
            Err(problem) => Self {
                name,
                description: None,
                kind: None,
                units: None,
                memory: None,
                architecture: None,
                compiler: None,
                problem: Some(problem),
            },
            Ok(info) => {
                let (compiler, problem) = match info.compiler {
                    Ok(compiler) => (Some(compiler), None),
                    Err(problem) => (None, Some(problem)),
                };
                Self {
                    name,
                    description: Some(info.name),
                    kind: Some(match info.kind {
                        DeviceKind::Gpu => "gpu",
                        DeviceKind::Cpu => "cpu",
                        DeviceKind::Accelerator => "accelerator",
                    }),
                    units: Some(info.units),
                    memory: info.memory,
                    architecture: Some(info.architecture),
                    compiler,
                    problem,
                }
            }
        }
    }
}

#[pymethods]
impl DeviceInfo {
    fn __repr__(&self) -> String {
        match (&self.description, &self.problem) {
            (Some(description), None) => format!("<{}: {description}>", self.name),
            (Some(description), Some(problem)) => {
                format!("<{}: {description}, {problem}>", self.name)
            }
            (None, problem) => format!(
                "<{}: {}>",
                self.name,
                problem.as_deref().unwrap_or("unknown")
            ),
        }
    }
}
