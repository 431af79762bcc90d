//! The first program: build a kernel, launch it, fetch the result.
//!
//! `cargo run --example axpy`, on the device that `BROOK_DEVICE` names or the best there is.
#![allow(clippy::print_stdout)]

use brook::{BuildOptions, Device, Source, args};

pub(crate) fn main() -> Result<(), brook::runtime::Error> {
    let n = 1000;
    let host_x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let mut host_y = vec![0.0f32; n];
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/axpy.okl");

    let device = Device::detect()?;
    let program = device.build(
        Source::file(file),
        &BuildOptions::new().define("BLOCK", 256),
    )?;
    let axpy = program.kernel("axpy")?;
    let x = device.upload(&host_x)?;
    let y = device.zeros::<f32>(n)?;
    // SAFETY: the kernel stays below n, which both vectors have.
    unsafe { axpy.launch(args![n as i32, 2.0f32, &x, &y]) }?;
    y.download(&mut host_y)?;

    assert_eq!(host_y[999], 1998.0);
    println!("{}: 2 * 999 = {}", device.name(), host_y[999]);
    Ok(())
}
