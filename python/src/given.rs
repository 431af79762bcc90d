//! What kernels of Brook+ are given, checked against what they take.

use crate::arguments::what;
use crate::array::Array;
use crate::call::{Call, Face, Given};
use crate::element::{self, ElementType};
use crate::foreign::Foreign;
use crate::host::{HostArray, packed};
use crate::stream::{self, Stream, numbers};
use crate::values::{self, components};
use brook::expr::Scalar;
use brook::metadata::{ParameterMetadata, Role};
use brook::runtime::{self, ElementKind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

impl Call<'_> {
    pub(crate) fn label(&self, index: usize, parameter: &ParameterMetadata) -> String {
        format!(
            "argument {} '{}' of kernel '{}'",
            index + 1,
            parameter.name,
            self.kernel.name()
        )
    }

    pub(crate) fn argument(
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
                let place = || self.typed(index, parameter);
                let numbers = components(object, scalar)
                    .map_err(|misfit| misfit.raise(object, wrong, place))?;
                let bytes = values::bytes(&numbers)?;
                match bytes.len() == width * scalar.size() {
                    true => Ok(Given::Value(scalar, bytes)),
                    false => Err(wrong()),
                }
            }
            None => {
                let bytes = values::bytes(object).map_err(|_| wrong())?;
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
        if self.note(parameter, face, extents.to_vec()) {
            self.structure = element.dtype.as_ref().map(|dtype| dtype.clone_ref(py));
        }
        Ok(Given::Stream(stream))
    }

    fn typed(&self, index: usize, parameter: &ParameterMetadata) -> String {
        let label = self.label(index, parameter);
        format!("{label} is of type {}", parameter.type_name)
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
        let words = || {
            let label = self.label(index, parameter);
            format!("{label} is an array of {}", parameter.type_name)
        };
        let numbers = components(object, scalar).map_err(|misfit| {
            let kind = || PyTypeError::new_err(format!("{}; got {}", words(), what(object)));
            misfit.raise(object, kind, || self.typed(index, parameter))
        })?;
        let (array, host) = packed(py, &numbers, None)?;
        let mut shape = host.shape.clone();
        if width > 1 && shape.pop() != Some(width) {
            return Err(PyValueError::new_err(format!(
                "{}; got shape {}",
                words(),
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
        Ok(Given::Array(
            scalar,
            stream::extents(&shape)?,
            values::bytes(&array)?,
        ))
    }

    /// Whether it is the first input.
    fn note(&mut self, parameter: &ParameterMetadata, face: Face, extents: Vec<usize>) -> bool {
        let is_first = self.first.is_none() && parameter.role == Role::Input;
        if is_first {
            self.first = Some((face, extents));
        }
        is_first
    }
}
