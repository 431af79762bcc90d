//! Arguments of kernels as the command is given them: `--arg NAME=VALUE`.
//!
//! - `spec.rs`: what `--arg` says.
//! - `array.rs`, `npy.rs`: arrays, and files of them.

pub(super) mod array;
pub(super) mod npy;
pub(super) mod spec;

use super::Failure;
use array::{Array, Element, fetch, store};
use brook::expr::Scalar;
use brook::interpret;
use brook::metadata::{KernelMetadata, ParameterMetadata, Role};
use spec::{Fill, Given, Number};

/// What is passed for a parameter.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Argument {
    /// A value.
    Value(Array),
    /// A variable that a reduction writes.
    Variable(Array),
    /// A stream, or device memory.
    Array(Array),
}

#[cfg(feature = "runtime")]
impl Argument {
    /// What there is to look at after the launch.
    pub(in crate::cli) fn array(&self) -> Option<&Array> {
        match self {
            Self::Value(_) => None,
            Self::Variable(array) | Self::Array(array) => Some(array),
        }
    }
}

/// The arguments of a kernel, in order.
pub(in crate::cli) fn arguments(
    kernel: &KernelMetadata,
    given: &[(String, Given)],
) -> Result<Vec<Argument>, Failure> {
    let usage = |what: String| Failure::Usage(format!("kernel '{}' {what}", kernel.name));
    let names = || {
        let parameters = kernel.parameters.iter();
        let names = parameters.map(|p| format!("{} {}", p.type_name, p.name));
        names.collect::<Vec<_>>().join(", ")
    };
    for (index, (name, _)) in given.iter().enumerate() {
        if !kernel.parameters.iter().any(|p| p.name == *name) {
            return Err(usage(format!("has no '{name}'; it has: {}", names())));
        }
        if given[..index].iter().any(|(n, _)| n == name) {
            return Err(usage(format!("is given '{name}' twice")));
        }
    }
    let parameters = kernel.parameters.iter().map(|parameter| {
        let name = &parameter.name;
        let found = given.iter().find(|(n, _)| n == name);
        let Some((_, given)) = found else {
            return Err(usage(format!("needs --arg {name}=…; it has: {}", names())));
        };
        let element = Element::of(parameter).ok_or_else(|| {
            let type_name = &parameter.type_name;
            usage(format!(
                "has '{name}' of the type '{type_name}', whose size is not known"
            ))
        })?;
        argument(parameter, element, given).map_err(|what| usage(format!("'{name}': {what}")))
    });
    parameters.collect()
}

/// The same for the interpreter, and the shapes of arrays. What is given as empty, nobody has filled.
pub(in crate::cli) fn interpreted(
    kernel: &KernelMetadata,
    given: &[(String, Given)],
) -> Result<(Vec<interpret::Argument>, Vec<Vec<u32>>), Failure> {
    let made = arguments(kernel, given)?.into_iter();
    let made = made.zip(&kernel.parameters).map(|(argument, parameter)| {
        let mine = given.iter().find(|(name, _)| *name == parameter.name);
        let empty = matches!(mine, Some((_, Given::Filled(_, Fill::Empty))));
        let buffer = |bytes| interpret::Argument::Buffer {
            bytes,
            filled: !empty,
        };
        match argument {
            Argument::Value(array) => (interpret::Argument::Value(array.bytes), Vec::new()),
            Argument::Variable(array) => (buffer(array.bytes), Vec::new()),
            Argument::Array(array) => (buffer(array.bytes), array.shape),
        }
    });
    Ok(made.unzip())
}

fn argument(
    parameter: &ParameterMetadata,
    element: Element,
    given: &Given,
) -> Result<Argument, String> {
    let array = match given {
        Given::Value(numbers) => value(element, numbers, &parameter.type_name)?,
        Given::Filled(shape, fill) => {
            let mut array = Array::zeros(element, shape.clone()).ok_or("it is too large")?;
            array.fill(*fill);
            array
        }
        Given::File(path) => npy::read(path, &element)?,
    };
    let single = array.bytes.len() == array.element.bytes;
    match (parameter.role, given) {
        (Role::Value, _) if single => Ok(Argument::Value(array)),
        (Role::Value, _) => Err("is one value, not an array".to_string()),
        (Role::Reduce, Given::Value(_)) => Ok(Argument::Variable(array)),
        (_, Given::Value(_)) => {
            Err("is an array: zeros(SHAPE), random(SHAPE, seed=1), …".to_string())
        }
        // A file with a single number has no dimension.
        _ if array.shape.is_empty() => Ok(Argument::Array(Array {
            shape: vec![1],
            ..array
        })),
        _ => Ok(Argument::Array(array)),
    }
}

/// A value of all its components, or of one for all of them.
fn value(element: Element, numbers: &[Number], type_name: &str) -> Result<Array, String> {
    let places = element.numbers.clone();
    if numbers.len() != places.len() && numbers.len() != 1 {
        let (wanted, got) = (places.len(), numbers.len());
        return Err(format!("has {wanted} components; got {got}"));
    }
    if places.is_empty() {
        return Err("is a struct of unknown fields; @FILE.npy can hold its bytes".to_string());
    }
    let mut array = Array::zeros(element, Vec::new()).ok_or("it is too large")?;
    for (index, (offset, scalar)) in places.into_iter().enumerate() {
        let number = numbers.get(index).or(numbers.first());
        let number = *number.ok_or("has no value")?;
        let to = array.bytes.get_mut(offset..offset + scalar.size());
        let to = to.ok_or("has no such component")?;
        store(scalar, number, to);
        let kept = fetch(scalar, to);
        let fraction = number.as_f64().fract() != 0.0;
        if !scalar.is_float()
            && scalar != Scalar::Bool
            && (fraction || kept.as_i128() != number.as_i128())
        {
            return Err(format!("{type_name} cannot hold {}", number.as_f64()));
        }
    }
    Ok(array)
}
