//! Results of reductions, and where kernels run.

use crate::element;
use crate::stream::numbers;
use brook::expr::Scalar;
use brook::runtime::ExecutionDomain;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyTuple};

/// What a reduction gave, as a scalar of numpy's, or an array of a vector's components.
pub(crate) fn number(
    py: Python<'_>,
    name: &str,
    scalar: Scalar,
    bytes: &[u8],
) -> PyResult<Py<PyAny>> {
    let bytes = PyBytes::new(py, bytes);
    let array = element::numpy(py, "frombuffer")?.call1((bytes, element::name(scalar)))?;
    match numbers(name) {
        Some((_, 1)) => Ok(array.get_item(0)?.unbind()),
        _ => Ok(array.call_method0("copy")?.unbind()),
    }
}

/// Slices of an output of these extents, slowest first, as Brook+ counts. What lies beyond its end is left to whoever makes the call.
pub(crate) fn execution_domain(
    given: &Bound<'_, PyAny>,
    extents: &[u32],
) -> PyResult<ExecutionDomain> {
    let py = given.py();
    let all = match given.cast::<PyTuple>() {
        Ok(tuple) => tuple.clone(),
        Err(_) => PyTuple::new(py, [given])?,
    };
    let wrong = || {
        PyTypeError::new_err(
            "a domain is a slice, or one for each dimension of the output, slowest first: (slice(1, 5), slice(0, 8))",
        )
    };
    for slice in &all {
        let step = slice
            .cast::<PySlice>()
            .map_err(|_| wrong())?
            .getattr("step")?;
        let step: Option<i64> = step.extract().map_err(|_| wrong())?;
        if step.is_some_and(|step| step != 1) {
            return Err(wrong());
        }
    }
    if all.len() != extents.len() {
        return Err(PyValueError::new_err(format!(
            "the output has {} dimensions, and the domain {} slices",
            extents.len(),
            all.len()
        )));
    }
    let (mut offset, mut size) = ([0u32; 4], [1u32; 4]);
    for (axis, (slice, extent)) in all.iter().zip(extents).rev().enumerate() {
        let end = |name: &str, otherwise: u32| {
            let end: Option<i64> = slice.getattr(name)?.extract().map_err(|_| wrong())?;
            let end = match end {
                None => otherwise.into(),
                Some(end) if end < 0 => end + i64::from(*extent),
                Some(end) => end,
            };
            let outside = |_| PyValueError::new_err("a domain lies outside of the output");
            u32::try_from(end).map_err(outside)
        };
        offset[axis] = end("start", 0)?;
        size[axis] = end("stop", *extent)?
            .checked_sub(offset[axis])
            .ok_or_else(|| PyValueError::new_err("a domain ends before it begins"))?;
    }
    Ok(ExecutionDomain {
        offset: Some(offset),
        size: Some(size),
    })
}
