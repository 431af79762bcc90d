//! One launch on one device.

use super::array::{Array, Element, fetch, store};
use super::npy;
use super::spec::{Given, Number};
use crate::cli::Failure;
use brook::expr::Scalar;
use brook::render::{Form, KernelMetadata, ParameterMetadata, Role};
use brook::runtime::{Device, DynStream, Error, Kernel, KernelArgument, StreamArgument};

/// What is passed for a parameter.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// A value.
    Value(Array),
    /// A variable that a reduction writes.
    Variable(Array),
    /// A stream, or device memory.
    Array(Array),
}

impl Argument {
    /// What there is to look at after the launch.
    pub(super) fn array(&self) -> Option<&Array> {
        match self {
            Self::Value(_) => None,
            Self::Variable(array) | Self::Array(array) => Some(array),
        }
    }
}

/// Whether the kernel may write it.
pub(super) fn is_written(parameter: &ParameterMetadata) -> bool {
    match parameter.role {
        Role::Buffer => !parameter.constant,
        Role::Output | Role::Scatter(_) | Role::Reduce | Role::Vout => true,
        Role::Value | Role::Input | Role::Gather(_) => false,
    }
}

/// The arguments of a kernel, in order.
pub(super) fn arguments(
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

/// Launches the kernel; arrays hold afterwards what it made of them.
pub(super) fn launch(kernel: &Kernel, arguments: &mut [Argument]) -> Result<(), Error> {
    match kernel.metadata().form {
        Form::Okl => launch_okl(kernel, arguments),
        Form::Map | Form::Reduce | Form::Vout => call(kernel, arguments),
    }
}

fn launch_okl(kernel: &Kernel, arguments: &mut [Argument]) -> Result<(), Error> {
    let device = kernel.program().device();
    let mut buffers = Vec::new();
    for argument in arguments.iter() {
        buffers.push(match argument.array() {
            Some(array) => {
                let buffer = device.allocate(array.bytes.len())?;
                buffer.write(0, &array.bytes)?;
                Some(buffer)
            }
            None => None,
        });
    }
    let passed = arguments.iter().zip(&buffers).map(|pair| match pair {
        (_, Some(buffer)) => KernelArgument::buffer(&**buffer),
        (Argument::Value(a) | Argument::Variable(a) | Argument::Array(a), None) => {
            KernelArgument::bytes(&a.bytes)
        }
    });
    // SAFETY: whoever asks for the launch chose the arguments, as they would in a program of their own.
    unsafe { kernel.launch(&passed.collect::<Vec<_>>()) }?;
    device.synchronize()?;
    for (argument, buffer) in arguments.iter_mut().zip(buffers) {
        if let (Argument::Array(array), Some(buffer)) = (argument, buffer) {
            buffer.read(0, &mut array.bytes)?;
        }
    }
    Ok(())
}

fn call(kernel: &Kernel, arguments: &mut [Argument]) -> Result<(), Error> {
    let device = kernel.program().device();
    let parameters = &kernel.metadata().parameters;
    let mut streams = Vec::new();
    for (argument, parameter) in arguments.iter().zip(parameters) {
        streams.push(match argument {
            Argument::Array(array) => Some(stream(device, array, parameter)?),
            _ => None,
        });
    }
    let passed = arguments.iter_mut().zip(&mut streams).zip(parameters);
    let passed = passed.map(|((argument, stream), parameter)| {
        let is_struct = !parameter.numbers.is_empty();
        match (argument, stream) {
            (_, Some(stream)) => StreamArgument::Growing(stream),
            (Argument::Value(array) | Argument::Array(array), None) => match is_struct {
                true => StreamArgument::Array {
                    scalar: Scalar::UChar,
                    extents: &[],
                    bytes: &array.bytes,
                },
                false => StreamArgument::Value {
                    scalar: scalar(array),
                    bytes: &array.bytes,
                },
            },
            (Argument::Variable(array), None) => StreamArgument::Variable {
                scalar: scalar(array),
                bytes: &mut array.bytes,
            },
        }
    });
    // SAFETY: as above.
    unsafe { kernel.call_okl(&mut passed.collect::<Vec<_>>()) }?;
    device.synchronize()?;
    for (argument, stream) in arguments.iter_mut().zip(&streams) {
        if let (Argument::Array(array), Some(stream)) = (argument, stream) {
            // A variable output has another shape now.
            array.shape = stream.extents();
            array.bytes.resize(stream.bytes(), 0);
            stream.write(&mut array.bytes)?;
        }
    }
    Ok(())
}

fn scalar(array: &Array) -> Scalar {
    let first = array.element.numbers.first();
    first.map_or(Scalar::UChar, |(_, scalar)| *scalar)
}

fn stream(
    device: &Device,
    array: &Array,
    parameter: &ParameterMetadata,
) -> Result<DynStream, Error> {
    let element = match parameter.numbers.is_empty() {
        true => parameter.type_name.clone(),
        false => format!("bytes:{}", array.element.bytes),
    };
    let stream = device.stream(&element, &array.shape)?;
    stream.read(&array.bytes)?;
    Ok(stream)
}
