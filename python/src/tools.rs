//! Translation without a device, and what is known of kernels.

use crate::errors::{Raise, diagnostics, wrong_source};
use crate::options::{self, Recipe};
use crate::parameter::role;
use brook::backend::{Backend, Model};
use brook::diagnostics::Severity;
use brook::metadata::KernelMetadata;
use brook::module::Statement;
use brook::runtime;
use brook::source::FileLoader;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt::Write;

/// What a source becomes for a backend.
#[pyclass(frozen, module = "brook")]
pub(crate) struct Translation {
    /// The backend's name.
    #[pyo3(get)]
    backend: String,
    /// Source for the device's compiler.
    #[pyo3(get)]
    device: String,
    /// C++ that launches the kernels without brook, where the backend has it.
    #[pyo3(get)]
    launcher: Option<String>,
    /// The host's half of a Brook+ program, as C++.
    #[pyo3(get)]
    host: Option<String>,
    /// Everything that a launch needs to know, as JSON.
    #[pyo3(get)]
    metadata_json: String,
    /// The files that were read besides the source.
    #[pyo3(get)]
    dependencies: Vec<String>,
    /// Warnings, a tuple of Diagnostic.
    #[pyo3(get)]
    warnings: Py<PyTuple>,
}

#[pymethods]
impl Translation {
    /// Everything that a launch needs to know: the same as a dict.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?
            .call_method1("loads", (&self.metadata_json,))
    }

    fn __str__(&self) -> &str {
        &self.device
    }

    fn __repr__(&self) -> String {
        format!(
            "<brook.Translation for {}: {} lines>",
            self.backend,
            self.device.lines().count()
        )
    }
}

fn backend(py: Python<'_>, name: &str) -> PyResult<Backend> {
    Backend::built_in(name)
        .map_err(runtime::Error::from)
        .raise(py)
}

fn translate(py: Python<'_>, recipe: &Recipe, backend: &Backend) -> PyResult<brook::Translation> {
    let (source, options) = (&recipe.source, &recipe.options);
    py.detach(|| brook::transpile(source, backend, options, &FileLoader))
        .map_err(|report| wrong_source(py, &report))
}

/// Translates a source for a backend: ``"cuda"``, ``"hip"``, ``"opencl"``, ``"openmp"``, ``"sycl"``, ``"metal"``. Other arguments are those of
/// ``Device.build_source``.
///
/// Raises CompileError where the source has errors, ValueError for a backend that there is not.
#[pyfunction]
#[pyo3(signature = (text, backend, /, *, name = "source.okl", language = None, **options))]
pub(crate) fn transpile(
    py: Python<'_>,
    text: &str,
    backend: &str,
    name: &str,
    language: Option<&str>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Translation> {
    let recipe = Recipe::new(options::source(name, text, language)?, options)?;
    let made = translate(py, &recipe, &self::backend(py, backend)?)?;
    Ok(Translation {
        metadata_json: made.metadata.to_json(),
        warnings: diagnostics(py, &made.warnings)?.unbind(),
        backend: made.backend,
        device: made.device,
        launcher: made.launcher,
        host: made.host,
        dependencies: made.dependencies,
    })
}

/// What is wrong with a source, and what deserves a look: all of it, in the order of the source. Nothing is raised for it.
#[pyfunction]
#[pyo3(signature = (text, /, *, backend = "cuda", name = "source.okl", language = None, **options))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    text: &str,
    backend: &str,
    name: &str,
    language: Option<&str>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let recipe = Recipe::new(options::source(name, text, language)?, options)?;
    let backend = self::backend(py, backend)?;
    let (source, options) = (&recipe.source, &recipe.options);
    let report = py.detach(|| brook::check(source, &backend, options, &FileLoader));
    match report {
        Ok(report) => diagnostics(py, &report),
        Err(report) => diagnostics(py, &report),
    }
}

/// The text with attributes and streams in the one form that C++ and C have for them: ``[[okl_…("…")]]``.
///
/// Raises CompileError for comments and strings without an end.
#[pyfunction]
#[pyo3(signature = (text, /, *, name = "source.okl", language = None))]
pub(crate) fn normalize(
    py: Python<'_>,
    text: &str,
    name: &str,
    language: Option<&str>,
) -> PyResult<String> {
    let source = options::source(name, text, language)?;
    let report = brook::lexical_errors(&source);
    let wrong = report
        .diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error);
    match wrong {
        true => Err(wrong_source(py, &report)),
        false => Ok(py.detach(|| brook::normalize(text, source.dialect).0)),
    }
}

/// The names of all backends.
#[pyfunction]
pub(crate) fn backends() -> Vec<&'static str> {
    Backend::names()
}

/// What a code of a diagnostic means, and how to mend it, as `brook explain` says.
///
/// Raises KeyError for a code that there is not.
#[pyfunction]
#[pyo3(signature = (code, /))]
pub(crate) fn explain(code: &str) -> PyResult<String> {
    let found = brook::diagnostics::find(code);
    match found.as_slice() {
        [] => Err(PyKeyError::new_err(code.to_string())),
        all => Ok(all
            .iter()
            .map(|code| brook::diagnostics::explain(code))
            .collect()),
    }
}

