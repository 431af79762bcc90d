//! Sums of blocks: by hand with shuffles, and by a function of the group; how long each takes.
//!
//! `cargo run --release --example block_sums`, on the CUDA or HIP device that `BROOK_DEVICE` names or the
//! best there is.
#![allow(clippy::print_stdout)]

use brook::{BuildOptions, Device, Kernel, Memory, Source, args};
use std::time::{Duration, Instant};

fn main() -> Result<(), brook::runtime::Error> {
    measured(&Device::detect()?, 1 << 18, 20)
}

/// Sums so many blocks of 256 numbers both ways, and measures it so often.
pub(crate) fn measured(
    device: &Device,
    blocks: i32,
    rounds: u32,
) -> Result<(), brook::runtime::Error> {
    let host: Vec<f32> = (0..blocks * 256).map(|i| (i % 7) as f32).collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/block_sums.okl");
    let program = device.build(Source::file(file), &BuildOptions::new())?;
    let x = device.upload(&host)?;
    let mut results = Vec::new();
    let mut times = Vec::new();
    for name in ["by_hand", "by_function"] {
        let kernel = program.kernel(name)?;
        let sums = device.zeros::<f32>(blocks as usize)?;
        times.push(best(device, &kernel, rounds, (&x, &sums))?);
        let mut found = vec![0.0f32; blocks as usize];
        sums.download(&mut found)?;
        results.push(found);
    }
    assert_eq!(results[0], results[1], "both are sums of integers");
    let ratio = times[0].as_secs_f64() / times[1].as_secs_f64();
    println!(
        "{}: by hand {:?}, by function {:?}, ratio {ratio:.3}",
        device.name(),
        times[0],
        times[1]
    );
    Ok(())
}

/// The shortest time of a launch, over batches.
fn best(
    device: &Device,
    kernel: &Kernel,
    rounds: u32,
    (x, sums): (&Memory<f32>, &Memory<f32>),
) -> Result<Duration, brook::runtime::Error> {
    const BATCH: u32 = 50;
    let blocks = sums.len() as i32;
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        device.synchronize()?;
        let start = Instant::now();
        for _ in 0..BATCH {
            // SAFETY: the kernels read so many blocks and write so many sums.
            unsafe { kernel.launch(args![blocks, x, sums]) }?;
        }
        device.synchronize()?;
        best = best.min(start.elapsed() / BATCH);
    }
    Ok(best)
}
