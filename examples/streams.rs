//! Brook+ streams from Rust: elements of a type, parts, and a reduction.
//!
//! `cargo run --example streams`, on the device that `BROOK_DEVICE` names or the best there is.
#![allow(clippy::print_stdout)]

use brook::{BuildOptions, Device, Source, Stream, stream_args};

const KERNELS: &str = "
kernel void blur(float a<>, float left<>, out float b<>) { b = (a + left) * 0.5f; }
reduce void sum(float a<>, reduce float total<>) { total += a; }
";

pub(crate) fn main() -> Result<(), brook::runtime::Error> {
    let device = Device::detect()?;
    let program = device.build(Source::new("blur.br", KERNELS), &BuildOptions::new())?;
    let (blur, sum) = (program.kernel("blur")?, program.kernel("sum")?);

    let a = Stream::<f32>::new(&device, &[8])?;
    let b = Stream::<f32>::new(&device, &[8])?;
    a.read(&[0.0, 0.0, 0.0, 8.0, 8.0, 0.0, 0.0, 0.0])?;
    // All elements but the first, each with its left neighbour.
    let (rest, left) = (a.domain(&[1], &[8])?, a.domain(&[0], &[7])?);
    blur.call(stream_args![&rest, &left, &b.domain(&[1], &[8])?])?;
    let mut total = 0.0f32;
    sum.call(stream_args![&b, &mut total])?;

    assert_eq!(b.to_vec()?, [0.0, 0.0, 0.0, 4.0, 8.0, 4.0, 0.0, 0.0]);
    assert_eq!(total, 16.0);
    println!("{}: {:?}, in all {total}", device.name(), b.to_vec()?);
    Ok(())
}
