//! Kernels that are interpreted and watched.

use crate::arguments::what;
use crate::errors::{diagnostics, wrong_source};
use crate::host::{HostArray, packed};
use crate::kernel::Kernel;
use crate::parameter::Kind;
use crate::values::{self, components};
use brook::Sanitizer;
use brook::expr::Scalar;
use brook::interpret::{Argument, Order, Settings};
use brook::metadata::Role;
use brook::source::FileLoader;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// What was found, and the bytes that were left in each argument that is an array.
type Interpreted<'py> = (Bound<'py, PyTuple>, Vec<Option<Bound<'py, PyBytes>>>);

/// Runs a kernel in an interpreter, in three orders of items, over copies of its arguments, and returns what was found, a tuple
/// of Diagnostic, and for each argument that is an array the bytes that the first run left there.
#[pyfunction]
#[pyo3(name = "_interpret", signature = (kernel, /, *arguments))]
pub(crate) fn interpret<'py>(
    py: Python<'py>,
    kernel: &Kernel,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Interpreted<'py>> {
    let metadata = kernel.kernel.metadata();
    if arguments.len() != metadata.parameters.len() {
        return Err(PyTypeError::new_err(format!(
            "kernel '{}' takes {} arguments; got {}",
            kernel.name(),
            metadata.parameters.len(),
            arguments.len()
        )));
    }
    let (mut given, mut shapes) = (Vec::new(), Vec::new());
    for ((parameter, wanted), object) in metadata
        .parameters
        .iter()
        .zip(&kernel.wanted)
        .zip(arguments.iter())
    {
        let number = match wanted.kind {
            Kind::Number(scalar) => Some(scalar),
            Kind::Vector(vector) => Some(vector.scalar),
            Kind::Stream if parameter.role == Role::Value => {
                crate::stream::numbers(&parameter.type_name).map(|(scalar, _)| scalar)
            }
            _ => None,
        };
        if let Some(scalar) = number {
            shapes.push(Vec::new());
            let is = || {
                format!(
                    "parameter '{}' of kernel '{}' is of type {}",
                    parameter.name,
                    kernel.name(),
                    parameter.type_name
                )
            };
            let numbers = components(&object, scalar).map_err(|misfit| {
                let kind = || PyTypeError::new_err(format!("{}; got {}", is(), what(&object)));
                misfit.raise(&object, kind, is)
            })?;
            given.push(Argument::Value(values::bytes(&numbers)?));
            continue;
        }
        if object.is_none() {
            return Err(PyTypeError::new_err(format!(
                "parameter '{}' of kernel '{}' is a null pointer, which is not interpreted",
                parameter.name,
                kernel.name()
            )));
        }
        let (array, host) = packed(py, &object, None)?;
        let bytes = values::bytes(&array)?;
        shapes.push(shape(&host, &parameter.type_name));
        given.push(match parameter.role {
            Role::Value => Argument::Value(bytes),
            _ => Argument::Buffer {
                bytes,
                filled: true,
            },
        });
    }
    let recipe = kernel.recipe()?;
    let (source, options, name) = (&recipe.source, &recipe.options, kernel.name());
    let orders = [Order::Forward, Order::Reversed, Order::Random(1)];
    let found = py.detach(|| {
        let sanitizer = Sanitizer::new(source, options, &FileLoader)?;
        sanitizer.run(name, &mut given, &shapes, &orders, &Settings::default())
    });
    let found = found.map_err(|report| wrong_source(py, &report))?;
    let left = given.iter().map(|argument| match argument {
        Argument::Buffer { bytes, .. } => Some(PyBytes::new(py, bytes)),
        Argument::Value(_) => None,
    });
    Ok((diagnostics(py, &found.report)?, left.collect()))
}

/// The extents of a stream of such elements.
fn shape(host: &HostArray, type_name: &str) -> Vec<u32> {
    let mut shape: Vec<u32> = host
        .shape
        .iter()
        .map(|n| u32::try_from(*n).unwrap_or(u32::MAX))
        .collect();
    if let Some((_, 2..)) = crate::stream::numbers(type_name) as Option<(Scalar, usize)> {
        shape.pop();
    }
    shape
}
