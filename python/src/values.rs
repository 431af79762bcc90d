//! Values: numbers, vectors and structures that are passed by copy.

use crate::arguments::{Place, Slot};
use crate::element::{self, ElementType};
use crate::host::HostArray;
use crate::structures::fits_structure;
use brook::expr::{Scalar, Value};
use brook::module::VectorType;
use brook::runtime::{ElementKind, KernelArgument};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

/// Why an object is no number of a type.
pub(crate) enum Misfit {
    /// It is none at all, or of another kind.
    Kind,
    /// The type cannot hold it.
    Range,
    /// What its own methods raised.
    Raised(PyErr),
}

impl Misfit {
    /// Of what a conversion raised.
    fn of(error: PyErr, py: Python<'_>) -> Self {
        match error {
            e if e.is_instance_of::<PyOverflowError>(py) => Self::Range,
            e if e.is_instance_of::<PyTypeError>(py) => Self::Kind,
            e => Self::Raised(e),
        }
    }

    /// The exception: of what is of another kind, or of what `place`, in words, is and cannot hold the object.
    pub(crate) fn raise(
        self,
        object: &Bound<'_, PyAny>,
        kind: impl FnOnce() -> PyErr,
        place: impl FnOnce() -> String,
    ) -> PyErr {
        match self {
            Self::Raised(error) => error,
            Self::Kind => kind(),
            Self::Range => PyValueError::new_err(format!(
                "{}, which cannot hold {}",
                place(),
                object.repr().map(|r| r.to_string()).unwrap_or_default()
            )),
        }
    }
}

/// A number of that type: an integer that it can hold, or what `float()` makes of an object.
pub(crate) fn value_of(object: &Bound<'_, PyAny>, scalar: Scalar) -> Result<Value, Misfit> {
    let py = object.py();
    if scalar.is_float() {
        let x = float(object)?;
        return Ok(Value::Float(scalar, x));
    }
    let class = object.get_type();
    let is_bool = object.is_instance_of::<PyBool>()
        || class.name().is_ok_and(|n| n == "bool" || n == "bool_");
    let integer: i128 = match is_bool {
        true => object.is_truthy().map_err(|e| Misfit::of(e, py))?.into(),
        false => match object.extract::<i64>() {
            Ok(value) => value.into(),
            Err(error) => match Misfit::of(error, py) {
                Misfit::Range => { object.extract::<u64>() }
                    .map_err(|_| Misfit::Range)?
                    .into(),
                other => return Err(other),
            },
        },
    };
    let bits = 8 * scalar.size() as u32;
    let range = match scalar {
        Scalar::Bool => 0..=1,
        Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long => {
            -(1i128 << (bits - 1))..=(1i128 << (bits - 1)) - 1
        }
        _ => 0..=(1i128 << bits) - 1,
    };
    match range.contains(&integer) {
        true => Ok(Value::Int(scalar, integer as i64)),
        false => Err(Misfit::Range),
    }
}

/// What `float()` makes of a number; nothing of texts, and of arrays but those of no dimensions.
fn float(object: &Bound<'_, PyAny>) -> Result<f64, Misfit> {
    if object.is_instance_of::<PyString>() {
        return Err(Misfit::Kind);
    }
    if !object.is_instance_of::<PyFloat>() && !object.is_instance_of::<PyInt>() {
        let rank = object.getattr("ndim").and_then(|n| n.extract::<usize>());
        if rank.is_ok_and(|rank| rank > 0) {
            return Err(Misfit::Kind);
        }
    }
    object.extract().map_err(|e| Misfit::of(e, object.py()))
}

/// A number of a kernel's argument.
pub(crate) fn number(
    place: Place<'_>,
    scalar: Scalar,
    object: &Bound<'_, PyAny>,
) -> PyResult<KernelArgument<'static>> {
    let name = &place.wanted.type_name;
    let value = value_of(object, scalar).map_err(|misfit| {
        let kind = || {
            let article = if scalar == Scalar::Int { "an" } else { "a" };
            place.mismatch(&format!("{article} {name}"), object)
        };
        misfit.raise(object, kind, || format!("{} is a {name}", place.label()))
    })?;
    Ok(match value {
        Value::Float(Scalar::Float, x) => (x as f32).into(),
        Value::Float(_, x) => x.into(),
        Value::Int(scalar, n) => match scalar {
            Scalar::Bool => (n != 0).into(),
            Scalar::Char => (n as i8).into(),
            Scalar::UChar => (n as u8).into(),
            Scalar::Short => (n as i16).into(),
            Scalar::UShort => (n as u16).into(),
            Scalar::Int => (n as i32).into(),
            Scalar::UInt => (n as u32).into(),
            Scalar::ULong => (n as u64).into(),
            _ => n.into(),
        },
    })
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

pub(crate) fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let made = object.call_method0("tobytes")?;
    Ok(made.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Numbers as an array of a type: what numpy makes of a sequence, where the type can hold each of them.
pub(crate) fn components<'py>(
    object: &Bound<'py, PyAny>,
    scalar: Scalar,
) -> Result<Bound<'py, PyAny>, Misfit> {
    let py = object.py();
    let of = |error| Misfit::of(error, py);
    let array = { element::numpy(py, "asarray") }
        .and_then(|f| f.call1((object,)))
        .map_err(of)?;
    let kind = array.getattr("dtype").and_then(|d| d.getattr("kind"));
    let kind: String = kind.and_then(|k| k.extract()).map_err(of)?;
    let fits = match kind.as_str() {
        "b" | "i" | "u" => true,
        "f" => scalar.is_float(),
        // Integers that are larger than any that numpy has.
        "O" if !scalar.is_float() => return Err(Misfit::Range),
        _ => false,
    };
    if !fits {
        return Err(Misfit::Kind);
    }
    let made = array
        .call_method1("astype", (element::name(scalar),))
        .map_err(of)?;
    if !scalar.is_float() {
        let same = { element::numpy(py, "array_equal") }
            .and_then(|f| f.call1((&made, &array))?.is_truthy())
            .map_err(of)?;
        if !same {
            return Err(Misfit::Range);
        }
    }
    Ok(made)
}

pub(crate) fn vector_bytes(
    place: Place<'_>,
    vector: VectorType,
    object: &Bound<'_, PyAny>,
) -> PyResult<Slot> {
    let width = usize::from(vector.width);
    let wants = format!("a {}: {width} numbers", place.wanted.type_name);
    let numbers = components(object, vector.scalar).map_err(|misfit| {
        let kind = || place.mismatch(&wants, object);
        misfit.raise(object, kind, || format!("{} is {wants}", place.label()))
    })?;
    let shape: Vec<usize> = numbers.getattr("shape")?.extract()?;
    if shape != [width] {
        return Err(place.mismatch(&wants, object));
    }
    let mut bytes = bytes(&numbers)?;
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
