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
        let first = self.first.clone();
        if let (Role::Output, Some((face, extents)), None) = (parameter.role, &first, &typed) {
            return self.structures(py, (index, parameter), *face, extents);
        }
        let (Role::Output, Some((face, extents)), Some((scalar, width))) =
            (parameter.role, first, typed)
        else {
            return Err(PyTypeError::new_err(format!(
                "{} has to be given: no input says its shape",
                self.label(index, parameter)
            )));
        };
        if face == Face::Stream {
            let made = stream::extents(&extents)?;
            let name = &parameter.type_name;
            let stream = py.detach(|| state.device.stream(name, &made)).raise(py)?;
            let result = Py::new(py, Stream::new(stream.clone(), state, None))?;
            return Ok((Given::Stream(stream), Made::Ready(result.into_any())));
        }
        let mut shape = extents.clone();
        if width > 1 {
            shape.push(width);
        }
        let len = shape.iter().product();
        let kind = ElementKind::Numbers(scalar, 1);
        let memory = py.detach(|| state.device.zeros_of(kind, len)).raise(py)?;
        let stream = stream::of_memory(py, &state, &memory, &extents, &parameter.type_name)?;
        let array = Bound::new(
            py,
            Array::new(memory, ElementType::number(scalar), shape, state),
        )?;
        let result = match face {
            Face::Numpy => crate::transfer::as_numpy(&array, None, None)?,
            _ => array.clone().into_any(),
        };
        self.objects.push(array.into_any().unbind());
        Ok((Given::Stream(stream), Made::Ready(result.unbind())))
    }

    /// An output of structures, which are those of the first input.
    fn structures(
        &mut self,
        py: Python<'_>,
        (index, parameter): (usize, &ParameterMetadata),
        face: Face,
        extents: &[usize],
    ) -> PyResult<(Given, Made)> {
        let state = Arc::clone(&self.kernel.state);
        let parameters = &self.kernel.kernel.metadata().parameters;
        let first = parameters.iter().position(|p| p.role == Role::Input);
        let known = first.filter(|first| parameters[*first].type_name == parameter.type_name);
        let dtype = known.and_then(|_| self.structure.as_ref().map(|d| d.clone_ref(py)));
        let missing = || {
            PyTypeError::new_err(format!(
                "{} has to be given: no input says what its structures are to numpy",
                self.label(index, parameter)
            ))
        };
        let bytes = parameter.bytes.ok_or_else(missing)?;
        if face == Face::Stream {
            let made = stream::extents(extents)?;
            let name = format!("bytes:{bytes}");
            let stream = py.detach(|| state.device.stream(&name, &made)).raise(py)?;
            let result = Py::new(py, Stream::new(stream.clone(), state, None))?;
            return Ok((Given::Stream(stream), Made::Ready(result.into_any())));
        }
        let dtype = dtype.ok_or_else(missing)?;
        let len = extents.iter().product();
        let kind = ElementKind::Structure(bytes);
        let memory = py.detach(|| state.device.zeros_of(kind, len)).raise(py)?;
        let stream = stream::of_memory(py, &state, &memory, extents, &format!("bytes:{bytes}"))?;
        let element = ElementType {
            kind,
            dtype: Some(dtype),
        };
        let array = Bound::new(py, Array::new(memory, element, extents.to_vec(), state))?;
        let result = match face {
            Face::Numpy => crate::transfer::as_numpy(&array, None, None)?,
            _ => array.clone().into_any(),
        };
        self.objects.push(array.into_any().unbind());
        Ok((Given::Stream(stream), Made::Ready(result.unbind())))
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
