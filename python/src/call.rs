//! Calls of Brook+ kernels over streams and arrays.

use crate::array::Keep;
use crate::domain::execution_domain;
use crate::errors::Raise;
use crate::kernel::Kernel;
use crate::state::State;
use brook::expr::Scalar;
use brook::metadata::{ParameterMetadata, Role};
use brook::runtime::{self, DynStream, ExecutionDomain, StreamArgument};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// An argument, ready for a call.
pub(crate) enum Given {
    Stream(DynStream),
    Growing(DynStream),
    Value(Scalar, Vec<u8>),
    Variable(Scalar, Vec<u8>),
    Array(Scalar, Vec<u32>, Vec<u8>),
}

impl Given {
    fn lent(&mut self) -> StreamArgument<'_> {
        match self {
            Self::Stream(stream) => StreamArgument::Stream(stream),
            Self::Growing(stream) => StreamArgument::Growing(stream),
            Self::Value(scalar, bytes) => StreamArgument::Value {
                scalar: *scalar,
                bytes,
            },
            Self::Variable(scalar, bytes) => StreamArgument::Variable {
                scalar: *scalar,
                bytes,
            },
            Self::Array(scalar, extents, bytes) => StreamArgument::Array {
                scalar: *scalar,
                extents,
                bytes,
            },
        }
    }
}

/// What outputs are made as: the same as the first input.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Face {
    Stream,
    Array,
    Numpy,
}

pub(crate) struct Call<'k> {
    pub(crate) kernel: &'k Kernel,
    pub(crate) given: Vec<Given>,
    pub(crate) objects: Vec<Py<PyAny>>,
    pub(crate) kept: Vec<Arc<Keep>>,
    pub(crate) streams: Vec<usize>,
    /// Of the first input: what it is, and its extents.
    pub(crate) first: Option<(Face, Vec<usize>)>,
    /// numpy's dtype of its elements, where these are structures.
    pub(crate) structure: Option<Py<PyAny>>,
}

/// [`Kernel::__call__`] of Brook+.
pub(crate) fn call(
    py: Python<'_>,
    kernel: &Kernel,
    arguments: &Bound<'_, PyTuple>,
    domain: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let metadata = kernel.kernel.metadata();
    let parameters = &metadata.parameters;
    let written = |p: &ParameterMetadata| {
        matches!(
            p.role,
            Role::Output | Role::Reduce | Role::Scatter(_) | Role::Vout
        )
    };
    let outputs = parameters.iter().rev().take_while(|p| written(p)).count();
    let missing = parameters.len().saturating_sub(arguments.len());
    if arguments.len() > parameters.len() || (missing != 0 && missing != outputs) {
        let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
        return Err(PyTypeError::new_err(format!(
            "kernel '{}' takes {} arguments ({}), or all but the {outputs} that it writes; got {}",
            metadata.name,
            parameters.len(),
            names.join(", "),
            arguments.len()
        )));
    }
    let mut call = Call::new(kernel, arguments)?;
    let mut made = Vec::new();
    for (index, parameter) in parameters.iter().enumerate().skip(arguments.len()) {
        let (given, result) = call.output(py, index, parameter)?;
        call.given.push(given);
        made.push(result);
    }
    let domain = call.domain(domain)?;
    call.run(py, domain.as_ref())?;
    call.results(py, made, arguments.len())
}

/// What an output is in the end.
pub(crate) enum Made {
    Ready(Py<PyAny>),
    /// The variable of a reduction: its type's name.
    Number(String),
}

/// A call that is recorded, with all that it uses.
pub(crate) struct Recorded {
    kernel: runtime::Kernel,
    given: Vec<Given>,
    domain: Option<ExecutionDomain>,
    pub(crate) objects: Vec<Py<PyAny>>,
    pub(crate) kept: Vec<Arc<Keep>>,
}

/// Of what is recorded.
pub(crate) fn no_foreign_streams() -> PyErr {
    PyTypeError::new_err(
        "what is replayed later cannot be in the order of another library's stream: brook.from_dlpack(x) has an array that can be recorded",
    )
}

