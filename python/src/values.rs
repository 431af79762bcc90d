//! Values: numbers, vectors and structures that are passed by copy.

use crate::arguments::{Place, Slot};
use crate::element::{self, ElementType};
use crate::host::HostArray;
use crate::structures::fits_structure;
use brook::expr::Scalar;
use brook::module::VectorType;
use brook::runtime::{ElementKind, KernelArgument};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString};

/// A number of that type: an integer that it can hold, or what `float()` makes of an object.
pub(crate) fn number(
    place: Place<'_>,
    scalar: Scalar,
    object: &Bound<'_, PyAny>,
) -> PyResult<KernelArgument<'static>> {
    let wants = || format!("a {}", place.wanted.type_name);
    if scalar.is_float() {
        let x = float(object).ok_or_else(|| place.mismatch(&wants(), object))?;
        return Ok(match scalar {
            Scalar::Float => (x as f32).into(),
            _ => x.into(),
        });
    }
    let too_large = || {
        PyValueError::new_err(format!(
            "{} is a {}, which cannot hold {}",
            place.label(),
            place.wanted.type_name,
            object.repr().map(|r| r.to_string()).unwrap_or_default()
        ))
    };
    if scalar == Scalar::Bool {
        let class = object.get_type();
        let is_bool = object.is_instance_of::<PyBool>()
            || class.name().is_ok_and(|n| n == "bool" || n == "bool_");
        return match is_bool {
            true => Ok(object.is_truthy()?.into()),
            false => match object.extract::<i64>() {
                Ok(bit @ 0..=1) => Ok((bit == 1).into()),
                Ok(_) => Err(too_large()),
                Err(_) => Err(place.mismatch("a bool", object)),
            },
        };
    }
    let value = match object.extract::<i64>() {
        Ok(value) => i128::from(value),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            i128::from(object.extract::<u64>().map_err(|_| too_large())?)
        }
        Err(_) => return Err(place.mismatch(&wants(), object)),
    };
    let fits = match scalar {
        Scalar::Char => i8::try_from(value).ok().map(Into::into),
        Scalar::UChar => u8::try_from(value).ok().map(Into::into),
        Scalar::Short => i16::try_from(value).ok().map(Into::into),
        Scalar::UShort => u16::try_from(value).ok().map(Into::into),
        Scalar::Int => i32::try_from(value).ok().map(Into::into),
        Scalar::UInt => u32::try_from(value).ok().map(Into::into),
        Scalar::Long => i64::try_from(value).ok().map(Into::into),
        _ => u64::try_from(value).ok().map(Into::into),
    };
    fits.ok_or_else(too_large)
}

/// What `float()` makes of a number; nothing of texts, and of arrays but those of no dimensions.
fn float(object: &Bound<'_, PyAny>) -> Option<f64> {
    if object.is_instance_of::<PyString>() {
        return None;
    }
    if !object.is_instance_of::<PyFloat>() && !object.is_instance_of::<PyInt>() {
        let rank = object.getattr("ndim").and_then(|n| n.extract::<usize>());
        if rank.is_ok_and(|rank| rank > 0) {
            return None;
        }
    }
    object.extract().ok()
}

/// A value of the type that it has in Python: numpy's scalars have one, integers are `int`, or `long` where they are too large.
pub(crate) fn natural(place: Place<'_>, object: &Bound<'_, PyAny>) -> PyResult<Slot> {
    let typed = |scalar| number(place, scalar, object).map(Slot::Number);
    if object.is_instance_of::<PyBool>() {
        return typed(Scalar::Bool);
    }
    if object.is_instance_of::<PyInt>() {
        let small = object.extract::<i32>().is_ok();
        return typed(if small { Scalar::Int } else { Scalar::Long });
    }
    if let Ok(dtype) = object.getattr("dtype") {
        return match ElementType::of_dtype(&dtype)?.kind {
            ElementKind::Numbers(scalar, 1) => typed(scalar),
            _ => bytes(object).map(Slot::Bytes),
        };
    }
    match object.is_instance_of::<PyFloat>() {
        true => typed(Scalar::Double),
        false => Err(place.mismatch("a value", object)),
    }
}

fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let made = object.call_method0("tobytes")?;
    Ok(made.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Numbers side by side, as an array of a type: what numpy makes of a sequence.
fn components(object: &Bound<'_, PyAny>, scalar: Scalar) -> PyResult<(Vec<usize>, Vec<u8>)> {
    let py = object.py();
    let array = element::numpy(py, "asarray")?.call1((object,))?;
    let keywords = PyDict::new(py);
    keywords.set_item("casting", "same_kind")?;
    let array = array.call_method("astype", (element::name(scalar),), Some(&keywords))?;
    let shape = array.getattr("shape")?.extract()?;
    Ok((shape, bytes(&array)?))
}

pub(crate) fn vector_bytes(
    place: Place<'_>,
    vector: VectorType,
    object: &Bound<'_, PyAny>,
) -> PyResult<Slot> {
    let width = usize::from(vector.width);
    let wants = || format!("a {}: {width} numbers", place.wanted.type_name);
    let numbers = components(object, vector.scalar);
    let (shape, mut bytes) = numbers.map_err(|_| place.mismatch(&wants(), object))?;
    if shape != [width] {
        return Err(place.mismatch(&wants(), object));
    }
    bytes.resize(vector.size(), 0);
    Ok(Slot::Vector(vector, bytes))
}

pub(crate) fn structure(
    place: Place<'_>,
    size: usize,
    object: &Bound<'_, PyAny>,
) -> PyResult<Slot> {
    let wants = || {
        format!(
            "a {} of {size} bytes: a scalar of numpy's structured types",
            place.wanted.type_name
        )
    };
    if let Ok(bytes) = object.cast::<PyBytes>()
        && bytes.as_bytes().len() == size
    {
        return Ok(Slot::Bytes(bytes.as_bytes().to_vec()));
    }
    let wrong = |_| place.mismatch(&wants(), object);
    let dtype = object.getattr("dtype").map_err(wrong)?;
    let rank: usize = object
        .getattr("ndim")
        .map_err(wrong)?
        .extract()
        .map_err(wrong)?;
    if rank != 0 || HostArray::of(object)?.is_some_and(|a| a.bytes() != size) {
        return Err(place.mismatch(&wants(), object));
    }
    fits_structure(place, &dtype, object)?;
    bytes(object).map(Slot::Bytes)
}

/// A value of Brook+, whose numbers are of that type.
pub(crate) fn packed_value(object: &Bound<'_, PyAny>, scalar: Scalar) -> PyResult<Vec<u8>> {
    components(object, scalar).map(|(_, bytes)| bytes)
}
