//! One launch on one device.

use crate::cli::arguments::Argument;
use crate::cli::arguments::array::Array;
use brook::expr::Scalar;
use brook::metadata::{Form, ParameterMetadata, Role};
use brook::runtime::{Device, DynStream, Error, Kernel, KernelArgument, StreamArgument};

/// Whether the kernel may write it.
pub(super) fn is_written(parameter: &ParameterMetadata) -> bool {
    match parameter.role {
        Role::Buffer => !parameter.constant,
        Role::Output | Role::Scatter(_) | Role::Reduce | Role::Vout => true,
        Role::Value | Role::Input | Role::Gather(_) => false,
    }
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
