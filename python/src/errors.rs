//! Exceptions, and what is wrong with sources as objects.

use brook::diagnostics::{Diagnostic as Message, Report, Severity, Style, to_human};
use brook::runtime;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

create_exception!(
    brook,
    Error,
    PyException,
    "What goes wrong in brook, but for wrong arguments: these are TypeError and ValueError."
);
create_exception!(
    brook,
    CompileError,
    Error,
    "A source has errors. `diagnostics` has all of them, in the order of the source; the message is what `brook check` prints."
);
create_exception!(
    brook,
    ToolchainError,
    Error,
    "A compiler or a library is missing, or the device's compiler has failed; its log is part of the message."
);
create_exception!(
    brook,
    DeviceError,
    Error,
    "A device is not there, has failed, or has not got enough memory."
);

/// Adds them to the module.
pub(crate) fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("Error", py.get_type::<Error>())?;
    m.add("CompileError", py.get_type::<CompileError>())?;
    m.add("ToolchainError", py.get_type::<ToolchainError>())?;
    m.add("DeviceError", py.get_type::<DeviceError>())?;
    m.add_class::<Diagnostic>()
}

/// An error or a warning of the translator: what is wrong, where, and how to mend it.
#[pyclass(frozen, module = "brook")]
pub(crate) struct Diagnostic {
    /// The stable code, such as ``OKL102``; ``brook.explain`` says more of it.
    #[pyo3(get)]
    code: &'static str,
    /// ``"error"`` or ``"warning"``.
    #[pyo3(get)]
    severity: &'static str,
    /// What is wrong, in one sentence.
    #[pyo3(get)]
    message: String,
    /// How to mend it, if that is known.
    #[pyo3(get)]
    help: Option<&'static str>,
    /// The file, as it was named; None for what concerns the whole translation.
    #[pyo3(get)]
    path: Option<String>,
    /// Begin and end of the place in the file, in bytes; the end is left out.
    #[pyo3(get)]
    span: Option<(u32, u32)>,
    /// The line, from 1 on.
    #[pyo3(get)]
    line: Option<usize>,
    /// The column, from 1 on.
    #[pyo3(get)]
    column: Option<usize>,
    /// The message as people read it: with the source's line, and a caret below the place.
    #[pyo3(get)]
    rendered: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        let at = match (&self.path, self.line, self.column) {
            (Some(path), Some(line), Some(column)) => format!(" at {path}:{line}:{column}"),
            _ => String::new(),
        };
        format!("<{} {}{at}: {}>", self.severity, self.code, self.message)
    }
}

impl Diagnostic {
    fn new(report: &Report, message: &Message) -> Self {
        let alone = Report {
            diagnostics: vec![message.clone()],
            files: report.files.clone(),
        };
        let file = message.location.and_then(|at| report.files.get(at.file));
        // What the file has as it lies on the disk, where ends of lines may be others.
        let span = message
            .location
            .zip(file)
            .map(|(at, file)| file.on_disk(at.span));
        let place = message
            .location
            .zip(file)
            .map(|(at, file)| file.line_column(at.span.start));
        Self {
            code: message.code.id,
            severity: match message.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: message.message.clone(),
            help: message.code.help,
            path: file.map(|file| file.name.clone()),
            span: span.map(|span| (span.start, span.end)),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            rendered: to_human(&alone, Style::Plain).trim_end().to_string(),
        }
    }
}

/// What a report has, for Python.
pub(crate) fn diagnostics<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyTuple>> {
    let shown = report.diagnostics.iter().filter(|d| !d.follows);
    let all: Vec<Diagnostic> = shown.map(|d| Diagnostic::new(report, d)).collect();
    PyTuple::new(py, all)
}

/// What is wrong with a source, as an exception.
pub(crate) fn wrong_source(py: Python<'_>, report: &Report) -> PyErr {
    let error = CompileError::new_err(report.to_string().trim_end().to_string());
    let told = diagnostics(py, report).and_then(|all| error.value(py).setattr("diagnostics", all));
    match told {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// The runtime's errors as Python's.
pub(crate) fn raised(py: Python<'_>, error: runtime::Error) -> PyErr {
    let message = error.to_string();
    match error {
        runtime::Error::Source(report) => wrong_source(py, &report),
        runtime::Error::Toolchain(_) => ToolchainError::new_err(message),
        runtime::Error::Device(_) | runtime::Error::NoDevice(_) => DeviceError::new_err(message),
        runtime::Error::Argument(_) => PyValueError::new_err(message),
        runtime::Error::Io { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(message)
        }
        runtime::Error::Io { .. } => PyOSError::new_err(message),
    }
}

/// Results of the runtime as Python's.
pub(crate) trait Raise<T> {
    /// The value, or the exception.
    fn raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> Raise<T> for runtime::Result<T> {
    fn raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, error))
    }
}
