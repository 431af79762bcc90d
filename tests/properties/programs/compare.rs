//! The OKL program on a device, compared with what the plain one computed.

use super::oracle::{Buffers, Expected};
use super::value::Type;
use super::{Kernel, Program};
use crate::support::trusted::Trusted;
use brook::Source;
use brook::runtime::{BuildOptions, Device, KernelArgument};

/// Runs every launch, and says where a buffer differs.
pub fn run(
    program: &Program,
    expected: &Expected,
    name: &str,
    flags: &[&str],
) -> Result<(), String> {
    let device = Device::open(name).map_err(text)?;
    let source = Source::new("program.okl", program.source());
    let options = BuildOptions::new().cache(false).from_environment();
    let options = flags
        .iter()
        .fold(options, |options, flag| options.flag(*flag));
    let built = device.build(&source, &options).map_err(text)?;
    let mut launches = expected.launches.iter();
    for kernel in &program.kernels {
        let launcher = built.kernel(&kernel.name).map_err(text)?;
        for (number, scalars) in kernel.launches.iter().enumerate() {
            let (before, after) = launches.next().ok_or("a launch has no expectation")?;
            let memory: Vec<_> = before
                .iter()
                .map(|bytes| {
                    let buffer = device.allocate(bytes.len()).map_err(text)?;
                    buffer.write(0, bytes).map_err(text)?;
                    Ok(buffer)
                })
                .collect::<Result<_, String>>()?;
            let (mut buffers, mut numbers) = (memory.iter(), scalars.iter());
            let mut arguments = Vec::new();
            for given in &kernel.given {
                arguments.push(match given.elements {
                    Some(_) => KernelArgument::buffer(&**buffers.next().ok_or("a buffer")?),
                    None => scalar(given.ty, *numbers.next().ok_or("a scalar")?),
                });
            }
            launcher.run(&arguments).map_err(text)?;
            device.synchronize().map_err(text)?;
            let mut got = before.clone();
            for (buffer, bytes) in memory.iter().zip(&mut got) {
                buffer.read(0, bytes).map_err(text)?;
            }
            compare(kernel, &got, after).map_err(|e| {
                format!(
                    "{name}: kernel {}, launch {number} ({scalars:?}): {e}",
                    kernel.name
                )
            })?;
        }
    }
    Ok(())
}

fn compare(kernel: &Kernel, got: &Buffers, expected: &Buffers) -> Result<(), String> {
    let given = kernel.given.iter().filter(|g| g.elements.is_some());
    for ((given, got), expected) in given.zip(got).zip(expected) {
        let size = given.ty.size();
        let pairs = got.chunks(size).zip(expected.chunks(size));
        let wrong: Vec<usize> = pairs
            .enumerate()
            .filter(|(_, (a, b))| a != b && number(given.ty, a) != number(given.ty, b))
            .map(|(at, _)| at)
            .collect();
        if let Some(&at) = wrong.first() {
            let value = |bytes: &[u8]| shown(given.ty, &bytes[at * size..][..size]);
            return Err(format!(
                "{} elements of '{}' differ: [{at}] is {}, not {}",
                wrong.len(),
                given.name,
                value(got),
                value(expected)
            ));
        }
    }
    Ok(())
}

/// A floating number, so that zeros of both signs are equal.
fn number(ty: Type, bytes: &[u8]) -> Option<f64> {
    match ty {
        Type::Float => Some(f32::from_ne_bytes(bytes.try_into().ok()?).into()),
        Type::Double => Some(f64::from_ne_bytes(bytes.try_into().ok()?)),
        // Of integers equal bytes are all that is equal.
        _ => Some(f64::NAN),
    }
}

fn shown(ty: Type, bytes: &[u8]) -> String {
    if ty.is_float() {
        return number(ty, bytes).map_or_else(String::new, |n| n.to_string());
    }
    let value = bytes
        .iter()
        .rev()
        .fold(0u64, |sum, b| sum << 8 | u64::from(*b));
    let shift = 64 - 8 * bytes.len() as u32;
    match ty.is_signed() {
        true => ((value << shift) as i64 >> shift).to_string(),
        false => value.to_string(),
    }
}

fn scalar(ty: Type, value: i128) -> KernelArgument<'static> {
    let real = value as f64 / f64::from(1u32 << ty.range().scale);
    match ty {
        Type::Bool => (value != 0).into(),
        Type::Char => (value as i8).into(),
        Type::UChar => (value as u8).into(),
        Type::Short => (value as i16).into(),
        Type::UShort => (value as u16).into(),
        Type::Int => (value as i32).into(),
        Type::UInt => (value as u32).into(),
        Type::Long => (value as i64).into(),
        Type::ULong => (value as u64).into(),
        Type::Float => (real as f32).into(),
        Type::Double => real.into(),
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
