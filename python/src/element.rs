//! numpy's types of elements, and the runtime's.

use brook::expr::Scalar;
use brook::runtime::ElementKind;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// What elements of an array are: numbers, or something that only numpy's dtype describes.
pub(crate) struct ElementType {
    pub(crate) kind: ElementKind,
    /// Of structures and complex numbers.
    pub(crate) dtype: Option<Py<PyAny>>,
}

impl ElementType {
    /// One number.
    pub(crate) fn number(scalar: Scalar) -> Self {
        Self {
            kind: ElementKind::Numbers(scalar, 1),
            dtype: None,
        }
    }

    /// The same once more.
    pub(crate) fn again(&self, py: Python<'_>) -> Self {
        Self {
            kind: self.kind,
            dtype: self.dtype.as_ref().map(|dtype| dtype.clone_ref(py)),
        }
    }

    /// What somebody means by a dtype: whatever `numpy.dtype` takes.
    pub(crate) fn of(py: Python<'_>, dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let dtype = dtype_type(py)?.call1((dtype,))?;
        Self::of_dtype(&dtype)
    }

    /// What a `numpy.dtype` is.
    pub(crate) fn of_dtype(dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let letter: String = dtype.getattr("kind")?.extract()?;
        let size: usize = dtype.getattr("itemsize")?.extract()?;
        let native: bool = dtype.getattr("isnative")?.extract()?;
        let has_objects: bool = dtype.getattr("hasobject")?.extract()?;
        let refuse = |why: &str| Err(PyTypeError::new_err(format!("{dtype} {why}")));
        if has_objects {
            return refuse("holds Python objects, which no device has");
        }
        if !native {
            return refuse(
                "has its bytes in the other order; .astype(dtype.newbyteorder('=')) has a device's",
            );
        }
        match (letter.as_bytes(), size) {
            (b"V", 1..) => Ok(Self {
                kind: ElementKind::Structure(size),
                dtype: Some(dtype.clone().unbind()),
            }),
            (b"c", 8 | 16) => Ok(Self {
                kind: ElementKind::Numbers(
                    if size == 8 {
                        Scalar::Float
                    } else {
                        Scalar::Double
                    },
                    2,
                ),
                dtype: Some(dtype.clone().unbind()),
            }),
            ([letter], size) => match scalar(*letter, size) {
                Some(scalar) => Ok(Self::number(scalar)),
                None => refuse("is no type of elements of a kernel"),
            },
            _ => refuse("is no type of elements of a kernel"),
        }
    }

    /// Bytes of an element.
    pub(crate) fn size(&self) -> usize {
        self.kind.size()
    }

    /// The same as a `numpy.dtype`.
    pub(crate) fn dtype(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match (&self.dtype, self.kind) {
            (Some(dtype), _) => Ok(dtype.clone_ref(py)),
            (None, ElementKind::Numbers(scalar, _)) => number_dtype(py, scalar),
            (None, _) => Err(PyTypeError::new_err("elements of no known type")),
        }
    }
}

/// The number of numpy's letter for a kind, and size.
pub(crate) fn scalar(letter: u8, size: usize) -> Option<Scalar> {
    Some(match (letter, size) {
        (b'b', 1) => Scalar::Bool,
        (b'i', 1) => Scalar::Char,
        (b'u', 1) => Scalar::UChar,
        (b'i', 2) => Scalar::Short,
        (b'u', 2) => Scalar::UShort,
        (b'i', 4) => Scalar::Int,
        (b'u', 4) => Scalar::UInt,
        (b'i', 8) => Scalar::Long,
        (b'u', 8) => Scalar::ULong,
        (b'f', 4) => Scalar::Float,
        (b'f', 8) => Scalar::Double,
        _ => return None,
    })
}

/// numpy's name of a number.
pub(crate) fn name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::Char => "int8",
        Scalar::UChar => "uint8",
        Scalar::Short => "int16",
        Scalar::UShort => "uint16",
        Scalar::Int => "int32",
        Scalar::UInt => "uint32",
        Scalar::Long => "int64",
        Scalar::ULong => "uint64",
        Scalar::Float => "float32",
        Scalar::Double => "float64",
    }
}

/// numpy's letter of a number, with which `typestr` and DLPack's codes begin.
pub(crate) fn letter(scalar: Scalar) -> char {
    match scalar {
        Scalar::Bool => 'b',
        Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long => 'i',
        Scalar::UChar | Scalar::UShort | Scalar::UInt | Scalar::ULong => 'u',
        Scalar::Float | Scalar::Double => 'f',
    }
}

/// What an element is, in numpy's words.
pub(crate) fn describe(kind: ElementKind) -> String {
    match kind {
        ElementKind::Numbers(scalar, 1) => name(scalar).to_string(),
        ElementKind::Numbers(Scalar::Float, 2) => "complex64".to_string(),
        ElementKind::Numbers(Scalar::Double, 2) => "complex128".to_string(),
        other => other.to_string(),
    }
}

/// `numpy.dtype`.
pub(crate) fn dtype_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "numpy", "dtype")
}

/// `numpy.ndarray`.
pub(crate) fn array_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "numpy", "ndarray")
}

/// A function of numpy.
pub(crate) fn numpy<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.getattr(name)
}

fn number_dtype(py: Python<'_>, scalar: Scalar) -> PyResult<Py<PyAny>> {
    let index = SCALARS.iter().position(|s| *s == scalar).unwrap_or(0);
    Ok(all_numbers(py)?[index].clone_ref(py))
}

/// numpy's dtypes of all numbers, in the order of [`SCALARS`].
fn all_numbers(py: Python<'_>) -> PyResult<&'static [Py<PyAny>]> {
    static ALL: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    let all = ALL.get_or_try_init(py, || {
        let dtype = dtype_type(py)?;
        let make = |scalar: &Scalar| Ok(dtype.call1((name(*scalar),))?.unbind());
        SCALARS.iter().map(make).collect::<PyResult<Vec<_>>>()
    })?;
    Ok(all)
}

/// The number that a dtype is, if it is numpy's own object for that.
pub(crate) fn known_dtype(dtype: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    let found = { all_numbers(dtype.py())?.iter().zip(SCALARS) }.find(|(known, _)| known.is(dtype));
    Ok(found.map(|(_, scalar)| scalar))
}

const SCALARS: [Scalar; 11] = [
    Scalar::Bool,
    Scalar::Char,
    Scalar::UChar,
    Scalar::Short,
    Scalar::UShort,
    Scalar::Int,
    Scalar::UInt,
    Scalar::Long,
    Scalar::ULong,
    Scalar::Float,
    Scalar::Double,
];
