//! The OKL program on a device, compared with what the plain one computed.

use super::oracle::{Buffers, Expected, encoded};
use super::value::Type;
use super::{Kernel, Program};
use crate::properties::executor::{Argument, Executor};
use brook::runtime::BuildOptions;

/// Runs every launch, and says where a buffer differs.
pub fn run(
    program: &Program,
    expected: &Expected,
    name: &str,
    flags: &[&str],
) -> Result<(), String> {
    let options = BuildOptions::new().cache(false).from_environment();
    let options = flags
        .iter()
        .fold(options, |options, flag| options.flag(*flag));
    let built = Executor::build(name, program.source(), options)?;
    let mut launches = expected.launches.iter();
    for kernel in &program.kernels {
        for (number, scalars) in kernel.launches.iter().enumerate() {
            let (before, after) = launches.next().ok_or("a launch has no expectation")?;
            let (mut buffers, mut numbers) = (before.iter(), scalars.iter());
            let mut arguments = Vec::new();
            for given in &kernel.given {
                arguments.push(match given.elements {
                    Some(_) => Argument::Buffer(buffers.next().ok_or("a buffer")?.clone()),
                    None => Argument::Value(encoded(given.ty, *numbers.next().ok_or("a scalar")?)),
                });
            }
            let ran = built.launch(&kernel.name, &mut arguments);
            let got: Vec<Vec<u8>> = { arguments.into_iter() }
                .filter_map(|argument| match argument {
                    Argument::Buffer(bytes) => Some(bytes),
                    Argument::Value(_) => None,
                })
                .collect();
            ran.and_then(|()| compare(kernel, &got, after))
                .map_err(|e| {
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
