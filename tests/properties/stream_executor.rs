//! What random programs of Brook+ run on: a device, or the interpreter, which watches them besides.

use super::executor::{INTERPRETER, judge};
use brook::expr::Scalar;
use brook::interpret::{self, Order, Settings};
use brook::runtime::{BuildOptions, Device, DynStream, StreamArgument};
use brook::source::FileLoader;
use brook::{Checking, Options, Source};

/// An argument.
pub enum Given {
    /// Elements of a type, by its name, and extents; the bytes are what the call made of them afterwards.
    Stream {
        element: String,
        extents: Vec<u32>,
        bytes: Vec<u8>,
    },
    Value(Scalar, Vec<u8>),
}

impl Given {
    pub fn stream(element: &str, extents: &[u32], bytes: Vec<u8>) -> Self {
        Self::Stream {
            element: element.to_string(),
            extents: extents.to_vec(),
            bytes,
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Stream { bytes, .. } | Self::Value(_, bytes) => bytes,
        }
    }
}

/// A program that can be called.
pub enum StreamExecutor {
    Device(Device, brook::runtime::Program),
    Interpreter(Source, Box<Options>),
}

impl StreamExecutor {
    /// Builds Brook+ for a device, or for the [`INTERPRETER`].
    pub fn build(
        name: &str,
        text: &str,
        checking: Checking,
        options: BuildOptions,
    ) -> Result<Self, String> {
        let source = Source::new("program.br", text);
        if name == INTERPRETER {
            let options = Options {
                checking,
                ..Options::default()
            };
            return Ok(Self::Interpreter(source, Box::new(options)));
        }
        let device = Device::open(name).map_err(shown)?;
        let built = device.build(&source, &options.checking(checking));
        let built = built.map_err(shown)?;
        Ok(Self::Device(device, built))
    }

    /// Calls a kernel and waits for it.
    pub fn call(&self, kernel: &str, arguments: &mut [Given]) -> Result<(), String> {
        match self {
            Self::Device(device, built) => call(device, built, kernel, arguments),
            Self::Interpreter(source, options) => interpret(source, options, kernel, arguments),
        }
    }
}

fn call(
    device: &Device,
    built: &brook::runtime::Program,
    kernel: &str,
    arguments: &mut [Given],
) -> Result<(), String> {
    let kernel = built.kernel(kernel).map_err(shown)?;
    let mut streams: Vec<DynStream> = Vec::new();
    for argument in arguments.iter() {
        if let Given::Stream {
            element,
            extents,
            bytes,
        } = argument
        {
            let stream = device.stream(element, extents).map_err(shown)?;
            stream.read(bytes).map_err(shown)?;
            streams.push(stream);
        }
    }
    let mut made = streams.iter();
    let mut given = Vec::new();
    for argument in arguments.iter() {
        given.push(match argument {
            Given::Stream { .. } => StreamArgument::Stream(made.next().ok_or("a stream")?),
            Given::Value(scalar, bytes) => StreamArgument::Value {
                scalar: *scalar,
                bytes,
            },
        });
    }
    kernel.call(&mut given).map_err(shown)?;
    drop(given);
    let mut made = streams.iter();
    for argument in arguments {
        if let Given::Stream { bytes, .. } = argument {
            let stream = made.next().ok_or("a stream")?;
            stream.write(bytes).map_err(shown)?;
        }
    }
    Ok(())
}

/// In all three orders.
fn interpret(
    source: &Source,
    options: &Options,
    kernel: &str,
    arguments: &mut [Given],
) -> Result<(), String> {
    let given = arguments.iter().map(|argument| match argument {
        Given::Value(_, bytes) => interpret::Argument::Value(bytes.clone()),
        Given::Stream { bytes, .. } => interpret::Argument::Buffer {
            bytes: bytes.clone(),
            filled: true,
        },
    });
    let mut given: Vec<interpret::Argument> = given.collect();
    let shapes = arguments.iter().map(|argument| match argument {
        Given::Value(..) => Vec::new(),
        Given::Stream { extents, .. } => extents.clone(),
    });
    let shapes: Vec<Vec<u32>> = shapes.collect();
    let found = brook::sanitize_streams(
        source,
        options,
        &FileLoader,
        kernel,
        &mut given,
        &shapes,
        &[Order::Forward, Order::Reversed, Order::Random(5)],
        &Settings::default(),
    );
    let found = found.map_err(|report| report.to_string())?;
    for (argument, given) in arguments.iter_mut().zip(given) {
        if let (Given::Stream { bytes, .. }, interpret::Argument::Buffer { bytes: after, .. }) =
            (argument, given)
        {
            *bytes = after;
        }
    }
    judge(&found)
}

fn shown(error: impl std::fmt::Display) -> String {
    error.to_string()
}
