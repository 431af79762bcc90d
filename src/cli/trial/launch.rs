//! Launches on one device.

use crate::cli::arguments::Argument;
use crate::cli::arguments::array::Array;
use brook::expr::Scalar;
use brook::metadata::{Form, ParameterMetadata, Role};
use brook::runtime::{Device, DynStream, Error, Kernel, KernelArgument, Residency, StreamArgument};
use brook_driver::Buffer;
use std::sync::Arc;

/// Whether the kernel may write it.
pub(in crate::cli) fn is_written(parameter: &ParameterMetadata) -> bool {
    match parameter.role {
        Role::Buffer => !parameter.constant,
        Role::Output | Role::Scatter(_) | Role::Reduce | Role::Vout => true,
        Role::Value | Role::Input | Role::Gather(_) => false,
    }
}

/// Arguments with the memory that they have on a device.
pub(in crate::cli) struct Placed {
    device: Device,
    arguments: Vec<(Argument, ParameterMetadata, Place)>,
}

/// Where an argument is.
enum Place {
    /// It is a value.
    Host,
    Buffer(Arc<dyn Buffer>),
    Stream(DynStream),
}

impl Placed {
    /// Takes memory for all arrays and fills it.
    pub(in crate::cli) fn new(
        device: &Device,
        (form, parameters): (Form, &[ParameterMetadata]),
        arguments: Vec<Argument>,
    ) -> Result<Self, Error> {
        let mut placed = Vec::new();
        for (argument, parameter) in arguments.into_iter().zip(parameters) {
            let place = match (form, &argument) {
                (Form::Okl, Argument::Array(array) | Argument::Variable(array)) => {
                    Place::Buffer(device.allocate(array.bytes.len())?)
                }
                (Form::Map | Form::Reduce | Form::Vout, Argument::Array(array)) => {
                    Place::Stream(stream(device, array, parameter)?)
                }
                _ => Place::Host,
            };
            placed.push((argument, parameter.clone(), place));
        }
        let this = Self {
            device: device.clone(),
            arguments: placed,
        };
        this.fill(&|_| true)?;
        Ok(this)
    }

    /// Gives arrays that kernels may write what they had at first. A variable output has its first shape again.
    pub(in crate::cli) fn reset(&mut self) -> Result<(), Error> {
        for (argument, parameter, place) in &mut self.arguments {
            if let (Argument::Array(array), Place::Stream(held)) = (&*argument, &mut *place)
                && held.extents() != array.shape
            {
                *held = stream(&self.device, array, parameter)?;
            }
        }
        self.fill(&is_written)?;
        self.device.synchronize()
    }

    fn fill(&self, wanted: &dyn Fn(&ParameterMetadata) -> bool) -> Result<(), Error> {
        for (argument, parameter, place) in &self.arguments {
            let Some(array) = argument.array().filter(|_| wanted(parameter)) else {
                continue;
            };
            match place {
                Place::Host => {}
                Place::Buffer(buffer) => buffer.write(0, &array.bytes)?,
                Place::Stream(stream) => stream.read(&array.bytes)?,
            }
        }
        Ok(())
    }

    /// What fits of the kernel, as [`Kernel::residency`] says.
    pub(in crate::cli) fn residency(
        &self,
        kernel: &Kernel,
    ) -> Result<Vec<(u32, Residency)>, Error> {
        match kernel.metadata().form {
            Form::Okl => kernel.residency(&self.passed()),
            Form::Map | Form::Reduce | Form::Vout => Ok(Vec::new()),
        }
    }

    fn passed(&self) -> Vec<KernelArgument<'_>> {
        let passed = self
            .arguments
            .iter()
            .map(|(argument, _, place)| match (argument, place) {
                (_, Place::Buffer(buffer)) => KernelArgument::buffer(&**buffer),
                (Argument::Value(a) | Argument::Variable(a) | Argument::Array(a), _) => {
                    KernelArgument::bytes(&a.bytes)
                }
            });
        passed.collect()
    }

    /// Launches the kernel so many times and waits for the last.
    pub(in crate::cli) fn launch(&mut self, kernel: &Kernel, times: usize) -> Result<(), Error> {
        match kernel.metadata().form {
            Form::Okl => {
                let passed = self.passed();
                for _ in 0..times {
                    // SAFETY: whoever asks for the launch chose the arguments, as they would in a program of their own.
                    unsafe { kernel.launch(&passed) }?;
                }
            }
            Form::Map | Form::Reduce | Form::Vout => {
                for _ in 0..times {
                    self.call(kernel)?;
                }
            }
        }
        self.device.synchronize()
    }

    fn call(&mut self, kernel: &Kernel) -> Result<(), Error> {
        let passed = self
            .arguments
            .iter_mut()
            .map(|(argument, parameter, place)| {
                let is_struct = !parameter.numbers.is_empty();
                match (argument, place) {
                    (_, Place::Stream(stream)) => StreamArgument::Growing(stream),
                    (Argument::Value(array) | Argument::Array(array), _) => match is_struct {
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
                    (Argument::Variable(array), _) => StreamArgument::Variable {
                        scalar: scalar(array),
                        bytes: &mut array.bytes,
                    },
                }
            });
        // SAFETY: as of a launch.
        unsafe { kernel.call_okl(&mut passed.collect::<Vec<_>>()) }
    }

    /// What there is of each array now.
    pub(in crate::cli) fn results(&self) -> Result<Vec<Option<Array>>, Error> {
        let results = self.arguments.iter().map(|(argument, _, place)| {
            let Some(array) = argument.array() else {
                return Ok(None);
            };
            let mut array = array.clone();
            match place {
                Place::Host => {}
                Place::Buffer(buffer) => buffer.read(0, &mut array.bytes)?,
                Place::Stream(stream) => {
                    // A variable output has another shape now.
                    array.shape = stream.extents();
                    array.bytes.resize(stream.bytes(), 0);
                    stream.write(&mut array.bytes)?;
                }
            }
            Ok(Some(array))
        });
        results.collect()
    }
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
    device.stream(&element, &array.shape)
}
