//! What random programs of OKL run on: a device, or the interpreter, which watches them besides.

use crate::support::trusted::Trusted;
use brook::interpret::{self, Kind, Order, Settings};
use brook::runtime::{BuildOptions, Device, KernelArgument};
use brook::source::FileLoader;
use brook::{Sanitized, Source};

/// In place of a device's name.
pub const INTERPRETER: &str = "interpreter";

/// An argument, as its bytes lie in memory.
pub enum Argument {
    Value(Vec<u8>),
    /// They are what the kernel made of them afterwards.
    Buffer(Vec<u8>),
}

impl Argument {
    pub fn int(value: i64) -> Self {
        Self::Value((value as i32).to_ne_bytes().to_vec())
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Value(bytes) | Self::Buffer(bytes) => bytes,
        }
    }
}

/// A program that can be launched.
pub enum Executor {
    Device(Device, brook::runtime::Program),
    Interpreter(Source, Box<brook::Options>),
}

impl Executor {
    /// Builds OKL for a device, or for the [`INTERPRETER`].
    pub fn build(name: &str, okl: &str, options: BuildOptions) -> Result<Self, String> {
        let source = Source::new("program.okl", okl);
        if name == INTERPRETER {
            return Ok(Self::Interpreter(source, Box::default()));
        }
        let device = Device::open(name).map_err(text)?;
        let built = device.build(&source, &options).map_err(text)?;
        Ok(Self::Device(device, built))
    }

    /// Launches a kernel and waits for it.
    pub fn launch(&self, kernel: &str, arguments: &mut [Argument]) -> Result<(), String> {
        match self {
            Self::Device(device, built) => run(device, built, kernel, arguments),
            Self::Interpreter(source, options) => interpret(source, options, kernel, arguments),
        }
    }
}

fn run(
    device: &Device,
    built: &brook::runtime::Program,
    kernel: &str,
    arguments: &mut [Argument],
) -> Result<(), String> {
    let launcher = built.kernel(kernel).map_err(text)?;
    let mut memory = Vec::new();
    for argument in arguments.iter() {
        if let Argument::Buffer(bytes) = argument {
            let buffer = device.allocate(bytes.len()).map_err(text)?;
            buffer.write(0, bytes).map_err(text)?;
            memory.push(buffer);
        }
    }
    let mut buffers = memory.iter();
    let mut given = Vec::new();
    for argument in arguments.iter() {
        given.push(match argument {
            Argument::Value(bytes) => KernelArgument::bytes(bytes),
            Argument::Buffer(_) => KernelArgument::buffer(&**buffers.next().ok_or("a buffer")?),
        });
    }
    launcher.run(&given).map_err(text)?;
    device.synchronize().map_err(text)?;
    drop(given);
    let mut buffers = memory.iter();
    for argument in arguments {
        if let Argument::Buffer(bytes) = argument {
            let buffer = buffers.next().ok_or("a buffer")?;
            buffer.read(0, bytes).map_err(text)?;
        }
    }
    Ok(())
}

/// In all three orders.
fn interpret(
    source: &Source,
    options: &brook::Options,
    kernel: &str,
    arguments: &mut [Argument],
) -> Result<(), String> {
    let given = arguments.iter().map(|argument| match argument {
        Argument::Value(bytes) => interpret::Argument::Value(bytes.clone()),
        Argument::Buffer(bytes) => interpret::Argument::Buffer {
            bytes: bytes.clone(),
            filled: true,
        },
    });
    let mut given = given.collect();
    let orders = [Order::Forward, Order::Reversed, Order::Random(11)];
    let found = brook::sanitize(
        source,
        options,
        &FileLoader,
        kernel,
        &mut given,
        &orders,
        &Settings::default(),
    );
    let found = found.map_err(|report| report.to_string())?;
    for (argument, given) in arguments.iter_mut().zip(given) {
        if let (Argument::Buffer(bytes), interpret::Argument::Buffer { bytes: after, .. }) =
            (argument, given)
        {
            *bytes = after;
        }
    }
    judge(&found)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Whatever is found is wrong, but for rows that are left: these programs do that on purpose.
pub fn judge(found: &Sanitized) -> Result<(), String> {
    let meant = |kind: Kind| kind.is_remark() || kind == Kind::Row;
    match found.findings.iter().all(|f| meant(f.kind)) {
        true => Ok(()),
        false => Err(found.report.to_string()),
    }
}
