//! Calls of Brook+ kernels over streams and arrays.

use crate::arguments::what;
use crate::array::{Array, Keep};
use crate::domain::execution_domain;
use crate::element::{self, ElementType};
use crate::errors::Raise;
use crate::foreign::Foreign;
use crate::host::{HostArray, packed};
use crate::kernel::Kernel;
use crate::state::State;
use crate::stream::{self, Stream, numbers};
use crate::values::packed_value;
use brook::expr::Scalar;
use brook::metadata::{ParameterMetadata, Role};
use brook::runtime::{self, DynStream, ElementKind, ExecutionDomain, StreamArgument};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
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
    kept: Vec<Arc<Keep>>,
    streams: Vec<usize>,
    /// Of the first input: what it is, and its extents.
    pub(crate) first: Option<(Face, Vec<usize>)>,
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
    let mut call = Call {
        kernel,
        given: Vec::new(),
        objects: Vec::new(),
        kept: Vec::new(),
        streams: Vec::new(),
        first: None,
    };
    for (index, object) in arguments.iter().enumerate() {
        let given = call.argument(index, &parameters[index], &object)?;
        call.given.push(given);
    }
    let mut made = Vec::new();
    for (index, parameter) in parameters.iter().enumerate().skip(arguments.len()) {
        let (given, result) = call.output(py, index, parameter)?;
        call.given.push(given);
        made.push(result);
    }
    let domain = domain.map(execution_domain).transpose()?;
    call.run(py, domain.as_ref())?;
    call.results(py, made, arguments.len())
}

/// What an output is in the end.
pub(crate) enum Made {
    Ready(Py<PyAny>),
    /// The variable of a reduction: its type's name.
    Number(String),
}

