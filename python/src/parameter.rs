//! What a kernel takes, worked out once.

use crate::element;
use brook::expr::{Expr, Scalar};
use brook::metadata::{ParameterMetadata, Role};
use brook::module::{Tells, VectorType};
use brook::runtime;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::OnceLock;

/// A parameter of a kernel.
#[pyclass(frozen, module = "brook")]
pub(crate) struct Parameter {
    /// Its name in the source.
    #[pyo3(get)]
    name: String,
    /// ``"value"``, ``"pointer"``; in Brook+ also ``"input"``, ``"output"``, ``"gather"``, ``"scatter"``, ``"reduce"``, ``"vout"``.
    #[pyo3(get)]
    role: &'static str,
    /// The type's words: ``float``, ``float4``, ``struct Ray``.
    #[pyo3(get)]
    r#type: String,
    /// Whether it is declared const, so that the kernel does not write it.
    #[pyo3(get)]
    is_const: bool,
    /// numpy's name of the numbers that it consists of, or points to; None of structures and of types of a template.
    #[pyo3(get)]
    dtype: Option<&'static str>,
    extents: Vec<u64>,
}

#[pymethods]
impl Parameter {
    /// Of an array of Brook+ that has them: its sizes, slowest first.
    #[getter]
    fn extents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.extents)
    }

    fn __repr__(&self) -> String {
        format!("<{} {}: {}>", self.role, self.name, self.r#type)
    }
}

impl Parameter {
    pub(crate) fn new(parameter: &ParameterMetadata) -> Self {
        let vector = vector_of(parameter);
        let scalar = parameter.scalar.or(vector.map(|v| v.scalar));
        Self {
            name: parameter.name.clone(),
            role: role(parameter.role),
            r#type: parameter.type_name.clone(),
            is_const: parameter.constant,
            dtype: scalar.map(element::name),
            extents: parameter.extents.clone(),
        }
    }
}

/// A role in a word.
pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Value => "value",
        Role::Buffer => "pointer",
        Role::Input => "input",
        Role::Output => "output",
        Role::Gather(_) => "gather",
        Role::Scatter(_) => "scatter",
        Role::Reduce => "reduce",
        Role::Vout => "vout",
    }
}

/// The vector that a parameter is or points at.
pub(crate) fn vector_of(parameter: &ParameterMetadata) -> Option<VectorType> {
    let name = match &parameter.dtype {
        Some(dtype) => &dtype.name,
        None => parameter.type_name.as_str(),
    };
    VectorType::from_name(name)
}

/// What is wanted for a parameter of an OKL kernel.
pub(crate) enum Kind {
    /// A number.
    Number(Scalar),
    /// A vector by value.
    Vector(VectorType),
    /// A structure of so many bytes by value.
    Structure(usize),
    /// A value whose type is the template's parameter of that number.
    Template(usize),
    /// A value of a type that nobody knows.
    Unknown,
    /// Numbers of that type, so many to an element.
    Numbers(Scalar, usize),
    /// Structures, or what the template's parameter of that number is.
    Elements(Option<usize>),
    /// A stream of Brook+.
    Stream,
}

/// A parameter, as arguments are checked against it.
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) type_name: String,
    pub(crate) kind: Kind,
    pub(crate) constant: bool,
    pub(crate) bytes: Option<usize>,
    /// Where numbers of a structure lie.
    pub(crate) numbers: Vec<(usize, Scalar)>,
    /// The extents of `@dim`, slowest first.
    pub(crate) dimensions: Vec<Expr>,
    /// numpy's dtype of structures that was found to fit.
    pub(crate) fits: OnceLock<Py<PyAny>>,
}

/// All parameters of a kernel.
pub(crate) fn wanted(kernel: &runtime::Kernel) -> Vec<Wanted> {
    let template = kernel.template();
    let all = kernel.metadata().parameters.iter().enumerate();
    all.map(|(index, parameter)| {
        let tells = template
            .and_then(|t| t.arguments.get(index))
            .map(|a| a.tells);
        let type_parameter = match tells {
            Some(Tells::Type(number)) => Some(number),
            _ => None,
        };
        Wanted {
            name: parameter.name.clone(),
            type_name: parameter.type_name.clone(),
            kind: kind(parameter, type_parameter),
            constant: parameter.constant,
            bytes: parameter.bytes,
            numbers: parameter.numbers.clone(),
            dimensions: parameter.dimensions.clone(),
            fits: OnceLock::new(),
        }
    })
    .collect()
}

fn kind(parameter: &ParameterMetadata, type_parameter: Option<usize>) -> Kind {
    let vector = vector_of(parameter);
    match (parameter.role, type_parameter) {
        (Role::Value, Some(number)) => Kind::Template(number),
        (Role::Value, None) => match (parameter.scalar, vector, parameter.bytes) {
            (Some(scalar), ..) => Kind::Number(scalar),
            (None, Some(vector), _) => Kind::Vector(vector),
            (None, None, Some(bytes)) => Kind::Structure(bytes),
            (None, None, None) => Kind::Unknown,
        },
        (Role::Buffer, None) => match (parameter.scalar, vector) {
            // Else it points to pointers.
            (Some(scalar), _) if parameter.bytes.is_none_or(|n| n == scalar.size()) => {
                Kind::Numbers(scalar, 1)
            }
            (None, Some(vector)) => {
                Kind::Numbers(vector.scalar, vector.size() / vector.scalar.size())
            }
            _ => Kind::Elements(None),
        },
        (Role::Buffer, number) => Kind::Elements(number),
        _ => Kind::Stream,
    }
}
