//! Copies beside computing: while one piece of the data is worked on, the next one is on its way.
//!
//! `cargo run --example queues`, on the device that `BROOK_DEVICE` names or the best there is.
#![allow(clippy::print_stdout)]

use brook::{BuildOptions, Device, Source, args};

const PIECE: usize = 1 << 16;
const PIECES: usize = 8;

pub(crate) fn main() -> Result<(), brook::runtime::Error> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/axpy.okl");
    let device = Device::detect()?;
    let options = BuildOptions::new().define("BLOCK", 128);
    let axpy = device.build(Source::file(file), &options)?.kernel("axpy")?;
    let (queues, pool) = ([device.queue()?, device.queue()?], device.pool());

    let begin = queues[0].record()?;
    let mut results = Vec::new();
    for piece in 0..PIECES {
        let queue = &queues[piece % queues.len()];
        let mut input = device.pinned::<f32>(PIECE)?;
        input.fill(piece as f32);
        let (x, y) = (pool.zeros(PIECE)?, pool.zeros(PIECE)?);
        let sent = queue.upload(input, &x)?;
        // SAFETY: the kernel stays below PIECE, which both have.
        unsafe { axpy.launch_on(queue, args![PIECE, 3.0f32, &x, &y]) }?;
        results.push((sent, queue.download(&y, device.pinned::<f32>(PIECE)?)?));
        // Device memory goes back to the pool here, and is used again when the queue is done with it.
    }
    queues[0].wait_for(&queues[1].record()?)?;
    let end = queues[0].record()?;

    for (piece, (sent, result)) in results.into_iter().enumerate() {
        sent.wait()?;
        let result = result.wait()?;
        assert!(result.iter().all(|y| *y == 3.0 * piece as f32));
    }
    println!(
        "{}: {PIECES} pieces in {:?}",
        device.name(),
        end.elapsed_since(&begin)?
    );
    Ok(())
}