/// [`Kernel::source`](crate::kernel::Kernel).
pub(crate) fn device_source(py: Python<'_>, recipe: &Recipe, name: &str) -> PyResult<String> {
    if !Backend::names().contains(&name) {
        return Err(PyValueError::new_err(format!(
            "there is no backend '{name}'; there are: {}",
            Backend::names().join(", ")
        )));
    }
    let mut recipe = recipe.clone();
    recipe.options.templates_later = true;
    translate(py, &recipe, &backend(py, name)?).map(|made| made.device)
}

/// [`Kernel::explain`](crate::kernel::Kernel).
pub(crate) fn explanation(
    py: Python<'_>,
    kernel: &runtime::Kernel,
    recipe: Option<&Recipe>,
) -> String {
    let metadata = kernel.metadata();
    let device = kernel.program().device();
    let mut out = String::new();
    // A String cannot fail to be written to.
    let _ = writeln!(out, "kernel {} on {}", metadata.name, device.name());
    if let Some(template) = kernel.template() {
        let _ = writeln!(
            out,
            "  template {}: built for the types of each call's arguments",
            template.describe()
        );
    }
    for p in &metadata.parameters {
        let constant = if p.constant { "const " } else { "" };
        let extents: String = p.extents.iter().map(|n| format!("[{n}]")).collect();
        let _ = write!(
            out,
            "  {} {constant}{} {}{extents}",
            role(p.role),
            p.type_name,
            p.name
        );
        let _ = match p.bytes {
            Some(bytes) => writeln!(out, ", {bytes} bytes"),
            None => writeln!(out),
        };
    }
    if device.backend().model == Model::Simt {
        let _ = writeln!(out, "{}", form(metadata));
        statements(&metadata.host, 1, &mut out);
        return out.trim_end().to_string();
    }
    let _ = writeln!(out, "loops of the processor, in one call");
    // What a GPU would run tells more of the kernel.
    let elsewhere = recipe.and_then(|recipe| {
        let mut recipe = recipe.clone();
        recipe.options.templates_later = true;
        translate(py, &recipe, &Backend::built_in("cuda").ok()?).ok()
    });
    let same = elsewhere
        .iter()
        .flat_map(|t| &t.metadata.kernels)
        .find(|k| k.name == metadata.name);
    if let Some(same) = same {
        let _ = writeln!(out, "on a GPU (cuda) {}", form(same));
        statements(&same.host, 1, &mut out);
    }
    out.trim_end().to_string()
}

fn form(metadata: &KernelMetadata) -> &'static str {
    use brook::metadata::Form;
    match metadata.form {
        Form::Okl => "launches",
        Form::Map => "launches for each element of its outputs",
        Form::Reduce => "launches that fold its input",
        Form::Vout => "launches that push into variable outputs",
    }
}

fn statements(all: &[Statement], depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for statement in all {
        let _ = match statement {
            Statement::Launch(launch) => {
                let axes = |all: &[brook::expr::Expr; 3]| {
                    let texts: Vec<String> = all.iter().map(ToString::to_string).collect();
                    let used = texts.iter().rposition(|t| t != "1").unwrap_or(0);
                    texts[..=used].join(" x ")
                };
                let text = match launch
                    .groups
                    .iter()
                    .chain(&launch.items)
                    .all(|e| e.to_string() == "1")
                {
                    true => format!("{indent}call {}", launch.kernel),
                    false => format!(
                        "{indent}launch {}: {} groups of {} items",
                        launch.kernel,
                        axes(&launch.groups),
                        axes(&launch.items)
                    ),
                };
                writeln!(out, "{text}")
            }
            Statement::Declare {
                name,
                scalar,
                value,
            } => {
                let value = value.as_ref().map_or("0".to_string(), ToString::to_string);
                writeln!(out, "{indent}{} {name} = {value}", scalar.c_name())
            }
            Statement::Assign { name, value } => writeln!(out, "{indent}{name} = {value}"),
            Statement::Block(body) => {
                statements(body, depth, out);
                Ok(())
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let _ = writeln!(out, "{indent}if {condition}");
                statements(then, depth + 1, out);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{indent}else");
                    statements(otherwise, depth + 1, out);
                }
                Ok(())
            }
            Statement::Loop {
                condition, body, ..
            } => {
                let _ = writeln!(out, "{indent}while {condition}");
                statements(body, depth + 1, out);
                Ok(())
            }
            Statement::Switch { value, cases } => {
                let _ = writeln!(out, "{indent}switch {value}");
                for case in cases {
                    statements(&case.body, depth + 1, out);
                }
                Ok(())
            }
            Statement::Return => writeln!(out, "{indent}return"),
            _ => Ok(()),
        };
    }
}