impl Call<'_> {
    pub(crate) fn label(&self, index: usize, parameter: &ParameterMetadata) -> String {
        format!(
            "argument {} '{}' of kernel '{}'",
            index + 1,
            parameter.name,
            self.kernel.name()
        )
    }

    fn argument(
        &mut self,
        index: usize,
        parameter: &ParameterMetadata,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Given> {
        match parameter.role {
            Role::Value => self.value(index, parameter, object),
            _ => self.stream(index, parameter, object),
        }
    }

    fn value(
        &self,
        index: usize,
        parameter: &ParameterMetadata,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Given> {
        let wrong = || {
            PyTypeError::new_err(format!(
                "{} is a value of type {}; got {}",
                self.label(index, parameter),
                parameter.type_name,
                what(object)
            ))
        };
        match numbers(&parameter.type_name) {
            Some((scalar, width)) => {
                if object.is_instance_of::<Stream>() || object.is_instance_of::<Array>() {
                    return Err(wrong());
                }
                let bytes = packed_value(object, scalar).map_err(|_| wrong())?;
                match bytes.len() == width * scalar.size() {
                    true => Ok(Given::Value(scalar, bytes)),
                    false => Err(wrong()),
                }
            }
            None => {
                let bytes = object.call_method0("tobytes").map_err(|_| wrong())?;
                let bytes = bytes.cast::<PyBytes>()?.as_bytes().to_vec();
                match parameter.bytes.is_none_or(|n| n == bytes.len()) {
                    true => Ok(Given::Array(Scalar::UChar, Vec::new(), bytes)),
                    false => Err(wrong()),
                }
            }
        }
    }

    fn stream(
        &mut self,
        index: usize,
        parameter: &ParameterMetadata,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Given> {
        let py = object.py();
        let state = Arc::clone(&self.kernel.state);
        if let Ok(stream) = object.cast::<Stream>() {
            let stream = stream.get();
            if !stream.state.is(&state) {
                return Err(PyValueError::new_err(format!(
                    "{} is a {}; the kernel runs on {}",
                    self.label(index, parameter),
                    stream.described(),
                    state.device.name()
                )));
            }
            let extents = stream
                .stream
                .extents()
                .iter()
                .map(|n| *n as usize)
                .collect();
            self.note(parameter, Face::Stream, extents);
            self.kept.extend(stream.keep.clone());
            return Ok(match parameter.role {
                Role::Vout => Given::Growing(stream.stream.clone()),
                _ => Given::Stream(stream.stream.clone()),
            });
        }
        // Small arrays that are read anywhere may be the host's on every device.
        if matches!(parameter.role, Role::Gather(_))
            && !parameter.extents.is_empty()
            && !object.is_instance_of::<Array>()
        {
            return self.host_array(index, parameter, object);
        }
        if let Ok(array) = object.cast::<Array>() {
            let array = array.get();
            self.kept.extend(array.keep.clone());
            self.objects.push(object.clone().unbind());
            let memory = array.memory.clone();
            let known = (&array.element, array.shape.as_slice(), array.writable);
            if !array.state.is(&state) {
                return Err(PyValueError::new_err(format!(
                    "{} is memory of device {}; the kernel runs on {}",
                    self.label(index, parameter),
                    array.state.device.name(),
                    state.device.name()
                )));
            }
            return self.memory(py, index, parameter, &memory, known, Face::Array, object);
        }
        let foreign = Foreign::of(object, state.stream())?.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{} is a stream of {}; got {}",
                self.label(index, parameter),
                parameter.type_name,
                what(object)
            ))
        })?;
        let memory = foreign.memory(py, &state, &|| self.label(index, parameter))?;
        self.streams.extend(foreign.stream);
        let face = match HostArray::of(object)? {
            Some(_) => Face::Numpy,
            None => Face::Array,
        };
        let known = (&foreign.element, foreign.shape.as_slice(), foreign.writable);
        let given = self.memory(py, index, parameter, &memory, known, face, object)?;
        self.objects.push(foreign.keep);
        Ok(given)
    }

    #[allow(clippy::too_many_arguments, reason = "what is known of an array")]
    fn memory(
        &mut self,
        py: Python<'_>,
        index: usize,
        parameter: &ParameterMetadata,
        memory: &runtime::DynMemory,
        (element, shape, writable): (&ElementType, &[usize], bool),
        face: Face,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Given> {
        let label = || self.label(index, parameter);
        let (name, extents) = match numbers(&parameter.type_name) {
            Some((scalar, width)) => {
                let words = match width {
                    1 => format!("an array of {}", element::name(scalar)),
                    width => format!(
                        "an array of {} of shape (…, {width})",
                        element::name(scalar)
                    ),
                };
                if element.kind != ElementKind::Numbers(scalar, 1) {
                    return Err(PyTypeError::new_err(format!(
                        "{} is {words}; got {}",
                        label(),
                        what(object)
                    )));
                }
                match (width, shape.split_last()) {
                    (1, _) => (parameter.type_name.clone(), shape),
                    (width, Some((last, rest))) if *last == width => {
                        (parameter.type_name.clone(), rest)
                    }
                    _ => {
                        return Err(PyValueError::new_err(format!(
                            "{} is {words}; got {}",
                            label(),
                            what(object)
                        )));
                    }
                }
            }
            None if parameter.bytes.is_none_or(|n| n == element.size()) => {
                (format!("bytes:{}", element.size()), shape)
            }
            None => {
                return Err(PyTypeError::new_err(format!(
                    "{} is an array of {}, of {} bytes each; got {}",
                    label(),
                    parameter.type_name,
                    parameter.bytes.unwrap_or(0),
                    what(object)
                )));
            }
        };
        if !writable && !matches!(parameter.role, Role::Input | Role::Gather(_)) {
            return Err(PyValueError::new_err(format!(
                "{} is written; got an array that is read only",
                label()
            )));
        }
        if extents.is_empty() {
            return Err(PyValueError::new_err(format!(
                "{} is a stream; got an array of no dimensions",
                label()
            )));
        }
        let stream = stream::of_memory(py, &self.kernel.state, memory, extents, &name)?;
        self.note(parameter, face, extents.to_vec());
        Ok(Given::Stream(stream))
    }

    fn host_array(
        &mut self,
        index: usize,
        parameter: &ParameterMetadata,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Given> {
        let py = object.py();
        let Some((scalar, width)) = numbers(&parameter.type_name) else {
            return Err(PyTypeError::new_err(format!(
                "{} is an array of structures: device.stream_of(x) makes a stream of one",
                self.label(index, parameter)
            )));
        };
        let dtype = element::name(scalar).into_pyobject(py)?.into_any();
        let (array, host) = packed(py, object, Some(&dtype))?;
        let mut shape = host.shape.clone();
        if width > 1 && shape.pop() != Some(width) {
            return Err(PyValueError::new_err(format!(
                "{} is an array of {}; got shape {}",
                self.label(index, parameter),
                parameter.type_name,
                array.getattr("shape")?
            )));
        }
        if !(shape.iter().map(|n| *n as u64)).eq(parameter.extents.iter().copied()) {
            return Err(PyValueError::new_err(format!(
                "{} is an array of extents {:?}; got shape {}",
                self.label(index, parameter),
                parameter.extents,
                array.getattr("shape")?
            )));
        }
        let bytes = array.call_method0("tobytes")?;
        let bytes = bytes.cast::<PyBytes>()?.as_bytes().to_vec();
        Ok(Given::Array(scalar, stream::extents(&shape)?, bytes))
    }

    fn note(&mut self, parameter: &ParameterMetadata, face: Face, extents: Vec<usize>) {
        if self.first.is_none() && parameter.role == Role::Input {
            self.first = Some((face, extents));
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