impl Recorded {
    /// With all arguments: what it writes is known when it is replayed.
    pub(crate) fn new(
        kernel: &Kernel,
        arguments: &Bound<'_, PyTuple>,
        domain: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let wanted = kernel.kernel.metadata().parameters.len();
        if arguments.len() != wanted {
            return Err(PyTypeError::new_err(format!(
                "kernel '{}' takes {wanted} arguments, and a recorded call names all of them; got {}",
                kernel.name(),
                arguments.len()
            )));
        }
        let call = Call::new(kernel, arguments)?;
        if !call.streams.is_empty() {
            return Err(no_foreign_streams());
        }
        Ok(Self {
            domain: call.domain(domain)?,
            kernel: kernel.kernel.clone(),
            given: call.given,
            objects: call.objects,
            kept: call.kept,
        })
    }

    pub(crate) fn record(&mut self, recorder: &runtime::Recorder) -> runtime::Result<()> {
        let mut list: Vec<StreamArgument<'_>> = self.given.iter_mut().map(Given::lent).collect();
        recorder.call_over(&self.kernel, self.domain.as_ref(), &mut list)
    }
}

impl<'k> Call<'k> {
    /// Of the arguments that are given.
    fn new(kernel: &'k Kernel, arguments: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let mut call = Self {
            kernel,
            given: Vec::new(),
            objects: Vec::new(),
            kept: Vec::new(),
            streams: Vec::new(),
            first: None,
            structure: None,
        };
        let parameters = &kernel.kernel.metadata().parameters;
        for (parameter, (index, object)) in parameters.iter().zip(arguments.iter().enumerate()) {
            let given = call.argument(index, parameter, &object)?;
            call.given.push(given);
        }
        Ok(call)
    }

    /// Where its first output is computed.
    fn domain(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<ExecutionDomain>> {
        let Some(given) = given else {
            return Ok(None);
        };
        let parameters = &self.kernel.kernel.metadata().parameters;
        let written = |role| matches!(role, Role::Output | Role::Scatter(_));
        let outputs = parameters
            .iter()
            .zip(&self.given)
            .filter(|(p, _)| written(p.role));
        let mut streams = outputs.filter_map(|(_, given)| match given {
            Given::Stream(stream) => Some(stream),
            _ => None,
        });
        match streams.next() {
            Some(first) => execution_domain(given, &first.extents()).map(Some),
            None => Err(PyTypeError::new_err(format!(
                "kernel '{}' has no output stream that a domain could be of",
                self.kernel.name()
            ))),
        }
    }

    fn run(&mut self, py: Python<'_>, domain: Option<&ExecutionDomain>) -> PyResult<()> {
        let state = &self.kernel.state;
        let kernel = &self.kernel.kernel;
        let given = &mut self.given;
        let streams = &self.streams;
        let called: runtime::Result<()> = py.detach(|| {
            let own = state.device.default_queue()?;
            for stream in streams {
                own.wait_for(&state.foreign_queue(*stream)?.record()?)?;
            }
            let mut list: Vec<StreamArgument<'_>> = given.iter_mut().map(Given::lent).collect();
            kernel.call_over(domain, &mut list)?;
            if !streams.is_empty() {
                let done = own.record()?;
                for stream in streams {
                    state.foreign_queue(*stream)?.wait_for(&done)?;
                }
            }
            Ok(())
        });
        self.hold(py, state)?;
        called.raise(py)
    }

    fn hold(&mut self, py: Python<'_>, state: &State) -> PyResult<()> {
        if state.is_host || (self.objects.is_empty() && self.kept.is_empty()) {
            return Ok(());
        }
        let event = py
            .detach(|| state.device.default_queue()?.record())
            .raise(py)?;
        state.hold(
            event,
            std::mem::take(&mut self.objects),
            std::mem::take(&mut self.kept),
        );
        Ok(())
    }
}
