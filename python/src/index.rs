//! Shapes, and indices along the first axis.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PySliceMethods, PyTuple};
use std::ops::Range;

/// A shape: a number, or several.
pub(crate) fn shape(given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let extent = |n: &Bound<'_, PyAny>| {
        let n: isize = n
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("a shape has whole numbers, not {n}")))?;
        usize::try_from(n)
            .map_err(|_| PyValueError::new_err(format!("a shape has no negative extent: {n}")))
    };
    match given.extract::<isize>() {
        Ok(_) => Ok(vec![extent(given)?]),
        Err(_) if given.is_instance_of::<pyo3::types::PyInt>() => Err(too_large()),
        Err(_) => given.try_iter()?.map(|n| extent(&n?)).collect(),
    }
}

/// Elements of a shape, whose bytes can be counted.
pub(crate) fn count(shape: &[usize], size: usize) -> PyResult<usize> {
    let product = |all: usize, n: &usize| all.checked_mul(*n);
    let elements = shape
        .iter()
        .try_fold(1usize, product)
        .ok_or_else(too_large)?;
    match elements.checked_mul(size) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(elements),
        _ => Err(too_large()),
    }
}

fn too_large() -> PyErr {
    PyValueError::new_err("the shape has more elements than memory can have")
}

/// The shape that has as many elements, where one extent may be -1.
pub(crate) fn reshaped(elements: usize, given: &Bound<'_, PyTuple>) -> PyResult<Vec<usize>> {
    let given = match given.len() {
        1 if given.get_item(0)?.extract::<isize>().is_err() => given.get_item(0)?,
        _ => given.clone().into_any(),
    };
    let extents: Vec<isize> = given.extract()?;
    let known: usize = extents
        .iter()
        .filter(|n| **n != -1)
        .try_fold(1usize, |all, n| all.checked_mul(usize::try_from(*n).ok()?))
        .ok_or_else(|| PyValueError::new_err(format!("no shape: {extents:?}")))?;
    let fail = || PyValueError::new_err(format!("{elements} elements have no shape {extents:?}"));
    let open = extents.iter().filter(|n| **n == -1).count();
    let rest = match (open, known) {
        (0, known) if known == elements => 1,
        (1, 1..) if elements.is_multiple_of(known) => elements / known,
        _ => return Err(fail()),
    };
    Ok(extents
        .iter()
        .map(|n| usize::try_from(*n).unwrap_or(rest))
        .collect())
}

/// What is meant of the first axis.
pub(crate) enum Index {
    /// One element of it: the axis goes away.
    One(usize),
    /// Some, side by side.
    Range(Range<usize>),
    /// All of it: an ellipsis.
    All,
}

/// What an index means where the first axis is so long.
pub(crate) fn index(given: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Index> {
    let py = given.py();
    if given.is(py.Ellipsis()) {
        return Ok(Index::All);
    }
    if let Ok(tuple) = given.cast::<PyTuple>() {
        return match tuple.len() {
            0 => Ok(Index::All),
            1 => index(&tuple.get_item(0)?, shape),
            _ => Err(PyIndexError::new_err(
                "device arrays are sliced along their first axis only; x.to_numpy() has all of numpy's indices",
            )),
        };
    }
    let Some(extent) = shape.first().copied() else {
        return Err(PyIndexError::new_err(
            "an array of no dimensions has no axis to index",
        ));
    };
    if let Ok(slice) = given.cast::<PySlice>() {
        let length = isize::try_from(extent).map_err(|_| too_large())?;
        let slice = slice.indices(length)?;
        if slice.step != 1 && slice.slicelength > 1 {
            return Err(PyIndexError::new_err(format!(
                "device arrays are sliced without a step; got step {}",
                slice.step
            )));
        }
        let start = slice.start.max(0).unsigned_abs().min(extent);
        return Ok(Index::Range(
            start..start + slice.slicelength.min(extent - start),
        ));
    }
    let number: isize = given.extract().map_err(|_| {
        let what = given
            .get_type()
            .name()
            .map_or("it".to_string(), |n| n.to_string());
        PyTypeError::new_err(format!(
            "device arrays take numbers and slices as indices, not {what}"
        ))
    })?;
    let place = if number < 0 {
        number + extent as isize
    } else {
        number
    };
    match usize::try_from(place) {
        Ok(place) if place < extent => Ok(Index::One(place)),
        _ => Err(PyIndexError::new_err(format!(
            "index {number} is beyond an axis of {extent}"
        ))),
    }
}
