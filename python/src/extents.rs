//! Shapes of arrays, checked against the extents of `@dim`.

use crate::arguments::Place;
use crate::element::ElementType;
use crate::kernel::Kernel;
use crate::parameter::Kind;
use brook::expr::{Expr, Value, evaluate};
use brook::runtime::ElementKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The shape of an array's elements, as the kernel has them: a vector's numbers are one element.
pub(crate) fn shape_of(place: Place<'_>, element: &ElementType, shape: &[usize]) -> Vec<usize> {
    let is_number = matches!(element.kind, ElementKind::Numbers(_, 1));
    match place.wanted.kind {
        Kind::Numbers(_, 2..) if is_number => shape[..shape.len().saturating_sub(1)].to_vec(),
        _ => shape.to_vec(),
    }
}

/// Checks the arrays of a call by the number of their parameter: as many elements as the extents say, and of as many dimensions the
/// same extents, except that there may be more along the slowest.
pub(crate) fn check<'d>(
    kernel: &Kernel,
    given: &Bound<'_, PyTuple>,
    shapes: &[(usize, Vec<usize>)],
    dimensions: &dyn Fn(usize) -> &'d [Expr],
) -> PyResult<()> {
    for (index, shape) in shapes {
        let wanted = &kernel.wanted[*index];
        let dimensions = dimensions(*index);
        if dimensions.is_empty() {
            continue;
        }
        let Some(extents) = extents(kernel, given, dimensions) else {
            continue;
        };
        let fits = match (&shape[..], &extents[..]) {
            ([first, rest @ ..], [slowest, others @ ..])
                if !rest.is_empty() && rest.len() == others.len() =>
            {
                rest == others && first >= slowest
            }
            _ => {
                let product = |all: &[usize]| all.iter().try_fold(1usize, |n, e| n.checked_mul(*e));
                product(&extents).is_some_and(|least| product(shape).is_some_and(|n| n >= least))
            }
        };
        if fits {
            continue;
        }
        let place = Place {
            kernel,
            index: *index,
            wanted,
        };
        let shape = PyTuple::new(given.py(), shape)?;
        let wants = PyTuple::new(given.py(), &extents)?;
        return Err(PyValueError::new_err(format!(
            "{} has extents (@dim) that make its shape {wants}, slowest first; got shape {shape}",
            place.label()
        )));
    }
    Ok(())
}

/// The extents of a parameter in a call; `None` where they are no numbers that memory has.
fn extents(kernel: &Kernel, given: &Bound<'_, PyTuple>, dimensions: &[Expr]) -> Option<Vec<usize>> {
    let value = |name: &str| {
        let index = kernel.wanted.iter().position(|w| w.name == name)?;
        let object = given.get_item(index).ok()?;
        match kernel.wanted[index].kind {
            Kind::Number(scalar) if scalar.is_float() => {
                Some(Value::Float(scalar, object.extract().ok()?))
            }
            Kind::Number(scalar) => Some(Value::Int(scalar, object.extract().ok()?)),
            _ => None,
        }
    };
    let all = dimensions.iter();
    all.map(|extent| usize::try_from(evaluate(extent, &value).ok()?.as_i64()?).ok())
        .collect()
}
