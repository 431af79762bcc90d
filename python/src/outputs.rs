//! Outputs that the caller has left out: made as the first input is, and returned.

use crate::array::Array;
use crate::call::{Call, Face, Given, Made};
use crate::domain::number;
use crate::element::ElementType;
use crate::errors::Raise;
use crate::stream::{self, Stream, numbers};
use brook::metadata::{ParameterMetadata, Role};
use brook::runtime::ElementKind;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

impl Call<'_> {
    /// What the caller has left out.
    pub(crate) fn output(
        &mut self,
        py: Python<'_>,
        index: usize,
        parameter: &ParameterMetadata,
    ) -> PyResult<(Given, Made)> {
        let state = Arc::clone(&self.kernel.state);
        let typed = numbers(&parameter.type_name);
        if parameter.role == Role::Reduce {
            let (scalar, width) = typed.ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "{} is a structure, which has to be given",
                    self.label(index, parameter)
                ))
            })?;
            let room = vec![0; scalar.size() * width];
            return Ok((
                Given::Variable(scalar, room),
                Made::Number(parameter.type_name.clone()),
            ));
        }
        let (Role::Output, Some((face, extents))) = (parameter.role, self.first.clone()) else {
            return Err(PyTypeError::new_err(format!(
                "{} has to be given: no input says its shape",
                self.label(index, parameter)
            )));
        };
        let mut shape = extents.clone();
        let (name, element) = match typed {
            Some((scalar, width)) => {
                shape.extend((width > 1).then_some(width));
                let element = ElementType::number(scalar);
                (parameter.type_name.clone(), Some(element))
            }
            None => self.structures(py, (index, parameter))?,
        };
        if face == Face::Stream {
            let made = stream::extents(&extents)?;
            let stream = py.detach(|| state.device.stream(&name, &made)).raise(py)?;
            let result = Py::new(py, Stream::new(stream.clone(), state, None))?;
            return Ok((Given::Stream(stream), Made::Ready(result.into_any())));
        }
        let element = element.ok_or_else(|| self.unknown(index, parameter))?;
        let len = shape.iter().product();
        let memory = py.detach(|| state.device.zeros_of(element.kind, len));
        let memory = memory.raise(py)?;
        let stream = stream::of_memory(py, &state, &memory, &extents, &name)?;
        let array = Bound::new(py, Array::new(memory, element, shape, state))?;
        let result = match face {
            Face::Numpy => crate::transfer::as_numpy(&array, None, None)?,
            _ => array.clone().into_any(),
        };
        self.objects.push(array.into_any().unbind());
        Ok((Given::Stream(stream), Made::Ready(result.unbind())))
    }

    /// The type of a stream of structures, and what these are to numpy, if they are those of the first input.
    fn structures(
        &self,
        py: Python<'_>,
        (index, parameter): (usize, &ParameterMetadata),
    ) -> PyResult<(String, Option<ElementType>)> {
        let bytes = { parameter.bytes }.ok_or_else(|| self.unknown(index, parameter))?;
        let parameters = &self.kernel.kernel.metadata().parameters;
        let first = parameters.iter().find(|p| p.role == Role::Input);
        let known = first.is_some_and(|first| first.type_name == parameter.type_name);
        let dtype = self.structure.as_ref().filter(|_| known);
        let element = dtype.map(|dtype| ElementType {
            kind: ElementKind::Structure(bytes),
            dtype: Some(dtype.clone_ref(py)),
        });
        Ok((format!("bytes:{bytes}"), element))
    }

    fn unknown(&self, index: usize, parameter: &ParameterMetadata) -> PyErr {
        PyTypeError::new_err(format!(
            "{} has to be given: no input says what its structures are to numpy",
            self.label(index, parameter)
        ))
    }

    pub(crate) fn results(
        self,
        py: Python<'_>,
        made: Vec<Made>,
        from: usize,
    ) -> PyResult<Py<PyAny>> {
        let mut results = Vec::new();
        let kernel = self.kernel;
        let mut given = self.given.into_iter();
        // Variable outputs are other streams now.
        let grown = given.by_ref().take(from).filter_map(|g| match g {
            Given::Growing(stream) => Some(stream),
            _ => None,
        });
        for stream in grown.collect::<Vec<_>>() {
            results.push(
                Py::new(py, Stream::new(stream, Arc::clone(&kernel.state), None))?.into_any(),
            );
        }
        for (one, given) in made.into_iter().zip(given) {
            results.push(match (one, given) {
                (Made::Ready(object), _) => object,
                (Made::Number(name), Given::Variable(scalar, bytes)) => {
                    number(py, &name, scalar, &bytes)?
                }
                (Made::Number(_), _) => py.None(),
            });
        }
        Ok(match results.len() {
            0 => py.None(),
            1 => results.remove(0),
            _ => PyTuple::new(py, results)?.into_any().unbind(),
        })
    }
}
