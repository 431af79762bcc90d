//! Structures of numpy's, compared with those of kernels.

use crate::arguments::{Place, pointer_words};
use crate::element::{self, ElementType};
use brook::expr::Scalar;
use brook::runtime::ElementKind;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Whether numpy's structures are what a kernel takes them for: as large, with numbers of the same types in the same places.
pub(crate) fn fits_structure(
    place: Place<'_>,
    dtype: &Bound<'_, PyAny>,
    object: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let wanted = place.wanted;
    if wanted.fits.get().is_some_and(|known| known.is(dtype)) {
        return Ok(());
    }
    let size: usize = dtype.getattr("itemsize")?.extract()?;
    if wanted.bytes.is_some_and(|bytes| bytes != size) {
        let bytes = wanted.bytes.unwrap_or(0);
        return Err(place.mismatch(
            &format!("{}, of {bytes} bytes each", pointer_words(wanted)),
            object,
        ));
    }
    let mut found = Vec::new();
    numbers(dtype, 0, &mut found)?;
    found.sort_unstable_by_key(|(offset, _)| *offset);
    if !wanted.numbers.is_empty() && found != wanted.numbers {
        let list = |all: &[(usize, Scalar)]| {
            let all = all
                .iter()
                .map(|(at, s)| format!("{} at {at}", element::name(*s)));
            all.collect::<Vec<_>>().join(", ")
        };
        return Err(PyTypeError::new_err(format!(
            "{} is {}, which have {}; got elements with {}",
            place.label(),
            pointer_words(wanted),
            list(&wanted.numbers),
            list(&found)
        )));
    }
    let _ = wanted.fits.set(dtype.clone().unbind());
    Ok(())
}

/// The numbers that numpy's structures consist of, and where they lie.
fn numbers(
    dtype: &Bound<'_, PyAny>,
    offset: usize,
    found: &mut Vec<(usize, Scalar)>,
) -> PyResult<()> {
    let subarray = dtype.getattr("subdtype")?;
    if !subarray.is_none() {
        let (base, _): (Bound<'_, PyAny>, Bound<'_, PyAny>) = subarray.extract()?;
        let size: usize = base.getattr("itemsize")?.extract()?;
        let all: usize = dtype.getattr("itemsize")?.extract()?;
        return (0..all.checked_div(size).unwrap_or(0))
            .try_for_each(|index| numbers(&base, offset + index * size, found));
    }
    let fields = dtype.getattr("fields")?;
    if fields.is_none() {
        return match ElementType::of_dtype(dtype)?.kind {
            ElementKind::Numbers(scalar, count) => {
                found.extend((0..count).map(|n| (offset + n * scalar.size(), scalar)));
                Ok(())
            }
            _ => Ok(()),
        };
    }
    let names: Vec<String> = dtype.getattr("names")?.extract()?;
    for name in names {
        let field = fields.get_item(&name)?;
        let own: Bound<'_, PyAny> = field.get_item(0)?;
        let place: usize = field.get_item(1)?.extract()?;
        numbers(&own, offset + place, found)?;
    }
    Ok(())
}
