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

/// Slices, slowest first, as Brook+ counts.
pub(crate) fn execution_domain(given: &Bound<'_, PyAny>) -> PyResult<ExecutionDomain> {
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
    let (mut offset, mut size) = ([0u32; 4], [1u32; 4]);
    if all.len() > 4 {
        return Err(wrong());
    }
    for (axis, slice) in all.iter().rev().enumerate() {
        let slice = slice.cast::<PySlice>().map_err(|_| wrong())?;
        let start = slice
            .getattr("start")?
            .extract::<Option<u32>>()
            .map_err(|_| wrong())?;
        let end = slice
            .getattr("stop")?
            .extract::<u32>()
            .map_err(|_| wrong())?;
        if !slice.getattr("step")?.is_none() {
            return Err(wrong());
        }
        offset[axis] = start.unwrap_or(0);
        size[axis] = end
            .checked_sub(offset[axis])
            .ok_or_else(|| PyValueError::new_err("a domain ends before it begins"))?;
    }
    let size = match all.is_empty() {
        true => None,
        false => Some(size),
    };
    Ok(ExecutionDomain {
        offset: Some(offset),
        size,
    })
}
